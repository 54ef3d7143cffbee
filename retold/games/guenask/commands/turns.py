"""Checks shared by Guenašk commands: whose turn it is, dice that may be used, and required texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from retold.game import GM, Event, PersonInConflict, Refused, Situation, Table, Words, possessive
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.commands.follow_ups import must_give
from retold.games.guenask.options import chosen
from retold.games.guenask.state import conflict_state, without_stats


def check_still_open(situation: Situation) -> None:
    """Raises Refused once the stakes are won: then the conflict can only be ended."""
    state = conflict_state(situation.here)
    if state.won is not None:
        situation.nothing_pending(situation.here)
        raise Refused(f"{situation.name(state.won)} has won the stakes, and all is settled: end conflict.")


def active_participant(situation: Situation, who: int) -> int:
    """Returns `who`, a participant in play; Refused for people who are not in the conflict or left it."""
    state = conflict_state(situation.here)
    if who not in state.people:
        raise Refused(f"{situation.name(who)} is not in this conflict: {situation.names(state.people)}.")
    if state.people[who].out:
        raise Refused(f"{situation.name(who)} is out of this conflict.")
    return who


def person_meant(situation: Situation, named: int | None, possible: Sequence[int], refusal: str) -> int:
    """Returns the person `named`, if they take part in the conflict; without a name, the only one possible.

    Raises Refused for people outside it; also, with the sentence `refusal`, if `possible` holds several
    people, or none.
    """
    if named is not None:
        return active_participant(situation, named)
    if len(possible) != 1:
        raise Refused(refusal)
    return possible[0]


def check_everybody_has_dice(situation: Situation) -> None:
    """Raises Refused while a participant has no dice yet, or the table must rule who attacks first."""
    waiting = conflict_state(situation.here).without_approach()
    if waiting and all(without_stats(situation.table, who) for who in waiting):
        raise Refused(f"No dice yet: loose ones stand for {situation.names(waiting)} (roll NAME 4d6).")
    if waiting:
        raise Refused(f"No dice yet: {situation.names(waiting)} must choose an approach first.")
    situation.nothing_pending(situation.here)


def actor(situation: Situation, named: int | None, does: str) -> int:
    """Returns the person who raises (attacks) or sees (defends): `named`, or for None the only one to act.

    Raises Refused if it is not their turn; `does` is the verb of the refusal, such as "raises".
    """
    check_still_open(situation)
    if named is not None:
        active_participant(situation, named)
    state = conflict_state(situation.here)
    if not state.order:
        check_everybody_has_dice(situation)
    turns = state.to_act()
    named = person_meant(situation, named, turns, f"Say who {does}: {situation.names(turns)}.")
    if named not in turns:
        does_now = "see" if state.raised else "raise"
        raise Refused(
            f"It is for {situation.names(turns) or 'no one'} to {does_now} now:"
            f" {situation.name(named)} acts on a raise or see of their own."
        )
    check_free(situation, named)
    return named


def check_free(situation: Situation, who: int) -> None:
    """Raises Refused for an NPC with a full track (they must give up), and for unmarked fallout of a blow."""
    name, state = situation.name(who), conflict_state(situation.here)
    if must_give(situation, who):
        fresh = state.fresh.get(who)
        resist = f", or resist with a {fresh.amount + 1} or more" if fresh else ""
        raise Refused(
            f"{possessive(name)} track is full, and an NPC gives then: give {situation.quoted(who)}{resist}."
        )
    if who in state.owed:
        raise Refused(
            f"{name} has {state.owed[who].left} fallout to take first:"
            f" fallout {situation.quoted(who)} TRACK: why, or resist."
        )


def read_sum(typed: str) -> tuple[int, ...]:
    """Returns the dice typed as a sum: "4+3" → (4, 3)."""
    return tuple(int(die) for die in typed.split("+"))


def write_sum(dice: Iterable[int]) -> str:
    """Returns the dice as they are typed: (4, 3) → "4+3"."""
    return "+".join(map(str, dice))


def check_pool(situation: Situation, who: int, dice: Sequence[int], *, free: bool) -> None:
    """Raises Refused if the person's pool lacks one of `dice`; with `free`, kept dice may not be used."""
    participant = conflict_state(situation.here).people[who]
    missing = rules.lacking(participant.pool, dice)
    if missing:
        name, lies = situation.name(who), dice_in_words(participant.pool) or "no dice"
        count = participant.pool.count(missing[0])
        has = (
            f"only {_TIMES.get(count, count)} {missing[0]}" if count else f"no {dice_in_words(missing)} left"
        )
        raise Refused(f"{name} has {has}: {lies}.")
    if free and rules.lacking(participant.spare, dice):
        raise Refused(
            f"The {dice_in_words(participant.kept)} is kept for {possessive(situation.name(who))} next raise;"
            f" what may be spent now: {dice_in_words(participant.spare) or 'nothing'}."
        )


_TIMES: Final = {1: "one", 2: "two", 3: "three"}


def dice_in_words(dice: Iterable[int]) -> str:
    """Returns the faces of the dice, separated by spaces: "4 3 1"."""
    return " ".join(map(str, dice))


def check_words(situation: Situation, text: Words | None, line: str) -> None:
    """Raises Refused if `text` is None and option `words` requires one.

    The refusal proposes the command `line`.
    """
    if text is None and chosen(situation.table, "words") == "require":
        raise Refused(f"Say it in words too (option words): {line}: what is done, and how")


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields a sentence for each attack, defence or choice of a track in `events` without a text."""
    if chosen(table, "words") == "off":
        return
    for event in events:
        who = event.who if isinstance(event, PersonInConflict) else GM
        anew = f"narrate {table.quoted(who)}: …"
        match event:
            case g.Raised(text=None):
                yield f"{possessive(table.name(who))} raise has no words yet: {anew}"
            case g.Seen(text=None):
                yield f"{possessive(table.name(who))} see has no words yet: {anew}"
            case g.FalloutTaken(bare=True):
                yield f"Nobody has said why it is {possessive(table.name(who))} {event.track} track: {anew}"
