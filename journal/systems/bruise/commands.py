"""What a Bruise table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from journal.decks import french
from journal.names import fold
from journal.refused import Refused
from journal.shared import speech
from journal.system import Decision, Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.rules import Ace, Potential, Tie, Verdict, Wheel
from journal.systems.bruise.state import (
    ATTRIBUTES,
    NAME,
    Hand,
    Play,
    Result,
    Sheet,
    deck_of,
    narrators,
    new_pile,
    play,
    rank_name,
    shelf,
)
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Command, Event, Person, Question, Whole
from journal.words import Words

RANKS = {"J": 11, "Q": 12, "K": 13, "T": 10}
LARGEST_RATING = 52


class Quality(Command):
    """Show: alone, everybody does; with a rank, a hand nobody wrote down, such as the Tale Weaver's nine."""

    verb: ClassVar[str] = "quality"
    short: ClassVar[tuple[str, ...]] = ("qu",)
    form: ClassVar[str] = "[NAME:who [ANY:rank [INT:quantity]]]"
    example: ClassVar[str] = "quality Guards 9"
    who: Person | None = None
    rank: c.Data | None = None
    quantity: Whole | None = None


class ChooseColour(Command):
    """Choose the suit that colours what you won, among those of your highest cards."""

    verb: ClassVar[str] = "colour"
    short: ClassVar[tuple[str, ...]] = ("color", "col")
    form: ClassVar[str] = "[NAME:who] ANY:suit"
    example: ClassVar[str] = "colour hearts"
    who: Person | None = None
    suit: c.Data


class SpendKarma(Command):
    """Spend a point of Karma: throw these cards away and draw as many anew."""

    verb: ClassVar[str] = "karma"
    short: ClassVar[tuple[str, ...]] = ("ka",)
    form: ClassVar[str] = "NAME:who (destiny|fate):potential ANY:cards+ [= results] [: text]"
    example: ClassVar[str] = "karma Zel destiny 3D 4C = KS 9H"
    who: Person
    potential: Literal["destiny", "fate"]
    cards: tuple[c.Data, ...]
    results: tuple[str, ...] | None = None
    text: c.Text = None


class Tilt(Command):
    """Tilt somebody's Wheel of Potential towards Destiny or Fate."""

    verb: ClassVar[str] = "tilt"
    short: ClassVar[tuple[str, ...]] = ("ti",)
    form: ClassVar[str] = "NAME:who (destiny|fate):potential [INT:by] [: text]"
    example: ClassVar[str] = "tilt Zel destiny"
    who: Person
    potential: Literal["destiny", "fate"]
    by: Whole = 1
    text: c.Text = None


class Award(Command):
    """Give somebody a Legacy point for what they told."""

    verb: ClassVar[str] = "award"
    short: ClassVar[tuple[str, ...]] = ("aw",)
    form: ClassVar[str] = "NAME:who [INT:points] [: text]"
    example: ClassVar[str] = "award Zel"
    who: Person
    points: Whole = 1
    text: c.Text = None


COMMANDS: tuple[type[Command], ...] = (Quality, ChooseColour, SpendKarma, Tilt, Award)


@dataclass(slots=True)
class Turn:
    """The turn a command speaks to: the one in play, or a fresh one if that has come out."""

    before: list[Event]
    state: Play

    @classmethod
    def of(cls, situation: Situation) -> Turn:
        """The turn in play, after the end of one that is over."""
        state = play(situation.here)
        if not state.over:
            return cls([], state)
        return cls(
            [b.TurnEnded(conflict=situation.here.id, turn=state.turn)],
            Play(turn=state.turn + 1, tied_to=state.tied_to),
        )


