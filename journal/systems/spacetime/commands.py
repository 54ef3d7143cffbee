"""What a Space·Time table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, NoReturn

from journal.decks import spacetime
from journal.decks.pile import DISCARD, Pile
from journal.decks.spacetime import EXCUSE, Card, Suit
from journal.names import find, fold
from journal.refused import Refused
from journal.shared import conflicts, speech
from journal.shared.people import Arrivals
from journal.system import Decision, Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime import rules
from journal.systems.spacetime.rules import Balance, BeatsTable, Ended, Level, MultiParty
from journal.systems.spacetime.state import (
    DECK,
    Challenge,
    Mode,
    Play,
    Round,
    chosen,
    clear,
    each,
    holder,
    lies,
    make_whole,
    new_pile,
    parties,
    place,
    play,
    shelf,
    tokens,
)
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Command, Event, Newcomer, Person, Question, Value
from journal.words import Words

Purpose = Literal["flow", "narration", "obstacle", "challenge"]

BALANCES: Final = "balanced|unbalanced:NAME|overwhelming:NAME"
ENDINGS: Final = ("ended", "stalemate", "victory")
WIPED_OUT: Final = "wipe-out"


class DesireOutcome(Command):
    """Say what comes about if a party wins; once cards are drawn, only by reformulating."""

    verb: ClassVar[str] = "outcome"
    short: ClassVar[tuple[str, ...]] = ("ou",)
    form: ClassVar[str] = "NAME:who : text"
    example: ClassVar[str] = "outcome Reeve: The gate stays shut till dawn."
    who: Person
    text: Words


class Reformulate(Command):
    """Begin the conflict again with other sides, another Balance, other outcomes; balanced if nobody says."""

    verb: ClassVar[str] = "reformulate"
    short: ClassVar[tuple[str, ...]] = ("rf",)
    form: ClassVar[str] = "NAME:who [NAMES:sides (vs NAMES:sides)+] KEY=VALUE… [: text]"
    example: ClassVar[str] = "reformulate Reeve Reeve+Mill vs Fair balance=unbalanced:Fair"
    who: Person
    sides: tuple[tuple[Newcomer, ...], ...] = ()
    setup: dict[str, Value] = {}
    people: dict[str, Newcomer] = {}
    text: c.Text = None


class Postpone(Command):
    """Stop the conflict for now: nobody has won."""

    verb: ClassVar[str] = "postpone"
    short: ClassVar[tuple[str, ...]] = ("pp",)
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "postpone Mill: The watch is coming."
    who: Person | None = None
    text: c.Text = None


class AddComplication(Command):
    """Tell what one of the cards drawn against an obstacle brings with it: one text for each card."""

    verb: ClassVar[str] = "complication"
    short: ClassVar[tuple[str, ...]] = ("cm",)
    form: ClassVar[str] = "[NAME:who] : text"
    example: ClassVar[str] = "complication Ada: The rope is short."
    who: Person | None = None
    text: Words


class Stop(Command):
    """Draw no more against a challenge: its cost and effect stand as they are."""

    verb: ClassVar[str] = "stop"
    short: ClassVar[tuple[str, ...]] = ("st",)
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "stop Ada"
    who: Person | None = None
    text: c.Text = None


COMMANDS: tuple[type[Command], ...] = (DesireOutcome, Reformulate, Postpone, AddComplication, Stop)


# --- setting up -------------------------------------------------------------------------------------------


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """A Balance to begin with, or an obstacle and how it is met; tokens for those who have had none."""
    setup = dict(opened.setup)
    typed = setup.pop("balance", None)
    obstacle = _obstacle(situation, opened, setup)
    mode = _mode(situation, obstacle, setup)
    _check_mode(mode, opened.sides, setup)
    if typed is not None and mode is not Mode.CONFLICT:
        raise Refused("No Balance is kept while cards are drawn against an obstacle: leave out balance=.")
    standing = _standing(situation, str(typed or Level.BALANCED), opened.sides)
    if standing.level is Level.VICTORY:
        raise Refused(f"A conflict begins as {BALANCES}.")
    people = [person for side in opened.sides for person in side if person != obstacle]
    events: list[Event] = [opened.model_copy(update={"setup": setup})]
    if mode is Mode.CONFLICT:
        events.append(_balance_set(opened.conflict, standing))
    events += _tokens_for(situation, [GM, *people])
    pile = shelf(situation.table).pile
    if chosen(situation.table, "reshuffle") == "every_conflict" and pile and pile.out:
        events.append(_shuffled(opened.conflict, "every conflict"))
    return events


def _obstacle(situation: Situation, opened: e.ConflictOpened, setup: dict[str, Value]) -> int | None:
    typed = setup.get("obstacle")
    if typed is None:
        return None
    leads = {side[0]: side for side in opened.sides}
    if not isinstance(typed, int):
        typed = _named(situation, typed, opened.sides)
    if typed not in leads or len(leads[typed]) > 1:
        raise Refused(f"{situation.name(typed)} is to be the obstacle, so it stands on a side of its own.")
    setup["obstacle"] = typed
    return typed


def _mode(situation: Situation, obstacle: int | None, setup: dict[str, Value]) -> Mode:
    """How the obstacle is met, noted in the set-up; without one there is nothing to say about it."""
    if obstacle is None:
        for key in ("mode", "rank", "reach", "risk"):
            if key in setup:
                raise Refused(f"{key}= speaks of an obstacle: name it too (obstacle=NAME).")
        return Mode.CONFLICT
    default = chosen(situation.table, "obstacle_mode")
    typed = fold(str(setup.get("mode", default))).replace(" ", "_")
    if typed not in tuple(Mode):
        raise Refused(f"An obstacle is met by mode={'|'.join(Mode)}, not {setup['mode']}.")
    setup["mode"] = typed
    return Mode(typed)


def _check_mode(mode: Mode, sides: e.Sides, setup: dict[str, Value]) -> None:
    given = [key for key in ("rank", "reach", "risk") if key in setup]
    if mode is not Mode.CHALLENGE:
        if given:
            raise Refused(f"{given[0]}= belongs to a challenge: say mode=challenge too.")
        return
    if len(sides) > 2:  # noqa: PLR2004 -- one who meets it, and the challenge
        raise Refused("One party meets a challenge: two sides, such as Ada vs Cliff.")
    rank = str(setup.get("rank", ""))
    if not rank.isdecimal() or int(rank) not in rules.RANKS:
        raise Refused(f"A challenge has a rank from {rules.RANKS[0]} to {rules.RANKS[-1]}: rank=3.")
    setup["rank"] = int(rank)


def _standing(situation: Situation, typed: str, sides: e.Sides) -> Balance:
    """The Balance behind `unbalanced:Reeve`, or `unbalanced:7` where 7 is Reeve."""
    word, _, name = typed.partition(":")
    level = fold(word)
    if level not in tuple(Level):
        raise Refused(f"A Balance is {BALANCES}, not {typed}.")
    if (level == Level.BALANCED) != (name == ""):
        sentence = "balanced favours nobody" if name else f"say whom it favours: {level}:NAME"
        raise Refused(f"A Balance is {BALANCES}; {sentence}.")
    if not name:
        return Balance()
    return Balance(Level(level), _side_of(sides, _named(situation, name, sides)))


def _named(situation: Situation, typed: str, sides: e.Sides) -> int:
    """Who of these sides is meant, by id or by name."""
    people = [person for side in sides for person in side]
    if not typed.isdecimal():
        known = situation.table.names()
        return find(typed, {person: known[person] for person in people})
    if int(typed) not in people:
        raise Refused(f"{situation.name(int(typed))} is on no side of this conflict.")
    return int(typed)


def _side_of(sides: e.Sides, person: int) -> int:
    return next(side[0] for side in sides if person in side)


def _balance_set(conflict: int, standing: Balance) -> s.BalanceSet:
    return s.BalanceSet(conflict=conflict, level=standing.level, advantaged=standing.advantaged)


def desire_outcome(situation: Situation, command: DesireOutcome) -> list[Event]:
    """A party's Desired Outcome, until rounds begin."""
    _not_over(situation)
    who = _party(situation, command.who, "desires an outcome", ())
    if play(situation.here).begun:
        name = situation.name(who)
        raise Refused(f"Rounds have begun: another outcome is a reformulation (reformulate {name}: why).")
    return [s.OutcomeDesired(conflict=situation.here.id, who=who, text=command.text)]


