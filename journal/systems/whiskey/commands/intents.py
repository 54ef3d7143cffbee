"""Everybody says what they will try for the next moments: openly, or face down until all is revealed."""

from __future__ import annotations

from journal.refused import Forgotten, Refused
from journal.shared import speech
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey.commands.fighters import fighter, pairs_named
from journal.systems.whiskey.commands.resolving import undeclared
from journal.systems.whiskey.commands.spoken import said, told_by_gm
from journal.systems.whiskey.commands.verbs import Declare
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.rules import Act
from journal.systems.whiskey.state import SEALED, play
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event
from journal.vocabulary.sealing import Meant, seal, unseal
from journal.words import Words

ACTS = "engage NAME, guard NAME, advance, stand, or other with a text"


def declare(situation: Situation, command: Declare) -> list[Event]:
    """An intent, one for each phase; without an act it is words beside it, such as a spell."""
    if command.together:
        return _together(situation, command)
    who = fighter(situation, command.who, "declares")
    name = situation.name(who)
    if command.setup:
        raise Refused(f"An intent takes no key=value: declare {situation.quoted(who)} {ACTS}.")
    if command.sealed is not None:
        return [_sealed(situation, who, command.sealed)]
    if command.act is None:
        if said(command.text) is None:
            raise Refused(f"Say what {name} does: declare {situation.quoted(who)} {ACTS}.")
        return speech.declare(situation, command)
    if seals(situation.table):
        raise Refused(
            f"This table declares sealed: declare {situation.quoted(who)} {command.act} … --sealed."
        )
    return [_declared(situation, who, Meant(command.act, command.target, command.text))]


def _together(situation: Situation, command: Declare) -> list[Event]:
    """The same intent for each of several, all of them or none; whoever is named first says the words."""
    alone = command.but({"together": ()})
    first, *others = (
        event
        for who in dict.fromkeys(command.together)
        for event in declare(situation, alone.but({"who": who}))
    )
    return [first, *map(_wordless, others)]


def _wordless(event: Event) -> Event:
    """The intent without its words, which are recorded once; one that was redacted stays as it is."""
    if not isinstance(event, w.IntentSealed):
        return event.but({"text": None})
    meant = unseal(event.intent)
    kept = event.intent if meant is None else seal(meant._replace(text=None))
    return event.but({"intent": kept})


def seals(table: Table) -> bool:
    """True where every intent is declared face down, whether or not a line says so."""
    return chosen(table, "declaration") == SEALED


def _declared(situation: Situation, who: int, meant: Meant) -> w.IntentDeclared:
    """The intent, if it may be declared now."""
    name = situation.name(who)
    if meant.act not in tuple(Act):
        raise Refused(f"Say what {name} does: declare {situation.quoted(who)} {ACTS}.")
    _in_time(situation, who)
    act = Act(meant.act)
    if act is Act.OTHER and said(meant.text) is None:
        raise Refused(f"Say what {name} does instead: declare {situation.quoted(who)} other: the spell.")
    target = None if meant.target is None else _target(situation, who, act, meant.target)
    return _intent(situation, who, Meant(act, target, meant.text))


def _intent(situation: Situation, who: int, meant: Meant) -> w.IntentDeclared:
    return w.IntentDeclared(
        conflict=situation.here.id, who=who, act=Act(meant.act), target=meant.target, text=said(meant.text)
    )


def _in_time(situation: Situation, who: int) -> None:
    phase = play(situation.here).phase
    if phase.open:
        raise Refused(f"The clashes of this phase come first: {pairs_named(situation, phase.open)} (check).")
    if who in phase.late:
        raise Refused(f"{situation.name(who)} came after the reveal, and declares from the next phase on.")
    if who in phase.intents:
        name = situation.name(who)
        raise Refused(
            f"{name} has declared already this phase; undo takes it back until the clashes are known."
        )


def _target(situation: Situation, who: int, act: Act, target: int) -> int:
    if target == who:
        raise Refused(f"{situation.name(who)} can {act} somebody else: stand is the word for holding on.")
    if act is Act.ENGAGE:
        return fighter(situation, target, "is engaged")
    if target not in situation.here.people:
        raise Refused(f"{situation.name(target)} is on no side of this conflict.")
    return target


# --- face down --------------------------------------------------------------------------------------------


def _sealed(situation: Situation, who: int, intent: Words) -> w.IntentSealed:
    """The intent face down, checked as an open one is; one that was redacted since is taken as it was."""
    meant = unseal(intent)
    if meant is not None:
        _declared(situation, who, meant)
    elif intent.text is not None:
        name = situation.name(who)
        raise Refused(f"What {name} sealed cannot be read: declare {situation.quoted(who)} {ACTS}.")
    return w.IntentSealed(conflict=situation.here.id, who=who, intent=intent)


def reveal(situation: Situation, command: c.Reveal) -> list[Event]:
    """Everything sealed is opened at once, when all have declared; a text is the game master's."""
    here = situation.here
    sealed = play(here).phase.sealed
    if command.at is not None or not sealed:
        return speech.reveal(situation, command)
    missing = undeclared(situation.table, here)
    if missing:
        names = situation.names(missing)
        raise Refused(f"All is revealed at once, and these have not declared yet this phase: {names}.")
    opened = [_opened(situation, who, intent) for who, intent in sealed.items()]
    told = told_by_gm(situation, command.text)
    return [w.IntentsRevealed(conflict=here.id, people=tuple(sealed)), *opened, *told]


def _opened(situation: Situation, who: int, intent: Words) -> w.IntentDeclared:
    meant = unseal(intent)
    if meant is None:
        name = situation.name(who)
        raise Forgotten(
            f"What {name} sealed was redacted, so say it again: declare {situation.quoted(who)} {ACTS}."
        )
    return _intent(situation, who, meant)
