"""Markdown of a draft: CommonMark out, and what editors make of it back in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from retold.drafts.files.finding import Findings, check_number
from retold.drafts.files.kept_words import going, id_at, mark, place, title_of, worded
from retold.drafts.manuscript import BREAK, Coming, Manuscript, Remark, Returned
from retold.journal import marks
from retold.journal.encodings import with_line_feeds
from retold.journal.markup import words_of
from retold.journal.refused import Refused
from retold.journal.vocabulary.drafts import Sort
from retold.projections.texts import emphasis
from retold.projections.texts.markdown_escaping import emphasised, on_a_line

if TYPE_CHECKING:
    from markdown_it.token import Token

_DEEPEST: Final = 100
"""Nesting of quotations and lists; the parser drops what is deeper."""
_LONGEST: Final = 200_000
"""Letters of a paragraph; a whole chapter has 30,000."""
_MARKED_LINE: Final = re.compile(r"(?m)\n[ \t>]*(?:[-*+#]|[0-9]{1,9}[.)])")
"""Beginning of a line that may be a heading, a break or an item of a list: a paragraph of its own."""
_MOST_BRACKETS: Final = 1_000
"""Opening brackets and comments in a paragraph: the time the parser takes grows with their square."""
_LONGEST_HEADING: Final = 120
_DEEPEST_HEADING: Final = 6
_SET_APART: Final[dict[Sort, str]] = {"epigraph": "*", "pull-quote": "**"}
_COMMENT: Final = re.compile(r"<!--(?P<words>.*?)-->", re.DOTALL)
_TAG: Final = re.compile(r"</?(?P<name>[a-zA-Z][a-zA-Z0-9]*)")
_INLINE: Final = frozenset(
    {
        *(
            "a",
            "abbr",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "del",
            "em",
            "font",
            "i",
            "img",
            "ins",
            "kbd",
        ),
        *("mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u"),
    }
)
_EMPHASIS: Final = {"em": "em", "i": "em", "cite": "em", "strong": "strong", "b": "strong"}
_FOOTNOTE_SIGN: Final = re.compile(r"(?<!\\)\[\^(?P<name>[^\]\[\s]{1,100})\]")
_FOOTNOTE: Final = re.compile(
    r"(?m)^\[\^(?P<name>[^\]\[\s]{1,100})\]:(?P<words>[^\n]*(?:\n(?:[ \t]+\S[^\n]*|[^\s\[][^\n]*))*)\n*"
)
"""Footnote of many editors: the line of its words, and those that go on."""
_AS_TYPED: Final = {
    "footnote sign": _FOOTNOTE_SIGN,
    "struck": re.compile(r"(?<!\\)~~[^~\s\\][^~\n]*~~"),
    "typed table": re.compile(r"(?m)^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|"),
}
"""Signs of Markdown beside its standard, which stay in the text as they were typed."""
_HEADING: Final = re.compile(r"^#{1,6} \S", re.MULTILINE)
_LAST_LINE: Final = re.compile(r"^<!-- retold draft [^\n]{1,2100} -->\s*\Z", re.MULTILINE)
_FRONT: Final = re.compile(
    r"(?P<fence>---|\+\+\+)[ \t]*\n(?=[ \t]*[\w\"'-]+[ \t]*[:=])"
    r"(?:[^\n]*\n){1,500}?(?:(?P=fence)|\.\.\.)[ \t]*(?:\n|\Z)"
)


def written(manuscript: Manuscript, *, ids: bool) -> str:
    """Returns a manuscript as CommonMark whose last line names the draft; with `ids` blocks have theirs."""
    parts: list[str] = []
    if title := title_of(manuscript):
        parts.append(f"# {on_a_line(title)}")
    levels = {block.id: block.level for block in manuscript.blocks}
    for block in going(manuscript):
        hint = f" <!-- {place(block.id)} -->" if ids and block.id is not None else ""
        parts.append(_block(block, levels.get(block.id or 0, 1), hint))
    return "\n\n".join((*parts, f"<!-- {mark(manuscript)} -->")) + "\n"


def _block(block: Coming, level: int, hint: str) -> str:
    if block.sort == "break":
        return BREAK
    if block.sort == "heading":
        return f"{'#' * min(level + 1, _DEEPEST_HEADING)} {on_a_line(marks.plain(block.text))}{hint}"
    text = emphasised(emphasis.marked(worded(block))).replace("\n", "\\\n")
    if signs := _SET_APART.get(block.sort):
        return "\n".join(f"> {line}" for line in f"{signs}{text}{signs}{hint}".split("\n"))
    return text + hint


def read(file_name: str, text: str) -> Returned:
    """Returns the paragraphs of a Markdown file, without an editor's front matter.

    Lines that are wrapped are joined. Raises Refused for quotations or lists nested too deeply, and for a
    paragraph that is far too long or is all brackets.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- few verbs read a draft

    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST + 1}).disable("code")
    findings = Findings(file_name)
    text = _with_footnotes(with_line_feeds(text), findings)
    paragraphs = re.split(r"\n[ \t]*\n", text)
    check_number(file_name, len(paragraphs) + sum(1 for _ in _MARKED_LINE.finditer(text)))
    for paragraph in paragraphs:
        if len(paragraph) > _LONGEST or paragraph.count("[") + paragraph.count("<!") > _MOST_BRACKETS:
            raise Refused(
                f"{file_name} has a paragraph of more than {_LONGEST:,} letters, or with more than"
                f" {_MOST_BRACKETS:,} brackets: put an empty line between paragraphs."
            )
    front = _FRONT.match(text)
    tokens = parser.parse(text[front.end() :] if front else text)
    if any(token.level >= _DEEPEST for token in tokens):
        raise Refused(f"{file_name} has quotations or lists nested too deeply; write them as paragraphs.")
    _Reader(findings, tokens).read()
    return findings.returned()


