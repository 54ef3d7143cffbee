"""HTML of a transcript's story, written block by block for the templates of HTML and EPUB."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType, UnionType
from typing import Final

from markupsafe import Markup, escape

from retold.projections.exports import blocks as b
from retold.projections.exports import colours, page_elements
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.maps.svg import svg
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag
from retold.projections.reading.pictures import Image
from retold.projections.story import document
from retold.projections.story.document import Mechanic, Paragraph, Scene, Transcript
from retold.projections.texts import emphasis, safe
from retold.projections.texts.templates import days, isolated

DEEPEST: Final = 6


def line(text: str) -> Markup:
    """Returns typed text joined to one line and escaped for HTML."""
    return escape(safe.line(text))


def emphasised(text: str) -> Markup:
    """Returns text escaped for HTML, with elements for its signs of emphasis."""
    return Markup(emphasis.shown(escape(text), emphasis.HTML))  # noqa: S704 -- it is escaped


def map_file(id_: str) -> str:
    """Returns the path of a map's SVG inside an EPUB; `id_` is the map's id."""
    return f"maps/{id_}.svg"


PICTURES: Final = "pictures/"
"""Folder of the pictures inside an EPUB."""


def picture_file(image: Image) -> str:
    """Returns the path of a picture inside an EPUB."""
    return f"{PICTURES}{image.file}"


class HtmlWriter:
    """Writer of a page's story as HTML; `named` turns names in escaped text into links.

    `pictures` is the folder of the picture files, relative to the page; empty if the page contains the
    pictures. `tints` are the colours of speakers, by name.
    """

    isolated: Callable[[str], str] = staticmethod(isolated)
    dated: Callable[[str], Markup] = staticmethod(days)
    item = "<li>"
    """Start tag of a line of mechanics."""
    spoken = ' lang="{0}"'
    """Attributes that name a language."""
    marks_generated = True
    """True if generated text has a class of its own."""

    def __init__(
        self,
        place: MechanicsPlace,
        phrases: Phrases,
        named: Callable[[str], str] = str,
        pictures: str = "",
        tints: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.blocks = b.Blocks(place, phrases)
        self.named = named
        self.pictures = pictures
        self.tints = tints
        self.own = "" if phrases.lang is None else self.spoken.format(escape(phrases.lang))
        """Attributes of an element with Retold's own words; empty if they are in the page's language."""
        self.within = 0
        """Number of enclosing variations."""
        self.anchors: set[str] = set()
        """Ids of the paragraphs written outside of variations."""

    def story(self, scenes: Sequence[Scene], level: int = 1) -> Markup:
        """Returns scenes as HTML; headings of sessions are `level` below the page's title."""
        return Markup(self.write(self.blocks.story(scenes, level)))  # noqa: S704 -- what was typed is escaped

    def write(self, blocks: Iterable[b.Block]) -> str:
        """Returns the HTML of several blocks, joined."""
        return "".join(map(self.block, blocks))

    def block(self, block: b.Block) -> str:  # noqa: C901, PLR0911 -- one case for each block
        """Returns a block as HTML; empty for `Beneath`, since `told` writes a paragraph's dice and cards."""
        match block:
            case b.Told():
                return self.told(block)
            case b.Heading(sort, text, level, id_):
                return self.heading(level, text, "" if sort == "session" and level > 1 else id_)
            case b.Conflict():
                return self.conflict(block)
            case b.Branch():
                return self.branch(block)
            case b.Apart(text):
                return f"<p>{line(text)}</p>\n"
            case b.Map():
                return f'<figure class="plate" id="{block.plate.id}">\n{self.drawn(block)}</figure>\n'
            case b.Picture():
                return self.picture(block)
            case b.Line(text):
                return f'<p dir="auto">{self.isolated(days(text))}</p>\n'
            case b.Foretold(_, label, text):
                return self.before(line(label), emphasis.paragraphs(text))
            case b.Epigraph(quote):
                return self.quote(quote)
            case b.Part():
                return self.part(block)
            case b.Beneath() | b.Break():
                return ""

    def picture(self, block: b.Picture) -> str:
        """Returns a picture as a figure, with its caption below it."""
        anchor = "" if block.source is None else f' id="{block.source.id}"'
        caption = f'<figcaption dir="auto">{line(block.caption)}</figcaption>\n' if block.caption else ""
        if block.source is not None and not self.within:
            self.anchors.add(block.source.id)
        shown = f"{self.image(block.image)}{caption}"
        return f'<figure class="picture {block.image.use}"{anchor}>\n{shown}</figure>\n'

    def image(self, image: Image) -> str:
        """Returns the `<img>` of a picture."""
        size = f'width="{image.width}" height="{image.height}"'
        return f'<img src="{self.address(image)}" alt="{line(image.alt)}" {size}/>\n'

    def address(self, image: Image) -> str:
        """Returns the address of a picture: of its file, or a `data:` address."""
        return f"{self.pictures}{image.file}" if self.pictures else image.uri

    def heading(self, level: int, text: str, id_: str = "") -> str:
        """Returns a heading `level` below the page's title, at most `h6`, with dates kept on one line."""
        number, anchor = min(level + 1, DEEPEST), f' id="{id_}"' if id_ else ""
        return f'<h{number}{anchor} dir="auto">{self.dated(text)}</h{number}>\n'

    def conflict(self, block: b.Conflict) -> str:
        """Returns the heading of a conflict; its sides, stakes and opening draws or rolls stand below."""
        against = f"{self.shown(block.against)}{self.mark(block.note)}"
        return (
            f"{self.heading(block.level, block.text, block.source.id)}\n"
            f'<div class="against">\n<p class="stakes" dir="auto">{against}</p>\n'
            f"{self.beneath(block.source.mechanics)}\n</div>"
        )

    def told(self, block: b.Told) -> str:
        """Returns a paragraph of the story, its dice and cards included, and records its id in `anchors`."""
        paragraph, mark = block.source, self.mark(block.note)
        beneath = self.beneath(paragraph.mechanics)
        if not self.within:
            self.anchors.add(paragraph.id)
        if block.is_bare:
            label = f"{line(self.blocks.furniture.say('page.mechanics'))}{mark}"
            shown = f'<p class="label">{label}</p>\n' if self.blocks.place in b.NUMBERED else ""
            return f'<div class="told" id="{paragraph.id}">\n{shown}{beneath}\n</div>\n'
        return f"{self.opening(block)}{self.words(paragraph, mark)}\n{beneath}\n</div>\n"

    def opening(self, block: b.Told) -> str:
        """Returns the start tag of a paragraph, and anchors for the paragraphs joined to it."""
        paragraph = block.source
        flags = {
            "labelled": block.label,
            "struck": paragraph.struck,
            "later": paragraph.later,
            "hidden": paragraph.eyes,
        }
        classes = " ".join(
            (
                "told",
                paragraph.kind.value,
                *(name for name, is_set in flags.items() if is_set),
                *self.coloured(paragraph),
            )
        )
        others = "".join(f'<span id="{other}"></span>' for other in paragraph.others)
        return f'<div class="{classes}" id="{paragraph.id}">\n{others}'

    def coloured(self, paragraph: Paragraph) -> Sequence[str]:
        """Returns the CSS class of the speaker's tint as the only item; empty without a tint."""
        colour = self.tints.get(paragraph.speaker or "")
        return () if colour is None else (colours.class_name(colour),)

    def words(self, paragraph: Paragraph, mark: str = "") -> Markup:
        """Returns the label and text of a paragraph as `<p>` elements, with the note mark in the last."""
        block, is_ours = b.Told(paragraph), paragraph.generated and self.marks_generated
        tag, kind = "em" if block.is_slanted else "span", "ours" if is_ours else "words"
        label = safe.line(block.label)
        label = self.named(label) if paragraph.kind is Tag.NOTE else label  # which may be the name of a place
        parts = [emphasis.line(block.text)] if is_ours else emphasis.paragraphs(block.text)
        named = map(self.named, parts)
        shown = map(emphasised, map(self.isolated, named) if is_ours else named)
        own = self.own if paragraph.generated else ""
        texts = [f'<{tag} class="{kind}"{own}>{part}</{tag}>' for part in shown]
        if label:
            lead = f"{escape(self.isolated(label))}{self.blocks.furniture.colon}"
            texts[0] = f'<span class="label" dir="auto">{lead}</span> {texts[0]}'
        texts[-1] += mark
        return Markup("".join(f'<p dir="auto">{text}</p>\n' for text in texts))  # noqa: S704 -- as above

    def mark(self, note: int | None) -> str:
        """Returns a note's mark as a link to the note's text; empty for None."""
        return "" if note is None else self.link(note, "", f"#m{note}")

    def link(self, note: int, roles: str, address: str) -> str:
        """Returns a superscript link to a note; `roles` are further attributes of the tag."""
        about = line(self.blocks.furniture.say("page.to-note", number=note))
        return (
            f'<sup><a class="mark"{roles} id="r{note}" href="{address}" aria-label="{about}">{note}</a></sup>'
        )

    def beneath(self, mechanics: Sequence[Mechanic]) -> str:
        """Returns the dice, cards and numbers under a paragraph, folded or open; empty if notes hold them."""
        if not mechanics or self.blocks.place not in b.BENEATH:
            return ""
        if self.blocks.place is MechanicsPlace.INLINE:
            return f"{self.lines(mechanics)}\n"
        folded = line(self.blocks.furniture.folded(mechanics))
        summary = f'<summary title="{folded}"><span>{folded}</span></summary>'
        return f"<details{self.own}>\n{summary}\n{self.lines(mechanics)}\n</details>\n"

    def lines(self, mechanics: Iterable[Mechanic]) -> Markup:
        """Returns dice, cards and numbers as an HTML list, each with the source of its luck (`dealt`)."""
        items = []
        for mechanic in mechanics:
            luck = line(self.blocks.furniture.luck(mechanic)) if mechanic.luck else ""
            beside = f' <span class="luck">[{luck}]</span>' if luck else ""
            items.append(f"{self.item}{self.shown(mechanic.text)}{beside}</li>\n")
        return Markup(f'<ul class="mechanics"{self.own}>\n{"".join(items)}</ul>\n')  # noqa: S704 -- as above

    def branch(self, block: b.Branch) -> str:
        """Returns a variation (another branch's story): its heading and its blocks."""
        level = block.level + block.is_in_conflict
        self.within += 1
        heading = self.heading(level, block.text, block.source.id)
        story = self.write(self.inner(block, level + 1))
        self.within -= 1
        return f'<div class="variation">\n{heading}\n{story}</div>\n'

    def byline(self, transcript: Transcript) -> Markup:
        """Returns the lines under the title as `<p>` elements."""
        return self._above(transcript, b.Line)

    def foretold(self, transcript: Transcript) -> Markup:
        """Returns the front matter: blurb, content notes, epigraph, previous events, summary."""
        return self._above(transcript, b.Foretold | b.Epigraph)

    def cover(self, transcript: Transcript) -> Markup:
        """Returns the campaign's cover; empty if it has none."""
        return self._above(transcript, b.Picture)

    def cast(self, transcript: Transcript) -> Markup:
        """Returns the transcript's cast as a description list; empty if it has no cast."""
        return self._above(transcript, b.Part)

    def closing(self, transcript: Transcript) -> Markup:
        """Returns the lists below the story, without the index; empty if there are none."""
        parts = (part for part in self.blocks.below(transcript) if part.sort != "index")
        return Markup(self.write(parts))  # noqa: S704 -- as above

    def index(self, transcript: Transcript) -> Markup:
        """Returns the index of people, things and places in a book; empty if it has no index."""
        parts = (part for part in self.blocks.below(transcript) if part.sort == "index")
        return Markup(self.write(parts))  # noqa: S704 -- as above

    def _above(self, transcript: Transcript, sort: type | UnionType) -> Markup:
        blocks = (block for block in self.blocks.above(transcript) if isinstance(block, sort))
        return Markup(self.write(blocks))  # noqa: S704 -- as above

    def before(self, label: str, paragraphs: Iterable[str]) -> str:
        """Returns text before the story, such as a summary, after its label in bold."""
        texts = (f'<span class="words" dir="auto">{emphasised(text)}</span>' for text in paragraphs)
        told = "</p>\n<p>".join(texts)
        return f'<div class="previously">\n<p><strong{self.own}>{label}</strong> {told}</p>\n</div>\n\n'

    def part(self, part: b.Part) -> str:
        """Returns the HTML of one part around the story, such as the index or the quotes, under its title.

        The cast is written without a title.
        """
        heading = f"<h2{self.own}>{line(part.title)}</h2>\n"
        match part.sort:
            case "cast":
                made = self.blocks.furniture.portraits_by(part.members)
                credit = f'<p class="credit" dir="auto">{line(made)}</p>\n' if made else ""
                return f'<dl class="cast">\n{"".join(map(self.member, part.members))}</dl>\n{credit}'
            case "index":
                entries = (
                    f'<dt dir="auto">{line(name)}</dt>\n<dd>{", ".join(map(self.place, places))}</dd>\n'
                    for name, places in part.entries
                )
                return self.indexed(part.title, heading, "".join(entries))
            case "quotes":
                return heading + "".join(map(self.quote, part.quotes))
            case "untold":
                lines: Iterable[str] = map(self.untold, part.untold)
            case _:
                lines = map(self.shown, part.lines)
        items = "".join(f'<li dir="auto">{text}</li>\n' for text in lines)
        return f"{heading}<ul{self.own}>\n{items}</ul>\n"

    def member(self, member: document.Member) -> str:
        """Returns a cast member as name and description (`<dt>`, `<dd>`)."""
        texts = member.name, self.blocks.furniture.member(member)
        name, about = (self.named(safe.line(text)) for text in texts)
        portrait = "" if member.portrait is None else self.image(member.portrait).strip()
        described = f'<dd dir="auto">{escape(self.isolated(about))}</dd>'
        return f'<dt dir="auto">{portrait}{escape(name)}</dt>\n{described}\n'

    def shown(self, text: str) -> Markup:
        """Returns generated text joined to one line and escaped, with right-to-left names isolated."""
        return escape(self.isolated(safe.line(text)))

    def quote(self, quote: document.Quote) -> str:
        """Returns a memorable quote as `<blockquote>`, with its speaker below it."""
        parts = map(emphasised, emphasis.paragraphs(quote.text))
        words = (f'<p class="words" dir="auto">{part}</p>\n' for part in parts)
        return f'<blockquote id="{quote.id}">\n{"".join(words)}{self.speaker(quote.who)}</blockquote>\n'

    def speaker(self, who: str | None) -> str:
        """Returns the HTML that names a quote's speaker; empty if the speaker is unknown."""
        return f'<footer dir="auto">— {line(who)}</footer>' if who else ""

    def untold(self, untold: document.Missing) -> str:
        """Returns a result that no player has told, linked to its paragraph, with possible narrators."""
        address, what = self.paragraph_at(untold.id), self.shown(untold.what)
        who = f" ({self.shown(', '.join(untold.who))})" if untold.who else ""
        return f'<a href="{address}">{what}</a>{who}' if address else f"{what}{who}"

    def paragraph_at(self, id_: str) -> str:
        """Returns the link address of a paragraph, `#id`; empty if the paragraph is not in the document."""
        return f"#{id_}" if id_ in self.anchors else ""

    def place(self, place: page_elements.IndexedPlaces) -> str:
        """Returns the target of an index entry as links to sessions, or to some scenes of one session."""
        session = place.sessions[0]
        scenes = "; ".join(
            f'<a href="{self.session_at(session, scene.id or "")}" dir="auto">{line(scene.title or "")}</a>'
            for scene in place.scenes
        )
        if place.is_only:
            return scenes
        run = f'<a href="{self.session_at(session)}">{page_elements.run(place.sessions)}</a>'
        return f"{run} ({scenes})" if scenes else run

    def session_at(self, session: int, scene: str = "") -> str:
        """Returns the link address of a scene's heading, or of the session's heading if `scene` is empty."""
        return f"#{scene or page_elements.anchor(session)}"

    def indexed(self, title: str, heading: str, entries: str) -> str:
        """Returns one list of the index as a labelled section."""
        listed = f'{heading}<dl class="cast">\n{entries}</dl>\n'
        return f'<section class="end" aria-label="{line(title)}">\n{listed}</section>\n'

    def inner(self, block: b.Branch, level: int) -> Iterable[b.Block]:
        """Returns the blocks of a variation's story, with headings at `level`."""
        return self.blocks.within(block, level)

    def drawn(self, block: b.Map) -> str:
        """Returns a map as inline SVG, with ids unique on the page."""
        return svg(block.plate.picture, f"{block.plate.id}-")


