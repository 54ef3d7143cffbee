"""A draft that is edited in LibreOffice and saved as ODT or DOCX comes back with every edit."""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retold.drafts import files
from retold.drafts.making import manuscript
from retold.drafts.manuscript import Going, Manuscript, Remark
from retold.drafts.returning import read_back
from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary.drafts import Sort
from retold.projections.prose import voice_of
from tests.patience import PATIENCE
from tests.retold.drafts.played import edited, played

SOFFICE = shutil.which("soffice")

pytestmark = pytest.mark.skipif(
    SOFFICE is None or importlib.util.find_spec("docx") is None, reason="needs LibreOffice and retold[docx]"
)

BY_MARA = 'w:author="Mara" w:date="2026-11-26T10:00:00Z"'
"""Attributes of a tracked change."""
RUN = "Zel: I run for the boat and do not look back at the lanterns."
WATCH = "Ana: I watch the far bank until it has a shape."
RIVER = "The river kept its own counsel."
REWORDED = {RUN: "Zel: I run for the ferry at once.", "Nobody lights a lamp.": "Nobody lit a lamp."}
NAMED = "second", 1, "The Salt Road"
"""Name and revision of the draft, and its title, which the file says."""


def r(words: str, tag: str = "w:t") -> str:
    return f'<w:r><{tag} xml:space="preserve">{words}</{tag}></w:r>'


def plain(words: str) -> str:
    """A run as it was sent."""
    return f"<w:r><w:t>{words}</w:t></w:r>"


def new(words: str, number: int) -> str:
    return f'<w:ins w:id="{number}" {BY_MARA}>{r(words)}</w:ins>'


def gone(words: str, number: int) -> str:
    return f'<w:del w:id="{number}" {BY_MARA}>{r(words, "w:delText")}</w:del>'


def marked(tag: str, number: int) -> str:
    """Properties of a paragraph whose end was typed or deleted as a tracked change."""
    return f'<w:pPr><w:rPr><{tag} w:id="{number}" {BY_MARA}/></w:rPr></w:pPr>'


EIGHT = '<w:bookmarkStart w:id="8" w:name="rt_8"/>'
"""Where the paragraph of the eighth block begins."""
TRACKED = (
    (plain(RUN), r("Zel: I run for the ") + gone("boat", 91) + new("ferry", 92) + r(" at once.")),
    (
        f"<w:p><w:pPr/>{EIGHT}{plain(WATCH)}",
        f"<w:p>{marked('w:ins', 93)}{new(RIVER, 94)}</w:p><w:p>{marked('w:del', 95)}{EIGHT}{gone(WATCH, 96)}",
    ),
)
"""Tracked changes in the DOCX: words changed, a paragraph typed, the next one deleted."""

NOTE = (
    '<office:annotation office:name="__Annotation__1"><dc:creator>Mara</dc:creator>'
    "<dc:date>2026-11-26T10:00:00</dc:date><text:p>Who would?</text:p></office:annotation>"
)
COMMENTED = (("Nobody lights a lamp.", f"Nobody{NOTE} lit a lamp."),)
"""What an editor did to the ODT without tracked changes: a comment, and words changed."""


def changed(data: bytes, part: str, *edits: tuple[str, str]) -> bytes:
    """A DOCX or ODT with one of its parts edited."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as made:
        for entry in old.infolist():
            held = old.read(entry)
            made.writestr(entry, edited(held.decode(), *edits) if entry.filename == part else held)
    return packed.getvalue()


def converted(path: Path, suffix: str, *, profile: Path) -> Path:
    """A file as LibreOffice saves it in another format, in a folder of its own."""
    folder = path.parent / suffix
    command = [
        *(str(SOFFICE), f"-env:UserInstallation={profile.as_uri()}", "--headless"),
        *("--convert-to", suffix, "--outdir", str(folder), str(path)),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    return folder / f"{path.stem}.{suffix}"


def expected(going: Manuscript) -> Iterator[tuple[int | None, Sort, str]]:
    """Id, sort and words of each paragraph that comes back."""
    for block in going.blocks:
        if block.text == WATCH:
            yield None, "text", RIVER
        else:
            yield block.id, block.sort, REWORDED.get(block.text, block.text)


def test_a_draft_edited_in_libreoffice_comes_back_whole(tmp_path: Path) -> None:
    table = played(tmp_path)
    draft = table.begin()
    with table.campaign.record.writing():
        table.campaign.drafts.note_sent(draft, 1, "docx", Manner())
    going = manuscript(table.campaign, draft, draft.latest)
    sent = files.write("docx", going)
    path = tmp_path / "second.docx"
    path.write_bytes(changed(sent, "word/document.xml", *TRACKED))

    text = converted(path, "odt", profile=tmp_path / "profile")
    text.write_bytes(changed(text.read_bytes(), "content.xml", *COMMENTED))
    back = converted(text, "docx", profile=tmp_path / "profile")
    returned = files.read(back.name, back.read_bytes())
    taking = read_back(table.campaign, returned, lambda scope: voice_of(scope.voice), None)

    assert (returned.name, returned.revision, returned.title, returned.left_out) == (*NAMED, ())
    assert [(one.id, one.sort, one.text) for one in returned.paragraphs] == list(expected(going))
    assert [one.remarks for one in returned.paragraphs if one.remarks] == [(Remark("Mara", "Who would?"),)]
    assert [(one.was, one.now) for one in taking.doubts] == [(WATCH, RIVER)]
    assert taking.without(taking.doubts).alignment.summary() == "8 kept, 2 edited, 1 cut, 1 new"
    as_odt = files.read(text.name, text.read_bytes())
    assert replace(as_odt, paragraphs=returned.paragraphs) == returned
    assert [replace(one, id=None) for one in as_odt.paragraphs] == [
        replace(one, id=None) for one in returned.paragraphs
    ]
    table.campaign.close()


@pytest.mark.parametrize("suffix", ["odt", "docx"])
def test_T20_an_odt_that_libreoffice_saves_again_comes_back_as_it_was_sent(
    tmp_path: Path, suffix: str
) -> None:
    sent = Manuscript(
        "first",
        3,
        "The Salt Road",
        (
            Going(1, "heading", "Dock"),
            Going(2, "text", "I *run*  to the ferry.\n**It** waits."),
            Going(3, "epigraph", "All is well."),
            Going(4, "break", ""),
            Going(5, "heading", "Lamps", 2),
            Going(6, "pull-quote", "Nobody comes."),
            Going(7, "text", "\u05e9\u05dc\u05d5\u05dd, *she* says."),
        ),
    )
    path = tmp_path / "sent.odt"
    path.write_bytes(files.write("odt", sent))

    back = converted(path, suffix, profile=tmp_path / "profile")
    returned = files.read(back.name, back.read_bytes())

    assert (returned.name, returned.revision, returned.title, returned.left_out) == (
        "first",
        3,
        sent.title,
        (),
    )
    assert [replace(one, author="") for one in returned.paragraphs] == [
        replace(one, id=block.id) for block in sent.blocks if (one := files.kept(block)) is not None
    ]
