"""Decisions about conditions and rests, and the effects of conditions on rolls.

A condition is a temporary state of a person, such as poisoned; a track is a value that goes up and down,
such as hp 9/12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from retold.games.homebrew import events as h
from retold.games.homebrew.commands.tracks import ON, TEMPORARY, keep, track_changes
from retold.games.homebrew.commands.verbs import Keep, Roll, SetCondition, TakeRest
from retold.games.homebrew.events import kept_subjects
from retold.games.homebrew.rules import FULL, Kind, Move, Rest, RollEffect, Track, takes_twice
from retold.games.homebrew.state import TrackValue, shelf, starting_value
from retold.journal.decks.chance import TOTAL, TooFew
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.throws import Throw
from retold.journal.language.other_words import STATES
from retold.journal.names import CLOSE, matching, nearest, normalise, quoted
from retold.journal.refused import Refused
from retold.journal.shared.dice import NOTHING, throw_result, with_sheet_numbers
from retold.journal.system import Situation
from retold.journal.visibility import TABLE, common_audience
from retold.journal.vocabulary.base import Event


def keep_or_turn(situation: Situation, command: Keep) -> list[Event]:
    """Returns the events of a `track` line, which changes a track or switches a condition on or off."""
    name = _declared(situation, command)
    if name is None:
        return keep(situation, command)
    on = ON.get(command.value.casefold())
    if on is None:
        raise Refused(f"{name} is a condition: it is on or off, not {command.value}.")
    switched = SetCondition(who=(command.who,), condition=name, to="on" if on else "off", text=command.text)
    return set_condition(situation, switched)


def _declared(situation: Situation, command: Keep) -> str | None:
    """Returns the condition that a `track` line names; None if it names a track, or nothing known."""
    here, typed = shelf(situation.table), normalise(command.track)
    if any(normalise(name).startswith(typed) for name in (*here.game.tracks, *here.known(command.who))):
        return None
    known = (*here.game.conditions, *here.conditions.get(command.who, ()))
    found = matching(typed, {name: (name,) for name in known})
    return found[0] if len(found) == 1 else None


def set_condition(situation: Situation, command: SetCondition) -> list[Event]:
    """Returns the events that begin or end a condition of the people named.

    The text is on the event of the first public one. Raises Refused if all of them are in the wanted state
    already.
    """
    on, already = command.to != "off", list[str]()
    events: list[Event] = []
    changing: dict[int, int] = {}
    for who in dict.fromkeys(command.who):
        name = condition_called(situation, who, command.condition, on=on)
        found = list(condition_changes(situation, who, name, on=on))
        if found:
            changing[who] = len(events)
        else:
            already.append(_unchanged_sentence(situation, who, name, on=on))
        events += found
    if not events:
        raise Refused(" ".join(already))
    known = (who for who in changing if command.told_first or situation.table.secret(who) is None)
    told = changing[next(known, next(iter(changing)))]
    events[told] = events[told].but({"text": command.text})
    return events


def _unchanged_sentence(situation: Situation, who: int, name: str, *, on: bool) -> str:
    """Returns the sentence refusing a change of a condition to the state it has.

    If only the condition is secret, the sentence proposes the line that reveals it.
    """
    is_track = name in shelf(situation.table).game.tracks
    had = (f"has {name} already", f"has no {name}") if is_track else (f"is {name} already", f"is not {name}")
    sentence = f"{situation.name(who)} {had[not on]}"
    this, sheet = kept_subjects(who, name)
    secret = situation.table.secrets.get(this)
    if secret is None or situation.visible_to != TABLE:
        return f"{sentence}."
    if sheet in situation.table.secrets or situation.table.secret(who) is not None:
        return f"{sentence}."
    return f"{sentence}, and not everyone knows: reveal {secret.positions[-1]} --only."


def condition_called(situation: Situation, who: int, typed: str, *, on: bool) -> str:
    """Returns the full name of a condition typed in short; raises Refused for an unknown or ambiguous one.

    In games that define no conditions, any name is allowed.
    """
    here = shelf(situation.table)
    tracks = (name for name, track in here.game.tracks.items() if track.kind is Kind.CONDITION)
    own = here.conditions.get(who, ())
    known = dict.fromkeys((*here.game.conditions, *tracks, *own))
    first = own if not on else ()
    for names in (first, known):
        found = matching(typed, {name: (name,) for name in names})
        if len(found) == 1:
            return found[0]
        if found:
            raise Refused(f"{typed} may be {' or '.join(found)}.")
    if not here.game.conditions:
        return normalise(typed)
    if (other := STATES.get(normalise(typed), "")) in known:
        return other
    close = nearest(typed, known, at_least=CLOSE)
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    line = f"track {situation.quoted(who)} {quoted(normalise(typed))} 1/1"
    raise Refused(
        f"There is no condition {typed} in {here.game.title}.{meant} There is: {', '.join(known)}."
        f" For one of your own: {line}."
    )


def condition_changes(
    situation: Situation,
    who: int,
    name: str,
    *,
    on: bool,
    move: str | None = None,
    rest: str | None = None,
) -> Iterator[Event]:
    """Yields the event that begins or ends a person's condition; nothing if that is its state already."""
    here = shelf(situation.table)
    if here.has(who, name) == on:
        return
    if name in here.game.tracks:
        change = track_changes(situation, who, name, int(on), most=1, move=move)
        yield change.but({"rest": rest})
    else:
        yield h.ConditionChanged(
            conflict=situation.where, who=who, condition=name, on=on, move=move, rest=rest
        )


