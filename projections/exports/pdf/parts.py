"""Long books as PDF: set in parts, of which Typst has one in memory at a time, and joined in one document.

Typst numbers the objects of a document in the order in which it writes them, so that documents are joined by
adding to these numbers. Each part has an attachment that says what the others need to know of it.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from typing import Any, Final, NamedTuple

Data = dict[str, Any]
SetPart = Callable[[Data], bytes | set[str]]
"""Sets a part; returns the characters without a font if there are any."""
Place = tuple[int, float, float]
"""Number of a page, and points from its left and upper edges."""

LONGEST: Final = 500
"""Paragraphs, or rows of the appendix, from which a part ends: some 40 pages."""

_PASSES: Final = 4
"""Tries until the contents have as many pages as the numbers in them suppose; then a book is set at once."""


def is_long(told: Data) -> bool:
    """True for the data of a book that is set in parts."""
    return bool(told["listed"]) and len(told["blocks"]) > 3 * LONGEST


def set_in_parts(told: Data, set_part: SetPart) -> bytes | set[str]:
    """Returns a long book as PDF, or the characters without a font."""
    front, *others = _divided(told)
    headings = [heading for part in others for heading in _headings(part)]
    numbers, story = [0] * len(headings), [_Part(b"", 0, {})]
    for _ in range(_PASSES):
        listing = [(*heading, number) for heading, number in zip(headings, numbers, strict=True)]
        begun = _set(front, set_part, 1, listing=listing)
        if isinstance(begun, set):
            return begun
        if begun.last == story[0].last:
            return _joined([begun, *story[1:]])
        story, missing = [begun], set[str]()
        for part in others:
            known = [one.known for one in story]
            made = _set(
                part,
                set_part,
                story[-1].last + 1,
                footnotes=known[-1]["footnotes"],
                anchors={name: pages for one in known for name, pages in one["anchors"].items()},
                ends=[page for one in known for page in one["ends"]],
            )
            if isinstance(made, set):
                missing |= made
            else:
                story.append(made)
        if missing:
            return missing
        numbers = [place[0] for part in story[1:] for place in part.known["headings"]]
    return set_part(told)


def _divided(told: Data) -> list[Data]:
    """Returns the parts of a book: its beginning, chapters, its lists with the index, and the appendix."""
    blocks, appendix = told["blocks"], told["appendix"]
    nothing = {**told, "blocks": [], "below": [], "appendix": []}
    first, *chapters = (at for at, block in enumerate(blocks) if block["what"] == "chapter")
    ends = [first]
    for at in (*chapters, len(blocks)):
        if at - ends[-1] >= LONGEST or at == len(blocks):
            ends.append(at)
    opening = {**told["opening"], "text": told["words"]["mechanics"]}
    rows = [appendix[at : at + LONGEST] for at in range(0, len(appendix), LONGEST)]
    closing = {**nothing, "below": told["below"], "appendix": rows[0] if rows else []}
    return [
        {**nothing, "blocks": blocks[:first]},
        *({**nothing, "blocks": blocks[start:end]} for start, end in pairwise(ends)),
        *([closing] if told["below"] or rows else []),
        *({**nothing, "appendix": some, "goes-on": True, "opening": opening} for some in rows[1:]),
    ]


def _headings(part: Data) -> Iterator[tuple[int, str]]:
    """Yields level and text of the headings of a part that are in the contents."""
    for block in part["blocks"]:
        if block["what"] == "chapter" or block.get("level"):
            yield block.get("level", 1), block["text"]
    sorts = {"index" if one["what"] == "index" else "afterwards" for one in part["below"]}
    sorts |= {"mechanics"} if part["appendix"] and "goes-on" not in part else set()
    yield from ((1, part["words"][name]) for name in ("afterwards", "index", "mechanics") if name in sorts)


# --- a part -----------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A part as PDF, the number of its last page, and what the others know of it."""

    data: bytes
    last: int
    known: Data


