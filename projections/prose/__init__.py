"""Voices: styles in which events become sentences, such as `report` or `script`; see `VOICES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.games import BUILT_IN
from retold.journal.guarding import answer_of, of_kind
from retold.journal.refused import Refused
from retold.journal.store.events.kinds import commands_stored_as
from retold.journal.table import OpenConflict
from retold.journal.vocabulary.base import Event
from retold.journal.vocabulary.events import Declared, DiceRolled, NarrationOverruled, Noted, TotalReached
from retold.projections import games
from retold.projections.prose import shared
from retold.projections.prose.phrases import ENGLISH, LANGUAGE, Phrases, table, variant_in
from retold.projections.prose.phrases.languages import VARIANTS, Comma, Language, language
from retold.projections.prose.telling import (
    Due,
    Game,
    Harm,
    Sentence,
    Sentences,
    Tag,
    Teller,
    Telling,
    gives_a_cause,
    numbers,
)

_UNTOLD: Final = Game({})
"""Telling rules of a game without a voice."""


@cache
def game(name: str) -> Game:
    """Returns rules for telling a game's events as sentences; `table` names events common to every game.

    Empty rules for a game without a voice.
    """
    if name == "table":
        return shared.GAME
    voice = games.room(name, "voice")
    found = (
        None
        if voice is None
        else answer_of(name, lambda: of_kind(voice.GAME, Game), None, what="voice.py: GAME")
    )
    return _UNTOLD if found is None else _guarded(name, found)


_Call = Callable[..., Any]


def _guarded(name: str, game: Game) -> Game:
    """Returns a guest's rules with the guard around each function; the notation replaces what fails."""
    if name in BUILT_IN:
        return game

    def guard(what: str, kind: type[Event], call: _Call, instead: _Call, each: type | None) -> _Call:
        def told(*arguments: object) -> object:
            found = answer_of(name, call, None, *arguments, what=f"{what} of {kind.kind}", each=each)
            return instead(*arguments) if found is None else found

        return told

    def by_kind(
        what: str, calls: Mapping[type[Event], _Call], instead: _Call, each: type | None = None
    ) -> Mapping[type[Event], _Call]:
        return {kind: guard(what, kind, call, instead, each) for kind, call in calls.items()}

    stands = game.standing

    def standing(conflict: OpenConflict, telling: Telling) -> Sentences:
        if stands is None:
            return ()
        return tuple(answer_of(name, stands, (), conflict, telling, what="standing", each=Sentence))

    return replace(
        game,
        tellers=by_kind("the teller", game.tellers, numbers, Sentence),
        wordings=by_kind("the wording", game.wordings, lambda *_: (), Sentence),
        due=by_kind("due", game.due, lambda *_: Due((), owed=False)),
        beats=by_kind("the beat", game.beats, lambda *_: None),
        harms=by_kind("the harm", game.harms, lambda *_: None),
        checks=by_kind("the check", game.checks, lambda *_: False),
        decisions=by_kind("the decision", game.decisions, lambda *_: False),
        standing=None if stands is None else standing,
    )


def _of(kind: type[Event]) -> Game:
    return game(kind.kind.partition(".")[0])


@cache
def due_of(kind: type[Event]) -> Callable[[Any, Telling], Due] | None:
    """Returns a function that names people who may narrate an event's outcome (such as a won check).

    None for an event kind without such an outcome.
    """
    return _of(kind).due.get(kind)


@cache
def ends_turn(kind: type[Event]) -> bool:
    """True for an event kind that ends a turn: later narration is about the next turn."""
    return kind in _of(kind).turn_ends


@cache
def orders(kind: type[Event]) -> bool:
    """True for an event kind that sets the turn order."""
    return kind in _of(kind).orders


@cache
def begins_round(kind: type[Event]) -> bool:
    """True for an event kind that begins a round: a paragraph ends before it."""
    return kind in _of(kind).rounds


@cache
def is_plan(kind: type[Event], system: str) -> bool:
    """True for an event kind that states an intent or hope before a round of a game."""
    return bool(game(system).rounds) and (kind is Declared or wishes(kind))


@cache
def announces(kind: type[Event]) -> bool:
    """True for an event kind in which a person states their intent in words."""
    return kind in _of(kind).announced


@cache
def narrates(kind: type[Event]) -> bool:
    """True for an event kind whose text is narration, by any author."""
    return kind in _of(kind).narrated


@cache
def is_fragment(kind: type[Event]) -> bool:
    """True for an event kind whose text is incomplete alone, such as a roll's purpose (`to open a door`)."""
    return kind in _of(kind).fragments


@cache
def is_concession(kind: type[Event]) -> bool:
    """True for an event kind that ends a conflict by concession."""
    return kind in _of(kind).concessions


@cache
def never_silent(kind: type[Event]) -> bool:
    """True for an event kind that Retold tells without a narration, such as lasting harm."""
    return kind in _of(kind).never_silent


