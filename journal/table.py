"""State of a branch at one event position: events that are not undone, folded by this module's handlers.

Only event handlers change a table state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

from retold.journal.grammar import PersonName, first_pronoun, gender_of, takes_back
from retold.journal.names import normalise, quoted, without_article
from retold.journal.visibility import TABLE, VisibleTo, next_number, short_number
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Words, person_subject


def placeholder_name(person: int) -> str:
    """Returns the name shown for a person without a known name: `somebody (7)`."""
    return f"somebody ({short_number(person)})"


def placeholder_matter_name(opened: int) -> str:
    """Returns the name shown for a thread, place or thing without a known name: `redacted-42`."""
    return f"redacted-{opened}"


UNNAMED_GM: Final = "gm"
"""Name of an unnamed game master: a word to type, never shown to readers."""


class Somebody(Struct):
    """A character, player or group known to the campaign, with names, description and player."""

    id: int
    name: Words
    role: str
    text: Words | None = None
    aliases: list[Words] = field(default_factory=list)
    player: int | None = None
    former: list[Words] = field(default_factory=list)
    """Former names, latest last; they still work where no current name matches."""
    players: list[int] = field(default_factory=list)
    """Players in order, each time one took over."""
    beside: list[int] = field(default_factory=list)
    """For the game master: who else is one, beside `player`."""
    retired: bool = False
    telling: str | None = None
    """In which person they tell, as in the option `telling`; None if as the table does."""
    pronouns: Words | None = None
    forms: dict[str, Words] = field(default_factory=dict)
    """Forms of the current name, by case such as `acc`."""

    @property
    def called(self) -> str:
        """Current name as typed; a placeholder such as `somebody (7)` if it is redacted."""
        return placeholder_name(self.id) if self.name.text is None else self.name.text

    @property
    def named(self) -> str:
        """Current name as in `called`; a `PersonName` if pronouns or forms of it are known."""
        if self.name.text is None or (self.pronouns is None and not self.forms):
            return self.called
        return PersonName(self.name.text, gender_of(self.pronoun), self.forms_by_case)

    @property
    def forms_by_case(self) -> dict[str, str]:
        """Forms of the current name by case, sorted; without redacted ones."""
        return {case: form.text for case, form in sorted(self.forms.items()) if form.text is not None}

    @property
    def pronoun(self) -> str:
        """First of their pronouns in small letters, such as `she`; empty without any."""
        return "" if self.pronouns is None else first_pronoun(self.pronouns.text)


class Matter(Struct):
    """A thread, place or thing with notes, identified by `opened`, the position of its first event."""

    opened: int
    sort: e.Sort
    name: Words
    closed: bool = False
    former: list[Words] = field(default_factory=list)
    """Former names, latest last."""

    @property
    def called(self) -> str:
        """Current name as typed; a placeholder such as `redacted-42` if it is redacted."""
        return placeholder_matter_name(self.opened) if self.name.text is None else self.name.text

    @property
    def names(self) -> tuple[str, ...]:
        """Current and former names, the current one first; redacted former names are left out."""
        return (self.called, *(name.text for name in self.former if name.text is not None))


class Narration(Struct):
    """Last narration of a person: its event position, its conflict, and whether it was struck."""

    position: int
    conflict: int | None
    struck: bool = False


class Secret(Struct):
    """Secrecy of a person, sheet, track or clock: audience, and positions of the hidden events about it."""

    visible_to: VisibleTo
    positions: list[int] = field(default_factory=list)


class Concession(Struct):
    """A concession (offer to lose a conflict on stated terms), and the sides that accepted it."""

    whose: int
    text: Words
    accepted: set[int] = field(default_factory=set)


class OpenConflict(Struct):
    """A conflict that has not ended; `state` is set and read by its game alone."""

    id: int
    system: str
    sides: e.Sides
    setup: dict[str, Any]
    title: Words | None
    stakes: Words | None
    began: int
    state: object = None
    concession: Concession | None = None

    winners: tuple[int, ...] = ()
    """People who have won by the rules of the game, stored when the conflict ends; empty before."""

    @property
    def leads(self) -> tuple[int, ...]:
        """The first person of each side, whose id identifies the side."""
        return tuple(side[0] for side in self.sides)

    @property
    def people(self) -> tuple[int, ...]:
        """Ids of the people on all sides, side by side."""
        return tuple(person for side in self.sides for person in side)

    def side_of(self, person: int) -> int | None:
        """Returns the first person of the side `person` is on; None for people outside the conflict."""
        return next((side[0] for side in self.sides if person in side), None)

    def side_with(self, person: int) -> tuple[int, ...]:
        """Returns the people of the side `person` is on; empty for people outside the conflict."""
        return next((side for side in self.sides if person in side), ())


class EndedConflict(Struct, frozen=True):
    """A conflict that has ended: how, and who won it; `winners` may be empty.

    `at` is the position of its end.
    """

    id: int
    at: int
    system: str
    sides: e.Sides
    title: Words | None
    how: str
    winners: tuple[int, ...]


class Table(Struct):
    """State of a campaign's branch at one event position: people, options, conflicts, game states.

    `shelves` holds the state of each game by its name. Past events are not kept here; views read the events.
    """

    position: int = 0
    campaign: str = ""
    title: Words | None = None
    seed: str | None = None
    line: int = 1
    people: dict[int, Somebody] = field(
        default_factory=lambda: {GM: Somebody(GM, Words(UNNAMED_GM), "gm", aliases=[Words("game master")])}
    )
    options: dict[str, dict[str, str]] = field(default_factory=dict)
    sessions: int = 0
    session: int | None = None
    absent: tuple[int, ...] = ()
    scenes: int = 0
    scene: int | None = None
    scene_title: Words | None = None
    conflicts: dict[int, OpenConflict] = field(default_factory=dict)
    ended: dict[int, EndedConflict] = field(default_factory=dict)
    """Conflicts that have ended since the last session was opened, by id, in the order of their ends."""
    conflicts_ever: int = 0
    addressed: int | None = None
    shelves: dict[str, object] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    matters: dict[int, Matter] = field(default_factory=dict)
    narrations: dict[int, Narration] = field(default_factory=dict)
    contests: dict[tuple[int, int], int] = field(default_factory=dict)
    """Totals still to be answered, by the person who must answer and the one who threw."""
    recorded_ids: tuple[int, ...] = ()
    """While an act is decided again: ids of the secret people and clocks that it brought, in order."""
    open_goal: int | None = None
    """Number that the last throw had to reach; None if it had none, or was made behind the screen."""
    chance_line: int = 1
    dealt: dict[str, int] = field(default_factory=dict)
    secrets: dict[str, Secret] = field(default_factory=dict)
    """Secrets by subject (`Event.subjects`): people in secret, hidden sheets and clocks."""
    faults: dict[str, str] = field(default_factory=dict)
    """Games of other packages that are not understood any more, each with a sentence about the reason."""

    @property
    def game_masters(self) -> tuple[int, ...]:
        """Ids of the players who are game masters, in order; empty if none was named."""
        chair = self.people.get(GM)
        return () if chair is None or chair.player is None else (chair.player, *chair.beside)

    def name(self, person: int) -> str:
        """Returns the name of a person by id; a placeholder such as `somebody (7)` for an unknown id."""
        known = self.people.get(person)
        return known.called if known else placeholder_name(person)

    def shown(self, person: int, nameless_gm: str = "the game master") -> str:
        """Returns a person's name for readers; a game master without a name is `nameless_gm`."""
        name = self.name(person)
        return nameless_gm if person == GM and name == UNNAMED_GM else name

    def quoted(self, person: int) -> str:
        """Returns a person's name as typed in a command, in quotes if necessary."""
        return quoted(self.name(person))

    def names(self) -> Mapping[int, tuple[str, ...]]:
        """Returns each person's current name, aliases and former names, in this order, by id."""
        return {
            who.id: (
                who.called,
                *(name.text for name in (*who.aliases, *who.former) if name.text is not None),
            )
            for who in self.people.values()
        }

    def called(self, name: str) -> int | None:
        """Returns the id of the person with this current name or alias, compared normalised, or None."""
        folded = normalise(name)
        for who in self.people.values():
            if folded in (
                normalise(who.called),
                *(normalise(alias.text) for alias in who.aliases if alias.text is not None),
            ):
                return who.id
        return None

    def once_called(self, name: str) -> int | None:
        """Returns the id of the person with this former name, or None.

        If several had it, the one introduced last.
        """
        folded = normalise(name)
        found = [
            who.id
            for who in self.people.values()
            if folded in [normalise(former.text) for former in who.former if former.text is not None]
        ]
        return found[-1] if found else None

    def matter(self, opened: int) -> str:
        """Returns the name of the thread, place or thing opened at this position, or a placeholder."""
        known = self.matters.get(opened)
        return known.called if known else placeholder_matter_name(opened)

    def every_matter(self) -> Iterator[Matter]:
        """Yields each thread, place and thing in the order opened, merged ones once."""
        return (matter for opened, matter in self.matters.items() if opened == matter.opened)

    def matter_called(self, name: str) -> Matter | None:
        """Returns the thread, place or thing with this current name, else with this former name; else None.

        Leading articles are ignored.
        """
        wanted = without_article(name)
        matters = list(self.every_matter())
        now = [matter for matter in matters if without_article(matter.called) == wanted]
        once = [matter for matter in matters if wanted in map(without_article, matter.names)]
        return next(iter((*now, *reversed(once))), None)

    def next_person(self, visible_to: VisibleTo = TABLE, name: str = "", others: Iterable[int] = ()) -> int:
        """Returns the id for a new person with this audience and name, beside `others` who come now."""
        return next_number((*self.people, *others), visible_to, "", normalise(name), self.recorded_ids)

    def secret(self, person: int) -> Secret | None:
        """Returns the secrecy of a person introduced in secret; None for a person known to all."""
        return self.secrets.get(person_subject(person))

    def hide(self, position: int, event: Event, visible_to: VisibleTo) -> None:
        """Marks the main subject of a hidden event (a person, sheet, track or clock) as secret.

        Stores the event's position with it.
        """
        for subject in event.subjects()[:1]:
            self.secrets.setdefault(subject, Secret(visible_to)).positions.append(position)

    def known_first(self, people: Iterable[int], newcomers: VisibleTo = TABLE) -> tuple[int, ...]:
        """Returns the people of one side sorted, public people first, then those with the largest audience.

        So the first person, who identifies the side, is the most widely known. `newcomers` is the audience of
        people who are not yet in this table state.
        """

        def seen_by(person: int) -> tuple[bool, int]:
            secret = self.secret(person)
            audience = (
                newcomers if person not in self.people else TABLE if secret is None else secret.visible_to
            )
            return audience != TABLE, 0 if isinstance(audience, str) else -len(audience)

        return tuple(sorted(people, key=seen_by))

    def in_play(self) -> OpenConflict | None:
        """Returns the open conflict that the last conflict event was about; None if none is open.

        Once that conflict has ended, the newest open one.
        """
        return None if self.addressed is None else self.conflicts.get(self.addressed)

    def games(self) -> set[str]:
        """Returns the names of the games with state or an open conflict at this table."""
        return {*self.shelves, *(conflict.system for conflict in self.conflicts.values())}

    def everybody(self) -> Iterator[Somebody]:
        """Yields all people in order of introduction; merged ones once."""
        return (person for number, person in self.people.items() if number == person.id)

    def party(self) -> tuple[int, ...]:
        """Returns the ids of known characters with a player other than the game master, in cast order."""
        found = (
            person.id
            for person in self.people.values()
            if GM not in (person.id, person.player)
            and person.player is not None
            and self.secret(person.id) is None
        )
        return tuple(dict.fromkeys(found))

    def whose(self, person: int) -> int:
        """Returns the current id of `person`; after a merge, the id merged into."""
        return self.people[person].id if person in self.people else person

    def numbers(self, person: int) -> tuple[int, ...]:
        """Returns every id of a person: their own, and ids merged into it."""
        known = self.people[person]
        return tuple(number for number, somebody in self.people.items() if somebody is known)


