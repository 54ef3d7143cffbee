"""The record store: campaign files, the lines in them, and every command that writes to a line."""