def reformulate(situation: Situation, command: Reformulate) -> list[Event]:
    """The conflict begins again; sides that are not named stay, a Balance that is not named is balanced."""
    _not_over(situation)
    who = _party(situation, command.who, "reformulates", ())
    state = play(situation.here)
    arrivals = Arrivals(situation)
    sides = tuple(tuple(arrivals.id(one, "side") for one in side) for side in command.sides)
    sides = sides or situation.here.sides
    people = {key: arrivals.id(one, "side") for key, one in command.people.items()}
    setup = conflicts.set_up(command.setup, people)
    situation = arrivals.met()
    unknown = [key for key in setup if key != "balance"]
    if unknown:
        raise Refused(f"reformulate knows balance={BALANCES}, not {unknown[0]}=.")
    _check_sides(situation, sides)
    stays = _obstacle_stays(situation, state, sides)
    mode = state.mode if stays else Mode.CONFLICT
    _check_mode(mode, sides, dict(situation.here.setup) if stays else {})
    if mode is not Mode.CONFLICT and setup:
        raise Refused("No Balance is kept while cards are drawn against an obstacle: leave out balance=.")
    standing = _standing(situation, str(setup.get("balance", Level.BALANCED)), sides)
    if standing.level is Level.VICTORY:
        raise Refused(f"A conflict begins again as {BALANCES}.")
    return [
        *arrivals.events,
        s.ConflictReformulated(
            conflict=situation.here.id,
            who=who,
            sides=sides,
            level=standing.level,
            advantaged=standing.advantaged,
            text=command.text,
        ),
    ]


def _obstacle_stays(situation: Situation, state: Play, sides: e.Sides) -> bool:
    """Whether the obstacle is in the way of these sides too; it never joins one."""
    sided = [side for side in sides if state.obstacle in side]
    if sided and len(sided[0]) > 1:
        name = situation.name(state.obstacle or 0)
        raise Refused(f"{name} is an obstacle and sides with nobody: let it stand alone, or leave it out.")
    return bool(sided)


def _check_sides(situation: Situation, sides: e.Sides) -> None:
    if len(sides) < 2:  # noqa: PLR2004 -- the rulebook's number
        raise Refused("A conflict takes two sides or more: reformulate Reeve Reeve+Mill vs Fair.")
    people = [person for side in sides for person in side]
    twice = next((person for person in people if people.count(person) > 1), None)
    if twice is not None:
        raise Refused(f"{situation.name(twice)} stands on two sides: nobody can fight themselves here.")


# --- tactics ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Now:
    """The round a command speaks to: the one in play, or, once its flow is known, the next."""

    before: list[Event]
    round: Round
    pile: Pile

    @classmethod
    def of(cls, situation: Situation) -> Now:
        """The round in play, or a fresh one after the end of that."""
        state = play(situation.here)
        found = shelf(situation.table).pile
        pile = found.copy() if found else new_pile(situation.table)
        if state.round.flow is None:
            return cls([], state.round, pile)
        before: list[Event] = [_round_ended(situation)]
        clear(pile, situation.here.id)
        if situation.option("reshuffle") == "every_round":
            before.append(_shuffled(situation.here.id, "every round"))
            make_whole(pile)
        return cls(before, Round(state.round.number + 1), pile)


def _round_ended(situation: Situation) -> s.RoundEnded:
    here = situation.here
    return s.RoundEnded(conflict=here.id, round=play(here).round.number)


