"""Our games, each in a package: rules, events, commands, and how it is told."""
