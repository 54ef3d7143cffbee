"""The story of a branch: its transcript as a document, and what is drawn from it."""
