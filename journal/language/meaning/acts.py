"""An act of a conflict told in any order: the words of a line choose among the acts that the rules accept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.language.binding import Scope
from retold.journal.language.forms import Form
from retold.journal.language.habits.shapes import BLOWS
from retold.journal.language.lexing import Lexed
from retold.journal.language.meaning.lookup import Meant
from retold.journal.language.meaning.tidying import without_owner
from retold.journal.language.meaning.trying import is_accepted, lexed_or_none
from retold.journal.language.proposed import actions_at
from retold.journal.language.rendering import render
from retold.journal.language.slot_words import is_on_a_sheet, skill_for, verb_of_game
from retold.journal.language.suggestions import CAME_UP, name_token
from retold.journal.language.tokens import Segment, Token
from retold.journal.language.typed_names import without_comma
from retold.journal.language.verbs import form_of
from retold.journal.language.writing import bare_token
from retold.journal.names import EVERY_ARTICLE, normalise
from retold.journal.table import Table
from retold.journal.vocabulary.base import YET_TO_FIND

BEFORE_NAMES: Final = frozenset(
    ("+ against and at for in into on onto over to towards using vs with").split()
)
"""Words before a name, a thing or a skill of an act."""
BESIDE: Final = (
    EVERY_ARTICLE
    | BEFORE_NAMES
    | {
        *("advantage", "as", "aspect", "called", "is", "it", "new", "stress", "that", "zone"),
        *("back", "down", "out", "up", "her", "his", "its", "their"),
        *("herself", "himself", "itself", "themselves"),
    }
)
"""Words of a line that say nothing about which act it is."""
SAME_ACT: Final = {
    **dict.fromkeys(("tag", "tags", "taps"), "invoke"),
    **dict.fromkeys(("color", "colors", "colours"), "colour"),
}
"""Verbs of a conflict for words that rulebooks have for the same act."""
SAME_WORD: Final = {
    **dict.fromkeys(("talk", "talking", "words"), "neutral"),
    **dict.fromkeys(("blows", "fists", "force", "violence"), "physical"),
}
"""Words of an act for words of the story."""
CHOOSES: Final = frozenset(
    ("begins chooses choose color goes is named names picks starts takes take").split()
)
"""Words before what is chosen, whatever the act is."""
DEEDS: Final = {
    **dict.fromkeys(BLOWS, "attack"),
    **dict.fromkeys(("create", "creates", "make", "makes", "places", "puts"), "maneuver"),
    **dict.fromkeys(("climbs", "dashes", "go", "goes", "jumps", "run", "runs", "sneaks", "walks"), "move"),
    **dict.fromkeys(("clears", "recovers"), "recover"),
    **dict.fromkeys(("blocks", "defends", "dodges", "evades", "parries"), "resist"),
    **dict.fromkeys(("adds", "use", "uses"), "bring"),
    **dict.fromkeys(("covers", "guards", "protect", "protects", "shields"), "defend"),
}
"""Verbs of a conflict for words of the story."""
GIVEN: Final = "+2"
"""What an invoke always gives."""
MOST_SHOWN: Final = 3
WHICH: Final = "Which of these"


class _Act(NamedTuple):
    """An act that the rules accept: the line to type, its form, and its words as they are compared."""

    line: Lexed
    form: Form
    words: frozenset[str]


class _Typed(NamedTuple):
    """What is typed behind who acts, sorted by what it says about the act."""

    deed: str
    """The first word."""
    verb: str | None
    """Verb of the conflict that the deed means; None if other words name the act."""
    named: frozenset[str]
    skill: str | None
    came_up: tuple[str, ...]
    left: tuple[str, ...]
    """Words that are of no act: those of an aspect that is made, or of the story."""
    has_quotes: bool
    """True if one of them is quoted: it is then the whole aspect."""


def act_meant(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns the acts of a conflict that have every name and thing on the line; None for other lines.

    A skill of the person who acts is the one that they use. What is left of the words is the aspect that the
    act makes, or its text. A single act is taken if no word is left over, and shown otherwise. Who
    acts comes before the deed, or behind it. Without a deed the act is the one that has the words before what
    came up, `Zel breaks the line, clubs+melee = …`, or all words of the line: two if it has dice or cards.
    """
    table = scope.table
    first, *words = map(without_comma, (without_owner(lexed.verb, table), *lexed.tokens))
    if words and verb_of_game(table, first.text) is not None and table.called(first.text) is None:
        first, words[0] = words[0], first
    who = table.called(first.text)
    if who is None or not words or table.in_play() is None:
        return None
    verb = _verb(words, who, table)
    acts = [*_acts(verb, who, table)]
    known = frozenset().union(*(act.words for act in acts))
    has_words = verb is None or any(_is_open(act.line) for act in acts)
    typed = _sorted(words, verb, known, _skill(words, who, known, table), lexed, has_words=has_words)
    fitting = [act for act in acts if typed.named <= act.words]
    if not _may_be_meant(typed, fitting, lexed):
        return None
    lines = _lines(fitting, typed, lexed, scope)
    if not 0 < len(lines) <= MOST_SHOWN or (lines[1:] and not typed.named):
        return None
    return Meant("" if _is_certain(typed, lines, lexed, table) else WHICH, lines)


