"""A rest: tracks go back as the game says, and conditions end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from journal.decks.chance import TOTAL, TooFew
from journal.decks.expressions import parse
from journal.decks.throws import Throw
from journal.names import CLOSE, matching, nearest
from journal.refused import Refused
from journal.shared.dice import NOTHING, numbered, result
from journal.system import Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.conditions import turned
from journal.systems.homebrew.commands.keeping import changed
from journal.systems.homebrew.commands.verbs import TakeRest
from journal.systems.homebrew.rules import FULL, Kind, Rest
from journal.systems.homebrew.state import Kept, begins, shelf
from journal.vocabulary.base import GM, Event


def rest(situation: Situation, command: TakeRest) -> list[Event]:
    """Those named rest, or everybody with a player: docs/rules/homebrew.md §6."""
    said = (*command.who, *command.rest)  # whichever stands first
    name = _rest_called(situation, [one for one in said if isinstance(one, str)])
    people = dict.fromkeys(one for one in said if isinstance(one, int)) or _party(situation)
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
        raise few if by_totals else TooFew(_who_throws(situation, people, kind, len(given))) from None
    if luck.rest() and not by_totals:
        raise Refused(_who_throws(situation, people, kind, len(given)))
    return events


def _who_throws(situation: Situation, people: Iterable[int], kind: Rest, given: int) -> str:
    """Who throws which dice, in their order, and for whom nobody throws and why."""
    throwing, spared, wanted = list[str](), list[str](), 0
    for who in people:
        for track, to in kind.tracks.items():
            kept = shelf(situation.table).kept(who, track)
            if isinstance(to, int) or to in FULL or kept is None:
                continue
            these = numbered(situation, who, parse(to))
            if _goes_no_further(these, kept):
                most = "" if kept.most is None else f"/{kept.most}"
                spared.append(f"{situation.name(who)} ({track} {kept.now}{most})")
            else:
                throwing.append(f"{situation.name(who)} ({these})")
                wanted += sum(one.count for one in these.dice)
    throws = f"They throw in this order: {', '.join(throwing)}." if throwing else "Nobody throws."
    nobody = f" Nobody throws for {', '.join(spared)}." if spared else ""
    results = f"{wanted} result{' is' if wanted == 1 else 's are'} wanted"
    return f"{throws}{nobody} {results}, and {given} {'was' if given == 1 else 'were'} given."


def _rest_called(situation: Situation, typed: list[str]) -> str:
    """The rest that is meant; the only one where none is named."""
    game = shelf(situation.table).game
    if not game.rests:
        raise Refused(
            f"{game.title} says of no rest what it sets back: change the tracks themselves, or add a rest to"
            " the game's file, as docs/a-game-in-a-file.md has it."
        )
    if not typed and len(game.rests) == 1:
        return next(iter(game.rests))
    if not typed:
        raise Refused(f"Say which rest it is: {', '.join(game.rests)}.")
    if len(typed) > 1:
        raise Refused(f"Say one of these: {', '.join(typed)}. Names are joined with +, without blanks.")
    found = matching(typed[0], {name: (name,) for name in game.rests})
    if len(found) == 1:
        return found[0]
    wrong = typed[0]
    close = nearest(
        wrong, (*game.rests, *(situation.name(one) for one in situation.table.people)), at_least=CLOSE
    )
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    raise Refused(
        f"There is no rest “{wrong}”, and nobody of that name.{meant} Rests: {', '.join(game.rests)}."
    )


def _party(situation: Situation) -> dict[int, None]:
    """Everybody in the cast whom a player plays, and whom all know."""
    table = situation.table
    people = [
        one.id
        for one in table.people.values()
        if GM not in (one.id, one.player) and one.player is not None and table.secret(one.id) is None
    ]
    if not people:
        raise Refused(
            "Nobody here has a player, so say who rests: rest NAME+NAME."
            " Who plays somebody is said by cast NAME by=PLAYER."
        )
    return dict.fromkeys(people)


def _set_back(situation: Situation, who: int, name: str, kind: Rest) -> Iterator[Event]:
    """What a rest does to each track, as far as it is kept and goes."""
    here = shelf(situation.table)
    for track, to in kind.tracks.items():
        known, kept = here.game.tracks[track], here.kept(who, track)
        if kept is None:
            continue
        by = 0
        if isinstance(to, int):
            by = to
        elif to not in FULL:
            these = numbered(situation, who, parse(to))
            if _goes_no_further(these, kept):
                continue
            came = result(situation, who, these, NOTHING, None)
            yield from came.events
            by = came.reached.total
        ends = {"full": kept.most or kept.now, "empty": 0, "start": begins(known, kept.most)}
        if known.kind is Kind.CONDITION and isinstance(to, str) and to in ends:
            yield from turned(situation, who, track, on=bool(ends[to]), rest=name)
            continue
        now = ends[to] if isinstance(to, str) and to in ends else kept.now + by
        change = changed(situation, who, track, now, most=kept.most).but({"rest": name})
        if change.now != change.was:
            yield change


def _goes_no_further(these: Throw, kept: Kept) -> bool:
    """Whether a track is at the end that dice would bring it to, so that nobody throws them."""
    most = these.most()
    up = kept.now == kept.most and these.least() >= 0
    return up or (kept.now == 0 and most is not None and most <= 0)


def _ended(situation: Situation, who: int, name: str, kind: Rest) -> Iterator[Event]:
    """The conditions that a rest ends."""
    theirs = shelf(situation.table).conditions.get(who, ())
    for one in (*theirs,) if kind.ends == "all" else kind.ends:
        yield from turned(situation, who, one, on=False, rest=name)