# --- declaring and drawing --------------------------------------------------------------------------------


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """One declaration a side and turn."""
    turn = Turn.of(situation)
    who = _contestant(situation, command.who, "declares")
    if command.setup:
        raise Refused("Bruise takes no key=value in a declaration.")
    if who in turn.state.declared:
        raise Refused(f"{situation.name(who)} has declared already this turn.")
    return [*turn.before, *speech.declare(situation, command.model_copy(update={"who": who}))]


def draw(situation: Situation, command: c.Draw) -> list[Event]:
    """A hand is drawn for traits or by number; with the last hand everybody shows, unless Karma may follow."""
    turn = Turn.of(situation)
    situation.nothing_pending(situation.here)
    who = _contestant(situation, command.who, "draws")
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
        cards=_deal(situation, who, cards, fresh=bool(turn.before)),
        purpose="hand",
    )
    events: list[Event] = [*turn.before, *assigned, drawn]
    if command.text is not None:
        events.append(_declaration(situation, who, command.text))
    hands = {**state.hands, who: Hand(list(drawn.cards), cards)}
    if _all_in(situation.here, state, hands) and not _karma_may_follow(situation, state, hands):
        events += _showdown(situation, state, hands, {})
    return events


def _declaration(situation: Situation, who: int, text: Words) -> Event:
    return e.Declared(who=who, text=text, conflict=situation.here.id)


def _assignment(situation: Situation, who: int, command: c.Draw, state: Play) -> tuple[list[Event], int]:
    """What the hand is drawn for, and its number of cards."""
    if command.traits:
        assigned = _traits(situation, who, command.traits)
        return [assigned], assigned.cards
    count = command.count if command.count is not None else state.due.get(who)
    if count is None:
        name = situation.name(who)
        raise Refused(f"Say what {name} draws for: draw {name} clubs+melee, or draw {name} 4.")
    if count < 0:
        raise Refused("A draw cannot be less than 0 cards.")
    return [], min(count, rules.DECK_SIZE)


def _traits(situation: Situation, who: int, typed: Sequence[str]) -> b.TraitsAssigned:
    """An attribute and a skill, or one meme in place of either: `docs/rules/bruise.md` §2."""
    sheet = shelf(situation.table).sheets.get(who, Sheet())
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
        cards=rules.draw_size(sheet.traits[keys[0]], sheet.traits[keys[1]]),
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


def _deal(situation: Situation, who: int, n: int, *, fresh: bool) -> tuple[str, ...]:
    """The next `n` cards of the deck `who` draws from."""
    table = situation.table
    owner = deck_of(table, who)
    pile = shelf(table).piles.get(owner) or new_pile(table)
    if fresh:
        pile = pile.copy()
        pile.gather()
    luck = situation.luck
    try:
        return luck.draw(f"bruise:{owner}", pile.left(), n, unseen=True)
    except Refused as refusal:
        raise _told_by_name(situation, pile.out, refusal) from None


def _told_by_name(situation: Situation, out: Mapping[str, tuple[str, ...]], refusal: Refused) -> Refused:
    """The refusal in people's names where a card is in somebody's hand already."""
    card = getattr(refusal, "result", None)
    holder = out.get(card, ("",))[-1] if isinstance(card, str) else ""
    if holder.isdecimal():
        return Refused(f"{card} is out already: {situation.name(int(holder))} holds it.")
    if holder:
        return Refused(f"{card} is out already: it was discarded this turn.")
    return refusal


def spend_karma(situation: Situation, command: SpendKarma) -> list[Event]:
    """Cards of a hand are thrown away and drawn anew, before anybody has shown."""
    state = play(situation.here)
    who = _contestant(situation, command.who, "spends Karma")
    name = situation.name(who)
    potential = Potential(command.potential)
    _check_karma(situation, state, who, potential)
    hand = state.hands[who].cards
    thrown = [french.read(card) for card in command.cards]
    for card in thrown:
        if thrown.count(card) > hand.count(card):
            raise Refused(f"{name} does not hold {card}. In hand: {' '.join(hand)}.")
    sheet = shelf(situation.table).sheet(who)
    drawn = _deal(situation, who, len(thrown), fresh=False)
    events: list[Event] = [
        b.KarmaSpent(
            conflict=situation.here.id,
            who=who,
            potential=command.potential,
            discarded=tuple(thrown),
            left=sheet.karma[potential] - 1,
        ),
        e.CardsDrawn(
            conflict=situation.here.id,
            who=who,
            deck=f"bruise:{deck_of(situation.table, who)}",
            cards=drawn,
            purpose="karma",
        ),
    ]
    if command.text is not None:
        events.append(_declaration(situation, who, command.text))
    return events


