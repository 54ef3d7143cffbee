"""No event is unspeakable, and no voice changes a person's words."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from retold.games.bruise import events as b
from retold.games.spacetime import events as s
from retold.games.spacetime.rules import Level, Rule
from retold.journal.store.contract.event_store import Segment
from retold.journal.store.events.codec import Envelope, Recorded
from retold.journal.store.events.kinds import EVENTS
from retold.journal.systems import SYSTEMS
from retold.journal.table import Somebody, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words, types_of
from retold.projections.exports import export
from retold.projections.prose import VOICES, game, report
from retold.projections.prose.telling import Sentence, Tag, Telling, gives_a_cause, stakes_as_sentence
from retold.projections.reading import Ids, Moment
from tests.exploring import seeds
from tests.projections import samples
from tests.projections.scripted import exported

IDS = Ids((Segment(1, 0, None),), None)


def telling(event: Event) -> Telling:
    people = {i: Somebody(i, Words(f"N{i}"), "character") for i in range(1, 41)}
    table = Table(people={**Table().people, **people})
    recorded = Recorded(1, 9, event, Envelope("2026-03-14T20:00:00Z", 0, "act", 1, 1), None)
    return Telling(Moment(recorded, event, table), {i: one.called for i, one in table.people.items()}, IDS)


def told(event: Event) -> list[tuple[str, str]]:
    return [(sentence.tag.value, sentence.text) for sentence in report(telling(event))]


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("kind", EVENTS)
def test_every_kind_is_told_by_every_voice(kind: str, seed: int) -> None:
    for event in samples.events(EVENTS[kind], seed, 15):
        told = telling(event)
        for name, voice in VOICES.items():
            sentences = voice.tell(replace(told, phrases=voice.phrases))

            assert all(sentence.text for sentence in sentences), name
            assert name != "plain" or len(sentences) == 1
            assert name != "prose" or not any(sentence.tag is Tag.GENERATED for sentence in sentences)


def test_the_report_knows_every_kind_that_holds_words() -> None:
    """What holds no words is mechanics, and told by its numbers."""
    spoken = {kind for name in ("table", *SYSTEMS) for kind in game(name).tellers}
    wordy = {kind for kind, event in EVENTS.items() if "Words" in str(types_of(event))}

    assert {kind for kind in wordy if EVENTS[kind] not in spoken} == set()
    assert {"table.narrated", "whiskey.intent-sealed", "edgerunner.action-declared"} <= wordy


def test_a_person_s_own_words_are_told_as_they_are() -> None:
    words = "  “I ran,\n\tI *ran*.”  "
    tags: list[tuple[Event, Tag]] = [
        (e.Narrated(who=1, text=Words(words)), Tag.NARRATION),
        (e.Declared(who=1, text=Words(words)), Tag.DECLARATION),
        (e.Noted(text=Words(words)), Tag.NOTE),
        (e.RulingMade(text=Words(words)), Tag.RULING),
    ]

    for event, tag in tags:
        assert (tag.value, words) in told(event)


def test_speech_is_told_as_it_is_but_for_marks_around_all_of_it() -> None:
    assert (Tag.SPEECH.value, "  I ran,\n\tI *ran*.  ") in told(
        e.Said(who=1, text=Words("  I ran,\n\tI *ran*.  "))
    )
    assert (Tag.SPEECH.value, "I ran.") in told(e.Said(who=1, text=Words("“I ran.”")))


def test_a_kind_without_a_voice_is_told_plainly() -> None:
    class Moved(Event):
        kind: ClassVar[str] = "chess.moved"
        who: int
        square: str

    assert told(Moved(who=1, square="e4")) == [("mechanics", "chess.moved who=N1 square=e4")]


def test_an_untold_event_is_a_neutral_sentence() -> None:
    won = b.HandWon(conflict=1, winner=1, loser=2, quality=11, against=9, quantity=3, colours=("hearts",))
    flow = s.FlowResolved(
        conflict=1, round=1, rule=Rule.WIN, level_before=Level.BALANCED, level=Level.UNBALANCED, advantaged=2
    )

    assert told(won)[1] == ("generated", "N1 took the hand against N2.")
    assert told(flow)[1] == ("generated", "N2 had the advantage.")
    assert told(e.ConflictEnded(conflict=1, how="victory", winner=1))[1] == ("generated", "N1 won.")
    assert told(e.ConflictEnded(conflict=1, how="flooded"))[1] == ("generated", "It ended: flooded.")


def test_mechanics_do_not_repeat_what_is_told_in_words() -> None:
    rolled = e.DiceRolled(who=1, dice="2d6", faces=(3, 4), text=Words("to climb"))

    assert told(rolled) == [("declaration", "to climb"), ("mechanics", "N1 rolls 2d6: 3 4")]


def test_C15_a_reader_is_told_no_position_and_an_auditor_is() -> None:
    struck = e.NarrationOverruled(by=1, whose=2, narration=52, how="token", text=Words("No."))

    assert told(struck)[-1] == ("mechanics", "N1 strikes (token) what N2 told")
    assert [one.text for one in VOICES["plain"].tell(telling(struck))] == [
        "N1 strikes (token) what N2 told at #52: “No.”"
    ]


def test_a_redacted_text_says_so() -> None:
    assert report(telling(e.Narrated(who=1, text=Words(None)))) == (Sentence(Tag.NARRATION, "[redacted]", 1),)


@pytest.mark.parametrize(
    ("purpose", "kept"),
    [
        ("the lock", False),
        ("past the guard", False),
        ("I duck.", True),
        ("to open a door", True),
        ("I listen for where the humming is.", True),
    ],
)
def test_a_purpose_of_four_words_or_with_a_pronoun_gives_a_cause(purpose: str, kept: bool) -> None:
    assert gives_a_cause(purpose) is kept


@pytest.mark.parametrize(
    ("stakes", "sentence"),
    [
        ("the strongbox", "The strongbox."),
        ("does the queen go home", "Does the queen go home?"),
        ("Who rings it?", "Who rings it?"),
        ("do-or-die at the weir", "Do-or-die at the weir."),
        ("*the* gate", "*The* gate."),
        ("who holds the *gate*", "Who holds the *gate*."),
        ("**will** he *go*", "**Will** he *go*?"),
        ("Who *rings it?*", "Who *rings it?*"),
    ],
)
def test_stakes_are_told_as_a_sentence(stakes: str, sentence: str) -> None:
    assert stakes_as_sentence(stakes) == sentence


@pytest.mark.parametrize(
    ("stakes", "told"),
    [
        ("who holds the *gate*", "Nobody could say yet who holds the *gate*."),
        ("*the* bridge", "What became of *the* bridge?"),
        ("is it *so?*", "Is it *so?*"),
    ],
)
def test_stakes_with_emphasis_are_told_as_those_without(tmp_path: Path, stakes: str, told: str) -> None:
    lines = f"""\
cast Zel by=Jon
cast Ned by=Omar
session One
scene The basin: Rain.
conflict Night spacetime Zel vs Ned: {stakes}
outcome Zel: The gate *stays shut*
end conflict victory Zel
"""
    page = export("markdown", exported(tmp_path, lines, voice="prose")).decode()

    assert told in page
    assert "Zel got the better of Ned: the gate stays shut." in page
