"""Pictures: taken in clean and small, kept in the record, shown to whom they are for, taken away for good."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

import retold
from retold.drafts.leaks import KnownOnlyToOthers
from retold.journal.extras import Extra
from retold.journal.pictures import MOST_PIXELS, data_uri, is_data_uri, measured, recorded_picture
from retold.journal.store.writing.campaign import CampaignStore
from retold.picture_files import written_anew
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.texts.tints import CONTRAST, DARK, LIGHT, contrast, readable
from tests.cli.service.phone import serving
from tests.cli.shell import Shell
from tests.projections.unpacked import unpacked

SCRIPT = """\
cast Zel by=Jon: A smuggler, lately caught
cast Kit by=Mia
cast Rusk --gm: The captain
cover cover.png alt="A road ""<b onload=x>"" & a moon" credit="Mara <i> & ""Lind"" & co"
portrait Zel zel.png alt="A woman in red" credit="Jo Rye"
portrait Rusk rusk.png alt="A man with one eye" --gm
tint Zel #7a2e1d
tint Kit FFD0D0
session The Long Ebb --date 2026-03-14
scene The harbour: Rain since noon.
image quay quay.jpg alt="Three boats in fog" credit="Mara Lind": The quay lay empty.
say Zel: Not today.
say Kit: Then when?
handout letter letter.webp alt="Come alone, in green ink" --to Zel
image trap trap.png alt="A trapdoor under the rug" --gm
say Zel: "Read it yourself."
"""
FORMATS = {".mpo": "MPO", ".jpg": "JPEG", ".png": "PNG", ".webp": "WEBP"}
SECRETS = {"rusk.png": "A man with one eye", "letter.webp": "green ink", "trap.png": "A trapdoor"}
"""What the table may not see: the file, and words of what it shows."""


def drawn(folder: Path, name: str, colour: str, size: tuple[int, int] = (40, 60)) -> None:
    Image.new("RGB", size, colour).save(folder / name)


def drawn_for(folder: Path) -> None:
    """Draws the pictures that the script names."""
    colours = ("navy", "brown", "gold", "grey", "green", "black")
    files = ("cover.png", "zel.png", "rusk.png", "quay.jpg", "letter.webp", "trap.png")
    for name, colour in zip(files, colours, strict=True):
        drawn(folder, name, colour)


@pytest.fixture
def told(shell: Shell) -> Shell:
    """A shell with an evening in `harbour.retold` that has pictures for various eyes."""
    drawn_for(shell.folder)
    shell.done("new", "harbour")
    shell.play(SCRIPT, "harbour.retold")
    return shell


def photo(folder: Path) -> None:
    """A large photo that lies on its side, with words in its metadata."""
    lying = Image.effect_noise((2100, 500), 60).convert("RGB")
    about = Image.Exif()
    about[0x0112] = 6
    about[0x010E] = "TAKEN AT HOME"
    lying.save(folder / "photo.jpg", exif=about, icc_profile=b"PROFILE" * 30, quality=60)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *more: bytes) -> bytes:
    """A PNG whose header gives this size, with a few pixels only."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(bytes(1 + 3 * width) * min(height, 9)))
    return b"".join((b"\x89PNG\r\n\x1a\n", head, *more, pixels, chunk(b"IEND", b"")))


def test_a_photo_is_written_anew_upright_and_small_with_nothing_but_its_pixels(shell: Shell) -> None:
    photo(shell.folder)
    shell.done("image", "quay", "photo.jpg", "alt=A quay")

    with retold.open("evening.retold", read_only=True) as campaign:
        kept = campaign.picture(campaign.happened()[-1].id)

    assert kept is not None
    assert kept.media == "image/jpeg"
    assert (kept.width, kept.height) == (476, MOST_PIXELS)
    assert b"TAKEN AT" not in kept.data
    assert b"PROFILE" not in kept.data
    assert measured(kept.data) == kept
    assert b"TAKEN AT" not in shell.folder.joinpath("evening.retold").read_bytes()


