"""The form of a verb: a small notation, and the one way a line fits it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NoReturn

from msgspec import Struct

from journal.language.classes import JOINERS, KEYWORDS, SAID, is_dice, is_glued, names
from journal.language.lexing import Lexed
from journal.language.mending import mended
from journal.language.notation import read_notation
from journal.language.parts import Attempt, Capture, Choice, Part, Predicate
from journal.language.tokens import Assign, Token, Unreadable

COMMON_FLAGS: Final = frozenset({"at", "by", "check", "gm", "in", "provenance", "to"})
"""The flags of every verb."""


class Fit(Struct, frozen=True):
    """The one way a line fits its verb's form: `captures` in the order of the line, and the game's data."""

    captures: tuple[Capture, ...]
    assigns: tuple[Assign, ...] = ()

    @property
    def slots(self) -> dict[str, tuple[tuple[Token, ...], ...]]:
        """Slot → what filled it each time, in order; a slot that stands empty is not there."""
        slots: dict[str, tuple[tuple[Token, ...], ...]] = {}
        for slot, tokens in self.captures:
            slots[slot] = (*slots.get(slot, ()), tokens)
        return slots

    def groups(self, slot: str) -> tuple[tuple[str, ...], ...]:
        """What filled `slot` each time, as texts: a side's names, a phrase's words; empty if nothing did."""
        return tuple(tuple(token.text for token in tokens) for tokens in self.slots.get(slot, ()))

    def all(self, slot: str) -> tuple[str, ...]:
        """The texts of every token in `slot`, one after another."""
        return tuple(text for group in self.groups(slot) for text in group)

    def one(self, slot: str) -> str | None:
        """The text of the first token in `slot`; None if it stands empty."""
        return next(iter(self.all(slot)), None)

    def phrase(self, slot: str) -> str | None:
        """The words in `slot` joined with one blank; None if it stands empty."""
        return " ".join(self.all(slot)) if slot in self.slots else None

    def __str__(self) -> str:
        return ", ".join(f"{slot} {_texts(tokens)}" for slot, tokens in self.captures) or "nothing more"


class Form(Struct, frozen=True):
    """What may stand on a verb's line.

    `words` are the literal words and keywords that are no bare names here; `flags` the verb's own beside
    `COMMON_FLAGS`. `takes_text` is true also where `needs_text` is.
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
        """The form written in `notation` (docs/language.md, Forms); kept, so asking again is free.

        Raises ValueError if the notation itself is wrong.
        """
        return _parsed(notation)

    def beside(self, shared: Form) -> Form:
        """This form and another: what fits either fits, and the flags of one may stand in both."""
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
    ) -> Fit:
        """The one reading of the line.

        `predicates` say of a slot's name which folded words can fill it; of several readings, those that fill
        most such slots with bare words, and fewest with quoted ones, are meant. `is_name` knows the names at
        the table, which no sentence proposes to quote together with other words. Raises Unreadable if there
        is no reading (with what was wanted where the line got furthest) or more than one (with all of them).
        """
        self._check_flags(lexed)
        self._check_text(lexed)
        self._check_results(lexed)
        tokens, assigns = self._data_taken(lexed)
        missing = self.takes_text and lexed.text is None
        attempt = Attempt(tokens, self.words, predicates or {}, is_name, text_missing=missing)
        fits = [Fit(captures, assigns) for captures in self._complete(attempt)]
        if not fits:
            self._refuse(lexed, attempt)
        return _only(lexed, _fullest(fits, attempt.predicates))

    def _complete(self, attempt: Attempt) -> Iterator[tuple[Capture, ...]]:
        for end, captures in self.part.ways(attempt, 0):
            if end == len(attempt.tokens):
                yield captures
            else:
                attempt.missed(end, "nothing more")

    def _data_taken(self, lexed: Lexed) -> tuple[tuple[Token, ...], tuple[Assign, ...]]:
        if not self.takes_data:
            return lexed.tokens, ()
        data = tuple(assign for token in lexed.tokens if (assign := _data(token)) is not None)
        for key, op, value in data:
            if not value.segments:
                where = f"{key.text}{op}"
                raise Unreadable(
                    f'A value stands right after {where}, without a blank ({where}"" for none).', key.column
                )
        return tuple(token for token in lexed.tokens if _data(token) is None), data

    def _check_flags(self, lexed: Lexed) -> None:
        known = COMMON_FLAGS | self.flags
        for flag in lexed.flags:
            if flag not in known:
                shown = " ".join(f"--{name}" for name in sorted(known))
                raise Unreadable(f"{lexed.verb.text} has no --{flag}. It has: {shown}.", lexed.verb.column)

    def _check_text(self, lexed: Lexed) -> None:
        verb = lexed.verb
        if lexed.text is not None and not self.takes_text:
            raise Unreadable(f"{verb.text} takes no text: end the line before the colon.", verb.column)
        if not self.needs_text or (lexed.text and lexed.text.strip()):
            return
        for token in lexed.tokens:
            if lexed.text is None and is_glued(token):
                raise _glued(token)
        raise Unreadable(f"{verb.text} wants a text after a colon. {self._shown(lexed)}", verb.column)

    def _check_results(self, lexed: Lexed) -> None:
        verb = lexed.verb
        if lexed.results is not None and not self.takes_results:
            sentence = f"{verb.text} takes no results after =; a title or name that holds an = is quoted."
            raise Unreadable(sentence, verb.column)

    def _refuse(self, lexed: Lexed, attempt: Attempt) -> NoReturn:
        token = attempt.token(attempt.furthest)
        wanted = _either(attempt.wanted)
        if token is None:
            sentence = f"After “{_typed(lexed)}” is missing: {wanted}. {self._shown(lexed)}"
            raise Unreadable(sentence, lexed.tokens[-1].column if lexed.tokens else lexed.verb.column)
        if attempt.text_missing and is_glued(token):
            raise _glued(token)
        hint = _hint(token, self) or _one_at_a_time(token, attempt)
        mend = None if hint else mended(lexed, attempt, self.part, lambda line: self._read(line, attempt))
        if mend is not None and mend.sure:
            raise Unreadable(f"“{token.text}” does not fit here. {mend.sentence}", token.column)
        hint = f" {mend.sentence}" if mend is not None else hint
        raise Unreadable(
            f"“{token.text}” does not fit here; wanted: {wanted}.{hint} {self._shown(lexed)}", token.column
        )

    def _read(self, lexed: Lexed, before: Attempt) -> tuple[Capture, ...] | None:
        """What another line fills the form with, in the first way it can; None if it does not fit."""
        tokens, _ = self._data_taken(lexed)
        attempt = Attempt(
            tokens, self.words, before.predicates, before.is_name, text_missing=before.text_missing
        )
        fits = [Fit(captures) for captures in self._complete(attempt)]
        return _fullest(fits, attempt.predicates)[0].captures if fits else None

    def _shown(self, lexed: Lexed) -> str:
        return f"The form is: {lexed.verb.text} {self}."


