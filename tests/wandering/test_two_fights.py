"""Two fights at once, `--in` everywhere, names that retcons change and others take, and slips in them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

import pytest

from retold.journal.language.expecting import check_expectation
from retold.journal.language.lexing import lex
from retold.journal.refused import Refused
from retold.journal.store.events import line_events
from retold.journal.store.verify.rules import verify_rules
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import events as e
from tests.exploring import seeds
from tests.wandering.asked import record_is_whole
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, OPENINGS, SETUPS, SPICE
from tests.wandering.wander import step

FIGHTS: Final = {"One": 'Zel vs "Two Guards"', "Two": "Ned vs Rats"}
NAMES: Final = ("Zel", "Ned", "Rats", "Two Guards", "Captain", "Mara", "Gatto")
SLIPS: Final = {"Rats": "Rast", "Two Guards": "Two Gaurds"}
"""Names, each with a slip that no other name is like."""

MANY: Final = 25


def fought(game: str, luck: random.Random, night: Evening) -> None:
    """Both fights are open, and a line is spoken to either, with what else may happen to names between."""
    for line in (*CAST[game], "session A night"):
        night.type(line)
    for title, sides in FIGHTS.items():
        night.type(f"conflict {title} {game} {sides} {luck.choice(SETUPS[game])}: the keys")
    for title in FIGHTS:
        for line in OPENINGS[game]:
            night.type(spoken_to(title, line))
    does: list[Callable[[str, random.Random, Evening], None]] = [acted] * 6 + [
        retold,
        met,
        slipped,
        cast_again,
    ]
    for _ in range(MANY):
        luck.choice(does)(game, luck, night)
        facts_are_of_the_fight_they_are_asked_of(night)


def spoken_to(title: str, line: str) -> str:
    verb, _, rest = line.partition(" ")
    return f"{verb} --in {title} {rest}"


def acted(game: str, luck: random.Random, night: Evening) -> None:
    step(night, spoken_to(luck.choice([*FIGHTS]), luck.choice(SPICE[game])))


def retold(_game: str, luck: random.Random, night: Evening) -> None:
    """Somebody is called otherwise from the beginning, by a retcon, or from now on."""
    lives = line_events.live_events(night.scribe.campaign.record, night.scribe.line)
    somebody = [live for live in lives if isinstance(live.event, e.CastIntroduced)]
    live = luck.choice(somebody)
    assert isinstance(live.event, e.CastIntroduced)
    name = luck.choice(NAMES)
    now = night.table.quoted(live.event.person)
    step(night, luck.choice([f"retcon {live.position}: {name}", f'cast {now} name="{name}"']))


def met(game: str, luck: random.Random, night: Evening) -> None:
    """Somebody comes in under a name that may have been another's."""
    name = luck.choice(NAMES)
    title = luck.choice([*FIGHTS])
    step(
        night,
        luck.choice([f'cast "{name}" {game}', f'join --in {title} "{name}"', f'leave --in {title} "{name}"']),
    )


def cast_again(game: str, luck: random.Random, night: Evening) -> None:
    step(night, luck.choice(CAST[game]))


def slipped(game: str, luck: random.Random, night: Evening) -> None:
    """A name with a slip in it is never taken, wherever it stands, and nothing is recorded."""
    name, slip = luck.choice([*SLIPS.items()])
    if night.table.called(name) is None or night.table.called(slip) is not None:
        return
    written = f'"{name}"' if " " in name else name
    lines = [line for line in (*SPICE[game], *OPENINGS[game]) if written in line.partition(": ")[0]]
    if not lines:
        return
    before = night.scribe.writer.head.position
    typed = luck.choice(lines).replace(written, slip.replace(" ", "-"))
    step(night, spoken_to(luck.choice([*FIGHTS]), typed))
    assert night.scribe.writer.head.position == before, f"taken with a slip in it: {typed}"


def facts_are_of_the_fight_they_are_asked_of(night: Evening) -> None:
    """`expect --in` finds what the fight it names has, of everything that can be asked."""
    table = night.table
    for conflict in table.conflicts.values():
        for subject, fact in SYSTEMS[conflict.system].facts.items():
            for who in conflict.people if fact.of_person else (None,):
                found = tuple(word for value in fact.read(table, conflict, who) for word in value.split())
                name = "" if who is None else table.quoted(who)
                assert asked(night, f"expect --in {conflict.id} {subject} {name} never-said") in (
                    found,
                    None,
                ), f"{subject} of conflict {conflict.id}"


def asked(night: Evening, line: str) -> tuple[str, ...] | None:
    """What `expect` says it has found; None where the line asks for nothing that there is."""
    try:
        check_expectation(lex(line), night.table)
    except Refused as refusal:
        found = re.search(r", found (.*)\.$", refusal.sentence)
        words = None if found is None else tuple(found[1].split())
        return () if words == ("nothing",) else words
    return None


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("game", [game for game in CAST if game != "homebrew"])
def test_two_fights_and_names_that_change_hands_are_decided_alike(game: str, seed: int) -> None:
    with evening() as night:
        fought(game, random.Random(f"two {game} {seed}"), night)
        told = "\n".join(night.told())

        assert [str(one) for one in verify_rules(night.scribe.campaign, night.scribe.line)] == [], told
        record_is_whole(night.scribe)
