"""Labelling: a sentence of a voice becomes a paragraph that says who tells it, and who may read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from retold.journal.names import normalise
from retold.journal.options import telling_of
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM
from retold.projections.prose import Voice, is_plan, primary
from retold.projections.prose.phrases import LANGUAGE, Phrases, table
from retold.projections.prose.phrases.agreement import grammar_of
from retold.projections.prose.phrases.languages import with_grammar_of
from retold.projections.prose.pronouns import begins_with_own, begins_with_pronoun, first_pronoun
from retold.projections.prose.sentences import (
    begins_with_name,
    goes_on_behind_a_name,
    is_act,
    is_emote,
    is_manner,
    is_possessive,
    stopped,
)
from retold.projections.prose.telling import Sentence, Sentences, Tag, Telling
from retold.projections.reading import Moment, others_among, timing
from retold.projections.reading.pictures import image_of
from retold.projections.story.attendance import people_in as everybody_in
from retold.projections.story.paragraph import Paragraph, Tags, TagWords
from retold.projections.story.placing import Placed, Scope
from retold.projections.story.typography import INNER, told_words, typeset, typesetter_of
from retold.projections.texts import emphasis
from retold.projections.texts.line_ends import reflowed
from retold.projections.texts.safe import is_right_to_left


def labelled(
    sentence: Sentence, placed: Placed, told: Moment, scope: Scope, *, count: int, later: bool
) -> Paragraph:
    """Returns the paragraph that tells a sentence on an event, the `count`-th of those of the moment `told`.

    That moment is another than the event's for an edit of its words. `later` marks words recorded later.
    """
    recorded, telling = told.recorded, placed.telling
    picture = told.event if sentence.tag is Tag.PICTURE and isinstance(told.event, e.PictureAdded) else None
    page = Paragraph(
        _nth_id(scope.ids.at(told.position), count),
        sentence.tag,
        sentence.text,
        generated=sentence.tag is Tag.GENERATED,
        eyes=eyes(told, telling, scope),
        later=later,
        struck=scope.additions.struck(told.position),
        seconds=timing.heard_at(recorded) if later else timing.seconds_from(scope.opened, told.envelope),
        image=None if picture is None else image_of(picture),
    )
    page = _with_label(page, sentence, telling, scope.voice)
    return _with_pronoun(page, sentence, placed, scope) if scope.voice.story else page


def alone(telling: Telling, voice: Voice) -> Iterator[Paragraph]:
    """Yields paragraphs with what a voice tells of an event, whatever is told before and after it."""
    for sentence in voice.tell(telling):
        page = Paragraph("", sentence.tag, sentence.text, generated=sentence.tag is Tag.GENERATED)
        yield page if sentence.tag is Tag.MECHANICS else _with_label(page, sentence, telling, voice)


Told = Callable[[Telling], Sentences]
"""Returns sentences on an event in the tense of the telling."""


def generated(told: Told, placed: Placed, scope: Scope) -> Paragraph:
    """Returns a paragraph with Retold's own sentences on an event; its text may be empty.

    It has both tenses, unless the voice fixes one.
    """
    telling, voice = placed.telling, scope.voice
    moment, set_ = telling.moment, typesetter_of(voice)
    page = Paragraph(
        f"{scope.ids.at(moment.position)}-beat",
        Tag.GENERATED,
        set_(generated_text(told, telling)),
        generated=True,
        eyes=eyes(moment, telling, scope),
        seconds=timing.seconds_from(scope.opened, moment.envelope),
        quotes=voice.quotes,
    )
    head = label(voice.phrases, page, None)
    if not page.text or voice.tense or not voice.story:
        return replace(page, label=head)
    return replace(page, label=head, in_present=(head, set_(generated_text(told, telling.in_present))))


def generated_text(told: Told, telling: Telling) -> str:
    """Returns Retold's own sentences on an event as one text."""
    said = told(replace(telling, numbered=False))
    return " ".join(sentence.text for sentence in said if sentence.tag is Tag.GENERATED)


def eyes(told: Moment, telling: Telling, scope: Scope) -> str | None:
    """Returns a label such as "for the GM" for restricted words, or the label for revealed ones.

    None if the words are public or for this viewer alone.
    """
    see = told.envelope.visible_to
    if see == TABLE:
        return telling.say("label.revealed") if told.position in scope.known_to_some else None
    if isinstance(see, str):
        return telling.say("label.for-gm")
    if not others_among(see, scope.viewer):
        return None
    known = [person for person in see if person in telling.moment.table.people]
    return telling.say("label.for-some", whom=[telling.who(person) for person in known])


def _with_pronoun(page: Paragraph, sentence: Sentence, placed: Placed, scope: Scope) -> Paragraph:
    """Returns a story's paragraph with what tells whose the pronoun is that begins it.

    That is unclear in an act with another person who may have the pronoun. The subject of words may have any,
    if the cast has none for them.
    """
    telling, conflict = placed.telling, placed.conflict
    event, table = telling.moment.event, telling.moment.table
    if conflict is not None and is_plan(type(event), conflict.system):
        page = replace(page, plan=True)
    is_about = sentence.about is not None
    who = sentence.about if is_about else sentence.speaker
    somebody = table.people.get(GM if who is None else who)
    if scope.voice.is_foreign or somebody is None or somebody.id == GM or sentence.beside:
        return page
    if not begins_with_pronoun(page.text):
        return page
    known = scope.pronouns().get(somebody.id) or somebody.pronoun
    pronoun = known or first_pronoun(page.text)
    if not pronoun or not begins_with_own(page.text, pronoun):
        return page
    may_have_it = (pronoun,) if page.third else (pronoun, "")
    named = {
        *placed.passage.people.get(telling.moment.envelope.act, ()),
        *everybody_in(event),
        telling.moment.command.get("opponent"),
    }
    there = (table.people[one] for one in named if one in table.people and one not in (GM, who))
    if any(one.role == "character" and one.pronoun in may_have_it for one in there):
        return page
    names, shared = table.names(), may_have_it if is_about else (pronoun,)
    others = (one for one in table.everybody() if one.id not in (GM, who) and one.pronoun in shared)
    rivals = tuple(name for one in others for name in names[one.id])
    about = str(telling.subject(somebody.id)) if is_about else ""
    is_sure = known or is_about or page.third
    return replace(page, rivals=rivals, pronoun=pronoun if is_sure else "", about=about)


