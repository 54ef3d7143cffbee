"""Verbs of the command line on the game master's page: answered by a process of their own, as in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import make_archive
from typing import Any, Final, NamedTuple

from retold import Campaign, Refused
from retold.cli.app import command_of
from retold.cli.campaigns.settings import SUFFIX, Settings
from retold.cli.invocation import DONE, READING, Options, shell_words
from retold.cli.verbs.help import help_in_play

WRITTEN: Final = "Written to "
"""How the sentence begins that names a file."""
SECONDS: Final = 120
"""How long an answer may take."""
HELPING: Final = ("help", "?")
ANSWERED: Final = frozenset(
    (
        *("branches", "can", "diff", "doctor", "draft", "export", "head", "proposals", "recap", "replay"),
        *("search", "show", "stats", "systems", "verify", "voices", "who"),
    )
)
"""Verbs that read this campaign, beside `log` and help; all others work with files, or begin a program."""
OF_FILES: Final = ("FILE", "FOLDER", "NEW", "VOICE NAME")
"""Placeholders of parameters that name a file."""
WITH_FILES: Final = {"draft": ("send", "take"), "voices": ("",)}
"""First words behind a verb that work with files; with "" any."""
AS_FOLDERS: Final = ("--site", "--vault")
"""Options of `export` that make a folder."""
FOLDER_OF_RETOLD: Final = Path(sys.modules["retold"].__file__ or "").parents[1]


class MadeFile(NamedTuple):
    """A file made by an export or a backup, and the sentence about whose copy it is."""

    name: str
    data: bytes
    said: str


def is_asked(line: str) -> bool:
    """True if a line begins with a verb of the command line, or asks for help."""
    return line.split(None, 1)[:1] != [] and line.split(None, 1)[0] in (READING | {"log", *HELPING})


def answered(campaign: Campaign, settings: Settings, line: str) -> str:
    """Returns the answer to a reading verb, as a shell prints it; `help` alone is the console's.

    Raises Refused for a verb or an option that works with files.
    """
    verb, *rest = shell_words(line)
    if verb in HELPING and not rest:
        with campaign.shared.lock:
            return help_in_play(campaign.shared.store.record)
    if verb in HELPING:
        return _run(campaign, settings, ["help", *rest])[0].decode("utf-8", "replace")
    _check(verb, rest)
    out, said = _run(campaign, settings, [verb, *rest])
    try:
        told = out.decode()
    except UnicodeDecodeError:
        raise Refused("That is no text: the form “Export” saves it as a file.") from None
    return told if told.strip() else said


def made(campaign: Campaign, settings: Settings, line: str) -> MadeFile:
    """Returns the file that an `export` line makes, or `backup`; Refused as in a shell.

    A folder (`--site NAME`, `--vault NAME`) is a ZIP file.
    """
    verb, *rest = shell_words(line) or [""]
    option = next((word for word in AS_FOLDERS if word in rest), None)
    if option is not None:
        at = rest.index(option)
        del rest[at : at + 2]
    if verb == "export":
        _check(verb, rest)
    elif (verb, rest) != ("backup", []):
        raise Refused("A file is made by export or backup.")
    with tempfile.TemporaryDirectory(prefix="retold-made-") as folder:
        stem = campaign.place.stem
        where = ["-o", folder] if verb == "export" else [str(Path(folder, f"{stem}{SUFFIX}"))]
        if option is not None:
            where = [option, str(Path(folder, f"{stem} {option.strip('-')}"))]
        _, said = _run(campaign, settings, [verb, *rest, *where])
        found = sorted(Path(folder).iterdir())
        path = found[0] if option is None else Path(make_archive(where[1], "zip", where[1]))
        name = path.name if path.name.startswith(stem) else f"{stem} {path.name}"
        return MadeFile(name, path.read_bytes(), said)


def _check(verb: str, rest: list[str]) -> None:
    """Raises Refused for a verb or a parameter that works with files of the computer."""
    of_files = verb not in ANSWERED | {"log"} or any(word.startswith(("-c", "--campaign")) for word in rest)
    if verb in ANSWERED:
        of_files = of_files or bool({rest[0], ""} & {*WITH_FILES.get(verb, ())} if rest else ())
        try:
            context = command_of(verb).make_context(verb, list(rest), obj=Options())
        except Exception:  # noqa: BLE001 -- the process says what is wrong
            return
        of_files = of_files or _names_a_file(context.command.params, context.params)
    if of_files:
        raise Refused(
            f"{verb} works with files of the computer here, which a page cannot name: say it in a terminal."
            " Export saves files from here."
        )


def _names_a_file(parameters: Iterable[Any], given: Mapping[str, Any]) -> bool:
    """True if a parameter that names a file is given, or a voice that is one, or the clipboard."""
    return any(
        given.get(one.name)
        and (one.metavar in OF_FILES or "--copy" in one.opts or Path(str(given[one.name])).suffix == ".toml")
        for one in parameters
    )


def _run(campaign: Campaign, settings: Settings, words: list[str]) -> tuple[bytes, str]:
    """Runs a command line about the campaign; returns what it prints, and what it says beside that.

    Raises Refused with its sentence if it fails.
    """
    home = {} if settings.home is None else {"RETOLD_HOME": str(settings.home)}
    started = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "retold"]
    line = ["-c", str(campaign.place), "--branch", campaign.line_name]
    try:
        done = subprocess.run(  # noqa: S603 -- Retold itself, with words that were checked
            [*started, *line, *words],
            cwd=FOLDER_OF_RETOLD,
            env={**os.environ, **home, "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired:
        raise Refused("The answer took too long: ask for less, such as one session.") from None
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    said = "\n".join(line for line in lines if not line.startswith(WRITTEN))
    if done.returncode != DONE and not done.stdout:
        raise Refused(said)
    return done.stdout, said
