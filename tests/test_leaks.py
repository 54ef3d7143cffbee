"""Nothing leaks: no output for a player holds what is not for them, and no byte what was redacted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Final

import pytest

from retold.cli.campaigns.asking import forget_redacted
from retold.cli.campaigns.opening import attach_caches, index_of
from retold.cli.campaigns.settings import Settings
from retold.journal.refused import Refused
from retold.journal.store.events.codec import decode
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS, export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.pdf import page_data
from retold.projections.postcards import postcard, rendered
from retold.projections.prose import VOICES
from retold.projections.reading import LineView, viewer_called
from retold.projections.statistics import TOPICS
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.cli.shell import Shell
from tests.projections.reading import read, squeezed
from tests.projections.unpacked import unpacked
from tests.survival.secret import TABLE
from tests.test_twins import canonical, text_of

SCRIPT: Final = f"""\
{TABLE}\
cast Perameles: A ferrywoman
narrate gm --gm: The wombat knows.
say Odo --to Kit: The numbat heard us.
note --gm: The bilby is armed.
mark --gm quokka: Where the dugong waits.
mark galah --at @: Where the echidna grazes.
mark kookaburra --at @
narrate gm --gm --at 4: The antechinus watched.
declare Zel --to Kit: I follow the dunnart.
note --gm: The potoroo pays.
retcon @: The bettong pays.
note --gm: The dibbler is her father.
reveal @ --to Kit: The kultarr is too.
narrate gm: The thylacine sleeps.
retcon @: Somebody sleeps.
note --to table: The bandicoot was a mistake.
undo
narrate gm: The wallaroo, who is one of us, weeps.
note --gm: The phascogale is dead.
mark before-the-reveal
reveal @-1
branch kinder --to table
narrate gm: The pademelon comes instead.
note --gm: The cuscus sent it.
switch mainline
branch the-bandy-bandy 20: What if the taipan bites?
narrate gm: The mulgara comes instead.
mark quoll
cast Ningaui: A stranger
switch mainline
branch the-boobook 20 --to Kit: What if the perentie bites?
narrate gm: The chuditch comes instead.
switch mainline
conflict "Out" bruise Zel vs Guards: freedom
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
quality Guards 9
colour hearts
narrate Zel: One last cry, and the line breaks.
end conflict
cast Runa whiskey combat=10 base=4 die=1 hp=12
cast Pike whiskey combat=10 base=4 die=1 hp=12
conflict "The ford" whiskey Runa vs Pike
declare Runa engage Pike --sealed: Under the kowari flag.
"""

FOR_THE_GAME_MASTER: Final = (
    *("wombat", "bilby", "quokka", "dugong", "antechinus", "potoroo", "bettong", "cuscus"),
    *("galah", "echidna", "kookaburra"),
)
ON_NO_LINE_OF_THEIRS: Final = ("bandybandy", "taipan", "mulgara", "quoll", "ningaui")
"""On a branch that the game master has shown to nobody: its name, its reason, and what is told there."""
ON_A_LINE_FOR_KIT: Final = ("boobook", "perentie", "chuditch")
FOR_KIT: Final = ("numbat", "dibbler", "kultarr")
WHISPERED_BY_ZEL: Final = ("dunnart",)
"""Told to Kit by Zel, whom Jon plays: it is in his copy, and in no other's."""
SEALED: Final = ("kowari",)
REPLACED: Final = ("thylacine",)
UNDONE: Final = ("bandicoot",)
ON_A_BRANCH: Final = ("pademelon",)
REDACTED: Final = ("wallaroo", "perameles", "ferrywoman")
FOR_NOBODY_ELSE: Final = (*FOR_THE_GAME_MASTER, *ON_NO_LINE_OF_THEIRS, *SEALED, *REPLACED, *REDACTED)
NOT_FOR: Final = {
    "table": (*FOR_NOBODY_ELSE, *ON_A_LINE_FOR_KIT, *FOR_KIT, *WHISPERED_BY_ZEL),
    "Jon": (*FOR_NOBODY_ELSE, *ON_A_LINE_FOR_KIT, *FOR_KIT),
    "Kit": FOR_NOBODY_ELSE,
}
"""For each viewer, the words they are never shown, however they ask."""

