"""Questions to the user at the terminal: yes or no, results of real dice, a text in the editor.

Also makes the scribe, which records typed lines and asks these questions.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from retold.cli.campaigns import inbox
from retold.cli.campaigns.opening import attach_caches, index_of, line_meant, warn_of_missed
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import Options
from retold.cli.output.printing import fitted, write_fitted
from retold.cli.output.writing_files import replaced
from retold.journal import line as line_
from retold.journal.decks.chance import FirstDealer, Luck, MoreWanted, TooFew
from retold.journal.file_reading import read_regular_file
from retold.journal.language.binding import Bound, bind
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meant import as_meant
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_line, split_command
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.writing.campaign import CampaignStore
from retold.outcome import Forgotten
from retold.projections.texts import safe
from retold.scribe import Scribe
from retold.write_context import Ask, Consult

if TYPE_CHECKING:
    from retold.campaign import Campaign


def remove_from_history(path: Path, texts: Iterable[str], names: Iterable[str]) -> int:
    """Deletes entries of the console's history file that contain a text or name; returns how many.

    An entry matches a name even if it has only one capitalised word of it. Raises OSError if the file cannot
    be read or rewritten.
    """
    from retold.journal.store.writing.redact import contains_phrase

    try:
        before = path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return 0
    sought = {*texts, *(part for name in names for part in name.split() if not part.islower())}
    entries = list(_history_entries(before))
    kept = [
        entry for entry in entries if not any(contains_phrase(_entry_text(entry), text) for text in sought)
    ]
    if len(kept) < len(entries):
        left = (entry.encode("utf-8", "surrogateescape") for entry in kept)
        replaced(path, left, 0o600, lasting=True)  # a power cut must not bring back what was redacted
    return len(entries) - len(kept)


def _history_entries(history: str) -> Iterator[str]:
    """Yields the entries of a history file: a text line with the time, then those beginning with `+`."""
    entry: list[str] = []
    for line in re.findall(r"[^\n]*\n|[^\n]+", history):
        if entry and entry[-1].startswith("+") and not line.startswith("+"):
            yield "".join(entry)
            entry = []
        entry.append(line)
    if entry:
        yield "".join(entry)


def _entry_text(entry: str) -> str:
    return "\n".join(line[1:] for line in entry.split("\n") if line.startswith("+"))


LARGEST_FILE: Final = 1_000_000
"""Bytes of a game's file that a line may name."""
LARGEST_PICTURE: Final = 32_000_000
"""Bytes of any other file that a line may name."""


def asker(options: Options, hear_line: Callable[[str], None] | None = None) -> Ask:
    """Returns a function that asks a yes/no question at the terminal and returns True for yes.

    With --yes it always returns True, and prints the question's text lines except the last. Without --yes and
    without a terminal it raises Refused; the sentence says to add --yes. A line of several words in place of
    an answer means no, and is given to `hear_line`; without that function the question is asked again.
    """

    def ask(question: str) -> bool:
        *about, asked = question.splitlines()
        write_fitted(about, sys.stderr)
        if options.yes:
            return True
        if not sys.stdin.isatty():
            raise Refused(f"{asked} Nothing is changed yet: add --yes to go on.")
        while True:
            sys.stderr.write("\n".join(fitted([f"{safe.line(asked)} [y/N]"], sys.stderr)) + " ")
            sys.stderr.flush()
            line = sys.stdin.readline().strip()
            typed = line.casefold()
            if typed in ("", "n", "no", "y", "yes"):
                return typed[:1] == "y"
            if hear_line is not None and " " in line:
                hear_line(line)
                return False
            asked = "Answer y or n first, then type that line again."

    return ask


def consulter(options: Options) -> Consult:
    """Returns a function that prints a question and returns the text line typed as its answer.

    That function returns None, and prints nothing, with --yes or without a terminal.
    """

    def consult(question: str) -> str | None:
        if options.yes or not sys.stdin.isatty():
            return None
        *about, asked = question.splitlines()
        write_fitted(about, sys.stderr)
        sys.stderr.write(f"{safe.line(asked)} ")
        sys.stderr.flush()
        return sys.stdin.readline()

    return consult


def can_be_asked(options: Options) -> bool:
    """True if questions get an answer: with --yes, or at a terminal."""
    return options.yes or sys.stdin.isatty()


def scribe_for(options: Options, campaign: CampaignStore, settings: Settings) -> Scribe:
    """Returns a scribe that records typed lines on the user's branch and asks the user at the terminal.

    A switch to another branch is stored in the user's settings.
    """
    return Scribe(
        campaign,
        line_meant(campaign, settings, options),
        today=campaign.clock.today(),
        ask=asker(options),
        consult=consulter(options),
        attended=can_be_asked(options),
        chose=partial(settings.choose_line, campaign.id),
        read_file=read_file,
        forget=partial(forget_redacted, settings, place=campaign.place),
    )


