"""What may stand on a sheet, and what it comes to: `docs/rules/edgerunner.md` §1."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retold.games.edgerunner.commands import read_sheet
from retold.games.edgerunner.rules import Severity
from retold.games.edgerunner.state import Upgrade, game_state
from retold.games.edgerunner.system import SYSTEM as EDGERUNNER
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Value, Words
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    GATTO,
    JADE,
    LOCK,
    PEOPLE,
    begun,
    exchange_began,
    kept,
    option,
    sheet,
)
from tests.scenario import Story, given

KINDS = "character, extra, goon, mook, alternate, faction, device or problem"
ROLES = "solo, nomad, media, rockerboy, corporate, enforcer, netrunner, fixer or techie"


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("driving", "2", ("driving", 2)),
        ("driving", "+2", ("driving", 2)),
        ("anti intrusion", "0", ("anti intrusion", 0)),
        ("skill.driving", "2", ("driving", 2)),
        ("skill.focus", "2", ("skill.focus", 2)),
        ("skill.cool", "1", ("skill.cool", 1)),
        ("cool", "3", ("cool", 3)),
        ("track.cool", "3", ("cool", 3)),
        ("track.hull", "6", ("track.hull", 6)),
        ("integrity", "99", ("integrity", 99)),
        ("threshold", "6", ("threshold", 6)),
        ("kind", "Mook", ("kind", "mook")),
        ("role", "SOLO", ("role", "solo")),
        ("tl", "4", ("tl", 4)),
        ("cost", "3", ("cost", 3)),
        ("takes", "An-Hour", ("takes", 7)),
        ("takes", "a few w", ("takes", 13)),
        ("influence", "-4", ("influence", -4)),
        ("slots.mild", "2", ("slots.mild", 2)),
        ("aspect.style", "Light on her feet", ("aspect.style", "Light on her feet")),
        ("ghost.old", "Never late", ("ghost.old", "Never late")),
        ("upgrade.smartlink", "Firearms + 2 / 0", ("upgrade.smartlink", "firearms+2/0")),
        ("upgrade.nerves", "cool+1/2:reputation", ("upgrade.nerves", "cool+1/2:reputation")),
        ("upgrade.hand", "quick hands+2", ("upgrade.hand", "quick hands+2/2")),
        ("upgrade.slot", "/3", ("upgrade.slot", "+0/3")),
    ],
)
def test_a_sheet_reads(key: str, value: str, read: tuple[str, int | str]) -> None:
    assert read_sheet(key, value) == read


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("driving", "fast", "A skill is a number from 0 to 20: driving=2, not fast."),
        ("driving", "-1", "A skill is a number from 0 to 20: driving=2, not -1."),
        ("cool", "100", "A threshold is a number from 0 to 99: cool=2, not 100."),
        ("track.hull", "", "A threshold is a number from 0 to 99: track.hull=2, not ."),
        ("threshold", "-1", "A threshold is a number from 0 to 99: threshold=2, not -1."),
        ("tl", "0", "A threat level is a number from 1 to 20: tl=2, not 0."),
        ("cost", "a lot", "The cost of a device is a number from 0 to 20: cost=2, not a lot."),
        ("focus", "5", "The focus of a faction is a number from -4 to 4: focus=2, not 5."),
        ("slots.mild", "10", "The number of slots is a number from 0 to 9: slots.mild=2, not 10."),
        ("slots.grave", "1", "A consequence is mild, moderate or severe: slots.mild=2, not slots.grave."),
        (
            "kind",
            "orc",
            f"The kind of a person is {KINDS}, not orc.",
        ),
        (
            "role",
            "bard",
            f"The role of a person is {ROLES}, not bard.",
        ),
        (
            "upgrade.arm",
            "2",
            "An upgrade is a skill, its boost and its stress value: upgrade.arm=firearms+2/0, not 2.",
        ),
        (
            "upgrade.arm",
            "",
            "An upgrade is a skill, its boost and its stress value: upgrade.arm=firearms+2/0, not .",
        ),
        (
            "upgrade.arm",
            "brawl+21/0",
            "The boost of an upgrade is 20 at most: upgrade.arm=firearms+2/0, not brawl+21/0.",
        ),
        (
            "upgrade.arm",
            "brawl+2/21",
            "The stress value of an upgrade is 20 at most: upgrade.arm=firearms+2/0, not brawl+2/21.",
        ),
        ("aspect.style", " ", 'An aspect is words: aspect.style="Light on her feet", not style alone.'),
        ("aspect.", "x", 'aspect. has no name: write it like aspect.style="Light on her feet".'),
        ("upgrade.", "x", "upgrade. has no name: write it like upgrade.smartlink=firearms+2/0."),
        ("skill.", "2", "skill. has no name: write it like skill.focus=2."),
        ("of", "Jade", "of= names the person whose alternate it is: of=Jade, not Jade."),
    ],
)
def test_a_sheet_refuses(key: str, value: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sheet(key, value)

    assert refused.value.sentence == sentence


def test_no_number_is_too_long_to_be_refused() -> None:
    with pytest.raises(Refused, match="A skill is a number from 0 to 20"):
        read_sheet("driving", "9" * 5000)


def test_what_a_task_takes_is_a_step_of_the_time_track() -> None:
    with pytest.raises(Refused, match="“a fortnight” is not on the time track: instant, a few moments, half"):
        read_sheet("takes", "a fortnight")


# --- what a sheet comes to --------------------------------------------------------------------------------


def told(*values: Mapping[str, Value | None], options: tuple[e.OptionSet, ...] = ()) -> Story:
    """Gatto's sheet, changed once for each of these."""
    return given(*PEOPLE, *options, *(sheet(GATTO, **one) for one in values))


