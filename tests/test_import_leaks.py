"""Nothing leaks from a log that came in: what its tool hid, what was not understood, and account numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

import retold
from retold.journal.store.copies.dump import dump
from retold.projections.exports import EXPORTS
from retold.projections.prose import VOICES
from retold.projections.statistics import TOPICS
from retold.projections.views import VIEWS
from retold.sources import read
from retold.sources.answers import Answers, Person, Unmarked, Use
from tests.cli.service.phone import serving
from tests.cli.shell import Shell
from tests.projections.reading import read as read_export
from tests.projections.unpacked import unpacked
from tests.retold.importing.given import begun, told
from tests.retold.importing.test_examples import PATHS, example_at
from tests.test_leaks import leaked

CAMPAIGN: Final = "salt.retold"
OPEN: Final = ("galah", "kookaburra", "echidna", "pademelon", "brolga")
"""What everybody heard, one in each log: else nothing would be proved."""
FOR_THE_GAME_MASTER: Final = (
    *("wombat", "bilby", "quokka", "dugong", "bettong", "cuscus", "taipan"),
    *("mulgara", "quoll"),
)
FOR_JON_AND_ANA: Final = ("dunnart",)
FOR_ZEL: Final = ("numbat", "kowari")
"""Whispered by Zel, whom Jon plays, to the game master."""
ACCOUNTS: Final = (
    "usr0jon000000001",
    "usr0ana000000001",
    "7700000000000001",
    "770000001",
    "roll20accountjon",
)
NOT_FOR: Final = {
    "table": (*FOR_THE_GAME_MASTER, *FOR_JON_AND_ANA, *FOR_ZEL),
    "Ana": (*FOR_THE_GAME_MASTER, *FOR_ZEL),
    "Jon": FOR_THE_GAME_MASTER,
}
"""For each viewer, the words they are never shown, however they ask."""
ANSWERS: Final = Answers(
    zone="UTC",
    game_master=("Mary",),
    unmarked=Unmarked.GM,
    channels={"the-table": Use.STORY, "behind-the-screen": Use.NOTES},
    audience={"HO1": ("gm",)},
    people={"Zel": Person(plays="Jon"), "Pell": Person(plays="Ana"), "Dice": Person(role="bot")},
)


# --- the logs, one for each tool that marks what is hidden, and one that cannot ---------------------------


def _foundry(folder: Path) -> Path:
    users = {"usr0mary00000001": "Mary", "usr0jon000000001": "Jon", "usr0ana000000001": "Ana"}

    def said(number: int, words: str, author: str, **more: object) -> str:
        item = {
            "_id": f"message{number:09}",
            "author": author,
            "speaker": {"alias": {"Jon": "Zel", "Ana": "Pell"}.get(users[author], "Mary")},
            "timestamp": 1_772_394_130_000 + number * 1_000,
            "style": 2,
            "flavor": "",
            "content": words,
            "rolls": [],
            "whisper": [],
            "blind": False,
        }
        return json.dumps(item | more)

    mary, jon, ana = users
    term = {"class": "Die", "number": 1, "faces": 20, "results": [{"result": 9, "active": True}]}
    roll = json.dumps({"class": "Roll", "formula": "1d20", "total": 9, "terms": [term]})
    lines = [
        said(1, "The galah sings.", jon),
        said(2, "The wombat knows.", mary, whisper=[mary]),
        said(3, "I tell only you of the numbat.", jon, whisper=[mary]),
        said(4, "Follow the dunnart.", jon, whisper=[ana]),
        said(5, "9", mary, flavor="The bilby hides", rolls=[roll], whisper=[mary], blind=True),
        said(6, "9", jon, flavor="The mulgara is seen", rolls=[roll], whisper=[mary], blind=True),
        '{"_id":"message000000007","author":"usr0jon000000001","content":"The quokka is not whole',
    ]
    folder = folder / "data"
    folder.mkdir(parents=True)
    (folder / "users.db").write_text(
        "".join(json.dumps({"_id": one, "name": name}) + "\n" for one, name in users.items()), "utf-8"
    )
    (folder / "messages.db").write_text("\n".join(lines) + "\n", "utf-8")
    return folder / "messages.db"


_ROLL20 = (
    '<div class="message {0}" data-messageid="-Salt{1}" data-playerid="roll20accountjon">'
    '<div class="spacer"></div>'
)
_STAMP = '<span class="tstamp">March 08, 2026 7:4{0}PM</span><span class="by">{1}:</span>{2}</div>'


def _roll20(folder: Path) -> Path:
    dice = (
        '<div class="formula">(To GM)rolling 1d20</div><div class="formula formattedformula">'
        '<div class="diceroll d20"><div class="dicon"><div class="didroll">7</div></div></div></div>'
        '<strong>=</strong><div class="rolled">7</div>'
    )
    rows = [
        ("general", "Zel", "The kookaburra laughs."),
        ("private whisper you", "(To GM)", "The dugong waits."),
        ("private whisper", "(From Zel)", "I saw a kowari."),
        ("private rollresult you", "Mary (GM)", dice),
    ]
    body = "\n".join(
        _ROLL20.format(kind, number) + _STAMP.format(number, by, words)
        for number, (kind, by, words) in enumerate(rows)
    )
    path = folder / "roll20.html"
    head = '<html><head><title>Chat Log for Salt | Roll20</title></head><body><div id="textchat">'
    path.write_text(f"{head}{body}</div></body></html>", "utf-8")
    return path


def _sealdice(folder: Path) -> Path:
    def item(number: int, who: str, account: str, words: str, **more: object) -> dict[str, Any]:
        plain = {"id": number, "nickname": who, "IMUserId": account, "time": 1_774_000_000 + number}
        return {**plain, "message": words, "isDice": False, "commandId": 0, "commandInfo": None, **more}

    secret = {"cmd": "roll", "pcName": "Zel", "items": [{"expr": "d100", "result": 66}], "hide": True}
    asked = {"isDice": True, "commandId": 5, "commandInfo": secret}
    items = [
        item(1, "Zel", "770000001", "The echidna digs."),
        item(2, "Zel", "770000001", ".rh d100"),
        item(3, "Dice", "770000009", "Something was thrown.", **asked),
        item(4, "Dice", "770000009", "Zel: d100=66", **asked),
    ]
    path = folder / "sealdice.json"
    path.write_text(json.dumps({"items": items, "version": 101}, indent=1), "utf-8")
    return path


def _cocofolia(folder: Path) -> Path:
    said = (
        ("main", "Zel", "The pademelon comes."),
        ("HO1", "Mary", "The bettong pays."),
        ("HO1", "Zel", "1D20 【The cuscus】 (1D20) \uff1e 9"),
    )
    body = "\n".join(
        f'<p style="color:#888888;">\n  <span> [{tab}]</span>\n  <span>{who}</span> :\n'
        f"  <span>\n    {words}\n  </span>\n</p>\n"
        for tab, who, words in said
    )
    path = folder / "cocofolia.html"
    head = '<!DOCTYPE html>\n<html lang="ja">\n  <head>\n    <meta charset="UTF-8" />\n'
    head += "    <title>ccfolia - logs</title>"
    path.write_text(f"{head}\n  </head>\n  <body>\n{body}  </body>\n</html>\n", "utf-8")
    return path


def _discord(folder: Path) -> list[Path]:
    made = []
    for channel, said in (("the-table", "The brolga dances."), ("behind-the-screen", "The taipan bites.")):
        message: dict[str, Any] = {
            "id": "1477752830549819392" if channel == "the-table" else "1477752830549819393",
            "type": "Default",
            "isPinned": False,
            "timestamp": "2026-04-01T19:42:10.123+00:00",
            "content": said,
            "author": {"id": "7700000000000001", "name": "zel", "nickname": "Zel", "isBot": False},
            "mentions": [],
        }
        where = {"id": "7", "type": "GuildTextChat", "category": "Play", "name": channel}
        path = folder / f"{channel}.json"
        path.write_text(
            json.dumps(
                {"guild": {"id": "1"}, "channel": where, "messages": [message], "messageCount": 1}, indent=1
            ),
            "utf-8",
        )
        made.append(path)
    return made


def _fantasy_grounds(folder: Path) -> Path:
    said = "".join(f'<font color="#000066">Zel: The quoll is far, {one}.</font><br />\n' for one in range(4))
    path = folder / "chatlog.html"
    path.write_text(
        f'<a name="2026-05-01" />\n<b>Session started at 2026-05-01 / 19:40</b><br />\n{said}', "utf-8"
    )
    return path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a campaign into which all those logs came."""
    folder = tmp_path_factory.mktemp("import-leaks")
    logs: Sequence[Sequence[Path]] = (
        [_foundry(folder)],
        [_roll20(folder)],
        [_sealdice(folder)],
        _discord(folder),
        [_fantasy_grounds(folder)],
        [_cocofolia(folder)],
    )
    with begun(folder / CAMPAIGN) as campaign:
        told = []
        for paths in logs:
            intake = campaign.take_in([read(path) for path in paths], ANSWERS)
            assert intake.new, paths
            told.append(json.dumps(intake.as_json(), ensure_ascii=False) + "\n".join(intake.lines()))
        (folder / "reports").write_text("\n".join(told), "utf-8")
    return folder


