"""Forms of verbs: the notation of a verb's syntax, and the unique match of a typed line with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.language.form_parts import (
    NO_GROUP,
    Attempt,
    Capture,
    Choice,
    Everybody,
    Part,
    Predicate,
    read_form_notation,
    slots_of,
)
from retold.journal.language.lexing import Lexed, line_as_typed
from retold.journal.language.tokens import (
    CLASS_DESCRIPTIONS,
    JOINED,
    JOINERS,
    KEYWORDS,
    MOMENTS,
    PEOPLE,
    Assign,
    Segment,
    Token,
    Unreadable,
    has_glued_colon,
    is_dice,
    split_names,
)
from retold.journal.names import CLOSE, either, nearest

MOST_WORDS: Final = 24
"""Longest line for which corrections are searched, in words."""
MOST_SHOWN: Final = 2
"""Readings of a line that a correction shows."""

ReadCaptures = Callable[[Lexed], Sequence[Capture] | None]
"""Returns the captures of a line; None if it does not match the form."""


class Correction(Struct, frozen=True):
    """Sentence that proposes a correction of a line; `sure` if no other correction is likely."""

    sentence: str
    sure: bool = True


def suggest_correction(lexed: Lexed, attempt: Attempt, part: Part, reads: ReadCaptures) -> Correction | None:
    """Returns a likely correction of the first token that does not match the form; None if there is none.

    Proposes the form's word for a misspelled one, quotes around a name or value of several words (only if the
    line then matches the form), or names joined with `+`. `reads` returns the captures of a changed line.
    """
    wrong = attempt.token(attempt.furthest)
    if wrong is None or not wrong.bare or len(lexed.tokens) > MOST_WORDS:
        return None
    literal = nearest(wrong.text, (word for word in attempt.wanted if word.isalpha()), 1, at_least=CLOSE)
    if literal:
        return Correction(f"Did you mean {literal[0]}?")
    place = next(place for place, token in enumerate(lexed.tokens) if token is wrong)
    return _unquoted_value(lexed, place) or _unquoted_name(lexed, place, attempt, part, reads)


def _unquoted_value(lexed: Lexed, place: int) -> Correction | None:
    """Returns a correction that quotes a value of several words, as in `name=The Long Night`.

    None if the token before index `place` is no `key=value`, or its value is quoted already.
    """
    assign = lexed.tokens[place - 1].assign if place else None
    if assign is None or not assign.value.bare:
        return None
    words = [assign.value.text]
    for token in lexed.tokens[place:]:
        if not _may_be_in_a_name(token):
            break
        words.append(token.text)
    key, value = assign.key.text, " ".join(words)
    if key.startswith("'") and value.endswith("'"):  # as a shell quotes the whole token
        key, value = key[1:], value[:-1]
    quoted = Token(
        (Segment(f"{key}{assign.op}", False), Segment(value, True)), lexed.tokens[place - 1].column
    )
    line = _line(lexed, place - 1, place + len(words) - 1, quoted)
    return Correction(f"Quote it: {line}{_stop(lexed)}")


def _unquoted_name(
    lexed: Lexed, place: int, attempt: Attempt, part: Part, reads: ReadCaptures
) -> Correction | None:
    """Returns a correction that quotes adjacent words as one name or joins names with `+`.

    None if neither fits.
    """
    if place and any(wanted.startswith(CLASS_DESCRIPTIONS["PASS"]) for wanted in attempt.wanted):
        first, second = lexed.tokens[place - 1].text, lexed.tokens[place].text
        border = f"Between two zones comes what it takes to cross: {first} 1 {second}"
        return Correction(f'{border}; a name of several words is quoted: "{first} {second}".')
    fitting = [
        fit
        for fit in _quoted_fits(lexed, place, attempt.predicates, reads)
        if not _holds_known_name(fit.words, attempt)
    ]
    if not fitting:
        return _unjoined_names(lexed, place, attempt) if attempt.furthest in attempt.joined else None
    known = max(fit.known for fit in fitting)
    shortest = min(len(fit.words) for fit in fitting if fit.known == known)
    likely = [fit for fit in fitting if fit.known == known and len(fit.words) == shortest]
    likely.sort(key=lambda fit: fit.words[-1].isdecimal())  # a name seldom ends in a number
    quoted = "; or ".join(dict.fromkeys(fit.line for fit in likely[:MOST_SHOWN]))
    kinds = slots_of(part)
    joins = JOINED - {PEOPLE, MOMENTS}
    joined = next((fit.joined for fit in likely if kinds.get(fit.slot) in joins), None)
    if joined is not None:
        return Correction(
            f"Join names with +: {joined}; a name of several words is quoted: {quoted}{_stop(lexed)}"
        )
    missed = any(f"({slot.upper()})" in wanted for slot in attempt.predicates for wanted in attempt.wanted)
    if missed and not known:
        return Correction(f"A name of several words is quoted: {quoted}{_stop(lexed)}", sure=False)
    return Correction(f"Quote it: {quoted}{_stop(lexed)}")


def _holds_known_name(words: Sequence[str], attempt: Attempt) -> bool:
    """True if one of the words is a known name by itself while the words joined by blanks are none."""
    if attempt.is_name is None or attempt.is_name(" ".join(words)):
        return False
    return any(map(attempt.is_name, words))


def _unjoined_names(lexed: Lexed, place: int, attempt: Attempt) -> Correction | None:
    if (
        not place
        or lexed.tokens[place].text in attempt.words
        or not _may_be_in_a_name(lexed.tokens[place - 1])
        or not _may_be_in_a_name(lexed.tokens[place])
    ):
        return None
    joined, quoted = _joined_and_quoted(lexed, place - 1, place + 1)
    return Correction(
        f"Join names with +: {joined}; a name of several words is quoted: {quoted}{_stop(lexed)}"
    )


def _joined_and_quoted(lexed: Lexed, start: int, end: int) -> tuple[str, str]:
    """Returns the line with the tokens from `start` to `end` joined with `+`, and with them in quotes."""
    words, column = [token.text for token in lexed.tokens[start:end]], lexed.tokens[start].column
    joined = Token((Segment("+".join(words), False),), column)
    quoted = Token((Segment(" ".join(words), True),), column)
    return _line(lexed, start, end, joined), _line(lexed, start, end, quoted)


def _stop(lexed: Lexed) -> str:
    """Returns the full stop behind a line; none behind a text, which would then end in it."""
    return "." if lexed.text is None else ""


def _line(lexed: Lexed, start: int, end: int, instead: Token) -> str:
    """Returns the line with one token instead of those from `start` to `end`."""
    return line_as_typed(replace(lexed, tokens=(*lexed.tokens[:start], instead, *lexed.tokens[end:])))


class _QuotedFit(Struct, frozen=True):
    """Adjacent words that, quoted together, make the line match; `slot` is the slot they then fill.

    `known` counts the slots then filled with known words, such as a game's name. `line` is the whole line
    with the words quoted, `joined` with the words joined.
    """

    words: tuple[str, ...]
    slot: str
    known: int
    line: str
    joined: str


def _quoted_fits(
    lexed: Lexed, place: int, predicates: Collection[str], reads: ReadCaptures
) -> Iterator[_QuotedFit]:
    for start, end in _spans(lexed.tokens, place):
        words = tuple(token.text for token in lexed.tokens[start:end])
        quoted = Token((Segment(" ".join(words), True),), lexed.tokens[start].column)
        tokens = (*lexed.tokens[:start], quoted, *lexed.tokens[end:])
        filled = reads(replace(lexed, tokens=tokens))
        if filled is not None:
            slot = next((capture.slot for capture in filled if quoted in capture.tokens), "")
            joined, line = _joined_and_quoted(lexed, start, end)
            known = sum(capture.slot in predicates for capture in filled)
            yield _QuotedFit(words, slot, known, line, joined)


def _spans(tokens: Sequence[Token], place: int) -> Iterator[tuple[int, int]]:
    """Yields (start, end) indexes of adjacent tokens near `place` that may be one name typed without quotes.

    A span includes `place` or ends right before it. A span that starts at `place` has at least two words: `on
    fire` is a name, although `on` is a word of the form.
    """
    first, last = place, place
    while first > 0 and _may_be_in_a_name(tokens[first - 1]):
        first -= 1
    while last < len(tokens) and _may_be_in_a_name(tokens[last]):
        last += 1
    for start in range(first, place + 1):
        if any(sign.isalpha() for sign in tokens[start].text):
            yield from ((start, end) for end in range(max(place, start + 2), last + 1))


def _may_be_in_a_name(token: Token) -> bool:
    """True for an unquoted token that begins with a letter or digit; not for keywords, dice, `key=value`."""
    if is_dice(token) or "+" in token.text:
        return False
    return token.bare and token.text[:1].isalnum() and token.text not in KEYWORDS and token.assign is None


COMMON_FLAGS: Final = frozenset({"at", "by", "check", "gm", "in", "provenance", "to", "when", "yes"})
"""Flags that every verb accepts."""


class Fit(Struct, frozen=True):
    """Match of a typed line with its verb's form.

    `captures` are the slots filled, in order of the line; `assigns` the `key=value` tokens.
    """

    captures: tuple[Capture, ...]
    assigns: tuple[Assign, ...] = ()

    @property
    def slots(self) -> dict[str, tuple[tuple[Token, ...], ...]]:
        """Maps each filled slot to its groups of tokens in order of the line; empty slots are omitted."""
        slots: dict[str, tuple[tuple[Token, ...], ...]] = {}
        for slot, tokens in self.captures:
            slots[slot] = (*slots.get(slot, ()), tokens)
        return slots

    def groups(self, slot: str) -> tuple[tuple[str, ...], ...]:
        """Returns the texts captured by `slot`, one tuple per group: names of a side, words of a phrase.

        Empty if the slot is empty.
        """
        return tuple(tuple(token.text for token in tokens) for tokens in self.slots.get(slot, ()))

    def all(self, slot: str) -> tuple[str, ...]:
        """Returns the texts of every token captured by `slot`, its groups flattened."""
        return tuple(text for group in self.groups(slot) for text in group)

    def one(self, slot: str) -> str | None:
        """Returns the text of the first token captured by `slot`; None if the slot is empty."""
        return next(iter(self.all(slot)), None)

    def phrase(self, slot: str) -> str | None:
        """Returns the texts captured by `slot`, joined with blanks; None if the slot is empty."""
        return " ".join(self.all(slot)) if slot in self.slots else None

    def __str__(self) -> str:
        return ", ".join(f"{slot} {_texts(tokens)}" for slot, tokens in self.captures) or "nothing more"


class Form(Struct, frozen=True):
    """Parsed form of a verb: the syntax of typed lines with this verb.

    `words` are the literal words and keywords that cannot be unquoted names here, `flags` the verb's own
    flags beside `COMMON_FLAGS`. `takes_text` is also true if `needs_text` is.
    """

    part: Part
    words: frozenset[str]
    flags: frozenset[str] = frozenset()
    takes_data: bool = False
    takes_results: bool = False
    takes_text: bool = False
    needs_text: bool = False

    @staticmethod
    def parse(notation: str) -> Form:
        """Parses a form's notation (docs/language.md, Forms), such as `NAME:who [: text]`; caches the result.

        Raises ValueError for a syntax error in the notation.
        """
        return _parsed(notation)

    def beside(self, shared: Form) -> Form:
        """Returns a form that accepts lines of either form, with the flags of both."""
        return Form(
            Choice((self.part, shared.part)),
            self.words | shared.words,
            self.flags | shared.flags,
            takes_data=self.takes_data or shared.takes_data,
            takes_results=self.takes_results or shared.takes_results,
            takes_text=self.takes_text or shared.takes_text,
            needs_text=self.needs_text and shared.needs_text,
        )

    def __str__(self) -> str:
        shown = str(self.part)
        parts = [shown[1:-1] if isinstance(self.part, Choice) else shown]
        parts += [f"[--{flag}]" for flag in sorted(self.flags)]
        parts += ["KEY=VALUE…"] * self.takes_data + ["[= results]"] * self.takes_results
        parts += [": text" if self.needs_text else "[: text]"] * self.takes_text
        return " ".join(filter(None, parts))

    def match(
        self,
        lexed: Lexed,
        predicates: Mapping[str, Predicate] | None = None,
        is_name: Predicate | None = None,
        everybody: Everybody = NO_GROUP,
    ) -> Fit:
        """Returns the unique match of a typed line with this form.

        Raises Unreadable for no match, with what was expected where matching got furthest, or for several
        equal matches, with a list of these. `predicates` map a slot to a test of normalised words; among
        several matches the one wins that fills most such slots with bare words and fewest with quoted ones.
        `is_name` recognises names at the table, which no suggestion quotes together with other words.
        `everybody` has the words that mean several people.
        """
        attempt, fits = self._attempt(lexed, predicates or {}, is_name, everybody)
        if not fits:
            self._refuse(lexed, attempt)
        if len(fits) > 1:
            shown = "; or ".join(map(str, fits))
            sentence = f"This can be read in {len(fits)} ways: {shown}. Quote the names of several words."
            raise Unreadable(sentence, lexed.verb.column)
        return fits[0]

    def fit(
        self, lexed: Lexed, predicates: Mapping[str, Predicate], everybody: Everybody = NO_GROUP
    ) -> Fit | None:
        """Returns what `match` returns; None where it raises, without the search for what was meant."""
        try:
            _, fits = self._attempt(lexed, predicates, None, everybody)
        except Unreadable:
            return None
        return fits[0] if len(fits) == 1 else None

    def _attempt(
        self,
        lexed: Lexed,
        predicates: Mapping[str, Predicate],
        is_name: Predicate | None,
        everybody: Everybody,
    ) -> tuple[Attempt, list[Fit]]:
        """Returns the state after matching a line, and its best matches; Unreadable as `_check_ends`."""
        self._check_ends(lexed)
        tokens, assigns = self._split_data(lexed)
        attempt = Attempt(
            tokens=tokens,
            words=self.words,
            predicates=predicates,
            is_name=is_name,
            everybody=everybody,
            text_missing=self.takes_text and lexed.text is None,
        )
        fits: list[Fit] = []
        for end, captures in self.part.ways(attempt, (0, ())):
            if end == len(tokens):
                fits.append(Fit(captures, assigns))
            else:
                attempt.missed(end, "nothing more")
        return attempt, _best_fits(fits, predicates)

    def _split_data(self, lexed: Lexed) -> tuple[tuple[Token, ...], tuple[Assign, ...]]:
        if not self.takes_data:
            return lexed.tokens, ()
        data = tuple(assign for token in lexed.tokens if (assign := _assignment_of(token)) is not None)
        for key, op, value in data:
            if not value.segments:
                where = f"{key.text}{op}"
                raise Unreadable(
                    f'A value comes right after {where}, without a blank ({where}"" for none).', key.column
                )
        return tuple(token for token in lexed.tokens if _assignment_of(token) is None), data

    def unknown_flag(self, lexed: Lexed) -> str | None:
        """Returns the first flag on the line that the verb does not take; None if it takes them all."""
        return next((flag for flag in lexed.flags if flag not in COMMON_FLAGS | self.flags), None)

    def _check_ends(self, lexed: Lexed) -> None:
        """Raises Unreadable for a flag, text or results that the verb does not take, and a missing text."""
        verb = lexed.verb
        unknown = self.unknown_flag(lexed)
        if unknown is not None:
            raise Unreadable(f"{verb.text} has no --{unknown}.", verb.column)
        if lexed.text is not None and not self.takes_text:
            raise Unreadable(f"{verb.text} takes no text: end the line before the colon.", verb.column)
        if self.needs_text and not (lexed.text and lexed.text.strip()):
            for token in lexed.tokens:
                if lexed.text is None and has_glued_colon(token):
                    raise _glued_colon(token)
            raise Unreadable(
                f"{verb.text} wants a text after a colon. {self._form_sentence(lexed)}", verb.column
            )
        if lexed.results is not None and not self.takes_results:
            sentence = f"{verb.text} takes no results after =; a title or name that holds an = is quoted."
            raise Unreadable(sentence, verb.column)

    def _refuse(self, lexed: Lexed, attempt: Attempt) -> NoReturn:
        token = attempt.token(attempt.furthest)
        wanted = either(attempt.wanted)
        if token is None:
            typed = _texts((lexed.verb, *lexed.tokens))
            sentence = f"After “{typed}” is missing: {wanted}. {self._form_sentence(lexed)}"
            raise Unreadable(sentence, lexed.tokens[-1].column if lexed.tokens else lexed.verb.column)
        if attempt.text_missing and has_glued_colon(token):
            raise _glued_colon(token)
        hint = _hint(token, self) or _hint_one_name(token, attempt)
        mend = (
            None
            if hint
            else suggest_correction(lexed, attempt, self.part, partial(self._match_corrected, attempt))
        )
        if mend is not None and mend.sure:
            raise Unreadable(f"“{token.text}” does not fit here. {mend.sentence}", token.column)
        hint = f" {mend.sentence}" if mend is not None else hint
        raise Unreadable(
            f"“{token.text}” does not fit here; wanted: {wanted}.{hint} {self._form_sentence(lexed)}",
            token.column,
        )

    def _match_corrected(self, before: Attempt, lexed: Lexed) -> tuple[Capture, ...] | None:
        """Returns the captures of the best match of `lexed`, a line changed by a correction.

        None without a match.
        """
        _, fits = self._attempt(lexed, before.predicates, before.is_name, before.everybody)
        return fits[0].captures if fits else None

    def _form_sentence(self, lexed: Lexed) -> str:
        return f"The form is: {lexed.verb.text} {self}."


def _assignment_of(token: Token) -> Assign | None:
    """Returns key, operator and value of a `key=value` token.

    None for other tokens and dice such as `8d10>=7`.
    """
    return None if is_dice(token) else token.assign


def _glued_colon(token: Token) -> Unreadable:
    return Unreadable(
        f"Put a space after the colon in {token.text}, or quotes round it if it is a name.", token.column
    )


def _hint(token: Token, form: Form) -> str:
    if token.quoted and token.text in form.words:
        return " A quoted word is a name and never a keyword: take the quotes off."
    if token.bare and (token.text[0] in JOINERS or token.text[-1] in JOINERS):
        return " Names are joined without blanks: A+B."
    if token.assign and not form.takes_data:
        return " This verb takes no KEY=VALUE."
    return ""


def _hint_one_name(token: Token, attempt: Attempt) -> str:
    """Returns a hint to write a line for each person, if joined names stand where one name belongs.

    Returns "" for other tokens.
    """
    joined = split_names(token, attempt.words)
    wanted = any(description.startswith(f"{CLASS_DESCRIPTIONS['NAME']} (") for description in attempt.wanted)
    return " One name fits here, so type a line for each." if joined[1:] and wanted else ""


def _texts(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _best_fits(fits: Sequence[Fit], predicates: Collection[str]) -> list[Fit]:
    def known(fit: Fit) -> int:
        slots = (capture.tokens for capture in fit.captures if capture.slot in predicates)
        return sum(-1 if any(token.quoted for token in tokens) else 1 for tokens in slots)

    most = max(map(known, fits), default=0)
    return [fit for fit in dict.fromkeys(fits) if known(fit) == most]


@cache
def _parsed(notation: str) -> Form:
    part, words, marks, flags = read_form_notation(notation)
    return Form(
        part,
        KEYWORDS | words,
        flags,
        takes_data="data" in marks,
        takes_results="results" in marks,
        takes_text=bool(marks & {"may", "must"}),
        needs_text="must" in marks,
    )
