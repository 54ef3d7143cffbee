"""Structure of a homebrew game file, its checks, and the odds of its moves: docs/rules/homebrew.md.

A move is a named roll, a band one of its possible results, a track a value that goes up and down.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta

from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.odds import face_odds, pattern_odds, throw_odds
from retold.journal.decks.throws import Against, Throw
from retold.journal.names import CLOSE, nearest
from retold.journal.refused import Refused
from retold.journal.vocabulary.base import Part

MOST_BOXES: Final = 100
"""The most boxes of a track, and the most segments of a clock."""

HIGHEST: Final = 1_000_000

MOST: Final = {"stats": 60, "tracks": 40, "conditions": 60, "moves": 60, "rests": 12, "bands": 12}
"""Maximum number of each part in a game, and of bands in a move."""

SAVE: Final = re.compile(r"(?P<save>(?:\w+ )?save)(?:: (?P<told>.+))?", re.DOTALL)
"""Text of a roll that calls it a save, `dex save`, and what else it says."""

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[^\W\d_][\w' -]{0,39}\Z")]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
Number: TypeAlias = Annotated[int, Meta(ge=-HIGHEST, le=HIGHEST)]


class Kind(StrEnum):
    """Kind of a track, which sets its start value, the direction it counts and the picture drawn."""

    NUMBER = "number"
    """Starts at the maximum and goes down: hit points."""
    BOXES = "boxes"
    """Starts empty and fills up: stress, harm."""
    CLOCK = "clock"
    """Like boxes, drawn as a clock."""
    COUNTER = "counter"
    """Starts at 0, unlimited by default: coin, ammunition, experience."""
    CONDITION = "condition"
    """On or off."""


class Stat(Part):
    """A number on a person's sheet, such as dex: its range and start value."""

    least: Number = -HIGHEST
    most: Number = HIGHEST
    start: Number = 0
    about: Text | None = None


class Track(Part):
    """A value kept for each person that goes up and down, such as hit points or harm."""

    kind: Kind = Kind.NUMBER
    most: Number | Name | None = None
    """Maximum, as a number or as the name of a stat."""
    start: Number | None = None
    out: Literal["full", "empty"] | None = None
    """End of the track that puts a person out of the fight."""
    dying: bool = False
    """True if people with players keep their turns when it puts them out."""
    about: Text | None = None


RollEffect: TypeAlias = Literal["adv", "dis"] | Number
"""Effect of a condition on a roll: two d20 with one counting, or an added number."""


class Condition(Part):
    """A temporary state of a person, such as poisoned, and its effect on rolls."""

    rolls: RollEffect | None = None
    """Effect on rolls made by a person with the condition."""
    against: RollEffect | None = None
    """Effect on rolls made against a person with the condition."""
    moves: tuple[Name, ...] = ()
    """Moves the condition affects; empty for every move."""
    once: Literal[True] | None = None
    """True if the condition ends after its first affected roll."""
    about: Text | None = None


class Rest(Part):
    """A kind of rest, such as short or long: its effects on a person's tracks and conditions."""

    tracks: Mapping[Name, Number | Text] = {}
    """Per track `full`, `empty` or `start`, or a change as a number or as dice."""
    classes: Mapping[Text, Text] = {}
    """Dice by the class on the sheet, in place of other dice among `tracks`: the hit dice of a fighter."""
    ends: tuple[Name, ...] | Literal["all"] = ()
    """The conditions that end."""
    about: Text | None = None


FULL: Final = ("full", "empty", "start")
"""Words a rest may set a track to, beside numbers and dice."""

DAMAGES: Final = ("full", "double", "half")
"""Amounts of damage a result may do; `double` throws twice the dice."""


