"""A log that is brought in on a page: read, asked about question by question, checked, recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Final, NamedTuple

from retold.importing.campaign import ImportsOfCampaign
from retold.importing.taking_in import take_in
from retold.importing.verb.answers import AnswersFile
from retold.importing.verb.prompts import BackError, Prompts, ReadAgain, cut
from retold.importing.verb.questions import Asking
from retold.journal.encodings import UnknownEncodingError, check_encoding, readings
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import StoreError
from retold.sources import Source, read
from retold.sources.answers import NOBODY
from retold.sources.questions import About, Edit, Question, Role
from retold.sources.sniffing import UnclearError
from retold.sources.survey import Survey, survey

BACK: Final = "back"
"""Answer of who goes back to the question before."""
ROLES: Final = {
    Role.BY.value: "a character: name the player below",
    Role.PLAYS.value: "a player: name the character below",
    Role.IS.value: "somebody who has another name: name them below",
    Role.NPC.value: "a character of the game master",
    Role.PLAYER.value: "a player without another name",
    Role.GM.value: "the game master",
    Role.BOT.value: "a program, whose answers are throws",
    Role.NOBODY.value: "nobody: these lines are left out",
    "all npc": "a character of the game master, and so are all that are left",
}
NAMED: Final = (Role.BY, Role.PLAYS, Role.IS)


Make = Callable[[str, Callable[[ImportsOfCampaign], object]], Address]
"""Makes a campaign of a title, filled by a function."""


class CancelledError(Exception):
    """Raised in the log's thread if its user gives it up."""


class Asked(NamedTuple):
    """A question as a page shows it."""

    lines: Sequence[str]
    """The question, and the lines of the log that it is about."""
    proposed: str = ""
    about: str = ""
    """What may be answered, and where the answer is written."""
    choices: Sequence[str] = ()
    """Answers of which one is right, or several if `are_many`."""
    are_many: bool = False
    roles: Mapping[str, str] = {}
    """Answers about a person, each in words; those of `NAMED` want a name behind them."""
    speakers: Sequence[str] = ()
    """People of whom one is chosen for the answer; none where it is clear who is meant."""
    refusal: str = ""
    """Why the answer before was not understood."""


