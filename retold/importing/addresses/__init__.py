"""What home answers about a log that is brought in."""
