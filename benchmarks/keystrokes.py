"""How much an evening is to type: characters of command an act beside those of story, game by game.

Counted from the examples, as they are written and as briefly as the language takes them: the short verb, each
name of the cast, and in a roll each move and stat of the game, by the fewest first letters that are taken for
it. A result that was read off the table counts as command; flags, and quotation marks around words, are not
counted. Of one whole evening of `d20` the average is counted too, from its session on, sheets that grow
among it; `briefly` says that evening in its briefest lines, and a test plays them to the same record.

Then three evenings of a hundred acts (`benchmarks/evenings`) are typed at the console, as somebody types them
first who has read the README alone: what is refused counts, and so does what is typed next. A line that
begins with `|` is typed if the one before was refused; `expect` asks whether a number is what the table has.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import dropwhile
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from retold.cli.console.offers import command_of
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options
from retold.games.homebrew.options import built_in_game
from retold.journal.language.binding import Scope
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meant import as_meant
from retold.journal.language.script_lines import read_script
from retold.journal.language.tokens import Token
from retold.journal.language.verbs import EXPECT, VERBS
from retold.journal.names import matching, normalise
from retold.journal.refused import none_if_refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import base
from retold.scribe import Scribe

EXAMPLES: Final = Path(__file__).parent.parent / "examples"
GOAL: Final = 12
"""Characters of command an act, at the median."""

EVENING: Final = EXAMPLES / "homebrew" / "drowned-chapel.session"
"""An evening of three against four, with checks, hits, conditions, rests and a level."""

EVENING_GOAL: Final = 14
"""Characters of command an act, on the average of that evening."""

STORIES: Final = frozenset({"aside", "narrate", "note", "say"})
"""Verbs whose text is story, however it is typed."""

EVENINGS: Final = Path(__file__).parent / "evenings"
SYNTAX_GOAL: Final = 16
"""Characters of syntax an act of these evenings, refused tries among them."""
REFUSED_GOAL: Final = 8
"""Refusals in a hundred acts."""
LONGEST: Final = 5
"""Acts with the most syntax that are shown of each evening."""

SETTING_UP: Final = frozenset({"campaign", "game", "cast", "option", *EXPECT})
"""What is typed before the evening, or by nobody at a table."""


class Typed(NamedTuple):
    """One act as it is typed: its command as written and at its briefest, and its story, in characters."""

    written: int
    briefest: int
    story: int


def main() -> None:
    """Prints a row for each game, and one for all."""
    print("| game | acts | command, written | command, briefest | story | goal |")
    print("|---|---|---|---|---|---|")
    every: list[Typed] = []
    for folder in sorted(path for path in EXAMPLES.iterdir() if any(path.glob("*.session"))):
        said = [one for script in sorted(folder.glob("*.session")) for one in acts(script)]
        every += said
        print(_row(folder.name, said))
    print(_row("all", every))
    print()
    print(_average(list(evening())))
    print()
    heads = "syntax an act | with titles and names | of it refused | refused | shown the line"
    print(f"| evening | acts | {heads} | wrong | met |")
    print("|---|---|---|---|---|---|---|---|---|")
    played = {script.stem: [*typed_acts(script)] for script in sorted(EVENINGS.glob("*.evening"))}
    for name, acted in played.items():
        print(_row_of_evening(name, acted))
    for name, acted in played.items():
        longest = sorted(acted, key=lambda act: -act.syntax)[:LONGEST]
        print(f"\nMost syntax, {name}: {' · '.join(f'`{act.tries[-1]}` ({act.syntax})' for act in longest)}")


class Words(NamedTuple):
    """What may be shortened on a line: names of the cast, and moves and stats of the game."""

    names: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()

    def after(self, lexed: Lexed) -> Words:
        """The same once this line has been said."""
        if lexed.verb.text == "cast" and lexed.tokens:
            return self._replace(names=(*self.names, *(one.text for one in lexed.tokens[0].split("+"))))
        if lexed.verb.text == "game" and (
            game := none_if_refused(lambda: built_in_game(lexed.tokens[0].text))
        ):
            return self._replace(moves=tuple(game.moves), stats=tuple(game.stats))
        return self


def acts(script: Path) -> Iterator[Typed]:
    """Every act of an example; what sets the table up is none."""
    return (typed(one, words) for one, words in _said(script) if one.verb.text not in SETTING_UP)


def evening() -> Iterator[Typed]:
    """Every act of the evening, from its session on; what it expects is none."""
    begun = dropwhile(lambda one: one[0].verb.text != "session", _said(EVENING))
    return (typed(one, words) for one, words in begun if one.verb.text not in EXPECT)


def briefly(script: Path) -> Iterator[str]:
    """The script in its briefest lines; those that set the table up, and what it expects, as they are."""
    for line, words in _said(script):
        kept = line.verb.text in SETTING_UP
        shown = [line.verb.text if kept else _short(line.verb, words)]
        for token in line.tokens:
            brief = token.text if kept else _brief(token, line, words)
            shown.append(_as_it_stands(token) if brief == token.text else brief)
        shown += [
            f"--{name}" if value is None else f"--{name} {value.text}" for name, value in line.flags.items()
        ]
        results = "" if line.results is None else f" = {' '.join(line.results)}"
        yield f"{' '.join(shown)}{results}{f': {line.text}' if line.text else ''}"


def _as_it_stands(token: Token) -> str:
    return "".join(f'"{text}"' if quoted else text for text, quoted in token.segments)


def typed(lexed: Lexed, words: Words) -> Typed:
    """A line as it is typed."""
    story = len(lexed.text or "")
    results = "" if lexed.results is None else f" = {' '.join(lexed.results)}"
    written = [lexed.verb.text, *(token.text for token in lexed.tokens)]
    briefest = [_short(lexed.verb, words), *(_brief(token, lexed, words) for token in lexed.tokens)]
    colon = 1 if story else 0
    return Typed(len(" ".join(written) + results) + colon, len(" ".join(briefest) + results) + colon, story)


def _said(script: Path) -> Iterator[tuple[Lexed, Words]]:
    """Every line of a script, and what may be shortened on it."""
    words = Words()
    for line in read_script(script.read_bytes(), script.name):
        lexed = lex(line.source)
        yield lexed, words
        words = words.after(lexed)


def _short(verb: Token, words: Words) -> str:
    if verb.text in words.names:  # somebody speaks
        return _least(verb.text, words.names)
    command = VERBS.get(verb.text)
    return verb.text if command is None else min((command.verb, *command.short), key=len)


def _brief(token: Token, lexed: Lexed, words: Words) -> str:
    """A name, or several joined, by first letters, as few as the language takes; any other word as it is."""
    names = [one.text for one in token.split("+")]
    if names and all(name in words.names for name in names):
        return "+".join(_least(name, words.names) for name in names)
    if lexed.verb.text == "roll":
        for known in (words.moves, words.stats):
            if token.text in known:
                return _least(token.text, known)
    return token.text


def _least(word: str, known: Sequence[str]) -> str:
    """The fewest first letters, of the whole or of its last part, that are taken for this word alone."""
    folded, names = normalise(word), {name: (name,) for name in known}
    shorter = [folded[:length] for length in range(1, len(folded))]
    if " " in folded:
        first, _, last = folded.partition(" ")
        shorter = [*(f"{first[:length]}-{last}" for length in range(1, len(first))), *shorter]
    shorter = [one for one in shorter if one[:1].isalpha() and one[-1] != " "]
    return next((one for one in shorter if matching(one, names) == [word]), word)


# --- evenings as they are typed -----------------------------------------------------------------------------


class Act(NamedTuple):
    """One act at the console: the lines tried, their syntax in characters, and how they were answered."""

    tries: tuple[str, ...]
    syntax: int
    """Characters of all tries but for free text, titles and new names."""
    with_titles: int
    """The same with titles and new names."""
    refused_syntax: int
    """Characters of those that were refused."""
    refused: int
    shown: int
    """Refusals that showed the very line that was typed next."""
    taken: bool
    """False if no try was taken."""
    wrong: int
    """Expectations behind it that did not hold."""


def typed_acts(script: Path) -> Iterator[Act]:
    """Types an evening at a console of its own; yields its acts from the session's on."""
    begun = False
    with _console() as seat:
        for tries in _acts_in(script):
            act = _try(seat, tries)
            begun = begun or tries[0].startswith("session")
            if begun:
                yield act


