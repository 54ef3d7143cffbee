"""A phase as the table lives it: intents, clashes, checks, results (docs/rules/whiskey.md §5 to §7)."""

from __future__ import annotations

import pytest

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import pending, turn
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.rules import Act
from retold.games.whiskey.state import EVOLVE
from retold.journal.capabilities import HasClashes, HasDecks, HasRows
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Question, Words
from tests.retold.games.whiskey.at_the_ford import (
    ANA,
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
    came,
    check,
    clash,
    declare,
    drawn,
    duels,
    engage,
    formed,
    hits,
    made,
    opening,
    pairs,
    phase_ended,
    rolled,
    sheet,
    stand,
    stopped,
    told,
)
from tests.scenario import Story, given

DUEL = ((RUNA,), (PIKE,))


def dueling(options: dict[str, str] | None = None, **values: int) -> Story:
    """Runa engages Pike, who stands; the clash is formed."""
    story = begun(*DUEL, options=options, sheets=(sheet(PIKE, **values),) if values else ())
    return story.given(*engage((RUNA, PIKE)), *stand(PIKE), clash())


def asked(story: Story) -> Question:
    (question,) = pending(story.table, story.table.conflicts[1])
    return question


def ruling(answer: int | str, question: str | None = None) -> c.Rule:
    return c.Rule(question=question, answer=answer, text=WORDS)


# --- every event, every room ------------------------------------------------------------------------------


def test_every_event_of_its_own_has_a_handler() -> None:
    assert set(SYSTEMS["whiskey"].events) <= set(EVOLVE)


def test_the_state_can_say_what_views_ask() -> None:
    table = begun().table

    assert isinstance(table.conflicts[1].state, HasClashes)
    assert isinstance(table.shelves["whiskey"], HasDecks)
    assert isinstance(table.shelves["whiskey"], HasRows)


# --- intents ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "target"),
    [("engage", PIKE), ("guard", TOBIN), ("guard", None), ("advance", None), ("stand", None)],
)
def test_an_intent_is_an_act_and_its_target(act: ActName, target: int | None) -> None:
    story = begun()

    after = story.when(declare(RUNA, act, target)).then(
        w.IntentDeclared(conflict=1, who=RUNA, act=Act(act), target=target)
    )
    assert told(after, "intent", RUNA) == (act, *(() if target is None else (after.table.name(target),)))


def test_something_else_instead_is_said_in_words() -> None:
    begun().when(declare(SLING, "other")).then(
        w.IntentDeclared(conflict=1, who=SLING, act=Act.OTHER, text=WORDS)
    )
    begun().when(Declare(who=SLING, act="other")).then_refused(
        "Say what Sling does instead: declare Sling other: the spell."
    )


def test_a_colon_alone_says_nothing() -> None:
    nothing = Words("")

    begun().when(Declare(who=SLING, act="other", text=nothing)).then_refused(
        "Say what Sling does instead: declare Sling other: the spell."
    )
    begun().when(Declare(who=RUNA, act="stand", text=nothing)).then(
        w.IntentDeclared(conflict=1, who=RUNA, act=Act.STAND)
    )
    assert dueling().when(check(RUNA, PIKE, "4H 3").but({"text": nothing})).events[0] == drawn(RUNA, "4H")
    story = begun(*DUEL).given(*engage((RUNA, PIKE)), *stand(PIKE))
    assert story.when(clash().but({"text": nothing})).events == story.when(clash()).events


def test_an_act_of_another_game_is_none_here() -> None:
    begun().when(Declare(who=RUNA, act="simple")).then_refused(
        "Say what Runa does: declare Runa engage NAME, guard NAME, advance, stand, or other with a text."
    )


def test_words_without_an_act_are_said_beside_it() -> None:
    story = begun().given(declare(RUNA, "stand"))

    story.when(declare(RUNA)).then(e.Declared(who=RUNA, text=WORDS, conflict=1))


def test_an_empty_declaration_is_refused() -> None:
    begun().when(Declare(who=RUNA)).then_refused(
        "Say what Runa does: declare Runa engage NAME, guard NAME, advance, stand, or other with a text."
    )


def test_one_declares_once_a_phase() -> None:
    begun().given(declare(RUNA, "stand")).when(declare(RUNA, "advance")).then_refused(
        "Runa has declared already this phase; undo takes it back until the clashes are known."
    )


