"""Two revisions of one draft are joined block by block, and no words of either are lost."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from retold.journal.store.writing.draft_joining import join
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Remark, Told

Text = tuple[Block, ...]


def block(number: int, text: str | None = None) -> Block:
    return Block(id=number, sort="text", text=Words(text or f"base {number}"))


def text(*numbers: int) -> Text:
    return tuple(block(number) for number in numbers)


BASE = text(1, 2, 3, 4, 5)


def shown(blocks: Text) -> list[str | None]:
    return [block.text.text for block in blocks if block.instead_of is None and not block.cut]


def test_what_one_writer_changed_is_changed() -> None:
    edited = (*BASE[:2], block(3, "mine"), *BASE[3:])
    assert join(BASE, edited, BASE) == join(BASE, BASE, edited) == join(BASE, edited, edited) == edited


def test_moves_cuts_and_new_blocks_of_both_are_joined() -> None:
    ours = (BASE[4], *BASE[:3], block(6, "ours"), BASE[3])  # 5 to the front, new behind 3
    theirs = (BASE[1], BASE[0], BASE[2], block(7, "theirs"), replace(BASE[3], cut=True), BASE[4])
    joined = join(BASE, ours, theirs)
    assert shown(joined) == ["base 5", "base 2", "base 1", "base 3", "ours", "theirs"]
    assert joined[-1] == replace(BASE[3], cut=True)


def test_a_block_that_both_wrote_keeps_both_wordings() -> None:
    ours, theirs = (block(1, "mine"), *BASE[1:]), (block(1, "theirs"), *BASE[1:])
    joined = join(BASE, ours, theirs)
    assert shown(joined) == ["mine", "base 2", "base 3", "base 4", "base 5"]
    assert joined[1] == replace(block(1, "theirs"), id=6, instead_of=1)
    assert join(BASE, joined, theirs) == joined, "the same again brings nothing new"


def test_a_new_block_in_both_is_kept_once() -> None:
    ours, theirs = ((*BASE, replace(block(6, "new"), writer=Words(name))) for name in ("Kim", "Mo"))
    assert join(BASE, ours, (*theirs, block(7, "more"))) == (*ours, block(7, "more"))


@pytest.mark.parametrize("gone", ["cut", "taken away"])
def test_an_edited_text_wins_over_a_cut(gone: str) -> None:
    written = (block(1, "mine"), *BASE[1:])
    without = (replace(BASE[0], cut=True), *BASE[1:]) if gone == "cut" else BASE[1:]
    for joined in (join(BASE, written, without), join(BASE, without, written)):
        assert shown(joined) == shown(written)
        (other,) = [block for block in joined if block.instead_of == 1]
        assert other.cut


def test_new_blocks_under_one_id_are_both_kept() -> None:
    joined = join(BASE, (*BASE, block(6, "ours")), (*BASE, block(6, "theirs")))
    assert [(block.id, block.text.text) for block in joined[-2:]] == [(6, "ours"), (7, "theirs")]


def test_remarks_eyes_and_states_are_joined_without_a_question() -> None:
    told = Told(line=1, position=9, state="then")
    kind, cruel, old = (Remark(author=Words("Mo"), text=Words(said)) for said in ("kind", "cruel", "old"))
    base = (replace(BASE[0], tells=(told,), remarks=(old,)),)
    ours = (replace(base[0], text=Words("mine"), edited=True, remarks=(old, kind), see="table"),)
    theirs = (
        replace(base[0], tells=(replace(told, state="now"),), remarks=(cruel,), see=(3, 4), sort="epigraph"),
    )
    joined = (replace(ours[0], remarks=(kind, cruel), see=(3, 4), sort="epigraph"),)
    assert join(base, ours, theirs) == joined, "the state is that of the text that was written"
    looked = (replace(base[0], tells=(replace(told, state="now"),)),)
    assert join(base, looked, (replace(base[0], see="gm"),))[0].tells == looked[0].tells


def test_another_wording_is_for_as_few_eyes_as_the_block() -> None:
    ours = (replace(block(1, "mine"), see="gm"), *BASE[1:])
    theirs = (block(1, "theirs"), *BASE[1:])
    for joined in (join(BASE, ours, theirs), join(BASE, theirs, ours)):
        assert [(block.instead_of, block.see) for block in joined[:2]] == [(None, "gm"), (1, "gm")]


def test_of_two_changes_of_eyes_a_block_that_tells_nothing_gets_the_fewer() -> None:
    base = (replace(BASE[0], see=(3,)),)
    nobody, everybody = (replace(BASE[0], see=None),), (replace(BASE[0], see="table"),)
    for joined in (join(base, nobody, everybody), join(base, everybody, nobody)):
        assert joined[0].see == "gm"


def random_revision(base: Text, random: Random, writer: str) -> Text:
    """A revision of `base` as a writer could make it: blocks rewritten, cut, removed, moved and added."""
    blocks = list(base)
    for number in range(random.randrange(6)):
        at = random.randrange(len(blocks) + 1)
        match random.randrange(5) if at < len(blocks) else 0:
            case 0:
                new = max((block.id for block in blocks), default=0) + 1
                blocks.insert(at, block(new, f"{writer} new {number}"))
            case 1:
                blocks[at] = replace(blocks[at], text=Words(f"{writer} wrote {number}"))
            case 2:
                blocks[at] = replace(blocks[at], cut=not blocks[at].cut)
            case 3:
                blocks.insert(random.randrange(len(blocks)), blocks.pop(at))
            case _:
                del blocks[at]
    return tuple(blocks)


def wording(block: Block) -> str | None:
    return block.text.text


def written(blocks: Text) -> set[str | None]:
    return set(map(wording, blocks))


def test_no_words_of_a_thousand_pairs_of_writers_are_lost() -> None:
    for seed in range(1000):
        random = Random(seed)
        base = text(*range(1, random.randrange(2, 9)))
        ours, theirs = random_revision(base, random, "a"), random_revision(base, random, "b")
        joined = join(base, ours, theirs)
        ids = [block.id for block in joined]
        assert len(set(ids)) == len(ids)
        assert written(ours) | written(theirs) >= written(joined) - written(base)
        new = (written(ours) | written(theirs)) - written(base)
        assert written(joined) >= new | (written(ours) & written(theirs)), seed
        assert join(base, ours, base) == ours
        assert join(base, base, theirs) == theirs
        assert join(base, ours, ours) == ours
        again = join(base, joined, theirs)
        assert Counter(map(wording, again)) == Counter(map(wording, joined)), seed
