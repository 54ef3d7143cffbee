"""Replay page: a single HTML file that plays a record step by step, without external resources."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from retold.journal.games import BUILT_IN
from retold.projections.exports.replay.bundling import bundled
from retold.projections.prose.phrases import LANGUAGE, Phrases, values
from retold.projections.texts import safe, templates

if TYPE_CHECKING:
    from jinja2 import Environment


KEYS: Final = (
    (("←", "→"), "replay.key-step"),
    (("{shift} ←", "{shift} →"), "replay.key-act"),
    ((",", "."), "replay.key-turn"),
    (("[", "]"), "replay.key-scene"),
    (("{home}", "{end}"), "replay.key-ends"),
    (("↓",), "replay.key-part"),
    (("↑",), "replay.key-leave"),
    (("{space}",), "replay.key-play"),
    (("/",), "replay.key-search"),
    (("c",), "replay.key-contents"),
    (("a",), "replay.key-ahead"),
    (("m",), "replay.key-mechanics"),
    (("d",), "replay.key-director"),
    (("w",), "replay.key-recorded"),
    (("s",), "replay.key-still"),
    (("?",), "replay.key-help"),
)
"""Keyboard shortcuts, with the phrase keys of their descriptions; keys in braces have a phrase, too."""

_NAMED_KEYS: Final = {
    "home": "replay.home",
    "end": "replay.end",
    "space": "replay.space",
    "shift": "replay.shift",
}
"""Phrase keys of the names of keys."""

OF_DRAFTS: Final = "replay.key-recorded"
"""Phrase key of the shortcut that only pages with the words of a draft have."""

_SPOKEN: Final = (
    "page.session",
    "replay.too-old",
    "replay.play",
    "replay.pause",
    "replay.more",
    "replay.minute",
    "replay.minutes",
    "replay.go-on",
    "replay.link",
    "replay.place",
    "replay.whole",
    "replay.nothing-recorded",
    "replay.no-moment",
    "replay.for-the-gm",
    "replay.only-gm",
    "replay.only-some",
    "names.and",
    "replay.veiled",
    "replay.show-ahead",
    "replay.more-ahead",
    "replay.searched-so-far",
    "replay.to-moment",
    "replay.struck",
    "replay.copied",
    "replay.see-above",
    "replay.link-copied",
    "replay.link-above",
    "replay.just-now",
    "replay.otherwise",
    "replay.fell-last",
    "replay.to-be-ruled",
    "replay.side",
    "replay.out",
    "replay.somebody",
    "replay.nothing-there",
    "replay.has-given",
    "replay.free",
    "replay.free-for",
    "replay.against",
    "replay.against-or-less",
    "replay.missed",
    "replay.made",
    "replay.mark",
    "replay.branch",
    "replay.conflict",
    "replay.nothing-to-choose",
    "replay.other-ways",
    "replay.found-one",
    "replay.found",
    "replay.found-first",
    "replay.in-hand",
    "replay.laid-before",
    "replay.in-pool",
    "replay.boxes",
    "replay.unfilled",
    "replay.in-rows",
    "replay.in-favour",
    "replay.balance",
    "replay.face-down",
    "replay.several-face-down",
    "replay.no-cards",
    "replay.card-of",
    "replay.card-turned",
    "replay.card-reversed",
    "replay.card-triumph",
    "replay.card-joker",
    "replay.card-excuse",
    "replay.card-ace",
    "replay.card-jack",
    "replay.card-queen",
    "replay.card-king",
    "replay.card-spades",
    "replay.card-hearts",
    "replay.card-diamonds",
    "replay.card-clubs",
    "replay.card-rock",
    "replay.card-paper",
    "replay.card-blades",
    "replay.card-serpent",
    "replay.card-unknown",
    "replay.deck",
    "replay.deck-left",
    "replay.deck-gone",
    "replay.deck-last",
    "replay.no-dice",
    "replay.die-minus",
    "replay.die-plus",
    "replay.die-blank",
    "replay.die-of",
    "replay.die-kept",
    "replay.die-left",
    "replay.raises",
    "replay.to-be-seen",
    "replay.clashes",
    "replay.wins",
    "replay.checks",
    "replay.no-clash",
    "replay.phase",
    "page.map",
    "replay.empty-map",
)
"""Phrase keys used by the page's scripts."""

_ON_MAPS: Final = ("map.nobody", "map.closed", "map.out", "map.marked")
"""Phrase keys of maps that the scripts use, with a hyphen in place of the dot."""


_OF_PORTRAITS: Final = "page.portraits"
"""Phrase key that the scripts of pages with portraits use too."""


def spoken(phrases: Phrases, *more: str) -> dict[str, str]:
    """Returns the phrases that the page's scripts use and `more`, by the part of keys after the first dot.

    Gaps in a phrase stay as names in braces, such as `{number}`, for the scripts to fill.
    """
    said = {key.partition(".")[2]: key for key in (*_SPOKEN, *more)} | {
        key.replace(".", "-"): key for key in _ON_MAPS
    }
    words = {
        name: phrases.say(key, **{value: f"{{{value}}}" for value in values(key)})
        for name, key in said.items()
    }
    return {**words, "colon": phrases.language.colon, "semicolon": phrases.language.semicolon}


