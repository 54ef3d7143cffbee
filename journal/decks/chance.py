"""Sources of random results: dealers for dice and cards that were not rolled or drawn at the table.

A called result is one typed after `=` on the line; other results are dealt.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import count
from typing import Final, Protocol

from msgspec import Struct

from retold.journal.counting import counted
from retold.journal.decks import dice as dice_
from retold.journal.decks.french import UNSEEN
from retold.journal.refused import Refused

_BLOCK: Final = hashlib.sha256().digest_size


_DRAWN: Final = ("card is drawn", "cards are drawn")
_ROLLED: Final = ("die is rolled", "dice are rolled")
TOTAL: Final = "total"
"""Word before a total whose faces were not kept: `= total 19`."""


class Provenance(StrEnum):
    """Origin of a random result: dealt by Retold, called (typed by a user), reconstructed, or imported."""

    DEALT = "dealt"
    CALLED = "called"
    LATER = "reconstructed"
    IMPORTED = "imported"


class NotPossible(Refused):
    """Raised for a `result`, typed or dealt, that cannot come up now, such as a card drawn already."""

    def __init__(self, result: str, sentence: str) -> None:
        super().__init__(sentence)
        self.args = (result, sentence)  # pickle calls the class with `args`
        self.result = result


class TooFew(Refused):
    """Raised if fewer results are typed on a line than its dice or cards need."""


class MoreWanted(Refused):
    """Raised if the typed results make further dice necessary, such as damage dice after a hit.

    `why` is the reason alone; the sentence ends with the `line` to type.
    """

    def __init__(self, why: str, line: str) -> None:
        super().__init__(f"{why} {line}")
        self.args = (why, line)  # pickle calls the class with `args`
        self.why = why


class Dealer(Protocol):
    """Protocol of objects that choose a random result: by system randomness, by a seed, or from a list."""

    def pick(self, source: str, possible: Sequence[str]) -> str:
        """Returns one result from `possible` (never empty) for the deck or die named `source`."""
        ...


class SystemDealer:
    """Dealer that uses the operating system's randomness; its results cannot be reproduced."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 - treats all sources alike
        """Returns one of `possible` at random, all equally likely; `source` is ignored."""
        return possible[secrets.randbelow(len(possible))]


