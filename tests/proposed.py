"""The lines that a sentence tells somebody to type, and whether the table it is said at takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language import proposed
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.proposed import OPEN
from retold.journal.language.verbs import VERBS, UnknownVerb, form_of, games_with_verb
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary.base import Command

SUCH_AS = re.compile(r"(?:such as|like|as in|Say it as|for instance):? *$")
"""What comes before a line that is an example, with names of its own."""

PROSE = re.compile(
    r"^(?:"
    r"say (?:its|whom|where|which|for|it|who|why|so|what|how|mode|the|when|them|mild|another|in|against)\b"
    r"|leave (?:it|out)\b|move \S+ (?:there|before)\b|give (?:the|at|it|them|one)\b"
    r"|join (?:a|it|each|the|names)\b|draw (?:and|no|the)\b|(?:stop|mark|end|check) the\b"
    r"|(?:invoke|bring|accept|take|name|clear|see|end) (?:it|the|one|without|or)\b|no [a-z]+"
    r"|(?:undo|raise) takes\b|resist(?:: it| with)\b|approach: "
    r"|turn [0-9]+\b|clear [0-9]+ to\b|switch to\b|at \S+|as (?:it|all)\b"
    r"|[a-z]+ (?:wants|changes)\b|overrule whose\b|reformulate without\b|place who\b|option [a-z_]+$"
    r")"
)
"""Words of a sentence that begin like a verb of the language and are none."""

LATER = re.compile(r"(?:outside a conflict|and then|Rule on that first|comes? first|on a raise or see)")
"""What says that a line is for later; so it is put to the language, and not to the table as it stands."""

ACT = {"ACT": "stand"}
"""What stands for one of several words of the language."""


class Proposed(NamedTuple):
    """A line in a sentence, as far as it may reach, and whether it is an example of another table's."""

    text: str
    example: bool


def lines_in(sentence: str) -> Iterator[Proposed]:
    """Every line that a sentence proposes."""
    for one in proposed.lines_in(sentence):
        if not PROSE.match(one.line):
            example = SUCH_AS.search(sentence[: one.at]) or LATER.search(sentence)
            yield Proposed(one.line, example is not None)


def trouble(sentence: str, table: Table) -> Iterator[str]:
    """What is wrong with each line that a sentence proposes: the language, or the table, refuses it."""
    return _troubles(sentence, table, decided=True)


def unreadable(sentence: str, table: Table) -> Iterator[str]:
    """What is wrong with each line that a sentence proposes for the language and the names at this table.

    The rules may have more against it: of much that is wrong with a line, a sentence says one thing.
    """
    return _troubles(sentence, table, decided=False)


def holds(sentence: str, table: Table, *, decided: bool = True) -> str:
    """The sentence, once every line it proposes is seen to be taken at this table, or at least read."""
    wrong = "\n".join(_troubles(sentence, table, decided=decided))
    assert not wrong, f"{sentence}\nproposes what is not taken: {wrong}"
    return sentence


def _troubles(sentence: str, table: Table, *, decided: bool) -> Iterator[str]:
    for one in lines_in(sentence):
        why = _refused(one, table, decided=decided)
        if why is not None:
            yield f"{one.text}\n    {why}"


def _refused(one: Proposed, table: Table, *, decided: bool) -> str | None:
    """Why no reading of the line is taken, from the longest on; None where one is."""
    first: str | None = None
    for line in _shorter(one.text):
        try:
            _typed(line, table, example=one.example or bool(OPEN.search(line)), decided=decided)
        except Refused as refusal:
            first = first or str(refusal)
            continue
        return None
    return first


def _shorter(text: str) -> Iterator[str]:
    """The text, and what is left of it without the words of the sentence that go on after the line."""
    words = text.split(" ")
    for last in range(len(words), 0, -1):
        yield " ".join(words[:last]).rstrip(",")


def _typed(line: str, table: Table, *, example: bool, decided: bool) -> None:
    """Puts a line to the language and, where nothing is left open in it, to the rules."""
    lexed = lex(OPEN.sub(lambda found: ACT.get(found[0], "Somebody"), line.replace("+…", "+1")))
    verb = lexed.verb.text
    if example:
        _fits_any(
            lexed, [*(game.says[verb] for game in games_with_verb(verb)), *filter(None, [VERBS.get(verb)])]
        )
    else:
        bound = bind(lexed, Scope(table, lambda _moment: 1))
        if decided and not bound.command.manages:
            decide(table, bound.command, Luck(FirstDealer()))


def _fits_any(lexed: Lexed, commands: Sequence[type[Command]]) -> None:
    """Passes where the line fits what some game, or every table, says with its verb."""
    if not commands:
        raise UnknownVerb(lexed.verb.text)
    *others, last = commands
    for command in others:
        with suppress(Refused):
            form_of(command).match(lexed, {})
            return
    form_of(last).match(lexed, {})
