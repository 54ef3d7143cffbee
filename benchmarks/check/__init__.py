"""Sentences about the examples, each with the verdict of a careful reader, for the check of texts."""