class LogOnPage:
    """A log in a folder of its own, and how far it has come: a thread reads it, and waits for answers."""

    def __init__(self, path: Path, make: Make) -> None:
        """Begins to read the log at `path`; `make` makes a campaign of this title, filled by a function."""
        self.path = path
        self.asked: Asked | None = None
        """The question that waits for its answer."""
        self.report: Sequence[str] = ()
        """What would come in, or came in; of a log that cannot, why."""
        self.made: Address | None = None
        self.has_failed = False
        self.done = self.total = 0
        self.title = path.stem.replace("-", " ").replace("_", " ").title()
        self._make = make
        self._answers: Queue[str] = Queue()
        self._waits = Event()
        self._is_over = False
        self._file = AnswersFile(path.parent / "answers.import.toml")
        self._sources: list[Source] = []
        self._work(self._look)

    @property
    def is_ready(self) -> bool:
        """True if nothing is open, and nothing is recorded yet."""
        return bool(self.report) and self.made is None and not self.has_failed

    def settle(self, seconds: float) -> None:
        """Waits until it needs its user, or is done; at most so many seconds."""
        self._waits.wait(seconds)

    def answer(self, typed: str) -> None:
        """Answers the question that waits; without one it changes nothing."""
        if self.asked is not None:
            self.asked = None
            self._waits.clear()
            self._answers.put(typed)

    def record(self, title: str) -> None:
        """Records the log in a new campaign of this title; nothing is left of it if that fails."""
        if self.is_ready:
            self.title, self.report = title.strip() or self.title, ()
            self._work(self._record)

    def cancel(self) -> None:
        """Ends the reading or the recording; nothing is left recorded."""
        self._is_over = True
        self._answers.put("")

    # --- in its thread ------------------------------------------------------------------------------------

    def _work(self, act: Callable[[], None]) -> None:
        self._waits.clear()
        Thread(target=self._carry_out, args=(act,), daemon=True).start()

    def _carry_out(self, act: Callable[[], None]) -> None:
        try:
            act()
        except CancelledError:
            self.has_failed, self.report = True, ("Given up; nothing is recorded.",)
        except (Refused, StoreError) as error:
            sentences = error.sentences if isinstance(error, Refused) else (str(error),)
            self.has_failed, self.report = True, sentences
        except Exception as error:  # noqa: BLE001 -- nobody else would hear of it
            told = f"Something went wrong that should not have ({type(error).__name__}); nothing is recorded."
            self.has_failed, self.report = True, (told,)
        self._waits.set()

    def _look(self) -> None:
        while True:
            found = self._surveyed()
            try:
                Asking(_PagePrompts(self._file, found, self.ask)).run()
            except ReadAgain:
                continue
            break
        self.report = [*take_in(None, self._sources, self._file.answers, check=True).lines()]

    def _surveyed(self) -> Survey:
        while True:
            self._sources = [self._source().keeping()]
            try:
                found = survey(self._sources, self._file.answers, tell=lambda done, _: self._tell(done, 0))
            except UnknownEncodingError as error:
                ways = readings(error.data)
                lines = [
                    f"{error} Which of these is right?",
                    *(f"{one}: {cut(line)}" for one, line in ways.items()),
                ]
                typed = self.ask(Asked(lines, choices=[*ways]))
                self._file.set([Edit(("encoding",), check_encoding(typed))])
                continue
            found.report.check_told()
            return found

    def _source(self) -> Source:
        answers = self._file.answers
        try:
            return read(self.path, format=answers.format, hints=answers.hints)
        except UnclearError as error:
            lines = ["What is this file?", *(f"{one.name}: {one.title}" for one in error.readers)]
            typed = self.ask(Asked(lines, choices=[one.name for one in error.readers]))
            family = next((one.family for one in error.readers if one.name == typed), "")
        self._file.set([Edit(("format",), typed)], family=family)
        return self._source()

    def ask(self, asked: Asked) -> str:
        """Shows a question, and waits for its answer; CancelledError if the log is given up."""
        self.asked = asked
        self._waits.set()
        typed = self._answers.get()
        self._tell(0, 0)
        return typed

    def _tell(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if self._is_over:
            raise CancelledError

    def _record(self) -> None:
        came: list[str] = []

        def fill(campaign: ImportsOfCampaign) -> None:
            came.extend(campaign.take_in(self._sources, self._file.answers, tell=self._tell).lines())

        self.made = self._make(self.title, fill)
        self.report = came


class _PagePrompts(Prompts):
    """Prompts whose questions are asked on a page."""

    def __init__(self, file: AnswersFile, found: Survey, ask: Callable[[Asked], str]) -> None:
        super().__init__(file, found, str, takes_all=False)
        self._ask = ask

    def ask(
        self,
        question: Question,
        lines: Sequence[str],
        proposed: str,
        about: str,
        understood: Callable[[str], Iterable[Edit]],
        *,
        is_written: bool = True,
        as_is: str = "",
        choices: str = "",
        refused: str = "",
    ) -> str:
        """Asks until the answer is understood, as at the terminal."""
        self.number += 1
        offered = Asked(lines, proposed or as_is, about, choices.split(" or ") if choices else ())
        if question.about is About.GAME_MASTER:
            labels = [*(one.label for one in self.survey.by_size), NOBODY]
            offered = Asked(lines, proposed, about, labels, are_many=True)
        if question.about is About.PERSON:
            offered = Asked(
                lines[:-1],
                proposed or as_is,
                roles={as_is: "All of it is right", **ROLES} if question.group else ROLES,
                speakers=[one.label for one, _ in question.group],
            )
        while True:
            typed = self._ask(offered).strip()
            if typed.casefold() == BACK:
                raise BackError
            if not typed and (choices or refused):
                offered = offered._replace(refusal=f"Say {choices or 'one'}.")
                continue
            if not proposed and typed.casefold() in ("", as_is.casefold()):
                return ""
            try:
                made = list(understood(typed or proposed))
                if is_written:
                    self.set(made, question)
            except Refused as refusal:
                offered = offered._replace(refusal=" ".join(refusal.sentences))
                continue
            return typed or proposed