# --- what they do to rolls --------------------------------------------------------------------------------


class ConditionEffects(NamedTuple):
    """Effects of conditions on one roll, combined with the `adv` or `dis` typed on the line.

    `adv` throws two d20 and keeps the higher, `dis` the lower.
    """

    twice: str | None
    """`adv` or `dis`; None if both cancel out."""
    added: tuple[tuple[int, str], ...] = ()
    """Added numbers, each with its condition."""
    names: tuple[str, ...] = ()
    """The conditions that counted."""
    once: tuple[str, ...] = ()
    """Conditions among these that end with this roll."""
    whose: tuple[tuple[str, str], ...] = ()
    """Name and condition of each person behind adv or dis."""

    @property
    def number(self) -> int:
        """Sum of the numbers that conditions add to the roll."""
        return sum(number for number, _ in self.added)


def condition_effects(
    situation: Situation, who: int, command: Roll, name: str, move: Move
) -> ConditionEffects:
    """Returns the effects of the roller's and the opponent's conditions on a roll of the move `name`.

    A secret condition is left out if a viewer of the roll may not know of it.
    """
    found: list[tuple[str, RollEffect]] = []
    whose: list[tuple[str, str]] = []
    once: list[str] = []
    for condition, rule in shelf(situation.table).game.conditions.items():
        if rule.moves and name not in rule.moves:
            continue
        if _counts(situation, who, condition, rule.rolls, move) and rule.rolls is not None:
            found.append((condition, rule.rolls))
            whose += [(situation.name(who), condition)] if isinstance(rule.rolls, str) else []
            once += [condition] if rule.once else []
        if _counts(situation, command.opponent, condition, rule.against, move) and rule.against is not None:
            found.append((condition, rule.against))
            target = situation.name(command.opponent or 0)
            whose += [(target, condition)] if isinstance(rule.against, str) else []
    ways = {command.twice, *(by for _, by in found if isinstance(by, str))} - {None}
    return ConditionEffects(
        next(iter(ways)) if len(ways) == 1 else None,
        tuple((by, condition) for condition, by in found if isinstance(by, int)),
        tuple(dict.fromkeys(condition for condition, _ in found)),
        tuple(once),
        tuple(whose),
    )


def _counts(situation: Situation, who: int | None, condition: str, by: RollEffect | None, move: Move) -> bool:
    """True if the person has the condition, all who see the roll may know it, and it fits the dice.

    `adv` and `dis` fit a single d20 only.
    """
    if who is None or not shelf(situation.table).has(who, condition):
        return False
    fits = not isinstance(by, str) or takes_twice(move.dice)
    return fits and is_known(situation, *kept_subjects(who, condition))


