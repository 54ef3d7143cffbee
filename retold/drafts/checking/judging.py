"""Verdicts on the sentences of a text, by what one viewer may know; no model is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

from retold.drafts.alignment.words import Words
from retold.drafts.checking.deeds import (
    CERTAIN,
    CONTRARY,
    NOBODY,
    ON_PEOPLE,
    SAME,
    SMALL,
    Deed,
    People,
    Token,
    deeds_in,
    meaning,
    tokens_of,
)
from retold.drafts.checking.numbers import Number, numbers_in
from retold.drafts.checking.record import Found, KnownRecord, Line, Moment, bare
from retold.drafts.leaks import KnownOnlyToOthers
from retold.journal import marks
from retold.journal.names import nearest, normalise
from retold.projections.prose.sentences import first_end, is_verb
from retold.projections.prose.telling import unquoted
from retold.projections.reading import GAME_MASTER, LineView


class Verdict(StrEnum):
    """What the record says of a sentence."""

    TOLD = "told"
    KNOWN = "known"
    NOT_IN_RECORD = "not-in-record"
    AGAINST = "against"
    NOT_FOR_READER = "not-for-reader"
    CANNOT_TELL = "cannot-tell"


class Checked(NamedTuple):
    """Sentence and its verdict; `events` are the ids of what tells or contradicts it, `why` the reason."""

    text: str
    verdict: Verdict
    events: tuple[str, ...] = ()
    why: str = ""


_ALONE: Final = frozenset({"win", "concede"})
"""Sorts of deeds that only one side of a conflict does."""
TOLD: Final = 0.6
"""Part of a sentence, by weight of its words, that a moment must have to tell it."""
_ALMOST: Final = 75
"""Likeness from which an unknown name may be a known one misspelt."""
_FEW: Final = 3
"""Words that prove less than more of them."""
ALIKE: Final = 0.4
"""The same for a moment that a sentence may be about."""
SURE: Final = 0.8
"""The same where a sentence only plans, doubts or quotes."""
_NAMED_INSIDE: Final = re.compile(r"[^\W\d_][\w\u2019'-]*")
_MODES: Final = {
    "a question": re.compile(r"\?[\u201d\"')]*\s*$"),
    "a condition": re.compile(
        r"(?i)\bif\b(?! (?:it|that) were the)|\b(?:would|could|might|should) have\b|\bunless\b|\bas if\b.*\bwould\b"
    ),
    "a dream": re.compile(r"(?i)\b(?:dream\w*|nightmares?|imagin\w+|pretend\w*|vision of)\b"),
    "a plan": re.compile(
        r"(?i)\b(?:want(?:s|ed)?|plan(?:s|ned)?|mean(?:s|t)?|hop(?:es|ed?)|intend(?:s|ed)?|threaten(?:s|ed)?"
        r"|promis(?:es|ed?)|going|about|swore|wish(?:es|ed)?|tried|tries|try|vow(?:s|ed)?) to\b|\bwill\b|\bwould\b|\bshall\b|\btomorrow\b"
        r"|\bnext (?:time|week)\b|\bone day\b"
    ),
    "hearsay": re.compile(
        r"(?i)\b(?:sa(?:y|ys|id)|claim(?:s|ed)?|believ(?:es|ed?)|thought|thinks?|swore|heard|suspect(?:s|ed)?|assum(?:es|ed)"
        r"|insist(?:s|ed)?|argu(?:es|ed)|told \w+|tells \w+) that\b|\b(?:rumou?rs?|allegedly|supposedly|according to|they say|accus\w+|claim(?:s|ed) to|is said to|was said to)\b"
    ),
}
_ORDER: Final = re.compile(
    r"(?i)(?:,?\s+(?P<before>before)|,?\s+(?P<after>after)|[,;]?\s+(?:and\s+)?(?:only\s+)?(?P<then>then|afterwards|later))\s+"
)
_PLACE: Final = re.compile(
    r"(?i)\b(?:in|at|inside|on|aboard|under|through)\s+(?:the|a|an|his|her)\s+((?:\w+[\s-]?){1,3})"
)
_OPENERS: Final = frozenset(
    "rain snow smoke fog mist night dawn darkness silence water blood fire light lights nothing something everything"
    " people men women soldiers guards then once later meanwhile afterwards finally suddenly nobody everybody"
    " somewhere outside inside today next time death captain father brother sister lord lady".split()
)
"""First words of a sentence that are no names."""
_QUOTED: Final = re.compile(r"[\u201c\u201e\u00ab\"]([^\u201c\u201d\u00bb\"]+)[\u201d\u00bb\"]")


def sentences_of(text: str) -> Iterator[str]:
    """Yields the sentences of a paragraph."""
    rest = text.strip()
    while rest:
        first, rest = first_end(rest)
        yield first.strip()
        rest = rest.strip()


class Checker:
    """Holds texts against the record as the viewer of `reading` may know it."""

    def __init__(self, reading: LineView) -> None:
        """Reads the record once; `reading` may be limited to a person, the table or nobody."""
        self.reading = reading
        self.record = KnownRecord(reading)
        self.secret = KnownOnlyToOthers(reading)

    @cached_property
    def whole(self) -> KnownRecord | None:
        """The record with its secrets; None for the game master, who has none."""
        return None if self.reading.viewer.gm else KnownRecord(self.reading.through(GAME_MASTER))

    def check(self, paragraphs: Iterable[tuple[str, bool]]) -> list[Checked]:
        """Returns the sentences of paragraphs, each with its verdict; a paragraph is a text, and if a heading."""
        found: list[Checked] = []
        for text, is_heading in paragraphs:
            words = marks.plain(text)
            if is_heading:
                found.append(self.heading(words))
            else:
                found += map(self.sentence, sentences_of(words))
        return found

    def heading(self, text: str) -> Checked:
        """Returns the verdict on a heading, which tells nothing unless it is one of the record's."""
        leak = self._secret(text)
        if leak is not None:
            return leak
        if normalise(text).strip(" .:") in self.record.titles:
            return Checked(text, Verdict.TOLD, why="a heading of the record")
        return self._unknown_name(text, tokens_of(text, self.record.names)) or Checked(
            text, Verdict.CANNOT_TELL, why="a heading"
        )

    def sentence(self, text: str) -> Checked:
        """Returns the verdict on one sentence."""
        return self._secret(text) or _Sentence(self.record, text, self).verdict()

    def _secret(self, text: str) -> Checked | None:
        if self.whole is None:
            return None
        found = self.secret.found_in(text)
        if found is not None:
            return Checked(text, Verdict.NOT_FOR_READER, why=f"\u201c{found}\u201d is known to others alone")
        words = meaning(text)
        hidden = {stem for stem in words if stem in self.whole.stems and stem not in self.record.stems}
        if not hidden:
            return None
        for place in self.whole.index.sharing(words):
            moment = self.whole.moments[place]
            share = self.whole.weights.contained(words, moment.words)
            if hidden & moment.words.keys() and (share >= ALIKE or len(hidden & moment.words.keys()) > 1):
                line = max(moment.lines, key=lambda one: sum((one.words & words).values()))
                return Checked(text, Verdict.NOT_FOR_READER, (line.id,), "only others may know that")
        return None

    def _unknown_name(self, text: str, tokens: Sequence[Token]) -> Checked | None:
        for place, token in enumerate(tokens):
            if token.people is not None:
                behind = tokens[place + 1] if place + 1 < len(tokens) else None
                if (
                    behind is not None
                    and behind.written.isdecimal()
                    and f"{token.text}-{behind.text}" in text.casefold()
                ):
                    return Checked(
                        text, Verdict.NOT_IN_RECORD, (), f"no {token.written}-{behind.text} in the record"
                    )
                continue
            word = token.written
            if not word[:1].isupper() or len(word) < 2 or word == "I" or word.startswith(("I'", "I\u2019")):  # noqa: PLR2004
                continue
            name = re.sub(r"['\u2019]s?$", "", word)
            if self._is_known(name):
                continue
            begins = place == 0 or tokens[place - 1].text in ":\u201c\u2014("
            behind = tokens[place + 1] if place + 1 < len(tokens) else None
            if begins and not _may_be_name(name, behind):
                continue
            near = nearest(name, self._people, 1, at_least=_ALMOST)
            meant = f": is {near[0]} meant?" if near else ""
            return Checked(text, Verdict.NOT_IN_RECORD, (), f"no \u201c{name}\u201d in the record{meant}")
        return None

    @cached_property
    def _people(self) -> tuple[str, ...]:
        return tuple(name for names in self.reading.table.names().values() for name in names)

    def _is_known(self, word: str) -> bool:
        folded = normalise(word)
        if folded in SMALL or folded in _TITLES or folded in self.record.words or self.secret.knows(word):
            return True
        singular = folded.removesuffix("s")
        return (
            all(
                self.secret.knows(part) or part in SMALL or part.isdecimal() and part in self.record.words
                for part in folded.split()
            )
            and " " in folded
            or self.secret.knows(singular)
        )


