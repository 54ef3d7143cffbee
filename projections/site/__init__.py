"""A folder of web pages for any static host: every session, everybody and everything, search and a feed."""

from projections.site.addresses import WHERE, base
from projections.site.frame import File
from projections.site.pages import files_of

__all__ = ["WHERE", "File", "base", "files_of"]
