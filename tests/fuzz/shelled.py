"""Words at a shell, as bytes: a line each; of the verbs that only read."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import retold
from retold.__main__ import main
from retold.cli import dispatch
from retold.cli.invocation import UsageError
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from tests.cli.service.conftest import CONFLICT, SCRIPT

MORE = """
draw Zel clubs+melee = KS 10S 9S 8S 7S 6S
quality Guards 9
narrate Zel: Up the stair, and out.
mark "the stair"
thread "Who paid": Two coins.
end conflict
end session: They are out.
branch kinder s1: If they had stayed.
note: A word too many.
undo
switch mainline
"""

SAID = """
log|log s1..@|log -n 3 --all|log --json --at @-2|log --branch kinder
show|show decks --at s1:4|show cast --for Jon|show untold --json|show sessions --branch kinder
show map --as ascii|show pending|show threads --at kinder@9
search stair --kind narration|search "up the" --who Zel --everywhere|search coin -n 0 --session 1
stats|stats luck --session 1|stats telling --json --for table
who Zel|who "Who paid" --json|who gm --at 5
can|can Guards --json|recap|recap s1 --for table|recap s1..s1
diff kinder|diff kinder mainline --story|branches --json|branches --at s1
replay --at 3|replay --json|export|export s1 -f json|export --session 1 --voice prose --mechanics inline
export --book -f text|export -f fountain --for Jon|export s1:2..@ -f html|export --moment 6 -f svg
verify --rules|verify --head 1:5:0123456789abcdef|head --json|doctor --json
voices|voices --check report|systems --json|help draw|help language|help d20|dump --script
expect points Zel 3|expect refused draw Zel|expect not quality Guards 9
"""

WRITING = ("--o", "--vault", "--site", "--cut", "--copy", "--rebuild", "--force")
"""The beginnings of options by which something is written, which is not tried."""
READING = frozenset(said.split()[0] for line in SAID.split("\n") for said in line.split("|") if said)
MOST_WORDS = 12


def words() -> Iterator[bytes]:
    """Each command, its words a line each."""
    for line in SAID.strip().split("\n"):
        for said in line.split("|"):
            yield said.replace('"', "").replace(" ", "\n").encode()


def vocabulary() -> Iterable[str]:
    """The words of all of them."""
    return sorted({word for said in words() for word in said.decode().split("\n")})


@contextmanager
def shell(folder: Path) -> Iterator[Callable[[bytes], None]]:
    """A door to the command line, in a folder with a campaign."""
    path = folder / "salt.retold"
    with retold.new(path) as campaign:
        campaign.play(SCRIPT + CONFLICT + MORE)
    before = Path.cwd()
    os.chdir(folder)
    try:
        with patch.object(dispatch, "_report_error", _told):
            yield lambda data: _try(data, str(path))
    finally:
        os.chdir(before)


_SENTENCES = dispatch._report_error


def _told(error: Exception) -> int:
    """A sentence for what one is meant for; what else there is comes out."""
    if isinstance(error, UsageError | Refused | StoreError | UnicodeError | OSError):
        return _SENTENCES(error)
    raise error


def _try(data: bytes, path: str) -> None:
    said = data.decode("utf-8", "replace").replace("\0", "").split("\n")[:MOST_WORDS]
    if said[0] not in READING or any(map(_writes, said)):
        return
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["-c", path, *said])
    assert code in (0, 1, 2), code
    assert code != 2 or err.getvalue().strip()


def _writes(word: str) -> bool:
    """True for what may be an option by which a file is written, its short form among others too."""
    return word.startswith(WRITING) or (word.startswith("-") and not word.startswith("--") and "o" in word)
