"""Questions about a log: what is proposed comes from the log alone, and what is answered is not asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from retold.sources.answers import NOBODY, Answers, Person, Use
from retold.sources.questions import (
    About,
    Edit,
    Role,
    Said,
    edits,
    likely,
    likely_game_masters,
    likely_use,
    questions,
)
from retold.sources.reporting import Report
from retold.sources.survey import Survey
from retold.sources.unit import Place, Precision, Sort, Unit, When


def heard(*units: Unit) -> Survey:
    found = Survey(Report("discord"), ("Discord (JSON)",), can_mark=True)
    for unit in units:
        found.report.add(unit, "chat.json")
        found.add(unit, is_for_all=True)
    return found


def said(label: str, words: str = "words", times: int = 4, **more: object) -> Sequence[Unit]:
    return [Unit(Place(1, 1), "key", Sort.SAID, words, speaker=label, **more) for _ in range(times)]  # type: ignore[arg-type]


def asked(survey: Survey, answers: Answers) -> dict[str, str]:
    found = [one for one in questions(answers, survey) if one.about is About.PERSON]
    alone = {one.speaker.label: str(one.said) for one in found if one.speaker}
    return alone | {speaker.label: str(said) for one in found for speaker, said in one.group}


MARY = Answers(game_master=("Mary",))


def test_labels_are_not_asked_about_again_for_their_marks_of_direction() -> None:
    number = "+49 170 1234567"
    survey = heard(*said(number), *said("Mary", "The lamp is out."))

    assert asked(survey, MARY)
    for kept in (number, f"\u202a{number}\u202c", f"\u2068{number}\u2069"):
        assert asked(survey, Answers(game_master=("\u200eMary",), people={kept: Person(plays="Zel")})) == {}


def test_I3_who_tells_most_is_not_taken_for_the_game_master() -> None:
    survey = heard(*said("Zel", "no", 9), *said("Mary", "A long description of the ferry, at noon."))

    (question,) = [one for one in questions(Answers(), survey) if one.about is About.GAME_MASTER]

    assert question.proposal == (("game_master", []),)
    assert question.text.endswith("The log does not say. Labels: Zel, Mary.")


@pytest.mark.parametrize(
    "label",
    [
        *("Mary (GM)", "mary (dm)", "KP", "kp", "▶ KP", "⦿KP", "【KP】", "GM Mary", "SL", "MJ", "The Keeper"),
        *("KP-Mary", "Meister", "Director", "Narrador", "守秘人", "Game-Master"),
        *("Narrator", "* Narrator *", "Keeper of Arcane Lore", "Spielleiterin", "Ведущий", "キーパー", "ST"),
        *("Dungeon Master", "~GM~", "GM: Mary", "Mary_GM", "meneur", "ДМ", "Мастер", "Mestre"),
    ],
)
def test_I3_a_label_that_says_so_is_proposed_as_game_master(label: str) -> None:
    survey = heard(*said("Zel", "A long description of the ferry.", 40), *said(label, "no", 1))

    assert likely_game_masters(Answers(), survey) == [label]


@pytest.mark.parametrize(
    "label",
    [
        "Innkeeper",
        "SL-4",
        "Adm. Kp",
        "Magma",
        "Dm-7",
        "St. John",
        "ST. John",
        "DJ Spin",
        "Gm's Wolf",
        "O'GM",
        "Master Yoda",
    ],
)
def test_I3_a_part_of_a_word_says_no_game_master(label: str) -> None:
    assert likely_game_masters(Answers(), heard(*said(label))) == []


def test_I3_each_label_that_says_so_is_the_game_masters() -> None:
    survey = heard(*said("▶ KP", times=1), *said("Zel", times=145), *said("⦿KP|Room", times=2))

    assert likely_game_masters(Answers(), survey) == ["⦿KP|Room", "▶ KP"]
    assert asked(survey, Answers(game_master=("▶ KP",))) == {"⦿KP|Room": "gm", "Zel": "player"}


def test_a_proposed_game_master_is_not_asked_about_again() -> None:
    survey = heard(*said("Mary (GM)", "A long description."), *said("Zel", "no"))

    assert asked(survey, Answers()) == {"Zel": "player"}


def test_a_game_without_a_game_master_is_an_answer() -> None:
    survey = heard(*said("Zel"))

    assert asked(survey, Answers(game_master=(NOBODY,))) == {"Zel": "player"}
    assert About.GAME_MASTER not in [one.about for one in questions(Answers(game_master=(NOBODY,)), survey)]


def test_proposals_come_from_what_the_log_shows() -> None:
    survey = heard(
        *said("Mary"),
        *said("Zel", account="11"),
        *said("Zel (wounded)", times=1),
        *said("Avrae"),
        *said("Tumbler#4410"),
        *said("A Guard", times=2),
        *said("Zelda", times=5),
    )

    assert asked(survey, MARY) == {
        "Zel": "player",
        "Zel (wounded)": "is Zel",
        "Avrae": "bot",
        "Tumbler#4410": "player",
        "A Guard": "npc",
        "Zelda": "player",
    }


def test_an_account_that_is_known_is_proposed_under_its_new_label() -> None:
    answers = Answers(
        game_master=("Mary",), people={"Zel": Person("Jon", accounts=("@1",))}, accounts={"@1": "11"}
    )

    assert asked(heard(*said("The Quick One", account="11")), answers) == {"The Quick One": "is Zel"}


def test_a_second_label_of_an_account_is_another_character_of_its_player() -> None:
    answers = Answers(
        game_master=("Mary",), people={"Zel": Person("Jon", accounts=("@1",))}, accounts={"@1": "11"}
    )
    survey = heard(
        *said("Mary", account="22"),
        *said("The Ferryman", account="22"),
        *said("Zel", account="11"),
        *said("A Goat", account="11"),
    )

    assert asked(survey, answers) == {"The Ferryman": "npc", "A Goat": "by Jon"}


def test_who_is_whispered_to_and_never_speaks_is_asked_about() -> None:
    whisper = Unit(
        Place(1, 1), "key", Sort.SAID, "psst", speaker="Zel", hidden=True, to=("Kit", "Mary", "Jon")
    )
    answers = Answers(game_master=("Mary",), people={"Zel": Person("Jon")})

    assert asked(heard(whisper), answers) == {"Kit": "nobody"}


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("the-table", Use.STORY),
        ("ooc", Use.ASIDE),
        ("off-topic", Use.ASIDE),
        ("dice-rolls", Use.DICE),
        ("gm_notes", Use.NOTES),
        ("looc", Use.STORY),
    ],
)
def test_the_use_of_a_channel_is_proposed_by_its_name(name: str, use: Use) -> None:
    assert likely_use(name) is use


@pytest.mark.parametrize(
    ("what", "written"),
    [
        (Said(Role.BY, "Jon"), [Edit(("people", "Jo", "plays"), "Jon")]),
        (Said(Role.PLAYER), [Edit(("people", "Jo", "plays"), "Jo")]),
        (
            Said(Role.PLAYS, "Zel"),
            [Edit(("people", "Zel", "labels"), ("Jo",)), Edit(("people", "Zel", "plays"), "Jo")],
        ),
        (Said(Role.IS, "Pell"), [Edit(("people", "Pell", "labels"), ("P", "Jo"))]),
        (Said(Role.IS, "P"), [Edit(("people", "Pell", "labels"), ("P", "Jo"))]),
        (
            Said(Role.PLAYS, "Ferry"),
            [
                Edit(("people", "Ferry", "labels"), ("Jo",)),
                Edit(("people", "Ferry", "plays"), "Jo"),
                Edit(("people", "Ferry", "role"), "player"),
            ],
        ),
        (Said(Role.IS, "Mary"), [Edit(("game_master",), ("Mary", "Jo"))]),
        (Said(Role.GM), [Edit(("game_master",), ("Mary", "Jo"))]),
        (Said(Role.NPC), [Edit(("people", "Jo", "role"), "npc")]),
        (Said(Role.NOBODY), [Edit(("people", "Jo", "role"), "nobody")]),
    ],
)
def test_what_is_said_of_a_label_is_written(what: Said, written: list[Edit]) -> None:
    survey = heard(*said("Jo"))
    answers = Answers(
        game_master=("Mary",), people={"Pell": Person(labels=("P",)), "Ferry": Person(role="npc")}
    )

    assert edits(what, survey.speakers["jo"], answers, survey) == written


def test_an_account_is_kept_with_its_only_label_under_a_short_name() -> None:
    survey = heard(*said("Jo", account="22"), *said("Zel", account="33"), *said("Pell", account="33"))
    answers = Answers(accounts={"@1": "11"})

    assert edits(Said(Role.BY, "Ada"), survey.speakers["jo"], answers, survey)[1:] == [
        Edit(("accounts", "@2"), "22"),
        Edit(("people", "Jo", "accounts"), ("@2",)),
    ]
    assert edits(Said(Role.BY, "Ada"), survey.speakers["zel"], answers, survey)[1:] == []


def test_an_answered_speaker_gets_no_proposal() -> None:
    survey = heard(*said("Zel"), *said("zel", times=1))

    assert asked(survey, Answers(game_master=("Mary",), people={"ZEL": Person()})) == {}
    assert likely(survey.speakers["zel"], MARY, survey) == Said(Role.PLAYER)


def test_a_game_master_is_not_proposed_where_most_logs_are_of_a_game_without_one() -> None:
    survey = replace(heard(*said("Zel", "A long description of the ferry.")), is_solo=True)

    (question,) = [one for one in questions(Answers(), survey) if one.about is About.GAME_MASTER]
    assert question.proposal == (("game_master", [NOBODY]),)
    survey.report.tally.game_masters.add("Zel")
    assert likely_game_masters(Answers(), survey) == ["Zel"]


def test_hidden_text_is_not_asked_about_without_a_game_master() -> None:
    survey = replace(heard(*said("Zel")), can_mark=False)
    asked_with, asked_without = (
        {one.about for one in questions(Answers(game_master=(master,)), survey)}
        for master in ("Mary", NOBODY)
    )

    assert About.UNMARKED in asked_with
    assert About.UNMARKED not in asked_without


def test_colour_and_file_channels_are_not_asked_about() -> None:
    survey = heard(*said("Zel", channel="#880000"), *said("Pell", channel="#000066"))

    assert About.CHANNELS in {one.about for one in questions(MARY, survey)}
    assert About.CHANNELS not in {one.about for one in questions(MARY, replace(survey, has_channels=False))}


def test_a_label_that_the_source_calls_a_program_is_proposed_as_one() -> None:
    survey = heard(*said("Sea Dog"))
    survey.report.tally.bots.add("Sea Dog")

    assert likely(survey.speakers["sea dog"], MARY, survey) == Said(Role.BOT)


@pytest.mark.parametrize(
    ("times", "is_asked"),
    [
        ((), False),
        (("2026-03-01T00:00:00 day",), False),
        (("2026-03-01T19:42:00 minute",), True),
        (("2026-03-01T19:42:00+00:00 second",), False),
        (("2026-03-01T00:00:00 day", "2026-03-01T19:42:00+00:00 second"), True),
    ],
)
def test_a_time_zone_is_asked_where_an_hour_depends_on_it(times: Sequence[str], is_asked: bool) -> None:
    report = Report("plain")
    for time in times:
        moment, precision = time.split()
        when = When(datetime.fromisoformat(moment), Precision(precision))
        report.add(Unit(Place(1, 1), "key", Sort.SAID, "words", when), "log.txt")
    found = Survey(report, (), can_mark=True)

    assert (About.ZONE in {one.about for one in questions(MARY, found)}) is is_asked
