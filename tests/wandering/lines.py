"""What somebody might type at a table as it stands: what is proposed, what fits a form, and rulings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from retold.journal.language.form_parts import Choice, Many, Maybe, Part, Series, Slot, Word
from retold.journal.language.proposed import actions_at
from retold.journal.language.rendering import render
from retold.journal.language.tokens import PHRASE
from retold.journal.language.verbs import commands_said, form_of
from retold.journal.language.writing import quote_name
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command

Pick = Callable[[Sequence[str]], str]
"""Chooses one of several."""

WHO: Final = ("Zel", "Ned", '"Two Guards"', "Rats")

CAST: Final = {
    "bruise": (
        "cast Zel bruise by=Jon clubs=4 hearts=3 melee=2 spite=3",
        "cast Ned bruise by=Omar clubs=1 melee=1",
        'cast "Two Guards" bruise spades=3 dodge=2',
        "cast Rats bruise clubs=2",
    ),
    "spacetime": ("cast Zel by=Jon", "cast Ned by=Omar", 'cast "Two Guards": Tall.', "cast Rats: Many."),
    "whiskey": (
        "cast Zel whiskey by=Jon combat=10 base=2 die=1 hp=9 stealth=4",
        "cast Ned whiskey by=Omar combat=8 base=1 die=2 hp=6",
        'cast "Two Guards" whiskey combat=9 base=2 die=1 hp=4',
        "cast Rats whiskey combat=6 base=1 die=1 hp=2",
    ),
    "guenask": (
        "cast Zel guenask by=Jon body=3 mind=3 soft=3 hard=3 trait.legs=1d8 obj.pistol=1d4+1d8",
        "cast Ned guenask by=Omar body=2 mind=4 soft=2 hard=3",
        'cast "Two Guards" guenask body=3 mind=2 soft=2 hard=3 stages=2',
        "cast Rats guenask body=2 mind=2 soft=2 hard=2 stages=1",
        "option guenask.boxes_per_row=2",
    ),
    "edgerunner": (
        "cast Zel edgerunner by=Jon cool=4 guns=4 calm=4 humanity=2 aspect.a=Loud",
        "cast Ned edgerunner by=Omar cool=3 guns=3 sneak=2",
        'cast "Two Guards" edgerunner kind=goon cool=3 guns=2',
        "cast Rats edgerunner kind=mook tl=2 bite=2",
    ),
    "homebrew": (
        "game d20",
        "cast Zel homebrew by=Jon str=3 dex=1 health=9",
        "cast Ned homebrew by=Omar dex=2 cha=-1 health=6",
        'cast "Two Guards" homebrew str=1 health=4',
        "cast Rats homebrew health=1",
    ),
}
"""Four people with a sheet in each game; one has a name of two words, two have players."""

CASTS: Final = (
    CAST["homebrew"],
    *(
        (f"game {game}", *(f"cast {who} homebrew {stats}" for who, stats in zip(WHO, sheets, strict=True)))
        for game, sheets in (
            ("fate", ("by=Jon quick=3 sneaky=1", "by=Omar clever=2", "forceful=2", "flashy=1")),
            ("moves", ("by=Jon hard=2 cool=-1", "by=Omar strange=3 warm=1", "hard=1", "sharp=-2")),
            ("percentile", ("by=Jon fight=55 size=9", "by=Omar read=70 nerve=30", "hide=44", "size=3")),
            ("plain", ("by=Jon", "by=Omar", "lockpick=45", "bite=2")),
            ("pool", ("by=Jon body=4 will=3", "by=Omar wits=5", "hands=3", "body=1")),
            ("sixes", ("by=Jon hush=2 grit=1", "by=Omar brawl=4", "con=1", "climb=1")),
        )
    ),
)
"""The same four in each of the games that come in files."""

SETUPS: Final = {
    "bruise": ("", "tied=destiny", "tied=fate"),
    "spacetime": ("", "balance=unbalanced:Zel", "balance=overwhelming:Zel"),
    "whiskey": ("",),
    "guenask": ("", "first=Zel", "first=Zel"),
    "edgerunner": ("",),
    "homebrew": ("",),
}
"""What a game's conflict may be opened with."""

