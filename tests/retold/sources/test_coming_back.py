"""What Retold writes comes back: logs and subtitles of every example are read again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retold.sources import Unit, read
from retold.sources.dice import Rung
from retold.sources.unit import FactKind, Reason, Sort

EXPORTS = Path(__file__).parents[2] / "__snapshots__" / "test_example_formats"
"""Exports of every example in every format; tests/test_example_formats.py keeps them as they are written."""
LOGS = sorted(path.name for path in EXPORTS.iterdir() if path.name.endswith(("lonelog.md", "partylog.md")))
SUBTITLES = sorted(path.name for path in EXPORTS.iterdir() if path.name.endswith((".vtt", ".srt")))
EXAMPLES = sorted(re.findall(r"\[(.+)-webvtt\]", name)[0] for name in SUBTITLES if name.endswith(".vtt"))


def of(name: str) -> list[Unit]:
    return list(read(EXPORTS / name))


def named(example: str, form: str, suffix: str) -> str:
    return f"test_told_as_before[{example}-{form}].{suffix}"


def test_every_example_is_there_in_all_four() -> None:
    assert len(EXAMPLES) >= 20
    assert (len(LOGS), len(SUBTITLES)) == (2 * len(EXAMPLES), 2 * len(EXAMPLES))


@pytest.mark.parametrize("name", [*LOGS, *SUBTITLES])
def test_it_is_known_at_once_and_nothing_is_unread(name: str) -> None:
    source = read(EXPORTS / name)
    report = source.report()

    assert source.family == ("lonelog" if name.endswith(".md") else "subtitles")
    assert (report.unread, set(report.left_out) - {Reason.FRAME}) == ([], set())
    assert report.units > 0


@pytest.mark.parametrize("name", LOGS)
def test_every_line_of_a_log_becomes_what_it_was(name: str) -> None:
    """Lines by their sign on one side, units by their sort on the other; an act in quotes is speech."""
    lines = (EXPORTS / name).read_text("utf-8").split("\n")
    found = [unit for unit in of(name) if unit.is_read]

    def starting(*signs: str) -> int:
        return sum(line.startswith(signs) for line in lines)

    sorts = [unit.sort for unit in found]
    assert sorts.count(Sort.DECLARED) + sorts.count(Sort.SAID) == starting("@", "PC (", "PC(", "N (", "N(")
    assert sorts.count(Sort.SAID) >= starting("PC (", "PC(", "N (", "N(")
    assert sorts.count(Sort.TOLD) == starting("=>", "! ")
    assert sorts.count(Sort.SCENE) == starting("### S")
    thrown = [throw for unit in found for throw in unit.throws if throw.rung is Rung.FACES]
    assert len(thrown) == sum(re.match(r"d: (?:.+ rolls|roll) \d*d[\dF]", line) is not None for line in lines)
    assert all(throw.total is not None for throw in thrown)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_names_its_campaign_and_its_people(name: str) -> None:
    text = (EXPORTS / name).read_text("utf-8")
    facts = [fact for unit in of(name) for fact in unit.facts]

    (title,) = {fact.name for fact in facts if fact.kind is FactKind.TITLE}
    assert f'title: "{title}"' in text
    played = re.findall(r"\[PC:([^|\]]+)", text)
    assert set(played) <= {fact.name for fact in facts if fact.player}
    assert {unit.session for unit in of(name) if unit.sort is Sort.SCENE} == {
        found.replace("\\", "") for found in re.findall(r"(?m)^## (Session .+)$", text)
    }


@pytest.mark.parametrize("example", EXAMPLES)
def test_both_logs_tell_the_same(example: str) -> None:
    lonelog, partylog = (of(named(example, form, f"{form}.md")) for form in ("lonelog", "partylog"))

    assert [(unit.sort, unit.speaker, unit.text) for unit in lonelog if unit.sort is not Sort.NOTE] == [
        (unit.sort, unit.speaker, unit.text) for unit in partylog if unit.sort is not Sort.NOTE
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_both_subtitles_tell_the_same(example: str) -> None:
    """WebVTT has the speaker in a field of its own and SRT in front of the words."""
    marked, named_in_words = of(named(example, "webvtt", "vtt")), of(named(example, "srt", "srt"))

    assert [(unit.speaker, unit.text) for unit in marked if unit.is_read] == [
        (unit.speaker, unit.text) for unit in named_in_words
    ]
