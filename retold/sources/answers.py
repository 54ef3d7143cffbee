"""Answers of a table about its log: a TOML file, read with every mistake at its line, and written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from retold.journal.encodings import check_encoding
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.sources.evenings import rule_of, zone_of
from retold.sources.languages import check_language
from retold.sources.opening import Hints
from retold.sources.plain_text import check_pattern
from retold.sources.table import COLUMNS
from retold.sources.time_words import without_direction
from retold.sources.times import Order
from retold.sources.unit import Sort, Unit

HEADING: Final = (
    "Answers for `retold import`. It names people: keep it to yourselves, for `redact` does not reach it.",
    "Take the sign # from the front of a line to answer it.",
)
BOT: Final = "bot"
UNKNOWN: Final = "unknown"
UNNAMED: Final = "?"
"""Label of a speaker not named by the source."""
NOBODY: Final = "nobody"
"""As a role: left out. As the game master: there is none."""
_Choice = TypeVar("_Choice", bound=StrEnum)
EVERYBODY: Final = "table"
ONLY_GM: Final = "gm"
ROLES: Final = ("player", "npc", BOT, NOBODY)


class Use(StrEnum):
    """Contents of a channel: story, asides, dice, notes, or skipped."""

    STORY = "story"
    ASIDE = "aside"
    DICE = "dice"
    NOTES = "notes"
    SKIP = "skip"


class Unmarked(StrEnum):
    """Audience of units whose source cannot say whether they were hidden."""

    ASK = "ask"
    TABLE = "table"
    GM = "gm"


@dataclass(frozen=True)
class Person:
    """Person of the campaign, and how the source calls them."""

    plays: str = ""
    """Player of the character."""
    labels: tuple[str, ...] = ()
    """Other labels of the source for this person; the name is always one."""
    accounts: tuple[str, ...] = ()
    """Accounts by their short names, such as `@1`."""
    role: str = ""
    in_character: bool = False
    """True if everything the person says in a recording is in character."""


@dataclass(frozen=True)
class Answers:
    """A table's answers about its log: people, channels, time zone, sessions."""

    family: str = ""
    format: str = ""
    """Name of the reader, where the look of the file is not enough."""
    encoding: str = ""
    dates: Order | None = None
    pattern: str = ""
    """Shape of the lines of a text."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Headings of the columns of a table, by their content."""
    language: str = ""
    """Tag of the language of the words, such as `es`; empty leaves it to the campaign."""
    zone: str = ""
    sessions: str = ""
    began: str = ""
    """Time at which a recording began, in ISO 8601, local to `zone` unless it has an offset; or `unknown`."""
    game_master: tuple[str, ...] = ()
    """Labels of the game master; `nobody` if the game has none."""
    unmarked: Unmarked = Unmarked.ASK
    quotes: bool = False
    """True if the words that a reply answers are kept with it."""
    marks: bool = False
    """True if pinned units become marks."""
    channels: Mapping[str, Use] = field(default_factory=dict)
    audience: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """People who see a hidden channel beside the game master; or `table` alone, or `gm` alone.

    It holds for hidden units without a name of their own: those of a secret roll are for its thrower.
    """
    people: Mapping[str, Person] = field(default_factory=dict)
    accounts: Mapping[str, str] = field(default_factory=dict)
    """Accounts of the source by their short names."""
    kinds: Mapping[str, Sort] = field(default_factory=dict)

    @property
    def hints(self) -> Hints:
        """Hints for readers, taken from the answers: encoding, order of dates, names, pattern, columns."""
        people = {label for name, person in self.people.items() for label in (name, *person.labels)}
        return Hints(
            encoding=self.encoding,
            dates=self.dates,
            names=frozenset(map(without_direction, people.union(self.game_master))),
            pattern=self.pattern,
            columns=tuple(self.columns.items()),
        )

    def person_of(self, label: str, account: str = "") -> str | None:
        """Name of the person behind a label, or None; an account tells people with one label apart.

        Labels are compared as names of a campaign are.
        """
        folded = folded_label(label)
        short = {number: name for name, number in self.accounts.items()}.get(account, "")
        called = [
            name
            for name, person in self.people.items()
            if folded in map(folded_label, (name, *person.labels))
        ]
        theirs = [name for name in called if short and short in self.people[name].accounts]
        found = theirs or [name for name in called if not (short and self.people[name].accounts)]
        if len(found) > 1:
            found = [name for name in found if label in (name, *self.people[name].labels)]
        return found[0] if len(found) == 1 else None


def is_gms(answers: Answers, unit: Unit, *, can_mark: bool) -> bool:
    """True if the answers keep a unit for the game master alone; `can_mark` says that its file can."""
    is_unmarked = not can_mark and answers.unmarked is Unmarked.GM
    return is_unmarked or answers.channels.get(unit.channel) is Use.NOTES


