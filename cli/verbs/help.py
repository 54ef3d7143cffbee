"""The `help` verb: prints help on verbs, topics and games."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from retold.cli.help.games import games_here
from retold.cli.help.screens import EXPECT_HELP, everything, first_screen, in_play
from retold.cli.invocation import DONE, READING, UsageError, is_available, reading_verbs
from retold.cli.output.printing import columns, wrapped
from retold.journal.shell_verbs import GROUPS

if TYPE_CHECKING:
    from retold.journal.store.events.record import Record
    from retold.journal.vocabulary.base import Command

T = TypeVar("T")


def show_paged(text: str) -> None:
    """Prints a text; on a terminal, a text longer than the screen goes through the pager, such as less."""
    if not sys.stdout.isatty() or text.count("\n") < shutil.get_terminal_size().lines:
        sys.stdout.write(text)
        return
    import pydoc

    # Only colours are passed through raw; what fits one screen ends by itself, and stays there to be read.
    os.environ.setdefault("LESS", "-RFX")
    pydoc.pager(text)


def show_markdown(markdown: str) -> None:
    """Prints a Markdown page; on a terminal it is laid out, and goes through the pager if long."""
    if not sys.stdout.isatty():
        sys.stdout.write(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=min(shutil.get_terminal_size().columns, MOST_COLUMNS))
    with console.capture() as laid_out:
        console.print(Markdown(markdown))
    show_paged(laid_out.get())


MOST_COLUMNS = 100
"""A longer line is hard to read."""


SHORT = """Retold keeps what happens at your table, and tells it again.

  retold new salt-road            begin a campaign (one file)
  retold play                     write it down as you play
  retold show                     where do we stand?
  retold export                   last evening, as prose
  retold import chat.json         bring in a log kept elsewhere

The verbs that come first: retold help    Try it: retold demo
"""

EXIT_CODES = """Exit codes

  0    done
  1    refused or failed: standard error says what, where and what to do
  2    the command line itself was not right
  130  interrupted (Ctrl-C); everything acknowledged is recorded
"""

MOMENTS = """Moments, wherever one is asked for (--at, A..B)

  412          the event at position 412      @          now
  s3           where session 3 begins         @-3        three acts back (or ~3)
  s3:42        its 42nd event                 the-stair  a mark's name
  kinder@412   position 412 of a branch       a..b       from one to another
  e412         412 as views and pages print it; e3-51 is 51 of line 3, a branch
