"""A file that comes back: what became of each block, and the blocks it makes; nothing is recorded here."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import count
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.drafts import alignment
from retold.drafts.alignment import Alignment, Change, Part, Result, Weights, align, words_of
from retold.drafts.composing import Composition, Place, told_as
from retold.drafts.files import kept, read
from retold.drafts.making import manuscript
from retold.drafts.manuscript import BREAK, Coming, Going, Returned
from retold.drafts.naming import draft_meant, find_draft
from retold.drafts.places import Here
from retold.drafts.standing import Standing
from retold.drafts.unopened import is_new
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.text_matching import normalised, words
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Revision, Scope
from retold.journal.store.writing.redacted_words import RedactedWords
from retold.journal.visibility import VisibleTo, common_audience
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Eyes, Remark, Sort, Told
from retold.projections.prose import Voice

_MARKED: Final = frozenset(("epigraph", "pull-quote", "image", "note"))
"""Sorts that an editor may lose, since only a mark of the file tells them from text."""


_WAYS: Final[tuple[Sort, ...]] = ("text", "heading", "image")


class Doubt(NamedTuple):
    """Edit that is guessed from its place alone: a block, and a paragraph that may be its new wording."""

    result: int
    block: int
    was: str
    now: str
    shares_words: bool
    """True if both have a meaningful word."""


class Returning(NamedTuple):
    """Paragraph of a file, by its number from 1, that may say what was redacted.

    `words` are these words; None if the file is from before a redaction whose words this computer does not
    know, and the paragraph has words that the draft has not.
    """

    paragraph: int
    words: str | None


@dataclass(frozen=True)
class Taking:
    """A file that came back, aligned with the revision that it was made from."""

    standing: Standing
    """The revision that the file was made from."""
    came: tuple[Coming, ...]
    alignment: Alignment
    left_out: tuple[str, ...] = ()
    author: str = ""
    """The person who saved the file last, else the author of its first paragraph with tracked changes.

    Empty if the file names no one.
    """
    is_from_before_redaction: bool = False
    """True if texts of the draft were redacted since the file may have been sent."""
    names_draft: bool = False
    """True if the file says which draft it is of."""
    is_answered: bool = False
    """True if it was said which doubts are no edits."""

    @property
    def draft(self) -> Draft:
        """The draft that the file belongs to."""
        return self.standing.draft

    @property
    def base(self) -> Revision:
        """Revision from which the file was made."""
        return self.standing.revision

    def returning(self, writer: str | None = None) -> tuple[Returning, ...]:
        """Returns the paragraphs that may say what was redacted."""
        campaign, made = self.standing.campaign, _Made(self, writer)
        blocks = tuple(made.blocks())
        found = {
            made.paragraphs[each.block]: Returning(made.paragraphs[each.block] + 1, each.words)
            for each in campaign.drafts.returning(self.draft, blocks)
            if each.block in made.paragraphs
        }
        if self.is_from_before_redaction and not RedactedWords(campaign.record).are_known:
            for paragraph in made.with_foreign_words:
                found.setdefault(paragraph, Returning(paragraph + 1, None))
        return tuple(found[paragraph] for paragraph in sorted(found))

    @property
    def missing(self) -> int:
        """Number of the blocks sent that are not in the file."""
        return sum(len(result.sent) for result in self.alignment.results if result.change is Change.CUT)

    @property
    def foreign(self) -> int:
        """Number of paragraphs of the file that no word ties to the blocks sent."""
        results = self.alignment.results
        return sum(len(one.came) for one in results if one.change is Change.NEW or one.doubtful)

    @property
    def may_be_another_text(self) -> bool:
        """True if half of the blocks are missing; of a file that names the draft, if most is new too."""
        is_halved = 2 * self.missing >= len(sent_blocks(self.base))
        is_foreign = 2 * self.foreign > len(self.came)
        return (is_halved and is_foreign) if self.names_draft else (is_halved or is_foreign)

    @property
    def changes_nothing(self) -> bool:
        """True if every paragraph has its old words and place, and no remarks."""
        is_as_sent = all(
            result.change is Change.KEPT and not result.moved for result in self.alignment.results
        )
        return is_as_sent and not any(paragraph.remarks for paragraph in self.came)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Edits to ask about: rewritten blocks, or cut ones with something new in their place."""
        sent = sent_blocks(self.base)
        weights = Weights(words_of(block.text.text or "") for block in sent)
        return tuple(
            Doubt(number, block.id, was, now, weights.share_a_word(words_of(was), words_of(now)))
            for number, result in enumerate(self.alignment.results)
            if result.doubtful
            for block in [sent[result.sent[0]]]
            for was, now in [(block.text.text or "", self.came[result.came[0]].text)]
        )

    @property
    def doubt_runs(self) -> list[tuple[Doubt, ...]]:
        """Doubts in runs of consecutive blocks; each run is one question.

        A run of several is most likely a translation, since no word says that they belong together.
        """
        runs: list[list[Doubt]] = []
        for doubt in self.doubts:
            if runs and runs[-1][-1].result == doubt.result - 1:
                runs[-1].append(doubt)
            else:
                runs.append([doubt])
        return [*map(tuple, runs)]

    def without(self, denied: Iterable[Doubt]) -> Taking:
        """Returns the same file with these edits as blocks that were cut and paragraphs that are new."""
        apart = {doubt.result for doubt in denied}
        results: list[Result] = []
        tells = list(self.alignment.tells)
        for number, result in enumerate(self.alignment.results):
            if number in apart:
                results += (Result(Change.CUT, result.sent, ()), Result(Change.NEW, (), result.came))
                for paragraph in result.came:
                    tells[paragraph] = ()
            else:
                results.append(result)
        divided = Alignment(tuple(results), tuple(tells))
        return dataclasses.replace(self, alignment=divided, is_answered=True)

    def signed(self, writer: str | None) -> Taking:
        """Returns the same file with `writer` as its writer, or without one if None."""
        came = tuple(dataclasses.replace(paragraph, author="") for paragraph in self.came)
        return dataclasses.replace(self, came=came, author=writer or "")

    def without_unlike(self) -> Taking:
        """Returns the same file without the doubts about one block that share no word with it.

        So an unrelated paragraph in the place of a cut block is new, unless said otherwise.
        """
        return self.without(run[0] for run in self.doubt_runs if len(run) == 1 and not run[0].shares_words)

    def blocks(self, writer: str | None = None, new_for: Eyes | None = None) -> tuple[Block, ...]:
        """Returns the blocks of the revision that the file makes of its base.

        What is new or changed was written by `writer`, and in a paragraph with tracked changes by the author
        of the last. In a file from before a redaction it is for the game master alone, unless all its words
        stand in the blocks that it was made from. Unanswered doubts are edits, unless the two share no word
        (`without_unlike`). New paragraphs that tell nothing are for `new_for`; None is the game master alone,
        until they are opened.
        """
        made = _Made(self if self.is_answered else self.without_unlike(), writer)
        blocks = tuple(made.blocks())
        known = {block.id for block in self.base.blocks}
        return tuple(
            replace(block, see=new_for) if is_new(block) and block.id not in known else block
            for block in blocks
        )


