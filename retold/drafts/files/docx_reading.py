"""DOCX of a draft as editors give it back: tracked changes accepted, comments as remarks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from posixpath import dirname, join, normpath
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

PROPERTY: Final = "Retold"
"""Document property that names draft and revision."""
OLD_WORD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
NO_TEXT: Final = "is not a DOCX or ODT: it has no text of a word processor. Save it as DOCX or ODT."
"""End of the sentence that refuses another package."""
_NO_LEVEL: Final = 9
"""Outline level of text that is not a heading."""
_MAIN: Final = "word/document.xml"
_W: Final = frozenset(
    {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    }
)
_STYLES: Final[dict[str, Sort]] = {"epigraph": "epigraph", "pull quote": "pull-quote"}
_EMPHASIS: Final = {"emphasis": "i", "intense emphasis": "i", "strong": "b"}
"""Character styles of word processors for emphasis."""
_PASSED: Final = frozenset(
    {
        "del",
        "moveFrom",
        "rPr",
        "pPr",
        "sectPr",
        "tblPr",
        "trPr",
        "tcPr",
        "sdtPr",
        "instrText",
        "delText",
        "delInstrText",
        "rt",
    }
)
_CHANGES: Final = frozenset({"ins", "del", "moveFrom", "moveTo"})
_PICTURES: Final = frozenset({"drawing", "pict", "object"})


def read(file_name: str, data: bytes) -> Returned:
    """Returns the paragraphs of a DOCX with all tracked changes accepted.

    Comments and footnotes become remarks on their paragraphs; text boxes and tables become paragraphs. Raises
    Refused for a file that is not a DOCX, is damaged, has a password, or is far larger unpacked than text.
    """
    package = _Package(file_name, data)
    findings = Findings(file_name)
    _Reader(findings, package).read()
    returned = findings.returned()
    name, revision = package.draft or (None, None)
    return replace(returned, name=name, revision=revision, author=package.author)


class _Package(Package):
    """Parts of a DOCX."""

    def __init__(self, file_name: str, data: bytes) -> None:
        super().__init__(file_name, data)
        self.main = self._main()
        if not self.has(self.main):
            raise Refused(f"{file_name} {NO_TEXT}")

    def _main(self) -> str:
        root = self.part("_rels/.rels")
        for related in () if root is None else root.iter("{*}Relationship"):
            if (related.get("Type") or "").endswith("/officeDocument"):
                return (related.get("Target") or "").lstrip("/")
        return _MAIN

    def beside(self, kind: str) -> Element | None:
        """Returns the document's part of a kind, such as `comments`; None without one."""
        folder, _, name = self.main.rpartition("/")
        root = self.part(f"{folder}/_rels/{name}.rels")
        for related in () if root is None else root.iter("{*}Relationship"):
            if (related.get("Type") or "").endswith(f"/{kind}") and related.get("TargetMode") != "External":
                target = related.get("Target") or ""
                return self.part(
                    target.lstrip("/")
                    if target.startswith("/")
                    else normpath(join(dirname(self.main), target))
                )
        return None

    @property
    def author(self) -> str:
        """The person who saved the document last, by its properties; empty if they give no name."""
        root = self.part("docProps/core.xml")
        last = None if root is None else root.find("{*}lastModifiedBy")
        return "" if last is None else author_name("".join(map(str, last.itertext())))

    @property
    def draft(self) -> tuple[str, int] | None:
        """Name and revision of the draft in the document's properties, if they are there."""
        root = self.part("docProps/custom.xml")
        for property_ in () if root is None else root.iter("{*}property"):
            if property_.get("name") == PROPERTY and (
                found := named("".join(map(str, property_.itertext())))
            ):
                return found
        return None


