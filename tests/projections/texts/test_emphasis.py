"""Emphasis and line ends in a story: kept in every format that has them, and never printed as signs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal import marks
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS, export
from retold.projections.exports.subtitles import cues
from retold.projections.prose import VOICES
from retold.projections.prose.phrases.languages import language as language_of
from retold.projections.story import document
from retold.projections.story.typography import typeset
from retold.projections.texts import emphasis
from retold.projections.texts.emphasis import SIGNS
from retold.projections.texts.line_ends import unwrapped
from retold.projections.texts.markdown_escaping import emphasised
from tests.projections.readers import READERS
from tests.projections.scripted import exported
from tests.projections.site.whole import BASE, site_of

EVENING = """\
cast gm by=Mary
cast Zel by=Jon
cast Pell by=Ada
session The *first* one
scene The *Mary Rose*
narrate: The **old** ferry *creaks*. It is 2*3 and 5 * 4, snake_case and `cold`.
narrate:
  The tide is *out*,
  the lamp is lit,
  and nobody is home.
  .
  She folds the letter.
say Zel:
  Dear Jon,
  come **alone**.
  Z.
say Pell: I _really_ mean it: go *now*.
narrate Zel: *looks up* "Not **today**."
note Zel --quote: It is *no* weapon.
end session: It was *good*.
"""
EMPHASISED = {
    "markdown": ("The **old** ferry *creaks*", "I *really* mean it: go *now*"),
    "obsidian": ("The **old** ferry *creaks*", "I *really* mean it: go *now*"),
    "html": ("The <strong>old</strong> ferry <em>creaks</em>", "I <em>really</em> mean it: go <em>now</em>"),
    "fragment": ("The <strong>old</strong> ferry <em>creaks</em>", "go <em>now</em>"),
    "text": ("The old ferry creaks", "I really mean it: go now"),
    "fountain": ("The **old** ferry *creaks*", "I *really* mean it: go *now*"),
    "lonelog": ("The old ferry creaks", "I really mean it: go now"),
}


@pytest.fixture(scope="module", params=VOICES)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> document.Transcript:
    return exported(tmp_path_factory.mktemp("told"), EVENING, voice=request.param)


@pytest.mark.parametrize("name", sorted(READERS))
def test_B2_no_telling_prints_marks(told: document.Transcript, name: str) -> None:
    data = export(name, told)
    is_read = name != "fountain"  # whose reader does not take the marks off
    texts = " ".join(text for _, text in READERS[name](data)) if is_read else data.decode()

    assert "2*3 and 5 * 4, snake_case" in " ".join(texts.replace("\\", "").split())
    emphasised_ = ("old", "creaks", "out", "alone", "really", "now", "today", "no", "looks up", "Mary Rose")
    for words in emphasised_ if is_read else ():
        assert re.search(rf"[*_]{words}[*_]", texts) is None
    assert not any(sign in texts for sign in (*SIGNS, "FDE"))


def test_no_file_of_a_site_has_signs(tmp_path: Path) -> None:
    exported(tmp_path, EVENING)

    with CampaignStore.open(tmp_path / "evening.retold", read_only=True) as campaign:
        site = site_of(campaign, base=BASE)

    texts = {path: data.decode() for path, data in site.items() if not path.endswith((".otf", ".png"))}
    assert [path for path, text in texts.items() if re.search("FDE[0-3]|[\ufde0-\ufde3]", text)] == []


@pytest.mark.parametrize("name", EMPHASISED)
def test_T6_emphasis_is_emphasis_in_every_format(name: str, tmp_path: Path) -> None:
    data = export(name, exported(tmp_path, EVENING, voice="prose")).decode()

    for words in EMPHASISED[name]:
        assert words in data


def test_a_page_has_upright_letters_for_emphasis_in_italics(tmp_path: Path) -> None:
    lines = "session\nscene The quay: The *old* ferry.\nnarrate: It creaks."
    page = export("html", exported(tmp_path, lines, voice="script")).decode()

    assert "The <em>old</em> ferry.)</em>" in page
    assert "em em { font-style: normal; }" in page


def test_json_has_the_words_and_the_places_of_their_marks(tmp_path: Path) -> None:
    value = exported(tmp_path, EVENING).to_json()
    (first, *_) = value["scenes"][-1]["passages"][0]["paragraphs"]

    assert first["text"].startswith("The old ferry creaks.")
    assert first["marks"] == [
        {"start": 4, "end": 7, "mark": "strong"},
        {"start": 14, "end": 20, "mark": "emphasis"},
    ]
    assert all(isinstance(text, str) and "*" not in text for text in (value["head"]["title"],))


@pytest.mark.parametrize("voice", ["report", "prose", "script"])
def test_B3_verse_and_letters_keep_their_lines(tmp_path: Path, voice: str) -> None:
    told = exported(tmp_path, EVENING, voice=voice)
    lined = {
        "markdown": "The tide is *out*,  \nthe lamp is lit,  \nand nobody is home.\n\nShe folds",
        "fragment": "The tide is <em>out</em>,<br>\nthe lamp is lit,<br>\nand nobody is home.</p>",
        "html": "The tide is <em>out</em>,\nthe lamp is lit,\nand nobody is home.</span>",
        "text": "The tide is out,\nthe lamp is lit,\nand nobody is home.\n",
        "fountain": "The tide is *out*,\nthe lamp is lit,\nand nobody is home.\n",
    }
    for name, lines in lined.items():
        page = export(name, told).decode().replace("\n  ", "\n")
        assert lines in page
        letter = page[page.index("Dear Jon") : page.index("Z.")]
        assert letter.count("\n") == 2
        assert "say" not in letter


VERSE = """\
session One
narrate:
  The tide is out,
  the lamp is lit,
  .
  the moon is low,
  and nobody is home.
