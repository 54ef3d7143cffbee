"""Lines and moments beside each other: where they part, and what differs."""
