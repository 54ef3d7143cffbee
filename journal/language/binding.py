"""Binds a lexed typed line to a command object: names become ids of people, words become field values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial, reduce
from itertools import chain
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.decks import notation
from retold.journal.decks.chance import Provenance
from retold.journal.language import suggestions
from retold.journal.language.command_values import (
    bind_of_type,
    data_reader_of,
    field_accepts,
    read_recording_time,
    takes_groups,
    takes_several,
)
from retold.journal.language.dice_words import tidied
from retold.journal.language.form_parts import NO_GROUP, Everybody, Predicate, slots_of
from retold.journal.language.forms import COMMON_FLAGS, Fit, Form
from retold.journal.language.lexing import FLAGS, Lexed, line_as_typed
from retold.journal.language.naming import (
    EVERYBODY,
    THINGS,
    answerable_questions,
    conflict_addressed,
    find_answer,
    find_conflict,
    find_or_name_clock,
    find_or_name_matter,
    find_or_name_person,
    find_person,
    find_system,
    parse_title,
    party_of,
    quote_new_name,
    words_for_everybody,
)
from retold.journal.language.shorthand import (
    expand_shorthand,
    expand_speech,
    is_speech,
    is_stat,
    move_words,
    suggest_new_track,
)
from retold.journal.language.suggestions import suggest_place_in_text
from retold.journal.language.tokens import JOINED, JOINERS, MOMENTS, Assign, Unreadable, is_dice
from retold.journal.language.verbs import (
    TO_WHISPER,
    WHISPERS,
    UnknownVerb,
    commands_said,
    explain_unknown_flag,
    form_of,
    game_of,
    games_with_verb,
    own_form,
    verbs_of,
)
from retold.journal.language.writing import in_quotes, quote_name
from retold.journal.names import CLOSE, Ambiguous, Unknown, clean, nearest, normalise
from retold.journal.options import GAME, of_the_table
from retold.journal.played_time import played_day, read_played_time
from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.events.acts import Manner
from retold.journal.system import games_played
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import (
    Bind,
    Command,
    InvalidShape,
    Question,
    Words,
    fields_of,
    types_of,
)
from retold.journal.vocabulary.commands import extended


def _no_moment(typed: str) -> int:
    raise Unknown(typed, ())


class Scope(Struct, frozen=True):
    """Context for binding a typed line: the current table state, and a resolver of moments.

    `moment` turns the name of a moment, such as `@-3`, into an event position. By default no moment is known.
    """

    table: Table
    moment: Callable[[str], int] = _no_moment
    today: str | None = None
    """Default date of a new session; None in a script."""


class Bound(Struct, frozen=True):
    """Result of binding a typed line: the command, and options for recording it.

    `manner` has the author, the audience and the provenance of dice and cards.
    """

    command: Command
    manner: Manner
    check: bool = False
    """True with --check: record nothing."""
    flags: Mapping[str, str | None] = field(default_factory=dict)
    """Flags as typed, for verbs about the line itself."""


def bind(lexed: Lexed, scope: Scope) -> Bound:
    """Returns the command that a typed line means with this table state, and how to record it.

    Raises Refused, with a sentence for the user, if the line means no command.
    """
    if is_speech(lexed, scope.table):
        return _bind_speech(lexed, scope)
    lexed = expand_shorthand(lexed, scope.table)
    meant = _candidates(lexed, scope)
    if c.Rule in meant:
        _check_quoted(lexed, scope.table)
    read = lexed
    try:
        if issubclass(meant[0], c.Roll):
            read = tidied(lexed, partial(_fits, meant, table=scope.table))
        made = _bind_command(meant, read, scope)
    except (Unreadable, Unknown, Ambiguous):
        advantage_moved = suggestions.with_advantage_moved(lexed, scope.table, partial(_binds, scope=scope))
        if advantage_moved is not None:
            return bind(advantage_moved, scope)
        _check_party(lexed, scope.table)
        placed = suggest_place_in_text(meant[0], lexed, scope.table)
        if placed is not None:
            raise Unreadable(placed, lexed.tokens[2].column) from None
        ordered = suggestions.ordered_roll(lexed, scope.table, partial(_binds, scope=scope))
        if ordered is not None:
            shown = f"The words of a roll have an order: {line_as_typed(ordered)}."
            raise Unreadable(shown, lexed.verb.column) from None
        raise
    flags = {name: None if token is None else token.text for name, token in read.flags.items()}
    return Bound(made, _manner(read, made, scope), "check" in flags, flags)


_OF_PEOPLE = frozenset((*THINGS, Bind.PERSON, Bind.NEWCOMER))
"""What a slot takes in which `all` and `party` stand for the party."""


def _everybody(command: type[Command], lexed: Lexed, table: Table) -> Everybody:
    """Returns the words for the whole party, its names, and the slots of a command that take several people.

    Most lines have no such word, and are not looked at.
    """
    typed = {part.text.lower() for token in lexed.tokens for part in token.split(JOINERS)}
    if typed.isdisjoint(EVERYBODY):
        return NO_GROUP
    words = words_for_everybody(table)
    names = tuple(suggestions.name_token(table.name(person)) for person in party_of(table))
    if (shared := extended(command)) is not None and any(map(is_dice, lexed.tokens)):
        command = shared  # `roll all 2d6`, where the game rolls skills of one person
    return Everybody(words, names, slots_of_people(command)) if words and names else NO_GROUP


@cache
def slots_of_people(command: type[Command]) -> frozenset[str]:
    """Returns the slots of a verb's form in which `all` means the party; none of `cast`."""
    if issubclass(command, c.Cast):
        return frozenset()
    slots = slots_of(form_of(command).part)
    return frozenset(
        slot
        for slot, kind in slots.items()
        if kind in JOINED - {MOMENTS}
        and slot in types_of(command)
        and bind_of_type(command, slot) in _OF_PEOPLE
    )