Handler = Callable[[Table, Any], None]
"""Changes the table it is given by one event. The event's class is its key."""


def no_change(_table: Table, _event: Event) -> None:
    """Handler that changes nothing, for events without effect on the table state."""


def _campaign_begun(table: Table, event: e.CampaignBegun) -> None:
    table.campaign = event.campaign
    table.seed = event.seed


def _campaign_named(table: Table, event: e.CampaignNamed) -> None:
    table.title = event.title


def _forked(table: Table, event: e.Forked) -> None:
    table.line = table.chance_line = event.line
    table.dealt = {}


def _revealed(table: Table, event: e.Revealed) -> None:
    for subject, secret in [*table.secrets.items()]:
        if event.about not in secret.positions:
            continue
        if event.to is None:
            secret.positions.remove(event.about)
        elif isinstance(secret.visible_to, tuple):
            secret.visible_to = tuple(dict.fromkeys((*secret.visible_to, *event.to)))
        else:
            secret.visible_to = event.to
        if not secret.positions:
            del table.secrets[subject]


def _shown(table: Table, event: e.Shown) -> None:
    _revealed(table, e.Revealed(about=event.about))


def _marked(table: Table, event: e.Marked) -> None:
    if event.name.text is not None:
        table.marks[normalise(event.name.text)] = event.at


