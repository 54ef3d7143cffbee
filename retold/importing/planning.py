"""Acts that a unit becomes, by the answers; people are still labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

from retold.importing.known import Known
from retold.importing.merging import Entry
from retold.importing.people import GAME_MASTER, NOBODY, Part, Participant, People, is_name, on_one_line
from retold.importing.throws import taken, told_of, without_throws
from retold.journal.names import normalise
from retold.journal.vocabulary import events as e
from retold.sources.answers import EVERYBODY, ONLY_GM, Answers, Use, is_gms
from retold.sources.deeds import Deed, deed_in, deeds_in, joined, sentence
from retold.sources.dice import Rung, Throw
from retold.sources.table_talk import QUOTES, parted_talk
from retold.sources.unit import Fact, FactKind, Sort, Unit

WORDS: Final = 0
"""Number of the act of a unit's words; its throws are numbered from 1."""
REST: Final = 1_000
"""Number of the act with the rest of a unit that is too long."""
FACTS: Final = 2_000
MARK: Final = 1_001
SECRET: Final = 1_002
"""Number of the act with the words of an open unit that the game master alone may read."""
CARD: Final = 1_003
"""Number of the act with the text of a card, whose title is told."""
ROOM: Final = 1_004
"""Number of the act that sets the scene in a room, before its first words."""
FILES: Final = 1_005
"""Number of the act with the names of pictures and files that stand beside words."""
DEED: Final = 1_006
"""Number of the act that tells the attack or the damage that a card's throws are for."""
LATER: Final = 3_000
"""Number of the act of the first words that stand behind a throw, a fact or other words of their unit."""
MOST_DEEDS: Final = 6
"""Most parts of a text that mixes speech with emotes."""
MOST_TITLE: Final = 80
"""Characters of a first line that may be a card's title."""


class Verb(StrEnum):
    """Kind of a planned act, usually named after its command."""

    SAY = "say"
    NARRATE = "narrate"
    DECLARE = "declare"
    ASIDE = "aside"
    NOTE = "note"
    SCENE = "scene"
    ROLL = "roll"
    FACT = "fact"
    MARK = "mark"


@dataclass(slots=True)
class Planned:
    """One act of a unit."""

    part: int
    verb: Verb
    who: Participant
    text: str
    eyes: tuple[Participant, ...] | None = None
    """Who may see it beside the game master; None for the whole table."""
    throw: Throw | None = None
    fact: Fact | None = None
    whole: str = ""
    """All words of a unit of which this act has a part, as earlier versions recorded them in one act.

    Empty for all others.
    """


_VERBS: Final[Mapping[Sort, Verb]] = {
    Sort.SAID: Verb.SAY,
    Sort.TOLD: Verb.NARRATE,
    Sort.DECLARED: Verb.DECLARE,
    Sort.ASIDE: Verb.ASIDE,
    Sort.NOTE: Verb.NOTE,
    Sort.ROLL: Verb.ASIDE,
    Sort.CARD: Verb.NARRATE,
    Sort.NOTICE: Verb.ASIDE,
    Sort.MARK: Verb.NOTE,
    Sort.SCENE: Verb.SCENE,
}


class _Setting(NamedTuple):
    """Evening, audience, person and channel's use of a deed."""

    evening: int
    eyes: tuple[Participant, ...] | None
    who: Participant
    use: Use


