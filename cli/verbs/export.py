"""The `export` verb: tells a session, a range of moments, or a whole branch as a book."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, Self

import typer
from msgspec.structs import replace

from retold.cli import app as o
from retold.cli.campaigns.opening import opened, place_meant, reading_at
from retold.cli.campaigns.settings import Settings
from retold.cli.exporting.copies import TABLE, Card, Copy, check_card_alone, viewer_to_send_to
from retold.cli.exporting.export_targets import Part, Target, Tell, file_of, format_meant
from retold.cli.exporting.told_drafts import DraftsToTell, draft_options
from retold.cli.invocation import DONE, Options, UsageError
from retold.cli.output.printing import write_json
from retold.cli.output.writing_files import output_meant, write_bytes, written_to
from retold.cli.verbs.voices import voice_meant
from retold.journal.counting import counted
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import FORMATS, MECHANICS, Export, place_called
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionDocument, SessionTelling
from retold.projections.prose import VOICES, Voice, speaking
from retold.projections.reading import EVERYBODY, find_range
from retold.projections.reading import LineView as Read

if TYPE_CHECKING:
    from retold.cli.exporting.folders import FolderExport
    from retold.projections.site.settings import SiteSettings
    from retold.projections.story.document import Transcript
    from retold.projections.story.writing import KeepScene
    from retold.reading import Reading

DIARY = "diary"
"""The one layout beside a voice's own."""

BRISK = "brisk"
PACES = ("full", BRISK)
"""How small untold acts are shown: each, or folded."""

TOLD: Final = "What is told"
TELLER: Final = "Who tells it, and how"
AUDIENCE: Final = "For whom"
PAGES: Final = "As what"
"""Groups of options in help."""


