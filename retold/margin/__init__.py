"""Readers' notes: what readers of a served replay write at a step of it."""
