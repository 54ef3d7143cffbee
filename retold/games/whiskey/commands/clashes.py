"""Commands `declare`, `reveal` and `clash` of Whiskey: intents of fighters, and pairs that clash.

An intent is an act declared for this phase; two people clash if an intent to engage succeeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from retold.game import (
    Event,
    Meant,
    OpenConflict,
    Refused,
    SealedChoices,
    Situation,
    Table,
    dice,
    notes_and_speech,
    seal,
    unseal,
)
from retold.game import events as e
from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.commands.fighters import (
    check_numbers,
    fighter,
    pairs_named,
)
from retold.games.whiskey.commands.verbs import Clash, Declare
from retold.games.whiskey.options import chosen
from retold.games.whiskey.rules import Act, Aims, Fate, Intents, Ring
from retold.games.whiskey.state import SEALED, able_fighters, conflict_state, intents_of_able, is_pc


def pair_by_hand(situation: Situation, one: int, other: int) -> list[Event]:
    """Returns the clash of two people paired by the game master; Refused if it makes a chain of four.

    If both clash with the same third person, returns a question to the table instead.
    """
    phase = conflict_state(situation.here).phase
    one, other = fighter(situation, one, "clashes"), fighter(situation, other, "clashes")
    names = f"{situation.name(one)} and {situation.name(other)}"
    if one == other:
        raise Refused(f"Name two who clash: {situation.name(one)} is one and the same.")
    if phase.triangle is not None:
        situation.nothing_pending(situation.here)
    if phase.between(one, other) is not None:
        raise Refused(f"{names} clash already.")
    if len(phase.open) < len(phase.clashes):
        raise Refused(
            f"All pairs are made before the first check, and one is made: {names} can clash next phase. "
            f"Now come: {pairs_named(situation, phase.open)} (check)."
        )
    check_numbers(situation, (one, other))
    pairs = [clash.pair for clash in phase.clashes]
    _check_no_chain_of_four(situation, [*pairs, (one, other)])
    third = rules.triangle(pairs, one, other)
    if third is not None:
        return [w.TriangleProposed(conflict=situation.here.id, one=one, other=other, third=third)]
    return [form_clash(situation, one, other, (one,), paired=True)]


def _check_no_chain_of_four(situation: Situation, pairs: rules.Pairs) -> None:
    chain = rules.chain_of_four(pairs)
    if chain is not None:
        a, b, c, d = map(situation.name, chain)
        raise Refused(
            f"No four may clash in a row ({a}, {b}, {c}, {d}): {a} and {d} keep {b} and {c} from each other."
        )


def form_clash(
    situation: Situation, one: int, other: int, attackers: Sequence[int], *, paired: bool = False
) -> w.ClashFormed:
    """Returns the event that makes `one` and `other` clash, with the person who is to check."""
    return w.ClashFormed(
        conflict=situation.here.id,
        one=one,
        other=other,
        checker=_checker(situation, (one, other), attackers),
        paired=paired,
    )


def _checker(situation: Situation, pair: tuple[int, int], attackers: Sequence[int]) -> int | None:
    """Returns the person who is to check a clash, by option `checker`: `docs/rules/whiskey.md` §5.

    None if the command `check` must name the person.
    """
    players = [who for who in pair if is_pc(situation.table, who)]
    match chosen(situation.table, "checker"):
        case "choose":
            return None
        case "player" if len(players) == 1:
            return players[0]
        case _:
            theirs = [who for who in attackers if who in players]
            return (theirs if len(theirs) == 1 else attackers)[0]


def clash(situation: Situation, command: Clash) -> list[Event]:
    """Returns the events of `clash`: declared intents become clashes, or two named people are paired.

    A text on the line becomes a narration.
    """
    called = situation.luck.results_left
    if not all(map(str.isdecimal, called)):
        raise Refused(f"The card and the d6 come with the check: clash, then check = {' '.join(called)}.")
    sealed = conflict_state(situation.here).phase.sealed
    if sealed:
        raise Refused(f"These have sealed what they will try: {situation.names(sealed)}. First: reveal.")
    if command.one is not None and command.other is not None:
        events = pair_by_hand(situation, command.one, command.other)
    else:
        events = _resolve(situation)
    return [*events, *notes_and_speech.gm_narration(situation, command.text)]


def _resolve(situation: Situation) -> list[Event]:
    here, phase = situation.here, conflict_state(situation.here).phase
    if phase.open:
        raise Refused(f"The clashes are known already: {pairs_named(situation, phase.open)} (check).")
    missing = undeclared(situation.table, here)
    if missing:
        raise Refused(f"These have not declared yet this phase: {situation.names(missing)}.")
    situation.nothing_pending(here)
    meant = intents_of_able(situation.table, here)
    aimed = aims(situation.table, here)
    broken, fates = _resolve_intents(situation, meant, aimed)
    met = rules.clashes(aimed, fates)
    check_numbers(situation, (who for pair in met for who in (pair.one, pair.other)))
    events: list[Event] = [*broken, *_outcome_events(here.id, meant, fates)]
    events += [form_clash(situation, pair.one, pair.other, pair.attackers) for pair in met]
    return events if met else [*events, w.PhaseEnded(conflict=here.id, phase=phase.number)]


def undeclared(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the able fighters who have not declared for this phase, openly or sealed.

    Secret people are left out, since they do nothing until they declare; so are people who joined too late.
    """
    phase = conflict_state(conflict).phase
    declared = {*phase.intents, *phase.sealed, *phase.late}
    return tuple(
        who for who in able_fighters(table, conflict) if who not in declared and table.secret(who) is None
    )


