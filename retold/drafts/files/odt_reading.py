"""ODT of a draft as editors give it back: tracked changes accepted, comments as remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from retold.drafts.files.finding import Findings, check_number
from retold.drafts.files.kept_words import author_name, id_at, named, tidy
from retold.drafts.files.packages import Package
from retold.drafts.files.paragraph_words import ParagraphWords
from retold.drafts.manuscript import Remark, Returned
from retold.journal.refused import Refused
from retold.journal.vocabulary.drafts import Sort

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MEDIA: Final = "application/vnd.oasis.opendocument."
"""Beginning of the media types of OpenDocument."""
PROPERTY: Final = "Retold"
"""Document property that names draft and revision."""
_SPACE: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_SORTS: Final[dict[str, Sort]] = {"epigraph": "epigraph", "pull quote": "pull-quote"}
_INDEXES: Final = frozenset(
    {
        *("table-of-content", "illustration-index", "table-index", "object-index", "user-index"),
        *("alphabetical-index", "bibliography"),
    }
)
_SHAPES: Final = frozenset(
    {
        *("frame", "g", "a", "custom-shape", "rect", "line", "polyline", "polygon", "regular-polygon"),
        *("path", "circle", "ellipse", "connector", "caption", "measure", "control", "page-thumbnail"),
    }
)
_HOLDERS: Final = frozenset(
    {
        *("list", "list-header", "table-header-rows", "table-rows", "table-row-group", "table-row"),
        *("table-cell", "covered-table-cell", "text-box"),
    }
)
_PASSED: Final = frozenset({"annotation-end", "hidden-text", "script", "deletion", "tracked-changes"})
_BOLD: Final = re.compile("bold|[6-9]00")
_BLANKS: Final = re.compile("[ \t\r\n]+")
_MOST_BLANKS: Final = 100
"""Blanks of one element; no text needs more in a row."""


def read(file_name: str, data: bytes) -> Returned:
    """Returns the paragraphs of an ODT with all tracked changes accepted.

    Comments and footnotes become remarks on their paragraphs; text boxes and tables become paragraphs. Raises
    Refused for a file that is not an ODT, is damaged, has a password, or is far larger unpacked than text.
    """
    package = Package(file_name, data)
    if not package.media.startswith(f"{MEDIA}text"):
        raise Refused(f"{file_name} is of OpenDocument, but no text; save its text as ODT or DOCX.")
    manifest = package.part("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
        raise Refused(f"{file_name} has a password; save it without one.")
    findings = Findings(file_name)
    _Reader(findings, package).read()
    returned = findings.returned()
    about = package.part("meta.xml")
    name, revision = _draft(about) or (None, None)
    return replace(returned, name=name, revision=revision, author=author_name(_found(about, "creator")))


def _draft(about: Element | None) -> tuple[str, int] | None:
    """Returns name and revision of the draft in the document's properties, if they are there."""
    for one in () if about is None else about.iter("{*}user-defined"):
        if _value(one, "name") == PROPERTY and (found := named("".join(map(str, one.itertext())))):
            return found
    return None


@dataclass(frozen=True, slots=True)
class _Style:
    """Style of paragraphs or words: its name as it is shown, its parent, and what it changes itself."""

    name: str
    parent: str
    is_automatic: bool
    letters: dict[str, str] = field(default_factory=dict)
    shape: dict[str, str] = field(default_factory=dict)


