"""Shared vocabulary of every game: base classes, commands (requests by users) and events (recorded facts)."""
