from __future__ import annotations

from pathlib import Path

import pytest

from retold.cli.campaigns.settings import Settings
from retold.cli.console.nameable import cursor_at
from retold.cli.console.offers import Known, offers
from retold.cli.console.session import ConsoleSession


def offered(seat: ConsoleSession, typed: str) -> list[str]:
    known = Known(seat.scribe.table, ("mainline", "kinder"), Settings.of_user())
    return [one.text for one in offers(known, typed)[1]]


def test_a_file_of_a_picture_is_offered_from_the_folder_that_is_typed(
    seat: ConsoleSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pictures"
    (folder / "maps").mkdir(parents=True)
    for name in ("Quay.jpg", "quay.txt", ".quay.png", "two moons.png", "maps/quarter.webp"):
        (folder / name).write_bytes(b"")
    monkeypatch.chdir(folder)

    assert offered(seat, "image quay ")[:3] == ["Quay.jpg", "maps/", '"two moons.png"']
    assert offered(seat, "cover qu") == ["Quay.jpg"]
    assert offered(seat, 'portrait Ana "two') == ['"two moons.png"']
    assert offered(seat, "handout letter maps/q") == ["maps/quarter.webp"]
    assert offered(seat, "cover nowhere/q") == []
    assert offered(seat, "cover quay.jpg a") == ["alt="]
    assert offers(Known(seat.scribe.table), "cover qu")[1] == []


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("dra", "draw"),
        ("dr", "draw"),
        ("qu", "quality"),
        ("qui", "quit"),
        ("help ka", "karma"),
        ("show de", "decks"),
        ("draw zel", '"Zélie Brandt"'),
        ("draw brandt", '"Zélie Brandt"'),
        ("draw capt", '"Zélie Brandt"'),
        ('draw "Zél', '"Zélie Brandt"'),
        ("draw gu", "Guards"),
        ("draw Zélie me", "melee"),
        ("draw Zélie clubs+me", "melee"),
        ("draw Zélie leg", '"leg brace"'),
        ("draw Zélie clubs+melee = 10", "10S"),
        ("declare Guards --to A", "Ana"),
        ("declare Guards --g", "--gm"),
        ("narrate --provenance rec", "reconstructed"),
        ("conflict bru", "bruise"),
        ("conflict Ana v", "vs"),
        ("conflict Ana vs Gu", "Guards"),
        ("conflict spacetime Ana vs Guards mode=ch", "challenge"),
        ("conflict spacetime Ana vs Guards obstacle=Gu", "Guards"),
        ("cast Ana bruise mel", "melee="),
        ("cast Ana pron", "pronouns="),
        ("cast Ana pronouns=th", "they/them"),
        ("cast Ana forms.ac", "forms.acc="),
        ("option ac", "ace="),
        ("option ace=l", "low"),
        ("option spacetime.orient", "spacetime.orientation="),
        ("end con", "conflict"),
        ("end conflict st", "stalemate"),
        ("tilt Zélie de", "destiny"),
        ("roll Ana 2", "2d6"),
        ("switch ki", "kinder"),
        ("branch promote k", "kinder"),
        ("branch other the", "the-stair"),
        ("expect qual", "quality"),
        ("colour h", "hearts"),
    ],
)
def test_completion_offers_what_the_table_knows(seat: ConsoleSession, typed: str, best: str) -> None:
    assert offered(seat, typed)[:1] == [best]


@pytest.mark.parametrize(
    "typed",
    [
        "narrate Zélie: dra",
        "narrate:",
        "# dra",
        "draw Zélie # mel",
        "narrate Zélie = J",
        'draw "Zélie Brandt" x"y',
        "undo x",
        "scene dra",
    ],
)
def test_nothing_is_offered_in_texts_comments_and_where_nothing_is_known(
    seat: ConsoleSession, typed: str
) -> None:
    assert offered(seat, typed) == []


def test_people_in_the_conflict_come_before_the_rest_of_the_cast(seat: ConsoleSession) -> None:
    assert offered(seat, "award ")[:3] == ['"Zélie Brandt"', "Guards", "Ana"]
    assert offered(seat, "award ")[-3:] == ["gm", "all", "party"]


def test_a_trait_is_offered_once_in_a_line(seat: ConsoleSession) -> None:
    assert "clubs" in offered(seat, "draw Zélie ")
    assert "clubs" not in offered(seat, "draw Zélie clubs+")


def test_cards_that_are_out_are_not_offered(seat: ConsoleSession) -> None:
    before = offered(seat, "draw Zélie clubs+melee = J")
    seat.hear("draw Zélie clubs+melee = JH JD 10S 7C 4C 3D")

    assert before == ["JS", "JH", "JD", "JC"]
    assert offered(seat, "draw Zélie clubs+melee = J♠ J") == ["JC"]
    assert offered(seat, "draw Guards 2 = J") == ["JS", "JH", "JD", "JC"]
    assert sorted(offered(seat, "karma Zélie fate 3D ")) == ["10S", "4C", "7C", "JD", "JH"]


