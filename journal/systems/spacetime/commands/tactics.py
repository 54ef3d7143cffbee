"""A party says what it means to do, before any card is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from journal.decks.spacetime import Suit
from journal.names import fold, quoted
from journal.refused import Refused
from journal.shared import speech
from journal.system import Situation
from journal.systems.spacetime import rules
from journal.systems.spacetime.commands.rounds import Now
from journal.systems.spacetime.commands.speaking import not_over, speaker
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.state import Challenge, Mode, Round, parties, play
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event, Value


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """A party states its tactic: once a round, and in a challenge with an attribute."""
    not_over(situation)
    now = Now.of(situation)
    left = [party for party in parties(situation.here) if party not in now.round.tactics]
    voice = speaker(situation, command.who, "states a tactic", left)
    state = play(situation.here)
    setup = command.setup
    if state.challenge is not None:
        setup = _attribute(situation, voice.who, state.challenge, setup)
    elif setup:
        raise Refused("A tactic takes no key=value: declare NAME: the tactic.")
    elif state.mode is Mode.CONFLICT and voice.party in now.round.tactics:
        name = situation.name(voice.party)
        raise Refused(f"{name} has stated a tactic this round: the next is stated after the flow.")
    declared = command.but({"who": voice.who, "setup": setup})
    return [*now.before, *speech.declare(situation, declared)]


def _attribute(
    situation: Situation, who: int, challenge: Challenge, setup: Mapping[str, Value]
) -> dict[str, Value]:
    """The attribute somebody meets a challenge with, by its suit's name."""
    name = situation.name(who)
    if challenge.drawn or challenge.laid:
        raise Refused(f"Cards are drawn already: {name} meets this challenge as declared.")
    attributes = {_suit(key): value for key, value in setup.items()}
    if len(attributes) != 1:
        raise Refused(f"Say the one attribute {name} uses: declare {quoted(name)} unknown=4: the means.")
    ((suit, value),) = attributes.items()
    if not str(value).isdecimal() or int(value) not in rules.ATTRIBUTES:
        raise Refused(f"An attribute is {rules.ATTRIBUTES[0]} to {rules.ATTRIBUTES[-1]}, not {value}.")
    return {suit.value: int(value)}


def _suit(typed: str) -> Suit:
    word = fold(typed)
    found = [Suit.BLADES] if word == "scissors" else [suit for suit in Suit if suit.startswith(word)]
    if len(found) != 1:
        raise Refused(f"{typed} is no attribute: {', '.join(Suit)}.")
    return found[0]


def all_have_tactics(situation: Situation, round_: Round) -> None:
    """Refuses cards while a party has yet to state its tactic, if this table asks for tactics."""
    if not chosen.yes(situation.table, "require_tactics"):
        return
    missing = [party for party in parties(situation.here) if party not in round_.tactics]
    if missing:
        names = situation.names(missing)
        raise Refused(f"Tactics come before cards, and these have stated none this round: {names}.")


def read_sheet(key: str, value: str) -> NoReturn:
    """Nothing is kept on a sheet: an attribute is said with the declaration that uses it."""
    raise Refused(f"Space·Time keeps no sheet, so no {key}={value}: declare NAME unknown=4: the means.")
