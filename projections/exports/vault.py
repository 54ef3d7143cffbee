"""Vault: a folder of linked Markdown pages for people, places, threads, things and sessions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from retold.journal.file_names import DEVICES
from retold.projections.dossiers import DossierLine, Dossiers, MatterKnown, PersonKnown, heading, sections
from retold.projections.exports import blocks as b
from retold.projections.exports.markdown import ObsidianWriter, front_matter, in_paragraphs
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose.phrases import ENGLISH, Phrases
from retold.projections.story.document import Transcript
from retold.projections.texts import safe
from retold.projections.texts.markdown_escaping import on_a_line
from retold.projections.texts.safe import widened
from retold.projections.views.mentions import Names

__all__ = ["FOLDERS", "PICTURES", "SESSIONS", "VaultPage", "VaultPicture", "caseless", "pages_of"]


_BEGINS, _ENDS = "\ue000", "\ue001"
"""Private characters around a link's number, which escaping leaves alone."""

_NUMBERED: Final = re.compile(f"{_BEGINS}([0-9]+){_ENDS}")
_NOT_SHOWN: Final = re.compile(r"[\[\]|\\*`<>$~%]")
"""Characters that end a link or act inside it, where they cannot be escaped."""


class VaultLinker:
    """Writer of Markdown text in which each name is a link to its page."""

    def __init__(self, called: Mapping[str, Iterable[str]], own: str | None = None) -> None:
        """Takes the names that lead to each page (`called`), and the current page (`own`), never linked."""
        self._names = Names(called)
        self._called = called
        self._own = own

    def on(self, page: str) -> VaultLinker:
        """Returns a linker for writing the page `page`, which makes no links to that page."""
        return VaultLinker(self._called, page)

    def line(self, text: str) -> str:
        """Returns text joined to one line and escaped, with links at names."""
        return self._linked(text, on_a_line)

    def words(self, text: str) -> str:
        """Returns text as escaped paragraphs, with links at names."""
        return self._linked(text, in_paragraphs)

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
    """Returns a wiki link, `[[page|shown]]`; signs that would end it are written in full width."""
    return f"[[{page}|{_NOT_SHOWN.sub(widened, _on_one_line(shown))}]]"


def _on_one_line(text: str) -> str:
    return " ".join(safe.line(text.replace("\n", " ")).split())


class Linked(ObsidianWriter):
    """Markdown writer for a session's page in the vault, in which names are links."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases, linker: VaultLinker) -> None:
        super().__init__(place, phrases)
        self.words, self.named = linker.words, linker.line

    def block(self, block: b.Block) -> Iterable[str]:
        """Returns the Markdown lines of a block; a picture is shown from its file."""
        if not isinstance(block, b.Picture):
            return super().block(block)
        caption = (f"*{on_a_line(block.caption)}*", "") if block.caption else ()
        return f"!{link(f'{PICTURES}/{block.image.file}', block.image.alt)}", "", *caption


_OBEYED: Final = re.compile(r'[\\/:*?"<>|#^\[\]%`\s]+')
"""Characters special in file systems, links or shells, and blanks."""

MOST_BYTES: Final = 120
"""Most bytes of a file name, leaving room for its folder."""


def file_stem(name: str, taken: Container[str] = ()) -> str:
    """Returns the file name, without suffix, of a page about `name`.

    `taken` holds the names already used, as `caseless` gives them; a number distinguishes duplicates.
    """
    plain = _OBEYED.sub(" ", safe.line(unicodedata.normalize("NFC", name))).strip(" .").lstrip("-. ")
    plain = plain.encode()[:MOST_BYTES].decode(errors="ignore").strip(" .") or "unnamed"
    if device := re.fullmatch(DEVICES, plain):
        plain = f"{device[1]} (name){device[2] or ''}"
    number, found = 1, plain
    while caseless(found) in taken:
        number += 1
        found = f"{plain} {number}"
    return found


def caseless(stem: str) -> str:
    """Returns a file name in the form in which case-insensitive file systems compare it."""
    return unicodedata.normalize("NFC", stem.casefold())


FOLDERS: Final = {"person": "People", "place": "Places", "thread": "Threads", "thing": "Things"}
"""Folder of each sort's pages."""

