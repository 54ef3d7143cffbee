"""Each attack in its short form, and its control, which must not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.survival.attacks import Attack, Found, NotRun
from tests.survival.matrix import ATTACKS

SHORT = pytest.mark.parametrize("attack", [one for one in ATTACKS if one.short], ids=lambda one: one.row)


def made(attack: Attack, folder: Path, *, protected: bool) -> Found:
    rounds = attack.short if protected or attack.few is None else attack.few
    try:
        return attack.make(folder, rounds, protected)
    except NotRun as reason:
        pytest.skip(str(reason))


@SHORT
def test_it_holds(attack: Attack, tmp_path: Path) -> None:
    found = made(attack, tmp_path, protected=True)

    assert found.held, found
    assert found.tried


@SHORT
def test_with_the_protection_off_it_does_not(attack: Attack, tmp_path: Path) -> None:
    assert not made(attack, tmp_path, protected=False).held
