"""The words of the record: what an event and a command are, and those that every system shares."""
