"""Chooses whose copy an export is: the game master's, with secrets, or the table's. Writes postcards.

The option --for decides, else the campaign's option, else the user's answer at the terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from msgspec.structs import replace

from retold.cli.campaigns.opening import opened, place_meant
from retold.cli.invocation import DONE, Options, UsageError
from retold.cli.output.writing_files import write_bytes, written_to
from retold.journal.counting import counted
from retold.journal.language.moments import LinePosition
from retold.journal.names import quoted
from retold.journal.options import COPIES, of_the_table
from retold.journal.possessives import possessive
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import place_called
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.plain.ink import listed
from retold.projections.postcards import FORMATS, Postcard, check_format, postcard, rendered
from retold.projections.prose import Voice, speaking
from retold.projections.reading import EVERYBODY, LineView, find_act, find_place, may_know
from retold.projections.reading.sessions import Stretch
from retold.projections.story.hidden_events import find_hidden_events
from retold.projections.texts import safe
from retold.scribe import Scribe

GM: Final = "gm"
TABLE: Final = "table"

_ANSWERS: Final = {"g": GM, "gm": GM, "game master": GM, "t": TABLE, "table": TABLE, "": TABLE}


def _nothing(_viewer: str) -> Iterable[str]:
    return ()


class Copy(NamedTuple):
    """Viewer of an exported copy, and the number of secrets it contains (None in the table's copy)."""

    viewer: str
    """`gm`, `table`, or a name."""
    secrets: int | None
    whose: str
    """The same in a sentence: `Bo's`."""
    missing: Callable[[str], Iterable[str]]
    """Returns sentences about a draft's own paragraphs that are not in it, for a viewer."""

    @classmethod
    def of(cls, reading: LineView, secrets: int, missing: Callable[[str], Iterable[str]] = _nothing) -> Copy:
        """Returns the copy made for the viewer of `reading`, with `secrets` secrets in it.

        `missing` returns sentences about what of a draft is not in it, for a viewer.
        """
        viewer = reading.viewer
        if viewer.gm:
            return cls(GM, secrets, "The game master's", missing)
        if viewer.person is None:
            return cls(TABLE, None, "The table's", missing)
        name = reading.table.name(viewer.person)
        return cls(name, secrets, possessive(name), missing)

    @property
    def sentence(self) -> str:
        """Returns a sentence with the copy's viewer and number of secrets, such as `The table's copy.`."""
        if self.secrets is None:
            return f"{self.whose} copy; --for gm makes the game master's."
        if not self.secrets:
            return f"{self.whose} copy; nothing in it is secret."
        them = "it" if self.secrets == 1 else "them"
        leaves = f"; --for table leaves {them} out" if self.viewer == GM else ""
        return f"{self.whose} copy, with {counted(self.secrets, 'secret')}{leaves}."

    def say(self) -> None:
        """Prints what is missing, and `sentence`, on standard error."""
        sys.stderr.writelines(
            f"{safe.line(sentence)}\n" for sentence in (*self.missing(self.viewer), self.sentence)
        )

    def to_json(self) -> dict[str, Any]:
        """Returns viewer and number of secrets as JSON data; `secrets` is null in the table's copy."""
        return {"viewer": self.viewer, "secrets": self.secrets}


def viewer_to_send_to(
    options: Options, campaign: CampaignStore, place: LinePosition, secrets: Callable[[], int]
) -> str:
    """Returns whose copy an export is, if no --for is given: `gm` or `table`.

    The campaign's option decides. If it is not set, the user at the terminal is asked, provided that the game
    master's copy holds secrets (`secrets` counts them), and the answer is recorded. Without a terminal it is
    the table's copy.
    """
    chosen = of_the_table(LineView(campaign, place.line).table, COPIES)
    if chosen != COPIES.default:
        return chosen
    if options.yes or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return TABLE
    count = secrets()
    answer = _asked(count) if count else None
    if answer is None:
        return TABLE
    _keep(options, place.line, answer)
    return answer


def _asked(secrets: int) -> str | None:
    """Asks at the terminal whose copy to make until the answer is valid; returns `gm` or `table`.

    Returns None at end of input.
    """
    held = counted(secrets, "secret is", "secrets are")
    sys.stderr.write(f"{held} in this part, for the game master or for some of the table only.\n")
    while True:
        sys.stderr.write("Whose copy shall it be, the game master's (g) or the table's (t)? [g/T] ")
        sys.stderr.flush()
        typed = sys.stdin.readline()
        if not typed:
            sys.stderr.write("\n")
            return None
        answer = _ANSWERS.get(typed.strip().casefold())
        if answer is not None:
            return answer


def _keep(options: Options, line: int, answer: str) -> None:
    """Records the answer (`gm` or `table`) as the campaign's option, or prints why it could not."""
    chosen = f"option table.{COPIES.key}={answer}"
    try:
        with opened(options, read_only=False) as (campaign, _):
            Scribe(campaign, line).say(chosen)
    except (Refused, StoreError, OSError) as error:
        sys.stderr.write(f"The answer is not kept, and will be asked for again: {safe.line(str(error))}\n")
        return
    other = TABLE if answer == GM else GM
    sys.stderr.write(
        f"Kept for this campaign ({chosen}). For one file: --for {other}. To be asked again:"
        f" option table.{COPIES.key}={COPIES.default}\n"
    )


def check_card_alone(asked: Mapping[str, object]) -> None:
    """Raises UsageError if any of `asked`, options with their values, is set beside --moment."""
    named = [option for option, value in asked.items() if value]
    if named:
        raise UsageError(f"A card needs no {listed(named)}: leave {'it' if len(named) == 1 else 'them'} out.")


class Card(NamedTuple):
    """A postcard (picture of one moment) to be made: moment, format, file (None: standard output), voice."""

    moment: str
    format: str
    path: Path | None
    voice: Voice
    mechanics: bool

    @classmethod
    def asked_for(
        cls, moment: str, named: str | None, path: Path | None, voice: Voice, mechanics: str | None
    ) -> Self:
        """Returns the postcard that `export --moment` asks for.

        Its format is `named`, else the file's ending, else SVG. Raises Refused for an unknown format, or for
        PNG to a terminal.
        """
        stand = place_called(mechanics or voice.mechanics)
        ending = "" if path is None or path.is_dir() else path.suffix.removeprefix(".")
        chosen = (named or ending or next(iter(FORMATS))).casefold()
        chosen = {"htm": "html"}.get(chosen, chosen)
        check_format(chosen)
        if path is None and chosen == "png" and sys.stdout.isatty():
            raise Refused("A terminal cannot show png: name a file with -o FILE.png.")
        return cls(moment, chosen, path, voice, stand is not MechanicsPlace.NONE)

    def post(self, options: Options, at: str | None, viewer: str | None, *, force: bool) -> int:
        """Writes the postcard with what `viewer` may know at moment `at`; returns the exit code.

        Without a viewer, `viewer_to_send_to` chooses one.
        """
        with opened(options, read_only=True) as (found, settings):
            seen = place_meant(found, settings, options, at, "gm" if viewer is None else viewer)
            self._write(options, found, seen, at, viewer, force=force)
        return DONE

    def _write(
        self,
        options: Options,
        campaign: CampaignStore,
        seen: LinePosition,
        at: str | None,
        viewer: str | None,
        *,
        force: bool,
    ) -> None:
        """Writes the postcard's file; prints its path, and whose copy it is, on standard error.

        In a folder the file is named after the campaign and the card's id. A moment on another branch is
        shown as that branch knows it; Refused if `at` is on a different one.
        """
        place = find_act(LineView(campaign, seen.line), self.moment, "gm" if viewer is None else viewer)
        if place.line != seen.line:
            if at is not None:
                raise Refused(f"{self.moment} lies on another line than --at {at}: leave one out.")
            seen = find_place(LineView(campaign, place.line), "@", "gm" if viewer is None else viewer)
        position, said = place.position, viewer
        if viewer is None:
            count = partial(self._secrets, LineView(campaign, *seen), position)
            viewer = viewer_to_send_to(options, campaign, seen, count)
        reading = LineView(campaign, *seen).called(viewer)
        if not may_know(reading):
            branch = quoted(campaign.lines()[seen.line])
            raise Refused(
                f"The table may not know of the branch {branch}: show it to them (branch show {branch}),"
                " or make the game master's card: --for gm."
            )
        try:
            made = self._made(reading, position)
        except Refused as refusal:
            if said is None and not reading.viewer.gm:
                raise Refused(
                    f"{refusal} This would be the table's card; the game master's: --for gm."
                ) from None
            raise
        path = self.path
        if path is not None and path.is_dir():
            path /= f"{campaign.place.stem}-{made.id}.{self.format}"
        write_bytes(rendered(made, self.format), path, force=force)
        written_to(path)
        Copy.of(reading, self._secrets(reading, position)).say()

    def _made(self, reading: LineView, position: int) -> Postcard:
        return postcard(reading, position, speaking(self.voice, reading.language), mechanics=self.mechanics)

    def _secrets(self, reading: LineView, position: int) -> int:
        """Returns the number of secrets on the card: hidden events, or 1 if only its texts are secret."""
        if reading.viewer == EVERYBODY:
            return 0
        try:
            open_to_all = self._made(reading.through(EVERYBODY), position)
        except Refused:
            open_to_all = None
        made = self._made(reading, position)
        if open_to_all is not None and replace(open_to_all, id=made.id) == made:
            return 0
        return max(1, len(find_hidden_events(reading, Stretch(position - 1, position))))