def _cast_introduced(table: Table, event: e.CastIntroduced) -> None:
    table.people[event.person] = Somebody(event.person, event.name, event.role, event.text)


def _alias_given(table: Table, event: e.AliasGiven) -> None:
    somebody = table.people[event.person]
    if event.case is None:
        somebody.aliases.append(event.alias)
    elif takes_back(event.alias.text):
        somebody.forms.pop(event.case, None)
    else:
        somebody.forms[event.case] = event.alias


def _renamed(table: Table, event: e.Renamed) -> None:
    somebody = table.people[event.person]
    somebody.former.append(somebody.name)
    somebody.name = event.name
    somebody.forms = {}


def _described(table: Table, event: e.Described) -> None:
    somebody = table.people[event.person]
    if event.text is not None:
        somebody.text = event.text
    if event.pronouns is not None:
        somebody.pronouns = None if takes_back(event.pronouns.text) else event.pronouns


def _player_seated(table: Table, event: e.PlayerSeated) -> None:
    somebody = table.people[event.person]
    somebody.player = event.player
    somebody.players.append(event.player)
    somebody.beside = []


def _game_master_joined(table: Table, event: e.GameMasterJoined) -> None:
    game_master = table.people[GM]
    if event.player not in (game_master.player, *game_master.beside):
        game_master.beside.append(event.player)


