"""What is lost when links, switches or servers fail."""
