"""Exports with a draft: its words in place of the record's, mechanics behind the acts they belong to."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.drafts.choosing import Choice
from retold.drafts.making import begin
from retold.drafts.naming import draft_meant
from retold.drafts.retelling import DraftChosen, retold
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.projections.exports import EXPORTS, FORMATS, export
from retold.projections.exports.replay_builder import replay_of
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.cli.shell import Shell
from tests.prepared import DOT
from tests.retold.drafts.played import Table, edited, played

PROSE = voice_of("prose")
FIGHT = """\
cast Guards bruise clubs=4
conflict "Out" bruise Zel vs Guards: Freedom
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
quality Guards 9
colour hearts
narrate Zel: One last cry, and the line breaks.
end conflict
narrate Ana: Then I row, and I say nothing.
end session
session The town
scene A cellar
narrate gm: The cellar smells of onions.
narrate Zel: I count what is left."""
CRY = "Zel: One last cry, and the line breaks."
ROW = "Ana: Then I row, and I say nothing."
RUN = "Zel: I run for the boat and do not look back at the lanterns."
ROPE = "Ana: I cut the rope behind him, and the ferry swings out."
SHOUT = "Zel: “Push off, before they count us!”"
MERGED = (
    "Zel ran for the boat and did not look back at the lanterns. Ana cut the rope, and the ferry swung out."
)
SECRET_WORDS = (b"captain", b"Morvane", b"compass", b"ledger", b"keeps")
SECRET = "The ferryman is paid by the captain of the watch."


def table_with_fight(
    folder: Path, name: str = "evening", *, secrets: bool = False, reader: str = "table"
) -> Table:
    table = played(folder, name, secrets=secrets)
    table.say(*FIGHT.splitlines())
    table.begin(reader="gm" if reader == "gm" else "table")
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = table_with_fight(tmp_path)
    yield table
    table.campaign.close()


def view(table: Table, whose: str = "table") -> LineView:
    return LineView(table.campaign, 1).called(whose)


def chosen(table: Table, *, is_wanted: bool = False) -> list[DraftChosen]:
    return [DraftChosen(draft_meant(table.campaign, None), PROSE, is_wanted)]


def evening(table: Table, session: int | None = 1, whose: str = "table") -> Transcript:
    reading = view(table, whose)
    if session is None:
        told, stretch = of_line(reading, voice=PROSE), Stretch(0, reading.position)
    else:
        told, stretch = of_session(reading, session, voice=PROSE), reading.sessions.stretch(session)
    return retold(told, reading, stretch, chosen(table))


def markdown(transcript: Transcript, mechanics: str = "none") -> list[str]:
    return export("markdown", transcript, mechanics).decode().split("\n\n")


EDITS = (
    (f"{RUN}\n\n{ROPE}", MERGED),
    (f"{SHOUT}\n\n", ""),
    (CRY, "Zel gave one last cry,\\\nand the line broke.\n\n* * *\n\nNobody spoke for an hour."),
    ("### The far bank", "### The further bank"),
    ("## The town", "## A town"),
)


def test_every_scene_has_the_drafts_words_headings_and_breaks(table: Table) -> None:
    table.take(edited(table.sent(), *EDITS))
    told = [*map(str.strip, markdown(evening(table)))]

    assert told[told.index("## The quay, at night") :] == [
        "## The quay, at night",
        "Rain since noon.",
        MERGED,
        "The ferryman pushes off without a word.",
        "Ana: I watch the far bank until it has a shape.",
        "## The further bank",
        *("Nobody lights a lamp.", "Zel: I go ashore first."),
        "The guards stand in the way. At stake: Freedom.",
        *("Zel gave one last cry,  \nand the line broke.", "\\* \\* \\*"),
        ROW,
    ]


def test_an_unrevealed_paragraph_is_in_the_game_masters_copy_only(table: Table) -> None:
    table.take(edited(table.sent(), *EDITS))
    new = next(one.block.id for one in table.standing().blocks if "an hour" in one.text)

    ends = ["\\* \\* \\*", "Nobody spoke for an hour."]
    assert markdown(evening(table, whose="gm"))[-3:-1] == ends
    assert not [text for text in markdown(evening(table)) if "hour" in text]
    with table.campaign.record.writing():
        table.campaign.drafts.revise(
            table.draft(), Choice(table.standing()).opens([str(new)], "table"), Manner()
        )
    assert markdown(evening(table))[-3:-1] == ends


def test_pictures_stand_where_their_blocks_do_apart_from_the_words_of_their_events(tmp_path: Path) -> None:
    table = played(tmp_path)
    table.say(f'image fog "{DOT}" alt="Three boats in fog" credit="Mara Lind": The quay lay empty.')
    table.say(f'handout letter "{DOT}" alt="A letter: Come alone." --to Ana')
    table.begin(reader="gm")
    sent = table.sent()
    assert sent.count(r"\[Image: Three boats in fog\]") == sent.count("The quay lay empty.") == 1
    picture = "*Picture: Three boats in fog (Picture by Mara Lind)*"

    def last_told(whose: str) -> list[str]:
        told = [*map(str.strip, markdown(evening(table, whose=whose)))]
        return told[told.index("Zel: I go ashore first.") + 1 :]

    assert last_told("table") == [picture, "The quay lay empty."]
    assert last_told("Kim") == [picture, "The quay lay empty.", "*Picture: A letter: Come alone.*"]
    table.take(
        edited(
            sent,
            ("Three boats in fog", "Two boats"),
            ("The quay lay empty.", "Nobody was on the quay.\n\n\\[Image: A map of mine\\]"),
        )
    )
    assert last_told("table") == ["*Picture: Two boats (Picture by Mara Lind)*", "Nobody was on the quay."]
    table.say(f"redact {table.position('Three boats')}")
    assert last_told("table") == []
    assert b"Two boats" not in (tmp_path / "evening.retold").read_bytes()
    table.campaign.close()


def test_mechanics_stand_behind_the_last_block_of_their_act_and_go_with_words_that_were_cut(
    table: Table,
) -> None:
    before = evening(table)
    table.take(edited(table.sent(), *EDITS))
    after = evening(table)

    def under(told: Transcript, begins: str) -> list[str]:
        (found,) = [one for one in told.paragraphs() if one.text.startswith(begins)]
        return [mechanic.text for mechanic in found.mechanics]

    assert under(after, "Zel gave") == under(before, "Zel: One last cry") != []
    assert under(after, "The guards stand") == under(before, "The guards stand") != []
    all_told = [one.text for told in after.paragraphs() for one in told.mechanics]
    assert all_told == [one.text for told in before.paragraphs() for one in told.mechanics]
    table.take(edited(table.sent(), ("Zel gave one last cry,\\\nand the line broke.\n\n", "")))
    assert set(all_told) - {one.text for told in evening(table).paragraphs() for one in told.mechanics} == {
        *under(after, "Zel gave")
    }
    assert len({one.id for one in after.paragraphs()}) == len(list(after.paragraphs()))


def test_mechanics_stand_behind_the_second_half_of_a_block_that_was_split(table: Table) -> None:
    before = {one.text: one.mechanics for one in evening(table).paragraphs()}
    table.take(edited(table.sent(), (CRY, "Zel gave one last cry.\n\nAnd then the line breaks.")))
    after = {one.text: one.mechanics for one in evening(table).paragraphs()}

    assert after["Zel gave one last cry."] == ()
    assert after["And then the line breaks."] == before[CRY] != ()


def test_a_book_keeps_its_sessions_and_has_their_new_titles(table: Table) -> None:
    table.take(edited(table.sent(), *EDITS))
    told = evening(table, None)

    assert [(one.session, one.title) for one in told.chapters] == [(1, "The ferry"), (2, "A town")]
    assert "## Session 2: A town" in markdown(told)
    assert evening(table, 2).title == "Session 2: A town"
    cut = edited(table.sent(), ("## A town\n\n### A cellar\n\nThe cellar smells of onions.\n\n", ""))
    table.take(edited(cut, ("Zel: I count what is left.\n\n", "")))
    assert [one.session for one in evening(table, None).chapters] == [1, 2]


def test_a_draft_of_one_session_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    table = table_with_fight(tmp_path)
    stretch = view(table).sessions.stretch(2)
    scope = table.draft().scope
    begin(
        table.campaign,
        "cellar",
        type(scope)(scope.line, stretch.after + 1, stretch.upto, "prose", "table"),
        PROSE,
    )
    table.take(edited(table.sent("cellar"), ("smells of onions", "smelled of onions")), "cellar")
    meant = [DraftChosen(draft_meant(table.campaign, "cellar"), PROSE, is_wanted=True)]
    reading = view(table)
    book = of_line(reading, voice=PROSE)
    told = retold(book, reading, Stretch(0, reading.position), meant)

    assert told.scenes[:-1] == book.scenes[: len(told.scenes) - 1]
    assert [one.text for one in told.scenes[-1].paragraphs()] == [
        "The cellar smelled of onions.",
        "Zel: I count what is left.",
    ]
    first = reading.sessions.stretch(1)
    with pytest.raises(Refused, match="The draft cellar tells nothing of this part: leave out --draft"):
        retold(of_session(reading, 1, voice=PROSE), reading, first, meant)
    table.campaign.close()


def test_a_replay_lights_the_paragraph_at_each_event_it_tells(table: Table) -> None:
    table.take(edited(table.sent(), *EDITS))
    reading = view(table)
    stretch = reading.sessions.stretch(1)
    line = replay_of(reading, stretch, evening(table), PROSE).lines[0]
    lit = [line.blocks[step.block].text for step in line.steps if step.block >= 0]

    assert lit.count(MERGED) == 3  # two events that it tells, and the one behind them, which was cut
    assert len({block.text for block in line.blocks if block.sort == "told"} - {*lit}) <= 1
    (merged,) = [block for block in line.blocks if block.text == MERGED]
    assert (merged.recorded, merged.after) == (f"{RUN}\n\n{ROPE}", 1)  # it appears with the last event
    assert [block.recorded for block in line.blocks if block.text.startswith("Nobody lights")] == [""]
    page = export(
        "replay", replace(evening(table), replay=replay_of(reading, stretch, evening(table), PROSE))
    )
    assert b'id="recorded"' in page
    plain = of_session(reading, 1, voice=PROSE)
    assert b'id="recorded"' not in export(
        "replay", replace(plain, replay=replay_of(reading, stretch, plain, PROSE))
    )


@pytest.mark.parametrize("session", [1, None])
def test_planted_secrets_change_no_byte_of_any_export(tmp_path: Path, session: int | None) -> None:
    tables = [
        table_with_fight(tmp_path, f"t{secrets}", secrets=secrets, reader="gm") for secrets in (True, False)
    ]
    made: list[dict[str, str]] = []
    for one in tables:
        changes: tuple[tuple[str, str], ...] = (
            ("Nobody lights a lamp.", "Nobody lit a lamp, then or later."),
            (f"{ROW}\n", f"{ROW}\n\nA new end, which the game master keeps.\n"),
        )
        text = one.sent()
        if SECRET in text:
            order = f"{SECRET}\n\n{ROPE}"
            changes = (*changes, (order, f"{ROPE} He is paid by the captain of the watch."))
        one.take(edited(text, *changes))
        told = evening(one, session)
        stretch = view(one).sessions.stretch(1) if session else Stretch(0, view(one).position)
        formats = [name for name, each in EXPORTS.items() if each.needs is None and not each.tells_record]
        made.append({name: _without_ids(export(name, told, "folded"), told) for name in formats})
        for name in formats:
            data = export(name, told, "folded")
            assert not [word for word in SECRET_WORDS if word in data]
        steps = replay_of(view(one), stretch, told, PROSE)
        data = export("replay-json", replace(told, replay=steps))
        assert not [word for word in SECRET_WORDS if word in data]
        if one is tables[0]:
            assert "captain of the watch" in "".join(markdown(evening(one, session, "gm")))
        one.campaign.close()

    assert made[0] == made[1]


def _without_ids(data: bytes, told: Transcript) -> str:
    """A file without what differs between campaigns: ids, the campaign's digest and times."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = b"".join(archive.read(name) for name in archive.namelist())
    text = re.sub('"seconds": [0-9.]+', "", data.decode("latin-1").replace(told.source, ""))
    for number, one in enumerate(told.paragraphs()):
        for id_ in (one.id, *one.others, *(mechanic.id for mechanic in one.mechanics)):
            text = text.replace(id_, f"id{number}")
    return text