class _Reader:
    """One pass over the text of a document."""

    def __init__(self, findings: Findings, package: Package) -> None:
        content = package.part("content.xml")
        text = None if content is None else content.find("{*}body/{*}text")
        if content is None or text is None:
            raise Refused(f"{findings.file_name} is not a whole ODT: it has no text. Save it again.")
        self.findings = findings
        self.text = text
        self.styles = dict((*_styles(package.part("styles.xml")), *_styles(content)))
        self.changes = dict(_changes(text))
        self.joins = set(_joins(text))
        self.open: dict[str, None] = {}
        """Changes that have begun and not ended, in order."""
        self.current = ParagraphWords()

    def read(self) -> None:
        """Takes every paragraph of the text."""
        check_number(self.findings.file_name, sum(1 for one in self.text.iter("{*}p", "{*}h")))
        self._blocks(self.text)

    # --- paragraphs ---------------------------------------------------------------------------------------

    def _blocks(self, holder: Element) -> None:
        for element in holder:
            match name := _name(element):
                case "p" | "h":
                    self._paragraph(element, is_heading=name == "h")
                case "list-item" | "numbered-paragraph":
                    self.current.lead = "- "
                    self._blocks(element)
                    self.current.lead = ""
                case "section" if _value(element, "display") == "none":
                    self.findings.count("hidden", sum(1 for _ in element.iter("{*}p", "{*}h")))
                case "table":
                    self.findings.count("table")
                    self._blocks(element)
                case "section" | "change" | "change-start" | "change-end":
                    self._change(element)
                    self._blocks(element)
                case _ if name in _INDEXES:
                    self.findings.count("contents", sum(1 for _ in element.iter("{*}p")))
                case _ if name in _SHAPES:
                    self._drawing(element)
                    self._boxes()
                case _ if name in _HOLDERS:
                    self._blocks(element)
                case _:
                    pass

    def _paragraph(self, element: Element, *, is_heading: bool) -> None:
        style = _value(element, "style-name")
        names = [one.name for one in self._chain("paragraph", style)]
        if any(re.fullmatch(r"(?:contents|toc) \d+", name) for name in names):
            self.findings.count("contents")
            return
        for change in self.open:
            self.current.note_change(*self.changes[change])
        direct = self._direct(style)
        self._inside(element, self._signs(frozenset(), direct), _is_hidden(direct))
        for place in self.current.joins:
            self.current.part_from(place)
        sort: Sort | None = "text"
        if "title" in names:
            sort = None
        elif is_heading:
            sort = "heading"
        elif known := [_SORTS[name] for name in names if name in _SORTS]:
            sort = known[0]
        elif all(_is_indent(one.shape.get(side, "")) for one in direct for side in _SIDES) and direct:
            sort = self.current.set_apart
        words, self.current = self.current, ParagraphWords()
        words.give(self.findings, sort)
        self.current.boxes = words.boxes
        self._boxes()

    def _boxes(self) -> None:
        boxes, self.current = self.current.boxes, ParagraphWords()
        for box in boxes:
            self._blocks(box)

    # --- words --------------------------------------------------------------------------------------------

    def _inside(self, holder: Element, signs: frozenset[str], is_hidden: bool) -> None:
        self._say(holder.text, signs, is_hidden)
        for element in holder:
            self._inline(element, signs, is_hidden)
            self._say(element.tail, signs, is_hidden)

    def _say(self, text: str | None, signs: frozenset[str], is_hidden: bool) -> None:
        if text:
            self._put(_BLANKS.sub(" ", text), signs, is_hidden)

    def _put(self, words: str, signs: frozenset[str], is_hidden: bool) -> None:
        if is_hidden:
            self.current.has_hidden |= bool(words.strip())
            return
        self.current.words.append(words)
        self.current.slant(len(self.current.words) - 1, signs)

    def _inline(self, element: Element, signs: frozenset[str], is_hidden: bool) -> None:  # noqa: C901, PLR0912 -- one case each
        match name := _name(element):
            case "span":
                chain = list(self._chain("text", _value(element, "style-name")))
                self._inside(element, self._signs(signs, chain), is_hidden or _is_hidden(chain))
            case "a":
                self.findings.count("link", not _value(element, "href").startswith("#"))
                self._inside(element, signs, is_hidden)
            case "s":
                count = _value(element, "c")
                number = int(count) if re.fullmatch(r"\d{1,4}", count) else 1
                self._put(" " * min(number, _MOST_BLANKS), signs, is_hidden)
            case "tab":
                self._put(" ", signs, is_hidden)
            case "line-break":
                self._put("\n", signs, is_hidden)
            case "bookmark" | "bookmark-start":
                found = id_at(_value(element, "name"))
                self.current.id = found if self.current.id is None else self.current.id
            case "note":
                self.findings.count("footnote")
                self._remark("", element.find("{*}note-body"))
            case "annotation":
                self._remark(_found(element, "creator"), element)
            case "change" | "change-start" | "change-end":
                self._change(element)
            case "ruby":
                base = element.find("{*}ruby-base")
                if base is not None:
                    self._inside(base, signs, is_hidden)
            case "hidden-text" | "hidden-paragraph":
                self.current.has_hidden = True
            case _ if name in _SHAPES:
                self._drawing(element)
            case _ if name and name not in _PASSED:
                self._inside(element, signs, is_hidden)

    def _remark(self, author: str, holder: Element | None) -> None:
        """Takes a comment or a note, whose paragraphs are its lines."""
        lines = () if holder is None else holder.iter("{*}p", "{*}h")
        text = tidy("\n".join(_BLANKS.sub(" ", "".join(map(str, line.itertext()))) for line in lines))
        if text:
            self.current.remarks.append(Remark(author_name(author), text))

    def _change(self, element: Element) -> None:
        """Takes the author of a tracked change, and notes which changes have begun and not ended."""
        change = _value(element, "change-id")
        if change in self.joins:
            self.current.joins.append(len(self.current.words))
        if change not in self.changes:
            return
        if _name(element) == "change-end":
            self.open.pop(change, None)
            return
        self.current.note_change(*self.changes[change])
        if _name(element) == "change-start":
            self.open[change] = None

    def _drawing(self, element: Element) -> None:
        """Takes the text boxes of a drawing; one without is a picture."""
        own = [one for one in element.iter("{*}text-box") if not _is_within_box(one, element)]
        if not own and element.find("{*}p") is not None:
            own = [element]  # a shape with words in it
        self.current.boxes += own
        self.findings.count("picture", not own)

    # --- styles -------------------------------------------------------------------------------------------

    def _chain(self, family: str, name: str) -> Iterator[_Style]:
        """Yields a style and those that it is made from, in order."""
        seen = set[str]()
        while name not in seen and (style := self.styles.get((family, name))) is not None:
            yield style
            seen.add(name)
            name = style.parent

    def _direct(self, name: str) -> list[_Style]:
        """Returns the style of one paragraph alone, which is its direct formatting; empty without one."""
        style = self.styles.get(("paragraph", name))
        return [style] if style is not None and style.is_automatic else []

    @staticmethod
    def _signs(outer: frozenset[str], chain: list[_Style]) -> frozenset[str]:
        """Returns the emphasis (`i`, `b`) of words, with that around them."""
        signs = set(outer)
        for sign, key in (("i", "font-style"), ("b", "font-weight")):
            value = next((one.letters[key] for one in chain if key in one.letters), None)
            if value is not None:
                is_on = _BOLD.fullmatch(value) if sign == "b" else value in ("italic", "oblique")
                (signs.add if is_on else signs.discard)(sign)
        return frozenset(signs)


