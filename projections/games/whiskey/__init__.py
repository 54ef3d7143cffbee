"""How Whiskey is told: its notation, its voice, its phrases, and what can be counted of it."""
