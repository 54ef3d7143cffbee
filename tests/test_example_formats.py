"""Every example in every text format, byte for byte as it was when somebody last read it.

After a change that is meant: `python3 run.py test tests/test_example_formats.py --snapshot-update`, read the
difference, and say in the commit which sentence changed and why. The Markdown of each stands in examples/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension

from retold.__main__ import main
from retold.journal.store.events.clock import Clock
from retold.projections.exports import EXPORTS
from tests.test_examples import EXAMPLES, named

FORMS: Final = {
    **{name: ("-f", name) for name, form in EXPORTS.items() if form.is_text and name != "markdown"},
    "audit": ("-f", "text", "--voice", "plain", "--mechanics", "inline"),
}
"""How each golden file is asked for; the Markdown is looked at by tests/test_examples.py."""


def golden(form: str) -> type[SingleFileSnapshotExtension]:
    """Golden files that end as this form's files do."""
    suffix = EXPORTS["text" if form == "audit" else form].suffix
    return type("Golden", (SingleFileSnapshotExtension,), {"file_extension": suffix.removeprefix(".")})


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: named(path).replace("/", "-"))
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An example, played in an evening in which twenty seconds go by from act to act."""
    folder = tmp_path_factory.mktemp("played")
    played = folder / "played.retold"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RETOLD_HOME", str(folder / "home"))
        patch.delenv("RETOLD_CAMPAIGN", raising=False)
        evening = (datetime(2026, 3, 14, 19, tzinfo=UTC) + timedelta(seconds=20 * n) for n in count())
        patch.setattr(Clock, "now", lambda _: (f"{next(evening):%Y-%m-%dT%H:%M:%S.%f}Z", 0))
        patch.setattr(Clock, "campaign", lambda _: "0123456789abcdef0123456789abcdef")
        assert main(["run", "--new", "-q", "-c", str(played), str(request.param)]) == 0
        yield played


def unstyled(page: bytes) -> bytes:
    """A page without its style sheet: it is the same in every one, and tests/pages looks at it."""
    return re.sub(rb"(?s)<style>.*?</style>", b"<style></style>", page)


@pytest.mark.parametrize("form", FORMS)
def test_told_as_before(campaign: Path, form: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    told = tmp_path / "told"

    assert main(["-c", str(campaign), "export", *FORMS[form], "--for", "gm", "-o", str(told)]) == 0
    assert unstyled(told.read_bytes()) == snapshot(extension_class=golden(form))


def test_every_golden_file_belongs_to_an_example() -> None:
    folder = Path(__file__).parent / "__snapshots__" / Path(__file__).stem
    examples = [named(path).replace("/", "-") for path in EXAMPLES]

    assert sorted(path.name.partition(".")[0] for path in folder.iterdir()) == sorted(
        f"test_told_as_before[{example}-{form}]" for example in examples for form in FORMS
    )
