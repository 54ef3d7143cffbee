"""Games from a file in views: text lines of the log, replies, prose, phrases and statistics."""
