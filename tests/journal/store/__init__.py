"""The record: what is written, read back, undone, changed, dumped and proved."""
