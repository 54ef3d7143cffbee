"""Which paragraph of an edited text comes from which block of the text that was sent, without ids."""

from __future__ import annotations

from retold.drafts.alignment.aligning import align
from retold.drafts.alignment.blocks import Alignment, Block, Change, Paragraph, Part, Result
from retold.drafts.alignment.words import Weights, words_of

__all__ = ["Alignment", "Block", "Change", "Paragraph", "Part", "Result", "Weights", "align", "words_of"]
