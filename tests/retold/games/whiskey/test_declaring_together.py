"""Several declare the same at once: one line, one act, all of them or none (docs/rules/whiskey.md §6)."""

from __future__ import annotations

from retold.games.whiskey import events as w
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.rules import Act
from retold.journal.vocabulary.base import Words
from tests.cli.test_dump_script import assert_says_the_same_again
from tests.retold.games.whiskey.at_the_ford import (
    HOOK,
    PIKE,
    RUNA,
    SLING,
    WORDS,
    ActName,
    begun,
    declare,
    face_down,
    stand,
)
from tests.wandering.asked import proposals_are_taken
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import proposals

AT_THE_BRIDGE = (
    *("cast gm by=Greta", "cast Ann whiskey by=Mia combat=10 base=2 die=1 hp=20"),
    *(f"cast {name} whiskey combat=10 base=2 die=1 hp=20" for name in ("Xena", '"Yul One"', "Zed")),
    *("session S", "scene A bridge", "conflict whiskey Ann vs Xena+Yul+Zed"),
)


def together(
    *people: int, act: ActName = "engage", target: int | None = None, text: Words | None = None
) -> Declare:
    return Declare(together=people, act=act, target=target, text=text)


def intent(who: int, act: Act, target: int | None = None, text: Words | None = None) -> w.IntentDeclared:
    return w.IntentDeclared(conflict=1, who=who, act=act, target=target, text=text)


def test_several_engage_one_and_the_words_are_the_firsts() -> None:
    begun().when(together(PIKE, HOOK, target=RUNA, text=WORDS)).then(
        intent(PIKE, Act.ENGAGE, RUNA, WORDS), intent(HOOK, Act.ENGAGE, RUNA)
    )


def test_something_else_instead_is_said_once_for_all() -> None:
    begun().when(together(PIKE, HOOK, act="other", text=WORDS)).then(
        intent(PIKE, Act.OTHER, None, WORDS), intent(HOOK, Act.OTHER)
    )


def test_a_name_said_twice_declares_once() -> None:
    begun().when(together(PIKE, PIKE, act="stand")).then(intent(PIKE, Act.STAND))


def test_if_one_of_them_may_not_none_does() -> None:
    story = begun().given(*stand(HOOK))

    story.when(together(PIKE, HOOK, SLING, target=RUNA)).then_refused(
        "Hook has declared already this phase; undo takes it back until the clashes are known."
    )
    story.when(together(PIKE, SLING, act="guard", target=SLING)).then_refused(
        "Sling can guard only another person: stand is the word for holding on."
    )
    story.when(declare(PIKE, "stand")).then(intent(PIKE, Act.STAND))


def test_face_down_each_has_a_seal_and_the_words_are_in_the_firsts() -> None:
    command = Declare.of(
        {"together": (PIKE, HOOK), "act": "engage", "target": RUNA, "text": WORDS, "sealed": True}
    )

    begun().when(command).then(face_down(PIKE, f"engage {RUNA}: Now."), face_down(HOOK, f"engage {RUNA}"))


# --- as it is typed ---------------------------------------------------------------------------------------


def typed(night: Evening, *lines: str) -> list[str]:
    """What was refused of these lines, by why."""
    for line in lines:
        night.type(line)
    return list(night.refused.values())


def test_a_line_for_several_is_one_act_that_one_undo_takes_back() -> None:
    with evening(AT_THE_BRIDGE) as night:
        assert typed(night, "declare Yul+Xena+Zed engage Ann: From everywhere.", "undo") == []
        assert typed(night, "declare Xena stand", "declare Yul+Zed advance") == []


def test_a_dumped_script_says_the_line_for_several_again() -> None:
    with evening(AT_THE_BRIDGE) as night:
        typed(night, 'declare Xena+"Yul One" engage Ann: Both.', "declare Ann+Zed stand", "clash")
        script = assert_says_the_same_again(night.scribe.campaign)

    assert night.refused == {}
    assert 'declare Xena+"Yul One" engage Ann: Both.\ndeclare Ann+Zed stand' in script


def test_what_several_seal_is_revealed_and_dumped_as_they_said_it() -> None:
    with evening((*AT_THE_BRIDGE, "option whiskey.declaration=sealed")) as night:
        typed(night, "declare Xena+Zed guard Yul: Round her.", "declare Ann+Yul stand", "reveal")
        script = assert_says_the_same_again(night.scribe.campaign)

    assert night.refused == {}
    assert 'declare Xena+Zed guard "Yul One" --sealed: Round her.' in script


def test_what_several_may_do_who_have_no_player_is_proposed_and_taken() -> None:
    with evening(AT_THE_BRIDGE) as night:
        groups = [one for one in proposals(night.table) if getattr(one, "together", ())]
        proposals_are_taken(night.table)

        assert {getattr(one, "together", ()) for one in groups} == {(4, 5, 6)}  # Xena, Yul One, Zed
        assert {getattr(one, "act", "") for one in groups} == {"engage", "guard", "advance", "stand"}


def test_a_place_that_several_guard_is_shown_after_its_colon() -> None:
    with evening(AT_THE_BRIDGE) as night:
        assert typed(night, "declare Xena+Yul guard the rail") == [
            "A place follows a colon: declare Xena+Yul guard: the rail"
        ]


def test_another_games_conflict_takes_no_shared_declaration() -> None:
    lines = ("cast Ann edgerunner cool=3", "cast Bo edgerunner cool=3", "conflict edgerunner Ann vs Bo")
    with evening(lines) as night:
        (refused,) = typed(night, "declare Ann+Bo stand")

    assert refused.startswith("“Ann+Bo” does not fit here; wanted: a name (WHO).")
