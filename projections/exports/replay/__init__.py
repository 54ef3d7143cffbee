"""Replay page: a single HTML file that plays a record step by step, without external resources."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from projections import safe, templates
from projections.prose.phrases import Phrases, values

if TYPE_CHECKING:
    from jinja2 import Environment


KEYS: Final = (
    (("←", "→"), "replay.key-step"),
    (("Shift ←", "Shift →"), "replay.key-act"),
    ((",", "."), "replay.key-turn"),
    (("[", "]"), "replay.key-scene"),
    (("Home", "End"), "replay.key-ends"),
    (("↓",), "replay.key-part"),
    (("↑",), "replay.key-leave"),
    (("Space",), "replay.key-play"),
    (("/",), "replay.key-search"),
    (("c",), "replay.key-contents"),
    (("a",), "replay.key-ahead"),
    (("m",), "replay.key-mechanics"),
    (("d",), "replay.key-director"),
    (("w",), "replay.key-recorded"),
    (("?",), "replay.key-help"),
)
"""Keyboard shortcuts, with the phrase keys of their descriptions."""

OF_DRAFTS: Final = "replay.key-recorded"
"""Phrase key of the shortcut that only pages with the words of a draft have."""

_SPOKEN: Final = (
    "page.session",
    "replay.too-old",
    "replay.play",
    "replay.pause",
    "replay.link",
    "replay.place",
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
)
"""Phrase keys used by the page's scripts."""


_OF_PORTRAITS: Final = "page.portraits"
"""Phrase key that the scripts of pages with portraits use too."""


def spoken(phrases: Phrases, *more: str) -> dict[str, str]:
    """Returns the phrases that the page's scripts use and `more`, by the part of keys after the first dot.

    Gaps in a phrase stay as names in braces, such as `{number}`, for the scripts to fill.
    """
    return {
        key.partition(".")[2]: phrases.say(key, **{name: f"{{{name}}}" for name in values(key)})
        for key in (*_SPOKEN, *more)
    }


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

_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./(?P<module>\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:class|const|function|async function) )", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*/\*\*.*?\*/\n", re.MULTILINE | re.DOTALL)
_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)


def render(
    value: Mapping[str, Any],
    phrases: Phrases = _OURS,
    *,
    told: tuple[str, str] | None = None,
    preview: str = "",
) -> bytes:
    """Returns the replay page in UTF-8; `value` is the replay as JSON (docs/replay.md), all that it contains.

    `phrases` word the interface. On a site, `told` is address and title of the transcript page, and
    `preview` the markup for link previews.
    """
    has_draft = any(block.get("recorded") for line in value["lines"] for block in line["blocks"])
    is_pictured = "pictures" in value or _has_colours(value)
    words = spoken(phrases, *((_OF_PORTRAITS,) if is_pictured else ()))
    page = (
        _environment()
        .get_template(TEMPLATE)
        .render(
            title=value["title"],
            campaign=value["campaign"],
            lang=value["lang"],
            seen_by=seen_by(value["viewer"], phrases),
            style=f"{style()}{style(STYLE_OF_PORTRAITS)}" if is_pictured else style(),
            script=script(PICTURED if is_pictured else OPENING),
            data=_packed(value),
            shows_pictures="pictures" in value,
            own=value["lang"],
            say=phrases.say,
            words=_in_a_script(words),
            keys=[key for key in KEYS if has_draft or key[1] != OF_DRAFTS],
            has_draft=has_draft,
            told=told,
            preview=preview,
        )
    )
    return page.encode()


def _has_colours(value: Mapping[str, Any]) -> bool:
    """True if anybody on a board of the replay has a colour."""
    boards = (line["board"].values() for line in value["lines"])
    changes = (delta for line in value["lines"] for delta in line["steps"]["delta"])
    return any(
        isinstance(thing, dict) and "colour" in thing for things in (*boards, *changes) for thing in things
    )


def served() -> bytes:
    """Returns the replay page for `retold serve`; it loads style, scripts and replay JSON separately."""
    keys = [key for key in KEYS if key[1] != OF_DRAFTS]
    return (
        _environment()
        .get_template(SERVED)
        .render(lang="", own="en", say=_OURS.say, keys=keys, has_draft=False, told=None)
        .encode()
    )


def _in_a_script(words: Mapping[str, str]) -> str:
    """Returns `words` as JSON that is safe inside a `<script>` element."""
    return safe.in_json(json.dumps(words, ensure_ascii=False)).replace("<", "\\u003c")


def _packed(value: Mapping[str, Any]) -> str:
    """Returns the replay's JSON, compressed, in base64; records of years repeat themselves."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(told.encode(), zlib.Z_BEST_COMPRESSION)).decode()


@cache
def style(name: str = STYLE) -> str:
    """Returns the CSS of the replay page, or what is added to it for portraits."""
    return (HERE / name).read_text("utf-8")


@cache
def script(opening: str = OPENING) -> str:
    """Returns one script made of a module and its imports, in dependency order, without comments."""
    sources = {path.stem: path.read_text("utf-8") for path in HERE.glob("*.js")}
    needs = {name: _IMPORT.findall(source) for name, source in sources.items()}
    wanted, asked = set[str](), [opening]
    while asked:
        if (name := asked.pop()) not in wanted:
            wanted.add(name)
            asked.extend(needs[name])
    order = TopologicalSorter({name: sorted(needs[name]) for name in sorted(wanted)}).static_order()
    return "".join(_bare(sources[name]) for name in order)


def _bare(source: str) -> str:
    """Returns a module's source without imports, export keywords, doc comments and indentation."""
    return _INDENT.sub("", _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", source))))


@cache
def _environment() -> Environment:
    from markupsafe import Markup  # noqa: PLC0415 -- it comes with jinja2, which only exports need

    filling = templates.environment(HERE)
    filling.filters |= {"sha256": templates.sha256, "raw": Markup}
    return filling