class Band(Part):
    """Possible result of a move, such as `a hit`: its conditions, text and effects.

    Applies if all its conditions are true and no band before it applies.
    """

    name: Text
    least: Number | None = None
    """Lowest total."""
    most: Number | None = None
    margin: Number | None = None
    """Lowest difference to the target; below 0 for near misses."""
    natural: Number | None = None
    """A die that counts shows this."""
    doubles: Literal[True] | None = None
    """Dice that count show the same, or both digits of a d100 are."""
    share: Annotated[str, Meta(pattern=r"^1/[1-9]\d?\Z")] | None = None
    """Under a number: at most this part of it, rounded down."""
    pair: Number | None = None
    """Two dice or more show this; of dice of which the lowest are kept, only kept ones count."""
    says: Text | None = None
    marks: Mapping[Name, Number] = {}
    """Changes of the roller's own tracks; for conditions, 1 sets and 0 ends one."""
    damage: Literal["full", "double", "half"] | Annotated[int, Meta(ge=1, le=HIGHEST)] | None = None
    """Damage to the target's track: a share of the damage dice, or a fixed number."""


class Move(Part):
    """A named roll of a game: its dice, the stat used, and its possible results.

    The first result (band) whose conditions are true applies.
    """

    dice: Text
    stat: str | tuple[str, ...] | None = None
    """Stat that counts; several if the line names one of them; `any` for every stat."""
    use: Literal["add", "under", "dice"] = "add"
    """Use of the stat: added to the total, an upper limit for it, or the number of dice."""
    zero: Text | None = None
    """The dice that are thrown where the stat says none or fewer."""
    against: Name | None = None
    """Opponent's stat to reach; without it the opponent throws too."""
    hurts: Name | None = None
    """The track of theirs that a result with damage goes to."""
    damage: Text | None = None
    """Damage dice, unless the line or the sheet says others."""
    bands: Annotated[tuple[Band, ...], Meta(max_length=MOST["bands"])] = ()
    about: Text | None = None


class Game(Part):
    """A homebrew game as its file describes it: stats, tracks, conditions, moves and rests."""

    name: Name
    title: Text
    about: Text
    stats: Annotated[Mapping[Name, Stat], Meta(max_length=MOST["stats"])] = {}
    tracks: Annotated[Mapping[Name, Track], Meta(max_length=MOST["tracks"])] = {}
    conditions: Annotated[Mapping[Name, Condition], Meta(max_length=MOST["conditions"])] = {}
    moves: Annotated[Mapping[Name, Move], Meta(max_length=MOST["moves"])] = {}
    rests: Annotated[Mapping[Name, Rest], Meta(max_length=MOST["rests"])] = {}
    initiative: Text | None = None
    """Initiative dice; None if the table decides the order."""
    author: Text | None = None
    """Who wrote the rules."""
    licence: Text | None = None
    """Licence of the rules."""


class Mistake(NamedTuple):
    """Mistake in a game file: its sentence, and in `at` the path of keys leading there.

    `slip` holds a mistyped word, and the words that would be valid there.
    """

    at: tuple[str | int, ...]
    sentence: str
    slip: tuple[str, tuple[str, ...]] | None = None

    def text(self) -> str:
        """Returns the sentence; for a mistyped word, with the nearest valid word and a list of all."""
        if self.slip is None:
            return f"{self.sentence}."
        typed, known = self.slip
        close = nearest(typed, known, at_least=CLOSE)
        meant = f" Did you mean {close[0]}?" if close else ""
        there = f" There is: {', '.join(known)}." if known else ""
        return f"{self.sentence}.{meant}{there}"


def mistakes_in(game: Game) -> Iterator[Mistake]:
    """Yields the mistakes in a game whose values have the right types: wrong names, dice and ranges."""
    yield from _check_names(game)
    for name, stat in game.stats.items():
        if not stat.least <= stat.start <= stat.most:
            yield Mistake(
                ("stats", name), f"{name} starts at {stat.start}, out of {stat.least} to {stat.most}"
            )
    for name, track in game.tracks.items():
        yield from _check_track(game, name, track)
    for name, condition in game.conditions.items():
        yield from _check_condition(game, name, condition)
    for name, move in game.moves.items():
        yield from _check_move(game, name, move)
    for name, rest in game.rests.items():
        yield from _check_rest(game, name, rest)
    if game.initiative is not None:
        yield from _check_dice(game, game.initiative, ("initiative",))


def _check_names(game: Game) -> Iterator[Mistake]:
    """Yields a mistake for each name that two of stats, tracks and conditions share."""
    sorts: Sequence[tuple[str, str, Mapping[str, object]]] = (
        ("stats", "a stat", game.stats),
        ("tracks", "a track", game.tracks),
        ("conditions", "a condition", game.conditions),
    )
    for (_, sort, has), (key, other_sort, too) in combinations(sorts, 2):
        for name in has.keys() & too.keys():
            yield Mistake((key, name), f"{name} is {sort} and {other_sort}: call one otherwise")


