"""A name that is nearly somebody's is asked about, and never makes a new person by itself (A11)."""

from __future__ import annotations

import pytest

from retold.journal.language.lexing import lex
from retold.journal.language.naming import Mistyped
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.scribe import Scribe


@pytest.fixture
def scribe(scribe: Scribe) -> Scribe:
    for name in ("Xena", "Guard-1", "Yul"):
        scribe.say(f'cast "{name}"')
    return scribe


@pytest.mark.parametrize("typed", ["Xean", "Xaen", "Xana", "Xenaa", "Ylu", "Zle"])
def test_A11_a_slip_is_no_newcomer_in_a_script(scribe: Scribe, typed: str) -> None:
    with pytest.raises(Mistyped, match=r"Did you mean (Xena|Yul|Zel)\?"):
        scribe.say(f'conflict "t" bruise Ana vs {typed}')


@pytest.mark.parametrize("line", ["cast Xean", "cast Bo by=Jno", "cast Bo by=Mray"])
def test_A11_nor_in_the_cast_and_for_a_player(scribe: Scribe, line: str) -> None:
    scribe.say("cast Ada by=Mary")
    with pytest.raises(Mistyped):
        scribe.say(line)


@pytest.mark.parametrize("typed", ["Guard-2", '"Xean"', "Zed", "Gul", "Bo"])
def test_A11_numbers_quotes_and_other_short_names_are_new(scribe: Scribe, typed: str) -> None:
    scribe.say(f'conflict "t" bruise Ana vs {typed}')

    assert scribe.table.called(typed.strip('"')) is not None


@pytest.mark.parametrize(("answer", "people"), [("y", 0), ("n", 1)])
def test_A11_a_user_at_the_prompt_is_asked_about_a_typo(scribe: Scribe, answer: str, people: int) -> None:
    asked: list[str] = []

    def consult(question: str) -> str:
        asked.append(question)
        return answer

    scribe.consult = consult
    before = len(scribe.table.people)
    scribe.say('conflict "t" bruise Zel+Xean vs Guards')

    assert asked == ["Did you mean Xena? y is Xena; n: “Xean” is a new name. [y/n]"]
    assert len(scribe.table.people) == before + people


def test_A11_no_answer_changes_nothing(scribe: Scribe) -> None:
    scribe.consult = lambda _question: ""
    with pytest.raises(Refused, match="Did you mean Xena"):
        scribe.say('conflict "t" bruise Zel vs Xean')


def test_A11_what_is_dumped_plays_again(scribe: Scribe) -> None:
    scribe.say('conflict "t" bruise Zel vs "Xean"')

    assert list(script_of(scribe.campaign, scribe.line))[-1] == 'conflict "t" bruise Zel vs "Xean"'


def test_A11_a_correction_replaces_unquoted_names_only() -> None:
    lexed = lex('cast Bo+Xean by=Xean "Xean": Xean').instead("Xean", "Captain Xena")

    assert [token.text for token in lexed.tokens] == ["Bo+Captain Xena", "by=Captain Xena", "Xean"]
    assert lexed.text == "Xean"


ASKED = (
    "conflict {game} Xean vs Yul",
    "conflict {game} Yul vs Zel+Xean",
    "cast Xean {game}",
    "cast Yul {game} by=Xean",
)


@pytest.mark.parametrize("line", ASKED)
@pytest.mark.parametrize("game", SYSTEMS)
def test_A11_a_slip_is_refused_in_every_game_and_taken_in_quotes(
    scribe: Scribe, game: str, line: str
) -> None:
    typed, before = line.format(game=game), len(scribe.table.people)
    with pytest.raises(Mistyped, match="Did you mean Xena"):
        scribe.say(typed)
    assert len(scribe.table.people) == before
    scribe.say(typed.replace("Xean", '"Xean"'))

    assert scribe.table.called("Xean") is not None


@pytest.mark.parametrize("game", SYSTEMS)
def test_A11_a_typo_in_join_is_refused(scribe: Scribe, game: str) -> None:
    scribe.say(f"conflict {game} Zel vs Yul")
    with pytest.raises(Mistyped, match="Did you mean Xena"):
        scribe.say("join Xean Zel")


@pytest.mark.parametrize("setup", ["spacetime Xean vs Yul obstacle=Xean", "guenask Zel vs Yul first=Xean"])
def test_A11_and_who_is_named_in_a_conflicts_data(scribe: Scribe, setup: str) -> None:
    with pytest.raises(Mistyped, match="Did you mean Xena"):
        scribe.say(f"conflict {setup}")


def test_D11_a_short_name_that_only_grew_by_a_letter_is_asked_about(scribe: Scribe) -> None:
    scribe.say("cast Ott")
    with pytest.raises(Mistyped, match="Did you mean Ott"):
        scribe.say('conflict "t" bruise Zel vs Otto')

    scribe.say('conflict "t" bruise Zel vs "Otto"')
    assert scribe.table.called("Otto") != scribe.table.called("Ott")


@pytest.mark.parametrize("line", ["cast Pa", 'conflict "t" bruise Zel vs Pa', "cast Zel by=Pa"])
def test_D9_an_ambiguous_beginning_says_how_to_name_a_newcomer(scribe: Scribe, line: str) -> None:
    scribe.say("cast Pan")
    scribe.say("cast Pam")
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    assert str(refused.value) == (
        'Pa may be Pan or Pam. Write one of those names whole, or quote it if it is a new name: "Pa".'
    )

    scribe.say(line.replace("Pa", '"Pa"'))
    assert scribe.table.called("Pa") is not None
