"""What the verb `draft` does, apart from its command line."""
