"""Which texts say I or we, and what the console says where the table tells in another person."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.projections.prose.person import person_hints
from retold.projections.prose.telling import in_first_person

TABLE = """
cast gm by=Mary
cast Gatto by=Jon
cast "Captain Thoss" by=Ute
session One
"""


@pytest.mark.parametrize(
    "text",
    [
        "I run.",
        "So do I.",
        "It was I.",
        "Then I'd go.",
        "On Monday I ran.",
        "With Zel I run.",
        "It hits me.",
        "We hold the gate.",
        "Let us go.",
        "“Run!” I say.",
        "»Geh!« sage ich.",
        "J\u2019arrive.",
        "Wij gaan.",
    ],
)
def test_a_text_in_first_person(text: str) -> None:
    assert in_first_person(text)


@pytest.mark.parametrize(
    "text",
    [
        "“I run,” says Gatto.",
        "„Ich gehe“, sagt er.",
        "« Je viens », dit-il.",
        "»Ich gehe«, sagt er.",
        "—Je viens, dit-il.",
        "'I run,' he says, and the lads' boots stop.",
        "\u2018I don\u2019t know,\u2019 he says.",
        "「I」",
        "Captain's orders: “I run",
        "World War I was long.",
        "Louis I.",
        "I and II were shut.",
        "Chapters I\u2013III",
        "I. The stair",
        "I-beams fall.",
        "The A.I. runs.",
        "The US army",
        "",
    ],
)
def test_a_text_that_says_no_i(text: str) -> None:
    assert not in_first_person(text)


@pytest.mark.parametrize("hostile", ["'a ", "\u2018a\u2019b", "“", "\u2039", "\n", "\n—", "War I", "\u202e'"])
def test_a_long_text_is_looked_through(hostile: str) -> None:
    is_open = hostile == "“"  # a quotation that nothing closes

    assert in_first_person(f"{hostile * 20_000}\nSo do we.") is not is_open
    assert not in_first_person(f"{hostile * 20_000}\nShe goes.")


@pytest.mark.parametrize(
    ("option", "line", "hints"),
    [
        ("telling=free", "narrate Gatto: I run.", []),
        ("telling=third", "narrate Gatto: I run.", ["third person here: Gatto runs…"]),
        ("telling=third", "declare Gatto: We run.", ["third person here: Gatto runs…"]),
        ("telling=third", "narrate gm: We see the gate.", ["third person here: they run…"]),
        ("telling=third", "scene The gate: It hits us.", ["third person here: they run…"]),
        ("telling=third", "narrate Gatto: He runs. “I know!”", []),
        ("telling=third", "say Gatto: I run.", []),
        ("telling=third", "aside Gatto: I have to go at ten.", []),
        ("telling=third", "note Gatto: I am Jon.", []),
        (
            "telling=third table.tense=past",
            "narrate Gatto: I run.",
            ["third person, past tense here: Gatto ran…"],
        ),
        ("telling=third telling.Gatto=first", "narrate Gatto: I run.", []),
        ("telling=third telling.gm=free", "narrate gm: We see the gate.", []),
        (
            '"telling.Captain Thoss"=third',
            "narrate Captain-Thoss: I run.",
            ["third person here: Captain Thoss runs…"],
        ),
        ('"telling.Captain Thoss"=third', "narrate Gatto: I run.", []),
        ("telling=first", "narrate Gatto: Gatto runs.", ["first person here: I run…"]),
        ("telling=first", "narrate Gatto: Gatto\u2019s boots are wet, and I run.", []),
        ("telling=first", "narrate Gatto: “Gatto runs,” they say.", []),
    ],
)
def test_a_hint_where_the_table_tells_otherwise(
    tmp_path: Path, option: str, line: str, hints: list[str]
) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        campaign.play(f"{TABLE}option {option}\n")
        outcome = campaign.say(line)

        assert person_hints(campaign.scribe.table, outcome.events) == hints


def test_a_merged_person_keeps_the_telling_option(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        campaign.play(
            f"{TABLE}option telling.Gatto=third\ncast Gatto by=Ute\nmerge Gatto into Captain-Thoss\n"
        )
        said = campaign.say("narrate Captain-Thoss: I run.")

        assert person_hints(campaign.scribe.table, said.events)


def test_an_option_of_one_person_is_written_as_it_was_typed(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        campaign.play(TABLE)
        done = campaign.say("option table.telling.Captain-Thoss=FIRST telling.gm=third: For Ute.")

        assert campaign.sentences(done) == (
            "option telling.Captain Thoss=first: “For Ute.”",
            "option telling.gm=third: “For Ute.”",
        )
        with pytest.raises(retold.Refused, match=r"A table knows telling=free\|third\|first, not second"):
            campaign.say("option telling.Gatto=second")
        with pytest.raises(retold.Refused, match="There is no “Gattu” here"):
            campaign.say("option telling.Gattu=first")


def test_an_option_does_not_reveal_a_secret_person(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        campaign.play(f"{TABLE}cast Assassin --gm\noption telling.Assassin=first\n")
        told = [happened.told for happened in campaign.seen_by("table").happened()]

        assert not any("telling" in line for line in told)
