"""Readers of Roll20's chat archive: the saved page, and JSON messages in it or exported from it."""