def _acts_in(script: Path) -> Iterator[list[str]]:
    """Yields the lines of each act: tries, then expectations."""
    lines: list[str] = []
    for line in filter(None, script.read_text("utf-8").splitlines()):
        if lines and not line.startswith(("| ", "expect ")):
            yield lines
            lines = []
        lines.append(line.removeprefix("| "))
    yield lines


@contextmanager
def _console() -> Iterator[ConsoleSession]:
    """A console at a new campaign, whose user has no settings."""
    before = os.environ.get("RETOLD_HOME")
    with TemporaryDirectory() as folder:
        os.environ["RETOLD_HOME"] = folder
        try:
            with CampaignStore.create(Path(folder, "evening.retold"), seed=b"an evening") as store:
                yield ConsoleSession(Scribe(store, 1), Options())
        finally:
            os.environ.pop("RETOLD_HOME")
            os.environ |= {} if before is None else {"RETOLD_HOME": before}


def _try(seat: ConsoleSession, lines: Sequence[str]) -> Act:
    tries = [line for line in lines if not line.startswith("expect ")]
    syntax, with_titles, refused, shown, taken = 0, 0, [0], 0, False
    for place, line in enumerate(tries):
        typed, titled = _syntax(seat, line)
        syntax, with_titles = syntax + typed, with_titles + titled
        taken, answer = _heard(seat, line)
        if taken:
            tries = tries[: place + 1]
            break
        refused.append(typed)
        following = (one.partition(": ")[0].casefold() for one in tries[place + 1 :][:1])
        shown += any(one in answer.casefold() for one in following)
    wrong = sum(not _heard(seat, line)[0] for line in lines if line.startswith("expect "))
    return Act(tuple(tries), syntax, with_titles, sum(refused), len(refused) - 1, shown, taken, wrong)