def _set(part: Data, set_part: SetPart, first: int, **knows: object) -> _Part | set[str]:
    """Returns a part whose first page has this number; it `knows` of the others what `page.typ` says."""
    made = set_part({**part, "part": {"first": first, "goes-on": "goes-on" in part, **knows}})
    if isinstance(made, set):
        return made
    document = _Document(made)
    attached = next(number for number in document.numbers if b"/Type/EmbeddedFile" in document.head(number))
    stream = document.object(attached)[1].partition(b"\n")[2]
    known = json.loads(zlib.decompressobj().decompress(stream))
    left_out = first % 2 == 0
    count_of_pages = known["pages"] or len(document.array(document.pages, b"/Kids")) - left_out
    return _Part(made, first - 1 + count_of_pages, known)


# --- joining ----------------------------------------------------------------------------------------------


class _Document:
    """A PDF by Typst, which writes its objects in the order of their numbers, and their places in a table."""

    def __init__(self, data: bytes) -> None:
        start = int(data[data.rindex(b"startxref") + 9 :].split()[0])
        self._data = data
        self._starts = [*(int(found) for found in re.findall(rb"(\d{10}) 00000 n", data[start:])), start]
        self.numbers: Final = range(1, len(self._starts))
        self.trailer: Final = data[data.rindex(b"trailer") : data.rindex(b"startxref")]
        self.catalog, self.info = (_number(key, self.trailer) for key in (rb"/Root (\d+)", rb"/Info (\d+)"))
        catalog = self.head(self.catalog)
        self.pages, self.tree = (
            _number(key, catalog) for key in (rb"/Pages (\d+)", rb"/StructTreeRoot (\d+)")
        )
        self.story: Final = _number(rb"/K\[(\d+)", self.head(self.tree))

    def object(self, number: int) -> tuple[bytes, bytes]:
        """Returns an object in two: up to its stream, and the stream."""
        found = self._data[self._starts[number - 1] : self._starts[number]]
        head, sign, stream = found.partition(b" obj\n")[2].rpartition(b"endobj")[0].partition(b"stream\n")
        return head, sign + stream

    def head(self, number: int) -> bytes:
        """Returns an object up to its stream."""
        return self.object(number)[0]

    def array(self, number: int, key: bytes) -> list[tuple[bytes, int]]:
        """Returns the references in an array of an object, each with the name or number before it."""
        inside = self.head(number).partition(key + b"[")[2].partition(b"]")[0]
        return [(name, int(found)) for name, found in re.findall(rb"(\(.*?\)|\d+ |)(\d+) 0 R", inside)]

    def is_left_out(self, number: int, *, is_first: bool) -> bool:
        """True for an object of the attachment, and for one that the first part has for all."""
        head = self.head(number)
        if head.startswith(b"<</Type/Filespec") or b"/Type/EmbeddedFile" in head:
            return True
        is_shared = number in (self.catalog, self.info, self.pages, self.tree, self.story)
        is_bookmark = head.startswith((b"<</Parent ", b"<</Type/Outlines"))
        return not is_first and (is_shared or is_bookmark or b"/Type/Metadata" in head)


def _number(pattern: bytes, text: bytes) -> int:
    found = re.search(pattern, text)
    assert found  # noqa: S101 -- Typst writes it
    return int(found[1])


class _Links(NamedTuple):
    """Where links between parts lead: the document's pages by number, and places by name."""

    pages: Sequence[int]
    height: float
    """Points from the lower edge of the paper to the upper one."""
    places: Mapping[str, Place]
    page: str
    """The word for a page, in the language of the book."""

    def to(self, place: Place) -> bytes:
        """Returns the destination of a link."""
        number, x, y = place
        return b"[%d 0 R/XYZ %g %g 0]" % (self.pages[number - 1], x, self.height - max(y - _ABOVE, 0))

    def place(self, name: bytes) -> Place:
        """Returns the place of a page (`p12`), a note or a row of the appendix."""
        known = name.decode()
        return (int(known[1:]), 0, 0) if known[0] == "p" else self.places[known]

    def said(self, name: bytes) -> bytes:
        """Returns how a screen reader says a link, as hexadecimal UTF-16."""
        return f"{self.page} {self.place(name)[0]}".encode("utf-16-be").hex().encode()


