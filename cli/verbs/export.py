"""The `export` verb: tells a session, a range of moments, or a whole branch as a book."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

import typer
from msgspec.structs import replace

from cli import app as o
from cli.chosen_drafts import DraftAsked
from cli.clipboard import copy_to_clipboard
from cli.copies import TABLE, Copy, viewer_to_send_to
from cli.invocation import DONE, UsageError
from cli.opening import opened, place_meant, reading_at
from cli.printing import progress, write_json
from cli.settings import Settings
from cli.verbs.voices import voice_meant
from cli.writing_files import beside, output_meant, write_parts, written_to
from journal.refused import Refused
from projections.exports import FORMATS, MECHANICS, Export, export, place_called, spooled
from projections.exports.page_elements import MechanicsPlace
from projections.exports.parallel import ParallelTelling, SessionDocument, each_document
from projections.prose import VOICES, Voice
from projections.prose.phrases import Phrases
from projections.reading import LineView as Read

if TYPE_CHECKING:
    from cli.folders import FolderExport
    from projections.document import Transcript
    from projections.transcript.builders import KeepScene
    from retold.drafts.retelling import DraftChosen
    from retold.reading import Reading

DIARY = "diary"
"""The one layout beside a voice's own."""

LONG = 20
"""Scenes after which a format may take so long that somebody wonders."""

Tell = Callable[..., "Transcript"]
"""Tells a part of a line in the manner that was asked for."""

BRISK = "brisk"
PACES = ("full", BRISK)
"""How small acts that nobody told are shown: each, or folded."""

SHORT = {"md": "markdown", "commonmark": "markdown", "txt": "text", "htm": "html", "vtt": "webvtt"}


