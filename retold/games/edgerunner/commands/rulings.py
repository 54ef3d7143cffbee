"""Questions that wait for an answer, the events of answers, and numbers that a ruling can set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from retold.game import (
    GM,
    Event,
    OpenConflict,
    Question,
    Refused,
    RulingKey,
    Situation,
    Table,
    check_not_negative,
    conflicts,
    new_number,
    normalise,
    possessive,
    quoted,
    set_by_table,
    whole,
)
from retold.game import RulingChange as Change
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import shifts_set, situation_after, with_follow_ups
from retold.games.edgerunner.commands.positions import active_members, current_conflict, track_meant
from retold.games.edgerunner.commands.sheets import MOST_BOXES
from retold.games.edgerunner.commands.stress import Blow, boxes_for, strike
from retold.games.edgerunner.options import NAME
from retold.games.edgerunner.rules import Act
from retold.games.edgerunner.state import Border, Offer, Owed, conflict_state, game_state, open_roll_in

DEAD: Final = "dead"
KILLER: Final = "killer"
MOST_POINTS: Final = 999
MOST_SHIFTS: Final = 99


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events of a ruling's numbers in order, each applied before the next is computed."""
    return with_follow_ups(situation, set_by_table(situation, ruling, RULING_KEYS, NAME, _unknown))


def _unknown(situation: Situation, setting: e.Setting) -> str:
    if setting.person is None:
        return (
            "A ruling sets a person's number (ruling Gatto.points+=1: why) or what a border can take"
            f" (ruling Dock-Aisle=4: why), not {setting.what}."
        )
    name = situation.name(setting.person)
    return (
        f"A ruling sets points, shifts, out, dead, or a track's stress or threshold ({name}.cool-stress+=2,"
        f" {name}.cool-threshold=4), not {setting.what}."
    )


def _points(change: Change) -> int:
    own = game_state(change.situation.table)
    if own.hand(change.person) == GM:
        name = change.situation.name(change.person)
        raise Refused(f"{name} draws on the referee's fate points, and these are not counted.")
    return own.held(own.hand(change.person))


def _set_points(change: Change) -> list[Event]:
    """Returns the event that sets a player's fate points; a character's name means their player."""
    hand = game_state(change.situation.table).hand(change.person)
    return [g.NumberSet(conflict=change.situation.where, on=hand, what="points", value=change.number)]


def _shifts(change: Change) -> int:
    situation = change.situation
    roll = open_roll_in(situation.table, situation.conflict)
    if roll is None or roll.who != change.person or not roll.rolled:
        raise Refused(f"{situation.name(change.person)} has no roll open whose shifts could be set.")
    return roll.shifts


def _set_shifts(change: Change) -> list[Event]:
    now = change.situation
    ruled = g.NumberSet(conflict=now.where, on=change.person, what="shifts", value=change.number)
    return [ruled, shifts_set(situation_after(now, [ruled]))]


# --- tracks and borders -----------------------------------------------------------------------------------


def _track(change: Change) -> str:
    return track_meant(change.situation, change.person, change.name or None)


def _set_stress(change: Change) -> list[Event]:
    """Returns the events of a ruling on stress: `cool-stress+=2` strikes, `cool-stress=0` clears the track.

    A blow by ruling has no attacker. Raises Refused for other changes, and if there is nothing to clear.
    """
    who, setting, track, name = change.person, change.setting, _track(change), change.situation.name
    if setting.op == "=" and setting.value == 0:
        if not game_state(change.situation.table).marked(who, track):
            raise Refused(f"{name(who)} has no box marked on {track}.")
        return [g.StressCleared(who=who, tracks=(track,))]
    amount = new_number(setting, 0)
    if setting.op != "+=" or not 1 <= amount <= MOST_BOXES:
        lines = f"{name(who)}.{track}-stress+=2, {name(who)}.{track}-stress=0"
        raise Refused(f"Stress is taken, or all of it is gone: {lines}.")
    return strike(change.situation, who, Blow(track, amount, None, "ruling"))


def _set_threshold(change: Change) -> list[Event]:
    """Returns the event that sets the threshold (highest box) of a track, as it is without defences."""
    track = _track(change)
    bearer = game_state(change.situation.table).bearer(change.person, track)
    return [
        g.NumberSet(
            conflict=change.situation.where,
            on=bearer,
            what="threshold",
            track=track,
            value=change.number,
        )
    ]