def test_what_is_no_still_picture_is_refused_with_one_sentence_and_nothing_is_recorded(shell: Shell) -> None:
    folder = shell.folder
    photo(folder)
    frames = [Image.new("RGB", (9, 9), (number, 0, 0)) for number in (0, 200)]
    frames[0].save(folder / "moving.webp", save_all=True, append_images=frames[1:])
    files = {
        "drawing.svg": (b'<?xml version="1.0"?><svg onload="alert(1)"/>', "may hold scripts"),
        "bomb.png": (png(10_000, 10_000), "more than 50 million pixels"),
        "cut.jpg": ((folder / "photo.jpg").read_bytes()[:9000], "breaks off"),
        "cut.png": (png(40, 40)[:-30], "breaks off"),
        "moving.webp": ((folder / "moving.webp").read_bytes(), "moves"),
        "words.png": (b"No picture at all", "is not a picture"),
        "empty.png": (b"", "is not a picture"),
        "large.png": (bytes(32_000_001), "is larger than 32,000,000 bytes"),
    }
    before = shell.bytes()
    for name, (data, why) in files.items():
        (folder / name).write_bytes(data)
        said = shell.refused("image", "quay", name, "alt=A quay")
        assert said.startswith(name)
        assert why in said
    assert shell.refused("cover", "nowhere.png", "alt=A road").startswith("nowhere.png cannot be read")
    assert shell.refused("cover", ".", "alt=A road").startswith(". cannot be read")
    assert "cover wants alt" in shell.say("cover", "photo.jpg").err
    assert shell.refused("cover", "photo.jpg", 'alt="  "').startswith("alt= is empty")
    assert "no title=" in shell.refused("cover", "photo.jpg", "alt=A road", "title=Road")
    assert "alt= is on this line twice" in shell.refused("cover", "photo.jpg", "alt=A", "alt=B")
    for colour in ("red", "#12345", "#ggg", "url(x)"):
        assert "is written as #7a2e1d" in shell.refused("tint", "Zel", colour)

    assert shell.bytes() == before


def test_every_sort_of_pixels_is_read() -> None:
    grey = Image.linear_gradient("L")
    deep = Image.frombytes("I;16", (256, 1), b"".join(struct.pack("<H", 256 * level) for level in range(256)))
    double = {"save_all": True, "append_images": [grey.convert("RGB")]}
    files: dict[str, tuple[Image.Image, dict[str, Any]]] = {
        "phone.mpo": (grey.convert("RGB"), double),
        "deep.png": (deep, {}),
        "print.jpg": (grey.convert("CMYK"), {}),
        "few.png": (grey.convert("P"), {"transparency": 0}),
        "ink.png": (grey.convert("1"), {}),
        "thin.webp": (Image.new("RGB", (1, 9000)), {}),
    }
    for name, (image, more) in files.items():
        file = io.BytesIO()
        image.save(file, FORMATS[Path(name).suffix], **more)
        kept = written_anew(file.getvalue(), name)
        assert measured(kept.data) == kept
        if name != "thin.webp":
            assert Image.open(io.BytesIO(kept.data)).convert("L").getextrema() == (0, 255)