def command(
    ctx: typer.Context,
    stretch: Annotated[
        str | None, typer.Argument(metavar="[A..B]", help="From moment A to B; else the last session.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="N|all", help="Session N, or each in its own file.")
    ] = None,
    book: Annotated[
        bool, typer.Option("--book", help="The whole campaign: a chapter a session, and an index.")
    ] = False,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help=f"One of: {', '.join(FORMATS)}; else the file's ending says.",
        ),
    ] = None,
    output: o.Output = None,
    voice: Annotated[
        str | None,
        typer.Option(
            help=f"Who tells: {', '.join(VOICES)}, or your own (retold voices); else report (a PDF: prose)."
        ),
    ] = None,
    lang: o.Lang = None,
    mechanics: Annotated[
        str | None,
        typer.Option(
            help=f"Where numbers stand: {', '.join(MECHANICS)}; else where the voice has them,"
            " and in the appendix of a PDF without --voice."
        ),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            "--paper", metavar="SIZE", help="Pages of a PDF: a5 or half-letter (5.5 by 8.5 inches)."
        ),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="diary",
            help="As a diary: entries headed by who tells; in prose, else in --voice.",
        ),
    ] = None,
    variations: Annotated[
        bool, typer.Option("--variations", help="How it went on other lines, where they leave.")
    ] = False,
    ribbon: Annotated[
        bool, typer.Option("--ribbon", help="Where everybody stands after each turn of a conflict.")
    ] = False,
    asides: Annotated[
        bool | None,
        typer.Option(
            "--asides/--no-asides",
            help="What was said at the table beside the story; else as the voice tells.",
        ),
    ] = None,
    pace: Annotated[
        str | None,
        typer.Option(
            "--pace",
            metavar="full|brisk",
            help="brisk: small acts in a row that nobody told are one sentence; else each has its own.",
        ),
    ] = None,
    draft: Annotated[
        str | None,
        typer.Option(
            "--draft",
            metavar="NAME[@N]",
            help="The words of a draft, or of an older revision; else of what `draft publish` chose.",
        ),
    ] = None,
    no_draft: Annotated[
        bool, typer.Option("--no-draft", help="The record's own words, also if a draft is published.")
    ] = False,
    viewer: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="gm|table|NAME",
            help="Whose copy: only what they may know; else gm's, or the table's if it is made to be sent.",
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", "--as-of", metavar="MOMENT", help="As it was known then.")
    ] = None,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            help="For everybody: the table's copy in prose, without numbers and without the players' names.",
        ),
    ] = False,
    credits_: Annotated[
        bool, typer.Option("--credits", help="With --publish: who played whom, and who ran it.")
    ] = False,
    clipboard: Annotated[
        bool, typer.Option("--copy", help="To the clipboard, to paste into a blog: as HTML, or as -f says.")
    ] = False,
    clap: Annotated[
        list[str] | None,
        typer.Option("--clap", metavar="MOMENT[=TIME]", help="When a moment is heard in a recording: 0:12."),
    ] = None,
    vault: Annotated[
        str | None,
        typer.Option(
            "--vault",
            metavar="FOLDER",
            help="Linked Markdown pages of everybody, every place, thread, thing and session.",
        ),
    ] = None,
    moment: Annotated[
        str | None,
        typer.Option("--moment", metavar="MOMENT", help="A card of one moment, to post: SVG, PNG or HTML."),
    ] = None,
    site: Annotated[
        str | None,
        typer.Option(
            "--site",
            metavar="FOLDER",
            help="Web pages for any static host: every session, everybody, search, a feed.",
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="ADDRESS", help="Where the site will be found: https://example.org/us"),
    ] = None,
    force: o.Force = False,
    json: o.Json = False,
) -> int:
    """Tell a session as prose, or a campaign as a book: Markdown, HTML, text, JSON, EPUB, DOCX or PDF.

    Example: retold export --session 3 -o chapter-3.html --mechanics footnotes
    """
    options = o.merged(ctx, campaign, branch, json)
    manner = _Manner.asked_for(
        voice,
        lang,
        asides,
        pace,
        mechanics,
        viewer,
        _story_format(format_, output, (options.json, moment, vault, site, url), is_copied=clipboard),
        layout=layout,
        publish=publish,
        credits_=credits_,
    )
    speaks, viewer = manner.voice, manner.viewer
    manner.check_story(moment, vault, site)
    asked = DraftAsked(draft, no_draft)
    if moment is not None:
        from cli.copies import Card, check_card_alone

        asked.check(FORMATS["markdown"], moment)
        check_card_alone(
            stretch, session, book, clap, vault or site or url, variations, ribbon, paper, options.json
        )
        card = Card.asked_for(moment, format_, output_meant(output), speaks, mechanics)
        return card.post(options, at, viewer, force=force)
    folder = _folder(vault, site, url, (stretch, session, book, format_, output, clap, force, paper))
    format_ = _as_json(format_) if options.json else format_
    part = _Part.asked_for(stretch, session, book=book)
    manner.check_ribbon(asked=ribbon)
    _check_clipboard(part, output, folder, asked=clipboard)
    target = _Target.of(format_, output_meant(output), part, paper, is_copied=clipboard)
    manner.check_format(target.format)
    asked.check(target.format, None)
    is_replay = target.format.is_replay or (folder is not None and folder.is_site)
    target.check_clap(clap, part)
    with opened(options, read_only=True) as (found, settings):
        secrets = partial(_secrets, part.called if folder is None else "book", speaks, variations, is_replay)
        if viewer is None and folder is None and target.format.is_sent:
            known = place_meant(found, settings, options, at)
            count = partial(secrets, reading_at(found, settings, known, "gm"))
            viewer = viewer_to_send_to(options, found, known, count)
        viewer = viewer if viewer is not None else "gm" if folder is None else folder.viewer
        place = place_meant(found, settings, options, at, viewer)
        reading = reading_at(found, settings, place, viewer)
        read = Read(found, *place).called(viewer)
        manner.check_secrets(partial(secrets, reading), viewer)
        drafts = asked.found(
            found, place.line, settings, target.format, is_wanted=folder is None and part.is_one
        )
        manner = manner.told_by(
            manner.voice if voice or lang else asked.voice(drafts, manner.voice),
            mechanics or target.format.mechanics,
        )
        speaks = manner.voice
        tell = manner.teller(reading, drafts, variations=variations, ribbon=ribbon, replay=is_replay)
        if folder is not None:
            came = folder.write(read, tell, speaks, manner.mechanics)
            return _say_written(came, Copy.of(read, secrets(reading)), is_json=options.json)
        if part.is_every_session:
            document = SessionDocument(
                target.format.name, speaks, manner.mechanics, variations, ribbon, manner.players, target.paper
            )
            target.write_each(reading, read, document, tell, force=force, is_plain=not drafts)
            Copy.of(read, secrets(reading)).say()
            return DONE
        named = partial(_file_of, reading)
        if target.is_streamed and not drafts:
            transcript = target.write_as_told(
                part, tell, speaks.phrases, manner.mechanics, named, force=force
            )
        else:
            transcript = _clapped(part.told_by(tell), clap, Read(found, place.line), viewer)
            target.write(transcript, manner.mechanics, named(transcript.head.session), force=force)
        Copy.of(read, secrets(reading)).say()
    _say_left_out(transcript, target.format)
    return DONE