def _set_border(change: Change) -> list[Event]:
    """Returns the event that sets the threshold of a border named in a ruling.

    Example: `ruling Dock-Aisle=4: a steel door`. Raises Refused for unknown borders.
    """
    situation, setting = change.situation, change.setting
    state = None if situation.conflict is None else current_conflict(situation)
    border = None if state is None else state.border_named(setting.what)
    if border is None:
        raise Refused(_unknown(situation, setting))
    return [border_threshold(situation, border, str(new_number(setting, border.threshold or 0)))]


def border_threshold(situation: Situation, border: Border, typed: str) -> g.NumberSet:
    """Returns the event that sets a border's threshold to `typed`, 0 to 99; raises Refused otherwise."""
    value = whole(typed)
    if value is None:
        raise Refused(f"What a border can take is a number: ruling threshold=4: why, not {typed}.")
    if check_not_negative(value) > MOST_BOXES:
        raise Refused(f"{value} is too much: {MOST_BOXES} is the most a ruling sets here.")
    return g.NumberSet(conflict=situation.here.id, on=border.name, what="threshold", value=value)


# --- out and dead -----------------------------------------------------------------------------------------


def _check_said_once(change: Change) -> None:
    if new_number(change.setting, 0) != 1:
        line = f"{change.situation.name(change.person)}.{change.setting.what}=1"
        raise Refused(f"That is said once, and undo takes it back: {line}.")


def _set_out(change: Change) -> list[Event]:
    _check_said_once(change)
    situation, who = change.situation, change.person
    if situation.conflict is not None and who in current_conflict(situation).out:
        raise Refused(f"{situation.name(who)} is taken out already.")
    return [struck_out(situation, who)]


def struck_out(situation: Situation, who: int) -> g.TakenOut:
    """Returns the event that takes a person out without an attacker, by a ruling.

    If they owe stress for an upgrade, its track and amount are recorded as the cause.
    """
    owed = game_state(situation.table).owed.get(who)
    track, over = (None, 0) if owed is None else (owed.track, owed.left)
    return g.TakenOut(conflict=situation.where, on=who, by=None, track=track, over=over)


def _set_dead(change: Change) -> list[Event]:
    """Returns the event of a person's death, and of stress that fills their killer's track humanity.

    Raises Refused if they are dead already.
    """
    _check_said_once(change)
    situation = change.situation
    if change.person in game_state(situation.table).dead:
        raise Refused(f"{situation.name(change.person)} is dead already.")
    by = _killer(change)
    dead = g.CharacterKilled(conflict=situation.where, who=change.person, by=by)
    return [dead, *_humanity_filled(situation, by)]


def _killer(change: Change) -> int | None:
    """Returns the killer: named in the ruling, or the last attacker who took the dead out this session.

    None if neither exists, or a ruling says that this attacker did not kill. Raises Refused for several
    killers.
    """
    named = [setting for setting in change.ruling.sets if normalise(setting.what) == KILLER]
    claims = {setting.person: setting.value for setting in named}
    killers = [who for who, value in claims.items() if value and who is not None]
    if len(killers) > 1:
        raise Refused(f"One kills, and {change.situation.names(killers)} are several.")
    felled_by = game_state(change.situation.table).felled.get(change.person)
    return killers[0] if killers else None if felled_by in claims else felled_by


def _humanity_filled(situation: Situation, killer: int | None) -> list[Event]:
    own, track = game_state(situation.table), rules.HUMANITY
    if killer is None or track not in own.tracks(killer):
        return []
    threshold, marked = own.threshold(killer, track), own.marked(killer, track)
    boxes = tuple(box for box in range(1, threshold + 1) if box not in marked)
    if not boxes:
        return []
    return [
        g.StressMarked(
            conflict=situation.where,
            on=killer,
            track=track,
            amount=threshold,
            boxes=boxes,
            threshold=threshold,
            why="killing",
        )
    ]


def _set_killer(change: Change) -> list[Event]:
    """Returns an empty list: the key `killer` is evaluated by `dead` in the same ruling.

    Raises Refused if the ruling lacks `dead`.
    """
    if not any(normalise(setting.what) == DEAD for setting in change.ruling.sets):
        raise Refused("A killer needs a victim on the same line: ruling Gatto.dead=1 Hargan.killer=1: why.")
    return []


