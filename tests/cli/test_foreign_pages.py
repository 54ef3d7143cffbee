"""Pages in another language have no English words of Retold's own, in any format.

The table speaks Greek, and every phrase is in Cyrillic letters: what stands in Latin ones is nobody's phrase.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Final
from zipfile import ZipFile

import pytest
from PIL import Image
from pypdf import PdfReader

from retold.projections.prose.phrases import languages, table
from tests.cli.shell import Shell

EVENINGS: Final = Path(__file__).parents[1] / "data" / "greek.session"
HEAD: Final = """\
[language]
name = "Pseudo"
quotes = ["«", "»"]
spaced = ";:!?"
comma = "outside"
redacted = "[…]"
"""
NAMES: Final = {"Edgerunner", "Bruise", "mainline", "Diaspora", "SRD", "Mert", "Torun", "OGL"}
"""Names of games, of their authors and licences, and of the main line."""

CYRILLIC: Final = str.maketrans(
    ascii_lowercase + ascii_uppercase, "".join(map(chr, (*range(0x430, 0x44A), *range(0x410, 0x42A))))
)
_MARKUP: Final = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})")
_TEXT: Final = re.compile(r"([=!]= *)?('[^']*'|\"[^\"]*\")")
"""A text inside of markup; one that is compared stays."""

_READ_ALOUD: Final = {
    "alt",
    "title",
    "aria-label",
    "aria-valuetext",
    "placeholder",
    "data-none",
    "data-some",
    "data-many",
}
_BESIDE_TEXT: Final = re.compile(
    r"\A---\n.*?\n---\n|<!--.*?-->|!?\[\[[^|\]]*\||^[A-Z]\w+(?: \w+)?:|```text| \^[\w-]+$",
    re.DOTALL | re.MULTILINE,
)
"""Parts of a file format: properties, comments, links, ids of paragraphs, keywords of a title page."""


def in_cyrillic(phrase: str) -> str:
    """The phrase with every letter that it says itself in Cyrillic."""

    def worded(found: re.Match[str]) -> str:
        return found[0] if found[1] else found[0].translate(CYRILLIC)

    parts = _MARKUP.split(phrase)
    return "".join(
        _TEXT.sub(worded, part) if i % 2 else part.translate(CYRILLIC) for i, part in enumerate(parts)
    )


def language_file() -> str:
    """A language as a translator writes it."""
    lines = [HEAD]
    for variant in ("", *languages.VARIANTS):
        for key, phrase in table(variant).items():
            section, _, name = f"{variant}.{key}".strip(".").rpartition(".")
            lines.append(f"[{section}]" if f"[{section}]" not in lines else "")
            words = json.dumps(in_cyrillic(phrase), ensure_ascii=False)
            lines.append(f"{json.dumps(name)} = {words}")
    return "\n".join(lines)


class Page(HTMLParser):
    """What a page shows and reads aloud, and the languages that it says it is in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.langs: set[str | None] = set()
        self._hidden = False
        self._data = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._data = given.get("id") == "words"
        self._hidden = tag in ("script", "style", "w:instrtext")
        self.langs |= {value for name, value in attrs if name in ("lang", "xml:lang")}
        self.texts += (value or "" for name, value in attrs if name in _READ_ALOUD)
        if given.get("name") == "description" or "title" in (given.get("property") or ""):
            self.texts.append(given.get("content") or "")

    def handle_endtag(self, _tag: str) -> None:
        self._hidden = self._data = False

    def handle_data(self, data: str) -> None:
        if self._data:
            self.texts += strings(json.loads(data))
        elif not self._hidden:
            self.texts.append(data)


def strings(value: object) -> Iterator[str]:
    """The texts in JSON values, without the gaps of phrases."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)
    elif isinstance(value, str):
        yield re.sub(r"\{\w+\}", "", value)


def english(*texts: str) -> set[str]:
    """Words in Latin letters; a session's id, as `s1`, is none."""
    return set(re.findall(r"[A-Za-z]{2,}", " ".join(texts))) - NAMES


