"""How a table's own game is noted, told and counted."""
