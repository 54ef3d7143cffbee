"""Notations of events that can happen in any game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import Final

from journal.visibility import short_number
from projections import games
from projections.plain.ink import RULED_FOR, RULED_PEOPLE, Ink, Notations, Payload, cards, listed


def _forked(p: Payload, ink: Ink) -> str:
    return (
        f"line {p['line']} {ink.text(p['name'])} forked from line {p['parent']} at {ink.place(p['at'])}"
        f"{ink.after(p, 'why')} (parent {p['parent_hash']})"
    )


def _stretch(p: Payload, ink: Ink) -> str:
    first, last = ink.place(p["first"]), ink.place(p["last"])
    return first if first == last else f"{first} to {last}"


def _undone(p: Payload, ink: Ink) -> str:
    return f"undone: {_stretch(p, ink)}"


def _redone(p: Payload, ink: Ink) -> str:
    return f"redone: {_stretch(p, ink)}"


def _reworded(p: Payload, ink: Ink) -> str:
    which = _which([p["word"]])
    return f"{ink.place(p['about'])} reads {ink.text(p['text'])} from now on{which}"


def _redacted(p: Payload, ink: Ink) -> str:
    gone = "what was said is" if p["words"] else "nothing is"
    return f"{ink.place(p['about'])}: {gone} redacted{_which(p['words'])}{ink.after(p)}"


def _which(words: Sequence[int]) -> str:
    """Suffix that names texts by index; empty for the first alone."""
    if list(words) in ([], [0]):
        return ""
    numbers = listed([str(word) for word in words])
    return f" (its text {numbers})" if len(words) == 1 else f" (its texts {numbers})"


def _revealed(p: Payload, ink: Ink) -> str:
    to = "everybody" if p.get("to") is None else ink.people(p["to"]) or "nobody"
    return f"{ink.place(p['about'])} revealed to {to}"


def _line_shown(p: Payload, ink: Ink) -> str:
    to = "everybody" if p.get("to") is None else ink.people(p["to"]) or "nobody"
    return f"this line is shown to {to}"


def _marked(p: Payload, ink: Ink) -> str:
    return f"mark {ink.text(p['name'])} at {ink.place(p['at'])}{ink.after(p)}"


def _cast_introduced(p: Payload, ink: Ink) -> str:
    who, number = ink.bare(p["name"]), short_number(p["person"])
    return f"{who} enters as person {number}, {p.get('role', 'character')}{ink.after(p)}"


def _renamed(p: Payload, ink: Ink) -> str:
    was, now = ink.who(p["person"]), ink.bare(p["name"])
    return f"{was if was != now else 'person ' + short_number(p['person'])} is called {now} from now on"


def _sheet_changed(p: Payload, ink: Ink) -> str:
    values = ink.pairs(_by_name(p["values"], p["system"], ink))
    return f"{ink.who(p['person'])}, {p['system']} sheet: {values or 'nothing'}"


def _by_name(values: Payload, system: str, ink: Ink) -> Payload:
    """Sheet or set-up values of a game, with person numbers replaced by names."""
    room = games.room(system, "notation")
    named = {*getattr(room, "ON_A_SHEET", ()), *getattr(room, "IN_A_SET_UP", ())}
    return {
        key: ink.who(value) if key in named and isinstance(value, int) else value
        for key, value in values.items()
    }


def _ruling_made(p: Payload, ink: Ink) -> str:
    question, answer = p.get("question"), p.get("answer")
    parts = []
    if question is not None or answer is not None:
        answered = ink.who(answer) if isinstance(answer, int) else answer
        parts.append(
            " ".join(
                str(part) for part in (question, "=" if answered is not None else None, answered) if part
            )
        )
    parts += [_setting(setting, ink) for setting in p.get("sets") or ()]
    lead = f" {', '.join(parts)}" if parts else ""
    return f"ruling{lead}{ink.after(p)}"


def _setting(setting: Payload, ink: Ink) -> str:
    whose = f"{ink.who(setting['person'])}." if setting.get("person") is not None else ""
    setting_name, value = setting["what"], setting["value"]
    return f"{whose}{setting_name} {setting['op']} {_ruled(setting_name, value, ink)}"


def _ruled(name: str, value: int | str, ink: Ink) -> str:
    """Value set by a ruling, with names for people; `overwhelming:7` names person 7."""
    if isinstance(value, int):
        return ink.who(value) if name in RULED_PEOPLE else str(value)
    word, _, who = value.partition(":")
    return f"{word}:{ink.who(int(who))}" if who.isdecimal() and name.casefold() in RULED_FOR else value


def _conflict_opened(p: Payload, ink: Ink) -> str:
    title = ink.after(p, "title", " ")
    setup = f" ({ink.pairs(_by_name(p['setup'], p['system'], ink))})" if p.get("setup") else ""
    length = ink.after(p, "length", ", length ")
    stakes = ink.after(p, "text", ", at stake: ")
    return f"conflict {p['conflict']}{title}, {p['system']}: {ink.sides(p['sides'])}{setup}{length}{stakes}"


def _joined(p: Payload, ink: Ink) -> str:
    side = ink.who(p["side"]) if p.get("side") is not None else "a side of their own"
    return f"{ink.people(p['people'])} {_does(p, 'come')} in, for {side}{ink.after(p)}"


def _left(p: Payload, ink: Ink) -> str:
    whose = f", of the side of {ink.who(p['side'])}" if [p["side"]] != p["people"] else ""
    return f"{ink.people(p['people'])} {_does(p, 'leave')}{whose}{ink.after(p)}"


def _does(p: Payload, verb: str) -> str:
    """Names with a verb, singular or plural."""
    return verb if len(p["people"]) > 1 else f"{verb}s"


def _declared(p: Payload, ink: Ink) -> str:
    setup = f" ({ink.pairs(p['setup'])})" if p.get("setup") else ""
    sealed = f" [sealed {p['commitment']}]" if p.get("commitment") is not None else ""
    return f"{ink.who(p['who'])} declares{setup}{ink.after(p)}{sealed}"


def _about(p: Payload, ink: Ink) -> str:
    return f" (for {ink.place(p['about'])})" if p.get("about") is not None else ""


def _narrated(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} narrates{_about(p, ink)}{ink.after(p)}"


def _said(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} says{_about(p, ink)}{ink.after(p)}"


def _noted(p: Payload, ink: Ink) -> str:
    person = f" on {ink.who(p['person'])}" if p.get("person") is not None else ""
    return f"{'quote' if p.get('quote') else 'note'}{person}{_about(p, ink)}{ink.after(p)}"


def _said_aside(p: Payload, ink: Ink) -> str:
    who = f" by {ink.who(p['who'])}" if p.get("who") is not None else ""
    return f"aside{who}{_about(p, ink)}{ink.after(p)}"


def _matter_noted(p: Payload, ink: Ink) -> str:
    return f"more{ink.at(p['about'])}{ink.after(p)}"


def _matter_closed(p: Payload, ink: Ink) -> str:
    return f"closed{ink.at(p['about'])}{ink.after(p)}"


def _matter_renamed(p: Payload, ink: Ink) -> str:
    return f"renamed{ink.at(p['about'])}: {ink.text(p['name'])}"


def _matter_merged(p: Payload, ink: Ink) -> str:
    into = ink.place(p["into"])
    return f"merged{ink.at(p['about'])}{f' into {into}' if into else ''}"


_OVERRULED: Final = {
    "token": "strikes (token)",
    "veto": "strikes (veto)",
    "own": "corrects (own party)",
    "edit": "edits (edit)",
}


def _narration_overruled(p: Payload, ink: Ink) -> str:
    does = _OVERRULED.get(p["how"], p["how"])
    narration = f"what {ink.who(p['whose'])} told{ink.at(p['narration'])}"
    return f"{ink.who(p['by'])} {does} {narration}{ink.after(p)}"


def _cards_drawn(p: Payload, ink: Ink) -> str:
    owner = p["deck"].rpartition(":")[2]
    deck = ink.whose(int(owner)) if owner.isdecimal() else f"the {owner}"
    lead = "" if owner == str(p["who"]) else f" from {deck} deck"
    purpose = "" if p["purpose"] in ("hand", "flow") else f" for {_PURPOSES.get(p['purpose'], p['purpose'])}"
    return f"{ink.who(p['who'])} draws {len(p['cards'])}{lead}{purpose}: {cards(p['cards'])}"


_PURPOSES: Final = {"check": "a check"}

_DICE: Final = r"(\d{1,3})d(F|\d+)"
_FUDGE: Final = {-1: "-", 0: "0", 1: "+"}


def _dice_rolled(p: Payload, ink: Ink) -> str:
    who = f"{ink.who(p['who'])} rolls" if p.get("who") is not None else "roll"
    faces = " ".join(_faces(p)) or "none"
    return f"{who} {p['dice']}: {faces}{ink.after(p, 'text', ' ')}"


def _faces(p: Payload) -> Iterator[str]:
    """Yields die faces, fudge faces as signs."""
    dice = (die for count, die in re.findall(_DICE, p["dice"]) for _ in range(int(count)))
    for face, die in zip_longest(p["faces"], islice(dice, len(p["faces"]))):
        yield _FUDGE.get(face, str(face)) if die == "F" else str(face)


def _total_reached(p: Payload, ink: Ink) -> str:
    who = f"{ink.who(p['who'])}: " if p.get("who") is not None else ""
    kept = f" (counting {listed([str(number) for number in p['kept']])})" if p.get("kept") else ""
    unseen = "" if p.get("saw", True) else ", by its total alone"
    gone = "" if p.get("instead") is None else f"; the {p['instead']} before it counts no longer"
    return f"{who}{p['throw']} is {p['total']}{kept}{_against(p, ink)}{gone}{unseen}{ink.after(p)}"


def _against(p: Payload, ink: Ink) -> str:
    """Suffix with a total's opposition, and the margin of success or failure."""
    goal, opponent, margin = p.get("goal"), p.get("opponent"), p.get("margin")
    how = "under" if p.get("under") else "against"
    over = "" if goal is None else f" {how} {goal}"
    whose = "" if opponent is None else f"{' of' if over else ' against'} {ink.who(opponent)}"
    if margin is None:
        return f"{over}{whose}{', who has yet to throw' if whose and not over else ''}"
    return f"{over}{whose}, {'passed' if margin >= 0 else 'missed'} by {abs(margin)}"


