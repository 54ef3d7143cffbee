"""A transcript in which one text stands wherever somebody can type one, made without a table."""

from __future__ import annotations

from msgspec.structs import replace

from retold.journal.system import Credit
from retold.projections.prose.telling import Tag
from retold.projections.story import document


def transcript_of(text: str, *, book: bool = False) -> document.Transcript:
    """Every part a transcript may have, each with `text` in it; several sessions if it is a `book`."""
    chapters = (document.Chapter(1, text, "2026-03-14"), document.Chapter(2, text, None)) if book else (None,)
    scenes = [scene for number, one in enumerate(chapters) for scene in scenes_of(text, number, one)]
    return document.Transcript(
        "report",
        "gm",
        document.Head(
            text,
            None if book else 3,
            None if book else text,
            None if book else "2026-03-14",
            ("Bruise",),
            text,
            (document.Played(text, (text, text)),),
            (text,),
            text,
            credits=(Credit(text, text, text),),
        ),
        (document.Member(text, "character", text, text), document.Member(text, "character")),
        tuple(scenes),
        document.End(
            (text,),
            (text,),
            (document.Quote("q1", text, text), document.Quote("q2", text)),
            (document.Missing("e0-2", text, (text,)), document.Missing("nowhere", text, ())),
        ),
        index=(document.Entry(text, "person", (1, 2)), document.Entry(text, "place", (2,))) if book else (),
    )


def scenes_of(text: str, number: int, chapter: document.Chapter | None) -> tuple[document.Scene, ...]:
    """What stands before the first scene, and a scene with a conflict in it."""
    before = document.Paragraph(f"e{number}-0", Tag.NARRATION, text, mechanics=mechanics_of(text, number))
    head = document.Conflict(
        f"c{number}", 1, text, "Bruise", ((text,), (text, text)), text, False, mechanics_of(text, number)
    )
    after = replace(before, id=f"e{number}-99")
    again = document.Conflict(f"c{number}-2", 1, text, "Bruise", ((text,),), text, continued=True)
    told = tuple(paragraphs_of(text, number))
    return (
        document.Scene(None, None, chapter, (document.Passage(None, (before,)),)),
        document.Scene(
            f"s{number}",
            text,
            None,
            (document.Passage(head, told), document.Passage(None, (after,)), document.Passage(again, ())),
        ),
    )


def paragraphs_of(text: str, number: int) -> list[document.Paragraph]:
    """A paragraph of every kind, and one of each peculiarity."""
    kinds = [
        document.Paragraph(
            f"e{number}-{place}",
            kind,
            "" if kind is Tag.MECHANICS else text,
            text if place % 2 else None,
            "declares" if kind is Tag.DECLARATION else "",
            mechanics_of(text, place) if place % 3 else (),
            generated=kind is Tag.GENERATED,
        )
        for place, kind in enumerate((kind for kind in Tag if kind is not Tag.QUOTE), start=1)
    ]
    eyes = document.Paragraph(f"e{number}-90", Tag.NARRATION, text, text, eyes="for the game master")
    struck = document.Paragraph(f"e{number}-91", Tag.NARRATION, text, text, struck=True, later=True)
    return [*kinds, eyes, struck]


def mechanics_of(text: str, number: int) -> tuple[document.Mechanic, ...]:
    """Two lines of mechanics, the luck of one of them called."""
    return (
        document.Mechanic(f"m{number}", "table.rolled", text, "called"),
        document.Mechanic(f"m{number}b", "table.rolled", text),
    )


def texts_of(transcript: document.Transcript) -> list[str]:
    """Everything told in it, paragraph by paragraph, mechanics and all."""
    found = [transcript.title, *(one.name for one in transcript.cast), *transcript.end.changed]
    for scene in transcript.scenes:
        found += [scene.title] if scene.title else []
        for passage in scene.passages:
            if passage.conflict is not None:
                found += [passage.conflict.title, *(one.text for one in passage.conflict.mechanics)]
            for one in passage.paragraphs:
                found += [one.text, *(mechanic.text for mechanic in one.mechanics)]
    return found
