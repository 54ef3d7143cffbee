"""A game in a file is read, or refused with the line where it is wrong."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from retold.games.homebrew.commands import game_and_sheets
from retold.games.homebrew.options import (
    LARGEST_FILE,
    built_in_game,
    game_as_json,
    game_names,
    read_game,
    recorded_game,
)
from retold.games.homebrew.options.game_file import TAKES
from retold.games.homebrew.rules import (
    Band,
    Condition,
    DiceOutcome,
    Game,
    Move,
    Rest,
    Stat,
    Track,
    band_of,
    doubles,
    share_of,
)
from retold.games.homebrew.state import TrackValue, shelf
from retold.journal.language.scripting import script_of
from retold.journal.language.writing import write_value
from retold.journal.refused import Refused
from retold.journal.store.verify import verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import fields_of
from retold.scribe import Scribe

PAPER = " docs/a-game-in-a-file.md says what a file has."
HEAD = 'name = "tides"\ntitle = "Tides"\nabout = "water"\n'


@pytest.mark.parametrize("name", game_names())
def test_each_game_that_comes_with_retold_is_one_and_is_read_again_from_the_record(name: str) -> None:
    game = built_in_game(name)

    assert game.name == name
    assert recorded_game(game_as_json(game)) == game


def test_the_seven_are_there() -> None:
    assert game_names() == ("d20", "fate", "moves", "percentile", "plain", "pool", "sixes")


@pytest.mark.parametrize("name", game_names())
def test_the_paper_lists_what_each_of_the_seven_has(name: str) -> None:
    paper = (Path(__file__).parents[4] / "docs" / "rules" / "homebrew.md").read_text("utf-8")
    game = built_in_game(name)
    stats, tracks, moves = (", ".join(one) or "none" for one in (game.stats, game.tracks, game.moves))

    assert f"| `{name}` | {stats} | {tracks} | {moves} |" in paper


def test_nothing_is_lost_between_file_and_record() -> None:
    file = tomllib.loads((files("retold.games.homebrew") / "games" / "moves.toml").read_text("utf-8"))

    assert json.loads(game_as_json(built_in_game("moves"))) == file


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (
            'name = "tides"\nabout = "water"',
            "tides.toml:1: title is missing: it is 1 to 200 letters in quotes.",
        ),
        (
            f"{HEAD}loop = 1",
            (
                "tides.toml:4: there is no loop here. There is: name, title, about, stats, tracks,"
                " conditions, moves, rests, initiative, author, licence."
            ),
        ),
        (
            f'{HEAD}[tracks]\nhp = {{ most = "hp" }}',
            "tides.toml:5: hp has hp at the most, and there is no such stat.",
        ),
        (
            f'{HEAD}[tracks.dusk]\nkind = "clock"\nmost = 1000000',
            "tides.toml:6: dusk has 1 to 100, not 1000000.",
        ),
        (f'{HEAD}[tracks.dusk]\nkind = "boxes"', "tides.toml:4: dusk needs a most: how many there are."),
        (
            f'{HEAD}[stats."bruise.clubs"]\nmost = 3',
            'tides.toml:4: "bruise.clubs" is no name: letters first, then letters, digits, blanks, \' and -.',
        ),
        (
            f'{HEAD}[moves.swim]\ndice = "1000001d6"',
            "tides.toml:5: 1000001 dice cannot be rolled: it takes 1 to 100.",
        ),
        (
            f'{HEAD}[moves.swim]\ndice = "2d6*2"',
            "tides.toml:5: 2d6*2 multiplies, divides or has brackets: dice of a game are added.",
        ),
        (f'{HEAD}[moves.swim]\ndice = "3d1!"', "tides.toml:5: There is no d1: a die has 2 to 1000 sides."),
        (
            f'{HEAD}[moves.swim]\ndice = "2d6"\nstat = "fins"',
            "tides.toml:6: swim has the stat fins, and there is none.",
        ),
        (
            f'{HEAD}[moves.swim]\ndice = "2d6+fins"',
            "tides.toml:5: 2d6+fins adds fins, and there is no such stat.",
        ),
        (
            f'{HEAD}[moves.swim]\ndice = "2d6"\nuse = "under"',
            "tides.toml:4: swim needs a stat: which one it is under.",
        ),
        (
            f'{HEAD}[moves.swim]\ndice = "2d6"\nbands = [\n{{ name = "dry" }},\n{{ name = "a", lest = 3 }}]',
            (
                "tides.toml:8: there is no lest here. Did you mean least? There is: name, least, most,"
                " margin, natural, doubles, share, pair, says, marks, damage."
            ),
        ),
        (
            f'{HEAD}[moves.swim]\ndice = "2d6"\nbands = [\n  {{ name = "wet", marks = {{ cold = 1 }} }},\n]',
            "tides.toml:7: wet marks cold, and there is none.",
        ),
    ],
)
def test_a_broken_file_is_one_sentence_with_the_line(file: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read_game(file.encode(), "tides.toml")

    assert str(refused.value) == sentence + PAPER


EVERYTHING_WRONG = """\
name = "tides"
title = "Tides"
abut = "water"
initiative = "d20+fns"