def _check_party(lexed: Lexed, table: Table) -> None:
    """Raises Refused for a line with `all` or `party` while no character has a player."""
    if party_of(table):
        return
    words = words_for_everybody(table)
    typed = [part.text for token in lexed.tokens for part in token.split(JOINERS) if part.bare]
    if word := next((word for word in typed if word in words), None):
        raise Refused(
            f"“{word}” means all people with a player, and there are none yet:"
            " cast NAME by=PLAYER gives a person a player."
        )


def _binds(lexed: Lexed, scope: Scope) -> bool:
    """True if the line binds to a command at this table; the rules may still refuse it."""
    return none_if_refused(partial(bind, lexed, scope)) is not None


def commands_meant(lexed: Lexed, table: Table) -> tuple[type[Command], ...]:
    """Returns the command classes that the verb of a typed line may mean.

    Ignores the rest of the line. Raises UnknownVerb for a word that is not a verb.
    """
    lexed = expand_shorthand(expand_speech(lexed, table), table)
    with suppress(Refused):
        return _candidates(lexed, Scope(table))
    return commands_said(lexed.verb.text, table, table.in_play())


def _bind_command(meant: Sequence[type[Command]], lexed: Lexed, scope: Scope) -> Command:
    command, fit = _match_form(meant, lexed, scope.table)
    try:
        fields = _Binder(command, lexed, fit, scope).fields()
    except Unknown:
        if command not in meant and issubclass(command, c.KeepNote):
            _refuse_misfit(meant[0], lexed, scope.table)  # a place's long name, not a person and a zone
        raise
    shared = extended(command)
    if shared is not None and fields.keys() <= fields_of(shared).keys():
        command = shared  # the game's own fields are unused
    try:
        return command.of(fields)
    except InvalidShape as error:
        raise Refused(_describe_misfit(command, error)) from None


