"""`export`: a session, or any stretch of a line, told as prose."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cli import options as o
from cli.dispatch import DONE, Options
from cli.moments import Place, find_place, find_range
from cli.opening import line_meant, opened
from cli.settings import Settings
from cli.show import seen_by
from cli.writing_files import write_bytes
from journal.refused import Refused
from journal.store.campaign import Campaign
from projections.exports import EXPORTS, MECHANICS, Export, export
from projections.exports.layout import Place as MechanicsPlace
from projections.pages import Transcript
from projections.prose import VOICES
from projections.transcript import of_range, of_session
from projections.views import ask

SHORT = {"md": "markdown", "txt": "text", "htm": "html"}


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
    format_: Annotated[
        str | None, typer.Option("--format", "-f", metavar="NAME", help=f"One of: {', '.join(EXPORTS)}.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where to; its ending says the format."),
    ] = None,
    voice: Annotated[str, typer.Option(help=f"Who tells: {', '.join(VOICES)}.")] = "report",
    mechanics: Annotated[
        str, typer.Option(help=f"Where numbers stand: {', '.join(MECHANICS)}.")
    ] = MechanicsPlace.FOLDED,
    eyes: o.For = "gm",
    at: Annotated[
        str | None, typer.Option("--at", "--as-of", metavar="MOMENT", help="As it was known then.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> int:
    """Tell a session as prose: Markdown, HTML, text or JSON.

    Example: retold export --session 3 -o chapter-3.html --mechanics footnotes
    """
    options = o.merged(ctx, campaign, branch)
    chosen = _format(format_, output)
    if voice not in VOICES:
        raise Refused(f"There is no voice {voice}. There are: {', '.join(VOICES)}.")
    with opened(options, read_only=True) as (found, settings):
        teller = _Teller(found, _as_of(found, settings, options, at), voice, eyes)
        if session == "all":
            _each(teller, chosen, output, mechanics, force=force)
            return DONE
        transcript = teller.stretch(stretch) if stretch else teller.session(session)
        path = None if output in (None, "-") else Path(str(output))
        write_bytes(export(chosen.name, transcript, mechanics), path, force=force)
    if path is not None:
        sys.stderr.write(f"Written to {path}.\n")
    _say_untold(transcript)
    return DONE


def _format(named: str | None, output: str | None) -> Export:
    """The format asked for: by name, else by the file's ending, else Markdown."""
    if named is not None:
        name = SHORT.get(named.casefold(), named.casefold())
        if name not in EXPORTS:
            raise Refused(f"There is no format {named}. There are: {', '.join(EXPORTS)}.")
        return EXPORTS[name]
    suffix = Path(output).suffix.casefold() if output else ""
    if suffix:
        known = [one for one in EXPORTS.values() if suffix in (one.suffix, f".{one.name}")]
        if not known:
            endings = ", ".join(one.suffix for one in EXPORTS.values())
            raise Refused(f"{suffix} is no format that can be told: {endings}, or name one with --format.")
        return known[0]
    return EXPORTS["markdown"]


def _as_of(campaign: Campaign, settings: Settings, options: Options, at: str | None) -> Place:
    return find_place(campaign, line_meant(campaign, settings, options), at or "@")


class _Teller:
    """One voice, for one pair of eyes, as of one moment."""

    def __init__(self, campaign: Campaign, as_of: Place, voice: str, eyes: str) -> None:
        self._campaign = campaign
        self._as_of = as_of
        self._voice = voice
        self._viewer = seen_by(campaign, as_of, eyes)

    def sessions(self) -> tuple[int, ...]:
        """The numbers of the sessions there are."""
        seen = ask("sessions", self._campaign, self._as_of.line, self._as_of.position)
        return tuple(one["session"] for one in seen.to_json()["sessions"])

    def session(self, named: str | None) -> Transcript:
        """A session by number, or the last; the whole line where there is none yet."""
        known = self.sessions()
        if named is None:
            return self._session(known[-1]) if known else self._range(0, None)
        typed = named.removeprefix("s")
        if not typed.isdecimal() or int(typed) not in known:
            there = f"There are {known[0]} to {known[-1]}." if known else "There is none yet."
            raise Refused(f"There is no session {named}. {there}")
        return self._session(int(typed))

    def stretch(self, typed: str) -> Transcript:
        """The stretch A..B."""
        start, end = find_range(self._campaign, self._as_of.line, typed)
        return self._range(start.position - 1, end.position)

    def each(self) -> Iterator[tuple[int, Transcript]]:
        """Every session with its number."""
        for number in self.sessions():
            yield number, self._session(number)

    def _session(self, number: int) -> Transcript:
        place = self._as_of
        return of_session(
            self._campaign, place.line, number, voice=self._voice, viewer=self._viewer, as_of=place.position
        )

    def _range(self, after: int, upto: int | None) -> Transcript:
        place = self._as_of
        return of_range(
            self._campaign,
            place.line,
            after,
            place.position if upto is None else upto,
            voice=self._voice,
            viewer=self._viewer,
            as_of=place.position,
        )


def _each(teller: _Teller, chosen: Export, output: str | None, mechanics: str, *, force: bool) -> None:
    if output in (None, "-"):
        raise Refused("Every session gets a file of its own: name a folder with -o FOLDER.")
    folder = Path(str(output))
    folder.mkdir(parents=True, exist_ok=True)
    width = len(str(max(teller.sessions(), default=1)))
    for number, transcript in teller.each():
        path = folder / f"session-{number:0{width}}{chosen.suffix}"
        write_bytes(export(chosen.name, transcript, mechanics), path, force=force)
        sys.stderr.write(f"Written to {path}.\n")


def _say_untold(transcript: Transcript) -> None:
    missing = len(transcript.end.untold)
    if missing:
        spots = "spot is" if missing == 1 else "spots are"
        sys.stderr.write(f"{missing} {spots} told by nobody yet (retold show untold).\n")
