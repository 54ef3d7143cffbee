"""Homebrew: any game described in a TOML file, shipped or the table's own; or dice without any game."""
