"""OpenAPI description of the service's HTTP interface; docs/openapi.json is a copy of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.json import schema_components

from retold.cli import VERSION
from retold.cli.service.answers import Choice, Count, Error, Event, Here, Holder, Proposal, Roll
from retold.cli.service.network import HEALTH
from retold.cli.service.openapi_parts import (
    ID,
    TEXT,
    YES,
    Schema,
    answers,
    below,
    in_path,
    listed,
    of,
    operation,
    query,
    ref,
    thing,
)
from retold.journal.features import added
from retold.schemas import replay_schema, view_schema

BOARD: Final[Schema] = {
    "description": "What lies on the table at a moment, by keys; docs/replay.schema.json has every field.",
    "type": "object",
    "patternProperties": {
        "^at$": thing("Current session and scene; empty between sessions."),
        "^who:": thing("Person the reader may know of.", "name", "role"),
        "^conflict:": thing("Open conflict.", "title", "system", "sides"),
        "^row:": thing("Value that a game counts.", "system", "what", "value", "picture"),
        "^deck:": thing("Deck with drawn cards.", "name", "system", "size", "left"),
        "^hand:": thing("Cards of one deck in a person's hand.", "who", "deck", "cards"),
        "^down:": thing("Unnamed cards in front of a person.", "conflict", "who", "cards"),
        "^fell$": thing("Cards or dice last drawn or thrown."),
        "^pool:": thing("Dice in front of a person.", "conflict", "who", "dice"),
        "^raise:": thing("Dice put forward by a person.", "conflict", "by", "to", "dice", "total"),
        "^balance:": thing("Balance of a conflict.", "conflict", "scale", "level", "favours", "sides"),
        "^melee:": thing("One phase of a fight.", "conflict", "phase", "aims", "pairs"),
        "^map:": thing("Map without people.", "conflict", "spots", "lines"),
        "^place:": thing("A person's zone on a map.", "who", "spot"),
        "^aspect:": thing("Aspect in play.", "on"),
        "^pending:": thing("Question waiting for the table.", "asked"),
    },
    "additionalProperties": {"type": "object"},
    "required": ["at"],
}
"""Generators of clients know no pattern of keys: they make a mapping of what is additional."""


def adopted(document: Mapping[str, Any], whole: str, named: Callable[[str], str]) -> dict[str, Schema]:
    """Returns the shapes of a JSON Schema as components: each of its `$defs`, and itself, called `whole`.

    `named` gives the component's name of a shape in `$defs`.
    """
    shapes = {named(name): shape for name, shape in document["$defs"].items()}
    shapes[whole] = {key: part for key, part in document.items() if key not in ("$schema", "title", "$defs")}
    adapted: dict[str, Schema] = _adapted(shapes, named)
    return adapted


def _adapted(part: Any, named: Callable[[str], str] = str) -> Any:  # noqa: ANN401 -- JSON
    """Returns a schema with references to components, and without what generators of clients do not take.

    That is `items: false`, since the most items that a list has say the same, and `const`, of which one
    generator writes a client that Python cannot read where a field is called `cast`, or is always true.
    """
    if isinstance(part, list):
        return [_adapted(one, named) for one in part]
    if not isinstance(part, dict):
        return part
    if "const" in part:
        only = part["const"]
        names = {bool: "boolean", int: "integer", str: "string"}
        words = {} if isinstance(only, bool) else {"enum": [only]}
        return {key: one for key, one in part.items() if key != "const"} | {
            "type": names[type(only)],
            **words,
        }
    found = {key: _adapted(one, named) for key, one in part.items() if (key, one) != ("items", False)}
    pointed = part.get("$ref")
    if isinstance(pointed, str) and pointed.startswith("#/$defs/"):
        found["$ref"] = ref(named(pointed.removeprefix("#/$defs/")))["$ref"]
    return found


_ADDED: Final = [module.description() for module in added("addresses")]
"""What features say of their addresses."""

_, _WRITTEN = schema_components(
    (
        *(Error, Event, Proposal, Choice, Roll, Count, Here, Holder),
        *(one for described in _ADDED for one in described.ANSWERS),
    ),
    ref_template="#/components/schemas/{name}",
)

_REPLAY: Final = adopted(
    replay_schema(), "Replay", lambda name: "Board" if name == "board" else f"Replay{name.capitalize()}"
)
_VIEWS: Final = adopted(view_schema(), "AnyView", lambda name: f"View{name}")

SHAPES: Final[Mapping[str, Schema]] = {**_adapted(_WRITTEN), **_REPLAY, **_VIEWS, "Board": BOARD}

AT: Final = query("at")
STREAM: Final = operation("feed", "Events as they are recorded (server-sent events).", TEXT, 422)

ON_STAGE: Final = ("here.json", "feed", "happened", "board", "replay", "view/{name}", "picture/{id}")
"""What the stage is told at addresses of its own."""


def staged(paths: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the stage's path items: copies of those in ON_STAGE, answered with public knowledge.

    The stage is a screen that the whole table sees.
    """
    found: dict[str, Any] = {}
    for name in ON_STAGE:
        of = paths[f"/c/{{campaign}}/{name}"]
        get = {**of["get"], "operationId": f"{of['get']['operationId']}OnStage"}
        get["summary"] = f"{of['get']['summary']} As the table may know it."
        found[f"/c/{{campaign}}/stage/{name}"] = {**of, "get": get}
    return found