"""


def help_(
    words: Sequence[str], *, short: bool = False, json: bool = False, campaign: str | None = None
) -> int:
    """Prints help on a verb, topic, game or any other word (`words`), or one screen; returns the exit code.

    `--game NAME`, or the games that the campaign plays, decide which games' variants of a verb are shown.
    """
    words, game = _game_named(words)
    topic = words[0] if words else ""
    if short:
        sys.stdout.writelines(_available(SHORT))
    elif topic in TOPICS:
        show_paged(TOPICS[topic]())
    elif topic in ("", "-h", "--help"):
        show_paged(first_screen(_asked(campaign, games_here)))
    elif topic == "log":
        from retold.cli.verbs.log import HELP

        sys.stdout.write(HELP)
    elif topic in READING:
        from retold.cli.app import run_app
        from retold.cli.invocation import Options

        return run_app(Options(), topic, ["--help"])
    elif _is_of_the_table(topic):
        sys.stdout.write(_of_table_verb(topic, {game} if game else _games_played(campaign)))
    else:
        _paper(" ".join(words), json=json, campaign=campaign)
    return DONE


def _available(text: str) -> Iterator[str]:
    """Yields the lines of a text without those about a verb of a feature that is not installed."""
    for line in text.splitlines(keepends=True):
        words = line.split()
        if words[:1] != ["retold"] or is_available(words[1]):
            yield line


def _is_of_the_table(typed: str) -> bool:
    from retold.journal.language.verbs import EXPECT, VERBS

    return typed in VERBS or typed in EXPECT


def _paper(typed: str, *, json: bool, campaign: str | None) -> None:
    """Prints the help page of the language or of a game, or what a word has to do with.

    Raises UsageError for a word that has to do with nothing.
    """
    from retold.cli.help import pages as help_pages
    from retold.cli.output.printing import write_json

    name = help_pages.topic(typed)
    page = _page(typed, campaign) if name is None else None
    if name is None and page is None:
        _look_up(typed, campaign)
        return
    text = help_pages.page(name or "") if page is None else page
    if json:
        write_json({"retold": "help", "version": 1, "topic": name or typed, "markdown": text})
    else:
        show_markdown(text)


def _look_up(typed: str, campaign: str | None) -> None:
    """Prints what a word has to do with; raises UsageError if that is nothing."""
    from retold.cli.help import pages as help_pages
    from retold.cli.help import topics as help_topics
    from retold.journal.language.meaning.answers import verb_meant
    from retold.journal.language.verbs import guest_verbs
    from retold.journal.names import CLOSE, nearest
    from retold.journal.offered_verbs import offered_verbs

    games = _games_played(campaign)
    meant = verb_meant(typed)
    if meant is not None and not help_topics.topics_on(typed, games):
        sys.stdout.write(f"{typed} is {meant} here.\n\n{_of_table_verb(meant, games)}")
        return
    found = help_topics.look_up(typed, games)
    if found is not None:
        show_paged(found if meant is None else f"{found}\nAs a verb: {meant}. More: help {meant}\n")
        return
    verbs = (*offered_verbs(games, guest_verbs), *reading_verbs(), "log", *TOPICS, *help_pages.topics())
    close = nearest(typed, verbs, at_least=CLOSE) or help_topics.close_to(typed, games)
    hint = f"Did you mean {' or '.join(close)}?" if close else "All verbs: retold help all."
    raise UsageError(f"There is no help on {typed}. {hint}")


def _page(typed: str, campaign: str | None) -> str | None:
    """Returns the page of a game defined in a file, from the campaign or bundled; else None."""
    from retold.cli.help import pages as help_pages

    here = _asked(campaign, lambda record: {typed: help_pages.in_a_file(typed, record)})
    return here.get(typed) or help_pages.in_a_file(typed, None)


def _asked(campaign: str | None, ask: Callable[[Record], dict[str, T]]) -> dict[str, T]:
    """Returns what `ask` finds in a campaign's record; an empty mapping if there is no campaign to read."""
    from contextlib import closing, suppress

    from retold.cli.campaigns.settings import Settings
    from retold.journal.refused import Refused
    from retold.journal.store import places
    from retold.journal.store.contract.errors import StoreError
    from retold.journal.store.events.record import Record

    with (
        suppress(Refused, StoreError),
        closing(places.opened(Settings.of_user().campaign(campaign), read_only=True)) as store,
    ):
        return ask(Record(store))
    return {}


