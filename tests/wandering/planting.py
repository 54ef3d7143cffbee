"""Random evenings with secrets in them: words and numbers that stand nowhere else, for some only."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from retold.journal.store.events.amendments import HIDDEN_WITH
from retold.journal.store.events.codec import Recorded, decode
from retold.journal.store.writing.replaying import stored_command
from retold.journal.visibility import is_secret_number
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, CASTS, Typing
from tests.wandering.wander import begun

VIEWERS: Final = ("table", "Jon", "Kit")
"""Who asks: everybody, a player from whom all of it is hidden, and one whom some of it is shown."""
NOT_KIT: Final = ("table", "Jon")

LEAST: Final = 770_000
"""The numbers that are hidden are these and more: no evening comes to them by itself."""

PEOPLE: Final = ("cast gm by=Mary", "cast Odo by=Kit")


class Recipe(NamedTuple):
    """Lines that hide something: `{w}` is a new word, `{N}` a new name, `{n}` a new number.

    `{x}` is somebody who is in the cast in secret, `{c}` a secret clock, `{y}` somebody whom everybody knows,
    `{sheet}` a game with what may stand on a sheet of it. One after another, each is another.
    """

    lines: tuple[str, ...]
    hidden: tuple[str, ...] = VIEWERS
    opens: bool = False
    """True where the words stand in the open until the last of the lines."""
    is_sealed: bool = False
    """True where a game's own rules hide the words until its own reveal."""


def _each(*lines: str, hidden: tuple[str, ...] = VIEWERS) -> Iterator[Recipe]:
    yield from (Recipe((line,), hidden) for line in lines)


