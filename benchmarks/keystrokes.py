"""How much an evening is to type: characters of command an act beside those of story, game by game.

Counted from the examples, as they are written and as briefly as the language takes them: the short verb, each
name of the cast that stands alone by the fewest first letters that are taken for it. A result that was read
off the table counts as command; flags, and quotation marks around words, are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from journal.language.lexing import lex
from journal.language.lines import read_script
from journal.language.tokens import Token
from journal.language.verbs import EXPECT, VERBS
from journal.names import fold, matching

EXAMPLES: Final = Path(__file__).parent.parent / "examples"
GOAL: Final = 12
"""Characters of command an act, at the median."""

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
        typed = [one for script in sorted(folder.glob("*.session")) for one in acts(script)]
        every += typed
        print(_row(folder.name, typed))
    print(_row("all", every))


def acts(script: Path) -> Iterator[Typed]:
    """Every act of an example; what sets the table up is none."""
    names: list[str] = []
    for line in read_script(script.read_bytes(), script.name):
        lexed = lex(line.source)
        if lexed.verb.text == "cast" and lexed.tokens:
            names.append(lexed.tokens[0].text)
        if lexed.verb.text in SETTING_UP:
            continue
        story = len(lexed.text or "")
        results = "" if lexed.results is None else f" = {' '.join(lexed.results)}"
        written = [lexed.verb.text, *(token.text for token in lexed.tokens)]
        briefest = [_short(lexed.verb.text), *(_brief(token, names) for token in lexed.tokens)]
        colon = 1 if story else 0
        yield Typed(
            len(" ".join(written) + results) + colon, len(" ".join(briefest) + results) + colon, story
        )


def _short(verb: str) -> str:
    command = VERBS.get(verb)
    return verb if command is None else min((command.verb, *command.short), key=len)


def _brief(token: Token, names: Sequence[str]) -> str:
    """A name by its first letters, as few as the language takes for it; any other word as it is."""
    if token.text not in names:
        return token.text
    known = {name: (name,) for name in names}
    folded = fold(token.text)
    short = (folded[:length] for length in range(1, len(folded)))
    return next((one for one in short if matching(one, known) == [token.text]), token.text)


def _row(name: str, typed: Sequence[Typed]) -> str:
    written, briefest, story = (median(one[place] for one in typed) for place in range(3))
    met = "met" if briefest <= GOAL else "missed"
    return f"| {name} | {len(typed)} | {written:g} | {briefest:g} | {story:g} | {GOAL}: {met} |"


if __name__ == "__main__":
    main()
