"""What a cluster is: groups and bundles (`model`), the join on index grids (`wiring`), columns (`tables`), names and graph adaptors."""
