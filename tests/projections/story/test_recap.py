"""A recap says what is recorded and nothing else, to whoever may know it, in a length one can read aloud."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import retold
from retold.journal import line
from retold.journal.capabilities import Picture, Row
from retold.journal.store.events.text_matching import count_words, normalised, words
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.projections.prose import VOICES
from retold.projections.prose.phrases import ENGLISH, Phrases, table
from retold.projections.reading import LineView
from retold.projections.story import recap
from retold.projections.story.recap import WORDS, nearly_full_clocks, of_line
from retold.projections.story.transcript.endings import FIRST, Recalled, cut, fitting
from retold.projections.views.sheet import changes
from tests.exploring import tries
from tests.projections.test_tracks import table as counting

ROOT = Path(__file__).resolve().parents[3]

EVENINGS = """\
campaign The Salt Road
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler, lately caught
cast Guards bruise spades=3 dodge=2
cast Odo bruise by=Kit clubs=3 melee=2
cast Perpetua: Keeper of the harbour seal
session The Long Ebb --date 2026-03-14: Rain, and the tide still out.
scene The porch: Lamps below.
narrate gm: Nobody has slept.
scene The stair: It goes down further than it should.
conflict "Out by the stair" bruise Zel vs Guards: freedom
draw Zel clubs+melee = KS 10S 9S 8S 7S 6S
draw Guards spades+dodge = 4H 3H 2H 2C 3C
narrate Zel: One last cry, and the line breaks.
end conflict
award Zel
narrate gm: Nobody counts the lamps.
undo
say Odo: "Not today."
note --gm: The wombat is her father.
narrate gm --gm: The numbat knows.
say Odo --to Zel: The quokka pays.
note Odo --quote: I roll for dignity.
end session: Zel is out, and wet.
session The Cellar --date 2026-03-21: A week of rain.
scene The cellar: Barrels.
cast Ash bruise by=Lou clubs=2 melee=1: A cooper with a grudge
narrate Perpetua: The seal is gone, and so is the boy who kept it.
conflict "Who has the seal" bruise Odo vs Ash
draw Odo clubs+melee = KH 10H 9H 8H 7H
draw Ash clubs+melee = 4D 3C 2C
"""

THE_FIRST = """\
Session 1, The Long Ebb (2026-03-14)
Zel is out, and wet.
The last scene: The stair.
It goes down further than it should.
Zel: One last cry, and the line breaks.
Odo: “Not today.”
“I roll for dignity.” (Odo)

What changed
  Out by the stair: Zel won.
  Zel: Legacy 0 → 1.

Who is who
  Zel (Jon): A smuggler, lately caught
  Odo (Kit)"""

THE_LAST = """\
Session 2, The Cellar (2026-03-21)
The last scene: The cellar.
Barrels.
Perpetua: The seal is gone, and so is the boy who kept it.

What changed
  Ash joined the cast.

Open
  Who has the seal (Bruise, Odo vs Ash) is not over.
  Not told yet: Odo took the hand against Ash. (Odo)

Who is who
  Odo (Kit)
  Ash (Lou): A cooper with a grudge
  Perpetua: Keeper of the harbour seal"""


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the evenings; copied, never written to."""
    path = tmp_path_factory.mktemp("evenings") / "salt.retold"
    with retold.new(path) as made:
        made.play(EVENINGS)
    return path


