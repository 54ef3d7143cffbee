"""Edgerunner: a map of zones, exchanges of one act each, stress, aspects, and fate points."""
