"""A reader of Fountain that is not ours finds the scenes, the speeches and the action, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fountain.document import FountainDocument
from fountain.elements import ElementType as Part
from fountain.parser import FountainParser
from hypothesis import given, settings

from retold.projections.exports import export, page_elements
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story import document
from retold.projections.story.transcript import of_range, of_session
from retold.projections.story.typography import unenclosed
from retold.projections.texts import safe
from retold.projections.texts.line_ends import reflowed
from tests.exploring import tries
from tests.projections import stories
from tests.projections.evening import Table
from tests.projections.scripted import exported
from tests.projections.stories import read, wide

BESIDE = (Tag.NOTE, Tag.ASIDE, Tag.RULING, Tag.RIBBON)


def script(transcript: document.Transcript, mechanics: str = "folded") -> str:
    return export("fountain", transcript, mechanics).decode()


def parsed(transcript: document.Transcript) -> FountainDocument:
    return FountainParser().parse(script(transcript))


def found(document: FountainDocument, part: Part) -> list[str]:
    return [read(one.text) for one in document.elements if one.type is part and one.text]


# --- what a reader has to find ----------------------------------------------------------------------------


def has_cue(paragraph: document.Paragraph) -> bool:
    return paragraph.kind is Tag.SPEECH and any(map(str.isalpha, read(paragraph.speaker or "")))


def split(text: str) -> list[str]:
    return [one for one in map(read, reflowed(text).split("\n\n")) if one]


def headings(transcript: document.Transcript) -> Iterator[str]:
    titles = [scene.title for scene in transcript.scenes if scene.title is not None]
    for number, title in enumerate(titles, 1):
        starts = re.match("[A-Za-z0-9]", safe.line(title).strip())
        yield read(title if starts else f"Scene {number}: {title}")


def lines(paragraph: document.Paragraph) -> list[str]:
    """Its paragraphs as action, all in one where it has a label, so that none is without."""
    label = page_elements.label(paragraph)
    if not label:
        return split(page_elements.marked_speech(paragraph))
    return [read(" ".join(split(f"{label}: {page_elements.marked_speech(paragraph)}")))]


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_whatever_is_typed_the_script_has_the_same_scenes_speeches_and_action(
    transcript: document.Transcript,
) -> None:
    document = parsed(transcript)
    told = [one for one in stories.told(transcript) if split(one.text)]
    spoken = [one for one in told if has_cue(one)]
    acted = [one for one in told if not has_cue(one) and one.kind not in BESIDE]

    assert found(document, Part.SCENE_HEADING) == list(headings(transcript))
    assert found(document, Part.CHARACTER) == [read(one.speaker or "") for one in spoken]
    assert found(document, Part.DIALOGUE) == [line for one in spoken for line in split(one.text)]
    assert found(document, Part.ACTION) == [line for one in acted for line in lines(one)]


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_whatever_is_typed_nothing_in_it_is_markup(transcript: document.Transcript) -> None:
    document = parsed(transcript)

    assert not document.issues
    assert not any(one.formatting for one in document.elements)
    assert {one.type for one in document.elements} <= {
        *(Part.SCENE_HEADING, Part.CHARACTER, Part.DIALOGUE, Part.PARENTHETICAL, Part.ACTION),
        *(Part.NOTE, Part.SECTION, Part.SYNOPSIS),
    }
    assert not any(one.metadata.keys() & {"extension", "dual_dialogue"} for one in document.elements)
    shown = transcript.title if safe.line(transcript.title).strip() else "A campaign"
    assert read(document.metadata["title"].replace("\\", "")) == read(shown.replace("\\", ""))


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_every_line_of_mechanics_is_a_note(transcript: document.Transcript) -> None:
    notes = [read(one.removeprefix("[[").removesuffix("]]")) for one in found(parsed(transcript), Part.NOTE)]
    conflicts = [passage.conflict for scene in transcript.scenes for passage in scene.passages]
    mechanics = [
        *(one for conflict in conflicts if conflict for one in conflict.mechanics),
        *(one for paragraph in stories.told(transcript) for one in paragraph.mechanics),
    ]

    for one in mechanics:
        assert read(f"{one.text} ({one.luck})" if one.luck else one.text) in notes


# --- forced where it has to be, and nowhere else ----------------------------------------------------------


def line_of(paragraph: document.Transcript) -> str:
    return script(paragraph).split("#1#\n\n")[1].split("\n")[0]


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("One last cry.", "One last cry."),
        ("“Run,” she says.", "“Run,” she says."),
        ("...and she runs.", "!...and she runs."),
        (".Hall", "!.Hall"),
        ("int main was empty", "!int main was empty"),
        ("Interior walls fall.", "Interior walls fall."),
        ("SHE RUNS", "!SHE RUNS"),
        ("CUT TO:", "!CUT TO:"),
        ("ZEL (to nobody)", "!ZEL (to nobody)"),
        ("她跑了。", "!她跑了。"),
        ("A *loud* crash_bang", r"A \*loud\* crash\_bang"),
        ("Out /* and back */ in", r"Out /\* and back \*/ in"),
        ("A [[note]] in it", f"A {wide('[[')}note{wide(']]')} in it"),
    ],
)
def test_action_is_forced_where_it_would_be_something_else(told: str, written: str) -> None:
    assert line_of(stories.one_paragraph(told, Tag.NARRATION, None)) == written


@pytest.mark.parametrize(
    ("name", "cue"),
    [
        ("Zel", "@Zel"),
        ("ZEL", "ZEL"),
        ("R. D'ARCY-2", "R. D'ARCY-2"),
        ("EST BLOM", "@EST BLOM"),
        ("Zoë “Bracken” Ó Dálaigh", "@Zoë “Bracken” Ó Dálaigh"),
        ("The man (old)", f"@The man {wide('(')}old{wide(')')}"),
        ("ZEL ^", f"@ZEL {wide('^')}"),
    ],
)
def test_a_cue_is_forced_unless_it_is_one_by_itself(name: str, cue: str) -> None:
    assert line_of(stories.one_paragraph("Not today.", speaker=name)) == cue


def test_speech_keeps_its_paragraphs_and_says_who_it_is_for() -> None:
    told = stories.one_paragraph("(quietly)\n\n!Run", eyes="for Jon", struck=True)

    assert script(told).split("#1#\n\n")[1] == (
        f"@Zel\n(for Jon)\n(overruled)\n{wide('(')}quietly)\n  \n{wide('!')}Run\n"
    )
    assert found(parsed(told), Part.DIALOGUE) == ["(quietly)", "!Run"]


def test_a_person_who_has_no_letter_in_the_name_speaks_in_the_action() -> None:
    assert line_of(stories.one_paragraph("Beep.", speaker="23")) == "23: “Beep.”"


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("\u201cYou always did,\u201d says the wire.", "@Zel\n(says the wire)\nYou always did.\n"),
        ("\u201cYou always did\u2026,\u201d says the wire.", "@Zel\n(says the wire)\nYou always did\u2026\n"),
        ("\u201cDid you?\u201d says the wire.", "@Zel\n(says the wire)\nDid you?\n"),
        ("\u201cYou did,\u201d Zel says.", "@Zel\n(Zel says)\nYou did.\n"),
        ("\u201eDu warst es\u201c, sagt der Draht.", "@Zel\n(sagt der Draht)\nDu warst es.\n"),
        ("\u201cYou always did,\u201d", "@Zel\nYou always did,\n"),
        ("\u201cYou did.\u201d She goes.", "@Zel\nYou did.\n\nShe goes.\n"),
    ],
)
def test_C13_what_is_spoken_is_a_sentence_though_it_went_on(told: str, written: str) -> None:
    page = script(stories.one_paragraph(told, Tag.NARRATION, "Zel"))

    assert page.split("#1#\n\n")[1] == written


# --- an evening -------------------------------------------------------------------------------------------

FIRST_EVENING = """\
Title: Session 1: High Water
Credit: played by
Author: Jon (Zel)
Source: The Long Ebb · 2026-03-14 · Bruise · run by Rana
"""


def test_an_evening_is_a_script(table: Table) -> None:
    shown = script(of_session(LineView(table.campaign, 1), 1))
    head, body = shown.split("\n\n", 1)

    assert head + "\n" == FIRST_EVENING
    assert ".The harbour-master\u2019s stair #1#\n\nLamps below, and boots.\n\n" in body
    assert "## Out by the stair\n\n= Bruise: Zel against Guards. At stake: freedom\n\n" in body
    assert "\nZel: I run one of them through and keep going.\n\n[[Zel draws for clubs" in body
    assert "\n@Zel\nNot today.\n\n" in body
    assert "[[Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 3♦ (called)]]\n" in body
    assert "# Quotes\n\n[[“I roll for dignity.” (Jon)]]\n" in body


def test_sessions_are_sections_and_scenes_are_numbered_through_them(table: Table) -> None:
    shown = script(of_range(LineView(table.campaign, 1)))

    assert re.findall(r"^# Session.*|^\..*", shown, re.MULTILINE) == [
        "# Session 1: High Water (2026-03-14)",
        ".The harbour-master\u2019s stair #1#",
        "# Session 2: Low Water (2026-03-21)",
        ".The flats #2#",
    ]


def test_without_mechanics_the_script_is_the_same_less_its_notes(table: Table) -> None:
    told = of_session(LineView(table.campaign, 1), 1)
    document = FountainParser().parse(script(told, "none"))

    for part in (Part.SCENE_HEADING, Part.CHARACTER, Part.DIALOGUE, Part.ACTION):
        assert found(document, part) == found(parsed(told), part)
    assert len(found(document, Part.NOTE)) < len(found(parsed(told), Part.NOTE))


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("(quietly) Go now.", "ZEL\n(quietly)\nGo now."),
        ("(*quietly*) Go (now).", "ZEL\n(quietly)\nGo (now)."),
        ("Go (quietly) now.", "ZEL\nGo (quietly) now."),
        ("(quietly)", "ZEL\n\uff08quietly)"),
    ],
)
def test_a_remark_in_front_of_speech_is_a_parenthetical(tmp_path: Path, said: str, written: str) -> None:
    page = export(
        "fountain", exported(tmp_path, f"cast ZEL by=Jon\nsession One\nsay ZEL: {said}\n", voice="script")
    )

    assert f"\n{written}\n" in page.decode()


@pytest.mark.parametrize("name", ["fountain", "webvtt", "srt"])
def test_B27_quotations_in_dialogue_without_marks_have_those_of_speech(tmp_path: Path, name: str) -> None:
    lines = 'cast Zel by=Jon\nsession One\nsay Zel: He shouted "run!" and it\'s late.\n'
    page = export(name, exported(tmp_path, lines, voice="script")).decode()

    assert "He shouted “run!” and it\u2019s late." in page


@pytest.mark.parametrize(
    ("quotes", "spoken", "shown"),
    [
        (
            ("“", "”"),
            "Zel\u2019s \u2018no\u2019, not the dogs\u2019. \u2018It\u2019s late,\u2019 he said.",
            "Zel\u2019s “no”, not the dogs\u2019. “It\u2019s late,” he said.",
        ),
        (("„", "“"), "Er rief \u201alauf!\u2018, und ich lief.", "Er rief „lauf!“, und ich lief."),
        (
            ("«\u202f", "\u202f»"),
            "Il cria “cours” et je courus.",
            "Il cria «\u202fcours\u202f» et je courus.",
        ),
        (("\u2018", "\u2019"), "He shouted “run!”", "He shouted \u2018run!\u2019"),
        (("“", "”"), "The dogs\u2019 lamp.", "The dogs\u2019 lamp."),
    ],
)
def test_B27_the_marks_are_those_of_the_language(quotes: tuple[str, str], spoken: str, shown: str) -> None:
    assert unenclosed(spoken, quotes) == shown