def is_check(telling: Telling) -> bool:
    """True for an event that is an attempt which succeeds or fails."""
    event = telling.moment.event
    known = _of(type(event)).checks.get(type(event))
    return known is not None and known(event, telling)


@cache
def harm_of(kind: type[Event]) -> Callable[[Any, Telling], Harm | None] | None:
    """Returns a function from an event of this kind to the person hurt; None for a harmless kind."""
    return _of(kind).harms.get(kind)


@cache
def wishes(kind: type[Event]) -> bool:
    """True for an event kind in which a person says what comes about if they win."""
    return kind in _of(kind).wishes


def is_decision(event: Event) -> bool:
    """True for an event that decides who wins a conflict, if its kind can."""
    known = _decision(type(event))
    return known is not None and known(event)


@cache
def _decision(kind: type[Event]) -> Callable[[Any], bool] | None:
    return _of(kind).decisions.get(kind)


@cache
def _teller(kind: type[Event]) -> Teller:
    return _of(kind).tellers.get(kind, numbers)


class Voice(Struct, frozen=True):
    """A style of telling: a function from event to sentences, phrases, and layout of pages.

    `base` is the built-in voice it derives from (its own name for a built-in one). `mechanics` is the default
    place of cards, dice and numbers, `quotes` the quotation marks around speech.
    """

    name: str
    about: str
    tell: Callable[[Telling], Sentences]
    base: str
    phrases: Phrases = ENGLISH
    lang: str = LANGUAGE
    mechanics: str = "folded"
    quotes: tuple[str, str] = ("“", "”")
    as_recorded: bool = False
    """True for a voice that keeps the recorded order, struck narrations included."""
    story: bool = False
    """True for a voice of people's own words alone, as running text under scene headings."""
    typographic: bool = True
    """True to convert typed quotation marks and apostrophes to typographic ones."""
    asides: bool = True
    """Default for telling table talk."""
    brisk: bool = False
    """True to tell small acts in a row without words in one sentence; a story always does."""
    stage: bool = False
    """True for a voice that sets narration without speaker as stage directions."""
    tense: str = ""
    """Tense of Retold's own sentences, `past` or `present`; empty for that of a scene's texts."""
    diary: bool = False
    """True to lay running text out in entries, each with its tellers as the head."""
    comma: Comma | None = None
    """Place of the comma between speech and its tag; None for that of the language."""
    words: str | None = None
    """Language of the words that people typed, as the table names it; None if it names none."""
    is_chosen: bool = False
    """True if the language of the phrases was asked for: the table's own does not replace it."""

    @property
    def tag_comma(self) -> Comma:
        """Place of the comma between speech and its tag."""
        return self.comma or self.phrases.language.comma

    @property
    def page_lang(self) -> str:
        """Language of a page of the story: that of the words, if the table names it."""
        return self.words or self.lang

    @property
    def is_foreign(self) -> bool:
        """True if the words are in another language than the phrases."""
        return self.words is not None and primary(self.words) != primary(self.lang)

    @property
    def folds(self) -> bool:
        """True if small acts in a row without words are told in one sentence."""
        return (self.story or self.brisk) and not self.as_recorded


def report(telling: Telling) -> Sentences:
    """Returns sentences on an event in third person and past tense, with people's own words unchanged.

    An event kind without rules for telling is given in notation, as mechanics.
    """
    event = telling.moment.event
    sentences = _teller(type(event))(event, telling)
    headed = _heads_a_note(telling.follows) if isinstance(event, Noted) and telling.follows else None
    if headed is None:
        return sentences
    return tuple(
        sentence
        if sentence.speaker is None
        else sentence._replace(manner=telling.say(headed, who=telling.subject(sentence.speaker)))
        for sentence in sentences
    )


@cache
def _heads_a_note(kind: type[Event]) -> str | None:
    """Returns the key of a phrase put before a note that follows an event of `kind` in its act (command).

    None if notes after that kind get no phrase.
    """
    return _of(kind).notes.get(kind)


def plain(telling: Telling) -> Sentences:
    """Returns one sentence: the event's complete notation, tagged as words or as mechanics (cards, dice)."""
    spoken = type(telling.moment.event) in shared.SPOKEN
    return (Sentence(Tag.NOTATION if spoken else Tag.MECHANICS, telling.notation()),)


STORY: Final = frozenset(
    {Tag.NARRATION, Tag.DECLARATION, Tag.SPEECH, Tag.EDIT, Tag.ASIDE, Tag.PICTURE, Tag.MECHANICS}
)
"""Tags of a story's sentences; mechanics and table talk are optional."""


@lru_cache(maxsize=256)  # bounded, because a file may contain any verb
def _says_a_purpose(verb: str, games: tuple[str, ...]) -> bool:
    """True for a verb whose text states a purpose of dice or cards; verbs of `games` and shared verbs."""
    command = next(commands_stored_as(verb, games), None)
    return command is not None and command.purpose