def _shuffled(conflict: int, why: str) -> e.DeckShuffled:
    return e.DeckShuffled(conflict=conflict, deck=DECK, why=why)


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """A party states its tactic: once a round, and in a challenge with an attribute."""
    _not_over(situation)
    now = Now.of(situation)
    left = [party for party in parties(situation.here) if party not in now.round.tactics]
    who = _party(situation, command.who, "states a tactic", left)
    state = play(situation.here)
    setup = command.setup
    if state.challenge is not None:
        setup = _attribute(situation, who, state.challenge, setup)
    elif setup:
        raise Refused("A tactic takes no key=value: declare NAME: the tactic.")
    elif state.mode is Mode.CONFLICT and who in now.round.tactics:
        name = situation.name(who)
        raise Refused(f"{name} has stated a tactic this round: the next is stated after the flow.")
    declared = command.model_copy(update={"who": who, "setup": setup})
    return [*now.before, *speech.declare(situation, declared)]


def _attribute(
    situation: Situation, who: int, challenge: Challenge, setup: Mapping[str, Value]
) -> dict[str, Value]:
    """The attribute somebody meets a challenge with, by its suit's name."""
    name = situation.name(who)
    if challenge.drawn or challenge.laid:
        raise Refused(f"Cards are drawn already: {name} meets this challenge as declared.")
    attributes = {_suit(key): value for key, value in setup.items()}
    if len(attributes) != 1:
        raise Refused(f"Say the one attribute {name} uses: declare {name} unknown=4: the means.")
    ((suit, value),) = attributes.items()
    if not str(value).isdecimal() or int(value) not in rules.ATTRIBUTES:
        raise Refused(f"An attribute is {rules.ATTRIBUTES[0]} to {rules.ATTRIBUTES[-1]}, not {value}.")
    return {suit.value: int(value)}


def _suit(typed: str) -> Suit:
    word = fold(typed)
    found = [Suit.BLADES] if word == "scissors" else [suit for suit in Suit if suit.startswith(word)]
    if len(found) != 1:
        raise Refused(f"{typed} is no attribute: {', '.join(Suit)}.")
    return found[0]


# --- cards ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealing:
    """Cards leaving the deck within one act, and the shuffles that takes."""

    situation: Situation
    pile: Pile
    events: list[Event]

    def cards(self, who: int, n: int, purpose: Purpose, *, excuse: bool = True) -> tuple[str, ...]:
        """The next `n` cards for `who`; where the deck runs out it is made whole, and the drawing goes on."""
        drawn: list[str] = []
        while len(drawn) < n:
            some = self._from_deck(n - len(drawn), excuse=excuse)
            for card in some:
                self.pile.take(card, place(self.situation.here.id, who))
            self.events.append(
                e.CardsDrawn(conflict=self.situation.here.id, who=who, deck=DECK, cards=some, purpose=purpose)
            )
            drawn += some
        return tuple(drawn)

    def discard_excuse(self, who: int) -> None:
        """The Excuse goes to the discards."""
        conflict = self.situation.here.id
        self.pile.discard(EXCUSE, place(conflict, who))
        self.events.append(s.ExcuseDiscarded(conflict=conflict, who=who))

    def replace_excuse(self, who: int) -> None:
        """Another card for the Excuse, for the telling only, and never the Excuse again."""
        self.cards(who, 1, "narration", excuse=False)

    def _from_deck(self, n: int, *, excuse: bool) -> tuple[str, ...]:
        left = self._left(excuse=excuse)
        if not left:
            make_whole(self.pile)
            self.events.append(_shuffled(self.situation.here.id, "the deck ran out"))
            left = self._left(excuse=excuse)
        if not left:
            raise Refused("Every card lies on the table: end a round or a conflict first.")
        try:
            return self.situation.luck.draw(
                DECK, self._ways(left), min(n, len(left)), identity=spacetime.upright
            )
        except Refused as refusal:
            raise self._told_by_name(refusal) from None

    def _left(self, *, excuse: bool) -> tuple[str, ...]:
        return tuple(card for card in self.pile.left() if excuse or card != EXCUSE)

    def _ways(self, left: Sequence[str]) -> tuple[str, ...]:
        """Which ways the cards may come to lie, by the table's option."""
        match self.situation.option("orientation"):
            case "random":
                return spacetime.both_ways(left)
            case "chosen" if self.situation.luck.called:
                return spacetime.both_ways(left)
            case _:
                return tuple(left)

    def _told_by_name(self, refusal: Refused) -> Refused:
        """The refusal in people's names where the card is out already."""
        card = getattr(refusal, "result", None)
        if not isinstance(card, str) or not self.situation.luck.called:
            return refusal
        upright = spacetime.upright(card)
        where = self.pile.out.get(upright, ("",))[-1]
        if where:
            lies = "among the discards" if where == DISCARD else f"before {self._name_at(where)}"
            return Refused(f"{upright} is out already: it lies {lies}.")
        return self._not_so(card, upright)

    def _name_at(self, where: str) -> str:
        return self.situation.name(int(where.rpartition(":")[2]))

    def _not_so(self, card: str, upright: str) -> Refused:
        """Why a card that is not out cannot be drawn."""
        if upright == EXCUSE:
            return Refused("The Excuse does not stand in for the Excuse: draw again.")
        if upright in self.pile.cards:
            return Refused(f"At this table cards are always upright (orientation=ignored): write {upright}.")
        if upright in spacetime.deck("suits"):
            return Refused(f"{upright} is a blank, and this deck has none (option blank_cards=suits).")
        return Refused(
            f"{card} is no card of this deck: write T14, Excuse or unknown:ruler, and :r if reversed."
        )


