"""How the report tells Edgerunner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.rules import Act
from journal.systems.edgerunner.state import Action, Play, shelf
from journal.vocabulary.base import GM, Event
from projections.plain.edgerunner import doing
from projections.plain.ink import listed
from projections.prose.telling import (
    Game,
    Outcome,
    Sentence,
    Sentences,
    Tag,
    Telling,
    generated,
    numbers,
    silent,
    words,
)

# --- what is meant ----------------------------------------------------------------------------------------


def _play(event: Any, telling: Telling) -> Play | None:  # noqa: ANN401 -- several kinds
    conflict = telling.moment.table.conflicts.get(event.conflict)
    return conflict.state if conflict is not None and isinstance(conflict.state, Play) else None


def _done(event: Any, telling: Telling) -> Action | None:  # noqa: ANN401 -- several kinds
    """The act that was applied last, and to which this belongs."""
    play = _play(event, telling)
    return None if play is None else next(reversed(play.done.values()), None)


def _thing(on: int | str, about: int | None, telling: Telling) -> str:
    """Somebody or something inside a sentence; an aspect (`about` is its number) by its wording."""
    if isinstance(on, int):
        return telling.who(on)
    return on if about is None else f"“{on}”"


def _aimed_at(act: Action, telling: Telling) -> str | None:
    """Whom or what an act is for; None for oneself."""
    target = [] if act.target in (None, act.who) else [_thing(act.target, act.about, telling)]
    return listed([*target, *map(telling.who, act.also)]) or None


# --- words, and what they stand beside --------------------------------------------------------------------


def _own_words(manner: str = "") -> Callable[[Any, Telling], Sentences]:
    """Tells what somebody said with it, if they said anything, and its mechanics."""
    return lambda event, telling: (
        *words(Tag.DECLARATION, event.text, event.who, manner),
        telling.numbers(),
    )


def _described(event: Any, telling: Telling) -> Sentences:  # noqa: ANN401 -- several kinds
    """Tells what was said of it, by nobody in particular, and its mechanics."""
    return (*words(Tag.NARRATION, event.text, None), telling.numbers())


def _turn_claimed(event: g.TurnClaimed, telling: Telling) -> Sentences:
    """Whose turn it is shows in what they do; only what they bid for it is mechanics."""
    said = words(Tag.DECLARATION, event.text, event.who, "is next")
    return (*said, telling.numbers()) if event.bids else said


def _declared(event: g.ActionDeclared, telling: Telling) -> Sentences:
    aimed = [] if event.asset is None else [telling.who(event.asset)]
    aimed += [] if event.target in (None, event.who) else [_thing(event.target, event.about, telling)]
    whom = listed([*aimed, *map(telling.who, event.also)]) or None
    manner = "acts" if event.act is Act.SIMPLE else doing(event.act, whom)
    return (*words(Tag.DECLARATION, event.text, event.who, manner), telling.numbers())


def _forfeited(event: g.ActionForfeited, telling: Telling) -> Sentences:
    """Why somebody does not act has been told by the compel, or by what took them out."""
    said = words(Tag.DECLARATION, event.text, event.who, "does not act")
    if event.why == "choice" and not said:
        said = generated(f"{telling.subject(event.who)} let it be.")
    return (*said, telling.numbers())


def _invoked(event: g.AspectInvoked, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, f"invokes “{event.wording}”")
    return (*said, telling.numbers())


def _consequence(event: g.ConsequenceTaken, telling: Telling) -> Sentences:
    """A consequence is worded by whoever takes it, and stands as a note on them."""
    return (Sentence(Tag.NOTE, event.wording, event.who), telling.numbers())


# --- what came of an act ----------------------------------------------------------------------------------


def _told_as(sentence: Callable[[Any, Telling], str | None]) -> Callable[[Any, Telling], Sentences]:
    """Tells the mechanics, and in a sentence of ours what came of it, where that gives one."""

    def tell(event: Event, telling: Telling) -> Sentences:
        said = sentence(event, telling)
        return (telling.numbers(), *(generated(said) if said is not None else ()))

    return tell


def _in_vain(event: g.ActionApplied, telling: Telling) -> str | None:
    """Of an act that nothing comes of, that it was tried; what comes of any other is told by that."""
    act = _done(event, telling)
    if act is None or not _came_to_nothing(act, event, telling):
        return None
    who, whom = telling.subject(event.who), _aimed_at(act, telling)
    match event.act:
        case Act.ATTACK:
            return f"{who} attacked {whom or who}, {'who held out' if act.resisted else 'to no avail'}."
        case Act.MANEUVER:
            return f"{who} tried for “{act.aspect}”, to no avail."
        case Act.MOVE:
            return f"{who} got nowhere." if whom is None else f"{who} could not move {whom}."
        case _:
            return f"{who} did not recover." if whom is None else f"{who} could not help {whom}."


def _came_to_nothing(act: Action, event: g.ActionApplied, telling: Telling) -> bool:
    match event.act:
        case Act.ATTACK:
            return event.shifts <= 0
        case Act.MANEUVER:
            return event.shifts < 0
        case Act.MOVE:
            return not any(_gets_over(who, act, event, telling) for who in act.targets or (act.who,))
        case Act.RECOVER:
            on = act.target if isinstance(act.target, int) else act.who
            marked = shelf(telling.moment.table).marked(on, act.track or "")
            return not rules.recoveries(marked, event.shifts)
        case _:
            return False


def _gets_over(who: int, act: Action, event: g.ActionApplied, telling: Telling) -> bool:
    """True if the shifts are enough for the first border of a move."""
    play = _play(event, telling)
    if play is None or not act.path:
        return False
    start, first = play.places.get(who, ""), act.path[0]
    cost = (play.ways(start, first.zone) or {}).get(first.way)
    return cost is not None and cost - play.eroded.get((who, start, first.zone, first.way), 0) <= event.shifts


def _moved(event: g.Moved, telling: Telling) -> str:
    who, act = telling.subject(event.who), _mover(event, telling)
    where = event.path[-1]
    if act is None or act.who == event.who:
        return f"{who} moved to {where}."
    return f"{telling.subject(act.who)} moved {telling.who(event.who)} to {where}."


def _mover(event: g.Moved, telling: Telling) -> Action | None:
    """The act that moved them; a free move is none."""
    return None if event.free else _done(event, telling)


def _struck(event: g.StressMarked, telling: Telling) -> str | None:
    if event.why != "attack":
        return None
    act, whom = _done(event, telling), _thing(event.on, event.about, telling)
    return f"{whom} was struck." if act is None else f"{telling.subject(act.who)} struck home at {whom}."


def _taken_out(event: g.TakenOut, telling: Telling) -> str:
    whom = _thing(event.on, event.about, telling)
    if event.by is None:
        return f"{whom} was taken out."
    by = telling.subject(event.by)
    return f"{by} took {whom} out." if isinstance(event.on, int) else f"{by} put an end to {whom}."


def _aspect_placed(event: g.AspectPlaced, telling: Telling) -> Sentences:
    said = words(Tag.NARRATION, event.text, None)
    if event.how == "maneuver" and not said:
        said = generated(_maneuvered(event, telling))
    return (*said, telling.numbers())


def _maneuvered(event: g.AspectPlaced, telling: Telling) -> str:
    if event.by is None or event.on == event.by:
        return f"“{event.wording}” came into play."
    return f"{telling.subject(event.by)} put “{event.wording}” on {_thing(event.on, None, telling)}."


def _defended(event: g.ThresholdReplaced, telling: Telling) -> str:
    who = telling.subject(event.who)
    if event.on == event.who:
        return f"{who} was on guard."
    return f"{who} guarded {_thing(event.on, None, telling)}."


def _recovered(event: g.BoxesCleared, telling: Telling) -> str:
    who = telling.subject(event.who)
    if event.on == event.who:
        return f"{who} recovered."
    return f"{who} helped {_thing(event.on, None, telling)} recover."


def _deployed(event: g.Deployed, telling: Telling) -> str:
    return f"{telling.subject(event.who)} brought {telling.who(event.asset)} to {event.zone}."


# --- outside the exchanges, and aspects looked into -------------------------------------------------------


def _tried(event: g.SkillRolled, telling: Telling) -> Sentences:
    against = "" if event.opponent is None else f" against {telling.who(event.opponent)}"
    said = words(Tag.DECLARATION, event.text, event.who, f"tries {event.skill}{against}")
    tried = f"{telling.subject(event.who)} tried {event.skill}{against}."
    return (*(said or generated(tried)), telling.numbers())


def _found_use(event: g.FreeInvokesGained, telling: Telling) -> Sentences:
    use = f"{telling.subject(event.who)} could make use of “{event.wording}”."
    return _looked_into(event, use, telling)


def _found_none(event: g.AssessmentFailed, telling: Telling) -> Sentences:
    nothing = f"{telling.subject(event.who)} could make nothing of “{event.wording}”."
    return _looked_into(event, nothing, telling)


def _looked_into(event: g.FreeInvokesGained | g.AssessmentFailed, what: str, telling: Telling) -> Sentences:
    said = words(Tag.DECLARATION, event.text, event.who, f"looks into “{event.wording}”")
    return (*(said or generated(what)), telling.numbers())


# --- who tells what came of it ----------------------------------------------------------------------------

TOLD: Final = Outcome((), each=True)
"""Of what needs no telling any more, or never did."""


def _act_told(event: Any, telling: Telling) -> Outcome:  # noqa: ANN401 -- several kinds
    """An act is told by whoever did it, or by the game master."""
    act = _done(event, telling)
    return TOLD if act is None else Outcome((act.who, GM))


def _vain_act_told(event: g.ActionApplied, telling: Telling) -> Outcome:
    """What was withstood at a price is to be told; what simply came to nothing need not be."""
    act = _done(event, telling)
    if act is None or not _came_to_nothing(act, event, telling):
        return TOLD
    return Outcome((event.who, GM), owed=act.resisted > 0)


def _move_told(event: g.Moved, telling: Telling) -> Outcome:
    return Outcome((event.who, GM), owed=False) if event.free else _act_told(event, telling)


def _blow_told(event: g.StressMarked, telling: Telling) -> Outcome:
    return _act_told(event, telling) if event.why == "attack" else TOLD


def _aspect_told(event: g.AspectPlaced, telling: Telling) -> Outcome:
    maneuvered = event.how == "maneuver" and event.text is None
    return _act_told(event, telling) if maneuvered else TOLD


def _tale_told(event: g.TakenOut, telling: Telling) -> Outcome:
    """What becomes of somebody is told by who took them out, their side, their players, or the referee."""
    if event.by is None:
        return TOLD
    table = telling.moment.table
    conflict = table.conflicts.get(event.conflict or 0)
    side = next((one for one in conflict.sides if event.by in one), ()) if conflict is not None else ()
    tellers = (event.by, *side)
    players = [table.people[one].player for one in tellers if one in table.people]
    return Outcome(tuple(dict.fromkeys((*tellers, *(one for one in players if one is not None), GM))))


def _roll_told(event: Any, _telling: Telling) -> Outcome:  # noqa: ANN401 -- several kinds
    return Outcome((event.who, GM)) if event.text is None else TOLD


GAME: Final = Game(
    tellers={
        g.ZonesMapped: _described,
        g.Placed: _described,
        g.Moved: _told_as(_moved),
        g.BorderEroded: numbers,
        g.AspectPlaced: _aspect_placed,
        g.DeclarationFailed: _described,
        g.AssessmentFailed: _found_none,
        g.AspectRemoved: _described,
        g.FreeInvokesGained: _found_use,
        g.AspectInvoked: _invoked,
        g.FatePointPaid: numbers,
        g.Refreshed: numbers,
        g.ExchangeBegan: _described,
        g.TurnClaimed: _turn_claimed,
        g.BidsTied: numbers,
        g.ActionDeclared: _declared,
        g.ActionContinued: _own_words("goes on"),
        g.ActionForfeited: _forfeited,
        g.ActionApplied: _told_as(_in_vain),
        g.SkillRolled: _tried,
        g.ShiftsSet: numbers,
        g.ShiftsSpent: _own_words("spends shifts"),
        g.SpinGained: numbers,
        g.SpinSpent: _own_words("spends a spin"),
        g.Boosted: _own_words("goes further"),
        g.Resisted: _own_words("resists"),
        g.StressMarked: _told_as(_struck),
        g.BoxesCleared: _told_as(_recovered),
        g.ConsequenceTaken: _consequence,
        g.ThresholdReplaced: _told_as(_defended),
        g.ThresholdReverted: numbers,
        g.UpgradeStrained: numbers,
        g.TakenOut: _told_as(_taken_out),
        g.TaleTold: silent,
        g.CharacterKilled: numbers,
        g.Deployed: _told_as(_deployed),
        g.StressCleared: _described,
        g.ConsequenceCleared: _described,
        g.NumberSet: numbers,
    },
    outcomes={
        g.ActionApplied: _vain_act_told,
        g.Moved: _move_told,
        g.StressMarked: _blow_told,
        g.TakenOut: _tale_told,
        g.AspectPlaced: _aspect_told,
        g.ThresholdReplaced: _act_told,
        g.BoxesCleared: _act_told,
        g.Deployed: _act_told,
        g.SkillRolled: _roll_told,
        g.FreeInvokesGained: _roll_told,
        g.AssessmentFailed: _roll_told,
    },
    turn_ends=frozenset({g.ExchangeBegan, g.TurnClaimed}),
)
"""What came of an act is told by whoever did it, or the referee; of one in vain nothing need be told."""