def test_one_declares_after_the_clashes_are_fought() -> None:
    dueling().when(declare(RUNA, "stand")).then_refused(
        "The clashes of this phase come first: Runa and Pike (check)."
    )


def test_declarations_name_only_fighters_in_the_conflict() -> None:
    story = begun(*DUEL)

    story.when(declare(TOBIN, "stand")).then_refused("Tobin is on no side of this conflict.")
    story.when(declare(RUNA, "engage", TOBIN)).then_refused("Tobin is on no side of this conflict.")
    story.when(declare(RUNA, "guard", TOBIN)).then_refused("Tobin is on no side of this conflict.")
    story.when(declare(None, "stand")).then_refused("Say who declares: Runa, Pike.")
    story.when(declare(RUNA, "engage", RUNA)).then_refused(
        "Runa can engage only another person: stand is the word for holding on."
    )


def test_an_intent_takes_no_data() -> None:
    begun().when(Declare(who=RUNA, act="stand", setup={"speed": 3})).then_refused(
        "An intent takes no key=value: declare Runa "
        "engage NAME, guard NAME, advance, stand, or other with a text."
    )


@pytest.mark.parametrize("system", ["bruise", "spacetime"])
def test_if_one_declares_in_words_an_act_is_refused_and_so_is_silence(system: str) -> None:
    story = given(*PEOPLE, c.OpenConflict(system=system, sides=DUEL))
    title = SYSTEMS[system].title

    story.when(declare(RUNA, "engage", PIKE)).then_refused(
        f"{title} declares in words and has no engage: declare Runa: what they mean to do."
    )
    story.when(Declare(who=RUNA)).then_refused("Say what is declared: declare Runa: what they mean to do.")


def test_outside_a_conflict_one_declares_in_words_too() -> None:
    given(*PEOPLE).when(declare(RUNA, "stand")).then_refused(
        "Outside a conflict one declares in words and has no stand: declare Runa: what they mean to do."
    )


# --- who stops whom ---------------------------------------------------------------------------------------


def test_clashes_wait_for_all_declarations() -> None:
    begun().given(*stand(RUNA, PIKE)).when(clash()).then_refused(
        "These have not declared yet this phase: Tobin, Hook, Sling."
    )


def test_each_intent_is_told_with_its_reason() -> None:
    story = begun().given(*engage((RUNA, PIKE), (TOBIN, HOOK), (PIKE, RUNA), (SLING, TOBIN)), *stand(HOOK))

    story.when(clash()).then(
        came(RUNA, "engage", PIKE, "mutual", PIKE),
        stopped(TOBIN, "engage", HOOK, SLING),
        came(PIKE, "engage", RUNA, "mutual", RUNA),
        came(SLING, "engage", TOBIN, "unopposed"),
        came(HOOK, "stand", None, "freed", TOBIN),
        formed(RUNA, PIKE, RUNA),
        formed(SLING, TOBIN, SLING),
    )


def test_without_clashes_the_phase_is_over() -> None:
    begun(*DUEL).given(*stand(RUNA, PIKE)).when(clash()).then(
        came(RUNA, "stand", None, "unopposed"), came(PIKE, "stand", None, "unopposed"), phase_ended()
    )


def test_a_text_is_what_the_game_master_says_of_it() -> None:
    story = begun(*DUEL).given(*engage((RUNA, PIKE)), *stand(PIKE))

    events = story.when(clash().but({"text": WORDS})).events
    assert events[-1] == e.Narrated(who=GM, text=WORDS, conflict=1)


def test_clashes_are_worked_out_once() -> None:
    dueling().when(clash()).then_refused("The clashes are known already: Runa and Pike (check).")


def test_a_person_who_clashes_has_numbers() -> None:
    story = given(*PEOPLE, sheet(RUNA), opening(*DUEL), *engage((RUNA, PIKE)), *stand(PIKE))

    story.when(clash()).then_refused(
        "Pike cannot fight without combat, base, die, hp: cast Pike whiskey combat=… base=… die=… hp=…."
    )


