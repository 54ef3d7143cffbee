"""`export --moment`: a card of one moment, as a file or on standard output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple, Self

from cli.invocation import DONE, Options, UsageError
from cli.opening import known_from, opened, place_meant
from cli.writing_files import write_bytes, written_to
from journal.language.moments import Place, find_place
from journal.refused import Refused
from journal.store.campaign import Campaign
from projections.exports import place_called
from projections.exports.layout import Place as MechanicsPlace
from projections.postcards import FORMATS, check_format, postcard, rendered
from projections.prose import Voice
from projections.reading import Reading


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

    def post(self, options: Options, at: str | None, eyes: str, *, force: bool) -> int:
        """Writes the card, as known at a moment and to these eyes, and ends the command."""
        with opened(options, read_only=True) as (found, settings):
            self._write(found, place_meant(found, settings, options, at, eyes), at, eyes, force=force)
        return DONE

    def _write(self, campaign: Campaign, seen: Place, at: str | None, eyes: str, *, force: bool) -> None:
        """Writes the card as known at a place, in a folder under its campaign and id, and says where.

        A moment of another line is known as that line knows it; with `at` it has to be on that line.
        """
        place = find_place(campaign, seen.line, self.moment, known_from(campaign, seen.line, eyes))
        if place.line != seen.line:
            if at is not None:
                raise Refused(f"{self.moment} lies on another line than --at {at}: leave one out.")
            seen = find_place(campaign, place.line, "@")
        reading = Reading(campaign, *seen).called(eyes)
        made = postcard(reading, place.position, self.voice, mechanics=self.mechanics)
        path = self.path
        if path is not None and path.is_dir():
            path /= f"{campaign.path.stem}-{made.id}.{self.format}"
        write_bytes(rendered(made, self.format), path, force=force)
        written_to(path)
