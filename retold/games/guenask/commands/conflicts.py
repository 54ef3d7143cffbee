"""Decisions of Guenašk about whole conflicts: opening, stakes, joining, leaving, giving up, ending."""

from __future__ import annotations

from collections.abc import Iterator

from retold.game import GM, Event, Refused, Situation, conflicts
from retold.game import commands as c
from retold.game import events as e
from retold.games.guenask import events as g
from retold.games.guenask.commands.approaches import loose_dice, may_come_in
from retold.games.guenask.commands.follow_ups import bears_fallout, deaths, must_give, with_follow_ups
from retold.games.guenask.commands.sheets import read_dice
from retold.games.guenask.commands.turns import active_participant, check_still_open, person_meant
from retold.games.guenask.commands.verbs import Give, SetStakes
from retold.games.guenask.options import chosen
from retold.games.guenask.state import conflict_state, without_stats

DICE = "dice"
SETUP_KEYS = {"first": "NAME", DICE: "4d6"}
"""Keys of the conflict's line: the initiator, and loose dice for sides without a sheet."""

VICTORY = "victory"
ENDINGS = ("ended", "stalemate", VICTORY)


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns the opening event, the initiator given by `first=NAME`, and the dice given by `dice=4d6`.

    Raises Refused if the initiator is not in the conflict, or no side needs the dice.
    """
    people = [person for side in opened.sides for person in side]
    first = opened.setup.get("first")
    if first is not None and first not in people:
        who = situation.name(first) if isinstance(first, int) else first
        raise Refused(f"first= names who initiates it, so a person in this conflict, not {who}.")
    events: list[Event] = [opened.but({"setup": {}})]
    if isinstance(first, int):
        events.append(g.InitiatorNamed(conflict=opened.conflict, who=first))
    return [*events, *_loose_dice(situation, opened)]


def _loose_dice(situation: Situation, opened: e.ConflictOpened) -> Iterator[Event]:
    """Rolls the dice of the key `dice=` for each person without stats and without a player; yields the rolls.

    Raises Refused if no one, or each person, is such a person, and if the stakes are not named.
    """
    if DICE not in opened.setup:
        return
    people = [who for side in opened.sides for who in side]
    bare = [who for who in people if without_stats(situation.table, who) and not _has_player(situation, who)]
    typed = read_dice(str(opened.setup[DICE]))
    if not bare or bare == people:
        have = "no other side opposes it" if bare else "all have one"
        raise Refused(f"{DICE}= on this line is for a side without a sheet, and here {have}.")
    if opened.text is None:
        raise Refused(f"What is at stake comes before the dice, after a colon: … {DICE}={typed}: the boat.")
    for who in bare:
        may_come_in(situation, who)
        yield loose_dice(situation, opened.conflict, who, typed)


def _has_player(situation: Situation, who: int) -> bool:
    """True if the character's player is not the game master."""
    player = situation.table.people[who].player
    return who != GM and player not in (None, GM, *situation.table.game_masters)


def set_stakes(situation: Situation, command: SetStakes) -> list[Event]:
    """Returns the event of `stakes`, of one person or of all; Refused after the first attack."""
    state = conflict_state(situation.here)
    if state.last is not None or state.won is not None:
        raise Refused("These stakes have a raise already, and can no longer change.")
    who = None if command.who is None else active_participant(situation, command.who)
    return [g.StakesSet(conflict=situation.here.id, who=who, text=command.text)]


def end(situation: Situation, command: c.End) -> list[Event]:
    """Returns the events of `end`, which end the conflict.

    Stakes won already stay won; `victory NAME` wins them for that person.
    """
    events = conflicts.end(situation, command)
    state, ended = conflict_state(situation.here), events[-1]
    if not isinstance(ended, e.ConflictEnded) or state.owed:
        return events
    if state.won is not None:
        return [*events[:-1], ended.but({"how": "won", "winner": state.won})]
    if ended.how == VICTORY and ended.winner is not None:
        return [*events[:-1], g.StakesWon(conflict=ended.conflict, winner=ended.winner), ended]
    return events


def close(situation: Situation, how: str) -> list[Event]:
    """Returns a death event for each character who dies at this conflict's end.

    Raises Refused for an unknown ending, and while the table has not decided a possible death.
    """
    if how not in ENDINGS:
        raise Refused(
            f"A Guenašk conflict ends without a word, as stalemate, or as victory NAME; {how} is not known."
        )
    undecided = conflict_state(situation.here).undecided()
    if undecided:
        name = situation.name(undecided[0])
        raise Refused(
            f"{name} has two full tracks: does {name} die of it? Rule on that first (ruling death=dies: how)."
        )
    return deaths(situation)


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """Returns the event `joined` unchanged.

    Raises Refused for the dead, NPCs with a full track, and people who left before.
    """
    check_still_open(situation)
    for who in joined.people:
        if who in conflict_state(situation.here).people:
            raise Refused(f"{situation.name(who)} has left this conflict, and cannot come back.")
        may_come_in(situation, who)
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the event of leaving and the events it brings about: one side left alone wins the stakes."""
    check_still_open(situation)
    return with_follow_ups(situation, [left])


def give(situation: Situation, command: Give) -> list[Event]:
    """Returns the events of `give`: the person gives up and leaves the conflict, without new fallout (harm).

    Raises Refused while fallout of a blow is still to be marked.
    """
    check_still_open(situation)
    state = conflict_state(situation.here)
    say_who = f"Say who gives: {situation.names(state.active())}."
    who = person_meant(situation, command.who, state.to_act(), say_who)
    if who in state.owed:
        raise Refused(f"{situation.name(who)} has taken a blow: its fallout comes first, then they may give.")
    gave = g.Gave(
        conflict=situation.here.id,
        who=who,
        forced=must_give(situation, who),
        die=_kept_die(situation, who),
        text=command.text,
    )
    return with_follow_ups(situation, [gave])


def _kept_die(situation: Situation, who: int) -> int | None:
    """Returns the best die of a person who gives up instead of attacking, kept for their next conflict.

    None unless option `give_keeps` is on, it is their turn to raise (attack), and they have a sheet or
    stages.
    """
    state = conflict_state(situation.here)
    if not chosen.yes(situation.table, "give_keeps") or state.raised or who not in state.raisers():
        return None
    if not bears_fallout(situation, who):
        return None
    return max(state.people[who].pool, default=None)


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """Raises Refused always: `concede` belongs to other games; the refusal proposes `give`."""
    raise Refused("Guenašk has no concessions; giving up needs no offer: give NAME: how.")
