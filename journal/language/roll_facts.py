"""Facts for lines of rolls: a check, a contest, an attack, and what came up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from retold.journal.capabilities import OwnRoll
from retold.journal.decks.expressions import TWICE, is_throw
from retold.journal.language.habit_facts import ATTACK, Facts
from retold.journal.language.habits.shapes import GUESSES, SORTS
from retold.journal.language.naming import EVERYBODY, find_person, party_of, words_for_everybody
from retold.journal.language.other_words import OPPOSED
from retold.journal.language.proposed import rolls_at
from retold.journal.language.rendering import render
from retold.journal.language.slot_words import MISSES, is_on_a_sheet, skill_called, skill_for
from retold.journal.language.strange_words import CHECK
from retold.journal.language.writing import quote_name, write_key
from retold.journal.names import normalise
from retold.journal.refused import none_if_refused
from retold.journal.shared.conflicts import people_with_players
from retold.journal.system import SKILLS
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM, YET_TO_FIND

CHECKS: Final = ("check", "test", "skill", "act")
"""Usual names of the move for all that has no move of its own, most usual first."""
UNKNOWN_GOAL: Final = "vs 12"
"""What is to be reached, in a line without it."""
MOST_OF_HARM: Final = 12
"""Most that a die of damage shows, in a line that may be of an attack."""
PASSED: Final = "success"
FAILED: Final = "failure"
"""Last words of the results of a check."""
BOTH: Final = 2
"""Results of a contest whose two rolls stand on one line."""
SAVE: Final = re.compile(r"\bsav(?:e|es|ing)\b", re.IGNORECASE)
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
CAME_OF_SKILL: Final = re.compile(
    r"(?P<how>(?:(?!\d+[ ,])\S+ )*?)(?:(?P<n>[1-9]\d?(?:\+\d+)*),?)?(?: ?vs (?:passive )?(?P<goal>\d+))?"
)
"""A result behind an act, and the number to be reached: `Warden, 15 vs 12`."""


DICE_IN_TEXT: Final = re.compile(r"(?P<dice>\d*d\d+)(?P<added>[+-]\d+)? = (?P<came>[\d ]+)")
"""Dice and what came up, with what is added to them."""


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


class RollFacts(Facts):
    """Facts about one line and its table, of people and things and of the line's rolls.

    `results` are what came up.
    """

    def __init__(
        self, table: Table, slots: Mapping[str, str], line: str, results: Sequence[str] = ()
    ) -> None:
        super().__init__(table, slots, line)
        self.results = results
        self.is_only_attack = False
        """True once an attack was found that is the only one of who acts, at somebody in the fight."""
        self.has_used_results = False
        """True once the results are a number on the line."""

    def fact(self, name: str) -> str | None:
        """Returns the text of a fact; None if there is no such fact, and if line and table have none."""
        found = _FACTS.get(name)
        return super().fact(name) if found is None else found(self)

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

    def test_of_aim(self) -> str | None:
        """Returns the roll of the person aimed at, with the second stat on the line, else with the same."""
        slots = {**self._slots, "who": self._slots["aim"]}
        if "skill" in slots:
            slots["stat"] = slots["skill"]
        facts = RollFacts(self.table, slots, self.line)
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
        facts = RollFacts(self.table, {"who": self._slots["aim"], "stat": stat}, self.line)
        return facts.test(facts.named(), facts.whose(), f"vs {self.whose()}", f" = {self.results[1]}")

    def answered(self, way: str) -> str | None:
        """Returns the roll of the person named against who waits for it, with the number on the line.

        The number stands behind the word `way`. None if nobody waits for a roll of theirs.
        """
        aim = self.awaited_by()
        if aim is None or self.results:
            return None
        return self.test(self.named(), self.whose(), f"vs {aim}", f" = {way}{self.value('n')}")

    def answer_in_all(self) -> str | None:
        """Returns the roll against who waits for it; a bonus on the line is all of it, sheet included."""
        aim, who, typed = self.awaited_by(), self.named() or GM, self._slots.get("n")
        if aim is None:
            return None
        stat = self.own_skill(who, self.whose() or "") or self.value("stat") or ""
        games = SYSTEMS.among(self.table.shelves)
        numbers = (game.number(self.table, who, normalise(stat)) for game in games)
        bonus = 0 if typed is None else int(typed) - next(filter(None, numbers), 0)
        return self.test(who, self.whose(), f"{bonus:+} vs {aim}" if bonus else f"vs {aim}")

    def awaited_by(self) -> str | None:
        """Returns the last person who waits for a roll of the person named; None if nobody does."""
        waiting = [thrower for awaited, thrower in self.table.contests if awaited == self.named()]
        return self.table.quoted(waiting[-1]) if waiting else None

    def having(self, result: str, *, all_of_them: bool) -> str | None:
        """Returns the people named whose last roll had this result, joined with `+`.

        None if some have another result, or with `all_of_them` False, if none or all of them have this one.
        """
        games = SYSTEMS.among(self.table.shelves)
        read = [game.facts["result"].read for game in games if "result" in game.facts]
        people = {
            who: none_if_refused(partial(find_person, self.table, who.strip('"')))
            for who in self.named_people()
        }
        last = {
            name: "".join(part for one in read for part in one(self.table, None, who))
            for name, who in people.items()
        }
        having = [name for name, came in last.items() if result in came]
        is_known = all(came.endswith((PASSED, FAILED)) for came in last.values())
        is_whole = len(having) == len(last)
        return "+".join(having) or None if is_known and is_whole is all_of_them else None

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
        conflict, target = self.table.in_play(), self.named()
        if conflict is not None and {self.me, target} <= {*conflict.people} and "by" in self._slots:
            rolls = rolls_at(self.table, self.me or GM)
            attacks = [one for one in rolls if normalise(one.move) == ATTACK and one.number]
            self.is_only_attack = is_armed or len(attacks) == 1
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
        line = (
            None if found is None else RollFacts(self.table, {**self._slots, "more": how}, self.line).attack()
        )
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
        line = RollFacts(self.table, {**self._slots, "more": f"+{bonus}{armed}"}, self.line).attack()
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
        most = int(self._slots["bonus"].lower().rpartition("d")[2])
        is_of_die = is_one and bonus.isdecimal() and int(bonus) <= most
        return [hit, bonus if is_of_die else "", *others[:-2]]

    def attack_and(self, dice: str) -> str | None:
        """Returns the line of `attack` with extra damage dice and the results; None without a target."""
        line = RollFacts(self.table, {**self._slots, "more": ""}, self.line).attack()
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

    def aimed(self, ways: tuple[str, str] | None = None) -> str | None:
        """Returns `attack_came` at the person named, else at `foe`; without `ways` the attack alone."""
        aim = self._slots.get("who") or self.foe()
        if aim is None:
            return None
        more = " ".join(filter(None, map(self._slots.get, ("hit", "hurt"))))
        facts = RollFacts(self.table, {**self._slots, "who": aim, "more": more}, self.line)
        return facts.attack_came(ways) if ways else facts.attack()

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
        facts = RollFacts(self.table, {**self._slots, "stat": skill}, self.line)
        results = "" if came is None else f" = {way}{_sum(came)}"
        line = facts.test(self.named(), self.whose(), f"vs {goal}" if goal else "", results)
        if line is None or not more or (not (came or goal) and re.search(r"[\d=]|\bvs\b", more)):
            return line if not more else None
        how = (
            (more if is_sum else how if came or goal else more).rstrip(", ").removesuffix(skill).rstrip(", ")
        )
        return f"{line}: {does} {how}" if how else line

    def thrown(self) -> str:
        """Returns the typed results as `= 3 4`, to be put into a habit's line; empty without results."""
        self.has_used_results = True
        return f"= {' '.join(self.results)}" if self.results else ""

    def came(self) -> str | None:
        """Returns the sum of the results on the line; None without any, for cards, and beside dice to sum."""
        if not self.results or not all(map(str.isdecimal, self.results)):
            return None
        if any(is_throw(word.strip(",.")) and not word.isdecimal() for word in self.line.split()):
            return None
        self.has_used_results = True
        return str(sum(map(int, self.results)))

    def total_in_text(self) -> str | None:
        """Returns the total of the dice behind the colon, 11 for `3d6 = 4 5 2`; None for other words."""
        found = DICE_IN_TEXT.fullmatch(self.value("text") or "")
        came = [] if found is None else found["came"].split()
        if found is None or len(came) != int(found["dice"].partition("d")[0] or 1):
            return None
        return str(sum(map(int, (*came, found["added"] or 0))))

    def against(self) -> str | None:
        """Returns `vs` and the number on the line; an empty text without a number."""
        number = self.value("n") if "n" in self._slots else None
        return "" if number is None else f"vs {number}"


