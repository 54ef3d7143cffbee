"""The notation is complete, for every kind there is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner.rules import TIME, Act
from retold.games.whiskey import events as w
from retold.journal.store.events.kinds import EVENTS, defaults_of
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Event
from retold.projections import games, plain
from retold.projections.plain import defaults
from retold.projections.plain.ink import Ink, card, rank
from retold.projections.prose.telling import body
from retold.projections.story.attendance import people_in
from retold.projections.texts import safe
from tests.exploring import seeds
from tests.projections import samples

NAMES = {0: "gm", **{i: f"N{i}" for i in range(1, 41)}}


def leaves(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            if key == "~":
                yield ("text", one)
            else:
                yield from leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def forms(leaf: object) -> list[str]:
    """The ways in which a value of a payload may be set down."""
    if isinstance(leaf, bool):
        return [""]  # said in words
    if leaf is None:
        return ["none"]
    if isinstance(leaf, int):
        step = TIME[leaf] if 0 <= leaf < len(TIME) else "?"
        return [str(leaf), str(abs(leaf)), NAMES.get(leaf, "?"), rank(leaf), step]
    said = str(leaf)
    deck = said.rpartition(":")[2]
    return [safe.line(one) for one in (said, card(said), IN_WORDS.get(said, said), deck)]


WHOLE_FILES = {
    "homebrew.game-chosen": "definition",
    "table.picture-added": "picture",
    "table.redacted": "runs",
}
"""Fields that are a file of the table's, of which the size is noted, or digests: `dump` has them."""

FOR_PROGRAMS = {
    "table.campaign-begun": {"campaign", "seed"},
    "table.forked": {"line", "parent_hash"},
    "table.declared": {"commitment"},
}
"""Fields with hashes, and with the number of a branch that is told by its name: `--json` has them."""

NEVER_RECORDED = {"homebrew.track-changed": "seen"}
"""Fields that only a viewer's copy of an event has, in place of its numbers."""

OF_THE_FIRST_TEXT = {"table.reworded", "table.redacted"}
"""Kinds that say which text of an event they mean only where it is not the first, number 0."""

IN_WORDS = {
    "win": "beats",
    "loss": "loses to",
    "tie": "ties with",
    "defend": "defence",
    "deploy": "deployment",
    "recover": "recovery",
    "stood": "held it",
}


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("kind", EVENTS)
def test_every_value_of_a_payload_is_in_its_line(kind: str, seed: int) -> None:
    for event in samples.events(EVENTS[kind], seed, 20):
        payload, texts = body(event)
        payload.pop(NEVER_RECORDED.get(kind, ""), None)
        line = plain.line(kind, payload, texts.__getitem__, NAMES, known=True)

        assert line
        assert "\n" not in line
        untold = {WHOLE_FILES.get(kind), *FOR_PROGRAMS.get(kind, ())}
        for leaf in leaves({key: one for key, one in payload.items() if key not in untold}):
            if isinstance(leaf, tuple):
                said = texts[leaf[1]] or "[redacted]"
                assert all(safe.line(one.strip()) in line for one in said.split("\n")), (said, line)
            elif leaf != 0 or kind not in OF_THE_FIRST_TEXT:
                assert any(form in line for form in forms(leaf)), (leaf, line)


def test_every_kind_of_a_known_system_has_a_notation() -> None:
    assert [kind for kind in EVENTS if plain.noted(kind) is None] == []


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("kind", EVENTS)
def test_a_notation_shows_every_field_of_its_kind(kind: str, seed: int) -> None:
    notation = plain.noted(kind)
    assert isinstance(notation, plain.Sentence | plain.Function)

    for event in samples.events(EVENTS[kind], seed, 20):
        payload, texts = body(event)
        payload.pop(NEVER_RECORDED.get(kind, ""), None)
        _, shown = notation.line(payload, Ink(texts.__getitem__, NAMES))

        untold = {plain.FILE_FIELDS.get(kind), *FOR_PROGRAMS.get(kind, ())}
        assert {*shown, *untold, "conflict", "text"} >= payload.keys()


FUNCTIONS = [kind for kind in EVENTS if isinstance(plain.noted(kind), plain.Function)]
ANNOTATED = [kind for kind in FUNCTIONS if plain._notation(kind).NOTATIONS[kind].__annotations__]


@pytest.mark.parametrize("kind", ANNOTATED)
def test_a_notation_takes_the_event_of_its_kind(kind: str) -> None:
    taken = next(iter(plain._notation(kind).NOTATIONS[kind].__annotations__.values()))

    assert EVENTS[kind].__name__ in [name.rpartition(".")[2] for name in taken.split(" | ")]