class Planner:
    """Plans the acts of units."""

    def __init__(
        self,
        answers: Answers,
        people: People,
        quoted: Mapping[tuple[int, str], Entry],
        known: Known | None = None,
    ) -> None:
        self._answers = answers
        self.people = people
        self._quoted = quoted
        """Units by file and key, for the quotes of replies."""
        self._known = known
        """Campaign, which tells what was redacted; None for one that does not exist yet."""
        self._stated: dict[tuple[FactKind, str, str, tuple[Participant, ...] | None], tuple[str, str]] = {}
        """Values of facts as they were last stated."""
        self._cards: set[tuple[str, tuple[Participant, ...] | None]] = set()
        """Cards whose text is told already, with the audience."""
        self._deeds: dict[tuple[Entry, int], list[Deed]] = {}
        """Deeds that a unit tells, by the number of their act: its card's, or those of its throws."""
        self.grown: set[Entry] = set()
        """Units of the campaign whose deeds go on in units that it does not have."""
        self.headings: dict[int, str] = {}
        """Headings that the game master wrote above their first text of an evening; else empty."""
        self._since_roll = _SOON
        """Texts of the story since the last roll; fewer than `_SOON` are soon after it."""
        self._attacker = NOBODY
        """Person of the last attack, if the whole table saw it."""

    def read_ahead(self, entries: Sequence[Entry]) -> None:
        """Finds the deeds of units in their order; one that goes on with the deed above is told there.

        So a spell's card, its attack and its damage are one deed, unless words of the story are between them,
        or the campaign tells them apart already. A card is told once an evening.
        """
        known, told = self._known, set[tuple[_Setting, str]]()
        before: Deed | None = None
        leader: tuple[Entry, int] | None = None
        there: _Setting | None = None
        for entry in entries:
            if entry.unit.sort in (Sort.SAID, Sort.TOLD) and not entry.unit.throws:
                leader = None
            for part, deeds in _deeds_of(entry.unit):
                use = self._answers.channels.get(entry.unit.channel, Use.STORY)
                here = _Setting(entry.evening, self.eyes(entry), self._teller(entry.unit), use)
                is_result = part == DEED and entry.unit.sort is Sort.NOTICE
                here = there if there and is_result and here[:2] == there[:2] else here
                together = joined(before, deeds[0]) if before and here == there and len(deeds) == 1 else None
                is_apart = known is not None and known.has(entry.identity, (part,))
                if together and leader and not is_apart:
                    if known is not None and not known.has(entry.identity):
                        self.grown |= {leader[0]} if known.has(leader[0].identity) else set()
                    self._deeds[leader], self._deeds[entry, part], before = [together], [], together
                    continue
                act = here, normalise(deeds[0].what or entry.unit.text)
                is_again = part == WORDS and act in told and entry.unit.sort is Sort.CARD
                told |= {act} if part == WORDS else set()
                self._deeds[entry, part] = [] if is_again else deeds
                if not is_result:
                    leader, there = None if is_again or len(deeds) > 1 else (entry, part), here
                    before = deeds[0]

    def acts(self, entry: Entry) -> Iterator[Planned]:
        """Yields the acts of a unit: its words, its throws, what is unread of it, its facts.

        Units are planned in their order: a fact that is stated again as it was becomes no act.
        """
        unit, answers = entry.unit, self._answers
        who = self._teller(unit)
        eyes = self.eyes(entry)
        if unit.unread:
            yield Planned(WORDS, Verb.NOTE, NOBODY, f"{e.UNREAD_SIGN} {unit.raw or unit.text}", ())
            return
        use = answers.channels.get(unit.channel, Use.STORY)
        text = self._text(entry, unit.text)
        throws = [taken(throw) for throw in unit.throws]
        beside = ""
        if len(throws) == 1 and unit.sort is Sort.ROLL:
            text, beside = "", "" if text == unit.throws[0].words else text
        yield from self._deed(entry, use, who, eyes)
        if unit.order and text:
            yield from self._in_order(unit, use, who, eyes)
        else:
            if text:
                yield from self._words(entry, use, who, text, eyes)
            for part, throw in enumerate(throws, start=1):
                yield _of_throw(part, throw, who, beside, eyes)
            for part, fact in enumerate(unit.facts, start=FACTS):
                yield from self._fact(part, fact, who, eyes)
        self._since_roll = 0 if throws and eyes is None else self._since_roll
        name = _name_of_mark(unit.text) if unit.pinned or unit.sort is Sort.MARK else ""
        if answers.marks and eyes is None and is_name(name):
            yield Planned(MARK, Verb.MARK, NOBODY, name)
        if unit.raw:
            yield Planned(REST, Verb.NOTE, NOBODY, f"{e.UNREAD_SIGN} {unit.raw}", ())
        if unit.secret:
            yield Planned(SECRET, Verb.NOTE, NOBODY, unit.secret, ())

    def _teller(self, unit: Unit) -> Participant:
        """Person of a unit; the game master for what their characters do not speak, but tell the players."""
        who = self.people.speaker(unit.speaker, unit.account)
        is_told = unit.sort is Sort.SAID and who.is_person and not who.player and not unit.throws
        return GAME_MASTER if is_told and _TO_PLAYERS.match(unit.text) else who

    def _fact(
        self, part: int, fact: Fact, who: Participant, eyes: tuple[Participant, ...] | None
    ) -> Iterator[Planned]:
        """Yields the act of a fact, unless it was stated so before."""
        about = fact.kind, normalise(fact.name), normalise(fact.whose), eyes
        said = fact.value, fact.player
        if said != self._stated.get(about) and (any(said) or about not in self._stated):
            self._stated[about] = said
            yield Planned(part, Verb.FACT, who, fact.value, eyes, None, fact)

    def _deed(
        self, entry: Entry, use: Use, who: Participant, eyes: tuple[Participant, ...] | None
    ) -> Iterator[Planned]:
        """Yields the act that tells what a person's throws are for, or the result of the attack above."""
        deeds = self._deeds.get((entry, DEED), [])
        if entry.unit.sort is Sort.NOTICE and not entry.unit.throws:
            who = self._attacker
        elif deeds:
            self._attacker = who if eyes is None else NOBODY
        told = "; ".join(filter(None, (sentence(deed, self._answers.language) for deed in deeds)))
        if told and who.is_person and _verb(Sort.TOLD, use, who) is Verb.NARRATE:
            yield Planned(DEED, Verb.NARRATE, who, told, eyes)

    def _in_order(
        self, unit: Unit, use: Use, who: Participant, eyes: tuple[Participant, ...] | None
    ) -> Iterator[Planned]:
        """Yields the acts of a unit whose words stand between its throws and facts."""
        words = throws = facts = 0
        for kind, items in groupby(unit.order, type):
            if kind is str:
                text = "\n".join(map(str, items))
                part, whole = (LATER + words, "") if words else (WORDS, unit.text)
                yield Planned(part, _verb(unit.sort, use, who), who, text, eyes, whole=whole)
                words += 1
                continue
            for item in items:
                if isinstance(item, Throw):
                    throws += 1
                    yield _of_throw(throws, taken(item), who, "", eyes)
                elif isinstance(item, Fact):
                    yield from self._fact(FACTS + facts, item, who, eyes)
                    facts += 1

    def _words(
        self, entry: Entry, use: Use, who: Participant, text: str, eyes: tuple[Participant, ...] | None
    ) -> Iterator[Planned]:
        """Yields the act of a unit's words; of a card its title, and its text once, out of the story."""
        unit = entry.unit
        if unit.sort is Sort.CARD:
            yield from self._card(entry, use, who, text, eyes)
            return
        is_file = unit.sort in (Sort.SAID, Sort.TOLD) and not unit.text  # a picture is not part of the story
        verb = _verb(Sort.ASIDE if is_file else unit.sort, use, who)
        told, whole = text, unit.whole
        if verb in (Verb.SAY, Verb.NARRATE):
            told = without_throws(told, unit.throws)
            if unit.throws and len(_WORD.findall(told)) <= _NO_DEED and not _WHOLE.fullmatch(told):
                verb, told = Verb.ASIDE, text
        files = "\n".join(unit.attached) if verb in (Verb.SAY, Verb.NARRATE) else ""
        if files and (words := told.removesuffix(files).rstrip()):
            told = words
        else:
            files = ""
        whole = whole or (text if told != text else "")
        is_said = unit.sort is Sort.SAID and verb in (Verb.SAY, Verb.NARRATE)
        talk, rest = self._beside_story(entry, who, told, eyes) if is_said else ("", told)
        parts = _deeds_and_speech(verb, who, rest) if rest else []
        whole = whole or ("" if not talk and parts == [(False, told)] else told)
        told_parts = [_as_told(Verb.NARRATE if deed else verb, who, words) for deed, words in parts]
        if eyes is None and told_parts and verb in (Verb.SAY, Verb.NARRATE):
            if not who.is_person:
                self.headings.setdefault(entry.evening, "")
            self._since_roll += 1
        if talk:
            told_parts.insert(0, (Verb.ASIDE, talk))
        for part, (how, said) in enumerate(told_parts, start=LATER - 1):
            yield Planned(part if part >= LATER else WORDS, how, who, said, eyes, whole=whole)
            whole = ""
        if files:
            yield Planned(FILES, Verb.ASIDE, who, files, eyes)

    def _beside_story(
        self, entry: Entry, who: Participant, text: str, eyes: tuple[Participant, ...] | None
    ) -> tuple[str, str]:
        """Heading of the session, or talk at the table, that a text begins with; and the rest."""
        first, _, rest = text.partition("\n")
        has_title = bool(entry.unit.session) or self._answers.sessions.strip() == "thread"
        is_first = eyes is None and entry.evening not in self.headings
        if is_first and not (has_title or who.is_person) and _HEADING.fullmatch(first):
            self.headings[entry.evening] = first
            return first, rest.strip()
        is_soon = eyes is None and self._since_roll < _SOON
        return parted_talk(text, by_game_master=not who.is_person, after_roll=is_soon)

    def _card(
        self, entry: Entry, use: Use, who: Participant, text: str, eyes: tuple[Participant, ...] | None
    ) -> Iterator[Planned]:
        """Yields the act that a card's title is, once an evening; its text, once, is out of the story."""
        unit = entry.unit
        title, card = _parted(unit.text)
        told = self._text(entry, title) if card else text
        verb = _verb(unit.sort, use, who)
        if verb is Verb.NARRATE and _is_title(title):
            deeds = self._deeds.get((entry, WORDS), []) if who.is_person else []
            if not deeds:
                verb = Verb.ASIDE
            elif deeds[0].what:
                told = sentence(deeds[0], self._answers.language) or told
        yield Planned(WORDS, verb, who, told, eyes, whole=unit.whole or text)
        if card and (unit.text, eyes) not in self._cards:
            self._cards.add((unit.text, eyes))
            beside = Verb.NOTE if use is Use.NOTES else Verb.ASIDE
            yield Planned(CARD, beside, who, card, eyes, whole=_parted(unit.whole)[1])

    def eyes(self, entry: Entry) -> tuple[Participant, ...] | None:
        """People who may see a unit besides the game master; None for the whole table."""
        if is_gms(self._answers, entry.unit, can_mark=entry.log.can_mark):
            return ()
        unit = entry.unit
        if not unit.hidden:
            return None
        sees = self._answers.audience.get(unit.channel, ()) if not unit.to else ()
        if sees == (EVERYBODY,):
            return None
        if sees == (ONLY_GM,):
            return ()
        people = [self.people.viewer(label) for label in unit.to or sees]
        if not unit.blind:
            people.append(self.people.speaker(unit.speaker, unit.account))
        return tuple(dict.fromkeys(one for one in people if one.is_person))

    def _text(self, entry: Entry, words: str) -> str:
        """Words of a unit behind the quote of what they reply to, with its files below."""
        unit = entry.unit
        if unit.sort is Sort.DECLARED and (cast := self._deeds.get((entry, WORDS))):
            words = sentence(cast[0], self._answers.language) or words
        lines = [words, *unit.attached]
        quoted = self._quoted.get((entry.log.number, unit.answers)) if unit.answers else None
        if self._answers.quotes and quoted is not None and self._may_quote(quoted, entry):
            first = quoted.unit.text.strip().partition("\n")[0]
            who = self.people.speaker(quoted.unit.speaker, quoted.unit.account)
            is_nameless = self._known is not None and self._known.is_name_redacted(who)
            speaker = f"{quoted.unit.speaker}: " if quoted.unit.speaker and not is_nameless else ""
            lines.insert(0, f"> {speaker}{first}" if first else "")
        return "\n".join(line for line in lines if line.strip())

    def _may_quote(self, quoted: Entry, entry: Entry) -> bool:
        """True if all who may see the reply may see the original, and it was not redacted."""
        if self._known is not None and self._known.is_redacted(quoted.identity, (WORDS, 1)):
            return False
        there = self.eyes(quoted)
        if there is None or quoted.unit.unread:
            return not quoted.unit.unread
        here = self.eyes(entry)
        return here is not None and set(here) <= set(there)


