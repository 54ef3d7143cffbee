"""Prose for Edgerunner events, as reports tell them.

A teller is a function that returns the sentences for one event; its numbers are a sentence of mechanics.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from retold.game import (
    GM,
    NOT_DUE,
    SILENCE,
    Beat,
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
    how_hard,
    in_first_person,
    kind_of_wording,
    own_words,
    said,
    says_what_is_done,
    silent,
    with_numbers,
    words,
)
from retold.game import commands as c
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.rules import Act
from retold.games.edgerunner.state import Action, EdgerunnerConflict, game_state

# --- what is meant ----------------------------------------------------------------------------------------


def _conflict_state(event: Any, telling: Telling) -> EdgerunnerConflict | None:  # noqa: ANN401 -- several kinds
    conflict = telling.moment.table.conflicts.get(event.conflict)
    return conflict.state if conflict is not None and isinstance(conflict.state, EdgerunnerConflict) else None


def _last_applied(event: Any, telling: Telling) -> Action | None:  # noqa: ANN401 -- several kinds
    """Returns the act that took effect last in the conflict, whose outcome is being recorded; or None."""
    play = _conflict_state(event, telling)
    return None if play is None else next(reversed(play.done.values()), None)


def _thing(on: int | str, about: int | None, telling: Telling) -> str:
    """Returns the name of a person, zone or border, or the wording of aspect no. `about`, for a sentence."""
    if isinstance(on, int):
        return telling.who(on)
    return on if about is None else _aspect(on, telling)


def _aspect(wording: str, telling: Telling) -> str:
    """Returns an aspect's wording in the quotes of this voice, for use inside a sentence."""
    return telling.say("edgerunner.aspect", wording=wording)


def _aimed_at(act: Action, telling: Telling) -> list[str]:
    """Returns the names of an act's targets, without the actor as main target."""
    target = [] if act.target in (None, act.who) else [_thing(act.target, act.about, telling)]
    return [*target, *map(telling.who, act.also)]


# --- words, and what they stand beside --------------------------------------------------------------------


_DESCRIBED: Final = with_numbers(said(Tag.NARRATION, by_nobody=True))
"""Teller for events with anonymous narration and numbers."""

_RECOVERED: Final = with_numbers(said(Tag.NARRATION))
"""Teller for the end of stress or a consequence: its words belong to the person who recovers."""


def _turn_claimed(event: g.TurnClaimed, telling: Telling) -> Sentences:
    """Returns the text of a claim, and the mechanics if there were bids.

    Without bids, the next act shows whose turn it is.
    """
    sentences = words(Tag.DECLARATION, event.text, event.who, telling.say("edgerunner.is-next"))
    return (*sentences, telling.numbers()) if event.bids else sentences


_ACTS: Final = {
    Act.MOVE: "edgerunner.moves",
    Act.ATTACK: "edgerunner.attacks",
    Act.DEFEND: "edgerunner.defends",
    Act.MANEUVER: "edgerunner.maneuvers",
    Act.RECOVER: "edgerunner.recovers",
    Act.DEPLOY: "edgerunner.deploys",
}


def _doing(event: g.ActionDeclared, telling: Telling) -> str:
    """Returns a person's act beside its words; of one announced alone only that they declare it.

    A compel may stop an announced act, so that it is never done.
    """
    if telling.moment.command.get("kind") == c.Declare.verb:
        return telling.say("table.declares")
    if event.act is Act.SIMPLE:
        return telling.say("edgerunner.acts", many=_are_many(event.who, telling))
    whom = [] if event.asset is None else [telling.who(event.asset)]
    whom += [] if event.target in (None, event.who) else [_thing(event.target, event.about, telling)]
    whom += map(telling.who, event.also)
    return telling.say(_ACTS[event.act], whom=whom, many=_are_many(event.who, telling))


def _are_many(who: int, telling: Telling) -> bool:
    """True for mooks with a name in the plural, such as Guards, who attack where one person attacks."""
    is_group = game_state(telling.moment.table).sheet(who).kind is rules.Kind.MOOK
    return is_group and telling.who(who).endswith("s")


