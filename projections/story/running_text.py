"""Running text of a story: paragraphs joined by their teller, and with few names."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Final, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from retold.projections.prose.phrases.languages import Comma
from retold.projections.prose.pronouns import (
    first_pronoun,
    has_name,
    has_one_of,
    with_name,
)
from retold.projections.prose.sentences import (
    BETWEEN_PARAGRAPHS,
    asks,
    begins_with_name,
    ends_open,
    first_end,
    has_always_an_article,
    is_named,
    says_who,
    stopped,
    tells_of_itself,
    tense_of,
)
from retold.projections.prose.telling import Tag, as_sentence, in_first_person, says_i_or_we, unquoted
from retold.projections.story.paragraph import Paragraph, TagWords
from retold.projections.texts import emphasis

LONGEST: Final = 700
"""Characters up to which a paragraph takes in another, about a third of a page."""


_BESIDE: Final = frozenset({Tag.MECHANICS, Tag.RIBBON, Tag.ASIDE, Tag.PICTURE})
"""Kinds of paragraphs that never join others."""


def marked_by_teller(paragraphs: Iterable[Paragraph], parted: Container[str | None]) -> Iterator[Paragraph]:
    """Yields the paragraphs; those that go on what the same person tells are marked as joining.

    Nothing joins across mechanics or a variation (`parted`). Every paragraph keeps its label.
    """
    before: Paragraph | None = None
    for paragraph in paragraphs:
        joins = before is not None and before.id not in parted and _goes_on(before, paragraph)
        before = replace(paragraph, joins=True) if joins else paragraph
        yield before


def marked_together(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Yields the paragraphs; generated sentences of the same act are marked as joining.

    Sentences do not join if one is not for all readers.
    """
    before: Paragraph | None = None
    for paragraph in paragraphs:
        joins = before is not None and paragraph.generated and before.generated
        joins = joins and not (paragraph.begins or paragraph.eyes or (before and before.eyes))
        before = replace(paragraph, joins=True) if joins else paragraph
        yield before


def running(
    paragraphs: Iterable[Paragraph],
    parted: Container[str | None],
    *,
    company: Company,
) -> tuple[Paragraph, ...]:
    """Returns the paragraphs as running text: joined, with few names.

    `company` is as in `sparingly_named`.
    """
    told: list[Paragraph] = []
    last: Paragraph | None = None
    for paragraph in _beside_outcomes(_each_led(paragraphs, company), parted):
        joins = paragraph.joins and told and not _is_parted(told[-1], parted)
        is_new = paragraph.begins and _PRONOUN_FIRST.match(words_of(paragraph)) is None
        begins, last = is_new or (joins and _is_minutes_later(last, paragraph)), paragraph
        runs_on = joins and (paragraph.generated or not begins) and _has_room(told[-1], paragraph)
        if told and not runs_on:
            runs_on = _takes_its_result(told[-1], paragraph, parted)
        if runs_on or (told and _are_hopes(told[-1], paragraph)):
            told[-1] = _joined(told[-1], paragraph)
        elif joins and told[-1].label and not told[-1].mechanics and told[-1].speaker == paragraph.speaker:
            told[-1] = _joined(told[-1], paragraph, BETWEEN_PARAGRAPHS)
        else:
            told.append(paragraph)
    named = sparingly_named(told, parted, company=company)
    return tuple(map(_finished, named))


def _finished(paragraph: Paragraph) -> Paragraph:
    """The paragraph of a story with a capital letter at its beginning and a full stop at its end."""
    text, (opening, closing) = paragraph.text, paragraph.quotes
    if (
        not paragraph.spare
        or paragraph.kind not in (Tag.NARRATION, Tag.SPEECH)
        or "://" in text.split(" ", 1)[0]
        or (text.endswith(closing) and not text.startswith(opening))
    ):
        return paragraph
    marks = len(opening) if text.startswith(opening) else 0
    at = 0 if text.startswith(paragraph.speaker or " ") else marks + 1
    begun = f"{text[:at].upper()}{text[at:]}"
    is_inside = paragraph.tags is None or paragraph.tags.comma == "inside"
    return replace(paragraph, text=stopped(begun, closing, inside=is_inside))


PAUSE: Final = 180.0
"""Seconds between two texts of a chat from which the second begins a paragraph."""


WAIT: Final = 60.0
"""Seconds behind a question in a chat from which the next words of its speaker begin a paragraph."""


