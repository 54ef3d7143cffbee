"""The modules of the replay page, each asked in a browser what it makes of a value, without a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from retold.projections.exports import replay
from retold.projections.exports.replay import names, spoken
from retold.projections.exports.replay.bundling import bundled
from retold.projections.prose import VOICES, in_language
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.phrases.languages import language
from tests.pages.replays import TABLE, TOLD, long, small
from tests.projections.unpacked import value_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

Asked = Callable[..., Any]
"""What a module's function answers: its name, what is looked at in JavaScript, what is given to it."""

HOST = "https://modules.test/"
ASK = """async ([file, script, given]) => {
  const module = await import(`./${file}.js`);
  return new Function("module", "given", `return (${script})`)(module, given);
}"""


@pytest.fixture(scope="module")
def ask(browser: Browser) -> Iterator[Asked]:
    """Asks a module something."""
    context = browser.new_context()
    page = context.new_page()
    page.route(f"{HOST}**", _served)
    page.goto(HOST)
    yield lambda file, script, given=None: page.evaluate(ASK, [file, script, given])
    context.close()


def _served(route: Route) -> None:
    """A module as it lies in its folder, and an empty page around all of them."""
    name = route.request.url.removeprefix(HOST)
    if name:
        route.fulfill(path=replay.HERE / name, content_type="text/javascript")
    else:
        route.fulfill(body="<!DOCTYPE html><title>Modules</title>", content_type="text/html")


# --- as a whole -------------------------------------------------------------------------------------------


def test_modules_of_a_bundle_may_have_the_same_names(browser: Browser) -> None:
    sources = {
        "/a/main.js": (
            'import { said as told } from "./other.js";\nimport { said } from "/b/third.js";\nsaid(told());\n'
        ),
        "/a/other.js": '/** Words. */\nconst mine = "one";\nexport function said() { return mine; }\n',
        "/b/third.js": (
            '// Shows.\nconst mine = "two";\nexport const said = (word) => { window.shown = word + mine; };\n'
        ),
    }
    page = browser.new_page()
    page.add_script_tag(content=bundled("/a/main.js", sources.__getitem__), type="module")

    assert page.evaluate("shown") == "onetwo"
    page.close()


def test_every_module_is_in_the_one_script_after_those_it_imports() -> None:
    script = replay.script()

    assert "import " not in re.sub(r'"[^"]*"|`[^`]*`', "", script)
    assert not re.search(r"^export ", script, re.MULTILINE)
    assert script.index("class Replay ") < script.index("class Board ") < script.index("class Page ")
    assert script.index("class Page ") < script.index("new Page(")


def test_each_module_says_what_it_is_for_and_is_no_longer_than_a_thought() -> None:
    for module in replay.HERE.glob("*.js"):
        lines = module.read_text().splitlines()

        assert lines[0].startswith("/**")
        assert len(lines) <= 260, module.name


def test_the_value_can_end_no_script() -> None:
    value = small()
    value["title"] = "</script><!--"
    page = replay.render(value).decode()

    assert page.count("<!--") == 0
    assert value_in(page) == value


def test_the_modules_know_in_english_what_every_voice_tells_them_in_its_own_words(ask: Asked) -> None:
    known = ask("phrases", "({...module.PHRASES})")
    said = {
        key
        for module in replay.HERE.glob("*.js")
        for key in re.findall(r"\bphrase\((.*)", module.read_text())
    }
    named = {key for one in said for key in re.findall(r'"([a-z-]+)"', one)}
    named |= {key for key in known if key.startswith(("card-", "die-"))}  # their keys are put together

    assert known == spoken(Phrases())
    assert set(known) - named <= {"mark", "branch", "conflict", "found", "found-one", "found-first"}


def test_days_and_counters_stand_in_the_language_of_the_page(ask: Asked) -> None:
    french = in_language(VOICES["report"], language("fr")).phrases
    script = (
        "(module.speak(given), [module.dated('2026-06-01'), module.dated('2026-12-24'), module.dated('soon'),"
        " module.called('hp', 'whiskey'), module.called('coins', 'whiskey'),"
        " module.called('constructor', 'homebrew')])"
    )

    assert ask("phrases", script, {"names": names(french)}) == [
        *("1er juin 2026", "24 décembre 2026", "soon", "points de vie", "coins", "constructor")
    ]
    assert names(Phrases()) == {}
    assert (
        ask("phrases", "module.speak(given)", {"names": {"days": [], "months": [], "counters": {}}}) is None
    )