OF_A_VIEWER: Final[Mapping[str, Any]] = {
    "/join": {
        "post": operation(
            "join",
            "Exchange a link for a cookie.",
            of(campaign=TEXT, viewer=TEXT, at=TEXT),
            takes=of(link=TEXT),
            security=[],
        )
    },
    **dict(
        (
            below(
                "here.json", get=operation("here", "The campaign, the line and the viewer.", ref("Here"), 422)
            ),
            below("leave", post=operation("leave", "Give the cookie back.", of(left=TEXT))),
            below(
                "feed",
                has=(query("after"),),
                get={**STREAM, "responses": answers(TEXT, 422, media=("text/event-stream",))},
            ),
            below(
                "happened",
                has=(query("after"), query("last", {"type": "integer", "minimum": 1, "maximum": 500})),
                get=operation(
                    "happened",
                    "Events recorded since a cursor; `reset` if earlier answers no longer hold.",
                    of({"reset": YES}, events=listed(ref("Event")), cursor=TEXT),
                    *(400, 422),
                ),
            ),
            below(
                "pocket",
                get=operation(
                    "pocket",
                    "Pictures that the viewer sees, and words that are not public.",
                    of(events=listed(ref("Event"))),
                    422,
                ),
            ),
            below(
                "board",
                has=(AT,),
                get=operation(
                    "board",
                    "The table as pieces: cards, dice, tracks, places.",
                    of(board=ref("Board")),
                    400,
                    422,
                ),
            ),
            below(
                "replay",
                has=(query("branch"), query("part")),
                get=operation("replay", "The replay of a session.", ref("Replay"), 400, 404, 422),
            ),
            below(
                "view/{name}",
                has=(in_path("name"), AT),
                get=operation("view", "A view, as `retold show` has it.", ref("AnyView"), 400, 404, 422),
            ),
            below(
                "picture/{id}",
                has=(in_path("id"),),
                get={
                    **operation("picture", "An added picture, as PNG or JPEG.", TEXT, 404, 422),
                    "responses": answers(
                        {"type": "string", "format": "binary"}, 404, 422, media=("image/png", "image/jpeg")
                    ),
                },
            ),
            below(
                "can",
                has=(query("who"),),
                get=operation(
                    "can",
                    "Lines that can be recorded now.",
                    of(choices=listed(ref("Choice")), rolls=listed(ref("Roll")), counts=listed(ref("Count"))),
                    422,
                ),
            ),
            below(
                "complete",
                has=(query("line"),),
                get=operation(
                    "complete",
                    "Completions of a line; game master only.",
                    of(replaces=TEXT, offers=listed(of(text=TEXT, about=TEXT))),
                    *(400, 422),
                ),
            ),
            below(
                "check",
                post=operation(
                    "check",
                    "Results of a line, without recording it.",
                    of(
                        {"error": TEXT, "lines": listed(TEXT), "edit": {"type": ["string", "null"]}},
                        would=listed(TEXT),
                    ),
                    422,
                    takes=of({"unfinished": YES}, line=TEXT),
                ),
            ),
            below(
                "say",
                post=operation(
                    "say",
                    "Record a line, or answer one that only reads; game master only.",
                    of(at=TEXT, said=listed(TEXT)),
                    422,
                    takes=of({"sure": YES}, line=TEXT, id=ID),
                ),
            ),
            below(
                "export",
                post={
                    **operation(
                        "export", "Makes a file of an export line, or of backup.", TEXT, takes=of(line=TEXT)
                    ),
                    "responses": answers(
                        {"type": "string", "format": "binary"},
                        *(422, 400, 413),
                        media=("application/octet-stream",),
                    ),
                },
            ),
            below(
                "pictures",
                post=operation(
                    "addPicture",
                    "Record a line with a picture in base64; game master only.",
                    of(at=TEXT, said=listed(TEXT)),
                    422,
                    takes=of(line=TEXT, picture={"type": "string", "contentEncoding": "base64"}, id=ID),
                ),
            ),
            below(
                "links",
                get=operation(
                    "links", "Holders of links; game master only.", of(links=listed(ref("Holder")))
                ),
                post=operation(
                    "changeLinks",
                    "Make a viewer's link, or revoke theirs; game master only.",
                    of({"link": TEXT, "image": TEXT}, links=listed(ref("Holder"))),
                    422,
                    takes=of({"new": TEXT, "revoke": TEXT}),
                ),
            ),
            *(path for described in _ADDED for path in described.PATHS),
            below(
                "proposals",
                get=operation(
                    "proposals", "Lines that players proposed.", of(proposals=listed(ref("Proposal"))), 422
                ),
                post=operation(
                    "propose", "Propose a line.", ref("Proposal"), 422, takes=of(id=ID, line=TEXT)
                ),
            ),
            below(
                "proposals/{id}",
                has=(in_path("id", ID),),
                post=operation(
                    "answer",
                    "Accept, refuse or withdraw a proposed line.",
                    ref("Proposal"),
                    *(404, 422),
                    takes=of({"take": YES, "refuse": TEXT, "withdraw": YES}),
                ),
            ),
        )
    ),
}

OF_A_BALANCER: Final[Mapping[str, Any]] = {
    HEALTH: {
        "get": {
            "operationId": "health",
            "summary": "The health of the service; no content.",
            "responses": {
                "200": {"description": "It can be used"},
                "503": {"description": "The database does not answer"},
            },
            "security": [],
        }
    }
}

PATHS: Final[Mapping[str, Any]] = {**OF_A_VIEWER, **staged(OF_A_VIEWER), **OF_A_BALANCER}

VIEWERS: Final = (
    "Everything below /c/{campaign}/ is also served below /c/{campaign}/as/{whom}/, for one viewer's cookie:"
    " the page that `at` of /join leads to asks there."
)

DESCRIPTION: Final[Mapping[str, Any]] = {
    "openapi": "3.1.0",
    "info": {"title": "Retold service", "version": VERSION, "description": VIEWERS},
    "paths": PATHS,
    "components": {
        "schemas": SHAPES,
        "securitySchemes": {"link": {"type": "http", "scheme": "bearer"}},
    },
    "security": [{"link": []}],
}
"""All of it; docs/service.md says the same for people."""
