"""Notation, answers, voice, phrases and statistics of games from a file."""