def _forfeited(event: g.ActionForfeited, telling: Telling) -> Sentences:
    """Returns sentences for an act given up: its text, or a generated sentence, then the mechanics.

    The sentence is generated only if the person chose so: other reasons, such as a compel, have events of
    their own.
    """
    sentences = words(Tag.DECLARATION, event.text, event.who, telling.say("edgerunner.forfeits"))
    if event.why == "choice" and not sentences:
        sentences = telling.ours("edgerunner.forfeited", who=telling.who(event.who))
    return (*sentences, telling.numbers())


def _invoked(event: g.AspectInvoked, telling: Telling) -> Sentences:
    manner = telling.say("edgerunner.invokes", aspect=_aspect(event.wording, telling))
    return (*words(Tag.DECLARATION, event.text, event.who, manner), telling.numbers())


def _consequence(event: g.ConsequenceTaken, telling: Telling) -> Sentences:
    """Returns a generated sentence that quotes the consequence taken, then the mechanics."""
    wording = _aspect(event.wording, telling)
    sentences = bears(str(event.wording), event.who, telling) or telling.ours(
        "edgerunner.took-consequence", who=telling.who(event.who), wording=wording
    )
    return (*sentences, telling.numbers())


# --- what came of an act ----------------------------------------------------------------------------------


def _failed_act(event: g.ActionApplied, telling: Telling) -> Sentences:
    """Returns a sentence that an act failed; none for a successful act, which its effect's event tells."""
    act = _last_applied(event, telling)
    if act is None or not _has_failed(act, event, telling):
        return SILENCE
    who, whom = telling.who(event.who), _aimed_at(act, telling)
    match event.act:
        case Act.ATTACK:
            key = "edgerunner.attack-withstood" if act.resisted else "edgerunner.attacked-in-vain"
            return telling.ours(key, who=who, whom=whom or [who])
        case Act.MANEUVER:
            aspect = _aspect(str(act.aspect), telling)
            return telling.ours("edgerunner.maneuvered-in-vain", who=who, aspect=aspect)
        case Act.MOVE:
            return telling.ours("edgerunner.moved-in-vain", who=who, whom=whom)
        case _:
            return telling.ours("edgerunner.recovered-in-vain", who=who, whom=whom)


def _has_failed(act: Action, event: g.ActionApplied, telling: Telling) -> bool:
    match event.act:
        case Act.ATTACK:
            return event.shifts <= 0
        case Act.MANEUVER:
            return event.shifts < 0
        case Act.MOVE:
            return not any(_crosses_border(who, act, event, telling) for who in act.targets or (act.who,))
        case Act.RECOVER:
            on = act.target if isinstance(act.target, int) else act.who
            marked = game_state(telling.moment.table).marked(on, act.track or "")
            return not rules.recoveries(marked, event.shifts)
        case _:
            return False


def _crosses_border(who: int, act: Action, event: g.ActionApplied, telling: Telling) -> bool:
    """True if the act's shifts (points of success) suffice for the first border on the move's path."""
    play = _conflict_state(event, telling)
    if play is None or not act.path:
        return False
    start, first = play.places.get(who, ""), act.path[0]
    cost = (play.ways(start, first.zone) or {}).get(first.way)
    return cost is not None and cost - play.eroded.get((who, start, first.zone, first.way), 0) <= event.shifts


def _moved(event: g.Moved, telling: Telling) -> Sentences:
    who, act = telling.who(event.who), None if event.free else _last_applied(event, telling)
    zone = event.path[-1]
    if act is None or act.who == event.who:
        return telling.ours("edgerunner.moved", who=who, zone=zone)
    return telling.ours("edgerunner.moved-somebody", who=telling.who(act.who), whom=who, zone=zone)


def _struck(event: g.StressMarked, telling: Telling) -> Sentences:
    if event.why != "attack":
        return SILENCE
    act, whom = _last_applied(event, telling), _thing(event.on, event.about, telling)
    if act is None:
        return telling.ours("edgerunner.was-struck", whom=whom)
    return telling.ours("edgerunner.struck", who=telling.who(act.who), whom=whom)


