"""What other programs are given, read back: pages and who may see them, rows of a table, one value."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

import retold
from retold.projections.exports import FORMATS
from tests.prepared import numbered
from tests.retold.worlds.evening import JOINER, SECRETS, begun
from tests.twin_evenings import differences, played

NAMES: Final = [name for name, one in FORMATS.items() if one.is_of_campaign]
ROOT: Final = Path(__file__).parents[3]
PRIVATE: Final = " (not for the players)"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[retold.Campaign]:
    with begun(tmp_path_factory.mktemp("ferry") / "ferry.retold") as one:
        yield one


def exported(campaign: retold.Campaign, name: str, eyes: str = "gm") -> bytes:
    return campaign.seen_by(eyes).export(name)


def legible(data: bytes) -> str:
    return data.decode("utf-8-sig", errors="replace").replace(JOINER, "")


def archive(data: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: json.loads(packed.read(name)) for name in packed.namelist()}


# --- who may see what -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_copy_of_the_table_has_no_secret_and_that_of_the_game_master_each(
    campaign: retold.Campaign, name: str
) -> None:
    told = {eyes: legible(exported(campaign, name, eyes)) for eyes in ("gm", "table", "Kim")}

    assert [secret for secret in SECRETS if secret not in told["gm"]] == []
    assert [secret for secret in SECRETS if secret in told["table"]] == []
    assert [secret for secret in SECRETS if secret in told["Kim"]] == ["compass"]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_viewer_may_not_know_changes_no_byte(tmp_path: Path, name: str) -> None:
    def asked(one: retold.Campaign, eyes: str) -> dict[str, str]:
        return {name: numbered(legible(exported(one, name, eyes)))}

    with played(tmp_path, "d20", hidden=True) as one, played(tmp_path, "d20", hidden=False) as other:
        assert differences(one, other, asked) == []
        assert exported(one, name) != exported(other, name)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_record_gives_the_same_bytes(campaign: retold.Campaign, name: str) -> None:
    assert exported(campaign, name) == exported(campaign, name)


def test_a_branch_that_the_table_may_not_know_is_private_throughout(tmp_path: Path) -> None:
    with begun(tmp_path / "ferry.retold") as one:
        one.say("branch aground")
        one.say("narrate Zel: We are aground.")
        entry = json.loads(one.branch("aground").export("foundry"))

    assert {page["ownership"]["default"] for page in entry["pages"]} == {0}


# --- Foundry ----------------------------------------------------------------------------------------------


def test_foundry_has_a_page_for_each_subject_and_marks_those_that_are_private(
    campaign: retold.Campaign,
) -> None:
    entry = json.loads(exported(campaign, "foundry"))
    categories = {one["_id"]: one["name"] for one in entry["categories"]}
    levels = {
        (categories[page["category"]], page["name"]): page["ownership"]["default"] for page in entry["pages"]
    }

    assert (entry["name"], entry["ownership"]) == ("The Salt Road", {"default": 2})
    assert levels == {
        ("Sessions", "Session 1: The ferry"): -1,
        ("Sessions", f"Session 1: The ferry{PRIVATE}"): 0,
        ("Sessions", "Session 2: The far bank"): -1,
        ("Cast", "Zel"): -1,
        ("Cast", f"Zel{PRIVATE}"): 0,
        ("Cast", "Ana"): -1,
        ("Cast", f"Ana{PRIVATE}"): 0,
        ("Cast", f"Captain Morvane{PRIVATE}"): 0,
        ("Places", "The quay"): -1,
        ("Threads", "Who lit the lanterns"): -1,
        ("Threads", f"The drowned ledger{PRIVATE}"): 0,
        ("Things", "The key"): -1,
    }
    public = [page["text"]["content"] for page in entry["pages"] if page["ownership"]["default"]]
    assert [secret for secret in SECRETS if any(secret in html for html in public)] == []


def test_typed_words_are_text_for_foundry_and_kanka(campaign: retold.Campaign) -> None:
    entry = json.loads(exported(campaign, "foundry", "table"))
    told = [page["text"]["content"] for page in entry["pages"]]
    told += [
        one["entity"]["entry"] for one in archive(exported(campaign, "kanka")).values() if "entity" in one
    ]

    assert sum("/roll 1d20" in html for html in told) >= 2
    for html in told:
        assert not re.search(r"\[\[|[@&]\w+\[|\[[A-Za-z_]+:", html)
        assert "<script" not in html


def test_ids_of_foundry_fit_and_last(campaign: retold.Campaign) -> None:
    gm, table = (json.loads(exported(campaign, "foundry", eyes)) for eyes in ("gm", "table"))
    ids = [page["_id"] for page in gm["pages"]]

    assert all(re.fullmatch("[A-Za-z0-9]{16}", one) for one in (*ids, gm["_id"]))
    assert len({*ids}) == len(ids)
    assert {page["_id"] for page in table["pages"]} <= {*ids}
    assert gm["_id"] == table["_id"]


PACK: Final = """\
const { compilePack, extractPack } = await import(process.argv[1]);
await compilePack("source", "pack");
await extractPack("pack", "back");
"""


@pytest.mark.skipif("FOUNDRY_CLI" not in os.environ, reason="FOUNDRY_CLI names no packer of Foundry's")
def test_foundrys_own_packer_packs_the_entry(campaign: retold.Campaign, tmp_path: Path) -> None:
    data = exported(campaign, "foundry")
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "ferry.json").write_bytes(data)

    packer = Path(os.environ["FOUNDRY_CLI"], "index.mjs").as_uri()
    subprocess.run(["node", "--input-type=module", "-e", PACK, packer], cwd=tmp_path, check=True, timeout=60)

    (back,) = (json.loads(path.read_text("utf-8")) for path in (tmp_path / "back").iterdir())
    assert back == json.loads(data)


# --- Kanka ------------------------------------------------------------------------------------------------

KANKA: Final = {
    "journals": {"id", "name", "is_private", "date", "entity"},
    "characters": {"id", "name", "is_private", "entity", "characterFamilies", "characterRaces"},
    "locations": {"id", "name", "is_private", "entity"},
    "quests": {"id", "name", "is_private", "is_completed", "elements", "entity"},
    "items": {"id", "name", "is_private", "entity"},
}
"""What Kanka's import reads of each file, by folder: without one of them it stops."""


