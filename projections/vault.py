"""A folder of linked Markdown pages: for everybody, every place, thread and thing, and every session."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from journal.vocabulary.base import GM
from projections import safe
from projections.document import Transcript
from projections.dossiers import DossierLine, Dossiers, MatterKnown, PersonKnown, heading, sections
from projections.exports.markdown import MarkdownWriter, front_matter, in_paragraph
from projections.exports.page_elements import MechanicsPlace
from projections.markdown_escaping import on_a_line
from projections.mentions import Names
from projections.prose.phrases import Phrases
from projections.safe import widened

__all__ = ["FOLDERS", "SESSIONS", "VaultPage", "caseless", "pages_of"]


_BEGINS, _ENDS = "\ue000", "\ue001"
"""Private signs that stand around a link's number while a text is escaped, which leaves them alone."""

_NUMBERED: Final = re.compile(f"{_BEGINS}([0-9]+){_ENDS}")
_NOT_SHOWN: Final = re.compile(r"[\[\]|\\*`<>$~%]")
"""What would end a link, or be obeyed within it: there is no way to escape it there."""


class VaultLinker:
    """Writes texts with a link at each name that has a page."""

    def __init__(self, called: Mapping[str, Iterable[str]], own: str | None = None) -> None:
        """`called` has the names each page is known by; `own` is the page that is written, not linked."""
        self._names = Names(called)
        self._called = called
        self._own = own

    def on(self, page: str) -> VaultLinker:
        """The same for writing that page."""
        return VaultLinker(self._called, page)

    def line(self, text: str) -> str:
        """A text on one line."""
        return self._linked(text, on_a_line)

    def words(self, text: str) -> str:
        """A text in one paragraph."""
        return self._linked(text, in_paragraph)

    def _linked(self, text: str, escaped: Callable[[str], str]) -> str:
        if _BEGINS in text or _ENDS in text:
            return escaped(text)
        parts: list[str] = []
        links: list[str] = []
        end = 0
        for mention in self._names.found(text):
            if mention.of != self._own:
                parts += (text[end : mention.start], f"{_BEGINS}{len(links)}{_ENDS}")
                links.append(link(mention.of, text[mention.start : mention.end]))
                end = mention.end
        return _NUMBERED.sub(lambda found: links[int(found[1])], escaped("".join((*parts, text[end:]))))


def link(page: str, shown: str) -> str:
    """A link to a page, which a reader sees as `shown`; what would be obeyed is written in full width."""
    return f"[[{page}|{_NOT_SHOWN.sub(widened, _on_one_line(shown))}]]"


def _on_one_line(text: str) -> str:
    """A text without line ends, and without what a terminal would obey."""
    return " ".join(safe.line(text.replace("\n", " ")).split())


