"""Answers of a table: read with every mistake at its line, and written without losing a comment."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import read
from retold.sources.answers import (
    Answers,
    Person,
    Unmarked,
    Use,
    folded_label,
    read_answers,
    with_answers,
    with_comments,
    without_comment,
)
from retold.sources.evenings import HOW
from retold.sources.questions import About, questions
from retold.sources.reporting import Report
from retold.sources.survey import Speaker, Survey, survey
from retold.sources.times import Order
from retold.sources.unit import Place, Sort, Unit
from tests.retold.sources.made_up import EXAMPLES

NAME = "salt-road.import.toml"
WRITES = pytest.mark.skipif(importlib.util.find_spec("tomlkit") is None, reason="needs tomlkit")
WHOLE = """\
# Ours, from the winter.
family = "discord"
zone = "Europe/Lisbon"   # Mary's computer
sessions = "gap 4h"
dates = "day first"
game_master = ["Mary"]
unmarked = "gm"
quotes = true

[channels]
"the-table" = "story"
side-talk = "aside"

[audience]
"HO1" = "Zel"
"HO2" = ["Zel", "Tumbler"]
"KP" = "gm"

[people."Zel"]
plays = "Jon"
labels = ["Zel the Quick", "Zel (wounded)"]
accounts = ["@1"]

[people."Tumbler"]
role = "bot"

[accounts]
"@1" = "900000000000000060"

[kinds]
"#7ced7c" = "aside"
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(Refused) as refusal:
        read_answers(text, NAME)
    return [sentence.removeprefix(f"{NAME}, ") for sentence in refusal.value.sentences]


def test_a_whole_file_is_read() -> None:
    assert read_answers(WHOLE, NAME) == Answers(
        family="discord",
        zone="Europe/Lisbon",
        sessions="gap 4h",
        dates=Order.DAY_FIRST,
        game_master=("Mary",),
        unmarked=Unmarked.GM,
        quotes=True,
        channels={"the-table": Use.STORY, "side-talk": Use.ASIDE},
        audience={"HO1": ("Zel",), "HO2": ("Zel", "Tumbler"), "KP": ("gm",)},
        people={
            "Zel": Person("Jon", ("Zel the Quick", "Zel (wounded)"), ("@1",)),
            "Tumbler": Person(role="bot"),
        },
        accounts={"@1": "900000000000000060"},
        kinds={"#7ced7c": Sort.ASIDE},
    )


def test_every_mistake_is_told_at_its_line() -> None:
    text = """\
family = 3
zone = "Mars/Base"
sessions = "gap four"
note = '''
zone = "inside a long string"
'''
[channels]
"a" = "play"
[people."Zel"]
accounts = ["@9"]
rule = "x"
role = "hero"
[people.Pell]
labels = "Pell"
"""

    assert mistakes(text) == [
        "line 1: family is a text in quotes.",
        "line 2: there is no time zone 'Mars/Base'; write one such as Europe/Lisbon.",
        f"line 3: there is no rule 'gap four' for sessions; {HOW}.",
        f"line 4: nobody knows 'note'; there are {', '.join(sorted(Answers.__dataclass_fields__))}.",
        "line 8: a is one of story, aside, dice, notes, skip.",
        "line 10: '@9' is not among [accounts].",
        "line 11: a person has no 'rule'; there are plays, labels, accounts, role, in_character.",
        "line 12: there is no role 'hero'; there are player, npc, bot, nobody.",
        'line 14: labels is a list of texts, such as ["Mary"].',
    ]


def test_only_people_see_a_hidden_channel() -> None:
    text = """\
[audience]
"HO1" = "Zle"
"HO2" = ["Zel", "gm"]
"HO3" = 3
[people."Zel"]
"""

    assert mistakes(text) == [
        'line 2: \'Zle\' is not among [people]; write people, or "table" or "gm" alone.',
        'line 3: \'gm\' is not among [people]; write people, or "table" or "gm" alone.',
        'line 4: HO3 is a list of texts, such as ["Mary"].',
    ]