OPENINGS: Final = {
    "bruise": (),
    "spacetime": (),
    "whiskey": (),
    "guenask": (
        'bring "Two Guards" knife=1d6',
        "approach Zel opposed physical with legs",
        "approach Ned opposed neutral",
        'approach "Two Guards" opposed physical',
        "approach Rats unopposed physical",
    ),
    "edgerunner": (
        "map Dock 2 Aisle open:1,shut:3 Gate",
        "place Zel Dock",
        "place Ned Aisle",
        'place "Two Guards" Dock',
        "place Rats Aisle",
        "exchange a few moments",
    ),
    "homebrew": ("initiative", "turn", 'clock "The tide" 4'),
}
"""What is often said before anybody can act; refused where it does not fit."""

SPICE: Final = {
    "bruise": (
        *(
            "quality Zel",
            'quality "Two Guards" 9',
            "quality Zel K",
            "quality",
            "draw Rats 3",
            "tilt Zel fate",
        ),
        *("draw Zel clubs+melee = KS _ _ 9H JH 2C", "karma Zel destiny 9H", "karma Ned fate 2C", "colour"),
        *(
            "draw Ned clubs+melee",
            "overrule gm Zel --veto: no",
            "award Zel",
            "shuffle",
            'draw "Two Guards" 5',
        ),
    ),
    "spacetime": (
        *("draw", "draw Zel", "overrule gm Zel: no", "overrule Jon Ned: no", "overrule Zel Ned --own: no"),
        *("reformulate Zel Zel vs Ned+Rats: new", "reformulate Ned balance=overwhelming:Ned", "postpone Zel"),
        *("conflict spacetime Zel vs Cliff obstacle=Cliff", "complication Zel: oh", "stop Zel", "refuse Zel"),
        *(
            "conflict spacetime Ned vs Wall obstacle=Wall mode=challenge rank=3 reach=2 risk=2",
            "draw = T3 T5",
        ),
        *("declare Ned rock=3: push", "outcome Zel: the keys", "end conflict victory Zel", "shuffle"),
        "conflict spacetime Zel vs Sea obstacle=Sea mode=draw_until_success",
    ),
    "whiskey": (
        *('declare Zel engage "Two Guards"', "declare Ned engage Zel", "declare Rats guard Zel", "clash"),
        *('declare "Two Guards" engage Ned', "declare Rats engage Ned", "declare Ned guard Zel", "reveal"),
        *(
            "declare Zel engage Ned --sealed",
            "ruling loop=Zel: q",
            "ruling triangle=yes: q",
            "clash Zel Rats",
        ),
        *("check Zel stealth vs 12", 'check Zel "Two Guards"', "declare Rats advance", "declare Ned stand"),
        *('ruling Ned.engage="Two Guards": so', "ruling Rats.engage=Zel: so", "shuffle"),
    ),
    "guenask": (
        *("raise 4+3", "see 6", "resist 6", "give Ned", "see 3+3+1", "raise none", "see none", "give"),
        *(
            'fallout "Two Guards" physical',
            "fallout Zel social",
            "condition Zel social: sore",
            "clear Zel social 1",
        ),
        *("escalate Zel unopposed neutral", "bring Ned rope=2d6", "bring Zel knife=1d4 --dangerous"),
        *(
            "ruling death=dies: so",
            "ruling boxes=2: so",
            "clear Ned physical",
            "escalate Ned opposed physical",
        ),
    ),
    "edgerunner": (
        *(
            'attack Zel "Two Guards" cool with guns',
            "attack Ned Zel cool with guns",
            "apply",
            "apply",
            "apply: so",
        ),
        *("compel Zel Loud: oh", "accept Zel", "refuse Zel", "invoke Zel Loud", "invoke Zel Loud --reroll"),
        *(
            'maneuver Ned Zel as "On fire" with sneak',
            "boost Zel mild as Torn",
            "boost Zel cool 1",
            "exchange",
        ),
        *(
            "resist Zel cool 1",
            "resist Zel mild as Cut",
            "recover Zel cool with calm",
            "continue Zel",
            "apply 1",
        ),
        *("move Zel to Aisle with calm", "move Ned to Dock", "defend Zel cool with calm", "next Zel 1 Ned 1"),
        *(
            "assess Zel Ned as Loud with calm vs 0",
            "forfeit Zel",
            "spin Zel",
            "roll Zel guns vs 2",
            "roll Zel",
        ),
        *('aspect Dock "On fire" --support 2', "simple Ned", "declare Ned simple: wait", "clear Zel stress"),
        *("deploy Zel Mira to Dock with guns", "spend Zel time 1", "attack Rats Zel cool with bite"),
    ),
    "homebrew": (
        *("roll Zel attack str vs 12", "roll Zel check dex adv vs Ned", "roll Ned check cha vs Zel = 11"),
        *("roll Ned d20+dex vs 15", "roll Rats 3d6!", "roll Zel 4d6kh3", "roll Ned d% under 40"),
        *("roll Zel 2d6+1 vs 9 = total 8", "roll Ned 2d20kl1-1 vs Zel", "roll Zel 8d10>=7"),
        *("hp Zel -3: Ow.", "hp Ned +1", "hp Rats 0", 'hp "Two Guards" -9', "hp Zel 3/20", "coin Zel +2"),
        *("inspiration Ned on", "inspiration Ned off", 'clock "The tide" +1', 'clock "The tide" done'),
        *('clock "The tide" 2/6', "turn", "turn Rats", "initiative Ned 17", "initiative", "game moves"),
        *("roll Zel force", "harm Zel +2", "game pool: once more", "roll Ned test wits", "game plain"),
        *("cast Ned ac=12", "roll Zel attack str vs Ned", "roll Zel attack str vs Ned damage 1d6+1 = 19 4"),
        *("status Zel poisoned", "prone Ned+Rats", "poisoned Zel off", "rest short Zel+Ned", "rest long Ned"),
        *("track Zel hope 3", "hope Zel -1", "game percentile", "roll Zel skill hide", "game fate"),
        *("roll Ned test will +2", "roll Zel act quick vs 2", "roll Ned act clever vs Zel", "roll Zel cool"),
        *("stress Zel +2", "sanity Ned -9", "wounds Zel +3", "willpower Ned -1", "experience Zel +1"),
    ),
}
"""What is seldom proposed and goes deep into a game."""

