"""R20: texts that a terminal would obey, asked for in every way there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from unittest.mock import patch

from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words
from retold.projections.texts import safe
from tests.cli.test_hostile_text import AS_JSON, OBEYED, READERS
from tests.projections.payloads import PAYLOADS, SIGNS
from tests.survival.attacks import Found
from tests.survival.saying import say

AT_ONCE = 20
"""So many texts are in one campaign."""

ASKED = (
    *(words for words in READERS if words[0] != "search"),
    *(("--json", *words) for words in AS_JSON),
    *(("export", "-f", name) for name in ("text", "md", "fountain", "vtt", "lonelog")),
    ("show", "nobody at all"),
)


def show_what_is_obeyed(folder: Path, rounds: int, protected: bool) -> Found:
    """R20: so many texts in every place a text may stand; no byte of any output is obeyed."""
    found, texts = Found(), _texts()
    with ExitStack() as off:
        if not protected:
            for name in ("line", "text", "in_json"):
                off.enter_context(patch.object(safe, name, str))
        for number in range(0, rounds, AT_ONCE):
            path = folder / f"{number}.retold"
            some = list(islice(texts, min(AT_ONCE, rounds - number)))
            _told(path, some)
            found.tried += len(some)
            for words in ASKED:
                said = say(folder, "-c", path.name, *words)
                found.untrue += bool(OBEYED.search(said.out.decode() + said.err))
                found.damaged += not said.is_foreseen
    return found


def _texts() -> Iterator[str]:
    """What there is a case for, then letters that are obeyed at any place in any others."""
    random = Random(20)
    yield from (one for one in (*SIGNS, *PAYLOADS) if "\0" not in one)
    letters = [chr(code) for code in (*range(1, 0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2070), 0xFEFF)]
    while True:
        yield "".join(random.choice([random.choice(letters), "a", " ", "]", "é"]) for _ in range(30)) + "."


def _told(path: Path, texts: list[str]) -> None:
    """A campaign in which every text is one of these; names have what a name may have."""
    with CampaignStore.create(path) as camp:
        writer = camp.writer(1)
        writer.record(c.OpenSession(title=Words(texts[0]), date="2026-03-14"))
        for text in texts:
            for command in _saying(Words(text)):
                writer.record(command)


def _saying(text: Words) -> Iterator[Command]:
    yield c.SetScene(title=text, text=text)
    yield c.Note(text=text)
    yield c.Note(text=text, quote=True)
    yield c.Narrate(who=0, text=text)
    yield c.Aside(text=text)
    yield c.KeepThread(what=text, text=text)
    yield c.Cast(who=text, by=text, text=text)
