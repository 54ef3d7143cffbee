"""The console, by its keys and through a real terminal."""