def test_a_stored_event_has_the_defaults_of_its_class() -> None:
    """After a change that is meant, write them anew with RETOLD_GOLDEN=write."""
    found = {kind: defaults_of(EVENTS[kind]) for kind in sorted(FUNCTIONS)}
    if os.environ.get("RETOLD_GOLDEN") == "write":
        path = Path(defaults.__file__)
        before, opening, rest = path.read_text("utf-8").partition("= {\n")
        _, closing, after = rest.rpartition("}\n")
        entries = "".join(map(_literal, found, found.values()))
        path.write_text(f"{before}{opening}{entries}{closing}{after}", "utf-8")
        return

    assert found == defaults.DEFAULT_FIELDS


def _literal(kind: str, fields: dict[str, Any]) -> str:
    values = [f"{json.dumps(name)}: {_value(value)}" for name, value in fields.items()]
    line = f'    "{kind}": {{{", ".join(values)}}},\n'
    longer = "".join(f"        {value},\n" for value in values)
    return line if len(line) < 112 else f'    "{kind}": {{\n{longer}    }},\n'


def _value(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def test_a_stored_event_lacks_nothing_that_has_no_default() -> None:
    with pytest.raises(AttributeError, match=r"The event has no cost\.body\."):
        told(
            "guenask.seen",
            {"who": 1, "whose": 2, "how": "blow", "dice": [1], "total": 1, "against": 1, "cost": {}},
        )


def told(
    kind: str,
    payload: dict[str, Any],
    *texts: str | None,
    luck: tuple[str, ...] = (),
    conflict: int | None = None,
    known: bool = False,
) -> str:
    names = {0: "gm", 1: "Zel", 2: "Jon", 4: "Guards"}
    return plain.line(kind, payload, texts.__getitem__, names, luck, conflict=conflict, known=known)


def test_lines_read_as_a_table_writes_them() -> None:
    hand = {"who": 1, "deck": "bruise:1", "cards": ["JH", "10S"], "purpose": "hand"}
    won = {
        "winner": 1,
        "loser": 4,
        "quality": 11,
        "against": 9,
        "quantity": 3,
        "colours": ["hearts", "diamonds"],
        "conflict": 1,
    }

    assert told("table.cards-drawn", hand, luck=("called", "called")) == "Zel draws 2: J♥ 10♠ [called]"
    assert told("table.cards-drawn", {**hand, "deck": "bruise:2"}, luck=("dealt", "called")) == (
        "Zel draws 2 from Jon's deck: J♥ 10♠ [dealt 1, called 1]"
    )
    assert told("bruise.hand-won", won, conflict=1) == (
        "Zel wins over Guards: Quality J against 9, Quantity 3, hearts or diamonds"
    )
    assert told("bruise.hand-won", won).endswith("diamonds (conflict 1)")
    assert told("table.narrated", {"who": 1, "text": {"~": 0}}, "fell\x1b") == "Zel narrates: “fell␛”"
    assert told("table.narrated", {"who": 7, "text": {"~": 0}}, None) == "somebody (7) narrates: [redacted]"
    assert told(
        "spacetime.flow-resolved",
        {
            "conflict": 1,
            "round": 2,
            "rule": "up",
            "level_before": "balanced",
            "level": "unbalanced",
            "advantaged": 1,
            "order": [1, 4],
            "why": [{"party": 1, "card": "unknown:ruler:r", "other": 4, "against": "T14", "result": "win"}],
        },
        conflict=1,
    ) == (
        "round 2: the balance goes from balanced to unbalanced for Zel (up),"
        " because Zel's Ruler of Unknown reversed beats Guards' T14; telling: Zel, Guards"
    )


def test_people_things_and_times_are_called_what_the_table_calls_them() -> None:
    sheet = {"person": 1, "system": "edgerunner", "values": {"kind": "alternate", "of": 4, "cool": 2}}
    applied = {"who": 4, "act": "move", "shifts": -1}
    drawn = {"who": 1, "deck": "whiskey:players", "cards": ["JH"], "purpose": "check"}

    assert told("table.sheet-changed", sheet) == "Zel, edgerunner sheet: kind=alternate of=Guards cool=2"
    assert told("table.sheet-changed", {**sheet, "system": "bruise"}) == (
        "Zel, bruise sheet: kind=alternate of=4 cool=2"  # there it is a skill like any other
    )
    assert told("edgerunner.action-applied", applied) == "Guards' move is applied, with -1 shift"
    assert told("edgerunner.exchange-began", {"exchange": 1, "step": 1}) == "exchange 1, a few moments long"
    assert told("table.cards-drawn", drawn) == "Zel draws 1 from the players deck for a check: J♥"
    assert told("table.redacted", {"about": 287, "words": [0]}) == "#287: what was said is redacted"
    assert told("table.redacted", {"about": 287, "words": [0, 2]}) == (
        "#287: what was said is redacted (its texts 0 and 2)"
    )
    assert told("table.reworded", {"about": 436, "word": 0, "text": {"~": 0}}, "x") == (
        "#436 reads “x” from now on"
    )


def test_the_lines_of_a_text_are_one_line() -> None:
    text = {"who": 1, "text": {"~": 0}}

    assert told("table.narrated", text, "One.\nTwo.\n\nThree.") == "Zel narrates: “One. / Two. Three.”"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ('"And by then?"', "“And by then?”"),
        ("“And by then?”", "“And by then?”"),
        ('"No," she says. "Not yet."', '“"No," she says. "Not yet."”'),
        ('He says "no".', '“He says "no".”'),
        ('"', '“"”'),
        ('""', '“""”'),
    ],
)
def test_what_is_one_quotation_has_one_pair_of_marks(typed: str, shown: str) -> None:
    assert told("table.narrated", {"who": 1, "text": {"~": 0}}, typed) == f"Zel narrates: {shown}"


