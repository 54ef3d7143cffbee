"""Texts around a story: on which page and for whom each stands, and that nothing else changes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.projections.story.document import PageTexts
from tests.projections.test_schema import wrong

EVENING = """
campaign The Long Ebb
cast gm by=Mary
cast Zel by=Jon
session The stair
scene The stair
say Zel: Not today. Not while it rains.
mark the-word --at 10
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "a.retold") as made:
        made.play(EVENING)
        yield made


def pages(reading: retold.Reading, part: str | int | None = None) -> PageTexts:
    return reading.transcript(part).pages


def test_the_page_shows_the_latest_text_of_each_kind(campaign: retold.Campaign) -> None:
    campaign.play("blurb: One.\nblurb: Two.\ncontent: Rain.\nepigraph: The sea keeps no books.\n")
    found = pages(campaign)

    assert (found.blurb, found.content, found.epigraph) == ("Two.", "Rain.", "The sea keeps no books.")
    campaign.say("undo 3")
    assert pages(campaign) == PageTexts(blurb="One.")


def test_viewers_read_the_latest_text_they_may_know(campaign: retold.Campaign) -> None:
    campaign.play("content: Rain.\ncontent --gm: The dog dies.\nreflection by=Jon --to Jon: I was afraid.\n")

    assert [pages(campaign.seen_by(who)).content for who in ("gm", "table", "Jon")] == [
        "The dog dies.",
        "Rain.",
        "Rain.",
    ]
    assert [len(pages(campaign.seen_by(who)).reflections) for who in ("gm", "table", "Jon")] == [1, 0, 1]
    assert [campaign.seen_by(who).secrets() for who in ("gm", "table", "Jon")] == [2, 0, 1]


def test_a_secret_text_written_after_the_evening_counts_as_a_secret_of_its_copy(
    campaign: retold.Campaign,
) -> None:
    campaign.play("end session\nsession Two\nblurb --at s1 --gm: It was Zel.\n")

    assert [campaign.secrets(session) for session in (1, 2)] == [1, 1]
    assert pages(campaign.seen_by("table"), 1) == PageTexts()


def test_each_person_has_one_reflection_on_each_session(campaign: retold.Campaign) -> None:
    campaign.play(
        "end session\nreflection by=Jon: I liked it.\nreflection by=gm: So did I.\nreflection: Rain.\n"
        "reflection by=Jon: I did not.\nsession Two\nreflection by=Jon: Better.\n"
    )

    def told(part: str | int) -> list[tuple[str | None, str]]:
        return [(one.who, one.text) for one in pages(campaign, part).reflections]

    assert told(1) == [("the game master", "So did I."), (None, "Rain."), ("Jon", "I did not.")]
    assert told(2) == [("Jon", "Better.")]
    assert len(told("book")) == len(told(1)) + len(told(2))


def test_a_session_without_its_own_has_the_campaigns(campaign: retold.Campaign) -> None:
    campaign.play(
        "blurb --at 1: All of it.\nend session\nsession Two\nblurb: The second.\nreflection --at 1: Long.\n"
    )

    assert [pages(campaign, part).blurb for part in (1, 2, "book")] == [
        "All of it.",
        "The second.",
        "All of it.",
    ]
    assert [len(pages(campaign, part).reflections) for part in (1, 2, "book")] == [0, 0, 1]
    assert pages(campaign, "s1:2..s1:3") == PageTexts()


def test_a_pull_quote_follows_its_words(campaign: retold.Campaign) -> None:
    at = campaign.scribe.table.marks["the word"]
    campaign.say("pull the-word")
    first = pages(campaign).pull
    assert first is not None
    assert (first.text, first.who) == ("Not today. Not while it rains.", "Zel")

    campaign.say(f"retcon {at}: Not tomorrow.")
    assert (second := pages(campaign).pull) is not None
    assert second.text == "Not tomorrow."
    campaign.say(f"pull {at}: tomorrow")
    assert (third := pages(campaign).pull) is not None
    assert third.text == "tomorrow"
    campaign.say(f"retcon {at}: Not ever.")
    assert (fourth := pages(campaign).pull) is not None
    assert fourth.text == "Not ever."
    campaign.say(f"redact {at}")
    assert pages(campaign).pull is None


def test_a_pull_quote_is_hidden_with_its_moment(campaign: retold.Campaign) -> None:
    secret = campaign.say("say Zel --gm: I am the spy.").done
    assert secret is not None
    said = campaign.say(f"pull {secret.first}: the spy")

    assert "for the game master only" in campaign.sentences(said)[-1]
    assert pages(campaign).pull is not None
    assert pages(campaign.seen_by("table")) == PageTexts()
    assert b"the spy" not in campaign.seen_by("table").export("json")


def test_pulling_a_moment_without_words_gives_a_hint(campaign: retold.Campaign) -> None:
    campaign.say("pull the-word")
    said = campaign.say("pull 2")

    assert "There are no words at 2, so no page shows them" in campaign.sentences(said)[0]
    assert (pull := pages(campaign).pull) is not None
    assert pull.text == "Not today. Not while it rains."
    campaign.say("undo 4")
    campaign.say("pull 10: Not today.")
    assert pages(campaign) == PageTexts()


def test_a_pull_quote_must_occur_in_the_words(campaign: retold.Campaign) -> None:
    said = campaign.say("pull the-word: I did it.")

    assert "This is not in the words at 10" in campaign.sentences(said)[0]
    assert (pull := pages(campaign).pull) is not None
    assert pull.text == "Not today. Not while it rains."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("blurb", "blurb wants a text after a colon."),
        ("reflection by=Nobody: Hm.", "There is no “Nobody” here."),
        ("reflection who=Jon: Hm.", "Only who reflects is said with =, as in by=NAME"),
        ("pull 4711", "Moment 4711 has not come yet"),
    ],
)
def test_what_is_refused(campaign: retold.Campaign, line: str, why: str) -> None:
    with pytest.raises(retold.Refused) as refused:
        campaign.say(line)

    assert str(refused.value).startswith(why)


def test_every_page_has_them_and_no_story_changes(campaign: retold.Campaign) -> None:
    said = campaign.say("say Zel: It is QPULL, is it not?").done
    assert said is not None
    story = campaign.transcript().scenes
    before = campaign.export("json")
    campaign.play("blurb: QBLURB\ncontent: QCONTENT\nepigraph: QEPIGRAPH\nreflection by=Jon: QREFLECT\n")
    campaign.say(f"pull {said.first}: qpull")

    assert campaign.transcript().scenes == story
    for name in ("markdown", "obsidian", "html", "fragment", "text", "json", "fountain"):
        page = campaign.export(name).decode()
        assert [
            word for word in ("QBLURB", "QCONTENT", "QEPIGRAPH", "qpull", "QREFLECT") if word not in page
        ] == []
    with zipfile.ZipFile(io.BytesIO(campaign.export("epub"))) as book:
        title, afterwards = (book.read(f"book/{name}.xhtml").decode() for name in ("title", "afterwards"))
    assert [word for word in ("QBLURB", "QCONTENT", "QEPIGRAPH", "qpull") if word not in title] == []
    assert "QREFLECT" in afterwards
    assert b"QBLURB" not in campaign.export("srt")
    assert wrong(campaign.export("json")) == []
    published = campaign.seen_by("table").transcript().without_players().pages
    assert [one.who for one in published.reflections] == [None]
    assert published.pull is not None
    assert published.pull.who == "Zel"
    campaign.say("undo 5")
    assert campaign.export("json") == before