def _check_condition(game: Game, name: str, condition: Condition) -> Iterator[Mistake]:
    here = ("conditions", name)
    for move in condition.moves:
        if move not in game.moves:
            yield Mistake(
                (*here, "moves"),
                f"{name} counts in {move}, and there is no such move",
                (move, (*game.moves,)),
            )
    moves = condition.moves or (*game.moves,)
    for key, sways in (("rolls", condition.rolls), ("against", condition.against)):
        known = [game.moves[move] for move in moves if move in game.moves]
        if isinstance(sways, str) and not any(takes_twice(move.dice) for move in known):
            yield Mistake(
                (*here, key), f"{name} gives {sways}, and it counts in no move with one d20: write a number"
            )


def takes_twice(dice: str) -> bool:
    """True if the dice begin with a single d20, so that `adv` and `dis` can throw it twice."""
    try:
        parse_throw(dice, "adv")
    except Refused:
        return False
    return True


def two_dice(whose: Iterable[tuple[str, str]], twice: str | None) -> str:
    """Returns a sentence on conditions that cause adv or dis: `Orc is prone: two d20, the higher counts.`.

    `whose` holds pairs of a person's name and a condition; empty text without any.
    """
    people = " and ".join(f"{who} is {condition}" for who, condition in whose)
    counts = {"adv": "two d20, the higher counts", "dis": "two d20, the lower counts"}
    return f"{people}: {counts.get(twice or '', 'one d20, for adv and dis meet')}." if people else ""


def _check_rest(game: Game, name: str, rest: Rest) -> Iterator[Mistake]:
    here = ("rests", name)
    for track, value in rest.tracks.items():
        yield from _check_rested(game, (*here, "tracks", track), track, value)
    for called, dice in rest.classes.items():
        yield from _check_dice(game, dice, (*here, "classes", called))
    known = (*game.conditions, *(kept for kept, track in game.tracks.items() if track.kind is Kind.CONDITION))
    for condition in () if rest.ends == "all" else rest.ends:
        if condition not in known:
            yield Mistake(
                (*here, "ends"),
                f"{name} ends {condition}, and there is no such condition",
                (condition, known),
            )


def _check_rested(game: Game, here: tuple[str, ...], name: str, value: int | str) -> Iterator[Mistake]:
    track = game.tracks.get(name)
    if track is None:
        yield Mistake(here, f"it sets back {name}, and there is no such track", (name, (*game.tracks,)))
    elif value == "full" and track.most is None and track.kind is not Kind.CONDITION:
        yield Mistake(here, f"{name} is never full without a most")
    elif isinstance(value, str) and value not in FULL:
        yield from _check_dice(game, value, here, f"{name} is full, empty or start, a number or dice: ")


def _check_track(game: Game, name: str, track: Track) -> Iterator[Mistake]:
    here, most = ("tracks", name), track.most
    if isinstance(most, str) and most not in game.stats:
        why = f"{name} has {most} at the most, and there is no such stat"
        yield Mistake((*here, "most"), why, (most, (*game.stats,)))
    drawn = track.kind in (Kind.BOXES, Kind.CLOCK)
    if drawn and most is None:
        yield Mistake(here, f"{name} needs a most: how many there are")
    if drawn and isinstance(most, int) and not 1 <= most <= MOST_BOXES:
        yield Mistake((*here, "most"), f"{name} has 1 to {MOST_BOXES}, not {most}")
    if track.out == "full" and most is None:
        yield Mistake(here, f"{name} is never full without a most")


