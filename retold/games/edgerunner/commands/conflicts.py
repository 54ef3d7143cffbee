"""Opening and closing conflicts, joining, leaving, concessions, narrations, and a session's start."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from retold.game import (
    GM,
    Concession,
    Event,
    Refused,
    Situation,
    Table,
    Value,
    conflicts,
    listed,
    normalise,
    notes_and_speech,
    possessive,
    quoted,
)
from retold.game import commands as c
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import (
    closing_events,
    defences_with,
    with_follow_ups,
)
from retold.games.edgerunner.commands.positions import (
    MAP,
    METAPHOR,
    PLACES,
    active_members,
    actors,
    are_allies,
    current_conflict,
    pay_fate_points,
)
from retold.games.edgerunner.commands.sheets import read_sheet
from retold.games.edgerunner.commands.turns import describe_act
from retold.games.edgerunner.options import CALLER, NAME, chosen
from retold.games.edgerunner.rules import Kind
from retold.games.edgerunner.state import Tale, conflict_state, game_state

AGREED: Final = ("ended", "agreed")
CONCEDED: Final = "conceded"

SHEETLESS: Final = {"threshold": Kind.PROBLEM, "takes": Kind.PROBLEM, "tl": Kind.MOOK}
"""Setup keys that create a sheet for an opponent without one, with the sheet's kind."""

SETUP: Final[Mapping[str, str]] = {
    "threshold": "4",
    "takes": '"an hour"',
    "tl": "3",
    MAP: METAPHOR,
    CALLER: "NAME",
}
"""Setup keys of `conflict`, each with an example value."""


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns the opening event, preceded by sheets for opponents described by setup keys (`threshold=4`).

    Raises Refused for dead people, for other values of `map`, and for a caller who is not a player.
    """
    check_living(situation, (who for side in opened.sides for who in side))
    if opened.setup.get(MAP, PLACES) not in (PLACES, METAPHOR):
        raise Refused(f"A map is of {PLACES} or a {METAPHOR}: {MAP}={METAPHOR}, not {opened.setup[MAP]}.")
    caller = opened.setup.get(CALLER)
    if isinstance(caller, int) and situation.table.people[caller].role == "side":
        name = situation.quoted(caller)
        raise Refused(f"The caller sits at the table: {CALLER}= names a player, or gm, and not {name}.")
    return [*_sheets_from_setup(situation, opened), opened]


def _sheets_from_setup(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Returns a sheet per opponent without one, as a setup key (`threshold`, `takes` or `tl`) describes it.

    Empty without such a key. Raises Refused for two such keys, or if each opponent has a sheet.
    """
    keys = [key for key in SHEETLESS if key in opened.setup]
    if not keys:
        return []
    known = game_state(situation.table).sheets
    others = [who for side in opened.sides[1:] for who in side if who not in known and who != GM]
    if len(keys) > 1 or not others:
        why = (
            "cannot be combined with another key"
            if len(keys) > 1
            else "is for opponents without a sheet, and all have one"
        )
        raise Refused(f"{keys[0]}= {why}: cast NAME edgerunner kind=problem threshold=4.")
    key, value = read_sheet(keys[0], str(opened.setup[keys[0]]))
    values: dict[str, Value | None] = {"kind": SHEETLESS[key].value, key: value}
    return [e.SheetChanged(person=who, system=NAME, values=values) for who in others]


def check_living(situation: Situation, people: Iterable[int]) -> None:
    """Raises Refused if any of `people` is dead."""
    for who in people:
        if who in game_state(situation.table).dead:
            raise Refused(f"{situation.name(who)} is dead.")


def close(situation: Situation, how: str) -> list[Event]:
    """Returns the events that end a conflict's unfinished acts, defences and free invokes.

    `how` is the ending: `ended`, `agreed`, or `conceded` after a concession. Raises Refused for other
    endings, while an act is unfinished (unless conceded), and while the fate of a person taken out is untold.
    """
    conceded = how == CONCEDED and situation.here.concession is not None
    if how not in AGREED and not conceded:
        raise Refused(
            "A conflict ends when a side is taken out, by a concession (concede NAME: story), or as all"
            f" agree: end conflict agreed, and not {how}."
        )
    state = current_conflict(situation)
    for tale in state.tales:
        out, teller = situation.name(tale.on), situation.name(tale.by)
        raise Refused(f"What becomes of {out} is still to be told: narrate {quoted(teller)}: … comes first.")
    if state.act is not None and not conceded:
        raise Refused(describe_act(situation, state.act))
    conflict = situation.here.id
    acts = reversed(state.acts)
    forfeits = [g.ActionForfeited(conflict=conflict, who=act.who, why="conceded") for act in acts]
    return [*forfeits, *closing_events(situation)]