def _game_named(words: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """Returns the words without `--game NAME`, and NAME (else None); UsageError for an unknown game."""
    if "--game" not in words:
        return words, None
    from retold.journal.names import nearest
    from retold.journal.systems import SYSTEMS

    place = words.index("--game")
    game = "".join(words[place + 1 : place + 2])
    if game not in SYSTEMS:
        close = nearest(game, SYSTEMS) or SYSTEMS
        raise UsageError(f"There is no game {game}. There are: {', '.join(close)}.")
    return [*words[:place], *words[place + 2 :]], game


def _games_played(campaign: str | None) -> set[str]:
    """Returns the names of the games that the campaign plays; an empty set without a campaign."""
    return {*_asked(campaign, games_here)}


def _of_table_verb(typed: str, games: Collection[str]) -> str:
    from retold.journal.language.verbs import EXPECT

    if typed in EXPECT:
        return EXPECT_HELP
    first, *others = _said(typed, games)
    summary, *more = (first.__doc__ or "").split("\n")
    lines = [*wrapped(summary), "", *_examples(first), "", *_heading(first, also_shared=len(games) == 1)]
    for text in (" ".join(more), *_home(first)):
        lines += ["", *wrapped(text)] if text.strip() else []
    for other in others:
        lines += ["", *_in_its_game(other)]
    lines += ["", *columns(_flags([first, *others]), 20)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _examples(command: type[Command]) -> list[str]:
    return [f"  {example}" for example in (command.example, *command.more_examples)]


def _said(word: str, games: Collection[str]) -> list[type[Command]]:
    """Returns the commands that a verb means: the shared one, then each game's own.

    Only those of `games`, if they have the verb; of a single game only its own, if it has one. Games whose
    verb differs in form have a command of their own.
    """
    from retold.journal.language.verbs import games_with_verb
    from retold.journal.systems import SYSTEMS
    from retold.journal.vocabulary.commands import LINE_VERBS, SHARED

    before, _, word = word.rpartition(".")
    games = {before} if before else games
    own = [system.says[word] for name, system in SYSTEMS.items() if name in games and word in system.says]
    if own and len(games) == 1:
        return own
    shared = [command for command in (*SHARED, *LINE_VERBS) if word in (command.verb, *command.short)]
    if own or (games and shared):
        return [*shared, *own]
    return [*shared, *(system.says[word] for system in games_with_verb(word))]


def _heading(command: type[Command], *, also_shared: bool) -> list[str]:
    """Returns text lines with the verb and its form (grammar), such as `draw NAME TRAITS`.

    `also_shared` adds the shared form that a game's variant of the verb extends.
    """
    from retold.journal.language.verbs import own_form
    from retold.journal.vocabulary.commands import extended

    short = f"   (short: {', '.join(command.short)})" if command.short else ""
    shared = extended(command) if also_shared else None
    more = [] if shared is None else wrapped(f"{shared.verb} {own_form(shared)}", indent=4)
    return [*wrapped(f"{command.verb} {own_form(command)}{short}", indent=4), *more]


def _home(command: type[Command]) -> list[str]:
    """Returns a sentence, as a list of one, on the game that brings the verb; empty for a shared verb."""
    from retold.journal.language.verbs import game_of
    from retold.journal.vocabulary.commands import extended

    game = game_of(command)
    if game is None:
        return []
    return [f"A verb of {game.title}." if extended(command) is None else f"In {game.title}."]


def _in_its_game(command: type[Command]) -> Iterator[str]:
    """Yields text lines on a verb's variant in one game, under the game's title."""
    from retold.journal.language.verbs import game_of, own_form

    game = game_of(command)
    yield "" if game is None else game.title
    about = " ".join((command.__doc__ or "").split())
    for line in (*wrapped(about), *_examples(command)):
        yield f"  {line}"
    yield from (f"  {line}" for line in wrapped(f"{command.verb} {own_form(command)}", indent=4))


def _flags(commands: Sequence[type[Command]]) -> Iterator[tuple[str, str]]:
    """Yields the flags that one of the commands takes, those of every verb last, each with its meaning."""
    from retold.journal.language.lexing import FLAGS
    from retold.journal.language.verbs import ANY_VERB, flags_of
    from retold.journal.vocabulary.commands import Branch

    for name in (*sorted({flag for command in commands for flag in flags_of(command)}), *ANY_VERB):
        yield FLAGS[name].written, FLAGS[name].about
    if Branch in commands:
        yield "--to table", "everyone may know of it; otherwise only the game master, until it is promoted"


def help_in_play(record: Record) -> str:
    """Returns the console's help: verbs of the games played, the first ten, and further help."""
    return in_play(games_here(record))


TOPICS: Mapping[str, Callable[[], str]] = {
    "all": everything,
    "line": lambda: everything(("The line itself",)),
    "beside": lambda: everything(GROUPS),
    "moments": lambda: MOMENTS,
    "exit-codes": lambda: EXIT_CODES,
}
"""What help says beside single verbs, games and words."""
