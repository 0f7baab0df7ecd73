"""Waste and cheaper ways that keep every assertion."""