def test_kanka_has_what_its_import_reads_and_marks_what_is_private(campaign: retold.Campaign) -> None:
    files = archive(exported(campaign, "kanka"))
    assert files.pop("campaign.json") == {"id": 1, "name": "The Salt Road"}

    assert {name.split("/")[0] for name in files} == {*KANKA}
    for name, one in files.items():
        assert KANKA[name.split("/")[0]] <= one.keys()
        assert one["entity"]["is_private"] == one["is_private"]
    ids = [one["id"] for one in files.values()]
    assert sorted({*ids}) == sorted(ids)
    assert [one["entity"]["id"] for one in files.values()] == ids
    seen = {one["name"]: (one["is_private"], _posts(one)) for one in files.values()}
    assert {name: private for name, (private, _) in seen.items() if private} == {
        "Captain Morvane": True,
        "The drowned ledger": True,
    }
    assert {name for name, (_, posts) in seen.items() if posts} == {"Session 1: The ferry", "Zel", "Ana"}
    assert {visibility for _, posts in seen.values() for visibility in posts} == {2}
    for one in files.values():
        if not one["is_private"]:
            assert [secret for secret in SECRETS if secret in one["entity"]["entry"]] == []


def test_kanka_keeps_dates_and_what_is_closed(campaign: retold.Campaign) -> None:
    files = archive(exported(campaign, "kanka", "table")).values()

    assert {one["name"]: one["date"] for one in files if "date" in one} == {
        "Session 1: The ferry": "2026-03-14",
        "Session 2: The far bank": "2026-03-21",
    }
    assert {one["name"]: one["is_completed"] for one in files if "is_completed" in one} == {
        "Who lit the lanterns": True
    }


def _posts(one: Mapping[str, Any]) -> list[int]:
    return [post["visibility_id"] for post in one["entity"]["posts"]]


# --- CSV and JSON -----------------------------------------------------------------------------------------


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_has_a_row_for_each_event_with_session_scene_and_speaker(campaign: retold.Campaign) -> None:
    read = rows(exported(campaign, "csv"))
    told = [
        one for one in read if one["kind"] in ("table.narrated", "table.session-closed", "table.dice-rolled")
    ]

    assert len(read) == len(campaign.happened())
    assert [(one["session"], one["scene"], one["who"], one["for"]) for one in told] == [
        ("1", "The quay, at night", "Zel", "table"),
        ("1", "The quay, at night", "the game master", "gm"),
        ("1", "The quay, at night", "the game master", "table"),
        ("1", "The quay, at night", "Ana", "Ana"),
        ("1", "The quay, at night", "Zel", "table"),
        ("1", "", "", "table"),
        ("2", "'+1 step", "Zel", "table"),
    ]
    assert [one["numbers"] for one in told if one["numbers"]] == ["Zel rolls 1d20: 12"]


def test_csv_has_no_cell_that_a_spreadsheet_would_compute(campaign: retold.Campaign) -> None:
    cells = [cell for one in rows(exported(campaign, "csv")) for cell in one.values()]

    assert any(cell.startswith("'=HYPERLINK") or "=HYPERLINK" in cell for cell in cells)
    assert [cell for cell in cells if re.match(r"\s*[=+\-@]", cell)] == []


def test_without_mechanics_csv_has_no_numbers(campaign: retold.Campaign) -> None:
    assert {one["numbers"] for one in rows(campaign.export("csv", mechanics="none"))} == {""}


@pytest.mark.parametrize("eyes", ["gm", "table", "Kim"])
def test_a_campaign_as_one_value_has_the_published_shape(campaign: retold.Campaign, eyes: str) -> None:
    schema = json.loads((ROOT / "docs" / "campaign.schema.json").read_text("utf-8"))
    value = json.loads(exported(campaign, "campaign", eyes))

    Draft202012Validator(schema).validate(value)
    assert value["viewer"] == eyes
    assert [one.id for one in campaign.seen_by(eyes).happened()] == [one["id"] for one in value["events"]]
    assert [(one["session"], one["date"]) for one in value["sessions"]] == [
        (1, "2026-03-14"),
        (2, "2026-03-21"),
    ]
    assert [scene["title"] for one in value["sessions"] for scene in one["scenes"]] == [
        "The quay, at night",
        "+1 step",
    ]
    assert [one["name"] for one in value["things"]] == ["The key"]


def test_a_program_is_refused_a_part_of_a_whole_campaign(campaign: retold.Campaign) -> None:
    with pytest.raises(retold.Refused, match="csv is the whole campaign: leave out --session"):
        campaign.export("csv", 1)
