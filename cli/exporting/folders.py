"""Exports to a folder (vault or site): writes changed files only, and never replaces a user's edits."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from retold.cli.campaigns.asking import read_file
from retold.cli.invocation import UsageError
from retold.cli.output.printing import progress
from retold.cli.output.writing_files import replaced
from retold.journal.counting import counted
from retold.journal.pictures import SUFFIXES
from retold.journal.refused import Refused, refusal_of
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.progress import Progress
from retold.journal.store.disk.unfinished_files import patiently
from retold.journal.table import Table
from retold.picture_files import written_anew
from retold.projections.dossiers import Dossiers
from retold.projections.exports import TYPST
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.exports.told_sessions import told_sessions
from retold.projections.exports.vault import FOLDERS, PICTURES, SESSIONS, VaultPicture, caseless, pages_of
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import LineView
from retold.projections.reading.kept_sessions import KeptFiles
from retold.projections.reading.pictures import Image
from retold.projections.site import WHERE, base, files_of
from retold.projections.site.settings import SiteSettings, settings_file, settings_in
from retold.projections.story.document import Transcript
from retold.projections.texts import safe


class Mark(NamedTuple):
    """Bytes that frame Retold's part of an exported file; a hash in its header shows later edits.

    In order: the file type's first bytes, the text before the hash, the text after it, the text that ends
    Retold's part (empty if the whole file is Retold's).
    """

    begins: bytes
    opens: bytes
    closes: bytes
    ends: bytes = b""
    """The line at which our part of a page ends, where the rest of it is for the reader to write."""


_HTML: Final = Mark(b"<!DOCTYPE html>\n", b"<!-- retold: ", b" -->\n")
_MARKS: Final[Mapping[str, Mark]] = {
    ".md": Mark(
        *(b"---\n", b'retold: "', b'"\n'),
        b"\n<!-- Retold writes what is above this line. What is below it is yours. -->\n",
    ),
    ".html": _HTML,
    ".xml": _HTML._replace(begins=b'<?xml version="1.0" encoding="UTF-8"?>\n'),
    ".css": Mark(b"", b"/* retold: ", b" */\n"),
    ".js": Mark(b"", b"// retold: ", b"\n"),
}
"""Header of the files that Retold writes, by their endings; pictures have none."""


_DIGITS: Final = 64


class Written(NamedTuple):
    """Result of writing an export folder: files written, unchanged, edited by the user, or outdated.

    Paths are relative to the folder.
    """

    written: tuple[str, ...]
    unchanged: int
    yours: tuple[str, ...]
    """Files of ours that were changed since, and those that were never ours: left as they are."""
    left_over: tuple[str, ...]
    """Files of ours, as we wrote them, that nothing is told in any more."""
    beside: Mapping[str, str]
    """New text of those that are left as they are and could be told again."""

    def to_json(self, what: str) -> dict[str, Any]:
        """Returns the result as JSON data; `what` is `vault` or `site`."""
        return {"retold": what, "version": 1, **self._asdict()}


def folder_meant(named: str, what: str) -> Path:
    """Returns the path of the export folder `named`; raises Refused if it is a file.

    `what` (`vault` or `site`) is used in the sentence.
    """
    path = Path(named)
    if path.exists() and not path.is_dir():
        raise Refused(f"{named} is a file, and a {what} is a folder: name another with --{what} FOLDER.")
    return path


def write_folder(
    folder: Path,
    files: Iterable[tuple[str, bytes]],
    where: Sequence[str],
    kept: KeptFiles | None = None,
    *,
    removes: bool = False,
) -> Written:
    """Writes new and changed `files` (path and content) into the folder; returns what was done.

    A user's text below Retold's part of a page is kept. If Retold's part itself was edited, the page is left
    alone, and its new version is written beside it. Files of Retold's that match the glob patterns `where`
    but are not in `files` are outdated; `removes` deletes these. `files` are not made if all are as `kept`.
    """
    before = None if kept is None else kept.load()
    if before and _is_as_before(folder, before, where):
        return Written((), len(before), (), (), {})
    fresh = dict(files)
    names = {caseless(name) for name in fresh}
    ours: dict[str, bool] = {}
    beside: dict[str, str] = {}
    yours = [name for name in fresh if not _is_free(folder / name, folder)]
    for name, content in fresh.items():
        if name not in yours:
            ours[name] = _write(folder / name, content)
        elif (other := _beside(folder, name, content, names)) is not None:
            beside[name] = other
            ours[other] = _write(folder / other, content)
    left_over = tuple(_left_over(folder, where, {*fresh, *ours}))
    if removes:
        for name in left_over:
            patiently((folder / name).unlink)
    if kept is not None and not yours and (removes or not left_over):
        kept.keep({name: _digest(marked(name, content)).decode() for name, content in fresh.items()})
    written = tuple(name for name, is_new in ours.items() if is_new)
    return Written(written, len(ours) - len(written), tuple(yours), left_over, beside)


def _is_as_before(folder: Path, before: Mapping[str, str], where: Iterable[str]) -> bool:
    """True if Retold's part of each file has its digest in `before`, and no other file is Retold's."""
    return all(
        _is_free(folder / name, folder)
        and (folder / name).exists()
        and _digest(_our_part(name, _read(folder / name)[0])).decode() == digest
        for name, digest in before.items()
    ) and not any(_left_over(folder, where, {*before}))


def _write(path: Path, content: bytes) -> bool:
    """Writes Retold's part of a file and keeps the user's text below it; returns True if any byte changed."""
    was, line_end = _read(path) if path.exists() else (b"", b"\n")
    data = marked(path.name, content) + was[len(_our_part(path.name, was)) :]
    if was == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replaced(path, [data.replace(b"\n", line_end)], 0o644)
    return True


def _read(path: Path) -> tuple[bytes, bytes]:
    """Returns a file's content with the line ends that Retold writes, and those of the file.

    An editor on Windows may end every line with CR and LF.
    """
    data = path.read_bytes()
    if path.suffix not in _MARKS or data.count(b"\r\n") != data.count(b"\n"):
        return data, b"\n"
    return data.replace(b"\r\n", b"\n"), b"\r\n" if b"\r\n" in data else b"\n"


def _beside(folder: Path, name: str, content: bytes, taken: Collection[str]) -> str | None:
    """Returns a free path in the same folder, `Name (Retold).md`, for the new version of an edited page.

    None if the page would have the same text as when the user began to edit it, if its file type has no part
    for users (such as a picture), or if a symbolic link or file is in the way of its folder.
    """
    path, mark = folder / name, _MARKS.get(Path(name).suffix)
    if mark is None:
        return None
    begun = marked(name, content)[: len(mark.begins + mark.opens) + _DIGITS]
    is_told = path.is_file() and not path.is_symlink() and _read(path)[0].startswith(begun)
    if not mark.ends or is_told or not _has_clear_parents(path, folder):
        return None
    stem = name.removesuffix(path.suffix)
    numbered = (f"{stem} (Retold{'' if number == 1 else f' {number}'}){path.suffix}" for number in count(1))
    return next(
        candidate
        for candidate in numbered
        if caseless(candidate) not in taken and _is_free(folder / candidate, folder)
    )


def say_written(folder: str, came: Written, what: str, left: str) -> None:
    """Prints on standard error how many files were written, and each file left alone or outdated.

    `what` is their noun (`page` or `file`); `left` says what happened to outdated ones.
    """
    written = counted(len(came.written), what)
    sys.stderr.write(f"{written} written, {came.unchanged} as before: {safe.line(folder)}.\n")
    for name in came.yours:
        new = f"; the new version is {came.beside[name]}" if name in came.beside else ""
        sys.stderr.write(safe.line(f"{name}: not written, for it is not as Retold wrote it{new}.") + "\n")
    sys.stderr.writelines(f"{safe.line(name)}: {left}.\n" for name in came.left_over)


def marked(name: str, content: bytes) -> bytes:
    """Returns the file's content with Retold's header, which holds a hash of the bytes after it.

    A picture stays as it is, since its file name is the beginning of its hash. Raises ValueError if `content`
    lacks the first bytes that its file type requires.
    """
    mark = _MARKS.get(Path(name).suffix)
    if mark is None:
        return content
    if not content.startswith(mark.begins):
        raise ValueError(f"{name} does not begin with {mark.begins!r}")
    rest = content.removeprefix(mark.begins) + mark.ends
    return b"".join((mark.begins, mark.opens, _digest(rest), mark.closes, rest))


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _is_free(path: Path, folder: Path) -> bool:
    """True if Retold may write at `path`: no file, or an unedited file of Retold's; never a symbolic link."""
    if path.is_symlink() or not _has_clear_parents(path, folder):
        return False
    return not path.exists() or _is_ours(path)