def _data(token: Token) -> Assign | None:
    """The token as the game's data; None for any other, and for dice that have a `=` in them."""
    return None if is_dice(token) else token.assign


def _glued(token: Token) -> Unreadable:
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


def _one_at_a_time(token: Token, attempt: Attempt) -> str:
    """What to do where several names are joined and one alone is wanted; empty elsewhere."""
    joined = names(token, attempt.words)
    wanted = any(one.startswith(f"{SAID['NAME']} (") for one in attempt.wanted)
    return " One name stands here, so say a line for each." if joined[1:] and wanted else ""


def _typed(lexed: Lexed) -> str:
    return " ".join((lexed.verb.text, *(token.text for token in lexed.tokens)))


def _texts(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _either(wanted: Sequence[str]) -> str:
    *others, last = wanted
    return f"{', '.join(others)} or {last}" if others else last


def _fullest(fits: Sequence[Fit], predicates: Collection[str]) -> list[Fit]:
    def known(fit: Fit) -> int:
        slots = (capture.tokens for capture in fit.captures if capture.slot in predicates)
        return sum(-1 if any(token.quoted for token in tokens) else 1 for tokens in slots)

    most = max(map(known, fits))
    return [fit for fit in dict.fromkeys(fits) if known(fit) == most]


def _only(lexed: Lexed, fits: Sequence[Fit]) -> Fit:
    if len(fits) > 1:
        shown = "; or ".join(map(str, fits))
        sentence = f"This can be read in {len(fits)} ways: {shown}. Quote the names of several words."
        raise Unreadable(sentence, lexed.verb.column)
    return fits[0]


@cache
def _parsed(notation: str) -> Form:
    part, words, marks, flags = read_notation(notation)
    return Form(
        part,
        KEYWORDS | words,
        flags,
        takes_data="data" in marks,
        takes_results="results" in marks,
        takes_text=bool(marks & {"may", "must"}),
        needs_text="must" in marks,
    )
