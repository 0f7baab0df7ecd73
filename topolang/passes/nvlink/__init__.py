"""NVLink domains: reach, lanes, size, reductions in the switches."""
