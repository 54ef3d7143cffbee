"""Typographic quotes, apostrophes, dashes and ellipses in place of typed ones, where unambiguous."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from retold.journal import marks
from retold.journal.names import normalise
from retold.journal.options import telling_of
from retold.journal.vocabulary.base import GM
from retold.projections.prose import Voice, primary
from retold.projections.prose.phrases import LANGUAGE, Phrases, table
from retold.projections.prose.phrases.agreement import grammar_of
from retold.projections.prose.phrases.languages import ENGLISH, Comma, Language, with_grammar_of
from retold.projections.prose.sentences import (
    begins_with_name,
    goes_on_behind_a_name,
    is_act,
    is_emote,
    is_possessive,
    stopped,
)
from retold.projections.prose.telling import Sentence, Tag, Telling
from retold.projections.story import document
from retold.projections.story.document import Paragraph
from retold.projections.texts import emphasis, line_ends
from retold.projections.texts.line_ends import reflowed, unwrapped
from retold.projections.texts.safe import is_right_to_left

_MARK: Final = re.compile("[\"']")
_BEFORE_OPENING: Final = re.compile(
    r"(?:^|.*[\s\u2013\u2014\u2018\u201c\u201e\u00ab\u00bb\"'-]|.*(?<!\S)[(\[])", re.DOTALL
)
"""Text before an opening mark: nothing, a blank, a dash, another mark, or a bracket after a blank."""
_TWO_APOSTROPHES: Final = re.compile(r"(?<![\w'])''(?=[^\s'])([^\n]{0,2000}?[^\s'])''(?!['\w])")
"""Quotation between two apostrophes on each side, as many people type a double mark."""
_ELISION: Final = re.compile(r"'(?:\d\ds?\b|(?:tis|twas|em|til|cause|bout|round|n)\b)", re.IGNORECASE)
_DROPPED_H: Final = re.compile(
    r"'(?:ere|im|ave|ad|ow|ello|ome|ouse|orse|alf|eart|eard|and|ands|ead|is|er|e|neath|gainst|fore)\b",
    re.IGNORECASE,
)
"""Words with a dropped first letter, which may also begin a quotation."""
_INNER: Final = {
    ("“", "”"): ("\u2018", "\u2019"),
    ("„", "“"): ("\u201a", "\u2018"),
    ("„", "”"): ("«", "»"),
    ("»", "«"): ("\u203a", "\u2039"),
    ("«", "»"): ("“", "”"),
    ("«\u202f", "\u202f»"): ("“", "”"),
    ("「", "」"): ("『", "』"),
    ("\u2018", "\u2019"): ("“", "”"),
}
"""Inner quotation marks by outer ones."""
_DEEPEST: Final = 4
"""Deepest nesting of quotations; deeper marks are no quotation."""
_CLOSING: Final = re.compile(r"[^\s']'(?!\w)")
"""Possible closing single mark: after a letter or sign, and before none."""
_CERTAIN_CLOSING: Final = re.compile(r"[.,!?\u2026\u2014)]'(?!\w)")
"""Certain closing single mark: after the sign that ends the speech."""
_DASH: Final = re.compile(
    r"(?<=\s)---?(?=\s)|(?<=\w)---?(?=\w)|(?<=[\w,])---?(?=[\"'\u201d\u2019]|\n|$)|(?<=[\"\u201c])---?(?=\w)"
)
"""Hyphens between blanks or words, or at an interruption; those of an option stay."""
_DOTS: Final = re.compile(r"(?<![.\d])\.\.\.(?!\.)|(?<=\d)\.\.\.(?![.\d])")
_NO_PROSE: Final = re.compile(r"[/\\@=<>{}`|_]|:\w")
"""Signs of an address, a path or markup."""
_AFTER_A_WORD: Final = ".,;:!?\u2013\u2014\u201d"
_APOSTROPHE: Final = "\u2019"


def typeset(
    text: str,
    quotes: tuple[str, str] = ("“", "”"),
    language: Language = ENGLISH,
    *,
    spoken: bool = False,
) -> str:
    """Returns `text` with `quotes` for straight double quotes, curved apostrophes and single quotes.

    Ambiguous marks, such as inches or an attribute in markup, stay as typed. A mark opens where a word may
    begin, and closes only a quotation open in its paragraph. Two or three hyphens become a dash between
    words, and three dots an ellipsis. Dashes and spaces before signs are those of the language. Text that is
    `spoken` is in marks already: `quotes` are then for straight single quotes too. The mark of redacted words
    is that of the language.
    """
    text = language.marked(text)
    signs: list[tuple[int, str]] = []
    if emphasis.is_marked(text):
        text, signs = emphasis.lifted(text)
    if "--" in text:
        dashes = ((*found.span(), _dashed(found, language.dash)) for found in _DASH.finditer(text))
        text, signs = _edited(text, dashes, signs)
    if "..." in text:
        dots = ((*found.span(), _dotted(found)) for found in _DOTS.finditer(text))
        text, signs = _edited(text, dots, signs)
    if "''" in text:
        text, signs = _edited(text, _double_marks(text), signs)
    if '"' in text or "'" in text:
        text, signs = _edited(text, _quotation_marks(text, quotes, spoken=spoken), signs)
    if language.spaced:
        text, signs = _edited(text, _set_off(text, language.spaced), signs)
    return emphasis.put_back(text, signs) if signs else text


_Edit = tuple[int, int, str]
"""Start and end of what is replaced, and what takes its place."""


def _edited(
    text: str, edits: Iterable[_Edit], signs: Sequence[tuple[int, str]]
) -> tuple[str, list[tuple[int, str]]]:
    """Returns an edited text, and the places of the signs of emphasis in it."""
    parts: list[str] = []
    moved: list[tuple[int, str]] = []
    at = shift = 0
    for start, end, new in edits:
        while signs and len(moved) < len(signs) and signs[len(moved)][0] < end:
            place, sign = signs[len(moved)]
            moved.append((min(place, start) + shift, sign))
        parts += (text[at:start], new)
        shift += len(new) - (end - start)
        at = end
    moved += ((place + shift, sign) for place, sign in signs[len(moved) :])
    return "".join((*parts, text[at:])), moved


_SIGNS: Final = re.compile(
    r"`[^`\n]+`|(?<=[\w\u2026\u2019\u201d\u00bb)\]])"
    r"(?:[ \u00a0\u202f]?([;!?]+|:)(?=[\s\u201d\u00bb]|\Z)|([;!?]+)(?=\)))"
)
"""Code between backticks; or a sign after a word and before a blank, a closing mark or the end, which is
none of an address, a time or a smiley."""


def _set_off(text: str, signs: str) -> Iterator[_Edit]:
    """Yields a narrow no-break space before each of `signs`, a no-break space before a colon."""
    for found in _SIGNS.finditer(text):
        sign = found[1] or found[2]
        if sign is not None and sign[0] in signs:
            yield *found.span(), ("\u00a0" if sign == ":" else "\u202f") + sign


def _dashed(found: re.Match[str], dash: str) -> str:
    """Returns the dash for two or three typed hyphens; the hyphens themselves in addresses and markup.

    Two hyphens between blanks or numbers become an en dash, hyphens between words `dash`, others an em dash.
    """
    if _NO_PROSE.search(_word_around(found)):
        return found[0]
    stands_alone = found.string[found.start() - 1 : found.start()].isspace()
    between_numbers = found.string[found.start() - 1 : found.start()].isdigit() and (
        found.string[found.end() : found.end() + 1].isdigit()
    )
    if found[0] == "--" and (stands_alone or between_numbers):
        return "\u2013"
    behind = found.string[found.end() : found.end() + 1]
    between_words = found.string[found.start() - 1 : found.start()].isalnum() and behind.isalnum()
    return dash if between_words and not between_numbers else "\u2014"


def _dotted(found: re.Match[str]) -> str:
    return found[0] if _NO_PROSE.search(_word_around(found)) else "\u2026"


def _word_around(found: re.Match[str]) -> str:
    """Returns the characters directly before and after a match, up to the next blanks."""
    before = found.string[: found.start()].rpartition(" ")[-1].rpartition("\n")[-1]
    behind = found.string[found.end() :].partition(" ")[0].partition("\n")[0]
    return before + behind


def _quotation_marks(text: str, quotes: tuple[str, str], *, spoken: bool) -> Iterator[_Edit]:
    """Yields the typographic signs for the quotation marks and apostrophes of each paragraph."""
    at = 0
    for number, part in enumerate(line_ends.BETWEEN_PARAGRAPHS.split(text)):
        if not number % 2:
            for place, sign in _of_paragraph(part, quotes, spoken=spoken):
                yield at + place, at + place + 1, sign
        at += len(part)


def _double_marks(text: str) -> Iterator[_Edit]:
    """Yields a double quotation mark for each two apostrophes around a quotation."""
    for found in _TWO_APOSTROPHES.finditer(text):
        yield found.start(), found.start() + 2, '"'
        yield found.end() - 2, found.end(), '"'


def _of_paragraph(text: str, quotes: tuple[str, str], *, spoken: bool) -> Iterator[tuple[int, str]]:
    open_now: list[str] = []
    last_closing, last_certain = (
        max((found.end() - 1 for found in sign.finditer(text)), default=-1)
        for sign in (_CLOSING, _CERTAIN_CLOSING)
    )
    for found in _MARK.finditer(text):
        at = found.start()
        yield (
            at,
            _double(text, at, open_now, quotes)
            if found[0] == '"'
            else _single(
                text,
                at,
                open_now,
                quotes if spoken and '"' not in open_now else _INNER.get(quotes),
                closes=at < (last_certain if _DROPPED_H.match(text, at) else last_closing),
            ),
        )


def _may_open(text: str, at: int, open_now: list[str]) -> bool:
    """True if the quotation mark at `at` may open a quotation: before a word, not directly behind one.

    `open_now` holds the quotations already open.
    """
    after = text[at + 1 : at + 2]
    is_behind = _BEFORE_OPENING.fullmatch(text[max(at - 2, 0) : at]) is not None
    return is_behind and bool(after) and not after.isspace() and len(open_now) < _DEEPEST


def _double(text: str, at: int, open_now: list[str], quotes: tuple[str, str]) -> str:
    if '"' in open_now and not (at and text[at - 1].isspace()):
        del open_now[open_now.index('"') :]
        return quotes[1]
    if '"' not in open_now and _may_open(text, at, open_now) and text.find('"', at + 1) > at:
        open_now.append('"')
        return quotes[0]
    return '"'


def _single(text: str, at: int, open_now: list[str], inner: tuple[str, str] | None, *, closes: bool) -> str:
    """Returns the typographic sign for the single mark at `at`: an apostrophe or one of the marks `inner`.

    Opens or closes a quotation in `open_now`; `closes` is true if a later mark can close it.
    """
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if before.isalpha() and after.isalpha():
        return _APOSTROPHE
    if "'" in open_now and not before.isspace() and not after.isalnum():
        open_now.remove("'")
        return inner[1] if inner else "'"
    if _ELISION.match(text, at):
        return _APOSTROPHE
    if closes and _may_open(text, at, open_now):
        open_now.append("'")
        return inner[0] if inner else "'"
    if not closes and after.isalpha() and _may_open(text, at, open_now):
        return _APOSTROPHE
    is_possessive = before.isalpha() and (after == "" or after.isspace() or after in _AFTER_A_WORD)
    return _APOSTROPHE if is_possessive else "'"


Letter = Callable[[str], str]


def typesetter_of(voice: Voice) -> Letter:
    """Returns a function that typesets titles, names and sentences as the voice does, without their marks."""
    if not voice.typographic:
        return _plain
    return lambda text: typeset(_plain(text), voice.quotes, voice.phrases.language)


def typesetter_of_words(voice: Voice) -> Letter:
    """Returns a function for people's own words: their marks and line ends, typeset as the voice does.

    A voice that is not typographic has the words without their marks.
    """
    if not voice.typographic:
        return partial(_told, voice=voice)
    return lambda text: typeset(_told(text, voice), voice.quotes, voice.phrases.language)


def _told(text: str, voice: Voice) -> str:
    """Returns a typed text with signs of emphasis, if the voice has any, and with its own line ends."""
    lines = unwrapped(text)
    return emphasis.marked(lines) if voice.typographic else _plain(lines)


def _plain(text: str) -> str:
    """Returns a typed text without marks."""
    return emphasis.unsigned(marks.plain(text)) if "*" in text or "_" in text or not text.isascii() else text


def typeset_transcript(told: document.Transcript, voice: Voice) -> document.Transcript:
    """Returns the transcript with typeset headings, labels and names; numbers are left alone.

    Its scenes must be typeset already (`typeset_scene`), except the names of session leaders.
    """
    set_ = typesetter_of(voice)
    return replace(
        told,
        head=_head(told.head, set_),
        cast=tuple(_member(member, set_) for member in told.cast),
        scenes=tuple(_led(scene, set_) for scene in told.scenes),
        end=_end(told.end, set_),
    )


def _if_any(text: str | None, set_: Letter) -> str | None:
    return None if text is None else set_(text)


def _each(texts: tuple[str, ...], set_: Letter) -> tuple[str, ...]:
    return tuple(map(set_, texts))


def _head(head: document.Head, set_: Letter) -> document.Head:
    return replace(
        head,
        campaign=_if_any(head.campaign, set_),
        title=_if_any(head.title, set_),
        gm=_if_any(head.gm, set_),
        gms=_each(head.gms, set_),
        players=tuple(
            document.Played(set_(player.player), _each(player.characters, set_), _each(player.before, set_))
            for player in head.players
        ),
        absent=_each(head.absent, set_),
    )


def _member(member: document.Member, set_: Letter) -> document.Member:
    before = _each(member.before, set_)
    return replace(member, name=set_(member.name), player=_if_any(member.player, set_), before=before)


def _led(scene: document.Scene, set_: Letter) -> document.Scene:
    heading = scene.chapter
    if heading is None or heading.gm is None:
        return scene
    return replace(scene, chapter=replace(heading, gm=set_(heading.gm)))


def typeset_scene(scene: document.Scene, set_: Letter) -> document.Scene:
    """Returns the scene with typeset headings, labels and names, except the name of the session's leader."""
    heading = scene.chapter
    if heading is not None:
        heading = replace(heading, title=_if_any(heading.title, set_))
    return replace(
        scene,
        title=_if_any(scene.title, set_),
        chapter=heading,
        passages=tuple(_passage(passage, set_) for passage in scene.passages),
    )