def sent_blocks(revision: Revision) -> list[Block]:
    """Returns the blocks of a revision that a file of it contains."""
    return [block for block in revision.shown if _as_sent(block) is not None]


def _as_sent(block: Block) -> Coming | None:
    text = block.text.text
    return None if text is None else kept(Going(block.id, block.sort, text))


def returned_to(campaign: CampaignStore, returned: Returned, named: str | None) -> tuple[Draft, Revision]:
    """Returns the draft and the revision that a file was made from; `named` is the draft that the user typed.

    A file that names no draft belongs to the last copy that was sent. Raises Refused for a file of another
    draft, and of a revision that does not exist.
    """
    if returned.name is None:
        draft = draft_meant(campaign, named).draft
    else:
        theirs = find_draft(campaign, returned.name)
        if theirs is None:
            raise Refused(
                f"The file is of a draft {returned.name}, and this campaign has none of that name: is it of"
                " another campaign?"
            )
        draft = theirs
        if named is not None and draft_meant(campaign, named).draft.number != draft.number:
            raise Refused(f"The file is of the draft {draft.name}, not of {named}.")
    return draft, _revision_of(draft, returned.revision)


def _revision_of(draft: Draft, named: int | None) -> Revision:
    if named is None:
        return draft.revision(draft.sent[-1].revision) if draft.sent else draft.latest
    sent = draft.sent_as(named)
    if sent:
        return sent[-1]
    if not 1 <= named <= len(draft.revisions):
        raise Refused(
            f"The file says that it is revision {named} of the draft {draft.name}, which has the revisions 1"
            f" to {len(draft.revisions)}: is it of another copy of the campaign?"
        )
    return draft.revision(named)


