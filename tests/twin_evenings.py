"""Two evenings that differ only in what is hidden: shared lines, fighters, phrases, marks; in every game.

`python -m tests.twin_evenings GAME` prints what the table or Jon can tell apart, as JSON, for a process that
has a guest on its path.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import retold
from retold.journal.store.writing.campaign import CampaignStore
from tests.prepared import BEGINNING, SEED, SHEETS, TableClock, shown

ALL_SHEETS: Final = {**SHEETS, "lanterns": "lanterns bold=3", "counterpoint": "", "plain": ""}
GAMES: Final = (*SHEETS, "plain")
"""Our games; `plain` is homebrew without stats."""
GUESTS: Final = ("lanterns", "counterpoint")
VIEWERS: Final = ("table", "Jon")

EVENING: Final = """\
cast Zel {sheet} by=Jon: A courier
cast Odo {sheet} by=Kit
session One --date 2026-03-14
scene The ford
! cast Hob+Imp+Fay {sheet} pronouns=it --gm: Grey | cast Hob {sheet} pronouns=it --gm: Grey
! cast Warden+Moth --gm opens="A drowned man": A twist | cast Warden --gm opens="A drowned man": Other
? note: What nobody knows.
mark at-the-ford
narrate Zel: I wade.
? say Imp --gm: Psst.
? note: Another.
mark wading: To here.
reveal Hob
conflict Ford {game} Zel vs Odo{stakes}
! join Hob+Imp+Fay Odo | join Hob Odo
? turn Imp
? initiative Fay
{own}
? roll Imp+Fay d20 --gm = 3 4
? note: To take back.
? undo
say Warden: Who rings?
end conflict
roll Zel d20 vs 10 = 12
! cast Imp2+Imp3 --to Kit: Two | cast Fay2 --to Kit
mark after
reveal Hob --sheet
? reveal Moth --to Kit
? thread "Who paid" --gm: The Baron.
? clock "The Baron runs" 6 --gm
end session
session Two --date 2026-03-21
narrate gm: The second, in short.
? cast Fay name="Fay the Grey"
mark later
"""
OWN: Final = {
    "d20": (
        "! initiative | initiative Zel+Odo+Hob\n! hp Imp+Zel -1: A thorn. | hp Zel -1: A thorn.\nturn Zel\n"
        "! status Fay+Odo prone: Wet. | status Odo prone: Wet.\nroll Zel attack dex vs Odo 12 = 15\n"
        "? roll Zel attack dex vs Imp --gm = 15\n? hp Fay -2\n"
        "! cast Wolf dex=2 health=20 ac=11 damage=1d6 | cast Wolf dex=2 health=10 ac=15 damage=2d4+1\n"
        "join Wolf Odo\nroll Zel attack dex vs Wolf = 18\n! hp Wolf -8: Bitten. | hp Wolf -4: Bitten.\n"
        "! hp Wolf -2 | hp Wolf -1\n! cast Wolf ac=12 | cast Wolf str=3\n! hp Wolf -12 | hp Wolf -7"
    ),
    "edgerunner": "exchange\nsimple Zel: I wait.\nsimple Odo\nsimple Hob",
    "whiskey": "declare Zel stand\ndeclare Odo stand\ndeclare Hob stand",
}
STAKES: Final = {"guenask": " first=Zel: the ford", "spacetime": ": the ford", "bruise": ": the ford"}
LONE: Final = ("bruise", "guenask", "spacetime", *GUESTS)
"""Games that wait for everybody in a conflict, or let nobody in: nobody secret joins there."""


def lines(game: str, *, hidden: bool) -> Iterator[str]:
    """The evening's lines in a game, with or without what is hidden."""
    played = {"d20": "homebrew", "plain": "homebrew"}.get(game, game)
    if played == "homebrew":
        yield f"game {game}"
    told = EVENING.format(
        sheet=ALL_SHEETS[game], game=played, own=OWN.get(game, "aside gm: Hm."), stakes=STAKES.get(game, "")
    )
    for line in told.splitlines():
        mark, _, rest = line.partition(" ")
        if (game in LONE and "join" in line) or (not ALL_SHEETS[game] and "--sheet" in line):
            continue
        if mark == "!":
            yield rest.split(" | ")[0 if hidden else 1]
        elif mark != "?" or hidden:
            yield line


@contextmanager
def played(folder: Path, game: str, *, hidden: bool) -> Iterator[retold.Campaign]:
    """The evening, played by a clock that goes on with what all may know alone."""
    clock = TableClock()
    store = CampaignStore.create(folder / f"{game}-{hidden}.retold", seed=SEED, clock=clock)
    store.seed = SEED
    campaign = retold.Campaign.of(store)
    with campaign:
        said(campaign, clock, (*BEGINNING, *lines(game, hidden=hidden)))
        yield campaign


def said(campaign: retold.Campaign, clock: TableClock, script: tuple[str, ...]) -> None:
    """Says the lines; one after `? ` may be refused, and takes no time."""
    for line in script:
        if line.startswith("? "):
            try:
                campaign.say(line.removeprefix("? "))
            except retold.Refused:
                continue
        else:
            clock.minute[0] += 1
            campaign.say(line)


def differences(
    one: retold.Campaign,
    other: retold.Campaign,
    asked: Callable[[retold.Campaign, str], dict[str, str]] = shown,
) -> list[str]:
    """What the table or Jon can tell apart, by how it is asked for."""
    return unlike(*({eyes: asked(campaign, eyes) for eyes in VIEWERS} for campaign in (one, other)))


def unlike(one: dict[str, dict[str, str]], other: dict[str, dict[str, str]]) -> list[str]:
    """What is not the same in two campaigns, by who asks and how."""
    found: list[str] = []
    for eyes, mine in one.items():
        theirs = other[eyes]
        found += [f"{eyes}: {what}" for what in {**theirs, **mine} if mine.get(what) != theirs.get(what)]
    return found


def main(game: str) -> None:
    """Prints what can be told apart in a game's two evenings, and how many positions they have."""
    with (
        tempfile.TemporaryDirectory() as folder,
        played(Path(folder), game, hidden=True) as one,
        played(Path(folder), game, hidden=False) as other,
    ):
        more = one.position - other.position
        sys.stdout.write(json.dumps({"differences": differences(one, other), "more": more}))


if __name__ == "__main__":
    main(sys.argv[1])
