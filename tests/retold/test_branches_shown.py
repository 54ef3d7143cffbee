"""Who a branch is shown to: `branch NAME --to`, `branch show NAME`, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import retold
from retold.journal.language.rendering import line_of
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events import line_events
from retold.journal.store.events.codec import decode
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.scribe import Scribe

JON, KIT = 2, 4
WHICH = "Say which branch others may know of, and who, if not everyone: branch show NAME --to NAMES."
TAKEN = (
    "There is a branch hers already: choose another name. To let others know of that one: branch show hers."
)
LATE = "Jon is not in the cast at 2, where the branch leaves: name a later moment, or show it to the table."
GIVEN = ("cast Zel by=Jon", "cast Odo by=Kit", "narrate Zel: One.", "narrate Zel: Two.")


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    """Somebody who has cast Zel, played by Jon, and Odo, played by Kit, and told two things."""
    with CampaignStore.create(tmp_path / "salt.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in GIVEN:
            scribe.say(line)
        yield scribe


def recorded(scribe: Scribe, line: int = 2) -> list[object]:
    """What is stored on a branch alone, but for what it is called and where it leaves."""
    rows = scribe.campaign.record.store.stretch(line)
    return [one if isinstance(one, e.LineShown) else type(one) for one in (decode(row).event for row in rows)]


@pytest.mark.parametrize(
    ("line", "then"),
    [
        ("branch kinder", []),
        ("branch kinder --gm", []),
        ("branch kinder 8: What if not?", []),
        ("branch kinder --to table", [e.LineShown()]),
        ("branch kinder 8 --to table: What if not?", [e.LineShown()]),
        ("branch kinder --to Jon", [e.LineShown(to=(JON,))]),
        ("branch kinder --to Jon,Kit", [e.LineShown(to=(JON, KIT))]),
    ],
)
def test_a_new_branch_records_its_audience(scribe: Scribe, line: str, then: Sequence[Event]) -> None:
    scribe.say(line)

    assert recorded(scribe) == [e.Forked, *then]
    assert len({decode(row).envelope.act for row in scribe.campaign.record.store.stretch(2)}) == 1


@pytest.mark.parametrize(
    ("line", "then", "said"),
    [
        ("branch show kinder", e.LineShown(), "everybody"),
        ("branch show Kínder --to table", e.LineShown(), "everybody"),
        ("br show kinder --to Jon", e.LineShown(to=(JON,)), "Jon"),
        ("branch show kinder --to Jon,Ada", e.LineShown(to=(JON, 5)), "Jon and Ada"),
    ],
)
def test_a_branch_is_shown_later_from_any_line(scribe: Scribe, line: str, then: Event, said: str) -> None:
    scribe.say("branch kinder")
    scribe.say("cast Ada")
    scribe.say("switch mainline")

    assert scribe.say(line).said == (f"kinder is shown to {said} from now on; this cannot be undone.",)
    assert recorded(scribe) == [e.Forked, e.CastIntroduced, then]
    assert scribe.line == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("branch show kinder", "Everybody may know of kinder already."),
        ("branch show kinder --to Jon", "Everybody may know of kinder already."),
        ("branch show mainline", "Everybody may know of mainline already."),
        ("branch show hers --to Kit", "They may know of hers already."),
        ("branch show hers --gm", "The game master knows of hers: show it to the table, or --to NAMES."),
        ("branch show nope", "There is no branch nope. There are: mainline, kinder, hers."),
        ("branch show hers --to Nobody", "There is no “Nobody” here."),
        ("branch show", WHICH),
        ("branch show hers: x", WHICH),
        ("branch list", "A branch cannot be called list; the branches there are: branches."),
        ('branch "show"', WHICH),
        ("branch hers --to table", TAKEN),
        ("branch early 2 --to Jon", LATE),
    ],
)
def test_branches_that_cannot_be_shown_are_refused(scribe: Scribe, line: str, sentence: str) -> None:
    for one in ("branch kinder --to table", "switch mainline", "branch hers --to Kit", "switch mainline"):
        scribe.say(one)
    before = scribe.campaign.record.store.size()

    with pytest.raises(Refused) as refusal:
        scribe.say(line)
    assert str(refusal.value) == sentence
    assert scribe.campaign.record.store.size() == before


def test_checked_it_records_nothing(scribe: Scribe) -> None:
    scribe.say("branch kinder")

    assert scribe.say("branch show kinder --check").said == ("kinder would be shown to everybody.",)
    assert recorded(scribe) == [e.Forked]


@pytest.mark.parametrize("shown", [("branch kinder --to table",), ("branch kinder", "branch show kinder")])
def test_undo_and_redo_reach_past_it(scribe: Scribe, shown: Sequence[str]) -> None:
    scribe.say("undo")
    for line in shown:
        scribe.say(line)

    assert scribe.say("redo").said == ("Brought back: 9 (narrate Zel: Two.).",)
    assert scribe.say("undo").said == ("Taken back: 9 (narrate Zel: Two.).",)


def test_what_came_before_it_was_shown_can_still_be_taken_back_and_it_stays_shown(scribe: Scribe) -> None:
    for line in (
        "branch kinder",
        "narrate Zel: Three.",
        "branch show kinder",
        "narrate Zel: Four.",
        "undo 2",
    ):
        scribe.say(line)

    assert scribe.campaign.branches.shown_to(2) is None
    assert scribe.say("redo").done is not None
    assert scribe.campaign.branches.shown_to(2) is None


def test_the_act_that_began_a_branch_names_its_audience(scribe: Scribe) -> None:
    for line in ("branch one --to table", "branch two --to Jon,Kit", "branch three"):
        scribe.say(line)
    record, table = scribe.campaign.record, scribe.table
    acts = [next(line_events.acts(record, line, record.lineage(line)[-1].after)) for line in (2, 3, 4)]

    assert [line_of(act, table) for act in acts] == [
        "branch one 9 --to table",
        "branch two 11 --to Jon,Kit",
        "branch three 13",
    ]


def test_a_script_and_a_dump_hold_what_they_held(scribe: Scribe, tmp_path: Path) -> None:
    """A script is one line's live acts; a dump is everything, and comes back whole and shown."""
    before = list(script_of(scribe.campaign, 1))
    for line in ("branch kinder --to table", "narrate Zel: Three.", "switch mainline", "branch hers"):
        scribe.say(line)
    scribe.say("branch show hers --to Kit")

    assert list(script_of(scribe.campaign, 1)) == before
    assert list(script_of(scribe.campaign, 2)) == [*before, "narrate Zel: Three."]
    assert list(script_of(scribe.campaign, 3)) == before
    assert verify(scribe.campaign.record).whole
    load(dump(scribe.campaign.record), tmp_path / "again.retold")
    with CampaignStore.open(tmp_path / "again.retold") as again:
        assert verify(again.record).whole
        assert [again.branches.shown_to(line) for line in (1, 2, 3)] == [None, None, frozenset({KIT})]