class EpubWriter(HtmlWriter):
    """Writer of a chapter's story in an EPUB, where folded dice and cards are pop-up notes."""

    isolated = staticmethod(str)
    dated = staticmethod(line)
    item = '<li dir="auto">'
    spoken = ' lang="{0}" xml:lang="{0}"'
    marks_generated = False

    def __init__(self, place: MechanicsPlace, phrases: Phrases, files: Mapping[str | int, str]) -> None:
        """Takes `files`: the chapter file of each paragraph id and of each session number."""
        super().__init__(place, phrases, pictures=PICTURES)
        self.blocks = b.Blocks(place, phrases, b.NUMBERED | {MechanicsPlace.FOLDED})
        self.files = files
        self.has_words = False
        """True if words or a picture came after the last heading."""

    def block(self, block: b.Block) -> str:
        """Returns a block as XHTML; no break directly after a heading."""
        if isinstance(block, b.Break) and not self.within:
            return '<hr class="break"/>\n' if self.has_words else ""
        if isinstance(block, b.Told):
            self.has_words |= not block.is_bare
        elif isinstance(block, b.Picture):
            self.has_words = True
        elif isinstance(block, b.Heading | b.Conflict):
            self.has_words = False
        return super().block(block)

    def chapter(self, scenes: Iterable[Scene]) -> Markup:
        """Returns a chapter's scenes as XHTML, each under its heading."""
        story = "".join(
            self.write((*self.blocks.previously(scene), *self.blocks.scene(scene))) for scene in scenes
        )
        return Markup(story)  # noqa: S704 -- as above

    def conflict(self, block: b.Conflict) -> str:
        """Returns the heading of a conflict; its sides, stakes and opening draws or rolls stand below."""
        stakes = f'<p class="stakes" dir="auto">{line(block.against)}{self.mark(block.note)}</p>'
        heading = self.heading(block.level, block.text, block.source.id)
        return f"{heading}\n{stakes}\n{self.beneath(block.source.mechanics)}"

    def told(self, block: b.Told) -> str:
        """Returns a paragraph of the story, its dice and cards included."""
        paragraph, mark = block.source, self.mark(block.note)
        if not block.is_bare:
            beneath = self.beneath(paragraph.mechanics)
            return f"{self.opening(block)}{self.words(paragraph, mark)}{beneath}</div>\n"
        if self.blocks.place is MechanicsPlace.INLINE:
            return f'<div class="told" id="{paragraph.id}">\n{self.lines(paragraph.mechanics)}</div>\n'
        label = f"{line(self.blocks.furniture.say('page.mechanics'))}{mark}"
        return f'<p class="told label" id="{paragraph.id}">{label}</p>\n'

    def opening(self, block: b.Told) -> str:
        """Returns the start tag of a paragraph, without the class for paragraphs told later."""
        return super().opening(block).replace(" later", "", 1)

    def mark(self, note: int | None) -> str:
        """Returns the mark of a note: a link to the appendix, or a pop-up note's link; empty for None."""
        if note is None or self.blocks.place is not MechanicsPlace.APPENDIX:
            roles = ' epub:type="noteref" role="doc-noteref"'
            return "" if note is None else self.link(note, roles, f"#m{note}")
        return self.link(note, "", f"mechanics.xhtml#m{note}")

    def beneath(self, mechanics: Sequence[Mechanic]) -> str:
        """Returns the dice, cards and numbers under a paragraph; empty unless their place is `inline`."""
        is_there = mechanics and self.blocks.place is MechanicsPlace.INLINE
        return self.lines(mechanics) if is_there else ""

    def inner(self, block: b.Branch, level: int) -> Iterable[b.Block]:
        """Yields the blocks of a variation's story, with sessions' and scenes' headings at the same level."""
        if not block.source.scenes:
            yield from self.blocks.within(block)
        for scene in block.source.scenes:
            yield from self.blocks.session(scene, level)
            yield from self.blocks.scene(scene, level)

    def drawn(self, block: b.Map) -> str:
        """Returns an `<img>` for a map, whose SVG is a separate file."""
        alt = line(self.blocks.furniture.in_words(block.plate))
        return f'<img src="{map_file(block.plate.id)}" alt="{alt}"/>\n'

    def before(self, label: str, paragraphs: Iterable[str]) -> str:
        """Returns text before the story, such as a summary, as a section under its label."""
        texts = "".join(f'<p class="words" dir="auto">{emphasised(text)}</p>\n' for text in paragraphs)
        heading = f'<p class="label">{label}</p>'
        return f'<section class="previously" aria-label="{label}">\n{heading}\n{texts}</section>\n'

    def speaker(self, who: str | None) -> str:
        """Returns the XHTML that names a quote's speaker; empty if the speaker is unknown."""
        return f'<p class="who" dir="auto">— {line(who)}</p>\n' if who else ""

    def paragraph_at(self, id_: str) -> str:
        """Returns the link address of a paragraph, `file#id`; empty if the paragraph is in no chapter."""
        return f"{self.files[id_]}#{id_}" if id_ in self.files else ""

    def session_at(self, session: int, scene: str = "") -> str:
        """Returns the link address of a scene's heading, or of the session's file if `scene` is empty."""
        return f"{self.files[session]}#{scene}" if scene else self.files[session]

    def indexed(self, title: str, heading: str, entries: str) -> str:  # noqa: ARG002 -- as above
        """Returns one list of the index under its heading."""
        return f'{heading}<dl class="index">\n{entries}</dl>\n'
