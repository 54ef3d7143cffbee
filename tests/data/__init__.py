"""Stored samples of the record, and what made them."""