class _Reader:
    """One pass over a document's body."""

    def __init__(self, findings: Findings, package: _Package) -> None:
        self.findings = findings
        self.package = package
        self.styles = dict(_styles(package.beside("styles")))
        self.comments = dict(_notes(package.beside("comments"), "comment"))
        self.footnotes = dict(_notes(package.beside("footnotes"), "footnote"))
        self.endnotes = dict(_notes(package.beside("endnotes"), "endnote"))
        self.current = ParagraphWords()
        self.id: int | None = None
        """Id of a place that was marked between two paragraphs."""

    def read(self) -> None:
        """Takes every paragraph of the body."""
        root = self.package.part(self.package.main)
        body = None if root is None else next(root.iter("{*}body"), None)
        if body is None:
            raise Refused(f"{self.findings.file_name} {NO_TEXT}")
        check_number(self.findings.file_name, sum(1 for _ in body.iter("{*}p")))
        self._blocks(body)
        if self.current.text.strip():
            self._end("text")
        else:
            self.findings.remark(*self.current.remarks)

    def _blocks(self, holder: Element) -> None:
        for element in holder:
            match _name(element):
                case "p":
                    self._paragraph(element)
                case "tbl":
                    self.findings.count("table")
                    self._blocks(element)
                case "tr" if element.find("{*}trPr/{*}del") is not None:
                    pass
                case "sdt" if _is_contents(element):
                    self.findings.count("contents", sum(1 for _ in element.iter("{*}p")))
                case "bookmarkStart":
                    self.id = id_at(_value(element, "name")) or self.id
                case "AlternateContent":
                    self._blocks(_choice(element))
                case "tr" | "tc" | "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo" | "smartTag":
                    self._blocks(element)
                case _:
                    pass

    def _paragraph(self, element: Element) -> None:
        properties = element.find("{*}pPr")
        style = self.styles.get(_value_of(properties, "pStyle"), "")
        if style.startswith("toc "):
            self.findings.count("contents")
            return
        if _value_of(properties, "numPr/{*}numId") not in ("", "0") and not self.current.text:
            self.current.lead = "- "
        if self.id is not None and self.current.id is None:
            self.current.id, self.id = self.id, None
        begun = len(self.current.words)
        self._inside(element)
        self.current.part_from(begun)
        marks = None if properties is None else properties.find("{*}rPr")
        for mark in () if marks is None else marks:
            self._note_change(mark)
        if marks is not None and any(_name(mark) in ("del", "moveFrom") for mark in marks):
            if not self.current.text.strip():
                self.findings.remark(*self.current.remarks)
                self.current.id = None
                self.current.remarks.clear()
            return  # its mark is deleted, so that it goes on in the next paragraph
        self._end(self._sort(style, properties))

    def _sort(self, style: str, properties: Element | None) -> Sort | None:
        """Returns a paragraph's sort; None for a title."""
        if style == "title":
            return None
        level = _value_of(properties, "outlineLvl")
        if re.fullmatch(r"heading [1-9]", style) or (level.isdigit() and int(level) < _NO_LEVEL):
            return "heading"
        if style in _STYLES:
            return _STYLES[style]
        indent = None if properties is None else properties.find("{*}ind")
        left, right = (_twips(indent, *sides) for sides in (("left", "start"), ("right", "end")))
        if left > 0 and right > 0:
            return self.current.set_apart
        return "text"

    def _end(self, sort: Sort | None) -> None:
        text = self.current
        self.current = ParagraphWords()
        text.give(self.findings, sort)
        for box in text.boxes:
            self._blocks(box)

    def _inside(self, holder: Element) -> None:
        current = self.current
        for element in holder:
            self._note_change(element)
            match name := _name(element):
                case "r":
                    self._run(element)
                case "bookmarkStart":
                    found = id_at(_value(element, "name"))
                    current.id = found if current.id is None else current.id
                case "commentRangeStart" | "commentReference":
                    self._take_note(self.comments, element)
                case "AlternateContent":
                    self._inside(_choice(element))
                case "hyperlink":
                    self.findings.count("link", not _value(element, "anchor"))
                    self._inside(element)
                case "oMath" | "oMathPara":
                    current.words += (str(part) for part in element.itertext())
                case _ if name not in _PASSED:
                    self._inside(element)

    def _note_change(self, element: Element) -> None:
        """Takes the author of an element if it is a tracked change."""
        if _name(element) in _CHANGES:
            self.current.note_change(_value(element, "date"), _value(element, "author"))

    def _take_note(self, notes: dict[str, Remark], element: Element) -> bool:
        """Takes the comment or note that an element refers to; False if it is not there, or was taken."""
        remark = notes.pop(_value(element, "id"), None)
        if remark is not None:
            self.current.remarks.append(remark)
        return remark is not None

    def _run(self, run: Element) -> None:
        current = self.current
        properties = run.find("{*}rPr")
        if _is_on(properties, "vanish"):
            current.has_hidden |= any(True for _ in run.iter("{*}t"))
            return
        before = len(current.words)
        self._pieces(run)
        named = _EMPHASIS.get(self.styles.get(_value_of(properties, "rStyle"), ""), "")
        signs = (sign for sign in ("b", "i") if sign == named or _is_on(properties, sign))
        current.slant(before, frozenset(signs))

    def _pieces(self, run: Element) -> None:  # noqa: C901, PLR0912 -- one case for each element
        current = self.current
        for element in run:
            match name := _name(element):
                case "t":
                    current.words.append(element.text or "")
                case "tab" | "ptab":
                    current.words.append(" ")
                case "cr":
                    current.words.append("\n")
                case "br" if _value(element, "type") in ("", "textWrapping"):
                    current.words.append("\n")
                case "noBreakHyphen":
                    current.words.append("\u2011")
                case "sym":
                    current.words.append(_symbol(_value(element, "char")))
                case "footnoteReference" | "endnoteReference":
                    notes = self.footnotes if name == "footnoteReference" else self.endnotes
                    self.findings.count("footnote", self._take_note(notes, element))
                case "commentReference":
                    self._take_note(self.comments, element)
                case "AlternateContent":
                    self._pieces(_choice(element))
                case _ if name in _PICTURES:
                    boxes = [
                        box for box in element.iter("{*}txbxContent") if not _is_within_box(box, element)
                    ]
                    current.boxes += boxes
                    self.findings.count("picture", not boxes)
                case "ruby" | "rubyBase":
                    self._inside(element)
                case _:
                    pass


