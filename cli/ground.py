"""Whether a campaign can be kept where it lies: on a disk of this computer, or one that others write to."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.screen.columns import fitted
from journal.refused import Refused
from journal.store.sqlite.footing import shared_disk
from projections import safe


def check_new(path: Path, *, allowed: bool) -> None:
    """Refused where a campaign would begin on a network disk, unless that is `allowed`; else as `tell`."""
    shared = shared_disk(path)
    if shared is not None and shared.is_network and not allowed:
        raise Refused(
            f"{shared.sentence(path)} If one program at a time opens it, say --shared-disk: it is made there."
        )
    tell(path)


def tell(path: Path) -> None:
    """Says on standard error what may happen where a campaign lies; nothing on a disk of this computer."""
    shared = shared_disk(path)
    if shared is not None:
        said = fitted([safe.line(shared.sentence(path))], sys.stderr)
        sys.stderr.writelines(f"{line}\n" for line in said)