def begin_session(situation: Situation) -> list[Event]:
    """Returns the event that resets fate points, and stress unless an Edgerunner conflict is running."""
    fighting = any(conflict.system == NAME for conflict in situation.table.conflicts.values())
    return [g.Refreshed(points=chosen.number(situation.table, "fp_start"), stress=not fighting)]


# --- coming and going -------------------------------------------------------------------------------------


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """Returns the joining event unchanged: people join the conflict without a position on the map.

    Raises Refused for dead people and the game master.
    """
    if GM in joined.people:
        raise Refused("The game master is in every conflict: join says who else comes in.")
    check_living(situation, joined.people)
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Returns the events when people leave: their defences end, and the conflict if one side remains.

    Raises Refused for people taken out or involved in an act, and for people without a turn to leave
    with.
    """
    for who in left.people:
        _check_may_leave(situation, who, left.people)
    events = with_follow_ups(situation, [left, *defences_with(situation, left.people)])
    if any(isinstance(event, e.ConflictEnded) for event in events):
        return events
    return [*events, *conflicts.end_without_sides(situation, left)]


def _check_may_leave(situation: Situation, who: int, leaving: Collection[int]) -> None:
    """Raises Refused if `who` is taken out, part of an unfinished act, or has no turn left to leave by.

    Things have no turn, and before the first exchange no one needs one.
    """
    state, name = current_conflict(situation), situation.name(who)
    if who in state.out:
        raise Refused(f"{name} is taken out, and goes nowhere.")
    has_turn = bool(state.exchange) and who in actors(situation)
    for act in reversed(state.acts):
        if who in (act.who, *act.targets, act.asset):
            raise Refused(describe_act(situation, act))
    if has_turn and who in state.acted:
        raise Refused(f"{name} has acted in this exchange, and to leave takes a turn.")
    if has_turn and state.act is not None:
        raise Refused(describe_act(situation, state.act))
    if has_turn and state.turn is not None and state.turn not in leaving:
        raise Refused(f"It is {possessive(situation.name(state.turn))} turn.")


# --- concessions ------------------------------------------------------------------------------------------


Sides = Mapping[int, int]
"""First active member of each side, by the side's lead."""


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """Returns the event that offers a concession, or that changes the offer the same side made before."""
    conflicts.require_conflict(situation, "concede")
    who = _side_speaker(situation, command.who, "concede", _active_sides(situation))
    offer = _offer(situation)
    amended = offer is not None and situation.here.side_of(offer.whose) == situation.here.side_of(who)
    return [conflicts.offer_concession(situation, who, command.text, None if amended else offer)]


def accept_concession(situation: Situation, command: c.Accept) -> list[Event]:
    """Returns the acceptance of a concession by one opposing side; the last one also ends the conflict.

    Under the option concession_reward, the conceding person then gets a fate point.
    """
    conflict = conflicts.require_conflict(situation, "accept")
    offer = conflicts.require_concession(_offer(situation), "accept")
    others = _opposing_sides(situation, offer)
    agreed = {conflict.side_of(who) for who in offer.accepted}
    left = {lead: first for lead, first in others.items() if lead not in agreed}
    who = _side_speaker(situation, command.who, "accept", left or others)
    accepted = e.ConcessionAccepted(conflict=conflict.id, who=who, whose=offer.whose, text=command.text)
    if left.keys() - {conflict.side_of(who)}:
        return [accepted]
    reward = chosen.yes(situation.table, "concession_reward")
    paid = pay_fate_points(situation, GM, offer.whose, "concession") if reward else []
    winner = conflict.side_of(who) if len(others) == 1 else None
    return [accepted, *paid, *conflicts.end_by_concession(situation, winner)]


