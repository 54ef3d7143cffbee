"""Sentences of the voice `report` for events of every game (speech, notes, scenes, conflicts' ends)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from retold.journal import marks
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Words
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.pronouns import begins_with_own, has_name
from retold.projections.prose.sentences import (
    as_infinitive,
    as_question,
    injury_in,
    kind_of_stakes,
    kind_of_wish,
    kind_of_wording,
    to_do,
    within_a_sentence,
)
from retold.projections.prose.telling import (
    NOT_DUE,
    SILENCE,
    Beat,
    Due,
    Game,
    Sentence,
    Sentences,
    Tag,
    Teller,
    Telling,
    after_numbers,
    always,
    as_sentence,
    in_first_person,
    in_words,
    is_label,
    led,
    numbers,
    said,
    silent,
    stakes_as_sentence,
    told_of,
    words,
)
from retold.projections.reading.pictures import image_of

CHECK: Final = "check"
"""The verb of an attempt against a number, whose text says what is tried: `to talk him round`."""

_FIRST_WORDS: Final = said(Tag.NARRATION, by_nobody=True)


def _renamed(event: e.Renamed, telling: Telling) -> Sentences:
    return telling.ours("table.renamed", who=telling.who(event.person), name=str(event.name))


def _ruling_made(event: e.RulingMade, telling: Telling) -> Sentences:
    told = words(Tag.RULING, event.text, None)
    settles = event.question or event.answer is not None or event.sets
    return telling.with_numbers(event.text, told) if settles else told


_ENDINGS: Final = {
    "conceded": "table.ended-conceded",
    "stalemate": "table.ended-stalemate",
    "postponed": "table.ended-postponed",
    "agreed": "table.ended-agreed",
    "taken-out": "table.ended-taken-out",
    "left": "table.ended-left",
    "victory": "table.ended-victory",
    "tie": "table.ended-tie",
}

PLAINLY: Final = "ended"
"""End of a conflict that needs no sentence, since earlier events told it."""


def _conflict_ended(event: e.ConflictEnded, telling: Telling) -> Sentences:
    if event.text is not None:
        return words(Tag.NARRATION, event.text, None)
    if event.winner is not None and event.how != "conceded":
        return telling.ours("table.won", who=telling.who(event.winner))
    if event.how == PLAINLY:
        return SILENCE
    if event.how in _ENDINGS:
        return telling.ours(_ENDINGS[event.how])
    return telling.ours("table.ended-otherwise", how=telling.phrases.named("table", event.how))


def _stakes_worded(event: e.ConflictOpened, telling: Telling) -> Sentences:
    """Returns the stakes as a sentence.

    In running text they stand behind words of Retold's, unless they are a question: those of a phrase
    (`label.stakes` and its kinds) if the stakes go on behind a verb, else “At stake:”.
    """
    if event.text is None:
        return ()
    stakes = str(event.text)
    told = stakes_as_sentence(stakes)
    if marks.plain(told).endswith("?"):
        return (Sentence(Tag.NARRATION, told, stakes=True),)
    count, bare = len(telling.moment.table.ended), marks.plain(stakes)
    key, plain = kind_of_stakes(bare), Sentence(Tag.NARRATION, told, stakes=True, opens=True)
    past, present = (
        led(
            plain,
            key,
            telling,
            stakes=stakes,
            later=bool(count),
            turn=count % _TURNS,
            asked=as_question(bare, present=is_present) if bare == stakes else "",
        )
        for is_present in (False, True)
    )
    sentence = past._replace(led_present=present.led_present)
    at_stake = f"{telling.say('page.at-stake')}{telling.phrases.language.colon} {stakes}"
    return (sentence if sentence.led else sentence._replace(led=as_sentence(at_stake)),)


_TURNS: Final = 3
"""Wordings of stakes, and of who won, that take turns in a session."""
_MANY: Final = 4
"""People of a side from which a sentence does not name them."""


def faced(sides: Sequence[Sequence[int]], turn: int, people: Sequence[int], telling: Telling) -> Sentences:
    """Returns sentences that introduce `people` in a conflict; none for other than two sides.

    They are with others of their side, else in the way; two sides of newcomers face each other.
    """
    if not all(_opponents(sides, telling)):
        return SILENCE
    somebody = telling.moment.table.people
    are_played = [any(somebody[who].player is not None for who in side) for side in sides]
    ours, others = reversed(sides) if are_played == [False, True] else sides
    said = partial(telling.ours, "table.faced", turn=turn % _TURNS)
    if {*ours}.issubset(people):
        told = said(who=telling.in_groups(ours), whom=telling.in_groups(others), beside=[])
    else:
        parts = (
            ([who for who in side if who in people], [who for who in side if who not in people])
            for side in (ours, others)
        )
        told = tuple(
            sentence
            for new, known in parts
            if new
            for sentence in said(who=[], whom=telling.in_groups(new), beside=telling.in_groups(known))
        )
    return tuple(sentence._replace(text=as_sentence(sentence.text)) for sentence in told)  # Four goblins


def undecided(telling: Telling) -> Sentences:
    """Returns a sentence on a story that ends before a conflict does."""
    return telling.ours("table.breaks-off")


def _opponents(sides: Sequence[Sequence[int]], telling: Telling) -> Sequence[list[str]]:
    """Returns the known names of two sides, in groups; empty for other sides, and for many."""
    known = [[who for who in side if who in telling.names] for side in sides]
    groups = list(map(telling.in_groups, known)) if len(known) == 2 else [[], []]  # noqa: PLR2004 -- a pair
    return groups if all(len(side) < _MANY for side in groups) else [[], []]


def hoped(wish: Sentences, telling: Telling) -> Sentences:
    """Returns a wish of a person behind `Zel hopes that`, in running text; unchanged if none."""
    return tuple(_hoped(sentence, telling) for sentence in wish)


def _hoped(wish: Sentence, telling: Telling) -> Sentence:
    key, text = kind_of_wish(wish.text), within_a_sentence(wish.text)
    if key == "label.hopes-that" and (wanted := as_infinitive(text)):
        key, text = "label.hopes-for", wanted
    return led(wish, key, telling, who=telling.subject(wish.speaker or GM), wish=text)


def won(telling: Telling, winners: Sequence[int], losers: Sequence[int] = (), wish: str = "") -> Sentences:
    """Returns a sentence on who won a conflict, and what with, if its end is untold."""
    turn = (len(telling.moment.table.ended) - 1) % _TURNS
    _, whom = _opponents((winners, losers), telling)
    wish = within_a_sentence(as_sentence(wish).removesuffix("."))
    return telling.ours("table.won-it", who=_several(winners, telling), whom=whom, wish=wish, turn=turn)


def gave_up(telling: Telling, losers: Iterable[int], offer: e.ConcessionOffered | None) -> Sentences:
    """Returns a sentence on who gave up; none if the words of their `offer` name them or say I, he or she."""
    text = "" if offer is None else marks.plain(str(offer.text))
    is_named = offer is not None and (has_name(text, telling.who(offer.who)) or in_first_person(text))
    if is_named or any(begins_with_own(text, pronoun) for pronoun in ("he", "she", "they")):
        return SILENCE
    return telling.ours("table.gave-up", who=_several(losers, telling))


def bears(wording: str, who: int, telling: Telling) -> Sentences:
    """Returns a sentence on lasting harm (`Zel was blinded.`); none where no sentence can be made."""
    kind = "question" if wording.endswith("?") else kind_of_wording(wording)
    small = wording if kind == "question" else f"{wording[:1].lower()}{wording[1:]}"
    if not kind and (injury := injury_in(wording, telling)):
        kind, small = "thing", injury
    return telling.ours(_BORNE[kind], who=telling.who(who), wording=small) if kind else SILENCE


_BORNE: Final = {
    "thing": "table.bears-thing",
    "state": "table.bears-state",
    "habit": "table.bears-habit",
    "deed": "table.bears-deed",
    "question": "table.bears-question",
}


def how_it_ended(event: e.ConflictEnded, winner: str | None, phrases: Phrases) -> Iterator[str]:
    """Yields sentences that say how a conflict ended, without its name; `winner` names the winning side."""
    if winner is not None:
        yield phrases.say("table.won", who=winner)
    if winner is None or event.how == "conceded":
        known = "table.ended-plainly" if event.how == PLAINLY else "table.ended-otherwise"
        yield phrases.say(_ENDINGS.get(event.how, known), how=phrases.named("table", event.how))


def _several(people: Iterable[int], telling: Telling) -> list[str]:
    return [telling.who(person) for person in people]


def _joined(event: e.Joined, telling: Telling) -> Sentences:
    side = None if event.side is None else telling.who(event.side)
    manner = "table.join" if event.people[1:] else "table.joins"
    declared = words(Tag.DECLARATION, event.text, event.people[0], telling.say(manner, side=side))
    declared = tuple(sentence._replace(beside=event.people[1:]) for sentence in declared)
    return (
        *(declared or telling.ours("table.joined", who=_several(event.people, telling), side=side)),
        telling.numbers(),
    )


def _left(event: e.Left, telling: Telling) -> Sentences:
    declared = words(Tag.DECLARATION, event.text, event.people[0], telling.say("table.leaves"))
    return (*(declared or telling.ours("table.left", who=_several(event.people, telling))), telling.numbers())


def _declared(event: e.Declared, telling: Telling) -> Sentences:
    sealed = (telling.numbers(),) if event.setup or event.commitment else ()
    is_tried = telling.verb == CHECK and is_label(event.text)
    manner = "table.tries" if is_tried else "table.declares"
    declared = words(Tag.DECLARATION, event.text, event.who, telling.say(manner))
    return (*(_as_tried(declared, telling) if is_tried else declared), *sealed)


def _compel_offered(event: e.CompelOffered, telling: Telling) -> Sentences:
    compels = telling.say("table.compels", whom=telling.who(event.who))
    return (*words(Tag.DECLARATION, event.text, event.by, compels), telling.numbers())


def _concession_answered(manner: str, ours: str) -> Teller:
    def tell(event: e.ConcessionAccepted | e.ConcessionRefused, telling: Telling) -> Sentences:
        declared = words(Tag.DECLARATION, event.text, event.who, telling.say(manner))
        return declared or telling.ours(ours, who=telling.who(event.who), whose=telling.who(event.whose))

    return tell


def _said(event: e.Said, _telling: Telling) -> Sentences:
    return (Sentence(Tag.SPEECH, without_marks(str(event.text)), event.who),)


_MARKED: Final = re.compile(
    r"(?=.{2})(?P<sign>\*{1,3}|_|)(?:[\"\u201c-\u201e\u00ab\u00bb\u275d\u300c]|''){1,2}"
    r"(?P<words>(?:(?!'')[^\"\u201c-\u201e\u00ab\u00bb\u275d\u275e\u300c\u300d])*)"
    r"(?:[\"\u201c-\u201e\u00ab\u00bb\u275d\u275e\u300d]|''){0,2}(?P=sign)"
)


def without_marks(speech: str) -> str:
    """Returns `speech` without quotation marks around its whole length: `"Duck!"` → `Duck!`.

    Doubled marks are taken off too, and one that is never closed. Emphasis outside of them moves inside:
    `*"Duck!"*` → `*Duck!*`.
    """
    marked = _MARKED.fullmatch(speech.strip())
    if marked is None or (marked["sign"] and marked["sign"][0] in marked["words"]):
        return speech
    return f"{marked['sign']}{marked['words'].strip()}{marked['sign']}"


def _noted(event: e.Noted, _telling: Telling) -> Sentences:
    if event.is_unread:
        return ()
    return words(Tag.QUOTE if event.quote else Tag.NOTE, event.text, event.person)


def _matter_opened(event: e.MatterOpened, _telling: Telling) -> Sentences:
    return _note_of(str(event.name), event.text)


def _matter_told(event: e.MatterNoted | e.MatterClosed, telling: Telling) -> Sentences:
    return () if event.text is None else _note_of(telling.moment.table.matter(event.about), event.text)


def _note_of(name: str, text: Words | None) -> Sentences:
    return (Sentence(Tag.NOTE, name) if text is None else Sentence(Tag.NOTE, str(text), manner=name),)


def _concession_narrators(event: e.ConcessionAccepted, _telling: Telling) -> Due:
    """Returns the people who may narrate a surrender; words typed with the offer tell it too."""
    if event.text is not None:
        return NOT_DUE
    return Due((event.whose, event.who, GM), announced_by=event.whose, lasts=True)


_OVERRULED: Final = {
    "token": "table.strikes",
    "veto": "table.strikes",
    "own": "table.corrects",
    "edit": "table.changes",
}


def _picture_added(event: e.PictureAdded, _telling: Telling) -> Sentences:
    if event.use not in ("image", "handout") or image_of(event) is None:
        return words(Tag.NARRATION, event.text, None)
    return (Sentence(Tag.PICTURE, str(event.alt)), *words(Tag.NARRATION, event.text, None))


def _narration_overruled(event: e.NarrationOverruled, telling: Telling) -> Sentences:
    manner = telling.say(_OVERRULED[event.how], whose=telling.who(event.whose))
    return (*words(Tag.EDIT, event.text, event.by, manner), telling.numbers())


_UNDECIDED: Final = frozenset({"postponed", "left"})
"""Ends of a conflict that decide nothing."""


def _decided(event: e.ConflictEnded, _telling: Telling) -> Beat | None:
    return None if event.how in _UNDECIDED else Beat(3, "conflict decided")


def _as_tried(sentences: Sentences, telling: Telling) -> Sentences:
    """Returns a purpose that begins with a verb behind its person's name, in running text."""
    return tuple(
        led(
            sentence,
            "label.trying" if to_do(sentence.text) else "",
            telling,
            who=telling.subject(sentence.speaker or GM),
            purpose=sentence.text,
        )
        for sentence in sentences
    )