def draw(situation: Situation, command: c.Draw) -> list[Event]:
    """Cards are drawn: by one party, or by all whose turn it is; with the last, the round's flow is known."""
    _not_over(situation)
    if command.traits:
        raise Refused("Here one draws by number: draw NAME, or draw for everybody.")
    if command.text is not None:
        return _declare_and_draw(situation, command, command.text)
    match play(situation.here).mode:
        case Mode.CONFLICT:
            return _draw_round(situation, command, Now.of(situation))
        case Mode.DRAW_UNTIL_SUCCESS:
            return _draw_costs(situation, command)
        case Mode.CHALLENGE:
            return _draw_challenge(situation, command)


def _declare_and_draw(situation: Situation, command: c.Draw, text: Words) -> list[Event]:
    """A text on a draw is the drawer's tactic, stated just before."""
    if command.who is None:
        raise Refused("A text on a draw is one party's tactic: draw NAME: the tactic.")
    if play(situation.here).mode is Mode.CHALLENGE:
        raise Refused("Declare the means first, with an attribute: declare NAME unknown=4: the means.")
    declared = declare(situation, c.Declare(who=command.who, text=text))
    tactic = declared[-1]
    assert isinstance(tactic, e.Declared)  # noqa: S101 -- it is what declare ends with
    if play(situation.here).mode is Mode.DRAW_UNTIL_SUCCESS:
        return [tactic, *_draw_costs(situation, command, tactic.who)]
    now = Now.of(situation)
    tactics = now.round.tactics | {tactic.who}
    now = Now([*now.before, tactic], _copied(now.round, tactics), now.pile)
    return _draw_round(situation, command, now)


def _copied(round_: Round, tactics: set[int]) -> Round:
    return Round(round_.number, tactics, dict(round_.hands), round_.excused, round_.replacement)


def _draw_round(situation: Situation, command: c.Draw, now: Now) -> list[Event]:
    here, state = situation.here, play(situation.here)
    who = None if command.who is None else _side(situation, command.who)
    owes = state.round.flow is not None and state.round.owes == who
    if who is not None and owes and command.text is None:
        return _draw_replacement(situation, command, who)
    left = [party for party in here.leads if party not in now.round.hands]
    if who is not None and who not in left:
        raise Refused(f"{situation.name(who)} has drawn already this round.")
    _all_have_tactics(situation, now.round)
    drawing = left if who is None else [who]
    _check_numbers(situation, command, state.standing, drawing, now.round)
    dealing = Dealing(situation, now.pile, list(now.before))
    hands = {party: tuple(cards) for party, cards in now.round.hands.items()}
    for party in drawing:
        hands[party] = dealing.cards(party, rules.cards_due(state.standing, party), "flow")
    if len(hands) == len(here.leads):
        _resolve(dealing, now.round, {party: hands[party] for party in here.leads})
    elif situation.luck.rest() and rules.excuse_drawer({party: hands[party] for party in drawing}):
        dealing.discard_excuse(drawing[0])
        dealing.replace_excuse(drawing[0])
    return dealing.events


def _draw_replacement(situation: Situation, command: c.Draw, who: int) -> list[Event]:
    """The card in place of the Excuse, where it was not given with the round."""
    if command.count not in (None, 1):
        raise Refused(f"One card takes the place of {situation.name(who)}'s Excuse.")
    found = shelf(situation.table).pile
    dealing = Dealing(situation, found.copy() if found else new_pile(situation.table), [])
    dealing.replace_excuse(who)
    return dealing.events


def _all_have_tactics(situation: Situation, round_: Round) -> None:
    if situation.option("require_tactics") == "no":
        return
    missing = [party for party in parties(situation.here) if party not in round_.tactics]
    if missing:
        names = _names(situation, missing)
        raise Refused(f"Tactics come before cards, and these have stated none this round: {names}.")


def _check_numbers(
    situation: Situation, command: c.Draw, standing: Balance, drawing: Sequence[int], round_: Round
) -> None:
    """As many cards as the Balance says, and one more only where it takes the Excuse's place."""
    due = {party: rules.cards_due(standing, party) for party in drawing}
    total = sum(due.values())
    if command.count not in (None, total):
        raise Refused(f"{_dues(situation, standing, due)}, not {command.count}.")
    if not situation.luck.called:
        return
    given = situation.luck.rest()
    cards = (*(command.results or ()), *(card for hand in round_.hands.values() for card in hand))
    excused = round_.excused is None and EXCUSE in map(spacetime.upright, cards)
    if given != total and not (excused and given == total + 1):
        raise Refused(f"{_dues(situation, standing, due)}, and {_were(given)} given.")


def _dues(situation: Situation, standing: Balance, due: Mapping[int, int]) -> str:
    numbers = ", ".join(f"{situation.name(party)} {n}" for party, n in due.items())
    where = _where_it_stands(situation.table, standing)
    return f"{where[0].upper()}{where[1:]}, so these draw: {numbers}"


def _were(number: int) -> str:
    return "1 card was" if number == 1 else f"{number} cards were"


def _where_it_stands(table: Table, standing: Balance) -> str:
    favoured = "" if standing.advantaged is None else f" for {table.name(standing.advantaged)}"
    return f"{standing.level}{favoured}"


def _resolve(dealing: Dealing, round_: Round, hands: rules.Hands) -> None:
    """What the round comes to; the Excuse's drawer gets another card, and a victory is a victory."""
    situation = dealing.situation
    state = play(situation.here)
    flow = rules.flow(
        state.standing,
        hands,
        multi_party=MultiParty(situation.option("multi_party")),
        beats_table=BeatsTable(situation.option("beats_table")),
    )
    dealing.events.append(_flow_resolved(situation.here, round_.number, flow))
    drawer = rules.excuse_drawer(hands)
    if drawer is not None and round_.excused is None:
        dealing.discard_excuse(drawer)
        if not situation.luck.called or situation.luck.rest():
            dealing.replace_excuse(drawer)
    if flow.after.level is Level.VICTORY and flow.after.advantaged is not None:
        dealing.events.append(s.VictoryReached(conflict=situation.here.id, who=flow.after.advantaged))