def _check_karma(situation: Situation, state: Play, who: int, potential: Potential) -> None:
    name = situation.name(who)
    if who in state.shown:
        raise Refused(f"{name} has shown: Karma is spent before Quality is declared.")
    if who not in state.hands:
        raise Refused(f"{name} has not drawn yet.")
    if state.tied_to is not potential:
        tied = f"to {state.tied_to}" if state.tied_to else "to neither end of the Wheel"
        raise Refused(f"This conflict is tied {tied}: Karma of {potential} does not reach it.")
    if state.spent.get(who, 0) >= int(situation.option("karma_per_draw")):
        raise Refused(f"{name} has spent Karma on this draw already.")
    if not _has_karma(situation, who):
        raise Refused(f"{name} has no player, and at this table only players' characters have Karma.")
    if shelf(situation.table).sheet(who).karma[potential] < 1:
        raise Refused(f"{name} has no Karma of {potential} left.")


def _has_karma(situation: Situation, who: int) -> bool:
    return situation.option("npc_karma") == "yes" or situation.table.people[who].player is not None


# --- showing ----------------------------------------------------------------------------------------------


def quality(situation: Situation, command: Quality) -> list[Event]:
    """Somebody shows, or everybody; with the last, the hands are compared."""
    situation.nothing_pending(situation.here)
    state = play(situation.here)
    if state.over:
        if command.who is None or command.rank is None:
            raise Refused("Everybody has shown: the next turn begins with a declaration or a draw.")
        turn = Turn.of(situation)
        return [*turn.before, *_shown(situation, turn.state, command)]
    if command.who is None:
        missing = _missing(situation.here, state, state.hands)
        if missing:
            names = ", ".join(map(situation.name, missing))
            raise Refused(f"Not everybody has a hand: {names} (draw, or quality NAME RANK).")
        return _showdown(situation, state, state.hands, {})
    return _shown(situation, state, command)


def _shown(situation: Situation, state: Play, command: Quality) -> list[Event]:
    who = _contestant(situation, command.who, "shows")
    if who in state.shown:
        raise Refused(f"{situation.name(who)} has shown already.")
    declared = _declared_quality(situation, state, who, command)
    others_missing = [one for one in _missing(situation.here, state, state.hands) if one != who]
    if others_missing:
        return [declared]
    return _showdown(situation, state, state.hands, {who: declared})


def _declared_quality(situation: Situation, state: Play, who: int, command: Quality) -> b.QualityDeclared:
    """The Quality a hand has, or the one called out for a hand that was not written down."""
    hand = state.hands.get(who)
    called = None if command.rank is None else _rank(situation, command.rank)
    if hand is None:
        if called is None:
            raise Refused(f"{situation.name(who)} has no hand: draw, or say the rank.")
        return b.QualityDeclared(
            conflict=situation.here.id, who=who, quality=called, quantity=command.quantity
        )
    holds = rules.quality(hand.cards, ace=_ace(situation))
    if called is not None and called != holds:
        raise Refused(
            f"{situation.name(who)} called {rank_name(called)}, but the cards recorded show {rank_name(holds)}."
        )
    return b.QualityDeclared(conflict=situation.here.id, who=who, quality=holds, quantity=command.quantity)


