"""A campaign's record in a file of SQLite: the one store there is, and all that is SQLite's own about it."""
