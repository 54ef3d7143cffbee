"""Words of chats in a story: emotes behind their names, stops between lines, no I that nobody told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retold.journal.vocabulary import commands as c
from retold.projections.prose.sentences import goes_on_behind_a_name
from retold.projections.prose.telling import unquoted
from retold.projections.reading import GAME_MASTER, LineView
from retold.projections.story.transcript import of_session
from retold.projections.story.typography import typeset
from retold.sources.dice import Rung, Throw
from retold.sources.unit import Sort, Unit
from tests.projections.evening import Table, w
from tests.retold.importing.given import ANSWERS, begun, numbered, source, unit


def story(path: Path, *units: Unit, option: str = "") -> Sequence[str]:
    """Paragraphs of the story that a log becomes, each with its label."""
    with begun(path / "log.retold", *([option] if option else [])) as campaign:
        campaign.take_in([source(*numbered(units))], ANSWERS)
        shown = of_session(LineView(campaign.shared.store, 1, viewer=GAME_MASTER), 1, voice="prose").running()
    return [
        f"{one.label}: {one.text}" if one.label else one.text
        for scene in shown.scenes
        for one in scene.paragraphs()
        if one.text
    ]


def emote(number: int, who: str, text: str) -> Unit:
    return unit(f"e{number}", who, text, number, sort=Sort.TOLD)


def said(number: float, who: str, text: str) -> Unit:
    return unit(f"s{number}", who, text, number)


def test_what_another_tools_roll_was_for_is_no_part_of_the_story(tmp_path: Path) -> None:
    faces = Throw(Rung.FACES, "1d20 = 14", "1d20", (14,), 14, "Zel makes a Stealth check!")
    total = Throw(Rung.TOTAL, "2d6+1 = 8", "2d6+1", (), 8, "Zel attacks with a Rapier, To Hit.")
    rolls = [
        unit(f"r{place}", "Zel", "", place, sort=Sort.ROLL, throws=(throw,))
        for place, throw in ((2, faces), (3, total))
    ]

    assert story(tmp_path, said(1, "Mary", "It rains."), *rolls) == ["It rains."]


def test_emotes_and_speech_of_one_message_are_told_in_their_order(tmp_path: Path) -> None:
    assert story(tmp_path, said(1, "Zel", '*sits down* "I told you." *sighs*')) == [
        "Zel sits down. “I told you.” Zel sighs.",
    ]


def test_a_card_is_told_once_an_evening_as_what_its_person_does(tmp_path: Path) -> None:
    cards = [unit(f"c{place}", "Zel", "Bless\nA spell.", place, sort=Sort.CARD) for place in (1, 2)]

    assert story(tmp_path, *cards) == ["Zel casts bless."]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("ties the boat", "Zel ties the boat."),
        ("quietly closes the hatch", "Zel quietly closes the hatch."),
        ("then goes below", "Zel then goes below."),
        ("cooks the crabs", "Zel cooks the crabs."),
        ("shrugs", "Zel shrugs."),
        ("'s lips split", "Zel\u2019s lips split."),
        ("Zel's lips split", "Zel\u2019s lips split."),
        ("grins!", "Zel grins!"),
        ("schließt die Luke", "Zel schließt die Luke."),
        ("his eyes narrow", "Zel: His eyes narrow."),
        ("the lamp goes out", "Zel: The lamp goes out."),
        ("Zel throws a rope over", "Zel throws a rope over."),
        ("looks at https://example.org/x", "Zel looks at https://example.org/x"),
        ('nods. "not yet"', "Zel nods. “not yet.”"),
    ],
)
def test_T14_words_with_a_small_first_letter_go_on_behind_the_name(
    tmp_path: Path, typed: str, told: str
) -> None:
    assert story(tmp_path, emote(1, "Zel", typed)) == [told]


def test_a_text_with_a_subject_of_its_own_does_not_go_on_behind_a_name() -> None:
    assert not goes_on_behind_a_name("i run")
    assert not goes_on_behind_a_name("Runs.")
    assert goes_on_behind_a_name("this-or-that-wise, shrugs")


@pytest.mark.parametrize(
    "typed",
    [
        *("everyone laughs", "some rats scatter", "two guards come in", "maybe", "let's go", "nobody moves"),
        *("all the lamps go out", "each of them nods", "both boats sink", "one of them laughs"),
        *(
            "er \u00f6ffnet die T\u00fcr",
            "ich nicke",
            "die Lampe erlischt",
            "seine Augen werden schmal",
            "niemand lacht",
        ),
        *(
            "il ouvre la porte",
            "je souris",
            "j'ouvre la porte",
            "l\u2019homme rit",
            "ses yeux brillent",
            "peut-\u00eatre",
        ),
    ],
)
def test_a_text_with_a_subject_in_a_language_that_retold_speaks_has_a_label(typed: str) -> None:
    assert not goes_on_behind_a_name(typed)


@pytest.mark.parametrize(
    "typed", ["was running", "dies of shame", "on tiptoe leaves", "lets go", "ermahnt alle", "illustrates it"]
)
def test_words_that_only_look_like_a_subject_go_on_behind_the_name(typed: str) -> None:
    assert goes_on_behind_a_name(typed)


def test_I4_quoted_first_person_in_an_emote_marks_no_teller(tmp_path: Path) -> None:
    units = [emote(1, "Zel", "nods ''... I nearly fell''"), said(2, "Zel", "well, let us go")]

    assert story(tmp_path, *units) == ["Zel nods “… I nearly fell.”", "“Well, let us go,” said Zel."]


def test_I4_no_text_of_a_chat_makes_an_i_of_speech(tmp_path: Path) -> None:
    units = [emote(1, "Zel", "I nod, and then I run."), said(2, "Pell", "Go!"), said(3, "Zel", "Well.")]

    assert "“Well,” says Zel." in story(tmp_path, *units)


def test_I4_a_table_that_tells_in_first_person_says_so_of_its_chat(tmp_path: Path) -> None:
    units = [emote(1, "Zel", "I nod, and then I run."), said(2, "Pell", "Go!"), said(3, "Zel", "Well.")]

    told = story(tmp_path, *units, option="option table.telling=first")

    assert "“Well,” I say." in told


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("nods ''... I fell''", "nods “… I fell”"),
        ("it's ''Jon's'' boat", "it\u2019s “Jon\u2019s” boat"),
        ("6'' of rope and 5'' of chain", "6'' of rope and 5'' of chain"),
        ("''one'' and ''two''", "“one” and “two”"),
    ],
)
def test_I4_two_apostrophes_are_a_double_mark(typed: str, marked: str) -> None:
    assert typeset(typed) == marked


def test_I4_speech_between_two_apostrophes_is_speech() -> None:
    assert unquoted("nods ''I fell'' once") == "nods   once"


def test_I4_first_person_in_a_typed_emote_marks_no_teller(tmp_path: Path) -> None:
    table = Table(tmp_path / "quay.retold", title="The Quay")
    table.do(c.Cast(who=w("Zel"), by=w("Jon")))
    table.do(c.OpenSession())
    table.do(c.Narrate(who=1, text=w("nods - I nearly fell - and sits.")))
    table.do(c.Say(who=1, text=w("Well, let us go.")))

    shown = of_session(LineView(table.campaign, 1, viewer=GAME_MASTER), 1, voice="prose").running()

    assert [one.text for one in shown.scenes[0].paragraphs()][-1] == "“Well, let us go,” said Zel."


def test_I18_a_possessive_goes_on_right_behind_the_name(tmp_path: Path) -> None:
    table = Table(tmp_path / "quay.retold", title="The Quay")
    table.do(c.Cast(who=w("Zel"), by=w("Jon")))
    table.do(c.OpenSession())
    table.do(c.Narrate(who=1, text=w("'s lips split.")))

    shown = of_session(LineView(table.campaign, 1, viewer=GAME_MASTER), 1, voice="prose").running()

    assert [one.text for one in shown.scenes[0].paragraphs()] == ["Zel\u2019s lips split."]


@pytest.mark.parametrize("voice", ["report", "script"])
def test_I18_a_text_that_begins_with_its_tellers_possessive_has_no_label(tmp_path: Path, voice: str) -> None:
    table = Table(tmp_path / "quay.retold", title="The Quay")
    table.do(c.Cast(who=w("Zel"), by=w("Jon")))
    table.do(c.OpenSession())
    table.do(c.Narrate(who=1, text=w("Zel's lips split.")))

    shown = of_session(LineView(table.campaign, 1, viewer=GAME_MASTER), 1, voice=voice)

    assert [(one.label, one.text) for one in shown.scenes[0].paragraphs()] == [("", "Zel\u2019s lips split.")]


def test_I5_lines_of_one_speaker_have_a_stop_between_them(tmp_path: Path) -> None:
    units = [
        said(1, "Pell", "a first line without end"),
        said(1.2, "Pell", "A second line"),
        said(1.4, "Pell", "and a third"),
    ]

    assert story(tmp_path, *units) == ["“A first line without end,” said Pell. “A second line. And a third.”"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("The lamp is *out*", "The lamp is \ufde0out\ufde1."),
        ("**Chapter Two**", "\ufde2Chapter Two\ufde3"),
        ("The list:\n\n- one\n- two", "The list:\n\n- one\n- two"),
        ("The tide is out,\nthe lamp is lit", "The tide is out,\nthe lamp is lit"),
        ("*Zel goes*", "\ufde0Zel goes\ufde1."),
        ("He says *''go now''*", "Zel says \ufde0“go now.”\ufde1"),
        ("*then goes below*", "Zel \ufde0then goes below\ufde1."),
    ],
)
def test_B2_marked_lines_have_stops_and_headings_and_verse_none(
    tmp_path: Path, typed: str, shown: str
) -> None:
    assert [one.removeprefix("Zel: ") for one in story(tmp_path, emote(1, "Zel", typed))] == [shown]


def test_I5_lines_typed_at_the_table_have_a_stop_between_them(tmp_path: Path) -> None:
    table = Table(tmp_path / "quay.retold", title="The Quay")
    table.do(c.Cast(who=w("Pell"), by=w("Jon")))
    table.do(c.OpenSession())
    for text in ("a first line without end", "A second line"):
        table.do(c.Say(who=1, text=w(text)))

    shown = of_session(LineView(table.campaign, 1, viewer=GAME_MASTER), 1, voice="prose").running()

    assert [one.text for one in shown.scenes[0].paragraphs()] == [
        "“A first line without end,” said Pell. “A second line.”"
    ]


@pytest.mark.parametrize("option", ["", "option table.telling=third", "option table.telling=first"])
def test_I5_what_is_written_some_minutes_later_begins_a_paragraph(tmp_path: Path, option: str) -> None:
    first = [said(1, "Mary", "The tide turns"), said(2, "Mary", "A bell rings")]
    later = said(9, "Mary", "It rings again")
    units = [replace(one, sort=Sort.TOLD) for one in (*first, later)]

    assert story(tmp_path, *units, option=option) == ["The tide turns. A bell rings.", "It rings again."]


def test_I4_speech_between_two_apostrophes_within_a_text_is_narrated(tmp_path: Path) -> None:
    units = [said(1, "Zel", "''Go,'' she says, and goes."), said(2, "Pell", "''Stay.''")]

    assert story(tmp_path, *units) == ["Zel: “Go,” she says, and goes.", "“Stay,” says Pell."]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ('"Who stays?" Zel asks. he looks round', "“Who stays?” Zel asks. He looks round."),
        ("takes a rope, a lamp etc. and goes", "Zel takes a rope, a lamp etc. and goes."),
        ("attacks Wolf with a rapier and hits: 9 damage", "Zel attacks Wolf with a rapier and hits."),
        ("attacks with an axe: 14 damage if it hits", "Zel attacks with an axe."),
        ("attacks with an axe: 14 of them", "Zel attacks with an axe: 14 of them."),
    ],
)
def test_words_of_a_chat_are_sentences_without_the_numbers_of_dice(
    typed: str, told: str, tmp_path: Path
) -> None:
    assert story(tmp_path, emote(1, "Zel", typed)) == [told]


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        (1.5, ["“Who stays?” asked Zel. “I will.”"]),
        (2.0, ["“Who stays?” asked Zel.", "“I will,” said Zel."]),
    ],
)
def test_a_question_of_a_chat_waits_for_its_answer(minutes: float, told: list[str], tmp_path: Path) -> None:
    first = unit("s1", "Zel", '"Who stays?"', 1)
    second = unit("s2", "Zel", '"I will."', minutes)

    assert story(tmp_path, first, second) == told
