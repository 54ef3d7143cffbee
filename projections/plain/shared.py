"""Notations of events common to every game, such as rolls, speech and sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any, Final

from retold.journal.visibility import is_secret_number, short_number
from retold.projections import games
from retold.projections.plain.ink import RULED_FOR, RULED_PEOPLE, Ink, Notations, cards, listed

if TYPE_CHECKING:
    from retold.journal.vocabulary import events as e


def _forked(event: e.Forked, ink: Ink) -> str:
    return (
        f"{ink.text(event.name)} branched at {ink.moment(event.at)} from {ink.branch(event.parent)}"
        f"{ink.after(event.why)}"
    )


def _promoted(event: e.Promoted, ink: Ink) -> str:
    return f"this line is the mainline now; it was {ink.branch(event.was)}"


def _retired(event: e.Retired, ink: Ink) -> str:
    return f"play went on on {ink.branch(event.by)}"


def _campaign_begun(event: e.CampaignBegun, _ink: Ink) -> str:
    seed = "" if event.seed is None else ", dealing from a seed"
    return f"campaign begun, format {event.format}{seed}"


def _stretch(event: e.Undone | e.Redone, ink: Ink) -> str:
    first, last = ink.place(event.first), ink.place(event.last)
    return first if first == last else f"{first} to {last}"


def _undone(event: e.Undone, ink: Ink) -> str:
    return f"undone: {_stretch(event, ink)}"


def _redone(event: e.Redone, ink: Ink) -> str:
    return f"redone: {_stretch(event, ink)}"


def _reworded(event: e.Reworded, ink: Ink) -> str:
    which = _which([event.word])
    return f"{ink.place(event.about)} reads {ink.text(event.text)} from now on{which}"


def _redacted(event: e.Redacted, ink: Ink) -> str:
    gone = "what was said is" if event.words else "nothing is"
    return f"{ink.place(event.about)}: {gone} redacted{_which(event.words)}{ink.after(event.text)}"


def _which(words: Sequence[int]) -> str:
    """Returns ` (its texts 1 and 2)`, which names texts by index; empty if only the first is meant."""
    if list(words) in ([], [0]):
        return ""
    numbers = listed([str(word) for word in words])
    return f" (its text {numbers})" if len(words) == 1 else f" (its texts {numbers})"


def _revealed(event: e.Revealed, ink: Ink) -> str:
    shown, to = ink.revealed(event.about), event.to
    if not shown:
        whom = "everybody" if to is None else ink.people(to) or "nobody"
        return f"{ink.place(event.about)} revealed to {whom}"
    who = "everybody" if to is None else listed(list(map(ink.who, to))) or "nobody"
    return f"{who} {'know' if to and to[1:] else 'knows'} now: {shown}"


def revealed_words(kind: str, payload: Mapping[str, Any], told: str, ink: Ink) -> str:
    """Returns what a reveal of an event shows: a name, `the sheet of Zel`, else `told`, its notation."""
    if kind == "table.cast-introduced":
        return ink.bare(payload["name"])
    return f"the sheet of {ink.who(payload['person'])}" if kind == "table.sheet-changed" else told


def _line_shown(event: e.LineShown, ink: Ink) -> str:
    to = "everybody" if event.to is None else ink.people(event.to) or "nobody"
    return f"this line is shown to {to}"


def _marked(event: e.Marked, ink: Ink) -> str:
    return f"mark {ink.text(event.name)}{ink.at(event.at)}{ink.after(event.text)}"


def _cast_introduced(event: e.CastIntroduced, ink: Ink) -> str:
    number = "" if is_secret_number(event.person) else f" as person {event.person}"
    return f"{ink.bare(event.name)} enters{number}, {event.role}{ink.after(event.text)}"


def _renamed(event: e.Renamed, ink: Ink) -> str:
    was, now = ink.who(event.person), ink.bare(event.name)
    return f"{was if was != now else 'person ' + short_number(event.person)} is called {now} from now on"


def _sheet_changed(event: e.SheetChanged, ink: Ink) -> str:
    values = ink.pairs(_by_name(event.values, event.system, ink))
    game = ink.game(event.system)
    return f"{ink.who(event.person)}, {game and f'{game} '}sheet: {values or 'nothing'}"


def _by_name(values: Mapping[str, Any], system: str, ink: Ink) -> Mapping[str, Any]:
    """Returns values of a game's sheet or set-up, with person numbers replaced by names."""
    room = games.room(system, "notation")
    named = {*getattr(room, "ON_A_SHEET", ()), *getattr(room, "IN_A_SET_UP", ())}
    return {
        key: ink.who(value) if key in named and isinstance(value, int) else value
        for key, value in values.items()
    }


