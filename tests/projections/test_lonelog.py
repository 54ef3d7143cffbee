"""A log in Lonelog or Partylog has every part of an evening under its sign, and nothing typed is a sign.

No reader of either is to be had, so the grammar that both papers give for a line stands here once more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from retold.projections.exports import export
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story import document
from retold.projections.story.transcript import of_range, of_session
from retold.projections.texts.line_ends import reflowed
from tests.exploring import tries
from tests.projections import stories
from tests.projections.evening import ASIDE, SECRET, Table
from tests.projections.stories import read, wide

LINES = {
    "act": re.compile(r"@(?:\((?P<who>[^()+>]+)\))? (?P<text>.+)"),
    "event": re.compile(r"! (?P<text>.+)"),
    "roll": re.compile(r"d: (?P<text>.*)"),
    "result": re.compile(r"-> (?P<text>.*)"),
    "consequence": re.compile(r"=> (?P<text>.+)"),
    "speech": re.compile(r'(?:PC|N) ?\((?P<who>[^()]+)\): (?:\[[^\[\]]*\] )*"(?P<text>.+)"'),
    "tag": re.compile(r"\[(?:PC|N):(?P<who>[^|:\[\]]*)(?P<text>(?:\|[^|\[\]]*)*)\]"),
    "note": re.compile(r"\((?P<who>note|rule|house rule|post|hook|reminder): (?P<text>.*)\)"),
}
"""How a line of notation begins and ends (Lonelog 1.6, 3 to 5; Partylog 1.0, 3 to 5)."""

ANYWHERE = re.compile(r"[-=]>|@\(|\[[^\[\]]*\]|\((?:note|rule|post|hook): ")
"""What the papers write also in the middle of a line."""


class Line(NamedTuple):
    """A line of notation: what it is, of whom, and its words as a reader sees them."""

    kind: str
    who: str
    text: str


def blocks(log: bytes) -> list[Token]:
    """The parts of the log as a reader of Markdown has them, less the properties at its top."""
    document = log.decode().split("\n---\n", 1)[1]
    return MarkdownIt("commonmark").parse(document)


def notation(log: bytes) -> Iterator[str]:
    for block in blocks(log):
        if block.type == "fence":
            yield from filter(None, block.content.split("\n"))


def line(written: str) -> Line:
    for kind, form in LINES.items():
        found = form.fullmatch(written)
        if found:
            groups = found.groupdict()
            return Line(kind, read(groups.get("who") or ""), read(groups["text"]))
    raise AssertionError(f"{written!r} is no line of notation")


def log_of(transcript: document.Transcript, form: str = "partylog") -> list[Line]:
    return [line(written) for written in notation(export(form, transcript))]


def split(text: str) -> list[str]:
    return [one for one in map(read, reflowed(text).split("\n\n")) if one]


# --- nothing typed is notation ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["lonelog", "partylog"])
@settings(max_examples=tries(15))
@given(transcript=stories.transcripts)
def test_whatever_is_typed_every_line_is_notation(form: str, transcript: document.Transcript) -> None:
    for written in notation(export(form, transcript)):
        said = line(written)

        inner = (
            written.split(" ", 1)[1] if said.kind in ("act", "event", "roll", "result", "consequence") else ""
        )
        assert not ANYWHERE.search(inner)


@pytest.mark.parametrize("form", ["lonelog", "partylog"])
@settings(max_examples=tries(15))
@given(transcript=stories.transcripts)
def test_whatever_is_typed_the_parts_are_those_of_the_transcript(
    form: str, transcript: document.Transcript
) -> None:
    found = blocks(export(form, transcript))
    headings = [block.tag for block in found if block.type == "heading_open"]
    sessions = [scene for scene in transcript.scenes if scene.chapter]
    scenes = [scene for scene in transcript.scenes if scene.title is not None]

    assert {block.type for block in found} <= {
        *("heading_open", "heading_close", "inline", "fence", "paragraph_open", "paragraph_close"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    }
    ends = transcript.head.session is not None and any(vars_of(transcript.end))
    assert headings.count("h3") == len(scenes) + ends
    assert headings.count("h1") == bool(transcript.head.campaign)
    assert headings.count("h2") >= len(sessions)


def vars_of(end: document.End) -> list[object]:
    return [end.changed, end.open, end.quotes, end.untold]


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_every_word_is_in_the_log(transcript: document.Transcript) -> None:
    told = [one.text for one in log_of(transcript)]
    whole = "\n".join(told)

    for paragraph in stories.told(transcript):
        assert all(text in whole for text in split(paragraph.text))
        for mechanic in paragraph.mechanics:
            assert read(f"{mechanic.text} ({mechanic.luck})" if mechanic.luck else mechanic.text) in told


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_the_properties_are_what_was_typed(transcript: document.Transcript) -> None:
    top = export("lonelog", transcript).decode().split("\n---\n", 1)[0]
    pairs = dict(one.split(": ", 1) for one in top.split("\n")[1:])

    if transcript.head.campaign:
        assert json.loads(pairs["title"]) == transcript.head.campaign
    assert all(isinstance(json.loads(value), str) for value in pairs.values())


# --- what stands under which sign -------------------------------------------------------------------------

DREW = document.Mechanic("e2", "table.cards-drawn", "Zel draws: J♥", "called")
WINS = document.Mechanic("e3", "bruise.hand-won", "Zel wins over Guards")
CAST = (
    document.Member("Zel", "character", "Jon", "A smuggler"),
    document.Member("Kit", "character", "Ana"),
    document.Member("Guards", "side"),
)


def told(
    kind: Tag, text: str, speaker: str | None = None, *mechanics: document.Mechanic
) -> document.Paragraph:
    manner = "declares" if kind is Tag.DECLARATION else ""
    return document.Paragraph("e1", kind, text, speaker, manner, mechanics)


def written(
    form: str, *paragraphs: document.Paragraph, cast: tuple[document.Member, ...] = CAST
) -> list[str]:
    """The notation of a scene."""
    story = stories.of(*paragraphs)
    story = document.Transcript("report", "gm", story.head, cast, story.scenes, document.End())
    return list(notation(export(form, story)))[len(cast) :]


def test_an_act_its_cards_what_they_came_to_and_what_was_told_of_it() -> None:
    assert written(
        "partylog",
        told(Tag.DECLARATION, "I run.", "Zel", DREW, WINS),
        told(Tag.NARRATION, "The line breaks.\n\nNobody follows.", "Zel"),
    ) == [
        "@(Zel) I run.",
        "d: Zel draws: J♥ (called)",
        "-> Zel wins over Guards",
        "=> Zel: The line breaks.",
        "=> Zel: Nobody follows.",
    ]


def test_a_narration_with_dice_behind_it_is_an_act() -> None:
    assert written("partylog", told(Tag.NARRATION, "I take my gloves off.", "Zel", DREW)) == [
        "@(Zel) I take my gloves off.",
        "d: Zel draws: J♥ (called)",
    ]


def test_what_the_game_master_brings_in_is_an_event_and_what_answers_an_act_a_consequence() -> None:
    rain, bell = told(Tag.NARRATION, "Rain."), told(Tag.NARRATION, "A bell.")
    run = told(Tag.DECLARATION, "I run.", "Zel")

    assert written("partylog", rain, run, bell, rain) == ["! Rain.", "@(Zel) I run.", "=> A bell.", "! Rain."]
    assert written("lonelog", rain, run, bell, rain) == [
        "=> Rain.",
        "@(Zel) I run.",
        "=> A bell.",
        "=> Rain.",
    ]


def test_our_own_sentences_are_results_not_stories() -> None:
    assert written("partylog", told(Tag.GENERATED, "Zel won.")) == ["-> Zel won."]


def test_played_people_speak_as_characters_and_others_as_npcs() -> None:
    said = [told(Tag.SPEECH, "Not today.", name) for name in ("Zel", "Guards")]

    assert written("partylog", *said) == ['PC(Zel): "Not today."', 'N(Guards): "Not today."']
    assert written("lonelog", *said) == ['PC (Zel): "Not today."', 'N (Guards): "Not today."']


def test_notes_name_their_audience_and_rulings_are_marked() -> None:
    note = document.Paragraph("e1", Tag.NOTE, "Her brother (the captain) knows", "Zel", eyes="for Jon")
    rule = told(Tag.RULING, "Three to a row :)")

    assert written("partylog", note, rule) == [
        "(note: on Zel (for Jon): Her brother (the captain) knows)",
        f"(rule: Three to a row :{wide(')')})",
    ]
    assert written("lonelog", rule) == [f"(house rule: Three to a row :{wide(')')})"]


def test_what_was_told_later_says_so() -> None:
    later = document.Paragraph("e1", Tag.NARRATION, "Mud.", later=True)

    assert written("partylog", later) == ["(post: told later)", "! Mud."]
    assert written("lonelog", later) == ["(note: told later)", "=> Mud."]


def test_in_lonelog_the_one_character_that_is_played_needs_no_name() -> None:
    acts = told(Tag.DECLARATION, "I run.", "Zel"), told(Tag.DECLARATION, "They run.", "Guards")

    assert written("lonelog", *acts, cast=(CAST[0], CAST[2])) == ["@ I run.", "@(Guards) They run."]
    assert written("partylog", *acts, cast=(CAST[0], CAST[2])) == ["@(Zel) I run.", "@(Guards) They run."]


def test_the_cast_is_written_as_tags() -> None:
    story = stories.of()
    story = document.Transcript("report", "gm", story.head, CAST, story.scenes, document.End())

    assert list(notation(export("partylog", story))) == [
        "[PC:Zel|A smuggler|Player:Jon]",
        "[PC:Kit|Player:Ana]",
        "[N:Guards]",
    ]
    assert list(notation(export("lonelog", story))) == ["[PC:Zel|A smuggler]", "[PC:Kit]", "[N:Guards]"]


# --- an evening -------------------------------------------------------------------------------------------


def test_an_evening_is_a_party_log(table: Table) -> None:
    log = export("partylog", of_session(LineView(table.campaign, 1), 1)).decode()

    assert log.startswith(
        '---\ntitle: "The Long Ebb"\nruleset: "Bruise"\ngm: "Rana"\nplayers: "Jon (Zel)"\npcs: "Zel"\n'
        'start_date: "2026-03-14"\n---\n\n# The Long Ebb\n\n## Session 1: High Water\n\n'
    )
    assert "\n### S1 *The harbour-master\u2019s stair*\n\n```\n! Lamps below, and boots.\n" in log
    assert "\n@(Zel) I run one of them through and keep going.\nd: Zel draws for clubs" in log
    assert "\n### End of Session 1\n\n```\n" in log
    assert "(note: “I roll for dignity.” (Jon))\n" in log


def test_scenes_are_numbered_through_the_sessions(table: Table) -> None:
    log = export("lonelog", of_range(LineView(table.campaign, 1))).decode()

    assert re.findall(r"^##.*", log, re.MULTILINE)[:4] == [
        "## Session 1: High Water (2026-03-14)",
        "### S1 *The harbour-master\u2019s stair*",
        "## Session 2: Low Water (2026-03-21)",
        "### S2 *The flats*",
    ]


@pytest.mark.parametrize("form", ["lonelog", "partylog"])
def test_the_game_masters_log_has_secrets_with_their_audience(table: Table, form: str) -> None:
    log = export(form, of_session(LineView(table.campaign, 1), 1)).decode()

    assert f"(note: (for the game master): {SECRET})" in log
    assert f"(note: (for Jon): {ASIDE})" in log
