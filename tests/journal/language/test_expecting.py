import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.language.expecting import _comparable
from retold.journal.language.tokens import Unreadable
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.player_lines import check_for_player
from retold.scribe import Scribe
from tests.proposed import holds


def refusal(scribe: Scribe, line: str) -> str:
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    return holds(refused.value.sentence, scribe.table)


@pytest.fixture
def fight(scribe: Scribe) -> Scribe:
    """The evening at the moment when the hand is won and nobody has told it."""
    scribe.say("branch fight 20")
    return scribe


def test_what_holds_is_said_and_nothing_is_recorded(fight: Scribe) -> None:
    head = fight.writer.head
    outcome = fight.say("expect quality Zel J")

    assert (outcome.said, outcome.done) == (("It holds: quality is J.",), None)
    assert fight.campaign.record.head(fight.line) == head


def test_what_does_not_hold_is_refused_with_what_was_found(fight: Scribe) -> None:
    assert refusal(fight, "expect quality Zel Q") == "Expected quality Q, found J."
    assert refusal(fight, "expect pending tie") == "Expected pending tie, found nothing."
    assert refusal(fight, "expect session 2") == "Expected session 2, found 1."


def test_not_turns_it_round(fight: Scribe) -> None:
    assert fight.say("x not quality Zel Q").said == ("It holds: quality is J.",)
    assert refusal(fight, "expect not quality Zel J") == "Expected quality not J, found J."


KEYED = {
    ("edgerunner", "stress"): ("cool", "KOOL"),
    ("edgerunner", "threshold"): ("humanity", "humanty"),
    ("edgerunner", "skill"): ("stealth", "stelth"),
    ("edgerunner", "invokes"): ("Ankle-deep in oil", "Ankel deep in oyl"),
    ("edgerunner", "range"): ("Captain Thoss", "Capn Thos"),
    ("homebrew", "condition"): ("soaked", "soakd"),
    ("homebrew", "stat"): ("nerve", "nervve"),
    ("homebrew", "track"): ("warmth", "warmht"),
}
"""Of each fact that is asked for by a word, one that Zel's table has, and how it may be mistyped."""


@pytest.fixture
def known(scribe: Scribe) -> Scribe:
    """Zel with something to ask for in each game."""
    for line in (
        "aspect Zel Ankle-deep in oil",
        "cast Zel homebrew nerve=3",
        "cast Zel edgerunner stealth=3",
        "track Zel warmth 3/5",
        "status Zel soaked",
    ):
        scribe.say(line)
    return scribe


def test_of_every_game_each_fact_that_is_asked_for_by_a_word_is_tried() -> None:
    keyed = {(game.name, one) for game in SYSTEMS.values() for one, fact in game.facts.items() if fact.keys}

    # whom a hand beat is there only once it has: tried beside Bruise's own rules (D14)
    # of nobody in particular: clocks, below
    assert keyed - {("bruise", "quantity"), ("homebrew", "clocks")} == set(KEYED)


@pytest.mark.parametrize(("game", "subject"), KEYED)
@pytest.mark.parametrize("turned", ["", "not "])
def test_nothing_holds_for_unknown_subjects(known: Scribe, game: str, subject: str, turned: str) -> None:
    there, mistyped = KEYED[game, subject]
    meant = refusal(known, f'expect {turned}{subject} Zel "{mistyped}"')

    assert meant.startswith(f"There is no “{mistyped}” here. Did you mean {there}")
    assert refusal(known, f'expect {turned}{subject} Zel "{mistyped}" 1') == meant
    assert refusal(known, f'expect {turned}{subject} Zel "{there}" 3 "{mistyped}" 1') == meant


def test_of_a_value_by_its_word_the_two_are_not_joined(known: Scribe) -> None:
    """Taken for a word, it would be one that nothing has, and of which nothing is expected."""
    assert refusal(known, "expect stress Zel cool=1") == "Say it without =: cool 1."
    assert refusal(known, "expect not stress Zel cool=1") == "Say it without =: cool 1."
    assert refusal(known, "expect stress Zel cool 1") == "Expected stress cool 1, found cool."


def test_if_nothing_is_like_it_what_there_is_is_said(known: Scribe) -> None:
    there_are = "There is no “hope” here. There are: cool, humanity, reputation."

    assert refusal(known, "expect stress Zel hope") == there_are
    assert known.say("expect stress Zel none").said == ("It holds: stress is nothing.",)


def test_an_expected_word_may_be_shortened(known: Scribe) -> None:
    assert known.say("expect stress Zel hum").said == ("It holds: stress is humanity.",)
    assert known.say("expect track Zel war 3").said == ("It holds: track is warmth 3.",)


def test_names_are_as_forgiving_as_anywhere(fight: Scribe) -> None:
    assert fight.say("expect quality ZEL j").said == ("It holds: quality is J.",)


