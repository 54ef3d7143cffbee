"""Paragraph of a transcript: its text, who tells it and how, and the mechanics (rolls, draws) behind it."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from msgspec import Struct

from retold.projections.prose.phrases.languages import Comma
from retold.projections.prose.telling import Tag
from retold.projections.reading.pictures import Image
from retold.projections.texts.emphasis import Places


class Mechanic(Struct, frozen=True, gc=False):
    """A line of cards, dice or numbers; `luck` is its provenance, such as `called`, or empty."""

    id: str
    kind: str
    text: str
    luck: str = ""


class TagWords(NamedTuple):
    """Tags of one tense: with the name (`said Zel`), with I (`I said`), with an article (`said the Warden`).

    Only the first two are never empty: a language may have no words for the others.
    """

    said: str
    asked: str
    i_said: str = ""
    i_asked: str = ""
    the_said: str = ""
    the_asked: str = ""


class Tags(Struct, frozen=True, gc=False):
    """Tags behind speech, in the past and in the present tense.

    `comma` is the place of the comma between speech and tag: before the closing mark in place of the full
    stop (`inside`), behind it (`outside`), or behind it after a question or exclamation too (`always`).
    `colon` follows a name before speech.
    """

    past: TagWords
    present: TagWords
    comma: Comma = "inside"
    colon: str = ":"
    also: str = "and"
    """Word before the last of several."""


class Paragraph(Struct, frozen=True, gc=False):
    """Paragraph of a transcript with its mechanics (rolls, draws, numbers).

    `kind` says whose words they are; `generated` marks Retold's own sentences. `speaker` and `manner` say
    who did what with them (`Zel`, `declares`). `eyes` names the readers of a paragraph that is not for all;
    `later` marks one told afterwards, `struck` one that no longer counts. `text` is empty where there are
    only mechanics.

    `seconds` is the time from `Transcript.opened` to that of the event, of play or of recording; None if it
    is unknown or earlier. For text told later it is the time given with --clock, in an audio recording
    that starts with the session; None without --clock.

    `label` precedes the text as the voice words it; if None, speaker and manner make it. `quotes` are the
    marks around speech; a `direction` is a stage direction in brackets. `cue` is the manner of speaking that
    a story keeps, in brackets, in the label.

    `joins` marks a paragraph that continues the one before it in running text. `others` are the ids of the
    paragraphs that were joined to this one. `begins` marks a new round or, for a generated sentence, a new
    act: where such a paragraph joins, a blank line sets its text apart under the same label.
    """

    id: str
    kind: Tag
    text: str
    speaker: str | None = None
    manner: str = ""
    mechanics: tuple[Mechanic, ...] = ()
    generated: bool = False
    eyes: str | None = None
    later: bool = False
    struck: bool = False
    seconds: float | None = None
    label: str | None = None
    quotes: tuple[str, str] = ("“", "”")
    direction: bool = False
    cue: str = ""
    joins: bool = False
    others: tuple[str, ...] = ()
    begins: bool = False
    spare: bool = False
    """True where running text leaves out a name that the text makes clear."""
    tags: Tags | None = None
    """Tags behind speech in place of a label."""
    third: bool = False
    """True if the table tells in third person, where a text itself says whose it is."""
    recorded: str = ""
    """The record's own words where the text is that of a draft and has others."""
    in_running: tuple[str, str] | None = None
    """Label and text in running text, if these have more or less of Retold's: `Zel looks up`."""
    in_present: tuple[str, str] | None = None
    """The same in a scene told in the present tense: `It all comes down to the rope.`."""
    folded: int = 0
    """Number of acts without words that this sentence tells; 0 for any other paragraph."""
    article: str = ""
    """Article before the teller's name in a sentence, by another name of theirs; empty if there is none."""
    article_if_told: str = ""
    """The article if the texts of the scene put it before the name."""
    stakes: bool = False
    """True for the stakes of a conflict in a story."""
    result: bool = False
    """True for what came of the act that the paragraph before tells."""
    played_by_gm: bool = False
    """True for a teller without a player, whose words are the game master's."""
    pronoun: str = ""
    """First pronoun of the teller, such as `she`; empty if they are several, or have none."""
    rivals: tuple[str, ...] | None = None
    """Names of others with the pronoun that begins the text; None if none begins it, or it may be theirs."""
    plan: bool = False
    """True for an intent or hope stated before a round."""
    about: str = ""
    """Subject of words without a speaker, by name; empty if that is not recorded."""
    logged: bool = False
    """True for words of a story from the log of another tool."""
    may_be_i: bool = True
    """False for words whose I is not the teller: those of a log, unless the table tells in first person."""
    image: Image | None = None
    """The picture shown here, of a paragraph that says what it shows."""
    marks: Places | None = None
    """Emphasis in the text, in JSON alone: elsewhere its signs stand in the text itself."""

    beside: ClassVar = frozenset(
        {
            "others",
            "begins",
            "spare",
            "tags",
            "third",
            "recorded",
            "in_running",
            "in_present",
            "folded",
            "article",
            "article_if_told",
            "stakes",
            "result",
            "played_by_gm",
            "pronoun",
            "rivals",
            "about",
            "plan",
            "logged",
            "may_be_i",
        }
    )
    """Fields left out of the JSON."""
    rare: ClassVar = frozenset({"image", "marks"})
    """Fields left out of the JSON if they are None."""
