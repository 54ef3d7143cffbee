"""A draft of what is told in third person: the teller's name in place of the pronoun, and never elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.drafts.naming import draft_meant
from retold.drafts.retelling import DraftChosen, retold
from retold.projections.exports import export
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.story import transcript
from tests.retold.drafts.played import Table, edited, played

EVENING = """\
cast Jade bruise by=Jon clubs=4 melee=2 pronouns=she/her
cast Gatto bruise by=Kim clubs=3 melee=1 pronouns=he
cast Vesna pronouns=she
session One
scene The quay: Rain since noon.
narrate Gatto: He falls against the crates.
narrate Jade: She gets her shoulder under his good one.
narrate Gatto: Vesna laughs at the two of them.
narrate Jade: Her lamp goes out.
narrate Gatto: His knife is somewhere in the canal."""

GETS = "She gets her shoulder under his good one."
SWAPPED = [
    "Gatto falls against the crates.",
    "Jade gets her shoulder under his good one.",
    "Gatto: Vesna laughs at the two of them.",
    "Jade: Her lamp goes out.",
    "Gatto\u2019s knife is somewhere in the canal.",
]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = played(tmp_path, told=EVENING)
    yield table
    table.campaign.close()


def texts(table: Table) -> list[str]:
    return [block.text for block in table.standing().blocks if block.block.sort == "text"][1:]


def test_a_draft_has_names_where_the_record_has_labels(table: Table) -> None:
    table.begin()
    assert texts(table) == SWAPPED
    assert table.standing().untold == ()


def test_a_draft_that_is_sent_comes_back_as_it_was(table: Table) -> None:
    table.begin()
    sent = table.sent()
    assert table.back(sent).changes_nothing

    table.take(edited(sent, (SWAPPED[1], "Jade got her shoulder under his good one.")))
    assert texts(table) == [SWAPPED[0], "Jade got her shoulder under his good one.", *SWAPPED[2:]]
    assert table.standing().stale == ()


def test_an_unedited_block_follows_the_record_and_the_cast(table: Table) -> None:
    table.begin()
    table.say(f"retcon {table.position('He falls')}: He sits down against the crates.")
    assert texts(table)[0] == "Gatto sits down against the crates."

    table.say("cast Gatto pronouns=they", "cast Vesna pronouns=he", "cast Jade name=Jadwiga")
    assert texts(table) == [
        "Gatto: He sits down against the crates.",
        SWAPPED[1],
        SWAPPED[2],
        "Jade\u2019s lamp goes out.",
        "Gatto: His knife is somewhere in the canal.",
    ]
    table.say("undo 3")
    assert texts(table) == ["Gatto sits down against the crates.", *SWAPPED[1:]]


def test_an_edited_block_is_stale_with_the_words_of_the_record(table: Table) -> None:
    table.begin()
    table.take(edited(table.sent(), (SWAPPED[1], "Jade got her shoulder under his good one.")))
    table.say("cast Jade pronouns=they")
    assert table.standing().stale == ()

    table.say(f"retcon {table.position('She gets')}: They put a shoulder under his good one.")
    (stale,) = table.standing().stale
    assert [(change.was, change.now) for change in stale.changed] == [
        ("Jade: She gets her shoulder under his good one.", "Jade: They put a shoulder under his good one.")
    ]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            ["roll Jade 2d6 = 3 5: He checks his telephone.", "cast Rusk pronouns=he"],
            "Jade: He checks his telephone.",
        ),
        (
            ["cast Rusk pronouns=he", "roll Gatto 2d6 vs Rusk = 3 5: He checks his telephone."],
            "Gatto: He checks",
        ),
        (["cast Rusk", "roll Gatto 2d6 vs Rusk = 3 5: He checks his telephone."], "Gatto: He checks"),
        (
            ["cast Rusk pronouns=they", "roll Gatto 2d6 vs Rusk = 3 5: He checks his telephone."],
            "Gatto checks",
        ),
    ],
)
def test_a_pronoun_may_be_that_of_another_person_in_the_act(
    table: Table, lines: list[str], told: str
) -> None:
    table.say("narrate gm: The rain stops.", *lines)
    table.begin()
    assert texts(table)[-1].startswith(told)


def test_a_title_that_two_people_share_names_neither(tmp_path: Path) -> None:
    told = [
        'cast "Captain Rusk" by=Jon pronouns=he',
        'cast "Captain Odo" pronouns=he',
        "session One",
        "scene The quay",
        "narrate gm: Captain Odo laughs at the rain.",
        'narrate "Captain Rusk": He sits down on a crate.',
        "narrate gm: Captain Odo leaves Rusk alone.",
        'narrate "Captain Rusk": He lies down on the planks.',
    ]
    table = played(tmp_path, told="\n".join(told))
    table.begin()
    assert texts(table)[-3:] == [
        "Captain Rusk: He sits down on a crate.",
        "Captain Odo leaves Rusk alone.",
        "Captain Rusk lies down on the planks.",
    ]
    table.campaign.close()


def test_pronouns_told_only_to_some_change_no_byte_for_others(tmp_path: Path) -> None:
    pages = []
    for number, hidden in enumerate(("she", "he", "they")):
        told = EVENING.replace("clubs=4 melee=2 pronouns=she/her", f"\ncast Jade pronouns={hidden} --gm")
        table = played(tmp_path, f"{number}", told=told)
        table.begin("ours")
        assert table.read_by("table", "ours")[-4] == f"Jade {GETS[4:]}"
        pages.append([*texts(table), *table.read_by("Jon", "ours")])

        table.begin("gms", "gm")
        assert (f"Jade {GETS[4:]}" in table.read_by("gm", "gms")) == (hidden == "she")
        pages[-1] += table.read_by("table", "gms")
        table.campaign.close()
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize("voice", ["report", "script"])
def test_voices_that_tell_word_for_word_keep_labels_and_pronouns(table: Table, voice: str) -> None:
    story = transcript.of_range(LineView(table.campaign, 1).called("table"), voice=voice)

    assert f"Jade:** {GETS}" in export("markdown", story, "none").decode().replace("JADE", "Jade")


def test_T7_an_export_in_prose_has_the_names_of_a_draft(table: Table) -> None:
    reading = LineView(table.campaign, 1).called("table")
    story = transcript.of_range(reading, voice="prose")
    page = export("text", story, "none").decode()

    assert [text for text in SWAPPED if f"\n{text}\n" in page] == SWAPPED


def test_a_draft_keeps_the_words_of_the_record_beside_its_own(table: Table) -> None:
    reading = LineView(table.campaign, 1).called("table")
    story = transcript.of_range(reading, voice="prose")
    table.begin()
    meant = DraftChosen(draft_meant(table.campaign, "second"), voice_of("prose"))
    with_draft = retold(story, reading, Stretch(0, reading.position), [meant])
    told = {
        paragraph.text: paragraph.recorded for scene in with_draft.scenes for paragraph in scene.paragraphs()
    }
    assert told[SWAPPED[1]] == f"Jade: {GETS}"
    assert told[SWAPPED[3]] == ""


def test_the_words_of_one_event_have_the_tense_and_the_articles_of_their_scene(tmp_path: Path) -> None:
    told = """\
