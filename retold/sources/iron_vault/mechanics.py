"""Mechanics of Iron Vault: blocks in KDL and codes inside a line become throws, facts and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from retold.journal.extras import Extra
from retold.sources.dice import Throw
from retold.sources.dice.throw import Die, Term, thrown, with_words
from retold.sources.iron_vault.links import words_of_links
from retold.sources.reporting import Tally
from retold.sources.unit import Fact, FactKind

if TYPE_CHECKING:
    from ckdl import Node

MOST_BLOCK: Final = 100_000
"""Longest block that is parsed, in characters."""
MOST_DEPTH: Final = 20
TICKS: Final = {"troublesome": 12, "dangerous": 8, "formidable": 4, "extreme": 2, "epic": 1}
"""Ticks of one mark of progress, by the rank of the track (Ironsworn, Starforged)."""
TICKS_OF_A_TRACK: Final = 40
ACTION_DIE: Final = 6
CHALLENGE_DIE: Final = 10
INLINE: Final = re.compile(r"`iv-(?P<name>[a-z]{1,10}(?:-[a-z]{1,10})?):(?P<parts>[^`\n]{0,2000})`")


@dataclass(slots=True)
class Mechanics:
    """Words, throws and facts stated by a mechanics block or an inline code."""

    words: list[str] = field(default_factory=list)
    throws: list[Throw] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    order: list[Throw | Fact | str] = field(default_factory=list)
    """All of them, in their order."""
    actors: set[str] = field(default_factory=set)
    """Names of the people whose moves stand in it."""
    actor: str = ""
    """Name of the person whose moves are being read."""

    def state(self, kind: FactKind, name: str, value: str) -> None:
        """Adds a fact about a track, clock or person, if it has a name and a value."""
        if name and value:
            self.facts.append(Fact(kind, name, value, self.actor if kind is FactKind.TRACK else ""))

    def put_in_order(self) -> None:
        """Adds what was found since the last call to the order: words, then throws, then facts."""
        words, throws, facts = (
            sum(isinstance(one, kind) for one in self.order) for kind in (str, Throw, Fact)
        )
        self.order += [*self.words[words:], *self.throws[throws:], *self.facts[facts:]]

    def throw(self, count: int, sides: int, faces: Sequence[int], numbers: Sequence[int], text: str) -> None:
        """Adds a throw of dice of one size, plus numbers."""
        terms = [Term(count, sides, dice=tuple(Die(face) for face in faces))]
        terms += [Term(abs(number), sign=1 if number >= 0 else -1) for number in numbers if number]
        shown = f"{text} {' '.join(map(str, (*faces, *numbers)))}".strip()
        self.throws.append(with_words(thrown(shown, terms, None), text=text))


def block(text: str, tally: Tally) -> Mechanics | None:
    """Mechanics of a block; None if its KDL is malformed, too long or too deeply nested.

    Raises Refused without the library that reads KDL. Nodes that are not known keep their words and are
    counted in the tally.
    """
    Extra("ckdl", "ckdl", "import").load("A block of Iron Vault's mechanics")
    import ckdl  # noqa: PLC0415 - an extra, which few need

    if len(text) > MOST_BLOCK or _depth(text) > MOST_DEPTH:
        return None
    try:
        nodes = list(ckdl.parse(text))
    except ValueError:
        return None
    found = Mechanics()
    for node in nodes:
        _read(node, "", found, tally)
    return found


def _depth(text: str) -> int:
    """Upper bound of the nesting: the most open braces, those inside quotes included."""
    deepest = depth = 0
    for sign in re.findall(r"[{}]", text):
        depth = depth + 1 if sign == "{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


class _Values:
    """Values of a node, found by name; values without a name get `names` in order."""

    def __init__(self, node: Node, names: Sequence[str]) -> None:
        self._values: dict[str, object] = dict(
            zip(names, (_plain(value) for value in node.args), strict=False)
        )
        self._values.update({name: _plain(value) for name, value in node.properties.items()})

    def text(self, *names: str) -> str:
        """Returns the first value found under these names, as text; empty if none is there."""
        value = next((self._values[name] for name in names if self._values.get(name) is not None), "")
        return words_of_links(str(value)).strip()

    def number(self, *names: str) -> int | None:
        """Returns the first value found under these names, as a whole number; None for other values."""
        found = self.text(*names)
        return int(found) if re.fullmatch(r"[-+]?\d{1,6}", found) else None


def _plain(value: object) -> object:
    """Value without its type annotation; a float without a fraction is a whole number."""
    value = getattr(value, "value", value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "move": ("name",),
    "actor": ("name",),
    "-": ("text",),
    "add": ("amount", "from"),
    "roll": ("stat-name", "action", "stat", "adds", "vs1", "vs2"),
    "progress-roll": ("score", "vs1", "vs2"),
    "meter": ("name", "from", "to"),
    "burn": ("from", "to"),
    "progress": ("name",),
    "track": ("name",),
    "xp": ("from", "to"),
    "clock": ("name", "from", "to", "out-of"),
    "oracle": ("name", "roll", "result"),
    "oracle-prompt": ("text",),
    "oracle-group": ("name",),
    "asset": ("name", "status", "ability"),
    "impact": ("name", "status"),
    "position": ("from", "to"),
    "initiative": ("from", "to"),
    "dice-expr": ("expr", "result"),
}
"""Names of the values of each node, in the order in which they may stand without names."""


def _read(node: Node, move: str, found: Mechanics, tally: Tally) -> None:
    """Adds a node and its children to `found`; `move` names the move or oracle around the node."""
    values = _Values(node, _ORDER.get(node.name, ()))
    reader = _NODES.get(node.name)
    around, actor = move, found.actor
    if node.name in ("move", "oracle-group"):
        around = values.text("name", "id") or move
        if not node.children:
            found.words.append(around)
    elif node.name == "actor":
        found.actor = values.text("name")
        found.actors.add(found.actor)
    elif node.name in ("-", "oracle-prompt"):
        found.words.append(values.text("text"))
    elif node.name == "details":
        found.words.extend(words_of_links(str(_plain(value))) for value in node.args)
    elif reader is not None:
        reader(values, move, found)
    else:
        tally.fields[f"mechanics: {node.name}"] += 1
        named = [f"{name}={_plain(value)}" for name, value in node.properties.items()]
        found.words.append(" ".join([node.name, *(str(_plain(value)) for value in node.args), *named]))
    found.put_in_order()
    if node.name == "oracle":
        around = values.text("name") or move
    for child in node.children:
        _read(child, around, found, tally)
    found.actor = actor


def _roll(values: _Values, move: str, found: Mechanics) -> None:
    stat = values.text("stat-name")
    text = f"{move} ({stat})" if move and stat else move or stat
    action = values.number("action", "action-die")
    if action is not None:
        added = [values.number(name) or 0 for name in ("stat", "adds")]
        found.throw(1, ACTION_DIE, [action], added, text)
    _challenge(values, found)


def _challenge(values: _Values, found: Mechanics, text: str = "challenge dice") -> None:
    faces = [face for face in map(values.number, ("vs1", "vs2")) if face is not None]
    if faces:
        found.throw(len(faces), CHALLENGE_DIE, faces, [], text)


def _progress_roll(values: _Values, move: str, found: Mechanics) -> None:
    parts = (move, values.text("track"), f"progress {values.text('score')}")
    _challenge(values, found, ", ".join(filter(None, parts)))


def _reroll(values: _Values, _: str, found: Mechanics) -> None:
    action = values.number("action")
    if action is not None:
        found.throw(1, ACTION_DIE, [action], [], "action die again")
    _challenge(values, found, "challenge die again")


def _oracle(values: _Values, _: str, found: Mechanics) -> None:
    name, result, rolled = values.text("name"), values.text("result"), values.number("roll")
    text = f"{name}: {result}" if name and result else name or result
    if rolled is None:
        found.words.append(text)
    else:
        found.throw(1, 100, [rolled], [], text)
    if cursed := values.number("cursed"):
        found.throw(1, 10, [cursed], [], "cursed die")


def _dice(values: _Values, _: str, found: Mechanics) -> None:
    from retold.sources.dice import generic  # noqa: PLC0415 - few journals have other dice

    text = f"{values.text('expr')} = {values.text('result')}"
    throws = generic.throws(text)
    found.throws.extend(throws)
    if not throws:
        found.words.append(text)


def _meter(values: _Values, _: str, found: Mechanics) -> None:
    found.state(FactKind.TRACK, values.text("name"), values.text("to"))


def _burn(values: _Values, _: str, found: Mechanics) -> None:
    found.words.append("momentum burnt")
    found.state(FactKind.TRACK, "momentum", values.text("to"))


def _xp(values: _Values, _: str, found: Mechanics) -> None:
    found.state(FactKind.TRACK, "xp", values.text("to"))


def _ticks(values: _Values, name: str) -> int | None:
    """Ticks of a track at its beginning (`from`) or end (`to`), from boxes and ticks or from ticks alone."""
    whole = values.number(name)
    if whole is not None:
        return whole
    boxes, rest = values.number(f"{name}-boxes"), values.number(f"{name}-ticks")
    return None if boxes is None and rest is None else 4 * (boxes or 0) + (rest or 0)


def _progress(values: _Values, _: str, found: Mechanics) -> None:
    start, ticks = _ticks(values, "from"), TICKS.get(values.text("rank").casefold())
    steps = values.number("steps")
    if start is None or ticks is None:
        found.words.append(f"{values.text('name')}: progress {values.text('rank')}".strip())
        return
    end = min(max(start + ticks * (1 if steps is None else steps), 0), TICKS_OF_A_TRACK)
    found.state(FactKind.TRACK, values.text("name"), f"{end}/{TICKS_OF_A_TRACK}")


def _track(values: _Values, _: str, found: Mechanics) -> None:
    end, status = _ticks(values, "to"), values.text("status")
    value = status or (f"{end}/{TICKS_OF_A_TRACK}" if end is not None else "")
    kind = FactKind.THREAD if value in ("added", "removed", "resolved", "reopened") else FactKind.TRACK
    found.state(kind, values.text("name"), value)


def _clock(values: _Values, _: str, found: Mechanics) -> None:
    status, end, whole = values.text("status"), values.text("to"), values.text("out-of")
    value = status or (f"{end}/{whole}" if end and whole else end)
    found.state(FactKind.CLOCK, values.text("name"), value)


def _add(values: _Values, _: str, found: Mechanics) -> None:
    reason = values.text("from")
    if reason:
        found.words.append(f"+{values.text('amount')} {reason}")


def _changed(values: _Values, _: str, found: Mechanics) -> None:
    found.words.append(f"{values.text('name')}: {values.text('status')}".strip(": "))


def _position(values: _Values, _: str, found: Mechanics) -> None:
    found.words.append(values.text("to"))


_NODES: Final[Mapping[str, Callable[[_Values, str, Mechanics], None]]] = {
    "roll": _roll,
    "progress-roll": _progress_roll,
    "reroll": _reroll,
    "oracle": _oracle,
    "meter": _meter,
    "burn": _burn,
    "progress": _progress,
    "track": _track,
    "xp": _xp,
    "clock": _clock,
    "add": _add,
    "asset": _changed,
    "impact": _changed,
    "position": _position,
    "initiative": _position,
    "dice-expr": _dice,
}


# --- Codes inside a line ---


def codes(text: str) -> tuple[str, Mechanics, bool]:
    """Words of a line without inline codes, the codes' facts, and True for a line out of character."""
    found = Mechanics()
    spoken: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        name = match["name"]
        if name == "ooc":
            spoken.append(match["parts"].strip())
        elif not _code(name, match["parts"].split("|"), found):
            return match[0]
        return ""

    rest = re.sub(r"[ \t]{2,}", " ", INLINE.sub(replaced, text)).strip()
    if spoken and not rest and not found.throws and not found.facts and not found.words:
        return "\n".join(spoken), found, True
    return "\n".join([*filter(None, [rest]), *(f"({words})" for words in spoken)]), found, False


