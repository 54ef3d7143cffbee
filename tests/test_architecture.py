"""The walls of the house (docs/floor-plan.md): what may know what, read from the sources, which never run."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("journal", "projections", "retold", "cli")

# From the ground up: a room may import its own modules and the rooms named before it. A new room gets a line.
FLOORS = (
    "retold.startup",
    "journal.RELEASE",
    "journal.refused",
    "journal.features",
    "journal.played_time",
    "journal.file_reading",
    "journal.file_names",
    "journal.shell_words",
    "journal.shell_verbs",
    "journal.possessives",
    "journal.counting",
    "journal.grouping",
    "journal.marks",
    "journal.encodings",
    "journal.markup",
    "journal.packages",
    "journal.extras",
    "journal.pictures",
    "journal.games",
    "journal.names",
    "journal.offered_verbs",
    "journal.grammar",
    "journal.visibility",
    "journal.decks",
    "journal.vocabulary",
    "journal.copying",
    "journal.state_copies",
    "journal.table",
    "journal.options",
    "journal.capabilities",
    "journal.system",
    "journal.guarding",
    "journal.winners",
    "journal.shared",
    "journal.systems",  # finds the games
    "journal.hiding",
    "journal.line",
    "journal.store",
    "journal.language",
    "projections",
    "retold.sources",
    "retold",
    "a game",  # retold/games/<game>/
    "retold.importing",
    "retold.drafts",
    "cli",
)

FEATURES = {
    name: tuple(path.removesuffix(".py").replace("/", ".") for path in part["paths"])
    for name, part in tomllib.loads((ROOT / "tests" / "budget.toml").read_text("utf-8"))["parts"].items()
    if part.get("is_feature")
}
"""The rooms of each feature."""

ON_THE_FLOOR_OF_CLI = ("verb", "addresses", "shelf", "protocol")
"""Rooms of a feature that stand beside those of the command line, and of its service."""

TYPED = "retold.promised"
"""The one module of the core that names features: for type checkers, who are told the types of `Campaign`."""

# The rooms of four packages, from the ground up, by the same rule.
ROOMS = {
    "journal.store": (
        *("contract", "events", "process_pool", "disk", "sqlite", "postgres", "places", "recorder"),
        *("caches", "writing", "verify", "copies"),
    ),
    "projections": (
        *("games", "texts", "reading", "plain", "views", "prose", "maps", "replay", "story", "statistics"),
        *("guest_checks", "view_schemas", "dossiers", "exports", "comparison", "postcards", "site"),
    ),
    "projections.story": (
        *("paragraph", "running_text", "document", "typography", "variations", "status_line", "attendance"),
        *("passages", "placing", "labelling", "live", "blows", "weighing", "writing"),
        *("state_changes", "transcript", "beats", "doubts", "hidden_events", "recap"),
    ),
    "cli": (
        *("VERSION", "invocation", "output", "app", "campaigns", "exporting", "help", "verbs", "dispatch"),
        *("completing", "console", "service"),
    ),
}

# The same rooms in every game, from the ground up, each with those it may look into. A room may be a package
# once it is too large for one file.
ROOMS_OF_A_GAME = {
    "measures": (),
    "rules": ("measures",),
    "options": ("rules",),
    "events": ("rules", "options"),
    "state": ("rules", "options", "events"),
    "commands": ("measures", "rules", "options", "events", "state"),
    "facts": ("rules", "options", "events", "state"),
    "notation": ("measures", "rules", "options", "events", "state", "facts"),
    "voice": ("rules", "options", "events", "state", "facts", "notation"),
    "statistics": ("rules", "options", "events", "state", "facts"),
    "answer": ("rules", "options", "events", "state", "facts", "notation", "voice"),
    "system": ("rules", "options", "events", "state", "commands", "facts"),
}

GAMES_FOLDER = "retold.games"
"""Every package in it is a game."""

DOOR_OF_GAMES = "retold.game"
"""All that a game may know of Retold."""

ENGINE = "retold.games.homebrew"
"""The game that plays those written in a file: it reads dice and compares names as the core does."""

# A sentence of help may name a game as an example, which is why whole sentences are let pass.
GAME_NAMES = {path.name for path in (ROOT / "retold" / "games").iterdir() if (path / "__init__.py").exists()}
SERVES_ALL_GAMES = (
    "cli",
    "retold",
    "projections.views",
    "journal.language",
    "journal.shared",
    "journal.store",
)

NAMES_THAT_SAY_NOTHING = {"util", "utils", "misc", "helper", "helpers", "manager", "managers", "common"}

# What reads the record; the store's words for what is read (an envelope, an index's hit) are anybody's.
DOORS_OF_THE_RECORD = (
    "journal.store.writing.campaign",
    "journal.store.events.record",
    "journal.store.contract.event_store",
    "journal.store.sqlite",
    "journal.store.events.amendments",
    "journal.store.writing.branches",
    "journal.store.caches.snapshots",
    "journal.store.events.line_events",
    "journal.store.events.codec.decode",
    "journal.store.events.codec.decode_event",
)

DATABASES = ("journal.store.sqlite", "journal.store.postgres")
"""The packages that each keep a record in one database."""

DEALERS_OF_LUCK = (
    "journal.decks.chance.SystemDealer",
    "journal.decks.chance.SeededDealer",
    "journal.decks.chance.StackedDealer",
    "journal.decks.chance.FirstDealer",
)

NETWORK = (
    *(
        "asyncore",
        "ftplib",
        "http.client",
        "http.server",
        "imaplib",
        "poplib",
        "smtplib",
        "socket",
        "socketserver",
    ),
    *("ssl", "telnetlib", "urllib.request", "xmlrpc", "httpx", "requests", "urllib3", "webbrowser"),
)
LIBRARIES_OF_THE_WEB = ("anyio", "segno", "sse_starlette", "starlette", "uvicorn")
CLOCKS = (
    "time",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.datetime.today",
    "datetime.date.today",
)


class Use(NamedTuple):
    """A name from another module that a module speaks of, in full, and the line where it does."""

    name: str
    line: int
    at_the_top: bool = True


@dataclass(frozen=True)
class Module:
    """One source file, and whom it knows."""

    name: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]
    """All of the tree, walked once."""
    imports: tuple[Use, ...]
    names: tuple[Use, ...]
    """Every dotted name in it, spelled from its import onwards: `dt.now` is `datetime.datetime.now`."""

    @property
    def path(self) -> str:
        return self.name.replace(".", "/") + ".py"


class Breach(NamedTuple):
    """Where a wall is broken, and by what."""

    module: Module
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.module.path}:{self.line}: {self.what}"


@dataclass(frozen=True)
class Wall:
    """A rule of the house in one sentence, and how to find where a module breaks it."""

    sentence: str
    breaches: Callable[[Module], Iterable[Breach]]


# --- Reading a source ---


def read(name: str, source: str, *, is_package: bool = False) -> Module:
    """The module of that dotted name, from its source."""
    tree = ast.parse(source)
    nodes = tuple(ast.walk(tree))
    package = name if is_package else name.rpartition(".")[0]
    imports: list[Use] = []
    spelled: dict[str, str] = {}
    top = set(statements_at_the_top(tree.body))
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for full, local, meaning in imported(node, package):
                imports.append(Use(place_of(full), node.lineno, node in top))
                spelled[local] = meaning
    names = [Use(place_of(full), line) for full, line in dotted_names(nodes, spelled)]
    return Module(name, tree, nodes, tuple(imports), tuple(names))


def statements_at_the_top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement that runs when the module is imported, also in an `if` or `try`, not in a function."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for inner in ("body", "orelse", "finalbody"):
            yield from statements_at_the_top(getattr(statement, inner, []))
        for handler in getattr(statement, "handlers", []):
            yield from statements_at_the_top(handler.body)


def imported(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str, str]]:
    """What the statement imports, in full; the name it binds here; what that name means."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield alias.name, alias.asname or first, alias.name if alias.asname else first
        return
    source = node.module or ""
    if node.level:
        above = package.rsplit(".", node.level - 1)[0]
        source = f"{above}.{source}" if source else above
    for alias in node.names:
        full = f"{source}.{alias.name}"
        yield full, alias.asname or alias.name, full