def read_back(
    campaign: CampaignStore, returned: Returned, voice_of: Callable[[Scope], Voice], named: str | None = None
) -> Taking:
    """Returns a file that came back, aligned with the revision that it was made from.

    `voice_of` returns the voice of a draft. Raises Refused as `returned_to` does, and for a file without a
    paragraph, or with nothing of that revision.
    """
    draft, base = returned_to(campaign, returned, named)
    standing = Standing(campaign, draft, base, voice_of(draft.scope))
    came = returned.under(manuscript(campaign, draft, base).title)
    if not any(paragraph.sort != "break" for paragraph in came):
        raise Refused("The file has no paragraph in it, so nothing is taken from it.")
    found = align([*_sent(standing)], [*map(_paragraph, came)])
    related = (Change.KEPT, Change.EDITED, Change.MERGED, Change.SPLIT)
    is_named = returned.name is not None  # then a translation of the whole is no other text
    if sent_blocks(base) and not any(
        result.change in related and (is_named or not result.doubtful) for result in found.results
    ):
        raise Refused(
            f"Nothing in the file comes from revision {base.number} of the draft {draft.name}: it is another"
            " text."
        )
    author = returned.author or next((paragraph.author for paragraph in came if paragraph.author), "")
    return Taking(
        standing,
        came,
        found,
        returned.left_out,
        author,
        draft.may_be_from_before_a_redaction(returned.revision),
        is_named,
    )


def revise(
    campaign: CampaignStore, name: str, text: str, writer: str, voice_of: Callable[[Scope], Voice]
) -> str:
    """Records a text in Markdown as the next revision of a draft; returns a sentence about it.

    Raises Refused as `read_back` does, if most of the text is new, and if it may say what was redacted.
    """
    draft = draft_meant(campaign, name).draft
    returned = dataclasses.replace(read("The text.md", text.encode()), revision=draft.latest.number)
    taking = read_back(campaign, returned, voice_of, name).without_unlike()
    if taking.may_be_another_text:
        raise Refused(
            f"Much of the text is not of the draft {draft.name}, or much of the draft is not in it: it may be"
            " another text."
        )
    with campaign.record.writing():
        after = campaign.drafts.take(draft, taking.base.number, taking.blocks(writer), Manner(), writer)
    if after.latest.number == draft.latest.number:
        raise Refused("Nothing in the text is new, so nothing is recorded.")
    return f"Revision {after.latest.number} of the draft {draft.name}."


def _paragraph(paragraph: Coming) -> alignment.Paragraph:
    text = BREAK if paragraph.sort == "break" else paragraph.text
    return alignment.Paragraph(
        text, None if paragraph.id is None else str(paragraph.id), paragraph.sort == "heading"
    )


def _sent(standing: Standing) -> Iterator[alignment.Block]:
    for block in standing.revision.shown:
        sent = _as_sent(block)
        if sent is not None:
            parts = tuple(_parts(block, standing.record, standing.here))
            text = BREAK if sent.sort == "break" else sent.text
            yield alignment.Block(str(block.id), text, parts, sent.sort == "heading")