def command(
    ctx: typer.Context,
    stretch: Annotated[
        str | None, typer.Argument(metavar="[A..B]", help="From moment A to B; else the last session.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session", metavar="N|all", rich_help_panel=TOLD, help="Session N, or each in its own file."
        ),
    ] = None,
    book: Annotated[
        bool,
        typer.Option(
            "--book", rich_help_panel=TOLD, help="The whole campaign: a chapter a session, and an index."
        ),
    ] = False,
    previously: Annotated[
        bool,
        typer.Option(
            "--previously",
            rich_help_panel=TOLD,
            help="With --book: each chapter begins with how the session before it ended.",
        ),
    ] = False,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            rich_help_panel=PAGES,
            help=f"One of: {', '.join(FORMATS)}; else the file's ending says.",
        ),
    ] = None,
    output: o.Output = None,
    voice: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            rich_help_panel=TELLER,
            help=f"Who tells: {', '.join(VOICES)}, or your own (retold voices); else report (a PDF, or a book"
            " as DOCX: prose).",
        ),
    ] = None,
    lang: o.Lang = None,
    mechanics: Annotated[
        str | None,
        typer.Option(
            metavar="PLACE",
            rich_help_panel=TELLER,
            help=f"Where numbers stand: {', '.join(MECHANICS)}; else where the voice has them,"
            " and in the appendix of a PDF or of a book as DOCX without --voice.",
        ),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            "--paper",
            metavar="SIZE",
            rich_help_panel=PAGES,
            help="Pages of a PDF: a5 or half-letter (5.5 by 8.5 inches); for a printed cover, a5-bleed or"
            " half-letter-bleed.",
        ),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="diary",
            rich_help_panel=TELLER,
            help="As a diary: entries headed by who tells; in prose, else in --voice.",
        ),
    ] = None,
    variations: Annotated[
        bool,
        typer.Option(
            "--variations", rich_help_panel=TOLD, help="How it went on other lines, where they leave."
        ),
    ] = False,
    ribbon: Annotated[
        bool,
        typer.Option(
            "--ribbon", rich_help_panel=TOLD, help="The state of everyone after each turn of a conflict."
        ),
    ] = False,
    asides: Annotated[
        bool | None,
        typer.Option(
            "--asides/--no-asides",
            rich_help_panel=TOLD,
            help="What was said at the table beside the story; else as the voice tells.",
        ),
    ] = None,
    pace: Annotated[
        str | None,
        typer.Option(
            "--pace",
            metavar="full|brisk",
            rich_help_panel=TELLER,
            help="brisk: one sentence for small acts in a row without words; otherwise one each.",
        ),
    ] = None,
    draft: Annotated[
        str | None,
        typer.Option(
            "--draft",
            metavar="NAME[@N]",
            rich_help_panel=TOLD,
            help="The words of a draft, or of an older revision; else of what `draft publish` chose.",
        ),
    ] = None,
    no_draft: Annotated[
        bool,
        typer.Option(
            "--no-draft", rich_help_panel=TOLD, help="The record's own words, also if a draft is published."
        ),
    ] = False,
    viewer: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="gm|table|NAME",
            rich_help_panel=AUDIENCE,
            help="Whose copy: only what they may know; gm: everything. Else the table's.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", "--as-of", metavar="MOMENT", rich_help_panel=o.WHERE, help="As it was known then."
        ),
    ] = None,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            rich_help_panel=AUDIENCE,
            help="For everybody: the table's copy in prose, without numbers and without the players' names.",
        ),
    ] = False,
    credits_: Annotated[
        bool,
        typer.Option(
            "--credits",
            rich_help_panel=AUDIENCE,
            help="With --publish: the players of the characters, and the game master.",
        ),
    ] = False,
    clipboard: Annotated[
        bool,
        typer.Option(
            "--copy",
            rich_help_panel=PAGES,
            help="To the clipboard, to paste into a blog: as HTML, or as -f says.",
        ),
    ] = False,
    clap: Annotated[
        list[str] | None,
        typer.Option(
            "--clap",
            metavar="MOMENT[=TIME]",
            rich_help_panel=TOLD,
            help="When a moment is heard in a recording: 0:12.",
        ),
    ] = None,
    vault: Annotated[
        str | None,
        typer.Option(
            "--vault",
            metavar="FOLDER",
            rich_help_panel=PAGES,
            help="Linked Markdown pages of every person, place, thread, thing and session.",
        ),
    ] = None,
    moment: Annotated[
        str | None,
        typer.Option(
            "--moment",
            metavar="MOMENT",
            rich_help_panel=PAGES,
            help="A card of one moment, to post: SVG, PNG or HTML.",
        ),
    ] = None,
    site: Annotated[
        str | None,
        typer.Option(
            "--site",
            metavar="FOLDER",
            rich_help_panel=PAGES,
            help="Web pages for any static host: every session, every person, search, a feed.",
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            metavar="ADDRESS",
            rich_help_panel=PAGES,
            help="Where the site will be found: https://example.org/us",
        ),
    ] = None,
    site_file: Annotated[
        bool,
        typer.Option(
            "--site-file",
            rich_help_panel=PAGES,
            help="Write site.toml beside the campaign, with comments: the title and the looks of its site.",
        ),
    ] = False,
    force: o.Force = False,
    json: o.Json = False,
) -> int:
    """Tell a session as prose, or a campaign as a book: Markdown, HTML, text, JSON, EPUB, DOCX, ODT or PDF.

    Examples: retold export --session 3 -o chapter-3.html --mechanics footnotes · retold export --book -o
    salt-road.epub · retold export --publish -o ledger.html
    """
    options = o.merged(ctx, campaign, branch, json)
    manner = _Manner.asked_for(
        voice,
        lang,
        asides,
        pace,
        mechanics,
        viewer,
        None
        if any((options.json, moment, vault, site, url))
        else format_meant(format_, output_meant(output), is_copied=clipboard),
        layout=layout,
        publish=publish,
        credits_=credits_,
        is_book=book,
    )
    viewer = manner.viewer
    manner.check_story(moment, vault, site)
    asked = draft_options(draft, is_off=no_draft)
    if moment is not None:
        asked.check(FORMATS["markdown"], moment)
        check_card_alone(
            {"A..B": stretch, "--session": session, "--book": book, "--clap": clap, "--vault": vault}
            | {"--site": site, "--url": url, "--variations": variations, "--ribbon": ribbon}
            | {"--paper": paper, "--json": options.json, "--previously": previously}
        )
        card = Card.asked_for(moment, format_, output_meant(output), manner.voice, mechanics)
        return card.post(options, at, viewer, force=force)
    if site_file:
        return _write_site_file(options, force=force)
    folder = _folder(vault, site, url, (stretch, session, book, format_, output, clap, force, paper))
    format_ = _as_json(format_) if options.json else format_
    part = Part.asked_for(stretch, session, book=book, previously=previously)
    manner.check_ribbon(asked=ribbon)
    _check_clipboard(part, output, folder, asked=clipboard)
    target = Target.of(format_, output_meant(output), part, paper, is_copied=clipboard)
    part = part.of(target.format)
    manner.check_format(target.format)
    asked.check(target.format, None)
    is_replay = target.format.is_replay or (folder is not None and folder.is_site)
    target.check_clap(clap, part)
    with opened(options, read_only=True) as (found, settings):
        secrets = partial(_secrets, folder, variations, is_replay)
        if viewer is None:
            viewer, part = _copy_meant(
                options, found, settings, at, part, folder, partial(secrets, part, manner.voice)
            )
        place = place_meant(found, settings, options, at, manner.viewer or "gm")
        reading = reading_at(found, settings, place, viewer)
        read = Read(found, *place).called(viewer)
        drafts = asked.find(
            found, place.line, settings, target.format, is_wanted=folder is None and part.is_one
        )
        manner.check_drafts(drafts)
        if drafts is not None and drafts.voice is not None and not (voice or lang):
            manner = manner.told_by(drafts.voice, mechanics or target.format.mechanics)
        site_settings = None if folder is None or lang else folder.settings(found.place)
        manner = manner.of_site(site_settings, voice).of_words(read.language)
        count = partial(secrets, part, manner.voice, reading, drafts)
        manner.check_secrets(count, viewer)
        tell = manner.teller(
            reading, drafts, variations=variations, ribbon=ribbon, replay=is_replay, previously=previously
        )
        copy = Copy.of(
            read,
            count(),
            partial(reading.not_in_copy, part.called if folder is None else "book", drafts=drafts),
        )
        if folder is not None:
            came = folder.write(
                read,
                tell,
                SessionTelling(manner.voice, variations, ribbon, is_replay, manner.players),
                manner.mechanics,
                has_drafts=drafts is not None,
            )
            return _say_written(came, copy, is_json=options.json)
        transcript = None
        if part.is_every_session or target.format.is_of_campaign:
            target.write_whole(
                reading,
                read,
                part,
                manner.document(target, variations=variations, ribbon=ribbon),
                tell,
                force=force,
                in_parallel=drafts is None,
            )
        else:
            sync = partial(_clapped, typed=clap, whole=Read(found, place.line), viewer=manner.viewer or "gm")
            transcript = _write_one(
                target, part, reading, tell, manner, sync, has_drafts=drafts is not None, force=force
            )
        copy.say()
    if transcript is not None:
        _say_left_out(transcript, target.format)
    return DONE


