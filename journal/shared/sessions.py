"""Decisions about sessions and scenes, the campaign's title, and marks (names of moments)."""

from __future__ import annotations

import re
from datetime import date

from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.system import Situation
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event

_LOOKS_LIKE_A_MOMENT = r"[#~@]?-?\d+|s\d+(:\d+)?|.*@.*|.*\.\..*"


def name_campaign(situation: Situation, command: c.NameCampaign) -> list[Event]:
    """Returns the event that gives the campaign its title; raises Refused if it has one."""
    if situation.table.title is not None:
        raise Refused(
            f"This campaign is named already: {situation.table.title}. To change the title, use retcon."
        )
    return [e.CampaignNamed(title=command.title, text=command.text)]


def open_session(situation: Situation, command: c.OpenSession) -> list[Event]:
    """Returns the events that open a session, with further events that the played games add.

    Raises Refused while a session is open, and for a date not of the form 2026-03-14.
    """
    table = situation.table
    if table.session is not None:
        raise Refused(f"Session {table.session} is still open: end it first (end session).")
    _check_date(command.date)
    opened = e.SessionOpened(
        session=table.sessions + 1,
        title=command.title,
        date=command.date,
        absent=command.absent,
        text=command.text,
    )
    return [
        opened,
        *(event for name in table.shelves for event in situation.systems[name].session(situation)),
    ]


def _check_date(typed: str | None) -> None:
    if typed is None:
        return
    try:
        as_written = date.fromisoformat(typed).isoformat()
    except ValueError:
        as_written = None
    if as_written != typed:
        raise Refused(f"{typed} is no date: write it as 2026-03-14.")


def set_scene(situation: Situation, command: c.SetScene) -> list[Event]:
    """Returns the event that opens a scene, replacing the current one; raises Refused outside sessions."""
    if situation.table.session is None:
        raise Refused("No session is open, and a scene belongs to one: begin with session.")
    return [e.SceneSet(scene=situation.table.scenes + 1, title=command.title, text=command.text)]


def end_session(situation: Situation, text: c.Text) -> list[Event]:
    """Returns the event that ends the session.

    Raises Refused without an open session, and while a rule question is pending; conflicts may stay open.
    """
    table = situation.table
    if table.session is None:
        raise Refused("No session is open.")
    situation.nothing_pending()
    return [e.SessionClosed(session=table.session, text=text)]


def end_scene(situation: Situation, text: c.Text) -> list[Event]:
    """Returns the event that ends the scene; raises Refused if none is open."""
    if situation.table.scene is None:
        raise Refused("No scene is open.")
    return [e.SceneEnded(scene=situation.table.scene, text=text)]


def mark(situation: Situation, command: c.Mark) -> list[Event]:
    """Returns the event that gives a moment a name, to go back to.

    Raises Refused for a name in use, and for a name such as `s3:42` that denotes a moment already.
    """
    table = situation.table
    typed = command.name.text or ""
    if re.fullmatch(_LOOKS_LIKE_A_MOMENT, typed):
        raise Refused(f"{typed} reads as a moment already: choose another name.")
    if normalise(typed) in table.marks:
        raise Refused(f"There is a mark {typed} already, at {table.marks[normalise(typed)]}.")
    return [e.Marked(name=command.name, at=command.at or table.position, text=command.text)]