SHARED_SPICE: Final = (
    *(
        "concede Zel: enough",
        "accept Ned",
        "accept",
        "refuse",
        'concede "Two Guards": enough',
        "end conflict",
    ),
    *(
        "end session",
        "session Another",
        "scene Elsewhere",
        "narrate Zel: and so",
        "say Ned: well",
        "join Rats Zel",
    ),
    *("join Ned", "leave Ned: away", "leave Zel", 'leave "Two Guards"', "join Mira Zel: new", "join Wolves"),
    *(
        "narrate gm: rain",
        "note: secret --gm",
        "mark here",
        "narrate Ned --at @: later",
        "declare Zel: onward",
    ),
    *("cast Zel by=Omar", "cast Ned name=Nell", "cast Nell name=Ned", "cast Rats alias=Vermin", "reveal @"),
)
"""What is said in any game."""

PEOPLE: Final = ("Zel", "Ned", "Two Guards", "Rats", "gm", "Jon", "Omar", "Mira", "Wolves")
"""Those above, their players, and two nobody has heard of."""

WORDS: Final = (
    *("Dock", "Aisle", "Gate", "Dock-Aisle", "Loud", "On fire", "cool", "humanity", "reputation", "guns"),
    *("clubs", "melee", "spite", "hearts", "spades", "diamonds", "destiny", "fate", "K", "9", "A", "joker"),
    *("body", "mind", "legs", "pistol", "social", "physical", "stages", "combat", "stealth", "hp", "stress"),
    *("mild", "severe", "victory", "stalemate", "agreed", "ended", "T4", "rock:ruler", "mainline", "other"),
    *("bruise", "whiskey", "guenask", "edgerunner", "spacetime", "conflict", "yes", "no", "1", "0", "x y"),
)
"""Words of every game, right ones and wrong ones."""

