"""The bill of materials as CSV and JSON."""
