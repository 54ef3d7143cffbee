"""Whatever `can` proposes may be typed: every line, in every game, after every line of every example."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.capabilities import Outlook
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.proposed import actions_at
from retold.journal.language.rendering import render
from retold.journal.line import decide
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary.base import Command
from retold.scribe import Scribe
from retold.script_player import Script, play_script

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*/*.session"))


def tables(path: Path, folder: Path) -> Iterator[tuple[str, Table]]:
    """The table after each line of a script, with that line."""
    with CampaignStore.create(folder / "played.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line, _ in play_script(scribe, Script(str(path), path.read_bytes())):
            yield line.source, scribe.table
        scribe.close()


def proposed(outlook: Outlook) -> Iterator[Command]:
    """Every command of an outlook."""
    yield from (one.command for one in (*outlook.choices, *outlook.beside))
    yield from (way.command for moves in outlook.moves for way in moves.ways if way.command is not None)


FIVE_AT_ONCE = """\
cast "Zel vs" bruise by=Jon clubs=4 melee=2 "leg = brace"=1
cast "to" whiskey combat=3 base=1 die=6 hp=9
cast Bolt whiskey combat=3 base=1 die=6 hp=9
cast Gatto edgerunner by=Teo cool=3 aspect.x="a: b = c"
cast "as" edgerunner by=Ewan cool=3
cast Hana guenask mind=3 hard=3 body=3 soft=3 "obj.the = gun"=1d4+1d8
cast Thoss guenask mind=3 hard=3 body=3 soft=3 stages=2
option whiskey.declaration=sealed
conflict bruise "Zel vs" vs Guards
conflict whiskey "to" vs Bolt
cast Ada by=Pia
conflict spacetime Ada vs Cliff obstacle=Cliff mode=challenge rank=2
conflict guenask Hana vs Thoss: the egg
approach Hana opposed physical = 1 1 2 3 4 5
approach Thoss opposed physical = 1 2 2 3 6 6
conflict edgerunner Gatto vs "as"
map Dock open:1,shut:2 "to"
place Gatto Dock
place "as" "to"
exchange a few moments
concede Gatto: so it goes
attack Gatto "as" cool = 0000
apply
move "as" to Dock:open = +000
apply
exchange
"""
"""A conflict of every game at once, with names that look like words of the language."""


def test_it_holds_with_several_conflicts_open_and_with_strange_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    script = tmp_path / "five.session"
    script.write_text(FIVE_AT_ONCE, "utf-8")

    assert check(script, tmp_path) == 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_line_proposed_may_be_typed_and_is_taken(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    assert check(path, tmp_path)


def check(script: Path, folder: Path) -> int:
    """Tries every line proposed after each line of a script; returns the most conflicts open at once."""
    most = 0
    for source, table in tables(script, folder):
        most = max(most, len(table.conflicts))
        lines: dict[str, None] = {}
        for outlook in actions_at(table):
            assert outlook.stands, source
            assert outlook.conflict is None or [*proposed(outlook)], f"{source}\nleads to: {outlook.stands}"
            lines |= dict.fromkeys(render(one, table) for one in proposed(outlook))
        for line in lines:
            try:
                decide(table, bind(lex(line), Scope(table, int)).command, Luck(FirstDealer()))
            except Exception as trouble:  # noqa: BLE001 -- whatever it is, the line is at fault
                pytest.fail(f"after {source}\n{line}\nis proposed, and: {trouble!r}")
    return most
