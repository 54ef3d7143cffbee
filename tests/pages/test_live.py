"""Each game live in a browser: a console, two phones and a stage, and nobody is sent another's secret."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.pages.room import LARGE, ROOT, Device, Room, shelved

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")


class Scene(NamedTuple):
    """A scene of an example: what begins it, what it pauses before and ends before, and who plays."""

    example: str
    begins: str
    pauses: str
    ends: str
    players: tuple[str, str]
    lies: str
    """What is to be seen of it on the board."""
    shut: tuple[str, ...] = ()
    """Words that are sealed where it pauses."""
    hidden: tuple[str, ...] = ()
    """Words of the example that are for the game master to the end of it."""

    @property
    def slug(self) -> str:
        return self.example.partition("/")[2]

    def parts(self) -> tuple[str, list[str], list[str]]:
        """What was before, its first half, its second."""
        lines = (ROOT / "examples" / f"{self.example}.session").read_text("utf-8").splitlines()
        first, middle, last = (
            next(n for n, line in enumerate(lines) if line.startswith(begin))
            for begin in (self.begins, self.pauses, self.ends)
        )
        return "\n".join(lines[:first]), lines[first:middle], lines[middle:last]


SCENES = (
    Scene(
        "bruise/three-hands",
        "scene The watch-house",
        "quality Watchmen",
        "end conflict",
        ("Tomas", "Anouk"),
        ".card",
    ),
    Scene(
        "edgerunner/warehouse",
        "scene The warehouse",
        "next Hargan",
        "defend Gatto cool",
        ("Teo", "Mirja"),
        ".map .spot",
    ),
    Scene(
        "guenask/floating-school",
        "scene The Board room",
        "see Oswin",
        'raise 6+3: "And by',
        ("Bram", "Lou"),
        ".die",
    ),
    Scene(
        "spacetime/lantern-regatta",
        "scene The lower basin",
        "overrule Kjell",
        "declare Ferrymen: A singer",
        ("Kjell", "Noor"),
        ".balance",
    ),
    Scene(
        "whiskey/four-cards",
        "scene The fencing room",
        "reveal: Four cards",
        "check Noor Varga",
        ("Elif", "Joss"),
        ".who-on-whom",
        shut=("nine years to think", "in front of the left glove"),
        hidden=("palm of Varga", "look behind her"),
    ),
    Scene(
        "homebrew/bell-tower", "scene The foot", "initiative", "end conflict", ("Ravi", "Jun"), ".row.clock"
    ),
)
"""One of each game, and of one in a file."""


def for_gm(scene: Scene) -> str:
    """A word that only the game master may know of this table."""
    return f"kookaburra-{scene.slug}"


def for_one(scene: Scene) -> str:
    """A word that only the first of its players may know."""
    return f"quokka-{scene.slug}"


TRIES = 100
"""Times that a board is looked at, a tenth of a second apart, before it is taken for wrong."""


def lying(page: Page) -> list[str]:
    """What lies on the table, in words, whether it has just changed or not."""
    told: str = page.inner_text("#board")
    return told.replace("(just now)", "").split()


class Party(NamedTuple):
    """The devices that go from table to table: two players' phones, one of which drops, and the stage."""

    here: Device
    away: Device
    stage: Device

    def play(self, room: Room, scene: Scene) -> None:
        """A scene, with what each of them sees of it."""
        _, first, second = scene.parts()
        record = room.console if scene is SCENES[0] else room.program
        self.here.sit(scene.players[0], scene.slug)
        self.away.sit(scene.players[1], scene.slug)
        self.stage.sit("table", scene.slug, "stage")
        record(scene.slug, first)
        assert sorted(self.here.catch_up()) == sorted(self.here.told())
        assert sorted(self.away.catch_up()) == sorted(self.away.told())
        assert [word for word in scene.shut for one in self if word in "".join(one.streamed)] == []

        self.away.context.set_offline(True)
        self.away.page.wait_for_selector("#here:has-text('Looking for the table …')")
        secrets = [f"note --gm: {for_gm(scene)}", f"note --to {scene.players[0]}: {for_one(scene)}"]
        record(scene.slug, [*second, *secrets])
        assert sorted(self.here.catch_up()) == sorted(self.here.told())
        self.away.context.set_offline(False)
        self.away.page.wait_for_selector("#here", state="hidden")

        assert sorted(self.away.catch_up()) == sorted(self.away.told())
        for one in self:
            one.page.wait_for_selector(f"#board {scene.lies} >> visible=true")
        anew = self.away.open()
        anew.goto(self.away.page.url)
        anew.wait_for_selector("#board > *")
        lies = lying(anew)
        anew.close()
        for _ in range(TRIES):
            if lying(self.away.page) == lies:
                break
            self.away.page.wait_for_timeout(100)  # the words come before the board that they leave
        assert lying(self.away.page) == lies


def test_two_phones_and_a_stage_follow_a_scene_of_each_game(browser: Browser, tmp_path: Path) -> None:
    with shelved(browser, tmp_path, {scene.slug: scene.parts()[0] for scene in SCENES}) as room:
        party = Party(room.device(kept=True), room.device(kept=True), room.device(LARGE, kept=True))
        for scene in SCENES:
            party.play(room, scene)
        assert room.complaints == []
        here, away, stage = (one.sent() for one in party)

    for scene in SCENES:
        own, secret = for_one(scene), (for_gm(scene), *scene.hidden)
        assert own in here
        assert [word for word in secret if word in here] == []
        for sent in (away, stage):
            assert scene.players[0] in sent
            assert [word for word in (own, *secret) if word in sent] == []
        assert [word for word in scene.shut if word not in away] == []