def _say_written(came: Mapping[str, Any], copy: Copy, *, is_json: bool) -> int:
    """Says whose copy a vault or site is; prints what was written as JSON if that was asked for."""
    copy.say()
    if is_json:
        write_json({**came, **copy.to_json()})
    return DONE


def _check_clipboard(part: _Part, output: str | None, folder: FolderExport | None, *, asked: bool) -> None:
    """Raises UsageError unless --copy gets a single text and no other destination."""
    if asked and (output is not None or folder is not None or part.is_every_session):
        raise UsageError(
            "--copy takes one text to the clipboard: leave out -o, --vault, --site and --session all."
        )


def _secrets(part: str | None, voice: Voice, variations: bool, replay: bool, reading: Reading) -> int:
    """Returns the number of secrets in a copy of `part`, told in this voice."""
    return reading.secrets(part, voice, variations=variations, replay=replay)


def _folder(
    vault: str | None, site: str | None, url: str | None, beside: Sequence[object]
) -> FolderExport | None:
    """Returns the vault or site that the options ask for, else None; imports their code only then."""
    if (vault, site, url) == (None, None, None):
        return None
    from cli.folders import FolderExport

    return FolderExport.asked_for(vault, site, url, beside)


def _clapped(transcript: Transcript, typed: list[str] | None, whole: Read, viewer: str) -> Transcript:
    """Returns the transcript with times in the audio recording, by the claps typed; unchanged without.

    A clap gives the time at which a moment is heard in the recording.
    """
    if not typed:
        return transcript
    from cli.recording_sync import sync_with_recording

    return sync_with_recording(transcript, typed, whole, viewer)


def _as_json(named: str | None) -> str:
    """Returns the format `json`; raises UsageError if `named` is another format."""
    if named not in (None, "json"):
        raise UsageError(f"--json is a format, and so is {named}: leave one out.")
    return "json"


