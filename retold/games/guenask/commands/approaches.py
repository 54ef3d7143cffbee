"""Commands that add dice to a person's pool in Guenašk: `approach`, `escalate`, `bring`, and `roll`.

An approach is a way to enter the conflict that rolls two stats; loose dice belong to people without stats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from retold.game import (
    GM,
    Ambiguous,
    Event,
    Refused,
    Situation,
    Unknown,
    Value,
    dice,
    find,
    nearest,
    normalise,
    possessive,
    quoted,
)
from retold.game import commands as c
from retold.game import events as e
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.commands.follow_ups import must_give, with_follow_ups
from retold.games.guenask.commands.sheets import read_dice, relationship_dice, trait_dice
from retold.games.guenask.commands.turns import active_participant, actor, check_still_open, person_meant
from retold.games.guenask.commands.verbs import Approaches, Bring, Enter, Escalate
from retold.games.guenask.options import NAME, chosen
from retold.games.guenask.rules import Approach
from retold.games.guenask.state import (
    BELONGING,
    DANGER,
    FAMILY,
    RELATIONSHIP,
    Thing,
    conflict_state,
    dice_lost,
    game_state,
    split_key,
    without_stats,
)


def enter(situation: Situation, command: Enter) -> list[Event]:
    """Returns the events of `approach`: the approach chosen, dice of its two stats and of things brought.

    Once the last participant has rolled dice, the turn order follows.
    """
    check_still_open(situation)
    _check_staked(situation)
    waiting = conflict_state(situation.here).without_approach()
    say_who = f"Say who: {situation.names(waiting) or 'everybody has chosen an approach'}."
    who = person_meant(situation, command.who, waiting, say_who)
    name, participant = situation.name(who), conflict_state(situation.here).people[who]
    may_come_in(situation, who)
    if participant.approach is not None:
        raise Refused(
            f"{name} has chosen already ({participant.approach});"
            " to go about it otherwise, on a raise or see:"
            f" escalate {situation.quoted(who)} {_another_approach(participant.approach)}."
        )
    if participant.loose:
        raise Refused(
            f"{name} has rolled loose dice already;"
            f" on a raise or see of their own: roll {situation.quoted(who)} 2d6."
        )
    approach = command.approach
    stats = _stats(situation, who, approach, command)
    chose = g.ApproachChosen(
        conflict=situation.here.id,
        who=who,
        approach=approach,
        stats=tuple(stats),
        follow_up=game_state(situation.table).follow_ups.get(who),
        text=command.text,
    )
    things = [*_brought_things(situation, who, command.things, command.setup)]
    return with_follow_ups(situation, _roll_all(situation, who, chose, stats, things))


def _another_approach(approach: Approach) -> Approach:
    """Returns some approach different from `approach`, as an example for a refusal's sentence."""
    return next(other for other in Approach if other is not approach)


def _check_staked(situation: Situation) -> None:
    if not conflict_state(situation.here).staked:
        raise Refused("Say what is at stake first (stakes: what is won, and what happens otherwise).")


def may_come_in(situation: Situation, who: int) -> None:
    """Raises Refused if the person may not take part in a conflict: the dead, and NPCs with a full track."""
    name = situation.name(who)
    if who in game_state(situation.table).dead:
        raise Refused(
            f"{name} is dead (ruling {situation.quoted(who)}.dead=0: why, if that is no longer so)."
        )
    if must_give(situation, who):
        raise Refused(
            f"{possessive(name)} track is full, so {name} takes no part;"
            f" outside a conflict: clear {situation.quoted(who)} stages: why."
        )


def escalate(situation: Situation, command: Escalate) -> list[Event]:
    """Returns the events of `escalate`: a new approach of the person to act, dice of stats not rolled yet.

    Raises Refused if it is not their turn to raise (attack) or see (defend), or if they have that approach
    already.
    """
    who = actor(situation, command.who, "escalates")
    was, name = conflict_state(situation.here).people[who].approach, situation.name(who)
    approach = command.approach
    if was is None:
        raise Refused(
            f"{name} has loose dice and no approach;"
            f" it grows by more of them: roll {situation.quoted(who)} 2d6."
        )
    if was is approach:
        raise Refused(f"{name} goes about it {approach} already: choose another approach.")
    stats = _stats(situation, who, approach, command)
    escalated = g.Escalated(
        conflict=situation.here.id,
        who=who,
        approach=approach,
        was=was,
        stats=tuple(stats),
        text=command.text,
    )
    things = [*_brought_things(situation, who, command.things, command.setup)]
    return with_follow_ups(situation, _roll_all(situation, who, escalated, stats, things))