def _merged(table: Table, event: e.Merged) -> None:
    """Merges two people: names, player and narration are united, and both ids lead to one person."""
    gone, stays = table.people[event.person], table.people[event.into]
    stays.former += [*gone.former, gone.name]
    stays.aliases += gone.aliases
    stays.text = event.text or stays.text or gone.text
    stays.player = gone.player if stays.player is None else stays.player
    stays.players = [*gone.players, *stays.players]
    stays.telling = gone.telling if stays.telling is None else stays.telling
    stays.pronouns = gone.pronouns if stays.pronouns is None else stays.pronouns
    for number in table.numbers(gone.id):
        table.people[number] = stays
    for person in table.everybody():
        person.player = stays.id if person.player == gone.id else person.player
        person.players = [stays.id if player == gone.id else player for player in person.players]
        beside = (stays.id if player == gone.id else player for player in person.beside)
        person.beside = [player for player in dict.fromkeys(beside) if player != person.player]
    table.absent = tuple(dict.fromkeys(stays.id if person == gone.id else person for person in table.absent))
    narrations = [
        table.narrations.pop(number) for number in (gone.id, stays.id) if number in table.narrations
    ]
    if narrations:
        table.narrations[stays.id] = max(narrations, key=lambda narration: narration.position)


def _person_retired(table: Table, event: e.PersonRetired) -> None:
    table.people[event.person].retired = True


