"""The verb `mcp`."""