def _write_one(
    target: Target,
    part: Part,
    reading: Reading,
    tell: Tell,
    manner: _Manner,
    sync: Callable[[Transcript], Transcript],
    *,
    has_drafts: bool,
    force: bool,
) -> Transcript:
    """Writes a part as one text, piece by piece as it is told if the format allows it."""
    named = partial(file_of, reading)
    if target.is_streamed and not has_drafts:
        return target.write_as_told(part, tell, manner.voice.phrases, manner.mechanics, named, force=force)
    transcript = sync(part.told_by(tell))
    target.write(transcript, manner.mechanics, named(transcript.head.session), force=force)
    return transcript


def _copy_meant(
    options: Options,
    found: CampaignStore,
    settings: Settings,
    at: str | None,
    part: Part,
    folder: FolderExport | None,
    count: Callable[[Reading], int],
) -> tuple[str, Part]:
    """Returns whose copy an export without --for is, and its part as that viewer may name it.

    A site is the table's, and never asked about. `count` counts the secrets in a reading.
    """
    if folder is not None and folder.is_site:
        return TABLE, part
    place = place_meant(found, settings, options, at)
    everything = reading_at(found, settings, place, "gm")
    viewer = viewer_to_send_to(options, found, place, partial(count, everything))
    return viewer, part if viewer == "gm" else _part_of_table(part, Read(found, *place))


def _part_of_table(part: Part, whole: Read) -> Part:
    """Returns the part with a range that the table may name; positions are the game master's.

    Unchanged without a range, or for one on another branch. Raises Refused if the table knows nothing of it.
    """
    if part.stretch is None:
        return part
    start, end = find_range(whole, part.stretch)
    if start.line != whole.line:
        return part
    seen = whole.through(EVERYBODY)
    known = (recorded.position for recorded in seen.recorded(start.position - 1, end.position))
    begin = next(known, None)
    if begin is None:
        raise Refused(f"The table knows nothing of {part.stretch}; the game master's copy: --for gm.")
    first = "" if start.position == 1 else seen.ids.at(begin)
    last = "" if end.position == whole.position else seen.ids.at(max(known, default=begin))
    return part._replace(stretch=f"{first}..{last}")


def _say_written(came: Mapping[str, Any], copy: Copy, *, is_json: bool) -> int:
    """Says whose copy a vault or site is; prints what was written as JSON if that was asked for."""
    copy.say()
    if is_json:
        write_json({**came, **copy.to_json()})
    return DONE


