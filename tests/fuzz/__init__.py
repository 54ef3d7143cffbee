"""Bytes that nobody wrote on purpose, given to whatever reads bytes: it answers, or refuses in a sentence."""
