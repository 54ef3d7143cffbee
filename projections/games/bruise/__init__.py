"""Notation, voice, phrases and statistics of Bruise."""
