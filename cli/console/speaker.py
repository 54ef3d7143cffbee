"""Whose a line is: `as Zel` for a run of them, a line in quotes that is told.

It is the console's own: what is recorded, and what a script says, is the whole line.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from journal.language.binding import bind
from journal.language.fields import bind_of_type
from journal.language.lexing import TEXT, Lexed, in_quotes, lex
from journal.language.naming import GM_WORDS, person
from journal.language.shorthand import spelled_out
from journal.language.tokens import Segment, Token
from journal.language.writing import quote_name, write_line
from journal.names import owning
from journal.refused import Refused
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Bind, Command, fields_of
from retold.scribe import Scribe

AS = "as"
"""The word that says whose the next lines are; no verb, so that no record holds it."""


class Speaker(Struct):
    """Whom the lines are for that do not say it; nobody until `as` names one."""

    name: str | None = None

    def turn_to(self, line: str, table: Table) -> str:
        """What is said of it; `as` alone and `as gm` end a run. Refused where nobody is called so."""
        words = lex(line)
        if words.text is not None or words.flags or words.results or words.tokens[1:]:
            raise Refused("Say whose the next lines are, and nothing more: as NAME. To end it: as")
        typed = words.tokens[0].text if words.tokens else GM_WORDS[0]
        who = person(table, typed)
        self.name = None if who == GM else table.name(who)
        if self.name is None:
            return "Each line says again whose it is."
        return f"The next lines are {owning(self.name)}, where they name nobody; as, alone, ends it."

    def follow(self, table: Table) -> None:
        """Keeps up with the cast: another name is taken over, and with whoever is gone the run ends."""
        if self.name is not None:
            known = table.called(self.name)
            who = table.once_called(self.name) if known is None else known
            self.name = None if who is None else table.name(who)

    def meant(self, line: str, scribe: Scribe) -> Lexed:
        """The line with whom it leaves out; as it is where it is whole, or nothing would make it so."""
        typed = line.strip()
        if (told := in_quotes(typed)) is not None:
            return lex(write_line(c.Narrate.verb, [quote_name(self.name or GM_WORDS[0])], text=told))
        if TEXT.match(typed):
            if self.name is None:
                raise Refused("Who says it? NAME: text, or first whose the next lines are: as NAME.")
            return lex(f"{c.Say.verb} {quote_name(self.name)}{typed}")
        lexed = lex(line)
        return lexed if self.name is None else self._with_name(lexed, scribe, self.name)

    def _with_name(self, lexed: Lexed, scribe: Scribe, name: str) -> Lexed:
        token = Token((Segment(name, True),), lexed.verb.column)
        named = replace(lexed, tokens=(token, *lexed.tokens))
        whole = said(lexed, scribe)
        subject = replace(lexed, verb=token, tokens=(lexed.verb, *lexed.tokens))
        if whole is None and spelled_out(subject, scribe.table) is not subject:
            return subject
        if whole is None:
            return named if _is_somebodys(said(named, scribe)) else lexed
        return named if _is_whoevers(whole) and said(named, scribe) is not None else lexed


def said(lexed: Lexed, scribe: Scribe) -> Command | None:
    """The command a line says here; None where it says nothing."""
    try:
        return bind(lexed, scribe.scope).command
    except Refused:
        return None


def _is_whoevers(command: Command) -> bool:
    """True for a line that is whole without a name and is the game master's so: what is told, said, rolled.

    Elsewhere nobody named is whoever is waited for, and that stays.
    """
    rolled = isinstance(command, c.Roll) and command.dice is not None
    told = isinstance(command, c.Narrate | c.Say | c.Declare)
    return (rolled or told) and _who(command) is None


def _is_somebodys(command: Command | None) -> bool:
    """True for what somebody of the cast does."""
    return command is not None and _who(command) is not None


def _who(command: Command) -> object:
    known = "who" in fields_of(type(command)) and bind_of_type(type(command), "who") is Bind.PERSON
    return getattr(command, "who", None) if known else None
