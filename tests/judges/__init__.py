"""A second reading of each game's rules, written from docs/rules alone, that plays against the real one."""
