"""Facts told by a log's tags, such as `[N:Warder|asleep]` and `[Clock:Watch 2/6]`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from retold.sources.unit import Fact, FactKind

TAG: Final = re.compile(r"\[(?P<sign>#?)(?P<kind>[^\W\d_]{1,20}) ?:(?P<body>[^\[\]]{1,4000})\](?!\()")
PLAYED: Final = frozenset({"pc", "pj", "pg", "sc"})
"""Names of the tags of characters that are played, in lower case, in the languages of the notation."""
OTHERS: Final = frozenset({"n", "npc", "pnj", "png", "nsc"})
"""Names of the tags of all other people."""
_PARTY: Final = frozenset({"party", "groupe", "gruppo", "grupo", "gruppe"})
_KINDS: Final = {
    **dict.fromkeys((*PLAYED, *OTHERS, "f", "foe"), FactKind.PERSON),
    **dict.fromkeys(("l", "location", "lieu", "luogo", "lugar", "ort"), FactKind.PLACE),
    **dict.fromkeys(
        (
            *("thread", "fil", "filo", "hilo", "fio", "faden", "goal", "quest", "objectif", "obiettivo"),
            *("objetivo", "ziel", "quête", "missione", "misión", "missão"),
        ),
        FactKind.THREAD,
    ),
    **dict.fromkeys(
        (
            *("e", "event", "evento", "événement", "ereignis"),
            *("clock", "horloge", "orologio", "reloj", "relógio", "uhr"),
        ),
        FactKind.CLOCK,
    ),
    **dict.fromkeys(
        (
            *("track", "piste", "traccia", "pista", "trilha", "leiste"),
            *("timer", "compteur", "minuterie", "contatore", "temporizador", "countdown"),
        ),
        FactKind.TRACK,
    ),
}
_PLAYER: Final = frozenset(
    {"player", "joueur", "joueuse", "giocatore", "giocatrice", "jugador", "jogador", "spieler"}
)
_STAT: Final = re.compile(
    r"(?P<name>[^\W\d_][^\d|:=+→\n-]{0,40}?) ?(?:(?P<sign>[-+\u2212]) ?|[=:] ?| |(?=\d))"
    r"(?P<value>\d{1,6}(?:/\d{1,6})?)"
    r"(?:[-+]\d{1,6})?(?: ?(?:→|->|=) ?(?P<new>(?:[^\W\d_]{1,20} ?)?\d{1,6}(?:/\d{1,6})?))?"
)
_FULL: Final = re.compile(r"(?P<name>.{1,200}?) (?P<value>[+-]?\d{1,6}(?: ?/ ?\d{1,6})?)")


@dataclass
class Known:
    """Played characters, and last values of tracks and clocks, as stated by earlier tags."""

    played: list[str] = field(default_factory=list)
    values: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def main(self) -> str:
        """Label of the character behind a bare `@`: the only played character, else `PC`."""
        return self.played[0] if len(self.played) == 1 else "PC"

    def is_played(self, name: str) -> bool:
        """True if `name` is a played character's, in any case."""
        return name.casefold() in (played.casefold() for played in self.played)

    def play(self, name: str) -> None:
        """Adds a played character, once."""
        if name and not self.is_played(name):
            self.played.append(name)


def played_in(text: str) -> list[str]:
    """Names of played characters from tags that add something to the name, without repeats, in order."""
    known = Known()
    for found in TAG.finditer(text):
        name, *rest = _parts(found["body"])
        if found["kind"].casefold() in PLAYED and rest and not _STAT.fullmatch(name):
            known.play(name)
    return known.played


def stated(text: str, known: Known) -> tuple[str, tuple[Fact, ...]]:
    """Text without tags, and the facts stated by the tags.

    A tag inside a sentence leaves its name; a tag that states nothing stays in the text.
    """
    facts: list[Fact] = []
    words: list[str] = []
    end = 0
    for found in TAG.finditer(text):
        words.append(text[end : found.start()])
        end = found.end()
        name = _parts(found["body"])[0]
        told = None if found["sign"] else _facts(found["kind"].casefold(), found["body"], known)
        if told is None and not (found["sign"] and found["kind"].casefold() in _KINDS):
            words.append(found[0])
            continue
        facts += told or ()
        after = text[end : end + 2].lstrip()
        if found["sign"] or after[:1].islower() or after[:1] in ("'", "\u2019"):
            words.append(name)
    words.append(text[end:])
    return re.sub(r"[ \t]{2,}", " ", "".join(words)).strip(), tuple(facts)


