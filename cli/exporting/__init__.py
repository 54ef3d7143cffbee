"""The `export` verb's work: contents, audience, and target file, folder or clipboard."""
