"""Reader of SealDice's JSON: messages, the bot's notes on commands, answers that only one person saw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from retold.journal.refused import Refused
from retold.sources.conventions import sorted_words
from retold.sources.dice import sealdice
from retold.sources.encodings import keepable
from retold.sources.json_objects import is_cut, is_number, listed, object_in, objects_in, text_in
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sealdice.words import Command, command_in, name_of, watches, without_numbers, words_of
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Fact, FactKind, Place, Precision, Reason, Sort, Unit, instant_of

SOON: Final = 600
"""Seconds within which an answer belongs to a command; the bot counts commands from 1 whenever it starts."""
_KEY: Final = re.compile(r'(?<!\\)"isDice"\s{0,20}:')
_ITEMS: Final = re.compile(r'"items"\s{0,20}:\s{0,20}\[')
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_FIELDS: Final = frozenset(
    {
        *("id", "GroupID", "groupId", "nickname", "IMUserId", "time", "message", "isDice", "commandId"),
        *("commandInfo", "rawMsgId", "uniformId", "channel", "version"),
    }
)


@dataclass(frozen=True, slots=True)
class _Item:
    """Item of the log; an item that cannot be read has only `raw`."""

    ordinal: int
    key: str = ""
    nickname: str = ""
    account: str = ""
    group: str = ""
    time: int | None = None
    message: str = ""
    is_dice: bool = False
    command: int = 0
    info: Mapping[str, Any] = field(default_factory=dict)
    raw_id: str = ""
    channel: str = ""
    raw: str = ""
    pieces: int = 1


@dataclass(slots=True)
class _Run:
    """Command and the bot's answers to it."""

    time: int
    asked: _Item | None = None
    command: Command | None = None
    dice: list[int] = field(default_factory=list)
    """Ordinals of the answers."""
    hides: bool = False


@dataclass(slots=True)
class _Plan:
    """Facts gathered from the whole log before its first unit is made."""

    runs: dict[int, _Run] = field(default_factory=dict)
    """Runs by the ordinals of their items."""
    names: dict[str, str] = field(default_factory=dict)
    """Latest label of each account; an ellipsis for a group."""
    keys: dict[str, str] = field(default_factory=dict)
    """Keys by the numbers that the platform gave the messages."""


def look(head: Head) -> Likeness:
    """Likeness to a log: a JSON object with items that say whether the bot wrote them."""
    if not head.text.lstrip("\ufeff \t\r\n").startswith("{") or '"message"' not in head.text:
        return Likeness.NO
    return Likeness.SURELY if _ITEMS.search(head.text) and _KEY.search(head.text) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of items, counted by their key for bot messages; quotes inside messages are escaped."""
    return sum(1 for _ in _KEY.finditer(stream.text))


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log, decoded twice: only the whole log tells which answers one person saw.

    Raises Refused if the file holds no list of items, or is damaged elsewhere than at its end.
    """
    text = keepable(stream.text, tally)
    plan = _plan(_items(text, stream.name, tally))
    ordinals = Ordinals()
    for item in _items(text, stream.name, Tally()):
        yield _unit(item, plan, ordinals, tally)


# --- Decoding ---


def _items(text: str, name: str, tally: Tally) -> Iterator[_Item]:
    start = _ITEMS.search(text)
    if start is None:
        raise Refused(f"{name} holds no list of items, so it is no log of SealDice.")
    for ordinal, (value, raw) in enumerate(listed(text, start.end(), name), start=1):
        yield _item(value, ordinal, raw, tally)
    if is_cut(text):
        tally.warn(f"{name} is cut off: its last message may be incomplete. Export it again if you can.")


def _item(value: object, ordinal: int, raw: str, tally: Tally) -> _Item:
    pieces = sum(1 for _ in _KEY.finditer(raw))
    if not isinstance(value, dict) or not isinstance(value.get("message"), str) or "isDice" not in value:
        return _Item(ordinal, raw=raw, pieces=pieces)
    tally.count_fields("item", value, _FIELDS)
    time = value.get("time")
    seconds = int(time) if is_number(time) else None
    account = text_in(value, "IMUserId").rpartition(":")[2] or text_in(value, "uniformId").rpartition(":")[2]
    identifier = text_in(value, "id")
    command = value.get("commandId")
    return _Item(
        ordinal,
        f"{identifier}@{seconds}" if identifier not in ("", "0") else "",
        keepable(text_in(value, "nickname"), tally) or "?",
        account,
        text_in(value, "GroupID").rpartition(":")[2],
        seconds,
        keepable(text_in(value, "message"), tally).replace("\r\n", "\n"),
        value.get("isDice") is True,
        command if isinstance(command, int) and not isinstance(command, bool) else 0,
        object_in(value, "commandInfo"),
        text_in(value, "rawMsgId"),
        keepable(text_in(value, "channel"), tally),
        pieces=pieces,
    )


# --- Answers and the commands they answer ---


