"""Copies of a campaign: dumps, and the bringing together of copies that continued apart."""
