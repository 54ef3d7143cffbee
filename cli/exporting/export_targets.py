"""Part and destination of an export: which moments are told, and to which file, folder or clipboard."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from retold.cli.exporting.clipboard import copy_to_clipboard
from retold.cli.invocation import UsageError
from retold.cli.output.printing import erase, progress
from retold.cli.output.writing_files import beside, write_parts, written_to
from retold.journal.refused import Refused
from retold.projections.exports import FORMATS, Export, export, spooled
from retold.projections.exports.parallel import ParallelTelling, SessionDocument, each_session
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import LineView as Read

if TYPE_CHECKING:
    from retold.projections.story.document import Transcript
    from retold.reading import Reading

LONG = 20
"""Number of scenes above which a message says that the file is being made."""

Tell = Callable[..., "Transcript"]
"""Function that tells a part of a line with the options of the export."""

SHORT = {"md": "markdown", "commonmark": "markdown", "txt": "text", "htm": "html", "vtt": "webvtt"}
"""Other names of formats."""


class Part(NamedTuple):
    """Part of a branch to export: range of moments, one session, each session in a file, or all as a book."""

    stretch: str | None
    session: str | None
    book: bool

    @classmethod
    def asked_for(
        cls, stretch: str | None, session: str | None, *, book: bool, previously: bool = False
    ) -> Self:
        """Returns the part that the options ask for; raises UsageError if they ask for several.

        Also for `previously`, the option of a book's chapters, without a book.

        Raises Refused for a session that is neither a number nor `all`.
        """
        if book and (stretch or session):
            raise UsageError("A book is the whole line: leave out --session and A..B, or --book.")
        if stretch and session:
            raise UsageError("A stretch and a session are two parts: leave out --session, or A..B.")
        if session not in (None, "all") and not session.removeprefix("s").isdecimal():
            raise Refused(f"There is no session {session}: --session wants a number, or all.")
        if previously and not book:
            raise UsageError("--previously is for the chapters of a book: add --book.")
        return cls(stretch, session, book)

    def of(self, chosen: Export) -> Part:
        """Returns the part in a format: all of it, if no other was asked for, where that is a campaign's."""
        return self._replace(book=True) if chosen.is_of_campaign and self.called is None else self

    @property
    def is_every_session(self) -> bool:
        """True for `--session all`: each session goes to a file of its own."""
        return self.session == "all"

    @property
    def is_one(self) -> bool:
        """True for one session or range, which a draft named by the user has to tell."""
        return not self.book and not self.is_every_session

    @property
    def called(self) -> str | None:
        """Part name for `Reading.transcript`: `book`, a range, or a session; None means the last session."""
        return "book" if self.book else self.stretch or self.session

    def told_by(self, tell: Tell) -> Transcript:
        """Returns the transcript of this part, made by `tell`; shows progress meanwhile."""
        with progress("Telling") as told:
            return tell(self.called, told=told)


class Target(NamedTuple):
    """Destination of an export: format, and path of a file or folder (None for standard output)."""

    format: Export
    path: Path | None
    is_folder: bool
    is_copied: bool
    """True for the clipboard."""
    paper: str | None
    """Size of the pages; None for the format's default."""

    @classmethod
    def of(
        cls,
        named: str | None,
        path: Path | None,
        part: Part,
        paper: str | None,
        *,
        is_copied: bool = False,
    ) -> Self:
        """Returns the destination that the options ask for; `is_copied` is for the clipboard.

        Raises Refused, before anything is told, if the export could not be written to this destination.
        """
        is_folder = part.is_every_session or (path is not None and path.is_dir())
        chosen = format_meant(named, path, is_copied=is_copied)
        chosen.require()
        if part.is_every_session:
            _check_folder(path, chosen, is_named=named is not None)
        if is_folder and part.stretch:
            raise Refused(f"{path} is a folder: name a file in it for that stretch.")
        if is_copied and (chosen.is_of_campaign or not chosen.media.startswith("text/")):
            raise Refused(f"The clipboard takes text: name a file with -o FILE{chosen.suffix}.")
        if path is None and not chosen.is_text and sys.stdout.isatty():
            raise Refused(f"A terminal cannot show {chosen.name}: name a file with -o FILE{chosen.suffix}.")
        return cls(chosen, path, is_folder, is_copied, _paper_meant(paper, chosen))

    def check_clap(self, clap: list[str] | None, part: Part) -> None:
        """Raises UsageError unless --clap comes with subtitles of a single recording."""
        if clap and (not self.format.is_timed or part.is_every_session):
            raise UsageError("--clap is for the subtitles of one recording: -f srt or -f webvtt.")

    @property
    def is_streamed(self) -> bool:
        """True if the document is written scene by scene."""
        return self.format.writer is not None and not self.is_copied

    def write(self, transcript: Transcript, mechanics: str, name: str, *, force: bool) -> None:
        """Writes a transcript to the target: a file, file `name` in a folder, or the clipboard."""
        if self.is_copied:
            made = _made(self.format, transcript, mechanics, None).decode()
            copy_to_clipboard(made, export("text", transcript, mechanics).decode(), self.format.media)
            return
        self.put([_made(self.format, transcript, mechanics, self.paper)], name, force=force)

    def write_whole(
        self,
        reading: Reading,
        read: Read,
        part: Part,
        document: SessionDocument,
        tell: Tell,
        *,
        force: bool,
        in_parallel: bool,
    ) -> None:
        """Writes a campaign to one file, or each session to a file in the folder, and prints the paths.

        `reading` and `read` are the same branch, seen by two interfaces. `in_parallel` is true if several
        processes may tell the sessions; they know no drafts, which only `tell` does.
        """
        if self.format.is_of_campaign:
            told = reading.export(
                document.format,
                part.called,
                voice=document.voice,
                mechanics=document.mechanics,
                variations=document.variations,
                ribbon=document.ribbon,
            )
            self.put([told], file_of(reading, None), force=force)
            return
        numbers = reading.sessions
        each = each_session(read, numbers, document) if in_parallel else repeat(None)
        for number, made in zip(numbers, each, strict=in_parallel):
            written = made or _made(self.format, tell(number), document.mechanics, self.paper)
            self.put([written], file_of(reading, number), force=force)

    def write_as_told(
        self,
        part: Part,
        tell: Tell,
        phrases: Phrases,
        mechanics: str,
        named: Callable[[int | None], str],
        *,
        force: bool,
    ) -> Transcript:
        """Writes a part scene by scene, to hold little in memory; returns a transcript with headings only.

        `named` returns the name of the file in a folder, by session number.
        """
        with beside(self.path) as file:
            spool = spooled(self.format.name, phrases, mechanics, file)
            by_many = ParallelTelling(self.format.name, spool)
            transcript = part.told_by(partial(tell, keep=spool.keep, by_many=by_many))
            self.put(spool.written(transcript), named(transcript.head.session), force=force)
        return transcript

    def put(self, parts: Iterable[bytes], name: str, *, force: bool) -> None:
        """Writes the parts of a file to the target, and prints its path; `name` is its name in a folder."""
        path = self.path
        if self.is_folder and path is not None:
            path.mkdir(parents=True, exist_ok=True)
            path /= f"{name}{self.format.suffix}"
        write_parts(parts, path, force=force)
        written_to(path)