def test_WH_02_two_against_three_at_the_ford() -> None:
    # 19 is needed each time; the totals are 14, 25 and 8.
    strong = {"combat": 18, "base": 1, "hp": 10}
    sheets = (sheet(RUNA, base=1, hp=10), *(sheet(who, **strong) for who in (TOBIN, PIKE, HOOK, SLING)))
    story = begun(options={"checker": "attacker"}, sheets=sheets).given(
        *engage((RUNA, PIKE), (TOBIN, HOOK), (PIKE, RUNA), (HOOK, TOBIN), (SLING, TOBIN)), clash()
    )
    assert pairs(story) == duels((RUNA, PIKE), (TOBIN, HOOK), (SLING, TOBIN))

    story = story.given(check(RUNA, PIKE, "4H 3"))
    assert told(story, "check") == ("14", "failed")
    story = story.given(check(TOBIN, HOOK, "7H 2"))
    assert told(story, "check") == ("25", "passed")
    # The third is checked for by the game master: it fails, so Tobin hits.
    assert story.when(check(SLING, TOBIN, "3S 5")).events[3:] == (
        hits(PIKE, RUNA, 4, 6),
        hits(TOBIN, HOOK, 3, 7),
        hits(TOBIN, SLING, 6, 4),
        phase_ended(),
    )
    assert told(story.given(check(SLING, TOBIN, "3S 5")), "check") == ("8", "failed")


def shaman(*options: tuple[str, str]) -> Story:
    """Runa and Tobin go for Sling, whom Pike and Hook guard."""
    return begun(options=dict(options)).given(
        *engage((RUNA, SLING), (TOBIN, SLING)),
        declare(PIKE, "guard", SLING),
        declare(HOOK, "guard", SLING),
        declare(SLING, "other"),
    )


def test_WH_03_ruled_guards_stop_attackers_and_the_spell_succeeds() -> None:
    story = shaman()
    assert asked(story) == Question(
        "engage",
        "Pike guards Sling, and Runa and Tobin are coming: whom does Pike stop?",
        (RUNA, TOBIN, "nobody"),
        1,
    )
    story.when(clash()).then_refused(
        "Pike guards Sling, and Runa and Tobin are coming: whom does Pike stop? "
        "Answer with: Runa, Tobin, nobody. Rule on that first (ruling Runa: why)."
    )

    story = story.when(ruling(RUNA)).then(
        e.RulingMade(conflict=1, question="engage", answer=RUNA, text=WORDS),
        w.GuardAssigned(conflict=1, who=PIKE, target=RUNA),
    )
    story = story.given(ruling(TOBIN, "engage"))
    after = story.when(clash()).then(
        stopped(RUNA, "engage", SLING, PIKE),
        stopped(TOBIN, "engage", SLING, HOOK),
        came(PIKE, "guard", SLING, "unopposed"),
        came(HOOK, "guard", SLING, "unopposed"),
        came(SLING, "other", None, "freed", RUNA, TOBIN),
        formed(PIKE, RUNA, PIKE),
        formed(HOOK, TOBIN, HOOK),
    )
    assert told(after, "stopped", RUNA) == ("Pike",)
    assert told(after, "stopped", SLING) == ()
    assert told(after, "clash", TOBIN) == ("Hook",)


def test_a_guards_choice_may_be_ruled_by_name() -> None:
    setting = e.Setting(person=HOOK, what="engage", op="=", value=TOBIN)

    story = (
        shaman()
        .when(c.Rule(sets=(setting,), text=WORDS))
        .then(
            e.RulingMade(conflict=1, sets=(setting,), text=WORDS),
            w.GuardAssigned(conflict=1, who=HOOK, target=TOBIN),
        )
    )
    assert asked(story).asked.startswith("Pike guards Sling")


@pytest.mark.parametrize("value", [HOOK, ANA, "Tobin"])
def test_a_guard_can_only_stop_another_fighter_in_the_conflict(value: int | str) -> None:
    setting = e.Setting(person=HOOK, what="engage", op="=", value=value)

    shaman().when(c.Rule(sets=(setting,), text=WORDS)).then_refused(
        "Hook can stop one of these: Runa, Tobin, Pike, Sling; or nobody."
    )


def test_only_a_guard_can_be_assigned_an_attacker() -> None:
    def ruled(who: int) -> c.Rule:
        return c.Rule(sets=(e.Setting(person=who, what="engage", op="=", value=RUNA),), text=WORDS)

    shaman().when(ruled(TOBIN)).then_refused("Tobin does not guard this phase.")
    dueling().given().when(ruled(PIKE)).then_refused("Pike does not guard this phase.")


