"""The campaign file as an SQLite database."""
