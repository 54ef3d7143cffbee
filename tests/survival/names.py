"""R22: names that would be paths, where names become files."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from random import Random
from unittest.mock import patch

from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.exports import vault
from retold.projections.site import addresses
from tests.survival.attacks import Found
from tests.survival.saying import say

NAMES = (
    *(
        "../../x",
        "../../../x",
        "..\\..\\x",
        "..",
        ".",
        "...",
        "/etc/passwd",
        "C:\\x",
        "C:x",
        "\\\\host\\x",
        "~",
        "~root",
    ),
    *(
        "CON",
        "con.txt",
        "NUL",
        "nul.md",
        "AUX.",
        "COM1",
        "COM\u00b9",
        "LPT9.tar",
        "PRN ",
        "x.",
        "x ",
        " x",
        "-rf",
        "--help",
    ),
    *(
        "a/b",
        "a\\b",
        "a:b",
        "a*b",
        "a?b",
        'a"b',
        "a<b>",
        "a|b",
        "a%2fb",
        "%2e%2e%2fx",
        "a#b",
        "a^b",
        "[[a]]",
        "$HOME",
    ),
    *(
        "x" * 300,
        "é" * 200,
        "🐎" * 100,
        "e\u0301",
        "\u00e9",
        "E\u0301",
        "ß",
        "SS",
        "ﬁ",
        "fi",
        "İ",
        "i",
        "I",
        "\u0131",
    ),
    *(
        "index",
        "index.html",
        "search",
        "404",
        "feed.xml",
        ".git",
        ".htaccess",
        "desktop.ini",
        "a\tb",
        "a\nb",
        "\u202eb",
    ),
    *("People/../../../x", "Sessions/Session 1", "x/../../..//../x"),
)
AT_ONCE = 20
ON_WINDOWS = re.compile(r'(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?|.*[<>:"|?*\\\x00-\x1f].*|.*[ .]')
"""Names that are no files there."""


def write_names(folder: Path, rounds: int, protected: bool) -> Found:
    """R22: so many names of people, places and threads in a vault and a site; all stays in its folder."""
    found, names = Found(), _names()
    with ExitStack() as off:
        if not protected:
            off.enter_context(patch.object(vault, "file_stem", lambda name, _taken: name[:80]))
            off.enter_context(patch.object(addresses, "slug", lambda name, _kind, _taken=(): name[:80]))
        for number in range(0, rounds, AT_ONCE):
            some = list(islice(names, min(AT_ONCE, rounds - number)))
            found.tried += len(some)
            _write(folder / str(number), some, found)
    return found


def _names() -> Iterator[str]:
    random = Random(22)
    yield from NAMES
    parts = ("..", "/", "\\", "x", "con", ".", " ", ":", "é", "~", "%2f", "\u202e")
    while True:
        yield "".join(random.choices(parts, k=8)) + "z"


def _write(folder: Path, names: list[str], found: Found) -> None:
    """Writes everything into a folder in the middle of others, one of which is linked to from within."""
    within = folder / "a" / "b" / "c"
    within.mkdir(parents=True)
    people = _told(within / "a.retold", names)
    for kind, linked in (("vault", "People"), ("site", "people")):
        for is_linked in (False, True):
            out = within / f"{kind}-{is_linked}"
            if is_linked:
                out.mkdir()
                (folder / "victim").mkdir(exist_ok=True)
                (out / linked).symlink_to(folder / "victim")
                (folder / "victim" / "x.md").write_text("mine", "utf-8")
            before = _files(folder, out)
            said = say(within, "-c", "a", "export", f"--{kind}", out.name, "--for", "gm")
            found.untrue += not said.is_foreseen or said.code != 0
            found.damaged += _files(folder, out) != before
            found.damaged += sum(not _is_file_anywhere(one) for one in out.rglob("*"))
            if not is_linked:
                there = len(list((out / linked).glob("*"))) - (kind == "site")  # which has a list of them too
                found.lost += there != people
    shutil.rmtree(folder)


def _told(path: Path, names: list[str]) -> int:
    """A campaign with people, places and threads of these names; how many people there are."""
    with CampaignStore.create(path) as camp:
        writer = camp.writer(1)
        writer.record(c.OpenSession(title=Words(names[0]), date="2026-03-14"))
        for name in map(Words, names):
            for command in (c.Cast(who=name, text=name), c.KeepPlace(what=name), c.KeepThread(what=name)):
                with suppress(Refused):  # somebody of about that name is here
                    writer.record(command)
        return sum(row.kind == "table.cast-introduced" for row in camp.record.everything())


def _files(folder: Path, but: Path) -> dict[str, bytes]:
    """What lies beside what was to be written, and is not to change."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            path = Path(top) / name
            if but not in path.parents and "home" not in path.parts and "a.retold" not in name:
                found[str(path)] = path.read_bytes()
    return found


def _is_file_anywhere(path: Path) -> bool:
    return ON_WINDOWS.fullmatch(path.name) is None and len(path.name.encode()) <= 255