def _person_returned(table: Table, event: e.PersonReturned) -> None:
    table.people[event.person].retired = False


def _session_opened(table: Table, event: e.SessionOpened) -> None:
    table.sessions = table.session = event.session
    table.absent = event.absent
    table.ended = {}
    table.narrations = {who: narration for who, narration in table.narrations.items() if not narration.struck}


def _total_reached(table: Table, event: e.TotalReached) -> None:
    table.open_goal = event.goal
    if event.who is None or event.opponent is None:
        return
    if event.margin is None:
        table.contests[event.opponent, event.who] = event.total
    else:
        table.contests.pop((event.who, event.opponent), None)


def _session_closed(table: Table, event: e.SessionClosed) -> None:
    table.contests.clear()
    table.session = table.scene = table.scene_title = None
    table.absent = ()


def _scene_set(table: Table, event: e.SceneSet) -> None:
    table.scenes = table.scene = event.scene
    table.scene_title = event.title


def _scene_ended(table: Table, event: e.SceneEnded) -> None:
    table.scene = table.scene_title = None


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.who is not None:
        table.people[event.who].telling = event.value
    else:
        table.options.setdefault(event.system or "", {})[event.key] = event.value


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    table.conflicts_ever = event.conflict
    table.conflicts[event.conflict] = OpenConflict(
        event.conflict,
        event.system,
        event.sides,
        dict(event.setup),
        event.title,
        event.text,
        table.position,
    )


def _conflict_ended(table: Table, event: e.ConflictEnded) -> None:
    conflict = table.conflicts.pop(event.conflict, None)
    table.addressed = max(table.conflicts, default=None)
    if conflict is not None:
        winners = conflict.winners
        if event.winner is not None:  # the first of a side that won
            winners = next((side for side in conflict.sides if event.winner in side), (event.winner,))
        table.ended[conflict.id] = EndedConflict(
            conflict.id,
            table.position,
            conflict.system,
            conflict.sides,
            conflict.title,
            event.how,
            winners,
        )


def _joined(table: Table, event: e.Joined) -> None:
    conflict = table.conflicts[event.conflict]
    if event.side is None:
        conflict.sides = (*conflict.sides, event.people)
    else:
        conflict.sides = tuple(
            table.known_first((*side, *event.people)) if side[0] == event.side else side
            for side in conflict.sides
        )


def _left(table: Table, event: e.Left) -> None:
    conflict = table.conflicts[event.conflict]
    stay = {
        side[0]: tuple(person for person in side if person not in event.people) for side in conflict.sides
    }
    conflict.sides = tuple(side for side in stay.values() if side)
    if conflict.concession is not None:
        heir = next(iter(stay.get(event.side, ())), None)
        conflict.concession = _handed_on(conflict.concession, event.people, heir)


def _handed_on(offer: Concession, gone: tuple[int, ...], heir: int | None) -> Concession | None:
    """Returns the concession after the people `gone` have left the conflict.

    `heir`, the first of their side to stay, takes over their offer or acceptance; None if no one can.
    """
    whose = heir if offer.whose in gone else offer.whose
    if whose is None:
        return None
    accepted = {heir if side in gone else side for side in offer.accepted}
    return Concession(whose, offer.text, {side for side in accepted if side is not None})


def _narrated(table: Table, event: e.Narrated) -> None:
    if event.about is None:
        table.narrations[event.who] = Narration(table.position, event.conflict)


