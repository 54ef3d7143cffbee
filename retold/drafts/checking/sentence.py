"""One sentence, held against the record: what it claims, what it is about, and whether they agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from retold.drafts.alignment.words import Weights
from retold.drafts.checking import english
from retold.drafts.checking.deeds import NOBODY, Deed, Token, deeds_in, people_in, tokens_of
from retold.drafts.checking.english import PATTERNS, WORDS, meaning
from retold.drafts.checking.numbers import Number, numbers_in
from retold.drafts.checking.record import Found, KnownRecord, Line, Moment, Sought, bare
from retold.drafts.checking.unknown_names import UnknownNames
from retold.journal.vocabulary.base import GM
from retold.projections.prose.telling import unquoted


class Verdict(StrEnum):
    """What the record says of a sentence."""

    TOLD = "told"
    KNOWN = "known"
    NOT_IN_RECORD = "not-in-record"
    AGAINST = "against"
    NOT_FOR_READER = "not-for-reader"
    CANNOT_TELL = "cannot-tell"
    HERS = "hers"
    """Vouched for by a writer of the draft; the check itself never says so."""


class Checked(NamedTuple):
    """Sentence and its verdict; `events` are the ids of what tells or contradicts it, `why` the reason."""

    text: str
    verdict: Verdict
    events: tuple[str, ...] = ()
    why: str = ""


TOLD: Final = 0.6
"""Part of a sentence, by weight of its words, that a moment must have to tell it."""
SURE: Final = 0.8
"""The same for a sentence of few words, and for one that states nothing by itself."""
HALF: Final = 0.45
"""The same for a moment that has its verb, done by somebody else."""
ALIKE: Final = 0.4
"""The same for a moment that a sentence may be about."""
FEW: Final = 3
"""Words that prove less than more of them."""
NO_THINGS: Final = WORDS["small"] | WORDS["of_degree"] | WORDS["determiners"]
STATIVE: Final = meaning(" ".join(WORDS["stative"]))
COMMON: Final = meaning(" ".join(WORDS["stative"] | WORDS["common"]))
"""Stems of verbs by which nothing is done."""
RARE: Final = 4
"""Deeds with a verb up to which it tells who is meant."""
MANY: Final = 0.4
"""Part of its words that are in no event, in a sentence that may be invented."""
_NEAR: Final = 5
"""Words behind a verb among which is what somebody has."""
_ENGLISH: Final = 4
"""Words without a small one of English up to which a sentence may be English."""
_LONG: Final = 3
"""Letters of a stem that says something."""
_QUOTED: Final = re.compile(r"[\u201c\u201e\u00ab\"]([^\u201c\u201d\u00bb\"]+)[\u201d\u00bb\"]")


class Sentence:
    """A sentence of a text, and what the record has of it."""

    def __init__(self, record: KnownRecord, text: str) -> None:
        """Reads the names and words of `text`."""
        self.record = record
        self.text = text
        self.tokens = tokens_of(text, record.names)
        names = frozenset(
            word for one in self.tokens if one.people is not None for word in english.folded_words(one.text)
        )
        self.names = names
        self.words = meaning(text, names)
        self.people = people_in(self.tokens) - {GM}
        self.outside = tokens_of(unquoted(text), record.names)

    def sought(self, weights: Weights) -> Sought:
        """Returns what a line about the same has; `weights` are those of the words of a record."""
        return Sought(self.text, self.names, self.people, weights)

    def verdict(self, unknown: UnknownNames) -> Checked:
        """Returns the verdict of the record on it."""
        is_german = not WORDS["german"].isdisjoint(token.text for token in self.tokens)
        name = None if self._is_foreign and is_german else unknown.found_in(self.tokens)
        if name is not None:
            return self._is(Verdict.NOT_IN_RECORD, (), name)
        if self._is_foreign:
            return self._wrong_number() or self._undecided(
                "another language: only names and numbers are checked"
            )
        return self._told_as_recorded() or self._states_nothing() or self._stated()

    def _stated(self) -> Checked:
        return (
            self._wrong_deed()
            or self._wrong_number()
            or self._opposite()
            or self._wrong_order()
            or self._wrong_place()
            or self._wrong_stakes()
            or self._done_by_others()
            or self._rare_deed_of_others()
            or self._wrong_people()
            or self._by_deeds()
            or self._by_words()
        )

    def _is(self, verdict: Verdict, events: Iterable[str] = (), why: str = "") -> Checked:
        return Checked(self.text, verdict, tuple(dict.fromkeys(filter(None, events))), why)

    def _undecided(self, why: str) -> Checked:
        return self._is(Verdict.CANNOT_TELL, (), why)

    def _contradicted(self, line: Line) -> Checked:
        return self._is(Verdict.AGAINST, (line.id,), self._quoted(line))

    def _quoted(self, line: Line) -> str:
        """Returns a line with who tells it."""
        told_by = ", ".join(map(self.record.reading.table.name, sorted(line.who)))
        return f"{told_by}: {line.text}" if told_by else line.text

    # --- what it is about ---

    @property
    def _is_foreign(self) -> bool:
        """True if the table speaks another language, or the sentence has no small word of English."""
        language = self.record.reading.language
        if language is not None and not language.startswith("en"):
            return True
        words = [token.text for token in self.tokens if token.text[0].isalpha() and token.people is None]
        small = sum(word in WORDS["small"] - WORDS["shared"] for word in words)
        others = sum(word in WORDS["foreign"] for word in words)
        return (len(words) > _ENGLISH and WORDS["small"].isdisjoint(words)) or 0 < others >= small

    @cached_property
    def near(self) -> list[Moment]:
        """Moments that have much of its words, those with most first."""
        weights = self.record.weights
        found = [self.record.moments[place] for place in self.record.index.sharing(self.words)]
        shares = {moment.place: weights.contained(self.words, moment.words) for moment in found}
        in_lines = {
            moment.place: max(weights.contained(self.words, line.words) for line in moment.lines)
            for moment in found
        }
        found.sort(key=lambda one: (-shares[one.place], -in_lines[one.place], one.place))
        return [moment for moment in found if shares[moment.place] >= ALIKE]

    @cached_property
    def share(self) -> float:
        """Part of its words that the best moment has, with one beside it; 0 for a single word."""
        if not self.near or len(self.words) == 1:
            return 0.0
        best = self.near[0]
        together = (best.words | one.words for one in self.record.beside(best))
        return max(self.record.weights.contained(self.words, words) for words in together)

    @property
    def _is_much(self) -> bool:
        """True if the best moment has so many of its words that it tells the sentence."""
        return self.share >= (TOLD if len(self.words) > FEW else SURE)

    def _best_line(self, moment: Moment) -> Line:
        return max(moment.lines, key=lambda line: self.record.weights.shared(self.words, line.words))

    # --- words of the record, and what only somebody says, plans or dreams ---

    def _told_as_recorded(self) -> Checked | None:
        speaker, _, said = self.text.partition(": ")
        told_by = people_in(tokens_of(speaker, self.record.names))
        for words, whose in ((bare(self.text), NOBODY), (bare(said), told_by)):
            lines = (line for line in self.record.lines() if words in line.bare and whose <= line.who | {GM})
            if len(words.split()) >= FEW and (line := next(lines, None)) is not None:
                return self._is(Verdict.TOLD, (line.id,))
        return None

    def _states_nothing(self) -> Checked | None:
        """Returns a verdict on speech, a question, a plan, a dream, hearsay; None for another sentence."""
        outside = unquoted(self.text)
        if 2 * len(outside.split()) <= len(self.text.split()):
            return self._speech(" ".join(_QUOTED.findall(self.text)))
        manner = next((name for name, found in english.STATES_NOTHING.items() if found.search(outside)), None)
        if manner is None:
            return None
        best = self._best_line(self.near[0]) if self.near else None
        if best is not None and english.STATES_NOTHING["hearsay"].search(outside) and self.share >= TOLD:
            says = NOBODY.union(*(claim.agents for claim in self.claims if claim.sort == "say"))
            if says and best.who and not says & best.people:
                return self._contradicted(best)
        if best is not None and self.share >= SURE:
            return self._wrong_place() or self._is(Verdict.TOLD, (best.id,))
        return self._undecided(f"{manner}: it need not have happened")

    def _speech(self, said: str) -> Checked:
        """Returns told for speech that is recorded, against the record if somebody else says it."""
        words, whole, weights = meaning(said), bare(said), self.record.weights
        best = max(
            self.record.lines(),
            key=lambda line: (whole in line.bare, weights.contained(words, line.words)),
            default=None,
        )
        if best is None or not (whole in best.bare or weights.contained(words, best.words) >= TOLD):
            return self._undecided("speech: what somebody says need not be so")
        speakers = people_in(self.outside)
        if speakers and best.who and not speakers & (best.who | best.people):
            return self._contradicted(best)
        return self._is(Verdict.TOLD, (best.id,))

    # --- deeds ---

    @cached_property
    def claims(self) -> list[Deed]:
        """Deeds of somebody with a name that it tells, outside of speech."""
        return [deed for deed in deeds_in(self.outside) if deed.agents or deed.patients]

    @cached_property
    def certain(self) -> list[tuple[Deed, list[Found]]]:
        """Deeds that a record does not leave out, each with the same in the record."""
        return [(claim, self._same(claim)) for claim in self.claims if claim.sort in WORDS["certain"]]

    @cached_property
    def found(self) -> list[Found]:
        """Deeds of the record that are those of the sentence."""
        return [one for _, same in self.certain for one in same]

    def _same(self, claim: Deed) -> list[Found]:
        """Returns the deeds of the record that are this one, as far as both say who and whom."""
        sorts = (claim.sort, *english.SAME.get(claim.sort, ()))
        found = [one for sort in sorts for one in self.record.deeds.get(sort, ()) if not one.deed.is_negated]
        same = [one for one in found if _is_said(claim, one.deed) or self._is_said_beside(claim, one)]
        if claim.sort in WORDS["of_objects"]:
            given = meaning(" ".join(claim.said).partition(claim.verb)[2], self.names).keys()
            same = [one for one in same if not given or given & one.line.words.keys()]
        winners = self.record.winners
        if claim.sort == "win" and not claim.patients:
            same = [one for one in same if claim.agents & winners.get(one.moment.scene, claim.agents)]
        if claim.sort in WORDS["of_losers"]:
            same = [one for one in same if not claim.agents & winners.get(one.moment.scene, NOBODY)]
            won = claim._replace(agents=claim.patients, patients=claim.agents)
            scenes = {one.moment.scene for one in found if one.deed.sort == claim.sort and one.deed.agents}
            same += [
                one
                for one in self.record.deeds.get("win", ())
                if _is_said(won, one.deed) and (claim.sort == "lose" or one.moment.scene not in scenes)
            ]
        return same

    def _is_said_beside(self, claim: Deed, found: Found) -> bool:
        """True if one side is the same, and the other is not recorded but named beside it."""
        agents, patients = bool(claim.agents & found.deed.agents), bool(claim.patients & found.deed.patients)
        if not (agents and not found.deed.patients) and not (patients and not found.deed.agents):
            return False
        named = NOBODY.union(*(moment.people for moment in self.record.beside(found.moment)))
        return bool(claim.agents & named) and (not claim.patients or bool(claim.patients & named))

    def _wrong_deed(self) -> Checked | None:
        """Returns a contradiction if the record has it turned round, failed, or done where it is denied."""
        results = [(claim, self._same(claim)) for claim in self.claims if claim.sort == "pass"]
        for claim, same in (*self.certain, *results):
            if claim.is_negated and same:
                return self._contradicted(same[0].line)
            turned = claim._replace(agents=claim.patients, patients=claim.agents)
            if claim.is_negated or same:
                continue
            contrary = [claim._replace(sort=sort) for sort in english.CONTRARY.get(claim.sort, ())]
            others = [one for other in (turned, *contrary) for one in self._same(other)]
            if others:
                return self._contradicted(others[0].line)
        if any(claim.is_negated for claim in self.claims) and not self._is_much:
            return self._undecided("it says what did not happen")
        return None

    def _by_deeds(self) -> Checked | None:
        """Returns told for a sentence whose deeds are recorded, not in the record for one with others."""
        for claim, same in self.certain:
            if same or claim.is_negated or not _is_whole(claim):
                continue
            if claim.sort in ("win", "lose") and claim.agents & self.record.may_have_won:
                return self._undecided("the record does not say who won")
            fallen = self._same(claim._replace(sort="out")) if claim.sort == "die" else []
            if fallen:
                line = fallen[0].line
                return self._is(Verdict.CANNOT_TELL, (line.id,), f"nobody says dead: {line.text}")
            verb = "out" if claim.sort == "out" else claim.verb
            return self._is(Verdict.NOT_IN_RECORD, (), f"no event of theirs says \u201c{verb}\u201d")
        events = [one.line.id for claim, same in self.certain if _is_whole(claim) for one in same[:FEW]]
        return self._is(Verdict.TOLD, events) if events else None

    # --- numbers, order, place, people ---

    def _wrong_number(self) -> Checked | None:
        names = frozenset(
            one.written for token in self.tokens if token.people for one in numbers_in(token.written)
        )
        groups = {len(token.people) for token in self.tokens if token.people} - {1}
        numbers = (one for one in numbers_in(self.text) if one.written not in names)
        against = (self._against(one) for one in numbers if one.value not in groups)
        return self._exceeds_count() or next(filter(None, against), None)

    def _exceeds_count(self) -> Checked | None:
        """Returns a contradiction if it has more of several than have the name: five eels of four."""
        for token, behind in pairwise(self.tokens):
            several = NOBODY.union(*self.record.names.named(behind.text))
            for number in numbers_in(token.text):
                if number.value > len(several) > 1:
                    why = ", ".join(map(self.record.reading.table.name, sorted(several)))
                    return self._is(Verdict.AGAINST, (), f"there are {len(several)}: {why}")
        return None

    def _against(self, number: Number) -> Checked | None:
        """Returns a contradiction if what a number counts has another one, not in the record if it is new."""
        if harmed := [*self._harmed(number)]:
            total = sum(line.numbers[-1 if "\u2192" in line.text else 0].value for line in harmed)
            is_known = number.value == total or any(_has(line, number) for line in harmed)
            return None if is_known else self._contradicted(harmed[0])
        about, told = self._lines_about, [one.line for one in self.found]
        told += [self._best_line(moment) for moment in self.near[:1]]
        beside = {id(line) for line in (*about, *self._lines_beside)}
        there = self._people_beside if self.near else NOBODY
        ours = [line for line in self.record.lines() if line.people & self.people or id(line) in beside]
        if any(_counts(line, number) for line in self.record.lines()):
            return None
        others = self.words.keys() - {*number.of}
        counted = [
            line
            for line in (told if number.is_ordinal else ours)
            if any(map(number.counts_with, line.numbers))
            and (
                line.words.keys() & others
                or (id(line) in beside and self.people <= line.people | there)
                or (self.people and self.people <= line.who)
            )
        ]
        is_told = not number.is_ordinal and any(_has(line, number) for line in told)
        single = next((line for line in (*about, *told) if number.value > 1 and _has_one(line, number)), None)
        is_company = number.value in self.record.sizes and number.written.isalpha() and single is None
        is_known = is_company or any(_has(line, number) for line in about)
        if is_told or (is_known and not counted):
            return None
        theirs = (line for line in about if not self.people or line.people & self.people)
        lines = counted or [line for line in theirs if any(map(number.is_like, line.numbers))]
        if not lines and single is not None:
            lines = [single]
        if lines:
            weights = self.record.weights
            return self._contradicted(max(lines, key=lambda line: weights.shared(self.words, line.words)))
        is_new = not any(_has(line, number) for line in ours or self.record.lines())
        if is_new and not number.is_ordinal:
            return self._is(Verdict.NOT_IN_RECORD, (), f"no {number.written} in what is told of it")
        return None

    def _harmed(self, number: Number) -> Iterator[Line]:
        """Yields the lines with what a blow cost those whose loss a number is, else anybody."""
        said = [one for one in deeds_in(self.outside) if {*number.written.split()} <= {*one.said}]
        people = NOBODY.union(*(one.patients or one.agents for one in said)) if said else self.people
        for line in self.record.lines() if not WORDS["harm"].isdisjoint(number.of) else ():
            hit = NOBODY.union(*(deed.patients for deed in line.deeds if deed.sort == "hit"))
            hurt = line.people if "hp" in line.words and "\u2192" in line.text else hit
            if line.numbers and hurt and (not people or hurt & people):
                yield line

    @cached_property
    def _lines_about(self) -> list[Line]:
        """Lines whose numbers a sentence may have: about its deeds, else with its words."""
        stems = {stem for stem in self.words if len(stem) >= _LONG}
        found = [one.line for one in self.found]
        found += [
            line
            for one in self.found
            for moment in self.record.beside(one.moment)
            if moment is one.moment or self.people <= moment.people
            for line in moment.lines
            if line.people & self.people
        ]
        near = [line for moment in self.near[:2] for line in moment.lines]
        return found or [line for line in near if not stems.isdisjoint(line.words)]

    @property
    def _lines_beside(self) -> Iterator[Line]:
        """Lines of the best moment and its neighbours."""
        return (line for best in self.near[:1] for one in self.record.beside(best) for line in one.lines)

    @property
    def _order(self) -> re.Match[str] | None:
        return PATTERNS["begins_with_order"].match(self.text) or PATTERNS["order"].search(self.text)

    def _wrong_order(self) -> Checked | None:
        found = self._order
        if found is None:
            return None
        parts = (self.text[: found.start()] or found["first"], self.text[found.end() :])
        first, second = (Sentence(self.record, part).places for part in parts)
        if found["turned"]:
            first, second = second, first
        if first and second and min(first) > max(second):
            line = self._best_line(self.record.moments[min(first)])
            return self._is(Verdict.AGAINST, (line.id,), f"that came later: {self._quoted(line)}")
        return None

    @cached_property
    def places(self) -> set[int]:
        """Places of its deeds; without deeds, of the scene or the conflict it names, or of what tells it."""
        here = {
            *self._scenes_named(PATTERNS["way"]),
            *(
                number
                for number, scene in enumerate(self.record.scenes)
                if len(title := meaning(scene.title.partition(",")[0])) > 1
                and title.keys() <= self.words.keys()
            ),
        }
        is_verb = any(english.may_be_verb(token.text) for token in self.tokens)
        told = self.record.lines_with(self.words, at_least=HALF) if is_verb else []
        moments = (
            [one.moment for one in self.found]
            or [one for share, _, one in told if share >= TOLD and len(self.words) > 1]
            or [
                moment
                for moment in self.record.moments
                if moment.scene in here
                or any(moment.scene == one.scene and moment.place >= one.place for one in self._fights)
            ]
            or [
                one
                for share, line, one in told
                if share >= TOLD
                or (
                    (line.people & self.people or not self.people)
                    and len(self.words.keys() & line.words.keys()) > 1
                )
            ]
        )
        if not moments:
            sides = [claim.patients for claim in self.claims]
            moments = [fight.moment for fight in self.record.fights if not {*sides}.isdisjoint(fight.sides)]
        moments = moments or self._nearest
        return {moment.place for moment in moments if moment.scene >= 0}

    @property
    def _nearest(self) -> list[Moment]:
        """Moments with the line of its people that has most of its meaning, if it has any word of it."""
        sought = self.sought(self.record.weights)
        found = [
            (weight, number, moment)
            for moment in self.record.moments
            for line in moment.lines
            if self.people <= line.people
            for number, weight in (sought.in_line(line),)
        ]
        most = max((weight for weight, _, _ in found), default=0.0)
        return [one for weight, number, one in found if number > 1 and weight == most]

    @property
    def _fights(self) -> list[Moment]:
        """Moments in which the conflicts begin that it names, by title or by who attacks whom."""
        attacks = [claim for claim in self.claims if claim.sort == "attack"]
        return [
            fight.moment
            for fight in self.record.fights
            if (fight.title and fight.title.keys() <= self.words.keys())
            or any(claim.agents | claim.patients <= NOBODY.union(*fight.sides) for claim in attacks)
        ]

    def _wrong_place(self) -> Checked | None:
        """Returns a contradiction if the sentence names a scene, and its people or deeds are in others."""
        if self._order is not None:  # of two things, a place belongs to one
            return None
        here = self._scenes_named()
        if not here:
            return self._absent(self._scenes_named(PATTERNS["way"]))
        acting = NOBODY.union(*(self.record.scenes[scene].people for scene in here))
        named = NOBODY.union(*(self.record.named[scene] for scene in here))
        stated = [claim for claim in self.claims if not claim.is_negated]
        agents = [claim.agents for claim in stated if claim.agents] or [self.people]
        patients = [claim.patients for claim in stated if claim.patients]
        is_elsewhere = any(some and not some & (acting or named) for some in agents)
        if is_elsewhere or any(not some & named for some in patients):
            return self._is(Verdict.AGAINST, (), f"not in \u201c{self.record.scenes[here[0]].title}\u201d")
        if self.found and all(one.moment.scene not in here for one in self.found):
            return self._contradicted(self.found[0].line)
        told = Sentence(self.record, self.text)
        in_titles = {stem for scene in here for stem in meaning(self.record.scenes[scene].title)}
        told.words = Counter({stem: count for stem, count in told.words.items() if stem not in in_titles})
        if (
            told.share >= SURE
            and self.record.scenes[told.near[0].scene].title
            and all(one.scene not in here for one in told.near)
        ):
            return self._contradicted(told._best_line(told.near[0]))
        return None

    def _absent(self, there: Sequence[int]) -> Checked | None:
        """Returns a contradiction if somebody goes where others act and they are not named."""
        named = NOBODY.union(*(self.record.named[scene] for scene in there))
        going = [claim.agents for claim in self.claims if claim.agents and not claim.is_negated]
        if there and self.people & named and any(not some & named for some in going):
            return self._is(Verdict.AGAINST, (), f"not in \u201c{self.record.scenes[there[0]].title}\u201d")
        return None

    def _scenes_named(self, places: re.Pattern[str] = PATTERNS["place"]) -> Sequence[int]:
        found = places.findall(unquoted(self.text))
        stems = {stem for words in found for stem in meaning(words, WORDS["times"]) if len(stem) >= _LONG}
        titles = [meaning(scene.title) for scene in self.record.scenes]
        return [number for number, title in enumerate(titles) if not stems.isdisjoint(title)]

    def _wrong_people(self) -> Checked | None:
        """Returns a contradiction if two people of a deed never met."""
        for claim in self.claims:
            is_of_two = claim.sort in WORDS["on_people"] and claim.agents and claim.patients
            if is_of_two and not any(
                claim.agents & some and claim.patients & some for some in self.record.named
            ):
                return self._is(Verdict.AGAINST, (), "no scene has both of them")
        return None

    def _wrong_stakes(self) -> Checked | None:
        """Returns a contradiction if those who lost have what a conflict was about."""
        for claim in self.claims:
            said = " ".join((claim.verb, *claim.said[claim.said.index(claim.verb) + 1 :][:_NEAR]))
            words = meaning(said, self.names).keys()
            for fight in self.record.fights if claim.agents and not claim.is_negated else ():
                winners = self.record.winners.get(fight.moment.scene, NOBODY)
                people, about = NOBODY.union(*fight.sides), fight.stakes.keys() | fight.title.keys()
                if not winners or not (claim.agents | claim.patients) & people or not words & about:
                    continue
                has_it = PATTERNS["gaining"].match(said) and not claim.agents & winners
                if has_it or (claim.verb in WORDS["losing"] and claim.agents <= winners):
                    return self._contradicted(fight.moment.lines[-1])
        return None

    def _done_by_others(self) -> Checked | None:
        """Returns a contradiction if a deed is told in the same words of others, or is done to others."""
        for claim in self.claims:
            words = meaning(" ".join(claim.said), self.names)
            words = words if len(words) > 1 else self.words
            if claim.is_negated or len(words) == 1:
                continue
            found = self.record.lines_with(words, at_least=HALF)
            found = [
                (share, line, moment)
                for share, line, moment in found
                if share >= TOLD
                or len(words.keys() & line.words.keys())
                >= FEW - any(one.sort == claim.sort for one in line.deeds)
            ]
            agreeing = [_agrees(claim, *one) for one in found]
            if False in agreeing and True not in agreeing:
                return self._contradicted(found[agreeing.index(False)][1])
        return None

    def _rare_deed_of_others(self) -> Checked | None:
        """Returns a contradiction if a verb that few lines have is told of others alone, about the same."""
        for claim in self.claims:
            verb, same = meaning(claim.verb).keys(), self.record.deeds.get(claim.sort, ())
            is_common = claim.sort in english.VERBS or len(same) > RARE or bool(verb & COMMON.keys())
            if is_common or claim.is_negated or any(claim.agents & one.line.people for one in same):
                continue
            for one in same if claim.agents else ():
                beside = {stem for moment in self.record.beside(one.moment) for stem in moment.words}
                is_about = bool((self.words.keys() - verb) & beside)
                is_theirs = bool(claim.patients & self.record.named[one.moment.scene])
                if one.deed.agents and (is_about or is_theirs):
                    return self._contradicted(one.line)
        return None

    # --- words ---

    def _opposite(self) -> Checked | None:
        """Returns a contradiction if the lines with its other words have the opposite of one of them."""
        mine = {*english.folded_words(self.text)}
        least = 1 if mine & WORDS["lasting"] else 2
        for one, other in (*english.OPPOSITES, *(sides[::-1] for sides in english.OPPOSITES)):
            if not mine & one or mine & other:
                continue
            words = meaning(" ".join(mine - one - WORDS["lasting"]), self.names)
            told = [line for _, line, _ in self.record.lines_with(words, at_least=TOLD)]
            said = [{*line.bare.split()} for line in told]
            against = [line for line, has in zip(told, said, strict=True) if has & other and not has & one]
            if against and len(words) >= least and not any(has & one for has in said):
                return self._contradicted(against[0])
        return None

    @property
    def _people_beside(self) -> frozenset[int]:
        return NOBODY.union(*(moment.people for moment in self.record.beside(self.near[0])))

    def _unheard_of(self) -> str | None:
        """Returns a role or a place that the record does not have; None without one."""
        places: list[str] = PATTERNS["place"].findall(unquoted(self.text))
        roles = [one.text for one in self.outside if one.people is None and one.text in WORDS["roles"]]
        for words in (*roles, *places):
            first = english.folded_words(words)[0]
            is_number = any(numbers_in(first))
            if (
                not is_number
                and first not in WORDS["times"] | WORDS["small"]
                and self.record.stems.isdisjoint(meaning(words))
                and self.record.concepts.isdisjoint(english.concepts_of(first))
            ):
                return first
        return None

    def _invented(self) -> str | None:
        """Returns a thing that no event has, in a sentence of deeds of which many words are in none."""
        new = self.words.keys() - self.record.stems
        verbs = (one.text for one in self.outside if one.people is None and english.may_be_verb(one.text))
        first = next((stems for stems in map(meaning, verbs) if stems), STATIVE)
        is_state = not first.keys().isdisjoint(STATIVE) or PATTERNS["state"].search(self.text)
        if len(new) < max(MANY * len(self.words), 2) or is_state:
            return None
        for place, token in enumerate(self.outside):
            if token.text in WORDS["determiners"] or token.text == "of":
                behind = self.outside[place + 1 : place + 5]
                thing = [one.text for one in takewhile(_is_of_thing, behind[:3])]
                is_part = any(one.text == "of" for one in behind[len(thing) :][:1])
                is_new = thing and not is_part and new & meaning(thing[-1]).keys()
                is_named = is_new and not self.record.concepts.isdisjoint(english.concepts_of(thing[-1]))
                if (
                    is_new
                    and not is_named
                    and WORDS["of_telling"].isdisjoint(thing)
                    and not thing[-1].endswith("ing")
                ):
                    return thing[-1]
        return None

    def _by_words(self) -> Checked:
        agents = NOBODY.union(*(claim.agents for claim in self.claims)) or self.people
        best = self._best_line(self.near[0]) if self.near and self._is_much else None
        if best is not None and not PATTERNS["intended"].search(best.text):
            people = best.people or self._people_beside
            if not agents or agents & people:
                return self._is(Verdict.TOLD, (best.id,))
            is_own = not WORDS["of_teller"].isdisjoint(best.bare.split()) and _is_of_teller(best)
            if is_own and not self.people & people:
                return self._contradicted(best)
        if (unheard := self._unheard_of() or self._invented()) is not None:
            return self._is(Verdict.NOT_IN_RECORD, (), f"\u201c{unheard}\u201d is in no event")
        if self.people or any(numbers_in(self.text)):
            return self._is(Verdict.KNOWN)
        return self._undecided("it has nothing that can be looked up")


def _is_of_thing(token: Token) -> bool:
    """True for a word that may be part of the name of a thing."""
    word = token.text
    is_verb = english.may_be_verb(word) and not word.endswith("ing")
    is_noun = word in WORDS["of_telling"] or not is_verb
    return token.people is None and word[0].isalpha() and word not in NO_THINGS and is_noun


def _is_whole(claim: Deed) -> bool:
    """True unless it is done to somebody, and the sentence does not say to whom."""
    return claim.sort not in WORDS["on_people"] or bool(claim.patients) or claim.is_on_somebody


def _is_said(claim: Deed, deed: Deed) -> bool:
    """True if all that a sentence says of who and whom is recorded."""
    return (not claim.agents or bool(claim.agents & deed.agents)) and (
        not claim.patients or bool(claim.patients & deed.patients)
    )


def _is_of_teller(line: Line) -> bool:
    """True for words of somebody about nobody else."""
    said = {*line.bare.split()}
    is_of_thing = "it" in said and WORDS["of_teller"].isdisjoint(said)
    return bool(line.who) and WORDS["of_another"].isdisjoint(said) and not is_of_thing


def _agrees(claim: Deed, share: float, line: Line, moment: Moment) -> bool | None:
    """True if a line has a deed of the same people, False if of others, None if it does not say."""
    same = [deed for deed in line.deeds if deed.sort == claim.sort]
    if not same:
        is_speech = {deed.sort for deed in line.deeds} == {"say"}
        is_tellers = share >= SURE and not is_speech and _is_of_teller(line)
        theirs = claim.agents | claim.patients
        is_theirs = bool(theirs & line.people)
        return is_theirs if theirs and (is_tellers or is_theirs) else None
    if claim.agents and all(deed.agents and not deed.agents & claim.agents for deed in same):
        return False
    if claim.patients and any(deed.patients for deed in same):
        return any(deed.patients & claim.patients for deed in same)
    others = moment.people - claim.agents
    is_of_named = WORDS["objects"].isdisjoint(line.bare.split())
    is_certain = claim.patients and share >= SURE and others and is_of_named
    return not (is_certain and not claim.patients & others)


def _counts(line: Line, number: Number) -> bool:
    return any(one.value == number.value and one.counts_with(number) for one in line.numbers)


def _has_one(line: Line, number: Number) -> bool:
    """True if a line has a single one of what a number counts: `the silver spoon`."""
    words = line.bare.split()
    return any(
        not word.endswith("s")
        and not meaning(word).keys().isdisjoint(number.of[-1:])
        and not WORDS["determiners"].isdisjoint(words[max(place - 2, 0) : place])
        for place, word in enumerate(words)
    )


def _has(line: Line, number: Number) -> bool:
    return any(one.value == number.value and number.is_like(one) for one in line.numbers)