def _parts(body: str) -> list[str]:
    return [" ".join(part.split()) for part in body.split("|")]


def _facts(kind: str, body: str, known: Known) -> list[Fact] | None:
    """Facts of a tag; None if the tag says more than facts can hold."""
    name, *rest = _parts(body)
    rest = [part for part in rest if part]
    if kind in _PARTY:
        return _of_table([name, *rest], known)
    what = _KINDS.get(kind)
    if what is None or not name:
        return None
    if what is FactKind.PERSON:
        return _of_person(kind, name, rest, known)
    if what in (FactKind.PLACE, FactKind.THREAD):
        return [Fact(what, name, ", ".join(rest))]
    return _counted(what, name, rest, known)


def _counted(kind: FactKind, name: str, rest: list[str], known: Known) -> list[Fact] | None:
    """Fact of a clock, track or timer: name and number, or a change of the last value; None if unreadable."""
    found = _FULL.fullmatch(name) or (rest and _FULL.fullmatch(f"{name} {rest.pop(0)}")) or None
    if found is None or rest:
        return None
    value = found["value"].replace(" ", "")
    place = (kind.value, found["name"].casefold())
    if value[0] in "+-":
        changed = _changed(known.values.get(place, ""), int(value))
        if changed is None:
            return None
        value = changed
    known.values[place] = value
    return [Fact(kind, found["name"], value)]


def _of_person(kind: str, name: str, rest: list[str], known: Known) -> list[Fact] | None:
    """Facts about a person: the numbers are tracks, everything else is their state."""
    is_unnamed = _STAT.fullmatch(name) or (known.main != "PC" and not rest)
    if kind in PLAYED and not known.is_played(name) and is_unnamed:
        rest, name = [name, *rest], known.main  # [PC:HP 6]: of the only character who is played
    if kind in PLAYED:
        known.play(name)
    state: list[str] = []
    tracks: list[Fact] = []
    player = ""
    for part in rest:
        category, colon, value = part.partition(":")
        if colon and category.strip().casefold() in _PLAYER:
            player = value.strip()
            continue
        items = [item.strip() for item in value.split(",")] if colon else [part]
        found = [_track(item, name, known) for item in items]
        number = _track(part, name, known) if colon and None in found else None
        if number:
            tracks.append(number)
        elif None not in found:
            tracks += [track for track in found if track]
        else:
            state.append(part)
    return [Fact(FactKind.PERSON, name, ", ".join(state), player=player), *tracks]


def _of_table(parts: list[str], known: Known) -> list[Fact] | None:
    found = [_track(part, "", known) for part in parts]
    return None if None in found else [track for track in found if track]


def _track(part: str, whose: str, known: Known) -> Fact | None:
    """Track such as `HP 8`; a change such as `HP-2` is added to the track's last value. None otherwise."""
    found = _STAT.fullmatch(part)
    if found is None:
        return None
    name = found["name"].strip()
    place = (whose.casefold(), name.casefold())
    value = found["value"]
    if found["new"]:
        value = re.sub(r"[^\d/]", "", found["new"])
    elif found["sign"]:
        changed = _changed(
            known.values.get(place, ""), int(value.partition("/")[0]) * (1 if found["sign"] == "+" else -1)
        )
        if changed is None:
            return None
        value = changed
    known.values[place] = value
    return Fact(FactKind.TRACK, name, value, whose)


def _changed(value: str, by: int) -> str | None:
    """Value such as `3/6` plus a number, at least 0; None for an empty value."""
    now, slash, most = value.partition("/")
    return f"{max(int(now) + by, 0)}{slash}{most}" if now else None
