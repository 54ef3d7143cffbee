"""`export --moment`: a card of one moment, as a file or on standard output."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

from msgspec.structs import replace

from cli.copies import Copy, viewer_to_send_to
from cli.invocation import DONE, Options, UsageError
from cli.opening import opened, place_meant
from cli.writing_files import write_bytes, written_to
from journal.language.moments import Place
from journal.names import quoted
from journal.refused import Refused
from journal.store.campaign import Campaign
from projections.exports import place_called
from projections.exports.layout import Place as MechanicsPlace
from projections.postcards import FORMATS, Postcard, check_format, postcard, rendered
from projections.prose import Voice
from projections.reading import EVERYBODY, Reading, find_act, find_place, may_know
from projections.reading.evenings import Stretch
from projections.secrets import secrets


def check_card_alone(*asked: object) -> None:
    """Raises UsageError where something is asked of a transcript beside a card."""
    if any(asked):
        raise UsageError(
            "A card is of one moment: say --moment M without --session, A..B, --book, --vault, --clap,"
            " --variations, --ribbon and --json."
        )


class Card(NamedTuple):
    """A card that is asked for: of which moment, where it goes (None is standard output), and how."""

    moment: str
    format: str
    path: Path | None
    voice: Voice
    mechanics: bool

    @classmethod
    def asked_for(
        cls, moment: str, named: str | None, path: Path | None, voice: Voice, mechanics: str | None
    ) -> Self:
        """The card, if all it needs is here; Refused before anything has been read."""
        stand = place_called(mechanics or voice.mechanics)
        ending = "" if path is None or path.is_dir() else path.suffix.removeprefix(".")
        chosen = (named or ending or next(iter(FORMATS))).casefold()
        chosen = {"htm": "html"}.get(chosen, chosen)
        check_format(chosen)
        if path is None and chosen == "png" and sys.stdout.isatty():
            raise Refused("A terminal cannot show png: name a file with -o FILE.png.")
        return cls(moment, chosen, path, voice, stand is not MechanicsPlace.NONE)

    def post(self, options: Options, at: str | None, viewer: str | None, *, force: bool) -> int:
        """Writes the card, as known at a moment to this viewer, and ends the command.

        Where nobody says whose (None), it is as a file made to be sent is.
        """
        with opened(options, read_only=True) as (found, settings):
            seen = place_meant(found, settings, options, at, "gm" if viewer is None else viewer)
            self._write(options, found, seen, at, viewer, force=force)
        return DONE

    def _write(
        self,
        options: Options,
        campaign: Campaign,
        seen: Place,
        at: str | None,
        viewer: str | None,
        *,
        force: bool,
    ) -> None:
        """Writes the card as known at a place, in a folder under its campaign and id, and says where.

        A moment of another line is known as that line knows it; with `at` it has to be on that line.
        """
        place = find_act(Reading(campaign, seen.line), self.moment, "gm" if viewer is None else viewer)
        if place.line != seen.line:
            if at is not None:
                raise Refused(f"{self.moment} lies on another line than --at {at}: leave one out.")
            seen = find_place(Reading(campaign, place.line), "@", "gm" if viewer is None else viewer)
        position, said = place.position, viewer
        if viewer is None:
            count = partial(self._secrets, Reading(campaign, *seen), position)
            viewer = viewer_to_send_to(options, campaign, seen, count)
        reading = Reading(campaign, *seen).called(viewer)
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
            path /= f"{campaign.path.stem}-{made.id}.{self.format}"
        write_bytes(rendered(made, self.format), path, force=force)
        written_to(path)
        Copy.of(reading, self._secrets(reading, position)).say()

    def _made(self, reading: Reading, position: int) -> Postcard:
        return postcard(reading, position, self.voice, mechanics=self.mechanics)

    def _secrets(self, reading: Reading, position: int) -> int:
        """How many secrets its card holds: those of the moment's act, and a word of another on it is one."""
        if reading.viewer == EVERYBODY:
            return 0
        try:
            open_to_all = self._made(reading.through(EVERYBODY), position)
        except Refused:
            open_to_all = None
        made = self._made(reading, position)
        if open_to_all is not None and replace(open_to_all, id=made.id) == made:
            return 0
        return max(1, len(secrets(reading, Stretch(position - 1, position))))