def bring(situation: Situation, command: Bring) -> list[Event]:
    """Returns the events of `bring`: dice of things the person brings in, on their turn to attack or defend.

    A person without stats may also use it to enter the conflict.
    """
    who = _entrant_or_actor(situation, command.who, "brings things in")
    things = [*_brought_things(situation, who, command.things, command.setup)]
    if not things:
        raise Refused("Say what is brought in, such as: bring Thoss pistol=1d4+1d8 --dangerous.")
    events = _roll_all(situation, who, None, (), things)
    position = next(place for place, event in enumerate(events) if isinstance(event, g.BroughtIn))
    events[position] = events[position].but({"text": command.text})
    return with_follow_ups(situation, events)


# --- loose dice -------------------------------------------------------------------------------------------


def roll(situation: Situation, command: c.Roll) -> list[Event]:
    """Returns the events of `roll`: loose dice for a participant without stats: a storm, a lock, a crowd."""
    if command.who is None:
        raise Refused(f"Say whose dice they are, and how many: {_roll_proposal(situation)}.")
    if command.who not in conflict_state(situation.here).people:
        known = situation.names(conflict_state(situation.here).people)
        raise Refused(
            f"{situation.name(command.who)} is not in this conflict ({known}): {_roll_proposal(situation)}."
        )
    if not without_stats(situation.table, command.who):
        raise Refused(
            "Dice come onto this table by approach, escalate or bring, and lie there till they are spent."
        )
    if command.dice is None:
        raise Refused(f"Say which dice: roll {situation.quoted(command.who)} 4d6.")
    who = _entrant_or_actor(situation, command.who, "rolls more")
    rolled = loose_dice(situation, situation.here.id, who, read_dice(command.dice))
    return with_follow_ups(situation, [rolled.but({"text": command.text})])


def loose_dice(situation: Situation, conflict: int, who: int, typed: str) -> e.DiceRolled:
    """Throws dice such as "4d6" for a person, and returns the event with their faces."""
    sizes = dice.parse_sizes(typed)
    return _dice_rolled(conflict, who, sizes, situation.luck.faces(sizes))


def _roll_proposal(situation: Situation) -> str:
    """Returns the `roll` commands possible for participants without stats, to propose in a refusal.

    If each participant has stats, returns a sentence that says so.
    """
    loose = [who for who in conflict_state(situation.here).active() if without_stats(situation.table, who)]
    lines = " or ".join(f"roll {situation.quoted(who)} 4d6" for who in loose)
    return lines or "all here have stats, and roll them by approach"


def _entrant_or_actor(situation: Situation, who: int, does: str) -> int:
    """Returns `who` if they may roll loose dice or bring things now, or raises Refused.

    Allowed: a person without stats who enters now, or the person whose turn it is to raise (attack) or see
    (defend). `does` words the refusal.
    """
    check_still_open(situation)
    participant = conflict_state(situation.here).people.get(who)
    if participant is None or participant.entered or not without_stats(situation.table, who):
        return actor(situation, who, does)
    _check_staked(situation)
    may_come_in(situation, active_participant(situation, who))
    return who


# --- stats ------------------------------------------------------------------------------------------------


def _stats(situation: Situation, who: int, approach: Approach, command: Approaches) -> list[g.StatBrought]:
    """Returns the approach's stats not yet rolled in this conflict, each with its number of dice now.

    Empty for a person without stats, who rolls only things they bring; Refused if they bring none.
    """
    if without_stats(situation.table, who):
        if command.things or command.setup:
            return []
        raise Refused(_no_sheet_sentence(situation, who))
    rolled = conflict_state(situation.here).people[who].stats
    return [_stat(situation, who, stat) for stat in approach.stats if stat not in rolled]


