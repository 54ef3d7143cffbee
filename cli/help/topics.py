"""What a word has to do with: views, statistics, formats, flags, options, facts, sheets, and the rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from retold.cli.help import pages as help_pages
from retold.cli.invocation import reading_verbs
from retold.cli.output.printing import columns, wrapped
from retold.journal.grouping import grouped
from retold.journal.names import CLOSE, nearest, normalise
from retold.journal.refused import Refused

if TYPE_CHECKING:
    from retold.journal.system import System


class Topic(NamedTuple):
    """Something that a word may mean: the word, a line to type or a form, and a sentence."""

    word: str
    line: str
    about: str


class Passage(NamedTuple):
    """Part of a paper that has a word: the paper's title, the heading above it, its words."""

    paper: str
    heading: str
    text: str


MOST_PASSAGES: Final = 3
LONGEST: Final = 320
"""Characters of a passage that are shown."""
SHORTEST_STEM: Final = 4
"""Letters of a word that a longer one may go on from: `shift` finds `shifts`."""


def look_up(typed: str, games: Collection[str]) -> str | None:
    """Returns the help on a word that is not a verb, from what these games have, or all; None if none fits.

    A word may lack its dashes, be in the plural, or be the beginning of one.
    """
    asked = _asked(typed)
    systems = _systems(games)
    found = topics_on(typed, games)
    passages = [*_passages(asked, [system.name for system in systems])] if asked else []
    if not found and not passages:
        passages = [*_passages(asked, [help_pages.LANGUAGE])] if asked else []
    if not found and not passages:
        return None
    lines = [*columns(((topic.line, topic.about) for topic in found), 26)]
    for passage in passages[:MOST_PASSAGES]:
        where = f"{passage.paper}, {passage.heading}" if passage.heading else passage.paper
        lines += [*([""] if lines else []), where, *(f"  {line}" for line in wrapped(passage.text, most=76))]
    return "\n".join(lines) + "\n"


def topics_on(typed: str, games: Collection[str]) -> list[Topic]:
    """Returns what a word is the name of, beside what the rules say about it."""
    asked = _asked(typed)
    found = [topic for topic in _topics(_systems(games)) if _fits(asked, topic.word)]
    if found and not typed.startswith("-"):
        return found  # the options would load every verb
    return [*found, *(topic for topic in _options_of_verbs() if _fits(asked, topic.word))]


def _asked(typed: str) -> str:
    return normalise(typed.lstrip("-"))


def close_to(typed: str, games: Collection[str]) -> tuple[str, ...]:
    """Returns the words of topics spelled most like `typed`, best first."""
    words = dict.fromkeys(topic.word for topic in (*_topics(_systems(games)), *_options_of_verbs()))
    return nearest(typed.lstrip("-"), words, at_least=CLOSE)


def _systems(games: Collection[str]) -> list[System]:
    from retold.journal.systems import SYSTEMS

    return [SYSTEMS[name] for name in SYSTEMS if name in games or not games]


def _fits(asked: str, word: str) -> bool:
    known = normalise(word)
    singular = asked.removesuffix("s")
    begins = len(asked) >= SHORTEST_STEM and any(part.startswith(singular) for part in known.split())
    return bool(asked) and (known in (asked, singular) or known == f"{asked}s" or begins)


def _topics(systems: Sequence[System]) -> Iterator[Topic]:
    from retold.journal.language.lexing import FLAGS
    from retold.projections.exports import FORMATS
    from retold.projections.statistics import TOPICS
    from retold.projections.views import VIEWS

    for view in VIEWS.values():
        yield Topic(view.name, f"show {view.name}", view.about)
    for name, about in TOPICS.items():
        yield Topic(name, f"stats {name}", about)
    for flag in FLAGS.values():
        yield Topic(flag.name, f"VERB --{flag.name}", flag.about)
    for name in FORMATS:
        yield Topic(name, f"export -f {name}", "a format of export")
    for system in systems:
        yield from _of_game(system)


def _options_of_verbs() -> Iterator[Topic]:
    """Yields the options of the verbs that are not the table's, each with the verbs that take it."""
    import typer

    from retold.cli.app import application

    verbs = grouped(
        ((name, getattr(param, "help", None) or ""), verb)
        for verb in sorted(reading_verbs())
        for param in typer.main.get_command(application(verb)).params
        for name in (param.opts if param.param_type_name == "option" else ())
        if name.startswith("--")
    )
    for (name, about), takers in verbs.items():
        some = takers[0] if len(takers) == 1 else "VERB"
        of = "" if len(takers) == 1 else f" ({', '.join(takers)})"
        yield Topic(name.lstrip("-"), f"{some} {name}", f"{about}{of}")


def _of_game(system: System) -> Iterator[Topic]:
    for option in system.options:
        line = f"option {system.name}.{option.key}="
        yield Topic(option.key.replace("_", " "), line, f"{option.about}: {option.known}")
    for name, fact in system.facts.items():
        yield Topic(name, f"expect {name}{' NAME' if fact.of_person else ''}", fact.about)
    for key in system.sheet:
        yield Topic(key.key, f"cast NAME {key.example}", f"{key.about}: {key.takes}")


def shortened(text: str) -> str:
    """Returns the text, or its beginning if it is long, up to a blank, and an ellipsis."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"


# --- papers -------------------------------------------------------------------------------------------------


def _passages(asked: str, papers: Iterable[str]) -> Iterator[Passage]:
    """Yields passages that have the word, those below a heading with it first."""
    stem = asked.removesuffix("s") if len(asked) > SHORTEST_STEM else asked
    end = "" if len(stem) >= SHORTEST_STEM else r"s?\b"
    word = re.compile(rf"\b{re.escape(stem)}{end}")
    every = [passage for paper in papers for passage in _parts(paper)]
    headed = [passage for passage in every if word.search(normalise(passage.heading))]
    yield from headed
    yield from (one for one in every if one not in headed and word.search(normalise(one.text)))


def _parts(paper: str) -> Iterator[Passage]:
    """Yields the paragraphs and list items of a paper, without tables and code."""
    try:
        text = help_pages.paper(paper)
    except Refused:
        return
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    title = heading = ""
    for part in re.split(r"\n\s*\n|\n(?=[*-] )", text):
        plain = " ".join(part.split())
        if plain.startswith("# "):
            title = plain.removeprefix("# ").partition(":")[0]
        elif plain.startswith("#"):
            heading = plain.lstrip("# ")
        elif plain and not plain.startswith("|"):
            yield Passage(title, heading, shortened(plain.lstrip("*- ").replace("*", "").replace("`", "")))
