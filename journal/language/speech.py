"""A line that begins with a name and a colon: somebody speaks."""

from __future__ import annotations

from msgspec.structs import replace

from journal.language.classes import is_name
from journal.language.lexing import Lexed
from journal.language.naming import person
from journal.language.tokens import Segment, Token
from journal.language.verbs import EXPECT, VERBS, is_elsewhere
from journal.names import CLOSE, Unknown, nearest
from journal.refused import Refused
from journal.store.kinds import COMMANDS
from journal.table import Table
from journal.vocabulary.commands import Say


def spoken(lexed: Lexed, table: Table | None = None) -> Lexed:
    """`Bruno: Tea?` as `say Bruno: Tea?`: a name where the verb stands, and a text; else the line itself."""
    word = lexed.verb
    if not is_speech(lexed, table):
        return lexed
    return replace(lexed, verb=Token((Segment(Say.verb, False),), word.column), tokens=(word,))


def somebody_new(lexed: Lexed, table: Table) -> str | None:
    """The name of whoever speaks on a line, where nobody is called so, and nobody and no verb is like it.

    Nobody writes a verb with a capital: Warden is no slip for award.
    """
    if not is_speech(lexed, table) or "check" in lexed.flags:
        return None
    name = lexed.verb.text
    try:
        person(table, name)
    except Unknown:
        known = [one for names in table.names().values() for one in names]
        verbs = () if name[:1].isupper() else COMMANDS
        return None if nearest(name, [*verbs, *known], at_least=CLOSE) else name
    except Refused:
        return None
    return None


def is_speech(lexed: Lexed, table: Table | None = None) -> bool:
    """True for a line that has a name in the place of its verb, and nothing but a text after it.

    Whether the name is somebody's is asked only where a game that the `table` does not play has such a verb.
    """
    word = lexed.verb
    if lexed.text is None or lexed.tokens or lexed.results is not None or not is_name(word):
        return False
    return word.quoted or not _is_verb(word.text, table)


def _is_verb(word: str, table: Table | None) -> bool:
    if word in EXPECT or word not in VERBS:
        return word in EXPECT
    return table is None or table.called(word) is None or not is_elsewhere(word, table)
