"""Words and sort of a block as every file keeps them, and the line that names the draft."""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

from retold.drafts.manuscript import Coming, Going, Manuscript
from retold.journal import marks
from retold.journal.vocabulary.drafts import Sort
from retold.projections.texts import safe

_MARKED: Final[dict[Sort, str]] = {"note": "Note", "image": "Image"}
"""Sorts that no format knows, and the word that a file writes before their text."""
_BRACKETED: Final = re.compile(r"\[(?P<word>Note|Image):[ \u00a0](?P<text>.*)\]", re.DOTALL)
_BLANKS: Final = re.compile("[ \t\u00a0]*[ \t][ \t\u00a0]*|\u00a0{2,}")
_LINES: Final = re.compile("\r\n|[\r\n\v\f\u0085\u2028\u2029]")
_LEFTOVERS: Final = re.compile("[\u00ad\u200b\ufeff]")
"""Signs of layout that editors leave in words: soft hyphens, places to break a line, byte order marks."""
LONGEST_NAME: Final = 100
"""Characters of the name of a draft, which is in its files, and of a writer."""
_LONGEST_ORNAMENT: Final = 16
_ORNAMENTS: Final = frozenset("*#~§•·∙⁂❦❧☙◊◆◇○●■□★☆✦✧✶✻❖†‡_=+-\u2013—―⸺ ")
_NEEDS_ESCAPE: Final = re.compile(r"[%<>&\"'\\\s]|-(?=-)|-$|[^\x20-\x7e]")
_MARK: Final = re.compile(r"retold draft (?P<name>[^\s<>]{1,2000}) (?P<revision>[1-9]\d{0,8})")
_ID: Final = re.compile(r"rt_(?P<id>[1-9]\d{0,9})")


def tidy(text: str) -> str:
    """Returns words as a file keeps them: blanks once, no empty lines, no blanks at the ends of lines.

    Signs of layout that cannot be seen, such as soft hyphens, are dropped.
    """
    clean = _LEFTOVERS.sub("", text).replace("\0", "\ufffd")
    lines = (_BLANKS.sub(" ", line).strip() for line in _LINES.split(clean))
    return "\n".join(filter(None, lines))


def one_line(text: str) -> str:
    """Returns tidy words on one line, as a heading has them."""
    return tidy(text).replace("\n", " ")


def author_name(text: str) -> str:
    """Returns the name of an author as a file states it: on one line, without signs that cannot be seen."""
    return safe.line(one_line(text))[:LONGEST_NAME].strip()


def kept(block: Going) -> Coming | None:
    """Returns what every file keeps of a block that is sent, as `read` gives it back, but without its id.

    None if nothing of it is left, as for a text of blanks. Signs that cannot be printed are shown as exports
    show them. Compare with this to see whether a paragraph was changed.
    """
    if block.sort == "break":
        return Coming("break", "")
    shown = safe.text(tidy(block.text))
    if block.sort in _MARKED:
        return Coming(block.sort, normal(block.sort, shown)) if shown else None
    return came(block.sort, shown)


def came(sort: Sort, text: str, id_: int | None = None) -> Coming | None:
    """Returns a paragraph that came back, with tidy words; None if it is empty.

    Ornaments are a break, and words in brackets after `Note:` a note.
    """
    words = normal(sort, one_line(text) if sort == "heading" else tidy(text))
    if not words:
        return None
    if is_ornament(words):
        return Coming("break", "", id_)
    if sort == "text" and (bracketed := _BRACKETED.fullmatch(words)):
        within: Sort = "note" if bracketed["word"] == "Note" else "image"
        inner = tidy(bracketed["text"])
        return Coming(within, normal(within, inner), id_) if inner else None
    return Coming(sort, words, id_)


_WITHOUT_MARKS: Final[frozenset[Sort]] = frozenset({"heading", "epigraph", "pull-quote"})
"""Sorts whose look in a file leaves no room for emphasis in them."""


def normal(sort: Sort, text: str) -> str:
    """Returns a text with its marks as `marks.written` writes them; without any in a heading or quotation."""
    if sort in _WITHOUT_MARKS:
        return marks.as_words(marks.plain(text))
    return marks.written(marks.runs(text)) if marks.may_have_marks(text) else text


def is_ornament(text: str) -> bool:
    """True for a line of signs such as `* * *` or `—`, which separates two scenes."""
    return len(text) <= _LONGEST_ORNAMENT and _ORNAMENTS.issuperset(text) and bool(text.strip())


def worded(block: Coming) -> str:
    """Returns a block's text as a file shows it, with its marks: a note in brackets, `[Note: who is it?]`."""
    word = _MARKED.get(block.sort)
    return f"[{word}: {block.text}]" if word else block.text


def going(manuscript: Manuscript) -> list[Coming]:
    """Returns what a file keeps of each block of a manuscript, with its id."""
    found = ((block, kept(block)) for block in manuscript.blocks)
    return [Coming(coming.sort, coming.text, block.id) for block, coming in found if coming is not None]


def title_of(manuscript: Manuscript) -> str:
    """Returns the title as files show it; empty if the manuscript has none."""
    return one_line(safe.text(tidy(manuscript.title)))


def mark(manuscript: Manuscript) -> str:
    """Returns the line that names draft and revision in a file: `retold draft first 12`.

    A name with blanks or other signs is percent-encoded, so that it can stand in a comment.
    """
    name = _NEEDS_ESCAPE.sub(_percent, manuscript.name)
    return f"retold draft {name} {manuscript.revision}"


def named(line: str) -> tuple[str, int] | None:
    """Returns name and revision of a draft from a line that `mark` made; None for another text."""
    found = _MARK.fullmatch(line.replace("\u00a0", " ").strip())  # some web editors paste no other blanks
    if found is None:
        return None
    try:
        return unquote(found["name"], errors="strict"), int(found["revision"])
    except UnicodeDecodeError:
        return None


def place(id_: int) -> str:
    """Returns the name of a block's place in a file, `rt_12`."""
    return f"rt_{id_}"


def id_at(name: str) -> int | None:
    """Returns the block id in the name of a place; None for any other name."""
    found = _ID.fullmatch(name.strip())
    return int(found["id"]) if found else None


def _percent(found: re.Match[str]) -> str:
    sign = found[0]
    if not sign.isascii() and unicodedata.category(sign)[0] in "LN":
        return sign
    return "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "surrogatepass"))