RECIPES: Final = (
    *_each(
        *("note --gm: The {w} is armed.", "note {y} --gm: The {w}.", "note {x} --gm: The {w}."),
        *("note {y} --quote --gm: The {w}.", "note: For me, the {w}.", "aside {y} --gm: The {w}?"),
        *(
            "narrate gm --gm: The {w} knows.",
            "narrate {y} --gm: The {w}.",
            "narrate gm --gm --at @: The {w}.",
        ),
        *(
            "say {y} --gm: The {w} heard us.",
            "say {x} --gm: The {w} waits.",
            "declare {x} --gm: I wait, {w}.",
        ),
        *("declare {y} --gm: I follow {w}.", "mark {w} --gm: Where the {w} waits.", "thread {N} --gm: {w}"),
        *("place {N} --gm: {w}", "thing {N} --gm: {w}"),
        *("cast {N} --gm by={N}: The {w}", "cast {N} --gm alias={N}: The {w}", "cast {x} --gm name={N}"),
        *("cast {x} {sheet} --gm: The {w}", "cast {y} {sheet} --gm: The {w}", "cast {x} {sheet}: The {w}"),
        *("cast {N} {sheet} --gm: The {w}", "cast {x} alias={N}", "cast {x} --gm by={N}"),
        *("clock {N} 83 --gm: {w}", "clock {N} 6 --gm: {w}", "clock {c} +1: {w}", "clock {c} 3/7: {w}"),
        *("track {y} {w} 2/{n} --gm", "track {x} {w} 3/{n}", "track {x} {w} {n} --gm: {w}"),
        *("roll {y} d20+{n} --gm = 17: {w}", "roll {x} d20+{n} --gm = 4", "roll {y} d20+{n} --gm: {w}"),
        *("roll {x} 2d6+{n} --gm vs {n}", "draw {y} 2 --gm: {w}", "draw {x} 3 --gm: {w}", "hp {x} {n}: {w}"),
        *(
            "conflict homebrew Zel vs Ned+{N} --gm",
            "conflict bruise Zel+{N} vs Rats --gm",
            "join {N} --gm: {w}",
        ),
        *("conflict whiskey Zel vs {N} vs Ned --gm", "join {N} Zel --gm", "join {x} --gm: {w}"),
        *(
            "join {x} Zel",
            "conflict homebrew Zel vs Rats+{x}",
            "leave {x}: {w}",
            "initiative {x} {n}",
            "turn {x}",
        ),
        *(
            "hp {x} -3: {w}",
            "coin {x} +{n}",
            "retire {x}: {w}",
            "ruling {x}.hp={n}: {w}",
            "aspect {x} {w}: {w}",
        ),
        *("place {x} Dock: {w}", "clear {x} stress: {w}", "bring {x} {w}=1d8", "ruling {x}.{w}={n}: {w}"),
        *("compel {y} {w} --gm: {w}", "concede {y} --gm: {w}", "overrule gm {x} --veto: {w}"),
        *(
            "scene {w} --gm: {w}",
            "session {w} --gm",
            "end conflict --gm: {w}",
            "award {x}: {w}",
            "ruling --gm: {w}",
        ),
    ),
    *_each(
        *("note --to Kit: The {w} is armed.", "narrate gm --to Kit: The {w}.", "say Odo --to Kit: The {w}."),
        *("aside --to Kit: {w}?", "declare Odo --to Kit: I follow {w}.", "thread {N} --to Kit: {w}"),
        *("thing {N} --to Kit: {w}", "cast {N} --to Kit by={N}: {w}", "cast {N} {sheet} --to Kit: {w}"),
        *("clock {N} 6 --to Kit: {w}", "track Odo {w} 2/{n} --to Kit", "roll Odo d20+{n} --to Kit = 9: {w}"),
        *("mark {w} --to Kit: {w}", "say Ned --to Kit: {w}", "place {N} --to Kit: {w}"),
        hidden=NOT_KIT,
    ),
    Recipe(("note --gm: The {w} is her father.", "reveal @ --to Kit: It is so, {w}."), NOT_KIT),
    Recipe(("cast {N} {sheet} --gm: {w}", "reveal {last} --to Kit"), NOT_KIT),
    Recipe(("clock {N} 6 --gm: {w}", "reveal {last} --to Kit: {w}"), NOT_KIT),
    Recipe(("reveal {x} --to Kit: {w}",), NOT_KIT),
    Recipe(("note --gm: The {w}.", "retcon @: The {w} instead.")),
    Recipe(("note --gm: The {w}.", "undo")),
    Recipe(("clock {N} 6 --gm: {w}", "undo")),
    Recipe(("cast {N} {sheet} --gm: {w}", "undo")),
    Recipe(("note --gm: The {w}.", "redact @")),
    Recipe(("narrate gm: The {w} weeps.", "redact @"), opens=True),
    Recipe(("narrate gm: The {w} sleeps.", "retcon @: Somebody sleeps."), opens=True),
    Recipe(("note --gm: The {w}.", "mark {w} --at @: On what is hidden.")),
    Recipe(("note --gm: The {w}.", "narrate gm --gm --at @: The {w}.")),
    Recipe(("narrate Odo --gm: The {w}.", "overrule gm Odo --veto: Not {w}.")),
    Recipe(("declare Zel engage Ned --sealed: {w}",), is_sealed=True),
    Recipe(("thread {N} --gm: {w}", "thread {last} name={N}", "thread {last} --done: {w}")),
    Recipe(("branch {w}: {w}", "narrate gm: The {w} comes instead.", "cast {N}: {w}", "switch mainline")),
)
"""Every verb and field in which something can be hidden, most of them in one line."""

OPENING: Final = (
    *("say {x}: Here I am.", "declare {x}: I strike.", "roll {x} d20 = 11", "narrate {x}: And so it ends."),
    *(
        "reveal {x}",
        "reveal {x} --sheet",
        "reveal @",
        "option table.acting=sheet",
        "option table.acting=name",
    ),
    *("reveal {c}", "reveal @ --to Kit", "option table.screen=silent", "draw {x} 2"),
)
"""Lines that open something hidden, or say how it is opened."""

SHEETS: Final = (
    *("whiskey combat={n} base=2 die=1 hp={n} {w}=7", "guenask body=3 mind=3 soft=3 hard=3 trait.{w}=1d8"),
    *("guenask body=2 mind=3 soft=3 hard=2 obj.{w}=1d4+1d8", "edgerunner cool=3 guns=4 aspect.a={w}"),
    *("homebrew health={n}", "bruise clubs=4 {w}=2", "whiskey {w}={n}"),
)
"""A sheet in each game that has some, with what stands nowhere else."""