class _Parts(_Values):
    """Parts of a code by name."""

    def __init__(self, names: Sequence[str], parts: Sequence[str]) -> None:
        self._values = {name: part for name, part in zip(names, parts, strict=False) if part}


def _code(name: str, parts: Sequence[str], found: Mechanics) -> bool:
    """Adds what one code states; False if the code is not known."""
    kind, _, change = name.partition("-")
    if kind in ("track", "clock") and change in _STATUS:
        fact = FactKind.CLOCK if kind == "clock" else FactKind.THREAD
        found.state(fact, _Parts(("name",), parts).text("name"), _STATUS[change])
        return True
    if name not in _CODES:
        return False
    names, reader = _CODES[name]
    values = _Parts(names, parts)
    reader(values, values.text("move"), found)
    for part in parts:
        if burn := re.fullmatch(r"burn=\d{1,3}:(\d{1,3})", part):
            found.words.append("momentum burnt")
            found.state(FactKind.TRACK, "momentum", burn[1])
    return True


def _advanced(values: _Values, _: str, found: Mechanics) -> None:
    found.state(FactKind.TRACK, values.text("name"), f"{values.text('to')}/{TICKS_OF_A_TRACK}")


def _one_die(values: _Values, _: str, found: Mechanics) -> None:
    is_action = values.text("die") == "action"
    face = values.number("new")
    if face is not None:
        text = "action die again" if is_action else "challenge die again"
        found.throw(1, ACTION_DIE if is_action else CHALLENGE_DIE, [face], [], text)