def ring(**options: str) -> Story:
    """Runa wants Pike, Pike Tobin, Tobin Hook, and Hook Runa."""
    return begun((RUNA, TOBIN), (PIKE, HOOK), options=options).given(
        *engage((PIKE, TOBIN), (TOBIN, HOOK), (HOOK, RUNA), (RUNA, PIKE))
    )


def test_WH_04_in_a_ring_the_player_who_declared_first_gets_through() -> None:
    story = ring()

    story = story.when(clash()).then(
        w.LoopBroken(conflict=1, who=TOBIN, loop=(PIKE, TOBIN, HOOK, RUNA), how="first_pc"),
        stopped(PIKE, "engage", TOBIN, RUNA),
        came(TOBIN, "engage", HOOK, "chosen"),
        stopped(HOOK, "engage", RUNA, TOBIN),
        came(RUNA, "engage", PIKE, "freed", HOOK),
        formed(TOBIN, HOOK, TOBIN),
        formed(RUNA, PIKE, RUNA),
    )
    assert pairs(story) == duels((RUNA, PIKE), (TOBIN, HOOK))


def test_WH_04_a_die_breaks_the_ring_at_random() -> None:
    story = ring(loop_break="random")

    lot = story.when(clash(), dealt="1")
    assert lot.events[:2] == (
        rolled(None, 1, "1d4"),
        w.LoopBroken(conflict=1, who=PIKE, loop=(PIKE, TOBIN, HOOK, RUNA), how="random"),
    )
    assert pairs(lot.story) == duels((PIKE, TOBIN), (HOOK, RUNA))
    assert pairs(story.given(clash(results="2"))) == duels((TOBIN, HOOK), (RUNA, PIKE))


def test_a_ring_without_players_is_broken_by_lot() -> None:
    nobodies = begun((PIKE,), (HOOK,), (SLING,)).given(*engage((PIKE, HOOK), (HOOK, SLING), (SLING, PIKE)))

    assert nobodies.when(clash(), dealt="3").events[1] == w.LoopBroken(
        conflict=1, who=SLING, loop=(PIKE, HOOK, SLING), how="random"
    )


def test_a_second_lot_is_missed() -> None:
    story = begun((RUNA, TOBIN), (PIKE, HOOK), options={"loop_break": "random"}).given(
        *engage((PIKE, TOBIN), (TOBIN, HOOK), (HOOK, RUNA), (RUNA, PIKE))
    )

    story.when(clash(results="2 2")).then_refused("1 result too many: 2.")


def test_WH_04_the_game_master_may_say_who_gets_through() -> None:
    story = ring(loop_break="gm")
    assert asked(story) == Question(
        "loop",
        "Each is after the next (Pike, Tobin, Hook, Runa): who gets through?",
        (PIKE, TOBIN, HOOK, RUNA),
        1,
    )

    story = story.when(ruling(HOOK)).then(
        e.RulingMade(conflict=1, question="loop", answer=HOOK, text=WORDS),
        w.LoopBroken(conflict=1, who=HOOK, loop=(PIKE, TOBIN, HOOK, RUNA), how="gm"),
    )
    assert pairs(story.given(clash())) == duels((HOOK, RUNA), (PIKE, TOBIN))


# --- pairing by hand --------------------------------------------------------------------------------------


def test_the_game_master_may_pair_any_fighters() -> None:
    begun().when(clash(SLING, RUNA)).then(formed(SLING, RUNA, SLING, paired=True))


def test_a_pair_clashes_once() -> None:
    story = begun().given(clash(RUNA, PIKE))

    story.when(clash(PIKE, RUNA)).then_refused("Pike and Runa clash already.")
    story.when(clash(RUNA, RUNA)).then_refused("Name two who clash: Runa is one and the same.")


def test_no_four_clash_in_a_row() -> None:
    story = begun((RUNA, TOBIN), (PIKE, HOOK)).given(clash(RUNA, PIKE), clash(TOBIN, HOOK))

    story.when(clash(PIKE, TOBIN)).then_refused(
        "No four may clash in a row (Runa, Pike, Tobin, Hook): "
        "Runa and Hook keep Pike and Tobin from each other."
    )


