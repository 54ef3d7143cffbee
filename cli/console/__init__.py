"""The interactive console that the `play` verb opens."""
