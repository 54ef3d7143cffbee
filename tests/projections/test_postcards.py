"""A card of one moment: what stands on it, how it is set, and what it never shows."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from retold.journal.capabilities import Picture, Row
from retold.journal.extras import Extra
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.maps.text_fitting import text_length
from retold.projections.postcards import formats, postcard, rendered
from retold.projections.postcards.fitting import HEIGHT, MARGIN, ROOM, Laid, Text, laid_out
from retold.projections.postcards.formats import draw_svg
from retold.projections.postcards.value import Die, Fallen, PersonState, Postcard
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.scribe import Scribe
from tests.projections.evening import Table
from tests.projections.played import EXAMPLES, FEW, named, played

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=FEW, ids=named)
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CampaignStore]:
    """Every example, played."""
    with played(request.param, tmp_path_factory.mktemp("cards")) as one:
        yield one


@pytest.fixture(scope="module")
def three_hands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampaignStore]:
    """The example of Bruise."""
    path = next(one for one in EXAMPLES if one.stem == "three-hands")
    with played(path, tmp_path_factory.mktemp("hands")) as one:
        yield one


def where(campaign: CampaignStore, kind: type[Event]) -> int:
    """The position of the first event of a kind."""
    return next(one.position for one in LineView(campaign, 1).recorded() if isinstance(one.event, kind))


def card_at(
    campaign: CampaignStore, position: int, *, mechanics: bool = True, voice: str = "report"
) -> Postcard:
    return postcard(LineView(campaign, 1), position, VOICES[voice], mechanics=mechanics)


def written(one: Postcard) -> list[str]:
    """The lines of text on a card."""
    return [text.text for text in laid_out(one).texts]


# --- what stands on it ------------------------------------------------------------------------------------


def test_it_has_where_that_was_who_says_what_the_cards_and_what_came_of_them(
    three_hands: CampaignStore,
) -> None:
    made = card_at(three_hands, where(three_hands, e.Declared))

    assert (made.campaign, made.where) == (
        "The Tide Tables",
        "Session 1: High Water · The watch-house stair · Down to the sea door",
    )
    assert (made.label, made.words) == (
        "Ysolde declares",
        "I put my shoulder into the first one and take him down the stair with me.",
    )
    assert made.fell == (Fallen("Ysolde", cards=("JH", "JD", "10S", "7C", "4C", "3D")),)
    assert made.came == "Ysolde wins over Watchmen: Quality J against 9, Quantity 3, hearts or diamonds"
    assert [one.name for one in made.stands] == ["Ysolde"]


def test_words_told_afterwards_are_about_what_still_lies_there(three_hands: CampaignStore) -> None:
    made = card_at(three_hands, where(three_hands, e.Narrated))

    assert made.fell == (Fallen("Ysolde", cards=("JH", "JD", "10S", "7C", "4C", "3D")),)
    assert made.came == "Ysolde wins over Watchmen: Quality J against 9, Quantity 3, hearts or diamonds"


def test_cards_that_were_drawn_are_told_by_the_words_they_stand_with(three_hands: CampaignStore) -> None:
    made = card_at(three_hands, where(three_hands, e.CardsDrawn))

    assert made.label == "Ysolde declares"
    assert made.fell == (Fallen("Ysolde", cards=("JH", "JD", "10S", "7C", "4C", "3D")),)


def test_without_mechanics_there_are_words_alone(three_hands: CampaignStore) -> None:
    made = card_at(three_hands, where(three_hands, e.CardsDrawn), mechanics=False)

    assert made.words == "I put my shoulder into the first one and take him down the stair with me."
    assert (made.fell, made.came, made.stands) == ((), "", ())


def test_a_session_that_opens_has_its_words_and_one_without_any_its_title(three_hands: CampaignStore) -> None:
    assert card_at(three_hands, where(three_hands, e.SessionOpened)).words == (
        "The harbour watch has Ysolde, and the tide turns at four."
    )
    conflict = card_at(three_hands, where(three_hands, e.ConflictOpened))
    assert (conflict.words, conflict.heading) == ("Down to the sea door", True)
    before = card_at(three_hands, where(three_hands, e.CastIntroduced))
    assert (before.words, before.heading, before.campaign, before.where) == ("The Tide Tables", True, "", "")


def test_a_session_that_ends_says_so_in_its_words_alone(three_hands: CampaignStore) -> None:
    made = card_at(three_hands, where(three_hands, e.SessionClosed))

    assert made.where.startswith("Session 1: High Water")
    assert (made.fell, made.came) == ((), "")


def test_every_moment_that_counts_has_a_card_in_every_voice(campaign: CampaignStore) -> None:
    for one, voice in zip(list(LineView(campaign, 1).recorded())[::7], cycle(VOICES), strict=False):
        made = card_at(campaign, one.position, voice=voice)

        root = ET.fromstring(draw_svg(made).encode())
        assert made.words.strip()
        assert (root.get("width"), root.get("height")) == ("1200", "630")
        assert root.findtext(f"{SVG}title") == made.title
        told = root.findtext(f"{SVG}desc") or ""
        assert " ".join(made.words.split()) in told


def test_what_does_not_count_has_none(table: Table) -> None:
    gone = table.campaign.record.head(1).position
    scribe = Scribe(table.campaign, 1)
    for eyes, sentence in (("gm", "was undone"), ("table", "may be shown to them")):
        scribe.say("undo")
        with pytest.raises(Refused, match=sentence):
            postcard(LineView(table.campaign, 1).called(eyes), gone, VOICES["report"])
        scribe.say("redo")
    with pytest.raises(Refused, match="has not come yet"):
        card_at(table.campaign, gone + 99)


# --- how it is set ----------------------------------------------------------------------------------------


def lines(laid: Laid) -> list[Text]:
    return [one for one in laid.texts if one.sort == "words"]


def test_short_words_are_large_and_long_ones_are_shortened_at_a_word() -> None:
    short = lines(laid_out(Postcard("e1", "C", "", "Out.")))
    long = lines(laid_out(Postcard("e1", "C", "", "the tide " * 600)))

    assert [(one.text, one.size) for one in short] == [("Out.", 72)]
    assert {one.size for one in long} == {20}
    assert long[-1].text.endswith(("tide…", "the…"))
    assert all(one.y <= HEIGHT - MARGIN / 2 for one in long)
    assert all(one.text == one.text.strip() for one in long)


@pytest.mark.parametrize("word", ["x" * 5000, "骰" * 5000, "👨‍👩‍👧" * 1000, "שלום" * 900])
def test_a_word_without_an_end_stays_within_its_lines(word: str) -> None:
    laid = lines(laid_out(Postcard("e1", "C", "", word)))

    assert len(laid) > 3
    assert laid[-1].text.endswith("…")
    assert all(one.text[:1] not in "\u200d\ufe0f" for one in laid)


def test_forty_dice_are_drawn_as_far_as_they_fit_and_the_rest_is_counted() -> None:
    pool = Fallen("Zel", dice=tuple(Die(6, 1) for _ in range(40)))
    laid = laid_out(Postcard("e1", "C", "", "I roll.", fell=(pool,)))

    drawn = sum(one.sort == "die" for one in laid.shapes)
    assert drawn == sum(one.sort == "pip" for one in laid.shapes)
    assert f"+{40 - drawn}" in [one.text for one in laid.texts]
    assert all(one.x >= MARGIN and one.x + one.width <= MARGIN + ROOM for one in laid.shapes)


def test_dice_that_do_not_count_are_paler_and_two_heaps_have_their_names() -> None:
    heaps = (
        Fallen("Zel", dice=(Die(20, 6, counts=False), Die(20, 9))),
        Fallen("Odo", dice=(Die(0, -1), Die(0, 0), Die(0, 1), Die(None, 5))),
    )
    laid = laid_out(Postcard("e1", "C", "", "I roll.", fell=heaps))

    assert [one.sort for one in laid.shapes if one.sort.startswith("many")] == ["many idle", "many"]
    shown = [one.text for one in laid.texts]
    assert shown[shown.index("Zel") :] == ["Zel", "6", "9", "Odo", "−", "+", "5"]  # noqa: RUF001 -- as it is drawn


def test_what_runs_from_the_right_says_so_and_typst_is_told_by_signs() -> None:
    made = Postcard("e1", "ים", "", "שלום, hello")

    assert 'text-anchor="end" direction="rtl">ים<' in draw_svg(made)
    assert 'text-anchor="middle" direction="rtl">שלום, hello<' in draw_svg(made)
    printed = draw_svg(made, printed=True)
    assert "direction" not in printed
    assert f"\u2067{made.words}\u2069" in printed


def test_names_are_text_whatever_is_in_them() -> None:
    nasty = '<script>alert(1)</script>"&{{ 7 * 7 }}'
    made = Postcard("e1", nasty, nasty, nasty, nasty, came=nasty, stands=(PersonState(nasty, said=nasty),))

    for format_ in ("svg", "html"):
        page = rendered(made, format_).decode()
        assert "<script" not in page
        assert "{{ 7 * 7 }}" in page
    ET.fromstring(draw_svg(made).encode())


# --- its formats ------------------------------------------------------------------------------------------


def test_a_png_is_as_large_as_a_preview_whatever_is_written_on_it() -> None:
    for words in ("The tide turns.", "骰子 🎲", "שָׁלוֹם"):
        made = rendered(Postcard("e1", "C", "", words), "png")

        assert made[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", made[16:24]) == (1200, 630)


def test_the_same_card_is_the_same_bytes(three_hands: CampaignStore) -> None:
    for format_ in formats.FORMATS:
        assert rendered(card_at(three_hands, 30), format_) == rendered(card_at(three_hands, 30), format_)


def test_a_page_says_what_it_shows_and_asks_for_nothing(three_hands: CampaignStore) -> None:
    made = card_at(three_hands, where(three_hands, e.Declared))
    page = rendered(made, "html").decode()

    assert "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" in page
    assert f'<meta property="og:title" content="{made.title}">' in page
    assert f"<title>{made.title}</title>" in page
    assert page.count("http") == page.count("http-equiv") + page.count("http://www.w3.org/2000/svg")


def test_without_typst_a_png_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "TYPST", Extra("typst", "no_such_module", "pdf"))

    with pytest.raises(Refused, match=r"^PNG needs typst, which is an extra"):
        rendered(Postcard("e1", "C", "", "Out."), "png")
    with pytest.raises(Refused, match="is svg, png, html, not gif"):
        rendered(Postcard("e1", "C", "", "Out."), "gif")


def played_at(tmp_path: Path, lines: str) -> CampaignStore:
    campaign = CampaignStore.create(tmp_path / "played.retold")
    scribe = Scribe(campaign, 1)
    for line in lines.splitlines():
        scribe.say(line)
    return campaign


def test_N16_words_are_shown_over_the_speakers_own_dice_or_none(tmp_path: Path) -> None:
    lines = """\
