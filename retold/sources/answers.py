"""Answers of a table about its log: a TOML file, read with every mistake at its line, and written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeVar

from journal.refused import Refused
from retold.sources.evenings import rule_of, zone_of
from retold.sources.reporting import Report
from retold.sources.times import Order
from retold.sources.unit import Sort

HEADING: Final = (
    "Answers for `retold import`. It names people: keep it to yourselves, for `redact` does not reach it.",
    "Take the sign # from the front of a line to answer it.",
)
BOT: Final = "bot"
_Choice = TypeVar("_Choice", bound=StrEnum)
EVERYBODY: Final = "table"
ONLY_GM: Final = "gm"
ROLES: Final = ("player", "npc", BOT, "nobody")


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


@dataclass(frozen=True)
class Answers:
    """A table's answers about its log: people, channels, time zone, sessions."""

    family: str = ""
    encoding: str = ""
    dates: Order | None = None
    zone: str = ""
    sessions: str = ""
    game_master: tuple[str, ...] = ()
    unmarked: Unmarked = Unmarked.ASK
    quotes: bool = False
    """True if the words that a reply answers are kept with it."""
    channels: Mapping[str, Use] = field(default_factory=dict)
    audience: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """People who see a hidden channel beside the game master; or `table` alone, or `gm` alone.

    It holds for hidden units that name nobody themselves: those of a secret roll are for its thrower.
    """
    people: Mapping[str, Person] = field(default_factory=dict)
    accounts: Mapping[str, str] = field(default_factory=dict)
    """Accounts of the source by their short names."""
    kinds: Mapping[str, Sort] = field(default_factory=dict)

    def person_of(self, label: str, account: str = "") -> str | None:
        """Name of the person behind a label, or None; an account tells people with one label apart."""
        folded = label.casefold()
        short = {number: name for name, number in self.accounts.items()}.get(account, "")
        called = [name for name, one in self.people.items() if folded in _folded(name, one)]
        theirs = [name for name in called if short and short in self.people[name].accounts]
        free = [name for name in called if not (short and self.people[name].accounts)]
        found = theirs or free
        if len(found) > 1:
            found = [name for name in found if label in (name, *self.people[name].labels)]
        return found[0] if len(found) == 1 else None


def _folded(name: str, person: Person) -> set[str]:
    return {name.casefold(), *(label.casefold() for label in person.labels)}


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
            encoding=self._text(document, ("encoding",)),
            dates=self._one_of(document, ("dates",), Order, None),
            zone=self._checked(document, "zone", zone_of),
            sessions=self._checked(document, "sessions", rule_of),
            game_master=self._texts(document, ("game_master",)),
            unmarked=self._one_of(document, ("unmarked",), Unmarked, Unmarked.ASK) or Unmarked.ASK,
            quotes=self._flag(document, ("quotes",)),
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
        )
        if person.role and person.role not in ROLES:
            self._mistake((*path, "role"), f"there is no role {person.role!r}; there are {', '.join(ROLES)}")
        for account in person.accounts:
            if account not in accounts:
                self._mistake((*path, "accounts"), f"{account!r} is not among [accounts]")
        return person

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
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
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
        chosen = next((one for one in among if one.value == value), None)
        if chosen is None:
            self._mistake(path, f"{path[-1]} is one of {', '.join(one.value for one in among)}")
        return chosen

    def _checked(self, document: Mapping[str, Any], key: str, check: Callable[[str], object]) -> str:
        value = self._text(document, (key,))
        if value:
            try:
                check(value)
            except Refused as refusal:
                sentence = str(refusal).removesuffix(".")
                self._mistake((key,), sentence[0].lower() + sentence[1:])
        return value

    def _mistake(self, path: Sequence[str], what: str) -> None:
        line = next((self._lines[found] for found in _ways_up(path) if found in self._lines), 1)
        self.mistakes.append((line, what))