RULED: Final = {
    "bruise": ("destiny", "fate", "legacy", "karma-destiny", "karma-fate"),
    "spacetime": ("tokens", "sleeve"),
    "whiskey": ("hp", "engage"),
    "guenask": ("social", "physical", "mental", "stages", "dead", "follow-up", "pool", "fallout"),
    "edgerunner": ("points", "shifts", "out", "dead", "cool", "cool-stress", "cool-threshold", "humanity"),
    "homebrew": ("hp", "str", "coin", "harm"),
}
"""What a ruling may set of somebody."""

RESULTS: Final = (
    *("JH JD 10S 7C 4C 3D", "KS QS 2C", "9H", "_ _ _", "T4", "rock:ruler paper:home:r", "Excuse"),
    *("5H 2", "KS 6", "1 2 2 3 4 4", "6 6 5", "3", "++00", "----", "+0-0", "0000", "joker", "total"),
)
"""What somebody may have read off a table, fitting or not."""


class Typing:
    """Lines for one table, each choice left to `pick`."""

    def __init__(self, table: Table, pick: Pick) -> None:
        self._table = table
        self.pick = pick

    def line(self) -> str:
        """Any line: most of them proposed, some only well formed, some rulings."""
        kinds = (
            ("proposed", 8),
            ("spice", 7),
            ("formed", 3),
            ("ruling", 2),
            ("option", 1),
            ("undo", 1),
            ("open", 1),
        )
        kind = self.pick([kind for kind, often in kinds for _ in range(often)])
        return {
            "spice": self.spice,
            "proposed": self.proposed,
            "formed": self.formed,
            "ruling": self.ruling,
            "option": self.option,
            "undo": self.undo,
            "open": self.opening,
        }[kind]()

    def proposed(self) -> str:
        """One of the lines that `can` proposes, with words found where it leaves some open."""
        lines = list(dict.fromkeys(render(one, self._table) for one in proposals(self._table)))
        return self.pick(lines).replace("…", "Smoke") if lines else self.opening()

    def name(self) -> str:
        return quote_name(self.pick(PEOPLE))

    def names(self) -> str:
        return "+".join({self.name(): None for _ in range(int(self.pick("112")))})

    def system(self) -> str:
        """A game in play, nearly always."""
        here = [conflict.system for conflict in self._table.conflicts.values()]
        return self.pick(here * 6 + list(SYSTEMS)) if here else self.pick(list(SYSTEMS))

    def ruling(self) -> str:
        system = self.system()
        what = self.pick(RULED[system])
        value = self.name() if what == "engage" else self.pick(("0", "1", "2", "5", "-1", "9", "none"))
        one = f"{self.name()}.{what}{self.pick(('=', '=', '+=', '-='))}{value}"
        two = self.pick(("", "", f" {self.name()}.{self.pick(RULED[system])}=1"))
        return f"ruling {one}{two}: because"

    def option(self) -> str:
        system = SYSTEMS[self.system()]
        if not system.options:
            return self.ruling()
        option = system.options[int(self.pick([str(n) for n in range(len(system.options))]))]
        value = self.pick(("0", "1", "2", "3", "5")) if option.number else self.pick(option.values)
        return f"option {system.name}.{option.key}={value}"

    def spice(self) -> str:
        """A line that goes deep into the game in play, or one of any game."""
        return self.pick((*SPICE[self.system()], *SHARED_SPICE))

    def undo(self) -> str:
        return self.pick(("undo", "undo", "undo 2", "undo 3", "redo", "redo"))

    def opening(self) -> str:
        system = self.pick(list(SYSTEMS))
        sides = " vs ".join(self.names() for _ in range(int(self.pick("2223"))))
        return f"conflict {system} {sides} {self.pick(SETUPS[self.pick(list(SETUPS))])}: the keys"

    def formed(self) -> str:
        """A line of any verb, its form filled with whatever could stand there."""
        verb = self.pick(list(_verbs(self._table)))
        form = form_of(commands_said(verb, self._table, self._table.in_play())[0])
        words = [verb, *self._filled(form.part)]
        if form.takes_data and self.pick(("yes", "no", "no")) == "yes":
            words.append(
                f"{self.pick(WORDS).replace(' ', '-')}={self.pick(('1', '2', 'Zel', 'yes', '1d4', '-1'))}"
            )
        words += [f"--{flag}" for flag in sorted(form.flags & LONE_FLAGS) if self.pick("nnny") == "y"]
        if form.takes_results and self.pick("nny") == "y":
            words += ["=", self.pick(RESULTS)]
        text = ": So it goes" if form.needs_text or (form.takes_text and self.pick("ny") == "y") else ""
        return " ".join(words) + text

    def _filled(self, part: Part) -> Iterator[str]:
        match part:
            case Word(text=text):
                yield text
            case Series(parts=parts):
                for one in parts:
                    yield from self._filled(one)
            case Choice(parts=parts):
                yield from self._filled(parts[int(self.pick([str(n) for n in range(len(parts))]))])
            case Maybe(part=inner):
                if self.pick("ny") == "y":
                    yield from self._filled(inner)
            case Many(part=inner):
                for _ in range(int(self.pick("112"))):
                    yield from self._filled(inner)
            case Slot(kind=kind, name=name):
                yield self._word(kind, name)

    def _word(self, kind: str, name: str) -> str:
        if kind in ("NAMES", "PEOPLE"):
            return self.names()
        if kind == "GROUP":
            return f"{self.names()}+{self.name()}"
        if kind in LOOKS:
            return self.pick(LOOKS[kind])
        if kind != PHRASE and name in FOR_PEOPLE:
            return self.name()
        word = self.pick(WORDS)
        return word if kind == PHRASE else quote_name(word)