def _deck_shuffled(p: Payload, ink: Ink) -> str:
    owner = p["deck"].rpartition(":")[2]
    deck = f"the deck of {ink.who(int(owner))}" if owner.isdecimal() else f"the {owner} deck"
    return f"{deck} is shuffled: {p['why']}"


def _rolled_in_secret(p: Payload, _ink: Ink) -> str:
    return f"the game master {'draws' if p['what'] == 'draw' else 'rolls'} behind the screen"


def _shown(p: Payload, ink: Ink) -> str:
    sheet = "'s sheet" if p.get("sheet") else ""
    return f"{ink.place(p['about'])}: everybody knows of {ink.who(p['person'])}{sheet} from now on"


NOTATIONS: Final[Notations] = {
    "table.campaign-begun": (
        "campaign {campaign} begun, format {format}{seed?, dealing from a seed committed to as #}"
    ),
    "table.campaign-named": "campaign named {title}",
    "table.forked": _forked,
    "table.promoted": "this line is the mainline now; it was line {was}",
    "table.retired": "play went on on line {by}",
    "table.line-shown": _line_shown,
    "table.undone": _undone,
    "table.redone": _redone,
    "table.reworded": _reworded,
    "table.redacted": _redacted,
    "table.revealed": _revealed,
    "table.marked": _marked,
    "table.cast-introduced": _cast_introduced,
    "table.alias-given": "{person} is also called {alias}",
    "table.renamed": _renamed,
    "table.described": "{person} is described",
    "table.player-seated": "{player} plays {person}",
    "table.merged": "{person} is {@into} from now on",
    "table.person-retired": "{person} is retired",
    "table.person-returned": "{person} is back",
    "table.sheet-changed": _sheet_changed,
    "table.session-opened": "session {session}{title? #} begins{date?, #}{absent?, absent: #}",
    "table.session-closed": "session {session} ends",
    "table.scene-set": "scene {scene} {title}",
    "table.scene-ended": "scene {scene} ends",
    "table.option-set": "option {system?#.}{key}={value}",
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
    "table.matter-opened": "{sort} {name}",
    "table.matter-noted": _matter_noted,
    "table.matter-closed": _matter_closed,
    "table.matter-renamed": _matter_renamed,
    "table.matter-merged": _matter_merged,
    "table.narration-overruled": _narration_overruled,
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