def _passage(passage: document.Passage, set_: Letter) -> document.Passage:
    return replace(
        passage,
        conflict=None if passage.conflict is None else _conflict(passage.conflict, set_),
        paragraphs=tuple(_paragraph(paragraph, set_) for paragraph in passage.paragraphs),
        variations=tuple(
            replace(variation, why=_if_any(variation.why, set_)) for variation in passage.variations
        ),
        plate=None if passage.plate is None else _plate(passage.plate, set_),
    )


def _conflict(heading: document.Conflict, set_: Letter) -> document.Conflict:
    return replace(
        heading,
        title=set_(heading.title),
        sides=tuple(_each(side, set_) for side in heading.sides),
        stakes=_if_any(heading.stakes, set_),
    )


def _plate(plate: document.Plate, set_: Letter) -> document.Plate:
    return replace(plate, title=set_(plate.title), picture=plate.picture.spelled(set_))


def _paragraph(paragraph: document.Paragraph, set_: Letter) -> document.Paragraph:
    return replace(
        paragraph,
        speaker=_if_any(paragraph.speaker, set_),
        manner=set_(paragraph.manner),
        label=_if_any(paragraph.label, set_),
        eyes=_if_any(paragraph.eyes, set_),
        about=set_(paragraph.about),
        tags=None
        if paragraph.tags is None
        else replace(
            paragraph.tags,
            past=document.TagWords(*map(set_, paragraph.tags.past)),
            present=document.TagWords(*map(set_, paragraph.tags.present)),
        ),
    )


