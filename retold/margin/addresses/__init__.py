"""Addresses of readers' notes, and what a replay's page loads for them."""
