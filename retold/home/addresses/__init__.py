"""Addresses of home, and the server that answers there."""
