"""The `import` verb: records the log of another tool in a new or existing campaign."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Final

import typer

from retold.cli import app as o
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import DONE, FAILED, Options, UsageError
from retold.cli.output.printing import columns, fitted, progress, write_fitted, write_json
from retold.cli.output.writing_files import write_lines
from retold.cli.verbs.new import one_line
from retold.importing.verb.answers import AnswersFile
from retold.importing.verb.prompts import (
    Prompts,
    ReadAgain,
    StoppedError,
    ask_encoding,
    ask_format,
    ask_title,
    say,
)
from retold.importing.verb.questions import Asking
from retold.journal.encodings import UnknownEncodingError, check_encoding
from retold.journal.names import find
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_line, shell_word
from retold.projections.texts import safe
from retold.sources import Source, read, readers, troubles, ways_on
from retold.sources.answers import NOBODY, Answers, folded_label
from retold.sources.dice import Rung
from retold.sources.questions import GAP_RULE, Edit, Question, questions, sessions_by
from retold.sources.reporting import counted, told, written
from retold.sources.sniffing import UnclearError, beginning
from retold.sources.survey import Survey, survey
from retold.startup import INTERRUPTED

if TYPE_CHECKING:
    from retold.importing.intake import Intake
    from retold.importing.verb.recording import Recording

ENDING: Final = ".import.toml"
UNSURE: Final = ("plain", "table", "iron-vault")
"""Readers of texts by hand, whose reading is shown before it is recorded, so that they need not be chosen."""

Into = Annotated[
    str | None, typer.Option("--into", metavar="NAME", help="The campaign; made where there is none.")
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title of a new campaign.")]
As = Annotated[
    str,
    typer.Option(
        "--as", metavar="FORMAT", help="What the files are, if their look is not enough; of one: FILE=FORMAT."
    ),
]
Map = Annotated[
    str | None,
    typer.Option("--map", metavar="FILE", help="The answers' file; else NAME.import.toml beside the first."),
]
GameMaster = Annotated[
    list[str] | None,
    typer.Option(
        "--game-master",
        metavar="LABEL",
        help="The label of the game master, or nobody; several: say it again.",
    ),
]
Encoding = Annotated[str, typer.Option("--encoding", metavar="NAME", help="Of a text that is not UTF-8.")]
Check = Annotated[bool, typer.Option("--check", help="Show the result without recording it.")]
ReportFile = Annotated[
    str | None, typer.Option("--report", metavar="FILE", help="Write the report as JSON into a new file.")
]
Unread = Annotated[bool, typer.Option("--unread", help="List what was not understood, with its place.")]
Formats = Annotated[bool, typer.Option("--formats", help="List what can be read, and how it is had.")]


def command(
    ctx: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE…", help="The log: files, a folder, or an archive; several are merged."),
    ] = None,
    *,
    into: Into = None,
    check: Check = False,
    title: Title = None,
    format_: As = "",
    answers: Map = None,
    encoding: Encoding = "",
    game_master: GameMaster = None,
    report: ReportFile = None,
    unread: Unread = False,
    formats: Formats = False,
    shared_disk: o.SharedDisk = False,
    json: o.Json = False,
) -> int:
    """Take in the log of another tool: Discord, a virtual tabletop, a text; again, and only what is new.

    Without --into it says what the log is and who is in it, asks what only you know, and records nothing.

    Examples: retold import the-table.json --into salt-road · retold import --formats
    """
    options = o.merged(ctx, None, None, json)
    if formats:
        _list_formats(options)
        return DONE
    if not files:
        raise UsageError("Say what comes in: retold import FILE. What can be read: retold import --formats.")
    into = into or options.campaign
    if check and into is None:
        raise UsageError("--check is about a campaign: say --into NAME too.")
    if title is not None and into is None:
        raise UsageError("--title is for a campaign that is made: say --into NAME too.")
    if report is not None and (Path(report).exists() or not Path(report).absolute().parent.is_dir()):
        raise Refused(f"{report} is there already, or its folder is not: name another file for the report.")
    with ExitStack() as stack:
        run = _Import(options, files, into, answers, stack, tuple(game_master or ()))
        return run.run(
            format_, encoding, title=title, check=check, report=report, unread=unread, shared_disk=shared_disk
        )


class _Import:
    """Runs one `import`: looks at the files, asks what is open, records, prints."""

    def __init__(
        self,
        options: Options,
        files: Sequence[str],
        into: str | None,
        answers: str | None,
        stack: ExitStack,
        masters: tuple[str, ...] = (),
    ) -> None:
        self._options = options
        self._files = files
        self._into = into
        self._settings = Settings.of_user()
        self._named_map = answers
        self._masters = masters
        """Labels of the game master that the command names."""
        self._stack = stack
        self._sources: list[Source] = []
        self._asks = sys.stdin.isatty() and not options.yes and not options.json
        self._file = AnswersFile(Path(answers) if answers else self._answers_meant())

    def run(
        self,
        format_: str,
        encoding: str,
        *,
        title: str | None,
        check: bool,
        report: str | None,
        unread: bool,
        shared_disk: bool,
    ) -> int:
        """Surveys the log, asks open questions, and records; returns the exit code."""
        for trouble in troubles():
            say([trouble])
        if encoding:
            check_encoding(encoding)
            self._file.set([Edit(("encoding",), encoding)])
        try:
            found = self._surveyed(format_)
            if self._into is None or questions_needed(self._file.answers, found):
                self._write_summary(found)
            found = self._asked(found, format_)
        except (StoppedError, KeyboardInterrupt):
            kept = f" What you answered is kept in {self._file.path};" if self._file.path.exists() else ""
            say(["", f"Stopped.{kept or ' Nothing is kept, and'} nothing is recorded."])
            say([f"To go on: {self._line(self._into)}"])
            return INTERRUPTED
        still_open = questions_needed(self._file.answers, found)
        if self._into is not None and not still_open:
            return self._take_in(
                self._into, found, title, report, check=check, unread=unread, shared_disk=shared_disk
            )
        if unread:
            _write_unread(found)
        if report is not None:
            _write_report(report, self._as_json(found, still_open))
        return self._list_open(found, still_open) if still_open else self._say_next(found)

    def _take_in(
        self,
        into: str,
        found: Survey,
        title: str | None,
        report: str | None,
        *,
        check: bool,
        unread: bool,
        shared_disk: bool,
    ) -> int:
        """Records new units, or with `check` reports them without recording; returns the exit code."""
        from retold.importing.verb.recording import InterruptedImport

        recording = self._recording(into)
        if title is not None and recording.is_there:
            raise Refused(f"{recording.place} is there already: give it another title with campaign.")
        proposed = one_line(found.report.tally.title or self._title(found, into))

        def titled() -> str:
            if title is not None or not self._asks:
                return one_line(title or proposed)
            try:
                return ask_title(proposed, _read_line, one_line)
            except KeyboardInterrupt:
                raise StoppedError from None

        try:
            if check:
                intake = recording.check(self._sources, self._file.answers)
            else:
                intake = recording.record(self._sources, self._file, titled, shared_disk=shared_disk)
        except StoppedError:
            say(["", f"Stopped; nothing is recorded. To go on: {self._line(into)}"])
            return INTERRUPTED
        except InterruptedImport as interrupted:
            say([interrupted.sentence, f"The same command does the rest: {self._line(into)}"])
            return INTERRUPTED
        self._write_intake(intake, report, str(recording.place))
        if unread and not self._options.json:
            _write_unread(found)
        return DONE

    def _recording(self, into: str) -> Recording:
        from retold.importing.verb.recording import Recording

        return Recording(self._options, self._settings, into, self._stack)

    def _answers_meant(self) -> Path:
        """Path of the answers' file: beside the log, or the one of the campaign's last import."""
        beside = _beside(self._files[0])
        if self._into is None or beside.exists():
            return beside
        kept = self._recording(self._into).answers_kept()
        return _short(kept) if kept else beside

    # --- reading ---

    def _surveyed(self, format_: str) -> Survey:
        """Survey of all files; asks for an encoding that is not UTF-8."""
        while True:
            sources: list[Source] = [self._source(name, format_).keeping() for name in self._files]
            self._sources = sources
            families = tuple(dict.fromkeys(source.family for source in sources))
            if not self._is_about(families):
                continue
            try:
                with progress("Reading") as tell:
                    found = survey(sources, self._file.answers, tell=tell)
            except UnknownEncodingError as error:
                if not self._asks:
                    raise Refused(*ask_encoding(error, None)) from None
                self._file.set(ask_encoding(error, _read_line), family=", ".join(families))
                continue
            self._check_understood(found)
            if self._masters:
                self._set_game_masters(found)
            self._warn_of_silent_game_master(found)
            if self._into is not None:
                found.cast = self._recording(self._into).cast()
            return found

    def _check_understood(self, found: Survey) -> None:
        """Raises Refused if nothing in the files is understood."""
        log, file = self._files[0], self._file
        (stream, reader), *_ = self._sources[0].files
        if file.answers.pattern and not found.speakers:
            raise Refused(
                f"No line of {log} fits the pattern in {file.path}: mend or remove it there.",
                *beginning(stream.text),
            )
        if found.report.unread and not found.report.read:
            raise Refused(
                f"Nothing in {log} is understood as {' or '.join(found.titles)}."
                " What can be read: retold import --formats.",
                *ways_on(log, (stream,), stream.hints.encoding, reader.name),
            )
        found.report.check_told()

    def _set_game_masters(self, found: Survey) -> None:
        """Writes the game masters of the command; Refused for an unknown label."""
        labels = {one.label: (one.label,) for one in found.by_size}
        masters = (
            (NOBODY,) if self._masters == (NOBODY,) else tuple(find(one, labels) for one in self._masters)
        )
        if masters != self._file.answers.game_master:
            self._file.set([Edit(("game_master",), masters)], family=found.report.family)

    def _warn_of_silent_game_master(self, found: Survey) -> None:
        """Says that the game master of the answers speaks nowhere: the label may be mistyped."""
        told = {NOBODY, *found.report.tally.game_masters}
        masters = [label for label in self._file.answers.game_master if label not in told]
        labels = [label for one in found.speakers.values() for label in one.labels]
        speak = {
            folded_label(name) for one in labels for name in (one, self._file.answers.person_of(one) or "")
        }
        if masters and not speak & set(map(folded_label, masters)):
            named = " and ".join(masters)
            say([f"{self._file.path}: the game master is {named}, and no line of this log has that label."])

    def _source(self, name: str, format_: str) -> Source:
        answers = self._file.answers
        file, sign, named = format_.rpartition("=")
        if sign and file not in (*self._files, *(Path(one).name for one in self._files)):
            raise UsageError(f"--as {format_}: {file} is none of the files that come in.")
        wanted = (named if not sign or file in (name, Path(name).name) else "") or answers.format
        try:
            return read(name, format=wanted, hints=answers.hints)
        except UnclearError as error:
            known = [one for one in error.readers if one.family in answers.family.split(", ")]
            chosen = known or error.readers
            if len(chosen) == 1 and (known or chosen[0].name in UNSURE):
                return read(name, format=chosen[0].name, hints=answers.hints)
            if not self._asks:
                ways = " or ".join(f"--as {one.name}" for one in chosen)
                raise Refused(
                    *error.sentences, f"On the command line: {self._line(self._into)} {ways}."
                ) from None
            reader = ask_format(name, error.readers, _read_line)
        self._file.set([Edit(("format",), reader.name)], family=reader.family)
        return read(name, format=reader.name, hints=self._file.answers.hints)

    def _is_about(self, families: Sequence[str]) -> bool:
        """True if the answers are about logs of this tool; raises Refused if they are about another tool's.

        False if the last import's answers were replaced by those beside the log.
        """
        kept = self._file.answers.family
        if not kept or set(families) == set(kept.split(", ")):
            return True
        beside = _beside(self._files[0])
        if self._named_map is None and self._file.path != beside:
            self._file = AnswersFile(beside)
            return False
        raise Refused(
            f"{self._file.path} holds answers about {kept}, and this is {' and '.join(families)}: name"
            " another file with --map."
        )

    # --- asking ---

    def _asked(self, found: Survey, format_: str) -> Survey:
        """Asks open questions, at a terminal or with --yes; returns the survey by the answers."""
        while self._asks or self._options.yes:
            asking = Asking(Prompts(self._file, found, _read_line, takes_all=self._options.yes))
            number = asking.count()
            if number and self._asks:
                some = "1 question" if number == 1 else f"{number} questions"
                say(["", f"{some}. Enter takes the answer in brackets; ? explains; Ctrl-C stops and keeps."])
            try:
                asking.run()
            except ReadAgain:
                found = self._surveyed(format_)
                continue
            return found
        return found

    def _list_open(self, found: Survey, still_open: Sequence[Question]) -> int:
        self._file.ask(found.report.family, questions(self._file.answers, found))
        if self._options.json:
            write_json(self._as_json(found, still_open))
            return FAILED
        one = len(still_open) == 1
        some = "1 question is" if one else f"{len(still_open)} questions are"
        stand = "It is" if one else "They are"
        lines = [f"{some} open; nothing is recorded. {stand} in {self._file.path}:"]
        lines += [f"  {safe.line(_asked_of(one))}" for one in still_open[:SHOWN_QUESTIONS]]
        if len(still_open) > SHOWN_QUESTIONS:
            lines.append(f"  and {len(still_open) - SHOWN_QUESTIONS:,} more")
        lines.append(
            "Answer them there (take away the # in front), or at a terminal, where they are asked one by one;"
            " --yes takes every proposal. Then:"
        )
        say([*lines, f"  {self._line(self._into or self._name(found))}"])
        return FAILED

    def _say_next(self, found: Survey) -> int:
        self._file.ask(found.report.family, questions(self._file.answers, found))
        if self._options.json:
            write_json(self._as_json(found, ()))
            return DONE
        say(["", f"Nothing is open, and nothing is recorded yet. Your answers: {self._file.path}. Next:"])
        say([f"  {self._line(self._name(found))}"])
        return DONE

    # --- what is printed ---

    def _write_summary(self, found: Survey) -> None:
        if self._options.json:
            return
        lines = _summary(found, self._files, self._file.answers.sessions or GAP_RULE)
        write_fitted(lines, sys.stdout)
        sys.stdout.flush()

    def _write_intake(self, intake: Intake, report: str | None, place: str) -> None:
        head = {"retold": "import", "version": 1, "answers": str(self._file.path), "questions": []}
        told = {**head, **intake.as_json()}
        if report is not None:
            _write_report(report, told)
        if self._options.json:
            write_json(told)
            return
        lines = fitted(map(safe.line, intake.lines()), sys.stdout)
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
        if intake.otherwise:
            mended = "Two people who are one: merge. Another player or name: cast."
            say(
                ["", f"What is recorded stays. {mended} For anything else: take the log into a new campaign."]
            )
        if not intake.checked:
            said = f"retold -c {shell_word(place)}"
            say(["", f"Next: {said} recap, or {said} export. What is recorded later: this command again."])

    def _as_json(self, found: Survey, still_open: Sequence[Question]) -> dict[str, object]:
        asked = [
            {
                "about": one.about.value,
                "label": one.speaker.label if one.speaker else None,
                "question": one.text,
                "proposal": dict(one.proposal),
            }
            for one in still_open
        ]
        head = {"retold": "import", "version": 1, "answers": str(self._file.path), "questions": asked}
        return {**head, **found.report.as_json()}

    def _line(self, into: str | None) -> str:
        """Command line that continues this import, quoted for the shell."""
        words = ["retold", "import", *self._files]
        if self._named_map:
            words += ["--map", self._named_map]
        if into is not None:
            words += ["--into", into]
        return safe.line(shell_line(words))

    def _title(self, found: Survey, into: str) -> str:
        """Title proposed for a campaign whose source has none; a tool's name for its files is not a title."""
        name = _OF_CHANNELS.sub("", _OF_WHATSAPP.sub("", self._name(found)))
        if _OF_TOOLS.fullmatch(name):
            name = PurePath(into).stem
        return name.replace("-", " ").replace("_", " ").title()

    def _name(self, found: Survey) -> str:
        """Name proposed for a campaign, after the only channel or else the first file."""
        channels = [channel for channel in found.report.channels if channel and found.has_channels]
        for named in (*(channels if len(channels) == 1 else ()), Path(self._files[0]).stem):
            plain = re.sub(r"[^\w]+", "-", named.casefold()).strip("-_")
            if plain:
                return plain[:40]
        return "campaign"


