"""Carries out a table verb typed at the shell: a verb for play at the table, such as `draw`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from retold.cli.campaigns.asking import RealDecks, scribe_for
from retold.cli.campaigns.opening import opened
from retold.cli.invocation import DONE, Options, UsageError, reading_verbs
from retold.cli.output.printing import write_json, write_outcome
from retold.journal.counting import span
from retold.journal.language.binding import Scope
from retold.journal.language.lexing import Lexed, lex_words
from retold.journal.language.meant import bind_as_meant
from retold.journal.language.shorthand import are_people, shorthands
from retold.journal.language.tokens import KEYWORDS, Segment, Token
from retold.journal.language.verbs import EXPECT, VERBS, UnknownVerb, commands_said, form_of, games_missing
from retold.journal.line import systems_in_play
from retold.journal.names import normalise
from retold.journal.refused import Refused, Unfinished
from retold.journal.shell_words import shell_line
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.events.acts import MOST_TEXT, RecordedAct
from retold.journal.store.writing.undo import why_not_undoable
from retold.journal.table import Table
from retold.journal.vocabulary.commands import Declare
from retold.journal.vocabulary.events import SessionClosed, Undone
from retold.outcome import Outcome
from retold.projections.plain.lives import events_as_json
from retold.projections.texts import safe
from retold.scribe import Scribe


def record(options: Options, words: Sequence[str]) -> int:
    """Carries out one line given as shell words, such as `draw Zel clubs`; returns the exit code.

    Raises UsageError for an unknown verb, Refused if the rules refuse the line.
    """
    read: list[Lexed] = []
    try:
        return _recorded(options, words, read)
    except Unfinished as refusal:
        begun = _again_words(options)
        ways = (f"{way.label}: {shell_line([*begun, *way.words])}" for way in refusal.ways)
        raise Refused(refusal.about, *ways) from None
    except UnknownVerb as unknown:  # an unknown name was meant to speak
        raise UsageError(str(unknown)) from None
    except (Refused, StoreError):
        if not read:  # what is wrong with the line is said first, though nothing can be recorded
            _lexed(words, Table())
        raise


def _recorded(options: Options, words: Sequence[str], read: list[Lexed]) -> int:
    """Carries out the line and prints the result; returns the exit code.

    Appends the lexed line to `read`, so that the caller knows it could be read.
    """
    with opened(options, read_only=False) as (campaign, settings):
        scribe = scribe_for(options, campaign, settings)
        scribe.came_up = RealDecks(campaign.id).asked
        systems_in_play(
            scribe.table
        )  # which loads the games that are played: their verbs are looked up before others'
        lexed = _lexed(words, scribe.table)
        read.append(lexed)
        wants_text = _wants_text(words, scribe.table)
        if lexed.text == "" and wants_text:
            outcome = _in_editor(scribe, lexed)
        else:
            outcome = scribe.carry_out(lexed.with_text(_piped()) if lexed.text == "-" else lexed)
        if options.json:
            _print_json(scribe, outcome)
        else:
            print_outcome(scribe, outcome, options)
    return DONE


def _lexed(words: Sequence[str], table: Table) -> Lexed:
    """Returns the shell words lexed as a line; raises UsageError for an unknown verb."""
    if not words[0].endswith(":"):  # else the line is speech
        _check_verb(words, table)
    wants_text = _wants_text(words, table)
    return lex_words(words, lambda _verb: wants_text)


def _check_verb(words: Sequence[str], table: Table) -> None:
    """Raises UsageError for a verb that is unknown, also to the habits of other tables."""
    typed = words[0]
    known = typed in VERBS or typed in EXPECT or normalise(typed) in shorthands(table, table.in_play())
    if known or are_people(Token((Segment(typed, False),), 1), table) or _is_kept(typed, table):
        return
    try:
        bind_as_meant(lex_words(words, lambda _verb: False), Scope(table, lambda _moment: 1))
    except UnknownVerb as unknown:
        here = UnknownVerb(
            typed, [*reading_verbs(), "log", "help"], table=table, missing=games_missing(table)
        )
        raise UsageError(str(unknown if here.is_unlike else here)) from None


def _is_kept(typed: str, table: Table) -> bool:
    """True if a line may begin with the word as the name of a clock, or of what is counted here."""
    from retold.projections.views.amounts import kept_name

    return kept_name(table, typed) is not None


def _wants_text(words: Sequence[str], table: Table) -> bool:
    """True if the verb needs a text, or if the line is a declaration without words that name an act."""
    verb = words[0].removesuffix(":")
    if verb not in VERBS or normalise(verb) in shorthands(table, table.in_play()):
        return False
    command = commands_said(verb, table, table.in_play())[0]
    form = form_of(command)
    return form.needs_text or (
        issubclass(command, Declare) and (form.words - KEYWORDS).isdisjoint(words[1:-1])
    )


def _piped() -> str:
    """Returns the text on standard input, without its last line end; raises Refused if it is too long."""
    data = sys.stdin.buffer.read(MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise Refused(f"That text is longer than {MOST_TEXT // 2**20} MB: cut it up.")
    return data.decode("utf-8").removesuffix("\n").removesuffix("\r")


def _in_editor(scribe: Scribe, lexed: Lexed) -> Outcome:
    """Asks for the line's text in an editor, and carries the line out; keeps the draft if it is refused."""
    from retold.cli.campaigns.asking import write_in_editor

    scribe.check(lexed.with_text("…"))
    draft = write_in_editor(f"{lexed.verb.text}: the text above this line is kept.")
    try:
        outcome = scribe.carry_out(lexed.with_text(draft.text))
    except (Refused, StoreError) as refusal:
        raise Refused(f"{refusal} Your draft is {draft.path}.") from None
    draft.discard()
    return outcome