[stats]
fins = { least = 0, most = 3, start = 9 }
gills = 3
luck = { lest = 2 }

[tracks]
hp = { most = "fisn", out = "zero" }
cold = { kind = "box" }
dusk = { kind = "clock", most = 1000000 }

[moves.swim]
dice = "1000001d6"
stat = ["fins", "wits"]
use = "ad"
bands = [
  { name = "wet", share = "1/2", marks = { cold = "a", hq = 1 } },
  { nam = "dry", share = "2/3", doubles = false },
]
"""

EVERY_SENTENCE = """\
1: about is missing: it is 1 to 200 letters in quotes.
3: there is no abut here. Did you mean about?\
 There is: name, title, about, stats, tracks, conditions, moves, rests, initiative, author, licence.
4: d20+fns adds fns, and there is no such stat. Did you mean fins? There is: fins, gills, luck.
7: fins starts at 9, out of 0 to 3.
8: gills is written { least = 0, most = 3 }, not as 3.
9: there is no lest here. Did you mean least? There is: least, most, start, about.
12: hp has fisn at the most, and there is no such stat. Did you mean fins? There is: fins, gills, luck.
12: out is never "zero". There is: empty, full.
13: kind is never "box". Did you mean boxes? There is: number, boxes, clock, counter, condition.
14: dusk has 1 to 100, not 1000000.
17: 1000001 dice cannot be rolled: it takes 1 to 100.
18: swim has the stat wits, and there is none. There is: fins, gills, luck.
19: use is never "ad". Did you mean add? There is: add, under, dice.
21: marks is tracks, each with a whole number, such as { harm = 1 }, not "a".
21: wet marks hq, and there is none. There is: hp, cold, dusk.
22: doubles is true, or not there, not false.
22: name is missing: it is 1 to 200 letters in quotes.
22: share is a part of the stat in quotes, "1/2" to "1/99", not "2/3".
22: there is no nam here. Did you mean name?\
 There is: name, least, most, margin, natural, doubles, share, pair, says, marks, damage."""


def mistakes(file: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_game(file.encode(), "tides.toml")
    *found, paper = refused.value.sentences
    assert paper == PAPER.strip()
    return [one.removeprefix("tides.toml:") for one in found]


def test_every_mistake_of_a_file_is_told_with_its_line_and_what_may_stand_there() -> None:
    """Beside a kind that is none nothing is said of its most, nor of a share beside a use that is none."""
    assert mistakes(EVERYTHING_WRONG) == EVERY_SENTENCE.splitlines()


@pytest.mark.parametrize(
    ("part", "sentences"),
    [
        ("stats = 3", ["4: stats is up to 60 of them, each a line under [stats], not 3."]),
        (
            'stats = 3\n[moves.swim]\ndice = "d6+fins"',
            ["4: stats is up to 60 of them, each a line under [stats], not 3."],
        ),
        ("[tracks]\nhp = 4", ['5: hp is written { kind = "boxes", most = 4 }, not as 4.']),
        (
            "[tracks]\nhp = { most = 1.5 }",
            ["5: most is a whole number, or the name of a stat in quotes, not 1.5."],
        ),
        (
            "[tracks]\nhp = { most = { full = 3 } }",
            ["5: most is a whole number, or the name of a stat in quotes, not a table."],
        ),
        (
            "[tracks]\nhp = {}\n[rests.short]\ntracks = { hp = [1] }",
            [
                (
                    '7: tracks is tracks, each "full", "empty" or "start", a whole number or dice,'
                    ' such as { hp = "full" }, not a list.'
                )
            ],
        ),
        (
            "[tracks]\nhp = { kind = 3 }",
            ['5: kind is "number", "boxes", "clock", "counter" or "condition", not 3.'],
        ),
        (
            "[tracks]\nhp = { start = [1] }",
            ["5: start is a whole number, from -1000000 to 1000000, not a list."],
        ),
        ("[tracks]\nhp = { about = {} }", ["5: about is 1 to 200 letters in quotes, not a table."]),
        (
            "[tracks]\ncold = { kind = 'boxes', mst = 3 }",
            [
                "5: there is no mst here. Did you mean most? There is: kind, most, start, out, dying, about.",
            ],
        ),
        (
            f"[tracks]\nhp = {{ about = 1{'0' * 59} }}",
            [f"5: about is 1 to 200 letters in quotes, not 1{'0' * 59}."],
        ),
        ("[moves.swim]\nabout = 'wet'", ['4: dice is missing: it is dice in quotes, such as "2d6".']),
        (
            "[moves.swim]\ndice = 'd6'\nstat = 3",
            ['6: stat is the name of a stat in quotes, several in [ ], or "any", not 3.'],
        ),
        (
            "[moves.swim]\ndice = 'd6'\nbands = [\n3,\n]",
            ['6: band 1 is written { name = "a hit", least = 10 }, not as 3.'],
        ),
        (
            "initiative = 2026-03-14",
            ['4: initiative is dice in quotes, such as "d20+dex", not "2026-03-14".'],
        ),
        (f"initiative = {[0] * 3}", ['4: initiative is dice in quotes, such as "d20+dex", not a list.']),
    ],
)
def test_what_has_not_its_shape_is_told_once_and_nothing_that_hangs_on_it(
    part: str, sentences: list[str]
) -> None:
    assert mistakes(HEAD + part) == sentences


NEW_KEYS_WRONG = """\
name = "tides"
title = "Tides"
about = "water"

