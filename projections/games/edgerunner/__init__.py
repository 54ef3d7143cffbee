"""Notation, voice, phrases and statistics of Edgerunner."""