@dataclass
class Plant:
    """A word or a number, in which line it was hidden, and who may not know it by now."""

    token: str
    line: str
    hidden: set[str]
    at: set[tuple[int, int]] = field(default_factory=set)
    """The events that say it, and those they are put on, with which they are revealed: line and position."""
    follows: frozenset[str] = frozenset()
    """The names with which it comes into the open, for all it is hidden by is that they are."""
    until: tuple[str, ...] = ()
    """The verbs that would bring it back into the open."""

    @property
    def is_number(self) -> bool:
        return self.token.isdecimal()


@dataclass
class Night:
    """An evening with what is hidden in it."""

    evening: Evening
    luck: random.Random
    plants: list[Plant] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    """Who was cast in secret, and not shown since, as far as is known here."""
    clocks: list[str] = field(default_factory=list)
    came_as: dict[str, str] = field(default_factory=dict)
    """The name by which somebody came in who was renamed in secret: it is what shows them."""
    heads: dict[int, int] = field(default_factory=dict)
    """How far each line has been looked at."""
    untrue: list[str] = field(default_factory=list)
    """What was shown by a line that shows nobody."""

    def hidden_from(self, viewer: str) -> list[str]:
        """Every token that this viewer may not know; none that another plant shows them."""
        known = {one.token for one in self.plants if viewer not in one.hidden}
        return [*dict.fromkeys(one.token for one in self.plants if one.token not in known)]

    def type(self, line: str) -> bool:
        """Types a line, and follows what it opens."""
        taken = self.evening.type(line)
        if taken:
            for recorded in self._new():
                self._follow(line, recorded)
            verb = line.split(maxsplit=1)[0]
            self.plants = [one for one in self.plants if verb not in one.until]
        return taken

    def _new(self) -> Iterator[Recorded]:
        record = self.evening.scribe.campaign.record
        for line in self.evening.scribe.campaign.lines():
            for row in record.rows(line, self.heads.get(line, 0)):
                if row.line == line:
                    yield decode(row)
                self.heads[line] = row.position

    def _follow(self, line: str, recorded: Recorded) -> None:
        event, place = recorded.event, (recorded.line, recorded.position)
        if isinstance(event, e.Revealed | e.Shown):
            about = (recorded.line, event.about)
            opened = set(VIEWERS) if isinstance(event, e.Shown) or event.to is None else {"Kit"}
            if isinstance(event, e.Shown) and not self._acts(line, recorded.position):
                self.untrue.append(f"{line}: shows somebody")
            names = {one.token for one in self.plants if about in one.at}
            for one in self.plants:
                if about in one.at or one.follows & names:
                    one.hidden -= opened
        elif isinstance(event, Event):
            said = repr(event).casefold()
            for one in self.plants:
                if one.token in said:
                    one.at.add(place)
                    on = (getattr(event, name) for name in HIDDEN_WITH.get(event.kind, ()))
                    one.at.update((recorded.line, position) for position in on)

    def _acts(self, line: str, position: int) -> bool:
        """True for a line in the open by which somebody acts."""
        command = stored_command(self.evening.scribe.writer.act_at(position))
        is_open = "--gm" not in line and "--to" not in line
        return is_open and command is not None and command.acting

    def secret(self, names: Sequence[str]) -> list[str]:
        """Those of the names that are hidden from the table still, and that no undo has taken back."""
        hidden, there = set(self.hidden_from("table")), f"{self.evening.table!r}"
        came_as = {one: self.came_as.get(one.casefold(), one.casefold()) for one in names}
        return [one for one in names if came_as[one] in hidden and one in there]

    # --- planting ---

    def word(self) -> str:
        return "".join(self.luck.choices("bcdfghjklmnpqrstvwxz", k=9))

    def number(self) -> str:
        return str(LEAST + self.luck.randrange(10_000))

    def plant(self, recipe: Recipe) -> bool:
        """Says what a recipe says; whether all of it was taken."""
        mine: list[Plant] = []
        names: list[str] = []
        for raw in recipe.lines:
            line, tokens, named = self.filled(raw, names)
            if line is None:
                return False
            names += named
            hidden, follows = self._as_hidden(line, recipe, {one.casefold() for one in named})
            until = ("undo", "redo", "u") if recipe.opens else ("reveal", "rv") if recipe.is_sealed else ()
            new = [Plant(one.casefold(), line, set(hidden), follows=follows, until=until) for one in tokens]
            self.plants += new
            head = self.evening.scribe.campaign.record.head(1).position
            if not self.type(line):
                self._forget(new)
                if recipe.opens:
                    self._forget(mine)
                if self.evening.scribe.line != 1:
                    self.type("switch mainline")
                return False
            mine += new
            self._newcomers(line, named, head, hidden)
        if recipe.lines[-1] == "redact @":
            for one in mine:
                one.until = ()
        return True

    def _as_hidden(self, line: str, recipe: Recipe, newcomers: set[str]) -> tuple[set[str], frozenset[str]]:
        """From whom a line is hidden, and by which names, where it has no flag of its own."""
        hidden = set(recipe.hidden)
        is_for_some = "--gm" in line or "--to" in line
        if is_for_some and not line.startswith(("join", "conflict")):
            return hidden, frozenset()
        head = line.partition(":")[0].casefold()
        words = {self.came_as.get(one, one) for one in re.findall(r"\w+", head)}
        named = [one for one in self.plants if one.token in words]
        follows = newcomers.union(one.token for one in named)
        return hidden.intersection(*(one.hidden for one in named)), frozenset(follows)

    def _forget(self, plants: Sequence[Plant]) -> None:
        self.plants = [one for one in self.plants if one not in plants]

    def _newcomers(self, line: str, named: Sequence[str], head: int, hidden: set[str]) -> None:
        """Remembers who came in secret by a line, and hides their numbers too, and what dice came to."""
        verb = line.split(maxsplit=1)[0]
        if verb in ("cast", "join", "conflict") and named and " alias=" not in line:
            self.people.append(named[0])
            if " name=" in line:
                before = line.split()[1].casefold()
                self.came_as[named[0].casefold()] = self.came_as.get(before, before)
        if verb == "clock" and named:
            self.clocks.append(named[0])
        record = self.evening.scribe.campaign.record
        for row in record.rows(1, head):
            event = decode(row).event
            number = 0
            if isinstance(event, e.CastIntroduced) and is_secret_number(event.person):
                number = event.person
            elif isinstance(event, e.TotalReached) and event.total > LEAST:
                number = event.total
            if number:
                self.plants.append(Plant(str(number), line, set(hidden), {(1, row.position)}))

    def filled(self, raw: str, names: Sequence[str]) -> tuple[str | None, list[str], list[str]]:
        """The line with its places filled, the tokens in it, and the names; None where nobody fits."""
        tokens: list[str] = []
        named: list[str] = []
        missing = False

        def fill(found: re.Match[str]) -> str:
            nonlocal missing
            match found[1]:
                case "w":
                    tokens.append(self.word())
                case "n":
                    tokens.append(self.number())
                case "N":
                    tokens.append(self.word().capitalize())
                    named.append(tokens[-1])
                case "last":
                    missing |= not names
                    return names[-1] if names else ""
                case "y":
                    return self.luck.choice(("Zel", "Ned", "Rats", "Odo", "Mary"))
                case secret:
                    there = self.secret(self.people if secret == "x" else self.clocks)
                    missing |= not there
                    return self.luck.choice(there) if there else ""
            return tokens[-1]

        sheet = self.luck.choice(SHEETS)
        line = re.sub(r"\{(\w+)\}", fill, raw.replace("{sheet}", sheet))
        return (None if missing else line), tokens, named


@contextmanager
def night(game: str, seed: int, length: int = 30) -> Iterator[Night]:
    """A random evening of a game with secrets in it; the same seed is the same evening."""
    luck = random.Random(f"secrets {game} {seed}")
    cast = CASTS[seed % len(CASTS)] if game == "homebrew" else CAST[game]
    with evening() as played:
        made = Night(played, luck)
        for line in (*begun(game, cast, luck), *PEOPLE):
            made.type(line)
        for _ in range(length):
            step(made)
        yield made


def step(made: Night) -> None:
    """Hides something, opens something, or goes on with the evening."""
    kind = made.luck.choice(("hide",) * 5 + ("on",) * 4 + ("open",))
    if kind == "hide":
        made.plant(made.luck.choice(RECIPES))
    elif kind == "open":
        line, _, _ = made.filled(made.luck.choice(OPENING), ())
        if line is not None:
            made.type(line)
    else:
        line = Typing(made.evening.table, made.luck.choice).line()
        if not line.startswith(("merge", "retire")):  # who is merged into the game master sees all
            made.type(line)