def _check_clipboard(part: Part, output: str | None, folder: FolderExport | None, *, asked: bool) -> None:
    """Raises UsageError unless --copy gets a single text and no other destination."""
    if asked and (output is not None or folder is not None or part.is_every_session):
        raise UsageError(
            "--copy takes one text to the clipboard: leave out -o, --vault, --site and --session all."
        )


def _secrets(
    folder: FolderExport | None,
    variations: bool,
    replay: bool,
    part: Part,
    voice: Voice,
    reading: Reading,
    drafts: DraftsToTell | None = None,
) -> int:
    """Returns the number of secrets in a copy of `part`, in the given voice or its drafts' voices."""
    told = part.called if folder is None else "book"
    return reading.secrets_told(told, voice, variations=variations, replay=replay, drafts=drafts)


def _folder(
    vault: str | None, site: str | None, url: str | None, beside: Sequence[object]
) -> FolderExport | None:
    """Returns the vault or site that the options ask for, else None; imports their code only then."""
    if (vault, site, url) == (None, None, None):
        return None
    from retold.cli.exporting.folders import FolderExport

    return FolderExport.asked_for(vault, site, url, beside)


def _write_site_file(options: Options, *, force: bool) -> int:
    """Writes the settings of a site, with comments, beside the campaign."""
    from retold.projections.site.settings import COMMENTED, settings_file

    with opened(options, read_only=True) as (found, _):
        path = settings_file(found.place, is_new=True)
    write_bytes(COMMENTED.encode(), path, force=force)
    written_to(path)
    return DONE