_FACTS: Final[Mapping[str, Callable[[RollFacts], str | None]]] = {
    "test": lambda facts: facts.test(facts.named(), facts.whose()),
    "thrown_test": lambda facts: (
        facts.test(facts.named(), facts.whose())
        if facts.results and facts.table.in_play() is None and " vs " not in facts.line
        else None
    ),
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
    "test_of_aim": RollFacts.test_of_aim,
    "came": RollFacts.came,
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
    "or_harm": lambda facts: None if (facts.value("bonus") or "").endswith("1d4") else "",
    "attack_and_dice": lambda facts: (
        None if facts.value("or_harm") is None else facts.attack_and(facts.value("bonus") or "")
    ),
    "attack_and_sneak": RollFacts.attack_and_sneak,
    "against": RollFacts.against,
    "total_in_text": RollFacts.total_in_text,
    "act": lambda facts: facts.line.partition(":")[0],
    "healed_by_dice": lambda facts: "" if facts.results else None,
    "thrown": RollFacts.thrown,
    "contest": lambda facts: facts.contest(alone=False),
    "contest_alone": lambda facts: facts.contest(alone=True),
    "answer": RollFacts.answer,
    "answer_in_all": RollFacts.answer_in_all,
    "answer_face": lambda facts: facts.answered(""),
    "answer_total": lambda facts: facts.answered("total "),
    "passed": lambda facts: facts.having(PASSED, all_of_them=False),
    "failed": lambda facts: facts.having(FAILED, all_of_them=False),
    "all_passed": lambda facts: facts.having(PASSED, all_of_them=True),
    "all_failed": lambda facts: facts.having(FAILED, all_of_them=True),
    "skill_typed": lambda facts: facts.skill or facts.value("stat"),
    "party_test": lambda facts: facts.test(
        next(iter(people_with_players(facts.table)), None),
        next((word for word in EVERYBODY if word in words_for_everybody(facts.table)), None),
    ),
    "rolled_face": lambda facts: facts.result(""),
    "rolled_total": lambda facts: facts.result("total "),
    "skilled": RollFacts.skilled,
    "skilled_goal": lambda facts: facts.skilled(reaches=True),
    "skilled_face": lambda facts: facts.skilled(""),
    "skilled_total": lambda facts: facts.skilled("total "),
    "moves": lambda facts: (
        line
        if skill_for(facts.table, facts.value("does") or "") in ("athletics", "stealth")
        and not facts.results
        and (line := facts.may("move"))
        and line.startswith(f"move {facts.whose()} ")
        else None
    ),
    "number_called": lambda facts: write_key(facts.skill or facts.value("stat") or ""),
    "bare_skill": lambda facts: facts.skill,
    "skill_key": lambda facts: None if facts.skill is None else write_key(facts.skill),
    "best": lambda facts: facts.best(facts.me),
    "best_who": lambda facts: facts.best(facts.named()),
    "best_aim": lambda facts: facts.best(facts.aim),
    "harm_thrown": lambda facts: facts.thrown().removeprefix("= ") if len(facts.results) == 1 else None,
    "bonus_dice": lambda facts: None if facts.results else (facts.value("bonus") or "").partition("+")[2],
    "number_rolled": lambda facts: (
        facts.own_skill(facts.named() or GM, facts.whose() or "") or facts.value("stat")
    ),
    "reached": lambda facts: None if (goal := facts.value("goal")) is None else f"vs {goal}",
    "attack_for_face": lambda facts: facts.attack_for(""),
    "attack_for_total": lambda facts: facts.attack_for("total "),
    "attack_with_bonus": RollFacts.attack_with_bonus,
    "test_with_bonus": RollFacts.test_with_bonus,
    "attack": RollFacts.attack,
    "armed": lambda facts: None if (stat := facts.value("stat?")) == "" else f"with {stat}",
    "damage": lambda facts: (
        (found := CAME_OF_ATTACK.fullmatch(facts.value("more") or "")) and found["damage"]
    ),
    "attack_at_foe": RollFacts.aimed,
    "attack_thrown": lambda facts: (
        facts.attack()
        if any(face.isdecimal() and int(face) > MOST_OF_HARM for face in facts.results[:1])
        else None
    ),
    **{
        f"{prefix}_{name}": partial(found, ways=ways)
        for name, ways in WAYS_OF_ATTACK.items()
        for prefix, found in (
            ("aimed", RollFacts.aimed),
            ("attack", RollFacts.attack_came),
            ("counted", RollFacts.counted),
        )
    },
    "raised": lambda facts: (
        f"{quote_name(roll.stat)}={(roll.number or 0) + 1}"
        if (roll := facts.rolled(facts.me if facts.value("who") is None else facts.named())) and roll.stat
        else None
    ),
}
"""Facts of rolls that a line of a habit may name."""
