"""Everything that leaves a campaign for one viewer, as text: values, what commands say, what phones get."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

import retold
from retold.journal.refused import Refused
from retold.projections.exports import EXPORTS
from retold.projections.prose import VOICES
from retold.projections.statistics import TOPICS
from retold.projections.views import VIEWS
from retold.reading import Reading
from tests.cli.service.phone import Phone, serving
from tests.projections.reading import read
from tests.projections.unpacked import unpacked
from tests.survival.saying import BROKEN, say

LINES: Final = (
    "say Zel: x",
    "note --to Jon: x",
    "mark x",
    "narrate Zel: x",
    "declare Zel: x",
    "reveal @",
    "x",
)
"""What a player may try to hand in."""


class Left(NamedTuple):
    """One thing that left: how it was asked for, and all of it."""

    asked: str
    told: str


# --- what a program is given ------------------------------------------------------------------------------


def values(reading: Reading, luck: random.Random, *, whole: bool = False) -> Iterator[Left]:
    """What a program is given that reads as this viewer; a part of it is chosen by luck unless `whole`."""
    for asked, ask in _values(reading, luck, whole=whole):
        try:
            yield Left(asked, ask())
        except Refused as refusal:
            yield Left(asked, refusal.sentence)


Ask = Callable[[], str]


def _values(reading: Reading, luck: random.Random, *, whole: bool) -> Iterator[tuple[str, Ask]]:
    then = f"@-{luck.randrange(1, 12)}"
    yield "happened", lambda: "\n".join(map(repr, reading.happened()))
    yield "board", lambda: f"{reading.board()!r}"
    yield "board at", lambda: f"{reading.at(then).board()!r}"
    yield "can", lambda: f"{reading.can()!r}"
    yield "branches", lambda: f"{reading.branches!r} {reading.plays!r} {reading.title} {reading.called}"
    yield "replay", lambda: f"{reading.replay()!r}"
    yield "recap", lambda: f"{reading.recap()!r}"
    yield "secrets", lambda: f"{reading.secrets('all')}"
    for view in VIEWS:
        yield f"view {view}", partial(_seen, reading, view)
        if whole or luck.random() < 0.1:
            yield f"view {view} at", partial(_seen_then, reading, then, view)
    for voice in VOICES:
        if whole or luck.random() < 0.4:
            yield f"tell {voice}", partial(reading.tell, "book", voice=voice, mechanics="inline")
    for name in EXPORTS:
        if whole or luck.random() < 0.12:
            part, voice = luck.choice(("book", None)), luck.choice(list(VOICES))
            yield f"export {name} {part} {voice}", partial(_exported, reading, name, part, voice)
    people = ("Zel", "Odo", "Kit", "gm", "Ned", "Jon", "Rats")
    for name in people if whole else luck.sample(people, 2):
        yield f"who {name}", partial(_known_of, reading, name)
    yield "search", lambda: f"{reading.search('the')!r} {reading.search('room')!r}"
    yield "postcard", lambda: reading.postcard(then).decode()


def _seen_then(reading: Reading, then: str, view: str) -> str:
    return _seen(reading.at(then), view)


def _exported(reading: Reading, name: str, part: str | None, voice: str) -> str:
    return legible(name, reading.export(name, part, voice=voice, variations=True))


def _known_of(reading: Reading, name: str) -> str:
    return f"{reading.who(name)!r}"


def _seen(reading: Reading, view: str) -> str:
    seen = reading.view(view)
    return f"{seen!r}\n{json.dumps(seen.to_json(), ensure_ascii=False)}\n{seen.sheet()!r}"


def legible(name: str, made: bytes) -> str:
    """An export as text, an archive file by file."""
    if name == "pdf":
        return read(name, made)
    if zipfile.is_zipfile(io.BytesIO(made)):
        with zipfile.ZipFile(io.BytesIO(made)) as archive:
            return "\n".join(f"{one}\n{archive.read(one).decode('latin-1')}" for one in archive.namelist())
    return unpacked(made.decode())


# --- what a program is told of a name it may not know -----------------------------------------------------


def guesses(campaign: retold.Campaign, viewer: str, names: Sequence[str], nobodys: str) -> Iterator[Left]:
    """What differs between an answer about a name that is hidden and one about a name that there is not.

    Both are as long, and what was asked stands in the answer of each as `@`; where they are the same, the
    answer is given, else both are.
    """
    reading = campaign.seen_by(viewer)
    ways: tuple[tuple[str, Callable[[str], object]], ...] = (
        ("who", reading.who),
        ("search", reading.search),
        ("search --who", lambda name: reading.search("the", who=name)),
        ("can", reading.can),
        ("at", reading.at),
        ("branch", reading.branch),
        ("postcard", reading.postcard),
        ("who_is", reading.who_is),
    )
    lines = (
        *("say {0}: x", "say {0}", "note {0}: x", "roll Zel d20 vs {0}", "declare Zel engage {0}"),
        "note --to {0}: x",
    )
    for asked, ask in ways:
        for name in names:
            yield _guess(asked, ask, name, nobodys)
            yield Left(f"{asked}, nearly", _answer(ask, name[:-1]))
    if viewer != "table":
        for line in lines:
            check = partial(_checked, campaign, viewer, line)
            for name in names:
                yield _guess(line, check, name, nobodys)
                yield Left(f"{line}, nearly", _answer(check, name[:-1]))


def _checked(campaign: retold.Campaign, viewer: str, line: str, name: str) -> object:
    return campaign.check(line.format(name), by=viewer)


UNLIKE: Final = "answers about a hidden name otherwise: "


def _guess(asked: str, ask: Callable[[str], object], name: str, nobodys: str) -> Left:
    one, other = _blanked(_answer(ask, name), name), _blanked(_answer(ask, nobodys), nobodys)
    return Left(asked, one if one == other else f"{UNLIKE}{one} / {other}")


def _answer(ask: Callable[[str], object], asked: str) -> str:
    try:
        return repr(ask(asked))
    except Refused as refusal:
        return refusal.sentence


def _blanked(answer: str, word: str) -> str:
    """An answer without the word asked for, and without what is like it: that differs from word to word."""
    known = re.sub(r" (Did you mean [^?]*\?|Write @, [^?.]*\.)", "", answer)
    return re.sub(word, "@", known, flags=re.IGNORECASE)


# --- what a shell is told ---------------------------------------------------------------------------------


def commands(viewer: str, names: Sequence[str]) -> Iterator[str]:
    """Every way of the command line to ask for something as a viewer; names are nearly those of somebody."""
    for asked in _commands(names):
        yield f"{asked} --for {viewer}"
    for before in ("who", "search --who", "show cast --at", "replay --at", "export --session", "recap"):
        yield f"--complete -c evening {before.split()[0]} --for {viewer} {' '.join(before.split()[1:])} "


def _commands(names: Sequence[str]) -> Iterator[str]:
    yield from ("show", "show --json", "show --at @-5", "show --at s1", "branches", "can")
    yield from (f"show {view}{how}" for view in VIEWS for how in ("", " --json", " --at @-4"))
    yield from (f"stats {topic}{how}" for topic in TOPICS for how in ("", " --json"))
    yield from ("replay", "replay --json", "replay --state", "replay --step", "recap", "recap s1 --json")
    yield from ("diff @-3", "diff @-8 --json", "diff s1", "search the", "search the --json --everywhere")
    yield from ("who", "who Zel", "who Odo --json", "who Kit", "who gm --json", "search room --all")
    for name in names:
        yield from (f"who {name}", f"search the --who {name}", f"show --at {name}", f"replay --at {name}")
        yield from (f"diff {name}", f"show --branch {name}", f"recap {name}", f"export --moment {name}")
    for name in (*EXPORTS, "replay"):
        yield from (f"export -f {name} -o -", f"export --book -f {name} -o - --variations")
    yield from ("export --session all -o {0}/all.md", "export --vault {0}", "export --site {0}")
    yield from ("export --moment @ -f svg -o -", "export --moment @-2 -f html -o -", "export --json")


def said(folder: Path, asked: str) -> Left:
    """All that a command says and writes."""
    with ExitStack() as then:
        made = folder / "made"
        made.mkdir()
        then.callback(shutil.rmtree, made, ignore_errors=True)
        words = asked.format("made/all" if "{0}/" not in asked else "made").split(" ")
        before = [] if words[0] == "--complete" else ["-c", "evening"]
        answer = say(folder, *before, *words)
        name = next((one for one in (*EXPORTS, "replay") if f"-f {one} " in asked), "text")
        out = legible(name, answer.out) if answer.code == 0 and answer.out else answer.out.decode("latin-1")
        files = [one for one in made.rglob("*") if one.is_file()]
        written = "\n".join(f"{one.name}\n{unpacked(one.read_text('utf-8'))}" for one in files)
        return Left(asked, f"{out}\n{answer.err}\n{written}")


# --- what a phone is sent ---------------------------------------------------------------------------------


def sent(
    path: Path, viewers: Sequence[str], names: Sequence[str], more: Sequence[str]
) -> Iterator[tuple[str, Left]]:
    """All that each viewer's phone is sent, while more is said; the feed from its beginning."""
    with serving(path, home=path.parent / "service") as service:
        phones = {viewer: service.phone(viewer) for viewer in viewers if _is_there(service.campaign, viewer)}
        streams = {viewer: phone.follow("0") for viewer, phone in phones.items()}
        for stream in streams.values():
            stream.hear("board")
        for line in (*more, "narrate gm: That is all."):
            try:
                service.campaign.say(line)
            except Refused:
                continue
        for viewer, stream in streams.items():
            while b"That is all." not in stream.raw:
                stream.hear("happened", "reset")
                if b"event: reset" in stream.raw:
                    break
            _ask_all(phones[viewer], names)
            stream.leave()
            yield viewer, Left("feed", stream.raw.decode())
            yield viewer, Left("phone", phones[viewer].received.decode())


def _is_there(campaign: retold.Campaign, viewer: str) -> bool:
    """False where an undo went so far that nobody is called so."""
    try:
        campaign.lasting(viewer)
    except Refused:
        return False
    return True


def _ask_all(phone: Phone, names: Sequence[str]) -> None:
    for path in (
        "",
        "here.json",
        "stage",
        "board",
        "happened?last=500",
        "replay",
        "replay.html",
        "can",
        "proposals",
    ):
        phone.ask(path)
    for path in (
        f"complete?line={names[0][:2] if names else 'x'}",
        "board?at=@-4",
        "board?at=s1",
        "replay?part=s1",
    ):
        phone.ask(quote(path, safe="?=@-"))
    for view in VIEWS:
        phone.ask(f"view/{view}")
    for line in (
        *LINES,
        *(f"{how} {name[:-1]}: x" for name in names for how in ("say", "note", "roll Zel d20 vs")),
    ):
        phone.ask("check", {"line": line})
    for name in names:
        phone.ask(f"board?at={name[:-1]}")


def broken(left: Left) -> bool:
    """True where something went wrong that nobody foresaw."""
    return BROKEN in left.told or "Traceback (most" in left.told
