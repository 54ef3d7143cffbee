"""Every example in every voice; the script and the prose of one example of each game stand beside it.

After a change that is meant, write them anew with RETOLD_GOLDEN=write, as the transcripts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.__main__ import main
from retold.drafts.composing import Composition
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.projections.exports import EXPORTS, export
from retold.projections.prose import VOICES, Voice
from retold.projections.prose.phrases import Phrases, table, values
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Paragraph, Transcript
from tests.test_examples import EXAMPLES, named

GOLDEN = (
    "bruise/three-hands",
    "edgerunner/big-guns",
    "guenask/three-endings",
    "homebrew/bell-tower",
    "spacetime/lantern-regatta",
    "whiskey/causeway",
)


@pytest.fixture(scope="module", params=EXAMPLES, ids=named)
def example(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, CampaignStore]]:
    """An example and the campaign it plays."""
    path: Path = request.param
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RETOLD_HOME", str(folder / "home"))
        patch.delenv("RETOLD_CAMPAIGN", raising=False)
        assert main(["run", "--new", "-q", "-c", str(folder / "played.retold"), str(path)]) == 0
    with CampaignStore.open(folder / "played.retold", read_only=True) as campaign:
        yield path, campaign


def told(campaign: CampaignStore, voice: Voice | str) -> Transcript:
    return transcript.of_range(LineView(campaign, 1), voice=voice)


def paragraphs(shown: Transcript) -> list[Paragraph]:
    return [one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs]


def test_there_is_a_golden_example_of_each_game() -> None:
    assert sorted(name.partition("/")[0] for name in GOLDEN) == sorted(SYSTEMS)
    assert set(GOLDEN) <= set(map(named, EXAMPLES))


def test_every_voice_tells_every_example_in_words(example: tuple[Path, CampaignStore]) -> None:
    """In two of the formats each; every format meets every voice in several examples."""
    formats = [name for name, format_ in EXPORTS.items() if format_.is_text]
    for number, voice in enumerate(VOICES, start=2 * EXAMPLES.index(example[0])):
        shown = told(example[1], voice)
        for name in (formats[number % len(formats)], formats[(number + 5) % len(formats)]):
            made = export(name, shown, VOICES[voice].mechanics)
            assert made == export(name, shown, VOICES[voice].mechanics)
        assert any(one.text for one in paragraphs(shown))


def test_prose_holds_only_typed_words_decisions_and_harm(
    example: tuple[Path, CampaignStore],
) -> None:
    path, campaign = example
    typed = "".join(path.read_text("utf-8").split())

    shown = told(campaign, replace(VOICES["prose"], typographic=False))
    for one in paragraphs(shown):
        if one.generated:
            assert _DECIDED.search(one.text)
            continue
        assert all(as_typed(line) in typed for line in one.text.splitlines())


def test_no_scene_of_a_draft_begins_with_he_or_she(example: tuple[Path, CampaignStore]) -> None:
    reading = LineView(example[1], 1)
    blocks = Composition(reading, 1, reading.position, VOICES["prose"]).blocks
    first = [block.text for before, block in pairwise(blocks) if before.sort == "heading"]

    assert [text for text in first if re.match(r"(?:He|She) [a-z]+ ", text)] == []


_DECIDED = re.compile(
    r"\b(?:won|got the better of|was too much for|came away with|ended in a tie"
    r"|out of the contest|down|dropped|felled|brought|hit|hurt|struck|landed a blow|a great deal of"
    r"|cannot feel|seeing shoes|not to be left|left asking|up against)\b"
)


def as_typed(line: str) -> str:
    """A line without its blanks, and without the capital and the last sign that make a wording a sentence."""
    return "".join(line.split())[1:].rstrip(".?")


def test_a_script_without_mechanics_has_all_that_the_report_tells(
    example: tuple[Path, CampaignStore],
) -> None:
    ours, script = (told(example[1], voice).without_mechanics() for voice in ("report", "script"))

    assert [(one.id, one.text) for one in paragraphs(script) if not one.generated] == [
        (one.id, one.text) for one in paragraphs(ours) if not one.generated
    ]


def test_no_phrase_is_said_without_a_value_it_may_use(example: tuple[Path, CampaignStore]) -> None:
    """StrictUndefined would say so: each phrase here asks for all of its values."""
    everything = {key: "".join(f"<{{{{ {one} }}}}>" for one in sorted(values(key))) or "." for key in table()}
    nosy = Voice("nosy", "", VOICES["report"].tell, "report", Phrases(lambda: everything))

    assert export("markdown", told(example[1], nosy))


@pytest.mark.parametrize(
    "example", [path for path in EXAMPLES if named(path) in GOLDEN], ids=named, indirect=True
)
@pytest.mark.parametrize("voice", ["script", "prose"])
def test_an_example_reads_as_it_always_has(example: tuple[Path, CampaignStore], voice: str) -> None:
    path, campaign = example
    shown = export(
        "markdown", transcript.of_session(LineView(campaign, 1), 1, voice=voice), VOICES[voice].mechanics
    )
    golden = path.with_suffix(f".{voice}.md")
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(shown)

    assert shown.decode() == golden.read_text("utf-8")
