"""Lines that ask how much there is of something, such as `hp Warden`, and record nothing."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from retold.journal.language.binding import Scope, is_waited_for
from retold.journal.language.form_parts import slots_of
from retold.journal.language.lexing import Lexed
from retold.journal.language.meant import as_meant
from retold.journal.language.naming import EVERYBODY, words_for_everybody
from retold.journal.language.shorthand import PURSE, shorthands
from retold.journal.language.suggestions import MOST_WORDS_IN_NAME, name_token
from retold.journal.language.tokens import Segment, Token, split_names
from retold.journal.language.typed_names import with_whole_names
from retold.journal.language.verbs import EXPECT, UnknownVerb, commands_said, form_of
from retold.journal.names import normalise
from retold.journal.shared.people import purse_of
from retold.journal.table import Table

VALUES: Final = frozenset({"done", "gone", "no", "off", "on", "yes"})
"""Words that set a value, and so ask for none."""
ASKING: Final = frozenset({"what", "whats", "what's", "is", "are", "how", "much", "many"})
"""Words before a question."""
HAVING: Final = frozenset({"do", "does", "has", "have", "have?", "left", "left?"})
"""Words of a question after how many, beside whose and what."""
LONGEST: Final = 2
"""Words of a question: whose, and of what."""


def answered(lexed: Lexed, table: Table) -> tuple[str, ...] | None:
    """Returns sentences with the values that a line asks for; None for other lines.

    Raises Unknown for a question about an unknown person.
    """
    if len(lexed.tokens) > LONGEST + MOST_WORDS_IN_NAME:
        return None
    first, *others = with_whole_names(_without_mark((lexed.verb, *lexed.tokens)), table)  # `Oda's hp`
    words = _words_of_question(replace(lexed, verb=first, tokens=tuple(others)), table)
    if words is None:
        return None
    if lexed.verb.text.rstrip("?") == PURSE:
        purse = purse_of(table)
        if purse is None:
            return ("The party's purse is empty: purse gold +12 puts something into it.",)
        words = (name_token(table.name(purse)), *words)
    from retold.projections.views import amounts  # noqa: PLC0415 -- few lines are questions

    question = amounts.asked(table, words)
    if question is None:
        nobody = amounts.unknown_person(table, words)
        if nobody is not None and as_meant(lexed, Scope(table)) is lexed:
            raise nobody
        return None
    verb = lexed.verb.text
    is_name = (verb in words_for_everybody(table) or table.called(verb) is not None) and not is_waited_for(
        verb, table
    )
    if question.what is None and words == (lexed.verb,) and not is_name:
        return None
    return tuple(amounts.sentences(table, question))


def _without_mark(words: tuple[Token, ...]) -> tuple[Token, ...]:
    """Returns words without what only makes them a question: `hp Warden` for `what is hp Warden?`."""
    if words[0].text.lower() == "how":
        words = tuple(word for word in words if word.text.lower() not in HAVING)
    while words[1:] and words[0].text.lower() in ASKING:
        words = words[1:]
    *before, last = words
    if not last.bare or not last.text.rstrip("?"):
        return words
    return (*before, Token((Segment(last.text.rstrip("?"), False),), last.column))


def _words_of_question(lexed: Lexed, table: Table) -> tuple[Token, ...] | None:
    """Returns the words of a line that may ask how much there is of something; None for other lines.

    These are the words behind `track` or `clock` that no value follows, or a line that begins with no verb.
    """
    tokens = lexed.tokens
    if lexed.text is not None or lexed.results is not None or lexed.flags or len(tokens) > LONGEST:
        return None
    of_people = (split_names(token) or token.text in EVERYBODY for token in tokens)
    if not all(of_people) or any(token.text in VALUES for token in tokens):
        return None
    verb = lexed.verb.text
    here = table.in_play()
    begun = shorthands(table, here).get(normalise(verb))
    if begun is None and _is_verb(verb, table):
        meant = commands_said(verb, table, here)
        asks = all(command.asks and len(tokens) < len(slots_of(form_of(command).part)) for command in meant)
        return tokens if (tokens or verb == PURSE) and asks else None
    if len(tokens) == LONGEST or (begun is not None and not begun.asks):
        return None
    return (lexed.verb, *tokens)


def _is_verb(word: str, table: Table) -> bool:
    """True for a verb that may begin a line at this table, and for `expect`."""
    if word in EXPECT:
        return True
    try:
        return bool(commands_said(word, table, table.in_play()))
    except UnknownVerb:
        return False
