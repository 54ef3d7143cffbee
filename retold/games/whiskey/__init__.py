"""Game "Whiskey", as a `System` for the journal.

A fight goes in phases: fighters declare intents, intents that succeed become clashes (two people who fight),
and a check with a card and a d6 decides each clash.
"""
