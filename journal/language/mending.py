"""What a line that fits no form may have meant: quotes left out, names not joined, a word nearly right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from journal.language.classes import JOINED, KEYWORDS, PEOPLE, SAID, is_dice
from journal.language.lexing import Lexed
from journal.language.parts import Attempt, Capture, Part, slots_of
from journal.language.tokens import Segment, Token
from journal.names import CLOSE, nearest

MOST_WORDS: Final = 24
"""Nothing is tried on longer lines."""

Reads = Callable[[Lexed], Sequence[Capture] | None]
"""What a line fills its form with; None for one that does not fit it."""


class Mended(NamedTuple):
    """A sentence that says what to write; `sure` where nothing else is likely."""

    sentence: str
    sure: bool = True


def mended(lexed: Lexed, attempt: Attempt, part: Part, reads: Reads) -> Mended | None:
    """What may have been meant by the line, where `attempt` got no further; None where nothing is likely.

    Of quotes, only those are proposed with which the line can be read.
    """
    wrong = attempt.token(attempt.furthest)
    if wrong is None or not wrong.bare or len(lexed.tokens) > MOST_WORDS:
        return None
    literal = nearest(wrong.text, (word for word in attempt.wanted if word.isalpha()), 1, at_least=CLOSE)
    if literal:
        return Mended(f"Did you mean {literal[0]}?")
    place = next(place for place, token in enumerate(lexed.tokens) if token is wrong)
    return _value(lexed, place) or _words(lexed, place, attempt, part, reads)


def _value(lexed: Lexed, place: int) -> Mended | None:
    """The words after `key=value` are of the value."""
    assign = lexed.tokens[place - 1].assign if place else None
    if assign is None or not assign.value.bare:
        return None
    words = [assign.value.text]
    for token in lexed.tokens[place:]:
        if not _plain(token):
            break
        words.append(token.text)
    return Mended(f'Quote it: {assign.key.text}{assign.op}"{" ".join(words)}".')


def _words(lexed: Lexed, place: int, attempt: Attempt, part: Part, reads: Reads) -> Mended | None:
    """Some words round the one that does not fit are one name, or several that are not joined."""
    if place and any(wanted.startswith(SAID["PASS"]) for wanted in attempt.wanted):
        one, other = lexed.tokens[place - 1].text, lexed.tokens[place].text
        border = f"Between two zones stands what it takes to cross: {one} 1 {other}"
        return Mended(f'{border}; a name of several words is quoted: "{one} {other}".')
    fitting = [
        one
        for one in _fitting(lexed, place, attempt.predicates, reads)
        if not _holds_a_name(one.words, attempt)
    ]
    if not fitting:
        return _unjoined(lexed, place, attempt) if attempt.furthest in attempt.joined else None
    known = max(one.known for one in fitting)
    shortest = min(len(one.words) for one in fitting if one.known == known)
    likely = [one for one in fitting if one.known == known and len(one.words) == shortest]
    quotes = " or ".join(dict.fromkeys(f'"{" ".join(one.words)}"' for one in likely[:2]))
    kinds = slots_of(part)
    joins = JOINED - {PEOPLE}
    joined = next(("+".join(one.words) for one in likely if kinds.get(one.slot) in joins), None)
    if joined is not None:
        return Mended(f"Join names with +: {joined}; a name of several words is quoted: {quotes}.")
    missed = any(f"({slot.upper()})" in wanted for slot in attempt.predicates for wanted in attempt.wanted)
    if missed and not known:
        return Mended(f"A name of several words is quoted: {quotes}.", sure=False)
    return Mended(f"Quote it: {quotes}.")


def _holds_a_name(words: Sequence[str], attempt: Attempt) -> bool:
    """True for words that are no name at the table, though one of them alone is."""
    if attempt.is_name is None or attempt.is_name(" ".join(words)):
        return False
    return any(map(attempt.is_name, words))


def _unjoined(lexed: Lexed, place: int, attempt: Attempt) -> Mended | None:
    if (
        not place
        or lexed.tokens[place].text in attempt.words
        or not _plain(lexed.tokens[place - 1])
        or not _plain(lexed.tokens[place])
    ):
        return None
    one, other = lexed.tokens[place - 1].text, lexed.tokens[place].text
    return Mended(f'Join names with +: {one}+{other}; a name of several words is quoted: "{one} {other}".')


class _Fit(NamedTuple):
    """Words that the line can be read with once they stand in one pair of quotes.

    `known` counts the slots they leave filled with words known to belong there, such as a system.
    """

    words: tuple[str, ...]
    slot: str
    known: int


def _fitting(lexed: Lexed, place: int, predicates: Collection[str], reads: Reads) -> Iterator[_Fit]:
    for start, end in _spans(lexed.tokens, place):
        words = tuple(token.text for token in lexed.tokens[start:end])
        quoted = Token((Segment(" ".join(words), True),), lexed.tokens[start].column)
        tokens = (*lexed.tokens[:start], quoted, *lexed.tokens[end:])
        filled = reads(replace(lexed, tokens=tokens))
        if filled is not None:
            slot = next((one.slot for one in filled if quoted in one.tokens), "")
            yield _Fit(words, slot, sum(one.slot in predicates for one in filled))


def _spans(tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
    """Where words that may be one name begin and end; the one at `place` is among them, or comes next.

    Where they begin with it they are two at least: `on fire` is a name, though `on` is a word of the form.
    """
    first, last = place, place
    while first > 0 and _plain(tokens[first - 1]):
        first -= 1
    while last < len(tokens) and _plain(tokens[last]):
        last += 1
    for start in range(first, place + 1):
        if any(sign.isalpha() for sign in tokens[start].text):
            yield from ((start, end) for end in range(max(place, start + 2), last + 1))


def _plain(token: Token) -> bool:
    """True for a word that may be one of a name: bare, with no sign before it, no keyword, dice or data."""
    if is_dice(token) or "+" in token.text:
        return False
    return token.bare and token.text[:1].isalnum() and token.text not in KEYWORDS and token.assign is None
