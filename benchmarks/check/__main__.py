"""check: what `draft check` finds in sentences about the examples, beside the verdicts of careful readers.

`sentences.toml` was written by the maker of the check before it, `kept_back.toml` by somebody who had not
seen it. A wrong sentence is found if it is called against the record or not in it, a secret one if it is
called not for the reader. A false alarm is a true sentence that is called wrong.

python3 run.py bench check                  both lists
python3 run.py bench check sentences        one of them
python3 run.py bench check --missed         and every sentence with another verdict
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec

from retold.__main__ import main as command
from retold.drafts.checking import Checked, Checker, Verdict
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView

HERE: Final = Path(__file__).parent
EXAMPLES: Final = HERE.parents[1] / "examples"
LISTS: Final = ("sentences", "kept_back")
GAME_MASTERS: Final = {"discord": "mary_quill"}
"""Game masters of logs that do not name them."""
WRONG: Final = frozenset({Verdict.NOT_IN_RECORD, Verdict.AGAINST})
TRUE: Final = frozenset({Verdict.TOLD, Verdict.KNOWN})


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence about an example, for a viewer, and a careful reader's verdict with the reason."""

    example: str
    viewer: str
    text: str
    verdict: Verdict
    why: str


class Share(NamedTuple):
    """What is counted: sentences by verdict and kind, the verdicts that count as found, a goal in percent."""

    what: str
    kinds: tuple[str, ...]
    verdicts: frozenset[Verdict]
    found: frozenset[Verdict]
    goal: int
    at_most: bool = False


SHARES: Final = (
    Share("wrong names and numbers found", ("name", "number"), WRONG, WRONG, 98),
    Share("wrong deeds found", ("deed",), WRONG, WRONG, 80),
    Share("wrong order, place or presence found", ("order", "place", "presence"), WRONG, WRONG, 0),
    Share("secrets found", (), frozenset({Verdict.NOT_FOR_READER}), frozenset({Verdict.NOT_FOR_READER}), 100),
    Share(
        "undecidable left undecided",
        (),
        frozenset({Verdict.CANNOT_TELL}),
        frozenset({Verdict.CANNOT_TELL}),
        0,
    ),
    Share("false alarms", (), TRUE, WRONG, 5, at_most=True),
)


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the shares of each list; with `--missed` also the sentences whose verdict is another."""
    named = [one for one in arguments if not one.startswith("--")]
    with TemporaryDirectory() as folder:
        os.environ["RETOLD_HOME"] = str(Path(folder) / "home")
        for name in named or LISTS:
            sentences = listed(HERE / f"{name}.toml")
            checked = [(one, _checker(folder, one.example, one.viewer).of(one.text)) for one in sentences]
            _print(name, checked)
            if "--missed" in arguments:
                _print_missed(checked)


def listed(path: Path) -> list[Sentence]:
    """Returns the sentences of a list; an empty one if there is no such file."""
    found = tomllib.loads(path.read_text("utf-8"))["sentence"] if path.exists() else []
    return msgspec.convert(found, list[Sentence])


class _Held(NamedTuple):
    checker: Checker

    def of(self, text: str) -> Checked:
        """Returns the verdict on a text; of several sentences the gravest, else that of the first."""
        if text.startswith("#"):
            return self.checker.heading(text.lstrip("# "))
        found = [*self.checker.paragraph(text)]
        grave = (Verdict.NOT_FOR_READER, Verdict.AGAINST, Verdict.NOT_IN_RECORD)
        return next((one for verdict in grave for one in found if one.verdict == verdict), found[0])


@cache
def _checker(folder: str, example: str, viewer: str) -> _Held:
    return _Held(Checker(LineView(_campaign(folder, example), 1).called(viewer)))


@cache
def _campaign(folder: str, example: str) -> CampaignStore:
    """Plays or imports an example, named by its stem, and returns its campaign."""
    stem = Path(example).stem
    path = Path(folder) / f"{stem}.retold"
    scripts = [HERE / f"{stem}.session", *sorted(EXAMPLES.glob(f"*/{stem}.session"))]
    script = next((one for one in scripts if one.exists()), None)
    if script is not None:
        lines = ["run", "--new", "-q", "-c", str(path), str(script)]
    else:
        logs = [*(EXAMPLES / "imports").glob(f"{stem}*")]
        log = next((one for one in logs if one.name == Path(example).name), logs[0])
        copy = Path(folder) / log.name
        copy.write_bytes(log.read_bytes())
        lines = [
            "--yes",
            "import",
            str(copy),
            "-c",
            str(path),
            "--game-master",
            GAME_MASTERS.get(stem, "nobody"),
        ]
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = command(lines)
    assert code == 0, said.getvalue()
    return CampaignStore.open(path, read_only=True)


def _print(name: str, checked: Sequence[tuple[Sentence, Checked]]) -> None:
    print(f"\n{name}: {len(checked)} sentences\n\n| what | share | of | goal |\n|---|---|---|---|")
    for share in SHARES:
        about = [pair for pair in checked if _is_about(share, pair[0])]
        found = sum(pair[1].verdict in share.found for pair in about)
        percent = 100 * found / len(about) if about else 0.0
        goal = f"{'≤' if share.at_most else '≥'} {share.goal} %" if share.goal else ""
        print(f"| {share.what} | {percent:.1f} % | {found} of {len(about)} | {goal} |")
    same = sum(sentence.verdict == one.verdict for sentence, one in checked)
    print(f"| the same verdict | {100 * same / max(len(checked), 1):.1f} % | {same} of {len(checked)} | |")


def _is_about(share: Share, sentence: Sentence) -> bool:
    return sentence.verdict in share.verdicts and (
        not share.kinds or any(kind in sentence.why.casefold() for kind in share.kinds)
    )


def _print_missed(checked: Sequence[tuple[Sentence, Checked]]) -> None:
    counted: Counter[str] = Counter()
    for sentence, one in checked:
        if sentence.verdict != one.verdict:
            counted[f"{sentence.verdict} → {one.verdict}"] += 1
            print(f"{sentence.example}: {sentence.text}")
            found = f"{one.verdict}: {one.why} {' '.join(one.events)}"
            print(f"    {sentence.verdict} ({sentence.why}) → {found}")
    for line in _sorted(counted):
        print(line)


def _sorted(counted: Counter[str]) -> Iterator[str]:
    return (f"{number:4} {kind}" for kind, number in counted.most_common())


if __name__ == "__main__":
    main(sys.argv[1:])