def _flow_resolved(here: OpenConflict, number: int, flow: rules.Flow) -> s.FlowResolved:
    return s.FlowResolved(
        conflict=here.id,
        round=number,
        rule=flow.rule,
        level_before=flow.before.level,
        advantaged_before=flow.before.advantaged,
        level=flow.after.level,
        advantaged=flow.after.advantaged,
        why=tuple(
            s.Compared(
                party=pair.party, card=pair.card, other=pair.other, against=pair.against, result=pair.result
            )
            for pair in flow.why
        ),
        order=rules.narration_order(flow, parties(here)),
    )


# --- obstacles and challenges -----------------------------------------------------------------------------


def _draw_costs(situation: Situation, command: c.Draw, declared: int | None = None) -> list[Event]:
    """Cards against an obstacle that gives way in the end, one at a time, each of them a cost."""
    acting = parties(situation.here)
    now = Now.of(situation)
    if declared is not None:
        now = Now([], _copied(now.round, now.round.tactics | {declared}), now.pile)
    drawing = acting if command.who is None else (_party(situation, command.who, "draws", acting),)
    _all_have_tactics(situation, now.round)
    _one_at_a_time(command)
    dealing = Dealing(situation, now.pile, [])
    for party in drawing:
        several = situation.luck.called and len(drawing) == 1
        for _ in range(max(1, situation.luck.rest()) if several else 1):
            dealing.cards(party, 1, "obstacle")
    return dealing.events


def _one_at_a_time(command: c.Draw) -> None:
    if command.count not in (None, 1):
        raise Refused("Here one card is drawn at a time: draw NAME.")


def _draw_challenge(situation: Situation, command: c.Draw) -> list[Event]:
    """First the challenge's own cards, as many as its rank; then one of the player's at a time."""
    here, state = situation.here, play(situation.here)
    challenge = _challenge(situation)
    (acting,) = parties(here)
    if challenge.attribute is None:
        name = situation.name(acting)
        raise Refused(f"Before cards {name} declares attribute and means: declare {name} unknown=4: means.")
    dealing = Dealing(situation, Now.of(situation).pile, [])
    who = None if command.who is None else _side(situation, command.who)
    if challenge.laid is None:
        if who == acting:
            name = situation.name(state.obstacle or 0)
            raise Refused(f"The challenge lays its {challenge.rank} cards first: draw {name}.")
        _lay(dealing, state.obstacle or 0, acting, challenge, command.count)
        return dealing.events
    if who not in (None, acting):
        raise Refused(
            f"{situation.name(who or 0)} has laid its cards: it is {situation.name(acting)} who draws."
        )
    _one_at_a_time(command)
    situation.nothing_pending(situation.here)
    _meet(dealing, acting, challenge, challenge.attribute)
    return dealing.events


def _lay(dealing: Dealing, obstacle: int, acting: int, challenge: Challenge, count: int | None) -> None:
    """The challenge's cards, up to the Excuse, and what those reversed make the cost."""
    situation = dealing.situation
    if count not in (None, challenge.rank):
        raise Refused(f"The challenge's rank is {challenge.rank}: it lays as many cards.")
    turned: list[str] = []
    while len(turned) < challenge.rank and EXCUSE not in map(spacetime.upright, turned):
        if situation.luck.called and not situation.luck.rest():
            given = len(turned)
            raise Refused(f"The challenge lays {challenge.rank} cards, and {_were(given)} given.")
        turned += dealing.cards(obstacle, 1, "challenge")
    if Card.of(turned[-1]).is_excuse:
        dealing.discard_excuse(obstacle)
    raised = sum(Card.of(card).reversed for card in rules.laid(turned, challenge.rank))
    if raised:
        cost = raised - (challenge.attribute or 0)
        dealing.events.append(s.CostRaised(conflict=situation.here.id, who=acting, by=raised, cost=cost))


def _meet(dealing: Dealing, acting: int, challenge: Challenge, attribute: int) -> None:
    """The player's next card, or all those called out, until the challenge stops them."""
    situation = dealing.situation
    laid, drawn = challenge.laid or (), list(challenge.drawn)
    while True:
        drawn += dealing.cards(acting, 1, "challenge")
        meeting = rules.meet(attribute, laid, drawn)
        card = Card.of(drawn[-1])
        if card.reversed and not card.is_excuse:
            dealing.events.append(
                s.CostRaised(conflict=situation.here.id, who=acting, by=1, cost=meeting.cost)
            )
        if meeting.ended is not None:
            break
        if not situation.luck.rest():
            return
    if situation.luck.rest():
        why = "the Excuse" if meeting.ended is Ended.EXCUSE else "a wipe-out"
        raise Refused(f"{drawn[-1]} is {why} and stops the drawing: no card comes after it.")
    if meeting.ended is Ended.EXCUSE:
        dealing.discard_excuse(acting)
    dealing.events.append(s.DrawingStopped(conflict=situation.here.id, who=acting, why=meeting.ended.value))
    if not (meeting.ended is Ended.WIPE_OUT and meeting.success):
        dealing.events.append(_met(situation, acting, meeting, success=meeting.success))


def _met(situation: Situation, who: int, meeting: rules.Meeting, *, success: bool) -> s.ChallengeMet:
    return s.ChallengeMet(
        conflict=situation.here.id,
        who=who,
        outcome="success" if success else "failure",
        cost=meeting.cost,
        effect=meeting.effect,
    )