SESSIONS: Final = "Sessions"
PICTURES: Final = "Pictures"


class VaultPicture(NamedTuple):
    """Picture file of a vault: path and bytes."""

    path: str
    data: bytes


class VaultPage(NamedTuple):
    """Page of a vault: path without suffix, and Markdown text."""

    path: str
    text: str


def pages_of(
    dossiers: Dossiers,
    told: Iterable[Transcript],
    mechanics: str,
    campaign: str | None,
    phrases: Phrases = ENGLISH,
) -> Iterator[VaultPage | VaultPicture]:
    """Yields every page of the vault, people first, then its pictures.

    `told` are the sessions' transcripts in order; `phrases` word the other pages.
    """
    known, place = dict(_placed(dossiers)), MechanicsPlace(mechanics)
    linker = VaultLinker({path: dossier.names for path, dossier in known.items()})
    transcripts = {
        number: transcript for transcript in told if (number := transcript.head.session) is not None
    }
    for path, dossier in known.items():
        with_numbers = place is not MechanicsPlace.NONE
        about = _about(dossier, linker.on(path), transcripts, campaign, phrases, numbers=with_numbers)
        yield VaultPage(path, "\n".join(about) + "\n")
    for number, transcript in transcripts.items():
        yield VaultPage(_session(number), _of_session(transcript, place, linker))
    images = {image.file: image for transcript in transcripts.values() for image in transcript.images()}
    for name, image in images.items():
        yield VaultPicture(f"{PICTURES}/{name}", image.data)


def _placed(dossiers: Dossiers) -> Iterator[tuple[str, PersonKnown | MatterKnown]]:
    """Yields (page path, dossier) for each named person, place, thread and thing."""
    taken: dict[str, set[str]] = {folder: set() for folder in FOLDERS.values()}
    for dossier in dossiers.named():
        folder = FOLDERS[dossier.kind]
        name = file_stem(dossier.called, taken[folder])
        taken[folder].add(caseless(name))
        yield f"{folder}/{name}", dossier


def _session(number: int) -> str:
    return f"{SESSIONS}/Session {number}"


def _about(
    dossier: PersonKnown | MatterKnown,
    linker: VaultLinker,
    told: Mapping[int, Transcript],
    campaign: str | None,
    phrases: Phrases,
    *,
    numbers: bool,
) -> Iterator[str]:
    yield from _properties(dossier, campaign)
    yield from (f"# {on_a_line(dossier.called)}", "", f"*{linker.line(heading(dossier, phrases))}*", "")
    for title, lines in sections(dossier, numbers=numbers, phrases=phrases):
        yield from (f"## {on_a_line(title)}", "")
        yield from (f"- {_line(line, linker, told)}" for line in lines)
        yield ""


def _line(line: DossierLine, linker: VaultLinker, told: Mapping[int, Transcript]) -> str:
    """Returns a dossier's text line with links; a leading session number links to that session's page."""
    text = line.text.replace("[x]", "●").replace("[ ]", "○")
    if line.session is None or line.session not in told:
        return linker.line(text)
    begun = f"s{line.session}"
    return f"{link(_session(line.session), begun)} {linker.line(text.removeprefix(begun).lstrip())}"


def _properties(dossier: PersonKnown | MatterKnown, campaign: str | None) -> Iterator[str]:
    pairs: dict[str, object] = {
        "campaign": campaign,
        "sort": dossier.kind,
        "aliases": list(dict.fromkeys(dossier.names)),
        "players": [player.name for player in dossier.played_by] if isinstance(dossier, PersonKnown) else [],
        "closed": dossier.closed is not None if isinstance(dossier, MatterKnown) else None,
    }
    yield from front_matter(pairs)


def _of_session(transcript: Transcript, place: MechanicsPlace, linker: VaultLinker) -> str:
    shown = place.shown(transcript).running()
    return Linked(place, shown.phrases, linker).text(shown)