def _parts(block: Block, record: Composition, here: Here) -> Iterator[Part]:
    """Yields the words of each event that a block tells; the whole text if it tells one event or none."""
    if len(block.tells) < 2:  # noqa: PLR2004 -- one or none
        yield Part(_event(block.tells[0]) if block.tells else _of_nothing(block), block.text.text or "")
        return
    composed = _parts_composed(record).get(block.text.text or "", {})
    for told in block.tells:
        place = here.place(told)
        words = composed.get(place) if place else None
        yield Part(_event(told), words or (told.words and told.words.text) or "")


def _parts_composed(record: Composition) -> Mapping[str, dict[Place, str]]:
    """Returns the words of each event without labels, by the text of the record's block that tells it."""
    found: dict[str, dict[Place, str]] = {}
    for block in record.blocks:
        shares: dict[Place, str] = {}
        for event, text in block.parts:
            shares[event] = f"{shares[event]} {text}" if event in shares else text
        found[block.text] = shares
    return found


def _event(told: Told) -> str:
    return f"{told.line}:{told.position}"


def _of_nothing(block: Block) -> str:
    """Returns a made-up event for a block that tells none, so that the alignment follows its words too."""
    return f"block {block.id}"


class _Made:
    """Blocks of the revision that a file makes."""

    def __init__(self, taking: Taking, writer: str | None) -> None:
        self.taking = taking
        self.writer = writer
        self.sent = sent_blocks(taking.base)
        self.told = {(told_as(block.sort), _event(told)): told for block in self.sent for told in block.tells}
        """What blocks tell, by event; a scene has words of its own as a heading, and others in the text."""
        self.bare = {_of_nothing(block): block for block in self.sent if not block.tells}
        self.ids = count(taking.draft.next_block)
        """Ids for new blocks."""
        self.cut_earlier = {
            (sent.sort, sent.text): block
            for block in reversed(taking.base.cut)
            if (sent := _as_sent(block)) is not None
        }
        """Blocks that were not sent because they are cut, by what a file would have of them."""
        self.back: set[int] = set()
        """Ids of those that are in the file all the same, word for word."""
        self.paragraphs: dict[int, int] = {}
        """By id of a block made, the paragraph of the file that it has."""
        self.with_foreign_words: list[int] = []
        """Paragraphs of a file from before a redaction with words that their blocks have not."""
        self.by_paragraph = {
            paragraph: (result, number)
            for result in taking.alignment.results
            for number, paragraph in enumerate(result.came)
        }

    def blocks(self) -> Iterator[Block]:
        """Yields all blocks in order; blocks that were not sent stay behind their old neighbours."""
        into: dict[int, int] = {}
        behind: dict[int | None, list[Block]] = defaultdict(list)
        made: list[Block] = []
        for paragraph in range(len(self.taking.came)):
            result, number = self.by_paragraph[paragraph]
            block = self._block(paragraph, result, number)
            self.paragraphs[block.id] = paragraph
            into |= {self.sent[sent].id: block.id for sent in result.sent if number == 0}
            made.append(block)
        for block in self._cut():
            into[block.id] = block.id
            behind[self._before(block.id, into)].append(block)
        for hidden in self._not_sent(into):
            behind[self._before(hidden.id, into)].append(hidden)
        yield from self._all_behind(None, behind)
        for block in made:
            yield block
            yield from self._all_behind(block.id, behind)

    def _all_behind(self, number: int | None, behind: Mapping[int | None, list[Block]]) -> Iterator[Block]:
        for block in behind.get(number, ()):
            yield block
            yield from self._all_behind(block.id, behind)

    def _before(self, number: int, into: Mapping[int, int]) -> int | None:
        """Returns the id of the block before an unsent or cut block; None before all."""
        order = [block.id for block in self.taking.base.blocks]
        earlier = reversed(order[: order.index(number)])
        return next((into.get(id_, id_) for id_ in earlier), None)

    def _cut(self) -> Iterator[Block]:
        for result in self.taking.alignment.results:
            if result.change is Change.CUT:
                yield from (replace(self.sent[sent], cut=True) for sent in result.sent)

    def _not_sent(self, into: Mapping[int, int]) -> Iterator[Block]:
        """Yields the blocks that stand in no file: cut ones, other wordings, redacted ones."""
        there = self.back.union(block.id for block in self.sent)
        for block in self.taking.base.blocks:
            if block.id not in there:
                about = block.instead_of
                yield block if about is None else replace(block, instead_of=into.get(about, about))

    def _block(self, paragraph: int, result: Result, number: int) -> Block:
        """Returns the block of a paragraph, the `number`-th of its result."""
        came = self.taking.came[paragraph]
        remarks = tuple(Remark(author=Words(each.author), text=Words(each.text)) for each in came.remarks)
        if not result.sent and (cut := self.cut_earlier.pop((came.sort, came.text), None)) is not None:
            self.back.add(cut.id)
            return replace(cut, cut=False, remarks=tuple(dict.fromkeys((*cut.remarks, *remarks))))
        if not result.sent:
            return self._with_eyes(
                Block(
                    id=next(self.ids),
                    sort=came.sort,
                    text=Words(came.text),
                    tells=self._tells(paragraph, came.sort),
                    level=_level(came.sort, None),
                    edited=True,
                    remarks=remarks,
                    writer=self._writer(came),
                ),
                paragraph,
                (),
            )
        sources = [self.sent[sent] for sent in result.sent]
        first = sources[0]
        remarks = tuple(dict.fromkeys((*(each for block in sources for each in block.remarks), *remarks)))
        sort = _sort(first.sort, came.sort)
        if result.change is Change.KEPT and sort == first.sort:
            return replace(first, remarks=remarks)
        block = replace(
            first,
            id=first.id if number == 0 else next(self.ids),
            sort=sort,
            text=Words(came.text),
            tells=self._tells(paragraph, sort),
            level=_level(sort, first.level),
            edited=True,
            remarks=remarks if number == 0 else remarks[len(first.remarks) :],
            writer=self._writer(came),
        )
        return self._with_eyes(block, paragraph, sources)

    def _writer(self, came: Coming) -> Words | None:
        name = came.author or self.writer
        return Words(name) if name else None

    def _tells(self, paragraph: int, sort: Sort) -> tuple[Told, ...]:
        ways = sorted(_WAYS, key=lambda way: way != told_as(sort))
        found = dict.fromkeys(self.taking.alignment.tells[paragraph])
        told = (
            next((self.told[way, each] for way in ways if (way, each) in self.told), None) for each in found
        )
        return tuple(filter(None, told))

    def _with_eyes(self, block: Block, paragraph: int, sources: Sequence[Block]) -> Block:
        """Returns the block with its readers: the people who may read all blocks that its words come from."""
        taken = [self.bare[each] for each in self.taking.alignment.tells[paragraph] if each in self.bare]
        every = {source.id: source for source in (*sources, *taken)}
        if self.taking.is_from_before_redaction and block.sort != "break":
            own = {word for source in sources for word in _plain_words(source.text.text or "")}
            if not own.issuperset(_plain_words(block.text.text or "")):
                self.with_foreign_words.append(paragraph)
                return replace(block, see="gm")
        return replace(block, see=_common_eyes(every.values()))


def _plain_words(text: str) -> set[str]:
    return {word.text for word in words(normalised(text))}


def _sort(was: Sort, came: Sort) -> Sort:
    """Returns the sort of an edited block; a mark that the file lost is kept."""
    return was if was in _MARKED and came == "text" else came


def _level(sort: Sort, was: int | None) -> int | None:
    return (was or 2) if sort == "heading" else None


def _common_eyes(sources: Iterable[Block]) -> Eyes | None:
    """Returns who may see words of all these blocks; None means as their events allow."""
    named: list[VisibleTo] = [block.eyes for block in sources if block.eyes is not None]
    if not named:
        return None
    common = reduce(common_audience, named)
    if isinstance(common, tuple):
        return common
    return "gm" if common == "gm" else "table"
