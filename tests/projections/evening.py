"""Two short evenings of Bruise, recorded as a table would."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from retold.games.bruise import commands as b
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.clock import Clock
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words

SECRET = "The captain is her brother"
ASIDE = "Only Jon may know of the tunnel"


@dataclass(frozen=True)
class Ticking(Clock):
    """A clock that ticks once a minute, and gives out the same ids each time it is wound."""

    _ticks: count[int] = field(default_factory=count)

    def now(self) -> tuple[str, int]:
        minute = next(self._ticks)
        return f"2026-03-14T{19 + minute // 60 % 5:02}:{minute % 60:02}:00.000000Z", 60

    def act(self) -> str:
        return base64.urlsafe_b64encode(next(self._ticks).to_bytes(16, "big")).rstrip(b"=").decode()

    def salt(self) -> bytes:
        return next(self._ticks).to_bytes(16, "big")

    def campaign(self) -> str:
        return "0123456789abcdef0123456789abcdef"


def w(text: str) -> Words:
    return Words(text)


class Table:
    """A campaign somebody plays: each line is a command, by the person who entered it."""

    def __init__(
        self, path: Path, title: str = "The Long Ebb", campaign: CampaignStore | None = None
    ) -> None:
        self.campaign = campaign or CampaignStore.create(path, title=title, clock=Ticking())
        self.writer: LineWriter = self.campaign.writer(1)

    def do(self, command: Command, see: str | tuple[int, ...] = "table") -> RecordedAct:
        return self.writer.record(command, Manner(visible_to=see))

    def who(self, name: str) -> int:
        found = self.writer.table.called(name)
        assert found is not None
        return found


def first_evening(table: Table) -> None:
    """A hand won and told, one won and told by nobody, a secret, a quote, and one struck narration."""
    do = table.do
    do(c.OpenSession(title=w("High Water"), date="2026-03-14", text=w("Rain, and the tide still out.")))
    do(
        c.Cast(
            who=w("Zel"),
            system="bruise",
            by=w("Jon"),
            values={"clubs": "4", "melee": "2"},
            text=w("A smuggler, lately caught"),
        )
    )
    do(c.Cast(who=0, by=w("Rana")))
    do(c.SetScene(title=w("The harbour-master's stair"), text=w("Lamps below, and boots.")))
    do(
        c.OpenConflict(
            title=w("Out by the stair"),
            system="bruise",
            sides=((table.who("Zel"),), (w("Guards"),)),
            text=w("freedom"),
        )
    )
    zel, guards = table.who("Zel"), table.who("Guards")
    do(c.Note(text=w(SECRET)), see="gm")
    do(c.Note(text=w(ASIDE)), see=(table.who("Jon"),))
    do(c.Declare(who=zel, text=w("I run one of them through and keep going.")))
    do(c.Draw(who=zel, traits=("clubs", "melee"), results=("JH", "JD", "10S", "7C", "4C", "3D")))
    do(b.Quality(who=guards, rank="9"))
    do(b.ChooseColour(suit="hearts"))
    do(c.Narrate(text=w("One last cry, and the line breaks.")))
    do(b.Award(who=zel, text=w("for the cry")))
    do(c.Say(who=zel, text=w("Not today.")))
    do(c.Note(about=table.who("Jon"), quote=True, text=w("I roll for dignity.")))
    do(c.Draw(who=zel, count=1, results=("2H",)))
    do(b.Quality(who=guards, rank="K"))
    do(c.End(what="conflict", how="ended"))
    do(c.End(what="session", text=w("Zel is out, and wet.")))


def second_evening(table: Table) -> None:
    """Somebody absent, a narration edited, one vetoed, and a conflict that stays open."""
    do = table.do
    do(c.Cast(who=w("Kit")))
    do(c.OpenSession(title=w("Low Water"), date="2026-03-21", absent=(table.who("Kit"),)))
    do(c.SetScene(title=w("The flats")))
    zel, guards = table.who("Zel"), table.who("Guards")
    do(c.OpenConflict(system="bruise", sides=((zel,), (guards,))))
    do(c.Draw(who=zel, count=2, results=("AH", "2D")))
    do(c.Draw(who=guards, count=1, results=("9S",)))
    do(c.Narrate(who=zel, text=w("Mud to the knee, and nobody follows.")))
    do(c.Overrule(by=0, whose=zel, text=w("One of them does follow.")))
    do(c.Draw(who=zel, count=2, results=("KH", "3D")))
    do(c.Draw(who=guards, count=1, results=("8S",)))
    do(c.Narrate(who=zel, text=w("She takes wing.")))
    do(c.Overrule(by=0, whose=zel, veto=True, text=w("Nobody here has wings.")))


def both(path: Path) -> Table:
    """Both evenings, with one hand of the first told a week late."""
    table = Table(path)
    first_evening(table)
    second_evening(table)
    return table


@cache
def _recorded() -> tuple[bytes, int]:
    """The file of both evenings, and what the clock says next."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ebb.retold"
        with both(path).campaign as campaign:
            assert isinstance(campaign.clock, Ticking)
            ticks = next(campaign.clock._ticks)
        return path.read_bytes(), ticks


def recorded(path: Path) -> Table:
    """A copy of the file of both evenings, which are played once; play goes on as at the table of `both`."""
    data, ticks = _recorded()
    path.write_bytes(data)
    return Table(path, campaign=CampaignStore.open(path, clock=Ticking(count(ticks))))
