"""Beats view: the acts of the last session that weigh in its story, with the reason for each weight."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from retold.projections.prose import VOICES
from retold.projections.prose.beats import NOTHING, people_in, weigh
from retold.projections.prose.telling import Beat, Called, Telling
from retold.projections.reading import LineView
from retold.projections.reading.ids import readable
from retold.projections.story.transcript.build import extremes_of, last_stretch, of_stretch
from retold.projections.story.variations import TellingOptions
from retold.projections.views.sheet import NOBODY, Row, Seen


class BeatSeen(NamedTuple):
    """An act of a session, or several small ones that are told in one sentence (weight 0).

    `at` is the id of its first event; `position` is null for viewers other than the game master.
    """

    at: str
    position: int | None
    weight: int
    who: tuple[str, ...]
    why: str

    def row(self) -> Row:
        """Returns this act as a table row."""
        return Row(
            (self.at,),
            (readable(self.at) or NOBODY, str(self.weight), ", ".join(self.who) or NOBODY, self.why),
        )


class Beats(Seen, frozen=True):
    """Answer of the beats view: acts of the last session with a weight from 1 to 3, and folded small ones.

    JSON: `{"beats": [{"at", "position", "weight", "who", "why"}], "acts", "session"}`.
    """

    view = "beats"
    title = "Beats"
    columns = ("At", "Weight", "Who", "Why")
    beats: tuple[BeatSeen, ...]
    acts: int
    session: int | None

    def notes(self) -> Iterator[str]:
        """Yields what the weights do, and how many acts have one."""
        weighing = sum(beat.weight > 0 for beat in self.beats)
        yield "3 opens a paragraph; 3 or more acts of 0 in a row without words are told in one sentence."
        yield f"{weighing} of {self.acts} acts weigh something."


class _Act(NamedTuple):
    position: int
    beat: Beat
    people: tuple[str, ...]


def beats_of(reading: LineView) -> Beats:
    """Returns the beats of the last session, or of the whole branch if it has none."""
    stretch = last_stretch(reading)
    extremes = extremes_of(reading, stretch)
    acts: dict[str, _Act] = {}
    positions: dict[str, int] = {}
    for moment in reading.moments(stretch.after, stretch.upto):
        telling = Telling(moment, Called(moment.table), reading.ids)
        beat, act = weigh(telling, extremes), moment.envelope.act
        before = acts.get(act, _Act(moment.position, NOTHING, ()))
        people = tuple(map(telling.who, people_in(moment.event, moment.table)))
        positions[reading.ids.at(moment.position)] = moment.position
        heavier = beat if beat.weight > before.beat.weight else before.beat
        named = tuple(dict.fromkeys((*before.people, *people)))
        acts[act] = before._replace(beat=heavier, people=named)
    found = [(act.position, act.beat, act.people) for act in acts.values() if act.beat.weight]
    brisk = TellingOptions(replace(VOICES["report"], brisk=True), ends=False)
    for paragraph in of_stretch(reading, stretch, brisk).paragraphs():
        if paragraph.folded:
            why = Beat(0, f"{paragraph.folded} acts without words, one sentence: {paragraph.text}")
            found.append((positions.get(reading.ids.event(paragraph.id), 0), why, ()))
    beats = (
        BeatSeen(reading.ids.at(at), None if reading.ids.key else at, beat.weight, people, beat.why)
        for at, beat, people in sorted(found, key=itemgetter(0))
    )
    return Beats(tuple(beats), len(acts), (None if stretch.session is None else stretch.session.session))
