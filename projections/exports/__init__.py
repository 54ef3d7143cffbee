"""Export formats by name (`markdown`, `pdf`, …); function `export` renders a transcript in one format.

"Mechanics" are the dice, cards and numbers behind the story; formats can place them in the text, in notes
or nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from retold.journal.extras import Extra
from retold.journal.features import features, load
from retold.journal.refused import Refused
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose.phrases import Phrases
from retold.projections.story.document import Transcript

if TYPE_CHECKING:
    from retold.projections.exports.spool import BlockWriter, Spool
    from retold.projections.reading import LineView

TYPST: Final = Extra("typst", "typst", "pdf")
"""Typesets PDF, maps and PNG cards."""


BLEED: Final = "-bleed"
"""Ending of a size of page that is printed beyond its edges and cut."""

PAPERS: Final = ("a5", "half-letter", f"a5{BLEED}", f"half-letter{BLEED}")
"""Sizes of page that a PDF can have; the first is the default."""

MECHANICS = tuple(MechanicsPlace)
"""Possible places for mechanics."""


def _later(module: str, name: str) -> Callable[..., Any]:
    """Returns a function that imports the format's module when called, then calls its function `name`."""

    def found(*given: object) -> Any:  # noqa: ANN401 -- whatever that gives
        return getattr(import_module(f"{__name__}.{module}"), name)(*given)

    return found


class Export(NamedTuple):
    """An export format. `folds` says how it shows folded mechanics, `needs` is the extra it requires.

    Mechanics are the dice, cards and numbers behind the story. `is_timed` marks subtitle formats, whose times
    follow a recording of the session.
    """

    name: str
    suffix: str
    media: str
    folds: str
    render: Callable[..., bytes]
    """Takes a transcript, the place of mechanics and, if the format has `papers`, the name of one."""
    needs: Extra | None = None
    is_timed: bool = False
    runs_on: bool = True
    """False if paragraphs are never joined, even where the voice joins them."""
    writer: Callable[[MechanicsPlace, Phrases], BlockWriter] | None = None
    """Writer for output scene by scene, if the format supports it."""
    is_replay: bool = False
    """True for replays, which need a transcript told with its replay."""
    tells_record: bool = False
    """True for formats that never have the words of a draft: subtitles, and notation."""
    voice: str = "report"
    """Default voice."""
    mechanics: MechanicsPlace | None = None
    """Default place of mechanics where no voice is named; None for the place that the voice has."""
    book: str | None = None
    """Format whose default voice and place of mechanics hold for a book."""
    papers: tuple[str, ...] = ()
    """Sizes of its pages; the first is the default, empty if it has none."""
    is_of_campaign: bool = False
    """True for a whole campaign, which `whole` makes; a feature has it (`Feature.exports`)."""

    @property
    def is_text(self) -> bool:
        """True if the format is readable text, which may be printed; False if it must be saved to a file."""
        return self.media.startswith("text/") or self.media == "application/json"

    def whole(self, reading: LineView, part: str | int | None, telling: object, mechanics: str) -> bytes:
        """Returns a whole campaign in this format, told by a `SessionTelling`; Refused for a part of it."""
        if part not in (None, "book"):
            raise Refused(f"{self.name} is the whole campaign: leave out --session and A..B.")
        return self.render(reading, telling, place_called(mechanics))

    def require(self) -> None:
        """Raises Refused if the package that this format needs cannot be loaded."""
        if self.needs is not None:
            self.needs.load(self.name.upper())


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT_MEDIA: Final = "application/vnd.oasis.opendocument.text"
_DOCX = Extra("python-docx", "docx", "docx")

_FOLDED_SMALL = "small, under the paragraph, run together"
_NOTATION = "lines of their own, as everywhere"


def _written(module: str, writer: str) -> dict[str, Any]:
    """Returns the `Export` arguments `render` and `writer`, given the name of a `BlockWriter` class."""
    made = _later(module, writer)
    return {"render": lambda told, place: made(place, told.phrases).text(told).encode(), "writer": made}