def test_what_is_no_toml_is_told_at_its_line() -> None:
    (mistake,) = mistakes('family = "discord"\nzone = \n')

    assert mistake.startswith("line 2: this is no TOML (")


@given(st.text(max_size=60) | st.sampled_from([WHOLE[:end] for end in range(len(WHOLE))]))
@example("[people]\nZel = 3")
@example("people = 3\nchannels = []\n")
@example("a = " + "[" * 3000)
def test_any_text_is_answers_or_refused(text: str) -> None:
    sentences: tuple[str, ...] = ()
    try:
        read_answers(text, NAME)
    except Refused as refusal:
        sentences = refusal.sentences
    begins = rf"{re.escape(NAME)}(, line \d+:| is) .*\.$"
    assert all(re.match(begins, sentence, re.DOTALL) for sentence in sentences)


def test_a_label_is_its_persons_in_any_case() -> None:
    answers = read_answers(WHOLE, NAME)

    assert answers.person_of("zel THE quick") == "Zel"
    assert answers.person_of("Zel", "900000000000000060") == "Zel"
    assert answers.person_of("Odd") is None


def test_a_label_is_its_persons_with_and_without_marks_of_direction() -> None:
    number = "+49 170 1234567"
    kept = Answers(people={f"\u202a{number}\u202c": Person(plays="Zel")}, game_master=("\u2068Mary\u2069",))

    assert kept.person_of(number) == f"\u202a{number}\u202c"
    assert kept.hints.names == {number, "Mary"}


def test_one_label_of_two_accounts_is_two_people() -> None:
    answers = Answers(
        people={
            "Zel": Person(accounts=("@1",)),
            "Zel of the Mill": Person(labels=("Zel",), accounts=("@2",)),
        },
        accounts={"@1": "11", "@2": "22"},
    )

    assert [answers.person_of("Zel", account) for account in ("11", "22", "")] == [
        "Zel",
        "Zel of the Mill",
        None,
    ]


def test_labels_that_differ_in_case_alone_are_two_people_if_the_table_says_so() -> None:
    answers = Answers(people={"Odd": Person(), "odd": Person()})

    assert [answers.person_of(label) for label in ("Odd", "odd", "ODD")] == ["Odd", "odd", None]


# --- Writing ---


def looked(name: str = "discord.txt", *, can_mark: bool = False) -> Survey:
    return replace(survey([read(EXAMPLES / name)]), can_mark=can_mark)


def commented(text: str, found: Survey) -> str:
    """The answers' file with what is open in it as comments."""
    return with_comments(text, "discord", (one.comment for one in questions(read_answers(text, NAME), found)))


def answered(text: str) -> Answers:
    """The answers in a file whose comments were all taken from their sign."""
    return read_answers(re.sub(r"(?m)^#(?! )", "", text), NAME)


@WRITES
def test_questions_are_comments_that_answer_when_taken_from_their_sign() -> None:
    found = looked()
    text = commented("", found)
    answers = answered(text)

    assert read_answers(text, NAME) == Answers(family="discord")
    asked = {folded_label(one) for one in (*answers.people, *answers.game_master)}
    assert asked == set(map(folded_label, found.report.labels))
    assert answers.channels == {"the-table": Use.STORY}
    assert (answers.dates, answers.sessions, answers.unmarked) == (
        Order.MONTH_FIRST,
        "gap 4h",
        Unmarked.GM,
    )
    # Nothing in the log says who the game master is, so that no line is proposed.
    assert [one.about for one in questions(answers, found) if one.is_needed] == [About.GAME_MASTER]


@WRITES
def test_questions_are_added_once() -> None:
    text = commented("", looked())

    assert commented(text, looked()) == text