def stop(situation: Situation, command: Stop) -> list[Event]:
    """The player draws no more, and the challenge comes out as it stands."""
    challenge = _challenge(situation)
    _not_over(situation)
    situation.nothing_pending(situation.here)
    who = _party(situation, command.who, "stops drawing", parties(situation.here))
    meeting = challenge.stands()
    if meeting is None or (challenge.rank and not challenge.drawn):
        name = situation.name(who)
        raise Refused(f"{name} has drawn nothing: not to draw at all is to refuse (refuse {name}).")
    return [
        s.DrawingStopped(conflict=situation.here.id, who=who, why="choice", text=command.text),
        _met(situation, who, meeting, success=meeting.success),
    ]


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """The player will not draw: the challenge fails at no cost, and they gain a Sleeve card."""
    challenge = play(situation.here).challenge
    if challenge is None:
        raise Refused("Nothing is offered here; what can be refused is drawing against a challenge.")
    _not_over(situation)
    who = _party(situation, command.who, "refuses to draw", parties(situation.here))
    if challenge.drawn:
        name = situation.name(who)
        raise Refused(f"{name} has drawn already: no more cards is to stop (stop {name}).")
    total = shelf(situation.table).sleeve.get(who, 0) + rules.DECLINED.sleeve
    return [
        s.DrawRefused(conflict=situation.here.id, who=who, text=command.text),
        _met(situation, who, rules.DECLINED, success=False),
        s.SleeveGained(conflict=situation.here.id, who=who, total=total),
    ]


def _challenge(situation: Situation) -> Challenge:
    challenge = play(situation.here).challenge
    if challenge is None:
        raise Refused("There is no challenge here to stop drawing against (mode=challenge).")
    return challenge


def add_complication(situation: Situation, command: AddComplication) -> list[Event]:
    """One text for each card an acting party drew against an obstacle."""
    here, state = situation.here, play(situation.here)
    if state.obstacle is None:
        raise Refused("Complications come from cards drawn against an obstacle, and there is none here.")
    if state.mode is Mode.CHALLENGE:
        raise Refused("A challenge has a cost in place of Complications.")
    owing = [party for party in parties(here) if state.owed(party) > 0]
    acting = parties(here)
    who = _party(situation, command.who, "has the Complication", owing or acting)
    if state.owed(who) < 1:
        cards = state.cards.get(who, 0)
        drawn = "1 card" if cards == 1 else f"{cards} cards"
        raise Refused(f"{situation.name(who)} has drawn {drawn} and has a Complication for each.")
    return [s.ComplicationAdded(conflict=here.id, who=who, text=command.text)]


# --- telling ----------------------------------------------------------------------------------------------


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Each party tells its own part after the flow; before it anybody may set things up."""
    if command.at is not None:
        return speech.narrate(situation, command)
    state = play(situation.here)
    who = _narrator(situation, state, command.who)
    if who == state.obstacle:
        raise Refused(f"{situation.name(who)} is an obstacle and tells nothing: narrate gm does.")
    return speech.narrate(situation, command.model_copy(update={"who": who}))


def _narrator(situation: Situation, state: Play, who: int | None) -> int:
    here = situation.here
    resolved = state.round.flow is not None or state.over
    if who is None:
        due = _to_tell(state)
        if due:
            return due[0]
        if resolved:
            raise Refused("Every party has told its part of this round: say who narrates (narrate gm: …).")
        return GM
    party = here.side_of(who)
    if party is not None:
        return party
    if resolved and who != GM:
        names = _names(situation, parties(here))
        raise Refused(f"{situation.name(who)} is no party here: each party tells its own part ({names}).")
    return who


def _to_tell(state: Play) -> tuple[int, ...]:
    """Whose telling is due: those whose narration was struck, then the others in their order."""
    struck = sorted(state.round.struck)
    return (*struck, *(party for party in state.round.untold if party not in struck))


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """By a token; or, at no cost, by the game master's veto or in a matter of one's own party."""
    if command.veto and command.own:
        raise Refused("A veto is the game master's, --own a party's: give one of the two.")
    whose = situation.here.side_of(command.whose)
    command = command.model_copy(update={"whose": command.whose if whose is None else whose})
    if command.veto:
        return [speech.struck(situation, command, "veto")]
    if command.own:
        _check_own(situation, command.by)
        return [speech.struck(situation, command, "own")]
    struck = speech.struck(situation, command, "token")
    spender = holder(situation.table, command.by)
    if tokens(situation.table, spender) < 1:
        raise Refused(
            f"{situation.name(spender)} has no token left this session; the game master's --veto is free, "
            "and so is what concerns one's own party (--own)."
        )
    return [*_tokens_for(situation, [spender]), struck]


def _check_own(situation: Situation, by: int) -> None:
    people = situation.here.people
    players = {holder(situation.table, person) for person in people}
    if by not in people and by not in players:
        raise Refused(
            f"{situation.name(by)} has no party here: --own puts right what is said of one's own party."
        )


def _tokens_for(situation: Situation, people: Iterable[int]) -> list[Event]:
    """A purse for each of these people's players who has had none."""
    held = shelf(situation.table).tokens
    new = tuple(dict.fromkeys(holder(situation.table, person) for person in people))
    lacking = tuple(person for person in new if person not in held)
    return [s.TokensGiven(people=lacking, each=each(situation.table))] if lacking else []


def begin_session(situation: Situation) -> list[Event]:
    """At the start of an evening every player and the game master has all their tokens again."""
    table = situation.table
    players = [somebody.id for somebody in table.everybody() if somebody.role == "player"]
    people = [GM, *players, *shelf(table).tokens]
    full = tuple(dict.fromkeys(holder(table, person) for person in people))
    return [s.TokensGiven(people=full, each=each(table))]


# --- stopping and ending ----------------------------------------------------------------------------------


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """A party gives up, and that stops the conflict; or, by the table's option, the others go on."""
    _not_over(situation)
    here = situation.here
    who = _party(situation, command.who, "concedes", parties(here))
    others = [party for party in here.leads if party != who]
    if situation.option("stop_scope") == "conflict":
        winner = others[0] if len(others) == 1 else None
        stopped = s.ConflictStopped(conflict=here.id, who=who, how="conceded", text=command.text)
        return [stopped, *_cards_away(situation), _ended(here, "conceded", winner)]
    if play(here).drawing:
        missing = [party for party in here.leads if party not in play(here).round.hands]
        names = _names(situation, missing)
        raise Refused(f"Cards are on the table: first the others draw ({names}), then a party may leave.")
    left = s.PartyLeft(conflict=here.id, who=who, text=command.text)
    staying = [party for party in parties(here) if party != who]
    if len(others) == 1 or not staying:
        return [left, *_cards_away(situation), _ended(here, "conceded", others[0])]
    if play(here).standing.advantaged == who:
        return [left, _balance_set(here.id, Balance())]
    return [left]