def _may_be_meant(typed: _Typed, fitting: Sequence[_Act], lexed: Lexed) -> bool:
    """False for words of the story, which name no act."""
    if typed.verb is not None:
        return bool(typed.named or typed.came_up or typed.skill) or not typed.left
    chosen = typed.named.difference(act.line.verb.text for act in fitting)
    is_thrown = any(act.form.takes_results for act in fitting)
    is_named = typed.deed in CHOOSES or bool(typed.named - {typed.deed})
    is_chosen = not typed.left and len(chosen) > is_thrown and is_named
    return bool(typed.named) and (is_chosen or (lexed.results is not None and typed.skill is None))


def _lines(fitting: Sequence[_Act], typed: _Typed, lexed: Lexed, scope: Scope) -> list[Lexed]:
    """Returns the lines of the acts with the fewest words, as the rules accept them."""
    fewest = min((len(act.line.tokens) for act in fitting), default=0)
    filled = (_filled(act, typed, lexed) for act in fitting if len(act.line.tokens) == fewest)
    lines = [line for line in filled if line is not None and is_accepted(line, scope, with_results=True)]
    if lines[1:] and all(line.flags == lines[0].flags for line in lines):
        short = _without_unsaid(lines)
        return [short] if is_accepted(short, scope, with_results=True) else lines
    return lines


def _is_certain(typed: _Typed, lines: Sequence[Lexed], lexed: Lexed, table: Table) -> bool:
    """True for a single act whose deed and names are typed, and of which nothing is open or left over."""
    is_of_game = typed.verb is None or typed.deed in SAME_ACT or verb_of_game(table, typed.deed) is not None
    is_said = is_of_game or (typed.deed in DEEDS and bool(typed.came_up or typed.skill))
    is_whole = typed.verb is None or not typed.left or lines[0].text in (None, lexed.text)
    return is_said and is_whole and bool(typed.named) and not lines[1:] and not _is_open(lines[0])


def _verb(words: Sequence[Token], who: int, table: Table) -> str | None:
    """Returns the verb of the conflict for the word behind who acts: attack for `shoots`, `brawls`."""
    word = words[0].text.lower()
    is_at_another = any(table.called(other.text) not in (None, who) for other in words[1:])
    by_skill = "attack" if is_at_another and skill_for(table, word) is not None else ""
    meant = (word, SAME_ACT.get(word, ""), DEEDS.get(word, by_skill))
    return next((verb for verb in (verb_of_game(table, one) for one in meant) if verb is not None), None)


def _acts(verb: str | None, who: int, table: Table) -> Iterator[_Act]:
    """Yields the acts with this verb, or with any, that the rules accept of a person now."""
    for seen in actions_at(table):
        for choice in (*seen.choices, *seen.beside):
            if choice.who == who and verb in (choice.command.verb, None):
                line = lexed_or_none(render(choice.command, table))
                if line is not None and line.text in (None, YET_TO_FIND.text if verb is None else None):
                    words = {normalise(part) for word in line.tokens[1:] for part in _parts(word)}
                    words |= {line.verb.text} if verb is None else set()
                    words = {*words, *line.flags}.difference(BESIDE)
                    yield _Act(replace(line, text=None), form_of(type(choice.command)), frozenset(words))


