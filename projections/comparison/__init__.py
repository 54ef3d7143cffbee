"""Comparison of branches: their values and stories, and the pages that show them."""
