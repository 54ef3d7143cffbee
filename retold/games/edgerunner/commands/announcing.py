"""Announcing acts: by the act's verb (`attack`), by `declare`, or by `continue`.

`continue` repeats an act of the previous exchange with the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from retold.game import GM, Event, Refused, Situation, fields_of, normalise, notes_and_speech, quoted
from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import (
    check_asset,
    check_faction,
    check_together,
    defended_thing,
    purpose_of_attack,
    purpose_of_deployment,
    purpose_of_maneuver,
    purpose_of_recovery,
    track_owner,
    words_of_maneuver,
)
from retold.games.edgerunner.commands.applying import end_act
from retold.games.edgerunner.commands.follow_ups import (
    ended_defences,
    is_cut_off,
    situation_after,
    with_further_events,
)
from retold.games.edgerunner.commands.positions import (
    among_people,
    current_conflict,
    faction_bonus,
    is_immobile,
    path_meant,
    place_of,
    skill_meant,
    target_gone,
    track_meant,
    upgrade_for,
)
from retold.games.edgerunner.commands.rolls import act_dice
from retold.games.edgerunner.commands.turns import act_in_words, extra_of, turn_for
from retold.games.edgerunner.commands.zones import free_move, purpose_of_move, rest_of_path
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import Act, Characteristic, Kind
from retold.games.edgerunner.state import Action, Purpose, game_state

_PURPOSES: Mapping[Act, Callable[[Situation, int, v.Declare], Purpose]] = {
    Act.MOVE: purpose_of_move,
    Act.ATTACK: purpose_of_attack,
    Act.DEFEND: defended_thing,
    Act.MANEUVER: purpose_of_maneuver,
    Act.RECOVER: purpose_of_recovery,
    Act.DEPLOY: purpose_of_deployment,
    Act.SIMPLE: lambda _situation, _who, _command: Purpose(),
}
_OF_A_FACTION = (Act.DEPLOY, Act.MANEUVER, Act.SIMPLE)


def declare(situation: Situation, command: v.Declare) -> list[Event]:
    """Returns the events that announce an act, without its dice, so that compels can come first.

    Without an act, the event that records the text as a declaration.
    """
    if command.act is None:
        return notes_and_speech.declare(situation, command)
    if command.act == "continue" and command.extra:
        raise Refused("An extra act cannot continue an earlier one: leave out --extra.")
    if command.setup:
        raise Refused("An act is announced openly and takes no KEY=VALUE: declare NAME ACT.")
    if command.act == "continue":
        return _continued(situation, command)
    if command.act not in list(Act):
        known = ", ".join([*Act, "continue"])
        raise Refused(f"Edgerunner has no {command.act} to declare: {known}.")
    return _announced(situation, command)[0]


def act(situation: Situation, command: v.Act) -> list[Event]:
    """Returns the events that announce an act and roll its dice; for a free move, of the move itself."""
    if isinstance(command, v.Move) and command.free:
        return free_move(situation, command)
    announced, now = _announced(situation, _as_declared(command))
    return [*announced, *act_dice(now)]


def simple(situation: Situation, command: v.Simple) -> list[Event]:
    """Returns the events that announce and end an act without dice, such as waiting."""
    announced, now = _announced(situation, v.Declare(who=command.who, act="simple"))
    return [*announced, *end_act(now, v.Apply(text=command.text))]


def continue_(situation: Situation, command: v.Continue) -> list[Event]:
    """Returns the events that announce the last exchange's act again, with the same dice, and its total."""
    announced = _continued(situation, _as_declared(command))
    return [*announced, *act_dice(situation_after(situation, announced))]


def _as_declared(command: v.Act | v.Continue) -> v.Declare:
    """Returns the `declare` command with the same act and the same values as an act's own command."""
    alike = fields_of(type(command)).keys() & fields_of(v.Declare).keys()
    return v.Declare.of({"act": command.verb, **{name: getattr(command, name) for name in alike}})


# --- a new act --------------------------------------------------------------------------------------------


def _announced(situation: Situation, command: v.Declare) -> tuple[list[Event], Situation]:
    """Returns the events that announce an act, and the situation after these events.

    The turn is claimed, the act declared, and the actor's defences end. Raises Refused if the act cannot
    be made now.
    """
    who = GM if command.who is None else command.who
    if command.extra and (command.upgrade is not None or command.act == "simple"):
        raise Refused("An extra act is rolled, and is an upgrade's own: leave out --upgrade.")
    turn = turn_for(situation, who, interrupt=command.interrupt, extra=command.extra)
    declared = _declared(situation, who, command)
    announced = situation_after(situation, [*turn, declared])
    if not command.extra:
        _check_new(announced, who)
    _check_reach(announced)
    ended = ended_defences(situation, by=who)
    return [*turn, declared, *ended], with_further_events(announced, ended)