def _taken_out(event: g.TakenOut, telling: Telling) -> Sentences:
    whom = _thing(event.on, event.about, telling)
    if event.by is None:
        return telling.ours("edgerunner.was-taken-out", whom=whom)
    key = "edgerunner.took-out" if isinstance(event.on, int) else "edgerunner.put-an-end-to"
    return telling.ours(key, who=telling.who(event.by), whom=whom)


def _aspect_placed(event: g.AspectPlaced, telling: Telling) -> Sentences:
    said = _brought_in(event, telling)
    if event.how == "maneuver" and not said:
        said = _maneuvered(event, telling)
    return (*said, telling.numbers())


def _brought_in(event: g.AspectPlaced, telling: Telling) -> Sentences:
    """Returns the text given with a new aspect, as a declaration by the person who placed it.

    Without such a person, the text is a narration about the person that it is placed on.
    """
    if event.by is None:
        return words(Tag.NARRATION, event.text, event.on if isinstance(event.on, int) else None)
    manner = telling.say("edgerunner.brings-in", aspect=_aspect(event.wording, telling))
    return words(Tag.DECLARATION, event.text, event.by, manner)


def _aspect_worded(event: g.AspectPlaced, telling: Telling) -> Sentences:
    """Returns a new aspect's wording as a sentence, then the text given with it.

    For a maneuver without a text, the wording gives way to a narration of the effect.
    """
    tag = Tag.NARRATION if event.by is None else Tag.DECLARATION
    yields = event.how == "maneuver" and event.text is None
    speaker = event.on if event.by is None and isinstance(event.on, int) else event.by
    past, present = (_as_it_was(event, telling, present=present) for present in (False, True))
    if past and (speaker != event.on or (event.text is not None and in_first_person(str(event.text)))):
        speaker = None  # a fact of the story, without a speaker
    wording = Sentence(tag, as_sentence(event.wording), speaker, yields=yields, led=past, led_present=present)
    return (wording, *_brought_in(event, telling))


def _as_it_was(event: g.AspectPlaced, telling: Telling, *, present: bool) -> str:
    """Returns an aspect as a sentence on its bearer; empty if its wording makes none.

    `Would rather build boats` on the surveyor is `Surveyor would rather build boats.` The name of several
    things replaces `they`: `They sell` on `Three farms` is `Three farms sell.`
    """
    wording = str(event.wording)
    kind, who = kind_of_wording(wording), ""
    if isinstance(event.on, int):
        who = str(telling.subject(event.on))
    elif they := _THEY.match(wording) if _SEVERAL.fullmatch(event.on) else None:
        return as_sentence(f"{event.on} {wording[they.end() :]}")
    if not kind or (kind != "thing" and not who):
        return ""
    words = f"{wording[0].lower()}{wording[1:]}"
    said = telling.say(_WORDED[kind], who=who, wording=words, present=present)
    return as_sentence(said) if said else ""


_WORDED: Final = {"thing": "edgerunner.thing", "state": "edgerunner.state", "deed": "edgerunner.deed"}
_THEY: Final = re.compile(r"They (?=[a-z])")
_SEVERAL: Final = re.compile(
    r"(?:Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Hundreds|Dozens|Many|Some|All|Most)\b.*s"
)
"""Name of several things: `Three hundred farms`."""


def _maneuvered(event: g.AspectPlaced, telling: Telling) -> Sentences:
    aspect = _aspect(event.wording, telling)
    if event.by is None or event.on == event.by:
        return telling.ours("edgerunner.aspect-came-up", aspect=aspect)
    who, whom = telling.who(event.by), _thing(event.on, None, telling)
    return telling.ours("edgerunner.put-aspect-on", who=who, aspect=aspect, whom=whom)


def _for_somebody(alone: str, other: str) -> Callable[[Any, Telling], Sentences]:
    """Returns a teller with two phrases: `alone` for a person acting on themselves, else `other`."""

    def tell(event: g.ThresholdReplaced | g.BoxesCleared, telling: Telling) -> Sentences:
        who = telling.who(event.who)
        if event.on == event.who:
            return telling.ours(alone, who=who)
        return telling.ours(other, who=who, whom=_thing(event.on, None, telling))

    return tell


