"""Space·Time as a plain reader of docs/rules/spacetime.md would judge it: card by card, pair by pair.

It types lines, as the table does; nothing of retold/games/spacetime but its events is known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from retold.games.spacetime import events as s
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from tests.judges.typing import typed
from tests.scenario import SeededLine

BEATEN_BY = {
    "rock": ("blades", "serpent"),
    "paper": ("rock", "unknown"),
    "blades": ("paper", "serpent"),
    "serpent": ("paper", "unknown"),
    "unknown": ("rock", "blades"),
}
"""§2: each suit, and the two that it beats."""

BACK = {"balanced": "balanced", "unbalanced": "balanced", "overwhelming": "unbalanced"}
ON = {"balanced": "unbalanced", "unbalanced": "overwhelming", "overwhelming": "victory"}
CARDS = {"none": 67, "suits": 77}
EXCUSE = "Excuse"


def lying(card: str) -> str:
    """The card itself, whichever way up it lies."""
    return card.removesuffix(":r")


def beats(one: str, other: str, *, numeric: bool) -> bool:
    """§2, whether the first wins; neither is the Excuse."""
    mine, theirs = (int(lying(card)[1:]) if card.startswith("T") else 0 for card in (one, other))
    if mine or theirs or numeric:
        return mine > theirs
    return other.partition(":")[0] in BEATEN_BY[one.partition(":")[0]]


@dataclass
class Deck:
    """§1: the one deck, every card of which is in one place."""

    options: Mapping[str, str]
    table: list[str] = field(default_factory=list)
    out: set[str] = field(default_factory=set)

    def sees(self, events: Sequence[Event]) -> None:
        """Follows every card; none is drawn that is out, and the deck is made whole when it may be."""
        for event in events:
            match event:
                case e.DeckShuffled():
                    self._made_whole()
                case e.CardsDrawn():
                    for card in event.cards:
                        self._drawn(card)
                case s.RoundEnded() | s.ConflictReformulated() | e.ConflictEnded():
                    self.table = []
                case s.ExcuseDiscarded():
                    self.table.remove(EXCUSE)

    def _drawn(self, card: str) -> None:
        assert self.options["orientation"] == "random" or not card.endswith(":r")
        assert lying(card) not in self.out, f"{card} is out already"
        self.out.add(lying(card))
        self.table.append(lying(card))

    def _made_whole(self) -> None:
        if self.options["reshuffle"] == "when_empty":
            assert len(self.out) == CARDS[self.options["blank_cards"]]
        self.out = set(self.table)


@dataclass(eq=False)
class Party:
    """Who is in it, by name, the first of whom it is known by; and what it has this round."""

    people: list[str]
    cards: list[str] = field(default_factory=list)
    said: bool = False
    due: int = 0
    """The Complications it has still to tell."""
    excused: bool = False
    """Whether it has discarded the Excuse in this round."""
    instead: list[str] = field(default_factory=list)
    """The card drawn in the Excuse's place."""

    @property
    def hand(self) -> list[str]:
        """§5: what lies before it, without an Excuse that is discarded."""
        return [*(card for card in self.cards if not (self.excused and card == EXCUSE)), *self.instead]

    @property
    def name(self) -> str:
        return self.people[0]


