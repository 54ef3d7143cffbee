"""Conflicts: opening, stakes, joining, leaving, giving, and ending."""

from __future__ import annotations

from collections.abc import Iterator

from journal.decks import dice
from journal.refused import Refused
from journal.shared import conflicts
from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask.commands.approaches import may_come_in
from journal.systems.guenask.commands.follow_ups import bears_fallout, deaths, must_give, with_follow_ups
from journal.systems.guenask.commands.sheets import read_dice
from journal.systems.guenask.commands.turns import active_participant, check_still_open
from journal.systems.guenask.commands.verbs import Give, SetStakes
from journal.systems.guenask.options import chosen
from journal.systems.guenask.state import conflict_state, without_stats
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

DICE = "dice"
SETUP_KEYS = {"first": "NAME", DICE: "4d6"}
"""Keys of the conflict's line: the initiator, and loose dice for sides without a sheet."""

VICTORY = "victory"
ENDINGS = ("ended", "stalemate", VICTORY)


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns the opening events: the conflict, the initiator of `first=`, and the loose dice of `dice=`."""
    people = [person for side in opened.sides for person in side]
    first = opened.setup.get("first")
    if first is not None and first not in people:
        who = situation.name(first) if isinstance(first, int) else first
        raise Refused(f"first= names who initiates it, so somebody in this conflict, not {who}.")
    events: list[Event] = [opened.but({"setup": {}})]
    if isinstance(first, int):
        events.append(g.InitiatorNamed(conflict=opened.conflict, who=first))
    return [*events, *_loose_dice(situation, opened)]


def _loose_dice(situation: Situation, opened: e.ConflictOpened) -> Iterator[Event]:
    """Yields the loose dice of `dice=` for each person who has neither stats nor a player; rolls them."""
    if DICE not in opened.setup:
        return
    people = [who for side in opened.sides for who in side]
    bare = [who for who in people if without_stats(situation.table, who) and not _has_player(situation, who)]
    typed = read_dice(str(opened.setup[DICE]))
    if not bare or bare == people:
        have = "nobody else stands against it" if bare else "everybody has one"
        raise Refused(f"{DICE}= on this line is for a side without a sheet, and here {have}.")
    if opened.text is None:
        raise Refused(f"What is at stake comes before the dice, after a colon: … {DICE}={typed}: the boat.")
    for who in bare:
        may_come_in(situation, who)
        sizes = dice.parse_sizes(typed)
        faces = situation.luck.faces(sizes)
        yield e.DiceRolled(conflict=opened.conflict, who=who, dice=dice.dice_text(sizes), faces=tuple(faces))


def _has_player(situation: Situation, who: int) -> bool:
    """True if the character's player is somebody other than the game master."""
    player = situation.table.people[who].player
    return who != GM and player not in (None, GM, situation.table.people[GM].player)


def set_stakes(situation: Situation, command: SetStakes) -> list[Event]:
    """Decides `stakes`: sets the stakes of one person or of all; refused after the first raise."""
    state = conflict_state(situation.here)
    if state.last is not None or state.won is not None:
        raise Refused("Somebody has raised for these stakes already: they stand as they are.")
    who = None if command.who is None else active_participant(situation, command.who)
    return [g.StakesSet(conflict=situation.here.id, who=who, text=command.text)]


def end(situation: Situation, command: c.End) -> list[Event]:
    """Decides `end conflict`: stakes already won stay won, and the ending `victory NAME` wins them."""
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
    """Returns the deaths decided in this conflict; refuses unknown endings and undecided fates."""
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
    """Returns the event that adds newcomers; refuses the dead, full NPCs and people who left before."""
    check_still_open(situation)
    for who in joined.people:
        if who in conflict_state(situation.here).people:
            raise Refused(
                f"{situation.name(who)} has left this conflict, and whoever is out of it stays out."
            )
        may_come_in(situation, who)
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the departure with its consequences: leavers give, and the last side left wins the stakes."""
    check_still_open(situation)
    return with_follow_ups(situation, [left])


def give(situation: Situation, command: Give) -> list[Event]:
    """Decides `give`: the person drops out without new fallout; fallout already owed must be taken first."""
    check_still_open(situation)
    who = _giver(situation, command.who)
    state = conflict_state(situation.here)
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


def _giver(situation: Situation, named: int | None) -> int:
    if named is not None:
        return active_participant(situation, named)
    turns = conflict_state(situation.here).to_act()
    if len(turns) != 1:
        raise Refused(f"Say who gives: {situation.names(conflict_state(situation.here).active())}.")
    return turns[0]


def _kept_die(situation: Situation, who: int) -> int | None:
    """Returns the best die of a person who gives instead of raising, if option `give_keeps` is on."""
    state = conflict_state(situation.here)
    if not chosen.yes(situation.table, "give_keeps") or state.raised or who not in state.raisers():
        return None
    if not bears_fallout(situation, who):
        return None
    return max(state.people[who].pool, default=None)


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """Refuses `concede`, a verb of other systems, and proposes `give`."""
    raise Refused("Nobody concedes in Guenašk; giving up needs no offer: give NAME: how.")
