"""Readers of other distributions that are sure, or that fail: a specific one wins, a failing one is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retold import sources
from retold.journal.packages import guest_errors
from retold.journal.refused import Refused
from retold.sources import READERS
from retold.sources.installed import Installed, _Guarded
from retold.sources.opening import Stream
from retold.sources.reader import Place, Reader, Sort, Tally, Unit, check
from retold.sources.sniffing import Head, Likeness

OWL = """# owl-chat 1
[19:42] <Zel>: The tide turns.
[19:43] <Dov>: Then we go.
[19:44] <Zel>: Now.
"""
FAILING: set[str] = set()


def _look(head: Head) -> Likeness:
    if "look" in FAILING:
        raise KeyError("owl")
    return Likeness.SURELY if head.text.startswith("# owl-chat") else Likeness.NO


def _lines(stream: Stream) -> list[str]:
    return [line for line in stream.text.splitlines() if line.startswith("[")]


def _read(stream: Stream, _tally: Tally) -> Iterator[Unit]:
    for number, line in enumerate(_lines(stream), 2):
        if "read" in FAILING:
            raise AttributeError("no such feather")
        yield Unit(Place(number, number), str(number), Sort.SAID, line)


def _count(stream: Stream) -> int:
    if "count" in FAILING:
        raise ZeroDivisionError
    return len(_lines(stream))


READER = Reader("owl", "owl", "Owl chat", _look, _read, _count, how="the owl's menu")


@pytest.fixture
def owl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A log of an installed reader's tool."""
    guarded = _Guarded(READER, __name__, "retold-owl 1.0")
    reader = replace(READER, look=guarded.look, read=guarded.read, count=guarded.count)
    monkeypatch.setattr(sources, "installed", lambda _own: Installed((reader,), ()))
    (tmp_path / "owl.log").write_text(OWL, "utf-8")
    guest_errors()
    yield tmp_path / "owl.log"
    FAILING.clear()


def test_L10_a_reader_of_one_tool_that_is_sure_wins_over_the_reader_of_plain_text(owl: Path) -> None:
    source = sources.read(owl)

    assert source.family == "owl"
    assert [unit.text for unit in source] == OWL.splitlines()[1:]
    assert check("owl", owl) == ()


def test_L10_lines_of_irc_are_still_read_by_the_reader_of_plain_text(owl: Path) -> None:
    owl.write_text(OWL.partition("\n")[2].replace(">:", ">"), "utf-8")

    assert sources.read(owl).family == "plain"


def test_L10_check_says_that_another_reader_is_as_sure(owl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (lonelog,) = (reader for reader in READERS if reader.name == "lonelog")
    as_sure = replace(lonelog, look=_look)
    monkeypatch.setattr(sources, "READERS", (as_sure, READERS[-1]))

    assert [mistake for mistake in check("owl", owl) if "Another reader is sure of its file" in mistake]


@pytest.mark.parametrize(
    ("door", "what"),
    [
        ("read", "read owl.log: AttributeError: no such feather (test_installed_readers.py, line "),
        ("count", "count owl.log: ZeroDivisionError (test_installed_readers.py, line "),
    ],
)
def test_L14_a_reader_that_fails_is_named_and_check_returns_it(door: str, what: str, owl: Path) -> None:
    FAILING.add(door)
    fault = f"The reader owl (retold-owl 1.0) could not {what}"

    with pytest.raises(Refused) as refused:
        sources.read(owl).report()

    assert str(refused.value).startswith(fault)
    assert str(refused.value).endswith(" Nothing was recorded.")
    assert [mistake for mistake in check("owl", owl) if fault in mistake]


def test_L14_a_look_that_fails_is_noted_and_another_reader_may_know_the_file(owl: Path) -> None:
    FAILING.add("look")

    assert sources.read(owl).family == "plain"
    fault = "The reader owl (retold-owl 1.0) could not look at owl.log: KeyError: 'owl' ("
    assert guest_errors()[0].startswith(fault)
