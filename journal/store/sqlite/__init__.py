"""The event store kept in one SQLite file, the campaign file."""