def postpone(situation: Situation, command: Postpone) -> list[Event]:
    """A party stops the conflict for now."""
    _not_over(situation)
    here = situation.here
    who = _party(situation, command.who, "postpones", parties(here))
    return [
        s.ConflictStopped(conflict=here.id, who=who, how="postponed", text=command.text),
        *_cards_away(situation),
        _ended(here, "postponed", None),
    ]


def _ended(conflict: OpenConflict, how: str, winner: int | None, text: c.Text = None) -> e.ConflictEnded:
    return e.ConflictEnded(conflict=conflict.id, how=how, winner=winner, text=text)


def _cards_away(situation: Situation) -> list[Event]:
    """The end of the round, where any of this conflict's cards lie on the table."""
    pile = shelf(situation.table).pile
    return [_round_ended(situation)] if pile and lies(pile, situation.here.id) else []


def end(situation: Situation, command: c.End) -> list[Event]:
    """The table ends the conflict; one that has come out ends as it came out, also with the session."""
    state = play(situation.here)
    if not state.over:
        if command.how is not None and fold(command.how) == "victory" and command.winner is None:
            raise Refused("Say who has won: end conflict victory NAME.")
        return conflicts.end(situation, command)
    if command.what == "session":
        return [*_come_out(situation, None), *conflicts.end(situation, command)]
    if command.what == "scene":
        return conflicts.end(situation, command)
    return _end_as_it_came_out(situation, command)


def _end_as_it_came_out(situation: Situation, command: c.End) -> list[Event]:
    here = situation.here
    how, winner = _verdict(play(here))
    other = command.winner is not None and here.side_of(command.winner) != winner
    if other or (command.how is not None and fold(command.how) != how):
        known = how if winner is None else f"{how} {situation.name(winner)}"
        raise Refused(f"This conflict has come out: it ends as {known} (end conflict).")
    return _come_out(situation, command.text)


def _come_out(situation: Situation, text: c.Text) -> list[Event]:
    return [*_cards_away(situation), _ended(situation.here, *_verdict(play(situation.here)), text)]


def _verdict(state: Play) -> tuple[str, int | None]:
    """How a conflict that is over ends, and who has won it."""
    met = state.challenge.met if state.challenge else None
    if met is None:
        return "victory", state.winner
    return ("victory", met.who) if met.outcome == "success" else ("failure", None)


def open_another(situation: Situation, command: c.OpenConflict) -> list[Event]:
    """Another conflict opens; the one last spoken to, if it has come out, ends before."""
    ended = _come_out(situation, None) if play(situation.here).over else []
    return [*ended, *conflicts.open_conflict(situation, command)]


def close(situation: Situation, how: str) -> list[Event]:
    """A conflict ends with its cards among the discards."""
    if how not in ENDINGS:
        raise Refused(f"The table ends a conflict as stalemate or as victory NAME, not as {how}.")
    return _cards_away(situation)


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """The deck is made whole between rounds; what lies on the table in another conflict stays there."""
    if command.who is not None:
        raise Refused("Here one deck serves everybody: shuffle.")
    now = Now.of(situation)
    if lies(now.pile, situation.here.id):
        raise Refused("Cards are on the table: the deck can be shuffled when the round has its flow.")
    if any(isinstance(event, e.DeckShuffled) for event in now.before):
        return now.before
    return [*now.before, _shuffled(situation.here.id, "asked")]


# --- questions and rulings --------------------------------------------------------------------------------


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """What waits for the table: a wipe-out that is also a success; and, in no hurry, what is still owed."""
    state = play(conflict)
    questions = []
    if state.challenge is not None and state.challenge.stopped == Ended.WIPE_OUT and not state.over:
        asked = "The challenge is beaten and the cost is a wipe-out: which is it?"
        questions.append(Question(WIPED_OUT, asked, ("success", "failure"), conflict.id))
    for party in parties(conflict):
        owed = state.owed(party)
        if owed > 0:
            many = "1 Complication is" if owed == 1 else f"{owed} Complications are"
            asked = f"{many} to be told of {table.name(party)} (complication {table.name(party)}: …)."
            questions.append(Question("complications", asked, (), conflict.id, blocks=False))
    if state.round.owes is not None:
        name = table.name(state.round.owes)
        asked = f"{name} has no card in place of the Excuse yet (draw {name})."
        questions.append(Question("excuse", asked, (), conflict.id, blocks=False))
    for party in sorted(state.round.struck):
        name = table.name(party)
        asked = f"{name}'s narration was struck: {name} tells it anew (narrate {name}: …)."
        questions.append(Question("narration", asked, (), conflict.id, blocks=False))
    return tuple(questions)


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """The table said what a wipe-out that is also a success is; the rest is told, not ruled."""
    challenge = play(situation.here).challenge
    meeting = challenge.stands() if challenge else None
    if ruling.question != WIPED_OUT or meeting is None:
        raise Refused(f"That is not for a ruling: {_how_else(situation, ruling.question)}")
    (who,) = parties(situation.here)
    return [_met(situation, who, meeting, success=ruling.answer == "success")]


def _how_else(situation: Situation, question: str | None) -> str:
    return next(one.asked for one in pending(situation.table, situation.here) if one.name == question)


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """A ruling on tokens, Sleeve cards or the Balance."""
    return [event for setting in ruling.sets for event in _set(situation, setting)]