def questions_needed(answers: Answers, found: Survey) -> list[Question]:
    """Open questions whose answers an import needs."""
    return [one for one in questions(answers, found) if one.is_needed]


_OF_WHATSAPP: Final = re.compile(
    r"(?:[a-z]+[-_])?whatsapp[-_](?:chat[-_])?(?:(?:with|mit|con|com|avec|met)[-_])?(?=.)"
)
"""What WhatsApp writes in front of a chat's title in a file's name."""
_OF_CHANNELS: Final = re.compile(r"(?<=\w)[-_](?:ic|rp|ooc|in-character|chat|logs?|play|game)$")
"""What servers write behind a game's title in the name of a channel."""
_OF_TOOLS: Final = re.compile(
    r"(?:(?:roll20|foundry|discord|telegram|whatsapp|messages?|chat|log|world|archive|export|result|session"
    r"|history|transcript|data|txt|html|json|fvtt|irc|all|general|main|ic|rp|ooc|game|play|roleplay)[-_ ]?"
    r"|[\d_-])+"
)
"""Names that tools give to every file."""
SHOWN_QUESTIONS: Final = 12
SHOWN_PEOPLE: Final = 8
FEW_UNITS: Final = 10
"""Units below which an evening is offered to the one before."""


def _short(path: Path) -> Path:
    """Path relative to the working folder, if it lies in it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _beside(file: str) -> Path:
    """Path of the answers' file that belongs to a log."""
    path = Path(file)
    return path.with_name(f"{(path.name if path.is_dir() else path.stem) or 'log'}{ENDING}")


