"""A folder of linked Markdown pages: for everybody, every place, thread and thing, and every session."""

from projections.vault.files import folded
from projections.vault.pages import FOLDERS, SESSIONS, Page, pages_of

__all__ = ["FOLDERS", "SESSIONS", "Page", "folded", "pages_of"]
