"""The words of the page that is stepped through: those of a voice, as its modules fill them in."""

from __future__ import annotations

from typing import Final

from projections.prose.phrases import Phrases, values

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
    (("?",), "replay.key-help"),
)
"""The keys, and the phrase of what they do."""

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
"""The phrases that the modules say."""


def spoken(phrases: Phrases) -> dict[str, str]:
    """What the modules say, by the last part of each key; where a value goes, its name stands in braces."""
    return {
        key.partition(".")[2]: phrases.say(key, **{name: f"{{{name}}}" for name in values(key)})
        for key in _SPOKEN
    }


def seen_by(viewer: str, phrases: Phrases) -> str:
    """Whose eyes it is for."""
    if viewer == "gm":
        return phrases.say("replay.for-gm")
    return phrases.say("replay.for-table") if viewer == "table" else phrases.say("replay.for-one", who=viewer)