def _end(end: document.End, set_: Letter) -> document.End:
    return replace(
        end,
        changed=_each(end.changed, set_),
        open=_each(end.open, set_),
        quotes=tuple(replace(quote, who=_if_any(quote.who, set_)) for quote in end.quotes),
        untold=tuple(
            replace(untold, what=set_(untold.what), who=_each(untold.who, set_)) for untold in end.untold
        ),
    )


_BESIDE: Final = {Tag.NOTE: "label.note", Tag.RULING: "label.ruling", Tag.ASIDE: "label.aside"}
_UNLABELLED: Final = frozenset({Tag.GENERATED, Tag.NOTATION, Tag.MECHANICS, Tag.PICTURE, Tag.RIBBON})
_READS_AS_NARRATION: Final = frozenset({Tag.DECLARATION, Tag.EDIT})
"""Kinds that read as narration without a label."""


def with_label(page: Paragraph, sentence: Sentence, telling: Telling, voice: Voice) -> Paragraph:
    """Returns the paragraph with the speaker, label and quotation marks that `voice` gives to `sentence`."""
    who = None if sentence.speaker is None else telling.subject(sentence.speaker)
    if who is not None and sentence.beside:
        who = telling.say("names.several", who=[who, *map(telling.who, sentence.beside)])
    by_gm = sentence.speaker == GM
    narrated = page.kind is Tag.NARRATION
    is_told = narrated or (voice.story and page.kind in _READS_AS_NARRATION)
    nameless = voice.story and by_gm
    if voice.story and not sentence.led:
        page = replace(page, cue=sentence.cue)
    is_logged = telling.moment.envelope.source is not None
    page = replace(page, text=_own_words(page, voice), logged=is_logged and voice.story)
    led = "" if sentence.cue and not voice.story else _told(sentence.led, voice)
    if is_told and who is not None and not by_gm and _goes_on(page, sentence, voice, is_logged=is_logged):
        blank = "" if is_possessive(emphasis.words(page.text)) else " "
        led = f"{who}{blank}{page.text[:1].lower()}{page.text[1:]}"
    return replace(
        page,
        kind=Tag.NARRATION if is_told else page.kind,
        text=_set_text(page, voice),
        speaker=None if who is None or (is_told and by_gm) else str(who),
        manner=sentence.manner,
        label=label(voice.phrases, page, None if nameless else who, sentence.manner, by_gm=by_gm)
        if not _names_itself(page, who, voice)
        else "",
        quotes=voice.quotes,
        direction=voice.stage and narrated and who is None,
        spare=voice.story,
        third=telling_of(telling.moment.table, sentence.speaker) == "third",
        tags=_tags(voice, _in_a_sentence(who, sentence, telling, voice))
        if voice.story and who is not None and not by_gm and not is_right_to_left(page.text)
        else None,
        in_running=_in_running(page, led, voice) if led else None,
        in_present=_in_running(page, _told(sentence.led_present, voice), voice)
        if sentence.led_present and led
        else None,
        begins=page.begins or (voice.story and sentence.opens),
        **_articles(voice, who, sentence, telling),
        stakes=voice.story and sentence.stakes,
        played_by_gm=voice.story and not by_gm and _is_played_by_gm(sentence, telling),
        pronoun=_pronoun(sentence, telling) if voice.story and not by_gm else "",
        may_be_i=not page.logged or telling_of(telling.moment.table, sentence.speaker) == "first",
    )


