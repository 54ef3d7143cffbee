"""A card of a moment in a browser: what is written on it stays in its room, and nothing on it acts."""

from __future__ import annotations

import pytest

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.postcards import Postcard, postcard, rendered
from retold.projections.postcards.fitting import HEIGHT, WIDTH, laid_out
from retold.projections.postcards.formats import draw_svg
from retold.projections.postcards.value import Die, Fallen, PersonState
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.texts import safe
from tests.pages.conftest import Open, Visit, within_reach
from tests.pages.test_hostile import check
from tests.projections.payloads import PAYLOADS
from tests.projections.twins import Twins

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

BOXES = "all => all.map(one => { const box = one.getBBox(); return [box.x, box.width]; })"


def cards(campaign: CampaignStore) -> list[Postcard]:
    """A card of every tenth moment."""
    reading = LineView(campaign, 1)
    return [postcard(reading, one.position, VOICES["report"]) for one in list(reading.recorded())[::10]]


def on_one_page(visit: Open, cards: list[Postcard]) -> Visit:
    """These cards, one under the other."""
    return visit(f"<!DOCTYPE html><title>C</title>{''.join(map(draw_svg, cards))}".encode())


def over_the_edge(seen: Visit, cards: list[Postcard]) -> list[str]:
    """The lines of these cards, all on one page, that are wider than their room."""
    found: list[str] = []
    texts = [text for one in cards for text in laid_out(one).texts]
    boxes = seen.page.eval_on_selector_all("text", BOXES)
    assert len(texts) == len(boxes)
    for text, (x, wide) in zip(texts, boxes, strict=True):
        if wide > text.room + 1 or x < 0 or x + wide > WIDTH:
            found.append(f"{text}: {x} {wide}")
        assert text.y < HEIGHT
    return found


def test_all_that_is_written_stays_in_its_room(campaign: CampaignStore, visit: Open) -> None:
    made = cards(campaign)
    seen = on_one_page(visit, made)

    assert over_the_edge(seen, made) == []
    assert seen.tried == []


def crowded(words: str) -> Postcard:
    """A card on which that is written wherever something can be."""
    line = " ".join(words.split()) or "-"
    heaps = tuple(Fallen(line, cards=("JH", line), dice=(Die(6, 3), Die(100, 100))) for _ in range(4))
    stands = tuple(PersonState(line, dice=(1, 2, 3), said=line, out=True) for _ in range(5))
    return Postcard("e1", line, line, words, line, fell=heaps, came=line, stands=stands)


def test_whatever_is_typed_does_too(visit: Open) -> None:
    typed = [*PAYLOADS, "HNUMW" * 1000, "x" * 5000, "骰" * 900, "שלום " * 900, "👨‍👩‍👧" * 99]
    made = [crowded(safe.text(words)) for words in typed]

    assert over_the_edge(on_one_page(visit, made), made) == []


def test_a_page_of_it_is_within_everybodys_reach(campaign: CampaignStore, visit: Open, turn: int) -> None:
    within_reach(visit(rendered(cards(campaign)[-1], "html")), turn=turn)


def test_a_card_does_nothing(twins: Twins, visit: Open) -> None:
    for one in cards(twins.hostile)[::5]:
        check(visit(rendered(one, "html"), unguarded=True))
