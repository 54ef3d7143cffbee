"""`help`: how to find one's way, verb by verb."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from cli.dispatch import DONE, READING, UsageError

SHORT = """Retold keeps what happens at your table, and tells it again.

  retold new salt-road            begin a campaign (one file)
  retold play                     write it down as you play
  retold show                     where do we stand?
  retold export                   last evening, as prose

All verbs: retold help    One of them: retold help draw    Try it: retold demo
"""

SUMMARIES: Mapping[str, str] = {
    "new": "Begin a campaign: one file that holds everything.",
    "play": "Write down the evening at a console, with completion and a status line.",
    "run": "Play a session script; it stops at the first line that is refused.",
    "show": "Show where the table stands: a summary, or one view, at any moment.",
    "log": "Show what was recorded, event by event, in notation.",
    "replay": "Go through the line again, moment by moment, with the state beside it.",
    "export": "Tell a session as prose: Markdown, HTML, text or JSON.",
    "diff": "Compare two lines: what differs in state, then in story.",
    "branches": "List the lines of the campaign: name, where it leaves its parent, where it ends.",
    "systems": "List the systems that can be played, or one with its verbs, options and sheet.",
    "verify": "Check the record: the file, the chain, the words, the rules, the luck.",
    "dump": "Write the whole record as text, or one line as a script that plays it again.",
    "load": "Make a campaign from a dump, identical to the last hash.",
    "backup": "Copy the campaign whole, also in the middle of a session.",
    "demo": "See it all in a minute: record, replay, branch, compare, tell.",
    "completion": "Print the completion script for your shell.",
}
"""The verbs beside the table's, most used first; a test holds each to its module's own first sentence."""

EXIT_CODES = """Exit codes

  0    done
  1    refused or failed: the sentence on standard error says what, where and what to do
  2    the command line itself was not right
  130  interrupted (Ctrl-C); everything acknowledged is recorded
"""

MOMENTS = """Moments, wherever one is asked for (--at, A..B)

  412          the event at position 412      @          now
  s3           where session 3 begins         @-3        three acts back (~3 in the console)
  s3:42        its 42nd event                 the-stair  a mark's name
  kinder@412   position 412 of a branch       a..b       from one to another
"""


def help_(words: Sequence[str], *, short: bool = False) -> int:
    """Prints help on a verb, a topic, or everything; returns the exit code."""
    topic = words[0] if words else ""
    if short:
        sys.stdout.write(SHORT)
    elif topic in ("", "-h", "--help"):
        sys.stdout.write(_everything())
    elif topic == "exit-codes":
        sys.stdout.write(EXIT_CODES)
    elif topic == "moments":
        sys.stdout.write(MOMENTS)
    elif topic == "log":
        from cli.log import HELP

        sys.stdout.write(HELP)
    elif topic in READING:
        from cli.app import run_app
        from cli.dispatch import Options

        return run_app(Options(), topic, ["--help"])
    else:
        sys.stdout.write(_of_table_verb(topic))
    return DONE


def _of_table_verb(typed: str) -> str:
    from cli.language.verbs import EXPECT, VERBS, form_of
    from journal.names import nearest
    from journal.systems import SYSTEMS

    if typed in EXPECT:
        return (
            "expect [not] SUBJECT [NAME] VALUE…   (short: x)\n\n"
            "Check something and record nothing; a script stops where it does not hold.\n"
            "expect refused LINE holds if that line would be refused now.\n\n"
            "Example: expect quality Zel J\nWhat can be asked: retold systems NAME\n"
        )
    if typed not in VERBS:
        close = nearest(typed, [*VERBS, *READING, "log", "moments", "exit-codes"])
        raise UsageError(f"There is no verb {typed}." + (f" Did you mean {' or '.join(close)}?" if close else ""))
    command = VERBS[typed]
    short = f"   (short: {', '.join(command.short)})" if command.short else ""
    lines = [f"{command.verb} {form_of(command)}{short}", "", *(command.__doc__ or "").splitlines(), ""]
    homes = [system.title for system in SYSTEMS.values() if command in system.commands]
    if homes:
        lines.append(f"A verb of {' and '.join(homes)}.")
    lines += [f"Example: {command.example}", "", "Every verb also takes --in CONFLICT, --by NAME, --check;"]
    lines += ["some --gm or --to NAMES (who may see it) and --at MOMENT (words for a moment past)."]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _everything() -> str:
    from journal.store.kinds import COMMANDS
    from journal.systems import SYSTEMS
    from journal.vocabulary.commands import LINE_VERBS

    lines = ["retold [-c FILE] [--branch NAME] [--json] VERB …", ""]
    lines += ["Campaigns and telling", *_columns(SUMMARIES), ""]
    lines += ["At the table (at the shell, in play, in scripts)"]
    own = {command: system.title for system in SYSTEMS.values() for command in system.commands}
    shared = [command for command in COMMANDS.values() if command not in own and command not in LINE_VERBS]
    lines += _columns({command.verb: _first(command.__doc__) for command in shared})
    lines += ["", "About the line itself"]
    lines += _columns({command.verb: _first(command.__doc__) for command in LINE_VERBS})
    for system in SYSTEMS.values():
        lines += ["", system.title]
        lines += _columns({command.verb: _first(command.__doc__) for command in system.commands})
    lines += ["", "More: retold help VERB, retold help moments, retold help exit-codes, docs/language.md"]
    return "\n".join(lines) + "\n"


def _first(text: str | None) -> str:
    return (text or "").splitlines()[0] if text else ""


def _columns(rows: Mapping[str, str]) -> list[str]:
    import textwrap

    lines = []
    for name, about in rows.items():
        first, *more = textwrap.wrap(about, 64) or [""]
        lines.append(f"  {name:<13} {first}")
        lines += [f"  {'':<13} {line}" for line in more]
    return lines