cast Warden bruise
session One
scene The hall: It is dark. The Warden has a lamp.
say Warden: Halt."""
    table = played(tmp_path, told=told)
    table.begin()
    (halt,) = (current for current in table.standing().blocks if "Halt" in current.text)

    assert halt.text == "\u201cHalt,\u201d says the warden."
    assert table.standing().record.of(halt.events, "text") == halt.text
    table.campaign.close()


def test_words_about_somebody_begin_with_the_name_in_a_draft_too(tmp_path: Path) -> None:
    told = """\
game d20
cast Bram dex=2 health=9 by=Jon
cast Ilka str=2 health=9 by=Kim
session One
scene Under the altar: A stair, and a rope.
roll Ilka+Bram check dex vs 12 = 14 3: Down, before the tide finds the door.
hp Bram -2: He arrives before the others, and louder."""
    table = played(tmp_path, told=told)
    table.begin()
    assert texts(table)[-1] == "Bram arrives before the others, and louder."
    table.campaign.close()


@pytest.mark.parametrize(
    ("before", "told"), [("Fog comes in.", "Osk sits down."), ("I wait.", "Osk: He sits down.")]
)
def test_a_pronoun_that_the_cast_lacks_is_that_of_a_teller_who_never_says_i(
    tmp_path: Path, before: str, told: str
) -> None:
    cast = ["cast Osk by=Jon", "cast Bo by=Kim pronouns=she", "session One", "scene The quay"]
    lines = [
        f"narrate Osk: {before}",
        "narrate Bo: I nod.",
        "narrate gm: Rain.",
        "narrate Osk: He sits down.",
    ]
    table = played(tmp_path, told="\n".join([*cast, *lines]))
    table.begin()
    page = export("text", transcript.of_range(LineView(table.campaign, 1), voice="prose"), "none").decode()
    assert texts(table)[-1] == told
    assert told in page
    table.campaign.close()
