"""Any game of a table's own against a second reading of its rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest

from retold.games.homebrew.options import game_names
from retold.journal.decks.chance import Luck
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.line import decide
from retold.journal.refused import Refused
from tests.exploring import seeds
from tests.judges.homebrew import Judge
from tests.scenario import SeededLine

PEOPLE = ("Zel", "Ned", "Rats", "Orc")
DICE = (
    *("2d6+1", "d20+3", "4d6kh3", "4d6dl1", "4d6kl2", "5d8dh2", "3d4!", "2d3!+1", "6d6r1", "6d6ro2"),
    *("5d6r<=2", "8d10>=7", "6d6<=2-1", "5d10!>=8", "6d4r1!kh3", "4dF+2", "2d20kh1+5", "d20 adv"),
    *("d20-2 dis", "d%", "2d6-1d4", "3d6x", "7d10t7", "100d2!", "3d6[fire]+2[haste]"),
)
VALUES = ("-3", "+2", "-9", "0", "4", "3/7", "on", "off", "2/2", "1/3")
CLOCK = ("+1", "+1", "-1", "+9", "4", "2/6", "done")
LINES = 60


class Evening:
    """A line that is typed to, and the judge that hears it."""

    def __init__(self, game: str, seed: int) -> None:
        self.luck, self.judge = Random(f"{game} {seed}"), Judge()
        self.line = SeededLine(f"{game} {seed}".encode())
        self.type(f"game {game}")
        self.game = self.judge.game
        for one in PEOPLE:
            stats = (f"{name}={self._of(stat)}" for name, stat in self.game.get("stats", {}).items())
            self.type(f"cast {one} homebrew {' '.join(stats)}")
        self.type("session A night")
        self.type("conflict Fight Zel+Ned vs Rats vs Orc")

    def _of(self, stat: dict[str, int]) -> int:
        return self.luck.randint(stat.get("least", -2), min(stat.get("most", 5), 60))

    def type(self, words: str) -> bool:
        """Whether it was taken; what came of it is judged."""
        try:
            command = bind(lex(words), Scope(self.line.table, int)).command
            luck = Luck(self.line.dealer, getattr(command, "results", None))
            events = decide(self.line.table, command, luck)
        except Refused:
            return False
        self.line.add(*events)
        self.judge.hears(command, events)
        return True

    def any_line(self) -> str:
        """Something that may be said in such a game, sense or nonsense."""
        pick, number, who = self.luck.choice, self.luck.randint, self.luck.choice(PEOPLE)
        stats, tracks = [*self.game.get("stats", {})], [*self.game.get("tracks", {}), "torches"]
        against = pick(["", f" vs {number(-2, 20)}", f" under {number(1, 90)}", f" vs {pick(PEOPLE)}"])
        lines = {
            self._move(who, pick(stats) if stats else "", against): 5,
            f"roll {who} {pick(DICE)}{against}": 4,
            f"roll {who} d20+{pick(stats or ['2'])}{against}": 1,
            f"track {who} {pick(tracks)} {pick(VALUES)}": 4,
            f"clock Tide {pick(CLOCK)}": 2,
            f"turn{pick(['', '', '', f' {who}'])}": 4,
            f"initiative{pick(['', f' {who}', f' {who} {number(-3, 25)}'])}": 3,
            f"{pick(['leave', 'join', 'join'])} {who}": 1,
            f"status {who}{pick(['', f'+{pick(PEOPLE)}'])} {self._condition()}{pick(['', '', ' off'])}": 3,
            f"rest {pick([*self.game.get('rests', {}), ''])} {who}+{pick(PEOPLE)}": 2,
            f"ruling {who}.{pick([*tracks, *stats])}={number(0, 12)}: so": 1,
        }
        return self.luck.choices([*lines], [*lines.values()])[0]

    def _condition(self) -> str:
        names: list[str] = [*self.game.get("conditions", {}), "wet"]
        return self.luck.choice(names)

    def _move(self, who: str, stat: str, against: str) -> str:
        moves = [*self.game.get("moves", {})]
        bonus = self.luck.choice(["", " +1", " -2", " adv"])
        damage = self.luck.choice(["", "", " damage 1d6+1", " damage 3", " damage 2d4"])
        return f'roll {who} "{self.luck.choice(moves)}" {stat}{bonus}{against}{damage}' if moves else "turn"


@cache
def judged(game: str, seed: int) -> tuple[int, Counter[str]]:
    """How many lines of an evening were taken, and what the judge has had something to say of."""
    evening = Evening(game, seed)
    return sum(evening.type(evening.any_line()) for _ in range(LINES)), evening.judge.judged


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(5))
@pytest.mark.parametrize("game", game_names())
def test_two_readings_of_a_game_agree(game: str, seed: int) -> None:
    taken, _ = judged(game, seed)

    assert taken > LINES // 4, "too little was played to say anything"


def test_the_judge_has_had_something_to_say_of_everything() -> None:
    """Five evenings of each game together; every kind there is of the game's own, and what dice come to."""
    counts = Counter[str]()
    for game, seed in product(game_names(), range(5)):
        counts += judged(game, seed)[1]

    kinds = (*(f"homebrew.{one}" for one in OWN), "table.total-reached")
    assert min(counts[kind] for kind in kinds) > 5, counts


OWN = (
    *("game-chosen", "move-made", "track-changed", "clock-started", "clock-ticked", "clock-stopped"),
    *("initiative-rolled", "turn-began", "condition-changed", "rested"),
)