def _ruling_made(event: e.RulingMade, ink: Ink) -> str:
    question, answer = event.question, event.answer
    parts = []
    if question is not None or answer is not None:
        answered = ink.who(answer) if isinstance(answer, int) else answer
        parts.append(
            " ".join(
                str(part) for part in (question, "=" if answered is not None else None, answered) if part
            )
        )
    parts += [_setting(setting, ink) for setting in event.sets]
    lead = f" {', '.join(parts)}" if parts else ""
    return f"ruling{lead}{ink.after(event.text)}"


def _setting(setting: e.Setting, ink: Ink) -> str:
    whose = f"{ink.who(setting.person)}." if setting.person is not None else ""
    setting_name, value = setting.what, setting.value
    return f"{whose}{setting_name} {setting.op} {_ruled(setting_name, value, ink)}"


def _ruled(name: str, value: int | str, ink: Ink) -> str:
    """Returns the value that a ruling sets, as text; person numbers become names (`overwhelming:7` too)."""
    if isinstance(value, int):
        return ink.who(value) if name in RULED_PEOPLE else str(value)
    word, _, who = value.partition(":")
    return f"{word}:{ink.who(int(who))}" if who.isdecimal() and name.casefold() in RULED_FOR else value


def _conflict_opened(event: e.ConflictOpened, ink: Ink) -> str:
    title = ink.after(event.title, " ")
    setup = f" ({ink.pairs(_by_name(event.setup, event.system, ink))})" if event.setup else ""
    length = ink.after(event.length, ", length ")
    stakes = ink.after(event.text, ", at stake: ")
    game = ink.game(event.system)
    return (
        f"conflict {event.conflict}{title}{game and f', {game}'}: "
        f"{ink.sides(event.sides)}{setup}{length}{stakes}"
    )


def _joined(event: e.Joined, ink: Ink) -> str:
    side = ink.who(event.side) if event.side is not None else "a side of their own"
    return f"{ink.people(event.people)} {_does(event.people, 'come')} in, for {side}{ink.after(event.text)}"


def _left(event: e.Left, ink: Ink) -> str:
    whose = f", of the side of {ink.who(event.side)}" if (event.side,) != event.people else ""
    return f"{ink.people(event.people)} {_does(event.people, 'leave')}{whose}{ink.after(event.text)}"


def _does(people: Sequence[int], verb: str) -> str:
    """Returns `verb` in the plural for several people, in the singular for one person: `leaves`."""
    return verb if len(people) > 1 else f"{verb}s"


def _declared(event: e.Declared, ink: Ink) -> str:
    setup = f" ({ink.pairs(event.setup)})" if event.setup else ""
    sealed = ", sealed" if event.commitment is not None else ""
    return f"{ink.who(event.who)} declares{setup}{sealed}{ink.after(event.text)}"


def _about(about: int | None, ink: Ink) -> str:
    place = "" if about is None else ink.known_place(about)
    return f" (for {place})" if place else ""


def _page_text_written(event: e.PageTextWritten, ink: Ink) -> str:
    by = f" by {ink.who(event.who)}" if event.who is not None else ""
    session = f" of session {event.session}" if event.session is not None else ""
    return f"{event.sort}{session}{by}{_about(event.about, ink)}{ink.after(event.text)}"


def _passage_pulled(event: e.PassagePulled, ink: Ink) -> str:
    return f"pull {ink.place(event.at)}{ink.after(event.text)}"


def _narrated(event: e.Narrated, ink: Ink) -> str:
    return f"{ink.who(event.who)} narrates{_about(event.about, ink)}{ink.after(event.text)}"


def _said(event: e.Said, ink: Ink) -> str:
    return f"{ink.who(event.who)} says{_about(event.about, ink)}{ink.after(event.text)}"


def _noted(event: e.Noted, ink: Ink) -> str:
    person = f" on {ink.who(event.person)}" if event.person is not None else ""
    return f"{'quote' if event.quote else 'note'}{person}{_about(event.about, ink)}{ink.after(event.text)}"


def _said_aside(event: e.SaidAside, ink: Ink) -> str:
    who = f" by {ink.who(event.who)}" if event.who is not None else ""
    return f"aside{who}{_about(event.about, ink)}{ink.after(event.text)}"


