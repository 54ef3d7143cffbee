"""The web service that the `serve` verb starts."""
