"""The console behind `play`."""
