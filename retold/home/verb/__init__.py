"""The verb `home`."""
