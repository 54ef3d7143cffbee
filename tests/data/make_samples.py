"""Writes a stored sample for each kind of a family that has none yet; the files are the truth from then on.

python -m tests.data.make_samples table bruise drafts
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, find, settings

from retold.games.whiskey.commands.verbs import Declare
from retold.journal.decks.chance import Provenance
from retold.journal.store.events.codec import Envelope, encode_act
from retold.journal.store.events.kinds import DRAFT_EVENTS, EVENTS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Event, Frozen, Words, values_of
from retold.journal.vocabulary.drafts import Block, DraftRevised, Remark, Told
from tests.journal.store.anything import models

HERE = Path(__file__).parent / "format-1"
EXAMPLES: dict[str, Command] = {
    "table.noted": c.Note(text=Words("Somebody brought cake."), quote=True),
    "table.narrated": c.Narrate(who=0, text=Words("Somebody brought cake.")),
    "whiskey.intent-sealed": Declare(who=0, sealed=Words("Somebody brought cake.")),
}

CAKE = Words("Somebody brought cake.")
WRITTEN: dict[str, Event] = {
    "table.draft-revised": DraftRevised(
        revision=3,
        after=1,
        order=(2, 1),
        blocks=(
            Block(
                id=2,
                sort="heading",
                text=CAKE,
                tells=(Told(line=1, position=9, state="0123456789abcdef" * 4, words=CAKE),),
                level=1,
                edited=True,
                cut=True,
                see=(1, 2),
                remarks=(Remark(author=Words("Mo"), text=Words("Which cake?")),),
                instead_of=1,
                writer=Words("Mo"),
            ),
            Block(id=1, sort="pull-quote", text=Words("It was eaten."), see="table", hers=(CAKE,)),
        ),
        joins=2,
        restores=1,
        writer=Words("Kim"),
    ),
}
"""Samples of kinds too deep to be found by chance."""


def full(value: Frozen) -> bool:
    """True if every field says something."""
    return all(part not in (None, (), {}, "") and not _blank(part) for part in values_of(value).values())


def _blank(part: object) -> bool:
    if isinstance(part, Words):
        return part.text != "Somebody brought cake."
    return isinstance(part, Frozen) and not full(part)


def sample(kind: type[Event]) -> Event:
    """The simplest event of a kind that says something in every field."""
    return find(
        models(kind).map(_with_words),
        full,
        settings=settings(
            database=None,
            max_examples=5000,
            derandomize=True,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )


def _with_words(event: Event) -> Event:
    words = {
        key: Words("Somebody brought cake.")
        for key, part in values_of(event).items()
        if isinstance(part, Words)
    }
    return event.but(words)


def main(families: Sequence[str]) -> None:
    """Adds what is missing in these families, a file for each."""
    HERE.mkdir(exist_ok=True)
    kinds = [(kind.partition(".")[0], kind, of) for kind, of in EVENTS.items()]
    kinds += [("drafts", kind, of) for kind, of in DRAFT_EVENTS.items()]
    for family, kind, of in kinds:
        if family not in families:
            continue
        path = HERE / f"{family}.jsonl"
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        if f'"kind": "{kind}"' in there:
            continue
        event = WRITTEN.get(kind) or sample(of)
        luck = len(getattr(event, event.luck)) if event.luck else 0
        envelope = Envelope(
            "2026-03-14T20:00:00.000000Z",
            60,
            "Zm9yIGV2ZXIgYW5kIGV2ZXI",
            1,
            1,
            0,
            luck=(Provenance.CALLED,) * luck,
        )
        (draft,) = encode_act([event], EXAMPLES.get(kind), [envelope], lambda: bytes(16))
        row = {"kind": kind, "body": json.loads(draft.body), "words": draft.words and json.loads(draft.words)}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
