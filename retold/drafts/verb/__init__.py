"""Commands of the verb `draft`, without its command line."""