def _made(values: _Values, _: str, found: Mechanics) -> None:
    kind, name = values.text("kind"), values.text("name")
    if kind.casefold() in ("npc", "character"):
        found.facts.append(Fact(FactKind.PERSON, name))
    else:
        found.words.append(f"{kind}: {name}")


def _named(_: _Values, move: str, found: Mechanics) -> None:
    found.words.append(move)


_STATUS: Final = {"create": "added", "complete": "resolved", "resolve": "resolved", "reopen": "reopened"}
"""What became of a track or clock, by the last word of its code."""
_ROLLED: Final = ("stat-name", "action", "stat", "adds", "vs1", "vs2")
_CODES: Final[Mapping[str, tuple[tuple[str, ...], Callable[[_Values, str, Mechanics], None]]]] = {
    "move": (("move", *_ROLLED), _roll),
    "action-roll": (_ROLLED, _roll),
    "progress": (("move", "track", "score", "vs1", "vs2"), _progress_roll),
    "reroll": (("die", "old", "new"), _one_die),
    "oracle": (("name", "roll", "result"), _oracle),
    "meter": (("name", "from", "to"), _meter),
    "burn": (("from", "to"), _burn),
    "initiative": (("name", "from", "to"), _position),
    "track-advance": (("name", "path", "from", "to"), _advanced),
    "clock-advance": (("name", "path", "from", "to", "steps", "out-of"), _clock),
    "dice": (("expr", "result"), _dice),
    "entity-create": (("kind", "name"), _made),
    "noroll": (("move",), _named),
}
"""Names of the parts of each code, in their order (links and details follow them), and its reader."""