def test_a_phrase_takes_its_values_as_text(ask: Asked) -> None:
    script = "(module.speak(given), module.phrase('place', { number: '{count}', count: '$&' }))"

    assert ask("phrases", script, {"place": "{count} von {number}"}) == "$& von {count}"
    assert ask("phrases", "module.speak(given)", {"place": "{number} of {count}"}) is None


# --- record -----------------------------------------------------------------------------------------------


def test_the_board_at_any_step_is_what_all_changes_up_to_it_come_to(ask: Asked) -> None:
    value = long(600)
    line = value["lines"][0]
    board = dict(line["board"])
    boards = []
    for delta in line["steps"]["delta"]:
        for key, thing in zip(delta[::2], delta[1::2], strict=True):
            board[value["keys"][key]] = thing
            if thing is None:
                del board[value["keys"][key]]
        boards.append(dict(board))
    script = "given[1].map(n => Object.fromEntries(new module.Replay(given[0]).path(0).boardAt(n)))"
    steps = [0, 1, 254, 255, 256, 257, 511, 512, 599]

    assert ask("record", script, [value, [*steps, -1]]) == [
        *(boards[n] for n in steps),
        line["board"],
    ]


def test_what_a_step_says_with_its_block_is_taken_from_there(ask: Asked) -> None:
    value = small()
    value["lines"][0]["steps"]["told"][:3] = [["“", 0, "”"], ["", 1, " [called]"], "Rain."]
    script = "[0, 1, 2].map(n => new module.Replay(given).path(0).told(n))"

    assert ask("record", script, value) == [f"“{TOLD[0]} (0)”", "Irena rolls 1d6: 4 [called]", "Rain."]


def test_a_thing_of_which_fields_are_told_keeps_the_others(ask: Asked) -> None:
    value = long(600)
    deltas = value["lines"][0]["steps"]["delta"]
    key = value["keys"].index("who:1")
    for n in range(600):
        deltas[n] = [~key, {"name": f"Irena {n}"}] if n != 300 else [key, {"name": "Nobody"}]
    script = "given[1].map(n => new module.Replay(given[0]).path(0).boardAt(n).get('who:1'))"

    assert ask("record", script, [value, [255, 256, 299, 300, 599, 256]]) == [
        {"name": "Irena 255", "role": "character"},
        {"name": "Irena 256", "role": "character"},
        {"name": "Irena 299", "role": "character"},
        {"name": "Nobody"},
        {"name": "Irena 599"},
        {"name": "Irena 256", "role": "character"},
    ]
    assert ask("record", "[...new module.Replay(given).path(0).changedAt(7)]", value) == ["who:1"]


def test_a_branch_has_the_steps_it_shares_and_then_its_own(ask: Asked) -> None:
    script = (
        "(p => Array.from({length: p.count}, (_, n) => p.id(n)))(new module.Replay(given[0]).path(given[1]))"
    )

    assert ask("record", script, [small(), 0]) == [f"e{n}" for n in range(8)]
    assert ask("record", script, [small(), 1]) == ["e0", "e1", "e2", "e3", "e4", "f5", "f6", "f7"]
    assert ask("record", script, [small(), 2]) == ["e0", "e1", "e2", "e3", "e4", "f5", "f6", "g7", "g8"]