def _declared(situation: Situation, who: int, command: v.Declare) -> g.ActionDeclared:
    kind = Act(str(command.act))
    _check_faction(situation, who, kind)
    purpose = _PURPOSES[kind](situation, who, command)
    fields = {
        **Purpose.of(purpose),
        **_level(situation, who, command, purpose),
        **_opposition(situation, command, purpose),
        "interrupt": command.interrupt,
        "extra": command.extra or None,
        "text": command.text,
    }
    return g.ActionDeclared.of({"conflict": situation.here.id, "who": who, "act": kind, **fields})


def _check_faction(situation: Situation, who: int, kind: Act) -> None:
    sheet = game_state(situation.table).sheet(who)
    moves = kind is Act.MOVE and not is_immobile(situation, who)
    if sheet.kind is Kind.FACTION and kind not in _OF_A_FACTION and among_people(situation) and not moves:
        raise Refused(
            f"{situation.name(who)} is a faction among people: it may deploy, maneuver, or do what is simple."
        )


def _check_new(announced: Situation, who: int) -> None:
    """Raises Refused if `who` made the same act in the last exchange: it is continued, not rolled again."""
    state = current_conflict(announced)
    new, last = state.act, state.last.get(who)
    if new is not None and last is not None and new.act is not Act.SIMPLE and new.same_as(last):
        raise Refused(
            f"{act_in_words(announced, new)} was made in the last exchange, and is not rolled again:"
            f" continue {announced.quoted(who)}{_changed_words(announced, new, last)}."
        )


def _check_reach(announced: Situation) -> None:
    """Raises Refused if no path on the map leads to the target of an act that loses shifts over distance."""
    act = current_conflict(announced).act
    if act is not None and is_cut_off(announced, act):
        where = place_of(announced, act.who)
        raise Refused(
            f"No way on the map leads from {where} to where {act_in_words(announced, act)} is aimed:"
            " map ZONE 1 ZONE draws a border."
        )


def _changed_words(situation: Situation, new: Action, last: Action) -> str:
    """Returns the words to add to `continue NAME` for an act's new path, track or wording.

    Empty if none of these changed.
    """
    if new.act is Act.MOVE:
        return f" to {_as_typed(situation, new)}"
    if new.track != last.track:
        return f" {new.track}"
    if new.aspect is not None and normalise(new.aspect) != normalise(last.aspect or ""):
        return f' as "{new.aspect}"'
    return ""


def _as_typed(situation: Situation, act: Action) -> str:
    """Returns a move's path as typed in a command, such as `Aisle Office:break`.

    The way (`break`) is added only where a border has several.
    """
    start, words = place_of(situation, (act.targets or (act.who,))[0]), []
    for step in act.path:
        several = len(current_conflict(situation).ways(start, step.zone) or ()) > 1
        words.append(f"{step.zone}:{step.way}" if several else step.zone)
        start = step.zone
    return " ".join(words)


def _level(situation: Situation, who: int, command: v.Declare, purpose: Purpose) -> dict[str, Any]:
    """Returns the act's fields `skill`, `level` and `upgrade`, by name.

    The level includes an upgrade's boost and a faction's bonus.
    """
    skill, level = skill_meant(situation, who, command.skill)
    sheet = game_state(situation.table).sheet(who)
    upgrade = extra_of(situation, who) if command.extra else None
    if command.upgrade is not None:
        upgrade, effect = upgrade_for(situation, who, command.upgrade, skill)
        level += effect.boost
    if sheet.kind is Kind.FACTION and command.act != "simple":
        target = who if purpose.target is None else purpose.target
        deploys = purpose.asset is not None  # which is against people
        focus = sheet.numbers.get(Characteristic.FOCUS, 0)
        level += focus if deploys else faction_bonus(situation, who, target)
    return {"skill": skill, "level": level, "upgrade": upgrade}