def _games_of(telling: Telling) -> tuple[str, ...]:
    """Returns the game to which the event's kind or its conflict belongs, as a tuple.

    An event of neither gives every game in play.
    """
    event, table = telling.moment.event, telling.moment.table
    game = event.kind.partition(".")[0]
    here = table.conflicts.get(getattr(event, "conflict", None) or 0)
    if game == "table":
        return tuple(sorted(table.games())) if here is None else (here.system,)
    return (game,)


@cache
def _wording(kind: type[Event]) -> Callable[[Any, Telling], Sentences] | None:
    return _of(kind).wordings.get(kind)


def prose(telling: Telling) -> Sentences:
    """Returns only people's own words, without generated sentences.

    The purpose of a roll is told if it gives a cause (`gives_a_cause`), that of another tool's never: it is
    a card's title. The stakes of a conflict are told always.
    The wording of an aspect is told, since later narration refers to it; that of a consequence only if a
    later text of the scene does.
    """
    event = telling.moment.event
    if _strikes(event):
        return (telling.numbers(),)
    if worded := _wording(type(event)):
        told = worded(event, telling)
        return (*told, telling.numbers(texts=not told))
    is_imported = telling.moment.envelope.source is not None and isinstance(event, DiceRolled | TotalReached)
    purpose = is_fragment(type(event)) or _says_a_purpose(telling.verb, _games_of(telling))
    return tuple(
        sentence
        for sentence in report(telling)
        if sentence.tag in STORY
        and not (
            sentence.tag is Tag.DECLARATION
            and (is_imported or (purpose and not gives_a_cause(sentence.text)))
        )
    )


def _strikes(event: Event) -> bool:
    """True for an event that removes a narration from the story; False for an edit, which replaces it."""
    return isinstance(event, NarrationOverruled) and event.how != "edit"


def _past_sentences(telling: Telling) -> Sentences:
    """Returns sentences on an event in third person and past tense.

    For an event that strikes a narration, returns only its notation.
    """
    return (telling.numbers(),) if _strikes(telling.moment.event) else report(telling)


PLACES: Final = ("inline", "folded", "footnotes", "appendix", "none")
"""Places for mechanics; a test compares them with the exports'."""

VOICES: Mapping[str, Voice] = {
    voice.name: voice
    for voice in (
        Voice(
            "report", "third person, past tense, neutral; what people told, as they told it", report, "report"
        ),
        Voice(
            "plain",
            "the notation of every event, complete",
            plain,
            "plain",
            typographic=False,
            as_recorded=True,
        ),
        Voice(
            "script",
            "names in capitals before what they say or do, dice on their own line",
            report,
            "script",
            Phrases(partial(table, "script")),
            mechanics="inline",
            stage=True,
        ),
        Voice(
            "prose",
            "only what people narrated, declared and said, as running text",
            prose,
            "prose",
            Phrases(partial(table, "prose")),
            mechanics="none",
            story=True,
            asides=False,
        ),
    )
}
"""Built-in voices by name; the first is the default."""

BASES: Final = tuple(name for name in VOICES if name != "plain")
"""Voices usable as a base; plain is notation and has no phrases."""


def voice_of(voice: Voice | str) -> Voice:
    """Returns `voice` itself, or the built-in voice of that name; Refused for an unknown name."""
    if isinstance(voice, Voice):
        return voice
    if voice not in VOICES:
        raise Refused(f"There is no voice {voice}. There are: {', '.join(VOICES)}.")
    return VOICES[voice]


def in_language(voice: Voice, language: Language) -> Voice:
    """Returns one of the built-in voices with the phrases and quotation marks of a language.

    The voice `plain` is notation and stays as it is.
    """
    if voice.base not in BASES or language.code == voice.lang:
        return voice
    variant = voice.base if voice.base in VARIANTS else ""
    return replace(
        voice,
        phrases=Phrases(partial(variant_in, language, variant) if variant else dict, language),
        lang=language.code,
        quotes=language.quotes,
    )


def primary(tag: str) -> str:
    """Returns the language of a tag without country and script: `pt-BR` → `pt`."""
    return tag.partition("-")[0].lower()


def speaking(voice: Voice, words: str | None) -> Voice:
    """Returns the voice as it tells words in the language `words`, a tag; unchanged for None.

    If Retold has phrases in that language, it takes those, unless another language was asked for.
    """
    if words is None or voice.words is not None:
        return voice
    spoken = language(words)
    takes_it = voice.name in VOICES and not voice.is_chosen and spoken.code == primary(words)
    if takes_it and spoken.is_installed:
        voice = in_language(voice, spoken)
    told = replace(voice, words=words)
    return replace(told, phrases=voice.phrases.among_others(voice.lang)) if told.is_foreign else told


def reporting(voice: Voice) -> Voice:
    """Returns a voice that tells in third person and past tense, with phrases and quotation marks of `voice`.

    Struck narrations and table talk are left out.
    """
    return replace(voice, tell=_past_sentences, as_recorded=False, story=False, stage=False, asides=False)
