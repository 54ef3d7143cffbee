"""Campaigns for assistants, over the Model Context Protocol: what one viewer may know, in pages."""
