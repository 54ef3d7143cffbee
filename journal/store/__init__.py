"""The record store: campaign files, their branches of events, and each operation that writes to a branch."""
