"""A state can do what all of its names say it can, whichever class it is of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from retold.journal.capabilities import Deck, HasDecks, HasFallen, HasSheets


@dataclass
class Kept:
    """A guest's shelf, whose sheets are not part of its class."""

    sheets: dict[int, str] = field(default_factory=dict)

    def decks(self) -> Iterator[Deck]:
        yield from ()


class Checked(Kept):
    """One with all that decks want."""

    def check(self) -> None:
        return


class Lying(HasFallen):
    """A state that is built on a capability, and so is a class as any other."""

    def fallen(self) -> Iterable[int]:
        return ()


def test_what_has_all_that_is_named_can_do_it_and_what_lacks_one_cannot() -> None:
    assert isinstance(Checked(), HasDecks)
    assert not isinstance(Kept(), HasDecks)
    assert issubclass(Checked, HasDecks)
    assert not issubclass(Kept, HasDecks)


def test_what_only_the_state_itself_has_counts_too() -> None:
    assert isinstance(Kept(), HasSheets)


def test_what_is_built_on_a_capability_is_itself_alone() -> None:
    assert isinstance(Lying(), HasFallen)
    assert isinstance(Lying(), Lying)
    assert not isinstance(Checked(), Lying)
    assert not issubclass(Checked, Lying)
