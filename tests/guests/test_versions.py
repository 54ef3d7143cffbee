"""A guest of which some kinds have a second version: old and new events in one record tell the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from retold.journal.games import BUILT_IN
from retold.journal.store.events.kinds import UPCASTS
from retold.journal.systems import SYSTEMS
from tests.guests.evenings import FIRST, SECOND
from tests.guests.installed import Said, all_said, printed, recorded

READING = """log -n 0
log -n 0 --json
log --all
show
show --json
show tracks
show clashes
show pending
can
can --json
export -o -
export -f html -o -
export -f text -o -
export -f json -o -
export -f fountain -o -
export -f srt -o -
export -f webvtt -o -
export -f lonelog -o -
export -f partylog -o -
export -f markdown -o -
export -f epub -o -
export -f replay -o -
export -f replay-json -o -
export --book --mechanics footnotes -o -
export --voice plain -o -
export --for Ben -o -
export --ribbon -o -
export --moment @-3 -f html -o -
replay
replay --json
replay --state
recap
recap --json
search pier
search note --for Ben
search lamps --json
search lamps --kind sung --json
search lamps --kind counterpoint.sung
search door
stats
stats time
stats counts
stats --json
who Mara
diff @-4
diff 20
verify
verify --rules
doctor
dump --script
head
undo --check
fix 20 --check = 6 6"""
CHANGING = (
    ("retcon", "20", "--as", "sing Mara = 5 5: I hold it longer.", "--check"),
    ("retcon", "14", "--as", "declare Mara low --sealed: Changed."),
    ("switch", "mainline"),
    ("diff", "mainline", "retcon"),
    ("diff", "mainline", "retcon", "--json"),
    ("retcon", "20:", "I hold it until the lamps go out."),
    ("search", "lamps go", "--json"),
    ("--yes", "fix", "20", "=", "6", "6"),
    ("log", "-n", "0"),
    ("export", "--variations", "-o", "-"),
    ("--yes", "redact", "17"),
    ("undo",),
    ("log", "-n", "0", "--all"),
    ("dump", "--script"),
    ("verify", "--rules"),
)
ACTS_OF_THE_FIRST = 14
HASH = r"\b[0-9a-f]{64}\b"
ACT = r'"act": "run-[^"]*"'
"""The id of an act from a script, which says from where in which script it was played."""


def _told(lines: list[tuple[str, ...]], said: list[Said]) -> list[tuple[tuple[str, ...], int, str, str]]:
    """What each command said; what hangs on stored names or scripts, which are others, is left out."""
    return [
        (line, one.code, re.sub(f"{HASH}|{ACT}", "…", one.out), one.err)
        for line, one in zip(lines, said, strict=True)
    ]


@pytest.fixture(scope="module")
def mixed(counterpoint: Path, second: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening that was begun with the first release of the game, and ended with the second."""
    folder = tmp_path_factory.mktemp("mixed")
    recorded(folder, counterpoint, FIRST)
    recorded(folder, second, SECOND, first=ACTS_OF_THE_FIRST + 1)
    return folder


@pytest.fixture(scope="module")
def fresh(second: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same evening, all of it played with the second release."""
    folder = tmp_path_factory.mktemp("fresh")
    recorded(folder, second, FIRST + SECOND)
    return folder


def test_G3_old_and_new_events_tell_the_same_in_every_verb(mixed: Path, fresh: Path, second: Path) -> None:
    lines = [*(tuple(line.split()) for line in READING.splitlines()), *CHANGING]
    for folder in (mixed, fresh):
        (folder / "changed.retold").write_bytes((folder / "evening.retold").read_bytes())
    said = [
        all_said(folder, second, [("-c", "changed.retold", *line) for line in lines], first=1000)
        for folder in (mixed, fresh)
    ]

    assert {one.code for one in said[0]} == {0, 1}  # what stands for no words: one search, and the last undo
    assert _told(lines, said[0]) == _told(lines, said[1])


def test_G3_the_notation_is_asked_by_the_kind_alone_and_reads_today_s_payload(
    mixed: Path, second: Path
) -> None:
    log, as_json = all_said(
        mixed,
        second,
        [
            ("-c", "evening.retold", "log", "20..20"),
            ("-c", "evening.retold", "log", "14..20", "--json"),
        ],
    )

    assert log.out == "   20  Mara sings: 2 successes: “I hold it until the lamps shake.” (conflict 1)\n"
    sealed, *_, sung = map(json.loads, as_json.out.splitlines())
    assert (sung["kind"], sung["data"]["hits"]) == ("counterpoint.sung", 2)
    assert (sealed["kind"], sealed["data"]["song"]) == ("counterpoint.choice-sealed", None)
    assert "The long note." not in sealed["told"]


def test_G3_the_sealed_words_of_an_older_version_go_with_what_was_revealed(mixed: Path, second: Path) -> None:
    (mixed / "redacted.retold").write_bytes((mixed / "evening.retold").read_bytes())

    redacted, dumped = all_said(
        mixed, second, [("--yes", "-c", "redacted.retold", "redact", "17"), ("-c", "redacted.retold", "dump")]
    )

    assert "The words at 14 and 17 are gone for good." in redacted.out
    assert "The long note." not in dumped.out


def test_G3_no_undo_takes_back_a_reveal_of_an_older_version(
    counterpoint: Path, second: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST.partition("sing ")[0])

    (refused,) = all_said(tmp_path, second, [("undo",)])

    assert (refused.code, refused.err.startswith("The table has seen what was sealed.")) == (1, True)


def test_G3_a_dump_of_both_versions_loads_and_tells_the_same(mixed: Path, second: Path) -> None:
    *_, before, after, checked = all_said(
        mixed,
        second,
        [
            ("-c", "evening.retold", "dump", "-o", "both.jsonl"),
            ("load", "both.jsonl", "loaded"),
            ("-c", "evening.retold", "log", "-n", "0"),
            ("-c", "loaded.retold", "log", "-n", "0"),
            ("-c", "loaded.retold", "verify", "--rules"),
        ],
    )

    assert after == before
    assert "Every act would be decided the same way today." in checked.out


def test_G3_a_program_is_told_of_both_versions_in_today_s_shape(mixed: Path, second: Path) -> None:
    told = printed(
        mixed,
        second,
        "import retold\n"
        "with retold.open('evening.retold') as campaign:\n"
        "    for one in campaign.seen_by('Ben').happened():\n"
        "        if one.kind == 'counterpoint.sung':\n"
        "            print(one.told, one.event.hits)\n",
    )

    assert told.splitlines() == [
        "Mara sings: 2 successes: “I hold it until the lamps shake.” 2",
        "Teo sings: 1 successes 1",
        "Mara sings: 1 successes: “Lower than the water.” 1",
        "Teo sings: 1 successes 1",
    ]


def test_G3_no_kind_of_ours_has_an_older_shape() -> None:
    """While this holds, `log` need load no game of ours (`retold.projections.plain.current`)."""
    assert [*UPCASTS, *(one for name in BUILT_IN for one in SYSTEMS[name].upcasts)] == []
