"""Dice, cards, and the random results of both."""
