"""The `replay` verb: steps through a branch moment by moment, with the table state beside the events."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Annotated, NamedTuple, TypeAlias

import typer
from msgspec import Struct, field
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output

from retold.cli import app as o
from retold.cli.campaigns.opening import line_meant, opened
from retold.cli.invocation import UsageError
from retold.cli.output.printing import fitted
from retold.cli.verbs.show import stands
from retold.journal.language.moments import LinePosition
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.projections.plain.ink import with_audience
from retold.projections.plain.lives import data_as_json, moment_notation, told_notation
from retold.projections.reading import Ids, LineView, Moment, find_place, find_range
from retold.projections.texts import safe
from retold.projections.texts.wrapping import cut
from retold.projections.texts.wrapping import width as columns_of
from retold.projections.views import VIEWS, table_changes
from retold.projections.views.naming import conflict_title

NARROW = 60
"""With fewer columns the state is below the story, not beside it."""

BETWEEN = " │ "
FASTER = 1.5
SECONDS = 2.0
"""How long a moment is shown while the replay plays by itself, by default."""

SHORTEST, LONGEST = 0.05, 60.0
TICK = 0.05
KEYS_HELP = "space next · b back · n/p scene or conflict · g 412 goes there · a plays · + - speed · q leaves"


class Frame(NamedTuple):
    """One moment of a replay, as texts safe for a terminal.

    `heading` names session, scene and conflict; `told` tells the event; `state` is the table state after it.
    """

    position: int
    heading: str
    told: tuple[str, ...]
    state: tuple[str, ...]


Frames: TypeAlias = Callable[[int], Frame | None]
"""The frame by number, counting from 0; None after the last. Asked in order, each once."""


def step_through(
    frames: Frames, *, speed: float | None = None, source: Input | None = None, screen: Output | None = None
) -> None:
    """Shows the frames (moments of a replay) full screen until the user quits; prints all without a terminal.

    `speed` is seconds per frame; if given, the replay plays by itself from the start.
    """
    if screen is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_all(frames)
        return
    walk = ReplayPosition(frames)
    if walk.frame is None:
        sys.stdout.write("There is nothing to replay.\n")
        return
    ReplayViewer(walk, speed or SECONDS, playing=speed is not None).application(source, screen).run()


def _print_all(frames: Frames) -> None:
    walk = ReplayPosition(frames)
    while (frame := walk.frame) is not None:
        lines = [f"#{frame.position} {frame.heading}", *frame.told, *(f"    {line}" for line in frame.state)]
        sys.stdout.write("\n".join(lines) + "\n\n")
        if not walk.forward():
            return


class ReplayPosition(Struct):
    """Current position in a replay's frames; each frame is made on first access and kept."""

    frames: Frames
    at: int = 0
    kept: list[Frame] = field(default_factory=list)
    _whole: bool = False

    @property
    def frame(self) -> Frame | None:
        """Current frame; None only if the replay has no frames."""
        return self.get(self.at)

    def get(self, number: int) -> Frame | None:
        """Returns the frame with this number, counted from 0; None outside the range."""
        while len(self.kept) <= number and not self._whole:
            frame = self.frames(len(self.kept))
            if frame is None:
                self._whole = True
            else:
                self.kept.append(frame)
        return self.kept[number] if 0 <= number < len(self.kept) else None

    def forward(self) -> bool:
        """Moves one frame forward; returns False if the last frame was reached already."""
        if self.get(self.at + 1) is None:
            return False
        self.at += 1
        return True

    def back(self) -> None:
        """Moves one frame back, unless at the first."""
        self.at = max(0, self.at - 1)

    def onward(self) -> None:
        """Moves forward to the start of the next scene or conflict; without one, to the last frame."""
        while self.forward():
            if self._begins():
                return

    def backward(self) -> None:
        """Moves back to the start of the current scene or conflict; at a start, to the previous start."""
        while self.at:
            self.back()
            if self._begins():
                return

    def _begins(self) -> bool:
        return self.at == 0 or self.kept[self.at].heading != self.kept[self.at - 1].heading

    def go_to(self, position: int) -> None:
        """Moves to the first frame whose event position is at least `position`; without one, to the last."""
        if self.kept and self.kept[self.at].position > position:
            self.at = 0
        while self.get(self.at) is not None and self.kept[self.at].position < position and self.forward():
            pass


