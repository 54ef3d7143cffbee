"""Addresses of drafts below a campaign, and the page on which the game master writes."""
