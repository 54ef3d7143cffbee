"""Notation, voice, phrases and statistics of Guenašk."""