def _check_quoted(lexed: Lexed, table: Table) -> None:
    """Raises Refused for an unquoted name of several words in a ruling: `ruling Bandit 2.hp=3`."""
    before: list[str] = []
    for token in lexed.tokens:
        assign = token.assign
        if assign is None:
            before = [*before, token.text] if token.bare else []
            continue
        who, _, what = assign.key.text.rpartition(".")
        meant = [" ".join((*before[start:], who)) for start in range(len(before))]
        known = next((name for name in meant if who and table.called(name) is not None), None)
        if known is not None:
            line = f"{quote_name(known)}.{what}{assign.op}{assign.value.text}"
            raise Refused(f"A name of several words is quoted: ruling {line}: why")
        before = []


def _bind_speech(lexed: Lexed, scope: Scope) -> Bound:
    """Binds a line of speech such as `Mara: Run!`; an unknown speaker raises UnknownVerb with a hint."""
    try:
        return bind(expand_speech(lexed, scope.table), scope)
    except Unknown as unknown:
        if lexed.verb.quoted or unknown.typed != lexed.verb.text:
            raise
        raise UnknownVerb(lexed.verb.text, hint=_verb_or_newcomer(lexed.verb.text, scope.table)) from None


def _verb_or_newcomer(typed: str, table: Table) -> str:
    if typed in WHISPERS:
        return TO_WHISPER
    close = nearest(typed, [*map(table.name, table.people), *verbs_of(table)], at_least=CLOSE)
    meant = f"Did you mean {' or '.join(close)}? " if close else ""
    return f"{meant}If that is a new person who speaks: cast {quote_new_name(table, typed)}."


def _candidates(lexed: Lexed, scope: Scope) -> tuple[type[Command], ...]:
    """Returns the command classes that the line's verb may mean.

    Raises UnknownVerb for a word that is not a verb, and Unreadable with a corrected line if one is found.
    """
    table, named = scope.table, _value(lexed, "in")
    conflict = conflict_addressed(table, None if named is None else find_conflict(table, named))
    try:
        meant = commands_said(lexed.verb.text, table, conflict)
    except UnknownVerb:
        _refuse_no_verb(lexed, scope)
        raise
    reads = partial(_binds, scope=scope)
    line = suggestions.suggest_roll(lexed, meant, table, reads)
    if line is not None:
        raise Unreadable(line, lexed.verb.column)
    return meant


def _refuse_no_verb(lexed: Lexed, scope: Scope) -> None:
    """Raises a refusal that proposes a line to type, for a line whose first word is not a verb.

    Returns without raising if there is nothing to propose.
    """
    table, reads = scope.table, partial(_binds, scope=scope)
    typed = " ".join(token.text for token in (lexed.verb, *lexed.tokens))
    if _is_answer(typed, answerable_questions(table), table):
        raise UnknownVerb(lexed.verb.text, hint=f"To answer: ruling {typed}: why") from None
    hint = suggestions.suggest_verb_first(lexed, table, reads)
    if hint is not None:
        unknown = UnknownVerb(lexed.verb.text, table=table, hint=hint)
        unknown.is_unlike = hint.startswith(f"{suggestions.VERB_FIRST}{c.Narrate.verb}")
        raise unknown from None
    kept = suggest_new_track(lexed, table)
    if kept is not None and not nearest(lexed.verb.text, verbs_of(table), at_least=CLOSE):
        raise UnknownVerb(lexed.verb.text, hint=f"To keep how much there is of it: {kept}.") from None


def is_waited_for(typed: str, table: Table) -> bool:
    """True if `typed` is an answer that a question lists which play waits for; names may be shortened."""
    answers = {
        answer for question in answerable_questions(table) if question.blocks for answer in question.answers
    }
    who = none_if_refused(lambda: find_person(table, typed)) if answers else None
    words = {normalise(answer) for answer in answers if isinstance(answer, str)}
    return who in answers or normalise(typed) in words


def _is_answer(typed: str, pending: Sequence[Question], table: Table) -> bool:
    """True if `typed` is a listed answer to a pending question, or a number for a question without a list."""
    answers = [answer for question in pending for answer in question.answers]
    listed = {table.name(answer) if isinstance(answer, int) else answer for answer in answers}
    free = any(not question.answers for question in pending)
    return normalise(typed) in map(normalise, listed) or (free and typed.isdecimal())


