"""Notation, voice, phrases and statistics of Whiskey."""