def _with_footnotes(text: str, findings: Findings) -> str:
    """Returns a text whose footnotes are comments at their signs, which become remarks."""
    notes = {found["name"]: " ".join(found["words"].split()) for found in _FOOTNOTE.finditer(text)}
    if not notes:
        return text

    def comment(sign: re.Match[str]) -> str:
        words = notes.get(sign["name"], "").replace("--", "\u2013").replace(">", "")
        findings.count("footnote", bool(words))
        return f"<!-- {words} -->" if words else sign[0]

    return _FOOTNOTE_SIGN.sub(comment, _FOOTNOTE.sub("", text))


class _Reader:
    """One pass over the tokens of a document."""

    def __init__(self, findings: Findings, tokens: Sequence[Token]) -> None:
        self.findings = findings
        self.tokens = tokens
        self.quotations = 0
        self.lead: list[str] = []
        """Sign of the list item that begins here; one or none."""

    def read(self) -> None:
        """Takes every block of the document."""
        headings = [token for token in self.tokens if token.type == "heading_open" and token.tag == "h1"]
        title = headings[0] if len(headings) == 1 else None
        for at, token in enumerate(self.tokens):
            match token.type:
                case "blockquote_open":
                    self.quotations += 1
                case "blockquote_close":
                    self.quotations -= 1
                case "list_item_open":
                    self.lead = [f"{token.info}{token.markup} " if token.info else "- "]
                case "hr":
                    self.findings.add_break()
                case "fence":
                    self.findings.add("text", token.content)
                case "html_block":
                    self._html(token.content)
                case "inline":
                    self._inline(token, self.tokens[at - 1], title)
                case _:
                    pass

    def _html(self, content: str) -> None:
        for comment in _COMMENT.finditer(content):
            self.findings.comment(comment["words"])
        words = words_of(content)
        self.findings.count("picture", words.pictures)
        for line in words.marked.split("\n"):
            self.findings.add("text", line)

    def _inline(self, token: Token, opened: Token, title: Token | None) -> None:
        words = _Words(self.findings, token.children or ())
        lead = "".join(self.lead)
        self.lead = []
        if opened.type == "heading_open":
            self._heading(words, opened, is_title=opened is title)
            return
        sort: Sort = "text"
        if self.quotations:
            sort = words.set_apart
            self.findings.count("quotation", sort == "text")
        if sort == "text":
            self.findings.count("emphasis", words.loses_emphasis)
            for what, sign in _AS_TYPED.items():
                self.findings.count(what, len(sign.findall(token.content)))
        self.findings.count("item", bool(lead))
        self.findings.add(sort, lead + words.text if words.text.strip() else "", words.id, words.remarks)

    def _heading(self, words: _Words, opened: Token, *, is_title: bool) -> None:
        is_underlined = opened.markup in ("-", "=")
        if is_underlined and ("\n" in words.text or len(words.text) > _LONGEST_HEADING):
            self.findings.add("text", words.text, words.id, words.remarks)
            self.findings.add_break()
        elif is_title:
            self.findings.set_title(marks.plain(words.text))
            self.findings.remark(*words.remarks)
        else:
            self.findings.add("heading", words.text, words.id, words.remarks)


