"""A script that was killed, or stopped at a line, goes on there: nothing of it is recorded twice."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from retold.script_progress import acts_of, progress, records
from tests.database_server import Cluster, new_name

LINES = """\
campaign The Salt Road
session The Long Ebb
scene The porch: Rain since noon.
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast "Captain Thoss" alias=Cap
note: Tea.
note: Tea.
expect session 1
retcon 3: Rain since nine.
undo
redo
undo
branch kinder
say Zel: Come in.
switch mainline
say Zel: Go away.
conflict Stair bruise Zel vs Guards: freedom
declare Zel: I run one of them through.
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
quality Guards 9
fix = KH JD 10S 7C 4C 3D
narrate Zel: One last cry.
end conflict
end session
"""
SCRIPT = Script("evening.session", LINES.encode())
ACTS = len(list(filter(records, SCRIPT.lines())))


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    if request.param == "file":
        return Address.of_file(tmp_path / "a.retold")
    cluster: Cluster = request.getfixturevalue("cluster")
    return Address.on_server(str(cluster.address(new_name())))


def run(place: Address, script: Script = SCRIPT, most: int | None = None) -> int:
    """Runs a script as the verb does, until it is killed after some acts; how many it recorded."""
    with CampaignStore.open(place) as campaign:
        scribe = Scribe(campaign, campaign.mainline())
        sofar = progress(scribe, script)
        if sofar.line is not None:
            scribe.go(sofar.line)
        played = (line for line, _ in play_script(scribe, script, acts_of(sofar)) if records(line))
        return len(list(islice(played, most)))


def told(place: Address) -> list[tuple[int, str, object]]:
    """What is recorded, but times, ids and hashes."""
    with CampaignStore.open(place, read_only=True) as campaign:
        assert verify(campaign.record).whole
        rows = list(campaign.record.everything())
    return [
        (row.line, row.kind, [word and word[1] for word in json.loads(row.words or "[]")])
        for row in rows
        if row.kind != "table.campaign-begun"
    ]


def begun(place: Address) -> Address:
    CampaignStore.create(place).close()
    return place


def test_S8_killed_after_any_line_it_goes_on_at_the_next(place: Address, tmp_path: Path) -> None:
    whole = begun(Address.of_file(tmp_path / "whole.retold"))
    assert run(whole) == ACTS
    begun(place)
    for _ in range(ACTS):
        assert run(place, most=1) == 1

    assert told(place) == told(whole)
    assert run(place) == 0
    assert told(place) == told(whole)


def test_S8_killed_once_after_each_line_it_goes_on_at_the_next(tmp_path: Path) -> None:
    whole = begun(Address.of_file(tmp_path / "whole.retold"))
    run(whole)
    for killed in range(1, ACTS):
        place = begun(Address.of_file(tmp_path / f"{killed}.retold"))
        run(place, most=killed)

        run(place)

        assert told(place) == told(whole), killed


def edited(script: Script, before: str, after: str) -> Script:
    assert before.encode() in script.data
    return Script(script.name, script.data.replace(before.encode(), after.encode(), 1))


def test_S8_a_line_that_was_not_recorded_may_be_mended(place: Address, tmp_path: Path) -> None:
    whole = begun(Address.of_file(tmp_path / "whole.retold"))
    run(whole)
    wrong = edited(SCRIPT, "quality Guards 9", "quality Gards 9")
    begun(place)
    with pytest.raises(Refused, match="Gards"):
        run(place, wrong)

    run(place, SCRIPT)

    assert told(place) == told(whole)


def test_S8_a_line_that_was_recorded_and_reads_differently_is_named(tmp_path: Path) -> None:
    place = begun(Address.of_file(tmp_path / "a.retold"))
    run(place, most=6)
    before = told(place)

    with pytest.raises(Refused, match=r"^evening\.session:3: This is not the line .* that is at 4\. No line"):
        run(place, edited(SCRIPT, "The porch", "The yard"))
    with pytest.raises(Refused, match=r"^evening\.session: This is not the line"):
        run(place, Script(SCRIPT.name, b"".join(SCRIPT.data.splitlines(keepends=True)[:2])))

    assert told(place) == before


@pytest.mark.parametrize(
    "other",
    [
        Script("another.session", b"note: Tea.\nnote: Coffee.\n"),
        Script("tea.session", b"note: Milk.\nnote: Coffee.\n"),
    ],
    ids=["another name", "another first line"],
)
def test_S8_another_script_is_run_from_its_first_line(other: Script, tmp_path: Path) -> None:
    place = begun(Address.of_file(tmp_path / "a.retold"))
    run(place, Script("tea.session", b"note: Tea.\nnote: Sugar.\n"), most=1)

    assert run(place, other) == 2


def test_S8_the_next_evening_under_the_same_name_is_run_from_its_first_line(tmp_path: Path) -> None:
    place = begun(Address.of_file(tmp_path / "a.retold"))
    run(place, Script("tea.session", b"note: Tea.\nnote: Sugar.\n"))

    assert run(place, Script("tea.session", b"note: Tea.\nnote: Milk.\n")) == 2


def test_S8_undone_lines_are_recorded_again(tmp_path: Path) -> None:
    place = begun(Address.of_file(tmp_path / "a.retold"))
    script = Script("tea.session", b"note: Tea.\nnote: Sugar.\n")
    run(place, script)
    with CampaignStore.open(place) as campaign:
        Scribe(campaign, 1).say("undo")
        assert run(place, script) == 1
        scribe = Scribe(campaign, 1)
        scribe.say("undo 2")
        assert run(place, script) == 2


def test_S8_a_script_that_cannot_be_read_to_its_end_is_never_whole(tmp_path: Path) -> None:
    place = begun(Address.of_file(tmp_path / "a.retold"))
    with pytest.raises(Refused):
        run(place, Script("tea.session", b"note: Tea.\nnote: caf\xe9\n"))

    assert run(place, Script("tea.session", "note: Tea.\nnote: caf\u00e9\n".encode())) == 1