def _has_waited(question: Paragraph, after: Paragraph) -> bool:
    """True for words of a chat some time after a question of the same person, which nobody answered."""
    if question.seconds is None or after.seconds is None or not after.logged:
        return False
    is_asked = question.kind is after.kind is Tag.SPEECH and question.text.endswith("?")
    return is_asked and after.seconds - question.seconds >= WAIT


def _is_minutes_later(before: Paragraph | None, after: Paragraph) -> bool:
    """True for words of a chat that were written some minutes after those before them."""
    if before is None or before.seconds is None or after.seconds is None:
        return False
    return after.logged and after.seconds - before.seconds >= PAUSE


def _takes_its_result(before: Paragraph, result: Paragraph, parted: Container[str | None]) -> bool:
    """True if a short text of a person takes in the game master's short telling of what came of it.

    Neither has speech, which would begin a paragraph, and the game master's says no I.
    """
    is_after = result.result and bool(before.label) and not (result.label or before.mechanics)
    is_short = all(
        _is_plain(each)
        and each.kind is Tag.NARRATION
        and each.quotes[0] not in each.text
        and len(each.text.split()) <= _SHORT
        for each in (before, result)
    )
    is_free = "\n" not in before.text and not (_says_i(result) or _is_parted(before, parted))
    return is_after and is_short and is_free


def kept_apart(
    paragraphs: Iterable[Paragraph], parted: Container[str | None], company: Company
) -> tuple[Paragraph, ...]:
    """Returns the paragraphs with the names of running text, each still a paragraph of its own."""
    return tuple(sparingly_named(_each_led(paragraphs, company), parted, apart=True, company=company))


def _each_led(paragraphs: Iterable[Paragraph], company: Company) -> Iterator[Paragraph]:
    """Yields the paragraphs with their labels and texts of running text, and names for first pronouns."""
    before: Paragraph | None = None
    for paragraph in paragraphs:
        yield about_somebody(_led(paragraph, company), before)
        before = paragraph


def about_somebody(paragraph: Paragraph, before: Paragraph | None) -> Paragraph:
    """Returns words without a speaker, with their subject's name in place of the first pronoun.

    It stays where the text before names that person alone, or another alone.
    """
    rivals, who = paragraph.rivals, paragraph.about
    if not who or rivals is None or paragraph.eyes or paragraph.struck:
        return paragraph
    shown = "" if before is None else f"{before.label}: {emphasis.words(before.text)}"
    if has_name(shown, who, rivals) != has_one_of(shown, rivals):
        return paragraph
    told = with_name(paragraph.text, who, paragraph.pronoun)
    return paragraph if told is None else replace(paragraph, text=told)


def _led(paragraph: Paragraph, company: Company) -> Paragraph:
    """Returns the paragraph with its label and text of running text, in the tense of its scene."""
    led = (paragraph.in_present if company.present else None) or paragraph.in_running
    if led is None:
        return paragraph
    label, text = led
    own = 0 if paragraph.generated else len(paragraph.text if paragraph.stakes else text)
    at = max(len(text) - own, 0)  # the end of it is somebody's own words
    text = f"{_with_articles(text[:at], company)}{text[at:]}"
    return replace(paragraph, label=label, text=behind_article(paragraph, text, company))


def _with_articles(text: str, company: Company) -> str:
    """Returns a sentence of Retold's with “the” before names that have it in every text of the scene."""
    for name in company.with_article:
        text = re.sub(rf"(?<![\w-])(?<![Tt]he ){re.escape(name)}(?![\w-])", f"the {name}", text)
    return re.sub(r"(?:^|(?<=[.!?] ))the(?= )", "The", text)


def behind_article(paragraph: Paragraph, text: str, company: Company) -> str:
    """Returns a text that begins with its teller's name, behind “The” if the name has one in a sentence."""
    article, name = article_of(paragraph, company), paragraph.speaker or ""
    is_theirs = bool(article and name) and text.startswith(name)
    return f"{article[:1].upper()}{article[1:]}{text}" if is_theirs else text


def article_of(paragraph: Paragraph, company: Company) -> str:
    """Returns the article before the teller's name in a sentence, with a blank; empty if none.

    Another name of theirs has it (`the Warden`), or every text of the scene that names them.
    """
    told = paragraph.article_if_told if paragraph.speaker in company.with_article else ""
    return paragraph.article or told


