"""Logs with very many labels: how many questions are asked, and what is proposed about whom."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from retold.importing.verb.answers import AnswersFile
from retold.importing.verb.prompts import Prompts
from retold.importing.verb.questions import Asking
from retold.sources import read
from retold.sources.answers import Answers
from retold.sources.questions import About, questions
from retold.sources.survey import Survey, survey
from tests.retold.sources.made_up_fantasy_grounds import LIGHT, line

HEROES = ("Zel", "Pell", "Odd", "Kit", "Bruno")
PLAYERS = ("Jon", "Ada", "Sam", "Ilse", "Rana")
MASTER = "usermary00000001"


def user(number: int) -> str:
    return f"userplayer{number:06}"


def actor(number: int) -> str:
    return f"actorhero0{number:06}"


def messages() -> Iterator[dict[str, object]]:
    """Messages of a world of many months: five heroes, each also used by the game master, and 110 others."""
    said: list[tuple[str, str, str, int]] = []
    for number, hero in enumerate(HEROES):
        said += [(hero, user(number), actor(number), 2)] * 140
        said += [(hero, MASTER, actor(number), 2)] * 9
        said += [(PLAYERS[number], user(number), "", 1)] * 30
    said += [("Gamemaster", MASTER, "", 1)] * 200
    for number in range(90):
        said += [(f"Guard of the {number}th gate", MASTER, "", 2)] * (1 + number % 9)
    for number in range(20):
        said += [(f"Wolf {number} of Kit", user(3), "", 2)] * (1 + number % 5)
    for number, (alias, author, whose, style) in enumerate(said):
        yield {
            "_id": f"m{number:015}",
            "style": style,
            "author": author,
            "timestamp": 1_772_394_130_123 + number * 60_000,
            "content": f"These are words number {number}.",
            "speaker": {"alias": alias, **({"actor": whose} if whose else {})},
        }


def world(folder: Path) -> Survey:
    data = folder / "world/data"
    data.mkdir(parents=True)
    users: list[dict[str, object]] = [{"_id": MASTER, "name": "Gamemaster", "role": 4, "character": None}]
    users += [
        {"_id": user(number), "name": name, "role": 1, "character": actor(number) if number < 4 else None}
        for number, name in enumerate(PLAYERS)
    ]
    actors = [{"_id": actor(number), "name": hero} for number, hero in enumerate(HEROES)]
    for name, rows in (("messages", list(messages())), ("users", users), ("actors", actors)):
        (data / f"{name}.db").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return survey([read(folder / "world")])


def asked(found: Survey, folder: Path, answers: str = "") -> int:
    """Number of questions at the terminal; the same number is written into the file of answers."""
    path = folder / "log.import.toml"
    path.write_text(answers)
    prompts = Prompts(AnswersFile(path), found, lambda: "", takes_all=True)
    needed = [one for one in questions(prompts.answers, found) if one.is_needed]
    count = Asking(prompts).count()
    assert len(needed) <= count + 1
    return count


def taken(found: Survey, folder: Path, answers: str = "") -> Answers:
    """Answers after every proposal was taken."""
    path = folder / "taken.import.toml"
    path.write_text(answers)
    prompts = Prompts(AnswersFile(path), found, lambda: "", takes_all=True)
    Asking(prompts).run()
    assert [one.about for one in questions(prompts.answers, found) if one.is_needed] == []
    return prompts.answers


def test_I2_a_world_of_many_labels_asks_few_questions(tmp_path: Path) -> None:
    found = world(tmp_path)

    assert len(found.speakers) == 121
    assert asked(found, tmp_path) <= 25


def test_I2_players_come_from_the_world_and_most_messages(tmp_path: Path) -> None:
    answers = taken(world(tmp_path), tmp_path)

    assert answers.game_master == ("Gamemaster",)
    plays = {name: one.plays for name, one in answers.people.items() if name in HEROES}
    assert plays == dict(zip(HEROES, PLAYERS, strict=True))  # Bruno is no user's character: most messages say
    assert [answers.person_of(player) for player in PLAYERS] == list(HEROES)
    guards = {one.role for name, one in answers.people.items() if name.startswith("Guard")}
    wolves = {one.plays for name, one in answers.people.items() if name.startswith("Wolf")}
    assert (guards, wolves) == ({"npc"}, {"Ilse"})


def test_I2_one_message_by_the_game_master_makes_no_npc_of_a_hero(tmp_path: Path) -> None:
    found = world(tmp_path)

    (told,) = [one for one in questions(Answers(game_master=("Gamemaster",)), found) if "tells" in one.text]
    proposed = {speaker.label: str(said) for speaker, said in told.group}

    assert (proposed["Zel"], proposed["Bruno"], proposed["Jon"]) == ("by Jon", "by Rana", "plays Zel")
    assert [one.about for one in questions(Answers(), found)].count(About.ACCOUNTS) == 0


def numbered_world(folder: Path) -> Survey:
    """The world with a crowd: 40 numbered tokens of the game master, and people of an evening heard once."""
    data = folder / "world/data"
    found = world(folder)
    rows = (data / "messages.db").read_text("utf-8").splitlines()
    crowd = [f"Goblin {number}" for number in range(1, 41)] + [
        f"Guest {number} of the inn" for number in range(20)
    ]
    for number, alias in enumerate(crowd):
        message = {
            "_id": f"n{number:015}",
            "style": 2,
            "author": MASTER,
            "timestamp": 1_779_394_130_123 + number,
            "content": "These are words.",
            "speaker": {"alias": alias},
        }
        rows.append(json.dumps(message))
    (data / "messages.db").write_text("\n".join(rows), "utf-8")
    assert len(found.speakers) == 121
    return survey([read(folder / "world")])


def test_I2_numbered_tokens_and_guests_ask_no_more(tmp_path: Path) -> None:
    found = numbered_world(tmp_path)

    assert len(found.speakers) == 181
    assert asked(found, tmp_path) <= 25


def fantasy_grounds(folder: Path) -> Survey:
    """A log of a year: five heroes and their players, and 160 others, most of them numbered or heard once."""
    said = [(hero, 200 - 10 * number, LIGHT["said"]) for number, hero in enumerate(HEROES)]
    said += [(f"{player} ({hero})", 30, LIGHT["aside"]) for player, hero in zip(PLAYERS, HEROES, strict=True)]
    said += [("GM", 150, LIGHT["said"])]
    said += [(f"Goblin {number}", 1 + number % 7, LIGHT["roll"]) for number in range(1, 61)]
    said += [(f"Old Guard #{number}", 2, LIGHT["said"]) for number in range(1, 41)]
    said += [(f"Voice of the {number}th lamp", 1, LIGHT["said"]) for number in range(40)]
    said += [(f"Captain {letter}", 40, LIGHT["said"]) for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"]
    rows = ["<br />", "<b>Chat log started at 28.2.2026 / 19:40:12</b><br/>", "<br />"]
    for label, times, colour in said:
        for number in range(times):
            is_roll = colour == LIGHT["roll"]
            words = (
                f"{label}: [ATTACK (M)] Sling" if is_roll else f"{label}: These are words number {number}."
            )
            rows.append(line(colour, words, "1d20+5 = 17" if is_roll else ""))
    (folder / "chatlog.html").write_text("\n".join(rows), "utf-8")
    return survey([read(folder / "chatlog.html")])


def test_I2_a_log_of_fantasy_grounds_asks_few_questions(tmp_path: Path) -> None:
    found = fantasy_grounds(tmp_path)

    assert len(found.speakers) >= 170
    assert asked(found, tmp_path) <= 20
