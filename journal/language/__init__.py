"""Command language: parses typed lines, binds them to commands and writes them back (docs/language.md)."""