def _opposition(situation: Situation, command: v.Declare, purpose: Purpose) -> dict[str, Any]:
    """Returns the act's fields `against` (the target's skill) and `opposed` (its level); empty if not typed.

    Raises Refused unless the option conflict_opposition is `skill` and the target is another person.
    """
    if command.against is None:
        return {}
    if chosen(situation.table, "conflict_opposition") != "skill":
        raise Refused(
            "Here acts are rolled against nothing (option conflict_opposition): leave out --against."
        )
    if not isinstance(purpose.target, int):
        raise Refused("Only another person can oppose an act with a skill: leave out --against.")
    against, opposed = skill_meant(situation, purpose.target, command.against)
    return {"against": against, "opposed": opposed}


# --- going on ---------------------------------------------------------------------------------------------


def _continued(situation: Situation, command: v.Declare) -> list[Event]:
    who = GM if command.who is None else command.who
    turn = turn_for(situation, who, interrupt=command.interrupt)
    last = current_conflict(situation).last.get(who)
    if last is None or last.act is Act.SIMPLE:
        name = situation.name(who)
        raise Refused(
            f"{name} did nothing in the last exchange that goes on: attack {quoted(name)} …, or another act."
        )
    _check_still_there(situation, last)
    track = _other_track(situation, last, command.track)
    continued = g.ActionContinued(
        conflict=situation.here.id,
        who=who,
        act=last.act,
        skill=last.skill,
        target=last.target,
        times=last.continued + 1,
        path=_continued_path(situation, last, command.zones),
        track=track,
        aspect=_other_wording(situation, last, command.aspect),
        text=command.text,
    )
    _check_reach(situation_after(situation, [*turn, continued]))
    left = last.act is Act.DEFEND and last.track is not None and track is not None
    old: dict[str, int | str] = {"by": who, "on": track_owner(last), "track": last.track or ""}
    return [*turn, continued, *(ended_defences(situation, **old) if left else ())]


def _continuing_line(situation: Situation, last: Action) -> str:
    """Returns the command that continues an act, to quote in a refusal: `continue Gatto`, or with `to ZONE`.

    A zone is needed for a move that has reached its end.
    """
    ended = last.act is Act.MOVE and not rest_of_path(situation, last)
    return f"continue {situation.quoted(last.who)}{' to ZONE' if ended else ''}"


def _other_track(situation: Situation, last: Action, typed: str | None) -> str | None:
    """Returns the track typed for a continued act, None if none is typed or it is the same as before.

    Raises Refused if the act has no track.
    """
    if typed is None:
        return None
    if last.track is None:
        raise Refused(
            f"{act_in_words(situation, last)} is about no track: {_continuing_line(situation, last)}."
        )
    bearer = track_owner(last)
    track = track_meant(situation, bearer, typed)
    if last.act is Act.ATTACK:
        check_faction(situation, last.who, bearer, track)
    return None if track == last.track else track


def _other_wording(situation: Situation, last: Action, typed: str | None) -> str | None:
    """Returns the wording typed for a continued maneuver, None if none is typed or it is the same as before.

    Raises Refused for acts other than maneuvers.
    """
    if typed is None:
        return None
    if last.aspect is None or last.target is None:
        raise Refused(
            f"{act_in_words(situation, last)} puts no aspect anywhere: {_continuing_line(situation, last)}."
        )
    if normalise(typed) == normalise(last.aspect):
        return None
    return words_of_maneuver(situation, last.who, last.target, typed)


def _check_still_there(situation: Situation, last: Action) -> None:
    if last.asset is not None:
        check_asset(situation, last.asset)
    if last.act is Act.RECOVER:
        check_together(situation, last.who, track_owner(last))
    if target_gone(situation, last):
        raise Refused(f"{act_in_words(situation, last)} cannot go on: its target is gone.")


def _continued_path(situation: Situation, last: Action, zones: tuple[str, ...]) -> tuple[g.Step, ...]:
    """Returns the path of a continued act: for a move, through the zones typed, or the rest of its old path.

    Raises Refused if the old path is finished and no zone is typed, and for zones in other acts.
    """
    name = situation.name(last.who)
    if last.act is not Act.MOVE:
        if zones:
            raise Refused(
                f"{act_in_words(situation, last)} crosses no zones, so name none: continue {quoted(name)}."
            )
        return last.path
    if zones:
        return path_meant(situation, place_of(situation, (last.targets or (last.who,))[0]), zones)
    left = rest_of_path(situation, last)
    if not left:
        raise Refused(
            f"{act_in_words(situation, last)} has come to its end; say where it goes on:"
            f" continue {quoted(name)} to ZONE."
        )
    return left
