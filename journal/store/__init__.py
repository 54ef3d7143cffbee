"""Where the record is kept: the only room that knows the file, the clock and who may write next."""