def _matter_opened(table: Table, event: e.MatterOpened) -> None:
    table.matters[table.position] = Matter(table.position, event.sort, event.name)


def _matter_noted(table: Table, event: e.MatterNoted) -> None:
    table.matters[event.about].closed = False


def _matter_closed(table: Table, event: e.MatterClosed) -> None:
    table.matters[event.about].closed = True


def _matter_renamed(table: Table, event: e.MatterRenamed) -> None:
    matter = table.matters[event.about]
    matter.former.append(matter.name)
    matter.name = event.name


def _matter_merged(table: Table, event: e.MatterMerged) -> None:
    """Merges two threads, places or things: both opening positions lead to one from now on."""
    gone, stays = table.matters[event.about], table.matters[event.into]
    stays.former += [*gone.former, gone.name]
    for opened, matter in table.matters.items():
        if matter is gone:
            table.matters[opened] = stays


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    last = table.narrations.get(event.whose)
    if last and last.position == event.narration and event.how != "edit":
        last.struck = True


def _concession_offered(table: Table, event: e.ConcessionOffered) -> None:
    table.conflicts[event.conflict].concession = Concession(event.who, event.text)


def _concession_accepted(table: Table, event: e.ConcessionAccepted) -> None:
    offer = table.conflicts[event.conflict].concession
    if offer:
        offer.accepted.add(event.who)


def _concession_refused(table: Table, event: e.ConcessionRefused) -> None:
    table.conflicts[event.conflict].concession = None


EVOLVE: Mapping[type[Event], Handler] = {
    e.CampaignBegun: _campaign_begun,
    e.CampaignNamed: _campaign_named,
    e.Forked: _forked,
    e.Promoted: no_change,
    e.Retired: no_change,
    e.LineShown: no_change,
    e.Undone: no_change,
    e.Redone: no_change,
    e.Reworded: no_change,
    e.Redacted: no_change,
    e.Revealed: _revealed,
    e.Shown: _shown,
    e.Marked: _marked,
    e.CastIntroduced: _cast_introduced,
    e.AliasGiven: _alias_given,
    e.Renamed: _renamed,
    e.Described: _described,
    e.PlayerSeated: _player_seated,
    e.GameMasterJoined: _game_master_joined,
    e.Merged: _merged,
    e.PersonRetired: _person_retired,
    e.PersonReturned: _person_returned,
    e.SheetChanged: no_change,
    e.SessionOpened: _session_opened,
    e.SessionClosed: _session_closed,
    e.SceneSet: _scene_set,
    e.SceneEnded: _scene_ended,
    e.OptionSet: _option_set,
    e.RulingMade: no_change,
    e.ConflictOpened: _conflict_opened,
    e.ConflictEnded: _conflict_ended,
    e.Joined: _joined,
    e.Left: _left,
    e.Declared: no_change,
    e.CompelOffered: no_change,
    e.CompelAccepted: no_change,
    e.CompelRefused: no_change,
    e.ConcessionOffered: _concession_offered,
    e.ConcessionAccepted: _concession_accepted,
    e.ConcessionRefused: _concession_refused,
    e.Narrated: _narrated,
    e.Said: no_change,
    e.Noted: no_change,
    e.SaidAside: no_change,
    e.PageTextWritten: no_change,
    e.PassagePulled: no_change,
    e.MatterOpened: _matter_opened,
    e.MatterNoted: _matter_noted,
    e.MatterClosed: _matter_closed,
    e.MatterRenamed: _matter_renamed,
    e.MatterMerged: _matter_merged,
    e.NarrationOverruled: _narration_overruled,
    e.PictureAdded: no_change,
    e.ColourChosen: no_change,
    e.CardsDrawn: no_change,
    e.DiceRolled: no_change,
    e.TotalReached: _total_reached,
    e.RolledInSecret: no_change,
    e.DeckShuffled: no_change,
}
"""Handler of each shared event for the table's own state; a test proves it complete."""