[stats]
fins = { least = 0, most = 3 }

[tracks]
hp = { most = "fins", out = "empty" }
salt = { kind = "counter" }
drunk = { kind = "condition" }

[conditions]
wet = { rolls = "dsi", against = 1.5, moves = ["swm"], once = false, rols = 1 }
cold = "dis"
hp = {}
numb = { rolls = "dis", moves = ["float"] }

[moves.swim]
dice = "d20"
stat = "fins"
zero = "d20"
against = "fns"
hurts = "drunk"
damage = "1dd6"
bands = [
  { name = "well", damage = "dubble", marks = { wet = 2 } },
  { name = "badly", damage = 0, pair = "six" },
]

[moves.float]
dice = "2d6"
damage = "1d6"
bands = [{ name = "up", damage = 1 }]

[moves.sink]
dice = "d6"
stat = "fins"
use = "under"
against = "fins"
hurts = "hp"

[rests.short]
tracks = { hp = "fulll", salt = "full", air = 1 }
ends = ["wett"]
[rests.long]
tracks = 3
ends = "al"
[rests.odd]
tracks = { hp = 1.5, "!" = 2 }
"""

NEW_SENTENCES = """\
14: against is "adv", "dis" or a whole number, not 1.5.
14: once is true, or not there, not false.
14: rolls is never "dsi". There is: adv, dis.
14: there is no rols here. Did you mean rolls? There is: rolls, against, moves, once, about.
14: wet counts in swm, and there is no such move. Did you mean swim? There is: swim, float, sink.
15: cold is written { rolls = "dis" }, not as "dis".
16: hp is a track and a condition: call one otherwise.
17: numb gives dis, and it counts in no move with one d20: write a number.
22: swim has dice for zero, and no stat says how many (use = "dice").
23: swim is against fns, and there is no such stat. Did you mean fins? There is: fins.
24: swim hurts drunk, and there is no such track. There is: hp, salt.
25: “dd6” is not known in 1dd6: write 2d6+3, d20+dex, d%, 4dF, 4d6kh3, 2d20kh1+5, 3d6!, 4d6r1 or 8d10>=7.
27: damage is never "dubble". Did you mean double? There is: full, double, half.
27: wet is put on by 1 and taken off by 0, not by 2.
28: damage is "full", "double" or "half", or a whole number from 1, not 0.
28: pair is a whole number, from -1000000 to 1000000, not "six".
33: float says no track that its damage goes to: hurts = "hp".
34: up does damage, and the move says no track: hurts = "hp".
36: sink hurts hp, and no result of it does damage: write damage = "full" in one.
40: sink is thrown under a stat, so it is against none."""


def test_every_mistake_in_what_a_file_says_of_targets_conditions_and_rests_is_told() -> None:
    assert mistakes(NEW_KEYS_WRONG.partition("[rests.short]")[0]) == NEW_SENTENCES.splitlines()


WRONG_RESTS = """\
14: hp is full, empty or start, a number or dice: “fulll” is not dice:\
 write 2d6+3, d20+dex, d%, 4dF, 4d6kh3, 2d20kh1+5, 3d6!, 4d6r1 or 8d10>=7.
