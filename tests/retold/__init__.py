"""Tests, in rooms that mirror the house."""
