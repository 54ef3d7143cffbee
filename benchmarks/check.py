"""check: what `draft check` finds in sentences about the examples, beside the verdicts of careful readers.

`sentences.toml` was written by the maker of the check before it, `later.toml` by the same about other
evenings after it, `kept_back.toml`, if it is there, by somebody who had not seen it, `unseen.toml` by its
second maker about evenings of which none had been used, `unseen_later.toml` by its third, and `hands.toml`
in several hands by its fourth, who changed the check for it; `cold.toml` by its fifth, run once;
`winter.toml`, changed for, and `masque.toml`, run once, by its seventh. A wrong
sentence is found if it is called against the record or not in it, a secret one if it is called not for the
reader. A false alarm is a true sentence that is called wrong.

python3 run.py bench check              every list
python3 run.py bench check sentences    one of them
python3 run.py bench check --missed     and every sentence with another verdict
"""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec

from retold.__main__ import main as command
from retold.drafts.checking import Checked, Checker, Verdict
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView

HERE: Final = Path(__file__).parent / "check"
EXAMPLES: Final = HERE.parents[1] / "examples"
LISTS: Final = (
    "sentences",
    "later",
    "hands",
    "kept_back",
    "unseen",
    "unseen_later",
    "cold",
    "winter",
    "masque",
)
GAME_MASTERS: Final = {"discord.txt": "mary_quill", "telegram.json": "Mary"}
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
    Share("open sentences called secret", (), TRUE, frozenset({Verdict.NOT_FOR_READER}), 5, at_most=True),
)


Pair = tuple[Sentence, Checked]


class Counted(NamedTuple):
    """How many sentences a share is about, and how many of them are found."""

    of: int
    found: int

    @property
    def percent(self) -> float:
        """The share in percent; 0 of none."""
        return 100 * self.found / self.of if self.of else 0.0


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the shares of each list; with `--missed` also the sentences whose verdict is another."""
    named = [one for one in arguments if not one.startswith("--")]
    for name in named or [one for one in LISTS if (HERE / f"{one}.toml").exists()]:
        with TemporaryDirectory() as folder:  # a log is not imported twice into one campaign
            checked = verdicts(Path(folder), listed(HERE / f"{name}.toml"))
            _print(name, checked)
            if "--missed" in arguments:
                _print_missed(checked)


def verdicts(folder: Path, sentences: Sequence[Sentence]) -> list[Pair]:
    """Returns sentences with what the check says of each; examples are played in `folder`."""
    checkers: dict[tuple[str, str], Checker] = {}
    campaigns: dict[str, CampaignStore] = {}
    found = []
    for one in sentences:
        if one.example not in campaigns:
            campaigns[one.example] = _campaign(folder, one.example)
        key = one.example, one.viewer
        if key not in checkers:
            checkers[key] = Checker(LineView(campaigns[one.example], 1).called(one.viewer))
        found.append((one, _checked(checkers[key], one.text)))
    for campaign in campaigns.values():
        campaign.close()
    return found


def _checked(checker: Checker, text: str) -> Checked:
    """Returns the verdict on a text; of several sentences the gravest, else that of the first."""
    if text.startswith("#"):
        return checker.heading(text.lstrip("# "))
    found = [*checker.paragraph(text)]
    grave = (Verdict.NOT_FOR_READER, Verdict.AGAINST, Verdict.NOT_IN_RECORD)
    return next((one for verdict in grave for one in found if one.verdict == verdict), found[0])


def counted(share: Share, checked: Sequence[Pair]) -> Counted:
    """Counts the sentences of a share, and those that are found."""
    about = [one for sentence, one in checked if _is_about(share, sentence)]
    return Counted(len(about), sum(one.verdict in share.found for one in about))


def listed(path: Path) -> list[Sentence]:
    """Returns the sentences of a list."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8"))["sentence"], list[Sentence])


def _campaign(folder: Path, example: str) -> CampaignStore:
    """Plays or imports an example, named by its stem, and returns its campaign."""
    stem = Path(example).stem
    path = folder / f"{stem}.retold"
    os.environ["RETOLD_HOME"] = str(folder / "home")
    scripts = [HERE / f"{stem}.session", *sorted(EXAMPLES.glob(f"*/{stem}.session"))]
    script = next((one for one in scripts if one.exists()), None)
    if script is not None:
        lines = ["run", "--new", "-q", "-c", str(path), str(script)]
    else:
        logs = sorted((EXAMPLES / "imports").glob(f"{stem}*"), key=lambda one: (one.stem != stem, one.name))
        log = next((one for one in logs if one.name == Path(example).name), logs[0])
        copy = folder / log.name
        shutil.copytree(log, copy) if log.is_dir() else shutil.copy(log, copy)
        lines = [
            "--yes",
            "import",
            str(copy),
            "-c",
            str(path),
            "--game-master",
            GAME_MASTERS.get(log.name, "nobody"),
        ]
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = command(lines)
    assert code == 0, said.getvalue()
    return CampaignStore.open(path, read_only=True)


def _print(name: str, checked: Sequence[Pair]) -> None:
    print(f"\n{name}: {len(checked)} sentences\n\n| what | share | of | goal |\n|---|---|---|---|")
    for share in SHARES:
        found = counted(share, checked)
        goal = f"{'≤' if share.at_most else '≥'} {share.goal} %" if share.goal else ""
        print(f"| {share.what} | {found.percent:.1f} % | {found.found} of {found.of} | {goal} |")
    same = Counted(len(checked), sum(sentence.verdict == one.verdict for sentence, one in checked))
    print(f"| the same verdict | {same.percent:.1f} % | {same.found} of {same.of} | |")


def _is_about(share: Share, sentence: Sentence) -> bool:
    return sentence.verdict in share.verdicts and (
        not share.kinds or any(kind in sentence.why.casefold() for kind in share.kinds)
    )


def _print_missed(checked: Sequence[Pair]) -> None:
    kinds: Counter[str] = Counter()
    for sentence, one in checked:
        if sentence.verdict != one.verdict:
            kinds[f"{sentence.verdict} → {one.verdict}"] += 1
            print(f"{sentence.example}: {sentence.text}")
            found = f"{one.verdict}: {one.why} {' '.join(one.events)}"
            print(f"    {sentence.verdict} ({sentence.why}) → {found}")
    for kind, number in kinds.most_common():
        print(f"{number:4} {kind}")


if __name__ == "__main__":
    main(sys.argv[1:])
