"""Tolerant lookup of names typed by users: case, accents and hyphens are ignored, ambiguity is refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from retold.journal.refused import Refused

K = TypeVar("K")

APOSTROPHES = "\u2018\u2019\u02bc\u201b\uff07"
# A combining class of 200 and more is an accent above, below or attached; the smaller classes are
# signs a script cannot spare (the voicing mark of kana, the tones of Thai, the virama).
ACCENT = 200
# Likeness of 100. A match with one word of a name counts a little less than one with a whole name.
NEAR_ENOUGH = 55
CLOSE = 70
"""Minimum likeness for words of the language: they are many, and a few common letters prove nothing."""
ONE_WORD = 0.95
SHOWN_AT_MOST = 8
UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
PLAIN = re.compile(r"[^\W\d_](?:[\w.'\u2019-]*\w)?")
"""Names that need no quotes, unless they are in `NOT_BARE` or look like dice."""
NOT_BARE = frozenset(
    {
        *("vs", "with", "to", "as", "in", "none", "all", "not", "mild", "moderate", "severe"),
        *("adv", "dis", "under", "into", "from", "again", "damage", "on", "off"),
        *("engage", "guard", "advance", "stand", "other", "move", "attack", "defend", "maneuver"),
        *(
            "recover",
            "deploy",
            "continue",
            "simple",
            "conflict",
            "session",
            "scene",
            "destiny",
            "fate",
            "neither",
        ),
        *("opposed", "unopposed", "neutral", "physical"),
    }
)
_DICE = re.compile(r"d(?:\d+|F)", re.ASCII)


ARTICLES: Final[Mapping[str, frozenset[str]]] = {
    "de": frozenset(("der", "die", "das", "ein", "eine")),
    "en": frozenset(("the", "a", "an")),
    "es": frozenset(("el", "la", "los", "las", "un", "una")),
    "fr": frozenset(("le", "la", "les", "l", "un", "une")),
    "it": frozenset(("il", "lo", "la", "i", "gli", "le", "l", "un", "uno", "una")),
}
"""Articles ignored at the beginning of a name, by language; `l` comes before an apostrophe."""

EVERY_ARTICLE: Final = frozenset().union(*ARTICLES.values())
"""Articles of every language together."""


class Ambiguous(Refused):
    """Raised for a `typed` name that matches several known names; `candidates` lists their spellings."""

    def __init__(self, typed: str, candidates: Sequence[str], hint: str = "") -> None:
        """Builds the sentence `Ze may be Zel or Zeno.`; `hint`, another sentence, is appended to it."""
        self.typed = typed
        self.candidates = tuple(candidates)
        shown = self.candidates[:SHOWN_AT_MOST]
        more = len(self.candidates) - len(shown)
        rest = f" or one of {more} more" if more else ""
        super().__init__(" ".join(filter(None, (f"{typed} may be {' or '.join(shown)}{rest}.", hint))))


class Unknown(Refused):
    """Raised for a `typed` name that matches no known name; `nearest` lists similar names, best first."""

    def __init__(self, typed: str, nearest: Sequence[str], hint: str = "") -> None:
        """Builds the sentence `There is no “Zle” here. Did you mean Zel?`; `hint` is appended to it."""
        self.typed = typed
        self.nearest = tuple(nearest)
        meant = f"Did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        super().__init__(" ".join(filter(None, (f"There is no \u201c{typed}\u201d here.", meant, hint))))


@lru_cache(maxsize=4096)
def normalise(name: str) -> str:
    """Returns a name's form for comparisons: `Salt-Gate` → `salt gate`; possibly empty.

    Two names have the same form if they differ only in case, accents, width or style of letters, curly or
    straight apostrophes, hyphens, underscores or runs of blanks between words. Normalising twice changes
    nothing.
    """
    folded = name.lower() if name.isascii() else _normalise_letters(name)
    return " ".join(folded.replace("-", " ").replace("_", " ").split())


def without_article(name: str) -> str:
    """Returns the normalised name without its leading article: `The Salt Gate` → `salt gate`.

    Articles of English, French, German, Italian and Spanish count.
    """
    article, blank, rest = normalise(name).partition(" ")
    return rest if blank and article in EVERY_ARTICLE else normalise(name)


def _normalise_letters(name: str) -> str:
    # Accents are removed before casefold, which turns the Greek iota subscript into a letter of its own.
    bare = without_accents(unicodedata.normalize("NFKD", name))
    folded = without_accents(unicodedata.normalize("NFKD", bare.casefold()))
    return unicodedata.normalize("NFC", "".join(map(_plain, folded)))


def without_accents(decomposed: str) -> str:
    """Returns a decomposed text (NFKD) without its accents."""
    return "".join(letter for letter in decomposed if unicodedata.combining(letter) < ACCENT)


def _plain(letter: str) -> str:
    if letter in APOSTROPHES:
        return "'"
    return "-" if unicodedata.category(letter) == "Pd" else letter


def clean(text: str) -> str:
    """Returns `text` unchanged if it can be stored.

    Raises `Refused` for a text with a NUL character or an unpaired surrogate, which no UTF-8 file can hold.
    """
    if found := UNKEEPABLE.search(text):
        code = ord(found.group())
        raise Refused(
            f"Character {found.start() + 1} of this text (U+{code:04X}) cannot be kept: take it out."
        )
    return text


def quoted(name: str) -> str:
    """Returns `name` as typed in a command: in double quotes, unless it is a single plain word."""
    if PLAIN.fullmatch(name) and name not in NOT_BARE and not _DICE.fullmatch(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def find(typed: str, names: Mapping[K, Sequence[str]]) -> K:
    """Returns the key of the one name that matches what the user typed, by the stages of `matching`.

    Raises `Ambiguous` if several match equally well, `Unknown` if none does.
    """
    found = matching(typed, names)
    if not found:
        raise Unknown(typed, nearest(typed, (name for given in names.values() for name in given)))
    return _only(typed, found, {key: given[0] for key, given in names.items() if given})


def matching(typed: str, names: Mapping[K, Sequence[str]]) -> list[K]:
    """Returns the keys of the names that match `typed` best; an empty list if none matches.

    `names` gives for each key its name, then its aliases. Stages are tried in this order until one matches:
    the exact name, an alias, the beginning of the whole name, the beginnings of its words in order (`axe-2`
    matches Axe goblin 2). Names are compared normalised; a number is never cut (`axe-1` does not match Axe
    goblin 12).
    """
    known = {key: [normalise(name) for name in given] for key, given in names.items()}
    stages = (_is_name, _is_alias, _begins_name, _begins_words)
    found = (
        [key for key, folded in known.items() if matches(normalise(typed), folded)] for matches in stages
    )
    return next(filter(None, found), [])


def find_phrase(typed: str, phrases: Mapping[K, str]) -> K:
    """Returns the key of the one phrase (an aspect, a title) that contains the typed words in sequence.

    Whole words are tried before beginnings of words: `fired twice` and `fir tw` match Fired twice today.
    Raises `Ambiguous` if several phrases match equally well, `Unknown` if none does.
    """
    known = {key: normalise(phrase) for key, phrase in phrases.items()}
    for matches in (_is_phrase, _holds_words, _holds_beginnings):
        found = [key for key, folded in known.items() if matches(normalise(typed), folded)]
        if found:
            return _only(typed, found, phrases)
    raise Unknown(typed, nearest(typed, phrases.values()))


def nearest(
    typed: str, names: Iterable[str], n: int = 3, *, at_least: float = NEAR_ENOUGH
) -> tuple[str, ...]:
    """Returns up to `n` of `names` spelled most like `typed`, best first, for a “Did you mean …?”.

    Names less alike than `at_least` (0 to 100) are left out.
    """
    return _nearest(typed, tuple(names), n, at_least)


@lru_cache(maxsize=256)  # a line that is not understood is read in many ways, with the same words
def _nearest(typed: str, names: tuple[str, ...], n: int, at_least: float) -> tuple[str, ...]:
    from rapidfuzz import fuzz  # noqa: PLC0415 -- only a refusal needs it, and it is slow to load

    wanted = normalise(typed)

    def likeness(name: str) -> float:
        folded = normalise(name)
        words = (fuzz.ratio(wanted, word) * ONE_WORD for word in folded.split())
        return max(fuzz.token_sort_ratio(wanted, folded), *words, 0.0)

    likenesses = {name: likeness(name) for name in names}
    best = sorted(likenesses, key=lambda name: -likenesses[name])[:n]
    return tuple(name for name in best if likenesses[name] >= at_least)


def _only(typed: str, found: Sequence[K], shown: Mapping[K, str]) -> K:
    if len(found) > 1:
        raise Ambiguous(typed, [shown[key] for key in found])
    return found[0]


def _is_name(typed: str, names: Sequence[str]) -> bool:
    return typed != "" and typed in names[:1]


def _is_alias(typed: str, names: Sequence[str]) -> bool:
    return typed != "" and typed in names[1:]


def _begins_name(typed: str, names: Sequence[str]) -> bool:
    return any(_begins(typed, name) for name in names[:1])


def _begins_words(typed: str, names: Sequence[str]) -> bool:
    return any(_in_order(typed.split(), name.split()) for name in names[:1])


def _in_order(beginnings: Sequence[str], words: Sequence[str]) -> bool:
    left = iter(words)
    return bool(beginnings) and all(any(_begins(begun, word) for word in left) for begun in beginnings)


def _begins(begun: str, word: str) -> bool:
    if not begun or not word.startswith(begun):
        return False
    return not (begun[-1].isdigit() and word[len(begun) : len(begun) + 1].isdigit())


def _is_phrase(typed: str, phrase: str) -> bool:
    return typed != "" and typed == phrase


def _holds_words(typed: str, phrase: str) -> bool:
    return _holds(typed, phrase, str.__eq__)


def _holds_beginnings(typed: str, phrase: str) -> bool:
    return _holds(typed, phrase, _begins)


def _holds(typed: str, phrase: str, alike: Callable[[str, str], bool]) -> bool:
    wanted, words = typed.split(), phrase.split()
    starts = range(len(words) - len(wanted) + 1)
    return bool(wanted) and any(all(map(alike, wanted, words[start:])) for start in starts)


def either(words: Iterable[str]) -> str:
    """Returns words joined as a choice: `mild, moderate or severe`; at least one is needed."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
