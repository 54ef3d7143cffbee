"""Command language: parses typed lines, binds them to commands, writes commands back (docs/language.md).

Example: `draw Zel 4` becomes a `Draw` command, in which a person's id replaces the name.
"""