def thresholds(story: Story, who: int = GATTO) -> dict[str, int]:
    own = game_state(story.table)
    return {track: own.threshold(who, track) for track in own.tracks(who)}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"skill__cool": 1}, {"cool": 3, "humanity": 2, "reputation": 2}),
        ({"cool": 5, "skill__cool": 1}, {"cool": 5, "humanity": 2, "reputation": 2}),
        ({"kind": "extra", "skill__humanity": 2}, {"cool": 3, "humanity": 5}),
        ({"kind": "goon"}, {"stress": 4}),
        ({"kind": "mook", "tl": 5}, {"stress": 5}),
        ({"kind": "faction"}, {"leverage": 3, "prestige": 3}),
        ({"kind": "device", "crew": 3, "integrity": 4}, {"crew": 3, "integrity": 4}),
        ({"kind": "device"}, {}),
        ({"kind": "problem", "threshold": 6}, {"stress": 6}),
        ({"kind": "goon", "cool": 4}, {"cool": 4}),
        ({"kind": "mook", "tl": 5, "track__nerve": 3, "crew": 2}, {"nerve": 3, "crew": 2}),
        ({"kind": "problem", "integrity": 4}, {"integrity": 4}),
        ({"kind": "faction", "integrity": 4}, {"leverage": 3, "prestige": 3, "integrity": 4}),
    ],
)
def test_a_threshold_is_what_such_a_thing_has(values: dict[str, Value], expected: dict[str, int]) -> None:
    assert thresholds(told(values)) == expected


def test_the_base_of_a_threshold_is_the_tables() -> None:
    story = told({"skill__humanity": 1}, options=(option("base_threshold", "0"),))

    assert thresholds(story) == {"cool": 0, "humanity": 1, "reputation": 0}


def test_a_problem_is_as_long_as_the_steps_from_an_exchange_to_the_task() -> None:
    """ED-25: a task of an hour, in exchanges of a few moments: 7 - 1."""
    story = begun(sheets=(sheet(LOCK, threshold=None, takes=7),), exchange=False)

    assert thresholds(story.given(exchange_began(1, step=1)), LOCK) == {"stress": 6}


def test_an_alternate_shares_two_tracks_with_the_netrunner_behind_it() -> None:
    story = told({"cool": 4}).given(sheet(JADE, kind="alternate", of=GATTO, reputation=1))

    assert thresholds(story, JADE) == {"reputation": 1, "cool": 4, "humanity": 2}


