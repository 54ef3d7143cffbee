"""Every phrase is said with all it may use; and what a phrase may be, it stays, whoever wrote it."""

from __future__ import annotations

import ast
import gc
import re
import weakref
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.store.events.kinds import EVENTS
from retold.projections.prose import VOICES, in_language
from retold.projections.prose.phrases import LONGEST_SAID, Phrases, new_sandbox, table, values
from retold.projections.prose.phrases.languages import language
from retold.projections.prose.phrases.sandbox import DEEPEST, LONGEST
from retold.projections.prose.phrases.unfit import Unfit
from retold.projections.reading import LineView
from retold.projections.story.transcript.build import of_line
from tests.projections.test_decided import night

ROOT = Path(__file__).resolve().parents[2]
KNOWN = frozenset({"who", "whom", "number", "nobody"})
GIVEN = {"who": "Zel", "whom": ["Ada", "Bo", "Cy"], "number": 3, "nobody": None}


def said(phrase: str) -> str:
    return new_sandbox("and").template(phrase, KNOWN).render(GIVEN)


# --- the tables -------------------------------------------------------------------------------------------


def modules_that_tell() -> list[Path]:
    """Modules of projections, and of each game those that tell it."""
    of_games = [
        ROOT.glob(f"retold/games/*/{room}.py") for room in ("notation", "voice", "statistics", "answer")
    ]
    return sorted(chain((ROOT / "projections").rglob("*.py"), *of_games))


