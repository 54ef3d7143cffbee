"""A game's verbs are offered where it is played, at the console, in the shell, on the page and in help."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.cli.console.offers import Known, offers
from retold.cli.help.games import games_played
from retold.journal.language.verbs import verbs_of
from retold.journal.store.events.kinds import COMMANDS
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from tests.cli.shell import Shell

SHEETS = {
    "d20": ("game d20", "cast Thia str=3 health=12"),
    "edgerunner": ("cast Vera edgerunner cool=3",),
    "whiskey": ("cast Runa whiskey hp=3",),
    "bruise": ("cast Zel bruise clubs=4", "cast Ott bruise clubs=2"),
    "guenask": ("cast Hana guenask body=3",),
    "spacetime": ('conflict "Rain" spacetime Hana vs Storm: a roof',),
}


@pytest.fixture
def campaign(shell: Shell) -> Path:
    shell.done("new", "offered")
    return shell.folder / "offered.retold"


def at_the_console(path: Path) -> list[str]:
    with CampaignStore.open(path) as store:
        table = Scribe(store, 1).table
        _, found = offers(Known(table), "")
        console = [offer.text for offer in found if offer.text in COMMANDS]
        assert set(console) == set(verbs_of(table))
        assert set(games_played(store.record)) == table.games()
    return console


@pytest.mark.parametrize(
    "games", [*((game,) for game in SHEETS), ("d20", "edgerunner"), ("bruise", "whiskey")]
)
def test_the_console_and_the_shell_offer_the_verbs_of_the_games_played(
    shell: Shell, campaign: Path, games: tuple[str, ...]
) -> None:
    shell.play("\n".join(line for game in games for line in SHEETS[game]), campaign.name)

    console = at_the_console(campaign)
    assert len(console) == len(set(console))
    assert set(shell.done("--complete", "-c", "offered", "").splitlines()) & set(COMMANDS) == set(console)
    assert ("compel" in console) == ("edgerunner" in games)
    assert ("draw" in console) == bool({"bruise", "spacetime"} & set(games))
    assert ("initiative" in console) == ("d20" in games)
