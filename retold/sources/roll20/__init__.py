"""Readers of Roll20's chat archive: the saved page, and the messages it carries as JSON."""