def _clapped(transcript: Transcript, typed: list[str] | None, whole: Read, viewer: str) -> Transcript:
    """Returns the transcript with times in the audio recording, by the claps typed; unchanged without.

    A clap gives the time at which a moment is heard in the recording. Without --for the game master types its
    moment, whosever copy it becomes.
    """
    if not typed:
        return transcript
    from retold.cli.exporting.recording_sync import sync_with_recording

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
    asides: bool | None
    """Whether table talk is told; None if the voice decides."""
    is_brisk: bool
    is_diary: bool

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
        is_book: bool,
    ) -> Self:
        """Returns the manner that the options ask for; --publish means three of them.

        `chosen` is the format, whose own voice and place hold if neither is named; None for no story.

        Raises Refused for an unknown voice or place, UsageError for --credits alone, an unknown pace, or a
        brisk notation.
        """
        if credits_ and not publish:
            raise UsageError("--credits is for --publish: without it the players are named anyway.")
        if layout not in (None, DIARY):
            raise Refused(f"A story is laid out as a {DIARY}, or as its voice has it: there is no {layout}.")
        chosen = chosen or FORMATS["markdown"]
        if is_book and chosen.book is not None:
            chosen = FORMATS[chosen.book]
        usual = chosen.mechanics if voice is None else None
        if publish or layout is not None:
            voice = voice or "prose"
        if publish:
            mechanics = mechanics or MechanicsPlace.NONE
            viewer = viewer or TABLE
        speaks = voice_meant(Settings.of_user(), voice or chosen.voice, lang)
        if pace not in (None, *PACES):
            raise UsageError(f"There is no pace {pace}. There are: {', '.join(PACES)}.")
        manner = cls(
            speaks,
            place_called(mechanics or usual or speaks.mechanics),
            viewer,
            publish,
            players=credits_ or not publish,
            asides=asides,
            is_brisk=pace == BRISK,
            is_diary=layout is not None,
        ).in_voice(speaks)
        if speaks.as_recorded and not manner.players:
            raise UsageError(
                "--publish names no players, but the notation does: leave out --voice plain or add --credits."
            )
        return manner

    def in_voice(self, voice: Voice) -> Self:
        """Returns the manner with another voice, which follows --asides, --pace and --layout.

        Raises UsageError for a brisk notation.
        """
        if self.is_brisk and voice.as_recorded:
            raise UsageError(f"--pace brisk folds acts, but the voice {voice.name} tells every event.")
        asides = voice.asides if self.asides is None else self.asides
        return self._replace(voice=replace(voice, asides=asides, brisk=self.is_brisk, diary=self.is_diary))

    def of_words(self, language: str | None) -> Self:
        """Returns the manner for a table whose words are in `language`; None if the table names none."""
        return self.in_voice(speaking(self.voice, language))

    def of_site(self, site: SiteSettings | None, voice: str | None) -> Self:
        """Returns the manner in the language that a site's settings name; unchanged if they name none."""
        spoken = None if site is None else site.language
        named = voice or self.voice.name
        return self if spoken is None else self.in_voice(voice_meant(Settings.of_user(), named, spoken))

    def check_story(self, moment: str | None, vault: str | None, site: str | None) -> None:
        """Raises UsageError if --publish is asked for anything other than a story."""
        others = {"--moment": moment, "--vault": vault, "--site": site}
        named = next((option for option, value in others.items() if value is not None), None)
        if named and self.is_published:
            raise UsageError(f"--publish is for a story: leave out {named}, or --publish.")
        if named and self.is_diary:
            raise UsageError(f"--layout is for a story: leave out {named}, or --layout.")

    def check_ribbon(self, *, asked: bool) -> None:
        """Raises UsageError for a ribbon without numbers."""
        if asked and self.mechanics is MechanicsPlace.NONE:
            raise UsageError(
                "A ribbon shows numbers, but this export leaves them out: add --mechanics folded."
            )

    def check_format(self, chosen: Export) -> None:
        """Raises UsageError if a replay is to be published, or a diary has a format without running text."""
        if self.is_diary and not (chosen.runs_on and not chosen.is_replay):
            raise UsageError(
                f"A diary is running text, and {chosen.name} is not: leave out --layout, or name"
                " another format, such as markdown, html, text, epub, docx, odt or pdf."
            )
        if self.is_published and (chosen.is_replay or chosen.is_of_campaign):
            raise UsageError(
                f"--publish is for a story: {chosen.name} has the numbers and the players' names."
            )

    def check_secrets(self, secrets: Callable[[], int], viewer: str) -> None:
        """Raises Refused if a copy for `viewer` that is to be published holds secrets."""
        found = secrets() if self.is_published and viewer != TABLE else 0
        if found:
            raise Refused(
                f"This copy has {counted(found, 'secret')}, and --publish is for all readers: leave out"
                f" --for {viewer}, or reveal them first (retold log --for {viewer} shows them)."
            )

    def check_drafts(self, drafts: DraftsToTell | None) -> None:
        """Raises Refused if a draft in notation, which names players, is to be published without them."""
        noted = None if drafts is None else drafts.in_notation
        if noted is not None and not self.players:
            raise Refused(
                f"--publish names no players, but the draft {noted} is in notation, which does:"
                " add --no-draft or --credits."
            )

    def told_by(self, voice: Voice, mechanics: str | None) -> Self:
        """Returns the manner with another voice.

        The mechanics move to the place `mechanics`, or to that of the voice if it is None; but in a published
        copy they stay.
        """
        if voice is self.voice:
            return self
        place = self.mechanics if self.is_published else place_called(mechanics or voice.mechanics)
        return self.in_voice(voice)._replace(mechanics=place)

    def document(self, target: Target, *, variations: bool, ribbon: bool) -> SessionDocument:
        """Returns how each session becomes a file of its own."""
        return SessionDocument(
            target.format.name,
            self.voice,
            self.mechanics,
            variations,
            ribbon,
            self.players,
            target.paper,
        )

    def teller(
        self,
        reading: Reading,
        drafts: DraftsToTell | None,
        *,
        variations: bool,
        ribbon: bool,
        replay: bool,
        previously: bool,
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
        if not self.players:
            tell = partial(_told_whole, methodcaller("without_players"), tell)
        if not previously:
            return tell
        from retold.projections.story.transcript.endings import with_previously

        return partial(_told_whole, with_previously, tell)


def _told_whole(
    change: Callable[[Transcript], Transcript],
    tell: Tell,
    *given: Any,  # noqa: ANN401 -- what `tell` takes
    keep: KeepScene | None = None,
    by_many: object = None,
    **named: Any,  # noqa: ANN401
) -> Transcript:
    """Tells a part and changes it, whole before any scene is kept, since the change needs all of them."""
    del by_many
    told = change(tell(*given, **named))
    return told if keep is None else replace(told, scenes=tuple(map(keep, told.scenes)))


def _say_left_out(transcript: Transcript, chosen: Export) -> None:
    """Prints on standard error a note on events without recorded time and without narration."""
    if chosen.is_timed:
        _say_untimed(transcript)
    missing = len(transcript.end.untold)
    if missing:
        spots = counted(missing, "spot is", "spots are")
        sys.stderr.write(f"{spots} not narrated yet (retold show untold).\n")


def _say_untimed(transcript: Transcript) -> None:
    from retold.projections.exports.subtitles import spoken

    missing = sum(paragraph.seconds is None for paragraph in spoken(transcript))
    if missing:
        paragraphs = counted(missing, "paragraph has", "paragraphs have")
        sys.stderr.write(
            f"Left out: {paragraphs} no time in the recording (told later, imported, or before it began).\n"
        )