class Linked(MarkdownWriter):
    """Writes a session with links."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases, linker: VaultLinker) -> None:
        super().__init__(place, phrases)
        self.words = linker.words
        self.named = linker.line


_OBEYED: Final = re.compile(r'[\\/:*?"<>|#^\[\]%`\s]+')
"""What a file system, a link or a shell would obey, and blanks of every kind."""

_DEVICES: Final = re.compile(
    r"(?i)(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])( *\..*)?"
)
"""Names that are no files on Windows, whatever stands after a dot; a raised digit counts as one there."""

MOST_BYTES: Final = 120
"""How long a name may be in UTF-8, so that its folder has room beside it."""


def file_stem(name: str, taken: Container[str] = ()) -> str:
    """A file's name without its ending, for somebody or something of that name.

    `taken` are the names that others have, folded (`folded`): it is told apart from these by a number.
    """
    plain = _OBEYED.sub(" ", safe.line(unicodedata.normalize("NFC", name))).strip(" .").lstrip("-. ")
    plain = plain.encode()[:MOST_BYTES].decode(errors="ignore").strip(" .") or "unnamed"
    if device := _DEVICES.fullmatch(plain):
        plain = f"{device[1]} (name){device[2] or ''}"
    number, found = 1, plain
    while caseless(found) in taken:
        number += 1
        found = f"{plain} {number}"
    return found


def caseless(stem: str) -> str:
    """How a file system that knows no case has it."""
    return unicodedata.normalize("NFC", stem.casefold())


FOLDERS: Final = {"person": "People", "place": "Places", "thread": "Threads", "thing": "Things"}
"""Where the pages of each sort lie."""

SESSIONS: Final = "Sessions"


class VaultPage(NamedTuple):
    """A page: its file, as a path in the vault without an ending, and its Markdown."""

    path: str
    text: str


def pages_of(
    dossiers: Dossiers, told: Iterable[Transcript], mechanics: str, campaign: str | None
) -> Iterator[VaultPage]:
    """Every page, those of people first; `told` are the sessions, in order."""
    known, place = dict(_placed(dossiers)), MechanicsPlace(mechanics)
    linker = VaultLinker({path: one.names for path, one in known.items()})
    transcripts = {number: one for one in told if (number := one.head.session) is not None}
    for path, one in known.items():
        about = _about(one, linker.on(path), transcripts, campaign, numbers=place is not MechanicsPlace.NONE)
        yield VaultPage(path, "\n".join(about) + "\n")
    for number, transcript in transcripts.items():
        yield VaultPage(_session(number), _of_session(transcript, place, linker))


def _placed(dossiers: Dossiers) -> Iterator[tuple[str, PersonKnown | MatterKnown]]:
    """Everybody and everything that has a name, each by its page."""
    taken: dict[str, set[str]] = {folder: set() for folder in FOLDERS.values()}
    everything: list[PersonKnown | MatterKnown] = []
    everything += (dossiers.person(one) for one in dossiers.people if one != GM)
    everything += map(dossiers.matter, dossiers.matters)
    for one in everything:
        if one.name is not None:
            folder = FOLDERS[one.kind]
            name = file_stem(one.name, taken[folder])
            taken[folder].add(caseless(name))
            yield f"{folder}/{name}", one


def _session(number: int) -> str:
    return f"{SESSIONS}/Session {number}"


def _about(
    one: PersonKnown | MatterKnown,
    linker: VaultLinker,
    told: Mapping[int, Transcript],
    campaign: str | None,
    *,
    numbers: bool,
) -> Iterator[str]:
    yield from _properties(one, campaign)
    yield from (f"# {on_a_line(one.called)}", "", f"*{linker.line(heading(one))}*", "")
    for title, lines in sections(one, numbers=numbers):
        yield from (f"## {on_a_line(title)}", "")
        yield from (f"- {_line(line, linker, told)}" for line in lines)
        yield ""


def _line(line: DossierLine, linker: VaultLinker, told: Mapping[int, Transcript]) -> str:
    """A line of a dossier; the session it begins with is a link, where there is a page of it."""
    if line.session is None or line.session not in told:
        return linker.line(line.text)
    begun = f"s{line.session}"
    return f"{link(_session(line.session), begun)} {linker.line(line.text.removeprefix(begun).lstrip())}"


def _properties(one: PersonKnown | MatterKnown, campaign: str | None) -> Iterator[str]:
    pairs: dict[str, object] = {
        "campaign": campaign,
        "sort": one.kind,
        "aliases": list(dict.fromkeys(one.names)),
        "players": [player.name for player in one.played_by] if isinstance(one, PersonKnown) else [],
        "closed": one.closed is not None if isinstance(one, MatterKnown) else None,
    }
    yield from front_matter(pairs)


def _of_session(transcript: Transcript, place: MechanicsPlace, linker: VaultLinker) -> str:
    shown = (transcript.without_mechanics() if place is MechanicsPlace.NONE else transcript).running()
    return Linked(place, shown.phrases, linker).text(shown)