def _has_clear_parents(path: Path, folder: Path) -> bool:
    """True if no folder between `folder` and `path` is a file or symbolic link."""
    return not any(
        parent.is_symlink() or parent.is_file() for parent in path.parents if folder in parent.parents
    )


def _is_ours(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and bool(_our_part(path.name, _read(path)[0]))


def _our_part(name: str, data: bytes) -> bytes:
    """Returns the leading bytes of a file that Retold wrote; empty if they were edited or never Retold's."""
    mark = _MARKS.get(Path(name).suffix)
    if mark is None:
        return data if _digest(data).decode().startswith(Path(name).stem) else b""
    shape = re.escape(mark.begins + mark.opens) + rb"([0-9a-f]{%d})" % _DIGITS + re.escape(mark.closes)
    begun = re.match(shape, data)
    if begun is None:
        return b""
    ends = [found.end() for found in re.finditer(re.escape(mark.ends), data)] if mark.ends else [len(data)]
    return next((data[:end] for end in ends if _digest(data[begun.end() : end]) == begun[1]), b"")


def _left_over(folder: Path, where: Iterable[str], told: set[str]) -> Iterator[str]:
    for pattern in where:
        for path in sorted(folder.glob(pattern)):
            name = path.relative_to(folder).as_posix()
            if name not in told and not path.parent.is_symlink() and _is_ours(path):
                yield name


Tell = Callable[[int | None], Transcript]
"""Tells a session in the manner that was asked for; None is the last, or all there is where there is none."""


def write_vault(
    folder: Path,
    reading: LineView,
    told: Iterable[Transcript],
    phrases: Phrases,
    place: MechanicsPlace,
    kept: KeptFiles | None,
) -> Written:
    """Writes a vault (linked Markdown pages) to a folder, one page per session and dossier.

    Prints what was written on standard error. `told` are the sessions' transcripts, `phrases` word the other
    pages, and `place` says where mechanics stand.
    """

    def files() -> Iterator[tuple[str, bytes]]:
        dossiers = Dossiers(reading, language=phrases.language)
        for page in pages_of(dossiers, told, place, reading.title, phrases):
            if isinstance(page, VaultPicture):
                yield page.path, page.data
            else:
                yield f"{page.path}.md", page.text.encode()

    where = [f"{subfolder}/*.md" for subfolder in (*FOLDERS.values(), SESSIONS)]
    where += [f"{PICTURES}/*{suffix}" for suffix in SUFFIXES.values()]
    came = write_folder(folder, files(), where, kept)
    say_written(str(folder), came, "page", "no longer exported, and left there")
    return came


class FolderExport(NamedTuple):
    """An export to a folder: `vault` or `site` is the folder's name, `url` the site's public address."""

    vault: str | None
    site: str | None
    url: str | None

    @classmethod
    def asked_for(
        cls, vault: str | None, site: str | None, url: str | None, beside: Sequence[object]
    ) -> Self | None:
        """Returns the export that --vault or --site ask for; None without either.

        Raises UsageError for both at once, for --url without --site, and if any option in `beside` is given
        too.
        """
        if url is not None and site is None:
            raise UsageError("--url is where a site will be found: say it with --site FOLDER.")
        if vault is None and site is None:
            return None
        what = "vault" if site is None else "site"
        if any(beside) or None not in (vault, site):
            raise UsageError(
                f"A {what} is pages of everything: say --{what} FOLDER without --session, A..B, --book, -f,"
                f" -o, --clap, --force, --paper and {'--vault' if site else '--site'}."
            )
        return cls(vault, site, None if url is None else base(url))

    @property
    def is_site(self) -> bool:
        """True for a site, whose session pages include a replay; False for a vault."""
        return self.site is not None

    def settings(self, campaign: Address) -> SiteSettings:
        """Returns the settings of a campaign's site; those of a vault are the defaults."""
        return settings_in(settings_file(campaign)) if self.is_site else SiteSettings()

    def write(
        self,
        reading: LineView,
        tell: Tell,
        telling: SessionTelling,
        place: MechanicsPlace,
        *,
        has_drafts: bool,
    ) -> dict[str, Any]:
        """Writes the vault or site to its folder; returns the result as JSON data.

        Sessions are told as `telling` says, or by `tell` with the words of drafts, which are not kept. A site
        of a branch without any is of the whole branch, by `tell`.
        """
        what, named = ("site", self.site) if self.is_site else ("vault", self.vault)
        folder = folder_meant(str(named), what)
        settings = self.settings(reading.campaign.place)
        cover = None if settings.cover is None else _cover(reading.campaign.place, settings.cover)
        manner = telling, place, self.url, settings, cover
        kept = None if has_drafts else KeptFiles(reading, folder, manner)
        sessions = [*reading.sessions.opened]
        with progress("Telling") as progressed:
            if self.is_site and not sessions:
                told = iter([tell(None)])
            elif has_drafts:
                told = map(tell, sessions)
            else:
                told = told_sessions(reading, sessions, telling)
            told = _noted(told, len(sessions), progressed)
            if not self.is_site:
                came = write_vault(folder, reading, told, telling.voice.phrases, place, kept)
            else:
                files = files_of(
                    reading, told, telling.voice, place, self.url, settings=settings, cover=cover
                )
                came = write_folder(folder, files, WHERE, kept, removes=True)
                say_written(str(folder), came, "file", "no longer exported, and removed")
                if self.url is not None and (missing := refusal_of(partial(TYPST.load, "A link's picture"))):
                    sys.stderr.write(f"{missing}\n")
                if players := _players(reading.table):
                    names = ", ".join(players)
                    sys.stderr.write(f"It names the players, who have no pages of their own: {names}.\n")
        return came.to_json(what)


def _cover(campaign: Address, name: str) -> Image:
    """Returns the cover in a picture file; a relative path begins beside the campaign."""
    made = written_anew(read_file(name, settings_file(campaign).parent), safe.line(name))
    return Image("cover", made.media, made.width, made.height, made.sha256, "", None, None, made.data)


def _noted(told: Iterable[Transcript], number: int, progressed: Progress) -> Iterator[Transcript]:
    for done, each in enumerate(told):
        progressed(done, number)
        yield each


def _players(table: Table) -> list[str]:
    """Returns the names of all players, safe to print."""
    playing = dict.fromkeys(person.player for person in table.everybody() if person.player is not None)
    return [safe.line(table.shown(player)) for player in playing]