def _ways_up(path: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Path of a value, then of the tables around it."""
    for length in range(len(path), 0, -1):
        yield tuple(path[:length])


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


# --- Questions ---


@dataclass(frozen=True)
class Question:
    """Something only the table knows: a sentence, and the lines that would answer it."""

    text: str
    table: str
    """Table of the file that the answer stands in; empty for the top."""
    proposal: tuple[tuple[str, Any], ...]
    """Keys and values that are proposed; for `people` the value is a table."""
    is_needed: bool = True
    """False if the proposal holds as long as nobody says otherwise."""


def questions(
    answers: Answers, report: Report, accounts: Mapping[str, str], *, can_mark: bool
) -> list[Question]:
    """Open questions about a source.

    `accounts` has an account of the source for each label that has one. `can_mark` is False if the source
    cannot tell hidden units from others.
    """
    found = list(_questions_of_time(answers, report))
    if not answers.game_master:
        found.append(Question("Who is the game master?", "", (("game_master", []),)))
    if not can_mark and answers.unmarked is Unmarked.ASK:
        text = 'The file does not say what was hidden. Who may see all of it: "table" or "gm"?'
        found.append(Question(text, "", (("unmarked", "gm"),)))
    for channel in report.hidden_channels:
        if channel not in answers.audience and answers.channels.get(channel) is not Use.SKIP:
            text = 'This channel is hidden. Who sees it beside the game master: people, "table" or "gm"?'
            found.append(Question(text, "audience", ((channel, ONLY_GM),)))
    for channel in report.channels:
        if channel and channel not in answers.channels:
            text = "What is in this channel: story, aside, dice, notes (the game master's) or skip?"
            found.append(Question(text, "channels", ((channel, Use.STORY.value),), is_needed=False))
    for label in report.labels:
        if answers.person_of(label, accounts.get(label, "")) is None and label not in answers.game_master:
            number = f"{report.labels[label]:,} {'unit' if report.labels[label] == 1 else 'units'}"
            text = f'{number}. Who plays this character? Or: role = "bot", "npc" or "nobody".'
            found.append(Question(text, "people", ((label, {"plays": ""}),)))
    return found


def _questions_of_time(answers: Answers, report: Report) -> Iterator[Question]:
    if report.tally.dates_unclear and answers.dates is None:
        text = "Do the dates in the file begin with the day or with the month?"
        yield Question(text, "", (("dates", Order.MONTH_FIRST.value),))
    if report.first and not report.first.is_instant and not answers.zone:
        text = "Which time zone are the times of the file in? An IANA name."
        yield Question(text, "", (("zone", "Europe/Lisbon"),))
    if not answers.sessions:
        text = 'Where do sessions begin? "gap 4h", "day", "week", "thread", "one" or "at 2026-03-01T19:00".'
        yield Question(text, "", (("sessions", "gap 4h"),), is_needed=False)


# --- Writing ---


def with_questions(text: str, family: str, open_questions: Iterable[Question]) -> str:
    """Text of an answers' file with the open questions as comments.

    Everything that stands there, with the table's own comments and order, stays; a question that is there
    already, as a comment, is not added again.
    """
    import tomlkit  # noqa: PLC0415 - only the writing of answers needs it

    if not text.strip():
        text = "".join(f"# {line}\n" for line in HEADING) + f"family = {_quoted(family)}\n"
    wanted: dict[str, list[str]] = {}
    for question in open_questions:
        lines = list(_commented(question))
        if f"\n{lines[-1]}\n" not in f"\n{text}\n":
            wanted.setdefault(question.table, []).extend(lines)
    for table in ("", "channels", "audience", "people"):
        if table in wanted:
            text = _inserted(text, table, wanted[table])
    tomlkit.parse(text)
    return text


def with_answer(text: str, path: Sequence[str], value: str | Sequence[str]) -> str:
    """Text of an answers' file with one answer set; everything else stays as it is."""
    import tomlkit  # noqa: PLC0415

    document = tomlkit.parse(text)
    table: Any = document
    for key in path[:-1]:
        table = table.setdefault(key, tomlkit.table())
    table[path[-1]] = value if isinstance(value, str) else list(value)
    return tomlkit.dumps(document)


def _commented(question: Question) -> Iterator[str]:
    """Lines of a question: its sentence, then its proposal, each behind a sign for comments."""
    import tomlkit  # noqa: PLC0415

    yield f"# {question.text}"
    for key, value in question.proposal:
        if isinstance(value, dict):
            yield f"#[people.{_quoted(key)}]"
            for name, part in value.items():
                yield f"#{name} = {tomlkit.item(part).as_string()}   # {_quoted(key)}"
        else:
            named = key if not question.table else _quoted(key)
            yield f"#{named} = {tomlkit.item(value).as_string()}"


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
