"""Promised API of a guest: all that a game of another distribution imports from Retold.

docs/game-api.md is its reference, docs/add-a-game.md a walk through a game; Retold's own games are in
`retold.games`, and import no more. Names listed in `__all__` keep their meaning within a major version; other
modules may change. Each name is imported at its first use, since most commands need few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from retold.journal.capabilities import (
        Aim,
        Balance,
        Blank,
        Border,
        Deck,
        DiceSum,
        HasAspects,
        HasBalance,
        HasClashes,
        HasDecks,
        HasDiceSums,
        HasFaceDown,
        HasFallen,
        HasMap,
        HasPool,
        HasRaise,
        HasRows,
        HasSheets,
        HasThings,
        HasWinners,
        InOrder,
        InPlay,
        Melee,
        Moves,
        Outlook,
        OwnRoll,
        Pairing,
        Passing,
        Picture,
        Plan,
        Pool,
        Raise,
        Row,
        Suggestion,
        Way,
        Zone,
    )
    from retold.journal.capabilities import Choice as Offer
    from retold.journal.decks import dice, french, odds, throws
    from retold.journal.decks import spacetime as triumphs
    from retold.journal.decks.chance import Luck, Provenance
    from retold.journal.decks.pile import DISCARD, Pile
    from retold.journal.line import LiveEvent
    from retold.journal.names import (
        CLOSE,
        Ambiguous,
        Unknown,
        clean,
        either,
        find,
        find_phrase,
        nearest,
        normalise,
        quoted,
    )
    from retold.journal.options import Chosen, Option
    from retold.journal.possessives import possessive
    from retold.journal.refused import Forgotten, NotSaid, Refused, none_if_refused, refusal_of
    from retold.journal.shared import conflicts, notes_and_speech, people
    from retold.journal.shared.dice import roll as decide_roll
    from retold.journal.shared.people import NewcomerIds
    from retold.journal.shared.rulings import Change as RulingChange
    from retold.journal.shared.rulings import (
        RulingKey,
        answer_commands,
        check_not_negative,
        new_number,
        set_by_table,
    )
    from retold.journal.shared.sealing import SealedChoices, hold
    from retold.journal.shared.sheets import sheet_reader, whole
    from retold.journal.system import (
        TO_FIND,
        Count,
        Credit,
        Decision,
        Fact,
        ReadyGame,
        Result,
        SheetKey,
        Situation,
        StateAccess,
        System,
        Trial,
        Tried,
        UntriedOutlook,
        Upcast,
        advanced,
        apply_events,
        question_with_answers,
        separate_table,
        situation_after,
    )
    from retold.journal.table import (
        Concession,
        EndedConflict,
        Handler,
        OpenConflict,
        Secret,
        Somebody,
        Table,
        no_change,
    )
    from retold.journal.visibility import VisibleTo, is_secret_number, next_number
    from retold.journal.vocabulary import commands, events
    from retold.journal.vocabulary.base import (
        GM,
        NOBODY,
        YET_TO_FIND,
        Answer,
        Anywhere,
        Command,
        Event,
        Id,
        InConflict,
        KnownThing,
        Moment,
        Newcomer,
        OfPeople,
        OfSeveral,
        Part,
        Person,
        PersonAnywhere,
        PersonInConflict,
        Question,
        Thing,
        Value,
        Whole,
        Words,
        ZoneName,
        fields_of,
        kinds,
        sheet_subject,
        verbs,
    )
    from retold.journal.vocabulary.commands import Data, Text
    from retold.journal.vocabulary.sealing import (
        ChoicesRevealed,
        DeclareSealed,
        Meant,
        SealedChoice,
        seal,
        unseal,
    )
    from retold.journal.winners import WINNER
    from retold.projections.plain.ink import (
        Ink,
        Notations,
        card,
        cards,
        is_outside,
        listed,
        rank,
    )
    from retold.projections.prose.sentences import kind_of_wording
    from retold.projections.prose.shared import bears, hoped
    from retold.projections.prose.telling import (
        NOT_DUE,
        SILENCE,
        Beat,
        Due,
        Game,
        Harm,
        How,
        Sentence,
        Sentences,
        Tag,
        Teller,
        Telling,
        after_numbers,
        always,
        as_sentence,
        how_hard,
        in_first_person,
        in_words,
        numbers,
        own_words,
        said,
        says_what_is_done,
        silent,
        with_numbers,
        words,
    )
    from retold.projections.statistics.counted import Cards, Counted, Rounds
    from retold.projections.statistics.counted import Moves as CountedMoves

__all__ = [
    "CLOSE",
    "DISCARD",
    "GM",
    "NOBODY",
    "NOT_DUE",
    "SILENCE",
    "TO_FIND",
    "WINNER",
    "YET_TO_FIND",
    "Aim",
    "Ambiguous",
    "Answer",
    "Anywhere",
    "Balance",
    "Beat",
    "Blank",
    "Border",
    "Cards",
    "ChoicesRevealed",
    "Chosen",
    "Command",
    "Concession",
    "Count",
    "Counted",
    "CountedMoves",
    "Credit",
    "Data",
    "Decision",
    "Deck",
    "DeclareSealed",
    "DiceSum",
    "Due",
    "EndedConflict",
    "Event",
    "Fact",
    "Forgotten",
    "Game",
    "Handler",
    "Harm",
    "HasAspects",
    "HasBalance",
    "HasClashes",
    "HasDecks",
    "HasDiceSums",
    "HasFaceDown",
    "HasFallen",
    "HasMap",
    "HasPool",
    "HasRaise",
    "HasRows",
    "HasSheets",
    "HasThings",
    "HasWinners",
    "How",
    "Id",
    "InConflict",
    "InOrder",
    "InPlay",
    "Ink",
    "KnownThing",
    "Luck",
    "Meant",
    "Melee",
    "Moment",
    "Moves",
    "Newcomer",
    "NewcomerIds",
    "NotSaid",
    "Notations",
    "OfPeople",
    "OfSeveral",
    "Offer",
    "OpenConflict",
    "Option",
    "Outlook",
    "OwnRoll",
    "Pairing",
    "Part",
    "Passing",
    "Person",
    "PersonAnywhere",
    "PersonInConflict",
    "Picture",
    "Pile",
    "Plan",
    "Pool",
    "Provenance",
    "Question",
    "Raise",
    "ReadyGame",
    "Refused",
    "Result",
    "Rounds",
    "Row",
    "RulingChange",
    "RulingKey",
    "SealedChoice",
    "SealedChoices",
    "Secret",
    "Sentence",
    "Sentences",
    "SheetKey",
    "Situation",
    "Somebody",
    "StateAccess",
    "Suggestion",
    "System",
    "Table",
    "Tag",
    "Teller",
    "Telling",
    "Text",
    "Thing",
    "Trial",
    "Tried",
    "Unknown",
    "UntriedOutlook",
    "Upcast",
    "Value",
    "VisibleTo",
    "Way",
    "Whole",
    "Words",
    "Zone",
    "ZoneName",
    "advanced",
    "after_numbers",
    "always",
    "answer_commands",
    "apply_events",
    "as_sentence",
    "bears",
    "card",
    "cards",
    "check",
    "check_not_negative",
    "clean",
    "commands",
    "conflicts",
    "decide_roll",
    "dice",
    "either",
    "events",
    "fields_of",
    "find",
    "find_phrase",
    "french",
    "hold",
    "hoped",
    "how_hard",
    "in_first_person",
    "in_words",
    "is_outside",
    "is_secret_number",
    "kind_of_wording",
    "kinds",
    "listed",
    "nearest",
    "new_number",
    "next_number",
    "no_change",
    "none_if_refused",
    "normalise",
    "notes_and_speech",
    "numbers",
    "odds",
    "own_words",
    "people",
    "possessive",
    "question_with_answers",
    "quoted",
    "rank",
    "refusal_of",
    "roll_dice",
    "said",
    "says_what_is_done",
    "seal",
    "separate_table",
    "set_by_table",
    "sheet_reader",
    "sheet_subject",
    "silent",
    "situation_after",
    "throws",
    "triumphs",
    "unseal",
    "verbs",
    "whole",
    "with_numbers",
    "words",
]

_NAMES: Final = {
    "retold.journal.capabilities": (
        "Aim Balance Blank Border Deck DiceSum HasAspects HasBalance HasClashes HasDecks HasDiceSums "
        "HasFaceDown HasFallen HasMap HasPool HasRaise HasRows HasSheets HasThings HasWinners InOrder "
        "InPlay Melee Moves Offer=Choice Outlook OwnRoll Pairing Passing Picture Plan Pool Raise Row "
        "Suggestion Way Zone"
    ),
    "retold.journal.decks": "dice french odds throws triumphs=spacetime",
    "retold.journal.decks.chance": "Luck Provenance",
    "retold.journal.decks.pile": "DISCARD Pile",
    "retold.journal.names": "Ambiguous CLOSE Unknown clean either find find_phrase nearest normalise quoted",
    "retold.journal.options": "Chosen Option",
    "retold.journal.possessives": "possessive",
    "retold.journal.refused": "Forgotten NotSaid Refused none_if_refused refusal_of",
    "retold.journal.shared": "conflicts notes_and_speech people",
    "retold.journal.shared.dice": "decide_roll=roll",
    "retold.journal.shared.people": "NewcomerIds",
    "retold.journal.shared.rulings": (
        "RulingChange=Change RulingKey answer_commands check_not_negative new_number set_by_table"
    ),
    "retold.journal.shared.sealing": "SealedChoices hold",
    "retold.journal.shared.sheets": "sheet_reader whole",
    "retold.journal.system": (
        "Count Credit Decision Fact ReadyGame Result SheetKey Situation StateAccess System TO_FIND Trial "
        "Tried UntriedOutlook Upcast advanced apply_events question_with_answers separate_table "
        "situation_after"
    ),
    "retold.journal.table": "Concession EndedConflict Handler OpenConflict Secret Somebody Table no_change",
    "retold.journal.visibility": "VisibleTo is_secret_number next_number",
    "retold.journal.vocabulary": "commands events",
    "retold.journal.vocabulary.base": (
        "Answer Anywhere Command Event GM Id InConflict KnownThing Moment NOBODY Newcomer OfPeople "
        "OfSeveral Part Person PersonAnywhere PersonInConflict Question Thing Value Whole Words "
        "YET_TO_FIND ZoneName fields_of kinds sheet_subject verbs"
    ),
    "retold.journal.vocabulary.commands": "Data Text",
    "retold.journal.vocabulary.sealing": "ChoicesRevealed DeclareSealed Meant SealedChoice seal unseal",
    "retold.journal.winners": "WINNER",
    "retold.projections.plain.ink": "Ink Notations card cards is_outside listed rank",
    "retold.projections.prose.sentences": "kind_of_wording",
    "retold.projections.prose.shared": "bears hoped",
    "retold.projections.prose.telling": (
        "Beat Due Game Harm How NOT_DUE SILENCE Sentence Sentences Tag Teller Telling after_numbers always "
        "as_sentence how_hard in_first_person in_words numbers own_words said says_what_is_done silent "
        "with_numbers words"
    ),
    "retold.projections.statistics.counted": "Cards Counted CountedMoves=Moves Rounds",
}
"""Promised names by the module or package they are from; `Offer=Choice` is called `Choice` there."""

_HOMES: Final = {
    name: (module, original or name)
    for module, names in _NAMES.items()
    for name, _, original in (said.partition("=") for said in names.split())
}


def __dir__() -> list[str]:
    """Returns the promised names."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> object:
    """Imports a promised name at its first use.

    Raises AttributeError for any other name.
    """
    if name not in _HOMES:
        raise AttributeError(f"retold.game has no {name}.")
    module, original = _HOMES[name]
    home = import_module(module)
    found = getattr(home, original) if hasattr(home, original) else import_module(f"{module}.{original}")
    globals()[name] = found
    return found


