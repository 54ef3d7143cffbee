"""A transcript tells the acts in the order of the record, in every voice, at every place, at every pace."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from retold.projections.exports import export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose import PLACES, VOICES, Voice
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Mechanic, Paragraph, Transcript
from retold.projections.story.passages import ParagraphBuilder, PassageBuilder, SceneBuilder
from retold.projections.story.writing import written
from tests.exploring import seeds
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, CASTS, Typing
from tests.wandering.wander import begun

MANNERS = (*VOICES.values(), *(replace(VOICES[name], brisk=True) for name in ("report", "script")))
BESIDE = (Tag.NOTE, Tag.ASIDE, Tag.PICTURE, Tag.RIBBON, Tag.RULING)

CRATE = """\
cast A edgerunner skill.cool=2 firearms=2 by=Ana
cast B edgerunner skill.cool=2 firearms=2 by=Bo
session One
scene The yard: Rain.
conflict Crate edgerunner A vs B
exchange
attack A B cool with firearms = 0000
resist B mild as "Hurt"
apply
attack B A cool with firearms = 0000
apply
exchange
continue A
apply
continue B
apply
exchange
concede A: I go.
accept B: Fine.
""".splitlines()


def told(reading: LineView, voice: Voice | str) -> Transcript:
    return transcript.of_range(reading, voice=voice)


def position(known: str) -> int:
    """The position in an id such as e12, e12b, e12m, e12-beat."""
    found = re.fullmatch(r"e(\d+)(?:[a-z]\d*|-beat)?", known)
    return int(found[1]) if found else 0


def acts_of(reading: LineView) -> dict[int, int]:
    """The number of the act of each position."""
    acts: dict[str, int] = {}
    return {moment.position: acts.setdefault(moment.envelope.act, len(acts)) for moment in reading.moments()}


def blocks(shown: Transcript) -> Iterator[list[int]]:
    """The positions of each heading and paragraph with its mechanics, as they are printed.

    Retold's sentence on a consequence stands behind the blow that it is of; its mechanics stay in order.
    """
    for scene in shown.scenes:
        for passage in scene.passages:
            if passage.conflict is not None:
                yield [position(one.id) for one in passage.conflict.mechanics]
            for paragraph in passage.paragraphs:
                ids = [one.id for one in paragraph.mechanics]
                is_put_off = paragraph.generated and paragraph.id.endswith("-beat")
                if paragraph.kind not in BESIDE and not paragraph.later and not is_put_off:
                    ids = [paragraph.id, *paragraph.others, *ids]
                yield [found for found in map(position, ids) if found]


def out_of_order(shown: Transcript, acts: dict[int, int]) -> list[tuple[list[int], list[int]]]:
    """Neighbouring blocks of which the second has an earlier act than the first."""
    printed = [block for block in blocks(shown) if block]
    return [
        (before, after)
        for before, after in pairwise(printed)
        if max(acts[at] for at in before) > min(acts[at] for at in after)
    ]


@pytest.fixture(scope="module")
def crate() -> Iterator[Evening]:
    with evening(CRATE) as night:
        assert not night.refused
        yield night


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("voice", MANNERS, ids=lambda voice: f"{voice.name}{'-brisk' * voice.brisk}")
def test_R1_the_acts_around_a_consequence_keep_their_order(crate: Evening, voice: Voice, place: str) -> None:
    reading = LineView(crate.scribe.campaign, 1)
    shown = MechanicsPlace(place).shown(told(reading, voice)).running()

    assert not out_of_order(shown, acts_of(reading))


def test_R1_prose_with_its_numbers_has_the_lines_of_the_record() -> None:
    with evening(CRATE) as night:
        page = export("text", told(LineView(night.scribe.campaign, 1), "prose"), "inline").decode()

    lines = ["conflict 1 “Crate”", "exchange 1", "A attacks B", "B resists 1", "B attacks A", "exchange 2"]
    places = [page.index(line) for line in (*lines, "exchange 3", "I go", "Fine", "conflict 1 over")]
    assert places == sorted(places)


class _Read(list[ParagraphBuilder]):
    """A list that counts how often it is read."""

    times = 0

    def __iter__(self) -> Iterator[ParagraphBuilder]:
        self.times += 1
        return super().__iter__()


def test_asides_are_read_as_often_for_many_rolls_as_for_one() -> None:
    read = []
    for rolls in (1, 50):
        passage = PassageBuilder(None, drafts=_Read())
        for number in range(rolls):
            passage.write(Paragraph(f"a{number}", Tag.ASIDE, "Pizza."))
            passage.note(Mechanic(f"r{number}", "dice-rolled", "1d6: 4"))
        assert isinstance(passage.drafts, _Read)
        (scene,) = written([SceneBuilder(passages=[passage])], VOICES["report"])
        (*_, last) = scene.paragraphs()
        assert len(last.mechanics) == rolls
        read.append(passage.drafts.times)

    assert read[0] == read[1]


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("game", list(CAST))
def test_the_acts_of_any_conflict_are_told_in_the_order_of_the_record(game: str, seed: int) -> None:
    luck = random.Random(f"{game} {seed}")
    cast = CASTS[seed % len(CASTS)] if game == "homebrew" else CAST[game]
    with evening(tuple(begun(game, cast, luck))) as night:
        for _ in range(30):
            night.type(Typing(night.table, luck.choice).line())
        reading = LineView(night.scribe.campaign, 1)
        acts = acts_of(reading)
        for number, voice in enumerate(MANNERS):
            shown = told(reading, voice)
            for place in (PLACES * 2)[number % len(PLACES) :][:2]:
                page = MechanicsPlace(place).shown(shown).running()
                assert not out_of_order(page, acts), (voice.name, place, *night.told())