def _set(situation: Situation, setting: e.Setting) -> list[Event]:
    what = fold(setting.what)
    if what == "balance" and setting.person is None:
        return _set_balance(situation, setting)
    if what not in ("tokens", "sleeve") or setting.person is None:
        raise Refused(
            "A ruling sets NAME.tokens, NAME.sleeve or balance here, such as: ruling Ana.tokens+=1: why."
        )
    if what == "tokens":
        who = holder(situation.table, setting.person)
        value = _arithmetic(setting)(tokens(situation.table, who))
        return [s.NumberSet(who=who, what="tokens", value=_from_zero(value))]
    value = _arithmetic(setting)(shelf(situation.table).sleeve.get(setting.person, 0))
    return [s.NumberSet(who=setting.person, what="sleeve", value=_from_zero(value))]


def _set_balance(situation: Situation, setting: e.Setting) -> list[Event]:
    if situation.conflict is None or setting.op != "=":
        raise Refused(f"Inside a conflict a ruling sets balance={BALANCES}|victory:NAME.")
    here, state = situation.here, play(situation.here)
    if state.mode is not Mode.CONFLICT:
        raise Refused("No Balance is kept while cards are drawn against an obstacle.")
    if state.drawing:
        raise Refused("Cards are on the table for the Balance as it stands: let the others draw first.")
    standing = _standing(situation, str(setting.value), here.sides)
    events: list[Event] = [_balance_set(here.id, standing)]
    if standing.level is Level.VICTORY and standing.advantaged is not None:
        events.append(s.VictoryReached(conflict=here.id, who=standing.advantaged))
    return events


def _arithmetic(setting: e.Setting) -> Callable[[int], int]:
    if not isinstance(setting.value, int):
        raise Refused(f"{setting.what} is a number, not {setting.value}.")
    value = setting.value
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


def read_sheet(key: str, value: str) -> NoReturn:
    """Nothing is kept on a sheet: an attribute is said with the declaration that uses it."""
    raise Refused(f"Space·Time keeps no sheet, so no {key}={value}: declare NAME unknown=4: the means.")


# --- where it stands --------------------------------------------------------------------------------------


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the conflict stands, for a toolbar."""
    state = play(conflict)
    if state.challenge is not None:
        return _challenge_turn(table, conflict, state.challenge)
    if state.mode is Mode.DRAW_UNTIL_SUCCESS:
        acting = parties(conflict)
        owed = sum(map(state.owed, acting))
        stating = [party for party in acting if party not in state.round.tactics]
        step = _who(table, "tactics", stating) if stating else _who(table, "draws", acting)
        return f"obstacle · {step}" + (f" · complications: {owed}" if owed else "")
    where = f"round {state.round.number} · {_where_it_stands(table, state.standing)}"
    return f"{where} · {_step(table, conflict, state)}"


def _step(table: Table, conflict: OpenConflict, state: Play) -> str:
    round_ = state.round
    if round_.flow is None:
        stating = [party for party in parties(conflict) if party not in round_.tactics]
        if stating and not round_.hands and chosen(table, "require_tactics") == "yes":
            return _who(table, "tactics", stating)
        return _who(table, "to draw", [party for party in conflict.leads if party not in round_.hands])
    due = _to_tell(state)
    if due:
        return f"{table.name(due[0])} narrates"
    return "end conflict" if state.over else "told; tactics, or stop"


def _challenge_turn(table: Table, conflict: OpenConflict, challenge: Challenge) -> str:
    (acting,) = parties(conflict)
    name = table.name(acting)
    stands = challenge.stands()
    if challenge.attribute is None:
        return f"challenge · {name} declares means and attribute"
    if stands is None:
        return f"challenge · it lays {challenge.rank}"
    where = f"challenge · cost {stands.cost} · effect {stands.effect}" + (
        " · beaten" if stands.success else ""
    )
    if challenge.met is not None:
        return f"{where} · {challenge.met.outcome}"
    if challenge.stopped is not None:
        return f"{where} · success or failure: rule on it"
    return f"{where} · {name} draws or stops"


def _who(table: Table, what: str, people: Iterable[int]) -> str:
    return f"{what}: {', '.join(map(table.name, people))}"


# --- who speaks -------------------------------------------------------------------------------------------


def _not_over(situation: Situation) -> None:
    state = play(situation.here)
    if state.winner is not None:
        raise Refused(f"{situation.name(state.winner)} has won: tell the last round, then end conflict.")
    if state.over:
        raise Refused("The challenge is met: tell how, then end conflict.")


def _side(situation: Situation, who: int) -> int:
    """The party `who` belongs to, an obstacle also."""
    party = situation.here.side_of(who)
    if party is None:
        names = _names(situation, situation.here.leads)
        raise Refused(f"{situation.name(who)} is no party to this conflict ({names}).")
    return party


def _party(situation: Situation, who: int | None, does: str, candidates: Sequence[int]) -> int:
    """The party `who` belongs to, which is no obstacle; left out, the only candidate."""
    if who is None and len(candidates) == 1:
        return candidates[0]
    if who is None:
        raise Refused(f"Say who {does}: {_names(situation, candidates or parties(situation.here))}.")
    party = _side(situation, who)
    if party == play(situation.here).obstacle:
        names = _names(situation, parties(situation.here))
        raise Refused(f"{situation.name(party)} is an obstacle, and never {does}: that is for {names}.")
    return party


def _names(situation: Situation, people: Iterable[int]) -> str:
    return ", ".join(dict.fromkeys(map(situation.name, people)))


DECIDE: Mapping[type[Command], Decision] = {
    c.OpenConflict: open_another,
    c.End: end,
    c.Declare: declare,
    c.Narrate: narrate,
    c.Overrule: overrule,
    c.Concede: concede,
    c.Refuse: refuse,
    c.Draw: draw,
    c.Shuffle: shuffle,
    DesireOutcome: desire_outcome,
    Reformulate: reformulate,
    Postpone: postpone,
    AddComplication: add_complication,
    Stop: stop,
}