FOR_PEOPLE: Final = frozenset(
    {"who", "target", "thing", "by", "whose", "whom", "side", "opponent", "about", "winner", "player"}
)
"""The slots that are for somebody."""

LOOKS: Final = {
    "TRAITS": ("clubs+melee", "guns", "clubs+spite", "stealth", "mind"),
    "SIGNED": ("+1", "-1", "+5", "-20", "3"),
    "INT": ("0", "1", "2", "3", "5", "9", "-1", "60"),
    "SUM": ("4+3", "6", "1+1", "5+2+2", "2"),
    "DICE": ("2d6", "4dF", "d20", "2d6+1", "d20+dex", "3d6!", "8d10>=7", "4d6r1kh3"),
    "PASS": ("1", "open:1,shut:2"),
    "MOMENT": ("@", "@-1", "3", "12", "s1"),
}
"""Of each class that is no name, a few tokens."""

LONE_FLAGS: Final = frozenset({"veto", "own", "sealed", "quote", "free", "interrupt", "gone", "gm"})

NOT_TYPED: Final = frozenset({"campaign", "switch", "branch", "retcon", "fix", "redact"})
"""Verbs about whole lines: a branch of a random evening says nothing that the evening does not."""


def _verbs(table: Table) -> Iterator[str]:
    """The verbs of the table, each once, and those of the games in play, each three times."""
    yield from (one.verb for one in c.SHARED if one.verb not in NOT_TYPED)
    for system in dict.fromkeys(conflict.system for conflict in table.conflicts.values()):
        yield from (one.verb for one in SYSTEMS[system].commands * 3)


def proposals(table: Table) -> Iterator[Command]:
    """Every command that `can` proposes at a table."""
    for outlook in actions_at(table):
        yield from (one.command for one in (*outlook.choices, *outlook.beside))
        yield from (way.command for moves in outlook.moves for way in moves.ways if way.command is not None)
