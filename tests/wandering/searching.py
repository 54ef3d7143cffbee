"""Plays random evenings with secrets in them, and searches all that leaves for whoever may not know them."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import retold
from retold.journal.refused import Refused
from retold.reading import Reading
from tests.files import file_of
from tests.projections.reading import squeezed
from tests.wandering.leaving import UNLIKE, Left, broken, commands, guesses, said, sent, values
from tests.wandering.planting import VIEWERS, Night


class Hit(NamedTuple):
    """Something that left for somebody who may not know it."""

    viewer: str
    asked: str
    token: str
    line: str
    """The line that hid it."""
    around: str


def leaks(told: str, tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Those of the words and numbers that are told, or what would prove a guess; with what stands around."""
    folded = told.casefold()
    close = squeezed(folded)
    for token in tokens:
        if token.isdecimal():
            forms = (token, f"{int(token):,}")
            found = re.search(rf"(?<![\d.])(?:{'|'.join(map(re.escape, forms))})(?![\d])", folded)
            where = -1 if found is None else found.start()
        else:
            where = folded.find(token)
            if where < 0 and token in close:
                where = 0
        if where < 0 and any(one in folded for one in hashes(token)):
            where = 0
        if where >= 0:
            yield token, folded[max(0, where - 150) : where + 60]


def hashes(word: str) -> Iterator[str]:
    """What would prove a guess."""
    for one in (word, word.capitalize()):
        digest = hashlib.sha256(one.encode()).digest()
        yield digest.hex()
        yield base64.urlsafe_b64encode(digest).decode().casefold()[:42]


class Searched(NamedTuple):
    """What was found in all that left, and how much that was."""

    outputs: int
    hits: list[Hit]


def searched(
    night: Night, seed: int, *, whole: bool = False, few: int = 0, service: bool = False, program: bool = True
) -> Searched:
    """Searches what leaves after an evening: program values and a few commands by luck, or all of them.

    With a service, what is sent to phones as well; without a program, that alone.
    """
    luck = random.Random(seed)
    hits: list[Hit] = []
    outputs = 0
    scribe = night.evening.scribe
    path = file_of(scribe.campaign)
    lines = {one.token: one.line for one in night.plants}
    for viewer in VIEWERS:
        tokens = night.hidden_from(viewer)
        for left in everything(path, viewer, night, luck, whole=whole, few=few) if program else ():
            outputs += 1
            hits += _hits(viewer, left, tokens, lines)
    if service:
        names = [one for one in night.people if one.casefold() in night.hidden_from("table")]
        more = (
            "narrate gm --gm: A last secret.",
            "undo",
            "redo",
            *(f"note {name} --gm: x" for name in names),
        )
        hidden = {viewer: night.hidden_from(viewer) for viewer in VIEWERS}
        for viewer, left in sent(path, VIEWERS, names[:3], more):
            outputs += 1
            hits += _hits(viewer, left, hidden[viewer], lines)
    return Searched(outputs, hits + [Hit("", "shown", "", line, line) for line in night.untrue])


def _hits(viewer: str, left: Left, tokens: Sequence[str], lines: dict[str, str]) -> Iterator[Hit]:
    if broken(left) or left.told.startswith(UNLIKE):
        yield Hit(viewer, left.asked, "", "", left.told[:400])
    for token, around in leaks(left.told, tokens):
        yield Hit(viewer, left.asked, token, lines[token], around)


def everything(
    path: Path, viewer: str, night: Night, luck: random.Random, *, whole: bool, few: int
) -> Iterator[Left]:
    """All that one viewer may ask for beside a service, or the quick of it and a few commands."""
    tokens = night.hidden_from(viewer)
    words = [one for one in tokens if not one.isdecimal()]
    names = [one for one in (*night.people, *night.clocks) if one.casefold() in words]
    with retold.open(path) as campaign:
        try:
            reading: Reading = campaign.seen_by(viewer)
        except Refused:
            return  # an undo went so far that nobody is called so
        yield from values(reading, luck, whole=whole)
        yield Left("gaps", gaps(reading))
        nobodys = "".join(luck.choices("bcdfghjklmnpqrstvwxz", k=9)).capitalize()
        yield from guesses(
            campaign, viewer, luck.sample([*words, *names], min(3 if whole else 1, len(words))), nobodys
        )
    asked = [*commands(viewer, [one[:-1] for one in luck.sample(names, min(3, len(names)))])]
    for one in asked if whole else luck.sample(asked, few):
        yield said(path.parent, one)


def gaps(reading: Reading) -> str:
    """The numbers between those of the people a viewer is shown, which would count somebody hidden."""
    people = json.loads(json.dumps(reading.view("cast").to_json()))["cast"]
    shown = {one["id"] for one in people if one["id"] < 2**52} | {0}
    missing = set(range(max(shown, default=-1) + 1)) - shown
    return f"{UNLIKE}{sorted(missing)} are not in the cast" if missing else ""
