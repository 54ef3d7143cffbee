"""Deeds in English sentences and lines of the log: who did what to whom, by one table of verbs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from retold.drafts.alignment.words import Words, words_of
from retold.journal.names import normalise
from retold.projections.prose.sentences import is_verb
from retold.projections.views.mentions import Names

People = frozenset[int]
"""Ids of people; empty where a sentence does not say who."""
NOBODY: Final[People] = frozenset()

_VERBS: Final[Mapping[str, str]] = {
    "hit": "hit strike/struck punch kick shoot/shot stab slash cut wound hurt injure bite/bit slap smash"
    " maim scratch burn",
    "miss": "miss fail/failure",
    "pass": "succeed/success pass",
    "attack": "attack fight/fought assault engage charge",
    "out": "fell defeat finish collapse fall/fell/fallen faint",
    "die": "die kill slay/slew/slain murder drown perish strangle execute poison behead",
    "concede": "concede yield surrender capitulate resign",
    "win": "win/won triumph prevail beat/beaten overcome/overcame conquer victory defeat",
    "lose": "lose/lost",
    "flee": "flee/fled escape",
    "give": "give/gave/given handed sell/sold lend/lent",
    "steal": "steal/stole/stolen rob pocket kidnap",
    "find": "find/found discover",
    "bind": "tie bind/bound chain arrest imprison handcuff",
    "love": "kiss marry embrace seduce hug",
    "betray": "betray blackmail",
    "save": "save rescue heal cure",
    "say": "say/said tell/told ask answer reply shout whisper call cry",
}
"""Words for each sort of deed: base forms, each with its irregular forms."""

_TAKING: Final = frozenset("take takes took taken put puts knock knocks knocked".split())
_PHRASES: Final = (
    ("out", _TAKING, "out"),
    ("out", frozenset("is are was were be been".split()), "out"),
    ("concede", frozenset("give gives gave given giving".split()), "up"),
    ("flee", frozenset("run runs ran get gets got".split()), "away"),
)
"""Deeds in two words: verb, and a particle up to `_APART` words behind it."""
_APART: Final = 4

CERTAIN: Final = frozenset("hit miss out die concede win lose flee give steal bind love betray save".split())
"""Sorts of deeds that a log or a text of the record names, so that one of two people known is missed."""
CONTRARY: Final = {
    "hit": "miss",
    "miss": "hit",
    "pass": "miss",
    "win": "lose",
    "lose": "win",
    "concede": "win",
}
SAME: Final = {"hit": ("out",), "out": ("die",), "win": ("out",), "lose": ("concede",), "concede": ("lose",)}
"""Sorts that are said by another one too."""
ON_PEOPLE: Final = frozenset("hit miss attack out die love betray save bind".split())
_ON_SOMEBODY: Final = ON_PEOPLE - {"miss", "attack", "out", "die"}
"""Sorts that are another deed if they are done to a thing: `cut the rope`."""
_ON_ONESELF: Final = frozenset({"out", "die"})
"""Sorts whose subject suffers them where there is no object."""

_IRREGULAR: Final = dict(
    pair.split("/")
    for pair in """
    ate/eat began/begin bit/bite broke/break brought/bring built/build bought/buy came/come caught/catch chose/choose
    clung/cling crept/creep dealt/deal did/do drank/drink drawn/draw drew/draw drove/drive dug/dig fallen/fall fed/feed
    fell/fall felt/feel fled/flee flew/fly flung/fling forgot/forget fought/fight found/find froze/freeze gave/give
    given/give gone/go got/get grew/grow heard/hear held/hold hid/hide hung/hang kept/keep knelt/kneel knew/know
    known/know laid/lay leapt/leap led/lead left/leave lent/lend lit/light lost/lose made/make meant/mean met/meet
    paid/pay ran/run rang/ring rode/ride rose/rise rung/ring said/say sang/sing sank/sink sat/sit saw/see seen/see
    sent/send shaken/shake shone/shine shook/shake shot/shoot slept/sleep slid/slide sold/sell sought/seek spent/spend
    spoke/speak spun/spin stole/steal stolen/steal stood/stand struck/strike stuck/stick swam/swim swept/sweep swore/swear
    swung/swing taken/take taught/teach thought/think threw/throw told/tell took/take tore/tear torn/tear went/go
    woke/wake won/win wore/wear worn/wear wove/weave written/write wrote/write
    """.split()
)
"""Past forms of other letters, with their present forms."""

SMALL: Final = frozenset(
    """
    the a an and or but nor for with from into onto over under upon than that this these those of in on at to by
    as if so is are was were be been being am do does did has have had will would can could may might shall not
    no he she it they we i you him her them us me his its their our your my who whom whose which what when where
    why how all any both one there then out up down off away back again only just very too also yet still before
    after until while because about between behind beside through during against first last
    """.split()
)
"""Small words of English, which say nothing about what happened."""

_SUBJECTS: Final = frozenset("he she it they you somebody someone everybody everyone nobody".split())
_OWN: Final = frozenset({"i", "we"})
_CONJUNCTIONS: Final = frozenset(
    "and but or then while when as before after until because who which that where so than if".split()
)
_BEING: Final = frozenset("is are was were be been being got gets get".split())
_NEGATIONS: Final = frozenset("not never nobody no neither nor cannot without none".split())
_OBJECTS: Final = frozenset(
    "the a an his her their its him them it this that those these my your our another anybody somebody".split()
)
_DETERMINERS: Final = frozenset("the a an his her their its my your our this that no of".split())
_SOMEBODY: Final = frozenset("him her them somebody someone everybody everyone anybody anyone".split())
_CONTESTS: Final = frozenset(
    "fight battle duel stakes stake game conflict argument struggle clash round day bet race war match everything".split()
)
"""What is won or lost as a conflict is; other things are lost otherwise: `he lost his way`."""
_WORD: Final = re.compile(r"[^\W_]+")
_TOKEN: Final = re.compile(r"[^\W_]+(?:['\u2019\u2011-][^\W_]+)*|[,;:.!?()\[\]\u2014\u2013\u201c\u201d]")


class Deed(NamedTuple):
    """Something done: its sort, or the stem of its verb; who did it, and to whom, where that is known."""

    sort: str
    agents: People
    patients: People
    is_negated: bool = False
    is_on_somebody: bool = False
    """True if it has an object that is no name: `the elder brother`."""
    verb: str = ""
    """The verb as written, in small letters."""


class Token(NamedTuple):
    """Word or sign of a sentence, in small letters, and the people it names."""

    text: str
    written: str
    people: People | None = None
    is_possessive: bool = False


def meaning(text: str, *, leaving_out: Iterable[str] = ()) -> Words:
    """Returns the stems of the words of an English text that say something, of verbs in the present.

    `leaving_out` are words, folded, that do not count.
    """
    words = (word for found in _WORD.findall(text) for word in normalise(found).split())
    others = SMALL.union(leaving_out)
    return words_of(" ".join(_IRREGULAR.get(word, word) for word in words if word not in others))


@cache
def _sorts() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for sort, verbs in _VERBS.items():
        for verb in verbs.split():
            base, *irregular = verb.split("/")
            for form in (*_forms_of(base), *irregular):
                found.setdefault(form, sort)
    return found


def _forms_of(base: str) -> Iterator[str]:
    stem = base[:-1] if base.endswith("e") else base
    doubled = f"{base}{base[-1]}"
    yield from (base, f"{base}s", f"{base}es", f"{stem}ed", f"{stem}ing", f"{doubled}ed", f"{doubled}ing")
    if base.endswith("y"):
        yield from (f"{base[:-1]}ies", f"{base[:-1]}ied")


def sort_of(word: str) -> str | None:
    """Returns the sort of deed that a verb tells, its stem for another verb, None for other words."""
    if word in SMALL:
        return None
    found = _sorts().get(word)
    return next(iter(meaning(word)), None) if found is None and is_verb(word) else found


def tokens_of(text: str, names: Names[People]) -> list[Token]:
    """Returns the words and signs of a text; each name is one word."""
    mentions = {mention.start: mention for mention in names.found(text)}
    found: list[Token] = []
    past = 0
    for match in _TOKEN.finditer(text):
        if match.start() < past:
            continue
        word = normalise(match[0])
        mention = mentions.get(match.start())
        if mention is not None:
            past = mention.end
            found.append(Token(word, match[0], mention.of, text[past : past + 2] in ("'s", "\u2019s")))
        else:
            found.append(Token(word, match[0]))
    return found


@dataclass
class _Clause:
    """Clause that is being read: its subject, and its deed once there is a verb."""

    subject: People = NOBODY
    deeds: list[Deed] = field(default_factory=list)
    sort: str | None = None
    verb: str = ""
    patients: People = NOBODY
    by: People = NOBODY
    is_passive: bool = False
    is_negated: bool = False
    is_on_somebody: bool = False
    is_new: bool = True

    def end(self) -> None:
        """Keeps the deed of the clause; the next one has the same subject until it names another."""
        if self.sort is not None:
            agents, patients = self.subject, self.patients
            alone = not patients and not self.is_on_somebody
            if self.is_passive:
                agents, patients = self.by, self.subject
            elif self.sort in _ON_ONESELF and alone:
                agents, patients = NOBODY, self.subject
            elif self.sort in _ON_SOMEBODY and alone:
                self.sort = next(iter(meaning(self.verb)), self.sort)
            self.deeds.append(
                Deed(self.sort, agents, patients, self.is_negated, self.is_on_somebody, self.verb)
            )
        self.sort, self.patients, self.by = None, NOBODY, NOBODY
        self.is_passive = self.is_negated = self.is_on_somebody = False
        self.is_new = True


def deeds_in(tokens: list[Token], speaker: People = NOBODY) -> list[Deed]:
    """Returns the deeds of a sentence; `speaker` is who says I in it."""
    clause = _Clause(speaker)
    for place, token in enumerate(tokens):
        word = token.text
        is_noun = place > 0 and tokens[place - 1].text in _DETERMINERS
        sort = None if token.people is not None or is_noun else _sort_at(tokens, place)
        if not word[0].isalnum() or (word in _CONJUNCTIONS and _ends_clause(clause, tokens, place)):
            clause.end()
        elif word in _NEGATIONS or word.endswith(("n't", "n\u2019t")):
            clause.is_negated = True
        elif token.people is not None and clause.sort is None:
            clause.subject = token.people if clause.is_new else clause.subject | token.people
            clause.is_new = False
        elif token.people is not None and place and tokens[place - 1].text == "by":
            clause.by |= token.people
        elif token.people is not None:
            clause.patients |= token.people
        elif clause.sort is None and word in _OWN | _SUBJECTS:
            clause.subject, clause.is_new = speaker if word in _OWN else NOBODY, False
        elif sort is not None and (clause.sort is None or sort in _VERBS):
            if clause.sort is not None:
                subject = clause.subject
                clause.end()
                clause.subject = subject
            clause.sort, clause.verb, clause.is_new = sort, word, False
            clause.is_passive = bool(_BEING & {one.text for one in tokens[max(place - 2, 0) : place]})
            follow = {one.text for one in tokens[place + 1 : place + 3]}
            whom = _OBJECTS if sort == "die" or word in _TAKING else _SOMEBODY
            clause.is_on_somebody = sort in ON_PEOPLE and bool(follow & whom)
            clause.is_passive &= word not in _BEING and not word.endswith("ing")
    clause.end()
    return clause.deeds


def _ends_clause(clause: _Clause, tokens: list[Token], place: int) -> bool:
    """True if a conjunction begins a clause; `and` between two names does not."""
    between_names = place and place + 1 < len(tokens) and tokens[place + 1].people is not None
    is_list = between_names and tokens[place - 1].people is not None
    return clause.sort is not None and not (is_list and not _has_verb(tokens[place + 1 :]))


def _has_verb(tokens: Iterable[Token]) -> bool:
    for token in tokens:
        if not token.text[0].isalnum():
            return False
        if token.people is None and sort_of(token.text) is not None:
            return True
    return False


def _sort_at(tokens: list[Token], place: int) -> str | None:
    word = tokens[place].text
    behind = {token.text for token in tokens[place + 1 : place + 1 + _APART]}
    behind_at_once = tokens[place + 1].text if place + 1 < len(tokens) else ""
    for sort, verbs, particle in _PHRASES:
        if word in verbs and particle in behind:
            return sort
    sort = sort_of(word)
    is_idle = (sort in ("give", "steal") and behind_at_once in ("a", "an", "way", "up", "in", "off")) or (
        sort == "lose" and behind_at_once in _OBJECTS and behind.isdisjoint(_CONTESTS)
    )
    return "idiom" if is_idle or (word == "hit" and behind_at_once == "points") or word == "missing" else sort


_OF_DICE: Final = frozenset({"die"})
"""Words of the log that are things in it."""


def deeds_noted(tokens: list[Token]) -> list[Deed]:
    """Returns the deeds of a line of the log: the first name in it does them, to the others.

    `Oskar hits Hook-1 for 3` · `Ilka: attack against Eel-1's ac: a hit` · `Gatto is taken out by Hargan`
    """
    named = [(place, token.people) for place, token in enumerate(tokens) if token.people is not None]
    if not named:
        return []
    (at, first), others = named[0], named[1:]
    by: People = NOBODY
    rest: People = NOBODY
    for place, people in others:
        if tokens[place - 1].text == "by":
            by |= people
        else:
            rest |= people - first
    words = [token.text for token in tokens]
    found: list[Deed] = []
    for place in range(len(tokens)):
        sort = None if tokens[place].people is not None else _sort_at(tokens, place)
        if sort not in _VERBS or words[place] in _OF_DICE or words[place - 1] in ("the", "of"):
            continue
        is_negated = bool(_NEGATIONS & {*words[max(0, place - 2) : place]})
        subject = first
        if place < at and sort != "win":
            subject = NOBODY
        elif place - 1 > at:
            subject = tokens[place - 1].people or first
        if sort in _ON_ONESELF and not rest:
            found.append(Deed(sort, by, subject, is_negated))
        else:
            found.append(Deed(sort, subject, rest - subject, is_negated))
    return found