def _match_form(meant: Sequence[type[Command]], lexed: Lexed, table: Table) -> tuple[type[Command], Fit]:
    """Returns (command class, match with its form) for a line; `meant` are the classes its verb may mean.

    A verb that only a game absent from this table has is matched as well, so that the rules can say what to
    use here instead. Raises Refused if no form matches, or if the forms of several games do.
    """
    command, *others = meant
    fits = {candidate: fit for candidate in meant if (fit := _try_fit(candidate, lexed, table)) is not None}
    if len(fits) > 1 and command not in c.SHARED:
        raise Refused(_name_the_games(lexed.verb.text, fits))
    if not fits and not others and command in c.SHARED:
        elsewhere = [system.takes(command) for system in games_with_verb(command.verb)]
        fits = {
            candidate: fit
            for candidate in elsewhere
            if (fit := _try_fit(candidate, lexed, table, own_form)) is not None
        }
    return next(iter(fits.items())) if fits else (command, _refuse_misfit(command, lexed, table))


def _fits(meant: Sequence[type[Command]], lexed: Lexed, *, table: Table) -> bool:
    """True if the line matches the form of one of the commands."""
    return any(_try_fit(candidate, lexed, table) is not None for candidate in meant)


def _try_fit(
    command: type[Command], lexed: Lexed, table: Table, form: Callable[[type[Command]], Form] = form_of
) -> Fit | None:
    return form(command).fit(lexed, _predicates(table), _everybody(command, lexed, table))


def _refuse_misfit(command: type[Command], lexed: Lexed, table: Table) -> Fit:
    """Raises the most helpful refusal for a line that does not match the form of its verb.

    First matches once more, with the names of people at the table taken into account; returns that match if
    there is one.
    """
    _check_played(command, lexed, table)
    unknown = form_of(command).unknown_flag(lexed)
    if unknown is not None:
        raise Unreadable(explain_unknown_flag(command, lexed.verb.text, unknown), lexed.verb.column)
    try:
        known = _everybody(command, lexed, table)
        return own_form(command).match(
            lexed, _predicates(table), lambda word: table.called(word) is not None, known
        )
    except Unreadable as refusal:
        if (mistaken := _explain_mistake(command, lexed)) is not None:
            raise Unreadable(mistaken, refusal.column) from None
        if command is c.OpenConflict:
            _check_game_is_known(lexed, table)
        raise


def _check_game_is_known(lexed: Lexed, table: Table) -> None:
    """Raises Unreadable for a `conflict` line whose second word, the place of the game, is not needed."""
    if not lexed.tokens[1:] or not lexed.tokens[1].bare:
        return
    title, game, *sides = lexed.tokens
    try:
        own_form(c.OpenConflict).match(replace(lexed, tokens=(title, *sides)), _predicates(table))
    except Unreadable:
        return
    known = [system.name_at(table) or name for name, system in SYSTEMS.items()]
    close = nearest(game.text, known, at_least=CLOSE)
    meant = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(known)}."
    whole = in_quotes(f"{title.text} {game.text}")
    sentence = f"There is no game “{game.text}” here. {meant} If it belongs to the title, quote it: {whole}."
    raise Unreadable(sentence, game.column) from None


def _check_played(command: type[Command], lexed: Lexed, table: Table) -> None:
    """Raises Unreadable, naming the games played here, for a verb of a game that this table does not play."""
    game, played = game_of(command), SYSTEMS.among(table.games())
    if game is None or extended(command) is not None or lexed.verb.text not in game.says:
        return
    if played and game not in played:
        here = " or ".join(system.called(table) for system in played)
        elsewhere = f"There is no {lexed.verb.text} in {here}; it belongs to {game.title}."
        raise Unreadable(f"{elsewhere} What may be said now: can.", lexed.verb.column)


def _name_the_games(verb: str, meant: Iterable[type[Command]]) -> str:
    """Returns a refusal sentence for a verb that several games share while none of them is played here."""
    games = [game for game in map(game_of, meant) if game is not None]
    lines = " or ".join(f"{game.name}.{verb}" for game in games)
    return f"{verb} is a verb of {' and '.join(game.title for game in games)}: say which, {lines}."