def aims(table: Table, conflict: OpenConflict) -> Aims:
    """Returns the person that each able fighter would engage by the current intents; None without one."""
    return rules.aims(
        intents_of_able(table, conflict), sides(conflict), conflict_state(conflict).phase.orders
    )


def sides(conflict: OpenConflict) -> rules.Sides:
    """Returns a mapping of each person to their side, known by the side's first person."""
    return {person: side[0] for side in conflict.sides for person in side}


def open_ring(table: Table, conflict: OpenConflict) -> Ring | None:
    """Returns the first circle of fighters, each engaging the next, that is not broken yet.

    None without one.
    """
    found = rules.resolve(aims(table, conflict), conflict_state(conflict).phase.broken)
    return found if isinstance(found, Ring) else None


def _resolve_intents(
    situation: Situation, meant: Intents, aimed: Aims
) -> tuple[list[Event], dict[int, Fate]]:
    """Returns the events that break rings (circles of engaging fighters), and each fighter's outcome."""
    events: list[Event] = []
    settled = dict(conflict_state(situation.here).phase.broken)
    standing = [who for who, intent in meant.items() if intent.act is Act.STAND]
    while isinstance(found := rules.resolve(aimed, settled, standing), Ring):
        rolled, broken = _break_ring(situation, meant, found.members)
        events += [*rolled, broken]
        settled[found] = broken.who
    return events, found


def _break_ring(
    situation: Situation, meant: Intents, ring: Sequence[int]
) -> tuple[list[Event], w.LoopBroken]:
    """Returns a roll, if there is one, and the event that lets one fighter of a ring through.

    That is the first player character to declare. Without one, or by option `loop_break`, a lot decides.
    """
    here = situation.here.id
    players = [who for who in meant if who in ring and is_pc(situation.table, who)]
    if players and chosen(situation.table, "loop_break") == "first_pc":
        return [], w.LoopBroken(conflict=here, who=players[0], loop=tuple(ring), how="first_pc")
    if situation.luck.called and not situation.luck.rest():
        named = situation.names(ring)
        raise Refused(f"The lot falls among {named}: give the face of a d{len(ring)}, counted in this order.")
    (face,) = situation.luck.faces((len(ring),))
    rolled = e.DiceRolled(conflict=here, dice=dice.dice_text((len(ring),)), faces=(face,))
    return [rolled], w.LoopBroken(conflict=here, who=ring[face - 1], loop=tuple(ring), how="random")


def _outcome_events(conflict: int, meant: Intents, fates: dict[int, Fate]) -> Iterator[Event]:
    """Yields an event per intent that says whether it succeeded, and which people this is due to."""
    for who, fate in fates.items():
        act, target = meant[who]
        if fate.succeeded:
            yield w.IntentSucceeded(
                conflict=conflict, who=who, act=act, target=target, why=fate.why, by=fate.by
            )
        else:
            yield w.IntentStopped(conflict=conflict, who=who, act=act, target=target, by=fate.by)


ACTS = "engage NAME, guard NAME, advance, stand, or other with a text"


