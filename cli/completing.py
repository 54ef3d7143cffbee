"""Tab completion for shells; runs at every Tab key, so it imports other modules only when needed."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from retold.cli.invocation import READING, reading_verbs
from retold.journal.shell_verbs import SHELL_VERBS

if TYPE_CHECKING:
    from retold.cli.campaigns.settings import Settings
    from retold.journal.store.events.record import Record
    from retold.projections.reading import LineView

TOPICS = ("compels", "counts", "luck", "moves", "telling", "time")
"""What `stats` counts; a test holds the list to retold.projections.statistics."""

_OF_A_DRAFT = ("send", "show", "log", "undo", "redo", "publish", "withdraw")
"""Words behind `draft` that take the name of one."""

BEFORE_A_FILE = {"cover": 0, "handout": 1, "image": 1, "portrait": 1}
"""Verbs of pictures, and the number of words between each and its file."""

VOICES = ("report", "plain", "script", "prose")
"""Retold's own voices; a test holds the list to retold.projections.prose."""

LANGUAGES = ("en", "de", "fr")
"""Languages of --lang; a test holds the list to retold.projections.prose."""

VOICE = "--voice"
"""The option whose value is a voice."""

BEFORE_A_VERB = {"--json", "--debug", "--yes", "--no-color"}


HELP_TOPICS = ("all", "table", "line", "beside", "moments", "exit-codes")
"""What help explains beside verbs, games and rules."""

QUOTED_FOR_BASH = "--bash"
"""Before the words: they are as bash has them on its line, and so is what is printed."""

EMPTY_OF_POWERSHELL = '""'
"""What its script hands over for a word not begun: older ones drop an empty word on their way."""


def complete(words: Sequence[str]) -> int:
    """Prints the completions of the last word in `words`, one a text line; returns exit code 0.

    `words` are the words after `retold`. With `--bash` first they are quoted as on bash's command line, and
    the completions are escaped for it.
    """
    for_bash = words[:1] == [QUOTED_FOR_BASH]
    typed = [_unquoted(word) for word in words[1:]] if for_bash else list(words)
    *before, current = typed or [""]
    current = "" if current == EMPTY_OF_POWERSHELL else current
    campaign, before = _campaign_named(before)
    for candidate in _candidates(before, current, campaign):
        if candidate.casefold().startswith(current.casefold()):
            offer = _for_bash(candidate, words[-1]) if for_bash else candidate
            if offer is not None:
                sys.stdout.write(f"{offer}\n")
    return 0


def _unquoted(word: str) -> str:
    """Returns a word with bash quoting removed and nothing expanded; an unclosed quote counts as closed."""
    import shlex

    for quote in ("", "'", '"'):
        with suppress(ValueError):
            return " ".join(shlex.split(word + quote))
    return word


def _for_bash(candidate: str, typed: str) -> str | None:
    """Returns a completion with bash escapes; None if it needs escapes but the cursor is inside quotes."""
    escaped = "".join(
        character if character.isalnum() or character in PLAIN or ord(character) > ASCII else f"\\{character}"
        for character in candidate
    )
    unescaped = re.sub(r"\\.", "", typed)
    inside_quotes = '"' in unescaped or "'" in unescaped
    return None if inside_quotes and escaped != candidate else escaped


ASCII = 127
PLAIN = "_-.,+/"
"""What means nothing to a shell, beside letters and digits."""