def ended_by_roll(situation: Situation, who: int, move: str, swayed: ConditionEffects) -> Iterator[Event]:
    """Yields the events that end the conditions lasting for one roll, once they have affected it."""
    for name in swayed.once:
        if may_change(situation, *kept_subjects(who, name)):
            yield from condition_changes(situation, who, name, on=False, move=move)


# --- secrets ----------------------------------------------------------------------------------------------


def is_known(situation: Situation, *subjects: str) -> bool:
    """True if all who see the events of this command may know of all the secret subjects.

    A subject is a key such as `track 7 hp` or `sheet homebrew 7`.
    """
    secrets = (situation.table.secrets.get(subject) for subject in subjects)
    see = situation.visible_to
    return all(secret is None or common_audience(see, secret.visible_to) == see for secret in secrets)


def may_change(situation: Situation, *subjects: str) -> bool:
    """True if this command may change a value: an open command any, a hidden one only secret values."""
    return situation.visible_to == TABLE or any(subject in situation.table.secrets for subject in subjects)


# --- rests ------------------------------------------------------------------------------------------------


def rest(situation: Situation, command: TakeRest) -> list[Event]:
    """Returns the events of a rest of the people named, or of every player's character.

    Rule: docs/rules/homebrew.md §6.
    """
    words = (*command.who, *command.rest)  # people and the rest's name stand in any order
    named = [*dict.fromkeys(situation.quoted(word) for word in words if isinstance(word, int))]
    name = _rest_called(situation, [word for word in words if isinstance(word, str)], named)
    people = dict.fromkeys(word for word in words if isinstance(word, int)) or _party(situation)
    kind = shelf(situation.table).game.rests[name]
    events: list[Event] = [
        h.Rested(conflict=situation.where, people=(*people,), rest=name, text=command.text)
    ]
    luck = situation.luck
    given, by_totals = luck.results_left, TOTAL in luck.results_left
    try:
        for who in people:
            events += [*_set_back(situation, who, name, kind), *_ended(situation, who, name, kind)]
    except TooFew as few:
        raise few if by_totals else TooFew(_dice_sentence(situation, people, kind, len(given))) from None
    if luck.rest() and not by_totals:
        sentence = _dice_sentence(situation, people, kind, len(given))
        raise Refused(f"{sentence}{_once_each(situation, [*people], name, given)}")
    return events


def _once_each(situation: Situation, people: Sequence[int], name: str, given: Sequence[str]) -> str:
    """Returns the lines by which one person rests once with each of the results; empty for several people."""
    if people[1:] or len(given) == situation.luck.rest():
        return ""
    lines = (f"rest {situation.quoted(people[0])} {quoted(name)} = {result}" for result in given)
    return f" A rest for each: {'; then '.join(lines)}."


def _dice_sentence(situation: Situation, people: Iterable[int], kind: Rest, given: int) -> str:
    """Returns the refusal of a wrong number of results: who throws which dice, in order, and who none."""
    throwing, spared, wanted = list[str](), list[str](), 0
    for who in people:
        for track, value in kind.tracks.items():
            kept, to = shelf(situation.table).kept(who, track), _of_class(situation, who, kind, value)
            if isinstance(to, int) or to in FULL or kept is None:
                continue
            parsed = with_sheet_numbers(situation, who, parse_throw(to))
            if _cannot_change(parsed, kept):
                most = "" if kept.most is None else f"/{kept.most}"
                spared.append(f"{situation.name(who)} ({track} {kept.now}{most})")
            else:
                throwing.append(f"{situation.name(who)} ({parsed})")
                wanted += sum(dice.count for dice in parsed.dice)
    if not throwing:
        because = f" ({', '.join(spared)})" if spared else ""
        return f"This rest throws no dice{because}: leave out = and the text after it."
    throws = f"They throw in this order: {', '.join(throwing)}."
    nobody = f" No one rolls for {', '.join(spared)}." if spared else ""
    results = f"{wanted} result{' is' if wanted == 1 else 's are'} wanted"
    return f"{throws}{nobody} {results}, and {given} {'was' if given == 1 else 'were'} given."