@WRITES
def test_the_tables_own_comments_and_order_stay() -> None:
    text = commented(WHOLE, looked())
    kept = iter(text.splitlines())

    assert all(line in kept for line in WHOLE.splitlines())
    assert read_answers(text, NAME) == read_answers(WHOLE, NAME)
    assert '#[people."Pell"]' in text
    assert '#[people."Zel"]' not in text


@WRITES
def test_what_is_answered_is_not_asked() -> None:
    found = looked()
    answers = Answers(
        dates=Order.DAY_FIRST,
        zone="UTC",
        sessions="one",
        game_master=("Mary",),
        unmarked=Unmarked.TABLE,
        channels={"the-table": Use.STORY},
        people={label: Person() for label in found.report.labels},
    )

    assert questions(answers, found) == []


@WRITES
def test_a_channel_in_which_all_is_hidden_is_asked_about() -> None:
    found = looked("cocofolia.html", can_mark=True)
    text = with_comments("", "cocofolia", (one.comment for one in questions(Answers(), found)))
    asked = [line for line in text.splitlines() if line.endswith('= "gm"')]
    answers = Answers(audience={"HO1": ("Zel",)}, channels={"KP用": Use.SKIP})

    assert found.report.hidden_channels == ["HO1", "KP用"]
    assert asked == ['#"HO1" = "gm"', '#"KP用" = "gm"']
    assert not [one for one in questions(answers, found) if one.table == "audience"]
    assert read_answers(text.replace('#"HO1"', '"HO1"'), NAME).audience == {"HO1": ("gm",)}


HOSTILE = 'Zel"]\n[people."Mary"]\nrole = "bot" # \x1b[31m \x7f'


@WRITES
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20), max_size=4, unique=True
    )
)
@example([HOSTILE])
def test_any_label_is_asked_for_and_changes_nothing_else(labels: list[str]) -> None:
    found = spoken(*labels)
    text = commented(WHOLE, found)

    assert read_answers(text, NAME) == read_answers(WHOLE, NAME)
    answers = answered(commented("", found))
    assert {folded_label(one) for one in (*answers.people, *answers.game_master)} == set(found.speakers)
    assert set(answers.channels) == set(labels)


def spoken(*labels: str) -> Survey:
    """A survey in which each label speaks four times, in a channel of its name."""
    found = Survey(Report("discord"), ("Discord (JSON)",), can_mark=True)
    for label in labels:
        found.report.channels[label] += 1
        heard = found.speakers.setdefault(folded_label(label), Speaker(label))
        for _ in range(4):
            heard.add(Unit(Place(1, 1), "key", Sort.SAID, "words", speaker=label))
    return found


@WRITES
@pytest.mark.parametrize(
    "text", ['channels = {"a" = "story"}\n', 'channels.a = "story"\n', '[channels]\na = "story"']
)
def test_questions_find_their_place_beside_any_form_of_table(text: str) -> None:
    found = spoken()
    found.report.channels["b"] = 1
    written = commented(text, found)

    assert read_answers(written, NAME) == read_answers(text, NAME)
    assert '#"b" = "story"' in written


@WRITES
def test_an_answer_is_set_and_everything_else_stays() -> None:
    text = with_answers(WHOLE, [(("people", "Pell", "plays"), "Ada"), (("zone",), "UTC")])

    assert read_answers(text, NAME).people["Pell"] == Person("Ada")
    assert 'zone = "UTC"   # Mary\'s computer' in text
    assert "# Ours, from the winter." in text


@WRITES
def test_a_question_that_is_answered_is_no_comment_any_more() -> None:
    found = looked()
    text = commented("", found)
    (asked,) = (one for one in questions(Answers(), found) if one.about is About.UNMARKED)
    told = with_answers(without_comment(text, asked.comment), [(("unmarked",), "gm")])

    assert asked.text in text
    assert asked.text not in told
    assert read_answers(told, NAME) == Answers(family="discord", unmarked=Unmarked.GM)
