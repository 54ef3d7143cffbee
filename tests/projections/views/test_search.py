"""Searching finds what stands on a line, for whoever may know it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest

from retold.journal.refused import Refused
from retold.journal.store.caches.index import Index
from retold.journal.store.events.kinds import EVENTS
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.store.writing.reveal import reveal
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import redo, undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.projections.reading import LineView
from retold.projections.views.naming import Who
from retold.projections.views.search import KINDS, Found, Match, Wanted, search
from tests.projections.evening import ASIDE, SECRET, Table, w


class Searcher:
    """Somebody who asks a table's index, which has always caught up."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.index = Index()

    def found(
        self, *words: str, at: int | None = None, line: int = 1, limit: int | None = None, **wanted: object
    ) -> Found:
        """What is found on a line, up to a position or its head; however few are shown, all are counted."""
        campaign = self.table.campaign
        self.index.catch_up(campaign.record, campaign.id)
        upto = campaign.record.head(line).position if at is None else at
        asked = Wanted(words, **wanted)  # type: ignore[arg-type]
        found = search(self.index, [LineView(campaign, line, upto)], asked, limit)
        shown = [search(self.index, [LineView(campaign, line, upto)], asked, few) for few in (1, 2)]
        assert [one.found for one in shown] == [found.found, found.found]
        assert [one.matches for one in shown] == [found.matches[-1:], found.matches[-2:]]
        return found

    def everywhere(self, *words: str, **wanted: object) -> Found:
        """What is found on all lines."""
        campaign = self.table.campaign
        self.index.catch_up(campaign.record, campaign.id)
        readings = [LineView(campaign, line) for line in campaign.lines()]
        return search(self.index, readings, Wanted(words, **wanted), None)  # type: ignore[arg-type]

    def texts(self, *words: str, **wanted: object) -> list[str]:
        """The texts that are found, in their order."""
        return [one.text for one in self.found(*words, **wanted).matches]  # type: ignore[arg-type]

    def only(self, *words: str, **wanted: object) -> Match:
        """The one that is found."""
        (one,) = self.found(*words, **wanted).matches  # type: ignore[arg-type]
        return one


@pytest.fixture
def asking(table: Table) -> Iterator[Searcher]:
    made = Searcher(table)
    yield made
    made.index.close()


def test_a_match_has_its_position_person_and_kind(asking: Searcher) -> None:
    one = asking.only("cry", "breaks")

    assert one.text == "One last cry, and the line breaks."
    assert (one.kind, one.what, one.branch, one.session) == ("table.narrated", "narration", "mainline", 1)
    assert one.who == (Who(asking.table.who("Zel"), "Zel"),)
    assert [one.text[start:end] for start, end in one.marks] == ["cry", "breaks"]
    row = asking.table.campaign.record.row(1, one.position or 0)
    assert row is not None
    assert row.kind == "table.narrated"


def test_matches_stand_in_the_order_they_were_recorded_and_the_last_of_them_are_shown(
    asking: Searcher,
) -> None:
    every = asking.found("the")
    last = asking.found("the", limit=3)

    positions = [one.position or 0 for one in every.matches]
    assert positions == sorted(positions)
    assert last.matches == every.matches[-3:]
    assert last.found == every.found == len(every.matches) > 3


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        ({"kind": "narration"}, ["One last cry, and the line breaks."]),
        ({"kind": "table.narrated"}, ["One last cry, and the line breaks."]),
        ({"kind": "Noted"}, ["for the cry"]),
        ({"kind": "speech"}, []),
        ({"who": "Zel"}, ["One last cry, and the line breaks.", "for the cry"]),
        ({"who": "jon"}, ["One last cry, and the line breaks.", "for the cry"]),
        ({"who": "Kit"}, []),
        ({"session": 1}, ["One last cry, and the line breaks.", "for the cry"]),
        ({"session": 2}, []),
    ],
)
def test_a_search_filters_by_kind_person_and_session(
    asking: Searcher, wanted: dict[str, object], texts: list[str]
) -> None:
    assert asking.texts("cry", **wanted) == texts


