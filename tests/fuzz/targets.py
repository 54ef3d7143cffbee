"""What is fuzzed: the doors that bytes come in by, each with some that are good, and how they are tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

from retold.games.homebrew.options import example_lines, game_names, help_page, read_game
from retold.importing.taking_in import take_in
from retold.importing.verb.answers import AnswersFile
from retold.importing.verb.prompts import Prompts, ReadAgain
from retold.importing.verb.questions import Asking
from retold.journal import line as line_
from retold.journal.copying import copied
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import FLAGS, lex
from retold.journal.language.script_lines import Unplayable, read_script
from retold.journal.language.verbs import VERBS
from retold.journal.line import LiveEvent
from retold.journal.pictures import measured, recorded_picture
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.copies.dump import dump, load_into
from retold.journal.store.events.acts import check_command
from retold.journal.store.events.chain import link
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.picture_files import written_anew
from retold.projections.plain.lives import notation
from retold.projections.prose import VOICES
from retold.projections.prose.voicefile import copied as voice_copied
from retold.projections.prose.voicefile import read as read_voice
from retold.sources import READERS, Source, read
from retold.sources.answers import Answers, read_answers
from retold.sources.sniffing import UnclearError
from retold.sources.survey import survey
from tests.fuzz import shelled
from tests.fuzz.asked import requests, served
from tests.journal.store.memory import InMemory, Memory
from tests.survival.attacks import attacked
from tests.wandering.lines import CASTS, WHO

ROOT = Path(__file__).resolve().parents[2]
TRYING = "trying"
"""The file that holds what is tried now."""
Try = Callable[[bytes], None]
"""Gives bytes to a door; raises whatever is neither an answer nor a refusal."""


@dataclass(frozen=True, slots=True)
class Target:
    """A door."""

    name: str
    what: str
    seeds: Callable[[Path], Iterable[bytes]]
    """Some bytes that are taken there; the folder is to make them in."""
    door: Callable[[Path], AbstractContextManager[Try]]
    """Opens it; the folder is for what it keeps."""
    longest: int
    """Bytes that are tried at the most."""
    words: Callable[[], Iterable[str]] = tuple
    """What means something there, to be put in anywhere."""


def _says(refusal: Refused | StoreError) -> None:
    """A refusal is a sentence, or several."""
    said = refusal.sentences if isinstance(refusal, Refused) else (str(refusal),)
    assert all(one.strip() for one in said)


# --- the language of the table ----------------------------------------------------------------------------

MOST_LINES = 12


@cache
def _tables() -> tuple[Table, ...]:
    """A table for each game, and for some in files, with four people cast."""
    begun = e.CampaignBegun(campaign="0" * 32, format=1, seed=None)
    tables = []
    for cast in CASTS:
        table = line_.fold([LiveEvent(1, begun)])
        for said in (*cast, "session One", "scene The bridge: Fog."):
            _say(table, said)
        tables.append(table)
    return tuple(tables)


def _moment(typed: str) -> int:
    """A position, which is the only moment that a table alone knows."""
    if not typed.isdecimal() or len(typed) > 9:
        raise Refused(f"There is no moment {typed}.")
    return int(typed)


def _say(table: Table, said: str) -> None:
    """Decides one line, takes what comes of it in, and writes it down; nothing where it is refused."""
    try:
        command = bind(lex(said), Scope(table, _moment, "2026-03-14")).command
        check_command(command)
        events = line_.decide(table, command, Luck(FirstDealer(), getattr(command, "results", None)))
    except Refused as refusal:
        _says(refusal)
        return
    for event in events:
        live = LiveEvent(table.position + 1, event)
        line_.evolve(table, live)
        assert list(notation(table, [live]))


@contextmanager
def _language(_: Path) -> Iterator[Try]:
    tables = _tables()

    def try_(data: bytes) -> None:
        table = copied(tables[(data[0] if data else 0) % len(tables)])
        try:
            for number, line in enumerate(read_script(data[1:], "fuzz")):
                if number < MOST_LINES:
                    _say(table, line.source)
        except Unplayable:
            return

    yield try_


def _lines(_: Path) -> Iterator[bytes]:
    """Every line of the example sessions, alone, and four after one another."""
    for number, path in enumerate(sorted((ROOT / "examples").rglob("*.session"))):
        lines = [one.source for one in read_script(path.read_bytes(), path.name)]
        for at in range(0, len(lines), 4):
            yield bytes([number % 251]) + "\n".join(lines[at : at + 4]).encode()


def _vocabulary() -> Iterator[str]:
    """Verbs, flags, names, options and what is typed beside them."""
    yield from sorted(VERBS)
    yield from (f"--{flag}" for flag in FLAGS)
    yield from (f"{game}.{option.key}=" for game, system in SYSTEMS.items() for option in system.options)
    yield from (
        *WHO,
        " vs ",
        ": ",
        " = ",
        " =dealt ",
        "+",
        "@",
        "_",
        "KS",
        "2d6+3",
        "= total 14",
        "1/2",
        "-5",
    )


# --- what is loaded and opened ----------------------------------------------------------------------------


def _file(folder: Path) -> bytes:
    path = folder / "seed.retold"
    if not path.exists():
        attacked(path)
    return path.read_bytes()


def _dumped(folder: Path) -> Iterator[bytes]:
    _file(folder)
    with CampaignStore.open(folder / "seed.retold", read_only=True) as camp:
        lines = list(dump(camp.record))
    yield "\n".join(lines).encode()
    yield "\n".join((*lines[:4], lines[-1])).encode()


@contextmanager
def _load(_: Path) -> Iterator[Try]:
    def try_(data: bytes) -> None:
        store = InMemory(Memory())
        try:
            load_into(store, data.split(b"\n"))
        except StoreError as error:
            _says(error)
            return
        assert verify(Record(store)).whole

    yield try_


@contextmanager
def _open(folder: Path) -> Iterator[Try]:
    path = folder / "opened.retold"

    def try_(data: bytes) -> None:
        path.write_bytes(data)
        try:
            with CampaignStore.open(path, read_only=True) as camp:
                report = verify(camp.record)
                assert report.whole or all(one.sentence for one in report.findings)
                if report.whole:
                    camp.table_at(camp.mainline())
        except StoreError as error:
            _says(error)

    yield try_


def _rows(folder: Path) -> Iterator[bytes]:
    """The rows of a record as JSON, a row a line: what is changed there is chained anew."""
    _file(folder)
    with CampaignFile.open(folder / "seed.retold", read_only=True) as file:
        found = [[one.line, one.position, one.kind, one.body, one.words] for one in Record(file).everything()]
    yield "\n".join(json.dumps(one) for one in found[:12]).encode()
    for at in range(0, len(found), 6):
        yield "\n".join(json.dumps(one) for one in (found[0], *found[at : at + 6])).encode()


@contextmanager
def _chained(_: Path) -> Iterator[Try]:
    """Rows that somebody chained who knows how: `verify` says what is wrong with them, and never fails.

    They may come to no table, which it says too; but whoever folds them is done at once.
    """

    def try_(data: bytes) -> None:
        memory = Memory()
        heads: dict[object, bytes] = {}
        for row in _parsed(data):
            line, position, kind, body, words = row
            hash_ = link(heads.get(line, b""), line, position, kind, body)
            heads[line] = hash_
            memory.rows.append(Row(line, position, kind, body, words, hash_))
        record = Record(InMemory(memory))
        if verify(record).whole:
            with suppress(Exception):
                CampaignStore(record).table_at(1)

    yield try_


def _parsed(data: bytes) -> Iterator[tuple[int, int, str, str, str | None]]:
    """The rows in the bytes whose columns are of the types that a file has."""
    for line in data.split(b"\n"):
        with suppress(ValueError, RecursionError):
            match json.loads(line):
                case [int(where), int(position), str(kind), str(body), str() | None as words]:
                    json.dumps([kind, body, words], ensure_ascii=False).encode()  # no half letter
                    yield where, position, kind, body, words


# --- files that a table brings ----------------------------------------------------------------------------


@contextmanager
def _game(_: Path) -> Iterator[Try]:
    def try_(data: bytes) -> None:
        try:
            game = read_game(data, "fuzz.toml")
        except Refused as refusal:
            _says(refusal)
            return
        assert help_page(game)
        table = copied(_tables()[0])
        for said in example_lines(game):
            _say(table, said)

    yield try_


def _games(_: Path) -> Iterator[bytes]:
    from importlib.resources import files  # noqa: PLC0415 -- where the games that come with Retold lie

    folder = files("retold.games.homebrew") / "games"
    for name in game_names():
        yield (folder / f"{name}.toml").read_bytes()


@contextmanager
def _voice(folder: Path) -> Iterator[Try]:
    path = folder / "fuzz.toml"

    def try_(data: bytes) -> None:
        path.write_bytes(data)
        try:
            read_voice(path)
        except Refused as refusal:
            _says(refusal)

    yield try_


def _voices(_: Path) -> Iterator[bytes]:
    whole = voice_copied(VOICES["report"], "A voice.").encode()
    yield b"\n".join(whole.split(b"\n")[:60])
    yield 'base = "prose"\n[layout]\nquotes = ["»", "«"]\n[phrases.names]\nand = " und "\n'.encode()


# --- logs of other tools ----------------------------------------------------------------------------------


@contextmanager
def _import(folder: Path) -> Iterator[Try]:
    """A log read by the reader that its first byte names, and taken in by the answers that are proposed."""
    path, answers = folder / "log", folder / "log.import.toml"
    able = [one for one in READERS if one.name == "foundry-leveldb" or not one.reads_folders]

    def try_(data: bytes) -> None:
        reader = able[(data[0] if data else 0) % len(able)]
        path.write_bytes(data[1:])
        answers.unlink(missing_ok=True)
        store = InMemory(Memory())
        with store.writing():
            writer = CampaignStore.begin(store).writer(1)
        try:
            source, answered = _proposed(path, reader.name, answers)
            intake = take_in(writer, [source], answered)
        except Refused as refusal:
            _says(refusal)
        else:
            assert intake.report.pieces == intake.report.counted
            again = take_in(writer, [source], answered)
            assert (again.new, again.acts, again.gone) == (0, 0, []), again
        assert verify(Record(store)).whole

    yield try_


MOST_READINGS = 5
"""Readings until the answers hold: each may say something that has the log read otherwise."""


def _proposed(path: Path, reader: str, answers: Path) -> tuple[Source, Answers]:
    """A log and the answers that the questions about it propose, for whoever says yes to all."""
    file = AnswersFile(answers)
    source = read(path, format=reader)
    for _ in range(MOST_READINGS):
        source = read(path, format=reader, hints=file.answers.hints)
        found = survey([source], file.answers)
        with suppress(ReadAgain), redirect_stderr(StringIO()):
            Asking(Prompts(file, found, str, takes_all=True)).run()
            break
    return source, file.answers


def _logs(_: Path) -> Iterator[bytes]:
    """Every example that is a file, under its reader."""
    able = [one.name for one in READERS if one.name == "foundry-leveldb" or not one.reads_folders]
    for path in sorted((ROOT / "examples" / "imports").iterdir()):
        if not path.is_file() or path.suffix == ".toml":
            continue
        try:
            names = [reader.name for _, reader in read(path).files]
        except UnclearError as error:
            names = [reader.name for reader in error.readers]
        except Refused:
            continue
        for name in names:
            if name in able:
                yield bytes([able.index(name)]) + path.read_bytes()[:LONGEST_LOG]


LONGEST_LOG = 6_000


@contextmanager
def _answers(_: Path) -> Iterator[Try]:
    def try_(data: bytes) -> None:
        try:
            read_answers(data.decode("utf-8", "replace"), "fuzz.toml")
        except Refused as refusal:
            _says(refusal)

    yield try_


def _answered(_: Path) -> Iterator[bytes]:
    yield b"""family = "discord"
