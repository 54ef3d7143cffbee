"""A game in a file as a page of help, made from what its file says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from journal.names import quoted
from journal.systems.homebrew.rules import (
    HIGHEST,
    Band,
    Condition,
    Game,
    Kind,
    Move,
    Rest,
    Stat,
    Sways,
    Track,
    needs_no_throw,
    stats_of,
)

MANY: Final = 3
"""Of so many stats a line of the page names some, at the most."""

_KINDS: Final = {
    Kind.NUMBER: "a number",
    Kind.BOXES: "boxes",
    Kind.CLOCK: "a clock",
    Kind.COUNTER: "a counter",
    Kind.CONDITION: "there or not",
}
_USES: Final = {"add": "added to the dice", "under": "what the dice stay under", "dice": "how many dice"}


def page(game: Game) -> str:
    """All that a game has, from the sheet to who goes first, and an evening's lines."""
    parts = (
        (f"# {game.title}", f"{game.about[:1].upper()}{game.about[1:]}."),
        _sheet(game),
        _tracks(game),
        _conditions(game),
        *(_move(game, name, move) for name, move in game.moves.items()),
        _rests(game),
        ("## Who goes first", _initiative(game)),
        ("## An evening", "\n".join(("```text", *evening(game), "```"))),
        ("Dice, clocks and all that every such game has: `help homebrew`.",),
    )
    return "\n\n".join(block for part in parts for block in part) + "\n"


def _sheet(game: Game) -> Iterator[str]:
    if game.stats:
        yield "## A sheet"
        rows = ((name, _range(stat), str(stat.start), stat.about or "") for name, stat in game.stats.items())
        yield _table(("stat", "range", "starts at", ""), rows)


def _range(stat: Stat) -> str:
    least = "any" if stat.least == -HIGHEST else str(stat.least)
    most = "any" if stat.most == HIGHEST else str(stat.most)
    return least if least == most else f"{least} to {most}"


def _tracks(game: Game) -> Iterator[str]:
    if game.tracks:
        yield "## Tracks"
        rows = (
            (name, _KINDS[one.kind], "" if one.most is None else str(one.most), _out(one), one.about or "")
            for name, one in game.tracks.items()
        )
        yield _table(("track", "is", "at most", "out", ""), rows)


def _out(track: Track) -> str:
    return "" if track.out is None else f"when {track.out}"


def _conditions(game: Game) -> Iterator[str]:
    if game.conditions:
        yield "## Conditions"
        rows = (
            (name, _sways(one.rolls), _sways(one.against), ", ".join(one.moves), _until(one), one.about or "")
            for name, one in game.conditions.items()
        )
        yield _table(("condition", "own rolls", "rolls against", "only in", "until", ""), rows)


def _sways(by: Sways | None) -> str:
    return "" if by is None else by if isinstance(by, str) else f"{by:+}"


def _until(condition: Condition) -> str:
    return "it has counted once" if condition.once else ""


def _rests(game: Game) -> Iterator[str]:
    if game.rests:
        yield "## Rests"
        rows = ((name, _sets_back(one), _ends(one), one.about or "") for name, one in game.rests.items())
        yield _table(("rest", "sets back", "ends", ""), rows)


def _sets_back(rest: Rest) -> str:
    return ", ".join(
        f"{track} {to if isinstance(to, str) else f'{to:+}'}" for track, to in rest.tracks.items()
    )


def _ends(rest: Rest) -> str:
    return "every condition" if rest.ends == "all" else ", ".join(rest.ends)


def _move(game: Game, name: str, move: Move) -> Iterator[str]:
    yield f"## {name}"
    stats = stats_of(game, move)
    which = "any stat" if move.stat == "any" else " or ".join(stats)
    with_ = f"; {which} is {_USES[move.use]}" if stats else ""
    about = f"{move.about[:1].upper()}{move.about[1:]}. " if move.about else ""
    zero = f"; for none of them `{move.zero}`" if move.zero else ""
    yield f"{about}`{move.dice}`{with_}{zero}.{_aim(move)}"
    if move.bands:
        yield "\n".join(f"- {band.name}: {_when(band)}{_does(band)}" for band in move.bands)


