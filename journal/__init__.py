"""What happened: the record of a campaign, and the rules it was played by."""
