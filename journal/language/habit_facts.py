"""Facts of a table for lines meant by habit: whose turn it is, the track of harm, a likely roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from retold.journal.capabilities import Choice, HasAspects, OwnRoll, Picture
from retold.journal.decks.expressions import TWICE, is_throw
from retold.journal.guarding import rows_at
from retold.journal.language.habits.shapes import GUESSES, SORTS
from retold.journal.language.naming import EVERYBODY, find_clock, find_person, party_of, words_for_everybody
from retold.journal.language.other_words import OPPOSED
from retold.journal.language.proposed import actions_at, rolls_at
from retold.journal.language.rendering import render
from retold.journal.language.shorthand import is_money
from retold.journal.language.slot_words import (
    AS_WRITTEN,
    HIT_POINTS,
    MISSES,
    coin_called,
    counts_at,
    is_on_a_sheet,
    skill_called,
    skill_for,
    verb_of_game,
)
from retold.journal.language.strange_words import CHECK, CLOSED, rests_at
from retold.journal.language.suggestions import name_token, numbered_people, singular, whose_turn
from retold.journal.language.verbs import form_of
from retold.journal.language.writing import ENDS, in_quotes, quote_name, write_key
from retold.journal.names import normalise, without_article
from retold.journal.refused import none_if_refused
from retold.journal.shared.conflicts import fallen, likely_sides, people_with_players, people_without_players
from retold.journal.shared.people import purse_of
from retold.journal.system import SKILLS
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, YET_TO_FIND, Command

CHECKS: Final = ("check", "test", "skill", "act")
"""Usual names of the move for all that has no move of its own, most usual first."""
UNKNOWN_GOAL: Final = "vs 12"
"""What is to be reached, in a line without it."""
ATTACK: Final = "attack"
MOST_OF_HARM: Final = 12
"""Most that a die of damage shows, in a line that may be of an attack."""
BOTH: Final = 2
"""Results of a contest whose two rolls stand on one line."""
WORDS_OF_TITLE: Final = (
    *("title", "deed", "first", "second", "third", "fourth"),
    *("spell", "wording", "ending"),
)
"""Slots of words that stand for a title."""
SAVE: Final = re.compile(r"\bsav(?:e|es|ing)\b", re.IGNORECASE)
MAY: Final = "may_"
"""Begins the name of a fact that is a line with the verb behind it, which the conflict in play accepts."""
WITH_STAT: Final = re.compile(r"(?:^| )(?:with|using) (\w+)$")
"""A stat behind an attack."""
CAME_OF_ATTACK: Final = re.compile(
    r"(?P<how>with (?!adv|dis|total|an? \d)(?:(?:an?|her|his|its|the|their) )?[^\W\d]\w*,? )?"
    r"(?:(?:with|adv|dis|rolls?|rolled|an?|nat(?:ural)?|total|hits?|and|sneak|attack),? )*"
    r"(?P<hit>[1-9]\d?(?:\+\d+)?)"
    r"(?:,? (?:to hit|hits?|misses|miss|for|and|does|deals|dmg|damage|of|total|in all|sneak|sneak attack),?)*"
    rf"(?:,? (?P<damage>\d+(?:\+\d+)*)(?: (?:hp|points|of|dmg|damage|total|{SORTS}))*)?"
)
"""What came up to hit, and as damage, behind an attack: `18 dmg 5`, `19 to hit, 6 damage`."""
HIT_FOR: Final = re.compile(r"([\d ]+?) (?:(?:hits?|for|does|deals|dmg|damage) )+(\d+)(?: dmg| damage)?")
WAYS_OF_ATTACK: Final[Mapping[str, tuple[str, str]]] = {
    "faces": ("", ""),
    "totals": ("total ", "total "),
    "total_and_face": ("total ", ""),
    "face_and_total": ("", "total "),
    "face_and_harm": ("", "damage "),
    "total_and_harm": ("total ", "damage "),
}
"""Words before what came up to hit, and before the damage, by the name of the way that these are said."""
NOT_SAID: Final = {
    "": re.compile("to hit|total|in all"),
    "total ": re.compile(r"\bnat"),
    "damage ": re.compile("(?!)"),
}
"""Words that a number on the die, and one in all, does not have beside it, by the word before it."""
OWNERS: Final = frozenset({"her", "his", "my", "their"})
"""Words before a thing that are not of its name."""
MOST_FOUND: Final = 4
"""Parts of what is found, with a number of coins and their name, and two things."""
COINS: Final = re.compile(r"(\d+) (\w+)")
"""Coins among things that are found."""
DASHED: Final = re.compile("(.+?) [-\N{EN DASH}\N{EM DASH}] (.+)")
"""A name, and a text behind a dash."""
CAME_OF_SKILL: Final = re.compile(
    r"(?P<how>(?:(?!\d+[ ,])\S+ )*?)(?:(?P<n>[1-9]\d?(?:\+\d+)*),?)?(?: ?vs (?:passive )?(?P<goal>\d+))?"
)
"""A result behind an act, and the number to be reached: `Warden, 15 vs 12`."""


def _sum(number: str) -> str:
    """Returns a number, or the sum of several with `+` between them."""
    return str(sum(map(int, number.split("+"))))


def _beside_attack(more: str) -> tuple[str, str]:
    """Returns a bonus, ` adv` and ` dis` for the words that say so behind an attack; and the other words."""
    words = more.split()
    bonus = [word for word in words if re.fullmatch(r"[+-]\d+", word)]
    if len(bonus) == 1:
        words.remove(bonus[0])
        twice, how = _beside_attack(" ".join(words))
        return f" {bonus[0]}{twice}", how
    said = [place for place, word in enumerate(words) if word.lower() in TWICE]
    if len(said) != 1:
        return "", more
    before = words[: said[0]]
    with_it = before[:-1] if before[-1:] == ["with"] else before
    kept = " adv" if TWICE[words[said[0]].lower()] == "h" else " dis"
    return kept, " ".join((*with_it, *words[said[0] + 1 :]))


class Facts:
    """Facts about one line and its table, each found when a habit asks for it.

    `slots` are the words of the line by slot, as typed; `line` is the whole line, `results` what came up.
    """

    def __init__(
        self, table: Table, slots: Mapping[str, str], line: str, results: Sequence[str] = ()
    ) -> None:
        self.table = table
        self.results = results
        self._slots = slots
        self.line = line
        self.is_sure = True
        """False once a fact was found that may not be meant."""
        self.has_used_results = False
        """True once the results are a number on the line."""

    def value(self, name: str) -> str | None:
        """Returns the text for a slot or fact of this name; None if line and table have none.

        A name that ends in `?` gives an empty text instead of None.
        """
        if name.endswith("?"):
            return self.value(name.removesuffix("?")) or ""
        typed = self._slots.get(name)
        if name == "foes":
            return self.foes()
        if name in AS_WRITTEN and typed is not None:
            return AS_WRITTEN[name](self.table, typed)
        if name.startswith(MAY):
            return self.may(name.removeprefix(MAY))
        return _FACTS[name](self) if typed is None and name in _FACTS else typed

    # --- people -------------------------------------------------------------------------------------------

    @cached_property
    def me(self) -> int | None:
        """The person who acts: named on the line, else whose turn it is, else the first with a player."""
        named = self._slots.get("by")
        if named is not None:
            typed = named.partition("+")[0].strip('"')
            return none_if_refused(lambda: find_person(self.table, typed))
        who = self.whose_turn
        first = (*people_with_players(self.table), *people_without_players(self.table))
        return next(iter(first), None) if who is None else who

    @property
    def whose_turn(self) -> int | None:
        """Person whose turn it is; None outside a turn order."""
        return whose_turn(self.table, self.table.in_play())

    def me_typed(self) -> str | None:
        """Returns the name of `me` as a line has it."""
        return None if self.me is None else self.table.quoted(self.me)

    # --- the game's words ---------------------------------------------------------------------------------

    @cached_property
    def harm(self) -> tuple[str, int] | None:
        """The track that harm goes to, and -1 if harm makes it smaller, else 1; None without a single one."""
        games = SYSTEMS.among(self.table.shelves)
        found = {name: way for game in games for name, way in game.harmed(self.table).items()}
        return next(iter(found.items())) if len(found) == 1 else None

    def harm_sign(self, way: int) -> str | None:
        """Returns the sign of harm (`way` -1) or of healing (1)."""
        return None if self.harm is None else "+" if self.harm[1] * way < 0 else "-"

    def test(
        self, who: int | None, whose: str | None, number: str | None = None, results: str = ""
    ) -> str | None:
        """Returns the line of a person's roll with the stat on the line; `whose` is who rolls, as typed.

        `number` is the number as the roll has it, by default what is to be reached; `results` are what was
        rolled. Not sure if the game has no move for all that has no move of its own.
        """
        stat = self.value("stat")
        if who is None or whose is None or stat is None:
            return None
        aim = None if "n" not in self._slots else self.aim
        saves = SAVE.search(self.line) is not None and {"by", "deed"}.isdisjoint(self._slots)
        save = None if not saves else f"{stat} save" if self.skill is None else "save"
        own = self.own_skill(who, whose)
        why = " ".join(
            filter(
                None,
                (
                    None if own else self.skill,
                    save,
                    None if aim is None else f"against {self.table.name(aim)}",
                ),
            )
        )
        told = f": {why}" if why else ""
        stat, number = own or stat, self.against() if number is None else number
        games = SYSTEMS.among(self.table.shelves)
        moves = {normalise(move) for game in games for move in game.moves(self.table)}
        move = next((move for move in CHECKS if move in moves), None)
        if move is not None:
            return f"roll {whose} {quote_name(move)} {quote_name(stat)} {number}{results}{told}"
        if any(CHECK in game.says for game in games):
            self.is_sure = self.is_sure and number != ""
            return f"{CHECK} {whose} {quote_name(stat)} {number or UNKNOWN_GOAL}{results}"
        if not moves:
            return f"roll {whose} {quote_name(stat)} {number}{results}"
        self.is_sure = False
        rolls = [roll for roll in rolls_at(self.table, who) if normalise(roll.stat or "") == stat]
        line = render(rolls[0].command, self.table) if len(rolls) == 1 else None
        return None if line is None else f"{line} {number}"

    @property
    def aim(self) -> int | None:
        """The person aimed at, if the line has one."""
        return none_if_refused(lambda: find_person(self.table, self._slots.get("aim", "").strip('"')))

    def test_of_aim(self) -> str | None:
        """Returns the roll of the person aimed at, with the second stat on the line, else with the same."""
        slots = {**self._slots, "who": self._slots["aim"]}
        if "skill" in slots:
            slots["stat"] = slots["skill"]
        facts = Facts(self.table, slots, self.line)
        return facts.test(facts.named(), facts.whose())

    def contest(self, *, alone: bool) -> str | None:
        """Returns the roll against the person aimed at, who answers with a roll; None if no rules have that.

        With two results on the line it has the first; with `alone`, None then.
        """
        aim = self.aim
        if aim is None or alone is (len(self.results) == BOTH):
            return None
        first = "" if alone else f" = {self.results[0]}"
        return self.test(self.named(), self.whose(), f"vs {self.table.quoted(aim)}", first)

    def answer(self) -> str | None:
        """Returns the roll that answers in a contest, with the second result on the line; None without one.

        It is of the second stat on the line, else of the skill that usually opposes the first, else of that.
        """
        if len(self.results) != BOTH:
            return None
        stat = self._slots.get("skill") or OPPOSED.get(self.skill or "", self._slots["stat"])
        facts = Facts(self.table, {"who": self._slots["aim"], "stat": stat}, self.line)
        return facts.test(facts.named(), facts.whose(), f"vs {self.whose()}", f" = {self.results[1]}")

    def result(self, way: str) -> str | None:
        """Returns the line of a test with the number on the line as its result, behind the word `way`.

        None if results stand on the line already, and if a number to reach is missing.
        """
        if self.results:
            return None
        goal = self._slots.get("goal")
        number = "" if goal is None else f"vs {goal}"
        line = self.test(self.named(), self.whose(), number, f" = {way}{self.value('n')}")
        return line if line is None or number or UNKNOWN_GOAL not in line else None

    @cached_property
    def skill(self) -> str | None:
        """The skill on the line, in small letters, if it is rolled with a number of another name."""
        skill = skill_called(self._slots.get("stat", ""))
        return skill if skill is not None and self.value("stat") == SKILLS[skill] else None

    def own_skill(self, who: int, whose: str) -> str | None:
        """Returns the skill on the line if it is on the sheet of `who`, for several people of one of them."""
        people = (who,) if whose == self.table.quoted(who) else (who, *party_of(self.table))
        return self.skill if is_on_a_sheet(self.table, self.skill or "", people) else None

    def says(self, words: str) -> str:
        """Returns words before the line of an answer; of a habit's guess at a skill, which number it is."""
        if (
            self.skill is None
            or words not in GUESSES
            or self.own_skill(self.named() or GM, self.whose() or "")
        ):
            return words
        return f"{self.skill.capitalize()} is a check of {self.value('stat')} here"

    def sign(self) -> str | None:
        """Returns the sign before the number on the line."""
        return self._slots.get("n", "")[:1].strip("0123456789") or None

    def named(self) -> int | None:
        """Returns the person named on the line, the first of several."""
        first = self._slots.get("who", "").partition("+")[0].strip('"')
        return none_if_refused(lambda: find_person(self.table, first))

    def whose(self) -> str | None:
        """Returns who is named on the line: one person by the whole name, several as typed."""
        who, typed = self.named(), self._slots.get("who", "")
        return typed if who is None or "+" in typed else self.table.quoted(who)

    def rolled(self, who: int | None, *, attack: bool = False) -> OwnRoll | None:
        """Returns a person's likely roll, with their highest number; with `attack` their attack."""
        rolls = () if who is None else tuple(rolls_at(self.table, who))
        liked = (ATTACK,) if attack else CHECKS
        fitting = [roll for roll in rolls if normalise(roll.move) in liked] or ([] if attack else [*rolls])
        armed = WITH_STAT.search(self._slots.get("more", ""))
        fitting = [roll for roll in fitting if armed and normalise(roll.stat or "") == armed[1]] or fitting
        return max(fitting, key=lambda roll: (roll.own, roll.number or 0), default=None)

    def best(self, who: int | None) -> str | None:
        """Returns the line of a person's likely roll."""
        roll = self.rolled(who)
        return None if roll is None else render(roll.command, self.table)

    def attack(self) -> str | None:
        """Returns the line of an attack on the person named on the line.

        In a game without such a roll, what the conflict waits for, with the typed line as its text.
        """
        roll = self.rolled(self.me, attack=True)
        several, how = self._slots.get("by", ""), self._slots.get("more", "")
        if re.search(r"\+\d*d\d", how) if self.results else not MISSES.isdisjoint(how.split()):
            return None  # what is told of it is enough, or a result is of another die
        numbers = () if self.me is None else (one.number for one in rolls_at(self.table, self.me))
        self.is_sure = (
            self.is_sure and roll is not None and (roll.own or bool(self.results) or not any(numbers))
        )
        if roll is None:
            line, who = self.may(ATTACK) or (None if "+" in several else self.now()), self.named()
            wanted = ("" if who is None else self.table.quoted(who), str(YET_TO_FIND.text))
            aims = line is not None and any(word in line for word in wanted)
            return line.replace(f": {YET_TO_FIND.text}", f": {self.line}") if line and aims else None
        line, aim = render(roll.command, self.table), self._slots.get("who")
        twice, how = _beside_attack(how)
        armed = WITH_STAT.search(how)
        is_armed = armed is not None and normalise(roll.stat or "") == armed[1]
        how = WITH_STAT.sub("", how) if is_armed else how
        self.is_sure = self.is_sure or (is_armed and self.me is not None)
        if "+" in several:
            line = line.replace(self.me_typed() or "", several, 1)
        if aim is not None and "+" in aim:  # one attack is at one of them
            aim, self.is_sure = aim.partition("+")[0], False
        if aim is not None and roll.against:
            line = f"{line}{twice} vs {aim}"
        else:
            line += twice
        # What is left is `with the bow`, or numbers of another table.
        self.is_sure = self.is_sure and re.search(r"\d", how) is None
        tells = how and "text" not in self._slots and re.search(r"\d", how) is None
        return f"{line}: {how}" if tells else line

    def counted(self, ways: tuple[str, str]) -> str | None:
        """Returns `attack_came` for results that have words beside their numbers; None for others."""
        is_told = any(not word.isdecimal() for word in self.results)
        return self.attack_came(ways) if is_told and "+" not in self.results[-1] else None

    def attack_came(self, ways: tuple[str, str]) -> str | None:
        """Returns the line of `attack` with the numbers behind it as results; None for other words there.

        `ways` stand before what hits and the damage: `total ` before a sum, nothing before a die.
        """
        more = " ".join(self.results) or self._slots.get("more") or self._slots.get("text", "")
        found = None if all(map(str.isdecimal, self.results or " ")) else CAME_OF_ATTACK.fullmatch(more)
        how = self._slots.get("more", "") if self.results else ""
        line = None if found is None else Facts(self.table, {**self._slots, "more": how}, self.line).attack()
        if found is None or line is None or not line.startswith("roll "):
            return None
        die, _, added = found["hit"].partition("+")
        if added and not ways[0] and die != "20":  # what is added may be another number than the sheet's
            return None
        came = [(ways[0], _sum(found["hit"]) if ways[0] else die)]
        came += [(ways[1], _sum(found["damage"]))] if found["damage"] else []
        is_said = not any(NOT_SAID[way].search(more) for way, _ in came) and (came[1:] or ways[0] == ways[1])
        harm = f" damage {came.pop()[1]}" if is_said and ways[1] == "damage " else ""
        line, _, how = line.partition(": ")
        told = self.line if "+" in more or found["how"] else how
        return f"{line}{harm} = {' '.join(map(''.join, came))}{told and f': {told}'}" if is_said else None

    def attack_with_bonus(self) -> str | None:
        """Returns the line of `attack` with the second of the results as a bonus: `+3 = 14 8`, for `+1d4`."""
        hit, bonus, *harm = self.with_bonus_die()
        armed = f" with {stat}" if (stat := self.value("stat?")) else ""
        line = Facts(self.table, {**self._slots, "more": f"+{bonus}{armed}"}, self.line).attack()
        return f"{line} = {hit} {' '.join(harm)}" if line and bonus else None

    def test_with_bonus(self) -> str | None:
        """Returns the line of `test` with the second of two results as a bonus: `+3 vs 12 = 14`."""
        hit, bonus, *others = self.with_bonus_die()
        number = f"+{bonus} vs {goal}" if (goal := self._slots.get("goal")) else f"+{bonus}"
        return self.test(self.named(), self.whose(), number, f" = {hit}") if bonus and not others else None

    def with_bonus_die(self) -> list[str]:
        """Returns the results, the second of which may be of the bonus die on the line; else it is empty."""
        hit, bonus, *others = (*self.thrown().split()[1:], "", "")
        is_one = re.search(r"\b(adv|dis)", self.line.lower()) is None
        is_of_die = (
            is_one and bonus.isdecimal() and int(bonus) <= int(self._slots["bonus"].rpartition("d")[2])
        )
        return [hit, bonus if is_of_die else "", *others[:-2]]

    def attack_and(self, dice: str) -> str | None:
        """Returns the line of `attack` with extra damage dice and the results; None without a target."""
        line = Facts(self.table, {**self._slots, "more": ""}, self.line).attack()
        return (
            f"{line} damage +{dice.rpartition('+')[2]} {self.thrown()}" if line and " vs " in line else None
        )

    def attack_and_sneak(self) -> str | None:
        """Returns `attack_and` with a d6 for each result after those to hit and of the sheet's damage."""
        beside = len(re.findall(r"\d+", " ".join(self.results))) - 2
        return self.attack_and(f"+{beside}d6") if beside > 0 else None

    def attack_for(self, way: str) -> str | None:
        """Returns the line of `attack` with results that say which is the damage, `= 16 for 7`; else None."""
        found, line = HIT_FOR.fullmatch(self.thrown().removeprefix("= ")), self.attack()
        return f"{line} = {found[1]} {way}{found[2]}" if found and line else None

    def foe(self) -> str | None:
        """Returns the first opponent of `me` who is not out, by name; None outside conflicts."""
        conflict, down = self.table.in_play(), fallen(self.table)
        if conflict is None or self.me is None:
            return None
        others = (who for side in conflict.sides if self.me not in side for who in side if who not in down)
        return next((self.table.quoted(who) for who in others if self.table.secret(who) is None), None)

    def of_foe(self) -> str | None:
        """Returns an empty text if who acts and the person named are on two sides of a fight; else None."""
        here, who, by = self.table.in_play(), self.named(), self.me
        if here is None or who not in here.people or by not in here.people or "by" not in self._slots:
            return None
        return "" if here.side_of(by) != here.side_of(who) else None

    def aimed(self, ways: tuple[str, str] | None = None) -> str | None:
        """Returns `attack_came` at the person named, else at `foe`; without `ways` the attack alone."""
        aim = self._slots.get("who") or self.foe()
        if aim is None:
            return None
        more = " ".join(filter(None, map(self._slots.get, ("hit", "hurt"))))
        facts = Facts(self.table, {**self._slots, "who": aim, "more": more}, self.line)
        return facts.attack_came(ways) if ways else facts.attack()

    def waited_for(self) -> list[Command]:
        """Returns what the conflict in play waits for, of `me` if who acts is named: acts of one verb."""
        conflict = self.table.in_play()
        if conflict is None:
            return []
        seen = next(seen for seen in actions_at(self.table) if seen.conflict == conflict.id)
        who = self.me if (named := "by" in self._slots) else self.whose_turn
        own = [choice for choice in seen.choices if choice.who == who] or (() if named else seen.choices)
        return [choice.command for choice in own if choice.command.verb == own[0].command.verb]

    def now(self) -> str | None:
        """Returns a line that the conflict in play waits for, of `me` and at the person named if any is."""
        lines, aim = [render(command, self.table) for command in self.waited_for()], self.whose()
        return next((line for line in lines if aim is not None and aim in line), next(iter(lines), None))

    def then(self) -> str | None:
        """Returns another line that the conflict waits for, where it waits for one of several."""
        return next((render(command, self.table) for command in self.waited_for()[1:]), None)

    def goes_on(self) -> str | None:
        """Returns the only line that the conflict waits for, if it needs neither dice nor cards."""
        waited = self.waited_for()
        is_sure = len(waited) == 1 and not form_of(type(waited[0])).takes_results
        return render(waited[0], self.table) if is_sure else None

    def may(self, verb: str) -> str | None:
        """Returns a line with this verb that the conflict in play accepts now.

        It is done by `by` on the line, else by the person named, else by `me`, and to the person named if
        such a line is accepted. What it leaves open is filled with the title or text on the line.
        """
        conflict = self.table.in_play()
        if conflict is None:
            return None
        seen = next(seen for seen in actions_at(self.table) if seen.conflict == conflict.id)
        offered = [(moves.person, way.command) for moves in seen.moves for way in moves.ways]
        offered += [(choice.who, choice.command) for choice in seen.choices]
        able = [(who, command) for who, command in offered if command is not None and command.verb == verb]
        by = self.me if "by" in self._slots else self.named()
        own = [(who, command) for who, command in able if who == by]
        if not own and "by" not in self._slots:
            own = [(who, command) for who, command in able if who == self.me] or [
                (who, command)
                for who, command in able
                if "who" not in command.__struct_fields__ or {who} == {one for one, _ in able}
            ]
        lines = [render(command, self.table) for _, command in own]
        if not lines:
            return None
        aim = self.whose() if "by" in self._slots or by != own[0][0] else None
        line = next((line for line in lines if aim and aim in line.split()[2:]), lines[0])
        words = self._slots.get("title") or self._slots.get("text")
        return line if words is None else line.replace(YET_TO_FIND.text or "", quote_name(words.strip('"')))

    def invoker(self) -> str | None:
        """Returns who may invoke an aspect now, the roller first; not sure if another side may too."""
        conflict, able = self.table.in_play(), [choice.who for choice in self.invokes()]
        sides = {who if conflict is None else conflict.side_of(who) for who in able}
        self.is_sure = self.is_sure and len(sides) == 1
        return self.table.quoted(able[0]) if able else self.me_typed()

    def invokes(self) -> list[Choice]:
        """Returns the invokes that are accepted now, of the aspect whose words the line has, if any."""
        conflict, words = self.table.in_play(), normalise(self._slots.get("words", ""))
        seen = (seen for seen in actions_at(self.table) if conflict is None or seen.conflict == conflict.id)
        choices = [choice for one in seen for choice in one.choices if choice.command.verb == "invoke"]
        named = [choice for choice in choices if normalise(getattr(choice.command, "aspect", "")) in words]
        return (named if words else []) or choices

    def skilled(self, way: str | None = None, *, reaches: bool = False) -> str | None:
        """Returns a roll of the skill that an action needs: stealth for `Oda sneaks past the guard`.

        With `way` its result is the number on the line, behind that word; with `reaches` it has a goal. None
        without them.
        """
        does, more = self._slots.get("does", ""), self._slots.get("more", "")
        skill = skill_for(self.table, does)
        found = CAME_OF_SKILL.fullmatch(more)
        how, came, goal = ("", None, None) if found is None else found.groups()
        is_sum = came is not None and "+" in came
        is_thrown = came is not None and (bool(self.results) or (is_sum and not way))
        if skill is None or (way is None) != (came is None) or (reaches and goal is None) or is_thrown:
            return None
        facts = Facts(self.table, {**self._slots, "stat": skill}, self.line)
        results = "" if came is None else f" = {way}{_sum(came)}"
        line = facts.test(self.named(), self.whose(), f"vs {goal}" if goal else "", results)
        if line is None or not more or (not (came or goal) and re.search(r"[\d=]|\bvs\b", more)):
            return line if not more else None
        how = (
            (more if is_sum else how if came or goal else more).rstrip(", ").removesuffix(skill).rstrip(", ")
        )
        return f"{line}: {does} {how}" if how else line

    def stress(self, suffix: str = "") -> str | None:
        """Returns the name of the first marked track of the person named, else of `me`, or of the first."""
        who = self.me if (named := self.named()) is None else named
        rows = [row for row in rows_at(self.table) if row.who == who and row.picture is Picture.STRESS]
        found = max(rows, key=lambda row: row.value > 0, default=None)
        return None if found is None else f"{found.what}{suffix}"

    def struck(self) -> str | None:
        """Returns the track on which the person named may take the open roll; None without a roll at them."""
        words = (self.may("resist") or "").split()
        rows = [
            row for row in rows_at(self.table) if row.who == self.named() and row.picture is Picture.STRESS
        ]
        tracks = [row.what for row in rows if row.what in words] or [row.what for row in rows]
        return None if self.may("apply") is None else next(iter(tracks), None)

    def ruled(self, what: str, sign: str | None, number: str | None) -> str | None:
        """Returns what a ruling sets for all people named: `Ann.hp-=2 Bo.hp-=2`; None without a number."""
        people = tuple(self.whose_each())
        if number is None or not people:
            return None
        return " ".join(f"{who}.{write_key(what)}{sign or ''}={number}" for who in people)

    def changed_by_ruling(self, sign: str) -> str | None:
        """Returns what a ruling sets for harm (`-`) or healing; None if a track is harmed here."""
        if self.harm is not None or HIT_POINTS not in counts_at(self.table):
            return None
        return self.ruled(HIT_POINTS, sign, self.value("n"))

    def whose_each(self) -> Iterator[str]:
        """Yields the full name of each known person on the line, in quotes if needed."""
        for typed in self._slots.get("who", "").split("+"):
            who = none_if_refused(partial(find_person, self.table, typed.strip('"')))
            if who is not None:
                yield self.table.quoted(who)

    def in_quotes(self) -> str | None:
        """Returns the title on the line in quotes, or up to three words that stand for one."""
        title = self.in_words()
        return f'"{title.strip(",").strip(chr(34))}"' if title else None

    def in_words(self) -> str:
        """Returns the title on the line, or the words that stand for one."""
        return " ".join(filter(None, map(self._slots.get, WORDS_OF_TITLE))).rstrip(",")

    def thing(self, sort: str = "thing") -> str | None:
        """Returns the whole name of the only known thing whose name has the words on the line; else None."""
        typed = {*without_article((self.in_quotes() or "").strip('"')).split()} - OWNERS
        things = (one.called for one in self.table.every_matter() if one.sort == sort and typed)
        meant = [f'"{name}"' for name in things if typed <= {*normalise(name).split()}]
        return meant[0] if len(meant) == 1 else None

    def found(self, *, alone: bool = False) -> str | None:
        """Returns the first aspect of who is aimed at, in quotes; with `alone` the only one; else None."""
        found = self.aspects_of(self.aim)
        return None if not found or (alone and found[1:]) else found[0]

    def aspects_of(self, who: int | None) -> list[str]:
        """Returns the aspects of a person that are in play, in quotes."""
        shelves = [shelf for shelf in self.table.shelves.values() if isinstance(shelf, HasAspects)]
        aspects = (aspect for shelf in shelves for aspect in shelf.aspects_in_play())
        return [in_quotes(aspect.wording) for aspect in aspects if aspect.on == who]

    def rival(self) -> str | None:
        """Returns who is aimed at, if they are of another side than the person named; else None."""
        conflict, aim = self.table.in_play(), self._slots["aim"]
        people = (self.named(), self.aim)
        sides = {conflict.side_of(who) for who in people if conflict is not None and who is not None}
        return aim if sides - {None} and len(sides) == BOTH else None

    def zones(self, *, are_listed: bool = False) -> str | None:
        """Returns the words on the line as zones with a border of 1 between them.

        If they `are_listed`, a sign or `and` is between them; else None.
        """
        title = self._slots.get("title") or self._slots.get("text") or ""
        if any(word.isdecimal() for word in title.split()):
            return None
        names = [name.strip() for name in re.split(r",| - |->|\band\b|\bto\b", title)]
        names = title.split() if not (names[1:] or are_listed) else names
        return " 1 ".join(quote_name(name.strip('"')) for name in names if name) if names[1:] else None

    def held(self, counter: str | None) -> dict[int, int]:
        """Returns how many each person has of a counter."""
        rows = (row for row in rows_at(self.table) if normalise(row.what) == counter)
        return {row.who: row.value for row in rows if isinstance(row.who, int)}

    def having_potions(self) -> set[int]:
        """Returns the people who have potions left."""
        return {who for who, number in self.held("potions").items() if number}

    def looted(self, part: int) -> str | None:
        """Returns a part of `a cup, a ring and 7 gold`: how many coins, which, and things; else None."""
        text = self.value("text") or self.value("more") or ""
        said = [re.sub(r"^(\d+)([a-z]p)$", r"\1 \2", one) for one in re.split(", and |,? and |, ", text)]
        coins = [
            one for one in map(COINS.fullmatch, said) if one and is_money(name_token(one[2]), self.table)
        ]
        found = [] if len(coins) != 1 else [coins[0][1], coin_called(self.table, coins[0][2])]
        parts = [*found, *(one for one in said if one != coins[0][0])] if len(coins) == 1 else []
        return parts[part] if part < len(parts) <= MOST_FOUND else None

    def thrown(self) -> str:
        """Returns the typed results as `= 3 4`, to be put into a habit's line; empty without results."""
        self.has_used_results = True
        return f"= {' '.join(self.results)}" if self.results else ""

    def with_more(self) -> str | None:
        """Returns a track's value and maximum, each with the number on the line added; None without both."""
        track, change = normalise(self.value("track") or ""), int(self._slots["n"])
        rows = (row for row in rows_at(self.table) if (row.who, normalise(row.what)) == (self.named(), track))
        row = next(rows, None)
        return None if row is None or row.most is None else f"{row.value + change}/{row.most + change}"

    def levels(self, *, every: bool) -> str | None:
        """Returns an empty text if a level is kept for all people named, else the party; else None.

        Without `every`, if it is kept for none of them.
        """
        people = {*self.whose_each()} or {*map(self.table.quoted, party_of(self.table))}
        having = {*map(self.table.quoted, self.held("level"))}
        return "" if (people <= having if every else people.isdisjoint(having)) else None

    def foes(self) -> str | None:
        """Returns the NPCs named on the line, joined; None in a conflict, or if one of them has a player.

        Wolf-1 and Wolf-2 are meant by `Wolf`.
        """
        typed = [name.strip('"') for name in self._slots["foes"].split("+")]
        numbered = (numbered_people(name, self.table) or [name] for name in typed)
        people = [
            none_if_refused(partial(find_person, self.table, name)) for each in numbered for name in each
        ]
        if self.table.in_play() is not None or not {None, *party_of(self.table)}.isdisjoint(people):
            return None
        return "+".join(self.table.quoted(who) for who in people if who is not None)

    def came(self) -> str | None:
        """Returns the sum of the results on the line; None without any, for cards, and beside dice to sum."""
        if not self.results or not all(map(str.isdecimal, self.results)):
            return None
        if any(is_throw(word.strip(",.")) and not word.isdecimal() for word in self.line.split()):
            return None
        self.has_used_results = True
        return str(sum(map(int, self.results)))

    def against(self) -> str | None:
        """Returns `vs` and the number on the line; an empty text without a number."""
        number = self.value("n") if "n" in self._slots else None
        return "" if number is None else f"vs {number}"