EXPORTS: Mapping[str, Export] = {
    export.name: export
    for export in (
        Export(
            *("markdown", ".md", "text/markdown", "a quotation under the paragraph"),
            **_written("markdown", "MarkdownWriter"),
        ),
        Export(
            *("obsidian", ".obsidian.md", "text/markdown", "a closed callout under the paragraph"),
            **_written("markdown", "ObsidianWriter"),
        ),
        Export(
            *("html", ".html", "text/html", "a mark in the margin that opens them under the paragraph"),
            _later("html", "render"),
        ),
        Export(
            *("fragment", ".fragment.html", "text/html", "a quotation under the paragraph"),
            **_written("fragment", "FragmentWriter"),
        ),
        Export(
            *("text", ".txt", "text/plain", "an indented block under the paragraph"),
            **_written("text", "TextWriter"),
        ),
        Export(
            *("json", ".json", "application/json", "with each paragraph, as everywhere"),
            _later("json", "render"),
            runs_on=False,
        ),
        Export(
            *("fountain", ".fountain", "text/plain", "notes under the paragraph, as everywhere"),
            _later("fountain", "render"),
            runs_on=False,
        ),
        Export(
            *("srt", ".srt", "text/plain", "left out", _later("subtitles", "srt")),
            is_timed=True,
            runs_on=False,
            tells_record=True,
        ),
        Export(
            *("webvtt", ".vtt", "text/vtt", "left out", _later("subtitles", "webvtt")),
            is_timed=True,
            runs_on=False,
            tells_record=True,
        ),
        Export(
            *("lonelog", ".lonelog.md", "text/markdown", _NOTATION, _later("lonelog", "lonelog")),
            runs_on=False,
            tells_record=True,
        ),
        Export(
            *("partylog", ".partylog.md", "text/markdown", _NOTATION, _later("lonelog", "partylog")),
            runs_on=False,
            tells_record=True,
        ),
        Export(
            *("epub", ".epub", "application/epub+zip", "a note that opens where it is asked for"),
            _later("epub", "render"),
        ),
        Export("docx", ".docx", _WORD, _FOLDED_SMALL, _later("docx", "render"), _DOCX, book="pdf"),
        Export("odt", ".odt", ODT_MEDIA, _FOLDED_SMALL, _later("odt", "render"), book="pdf"),
        Export(
            *("pdf", ".pdf", "application/pdf", _FOLDED_SMALL, _later("pdf", "render"), TYPST),
            voice="prose",
            mechanics=MechanicsPlace.APPENDIX,
            papers=PAPERS,
        ),
    )
}
"""Every format of a story, by its name."""


def _steps(transcript: Transcript) -> Mapping[str, Any]:
    """Returns a transcript's replay as JSON data; raises Refused if the transcript was told without one."""
    if transcript.replay is None:
        raise Refused("This was told without its steps: tell it with its replay, or let a reading export it.")
    return transcript.replay.to_json()


def _page(transcript: Transcript, _place: MechanicsPlace) -> bytes:
    page: bytes = _later("replay", "render")(_steps(transcript), transcript.phrases)
    return page


def _value(transcript: Transcript, _place: MechanicsPlace) -> bytes:
    value: bytes = _later("json", "written")(_steps(transcript))
    return value


REPLAY = Export(
    *("replay", ".replay.html", "text/html", "shown or hidden on the page", _page),
    is_replay=True,
)
"""Interactive replay page."""

_REPLAY_JSON = Export(
    "replay-json", ".replay.json", "application/json", "with each block", _value, is_replay=True
)


def _above(said: str) -> Callable[..., bytes]:
    """Returns a function that loads a function of a room above this one when called, then calls that."""

    def render(*given: object) -> bytes:
        made: bytes = load(said)(*given)
        return made

    return render


_CLIP = Export(
    *("clip", ".webp", "image/webp", "a moment after the words"),
    _above("retold.projections.postcards.clip:render"),
    TYPST,
    runs_on=False,
)
"""Moving picture, made of cards."""

_OF_CAMPAIGNS = (
    Export(
        *(name, suffix, media, "with each event", _above(made)),
        runs_on=False,
        tells_record=True,
        is_of_campaign=True,
    )
    for feature in features()
    for name, (suffix, media, made) in feature.exports.items()
)

FORMATS: Mapping[str, Export] = {
    **EXPORTS,
    **{export.name: export for export in (REPLAY, _REPLAY_JSON, _CLIP, *_OF_CAMPAIGNS)},
}
"""Every format by name: stories, replays, clips, and whole campaigns for other programs."""


def export(
    name: str, transcript: Transcript, mechanics: str = MechanicsPlace.FOLDED, paper: str | None = None
) -> bytes:
    """Returns the transcript as a file in the format `name`.

    `mechanics` is the place for dice, cards and numbers, such as `folded`, `footnotes` or `none`; `paper` is
    one of the format's `papers`. Raises Refused for an unknown format or place, and for a format whose extra
    is not installed.
    """
    if name not in FORMATS:
        raise Refused(f"There is no format {name}. There are: {', '.join(FORMATS)}.")
    place = place_called(mechanics)
    chosen = FORMATS[name]
    chosen.require()
    told = place.shown(transcript)
    given = (paper or chosen.papers[0],) if chosen.papers else ()
    return chosen.render(told.running() if chosen.runs_on else told, place, *given)


def spooled(name: str, phrases: Phrases, mechanics: str, file: IO[bytes]) -> Spool:
    """Returns a `Spool` that writes a format scene by scene into `file`, which must be open and empty.

    Raises Refused for a format that can only be made of a whole transcript.
    """
    place, writer = place_called(mechanics), FORMATS[name].writer
    if writer is None:
        raise Refused(f"{name} is not written scene by scene.")
    spool: Spool = _later("spool", "Spool")(writer(place, phrases), place, file)
    return spool


def place_called(named: str) -> MechanicsPlace:
    """Returns the `MechanicsPlace` with this name, such as `inline`; raises Refused for an unknown name."""
    if named not in MECHANICS:
        raise Refused(f"Mechanics stand {', '.join(MECHANICS)}, not {named}.")
    return MechanicsPlace(named)
