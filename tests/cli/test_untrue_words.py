"""Words that are no longer true since a `fix` (findings R15): listed in its answer, and by `show doubts`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from retold.journal.store.writing.campaign import CampaignStore
from retold.outcome import Outcome
from retold.projections.reading import LineView
from retold.projections.story.doubts import CHANGED, ENDED, doubts_of
from retold.scribe import Scribe


class Evening(NamedTuple):
    """Lines of a game, with a draw or roll whose correction makes some of the words after it untrue."""

    lines: str
    at: str
    """Beginning of the line that is corrected."""
    results: str
    untrue: Sequence[str]
    """Words that tell the outcome which changed."""


EVENINGS = {
    "spacetime": Evening(
        """\
cast A by=Jo
cast B by=Bo
session S
conflict K spacetime A vs B balance=overwhelming:A
outcome A: The bell is mine.
declare A: push
declare B: pull
draw = T20 T21 T2 T3
narrate A: I won.
""",
        "draw",
        "T2 T3 T20 T21",
        ("I won.",),
    ),
    "bruise": Evening(
        """\
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise spades=3 dodge=2
session S
conflict "Out" bruise Zel vs Guards: freedom
draw Zel clubs+melee = KS 10D 8H 7C 4C 3D
draw Guards 5 = JS 9S 5S 4S 2D
narrate Zel: One last cry, and the line breaks.
end conflict
narrate gm: Rain.
""",
        "draw Zel",
        "QS 10D 8H 7C 4C 3D",
        ("One last cry, and the line breaks.",),
    ),
    "bruise, told at the end": Evening(
        """\
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise spades=3 dodge=2
session S
conflict "Out" bruise Zel vs Guards: freedom
draw Zel clubs+melee = KS 10D 8H 7C 4C 3D
draw Guards 5 = JS 9S 5S 4S 2D
end conflict: Zel is out, and free.
narrate gm: Rain.
""",
        "draw Zel",
        "TS 10D 8H 7C 4C 3D",
        ("Zel is out, and free.",),
    ),
    "whiskey": Evening(
        """\
cast Irena whiskey by=Jo balance=4
session S
scene The weed
check Irena balance vs 12 = KH 1
narrate Irena: I go where the weed is darkest, and it holds.
scene The shore
narrate Irena: Dry at last.
""",
        "check",
        "2H 1",
        ("I go where the weed is darkest, and it holds.",),
    ),
    "guenask": Evening(
        """\
cast Hana guenask by=Jo body=3 soft=3 mind=2 hard=2
cast Thoss guenask body=2 soft=2 mind=2 hard=2
session S
conflict "The egg" guenask Hana vs Thoss
stakes Hana: The egg goes home with her.
approach Hana unopposed physical = 6 6 5 4 3 3
approach Thoss unopposed physical = 5 5 4 3
narrate gm: She is the quicker one.
""",
        "approach Thoss",
        "6 6 6 6",
        ("She is the quicker one.",),
    ),
    "edgerunner": Evening(
        """\