def three() -> Story:
    """Runa clashes with Pike and with Hook, and the two are to clash too."""
    return begun((RUNA,), (PIKE,), (HOOK,)).given(clash(RUNA, PIKE), clash(RUNA, HOOK), clash(PIKE, HOOK))


def test_A12_all_pairs_are_made_before_the_first_check() -> None:
    story = begun().given(clash(RUNA, PIKE), clash(RUNA, HOOK), check(RUNA, PIKE, "6H 3"))

    story.when(clash(TOBIN, SLING)).then_refused(
        "All pairs are made before the first check, and one is made: Tobin and Sling can clash next phase. "
        "Now come: Runa and Hook (check)."
    )


def test_a_triangle_waits_for_a_ruling() -> None:
    story = begun((RUNA,), (PIKE,), (HOOK,)).given(clash(RUNA, PIKE), clash(RUNA, HOOK))

    story = story.when(clash(PIKE, HOOK)).then(
        w.TriangleProposed(conflict=1, one=PIKE, other=HOOK, third=RUNA)
    )
    assert asked(story).answers == ("yes", "no")
    assert turn(story.table, story.table.conflicts[1]) == (
        "phase 1 · Pike and Hook both clash with Runa already: shall all three fight each other?"
    )
    story.when(check(RUNA, PIKE)).then_refused(
        "Pike and Hook both clash with Runa already: shall all three fight each other? "
        "Answer with: yes, no. Rule on that first (ruling yes: why)."
    )


def test_a_triangle_that_is_kept_is_a_clash_more() -> None:
    story = three().given(ruling("yes", "triangle"))

    assert pairs(story) == duels((RUNA, PIKE), (RUNA, HOOK), (PIKE, HOOK))


def test_a_triangle_that_is_not_kept_is_forgotten() -> None:
    story = three().given(ruling("no"))

    assert pairs(story) == duels((RUNA, PIKE), (RUNA, HOOK))
    assert pending(story.table, story.table.conflicts[1]) == ()


# --- who checks -------------------------------------------------------------------------------------------


def checker(story: Story) -> int | None:
    (event,) = [one for one in story.when(clash()).events if isinstance(one, w.ClashFormed)]
    return event.checker


def test_A6_the_attacker_checks_by_default() -> None:
    assert checker(begun(*DUEL).given(*engage((PIKE, RUNA)), *stand(RUNA))) == PIKE
    assert checker(begun(*DUEL).given(*engage((RUNA, PIKE)), *stand(PIKE))) == RUNA
    # Where both attack it is the one with a player, and else whoever declared first.
    assert checker(begun(*DUEL).given(*engage((PIKE, RUNA), (RUNA, PIKE)))) == RUNA
    assert checker(begun((PIKE,), (HOOK,)).given(*engage((HOOK, PIKE), (PIKE, HOOK)))) == HOOK
    assert checker(begun((RUNA,), (TOBIN,)).given(*engage((TOBIN, RUNA), (RUNA, TOBIN)))) == TOBIN


def test_A6_or_one_with_a_player_who_is_named() -> None:
    story = begun((RUNA,), (PIKE, HOOK)).given(clash(PIKE, RUNA), clash(HOOK, RUNA))

    assert story.when(check(RUNA, PIKE, "2H 2")).events[2] == made(RUNA, PIKE, "2H", 2, 2, passed=True)
    assert story.when(check(PIKE, None, "2H 2")).events[2] == made(
        PIKE, RUNA, "2H", 2, 2, passed=True, faction="enemies"
    )
    unnamed = begun((RUNA,), (PIKE,)).given(clash(PIKE, RUNA)).when(check(results="2H 2"))
    assert unnamed.events[2] == made(PIKE, RUNA, "2H", 2, 2, passed=True, faction="enemies")


def test_A6_a_defender_without_a_player_cannot_check() -> None:
    dueling().when(check(PIKE, RUNA)).then_refused(
        "In this clash Runa checks (option checker=attacker): check Runa Pike; "
        "with checker=choose the person named checks."
    )


def test_the_one_with_a_player_may_always_check() -> None:
    story = begun(*DUEL, options={"checker": "player"})

    assert checker(story.given(*engage((PIKE, RUNA)), *stand(RUNA))) == RUNA
    story.given(clash(PIKE, RUNA)).when(check(PIKE, RUNA)).then_refused(
        "In this clash Runa checks (option checker=player): check Runa Pike; "
        "with checker=choose the person named checks."
    )


