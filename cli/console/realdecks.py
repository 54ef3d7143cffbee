"""`table real`: at a table with its own cards and dice, a line asks what came up before anything is dealt."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from cli.console.speaker import said
from cli.settings import Settings
from journal import line as line_
from journal.decks.chance import FirstDealer, Luck, MoreWanted, TooFew
from journal.language.lexing import Lexed, lex
from journal.refused import Refused
from journal.vocabulary.base import Command, fields_of
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
        command = _drawing(lexed, scribe) if self.real else None
        wanted = 0 if command is None else _wanted(command, scribe)
        if command is None or not wanted:
            return lexed
        many = "" if wanted == 1 else f" ({wanted})"
        if not scribe.attended:
            example = f", such as: {command.example}" if " = " in command.example else ""
            raise Refused(
                f"The cards and dice are real here (table real): say what came up{many} after ={example}."
                " To have it dealt, say --yes before the verb."
            )
        answer = (scribe.consult(f"What came up{many}? Enter deals it.") or "").strip().removeprefix("=")
        if not answer.strip():
            return lexed
        while why := _missing(replace(lexed, results=lex(f"x = {answer}").results), scribe):
            more = (scribe.consult(f"{why} What came up there?") or "").strip().removeprefix("=")
            if not more.strip():
                break
            answer = f"{answer} {more}"
        return replace(lexed, results=lex(f"x = {answer}").results)


def _missing(lexed: Lexed, scribe: Scribe) -> str | None:
    """Which further dice the results of a line ask for; None where they are enough, or are none."""
    command = said(lexed, scribe)
    if command is None:
        return None
    try:
        line_.decide(scribe.table, command, Luck(FirstDealer(), getattr(command, "results", None)))
    except MoreWanted as wanted:
        return wanted.why
    except TooFew as few:
        return few.sentence
    except Refused:  # the line will say why
        return None
    return None


def _drawing(lexed: Lexed, scribe: Scribe) -> Command | None:
    """What a line says that may want cards or dice and does not give them; None where it wants none."""
    if lexed.results is not None or {"check", "provenance"} & set(lexed.flags):
        return None
    command = said(lexed, scribe)
    draws = command is not None and not command.manages and "results" in fields_of(type(command))
    return command if draws else None


def _wanted(command: Command, scribe: Scribe) -> int:
    """How many cards and dice would be dealt for it, at the least."""
    luck = Luck(FirstDealer())
    try:
        line_.decide(scribe.table, command, luck)
    except Refused:  # the line will say why
        return 0
    return len(luck.taken)
