"""English for checks: sorts of deeds that verbs tell, and stems of words; `english.toml` is its table."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from retold.drafts.alignment.words import Words, words_of
from retold.journal.names import normalise
from retold.projections.prose.sentences import is_verb

_TABLE: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "english.toml").read_text("utf-8")
)
WORDS: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(words.split()) for name, words in _TABLE["words"].items()
}
VERBS: Final[Mapping[str, str]] = _TABLE["verbs"]
IN_TWO_WORDS: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    (sort, particle): frozenset(verbs.split())
    for sort, particles in _TABLE["in_two_words"].items()
    for particle, verbs in particles.items()
}
OPPOSITES: Final = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, _, other in (line.partition("/") for line in _TABLE["opposites"]["sides"].strip().splitlines())
)
CONTRARY: Final = {sort: tuple(sorts.split()) for sort, sorts in _TABLE["contrary"].items()}
SAME: Final = {sort: tuple(sorts.split()) for sort, sorts in _TABLE["same"].items()}
STATES_NOTHING: Final = {manner: re.compile(pattern) for manner, pattern in _TABLE["states_nothing"].items()}
PATTERNS: Final = {name: re.compile(pattern) for name, pattern in _TABLE["patterns"].items()}
_SHORT: Final = 6
"""Letters of a word up to which its first four are not all of its stem."""
_ENDING: Final = re.compile(r"(\w*[aeiouy]\w*?)(?:(?<!e)ed|ing|(?<![su])s|es|e)$")
_WITH_E: Final = re.compile(r"(?<=\w\w)e$")
_DOUBLED: Final = re.compile(r"([bdfglmnprstz])\1$")
_WORD: Final = re.compile(r"[^\W_]+")


def folded_words(text: str) -> list[str]:
    """Returns the words of a text in small letters, without accents; an apostrophe parts two words."""
    return [word for found in _WORD.findall(text) for word in normalise(found).split()]


def meaning(text: str, leaving_out: frozenset[str] = frozenset()) -> Words:
    """Returns the stems of the words of a text that say something, of verbs in the present."""
    words = (word for word in folded_words(text) if word not in WORDS["small"] and word not in leaving_out)
    return Words(stem for word in words for stem in _stems(word))


@lru_cache(maxsize=100_000)
def _stems(word: str) -> tuple[str, ...]:
    """Returns the stems of a word; short ones without the ending of a verb or a plural: `hums` is `hum`."""
    word = _present().get(word, word)
    if len(word) <= _SHORT:
        found = _ENDING.match(word)
        word = _DOUBLED.sub(r"\1", word if found is None else _WITH_E.sub("", found[1]))
    return tuple(words_of(word).elements())


def concepts_of(word: str) -> frozenset[int]:
    """Returns the numbers of the lines of the table that have a word, folded, in any of its forms."""
    return _concepts().get(word, frozenset())


@lru_cache(maxsize=20_000)
def concepts_in(words: str) -> frozenset[frozenset[int]]:
    """Returns the concepts of each of several folded words that has any."""
    return frozenset(filter(None, map(concepts_of, words.split())))


def sort_told_by(verb: str) -> str | None:
    """Returns the sort of deed that a verb of the table tells; None for another word."""
    return _sorts().get(verb)


def is_past(word: str) -> bool:
    """True for a past form that no rule makes: `taught`."""
    return word in _present()


def is_base(word: str) -> bool:
    """True for a verb in the table of past forms as it is behind several subjects: `hear`."""
    return word in _present().values()


def may_be_verb(word: str) -> bool:
    """True for a word that is a verb, or looks like one in the past."""
    pairs = _present()
    return word in _sorts() or word in pairs or word in pairs.values() or word.endswith("ed") or is_verb(word)


@cache
def _present() -> Mapping[str, str]:
    return dict(pair.split("/") for pair in _TABLE["past"]["forms"].split())


@cache
def _concepts() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(_TABLE["concepts"]["lines"].strip().splitlines()):
        for base in line.split():
            for form in _forms_of(base):
                found[form].add(number)
    for past, base in _present().items():
        found[past] |= found[base]
    return {form: frozenset(numbers) for form, numbers in found.items()}


@cache
def _sorts() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for sort, verbs in VERBS.items():
        for verb in verbs.split():
            base, *others = verb.split("/")
            for form in (*_forms_of(base), *others):
                found.setdefault(form, sort)
    return found


def _forms_of(base: str) -> Iterator[str]:
    stem = base.removesuffix("e")
    yield from (base, f"{base}s", f"{base}es", f"{stem}ed", f"{stem}ing")
    yield from (f"{base}{base[-1]}ed", f"{base}{base[-1]}ing")
    if base.endswith("y"):
        yield from (f"{base[:-1]}ies", f"{base[:-1]}ied")