def _check_move(game: Game, name: str, move: Move) -> Iterator[Mistake]:
    here = ("moves", name)
    yield from _check_dice(game, move.dice, (*here, "dice"))
    for stat in stats_of(game, move):
        if stat not in game.stats:
            yield Mistake(
                (*here, "stat"), f"{name} has the stat {stat}, and there is none", (stat, (*game.stats,))
            )
    if move.use != "add" and move.stat is None:
        yield Mistake(here, f"{name} needs a stat: which one it is {move.use}")
    if move.zero is not None and move.use != "dice":
        yield Mistake((*here, "zero"), f'{name} has dice for zero, and no stat says how many (use = "dice")')
    elif move.zero is not None:
        yield from _check_dice(game, move.zero, (*here, "zero"))
    yield from _check_target(game, name, move)
    for place, band in enumerate(move.bands):
        yield from _check_band(game, move, band, (*here, "bands", place))


def _check_target(game: Game, name: str, move: Move) -> Iterator[Mistake]:
    """Yields mistakes in a move's `against`, `hurts` and `damage`."""
    here = ("moves", name)
    if move.against is not None and move.against not in game.stats:
        why = f"{name} is against {move.against}, and there is no such stat"
        yield Mistake((*here, "against"), why, (move.against, (*game.stats,)))
    if move.against is not None and move.use == "under":
        yield Mistake((*here, "against"), f"{name} is thrown under a stat, so it is against none")
    track = None if move.hurts is None else game.tracks.get(move.hurts)
    if move.hurts is not None and (track is None or track.kind is Kind.CONDITION):
        known = tuple(hurtable for hurtable, other in game.tracks.items() if other.kind is not Kind.CONDITION)
        yield Mistake(
            (*here, "hurts"), f"{name} hurts {move.hurts}, and there is no such track", (move.hurts, known)
        )
    if move.damage is not None:
        yield from _check_dice(game, move.damage, (*here, "damage"))
    if move.damage is not None and move.hurts is None:
        yield Mistake((*here, "damage"), f'{name} says no track that its damage goes to: hurts = "hp"')
    if move.hurts is not None and all(band.damage is None for band in move.bands):
        why = f'{name} hurts {move.hurts}, and no result of it does damage: write damage = "full" in one'
        yield Mistake(here, why)


def _check_band(game: Game, move: Move, band: Band, here: tuple[str | int, ...]) -> Iterator[Mistake]:
    for name, by in band.marks.items():
        if name in game.conditions and by not in (0, 1):
            yield Mistake((*here, "marks", name), f"{name} is put on by 1 and taken off by 0, not by {by}")
        elif name not in game.conditions and name not in game.tracks:
            known = (*game.tracks, *game.conditions)
            yield Mistake(
                (*here, "marks", name), f"{band.name} marks {name}, and there is none", (name, known)
            )
    if band.share is not None and move.use != "under":
        yield Mistake((*here, "share"), f"{band.name} is a part of a stat thrown under")
    if band.damage is not None and move.hurts is None:
        yield Mistake((*here, "damage"), f'{band.name} does damage, and the move says no track: hurts = "hp"')


def _check_dice(game: Game, dice: str, here: tuple[str, ...], before: str = "") -> Iterator[Mistake]:
    try:
        parsed = parse_throw(dice)
    except Refused as refusal:
        yield Mistake(here, f"{before}{refusal.sentence.removesuffix('.')}")
        return
    if parsed.calculates:
        yield Mistake(here, f"{before}{dice} multiplies, divides or has brackets: dice of a game are added")
    for name in (name for name in parsed.names if name not in game.stats):
        yield Mistake(here, f"{dice} adds {name}, and there is no such stat", (name, (*game.stats,)))


def stats_of(game: Game, move: Move) -> Sequence[str]:
    """Returns the names of the stats a move may use: one, several, every stat of the game, or none."""
    if move.stat == "any":
        return tuple(game.stats)
    return (move.stat,) if isinstance(move.stat, str) else move.stat or ()


def needs_no_throw(move: Move) -> bool:
    """True if the opponent of the move throws no dice.

    So it is if the move has a stat of theirs to reach, or deals damage and has no result by margin.
    """
    by_margin = any(band.margin is not None for band in move.bands)
    return move.against is not None or (move.hurts is not None and not by_margin)


class DiceOutcome(NamedTuple):
    """Outcome of a throw, as a move's bands are matched to it: total, counted faces, margin, target.

    `pairs` holds the faces that two dice or more show, for a band's `pair`.
    """

    total: int
    faces: tuple[int, ...]
    margin: int | None = None
    target: int | None = None
    pairs: frozenset[int] = frozenset()
    alike: bool | None = None
    """True for doubles, False for none; None if the faces tell."""


