"""Units made of Roll20's messages, for every kind of file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final
from urllib.parse import unquote

from retold.sources.conventions import sorted_words
from retold.sources.dice import Throw
from retold.sources.encodings import without_accounts
from retold.sources.times import Order, stamp_of
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When, instant_of

NOBODY: Final = "?"
"""Label of a speaker whose name the source does not give."""
GAME_MASTER: Final = "GM"
"""Label of the game master as the receiver of a whisper, where no name is known."""
ATTACKS: Final = re.compile(r"(?:npc)?(?:full)?(?:atk|dmg)|npcaction")
"""Names of the templates whose throws are attacks and damage."""
_DIGITS: Final = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
_ID: Final = re.compile(r"-[-\w]{19}", re.ASCII)
_EARLIEST: Final = datetime(2012, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(2100, 1, 1, tzinfo=UTC)
_STAMP: Final = re.compile(
    r"(?:(?P<month>[A-Za-z]{3,12})\.? (?P<day>\d{1,2}), (?P<year>\d{4}),? )?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)\s?(?P<half>[AaPp])\.?[Mm]\.?"
)
_MOST_APART: Final = timedelta(hours=27)
"""Largest difference between the time that an id holds and the local time that the page shows."""
_MARK: Final = re.compile(r"\s*\(GM\)\s*$")
_PARTICLES: Final = frozenset(
    {"of", "the", "de", "du", "da", "del", "della", "la", "le", "von", "van", "der"}
)
_ARTICLES: Final = frozenset(
    {"the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "un", "une", "el", "los", "il"}
)
ACTS: Final = 2
"""Number of words that have to follow a single name in emotes, where it occurs nowhere else."""
_NOT_READ: Final = {"system": Reason.NOTICE, "error": Reason.NOTICE, "api": Reason.ANSWERED}
"""Kinds that are left out: notices, and commands to scripts."""
_SORTS: Final = {"rollresult": Sort.ROLL, "emote": Sort.TOLD, "desc": Sort.TOLD, "link": Sort.ASIDE}
_SCRIPT: Final = re.compile(r"!\w")
"""Beginning of a command to a script."""


@dataclass(frozen=True, slots=True)
class Message:
    """Message in one shape for all of Roll20's files."""

    place: Place
    key: str
    kind: str
    """Roll20's word for it: `general`, `rollresult`, `emote`, `desc`, `whisper`, `system` or `api`."""
    label: str = ""
    account: str = ""
    when: When | None = None
    text: str = ""
    title: str = ""
    """What a sheet's roll or a typed one was for."""
    throws: tuple[Throw, ...] = ()
    is_card: bool = False
    is_attack: bool = False
    """True for the card of an attack: its throws of twenty-sided dice are that, and all others damage."""
    """True for a block that a sheet's template made."""
    hidden: bool = False
    to: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()


class Keys:
    """Maker of keys: the message's id, plus an ordinal if the id comes again with other words."""

    def __init__(self) -> None:
        self._known: dict[str, list[int]] = {}

    def key(self, identifier: str, label: str, text: str) -> str:
        """Returns the key of a message; equal words under one id get one key."""
        known = self._known.setdefault(identifier, [])
        words = hash((label, text))
        if words not in known:
            known.append(words)
        place = known.index(words)
        return identifier if not place else f"{identifier}.{place + 1}"


def time_of(identifier: str) -> When | None:
    """Instant encoded in the first eight characters of an id; None if these encode none."""
    if not _ID.fullmatch(identifier):
        return None
    number = 0
    for character in identifier[:8]:
        number = number * 64 + _DIGITS.index(character)
    return instant(number)


def instant(milliseconds: float) -> When | None:
    """Instant from milliseconds since 1970; None before Roll20 began or after this century."""
    when = instant_of(milliseconds)
    return when if when and _EARLIEST < when.time < _LATEST else None


class Stamps:
    """Times of a page's messages, from their ids or from shown hours."""

    def __init__(self) -> None:
        self._last: When | None = None
        self._shown: datetime | None = None

    def when(self, identifier: str, shown: str) -> When | None:
        """Time of a message; a message without a time gets the time of the message before it."""
        local = self._local(shown)
        held = time_of(identifier)
        if held and local and "," in shown:
            held = held if abs(local.time.replace(tzinfo=UTC) - held.time) <= _MOST_APART else None
        self._last = held or local or self._last
        return self._last

    def _local(self, shown: str) -> When | None:
        """Time that the page shows; an hour without a date is on the day shown last, or on the next one."""
        stamp = stamp_of(shown)
        if stamp is None or not stamp.is_half or (stamp.date is None and self._shown is None):
            return None
        dated = stamp.when(Order.MONTH_FIRST)
        before, clock = self._shown, stamp.clock or timedelta()
        if dated or before is None:
            self._shown = dated.time if dated else None
        else:
            shown_at = before.replace(hour=0, minute=0) + clock
            self._shown = shown_at + timedelta(days=shown_at < before)
        return When(self._shown, Precision.MINUTE) if self._shown else None