@pytest.fixture
def greek(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell with these evenings, and a language that is only Cyrillic letters."""
    (shell.folder / "phrases").mkdir()
    (shell.folder / "phrases" / "ru.toml").write_text(language_file(), "utf-8")
    monkeypatch.setattr(languages, "_HERE", shell.folder / "phrases")
    Image.new("RGB", (8, 8), "navy").save(shell.folder / "sea.png")
    shell.done("new", "greek")
    shell.play(EVENINGS.read_text("utf-8"), "greek.retold")
    monkeypatch.setenv("RETOLD_CAMPAIGN", str(shell.folder / "greek.retold"))
    monkeypatch.setenv("RETOLD_LANG", "ru")
    return shell


def test_no_format_has_an_english_word_of_our_own(greek: Shell) -> None:
    found: dict[str, set[str]] = {}

    def look(name: str, *texts: str) -> None:
        found[name] = english(*(_BESIDE_TEXT.sub(" ", text) for text in texts))

    def look_at(name: str, page: str, langs: frozenset[str] = frozenset({"ru"})) -> None:
        told = Page(page)
        assert told.langs == langs, name
        found[name] = english(*told.texts)

    first = ("export", "--session", "1", "--for", "gm", "--mechanics", "none")
    for voice, form in (("report", "md"), ("script", "txt"), ("report", "fountain"), ("prose", "obsidian")):
        look(f"{form} by {voice}", greek.done(*first, "--voice", voice, "-f", form))
    look_at("fragment", greek.done(*first, "-f", "fragment"), frozenset())
    look_at("html", greek.done(*first, "-f", "html", "--variations"))
    look_at("replay", greek.done(*first, "-f", "replay"))
    look("recap", greek.done("recap", "s1..s2", "--for", "gm"))
    look("diff", greek.done("diff", "mainline", "άλλη", "--story", "--mechanics", "none"))
    look_at(
        "card", greek.done("export", "--moment", "27", "--mechanics", "none", "-f", "html", "--for", "gm")
    )
    greek.done("draft", "new", "πρώτη", "--for", "gm")
    look("draft", greek.done("draft", "send", "πρώτη"))
    greek.done("draft", "send", "πρώτη", "-o", "draft.html")
    look_at("draft as html", (greek.folder / "draft.html").read_text("utf-8"))

    for form in ("epub", "docx"):
        greek.done("export", "--book", "-f", form, "-o", f"book.{form}", "--mechanics", "none", "--for", "gm")
        for name, page in pages_in(greek.folder / f"book.{form}"):
            look_at(f"{form} {name}", page, frozenset({"ru"} if form == "epub" else ()))
    greek.done("export", "--book", "-f", "pdf", "-o", "book.pdf", "--mechanics", "none", "--for", "gm")
    with PdfReader(greek.folder / "book.pdf") as pdf:
        look("pdf", *(page.extract_text() for page in pdf.pages))
    for kind in ("site", "vault"):
        greek.done("export", f"--{kind}", kind, "--mechanics", "none", "--for", "gm")
        for path in sorted((greek.folder / kind).rglob("*.*")):
            if path.suffix == ".html":
                look_at(f"site {path.name}", path.read_text("utf-8"))
            elif path.suffix == ".md":
                look(f"vault {path.name}", path.read_text("utf-8"))

    assert {"epub book/chapter-1.xhtml", "site person.html", "vault Session 1.md"} <= found.keys()
    leaks = {name: sorted(words) for name, words in found.items() if words}
    assert leaks == {}


def pages_in(book: Path) -> Iterator[tuple[str, str]]:
    """The texts of an e-book or of a Word document, by name."""
    with ZipFile(book) as archive:
        for name in archive.namelist():
            if name.endswith(".xhtml") or name == "word/document.xml":
                yield name, archive.read(name).decode()
