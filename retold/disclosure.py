"""Commands `reveal` and `redact`: finding secrets by name, questions to the user, proofs of sealed rolls."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from retold.journal.counting import counted
from retold.journal.decks.chance import SystemDealer
from retold.journal.hiding import ActsInSecret, owner_of_sheet, results_text
from retold.journal.language.moments import is_number, reads_as_moment
from retold.journal.language.naming import find_clock, find_person
from retold.journal.language.tokens import JOINERS, Token
from retold.journal.names import Ambiguous, matching, nearest, normalise, quoted
from retold.journal.pictures import is_data_uri
from retold.journal.refused import NotKnown, Refused, none_if_refused
from retold.journal.store.contract.event_store import is_draft
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import commitment, decode, decode_event, salt_of
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.redact import Redaction, RedactionPlan, contains_phrase
from retold.journal.store.writing.reveal import hidden_of_person, person_of, reveal
from retold.journal.table import Table
from retold.journal.visibility import GAME_MASTER_ONLY, is_secret_number
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Command, Event, numbers_in, values_of
from retold.journal.vocabulary.drafts import DraftRevised
from retold.outcome import Forgotten
from retold.write_context import WriteContext


def position_of_secret(context: WriteContext, typed: str) -> int:
    """Returns the position of a moment, or that of a secret person, clock or thread with this name.

    For a person known to all, the position of what is still hidden of who they are.

    Raises Refused if there is neither.
    """
    if not _is_moment(context, typed) and (secret := _position_by_name(context, typed)) is not None:
        return secret
    try:
        return context.act_at(typed)
    except Refused as no_moment:
        if reads_as_moment(typed):
            raise
        if (known := _known_to_all(context.table, typed)) is not None:
            raise Refused(f"{known} is not secret: the whole table knows it.") from None
        if close := nearest(typed, [name for name, _ in _secrets(context)]):
            raise Refused(f"Nothing secret is called {typed}. Did you mean {' or '.join(close)}?") from None
        raise Refused(f"{no_moment} Nothing secret is called so either: see show secrets.") from None


def _is_moment(context: WriteContext, typed: str) -> bool:
    """True if a word is the name of a moment in full: a number, a mark, a place on another branch."""
    return reads_as_moment(typed) or normalise(typed) in context.table.marks


def _position_by_name(context: WriteContext, typed: str) -> int | None:
    """Returns the position of the secret person or thing with this name, perhaps in short; else None.

    Raises Ambiguous for a short name of several.
    """
    named: dict[str, tuple[str, int]] = {}
    for name, position in _secrets(context):
        named.setdefault(normalise(name), (name, position))
    if (found := named.get(normalise(typed))) is not None:
        return found[1]
    matter = context.table.matter_called(typed)
    if matter is not None:
        return matter.opened
    person = none_if_refused(lambda: find_person(context.table, typed))
    kept_back = None if person is None else next(hidden_of_person(context.writer, person), None)
    if kept_back is not None:
        return kept_back.position
    short = matching(typed, {name: (full,) for name, (full, _) in named.items()})
    if short[1:]:
        raise Ambiguous(typed, [named[name][0] for name in short])
    return named[short[0]][1] if short else None


def _known_to_all(table: Table, typed: str) -> str | None:
    """Returns the name of a person or thing that is typed, if it is public; None if unknown."""
    person = none_if_refused(lambda: find_person(table, typed))
    if person is not None:
        return table.name(person)
    if (clock := find_clock(table, typed)) is not None:
        return clock
    found = matching(typed, {matter.opened: matter.names for matter in table.every_matter()})
    return table.matter(found[0]) if len(found) == 1 else None


def _secrets(context: WriteContext) -> Iterator[tuple[str, int]]:
    """Yields (name, position of the first hidden event) of each secret; people come before sheets."""
    table = context.table
    for subject, secret in sorted(
        table.secrets.items(), key=lambda item: owner_of_sheet(item[0]) is not None
    ):
        owner = owner_of_sheet(subject)
        if owner is not None:
            yield table.name(owner), secret.positions[0]
            continue
        row = context.campaign.record.row(context.line, secret.positions[0])
        event = None if row is None else decode_event(row)[0]
        if isinstance(event, e.CastIntroduced):
            yield table.name(event.person), secret.positions[0]
        elif (name := getattr(event, "name", None)) is not None:
            yield str(name), secret.positions[0]


def are_names(context: WriteContext, typed: Token) -> bool:
    """True if the words of a `reveal` line, joined with `+`, name people and things; False for moments.

    Raises Refused for names and moments on one line.
    """
    parts = [part.text for part in typed.split(JOINERS)]
    named = {_is_name(context, part) for part in parts}
    if len(named) > 1:
        raise Refused("Name people and things, or moments: give each sort a line of its own.")
    return True in named


def _is_name(context: WriteContext, typed: str) -> bool:
    if not _is_moment(context, typed) and _position_by_name(context, typed) is not None:
        return True
    try:
        context.act_at(typed)
    except Refused:
        return True
    return False


def now_known(
    context: WriteContext, revealed: Iterable[e.Revealed], to: Sequence[int] | None
) -> Iterator[str]:
    """Yields a sentence that names the people and things that become known by these events.

    Yields nothing if no person, sheet, track, clock, thread, place or thing does.
    """
    table = context.table
    whole: list[str] = []
    sheets: list[str] = []
    for event in revealed:
        row = context.campaign.record.row(context.line, event.about)
        about = None if row is None else decode(row).event
        if not isinstance(about, Event):
            continue
        owners = [owner_of_sheet(subject) for subject in about.subjects()[:1]]
        if isinstance(about, e.CastIntroduced):
            whole.append(table.name(about.person))
        elif isinstance(about, e.MatterOpened):
            whole.append(table.matter(event.about))
        elif isinstance(about, e.Described | e.Renamed | e.AliasGiven):
            whole.append(table.name(about.person))
        elif owners and owners[0] is not None:
            sheets.append(table.name(owners[0]))
        elif owners and (name := getattr(about, "name", None)) is not None:
            whole.append(str(name))
    names, with_sheets = list(dict.fromkeys(whole)), list(dict.fromkeys(sheets))
    if said := _said_known(names, with_sheets):
        who = (
            "Everyone knows"
            if to is None
            else f"{' and '.join(map(table.name, to))} {'knows' if len(to) == 1 else 'know'}"
        )
        yield f"{who} now: {said}."
    hidden = {table.name(who) for who in map(owner_of_sheet, table.secrets) if who is not None and to is None}
    yield from (
        f"The sheet of {name} is still hidden: reveal {quoted(name)} --sheet."
        for name in names
        if name in hidden.difference(with_sheets)
    )


def _said_known(names: list[str], sheets: list[str]) -> str:
    """Returns names with their sheets: `Wolf-1, Wolf-2, with their sheets`; empty if there is nothing."""
    if names and names == sheets:
        return f"{', '.join(names)}, with {'their sheets' if names[1:] else 'the sheet'}"
    return ", ".join([*names, *(f"the sheet of {name}" for name in sheets)])


def opens_more(
    context: WriteContext, revealed: Iterable[e.Revealed], places: Sequence[int], *, only: bool
) -> Iterator[str]:
    """Yields a sentence that names the people that a reveal by moment shows, if there are several.

    It says how to show one of them alone.
    """
    people: dict[int, int] = {}
    for event in revealed:
        row = context.campaign.record.row(context.line, event.about)
        person = None if row is None else person_of(decode(row))
        if person is not None:
            people.setdefault(person, event.about)
    if len(people) > len(places) and not only:
        (first, at), *_ = people.items()
        names, table = _listed(map(context.table.name, people)), context.table
        alone = table.quoted(first) if table.secret(first) is not None else f"{at} --only"
        yield f"It shows what is hidden of {names}. For {table.name(first)} alone: reveal {alone}."


CONFIRM_REVEAL: Final = "Show {name} to everyone now? [y/n]"


def reveal_before_acting(context: WriteContext, refusal: ActsInSecret, *, agreed: bool = False) -> None:
    """Asks whether a secret person who acts is to be revealed; for a yes reveals them to all.

    Does not ask again if `agreed`. Raises `refusal` again for any other answer.
    """
    table = context.table
    secret = table.secret(refusal.person)
    if not agreed:
        answer = context.consult(f"{refusal} {CONFIRM_REVEAL.format(name=table.name(refusal.person))}")
        agreed = (answer or "").strip().casefold().startswith("y")
    if secret is None or not agreed:
        raise refusal
    reveal(context.writer, secret.positions[0], manner=Manner(), only=True)


def show_targets(context: WriteContext, command: Command, manner: Manner) -> tuple[Command, Collection[int]]:
    """Asks once whether to show all the secret people, and a secret number, that an open act needs.

    Returns the command, with that number on it, and the people agreed to; an act by a secret person, and one
    that the rules refuse for another reason, are not asked about. Raises Refused for a no.
    """
    table = context.table
    actors = [getattr(command, "who", None), *getattr(command, "also", ())]
    named = dict.fromkeys(number for number in numbers_in(values_of(command)) if is_secret_number(number))
    targets = [person for person in named if table.secret(person) is not None]
    if any(person in actors for person in targets):
        return command, ()
    needed: NotKnown | None = None
    try:
        context.writer.would(command, manner, SystemDealer())
    except ActsInSecret:
        pass
    except NotKnown as refusal:
        needed = refusal
    except Refused:
        return command, ()
    if not targets and needed is None:
        return command, ()
    if not context.ask(_asked_about_targets(table, targets, needed)):
        raise Refused(
            "Nothing was recorded. To keep it hidden: say it with --gm, or name the number alone after vs."
        )
    return command if needed is None else command.but({needed.slot: needed.number}), targets


def _asked_about_targets(table: Table, targets: Sequence[int], needed: NotKnown | None) -> str:
    """Returns the question: `Nobody knows Drowned-1 yet. Let everyone see Drowned-1, and the ac, 11?`."""
    number = "" if needed is None else f"the {needed.what}, {needed.number}"
    if not targets:
        name = table.name(needed.person if needed is not None else GM)
        return f"Not everyone knows the sheet of {name}. Let everyone see {number}?"
    names = " and ".join(map(table.name, targets))
    secrets = [table.secret(person) for person in targets]
    nobody = all(secret is None or secret.visible_to == GAME_MASTER_ONLY for secret in secrets)
    return (
        f"{'Nobody' if nobody else 'Not everyone'} knows {names} yet."
        f" Let everyone see {names}{number and f', and {number}'}?"
    )


def sealed_roll_proofs(context: WriteContext, at: int) -> Iterator[str]:
    """Yields a sentence per revealed roll at `at`, with salt and commitment that prove the sealed result.

    If the result does not match its commitment, the sentence says so.
    """
    act = context.writer.act_at(at)
    came = results_text(act.known)
    for stored in act.events:
        if not isinstance(stored.event, e.RolledInSecret) or stored.event.sealed.text is None:
            continue
        row = context.campaign.record.row(stored.line, stored.position)
        if row is None:
            continue
        (sealed,) = json.loads(row.body)["words"]
        salt, text = salt_of(row, 0), stored.event.sealed.text
        if text == came and commitment(salt, text) == sealed:
            yield f"Sealed when it was rolled: “{text}”, salt {salt.hex()}, commitment {sealed}."
        else:
            yield f"This is not the text that was sealed then: commitment {sealed}. See: verify."


LONGEST_SHOWN: Final = 200
"""Characters of a text that are shown."""

MOST_NAMED: Final = 12
"""Most positions listed; further ones are counted."""

CONFIRM_REDACTION: Final = "Take it away for good?"


def position_of_words(context: WriteContext, typed: str) -> int:
    """Returns the position of the event whose texts `redact` erases, for a moment typed.

    For `@`, marks and other names of an act, that is the act's last event with texts; a number is taken as
    typed.
    """
    position = context.act_at(typed)
    if is_number(typed):
        return position
    events = context.writer.act_at(position).events
    return next((stored.position for stored in reversed(events) if any(stored.texts)), position)


@dataclass(frozen=True, slots=True)
class RedactionNotice:
    """Sentences about the texts that a redaction erases; events are numbered as on branch `line`."""

    campaign: CampaignStore
    line: int
    plan: RedactionPlan

    def before(self) -> Iterator[str]:
        """Yields sentences about texts to be erased, other places that hold them, and copies out of reach."""
        for taken in self.plan.taken:
            at = self._place(taken.line, taken.position)
            for word, text in taken.words:
                shown = "what is sealed" if taken.sealed else f"“{_shortened(text)}”"
                yield f"{at}, words {word}: {shown}"
        lines = [place for place in self.plan.elsewhere if not is_draft(place.line)]
        words = [self._place(place.line, place.position) for place in lines if not place.data]
        if words:
            yield f"The same is said at {_listed(words)}, and stays there until that is redacted too."
        if drafts := [place for place in self.plan.elsewhere if is_draft(place.line)]:
            blocks = _listed(self._blocks(place.line, place.position) for place in drafts)
            yield f"The same is in {blocks}, which does not tell of it: that stays."
        data = [self._place(place.line, place.position) for place in lines if place.data]
        if data:
            yield f"It is also in what the game calls something, at {_listed(data)}: that stays."
        yield "Earlier dumps, exports and backups still contain it, and so may your shell's history."
        if self._came_in:
            yield "So do the log that it came in from and the file of answers about it."

    def after(self, redaction: Redaction, forgotten: Forgotten) -> Iterator[str]:
        """Yields sentences about the texts erased, and about files that may still hold a copy."""
        taken = [self._place(place.line, place.position) for place in self.plan.taken]
        yield f"The words at {_listed(taken)} are gone for good."
        if forgotten.lines:
            lines = counted(forgotten.lines, "line was", "lines were")
            yield f"{lines} deleted from the console's history too."
        yield from redaction.remains
        if redaction.failed:
            yield (
                f"A copy may remain in {self.campaign.place} or beside it: {redaction.failed}"
                " It goes when the campaign is next written to."
            )
        for path in (*redaction.left, *forgotten.left):
            yield f"A copy may remain in {path}, which could not be changed: delete that file."
        if gone := redaction.swept.gone:
            names = _listed(path.name for path in gone)
            yield f"Files that killed programs had left beside it were deleted too: {names}."
        for path in redaction.swept.left:
            yield (
                f"A copy may remain in {path}: another program may be writing it, or it could not be deleted."
                " Delete it once that program has ended."
            )
        yield "Earlier dumps, exports and backups still contain them."
        if self._came_in:
            yield "So do the log that they came in from and the file of answers about it: delete them there."

    @property
    def _came_in(self) -> bool:
        """True if a text came in from the log of another tool, which no redaction reaches."""
        rows = (self.campaign.record.row(taken.line, taken.position) for taken in self.plan.taken)
        return any(row is not None and decode(row).envelope.source is not None for row in rows)

    def _place(self, line: int, position: int) -> str:
        if self.campaign.record.home(self.line, position) == line:
            return str(position)
        if is_draft(line):
            event = self._draft_event(line, position)
            name = f"the draft {self.campaign.drafts.names()[line]}"
            return f"{name}@{event.revision}" if isinstance(event, DraftRevised) else name
        return f"{self.campaign.lines()[line]}@{position}"

    def _blocks(self, stream: int, position: int) -> str:
        """Returns the name of a draft's revision and the numbers of its blocks that contain the words."""
        place = self._place(stream, position)
        event = self._draft_event(stream, position)
        taken = (
            redacted
            for redacted in self.plan.taken
            if (redacted.line, redacted.position) == (stream, position)
        )
        gone = {text for redacted in taken for _, text in redacted.words}
        blocks = event.blocks if isinstance(event, DraftRevised) else ()
        texts = {block.id: str(block.text) for block in blocks if block.text.text not in gone}
        holding = [
            f"block {block}"
            for block, text in texts.items()
            if any(contains_phrase(text, sought) for sought in self.plan.texts)
        ]
        return f"{' and '.join(holding)} of {place}" if holding else place

    def _draft_event(self, stream: int, position: int) -> object:
        row = self.campaign.record.row(stream, position)
        return None if row is None else decode(row).event


def _shortened(text: str) -> str:
    if is_data_uri(text):
        return "the picture itself"
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN].rstrip()} …"


def _listed(places: Iterable[str]) -> str:
    found = list(dict.fromkeys(places))
    if len(found) > MOST_NAMED:
        return f"{', '.join(found[:MOST_NAMED])} and {len(found) - MOST_NAMED} more places"
    *others, last = found
    return f"{', '.join(others)} and {last}" if others else last
