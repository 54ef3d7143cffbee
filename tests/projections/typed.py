"""A transcript in which one text stands wherever somebody can type one, made without a table."""

from __future__ import annotations

from msgspec.structs import replace

from projections import pages
from projections.prose.telling import Tag


def transcript_of(text: str, *, book: bool = False) -> pages.Transcript:
    """Every part a transcript may have, each with `text` in it; several sessions if it is a `book`."""
    chapters = (pages.Chapter(1, text, "2026-03-14"), pages.Chapter(2, text, None)) if book else (None,)
    scenes = [scene for number, one in enumerate(chapters) for scene in scenes_of(text, number, one)]
    return pages.Transcript(
        "report",
        "gm",
        pages.Head(
            text,
            None if book else 3,
            None if book else text,
            None if book else "2026-03-14",
            ("Bruise",),
            text,
            (pages.Played(text, (text, text)),),
            (text,),
            text,
        ),
        (pages.Member(text, "character", text, text), pages.Member(text, "character")),
        tuple(scenes),
        pages.End(
            (text,),
            (text,),
            (pages.Quote("q1", text, text), pages.Quote("q2", text)),
            (pages.Missing("e0-2", text, (text,)), pages.Missing("nowhere", text, ())),
        ),
        index=(pages.Entry(text, "person", (1, 2)), pages.Entry(text, "place", (2,))) if book else (),
    )


def scenes_of(text: str, number: int, chapter: pages.Chapter | None) -> tuple[pages.Scene, ...]:
    """What stands before the first scene, and a scene with a conflict in it."""
    before = pages.Paragraph(f"e{number}-0", Tag.NARRATION, text, mechanics=mechanics_of(text, number))
    head = pages.Conflict(
        f"c{number}", 1, text, "Bruise", ((text,), (text, text)), text, False, mechanics_of(text, number)
    )
    after = replace(before, id=f"e{number}-99")
    again = pages.Conflict(f"c{number}-2", 1, text, "Bruise", ((text,),), text, continued=True)
    told = tuple(paragraphs_of(text, number))
    return (
        pages.Scene(None, None, chapter, (pages.Passage(None, (before,)),)),
        pages.Scene(
            f"s{number}",
            text,
            None,
            (pages.Passage(head, told), pages.Passage(None, (after,)), pages.Passage(again, ())),
        ),
    )


def paragraphs_of(text: str, number: int) -> list[pages.Paragraph]:
    """A paragraph of every kind, and one of each peculiarity."""
    kinds = [
        pages.Paragraph(
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
    eyes = pages.Paragraph(f"e{number}-90", Tag.NARRATION, text, text, eyes="for the game master")
    struck = pages.Paragraph(f"e{number}-91", Tag.NARRATION, text, text, struck=True, later=True)
    return [*kinds, eyes, struck]


def mechanics_of(text: str, number: int) -> tuple[pages.Mechanic, ...]:
    """Two lines of mechanics, the luck of one of them called."""
    return (
        pages.Mechanic(f"m{number}", "table.rolled", text, "called"),
        pages.Mechanic(f"m{number}b", "table.rolled", text),
    )


def texts_of(transcript: pages.Transcript) -> list[str]:
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