def band_of(move: Move, outcome: DiceOutcome) -> Band | None:
    """Returns the move's first band whose conditions the outcome meets.

    None if it meets none, or if a band before needs the margin and that is still unknown.
    """
    for band in move.bands:
        if band.margin is not None and outcome.margin is None:
            return None
        if _is(band, outcome):
            return band
    return None


def _is(band: Band, outcome: DiceOutcome) -> bool:
    asked = (
        band.least is None or outcome.total >= band.least,
        band.most is None or outcome.total <= band.most,
        band.margin is None or (outcome.margin is not None and outcome.margin >= band.margin),
        band.natural is None or band.natural in outcome.faces,
        band.doubles is None or (doubles(outcome.faces) if outcome.alike is None else outcome.alike),
        band.pair is None or band.pair in outcome.pairs,
        band.share is None
        or (outcome.target is not None and outcome.total <= share_of(band.share, outcome.target)),
    )
    return all(asked)


def pairs_of(parsed: Throw, thrown: Sequence[int], counted: Sequence[int]) -> frozenset[int]:
    """Returns the faces that two dice or more show.

    Dropped dice are included if the highest are kept, as all of a pool lie on the table. If the lowest are
    kept, or dice were rerolled, only the dice that count are.
    """
    all_lie = all(dice.highest and dice.again is None for dice in parsed.dice)
    many = Counter(thrown if all_lie else counted)
    return frozenset(face for face, often in many.items() if often > 1)


def doubles(faces: Sequence[int]) -> bool:
    """True if two dice show the same face, or a single die shows the same digit twice (33; 100 as 00)."""
    if len(faces) == 1:
        tens, ones = divmod(faces[0] % 100, 10)
        return tens == ones
    return len(set(faces)) < len(faces)


def share_of(share: str, whole: int) -> int:
    """Returns a fraction of a number, rounded down: `1/5` of 63 is 12."""
    return int(Fraction(share) * whole)


def band_odds(move: Move, parsed: Throw, against: Against) -> Mapping[str, Fraction]:
    """Returns the probability of each result of a move by its name.

    Empty if an opponent has not thrown yet, or if the odds of the dice cannot be computed.
    """
    bands = move.bands
    if against.target is None and any(band.margin is not None for band in bands):
        return {}
    results: dict[str, Fraction] = dict.fromkeys((band.name for band in bands), Fraction(0))
    for outcome, chance in outcome_odds(move, parsed):
        band = band_of(move, outcome._replace(margin=against.margin(outcome.total), target=against.target))
        if band is not None:
            results[band.name] += chance
    return results if any(results.values()) else {}


def outcome_odds(move: Move, parsed: Throw) -> Iterator[tuple[DiceOutcome, Fraction]]:
    """Yields each possible outcome of a throw with its probability; nothing if these cannot be computed.

    Of the faces, only those that the move's bands ask for are told apart.
    """
    found, lone = (
        throw_odds(parsed),
        len(parsed.dice) == 1 and 1 in (parsed.dice[0].count, parsed.dice[0].keep),
    )
    asked = frozenset(band.natural for band in move.bands if band.natural is not None)
    paired = frozenset(band.pair for band in move.bands if band.pair is not None)
    doubled = any(band.doubles for band in move.bands)
    if found is not None and not paired and (lone or not (asked or doubled)):
        for total, many in found.each():
            faces = (total - parsed.added,) if lone and not parsed.counts else ()
            yield DiceOutcome(total, faces), Fraction(many, found.total)
    elif len(parsed.dice) == 1 and (every := pattern_odds(parsed.dice[0], asked, paired)) is not None:
        for pattern, chance in every.items():
            seen = (pattern.total,) if lone else tuple(pattern.faces)
            alike = None if lone else pattern.alike
            yield DiceOutcome(pattern.total + parsed.added, seen, pairs=pattern.pairs, alike=alike), chance
    elif not doubled and not paired and len(parsed.dice) == 1:
        for (total, shown), chance in (face_odds(parsed.dice[0], asked) or {}).items():
            yield DiceOutcome(total + parsed.added, tuple(shown)), chance
