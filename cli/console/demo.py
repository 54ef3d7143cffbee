"""The `demo` verb: records, replays, branches, compares and tells an evening in a temporary folder."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from retold.cli.dispatch import dispatch
from retold.cli.invocation import DONE
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_word


@contextmanager
def staged(name: str, keep: str | None = None) -> Iterator[Path]:
    """Context manager: works in a new folder with settings of its own, deleted afterwards; yields its path.

    `keep` names a new folder to keep; Refused if it exists.
    """
    folder = Path(keep) if keep else Path(tempfile.mkdtemp(prefix=f"retold-{name}-"))
    if keep:
        if folder.exists():
            raise Refused(f"{keep} is there already: name a new folder.")
        folder.mkdir(parents=True)
    back = Path.cwd()
    home = os.environ.get("RETOLD_HOME")
    campaign = os.environ.pop("RETOLD_CAMPAIGN", None)
    folder = folder.absolute()
    os.chdir(folder)
    os.environ["RETOLD_HOME"] = str(folder / "home")
    try:
        yield folder
    finally:
        os.chdir(back)
        _restore("RETOLD_HOME", home)
        _restore("RETOLD_CAMPAIGN", campaign)
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _restore(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


SCRIPT = Path(__file__).with_name("demo.session")

STEPS: tuple[tuple[str, str], ...] = (
    ("An evening is written down as it is played. Here a script types it; play does it at the table.", ""),
    ("run --new -q -c demo three-endings.session", ""),
    ("Everything is an event, and nothing is ever erased. The talk, just before it was lost:", ""),
    ("log ..the-empty-mug -n 7", ""),
    ("Where did we stand at that moment, and what could she do a moment earlier?", ""),
    ("show --at the-empty-mug", ""),
    ("show pool --at the-empty-mug", ""),
    ("can --at 30", ""),
    ("How did it go on, moment by moment, with what each one changed?", ""),
    ("replay the-empty-mug.. --state", ""),
    ("It did not have to. Two branches leave this line; nothing was copied, and nothing was lost.", ""),
    ("branches", ""),
    ("diff mainline the-chase", ""),
    ("diff the-chase the-fight --state", ""),
    ("Another way out, typed now: fork, play on, and think better of it.", ""),
    ("branch the-quiet-way the-empty-mug", ""),
    ("give Maren:", "Take her, then. But you will tell me where they keep her."),
    ("undo", ""),
    ("redo", ""),
    ("switch mainline", ""),
    ("Is everything told, and is the record unchanged?", ""),
    ("show untold", ""),
    ("verify --rules", ""),
    ("And this is the evening as it was played, to read.", ""),
    ("export --format text --mechanics none", ""),
)
"""What is said, and what is typed (with its text): a step whose first word is a verb is carried out."""

VERBS = frozenset(
    (
        *("run", "log", "show", "can", "replay", "branches", "diff", "verify", "export"),
        *("branch", "switch", "give", "undo", "redo"),
    )
)


def command(
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="FOLDER", help="Keep what it makes, in this new folder.")
    ] = None,
) -> int:
    """See it all in a minute: record, replay, branch, compare, tell.

    Examples: retold demo · retold demo --keep salt-road-demo
    """
    with staged("demo", keep) as folder:
        shutil.copyfile(SCRIPT, folder / "three-endings.session")
        for words, text in STEPS:
            verb = words.split()[0]
            if verb not in VERBS:
                _say(f"\n# {words}")
                continue
            _say(f"$ retold {words}{f' {shell_word(text)}' if text else ''}")
            sys.stdout.flush()
            code = dispatch([*shlex.split(words), *([text] if text else [])])
            sys.stdout.flush()
            if code != DONE:
                return code
        _say("\n# Your turn: retold new NAME, then retold play. The README has the table's first evening.")
    return DONE


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
