"""Probes: whoever asks for a name, a moment or a verb learns nothing that is hidden from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

import retold
from retold import player_lines
from retold.campaign import Campaign
from retold.cli.console.offers import Known, known_to, offers
from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.projections.reading import LineView as Read
from retold.projections.reading import find_place
from retold.projections.reading.sight import VisibleTables
from tests.cli.service.phone import serving
from tests.cli.shell import Shell
from tests.prepared import TableClock
from tests.test_twins import numbered

EVENING = """
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast Odo bruise by=Kit clubs=3
session The Long Ebb
scene The porch: Rain since noon.
mark the-porch
! note --gm: The dragon sleeps below.
! mark --gm dragonlair
thread "Who paid": Two coins.
! thread --gm "The Assassin's guild": They took the coin.
! place --gm "Drakenhold": Under the stair.
narrate Zel: The tide is out.
! note --to Kit: The numbat comes.
! mark --to Kit numbat-hour
! thing --to Kit "Basilisk eye": It is cold.
! say Odo --to Kit: The basilisk is awake.
say Zel: It will be back.
mark the-tide
conflict "Out by the stair" bruise Zel vs Guards: freedom
! note --gm: The wyvern circles.
declare Zel: I run for the stair.
! note --gm: The wyvern lands.
! mark --gm wyvern
"""
"""An evening; what follows a `!` is in one of the twins alone."""

HIDDEN = ("dragonlair", "drakenhold", "assassin", "numbat", "basilisk", "wyvern", "guild")

MOMENTS = (
    *("dragonlai", "dragonlair", "Dragon-Lair", "numbat-hou", "numbat-hour", "wyvern", "wyver", "the-porc"),
    *("the-porch", "the-tide", "1", "4", "#4", "10", "14", "17", "99", "0", "e4", "e99", "e1-4", "e9-4"),
    *("s1", "s2", "s1:2", "s1:9", "s1:99", "@", "@-1", "@-2", "@-9", "@-99", "~1", "~99", "e0123456789ab"),
    *("mainline@dragonlai", "mainline@99", "mainline@-99", "mainline@s1", "kinder@1", "dragonlai@1", ""),
)
"""Moments that are there, that are not, that are hidden, and near misses of all of them."""

RANGES = (
    "dragonlai..",
    "..dragonlair",
    "1..99",
    "s1..@",
    "@..s1",
    "the-porch..the-tide",
    "the-tide..the-porch",
)

LINES = (
    *("narrate Zel --at dragonlai: x", "narrate Zel --at dragonlair: x", "narrate Zel --at 99: x"),
    *("narrate Zel --at s1:99: x", "narrate Zel --at @-99: x", "narrate Zel --at kinder@3: x"),
    *("reveal dragonlai", "reveal dragonlair", "reveal 99", "rv wyvern", "reveal", "retcon dragonlai: x"),
    *("retcon dragonlair: x", "retcon 99: x", "branch x dragonlai", "branch x dragonlair", "branch x 99"),
    *("branch promote kinder", "branch promote dragonlair", "branch mainline", "switch kinder", "switch x"),
    *("fix dragonlai = KS", "fix wyvern = KS", "undo 99", "undo", "redo 3", "redact dragonlai", "redact 99"),
    *("redact --person Assassin", "mark dragonlair", "mark x --at wyver", "note --at wyver: x"),
    *(
        "say --to Asassin: x",
        "say Zel --to Asassin: x",
        "say Zel --to Assassin: x",
        "say Zel --to Drakenhold: x",
    ),
    *("narrate Asassin: x", "narrate Drakenhold: x", "Asassin: x", "Drakenhold: x", "Basilisk: x"),
    *(
        "note Drakenhold: x",
        "note Drakenhol: x",
        "declare Asassin: x",
        "draw Asassin clubs",
        "draw Zel nothing",
    ),
    *(
        "accept Drakenhold: x",
        "refuse Asassin",
        "thread Assassins-guild: x",
        'thread "The Asassin\'s guild": x',
    ),
    *("place Drakenhol: x", "thing Basilisk-eye: x", "thing Basilisk-ey: x", "thread Who-paid: x"),
    *("merge Asassin Zel", "retire Drakenhold: x", "expect Asassin.clubs 4", "dragonlair", "assassin 3"),
    *(
        "search wyvern",
        "who Drakenhold",
        "complete dragonlai",
        "say Zel --in 99: x",
        "say Zel --in dragonlair: x",
    ),
    *(
        "reveal x --in dragonlair",
        "say Zel: Tea.",
        "narrate Zel: Rain.",
        "draw Zel clubs+melee",
        "note: mine",
    ),
    *("roll Zel 2d6", "roll Asassin 2d6", "ruling Drakenhold=1: x", "cast Drakenhold", "option x=dragonlair"),
)
"""Lines as a player may send them: theirs, not theirs, and about what they may not know."""


class Twin(NamedTuple):
    """A campaign in a file, and where it lies."""

    path: Path
    campaign: Campaign


def played(folder: Path, *, hiding: bool) -> Path:
    """The evening in a file, with what is hidden in it or without; the clock goes on with the rest alone."""
    folder.mkdir()
    clock, path = TableClock(), folder / "salt.retold"
    with Campaign.of(Store.create(path, title="The Salt Road", seed=b"for both", clock=clock)) as campaign:
        campaign.shared.store.seed = b"for both"
        for line in EVENING.strip().splitlines():
            if line.startswith("!"):
                if hiding:
                    campaign.say(line[1:].strip())
                continue
            clock.minute[0] += 1
            campaign.say(line)
    return path


@pytest.fixture
def twins(tmp_path: Path) -> tuple[Path, Path]:
    """Two evenings that differ only in what Jon may not know."""
    return played(tmp_path / "without", hiding=False), played(tmp_path / "with", hiding=True)


def said(ask: Callable[[], object]) -> str:
    """An answer, or the sentence of a refusal and the lines it proposes."""
    try:
        return repr(ask())
    except retold.Refused as refusal:
        return f"refused: {refusal.sentence} {refusal.lines}"


# --- what each way of asking answers ----------------------------------------------------------------------


def by_the_library(
    path: Path, eyes: str, moments: Sequence[str] = MOMENTS, ranges: Sequence[str] = RANGES, *, few: int = 1
) -> dict[str, str]:
    """What a program is answered that looks through somebody's eyes; one in so `few` of lines and moments."""
    found: dict[str, str] = {}
    with retold.open(path) as campaign:
        seen = campaign.seen_by(eyes)
        for one in moments[::few]:
            found[f"at {one}"] = said(lambda one=one: [e.told for e in seen.at(one).happened()])  # type: ignore[misc]
            found[f"card {one}"] = said(lambda one=one: seen.postcard(one))  # type: ignore[misc]
            found[f"card from {one}"] = said(lambda one=one: seen.at("s1").postcard(one))  # type: ignore[misc]
            found[f"told from {one}"] = said(lambda one=one: seen.at("s1").tell(f"{one}.."))  # type: ignore[misc]
            found[f"earlier {one}"] = said(lambda one=one: [e.id for e in seen.at("s1").at(one).happened()])  # type: ignore[misc]
        for one in (*ranges, *moments[::few]):
            found[f"tell {one}"] = said(lambda one=one: seen.tell(one))  # type: ignore[misc]
            found[f"recap {one}"] = said(lambda one=one: list(seen.recap(one).lines()))  # type: ignore[misc]
        for name in (
            "Asassin",
            "Assassins-guild",
            "Drakenhold",
            "Drakenhol",
            "Basilisk-ey",
            "Basil",
            "Who-pai",
            "Ode",
        ):
            found[f"who {name}"] = said(lambda name=name: seen.who(name))  # type: ignore[misc]
            found[f"who is {name}"] = said(lambda name=name: seen.who_is(name))  # type: ignore[misc]
            found[f"can {name}"] = said(lambda name=name: seen.can(name))  # type: ignore[misc]
            found[f"search --who {name}"] = said(lambda name=name: seen.search("the", who=name))  # type: ignore[misc]
            found[f"search {name}"] = said(lambda name=name: seen.search(name))  # type: ignore[misc]
            found[f"branch {name}"] = said(lambda name=name: seen.branch(name).line_name)  # type: ignore[misc]
        if eyes != "table":
            for line in LINES[::few]:
                found[f"check {line}"] = said(lambda line=line: _checked(campaign, line, eyes))  # type: ignore[misc]
    return found