@cache
def sources() -> tuple[ast.AST, ...]:
    """Every node of every module that tells."""
    return tuple(
        node for path in modules_that_tell() for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def words(path: Path) -> Iterator[str]:
    """Every string in a module, among them the words for what a game counts."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


SAID = re.compile(r"""say\("([a-z-]+\.[a-z-]+)"\)""")
SAID_WITH_VALUES = re.compile(r"""say\("([a-z-]+\.[a-z-]+)",""")


def templates() -> list[Path]:
    """The templates of pages, which say headings and labels without values."""
    return sorted((ROOT / "projections").rglob("*.j2"))


def test_what_a_template_says_has_no_values() -> None:
    said = [key for path in templates() for key in SAID.findall(path.read_text("utf-8"))]

    assert len(said) > 20
    assert [key for key in said if values(key)] == []


def test_every_phrase_is_said_somewhere_and_nothing_is_said_that_is_no_phrase() -> None:
    sections = tuple({key.partition(".")[0] + "." for key in table()})
    written = {
        node.value
        for node in sources()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(sections)
    }

    for said in (SAID, SAID_WITH_VALUES):
        written |= {key for path in templates() for key in said.findall(path.read_text("utf-8"))}

    played = {*(ROOT / "retold/games").rglob("*.py")}.difference(modules_that_tell())
    counted = {word for path in played for word in words(path)}
    written |= {f"named.{word.replace(' ', '-')}" for word in counted}.intersection(table())

    written |= {key for key in table() if key.startswith(("homebrew.named.", "skill."))}  # of games, by name

    assert set(table()) - written == set()
    others = {
        one
        for one in written - set(table()) - set(EVENTS)
        if not one.endswith(("-", ".", "*", ".j2", ".typ", ".css", ".toml"))
    }  # beginnings of kinds, templates, styles and settings
    assert others == set()


def test_every_phrase_is_given_the_values_it_uses() -> None:
    calls = [
        (node.args[0].value, frozenset(one.arg for one in node.keywords if one.arg))
        for node in sources()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("say", "ours")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]

    assert len(calls) > 50
    assert [(key, given) for key, given in calls if values(str(key)) != given - {"present"}] == []


@pytest.mark.parametrize("variant", ["script", "prose"])
def test_a_variant_of_the_table_has_phrases_of_the_table_fit_to_use(variant: str) -> None:
    for key, text in table(variant).items():
        assert text != table()[key]
        new_sandbox().template(text, values(key))


def test_only_what_a_voice_says_instead_is_different() -> None:
    mine = Phrases(lambda: {"bruise.hand-won": "{{ whom }} lost the hand to {{ who }}."})

    assert mine.say("bruise.hand-won", who="Zel", whom="Bo") == "Bo lost the hand to Zel."
    assert VOICES["report"].phrases.say("bruise.hand-won", who="Zel", whom="Bo") == (
        "Zel took the hand against Bo."
    )
    assert {key for key, text in mine.texts.items() if text != table()[key]} == {"bruise.hand-won"}


# --- what a phrase may be ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("Nothing changed.", "Nothing changed."),
        ("{{ who }} met {{ whom|listed }}.", "Zel met Ada, Bo and Cy."),
        ("{{ who|upper }}: {{ whom|join('; ') }}", "ZEL: Ada; Bo; Cy"),
        ("{{ whom }}{{ nobody }}", "Ada, Bo, Cy"),
        ("{{ who|listed }} {{ nobody|listed }}", "Zel "),
        ("{% if whom|count == 1 %}one{% else %}several{% endif %}", "several"),
        ("{% if nobody %}x{% elif number == 3 and not nobody %}three{% endif %}", "three"),
        ("{{ 'Zel' if who != nobody else 'x' }}{{ 'y' if nobody }}", "Zel"),
        ("{{ who ~ ' ' ~ number }}", "Zel 3"),
        ("{# a note #}{% raw %}{{ who }}{% endraw %}", "{{ who }}"),
        ("<b>{{ who }}</b> & 100 %", "<b>Zel</b> & 100 %"),
    ],
)
def test_a_phrase_is_text_values_and_if(phrase: str, expected: str) -> None:
    assert said(phrase) == expected


HOSTILE = [
    ("{% for i in range(10**9) %}x{% endfor %}", "a loop"),
    ("{% for one in whom %}{{ one }}{% endfor %}", "a loop"),
    ("{{ range(10**9) }}", "a call"),
    ("{{ lipsum() }}", "a call"),
    ("{{ who.__class__.__mro__ }}", "a dot after a value"),
    ("{{ who['__class__'] }}", "a part of a value"),
    ("{{ whom[0] }}", "a part of a value"),
    ("{{ whom[:10**9] }}", "a part of a value"),
    ("{{ who|attr('__class__') }}", r"there is no \|attr"),
    ("{{ who|center(10**9) }}", r"there is no \|center"),
    ("{{ who|listed(who) }}", r"\|listed is given too many values"),
    ("{{ whom|join(',', attribute='__class__') }}", r"\|join is given too many values"),
    ("{{ whom|join(*whom) }}", r"\|join is given too many values"),
    (
        "{{ whom|join(whom|join(whom|join)) }}",
        r"\|join takes only a text in quotation marks",
    ),
    ("{{ whom|join(who) }}", r"\|join takes only a text in quotation marks"),
    ("{{ 'x' * 10**9 }}", "a sum"),
    ("{{ 10**10**10 }}", "a sum"),
    ("{{ '%1000000000d' % 1 }}", "a sum"),
    ("{{ -number }}", "a sum"),
    ("{{ [who] }}", "something"),
    ("{{ {'a': who} }}", "something"),
    ("{{ who < number }}", "other than == and !="),
    ("{{ who in whom }}", "other than == and !="),
    ("{{ who is defined }}", "a test with is"),
    ("{% set who = 'x' %}{{ who }}", "a value of its own"),
    ("{% set x %}y{% endset %}", "a value of its own"),
    ("{% with x = who %}{{ x }}{% endwith %}", "a value of its own"),
    ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "a macro"),
    ("{% include '/etc/passwd' %}", "another file"),
    ("{% import 'os' as os %}", "another file"),
    ("{% from 'os' import path %}", "another file"),
    ("{% extends 'page.html.j2' %}", "another file"),
    ("{% block x %}{% endblock %}", "a block"),
    ("{% filter upper %}x{% endfilter %}", "something"),
    ("{% do who.append(1) %}", "cannot be read: encountered unknown tag 'do'"),
    ("{% autoescape true %}x{% endautoescape %}", "something"),
    ("{{ self }}", "no value self here"),
    ("{{ loop }}", "no value loop here"),
    ("{{ whomm }}", r"no value whomm here, did you mean whom\?"),
    ("{{ }}", "cannot be read: expected an expression"),
    ("{{ who", "cannot be read: unexpected end of template"),
    ("{% if who %}x", "cannot be read: unexpected end of template"),
    ("{{ " + "(" * 400 + "who" + ")" * 400 + " }}", "nested too deeply"),
    ("{{ " + "not " * 200 + "who }}", "nested too deeply"),
    ("{{ who" + "|upper" * 150 + " }}", "nested too deeply"),
    ("{% if who %}" * (DEEPEST + 1) + "x" + "{% endif %}" * (DEEPEST + 1), "nested too deeply"),
    ("{{ " + "9" * 990 + " }}" + "{{ who }}" * 100, "1,896 characters long, and 1,000 are the most"),
]


@pytest.mark.parametrize(("phrase", "why"), HOSTILE, ids=[phrase[:40] for phrase, _ in HOSTILE])
def test_anything_else_is_refused_before_it_runs(phrase: str, why: str) -> None:
    with pytest.raises(Unfit, match=why):
        said(phrase)


PARTS = st.sampled_from(
    [
        *("{{", "}}", "{%", "%}", "{#", "#}", " if ", "else", "endif", "for", "in", "set", "raw", "endraw"),
        *("who", "whom", "number", "nobody", "|listed", "|join('x')", "|upper", "|count", "==", "!=", "and"),
        *("(", ")", "[", "]", ".", "__class__", "*", "**", "~", "'x'", "9", "\n", " ", "not ", "or", "é"),
    ]
)


@given(st.lists(PARTS, max_size=30).map("".join) | st.text(max_size=60))
def test_whatever_is_written_is_unfit_or_short(phrase: str) -> None:
    try:
        told = said(phrase)
    except Unfit:
        return
    longest = max(len("Zel"), len("Ada, Bo and Cy"))
    assert len(told) <= (len(phrase) + 1) * (longest + 1)


def test_what_is_said_ends_whatever_a_name_is_like() -> None:
    wide = Phrases(lambda: {"guenask.died": "{{ who }}" * (LONGEST // 9)})

    assert len(wide.say("guenask.died", who="Z" * 100_000)) == LONGEST_SAID


def test_a_name_is_text_and_never_a_phrase() -> None:
    assert VOICES["report"].phrases.say("guenask.died", who="{{ 7*7 }}{% raw %}") == (
        "{{ 7*7 }}{% raw %} died."
    )


def test_phrases_are_not_kept_once_a_story_is_told() -> None:
    """Each page in another language has phrases of its own, with speech tags for its speakers."""
    voice = in_language(VOICES["prose"], language("de"))
    told = weakref.ref(voice.phrases)
    with night("cast Osk by=Ana\nsession One\nscene The inn: Smoke.\nsay Osk: Who is there?") as there:
        assert [*of_line(LineView(there.scribe.campaign, 1), voice=voice).paragraphs()]
    del voice
    gc.collect()

    assert told() is None