@pytest.fixture
def campaign(evenings: Path, tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.open(shutil.copy(evenings, tmp_path / "salt.retold")) as made:
        yield made


def play(campaign: retold.Campaign, *lines: str) -> None:
    campaign.play("\n".join(lines))


def test_a_session_is_recapped_in_the_tables_own_words(campaign: retold.Campaign) -> None:
    assert str(campaign.recap(1)) == THE_FIRST


def test_the_last_session_reaches_up_to_now(campaign: retold.Campaign) -> None:
    assert str(campaign.recap()) == THE_LAST


@pytest.mark.parametrize("part", [1, 2, None, "s1..s2"])
def test_in_short_it_begins_as_the_whole_does(campaign: retold.Campaign, part: str | int | None) -> None:
    reading = LineView(campaign.shared.store, campaign.line)
    short, whole = of_line(reading, part, whole=False), of_line(reading, part)

    assert (short.title, *short.first_lines()) == (whole.title, *whole.first_lines())
    assert short.happened == whole.happened != ()


def test_in_short_a_session_in_which_nothing_was_told_has_its_title_and_who_is_who(tmp_path: Path) -> None:
    with retold.new(tmp_path / "short.retold") as made:
        made.play("session\ncast Bo: A cooper")
        reading = LineView(made.shared.store, made.line)
        short, whole = of_line(reading, whole=False), of_line(reading)

    assert (short.title, short.happened) == (whole.title, ())
    assert short.people.lines == whole.people.lines != ()


def test_several_sessions_have_a_line_each(campaign: retold.Campaign) -> None:
    play(
        campaign,
        "end conflict stalemate",
        "end session",
    )

    assert list(campaign.recap("s1..s2").lines())[:3] == [
        "Sessions 1-2",
        "Session 1, The Long Ebb: Zel is out, and wet.",
        "Session 2, The Cellar: Perpetua: The seal is gone, and so is the boy who kept it.",
    ]
    assert campaign.recap("s1..") == campaign.recap("1..2")
    assert campaign.recap("s1..s1") == campaign.recap(1)


def test_a_session_that_was_only_opened_is_not_the_last(campaign: retold.Campaign) -> None:
    play(
        campaign,
        "end conflict stalemate",
        "end session",
        "award Odo",
        "session Low Water: Fog.",
        "scene The bar: Nobody.",
        "note --to table: Lou is late.",
    )
    since = campaign.recap()

    assert (since.sessions, since.happened) == ((2,), campaign.recap(2).happened)
    assert "Odo: Legacy 0 → 1." in since.changed.lines
    assert "Odo: Legacy 0 → 1." not in campaign.recap(2).changed.lines

    campaign.say("narrate gm: Then the bell.")

    assert [one.text for one in campaign.recap().happened] == ["The bar", "Nobody.", "Then the bell."]


def test_it_does_not_look_back_for_ever(campaign: retold.Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that never ends its sessions hears of the last of it, in the scene set long before."""
    play(campaign, "end conflict stalemate", *(f"narrate gm: Wave {number}." for number in range(1, 9)))
    monkeypatch.setattr(recap, "BACK", 8)

    assert (
        str(campaign.recap())
        == """\
Session 2, The Cellar (2026-03-21)
The last scene: The cellar.
Wave 6.
Wave 7.
Wave 8."""
    )


def test_a_summary_comes_first_wherever_it_was_written(campaign: retold.Campaign) -> None:
    campaign.say("note --to table --at s1: They got out.")

    assert [one.text for one in campaign.recap(1).happened][:2] == ["Zel is out, and wet.", "They got out."]
    assert campaign.recap("s1..s2").happened[0].text == "Zel is out, and wet."


def test_as_json_it_says_what_each_text_is(campaign: retold.Campaign) -> None:
    found = campaign.recap().to_json()

    assert {key: found[key] for key in ("retold", "version", "title", "sessions")} == {
        "retold": "recap",
        "version": 1,
        "title": "Session 2, The Cellar (2026-03-21)",
        "sessions": [2],
    }
    assert found["happened"][-1] == {
        "what": "words",
        "session": 2,
        "who": "Perpetua",
        "text": "The seal is gone, and so is the boy who kept it.",
    }
    assert found["left_out"] == {"changed": 0, "open": 0, "people": 0}


def test_open_threads_stand_with_what_was_noted_of_them_last(campaign: retold.Campaign) -> None:
    play(
        campaign,
        'thread "Who paid the ferryman": Two coins.',
        'thread "The drowned bell": It rings.',
        'thread "The drowned bell" --done: It was a buoy.',
        'thread "Why the tide is late" --gm: The quokka pays it.',
        'thread "Who paid the ferryman": Not Zel.',
    )

    assert campaign.recap().open.lines == (
        "Who has the seal (Bruise, Odo vs Ash) is not over.",
        "Who paid the ferryman: Not Zel.",
        "Not told yet: Odo took the hand against Ash. (Odo)",
    )
    assert campaign.recap(1).open.lines == ()


@pytest.mark.parametrize(
    ("value", "most", "is_near"),
    [(3, 4, True), (2, 4, False), (4, 6, True), (3, 6, False), (6, 6, False), (0, 8, False)],
)
def test_a_clock_is_open_once_a_third_of_it_or_less_is_left(value: int, most: int, is_near: bool) -> None:
    shown = list(
        nearly_full_clocks(counting(state=[Row(None, "guard", value, most, Picture.CLOCK)]), ENGLISH)
    )

    assert shown == ([f"The ford: guard {value} of {most}"] if is_near else [])
    assert (
        list(nearly_full_clocks(counting(state=[Row(1, "torches", value, most, Picture.COUNTER)]), ENGLISH))
        == []
    )


# --- what counts, and for whom ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("viewer", "known"), [("gm", []), ("table", []), ("Jon", ["quokka"]), ("Kit", ["quokka"]), ("Lou", [])]
)
def test_a_recap_leaks_no_secrets(campaign: retold.Campaign, viewer: str, known: list[str]) -> None:
    """The game master's is for reading out: it says what the whole table may know."""
    for part in (None, 1, "s1..s2"):
        for voice in VOICES:
            recap = campaign.seen_by(viewer).recap(part, voice)
            said = f"{recap}{recap.to_json()}".casefold()

            assert [word for word in ("wombat", "numbat", "lamps.") if word in said] == []
            assert [word for word in ("quokka",) if word in said] == (known if part == 1 else [])


def test_a_recap_labels_private_lines(campaign: retold.Campaign) -> None:
    assert "Odo (for Zel): “The quokka pays.”" in campaign.seen_by("Kit").recap(1).lines()
    assert "Odo: “The quokka pays.”" in campaign.seen_by("Jon").recap(1).lines()


def test_a_hidden_narration_does_not_show_that_a_session_has_begun(campaign: retold.Campaign) -> None:
    play(
        campaign,
        "end conflict stalemate",
        "end session",
        "session Low Water",
        "narrate gm --gm: The numbat wakes.",
    )

    assert [campaign.seen_by(viewer).recap().sessions for viewer in ("gm", "Jon")] == [(2,), (2,)]


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("hp Zel -5: An arrow out of the dark.", 2),
        ("hp Zel -5", 1),
        ('clock "The guard wakes" +1: A cough below.', 2),
        ('clock "The guard wakes" +1', 1),
    ],
)
def test_what_a_track_or_a_clock_tells_begins_a_session(tmp_path: Path, line: str, last: int) -> None:
    """Words with a track tell as a narration does; a track by itself tells nothing."""
    with retold.new(tmp_path / "arrow.retold") as campaign:
        play(
            campaign,
            *("game d20", "cast Zel health=12", 'clock "The guard wakes" 6'),
            *("session One", "narrate gm: Rain.", "end session", "session Two", line),
        )

        assert campaign.recap().sessions == (last,)


