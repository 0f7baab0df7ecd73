"""Power of devices, fabrics and racks."""
