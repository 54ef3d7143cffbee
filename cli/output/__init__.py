"""Output of the command line: paragraphs, tables, charts, maps, and files."""
