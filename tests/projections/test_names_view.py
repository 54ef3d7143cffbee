"""`show names`: a style sheet of how names are written."""

from __future__ import annotations

from pathlib import Path

import retold

LINES = (
    "cast gm by=Mary",
    "cast Élodie by=Jon pronouns=she alias=Lodi",
    "cast Warden --gm",
    'thread "Who paid"',
    "session One",
    "narrate: Elodie met Lodi, and élodie laughed. Who paid?",
    "narrate: Élodie said that the Warden knew. Élodie left.",
    "narrate --gm: Warden, Warden, Warden.",
)


def names(tmp_path: Path, viewer: str) -> list[dict[str, object]]:
    with retold.new(tmp_path / "a.retold") as campaign:
        for line in LINES:
            campaign.say(line)
        found: list[dict[str, object]] = campaign.seen_by(viewer).view("names").to_json()["names"]
        return found


def test_item_10_a_style_sheet_counts_each_spelling(tmp_path: Path) -> None:
    elodie, warden, paid = names(tmp_path, "gm")

    assert (elodie["name"], elodie["others"], elodie["player"]) == ("Élodie", ["Lodi"], "Jon")
    assert elodie["written"] == {"Élodie": 2, "Elodie": 1, "Lodi": 1, "élodie": 1}
    assert warden["written"] == {"Warden": 4}
    assert (paid["sort"], paid["written"]) == ("thread", {"Who paid": 1})


def test_item_10_a_style_sheet_of_the_table_knows_no_secret_person(tmp_path: Path) -> None:
    assert [name["name"] for name in names(tmp_path, "table")] == ["Élodie", "Who paid"]


def test_item_10_a_rare_spelling_near_a_name_is_doubtful(tmp_path: Path) -> None:
    """A word that is common in small letters is none, nor a plural, a genitive, or a frequent word."""
    told = [
        *(
            "narrate: Gatto and Isambard run.",
            "narrate: Isambard falls, and Gatto.",
            "narrate: Gatto! Isambard!",
        ),
        "narrate: Gato sits with Isembart and two Gattos. Gatton, Gatton.",
        "narrate: Ratto is a rat, and the ratto is none. Isambards boat.",
    ]
    with retold.new(tmp_path / "a.retold") as campaign:
        for line in ("cast Gatto", "cast Isambard", "session One", *told):
            campaign.say(line)
        found = campaign.view("names").to_json()["names"]
        rows = str(list(campaign.view("names").rows()))

    assert {one["name"]: one["doubtful"] for one in found} == {
        "Gatto": {"Gato": 1},
        "Isambard": {"Isembart": 1},
    }
    assert "Isembart 1" in rows


def test_item_10_words_that_a_viewer_may_not_read_are_not_doubtful(tmp_path: Path) -> None:
    lines = ("cast Gatto", "session One", *["narrate: Gatto runs."] * 3, "narrate --gm: Gato is the thief.")
    with retold.new(tmp_path / "a.retold") as campaign:
        for line in lines:
            campaign.say(line)
        seen = [
            campaign.seen_by(viewer).view("names").to_json()["names"][0]["doubtful"]
            for viewer in ("gm", "table")
        ]

    assert seen == [{"Gato": 1}, {}]
