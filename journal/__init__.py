"""The record of a campaign and the rules of its games: state, decisions, storage, language."""

from __future__ import annotations

RELEASE = "0.3.0.dev0"
"""The release, which every act names as the one that decided it; pyproject.toml says the same, and a test
holds the two together. Between releases it is the next one with `.dev0`, whose rules change from day to day.
"""
