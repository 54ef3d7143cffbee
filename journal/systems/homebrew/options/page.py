"""A game in a file as a page of help, made from what its file says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from journal.names import quoted
from journal.systems.homebrew.rules import HIGHEST, Band, Game, Kind, Move, Stat, Track, stats_of

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
    """What a sheet has, tracks, moves with their dice and results, who goes first, and an evening's lines."""
    parts = (
        (f"# {game.title}", f"{game.about[:1].upper()}{game.about[1:]}."),
        _sheet(game),
        _tracks(game),
        *(_move(game, name, move) for name, move in game.moves.items()),
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


def _move(game: Game, name: str, move: Move) -> Iterator[str]:
    yield f"## {name}"
    stats = stats_of(game, move)
    which = "any stat" if move.stat == "any" else " or ".join(stats)
    with_ = f"; {which} is {_USES[move.use]}" if stats else ""
    about = f"{move.about[:1].upper()}{move.about[1:]}. " if move.about else ""
    yield f"{about}`{move.dice}`{with_}."
    if move.bands:
        yield "\n".join(f"- {band.name}: {_when(band)}{_does(band)}" for band in move.bands)


def _when(band: Band) -> str:
    """When a result is that one."""
    asked = (
        band.least is not None and f"{band.least} or more",
        band.most is not None and f"{band.most} or less",
        band.margin is not None and _margin(band.margin),
        band.natural is not None and f"a die shows {band.natural}",
        band.doubles is not None and "doubles",
        band.share is not None and f"within {band.share} of the stat",
    )
    return ", ".join(one for one in asked if one) or "anything else"


def _margin(margin: int) -> str:
    if margin < 0:
        return f"missed by {-margin} or less"
    return f"passed by {margin} or more" if margin else "passed"


def _does(band: Band) -> str:
    marks = ", ".join(f"{track} {by:+}" for track, by in band.marks.items())
    return f" ({marks})" if marks else ""


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
    yield from ('clock "The guard wakes" 6', 'clock "The guard wakes" +1: A cough below.')
    yield from ("end conflict", "end session: They are across.")


def _stats(game: Game) -> Iterator[str]:
    """Stats of a sheet: those that are the most of a track, which nobody has without, and some more."""
    needed = [track.most for track in game.tracks.values() if isinstance(track.most, str)]
    names = dict.fromkeys((*needed, *tuple(game.stats)[:MANY]))
    yield from (f"{quoted(name)}={_number(game.stats[name], 8 if name in needed else 2)}" for name in names)


def _number(stat: Stat, wanted: int) -> int:
    return max(stat.least, min(stat.most, max(stat.start, wanted)))


def _rolled(game: Game, name: str, move: Move) -> str:
    stats = stats_of(game, move)
    stat = f" {quoted(stats[0])}" if len(stats) > 1 else ""
    passes = move.use != "under" and any(band.margin is not None for band in move.bands)
    return f"roll Thia {quoted(name)}{stat}{' vs 2' if passes else ''}"


def _marked(name: str, track: Track) -> str:
    """A line that changes a track as it stands at first."""
    if track.kind is Kind.CONDITION:
        return f"track Thia {quoted(name)} on"
    falls = track.kind is Kind.NUMBER and track.start is None and track.most is not None
    return f"track Thia {quoted(name)} {'-1' if falls else '+1'}: So it goes."