class ReplayViewer(Struct):
    """Full-screen display of a replay, with its keys."""

    walk: ReplayPosition
    seconds: float = SECONDS
    playing: bool = False
    typed: str | None = None
    """The digits after `g`; None where no number is being typed."""

    def application(self, source: Input | None = None, screen: Output | None = None) -> Application[None]:
        """Returns the full-screen application, to be run; `source` and `screen` replace the terminal."""
        window = Window(FormattedTextControl(self._drawn, focusable=True, show_cursor=False))
        application: Application[None] = Application(
            layout=Layout(window),
            key_bindings=self._keys(),
            full_screen=True,
            input=source,
            output=screen,
        )
        application.pre_run_callables.append(partial(self._play_in_background, application))
        return application

    def _drawn(self) -> StyleAndTextTuples:
        size = get_app().output.get_size()
        first, *others, last = self.lines(size.columns, size.rows)
        body = "\n".join(others)
        return [("bold", first), ("", f"\n{body}\n"), ("reverse", last)]

    def lines(self, width: int, height: int) -> list[str]:
        """Returns the screen: exactly `height` text lines (at least three), none wider than `width`."""
        frame = self.walk.frame
        if frame is None:
            return [""] * height
        heading = wrapped((f"#{frame.position} {frame.heading}",), width)[: max(1, height // 3)]
        room = max(1, height - len(heading) - 1)
        draw = _stacked if width < NARROW else _side_by_side
        body = draw(self._story(room), frame.state, width, room)
        status = cut(self._status(), width)
        return [*heading, *body, status + " " * (width - columns_of(status))]

    def _story(self, most: int) -> list[str]:
        """Returns the text of the last events up to the current frame: `most` text lines or a few more."""
        told: list[str] = []
        for frame in reversed(self.walk.kept[: self.walk.at + 1]):
            told = [*frame.told, *([""] if frame.told and told else []), *told]
            if len(told) >= most:
                break
        return told

    def _status(self) -> str:
        if self.typed is not None:
            return f"go to #{self.typed}"
        return f"▶ {self.seconds:.2g} s each · {KEYS_HELP}" if self.playing else KEYS_HELP

    def _play_in_background(self, application: Application[None]) -> None:
        application.create_background_task(self._play())

    async def _play(self) -> None:
        """Background task: while `playing`, moves one frame forward every `seconds`."""
        shown = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            if not self.playing:
                shown = now
            elif now - shown >= self.seconds:
                shown = now
                self.playing = self.walk.forward()
                get_app().invalidate()

    # --- keys ---------------------------------------------------------------------------------------------

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for names, act in self._acts():
            for name in names:
                keys.add(name)(_obeying(act))
        for digit in "0123456789":
            keys.add(digit)(_obeying(partial(self._type, digit)))
        keys.add("enter")(_obeying(self._enter))
        keys.add("backspace")(_obeying(self._erase))
        keys.add("escape", eager=True)(_obeying(self._forget))
        for name in ("q", "c-c", "c-d"):
            keys.add(name)(lambda event: event.app.exit())
        return keys

    def _acts(self) -> Iterator[tuple[Sequence[str], Callable[[], object]]]:
        yield (" ", "right", "down", "pagedown"), self.walk.forward
        yield ("b", "left", "up", "pageup"), self.walk.back
        yield ("n",), self.walk.onward
        yield ("p",), self.walk.backward
        yield ("home",), lambda: self.walk.go_to(0)
        yield ("g",), self._ask
        yield ("a",), self._toggle
        yield ("+", "="), lambda: self._hurry(1 / FASTER)
        yield ("-",), lambda: self._hurry(FASTER)

    def _ask(self) -> None:
        self.typed = ""

    def _forget(self) -> None:
        self.typed = None

    def _type(self, digit: str) -> None:
        self.typed = (self.typed or "") + digit

    def _erase(self) -> None:
        if self.typed is not None:
            self.typed = self.typed[:-1]

    def _enter(self) -> None:
        """Moves to the event position typed after `g`; without a number, one frame forward."""
        if self.typed:
            self.walk.go_to(int(self.typed[:15]))
        else:
            self.walk.forward()
        self.typed = None

    def _toggle(self) -> None:
        self.playing = not self.playing

    def _hurry(self, times: float) -> None:
        self.seconds = min(LONGEST, max(SHORTEST, self.seconds * times))


def _obeying(act: Callable[[], object]) -> Callable[[KeyPressEvent], None]:
    def obey(_: KeyPressEvent) -> None:
        act()

    return obey


# --- lines no wider than the screen -----------------------------------------------------------------------


def _side_by_side(story: Sequence[str], state: Sequence[str], width: int, height: int) -> list[str]:
    left = (width - len(BETWEEN)) * 3 // 5
    right = width - len(BETWEEN) - left
    told = wrapped(story, left)[-height:]
    stands = cropped(wrapped(state, right), height, right)
    rows = []
    for number in range(height):
        story_row = told[number] if number < len(told) else ""
        other = stands[number] if number < len(stands) else ""
        rows.append(f"{story_row}{' ' * (left - columns_of(story_row))}{BETWEEN}{other}")
    return rows


def _stacked(story: Sequence[str], state: Sequence[str], width: int, height: int) -> list[str]:
    stands = wrapped(state, width)
    room = max(1, height // 2, height - len(stands) - 1)
    told = wrapped(story, width)[-room:]
    below = cropped(stands, height - len(told) - 1, width)
    rows = [*told, *([cut("─" * width, width), *below] if below else [])]
    return (rows + [""] * height)[:height]


def cropped(lines: Sequence[str], height: int, width: int) -> list[str]:
    """Returns the first text lines that fit `height`; the last one says how many are left out."""
    if len(lines) <= height:
        return list(lines)
    if height < 1:
        return []
    return [*lines[: height - 1], cut(f"… {len(lines) - height + 1} lines more", width)]


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """Returns text lines broken between words to `width` columns; wide characters count as two."""
    return [row for line in lines for part in line.split("\n") for row in _folded(part.expandtabs(4), width)]


def _folded(line: str, width: int) -> list[str]:
    rows = [""]
    for word in re.findall(r"\S+\s*|\s+", line):
        if columns_of(rows[-1] + word.rstrip()) > width and rows[-1].strip():
            rows.append("")
        rows[-1] += word
        while columns_of(rows[-1].rstrip()) > width:
            head = cut(rows[-1], width, ellipsis="")
            head = head or rows[-1][:1]
            rows[-1:] = [head, rows[-1][len(head) :]]
    return [row.rstrip() for row in rows]


STATE = ("points", "decks", "balance", "tracks")
"""The views whose rows stand beside a moment."""


def command(
    ctx: typer.Context,
    stretch: Annotated[str, typer.Argument(metavar="[A..B]", help="From moment A to moment B.")] = "..",
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    stepping: Annotated[bool, typer.Option("--step", help="One moment at a time, by keys.")] = False,
    speed: Annotated[
        float | None, typer.Option("--speed", min=0.01, metavar="SECONDS", help="Go on by itself.")
    ] = None,
    state: Annotated[bool, typer.Option("--state", help="In text: also what each moment changed.")] = False,
    json: o.Json = False,
) -> None:
    """Go through the line again, moment by moment, with the state beside it.

    Examples: retold replay s2.. --step · retold replay s3
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        whole = LineView(found, line_meant(found, settings, options, viewer))
        known = None if at is None else find_place(whole, at, viewer)
        start, end = find_range(whole if known is None else whole.on(known.line), stretch, viewer)
        if known is not None:
            end = _as_it_stood(start, end, known, at)
        now = found.record.head(start.line).position if known is None else known.position
        looking = LineView(found, *end).called(viewer).viewer
        reading = LineView(found, start.line, max(now, end.position), looking)
        ids = reading.ids
        with closing(reading.moments(start.position - 1, end.position)) as seen:
            if options.json:
                _as_json(seen, reading)
            elif stepping or speed is not None:
                step_through(_frames(seen, ids), speed=speed)
            else:
                _as_text(seen, ids, reading.table_at(start.position - 1) if state else None)


def _as_it_stood(start: LinePosition, end: LinePosition, known: LinePosition, at: str | None) -> LinePosition:
    """Returns the end of a range of moments, at most the moment of `--at`.

    `known` is that moment, `at` its text. Raises UsageError if it is on another branch, Refused if the range
    begins after it.
    """
    if start.line != known.line:
        raise UsageError("The stretch and --at are on different lines: name one of them.")
    if start.position > known.position:
        raise Refused(f"Nothing of that had happened at {at}: name a later moment with --at.")
    return min(end, known)


def _as_text(seen: Iterator[Moment], ids: Ids, before: Table | None) -> None:
    """Prints each moment in notation; given the table state `before` them, also what each one changed."""
    for moment in seen:
        at = f"{moment.position:>5}  " if ids.open else ""
        told = f"{at}{told_notation(moment, ids, (moment.envelope.visible_to,))}"
        sys.stdout.writelines(f"{line}\n" for line in fitted((told,), sys.stdout, " " * (len(at) or 2)))
        if before is not None:
            now = moment.kept()
            for change in table_changes(before, now):
                sys.stdout.write(f"         {safe.line(change.sentence())}\n")
            before = now


def _as_json(seen: Iterator[Moment], reading: LineView) -> None:
    import json

    ids = reading.ids
    for moment in seen:
        value = {
            "retold": "moment",
            "version": 1,
            "position": moment.position if ids.open else None,
            "id": ids.at(moment.position),
            "kind": moment.event.kind,
            "at": moment.envelope.at,
            "data": ids.shown(moment.event, data_as_json(moment.event)),
            "told": moment_notation(moment, ids),
            "visible_to": reading.visible_to(moment.envelope),
        }
        sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False)) + "\n")


def _frames(seen: Iterator[Moment], ids: Ids) -> Callable[[int], Frame | None]:
    """Returns a function that gives the frame with a number, from 0; None after the last.

    Frames are made on demand, and kept.
    """
    made: list[Frame] = []

    def frame(number: int) -> Frame | None:
        while len(made) <= number:
            moment = next(seen, None)
            if moment is None:
                return None
            made.append(_frame(moment, ids, moment.position if ids.open else len(made) + 1))
        return made[number]

    return frame


def _frame(moment: Moment, ids: Ids, position: int) -> Frame:
    """Returns the frame of a moment, numbered `position`.

    For a viewer who may not notice hidden events, that number counts visible events only.
    """
    heading = _heading(moment)
    visible_to = moment.envelope.visible_to
    told = [moment_notation(moment, ids, (visible_to,))]
    text = getattr(moment.event, "text", None)
    if isinstance(moment.event, e.Narrated | e.Said | e.Declared) and text is not None:
        names = {number: person.called for number, person in moment.table.people.items()}
        who = with_audience(safe.line(moment.table.name(moment.event.who)), visible_to, names)
        told = [f"{who}:", *safe.text(str(text)).splitlines()]
    return Frame(position, safe.line(heading), tuple(told), tuple(_state(moment.table)))


def _heading(moment: Moment) -> str:
    table = moment.table
    session = f"Session {table.session}" if table.session else "Between sessions"
    scene = f" · {table.scene_title}" if table.scene_title is not None else ""
    conflict = table.in_play()
    where = f" · {conflict_title(conflict, table)}" if conflict else ""
    return f"{session}{scene}{where}"


def _state(table: Table) -> Iterator[str]:
    conflict = table.in_play()
    if conflict is not None:
        yield safe.line(stands(table, conflict))
    for name in STATE:
        of_table = VIEWS[name].of_table
        if of_table is None:
            continue
        sheet = of_table(table).sheet()
        for row in sheet.rows:
            yield safe.line("  ".join(row.cells))
