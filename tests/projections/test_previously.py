"""Chapters of a book that begin with how the session before them ended (issue 38, 10)."""

from __future__ import annotations

from typing import Any

import pytest

from retold.projections.exports import export
from retold.projections.prose import VOICES, in_language
from retold.projections.prose.phrases.languages import language
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.reading.sessions import Stretch
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import build
from retold.projections.story.transcript.build import of_line, of_session
from retold.projections.story.transcript.endings import with_previously
from tests.projections.reading import read, squeezed
from tests.projections.test_decided import night

THREE = """\
game d20
cast gm by=Lene
cast Osk dex=3 by=Ana: A baker
session One
scene The dry dock: It is night, and the dock is empty.
narrate --gm: A hidden hand waits in the loft.
say Osk: Who is there?
end session: Nobody answered.
session Two
scene The inn: Smoke.
narrate Osk: I wait for *her*.
end session
session Three
scene The road: Dust.
"""
NIGHT = "It is night, and the dock is empty."


def book(code: str = "en", voice: str = "report") -> Transcript:
    with night(THREE) as there:
        told = in_language(VOICES[voice], language(code))
        return with_previously(of_line(LineView(there.scribe.campaign, 1, viewer=GAME_MASTER), voice=told))


def beginnings(told: Transcript) -> list[str | None]:
    return [scene.chapter.previously for scene in told.scenes if scene.chapter]


def test_each_chapter_but_the_first_begins_with_the_end_of_the_one_before() -> None:
    assert beginnings(book()) == [
        None,
        f"The last scene: The dry dock. {NIGHT} Osk: “Who is there?” Nobody answered.",
        "The last scene: The inn. Smoke. Osk: I wait for her.",
    ]


def test_it_is_in_the_language_and_the_voice_of_the_book() -> None:
    assert beginnings(book("de")) == [
        None,
        f"Die letzte Szene: The dry dock. {NIGHT} Osk: „Who is there?“ Nobody answered.",
        "Die letzte Szene: The inn. Smoke. Osk: I wait for her.",
    ]
    assert (beginnings(book(voice="prose"))[2] or "").startswith("The inn. ")


def test_what_the_game_master_alone_knows_is_not_in_it() -> None:
    told = book()

    assert "hidden hand" in "".join(one.text for one in told.paragraphs())
    assert "hidden hand" not in "".join(filter(None, beginnings(told)))


def test_a_session_of_nothing_leaves_the_next_chapter_without_it() -> None:
    with night("cast Osk by=Ana\nsession One\nend session\nsession Two\nscene The inn: Smoke.") as there:
        told = with_previously(of_line(LineView(there.scribe.campaign, 1)))

    assert set(beginnings(told)) == {None}


@pytest.mark.parametrize("name", ["markdown", "text", "html", "epub", "docx", "pdf", "lonelog"])
def test_every_format_of_a_book_has_it_under_the_heading(name: str) -> None:
    told = squeezed(read(name, export(name, book(), "none")))

    assert told.count("Nobodyanswered.") == 2


BETWEEN = f"""\
{THREE}aside: Where was the cat?
narrate Osk: I jump into the harbour.
overrule gm Osk --veto: You do not.
end session
session Four
narrate Osk: I sleep.
"""
"""Session three has table talk and a struck narration, which a recap leaves out."""


@pytest.mark.parametrize("viewer", [GAME_MASTER, EVERYBODY])
@pytest.mark.parametrize("voice", VOICES)
def test_a_recap_is_the_same_whether_or_not_the_session_before_was_just_told(
    voice: str, viewer: Viewer
) -> None:
    with night(BETWEEN) as there:
        reading = LineView(there.scribe.campaign, 1, viewer=viewer)
        one_after_another = [of_session(reading, number, voice=voice) for number in range(1, 5)]
        apart = [
            of_session(LineView(there.scribe.campaign, 1, viewer=viewer), number, voice=voice)
            for number in range(1, 5)
        ]
    assert one_after_another == apart
    assert [bool(told.head.previously) for told in apart] == [False, True, True, True]


def test_a_session_is_not_told_again_for_the_recap(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    of_stretch = build.of_stretch

    def counting(reading: LineView, stretch: Stretch, *manner: Any) -> Transcript:  # noqa: ANN401 -- options
        told.append(stretch.after)
        return of_stretch(reading, stretch, *manner)

    with night(BETWEEN) as there:
        reading = LineView(there.scribe.campaign, 1, viewer=EVERYBODY)
        monkeypatch.setattr(build, "of_stretch", counting)
        for number in range(1, 5):
            of_session(reading, number)
        begun = [reading.sessions.stretch(number).after for number in (1, 2, 3, 3, 4)]
    assert told == begun  # only session three, where the words differ, is told twice
