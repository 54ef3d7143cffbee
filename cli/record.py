"""A verb of the table, said at the shell: recorded at once, or refused in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cli.dispatch import DONE, Options, UsageError
from cli.editor import write_text
from cli.language.lexing import Lexed, lex_words
from cli.language.verbs import EXPECT, VERBS, command_said, form_of
from cli.opening import line_meant, opened
from cli.scribe import Ask, Outcome, Scribe
from cli.telling import events_as_json, say_json, tell
from journal.names import Unknown
from journal.refused import Refused
from journal.store.campaign import MOST_TEXT


def record(options: Options, words: Sequence[str]) -> int:
    """Carries out one line given as the shell's words."""
    if words[0] not in VERBS and words[0] not in EXPECT:
        raise UsageError(_unknown(words[0]))
    lexed = _with_text(lex_words(words, _needs_text))
    with opened(options, read_only=False) as (campaign, settings):
        line = line_meant(campaign, settings, options)
        scribe = Scribe(campaign, settings, line, today=_today(), ask=_asker(options))
        outcome = scribe.carry_out(lexed)
        if options.json:
            _print_json(scribe, outcome)
        else:
            _print(scribe, outcome)
    return DONE


def _unknown(word: str) -> str:
    from cli.dispatch import READING
    from journal.names import nearest

    close = nearest(word, [*VERBS, *EXPECT, *READING, "log", "help"])
    hint = f" Did you mean {' or '.join(close)}?" if close else " All of them: retold help."
    return f"There is no verb {word}.{hint}"


def _needs_text(verb: str) -> bool:
    try:
        return form_of(command_said(verb)).needs_text
    except Unknown:
        return False


def _with_text(lexed: Lexed) -> Lexed:
    """The line with its text from standard input (-), or from the editor where it was left out."""
    if lexed.text == "-":
        data = sys.stdin.buffer.read(MOST_TEXT + 1)
        if len(data) > MOST_TEXT:
            raise Refused(f"That text is longer than {MOST_TEXT // 2**20} MB: cut it in parts.")
        return lexed.with_text(data.decode("utf-8").rstrip("\n"))
    if lexed.text == "" and _needs_text(lexed.verb.text):
        return lexed.with_text(write_text(f"{lexed.verb.text}: the text above this line is kept."))
    return lexed


def _today() -> str:
    from datetime import datetime

    return datetime.now().astimezone().date().isoformat()


def _asker(options: Options) -> Ask:
    def ask(question: str) -> bool:
        if options.yes:
            return True
        if not sys.stdin.isatty():
            raise Refused(f"{question} Say --yes before the verb to go on.")
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().casefold() in ("y", "yes")

    return ask


def _print(scribe: Scribe, outcome: Outcome) -> None:
    tell(scribe, outcome, out=sys.stdout)
    if outcome.done is not None:
        name = scribe.campaign.file.path.name
        where = scribe.campaign.lines()[scribe.line]
        first, last = outcome.done.first, outcome.done.last
        span = f"{first}" if first == last else f"{first}–{last}"
        sys.stderr.write(f"Recorded {span} on {where} of {name}. To take it back: retold undo\n")


def _print_json(scribe: Scribe, outcome: Outcome) -> None:
    done = outcome.done
    say_json(
        {
            "retold": "act",
            "version": 1,
            "campaign": scribe.campaign.file.path.name,
            "branch": scribe.campaign.lines()[scribe.line],
            "first": done.first if done else None,
            "last": done.last if done else None,
            "events": events_as_json(done.events if done else outcome.would),
            "said": list(outcome.said),
        }
    )