_FACTS: Final[Mapping[str, Callable[[Facts], str | None]]] = {
    "me": Facts.me_typed,
    "name_of_me": lambda facts: None if facts.me is None else facts.table.name(facts.me),
    "sides": lambda facts: (
        None
        if facts.table.in_play() is not None or "vs" in facts.line.lower().split()
        else likely_sides(facts.table)
    ),
    "hp": lambda facts: None if facts.harm is None else quote_name(facts.harm[0]),
    "with_hp": lambda facts: None if facts.harm is None else "",
    "halved": lambda facts: (
        f"{change[0]}{int(change[1:]) // 2}"
        if (change := facts.value("change") or f"{facts.value('minus')}{facts.value('n')}")[1:].isdecimal()
        else None
    ),
    "whole_clock": lambda facts: f'"{find_clock(facts.table, facts.value("clock") or "")}"',
    "armoured": lambda facts: "" if re.search(r"\bac\b", facts.line.lower()) else None,
    "with_more": Facts.with_more,
    "left": lambda facts: (facts.value("amount") or "").partition("/")[0],
    "thing": Facts.thing,
    "thread": lambda facts: facts.thing("thread"),
    "without_hp": lambda facts: "" if facts.harm is None else None,
    "minus": lambda facts: facts.harm_sign(-1),
    "plus": lambda facts: facts.harm_sign(1),
    "end": lambda facts: "0" if facts.harm_sign(-1) == "-" else None,
    "test": lambda facts: facts.test(facts.named(), facts.whose()),
    "thrown_test": lambda facts: (
        facts.test(facts.named(), facts.whose())
        if facts.results and facts.table.in_play() is None and " vs " not in facts.line
        else None
    ),
    "struck": lambda facts: None if (track := facts.struck()) is None else facts.value("box?") or track,
    "test_and_more": lambda facts: (
        facts.test(facts.named(), facts.whose(), f"+{facts.value('n')}") if facts.results else None
    ),
    "own_test": lambda facts: facts.test(facts.me, facts.me_typed()),
    "turn_test": lambda facts: facts.test(facts.whose_turn, facts.me_typed()),
    "opening": lambda facts: (
        None
        if facts.table.in_play() is not None or facts.rolled(facts.me, attack=True) is not None
        else f"conflict {facts.value('by')} vs {facts.value('who')}"
    ),
    "test_of_aim": Facts.test_of_aim,
    "heals": lambda facts: (
        None
        if facts.me is None or (who := facts.named()) is None
        else f"{facts.value('name_of_me')} heals {facts.table.name(who)}."
    ),
    "came": Facts.came,
    "doing": lambda facts: (
        None
        if re.search(r"(?<!\S)\d+,?(?!\S)", words := facts.in_words())
        else words.removesuffix(" with").rstrip(",")
    ),
    "test_sum": lambda facts: facts.test(
        facts.named(),
        facts.whose(),
        None if (goal := facts.value("goal")) is None else f"vs {goal}",
        f" = {facts.value('sum')}",
    ),
    "summed": lambda facts: _sum(facts.value("sum") or "0"),
    "speaks": lambda facts: "" if re.fullmatch('["\u201c].+["\u201d]', facts.value("text") or "") else None,
    "each": lambda facts: (
        str(int(facts.value("n") or 0) // count)
        if (count := len({*facts.whose_each()})) > 1 and int(facts.value("n") or 0) % count == 0
        else None
    ),
    "verdict": lambda facts: (
        "" if (facts.value("text") or "").rstrip(".!").lower() in ("fail", "failure", "success") else None
    ),
    "before_dash": lambda facts: (found := DASHED.fullmatch(facts.value("text") or "")) and found[1],
    "after_dash": lambda facts: (found := DASHED.fullmatch(facts.value("text") or "")) and found[2],
    "or_harm": lambda facts: None if (facts.value("bonus") or "").endswith("1d4") else "",
    "attack_and_dice": lambda facts: (
        None if facts.value("or_harm") is None else facts.attack_and(facts.value("bonus") or "")
    ),
    "attack_and_sneak": Facts.attack_and_sneak,
    "drinker": lambda facts: facts.whose() if facts.named() in facts.having_potions() else None,
    "against": Facts.against,
    "found": Facts.found,
    "listed_zones": lambda facts: facts.zones(are_listed=True),
    "of_their_own": lambda facts: next(iter(facts.aspects_of(facts.named())), None),
    "only_found": lambda facts: facts.found(alone=True),
    "rival": Facts.rival,
    "healed_by_dice": lambda facts: "" if facts.results else None,
    "potion_of": lambda facts: next(map(facts.table.quoted, sorted(facts.having_potions())), None),
    "dry": lambda facts: (
        facts.whose() if {facts.named()}.isdisjoint(having := facts.having_potions()) and having else None
    ),
    "thrown": Facts.thrown,
    "of_foe": Facts.of_foe,
    "fallen": lambda facts: "" if facts.named() in fallen(facts.table) else None,
    "uncounted_by": lambda facts: (
        None
        if facts.me in people_with_players(facts.table)
        or facts.me in facts.held(facts.value("coin") or normalise(facts.value("money") or ""))
        else ""
    ),
    "harmed_by": lambda facts: "" if facts.sign() == facts.harm_sign(-1) == "-" else None,
    "plain_text": lambda facts: None if re.search(r"\d", text := facts.value("text") or "") else text,
    "loot_number": lambda facts: facts.looted(0),
    "loot_coin": lambda facts: facts.looted(1),
    "loot": lambda facts: facts.looted(2),
    "loot_beside": lambda facts: facts.looted(3),
    "purse": lambda facts: None if (who := purse_of(facts.table)) is None else facts.table.quoted(who),
    "purse_share": lambda facts: (
        str(held // len(people))
        if (people := party_of(facts.table))
        and (purse := purse_of(facts.table)) is not None
        and (held := facts.held(normalise(facts.value("money") or "")).get(purse, 0)) >= len(people)
        else None
    ),
    "party": lambda facts: "+".join(map(facts.table.quoted, party_of(facts.table))) or None,
    "contest": lambda facts: facts.contest(alone=False),
    "contest_alone": lambda facts: facts.contest(alone=True),
    "answer": Facts.answer,
    "party_test": lambda facts: facts.test(
        next(iter(people_with_players(facts.table)), None),
        next((word for word in EVERYBODY if word in words_for_everybody(facts.table)), None),
    ),
    "rolled_face": lambda facts: facts.result(""),
    "rolled_total": lambda facts: facts.result("total "),
    "invoker": Facts.invoker,
    "skill_of": lambda facts: skill_for(facts.table, facts.value("does") or ""),
    "skilled": Facts.skilled,
    "skilled_goal": lambda facts: facts.skilled(reaches=True),
    "skilled_face": lambda facts: facts.skilled(""),
    "skilled_total": lambda facts: facts.skilled("total "),
    "stress": lambda facts: facts.stress("-stress"),
    "cleared": Facts.stress,
    "recovered": lambda facts: facts.value("box?") or facts.stress(),
    "moves": lambda facts: (
        line
        if skill_for(facts.table, facts.value("does") or "") in ("athletics", "stealth")
        and not facts.results
        and (line := facts.may("move"))
        and line.startswith(f"move {facts.whose()} ")
        else None
    ),
    "counted": lambda facts: facts.ruled(
        facts.value("count") or "",
        facts.sign(),
        (facts.value("amount") or "").partition("/")[0] or facts.value("n"),
    ),
    "uncounted": lambda facts: (
        None if facts.harm is not None or HIT_POINTS in counts_at(facts.table) else facts.line
    ),
    "in_all": lambda facts: (
        f"{write_key(facts.value('count') or '')}={most}"
        if (most := (facts.value("amount") or "").partition("/")[2])
        else None
    ),
    "engage": lambda facts: (
        "engage"
        if (here := facts.table.in_play())
        and (declare := SYSTEMS[here.system].takes(c.Declare))
        and "engage:act" in declare.form
        else None
    ),
    "strike": lambda facts: verb_of_game(facts.table, ATTACK),
    "conceder": lambda facts: (
        next(facts.whose_each(), None)  # who speaks for a side
        if (here := facts.table.in_play()) and c.Concede in SYSTEMS[here.system].decide
        else None
    ),
    "undeclared": lambda facts: (
        None
        if facts.line.endswith(ENDS) or "+" in (facts.value("who") or "") or facts.may("declare") is None
        else facts.whose()
    ),
    "ruled": lambda facts: None if facts.harm is not None else facts.whose(),
    "harmed": lambda facts: facts.changed_by_ruling("-"),
    "healed": lambda facts: facts.changed_by_ruling("+"),
    "quoted": Facts.in_quotes,
    "told": lambda facts: None if '"' in (told := facts.value("text") or "") else quote_name(told),
    "zones": Facts.zones,
    "share": lambda facts: (
        str(share)
        if (people := tuple(people_with_players(facts.table)))
        and (share := int(facts.value("n") or 0) // len(people))
        else None
    ),
    "who_or_me": lambda facts: facts.whose() or facts.me_typed(),
    "unplayed": lambda facts: next(map(facts.table.quoted, people_without_players(facts.table)), None),
    "points_again": lambda facts: (
        None if facts.me_typed() is None else f"ruling {facts.me_typed()}.points=5: refresh"
    ),
    "title_or_blank": lambda facts: facts.in_quotes() or YET_TO_FIND.text,
    "begun": lambda facts: facts.line[:1].upper() + facts.line[1:],
    "restful": lambda facts: next((quote_name(name) for name in rests_at(facts.table)), None),
    "sign": Facts.sign,
    "number_called": lambda facts: write_key(facts.skill or facts.value("stat") or ""),
    "bare_skill": lambda facts: facts.skill,
    "skill_key": lambda facts: None if facts.skill is None else write_key(facts.skill),
    "other_sign": lambda facts: {"+": "-", "-": "+"}.get(facts.sign() or ""),
    "best": lambda facts: facts.best(facts.me),
    "best_who": lambda facts: facts.best(facts.named()),
    "best_aim": lambda facts: facts.best(facts.aim),
    "regained": lambda facts: facts.value("n"),
    "harm_thrown": lambda facts: facts.thrown().removeprefix("= ") if len(facts.results) == 1 else None,
    "bonus_dice": lambda facts: None if facts.results else (facts.value("bonus") or "").partition("+")[2],
    "number_rolled": lambda facts: (
        facts.own_skill(facts.named() or GM, facts.whose() or "") or facts.value("stat")
    ),
    "reached": lambda facts: None if (goal := facts.value("goal")) is None else f"vs {goal}",
    "attack_for_face": lambda facts: facts.attack_for(""),
    "attack_for_total": lambda facts: facts.attack_for("total "),
    "attack_with_bonus": Facts.attack_with_bonus,
    "test_with_bonus": Facts.test_with_bonus,
    "attack": Facts.attack,
    "armed": lambda facts: None if (stat := facts.value("stat?")) == "" else f"with {stat}",
    "clears": lambda facts: (
        f"clear {'+'.join(people)} stress"
        if (
            people := dict.fromkeys(
                facts.table.quoted(row.who)
                for row in rows_at(facts.table)
                if row.picture is Picture.STRESS and row.value and isinstance(row.who, int)
            )
        )
        else None
    ),
    "reroll": lambda facts: next(
        (
            f"{render(choice.command.but({'free': False}), facts.table)} --reroll"
            for choice in facts.invokes()
            if facts.named() in (None, choice.who)
        ),
        None,
    ),
    "damage": lambda facts: (
        (found := CAME_OF_ATTACK.fullmatch(facts.value("more") or "")) and found["damage"]
    ),
    "foe": Facts.foe,
    "goes_on": Facts.goes_on,
    "then": Facts.then,
    "foes": Facts.foes,
    "closing": lambda facts: "--done" if (facts.value("text") or "").strip(" .!").lower() in CLOSED else None,
    "slots": lambda facts: next(
        (
            quote_name(row.what)
            for row in rows_at(facts.table)
            if row.who == facts.named() and "slot" in normalise(row.what)
        ),
        None,
    ),
    "keeper": lambda facts: (
        facts.table.quoted(having[0]) if len(having := [*facts.held(facts.value("coin"))]) == 1 else None
    ),
    "fewer": lambda facts: (
        number
        if (number := facts.value("n"))
        and len(held := facts.held(facts.value("coin")).values()) == 1
        and int(number) < max(held)
        else None
    ),
    "whose": Facts.whose,
    "several": lambda facts: "+".join(
        f"{singular(facts.value('newcomers') or '').capitalize()}-{number + 1}"
        for number in range(int(facts.value("n") or 2))
    ),
    "leveled": lambda facts: facts.levels(every=True),
    "unleveled": lambda facts: facts.levels(every=False),
    "attack_at_foe": Facts.aimed,
    "attack_thrown": lambda facts: (
        facts.attack()
        if any(face.isdecimal() and int(face) > MOST_OF_HARM for face in facts.results[:1])
        else None
    ),
    **{
        f"{prefix}_{name}": partial(found, ways=ways)
        for name, ways in WAYS_OF_ATTACK.items()
        for prefix, found in (
            ("aimed", Facts.aimed),
            ("attack", Facts.attack_came),
            ("counted", Facts.counted),
        )
    },
    "raised": lambda facts: (
        f"{quote_name(roll.stat)}={(roll.number or 0) + 1}"
        if (roll := facts.rolled(facts.me if facts.value("who") is None else facts.named())) and roll.stat
        else None
    ),
    "now": Facts.now,
    "line": lambda facts: facts.line,
}
"""Facts that a line of a habit may name."""
