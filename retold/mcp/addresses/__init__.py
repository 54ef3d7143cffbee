"""The address `mcp` of a served campaign."""
