"""Logs of other tools, taken into a campaign by the ordinary commands."""
