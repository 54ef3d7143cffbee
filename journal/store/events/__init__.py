"""Stored events: their encoding, their hash chain, and what a branch reads back from them."""
