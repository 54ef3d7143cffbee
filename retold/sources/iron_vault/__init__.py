"""Journals of Iron Vault, a plugin of Obsidian: notes in Markdown, and blocks of mechanics in them."""