def refuse_concession(situation: Situation, command: c.Refuse) -> list[Event]:
    """Returns the event by which an opposing side refuses the concession offered; play goes on."""
    conflict = conflicts.require_conflict(situation, "refuse")
    offer = conflicts.require_concession(_offer(situation), "refuse")
    who = _side_speaker(situation, command.who, "refuse", _opposing_sides(situation, offer))
    return [e.ConcessionRefused(conflict=conflict.id, who=who, whose=offer.whose, text=command.text)]


# --- who has a say ----------------------------------------------------------------------------------------


def _active_sides(situation: Situation) -> Sides:
    """Returns a mapping: first person of a side → first person on it not taken out; lost sides left out."""
    left = [active_members(situation.table, situation.here, side) for side in situation.here.sides]
    return {lead: side[0] for lead, side in zip(situation.here.leads, left, strict=True) if side}


def _opposing_sides(situation: Situation, offer: Concession) -> Sides:
    """Returns the active sides that must accept a concession: each side but the one that conceded."""
    own = situation.here.side_of(offer.whose)
    return {lead: first for lead, first in _active_sides(situation).items() if lead != own}


def _offer(situation: Situation) -> Concession | None:
    """Returns a concession (offer to lose the conflict) still unanswered; None without one.

    None, too, once all on the offering person's side are taken out.
    """
    offer = situation.here.concession
    return (
        None
        if offer is None or situation.here.side_of(offer.whose) not in _active_sides(situation)
        else offer
    )


def _side_speaker(situation: Situation, who: int | None, verb: str, sides: Sides) -> int:
    """Returns the person who speaks for a side when `verb` (concede, accept, refuse) is typed.

    Without `who`, the only possible speaker of `sides`. Raises Refused for people taken out and people of
    other sides.
    """
    speaks = conflicts.speaker(situation, who, f"{verb}s", tuple(sides.values()))
    if who is None:
        return speaks
    if who in current_conflict(situation).out:
        mate = sides.get(speaks)
        instead = "" if mate is None else f": {situation.name(mate)} may speak for that side"
        raise Refused(f"{situation.name(who)} is taken out{instead}.")
    if speaks not in sides:
        raise Refused(f"It is for {situation.names(sides.values())} to {verb}.")
    return who


# --- tales ------------------------------------------------------------------------------------------------


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Returns a narration, and with it the settled fate of a person taken out, if its teller may tell it.

    It settles the fate of a person whom its words name, else one that its teller owes, or one of an ally of
    its teller's if nothing else may happen. Raises Refused if the person taken out, or their player, would
    tell their own fate.
    """
    narrated = notes_and_speech.narrate(situation, command)
    tales = current_conflict(situation).tales
    if command.at is not None or not tales:
        return narrated
    own, teller = game_state(situation.table), GM if command.who is None else command.who
    mine = [tale for tale in tales if may_tell(situation, teller, tale)]
    told = [tale for tale in mine if _is_named(situation, tale.on, command.text.text or "")]
    if command.who is None and not told:
        return narrated
    blocked = any(question.name == "tale" and question.blocks for question in situation.questions())
    told += [tale for tale in mine if blocked or teller in (GM, tale.by, own.hand(tale.by))]
    is_loser = any(teller in (tale.on, own.hand(tale.on)) for tale in tales)
    if not told and (mine or not (blocked or is_loser)):
        return narrated
    if not told:
        out, by = situation.name(tales[0].on), situation.name(tales[0].by)
        raise Refused(f"It is for {by} to tell what becomes of {out} (narrate {quoted(by)}: how it ends).")
    settled = g.TaleTold(conflict=situation.here.id, on=told[0].on, by=teller)
    return with_follow_ups(situation, [*narrated, settled])


def _is_named(situation: Situation, who: int, text: str) -> bool:
    """True if a word of the person's name is in the text."""
    words = re.findall(r"\w+", normalise(situation.name(who)).removeprefix("the "))
    return not {*words}.isdisjoint(re.findall(r"\w+", normalise(text)))