def test_without_pillow_a_sentence_says_what_to_install(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(shell.folder, "quay.png", "navy")
    monkeypatch.setattr("retold.picture_files.PILLOW", Extra("Pillow", "no_such_module", "pictures"))
    assert "needs Pillow, which is an extra" in shell.refused("image", "quay", "quay.png", "alt=A quay")


def test_a_recorded_picture_goes_with_the_campaign_wherever_it_goes(told: Shell) -> None:
    whole = told.bytes("harbour.retold")
    told.done("load", "-", "again", stdin=whole)
    told.done("-c", "harbour", "copy", "harbour.retold", "copied.retold")
    assert told.bytes("again.retold") == told.bytes("copied.retold") == whole
    assert "whole" in told.done("-c", "again", "verify", "--rules")

    script = told.done("-c", "harbour", "dump", "--script")
    for name in ("cover.png", "quay.jpg"):
        (told.folder / name).unlink()
    told.done("run", "--new", "-c", "once.retold", "-q", "-", stdin=script.encode())
    assert told.done("-c", "once", "dump", "--script") == script


def test_the_lines_of_the_log_say_what_a_picture_shows_and_not_its_bytes(told: Shell) -> None:
    log = told.done("-c", "harbour", "log")

    assert "image “quay” shows “Three boats in fog”, by “Mara Lind”: “The quay lay empty.”" in log
    assert "portrait of Zel shows “A woman in red”" in log
    assert "Zel has the colour #7a2e1d" in log
    assert "base64" not in log
    for number in ("--for=gm", "--for=table"):
        lines = told.done("-c", "harbour", "--json", "log", "-n", "0", number)
        assert "Three boats in fog" in lines
        assert "base64" not in lines
    assert "base64" not in told.done("-c", "harbour", "--json", "replay")
    told.done("-c", "harbour", "cast", "Png")
    assert "Mentioned" not in told.done("-c", "harbour", "who", "Png")
    assert "base64" not in told.done("-c", "harbour", "--json", "portrait", "Png", "zel.png", "alt=A scarf")
    assert "base64" not in told.done("-c", "harbour", "undo")
    assert "picture" in told.done("-c", "harbour", "search", "fog")
    assert "base64" not in told.say("-c", "harbour", "search", "image png base64").out


def test_a_redaction_takes_a_picture_away_for_good_and_the_script_still_runs(told: Shell) -> None:
    with retold.open("harbour.retold", read_only=True) as campaign:
        shown = [event for event in campaign.happened() if event.kind == "table.picture-added"]
        gone = campaign.picture(shown[3].id)
    assert gone is not None
    text = base64.b64encode(gone.data)
    assert text in told.folder.joinpath("harbour.retold").read_bytes()

    said = told.say("-c", "harbour", "--yes", "redact", str(shown[3].position))

    assert "the picture itself" in said.err
    assert "base64" not in said.err
    left = told.folder.joinpath("harbour.retold").read_bytes()
    assert text not in left
    assert b"boats" not in left
    assert "the picture is redacted" in told.done("-c", "harbour", "log")
    assert "boats" not in told.done("-c", "harbour", "export", "-f", "html", "-o", "-")
    script = told.done("-c", "harbour", "dump", "--script")
    told.done("run", "--new", "-c", "once.retold", "-q", "-", stdin=script.encode())


def test_an_edited_text_is_searched_for_what_a_hidden_picture_shows_not_for_its_bytes(shell: Shell) -> None:
    drawn(shell.folder, "trap.png", "black")
    shell.done("image", "trap", "trap.png", "alt=A trapdoor under the rug", "--gm")
    with CampaignStore.open(shell.folder / "evening.retold", read_only=True) as campaign:
        secret = KnownOnlyToOthers(LineView(campaign, 1, viewer=EVERYBODY))

        assert secret.found_in("There is a trapdoor under the rug.") is not None
        assert secret.found_in("They sent the data image png base64 to all.") is None


def test_a_redaction_says_where_else_the_same_picture_is(shell: Shell) -> None:
    drawn(shell.folder, "quay.png", "navy")
    shell.done("new", "harbour")
    shell.play(
        'cast Ann\nimage quay quay.png alt="A quay"\nportrait Ann quay.png alt="Ann there"\n',
        "harbour.retold",
    )
    log = shell.done("-c", "harbour", "log").splitlines()
    shown, again = (next(line.split()[0] for line in log if what in line) for what in ("A quay", "Ann there"))

    said = shell.say("-c", "harbour", "--yes", "redact", shown)

    assert f"The same is said at {again}, and stays there" in said.err


def test_what_a_picture_shows_can_be_said_in_better_words_and_another_file_taken(told: Shell) -> None:
    log = told.done("-c", "harbour", "log").splitlines()
    at = next(line.split()[0] for line in log if "portrait of Zel" in line)
    told.done("-c", "harbour", "retcon", at, ":", "A woman in red, who laughs")
    assert "portrait of Zel shows “A woman in red, who laughs”" in told.done("-c", "harbour", "log")

    told.done("-c", "harbour", "retcon", at, "--as", "portrait Zel trap.png alt=Black")
    assert "shows “Black”" in told.done("-c", "harbour", "log")


def test_a_picture_can_be_put_where_it_was_shown_earlier(told: Shell) -> None:
    drawn(told.folder, "map.png", "olive")
    told.done("-c", "harbour", "image", "map", "map.png", "alt=The north", "--at", "s1:3", ":", "They look.")
    story = told.done("-c", "harbour", "export", "-f", "text", "-o", "-")

    places = [story.index(words) for words in ("The north", "They look.", "Then when?")]
    assert places == sorted(places)
    assert "image “map” (for #17) shows “The north”" in told.done("-c", "harbour", "log")
    assert "takes no --at" in told.refused("-c", "harbour", "cover", "map.png", "alt=A map", "--at", "s1:3")
    page = held(told.done("-c", "harbour", "export", "-f", "replay", "-o", "-").encode())
    assert b"The north" in page
    script = told.done("-c", "harbour", "dump", "--script")
    told.done("run", "--new", "-c", "once.retold", "-q", "-", stdin=script.encode())
    assert told.done("-c", "once", "dump", "--script") == script


def held(data: bytes) -> bytes:
    """Bytes of an export, unpacked, with the pictures in it decoded."""
    if data[:2] == b"PK":
        archive = zipfile.ZipFile(io.BytesIO(data))
        return b"".join(archive.read(name) for name in archive.namelist())
    page = unpacked(data.decode("utf-8", "replace"))
    parts = (part.split('"')[0].split("'")[0] for part in page.split(";base64,")[1:])
    return page.encode() + b"".join(base64.b64decode(part) for part in parts)


KNOWN = {"table": (), "Zel": ("letter.webp",), "gm": tuple(SECRETS)}
"""The secret pictures that each may see."""
AS_FILES = ("html", "fragment", "epub", "docx", "replay")
"""Formats that have a picture's bytes in them as they are."""


@pytest.mark.parametrize("form", ["html", "epub", "docx"])
def test_who_made_a_portrait_is_said_below_the_cast(told: Shell, form: str) -> None:
    with retold.open("harbour.retold", read_only=True) as campaign:
        assert b"Portraits: Zel (Jo Rye)" in held(campaign.seen_by("table").export(form))


def test_a_secret_portrait_or_colour_counts_among_the_secrets_of_every_session(told: Shell) -> None:
    told.play("tint Kit #123456 --gm\nend session\nsession Two\nscene The quay\n", "harbour.retold")
    said = told.say("-c", "harbour", "export", "-o", "two.html", "--for", "gm").err
    assert "The game master's copy, with 2 secrets;" in said
    assert "nothing" not in said


@pytest.mark.parametrize("whose", KNOWN)
def test_a_picture_is_exported_to_its_audience_only(told: Shell, whose: str) -> None:
    with retold.open("harbour.retold", read_only=True) as campaign:
        every, reading = campaign.seen_by("gm"), campaign.seen_by(whose)
        ids = {event.told: event.id for event in every.happened()}
        secrets = {name: next(ids[said] for said in ids if what in said) for name, what in SECRETS.items()}
        assert any(event.id == secrets["trap.png"] for event in every.happened())
        log = "".join(event.told for event in reading.happened())
        for name in ("json", "text", "markdown", "fountain", "lonelog", "pdf", *AS_FILES):
            export = held(reading.export(name, voice="report"))
            for secret, what in SECRETS.items():
                kept = every.picture(secrets[secret])
                assert kept is not None
                if secret not in KNOWN[whose]:
                    assert what not in log
                    assert what.encode() not in export
                    assert kept.data not in export
                elif secret != "rusk.png":  # who never appears is not in the cast
                    assert name == "pdf" or what.encode() in export, (name, secret)
                    assert name not in AS_FILES or kept.data in export, (name, secret)


def test_pages_show_the_cover_the_portraits_the_pictures_and_the_colours(told: Shell) -> None:
    page = told.done("-c", "harbour", "export", "-f", "html", "-o", "-")
    assert page.count('<img src="data:image/') == 3
    assert 'alt="Three boats in fog"' in page
    assert "Picture by Mara Lind" in page
    assert "img-src data:;" in page
    assert "c-7a2e1d" in page
    assert "[Picture: Three boats in fog (Picture by Mara Lind)]" in told.done(
        "-c", "harbour", "export", "-f", "text", "-o", "-"
    )

    told.done("-c", "harbour", "export", "--site", "site")
    site = told.folder / "site"
    assert len(list((site / "pictures").iterdir())) == 3
    assert "img-src &#39;self&#39;" in (site / "sessions" / "1.html").read_text("utf-8")
    assert 'alt="A woman in red"' in (site / "people" / "zel.html").read_text("utf-8")
    assert ".c-7a2e1d .label" in (site / "site.css").read_text("utf-8")
    told.done("-c", "harbour", "export", "--vault", "vault", "--for", "table")
    assert len(list((told.folder / "vault" / "Pictures").iterdir())) == 3
    story = (told.folder / "vault" / "Sessions" / "Session 1.md").read_text("utf-8")
    assert "|Three boats in fog]]" in story
    written = told.say("-c", "harbour", "export", "--site", "site").err
    assert "0 files written" in written


def test_the_first_page_of_a_site_has_the_cover_and_texts_of_the_campaign_and_a_session_its_own(
    shell: Shell,
) -> None:
    drawn(shell.folder, "cover.png", "navy")
    shell.done("new", "harbour")
    shell.play(
        """\
cover cover.png alt="A road & a moon" credit="Mara <i>Lind"
blurb: A harbour, and <b>who leaves it</b>.
content: Drowning.
content --gm: A murder, and drowning.
epigraph: The sea keeps no books.
session One
blurb: They meet.
end session
session Two
scene The quay
""",
        "harbour.retold",
    )
    shell.done("-c", "harbour", "export", "--site", "site")
    pages = {
        name: (shell.folder / "site" / name).read_text("utf-8") for name in ("index.html", "search/0.js")
    }
    sessions = [
        (shell.folder / "site" / "sessions" / f"{number}.html").read_text("utf-8") for number in (1, 2)
    ]

    front = pages["index.html"]
    assert 'src="pictures/' in front
    assert 'alt="A road &amp; a moon"' in front
    assert "Picture by Mara &lt;i&gt;Lind" in front
    assert "img-src &#39;self&#39;" in front
    shown = ("who leaves it&lt;/b&gt;.</p>", "Drowning.", "The sea keeps no books.", "sessions/1.html")
    assert sorted(map(front.index, shown)) == [front.index(words) for words in shown]
    assert "murder" not in "".join((front, *sessions, *pages.values()))
    assert "The sea keeps no books." in pages["search/0.js"]
    assert "They meet." in sessions[0]
    assert "They meet." in front
    assert "They meet." not in sessions[1]
    assert not any("books" in page or "<img" in page for page in sessions)


def test_a_phone_and_the_stage_are_sent_the_pictures_they_may_see(told: Shell, tmp_path: Path) -> None:
    with serving(told.folder / "harbour.retold", home=tmp_path / "home") as service:
        ids = {event.told: event.id for event in service.campaign.seen_by("Zel").happened()}
        letter = next(id_ for said, id_ in ids.items() if "green ink" in said)
        every = service.campaign.seen_by("table").happened()
        quay = next(event.id for event in every if "boats in fog" in event.told)
        phones = {whose: service.phone(whose) for whose in ("Zel", "Kit", "table")}

        answers = {whose: phone.ask(f"picture/{letter}") for whose, phone in phones.items()}
        assert {whose: answer.status for whose, answer in answers.items()} == {
            "Zel": 200,
            "Kit": 404,
            "table": 404,
        }
        assert answers["Zel"].headers["content-type"] == "image/png"
        assert answers["Zel"].raw.startswith(b"\x89PNG")
        assert phones["Zel"].ask(f"stage/picture/{letter}").status == 404
        assert phones["Zel"].ask(f"stage/picture/{quay}").headers["content-type"] == "image/png"
        assert phones["Kit"].ask("picture/e999999").status == 404
        assert phones["Zel"].ask("stage/here.json").body["cover"] is True
        assert phones["Zel"].ask("stage/picture/cover").headers["content-type"] == "image/png"
        assert phones["Kit"].ask("picture/portrait").status == 404
        assert service.phone(None).ask(f"picture/{letter}").status == 401


def test_a_person_on_the_board_has_a_portrait_for_those_who_may_see_it_from_then_on(shell: Shell) -> None:
    drawn(shell.folder, "zel.png", "brown")
    drawn(shell.folder, "mask.png", "black")
    shell.done("new", "harbour")
    shell.play(
        """\
cast Zel
cast Rusk
portrait Zel mask.png alt="A mask" --to Rusk
""",
        "harbour.retold",
    )
    with retold.open("harbour.retold") as campaign:
        before = campaign.seen_by("table").following()
        assert not any("portrait" in thing for thing in before.board.values())
        file = (shell.folder / "zel.png").read_bytes()
        campaign.say('portrait Zel zel.png alt="A <b>woman" credit=Mara', file=file)
        campaign.say("tint Zel #7a2e1d")
        shown, tinted = campaign.seen_by("table").steps(before) or []
        id_ = campaign.seen_by("table").happened()[-2].id
        (key,) = shown.delta
        thing = before.board[key]
        assert thing["portrait"] == {"id": id_, "alt": "A <b>woman", "credit": "Mara"}
        assert thing["colour"][0] == "#7a2e1d"
        assert [*tinted.delta] == [key]

        campaign.say("undo 2")
        boards = {whose: campaign.seen_by(whose).board()[key] for whose in ("gm", "Rusk", "Zel", "table")}
        shown_to = {whose: thing.get("portrait", {}).get("alt") for whose, thing in boards.items()}
        assert shown_to == {"gm": "A mask", "Rusk": "A mask", "Zel": None, "table": None}
        with pytest.raises(retold.Refused, match="Files are not read here"):
            campaign.say('portrait Zel zel.png alt="A woman"')


def test_a_replay_has_each_picture_once_and_a_portrait_that_was_given_later(told: Shell) -> None:
    told.done("-c", "harbour", "end", "session")
    told.done("-c", "harbour", "portrait", "Kit", "trap.png", "alt=Replaced by the next")
    told.done("-c", "harbour", "portrait", "Kit", "zel.png", "alt=The same as Zel")
    told.done("-c", "harbour", "cast", "Ebb")
    told.done("-c", "harbour", "portrait", "Ebb", "rusk.png", "alt=Somebody of a later session")
    told.done("-c", "harbour", "image", "again", "zel.png", "alt=Her again", "--at", "s1:3")
    with retold.open("harbour.retold", read_only=True) as campaign:
        value = campaign.seen_by("table").replay("s1").to_json()
        page = campaign.seen_by("table").export("replay", "s1").decode()

    others = [picture for number, picture in enumerate(value["pictures"]) if number != value["cover"]]
    assert len(others) == len(set(others)) == 2
    assert sorted(value["portraits"].values()) == [1, 1]
    people = {thing["name"]: thing for key, thing in value["lines"][0]["board"].items() if key[:4] == "who:"}
    assert value["portraits"][people["Kit"]["portrait"]["id"]] == 1
    assert people["Zel"]["portrait"]["credit"] == "Jo Rye"
    assert "Rusk" not in people
    assert "img-src data:;" in page


def test_a_page_without_pictures_has_nothing_of_them(shell: Shell) -> None:
    page = shell.done("export", "-f", "replay", "-o", "-")

    assert "img-src" not in page
    assert "PortrayedBoard" not in page
    assert ".faces {" not in page
    assert "Portraits" not in page
    assert (
        not {"pictures", "portraits"}
        & json.loads(shell.done("export", "-f", "replay-json", "-o", "-")).keys()
    )


def test_a_picture_is_sent_by_the_game_master_with_the_checks_of_the_command(
    told: Shell, tmp_path: Path
) -> None:
    with serving(told.folder / "harbour.retold", home=tmp_path / "home") as service:
        gm, zel = service.phone("gm"), service.phone("Zel")
        whole = base64.b64encode((told.folder / "quay.jpg").read_bytes()).decode()
        sent = {"line": 'image pier "my pier.jpg" alt="A pier" --to Zel', "picture": whole, "id": "picture-1"}

        first = gm.ask("pictures", sent)
        assert (first.status, first.body["said"]) == (200, ["image “pier” shows “A pier” (for Zel only)"])
        assert gm.ask("pictures", sent).body == first.body
        told_to = [event.told for event in service.campaign.seen_by("Zel").happened()]
        assert told_to.count("image “pier” shows “A pier”") == 1
        assert not any("pier" in event.told for event in service.campaign.seen_by("Kit").happened())

        def refused(**more: str) -> tuple[int, str]:
            answer = gm.ask("pictures", {**sent, "id": "picture-2", **more})
            return answer.status, answer.body["error"]

        svg = base64.b64encode(b'<svg onload="alert(1)"/>').decode()
        before = len(service.campaign.happened())
        assert refused(picture="no base64!") == (400, "The picture is no base64.")
        assert refused(picture=svg)[1].startswith("my pier.jpg is an SVG, which may hold scripts")
        assert refused(line="image pier my.jpg")[0] == 422
        assert zel.ask("pictures", sent).status == 403
        assert service.phone(None).ask("pictures", sent).status == 401
        much = gm.ask("pictures", raw=b"", Content_Length=str(12 * 2**20))
        assert (much.status, much.body["error"][:40]) == (413, "A picture that is sent has at most 8 MB:")
        assert len(service.campaign.happened()) == before


@pytest.mark.parametrize(
    "colour", ["#000000", "#ffffff", "#7a2e1d", "#ffd0d0", "#808080", "#00ff00", "#0000ff"]
)
def test_a_colour_can_be_read_in_light_and_in_dark(colour: str) -> None:
    for paper in (LIGHT, DARK):
        shown, behind = (bytes.fromhex(shade[1:]) for shade in (readable(colour, paper), paper))
        assert contrast(shown, behind) >= CONTRAST
    assert readable("#7a2e1d", LIGHT) == "#7a2e1d"


@given(st.binary(max_size=200))
@example(png(5, 5)[:40])
@example(b"\xff\xd8\xff\xda\x00\x04")
def test_bytes_that_are_no_clean_picture_are_none(data: bytes) -> None:
    assert measured(data) is None
    assert recorded_picture(data_uri("image/png", data)) is None


def written(image: Image.Image, form: str, **how: bool | bytes) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **how)
    return file.getvalue()