def _no_sheet_sentence(situation: Situation, who: int) -> str:
    name = situation.name(who)
    loose = f"{name} has no sheet here, so roll loose dice: roll {situation.quoted(who)} 4d6"
    return (
        f"{loose}."
        if who == GM
        else f"{loose}; or write one: cast {situation.quoted(who)} {NAME} body=2 mind=2 soft=2 hard=2."
    )


def _stat(situation: Situation, who: int, stat: rules.Stat) -> g.StatBrought:
    sheet = game_state(situation.table).sheet(who)
    if stat not in sheet.stats:
        name = situation.name(who)
        raise Refused(
            f"{name} has no {stat.capitalize()} on the sheet: cast {situation.quoted(who)} {NAME} {stat}=3."
        )
    full = sheet.stats[stat]
    left = rules.dice_rolled(full, dice_lost(situation.table, who, stat))
    return g.StatBrought(stat=stat, dice=left, lost=(full - left) or None)


# --- things -----------------------------------------------------------------------------------------------


def _brought_things(
    situation: Situation, who: int, named: Sequence[str], given: Mapping[str, Value]
) -> Iterator[tuple[Thing, list[Event]]]:
    """Yields each thing brought in, by name from the sheet or new, with the sheet changes it causes.

    Raises Refused if a thing is unknown, named twice, or rolled already in this conflict.
    """
    rolled = set(conflict_state(situation.here).people[who].things)
    used = set(rolled)
    for thing in (*(_thing_on_sheet(situation, who, typed) for typed in named), *_new_things(given)):
        if (thing.source, thing.name) in used:
            name = situation.name(who)
            if (thing.source, thing.name) not in rolled:
                raise Refused(_named_twice_sentence(thing.name))
            raise Refused(f"{name} has rolled {thing.name} in this conflict, and each thing is rolled once.")
        used.add((thing.source, thing.name))
        yield _with_family_dice(situation, thing), [*_assign_dice(situation, who, thing, given)]


def _named_twice_sentence(name: str) -> str:
    quoted = f': its words belong in quotes, "{name}"' if " " in name else ""
    return f"{name} is named twice{quoted}."


def _thing_on_sheet(situation: Situation, who: int, typed: str) -> Thing:
    """Returns the thing on the person's sheet that `typed` names or abbreviates; Refused if none or several.

    The prefix "danger." before the name makes a belonging dangerous in this conflict.
    """
    prefix, name = split_key(normalise(typed))
    things = [*game_state(situation.table).sheet(who).things()]
    fit = [thing for thing in things if not prefix or _fits_prefix(thing, prefix)]
    try:
        place = find(name, {place: (thing.name,) for place, thing in enumerate(fit)})
    except Ambiguous:
        alike = [f"{thing.prefix}{thing.name}" for thing in fit if thing.name.startswith(name)]
        raise Ambiguous(typed, alike) from None
    except Unknown:
        other = next((thing for thing in things if thing.name == name), None)
        if other is not None:
            raise Refused(_wrong_prefix_sentence(other, prefix)) from None
        raise Refused(
            _not_on_sheet_sentence(situation, who, typed, [thing.name for thing in things])
        ) from None
    return fit[place]._replace(dangerous=fit[place].dangerous or prefix == DANGER)


def _wrong_prefix_sentence(thing: Thing, prefix: str) -> str:
    if prefix == DANGER:
        return (
            f"{thing.name} is a {thing.source} and no danger: --dangerous is said of everything on the line,"
            f" {DANGER} before a name of that alone, such as {DANGER}knife=1d4."
        )
    return f"{thing.name} is a {thing.source}: bring it without {prefix} before its name."


def _fits_prefix(thing: Thing, prefix: str) -> bool:
    if prefix in (BELONGING, DANGER):
        return thing.source == "belonging"
    return thing.prefix == prefix