# --- at the command line ----------------------------------------------------------------------------------


def test_exports_take_a_draft_by_name_by_revision_or_as_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_with_fight(tmp_path)
    table.take(edited(table.sent(), ("I go ashore first.", "I went ashore first.")))
    table.campaign.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RETOLD_CAMPAIGN", str(tmp_path / "evening.retold"))
    shell = Shell(tmp_path, monkeypatch, capsys)

    def told(*words: str) -> str:
        return shell.done("export", "--session", "1", "--voice", "prose", *words)

    new, old = "I went ashore first.", "I go ashore first."
    assert new not in told()
    assert new in told("--draft", "second")
    assert old in told("--draft", "second@1")
    shell.done("draft", "publish")
    for more in ("", "--publish", "-f html", "-f replay-json", "-f json"):
        assert new in told(*more.split()), more
    assert old in told("--no-draft")
    assert old in told("-f", "lonelog")
    assert new in shell.done("export", "--book", "--voice", "prose")
    for option, name in (("--site", "sessions/1.html"), ("--vault", "Sessions/Session 1.md")):
        shell.done("export", option, "out", "--voice", "prose")
        assert new in (tmp_path / "out" / name).read_text("utf-8")
    shell.done("export", "--session", "all", "-o", "each", "-f", "text", "--voice", "prose")
    assert new in (tmp_path / "each" / "session-1.txt").read_text("utf-8")
    assert json.loads(shell.done("export", "--json", "--draft", "second"))["voice"] == "prose"
    refused: dict[tuple[str, ...], str] = {
        ("-f", "srt", "--draft", "second"): "srt always tells the record's own words: leave out --draft.",
        (
            "--draft",
            "second",
            "--no-draft",
        ): "--draft tells a draft and --no-draft tells none: leave one out.",
        ("--draft", "third"): "No draft, or more than one, is called third.",
        ("--draft", "second@9"): "The draft second has the revisions 1 to 2, not 9.",
        ("--moment", "e20", "--draft", "second"): "A card of a moment has the record's own words",
    }
    for words, sentence in refused.items():
        said = shell.say("export", *words)
        assert (sentence in said.err, said.code in (1, 2), said.out) == (True, True, ""), words
    assert {name for name, each in FORMATS.items() if each.tells_record and not each.is_of_campaign} == {
        *("srt", "webvtt", "lonelog", "partylog")
    }