def _plan(items: Iterator[_Item]) -> _Plan:
    plan = _Plan()
    latest: dict[int, _Run] = {}
    for item in items:
        if item.raw:
            continue
        if item.account:
            plan.names[item.account] = name_of(item.nickname)
        if item.group:
            plan.names[item.group] = "…"
        if item.raw_id and item.key:
            plan.keys[item.raw_id] = item.key
        if not item.command:
            continue
        time = item.time or 0
        run = latest.get(item.command)
        if run is None or abs(time - run.time) > SOON or (not item.is_dice and run.asked):
            run = latest[item.command] = _Run(time)
        plan.runs[item.ordinal] = run
        if item.is_dice:
            run.dice.append(item.ordinal)
            run.hides |= item.info.get("hide") is True
        else:
            run.asked, run.command = item, command_in(item.message)
    return plan


def _is_hidden(item: _Item, run: _Run | None) -> bool:
    """True for the answer to a secret command that one person saw.

    The bot first says publicly that there was one, then sends the answer: so the last is hidden, and one in
    front of it that has the result in it. Without the command nothing tells which answers were sent.
    """
    if run is None:
        return False
    is_secret = run.hides or (run.command is not None and run.command.is_secret)
    if run.asked is None and len(run.dice) > 1:
        is_secret = True
    if not is_secret:
        return False
    return run.dice[0] != item.ordinal or len(run.dice) == 1 or _tells_result(item)


def _tells_result(item: _Item) -> bool:
    for note in objects_in(item.info, "items"):
        for key in ("outcome", "result", "sanNew"):
            number = note.get(key)
            if number is not None and re.search(rf"(?<!\d){re.escape(str(number))}(?!\d)", item.message):
                return True
    return False


# --- Units ---


def _unit(item: _Item, plan: _Plan, ordinals: Ordinals, tally: Tally) -> Unit:
    place = Place(item.ordinal, item.ordinal)
    if item.raw:
        raw = without_numbers(item.raw)
        return Unit(place, ordinals.key("raw", raw), Sort.SAID, raw=raw, unread=True, pieces=item.pieces)
    run = plan.runs.get(item.ordinal)
    words = words_of(item.message, plan.names)
    unit = Unit(
        place,
        item.key or ordinals.key(str(item.time), item.nickname, item.message),
        Sort.SAID,
        words.text,
        None if item.time is None else instant_of(item.time * 1000, Precision.SECOND),
        channel=item.channel,
        speaker=name_of(item.nickname),
        account=item.account,
        answers=plan.keys.get(words.answers, ""),
        attached=words.attached,
        pieces=item.pieces,
    )
    if not words.text and not words.attached:
        return replace(unit, left_out=Reason.EMPTY)
    return _of_dice(item, unit, run, tally) if item.is_dice else _of_person(item, unit, run)


def _of_person(item: _Item, unit: Unit, run: _Run | None) -> Unit:
    command = command_in(unit.text)
    if command and command.is_session:
        return replace(unit, sort=Sort.MARK)
    if run and run.dice and run.dice[-1] > item.ordinal:
        return replace(unit, left_out=Reason.ANSWERED)
    if watches(item.nickname):
        return replace(unit, sort=Sort.ASIDE)
    sort, plain = sorted_words(unit.text)
    return replace(unit, sort=sort, text=plain)


def _of_dice(item: _Item, unit: Unit, run: _Run | None, tally: Tally) -> Unit:
    """Unit of a bot's message: a roll or changed track of the asking person, or the bot's own words."""
    hidden = _is_hidden(item, run)
    is_secret = hidden or (run is not None and (run.hides or bool(run.command and run.command.is_secret)))
    if run and run.command and run.command.is_of_tool and not item.info:
        return replace(unit, left_out=Reason.NOTICE)
    plain = replace(unit, sort=Sort.ASIDE, hidden=hidden)
    if unit.speaker:
        tally.bots.add(unit.speaker)
    told = sealdice.of_command(item.info, unit.text) if item.info else sealdice.in_sentence(unit.text)
    throws = () if is_secret and not hidden else told
    whose = keepable(name_of(text_in(item.info, "pcName")), tally)
    asker = name_of(run.asked.nickname) if run and run.asked else ""
    tracks = () if is_secret and not hidden else sealdice.tracks_of(item.info)
    facts = tuple(Fact(FactKind.TRACK, name, value, whose or asker) for name, value in tracks)
    if not throws and not facts:
        return plain
    if item.info and run and item.ordinal != run.dice[-1] and not hidden:
        # every part of a long answer carries the same note
        return plain
    speaker = whose or asker
    account = run.asked.account if run and run.asked and speaker in ("", asker) else ""
    return replace(
        unit,
        sort=Sort.ROLL if throws else Sort.NOTE,
        text="",
        speaker=speaker,
        account=account,
        through=unit.speaker,
        hidden=hidden,
        throws=throws,
        facts=facts,
    )
