"""The pages of a vault: what is known of each, with links, and every session as it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from journal.vocabulary.base import GM
from projections.dossiers import Dossiers, Line, MatterKnown, PersonKnown, heading, sections
from projections.exports.layout import Place
from projections.exports.markdown import front_matter, on_a_line
from projections.pages import Transcript
from projections.vault.files import folded, stem
from projections.vault.linking import Linked, Linker, link

FOLDERS: Final = {"person": "People", "place": "Places", "thread": "Threads", "thing": "Things"}
"""Where the pages of each sort lie."""

SESSIONS: Final = "Sessions"


class Page(NamedTuple):
    """A page: its file, as a path in the vault without an ending, and its Markdown."""

    path: str
    text: str


def pages_of(
    dossiers: Dossiers, told: Iterable[Transcript], mechanics: str, campaign: str | None
) -> Iterator[Page]:
    """Every page, those of people first; `told` are the sessions, in order."""
    known, place = dict(_placed(dossiers)), Place(mechanics)
    linker = Linker({path: one.names for path, one in known.items()})
    transcripts = {number: one for one in told if (number := one.head.session) is not None}
    for path, one in known.items():
        about = _about(one, linker.on(path), transcripts, campaign, numbers=place is not Place.NONE)
        yield Page(path, "\n".join(about) + "\n")
    for number, transcript in transcripts.items():
        yield Page(_session(number), _of_session(transcript, place, linker))


def _placed(dossiers: Dossiers) -> Iterator[tuple[str, PersonKnown | MatterKnown]]:
    """Everybody and everything that has a name, each by its page."""
    taken: dict[str, set[str]] = {folder: set() for folder in FOLDERS.values()}
    everything: list[PersonKnown | MatterKnown] = []
    everything += (dossiers.person(one) for one in dossiers.people if one != GM)
    everything += map(dossiers.matter, dossiers.matters)
    for one in everything:
        if one.name is not None:
            folder = FOLDERS[one.kind]
            name = stem(one.name, taken[folder])
            taken[folder].add(folded(name))
            yield f"{folder}/{name}", one


def _session(number: int) -> str:
    return f"{SESSIONS}/Session {number}"


def _about(
    one: PersonKnown | MatterKnown,
    linker: Linker,
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


def _line(line: Line, linker: Linker, told: Mapping[int, Transcript]) -> str:
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


def _of_session(transcript: Transcript, place: Place, linker: Linker) -> str:
    shown = (transcript.without_mechanics() if place is Place.NONE else transcript).running()
    return Linked(place, shown.phrases, linker).text(shown)
