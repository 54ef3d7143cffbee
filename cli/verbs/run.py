"""The `run` verb: carries out a session script, line by line, in a campaign."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from retold.cli import app as o
from retold.cli.campaigns.asking import RealDecks, forget_redacted, read_file
from retold.cli.campaigns.opening import attach_caches, line_meant, warn_of_missed
from retold.cli.campaigns.settings import SUFFIX, Settings, new_path, new_place
from retold.cli.invocation import Options
from retold.cli.output.printing import write_outcome
from retold.cli.output.writing_files import close_stdout
from retold.journal.counting import counted
from retold.journal.decks.chance import SystemDealer
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import AlreadyThere
from retold.journal.store.writing.campaign import CampaignStore
from retold.outcome import Outcome
from retold.projections.texts import safe
from retold.scribe import Scribe
from retold.script_player import Script, Stopped, play_script
from retold.script_progress import Progress, acts_of, progress


def command(
    ctx: typer.Context,
    script: Annotated[str, typer.Argument(metavar="FILE", help="The script, or - for standard input.")],
    *,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    new: Annotated[bool, typer.Option("--new", help="Begin the campaign first; -c names it.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Play it through and record nothing.")] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Record it from its first line, whatever was recorded of it.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only where it ended.")] = False,
) -> None:
    """Play a session script; it stops at the first line that is refused.

    Everything before that line is recorded. Mend the line, and run the file again: it goes on there, as it
    does after a crash. Nothing is recorded twice, unless you say --anew.

    Examples: retold run --new -c ambush.retold examples/bruise/three-hands.session · retold run --check
    evening.session
    """
    options = o.merged(ctx, campaign, branch)
    read = _read(script)
    with ExitStack() as stack:
        settings = Settings.of_user()
        opened = _campaign(stack, options, settings, read, new=new, check=check, anew=anew)
        scribe = Scribe(opened, line_meant(opened, settings, options), attended=options.yes)
        scribe.came_up = RealDecks(opened.id).asked
        scribe.read_file = partial(read_file, folder=_folder(read))
        if not check:
            scribe.chose = partial(settings.choose_line, opened.id)
            scribe.forget = partial(forget_redacted, settings, place=opened.place)
        sofar = None if check or _is_piped(read) else progress(scribe, read, anew=anew)
        if sofar is not None and sofar.line is not None:
            _note_what_is_recorded(sofar, read)
            scribe.go(sofar.line)
        try:
            lines = _play(scribe, read, sofar, quiet=quiet, check=check)
        finally:
            scribe.close()
    where = "checked, nothing recorded" if check else f"recorded in {safe.line(opened.place.name)}"
    sys.stderr.write(f"{counted(lines, 'line')} {where}.\n")


def _note_what_is_recorded(sofar: Progress, script: Script) -> None:
    name = safe.line(script.name)
    if sofar.is_whole:
        sys.stderr.write(
            f"{name} is recorded already, to its last line. To record it once more: retold run --anew.\n"
        )
        return
    count = "The first line" if sofar.done == 1 else f"The first {sofar.done} lines"
    are = "is" if sofar.done == 1 else "are"
    sys.stderr.write(f"{count} of {name} {are} recorded already: it goes on after that.\n")


def _campaign(
    stack: ExitStack,
    options: Options,
    settings: Settings,
    script: Script,
    *,
    new: bool,
    check: bool,
    anew: bool,
) -> CampaignStore:
    """Returns the campaign that the script is carried out in: new, existing, or a temporary copy.

    `check` asks for the copy, so that nothing is recorded. A new one may be there already, if this very
    script began it.
    """
    if check:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="retold-check-")))
        copy = folder / f"check{SUFFIX}"
        if new:
            _refuse_if_there(_new_place(options, script))
            return _thrown_away(stack.enter_context(CampaignStore.create(copy)))
        places.copy_to_file(settings.campaign(options.campaign), copy)
        campaign = _thrown_away(stack.enter_context(CampaignStore.open(copy)))
        if campaign.table_at(campaign.mainline(), 1).seed is not None:
            campaign.dealer = SystemDealer()
        return campaign
    if new:
        place = _new_place(options, script)
        try:
            return stack.enter_context(CampaignStore.create(place))
        except AlreadyThere:
            if anew or not _began(place, script):
                raise
    else:
        place = settings.campaign(options.campaign)
    campaign = stack.enter_context(CampaignStore.open(place))
    warn_of_missed(attach_caches(campaign, settings, debug=options.debug))
    return campaign


def _began(place: Address, script: Script) -> bool:
    """True if the campaign at `place` was begun by `run --new` with this script, and has nothing else."""
    if _is_piped(script):
        return False
    with CampaignStore.open(place, read_only=True) as campaign:
        if campaign.record.store.size() == 1:
            return True
        return progress(Scribe(campaign, campaign.mainline()), script).begun == 1


def _thrown_away(copy: CampaignStore) -> CampaignStore:
    """Switches off noting of recorded acts in a temporary copy, and returns the copy.

    Otherwise its acts would be noted as acts recorded in the original.
    """
    copy.record.on_recorded = None
    return copy


def _new_place(options: Options, script: Script) -> Address:
    if options.campaign:
        return new_place(options.campaign)
    if script.name == "standard input":
        raise Refused("Name the new campaign: retold run --new -c NAME -.")
    return Address.of_file(new_path(Path(script.name).stem))


def _folder(script: Script) -> Path | None:
    """Returns the folder in which a script's relative paths begin; None for the current one."""
    return None if _is_piped(script) else Path(script.name).parent


