"""A recap: how the last sessions ended in the table's own words, what changed, what is open, who is who."""

from projections.recap.making import WORDS, of_line
from projections.recap.meant import has_gone_before
from projections.recap.value import Recap

__all__ = ["WORDS", "Recap", "has_gone_before", "of_line"]
