"""Deeds in English sentences and in lines of the log: who did what to whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from retold.drafts.checking import english
from retold.drafts.checking.english import WORDS, meaning, sort_told_by
from retold.drafts.checking.numbers import ORDINALS, numbers_in
from retold.journal.names import normalise
from retold.projections.prose.sentences import is_verb
from retold.projections.views.mentions import Names

People = frozenset[int]
"""Ids of people; empty where a sentence does not say who."""
NOBODY: Final[People] = frozenset()

_PARTICLE: Final = 4
"""Words behind a verb among which its particle may be: `took Gatto out`."""
_TOKEN: Final = re.compile(
    r"[^\W_]+(?:['\u2019\u2011-][^\W_]+)*|[,;:.!?()\[\]\u2014\u2013\u201c\u201d\u2018\"]"
)
_OF_DICE: Final = frozenset({"die"})
"""Words of the log that are things in it."""


class Deed(NamedTuple):
    """Something done: its sort, or its verb; who did it, and to whom, where that is known."""

    sort: str
    agents: People
    patients: People
    is_negated: bool = False
    is_on_somebody: bool = False
    """True if it is done to somebody without a name: `hit him`, `killed the brother`."""
    verb: str = ""
    """The verb as written, in small letters."""
    said: tuple[str, ...] = ()
    """Words of its clause that name nobody."""


class Token(NamedTuple):
    """Word or sign of a sentence, in small letters and as written; the people that it names, else None."""

    text: str
    written: str
    people: People | None = None


def tokens_of(text: str, names: Names[People]) -> list[Token]:
    """Returns the words and signs of a text; a name of several words is one."""
    mentions = {mention.start: mention for mention in names.found(text)}
    found: list[Token] = []
    past = 0
    for match in _TOKEN.finditer(text):
        if match.start() < past:
            continue
        mention = mentions.get(match.start())
        if mention is not None and match[0].islower() and not _is_behind_article(found):
            mention = None
        past = match.start() if mention is None else mention.end
        word = normalise(match[0]) or match[0]
        people = None if mention is None else _numbered(match[0], found[-1:], names, mention.of)
        found.append(Token(word, match[0], people))
    return found


def _numbered(name: str, before: Sequence[Token], names: Names[People], people: People) -> People:
    """Returns who is meant by a name: behind an ordinal, the one of several with that number."""
    number = ORDINALS.get(before[0].text) if before else None
    return people if number is None else next((one.of for one in names.found(f"{name} {number}")), people)


def _is_behind_article(tokens: Sequence[Token]) -> bool:
    """True if a name in small letters is a role, such as `the warden` and `the third eel`."""
    return any(token.text in WORDS["determiners"] for token in tokens[-2:])


def people_in(tokens: Iterable[Token]) -> People:
    """Returns all people that are named."""
    return NOBODY.union(*(token.people for token in tokens if token.people))


@dataclass
class _Clause:
    """Clause that is being read: its subject, its verb once there is one, and the deeds before it."""

    subject: People
    deeds: list[Deed] = field(default_factory=list)
    sort: str = ""
    verb: str = ""
    patients: People = NOBODY
    by: People = NOBODY
    is_passive: bool = False
    is_negated: bool = False
    is_on_somebody: bool = False
    is_on_thing: bool = False
    has_subject: bool = False
    of_sentence: People | None = None
    """Subject of the sentence, in a clause that is not its main one."""
    said: list[str] = field(default_factory=list)
    named: People = NOBODY
    """Whoever was named last."""

    def end(self) -> None:
        """Keeps the deed of the clause; the next one has the same subject until it names another."""
        if self.sort:
            agents, patients = self.subject, self.patients
            is_alone = not patients and not self.is_on_somebody
            if self.is_passive:
                agents, patients = self.by, self.subject
            elif (
                self.is_on_thing
                and is_alone
                and (
                    (self.sort in WORDS["on_things"] and sort_told_by(self.verb) == self.sort)
                    or _tells_out(self.verb)
                    or (self.sort == "concede" and WORDS["contests"].isdisjoint(self.said))
                )
            ):
                self.sort = _other_verb(self.verb)
            elif self.sort in WORDS["on_oneself"] and is_alone:
                agents, patients = NOBODY, self.subject
            said, self.said = tuple(self.said), []
            self.deeds.append(
                Deed(self.sort, agents, patients, self.is_negated, self.is_on_somebody, self.verb, said)
            )
        self.sort, self.patients, self.by = "", NOBODY, NOBODY
        self.is_passive = self.is_negated = self.is_on_somebody = self.has_subject = False

    def part(self, word: str) -> None:
        """Ends the clause at a sign or conjunction; behind a subordinate one, its sentence goes on."""
        self.end()
        if word == "who" and self.named:
            self.subject, self.of_sentence = self.named, self.subject
        elif word in WORDS["subordinating"]:
            self.of_sentence = self.subject
        elif not word[0].isalnum() and self.of_sentence is not None:
            self.subject, self.of_sentence = self.of_sentence, None

    def name(self, people: People, before: str) -> None:
        """Takes a name as subject or object; `before` is the word in front of it and its article."""
        self.named = people
        if not self.sort:
            self.subject = self.subject | people if self.has_subject else people
            self.has_subject = True
        elif before == "by":
            self.by |= people
        elif before == "to" and self.sort == "fall":  # fell to her blade
            self.sort, self.is_passive, self.by = "out", True, people
        elif before not in WORDS["beside" if self.sort in WORDS["on_people"] - {"attack"} else "next_to"]:
            self.patients |= people

    def begin(self, sort: str, tokens: Sequence[Token], place: int) -> None:
        """Takes a verb; a second one in a clause begins another deed of the same subject."""
        if self.sort:
            self.end()
        word = tokens[place].text
        if place and tokens[place - 1].text in WORDS["objects"]:  # I hear him ask
            self.subject = NOBODY
        before = {token.text for token in tokens[max(place - 2, 0) : place]}
        behind = {token.text for token in tokens[place + 1 : place + 3]}
        if place + 1 < len(tokens) and tokens[place + 1].text in WORDS["where"]:
            behind = set()
        follow = {token.text for token in tokens[place + 1 : place + 1 + _PARTICLE]}
        takes_things = sort == "die"
        self.sort, self.verb, self.has_subject = sort, word, True
        self.is_passive = not before.isdisjoint(WORDS["being"]) and not word.endswith("ing")
        self.is_passive &= word not in WORDS["being"]
        self.is_on_thing = any(map(_is_of_thing, behind))
        is_on_person = not behind.isdisjoint(WORDS["somebody"]) or any(map(_is_person, follow))
        self.is_on_somebody = sort in WORDS["on_people"] and (
            is_on_person or (takes_things and self.is_on_thing)
        )


def _is_person(word: str) -> bool:
    return word in WORDS["persons"] or word.endswith(tuple(WORDS["of_trades"]))


def _tells_out(word: str) -> bool:
    """True for a verb that puts somebody else out, in two words: `took him out`."""
    return word in english.IN_TWO_WORDS["out", "out"] and word not in WORDS["being"]


def deeds_in(tokens: Sequence[Token], speaker: People = NOBODY) -> list[Deed]:
    """Returns the deeds of a text; `speaker` says I in it, and does what its first word tells."""
    clause = _Clause(speaker)
    for place, token in enumerate(tokens):
        word, before = token.text, tokens[place - 1].text if place else ""
        is_joint = word in WORDS["conjunctions"] and (word == "who" or _parts(clause, tokens, place))
        if not word[0].isalnum() or is_joint:
            clause.part(word)
        elif word in WORDS["negations"] or word.endswith("n't"):
            # behind a verb, it is another's: the side that she did not watch
            clause.is_negated |= not clause.sort or word not in WORDS["of_verbs"]
        elif token.people is not None:
            clause.name(token.people, _before_name(tokens, place))
        elif word in WORDS["subjects"] or (
            not clause.has_subject and word in WORDS["others"] | WORDS["determiners"]
        ):
            clause.end()
            clause.subject, clause.has_subject = speaker if word in WORDS["own"] else NOBODY, True
        elif word in WORDS["own_objects"] and clause.sort:
            clause.name(speaker, before)
        elif before not in WORDS["determiners"] | {"no", "of"}:
            _read_verb(clause, tokens, place, speaker)
        if token.people is None:
            clause.said.append(word)
    clause.end()
    return clause.deeds


def _before_name(tokens: Sequence[Token], place: int) -> str:
    """Returns the word in front of a name and of what belongs to it: `by one of the eels`."""
    if place and tokens[place - 1].text in WORDS["determiners"]:
        place -= 1
    if place > 1 and tokens[place - 1].text == "of" and tokens[place - 2].text in WORDS["parts"]:
        place -= 2
    return tokens[place - 1].text if place else ""


def _read_verb(clause: _Clause, tokens: Sequence[Token], place: int, speaker: People) -> None:
    """Begins the deed that a word tells, if it is the verb of its clause."""
    word, before = tokens[place].text, tokens[place - 1].text if place else ""
    is_noun = place > 1 and tokens[place - 2].text in WORDS["determiners"] and not word.endswith("ed")
    sort = None if is_noun and clause.sort else sort_at(tokens, place)
    if sort is None and not clause.sort and word not in WORDS["small"]:
        is_of_several = len(clause.subject) > 1 and (before == "and" or english.is_base(word))
        sort = _other_verb(word) if is_of_several or _must_be_verb(tokens, place, speaker) else None
    if sort is not None and (not clause.sort or sort in english.VERBS):
        is_owned = place > 0 and tokens[place - 1].written.endswith(
            ("s'", "'s", "\u2019s")
        )  # her kick missed
        clause.begin("attack" if is_owned and sort == "hit" else sort, tokens, place)


def _parts(clause: _Clause, tokens: Sequence[Token], place: int) -> bool:
    """True if a conjunction begins a clause; one between two names that share a verb does not."""
    behind = tokens[place + 1 : place + 2]
    is_between_names = place > 0 and tokens[place - 1].people is not None and behind and behind[0].people
    return bool(clause.sort) and not is_between_names


def sort_at(tokens: Sequence[Token], place: int) -> str | None:
    """Returns the sort of deed that a verb tells there, its stem for another verb, None for other words."""
    word, follow = tokens[place].text, [token.text for token in tokens[place + 1 : place + 1 + _PARTICLE]]
    for (told, particle), verbs in english.IN_TWO_WORDS.items():
        if particle not in follow or word not in verbs:
            continue
        between = tokens[place + 1 : place + 1 + follow.index(particle)]
        if (particle, *follow[len(between) + 1 :][:1]) == ("down", "to"):  # brought her down to two
            continue
        is_free = not any(english.may_be_verb(one.text) for one in between)
        if is_free if word in WORDS["being"] else not between or any(map(_names_somebody, between)):
            return told
    if word in WORDS["small"]:
        return None
    sort, next_word = sort_told_by(word), next(iter(follow), "")
    is_idle = (sort in ("give", "steal") and next_word in WORDS["idle"]) or (
        sort == "lose" and _is_of_thing(next_word) and WORDS["contests"].isdisjoint(follow)
    )
    if (sort is None and (is_verb(word) or english.is_past(word))) or is_idle or word == "missing":
        return _other_verb(word)
    return None if word == "hit" and next_word == "points" else sort


def _names_somebody(token: Token) -> bool:
    return token.people is not None or token.text in WORDS["somebody"] or _is_person(token.text)


def _is_of_thing(word: str) -> bool:
    """True for a word that begins an object: `lost his way`, `lost two`, `burned one of them`."""
    is_number = any(numbers_in(word)) and word not in ("twice", "thrice")
    return is_number or word in WORDS["determiners"] | {"it", "one"}


def _must_be_verb(tokens: Sequence[Token], place: int, speaker: People) -> bool:
    """True if a word is behind a pronoun or, with such an ending, a name, or begins what a speaker does."""
    if not place:
        behind = tokens[1].text if len(tokens) > 1 else ""
        objects = WORDS["determiners"] | WORDS["somebody"] | WORDS["own_objects"]
        return bool(speaker) and behind in objects
    before = tokens[place - 1]
    is_behind_a_name = before.people is not None and tokens[place].text.endswith(("s", "ed"))
    return is_behind_a_name or before.text in WORDS["own"] | WORDS["others"]


def _other_verb(word: str) -> str:
    """Returns what stands for a verb that is not in the table: `to carr` for `carries`."""
    return " ".join(("to", *meaning(word)))


def deeds_noted(tokens: Sequence[Token]) -> list[Deed]:
    """Returns the deeds of a line of the log: the name at its beginning does them, to the other names.

    `Oskar hits Hook-1 for 3` · `Ilka: attack against Eel-1's ac: a hit` · `Gatto is taken out by Hargan`
    """
    named = [place for place, token in enumerate(tokens) if token.people is not None]
    if not named:
        return []
    by = people_in(tokens[place] for place in named if tokens[place - 1].text == "by")
    found: list[Deed] = []
    for place, token in enumerate(tokens):
        sort = None if token.people is not None else sort_at(tokens, place)
        before = tokens[place - 1].text if place else ""
        if sort is None or sort not in english.VERBS or token.text in _OF_DICE or before in ("the", "of"):
            continue
        subject = tokens[named[0]].people or NOBODY
        if place < named[0] and sort != "win":
            subject = NOBODY
        elif place - 1 > named[0]:
            subject = tokens[place - 1].people or subject
        others = people_in(tokens) - subject - by
        if place < named[0] and sort in WORDS["of_losers"]:  # conceded, Hargan wins
            others = NOBODY
        is_negated = before in WORDS["negations"]
        is_suffered = sort in WORDS["on_oneself"] and (not others or token.text in WORDS["being"])
        if is_suffered:  # Ilka's attack: Eel-1 is out
            found.append(Deed(sort, by or others, subject, is_negated))
        else:
            found.append(Deed(sort, subject, others, is_negated))
    return found