def declare(situation: Situation, command: Declare) -> list[Event]:
    """Returns the event of `declare`: a fighter's intent for this phase, sealed or open; one per phase.

    Without an act, the text is recorded as a declaration in words, such as a spell.
    """
    if command.together:
        return _declare_together(situation, command)
    who = fighter(situation, command.who, "declares")
    name = situation.name(who)
    if command.setup:
        raise Refused(f"An intent takes no key=value: declare {situation.quoted(who)} {ACTS}.")
    if command.sealed is not None:
        return [_INTENTS.seal(situation, who, command.sealed)]
    if command.act is None:
        if notes_and_speech.spoken_text(command.text) is None:
            raise Refused(f"Say what {name} does: declare {situation.quoted(who)} {ACTS}.")
        return notes_and_speech.declare(situation, command)
    if seals_intents(situation.table):
        raise Refused(
            f"This table declares sealed: declare {situation.quoted(who)} {command.act} … --sealed."
        )
    return [_checked_intent(situation, who, Meant(command.act, command.target, command.text))]


def _declare_together(situation: Situation, command: Declare) -> list[Event]:
    """Returns the same intent declared for several people; Refused for all if one cannot declare it.

    Only the first event carries the text.
    """
    alone = command.but({"together": ()})
    first, *others = (
        event
        for who in dict.fromkeys(command.together)
        for event in declare(situation, alone.but({"who": who}))
    )
    return [first, *map(_without_words, others)]


def _without_words(event: Event) -> Event:
    """Returns the intent's event without its text, sealed or open; a redacted sealed intent is unchanged."""
    if not isinstance(event, w.IntentSealed):
        return event.but({"text": None})
    meant = unseal(event.intent)
    kept = event.intent if meant is None else seal(meant._replace(text=None))
    return event.but({"intent": kept})


def seals_intents(table: Table) -> bool:
    """True if option `declaration` makes fighters declare every intent face down."""
    return chosen(table, "declaration") == SEALED


def _checked_intent(situation: Situation, who: int, meant: Meant) -> w.IntentDeclared:
    """Returns the event of the intent `meant`; Refused if `who` cannot declare it now."""
    name = situation.name(who)
    if meant.act not in tuple(Act):
        raise Refused(f"Say what {name} does: declare {situation.quoted(who)} {ACTS}.")
    _check_in_time(situation, who)
    act = Act(meant.act)
    if act is Act.OTHER and notes_and_speech.spoken_text(meant.text) is None:
        raise Refused(f"Say what {name} does instead: declare {situation.quoted(who)} other: the spell.")
    target = None if meant.target is None else _checked_target(situation, who, act, meant.target)
    return _intent_declared(situation, who, Meant(act, target, meant.text))


def _intent_declared(situation: Situation, who: int, meant: Meant) -> w.IntentDeclared:
    return w.IntentDeclared(
        conflict=situation.here.id,
        who=who,
        act=Act(meant.act),
        target=meant.target,
        text=notes_and_speech.spoken_text(meant.text),
    )


def _check_in_time(situation: Situation, who: int) -> None:
    phase = conflict_state(situation.here).phase
    if phase.open:
        raise Refused(f"The clashes of this phase come first: {pairs_named(situation, phase.open)} (check).")
    if who in phase.late:
        raise Refused(f"{situation.name(who)} came after the reveal, and declares from the next phase on.")
    if who in phase.intents:
        name = situation.name(who)
        raise Refused(
            f"{name} has declared already this phase; undo takes it back until the clashes are known."
        )


def _checked_target(situation: Situation, who: int, act: Act, target: int) -> int:
    if target == who:
        raise Refused(
            f"{situation.name(who)} can {act} only another person: stand is the word for holding on."
        )
    if act is Act.ENGAGE:
        return fighter(situation, target, "is engaged")
    if target not in situation.here.people:
        raise Refused(f"{situation.name(target)} is on no side of this conflict.")
    return target


# --- face down --------------------------------------------------------------------------------------------


_INTENTS: Final = SealedChoices(
    sealed=w.IntentSealed,
    revealed=w.IntentsRevealed,
    held=lambda conflict: conflict_state(conflict).phase.sealed,
    waits_for=undeclared,
    choose=_checked_intent,
    opened=_intent_declared,
    form=ACTS,
    round="phase",
)

reveal = _INTENTS.reveal
