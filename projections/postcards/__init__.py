"""A card of one moment, to post: what was told, what fell, what came of it, and how those in it stand."""

from projections.postcards.formats import FORMATS, check_format, rendered
from projections.postcards.making import postcard
from projections.postcards.value import Postcard

__all__ = ["FORMATS", "Postcard", "check_format", "postcard", "rendered"]