class Company(NamedTuple):
    """Tense of a scene, and its people with special rules for names and tags."""

    only_i: str | None = None
    """The only person who says I."""
    present: bool = False
    """True for a scene told in the present tense."""
    with_article: frozenset[str] = frozenset()
    """Tellers with “the” before their names in every text."""
    saying_i: frozenset[str] = frozenset()
    """Tellers who say I, so that a first pronoun is theirs only if the cast says so."""

    @classmethod
    def of(cls, paragraphs: Iterable[Paragraph], *, present: bool | None = None) -> Self:
        """Returns the company of a scene with these paragraphs, told in the present or not.

        With `present` None, their own texts decide the tense.
        """
        told = [paragraph for paragraph in paragraphs if paragraph.text]
        own = [paragraph for paragraph in told if paragraph.may_be_i and tells_of_itself(words_of(paragraph))]
        saying = {(paragraph.speaker, paragraph.eyes) for paragraph in own}
        speaker, eyes = next(iter(saying)) if len(saying) == 1 else (None, None)
        only_i = speaker if not eyes and any(says_i_or_we(words_of(paragraph)) for paragraph in own) else None
        named = [paragraph for paragraph in told if paragraph.label and not paragraph.eyes]
        everything = "\n".join(words_of(each) for each in told if not (each.eyes or each.generated))
        tellers = {paragraph.speaker or "" for paragraph in named}
        with_article = frozenset(who for who in tellers if has_always_an_article(who, everything))
        present = tense(told) > 0 if present is None else present
        saying_i = frozenset(each.speaker or "" for each in own if says_i_or_we(words_of(each)))
        return cls(only_i, present, with_article, saying_i)


def tense(paragraphs: Iterable[Paragraph]) -> int:
    """Returns the tense of what people tell in the paragraphs, as `tense_of`; no plans and stakes."""
    return tense_of(
        words_of(each)
        for each in paragraphs
        if each.text and not (each.plan or each.stakes or each.eyes or each.generated)
    )


def _goes_on(before: Paragraph, after: Paragraph) -> bool:
    """True if the same person tells both paragraphs to the same readers; a cue or a speech begins anew.

    A short speech goes on behind its teller's short deed. Retold's own sentences have no teller.

    Consecutive speeches without a label do not join: the game master may speak for several characters.
    """
    is_plain = all(not each.struck and each.kind not in _BESIDE for each in (before, after))
    if before.cue and after.begins:  # an act is not what the person hopes for
        return False
    if before.generated is not after.generated or before.plan is not after.plan:
        return False
    if _has_waited(before, after):
        return False
    is_behind_speech = before.kind is Tag.SPEECH or _is_short_deed(before, after)
    is_behind_speech = is_behind_speech or (_says_i(before) and before.text[:1].isupper())
    if after.kind is Tag.SPEECH and not (is_behind_speech and after.label):
        return False
    return is_plain and not after.cue and (after.speaker, after.eyes) == (before.speaker, before.eyes)


def _is_short_deed(before: Paragraph, speech: Paragraph) -> bool:
    """True for a deed in few words and third person, right before a speech in few words."""
    is_short = all(len(each.text.split()) <= _FEW and "\n" not in each.text for each in (before, speech))
    is_deed = before.kind is Tag.NARRATION and bool(before.label) and before.quotes[0] not in before.text
    is_apart = before.mechanics or _says_i(before) or _is_minutes_later(before, speech)
    return is_short and is_deed and not is_apart


# --- who tells ---


def _is_plain(paragraph: Paragraph) -> bool:
    """True for a paragraph of a story whose label is a name alone."""
    return paragraph.spare and not (paragraph.cue or paragraph.eyes or paragraph.struck)


def _says_i(paragraph: Paragraph) -> bool:
    return in_first_person(words_of(paragraph))


_FEW: Final = 16
"""Most words of a deed and a speech in one paragraph."""

_SHORT: Final = 32
"""Most words of a text that takes in what came of it."""


def _beside_outcomes(paragraphs: Iterable[Paragraph], parted: Container[str | None]) -> list[Paragraph]:
    """Returns the paragraphs with each person's plan for a round in the paragraph that tells what came of it.

    A plan that nobody tells the outcome of, or that a narrator's text follows, stays in its place.
    """
    told: list[Paragraph] = []
    for paragraph in paragraphs:
        at = None if paragraph.plan else _plan_of(paragraph, told, parted)
        if at is None:
            told.append(paragraph)
            continue
        plan = told.pop(at)
        joins = plan.joins and at == len(told)
        told.append(replace(_joined(plan, paragraph), plan=False, joins=joins))
    return told


