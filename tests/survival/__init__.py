"""Attacks on a campaign, each described once: short among the tests, long by `python3 run.py survive`."""
