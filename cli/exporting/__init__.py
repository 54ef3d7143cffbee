"""The `export` verb's work: what is told, to whom, and to which file, folder or clipboard."""