class _Manner(NamedTuple):
    """Options of a story: its voice, the place of mechanics, the viewer, and whether it is published."""

    voice: Voice
    mechanics: MechanicsPlace
    viewer: str | None
    is_published: bool
    players: bool
    """False if the names of players and game masters are left out around the story."""

    @classmethod
    def asked_for(
        cls,
        voice: str | None,
        lang: str | None,
        asides: bool | None,
        pace: str | None,
        mechanics: str | None,
        viewer: str | None,
        chosen: Export | None,
        *,
        layout: str | None,
        publish: bool,
        credits_: bool,
    ) -> Self:
        """Returns the manner that the options ask for; --publish stands for three of them.

        `chosen` is the format, whose own voice and place hold if neither is named; None for no story.

        Raises Refused for an unknown voice or place, UsageError for --credits alone, an unknown pace, or a
        brisk notation.
        """
        if credits_ and not publish:
            raise UsageError("--credits is for --publish: without it the players are named anyway.")
        if layout not in (None, DIARY):
            raise Refused(f"A story is laid out as a {DIARY}, or as its voice has it: there is no {layout}.")
        chosen = chosen or FORMATS["markdown"]
        usual = chosen.mechanics if voice is None else None
        if layout is not None:
            voice = voice or "prose"
        if publish:
            voice, mechanics, viewer = voice or "prose", mechanics or MechanicsPlace.NONE, viewer or TABLE
        speaks = voice_meant(Settings.of_user(), voice or chosen.voice, lang)
        speaks = speaks if asides is None else replace(speaks, asides=asides)
        if pace not in (None, *PACES):
            raise UsageError(f"There is no pace {pace}. There are: {', '.join(PACES)}.")
        if pace == BRISK and speaks.as_recorded:
            raise UsageError(f"--pace brisk folds acts, but the voice {speaks.name} tells every event.")
        speaks = replace(speaks, brisk=pace == BRISK)
        if publish and not credits_ and speaks.as_recorded:
            raise UsageError(
                "--publish names no players, but the notation does: leave out --voice plain or add --credits."
            )
        speaks = replace(speaks, diary=layout is not None)
        place = place_called(mechanics or usual or speaks.mechanics)
        return cls(speaks, place, viewer, publish, players=credits_ or not publish)

    def check_story(self, moment: str | None, vault: str | None, site: str | None) -> None:
        """Raises UsageError if --publish is asked for anything other than a story."""
        others = {"--moment": moment, "--vault": vault, "--site": site}
        named = next((option for option, value in others.items() if value is not None), None)
        if named and self.is_published:
            raise UsageError(f"--publish is for a story: leave out {named}, or --publish.")
        if named and self.voice.diary:
            raise UsageError(f"--layout is for a story: leave out {named}, or --layout.")

    def check_ribbon(self, *, asked: bool) -> None:
        """Raises UsageError for a ribbon without numbers."""
        if asked and self.mechanics is MechanicsPlace.NONE:
            raise UsageError(
                "A ribbon shows numbers, but this export leaves them out: add --mechanics folded."
            )

    def check_format(self, chosen: Export) -> None:
        """Raises UsageError if a replay is to be published, or a diary has a format without running text."""
        if self.voice.diary and not (chosen.runs_on and not chosen.is_replay):
            raise UsageError(
                f"A diary is running text, and {chosen.name} is not: leave out --layout, or name"
                " another format, such as markdown, html, text, epub, docx or pdf."
            )
        if self.is_published and chosen.is_replay:
            raise UsageError("--publish is for a story: a replay shows the numbers and who plays whom.")

    def check_secrets(self, secrets: Callable[[], int], viewer: str) -> None:
        """Raises Refused if a copy for `viewer` that is to be published holds secrets."""
        found = secrets() if self.is_published and viewer != TABLE else 0
        if found:
            held = "1 secret" if found == 1 else f"{found} secrets"
            raise Refused(
                f"This copy has {held}, and --publish is for everybody: leave out --for {viewer},"
                f" or reveal them first (retold log --for {viewer} shows them)."
            )

    def told_by(self, voice: Voice, mechanics: str | None) -> Self:
        """Returns the manner with another voice, and the mechanics where that has them if none were typed."""
        if voice is self.voice:
            return self
        place = self.mechanics if self.is_published else place_called(mechanics or voice.mechanics)
        return self._replace(voice=replace(voice, asides=self.voice.asides), mechanics=place)

    def teller(
        self,
        reading: Reading,
        drafts: Sequence[DraftChosen],
        *,
        variations: bool,
        ribbon: bool,
        replay: bool,
    ) -> Tell:
        """Returns a function that tells a part of a branch in this manner, with the words of drafts."""
        tell = partial(
            reading.transcript,
            voice=self.voice,
            variations=variations,
            ribbon=ribbon,
            replay=replay,
            drafts=drafts,
        )
        if self.players:
            return tell
        return partial(_without_players, tell)


def _without_players(
    tell: Tell,
    *given: Any,  # noqa: ANN401 -- what `tell` takes
    keep: KeepScene | None = None,
    by_many: object = None,
    **named: Any,  # noqa: ANN401
) -> Transcript:
    """Tells a part without its players; whole before any scene is kept, since all their names are needed."""
    del by_many
    told = tell(*given, **named).without_players()
    return told if keep is None else replace(told, scenes=tuple(map(keep, told.scenes)))


class _Part(NamedTuple):
    """Part of a branch to export: range of moments, one session, each session in a file, or all as a book."""

    stretch: str | None
    session: str | None
    book: bool

    @classmethod
    def asked_for(cls, stretch: str | None, session: str | None, *, book: bool) -> Self:
        """Returns the part that the options ask for; raises UsageError if they ask for several.

        Raises Refused for a session that is neither a number nor `all`.
        """
        if book and (stretch or session):
            raise UsageError("A book is the whole line: leave out --session and A..B, or --book.")
        if stretch and session:
            raise UsageError("A stretch and a session are two parts: leave out --session, or A..B.")
        if session not in (None, "all") and not session.removeprefix("s").isdecimal():
            raise Refused(f"There is no session {session}: --session wants a number, or all.")
        return cls(stretch, session, book)

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