def roll_dice(situation: Situation, who: int | None, expression: str) -> events.DiceRolled:
    """Rolls the dice of an expression such as `2d6`, or takes results typed by the table; returns the event.

    A fudge die (`dF`) shows -1, 0 or 1. Raises Refused for no dice expression, and for results that do not
    fit.
    """
    from retold.journal.decks import dice
    from retold.journal.vocabulary import events

    faces = situation.luck.faces(dice.parse_sizes(expression))
    return events.DiceRolled(conflict=situation.where, who=who, dice=expression, faces=faces)


def check(game: str, evening: str | None = None) -> tuple[str, ...]:
    """Checks an installed guest game, and plays an evening of it in a temporary campaign.

    Returns sentences for its author, none if all is well. A game that cannot be played has one sentence,
    which says why. Else notations are checked against fields, phrases against the values the voice gives,
    kinds against those of the game. The script `evening`, by default the package's `tour.session` if it has
    one, is played: each view, the outlook, the story and the replay are read for the game master and for the
    table, and what fails or shows a value above its maximum is a sentence. Its counted rows are compared with
    those of a table from which every sheet is hidden. Raises Refused for a name of no guest.
    """
    from retold.guest_evening import evening_of
    from retold.journal.games import guests
    from retold.projections.guest_checks import mistakes

    found: list[str] = []

    def played() -> list[LiveEvent]:
        events, failed = evening_of(guests()[game], evening)
        found.extend(failed)
        return events

    return (*mistakes(game, played), *found)