def test_a_clock_of_nobodys_is_named_after_the_game_that_is_played(tmp_path: Path) -> None:
    """Also where it is chosen only later: the clock is the same one."""
    with retold.new(tmp_path / "clock.retold") as campaign:
        play(campaign, "session One", 'clock "The guard wakes" 2/6', "scene The wall: Moss.", "mark wall")
        assert campaign.view("tracks").sheet().rows[0].cells == (
            *("A game that is nobody's", "The guard wakes", "2/6"),
        )
        play(campaign, "game d20", 'clock "The guard wakes" +2')

        assert "d20: The guard wakes 4 of 6" in str(campaign.recap())
        found = changes(campaign.at("wall").view("tracks"), campaign.view("tracks"))
        assert [change.sentence() for change in found] == ["A d20 and a number, The guard wakes: 2/6 → 4/6"]


def test_a_branch_has_a_recap_of_its_own(campaign: retold.Campaign) -> None:
    play(
        campaign,
        "branch kinder s2",
        "scene The roof: Slates.",
        "narrate Zel: I sit down.",
    )

    assert [one.text for one in campaign.branch("kinder").recap().happened] == [
        "The roof",
        "Slates.",
        "I sit down.",
    ]
    assert str(campaign.branch("mainline").recap()) == THE_LAST
    assert str(campaign.at("s2").recap()).startswith("Session 1, The Long Ebb (2026-03-14)\n")