14: it sets back air, and there is no such track. There is: hp, salt, drunk.
14: salt is never full without a most.
15: short ends wett, and there is no such condition. There is: drunk.
17: tracks is tracks, each "full", "empty" or "start", a whole number or dice, such as { hp = "full" }, not 3.
18: ends is names of conditions in [ ], each in quotes, or "all", not "al".
20: "!" is no name: letters first, then letters, digits, blanks, ' and -.
20: tracks is tracks, each "full", "empty" or "start", a whole number or dice, such as { hp = "full" },\
 not 1.5."""


def test_every_mistake_in_a_rest_is_told() -> None:
    head, _, rests = NEW_KEYS_WRONG.partition("[rests.short]")
    tracks = head.partition("[conditions]")[0]

    assert mistakes(f"{tracks}[rests.short]{rests}") == WRONG_RESTS.splitlines()


# --- results that can never come (N15) --------------------------------------------------------------------


def flying(dice: str, *bands: str, use: str = "add") -> str:
    """A file with one move, its bands from line 10 on."""
    move = f'[moves.fly]\ndice = "{dice}"\nstat = "fins"\nuse = "{use}"\nbands = [\n'
    each = "".join(f"{{ {band} }},\n" for band in bands)
    return f"{HEAD}[stats]\nfins = {{ least = 0, most = 4 }}\n{move}{each}]\n"


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (
            flying("1d6kh1", 'name = "odd", natural = 6, doubles = true', 'name = "no"', use="dice"),
            "one die of 1d6kh1 counts, so no two are alike; for two dice of it that show 6, write pair = 6.",
        ),
        (
            flying("2d6", 'name = "no", least = 7', 'name = "odd", least = 10'),
            "a result above it takes every throw that it would; write it above that one.",
        ),
        (
            flying("d20", 'name = "odd", natural = 21', 'name = "no"'),
            "no die that counts in d20 shows 21.",
        ),
        (flying("d20", 'name = "odd", pair = 3', 'name = "no"'), "two dice of d20 never show 3."),
        (
            flying("2d6", 'name = "odd", least = 9, most = 8', 'name = "no"'),
            "no throw is all of that at once.",
        ),
        (flying("2d6", 'name = "odd", least = 37', 'name = "no"'), "no throw is all of that at once."),
    ],
)
def test_N15_a_result_that_can_never_come_is_told_with_what_to_write(file: str, why: str) -> None:
    (said,) = mistakes(file)

    line = next(number for number, row in enumerate(file.splitlines(), 1) if '"odd"' in row)
    assert said == f"{line}: odd can never come: {why}"


@pytest.mark.parametrize(
    "file",
    [
        flying("1d6kh1", 'name = "critical", pair = 6', 'name = "no"', use="dice"),
        flying("2d6", 'name = "far", least = 36', 'name = "no"'),
        flying("2d6!+1d4", 'name = "any"', 'name = "other"'),
        flying("d100", 'name = "twin", doubles = true', 'name = "no"', use="under"),
        flying("3d6kh2", 'name = "twin", natural = 2, doubles = true', 'name = "no"'),
    ],
)
def test_N15_possible_and_incalculable_results_are_not_mistakes(file: str) -> None:
    """A bonus takes a stat twenty past its range at the most; of mixed dice that explode nothing is known."""
    assert read_game(file.encode(), "tides.toml").name == "tides"


def test_N15_a_game_that_is_in_a_record_is_read_though_a_result_of_it_never_comes() -> None:
    never = {"dice": "d6", "bands": [{"name": "a"}, {"name": "b"}]}
    game = {"name": "x", "title": "X", "about": "x", "moves": {"m": never}}

    assert recorded_game(json.dumps(game)).moves["m"].bands[1].name == "b"


def test_a_sound_file_and_a_game_in_the_record_need_no_pydantic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic", None)
    monkeypatch.delitem(sys.modules, "retold.games.homebrew.options.game_file", raising=False)
    recorded_game.cache_clear()

    for name in game_names():
        file = (files("retold.games.homebrew") / "games" / f"{name}.toml").read_bytes()
        assert recorded_game(game_as_json(read_game(file, name))) == built_in_game(name)
    with pytest.raises(ImportError):
        read_game(b"name = 3", "tides.toml")


def test_only_the_first_mistakes_are_listed() -> None:
    """Twenty of twenty-three; a long value is cut."""
    found = mistakes(HEAD + "".join(f"wrong{number} = 1\n" for number in range(23)))

    assert [one.partition(":")[0] for one in found[:-1]] == [str(line) for line in range(4, 24)]
    assert found[-1] == "And 3 more."
    assert mistakes(f'{HEAD}initiative = ["{"x" * 99}"]\n[stats]\na = "{"y" * 99}"')[1] == (
        f'6: a is written {{ least = 0, most = 3 }}, not as "{"y" * 59}….'
    )


def test_of_every_key_it_is_known_what_it_takes() -> None:
    assert {part: tuple(keys) for part, keys in TAKES.items()} == {
        part: tuple(fields_of(part)) for part in (Game, Stat, Track, Condition, Rest, Move, Band)
    }


@pytest.mark.parametrize(
    ("definition", "sentence"),
    [
        ("{", "This is not a game: it is not JSON."),
        ("[]", "This is not a game: a game is an object with keys, as in its file."),
        ('{"name":"x","title":"X","about":"x","loop":1}', "This is not a game: loop: there is no loop here."),
    ],
)
def test_an_unreadable_game_in_the_record_is_refused(definition: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        recorded_game(definition)

    assert str(refused.value).startswith(sentence)


def test_a_file_that_is_no_file_of_a_game_is_refused() -> None:
    with pytest.raises(Refused, match=r"^tides\.toml is not UTF-8 text"):
        read_game(b"\xff", "tides.toml")
    with pytest.raises(Refused, match=r"^tides\.toml:2: Expected"):
        read_game(b"a = 1\n[b", "tides.toml")
    with pytest.raises(Refused, match=rf"^tides\.toml has {LARGEST_FILE + 1} bytes"):
        read_game(b"#" * (LARGEST_FILE + 1), "tides.toml")
    with pytest.raises(Refused):
        read_game(b"a = " + b"[" * 5000 + b"]" * 5000, "tides.toml")


def test_a_name_that_no_game_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused) as refused:
        built_in_game("move")

    assert str(refused.value) == (
        "There is no game move. Did you mean moves? There are: d20, fate, moves, percentile, plain, pool,"
        " sixes; or name a file: ./my.toml."
    )


def test_the_eighth_game_that_the_paper_builds_is_one_and_plays_as_it_says(tmp_path: Path) -> None:
    """Two, five and three with three lungs: at a price, which is one of ten air, until she surfaces."""
    paper = (Path(__file__).parents[4] / "docs" / "a-game-in-a-file.md").read_text("utf-8")
    game = read_game("\n".join(re.findall(r"```toml\n(.*?)```", paper, re.DOTALL)).encode(), "divers.toml")
    (lines,) = re.findall(r"```text\n(.*?)```", paper, re.DOTALL)

    with CampaignStore.create(tmp_path / "drowned.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in (f"game {write_value(game_as_json(game))}", *lines.splitlines()):
            scribe.say(line)
            if line.startswith("salvage"):
                assert shelf(scribe.table).kept(1, "air") == TrackValue(9, 10)

        assert shelf(scribe.table).kept(1, "air") == TrackValue(10, 10)


# --- bands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "move", "came", "band"),
    [
        ("moves", "force it", DiceOutcome(10, (5, 4)), "10 and more"),
        ("moves", "force it", DiceOutcome(9, (5, 4)), "7 to 9"),
        ("moves", "force it", DiceOutcome(6, (5, 1)), "a miss"),
        ("sixes", "act", DiceOutcome(6, (6,), pairs=frozenset({6})), "two sixes"),
        ("sixes", "act", DiceOutcome(6, (6,)), "clean"),
        ("sixes", "act", DiceOutcome(5, (5,), pairs=frozenset({5})), "at a price"),
        ("sixes", "act", DiceOutcome(4, (4,)), "at a price"),
        ("sixes", "act", DiceOutcome(3, (3,)), "it goes wrong"),
        ("d20", "attack", DiceOutcome(30, (20,), 15, 15), "a critical hit"),
        ("d20", "attack", DiceOutcome(22, (20,), -8, 30), "a critical hit"),
        ("d20", "attack", DiceOutcome(15, (10,), 0, 15), "a hit"),
        ("d20", "attack", DiceOutcome(14, (9,), -1, 15), "a miss"),
        ("d20", "attack", DiceOutcome(19, (14,)), None),
        ("d20", "attack", DiceOutcome(6, (1,)), "a miss"),
        ("percentile", "skill", DiceOutcome(100, (100,), -37, 63), "a fumble"),
        ("percentile", "skill", DiceOutcome(12, (12,), 51, 63), "an extreme success"),
        ("percentile", "skill", DiceOutcome(13, (13,), 50, 63), "a hard success"),
        ("percentile", "skill", DiceOutcome(31, (31,), 32, 63), "a hard success"),
        ("percentile", "skill", DiceOutcome(32, (32,), 31, 63), "a success"),
        ("percentile", "skill", DiceOutcome(63, (63,), 0, 63), "a success"),
        ("percentile", "skill", DiceOutcome(64, (64,), -1, 63), "a failure"),
        ("pool", "test", DiceOutcome(5, (7, 8, 9, 7, 10)), "five and more: nobody has seen the like"),
        ("pool", "test", DiceOutcome(0, (1, 3)), "a botch"),
        ("pool", "test", DiceOutcome(0, (2, 3)), "a failure"),
        ("fate", "act", DiceOutcome(3, (1, 1, 0, 0), 3, 0), "a success with style"),
        ("fate", "act", DiceOutcome(2, (1, 0, 0, 0), 0, 2), "a tie"),
    ],
)
def test_HB_22_the_first_band_that_holds_is_the_result(
    game: str, move: str, came: DiceOutcome, band: str | None
) -> None:
    """A fifth of 63 is 12, a half of it 31."""
    found = band_of(built_in_game(game).moves[move], came)

    assert (found and found.name) == band


def test_HB_22_doubles_are_two_dice_alike_or_two_digits_of_one() -> None:
    assert doubles((3, 5, 3))
    assert not doubles((3, 5, 4))
    assert doubles((44,))
    assert doubles((100,)), "00 on the dice"
    assert not doubles((45,))


def test_HB_22_a_part_is_rounded_down() -> None:
    assert (share_of("1/2", 63), share_of("1/5", 63), share_of("1/5", 4)) == (31, 12, 0)


# --- ends -------------------------------------------------------------------------------------------------


def taken(part: str) -> bool:
    """Whether a game with this part beside its head is one."""
    try:
        read_game((HEAD + part).encode(), "tides.toml")
    except Refused:
        return False
    return True


@pytest.mark.parametrize(
    ("part", "last", "beyond"),
    [
        ("[stats]\nfins = {{ least = 0, most = 3, start = {} }}", 3, 4),
        ("[stats]\nfins = {{ most = {} }}", 1_000_000, 1_000_001),
        ("[tracks]\ncold = {{ kind = 'boxes', most = {} }}", 1, 0),
        ("[tracks]\ncold = {{ kind = 'boxes', most = {} }}", 100, 101),
    ],
)
def test_a_number_may_be_the_last_of_its_range_and_no_more(part: str, last: int, beyond: int) -> None:
    assert taken(part.format(last))
    assert not taken(part.format(beyond))


def test_a_move_has_twelve_bands_at_most() -> None:
    for count, may in ((12, True), (13, False)):
        bands = ", ".join(f'{{ name = "band {number}", least = {-number} }}' for number in range(count))

        assert taken(f'[moves.swim]\ndice = "2d6"\nbands = [{bands}]') is may


def test_HB_22_a_total_of_at_most_so_much_is_that_much_too() -> None:
    move = Move(dice="2d6", bands=(Band(name="low", most=5),))

    assert [band_of(move, DiceOutcome(total, ())) is not None for total in (4, 5, 6)] == [True, True, False]


def test_a_title_has_one_letter_at_least_and_two_hundred_at_most() -> None:
    def titled(length: int) -> bool:
        title = "T" * length
        try:
            read_game(f'name = "tides"\nabout = "water"\ntitle = "{title}"'.encode(), "tides.toml")
        except Refused:
            return False
        return True

    assert [titled(length) for length in (0, 1, 200, 201)] == [False, True, True, False]


def test_a_game_that_has_changed_since_is_decided_and_written_as_the_record_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = Game(name="d20", title="A d20", about="as it was once")
    with CampaignStore.create(tmp_path / "old.retold") as campaign:
        with monkeypatch.context() as then:
            then.setattr(game_and_sheets, "built_in_game", lambda _name: older)
            Scribe(campaign, 1).say("game d20")

        assert list(verify_rules(campaign, 1)) == []
        assert next(iter(script_of(campaign, 1))).startswith('game "{""name"":""d20"",""title"":""A d20"",')
