"""Words in, words out: the command line of Retold."""

VERSION = "0.1.0"
"""The release; pyproject.toml says the same, and a test holds the two together."""