def _predicates(table: Table) -> Mapping[str, Predicate]:
    """Returns tests of the words that may fill a slot, by slot; other slots take any word."""
    return {"system": lambda word: find_system(table, word) is not None}


def _explain_mistake(command: type[Command], lexed: Lexed) -> str | None:
    """Returns the explanation of a common mistake that the command lists in `mistakes`.

    None without a match.
    """
    for form, sentence in command.mistakes.items():
        try:
            fit = Form.parse(form).match(lexed)
        except Unreadable:
            continue
        return reduce(
            lambda said, slot: said.replace(f"{{{slot}}}", fit.phrase(slot) or ""), fit.slots, sentence
        )
    return None


def _describe_misfit(command: type[Command], error: InvalidShape) -> str:
    if error.missing:
        wanted = "the results after =" if error.field == "results" else error.field
        return f"{command.verb} wants {wanted}. Write it like: {command.example}"
    if type(error.value) is int:
        return f"{command.verb} takes no such number: {error.value}. Write it like: {command.example}"
    return f"{command.verb}: {error.field} is not right ({error.why}). Write it like: {command.example}"


def _manner(lexed: Lexed, command: Command, scope: Scope) -> Manner:
    see = audience_said(lexed, scope) or default_audience(command)
    if see != TABLE and not is_hideable(command):
        raise Refused(f"{command.verb} changes what all can see, so it cannot be for some eyes only.")
    by = _value(lexed, "by")
    named = _value(lexed, "provenance")
    try:
        provenance = Provenance(named) if named else Provenance.CALLED
    except ValueError:
        known = ", ".join(Provenance)
        raise Refused(f"--provenance is one of {known}, not {named}.") from None
    return Manner(
        by=None if by is None else find_person(scope.table, by),
        visible_to=see,
        provenance=provenance,
        when=_played(lexed),
    )


def _played(lexed: Lexed) -> str | None:
    """Returns the time of play that `--when` names, as the record keeps it; None without the flag."""
    typed = _value(lexed, "when")
    return None if typed is None else read_played_time(typed)


def audience_said(lexed: Lexed, scope: Scope) -> str | tuple[int, ...] | None:
    """Returns the audience named by `--gm` or `--to`: `gm`, `table` or ids of people.

    None without such a flag.

    Raises Refused for `--to table` beside other names or `--gm`, and for `--to` without names.
    """
    to = _value(lexed, "to")
    if to is None:
        return "gm" if "gm" in lexed.flags else None
    names = _names(lexed, "to")
    everybody = words_for_everybody(scope.table)
    word = next((name for name in names if name in everybody or normalise(name) == TABLE), None)
    if word is not None:
        if names[1:] or "gm" in lexed.flags:
            raise Refused(f"--to {word} already includes the whole table: leave out the rest.")
        return TABLE
    see = tuple(find_person(scope.table, name) for name in names)
    if not to:
        raise Refused("--to wants the names of those who may see it.")
    return see


def default_audience(command: Command) -> str:
    """Returns the audience of a line without hiding flags: `gm` for notes and branches, `table` for others.

    A note with `--quote` repeats words said aloud at the table, so its audience is `table`.
    """
    is_note = isinstance(command, c.Note) and not command.quote
    return "gm" if is_note or isinstance(command, c.Branch) else TABLE


def is_hideable(command: Command) -> bool:
    """True if the command accepts the hiding flags `--gm` and `--to`; the rules may still refuse them."""
    return command.at is not None if isinstance(command, c.Reveal) else command.hideable


def _value(lexed: Lexed, flag: str) -> str | None:
    token = lexed.flags.get(flag)
    return None if token is None else token.text


def _names(lexed: Lexed, flag: str) -> Sequence[str]:
    token = lexed.flags.get(flag)
    return () if token is None else [part.text for part in token.split("+,")]


