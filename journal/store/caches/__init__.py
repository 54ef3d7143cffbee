"""Caches beside a record, which may be deleted at any time: states, projections, search."""
