"""Help on one screen, at the shell and at the console; and the list of everything, in groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from retold.cli.invocation import is_available
from retold.cli.output.printing import WIDTH, columns
from retold.journal.shell_verbs import GROUPS, SHELL_VERBS

if TYPE_CHECKING:
    from retold.journal.vocabulary.base import Command

EVENING: Final[Mapping[str, str]] = {
    "session": "begin the evening",
    "cast": "who is there; their sheets",
    "scene": "where you are",
    "conflict": "the sides of a conflict",
    "declare": "what a person is about to do",
    "roll": "= your dice, or Retold's",
    "narrate": "what happens",
    "say": "what a person says",
    "note": "for your eyes alone",
    "undo": "the last act taken back",
    "can": "what may be done now",
    "end": "the conflict, the session",
}
"""The verbs that an evening needs first, in a few words each."""

SUNDAY: Final[Mapping[str, str]] = {
    "recap": "how it ended, what is open",
    "show": "where everyone stands",
    "log": "what was recorded",
    "who": "all about one person",
    "search": "who said it, and when",
    "stats": "luck, time, who told",
    "replay": "go through it step by step",
    "export": "a page, a book (--publish)",
    "draft": "a text to be edited",
    "import": "a log kept elsewhere",
    "backup": "the whole campaign, copied",
    "sync": "with another copy of it",
}
"""The verbs for between two evenings."""

NOT_IN_PLAY: Final = frozenset({"cast", "can"})
"""Verbs of an evening that the console's first ten leave out."""

USAGE: Final = "retold [-c FILE] [--branch NAME] [--json] VERB …"
HALF: Final = 40
"""Columns of the left of two lists."""
NAME: Final = 10
"""Columns of a verb's name in these lists."""

MORE: Final = (
    (("VERB", "examples, form and flags"), ("all", "every verb, in groups")),
    (("GAME", "a game's verbs, its rules"), ("table", "the language of the table")),
    (("WORD", "what a word belongs to"),),
)
"""What may stand behind `help`, two in a line."""


def first_screen(played: Mapping[str, str]) -> str:
    """Returns what `retold help` shows, at most 23 lines: verbs of an evening, verbs of a Sunday, the rest.

    `played` are the games of the campaign here: names, each with the word for its help.
    """
    left = ["An evening (retold play; or retold VERB)", *_rows(EVENING)]
    right = ["A Sunday", *_rows(SUNDAY)]
    lines = [USAGE, "", "  retold new salt-road    begin a campaign       retold demo    see it all", ""]
    lines += (f"{one:<{HALF}} {other}".rstrip() for one, other in zip_longest(left, right, fillvalue=""))
    games = list(_of_games(played))
    lines += ["", *(games or ["Each game has verbs of its own: retold systems lists the games."])]
    return "\n".join([*lines, *_more()]) + "\n"


def in_play(played: Mapping[str, str]) -> str:
    """Returns what `help` shows at the console: the games' verbs, the ten first of an evening, the rest."""
    lines = [*_of_games(played)]
    lines += _rows({verb: about for verb, about in EVENING.items() if verb not in NOT_IN_PLAY})
    verbs = filter(is_available, SUNDAY)
    lines += [f"{_fitting('Looking back: ', verbs, WIDTH - len(': help beside'))}: help beside"]
    lines += ["Keys: ?    What may be done now: can", *_more()]
    return "\n".join(lines) + "\n"


def _rows(verbs: Mapping[str, str]) -> list[str]:
    return [f"  {verb:<{NAME}}{about}" for verb, about in verbs.items() if is_available(verb)]


def _more() -> Iterator[str]:
    for row in MORE:
        left, *right = (f"help {word:<7}{about}" for word, about in row)
        yield f"{left:<{HALF}} {''.join(right)}".rstrip()


MOST_GAMES: Final = 2
"""Games whose verbs are listed; of further ones only the help is named."""


def _of_games(played: Mapping[str, str]) -> Iterator[str]:
    """Yields a line for each game: as many of its verbs as it holds, and where the rest is."""
    from retold.journal.language.verbs import added_commands
    from retold.journal.systems import SYSTEMS

    for game, word in [*played.items()][:MOST_GAMES]:
        verbs = [*dict.fromkeys(command.verb for command in added_commands(SYSTEMS[game]))]
        end = f": help {word}"
        line = _fitting(f"{_title(game, word)}: ", verbs, WIDTH - len(end))
        yield f"{line}{end}"


def _title(game: str, word: str) -> str:
    from retold.journal.systems import SYSTEMS

    return SYSTEMS[game].title if word == game else word


def _fitting(line: str, words: Iterable[str], most: int) -> str:
    """Returns `line` with as many of `words` as fit into `most` columns, and an ellipsis for the others."""
    left = list(words)
    shown: list[str] = []
    while left and len(line + ", ".join([*shown, left[0], "…"])) <= most:
        shown.append(left.pop(0))
    return line + ", ".join([*shown, "…"] if left else shown)


# --- everything ---------------------------------------------------------------------------------------------

OF_THE_TABLE: Final[Mapping[str, tuple[str, ...]]] = {
    "The campaign and its people": ("campaign", "session", "scene", "cast", "merge", "retire", "mark", "end"),
    "What is said and done": ("narrate", "say", "declare", "note", "aside", "overrule", "reveal"),
    "Conflicts and chance": ("conflict", "join", "leave", "roll", "draw", "shuffle", "clear"),
    "Offers": ("compel", "concede", "accept", "refuse"),
    "The table's own": ("option", "ruling", "expect"),
    "Kept under a name": ("thread", "place", "thing"),
    "Around the story": ("blurb", "content", "epigraph", "reflection", "pull"),
    "Pictures and colours": ("image", "handout", "portrait", "cover", "tint"),
    "The line itself": ("undo", "redo", "branch", "switch", "retcon", "fix", "redact"),
}
"""The table's verbs that are no game's, by what they are for."""


def groups() -> dict[str, tuple[str, ...]]:
    """Returns every verb that is not a game's, once, by what it is for."""
    first, *others = ((title, tuple(verbs)) for title, verbs in GROUPS.items())
    return dict((first, *OF_THE_TABLE.items(), *others))


def everything(titles: Collection[str] = ()) -> str:
    """Returns every verb with its sentence, in groups of these titles; without titles, those of games too."""
    from retold.journal.systems import SYSTEMS

    lines = [USAGE, ""]
    for title, verbs in groups().items():
        if not titles or title in titles:
            rows = [(verb, _about(verb)) for verb in filter(is_available, verbs)]
            lines += [title, *columns(rows, 14), ""]
    if not titles:
        for system in SYSTEMS.values():
            lines += [system.title, *columns(((one.verb, sentence(one)) for one in system.verbs), 14), ""]
    lines += [*_more(), "Also: help moments, help exit-codes"]
    return "\n".join(lines) + "\n"


EXPECT_HELP = """Check something and record nothing; a script stops where it does not hold.

  expect quality Zel J
  expect refused draw Zel

expect [not] SUBJECT [NAME] VALUE…   (short: x)

expect refused LINE holds if that line would be refused now.
What can be asked: retold systems NAME
"""


def _about(verb: str) -> str:
    from retold.journal.language.verbs import EXPECT
    from retold.journal.store.events.kinds import COMMANDS

    if verb in SHELL_VERBS:
        return SHELL_VERBS[verb].about
    return EXPECT_HELP.partition("\n")[0] if verb == EXPECT[0] else sentence(COMMANDS[verb])


def sentence(command: type[Command]) -> str:
    """Returns the first sentence of a verb's help."""
    return (command.__doc__ or "").partition("\n")[0]