# --- fields -----------------------------------------------------------------------------------------------


class _Binder:
    """Converts one match of a line with its verb's form (`fit`) into values for the command's fields."""

    def __init__(self, command: type[Command], lexed: Lexed, fit: Fit, scope: Scope) -> None:
        self._command = command
        self._lexed = lexed
        self._try_fit = fit
        self._scope = scope
        self._table = scope.table

    def fields(self) -> dict[str, Any]:
        """Returns field values by field name; fields that the line does not give are left out."""
        given = {field: value for name in self._try_fit.slots for field, value in self._slot_fields(name)}
        given |= self._common()
        if self._command is c.OpenConflict and "system" not in given:
            given |= self._first_of_its_game()
        if self._try_fit.assigns:
            _check_said_once(self._command, self._try_fit.assigns)
            given |= data_reader_of(self._command)(self._try_fit.assigns, self._table, given)
        if "act" in given and self._seals(given):
            given["sealed"] = True
        return given

    def _first_of_its_game(self) -> dict[str, str]:
        """Returns the campaign's game for its first conflict: without it, the record would name no game."""
        chosen = SYSTEMS.get(of_the_table(self._table, GAME))
        is_first = chosen is not None and not chosen.unnamed and not games_played(self._table, SYSTEMS)
        return {"system": chosen.name} if chosen is not None and is_first else {}

    def _seals(self, given: Mapping[str, Any]) -> bool:
        """True if a table option makes the game keep acts face down (sealed) without `--sealed`."""
        here = conflict_addressed(self._table, given.get("conflict"))
        return here is not None and SYSTEMS[here.system].seals(self._table)

    def _common(self) -> dict[str, Any]:
        fields = fields_of(self._command)
        given: dict[str, Any] = {}
        if self._lexed.text is not None and "text" in fields:
            given["text"] = Words(clean(self._lexed.text))
        if self._lexed.results is not None:
            given["results"] = notation.read_results(self._lexed.results)
        if (conflict := _value(self._lexed, "in")) is not None:
            given["conflict"] = find_conflict(self._table, conflict)
        given |= self._flags(fields)
        if self._command is c.OpenSession and "date" not in given:
            played = _played(self._lexed)
            date = self._scope.today if played is None else played_day(played)
            given |= {"date": date} if date else {}
        return given

    def _flags(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for flag, token in self._lexed.flags.items():
            if flag == "at":
                if "at" not in fields or "at" in self._try_fit.slots:
                    raise Refused(f"{self._command.verb} takes no --at: it is about now.")
                given["at"] = self._scope.moment(_value(self._lexed, "at") or "")
            elif flag == "absent":
                given["absent"] = tuple(
                    find_person(self._table, name) for name in _names(self._lexed, "absent")
                )
            elif (name := FLAGS[flag].field) in fields and (
                # of `--by` its common meaning is kept where the form has a slot of this name
                flag not in COMMON_FLAGS or re.search(rf":{name}\b", self._command.form) is None
            ):
                given[name] = True if token is None else self._value_of(name, token.text, quoted=token.quoted)
        return given

    def _slot_fields(self, name: str) -> Iterator[tuple[str, Any]]:
        """Yields (field name, value) for one slot of the form; a second pair if the slot has several tokens.

        The first token then fills the slot's own field; the others fill the field that the command's
        `further` names, such as `also` for `Bob` in `hp Ann+Bob -4`.
        """
        further = self._command.further.get(name)
        tokens = [token for group in self._try_fit.slots[name] for token in group]
        if further is None or not tokens[1:]:
            yield name, self._slot(name)
            return
        first, *others = (self._value_of(name, token.text, quoted=token.quoted) for token in tokens)
        yield name, first
        yield further, tuple(others)

    def _slot(self, name: str) -> Any:  # noqa: ANN401 -- as many types as fields have
        groups = self._try_fit.slots[name]
        if takes_several(self._command, name):
            values = tuple(
                tuple(self._value_of(name, token.text, quoted=token.quoted) for token in group)
                for group in groups
            )
            return values if takes_groups(self._command, name) else tuple(chain.from_iterable(values))
        if bind_of_type(self._command, name) is Bind.ANSWER:
            typed = self._try_fit.phrase(name) or ""
            return find_answer(self._table, answerable_questions(self._table), typed)
        if len(groups[0]) > 1:
            return self._value_of(name, self._try_fit.phrase(name) or "", quoted=False)
        return self._value_of(name, groups[0][0].text, quoted=groups[0][0].quoted)

    def _value_of(self, name: str, typed: str, *, quoted: bool) -> Any:  # noqa: ANN401 -- as many types as fields
        match bind_of_type(self._command, name):
            case Bind.PERSON | Bind.THING | Bind.KNOWN_THING | Bind.ZONE as bind:
                meant = THINGS.get(bind)
                return meant(self._table, typed, quoted=quoted) if meant else self._known_person(name, typed)
            case Bind.NEWCOMER | Bind.MATTER | Bind.CLOCK:
                return self._known_or_new(name, typed, quoted=quoted)
            case Bind.SYSTEM:
                system = find_system(self._table, typed)
                if system is None:
                    raise Unknown(typed, nearest(typed, SYSTEMS))
                return system.name
            case Bind.MOMENT:
                return self._scope.moment(typed)
            case Bind.DATA | Bind.TIME as bind:
                return typed if bind is Bind.DATA else read_recording_time(typed)
            case _:
                return (
                    parse_title(typed)
                    if field_accepts(self._command, name, Words)
                    else int(typed)
                    if typed.removeprefix("+").removeprefix("-").isdecimal()
                    else typed
                )

    def _known_or_new(self, name: str, typed: str, *, quoted: bool) -> int | Words:
        if bind_of_type(self._command, name) is Bind.CLOCK:
            value = self._try_fit.one("value") or ""
            return find_or_name_clock(self._table, typed, value, quoted=quoted)
        if issubclass(self._command, c.KeepNote):
            return find_or_name_matter(self._table, self._command.sort, typed, quoted=quoted)
        return find_or_name_person(self._table, typed, quoted=quoted, sides=self._command is not c.Cast)

    def _known_person(self, name: str, typed: str) -> int:
        """Returns the id of a person in the cast; raises Unknown for other names.

        The error has a hint if the name is a thread, place or thing, a number on a sheet, or a new speaker.
        """
        try:
            return find_person(self._table, typed)
        except Unknown as unknown:
            kept = self._table.matter_called(typed)
            if kept is not None and issubclass(self._command, c.Merge):
                hint = f"It is a {kept.sort}: {kept.sort} {quote_name(kept.called)} into NAME."
                raise Unknown(typed, (), hint) from None
            if name == "opponent" and is_stat(self._table, typed):
                hint = f"{typed} is on a sheet: after vs comes whose it is, or a number."
                raise Unknown(typed, (), hint) from None
            moves = sorted(move_words(self._table, self._table.in_play()))
            no_move = not any(normalise(token.text) in moves for token in self._lexed.tokens)
            if name == "who" and issubclass(self._command, c.Roll) and moves and no_move:
                hint = f"A roll says whose it is, and the move ({', '.join(moves)}): roll WHO {moves[0]}."
                raise Unknown(typed, unknown.nearest, hint) from None
            if name != "who" or not issubclass(self._command, SPEECH):
                raise
            hint = f"A new person is introduced first: cast {quote_new_name(self._table, typed)}."
            raise Unknown(typed, unknown.nearest, hint) from None


def _check_said_once(command: type[Command], assigns: Sequence[Assign]) -> None:
    """Raises Refused if a line gives one `key=` twice; only rulings may repeat a key."""
    said: set[str] = set()
    for key, _, _ in assigns:
        if command is not c.Rule and normalise(key.text) in said:
            raise Refused(f"{key.text}= is on this line twice: type it once.")
        said.add(normalise(key.text))


SPEECH = (c.Narrate, c.Say, c.Declare)
"""Verbs of speech; their refusals explain how to introduce a new speaker."""
