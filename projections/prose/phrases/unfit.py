"""Error for an unusable phrase; separate from the sandbox, which is slow to load."""

from __future__ import annotations


class Unfit(ValueError):  # noqa: N818 -- named for what the phrase is
    """Unusable phrase; the message continues a sentence and has no full stop."""
