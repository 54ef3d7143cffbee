"""After a failed commit: each thing a second look can find, and what is then said."""

from __future__ import annotations

import pickle

import pytest

from retold.journal.store.contract.errors import (
    CannotWrite,
    Doubtful,
    OutcomeUnknown,
    StoreError,
    Unreached,
    UnreachedToWrite,
)
from retold.journal.store.contract.event_store import Row
from retold.journal.store.contract.unknown_outcome import FailedCommit, Look

LAST = Row(1, 412, "table.noted", "{}", None, b"h" * 32)
OTHER = LAST._replace(hash=b"x" * 32)
FAILED = FailedCommit(
    "The wire broke at the very last",
    "it is recorded",
    "nobody can say yet whether it was recorded",
    CannotWrite("Nothing was recorded: no wire."),
)
RECORDED = (Doubtful, "The wire broke at the very last, but it is recorded, at 412: do not say it again.")
NOTHING = (CannotWrite, "Nothing was recorded: no wire.")
UNKNOWN = (
    OutcomeUnknown,
    (
        "The wire broke at the very last, and nobody can say yet whether it was recorded:"
        " look with log -n 1 before you say it again."
    ),
)


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (Look(LAST, is_final=True), RECORDED),
        (Look(LAST, is_final=False), RECORDED),
        (Look(None, is_final=True), NOTHING),
        (Look(OTHER, is_final=True), NOTHING),
        (Look(None, is_final=False), UNKNOWN),
        (Look(OTHER, is_final=False), UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_what_is_said_is_what_the_look_found(seen: Look | None, said: tuple[type[StoreError], str]) -> None:
    error = FAILED.error(LAST, lambda: seen)

    assert (type(error), str(error)) == said


def test_advice_follows_where_there_is_any() -> None:
    error = FAILED._replace(advice="Make a backup.").error(LAST, lambda: Look(LAST, is_final=True))

    assert str(error).endswith("do not say it again. Make a backup.")


@pytest.mark.parametrize(
    "error",
    [
        Unreached("club:x", "club cannot be reached (no route)."),
        UnreachedToWrite("club cannot be reached (no route)."),
        OutcomeUnknown("The wire broke, and nobody knows."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_passes_from_one_process_to_another(error: StoreError) -> None:
    """Readers of a record may work in other processes."""
    passed = pickle.loads(pickle.dumps(error))

    assert (type(passed), str(passed), vars(passed)) == (type(error), str(error), vars(error))