def test_an_unknown_expectation_is_refused_with_the_known_ones(fight: Scribe) -> None:
    assert refusal(fight, "expect qualty Zel J").startswith("There is no “qualty” here. Did you mean quality")
    assert refusal(fight, "expect").startswith("Say what is expected: expect colour, conflict, hand, ")
    assert refusal(fight, "expect quality") == "Say whose: expect quality NAME VALUE."


def test_a_number_below_nothing_is_not_the_one_above() -> None:
    assert _comparable("-2") != _comparable("2")
    assert _comparable("+2") == _comparable("2")
    assert _comparable("Captain-Thoss") == _comparable("captain thoss")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("session", "Session 1 is still open: end it first (end session)."),
        ("draw Nobody 3", "There is no “Nobody” here."),
        ("undo 99", "The branch begins here: to leave it, switch mainline."),
        ("switch nope", "There is no branch nope. There are: mainline, fight."),
        ("branch fight", "There is a branch fight already: choose another name."),
        ("expect quality Zel Q", "Expected quality Q, found J."),
    ],
)
def test_a_refusal_can_be_expected(fight: Scribe, line: str, why: str) -> None:
    assert fight.say(f"expect refused {line}").said == (f"It is refused: {why}",)


@pytest.mark.parametrize(
    "line", ["note: Hello.", "undo 1", "switch mainline", "branch third", "expect session 1"]
)
def test_what_would_be_accepted_is_no_refusal_and_is_not_done(fight: Scribe, line: str) -> None:
    fight.say("note: Something to take back.")
    before = list(fight.campaign.record.everything())

    assert refusal(fight, f"expect refused {line}").startswith("Expected a refusal, but ")
    assert list(fight.campaign.record.everything()) == before
    assert fight.campaign.lines()[fight.line] == "fight"


def test_a_line_that_says_nothing_is_not_refused_but_wrong(fight: Scribe) -> None:
    assert refusal(fight, "expect refused drw Zel 3") == "There is no verb drw. Did you mean draw?"
    with pytest.raises(Unreadable):
        fight.say("expect refused draw Zel clubs hearts spades")


def test_X13_what_only_checks_is_not_proposed_for_itself(fight: Scribe) -> None:
    why = "expect only checks, and records nothing: it is a line of its own, and the game master's."
    with pytest.raises(Refused, match=re.escape(why)):
        check_for_player(fight, "expect quality Zel J", "Jon")
    assert "Did you mean expect?" in refusal(fight, "expekt quality Zel J")


# --- the subject, and values, as they are typed ------------------------------------------------------------


@pytest.fixture
def d20(tmp_path: Path) -> Iterator[Scribe]:
    """A fight of d20, with a condition and two clocks."""
    lines = (
        "game d20",
        "cast Thia by=Jo str=3 health=12 ac=15",
        "cast Wolf dex=2 health=7",
        "status Thia poisoned",
        "clock Tide 2/6",
        "clock Fire 1/4",
        'conflict "The ford" Thia vs Wolf',
    )
    with CampaignStore.create(tmp_path / "x.retold") as store:
        scribe = Scribe(store, 1)
        for line in lines:
            scribe.say(line)
        yield scribe


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("expect hp Thia 12", "It holds: track is hp 12."),
        ("expect Thia hp 12", "It holds: track is hp 12."),
        ("expect Thia track hp 12", "It holds: track is hp 12."),
        ("expect str Thia 3", "It holds: stat is str 3."),
        ("expect poisoned Thia", "It holds: condition is poisoned."),
        ("expect status Thia poisoned", "It holds: condition is poisoned."),
        ("expect clock Tide 2/6", "It holds: clocks is Tide 2/6."),
        ("expect clocks Tide 2/6 Fire 1/4", "It holds: clocks is Tide 2/6 Fire 1/4."),
        ("expect condition Wolf none", "It holds: condition is nothing."),
    ],
)
def test_an_expectation_is_taken_as_the_line_that_changes_it_is_typed(
    line: str, sentence: str, d20: Scribe
) -> None:
    assert d20.say(line).said == (sentence,)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("expect hp Thia 9x", "“9x” is no number. Did you mean 9?"),
        ("expect hp Thai 12", "There is no “Thai” here. Did you mean Thia?"),
        ("expect hp Thia nine", "There is no “nine” here. There are: hp, coin, inspiration."),
        ("expect condition Thia poisned", "There is no “poisned” here. Did you mean poisoned"),
        ("expect not condition Thia poisned", "There is no “poisned” here. Did you mean poisoned"),
        ("expect clock Tied 2/6", "There is no “Tied” here. Did you mean Tide?"),
        ("expect winner Thai", "There is no “Thai” here. Did you mean Thia?"),
        ("expect gold 12", "There is no “gold” here. There are: clocks, condition, conflict, "),
    ],
)
def test_a_mistyped_expectation_is_refused_with_what_there_is(line: str, sentence: str, d20: Scribe) -> None:
    assert refusal(d20, line).startswith(sentence)


def test_what_several_subjects_have_is_asked_for_by_each(known: Scribe) -> None:
    assert refusal(known, "expect cool Zel 2") == (
        "Say which: expect stress Zel cool 2; or expect threshold Zel cool 2"
    )