_PAGES: Final = re.compile(rb"\d+<(?=/xmpTPg:NPages>)")
"""Number of pages in the properties."""

_ABOVE: Final = 10
"""Points between a place and where a link to it leads, which Typst has too."""

_TOKEN: Final = re.compile(
    rb"\\.|[()]|/A<</Type/Action/S/URI/URI\(retold:(?P<link>\w+)\)>>|/Contents\(retold:(?P<said>\w+)\)"
    rb"|(?P<id>/ID\(|/Headers\[\()|/StructParents? (?P<parent>\d+)|\b(?P<object>\d+) 0 R\b",
    re.DOTALL,
)
"""What changes in an object outside of its texts, and what begins and ends these."""


def _moved(head: bytes, renumbered: Mapping[int, int], parents: int, part: int, links: _Links) -> bytes:
    """Returns an object of a part as one of the document; the numbers of its `parents` rise by so much."""
    depth = 0

    def changed(found: re.Match[bytes]) -> bytes:
        nonlocal depth
        token, kind, is_text = found[0], found.lastgroup, depth > 0
        depth += (token == b"(" or kind == "id") - (token == b")")
        if is_text or kind is None:
            return token
        match kind:
            case "link":
                return b"/Dest" + links.to(links.place(found[kind]))
            case "said":
                return b"/Contents<FEFF%s>" % links.said(found[kind])
            case "id":
                return b"%s%d-" % (token, part)
            case "parent":
                return b"%s%d" % (token[: -len(found[kind])], int(found[kind]) + parents)
        return b"%d 0 R" % renumbered[int(found[kind])]

    return _TOKEN.sub(changed, head)


def _joined(parts: Sequence[_Part]) -> bytes:
    """Returns the parts as one PDF."""
    documents = [_Document(part.data) for part in parts]
    front, new = documents[0], count(1)
    maps, pages, stubs = list[dict[int, int]](), list[int](), list[int]()
    for part, document in zip(parts, documents, strict=True):
        every = [number for _, number in document.array(document.pages, b"/Kids")]
        here = every[: part.last] if document is front else every[len(pages) - part.last :]
        stubs = stubs or every[part.last :]
        gone = {*every} - {*here}
        is_first = document is front
        kept = (
            one
            for one in document.numbers
            if one not in gone and not document.is_left_out(one, is_first=is_first)
        )
        own = {one: next(new) for one in kept}
        if not is_first:
            own |= {document.pages: maps[0][front.pages], document.tree: maps[0][front.tree]}
            own[document.story] = maps[0][front.story]
        maps.append(own)
        pages += [own[one] for one in here]
    links = _links(front, parts, pages)
    written = dict(_shared(documents, maps, links))
    headings = sorted(
        (stubs.index(_number(rb"\[(\d+) 0 R/XYZ", head)), -float(head.split()[-2]), number)
        for number in front.numbers
        if (head := front.head(number)).startswith(b"[") and b"/XYZ" in head
        if _number(rb"\[(\d+) 0 R", head) in stubs
    )
    places = [place for part in parts[1:] for place in part.known["headings"]]
    written |= {
        maps[0][number]: links.to(place) for (*_, number), place in zip(headings, places, strict=True)
    }
    chunks, starts = [b"%PDF-1.7\n%\x80\x80\x80\x80\n\n"], list[int]()
    at, parents = len(chunks[0]), 0
    for number_of_part, (document, own) in enumerate(zip(documents, maps, strict=True)):
        for number in document.numbers:
            if number not in own or (document is not front and own[number] <= len(maps[0])):
                continue
            head, stream = document.object(number)
            if b"/Type/Metadata" in head:
                stream = _PAGES.sub(b"%d<" % len(pages), stream)
                head = re.sub(
                    rb"/Length \d+", b"/Length %d" % (len(stream) - len(b"stream\n\nendstream\n")), head
                )
            told = written.get(own[number]) or _moved(head, own, parents, number_of_part, links)
            chunk = b"%d 0 obj\n%s%sendobj\n" % (own[number], told, stream)
            starts.append(at)
            at += len(chunk)
            chunks.append(chunk)
        parents += _number(rb"/ParentTreeNextKey (\d+)", document.head(document.tree))
    size = len(starts) + 1
    table = b"".join(b"%010d 00000 n\r\n" % start for start in starts)
    root, info = maps[0][front.catalog], maps[0][front.info]
    identity = front.trailer.partition(b"/ID")[2].partition(b">>")[0]
    end = b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID%s>>\nstartxref\n%d\n%%%%EOF"
    chunks += [b"xref\n0 %d\n0000000000 65535 f\r\n" % size, table, end % (size, root, info, identity, at)]
    return b"".join(chunks)


