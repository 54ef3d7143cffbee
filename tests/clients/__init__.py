"""Clients that generators make from the service's description; `run.py clients` has the generators."""
