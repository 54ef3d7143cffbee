"""Random evenings with secrets in a guest's game, in a process that has the guest on its path.

python -m tests.wandering.guest FOLDER COUNT [whole]

Prints what was found as JSON, and leaves in the folder a campaign in which words of the guest's own stand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import retold
from tests.guests.installed import LANTERNS, ROOT, laid_out
from tests.wandering import lines, planting
from tests.wandering.asked import every_board_is_the_one_that_lay_there
from tests.wandering.planting import Recipe, night
from tests.wandering.searching import searched

GAME: Final = "lanterns"

CAST: Final = (
    "cast Zel lanterns by=Jon bold=1 keen=2",
    "cast Ned lanterns by=Omar calm=1",
    'cast "Two Guards" lanterns bold=2',
    "cast Rats lanterns keen=-1",
)
SPICE: Final = (
    *(
        "dare Zel bold = 3 5: onward",
        "dare Ned calm",
        "hurt Zel 1",
        "hurt Rats 2",
        "mend Zel 1",
        "hurt Ned 4",
    ),
    *('dare "Two Guards" bold', "dare Rats keen = 6 6: more"),
)
RECIPES: Final = tuple(
    Recipe((line,))
    for line in (
        "hurt {x} 1: {w}",
        "mend {x} 1: {w}",
        "cast {x} lanterns bold=3 --gm: {w}",
        "hurt {x} 2: {w}",
    )
)

WORDS: Final = ("zvtbnqdfk", "wqkdrpmzs", "xmbcrtvlp")
"""What stands in events of the guest's own kinds, in the campaign that is left."""
LEFT: Final = "left.retold"
LAST_EVENING: Final = f"""\
cast gm by=Mary
cast Wick lanterns by=Jon bold=1
cast Odo by=Kit
session First dark
scene The causeway
conflict "The crossing" lanterns Wick vs gm: the causeway
dare Wick bold = 3 5: The {WORDS[0]}.
hurt Wick 1: The {WORDS[1]}.
mend Wick 1: The {WORDS[2]}.
"""


def played(folder: Path, count: int, *, whole: bool = False) -> dict[str, Any]:
    """What a process with the guest finds in so many evenings: `campaigns`, `outputs` and `hits`."""
    path = os.pathsep.join([str(ROOT), str(laid_out(LANTERNS, folder / "site"))])
    words = [str(folder), str(count), *(("whole",) if whole else ())]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
    made = subprocess.run(
        [sys.executable, "-m", "tests.wandering.guest", *words],
        env={**kept, "RETOLD_HOME": str(folder / "home"), "PYTHONPATH": path},
        capture_output=True,
        cwd=ROOT,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
    return found


def main(arguments: list[str]) -> int:
    """Plays, and says what was found."""
    folder, count = Path(arguments[0]), int(arguments[1])
    for known, mine in (
        (lines.CAST, CAST),
        (lines.SPICE, SPICE),
        (lines.SETUPS, ("",)),
        (lines.OPENINGS, ()),
    ):
        known[GAME] = mine
    lines.RULED[GAME] = ("harm",)
    planting.RECIPES += RECIPES * 3  # type: ignore[misc]
    outputs, hits = 0, []
    whole = "whole" in arguments
    for seed in range(count):
        with night(GAME, seed) as made:
            found = searched(made, seed, whole=whole, few=2, service=whole)
            every_board_is_the_one_that_lay_there(made.evening.scribe)
        outputs += found.outputs
        hits += [f"{GAME} {seed} {one}" for one in found.hits]
    with retold.new(folder / LEFT, seed="a seed for tests alone") as campaign:
        campaign.play(LAST_EVENING)
    sys.stdout.write(json.dumps({"campaigns": count, "outputs": outputs, "hits": hits}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
