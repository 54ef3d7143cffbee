"""`table real`: at a table with its own cards and dice, a line asks what came up before anything is dealt."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from cli.settings import Settings
from journal import line as line_
from journal.decks.chance import FirstDealer, Luck, MoreWanted, TooFew
from journal.language.binding import Bound, bind
from journal.language.lexing import Lexed, lex
from journal.refused import Refused
from journal.vocabulary.base import fields_of
from retold.scribe import Scribe

TABLE = "table"
"""The word that says where cards and dice come from; no verb, so that no record holds it."""

REAL, DEALT = "real", "dealt"


@dataclass(slots=True)
class RealDecks:
    """Whether this campaign's table has cards and dice of its own, which its user's settings remember."""

    campaign: str
    real: bool = field(init=False)

    def __post_init__(self) -> None:
        self.real = Settings.of_user().has_real_decks(self.campaign)

    def choose(self, line: str) -> str:
        """What is said of it; Refused for a word that chooses neither."""
        match line.split()[1:]:
            case [word] if word in (REAL, DEALT):
                self.real = word == REAL
                Settings.of_user().keep_real_decks(self.campaign, real=self.real)
            case []:
                pass
            case _:
                raise Refused("Say where cards and dice come from: table real or table dealt.")
        if self.real:
            return (
                "The cards and dice are real: a line asks what came up; Enter alone deals. Else: table dealt"
            )
        return "Retold deals where a line does not say what came up. With real cards and dice: table real"

    def asked(self, lexed: Lexed, scribe: Scribe) -> Lexed:
        """The line with what came up, where it wants cards or dice and whoever sits there says.

        Refused where nobody can be asked, so that nothing is dealt that lies on the table.
        """
        bound = _drawing(lexed, scribe) if self.real else None
        wanted = 0 if bound is None else _wanted(bound, scribe)
        if bound is None or not wanted:
            return lexed
        many = "" if wanted == 1 else f" ({wanted})"
        if not scribe.attended:
            said = bound.command.example
            example = f", such as: {said}" if " = " in said else ""
            raise Refused(
                f"The cards and dice are real here (table real): say what came up{many} after ={example}."
                " To have it dealt, say --yes before the verb."
            )
        lexed, answer = _with_answer(lexed, scribe, f"What came up{many}? Enter deals it.")
        while answer and (question := _still_wanted(lexed, scribe)) is not None:
            lexed, answer = _with_answer(lexed, scribe, question)
        return lexed


def _with_answer(lexed: Lexed, scribe: Scribe, question: str) -> tuple[Lexed, str]:
    """The line with the answer added to its results, and the answer as typed."""
    answer = (scribe.consult(question) or "").strip().removeprefix("=").strip()
    if not answer:
        return lexed, answer
    further = lex(f"x = {answer}").results or ()
    return replace(lexed, results=(*(lexed.results or ()), *further)), answer


def _still_wanted(lexed: Lexed, scribe: Scribe) -> str | None:
    """The question about dice that a line's results call for and that are missing; None if none are."""
    try:
        bound = bind(lexed, scribe.scope)
        luck = Luck(FirstDealer(), getattr(bound.command, "results", None))
        line_.decide(scribe.table, bound.command, luck, visible_to=bound.manner.visible_to)
    except MoreWanted as wanted:
        return f"{wanted.why} What came up there?"
    except TooFew as few:
        return f"{few.sentence} What came up there?"
    except Refused:  # the line will say why
        pass
    return None


def _drawing(lexed: Lexed, scribe: Scribe) -> Bound | None:
    """What a line says that may want cards or dice and does not give them; None where it wants none."""
    if lexed.results is not None or {"check", "provenance"} & set(lexed.flags):
        return None
    try:
        bound = bind(lexed, scribe.scope)
    except Refused:  # the line will say why
        return None
    draws = not bound.command.manages and "results" in fields_of(type(bound.command))
    return bound if draws else None


def _wanted(bound: Bound, scribe: Scribe) -> int:
    """How many cards and dice would be dealt for it, at the least."""
    luck = Luck(FirstDealer())
    try:
        line_.decide(scribe.table, bound.command, luck, visible_to=bound.manner.visible_to)
    except Refused:  # the line will say why
        return 0
    return len(luck.taken)