def _of_throw(
    part: int, throw: Throw, who: Participant, beside: str, eyes: tuple[Participant, ...] | None
) -> Planned:
    verb = Verb.ASIDE if throw.rung is Rung.WORDS else Verb.ROLL
    return Planned(part, verb, who, told_of(throw, beside), eyes, throw)


_WHOLE: Final = re.compile(r"""\s*(?:"[^"]*"|''(?:(?!'')[^"])*''|\u201c[^\u201c\u201d]*\u201d)\s*""")
_HEADING: Final = re.compile(r"\*{2,3}[^*\n]{1,80}[^*\n.,;:!?]\*{2,3}")
_TO_PLAYERS: Final = re.compile(
    rf"(?:as you \w|you (?:all |both |can |now |still )*(?:see|hear|smell|feel|notice|find|spot|glimpse|sense"
    rf"|enter|reach|arrive|come (?:to|upon|across)|make out)\b(?!,))[^?{QUOTES}]*\Z",
    re.IGNORECASE,
)
"""Narration to the players, which a character of the game master does not speak."""
_SOON: Final = 2
_POSSESSIVE: Final = re.compile(r"['\u2019]s\b")
"""Beginning of an emote that goes on right behind its speaker's name: `'s lips split`."""
_STOPS: Final = r".!?…,;:\u2013\u2014\-"
_MARKED: Final = re.compile(
    rf"""(?:^|[{_STOPS}*_]\s{{0,3}})"""
    rf"""(?:"[^"]*[{_STOPS}]"|''[^"'\n]*[{_STOPS}]''|\u201c[^\u201c\u201d]*[{_STOPS}]\u201d)""",
    re.MULTILINE,
)