def _plan_of(outcome: Paragraph, told: list[Paragraph], parted: Container[str | None]) -> int | None:
    """Returns the index of the plan that an outcome is about; None if there is none in its round."""
    for at in range(len(told) - 1, -1, -1):
        each = told[at]
        if not each.speaker or not (_is_plain(each) and _is_plain(outcome)) or _is_parted(each, parted):
            return None
        if each.speaker == outcome.speaker:
            return at if each.plan and each.label else None
    return None


def _are_hopes(before: Paragraph, after: Paragraph) -> bool:
    """True for what two people hope for before a round, each in a sentence with a name: `Zel hopes for`."""
    return all(each.plan and each.spare and not (each.label or each.mechanics) for each in (before, after))


def _is_parted(paragraph: Paragraph, parted: Container[str | None]) -> bool:
    """True if a variation is under the paragraph, or under one that was joined to it."""
    return any(id_ in parted for id_ in (paragraph.id, *paragraph.others))


def sparingly_named(
    paragraphs: Iterable[Paragraph],
    parted: Container[str | None],
    *,
    apart: bool = False,
    company: Company = Company(),  # noqa: B008 -- it never changes
) -> Iterator[Paragraph]:
    """Yields the paragraphs without labels where the text makes clear who tells it.

    That is: the teller's name is in the first sentence; the text says I, as theirs before it does; a sentence
    of the game master's has a subject of its own; the table tells in third person, and the text begins with
    no pronoun; speech has a tag (`said Zel`), or takes turns between two. After mechanics, a secret or a
    variation (`parted`) a name is repeated.

    `apart` is true where joining paragraphs stay apart: they have no label. Of the `company` of a scene, the
    only one who says I is named once.
    """
    naming = _Naming(apart, company)
    for paragraph in paragraphs:
        yield naming.named(paragraph)
        if paragraph.mechanics or paragraph.eyes or _is_parted(paragraph, parted):
            naming = _Naming(apart, company)


