"""Shared vocabulary of every game: base classes, commands and events."""