def test_a_branch_has_the_paragraphs_of_what_it_shares_and_no_more(ask: Asked) -> None:
    script = (
        "(p => Array.from({length: p.blocks}, (_, b) => p.block(b).text))(new module.Replay(given).path(2))"
    )

    assert ask("record", script, small()) == [
        "Session 1: The Causeway",
        "Half tide",
        "The toll",
        *(f"{TOLD[n % len(TOLD)]} ({n})" for n in (0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ]


@pytest.mark.parametrize(
    ("line", "n", "others"), [(0, 4, [1]), (0, 3, []), (1, 4, [0]), (1, 6, [2]), (2, 6, [1]), (2, 4, [0])]
)
def test_lines_are_others_where_they_part(ask: Asked, line: int, n: int, others: list[int]) -> None:
    script = "(r => r.others(r.path(given[1]), given[2]))(new module.Replay(given[0]))"

    assert ask("record", script, [small(), line, n]) == others


def test_a_step_is_found_by_its_id_on_its_own_line_only(ask: Asked) -> None:
    script = "(r => given[1].map(id => r.path(1).stepOf(id)))(new module.Replay(given[0]))"

    assert ask("record", script, [small(), ["e4", "f5", "e5", "g7", ""]]) == [4, 5, -1, -1, -1]


def test_what_differs_between_two_boards_is_what_is_otherwise_or_missing(ask: Asked) -> None:
    script = "[...module.differing(new Map(Object.entries(given[0])), new Map(Object.entries(given[1])))]"

    assert ask("record", script, [{"a": 1, "b": [1], "c": 2}, {"a": 1, "b": [2], "d": 3}]) == ["b", "c", "d"]


def test_words_are_found_whatever_their_case(ask: Asked) -> None:
    script = "module.searched(new module.Replay(given).path(0), 'POLE', 0, 8, 'steps').map(one => one.n)"

    assert ask("record", script, small()) == [1, 5]


# --- seats ------------------------------------------------------------------------------------------------


def test_people_sit_with_their_side_and_items_with_their_owner(ask: Asked) -> None:
    script = """(t => [
      t.conflicts[0].sides.map(side => side.map(one => one.id)),
      t.conflicts[0].sides[1][0].items.map(([key]) => key),
      t.conflicts[0].middle.map(([key]) => key).sort(),
      t.conflicts[0].things.map(([key]) => key),
      t.around.map(one => one.id),
      t.things.map(([key]) => key).sort(),
    ])(module.seated(new Map(Object.entries(given)), new Map()))"""

    assert ask("seating", script, TABLE) == [
        [[1, 2], [3]],
        ["down:1:3", "row:w:-:3:hp", "aspect:w:7"],
        ["balance:1", "map:1", "melee:1", "raise:1"],
        ["row:w:1:-:tide"],
        [4],
        ["aspect:w:8", "deck:w:own", "lantern:1", "row:w:-:The cart:wheels"],
    ]


# --- timeline, play, addresses ----------------------------------------------------------------------------


def test_ticks_stand_where_things_begin_once_each(ask: Asked) -> None:
    script = "Object.entries(module.ticks(given, 101)).map(([sort, all]) => [sort, [...all]])"
    entries = [
        {"n": 0, "sort": "scene"},
        {"n": 50, "sort": "scene"},
        {"n": 50, "sort": "mark"},
        {"n": 50, "sort": "mark"},
    ]

    assert ask("timeline", script, entries) == [["scene", [0, 500]], ["mark", [500]]]


@pytest.mark.parametrize(("seconds", "shown"), [(0, "00:00"), (65.4, "01:05"), (3723, "1:02:03"), (None, "")])
def test_a_time_is_short(ask: Asked, seconds: float | None, shown: str) -> None:
    assert ask("timeline", "module.clockTime(given)", seconds) == shown


def test_one_stays_as_long_as_the_words_take_to_be_read(ask: Asked) -> None:
    """Five words at 210 a minute are 1429 ms, and 900 to take breath; at twice the speed half of both."""
    value = small()
    value["lines"][0]["blocks"][3]["text"] = "One two three four five"
    script = "(p => given[1].map(speed => Math.round(module.staysFor(p, 0, speed))))"
    built = f"import('./record.js').then(({{Replay}}) => {script}(new Replay(given[0]).path(0)))"

    assert ask("player", built, [value, [1, 2]]) == [2329, 1164]


@pytest.mark.parametrize("line", [None, "the chase", "a/b", "#e1"])
def test_an_address_is_read_as_it_was_written(ask: Asked, line: str | None) -> None:
    assert ask("address", "module.readAddress(module.addressOf(given, 'e12'))", line) == {
        "line": line,
        "id": "e12",
    }


@pytest.mark.parametrize("hash_", ["", "#", "#%", "#a/b/c"])
def test_invalid_hashes_are_ignored(ask: Asked, hash_: str) -> None:
    assert ask("address", "module.readAddress(given)", hash_) is None


@pytest.mark.parametrize(
    ("hash_", "search", "n"),
    [
        ("", "", None),
        ("", "?at=e2", 2),
        ("", "?at=999", 7),
        ("", "?at=nothing", None),
        ("#e1", "?at=e2", 1),
        ("", "?embed&at=e2", 2),
    ],
)
def test_a_page_is_opened_at_a_moment(ask: Asked, hash_: str, search: str, n: int | None) -> None:
    built = (
        "import('./record.js').then(({Replay}) => module.opening(new Replay(given[0]), given[1]))"
        ".then((one) => one && one.n)"
    )

    assert ask("address", built, [small(), {"hash": hash_, "search": search}]) == n


def test_the_markup_for_another_page_has_the_moment_and_no_query_and_cannot_be_left(ask: Asked) -> None:
    made = ask(
        "sharing", "module.embedding(...given)", ["https://a.org/1.html?at=3#e9", "#e1", 'Low "Water" & <b>']
    )

    assert made == (
        '<iframe src="https://a.org/1.html?embed#e1" title="Low &quot;Water&quot; &amp; <b>" width="800"'
        ' height="600" allowfullscreen></iframe>'
    )


@pytest.mark.parametrize(
    ("moved", "asked"),
    [
        ({"dx": -60, "dy": 10}, "on"),
        ({"dx": 60, "dy": 10}, "back"),
        ({"dx": -60, "dy": 50}, None),
        ({"part": 0.9}, "on"),
        ({"part": 0.1}, "back"),
        ({"part": 0.9, "ms": 900}, None),
        ({"part": 0.9, "taps": False}, None),
        ({"dx": 20, "part": 0.9}, None),
    ],
)
def test_a_finger_asks_for_a_step(ask: Asked, moved: dict[str, object], asked: str | None) -> None:
    rest = {"dx": 0, "dy": 0, "ms": 90, "part": 0.5, "taps": True}

    assert ask("touch", "module.gesture(given)", {**rest, **moved}) == asked


# --- pictures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("KS", "king of spades"),
        ("10H", "10 of hearts"),
        ("joker", "the joker"),
        (None, "a card face down"),
        ("unknown:ruler:r", "ruler of unknown, reversed"),
        ("T19", "Triumph XIX"),
        ("Tarot of Elsewhere", "Tarot of Elsewhere"),
    ],
)
def test_a_card_is_called_what_it_is(ask: Asked, code: str | None, name: str) -> None:
    assert ask("cards", "module.readCard(given).name", code) == name


@pytest.mark.parametrize(("level", "favours", "tilt"), [(0, None, 0), (1, 1, -8), (2, 1, -16), (2, 3, 16)])
def test_a_balance_tilts_towards_the_favoured_side(
    ask: Asked, level: int, favours: int | None, tilt: int
) -> None:
    value = {
        "scale": ["balanced", "ahead", "victory"],
        "level": level,
        "favours": favours,
        "sides": [[1, 2], [3]],
    }

    assert ask("balance", "module.tilt(given)", value) == tilt


def test_heights_add_up_and_are_found_again(ask: Asked) -> None:
    script = """(h => { h.set(1, 30); return [h.above(0), h.above(2), h.above(5),
      h.at(0), h.at(10), h.at(39), h.at(40), h.at(1e9)]; })(
      new module.Heights(new Float64Array(5).fill(10)))"""

    assert ask("heights", script) == [0, 40, 70, 0, 1, 1, 2, 4]


def test_kept_dice_of_a_pool_are_marked_once_each(ask: Asked) -> None:
    assert ask("dice", "module.pooled([4, 1, 4], [4])") == [
        {"face": 4, "kept": True},
        {"face": 4},
        {"face": 1},
    ]