"""


def test_B3_verse_keeps_its_stanzas_in_text(tmp_path: Path) -> None:
    page = export("text", exported(tmp_path, VERSE, voice="prose")).decode()

    assert "The tide is out,\nthe lamp is lit,\n\n  the moon is low,\n  and nobody" in page


def test_B3_a_mark_ends_with_its_line_in_a_screenplay(tmp_path: Path) -> None:
    lines = """\
cast Zel by=Jon
session One
narrate:
  The tide is *out,
  the lamp is lit*.
say Zel:
  **Dear Jon,
    come** alone.
"""
    page = export("fountain", exported(tmp_path, lines, voice="prose")).decode()

    assert "The tide is *out,*\n!*the lamp is lit*.\n" in page
    assert "\n**Dear Jon,**\n**come** alone.\n" in page


def test_B3_no_two_lines_of_verse_are_one_line_of_subtitles(tmp_path: Path) -> None:
    told = exported(tmp_path, VERSE)
    (paragraph,) = told.paragraphs()

    assert [line for cue in cues(told) for line in cue.lines] == [
        line for line in paragraph.text.split("\n") if line
    ]


def test_B3_lines_that_a_program_wrapped_are_joined() -> None:
    typed = (
        "He looks at the pistol as if it had said something about his mother. I have all the time there\n"
        "is. One round goes through the duchess and his collarbone and stops in the wall.\n\nHe sits."
    )
    letter = "To the harbour master of the salt road, whoever that may be by now, greetings.\nBurn this.\nZ."

    assert unwrapped(typed) == typed.replace("there\n", "there ")
    assert unwrapped(letter) == letter


def test_verse_has_no_other_text_on_its_lines(tmp_path: Path) -> None:
    page = export(
        "markdown",
        exported(tmp_path, EVENING.replace(".\nsay", ".\nnarrate: And then.\nsay", 1), voice="prose"),
    )

    assert "lit,  \nand nobody is home.\n\nShe folds the letter. And then." in page.decode()


def test_B3_lines_of_verse_in_text_have_the_same_indent(tmp_path: Path) -> None:
    evening = EVENING.replace(".\nnarrate:\n", ".\nnarrate: And then.\nnarrate:\n", 1)

    page = export("text", exported(tmp_path, evening, voice="prose")).decode()

    assert "\n  The tide is out,\n  the lamp is lit,\n  and nobody is home.\n" in page


# --- how it is set ----------------------------------------------------------------------------------------

MARKED = st.lists(
    st.builds(
        marks.Run,
        st.text(alphabet="abÉ \"'.,!?-…*_\n", max_size=12),
        st.booleans(),
        st.booleans(),
    ),
    max_size=5,
).map(marks.written)


@given(MARKED, st.sampled_from(["en", "de", "fr"]))
def test_words_are_set_as_if_they_had_no_marks(text: str, language: str) -> None:
    spoken = language_of(language)
    plain = typeset(marks.plain(text), spoken.quotes, spoken)

    assert emphasis.words(typeset(emphasis.marked(text), spoken.quotes, spoken)) == plain


@given(MARKED)
def test_a_text_with_marks_is_typed_as_it_was(text: str) -> None:
    assert emphasis.typed(emphasis.marked(text)) == text


@given(st.lists(st.sampled_from([*SIGNS, "a", " ", "\n\n", "é"]), max_size=12).map("".join))
def test_every_paragraph_has_whole_marks(text: str) -> None:
    for part in emphasis.paragraphs(text):
        opened: list[str] = []
        for sign in filter(SIGNS.__contains__, part):
            if sign in (SIGNS.emphasis, SIGNS.strong):
                opened.append(sign)
            else:
                assert opened.pop() == SIGNS[SIGNS.index(sign) - 1]
        assert opened == []


def test_typed_sign_characters_are_written_as_code_points() -> None:
    assert emphasis.marked("a \ufde0b\ufde1 *c*") == f"a ⟦U+FDE0⟧b⟦U+FDE1⟧ {SIGNS[0]}c{SIGNS[1]}"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("*a* **b** ***c***", "*a* **b** **_c_**"),
        ("**a *b***", "**a _b_**"),
        ("*a* [x](y) \\*z\\*", r"*a* \[x\](y) \*z\*"),
    ],
)
def test_markdown_has_no_stars_beside_stars(typed: str, shown: str) -> None:
    assert emphasised(emphasis.marked(typed)) == shown


@pytest.mark.parametrize(
    ("said", "tagged"),
    [
        ("I *really* mean it: go **now**.", "“I *really* mean it: go **now**,” says Pell."),
        ("Is it *now?*", "“Is it *now?*” asks Pell."),
        ("*Quick. Run.*", "“*Quick,*” says Pell. “*Run.*”"),
    ],
)
def test_a_speech_tag_follows_emphasis(tmp_path: Path, said: str, tagged: str) -> None:
    page = export(
        "markdown",
        exported(
            tmp_path, f"cast Pell by=Ada\nsession\nnarrate: It is late.\nsay Pell: {said}\n", voice="prose"
        ),
    ).decode()

    assert tagged in page


def test_every_format_of_a_story_is_read_here() -> None:
    assert {*READERS, "pdf"} == {*EXPORTS}
