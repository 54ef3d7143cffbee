"""How what can happen at any table is noted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Final

from projections.plain.ink import ON_A_SHEET, RULED_FOR, RULED_PEOPLE, Ink, Notation, Payload, cards, listed


def _campaign_begun(p: Payload, _ink: Ink) -> str:
    seed = f", dealing from a seed committed to as {p['seed']}" if p.get("seed") is not None else ""
    return f"campaign {p['campaign']} begun, format {p['format']}{seed}"


def _campaign_named(p: Payload, ink: Ink) -> str:
    return f"campaign named {ink.text(p['title'])}{ink.after(p)}"


def _forked(p: Payload, ink: Ink) -> str:
    return (
        f"line {p['line']} {ink.text(p['name'])} forked from line {p['parent']} at {ink.place(p['at'])}"
        f"{ink.after(p, 'why')} (parent {p['parent_hash']})"
    )


def _promoted(p: Payload, _ink: Ink) -> str:
    return f"this line is the mainline now; it was line {p['was']}"


def _retired(p: Payload, _ink: Ink) -> str:
    return f"play went on on line {p['by']}"


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
    """Which texts of an event are meant; nothing where it is the first alone, as nearly always."""
    if list(words) in ([], [0]):
        return ""
    numbers = listed([str(word) for word in words])
    return f" (its text {numbers})" if len(words) == 1 else f" (its texts {numbers})"


def _revealed(p: Payload, ink: Ink) -> str:
    to = "everybody" if p.get("to") is None else ink.people(p["to"]) or "nobody"
    return f"{ink.place(p['about'])} revealed to {to}"


def _marked(p: Payload, ink: Ink) -> str:
    return f"mark {ink.text(p['name'])} at {ink.place(p['at'])}{ink.after(p)}"


def _cast_introduced(p: Payload, ink: Ink) -> str:
    return f"{ink.bare(p['name'])} enters as person {p['person']}, {p.get('role', 'character')}{ink.after(p)}"


def _alias_given(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['person'])} is also called {ink.text(p['alias'])}"


def _renamed(p: Payload, ink: Ink) -> str:
    was, now = ink.who(p["person"]), ink.bare(p["name"])
    return f"{was if was != now else 'person ' + str(p['person'])} is called {now} from now on"


def _described(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['person'])} is described{ink.after(p)}"


def _player_seated(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['player'])} plays {ink.who(p['person'])}{ink.after(p)}"


def _sheet_changed(p: Payload, ink: Ink) -> str:
    values = ink.pairs(_by_name(p["values"], p["system"], ink))
    return f"{ink.who(p['person'])}, {p['system']} sheet: {values or 'nothing'}"


def _by_name(values: Payload, system: str, ink: Ink) -> Payload:
    """What stands on a sheet or in a set-up of this game, people by name."""
    named = ON_A_SHEET.get(system, frozenset())
    return {
        key: ink.who(value) if key in named and isinstance(value, int) else value
        for key, value in values.items()
    }


def _session_opened(p: Payload, ink: Ink) -> str:
    title = ink.after(p, "title", " ")
    played = f", {p['date']}" if p.get("date") is not None else ""
    absent = f", absent: {ink.people(p['absent'])}" if p.get("absent") else ""
    return f"session {p['session']}{title} begins{played}{absent}{ink.after(p)}"


def _session_closed(p: Payload, ink: Ink) -> str:
    return f"session {p['session']} ends{ink.after(p)}"


def _scene_set(p: Payload, ink: Ink) -> str:
    return f"scene {p['scene']} {ink.text(p['title'])}{ink.after(p)}"


def _scene_ended(p: Payload, ink: Ink) -> str:
    return f"scene {p['scene']} ends{ink.after(p)}"


def _option_set(p: Payload, ink: Ink) -> str:
    system = p.get("system")
    return f"option {f'{system}.' if system is not None else ''}{p['key']}={p['value']}{ink.after(p)}"


def _ruling_made(p: Payload, ink: Ink) -> str:
    question, answer = p.get("question"), p.get("answer")
    parts = []
    if question is not None or answer is not None:
        said = ink.who(answer) if isinstance(answer, int) else answer
        parts.append(" ".join(str(one) for one in (question, "=" if said is not None else None, said) if one))
    parts += [_setting(one, ink) for one in p.get("sets") or ()]
    lead = f" {', '.join(parts)}" if parts else ""
    return f"ruling{lead}{ink.after(p)}"


def _setting(setting: Payload, ink: Ink) -> str:
    whose = f"{ink.who(setting['person'])}." if setting.get("person") is not None else ""
    what, value = setting["what"], setting["value"]
    return f"{whose}{what} {setting['op']} {_ruled(what, value, ink)}"


def _ruled(what: str, value: int | str, ink: Ink) -> str:
    """What a ruling sets, with somebody in it by name: `overwhelming:7` is for Reeve."""
    if isinstance(value, int):
        return ink.who(value) if what in RULED_PEOPLE else str(value)
    word, _, who = value.partition(":")
    return f"{word}:{ink.who(int(who))}" if who.isdecimal() and what.casefold() in RULED_FOR else value


def _conflict_opened(p: Payload, ink: Ink) -> str:
    title = ink.after(p, "title", " ")
    setup = f" ({ink.pairs(_by_name(p['setup'], p['system'], ink))})" if p.get("setup") else ""
    length = ink.after(p, "length", ", length ")
    stakes = ink.after(p, "text", ", at stake: ")
    return f"conflict {p['conflict']}{title}, {p['system']}: {ink.sides(p['sides'])}{setup}{length}{stakes}"


def _conflict_ended(p: Payload, ink: Ink) -> str:
    winner = f", {ink.who(p['winner'])} wins" if p.get("winner") is not None else ""
    return f"conflict {p['conflict']} over: {p['how']}{winner}{ink.after(p)}"


def _joined(p: Payload, ink: Ink) -> str:
    side = ink.who(p["side"]) if p.get("side") is not None else "a side of their own"
    return f"{ink.people(p['people'])} {_does(p, 'come')} in, for {side}{ink.after(p)}"


def _left(p: Payload, ink: Ink) -> str:
    whose = f", of the side of {ink.who(p['side'])}" if [p["side"]] != p["people"] else ""
    return f"{ink.people(p['people'])} {_does(p, 'leave')}{whose}{ink.after(p)}"


def _does(p: Payload, verb: str) -> str:
    """What these people do: one of them does it with an s."""
    return verb if len(p["people"]) > 1 else f"{verb}s"


def _declared(p: Payload, ink: Ink) -> str:
    setup = f" ({ink.pairs(p['setup'])})" if p.get("setup") else ""
    sealed = f" [sealed {p['commitment']}]" if p.get("commitment") is not None else ""
    return f"{ink.who(p['who'])} declares{setup}{ink.after(p)}{sealed}"


def _compel_offered(p: Payload, ink: Ink) -> str:
    number = f" (aspect no. {p['which']})" if p.get("which") is not None else ""
    return f"{ink.who(p['by'])} compels {ink.who(p['who'])} by “{p['aspect']}”{number}{ink.after(p)}"


def _compel_accepted(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} takes the compel{ink.after(p)}"


def _compel_refused(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} refuses the compel{ink.after(p)}"


def _concession_offered(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} offers to concede{ink.after(p)}"


def _concession_accepted(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} accepts the concession of {ink.who(p['whose'])}{ink.after(p)}"


def _concession_refused(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} refuses the concession of {ink.who(p['whose'])}{ink.after(p)}"


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


_OVERRULED: Final = {
    "token": "strikes (token)",
    "veto": "strikes (veto)",
    "own": "corrects (own party)",
    "edit": "edits (edit)",
}


def _narration_overruled(p: Payload, ink: Ink) -> str:
    does = _OVERRULED.get(p["how"], p["how"])
    told = f"what {ink.who(p['whose'])} told{ink.at(p['narration'])}"
    return f"{ink.who(p['by'])} {does} {told}{ink.after(p)}"


def _cards_drawn(p: Payload, ink: Ink) -> str:
    owner = p["deck"].rpartition(":")[2]
    deck = ink.whose(int(owner)) if owner.isdecimal() else f"the {owner}"
    lead = "" if owner == str(p["who"]) else f" from {deck} deck"
    purpose = "" if p["purpose"] in ("hand", "flow") else f" for {_PURPOSES.get(p['purpose'], p['purpose'])}"
    return f"{ink.who(p['who'])} draws {len(p['cards'])}{lead}{purpose}: {cards(p['cards'])}"


_PURPOSES: Final = {"check": "a check"}

_DICE: Final = re.compile(r"(\d{1,3})d(F|\d+)")
_FUDGE: Final = {-1: "-", 0: "0", 1: "+"}


def _dice_rolled(p: Payload, ink: Ink) -> str:
    who = f"{ink.who(p['who'])} rolls" if p.get("who") is not None else "roll"
    faces = " ".join(_faces(p)) or "none"
    return f"{who} {p['dice']}: {faces}{ink.after(p, 'text', ' ')}"


def _faces(p: Payload) -> Iterator[str]:
    """Every face as it lies there: a fudge die's as its sign, another's as its number."""
    dice = (die for count, die in _DICE.findall(p["dice"]) for _ in range(int(count)))
    for face, die in zip_longest(p["faces"], islice(dice, len(p["faces"]))):
        yield _FUDGE.get(face, str(face)) if die == "F" else str(face)


def _deck_shuffled(p: Payload, ink: Ink) -> str:
    owner = p["deck"].rpartition(":")[2]
    deck = f"the deck of {ink.who(int(owner))}" if owner.isdecimal() else f"the {owner} deck"
    return f"{deck} is shuffled: {p['why']}"


NOTATIONS: Final[Mapping[str, tuple[Notation, frozenset[str]]]] = {
    "table.campaign-begun": (_campaign_begun, frozenset({"campaign", "format", "seed"})),
    "table.campaign-named": (_campaign_named, frozenset({"title", "text"})),
    "table.forked": (_forked, frozenset({"line", "parent", "at", "parent_hash", "name", "why"})),
    "table.promoted": (_promoted, frozenset({"was"})),
    "table.retired": (_retired, frozenset({"by"})),
    "table.undone": (_undone, frozenset({"first", "last"})),
    "table.redone": (_redone, frozenset({"first", "last"})),
    "table.reworded": (_reworded, frozenset({"about", "word", "text"})),
    "table.redacted": (_redacted, frozenset({"about", "words", "text"})),
    "table.revealed": (_revealed, frozenset({"about", "to"})),
    "table.marked": (_marked, frozenset({"name", "at", "text"})),
    "table.cast-introduced": (_cast_introduced, frozenset({"person", "name", "role", "text"})),
    "table.alias-given": (_alias_given, frozenset({"person", "alias"})),
    "table.renamed": (_renamed, frozenset({"person", "name"})),
    "table.described": (_described, frozenset({"person", "text"})),
    "table.player-seated": (_player_seated, frozenset({"person", "player", "text"})),
    "table.sheet-changed": (_sheet_changed, frozenset({"person", "system", "values"})),
    "table.session-opened": (_session_opened, frozenset({"session", "title", "date", "absent", "text"})),
    "table.session-closed": (_session_closed, frozenset({"session", "text"})),
    "table.scene-set": (_scene_set, frozenset({"scene", "title", "text"})),
    "table.scene-ended": (_scene_ended, frozenset({"scene", "text"})),
    "table.option-set": (_option_set, frozenset({"system", "key", "value", "text"})),
    "table.ruling-made": (_ruling_made, frozenset({"question", "answer", "sets", "text"})),
    "table.conflict-opened": (
        _conflict_opened,
        frozenset({"conflict", "system", "sides", "setup", "title", "length", "text"}),
    ),
    "table.conflict-ended": (_conflict_ended, frozenset({"conflict", "how", "winner", "text"})),
    "table.joined": (_joined, frozenset({"people", "side", "text"})),
    "table.left": (_left, frozenset({"people", "side", "text"})),
    "table.declared": (_declared, frozenset({"who", "text", "setup", "commitment"})),
    "table.compel-offered": (_compel_offered, frozenset({"who", "aspect", "which", "by", "text"})),
    "table.compel-accepted": (_compel_accepted, frozenset({"who", "text"})),
    "table.compel-refused": (_compel_refused, frozenset({"who", "text"})),
    "table.concession-offered": (_concession_offered, frozenset({"who", "text"})),
    "table.concession-accepted": (_concession_accepted, frozenset({"who", "whose", "text"})),
    "table.concession-refused": (_concession_refused, frozenset({"who", "whose", "text"})),
    "table.narrated": (_narrated, frozenset({"who", "text", "about"})),
    "table.said": (_said, frozenset({"who", "text", "about"})),
    "table.noted": (_noted, frozenset({"text", "person", "quote", "about"})),
    "table.said-aside": (_said_aside, frozenset({"text", "who", "about"})),
    "table.narration-overruled": (
        _narration_overruled,
        frozenset({"by", "whose", "narration", "how", "text"}),
    ),
    "table.cards-drawn": (_cards_drawn, frozenset({"who", "deck", "cards", "purpose"})),
    "table.dice-rolled": (_dice_rolled, frozenset({"who", "dice", "faces", "text"})),
    "table.deck-shuffled": (_deck_shuffled, frozenset({"deck", "why"})),
}
"""Each shared kind: how it is noted, and the fields that its notation shows."""
