"""Questions asked of a finished design, of one thing in it or of several: traces."""
