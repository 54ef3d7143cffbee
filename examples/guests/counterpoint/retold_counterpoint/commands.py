"""Verbs of Counterpoint, and the rules that decide them."""

from collections.abc import Mapping
from typing import ClassVar

from retold.game import (
    Command,
    Decision,
    DeclareSealed,
    Event,
    Meant,
    Offer,
    OpenConflict,
    Outlook,
    Person,
    Question,
    Refused,
    SealedChoices,
    Situation,
    Table,
    Text,
    commands,
    events,
    roll_dice,
)
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
    text: Text = None


class Invoke(Command):
    """Call on what a singer knows."""

    verb: ClassVar[str] = "invoke"
    form: ClassVar[str] = "NAME:who"
    example: ClassVar[str] = "invoke Mara"
    who: Person


class Encore(Invoke):
    """Ask a singer for the verse again."""

    verb: ClassVar[str] = "encore"
    example: ClassVar[str] = "encore Mara"


# --- choosing ---------------------------------------------------------------------------------------------


def waits_for(_table: Table, conflict: OpenConflict) -> list[int]:
    """Singers who have yet to choose in this verse."""
    here = play(conflict)
    return [one for one in here.people if one not in here.sealed and one not in here.chosen]


def choose(situation: Situation, who: int, meant: Meant) -> Event:
    """One choice for each singer and verse: `rules.md`, Choosing."""
    here = play(situation.here)
    if who not in here.people or here.sung or who in here.chosen:
        raise Refused("Now nobody chooses.")
    if meant.act not in {"high", "low"}:
        raise Refused(f"Say how {situation.name(who)} sings: declare NAME high, or low.")
    return opened(situation, who, meant)


def opened(situation: Situation, who: int, meant: Meant) -> Event:
    """The open choice, as it was sealed."""
    where = situation.here.id
    return e.Chosen(conflict=where, who=who, act=meant.act, target=meant.target, text=meant.text)


CHOICES = SealedChoices(
    sealed=e.ChoiceSealed,
    revealed=e.SongsRevealed,
    held=lambda conflict: play(conflict).sealed,
    waits_for=waits_for,
    choose=choose,
    opened=opened,
    form="high NAME, or low",
    round="verse",
)
EVOLVE_CHOICES = CHOICES.evolve


# --- singing ----------------------------------------------------------------------------------------------


def sing(situation: Situation, command: Sing) -> list[Event]:
    """Everybody sings once in a verse; the last song decides it, unless it is a draw."""
    here, where = play(situation.here), situation.here.id
    if here.sealed or waits_for(situation.table, situation.here):
        raise Refused("First all choose, and the choices are revealed.")
    if command.who in here.sung:
        raise Refused(f"{situation.name(command.who)} has sung in this verse.")
    situation.nothing_pending(situation.here)
    rolled = roll_dice(situation, command.who, "2d6")
    successes = sum(face > 4 for face in rolled.faces)
    songs = {**here.sung, command.who: successes}
    leaders = [one for one, much in songs.items() if much == max(songs.values())]
    won = len(songs) == len(here.people) and len(leaders) == 1
    return [
        rolled,
        e.Sung(conflict=where, who=command.who, successes=successes, text=command.text),
        *([e.VerseWon(conflict=where, who=leaders[0], verse=here.verse)] if won else []),
    ]


def pending(_table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Who wins a verse that is a draw."""
    here = play(conflict)
    if len(here.sung) < len(here.people):
        return ()
    return (Question("winner", "The verse is a draw.", here.people, conflict.id),)


def answer(situation: Situation, ruling: events.RulingMade) -> list[Event]:
    """The table says who wins the verse."""
    assert isinstance(ruling.answer, int)
    return [e.VerseWon(conflict=situation.here.id, who=ruling.answer, verse=play(situation.here).verse)]


def outlook(situation: Situation) -> Outlook | None:
    """What `can` shows: who has yet to choose, then the reveal, then who has yet to sing."""
    if situation.conflict is None:
        return None
    here, conflict = play(situation.here), situation.here
    if missing := waits_for(situation.table, conflict):
        acts = [Declare(who=who, act=act) for who in missing for act in ("high", "low")]
        offers = tuple(Offer(one.who or 0, one, "an open choice") for one in acts)
        return Outlook(conflict.id, (f"To choose: {situation.names(missing)}.",), offers)
    if here.sealed:
        reveal = Offer(0, commands.Reveal(), "all choices are opened")
        return Outlook(conflict.id, ("All have chosen.",), (reveal,))
    left = [who for who in here.people if who not in here.sung]
    offers = tuple(Offer(who, Sing(who=who), "2d6, each 5 or 6 a success") for who in left)
    return Outlook(conflict.id, (f"To sing: {situation.names(left)}.",), offers) if left else None


def _invoke(situation: Situation, command: Invoke) -> list[Event]:
    return [e.Invoked(conflict=situation.here.id, who=command.who)]


def _encore(situation: Situation, command: Encore) -> list[Event]:
    return [e.EncoreSung(conflict=situation.here.id, who=command.who)]


COMMANDS = (Declare, Sing, Invoke, Encore)
DECIDE: Mapping[type[Command], Decision] = {
    Declare: CHOICES.declare,
    commands.Reveal: CHOICES.reveal,
    Sing: sing,
    Invoke: _invoke,
    Encore: _encore,
}
