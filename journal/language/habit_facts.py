"""Facts of a table for lines meant by habit: whose turn it is, the track of harm, who has a thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Final

from retold.journal.capabilities import Choice, HasAspects, Picture
from retold.journal.guarding import rows_at
from retold.journal.language.naming import find_clock, find_person, party_of
from retold.journal.language.proposed import actions_at
from retold.journal.language.rendering import render
from retold.journal.language.shorthand import is_money
from retold.journal.language.slot_words import (
    AS_WRITTEN,
    HIT_POINTS,
    coin_called,
    counts_at,
    skill_for,
    verb_of_game,
)
from retold.journal.language.strange_words import CLOSED, rests_at
from retold.journal.language.suggestions import name_token, numbered_people, singular, whose_turn
from retold.journal.language.verbs import form_of
from retold.journal.language.writing import ENDS, in_quotes, quote_name, write_key
from retold.journal.names import normalise, without_article
from retold.journal.refused import none_if_refused
from retold.journal.shared.conflicts import fallen, likely_sides, people_with_players, people_without_players
from retold.journal.shared.people import purse_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import YET_TO_FIND, Command

ATTACK: Final = "attack"
WORDS_OF_TITLE: Final = (
    *("title", "deed", "first", "second", "third", "fourth"),
    *("spell", "wording", "ending"),
)
"""Slots of words that stand for a title."""
MAY: Final = "may_"
"""Begins the name of a fact that is a line with the verb behind it, which the conflict in play accepts."""
OWNERS: Final = frozenset({"her", "his", "my", "their"})
"""Words before a thing that are not of its name."""
MOST_FOUND: Final = 4
"""Parts of what is found, with a number of coins and their name, and two things."""
COINS: Final = re.compile(r"(\d+) (\w+)")
"""Coins among things that are found."""
PLACE: Final = re.compile(r" (?:behind|beneath|from|in|inside|on|under|within) ")
"""Words between a thing and where it was found."""
DASHED: Final = re.compile("(.+?) [-\N{EN DASH}\N{EM DASH}] (.+)")
"""A name, and a text behind a dash."""


class Facts:
    """Facts about one line and its table, each found when a habit asks for it.

    `slots` are the words of the line by slot, as typed; `line` is the whole line.
    """

    def __init__(self, table: Table, slots: Mapping[str, str], line: str) -> None:
        self.table = table
        self._slots = slots
        self.line = line
        self.is_sure = True
        """False once a fact was found that may not be meant."""

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
        return self.fact(name) if typed is None else typed

    def fact(self, name: str) -> str | None:
        """Returns the text of a fact; None if there is no such fact, and if the table has none."""
        found = _FACTS.get(name)
        return None if found is None else found(self)

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

    # --- words of the line --------------------------------------------------------------------------------

    @property
    def aim(self) -> int | None:
        """The person aimed at, if the line has one."""
        return none_if_refused(lambda: find_person(self.table, self._slots.get("aim", "").strip('"')))

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

    # --- the fight ----------------------------------------------------------------------------------------

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

    def awaited(self) -> list[Command]:
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
        lines, aim = [render(command, self.table) for command in self.awaited()], self.whose()
        return next((line for line in lines if aim is not None and aim in line), next(iter(lines), None))

    def then(self) -> str | None:
        """Returns another line that the conflict waits for, where it waits for one of several."""
        return next((render(command, self.table) for command in self.awaited()[1:]), None)

    def only_awaited(self) -> str | None:
        """Returns the only line that the conflict waits for, if it needs neither dice nor cards."""
        waited = self.awaited()
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

    # --- tracks, things and money -------------------------------------------------------------------------

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
        people = tuple(self.named_people())
        if number is None or not people:
            return None
        return " ".join(f"{who}.{write_key(what)}{sign or ''}={number}" for who in people)

    def changed_by_ruling(self, sign: str) -> str | None:
        """Returns what a ruling sets for harm (`-`) or healing; None if a track is harmed here."""
        if self.harm is not None or HIT_POINTS not in counts_at(self.table):
            return None
        return self.ruled(HIT_POINTS, sign, self.value("n"))

    def named_people(self) -> Iterator[str]:
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
        """Returns `called` of the words on the line that stand for a title."""
        return self.called((self.in_quotes() or "").strip('"'), sort)

    def called(self, words: str, sort: str) -> str | None:
        """Returns the name, in quotes, of the only known thing with these words in its name; else None."""
        typed = {*without_article(words).split()} - OWNERS
        things = (one.called for one in self.table.every_matter() if one.sort == sort and typed)
        meant = [f'"{name}"' for name in things if typed <= {*normalise(name).split()}]
        return meant[0] if len(meant) == 1 else None

    def open_threads(self) -> Iterator[str]:
        """Yields the names of threads that are not closed."""
        for matter in self.table.every_matter():
            if matter.sort == "thread" and not matter.closed:
                yield matter.called

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
        return aim if sides - {None} and len(sides) == len(people) else None

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

    def hurt(self) -> Iterator[int]:
        """Yields the people of the party whose track of harm is not full."""
        for row in rows_at(self.table):
            if (
                self.harm == (row.what, -1)
                and row.who in party_of(self.table)
                and row.value < (row.most or 0)
            ):
                yield row.who

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
        return PLACE.split(parts[part])[0] if part < len(parts) <= MOST_FOUND else None

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
        people = {*self.named_people()} or {*map(self.table.quoted, party_of(self.table))}
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
    "whole_clock": lambda facts: f'"{find_clock(facts.table, (facts.value("clock") or "").strip(chr(34)))}"',
    "armoured": lambda facts: "" if re.search(r"\bac\b", facts.line.lower()) else None,
    "with_data": lambda facts: "" if facts.value("data") else None,
    "with_more": Facts.with_more,
    "left": lambda facts: (facts.value("amount") or "").partition("/")[0],
    "thing": Facts.thing,
    "thread": lambda facts: facts.thing("thread"),
    "thread_told": lambda facts: facts.called(facts.value("text") or "", "thread"),
    "only_thread": lambda facts: f'"{threads[0]}"' if len(threads := [*facts.open_threads()]) == 1 else None,
    "undiced": lambda facts: None if re.search(r"[\d=]", facts.value("text") or "") else "",
    "without_hp": lambda facts: "" if facts.harm is None else None,
    "minus": lambda facts: facts.harm_sign(-1),
    "plus": lambda facts: facts.harm_sign(1),
    "end": lambda facts: "0" if facts.harm_sign(-1) == "-" else None,
    "struck": lambda facts: None if (track := facts.struck()) is None else facts.value("box?") or track,
    "heals": lambda facts: (
        None
        if facts.me is None or (who := facts.named()) is None
        else f"{facts.value('name_of_me')} heals {facts.table.name(who)}."
    ),
    "speaks": lambda facts: "" if re.fullmatch('["\u201c].+["\u201d]', facts.value("text") or "") else None,
    "each": lambda facts: (
        str(int(facts.value("n") or 0) // count)
        if (count := len({*facts.named_people()})) > 1 and int(facts.value("n") or 0) % count == 0
        else None
    ),
    "corrected": lambda facts: (
        None
        if facts.harm is None or (less := int(facts.value("hit") or 0) - int(facts.value("n") or 0)) == 0
        else f"{facts.harm_sign(1 if less > 0 else -1)}{abs(less)}"
    ),
    "hurt": lambda facts: "+".join(map(facts.table.quoted, facts.hurt())) or None,
    "with_hurt": lambda facts: "" if next(facts.hurt(), None) is not None else None,
    "winners": lambda facts: f"{' and '.join(facts.named_people())} won",
    "for_each": lambda facts: "" if facts.value("n") == str(len(party_of(facts.table))) else None,
    "into_purse": lambda facts: "" if facts.named() == purse_of(facts.table) else None,
    "steps": lambda facts: facts.value("n") or "1",
    "verdict": lambda facts: (
        "" if (facts.value("text") or "").rstrip(".!").lower() in ("fail", "failure", "success") else None
    ),
    "before_dash": lambda facts: (found := DASHED.fullmatch(facts.value("text") or "")) and found[1],
    "after_dash": lambda facts: (found := DASHED.fullmatch(facts.value("text") or "")) and found[2],
    "drinker": lambda facts: facts.whose() if facts.named() in facts.having_potions() else None,
    "found": Facts.found,
    "listed_zones": lambda facts: facts.zones(are_listed=True),
    "of_their_own": lambda facts: next(iter(facts.aspects_of(facts.named())), None),
    "only_found": lambda facts: facts.found(alone=True),
    "rival": Facts.rival,
    "potion_of": lambda facts: next(map(facts.table.quoted, sorted(facts.having_potions())), None),
    "dry": lambda facts: (
        facts.whose() if {facts.named()}.isdisjoint(having := facts.having_potions()) and having else None
    ),
    "of_foe": Facts.of_foe,
    "fallen": lambda facts: "" if facts.named() in fallen(facts.table) else None,
    "uncounted_by": lambda facts: (
        None
        if facts.me in people_with_players(facts.table)
        or facts.me in facts.held(facts.value("coin") or normalise(facts.value("money") or ""))
        else ""
    ),
    "plain_text": lambda facts: None if re.search(r"\d", text := facts.value("text") or "") else text,
    "loot_number": lambda facts: facts.looted(0),
    "loot_coin": lambda facts: facts.looted(1),
    "loot_told": lambda facts: (
        facts.line if PLACE.search(facts.value("more") or "") else f"{facts.value('who')} has it."
    ),
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
    "invoker": Facts.invoker,
    "skill_of": lambda facts: skill_for(facts.table, facts.value("does") or ""),
    "stress": lambda facts: facts.stress("-stress"),
    "cleared": Facts.stress,
    "recovered": lambda facts: facts.value("box?") or facts.stress(),
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
        next(facts.named_people(), None)  # who speaks for a side
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
    "other_sign": lambda facts: {"+": "-", "-": "+"}.get(facts.sign() or ""),
    "regained": lambda facts: facts.value("n"),
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
    "foe": Facts.foe,
    "goes_on": Facts.only_awaited,
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
    "whisperers": lambda facts: "+".join(
        filter(
            None,
            (facts.whose() if facts.named() in party_of(facts.table) else None, facts.value("to")),
        )
    ),
    "several": lambda facts: "+".join(
        f"{singular(facts.value('newcomers') or '').capitalize()}-{number + 1}"
        for number in range(int(facts.value("n") or 2))
    ),
    "leveled": lambda facts: facts.levels(every=True),
    "unleveled": lambda facts: facts.levels(every=False),
    "now": Facts.now,
    "line": lambda facts: facts.line,
}
"""Facts that a line of a habit may name."""
