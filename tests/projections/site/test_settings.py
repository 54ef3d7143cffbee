"""A site's own settings: which file they are in, what may be in it, and what becomes of the pages."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.projections.exports import html
from retold.projections.exports.typesetting import DISPLAY_FILE
from retold.projections.site.addresses import FONT
from retold.projections.site.settings import (
    COMMENTED,
    SiteSettings,
    settings_file,
    settings_in,
    styled,
)
from retold.projections.texts.tints import CONTRAST, contrast


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('titel = "x"', "line 1: titel: there is no such key, did you mean title?"),
        ("title = 3", "line 1: title: this has to be a text in quotation marks."),
        ('\npaper = "pink"', "line 2: paper: this has to be one of light, sepia, dark."),
        ('accent = "red"', 'line 1: accent: this has to be a colour such as "#7a2e1d".'),
        ('typeface = "times"', "line 1: typeface: this has to be one of caslon, serif, sans."),
        ('language = "xx"', "line 1: language: this has to be one of en, de, fr."),
        ("title = ", "line 1: invalid value."),
    ],
)
def test_a_wrong_key_or_value_is_refused_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "site.toml"
    path.write_text(text, "utf-8")

    with pytest.raises(Refused) as refused:
        settings_in(path)

    assert str(refused.value) == f"{path}, {says}"


def test_the_file_with_comments_holds_the_defaults_and_names_every_key(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(COMMENTED, "utf-8")
    keys = re.sub(r"(?m)^# (?=\w+ = )", "", COMMENTED)

    assert settings_in(tmp_path / "site.toml") == SiteSettings(accent="#7a2e1d")
    assert set(tomllib.loads(keys)) == set(SiteSettings.__struct_fields__)


def test_a_campaign_among_others_has_a_file_of_its_own(tmp_path: Path) -> None:
    road, own = Address.of_file(tmp_path / "road.retold"), tmp_path / "road.site.toml"
    (tmp_path / "road.retold").touch()

    assert settings_file(road, is_new=True) == tmp_path / "site.toml"
    (tmp_path / "ebb.retold").touch()
    assert settings_file(road, is_new=True) == own
    assert settings_file(road) == tmp_path / "site.toml"
    own.touch()
    assert settings_file(road) == own


def test_the_font_has_the_name_of_its_bytes() -> None:
    assert hashlib.sha256(DISPLAY_FILE.read_bytes()).hexdigest().startswith(Path(FONT).stem)


def variables(css: str) -> dict[str, str]:
    """The last value of each colour, where no condition holds but that the page is on a screen."""
    rules = re.findall(r"(?:@media (screen|not all|print|\(.*?\)) )?{?\s*:root {(.*?)}", css, re.DOTALL)
    shown = "".join(body for condition, body in rules if condition in ("", "screen"))
    return dict(re.findall(r"(--\w+): (#\w{6})", shown))


@pytest.mark.parametrize("paper", ["light", "sepia", "dark"])
@pytest.mark.parametrize("accent", ["#ffff00", "#101010", "#1f5d8f"])
def test_an_accent_can_be_read_on_every_paper(paper: str, accent: str) -> None:
    css = styled(html.style().decode(), SiteSettings(paper=paper, accent=accent))  # type: ignore[arg-type]
    found = variables(css)

    assert "prefers-color-scheme" not in css
    for ink in ("--ink", "--soft", "--accent"):
        for ground in ("--paper", "--panel"):
            pair = (bytes.fromhex(found[one][1:]) for one in (ink, ground))
            assert contrast(*pair) >= CONTRAST, (ink, ground)
