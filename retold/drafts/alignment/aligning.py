"""Alignment of an edited text with the blocks sent, by the words they share and by their order."""

from __future__ import annotations

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Final, Generic, NamedTuple, TypeVar

from retold.drafts.alignment.blocks import Alignment, Block, Change, Paragraph, Result
from retold.drafts.alignment.words import Weights, Words, folded, without, words_of

ALIKE: Final = 0.3
"""Likeness from which a paragraph in its place is an edited block."""
ALIKE_ELSEWHERE: Final = 0.45
"""The same for a paragraph in another place."""
ALMOST_THE_SAME: Final = 0.7
"""Likeness that says more than words in common with a neighbour."""
OUTDONE: Final = 0.5
"""Part of the best likeness of a block or paragraph below which its other links are left out."""
CONTAINED: Final = 0.4
"""Part of a block in a merged paragraph, or of a paragraph in a split block."""
CONTAINED_ELSEWHERE: Final = 0.6
"""The same for one that comes from another place."""
BY_ID: Final = 0.9
"""Likeness of a paragraph that still has the block's id, if their words are less alike."""
DENSE: Final = 40_000
"""Pairs of blocks and paragraphs that are all compared; of more, those that share rare words."""
RARE: Final = 12
"""Most blocks that may contain a rare word."""
ENOUGH: Final = 4
"""Different words that a text needs before it is looked for elsewhere."""
NEAREST: Final = 8
"""Texts that are compared with one, of those that share rare words with it."""
LONGER: Final = 1.6
"""Times that a translated paragraph may be as long as the other, beside `A_FEW_LETTERS`."""
A_FEW_LETTERS: Final = 20
SAME_TEXTS: Final = 64
"""Pairs of one text that are all candidates; of more, the first with the first, and so on."""


Key = TypeVar("Key", bound=Hashable)


class Link(NamedTuple):
    """Possible match of a block and a paragraph, by index, with their likeness."""

    sent: int
    came: int
    likeness: float


def align(sent: Sequence[Block], came: Sequence[Paragraph]) -> Alignment:
    """Matches blocks sent with paragraphs that came back, and finds the events each paragraph tells.

    Ids of paragraphs help where they survived, and are not needed.
    """
    aligner = _Aligner(sent, came)
    aligner.match_in_order()
    aligner.match_moved(ALMOST_THE_SAME)
    aligner.attach_neighbours()
    aligner.match_moved(ALIKE_ELSEWHERE)
    aligner.attach_moved()
    aligner.match_by_place()
    return Alignment(tuple(aligner.results()), tuple(aligner.tells(index) for index in range(len(came))))


class Index(Generic[Key]):
    """Finds texts by the rare words they share with another one."""

    def __init__(self, words: Mapping[Key, Words], weights: Weights) -> None:
        self.words = words
        self.weights = weights
        self._by_stem: dict[str, list[Key]] = defaultdict(list)
        for key, each in words.items():
            for stem in each:
                self._by_stem[stem].append(key)

    def sharing(self, words: Words) -> list[Key]:
        """Returns the `NEAREST` texts that share most with `words` in rare words."""
        found: dict[Key, float] = defaultdict(float)
        for stem in words:
            keys = self._by_stem.get(stem, ())
            if len(keys) <= RARE:
                for key in keys:
                    found[key] += self.weights[stem]
        return nlargest(NEAREST, found, key=found.__getitem__)

    def holding(self, words: Words) -> list[Key]:
        """Returns texts of `sharing` with at least `ENOUGH` different words; empty if `words` has fewer."""
        if len(words) < ENOUGH:
            return []
        return [key for key in self.sharing(words) if len(self.words[key]) >= ENOUGH]


