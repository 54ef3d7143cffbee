"""R33: what is for some eyes only, looked for in everything that others are told."""

from __future__ import annotations

import base64
import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS
from retold.projections.statistics import TOPICS
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from tests.projections.reading import read
from tests.projections.unpacked import unpacked
from tests.survival.attacks import Found
from tests.survival.saying import say

TABLE = """\
campaign The Salt Road
session The Long Ebb --date 2026-03-14: Rain.
scene The stair: Lamps below.
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast Odo bruise by=Kit clubs=3
"""
HIDDEN = (
    (("note --gm: The {0} is armed.",), ("table", "Jon", "Kit")),
    (("narrate gm --gm: The {0} knows.",), ("table", "Jon", "Kit")),
    (("say Odo --to Kit: The {0} heard us.",), ("table", "Jon")),
    (("declare Zel --to Kit: I follow the {0}.",), ("table",)),
    (('mark --gm "{0}": Where it waits.',), ("table", "Jon", "Kit")),
    (("narrate gm: The {0} weeps.", "redact @"), ("table", "Jon", "Kit", "gm")),
    (("narrate gm: The {0} sleeps.", "retcon @: Somebody sleeps."), ("table", "Jon", "Kit")),
    (("note --to table: The {0} was a mistake.", "undo"), ("table", "Jon", "Kit")),
    (('thread "The {0}" --gm: Nobody knows.',), ("table", "Jon", "Kit")),
    (("note --gm: The {0} is her father.", "reveal @ --to Kit: Is it so?"), ("table", "Jon")),
)
"""Lines that hide a word in each way there is, and whom it is hidden from."""
EYES = ("table", "Jon", "Kit")


def tell_everybody(folder: Path, rounds: int, protected: bool) -> Found:
    """R33: so many words, hidden in ten ways; nothing that is told to others holds one, or its hash."""
    found, random = Found(), Random(33)
    words = ["".join(random.choices("bcdfghjklmnpqrstvwxz", k=9)) for _ in range(rounds)]
    path = folder / "a.retold"
    with CampaignStore.create(path) as camp:
        scribe = Scribe(camp, 1)
        for line in TABLE.splitlines():
            scribe.say(line)
        for number, word in enumerate(words):
            for line in HIDDEN[number % len(HIDDEN)][0]:
                scribe.say(line.format(word))
    found.tried += rounds
    for eyes in EYES if protected else EYES[:1]:
        hidden = [word for number, word in enumerate(words) if eyes in HIDDEN[number % len(HIDDEN)][1]]
        told = list(_everything(folder, eyes if protected else "gm", rounds))
        found.untrue += len(_leaked("\n".join(told).casefold(), hidden))
        found.damaged += "" in told  # something was not told at all
    return found


def _leaked(told: str, words: Sequence[str]) -> list[str]:
    return [word for word in words if any(one in told for one in (word, *_hashes(word)))]


def _hashes(word: str) -> Iterator[str]:
    """What would prove a guess."""
    digest = hashlib.sha256(word.encode()).digest()
    yield digest.hex()
    yield base64.urlsafe_b64encode(digest).decode().casefold()[:42]


def _everything(folder: Path, eyes: str, rounds: int) -> Iterator[str]:
    """All that somebody may be told; of what takes long, less where there are few rounds."""
    long = rounds > len(HIDDEN) * 2
    asked = [["show"], *(["show", view, *how] for view in VIEWS for how in ((), ("--json",))), ["recap"]]
    asked += [["replay", *how] for how in ((), ("--json",), ("--state",))]
    asked += [["stats", topic, "--json"] for topic in TOPICS] if long else [["stats"]]
    for words in asked:
        yield _said(folder, [*words, "--for", eyes])
    for name in (*EXPORTS, "replay") if long else ("markdown", "json", "replay"):
        made = say(folder, "-c", "a", "export", "--book", "-f", name, "-o", "-", "--for", eyes)
        yield unpacked(read(name, made.out)) if made.code == 0 else ""
    for kind in ("vault", "site"):
        with ExitStack() as then:
            then.callback(shutil.rmtree, folder / kind, ignore_errors=True)
            _said(folder, ["export", f"--{kind}", kind, "--for", eyes])
            for path in (folder / kind).rglob("*"):
                yield path.name
                if path.is_file():  # a typeface is not text
                    yield unpacked(path.read_text("utf-8", errors="replace"))


def _said(folder: Path, words: Sequence[str]) -> str:
    said = say(folder, "-c", "a", *words)
    return said.out.decode() + said.err if said.code == 0 else ""
