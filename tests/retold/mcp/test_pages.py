"""Answers come in pages that fit, and a cursor goes on behind what was received."""

from __future__ import annotations

import json

import pytest

import retold
from retold.mcp.protocol.pages import Listed
from tests.retold.mcp.assistant import LARGEST


def items(number: int, *, size: int = 1_000) -> list[dict[str, str]]:
    return [{"id": f"e{nth}", "text": "x" * size} for nth in range(number)]


def test_every_item_is_on_one_page_and_each_page_fits() -> None:
    listed, after, found = Listed(items(100)), "", []
    while True:
        page = listed.page(after, 10**9)
        assert len(json.dumps(page).encode()) <= LARGEST
        found += page["items"]
        after = page["cursor"]
        if not page["more"]:
            break

    assert found == items(100)


def test_a_limit_makes_pages_smaller() -> None:
    page = Listed(items(3)).page("", 2)

    assert (page["items"], page["more"]) == (items(2), True)


def test_what_is_added_later_follows_the_cursor() -> None:
    listed = Listed(items(2))
    cursor = listed.page("", 100)["cursor"]
    listed.extend([{"id": "late"}])

    assert listed.page(cursor, 100)["items"] == [{"id": "late"}]


def test_a_change_before_the_cursor_is_a_reset() -> None:
    listed = Listed(items(3))
    cursor = listed.page("", 100)["cursor"]
    listed.drop(2)
    listed.extend([{"id": "otherwise"}, {"id": "e2"}])

    assert listed.page(cursor, 100) == {"reset": True, "items": [], "cursor": "", "more": True}


def test_a_change_behind_the_cursor_is_none() -> None:
    listed = Listed(items(3))
    cursor = listed.page("", 1)["cursor"]
    listed.drop(1)
    listed.extend([{"id": "otherwise"}])

    assert [item["id"] for item in listed.page(cursor, 100)["items"]] == ["e1", "otherwise"]


@pytest.mark.parametrize("text", ["y" * 60_000, "\U0001f409" * 20_000, "\x01" * 20_000, '"\\' * 20_000])
def test_an_item_larger_than_an_answer_is_shortened(text: str) -> None:
    page = Listed([{"id": "e0", "text": text}, {"id": "e1"}]).page("", 100)

    assert len(json.dumps(page, ensure_ascii=False).encode()) <= LARGEST
    assert page["items"][0].keys() == {"id", "shortened"}
    assert page["items"][1] == {"id": "e1"}


@pytest.mark.parametrize("after", ["e9", "1", "5.0123456789abcdef", "e0 ", "0.0000000000000000"])
def test_an_unknown_place_is_refused_or_a_reset(after: str) -> None:
    listed = Listed(items(2))
    if "." in after:
        assert listed.page(after, 100)["reset"]
    else:
        with pytest.raises(retold.Refused, match="No item has the id"):
            listed.page(after, 100)
