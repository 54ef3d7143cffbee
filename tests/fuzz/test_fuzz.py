"""Every door takes what is good and what was found once, and answers or refuses whatever is made of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.exploring import tries
from tests.fuzz.__main__ import BEGINS, GRACE, is_alive
from tests.fuzz.targets import TARGETS, TRYING, Target, Try

CASES = Path(__file__).with_name("cases")
"""What was found once, by door."""
FEW = 15
"""Tries of each door: the long form is `run.py fuzz`."""

every_door = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@contextmanager
def opened(target: Target, folder: Path) -> Iterator[tuple[list[bytes], Try]]:
    """What is good at a door, and the door."""
    (folder / "seeds").mkdir()
    (folder / "door").mkdir()
    with target.door(folder / "door") as try_:
        yield list(target.seeds(folder / "seeds")), try_


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))


@every_door
def test_a_door_withstands_what_it_once_did_not(target: Target, tmp_path: Path) -> None:
    with opened(target, tmp_path) as (seeds, try_):
        try_(seeds[0])
        for case in sorted((CASES / target.name).glob("*")):
            try_(case.read_bytes())


@every_door
def test_a_door_withstands_what_is_made_of_what_is_good(target: Target, tmp_path: Path) -> None:
    with opened(target, tmp_path) as (seeds, try_):

        @settings(max_examples=tries(FEW), suppress_health_check=list(HealthCheck))
        @given(spoilt(seeds, target.longest))
        def withstands(data: bytes) -> None:
            try_(data)

        withstands()


@st.composite
def spoilt(draw: st.DrawFn, seeds: list[bytes], longest: int) -> bytes:
    """Something good with some of its bytes changed, left out, said twice or put elsewhere."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        other = draw(st.sampled_from(seeds))
        begin = draw(st.integers(0, len(other)))
        data[start:end] = draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from([b"", data[start:end] * 2, b"-1", b"9" * 20, b'"', b"\n", b"=", b": "]),
                st.just(other[begin : begin + 20]),
            )
        )
    return bytes(data[:longest])


def test_a_door_that_fails_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: an error planted in a rule comes out, at the door of what is typed."""

    def fails(*_: object) -> None:
        raise KeyError("planted")

    monkeypatch.setattr("retold.journal.line.decide", fails)
    (target,) = (one for one in TARGETS if one.name == "language")

    with pytest.raises(KeyError, match="planted"), target.door(tmp_path) as try_:
        try_(b"0note: Rain.")


def test_a_fuzzer_stops_after_a_start_or_idle_timeout(tmp_path: Path) -> None:
    assert is_alive(tmp_path, 0.0, BEGINS - 1)
    assert not is_alive(tmp_path, 0.0, BEGINS)

    (tmp_path / TRYING).touch()
    last = (tmp_path / TRYING).stat().st_mtime
    assert is_alive(tmp_path, last - 2 * BEGINS, last + GRACE - 1)
    assert not is_alive(tmp_path, last - 2 * BEGINS, last + GRACE)