# --- outside the exchanges, and aspects looked into -------------------------------------------------------


def _tried(event: g.SkillRolled, telling: Telling) -> Sentences:
    skill = telling.phrases.named("edgerunner", event.skill)
    whom = None if event.opponent is None else telling.who(event.opponent)
    manner = telling.say("edgerunner.tries", skill=skill, whom=whom)
    said = tuple(
        sentence
        if says_what_is_done(sentence.text)
        else sentence._replace(cue=telling.say("edgerunner.trying", skill=skill))
        for sentence in words(Tag.DECLARATION, event.text, event.who, manner)
    )
    tried = telling.ours("edgerunner.tried", who=telling.who(event.who), skill=skill, whom=whom)
    return (*(said or tried), telling.numbers())


def _looked_into(found: str) -> Callable[[Any, Telling], Sentences]:
    """Returns a teller for looking into an aspect: the event's text, or without it the phrase `found`."""

    def tell(event: g.FreeInvokesGained | g.AssessmentFailed, telling: Telling) -> Sentences:
        aspect = _aspect(event.wording, telling)
        manner = telling.say("edgerunner.looks-into", aspect=aspect)
        said = words(Tag.DECLARATION, event.text, event.who, manner)
        ours = telling.ours(found, who=telling.who(event.who), aspect=aspect)
        return (*(said or ours), telling.numbers())

    return tell


# --- who tells what came of it ----------------------------------------------------------------------------


def _act_narrators(event: Any, telling: Telling) -> Due:  # noqa: ANN401 -- several kinds
    """Returns the people who may narrate an act's effect: the actor or the game master."""
    act = _last_applied(event, telling)
    return NOT_DUE if act is None else Due((act.who, GM))


def _failed_act_narrators(event: g.ActionApplied, telling: Telling) -> Due:
    """Returns the people who may narrate a failed act: the actor or the game master.

    Nothing is missing without narration, unless the target paid to resist the act.
    """
    act = _last_applied(event, telling)
    if act is None or not _has_failed(act, event, telling):
        return NOT_DUE
    return Due((event.who, GM), owed=act.resisted > 0)


def _arrival_narrators(event: g.Moved | g.Deployed, zone: str, telling: Telling) -> Due:
    """Returns the people who may narrate arriving in `zone`, by a move or a deployment.

    If `zone` is the one announced, the announcement counts as the narration.
    """
    act, told = _last_applied(event, telling), _act_narrators(event, telling)
    arrived = act is not None and act.path and zone == act.path[-1].zone
    return told._replace(announced_by=act.who) if act is not None and arrived else told


def _defeat_narrators(event: g.TakenOut, telling: Telling) -> Due:
    """Returns the people who may narrate a defeat: the victor, allies, their players, the game master."""
    if event.by is None:
        return Due((event.on, GM) if isinstance(event.on, int) else (GM,))
    table = telling.moment.table
    conflict = table.conflicts.get(event.conflict or 0)
    side = () if conflict is None else conflict.side_with(event.by)
    tellers = (event.by, *side)
    players = [table.people[person].player for person in tellers if person in table.people]
    return Due(tuple(dict.fromkeys((*tellers, *(player for player in players if player is not None), GM))))


def _roll_narrators(event: Any, _telling: Telling) -> Due:  # noqa: ANN401 -- several kinds
    return Due((event.who, GM)) if event.text is None else NOT_DUE


def _blow(event: g.StressMarked, telling: Telling) -> Harm | None:
    """Returns what an attack did to a person; None for other stress, and for that of borders and aspects."""
    act = _last_applied(event, telling)
    if event.why != "attack" or not isinstance(event.on, int) or event.about is not None:
        return None
    how = how_hard(event.amount, event.threshold)
    return Harm(event.on, None if act is None else act.who, how, is_of_body=event.track == rules.STRESS)


