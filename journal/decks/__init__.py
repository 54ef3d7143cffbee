"""Dice, cards and chance."""