def test_person_keys_of_a_sheet_match_those_of_the_systems() -> None:
    noted: dict[str, frozenset[str]] = {
        name: getattr(games.room(name, "notation"), "ON_A_SHEET", frozenset()) for name in SYSTEMS
    }

    assert {name: system.person_keys for name, system in SYSTEMS.items()} == noted


def test_an_unknown_kind_is_shown_field_by_field_and_says_so() -> None:
    payload = {"who": 1, "depth": 3, "text": {"~": 0}, "to": [{"a": None}]}

    # Nobody knows what of it is sealed, so none of its words are shown.
    assert told("chess.moved", payload, "e4") == "chess.moved (unknown) who=Zel depth=3 to=[{a=none}]"
    assert told("chess.moved", {}, known=True) == "chess.moved"


def test_a_field_that_came_later_is_not_lost() -> None:
    assert (
        told("bruise.turn-ended", {"turn": 1, "why": "late"})
        == "turn 1 over: cards back, decks shuffled why=late"
    )


def test_the_fields_with_the_bytes_of_a_file_are_those_of_the_classes() -> None:
    assert {kind: each.file_field for kind, each in EVENTS.items() if each.file_field} == plain.FILE_FIELDS


def test_it_is_quick_to_load() -> None:
    heavy = "[name for name in sys.modules if name.startswith(('msgspec', 'jinja2', 'retold.journal.'))]"
    asked = f"import sys, retold.projections.plain; print({heavy})"

    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    known = [
        "retold.journal.possessives",
        "retold.journal.shell_verbs",
        "retold.journal.games",
        "retold.journal.visibility",
        "retold.journal.marks",
    ]
    assert found.stdout == f"{known}\n"


@given(st.dictionaries(samples.KEYS, st.one_of(samples.IDS, samples.KEYS, st.lists(samples.IDS))))
def test_no_payload_of_an_unknown_kind_is_too_strange(payload: dict[str, Any]) -> None:
    assert told("a.b", payload).startswith("a.b (unknown)")


@pytest.mark.parametrize(
    ("event", "people"),
    [
        (
            g.ActionDeclared(conflict=1, who=1, act=Act.MOVE, target=2, also=(3,), asset=4, about=5),
            {1, 2, 3, 4},
        ),
        (g.ActionDeclared(conflict=1, who=1, act=Act.ATTACK, target="Dock-Aisle"), {1}),
        (g.TakenOut(conflict=1, on=2, track="cool", by=1, over=1), {2}),
        (g.SkillRolled(who=1, skill="athletics", level=3, opponent=2, opposing="stealth"), {1, 2}),
        (w.GuardAssigned(conflict=1, who=1, target=2), {1, 2}),
        (w.TriangleProposed(conflict=1, one=1, other=2, third=3), {1, 2, 3}),
    ],
)
def test_an_event_speaks_of_those_it_is_done_to_as_well(event: Event, people: set[int]) -> None:
    assert set(people_in(event)) == people