def test_words_that_were_taken_away_are_not_read_out(campaign: retold.Campaign) -> None:
    for text in ("wet", "further", "last cry", "dignity"):
        campaign.say(f"redact {next(one.id for one in campaign.search(*text.split()))[1:]}")
    campaign.say("redact --person Odo")
    said = str(campaign.recap(1))

    assert [word for word in ("wet", "further", "cry", "dignity", "Odo") if word in said] == []
    assert [one.text for one in campaign.recap(1).happened] == ["Not today."]
    assert "[redacted]" not in said


def test_what_was_struck_is_not_told_again(tmp_path: Path) -> None:
    with retold.new(tmp_path / "struck.retold") as campaign:
        play(
            campaign,
            "cast gm by=Eve",
            "cast Ann spacetime by=Pa",
            "session One",
            "narrate Ann: The bridge holds.",
            "narrate Ann: The lamps go out.",
            "overrule gm Ann --veto: There are no lamps.",
        )

        assert [one.text for one in campaign.recap().happened] == ["The bridge holds."]


def test_it_folds_the_line_once(campaign: retold.Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table once, whoever reads: names are looked for at the end, in a table that is there already."""
    jons = campaign.seen_by("Jon")
    folded: list[tuple[int, int]] = []
    tables: list[Table] = []
    evolve = line.evolve

    def counted(table: Table, live: line.LiveEvent) -> None:
        tables.append(table)  # so that no other has its id
        folded.append((id(table), live.position))
        evolve(table, live)

    monkeypatch.setattr(line, "evolve", counted)

    for reading in (campaign, jons):
        folded.clear()
        reading.recap(2)
        assert len(folded) == len(set(folded))
        assert max(position for _, position in folded) == campaign.position


# --- its length -------------------------------------------------------------------------------------------

LONG = "The tide turns, and nobody says a word about it for a while. " * 40


@settings(max_examples=tries(12))
@given(st.data())
def test_it_is_never_longer_than_can_be_read_aloud(data: st.DataObject) -> None:
    text = st.sampled_from(["Short.", LONG, "word " * 300, "潮が変わる。" * 60, "a" * 900, "[redacted]"])
    with TemporaryDirectory() as folder, retold.new(Path(folder) / "long.retold") as campaign:
        for session in range(1, data.draw(st.integers(1, 3)) + 1):
            campaign.say(f"session {data.draw(text).strip()}")
            for person in range(data.draw(st.integers(0, 12))):
                campaign.say(
                    f'cast "Person {session} {person}" bruise by=P{person} clubs=3: {data.draw(text)}'
                )
            campaign.say(f"scene {data.draw(text)}: {data.draw(text)}")
            for _ in range(data.draw(st.integers(0, 4))):
                campaign.say(f"narrate gm: {data.draw(text)}")
            campaign.say(f"note --quote: {data.draw(text)}")
            campaign.say(f"end session: {data.draw(text)}" if data.draw(st.booleans()) else "end session")
        for part in (None, "s1.."):
            recap = campaign.recap(part)

            assert 0 < count_words(str(recap)) <= WORDS
            assert sum(count_words(one) for one in recap.first_lines()) <= FIRST


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("One. Two three.", 3, "One. Two three."),
        ("One. Two three.", 2, "One. …"),
        ("“One!” Two three.", 2, "“One!” …"),
        ("One two three.", 2, ""),
        ("One... and two.", 2, "One... …"),
        ("一二三。四五六。", 4, "一二三。 …"),
        ("Nothing", 0, ""),
    ],
)
def test_what_is_too_long_is_cut_at_the_end_of_a_sentence(text: str, room: int, expected: str) -> None:
    assert cut(text, room) == expected


def test_where_no_sentence_fits_it_is_cut_between_words_if_there_is_nothing_else() -> None:
    assert cut("One two three four", 2, force=True) == "One two …"
    assert cut("One. Two three four", 2, force=True) == "One. …"


def test_a_summary_leaves_no_room_and_then_the_last_scene_goes_before_the_words_and_quotes() -> None:
    told = (
        Recalled("summary", 1, "Six words are in this one."),
        Recalled("scene", 1, "A stair"),
        Recalled("words", 1, "Before."),
        Recalled("words", 1, "Last of all.", "Zel", "Zel"),
        Recalled("quote", 1, "Ha."),
    )

    def texts(room: int) -> list[str]:
        return [one.text for one in fitting(told, room, ENGLISH)]

    assert texts(6) == ["Six words are in this one."]
    assert texts(11) == ["Six words are in this one.", "A stair"]
    assert texts(15) == ["Six words are in this one.", "A stair", "Last of all."]
    assert texts(16) == ["Six words are in this one.", "A stair", "Before.", "Last of all."]
    assert texts(17) == [one.text for one in told]


@pytest.mark.parametrize(("words", "fits"), [(185, True), (186, False)])
def test_a_recap_keeps_a_line_only_if_it_fits(words: int, fits: bool, tmp_path: Path) -> None:
    """Of the 200 words 8 stand above, 3 in the heading, 2 are kept for how many more; "Ann (Kit)" has two."""
    described = "word " * (words - 1) + "word"
    with retold.new(tmp_path / "a.retold") as campaign:
        play(
            campaign,
            f"cast Ann bruise by=Kit clubs=3: {described}",
            "session One --date 2026-03-14",
            "narrate Ann: Rain.",
        )

        people = campaign.recap().people

    assert people.lines == ((f"Ann (Kit): {described}",) if fits else ())
    assert people.more == (not fits)


# --- nothing is invented ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["guenask/floating-school", "edgerunner/warehouse", "whiskey/causeway"])
def test_every_word_is_recorded_or_a_phrase(name: str, tmp_path: Path) -> None:
    with retold.new(tmp_path / "told.retold") as campaign:
        campaign.play((ROOT / f"examples/{name}.session").read_text("utf-8"))
        rows = campaign.shared.store.record.rows(1)
        recorded = {word for row in rows for word in parts(f"{row.words} {row.body}")}
        phrases = {word for text in table().values() for word in parts(text)}
        games = {word for game in SYSTEMS.values() for word in parts(game.title)}
        for number in campaign.sessions:
            for part in (number, f"s1..s{number}"):
                said = {word for word in parts(str(campaign.recap(part))) if not word.isdigit()}

                assert len(said) > 20
                assert said - recorded - phrases - games == set()


def parts(text: str) -> Iterator[str]:
    """The words of a text, however they were set."""
    return (word.text for word in words(normalised(text)))


# --- where there is nothing to say ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines", ["", "cast gm by=Mary\ncast Zel", "session One", "session\nnote: The numbat."]
)
def test_where_nothing_has_been_told_there_is_no_recap(lines: str, tmp_path: Path) -> None:
    with retold.new(tmp_path / "empty.retold") as campaign:
        campaign.play(lines)

        with pytest.raises(retold.Refused) as refusal:
            campaign.recap()
        assert refusal.value.sentence == "Nothing has been told here yet, so there is nothing to recap."


def test_a_campaign_without_sessions_is_recapped_as_a_whole(tmp_path: Path) -> None:
    with retold.new(tmp_path / "loose.retold", title="Loose Ends") as campaign:
        campaign.say("narrate gm: It begins.")

        assert str(campaign.recap()) == "Loose Ends\nIt begins."


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("s9", "There is no session 9 on this line. There are: 1, 2."),
        (0, "There is no session 0 on this line. There are: 1, 2."),
        ("s1..s9", "There is no session 9 on this line. There are: 1, 2."),
        ("s2..s1", "s2..s1 runs backwards: say recap s1..s2."),
        ("s2-s3", "“s2-s3” is no session: say recap s3, or recap s3..s7."),
        ("", "“” is no session: say recap s3, or recap s3..s7."),
    ],
)
def test_a_session_that_is_not_there_is_refused(
    campaign: retold.Campaign, part: str | int, sentence: str
) -> None:
    with pytest.raises(retold.Refused) as refusal:
        campaign.recap(part)

    assert refusal.value.sentence == sentence


# --- voices, and the page of the next session -------------------------------------------------------------


def test_every_sentence_of_ours_is_the_voices(campaign: retold.Campaign) -> None:
    spoken = replace(
        VOICES["report"],
        quotes=("»", "«"),
        phrases=Phrases(
            lambda: {
                "recap.scene": "Zuletzt: {{ scene }}.",
                "recap.session": "Abend {{ number }}{% if title %}: {{ title }}{% endif %}",
                "recap.people": "Wer",
                "page.changed": "Neu",
                "table.won": "{{ who }} gewann.",
                "changed.number": "{{ who }}: {{ was }} auf {{ now }} {{ what }}.",
                "named.legacy": "Erbe",
            }
        ),
    )

    assert (
        str(campaign.recap(1, spoken))
        == """\
Abend 1: The Long Ebb
Zel is out, and wet.
Zuletzt: The stair.
It goes down further than it should.
Zel: One last cry, and the line breaks.
Odo: »Not today.«
»I roll for dignity.« (Odo)

Neu
  Out by the stair: Zel gewann.
  Zel: 0 auf 1 Erbe.

Wer
  Zel (Jon): A smuggler, lately caught
  Odo (Kit)"""
    )


def test_previously_falls_back_to_the_first_lines_of_the_recap(campaign: retold.Campaign) -> None:
    play(
        campaign,
        "end conflict stalemate",
        "narrate gm --gm: The numbat knows.",
        "say Odo --to Zel: The quokka pays.",
        "end session",
        "session Low Water",
        "narrate gm: Then the bell.",
    )
    told = campaign.seen_by("table").transcript(3, "prose")
    lines = [
        "The cellar.",
        "Barrels.",
        "Perpetua: The seal is gone, and so is the boy who kept it.",
    ]

    assert campaign.transcript(2).head.previously == "Zel is out, and wet."
    assert told.head.previously == "\n\n".join(lines)
    assert list(campaign.recap(2, "prose").first_lines())[:3] == lines
    assert campaign.transcript(1).head.previously is None
    assert campaign.transcript(3, "prose").head.previously == told.head.previously
    assert "Odo: “The quokka pays.”" in (campaign.seen_by("Jon").transcript(3).head.previously or "")
    assert b"> **Previously.** The last scene: The cellar." in campaign.export("markdown", 3)


def test_item_10_a_recap_has_three_lengths(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        for typed in EVENINGS.splitlines():
            campaign.say(typed)
        sentence, paragraph, usual, page = (
            campaign.recap("s1", length=length) for length in ("sentence", "paragraph", None, "page")
        )
        refused = refusal(campaign, "book")

    assert list(sentence.lines()) == ["Zel is out, and wet."]
    assert len(list(paragraph.lines())) == 1
    assert "Zel is out, and wet." in str(paragraph)
    assert usual.happened == paragraph.happened
    assert {words.text for words in usual.happened} <= {words.text for words in page.happened}
    assert count_words(str(usual)) <= WORDS
    assert refused == "A recap has the length sentence, paragraph, page, not book."


def test_item_10_a_page_has_more_than_a_minute(tmp_path: Path) -> None:
    with retold.new(tmp_path / "a.retold") as campaign:
        for typed in ("session One", *(f"narrate gm: {'They walked on. ' * 10}" for _ in range(9))):
            campaign.say(typed)
        minute, page = (count_words(str(campaign.recap(length=length))) for length in (None, "page"))

    assert minute <= WORDS < page <= WORDS * 5 // 2


def refusal(campaign: retold.Campaign, length: str) -> str:
    with pytest.raises(retold.Refused) as refused:
        campaign.recap(length=length)
    return str(refused.value)
