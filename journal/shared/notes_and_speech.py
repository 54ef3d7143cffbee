"""Decisions about words: declarations, narration, speech, notes, threads, places and things.

Threads, places and things with notes are together called matters.
"""

from __future__ import annotations

from retold.journal.names import clean, quoted
from retold.journal.refused import Refused
from retold.journal.shared.conflicts import likely_sides
from retold.journal.system import Situation
from retold.journal.table import Matter, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Words


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """Returns the event that records in words what a person means to do."""
    return [
        e.Declared(
            who=GM if command.who is None else command.who,
            text=require_words(situation, command),
            conflict=situation.where,
            setup=command.setup,
        )
    ]


def require_words(situation: Situation, command: c.Declare) -> Words:
    """Returns the words of a declaration.

    Raises Refused for a sealed (hidden) declaration, for one with a game's act, and for missing words.
    """
    where = situation.systems[situation.conflict.system].title if situation.conflict else ""
    name = "NAME" if command.who is None else situation.name(command.who)
    place = f"{where} declares" if where else "Outside a conflict one declares"
    if getattr(command, "sealed", None) is not None:
        raise Refused(
            f"{place} nothing sealed. To hide it, add --gm or --to NAMES; to show it later: reveal MOMENT."
        )
    act = getattr(command, "act", None)
    if act is not None:
        raise Refused(f"{place} in words and has no {act}: declare {quoted(name)}: what they mean to do.")
    if command.text is None or command.text.text == "":
        raise Refused(f"Say what is declared: declare {quoted(name)}: what they mean to do.")
    return command.text


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Returns the event of a narration, told now or added to the past moment `at`."""
    return [_spoken(e.Narrated, situation, command)]


def spoken_text(text: Words | None) -> Words | None:
    """Returns `text` unchanged; None for an empty text (a redacted text does not count as empty)."""
    return None if text is None or text.text == "" else text


def gm_narration(situation: Situation, text: Words | None) -> list[Event]:
    """Returns the text as a narration by the game master; an empty list without a text."""
    words = spoken_text(text)
    return [] if words is None else [e.Narrated(who=GM, text=words, conflict=situation.here.id)]


def say(situation: Situation, command: c.Say) -> list[Event]:
    """Returns the event of words spoken in character, now or added to the past moment `at`."""
    return [_spoken(e.Said, situation, command)]


def _spoken(kind: type[e.Narrated | e.Said], situation: Situation, command: c.Narrate | c.Say) -> Event:
    """Returns a narration or speech event, according to `kind`.

    Raises Refused for `--clock` (a time in a recording) without the past moment `--at`.
    """
    if command.clock is not None and command.at is None:
        raise Refused("--clock is for words that are added later: say of which moment as well (--at s3:42).")
    return kind(
        who=GM if command.who is None else command.who,
        text=command.text,
        conflict=situation.where if command.at is None else None,
        about=command.at,
    )


def note(situation: Situation, command: c.Note) -> list[Event]:
    """Returns the event of a note, which is kept beside the story."""
    return [e.Noted(text=command.text, person=command.about, quote=command.quote, about=command.at)]


def aside(_situation: Situation, command: c.Aside) -> list[Event]:
    """Returns the event of words said at the table that are not part of the story."""
    return [e.SaidAside(text=command.text, who=command.who, about=command.at)]


def reveal(_situation: Situation, command: c.Reveal) -> list[Event]:
    """Raises Refused always: only games with sealed (hidden) declarations can open them by `reveal`."""
    if command.at is not None:
        raise Refused("A reveal is about the line itself: only what was played can be changed.")
    raise Refused("Nothing is sealed here. To show something hidden, name its moment: reveal MOMENT.")


def overrule(situation: Situation, command: c.Overrule) -> list[Event]:
    """Returns the event by which the game master strikes a narration; a game may add other ways.

    Raises Refused for all but the game master.
    """
    if command.own or (not _is_game_master(situation, command.by) and not command.veto):
        raise Refused("Only the game master strikes a narration here: overrule gm NAME --veto: why.")
    return [strike_narration(situation, command, "veto")]


def strike_narration(situation: Situation, command: c.Overrule, how: str) -> e.NarrationOverruled:
    """Returns the event that strikes the last narration of `command.whose`, in the way `how`.

    Raises Refused if there is none or it is struck already, and for a `veto` or `edit` by a player.
    """
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
    """True for the game master's id, and for the ids of the players who are game masters."""
    return who in (GM, *situation.table.game_masters)