def _rest_called(situation: Situation, typed: list[str], named: Sequence[str]) -> str:
    """Returns the name of the rest typed, or of the game's only rest.

    `named` are the people on the line, as typed. Raises Refused for an unknown or ambiguous name, and if the
    game has no rests.
    """
    game = shelf(situation.table).game
    if not game.rests:
        raise Refused(
            "There are no rests here: change the tracks themselves, or add a rest to the game's file,"
            " as docs/a-game-in-a-file.md shows."
        )
    if not typed and len(game.rests) == 1:
        return next(iter(game.rests))
    if not typed:
        whose = f"{'+'.join(named)} " if named else ("" if situation.table.party() else "NAME ")
        raise Refused(f"Say which: {'; or '.join(f'rest {whose}{quoted(name)}' for name in game.rests)}.")
    if len(typed) > 1:
        raise Refused(f"Say one of these: {', '.join(typed)}. Names are joined with +, without blanks.")
    found = matching(typed[0], {name: (name,) for name in game.rests})
    if len(found) == 1:
        return found[0]
    wrong = typed[0]
    close = nearest(
        wrong, (*game.rests, *(situation.name(person) for person in situation.table.people)), at_least=CLOSE
    )
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    raise Refused(
        f"There is no rest “{wrong}”, and no person of that name.{meant} Rests: {', '.join(game.rests)}."
    )


def _party(situation: Situation) -> dict[int, None]:
    """Returns the ids, as keys, of known characters with a player; raises Refused if there are none."""
    people = situation.table.party()
    if not people:
        raise Refused(
            "No character here has a player, so say who rests: rest NAME+NAME."
            " To name a player: cast NAME by=PLAYER."
        )
    return dict.fromkeys(people)


_OF_A_NIGHT: Final = {"slots": "full", TEMPORARY: "empty"}
"""What a person's own tracks are after a rest that ends every condition, by the last word of their name."""


def _set_back(situation: Situation, who: int, name: str, kind: Rest) -> Iterator[Event]:
    """Yields the events by which a rest changes one person's tracks, with their dice."""
    here = shelf(situation.table)
    own = {
        name: _OF_A_NIGHT[word]
        for name in (here.tracks.get(who, {}) if kind.ends == "all" else ())
        if (word := name.rpartition(" ")[2]) in _OF_A_NIGHT
    }
    for track, value in {**own, **kind.tracks}.items():
        known, kept = here.game.tracks.get(track, Track()), here.kept(who, track)
        to = _of_class(situation, who, kind, value)
        if kept is None:
            continue
        by = 0
        if isinstance(to, int):
            by = to
        elif to not in FULL:
            parsed = with_sheet_numbers(situation, who, parse_throw(to))
            if _cannot_change(parsed, kept):
                continue
            result = throw_result(situation, who, parsed, NOTHING, None)
            yield from result.events
            by = result.reached.total
        ends = {"full": kept.most or kept.now, "empty": 0, "start": starting_value(known, kept.most)}
        if known.kind is Kind.CONDITION and isinstance(to, str) and to in ends:
            yield from condition_changes(situation, who, track, on=bool(ends[to]), rest=name)
            continue
        now = ends[to] if isinstance(to, str) and to in ends else kept.now + by
        change = track_changes(situation, who, track, now, most=kept.most).but({"rest": name})
        if change.now != change.was:
            yield change


def _of_class(situation: Situation, who: int, kind: Rest, to: int | str) -> int | str:
    """Returns what a rest does to a track, with the dice of the person's class in place of other dice."""
    called = normalise(str(shelf(situation.table).sheets.get(who, {}).get("class", "")))
    return to if isinstance(to, int) or to in FULL else kind.classes.get(called, to)


def _cannot_change(parsed: Throw, kept: TrackValue) -> bool:
    """True if the dice are not worth throwing: a full track would only rise, an empty one only fall."""
    least, most = parsed.least(), parsed.most()
    up = kept.now == kept.most and least is not None and least >= 0
    return up or (kept.now == 0 and most is not None and most <= 0)


def _ended(situation: Situation, who: int, name: str, kind: Rest) -> Iterator[Event]:
    """Yields the events that end one person's conditions by a rest."""
    own = shelf(situation.table).conditions.get(who, ())
    for condition in (*own,) if kind.ends == "all" else kind.ends:
        yield from condition_changes(situation, who, condition, on=False, rest=name)
