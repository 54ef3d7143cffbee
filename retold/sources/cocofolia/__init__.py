"""Logs of Cocofolia: the page that the room writes, and the one that tools make of it."""