def _campaign_named(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Returns the campaign given by -c (else None), and the words without the options before the verb."""
    left = list(words)
    while left and left[0] in BEFORE_A_VERB:
        del left[0]
    for flag in ("-c", "--campaign"):
        if flag in left[:-1]:
            place = left.index(flag)
            named = left[place + 1]
            del left[place : place + 2]
            return named, [word for word in left if word not in BEFORE_A_VERB]
    return None, left


def voices(settings: Settings) -> Iterator[str]:
    """Yields names of narrating voices (`export --voice`): Retold's own, then the user's."""
    yield from VOICES
    kept = sorted(path.name.removesuffix(".toml") for path in settings.voices.glob("*.toml"))
    yield from (name for name in kept if name not in VOICES and name.isprintable() and " " not in name)


def before_a_voice(before: Sequence[str], current: str) -> str | None:
    """Returns the prefix before a voice's name at the cursor: `--voice=`, or empty; None if none fits.

    A shell may have split `--voice=prose` at its `=`.
    """
    before = before[:-1] if before[-1:] == ["="] else before
    if not before or before[0] not in READING:
        return None
    if current.startswith(f"{VOICE}="):
        return f"{VOICE}="
    return "" if before[-1] == VOICE or (before[0] == "voices" and before[-1] == "--copy") else None


def stretches(sessions: Sequence[int], typed: str) -> Iterator[str]:
    """Yields completions for `recap`: `s3`, `s2`, `s1`, then the range `s1..s3`; after `s2..`, its ends."""
    begun, dots, _ = typed.partition("..")
    if dots:
        first = begun.removeprefix("s")
        yield from (
            f"{begun}..s{number}" for number in sessions if first.isdecimal() and number >= int(first)
        )
        return
    yield from (f"s{number}" for number in reversed(sessions))
    yield from (f"s{number}..s{sessions[-1]}" for number in sessions[:-1][:1])


def _candidates(before: Sequence[str], current: str, campaign: str | None) -> Iterable[str]:
    if not before:
        return sorted({*reading_verbs(current), *_verbs_at(campaign, current), "expect", "help", "log"})
    verb = before[0]
    if before[-1] in ("--lang", "--as"):
        return _languages_or_formats(verb, before[-1])
    begun = before_a_voice(before, current)
    if begun is not None:
        from retold.cli.campaigns.settings import Settings

        return (f"{begun}{name}" for name in voices(Settings.of_user()))
    reads = verb in READING or verb == "log"
    if before[-1] == "--for" and reads:
        return ("table", *_names(campaign))
    viewer = _viewer_named(before) if reads else None
    if viewer is not None and (asked := _asked_for(before)) is not None:
        return known_to(asked, campaign, viewer)
    return _named_by_all(before, current, campaign)


def _languages_or_formats(verb: str, option: str) -> Sequence[str]:
    """Returns languages for --lang, and formats for `import --as`; nothing for other verbs."""
    if option == "--lang":
        return LANGUAGES if verb in READING else ()
    from retold.journal.features import load, named

    said = named("completions", f"{verb} {option}")
    found: Sequence[str] = () if said is None else load(said)()
    return found


def _named_by_all(before: Sequence[str], current: str, campaign: str | None) -> Iterable[str]:
    """Returns completions from the whole record, secrets included, as the game master may see them."""
    if before[-1] in ("--at", "--moment"):
        return offered(_moments, campaign)
    if before[-1] == "--draft" or (before[0] == "draft" and before[1:]):
        return offered(_drafts, campaign) if before[1] in _OF_A_DRAFT or before[-1] == "--draft" else ()
    shows = before[0] in ("branch", "br") and before[1:] == ["show"]
    if shows or before[0] in ("switch", "diff") or before[-1] in ("--branch", "promote"):
        return _branches(campaign)
    if before[0] in BEFORE_A_FILE and not _wants_a_value(before[-1]):
        return _of_a_picture(before, campaign)
    return _of_verb(before, current, campaign)


def _viewer_named(before: Sequence[str]) -> str | None:
    """Returns the viewer's name given by `--for`; None for `gm` or without the option."""
    named = [value for option, value in pairwise(before) if option == "--for"]
    named += [word.removeprefix("--for=") for word in before if word.startswith("--for=")]
    return None if named[-1:] in ([], ["gm"]) else named[-1]


CompletionRequest = Callable[["LineView"], Iterable[str | None]]
"""Question about a line, by a viewer's knowledge."""


def _asked_for(before: Sequence[str]) -> CompletionRequest | None:
    """Returns a function that lists names for the word at the cursor, given a viewer's view of the branch.

    Returns None if the completions at the cursor do not depend on a viewer.
    """
    if before[-1] in ("--at", "--moment"):
        return _moments_known
    if before[0] == "diff" or before[-1] == "--branch":
        return _lines_known
    if before[-1] == "--who":
        return _people_known
    return _anything_known if before[0] == "who" else None


def _moments_known(reading: LineView) -> Iterator[str | None]:
    from retold.journal.vocabulary.events import Marked, SessionOpened

    yield "@"
    for recorded in reading.recorded(kinds=(SessionOpened.kind, Marked.kind)):
        if isinstance(recorded.event, Marked):
            yield recorded.event.name.text
        elif isinstance(recorded.event, SessionOpened):
            yield f"s{recorded.event.session}"


def _lines_known(reading: LineView) -> Iterable[str | None]:
    from retold.projections.reading import known_lines

    return known_lines(reading).values()


def _people_known(reading: LineView) -> Iterator[str | None]:
    from retold.journal.vocabulary.base import GM

    yield "gm"
    yield from (person.name.text for person in reading.table.everybody() if person.id != GM)


def _anything_known(reading: LineView) -> Iterator[str | None]:

    yield from _people_known(reading)
    yield from (matter.called for matter in reading.table.every_matter())


def known_to(asked: CompletionRequest, campaign: str | None, viewer: str) -> Iterator[str]:
    """Yields the names that `asked` finds in a campaign as `viewer` may know it, spaces replaced by hyphens.

    Yields nothing if the campaign cannot be read or the viewer is unknown.
    """
    from retold.cli.campaigns.opening import line_meant, opened
    from retold.cli.invocation import Options
    from retold.journal.refused import Refused
    from retold.journal.store.contract.errors import StoreError
    from retold.projections.reading import LineView

    with (
        suppress(Refused, StoreError),
        opened(Options(campaign=campaign), read_only=True) as (found, settings),
    ):
        reading = LineView(found, line_meant(found, settings, Options(), viewer)).called(viewer)
        yield from _each_as_a_word(asked(reading))


def _of_verb(before: Sequence[str], current: str, campaign: str | None) -> Iterable[str]:
    """Returns completions for a verb's arguments, except for options: names, sessions, views, threads."""
    match before[0]:
        case "help":
            return sorted(
                {*reading_verbs(current), *_verbs_at(campaign, current), "expect", "log", *HELP_TOPICS}
            )
        case "who":
            return (*_names(campaign, retired=bool(current)), *offered(_matters, campaign))
        case "proposals":
            return offered(_handles, campaign) if before[1:] else SHELL_VERBS["proposals"].words
        case "recap":
            return stretches([int(session[1:]) for session in offered(_sessions, campaign)], current)
        case "thread" | "place" | "thing" | "th" | "pl" as verb:
            sort = {"th": "thread", "pl": "place"}.get(verb, verb)
            kept = offered(lambda record: _matters(record, sort), campaign)
            more = ("into",) if before[1:] else ()
            placed = _names(campaign) if sort == "place" else ()  # in a game with zones
            return (*kept, *more, *placed)
        case verb:
            return words_after(verb) if verb in SHELL_VERBS else _names(campaign)


def words_after(verb: str) -> Iterable[str]:
    """Returns the words that may follow a verb of the command line; none for other verbs."""
    if verb == "show":
        from retold.projections.views import VIEWS

        return sorted(VIEWS)
    return TOPICS if verb == "stats" else SHELL_VERBS[verb].words if verb in SHELL_VERBS else ()


def _of_a_picture(before: Sequence[str], campaign: str | None) -> Iterable[str]:
    """Returns completions for a verb with a picture; none for its file, since shells then complete files."""
    valued = {n + 1 for n, word in enumerate(before) if _wants_a_value(word)}
    plain = [word for n, word in enumerate(before) if n not in valued and not word.startswith("--")]
    wanted = BEFORE_A_FILE[before[0]] - len(plain) + 1
    if wanted > 0:
        return _names(campaign) if before[0] == "portrait" else ()
    return () if wanted == 0 else ("alt=", "credit=")


def _wants_a_value(word: str) -> bool:
    """True for an option of a verb with a picture whose value is the next word."""
    return word.startswith("--") and "=" not in word and word not in ("--gm", "--check")


def _verbs_at(campaign: str | None, begun: str) -> Iterable[str]:
    """Returns the verbs to offer at the campaign's table that `begun` begins.

    Reads the campaign only if a game's verb is among them.
    """
    from retold.cli.help.games import games_played
    from retold.journal.offered_verbs import EVERYWHERE, offered_verbs

    every = [verb for verb in offered_verbs((), _guest_verbs) if verb.startswith(begun)]
    if set(every) <= {*EVERYWHERE}:
        return every
    return offered_verbs(frozenset(offered(games_played, campaign)), _guest_verbs)


def _guest_verbs(games: Collection[str]) -> Iterable[str]:
    """Returns verbs of guests, games from other packages; loads nothing if none is installed."""
    if not any(map(_brings_games, sys.path)):
        return ()
    from retold.journal.language.verbs import guest_verbs

    return guest_verbs(games)


def _brings_games(folder: str) -> bool:
    """True if a package installed in `folder` declares a `retold.games` entry point."""
    with suppress(OSError):
        for name in os.listdir(folder or "."):  # noqa: PTH208 -- importing pathlib takes longer than this function
            if name.endswith(("dist-info", "egg-info")):
                where = f"{folder}/{name}/entry_points.txt"
                with suppress(OSError), open(where, "rb") as points:  # noqa: PTH123 -- as above
                    if b"[retold.games]" in points.read():
                        return True
    return False


def _branches(campaign: str | None) -> Iterator[str]:
    yield "mainline"
    yield from offered(_forks, campaign)


def _forks(record: Record) -> Iterator[str | None]:
    from retold.journal.store.events.amendments import text_of

    for row in record.everything(("table.forked",)):
        yield text_of(row, json.loads(row.body)["data"]["name"])


def _names(campaign: str | None, *, retired: bool = False) -> Iterator[str]:
    """Yields `gm` and each cast member's name; with `retired` also retired people's names."""
    yield "gm"
    yield from offered(lambda record: _people(record, retired=retired), campaign)


def _people(record: Record, *, retired: bool) -> Iterator[str]:
    """Yields current names of the people on the branch this user writes to."""
    from retold.cli.campaigns.settings import Settings
    from retold.cli.verbs.log import Page, written_to

    line = written_to(record, Settings.of_user())
    head = record.head(line).position
    page = Page(record, line, 1, head, head)
    yield from (name for number, name in page.names.items() if retired or number not in page.retired)


def _drafts(record: Record) -> Iterator[str]:
    """Yields the names of the campaign's drafts."""
    from retold.journal.store.events.clock import Clock
    from retold.journal.store.writing.drafts import Drafts

    yield from Drafts(record, Clock()).names().values()


def _handles(record: Record) -> Iterator[str]:
    """Yields the four-letter ids of players' proposals that wait for an answer."""
    from retold.cli.campaigns.inbox import Inbox
    from retold.cli.campaigns.settings import Settings

    (begun,) = record.rows(1, 0, 1)
    campaign = json.loads(begun.body)["data"]["campaign"]
    inbox = Inbox.at(record.store.place, Settings.of_user().state, campaign)
    yield from (proposal.handle for proposal in inbox.waiting())


def _matters(record: Record, sort: str | None = None) -> Iterator[str | None]:
    """Yields names of threads, places and things on the user's branch; `sort` limits them to one kind."""
    from retold.cli.campaigns.settings import Settings
    from retold.cli.verbs.log import written_to
    from retold.journal.store.events.amendments import read_amendments

    line = written_to(record, Settings.of_user())
    stands = read_amendments(record, line)
    found: dict[int, str | None] = {}
    kinds = ("table.matter-opened", "table.matter-renamed", "table.matter-merged")
    for row in record.rows(line, 0, None, kinds):
        data = json.loads(row.body)["data"]
        about = data.get("about", row.position)
        if not stands.counts(row.position) or sort not in (None, data.get("sort", sort)):
            continue
        if "into" in data:
            found.pop(about, None)
        elif "sort" in data or about in found:
            found[about] = stands.text(row, data["name"])
    yield from found.values()


def _sessions(record: Record) -> Iterator[str | None]:
    yield from (session for session in _moments(record, ("table.session-opened",)) if session != "@")


def _moments(
    record: Record, kinds: Sequence[str] = ("table.session-opened", "table.marked")
) -> Iterator[str | None]:
    """Yields moments on the user's branch as typed: `@` (now), sessions such as `s3`, names of marks."""
    from retold.cli.campaigns.settings import Settings
    from retold.cli.verbs.log import written_to
    from retold.journal.store.events.amendments import read_amendments

    line = written_to(record, Settings.of_user())
    stands = read_amendments(record, line)
    yield "@"
    for row in record.rows(line, 0, None, kinds):
        if stands.counts(row.position):
            data = json.loads(row.body)["data"]
            yield stands.text(row, data["name"]) if "name" in data else f"s{data['session']}"


def offered(asked: Callable[[Record], Iterable[str | None]], campaign: str | None) -> Iterator[str]:
    """Yields the names that `asked` reads from a campaign's record, spaces replaced by hyphens.

    Yields nothing if the file cannot be read.
    """
    from retold.cli.campaigns.settings import Settings
    from retold.journal.refused import Refused
    from retold.journal.store import places
    from retold.journal.store.contract.errors import StoreError
    from retold.journal.store.events.record import Record

    with (
        suppress(Refused, StoreError),
        closing(places.opened(Settings.of_user().campaign(campaign), read_only=True)) as store,
    ):
        yield from _each_as_a_word(asked(Record(store)))


def _each_as_a_word(names: Iterable[str | None]) -> Iterator[str]:
    """Yields the printable names with hyphens for spaces; skips None and names with control characters."""
    for name in names:
        if name and name.isprintable():
            yield name.replace(" ", "-")
