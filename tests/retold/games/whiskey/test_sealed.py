"""Intents face down, and the reveal that opens them all at once (docs/rules/whiskey.md §6)."""

from __future__ import annotations

import pytest

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import pending, turn
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.rules import Act
from retold.games.whiskey.state import conflict_state
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.whiskey.at_the_ford import (
    GM,
    HOOK,
    PEOPLE,
    PIKE,
    RUNA,
    SIDES,
    SLING,
    TOBIN,
    WORDS,
    ActName,
    begun,
    clash,
    declare,
    engage,
    face_down,
    formed,
    pairs,
    sealed,
    stand,
    told,
)
from tests.scenario import Story, given

DUEL = ((RUNA,), (PIKE,))
REVEAL = c.Reveal()
ACTS = "engage NAME, guard NAME, advance, stand, or other with a text"
FIRST_REVEAL = "These have sealed what they will try: Runa, Pike. First: reveal."


def dealt_face_down() -> Story:
    """Runa has sealed that she engages Pike, and Pike that he stands; nothing is open yet."""
    return begun(*DUEL).given(sealed(RUNA, "engage", PIKE, WORDS), sealed(PIKE, "stand"))


def opened(who: int, act: ActName, target: int | None = None, text: Words | None = None) -> w.IntentDeclared:
    return w.IntentDeclared(conflict=1, who=who, act=Act(act), target=target, text=text)


def turned(*who: int) -> w.IntentsRevealed:
    return w.IntentsRevealed(conflict=1, people=who)


# --- sealing ----------------------------------------------------------------------------------------------


def test_a_sealed_intent_shows_only_its_owner() -> None:
    after = begun().when(sealed(RUNA, "engage", PIKE, WORDS)).then(face_down(RUNA, "engage 3: Now."))

    assert told(after, "intent", RUNA) == ("sealed",)
    assert w.IntentSealed.face() == {"conflict", "who"}