def _matter_noted(event: e.MatterNoted, ink: Ink) -> str:
    return f"more{ink.at(event.about)}{ink.after(event.text)}"


def _matter_closed(event: e.MatterClosed, ink: Ink) -> str:
    return f"closed{ink.at(event.about)}{ink.after(event.text)}"


def _matter_renamed(event: e.MatterRenamed, ink: Ink) -> str:
    return f"renamed{ink.at(event.about)}: {ink.text(event.name)}"


def _matter_merged(event: e.MatterMerged, ink: Ink) -> str:
    into = ink.place(event.into)
    return f"merged{ink.at(event.about)}{f' into {into}' if into else ''}"


_OVERRULED: Final = {
    "token": "strikes (token)",
    "veto": "strikes (veto)",
    "own": "corrects (own party)",
    "edit": "edits (edit)",
}


def _narration_overruled(event: e.NarrationOverruled, ink: Ink) -> str:
    does = _OVERRULED.get(event.how, event.how)
    narration = f"what {ink.who(event.whose)} told{ink.at(event.narration)}"
    return f"{ink.who(event.by)} {does} {narration}{ink.after(event.text)}"


def _picture_added(event: e.PictureAdded, ink: Ink) -> str:
    whose = f" of {ink.who(event.person)}" if event.person is not None else ""
    name = f" {ink.text(event.name)}" if event.name is not None else ""
    credit = ink.after(event.credit, ", by ")
    gone = "" if ink.is_kept(event.picture) else " (the picture is redacted)"
    what = f"{event.use}{whose}{name}{_about(event.about, ink)}"
    return f"{what} shows {ink.text(event.alt)}{credit}{gone}{ink.after(event.text)}"


def _alias_given(event: e.AliasGiven, ink: Ink) -> str:
    if event.case is None:
        return f"{ink.who(event.person)} is also called {ink.text(event.alias)}"
    return f"{ink.who(event.person)} is {ink.text(event.alias)} in the case {event.case}"


def _described(event: e.Described, ink: Ink) -> str:
    if event.pronouns is None:
        return f"{ink.who(event.person)} is described{ink.after(event.text)}"
    described = "" if event.text is None else " is described, and"
    pronouns = f"has the pronouns {ink.text(event.pronouns)}"
    return f"{ink.who(event.person)}{described} {pronouns}{ink.after(event.text)}"


def _colour_chosen(event: e.ColourChosen, ink: Ink) -> str:
    colour = "no colour" if event.colour is None else f"the colour {event.colour}"
    return f"{ink.who(event.person)} has {colour}{ink.after(event.text)}"


def _cards_drawn(event: e.CardsDrawn, ink: Ink) -> str:
    owner = event.deck.rpartition(":")[2]
    deck = ink.whose(int(owner)) if owner.isdecimal() else f"the {owner}"
    lead = "" if owner == str(event.who) else f" from {deck} deck"
    purpose = (
        "" if event.purpose in ("hand", "flow") else f" for {_PURPOSES.get(event.purpose, event.purpose)}"
    )
    return f"{ink.who(event.who)} draws {len(event.cards)}{lead}{purpose}: {cards(event.cards)}"


_PURPOSES: Final = {"check": "a check"}

_DICE: Final = r"(\d{1,3})d(F|\d+)"
_FUDGE: Final = {-1: "-", 0: "0", 1: "+"}


def _dice_rolled(event: e.DiceRolled, ink: Ink) -> str:
    who = "the table" if event.who is None else ink.who(event.who)
    faces = " ".join(_faces(event)) or "none"
    return f"{who} rolls {event.dice}: {faces}{ink.after(event.text, ' ')}"


def _faces(event: e.DiceRolled) -> Iterator[str]:
    """Yields die faces as text; fudge faces as `+`, `0` or `-`."""
    dice = (die for count, die in re.findall(_DICE, event.dice) for _ in range(int(count)))
    for face, die in zip_longest(event.faces, islice(dice, len(event.faces))):
        yield _FUDGE.get(face, str(face)) if die == "F" else str(face)


def _total_reached(event: e.TotalReached, ink: Ink) -> str:
    who = f"{ink.who(event.who)}: " if event.who is not None else ""
    kept = f" (counting {listed([str(number) for number in event.kept])})" if event.kept else ""
    unseen = "" if event.saw else ", by its total alone"
    gone = "" if event.instead is None else f"; the {event.instead} before it counts no longer"
    against = _against(event, ink)
    return f"{who}{event.throw} is {event.total}{kept}{against}{gone}{unseen}{ink.after(event.text)}"


