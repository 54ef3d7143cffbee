"""The language of a table's words, and the side from which a page sets them."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfReader

import retold
from retold.journal.vocabulary.events import OptionSet
from retold.projections.texts.safe import is_right_to_left

EVENING = (
    'campaign "La barca"',
    "cast gm by=María",
    "cast Zel by=Jon",
    "session Uno",
    "narrate: La barca no se ha movido.",
    "say Zel: ¡Corre!",
    "roll Zel 2d6+1 = 3 4",
    "end session",
)
HEBREW = (
    'campaign "הגשר"',
    "cast gm by=נועה",
    "cast דן by=Dan",
    "session הערב",
    "scene הנמל",
    'narrate: הגשם לא פסק מאז הצהריים, ו-Zel אמרה "run!" (פעמיים).',  # noqa: RUF001 -- Hebrew
    "say דן: שלום, אני רואה 3 שומרים.",
    "narrate: Rain, all day.",
    "roll דן 2d6+1 = 3 4",
    "end session",
)


def told(tmp_path: Path, *lines: str) -> retold.Campaign:
    campaign = retold.new(tmp_path / "a.retold")
    for line in lines:
        campaign.say(line)
    return campaign


def part(document: bytes, name: str) -> str:
    return zipfile.ZipFile(io.BytesIO(document)).read(name).decode()


@pytest.mark.parametrize(
    ("typed", "stored"), [("es", "es"), ("PT-br", "pt-BR"), ("zh_hant_tw", "zh-Hant-TW"), ("Voice", "voice")]
)
def test_B15_a_table_names_the_language_of_its_words_once(tmp_path: Path, typed: str, stored: str) -> None:
    with told(tmp_path) as campaign:
        done = campaign.say(f"option table.language={typed}")

        assert done.events == (OptionSet(system=None, key="language", value=stored, text=None),)


def test_B15_a_language_is_named_by_its_tag(tmp_path: Path) -> None:
    with told(tmp_path) as campaign, pytest.raises(retold.Refused) as refused:
        campaign.say("option language=Spanish")

    assert str(refused.value) == (
        "A table knows language=voice|the tag of a language (es, he, pt-BR), not Spanish."
    )


def test_B15_pages_say_the_language_of_the_words_and_of_retolds_own(tmp_path: Path) -> None:
    with told(tmp_path, *EVENING, "option table.language=es") as campaign:
        page = campaign.export("html").decode()
        book = campaign.export("epub", "book")
        document = campaign.export("docx")

    assert '<html lang="es">' in page
    assert '<h2 id="cast" lang="en">' in page
    assert '<details lang="en">' in page
    assert "<dc:language>es</dc:language>" in part(book, "book/package.opf")
    assert 'lang="es" xml:lang="es"' in part(book, "book/title.xhtml")
    assert 'w:lang w:val="es"' in part(document, "word/styles.xml")
    assert '<w:lang w:val="en"/>' in part(document, "word/document.xml")
    assert "<dc:language>es</dc:language>" in part(document, "docProps/core.xml")


def test_B15_a_pdf_says_the_language_of_the_words_and_of_retolds_own(tmp_path: Path) -> None:
    with told(tmp_path, *EVENING, "option table.language=es") as campaign:
        page = campaign.export("pdf")

    assert set(re.findall(rb"/Lang ?\(([^)]*)\)", page)) == {b"es", b"en"}


def test_B15_a_table_that_names_no_language_has_that_of_the_voice(tmp_path: Path) -> None:
    with told(tmp_path, *EVENING) as campaign:
        page = campaign.export("html").decode()

    assert re.findall(r' lang="[^"]*"', page) == [' lang="en"']


def test_B15_other_languages_have_no_english_speech_tag(tmp_path: Path) -> None:
    with told(tmp_path, *EVENING) as campaign:
        before = campaign.tell(voice="prose")
        campaign.say("option table.language=es")
        after = campaign.tell(voice="prose")

    assert "said Zel" in before
    assert "said" not in after
    assert "**Zel:** “¡Corre!”" in after


def test_B15_a_language_that_retold_speaks_gives_the_phrases(tmp_path: Path) -> None:
    with told(tmp_path, *EVENING, "option table.language=de-AT") as campaign:
        page = campaign.export("html", voice="prose").decode()

    assert set(re.findall(r' lang="[^"]*"', page)) == {' lang="de-AT"'}
    assert "sagte Zel" in page


def test_B15_a_replay_names_the_language_of_the_words(tmp_path: Path) -> None:
    with told(tmp_path, *EVENING, "option table.language=es") as campaign:
        page = campaign.export("replay").decode()

    assert '<html lang="en">' in page
    assert '<main lang="es">' in page


@pytest.mark.parametrize(
    ("text", "is_from_right"),
    [("שלום Zel", True), ("3 “مرحبا”", True), ("Zel שלום", False), ("12 …", False), ("", False)],
)
def test_B16_the_first_letter_says_the_direction(text: str, *, is_from_right: bool) -> None:
    assert is_right_to_left(text) is is_from_right


def test_B16_a_document_sets_hebrew_from_the_right(tmp_path: Path) -> None:
    with told(tmp_path, *HEBREW) as campaign:
        text = part(campaign.export("docx", voice="prose"), "word/document.xml")

    blocks = re.findall(r"<w:p>.*?</w:p>", text, re.DOTALL)
    hebrew = [block for block in blocks if "הגשם" in block or "שלום" in block]
    latin = [block for block in blocks if "Rain" in block]
    assert [("<w:bidi/>" in block, "<w:rtl/>" in block) for block in hebrew] == [(True, True)] * 2
    assert [("<w:bidi/>" in block, "<w:rtl/>" in block) for block in latin] == [(False, False)]


def test_B16_letters_of_hebrew_have_the_size_of_others(tmp_path: Path) -> None:
    with told(tmp_path, *HEBREW) as campaign:
        styles = part(campaign.export("docx", voice="prose"), "word/styles.xml")

    sizes = re.findall(r'<w:sz w:val="(\d+)"/>\s*<w:szCs w:val="(\d+)"/>', styles)
    assert sizes
    assert all(latin == hebrew for latin, hebrew in sizes)


def test_B16_hebrew_is_bold_and_slanted_where_it_is_marked(tmp_path: Path) -> None:
    with told(tmp_path, *HEBREW[:5], "narrate: שלום **מהר** *אז*.", "end session") as campaign:
        text = part(campaign.export("docx", voice="prose"), "word/document.xml")

    runs = re.findall(r"<w:r>.*?</w:r>", text, re.DOTALL)
    (strong,) = (run for run in runs if "מהר" in run)
    (slanted,) = (run for run in runs if "אז" in run)
    assert re.search(r'<w:b/>\s*<w:bCs w:val="1"/>', strong)
    assert re.search(r'<w:i/>\s*<w:iCs w:val="1"/>', slanted)


def test_B16_a_pdf_sets_hebrew_from_the_right(tmp_path: Path) -> None:
    with told(tmp_path, *HEBREW[:5], "narrate: שלום.", "end session") as campaign:
        hebrew = _left_of(campaign.export("pdf"), "שלום")
    with told(tmp_path / "..", *HEBREW[:5], "narrate: Rain.", "end session") as campaign:
        latin = _left_of(campaign.export("pdf"), "Rain")

    assert latin < 100
    assert hebrew > 300


def _left_of(pdf: bytes, words: str) -> float:
    """Returns how far from the left edge a text stands on the first page, in points."""
    found: list[float] = []

    def visit(text: str, page: list[float], line: list[float], *_: object) -> None:
        if words in text or words[::-1] in text:
            found.append(page[4] + line[4] * page[0])

    PdfReader(io.BytesIO(pdf)).pages[0].extract_text(visitor_text=visit)
    return found[0]


def test_B16_hebrew_has_no_english_speech_tag(tmp_path: Path) -> None:
    with told(tmp_path, *HEBREW) as campaign:
        assert "said" not in campaign.tell(voice="prose")
