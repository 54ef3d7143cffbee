"""What is written of somebody cast in secret: their first word shows the open phrase, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.verify import verify_rules
from retold.journal.visibility import next_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words

TABLE = """\
cast gm by=Mary
cast Quill by=Jo: A student of bells
session One
"""
SECRET = "Quill's teacher, drowned by him"
WARDEN = next_number((), "gm", name="warden")


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "bell.retold", seed="a seed") as made:
        made.play(TABLE)
        yield made


def phrase(campaign: retold.Campaign, viewer: str = "table", name: str = "Warden") -> str | None:
    table = campaign.scribe.seen_by(viewer).table
    (who,) = (somebody for somebody in table.everybody() if somebody.called == name)
    return None if who.text is None else str(who.text)


def told(campaign: retold.Campaign) -> str:
    return campaign.seen_by("table").transcript("book", "prose").to_json().__repr__()


def test_G24_the_first_word_of_a_secret_person_shows_no_word_of_what_is_written_of_them(
    campaign: retold.Campaign,
) -> None:
    campaign.say(f"cast Warden --gm: {SECRET}")
    outcome = campaign.say("say Warden: Who rings?")

    assert (phrase(campaign), phrase(campaign, "gm")) == (None, SECRET)
    assert SECRET not in told(campaign)
    assert outcome.said == ("What you wrote of Warden is kept back: reveal Warden.",)


def test_G24_an_open_phrase_goes_out_with_it(campaign: retold.Campaign) -> None:
    campaign.say(f'cast Warden --gm opens="A drowned man at the bell": {SECRET}')
    assert "Warden" not in told(campaign)
    campaign.say("say Warden: Who rings?")

    assert (phrase(campaign), phrase(campaign, "gm")) == ("A drowned man at the bell", SECRET)


def test_G24_an_open_phrase_may_be_given_while_they_are_still_secret(campaign: retold.Campaign) -> None:
    campaign.play(f"cast Warden --gm: {SECRET}\ncast Warden: A drowned man\nsay Warden: Who rings?\n")

    assert phrase(campaign) == "A drowned man"
    assert SECRET not in told(campaign)


@pytest.mark.parametrize("first", ["", "say Warden: Who rings?\n"])
def test_G24_the_whole_is_opened_by_name_before_and_after(campaign: retold.Campaign, first: str) -> None:
    campaign.play(f'cast Warden --gm opens="A drowned man" pronouns=he: {SECRET}\n{first}')
    outcome = campaign.say("reveal Warden")

    assert phrase(campaign) == SECRET
    assert outcome.said == ("Everyone knows now: Warden.",)


def test_G24_a_phrase_for_some_is_theirs_and_no_others(campaign: retold.Campaign) -> None:
    campaign.play(f'cast Warden --to Quill opens="A drowned man": {SECRET}\nsay Warden: Who rings?\n')

    assert (phrase(campaign, "Quill"), phrase(campaign)) == (SECRET, "A drowned man")


def test_G24_asked_before_they_act_a_yes_shows_no_more(campaign: retold.Campaign) -> None:
    campaign.play(f"option table.acting=ask\ncast Warden --gm by=Zed: {SECRET}\n")
    campaign.scribe.consult = lambda _question: "y"
    campaign.say("say Warden: Who rings?")

    assert phrase(campaign) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('cast Nun opens="A nun"', "opens= is for a person cast in secret"),
        ('cast Quill opens="A boy"', "Quill is in the cast already: cast Quill: PHRASE."),
    ],
)
def test_G24_an_open_phrase_is_for_a_secret_newcomer(campaign: retold.Campaign, line: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        campaign.say(line)


def test_G24_said_again_from_a_script_it_is_as_secret(campaign: retold.Campaign, tmp_path: Path) -> None:
    campaign.play(f'cast Warden --gm opens="A drowned man": {SECRET}\nsay Warden: Who rings?\n')
    script = "\n".join(script_of(campaign.scribe.campaign, 1))
    assert f'cast Warden opens="A drowned man" --gm: {SECRET}' in script

    with retold.new(tmp_path / "again.retold", seed="a seed") as again:
        again.play(script)
        assert (phrase(again), phrase(again, "gm")) == ("A drowned man", SECRET)


def test_G24_a_record_of_before_keeps_its_meaning(campaign: retold.Campaign) -> None:
    """Before, the whole phrase stood with the introduction, and was shown with the first open act."""
    came = e.CastIntroduced(person=WARDEN, name=Words("Warden"), role="character", text=Words(SECRET))
    old = c.Cast(who=Words("Warden"), text=Words(SECRET))
    campaign.scribe.writer.manage_all([came], old, Manner(visible_to="gm"))
    campaign.say("say Warden: Who rings?")

    assert phrase(campaign) == SECRET
    assert list(verify_rules(campaign.scribe.campaign, 1)) == []
    script = "\n".join(script_of(campaign.scribe.campaign, 1))
    assert f'cast Warden opens="{SECRET}" --gm' in script
    assert old.as_recorded([came.but({"person": 4})]) == old