def print_outcome(scribe: Scribe, outcome: Outcome, options: Options) -> None:
    """Prints what a line led to: sentences, then recorded events, or those that `--check` would record.

    On standard error, it prints the positions of recorded events and how to undo them.
    """
    try:
        write_outcome(scribe, outcome, out=sys.stdout)
        sys.stdout.flush()
    finally:  # whatever becomes of the output, it is recorded
        if outcome.done is not None:
            sys.stderr.write(_receipt(scribe, outcome.done, options))


def _receipt(scribe: Scribe, done: RecordedAct, options: Options) -> str:
    """Returns sentences on the act's event positions and its undo.

    After a session's end also the branch's receipt, with which a later loss can be detected.
    """
    name = scribe.campaign.place.name
    where = scribe.campaign.lines()[scribe.line]
    numbers = span(done.first, done.last)
    told = f"Recorded {numbers} on {safe.line(where)} of {safe.line(name)}. {_back(done, options)}\n"
    if any(isinstance(event, SessionClosed) for event in done.events):
        head = scribe.campaign.record.head(scribe.line)
        told += f"Receipt {scribe.line}:{head.position}:{head.hash.hex()}\n"
    return told


def _back(done: RecordedAct, options: Options) -> str:
    """Returns a sentence with the shell command that undoes the act, or that no command can.

    After an undo, the command brings the act back.
    """
    if any(why_not_undoable(event.kind) for event in done.events):
        return "This cannot be undone."
    if any(isinstance(event, Undone) for event in done.events):
        return f"To bring it back: {_again(options)} redo"
    return f"To take it back: {_again(options)} undo"


def _again(options: Options) -> str:
    """Returns the beginning of a shell command for the same campaign and branch: `retold -c FILE`."""
    return safe.line(shell_line(_again_words(options)))


def _again_words(options: Options) -> list[str]:
    words = ["retold"]
    if options.campaign is not None:
        words += ["-c", options.campaign]
    if options.branch is not None:
        words += ["--branch", options.branch]
    return words


def _print_json(scribe: Scribe, outcome: Outcome) -> None:
    done = outcome.done
    write_json(
        {
            "retold": "act",
            "version": 1,
            "campaign": scribe.campaign.place.name,
            "branch": scribe.campaign.lines()[scribe.line],
            "first": done.first if done else None,
            "last": done.last if done else None,
            "events": events_as_json(done.events if done else outcome.would),
            "said": list(outcome.said),
        }
    )