def _not_on_sheet_sentence(situation: Situation, who: int, typed: str, known: Sequence[str]) -> str:
    name = situation.name(who)
    close = nearest(typed, known)
    hint = f"Did you mean {' or '.join(close)}?" if close else ""
    hint = hint or f"On the sheet: {', '.join(known) or 'nothing yet'}."
    added = "" if who == GM else f" or add it: cast {situation.quoted(who)} {NAME} {quoted(typed)}=1d6"
    return f"{name} has no {typed}. {hint} Bring it with its dice ({quoted(typed)}=1d6){added}."


def _new_things(given: Mapping[str, Value]) -> Iterator[Thing]:
    for key, value in given.items():
        (prefix, name), typed = split_key(normalise(key)), str(value)
        if prefix == RELATIONSHIP:
            yield Thing(name, "relationship", relationship_dice(name, typed))
        elif prefix in (BELONGING, DANGER):
            yield Thing(name, "belonging", read_dice(typed), prefix == DANGER)
        else:
            yield Thing(name, "trait", trait_dice(name, typed))


def _with_family_dice(situation: Situation, thing: Thing) -> Thing:
    """Returns the thing; a family relationship without own dice gets the dice of option `family_dice`."""
    return thing._replace(dice=chosen(situation.table, "family_dice")) if thing.dice == FAMILY else thing


def _assign_dice(situation: Situation, who: int, thing: Thing, given: Mapping[str, Value]) -> Iterator[Event]:
    """Yields the sheet change for a new relationship: its dice are taken from the sheet's unassigned dice.

    Yields nothing for other things. Raises Refused if the relationship exists already, or dice are missing.
    """
    key = f"{RELATIONSHIP}{thing.name}"
    sheet = game_state(situation.table).sheet(who)
    if thing.source != "relationship" or key not in map(normalise, given) or thing.dice == FAMILY:
        return
    if thing.name in sheet.relationships:
        raise Refused(
            f"{thing.name} is on the sheet with {sheet.relationships[thing.name]}: bring it without dice."
        )
    left = list(dice.parse_sizes(sheet.unassigned)) if sheet.unassigned else []
    for size in dice.parse_sizes(thing.dice):
        if size not in left:
            name = situation.name(who)
            raise Refused(
                f"{name} has {sheet.unassigned or 'no dice'} unassigned, so no {thing.dice} for {thing.name};"
                f" a relationship the table allows is added with"
                f" cast {situation.quoted(who)} {quoted(key)}={thing.dice}."
            )
        left.remove(size)
    values: dict[str, Value | None] = {key: thing.dice, "unassigned": dice.dice_text(left) if left else None}
    yield e.SheetChanged(person=who, system=NAME, values=values)


# --- the roll ---------------------------------------------------------------------------------------------


def _roll_all(
    situation: Situation,
    who: int,
    entrance: Event | None,
    stats: Sequence[g.StatBrought],
    things: Sequence[tuple[Thing, list[Event]]],
) -> list[Event]:
    """Rolls the dice of stats and things in one throw; returns each source's event, followed by its dice.

    The order is `entrance` (an approach or escalation) with the dice of `stats`, then thing by thing.
    """
    batches: list[tuple[list[Event], list[tuple[int, ...]]]] = []
    if entrance is not None:
        batches.append(([entrance], [(6,) * stat.dice for stat in stats]))
    for thing, changes in things:
        brought = g.BroughtIn(
            conflict=situation.here.id,
            who=who,
            what=thing.name,
            source=thing.source,
            dice=thing.dice,
            dangerous=thing.dangerous,
        )
        batches.append(([*changes, brought], [dice.parse_sizes(thing.dice)]))
    sizes_of_all = [size for _, handfuls in batches for sizes in handfuls for size in sizes]
    faces = situation.luck.faces(sizes_of_all)
    events: list[Event] = []
    for before, handfuls in batches:
        events += before
        for sizes in filter(None, handfuls):
            shown, faces = faces[: len(sizes)], faces[len(sizes) :]
            events.append(_dice_rolled(situation.here.id, who, sizes, shown))
    return events


def _dice_rolled(conflict: int, who: int, sizes: Sequence[int], faces: Sequence[int]) -> e.DiceRolled:
    return e.DiceRolled(conflict=conflict, who=who, dice=dice.dice_text(sizes), faces=tuple(faces))