class _Aligner:
    """Links between two texts. Each block or paragraph with several links is linked to ones with one."""

    def __init__(self, sent: Sequence[Block], came: Sequence[Paragraph]) -> None:
        self.sent = sent
        self.came = came
        self.sent_words = [words_of(block.text) for block in sent]
        self.came_words = [words_of(paragraph.text) for paragraph in came]
        self.sent_texts = [folded(block.text) for block in sent]
        self.came_texts = [folded(paragraph.text) for paragraph in came]
        self.weights = Weights(self.sent_words)
        self.parts = Index(
            {
                (place, number): words_of(part.text)
                for place, block in enumerate(sent)
                for number, part in enumerate(block.parts)
            },
            self.weights,
        )
        self.came_of: dict[int, list[int]] = defaultdict(list)
        self.sent_of: dict[int, list[int]] = defaultdict(list)
        self.moved: set[tuple[int, int]] = set()
        self.doubtful: set[tuple[int, int]] = set()

    # --- links ---

    def link(self, block: int, paragraph: int) -> None:
        self.came_of[block].append(paragraph)
        self.sent_of[paragraph].append(block)

    def unmatched_sent(self) -> list[int]:
        return [index for index in range(len(self.sent)) if index not in self.came_of]

    def unmatched_came(self) -> list[int]:
        return [index for index in range(len(self.came)) if index not in self.sent_of]

    def likeness(self, block: int, paragraph: int) -> float:
        """Likeness of a block and a paragraph; 0 between heading and text, unless all words are the same."""
        if self.sent_texts[block] == self.came_texts[paragraph]:
            return 1.0
        if self.sent[block].is_heading != self.came[paragraph].is_heading:
            return 0.0
        likeness = self.weights.likeness(self.sent_words[block], self.came_words[paragraph])
        return max(likeness, BY_ID) if self.sent[block].id == self.came[paragraph].id else likeness

    def candidates(self, sent: Sequence[int], came: Sequence[int], least: float) -> list[Link]:
        """Links of at least that likeness between these blocks and paragraphs."""
        pairs: Iterable[tuple[int, int]]
        if len(sent) * len(came) <= DENSE:
            pairs = ((block, paragraph) for block in sent for paragraph in came)
        else:
            pairs = self.related(sent, came)
        links = (Link(block, paragraph, self.likeness(block, paragraph)) for block, paragraph in pairs)
        return without_outdone([link for link in links if link.likeness >= least])

    def related(self, sent: Sequence[int], came: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Pairs that share a rare word, all words, or an id."""
        index = Index({block: self.sent_words[block] for block in sent}, self.weights)
        by_text: dict[str, list[int]] = defaultdict(list)
        by_id = {self.sent[block].id: block for block in sent}
        for block in sent:
            by_text[self.sent_texts[block]].append(block)
        same: dict[str, list[int]] = defaultdict(list)
        for paragraph in came:
            found = set(index.sharing(self.came_words[paragraph]))
            same[self.came_texts[paragraph]].append(paragraph)
            named = by_id.get(self.came[paragraph].id or "")
            if named is not None:
                found.add(named)
            text = self.came_texts[paragraph]
            yield from ((block, paragraph) for block in found if self.sent_texts[block] != text)
        for text, paragraphs in same.items():
            blocks = by_text.get(text, [])
            if len(blocks) * len(paragraphs) <= SAME_TEXTS:
                yield from ((block, paragraph) for block in blocks for paragraph in paragraphs)
            else:
                yield from zip(blocks, paragraphs, strict=False)

    # --- steps ---

    def match_in_order(self) -> None:
        """Links blocks and paragraphs one to one, in the same order in both texts."""
        everything = range(len(self.sent)), range(len(self.came))
        self.link_chain(self.candidates(*everything, ALIKE))
        if len(self.sent) * len(self.came) > DENSE:
            for blocks, paragraphs in self.gaps():
                if len(blocks) * len(paragraphs) <= DENSE:
                    self.link_chain(self.candidates(blocks, paragraphs, ALIKE))

    def link_chain(self, links: list[Link]) -> None:
        for link in heaviest_chain(links, len(self.sent)):
            self.link(link.sent, link.came)

    def gaps(self) -> list[tuple[list[int], list[int]]]:
        """Unlinked blocks and paragraphs between neighbouring links, where there are both."""
        found = []
        before = (-1, -1)
        for after in (*self.pairs_in_order(), (len(self.sent), len(self.came))):
            blocks = [index for index in range(before[0] + 1, after[0]) if index not in self.came_of]
            paragraphs = [index for index in range(before[1] + 1, after[1]) if index not in self.sent_of]
            if blocks and paragraphs:
                found.append((blocks, paragraphs))
            before = after
        return found

    def pairs_in_order(self) -> list[tuple[int, int]]:
        """Links that keep the order, ascending."""
        pairs = ((block, paragraph) for block, many in self.came_of.items() for paragraph in many)
        return sorted(pair for pair in pairs if pair not in self.moved)

    def attach_neighbours(self) -> None:
        """Links each leftover block or paragraph to a neighbour's counterpart that contains its words."""
        sent, came = sorted(self.came_of), sorted(self.sent_of)
        found = True
        while found:
            found = False
            for block in self.unmatched_sent():
                if self.attach_block(block, nearest(block, sent, self.came_of), CONTAINED):
                    insort(sent, block)
                    found = True
            for paragraph in self.unmatched_came():
                if self.attach_paragraph(paragraph, nearest(paragraph, came, self.sent_of), CONTAINED):
                    insort(came, paragraph)
                    found = True

    def attach_block(self, block: int, paragraphs: Iterable[int], least: float) -> bool:
        """Links a leftover block to the paragraph into which it was merged; True if there is one."""
        best, chosen = least, -1
        for paragraph in paragraphs:
            others = self.sent_of[paragraph]
            if self.came[paragraph].is_heading or self.sent[block].is_heading:
                continue
            if any(len(self.came_of[other]) > 1 for other in others):
                continue
            rest = without(self.came_words[paragraph], [self.sent_words[other] for other in others])
            contained = self.weights.contained(self.sent_words[block], rest)
            if contained >= best:
                best, chosen = contained, paragraph
        if chosen >= 0:
            self.link(block, chosen)
        return chosen >= 0

    def attach_paragraph(self, paragraph: int, blocks: Iterable[int], least: float) -> bool:
        """Links a leftover paragraph to the block that it was split from; True if there is one."""
        best, chosen = least, -1
        for block in blocks:
            others = self.came_of[block]
            if self.came[paragraph].is_heading or self.sent[block].is_heading:
                continue
            if any(len(self.sent_of[other]) > 1 for other in others):
                continue
            rest = without(self.sent_words[block], [self.came_words[other] for other in others])
            contained = self.weights.contained(self.came_words[paragraph], rest)
            if contained >= best:
                best, chosen = contained, block
        if chosen >= 0:
            self.link(chosen, paragraph)
        return chosen >= 0

    def match_moved(self, least: float) -> None:
        """Links leftovers that are alike, wherever they stand, the most alike first."""
        links = self.candidates(self.unmatched_sent(), self.unmatched_came(), least)
        for link in sorted(links, key=lambda each: (-each.likeness, each.sent, each.came)):
            if link.sent not in self.came_of and link.came not in self.sent_of:
                self.link(link.sent, link.came)
                self.moved.add((link.sent, link.came))

    def attach_moved(self) -> None:
        """Links leftovers to a merged paragraph, or a split block, in another place."""
        in_came = Index(dict(enumerate(self.came_words)), self.weights)
        in_sent = Index(dict(enumerate(self.sent_words)), self.weights)
        for block in self.unmatched_sent():
            near = [each for each in in_came.holding(self.sent_words[block]) if each in self.sent_of]
            if self.attach_block(block, near, CONTAINED_ELSEWHERE):
                self.moved.add((block, self.came_of[block][0]))
        for paragraph in self.unmatched_came():
            near = [each for each in in_sent.holding(self.came_words[paragraph]) if each in self.came_of]
            if self.attach_paragraph(paragraph, near, CONTAINED_ELSEWHERE):
                self.moved.add((self.sent_of[paragraph][0], paragraph))

    def match_by_place(self) -> None:
        """Links the text in a block's place between the same neighbours, as doubtful.

        That is one paragraph for one block, or several of the same number and lengths, as after a
        translation. Headings divide them: one scene may have a paragraph more, and another be told again.
        """
        for blocks, paragraphs in self.gaps():
            sent = parted(blocks, [block.is_heading for block in self.sent])
            came = parted(paragraphs, [paragraph.is_heading for paragraph in self.came])
            if len(sent) != len(came):
                continue
            for own, others in zip(sent, came, strict=True):
                pairs = list(zip(own, others, strict=False))
                is_told_again = len(own) == len(others) and self.are_in_place(pairs)
                for pair in pairs if is_told_again or len(blocks) == 1 else self.headings_of(pairs):
                    self.link(*pair)
                    self.doubtful.add(pair)

    def are_in_place(self, pairs: Iterable[tuple[int, int]]) -> bool:
        """True if each paragraph is as long as its block, more or less."""
        return all(as_long(self.sent[block].text, self.came[paragraph].text) for block, paragraph in pairs)

    def headings_of(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Returns the pair of headings at the beginning of a part; empty without headings."""
        return [
            (block, paragraph)
            for block, paragraph in pairs[:1]
            if self.sent[block].is_heading and self.came[paragraph].is_heading
        ]

    # --- results ---

    def results(self) -> list[Result]:
        """Results sorted by paragraph; a cut block follows the last linked block before it."""
        placed: list[tuple[tuple[int, int], Result]] = []
        for paragraph in range(len(self.came)):
            blocks = sorted(self.sent_of.get(paragraph, ()))
            paragraphs = sorted(self.came_of[blocks[0]]) if len(blocks) == 1 else [paragraph]
            if paragraph == paragraphs[0]:
                placed.append(((paragraph, -1), self.result(blocks, paragraphs)))
        place = -1
        for block in range(len(self.sent)):
            paragraphs = self.came_of.get(block, [])
            place = max(paragraphs, default=place)
            if not paragraphs:
                placed.append(((place, block), Result(Change.CUT, (block,), ())))
        return [result for _, result in sorted(placed, key=lambda each: each[0])]

    def result(self, blocks: list[int], paragraphs: list[int]) -> Result:
        pairs = {(block, paragraph) for block in blocks for paragraph in paragraphs}
        change = Change.NEW
        if len(blocks) > 1:
            change = Change.MERGED
        elif len(paragraphs) > 1:
            change = Change.SPLIT
        elif blocks:
            same = self.sent_texts[blocks[0]] == self.came_texts[paragraphs[0]]
            change = Change.KEPT if same else Change.EDITED
        is_moved, is_doubtful = bool(pairs & self.moved), bool(pairs & self.doubtful)
        return Result(change, tuple(blocks), tuple(paragraphs), is_moved, is_doubtful)

    def tells(self, paragraph: int) -> tuple[str, ...]:
        """Ids of the events that a paragraph tells, in the order of the sent text.

        Those are the events of its blocks; of a split block, those whose words stand in this paragraph; and
        those of other blocks whose words were taken into it.
        """
        blocks = sorted(self.sent_of.get(paragraph, ()))
        found = {(block, number) for block in blocks for number in self.parts_in(block, paragraph)}
        rest = without(self.came_words[paragraph], [self.sent_words[block] for block in blocks])
        for block, number in self.parts.holding(rest):
            words = self.parts.words[block, number]
            if block not in blocks and self.weights.contained(words, rest) >= CONTAINED_ELSEWHERE:
                found.add((block, number))
        events = (self.sent[block].parts[number].event for block, number in sorted(found))
        return tuple(dict.fromkeys(events))

    def parts_in(self, block: int, paragraph: int) -> list[int]:
        """Numbers of a block's parts that this paragraph tells; all, unless the block was split."""
        numbers = range(len(self.sent[block].parts))
        pieces = self.came_of[block]
        if len(pieces) == 1:
            return list(numbers)
        found = []
        for number in numbers:
            words = self.parts.words[block, number]
            contained = {each: self.weights.contained(words, self.came_words[each]) for each in pieces}
            if contained[paragraph] >= OUTDONE * max(contained.values()):
                found.append(number)
        return found or list(numbers)


def nearest(index: int, places: Sequence[int], linked: Mapping[int, list[int]]) -> list[int]:
    """Returns what is linked to the neighbours of an unlinked index: `places` are the linked ones, sorted."""
    at = bisect(places, index)
    return [each for place in places[max(at - 1, 0) : at + 1] for each in linked[place]]


def parted(places: Sequence[int], headings: Sequence[bool]) -> list[list[int]]:
    """Returns places in parts that each begin with a heading, the first one perhaps without."""
    parts: list[list[int]] = [[]]
    for place in places:
        if headings[place]:
            parts.append([])
        parts[-1].append(place)
    return parts


def as_long(text: str, other: str) -> bool:
    """True if neither text is more than `LONGER` times as long as the other, and a few letters."""
    shorter, longer = sorted((len(text), len(other)))
    return longer <= LONGER * shorter + A_FEW_LETTERS


def without_outdone(links: list[Link]) -> list[Link]:
    """Returns the links less those whose block or paragraph has one that is twice as alike."""
    best_of_sent: dict[int, float] = defaultdict(float)
    best_of_came: dict[int, float] = defaultdict(float)
    for link in links:
        best_of_sent[link.sent] = max(best_of_sent[link.sent], link.likeness)
        best_of_came[link.came] = max(best_of_came[link.came], link.likeness)
    return [
        link
        for link in links
        if link.likeness >= OUTDONE * max(best_of_sent[link.sent], best_of_came[link.came])
    ]


def heaviest_chain(links: Iterable[Link], blocks: int) -> list[Link]:
    """Returns the links, ascending in both texts, whose likenesses add up to most.

    `blocks` is one more than the highest index of a block.
    """
    # A Fenwick tree: the heaviest chain that ends at or before a block, in logarithmic time.
    heaviest: list[tuple[float, int]] = [(0.0, -1)] * (blocks + 1)
    chains: list[tuple[Link, int]] = []
    for link in sorted(links, key=lambda each: (each.came, -each.sent)):
        weight, before = 0.0, -1
        place = link.sent
        while place > 0:
            if heaviest[place][0] > weight:
                weight, before = heaviest[place]
            place -= place & -place
        chains.append((link, before))
        ended = (weight + link.likeness, len(chains) - 1)
        place = link.sent + 1
        while place <= blocks:
            if ended[0] > heaviest[place][0]:
                heaviest[place] = ended
            place += place & -place
    weight, number = max(heaviest, key=lambda each: each[0])
    chain: list[Link] = []
    while number >= 0:
        link, number = chains[number]
        chain.append(link)
    return chain[::-1]