def _parts(word: Token) -> Iterator[str]:
    """Yields the words that a word of an act is compared with: clubs, melee, and both joined."""
    yield from word.text.split()
    yield from word.text.split("+")


def _is_open(act: Lexed) -> bool:
    """True for an act whose aspect is yet to be named."""
    return any(word.text == YET_TO_FIND.text for word in act.tokens)


def _sorted(
    words: Sequence[Token],
    verb: str | None,
    known: Collection[str],
    armed: tuple[Token, str] | None,
    lexed: Lexed,
    *,
    has_words: bool,
) -> _Typed:
    """Sorts the words behind who acts: the deed, and what follows it; `known` are the words of the acts.

    With `has_words` there is an aspect that is made, or a sentence without a deed: a word such as `out` is of
    it if it is within it, as in `lights out on Dock`.
    """
    deed = words[0].text.lower()
    words = words[verb is not None or deed in CHOOSES :]
    skill_word, skill = armed or (None, None)
    named: set[str] = set()
    left: list[str] = []
    thrown: list[str] = []
    has_quotes = any(word.quoted and normalise(word.text) not in known for word in words)
    for word, after in zip_longest(words, words[1:]):
        spelled = normalise(word.text)
        same = (spelled, SAME_WORD.get(spelled, spelled), spelled.removesuffix("ly"))
        text = next((one for one in same if one in known), spelled)
        is_before_name = after is None or after is skill_word or normalise(after.text) in known
        if word is skill_word or word.text == GIVEN:
            continue
        if text in known:
            named.add(text)
        elif CAME_UP.fullmatch(word.text):
            thrown.append(word.text)
        elif text not in BESIDE or (has_words and left and not (is_before_name and text in BEFORE_NAMES)):
            left.append(word.text)
    came_up = lexed.results or tuple(thrown)
    return _Typed(deed, verb, frozenset(named), skill, came_up, tuple(left), has_quotes)


def _skill(
    words: Sequence[Token], who: int, known: Collection[str], table: Table
) -> tuple[Token, str] | None:
    """Returns the skill that is used, and its word: the one behind `with`, else another one of the person's.

    A deed means one by its ending: shooting for `shoots`. None without a skill.
    """
    behind = [after for word, after in pairwise(words) if word.text.lower() in ("with", "using")]
    for word in (*behind, *reversed(words)):
        text = normalise(word.text)
        skill = text if is_on_a_sheet(table, text) else skill_for(table, text)
        if skill and (word in behind or text not in known) and is_on_a_sheet(table, skill, [who]):
            return word, skill
    return None


def _filled(act: _Act, typed: _Typed, lexed: Lexed) -> Lexed | None:
    """Returns the line of an act with the skill, the results and the words typed with it.

    None if it takes no results. None also for an aspect that would have a number in it, or other words beside
    quoted ones.
    """
    line = act.line
    if typed.came_up and not act.form.takes_results:
        return None
    told = " ".join(typed.left)
    places = [place for place, word in enumerate(line.tokens) if word.text == YET_TO_FIND.text]
    tokens, text = [*line.tokens], lexed.text
    if places and told:
        if any(map(str.isdecimal, typed.left)) or (typed.left[1:] and typed.has_quotes):
            return None
        tokens[places[0]] = Token((Segment(told, True),), 1)
    elif places and text is not None:
        tokens[places[0]], text = Token((Segment(text, True),), 1), None
    else:
        text = ": ".join(filter(None, (told, text))) or None
    if typed.skill is not None and "with" in act.form.words and "free" not in line.flags:
        tokens += [bare_token("with"), name_token(typed.skill)]
    results = typed.came_up or None
    return replace(
        line, tokens=tuple(tokens), flags={**line.flags, **lexed.flags}, results=results, text=text
    )


def _without_unsaid(lines: Sequence[Lexed]) -> Lexed:
    """Returns the first of several acts without the words that are not in all of them: which track it is."""
    common = set.intersection(*({word.text for word in line.tokens} for line in lines))
    return replace(lines[0], tokens=tuple(word for word in lines[0].tokens if word.text in common))