def test_of_two_with_players_or_none_the_attacker_checks_then_too() -> None:
    by_players = {"checker": "player"}

    assert checker(
        begun((RUNA,), (TOBIN,), options=by_players).given(*engage((TOBIN, RUNA)), *stand(RUNA))
    ) == (TOBIN)
    assert (
        checker(begun((PIKE,), (HOOK,), options=by_players).given(*engage((HOOK, PIKE)), *stand(PIKE)))
        == HOOK
    )


def test_with_checker_choose_the_named_fighter_checks() -> None:
    story = dueling({"checker": "choose"})

    story.when(check()).then_refused("Say who checks: Runa, Pike.")
    assert story.when(check(PIKE, None, "2H 2")).events[2] == made(
        PIKE, RUNA, "2H", 2, 2, passed=True, faction="enemies"
    )


# --- checks and what they come to -------------------------------------------------------------------------


def test_WH_01_a_six_and_a_three_deal_seven() -> None:
    dueling().when(check(RUNA, PIKE, "6H 3")).then(
        drawn(RUNA, "6H"),
        rolled(RUNA, 3),
        made(RUNA, PIKE, "6H", 6, 3, passed=True),
        hits(RUNA, PIKE, 7, 5),
        phase_ended(),
    )


def test_a_failed_check_is_a_hit() -> None:
    dueling().when(check(results="KS 2")).then(
        drawn(RUNA, "KS"),
        rolled(RUNA, 2),
        made(RUNA, PIKE, "KS", 0, 2, passed=False),
        hits(PIKE, RUNA, 6, 6),
        phase_ended(),
    )


def test_results_wait_for_the_last_check() -> None:
    story = begun((RUNA, TOBIN), (PIKE, HOOK)).given(clash(RUNA, PIKE), clash(TOBIN, HOOK))

    story = story.when(check(RUNA, None, "6H 3")).then(
        drawn(RUNA, "6H"), rolled(RUNA, 3), made(RUNA, PIKE, "6H", 6, 3, passed=True)
    )
    assert turn(story.table, story.table.conflicts[1]) == "phase 1 · to check: Tobin against Hook"
    story.when(check(TOBIN, None, "5H 1")).then(
        drawn(TOBIN, "5H"),
        rolled(TOBIN, 1),
        made(TOBIN, HOOK, "5H", 5, 1, passed=True),
        hits(RUNA, PIKE, 7, 5),
        hits(TOBIN, HOOK, 5, 7),
        phase_ended(),
    )


def test_a_clash_is_checked_once() -> None:
    story = begun((RUNA, TOBIN), (PIKE, HOOK)).given(
        clash(RUNA, PIKE), clash(TOBIN, HOOK), check(RUNA, PIKE, "6H 3")
    )

    story.when(check(RUNA, PIKE)).then_refused(
        "Runa and Pike have had their check: one check for each clash."
    )
    story.when(check(RUNA)).then_refused("Runa has no check to make; these are to be made: Tobin and Hook.")
    story.when(check(RUNA, HOOK)).then_refused(
        "Runa and Hook do not clash; these do: Runa and Pike, Tobin and Hook."
    )


def test_which_check_is_not_guessed() -> None:
    story = begun((RUNA,), (PIKE, HOOK)).given(clash(RUNA, PIKE), clash(RUNA, HOOK))

    story.when(check()).then_refused("Say which check: check Runa Pike; or check Runa Hook.")
    assert story.when(check(RUNA, HOOK, "6H 3")).events


def test_a_check_has_its_clash() -> None:
    begun().when(check(RUNA, PIKE)).then_refused("No clash awaits a check: all declare first, then: clash.")
    given(*PEOPLE).when(check(RUNA, PIKE)).then_refused(
        "No Whiskey conflict is open; outside one, say against what: check NAME stealth vs 12."
    )


def test_a_clash_check_is_never_unwanted() -> None:
    dueling({"unwanted_checks": "allow"}).when(check(RUNA, None, wanted="no")).then_refused(
        "In a clash the loser is hit, so all want to pass."
    )