def _own_words(page: Paragraph, voice: Voice) -> str:
    """Returns a paragraph's text with signs of emphasis; a sentence of Retold's is on one line.

    Notation has neither.
    """
    if page.kind is Tag.NOTATION:
        return emphasis.unsigned(page.text)
    return _told(reflowed(page.text) if page.generated else page.text, voice)


def _names_itself(page: Paragraph, who: str | None, voice: Voice) -> bool:
    """True for words of an act that begin with their teller's name, which stand without a label.

    In a story running text decides that, which may join them.
    """
    is_plain = not (voice.story or page.eyes or page.struck)
    is_act = page.kind in (Tag.NARRATION, Tag.DECLARATION)
    return is_plain and is_act and who is not None and begins_with_name(emphasis.words(page.text), who)


def _in_running(page: Paragraph, text: str, voice: Voice) -> tuple[str, str]:
    """Returns label and text of a paragraph in running text, where `text` says who tells it."""
    told = replace(page, kind=Tag.NARRATION, text=text)
    return label(voice.phrases, told, None), _set_text(told, voice)


def _goes_on(page: Paragraph, sentence: Sentence, voice: Voice, *, is_logged: bool) -> bool:
    """True for words that go on behind their teller's name, such as `looks up`; never on a stage."""
    is_bare = not (page.cue or sentence.beside or voice.stage) and (voice.story or not sentence.manner)
    goes_on = goes_on_behind_a_name if is_logged else is_emote
    words = emphasis.words(page.text)
    return is_bare and (goes_on(words) or is_possessive(words) or (voice.story and is_act(words)))


