"""An evening with secrets and with words that other programs would obey."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import retold

EVENING: Final = """\
campaign The Salt Road
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast Ana bruise by=Kim clubs=3 melee=1: A pilot
session The ferry --date 2026-03-14
scene The quay, at night: Rain since noon.
narrate Zel: I roll [[/roll 1d20]] for @UUID[Actor.x]{you} and [character:5], <script>alert(1)</script>.
narrate gm --gm: The ferryman is paid by the captain of the watch.
narrate gm: =HYPERLINK("https://example.org") stands on a sign.
cast "Captain Morvane" bruise --gm clubs=5: He waits on the far bank.
narrate Ana --to Ana: The compass in my coat points south.
thread "Who lit the lanterns": Nobody was on the quay.
thread "The drowned ledger" --gm: It lies under the third plank.
place "The quay": Wet planks.
thing "The key": It is cold.
note Zel --gm: He is a son of the ferryman.
roll Zel d20 vs 10 = 12
close "Who lit the lanterns": The ferryman did.
end session: Out, and wet.
session The far bank --date 2026-03-21
scene +1 step: Mud.
narrate Zel: - I go ashore first.
"""
SECRETS: Final = ("Morvane", "paid by the captain", "compass", "ledger", "third plank", "son of the ferryman")
JOINER: Final = "\u2060"


def begun(path: Path) -> retold.Campaign:
    """The evening on the ferry."""
    campaign = retold.new(path)
    campaign.play(EVENING)
    return campaign
