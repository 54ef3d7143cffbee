"""Conditions: put on people and taken off, and what they do to rolls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from journal.names import CLOSE, fold, matching, nearest, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.keeping import ON, changed, keep
from journal.systems.homebrew.commands.verbs import Keep, Roll, SetCondition
from journal.systems.homebrew.events import kept_subjects
from journal.systems.homebrew.rules import Kind, Move, Sways, takes_twice
from journal.systems.homebrew.state import shelf
from journal.visibility import TABLE, shared_by
from journal.vocabulary.base import Event
from journal.words import Words


def keep_or_turn(situation: Situation, command: Keep) -> list[Event]:
    """A track is kept; of a condition the value is on or off."""
    name = _declared(situation, command)
    if name is None:
        return keep(situation, command)
    on = ON.get(command.value.casefold())
    if on is None:
        raise Refused(f"{name} is a condition: it is on or off, not {command.value}.")
    said = SetCondition(who=(command.who,), condition=name, to="on" if on else "off", text=command.text)
    return set_condition(situation, said)


def _declared(situation: Situation, command: Keep) -> str | None:
    """The condition that a line of `track` names; None where it names a track."""
    here, typed = shelf(situation.table), fold(command.track)
    if any(fold(name).startswith(typed) for name in (*here.game.tracks, *here.known(command.who))):
        return None
    known = (*here.game.conditions, *here.conditions.get(command.who, ()))
    found = matching(typed, {name: (name,) for name in known})
    return found[0] if len(found) == 1 else None


def set_condition(situation: Situation, command: SetCondition) -> list[Event]:
    """Puts the condition on everybody named, or takes it off; Refused if nothing changes."""
    on, already = command.to != "off", list[str]()
    events: list[Event] = []
    for who in dict.fromkeys(command.who):
        name = condition_called(situation, who, command.condition, on=on)
        found = list(turned(situation, who, name, on=on, text=None if events else command.text))
        if not found:
            already.append(_already(situation, who, name, on=on))
        events += found
    if not events:
        raise Refused(" ".join(already))
    return events


def _already(situation: Situation, who: int, name: str, *, on: bool) -> str:
    """That a condition is so already; with the line that tells all, where not everybody knows it."""
    said = f"{situation.name(who)} {f'is {name} already' if on else f'is not {name}'}"
    this, sheet = kept_subjects(who, name)
    secret = situation.table.secrets.get(this)
    if secret is None or situation.visible_to != TABLE:
        return f"{said}."
    if sheet in situation.table.secrets or situation.table.secret(who) is not None:
        return f"{said}."
    return f"{said}, and not everybody knows: reveal {secret.positions[-1]}."


def condition_called(situation: Situation, who: int, typed: str, *, on: bool) -> str:
    """A condition by its name, typed in a hurry or not; any name where the game has none of its own."""
    here = shelf(situation.table)
    tracks = (name for name, track in here.game.tracks.items() if track.kind is Kind.CONDITION)
    theirs = here.conditions.get(who, ())
    known = dict.fromkeys((*here.game.conditions, *tracks, *theirs))
    first = theirs if not on else ()
    for names in (first, known):
        found = matching(typed, {name: (name,) for name in names})
        if len(found) == 1:
            return found[0]
        if found:
            raise Refused(f"{typed} may be {' or '.join(found)}.")
    if not here.game.conditions:
        return fold(typed)
    close = nearest(typed, known, at_least=CLOSE)
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    line = f"track {situation.quoted(who)} {quoted(fold(typed))} 1/1"
    raise Refused(
        f"There is no condition {typed} in {here.game.title}.{meant} There is: {', '.join(known)}."
        f" For one of your own: {line}."
    )


def turned(
    situation: Situation,
    who: int,
    name: str,
    *,
    on: bool,
    move: str | None = None,
    rest: str | None = None,
    text: Words | None = None,
) -> Iterator[Event]:
    """A condition of somebody's is on or off now; nothing where it is so already."""
    here = shelf(situation.table)
    if here.has(who, name) == on:
        return
    if name in here.game.tracks:
        change = changed(situation, who, name, int(on), most=1, move=move)
        yield change.but({"rest": rest, "text": text})
    else:
        yield h.ConditionChanged(
            conflict=situation.where, who=who, condition=name, on=on, move=move, rest=rest, text=text
        )


# --- what they do to rolls --------------------------------------------------------------------------------


class Swayed(NamedTuple):
    """What conditions do to a roll, with what the line says."""

    twice: str | None
    """`adv` or `dis`; one of each come to neither."""
    added: tuple[tuple[int, str], ...] = ()
    """Each number that is added, and the condition that does it."""
    names: tuple[str, ...] = ()
    """The conditions that counted."""
    once: tuple[str, ...] = ()
    """Those of them that end with it."""
    whose: tuple[tuple[str, str], ...] = ()
    """Whose condition gave adv or dis, and which it was."""

    @property
    def number(self) -> int:
        """All that is added."""
        return sum(number for number, _ in self.added)


def sway(situation: Situation, who: int, command: Roll, name: str, move: Move) -> Swayed:
    """What the conditions of whoever rolls, and of whoever it is against, do to a roll of that move.

    Only those count that all who see the roll may know of.
    """
    found: list[tuple[str, Sways]] = []
    whose: list[tuple[str, str]] = []
    once: list[str] = []
    for condition, one in shelf(situation.table).game.conditions.items():
        if one.moves and name not in one.moves:
            continue
        if _counts(situation, who, condition, one.rolls, move) and one.rolls is not None:
            found.append((condition, one.rolls))
            whose += [(situation.name(who), condition)] if isinstance(one.rolls, str) else []
            once += [condition] if one.once else []
        if _counts(situation, command.opponent, condition, one.against, move) and one.against is not None:
            found.append((condition, one.against))
            target = situation.name(command.opponent or 0)
            whose += [(target, condition)] if isinstance(one.against, str) else []
    ways = {command.twice, *(by for _, by in found if isinstance(by, str))} - {None}
    return Swayed(
        next(iter(ways)) if len(ways) == 1 else None,
        tuple((by, condition) for condition, by in found if isinstance(by, int)),
        tuple(dict.fromkeys(condition for condition, _ in found)),
        tuple(once),
        tuple(whose),
    )


def _counts(situation: Situation, who: int | None, condition: str, by: Sways | None, move: Move) -> bool:
    """Whether somebody has a condition that does something to such dice, and all may know it."""
    if who is None or not shelf(situation.table).has(who, condition):
        return False
    fits = not isinstance(by, str) or takes_twice(move.dice)
    return fits and is_known(situation, *kept_subjects(who, condition))


def spent(situation: Situation, who: int, move: str, swayed: Swayed) -> Iterator[Event]:
    """Conditions that end with the roll they counted in."""
    for name in swayed.once:
        if may_change(situation, *kept_subjects(who, name)):
            yield from turned(situation, who, name, on=False, move=move)


# --- secrets ----------------------------------------------------------------------------------------------


def is_known(situation: Situation, *subjects: str) -> bool:
    """Whether all who see what is decided may know of every one of these subjects."""
    secrets = (situation.table.secrets.get(one) for one in subjects)
    see = situation.visible_to
    return all(one is None or shared_by(see, one.visible_to) == see for one in secrets)


def may_change(situation: Situation, *subjects: str) -> bool:
    """Whether what is decided may change one of these: in secret nothing changes that everybody knows."""
    return situation.visible_to == TABLE or any(one in situation.table.secrets for one in subjects)
