"""Transcripts nobody played: any shape one can have, and anything anybody can type in each of its texts."""

from __future__ import annotations

import unicodedata

from hypothesis import strategies as st

from retold.projections.maps.picture import Picture, Spot
from retold.projections.prose.telling import Tag
from retold.projections.story import document
from retold.projections.texts import safe

NOT_TYPED = frozenset({Tag.QUOTE, Tag.MECHANICS})
"""Kinds that no paragraph has when it is told."""

TRAPS = [
    "!action",
    "@Zel",
    ".Hall",
    "...and",
    "> to",
    ">middle<",
    "# part",
    "= sum",
    "===",
    "~la la",
    "(aside)",
    "[[note]]",
    "[",
    "]]",
    "[[",
    "]",
    "/*",
    "*/",
    "*bold*",
    "_under_",
    "\\",
    "\\*",
    "a_b_c",
    "INT. HALL - DAY",
    "EXT ROOF",
    "est. hill",
    "CUT TO:",
    "FADE OUT.",
    "JOHN",
    "JOHN (V.O.)",
    "JOHN ^",
    "Title: x",
    "#7#",
    "Hall #2#",
    "int x",
    "23",
    "  ",
    "\n",
    "\n\n",
    "\n  \n",
    "\t",
    "-->",
    "00:00:01,000 --> 00:00:02,000",
    "WEBVTT",
    "NOTE x",
    "STYLE",
    "<v Zel>",
    "<i>",
    "</i>",
    "&amp;",
    "&",
    "{\\an8}",
    "\\N",
    "7\n00:00:01,000 --> 00:00:02,000",
    "=> so",
    "-> Yes",
    "d: 4",
    "? Is it",
    "@(Zel) runs",
    "[N:Guard|dead]",
    "(note: x)",
    "(rule: y",
    ")",
    "```",
    'PC(Zel): "hm"',
    "! rain",
    "|",
    ":",
    "S3 *yard*",
    "### S3",
    "<script>",
    "\x1b[31m",
    "\u202e",
    "\u2028",
    "\x85",
    "\r",
    "\r\n",
    "e\u0301",
    "骰子",
    "👩\u200d🚀",
    "\u00a0",
    "\u3000",
]

typed = st.lists(st.sampled_from(TRAPS) | st.text(max_size=8), min_size=1, max_size=4).map("".join)
"""Anything somebody can type."""

luck = st.sampled_from(["", "called", "dealt"])
mechanics = st.lists(
    st.builds(document.Mechanic, st.just("e1"), st.just("table.dice-rolled"), typed, luck), max_size=2
).map(tuple)
times = st.none() | st.integers(0, 20_000_000).map(lambda milliseconds: milliseconds / 1000)

paragraphs = st.builds(
    document.Paragraph,
    id=st.integers(1, 999).map("e{}".format),
    kind=st.sampled_from([tag for tag in Tag if tag not in NOT_TYPED]),
    text=typed,
    speaker=st.none() | typed,
    manner=st.just("") | typed,
    mechanics=mechanics,
    eyes=st.none() | typed,
    later=st.booleans(),
    struck=st.booleans(),
    seconds=times,
    label=st.none() | typed,
    direction=st.booleans(),
)
conflicts = st.builds(
    document.Conflict,
    id=st.just("c1"),
    number=st.just(1),
    title=typed,
    system=st.just("Bruise"),
    sides=st.tuples(st.tuples(typed), st.tuples(typed)),
    stakes=st.none() | typed,
    continued=st.booleans(),
    mechanics=mechanics,
)
plates = st.builds(
    document.Plate, st.just("c1-map"), typed, st.just(Picture("A map", (Spot("Yard", 0.0, 0.0),), ()))
)
variations = st.builds(
    document.Variation,
    id=st.just("v2"),
    after=st.none() | st.just("e1"),
    name=typed,
    why=st.none() | typed,
    scenes=st.builds(
        document.Scene,
        st.just("s1"),
        st.none() | typed,
        st.none(),
        st.builds(document.Passage, st.none(), st.tuples(paragraphs)).map(lambda one: (one,)),
    ).map(lambda one: (one,)),
)
passages = st.builds(
    document.Passage,
    st.none() | conflicts,
    st.lists(paragraphs, max_size=3).map(tuple),
    st.lists(variations, max_size=1).map(tuple),
    st.none() | plates,
)
chapters = st.builds(
    document.Chapter, st.integers(1, 9), st.none() | typed, st.none() | st.just("2026-03-14")
)
scenes = st.builds(
    document.Scene,
    st.just("s1"),
    st.none() | typed,
    st.none() | chapters,
    st.lists(passages, max_size=2).map(tuple),
)
heads = st.builds(
    document.Head,
    campaign=st.none() | typed,
    session=st.none() | st.just(3),
    title=st.none() | typed,
    date=st.none() | st.just("2026-03-14"),
    systems=st.just(("Bruise",)),
    gm=st.none() | typed,
    players=st.lists(st.builds(document.Played, typed, st.tuples(typed)), max_size=2).map(tuple),
    absent=st.lists(typed, max_size=1).map(tuple),
    previously=st.none() | typed,
    summary=st.none() | typed,
)
members = st.builds(
    document.Member, typed, st.sampled_from(["character", "side"]), st.none() | typed, st.none() | typed
)
ends = st.builds(
    document.End,
    st.lists(typed, max_size=1).map(tuple),
    st.lists(typed, max_size=1).map(tuple),
    st.lists(st.builds(document.Quote, st.just("e2"), typed, st.none() | typed), max_size=1).map(tuple),
    st.lists(st.builds(document.Missing, st.just("e3"), typed, st.tuples(typed)), max_size=1).map(tuple),
)
entries = st.builds(document.Entry, typed, st.sampled_from(["person", "place"]), st.just((1, 2)))

transcripts = st.builds(
    document.Transcript,
    voice=st.just("report"),
    viewer=st.just("gm"),
    head=heads,
    cast=st.lists(members, max_size=2).map(tuple),
    scenes=st.lists(scenes, max_size=2).map(tuple),
    end=ends,
    index=st.lists(entries, max_size=1).map(tuple),
    opened=st.just("2026-03-14T19:00:00.000000Z"),
)
"""Any transcript."""


def told(transcript: document.Transcript) -> list[document.Paragraph]:
    """Its paragraphs, from first to last."""
    return [one for scene in transcript.scenes for passage in scene.passages for one in passage.paragraphs]


def read(text: str) -> str:
    """What a reader sees of a text: signs in any width, blanks of any length, nothing that is obeyed."""
    return " ".join(unicodedata.normalize("NFKC", safe.line(text)).replace("⏎", " ").split())


def wide(text: str) -> str:
    """The same signs in full width."""
    return "".join(chr(ord(sign) - ord("!") + ord("\N{FULLWIDTH EXCLAMATION MARK}")) for sign in text)


def one_paragraph(
    text: str,
    kind: Tag = Tag.SPEECH,
    speaker: str | None = "Zel",
    *,
    eyes: str | None = None,
    struck: bool = False,
) -> document.Transcript:
    """A transcript with nothing but a paragraph."""
    return of(document.Paragraph("e1", kind, text, speaker, eyes=eyes, struck=struck))


def of(*told: document.Paragraph) -> document.Transcript:
    """A transcript with these paragraphs in one scene."""
    scene = document.Scene("s1", "The yard", None, (document.Passage(None, told),))
    return document.Transcript(
        "report", "gm", document.Head("The Salt Road", 1), (), (scene,), document.End()
    )
