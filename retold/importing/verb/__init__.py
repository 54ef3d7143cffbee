"""The verb `import`: questions about a log, and what was recorded of it."""
