"""What changed over a stretch, in sentences a player would say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_

from retold.games.homebrew.commands import verbs as v
from retold.journal.capabilities import InPlay, Picture, Row
from retold.journal.table import Somebody, Table
from retold.journal.vocabulary.base import Words
from retold.projections.prose import VOICES
from retold.projections.prose.phrases import ENGLISH, Phrases, table, values
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.state_changes import sentences
from retold.projections.views import stress, tracks
from tests.projections.played import EXAMPLES, named, played
from tests.scenario import cast, given

GATTO, JADE, JON = 1, 2, 3
PEOPLE = {
    JON: Somebody(JON, Words("Jon"), "player"),
    GATTO: Somebody(GATTO, Words("Gatto"), "character", player=JON),
    JADE: Somebody(JADE, Words("Jade"), "character"),
}


@dataclass
class Shelf:
    """A shelf on which anything may stand that changes."""

    counted: Sequence[Row] = ()
    aspects: Sequence[InPlay] = ()
    sheets: dict[int, object] = field(default_factory=dict)

    def rows(self) -> Sequence[Row]:
        return self.counted

    def aspects_in_play(self) -> Sequence[InPlay]:
        return self.aspects


def purse(who: int, what: str, value: int, most: int | None = None, given: int | None = None) -> Row:
    return Row(who, what, value, most, Picture.POINTS, given=given)


def vital(who: int, what: str, value: int, most: int | None, *, out: bool) -> Row:
    return Row(who, what, value, most, Picture.HEALTH, out=out)


def harm(who: int, track: str, points: int, boxes: int, *words: str | None) -> Row:
    return Row(who, track, points, boxes, Picture.FALLOUT, rows=2, words=words)


def strain(who: int, track: str, marked: tuple[int, ...], most: int, by: int | None = None) -> Row:
    return Row(who, track, len(marked), most, Picture.STRESS, boxes=marked, by=by, reverts=3)


def slot(who: int, severity: str, worth: int, aspect: str | None) -> Row:
    return Row(who, severity, worth, picture=Picture.SLOT, words=(aspect,))


GAMES = {Picture.HEALTH: "whiskey", Picture.FALLOUT: "guenask"}
"""The game a row is of, where it is not Edgerunner."""


def at(shelf: Shelf, people: dict[int, Somebody] = PEOPLE) -> Table:
    shelves: dict[str, object] = {"edgerunner": shelf}
    for picture, game in GAMES.items():
        shelves[game] = Shelf([row for row in shelf.counted if row.picture is picture])
    others = [row for row in shelf.counted if row.picture not in GAMES]
    shelves["edgerunner"] = replace(shelf, counted=others)
    return Table(people=people, shelves=shelves)


def changed(one: Shelf, other: Shelf) -> list[str]:
    return list(sentences(at(one), at(other), ENGLISH))


def test_a_made_up_shelf_is_seen_by_every_view() -> None:
    full = Shelf(
        [
            purse(JON, "fate points", 5),
            vital(GATTO, "hp", 3, 3, out=False),
            harm(GATTO, "social", 1, 6),
            strain(GATTO, "cool", (), 3),
        ]
    )

    assert tracks.points_of(at(full)).purses
    assert tracks.health_of(at(full)).health
    assert tracks.fallout_of(at(full)).tracks
    assert stress.of(at(full)).tracks


# --- numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ((5, None), (4, None), ["Jon: fate points 5 → 4."]),
        ((5, 5), (5, 6), ["Jon can have up to 6 fate points (5 before)."]),
        ((5, 5), (0, 1), ["Jon: fate points 5 → 0.", "Jon can have up to 1 fate point (5 before)."]),
        (None, (1, None), ["Jon has 1 fate point."]),
        (None, (3, None), ["Jon has 3 fate points."]),
        ((3, None), None, ["Jon has no more fate points."]),
        (None, (0, None), []),
        ((0, None), None, []),
        ((4, 5), (4, 5), []),
    ],
)
def test_points(
    was: tuple[int, int | None] | None, now: tuple[int, int | None] | None, said: list[str]
) -> None:
    one, other = (Shelf([] if of is None else [purse(JON, "fate points", *of)]) for of in (was, now))

    assert changed(one, other) == said


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ((12, False), (6, False), ["Gatto: hit points 12 → 6."]),
        ((3, False), (0, True), ["Gatto was put out of the fight (hit points 3 → 0)."]),
        ((3, False), (3, True), ["Gatto was put out of the fight."]),
        ((0, True), (4, False), ["Gatto is back in the fight (hit points 0 → 4)."]),
        ((12, False), (12, False), []),
    ],
)
def test_health(was: tuple[int, bool], now: tuple[int, bool], said: list[str]) -> None:
    one, other = (Shelf([vital(GATTO, "hp", value, 14, out=out)]) for value, out in (was, now))

    assert changed(one, other) == said


# --- what somebody bears ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track", "was", "now", "said"),
    [
        ("reputation", (), (1, 2, 3), ["Gatto: reputation stress 0 → 3."]),
        ("stress", (1,), (), ["Gatto: stress 1 → 0."]),
        ("my own track", (), (1,), ["Gatto: my own track stress 0 → 1."]),
        ("cool", (1,), (2, 4), ["Gatto: cool stress 1 → boxes 2, 4."]),
        ("cool", (), (3,), ["Gatto: cool stress 0 → box 3."]),
        ("cool", (1,), (1,), []),
    ],
)
def test_stress(track: str, was: tuple[int, ...], now: tuple[int, ...], said: list[str]) -> None:
    one, other = (Shelf([strain(GATTO, track, marked, 5)]) for marked in (was, now))

    assert changed(one, other) == said


def test_a_threshold_alone_is_no_change_of_stress() -> None:
    one, other = (Shelf([strain(GATTO, "cool", (1,), most, JADE)]) for most in (3, 5))

    assert changed(one, other) == []


def test_a_consequence_is_told_once_and_not_as_an_aspect_too() -> None:
    one = Shelf([slot(GATTO, "mild", 1, None), slot(GATTO, "moderate", 2, "Limps")])
    other = Shelf(
        [slot(GATTO, "mild", 1, "Torn sleeve"), slot(GATTO, "moderate", 2, None)],
        aspects=[InPlay(4, GATTO, "Torn sleeve", False, 1, JADE, 0)],
    )
    was = replace(one, aspects=[InPlay(3, GATTO, "Limps", False, 0, None, 0)])

    assert changed(was, other) == [
        "Gatto took a consequence: “Torn sleeve” (mild; 1 free invoke for Jade).",
        "Gatto is over “Limps”.",
    ]


def test_C10_a_consequence_that_is_milder_now_was_neither_taken_nor_got_over() -> None:
    one = Shelf(
        [slot(GATTO, "moderate", 2, None), slot(GATTO, "severe", 4, "A broken arm")],
        aspects=[InPlay(3, GATTO, "A broken arm", False, 1, JADE, 0)],
    )
    other = Shelf(
        [slot(GATTO, "moderate", 2, "An arm in a sling"), slot(GATTO, "severe", 4, None)],
        aspects=[InPlay(3, GATTO, "An arm in a sling", False, 1, JADE, 0)],
    )

    assert changed(one, other) == [
        "Gatto: “A broken arm” is now “An arm in a sling” (moderate; 1 free invoke for Jade)."
    ]


@pytest.mark.parametrize(("now", "said"), [(3, []), (2, ["Jon: fate points 3 → 2."])])
def test_C10_points_dealt_to_every_player_are_no_change(now: int, said: list[str]) -> None:
    assert changed(Shelf([]), Shelf([purse(JON, "fate points", now, given=3)])) == said


def test_two_consequences_in_the_same_words_are_two() -> None:
    torn = slot(GATTO, "mild", 1, "Torn sleeve")

    assert changed(Shelf([torn]), Shelf([torn, torn])) == ["Gatto took a consequence: “Torn sleeve” (mild)."]


def test_an_aspect_comes_goes_and_is_worn_down() -> None:
    one = Shelf(
        aspects=[
            InPlay(1, GATTO, "Lit up", False, 1, JADE, 2),
            InPlay(2, JADE, "On her guard", False, 0, None, 0),
        ]
    )
    other = Shelf(
        aspects=[
            InPlay(1, GATTO, "Lit up", False, 0, None, 2, (1,)),
            InPlay(5, "Dock", "Slippery", False, 2, None, 0),
            InPlay(5, "Dock", "Slippery", False, 1, JADE, 0),
        ]
    )

    assert changed(one, other) == [
        "“Lit up” on Gatto: stress 0 → 1.",
        "“Lit up” on Gatto: no free invoke left.",
        "Jade no longer has the aspect “On her guard”.",
        "Dock has a new aspect: “Slippery” (2 free invokes and 1 free invoke for Jade).",
    ]


def test_fallout_and_what_its_rows_mean() -> None:
    one = Shelf([harm(GATTO, "social", 1, 6)])
    other = Shelf(
        [
            harm(GATTO, "social", 6, 6, "Not to be left alone", None),
            harm(JADE, "stages", 0, 15),
        ]
    )

    assert changed(one, other) == [
        "Gatto: social fallout 1 → 6 of 6.",
        "Gatto took a condition: “Not to be left alone”.",
        "Gatto: row 2 of social fallout is full, and nobody has named its condition.",
    ]
    assert changed(other, one) == [
        "Gatto: social fallout 6 → 1 of 6.",
        "Gatto is over “Not to be left alone”.",
    ]


# --- who is who -------------------------------------------------------------------------------------------


def test_a_newcomer_s_numbers_are_no_change_but_that_they_are_out_is_told() -> None:
    shelf = Shelf([vital(JADE, "hp", 3, 3, out=True)])
    before = at(Shelf(), {GATTO: PEOPLE[GATTO], JON: PEOPLE[JON]})

    told = list(sentences(before, at(shelf), ENGLISH))
    assert told == ["Jade joined the cast.", "Jade was put out of the fight."]


def test_characters_do_not_join_an_initially_empty_cast() -> None:
    assert list(sentences(at(Shelf(), {JON: PEOPLE[JON]}), at(Shelf()), ENGLISH)) == []


def test_names_players_and_phrases() -> None:
    gatto = with_(PEOPLE[GATTO], name=Words("The Cat"), player=None, text=Words("He has nine lives"))
    jade = with_(PEOPLE[JADE], player=JON)

    assert list(sentences(at(Shelf()), at(Shelf(), {**PEOPLE, GATTO: gatto, JADE: jade}), ENGLISH)) == [
        "Gatto is now called The Cat.",
        "The Cat is no longer played by Jon.",
        "The Cat is described anew: “He has nine lives”.",
        "Jade is now played by Jon.",
    ]


def test_merging_two_players_is_no_change_of_player() -> None:
    jonathan = Somebody(4, Words("Jonathan"), "player", former=[Words("Jon")])
    merged = {**PEOPLE, JON: jonathan, 4: jonathan, GATTO: with_(PEOPLE[GATTO], player=4)}
    reseated = {**merged, JADE: with_(PEOPLE[JADE], player=4)}

    assert list(sentences(at(Shelf()), at(Shelf(), merged), ENGLISH)) == []
    assert list(sentences(at(Shelf()), at(Shelf(), reseated), ENGLISH)) == ["Jade is now played by Jonathan."]


def test_players_come_first_then_the_cast_in_its_order_then_things() -> None:
    shelf = Shelf(
        [
            purse(JON, "fate points", 1),
            vital(JADE, "hp", 1, 3, out=False),
            vital(GATTO, "hp", 1, 3, out=False),
        ],
        aspects=[InPlay(1, "Dock", "Slippery", False, 0, None, 0)],
    )

    assert [one.split()[0] for one in changed(Shelf(), shelf)] == ["Jon", "Gatto", "Jade", "Dock"]


# --- in the words of a voice ------------------------------------------------------------------------------

MARKED = Phrases(
    lambda: {key: "жж" + "".join(f" {{{{ {one} }}}}" for one in sorted(values(key))) for key in table()}
)


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_every_example_s_changes_are_plain_sentences(path: Path, tmp_path: Path) -> None:
    with played(path, tmp_path) as campaign:
        told = [transcript.of_range(LineView(campaign, line)).end.changed for line in campaign.lines()]

    for sentence in (one for each in told for one in each):
        assert sentence.endswith((".", "?", "!"))
        assert not re.search(
            r"\[ \]|\[x\]|\?\.|\.\.|: - | - →|→ -|\((Whiskey|Bruise|Edgerunner|Space)", sentence
        )
    assert all(len(set(each)) == len(each) for each in told)


def test_they_are_said_in_the_words_of_the_voice(tmp_path: Path) -> None:
    voice = with_(VOICES["report"], phrases=MARKED)
    for path in EXAMPLES:
        with played(path, tmp_path) as campaign:
            for line in campaign.lines():
                changed = transcript.of_range(LineView(campaign, line), voice=voice).end.changed
                assert [one for one in changed if not one.startswith("жж") or "→" in one] == []


def test_a_character_tracked_and_felled_in_one_session_is_reported() -> None:
    """Thia's hit points are said after the beginning, ten of ten, and are gone at its end."""
    before = given(*cast("Thia"), v.ChooseGame(game="d20"))
    after = before.given(v.Keep(who=1, track="hp", value="10/10"), v.Keep(who=1, track="hp", value="-10"))

    told = list(sentences(before.table, after.table, ENGLISH))

    assert told == ["Thia was put out of the fight (hp 10 → 0)."]