def _pronoun(sentence: Sentence, telling: Telling) -> str:
    """Returns the first pronoun of the speaker, as the viewer knows it; empty for several."""
    if sentence.speaker is None or sentence.beside:
        return ""
    somebody = telling.moment.table.people.get(sentence.speaker)
    return "" if somebody is None else somebody.pronoun


def _is_played_by_gm(sentence: Sentence, telling: Telling) -> bool:
    """True if the speaker is one person without a player."""
    if sentence.speaker is None or sentence.beside:
        return False
    somebody = telling.moment.table.people.get(sentence.speaker)
    return somebody is not None and somebody.player is None and somebody.role != "player"


def _set_text(page: Paragraph, voice: Voice) -> str:
    """Returns a paragraph's text as the voice sets it; quotations inside speech have the inner marks."""
    if not voice.typographic:
        return page.text
    inner = _INNER.get(voice.quotes) if page.kind is Tag.SPEECH else None
    text = typeset(page.text, inner or voice.quotes, voice.phrases.language, spoken=inner is not None)
    is_open = page.logged and page.kind in _STOPPED
    return stopped(text, voice.quotes[1], inside=voice.tag_comma == "inside") if is_open else text


def unenclosed(spoken: str, quotes: tuple[str, str]) -> str:
    """Returns typeset speech for a place without marks around it: those inside have the outer `quotes`."""
    inner = _INNER.get(quotes)
    if inner is None or inner[0] not in spoken:
        return spoken
    begin, end = map(re.escape, inner)
    within = rf"{begin}((?:[^{begin}{end}]|(?<=\w){end}(?=\w))*){end}(?!\w)"
    return re.sub(within, lambda found: f"{quotes[0]}{found[1]}{quotes[1]}", spoken)


