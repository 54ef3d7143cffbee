"""What becomes of blocks and paragraphs: nothing is lost, and ids are not needed."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from retold.drafts.alignment import Alignment, Block, Change, Paragraph, Part, Result, align
from retold.drafts.alignment.aligning import nearest

STORY = (
    "The bell rings at midnight unless somebody stops it.",
    "A door with three locks, and somebody humming behind it.",
    "Osk throws his lantern at the lamp: oil, glass, and a beard that will not grow back.",
    "They go down eleven steps together, and one of them is under.",
    "Thia ties the warden up with his own rope, which is how it stays quiet.",
)
WORDS = st.sampled_from(["lamp", "oil", "bell", "rope", "the", "of", "Osk", "Thia", "warden", "鐘", "鳴る"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=12)


def sent(*texts: str) -> list[Block]:
    return [Block(f"b{n}", text, (Part(f"e{n}", text),)) for n, text in enumerate(texts, 1)]


def came(*texts: str) -> list[Paragraph]:
    return [Paragraph(text) for text in texts]


def only(alignment: Alignment, change: Change) -> Result:
    (result,) = (each for each in alignment.results if each.change is change)
    return result


@given(TEXTS, TEXTS)
def test_every_block_and_paragraph_is_in_exactly_one_result(before: list[str], after: list[str]) -> None:
    alignment = align(sent(*before), came(*after))
    blocks = Counter(block for each in alignment.results for block in each.sent)
    paragraphs = Counter(place for each in alignment.results for place in each.came)
    assert blocks == Counter(range(len(before)))
    assert paragraphs == Counter(range(len(after)))


@given(TEXTS, TEXTS)
def test_a_change_says_how_many_blocks_and_paragraphs_it_has(before: list[str], after: list[str]) -> None:
    for each in align(sent(*before), came(*after)).results:
        blocks, paragraphs = len(each.sent), len(each.came)
        match each.change:
            case Change.KEPT | Change.EDITED:
                assert (blocks, paragraphs) == (1, 1)
            case Change.MERGED:
                assert blocks > 1 == paragraphs
            case Change.SPLIT:
                assert paragraphs > 1 == blocks
            case Change.CUT:
                assert (blocks, paragraphs) == (1, 0)
            case Change.NEW:
                assert (blocks, paragraphs) == (0, 1)


@given(TEXTS, TEXTS)
def test_every_event_is_told_or_its_block_is_cut(before: list[str], after: list[str]) -> None:
    alignment = align(sent(*before), came(*after))
    told = {event for events in alignment.tells for event in events}
    for each in alignment.results:
        for block in each.sent:
            assert each.change is Change.CUT or f"e{block + 1}" in told


@given(TEXTS)
def test_a_text_that_was_not_edited_is_kept(texts: list[str]) -> None:
    alignment = align(sent(*texts), came(*texts))
    assert alignment.results == tuple(Result(Change.KEPT, (n,), (n,)) for n in range(len(texts)))
    assert alignment.tells == tuple((f"e{n}",) for n in range(1, len(texts) + 1))


def test_what_a_word_processor_changes_by_itself_is_kept() -> None:
    alignment = align(sent("“Wait…” \u2013 so he said."), came('"Wait..."  -  so he said.'))
    assert alignment.summary() == "1 kept"


def test_a_text_of_thousands_of_paragraphs_is_aligned_as_a_short_one_is() -> None:
    before = [f"Paragraph {n} of the tower tells of stair{n} and of lamp{n * 7919}." for n in range(600)]
    after = [text.replace("tells", "told") for text in before if "9 of" not in text]
    counts = Counter(each.change for each in align(sent(*before), came(*after)).results)
    assert counts == {Change.EDITED: 540, Change.CUT: 60}


def test_a_paragraph_in_another_place_is_moved() -> None:
    alignment = align(sent(*STORY), came(STORY[4], *STORY[:4]))
    assert [each.sent for each in alignment.results if each.moved] == [(4,)]
    assert alignment.summary() == "4 kept, 1 moved"


def test_a_paragraph_of_two_blocks_tells_both() -> None:
    alignment = align(sent(*STORY), came(STORY[0], f"{STORY[1]} {STORY[2]}", *STORY[3:]))
    assert only(alignment, Change.MERGED).sent == (1, 2)
    assert alignment.tells[1] == ("e2", "e3")


def test_a_block_joined_to_half_of_a_split_block_is_cut_and_both_halves_stay() -> None:
    first = "Osk throws his lantern at the lamp and the whole stair burns with oil."
    second = "They go down eleven steps together, and one of them is under water."
    joined = "Thia ties the warden quietly."
    alignment = align(
        sent(STORY[0], f"{first} {second}", joined, STORY[1]),
        came(STORY[0], f"{first} {joined}", second, STORY[1]),
    )
    split = only(alignment, Change.SPLIT)
    assert (split.sent, split.came) == ((1,), (1, 2))
    assert only(alignment, Change.CUT).sent == (2,)
    assert alignment.tells == (("e1",), ("e2", "e3"), ("e2",), ("e4",))


def test_the_halves_of_a_block_tell_the_events_whose_words_they_have() -> None:
    block = Block("b1", f"{STORY[2]} {STORY[4]}", (Part("e1", STORY[2]), Part("e2", STORY[4])))
    alignment = align([block], came(STORY[2], STORY[4]))
    assert only(alignment, Change.SPLIT).came == (0, 1)
    assert alignment.tells == (("e1",), ("e2",))


def test_the_halves_of_one_event_both_tell_it() -> None:
    alignment = align(
        sent(STORY[2]),
        came("Osk throws his lantern at the lamp.", "Oil, glass, and a beard that will not grow"),
    )
    assert alignment.summary() == "1 split"
    assert alignment.tells == (("e1",), ("e1",))


def test_a_sentence_taken_into_another_paragraph_is_told_there() -> None:
    secret = "The warden hums because the rope around the clapper is his daughter's."
    block = Block("b2", f"{STORY[1]} {secret}", (Part("e2", STORY[1]), Part("e9", secret)))
    before = [*sent(STORY[0]), block, *sent(STORY[2], STORY[3])[1:]]
    alignment = align(before, came(STORY[0], STORY[1], f"{STORY[3]} {secret}"))
    assert "e9" in alignment.tells[2]


def test_one_block_and_one_paragraph_alone_between_neighbours_are_doubtful() -> None:
    alignment = align(sent(*STORY), came(*STORY[:2], "Nobody remembers the middle part.", *STORY[3:]))
    assert only(alignment, Change.EDITED).doubtful
    assert alignment.tells[2] == ("e3",)


SAID = (
    "Thia listened for the humming in the tower.",
    "It was behind the door, and then behind them.",
    "Osk threw his lantern at the light: oil, glass, a beard.",
)
TRANSLATED = (
    "Thia lauschte auf das Summen im Turm.",
    "Es war hinter der Tür, und dann hinter ihnen.",
    "Osk warf seine Laterne nach dem Licht: Öl, Glas, ein Bart.",
)


def test_paragraphs_in_the_places_of_as_many_blocks_are_doubtful() -> None:
    before = [Block("h", "The tower", is_heading=True), *sent(*SAID)]
    after = [Paragraph("Der Turm", is_heading=True), *came(*TRANSLATED)]
    alignment = align(before, after)
    assert alignment.summary() == "4 edited"
    assert all(result.doubtful for result in alignment.results)
    assert [tells for tells in alignment.tells if tells] == [("e1",), ("e2",), ("e3",)]


def test_of_scenes_only_those_with_as_many_paragraphs_are_told_again() -> None:
    head = Block("h", "The tower", is_heading=True)
    before = [*sent(*SAID), head, Block("b9", "Nothing rang.", (Part("e9", "Nothing rang."),))]
    after = [*came(*TRANSLATED, "Ganz neu."), Paragraph("Der Turm", is_heading=True), *came("Stille.")]
    assert align(before, after).summary() == "2 edited, 3 cut, 4 new"
    long = [*came("Ein Satz, der so viel länger ist, dass er nicht der alte sein kann." * 3, *TRANSLATED[1:])]
    assert align(sent(*SAID), long).summary() == "3 cut, 3 new"


def test_a_paragraph_that_still_has_its_id_is_not_doubtful() -> None:
    rewritten = Paragraph("Nobody remembers the middle part.", id="b3")
    alignment = align(sent(*STORY), [*came(*STORY[:2]), rewritten, *came(*STORY[3:])])
    assert not only(alignment, Change.EDITED).doubtful


def test_a_heading_is_no_edited_paragraph() -> None:
    heading = Block("b1", "The bell chamber at midnight", is_heading=True)
    alignment = align([heading], came("The bell chamber, at midnight."))
    assert alignment.summary() == "1 cut, 1 new"


def test_text_without_spaces_is_aligned_by_its_signs() -> None:
    before = ("鐘は真夜中に鳴る。", "扉には三つの錠がある。", "誰かが後ろで歌っている。")
    alignment = align(sent(*before), came("扉には三つの錠があった。", "誰かが後ろで歌っていた。"))
    assert alignment.tells == (("e2",), ("e3",))


def test_a_summary_of_nothing_is_empty() -> None:
    assert align([], []).summary() == ""


class Counted(dict[int, list[int]]):
    """Links that count how often somebody asks for one."""

    asked = 0

    def __getitem__(self, index: int) -> list[int]:
        self.asked += 1
        return super().__getitem__(index)


def test_S6_neighbours_are_found_without_scanning_all_blocks_between() -> None:
    linked = Counted({0: [5], 40_000: [6, 7]})
    assert nearest(20_000, [0, 40_000], linked) == [5, 6, 7]
    assert nearest(50_000, [0, 40_000], linked) == [6, 7]
    assert nearest(3, [], linked) == []
    assert linked.asked == 3


def test_S6_thousands_of_letters_between_two_blocks_are_new() -> None:
    alignment = align(sent(*STORY), came(STORY[0], *["a"] * 20_000, *STORY[1:]))
    assert alignment.summary() == "5 kept, 20000 new"