def _aim(move: Move) -> str:
    """Whom a move is thrown against, and what it does to them."""
    against = f" `vs NAME` is against their {move.against}." if move.against else ""
    if move.hurts is None:
        return against
    dice = f", else `{move.damage}`" if move.damage else ""
    return (
        f"{against} Damage goes to their {move.hurts}: `damage 1d6` on the line, damage= of the sheet{dice}."
    )


def _when(band: Band) -> str:
    """When a result is that one."""
    asked = (
        band.least is not None and f"{band.least} or more",
        band.most is not None and f"{band.most} or less",
        band.margin is not None and _margin(band.margin),
        band.natural is not None and f"a die shows {band.natural}",
        band.doubles is not None and "doubles",
        band.pair is not None and f"two dice show {band.pair}",
        band.share is not None and f"within {band.share} of the stat",
    )
    return ", ".join(one for one in asked if one) or "anything else"


def _margin(margin: int) -> str:
    if margin < 0:
        return f"missed by {-margin} or less"
    return f"passed by {margin} or more" if margin else "passed"


def _does(band: Band) -> str:
    done = [f"{track} {by:+}" for track, by in band.marks.items()]
    if band.damage is not None:
        done.append(f"damage {band.damage}" if isinstance(band.damage, int) else f"{band.damage} damage")
    return f" ({', '.join(done)})" if done else ""


def _initiative(game: Game) -> str:
    if game.initiative is None:
        return "The table says: `turn NAME`, or a number each: `initiative NAME 17`."
    return f"`initiative` rolls `{game.initiative}` for everybody; the highest goes first. Then `turn`."


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


# --- an evening -------------------------------------------------------------------------------------------


def evening(game: Game) -> Iterator[str]:
    """Lines that may be typed in this order where the game is played, such as it has."""
    yield f"cast Thia {' '.join(_stats(game))}".rstrip()
    yield f"cast Orc {' '.join(_stats(game))}".rstrip()
    yield from ("session", "scene The bridge: Fog.")
    yield from (_rolled(game, name, move) for name, move in game.moves.items())
    if not game.moves:
        yield "roll Thia 2d6+1 vs 8"
    yield 'conflict "On the bridge" Thia vs Orc'
    yield "initiative" if game.initiative else "initiative Thia 17"
    yield "turn"
    yield from (_marked(name, track) for name, track in game.tracks.items())
    yield from (f"status Thia {quoted(name)}" for name in tuple(game.conditions)[:1])
    yield from (f"rest {quoted(name)} Thia" for name in tuple(game.rests)[:1])
    yield from ('clock "The guard wakes" 6', 'clock "The guard wakes" +1: A cough below.')
    yield from ("end conflict", "end session: They are across.")


def _stats(game: Game) -> Iterator[str]:
    """Stats of a sheet: those that are the most of a track or that moves are against, and some more."""
    most = (track.most for track in game.tracks.values())
    needed = [one for one in (*most, *(move.against for move in game.moves.values())) if isinstance(one, str)]
    names = dict.fromkeys((*needed, *tuple(game.stats)[:MANY]))
    yield from (f"{quoted(name)}={_number(game.stats[name], 8 if name in needed else 2)}" for name in names)


def _number(stat: Stat, wanted: int) -> int:
    return max(stat.least, min(stat.most, max(stat.start, wanted)))


def _rolled(game: Game, name: str, move: Move) -> str:
    stats = stats_of(game, move)
    stat = f" {quoted(stats[0])}" if len(stats) > 1 else ""
    passes = move.use != "under" and any(band.margin is not None for band in move.bands)
    against = " vs Orc" if needs_no_throw(move) else " vs 2" if passes else ""
    damage = " damage 1d6" if move.hurts else ""
    return f"roll Thia {quoted(name)}{stat}{against}{damage}"


def _marked(name: str, track: Track) -> str:
    """A line that changes a track as it stands at first."""
    if track.kind is Kind.CONDITION:
        return f"track Thia {quoted(name)} on"
    falls = track.kind is Kind.NUMBER and track.start is None and track.most is not None
    return f"track Thia {quoted(name)} {'-1' if falls else '+1'}: So it goes."
