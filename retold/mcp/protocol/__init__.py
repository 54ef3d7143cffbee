"""The protocol: tools, the pages of their answers, and the server."""
