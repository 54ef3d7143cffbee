"""The verbs of Counterpoint, and what each brings about."""

from collections.abc import Mapping
from typing import ClassVar

from journal.decks import dice
from journal.refused import Forgotten, Refused
from journal.system import Decision, Situation
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event, Person, Question
from journal.vocabulary.events import DiceRolled, RulingMade
from journal.vocabulary.sealing import DeclareSealed, Meant, unseal
from retold_counterpoint import events as e
from retold_counterpoint.events import play


class Declare(DeclareSealed):
    """Choose how to sing, and against whom; --sealed keeps it face down."""

    verb: ClassVar[str] = "declare"
    form: ClassVar[str] = "NAME:who (high|low):act [NAME:target] --sealed [: text]"
    example: ClassVar[str] = "declare Mara high Teo --sealed: The long note."


class Sing(Command):
    """Sing the verse: two dice, of which each 5 or 6 is a success."""

    verb: ClassVar[str] = "sing"
    form: ClassVar[str] = "NAME:who [= results] [: text]"
    example: ClassVar[str] = "sing Mara = 5 2: Once more."
    who: Person
    results: tuple[str, ...] | None = None
    text: c.Text = None


class Invoke(Command):
    """Call on what somebody knows."""

    verb: ClassVar[str] = "invoke"
    form: ClassVar[str] = "NAME:who"
    example: ClassVar[str] = "invoke Mara"
    who: Person


class Encore(Invoke):
    """Sing the verse again."""

    verb: ClassVar[str] = "encore"
    example: ClassVar[str] = "encore Mara"


def _missing(situation: Situation) -> list[int]:
    here = play(situation.here)
    return [one for one in here.people if one not in here.sealed and one not in here.chosen]


def declare(situation: Situation, command: Declare) -> list[Event]:
    """One choice for each singer and verse, sealed or open."""
    here, who = play(situation.here), command.who
    if who is None or who not in here.people or here.sung or who in here.chosen:
        raise Refused("Now nobody chooses.")
    if command.sealed is not None:
        meant = unseal(command.sealed)
        if meant is not None and meant.act not in {"high", "low"}:
            raise Refused(f"Say how {situation.name(who)} sings: declare NAME high, or low.")
        return [e.ChoiceSealed(conflict=situation.here.id, who=who, choice=command.sealed)]
    act, target, text = command.act or "", command.target, command.text
    return [e.Chosen(conflict=situation.here.id, who=who, act=act, target=target, text=text)]


def reveal(situation: Situation, _command: c.Reveal) -> list[Event]:
    """All choices are opened at once."""
    here = play(situation.here)
    if not here.sealed or _missing(situation):
        raise Refused("Not everybody has chosen yet.")
    opened: list[Event] = []
    for who, sealed in here.sealed.items():
        meant: Meant | None = unseal(sealed)
        if meant is None:
            raise Forgotten(f"What {situation.name(who)} sealed was redacted: say it again.")
        act, target, text = meant
        opened.append(e.Chosen(conflict=situation.here.id, who=who, act=act, target=target, text=text))
    return [e.ChoicesRevealed(conflict=situation.here.id, people=tuple(here.sealed)), *opened]


def sing(situation: Situation, command: Sing) -> list[Event]:
    """Everybody sings once in a verse; the last song decides it, unless it is a draw."""
    here, where = play(situation.here), situation.here.id
    if here.sealed or _missing(situation):
        raise Refused("First all choose, and the choices are revealed.")
    if command.who in here.sung:
        raise Refused(f"{situation.name(command.who)} has sung in this verse.")
    situation.nothing_pending(situation.here)
    faces = situation.luck.faces(dice.parse_sizes("2d6"))
    successes = sum(face > 4 for face in faces)
    songs = {**here.sung, command.who: successes}
    leaders = [one for one, much in songs.items() if much == max(songs.values())]
    won = len(songs) == len(here.people) and len(leaders) == 1
    return [
        DiceRolled(conflict=where, who=command.who, dice="2d6", faces=faces),
        e.Sung(conflict=where, who=command.who, successes=successes, text=command.text),
        *([e.VerseWon(conflict=where, who=leaders[0], verse=here.verse)] if won else []),
    ]


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Who wins a verse that is a draw."""
    here = play(conflict)
    if len(here.sung) < len(here.people):
        return ()
    return (Question("winner", "The verse is a draw.", here.people, conflict.id),)


def answer(situation: Situation, ruling: RulingMade) -> list[Event]:
    """The table says who wins the verse."""
    assert isinstance(ruling.answer, int)
    return [e.VerseWon(conflict=situation.here.id, who=ruling.answer, verse=play(situation.here).verse)]


def seals(_table: Table) -> bool:
    """Nothing is sealed that does not say so."""
    return False


def _invoke(situation: Situation, command: Invoke) -> list[Event]:
    return [e.Invoked(conflict=situation.here.id, who=command.who)]


def _encore(situation: Situation, command: Encore) -> list[Event]:
    return [e.EncoreSung(conflict=situation.here.id, who=command.who)]


COMMANDS = (Declare, Sing, Invoke, Encore)
DECIDE: Mapping[type[Command], Decision] = {
    Declare: declare,
    c.Reveal: reveal,
    Sing: sing,
    Invoke: _invoke,
    Encore: _encore,
}