def test_the_answers_to_what_is_pending_are_offered(seat: ConsoleSession) -> None:
    seat.hear("draw Zélie clubs+melee = JH 2D 10S 7C 4C 3D")
    seat.hear("draw Guards 1 = JS")
    seat.hear("quality")

    assert {"Zélie Brandt", "Guards"} <= set(offered(seat, "ruling "))
    assert "tie=" in offered(seat, "ruling ti")
    assert offered(seat, "ruling tie=Gu") == ["Guards"]


def test_a_card_of_several_words_is_found_by_their_beginnings(seat: ConsoleSession) -> None:
    seat.hear("end conflict stalemate")
    seat.hear("conflict spacetime Ana vs Guards")

    assert offered(seat, "draw Ana = u:ru") == ["unknown:ruler"]


def test_an_open_quote_holds_its_blanks() -> None:
    cursor = cursor_at('draw "Captain Tho')

    assert cursor is not None
    assert (cursor.words, cursor.fragment) == (("draw",), '"Captain Tho')


@pytest.mark.parametrize("typed", ["export --voice m", "diff mainline kinder --story --voice m"])
def test_the_voices_of_the_user_are_offered_as_well(seat: ConsoleSession, typed: str) -> None:
    Settings.of_user().voices.mkdir(parents=True)
    (Settings.of_user().voices / "mine.toml").touch()

    assert offered(seat, typed) == ["mine"]
    assert offered(seat, "export --voice=pl") == ["--voice=plain"]
    assert offered(seat, "voices --copy re") == ["report"]


KEPT = """end session
session Second
thread "Who paid": Two coins.
thread "The bell": It hums.
thread bell --done
place "Salt Gate": Shut.
cast Odo
retire Odo
"""


@pytest.mark.parametrize(
    ("typed", "all_of_it"),
    [
        ("recap ", ["s2", "s1", "s1..s2"]),
        ("recap s1..", ["s1..s1", "s1..s2"]),
        ("recap s2..", ["s2..s2"]),
        ("recap --for ta", ["table"]),
        ("who --for An", ["Ana"]),
        ("recap --at the", ["the-stair"]),
        ("log --branch ki", ["kinder"]),
        ("stats --branch ki", ["kinder"]),
        ("who wh", ['"Who paid"']),
        ("who salt", ['"Salt Gate"']),
        ("thread ", ['"Who paid"', '"The bell"']),
        ("place ", ['"Salt Gate"']),
        ("thing ", []),
        ('thread "Who paid" into ', ['"The bell"']),
        ("retire Od", []),
        ("retire gm", []),
        ("merge Ana into An", []),
        ("merge Odo into An", ["Ana"]),
        ("cast Od", ["Odo"]),
    ],
)
def test_a_week_later_sessions_and_what_is_kept_are_offered(
    seat: ConsoleSession, typed: str, all_of_it: list[str]
) -> None:
    for line in KEPT.splitlines():
        seat.scribe.say(line)

    found = [one for one in offered(seat, typed) if not one.endswith("=")]
    assert found == all_of_it


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("option table.tell", "table.telling="),
        ("option table.telling.Gu", "table.telling.Guards="),
        ("option table.telling.Guards=th", "third"),
        ("option table.tense=p", "past"),
        ("blu", "blurb"),
        ("reflection b", "by="),
        ("reflection by=A", "Ana"),
        ("pull the", "the-stair"),
        ("edi", "edit"),
    ],
)
def test_commands_of_a_writer_are_offered(seat: ConsoleSession, typed: str, best: str) -> None:
    assert best in offered(seat, typed)


# --- the whole party --------------------------------------------------------------------------------------

OF_THREE = (
    "cast gm by=Mary",
    "game d20",
    "cast Thia by=Jo str=3 health=12 ac=15",
    "cast Osk by=Ben dex=3 health=9",
    "cast Wolf dex=2 health=7 ac=11",
)


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("hp al", ["all"]),
        ("hp pa", ["party"]),
        ("roll al", ["all"]),
        ("roll Wolf+a", ["all"]),
        ("initiative par", ["party"]),
        ("conflict al", ["all"]),
        ("status al", ["all"]),
        ("cast al", ["alias="]),
        ("retire al", ["all"]),
        ("say al", []),
    ],
)
def test_G15_the_party_is_offered_where_it_can_stand(
    empty: ConsoleSession, typed: str, best: list[str]
) -> None:
    for line in OF_THREE:
        empty.hear(line)

    assert offered(empty, typed)[:1] == best


def test_G15_a_person_named_party_is_offered_as_that_person(empty: ConsoleSession) -> None:
    for line in (*OF_THREE, "cast Party"):
        empty.hear(line)

    found = {one.text: one.about for one in offers(Known(empty.scribe.table), "hp ")[1]}

    assert (found["Party"], found["all"], "party" in found) == ("character", "Thia, Osk", False)


def test_G15_all_is_not_offered_before_a_character_has_a_player(empty: ConsoleSession) -> None:
    empty.hear("game d20")
    empty.hear("cast Wolf dex=2 health=7 ac=11")

    assert "all" not in offered(empty, "hp ")