def read_file(name: str, folder: Path | None = None) -> bytes:
    """Returns the bytes of a file named in a typed line; Refused if it is unreadable or too large.

    A relative path begins in `folder`, or in the current folder.
    """
    most = LARGEST_FILE if name.endswith(".toml") else LARGEST_PICTURE
    try:
        path = Path(name).expanduser()
        data = read_regular_file(path if folder is None else folder / path, most + 1)
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: `~` without a known home
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(f"{safe.line(name)} cannot be read: {why}.") from None
    if len(data) > most:
        raise Refused(f"{safe.line(name)} is larger than {most:,} bytes: that is no file for a line.")
    return data


def open_for_program(place: Place, settings: Settings, *, read_only: bool = False) -> Campaign:
    """Returns a campaign for a Python program, opened on the user's branch with their seed and caches.

    Unless `read_only`, warns on standard error of events that this computer recorded and the file lacks.
    """
    from threading import RLock

    from retold.campaign import Campaign
    from retold.reading import SharedCampaign

    store = CampaignStore.open(place, read_only=read_only)
    seen = attach_caches(store, settings)
    if not read_only and store.place.file is not None:  # of a server, the node itself looks, and tells others
        warn_of_missed(seen)
    line = line_meant(store, settings, Options())
    scribe = Scribe(store, line, today=store.clock.today())
    scribe.chose = partial(settings.choose_line, store.id)
    scribe.forget = partial(forget_redacted, settings, place=store.place)
    return Campaign(SharedCampaign(store, index_of(store, settings), RLock()), line, None, scribe=scribe)


def forget_redacted(
    settings: Settings, texts: Iterable[str], names: Iterable[str], *, place: Address | None = None
) -> Forgotten:
    """Deletes redacted texts and names from the console's history, the inbox and the service's links.

    Also on the server of the campaign at `place`, if it is on one. Returns a `Forgotten` with the number of
    history entries deleted, or with the history file's path if a file could not be changed.
    """
    from retold.cli.campaigns import links
    from retold.journal.store.writing.redact import contains_phrase

    texts, names = tuple(texts), tuple(names)

    def is_gone(called: str) -> bool:
        return any(contains_phrase(called, one) for one in (*texts, *names))

    try:
        inbox.forget(settings.state, texts, names)
        links.forget(settings.state, is_gone)
        if place is not None and place.file is None:
            inbox.Inbox.at(place, settings.state, "").forget(texts, names)
            links.Links.at(place, settings.state, "").take_name(is_gone)
        return Forgotten(remove_from_history(settings.history(), texts, names))
    except (OSError, StoreError):
        return Forgotten(left=(settings.history(),))


TABLE_WORD = "table"
"""The word that says where cards and dice come from; no verb, so that no record holds it."""

REAL, DEALT = "real", "dealt"


@dataclass(slots=True)
class RealDecks:
    """Setting of one campaign: results come from real cards and dice (`table real`), or Retold deals."""

    campaign: str
    real: bool = field(init=False)

    def __post_init__(self) -> None:
        self.real = Settings.of_user().has_real_decks(self.campaign)

    def choose(self, line: str) -> str:
        """Stores the choice typed as `table real` or `table dealt`; returns a sentence on what now holds.

        `table` alone changes nothing. Raises Refused for any other word.
        """
        match line.split()[1:]:
            case [word] if word in (REAL, DEALT):
                self.real = word == REAL
                Settings.of_user().keep_real_decks(self.campaign, real=self.real)
            case []:
                pass
            case _:
                raise Refused("Say where cards and dice come from: table real or table dealt.")
        if self.real:
            return (
                "The cards and dice are real: a line asks what came up; Enter alone deals. Else: table dealt"
            )
        return "Retold deals where a line does not say what came up. With real cards and dice: table real"

    def asked(self, lexed: Lexed, scribe: Scribe) -> Lexed:
        """Returns the typed line with its results: under `table real` the user is asked for missing ones.

        If the user presses Enter instead, the results stay missing, and Retold deals them. Returns the line
        unchanged if it draws nothing or already gives results. Raises Refused without a terminal to ask at,
        so that nothing is dealt while real dice are used.
        """
        if not self.real:
            return lexed
        meant = as_meant(lexed, scribe.scope)
        bound = _bound_without_results(meant, scribe)
        wanted = 0 if bound is None else _count_wanted(bound, scribe)
        if bound is None or not wanted:
            return lexed
        many = "" if wanted == 1 else f" ({wanted})"
        if not scribe.attended:
            said = bound.command.example
            example = f", such as: {said}" if " = " in said else ""
            raise Refused(
                f"The cards and dice are real here (table real): say what came up{many} after ={example}."
                " To have it dealt, add --yes."
            )
        lexed, answer = _with_answer(meant, scribe, f"What came up{many}? Enter deals it.")
        while answer and (question := _still_wanted(lexed, scribe)) is not None:
            lexed, answer = _with_answer(lexed, scribe, question)
        return lexed


