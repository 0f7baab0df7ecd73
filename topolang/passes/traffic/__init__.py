"""Declared traffic: shares, buffers and lower bounds of its duration."""