def test_a_fallen_person_leaves_the_fight() -> None:
    story = (
        dueling(hp=7)
        .when(check(RUNA, None, "6H 3"))
        .then(
            drawn(RUNA, "6H"),
            rolled(RUNA, 3),
            made(RUNA, PIKE, "6H", 6, 3, passed=True),
            hits(RUNA, PIKE, 7, 0),
            w.Incapacitated(conflict=1, who=PIKE),
            phase_ended(),
        )
    )

    assert told(story, "down") == ("Pike",)
    story.when(declare(PIKE, "stand")).then_refused(
        "Pike is out of the fight; a ruling can change that (ruling Pike.hp=3: why)."
    )
    story.when(declare(RUNA, "engage", PIKE)).then_refused(
        "Pike is out of the fight; a ruling can change that (ruling Pike.hp=3: why)."
    )
    assert turn(story.table, story.table.conflicts[1]) == "phase 2 · to declare: Runa"


def test_an_option_sets_the_incapacitation_threshold() -> None:
    story = dueling({"incapacitated_at": "5"}).given(check(RUNA, None, "6H 3"))

    assert told(story, "down") == ("Pike",)


def surrounded(hp: int) -> Story:
    """Pike and Hook are upon Runa, and Hook has won."""
    story = begun((RUNA,), (PIKE, HOOK), sheets=(sheet(RUNA, hp=hp),))
    return story.given(clash(RUNA, PIKE), clash(RUNA, HOOK), check(RUNA, HOOK, "AS 2"))


def test_one_against_many_strikes_back_while_standing() -> None:
    assert surrounded(12).when(check(RUNA, PIKE, "6H 3")).events[3:] == (
        hits(RUNA, PIKE, 7, 5),
        hits(HOOK, RUNA, 6, 6),
        phase_ended(),
    )


def test_one_put_out_by_many_lands_nothing() -> None:
    assert surrounded(6).when(check(RUNA, PIKE, "6H 3")).events[3:] == (
        w.DamageSuppressed(conflict=1, winner=RUNA, loser=PIKE, amount=7),
        hits(HOOK, RUNA, 6, 0),
        w.Incapacitated(conflict=1, who=RUNA),
        phase_ended(),
    )


def test_the_next_phase_begins_with_intents() -> None:
    story = dueling().given(check(RUNA, None, "6H 3"))

    assert turn(story.table, story.table.conflicts[1]) == "phase 2 · to declare: Runa, Pike"
    assert (told(story, "phase"), told(story, "clashes")) == (("1",), ("1",))
    story = story.given(declare(RUNA, "stand"))
    assert (told(story, "phase"), told(story, "clashes")) == (("2",), ("0",))


# --- hostilities end --------------------------------------------------------------------------------------


def end(how: str | None = None, winner: int | None = None) -> c.End:
    return c.End(what="conflict", how=how, winner=winner)


@pytest.mark.parametrize("how", ["ended", "victory", "retreat", "surrender", "stalemate"])
def test_hostilities_end_when_the_table_says_so(how: str) -> None:
    begun().when(end(how)).then(e.ConflictEnded(conflict=1, how=how))


def test_hostilities_do_not_end_between_checks() -> None:
    dueling().when(end()).then_refused(
        "These still need their check: Runa and Pike. "
        "A fight that breaks off before it: end conflict retreat, or surrender, or stalemate."
    )
    begun().when(end("nicely")).then_refused(
        "Hostilities end as ended, victory, retreat, surrender, stalemate; nicely is not known."
    )


def test_one_may_concede_between_checks() -> None:
    story = dueling().given(c.Concede(who=PIKE, text=WORDS))

    story.when(c.Accept(who=RUNA)).then(
        e.ConcessionAccepted(conflict=1, who=RUNA, whose=PIKE),
        e.ConflictEnded(conflict=1, how="conceded", winner=RUNA),
    )


def test_whiskey_has_no_compels() -> None:
    begun().when(c.Compel(who=RUNA, aspect="proud", text=Words("?"))).then_refused("Whiskey has no compels.")


def test_each_fighter_is_on_the_expected_side() -> None:
    assert begun().table.conflicts[1].sides == SIDES


def test_a_card_with_a_clash_is_for_the_check_behind_it() -> None:
    begun().when(clash(results="9H 3")).then_refused(
        "The card and the d6 come with the check: clash, then check = 9H 3."
    )