def _parted(card: str) -> tuple[str, str]:
    """Title of a card and its text; no text if its first line is a sentence."""
    title, _, rest = card.partition("\n")
    return (title, rest) if _is_title(title) and rest.strip() else (card, "")


def _is_title(line: str) -> bool:
    return "\n" not in line and len(line) <= MOST_TITLE and (line[-1:].isalnum() or line.endswith(")"))


def _deeds_of(unit: Unit) -> Iterator[tuple[int, list[Deed]]]:
    """Yields what a unit's card, throws or result tell, each with the number of its act."""
    title, card = _parted(unit.text) if unit.sort is Sort.CARD else ("", "")
    if _is_title(title) and not (_OF_NO_STORY.search(title) or _WEAPON.search(card)):
        is_plain = not (":" in title or title.startswith(("casts", "uses")) or unit.attached or unit.answers)
        what = _COUNTED.sub("", title) if is_plain else ""
        yield WORDS, [Deed("casts" if _SPELL.search(card) else "uses", what)]
    if unit.sort is Sort.DECLARED and (cast := deed_in(unit.whole)):
        yield WORDS, [cast]
    result = deed_in(unit.text) if unit.sort is Sort.NOTICE else None
    if deeds := deeds_in(unit.throws) or ([result] if result else []):
        yield DEED, deeds