cast gm by=Eve
cast Pip by=Jo
cast Odalys by=Lu
session One
roll Odalys d20 vs 15 = 4
narrate gm: The rope holds.
say Odalys: I had it.
say Pip: No wonder.
"""
    with played_at(tmp_path, lines) as campaign:
        said = [one for one in LineView(campaign, 1).recorded() if isinstance(one.event, e.Said | e.Narrated)]
        by_gm, by_odalys, by_pip = (card_at(campaign, one.position) for one in said)

    assert [[die.face for die in heap.dice] for heap in by_gm.fell] == [[4]]
    assert [heap.who for heap in by_odalys.fell] == ["Odalys"]
    assert (by_pip.words, by_pip.fell, by_pip.came) == ("“No wonder.”", (), "")


def test_N16_a_winners_words_are_shown_over_the_winners_cards(tmp_path: Path) -> None:
    lines = """\
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
session S
conflict "Out" bruise Zel vs Legionnaires
declare Zel: I'd run one guard through.
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
draw Legionnaires 4 = 9D 8S 5C 2H
colour Zel hearts
narrate Zel: One last cry, and the line breaks.
"""
    with played_at(tmp_path, lines) as campaign:
        made = card_at(campaign, where(campaign, e.Narrated))

    assert made.fell == (Fallen("Zel", cards=("JH", "JD", "10S", "7C", "4C", "3D")),)
    assert made.came.startswith("Zel wins over Legionnaires")


FERRY = """\
game d20
cast Oda str=3 dex=1 health=10
cast "Brother Tam" wis=4 health=9
session One
scene "Under the pier"
roll Oda check str vs 12 = 18: She gets the boat off the mud.
roll "Brother Tam" check wis = 15
roll Oda check dex = 9
"""


def test_G13_a_card_has_the_words_and_dice_of_one_act(tmp_path: Path) -> None:
    with played_at(tmp_path, FERRY) as campaign:
        cards = [
            card_at(campaign, recorded.position)
            for recorded in LineView(campaign, 1).recorded()
            if isinstance(recorded.event, e.DiceRolled)
        ]

    shown = [(made.words, [die.face for heap in made.fell for die in heap.dice], made.came) for made in cards]
    assert shown == [
        ("She gets the boat off the mud.", [18], "Oda: 1d20+3[str] is 21 against 12, passed by 9"),
        ("Under the pier", [15], "Brother Tam: 1d20+4[wis] is 19"),
        ("Under the pier", [9], "Oda: 1d20+1[dex] is 10"),
    ]


def test_G13_an_eleven_letter_name_fits_under_one_die() -> None:
    heaps = (
        Fallen("Ilka", dice=(Die(20, 8),)),
        Fallen("Brother Tam", dice=(Die(20, 15),)),
        Fallen("Quill", dice=(Die(20, 3),)),
    )
    laid = laid_out(Postcard("e1", "C", "", "I roll.", fell=heaps))

    names = [one for one in laid.texts if one.text in ("Ilka", "Brother Tam", "Quill")]
    assert [one.text for one in names] == ["Ilka", "Brother Tam", "Quill"]
    ends = [one.x + text_length(one.text, one.size) for one in names]
    assert all(end < following.x for end, following in zip(ends, names[1:], strict=False))


def test_G13_a_track_of_eleven_letters_is_named_whole_beside_its_box() -> None:
    box = Row("Oda", "inspiration", 0, 1, Picture.BOXES)
    people = tuple(PersonState(name, (box,)) for name in ("Oda", "Ilka", "Quill", "Pip", "Bo"))

    laid = laid_out(Postcard("e1", "C", "", "I roll.", stands=people))
    assert [one.text for one in laid.texts].count("inspiration") == len(people)