_STOPPED: Final = frozenset({Tag.NARRATION, Tag.SPEECH}) | _READS_AS_NARRATION


def _tags(voice: Voice, who: str) -> document.Tags | None:
    """Returns speech tags in both tenses; None if the language of the words has none."""
    if voice.is_foreign:
        return None
    is_english = primary(voice.lang) == LANGUAGE
    asked = "tags", who, grammar_of(who), voice.tag_comma, is_english  # the same few people speak
    return voice.phrases.once(
        asked, lambda: _tags_of(who, voice.phrases, voice.tag_comma, is_english=is_english)
    )


def _tags_of(who: str, phrases: Phrases, comma: Comma, *, is_english: bool) -> document.Tags | None:
    def tag(key: str, name: str, *, present: bool) -> str:
        is_worded = is_english or phrases.texts[key] != table()[key]
        return phrases.say(key, who=name, present=present) if name and is_worded else ""

    with_article = with_grammar_of(who, tag("label.with-article", who, present=False))
    past, present = (
        document.TagWords(
            tag("label.said", who, present=now),
            tag("label.asked", who, present=now),
            tag("label.i-said", who, present=now),
            tag("label.i-asked", who, present=now),
            tag("label.said", with_article, present=now),
            tag("label.asked", with_article, present=now),
        )
        for now in (False, True)
    )
    colon = phrases.language.colon
    return document.Tags(past, present, comma, colon) if past.said and past.asked else None


def _articles(voice: Voice, who: str | None, sentence: Sentence, telling: Telling) -> dict[str, str]:
    """Returns the articles of a speaker's name in a sentence: by another name, and if the texts have one."""
    if who is None or not voice.story or sentence.beside or voice.is_foreign:
        return {}
    inside, told = (
        _in_a_sentence(who, sentence, telling, voice),
        voice.phrases.say("label.with-article", who=who),
    )
    names = {"article": inside, "article_if_told": told}
    return {key: name.removesuffix(who) for key, name in names.items() if name != who and name.endswith(who)}


def _in_a_sentence(who: str, sentence: Sentence, telling: Telling, voice: Voice) -> str:
    """Returns a speaker's name as written inside a sentence of the voice's language.

    An article at its beginning has a small letter: `The Warden` → `the Warden`. `Warden` becomes `the Warden`
    if that is another name of the same person.
    """
    language = voice.phrases.language
    somebody = telling.moment.table.people.get(sentence.speaker or GM)
    others = () if somebody is None or sentence.beside else somebody.aliases
    for name in (who, *(alias.text for alias in others if alias.text is not None)):
        article, rest = language.split_article(name)
        if article and (name == who or normalise(rest) == normalise(who)):
            return with_grammar_of(who, f"{article.lower()}{rest}")
    return who


def label(
    phrases: Phrases, page: Paragraph, speaker: str | None, manner: str = "", *, by_gm: bool = False
) -> str:
    """Returns the label before a paragraph, such as `Zel declares`, remarks in brackets; may be empty."""
    asides = (page.cue, page.eyes, phrases.say("label.overruled") if page.struck else None)
    head = _label_of(phrases, page.kind, speaker, manner, by_gm=by_gm)
    return " ".join(part for part in (head, *(f"({aside})" for aside in asides if aside)) if part)


def _label_of(phrases: Phrases, kind: Tag, speaker: str | None, manner: str, *, by_gm: bool) -> str:
    if kind in _BESIDE:
        return manner or phrases.say(_BESIDE[kind], who=speaker)
    if kind in _UNLABELLED or (speaker is None and kind is Tag.NARRATION):
        return ""
    if speaker is None:
        return phrases.say("label.deed-of-nobody", manner=manner)
    if kind is Tag.NARRATION:
        return phrases.say("label.narration", who=speaker, manner=manner, gm=by_gm).strip()
    return phrases.say("label.deed", who=speaker, manner=manner).strip()
