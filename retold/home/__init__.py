"""Home: the campaigns of a folder in a browser on this computer, without a terminal."""