def is_open(answers: Answers, unit: Unit, *, can_mark: bool) -> bool:
    """True if a unit is public."""
    if unit.unread or is_gms(answers, unit, can_mark=can_mark):
        return False
    return not unit.hidden or (not unit.to and answers.audience.get(unit.channel) == (EVERYBODY,))


def story_channel(answers: Answers, unit: Unit) -> str:
    """Channel of a unit, if the story is told there; empty for another."""
    return unit.channel if answers.channels.get(unit.channel, Use.STORY) is Use.STORY else ""


def folded_label(label: str) -> str:
    """Label normalised as names are and without marks of direction, for comparisons.

    A label of punctuation alone stays unchanged.
    """
    return normalise(without_direction(label)) or label


# --- Reading ---


def read_answers(text: str, name: str) -> Answers:
    """Answers in a file's text. Raises Refused with one sentence for each mistake, at its line."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        line = int(place[1]) if place else max(text.count("\n"), 1)
        raise Refused(f"{name}, line {line}: this is no TOML ({str(error).partition(' (at')[0]}).") from None
    except RecursionError:
        raise Refused(f"{name} is nested too deeply.") from None
    checked = _Checked(text)
    answers = checked.answers(document)
    if checked.mistakes:
        raise Refused(*(f"{name}, line {line}: {what}." for line, what in sorted(checked.mistakes)))
    return answers


class _Checked:
    """Check of a document that collects every mistake."""

    def __init__(self, text: str) -> None:
        self._lines = dict(_lines(text))
        self.mistakes: list[tuple[int, str]] = []
        """Line and sentence of each."""

    def answers(self, document: Mapping[str, Any]) -> Answers:
        known = {*Answers.__dataclass_fields__}
        for key in document:
            if key not in known:
                self._mistake((key,), f"nobody knows {key!r}; there are {', '.join(sorted(known))}")
        accounts = self._texts_by_name(document, "accounts")
        people = {
            name: self._person(name, value, accounts)
            for name, value in self._table(document, "people").items()
        }
        return Answers(
            family=self._text(document, ("family",)),
            format=self._text(document, ("format",)),
            encoding=self._checked(document, "encoding", check_encoding),
            dates=self._one_of(document, ("dates",), Order, None),
            pattern=self._checked(document, "pattern", check_pattern),
            columns=self._columns(document),
            language=self._checked(document, "language", check_language),
            zone=self._checked(document, "zone", zone_of),
            sessions=self._checked(document, "sessions", rule_of),
            began=self._checked(document, "began", check_moment),
            game_master=self._texts(document, ("game_master",)),
            unmarked=self._one_of(document, ("unmarked",), Unmarked, Unmarked.ASK) or Unmarked.ASK,
            quotes=self._flag(document, ("quotes",)),
            marks=self._flag(document, ("marks",)),
            channels=self._choices(document, "channels", Use),
            audience=self._audience(document, people),
            people=people,
            accounts=accounts,
            kinds=self._choices(document, "kinds", Sort),
        )

    def _person(self, name: str, value: object, accounts: Mapping[str, str]) -> Person:
        path = ("people", name)
        if not isinstance(value, dict):
            self._mistake(path, f'a person is a table, such as [people."{name}"]')
            return Person()
        for key in value:
            if key not in Person.__dataclass_fields__:
                names = ", ".join(Person.__dataclass_fields__)
                self._mistake((*path, key), f"a person has no {key!r}; there are {names}")
        person = Person(
            self._text(value, (*path, "plays")),
            self._texts(value, (*path, "labels")),
            self._texts(value, (*path, "accounts")),
            self._text(value, (*path, "role")),
            self._flag(value, (*path, "in_character")),
        )
        if person.role and person.role not in ROLES:
            self._mistake((*path, "role"), f"there is no role {person.role!r}; there are {', '.join(ROLES)}")
        for account in person.accounts:
            if account not in accounts:
                self._mistake((*path, "accounts"), f"{account!r} is not among [accounts]")
        return person

    def _columns(self, document: Mapping[str, Any]) -> dict[str, str]:
        columns = self._texts_by_name(document, "columns")
        for key in columns:
            if key not in COLUMNS:
                self._mistake(("columns", key), f"a column is one of {', '.join(COLUMNS)}, and not {key!r}")
        return columns

    def _text(self, table: Mapping[str, Any], path: Sequence[str]) -> str:
        value = table.get(path[-1], "")
        if isinstance(value, str):
            return value
        self._mistake(path, f"{path[-1]} is a text in quotes")
        return ""

    def _flag(self, table: Mapping[str, Any], path: Sequence[str]) -> bool:
        value = table.get(path[-1], False)
        if isinstance(value, bool):
            return value
        self._mistake(path, f"{path[-1]} is true or false")
        return False

    def _texts(self, table: Mapping[str, Any], path: Sequence[str]) -> tuple[str, ...]:
        value = table.get(path[-1], [])
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self._mistake(path, f'{path[-1]} is a list of texts, such as ["Mary"]')
        return ()

    def _table(self, document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        value = document.get(key, {})
        if isinstance(value, dict):
            return value
        self._mistake((key,), f"{key} is a table with the heading [{key}]")
        return {}

    def _texts_by_name(self, document: Mapping[str, Any], key: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, value in self._table(document, key).items():
            if isinstance(value, str):
                found[name] = value
            else:
                self._mistake((key, name), f"{name} is a text in quotes")
        return found

    def _audience(
        self, document: Mapping[str, Any], people: Mapping[str, Person]
    ) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for channel, value in self._table(document, "audience").items():
            path = ("audience", channel)
            named = (value,) if isinstance(value, str) else self._texts({channel: value}, path)
            strangers = [name for name in named if name not in people]
            if strangers and named not in ((EVERYBODY,), (ONLY_GM,)):
                self._mistake(
                    path, f'{strangers[0]!r} is not among [people]; write people, or "table" or "gm" alone'
                )
            found[channel] = named
        return found

    def _choices(self, document: Mapping[str, Any], key: str, among: type[_Choice]) -> dict[str, _Choice]:
        table = self._table(document, key)
        chosen = {name: self._one_of(table, (key, name), among, None) for name in table}
        return {name: value for name, value in chosen.items() if value is not None}

    def _one_of(
        self, table: Mapping[str, Any], path: Sequence[str], among: type[_Choice], otherwise: _Choice | None
    ) -> _Choice | None:
        value = table.get(path[-1])
        if value is None:
            return otherwise
        chosen = next((choice for choice in among if choice.value == value), None)
        if chosen is None:
            self._mistake(path, f"{path[-1]} is one of {', '.join(choice.value for choice in among)}")
        return chosen

    def _checked(self, document: Mapping[str, Any], key: str, check: Callable[[str], object]) -> str:
        value = document.get(key)
        value = value.isoformat() if isinstance(value, datetime) else self._text(document, (key,))
        if value:
            try:
                check(value)
            except Refused as refusal:
                sentence = str(refusal).removesuffix(".")
                self._mistake((key,), sentence[0].lower() + sentence[1:])
        return value

    def _mistake(self, path: Sequence[str], what: str) -> None:
        line = next(
            (
                self._lines[around]
                for length in range(len(path), 0, -1)
                if (around := tuple(path[:length])) in self._lines
            ),
            1,
        )
        self.mistakes.append((line, what))


def check_moment(text: str) -> str:
    """Returns a moment in ISO 8601, or `unknown`. Raises Refused for any other text."""
    if text.strip().casefold() == UNKNOWN:
        return UNKNOWN
    try:
        return datetime.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise Refused(
            f"{text!r} is no date and time; write it as 2026-03-01T19:30, or write unknown."
        ) from None


_KEY = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)"""
_HEAD: Final = re.compile(rf"\s*\[\[?\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]\]?\s*(?:#.*)?")
_PAIR: Final = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Path of each table and each key, with its line; lines inside a long string count for nothing."""
    table: tuple[str, ...] = ()
    closing = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if closing:
            closing = "" if closing in line else closing
            continue
        head, pair = _HEAD.fullmatch(line.rstrip("\r")), _PAIR.match(line)
        if head:
            table = _path(head[1])
            yield table, number
        elif pair:
            yield (*table, *_path(pair[1])), number
            closing = next((sign for sign in ('"""', "'''") if line.count(sign) % 2), "")


