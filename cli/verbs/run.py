"""The `run` verb: carries out a session script, line by line, in a campaign."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from cli import app as o
from cli.asking import RealDecks, forget_redacted, read_file
from cli.invocation import DONE, Options
from cli.opening import attach_caches, line_meant, warn_of_missed
from cli.printing import write_outcome
from cli.settings import SUFFIX, Settings, new_path, new_place
from cli.writing_files import close_stdout
from journal.decks.chance import SystemDealer
from journal.refused import Refused
from journal.store import places
from journal.store.address import Address
from journal.store.campaign import CampaignStore
from projections import safe
from retold.outcome import Outcome
from retold.scribe import Scribe
from retold.script_player import Script, Stopped, play_script


def command(
    ctx: typer.Context,
    script: Annotated[str, typer.Argument(metavar="FILE", help="The script, or - for standard input.")],
    *,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    new: Annotated[bool, typer.Option("--new", help="Begin the campaign first; -c names it.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Play it through and record nothing.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only where it ended.")] = False,
) -> int:
    """Play a session script; it stops at the first line that is refused.

    Everything before that line is recorded. Mend the line, and run the rest.

    Example: retold run --new -c ambush.retold examples/bruise/three-hands.session
    """
    options = o.merged(ctx, campaign, branch)
    read = _read(script)
    with ExitStack() as stack:
        settings = Settings.of_user()
        opened = _campaign(stack, options, settings, read, new=new, check=check)
        scribe = Scribe(opened, line_meant(opened, settings, options), attended=options.yes)
        scribe.came_up = RealDecks(opened.id).asked
        scribe.read_file = partial(read_file, folder=_folder(read))
        if not check:
            scribe.chose = partial(settings.choose_line, opened.id)
            scribe.forget = partial(forget_redacted, settings, place=opened.place)
        try:
            lines = _play(scribe, read, quiet=quiet, check=check)
        finally:
            scribe.close()
    where = "checked, nothing recorded" if check else f"recorded in {safe.line(opened.place.name)}"
    sys.stderr.write(f"{lines} line{'s' * (lines != 1)} {where}.\n")
    return DONE


def _campaign(
    stack: ExitStack, options: Options, settings: Settings, script: Script, *, new: bool, check: bool
) -> CampaignStore:
    """Returns the campaign that the script is carried out in: new, existing, or a temporary copy.

    `check` asks for the copy, so that nothing is recorded.
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
        return stack.enter_context(CampaignStore.create(_new_place(options, script)))
    campaign = stack.enter_context(CampaignStore.open(settings.campaign(options.campaign)))
    warn_of_missed(attach_caches(campaign, settings, debug=options.debug))
    return campaign


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
    path = Path(script.name)
    is_piped = script.name == "standard input" or path.absolute().parent in _DEVICES
    return None if is_piped else path.parent


def _refuse_if_there(place: Address) -> None:
    if place.file is not None and place.file.exists():
        raise Refused(f"{place} is there already: choose another name.")


def _play(scribe: Scribe, script: Script, *, quiet: bool, check: bool) -> int:
    count = 0
    try:
        for line, outcome in play_script(scribe, script):
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