def _rank(situation: Situation, typed: str) -> int:
    word = typed.casefold()
    names = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "joker": "0"}
    rank = names.get(word, typed.upper())
    if rank == "A":
        return 14 if _ace(situation) is Ace.HIGH else 1
    if rank in RANKS:
        return RANKS[rank]
    if rank.isdecimal() and int(rank) <= 10:
        return int(rank)
    raise Refused(f"{typed} is no rank: A, K, Q, J or a number up to 10.")


def _ace(situation: Situation) -> Ace:
    return Ace(situation.option("ace"))


def _missing(conflict: OpenConflict, state: Play, hands: Mapping[int, Hand]) -> list[int]:
    return [who for who in conflict.people if who not in hands and who not in state.shown]


def _all_in(conflict: OpenConflict, state: Play, hands: Mapping[int, Hand]) -> bool:
    return not _missing(conflict, state, hands)


def _karma_may_follow(situation: Situation, state: Play, hands: Mapping[int, Hand]) -> bool:
    """True while somebody could still spend Karma on the hand they hold."""
    potential = state.tied_to
    if potential is None:
        return False
    sheets = shelf(situation.table).sheets
    return any(
        who in sheets and sheets[who].karma[potential] > 0 and _has_karma(situation, who) for who in hands
    )


def _showdown(
    situation: Situation,
    state: Play,
    hands: Mapping[int, Hand],
    declared: Mapping[int, b.QualityDeclared],
) -> list[Event]:
    """Everybody who has not shown shows, and the hands are compared pair by pair."""
    showing = dict(declared)
    for who in situation.here.people:
        if who not in state.shown and who not in showing:
            showing[who] = b.QualityDeclared(
                conflict=situation.here.id,
                who=who,
                quality=rules.quality(hands[who].cards, ace=_ace(situation)),
            )
    qualities = {who: shown.quality for who, shown in state.shown.items()}
    qualities |= {who: event.quality for who, event in showing.items()}
    stated = {who: shown.quantity for who, shown in state.shown.items()}
    stated |= {who: event.quantity for who, event in showing.items()}
    settled = {frozenset((result.winner, result.loser)) for result in state.results}
    table = Showdown(situation, qualities, stated, hands)
    pairs = [pair for pair in pairings(situation.here.sides, qualities) if frozenset(pair) not in settled]
    return [*showing.values(), *(table.outcome(one, other) for one, other in pairs)]


