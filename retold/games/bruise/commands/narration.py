"""Commands once a hand is won: colour, narration, its editing, Legacy points, and tilting the Wheel."""

from __future__ import annotations

from collections.abc import Sequence

from retold.game import GM, Event, Refused, Situation, normalise, notes_and_speech, possessive
from retold.game import commands as c
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise import rules
from retold.games.bruise.commands.showdown import show_all, unknown_qualities
from retold.games.bruise.commands.verbs import Award, ChooseColour, Tilt
from retold.games.bruise.options import NAME
from retold.games.bruise.rules import Potential, Wheel
from retold.games.bruise.state import Result, Sheet, conflict_state, narrators, sheet_of


def tilt(situation: Situation, command: Tilt) -> list[Event]:
    """Returns the event that tilts a person's Wheel, and a note with the command's text, if any.

    Karma points are capped at the new ratings. Raises Refused if a rating would leave 0..10.
    """
    check_played(situation, command.who, "the Wheel of Potential")
    sheet = sheet_of(situation.table, command.who)
    wheel = sheet.wheel.tilted(Potential(command.potential), command.by)
    return [
        tilt_wheel(command.who, sheet, wheel),
        *([e.Noted(text=command.text, person=command.who)] if command.text is not None else []),
    ]


def check_played(situation: Situation, who: int, what: str) -> None:
    """Raises Refused if Bruise was never played at this table.

    `what` names the thing refused, in the sentence, such as `the Wheel of Potential`.
    """
    if NAME not in situation.table.shelves:
        raise Refused(
            f"Bruise is not played here, and {what} belongs to it."
            f" Give a person a sheet first: cast {situation.quoted(who)} bruise clubs=2."
        )


def tilt_wheel(who: int, sheet: Sheet, wheel: Wheel) -> b.WheelTilted:
    """Returns the event that gives a person a new Wheel; their Karma points drop to its ratings if above."""
    kept = {potential: rules.karma_kept(sheet.karma[potential], wheel, potential) for potential in Potential}
    return b.WheelTilted(
        who=who,
        destiny=wheel.destiny,
        fate=wheel.fate,
        karma_destiny=kept[Potential.DESTINY],
        karma_fate=kept[Potential.FATE],
    )


def choose_colour(situation: Situation, command: ChooseColour) -> list[Event]:
    """Returns the event that sets the colour of hands won this turn; the showdown first, if none took place.

    Raises Refused for a suit that none of the winner's highest cards has, and without a winner.
    """
    events, results = _with_showdown(situation)
    suit = _suit(command.suit)
    mine = [result for result in results if command.who in (None, result.winner)]
    winners = {result.winner for result in mine}
    if not winners:
        won = situation.names(result.winner for result in results) or "nobody yet"
        raise Refused(f"The colour is the winner's to choose ({won}).")
    if len(winners) > 1:
        raise Refused(f"Say whose colour: {situation.names(winners)}.")
    (winner,) = winners
    _check_colour(situation, winner, mine[0].colours, suit)
    return [*events, b.ColorChosen(conflict=situation.here.id, who=winner, colour=suit)]


def _check_colour(situation: Situation, winner: int, offered: Sequence[str], suit: b.Suit) -> None:
    """Raises Refused unless `suit` is one of the `offered` suits; any suit will do for unrecorded cards."""
    name = situation.name(winner)
    hand = conflict_state(situation.here).hands.get(winner)
    if not offered and hand is not None and rules.readable(hand.cards):
        raise Refused(
            f"No card on top of {possessive(name)} hand has a suit, so what they won has no colour."
        )
    if offered and suit not in offered:
        raise Refused(
            f"{possessive(name)} highest cards are {' and '.join(offered)}: {suit} is not among them."
        )


def _with_showdown(situation: Situation) -> tuple[list[Event], list[Result]]:
    """Returns events that show and compare the hands, and the results of this turn.

    No events if the turn has results already; both lists are empty while a hand is missing or unread.
    Raises Refused if the hands turn out tied.
    """
    state = conflict_state(situation.here)
    situation.nothing_pending(situation.here)
    if state.results:
        return [], state.results
    if not state.hands or unknown_qualities(situation.here, state, state.hands):
        return [], []
    events = show_all(situation, state, state.hands, {})
    if any(isinstance(event, b.HandsTied) for event in events):
        raise Refused("The hands are tied: show them first (quality), then the table rules.")
    return events, [
        Result(won.winner, won.loser, won.quality, won.against, won.quantity, won.colours, None)
        for won in events
        if isinstance(won, b.HandWon)
    ]


