"""Homebrew games (rules from a game file) in views: log lines, replies, prose, phrases and statistics."""
