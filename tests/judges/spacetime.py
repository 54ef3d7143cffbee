"""Space·Time as a plain reader of docs/rules/spacetime.md would judge it: card by card, pair by pair.

Nothing of journal/systems/spacetime but its events is known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from journal.systems import SYSTEMS
from journal.systems.spacetime import events as s
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words
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
CARDS = 67
EXCUSE = "Excuse"


def lying(card: str) -> str:
    """The card itself, whichever way up it lies."""
    return card.removesuffix(":r")


def beats(one: str, other: str, *, numeric: bool) -> bool:
    """§2, whether the first wins."""
    mine, theirs = (int(card[1:]) if card.startswith("T") else 0 for card in (one, other))
    if mine or theirs or numeric:
        return mine > theirs
    return other.partition(":")[0] in BEATEN_BY[one.partition(":")[0]]


@dataclass
class Judge:
    """Plays conflicts of Space·Time at random; the real game is held to what the rules say of each round."""

    luck: Random
    line: SeededLine
    parties: list[tuple[int, ...]]
    options: Mapping[str, str]
    level: str = "balanced"
    ahead: int | None = None
    table: list[str] = field(default_factory=list)
    out: set[str] = field(default_factory=set)

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five parties, a Balance and options drawn from `seed`; their conflict is open."""
        luck = Random(seed)
        line = SeededLine(f"spacetime {seed}".encode())
        parties, person = [], 0
        for _ in range(luck.randint(2, 5)):
            party = tuple(range(person + 1, person + 1 + luck.randint(1, 2)))
            line.add(*(e.CastIntroduced(person=one, name=Words(f"N{one}")) for one in party))
            parties.append(party)
            person = party[-1]
        options = {
            "multi_party": luck.choice(["all", "majority"]),
            "beats_table": luck.choice(["author", "author", "numeric"]),
            "reshuffle": luck.choice(["when_empty", "every_round"]),
        }
        judge = cls(luck, line, parties, options)
        judge.level = luck.choice(["balanced", "unbalanced", "overwhelming"])
        judge.ahead = None if judge.level == "balanced" else luck.choice(parties)[0]
        balance = judge.level if judge.ahead is None else f"{judge.level}:{judge.ahead}"
        line.play(c.OpenConflict(system="spacetime", sides=tuple(parties), setup={"balance": balance}))
        line.play(c.SetOption(values=dict(options)))
        return judge

    # --- a round ------------------------------------------------------------------------------------------

    def round(self) -> bool:
        """Plays one round; False once somebody has won."""
        if self.level == "victory":
            return False
        for party in self.luck.sample(self.parties, len(self.parties)):
            self._sees(self.line.play(c.Declare(who=self.luck.choice(party), text=Words("We push."))))
        hands: dict[int, list[str]] = {}
        events = self._drawn(hands)
        assert {lead: len(hand) for lead, hand in hands.items()} == {
            party[0]: self._due(party[0]) for party in self.parties
        }
        if self.options["reshuffle"] == "every_round":
            assert self.out - set(self.table) <= {EXCUSE}
        (flow,) = [event for event in events if isinstance(event, s.FlowResolved)]
        rule = self._judged(hands)
        assert (flow.rule, flow.level, flow.advantaged) == (rule, self.level, self.ahead)
        stands = (self.level,) if self.ahead is None else (self.level, self.line.table.name(self.ahead))
        assert (
            SYSTEMS["spacetime"].facts["balance"].read(self.line.table, self.line.table.in_play(), None)
            == stands
        )
        return True

    def _due(self, lead: int) -> int:
        """§4: how many cards a party draws."""
        if self.level == "balanced":
            return 1
        return 2 if self.level == "overwhelming" or lead == self.ahead else 1

    def _drawn(self, hands: dict[int, list[str]]) -> list[Event]:
        events: list[Event] = []
        for party in self.luck.sample(self.parties, len(self.parties)):
            came = self.line.play(c.Draw(who=self.luck.choice(party)))
            events += came
            for event in came:
                if isinstance(event, e.CardsDrawn) and event.purpose == "flow":
                    hands.setdefault(party[0], []).extend(map(lying, event.cards))
            self._sees(came)
        return events

    def _sees(self, events: Sequence[Event]) -> None:
        """§1: follows every card; none is drawn that is out, and the deck is made whole when it may be."""
        for event in events:
            match event:
                case e.DeckShuffled():
                    self._made_whole()
                case e.CardsDrawn():
                    for card in map(lying, event.cards):
                        assert card not in self.out, f"{card} is out already"
                        self.out.add(card)
                        self.table.append(card)
                case s.RoundEnded():
                    self.table = []
                case s.ExcuseDiscarded():
                    self.table.remove(EXCUSE)

    def _made_whole(self) -> None:
        if self.options["reshuffle"] == "when_empty":
            assert len(self.out) == CARDS
        self.out = set(self.table)

    # --- what it comes to ---------------------------------------------------------------------------------

    def _judged(self, hands: Mapping[int, Sequence[str]]) -> str:
        """§5: the first rule that fits, which moves the Balance; its name."""
        if any(EXCUSE in hand for hand in hands.values()):
            self._steps(BACK[self.level], self.ahead)
            return "excuse"
        if self.level == "balanced":
            return self._from_balanced(hands)
        assert self.ahead is not None
        others = [lead for lead in hands if lead != self.ahead]
        won = [lead for lead in others if any(self._pairs(hands, lead))]
        lost = [lead for lead in others if self._lost(hands, lead)]
        if self._enough(won, others):
            self._steps(ON[self.level], self.ahead)
            return "up"
        if self._enough(lost, others):
            self._steps(BACK[self.level], self.ahead)
            return "down"
        return "same"

    def _from_balanced(self, hands: Mapping[int, Sequence[str]]) -> str:
        for lead, (card,) in hands.items():
            if all(self._beats(card, other) for one, (other,) in hands.items() if one != lead):
                self._steps("unbalanced", lead)
                return "win"
        return "stalemate"

    def _pairs(self, hands: Mapping[int, Sequence[str]], lead: int) -> list[bool]:
        return [self._beats(mine, card) for mine in hands[self.ahead or 0] for card in hands[lead]]

    def _lost(self, hands: Mapping[int, Sequence[str]], lead: int) -> bool:
        return all(self._beats(card, mine) for mine in hands[self.ahead or 0] for card in hands[lead])

    def _enough(self, some: Sequence[int], others: Sequence[int]) -> bool:
        return (
            2 * len(some) > len(others)
            if self.options["multi_party"] == "majority"
            else len(some) == len(others)
        )

    def _beats(self, one: str, other: str) -> bool:
        return beats(one, other, numeric=self.options["beats_table"] == "numeric")

    def _steps(self, level: str, ahead: int | None) -> None:
        self.level, self.ahead = level, None if level == "balanced" else ahead