def dotted_names(nodes: Iterable[ast.AST], spelled: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Each `a` and each `a.b.c` among them; its first part is what it was imported as, or else `here`."""
    for node in nodes:
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        parts: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            parts.insert(0, inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            first = spelled.get(inner.id, f"here.{inner.id}")
            parts.insert(0, first)
        else:
            parts.insert(0, "here")
        yield ".".join(parts), node.lineno


def words_of(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Each string without blanks among them, and its line."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield place_of(node.value), node.lineno


def place_of(name: str) -> str:
    """The dotted path of what has this name in the tree: `journal.line` of `retold.journal.line`."""
    inside = name.removeprefix("retold.")
    return inside if is_within(inside, *PACKAGES) else name


def is_within(name: str, *rooms: str) -> bool:
    """Whether the dotted name is one of these, or lies inside one."""
    return any(name.startswith(room) and name[len(room) :][:1] in ("", ".") for room in rooms)


# --- The walls ---


def floor_of(name: str) -> str:
    """The room a dotted name belongs to, as FLOORS calls it; empty for what is outside, or a bare package."""
    parts = name.split(".")
    if is_within(name, "retold.__main__"):  # where the command goes in
        return "cli"
    if floor_in_cli(name):
        return "cli"
    if game_of(name):
        return "a game"
    for room in ("retold.startup", "retold.sources", "retold.importing", "retold.drafts"):
        if is_within(name, room):
            return room
    if parts[0] != "journal":
        return parts[0] if parts[0] in PACKAGES else ""
    return ".".join(parts[:2]) if len(parts) > 1 else ""


def game_of(name: str) -> str:
    """Package of the game that a dotted name lies in: `retold.games.bruise`; empty for all else."""
    parts = name.split(".")
    return ".".join(parts[:3]) if is_within(name, GAMES_FOLDER) and parts[2:] else ""


def upward_imports(module: Module) -> Iterator[Breach]:
    """Imports of a room that lies above."""
    here = floor_of(module.name)
    if here and here not in FLOORS:
        yield Breach(module, 1, f"{here} has no place in FLOORS; give it one")
        return
    below = FLOORS[: FLOORS.index(here) + 1] if here else ()
    if module.name == TYPED:  # FOUND looks at it
        return
    for use in module.imports:
        if is_within(use.name, *PACKAGES) and floor_of(use.name) and floor_of(use.name) not in below:
            yield Breach(module, use.line, f"imports {use.name}")


def floor_in_cli(name: str) -> str:
    """Package of cli that a room of a feature stands beside; empty for every other room."""
    for room in (room for rooms in FEATURES.values() for room in rooms if is_within(name, room)):
        first = name.removeprefix(f"{room}.").partition(".")[0]
        if first in ON_THE_FLOOR_OF_CLI:
            return "cli.service" if first == "addresses" else "cli"
    return ""


def feature_of(name: str) -> str:
    """Feature that a dotted name belongs to; empty for the core."""
    return next((feature for feature, rooms in FEATURES.items() if is_within(name, *rooms)), "")


def imported_features(module: Module) -> Iterator[Breach]:
    """Imports of a feature, and names of its modules in strings, in the core and in other features."""
    here = feature_of(module.name)
    typed: set[int] = set()
    if module.name == TYPED:
        checks = (node for node in module.tree.body if isinstance(node, ast.If))
        typed = {line for node in checks for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    uses = [use for use in module.imports if use.line not in typed]
    if not here:
        uses += [Use(said.replace(":", "."), line) for said, line in words_of(module.nodes)]
    for use in uses:
        if feature_of(use.name) not in ("", here):
            yield Breach(module, use.line, f"names {use.name}")


def room_of(package: str, name: str) -> str:
    """Room of a package that a dotted name lies in; empty outside it, and for the package itself."""
    return name.removeprefix(f"{package}.").partition(".")[0] if name.startswith(f"{package}.") else ""


def upward_imports_in_a_package(module: Module) -> Iterator[Breach]:
    """Imports of a room that lies above, inside one of the packages in ROOMS."""
    for package, rooms in ROOMS.items():
        here = room_of(package, module.name)
        if here and here not in rooms:
            yield Breach(module, 1, f"{here} has no place in ROOMS; give it one")
        elif is_within(module.name, package):
            below = rooms[: rooms.index(here) + 1] if here else ()
            for use in module.imports:
                if room_of(package, use.name) not in ("", *below):
                    yield Breach(module, use.line, f"imports {use.name}")


def games_imported(module: Module) -> Iterator[Breach]:
    """Imports of a game, in another game or in what serves all of them."""
    for use in module.imports:
        if game_of(use.name) not in ("", game_of(module.name)):
            yield Breach(module, use.line, f"imports {use.name}")


def ways_around_the_door_of_games(module: Module) -> Iterator[Breach]:
    """Rooms of ours behind `retold.game`, in a game."""
    home = game_of(module.name)
    ours = PACKAGES if home != ENGINE else ("retold", "cli")
    for use in module.imports if home else ():
        if is_within(use.name, *ours) and not is_within(use.name, home, DOOR_OF_GAMES):
            yield Breach(module, use.line, f"imports {use.name}")


def wrong_stairs_in_a_game(module: Module) -> Iterator[Breach]:
    """Imports between the rooms of one game, against their order."""
    home = game_of(module.name)
    if not home or module.name == home:
        return
    room = module.name.split(".")[3]
    if room not in ROOMS_OF_A_GAME:
        yield Breach(module, 1, f"a game has the rooms {', '.join(ROOMS_OF_A_GAME)}, and no {room}")
        return
    open_to_it = [f"{home}.{each}" for each in (room, *ROOMS_OF_A_GAME[room])]
    for use in module.imports:
        if is_within(use.name, home) and not is_within(use.name, *open_to_it):
            yield Breach(module, use.line, f"imports {use.name}")


def only_in(places: Iterable[str], *names: str) -> Callable[[Module], Iterator[Breach]]:
    """Finds uses of these names, imported or called, anywhere but in these places."""

    def uses_elsewhere(module: Module) -> Iterator[Breach]:
        if is_within(module.name, *places) or is_within(floor_in_cli(module.name), *places):
            return
        caught = [use for use in module.imports if is_within(use.name, *names)]
        for use in caught:
            yield Breach(module, use.line, f"imports {use.name}")
        for use in module.names:
            if not use.name.startswith(names):
                continue
            if is_within(use.name, *names) and not is_within(use.name, *(each.name for each in caught)):
                yield Breach(module, use.line, f"uses {use.name}")

    return uses_elsewhere


def typer_at_the_start(module: Module) -> Iterator[Breach]:
    """Imports of typer that run before the entry point has looked at the verb."""
    if module.name == "retold.__main__":
        for use in module.imports:
            if is_within(use.name, "typer") and use.at_the_top:
                yield Breach(module, use.line, f"imports {use.name}")


def decisions_on_the_read_side(module: Module) -> Iterator[Breach]:
    """A call of decide in projections."""
    if not is_within(module.name, "projections"):
        return
    for use in (*module.imports, *module.names):
        if use.name.split(".")[-1] == "decide":
            yield Breach(module, use.line, f"uses {use.name}")


def games_known_by_name(module: Module) -> Iterator[Breach]:
    """Strings that are a game's name, or begin with one and a dot, where every game is served alike."""
    if not is_within(module.name, *SERVES_ALL_GAMES) or game_of(module.name):
        return
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name, _, rest = node.value.partition(".")
            if name.casefold() in GAME_NAMES and " " not in rest:
                yield Breach(module, node.lineno, f"knows {name} by name")


def ways_around_the_reading(module: Module) -> Iterator[Breach]:
    """Doors of the store in projections, beside the room that reads."""
    if not is_within(module.name, "projections") or is_within(module.name, "projections.reading"):
        return
    for use in module.imports:
        if is_within(use.name, *DOORS_OF_THE_RECORD):
            yield Breach(module, use.line, f"imports {use.name}")
    for use in module.names:
        if ".campaign.record" in use.name or ".campaign.table_at" in use.name:
            yield Breach(module, use.line, f"uses {use.name}")


DOORS_BESIDE: Final = ("retold.schemas",)
"""Modules beside `import retold` that are promised to every program."""


PAGE_MAKERS: Final = ("projections.texts", "projections.exports.replay.bundling")
"""Escaping, templates and bundles, which know no record."""

FINDER: Final = "journal.features"
"""The finder of features, which anybody may ask."""


def ways_around_the_front_door(module: Module) -> Iterator[Breach]:
    """The rooms behind `import retold`, in the service."""
    if "cli.service" in {floor_in_cli(module.name), ".".join(module.name.split(".")[:2])}:
        for use in module.imports:
            behind = use.name.startswith("retold.") and use.name.partition(".")[2][0].islower()
            behind = behind and not is_within(use.name, *DOORS_BESIDE) and not floor_in_cli(use.name)
            behind = behind or is_within(use.name, "journal", "projections")
            if behind and not is_within(use.name, FINDER, *PAGE_MAKERS):
                yield Breach(module, use.line, f"imports {use.name}")


def record_known_to_sources(module: Module) -> Iterator[Breach]:
    """Imports of the record or of what tells it, in the readers of other tools' logs."""
    if is_within(module.name, "retold.sources"):
        for use in module.imports:
            if is_within(use.name, *PACKAGES) and not is_within(
                use.name,
                "journal.decks",
                "journal.refused",
                "journal.extras",
                "journal.packages",
                "journal.names",
                "journal.marks",
                "journal.markup",
                "journal.encodings",
                "journal.features",
                "retold.sources",
            ):
                yield Breach(module, use.line, f"imports {use.name}")


def anything_known_to_alignment(module: Module) -> Iterator[Breach]:
    """Imports of another room of ours, in the alignment of two texts."""
    if is_within(module.name, "retold.drafts.alignment"):
        for use in module.imports:
            if is_within(use.name, *PACKAGES) and not is_within(use.name, "retold.drafts.alignment"):
                yield Breach(module, use.line, f"imports {use.name}")


def who_may_see_compared_elsewhere(module: Module) -> Iterator[Breach]:
    """Viewers compared with people, and audiences looked into, beside the one module that decides."""
    if is_within(module.name, "journal", "projections.reading.viewers"):
        return
    for node in module.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "among":
            if not is_within(module.name, "retold"):  # which asks for whom somebody speaks
                yield Breach(module, node.lineno, "asks whether a viewer is among people")
        elif isinstance(node, ast.Compare) and any(isinstance(one, ast.In | ast.NotIn) for one in node.ops):
            sides = [one for side in (node.left, *node.comparators) for one in ast.walk(side)]
            if any(isinstance(one, ast.Attribute) and one.attr == "visible_to" for one in sides):
                yield Breach(module, node.lineno, "looks for somebody in visible_to")


def names_that_say_nothing(module: Module) -> Iterator[Breach]:
    """Rooms called after no thing in particular."""
    for part in NAMES_THAT_SAY_NOTHING.intersection(module.name.split(".")):
        yield Breach(module, 1, f"is called {part}")


def doors_without_a_sign(module: Module) -> Iterator[Breach]:
    """Modules without a docstring."""
    if not ast.get_docstring(module.tree):
        yield Breach(module, 1, "has no docstring")


DOWN = Wall("Imports go down only.", upward_imports)
ROOMS_DOWN = Wall(
    "Inside journal/store, projections and cli, imports go down only.", upward_imports_in_a_package
)
STRANGERS = Wall("A game is imported by itself alone, and found by all else.", games_imported)
ONE_DOOR = Wall("A game knows Retold by retold.game alone, as a guest does.", ways_around_the_door_of_games)
STAIRS = Wall(
    "In a game: measures ← rules ← options ← events ← state ← commands, facts ← notation ← voice.",
    wrong_stairs_in_a_game,
)
FOUND = Wall("Features are found: the core imports none of them, and no feature another.", imported_features)
STORE = Wall(
    "Only journal/store knows eventsourcing and SQLite.",
    only_in(["journal.store"], "eventsourcing", "sqlite3"),
)
SQL = Wall(
    "SQL is written where a record's file is kept, and in the caches beside it.",
    only_in(
        [
            "journal.store.sqlite",
            "journal.store.caches.snapshots",
            "journal.store.caches.projection_cache",
            "journal.store.caches.index",
        ],
        "sqlite3",
        "journal.store.sqlite.connection",
        "journal.store.sqlite.schema",
    ),
)
SERVERS = Wall(
    "Only journal/store/postgres speaks to a database server.", only_in(["journal.store.postgres"], "psycopg")
)
DATABASE = Wall(
    "A record is of no database: only places opens and makes one.",
    only_in([*DATABASES, "journal.store.places"], *DATABASES),
)
DISK = Wall(
    "A file is flushed to the disk by journal/store/disk/flushing.py alone: macOS needs more than fsync.",
    only_in(["journal.store.disk.flushing"], "os.fsync", "os.fdatasync", "os.sync", "fcntl.F_FULLFSYNC"),
)
LUCK = Wall(
    "Only journal/decks/chance.py knows luck; the store and links draw what nobody can guess.",
    only_in(
        ["journal.decks.chance", "journal.store", "cli.campaigns.links"],
        *("random", "secrets", "hmac", "uuid", "os.urandom"),
    ),
)
SALTS = Wall(
    "journal/store may draw ids, salts and keys, and has no other luck.",
    lambda module: (
        only_in([], "random", "hmac", "os.urandom")(module) if is_within(module.name, "journal.store") else ()
    ),
)
DEALERS = Wall(
    "Whoever decides is handed its luck; the store and cli choose who deals, the language asks what may be.",
    only_in(["journal.decks.chance", "journal.store", "journal.language", "retold", "cli"], *DEALERS_OF_LUCK),
)
FOLDS = Wall(
    "Only a fold changes a table: the line, the store, a reading, and a script being written down.",
    only_in(
        ["journal.line", "journal.store", "projections.reading", "journal.language.scripting"],
        "journal.line.evolve",
    ),
)
TIME = Wall("Clocks are read in journal/store and cli only.", only_in(["journal.store", "cli"], *CLOCKS))
DRAWING = Wall("Only cli draws on the screen.", only_in(["cli"], "rich", "typer", "prompt_toolkit"))
OFFLINE = Wall("Only the service speaks to a network.", only_in(["cli.service"], *NETWORK))
WEB = Wall(
    "Only the service knows the libraries of the web.", only_in(["cli.service"], *LIBRARIES_OF_THE_WEB)
)
FRONT = Wall("The service knows the record by the front door alone.", ways_around_the_front_door)
START = Wall("The entry point starts without typer.", typer_at_the_start)
READING = Wall("The read side never decides.", decisions_on_the_read_side)
SOURCES = Wall(
    "Readers of other tools' logs know nothing of a record but refusals, packages and compared names.",
    record_known_to_sources,
)
TEXTS = Wall("The alignment of two texts knows nothing but texts.", anything_known_to_alignment)
STAIR = Wall("Projections reach the record by a reading alone.", ways_around_the_reading)
SEEING = Wall(
    "Who may see an event is decided in projections/reading/viewers.py alone.",
    who_may_see_compared_elsewhere,
)
ALIKE = Wall("What serves every game knows none by its name.", games_known_by_name)
NAMES = Wall("A room is named after what is in it.", names_that_say_nothing)
DOORS = Wall("Every room says at its door what it is for.", doors_without_a_sign)

WALLS = (
    DOWN,
    ROOMS_DOWN,
    STRANGERS,
    ONE_DOOR,
    STAIRS,
    FOUND,
    STORE,
    SQL,
    SERVERS,
    DATABASE,
    DISK,
    LUCK,
    SALTS,
    DEALERS,
    FOLDS,
    TIME,
    DRAWING,
    OFFLINE,
    WEB,
    FRONT,
    START,
    READING,
    SOURCES,
    TEXTS,
    STAIR,
    SEEING,
    ALIKE,
    NAMES,
    DOORS,
)


# --- The house ---


@cache
def modules_of_the_house() -> tuple[Module, ...]:
    """Every source file of the four packages, read once for all walls."""
    return tuple(_modules())


def _modules() -> Iterator[Module]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            yield read(name, path.read_text(encoding="utf-8"), is_package=is_package)


@pytest.mark.parametrize("wall", WALLS, ids=lambda wall: wall.sentence)
def test_the_house_keeps_its_walls(wall: Wall) -> None:
    breaches = [str(breach) for module in modules_of_the_house() for breach in wall.breaches(module)]

    assert not breaches, "\n".join([wall.sentence, *breaches])


def drawn_rooms(package: str) -> list[str]:
    """Rooms of a package in docs/floor-plan.md, from the ground up."""
    drawing = (ROOT / "docs" / "floor-plan.md").read_text("utf-8").split("```")[1]
    rows = next(part for part in drawing.split("\n\n") if part.split()[0] == package.replace(".", "/"))
    drawn = [re.split(" {3,}", row.strip())[0].split("  ") for row in rows.strip().splitlines()[1:]]
    return [room for row in reversed(drawn) for room in reversed(row)]


def test_the_floor_plan_draws_every_room_in_its_place() -> None:
    below = FLOORS[FLOORS.index("journal.RELEASE") + 1 : FLOORS.index("projections")]

    assert drawn_rooms("journal") == [room.removeprefix("journal.") for room in below]
    for package, rooms in ROOMS.items():
        assert drawn_rooms(package) == [room for room in rooms if room != "VERSION"]


def needs(modules: Iterable[Module]) -> dict[str, set[str]]:
    """Each module with those it imports, also in functions and for types."""
    known = {module.name: module for module in modules}

    def module_of(name: str) -> str:
        while name and name not in known:
            name = name.rpartition(".")[0]
        return name

    return {
        name: {module_of(use.name) for use in module.imports} - {name, ""} for name, module in known.items()
    }


def needs_of_rooms(package: str, modules: dict[str, set[str]]) -> dict[str, set[str]]:
    """Each room of a package with those it imports; the package's own module is the room `""`."""
    found: dict[str, set[str]] = {}
    for name, used in modules.items():
        if is_within(name, package):
            here = room_of(package, name)
            rooms = {room_of(package, each) for each in used if is_within(each, package)}
            found.setdefault(here, set()).update(rooms - {here})
    return found


def circle(found: dict[str, set[str]]) -> list[str]:
    """Names that need each other in a circle; empty without one."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


def test_no_two_modules_wait_for_each_other() -> None:
    assert circle(needs(modules_of_the_house())) == []


def test_no_two_rooms_of_a_package_wait_for_each_other() -> None:
    found = needs(modules_of_the_house())
    packages = {name.rpartition(".")[0] for name in found} - {""}

    circles = {package: circle(needs_of_rooms(package, found)) for package in sorted(packages)}

    assert {package: rooms for package, rooms in circles.items() if rooms} == {}


# --- The example guests ---


def guests() -> Iterator[Module]:
    for path in sorted((ROOT / "examples/guests").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield read(name, path.read_text(encoding="utf-8"))


def test_an_example_guest_imports_retold_game_alone() -> None:
    ours = (*PACKAGES, "tests")
    breaches = [
        str(Breach(module, use.line, f"imports {use.name}"))
        for module in guests()
        for use in module.imports
        if is_within(use.name, *ours) and not is_within(use.name, "retold.game")
    ]

    assert breaches == []


# --- The walls themselves ---
# Each has to fall where it should, and to stand where nothing is wrong.

BREACHES = [
    (DOWN, "journal.vocabulary.events", "from journal.line import Line"),
    (DOWN, "journal.line", "import journal.store.events.codec"),
    (DOWN, "journal.line", "from . import store"),
    (DOWN, "journal.line", "def later():\n    from journal import store"),
    (DOWN, "journal.table", "from retold.games.uno.events import Played"),
    (DOWN, "retold.games.uno.commands", "from retold.drafts.making import begin"),
    (DOWN, "journal.store", "from projections import reading"),
    (DOWN, "journal.language.lexing", "from projections.texts import safe"),
    (DOWN, "journal.store.copies.dump", "from journal.language.lexing import lex"),
    (DOWN, "projections.reading", "from retold.scribe import Scribe"),
    (DOWN, "retold.scribe", "from cli.campaigns.settings import Settings"),
    (DOWN, "retold.scribe", "from retold.drafts.making import begin"),
    (DOWN, "retold.drafts.making", "from retold.drafts.verb.session import Session"),
    (DOWN, "journal.store.postgres.store", "from cli.output.printing import fitted"),
    (DOWN, "retold", "from cli.dispatch import dispatch"),
    (DOWN, "journal", "from journal.line import Line"),
    (DOWN, "journal.cellar", "x = 1"),
    (ROOMS_DOWN, "journal.store.contract.errors", "from journal.store.events.record import Record"),
    (ROOMS_DOWN, "journal.store.writing.undo", "def later():\n    from journal.store.copies import dump"),
    (ROOMS_DOWN, "journal.store.cellar", "x = 1"),
    (ROOMS_DOWN, "cli.verbs.show", "def later():\n    from cli.console.session import ConsoleSession"),
    (ROOMS_DOWN, "cli.output.printing", "from cli import help, invocation"),
    (ROOMS_DOWN, "cli", "from cli.verbs import log"),
    (ROOMS_DOWN, "projections.reading.sight", "from projections.prose import telling"),
    (ROOMS_DOWN, "projections.views.decks", "from projections.maps import picture"),
    (ROOMS_DOWN, "projections.maps.drawings", "from projections.exports.markdown import front_matter"),
    (ROOMS_DOWN, "projections.games", "from projections.plain import ink"),
    (
        ROOMS_DOWN,
        "projections.prose.telling",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from projections.story import document",
    ),
    (ROOMS_DOWN, "projections.views.search", "def later():\n    from projections.exports import vault"),
    (ROOMS_DOWN, "projections", "from projections.reading import LineView"),
    (ROOMS_DOWN, "projections.story.placing", "from projections.story.weighing import Weighing"),
    (ROOMS_DOWN, "projections.story.weighing", "def later():\n    from projections.story import writing"),
    (ROOMS_DOWN, "projections.story.cellar", "x = 1"),
    (ROOMS_DOWN, "projections.cellar", "x = 1"),
    (STRANGERS, "retold.games.uno.voice", "from retold.games.whist.voice import trump"),
    (STRANGERS, "retold.games.uno.rules", "from ..whist import rules"),
    (STRANGERS, "journal.systems", "def load():\n    import retold.games.uno"),
    (STRANGERS, "journal.line", "from retold.games.uno.system import SYSTEM"),
    (STRANGERS, "retold.campaign", "from retold.games.uno.state import Shelf"),
    (STRANGERS, "cli.draw", "import retold.games.uno.commands"),
    (STRANGERS, "projections.prose", "from retold.games.uno import voice"),
    (ONE_DOOR, "retold.games.uno.commands", "from journal.systems import SYSTEMS"),
    (ONE_DOOR, "retold.games.uno.commands", "from retold.scribe import Scribe"),
    (ONE_DOOR, "retold.games.uno.voice", "from projections.story.transcript.build import of_line"),
    (
        ONE_DOOR,
        "retold.games.uno.voice",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from projections.prose import telling",
    ),
    (ONE_DOOR, "retold.games.homebrew.commands", "from retold.scribe import Scribe"),
    (STAIRS, "retold.games.uno.rules", "from retold.games.uno.events import Played"),
    (STAIRS, "retold.games.uno.options", "from .state import State"),
    (STAIRS, "retold.games.uno.events", "from . import state"),
    (STAIRS, "retold.games.uno.state", "from retold.games.uno import Play"),
    (STAIRS, "retold.games.uno.kitchen", "x = 1"),
    (STAIRS, "retold.games.uno.facts", "from retold.games.uno.commands import turn"),
    (STAIRS, "retold.games.uno.voice", "from retold.games.uno.commands import turn"),
    (STAIRS, "retold.games.uno.commands.drawing", "from retold.games.uno.facts import FACTS"),
    (STAIRS, "retold.games.uno.state", "from retold.games.uno.commands.drawing import draw"),
    (FOUND, "journal.store.places", "from journal.store.postgres.server_place import ServerPlace"),
    (FOUND, "retold.campaign", "def draft():\n    from retold.drafts.writing import Writing"),
    (
        FOUND,
        "retold.campaign",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from retold.sources import Source",
    ),
    (FOUND, "cli.service.app", "from retold.drafts.addresses import endpoints"),
    (FOUND, "cli.completing", "from importlib import import_module\nx = import_module('retold.sources')"),
    (FOUND, "cli.verbs.export", "HOME = 'retold.drafts.verb.chosen:TypedDraftOptions'"),
    (FOUND, "retold.drafts.files.markdown", "from retold.sources.encodings import keepable"),
    (FOUND, "journal.store.postgres.verb", "from retold.importing.taking_in import take_in"),
    (FOUND, "retold.promised", "from retold.drafts.writing import Writing"),
    (STORE, "journal.line", "import sqlite3"),
    (STORE, "cli.verbs.verify", "from eventsourcing.sqlite import SQLiteDatastore"),
    (SQL, "journal.store.writing.campaign", "import sqlite3"),
    (SQL, "journal.store.verify", "from sqlite3 import Error"),
    (SQL, "journal.store.recorder", "from journal.store.sqlite.connection import connect"),
    (SQL, "cli.verbs.backup", "from journal.store.sqlite import schema"),
    (SERVERS, "journal.store.places", "def f():\n    import psycopg"),
    (SERVERS, "cli.verbs.show", "from psycopg.errors import UniqueViolation"),
    (DATABASE, "journal.store.events.record", "from journal.store.sqlite.file import CampaignFile"),
    (
        DATABASE,
        "journal.store.events.line_events",
        "def at():\n    from journal.store.sqlite.file import CampaignFile",
    ),
    (DATABASE, "journal.language.moments", "from journal.store import sqlite"),
    (DATABASE, "projections.reading.recorded_line", "from journal.store.sqlite.file import CampaignFile"),
    (DATABASE, "journal.store.writing.campaign", "from journal.store.sqlite.file import CampaignFile"),
    (DATABASE, "cli.verbs.doctor", "def f():\n    from journal.store.postgres import store"),
    (DISK, "journal.store.disk.last_seen", "import os\nos.fsync(3)"),
    (DISK, "cli.output.writing_files", "from os import fdatasync"),
    (LUCK, "journal.decks.french", "import random"),
    (LUCK, "cli.verbs.new", "from secrets import token_bytes"),
    (LUCK, "projections.prose.shared", "import os\nx = os.urandom(8)"),
    (SALTS, "journal.store.writing.branches", "from random import shuffle"),
    (DEALERS, "projections.views.decks", "from journal.decks.chance import SystemDealer"),
    (DEALERS, "projections.reading", "from journal.decks import chance\nx = chance.SeededDealer(b'', 1, {})"),
    (FOLDS, "projections.views.decks", "from journal.line import evolve"),
    (FOLDS, "cli.verbs.show", "from journal import line as line_\nline_.evolve(table, live)"),
    (TIME, "journal.line", "import time"),
    (TIME, "projections.reading", "from time import monotonic"),
    (TIME, "journal.table", "from datetime import datetime as moment\nx = moment.now()"),
    (TIME, "journal.table", "import datetime\nx = datetime.date.today()"),
    (TIME, "journal.table", "import datetime as dt\nx = dt.datetime.utcnow()"),
    (DRAWING, "projections.stress", "from rich.table import Table"),
    (DRAWING, "journal.vocabulary.verbs", "import typer"),
    (OFFLINE, "cli.verbs.backup", "from urllib.request import urlopen"),
    (OFFLINE, "projections.exports.html", "def f():\n    import socket"),
    (WEB, "cli.verbs.show", "def f():\n    from starlette.routing import Route"),
    (WEB, "retold.campaign", "import anyio"),
    (FRONT, "cli.service.endpoints", "from journal.refused import Refused"),
    (FRONT, "cli.service.endpoints", "from retold.scribe import Scribe"),
    (FRONT, "retold.drafts.addresses.endpoints", "from retold.drafts.making import begin"),
    (START, "retold.__main__", "import typer"),
    (START, "retold.__main__", "try:\n    from typer import Typer\nexcept ImportError:\n    pass"),
    (READING, "projections.stress", "def foretell(line, command):\n    return line.at(3).decide(command)"),
    (READING, "projections.stress", "from journal.system import decide"),
    (SOURCES, "retold.sources.discord.messages", "from journal.table import Table"),
    (TEXTS, "retold.drafts.alignment.words", "from journal.names import normalise"),
    (SOURCES, "retold.sources.keys", "def act():\n    from retold.campaign import Campaign"),
    (STAIR, "projections.views.decks", "from journal.store.writing.campaign import CampaignStore"),
    (STAIR, "projections.views.search", "from journal.store.events import line_events"),
    (STAIR, "projections.story.transcript", "from journal.store.events.codec import decode"),
    (STAIR, "projections.story.transcript", "def told(reading):\n    return reading.campaign.record.head(1)"),
    (ALIKE, "cli.console.nameable", "PACKS = {'bruise': ()}"),
    (ALIKE, "projections.views.tracks", "def of(table):\n    return table.shelves['edgerunner']"),
    (ALIKE, "journal.shared.people", "key = 'whiskey.deck'"),
    (SEEING, "projections.views.cast", "x = reading.viewer.among((1,))"),
    (SEEING, "cli.app", "if person in moment.envelope.visible_to:\n    pass"),
    (NAMES, "cli.utils", "x = 1"),
    (NAMES, "journal.store.helpers.rows", "x = 1"),
    (DOORS, "cli.app", ""),
]

INNOCENT = [
    ("retold.games.uno.commands", "from . import events, rules\nfrom .state import State"),
    ("retold.games.uno", "from retold.games.uno.commands import Play"),
    ("retold.games.uno.commands", "from retold.games.uno.commands.drawing import draw"),
    ("retold.games.uno.commands.drawing", "from retold.games.uno.commands.turns import Turn"),
    ("retold.games.uno.facts", "from retold.games.uno.state import shelf"),
    ("retold.games.uno.state", "from retold.game import HasDecks"),
    ("retold.games.uno.commands.turns", "from retold import game"),
    ("retold.games.homebrew.commands", "from journal.decks.expressions import parse_throw"),
    ("journal.line", "from journal.systems import SYSTEMS"),
    ("journal.line", "def fold(table, lives):\n    evolve(table, lives[0])"),
    ("projections.reading.line_view", "from journal import line as line_\nline_.evolve(table, live)"),
    ("retold.games.uno.notation", "from retold.games.uno import events"),
    ("retold.games.uno.voice", "from retold.games.uno.notation import line\nfrom retold.game import Game"),
    ("projections.prose", "from projections import games"),
    ("projections.exports.markdown", "def later():\n    from projections.maps.svg import svg"),
    ("projections.reading.line_view", "import projections"),
    ("retold.reading", "from projections.exports.vault import write"),
    ("retold.drafts.campaign", "from retold.reading import Reading"),
    ("journal.store.postgres.verb", "import typer\nfrom cli.output.printing import fitted"),
    ("retold.drafts.addresses.answers", "from cli.service.answers import Answer"),
    ("retold.drafts.addresses.endpoints", "from starlette.responses import Response"),
    ("retold.drafts.feature", "WHERE = 'retold.drafts.verb.chosen:TypedDraftOptions'"),
    (
        "retold.drafts.verb.command",
        "from retold.drafts.making import begin\nfrom retold.drafts.verb.session import Session",
    ),
    (
        "retold.promised",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from retold.drafts.writing import Writing",
    ),
    ("retold.sources.opening", "from journal.refused import Refused\nfrom retold.sources.times import Order"),
    ("retold.games.uno.statistics", "from retold.games.uno.state import shelf"),
    (
        "journal.store.caches.snapshots",
        "import secrets\nimport sqlite3\nfrom datetime import datetime\nx = datetime.now()",
    ),
    ("journal.decks.chance", "import hmac\nimport secrets"),
    (
        "journal.table",
        "from datetime import date, datetime\nx = date(2026, 3, 14)\ny = datetime.fromisoformat('')",
    ),
    ("journal.line", "def f(time, random, datetime):\n    return time.hour, random.x, datetime.date.today()"),
    ("projections.reading.recorded_line", "from journal.store.writing.campaign import CampaignStore"),
    ("journal.store.sqlite.file", "import sqlite3\nfrom journal.store.sqlite import schema"),
    ("journal.store.places", "from journal.store.sqlite.file import CampaignFile"),
    ("journal.store.events.record", "from journal.store.contract.event_store import EventStore"),
    (
        "projections.views.search",
        "from journal.store.caches.index import Hit\nfrom journal.store.events.codec import TABLE",
    ),
    ("cli.service.network", "import socket\nfrom retold import Refused"),
    ("cli.campaigns.links", "import hmac\nimport secrets"),
    ("retold.__main__", "def main():\n    from cli.app import run_app"),
    ("cli.console.nameable", "HELP = 'Such as bruise.ace=low, in Bruise.'"),
    ("retold.games.whiskey.voice", "NAME = 'whiskey'"),
    ("cli.output.drawing", "import time\nimport rich\nx = line.decide(command)"),
    ("projections.reading.viewers", "x = viewer.among(visible_to)"),
    ("retold.player_lines", "x = viewer.among((who,))"),
]


def signed(name: str, source: str) -> Module:
    """A made-up module with a sentence at its door."""
    sign = '"""What it is for."""\n' if source else ""
    return read(name, sign + source, is_package=name in ("journal", "retold.games.uno"))


@pytest.mark.parametrize(("wall", "name", "source"), BREACHES)
def test_a_breach_is_seen_by_its_wall(wall: Wall, name: str, source: str) -> None:
    module = signed(name, source)

    assert list(wall.breaches(module))


@pytest.mark.parametrize(("name", "source"), INNOCENT)
def test_allowed_imports_pass(name: str, source: str) -> None:
    module = signed(name, source)

    assert [str(breach) for wall in WALLS for breach in wall.breaches(module)] == []


@pytest.mark.parametrize(
    "back",
    [
        "from journal.line import Line",
        "def later():\n    from journal.line import Line",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from journal.line import Line",
    ],
    ids=["at the top", "in a function", "for types"],
)
def test_a_circle_is_seen_wherever_its_imports_stand(back: str) -> None:
    there = signed("journal.line", "from journal.store import Store")

    assert set(circle(needs([there, signed("journal.store", back)]))) == {"journal.line", "journal.store"}
    assert circle(needs([there, signed("journal.store", "x = 1")])) == []


def test_a_circle_of_rooms_is_seen_where_no_module_is_in_one() -> None:
    found = needs(
        [
            signed("cli.help.pages", "from cli.verbs import log"),
            signed("cli.help.screens", "x = 1"),
            signed("cli.verbs.log", "x = 1"),
            signed("cli.verbs.show", "from cli.help.screens import x"),
        ]
    )

    assert circle(found) == []
    assert set(circle(needs_of_rooms("cli", found))) == {"help", "verbs"}


def test_every_wall_has_been_seen_to_fall() -> None:
    assert {wall.sentence for wall, _, _ in BREACHES} == {wall.sentence for wall in WALLS}


def test_a_breach_says_where_it_is() -> None:
    module = signed("journal.line", "import sqlite3\nx: sqlite3.Row")

    assert [str(breach) for breach in STORE.breaches(module)] == ["journal/line.py:2: imports sqlite3"]