def _heard(seat: ConsoleSession, line: str) -> tuple[bool, str]:
    """Types a line; returns whether it was taken, and what was answered."""
    answer = io.StringIO()
    with redirect_stdout(answer), redirect_stderr(answer):
        result = seat.hear(line)
    return result is LineResult.DONE, answer.getvalue()


def _syntax(seat: ConsoleSession, line: str) -> tuple[int, int]:
    """Returns the characters of a line but for its free text: without titles and new names, and with them."""
    lexed = none_if_refused(lambda: seat.speaker.meant(line, seat.scribe))
    if lexed is None:
        return len(line), len(line)
    meant = as_meant(lexed, Scope(seat.scribe.table))  # `Oda says "Hello"` has a text, and no colon
    told = meant.text if meant.verb.text in STORIES else None
    text = told if told is not None and told in line else lexed.text or ""
    with_titles = len(line) - len(text)
    command = command_of(lexed, seat.scribe)
    given = () if command is None else {str(words) for words in _words_in(base.values_of(command))} - {text}
    return with_titles - sum(len(words) for words in given if words in line), with_titles


def _words_in(values: Mapping[str, object]) -> Iterator[base.Words]:
    """Yields what a command keeps as free text: texts, titles, the names of what is new."""
    for value in values.values():
        every = value if isinstance(value, tuple) else (value,)
        yield from (one for one in every if isinstance(one, base.Words))


def _row_of_evening(name: str, acts: Sequence[Act]) -> str:
    syntax = sum(act.syntax for act in acts) / len(acts)
    titled = sum(act.with_titles for act in acts) / len(acts)
    of_refused = sum(act.refused_syntax for act in acts) / len(acts)
    refused, shown = sum(act.refused for act in acts), sum(act.shown for act in acts)
    wrong = sum(act.wrong for act in acts)
    met = syntax <= SYNTAX_GOAL and refused * 100 <= REFUSED_GOAL * len(acts) and not wrong
    return (
        f"| {name} | {len(acts)} | {syntax:.1f} (goal {SYNTAX_GOAL}) | {titled:.1f} | {of_refused:.1f}"
        f" | {refused} (goal {REFUSED_GOAL}) | {shown} | {wrong} | {'yes' if met else 'no'} |"
    )


def _row(name: str, typed: Sequence[Typed]) -> str:
    written, briefest, story = (median(one[place] for one in typed) for place in range(3))
    met = "met" if briefest <= GOAL else "missed"
    return f"| {name} | {len(typed)} | {written:g} | {briefest:g} | {story:g} | {GOAL}: {met} |"


def _average(said: Sequence[Typed]) -> str:
    written, briefest = (sum(one[place] for one in said) / len(said) for place in range(2))
    met = "met" if briefest <= EVENING_GOAL else "missed"
    return (
        f"An evening of d20, {len(said)} acts: {briefest:.1f} characters of command an act on the average,"
        f" {written:.1f} as written; goal {EVENING_GOAL}: {met}."
    )


if __name__ == "__main__":
    main()