RULING_KEYS: Final = (
    RulingKey("points", _set_points, _points, most=MOST_POINTS),
    RulingKey(
        "shifts",
        _set_shifts,
        _shifts,
        -MOST_SHIFTS,
        MOST_SHIFTS,
        "A roll is between {least} and {most} shifts, not at {value}.",
    ),
    RulingKey("out", _set_out),
    RulingKey(DEAD, _set_dead),
    RulingKey(KILLER, _set_killer),
    RulingKey("TRACK stress", _set_stress),
    RulingKey(
        "TRACK threshold",
        _set_threshold,
        lambda change: game_state(change.situation.table).own_threshold(change.person, _track(change)),
        most=MOST_BOXES,
    ),
    RulingKey("BORDER", _set_border, of_table=True),
)
"""Numbers that a ruling can set; of a person's only track, the name may be left out."""


OUT: Final = "out"
"""Answer to strain without an open box."""

AS_IT_WAS: Final = "as-it-was"
"""Answer that redraws a destroyed border as before."""


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Returns the conflict's questions that wait for an answer, in the order in which they are asked.

    These are compels, strain, missing thresholds, untold fates, spin, tied bids and destroyed borders.
    """
    finders = (_compel, _strain, _threshold, _tale, _spin, _bid, _border)
    return tuple(question for ask in finders for question in ask(table, conflict))


# --- questions --------------------------------------------------------------------------------------------


def waiting(table: Table) -> tuple[Question, ...]:
    """Returns the questions that wait outside conflicts, none of which blocks play: compels, then strain.

    Strain is the stress that people still owe for upgrades.
    """
    own = game_state(table)
    busy = {
        who for conflict in table.conflicts.values() if conflict.system == NAME for who in conflict.people
    }
    compels = [Question("compel", _asked_of(table, offer), (), None, blocks=False) for offer in own.offers]
    strains = [
        Question("strain", _strain_in_words(table, who, owed), (), None, blocks=False)
        for who, owed in own.owed.items()
        if who not in busy
    ]
    return (*compels, *strains)


def _compel(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for offer in conflict_state(conflict).offers[:1]:
        yield Question("compel", _asked_of(table, offer), (), conflict.id)


def compel_in_words(table: Table, offer: Offer) -> str:
    """Returns a clause on a compel: `Jo compels Gatto by “fired once”`."""
    aspect = game_state(table).aspects.get(offer.aspect)
    story = "" if aspect is None else f" by “{aspect.wording}”"
    return f"{table.shown(offer.by, 'The game master')} compels {table.name(offer.who)}{story}"


def _asked_of(table: Table, offer: Offer) -> str:
    asked = f"accept {table.quoted(offer.who)}, or refuse {table.quoted(offer.who)}"
    return f"{compel_in_words(table, offer)}: {asked}."


def _strain(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for who, owed in [*_strained(table, conflict)][:1]:
        has_box = boxes_for(table, who, owed.track, owed.left) is not None
        answers = () if has_box else (OUT,)
        yield Question("strain", _strain_in_words(table, who, owed, answers), answers, conflict.id)


def _strain_in_words(table: Table, who: int, owed: Owed, answers: tuple[str, ...] = ()) -> str:
    name, due = table.name(who), f"{owed.left} {owed.track} stress for {owed.upgrade}"
    if answers:
        return f"{name} has {due} to take, and it finds no box: a consequence takes it, or {name} is out."
    return f"{name} has {due} to take: resist {quoted(name)} {owed.track} {owed.left}."


def _strained(table: Table, conflict: OpenConflict) -> Iterator[tuple[int, Owed]]:
    """Yields people of this conflict who still have to take stress for an upgrade, with that stress."""
    yield from ((who, owed) for who, owed in game_state(table).owed.items() if who in conflict.people)


def _threshold(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    border = _attacked(conflict)
    if border is not None and border.threshold is None and border.defence is None:
        sentence = (
            f"What can the border {border.name} take? The referee says: ruling threshold=4: what it is."
        )
        yield Question("threshold", sentence, (), conflict.id)


def _attacked(conflict: OpenConflict) -> Border | None:
    """Returns the border that the current act attacks; None if it attacks none."""
    act = conflict_state(conflict).act
    if act is None or act.act is not Act.ATTACK or act.about is not None or not isinstance(act.target, str):
        return None
    return conflict_state(conflict).border_named(act.target)


def _tale(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    sides = [side for side in conflict.sides if active_members(table, conflict, side)]
    for tale in conflict_state(conflict).tales[:1]:
        out, by = table.name(tale.on), table.name(tale.by)
        sentence = f"{out} is taken out, and {by} tells what becomes of them: narrate {by}: how it ends."
        yield Question("tale", sentence, (), conflict.id, blocks=len(sides) < conflicts.FEWEST_SIDES)


def _spin(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    state = conflict_state(conflict)
    if state.spins_loose and state.spins_by is not None:
        mover, spins = table.name(state.spins_by), state.spins_loose
        sentence = f"{possessive(mover)} move gives the other side {spins} spin: who holds it?"
        yield Question("spin", sentence, _opponents(conflict, state.spins_by), conflict.id)


def _opponents(conflict: OpenConflict, mover: int) -> tuple[int, ...]:
    """Returns the people on sides opposed to `mover`, without people taken out."""
    side, out = conflict.side_of(mover), conflict_state(conflict).out
    return tuple(who for who in conflict.people if conflict.side_of(who) != side and who not in out)


def _bid(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    tied = rules.highest_bid(conflict_state(conflict).tied)
    if tied:
        names = " and ".join(map(table.name, tied))
        yield Question(
            "bid", f"{names} bid the same: who acts first? (Or they bid again.)", tied, conflict.id
        )


def _border(table: Table, conflict: OpenConflict) -> Iterator[Question]:
    for name, by in [*conflict_state(conflict).broken.items()][:1]:
        border = _broken(conflict, name)
        drawn = f"map {border.one} 1 {border.other}"
        sentence = f"The border {name} is taken out: what is it now? {table.name(by)} says ({drawn})."
        yield Question("border", sentence, (AS_IT_WAS,), conflict.id, blocks=False)


def _broken(conflict: OpenConflict, name: str) -> Border:
    border = conflict_state(conflict).border_named(name)
    assert border is not None  # noqa: S101 -- what was taken out is on the map
    return border


# --- answers ----------------------------------------------------------------------------------------------


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events that follow a ruling's answer to a question.

    Raises Refused for questions that a verb answers, such as `accept` for a compel.
    """
    return ANSWERS[ruling.question or ""](situation, ruling)


