"""What an Edgerunner table may ask for, and what comes of it."""
