"""Questions about a log that comes in, asked at the terminal one by one."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from cli.import_answers import AnswersFile
from cli.printing import fitted
from journal.names import find
from journal.refused import Refused, none_if_refused
from projections import safe
from retold.sources.answers import (
    NOBODY,
    Answers,
    Use,
    begun,
    read_answers,
    with_answers,
)
from retold.sources.encodings import UnknownEncodingError, check_encoding, readings
from retold.sources.evenings import rule_of, zone_of
from retold.sources.plain_text import PATTERNS, check_pattern
from retold.sources.questions import (
    OFFERED_RULES,
    About,
    Edit,
    Question,
    Role,
    Said,
    account_edits,
    edits,
    is_open,
    likely,
    names_known,
    questions,
    sessions_by,
    single,
)
from retold.sources.sniffing import Reader
from retold.sources.survey import TRIED, Speaker, Survey
from retold.sources.table import COLUMNS
from retold.sources.times import Order

SHOWN: Final = 8
SHOWN_TOGETHER: Final = 20
MOST_WORDS: Final = 3
"""Words of a name that is proposed."""
SHORT: Final = 64
"""Characters of a sample line."""
OFFERED: Final = "plays NAME · by NAME · is NAME · player · npc · gm · bot · nobody · all npc · back · ?"
EXPLAINED: Final = """\
plays Zel   it is a player; Zel is the character they play
by Jon      it is a character; Jon is the player
is Zel      it is Zel, under another label
player      a player who speaks under their own name, whose character has no other
npc         a character without a player: the game master's
gm          the game master, under another label
bot         a program: its answers are throws, or nobody's words
nobody      leave its lines out; they are counted as skipped
all npc     this one and all that are left are npcs
back        the question before, once more"""


class StoppedError(Exception):
    """Raised if the user ends the questions before the last one."""


class ReadAgain(Exception):  # noqa: N818 - an answer and no error
    """Raised if an answer changes how the files are read, so that they have to be read again."""


class Asking:
    """Questions at the terminal, one by one; each answer is in the file before the next is asked."""

    def __init__(
        self, file: AnswersFile, survey: Survey, read_line: Callable[[], str], *, takes_all: bool
    ) -> None:
        """With `takes_all` every proposal is taken, and nothing is asked."""
        self._file = file
        self._survey = survey
        self._read_line = read_line
        self._takes_all = takes_all
        self._number = 0

    def run(self) -> None:
        """Asks everything that is open; raises StoppedError if the user stops before the end.

        Raises ReadAgain if an answer is about the shape of the files.
        """
        for phase in (self._first_questions, self._questions_of_people):
            asked = phase()
            before: list[str] = []
            while len(before) < len(asked):
                text = self._file.text
                try:
                    asked[len(before)]()
                except _BackError:
                    self._go_back(before)
                else:
                    before.append(text)

    def _go_back(self, before: list[str]) -> None:
        """Takes the last answer out of the file; `before` has the texts before each answer."""
        now = self._file.text
        while before and before[-1] == now:  # what was settled already asked nothing
            before.pop()
        if before:
            self._number -= 2
            self._file.write(before.pop())
        else:
            self._number -= 1
            _say(["   This is the first of these; an answer before it is mended in the file."])

    @property
    def _answers(self) -> Answers:
        return self._file.answers

    def count(self) -> int:
        """Number of questions that will be asked."""
        found = questions(self._answers, self._survey)
        needed = [one for one in found if one.is_needed and one.about is not About.PERSON]
        people = [one for one in found if one.about is About.PERSON or one.about is About.ACCOUNTS]
        rare = any(one.is_rare for one in people)
        return len(needed) + len([one for one in people if not one.is_rare]) + rare

    # --- what is asked first ---

    def _first_questions(self) -> list[Callable[[], None]]:
        found = questions(self._answers, self._survey)
        first = [one for one in found if one.about not in (About.PERSON, About.ACCOUNTS)]
        for taken in (one for one in first if not one.is_needed):
            self._file.set(single(taken), taken, self._survey.report.family)
        return [self._asker(one) for one in first if one.is_needed]

    def _asker(self, question: Question) -> Callable[[], None]:
        asks: dict[About, Callable[[Question], None]] = {
            About.PATTERN: self._ask_pattern,
            About.COLUMNS: self._ask_columns,
            About.DATES: self._ask_dates,
            About.ZONE: self._ask_zone,
            About.SESSIONS: self._ask_sessions,
            About.GAME_MASTER: self._ask_game_master,
            About.UNMARKED: self._ask_unmarked,
            About.CHANNELS: self._ask_channels,
        }
        return lambda: asks[question.about](question)

    def _ask_pattern(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        lines = [f"Every line is read as: {safe.line(proposed)}", "  The first:"]
        for unit in self._survey.first[:TRIED]:
            read_as = (
                f"{unit.speaker}: {unit.text}" if unit.speaker else f"({unit.sort}) {unit.text or unit.raw}"
            )
            lines.append(f"    {_cut(read_as)}")
        fitting = [pattern.example for pattern in PATTERNS if pattern.example != proposed]
        lines += ["  Enter if that is right. Else type one of these, or a regular expression of your own:"]
        lines += [f"    {safe.line(one)}" for one in fitting]
        about = (
            "A regular expression has the groups (?P<name>…) and (?P<words>…), and perhaps (?P<time>…). A"
            " line that does not fit goes on with the line above it. Written: pattern."
        )

        def understood(typed: str) -> Iterable[Edit]:
            return [Edit(("pattern",), check_pattern(typed))]

        if self._ask(question, lines, proposed, about, understood) != proposed and not self._takes_all:
            raise ReadAgain

    def _ask_columns(self, question: Question) -> None:
        columns = dict(question.proposal)
        lines = ["What stands in the columns of this table?"]
        lines += [f"  {column}: {safe.line(heading)}" for column, heading in columns.items()]
        lines.append("Is that so? Else say each, as: name=Who words=Text time=Date")
        about = (
            "name: who speaks; words: what was said; time and channel, if there are any. Written: [columns]."
        )

        def understood(typed: str) -> Iterable[Edit]:
            said = dict(re.findall(r"(\w+)=(.*?)(?=\s+\w+=|$)", typed))
            if "words" not in said or not said.keys() <= set(COLUMNS):
                raise Refused(f"Say name=HEADING words=HEADING; there are {', '.join(COLUMNS)}.")
            return [Edit(("columns", column), heading.strip()) for column, heading in said.items()]

        if self._ask(question, lines, "", about, understood, as_is="yes"):
            raise ReadAgain
        self._set([Edit(("columns", column), heading) for column, heading in columns.items()], question)

    def _ask_dates(self, question: Question) -> None:
        lines = ["A date such as 3/1/2026: which number comes first, the day or the month?"]
        about = "No date in the file has a number above 12 that would tell. Written: dates."

        def understood(typed: str) -> Iterable[Edit]:
            order = next((one for one in Order if one.value.startswith(typed.casefold())), None)
            if order is None:
                raise Refused("Say day or month.")
            return [Edit(("dates",), order.value)]

        self._ask(question, lines, "month", about, understood)
        raise ReadAgain  # times that nobody could read say where sessions begin

    def _ask_zone(self, question: Question) -> None:
        here = _zone_here()
        lines = ["Which time zone are the times in? A city will do, such as Lisbon or New York."]
        about = "The file has local times without one. The record keeps when it was played. Written: zone."
        self._ask(question, lines, here, about, lambda typed: [Edit(("zone",), _zone_named(typed))])

    def _ask_sessions(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        counts = ", ".join(f"{rule}: {sessions_by(rule, self._survey):,}" for rule in OFFERED_RULES)
        lines = ["Days pass between most lines. Where do sessions begin?", f"  How many there are: {counts}."]
        about = "Or gap 12h, gap 30min, at 2026-03-01T19:00 (several with blanks). Written: sessions."

        def understood(typed: str) -> Iterable[Edit]:
            rule_of(typed)
            return [Edit(("sessions",), typed)]

        self._ask(question, lines, proposed, about, understood)

    def _ask_game_master(self, question: Question) -> None:
        ((_, proposed),) = question.proposal
        lines = ["Who is the game master?", "These speak:"]
        shown = self._survey.by_size[:SHOWN]
        lines += [f"  {_size(one)}{_sample(one)}" for one in shown]
        more = len(self._survey.speakers) - len(shown)
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

        self._ask(question, lines, ", ".join(proposed), about, understood)

    def _ask_unmarked(self, question: Question) -> None:
        lines = [
            "The file does not say what was hidden (whispers, secret rolls). Who may see all of it?",
            "  gm: the game master alone, who reveals later · table: everybody",
        ]
        about = "What players have, they have: gm is the careful answer. Written: unmarked."

        def understood(typed: str) -> Iterable[Edit]:
            chosen = _one_of(typed, ("gm", "table"))
            return [Edit(("unmarked",), chosen)]

        self._ask(question, lines, "gm", about, understood)

    def _ask_channels(self, question: Question) -> None:
        uses = {channel: Use(value) for channel, value in question.proposal}
        about = (
            "story: play. aside: words out of character. dice: throws. notes: the game master's. skip: left"
            " out. Written: [channels]."
        )

        def understood(typed: str) -> Iterable[Edit]:
            name, _, use = typed.rpartition(" ")
            chosen = Use(_one_of(use, [one.value for one in Use]))
            uses[find(name, {one: (one,) for one in uses})] = chosen
            return []

        while True:
            lines = ["What is in the channels?"]
            lines += [f"  {safe.line(channel)}: {use}" for channel, use in uses.items()]
            lines += ["Is that so? Else name one with what it is, as: side-talk aside"]
            if not self._ask(question, lines, "", about, understood, is_written=False, as_is="yes"):
                break
            self._number -= 1
        self._set([Edit(("channels", channel), use.value) for channel, use in uses.items()], question)

    # --- people ---

    def _questions_of_people(self) -> list[Callable[[], None]]:
        found = questions(self._answers, self._survey)
        people = [one for one in found if one.about in (About.PERSON, About.ACCOUNTS)]
        asked = [self._asker_of(one) for one in people if not one.is_rare]
        rare = [one for one in people if one.is_rare]
        if len(rare) == 1:
            return [*asked, self._asker_of(rare[0])]
        return [*asked, lambda: self._ask_rare(rare)] if rare else asked

    def _asker_of(self, question: Question) -> Callable[[], None]:
        if question.about is About.ACCOUNTS:
            return lambda: self._ask_accounts(question)
        return lambda: self._ask_person(question)

    def _is_settled(self, speaker: Speaker) -> bool:
        name = self._answers.person_of(speaker.label)
        known = self._answers.people.get(name or "")
        return not is_open(speaker, self._answers) and (known is None or bool(known.plays or known.role))

    def _ask_person(self, question: Question) -> None:
        speaker = question.speaker
        if speaker is None or self._is_settled(speaker):
            return
        said = likely(speaker, self._answers, self._survey)
        name = safe.line(speaker.label)
        lines = [f"Who is {name}? {_size(speaker, named=False)}"]
        lines += [f"    {_cut(sample)}" for sample in speaker.samples]
        lines += [f"  {OFFERED}"]

        def understood(typed: str) -> Iterable[Edit]:
            if " ".join(typed.casefold().split()) == "all npc":
                return self._all_npcs()
            return edits(self._said(typed, speaker), speaker, self._answers, self._survey)

        self._ask(question, lines, str(said), EXPLAINED, understood)

    def _all_npcs(self) -> list[Edit]:
        made: list[Edit] = []
        for question in questions(self._answers, self._survey):
            speaker = question.speaker
            if question.about is About.PERSON and speaker is not None:
                said = likely(speaker, self._answers, self._survey)
                said = said if said.role in (Role.BOT, Role.IS) else Said(Role.NPC)
                answers = read_answers(with_answers(self._file.text, made), "")
                made += edits(said, speaker, answers, self._survey)
        return made

    def _ask_rare(self, rare: Sequence[Question]) -> None:
        left = [one for one in rare if one.speaker is not None and not self._is_settled(one.speaker)]
        while left:
            lines = ["Who are those that speak three times or less?"]
            lines += [
                f"  {_size(one.speaker)}{_sample(one.speaker)}"
                for one in left[:SHOWN_TOGETHER]
                if one.speaker
            ]
            if len(left) > SHOWN_TOGETHER:
                lines.append(f"  and {len(left) - SHOWN_TOGETHER:,} more")
            lines.append("If one of them is no npc, name it with what it is, as: Zel by Jon")

            def understood(typed: str) -> Iterable[Edit]:
                speaker, said = self._named_and_said(typed, [one.speaker for one in rare if one.speaker])
                return edits(said, speaker, self._answers, self._survey)

            if not self._ask(left[0], lines, "", EXPLAINED, understood, as_is="all npc"):
                break
            self._number -= 1
            left = [one for one in left if one.speaker and not self._is_settled(one.speaker)]
        for one in left:
            if one.speaker is not None:
                self._set(edits(Said(Role.NPC), one.speaker, self._answers, self._survey), one)

    def _named_and_said(self, typed: str, speakers: Sequence[Speaker]) -> tuple[Speaker, Said]:
        """Speaker and what is said of them, from `Zel the Quick by Jon`."""
        words = typed.split()
        for place, word in enumerate(words[1:], start=1):
            if word.casefold() in {role.value for role in Role}:
                labels = {speaker.label: (speaker.label,) for speaker in speakers}
                label = find(" ".join(words[:place]), labels)
                speaker = next(one for one in speakers if one.label == label)
                return speaker, self._said(" ".join(words[place:]), speaker)
        raise Refused("Name one of them and what it is, as: Zel by Jon, or Pell is Zel.")

    def _ask_accounts(self, question: Question) -> None:
        speaker = question.speaker
        if speaker is None or not is_open(speaker, self._answers):
            return
        name = safe.line(speaker.label)
        lines = [f"{name} is the name of {len(speaker.accounts)} accounts:"]
        accounts = list(speaker.accounts)
        lines += [
            f"  {number}. {speaker.accounts[account]:,}: {_cut(speaker.sampled.get(account, ''))}"
            for number, account in enumerate(accounts, start=1)
        ]
        lines.append("Are they one person? Else give each a name, in this order, with commas.")

        def understood(typed: str) -> Iterable[Edit]:
            names = [one.strip() for one in typed.split(",") if one.strip()]
            if len(names) != len(accounts):
                raise Refused(f"Give {len(accounts)} names with commas, or Enter alone.")
            made: list[Edit] = []
            for called, account in zip(names, accounts, strict=True):
                answers = read_answers(with_answers(begun(self._file.text, ""), made), "")
                theirs = answers.people[called].labels if called in answers.people else ()
                if called != speaker.label:
                    made.append(Edit(("people", called, "labels"), (*theirs, speaker.label)))
                made.append(Edit(("people", called, "plays"), called))
                made += account_edits(called, [account], answers)
            return made

        about = "Two people may have one name. Written: [people], [accounts]."
        self._ask(question, lines, "", about, understood, as_is="one person")

    def _said(self, typed: str, speaker: Speaker) -> Said:
        word, _, name = typed.strip().partition(" ")
        role = next((one for one in Role if one.value == word.casefold()), None)
        name = name.strip()
        if role is None:
            if len(typed.split()) > MOST_WORDS:
                raise Refused(f"Begin with one of {', '.join(Role)}; ? explains them.")
            raise Refused(
                f"Did you mean plays {typed} (their character), by {typed} (their player) or is {typed} (one"
                " person)?"
            )
        if role not in (Role.BY, Role.PLAYS, Role.IS):
            if name:
                raise Refused(f"{role} stands alone.")
            return Said(role)
        if not name:
            raise Refused(f"Say a name behind it: {role} NAME.")
        known = names_known(self._answers, self._survey)
        if role is Role.IS:
            return Said(
                role, find(name, {key: labels for key, labels in known.items() if key != speaker.label})
            )
        if role is Role.PLAYS:
            exact = [key for key in known if key.casefold() == name.casefold()]
            return Said(role, exact[0] if exact else name)
        return Said(role, name)

    # --- one question ---

    def _label(self, typed: str) -> str:
        names = {one.label: (one.label,) for one in self._survey.by_size}
        return find(typed, names)

    def _set(self, made: Iterable[Edit], question: Question) -> None:
        self._file.set(made, question, self._survey.report.family)

    def _ask(
        self,
        question: Question,
        lines: Sequence[str],
        proposed: str,
        about: str,
        understood: Callable[[str], Iterable[Edit]],
        *,
        is_written: bool = True,
        as_is: str = "",
    ) -> str:
        """Asks until the answer is understood, writes it, and returns it; Enter alone takes the proposal.

        Without a proposal Enter returns an empty text; `as_is` says in a word what that means.
        """
        self._number += 1
        if self._takes_all:
            if proposed and is_written:
                self._set(understood(proposed), question)
            _say([f"{lines[0]} {proposed or as_is}"])
            return ""
        _say(["", f"{self._number}. {lines[0]}", *(f"   {line}" for line in lines[1:])])
        while True:
            sys.stderr.write(f"   [{safe.line(proposed or as_is)}] ")
            sys.stderr.flush()
            typed = self._read_line()
            if not typed:
                raise StoppedError
            typed = typed.strip()
            if typed == "?":
                _say([f"   {line}" for line in about.splitlines()])
                continue
            if typed.casefold() == "back":
                raise _BackError
            if not typed and not proposed:
                return ""
            try:
                made = list(understood(typed or proposed))
                if is_written:
                    self._set(made, question)
            except Refused as refusal:
                _say([f"   {sentence}" for sentence in refusal.sentences])
                continue
            return typed or proposed


def ask_encoding(error: UnknownEncodingError, read_line: Callable[[], str] | None) -> list[Any]:
    """Asks for the encoding of a file, with a line of it in each possible one; returns what is written.

    Without `read_line` returns the sentences of a refusal instead.
    """
    found = readings(error.data)
    shown = [f"  {encoding}: {_cut(line)}" for encoding, line in found.items()]
    if read_line is None:
        return [f"{error} On the command line: --encoding NAME.", *(line.strip() for line in shown)]
    _say(["", str(error), *shown])
    while True:
        sys.stderr.write("   Which one is right? > ")
        sys.stderr.flush()
        typed = read_line()
        if not typed:
            raise StoppedError
        name = none_if_refused(partial(_one_of, typed.strip(), list(found))) or typed.strip()
        try:
            return [Edit(("encoding",), check_encoding(name))]
        except Refused as refusal:
            _say([f"   {refusal}"])


def ask_format(name: str, readers: Sequence[Reader], read_line: Callable[[], str]) -> Reader:
    """Asks which of several readers is right for a file."""
    _say(["", f"{safe.line(name)} may be:", *(f"  {one.name}: {one.title}" for one in readers)])
    while True:
        sys.stderr.write("   Which one is it? > ")
        sys.stderr.flush()
        typed = read_line()
        if not typed:
            raise StoppedError
        try:
            chosen = _one_of(typed.strip(), [one.name for one in readers])
        except Refused as refusal:
            _say([f"   {refusal}"])
            continue
        return next(one for one in readers if one.name == chosen)


def ask_title(proposed: str, read_line: Callable[[], str]) -> str:
    """Asks for the title of a new campaign."""
    sys.stderr.write(f"The new campaign's title? [{safe.line(proposed)}] ")
    sys.stderr.flush()
    typed = read_line()
    if not typed:
        raise StoppedError
    return typed.strip() or proposed


class _BackError(Exception):
    """Raised if the user wants the question before."""


def _say(lines: Iterable[str]) -> None:
    sys.stderr.writelines(f"{line}\n" for line in fitted(lines, sys.stderr))


def _cut(text: str) -> str:
    line = safe.line(" ".join(text.split()))
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"


def _size(speaker: Speaker, *, named: bool = True) -> str:
    if speaker.whispers:
        many = "once" if speaker.whispers == 1 else f"{speaker.whispers:,} times"
        return f"It never speaks; something hidden was for it, {many}."
    units = f"{speaker.units:,} {'unit' if speaker.units == 1 else 'units'}"
    throws = f", {speaker.throws:,} {'throw' if speaker.throws == 1 else 'throws'}" if speaker.throws else ""
    return f"{safe.line(speaker.label)}, {units}{throws}" if named else f"{units}{throws}."


def _sample(speaker: Speaker) -> str:
    return f": {_cut(speaker.samples[0])}" if speaker.samples else ""


def _one_of(typed: str, words: Sequence[str]) -> str:
    return find(typed, {word: (word,) for word in words})


def _zone_here() -> str:
    """Time zone that this computer is set to, as a proposal; UTC if it does not say."""
    import os

    named = os.environ.get("TZ", "").removeprefix(":")
    if not named:
        _, found, named = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")
        named = named if found else ""
    try:
        zone_of(named)
    except Refused:
        return "UTC"
    return named


def _zone_named(typed: str) -> str:
    """IANA name of the zone that is meant: the name itself, or a city's. Raises Refused if none is."""
    from zoneinfo import available_timezones

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
