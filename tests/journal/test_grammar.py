"""Pronouns and forms of a name: what may be typed, what is recorded, and what ends them."""

from __future__ import annotations

import pickle

import pytest

from retold.journal.grammar import PersonName, check_case, check_pronouns, first_pronoun, gender_of
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.scenario import cast, given


@pytest.mark.parametrize(
    ("typed", "first", "gender"),
    [
        ("she", "she", "f"),
        ("She/her", "she", "f"),
        ("  he /  him ", "he", "m"),
        ("it/its", "it", "n"),
        ("they/them", "they", ""),
        ("she/they", "she", "f"),
        ("ze, hir", "ze", ""),
        ("e\u0301l", "él", "m"),
        ("वो", "वो", ""),
        ("none", "", ""),
    ],
)
def test_pronouns_are_kept_as_people_write_them(typed: str, first: str, gender: str) -> None:
    kept = check_pronouns(typed)
    assert first_pronoun(kept) == first
    assert gender_of(kept) == gender


@pytest.mark.parametrize(
    "typed",
    ["", " ", "/", "4", "she=her", "she\u202eher", "she\nher!", "-", "'", "\u0301", "she " * 11, "x" * 10**6],
)
def test_other_signs_are_no_pronouns(typed: str) -> None:
    with pytest.raises(Refused, match="are no pronouns: write pronouns=she") as refused:
        check_pronouns(typed)
    assert len(str(refused.value)) < 200


def test_a_case_is_one_of_the_list() -> None:
    assert check_case("Acc") == "acc"
    for wrong in ("accusative", "", "x" * 10**6):
        with pytest.raises(Refused, match=r"is not a case: .* the cases are abl, acc"):
            check_case(wrong)


def test_nothing_is_known_of_a_person_without_pronouns() -> None:
    assert gender_of(None) == first_pronoun(None) == ""


def test_a_name_with_forms_is_its_text() -> None:
    name = PersonName("Zel", "f", {"acc": "Zelę"})
    assert (name, hash(name)) == ("Zel", hash("Zel"))
    assert (name.form("acc"), name.form("dat")) == ("Zelę", "Zel")
    there = pickle.loads(pickle.dumps(name))
    assert (there.gender, there.form("acc")) == ("f", "Zelę")


ZEL = 1
ZELE, SHE = Words("Zelę"), Words("she/her")


def test_pronouns_and_forms_are_facts_of_the_cast() -> None:
    story = given(*cast("Zel"))
    told = story.when(c.Cast(who=ZEL, pronouns=SHE, forms={"acc": ZELE})).then(
        e.Described(person=ZEL, pronouns=SHE), e.AliasGiven(person=ZEL, alias=ZELE, case="acc")
    )
    zel = told.table.people[ZEL]
    assert isinstance(zel.named, PersonName)
    assert (zel.named, zel.named.gender, zel.named.form("acc")) == ("Zel", "f", "Zelę")
    assert type(zel.called) is str
    assert zel.aliases == []
    assert told.table.called("Zelę") is None

    back = told.when(c.Cast(who=ZEL, pronouns=Words("None"), forms={"acc": Words("none")})).then(
        e.Described(person=ZEL, pronouns=Words("None")),
        e.AliasGiven(person=ZEL, alias=Words("none"), case="acc"),
    )
    assert type(back.table.people[ZEL].named) is str


def test_pronouns_leave_the_description_as_it_was() -> None:
    story = (
        given(*cast("Zel"))
        .when(c.Cast(who=ZEL, text=Words("A smuggler"), pronouns=SHE))
        .then(e.Described(person=ZEL, text=Words("A smuggler"), pronouns=SHE))
    )
    he = story.when(c.Cast(who=ZEL, pronouns=Words("he"))).then(e.Described(person=ZEL, pronouns=Words("he")))
    assert (he.table.people[ZEL].text, he.table.people[ZEL].pronouns) == (Words("A smuggler"), Words("he"))
    told = he.when(c.Cast(who=ZEL, text=Words("A spy"))).then(e.Described(person=ZEL, text=Words("A spy")))
    assert told.table.people[ZEL].pronouns == Words("he")


def test_a_newcomer_has_pronouns_at_once() -> None:
    given().when(c.Cast(who=Words("Zel"), pronouns=SHE, text=Words("A smuggler"))).then(
        e.CastIntroduced(person=1, name=Words("Zel"), text=Words("A smuggler")),
        e.Described(person=1, pronouns=SHE),
    )


def test_forms_belong_to_the_name_that_they_were_given_for() -> None:
    story = given(*cast("Zel"), e.AliasGiven(person=ZEL, alias=ZELE, case="acc"))
    story = story.when(c.Cast(who=ZEL, name=Words("Zelda"), forms={"gen": Words("Zeldy")})).then(
        e.Renamed(person=ZEL, name=Words("Zelda")), e.AliasGiven(person=ZEL, alias=Words("Zeldy"), case="gen")
    )
    assert story.table.people[ZEL].forms == {"gen": Words("Zeldy")}
    alias = story.when(c.Cast(who=ZEL, alias=Words("Zed"))).then(e.AliasGiven(person=ZEL, alias=Words("Zed")))
    assert alias.table.people[ZEL].forms == {"gen": Words("Zeldy")}


def test_a_merged_person_keeps_the_pronouns_of_either() -> None:
    she = e.Described(person=1, pronouns=SHE)
    story = given(*cast("Pim", "Pym"), she, e.AliasGiven(person=1, alias=Words("Pima"), case="gen"))
    told = story.when(c.Merge(person=1, into=2)).then(e.Merged(person=1, into=2))
    assert (told.table.people[2].pronouns, told.table.people[2].forms) == (SHE, {})


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        (
            c.Cast(who=ZEL, pronouns=Words("7!")),
            (
                "“7!” are no pronouns: write pronouns=she, or several as in pronouns=they/them;"
                " pronouns=none takes them back."
            ),
        ),
        (
            c.Cast(who=ZEL, forms={"foo": ZELE}),
            (
                "“foo” is not a case: a form of a name is given as in forms.acc=NAME; the cases are abl, acc,"
                " ade, all, dat, ela, erg, ess, gen, ill, ine, ins, loc, par, tra, voc."
            ),
        ),
    ],
)
def test_invalid_pronouns_and_cases_are_refused(wish: c.Cast, refusal: str) -> None:
    given(*cast("Zel")).when(wish).then_refused(refusal)