def in_a_png(width: int, pixels: bytes, *, end: bytes = b"", behind: bytes = b"") -> bytes:
    """A grey PNG of one row with this zlib stream; `end` is in its last chunk, `behind` after its stream."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", pixels + behind) + chunk(b"IEND", end)


def test_a_file_with_anything_but_its_pixels_may_not_be_recorded_as_it_is() -> None:
    row, noise = bytes(10), Image.effect_noise((40, 30), 60)
    assert measured(in_a_png(9, zlib.compress(row))) is not None
    assert measured(in_a_png(9, zlib.compress(row), behind=b"Where")) is None
    assert measured(in_a_png(9, zlib.compress(row), end=b"Where")) is None
    assert measured(in_a_png(9, zlib.compress(row + b"Where"))) is None
    assert measured(in_a_png(9, zlib.compress(row[1:]))) is None
    assert measured(in_a_png(9, zlib.compress(b"\x09" + row[1:]))) is None
    assert measured(in_a_png(9, zlib.compress(row)[:-1])) is None
    assert measured(in_a_png(9, zlib.compress(row)) + b"Where") is None
    assert measured(written(noise.convert("P"), "PNG")) is None

    photo = written(noise, "JPEG")
    codes, scan = photo.index(b"\xff\xc4"), photo.index(b"\xff\xda")
    assert measured(photo) is not None
    assert measured(photo + b"Where") is None
    assert measured(photo[:-2] + b"\xff\xfe\0\7Where" + photo[-2:]) is None
    assert measured(photo[:codes] + b"\xff\xfe\0\7Where" + photo[codes:]) is None
    assert measured(photo[:scan] + 4 * photo[codes:scan] + photo[scan:]) is None
    assert measured(photo[:codes] + photo[codes : codes + 3] + b"\xff" + photo[codes + 4 :]) is None
    assert measured(written(noise, "JPEG", progressive=True)) is None
    assert measured(written(noise, "JPEG", comment=b"Where")) is None


def test_a_picture_with_more_than_its_pixels_is_not_recorded_as_it_is(shell: Shell) -> None:
    clean = png(9, 9)
    assert measured(clean) is not None
    assert measured(png(9, 9, chunk(b"tEXt", b"Comment\0Where"))) is None
    assert measured(clean + b"more") is None
    assert measured(png(MOST_PIXELS + 1, 9)) is None

    uri = data_uri("image/png", png(9, 9, chunk(b"tEXt", b"Comment\0Where")))
    assert is_data_uri(uri)
    shell.play(f'image quay "{uri}" alt="A quay"\n')
    assert base64.b64encode(b"Where")[:5] not in shell.bytes()
