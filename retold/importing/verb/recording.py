"""Recording of an imported log, in an existing campaign or in a new one made for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, getsignal, signal
from threading import current_thread, main_thread
from types import FrameType

from retold.cli.campaigns.asking import asker
from retold.cli.campaigns.opening import attach_caches, check_disk, line_meant, warn_of_missed
from retold.cli.campaigns.settings import Settings, new_place
from retold.cli.invocation import Options
from retold.cli.output.printing import progress
from retold.importing.comparing import NotAgreed, SameEvening
from retold.importing.intake import Intake
from retold.importing.taking_in import CONFLICT_IS_OPEN, take_in
from retold.importing.verb.answers import AnswersFile
from retold.journal.options import LANGUAGE
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import NotACampaign, StoreError
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.vocabulary.base import GM
from retold.sources import Source
from retold.sources.answers import Answers
from retold.sources.survey import Cast, Known


class InterruptedImport(Exception):  # noqa: N818 - the user's wish and no error
    """Raised if the user interrupts the recording; `sentence` says how far it came."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class _Progress:
    """Progress of a recording, stopped by Ctrl-C between two transactions."""

    def __init__(self) -> None:
        self.tell: Callable[[int, int], None] = lambda _done, _total: None
        self._interrupted = False
        self._done = self._total = 0

    @contextmanager
    def until_interrupted(self) -> Iterator[None]:
        """Context manager: Ctrl-C is noted, and ends the recording after the transaction.

        Before the end of the first transaction, or a second time, it ends it at once: what was not written
        whole is then not written at all.
        """

        def note(_number: int, _frame: FrameType | None) -> None:
            if self._interrupted or not self._done:
                raise KeyboardInterrupt
            self._interrupted = True

        before = getsignal(SIGINT)
        in_main_thread = current_thread() is main_thread()
        if in_main_thread:
            signal(SIGINT, note)
        try:
            yield
        except KeyboardInterrupt:
            raise InterruptedImport(self._sentence()) from None
        finally:
            if in_main_thread:
                signal(SIGINT, before)

    def report(self, done: int, total: int) -> None:
        """Shows the progress; raises KeyboardInterrupt if the user has pressed Ctrl-C."""
        self._done, self._total = done, total
        self.tell(done, total)
        if self._interrupted and done < total:
            raise KeyboardInterrupt

    def _sentence(self) -> str:
        if not self._total:
            return "Interrupted before anything was recorded."
        return f"Interrupted after {self._done:,} of {self._total:,} steps, which are recorded."


@dataclass
class Recording:
    """Records sources in the campaign that the user named."""

    options: Options
    settings: Settings
    into: str
    stack: ExitStack
    """Closes the campaign at its end."""

    @property
    def place(self) -> Address:
        """Address of the campaign, existing or new."""
        known = self.settings.campaign(self.into)
        return known if known.file is not None and known.file.exists() else new_place(self.into)

    @property
    def is_there(self) -> bool:
        """True if the campaign's file exists; always False for a server, which is not asked here."""
        place = self.place
        return place.file is not None and place.file.exists()

    def answers_kept(self) -> Path | None:
        """Answers' file of the campaign's last import; None without an import, or if the file was deleted."""
        place = self.place
        if place.file is not None and not place.file.is_file():
            return None
        try:
            with CampaignStore.open(place, read_only=True) as campaign:
                path = self.settings.answers_about_log(campaign.id)
        except (Refused, StoreError):  # recording says what is wrong
            return None
        return path if path is not None and path.is_file() else None

    def cast(self) -> Cast:
        """Cast of the campaign; empty if the campaign is missing or cannot be read.

        Raises Refused if a conflict is open, before anything is asked in vain.
        """
        if self.place.file is not None and not self.is_there:
            return Cast()
        try:
            with CampaignStore.open(self.place, read_only=True) as campaign:
                table = self._writer(campaign).table
        except (Refused, StoreError):  # recording says what is wrong
            return Cast()
        if table.conflicts:
            raise Refused(CONFLICT_IS_OPEN)
        players: dict[int | None, str] = {
            one.player: table.people[one.player].called for one in table.everybody() if one.player
        }
        people = [one for one in table.everybody() if one.id != GM and one.id not in players]
        chair = table.people[GM].player if GM in table.people else None
        return Cast(
            players.get(chair, ""),
            tuple(
                Known(
                    one.called,
                    players.get(one.player, ""),
                    tuple(alias.text for alias in (*one.aliases, *one.former) if alias.text is not None),
                )
                for one in people
            ),
            LANGUAGE.key in table.options.get("", {}),
        )

    def check(self, sources: Sequence[Source], answers: Answers) -> Intake:
        """Returns the report that an import would give; records nothing."""
        campaign = self._opened(read_only=True)
        if campaign is None:
            with progress("Checking"):
                return take_in(None, sources, answers, check=True)
        return self._taken(self._writer(campaign), sources, answers, check=True)

    def record(
        self, sources: Sequence[Source], file: AnswersFile, title: Callable[[], str], *, shared_disk: bool
    ) -> Intake:
        """Records new units; a campaign made for this import is removed again if nothing was recorded.

        On a server, where it could not be removed, none is made for a log that cannot come in.
        Raises InterruptedImport if the user interrupts it.
        """
        answers = file.answers
        campaign = self._opened(read_only=False)
        if campaign is not None:
            intake = self._taken(self._writer(campaign), sources, answers)
            self.settings.keep_answers_about_log(campaign.id, file.path.absolute())
            return intake
        place = self.place
        check_disk(place, allowed=shared_disk)
        if place.file is None:
            take_in(None, sources, answers, check=True)
        campaign = self.stack.enter_context(CampaignStore.create(place, title=title()))
        begun = campaign.record.head(campaign.mainline())
        try:
            intake = self._taken(self._writer(campaign), sources, answers)
        except BaseException:
            if place.file is not None and campaign.record.head(campaign.mainline()) == begun:
                self.stack.close()
                place.file.unlink(missing_ok=True)
            raise
        self.settings.keep_answers_about_log(campaign.id, file.path.absolute())
        return intake

    def _opened(self, *, read_only: bool) -> CampaignStore | None:
        """Opens the campaign; returns None if it does not exist."""
        place = self.place
        if place.file is not None and not place.file.exists():
            return None
        try:
            campaign = self.stack.enter_context(CampaignStore.open(place, read_only=read_only))
        except NotACampaign:
            if place.file is not None:
                raise
            return None
        seen = attach_caches(campaign, self.settings, debug=self.options.debug)
        if not read_only:
            warn_of_missed(seen)
        return campaign

    def _writer(self, campaign: CampaignStore) -> LineWriter:
        return campaign.writer(line_meant(campaign, self.settings, self.options))

    def _taken(
        self, writer: LineWriter, sources: Sequence[Source], answers: Answers, *, check: bool = False
    ) -> Intake:
        progressed = _Progress()
        with progress("Recording") as tell, progressed.until_interrupted():
            progressed.tell = tell
            try:
                return take_in(writer, sources, answers, check=check, tell=progressed.report)
            except NotAgreed as refusal:
                is_meant = not (self.options.yes and isinstance(refusal, SameEvening))
                if not is_meant or not asker(self.options)(f"{refusal.sentence}\nGo on all the same?"):
                    raise Refused(refusal.sentence) from None
            return take_in(writer, sources, answers, check=check, tell=progressed.report, agreed=True)
