"""Help: one screen, pages on the language and the games, and what a word has to do with."""
