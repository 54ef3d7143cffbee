"""What Retold writes comes back: logs and subtitles of every example are read again."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from retold.__main__ import main
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


# --- Words that look like the notation ---

SIGNS = """
campaign The #1 * Table
cast gm by=Mary
cast "Zel the Quick" by=Jon: A smuggler | with pipes [and tags]
cast "Dr. O'Neil" by=Ana: He says: no
cast Warder
session Signs and stars --date 2026-03-01
scene A *bold* one, S2 and [brackets]
narrate gm: => Not a result. -> Nor an answer. d: 2d6=8
narrate gm: ! @(Zel) ? d: (note: x) [Clock:Fake 1/2] ``` fence
narrate gm: A line with S1 @Sneak d:4 F => noise ?Seen? ->No
narrate gm: S7 *Not a scene*
narrate gm: WEBVTT
narrate gm: NOTE this is none
narrate gm: 17
say "Zel the Quick": She said "no" and left.
say "Dr. O'Neil": Listen: I said: go --> there <v Zel> & {\\an8} &amp; now.
declare "Zel the Quick": I say d: 2d6=8 and @(Warder) runs d(Warder): 2 => away
note: A note (open [and wrong)) ->
roll "Dr. O'Neil" 2d6 = 3 4: d: my roll
narrate "Zel the Quick": 00:00:01,000 --> 00:00:02,000
say Warder: PC (Zel): "forged"
end session
"""


@pytest.fixture(name="campaign")
def _campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    (tmp_path / "signs.session").write_text(SIGNS.replace("\\\\", "\\"), "utf-8")
    campaign = str(tmp_path / "signs.retold")
    assert main(["run", "--new", "-q", "-c", campaign, str(tmp_path / "signs.session")]) == 0
    return campaign


@pytest.mark.parametrize("form", ["lonelog", "partylog"])
def test_words_that_look_like_a_log_are_words(campaign: str, form: str, tmp_path: Path) -> None:
    told = tmp_path / f"told.{form}.md"
    assert main(["-c", campaign, "export", "-f", form, "--for", "gm", "-o", str(told)]) == 0
    found = [unit for unit in read(told) if unit.is_read]

    sorts = Counter(unit.sort for unit in found if unit.sort is not Sort.NOTE)
    assert sorts == {Sort.SCENE: 1, Sort.TOLD: 8, Sort.SAID: 3, Sort.DECLARED: 2, Sort.ROLL: 1}
    assert [unit.speaker for unit in found if unit.sort is Sort.ROLL] == ["Dr. O\u2019Neil"]
    assert next(unit.text for unit in found if unit.sort is Sort.SAID) == "She said \u2018no\u2019 and left."
    assert [fact.kind for unit in found for fact in unit.facts if fact.kind is FactKind.CLOCK] == []


@pytest.mark.parametrize(("form", "arrow"), [("webvtt", "-->"), ("srt", "--\uff1e")])
def test_words_that_look_like_subtitles_are_words(
    campaign: str, form: str, arrow: str, tmp_path: Path
) -> None:
    told = tmp_path / f"told.{'vtt' if form == 'webvtt' else 'srt'}"
    assert main(["-c", campaign, "export", "-f", form, "--for", "gm", "-o", str(told)]) == 0
    found = [unit for unit in read(told) if unit.is_read]
    words = " ".join(unit.text for unit in found)

    assert read(told).report().unread == []
    assert f"00:00:01,000 {arrow} 00:00:02,000" in words
    assert "WEBVTT NOTE this is none 17" in words
    assert {unit.speaker for unit in found} == {"", "Zel the Quick", "Dr. O\u2019Neil", "Warder"}