zone = "Europe/Lisbon"
sessions = "gap 4h"
game_master = ["Mary"]
unmarked = "gm"
[channels]
"the-table" = "story"
[people."Zel"]
plays = "Jon"
labels = ["Zel the Quick"]
accounts = ["@1"]
[people."Dice"]
role = "bot"
[accounts]
"@1" = "44"
"""


@contextmanager
def _picture(_: Path) -> Iterator[Try]:
    def try_(data: bytes) -> None:
        try:
            found = written_anew(data, "fuzz.png")
        except Refused as refusal:
            _says(refusal)
            return
        assert measured(found.data) == found
        assert recorded_picture(found.uri) == found

    yield try_


def _pictures(_: Path) -> Iterator[bytes]:
    from PIL import Image  # noqa: PLC0415 -- an extra

    for form in ("PNG", "JPEG", "WEBP"):
        file = BytesIO()
        Image.linear_gradient("L").resize((24, 16)).save(file, form)
        yield file.getvalue()


TARGETS = (
    Target("language", "lines typed at a table", _lines, _language, 2000, _vocabulary),
    Target("load", "a dump", _dumped, _load, 40_000),
    Target("open", "a campaign's file", lambda folder: [_file(folder)], _open, 60_000),
    Target("chained", "rows that somebody chained", _rows, _chained, 12_000),
    Target("game", "a game in a file", _games, _game, 8000),
    Target("voice", "a voice in a file", _voices, _voice, 6000),
    Target("picture", "a picture", _pictures, _picture, 4000),
    Target("import", "a log of another tool", _logs, _import, LONGEST_LOG + 1),
    Target("shell", "words at a shell", lambda _: shelled.words(), shelled.shell, 400, shelled.vocabulary),
    Target("answers", "answers about a log", _answered, _answers, 4000),
    Target("service", "requests", lambda _: requests(), served, 3000),
)
"""Every door."""
