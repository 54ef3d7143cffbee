"""Prose for Guenašk events, as reports tell them."""

from __future__ import annotations

from typing import Any, Final

from retold.game import (
    GM,
    Due,
    Game,
    Harm,
    Sentence,
    Sentences,
    Tag,
    Telling,
    after_numbers,
    always,
    as_sentence,
    bears,
    in_words,
    own_words,
    said,
    with_numbers,
    words,
)
from retold.games.guenask import events as g
from retold.games.guenask.rules import Answer


def _raised(event: g.Raised, telling: Telling) -> Sentences:
    whom = [telling.who(person) for person in event.to]
    return telling.ours("guenask.raised", who=telling.who(event.who), whom=whom)


_ANSWERED: Final = {
    "reverse": "guenask.reversed",
    "block": "guenask.blocked",
    "blow": "guenask.took-the-blow",
}


def _seen(event: g.Seen, telling: Telling) -> Sentences:
    who, whom = telling.who(event.who), telling.who(event.whose)
    return telling.ours(_ANSWERED[event.how.value], who=who, whom=whom)


def _blow(event: g.Seen, _telling: Telling) -> Harm | None:
    """Returns the effect of a blow that was taken; None for any other answer."""
    if event.how is not Answer.BLOW:
        return None
    return Harm(event.who, event.whose, is_of_body=event.cost is not None and event.cost.body)


def _stakes_lost(event: g.StakesLost, telling: Telling) -> Sentences:
    key = "guenask.no-answer" if event.how == "unseen" else "guenask.nothing-left"
    return telling.ours(key, who=telling.who(event.who))


def _fallout(event: g.FalloutTaken, telling: Telling) -> Sentences:
    """Returns the words typed with fallout, or a generated sentence, then the mechanics."""
    said = words(Tag.DECLARATION, event.text, event.who, telling.say("guenask.takes-it"))
    if not said and event.bare:
        what = telling.phrases.named("guenask", event.track)
        said = telling.ours("guenask.took-fallout", who=telling.who(event.who), what=what)
    return (*said, telling.numbers())


def _condition(event: g.ConditionNamed, telling: Telling) -> Sentences:
    """Returns a generated sentence that quotes a full row's condition, since its words have no verb.

    The mechanics follow.
    """
    said = bears(str(event.text), event.who, telling) or telling.ours(
        "guenask.took-condition", who=telling.who(event.who), wording=str(event.text)
    )
    return (*said, telling.numbers())


def _condition_worded(event: g.ConditionNamed, _telling: Telling) -> Sentences:
    return (Sentence(Tag.DECLARATION, as_sentence(str(event.text)), event.who, if_used=True),)


def _recovered(event: g.FalloutCleared, _telling: Telling) -> Sentences:
    return words(Tag.NARRATION, event.text, event.who)


def _stakes(event: g.StakesSet, telling: Telling) -> Sentences:
    manner = telling.say("guenask.at-stake" if event.who is None else "guenask.has-at-stake")
    return words(Tag.DECLARATION, event.text, event.who, manner)


def _died(event: g.CharacterDied, telling: Telling) -> Sentences:
    return telling.ours("guenask.died", who=telling.who(event.who))


def _narrators(event: Any, telling: Telling) -> Due:  # noqa: ANN401 -- several kinds
    """Returns the people who may narrate dice put forward: the actor, for an NPC the game master too.

    An event with a text needs no narration.
    """
    if getattr(event, "text", None) is not None:
        return Due((), each=True)
    somebody = telling.moment.table.people.get(event.who)
    played = somebody is not None and somebody.player is not None
    return Due((event.who,) if played else (event.who, GM))


def _track_narrators(event: g.FalloutTaken, telling: Telling) -> Due:
    """Returns the people who may narrate a choice of track; none if the choice came with a reason."""
    return _narrators(event, telling) if event.bare else Due((), each=True)


def _death_narrators(event: g.CharacterDied, telling: Telling) -> Due:
    return Due((event.who, GM))


GAME: Final = Game(
    tellers={
        g.StakesSet: _stakes,
        g.ApproachChosen: own_words(),
        g.Escalated: own_words(),
        g.BroughtIn: own_words(),
        g.Raised: in_words("", _raised),
        g.Seen: in_words("", _seen),
        g.FalloutTaken: _fallout,
        g.FalloutResisted: own_words("guenask.resists"),
        g.ConditionNamed: _condition,
        g.StakesLost: in_words("", _stakes_lost),
        g.Gave: in_words("", "guenask.gave"),
        g.CharacterDied: after_numbers(_died),
        g.FalloutCleared: with_numbers(said(Tag.RULING, by_nobody=True)),
    },
    due={
        g.Raised: _narrators,
        g.Seen: _narrators,
        g.FalloutTaken: _track_narrators,
        g.StakesLost: _narrators,
        g.Gave: _narrators,
        g.CharacterDied: _death_narrators,
    },
    beats={
        g.Gave: always(3, "gave up"),
        g.StakesLost: always(3, "stakes decided"),
        g.StakesWon: always(3, "stakes decided"),
        g.CharacterDied: always(3, "died"),
        g.RowFilled: always(2, "severe harm"),
    },
    turn_ends=frozenset({g.Raised}),
    wordings={g.ConditionNamed: _condition_worded, g.FalloutCleared: _recovered},
    fragments=frozenset({g.StakesSet}),
    never_silent=frozenset({g.FalloutTaken}),
    harms={g.Seen: _blow},
    decisions=dict.fromkeys((g.StakesLost, g.Gave), bool),
)
"""Dice and words go together: the person who puts dice forward narrates the act."""