class _Naming(Struct):
    """State of naming the tellers of paragraphs in order: what a reader knows so far."""

    apart: bool
    company: Company
    narrator: str | None = None
    """The last person who said I."""
    turns: tuple[str, ...] = ()
    """The last two speakers in a row."""
    is_met: bool = False
    """True once the only person who says I has been named."""
    before: Paragraph | None = None
    """The paragraph before, as it is shown."""

    def named(self, paragraph: Paragraph) -> Paragraph:
        """Returns the paragraph as it is shown, and remembers who told it."""
        speaker, is_plain = paragraph.speaker, _is_plain(paragraph)
        says_i = _says_i(paragraph)
        if not paragraph.label:
            shown, self.narrator = paragraph, None if says_i and not paragraph.joins else self.narrator
        elif is_plain and speaker is not None:
            shown = self._of_a_person(paragraph, speaker, says_i=says_i)
        else:
            shown, is_open = paragraph, paragraph.spare and not (paragraph.eyes or paragraph.struck)
            self.narrator = speaker if is_open and says_i else None
            self.is_met = self.is_met or (is_open and speaker == self.company.only_i)
        speaks = is_plain and speaker is not None and _is_turn(paragraph)
        self.turns = (*self.turns[-1:], speaker or "") if speaks else ()
        self.before = shown
        return shown

    def _of_a_person(self, paragraph: Paragraph, speaker: str, *, says_i: bool) -> Paragraph:
        is_clear = self._is_clear(paragraph, speaker, says_i=says_i)
        told = None if is_clear or says_i else self._with_name(paragraph, speaker)
        if told is not None:
            paragraph, is_clear = replace(paragraph, text=told), True
        tagged = None if is_clear or says_i else self._tagged(paragraph, speaker)
        self.is_met = self.is_met or speaker == self.company.only_i
        if self.narrator != speaker and not _is_game_masters(paragraph):
            is_named = not is_clear and tagged is None  # another person's I needs a name again
            self.narrator = speaker if says_i and is_named else None
        if is_clear:
            return replace(paragraph, label="")
        return paragraph if tagged is None else replace(paragraph, kind=Tag.NARRATION, text=tagged, label="")

    def _with_name(self, paragraph: Paragraph, speaker: str) -> str | None:
        """Returns a text in third person with its teller's name in place of the pronoun that begins it.

        None where the pronoun may be another's who was just named.
        """
        rivals, before = paragraph.rivals, self.before
        if paragraph.kind is not Tag.NARRATION or rivals is None:
            return None
        shown = "" if before is None else f"{before.label}: {emphasis.words(before.text)}"
        if not has_name(shown, speaker, rivals) and has_one_of(shown, rivals):
            return None
        pronoun = paragraph.pronoun or (
            "" if speaker in self.company.saying_i else first_pronoun(paragraph.text)
        )
        told = with_name(paragraph.text, speaker, pronoun)
        return None if told is None else behind_article(paragraph, told, self.company)

    def _tagged(self, paragraph: Paragraph, speaker: str) -> str | None:
        """Returns a text that begins with speech, with a tag; None if it takes none.

        The only one who says I has `I said` once they have been named.
        """
        if paragraph.tags is None:
            return None
        words = paragraph.tags.present if self.company.present else paragraph.tags.past
        is_only_i = speaker == self.company.only_i and self.is_met
        if is_only_i and words.i_said and words.i_asked:
            words = words._replace(said=words.i_said, asked=words.i_asked)
        elif speaker in self.company.saying_i:  # no “says Zel” where Zel is I
            return None
        elif (
            not paragraph.article
            and article_of(paragraph, self.company)
            and words.the_said
            and words.the_asked
        ):
            words = words._replace(said=words.the_said, asked=words.the_asked)
        return _tagged(paragraph, in_marks(paragraph), words, paragraph.tags.comma)

    def _is_clear(self, paragraph: Paragraph, speaker: str, *, says_i: bool) -> bool:
        """True if a text without label and tag still shows who tells it."""
        if self.apart and paragraph.joins:
            return True
        before = self.before
        goes_on = before is not None and before.speaker == speaker and not before.cue
        is_under_name = goes_on and before is not None and bool(before.label)
        if says_i:
            is_known = self.is_met and speaker == self.company.only_i
            is_long = before is not None and bool(first_end(before.text)[1])
            is_free = before is None or goes_on or not (before.label or before.generated or is_long)
            goes_on_as_i = goes_on and (is_under_name or speaker == self.narrator)
            return goes_on_as_i or (is_free and is_known)
        text = words_of(paragraph)
        answers = _is_turn(paragraph) and self.turns[-2:-1] == (speaker,)
        speaks = paragraph.quotes[0] in text
        if is_under_name and not speaks:
            return True
        if paragraph.third and _says_whose(text, goes_on=goes_on):
            return True
        is_there = begins_with_name(unquoted(text).lstrip(), speaker) or is_named(text, speaker)
        return answers or is_there or _is_game_masters(paragraph)


def _is_turn(paragraph: Paragraph) -> bool:
    """True if a text begins or ends with speech; words in quotation marks within it are no turn."""
    opening, closing = paragraph.quotes
    text = words_of(paragraph)
    return text.startswith(opening) or (opening in text and text.endswith(closing))


_PRONOUN_FIRST: Final = re.compile(r"\W*(?:He|She|They|His|Her|Their)\b")


def _says_whose(text: str, *, goes_on: bool) -> bool:
    """True if a text in third person needs no name: it tells something, and begins with no pronoun.

    With `goes_on` the text before it was the same teller's, so that a pronoun is clear too.
    """
    told = unquoted(text)
    return bool(told.strip()) and (goes_on or _PRONOUN_FIRST.match(told) is None)


def _is_game_masters(paragraph: Paragraph) -> bool:
    """True for a text in third person that the game master tells for another, with its subject."""
    return paragraph.played_by_gm and says_who(words_of(paragraph))


def _tagged(paragraph: Paragraph, text: str, tags: TagWords, comma: Comma) -> str | None:
    """Returns a text that begins with speech, with a tag behind its first sentence; None if it takes none.

    A full stop before the tag becomes a comma; nothing else changes. Speech of several lines, such as a
    letter that is read out, takes none.
    """
    opening, closing = paragraph.quotes
    said, found, rest = text.removeprefix(opening).partition(closing)
    if not text.startswith(opening) or not found or not said:
        return None
    if opening in said or "\n" in said or not re.match(r"\s+[^\W\d_a-z]|\s*$", emphasis.words(rest)):
        return None
    first, behind = first_end(said)
    first, ends = emphasis.without_ends(first)
    first = f"{first}?" if asks(first) else first
    is_plain = first.endswith(".") or first[-1:].isalnum()
    first = first.removesuffix(".")
    inside = "," if is_plain and comma == "inside" else ""
    outside = "," if not inside and (is_plain or comma == "always") else ""
    behind = f"{behind}." if ends_open(behind) else behind
    goes_on = f" {opening}{behind}{closing}" if behind else ""
    tag = tags.asked if first.endswith("?") else tags.said
    return f"{opening}{first}{inside}{ends}{closing}{outside} {tag}.{goes_on}{rest}"