CAMPAIGN: Final = "salt.retold"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with that campaign in it, of which the words in REDACTED are gone."""
    folder = tmp_path_factory.mktemp("leaks")
    with CampaignStore.create(folder / CAMPAIGN, seed=b"a seed for tests alone") as campaign:
        scribe = Scribe(campaign, 1)
        for _ in play_script(scribe, Script("leaks.session", SCRIPT.encode())):
            pass
        scribe.say(f"redact {where(campaign, 'wallaroo')}")
        scribe.say("redact --person Perameles")
    return folder


@pytest.fixture
def shell(recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in that folder."""
    monkeypatch.chdir(recorded)
    monkeypatch.setenv("RETOLD_HOME", str(recorded / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Shell(recorded, monkeypatch, capsys)


def where(campaign: CampaignStore, word: str) -> int:
    """The position of the event that says it, on whatever line that is."""
    return next(row.position for row in campaign.record.everything() if word in (row.words or ""))


def leaked(said: str, words: Iterable[str]) -> list[str]:
    """Those of the words that are there, whatever stands between their letters."""
    folded = squeezed(said).casefold()
    return [word for word in words if word in folded]


# --- what is shown ----------------------------------------------------------------------------------------


Answers = Callable[[Shell, str], str]


@pytest.fixture(scope="module")
def answers() -> Answers:
    """What a command that changes nothing answered, asked once."""
    found: dict[str, str] = {}

    def answer(shell: Shell, words: str) -> str:
        if words not in found:
            found[words] = shell.done(*words.split())
        return found[words]

    return answer


def everything_asked(eyes: str) -> Iterator[str]:
    """Every way to ask for something as somebody."""
    asked = ["show", "show --json", "diff kinder", "diff kinder --json", "diff before-the-reveal"]
    asked += [f"show {view}{how}" for view in VIEWS for how in ("", " --json")]
    asked += [f"recap{how}" for how in ("", " s1 --json", *(f" s1.. --voice {voice}" for voice in VOICES))]
    asked += [f"replay{how}" for how in ("", " --json", " --state", " --step")]
    asked += [f"log{how}" for how in (" -n 0", " -n 0 --json", " s1", " -n 3")]
    asked += [f"can{how}" for how in ("", " --json")]
    asked += [f"stats {topic}{how}" for topic in TOPICS for how in ("", " --json", " --html -")]
    for words in asked:
        yield f"{words} --for {eyes}"


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_answer_leaks_what_its_viewer_may_not_see(shell: Shell, answers: Answers, eyes: str) -> None:
    for words in everything_asked(eyes):
        allowed = ON_A_BRANCH if words.startswith("diff kinder") else ()
        forbidden = {*NOT_FOR[eyes], *UNDONE, *ON_A_BRANCH} - {*allowed}

        assert leaked(answers(shell, words), forbidden) == [], words


WIDTHS: Final = ("--everywhere --all", "--everywhere", "", "--all")


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_search_finds_it(shell: Shell, eyes: str) -> None:
    """The widest search of all for each word, and in turn one of those that find less."""
    for number, word in enumerate((*NOT_FOR[eyes], *UNDONE)):
        widest, *less = WIDTHS[1:3] if word in UNDONE else WIDTHS
        for how in (widest, less[number % len(less)]):
            said = shell.say("search", word, "--json", "--for", eyes, *how.split())
            assert (json.loads(said.out)["found"], said.code) == (0, 1), (word, how)


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_answer_leaks_sealed_text_or_paths(shell: Shell, answers: Answers, eyes: str) -> None:
    keys = set(secrets_of(shell.folder))

    assert len(keys) > 100
    for words in (*everything_asked(eyes), *(f"export -f {one} --for {eyes}" for one in TEXTS)):
        said = answers(shell, words)
        assert [key for key in keys if key in said] == [], words
    positions = shell.done("replay", "--json", "--for", eyes).splitlines()
    assert {json.loads(line)["position"] for line in positions} == {None}
    assert json.loads(shell.done("show", "cast", "--json", "--for", eyes))["at"] is None
    assert "#" not in shell.done("replay", "--for", eyes)


def secrets_of(folder: Path) -> Iterator[str]:
    """The campaign's id, which keys the ids players see; hashes, salts, acts, and the seed's commitment."""
    with CampaignStore.open(folder / CAMPAIGN, read_only=True) as campaign:
        yield campaign.id
        yield str(campaign.table_at(1).seed)
        for row in campaign.record.everything():
            yield row.hash.hex()
            yield decode(row).envelope.act
            yield from (one[0] for one in json.loads(row.words or "[]") if one is not None)


TEXTS: Final = tuple(name for name, one in EXPORTS.items() if one.is_text)


# --- what is told -----------------------------------------------------------------------------------------


Told = Callable[[str, str], tuple[Transcript, Transcript]]
"""The book and the first evening, for a viewer, in a voice."""


@pytest.fixture(scope="module")
def told(recorded: Path) -> Iterator[Told]:
    with CampaignStore.open(recorded / CAMPAIGN, read_only=True) as campaign:

        @cache
        def found(eyes: str, voice: str) -> tuple[Transcript, Transcript]:
            viewer = viewer_called(campaign.table_at(1), eyes)
            return (
                of_line(LineView(campaign, 1, viewer=viewer), voice=voice, variations=True, ribbon=True),
                of_session(LineView(campaign, 1, viewer=viewer), 1, voice=voice),
            )

        yield found


@pytest.mark.parametrize("eyes", NOT_FOR)
@pytest.mark.parametrize("name", EXPORTS)
def test_no_export_holds_what_is_not_for_its_reader(told: Told, name: str, eyes: str) -> None:
    for voice in {"pdf": ("plain",), "docx": ("plain", "prose")}.get(name, VOICES):
        book, evening = told(eyes, voice)
        for one, forbidden in (
            (book, (*NOT_FOR[eyes], *UNDONE)),
            (evening, (*NOT_FOR[eyes], *UNDONE, *ON_A_BRANCH)),
        ):
            made = export(name, one, "inline")
            assert leaked(read(name, made), forbidden) == [], voice
            whole = canonical(page_data(one, MechanicsPlace.INLINE)) if name == "pdf" else text_of(made)
            assert leaked(whole, forbidden) == [], voice


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_card_of_a_moment_holds_it_and_none_is_made_of_what_they_may_not_see(
    recorded: Path, eyes: str
) -> None:
    refused: set[str] = set()
    made = 0
    with CampaignStore.open(recorded / CAMPAIGN, read_only=True) as campaign:
        reading = LineView(campaign, 1).called(eyes)
        for position in range(1, reading.position + 1):
            voice = ("report", "plain", "prose")[position % 3]
            try:
                card = postcard(reading, position, VOICES[voice])
            except Refused as refusal:
                refused.add(str(refusal))
                continue
            made += 1
            for format_ in ("svg", "html"):
                shown = rendered(card, format_).decode()
                assert leaked(shown, (*NOT_FOR[eyes], *UNDONE, *ON_A_BRANCH)) == [], (position, voice)
            assert "#" not in " ".join(card.told())

    assert made > 20
    assert refused == {"Nothing at that moment may be shown to them: choose another."}


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_file_of_a_site_holds_it_or_what_would_open_what_is_sealed(shell: Shell, eyes: str) -> None:
    shell.done("export", "--site", f"site-{eyes}", "--for", eyes, "--variations")
    written = [path for path in (shell.folder / f"site-{eyes}").rglob("*") if path.is_file()]
    keys = set(secrets_of(shell.folder))

    assert len(written) > 10
    for path in written:
        said = f"{path.name}\n{unpacked(path.read_bytes().decode(errors='replace'))}"
        assert leaked(said, (*NOT_FOR[eyes], *UNDONE)) == [], path
        assert [key for key in keys if key in said] == [], path


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_no_replay_leaks_what_its_viewer_may_not_see(shell: Shell, eyes: str) -> None:
    keys = set(secrets_of(shell.folder))
    for part, mechanics in (("--book", "folded"), ("--session 1", "none"), ("s1..", "folded")):
        asked = f"export {part} -f replay --mechanics {mechanics} --for {eyes}"
        page = unpacked(shell.done(*asked.split()))

        assert leaked(page, (*NOT_FOR[eyes], *UNDONE)) == [], asked
        assert [key for key in keys if key in page] == [], asked
        assert leaked(page, ON_A_BRANCH) == [*ON_A_BRANCH], asked  # else it would hold too little


def test_the_replay_of_a_game_master_has_their_notes_and_nothing_that_is_gone(shell: Shell) -> None:
    page = unpacked(shell.done("export", "-f", "replay", "--for", "gm"))

    assert leaked(page, FOR_THE_GAME_MASTER) == [one for one in FOR_THE_GAME_MASTER if one != "potoroo"]
    assert leaked(page, (*REDACTED, *REPLACED, *UNDONE, *SEALED)) == []


def test_the_game_master_is_told_all_but_what_is_gone(recorded: Path) -> None:
    """Else nothing above would be proved."""
    with CampaignStore.open(recorded / CAMPAIGN, read_only=True) as campaign:
        told = str(of_line(LineView(campaign, 1), voice="plain", variations=True).to_json())

    lines = {*ON_A_BRANCH, *ON_NO_LINE_OF_THEIRS, *ON_A_LINE_FOR_KIT} - {"ningaui"}
    everything = {*FOR_THE_GAME_MASTER, *FOR_KIT, *lines, "phascogale"} - {"potoroo"}
    assert set(leaked(told, everything)) == everything
    assert leaked(told, (*REDACTED, *REPLACED, *UNDONE, *SEALED)) == []


def test_a_viewer_is_told_what_a_branch_shows_them(shell: Shell) -> None:
    told = shell.done("export", "--variations", "--for", "Kit")

    assert set(leaked(told, ON_A_LINE_FOR_KIT)) == {*ON_A_LINE_FOR_KIT}


def test_a_viewer_is_told_what_is_meant_for_them(shell: Shell) -> None:
    assert set(leaked(shell.done("export", "--for", "Kit"), FOR_KIT)) == {*FOR_KIT}
    assert set(leaked(shell.done("export", "--for", "Odo"), FOR_KIT)) == {*FOR_KIT}


@pytest.mark.parametrize("eyes", NOT_FOR)
def test_what_is_revealed_is_told_from_then_on_and_not_as_of_before(shell: Shell, eyes: str) -> None:
    for ask in ("export -f json", "replay"):
        now = shell.done(*ask.split(), "--for", eyes)
        assert leaked(now, ["phascogale"]) == ["phascogale"]
    before = shell.done("export", "-f", "json", "--at", "before-the-reveal", "--for", eyes)
    assert leaked(before, ["phascogale"]) == []


# --- what is redacted -------------------------------------------------------------------------------------


def test_what_is_redacted_is_in_no_byte_of_the_campaign_its_caches_or_what_the_console_remembers(
    recorded: Path, tmp_path: Path
) -> None:
    words = [*FOR_THE_GAME_MASTER, *FOR_KIT, *SEALED, *REPLACED, *UNDONE, *ON_A_BRANCH, "phascogale"]
    path = Path(shutil.copy(recorded / CAMPAIGN, tmp_path / CAMPAIGN))
    settings = Settings(tmp_path / "home", {})
    history = settings.history()
    history.parent.mkdir(parents=True)
    with CampaignStore.open(path) as campaign:
        history.write_text("".join(_remembered(campaign)), "utf-8")
        attach_caches(campaign, settings)
        _fill_caches(campaign, settings)
        assert set(leaked(_bytes(tmp_path), words)) == {*words}

        for line in campaign.record.store.streams():
            scribe = Scribe(campaign, line, forget=partial(forget_redacted, settings))
            for at in range(1, campaign.record.head(line).position + 1):
                with suppress(Refused):
                    scribe.say(f"redact {at}")
        assert leaked(_bytes(tmp_path), words) == []
        assert verify(campaign.record).whole
        _fill_caches(campaign, settings)
    assert leaked(_bytes(tmp_path), words) == []
    assert "+draw 4 = JH" in history.read_text("utf-8")


def _remembered(campaign: CampaignStore) -> Iterator[str]:
    """What the console would remember of all that was said."""
    for row in campaign.record.everything():
        yield from (f"\n# then\n+note: {one[1]}\n" for one in json.loads(row.words or "[]") if one)
    yield "\n# then\n+draw 4 = JH\n"


def _fill_caches(campaign: CampaignStore, settings: Settings) -> None:
    """As many searches, and openings of a long campaign, would."""
    index = index_of(campaign, settings)
    index.catch_up(campaign.record, campaign.id)
    index.close()
    for line in campaign.record.store.streams():
        campaign.tables.keep(line, campaign.record.head(line), campaign.table_at(line))


def _bytes(folder: Path) -> str:
    """Every byte of every file."""
    return "\n".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file())