@pytest.mark.parametrize(
    ("values", "slots"),
    [
        ({}, {"mild": (1, 1), "moderate": (1, 2), "severe": (1, 4)}),
        ({"slots__severe": 2}, {"mild": (1, 1), "moderate": (1, 2), "severe": (2, 4)}),
        ({"kind": "goon"}, {"mild": (0, 1), "moderate": (1, 3), "severe": (0, 4)}),
        ({"kind": "alternate"}, {"mild": (1, 1), "moderate": (1, 2), "severe": (0, 4)}),
        ({"kind": "mook"}, {"mild": (0, 1), "moderate": (0, 2), "severe": (0, 4)}),
    ],
)
def test_consequences_have_slots_by_kind_or_by_the_sheet(
    values: dict[str, Value], slots: dict[str, tuple[int, int]]
) -> None:
    """ED-18: an upgrade gives one more severe slot."""
    one = kept(told(values)).sheet(GATTO)

    assert {severity.value: (one.slots_of(severity), one.worth(severity)) for severity in Severity} == slots


def test_what_is_taken_off_a_sheet_is_there_no_more() -> None:
    story = told(
        {"kind": "faction", "driving": 2, "focus": 1, "aspect__style": "Tall", "upgrade__arm": "brawl+2/1"},
        {"kind": None, "driving": None, "focus": None, "aspect__style": None, "upgrade__arm": None},
    )

    one = kept(story).sheet(GATTO)
    assert (one.kind, one.skills, one.numbers, one.upgrades) == ("character", {}, {}, {})
    assert kept(story).aspects == {}


def test_an_upgrade_is_read_as_it_is_written() -> None:
    for written in ("firearms+2/0", "cool+1/2:reputation", "quick hands+2/2", "+0/3"):
        read = Upgrade.read(written)
        assert read is not None
        assert str(read) == written


def test_a_sheet_is_changed_by_cast() -> None:
    changed: dict[str, Value | None] = {"takes": "an hour", "kind": "problem", "Anti-Intrusion": "2"}

    given(*PEOPLE).when(c.Cast(who=LOCK, system="edgerunner", values=changed)).then(
        sheet(LOCK, kind="problem", takes=7, **{"anti intrusion": 2})
    )


def test_an_alternate_records_its_primary() -> None:
    story = given(*PEOPLE).when(
        c.Cast(who=JADE, system="edgerunner", people={"of": GATTO}, values={"kind": "alternate"})
    )

    story.then(sheet(JADE, kind="alternate", of=GATTO))


def test_a_person_who_has_a_sheet_is_known() -> None:
    table = given(*PEOPLE, sheet(CORP, kind="faction")).table

    assert (EDGERUNNER.knows(table, CORP), EDGERUNNER.knows(table, GATTO)) == (True, False)


def test_words_are_kept_as_they_were_typed() -> None:
    cast = c.Cast(who=Words("Zoë"), system="edgerunner", values={"aspect.Style": "LOUD  and  fast"})

    given(*PEOPLE).when(cast).then(
        e.CastIntroduced(person=11, name=Words("Zoë")),
        e.SheetChanged(person=11, system="edgerunner", values={"aspect.style": "LOUD  and  fast"}),
    )


def test_Q37_thresholds_of_a_character_are_told_from_skills() -> None:
    entered, skilled = sheet(GATTO, cool=2, humanity=3), sheet(GATTO, skill__cool=2)
    story = given(*PEOPLE, entered)

    (sentence,) = EDGERUNNER.reminds(story.table, [entered])

    assert sentence == (
        "cool=2 and humanity=3 set the highest boxes; a skill, to which 2 is added:"
        " cast Gatto cool=none skill.cool=2 humanity=none skill.humanity=3."
    )
    assert [*EDGERUNNER.reminds(story.given(sheet(JADE, cool=3)).table, [sheet(JADE, cool=3)])] == [
        (
            "cool=3 sets the highest box of that track; a skill, to which 2 is added:"
            " cast Jade cool=none skill.cool=3."
        )
    ]
    assert [*EDGERUNNER.reminds(given(*PEOPLE, skilled).table, [skilled])] == []


def test_a_skill_beside_a_threshold_on_the_sheet_is_answered() -> None:
    skilled = sheet(GATTO, skill__cool=2)

    assert [*EDGERUNNER.reminds(given(*PEOPLE, sheet(GATTO, cool=2), skilled).table, [skilled])] == [
        "The threshold of cool stays 2, as on the sheet: cast Gatto cool=none ends that."
    ]
