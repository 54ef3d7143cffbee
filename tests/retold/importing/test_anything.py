"""Any units with any labels and words: recorded whole and once, and played again as a script."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.importing.taking_in import take_in
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from retold.sources import Unit
from retold.sources.answers import Answers, Person, Use, folded_label
from retold.sources.dice import Rung, Throw
from retold.sources.unit import Fact, FactKind, Sort
from tests.retold.importing.given import begun, script, source, unit

ODD = [
    "table",
    "gm",
    "all",
    "2d6",
    "Zel",
    "zél",
    '"',
    "a\nb",
    "x:y",
    "--to Zel",
    "s3:42",
    "@-1",
    "Ana, Bo",
    "~",
    "—",
]
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
NAME = st.one_of(st.sampled_from(ODD), TEXT)
LABELS = st.lists(NAME, min_size=1, max_size=4, unique=True)
THROW = st.builds(
    Throw,
    st.sampled_from(Rung),
    TEXT,
    st.sampled_from(["", "2d6", "1d20+5", "4d6kh3", "d%", "2d6+", "100d1000"]),
    st.lists(st.integers(-3, 30), max_size=4).map(tuple),
    st.one_of(st.none(), st.integers(-(10**9), 10**9)),
    TEXT,
    st.one_of(st.sampled_from(["DC 15", "<= 60", "vs 9", "999999"]), TEXT),
    TEXT,
)
FACT = st.builds(Fact, st.sampled_from(FactKind), NAME, st.one_of(st.just("3/6"), TEXT), NAME)


@st.composite
def logs(draw: st.DrawFn) -> tuple[list[Unit], Answers]:
    labels = draw(LABELS)
    units, minutes = [], 0.0
    for number in range(draw(st.integers(1, 6))):
        minutes += draw(st.sampled_from([0, 0.5, 5, 300]))
        made = unit(
            str(number + 1),
            draw(st.sampled_from(["", *labels])),
            draw(TEXT),
            draw(st.sampled_from([minutes, None])),
            sort=draw(st.sampled_from(Sort)),
            channel=draw(st.sampled_from(["", "one", "two"])),
            hidden=draw(st.booleans()),
            to=tuple(draw(st.lists(st.sampled_from(labels), max_size=2))),
            throws=tuple(draw(st.lists(THROW, max_size=2))),
            facts=tuple(draw(st.lists(FACT, max_size=2))),
            pinned=draw(st.booleans()),
            attached=tuple(draw(st.lists(st.just("[picture: map.png]"), max_size=1))),
            answers=draw(st.sampled_from(["", "1", "2"])),
        )
        if draw(st.integers(0, 9)) == 0:
            made = replace(made, unread=True, raw=draw(TEXT))
        units.append(made)
    people = {
        label: Person(
            plays=draw(st.one_of(st.just(""), NAME)), role=draw(st.sampled_from(["", "npc", "bot", "nobody"]))
        )
        for label in labels
    }
    answers = Answers(
        zone="Europe/Lisbon",
        sessions=draw(st.sampled_from(["", "day", "one", "thread", "week"])),
        game_master=("Mary", *draw(st.lists(st.sampled_from(labels), max_size=1))),
        channels={"two": draw(st.sampled_from(Use))},
        audience={name: (draw(st.sampled_from(["gm", "table"])),) for name in ("one", "two")},
        people=people,
        quotes=draw(st.booleans()),
        marks=draw(st.booleans()),
    )
    return units, answers


@given(logs())
def test_any_log_comes_in_whole_and_once(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[list[Unit], Answers]
) -> None:
    units, answers = made
    folder = tmp_path_factory.mktemp("any")
    if len({folded_label(label) for label in answers.people}) < len(answers.people):
        return  # two labels that fold alike are asked about
    checked = take_in(None, [source(*units)], answers, check=True)
    with begun(folder / "x.retold") as campaign:
        intake = campaign.take_in([source(*units)], answers)
        assert (intake.new, intake.throws, intake.sessions_new) == (
            checked.new,
            checked.throws,
            checked.sessions_new,
        )
        assert campaign.verify().whole
        again = campaign.take_in([source(*units)], answers)
        assert (again.new, again.acts, again.changed, again.gone) == (0, 0, [], [])
        lines = script(campaign)
    with CampaignStore.create(folder / "again.retold") as store:
        scribe = Scribe(store, 1)
        for _ in play_script(scribe, Script("script", "\n".join(lines).encode())):
            pass
