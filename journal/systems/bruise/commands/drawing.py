"""Hands are drawn, for traits or by number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from journal.names import fold, owning, quoted
from journal.refused import Refused
from journal.shared.conflicts import contestant
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.dealing import deal, lying
from journal.systems.bruise.commands.karma import karma_may_follow
from journal.systems.bruise.commands.showdown import show_all, waiting
from journal.systems.bruise.commands.turns import Turn, declaration
from journal.systems.bruise.options import chosen
from journal.systems.bruise.state import (
    ATTRIBUTES,
    Hand,
    Play,
    Sheet,
    deck_name,
    deck_of,
    new_pile,
    play,
    sheet_of,
)
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def draw(situation: Situation, command: c.Draw) -> list[Event]:
    """A hand is drawn for traits or by number; with the last everybody shows, unless Karma may follow."""
    turn = Turn.of(situation)
    situation.nothing_pending(situation.here)
    who = contestant(situation, command.who, "draws")
    state = turn.state
    _check_draw(situation, who, state)
    owner = deck_of(situation.table, who)
    left = len(lying(situation, owner, fresh=bool(turn.before)).left())
    assigned, cards = _assignment(situation, who, command, state, left)
    drawn = e.CardsDrawn(
        conflict=situation.here.id,
        who=who,
        deck=deck_name(owner),
        cards=deal(situation, who, cards, owner=owner, fresh=bool(turn.before)),
        purpose="hand",
    )
    events: list[Event] = [*turn.before, *assigned, drawn]
    if command.text is not None:
        events.append(declaration(situation, who, command.text))
    hands = {**state.hands, who: Hand(list(drawn.cards), cards, owner)}
    if not waiting(situation.here, state, hands) and not karma_may_follow(situation, state, hands):
        events += show_all(situation, state, hands, {})
    return events


def _check_draw(situation: Situation, who: int, state: Play) -> None:
    """Refuses a second hand, one that comes too late for this turn, and one where a rank is said."""
    name = situation.name(who)
    if who in state.hands or who in state.shown:
        raise Refused(f"{name} has drawn already this turn.")
    if who in state.late:
        raise Refused(f"{name} came in after a Quality was shown, and draws from the next turn on.")
    if chosen(situation.table, "difficulty") == "static" and who not in situation.here.sides[0]:
        raise Refused(f"The difficulty is static here: say its rank, quality {situation.quoted(who)} 9.")


def _assignment(
    situation: Situation, who: int, command: c.Draw, state: Play, left: int
) -> tuple[list[Event], int]:
    """What the hand is drawn for, and its number of cards, of a deck that has `left`."""
    if command.traits:
        assigned = _traits(situation, who, command.traits, left)
        return [assigned], assigned.cards
    due = state.due.get(who)
    if command.count is None and due is not None:
        return [], min(due, left)
    if command.count is None:
        name, quoted = situation.name(who), situation.quoted(who)
        said = f", or its rank: quality {quoted} 9" if who in state.due else ""
        lines = [f"draw {quoted} {traits}" for traits in _drawn_for(situation, who)] + [f"draw {quoted} 4"]
        raise Refused(f"Say what {name} draws for: {', or '.join(lines)}{said}.")
    most = len(new_pile(situation.table).cards)
    if not 0 <= command.count <= most:
        raise Refused(f"A deck has {most} cards, so a draw is 0 to {most} of them, not {command.count}.")
    return [], command.count


def _drawn_for(situation: Situation, who: int) -> Iterator[str]:
    """An attribute and a skill of theirs, as they are typed, where the sheet has both."""
    traits = sheet_of(situation.table, who).traits
    attribute = next((one for one in traits if one in ATTRIBUTES), None)
    skill = next((one for one in traits if one not in ATTRIBUTES), None)
    if attribute is not None and skill is not None:
        yield f"{attribute}+{quoted(skill)}"


def _traits(situation: Situation, who: int, typed: Sequence[str], left: int) -> b.TraitsAssigned:
    """An attribute and a skill, or one meme in place of either: `docs/rules/bruise.md` §2."""
    sheet = sheet_of(situation.table, who)
    keys = [_trait(situation, who, sheet, one) for one in typed]
    attributes = [key for key in keys if key in ATTRIBUTES]
    others = [key for key in keys if key not in ATTRIBUTES]
    memes = [key for key in others if key in sheet.memes]
    if len(keys) != 2 or len(attributes) > 1:
        raise Refused("A hand is drawn for one attribute and one skill, or a meme in place of either.")
    if len(memes) > 1:
        raise Refused("Memes do not stack: choose one of the two.")
    if len(others) == 2 and not memes:
        raise Refused(
            f"Neither {others[0]} nor {others[1]} is an attribute; if one is a meme, say so once: "
            f"cast {situation.quoted(who)} meme.{others[1]}={sheet.traits[others[1]]}."
        )
    skills = [key for key in others if key not in memes]
    return b.TraitsAssigned(
        conflict=situation.here.id,
        who=who,
        attribute=attributes[0] if attributes else None,
        skill=skills[0] if skills else None,
        meme=memes[0] if memes else None,
        cards=rules.draw_size(sheet.traits[keys[0]], sheet.traits[keys[1]], deck_size=left),
    )


def _trait(situation: Situation, who: int, sheet: Sheet, typed: str) -> str:
    folded = fold(typed)
    begins = [key for key in sheet.traits if fold(key).startswith(folded)]
    exact = [key for key in begins if fold(key) == folded]
    found = exact or begins
    if len(found) == 1:
        return found[0]
    name = situation.name(who)
    if found:
        raise Refused(f"{typed} may be {' or '.join(found)} of {owning(name)}.")
    known = ", ".join(sheet.traits) or "nothing yet"
    raise Refused(
        f"{name} has no {typed} (on the sheet: {known}). Add it:"
        f" cast {situation.quoted(who)} bruise {typed}=2."
    )


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """Every turn shuffles by itself; asked for with cards on the table, it is refused."""
    state = play(situation.here)
    if (state.hands or state.due) and not state.over:
        raise Refused("Cards are on the table: the decks are shuffled when the turn is over.")
    if state.over:
        return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)]
    owner = GM if command.who is None else deck_of(situation.table, command.who)
    return [e.DeckShuffled(conflict=situation.here.id, deck=deck_name(owner), why="asked")]