def reminders(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields sentences on what an act leaves to do.

    They are about a fate told while others of the same teller wait, words spoken by its teller, a declared
    aspect whose free invokes have no holder, thresholds on a character's sheet, a skill that counts 0, and
    what a new scene finds of the one before.
    """
    for event in events:
        if isinstance(event, e.SheetChanged) and event.system == NAME:
            yield from _thresholds(table, event)
        if isinstance(event, g.ActionDeclared | g.SkillRolled) and not event.level:
            yield from _counts_nothing(table, event.who, event.skill, getattr(event, "act", None))
        if isinstance(event, g.AspectPlaced) and event.how == "declaration" and event.by is None:
            free = rules.free_invokes(event.shifts or 0)
            if free:
                invokes = "a free invoke" if free == 1 else f"{free} free invokes"
                yield f"The person who declares it has {invokes} of it: undo, and name them with --by NAME."
        if isinstance(event, e.SceneSet) and not table.conflicts:
            yield from _left_over(table)
        if isinstance(event, g.TaleTold | e.Said):
            yield from _tales_left(table, event)


def _tales_left(table: Table, event: g.TaleTold | e.Said) -> Iterator[str]:
    """Yields sentences on the tales left after one was told, or after words spoken by their teller."""
    conflict = table.conflicts.get(event.conflict or 0)
    if conflict is None or conflict.system != NAME:
        return
    for tale in conflict_state(conflict).tales:
        left, by = table.name(tale.on), table.quoted(tale.by)
        if isinstance(event, g.TaleTold):
            told = event.on if isinstance(event.on, str) else table.name(event.on)
            yield f"That told what becomes of {told}; {left}'s fate is told for itself: narrate {by}: …"
        elif event.who == tale.by:
            yield f"That is said; if it tells what becomes of {left}: undo, and narrate {by}: {event.text}"


def _counts_nothing(table: Table, who: int, skill: str | None, act: str | None) -> Iterator[str]:
    """Yields a sentence if an act or a roll counts 0 for want of a skill, with the line that enters one."""
    sheet = game_state(table).sheet(who)
    if act == rules.Act.SIMPLE or skill in sheet.skills or (skill is None and sheet.kind is not Kind.MOOK):
        return
    key = skill or next(iter(sheet.skills), "SKILL")
    yield (
        f"{table.name(who)} has no {skill or 'skill in this act'}, which counts 0:"
        f" cast {table.quoted(who)} {key}=2 enters it."
    )


def _thresholds(table: Table, event: e.SheetChanged) -> Iterator[str]:
    """Yields a sentence about thresholds of a character, whose words may be meant as skills.

    Another is about a skill that does not count, as the sheet has the threshold of its track.
    """
    who, sheet = table.quoted(event.person), game_state(table).sheets[event.person]
    typed = {track: value for track, value in sheet.thresholds.items() if track in event.values}
    if typed and sheet.kind is Kind.CHARACTER:
        words = listed([f"{track}={value}" for track, value in typed.items()])
        skills = " ".join(f"{track}=none skill.{track}={value}" for track, value in typed.items())
        yield (
            f"{words} {'sets the highest box of that track' if len(typed) == 1 else 'set the highest boxes'};"
            f" a skill, to which {game_state(table).base} is added: cast {who} {skills}."
        )
    for track, value in sheet.thresholds.items():
        if track in sheet.skills and f"skill.{track}" in event.values:
            yield (
                f"The threshold of {track} stays {value}, as on the sheet: cast {who} {track}=none ends that."
            )


def _left_over(table: Table) -> Iterator[str]:
    """Yields sentences on what a new scene finds of harm, with the lines that clear it."""
    own = game_state(table)
    people = [who for who in own.sheets if who in table.people and not table.people[who].retired]
    mild = [
        f"clear {table.quoted(who)} mild" for who in people if own.consequences_of(who, rules.Severity.MILD)
    ]
    if mild:
        yield f"A mild consequence ends with the scene: {'; '.join(mild)}."
    marked = [
        f"clear {table.quoted(who)} {track}"
        for who in people
        if who in own.seats
        for track in own.tracks(who)
        if own.marked(who, track)
    ]
    if marked:
        yield f"Stress stays until the next session, or: {'; '.join(marked)}."


def may_tell(situation: Situation, who: int, tale: Tale) -> bool:
    """True if `who` may narrate the fate of a person taken out.

    The referee, the attacker and the attacker's allies may, and the players of each.
    """
    allies = [person for person in situation.here.people if are_allies(situation, person, tale.by)]
    players = map(game_state(situation.table).hand, (tale.by, *allies))
    return who in (GM, tale.by, *allies, *players)
