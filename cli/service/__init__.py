"""The web service behind `serve`."""
