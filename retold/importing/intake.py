"""Report of an import: units read, and the campaign's state after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from retold.sources.dice import Rung
from retold.sources.reporting import RUNGS, Report, told


@dataclass(frozen=True)
class Session:
    """Session that an import begins."""

    title: str
    date: str
    """Local day on which it began; empty if the source has no times."""


@dataclass(frozen=True)
class Changed:
    """Unit whose words in the source differ from the imported ones."""

    place: str
    """File, and place in it."""
    was: str
    now: str
    left: str = ""
    """Why the campaign keeps its words: `mended`, `redacted` or `undone`; empty if they are reworded."""


@dataclass(frozen=True)
class Gone:
    """Unit that was imported once but is missing from its source now; the campaign keeps it."""

    place: str
    """Place in the file that it came in from."""
    words: str
    """Its words; empty if they were redacted."""


@dataclass
class Intake:
    """Report of an import as counts and lists."""

    report: Report
    """Counts of the units read, with the people, channels and times."""
    checked: bool = False
    """True if nothing was recorded because only a check was asked for."""
    new: int = 0
    """Number of units that became acts."""
    known: int = 0
    """Number of units that the campaign had already."""
    unchanged: int = 0
    """Number of units that became no act because they state what was so already."""
    acts: int = 0
    """Number of acts recorded, sessions and cast included."""
    changed: list[Changed] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    otherwise: int = 0
    """Number of known units that would read otherwise by the present answers."""
    told_later: int = 0
    """Number of new units older than what the campaign had, told later at their place."""
    secret_throws: int = 0
    throws: Counter[Rung] = field(default_factory=Counter)
    """Throws of the new units by the rung they were recorded on."""
    people_new: list[str] = field(default_factory=list)
    people_known: list[str] = field(default_factory=list)
    sessions_new: list[Session] = field(default_factory=list)
    sessions_known: int = 0
    duration: float = 0.0
    """Seconds it took."""

    def as_json(self) -> dict[str, object]:
        """Report as plain values."""
        return {
            **self.report.as_json(),
            "recorded": not self.checked,
            "new": self.new,
            "known": self.known,
            "unchanged": self.unchanged,
            "acts": self.acts,
            "changed": [
                {"place": one.place, "was": one.was, "is": one.now, "left": one.left or None}
                for one in self.changed
            ],
            "gone": [{"place": one.place, "words": one.words} for one in self.gone],
            "known that would read otherwise": self.otherwise,
            "told later": self.told_later,
            "secret throws": self.secret_throws,
            "throws of new units": {rung.value: self.throws[rung] for rung in Rung},
            "people new": self.people_new,
            "people known": self.people_known,
            "sessions new": [{"title": one.title, "date": one.date or None} for one in self.sessions_new],
            "sessions known": self.sessions_known,
            "seconds": round(self.duration, 3),
        }

    def lines(self) -> Iterator[str]:
        """Report for the console, one sentence or count on a line."""
        yield from self.report.lines()
        would = "would be " if self.checked else "were "
        rungs = ", ".join(f"{self.throws[rung]:,} {RUNGS[rung]}" for rung in Rung if self.throws[rung])
        secret = f"; {self.secret_throws:,} behind the screen" if self.secret_throws else ""
        begun = [f"{one.title} {one.date}".strip() or "without a date" for one in self.sessions_new]
        yield f"New: {self.new:,}. Known already: {self.known:,}."
        yield from told(
            (self.unchanged, f"No act, because they state what was so already: {self.unchanged:,}."),
            (self.throws, f"Throws that {would}recorded: {self.throws.total():,} ({rungs}{secret})."),
            (self.people_new, f"New in the cast: {', '.join(self.people_new)}."),
            (begun, f"New sessions: {len(begun):,} ({_some(begun)})."),
            (
                self.told_later,
                f"Older than what the campaign has, and told later at their place: {self.told_later:,}.",
            ),
        )
        for one in self.changed:
            kept = f"; the campaign keeps its words, which are {one.left}" if one.left else ""
            yield f"Changed at the source, {one.place}: “{_short(one.was)}” is “{_short(one.now)}”{kept}."
        for each in self.gone:
            yield f"Gone from the source, {each.place}: “{_short(each.words)}”. The campaign keeps it."
        yield from told(
            (
                self.otherwise,
                f"Known units that would read otherwise by the answers as they are now: {self.otherwise:,}.",
            ),
            (self.checked, "Nothing was recorded: this was a check."),
        )


_MOST = 8
_LONGEST = 80


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more:,} more" if more > 0 else "")


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