def _name(element: Element) -> str:
    """Returns the local name of an element of a word processor's text; empty for comments of XML."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.removeprefix("{").partition("}")
    return name if space in _W or name in ("AlternateContent", "oMath", "oMathPara") else ""


def _value(element: Element, name: str) -> str:
    """Returns an attribute in any namespace of word processors; empty without it."""
    return next(
        (
            str(element.get(f"{{{space}}}{name}"))
            for space in _W
            if element.get(f"{{{space}}}{name}") is not None
        ),
        "",
    )


def _value_of(holder: Element | None, name: str) -> str:
    found = None if holder is None else holder.find(f"{{*}}{name}")
    return "" if found is None else _value(found, "val")


def _is_on(properties: Element | None, name: str) -> bool:
    found = None if properties is None else properties.find(f"{{*}}{name}")
    return found is not None and _value(found, "val") not in ("0", "false", "off")


def _twips(element: Element | None, *names: str) -> int:
    for name in names:
        value = "" if element is None else _value(element, name)
        if re.fullmatch(r"\d{1,6}", value):
            return int(value)
    return 0


def _choice(element: Element) -> Element:
    """Returns the newest form of what a document has in two forms, so that no words are read twice."""
    found = element.find("{*}Choice")
    return element if found is None else found


def _is_contents(element: Element) -> bool:
    gallery = element.find("{*}sdtPr/{*}docPartObj/{*}docPartGallery")
    return gallery is not None and _value(gallery, "val") == "Table of Contents"


def _is_within_box(box: Element, top: Element) -> bool:
    """True if the box is inside another, or in an older form of the same picture."""
    for holder in box.iterancestors():
        if holder is top:
            return False
        if isinstance(holder.tag, str) and holder.tag.endswith(("}txbxContent", "}Fallback")):
            return True
    return False


def _symbol(code: str) -> str:
    """Returns the sign with a code in hex; empty for none, or for half a sign."""
    if not re.fullmatch(r"[0-9A-Fa-f]{1,4}", code):
        return ""
    sign = chr(int(code, 16))
    return "" if unicodedata.category(sign) == "Cs" else sign


def _styles(root: Element | None) -> Iterator[tuple[str, str]]:
    """Yields ids and names of paragraph styles; a style made from a heading has the heading's name."""
    known = ("title", "epigraph", "pull quote")
    named: dict[str, str] = {}
    based: dict[str, str] = {}
    for style in () if root is None else root.iter("{*}style"):
        id_ = _value(style, "styleId")
        named[id_] = _value_of(style, "name").lower()
        based[id_] = _value_of(style, "basedOn")
    for id_, own in named.items():
        at, seen = id_, set[str]()
        while at in named and at not in seen:
            seen.add(at)
            if named[at] in known or re.fullmatch(r"heading [1-9]|toc \d", named[at]):
                break
            at = based[at]
        yield id_, named.get(at, own)


def _notes(root: Element | None, tag: str) -> Iterator[tuple[str, Remark]]:
    """Yields comments or footnotes by their ids."""
    for note in () if root is None else root.iter(f"{{*}}{tag}"):
        if _value(note, "type") in ("separator", "continuationSeparator", "continuationNotice"):
            continue
        lines = ("".join(_words_in(line)) for line in note.iter("{*}p"))
        if text := tidy("\n".join(lines)):
            yield _value(note, "id"), Remark(author_name(_value(note, "author")), text)


def _words_in(element: Element) -> Iterator[str]:
    for part in element.iter():
        if _name(part) == "t":
            yield part.text or ""
        elif _name(part) in ("br", "tab"):
            yield " "