def _path(text: str) -> tuple[str, ...]:
    """Keys of a dotted key; one that is no TOML alone stays as it is written."""
    keys = []
    for found in re.finditer(_KEY, text):
        try:
            (key,) = tomllib.loads(f"{found[0]} = 0")
        except tomllib.TOMLDecodeError:
            key = found[0]
        keys.append(key)
    return tuple(keys)


# --- Writing ---


class Comment(NamedTuple):
    """Question written into an answers' file as a comment: a sentence, and the lines that would answer it."""

    text: str
    table: str
    """Table of the file that has the answer; empty for the top."""
    proposal: tuple[tuple[str, Any], ...]
    """Keys and values that are proposed; for `people` the value is a table."""


def with_comments(text: str, family: str, comments: Iterable[Comment]) -> str:
    """Text of an answers' file with open questions added as comments.

    Existing lines keep their wording and order; a question that is in the file already is not added again.
    """
    import tomlkit  # noqa: PLC0415 - only the writing of answers needs it

    text = begun(text, family)
    wanted: dict[str, list[str]] = {}
    for comment in comments:
        lines = list(_commented(comment))
        if f"\n{lines[-1]}\n" not in f"\n{text}\n":
            wanted.setdefault(comment.table, []).extend(lines)
    for table in ("", "columns", "channels", "audience", "people"):
        if table in wanted:
            text = _inserted(text, table, wanted[table])
    tomlkit.parse(text)
    return text