def plain_label(label: str) -> tuple[str, bool]:
    """Label without its colon and the mark `(GM)`, and True if it had the mark."""
    name = " ".join(label.split()).removesuffix(":").rstrip()
    plain = _MARK.sub("", name)
    return (plain or name), plain != name


def receivers(names: Iterable[str], game_masters: Iterable[str]) -> tuple[str, ...]:
    """Labels of a whisper's receivers; the game master by name if the log tells it."""
    masters = sorted(game_masters) or [GAME_MASTER]
    labels = [plain_label(name)[0] for name in names]
    found = [masters if label.casefold() in ("gm", "game master") else [label] for label in labels]
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def picture(address: str) -> str:
    """Picture in words; only the file's own name is kept."""
    plain = unquote(address.partition("?")[0]).replace("\\", "/").rstrip("/").rpartition("/")[2]
    is_named = re.search(r"\.\w{2,5}$", plain) is not None and len(plain) <= 120
    return f"[picture: {plain}]" if is_named else "[picture]"


class Actors:
    """Names that begin emotes: of speakers elsewhere, in front of several emotes, or of several words."""

    def __init__(self, labels: Iterable[str], emotes: Iterable[str]) -> None:
        self._labels = sorted({label for label in labels if label != NOBODY}, key=len, reverse=True)
        following: dict[str, set[str]] = {}
        for text in emotes:
            run = _run(text)
            following.setdefault(run, set()).add(text[len(run) :].strip().partition(" ")[0])
        self._runs = {
            run
            for run, words in following.items()
            if " " in run or (len(words) >= ACTS and run and run.casefold() not in _ARTICLES)
        }

    def parted(self, text: str) -> tuple[str, str]:
        """Name and words of an emote; the name is empty if its end cannot be told."""
        for label in self._labels:
            if text.startswith(label) and not text[len(label) : len(label) + 1].isalnum():
                return label, _rest(text, label)
        run = _run(text)
        return (run, _rest(text, run)) if run in self._runs else ("", text)


def _rest(text: str, name: str) -> str:
    """Words behind a name; the whole text if more belongs to it, such as `Zel's` or `Zel and Pell`."""
    rest = text[len(name) :]
    return rest.strip() if rest[:1].isspace() and not _JOINED.match(rest) else text


_JOINED: Final = re.compile(r"\s+(?:&|(?:and|und|et|y|og|och|и)\s)")


def _run(text: str) -> str:
    """Capitalised words at the beginning of a text, with particles between them."""
    taken: list[str] = []
    held: list[str] = []
    for word in text[:200].split()[:8]:
        name = re.sub(r"(?:['\u2019]s)?[,.:;!?]*$", "", word)
        if name[:1].isupper() and re.fullmatch(r"[^\W_]+(?:[-'\u2019][^\W_]+)*", name):
            taken += [*held, name]
            held = []
        elif word in _PARTICLES and taken:
            held.append(word)
        else:
            break
        if name != word and word not in _PARTICLES:
            break
    return " ".join(taken)


def unit_of(message: Message) -> Unit:
    """Unit of one message."""
    throws = message.throws
    unit = Unit(
        message.place,
        message.key,
        Sort.SAID,
        message.text,
        message.when,
        speaker=message.label,
        account=message.account,
        to=message.to,
        hidden=message.hidden,
        throws=throws,
        attached=message.attached,
    )
    reason = _NOT_READ.get(message.kind)
    if reason is None and not (message.text or throws or message.attached):
        reason = Reason.EMPTY
    if reason is None and _SCRIPT.match(message.text):
        reason = Reason.COMMAND
    if reason is not None:
        return replace(unit, left_out=reason)
    if throws and (message.is_card or message.kind == "rollresult"):
        named = tuple(
            replace(throw, text=_joined(message.title, throw.text), act=_act(message, throw))
            for throw in throws
        )
        words = "" if message.text == message.title else message.text
        return replace(unit, sort=Sort.ROLL, text=words, throws=named)
    certain = Sort.CARD if message.is_card else _SORTS.get(message.kind)
    if certain is None and throws:
        certain = Sort.SAID if re.search(r"[^\W\d_]", message.text) else Sort.ROLL
    if certain is not None:
        return replace(unit, sort=certain)
    sort, words = sorted_words(message.text)
    return replace(unit, sort=sort, text=words)


def _act(message: Message, throw: Throw) -> str:
    if not message.is_attack or throw.text.startswith("crit"):
        return ""
    return "attack" if "d20" in throw.dice else "damage"


def _joined(title: str, text: str) -> str:
    return title if not text or text in title else f"{title}: {text}" if title else text


def unread(place: Place, key: str, raw: str) -> Unit:
    """Unit for a message that was not understood, without accounts in its raw text."""
    return Unit(place, key, Sort.SAID, raw=_PLAYER.sub("…", without_accounts(raw)), unread=True)


_PLAYER: Final = re.compile(r"(?<![\w-])-[\w-]{19}(?![\w-])")
"""Number of a player, as Roll20's database makes them."""
