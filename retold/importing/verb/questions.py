"""Questions about an imported log, asked at the terminal one by one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Final
from zoneinfo import available_timezones

from retold.importing.verb.people import OF_PEOPLE, PeopleAsking
from retold.importing.verb.prompts import BackError, Prompts, ReadAgain, cut, one_of, sample, say, size
from retold.journal.names import find
from retold.journal.refused import Refused
from retold.projections.texts import safe
from retold.sources.answers import NOBODY, UNKNOWN, Use, check_moment
from retold.sources.evenings import rule_of, zone_of
from retold.sources.languages import check_language
from retold.sources.plain_text import SHAPES, check_pattern
from retold.sources.questions import OFFERED_RULES, About, Edit, Question, questions, sessions_by, single
from retold.sources.survey import TRIED
from retold.sources.table import COLUMNS
from retold.sources.table_talk import ACTS
from retold.sources.times import Order
from retold.sources.unit import Unit

SHOWN: Final = 8
NOT_TOLD: Final[tuple[tuple[str, object], ...]] = (("game_master", []),)
"""Proposal of a log that does not say who the game master is."""


class Asking:
    """Open questions about a survey, asked one after the other."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def run(self) -> None:
        """Asks every open question; raises StoppedError if the user stops before the end.

        Raises ReadAgain if an answer is about the shape of the files.
        """
        people = PeopleAsking(self._prompts)
        for phase in (self._first_questions, people.all, people.audiences):
            asked = phase()
            before: list[str] = []
            while len(before) < len(asked):
                text = self._prompts.file.text
                try:
                    asked[len(before)]()
                except BackError:
                    self._go_back(before)
                else:
                    before.append(text)

    def _go_back(self, before: list[str]) -> None:
        """Takes the last answer out of the file; `before` has the texts before each answer."""
        now = self._prompts.file.text
        while before and before[-1] == now:  # what was settled already asked nothing
            before.pop()
        if before:
            self._prompts.number -= 2
            self._prompts.file.write(before.pop())
        else:
            self._prompts.number -= 1
            say(["   This is the first of these; an answer before it is mended in the file."])

    def count(self) -> int:
        """Number of questions that will be asked."""
        found = questions(self._prompts.answers, self._prompts.survey)
        asked = sum(one.is_needed or one.about is About.ACCOUNTS for one in found)
        masters = [one for one in found if one.about is About.GAME_MASTER and one.proposal == NOT_TOLD]
        has_people = any(one.about is About.PERSON for one in found)
        return asked - bool(masters and has_people)  # one of the people is the game master

    def _first_questions(self) -> list[Callable[[], None]]:
        found = questions(self._prompts.answers, self._prompts.survey)
        first = [one for one in found if one.about not in OF_PEOPLE]
        for taken in (one for one in first if not one.is_needed):
            self._prompts.file.set(single(taken), taken, self._prompts.survey.report.family)
        return [self._asker(one) for one in first if one.is_needed]

    def _asker(self, question: Question) -> Callable[[], None]:
        asks: dict[About, Callable[[Question], None]] = {
            About.PATTERN: self._ask_pattern,
            About.COLUMNS: self._ask_columns,
            About.DATES: self._ask_dates,
            About.BEGAN: self._ask_began,
            About.ZONE: self._ask_zone,
            About.LANGUAGE: self._ask_language,
            About.ACTS: self._ask_acts,
            About.SESSIONS: self._ask_sessions,
            About.GAME_MASTER: self._ask_game_master,
            About.UNMARKED: self._ask_unmarked,
            About.CHANNELS: self._ask_channels,
        }
        return lambda: asks[question.about](question)

    def _ask_pattern(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        lines = ["How is a line read?", "The first, by the shape in brackets:"]
        lines += [f"  {cut(_read_as(unit))}" for unit in self._prompts.survey.first[:TRIED]]
        lines.append("Is that right? Else type another shape; ? lists them.")
        about = "\n".join(
            [
                *SHAPES,
                "or a line of yours with Name and words in their places,",
                "or a regular expression with the groups (?P<name>…), (?P<words>…), and perhaps (?P<time>…).",
                "A line that does not fit goes on with the line above it. Written: pattern.",
            ]
        )

        def understood(typed: str) -> Iterable[Edit]:
            return [Edit(("pattern",), check_pattern(typed))]

        if (
            self._prompts.ask(question, lines, proposed, about, understood) != proposed
            and not self._prompts.takes_all
        ):
            raise ReadAgain

    def _ask_columns(self, question: Question) -> None:
        columns = dict(question.proposal)
        lines = ["What is in the columns of this table?"]
        lines += [f"  {column}: {heading}" for column, heading in columns.items()]
        lines.append("Is that so? Else say each, as: name=Who words=Text time=Date")
        about = (
            "name: who speaks; words: what was said; time and channel, if there are any. Written: [columns]."
        )

        def understood(typed: str) -> Iterable[Edit]:
            said = dict(re.findall(r"(\w+)=(.*?)(?=\s+\w+=|$)", typed))
            if "words" not in said or not said.keys() <= set(COLUMNS):
                raise Refused(f"Say name=HEADING words=HEADING; there are {', '.join(COLUMNS)}.")
            headings = self._prompts.survey.all_headings
            return [Edit(("columns", column), one_of(heading, headings)) for column, heading in said.items()]

        if self._prompts.ask(question, lines, "", about, understood, as_is="yes"):
            raise ReadAgain
        self._prompts.set(
            [Edit(("columns", column), heading) for column, heading in columns.items()], question
        )

    def _ask_dates(self, question: Question) -> None:
        lines = ["A date such as 3/1/2026: which number comes first, the day or the month?"]
        about = "No date in the file has a number above 12 that would tell. Written: dates."

        def understood(typed: str) -> Iterable[Edit]:
            order = next((one for one in Order if one.value.startswith(typed.casefold())), None)
            if order is None:
                raise Refused("Say day or month.")
            return [Edit(("dates",), order.value)]

        self._prompts.ask(question, lines, "month", about, understood)
        raise ReadAgain  # unreadable times mark where sessions begin

    def _ask_began(self, question: Question) -> None:
        lines = [question.text, "  Such as 2026-03-01 19:30, or unknown."]
        about = "The file says how much time passes, or the hour, but never the day. Written: began."

        def understood(typed: str) -> Iterable[Edit]:
            return [Edit(("began",), check_moment(typed))]

        ((_, proposed),) = question.proposal
        self._prompts.ask(question, lines, proposed, about, understood)
        if self._prompts.answers.began not in ("", UNKNOWN):
            raise ReadAgain  # the times that follow from it say where sessions begin

    def _ask_zone(self, question: Question) -> None:
        here = _zone_here()
        lines = ["Which time zone are the times in? A city will do, such as Lisbon or New York."]
        about = "The file has local times without one. The record keeps when it was played. Written: zone."
        self._prompts.ask(question, lines, here, about, lambda typed: [Edit(("zone",), _zone_named(typed))])

    def _ask_language(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        lines = ["In which language are the words? Its tag, such as es, de or pt-BR."]
        about = (
            "Pages, hyphenation and, where Retold has phrases in it, the telling are in that language; later"
            " option table.language says another. Written: language."
        )

        def understood(typed: str) -> Iterable[Edit]:
            return [Edit(("language",), check_language(typed))]

        self._prompts.ask(question, lines, proposed, about, understood)

    def _ask_acts(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        lines = ["These have no quotation marks. Are they acts (told) or speech (said)?"]
        lines += [f"  {cut(one)}" for one in self._prompts.survey.acts[:SHOWN]]
        about = "Acts are told of the character: I go in, Osk goes in. Written: [kinds]."

        def understood(typed: str) -> Iterable[Edit]:
            return [Edit(("kinds", ACTS), one_of(typed, ("told", "said")))]

        self._prompts.ask(question, lines, proposed, about, understood)

    def _ask_sessions(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        counts = ", ".join(f"{rule}: {sessions_by(rule, self._prompts.survey):,}" for rule in OFFERED_RULES)
        lines = ["Days pass between most lines. Where do sessions begin?", f"  How many there are: {counts}."]
        about = "Or gap 12h, gap 30min, at 2026-03-01T19:00 (several with blanks). Written: sessions."

        def understood(typed: str) -> Iterable[Edit]:
            rule_of(typed)
            return [Edit(("sessions",), typed)]

        self._prompts.ask(question, lines, proposed, about, understood)

    def _ask_game_master(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        lines = [
            "Who is the game master?",
            "These speak:" if proposed else "The log does not say. These speak:",
        ]
        shown = self._prompts.survey.by_size[:SHOWN]
        lines += [f"  {size(one)}{sample(one)}" for one in shown]
        more = len(self._prompts.survey.speakers) - len(shown)
        if more > 0:
            lines.append(f"  and {more:,} more")
        about = (
            "Their lines tell the story, and what is hidden is theirs. Several with commas; nobody, if the"
            " game has none. Written: game_master."
        )

        def understood(typed: str) -> Iterable[Edit]:
            if typed.casefold() == NOBODY:
                return [Edit(("game_master",), (NOBODY,))]
            names = [one.strip() for one in re.split(r",|\+", typed) if one.strip()]
            return [Edit(("game_master",), tuple(self._label(name) for name in names))]

        refused = "" if proposed else self._unknown_game_master()
        choices = "" if proposed else "a label, or nobody"
        self._prompts.ask(
            question, lines, ", ".join(proposed), about, understood, choices=choices, refused=refused
        )

    def _unknown_game_master(self) -> str:
        """Sentence for --yes, which guesses no game master: what to type."""
        labels = [one.label for one in self._prompts.survey.by_size if not one.is_bot]
        named = ", ".join(map(safe.line, labels[:SHOWN]))
        more = len(labels) - SHOWN
        return (
            "Nothing in the log says who the game master is, and --yes does not guess it. Say it with"
            " --game-master LABEL (--game-master nobody, if there is none), or write"
            f' game_master = ["LABEL"] into {self._prompts.file.path}. Labels: {named}'
            f"{f' and {more:,} more' if more > 0 else ''}."
        )

    def _ask_unmarked(self, question: Question) -> None:
        lines = [
            "The file does not mark all that was hidden. Who may see what is not marked?",
            "  table: everybody. Right if the players saw the log as it is here.",
            "  gm: the game master alone, all of it. Right if secrets stand in it.",
        ]
        about = (
            "What players have read cannot be taken back. What is hidden, reveal opens act by act; if that is"
            " too much work, take the log into a new campaign and answer table. Written: unmarked."
        )
        if self._prompts.answers.game_master == (NOBODY,):
            return

        def understood(typed: str) -> Iterable[Edit]:
            return [Edit(("unmarked",), one_of(typed, ("gm", "table")))]

        self._prompts.ask(question, lines, "gm", about, understood, choices="table or gm")

    def _ask_channels(self, question: Question) -> None:
        uses = {channel: Use(value) for channel, value in question.proposal}
        about = (
            "story: play. aside: words out of character. dice: throws. notes: the game master's. skip: left"
            " out. Written: [channels]."
        )

        def understood(typed: str) -> Iterable[Edit]:
            name, _, use = typed.rpartition(" ")
            chosen = Use(one_of(use, [one.value for one in Use]))
            uses[find(name, {one: (one,) for one in uses})] = chosen
            return []

        while True:
            lines = ["What is in the channels?"]
            lines += [f"  {channel}: {use}" for channel, use in uses.items()]
            lines += ["Is that so? Else name one with what it is, as: side-talk aside"]
            as_is = (
                ", ".join(f"{name}: {use}" for name, use in uses.items())
                if self._prompts.takes_all
                else "yes"
            )
            if not self._prompts.ask(question, lines, "", about, understood, is_written=False, as_is=as_is):
                break
            self._prompts.number -= 1
        self._prompts.set([Edit(("channels", channel), use.value) for channel, use in uses.items()], question)

    def _label(self, typed: str) -> str:
        return find(typed, {one.label: (one.label,) for one in self._prompts.survey.by_size})


def _read_as(unit: Unit) -> str:
    """Unit in one text line, as the reader understood it."""
    if unit.speaker:
        return f"{unit.speaker}: {unit.text}"
    return f"({'unread' if unit.unread else unit.sort}) {unit.text or unit.raw}"


def _zone_here() -> str:
    """Time zone of this computer, as a proposal; UTC if unknown."""
    import logging
    import warnings

    from tzlocal import get_localzone_name

    logging.getLogger("tzlocal").setLevel(logging.ERROR)  # it warns of files that a system has left behind
    try:
        with warnings.catch_warnings(action="ignore"):  # as above
            named = os.environ.get("TZ", "").removeprefix(":") or get_localzone_name() or ""
        zone_of(named)
    except (Refused, LookupError, OSError):
        return "UTC"
    return named


def _zone_named(typed: str) -> str:
    """IANA name of a zone, typed as this name or as a city. Raises Refused unless one zone matches."""
    zones = sorted(available_timezones())
    wanted = typed.strip().casefold().replace(" ", "_")
    exact = [zone for zone in zones if zone.casefold() == wanted]
    cities = [zone for zone in zones if zone.casefold().rpartition("/")[2] == wanted and "/" in zone]
    lasting = [zone for zone in cities if not zone.startswith(("posix/", "right/", "US/"))] or cities
    if exact or len(lasting) == 1:
        return (exact or lasting)[0]
    if lasting:
        raise Refused(f"{typed} may be {' or '.join(lasting)}.")
    zone_of(typed)
    return typed
