"""Game "Space·Time", as a `System` for the journal.

In each round the parties of a conflict draw cards; the cards' flow (their result) moves the Balance, a scale
from balanced to victory.
"""
