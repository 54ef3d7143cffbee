"""Logs of SealDice and other dice bots of QQ: JSON, and texts in five shapes."""
