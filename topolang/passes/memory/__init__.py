"""CXL: version rules, logical devices, pools and grants."""