_SPELL: Final = re.compile(
    r"\b(?:cantrip|casting time|spell|[1-9](?:st|nd|rd|th)[- ]level|(?:abjur|conjur|divin|enchant|evoc"
    r"|necromanc|transmut|zauber|sort|conjuro|hechizo|incantesimo|magia)\w*|illusion)\b",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(r" \([-+]?\d+\)$")
"""Number behind the title of a card, such as a bonus or the uses that are left."""
_OF_NO_STORY: Final = re.compile(
    r": ?[-+]?\d|\b(?:rests?|rast|repos|descanso|riposo|initiative|death save)\b", re.IGNORECASE
)
"""Words in the titles of cards that the game's own business has."""
_WEAPON: Final = re.compile(r"\A[^\n]{0,40}\b(?:weapon|waffe|arme|arma)\b", re.IGNORECASE)
"""Kind of a card whose use the attack behind it tells."""


def _tells_and_speaks(text: str) -> bool:
    """True if a text mixes narration with quoted speech, as `"Good morning," she says` does.

    A word in quotation marks is none: `They call it "the Salt"`.
    """
    return _WHOLE.fullmatch(text) is None and _MARKED.search(text) is not None


_NO_DEED: Final = 4
"""Words beside a throw that are only its label: `Slam to hit 21, damage 7`."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_EMOTE: Final = re.compile(
    r"(?<![\w*])\*(?P<star>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])|(?<![\w_])_(?P<line>[^\s_](?:[^_\n]*[^\s_])?)_(?![\w_])"
)
_ENDED: Final = re.compile(r"[.!?\u2026~,;:\u2013\u2014-][\"\u201d\u00bb')]*\s*$|[\"\u201d\u00bb]\s*$")


def _deeds_and_speech(verb: Verb, who: Participant, text: str) -> list[tuple[bool, str]]:
    """Parts of a person's message, each with True for a deed: `*sighs* I told you` has one of each.

    A message with narration between its speeches is one part, and so is one whose emphasis is not an emote.
    """
    whole = [(False, text)]
    if verb is not Verb.SAY or not who.is_person or len(text) > _LONGEST_MIXED:
        return whole
    parts: list[tuple[bool, str]] = []
    at = 0
    for found in _EMOTE.finditer(text):
        before, words = text[at : found.start()].strip(), found[found.lastgroup or 0]
        behind = text[found.end() :].strip()
        stands_free = not before or _ENDED.search(before) is not None
        is_deed = stands_free and (
            words[:1].islower() or len(words.split()) >= _FEW_WORDS or _POSSESSIVE.match(words)
        )
        is_stress = behind[:1].islower() and not before and _ACTING.fullmatch(words) is None
        if not is_deed or (is_stress and len(words.split()) == 1):
            return (
                whole if not parts and not behind else _checked(whole, [*parts, (False, text[at:].strip())])
            )
        parts += [(False, before), (True, words)]
        at = found.end()
    return _checked(whole, [*parts, (False, text[at:].strip())])


_LONGEST_MIXED: Final = 4_000
"""Characters of the longest message that is looked through for emotes."""
_FEW_WORDS: Final = 3
_ACTING: Final = re.compile(r"(?!(?:this|his|yes|us|is|was|its|as|always|perhaps|less|thus)$)[a-z]+(?:s|ing)")
"""Verb in front of what somebody says, as in `*sits* right`."""


def _checked(whole: list[tuple[bool, str]], parts: Sequence[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """The parts that have words, if each is one speech or one deed; else the whole."""
    found = [(deed, words) for deed, words in parts if words.strip(" .,;-")]
    is_mixed = any(not deed and _tells_and_speaks(words) for deed, words in found)
    return whole if is_mixed or len(found) > MOST_DEEDS or not any(deed for deed, _ in found) else found


def _tells_of(who: Participant, text: str) -> bool:
    """True for a text that begins with its person's name and a verb: `Ysolde walks to the door`."""
    name = next((one for one in (who.name, who.name.partition(" ")[0]) if text.startswith(f"{one} ")), "")
    return (
        who.is_person and bool(name) and text[len(name) + 1 :][:1].islower() and not set(text) & set(QUOTES)
    )


def _as_told(verb: Verb, who: Participant, text: str) -> tuple[Verb, str]:
    """Verb and words of a person's text: mixed with speech it is told, and a possessive has its name."""
    if verb is Verb.SAY and (_tells_and_speaks(text) or _tells_of(who, text)):
        return Verb.NARRATE, text
    is_possessive = verb is Verb.NARRATE and who.is_person and _POSSESSIVE.match(text)
    return verb, f"{who.name}{text}" if is_possessive else text


def _name_of_mark(text: str) -> str:
    """Beginning of a pinned unit's words, as the name of a mark."""
    words = on_one_line(text)
    return words if len(words) <= _LONGEST_NAME else f"{words[:_LONGEST_NAME].rpartition(' ')[0]} …"


_LONGEST_NAME: Final = 40


def _verb(sort: Sort, use: Use, who: Participant) -> Verb:
    verb = _VERBS[sort]
    if use in (Use.ASIDE, Use.DICE) and verb in (Verb.SAY, Verb.NARRATE, Verb.DECLARE, Verb.SCENE):
        return Verb.ASIDE
    if use is Use.NOTES:
        return Verb.NOTE
    if who.part is Part.NOBODY and who.label and verb in (Verb.SAY, Verb.NARRATE, Verb.DECLARE):
        return Verb.ASIDE
    return Verb.NARRATE if not who.is_person and verb in (Verb.SAY, Verb.DECLARE) else verb