def keep_matter(situation: Situation, command: c.KeepNote) -> list[Event]:
    """Returns the events of a `thread`, `place` or `thing` line.

    A new name opens a matter; a known one gets a note, a new name, its closing, or a merge.
    """
    if getattr(command, "zone", None) is not None:
        games = [situation.systems[name] for name in situation.table.games() if name in situation.systems]
        sides = None if situation.conflict is not None else likely_sides(situation.table)
        if sides is not None and any(type(command) in system.decide for system in games):
            raise Refused(f"People are placed on the map of an open conflict. To open one: conflict {sides}.")
        raise Refused(f"This game has no zones; a note of a place takes one name: {c.KeepPlace.example}")
    if command.what is None:
        raise Refused(f"Say which: {command.example}")
    known = _known(situation.table, command.what)
    return _opened(command, command.what) if known is None else _changed(situation.table, command, known)


def _known(table: Table, what: int | Words) -> Matter | None:
    """Returns the matter with this position or name; None for a new or redacted name.

    A name is looked up again, as the matter may have been opened since the line was parsed.
    """
    if isinstance(what, Words):
        return None if what.text is None else table.matter_called(clean(what.text))
    return table.matters[what]


def _opened(command: c.KeepNote, name: int | Words) -> list[Event]:
    wants = {"merge": command.into is not None, "rename": command.name is not None, "close": command.done}
    if does := next((does for does, wanted in wants.items() if wanted), None):
        raise Refused(f"There is no {command.sort} {quoted(str(name))} to {does}.")
    return [e.MatterOpened.of({"sort": command.sort, "name": name, "text": command.text})]


def _changed(table: Table, command: c.KeepNote, known: Matter) -> list[Event]:
    if known.sort != command.sort:
        raise Refused(f"{known.called} is a {known.sort}: choose another name for the {command.sort}.")
    stays = known if command.into is None else _stays(table, command, known)
    events: list[Event] = []
    if stays is not known:
        events.append(e.MatterMerged(about=known.opened, into=stays.opened))
    if command.name is not None:
        _check_free(table, command.name, known, stays)
        events.append(e.MatterRenamed(about=stays.opened, name=command.name))
    if command.done:
        if stays.closed:
            raise Refused(f"The {stays.sort} {stays.called} is closed already.")
        events.append(e.MatterClosed(about=stays.opened, text=command.text))
    elif command.text is not None:
        events.append(e.MatterNoted(about=stays.opened, text=command.text))
    if not events:
        raise Refused(
            f"There is a {known.sort} {known.called} already. To say more of it:"
            f" {known.sort} {quoted(known.called)}: what is new"
        )
    return events


def _stays(table: Table, command: c.KeepNote, gone: Matter) -> Matter:
    """Returns the matter into which `gone` is merged.

    Raises Refused if that matter is unknown, the same one, of another kind, or closed while `gone` is open.
    """
    stays = None if command.into is None else _known(table, command.into)
    line = f"{gone.sort} {quoted(gone.called)}"
    if stays is None:
        name = quoted(str(command.into))
        raise Refused(f"There is no {gone.sort} {name} to merge it into. To call it that: {line} name={name}")
    if stays is gone:
        raise Refused(f"Both names are {gone.called}: name two different ones.")
    if stays.sort != gone.sort:
        raise Refused(f"{gone.called} is a {gone.sort} and {stays.called} a {stays.sort}, so they are two.")
    if stays.closed and not gone.closed and (command.text is None or command.done):
        raise Refused(
            f"{stays.called} is closed, and {gone.called} is open. Close it first: {line} --done. Or say what"
            f" is new, which opens both: {line} into {quoted(stays.called)}: what is new"
        )
    return stays


def _check_free(table: Table, name: Words, *known: Matter) -> None:
    taken = table.matter_called(clean(name.text or ""))
    if taken is not None and not any(taken is matter for matter in known):
        raise Refused(f"There is a {taken.sort} {taken.called} already: choose another name.")