def _answered_by_verb(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    questions = pending(situation.table, situation.here)
    sentence = next(question.asked for question in questions if question.name == ruling.question)
    raise Refused(f"A ruling does not answer that. {sentence}")


def _tied_bid_answered(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    assert isinstance(ruling.answer, int)  # noqa: S101 -- the answers are people
    bids = tuple(g.Bid(who=who, shifts=shifts) for who, shifts in current_conflict(situation).tied.items())
    return [g.TurnClaimed(conflict=situation.here.id, who=ruling.answer, bids=bids)]


def _spin_answered(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    state = current_conflict(situation)
    assert isinstance(ruling.answer, int)  # noqa: S101 -- the answers are people
    assert state.spins_by is not None  # noqa: S101 -- checked by the caller
    return [
        g.SpinGained(
            conflict=situation.here.id, who=state.spins_by, holder=ruling.answer, spins=state.spins_loose
        )
    ]


def _border_answered(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    border = _attacked(situation.here)
    assert border is not None  # noqa: S101 -- checked by the caller
    return [border_threshold(situation, border, str(ruling.answer))]


def _strain_answered(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    who, owed = next(_strained(situation.table, situation.here))
    if ruling.answer != OUT or boxes_for(situation.table, who, owed.track, owed.left) is not None:
        return _answered_by_verb(situation, ruling)
    return with_follow_ups(situation, [struck_out(situation, who)])


def _border_redrawn(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the event that draws a destroyed border again, with its former ways in both directions."""
    border = _broken(situation.here, next(iter(current_conflict(situation).broken)))
    drawn = [g.BorderDrawn(one=border.one, other=border.other, passes=border.there)]
    if border.back is not None:
        drawn.append(g.BorderDrawn(one=border.other, other=border.one, passes=border.back))
    return [g.ZonesMapped(conflict=situation.here.id, zones=(), borders=tuple(drawn))]


ANSWERS: Mapping[str, Callable[[Situation, e.RulingMade], list[Event]]] = {
    "compel": _answered_by_verb,
    "strain": _strain_answered,
    "threshold": _border_answered,
    "tale": _answered_by_verb,
    "spin": _spin_answered,
    "bid": _tied_bid_answered,
    "border": _border_redrawn,
}
"""Functions that turn an answer into events, by the question's name."""