def _rolled(event: e.DiceRolled | e.TotalReached, telling: Telling) -> Sentences:
    """Returns words typed with a roll, then its dice in notation.

    The wording differs if several people roll together.
    """
    manner = telling.say("table.roll" if telling.beside else "table.rolls")
    if event.who is None:
        return telling.with_numbers(event.text, words(Tag.DECLARATION, event.text, None, manner))
    declared = words(Tag.DECLARATION, event.text, event.who, manner)
    if telling.beside:
        return (*(sentence._replace(beside=telling.beside) for sentence in declared), telling.numbers())
    return (*_as_tried(declared, telling), telling.numbers())


def _sheet_changed(event: e.SheetChanged, telling: Telling) -> Sentences:
    manner = telling.say("label.sheet", who=telling.subject(event.person))
    return (*words(Tag.NOTE, event.text, event.person, manner), telling.numbers())


GAME: Final = Game(
    tellers={
        e.CampaignBegun: silent,
        e.CampaignNamed: _FIRST_WORDS,
        e.Forked: silent,
        e.Promoted: silent,
        e.Retired: silent,
        e.LineShown: silent,
        e.Undone: silent,
        e.Redone: silent,
        e.Reworded: silent,
        e.Redacted: silent,
        e.Revealed: silent,
        e.Shown: silent,
        e.Marked: said(Tag.NOTE, by_nobody=True),
        e.CastIntroduced: silent,
        e.AliasGiven: silent,
        e.Renamed: _renamed,
        e.Described: silent,
        e.SheetChanged: _sheet_changed,
        e.PlayerSeated: said(Tag.ASIDE, by_nobody=True),
        e.GameMasterJoined: silent,
        e.Merged: silent,
        e.PersonRetired: lambda event, telling: told_of(event.person, event.text, telling),
        e.PersonReturned: silent,
        e.SessionOpened: _FIRST_WORDS,
        e.SessionClosed: _FIRST_WORDS,
        e.SceneSet: _FIRST_WORDS,
        e.SceneEnded: _FIRST_WORDS,
        e.OptionSet: said(Tag.RULING, by_nobody=True),
        e.RulingMade: _ruling_made,
        e.ConflictOpened: numbers,
        e.ConflictEnded: after_numbers(_conflict_ended),
        e.Joined: _joined,
        e.Left: _left,
        e.Declared: _declared,
        e.CompelOffered: _compel_offered,
        e.CompelAccepted: in_words("table.accepts", "table.compel-accepted"),
        e.CompelRefused: in_words("table.refuses", "table.compel-refused"),
        e.ConcessionOffered: said(Tag.DECLARATION, "table.offers-to-concede"),
        e.ConcessionAccepted: _concession_answered("table.accepts", "table.concession-accepted"),
        e.ConcessionRefused: _concession_answered("table.refuses", "table.concession-refused"),
        e.Narrated: said(Tag.NARRATION),
        e.Said: _said,
        e.Noted: _noted,
        e.SaidAside: said(Tag.ASIDE),
        e.PageTextWritten: silent,
        e.PassagePulled: silent,
        e.MatterOpened: _matter_opened,
        e.MatterNoted: _matter_told,
        e.MatterClosed: _matter_told,
        e.MatterRenamed: silent,
        e.MatterMerged: silent,
        e.NarrationOverruled: _narration_overruled,
        e.PictureAdded: _picture_added,
        e.ColourChosen: said(Tag.NOTE, by_nobody=True),
        e.DiceRolled: _rolled,
        e.TotalReached: _rolled,
        e.RolledInSecret: numbers,
    },
    turn_ends=frozenset({e.ConflictEnded}),
    fragments=frozenset({e.DiceRolled, e.TotalReached}),
    wordings={e.ConflictOpened: _stakes_worded},
    concessions=frozenset({e.ConcessionAccepted}),
    announced=frozenset({e.ConcessionOffered}),
    due={e.ConcessionAccepted: _concession_narrators},
    never_silent=frozenset({e.ConcessionRefused}),
    beats={
        e.ConflictEnded: _decided,
        e.ConcessionAccepted: always(3, "gave up"),
        e.CompelRefused: always(2, "compel refused"),
        e.NarrationOverruled: always(2, "overruled"),
    },
)
"""Telling rules of table events; introductions are silent (the cast lists them), as is line management."""

SPOKEN: Final[frozenset[type[Event]]] = frozenset(
    {
        e.SessionOpened,
        e.SessionClosed,
        e.SceneSet,
        e.SceneEnded,
        e.RulingMade,
        e.Joined,
        e.Left,
        e.Declared,
        e.CompelOffered,
        e.CompelAccepted,
        e.CompelRefused,
        e.ConcessionOffered,
        e.ConcessionAccepted,
        e.ConcessionRefused,
        e.Narrated,
        e.Said,
        e.Noted,
        e.SaidAside,
        e.PageTextWritten,
        e.PassagePulled,
        e.MatterOpened,
        e.MatterNoted,
        e.MatterClosed,
        e.NarrationOverruled,
    }
)
"""Event kinds with people's words, as opposed to cards and dice."""