def _checked(campaign: Campaign, line: str, eyes: str) -> list[str]:
    """What would come of a line, without the cards and faces that an example deals, and their total."""
    told = campaign.sentences(campaign.check(line, by=eyes))
    return [re.sub(r"[0-9AJQKT]+[♠♥♦♣]|\b[0-9] [0-9]\b|(?<=2d6 is )[0-9]+", "dealt", one) for one in told]


def by_phone(path: Path) -> dict[str, str]:
    """What Jon's phone is answered."""
    found: dict[str, str] = {}
    with serving(path, home=path.parent / "home") as service:
        asked = list(_asked_by_phone())
        phones = [service.phone("Jon") for _ in range(len(asked) // 200 + 1)]  # each asks 240 times a minute
        for number, (address, body) in enumerate(asked):
            answer = phones[number // 200].ask(address, body)
            assert answer.status != 429
            found[f"{address} {body}"] = f"{answer.status} {_without_time(answer.raw.decode())}"
    return found


def _asked_by_phone() -> Iterator[tuple[str, dict[str, str] | None]]:
    for number, line in enumerate(LINES):
        if not line.startswith(("draw Zel clubs", "roll Zel")):  # which are dealt by chance
            yield "check", {"line": line}
        yield "proposals", {"line": line, "id": f"probe-{number:04}"}
    for one in MOMENTS:
        yield f"board?at={quote(one)}", None
        yield f"view/cast?at={quote(one)}", None
    for one in ("dragonlai", "s1", "s9", "1..99"):
        yield f"replay?part={quote(one)}", None
        yield f"replay?branch={quote(one)}", None
        yield f"happened?after={quote(one)}", None
    for line in ("narrate Zel --at dragon", "say Zel --to Ass", "who Drak", "reveal "):
        yield f"complete?line={quote(line)}", None
    yield "proposals", None


def _without_time(raw: str) -> str:
    return re.sub(r'"sent": ?"[^"]*"|"cursor": ?"[^"]*"', "", raw)


ABOUT_A_MOMENT = (
    "show cast --at MOMENT",
    "show map --at MOMENT",
    "show map --since MOMENT",
    "diff MOMENT",
    "export --moment MOMENT",
    "replay --at MOMENT",
    "log --at MOMENT",
    "can --at MOMENT",
    "who Zel --at MOMENT",
    "search the --at MOMENT",
    "stats telling --at MOMENT",
    "recap --at MOMENT",
    "export --session 1 -f srt --clap MOMENT=0:00",
)
"""What is asked of a shell about each moment."""


def by_shell(path: Path, shell: Shell, eyes: str) -> dict[str, str]:
    """Answers of a shell to commands with `--for`: each verb has every fourth moment, the table others."""
    found: dict[str, str] = {}

    def ask(*words: str) -> None:
        told = shell.say("-c", str(path), *words, "--for", eyes)
        found[" ".join(words)] = f"{told.code} {told.out} {told.err}".replace(str(path.parent), "")

    for number, one in enumerate(MOMENTS):
        for turn, words in enumerate(ABOUT_A_MOMENT, start=number):
            if turn % 4 == (2 if eyes == "table" else 0):
                ask(*(word.replace("MOMENT", one) for word in words.split()))
    for one in RANGES:
        ask("replay", one)
        ask("log", one, "--json")
        ask("export", one)
    for name in ("Asassin", "Drakenhold", "Drakenhol", "Basil", "Who-pai"):
        ask("who", name)
        ask("search", "the", "--who", name)
        ask("show", "--branch", name)
    return found


def tabbed(path: Path, shell: Shell, eyes: str) -> dict[str, str]:
    """What Tab offers behind `--for`, at a shell and at the console."""
    found: dict[str, str] = {}
    begun = (
        "show --at",
        "export --moment",
        "who",
        "search --who",
        "diff",
        "show --branch",
        "replay --at",
        "log --at",
    )
    with retold.open(path) as campaign:
        known = Known(
            campaign.scribe.table, campaign.branches, None, lambda one: known_to(campaign.scribe, one)
        )
        for one in begun:
            verb, *rest = one.split()
            words = (verb, "--for", eyes, *rest)
            found[f"shell {one}"] = shell.done("--complete", "-c", str(path), *words, "")
            found[f"console {one}"] = repr(offers(known, f"{' '.join(words)} "))
    return found


# --- the contract -----------------------------------------------------------------------------------------


def differing(mine: dict[str, str], theirs: dict[str, str]) -> list[str]:
    """What is asked for that is answered differently, ids aside."""
    assert mine.keys() == theirs.keys()
    return [asked for asked, answer in mine.items() if numbered(answer) != numbered(theirs[asked])]


def told_of(answers: dict[str, str]) -> list[str]:
    """The hidden words in answers that nobody typed."""
    return [
        f"{asked}: {word}"
        for asked, answer in answers.items()
        for word in HIDDEN
        if word in answer.casefold() and word[:5] not in asked.casefold()
    ]


@pytest.mark.parametrize("eyes", ["Jon", "Zel", "table"])
def test_a_program_is_answered_the_same_whatever_is_hidden(twins: tuple[Path, Path], eyes: str) -> None:
    """Zel is Jon's: through those eyes the same is seen by another name."""
    one, other = (by_the_library(path, eyes, few=5 if eyes == "Zel" else 1) for path in twins)

    assert differing(one, other) == []
    assert told_of(other) == []


def test_a_phone_is_answered_the_same_whatever_is_hidden(twins: tuple[Path, Path]) -> None:
    one, other = (by_phone(path) for path in twins)

    assert differing(one, other) == []


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    for name in ("RETOLD_CAMPAIGN", "RETOLD_SEED", "RETOLD_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("eyes", ["Jon", "table"])
def test_a_shell_is_answered_the_same_whatever_is_hidden(
    twins: tuple[Path, Path], shell: Shell, eyes: str
) -> None:
    one, other = (by_shell(path, shell, eyes) for path in twins)

    assert differing(one, other) == []


@pytest.mark.parametrize("eyes", ["Jon", "table"])
def test_tab_offers_the_same_whatever_is_hidden(twins: tuple[Path, Path], shell: Shell, eyes: str) -> None:
    one, other = (tabbed(path, shell, eyes) for path in twins)

    assert differing(one, other) == []
    assert told_of(other) == []
    assert "the-tide" in one["shell show --at"]
    assert "the-tide" in one["console show --at"]


def test_the_contract_finds_names_looked_up_among_all(
    twins: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative control: with every name in the viewer's table, answers differ."""
    monkeypatch.setattr(VisibleTables, "first_hidden", None)

    moments = ("dragonlai", "dragonlair", "wyver")
    found = differing(*(by_the_library(path, "Jon", moments, ("dragonlai..",)) for path in twins))

    assert {"at dragonlai", "at dragonlair", "card wyver", "tell dragonlai.."} <= {*found}


def test_the_contract_finds_positions_that_count_what_is_hidden(twins: tuple[Path, Path]) -> None:
    """A negative control: the game master is answered differently, by number and by name."""
    moments = ("17", "99", "s1:9", "@-9", "dragonlai")
    found = differing(*(by_the_library(path, "gm", moments, ("1..99",)) for path in twins))

    assert {"at 17", "at 99", "at s1:9", "at @-9", "at dragonlai", "tell 1..99", "who Drakenhol"} <= {*found}


def test_the_contract_asks_what_a_player_can_do() -> None:
    """Else the twins would be alike because every probe is refused."""
    assert len(LINES) > 60
    assert {"say Zel: Tea.", "draw Zel clubs+melee"} <= {*LINES}


# --- as it was found --------------------------------------------------------------------------------------

PROBES = (
    ("narrate Zel --at dragonlai: x", "--at is for the game master to say."),
    ("narrate Zel --at 99: x", "--at is for the game master to say."),
    ("reveal dragonlai", "reveal is not for you to say now; can lists what is."),
    ("retcon dragonlai: x", "retcon is not for you to say now; can lists what is."),
    ("branch x dragonlai", "branch is not for you to say now; can lists what is."),
)


@pytest.mark.parametrize(("line", "why"), PROBES)
def test_X2_a_phone_hears_whose_a_line_is_before_anything_on_it_is_looked_up(
    twins: tuple[Path, Path], line: str, why: str
) -> None:
    with serving(twins[1], home=twins[1].parent / "home") as service:
        jon = service.phone("Jon")
        checked = jon.ask("check", {"line": line})
        handed_in = jon.ask("proposals", {"line": line, "id": "probe-0001"})

    assert checked.body == handed_in.body == {"error": why, "lines": [], "edit": None}


@pytest.mark.parametrize("eyes", ["Jon", "table"])
def test_X2_a_shell_suggests_no_hidden_mark_and_no_length(
    twins: tuple[Path, Path], shell: Shell, eyes: str
) -> None:
    asked = [
        shell.refused("-c", str(twins[1]), *words, "--for", eyes)
        for words in (
            ("show", "--at", "dragonlai"),
            ("diff", "dragonlai"),
            ("export", "--moment", "dragonlai"),
            ("show", "--at", "99"),
            ("replay", "1..99"),
        )
    ]

    forms = "Write @, @-3, s3, a mark's name or an event's id."
    unknown = f"There is no moment “dragonlai”. {forms}"
    assert asked == [
        unknown,
        f"{unknown} It is not a branch either: there are mainline.",
        unknown,
        f"99 is a position, and positions are for the game master. {forms}",
        f"1 is a position, and positions are for the game master. {forms}",
    ]


def test_X2_a_program_is_told_of_a_hidden_mark_what_it_is_told_of_none(twins: tuple[Path, Path]) -> None:
    with retold.open(twins[1]) as campaign:
        for eyes in ("Jon", "Zel", "table"):
            seen = campaign.seen_by(eyes)
            with pytest.raises(retold.Refused, match="There is no moment “dragonlair”"):
                seen.at("dragonlair")
        assert campaign.seen_by("Kit").at("numbat-hour").happened()
        assert campaign.seen_by("Mary").at("dragonlair").happened()


# --- moments that a viewer may name -----------------------------------------------------------------------


def test_a_moment_is_named_among_what_its_viewer_knows(twins: tuple[Path, Path]) -> None:
    with retold.open(twins[1]) as campaign:
        jon = campaign.seen_by("Jon")
        events = jon.happened()

        assert jon.at(events[6].id).happened() == events[:7]
        assert jon.at("the-porch").happened() == events[: len(jon.at("the-porch").happened())]
        assert jon.at("s1").happened()[-1].kind == "table.session-opened"
        assert jon.at("@").happened() == events
        assert jon.at("mainline@").happened() == events


def test_acts_back_are_those_its_viewer_knows(twins: tuple[Path, Path]) -> None:
    """The last two lines of the evening are hidden; a mark and the conflict come before a declaration."""
    with retold.open(twins[1]) as campaign:
        events = campaign.seen_by("Jon").happened()
        last = campaign.seen_by("Jon").at("@-1").happened()
        masters = campaign.at("@-1").happened()

    assert "declare" in events[-1].told
    assert last == events[:-1]
    assert "dragon" not in masters[-1].told
    assert "wyvern lands" in masters[-1].told


def test_the_id_of_an_event_is_good_for_those_who_may_see_it(twins: tuple[Path, Path]) -> None:
    with retold.open(twins[1]) as campaign:
        kits = next(one.id for one in campaign.seen_by("Kit").happened() if "numbat comes" in one.told)

        assert campaign.seen_by("Kit").at(kits).happened()
        with pytest.raises(retold.Refused, match=f"^There is no event {kits} on this line.$"):
            campaign.seen_by("Jon").at(kits)


def test_the_game_master_names_a_moment_in_every_way(twins: tuple[Path, Path]) -> None:
    with retold.open(twins[1]) as campaign:
        for one in ("4", "#4", "e4", "s1:2", "@-1", "~1", "dragonlair", "mainline@4"):
            assert campaign.at(one).happened()
        with pytest.raises(retold.Refused, match="Did you mean dragonlair"):
            campaign.at("dragonliar")


def test_an_unknown_viewer_name_finds_places_as_the_table_does(
    twins: tuple[Path, Path],
) -> None:
    with retold.open(twins[1]) as campaign:
        whole = Read(campaign.shared.store, 1)

        assert find_place(whole, "the-tide", "Nobody") == find_place(whole, "the-tide")
        with pytest.raises(retold.Refused):
            find_place(whole, "dragonlair", "Nobody")


# --- what the rules refuse --------------------------------------------------------------------------------


def test_a_refusal_that_follows_from_what_is_hidden_says_nothing_of_it(
    twins: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here Jon knows nothing of the conflict, in which nothing may be narrated yet."""
    with retold.open(twins[1]) as campaign:
        before = campaign.shared.store.table_at(1, 9)
        line = "narrate Zel: Rain."
        assert "Nothing has come out yet" in said(lambda: campaign.check(line, by="Jon"))
        monkeypatch.setattr(VisibleTables, "at", lambda *_: before)

        for ask in (campaign.check, campaign.say):
            with pytest.raises(retold.Refused, match=f"^{player_lines.NOT_NOW}$"):
                ask(line, by="Jon")


def test_a_player_is_not_told_how_many_acts_came_in_first(twins: tuple[Path, Path]) -> None:
    with retold.open(twins[1]) as one, retold.open(twins[1]) as other:
        assert one.position == other.position
        one.scribe.table  # noqa: B018 -- folded before the other writes
        other.say("note --gm: It is still awake.")

        theirs = one.sentences(one.say("say Zel: Tea.", by="Jon"))

    assert theirs == ("Zel says: “Tea.”",)


def test_what_comes_of_a_players_line_points_at_no_position(twins: tuple[Path, Path]) -> None:
    with retold.open(twins[1]) as campaign:
        place = campaign.check("say Zel: Tea.", by="Jon").place
        assert place is not None

        assert place(5) == campaign.seen_by("Jon").happened()[3].id