class FirstDealer:
    """Dealer without chance, for testing whether a command is possible at all."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 - treats all sources alike
        """Returns the first of `possible`; `source` is ignored."""
        return possible[0]


class SeededDealer:
    """Dealer whose results follow from a secret seed, so that publishing the seed later proves them.

    The n-th result (from 0) of a source (deck or die) on a chance line (branch of the campaign, by number)
    is `possible[x % size]`, with `size` the number of possible results. x is read as a big-endian number
    from the 32 bytes of HMAC-SHA256, whose key is the seed and whose message is three fields and one byte:
    the chance line in decimal digits, the source, and n in decimal digits, each in UTF-8 after its length in
    bytes as four bytes big-endian; then 0x00. An x within the last, incomplete run of `size` below 2**256 is
    passed over for the next: the same message with the last byte one higher.

    `counts` gives the number of results that each source has dealt on that line already, undone ones aside.
    """

    def __init__(self, seed: bytes, chance_line: int, counts: Mapping[str, int]) -> None:
        self._seed = seed
        self._chance_line = chance_line
        self._counts = dict(counts)

    def pick(self, source: str, possible: Sequence[str]) -> str:
        """Returns the result that the seed gives as the next one of the die or deck `source`."""
        n = self._counts.get(source, 0)
        self._counts[source] = n + 1
        message = b"".join(_measured(part) for part in (str(self._chance_line), source, str(n)))
        return possible[number_below(len(possible), (self._block(message, again) for again in count()))]

    def _block(self, message: bytes, again: int) -> bytes:
        return hmac.digest(self._seed, message + again.to_bytes(), "sha256")


class StackedDealer:
    """Dealer that returns a given list of results in order.

    Used in tests, and to run a recorded command again with its recorded results.
    """

    def __init__(self, results: Iterable[str]) -> None:
        self._results = list(results)

    def pick(self, source: str, possible: Sequence[str]) -> str:
        """Removes and returns the first remaining result of the list.

        Raises NotPossible if it is not among `possible`, Refused if none remains.
        """
        if not self._results:
            raise Refused(f"Nothing more was dealt from {source}.")
        if self._results[0] not in possible:
            raise NotPossible(self._results[0], f"{self._results[0]} cannot come up from {source} now.")
        return self._results.pop(0)

    @property
    def left(self) -> tuple[str, ...]:
        """Results still to be dealt, in order."""
        return tuple(self._results)


class UsedResult(Struct, frozen=True):
    """One random result used by a command, with its die or deck (`source`) and its provenance."""

    source: str
    result: str
    provenance: Provenance


class Luck:
    """Random results for one command: those typed after `=` (called), else results from a dealer.

    Called results are never mixed with dealt ones: if they run short, the command is refused. `taken` lists
    the results used so far, in order, for the record; each result is used once.
    """

    def __init__(
        self, dealer: Dealer, called: Sequence[str] | None = None, provenance: Provenance = Provenance.CALLED
    ) -> None:
        self._dealer = dealer
        self.behind_screen = False
        """True while results are dealt in secret: they come from sources of their own."""
        self._called = None if called is None else list(called)
        self._all_called = tuple(called or ())
        self.others_follow = False
        """True if leftover results may belong to other people on the same line."""
        self._provenance = Provenance.DEALT if called is None else provenance
        self.taken: list[UsedResult] = []

    @property
    def called(self) -> bool:
        """True if results were typed with the command, so that nothing is dealt."""
        return self._called is not None

    def draw(
        self,
        source: str,
        possible: Sequence[str],
        n: int,
        *,
        identity: Callable[[str], str] | None = None,
        unseen: bool = False,
    ) -> tuple[str, ...]:
        """Draws `n` cards from `possible` without replacement and returns them, called or dealt.

        With `identity`, a drawn card removes every card of the same identity (T14 also its reversed form
        T14:r); otherwise one equal card. With `unseen`, the called card `_` is an unnamed card. Raises
        Refused if `n` cards are not possible or not called, and NotPossible for a called card that cannot
        come up.
        """
        left = list(possible)
        self._enough(n, len({identity(card) for card in left} if identity else left))
        drawn: list[str] = []
        for _ in range(n):
            card = self._next_card(source, left, drawn, unseen=unseen)
            drawn.append(card)
            if identity:
                left = [other for other in left if identity(other) != identity(card)]
            elif card != UNSEEN:
                left.remove(card)
        return tuple(drawn)

    def faces(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Rolls the dice, given by size, and returns their faces in order; a fudge die shows -1, 0 or 1.

        Called faces are assigned to the dice by `arrange_faces`. Raises Refused if they do not fit the dice
        or are too few.
        """
        if self._called is None:
            shown = tuple(self._pick(dice_.die_name(size), dice_.faces(size)) for size in dice)
        else:
            self._given(len(dice), _ROLLED)
            shown = dice_.arrange_faces(self._called[: len(dice)], dice)
            del self._called[: len(dice)]
        for size, face in zip(dice, shown, strict=True):
            self._take(dice_.die_name(size), face)
        return tuple(dice_.face_value(face) for face in shown)

    @property
    def total_called(self) -> bool:
        """True if the next result typed after `=` is the word `total`, preceding a total without faces."""
        return bool(self._called) and self._called is not None and self._called[0] == TOTAL

    def total(self) -> int:
        """Removes the word `total` and the number after it from the typed results, and returns the number.

        Raises Refused if no number follows.
        """
        number, *others = (self._called or [])[1:] or [""]
        if not number.removeprefix("-").isdecimal():
            raise Refused(f"Say the total as one number: = {TOTAL} 19.")
        self._called = others
        return int(number)

    @property
    def results_left(self) -> tuple[str, ...]:
        """Results typed after `=` and not used yet; empty if results are dealt."""
        return tuple(self._called or ())

    @property
    def results_used(self) -> tuple[str, ...]:
        """Results typed after `=` and already used."""
        return self._all_called[: len(self._all_called) - self.rest()]

    def one_total_for_all(self) -> None:
        """Puts the word `total` before the next typed result, so that it too is read as a total.

        For lines such as `= total 14 9`, where the word comes only before the first person's total.
        """
        self._called = [TOTAL, *self.results_left]

    def rest(self) -> int:
        """Returns the number of results typed after `=` and not used yet; 0 if results are dealt."""
        return len(self._called or ())

    def finish(self) -> None:
        """Raises Refused if results typed after `=` are left unused."""
        if self._called:
            many = counted(len(self._called), "result")
            raise Refused(f"{many} too many: {' '.join(self._called)}.")

    def _enough(self, n: int, size: int) -> None:
        self._given(n, _DRAWN)
        if n > size:
            raise Refused(f"{counted(n, *_DRAWN)} here and the deck has {size}.")

    def _given(self, n: int, what: tuple[str, str]) -> None:
        if self._called is not None and len(self._called) < n:
            given = counted(len(self._called), "was", "were")
            raise TooFew(f"{counted(n, *what)} here and {given} given.")

    def _next_card(self, source: str, left: list[str], drawn: list[str], *, unseen: bool) -> str:
        if self._called is None:
            card = self._pick(source, left)
        else:
            card = self._called[0]
            if card not in left and not (unseen and card == UNSEEN):
                raise NotPossible(card, _why_not(card, drawn))
            del self._called[0]
        self._take(source, card)
        return card

    def _pick(self, source: str, possible: Sequence[str]) -> str:
        return self._dealer.pick(source_of(source, behind_screen=self.behind_screen), possible)

    def _take(self, source: str, result: str) -> None:
        self.taken.append(UsedResult(source, result, self._provenance))


def has_total(results: Sequence[str] | None) -> bool:
    """True if the results typed on a line contain the word `total`."""
    return TOTAL in (results or ())


def source_of(source: str, *, behind_screen: bool) -> str:
    """Returns the name under which a seed deals from a die or deck: `d6`, or `d6 behind the screen`.

    So open and hidden rolls draw from separate sequences.
    """
    return f"{source} behind the screen" if behind_screen else source


def seed_commitment(seed: bytes) -> str:
    """Returns the SHA-256 hash of the seed in hexadecimal, which is recorded before the first deal."""
    return hashlib.sha256(seed).hexdigest()


def number_below(size: int, blocks: Iterable[bytes]) -> int:
    """Returns a number in 0..`size`-1, all equally likely, from the first usable 32-byte block.

    `SeededDealer` says which blocks are usable.
    """
    whole = 256**_BLOCK
    numbers = (int.from_bytes(block) for block in blocks)
    return next(number for number in numbers if number < whole - whole % size) % size


def _measured(text: str) -> bytes:
    """Returns a text in UTF-8 after its length in bytes, so that joined texts are unambiguous."""
    data = text.encode()
    return len(data).to_bytes(4) + data


def _why_not(card: str, drawn: Sequence[str]) -> str:
    if card == UNSEEN:
        return "This card has to be named: _ will not do."
    return f"{card} is given twice." if card in drawn else f"{card} cannot be drawn here now."
