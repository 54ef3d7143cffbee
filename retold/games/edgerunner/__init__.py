"""Edgerunner: conflicts on a map of zones, in rounds called exchanges, with fudge dice and fate points.

In an exchange each character makes one act; its total, the shifts, becomes movement, stress, or aspects.
"""
