"""One JSON value of a campaign: sessions, people, places, threads, things, and every event."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from retold.journal.vocabulary.base import GM
from retold.projections.dossiers import Dossiers, MatterKnown, PersonKnown
from retold.projections.exports.json import written
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.exports.told_sessions import told_sessions
from retold.projections.reading import LineView
from retold.projections.reading.ids import source_of
from retold.projections.story.document import Played, Transcript
from retold.projections.view_schemas import Schema, schema_of
from retold.projections.views.sheet import plain
from retold.worlds.events import EventOfCampaign, events_of

VERSION: Final = 1
"""Of the JSON; within one version fields are only added."""


class SceneOfCampaign(Struct, frozen=True):
    """Scene of a session: its id and title."""

    id: str
    title: str


class SessionOfCampaign(Struct, frozen=True):
    """Session: number, title, date of play, game master, players, and scenes in order."""

    session: int
    title: str | None
    date: str | None
    gm: str | None
    players: tuple[Played, ...]
    absent: tuple[str, ...]
    scenes: tuple[SceneOfCampaign, ...]


class CampaignValue(Struct, frozen=True):
    """Campaign as one viewer knows it; `campaign` is the version of this shape.

    People, threads, places and things are as `retold who --json` has them, without what says its type.
    """

    campaign: int
    title: str
    viewer: str
    voice: str
    lang: str
    source: str
    """Keyed digest of the campaign, the same in all its exports and in no other's."""
    sessions: tuple[SessionOfCampaign, ...]
    people: tuple[PersonKnown, ...]
    threads: tuple[MatterKnown, ...]
    places: tuple[MatterKnown, ...]
    things: tuple[MatterKnown, ...]
    events: tuple[EventOfCampaign, ...]


def render(reading: LineView, telling: SessionTelling, place: MechanicsPlace) -> bytes:
    """Returns the campaign as JSON in UTF-8; the shape is docs/campaign.schema.json.

    The place of mechanics has no influence: numbers are fields of their own.
    """
    del place
    phrases, viewer = telling.voice.phrases, reading.viewer
    dossiers = Dossiers(reading, language=phrases.language)
    matters = [dossiers.matter(at) for at in dossiers.matters]
    sessions = told_sessions(reading, [*reading.sessions.opened], telling)

    def of(sort: str) -> tuple[MatterKnown, ...]:
        return tuple(one for one in matters if one.of == sort)

    value = CampaignValue(
        VERSION,
        reading.title,
        "gm" if viewer.gm else "table" if viewer.person is None else reading.table.name(viewer.person),
        telling.voice.name,
        phrases.language.code,
        source_of(reading.campaign),
        tuple(map(_session, sessions)),
        tuple(dossiers.person(number) for number in dossiers.people if number != GM),
        *(of("thread"), of("place"), of("thing")),
        tuple(events_of(reading, telling.voice)),
    )
    return written(plain(value), indent=1)


def _session(told: Transcript) -> SessionOfCampaign:
    head = told.head
    scenes = (SceneOfCampaign(scene.id, scene.title) for scene in told.scenes if scene.id and scene.title)
    return SessionOfCampaign(
        *(head.session or 0, head.title, head.date, head.gm, head.players, head.absent),
        tuple(scenes),
    )


def campaign_schema() -> Schema:
    """Returns the JSON Schema of `export -f campaign`."""
    return schema_of("A campaign, as `retold export -f campaign` writes it", [CampaignValue])
