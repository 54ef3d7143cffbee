"""What is said at the table: declarations, narration, speech and notes."""

from __future__ import annotations

from journal.names import quoted
from journal.refused import Refused
from journal.system import Situation
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event
from journal.words import Words


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """Somebody says what they intend; outside a conflict it is simply said."""
    return [
        e.Declared(
            who=GM if command.who is None else command.who,
            text=in_words(situation, command),
            conflict=situation.where,
            setup=command.setup,
        )
    ]


def in_words(situation: Situation, command: c.Declare) -> Words:
    """What is declared, where one declares in words; refuses an act, and silence."""
    where = situation.systems[situation.conflict.system].title if situation.conflict else ""
    name = "NAME" if command.who is None else situation.name(command.who)
    place = f"{where} declares" if where else "Outside a conflict one declares"
    if getattr(command, "sealed", None) is not None:
        raise Refused(
            f"{place} nothing sealed; for some eyes only it is --gm or --to NAMES, until: reveal MOMENT."
        )
    act = getattr(command, "act", None)
    if act is not None:
        raise Refused(f"{place} in words and has no {act}: declare {quoted(name)}: what they mean to do.")
    if command.text is None or command.text.text == "":
        raise Refused(f"Say what is declared: declare {quoted(name)}: what they mean to do.")
    return command.text


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Somebody tells what happens, now or (about) for a moment that is past."""
    return [_told(e.Narrated, situation, command)]


def say(situation: Situation, command: c.Say) -> list[Event]:
    """Somebody speaks in character."""
    return [_told(e.Said, situation, command)]


def _told(kind: type[e.Narrated | e.Said], situation: Situation, command: c.Narrate | c.Say) -> Event:
    """What is said now has its time from being recorded; only words added later are given one."""
    if command.clock is not None and command.at is None:
        raise Refused("--clock is for words that are added later: say of which moment as well (--at s3:42).")
    return kind(
        who=GM if command.who is None else command.who,
        text=command.text,
        conflict=situation.where if command.at is None else None,
        about=command.at,
    )


def note(situation: Situation, command: c.Note) -> list[Event]:
    """A note beside the story."""
    return [e.Noted(text=command.text, person=command.about, quote=command.quote, about=command.at)]


def aside(_situation: Situation, command: c.Aside) -> list[Event]:
    """Table talk: no conflict knows of it."""
    return [e.SaidAside(text=command.text, who=command.who, about=command.at)]


def reveal(_situation: Situation, command: c.Reveal) -> list[Event]:
    """Nothing is sealed where no system seals; what is for some eyes only, the line itself opens."""
    if command.at is not None:
        raise Refused("A reveal is about the line itself: only what was played can be changed.")
    raise Refused(
        "Nothing is sealed here; what is for some eyes only is opened by its moment: reveal MOMENT."
    )


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """The game master's consistency veto; a system may know other ways."""
    if command.own or (not _is_game_master(situation, command.by) and not command.veto):
        raise Refused("Only the game master strikes a narration here: overrule gm NAME --veto: why.")
    return [struck(situation, command, "veto")]


def struck(situation: Situation, command: c.Overrule, how: str) -> e.NarrationOverruled:
    """The last narration of `whose`, overruled in the way named; refuses where there is none standing."""
    if how in ("veto", "edit") and not _is_game_master(situation, command.by):
        raise Refused("Only the game master has a veto: overrule gm NAME --veto: why.")
    last = situation.table.narrations.get(command.whose)
    if last is None or last.struck:
        raise Refused(f"{situation.name(command.whose)} has no narration to strike.")
    return e.NarrationOverruled.of(
        {
            "conflict": situation.where,
            "by": command.by,
            "whose": command.whose,
            "narration": last.position,
            "how": how,
            "text": command.text,
        }
    )


def _is_game_master(situation: Situation, who: int) -> bool:
    """Whether this is the game master, or whoever plays that part."""
    return who in (GM, situation.table.people[GM].player)