def without_comment(text: str, comment: Comment) -> str:
    """Text of an answers' file without the comment that asked a question."""
    rows, lines = text.split("\n"), list(_commented(comment))
    for start in range(len(rows) - len(lines) + 1):
        if rows[start : start + len(lines)] == lines:
            return "\n".join([*rows[:start], *rows[start + len(lines) :]])
    return text


def without_people(text: str, labels: Iterable[str]) -> str:
    """Text of an answers' file without the comments that propose who these labels are.

    The sentence above them goes with the last of its proposals.
    """
    named = [_quoted(label) for label in labels]
    heads, ends = {f"#[people.{label}]" for label in named}, tuple(f"   # {label}" for label in named)
    rows: list[str] = []
    has_lost = False
    for row in text.split("\n"):
        if row in heads or (ends and row.startswith("#") and row.endswith(ends)):
            has_lost = True
            continue
        if has_lost and not row.startswith("#[people.") and rows and rows[-1].startswith("# "):
            rows.pop()
        has_lost = False
        rows.append(row)
    return "\n".join(rows)


def begun(text: str, family: str) -> str:
    """Text of an answers' file; for empty text, a heading and the family."""
    if text.strip():
        return text
    return "".join(f"# {line}\n" for line in HEADING) + f"family = {_quoted(family)}\n"


def with_answers(text: str, answered: Iterable[tuple[Sequence[str], str | Sequence[str]]]) -> str:
    """Text of an answers' file with answers set, each given as path and value; other lines stay unchanged."""
    import tomlkit  # noqa: PLC0415

    document = tomlkit.parse(text)
    for path, value in answered:
        table: Any = document
        for depth, key in enumerate(path[:-1]):
            table = table.setdefault(key, tomlkit.table(is_super_table=depth == 0 and len(path) > 2))
        table[path[-1]] = value if isinstance(value, str) else list(value)
    return _spaced(tomlkit.dumps(document), text)


def _spaced(text: str, before: str) -> str:
    """Text with an empty line above each heading that `before` did not have."""
    rows, old = text.split("\n"), before.split("\n")
    there = set(zip(["", *old], old, strict=False))
    heads = {number for number in dict(_lines(text)).values() if _is_head(rows[number - 1])}
    spaced: list[str] = []
    for number, row in enumerate(rows, start=1):
        above = rows[number - 2] if number > 1 else ""
        if number in heads and above.strip() and (above, row) not in there:
            spaced.append("")
        spaced.append(row)
    return "\n".join(spaced).rstrip("\n") + "\n"


def _commented(comment: Comment) -> Iterator[str]:
    """Lines of a question: its sentence, then its proposal, each behind a sign for comments."""
    import tomlkit  # noqa: PLC0415

    yield f"# {comment.text}"
    for key, value in comment.proposal:
        if isinstance(value, dict):
            yield f"#[people.{_quoted(key)}]"
            for name, part in value.items():
                yield f"#{name} = {tomlkit.item(part).as_string()}   # {_quoted(key)}"
        else:
            yield f"#{_quoted(key) if comment.table else key} = {tomlkit.item(value).as_string()}"


def _quoted(key: str) -> str:
    """Key in quotes, with signs that TOML or a terminal would take amiss escaped."""
    import tomlkit  # noqa: PLC0415

    return tomlkit.string(key).as_string().replace("\x7f", "\\u007F")


def _inserted(text: str, table: str, lines: Sequence[str]) -> str:
    """Text with comment lines at the end of a table, of the part before all tables, or of the file."""
    rows = text.split("\n")
    places = dict(_lines(text))
    if table == "people" or (table and not any(path[0] == table for path in places)):
        heading = [] if table == "people" else [f"[{table}]"]
        return text.rstrip("\n") + "\n\n" + "\n".join([*heading, *lines]) + "\n"
    start = places.get((table,), 0)
    start = start if start and _is_head(rows[start - 1]) else 0
    heads = (number for number in places.values() if number > start and _is_head(rows[number - 1]))
    end = min(heads, default=len(rows) + 1) - 1
    while end > start and not rows[end - 1].strip():
        end -= 1
    return "\n".join([*rows[:end], *lines, *rows[end:]])


def _is_head(row: str) -> bool:
    return _HEAD.fullmatch(row.rstrip("\r")) is not None
