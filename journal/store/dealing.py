"""Who deals on a line: the seed it is committed to, or the system's randomness."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from journal.decks.chance import Dealer, SeededDealer, SystemDealer, commit
from journal.line import source_of
from journal.refused import Refused
from journal.table import Table


def dealer_of(table: Table, seed: bytes | None) -> Dealer:
    """Whoever deals at this table; `seed` is the one this computer holds for it, if any.

    Where the table is committed to a seed that this is not, nothing can be dealt: that is Refused when asked.
    """
    if table.seed is None:
        return SystemDealer()
    if seed is None or commit(seed) != table.seed:
        return _NoSeed()
    return SeededDealer(seed, table.chance_line, table.dealt)


class BehindScreen(Struct, frozen=True):
    """Deals what is rolled in secret: from sources of their own, so that open results stay what they are."""

    dealer: Dealer

    def pick(self, source: str, possible: Sequence[str]) -> str:
        """As the dealer behind it."""
        return self.dealer.pick(source_of(source, behind_screen=True), possible)


class SeedElsewhereError(Refused):
    """Nothing can be dealt, for the seed is on another computer."""


class _NoSeed:
    """Stands where a seed ought to be: it deals nothing."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 -- it never gives any
        """Refuses, and says what to do."""
        raise SeedElsewhereError(
            "This campaign deals from a seed that this computer does not hold:"
            " type the results after =, or give the seed once (RETOLD_SEED)."
        )