def names(phrases: Phrases) -> dict[str, Any]:
    """Returns the words for days of play and for what games count, in a language other than English.

    `days` are the 31 days of a month with the gaps `{month}` and `{year}`, `months` the names of the months,
    `counters` the names by game and by the record's name. Empty in English, where both stand as recorded.
    """
    if phrases.language.code == LANGUAGE:
        return {}
    days = [phrases.say("page.day", day=day, month="{month}", year="{year}") for day in range(1, 32)]
    counters = {game: phrases.counters(game) for game in BUILT_IN}
    return {"days": days, "months": phrases.say("page.months").split(", "), "counters": counters}


def seen_by(viewer: str, phrases: Phrases) -> str:
    """Returns the phrase that says whose copy this is: the game master's, the table's or one person's."""
    if viewer == "gm":
        return phrases.say("replay.for-gm")
    return phrases.say("replay.for-table") if viewer == "table" else phrases.say("replay.for-one", who=viewer)


HERE: Final = Path(__file__).parent
TEMPLATE: Final = "page.html.j2"
SERVED: Final = "served.html.j2"
STYLE: Final = "replay.css"
STYLE_OF_PORTRAITS: Final = "portraits.css"
OPENING: Final = "opening"
"""Entry module of the page; the service has its own."""
PICTURED: Final = "pictured"
"""Entry module of a page with pictures, or with colours of people."""

_OURS: Final = Phrases()


def render(
    value: Mapping[str, Any],
    phrases: Phrases = _OURS,
    *,
    told: tuple[str, str] | None = None,
    preview: str = "",
    looks: Callable[[str], str] = str,
) -> bytes:
    """Returns the replay page in UTF-8; `value` is the replay as JSON (docs/replay.md), all that it contains.

    `phrases` word the interface. On a site, `told` is address and title of the transcript page, `preview`
    the markup for link previews, and `looks` makes its CSS that of the site.
    """
    has_draft = any(block.get("recorded") for line in value["lines"] for block in line["blocks"])
    is_pictured = "pictures" in value or _has_colours(value)
    page = (
        _environment()
        .get_template(TEMPLATE)
        .render(
            title=value["title"],
            campaign=value["campaign"],
            lang=value["lang"],
            seen_by=seen_by(value["viewer"], phrases),
            style=looks(f"{style()}{style(STYLE_OF_PORTRAITS)}" if is_pictured else style()),
            script=script(PICTURED if is_pictured else OPENING),
            data=_packed(value),
            shows_pictures="pictures" in value,
            own=phrases.lang or value["lang"],
            say=phrases.say,
            words=_in_a_script(_words(phrases, *((_OF_PORTRAITS,) if is_pictured else ()))),
            keys=_keys(phrases, has_draft=has_draft),
            has_draft=has_draft,
            told=told,
            preview=preview,
        )
    )
    return page.encode()


def _has_colours(value: Mapping[str, Any]) -> bool:
    """True if a person on a board of the replay has a colour."""
    boards = (line["board"].values() for line in value["lines"])
    changes = (delta for line in value["lines"] for delta in line["steps"]["delta"])
    return any(
        isinstance(thing, dict) and "colour" in thing for things in (*boards, *changes) for thing in things
    )


def served(phrases: Phrases = _OURS) -> bytes:
    """Returns the replay page for `retold serve`; it loads style, scripts and replay JSON separately.

    `phrases` word the interface; its language is that of the page.
    """
    seen = {"gm": "gm", "table": "table", "one": "{who}"}
    copies = {f"for-{name}": seen_by(viewer, phrases) for name, viewer in seen.items()}
    page = _environment().get_template(SERVED)
    own = phrases.language.code
    keys = _keys(phrases, has_draft=False)
    told = page.render(
        lang="",
        own=own,
        say=phrases.say,
        keys=keys,
        has_draft=False,
        told=None,
        words=_in_a_script({**_words(phrases, _OF_PORTRAITS), **copies}),
    )
    return told.encode()


def _keys(phrases: Phrases, *, has_draft: bool) -> Iterator[tuple[list[str], str]]:
    """Yields the names of the keys of each shortcut, and the phrase key of its description."""
    named = {name: phrases.say(key) for name, key in _NAMED_KEYS.items()}
    for keys, what in KEYS:
        if has_draft or what != OF_DRAFTS:
            yield [key.format_map(named) for key in keys], what


def _words(phrases: Phrases, *more: str) -> dict[str, Any]:
    named = names(phrases)
    return {**spoken(phrases, *more), **({"names": named} if named else {})}


def _in_a_script(words: Mapping[str, Any]) -> str:
    """Returns `words` as JSON that is safe inside a `<script>` element."""
    return safe.in_json(json.dumps(words, ensure_ascii=False)).replace("<", "\\u003c")


def _packed(value: Mapping[str, Any]) -> str:
    """Returns the replay's JSON, compressed, in base64; records of years repeat themselves."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(told.encode(), zlib.Z_BEST_COMPRESSION)).decode()


@cache
def style(name: str = STYLE) -> str:
    """Returns the CSS of the replay page, or its additions for portraits."""
    return (HERE / name).read_text("utf-8")


@cache
def script(opening: str = OPENING) -> str:
    """Returns one script made of a module and its imports."""
    return bundled(f"{opening}.js", lambda name: (HERE / name).read_text("utf-8"))


@cache
def _environment() -> Environment:
    from markupsafe import Markup  # noqa: PLC0415 -- it comes with jinja2, which only exports need

    filling = templates.environment(HERE)
    filling.filters |= {"sha256": templates.sha256, "raw": Markup}
    return filling