class _Target(NamedTuple):
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
        part: _Part,
        paper: str | None,
        *,
        is_copied: bool = False,
    ) -> Self:
        """Returns the destination that the options ask for; `is_copied` is for the clipboard.

        Raises Refused, before anything is told, if the export could not be written to this destination.
        """
        is_folder = part.is_every_session or (path is not None and path.is_dir())
        chosen = _format_meant(named, path, is_copied=is_copied)
        chosen.require()
        if part.is_every_session:
            _check_folder(path, chosen, is_named=named is not None)
        if is_folder and part.stretch:
            raise Refused(f"{path} is a folder: name a file in it for that stretch.")
        if is_copied and not chosen.media.startswith("text/"):
            raise Refused(f"The clipboard takes text: name a file with -o FILE{chosen.suffix}.")
        if path is None and not chosen.is_text and sys.stdout.isatty():
            raise Refused(f"A terminal cannot show {chosen.name}: name a file with -o FILE{chosen.suffix}.")
        return cls(chosen, path, is_folder, is_copied, _paper_meant(paper, chosen))

    def check_clap(self, clap: list[str] | None, part: _Part) -> None:
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
            plain = export("text", transcript, mechanics).decode()
            copy_to_clipboard(made, plain, self.format.media)
            return
        self._put([_made(self.format, transcript, mechanics, self.paper)], name, force=force)

    def write_each(
        self,
        reading: Reading,
        read: Read,
        document: SessionDocument,
        tell: Tell,
        *,
        force: bool,
        is_plain: bool,
    ) -> None:
        """Writes each session to a file of its own in the folder, and prints the paths.

        `reading` and `read` are the same branch, seen by two interfaces. `is_plain` is false if only `tell`
        has the words that are to be told.
        """
        numbers = reading.sessions
        each = each_document(read, numbers, document) if is_plain else repeat(None)
        for number, made in zip(numbers, each, strict=is_plain):
            name = _file_of(reading, number)
            if made is None:
                self.write(tell(number), document.mechanics, name, force=force)
            else:
                self._put([made], name, force=force)

    def write_as_told(
        self,
        part: _Part,
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
            self._put(spool.written(transcript), named(transcript.head.session), force=force)
        return transcript

    def _put(self, parts: Iterable[bytes], name: str, *, force: bool) -> None:
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


def _story_format(
    named: str | None, output: str | None, others: Sequence[object], *, is_copied: bool
) -> Export | None:
    """Returns the format of a story; None if any of `others`, options for something else, is set."""
    return None if any(others) else _format_meant(named, output_meant(output), is_copied=is_copied)


def _format_meant(named: str | None, path: Path | None, *, is_copied: bool) -> Export:
    """Returns the export format for a file, a folder or the clipboard; Refused if unknown."""
    named = named or ("fragment" if is_copied else None)
    return _format(named, None if path is None or path.is_dir() else path.name)


def _format(named: str | None, file: str | None) -> Export:
    """Returns the export format: by name, else by the file's ending, else Markdown; Refused if unknown."""
    if named is not None:
        name = SHORT.get(named.casefold(), named.casefold())
        if name not in FORMATS:
            raise Refused(f"There is no format {named}. There are: {', '.join(FORMATS)}.")
        return FORMATS[name]
    ending = (file or "").casefold()
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
        raise Refused(f"{suffix} is no format that can be told: {endings}, or name one with --format.")
    return FORMATS["markdown"]


def _made(chosen: Export, transcript: Transcript, mechanics: str, paper: str | None) -> bytes:
    """Returns the transcript as bytes in the format `chosen`; a long one shows a message meanwhile."""
    waits = len(transcript.scenes) > LONG and sys.stderr.isatty()
    if waits:
        sys.stderr.write(f"Making the {chosen.name} ...")
        sys.stderr.flush()
    try:
        return export(chosen.name, transcript, mechanics, paper)
    finally:
        if waits:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _file_of(reading: Reading, session: int | None) -> str:
    """Returns the file's name in a folder, without ending: `session-03`; without a session the campaign's."""
    if session is None:
        return reading.place.stem
    width = len(str(max(reading.sessions, default=1)))
    return f"session-{session:0{width}}"


def _say_left_out(transcript: Transcript, chosen: Export) -> None:
    """Prints on standard error a note on events without recorded time and on events nobody narrated."""
    if chosen.is_timed:
        _say_untimed(transcript)
    _say_untold(transcript)


def _say_untold(transcript: Transcript) -> None:
    missing = len(transcript.end.untold)
    if missing:
        spots = "spot is" if missing == 1 else "spots are"
        sys.stderr.write(f"{missing} {spots} not narrated yet (retold show untold).\n")


def _say_untimed(transcript: Transcript) -> None:
    from projections.exports.subtitles import spoken

    missing = sum(paragraph.seconds is None for paragraph in spoken(transcript))
    if missing:
        paragraphs = "paragraph has" if missing == 1 else "paragraphs have"
        reasons = "told later, imported, or before it began"
        sys.stderr.write(f"Left out: {missing} {paragraphs} no time in the recording ({reasons}).\n")