_SIDES: Final = ("margin-left", "margin-right")


def _is_indent(length: str) -> bool:
    """True for a length above zero, such as `36pt`."""
    return re.match(r"[1-9]|0*\.0*[1-9]|0+\.0*[1-9]", length) is not None


def _is_hidden(chain: list[_Style]) -> bool:
    return next((one.letters["display"] for one in chain if "display" in one.letters), "") == "none"


def _name(element: Element) -> str:
    """Returns the local name of an element of OpenDocument; empty for all else."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.removeprefix("{").partition("}")
    return name if space.startswith(_SPACE) else ""


def _value(element: Element, name: str) -> str:
    """Returns an attribute by its local name; empty without it."""
    return next((str(value) for key, value in element.items() if key.rpartition("}")[2] == name), "")


def _found(holder: Element | None, name: str) -> str:
    """Returns the words of an element inside another; empty without it."""
    found = None if holder is None else next(holder.iter(f"{{*}}{name}"), None)
    return "" if found is None else "".join(map(str, found.itertext()))


def _styles(root: Element | None) -> Iterator[tuple[tuple[str, str], _Style]]:
    """Yields the styles of a part by family and name."""
    for style in () if root is None else root.iter("{*}style"):
        name, parent = style.getparent(), _value(style, "parent-style-name")
        is_automatic = name is not None and _name(name) == "automatic-styles"
        shown = (_value(style, "display-name") or _value(style, "name").replace("_20_", " ")).lower()
        letters, shape = (
            {
                key.rpartition("}")[2]: str(value)
                for one in style.iterfind(f"{{*}}{sort}")
                for key, value in one.items()
            }
            for sort in ("text-properties", "paragraph-properties")
        )
        key = _value(style, "family"), _value(style, "name")
        yield key, _Style("" if is_automatic else shown, parent, is_automatic, letters, shape)


def _changes(text: Element) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yields date and author of words that were typed or deleted as tracked changes, by id."""
    for region in text.iterfind("{*}tracked-changes/{*}changed-region"):
        for change in region:
            if _name(change) in ("insertion", "deletion"):
                yield _value(region, "id"), (_found(change, "date"), _found(change, "creator"))


def _joins(text: Element) -> Iterator[str]:
    """Yields the ids of deletions of a paragraph mark: they hold words, or none, from both sides of it."""
    for region in text.iterfind("{*}tracked-changes/{*}changed-region"):
        deletion = region.find("{*}deletion")
        if deletion is not None and sum(_name(one) != "change-info" for one in deletion) > 1:
            yield _value(region, "id")


def _is_within_box(box: Element, top: Element) -> bool:
    """True if a text box is inside another."""
    for holder in box.iterancestors():
        if holder is top:
            return False
        if _name(holder) == "text-box":
            return True
    return False