def _check_folder(path: Path | None, chosen: Export, *, is_named: bool) -> None:
    """Raises Refused if `path` cannot be a folder with one file per session.

    A name with a file's ending is refused too, unless the format was named.
    """
    if path is None:
        raise Refused("Every session gets a file of its own: name a folder with -o FOLDER.")
    if path.is_dir():
        return
    if path.exists():
        raise Refused(
            f"{path} is a file, and every session gets one of its own: name a folder with -o FOLDER."
        )
    if not is_named and path.suffix:
        folder = path.with_suffix("")
        raise Refused(
            f"Every session gets a file of its own, so {path} would be a folder:"
            f" say -o {folder} -f {chosen.name}."
        )


def _paper_meant(typed: str | None, chosen: Export) -> str | None:
    """Returns the size of the pages; UsageError for a format without pages, Refused for an unknown size."""
    paper = typed and typed.casefold()
    if paper is None or paper in chosen.papers:
        return paper
    if not chosen.papers:
        raise UsageError("--paper is for a PDF: -f pdf, or a file that ends in .pdf.")
    raise Refused(f"There is no paper {typed}. There are: {', '.join(chosen.papers)}.")


def format_meant(named: str | None, path: Path | None, *, is_copied: bool) -> Export:
    """Returns the export format: by name, else by the ending of the file, else Markdown; Refused if unknown.

    For the clipboard it is a fragment, if none is named.
    """
    named = named or ("fragment" if is_copied else None)
    if named is not None:
        name = SHORT.get(named.casefold(), named.casefold())
        if name not in FORMATS:
            raise Refused(f"There is no format {named}. There are: {', '.join(FORMATS)}.")
        return FORMATS[name]
    ending = "" if path is None or path.is_dir() else path.name.casefold()
    known = [
        known_format
        for known_format in FORMATS.values()
        if ending.endswith((known_format.suffix, f".{known_format.name}"))
    ]
    if known:
        return max(known, key=lambda known_format: len(known_format.suffix))
    if "." in ending.strip("."):
        endings = ", ".join(known_format.suffix for known_format in FORMATS.values())
        suffix = Path(ending).suffix
        raise Refused(f"{suffix} is not a format that can be told: {endings}, or name one with --format.")
    return FORMATS["markdown"]


def _made(chosen: Export, transcript: Transcript, mechanics: str, paper: str | None) -> bytes:
    """Returns the transcript as bytes in the format `chosen`; a long one shows a message meanwhile."""
    waits = len(transcript.scenes) > LONG and sys.stderr.isatty()
    making = f"Making the {chosen.name} ..."
    if waits:
        sys.stderr.write(making)
        sys.stderr.flush()
    try:
        return export(chosen.name, transcript, mechanics, paper)
    finally:
        if waits:
            erase(making)


def file_of(reading: Reading, session: int | None) -> str:
    """Returns the file's name in a folder, without ending: `session-03`; without a session the campaign's."""
    if session is None:
        return reading.place.stem
    width = len(str(max(reading.sessions, default=1)))
    return f"session-{session:0{width}}"
