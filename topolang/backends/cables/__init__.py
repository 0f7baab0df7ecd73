"""The canonical cable table as CSV."""
