"""Bruise, a card game: both sides draw hands, the highest card wins, and the winner narrates the outcome."""
