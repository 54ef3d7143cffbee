"""Lines of other tables and tools: each row of tests/data/habits.txt is taken, or answered (G10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest

from retold.campaign import Campaign
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.binding import Bound, Scope, bind
from retold.journal.language.habit_facts import Facts
from retold.journal.language.habits import HABITS
from retold.journal.language.habits.reading import READS
from retold.journal.language.habits.shapes import Habit
from retold.journal.language.habits.signs import SIGNED
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meaning import answers, lookup, with_other_numbers
from retold.journal.language.meant import as_meant, bind_as_meant
from retold.journal.language.other_words import ALIASES, READ_AS
from retold.journal.language.proposed import lines_in
from retold.journal.line import decide
from retold.journal.names import normalise
from retold.journal.refused import Refused, refusal_of
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary.base import Event

ROWS = Path(__file__).parents[2] / "data" / "habits.txt"
LANTERNS = b"""\
name = "lanterns"
title = "Lanterns out"
about = "a die and a wick"
[stats]
wick = { least = 0, most = 5 }
[tracks]
light = { most = 6, out = "empty" }
[conditions]
lost = { about = "off the path" }
[moves.test]
dice = "d6"
stat = "wick"
bands = [{ name = "lit", least = 4 }, { name = "dark" }]
[rests.full]
tracks = { light = "full" }
"""


class Row(NamedTuple):
    """A line, the situation it is typed in, and what comes: it is taken as a line, or a line is shown."""

    situation: str
    typed: str
    comes: str
    line: str


@cache
def situations() -> Mapping[str, tuple[Sequence[str], Sequence[Row]]]:
    """The lines played before, and the rows, of each situation."""
    found: dict[str, tuple[list[str], list[Row]]] = {}
    played: list[str] = []
    rows: list[Row] = []
    for line in ROWS.read_text("utf-8").splitlines():
        if line.startswith("== "):
            played, rows = found.setdefault(line.removeprefix("== "), ([], []))
        elif line.startswith("$ "):
            played.append(line.removeprefix("$ "))
        elif line and not line.startswith("#"):
            typed, comes, meant = line.split(" | ", 2)
            rows.append(Row(next(reversed(found)), typed, comes, meant))
    return found


def rows(*comes: str) -> list[Row]:
    return [row for _, rows in situations().values() for row in rows if row.comes in comes]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Table]:
    return {
        name: _played(played, tmp_path_factory.mktemp("habits")) for name, (played, _) in situations().items()
    }


def _played(lines: Sequence[str], folder: Path) -> Table:
    with CampaignStore.create(folder / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in lines:
            campaign.say(line, file=LANTERNS)
        return campaign.scribe.table


class Reading(NamedTuple):
    """The command that a line is taken as, or its refusal, and the habits whose lines were tried."""

    typed: str
    scope: Scope
    bound: Bound | None
    refusal: Refused | None
    habits: frozenset[Habit]


Read = Callable[[str, str], Reading]
"""Reads a line, given its situation and as it is typed."""


@pytest.fixture(scope="module")
def read(tables: Mapping[str, Table]) -> Iterator[Read]:
    """Reads each line once for all tests."""
    tried: set[Habit] = set()

    def noted(habit: Habit, facts: Facts) -> Iterator[Lexed]:
        for line in filled(habit, facts):
            tried.add(habit)
            yield line

    @cache
    def read(situation: str, typed: str) -> Reading:
        tried.clear()
        scope = Scope(tables[situation], int)
        try:
            bound = bind_as_meant(lex(typed), scope)
        except Refused as refusal:
            return Reading(typed, scope, None, refusal, frozenset(tried))
        return Reading(typed, scope, bound, None, frozenset(tried))

    filled = lookup.filled_lines
    with pytest.MonkeyPatch.context() as patched:
        for module in (answers, lookup):
            patched.setattr(module, "filled_lines", noted)
        yield read


def taken(reading: Reading) -> Bound:
    assert reading.bound is not None, reading.refusal
    return reading.bound


def answered(reading: Reading) -> Refused:
    refusal = reading.refusal or by_rules(reading)
    assert refusal is not None, reading.bound
    return refusal


def by_rules(reading: Reading) -> Refused | None:
    """The refusal by the rules with a line that they accept."""
    bound = taken(reading)
    lexed = as_meant(lex(reading.typed), reading.scope)
    try:
        decide(reading.scope.table, bound.command, Luck(FirstDealer(), lexed.results))
    except Refused as refusal:
        return with_other_numbers(lexed, bound.command, reading.scope, refusal)
    return None


def answer(typed: str, table: Table) -> Refused:
    with pytest.raises(Refused) as refused:
        bind_as_meant(lex(typed), Scope(table, int))
    return refused.value


def events_of(bound: Bound, table: Table, *, with_results: bool = False) -> list[Event]:
    came_up = getattr(bound.command, "results", None) if with_results else None
    luck = Luck(FirstDealer(), came_up)
    return [] if bound.command.manages else list(decide(table, bound.command, luck))


def test_G10_there_are_at_least_150_rows_of_every_conflict_system_and_of_games_in_files() -> None:
    by_situation = {name: len(rows) for name, (_, rows) in situations().items()}

    assert sum(by_situation.values()) >= 150
    assert by_situation.keys() >= {"spacetime", "bruise", "edgerunner", "whiskey", "guenask", "own", "d20"}


@pytest.mark.parametrize("row", rows("taken"), ids=lambda row: f"{row.situation}: {row.typed}")
def test_G10_a_habit_that_is_certain_records_what_the_line_records(
    row: Row, tables: Mapping[str, Table], read: Read
) -> None:
    scope = Scope(tables[row.situation], int)

    bound, meant = taken(read(row.situation, row.typed)), bind(lex(row.line), scope)

    assert (bound.command, bound.manner) == (meant.command, meant.manner)
    assert events_of(bound, scope.table) == events_of(meant, scope.table)


@pytest.mark.parametrize("row", rows("shown"), ids=lambda row: f"{row.situation}: {row.typed}")
def test_G10_a_habit_that_leaves_a_choice_is_answered_with_a_line_that_is_taken(
    row: Row, tables: Mapping[str, Table], read: Read
) -> None:
    scope = Scope(tables[row.situation], int)

    refusal = answered(read(row.situation, row.typed))

    lines = refusal.lines or tuple(one.line for one in lines_in(refusal.sentence) if one.is_whole)
    assert lines[0] == row.line
    for line in lines:
        assert line in refusal.sentence
        events_of(bind(lex(line), scope), scope.table, with_results=True)


@pytest.mark.parametrize("row", rows("shown"), ids=lambda row: f"{row.situation}: {row.typed}")
def test_a_roll_that_is_shown_has_every_number_that_was_typed(row: Row, read: Read) -> None:
    refusal = answered(read(row.situation, row.typed))

    rolls = [line for line in refusal.lines if line.startswith("roll ")]
    shown_together = [" ".join(refusal.lines)] if rolls and "; then " in refusal.sentence else rolls
    for shown in shown_together:
        assert numbers(re.sub(r"\b(1?d20|4dF)\b", "", row.typed)) <= numbers(shown)


def numbers(line: str) -> set[str]:
    return {*re.findall(r"\d+", line)}


@pytest.mark.parametrize("row", rows("said"), ids=lambda row: f"{row.situation}: {row.typed}")
def test_G10_what_records_nothing_is_answered_with_a_sentence(row: Row, read: Read) -> None:
    assert answered(read(row.situation, row.typed)).sentence == row.line


@pytest.mark.parametrize("row", rows("ruled"), ids=lambda row: f"{row.situation}: {row.typed}")
def test_G10_what_the_rules_refuse_is_answered_by_the_rules(
    row: Row, tables: Mapping[str, Table], read: Read
) -> None:
    bound = taken(read(row.situation, row.typed))

    with pytest.raises(Refused) as refused:
        events_of(bound, tables[row.situation], with_results=True)

    assert refused.value.sentence == row.line


# --- the table of habits ----------------------------------------------------------------------------------


def test_Q37_some_row_uses_each_habit_and_each_word_of_another_table(read: Read) -> None:
    every = rows("taken", "shown", "said", "ruled")
    used = {habit for row in every for habit in read(row.situation, row.typed).habits}
    words = {normalise(lex(row.typed).verb.text) for row in rows("taken", "shown", "said")}

    assert [habit.form for habit in (*HABITS, *SIGNED, *READS) if habit not in used] == []
    assert sorted({*ALIASES, *READ_AS} - words) == []


SPELLINGS: tuple[Callable[[str], str], ...] = (
    str.swapcase,
    lambda typed: re.sub("[aeo]", lambda letter: f"{letter.group()}\N{COMBINING ACUTE ACCENT}", typed),
    lambda typed: re.sub(r"(?<=\w)(?= )", ",", typed),
    lambda typed: re.sub(r"(?<=\b\w)(?=\w)", "'", typed),
)
"""Other letters, accents, commas and apostrophes in the words of a line."""


def test_a_habit_that_a_line_has_no_word_of_would_not_take_it(
    tables: Mapping[str, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = [
        (row.situation, spelled(row.typed))
        for number, row in enumerate(rows("taken", "shown", "said")[::12])
        for spelled in (SPELLINGS[number % len(SPELLINGS)],)
    ]

    found = [_by_habit(line, tables[situation]) for situation, line in typed]
    monkeypatch.setattr(lookup, "words_required", lambda _form: ())

    assert [_by_habit(line, tables[situation]) for situation, line in typed] == found
    assert any(found)


def _by_habit(typed: str, table: Table) -> object:
    """What a line means by the first habit that takes it, or the sentence of its refusal."""
    try:
        return lookup.by_habit(lex(typed), Scope(table), typed)
    except Refused as refusal:
        return refusal.sentence


# --- the paper --------------------------------------------------------------------------------------------


PAPER = Path(__file__).parents[3] / "docs" / "habits.md"


def of_paper(heading: str) -> Iterator[tuple[str, str]]:
    """What is typed and what comes, for every line of each row of a table."""
    part = PAPER.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    for typed, comes in re.findall(r"^\| (`.+`) \| (.+) \|$", part, re.MULTILINE):
        yield from ((line, comes.strip("`")) for line in re.findall("`([^`]+)`", typed))


@pytest.mark.parametrize(("typed", "line"), [*of_paper("Taken")])
def test_the_paper_says_what_is_taken(typed: str, line: str, tables: Mapping[str, Table], read: Read) -> None:
    scope = Scope(tables["d20 in a fight"], int)

    bound, meant = taken(read("d20 in a fight", typed)), bind(lex(line), scope)

    assert (bound.command, bound.manner) == (meant.command, meant.manner)


@pytest.mark.parametrize(("typed", "sentence"), [*of_paper("Answered with a line")])
def test_the_paper_says_what_is_answered(typed: str, sentence: str, read: Read) -> None:
    assert answered(read("d20 in a fight", typed)).sentence == sentence


# --- names come first -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("Fight: Halt!", "say Fight: Halt!"),
        ("ooc: Halt!", "say ooc: Halt!"),
        ("damage Wren 1", "track Wren damage 1"),
        ("down Fight", "status Fight down"),
    ],
)
def test_G10_names_of_people_and_of_the_games_words_win(typed: str, line: str, tmp_path: Path) -> None:
    people = ("cast gm by=Mary", "cast Wren+Fight+ooc")
    played = (*people, "track Wren damage 0/3", "status Wren down")
    scope = Scope(_played(played, tmp_path), int)

    assert bind_as_meant(lex(typed), scope).command == bind(lex(line), scope).command


def test_G4_a_sign_and_a_number_that_end_a_name_are_not_joined(tmp_path: Path) -> None:
    table = _played(("cast gm by=Mary", "game plain", "cast Bandit+Bandit-3"), tmp_path)

    assert "Bandit" in answer("hp Bandit - 3", table).sentence


def test_G4_damage_where_two_tracks_may_take_it_is_not_taken(tmp_path: Path) -> None:
    table = _played(("cast gm by=Mary", "game sixes", "cast Zel", "track Zel harm 0/4"), tmp_path)

    assert "narrate" in answer("Zel takes 1 harm", table).sentence


# --- everywhere -------------------------------------------------------------------------------------------


PLAYED = (
    *("cast gm by=Mary", "game d20", "cast Oda by=Ana str=4 health=20", "cast Warden ac=12"),
    "track Warden hp 20/20",
)


def test_G10_a_program_gets_the_line_that_an_answer_shows(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)

        with pytest.raises(Refused) as refused:
            campaign.say("kill Warden")

        assert refused.value.lines == ("hp Warden 0", "narrate: kill Warden")
        campaign.say(refused.value.lines[0])


def test_Q37_a_person_who_has_no_coins_is_told_how_to_begin(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)

        for typed in ("gold Oda -2", "Oda pays 2 gold"):
            with pytest.raises(Refused, match=r"^Oda has no gold yet: gold Oda N\.$"):
                campaign.say(typed)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("hp Oda+Warden -2", "hp Oda -2"),
        ("hp Warden+Ghoul+Oda -2", "hp Ghoul+Oda -2"),
        ("Oda and Warden take 2 damage", "hp Oda -2"),
    ],
)
def test_Q37_a_line_that_holds_for_some_is_shown_for_these(typed: str, shown: str, tmp_path: Path) -> None:
    table = _played((*PLAYED, "cast Ghoul health=9", "hp Warden 0"), tmp_path)

    refusal = answer(typed, table)

    assert refusal.sentence == f"Warden has hp 0/20: it goes no further. For the others: {shown}."
    assert refusal.lines == (shown,)


def test_Q37_a_line_that_holds_for_nobody_is_refused_as_it_is(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in (*PLAYED, "hp Oda 0", "hp Warden 0"):
            campaign.say(line)

        with pytest.raises(Refused, match=r"^Oda has hp 0/20: it goes no further\.$"):
            campaign.say("hp Oda+Warden -2")


def test_Q37_a_save_is_called_one_in_the_answer(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)

        said = [
            sentence
            for line in ("Oda str save dc 12 = 11", "Oda str save dc 12 = 4: at the rail", "Oda str = 4")
            for sentence in campaign.sentences(campaign.say(line))
        ]

    assert said[:2] == [
        "Oda: str save: 15 (1d20+4[str]: 11) against 12, passed by 3: a success",
        "Oda: str save: 8 (1d20+4[str]: 4) against 12, missed by 4: a failure: “at the rail”",
    ]
    assert said[2].startswith("Oda: check with str: 8")


def test_a_level_on_the_sheet_of_somebody_new_is_counted_beside_it(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)

        with pytest.raises(Refused) as refused:
            campaign.say("cast Rufus ac=14 lvl=3: a friend")

        assert refused.value.sentence == "One line at a time: cast Rufus ac=14: a friend; then level Rufus 3."
        assert refused.value.are_in_turn
        for line in refused.value.lines:
            campaign.say(line)


NAMES = ("Spy", "Sky")
"""A secret person, and nobody."""


def test_G10_a_players_habit_is_taken_and_shows_nothing_hidden(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in (*PLAYED, "cast Spy --gm"):
            campaign.say(line)

        assert campaign.say("Oda says: Hello.", by="Ana").done is not None
        said = [refusal_of(partial(campaign.say, f"Oda attacks {name}", by="Ana")) for name in NAMES]

    assert said[0] is not None
    assert said[0].replace(NAMES[0], NAMES[1]) == said[1]


def test_a_players_refused_roll_shows_the_line_with_its_total(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)

        with pytest.raises(Refused, match=r" In all: roll Oda check str = total 22\.$") as refused:
            campaign.say("roll Oda check str = 22", by="Ana")

        assert refused.value.lines == ("roll Oda check str = total 22",)


def test_G10_a_script_takes_habits_and_its_refusal_shows_the_line(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        campaign.play("\n".join((*PLAYED, "/r 1d20+4", "Warden takes 5 damage", "(ooc) Tea?")))

        with pytest.raises(Refused, match=r"^script:1: Out of the fight: hp Warden 0"):
            campaign.play("kill Warden")