class _Words:
    """Words of one paragraph with their marks, and its other contents."""

    def __init__(self, findings: Findings, children: Sequence[Token]) -> None:
        self.id: int | None = None
        self.remarks: list[Remark] = []
        self._findings = findings
        self._depths = {"em": 0, "strong": 0}
        self._bare = {"em": False, "strong": False}
        """True for a sort of emphasis once a word was outside of it."""
        told = [
            marks.Run(part, self._depths["em"] > 0, self._depths["strong"] > 0)
            for token in children
            if (part := self._part(token))
        ]
        self.text = marks.written(told).strip()
        self.loses_emphasis = marks.is_lost(told, self.text)

    @property
    def set_apart(self) -> Sort:
        """Sort of a quotation: wholly in italics an epigraph, wholly in bold a pull quote, else text."""
        if not self._bare["em"]:
            return "epigraph"
        return "text" if self._bare["strong"] else "pull-quote"

    def _part(self, token: Token) -> str:  # noqa: PLR0911 -- one case for each sort of token
        match token.type:
            case "softbreak":
                return " "
            case "hardbreak":
                return "\n"
            case "em_open" | "strong_open" | "em_close" | "strong_close":
                self._depths[token.tag] += token.nesting
                return ""
            case "link_open":
                self._findings.count("link")
                return ""
            case "link_close":
                return ""
            case "image":
                self._findings.count("picture")
                return ""
            case "html_inline":
                return self._html(token.content)
            case _:
                return self._word(token.content)

    def _word(self, text: str) -> str:
        if text.strip():
            for sort, depth in self._depths.items():
                self._bare[sort] |= not depth
        return text

    def _html(self, content: str) -> str:
        if comment := _COMMENT.fullmatch(content):
            words = comment["words"].strip()
            if (id_ := id_at(words)) is not None:
                self.id = self.id or id_
            elif words:
                self.remarks.append(Remark("", words))
            return ""
        tag = _TAG.match(content)
        name = tag["name"].lower() if tag else ""
        if name == "br":
            return "\n"
        if name == "img":
            self._findings.count("picture")
        if (kind := _EMPHASIS.get(name)) is not None:
            self._depths[kind] = max(0, self._depths[kind] + (-1 if content.startswith("</") else 1))
        return "" if name in _INLINE else self._word(content)


def is_marked(text: str) -> bool:
    """True for a text whose last line names a draft as Markdown does."""
    return _LAST_LINE.search(text[-3000:]) is not None


def looks_so(text: str) -> bool:
    """True for a text that has headings of Markdown, which plain text seldom has."""
    return _HEADING.search(text) is not None
