"""Hands are drawn, for traits or by number."""

from __future__ import annotations

from collections.abc import Sequence

from journal.names import fold
from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.dealing import deal
from journal.systems.bruise.commands.karma import karma_may_follow
from journal.systems.bruise.commands.showdown import show_all, without_hand
from journal.systems.bruise.commands.turns import Turn, contestant, declaration
from journal.systems.bruise.state import ATTRIBUTES, Hand, Play, Sheet, deck_of, new_pile, play, sheet_of
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def draw(situation: Situation, command: c.Draw) -> list[Event]:
    """A hand is drawn for traits or by number; with the last everybody shows, unless Karma may follow."""
    turn = Turn.of(situation)
    situation.nothing_pending(situation.here)
    who = contestant(situation, command.who, "draws")
    state = turn.state
    if who in state.hands or who in state.shown:
        raise Refused(f"{situation.name(who)} has drawn already this turn.")
    if situation.option("difficulty") == "static" and who not in situation.here.sides[0]:
        raise Refused(f"The difficulty is static here: say its rank, quality {situation.name(who)} 9.")
    assigned, cards = _assignment(situation, who, command, state)
    drawn = e.CardsDrawn(
        conflict=situation.here.id,
        who=who,
        deck=f"bruise:{deck_of(situation.table, who)}",
        cards=deal(situation, who, cards, fresh=bool(turn.before)),
        purpose="hand",
    )
    events: list[Event] = [*turn.before, *assigned, drawn]
    if command.text is not None:
        events.append(declaration(situation, who, command.text))
    hands = {**state.hands, who: Hand(list(drawn.cards), cards)}
    waiting = without_hand(situation.here, state, hands)
    if not waiting and not karma_may_follow(situation, state, hands):
        events += show_all(situation, state, hands, {})
    return events


def _assignment(situation: Situation, who: int, command: c.Draw, state: Play) -> tuple[list[Event], int]:
    """What the hand is drawn for, and its number of cards."""
    if command.traits:
        assigned = _traits(situation, who, command.traits)
        return [assigned], assigned.cards
    count = command.count if command.count is not None else state.due.get(who)
    if count is None:
        name = situation.name(who)
        raise Refused(f"Say what {name} draws for: draw {name} clubs+melee, or draw {name} 4.")
    most = len(new_pile(situation.table).cards)
    if not 0 <= count <= most:
        raise Refused(f"A deck has {most} cards, so a draw is 0 to {most} of them, not {count}.")
    return [], count


def _traits(situation: Situation, who: int, typed: Sequence[str]) -> b.TraitsAssigned:
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
            f"cast {situation.name(who)} meme.{others[1]}={sheet.traits[others[1]]}."
        )
    skills = [key for key in others if key not in memes]
    return b.TraitsAssigned(
        conflict=situation.here.id,
        who=who,
        attribute=attributes[0] if attributes else None,
        skill=skills[0] if skills else None,
        meme=memes[0] if memes else None,
        cards=rules.draw_size(
            sheet.traits[keys[0]], sheet.traits[keys[1]], deck_size=len(new_pile(situation.table).cards)
        ),
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
        raise Refused(f"{typed} may be {' or '.join(found)} of {name}'s.")
    known = ", ".join(sheet.traits) or "nothing yet"
    raise Refused(f"{name} has no {typed} (on the sheet: {known}). Add it: cast {name} bruise {typed}=2.")


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """Every turn shuffles by itself; asked for with cards on the table, it is refused."""
    state = play(situation.here)
    if state.hands and not state.over:
        raise Refused("Cards are on the table: the decks are shuffled when the turn is over.")
    if state.over:
        return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)]
    owner = GM if command.who is None else deck_of(situation.table, command.who)
    return [e.DeckShuffled(conflict=situation.here.id, deck=f"bruise:{owner}", why="asked")]