def _against(event: e.TotalReached, ink: Ink) -> str:
    """Returns goal, opponent and margin of a total as text, such as ` against 7, passed by 2`."""
    goal, opponent, margin = event.goal, event.opponent, event.margin
    how = "under" if event.under else "against"
    over = "" if goal is None else f" {how} {goal}"
    whose = "" if opponent is None else f"{' of' if over else ' against'} {ink.who(opponent)}"
    if margin is None:
        return f"{over}{whose}{', who has yet to throw' if whose and not over else ''}"
    return f"{over}{whose}, {'passed' if margin >= 0 else 'missed'} by {abs(margin)}"


def _deck_shuffled(event: e.DeckShuffled, ink: Ink) -> str:
    owner = event.deck.rpartition(":")[2]
    deck = f"the deck of {ink.who(int(owner))}" if owner.isdecimal() else f"the {owner} deck"
    return f"{deck} is shuffled: {event.why}"


def _rolled_in_secret(event: e.RolledInSecret, _ink: Ink) -> str:
    return f"the game master {'draws' if event.what == 'draw' else 'rolls'} behind the screen"


def _shown(event: e.Shown, ink: Ink) -> str:
    place = ink.known_place(event.about)
    known_of = f"{ink.whose(event.person)} sheet" if event.sheet else ink.who(event.person)
    known = f"everyone knows of {known_of} from now on"
    return f"{place}: {known}" if place else known


NOTATIONS: Final[Notations] = {
    "table.campaign-begun": _campaign_begun,
    "table.campaign-named": "campaign named {title}",
    "table.forked": _forked,
    "table.promoted": _promoted,
    "table.retired": _retired,
    "table.line-shown": _line_shown,
    "table.undone": _undone,
    "table.redone": _redone,
    "table.reworded": _reworded,
    "table.redacted": _redacted,
    "table.revealed": _revealed,
    "table.marked": _marked,
    "table.cast-introduced": _cast_introduced,
    "table.alias-given": _alias_given,
    "table.renamed": _renamed,
    "table.described": _described,
    "table.player-seated": "{player} plays {person}",
    "table.game-master-joined": "{player} is a game master too",
    "table.merged": "{person} is {@into} from now on",
    "table.person-retired": "{person} is retired",
    "table.person-returned": "{person} is back",
    "table.sheet-changed": _sheet_changed,
    "table.session-opened": "session {session}{title? #} begins{date?, #}{absent?, absent: #}",
    "table.session-closed": "session {session} ends",
    "table.scene-set": "scene {scene} {title}",
    "table.scene-ended": "scene {scene} ends",
    "table.option-set": "option {system?#.}{key}{who?.#}={value}",
    "table.ruling-made": _ruling_made,
    "table.conflict-opened": _conflict_opened,
    "table.conflict-ended": "conflict {conflict} over: {how}{winner?, # wins}",
    "table.joined": _joined,
    "table.left": _left,
    "table.declared": _declared,
    "table.compel-offered": "{@by} compels {who} by “{aspect}”{which? (aspect no. #)}",
    "table.compel-accepted": "{who} takes the compel",
    "table.compel-refused": "{who} refuses the compel",
    "table.concession-offered": "{who} offers to concede",
    "table.concession-accepted": "{who} accepts the concession of {whose}",
    "table.concession-refused": "{who} refuses the concession of {whose}",
    "table.narrated": _narrated,
    "table.said": _said,
    "table.noted": _noted,
    "table.said-aside": _said_aside,
    "table.page-text-written": _page_text_written,
    "table.passage-pulled": _passage_pulled,
    "table.matter-opened": "{sort} {name}",
    "table.matter-noted": _matter_noted,
    "table.matter-closed": _matter_closed,
    "table.matter-renamed": _matter_renamed,
    "table.matter-merged": _matter_merged,
    "table.narration-overruled": _narration_overruled,
    "table.picture-added": _picture_added,
    "table.colour-chosen": _colour_chosen,
    "table.cards-drawn": _cards_drawn,
    "table.total-reached": _total_reached,
    "table.dice-rolled": _dice_rolled,
    "table.deck-shuffled": _deck_shuffled,
    "table.rolled-in-secret": _rolled_in_secret,
    "table.shown": _shown,
}
"""Notations of table events by kind."""

SEALED: Final = frozenset({"table.rolled-in-secret"})
"""Event kinds whose words are never shown."""