@pytest.fixture
def shell(recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(recorded)
    monkeypatch.setenv("RETOLD_HOME", str(recorded / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Shell(recorded, monkeypatch, capsys)


# --- nobody is told what their copy must not have ----------------------------------------------------------


def everything_asked(folder: Path, eyes: str) -> Iterator[str]:
    """Every way to ask for something as somebody."""
    for ask in (
        "log -n 0",
        "log -n 0 --json",
        "recap",
        "recap s1.. --json",
        "replay",
        "replay --json",
        "who Zel",
    ):
        yield f"{ask} --for {eyes}"
    yield from (f"show {view} --for {eyes}" for view in VIEWS)
    yield from (
        f"stats {topic}{how} --for {eyes}" for topic in TOPICS for how in ("", " --json", " --html -")
    )
    yield from (f"recap s1.. --voice {voice} --for {eyes}" for voice in VOICES)


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_answer_tells_it(shell: Shell, eyes: str) -> None:
    said = "\n".join(shell.done(*ask.split()) for ask in everything_asked(shell.folder, eyes))

    assert leaked(said, (*NOT_FOR[eyes], *ACCOUNTS)) == []
    assert set(leaked(said, OPEN)) == {*OPEN}
    for word in NOT_FOR[eyes]:
        found = shell.say("search", word, "--json", "--everywhere", "--for", eyes)
        assert (json.loads(found.out)["found"], found.code) == (0, 1), word


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_export_site_or_vault_tells_it(recorded: Path, shell: Shell, eyes: str) -> None:
    with retold.open(recorded / CAMPAIGN) as campaign:
        reading = campaign.seen_by(eyes)
        for name in EXPORTS:
            for voice in VOICES if EXPORTS[name].is_text else ("plain",):
                made = reading.export(name, "book", voice=voice, mechanics="inline")
                assert leaked(read_export(name, made), (*NOT_FOR[eyes], *ACCOUNTS)) == [], (name, voice)
    for how in ("--site", "--vault"):
        shell.done("export", how, f"out{how}-{eyes}", "--for", eyes)
        written = [path for path in (recorded / f"out{how}-{eyes}").rglob("*") if path.is_file()]
        assert written
        for path in written:
            said = f"{path.name}\n{unpacked(path.read_bytes().decode(errors='replace'))}"
            assert leaked(said, (*NOT_FOR[eyes], *ACCOUNTS)) == [], path
    page = unpacked(shell.done("export", "--book", "-f", "replay", "--mechanics", "folded", "--for", eyes))
    assert leaked(page, (*NOT_FOR[eyes], *ACCOUNTS)) == []
    assert set(leaked(page, OPEN)) == {*OPEN}


def test_no_page_of_a_player_tells_it(recorded: Path) -> None:
    with serving(recorded / CAMPAIGN, home=recorded / "home-of-the-service") as service:
        for eyes, forbidden in NOT_FOR.items():
            phone = service.phone(eyes)
            for path in (
                "",
                "here.json",
                "board",
                "replay",
                "happened?last=500",
                *(f"view/{one}" for one in VIEWS),
            ):
                phone.ask(path)
            said = phone.received.decode()
            assert leaked(said, (*forbidden, *ACCOUNTS)) == [], eyes
            assert set(leaked(said, OPEN)) == {*OPEN}, eyes


def test_the_game_master_is_told_all_and_those_who_heard_it_theirs(recorded: Path) -> None:
    """Else nothing above would be proved."""
    with retold.open(recorded / CAMPAIGN) as campaign:
        told = {
            eyes: "\n".join(event.told for event in campaign.seen_by(eyes).happened())
            for eyes in ("gm", "Ana", "Jon")
        }
    assert throws_of(recorded) == ["gm", "gm", "gm", "Zel", "gm"]
    everything = (*OPEN, *FOR_THE_GAME_MASTER, *FOR_JON_AND_ANA, *FOR_ZEL)
    assert set(everything) - set(leaked(told["gm"], everything)) == set()
    assert leaked(told["Ana"], FOR_JON_AND_ANA) == [*FOR_JON_AND_ANA]
    assert leaked(told["Jon"], FOR_ZEL) == [*FOR_ZEL]


def test_no_account_number_is_in_the_record_or_a_report(recorded: Path) -> None:
    data = (recorded / CAMPAIGN).read_bytes()
    with retold.open(recorded / CAMPAIGN) as campaign:
        lines = "\n".join(dump(campaign.shared.store.record))
    for account in ACCOUNTS:
        assert account.encode() not in data
        assert account not in lines
        assert account not in (recorded / "reports").read_text("utf-8")


def throws_of(folder: Path) -> list[str]:
    """Who may see each throw."""
    with retold.open(folder / CAMPAIGN) as campaign:
        return [line.rpartition(" → ")[2] for line in told(campaign) if " rolls 1d" in line]


# --- the examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_no_account_number_of_an_example_is_in_the_record_or_the_report(path: Path, tmp_path: Path) -> None:
    example = example_at(path)
    with begun(tmp_path / CAMPAIGN) as campaign:
        intake = campaign.take_in([example.source], example.answers)
        lines = "\n".join(dump(campaign.shared.store.record))
    said = "\n".join((lines, json.dumps(intake.as_json(), ensure_ascii=False), *intake.lines()))
    typed = "\n".join(unit.text for unit in example.units)  # a number that somebody typed is their word
    accounts = {unit.account for unit in example.units if len(unit.account) > _TELLING}
    if not accounts:
        pytest.skip("It has no accounts.")
    shape = example.report.tally.pattern
    words = set(re.split(r"[^\w-]+", said.replace(shape, "") if shape else said))
    assert [one for one in accounts & words if one not in typed] == []


_TELLING: Final = 3
"""Length of an account above which it is no word of its own, such as a number of one digit."""