def _nth_id(known: str, count: int) -> str:
    """Returns the id of an event's n-th paragraph, with a letter from the second on: e12, e12b, e12c."""
    if count == 1:
        return known
    return known + chr(ord("a") + min(count, 26) - 1) + ("" if count <= 26 else str(count))  # noqa: PLR2004 -- letters


_BESIDE: Final = {Tag.NOTE: "label.note", Tag.RULING: "label.ruling", Tag.ASIDE: "label.aside"}
_UNLABELLED: Final = frozenset({Tag.GENERATED, Tag.NOTATION, Tag.MECHANICS, Tag.PICTURE, Tag.RIBBON})
_READS_AS_NARRATION: Final = frozenset({Tag.DECLARATION, Tag.EDIT})
"""Kinds that read as narration without a label."""


def _with_label(page: Paragraph, sentence: Sentence, telling: Telling, voice: Voice) -> Paragraph:
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
    led = "" if sentence.cue and not voice.story else told_words(sentence.led, voice)
    is_of_one = is_told and who is not None and not by_gm
    between = _between(page, sentence, voice, is_logged=is_logged) if is_of_one else None
    if between is not None:
        led = f"{who}{between}{page.text[:1].lower()}{page.text[1:]}"
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
        in_present=_in_running(page, told_words(sentence.led_present, voice), voice)
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
    return told_words(reflowed(page.text) if page.generated else page.text, voice)


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


def _between(page: Paragraph, sentence: Sentence, voice: Voice, *, is_logged: bool) -> str | None:
    """Returns what is between a name and words that go on behind it, such as `looks up`; None for others.

    Words on how somebody acts (`From the pulpit`) are behind a comma. Nothing goes on so on a stage.
    """
    words, is_deed = emphasis.words(page.text), page.kind is Tag.DECLARATION
    if page.cue or sentence.beside or voice.stage or (sentence.manner and not voice.story):
        return None
    if (goes_on_behind_a_name if is_logged else is_emote)(words) or (voice.story and is_act(words)):
        return " "
    return "" if is_possessive(words) else ", " if voice.story and is_deed and is_manner(words) else None


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
    inner = INNER.get(voice.quotes) if page.kind is Tag.SPEECH else None
    told = _DAMAGE.sub("", page.text) if page.logged else page.text
    text = typeset(told, inner or voice.quotes, voice.phrases.language, spoken=inner is not None)
    if not (page.logged and page.kind in _STOPPED):
        return text
    text = _SMALL_FIRST.sub(lambda letter: letter[0].upper(), text)
    return stopped(text, voice.quotes[1], inside=voice.tag_comma == "inside")


_DAMAGE: Final = re.compile(
    r"[ \u202f\u00a0]?: \d+ (?:damage|Schaden|points de dégâts|(?:de )?da[ñn](?:o|ni)|schade)"
    r"(?: if it hits| bij een treffer| bei einem Treffer| si le coup porte| si acierta| se .{6,8})?\Z"
)
"""Damage at the end of an attack that an import words, which is beside its dice."""
_SMALL_FIRST: Final = re.compile(r"(?<=[a-z]{3}[.!?] )(?<!etc[.] )[a-z]")
"""Small letter that begins a sentence of a chat: `no light. no smoke`."""
_STOPPED: Final = frozenset({Tag.NARRATION, Tag.SPEECH}) | _READS_AS_NARRATION


def _tags(voice: Voice, who: str) -> Tags | None:
    """Returns speech tags in both tenses; None if the language of the words has none."""
    if voice.is_foreign:
        return None
    is_english = primary(voice.lang) == LANGUAGE
    manner = voice.tag_comma, voice.typographic, voice.quotes, is_english
    asked = "tags", who, grammar_of(who), *manner  # the same few people speak
    return voice.phrases.once(asked, lambda: _tags_of(who, voice, is_english=is_english))


def _tags_of(who: str, voice: Voice, *, is_english: bool) -> Tags | None:
    phrases, set_ = voice.phrases, typesetter_of(voice)

    def tag(key: str, name: str, *, present: bool) -> str:
        is_worded = is_english or phrases.texts[key] != table()[key]
        return phrases.say(key, who=name, present=present) if name and is_worded else ""

    with_article = with_grammar_of(who, tag("label.with-article", who, present=False))
    past, present = (
        TagWords(
            *(
                set_(tag(key, name, present=now))
                for key, name in (
                    *(("label.said", who), ("label.asked", who)),
                    *(("label.i-said", who), ("label.i-asked", who)),
                    *(("label.said", with_article), ("label.asked", with_article)),
                )
            )
        )
        for now in (False, True)
    )
    comma, colon = voice.tag_comma, phrases.language.colon
    also = phrases.say("names.and")
    return Tags(past, present, comma, colon, also) if past.said and past.asked else None


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
    somebody = None if sentence.beside else telling.moment.table.people.get(sentence.speaker or GM)
    others = () if somebody is None else somebody.aliases
    role = "" if somebody is None else f"{telling.article(somebody)} {who}"
    for name in (who, *(alias.text for alias in others if alias.text is not None), role):
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