@dataclass
class Judge:
    """Plays conflicts of Space·Time at random; the real game is held to what the rules say of each round."""

    luck: Random
    line: SeededLine
    options: dict[str, str]
    deck: Deck
    parties: list[Party] = field(default_factory=list)
    obstacle: Party | None = None
    gone: list[Party] = field(default_factory=list)
    level: str = "balanced"
    ahead: Party | None = None
    tokens: dict[str, int] = field(default_factory=dict)
    people: int = 0
    rounds: int = 0
    over: bool = False

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five parties, one of them perhaps an obstacle; a Balance and options drawn from `seed`."""
        luck = Random(seed)
        choices = {
            "multi_party": ["all", "majority"],
            "beats_table": ["author", "author", "numeric"],
            "reshuffle": ["when_empty", "every_round", "every_conflict"],
            "stop_scope": ["conflict", "party"],
            "require_tactics": ["yes", "yes", "no"],
            "overrule_tokens": ["0", "1", "3"],
            "orientation": ["random", "chosen", "ignored"],
            "blank_cards": ["none", "suits"],
        }
        options = {key: luck.choice(values) for key, values in choices.items()}
        judge = cls(luck, SeededLine(f"spacetime {seed}".encode()), options, Deck(options))
        judge.type("option " + " ".join(f"spacetime.{key}={value}" for key, value in options.items()))
        judge.type("cast gm by=Gus")
        for _ in range(luck.randint(2, 5)):
            judge.parties.append(Party([judge._cast() for _ in range(luck.randint(1, 2))]))
        judge.type("session A night")
        judge.tokens["Gus"] = int(options["overrule_tokens"])
        if luck.random() < 0.3:
            judge.type("cast Cliff")
            judge.obstacle = Party(["Cliff"])
            judge.parties.append(judge.obstacle)
        judge.level = luck.choice(["balanced", "unbalanced", "overwhelming"])
        judge.ahead = None if judge.level == "balanced" else luck.choice(judge.parties)
        judge.type(f"conflict spacetime {judge._sides()} {judge._balance()}" + judge._against())
        return judge

    def _against(self) -> str:
        return " obstacle=Cliff mode=conflict" if self.obstacle else ""

    def _sides(self) -> str:
        return " vs ".join("+".join(party.people) for party in self.parties)

    def _balance(self) -> str:
        return f"balance={self.level}" + (f":{self.ahead.name}" if self.ahead else "")

    def _cast(self) -> str:
        """Somebody new, whose player may have others."""
        self.people += 1
        name, player = f"N{self.people}", f"P{self.luck.randint(1, self.people)}"
        self.type(f"cast {name} by={player}")
        self.tokens.setdefault(player, int(self.options["overrule_tokens"]))
        return name

    def type(self, words: str) -> list[Event]:
        events = typed(self.line, words)
        self.deck.sees(events)
        return events

    def refused(self, words: str) -> None:
        with pytest.raises(Refused):
            typed(self.line, words)

    def fact(self, subject: str, name: str | None = None) -> tuple[str, ...]:
        table = self.line.table
        who = None if name is None else table.called(name)
        return SYSTEMS["spacetime"].facts[subject].read(table, table.in_play(), who)

    def _may(self, chance: float) -> bool:
        return self.luck.random() < chance

    @property
    def _acting(self) -> list[Party]:
        return [party for party in self.parties if party is not self.obstacle]

    # --- a round ------------------------------------------------------------------------------------------

    def round(self) -> bool:
        """Plays one round; False once the conflict is over."""
        self._between()
        if self.over:
            return False
        self._tactics()
        flow = self._draws()
        self.rounds += 1
        if flow is None:
            return not self.over
        assert (flow.rule, flow.level, flow.advantaged) == self._judged(flow.order)
        self._stands()
        self._tells()
        if self.level == "victory":
            self._is_won()
        for party in self.parties:
            party.cards, party.said = [], party is self.obstacle
            party.instead, party.excused = [], False
        return not self.over

    def _tactics(self) -> None:
        """§4: each states a tactic, all before anybody draws where the table requires it."""
        acting = self.luck.sample(self._acting, len(self._acting))
        for party in acting:
            if self.options["require_tactics"] == "yes":
                if self._may(0.1):
                    self.refused(f"draw {self.luck.choice(self.parties).name}")
            elif self._may(0.3) and party is not acting[0]:
                continue
            self.type(f"declare {self.luck.choice(party.people)}: We push.")
            party.said = True

    def _due(self, party: Party) -> int:
        """§4: how many cards a party draws."""
        if self.level == "balanced":
            return 1
        return 2 if self.level == "overwhelming" or party is self.ahead else 1

    def _draws(self) -> s.FlowResolved | None:
        """Everybody's cards, and what came meanwhile; None where there was no flow after all."""
        left = self.luck.sample(self.parties, len(self.parties))
        flows: list[s.FlowResolved] = []
        while left:
            if self._may(0.06):
                left += [self._late(party) for party in self._joins()]
            if self._may(0.06):
                self._leaves_in_a_round()
            if left and self._may(0.02):
                self._reformulates()
                return None
            party = left.pop()
            who = "Cliff" if party is self.obstacle else self.luck.choice(party.people)
            events = self.type(f"draw {who}")
            self._sorts(events)
            assert len(party.cards) == self._due(party) or EXCUSE in party.cards
            flows = [event for event in events if isinstance(event, s.FlowResolved)]
            discarded = [one.who for one in events if isinstance(one, s.ExcuseDiscarded)]
            for one in self.parties:
                one.excused |= any(self.line.table.name(who) in one.people for who in discarded)
                assert [*map(lying, self.fact("hand", one.name))] == one.hand
            assert bool(flows) == (not left)
        if self.options["reshuffle"] == "every_round":
            assert self.deck.out - set(self.deck.table) <= {EXCUSE}
        return flows[0]

    def _sorts(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, e.CardsDrawn) and event.who is not None:
                name = self.line.table.name(event.who)
                (party,) = [party for party in self.parties if name in party.people]
                if event.purpose == "narration":
                    party.instead = [*map(lying, event.cards)]
                else:
                    party.cards += map(lying, event.cards)
                if self.obstacle and party is not self.obstacle:
                    party.due += len(event.cards)

    def _is_won(self) -> None:
        assert self.ahead is not None
        self.over = True
        assert self.fact("winner") == (self.ahead.name,)
        self.refused(f"draw {self.luck.choice(self.parties).name}")
        (ended,) = [v for v in self.type("end conflict") if isinstance(v, e.ConflictEnded)]
        assert ended.winner == self.line.table.called(self.ahead.name)

    # --- what it comes to ---------------------------------------------------------------------------------

    def _judged(self, order: Sequence[int]) -> tuple[str, str, int | None]:
        """§5: the first rule that fits, which moves the Balance; §6: the order in which it is told."""
        rule, winners, losers = self._flow()
        told = [*winners, *losers, *(one for one in self.parties if one not in (*winners, *losers))]
        names = [party.name for party in told if party is not self.obstacle]
        assert [self.line.table.name(who) for who in order] == names
        return rule, self.level, None if self.ahead is None else self.line.table.called(self.ahead.name)

    def _flow(self) -> tuple[str, list[Party], list[Party]]:
        """The rule, who won by it, and who lost."""
        if any(EXCUSE in party.cards for party in self.parties):
            self._steps(BACK[self.level], self.ahead)
            return "excuse", [], []
        if self.ahead is None:
            return self._from_balanced()
        ahead, others = self.ahead, [party for party in self.parties if party is not self.ahead]
        won = [one for one in others if any(self._beats(a, b) for a in ahead.cards for b in one.cards)]
        lost = [one for one in others if all(self._beats(b, a) for a in ahead.cards for b in one.cards)]
        if self._enough(won, others):
            self._steps(ON[self.level], ahead)
            return "up", [ahead], won
        if self._enough(lost, others):
            self._steps(BACK[self.level], ahead)
            return "down", lost, [ahead]
        return "same", [], []

    def _from_balanced(self) -> tuple[str, list[Party], list[Party]]:
        for one in self.parties:
            others = [party for party in self.parties if party is not one]
            if all(self._beats(one.cards[0], other.cards[0]) for other in others):
                self._steps("unbalanced", one)
                return "win", [one], others
        return "stalemate", [], []

    def _enough(self, some: Sequence[Party], others: Sequence[Party]) -> bool:
        majority = self.options["multi_party"] == "majority"
        return 2 * len(some) > len(others) if majority else len(some) == len(others)

    def _beats(self, one: str, other: str) -> bool:
        return beats(one, other, numeric=self.options["beats_table"] == "numeric")

    def _steps(self, level: str, ahead: Party | None) -> None:
        self.level, self.ahead = level, None if level == "balanced" else ahead

    def _stands(self) -> None:
        """What the real game says of Balance and hands is what is reckoned here."""
        ahead = () if self.ahead is None else (self.ahead.name,)
        assert self.fact("balance") == (self.level, *ahead)
        for party in self.parties:
            assert sorted(map(lying, self.fact("hand", party.name))) == sorted(party.hand)
        for player, left in self.tokens.items():
            assert self.fact("tokens", player) == (str(left),)

    # --- the telling --------------------------------------------------------------------------------------

    def _tells(self) -> None:
        """§6, §7: in any order; a telling that is struck is due again."""
        for party in self.luck.sample(self._acting, len(self._acting)):
            if self._may(0.3):
                who = self.luck.choice(party.people)
                self.type(f"narrate {who}: And then the lamps go out.")
                if self._may(0.5):
                    self._strikes(who)
        if self.obstacle:
            self.refused("narrate Cliff: I am a cliff.")
            for party in self._acting:
                if party.due and self._may(0.5):
                    self._complicates(party)

    def _strikes(self, who: str) -> None:
        """By a token, of which there are only so many; by veto or as one's own it costs nothing."""
        player = self.luck.choice([*self.tokens])
        how = self.luck.choice(["token", "token", "veto", "own"])
        if how == "token" and not self.tokens[player]:
            self.refused(f"overrule {player} {who}: No.")
        elif how == "token":
            self.type(f"overrule {player} {who}: No.")
            self.tokens[player] -= 1
        elif how == "veto":
            self.type(f"overrule Gus {who} --veto: No.")
        else:
            self.refused(f"overrule Gus {who} --own: No.")
            self.type(f"overrule {self.luck.choice(self._acting).name} {who} --own: No.")
        self._stands()

    def _complicates(self, party: Party) -> None:
        self.type(f"complication {self.luck.choice(party.people)}: The rope is short.")
        party.due -= 1

    def settles(self) -> None:
        """§8, §12: what is still owed is told after the end, each as often as it drew a card, and no more."""
        for party in [*self._acting, *self.gone]:
            while party.due:
                self._complicates(party)
        for party in [*self._acting, *self.gone]:
            self.refused(f"complication {party.name}: Another one.")

    # --- between two rounds -------------------------------------------------------------------------------

    def _between(self) -> None:
        happens = self.luck.random()
        if happens < 0.06:
            self._joins()
        elif happens < 0.12:
            self._leaves(self.luck.choice(self._acting))
        elif happens < 0.16:
            self._concedes(self.luck.choice(self._acting))
        elif happens < 0.17:
            events = self.type(f"postpone {self.luck.choice(self._acting).name}: Tomorrow.")
            self._ended(events, "postponed", None)
        elif happens < 0.22:
            self._reformulates()
        elif happens < 0.26:
            level = self.luck.choice(["balanced", "unbalanced", "overwhelming"])
            self._steps(level, self.luck.choice(self.parties))
            self.type(f"ruling {self._balance()}: The bridge is down.")

    def _ended(self, events: Sequence[Event], how: str, winner: Party | None) -> None:
        (ended,) = [event for event in events if isinstance(event, e.ConflictEnded)]
        assert ended.how == how
        assert ended.winner == (None if winner is None else self.line.table.called(winner.name))
        self.over = True

    def _joins(self) -> list[Party]:
        """§12: into a party, with what that has; or as one of their own, whose tactic and cards are due."""
        name = self._cast()
        if self._may(0.5):
            party = self.luck.choice(self._acting)
            self.type(f"join {name} {self.luck.choice(party.people)}")
            party.people.append(name)
            return []
        self.type(f"join {name}")
        party = Party([name])
        self.parties.append(party)
        return [party]

    def _late(self, party: Party) -> Party:
        """Who is one more party once others have drawn states a tactic like all of them."""
        if self.options["require_tactics"] == "yes":
            self.refused(f"draw {party.name}")
            self.type(f"declare {party.name}: Me too.")
        return party

    def _leaves_in_a_round(self) -> None:
        """§12: all a party had is under its next person's name; the last of one stays for the round."""
        party = self.luck.choice(self._acting)
        who = self.luck.choice(party.people)
        if len(party.people) > 1:
            self.type(f"leave {who}: I have a boat to catch.")
            party.people.remove(who)
            assert sorted(map(lying, self.fact("hand", party.name))) == sorted(party.cards)
        elif any(one.cards for one in self.parties):
            self.refused(f"leave {who}: I have a boat to catch.")

    def _leaves(self, party: Party) -> None:
        who = self.luck.choice(party.people)
        events = self.type(f"leave {who}: I have a boat to catch.")
        if len(party.people) > 1:
            party.people.remove(who)
        else:
            self._goes(party, events, "left")

    def _goes(self, party: Party, events: Sequence[Event], how: str) -> None:
        """§12: the others go on, balanced if the party had the advantage; the last one left has won."""
        self.parties.remove(party)
        self.gone.append(party)
        if len(self.parties) == 1:
            self._ended(events, how, self.parties[0])
        elif party is self.ahead:
            self._steps("balanced", None)

    def _concedes(self, party: Party) -> None:
        """§7: it stops the conflict for all, or for that party only."""
        others = [one for one in self.parties if one is not party]
        events = self.type(f"concede {self.luck.choice(party.people)}: Take it.")
        if self.options["stop_scope"] == "party":
            self._goes(party, events, "conceded")
        else:
            self._ended(events, "conceded", others[0] if len(others) == 1 else None)

    def _reformulates(self) -> None:
        """§12: everything begins again, with the sides that are named, or those there were."""
        people = [who for party in self._acting for who in party.people]
        sides = ""
        if self.obstacle is None and len(people) > 1 and self._may(0.6):
            self.luck.shuffle(people)
            cut = self.luck.randint(1, len(people) - 1)
            self.parties = [Party(people[:cut]), Party(people[cut:])]
            sides = self._sides() + " "
        self._steps(self.luck.choice(["balanced", "unbalanced"]), self.luck.choice(self.parties))
        self.type(f"reformulate {self._acting[0].name} {sides}{self._balance()}: Not like this.")
        assert self.fact("balance") == (self.level, *([self.ahead.name] if self.ahead else []))
        for party in self.parties:
            party.cards = []
            assert self.fact("hand", party.name) == ()
