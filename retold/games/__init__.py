"""Our games, each in a package of its own, as a guest's is: rules, events, commands, and how it is told."""
