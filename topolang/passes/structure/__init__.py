"""What a design has: counts, and even domains of one switch hop."""
