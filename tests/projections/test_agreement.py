"""Phrases that agree with a person: gender from the pronouns, and names in other cases, by a made-up file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.journal.grammar import PersonName
from retold.projections.exports import export
from retold.projections.prose import VOICES
from retold.projections.prose.phrases import Phrases, new_sandbox
from retold.projections.prose.phrases.unfit import Unfit
from retold.projections.reading import LineView
from retold.projections.story import transcript
from tests.projections.played import played

TEXTS = {
    "bruise.hand-won": (
        "{{ who }} {{ who|gender(f='pokonała', m='pokonał', other='pokonuje') }} {{ whom|form('acc') }}."
    ),
    "table.won": "{{ who }} {{ who|gender(f='wygrała', m='wygrał', other='wygrywa') }}.",
}
POLISH = replace(VOICES["report"], phrases=Phrases(lambda: TEXTS))
"""A voice with two phrases of a language with cases."""

ZEL = PersonName("Zel", "f", {"acc": "Zelę"})
RUSK = PersonName("Rusk", "m")


def said(phrase: str, **values: object) -> str:
    known = frozenset({"who", "whom"})
    return new_sandbox("i").template(phrase, known).render(values)


@pytest.mark.parametrize(
    ("phrase", "who", "told"),
    [
        ("{{ who|form('acc') }}", ZEL, "Zelę"),
        ("{{ who|form('dat') }}", ZEL, "Zel"),
        ("{{ who|form('acc') }}", "Zel", "Zel"),
        ("{{ who|form('acc')|listed }}", [ZEL, RUSK, "Odo"], "Zelę, Rusk i Odo"),
        ("{{ who|form('acc')|upper }}", ZEL, "ZELĘ"),
        ("{{ who|form('acc') }}", None, ""),
        ("{{ who|gender }}", ZEL, "f"),
        ("{{ who|gender }}", "Zel", ""),
        ("{{ who|gender }}", [], ""),
        ("{{ who|gender }}", [ZEL, ZEL], "f"),
        ("{{ who|gender }}", [ZEL, RUSK], "mixed"),
        ("{{ who|gender }}", [ZEL, "Odo"], ""),
        ("{{ who|gender(f='ona', other='—') }}", ZEL, "ona"),
        ("{{ who|gender(f='ona', other='—') }}", RUSK, "—"),
        ("{{ who|gender(f='ona', other='—') }}", "Odo", "—"),
        ("{% if who|gender == 'f' %}ona{% endif %}", ZEL, "ona"),
    ],
)
def test_a_phrase_asks_for_gender_and_case(phrase: str, who: object, told: str) -> None:
    assert said(phrase, who=who) == told


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("{{ who|form }}", r"\|form takes a case, as in \|form\('acc'\)"),
        ("{{ who|form('accusative') }}", "there is no case of that name: there are abl, acc"),
        ("{{ who|form(whom) }}", r"\|form takes only a text in quotation marks"),
        ("{{ who|form('acc', 'dat') }}", r"\|form takes a case"),
        ("{{ who|form(case='acc') }}", r"\|form takes a case"),
        ("{{ who|gender(f='a') }}", r"\|gender takes f, m, mixed, n, other, and always other"),
        ("{{ who|gender(x='a', other='b') }}", r"\|gender takes f, m, mixed, n, other"),
        ("{{ who|gender('a') }}", r"\|gender is given too many values"),
        ("{{ who|plural }}", r"\|plural takes"),
    ],
)
def test_a_phrase_that_asks_wrongly_is_unfit(phrase: str, why: str) -> None:
    with pytest.raises(Unfit, match=why):
        said(phrase, who=ZEL, whom=ZEL)


def test_a_phrase_said_again_of_the_same_name_agrees_anew() -> None:
    phrases = Phrases(lambda: TEXTS)
    told = [
        phrases.say("bruise.hand-won", who=who, whom=[whom], quantity="", much="")
        for who, whom in ((ZEL, "Rusk"), ("Zel", "Rusk"), (PersonName("Zel", "m"), ZEL))
    ]
    assert told == ["Zel pokonała Rusk.", "Zel pokonuje Rusk.", "Zel pokonał Zelę."]


EVENING = """\
cast Jon: Nobody's player
cast Zel bruise by=Jon clubs=4 melee=2 pronouns=she/her forms.acc=Zelę
cast Rusk bruise by=Kit clubs=3 melee=2
cast Rusk {facts}
session One
conflict "Out" bruise Zel vs Rusk: freedom
declare Zel: I run.
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
draw Rusk clubs+melee = 9D 8S 7C 5H 2H
end conflict victory {winner}
"""


def told(folder: Path, facts: str, viewers: Iterable[str], winner: str = "Zel") -> list[str]:
    """The evening as each viewer reads it; Rusk has these facts."""
    folder.mkdir()
    (folder / "evening.session").write_text(EVENING.format(facts=facts, winner=winner), "utf-8")
    with played(folder / "evening.session", folder) as campaign:
        stories = (
            transcript.of_session(LineView(campaign, 1).called(viewer), 1, voice=POLISH) for viewer in viewers
        )
        return [export(how, story, "none").decode() for story in stories for how in ("markdown", "fountain")]


def test_an_evening_is_told_with_forms_and_gender(tmp_path: Path) -> None:
    page, _ = told(tmp_path / "open", "pronouns=he forms.acc=Ruska", ["table"], "Rusk")
    assert "Zel pokonała Ruska." in page
    assert "Rusk wygrał." in page


def test_facts_told_only_to_some_change_no_byte_for_others(tmp_path: Path) -> None:
    for_kit, _ = told(tmp_path / "kit", "pronouns=he forms.acc=Ruska --to Kit", ["Kit"])
    assert "Zel pokonała Ruska." in for_kit

    one = told(tmp_path / "one", "pronouns=he forms.acc=Ruska --to Kit", ["Jon", "table"], "Rusk")
    other = told(tmp_path / "other", "pronouns=it forms.acc=Nikogo --to Kit", ["Jon", "table"], "Rusk")
    assert one == other
    assert "Zel pokonała Rusk." in one[0]
    assert "Rusk wygrywa." in one[0]