GAME: Final = Game(
    tellers={
        g.ZonesMapped: _DESCRIBED,
        g.ZonesUnmapped: _DESCRIBED,
        g.Placed: _DESCRIBED,
        g.ThingsPlaced: _DESCRIBED,
        g.Moved: after_numbers(_moved),
        g.AspectPlaced: _aspect_placed,
        g.DeclarationFailed: _DESCRIBED,
        g.AssessmentFailed: _looked_into("edgerunner.found-none"),
        g.AspectRemoved: _DESCRIBED,
        g.FreeInvokesGained: _looked_into("edgerunner.found-use"),
        g.AspectInvoked: _invoked,
        g.ExchangeBegan: _DESCRIBED,
        g.TurnClaimed: _turn_claimed,
        g.ActionDeclared: lambda event, telling: (
            *words(Tag.DECLARATION, event.text, event.who, _doing(event, telling)),
            telling.numbers(),
        ),
        g.ActionContinued: own_words("edgerunner.goes-on"),
        g.ActionForfeited: _forfeited,
        g.ActionApplied: after_numbers(_failed_act),
        g.SkillRolled: _tried,
        g.ShiftsSpent: own_words("edgerunner.spends-shifts"),
        g.SpinSpent: own_words("edgerunner.spends-spin"),
        g.Boosted: own_words("edgerunner.goes-further"),
        g.Resisted: own_words("edgerunner.resists"),
        g.StressMarked: after_numbers(_struck),
        g.BoxesCleared: after_numbers(_for_somebody("edgerunner.recovered", "edgerunner.helped-recover")),
        g.ConsequenceTaken: _consequence,
        g.ThresholdReplaced: after_numbers(_for_somebody("edgerunner.on-guard", "edgerunner.guarded")),
        g.TakenOut: after_numbers(_taken_out),
        g.TaleTold: silent,
        g.CharacterKilled: after_numbers(
            lambda event, telling: telling.ours("edgerunner.died", who=telling.who(event.who))
        ),
        g.Deployed: after_numbers(
            lambda event, telling: telling.ours(
                "edgerunner.deployed",
                who=telling.who(event.who),
                whom=telling.who(event.asset),
                zone=event.zone,
            )
        ),
        g.StressCleared: _RECOVERED,
        g.ConsequenceCleared: _RECOVERED,
        g.ConsequenceAltered: _RECOVERED,
        g.MooksMerged: _DESCRIBED,
    },
    due={
        g.ActionApplied: _failed_act_narrators,
        g.Moved: lambda event, telling: (
            Due((event.who, GM), owed=False)
            if event.free
            else _arrival_narrators(event, event.path[-1], telling)
        ),
        g.StressMarked: lambda event, telling: (
            _act_narrators(event, telling) if event.why == "attack" else NOT_DUE
        ),
        g.TakenOut: _defeat_narrators,
        g.CharacterKilled: lambda event, _telling: Due(
            tuple(who for who in (event.who, event.by, GM) if who is not None)
        ),
        g.AspectPlaced: lambda event, telling: (
            _act_narrators(event, telling) if event.how == "maneuver" and event.text is None else NOT_DUE
        ),
        g.ThresholdReplaced: _act_narrators,
        g.BoxesCleared: _act_narrators,
        g.Deployed: lambda event, telling: _arrival_narrators(event, event.zone, telling),
        g.SkillRolled: _roll_narrators,
        g.FreeInvokesGained: _roll_narrators,
        g.AssessmentFailed: _roll_narrators,
    },
    beats={
        g.TakenOut: always(3, "out of the fight"),
        g.CharacterKilled: always(3, "died"),
        g.ConsequenceTaken: lambda event, _telling: (
            Beat(2, "severe harm") if event.severity is rules.Severity.SEVERE else None
        ),
    },
    turn_ends=frozenset({g.ExchangeBegan, g.TurnClaimed}),
    rounds=frozenset({g.ExchangeBegan}),
    announced=frozenset({g.ActionDeclared, g.ActionContinued}),
    harms={g.StressMarked: _blow},
    wordings={
        g.AspectPlaced: _aspect_worded,
        g.ConsequenceTaken: lambda event, _telling: (
            Sentence(Tag.DECLARATION, as_sentence(event.wording), event.who, if_used=True),
        ),
    },
)
"""The actor or the game master narrates an act's effect; failed acts need no narration."""
