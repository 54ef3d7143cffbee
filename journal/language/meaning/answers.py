"""What is said to a line that is not taken, and sentences that are told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from retold.journal.games import READING
from retold.journal.language.binding import Scope
from retold.journal.language.forms import Form
from retold.journal.language.habits import HABITS
from retold.journal.language.habits.reading import READS
from retold.journal.language.habits.shapes import EACH, HOW_MUCH, ONE_LINE, PERHAPS
from retold.journal.language.lexing import Lexed, line_as_typed
from retold.journal.language.meaning.lookup import MOST_SHOWN, Meant, facts_of, filled_lines, fit_of
from retold.journal.language.meaning.tidying import tidy, without_stop
from retold.journal.language.meaning.trying import is_accepted
from retold.journal.language.naming import GM_WORDS
from retold.journal.language.other_words import ALIASES, LEAVING, READ_AS
from retold.journal.language.proposed import lines_in
from retold.journal.language.roll_facts import UNKNOWN_GOAL
from retold.journal.language.slot_words import everybody_at, tests
from retold.journal.language.telling import is_question, is_told
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import VERBS, UnknownVerb
from retold.journal.language.writing import ENDS, bare_token
from retold.journal.names import Unknown
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

MADE_UP: Final = re.compile(r"(?<= [+-])1(?=:|$)|(?<= vs )12(?= =|:|$)|(?<= slots )2/2$")
"""Numbers of a line that stand for one to be said (`UNKNOWN_GOAL`)."""
AGAINST_WHAT: Final = "Against what number"
TO_RULE: Final = "For the table to rule, or told"


def line_of(found: Meant, lexed: Lexed) -> Lexed:
    """Returns the line to take; raises a refusal with the lines to type if something is to be said."""
    is_unsaid = UNKNOWN_GOAL in line_as_typed(found.lines[0]) and not re.search(
        r"\b12\b", line_as_typed(lexed)
    )
    if found.says or is_unsaid:
        raise answer_with(found if found.says else found._replace(says=AGAINST_WHAT), lexed) from None
    return found.lines[0]


def answer_with(found: Meant, lexed: Lexed) -> Refused:
    """Returns the refusal that shows the lines meant; a number that nobody said is left open."""
    is_open = found.says in (HOW_MUCH, AGAINST_WHAT) or (
        found.says == PERHAPS and not re.search(r"\d", line_as_typed(lexed))
    )
    lines = tuple(map(line_as_typed, found.lines))
    if is_open:
        lines = tuple(MADE_UP.sub("NUMBER", line) for line in lines)
    end = "." if found.lines[-1].text is None else ""
    between = "; then " if found.says in (EACH, ONE_LINE) else "; or "
    answer = Unreadable(f"{found.says}: {between.join(lines)}{end}", lexed.verb.column)
    answer.lines = () if is_open and "NUMBER" in lines[0] else lines
    answer.are_in_turn = found.says in (EACH, ONE_LINE) and bool(answer.lines[1:])
    return answer


def filled_in(lexed: Lexed, scope: Scope, refusal: Refused) -> Refused:
    """Returns the refusal of an unknown verb, with the line that would tell the words if it proposes none."""
    read = line_read(lexed, scope.table) or (
        line_as_typed(lexed)
        if lexed.verb.text.lower() in READING
        and lexed.text is None
        and lexed.results is None
        and not ((lexed.verb.text.istitle() or lexed.tokens[1:]) and is_question(line_as_typed(lexed)))
        else None
    )
    if read is not None and isinstance(refusal, (Unreadable, UnknownVerb, Unknown)):
        sentence = f"{read.partition(' ')[0]} records nothing: type it at the console, or as retold {read}"
        return Unreadable(sentence, lexed.verb.column)
    is_number = lexed.verb.text.isdecimal()
    if (
        isinstance(refusal, UnknownVerb)
        and not lexed.tokens
        and (is_number or lexed.verb.text.lower() in LEAVING)
    ):
        said = (
            "A number alone takes the line of an answer, and none is left."
            if is_number
            else "Nothing has to be saved: a line that is taken is recorded."
        )
        return Unreadable(said, lexed.verb.column)
    if not isinstance(refusal, UnknownVerb) or lexed.results is not None:
        return refusal
    words = lexed.tokens
    is_sentence = words[2:] or (words[1:] and lexed.verb.text.istitle())
    is_clear = not is_sentence or any(one.is_whole for one in lines_in(refusal.sentence))
    told = iter(()) if is_clear and not refusal.is_unlike else tellings(lexed, scope.table)
    line = next((line for line in told if is_accepted(line, scope)), None)
    if line is None:
        return refusal
    if is_question(typed := line_as_typed(lexed)):
        return answer_with(Meant(TO_RULE, [Lexed(bare_token(c.Rule.verb), text=typed), line]), lexed)
    meant = "" if refusal.is_unlike else f"{refusal.sentence.partition('. ')[2]} "
    answer = UnknownVerb(lexed.verb.text, table=scope.table, hint=f"{meant}To tell it: {line_as_typed(line)}")
    answer.lines = (line_as_typed(line),)
    return answer


def line_read(lexed: Lexed, table: Table) -> str | None:
    """Returns the line of the console that only reads, such as `who Oda` for `sheet Oda`; None for others."""
    if lexed.text is not None or lexed.results is not None:
        return None
    line = without_stop(tidy(lexed, table))
    words = replace(line, verb=bare_token("line"), tokens=(line.verb, *line.tokens), flags={})
    passes, everybody = tests(table), everybody_at(table)
    for habit in READS:
        if (fit := fit_of(habit, words, passes, everybody)) is not None:
            return next(
                (line_as_typed(one) for one in filled_lines(habit, facts_of(fit, line, table, ""))), None
            )
    word = READ_AS.get(lexed.verb.text.lower())
    if word is None or (lexed.tokens and " " in word):
        return None
    return line_as_typed(replace(lexed, verb=bare_token(word)))


def has_habit(lexed: Lexed, table: Table) -> bool:
    """True for a line that some habit is about, whether or not the rules accept its meaning."""
    words = replace(lexed, verb=bare_token("line"), tokens=(lexed.verb, *lexed.tokens))
    passes, everybody = tests(table), everybody_at(table)
    return any(fit_of(habit, words, passes, everybody) is not None for habit in HABITS)


_VERB_OF: Final = {
    "{test}": "roll",
    "{own_test}": "roll",
    "{attack}": "roll",
    "{hp}": "track",
    "{track}": "track",
}


def verb_meant(typed: str) -> str | None:
    """Returns the verb that a word or two of other tables stand for, such as `conflict` for `fight`.

    None for other words, and for a verb.
    """
    words = typed.lower().split()
    if not words or words[0] in VERBS or len(words) > MOST_SHOWN:
        return None
    if words[-1] in VERBS or words[0] in ALIASES:
        return ALIASES.get(words[0], words[-1])
    lines = (habit.lines[0] for habit in HABITS if {*words} <= {*Form.parse(habit.form).words})
    verbs = (line.partition(" ")[0].rstrip(":") for line in lines)
    known = [verb for verb in (_VERB_OF.get(verb, verb) for verb in verbs) if verb in VERBS]
    return next((verb for verb in known if verb != c.Narrate.verb), next(iter(known), None))


def told_by(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the line that tells a sentence in which nothing is of the rules; None for other lines."""
    tidied = tidy(lexed, scope.table)
    if tidied.verb.text.islower():
        tidied = replace(tidied, verb=lexed.verb)
    if line_read(lexed, scope.table) is not None or not is_told(tidied, scope.table):
        return None
    lines = (line for line in tellings(lexed, scope.table) if line.text == line_as_typed(lexed))
    return next((line for line in lines if is_accepted(line, scope)), None)


def tellings(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields lines that tell the words of a line: of the person it begins with, else of the game master."""
    verb, words = bare_token(c.Narrate.verb), replace(lexed, flags={})
    if not (lexed.tokens or lexed.verb.text.endswith(ENDS)):
        return
    if lexed.tokens and table.called(lexed.verb.text) is not None:
        first, *rest = lexed.tokens
        told = line_as_typed(replace(words, verb=first, tokens=tuple(rest)))
        yield Lexed(verb, (lexed.verb,), text=told)
    yield Lexed(verb, text=line_as_typed(words))
    yield Lexed(verb, (bare_token(GM_WORDS[0]),), text=line_as_typed(words))