cast Lark edgerunner by=Jo streetwise=3
session S
roll Lark streetwise vs 2 = + 0 + -
narrate Lark: They let me pass.
say Lark: Evening, all.
""",
        "roll",
        "- - - -",
        ("They let me pass.", "Evening, all."),
    ),
}


@pytest.fixture(params=EVENINGS)
def evening(request: pytest.FixtureRequest) -> Evening:
    return EVENINGS[request.param]


@pytest.fixture
def scribe(evening: Evening, tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast gm by=Mary", *evening.lines.splitlines()):
            scribe.say(line)
        yield scribe


def position(scribe: Scribe, begins: str) -> int:
    return next(act.first for act in scribe.writer.last_acts() if scribe.line_said(act).startswith(begins))


def fixed(scribe: Scribe, evening: Evening, flags: str = "--drop") -> Outcome:
    return scribe.say(f"fix {position(scribe, evening.at)} {flags} = {evening.results}")


def doubtful(scribe: Scribe, viewer: str = "gm") -> list[str]:
    reading = LineView(scribe.campaign, scribe.line).called(viewer)
    return [doubt.text for doubt in doubts_of(reading).doubts if doubt.why == CHANGED]


def listed(said: Sequence[str]) -> list[str]:
    return [sentence.partition(": ")[2] for sentence in said if sentence.startswith("May be untrue now: ")]


def test_R15_words_on_an_outcome_that_a_fix_changed_are_listed(scribe: Scribe, evening: Evening) -> None:
    assert doubtful(scribe) == []
    said = fixed(scribe, evening).said

    assert [line.partition(": ")[2] for line in listed(said)] == [*evening.untrue]
    for line, words in zip(listed(said), evening.untrue, strict=True):
        act = scribe.writer.act_at(int(line.partition(",")[0]))
        assert scribe.line_said(act).endswith(words), "its number is that of the line played on"
    assert doubtful(scribe) == [*evening.untrue]


def test_R15_a_fix_that_is_only_checked_lists_them_by_their_numbers_of_now(
    scribe: Scribe, evening: Evening
) -> None:
    for line, words in zip(listed(fixed(scribe, evening, "--check").said), evening.untrue, strict=True):
        assert scribe.line_said(scribe.writer.act_at(int(line.partition(",")[0]))).endswith(words)
    assert doubtful(scribe) == []


def test_R15_words_changed_since_the_fix_are_no_doubt(scribe: Scribe, evening: Evening) -> None:
    said = fixed(scribe, evening).said
    (to_change,) = (sentence for sentence in said if sentence.startswith("To change it: "))
    scribe.say(to_change.split(": ", 1)[1].split(". ")[0].replace("WORDS", "It came out otherwise"))

    assert doubtful(scribe) == [*evening.untrue[1:]]


def test_R15_a_fix_back_leaves_no_doubt(scribe: Scribe, evening: Evening) -> None:
    played = next(line for line in evening.lines.splitlines() if line.startswith(evening.at))
    fixed(scribe, evening)
    assert doubtful(scribe) == [*evening.untrue]
    scribe.say(f"fix mainline@{position(scribe, evening.at)} --drop = {played.partition(' = ')[2]}")

    assert doubtful(scribe) == []


def test_R15_branches_are_no_players_business(scribe: Scribe, evening: Evening) -> None:
    fixed(scribe, evening)

    assert doubtful(scribe, "table") == []


def test_R15_dice_that_change_no_outcome_leave_no_doubt(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast gm by=Mary", *EVENINGS["bruise"].lines.splitlines()):
            scribe.say(line)
        said = scribe.say(f"fix {position(scribe, 'draw Zel')} = KS 10D 8H 7C 4C 2D").said

        assert listed(said) == []
        assert doubtful(scribe) == []


def test_R15_a_conflict_that_ends_otherwise_is_a_doubt(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast gm by=Mary", *EVENINGS["spacetime"].lines.splitlines(), "end conflict"):
            scribe.say(line)
        said = fixed(scribe, EVENINGS["spacetime"]).said
        doubts = doubts_of(LineView(campaign, scribe.line)).doubts

        assert "  - conflict 1 over: victory, A wins" in said
        assert [(doubt.text, doubt.why) for doubt in doubts if doubt.why == ENDED] == [("K", ENDED)]


def test_R15_a_retcon_lists_them_too(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast gm by=Mary", *EVENINGS["edgerunner"].lines.splitlines()):
            scribe.say(line)
        at = position(scribe, "roll")
        said = scribe.say(f"retcon {at} --as roll Lark streetwise vs 2 = - - - -").said

        assert [line.partition(": ")[2] for line in listed(said)] == [*EVENINGS["edgerunner"].untrue]
        assert doubtful(scribe) == [*EVENINGS["edgerunner"].untrue]
