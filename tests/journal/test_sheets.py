"""What a game says of its sheets is so: each key is taken, over its whole range and no further."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.games.edgerunner.state.game_state import FIELDS, PREFIXES, TRACK_NAMES
from retold.games.guenask import state as guenask
from retold.games.whiskey.state import NUMBERS
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.system import SheetKey, System
from retold.journal.systems import SYSTEMS
from retold.scribe import Scribe

LISTED = [(system, key) for system in SYSTEMS.values() for key in system.sheet]
every_key = pytest.mark.parametrize(
    ("system", "key"), LISTED, ids=[f"{system.name}-{key.key}" for system, key in LISTED]
)


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "a.retold") as campaign:
        yield Scribe(campaign, 1)


def typed(key: SheetKey) -> str:
    """The key of its example."""
    return re.split(r"(?<=.)=", key.example, maxsplit=1)[0].strip('"')


def taken(system: System, key: SheetKey, value: str) -> bool:
    try:
        system.read_sheet(typed(key), value)
    except Refused:
        return False
    return True


def test_every_game_but_spacetime_has_a_sheet() -> None:
    assert [system.name for system in SYSTEMS.values() if not system.sheet] == ["spacetime"]


@every_key
def test_F7_its_example_is_taken_as_a_line(system: System, key: SheetKey, scribe: Scribe) -> None:
    scribe.say("cast Jade")
    before = scribe.table.position

    scribe.say(f"cast Zel {system.name} {key.example}")

    assert scribe.table.position > before
    assert key.about
    assert key.takes


@every_key
def test_F7_its_example_is_of_that_key(system: System, key: SheetKey) -> None:
    pattern = re.escape(key.key)
    for blank in ("NAME", "KEY", "SEVERITY"):
        pattern = pattern.replace(blank, ".+")
    assert re.fullmatch(pattern, typed(key))


@every_key
def test_F7_its_range_is_all_of_it_and_no_more(system: System, key: SheetKey) -> None:
    if key.least is not None:
        assert taken(system, key, str(key.least))
        assert not taken(system, key, str(key.least - 1))
    if key.most is not None:
        assert taken(system, key, str(key.most))
        assert not taken(system, key, str(key.most + 1))


@every_key
def test_F7_its_words_are_all_of_them(system: System, key: SheetKey) -> None:
    if key.words:
        assert [word for word in key.words if not taken(system, key, word)] == []
        assert not taken(system, key, "none of these")


def test_F7_no_key_is_kept_back() -> None:
    known = {
        "bruise": {"clubs", "spades", "hearts", "diamonds"},
        "edgerunner": {*FIELDS, *PREFIXES, *TRACK_NAMES},
        "guenask": {*guenask.FIELDS, *guenask.PREFIXES},
        "whiskey": {*NUMBERS, "faction"},
    }
    for name, keys in known.items():
        listed = {re.sub(r"(?<=\.)[A-Z]+", "", key.key) for key in SYSTEMS[name].sheet}
        assert listed - {"NAME"} == keys


# --- B7 ---------------------------------------------------------------------------------------------------


def test_B7_a_key_that_is_likely_another_is_asked_back(scribe: Scribe) -> None:
    with pytest.raises(
        Refused, match=r"^Did you mean tl=3\? There is no key level, so it would be a skill"
    ) as no:
        scribe.say("cast Thugs edgerunner kind=mook level=3")

    assert "skill.level=3" in str(no.value)
    assert "retold systems edgerunner --sheet" in str(no.value)


@pytest.mark.parametrize(
    "system", [one for one in SYSTEMS.values() if one.mistaken], ids=lambda one: one.name
)
def test_B7_both_keys_it_proposes_are_taken(system: System, scribe: Scribe) -> None:
    for mistaken, meant in system.mistaken.items():
        scribe.say(f"cast Thugs {system.name} {meant}=3")
        scribe.say(f"cast Thugs {system.name} skill.{mistaken}=3")


def test_B7_a_skill_of_that_name_in_an_old_record_stays_what_it_was() -> None:
    assert SYSTEMS["edgerunner"].read_sheet("level", "3") == ("level", 3)
