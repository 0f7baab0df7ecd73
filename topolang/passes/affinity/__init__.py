"""Which NIC each GPU uses inside its server, and whether its PCIe link can carry it."""