@pytest.mark.parametrize(
    ("act", "target", "text", "intent"),
    [
        ("guard", TOBIN, None, "guard 2"),
        ("guard", None, WORDS, "guard: Now."),
        ("advance", None, None, "advance"),
        ("stand", None, None, "stand"),
        ("other", None, WORDS, "other: Now."),
    ],
)
def test_any_act_may_be_sealed(act: ActName, target: int | None, text: Words | None, intent: str) -> None:
    begun().when(sealed(RUNA, act, target, text)).then(face_down(RUNA, intent))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (sealed(None, "stand"), "Say who declares: Runa, Tobin, Pike, Hook, Sling."),
        (sealed(RUNA, "engage", 6), "Ana is on no side of this conflict."),
        (
            sealed(RUNA, "engage", RUNA),
            "Runa can engage only another person: stand is the word for holding on.",
        ),
        (sealed(RUNA, "other"), "Say what Runa does instead: declare Runa other: the spell."),
        (
            sealed(RUNA, None, None, WORDS),
            f"Say what Runa does: declare Runa {ACTS}.",
        ),
        (
            Declare(who=RUNA, sealed=Words("engage Pike")),
            f"What Runa sealed cannot be read: declare Runa {ACTS}.",
        ),
    ],
)
def test_what_may_not_be_declared_may_not_be_sealed(command: Declare, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


def test_a_person_who_has_declared_openly_does_not_declare_again_face_down() -> None:
    begun().given(*stand(RUNA)).when(sealed(RUNA, "advance")).then_refused(
        "Runa has declared already this phase; undo takes it back until the clashes are known."
    )


def test_until_the_reveal_another_intent_takes_the_place_of_a_sealed_one() -> None:
    story = dealt_face_down().given(sealed(RUNA, "stand"))

    story.when(REVEAL).then(turned(PIKE, RUNA), opened(PIKE, "stand"), opened(RUNA, "stand"))
    story = dealt_face_down().given(declare(RUNA, "stand"))
    assert told(story, "intent", RUNA) == ("stand",)
    story.when(REVEAL).then(turned(PIKE), opened(PIKE, "stand"))


def test_it_can_be_sealed_in_any_phase_but_not_between_the_clashes_and_their_checks() -> None:
    story = begun(*DUEL).given(*engage((RUNA, PIKE)), *stand(PIKE), clash())

    story.when(sealed(RUNA, "stand")).then_refused(
        "The clashes of this phase come first: Runa and Pike (check)."
    )


@pytest.mark.parametrize("system", ["bruise", "spacetime", "guenask"])
def test_if_one_declares_in_words_nothing_is_sealed(system: str) -> None:
    story = given(*PEOPLE, c.OpenConflict(system=system, sides=DUEL, text=WORDS))
    title = SYSTEMS[system].title
    story.when(sealed(RUNA, None, None, WORDS)).then_refused(
        f"{title} declares nothing sealed. To hide it, add --gm or --to NAMES;"
        " to show it later: reveal MOMENT."
    )


# --- while it is sealed -----------------------------------------------------------------------------------


def test_nothing_is_worked_out_while_intents_are_sealed() -> None:
    dealt_face_down().when(clash()).then_refused(FIRST_REVEAL)
    dealt_face_down().when(clash(RUNA, PIKE)).then_refused(FIRST_REVEAL)


def test_a_person_who_has_sealed_has_declared() -> None:
    story = begun().given(sealed(RUNA, "stand"), *stand(PIKE))
    here = story.table.conflicts[1]

    assert turn(story.table, here) == "phase 1 · to declare: Tobin, Hook, Sling"
    story = story.given(*stand(TOBIN, HOOK, SLING))
    assert turn(story.table, story.table.conflicts[1]) == "phase 1 · reveal"


def test_no_question_is_asked_of_what_is_still_sealed() -> None:
    # Pike guards Sling openly, and two come for Sling: whom he stops is asked once one can know it.
    story = begun(SIDES[0], (PIKE, SLING)).given(
        *engage((RUNA, SLING), (TOBIN, SLING)), declare(PIKE, "guard", SLING), sealed(SLING, "stand")
    )
    assert pending(story.table, story.table.conflicts[1]) == ()

    story = story.given(REVEAL)
    assert [one.name for one in pending(story.table, story.table.conflicts[1])] == ["engage"]


# --- the reveal -------------------------------------------------------------------------------------------


def test_the_reveal_opens_everything_at_once_and_play_goes_on_as_ever() -> None:
    story = (
        dealt_face_down()
        .when(REVEAL)
        .then(turned(RUNA, PIKE), opened(RUNA, "engage", PIKE, WORDS), opened(PIKE, "stand"))
    )

    assert conflict_state(story.table.conflicts[1]).phase.sealed == {}
    assert turn(story.table, story.table.conflicts[1]) == "phase 1 · clash"
    story = story.given(clash())
    assert pairs(story) == {frozenset((RUNA, PIKE))}
    assert formed(RUNA, PIKE, RUNA) in story.events


def test_what_was_open_counts_as_declared_before_it() -> None:
    # In a ring of four the player who declared first gets through: Tobin openly, and not Runa face down.
    ring = ((RUNA, TOBIN), (PIKE, HOOK))
    story = begun(*ring).given(
        sealed(RUNA, "engage", PIKE), *engage((PIKE, TOBIN), (TOBIN, HOOK), (HOOK, RUNA)), REVEAL
    )

    broken = story.when(clash()).events[0]
    assert broken == w.LoopBroken(conflict=1, who=TOBIN, loop=(PIKE, TOBIN, HOOK, RUNA), how="first_pc")


def test_a_text_is_what_the_game_master_says_of_it() -> None:
    events = dealt_face_down().when(c.Reveal(text=WORDS)).events

    assert events[-1] == e.Narrated(who=GM, text=WORDS, conflict=1)
    assert not any(
        isinstance(one, e.Narrated) for one in dealt_face_down().when(c.Reveal(text=Words(""))).events
    )


def test_all_is_revealed_at_once_so_all_declare_first() -> None:
    begun().given(sealed(RUNA, "stand"), *stand(TOBIN)).when(REVEAL).then_refused(
        "All is revealed at once, and these have not declared yet this phase: Pike, Hook, Sling."
    )


def test_if_nothing_is_sealed_there_is_nothing_to_reveal() -> None:
    sentence = "Nothing is sealed here. To show something hidden, name its moment: reveal MOMENT."

    begun().when(REVEAL).then_refused(sentence)
    dealt_face_down().given(REVEAL).when(REVEAL).then_refused(sentence)


def test_a_fighter_ruled_out_while_sealed_is_revealed_but_inactive() -> None:
    ruling = c.Rule(sets=(e.Setting(person=PIKE, what="hp", op="=", value=0),), text=WORDS)
    story = dealt_face_down().given(ruling)

    story = story.when(REVEAL).then(
        turned(RUNA, PIKE), opened(RUNA, "engage", PIKE, WORDS), opened(PIKE, "stand")
    )
    assert pairs(story.given(clash())) == set()


def test_what_was_redacted_cannot_be_opened_and_is_sealed_anew() -> None:
    story = begun(*DUEL).given(
        face_down(RUNA, "stand"), w.IntentSealed(conflict=1, who=PIKE, intent=Words(None))
    )

    story.when(REVEAL).then_refused(
        "What Pike sealed was redacted, so say it again: "
        "declare Pike engage NAME, guard NAME, advance, stand, or other with a text."
    )
    story.given(sealed(PIKE, "stand")).when(REVEAL).then(
        turned(RUNA, PIKE), opened(RUNA, "stand"), opened(PIKE, "stand")
    )


def test_words_that_are_gone_are_sealed_again_as_they_are() -> None:
    begun().when(Declare(who=RUNA, sealed=Words(None))).then(
        w.IntentSealed(conflict=1, who=RUNA, intent=Words(None))
    )


# --- a table that always seals ----------------------------------------------------------------------------


def test_a_table_may_choose_to_declare_face_down() -> None:
    story = begun(*DUEL, options={"declaration": "sealed"})

    story.when(declare(RUNA, "engage", PIKE)).then_refused(
        "This table declares sealed: declare Runa engage … --sealed."
    )
    story.when(declare(RUNA)).then(e.Declared(who=RUNA, text=WORDS, conflict=1))
    story.when(sealed(RUNA, "engage", PIKE)).then(face_down(RUNA, "engage 3"))