def pairings(sides: e.Sides, qualities: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Which hands are compared: `docs/rules/bruise.md` §7.

    One hand stands against each on the other side; where both sides hold several, each of the first side's
    is compared with the best that stands against it.
    """
    first, *others = sides
    opposing = [who for side in others for who in side]
    if len(first) > 1 and len(opposing) > 1:
        opposing = [max(opposing, key=lambda who: qualities[who])]
    for one in first:
        for other in opposing:
            yield one, other


@dataclass(frozen=True, slots=True)
class Showdown:
    """Everybody's Quality on the table, ready to be compared."""

    situation: Situation
    qualities: Mapping[int, int]
    stated: Mapping[int, int | None]
    hands: Mapping[int, Hand]

    def outcome(self, one: int, other: int) -> Event:
        """What comes of `one` against `other`: a hand won, or a tie."""
        verdict = rules.compare(self.qualities[one], self.qualities[other])
        if verdict is Verdict.TIED:
            verdict = self._tie(one, other)
        match verdict:
            case Verdict.WON:
                return self.won(one, other)
            case Verdict.LOST:
                return self.won(other, one)
            case _:
                return b.HandsTied(
                    conflict=self.situation.here.id,
                    one=one,
                    other=other,
                    quality=self.qualities[one],
                    redraw=verdict is Verdict.REDRAW,
                )

    def _tie(self, one: int, other: int) -> Verdict:
        option = Tie(self.situation.option("tie"))
        if self.situation.option("difficulty") == "static":
            return Verdict.WON
        if option is Tie.NEXT_CARD and not (self.hands.get(one) and self.hands.get(other)):
            return Verdict.TIED
        return rules.settle(option, self._cards(one), self._cards(other), ace=_ace(self.situation))

    def _cards(self, who: int) -> Sequence[str]:
        hand = self.hands.get(who)
        return hand.cards if hand else ()

    def won(self, winner: int, loser: int) -> b.HandWon:
        """`winner` took the hand from `loser`, whatever made it so."""
        cards = self._cards(winner)
        ace = _ace(self.situation)
        against = self.qualities[loser]
        quantity = self.stated.get(winner)
        if quantity is None and cards:
            least, most = rules.quantity_range(cards, against, ace=ace)
            quantity = least if least == most else None
        return b.HandWon(
            conflict=self.situation.here.id,
            winner=winner,
            loser=loser,
            quality=self.qualities[winner],
            against=against,
            quantity=quantity,
            colours=tuple(suit.value for suit in rules.colours(cards, ace=ace)),
        )


def break_tie(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """The table said who takes a tied hand."""
    state = play(situation.here)
    one, other = state.ties[0]
    winner, loser = (one, other) if ruling.answer == one else (other, one)
    qualities = {who: shown.quality for who, shown in state.shown.items()}
    stated = {who: shown.quantity for who, shown in state.shown.items()}
    return [Showdown(situation, qualities, stated, state.hands).won(winner, loser)]


# --- after the hand ---------------------------------------------------------------------------------------


def _with_showdown(situation: Situation) -> tuple[list[Event], list[Result]]:
    """The results on the table; if everybody holds a hand and nobody has shown, they show now."""
    state = play(situation.here)
    situation.nothing_pending(situation.here)
    if state.results:
        return [], state.results
    if not state.hands or _missing(situation.here, state, state.hands):
        return [], []
    events = _showdown(situation, state, state.hands, {})
    if any(isinstance(event, b.HandsTied) for event in events):
        raise Refused("The hands are tied: show them first (quality), then the table rules.")
    return events, [
        Result(won.winner, won.loser, won.quality, won.against, won.quantity, won.colours, None)
        for won in events
        if isinstance(won, b.HandWon)
    ]


def choose_colour(situation: Situation, command: ChooseColour) -> list[Event]:
    """The winner names one of the suits of their highest cards."""
    events, results = _with_showdown(situation)
    suit = _suit(command.suit)
    mine = [result for result in results if command.who in (None, result.winner)]
    winners = {result.winner for result in mine}
    if not winners:
        won = _names(situation, (result.winner for result in results)) or "nobody yet"
        raise Refused(f"The colour is the winner's to choose ({won}).")
    if len(winners) > 1:
        raise Refused(f"Say whose colour: {_names(situation, winners)}.")
    (winner,) = winners
    offered = mine[0].colours
    if offered and suit not in offered:
        name = situation.name(winner)
        raise Refused(f"{name}'s highest cards are {' and '.join(offered)}: {suit} is not among them.")
    return [*events, b.ColorChosen(conflict=situation.here.id, who=winner, colour=suit)]


def _suit(typed: str) -> b.Suit:
    suits: tuple[b.Suit, ...] = ("spades", "hearts", "diamonds", "clubs")
    signs = dict(zip("♠♥♦♣", suits, strict=True))
    word = signs.get(typed, fold(typed))
    found = [suit for suit in suits if word and suit.startswith(word)]
    if not found:
        raise Refused(f"{typed} is no suit: {', '.join(suits)}.")
    return found[0]


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """The winner tells the outcome; the Tale Weaver does for a winner who has no player."""
    if command.at is not None:
        return speech.narrate(situation, command)
    events, results = _with_showdown(situation)
    if not results:
        raise Refused("Nothing has come out yet, so there is nothing to narrate: draw and show first.")
    untold = [result for result in results if not result.told] or results
    who = _narrator(situation, command.who, untold, results)
    narrated = speech.narrate(situation, command.model_copy(update={"who": who}))
    return [*events, *narrated]


def _narrator(
    situation: Situation, who: int | None, untold: Sequence[Result], results: Sequence[Result]
) -> int:
    winners = list(dict.fromkeys(result.winner for result in untold))
    if who is None:
        if len(winners) > 1:
            raise Refused(f"Say who narrates: {_names(situation, winners)}.")
        return winners[0]
    everyone = {one for result in results for one in narrators(situation.table, result.winner)}
    if who not in everyone:
        raise Refused(f"It is {_names(situation, winners)} who won, and the winner narrates.")
    return who


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """The Tale Weaver's edit of a narration; with --veto it is struck instead."""
    if command.own:
        raise Refused("In Bruise it is the Tale Weaver who edits: overrule gm NAME: the change.")
    return [speech.struck(situation, command, "veto" if command.veto else "edit")]


def award(situation: Situation, command: Award) -> list[Event]:
    """The table thanks somebody."""
    if command.points < 1:
        raise Refused("A Legacy award is 1 point or more.")
    total = shelf(situation.table).sheet(command.who).legacy + command.points
    return [
        b.LegacyAwarded(who=command.who, points=command.points, total=total),
        *([e.Noted(text=command.text, person=command.who)] if command.text is not None else []),
    ]


def tilt(situation: Situation, command: Tilt) -> list[Event]:
    """A deed moves somebody's Wheel; Karma never stands above its rating."""
    sheet = shelf(situation.table).sheets.get(command.who, Sheet())
    wheel = sheet.wheel.tilted(Potential(command.potential), command.by)
    return [
        _wheel(command.who, sheet, wheel),
        *([e.Noted(text=command.text, person=command.who)] if command.text is not None else []),
    ]


def _wheel(who: int, sheet: Sheet, wheel: Wheel) -> b.WheelTilted:
    kept = {one: rules.karma_kept(sheet.karma[one], wheel, one) for one in Potential}
    return b.WheelTilted(
        who=who,
        destiny=wheel.destiny,
        fate=wheel.fate,
        karma_destiny=kept[Potential.DESTINY],
        karma_fate=kept[Potential.FATE],
    )


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """Every turn shuffles by itself; asked for with cards on the table, it is refused."""
    state = play(situation.here)
    if state.hands and not state.over:
        raise Refused("Cards are on the table: the decks are shuffled when the turn is over.")
    if state.over:
        return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)]
    owner = GM if command.who is None else deck_of(situation.table, command.who)
    return [e.DeckShuffled(conflict=situation.here.id, deck=f"bruise:{owner}", why="asked")]


