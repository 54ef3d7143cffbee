"""An evening typed as a script, through the command, and what a copy of it has."""

from __future__ import annotations

from pathlib import Path

from retold.__main__ import main
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports.page_elements import label
from retold.projections.reading import LineView, viewer_called
from retold.projections.story import document, transcript


def exported(folder: Path, lines: str, name: str = "gm", voice: str = "report") -> document.Transcript:
    """The first session of these lines, as somebody's copy has it in a voice."""
    script, path = folder / "evening.session", folder / "evening.retold"
    script.write_text(lines, "utf-8")
    assert main(["run", "--new", "-q", "-c", str(path), str(script)]) == 0
    with CampaignStore.open(path, read_only=True) as campaign:
        viewer = viewer_called(LineView(campaign, 1).table, name)
        return transcript.of_session(LineView(campaign, 1, viewer=viewer), 1, voice=voice)


def read_off(told: document.Transcript) -> list[tuple[str, str]]:
    """What it tells in words, each text with its label."""
    return [
        (label(one), one.text)
        for scene in told.scenes
        for passage in scene.passages
        for one in passage.paragraphs
        if one.text
    ]
