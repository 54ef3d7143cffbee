"""The folder of campaigns that home shows, and its page."""