# --- opening, closing, evenings, rulings ------------------------------------------------------------------


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """A Bruise conflict may be tied to Destiny or to Fate."""
    tied = opened.setup.get("tied")
    if tied is not None and str(tied) not in tuple(Potential):
        raise Refused(f"A conflict is tied to destiny or to fate, not to {tied}.")
    return [opened]


def close(situation: Situation, how: str) -> list[Event]:
    """A conflict ends with its cards back in their decks."""
    if how not in ("ended", "conceded", "stalemate", "victory"):
        raise Refused(f"A Bruise conflict ends, or as victory or stalemate; {how} is not known.")
    state = play(situation.here)
    return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)] if state.hands or state.shown else []


def begin_session(situation: Situation) -> list[Event]:
    """At the start of an evening Karma is filled up to the Wheel's ratings."""
    sheets = shelf(situation.table).sheets
    lacking = tuple(
        who
        for who, sheet in sheets.items()
        if any(sheet.karma[one] < sheet.wheel.rating(one) for one in Potential)
    )
    return [b.KarmaRefilled(people=lacking)] if lacking else []


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """A tie waits for the table."""
    return tuple(
        Question(
            "tie",
            f"{table.name(one)} and {table.name(other)} are tied: who takes the hand?",
            (one, other),
            conflict.id,
        )
        for one, other in play(conflict).ties
    )


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A trait and its rating, 0 to 52: `docs/rules/bruise.md` §1."""
    if not value.isdecimal() or int(value) > LARGEST_RATING:
        raise Refused(f"{key} is rated 0 to {LARGEST_RATING}, not {value}.")
    return key.replace("attribute.", ""), int(value)


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """A ruling on Legacy, Karma, the Wheel or a trait."""
    return [_set(situation, setting) for setting in ruling.sets]


def _set(situation: Situation, setting: e.Setting) -> Event:
    if setting.person is None or not isinstance(setting.value, int):
        raise Refused("Say whose number, and which: ruling Zel.legacy+=1: why.")
    who = setting.person
    sheet = shelf(situation.table).sheets.get(who, Sheet())
    what = fold(setting.what)
    change = _arithmetic(setting)
    if what in ("destiny", "fate"):
        potential = Potential(what)
        value = change(sheet.wheel.rating(potential))
        destiny = value if potential is Potential.DESTINY else rules.STATIONS - value
        return _wheel(who, sheet, Wheel(destiny, rules.STATIONS - destiny))
    if what == "legacy":
        return b.NumberSet(who=who, what="legacy", value=_from_zero(change(sheet.legacy)))
    if what == "karma destiny":
        points = _from_zero(change(sheet.karma[Potential.DESTINY]))
        return b.NumberSet(who=who, what="karma destiny", value=points)
    if what == "karma fate":
        points = _from_zero(change(sheet.karma[Potential.FATE]))
        return b.NumberSet(who=who, what="karma fate", value=points)
    if what in sheet.traits:
        values: dict[str, int | str | None] = {what: _from_zero(change(sheet.traits[what]))}
        return e.SheetChanged(person=who, system=NAME, values=values)
    raise Refused(f"A ruling sets legacy, destiny, fate, karma-destiny, karma-fate or a trait, not {what}.")


def _arithmetic(setting: e.Setting) -> Callable[[int], int]:
    value = int(setting.value)
    match setting.op:
        case "=":
            return lambda _: value
        case "+=":
            return lambda old: old + value
        case "-=":
            return lambda old: old - value


def _from_zero(value: int) -> int:
    if value < 0:
        raise Refused("That would leave less than nothing.")
    return value


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the turn stands, for a toolbar."""
    state = play(conflict)
    where = f"turn {state.turn}"
    if state.ties:
        return f"{where} · tie: rule on it"
    if state.results:
        untold = [table.name(result.winner) for result in state.results if not result.told]
        return f"{where} · {untold[0]} narrates" if untold else f"{where} · told"
    missing = _missing(conflict, state, state.hands)
    if not state.hands and not state.shown:
        return f"{where} · declare, then draw"
    return (
        f"{where} · to draw: {', '.join(map(table.name, missing))}"
        if missing
        else f"{where} · show (quality)"
    )


def _contestant(situation: Situation, who: int | None, does: str) -> int:
    conflict = situation.here
    if who is None:
        raise Refused(f"Say who {does}: {_names(situation, conflict.people)}.")
    if who not in conflict.people:
        raise Refused(f"{situation.name(who)} is on no side of this conflict.")
    return who


def _names(situation: Situation, people: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(map(situation.name, people)))


DECIDE: Mapping[type[Command], Decision] = {
    c.Declare: declare,
    c.Draw: draw,
    c.Narrate: narrate,
    c.Overrule: overrule,
    c.Shuffle: shuffle,
    Quality: quality,
    ChooseColour: choose_colour,
    SpendKarma: spend_karma,
}
ANYTIME: Mapping[type[Command], Decision] = {Tilt: tilt, Award: award}
"""Verbs that need no conflict."""