def test_a_search_falls_back_to_the_middle_of_words(asking: Searcher) -> None:
    found = asking.found("uggl")

    assert (found.within, [one.text for one in found.matches]) == (True, ["A smuggler, lately caught"])
    assert asking.found("smuggl").within is False


def test_every_search_word_for_a_kind_matches_an_existing_kind() -> None:
    shapes = [shape for shapes in KINDS.values() for shape in shapes]

    assert [shape for shape in shapes if not any(fnmatchcase(kind, shape) for kind in EVENTS)] == []
    assert all(KINDS.values())


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"kind": "song"}, "There is no kind “song”"),
        ({"who": "Nobody"}, "There is no “Nobody” here"),
        ({"session": 9}, "There is no session 9. The last is 2."),
        ({"viewer": "Nobody"}, "There is no “Nobody” here"),
    ],
)
def test_unknown_filters_are_refused(asking: Searcher, wanted: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        asking.found("cry", **wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", [(), ("",), (" ", "  "), tuple("abcd") * 26])
def test_empty_and_long_searches_are_refused(asking: Searcher, words: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="Give 1 to 100 words"):
        asking.found(*words)


# --- who may see what ---


@pytest.mark.parametrize(("viewer", "known"), [("gm", 1), ("table", 0), ("Jon", 0), ("Kit", 0), ("Rana", 1)])
def test_a_search_neither_finds_nor_counts_secrets(asking: Searcher, viewer: str, known: int) -> None:
    found = asking.found("captain", "brother", viewer=viewer)

    assert (found.found, len(found.matches), found.within) == (known, known, False)
    assert asking.found("aptai", viewer=viewer).found == known


@pytest.mark.parametrize(("viewer", "known"), [("gm", 1), ("table", 0), ("Jon", 1), ("Zel", 1), ("Kit", 0)])
def test_a_search_finds_text_for_its_audience(asking: Searcher, viewer: str, known: int) -> None:
    assert asking.found("tunnel", viewer=viewer).found == known


def test_revealed_text_is_found(asking: Searcher) -> None:
    hidden = asking.only("brother")
    reveal(asking.table.writer, hidden.position or 0, (asking.table.who("Kit"),))
    head = asking.table.writer.head.position

    assert asking.texts("brother", viewer="Kit") == [SECRET]
    assert asking.texts("brother", viewer="Kit", at=head - 1) == []
    assert asking.texts("brother", viewer="Jon") == []


def test_a_new_wording_of_hidden_text_is_hidden(asking: Searcher) -> None:
    hidden = asking.only("tunnel")
    reword(asking.table.writer, hidden.position or 0, w("Only Jon may know of the lantern"))

    assert asking.texts("lantern", viewer="Jon") == ["Only Jon may know of the lantern"]
    assert asking.texts("lantern", viewer="table") == asking.texts("lantern", viewer="Kit") == []


def test_a_match_reveals_no_gaps_to_players(asking: Searcher) -> None:
    gm, kit = asking.only("cry", "breaks"), asking.only("cry", "breaks", viewer="Kit")

    assert (gm.id, kit.position) == (f"e{gm.position}", None)
    assert str(gm.position) not in kit.id
    assert kit == asking.only("cry", "breaks", viewer="table")


# --- what stands ---


def test_undone_text_is_not_found_until_it_is_redone(asking: Searcher) -> None:
    asking.table.do(c.Note(text=w("A lantern in the marsh.")))
    undo(asking.table.writer)

    assert asking.texts("lantern") == []
    assert asking.only("lantern", undone=True).counts is False
    assert asking.only("lantern", at=asking.table.writer.head.position - 1).counts
    redo(asking.table.writer)
    assert asking.only("lantern").counts


def test_a_text_is_found_as_it_reads_now_and_once(asking: Searcher) -> None:
    place = asking.only("cry", "breaks").position or 0
    reword(asking.table.writer, place, w("One last cry, and the wall breaks."))
    reword(asking.table.writer, place, w("One last cry, and the sky breaks."))

    assert asking.texts("cry", "breaks") == ["One last cry, and the sky breaks."]
    assert asking.texts("line", "breaks") == asking.texts("wall", "breaks") == []
    assert asking.only("sky").position == place
    before = asking.table.writer.head.position - 1
    assert asking.texts("cry", "breaks", at=before) == ["One last cry, and the wall breaks."]


def test_an_overruled_narration_is_marked(asking: Searcher) -> None:
    struck, strike = asking.found("wing").matches
    edited = asking.only("mud")

    assert [one.struck for one in (struck, strike, edited)] == [True, False, False]
    assert struck.counts
    (row,) = asking.found("wing", kind="narration").sheet("mainline").rows
    assert row.cells[-1] == "~~She takes **wing**.~~ (overruled)"
    assert asking.found("wing", kind="narration").to_json()["matches"][0]["struck"] is True


def test_the_strike_of_a_hidden_narration_is_not_found(asking: Searcher) -> None:
    zel = asking.table.who("Zel")
    asking.table.do(c.End(what="conflict", how="ended"))
    asking.table.do(c.Narrate(who=zel, text=w("A secret door.")), see="gm")
    asking.table.do(c.Overrule(by=0, whose=zel, veto=True, text=w("There are no doors.")))

    assert asking.texts("doors") == ["There are no doors."]
    for viewer in ("table", "Jon", "Kit"):
        assert asking.texts("doors", viewer=viewer) == []


def test_words_told_later_belong_to_the_evening_they_are_about(asking: Searcher) -> None:
    place = asking.only("cry", "breaks").position or 0
    asking.table.do(c.Narrate(text=w("A lantern went out."), at=place, who=asking.table.who("Zel")))

    one = asking.only("lantern", session=1)
    assert (one.about, one.session) == (f"#{place}", 1)
    assert asking.texts("lantern", session=2) == []
    assert asking.only("lantern", viewer="Kit").about not in (None, f"#{place}")


def test_a_branch_has_its_own_and_its_shared_texts(asking: Searcher) -> None:
    campaign, head = asking.table.campaign, asking.table.writer.head.position
    there = campaign.fork(1, head, w("kinder"))
    campaign.writer(there).record(c.Note(text=w("A lantern on the branch.")))
    asking.table.do(c.Note(text=w("A lantern on the line.")))

    assert asking.texts("lantern") == ["A lantern on the line."]
    assert asking.texts("lantern", line=there) == ["A lantern on the branch."]
    assert asking.texts("cry", line=there) == asking.texts("cry")
    assert asking.only("cry", "breaks", line=there).branch == "kinder"


def test_shared_text_is_found_once_everywhere(asking: Searcher) -> None:
    campaign, head = asking.table.campaign, asking.table.writer.head.position
    there = campaign.fork(1, head, w("kinder"))
    campaign.writer(there).record(c.Note(text=w("A lantern on the branch.")))
    asking.table.do(c.Note(text=w("A lantern on the line.")))
    undo(asking.table.writer)
    branch = campaign.writer(there)
    reword(branch, asking.only("cry", "breaks").position or 0, w("One last lantern, and the line breaks."))

    found = asking.everywhere("lantern").matches
    assert [(one.branch, one.text) for one in found] == [
        ("kinder", "A lantern on the branch."),
        ("kinder", "One last lantern, and the line breaks."),
    ]
    assert [one.branch for one in asking.everywhere("line", "breaks").matches] == ["mainline", "kinder"]
    assert len(asking.everywhere("dignity").matches) == 1


def test_players_find_a_text_repeated_on_a_branch_once(asking: Searcher) -> None:
    """Only the game master knows that a secret was told otherwise there, and that what follows is anew."""
    table = asking.table
    secret = table.do(c.Note(text=w("The butler did it")), see="gm").first
    table.do(c.Narrate(text=w("The candle gutters.")))
    line = carry_out(plan_retcon(table.writer, secret, c.Note(text=w("The maid did it"))), "retcon")
    table.campaign.writer(line).record(c.Narrate(text=w("Another candle is lit.")))

    for viewer, found in (("gm", 3), ("Jon", 2), ("table", 2)):
        matches = asking.everywhere("candle", viewer=viewer).matches
        assert len(matches) == found
        assert [one.branch for one in matches][-1] == "retcon"


def test_a_person_unknown_on_one_branch_is_searched_on_others(asking: Searcher) -> None:
    campaign = asking.table.campaign
    there = campaign.fork(1, asking.table.writer.head.position, w("kinder"))
    branch = campaign.writer(there)
    branch.record(c.Cast(who=w("Odile")))
    branch.record(c.Say(who=branch.table.called("Odile"), text=w("A lantern, high up.")))

    assert [one.text for one in asking.everywhere("lantern", who="Odile").matches] == ["A lantern, high up."]
    assert asking.everywhere("tunnel", viewer="Odile").found == 0
    with pytest.raises(Refused, match="There is no “Nobody” here"):
        asking.everywhere("lantern", who="Nobody")


def test_redacted_words_are_not_found(asking: Searcher) -> None:
    writer, place = asking.table.writer, asking.only("dignity").position or 0
    with asking.table.campaign.record.writing():
        asking.table.campaign.record.delete_texts(1, place, (0,))
    writer.manage_all((e.Redacted(about=place, words=(0,)),), c.Note(text=w("-")))

    assert asking.texts("dignity") == []
    assert asking.texts("tunnel") == [ASIDE]


# --- how it is shown ---


def match(text: str, *marks: tuple[int, int]) -> Match:
    return Match("mainline", 7, "e7", None, 1, "table.noted", "note", (), text, marks, counts=True)


def test_an_excerpt_marks_every_match_and_breaks_at_words() -> None:
    text = f"{'before ' * 40}the lantern and the lamp{' after' * 40}"
    start = text.index("lantern")

    shown = match(text, (start, start + 7), (start + 16, start + 20)).excerpt()
    assert shown.startswith("…before ")
    assert " the **lantern** and the **lamp** after" in shown
    assert shown.endswith(" after…")
    assert len(shown) < 160


def test_an_excerpt_of_a_short_text_is_the_text_on_one_line() -> None:
    assert match("A lantern,\n  and   another.", (2, 9)).excerpt() == "A **lantern**, and another."
    assert match("龍騎士が来る", (1, 3)).excerpt() == "龍**騎士**が来る"
    assert match("Whatever SQLite found.").excerpt() == "Whatever SQLite found."


def test_a_long_text_without_blanks_is_cut() -> None:
    assert match("龍" * 500, (250, 252)).excerpt() == f"…{'龍' * 60}**龍龍**{'龍' * 60}…"


def test_the_sheet_has_a_row_per_match_and_counts_the_rest(asking: Searcher) -> None:
    sheet = asking.found("the", limit=2).sheet("mainline")

    assert [row.cells[0] for row in sheet.rows] == [
        str(one.position) for one in asking.found("the", limit=2).matches
    ]
    assert sheet.notes == (f"The last 2 of {asking.found('the').found}: -n 0 shows all.",)
    assert asking.found("the", limit=2).sheet("kinder").rows[0].cells[0].startswith("mainline@")
    assert asking.found("uggl").sheet("mainline").notes == (
        "No word begins so; these have it within a word.",
    )


def test_the_json_has_the_whole_text_and_where_it_matches(asking: Searcher) -> None:
    found = asking.found("cry", "breaks").to_json()

    assert (found["retold"], found["version"], found["words"], found["found"]) == (
        "search",
        1,
        ["cry", "breaks"],
        1,
    )
    assert found["matches"][0]["text"] == "One last cry, and the line breaks."
    assert found["matches"][0]["marks"] == [[9, 12], [27, 33]]
    assert found["matches"][0]["who"] == [{"id": asking.table.who("Zel"), "name": "Zel"}]
