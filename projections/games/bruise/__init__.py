"""Bruise in views: text lines of the log, prose, phrases and statistics."""
