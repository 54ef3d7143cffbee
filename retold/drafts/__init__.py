"""Drafts: a story made of the record, edited elsewhere, and taken back."""