def _is_piped(script: Script) -> bool:
    return script.name == "standard input" or Path(script.name).absolute().parent in _DEVICES


def _refuse_if_there(place: Address) -> None:
    if place.file is not None and place.file.exists():
        raise Refused(f"{place} is there already: choose another name.")


def _play(scribe: Scribe, script: Script, sofar: Progress | None, *, quiet: bool, check: bool) -> int:
    count = 0
    try:
        for line, outcome in play_script(scribe, script, None if sofar is None else acts_of(sofar)):
            count += 1
            for warning in line.warnings:
                sys.stderr.write(
                    f"{safe.line(script.name)}:{warning.number}: {safe.line(warning.sentence)}\n"
                )
            if not quiet:
                quiet = not _told(scribe, outcome)
    except Stopped as stopped:
        raise Stopped(f"{stopped} {_kept(count, check=check)}") from None
    return count


def _told(scribe: Scribe, outcome: Outcome) -> bool:
    """Prints the result of one line; returns False if standard output is a closed pipe.

    The script goes on in either case.
    """
    try:
        write_outcome(scribe, outcome, out=sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        close_stdout()
        return False
    return True


def _kept(count: int, *, check: bool) -> str:
    """Returns a sentence on how many lines were recorded before a script stopped."""
    if check:
        return "Nothing is recorded (--check)."
    if count == 0:
        return "No line is recorded."
    return "The line before it is recorded." if count == 1 else f"The {count} lines before it are recorded."


_DEVICES = tuple(map(Path, ("/dev", "/dev/fd", "/proc/self/fd")))
"""Where the pipe lies that a shell makes of a command, `<(…)`."""

MOST_SCRIPT = 256 * 2**20
"""So large a script is still read, in bytes."""


def _read(named: str) -> Script:
    """Returns the script read from a file, or from standard input (`-`); Refused if it is unreadable."""
    if named == "-":
        return Script("standard input", _not_too_much(sys.stdin.buffer, "standard input"))
    path = Path(named)
    if path.is_dir():
        raise Refused(f"{named} is a folder; a script is a file such as evening.session.")
    if not path.exists():
        raise Refused(f"There is no script {named}.")
    if not path.is_file() and path.absolute().parent not in _DEVICES:
        raise Refused(f"{named} is a pipe or a device, and no file: pipe it in, and name - for it.")
    with path.open("rb") as script:
        return Script(named, _not_too_much(script, named))


def _not_too_much(script: BinaryIO, named: str) -> bytes:
    data = script.read(MOST_SCRIPT + 1)
    if len(data) > MOST_SCRIPT:
        raise Refused(f"{named} is larger than {MOST_SCRIPT // 2**20} MB: cut it in parts.")
    return data
