"""Notation, voice, phrases and statistics of Space·Time."""