def _suit(typed: str) -> b.Suit:
    suits: tuple[b.Suit, ...] = ("spades", "hearts", "diamonds", "clubs")
    signs = dict(zip("♠♥♦♣", suits, strict=True))
    word = signs.get(typed, normalise(typed))
    found = [suit for suit in suits if word and suit.startswith(word)]
    if not found:
        raise Refused(f"{typed} is not a suit: {', '.join(suits)}.")
    return found[0]


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Returns the events of a narration: of a scene by the Tale Weaver, or of a won hand by its winner.

    Unshown hands are shown first. Until a hand of this turn is won, a win of the last turn that was not told
    may still be. Raises Refused if no hand is won, or the narrator did not win.
    """
    if command.at is not None:
        _check_later_narration(situation, command.who, command.at)
        return notes_and_speech.narrate(situation, command)
    if command.who == GM and not _tale_weaver_narrates(situation):
        return notes_and_speech.narrate(situation, command)
    events, results = _with_showdown(situation)
    if not results:
        return _narrate_last_turn(situation, command)
    untold = [result for result in results if not result.told] or results
    who = _narrator(situation, command.who, untold, results)
    narrated = notes_and_speech.narrate(situation, command.but({"who": who}))
    return [*events, *narrated]


def _narrate_last_turn(situation: Situation, command: c.Narrate) -> list[Event]:
    """Returns the event of a narration added to a win of the last turn; Refused without an untold one."""
    untold = {
        person: at
        for winner, at in conflict_state(situation.here).untold_before.items()
        for person in {winner, situation.table.people[winner].player} - {None}
    }
    winners = tuple(conflict_state(situation.here).untold_before)
    who = winners[0] if command.who is None and len(winners) == 1 else command.who
    if who is None or who not in untold:
        raise Refused(f"{NOTHING_CAME_OUT} The Tale Weaver sets the scene: narrate gm: TEXT.")
    return notes_and_speech.narrate(situation, command.but({"who": who, "at": untold[who]}))


def _tale_weaver_narrates(situation: Situation) -> bool:
    """True if the Tale Weaver may narrate one of this turn's results, and no tie is undecided."""
    state = conflict_state(situation.here)
    return not state.ties and GM in _all_narrators(situation, state.results)


def _check_later_narration(situation: Situation, who: int | None, at: int) -> None:
    """Raises Refused if a contestant who won nothing adds a narration to a moment (`at`) of this turn."""
    state = conflict_state(situation.here)
    if at < state.began or who not in situation.here.people:
        return
    if who not in _all_narrators(situation, state.results):
        won = situation.names(result.winner for result in state.results)
        raise Refused(f"It is {won} who won, and the winner narrates." if won else NOTHING_CAME_OUT)


NOTHING_CAME_OUT = "Nothing has come out yet, so there is nothing to narrate: draw and show first."


def _all_narrators(situation: Situation, results: Sequence[Result]) -> set[int]:
    return {person for result in results for person in narrators(situation.table, result.winner)}


def _narrator(
    situation: Situation, who: int | None, untold: Sequence[Result], results: Sequence[Result]
) -> int:
    """Returns the person recorded as narrator: `who` or, where `who` is the winner's player, that winner.

    Without `who`, the only winner not yet narrated. Raises Refused for others, and among several winners.
    """
    winners = list(dict.fromkeys(result.winner for result in untold))
    if who is None:
        if len(winners) > 1:
            raise Refused(f"Say who narrates: {situation.names(winners)}.")
        return winners[0]
    played = [person for person in winners if situation.table.people[person].player == who]
    if len(played) == 1:
        return played[0]
    if who not in _all_narrators(situation, results):
        raise Refused(f"It is {situation.names(winners)} who won, and the winner narrates.")
    return who


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """Returns the event by which the Tale Weaver edits a narration, or with `veto` strikes it.

    Raises Refused for a narrator who would change their own words (`own`).
    """
    if command.own:
        raise Refused("In Bruise it is the Tale Weaver who edits: overrule gm NAME: the change.")
    return [notes_and_speech.strike_narration(situation, command, "veto" if command.veto else "edit")]


def award(situation: Situation, command: Award) -> list[Event]:
    """Returns the event that gives a person Legacy points, and a note with the command's text, if any.

    Raises Refused for fewer than 1 point.
    """
    check_played(situation, command.who, "a Legacy point")
    if command.points < 1:
        raise Refused("A Legacy award is 1 point or more.")
    total = sheet_of(situation.table, command.who).legacy + command.points
    return [
        b.LegacyAwarded(who=command.who, points=command.points, total=total),
        *([e.Noted(text=command.text, person=command.who)] if command.text is not None else []),
    ]
