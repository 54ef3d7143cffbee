"""Given what happened, when somebody wishes for something, then exactly these events, or one sentence."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from retold.journal.decks.chance import Luck, SeededDealer, StackedDealer
from retold.journal.line import LiveEvent, decide, evolve, fold
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary.base import Command, Event, Words, values_of
from retold.journal.vocabulary.events import CastIntroduced
from tests.proposed import holds


@dataclass(frozen=True)
class Story:
    """What has happened so far on a line."""

    events: tuple[Event, ...] = ()

    @property
    def table(self) -> Table:
        """What it comes to."""
        return fold(LiveEvent(position, event) for position, event in enumerate(self.events, 1))

    def given(self, *happened: Event | Command) -> Story:
        """The story with these events, and with what came of these commands; nothing is dealt for them."""
        story = self
        for one in happened:
            story = story.when(one).story if isinstance(one, Command) else Story((*story.events, one))
        return story

    def when(self, command: Command, dealt: str = "") -> Wish:
        """The command, with what is dealt for it should it not bring results of its own."""
        return Wish(self, command, tuple(dealt.split()))


@dataclass(frozen=True)
class Wish:
    """A command on a story, not yet decided."""

    before: Story
    command: Command
    dealt: tuple[str, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """What comes of it. All that was to be dealt has to have been asked for; deciding changes nothing."""
        dealer = StackedDealer(self.dealt)
        luck = Luck(dealer, getattr(self.command, "results", None))
        table = self.before.table
        try:
            decided = decide(table, self.command, luck)
        finally:
            assert table == self.before.table
        assert not dealer.left
        return tuple(decided)

    @property
    def story(self) -> Story:
        """The story with what comes of it."""
        return Story((*self.before.events, *self.events))

    def then(self, *expected: Event) -> Story:
        """Holds that exactly these events come of it."""
        story = self.story

        assert list(story.events[len(self.before.events) :]) == list(expected)
        return story

    def then_refused(self, sentence: str) -> None:
        """Holds that it is refused in these words, and that every line they propose is taken."""
        with pytest.raises(Refused) as refused:
            _ = self.events

        assert refused.value.sentence == sentence
        holds(sentence, self.before.table)


def given(*happened: Event | Command) -> Story:
    """A story that begins so."""
    return Story().given(*happened)


def cast(*names: str, first: int = 1) -> tuple[CastIntroduced, ...]:
    """These people enter the record, with ids from `first` on."""
    return tuple(CastIntroduced(person=person, name=Words(name)) for person, name in enumerate(names, first))


def wordless(event: Event) -> Event:
    """The event as it is when every word of it is redacted."""
    gone = {key: Words(None) for key, value in values_of(event).items() if isinstance(value, Words)}
    return event.but(gone)


class SeededLine:
    """A line that goes on by what a seed deals."""

    def __init__(self, seed: bytes) -> None:
        self.table = Table()
        self.events: list[Event] = []
        self.dealer = SeededDealer(seed, 1, {})

    def add(self, *events: Event) -> None:
        """These happen next."""
        for event in events:
            self.events.append(event)
            evolve(self.table, LiveEvent(len(self.events), event))

    def play(self, command: Command) -> list[Event]:
        """What comes of the command; raises Refused where nothing may."""
        events = decide(self.table, command, Luck(self.dealer))
        self.add(*events)
        return events

    def tried(self, command: Command) -> bool:
        """Whether the command was played; one that is refused is passed over."""
        try:
            self.play(command)
        except Refused:
            return False
        return True
