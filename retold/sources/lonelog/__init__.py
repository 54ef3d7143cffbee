"""Logs in the notations Lonelog and Partylog."""