_TITLES: Final = frozenset(
    "mr mrs ms dr sir lord lady captain lieutenant sergeant father mother brother sister god monday tuesday wednesday"
    " thursday friday saturday sunday january february march april june july august september october november"
    " december english french german".split()
)


def _may_be_name(word: str, behind: Token | None) -> bool:
    """True if the first word of a sentence may be a name, since a verb or another name follows."""
    folded = normalise(word)
    if folded in _OPENERS or folded in SMALL or folded.endswith(("ly", "ing")) or is_verb(folded):
        return False
    if any(numbers_in(word)):
        return False
    if behind is None:
        return False
    return behind.written[:1].isupper() or is_verb(behind.text) or behind.text == "and"


class _Sentence:
    """One sentence, and what the record has of it."""

    def __init__(self, record: KnownRecord, text: str, checker: Checker) -> None:
        self.record = record
        self.text = text
        self.checker = checker
        self.tokens = tokens_of(text, record.names)
        named = (token.text.split() for token in self.tokens if token.people is not None)
        self.words = meaning(text, leaving_out=(word for words in named for word in words))
        self.people = NOBODY.union(*(token.people for token in self.tokens if token.people))
        self.told_outside = unquoted(text)

    def verdict(self) -> Checked:
        """Returns the verdict."""
        unknown = (
            None
            if self.is_foreign and self._has_nouns_in_capitals
            else self.checker._unknown_name(self.text, self.tokens)
        )
        if unknown is not None:
            return unknown
        if self.is_foreign:
            return self._wrong_number(self.near) or self._no("another language: names and numbers only")
        if len(self.text.split()) > 2 and (line := self._said_word_for_word()):  # noqa: PLR2004 -- fewer are everywhere
            return self._is(Verdict.TOLD, (line.id,))
        mode = self.mode
        if mode == "speech":
            return self._speech()
        if mode:
            if self.share >= SURE:
                return self._is(Verdict.TOLD, self.ids)
            return self._no(mode)
        return (
            self._against_deeds()
            or self._wrong_number(self.near)
            or self._wrong_order()
            or self._wrong_people()
            or self._by_deeds()
            or self._by_words()
        )

    def _said_word_for_word(self) -> Line | None:
        words = bare(self.text)
        return next((line for line in self.record.lines() if words in line.bare), None)

    def _speech(self) -> Checked:
        """Returns told for speech that is recorded, against the record if somebody else says it."""
        quoted = " ".join(_QUOTED.findall(self.text))
        said, whole, weights = meaning(quoted), bare(quoted), self.record.weights
        best = max(
            self.record.lines(),
            key=lambda line: (whole in line.bare, weights.contained(said, line.words)),
            default=None,
        )
        if best is None or not (whole in best.bare or weights.contained(said, best.words) >= TOLD):
            return self._no("what somebody says in it need not be so")
        speakers = NOBODY.union(
            *(token.people for token in tokens_of(self.told_outside, self.record.names) if token.people)
        )
        if speakers and best.who and not speakers & best.who and not speakers & best.people:
            return self._is(Verdict.AGAINST, (best.id,), best.text)
        return self._is(Verdict.TOLD, (best.id,))

    def _is(self, verdict: Verdict, events: Iterable[str] = (), why: str = "") -> Checked:
        return Checked(self.text, verdict, tuple(dict.fromkeys(filter(None, events))), why)

    def _no(self, why: str) -> Checked:
        return self._is(Verdict.CANNOT_TELL, (), why)

    # --- what it is about ---

    @property
    def is_foreign(self) -> bool:
        """True for a sentence without a small word of English, or of a table that speaks another language."""
        language = self.record.reading.language
        if language is not None and not language.startswith("en"):
            return True
        words = [token.text for token in self.tokens if token.text[0].isalpha() and token.people is None]
        return len(words) > 4 and not SMALL & {*words}  # noqa: PLR2004 -- fewer prove nothing

    @property
    def _has_nouns_in_capitals(self) -> bool:
        inside = [token for token in self.tokens[1:] if token.text[0].isalpha() and token.people is None]
        return sum(token.written[0].isupper() for token in inside) > len(inside) / 4

    @cached_property
    def mode(self) -> str:
        """Why the sentence states nothing: a plan, a dream, hearsay, speech; empty if it does."""
        outside = self.told_outside
        is_speech = len(outside.split()) <= len(self.text.split()) / 2
        if is_speech:
            return "speech"
        return next((name for name, mode in _MODES.items() if mode.search(outside)), "")

    @cached_property
    def near(self) -> list[Moment]:
        """Moments that share most words, best first."""
        weights = self.record.weights
        found = [self.record.moments[place] for place in self.record.index.sharing(self.words)]
        shares = {moment.place: weights.contained(self.words, moment.words) for moment in found}
        return [
            moment
            for moment in sorted(found, key=lambda one: (-shares[one.place], one.place))
            if shares[moment.place] >= ALIKE
        ]

    @cached_property
    def share(self) -> float:
        """Part of the sentence that the best moment, with the one behind it, has."""
        if not self.near:
            return 0.0
        if len(self.words) < 2:  # noqa: PLR2004 -- one word proves nothing
            return 0.0
        best = self.near[0]
        together = (best.words | one.words for one in self.record.beside(best))
        return max(self.record.weights.contained(self.words, words) for words in together)

    @property
    def ids(self) -> list[str]:
        """Events of the best moment whose lines share most words."""
        return [self._best_line(moment).id for moment in self.near[:1]]

    def _best_line(self, moment: Moment) -> Line:
        return max(moment.lines, key=lambda one: self.record.weights.shared(self.words, one.words))

    # --- deeds ---

    @cached_property
    def claims(self) -> list[Deed]:
        """Deeds that the sentence tells."""
        return [
            deed
            for deed in deeds_in(tokens_of(self.told_outside, self.record.names))
            if deed.agents or deed.patients
        ]

    def _matching(self, claim: Deed) -> list[Found]:
        """Returns the deeds of the record that are this one, as far as it says who and whom."""
        sorts = (claim.sort, *SAME.get(claim.sort, ()))
        found = (one for sort in sorts for one in self.record.deeds.get(sort, ()) if not one.deed.is_negated)
        return [one for one in found if _is_exact(claim, one.deed) or self._is_beside(claim, one)]

    def _is_beside(self, claim: Deed, found: Found) -> bool:
        """True if one side is the same, and the other is not recorded but named beside it."""
        agents, patients = bool(claim.agents & found.deed.agents), bool(claim.patients & found.deed.patients)
        if not ((agents and not found.deed.patients) or (patients and not found.deed.agents)):
            return False
        named = NOBODY.union(*(one.people for one in self.record.beside(found.moment)))
        return bool(claim.agents & named) and bool(not claim.patients or claim.patients & named)

    def _against_deeds(self) -> Checked | None:
        for claim in self.claims:
            matching = self._matching(claim)
            if claim.is_negated:
                if matching:
                    return self._contradicted(matching[0])
                return None if self.share >= TOLD else self._no("it says what did not happen")
            if matching or claim.sort not in CERTAIN:
                continue
            turned = claim._replace(agents=claim.patients, patients=claim.agents)
            for other in (turned, claim._replace(sort=CONTRARY.get(claim.sort, ""))):
                found = self._matching(other)
                if found and (other.agents or other.patients):
                    return self._contradicted(found[0])
            rival = self._rival(claim)
            if rival is not None:
                return self._contradicted(rival)
        return None

    def _rival(self, claim: Deed) -> Found | None:
        """Returns who else won, or gave up, where the sentence has somebody do so."""
        if claim.sort not in _ALONE:
            return None
        return next(
            (
                one
                for one in self.record.deeds.get(claim.sort, ())
                if one.deed.agents and claim.agents <= self.record.scenes[one.moment.scene].people
            ),
            None,
        )

    def _by_deeds(self) -> Checked | None:
        """Returns told for a sentence whose deeds the record has, not in the record for one it has not."""
        told: list[str] = []
        for claim in self.claims:
            if claim.is_negated or claim.sort not in CERTAIN:
                continue
            matching = self._matching(claim)
            told += [one.line.id for one in matching[:3]]
            if matching or not (claim.sort not in ON_PEOPLE or claim.patients or claim.is_on_somebody):
                continue
            fallen = self._matching(claim._replace(sort="out")) if claim.sort == "die" else []
            if fallen:
                return self._is(
                    Verdict.CANNOT_TELL, (fallen[0].line.id,), f"not said to be dead: {fallen[0].line.text}"
                )
            if not self._is_in_words(claim):
                verb = "out" if claim.sort == "out" else claim.verb
                return self._is(Verdict.NOT_IN_RECORD, (), f"no event of theirs says \u201c{verb}\u201d")
        return self._is(Verdict.TOLD, told) if told else None

    def _is_in_words(self, claim: Deed) -> bool:
        """True if the best moment has all people and most words of the sentence, and such a deed by whomever."""
        if self.share < SURE or not self.people <= self.near[0].people:
            return False
        deeds = (deed for line in self.near[0].lines for deed in line.deeds if deed.sort == claim.sort)
        return any(
            _may_be(claim.agents, deed.agents) and _may_be(claim.patients, deed.patients) for deed in deeds
        )

    def _contradicted(self, found: Found) -> Checked:
        return self._is(Verdict.AGAINST, (found.line.id,), found.line.text)

    # --- numbers, order, presence, place ---

    def _wrong_number(self, near: Sequence[Moment]) -> Checked | None:
        numbers = [one for one in numbers_in(self.text) if one.written not in self._names_with_numbers]
        if not numbers:
            return None
        deeds = [one for claim in self.claims if claim.sort in CERTAIN for one in self._matching(claim)]
        moments = [one.moment for one in deeds] or list(near[:2])
        about = [line for moment in moments for line in moment.lines if self._is_about(line, deeds)]
        about += [
            line
            for one in deeds
            for moment in self.record.beside(one.moment)
            for line in moment.lines
            if self.people <= moment.people and line.people & self.people
        ]
        among = {*map(id, about)}
        ours = [line for line in self.record.lines() if line.people & self.people or id(line) in among]
        for number in numbers:
            if number.of and any(_counts(line, number) for line in self.record.lines()):
                continue
            counted = [line for line in ours for one in line.numbers if number.of and one.of == number.of]
            if not counted and any(_has(line, number) for line in about):
                continue
            lines = counted or [line for line in about if line.numbers]
            if lines:
                line = max(lines, key=lambda one: self.record.weights.shared(self.words, one.words))
                return self._is(Verdict.AGAINST, (line.id,), line.text)
            if not any(_has(line, number) for line in ours or self.record.lines()):
                return self._is(Verdict.NOT_IN_RECORD, (), f"no {number.written} in what is told of them")
        return None

    @property
    def _names_with_numbers(self) -> frozenset[str]:
        return frozenset(
            number.written for token in self.tokens if token.people for number in numbers_in(token.written)
        )

    def _is_about(self, line: Line, deeds: Sequence[Found]) -> bool:
        if any(one.line is line for one in deeds):
            return True
        if deeds:
            return bool(line.people & self.people)
        return any(stem in line.words and len(stem) > 3 for stem in self.words)  # noqa: PLR2004 -- says something

    def _wrong_order(self) -> Checked | None:
        found = _ORDER.search(self.text)
        if found is None:
            return None
        parts = (self.text[: found.start()], self.text[found.end() :])
        first, second = (_Sentence(self.record, part, self.checker)._places() for part in parts)
        if found["after"]:
            first, second = second, first
        if first and second and min(first) > max(second):
            line = self._best_line(self.record.moments[min(first)])
            return self._is(Verdict.AGAINST, (line.id,), f"that came later: {line.text}")
        return None

    def _places(self) -> set[int]:
        deeds = [one for claim in self.claims if claim.sort in CERTAIN for one in self._matching(claim)]
        if deeds:
            return {one.moment.place for one in deeds}
        return {self.near[0].place} if self.near and deeds_in(self.tokens) else set()

    def _wrong_people(self) -> Checked | None:
        """Returns a contradiction if somebody acts where they are not, or what somebody else did."""
        agents = NOBODY.union(*(claim.agents for claim in self.claims))
        here = self._scenes_named()
        if here:
            there = set[int]().union(*(self.record.scenes[scene].people for scene in here))
            named = set[int]().union(*(self.record.people_of(scene) for scene in here))
            patients = NOBODY.union(*(claim.patients for claim in self.claims))
            if (there and agents and not agents & there) or (patients and not patients & named):
                return self._is(
                    Verdict.AGAINST, (), f"not in \u201c{self.record.scenes[here[0]].title}\u201d"
                )
            deeds = [one for claim in self.claims if claim.sort in CERTAIN for one in self._matching(claim)]
            if deeds and all(one.moment.scene not in here for one in deeds):
                return self._contradicted(deeds[0])
        for claim in self.claims:
            if claim.sort in ON_PEOPLE and claim.agents and claim.patients and not self._ever_met(claim):
                return self._is(Verdict.AGAINST, (), "no scene has both of them")
        if agents and self.near and self.share >= TOLD and not any(map(self._matching, self.claims)):
            moment = self.near[0]
            scene = self.record.scenes[moment.scene]
            if not agents & (moment.people | scene.people):
                line = self._best_line(moment)
                return self._is(Verdict.AGAINST, (line.id,), line.text)
        for claim in self.claims:
            line = self._done_by_another(claim)
            if line is not None:
                return self._is(Verdict.AGAINST, (line.id,), line.text)
        return None

    def _ever_met(self, claim: Deed) -> bool:
        scenes = range(len(self.record.scenes))
        return any(
            claim.agents & people and claim.patients & people for people in map(self.record.people_of, scenes)
        )

    def _done_by_another(self, claim: Deed) -> Line | None:
        """Returns a line of the best moment in which somebody else does what the sentence tells."""
        if (
            not self.near
            or self.share < TOLD
            or not claim.agents
            or claim.is_negated
            or self._matching(claim)
        ):
            return None
        for line in self.near[0].lines:
            same = [deed for deed in line.deeds if deed.sort == claim.sort]
            if same and all(deed.agents and not deed.agents & claim.agents for deed in same):
                return line
        return None

    def _scenes_named(self) -> list[int]:
        stems = [
            stem for found in _PLACE.findall(self.told_outside) for stem in meaning(found) if len(stem) > 3
        ]  # noqa: PLR2004
        return [
            number
            for number, scene in enumerate(self.record.scenes)
            if any(stem in meaning(scene.title) for stem in stems)
        ]

    # --- words ---

    def _by_words(self) -> Checked:
        if self.share >= (TOLD if len(self.words) > _FEW else SURE):
            return self._is(Verdict.TOLD, self.ids)
        if self.people or [*numbers_in(self.text)]:
            return self._is(Verdict.KNOWN, (), "names and numbers fit, and no event says it")
        return self._no("nothing in it can be looked up")


def _may_be(claimed: People, recorded: People) -> bool:
    return not claimed or not recorded or bool(claimed & recorded)


def _counts(line: Line, number: Number) -> bool:
    return any((one.value, one.of) == (number.value, number.of) for one in line.numbers)


def _has(line: Line, number: Number) -> bool:
    return any(one.value == number.value for one in line.numbers)


def _is_exact(claim: Deed, deed: Deed) -> bool:
    """True if all that a sentence says of who and whom is recorded."""
    return (not claim.agents or bool(claim.agents & deed.agents)) and (
        not claim.patients or bool(claim.patients & deed.patients)
    )