def _with_answer(lexed: Lexed, scribe: Scribe, question: str) -> tuple[Lexed, str]:
    """Asks the user for results; returns the line with these results added, and the answer as typed."""
    answer = (scribe.consult(question) or "").strip().removeprefix("=").strip()
    if not answer:
        return lexed, answer
    further = lex(f"x = {answer}").results or ()
    return replace(lexed, results=(*(lexed.results or ()), *further)), answer


def _still_wanted(lexed: Lexed, scribe: Scribe) -> str | None:
    """Returns a question about further cards or dice that the results typed so far require; None if complete.

    Example: a roll that is rolled again on a six.
    """
    try:
        bound = bind(lexed, scribe.scope)
        luck = Luck(FirstDealer(), getattr(bound.command, "results", None))
        line_.decide(scribe.table, bound.command, luck, visible_to=bound.manner.visible_to)
    except MoreWanted as wanted:
        return f"{wanted.why} What came up there?"
    except TooFew as few:
        return f"{few.sentence} What came up there?"
    except Refused:  # the recorded line will be refused with the reason
        pass
    return None


def _bound_without_results(lexed: Lexed, scribe: Scribe) -> Bound | None:
    """Returns the line, its names resolved to ids, if it draws cards or dice and gives no results.

    Else None; also if it is only checked (`--check`), gives `--provenance`, or is refused.
    """
    if lexed.results is not None or {"check", "provenance"} & set(lexed.flags):
        return None
    try:
        bound = bind(lexed, scribe.scope)
    except Refused:  # the recorded line will be refused with the reason
        return None
    draws = not bound.command.manages and "results" in bound.command.__struct_fields__
    return bound if draws else None


def _count_wanted(bound: Bound, scribe: Scribe) -> int:
    """Returns the smallest number of cards and dice the line would draw; 0 if the rules refuse it."""
    luck = Luck(FirstDealer())
    try:
        line_.decide(scribe.table, bound.command, luck, visible_to=bound.manner.visible_to)
    except Refused:  # the recorded line will be refused with the reason
        return 0
    return len(luck.taken)


DRAFT_MARK = "# ---- "


class Draft(Struct, frozen=True):
    """A text written in the user's editor, and the temporary file that keeps it until it is recorded."""

    text: str
    path: Path

    def discard(self) -> None:
        """Deletes the draft's temporary file."""
        self.path.unlink(missing_ok=True)


def write_in_editor(about: str) -> Draft:
    """Opens the user's editor with the hint `about` below the text; returns the text written as a draft.

    Raises Refused without a terminal, if nothing was written, or if the editor failed; in the last case the
    file is kept, and the sentence names it.
    """
    import subprocess

    if not sys.stdin.isatty():
        raise Refused("This wants a text after the colon, or - to read it from standard input.")
    editor = _editor()
    path = _begun(f"\n{DRAFT_MARK}{about}\n")
    try:
        subprocess.run([*editor, str(path)], check=True)  # noqa: S603 -- the user's own editor
        written = path.read_text("utf-8-sig")  # an old Notepad begins a file with a mark
    except (OSError, subprocess.CalledProcessError):
        raise Refused(
            f"The editor ({shell_line(editor)}) failed; nothing was recorded. Your draft is {path}."
        ) from None
    except UnicodeDecodeError:
        raise Refused(f"What was written is not UTF-8; nothing was recorded. Your draft is {path}.") from None
    draft = Draft(written.partition(f"\n{DRAFT_MARK}")[0].strip("\n"), path)
    if not draft.text.strip():
        draft.discard()
        raise Refused("Nothing was written, so nothing is recorded.")
    return draft


def _begun(content: str) -> Path:
    """Creates a temporary text file with this content, readable by its owner only; returns its path."""
    import tempfile

    with tempfile.NamedTemporaryFile(
        "w", suffix=".txt", prefix="retold-", delete=False, encoding="utf-8"
    ) as file:
        file.write(content)
    return Path(file.name)


def _editor() -> list[str]:
    import shutil

    for name in ("RETOLD_EDITOR", "VISUAL", "EDITOR"):
        if typed := os.environ.get(name, "").strip():
            try:
                return split_command(typed)
            except ValueError:
                raise Refused(f"{name} is not written as a command: {typed}.") from None
    for program in ("nano", "vi", "notepad"):
        if shutil.which(program):
            return [program]
    raise Refused("No editor was found: set EDITOR, or give the text after the colon.")
