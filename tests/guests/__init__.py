"""Guests for tests, and what comes of them."""
