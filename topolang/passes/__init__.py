"""Checks and metrics: one file each, reading the intermediate representation and changing nothing. `run` holds their order."""
