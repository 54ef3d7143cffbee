"""Pictures on pages: they are shown, described, and within everybody's reach, and colours can be read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import retold
from retold.journal.pictures import data_uri
from tests.pages.conftest import Open, within_reach

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")
pillow = pytest.importorskip("PIL.Image")


def drawn(colour: str) -> str:
    file = io.BytesIO()
    pillow.new("RGB", (600, 400), colour).save(file, "PNG")
    return data_uri("image/png", file.getvalue())


@pytest.mark.parametrize("form", ["html", "replay"])
def test_pictures_are_shown_and_colours_can_be_read(form: str, tmp_path: Path, visit: Open) -> None:
    with retold.new(tmp_path / "harbour.retold") as campaign:
        for line in (
            "cast Zel by=Jon: A smuggler",
            "cast Kit",
            f'cover "{drawn("navy")}" alt="A road at night" credit="Mara Lind"',
            f'portrait Zel "{drawn("brown")}" alt="A woman in red"',
            "tint Zel #7a2e1d",
            "tint Kit #ffd0d0",
            "session The Long Ebb",
            "scene The harbour",
            f'image quay "{drawn("gold")}" alt="Three boats in fog" credit="Mara Lind": The quay lay empty.',
            "say Zel: Not today.",
            "say Kit: Then when?",
        ):
            campaign.say(line)
        seen = visit(campaign.seen_by("table").export(form))

    if form == "replay":
        seen.page.keyboard.press("a")  # what is ahead is shown, and the page stays at its top
    quay = seen.page.get_by_alt_text("Three boats in fog")
    quay.wait_for()
    shown = "all => all.map(one => one.complete && one.naturalWidth)"
    seen.page.evaluate("Promise.all([...document.images].map(one => one.decode()))")
    assert seen.page.eval_on_selector_all("img", shown) == [600] * (3 if form == "html" else 2)
    within_reach(seen)