def _has_room(before: Paragraph, after: Paragraph) -> bool:
    last = before.text.rpartition(BETWEEN_PARAGRAPHS)[-1]
    return len(last) + len(after.text) < LONGEST


def _joined(before: Paragraph, after: Paragraph, between: str = " ") -> Paragraph:
    beside = before.text.rpartition(BETWEEN_PARAGRAPHS)[-1], after.text.partition(BETWEEN_PARAGRAPHS)[0]
    has_verse = any("\n" in text for text in beside)  # which has no other text on its lines
    if after.logged and before.text.rstrip(f"{before.quotes[1]}*_").endswith((".", "!", "?")):
        after = after if "://" in after.text else replace(after, text=as_sentence(after.text))
    return replace(
        before,
        kind=before.kind if after.kind is before.kind is Tag.GENERATED else Tag.NARRATION,
        text=before.text
        if _says_it_again(before, after)
        else _of_one_deed(before, after)
        or _run_together(
            in_marks(before),
            in_marks(after),
            after.quotes,
            BETWEEN_PARAGRAPHS if has_verse else between,
        ),
        mechanics=before.mechanics + after.mechanics,
        stakes=before.stakes or after.stakes,
        later=before.later and after.later,
        others=(*before.others, after.id, *after.others),
    )


_DEED: Final = re.compile(
    r"(?:attacks|casts|uses|greift|wirkt|benutzt|attaque|lance|utilise|(?P<harm>deals|verursacht|inflige))"
    r" (?P<what>[^.!?,;:\n]+)\.?"
)
"""Attack, spell or damage from a card of another tool."""
_HITS: Final = {"deals": "hits", "verursacht": "trifft", "inflige": "touche"}


def _of_one_deed(before: Paragraph, after: Paragraph) -> str | None:
    """Returns two deeds of one person in a log as one sentence: `Zel casts Light and lifts the knife.`.

    An attack with what the first one already names is not told again, and damage is a hit. None for others.
    """
    name = f"{before.speaker} "
    texts = [each.text for each in (before, after) if each.logged and each.text.startswith(name)]
    if before.speaker != after.speaker or len(texts) < 2:  # noqa: PLR2004 -- both
        return None
    first, then = _DEED.fullmatch(texts[0].removeprefix(name)), texts[1].removeprefix(name)
    if first is None or before.tags is None or not then[:1].islower():
        return None
    again = _DEED.fullmatch(then)
    if again is not None and first["what"].split()[-1].casefold() in then.casefold():
        if again["harm"] is None:
            return before.text
        then = f"{_HITS[again['harm']]}."
    return f"{before.text.rstrip('.')} {before.tags.also} {then}"


def _says_it_again(before: Paragraph, after: Paragraph) -> bool:
    """True if a generated sentence repeats the last one; the numbers already show that it happened twice."""
    is_again = before.text == after.text or before.text.endswith((f". {after.text}", f"! {after.text}"))
    return is_again and after.kind is before.kind is Tag.GENERATED


def _run_together(before: str, text: str, quotes: tuple[str, str], between: str) -> str:
    """Joins two texts; consecutive speeches in one paragraph share one pair of quotation marks."""
    opening, closing = quotes
    if between == " " and before.endswith(closing) and text.startswith(opening):
        said = before.removesuffix(closing)
        return f"{said}{'.' if ends_open(said) else ''} {text.removeprefix(opening)}"
    if between == " " and ends_open(before) and not emphasis.words(text[:3])[:1].islower():
        return f"{before}. {text}"
    return f"{before}{between}{text}"


def in_marks(paragraph: Paragraph) -> str:
    """Text of the paragraph, in quotation marks if it is speech."""
    return (
        f"{paragraph.quotes[0]}{paragraph.text}{paragraph.quotes[1]}"
        if paragraph.kind is Tag.SPEECH
        else paragraph.text
    )


def words_of(paragraph: Paragraph) -> str:
    """Text of the paragraph as `in_marks`, without signs of emphasis."""
    return emphasis.words(in_marks(paragraph))
