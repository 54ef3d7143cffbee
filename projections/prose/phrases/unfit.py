"""Why a phrase cannot be used; apart from the sandbox that says so, which is slow to load."""

from __future__ import annotations


class Unfit(ValueError):  # noqa: N818 -- named for what the phrase is
    """A phrase that cannot be used; its message is the rest of a sentence and has no full stop."""