def _asked_of(question: Question) -> str:
    """Question in one text line, headed by its speaker or keys."""
    if question.speaker:
        return f"{question.speaker.label}: {question.text}"
    keys = ", ".join(key for key, _ in question.proposal)
    return f"{keys}: {question.text}" if question.table else question.text


def _summary(found: Survey, files: Sequence[str], rule: str) -> Iterator[str]:
    """Yields sentences on a log: files, period, people, unread units; less than half a screen."""
    report = found.report
    names = Path(files[0]).name if len(files) == 1 else f"{len(files)} files"
    channels = [channel for channel in report.channels if channel and found.has_channels]
    where = (
        f" of #{channels[0]}" if len(channels) == 1 else f" of {len(channels)} channels" if channels else ""
    )
    last = f", {written(report.last)}" if report.last else ""
    when = f", {written(report.first)}" if report.first else ""
    when += "" if last == when else last.replace(",", " to", 1)
    many = f"{counted(report.units, 'unit')} (messages, lines)"
    yield f"{names}: {' and '.join(found.titles)}, {many}{where}{when}."
    left = ", ".join(f"{number:,} {reason}" for reason, number in report.left_out.most_common())
    yield (
        f"  Read: {report.read.total():,}. Unread: {len(report.unread):,}."
        f" Left out: {report.left_out.total():,}{f' ({left})' if left else ''}."
    )
    faces, total = report.throws[Rung.FACES], report.throws[Rung.TOTAL]
    thrown = f"Throws: {report.throws.total():,}; {faces:,} with faces, {total:,} with a total."
    yield from (f"  {one}" for one in told((report.why_blank, report.why_blank), (report.throws, thrown)))
    if found.moments:
        number = sessions_by(rule, found)
        yield f"  {counted(number, 'session')} by the rule “{rule}”."
        larger = f"{rule} least {FEW_UNITS}"
        small = number - sessions_by(larger, found) if rule.startswith("gap") and "least" not in rule else 0
        if small and number >= FEW_UNITS:
            yield (
                f"  {small:,} of them {'has' if small == 1 else 'have'} fewer than {FEW_UNITS} units;"
                f' sessions = "{larger}" in the answers puts such to the one before.'
            )
    people = [f"{one.label} {one.units:,}" for one in found.by_size[:SHOWN_PEOPLE]]
    more = len(found.speakers) - len(people)
    speakers = f"Speakers: {', '.join(people) or 'nobody'}{f' and {more:,} more' if more > 0 else ''}."
    beside = f"Beside the log, not read: {counted(len(report.ignored), 'file')}."
    rest = (speakers, *report.tally.warnings, *told((report.ignored, beside)))
    yield from (f"  {sentence}" for sentence in (*report.lines_on_hours(), *rest))


def _list_formats(options: Options) -> None:
    found = readers()
    if options.json:
        rows = [{"name": one.name, "family": one.family, "title": one.title, "how": one.how} for one in found]
        write_json({"retold": "formats", "version": 1, "formats": rows})
        return
    width = max(len(one.name) for one in found) + 4
    for line in columns([(one.name, f"{one.title}: {one.how}") for one in found], width):
        sys.stdout.write(f"{safe.line(line)}\n")
    sys.stdout.flush()
    say(troubles())


def _write_unread(found: Survey) -> None:
    for one in found.report.unread:
        sys.stdout.write(f"{safe.line(f'{one.stream}, {one.place}: {one.raw}')}\n")
    sys.stdout.flush()


def _write_report(path: str, report: dict[str, object]) -> None:
    from json import dumps

    write_lines([safe.in_json(dumps(report, ensure_ascii=False, indent=2))], Path(path))


def _read_line() -> str:
    return sys.stdin.readline()