def test_a_retcon_of_a_shown_branch_is_the_game_masters_until_it_is_promoted(scribe: Scribe) -> None:
    for line in ("branch kinder --to table", "narrate Zel: Three.", 'retcon @ --as "narrate Zel: Four."'):
        scribe.say(line)
    assert scribe.campaign.branches.shown_to(3) == frozenset()
    scribe.say("branch promote retcon")

    assert scribe.campaign.branches.shown_to(3) is None


def test_a_fork_as_it_was_always_recorded_is_the_game_masters(scribe: Scribe) -> None:
    """What an older Retold wrote says nothing of whom a branch is for."""
    scribe.say("branch kinder")
    (row,) = scribe.campaign.record.store.stretch(2)

    assert '"see"' not in row.body
    assert scribe.campaign.branches.shown_to(2) == frozenset()


def test_two_lines_are_compared_as_diff_compares_them(tmp_path: Path) -> None:
    with retold.new(tmp_path / "one.retold") as campaign, retold.new(tmp_path / "two.retold") as other:
        campaign.play("cast Zel\nsession\nnarrate Zel: Low tide.\nbranch kinder @-1")
        campaign.play("narrate Zel: High tide.\nswitch mainline")
        found = campaign.compare(campaign.branch("kinder")).to_json()

        assert (found["one"], found["other"]) == ("mainline@4", "kinder@5")
        assert "Low tide." in str(found["told"][0])
        assert "High tide." in str(found["told"][1])
        with pytest.raises(Refused, match="is another campaign"):
            campaign.compare(other)