def _links(front: _Document, parts: Sequence[_Part], pages: Sequence[int]) -> _Links:
    """Returns where the links between parts lead."""
    heads = b"".join(map(front.head, front.numbers))
    box = re.search(rb"/MediaBox\[0 0 \S+ (\S+)\]", heads)
    said = re.search(rb"/Contents<FEFF([0-9A-F]+)>", heads)
    assert box  # noqa: S101 -- a page has a size
    assert said  # noqa: S101 -- the contents have links
    places = {name: place for part in parts for name, place in part.known["spots"].items()}
    word = bytes.fromhex(said[1].decode()).decode("utf-16-be").split()[-2]
    return _Links(pages, float(box[1]), places, word)


def _shared(
    documents: Sequence[_Document], maps: Sequence[Mapping[int, int]], links: _Links
) -> Iterator[tuple[int, bytes]]:
    """Yields the objects that a document has once: those of the first part, with what the others have."""
    story, nums, ids, names, parents = list[bytes](), list[bytes](), list[bytes](), list[bytes](), 0
    for part, (document, own) in enumerate(zip(documents, maps, strict=True)):
        story += [b"%d 0 R" % own[one] for _, one in document.array(document.story, b"/K")]
        nums += [
            b"%d %d 0 R" % (int(key) + parents, own[one])
            for key, one in document.array(document.tree, b"/Nums")
        ]
        ids += [
            b"(%d-%s%d 0 R" % (part, name[1:], own[one])
            for name, one in document.array(document.tree, b"/IDTree<</Names")
        ]
        names += [
            b"%s%d 0 R" % (name, own[one])
            for name, one in document.array(document.catalog, b"/Dests<</Names")
        ]
        parents += _number(rb"/ParentTreeNextKey (\d+)", document.head(document.tree))
    front, own = documents[0], maps[0]
    kids = b" ".join(b"%d 0 R" % page for page in links.pages)
    yield own[front.pages], b"<</Type/Pages/Count %d/Kids[%s]>>\n" % (len(links.pages), kids)
    head = front.head(front.story).partition(b"/K[")[0]
    yield own[front.story], _moved(head, own, 0, 0, links) + b"/K[%s]>>\n" % b" ".join(story)
    yield (
        own[front.tree],
        front.head(front.tree).partition(b"/K[")[0]
        + b"/K[%d 0 R]/ParentTree<</Nums[%s]>>/IDTree<</Names[%s]>>/ParentTreeNextKey %d>>\n"
        % (own[front.story], b" ".join(nums), b"".join(sorted(ids)), parents),
    )
    catalog = front.head(front.catalog).partition(b"/Names")[0]
    yield (
        own[front.catalog],
        _moved(catalog, own, 0, 0, links) + b"/Names<</Dests<</Names[%s]>>>>>>\n" % b"".join(sorted(names)),
    )
