"""Runs one `retold` command line: loads the module of its verb; errors become sentences and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from retold.cli.invocation import (
    BEHIND_THE_VERB,
    DONE,
    FAILED,
    FLAGS,
    READING,
    USAGE,
    VALUES,
    Options,
    UsageError,
    take_option,
    take_options,
)
from retold.startup import report_interrupt


def dispatch(words: Sequence[str]) -> int:
    """Runs the command line `words` (without `retold`); returns its exit code.

    Prints errors as sentences; raises them only with --debug.
    """
    _forget_what_was_missing()
    try:
        code = _answer(words)
        sys.stdout.flush()
        _say_what_is_missing()
    except KeyboardInterrupt:
        return report_interrupt()
    except BrokenPipeError:
        from retold.cli.output.writing_files import close_stdout

        close_stdout()
        return DONE
    except Exception as error:
        if _debugging(words):
            raise
        code = _report_error(error)
        _say_what_is_missing(again=False)
    return code


def _forget_what_was_missing() -> None:
    """Clears the list of games that an earlier command of this process found not to be installed."""
    if games := sys.modules.get("retold.journal.games"):
        games.MISSING.clear()
    if packages := sys.modules.get("retold.journal.packages"):
        packages.NOTED.clear()


def _say_what_is_missing(*, again: bool = True) -> None:
    """Prints a sentence on standard error for each game in the record that cannot be used, or has failed.

    Then clears the list of these games. With `again` False, an error has said what is missing, and only the
    command that installs it follows.
    """
    games, packages = sys.modules.get("retold.journal.games"), sys.modules.get("retold.journal.packages")
    failed = () if packages is None else packages.guest_errors()
    if games is None or not (games.MISSING or failed):
        return
    from retold.cli.output.printing import write_fitted

    told = (*_missing(sorted(games.MISSING), again=again), *failed)
    games.MISSING.clear()
    write_fitted(dict.fromkeys(told), sys.stderr)


def _missing(names: Iterable[str], *, again: bool) -> Iterator[str]:
    """Yields a sentence about each game that cannot be used, with the command that installs it here."""
    from retold.journal.games import TROUBLES, why_missing
    from retold.journal.packages import how_to_install

    for name in names:
        if again or name not in TROUBLES:
            why = f"{why_missing(name)} " if again else ""
            here = f"Here: {how_to_install(f'retold-{name}')}"
            yield why.rstrip() if name in TROUBLES else f"{why}{here}"


def _debugging(words: Sequence[str]) -> bool:
    try:
        return bool(os.environ.get("RETOLD_DEBUG")) or parse(words)[0].debug
    except UsageError:
        return False


def _answer(words: Sequence[str]) -> int:
    if words in (["--version"], ["-V"]):
        from retold.cli import VERSION

        sys.stdout.write(f"retold {VERSION}\n")
        return DONE
    options, verb, rest = parse(words)
    if verb in ("", "help", "-h", "--help"):
        from retold.cli.verbs.help import help_

        return help_(rest, short=verb == "", json=options.json, campaign=options.campaign)
    if verb == "log":
        from retold.cli.verbs.log import log

        return log(options, rest)
    if verb in READING:
        from retold.cli.app import run_app

        return run_app(options, verb, rest)
    if set(rest) & {"-h", "--help"} and "=" not in rest and not any(word.endswith(":") for word in rest):
        from retold.cli.verbs.help import help_

        of_game = rest[rest.index("--game") :][:2] if "--game" in rest else []
        return help_([verb, *of_game], campaign=options.campaign)
    from retold.cli.verbs.record import record

    return record(options, [verb, *rest])


def parse(words: Sequence[str]) -> tuple[Options, str, list[str]]:
    """Returns the options that every verb has, the verb (empty without one), and the words after it.

    These options may stand anywhere before a text; flags of a table's line that stand before the verb are
    among the words after it. Raises UsageError for another option before the verb, or one without its value.
    """
    options = Options()
    left = list(words)
    behind: list[str] = []
    while left and left[0].startswith("-") and left[0] not in ("-h", "--help"):
        taken = take_option(options, left)
        if taken is not None:
            options = taken
        elif (name := left[0].partition("=")[0]) in BEHIND_THE_VERB:
            many = 1 if "=" in left[0] or not BEHIND_THE_VERB[name] else 2
            behind, left = [*behind, *left[:many]], left[many:]
        else:
            known = ", ".join((*VALUES, *FLAGS))
            raise UsageError(f"There is no option {left[0]} before a verb. There are: {known}.")
    verb, rest = left[0] if left else "", [*behind, *left[1:]]
    if verb and verb not in READING and not verb.endswith(":"):
        options, rest = take_options(options, rest, VALUES.keys() | FLAGS.keys())
    return options, verb, rest


def _report_error(error: Exception) -> int:
    """Prints an error as a sentence on standard error; returns exit code 2 for wrong usage, else 1."""
    from retold.cli.output.printing import write_fitted
    from retold.journal.guarding import fault_of
    from retold.journal.language.script_lines import Unplayable
    from retold.journal.language.tokens import Unreadable
    from retold.journal.refused import Refused
    from retold.journal.store.contract.errors import StoreError
    from retold.projections.texts import safe

    error = fault_of(error) or error
    if isinstance(error, UsageError) or (isinstance(error, Unreadable) and not isinstance(error, Unplayable)):
        write_fitted([str(error)], sys.stderr)
        return USAGE
    if isinstance(error, Refused | StoreError):
        write_fitted(error.sentences if isinstance(error, Refused) else [str(error)], sys.stderr)
        return FAILED
    if isinstance(error, UnicodeEncodeError):
        sys.stderr.write("A name given here is not UTF-8, so no file can be called so: write it in UTF-8.\n")
        return FAILED
    if isinstance(error, UnicodeError):
        sys.stderr.write("That text is not UTF-8, so it cannot be read: convert it first.\n")
        return FAILED
    if isinstance(error, OSError):
        _close_if_full()
        where = str(error.filename) if error.filename else "Reading or writing failed"
        sys.stderr.write(f"{safe.line(where)}: {(error.strerror or str(error)).lower()}.\n")
        return FAILED
    sys.stderr.write(
        f"Something went wrong that should not have ({type(error).__name__}: {safe.line(str(error))[:300]})."
        " Nothing half done was recorded. With --debug it says where.\n"
    )
    return FAILED


def _close_if_full() -> None:
    """Closes standard output if it takes no more data, so that Python does not report the error again."""
    try:
        sys.stdout.flush()
    except OSError:
        from retold.cli.output.writing_files import close_stdout

        close_stdout()
