"""Looks of paragraphs in documents of word processors: one for each kind of paragraph."""

from __future__ import annotations

from typing import Final, NamedTuple

SERIF: Final = "Times New Roman"
SANS: Final = "Arial"
MONO: Final = "Courier New"
"""Fonts that every word processor has, or for which it has one of the same widths."""

INK: Final = "000000"
SOFT: Final = "595959"
"""Grey with a contrast of 7 to 1 on white."""


COMPLEX: Final = frozenset({"ar", "dv", "fa", "he", "ps", "syr", "ur", "yi"})
ASIAN: Final = frozenset({"ja", "ko", "zh"})
"""Languages for whose letters word processors keep fonts and a language apart from those of Latin letters."""


class Look(NamedTuple):
    """Appearance of a paragraph style; lengths in points.

    `hanging` is how far the first text line begins left of the others.
    """

    name: str
    base: str | None = "Normal"
    font: str = SERIF
    size: float = 12
    bold: bool = False
    italic: bool = False
    colour: str = INK
    before: float = 0
    after: float = 6
    left: float = 0
    hanging: float = 0
    centred: bool = False
    with_next: bool = False


_LOOKS: Final = (
    Look("Normal", None),
    Look("Title", size=26, after=8, centred=True, with_next=True),
    Look("Subtitle", size=10.5, colour=SOFT, after=2, centred=True),
    Look("Heading 1", size=18, before=26, after=10, centred=True, with_next=True),
    Look("Heading 2", size=14, italic=True, before=20, after=8, centred=True, with_next=True),
    Look("Heading 3", size=11.5, bold=True, before=14, after=4, centred=True, with_next=True),
    Look("TOC Heading", size=14, before=26, after=8, centred=True, with_next=True),
    Look("Session", size=10.5, colour=SOFT, before=26, after=0, centred=True, with_next=True),
    Look("Day", size=10.5, italic=True, colour=SOFT, after=20, centred=True, with_next=True),
    Look("toc 1", after=3),
    Look("toc 2", size=10, after=2, left=18),
    Look("Header", size=9, colour=SOFT, after=0, centred=True),
    Look("Footer", size=9, colour=SOFT, after=0, centred=True),
    Look("Body Text"),
    Look("Told", left=18, hanging=18),
    Look("List Bullet", after=3, left=18, hanging=18),
    Look("Quote", italic=True, left=18),
    Look("Previously", italic=True, before=14, after=14, left=36, hanging=18),
    Look("Stakes", italic=True, colour=SOFT, centred=True, with_next=True),
    Look("Speech", left=18, hanging=18),
    Look("Declaration", left=18, hanging=18),
    Look("Aside", size=10, left=42, hanging=18),
    Look("Generated", italic=True, colour=SOFT),
    Look("Notation", font=MONO, size=9, after=3),
    Look("Variation", bold=True, italic=True, before=10, after=4, with_next=True),
    Look("Break", colour=SOFT, before=6, centred=True, with_next=True),
    Look("Imprint", size=9.5, colour=SOFT, before=36, centred=True),
    Look("Plate", before=10, after=12, centred=True),
    Look("Ribbon", font=SANS, size=8.5, colour=SOFT, after=8),
    Look("Mechanics", font=SANS, size=8.5, after=2, left=30, hanging=12),
    Look("footnote text", size=9.5, after=2),
    Look("Mechanics Folded", font=SANS, size=8, colour=SOFT, after=8, left=30),
)
"""Looks of first paragraphs; Word's own styles are changed to match."""

FURTHER_IN: Final = 18
"""Indent in points of a text's further paragraphs."""

GOING_ON: Final = frozenset(
    {
        "Body Text",
        "Told",
        "Speech",
        "Declaration",
        "Aside",
        "Generated",
        "Notation",
        "Ribbon",
        "Quote",
        "Previously",
    }
)
"""Styles of texts that may have several paragraphs."""


def continued(name: str) -> str:
    """Returns the style name for a text's second and later paragraphs, which are indented under the first."""
    return f"{name} Continued"


def _continued(look: Look) -> Look:
    """Returns the look of a text's second and later paragraphs.

    They are aligned with a text whose first line hangs out, or else have an indented first line.
    """
    stands_in = FURTHER_IN if look.hanging <= 0 else FURTHER_IN / 2
    return look._replace(name=continued(look.name), base=look.name, before=0, hanging=-stands_in)


PARAGRAPHS: Final = (*_LOOKS, *(_continued(look) for look in _LOOKS if look.name in GOING_ON))
"""Every style of a paragraph."""

LABEL: Final = "Label"
MARK: Final = "Note Mark"
