"""HTML of a draft: a clean page out, and the pages that word processors save back in."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from retold.drafts.files.finding import Findings, check_number
from retold.drafts.files.kept_words import going, id_at, mark, place, tidy, title_of, worded
from retold.drafts.manuscript import Coming, Manuscript, Remark, Returned
from retold.journal import marks
from retold.journal.extras import Extra
from retold.journal.refused import Refused
from retold.journal.vocabulary.drafts import Sort
from retold.projections.texts import emphasis, line_ends

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DEEPEST_HEADING: Final = 6
_SET_APART: Final[dict[Sort, str]] = {"epigraph": "em", "pull-quote": "strong"}
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS: Final = _HEADINGS | frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "legend", "li"),
        *("main", "menu", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"),
    }
)
_SILENT: Final = frozenset(
    {
        *("applet", "audio", "button", "canvas", "datalist", "head", "iframe", "input", "noscript", "object"),
        *("option", "script", "select", "style", "template", "textarea", "title", "video"),
    }
)
_STRUCK: Final = frozenset({"del"})
_EMPHASIS: Final = frozenset({"b", "cite", "em", "i", "strong", "u", "s", "strike", "mark"})
_SLANTED: Final = re.compile(r"font-style\s*:\s*italic")
_BOLD: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)")
_HIDDEN: Final = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden")
_SPACES: Final = re.compile("[ \t\n\r\f]+")
_BEFORE: Final = r"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*){0,9}"
_PAGE: Final = re.compile(_BEFORE + r"<(?:!doctype html|html|head|body)[\s>]", re.IGNORECASE | re.DOTALL)
_PIECE: Final = re.compile(r"\s*<(?:h[1-6]|p|div|span|b|meta)[\s>]", re.IGNORECASE)
_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)


def written(manuscript: Manuscript, *, ids: bool) -> str:
    """Returns a manuscript as an HTML page of plain elements, whose last comment names the draft."""
    title = title_of(manuscript)
    levels = {block.id: block.level for block in manuscript.blocks}
    parts = [f"<h1>{_shown(title)}</h1>"] if title else []
    for block in going(manuscript):
        at = f' id="{place(block.id)}"' if ids and block.id is not None else ""
        parts.append(_block(block, levels.get(block.id or 0, 1), at))
    head = f'<meta charset="utf-8">\n<title>{_shown(title or manuscript.name)}</title>'
    body = "\n".join((*parts, f"<!-- {mark(manuscript)} -->"))
    lang = escape(manuscript.lang)
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'
    )


def _block(block: Coming, level: int, at: str) -> str:
    if block.sort == "break":
        return f"<hr{at}>"
    if block.sort == "heading":
        tag = f"h{min(level + 1, _DEEPEST_HEADING)}"
        return f"<{tag}{at}>{_shown(marks.plain(block.text))}</{tag}>"
    text = emphasis.shown(_shown(emphasis.marked(worded(block))), emphasis.HTML).replace("\n", "<br>\n")
    if tag := _SET_APART.get(block.sort, ""):
        return f"<blockquote><p{at}><{tag}>{text}</{tag}></p></blockquote>"
    return f"<p{at}>{text}</p>"


def _shown(text: str) -> str:
    return escape(text, quote=False)


def charset(data: bytes) -> str:
    """Returns the encoding that a page names for itself; empty if it names none."""
    found = _CHARSET.search(data, 0, 4096)
    return found[1].decode("ascii", "replace") if found else ""


def is_page(text: str) -> bool:
    """True for a text that begins as a whole page."""
    return _PAGE.match(text) is not None


def looks_so(text: str) -> bool:
    """True for a text that begins with an element of a page."""
    return _PIECE.match(text) is not None


def read(file_name: str, text: str) -> Returned:
    """Returns the paragraphs of an HTML page, as a browser shows them; nothing in it is run or fetched.

    Comments of Google Docs and Word become remarks. Raises Refused without the library that reads HTML, and
    for a page nested too deeply.
    """
    Extra("lxml", "lxml.etree", "docx").load("HTML")
    from lxml import etree  # noqa: PLC0415 -- an extra

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None
    if any(
        "depth" in error.message.lower()
        or "too large" in error.message.lower()
        or "too long" in error.message.lower()
        for error in parser.error_log
    ):
        raise Refused(f"{file_name} is nested too deeply to be read; save it again from your editor.")
    findings = Findings(file_name)
    if root is not None:
        blocks = sum(1 for _ in root.iter(*_BLOCKS))
        check_number(file_name, blocks // 2)  # a paragraph may stand in a box of its own
        _Reader(findings, root).read()
    return findings.returned()


class _Reader:
    """One pass over the elements of a page."""

    def __init__(self, findings: Findings, root: Element) -> None:
        self.findings = findings
        self.root = root
        self.text: list[marks.Run] = []
        self.sort: Sort = "text"
        self.is_title = self.is_quoted = self.is_code = False
        self.id: int | None = None
        self.lead = ""
        self.remarks: list[Remark] = []
        self.slants: set[str] = set()
        """Sorts of emphasis that stand in this paragraph; `plain` for words outside of any."""
        self.comments = _comments_of_google(root)
        tops = [element for element in root.iter("h1") if "".join(element.itertext()).strip()]
        self.top = tops[0] if len(tops) == 1 else None

    def read(self) -> None:
        """Takes every paragraph of the page."""
        self._element(self.root, frozenset())
        self._flush()

    def _flush(self) -> None:
        text = "".join(run.text for run in self.text)
        is_empty = not text.strip()
        sort = self.sort
        if sort == "text" and self.is_quoted and not is_empty:
            sort = {frozenset({"em"}): "epigraph", frozenset({"strong"}): "pull-quote"}.get(
                frozenset(self.slants), "text"
            )  # type: ignore[assignment]
            self.findings.count("quotation", sort == "text")
        if sort == "text" and not is_empty:
            text = marks.written(self.text)
            self.findings.count("emphasis", marks.is_lost(self.text, text))
        else:
            text = marks.as_words(text)
        if self.is_title and not is_empty:
            self.findings.set_title(marks.plain(text))
            self.findings.remark(*self.remarks)
        elif sort == "text":
            for number, part in enumerate(line_ends.paragraphs(text.strip())):
                lead = "" if number or is_empty else self.lead
                self.findings.count("item", bool(lead))
                self.findings.add(
                    "text", lead + part, None if number else self.id, () if number else self.remarks
                )
        else:
            self.findings.add(sort, text, self.id, self.remarks)
        if not is_empty:
            self.id, self.lead = None, ""
        self.remarks = []
        self.text.clear()
        self.slants.clear()

    def _element(self, element: Element, slants: frozenset[str]) -> None:  # noqa: C901, PLR0912 -- one case for each
        tag = element.tag
        if not isinstance(tag, str):  # a comment
            words = (element.text or "").strip()
            if not words.startswith("[if") and not words.endswith("[endif]"):
                if any(run.text.strip() for run in self.text):
                    self._comment_inside(words)
                else:
                    self.findings.comment(words)
            return
        tag = tag.rpartition(":")[2] if tag.startswith(("o:", "w:", "v:")) else tag
        style = (element.get("style") or "").lower()
        classes = (element.get("class") or "").split()
        if self._is_passed_over(element, tag, style, classes):
            return
        slants |= _slants_of(tag, style)
        match tag:
            case "br":
                self.text.append(marks.Run("\n", "em" in slants, "strong" in slants))
                return
            case "hr":
                self._flush()
                self.findings.add_break(id_at(element.get("id") or ""))
                return
            case "img" | "svg" | "imagedata":
                self.findings.count("picture")
                return
            case "a" if (element.get("href") or "").startswith(("http:", "https:", "mailto:")):
                self.findings.count("link")
            case "table":
                self.findings.count("table")
            case "td" | "th" if element.getprevious() is not None:
                self.text.append(marks.Run(" "))
            case _:
                pass
        before = self.sort, self.is_title, self.is_quoted, self.is_code
        if tag in _BLOCKS:
            self._flush()
            self._begin(element, tag, classes)
        elif (id_ := id_at(element.get("id") or element.get("name") or "")) is not None:
            self.id = self.id or id_
        self._children(element, slants)
        if tag in _BLOCKS:
            self._flush()
            self.sort, self.is_title, self.is_quoted, self.is_code = before

    def _comment_inside(self, words: str) -> None:
        if tidy(words):
            self.remarks.append(Remark("", tidy(words)))

    def _begin(self, element: Element, tag: str, classes: list[str]) -> None:
        self.id = id_at(element.get("id") or "") or self.id
        if tag in _HEADINGS:
            self.sort = "heading"
        self.is_title |= element is self.top or (tag == "p" and bool({"title", "MsoTitle"} & {*classes}))
        if self.is_title:
            self.sort = "heading"
        self.is_quoted |= tag == "blockquote"
        self.is_code |= tag == "pre"
        if tag == "li":
            parent = element.getparent()
            siblings = [] if parent is None or parent.tag != "ol" else parent.findall("li")
            self.lead = f"{siblings.index(element) + 1}. " if len(siblings) in range(1, 1000) else "- "

    def _children(self, element: Element, slants: frozenset[str]) -> None:
        self._words(element.text, slants)
        for child in element:
            self._element(child, slants)
            self._words(child.tail, slants)

    def _words(self, text: str | None, slants: frozenset[str]) -> None:
        if not text:
            return
        if text.strip():
            self.slants |= slants or {"plain"}
        words = text if self.is_code else _SPACES.sub(" ", text)
        self.text.append(marks.Run(words, "em" in slants, "strong" in slants))

    def _is_passed_over(self, element: Element, tag: str, style: str, classes: list[str]) -> bool:  # noqa: PLR0911
        """True for an element whose words are not of the text; comments and footnotes become remarks."""
        if tag in _SILENT:
            self.findings.count(
                "control",
                tag in ("button", "input", "select", "textarea", "object", "iframe", "audio", "video"),
            )
            return True
        if tag in _STRUCK or "msoDel" in classes:
            return True
        if "mso-element:comment" in style.replace(" ", ""):  # one comment, or the list of them
            self.findings.remark(Remark("", _text_of(element)))
            return True
        if _HIDDEN.search(style):
            self.findings.count("hidden", bool(_text_of(element)))
            return True
        if tag == "a":
            return self._is_reference(element)
        if tag in ("div", "p"):
            first = next(element.iter("a"), None)
            if first is not None and re.fullmatch(r"(?:cmnt|ftnt)\d+", first.get("id") or ""):
                return _text_of(element) != "" and (first.get("href") or "").startswith(
                    ("#cmnt_ref", "#ftnt_ref")
                )
        return False

    def _is_reference(self, element: Element) -> bool:
        """True for a link of Google Docs to a comment or a footnote, which becomes a remark here."""
        found = re.fullmatch(r"#((?:cmnt|ftnt)\d+)", element.get("href") or "")
        if found is None or found[1] not in self.comments:
            return False
        self.findings.count("footnote", found[1].startswith("ftnt"))
        self.remarks.append(Remark("", self.comments[found[1]]))
        return True


def _comments_of_google(root: Element) -> dict[str, str]:
    """Returns comments and footnotes of a page saved by Google Docs, by the ids of their anchors."""
    found: dict[str, str] = {}
    for anchor in root.iter("a"):
        id_ = anchor.get("id") or ""
        if re.fullmatch(r"(?:cmnt|ftnt)\d+", id_):
            holder = next((division for division in anchor.iterancestors("div")), None)
            holder = holder if holder is not None else anchor.getparent()
            if holder is not None:
                sign = "".join(anchor.itertext()).strip()
                found[id_] = _text_of(holder).removeprefix(sign).strip()
    return {id_: text for id_, text in found.items() if text}


def _slants_of(tag: str, style: str) -> frozenset[str]:
    found = set()
    if tag in ("em", "i", "cite") or _SLANTED.search(style):
        found.add("em")
    is_bold = tag in ("strong", "b") and "font-weight:normal" not in style.replace(" ", "")
    if is_bold or _BOLD.search(style):
        found.add("strong")
    return frozenset(found)


def _text_of(element: Element) -> str:
    return tidy(_SPACES.sub(" ", " ".join(str(part) for part in element.itertext())))
