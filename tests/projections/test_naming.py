"""Names in running text: left out where the text makes clear who tells it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from retold.projections.exports import export
from retold.projections.prose.phrases import ENGLISH
from retold.projections.prose.sentences import (
    is_act,
    is_emote,
    is_manner,
    kind_of_stakes,
    kind_of_wording,
    says_all_of,
    says_who,
    tense_of,
)
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story.document import Mechanic, Paragraph, Passage, Scene, Tags, TagWords
from retold.projections.story.passages import PassageBuilder, SceneBuilder
from retold.projections.story.running_text import sparingly_named, tense
from retold.projections.story.transcript import of_range
from tests.projections.test_decided import night, story
from tests.wandering.evening import evening


def tags_of(speaker: str) -> Tags:
    the = f"the {speaker}"
    return Tags(
        TagWords(f"said {speaker}", f"asked {speaker}", "I said", "I asked", f"said {the}", f"asked {the}"),
        TagWords(f"says {speaker}", f"asks {speaker}", "I say", "I ask", f"says {the}", f"asks {the}"),
    )


def told(speaker: str | None, text: str, kind: Tag = Tag.NARRATION) -> Paragraph:
    """A paragraph of a story."""
    tags = None if speaker is None else tags_of(speaker)
    return Paragraph("e1", kind, text, speaker, label=speaker or "", spare=True, tags=tags)


def said(speaker: str, text: str) -> Paragraph:
    return told(speaker, text, Tag.SPEECH)


def shown(*paragraphs: Paragraph) -> Sequence[tuple[str, str]]:
    """Labels and texts as running text has them; speech without a tag has no marks yet."""
    named = sparingly_named(paragraphs, frozenset())
    return [(paragraph.label or "", paragraph.text) for paragraph in named]


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("Past them.", "“Past them,” said Zel."),
        ("Past them. Just past them.", "“Past them,” said Zel. “Just past them.”"),
        ("Who goes there?", "“Who goes there?” asked Zel."),
        ("Who? Say it.", "“Who?” asked Zel. “Say it.”"),
        ("Duck!", "“Duck!” said Zel."),
        ("Duck", "“Duck,” said Zel."),
        ("I wonder…", "“I wonder…” said Zel."),
        ("Ask Mr. Abbot.", "“Ask Mr. Abbot,” said Zel."),
    ],
)
def test_speech_has_a_tag_behind_its_first_sentence(text: str, run: str) -> None:
    assert shown(said("Zel", text)) == [("", run)]


def test_speech_of_two_paragraphs_keeps_its_label() -> None:
    assert shown(said("Zel", "One.\n\nTwo.")) == [("Zel", "One.\n\nTwo.")]


def test_a_conversation_of_two_has_two_tags() -> None:
    run = shown(said("Zel", "Go."), said("Bo", "No."), said("Zel", "Go!"), said("Bo", "Well."))

    assert [text for _, text in run] == ["“Go,” said Zel.", "“No,” said Bo.", "Go!", "Well."]


def test_words_in_marks_within_a_text_are_no_turn_of_a_conversation() -> None:
    talk = said("Zel", "Go."), said("Bo", "No.")

    assert shown(*talk, told("Zel", "He reads “the rope” and sits."))[-1][0] == "Zel"
    assert shown(*talk, told("Zel", "He laughs. “Then sit.”"))[-1][0] == ""


def test_a_conversation_of_three_names_speakers_who_are_not_answering() -> None:
    run = shown(
        said("Zel", "Go."), said("Bo", "No."), said("Ada", "Go!"), said("Bo", "Well."), said("Zel", "So.")
    )

    assert [text for _, text in run] == [
        "“Go,” said Zel.",
        "“No,” said Bo.",
        "“Go!” said Ada.",
        "Well.",
        "“So,” said Zel.",
    ]


def test_a_text_with_its_tellers_name_has_no_label() -> None:
    run = shown(told("The Concierge", "The Concierge looks up. I see it."), told("Bo", "Bo runs. So it is."))

    assert [label for label, _ in run] == ["The Concierge", ""]


def test_an_i_behind_the_game_masters_words_has_its_label_again() -> None:
    run = shown(
        told("Zel", "I run."), told(None, "It rains."), told("Zel", "I fall."), told("Bo", "I do not.")
    )

    assert [label for label, _ in run] == ["Zel", "", "Zel", "Bo"]


def test_the_name_returns_after_mechanics() -> None:
    rolled = told("Zel", "I run.")
    rolled = Paragraph(
        **{name: getattr(rolled, name) for name in rolled.__struct_fields__}
        | {"mechanics": (Mechanic("e2", "table.dice-rolled", "1d6 = 4"),)}
    )

    assert [label for label, _ in shown(rolled, told("Zel", "I fall."))] == ["Zel", "Zel"]


def test_words_for_some_readers_keep_their_label() -> None:
    secret = Paragraph(
        "e3", Tag.SPEECH, "Go.", "Zel", label="Zel (for the GM)", eyes="for the GM", spare=True
    )

    assert shown(secret) == [("Zel (for the GM)", "Go.")]


def test_a_report_keeps_its_labels() -> None:
    report = Paragraph("e3", Tag.NARRATION, "Zel runs.", "Zel", label="Zel")

    assert shown(report) == [("Zel", "Zel runs.")]


def test_R8_T8_each_text_of_a_round_has_its_name() -> None:
    run = shown(told("Zel", "We run."), told("Bo", "We stay."), told("Ada", "People look."))

    assert [label for label, _ in run] == ["Zel", "Bo", "Ada"]


def test_R7_an_i_right_behind_the_label_of_another_has_its_name() -> None:
    run = scene(told("Zel", "I push."), told("Bo", "Pull."), told("Zel", "I won."))

    assert [label for label, _ in labels(run)] == ["Zel", "Bo", "Zel"]


@pytest.mark.parametrize(
    "text", ["Bo setzte den Stiefel auf die Stufe.", "Bo contó los escalones.", "Bo quietly sits."]
)
def test_T9_a_text_that_begins_with_its_tellers_name_has_no_label(text: str) -> None:
    assert shown(told("Bo", text)) == [("", text)]


def test_R7_an_i_behind_a_sentence_of_retolds_has_its_name() -> None:
    run = shown(
        told("Zel", "I push."),
        replace(told(None, "Bo was hurt.", Tag.GENERATED), generated=True),
        told("Zel", "I do not shout it."),
    )

    assert [label for label, _ in run] == ["Zel", "", "Zel"]


@pytest.mark.parametrize("text", ["He looks at it.", "He is breathing. I tie him up."])
def test_T16_two_texts_of_one_teller_in_a_row_have_one_label(text: str) -> None:
    run = shown(told("Bo", "Click, and nothing."), replace(told("Bo", text), begins=True))

    assert [label for label, _ in run] == ["Bo", ""]


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("She leaned on the gate.", ("", "Bo leaned on the gate.")),
        ("Her lamp went out.", ("", "Bo\u2019s lamp went out.")),
        ("Then she went.", ("", "Then she went.")),
    ],
)
def test_T7_in_third_person_the_name_replaces_the_pronoun(text: str, run: tuple[str, str]) -> None:
    bo = replace(told("Bo", text), third=True, pronoun="she", rivals=("Ada",))

    assert shown(replace(told("Zel", "Zel waits."), third=True), bo)[1] == run


def test_T7_a_pronoun_that_may_be_another_s_keeps_its_label() -> None:
    zel, bo = (
        replace(told(who, text), third=True, pronoun="she", rivals=("Zel",))
        for who, text in (("Zel", "Zel waits."), ("Bo", "She sits."))
    )
    assert labels(scene(zel, bo))[1] == ("Bo", "She sits.")


@pytest.mark.parametrize(
    ("before", "text", "run"),
    [
        (told("Zel", "I wait."), "She sits.", ("", "Bo sits.")),
        (told(None, "Ada is here."), "She sits.", ("Bo", "She sits.")),
        (told(None, "Ada and Bo are here."), "She sits.", ("", "Bo sits.")),
        (told("Bo", "I wait."), "She sits.", ("", "She sits.")),
    ],
)
def test_T7_the_name_replaces_a_pronoun_unless_first_person_was_told(
    before: Paragraph, text: str, run: tuple[str, str]
) -> None:
    """Behind an I of the same person, she may be somebody else; a name just told may be hers."""
    bo = replace(told("Bo", text), pronoun="she", rivals=("Ada",))
    between = told(None, "It rains."), told("Zel", "I look up.")

    assert labels(scene(*between, before, bo))[-1] == run


HURT = """\
cast Osk str=1 dex=1 wis=1 health=9 ac=12 by=Ute
cast Thia str=1 dex=1 wis=1 health=9 ac=12 by=Ravi
cast Warden str=2 dex=0 health=8 ac=12
""".splitlines()


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["narrate gm: The stair is wet.", "hp Osk -3: He goes down hard."], "Osk goes down hard."),
        (["narrate gm: The stair is wet.", "hp Osk -3: His lamp goes out."], "Osk\u2019s lamp goes out."),
        (["narrate gm: Osk and Thia go down.", "hp Osk -3: He goes first."], "Osk goes first."),
        (["narrate gm: The Warden swings.", "hp Osk -3: He hits hard."], "He hits hard."),
        (["narrate Osk: Osk runs.", "hp Osk -3: He falls."], "He falls."),
        (["narrate gm: The stair is wet.", "hp Osk -3: They go down."], "They go down."),
        (["cast Osk pronouns=she", "narrate gm: The stair is wet.", "hp Osk -3: He laughs."], "He laughs."),
        (["narrate gm: The stair is wet.", "retire Osk: She walks off."], "Osk walks off."),
    ],
)
def test_T7_a_leading_pronoun_is_replaced_by_the_name_it_means(lines: list[str], told: str) -> None:
    with evening(["game d20", *HURT, "session One", "scene The stair", *lines]) as night:
        assert night.refused == {}
        page = export("text", of_range(LineView(night.scribe.campaign, 1), voice="prose"), "none").decode()

    assert f" {told}" in page.replace("\n", " ")


def test_T7_the_name_of_a_teller_who_says_i_stands_in_place_of_a_pronoun_too() -> None:
    bo = replace(told("Bo", "She sits."), pronoun="she", rivals=())

    assert labels(scene(told("Bo", "I wait."), told("Zel", "I look up."), bo))[-1] == ("", "Bo sits.")


def test_first_person_after_another_speaker_has_its_name_again() -> None:
    run = shown(told("Gatto", "I run."), said("Hargan", "No way."), told("Gatto", "I fall."))

    assert run == [("Gatto", "I run."), ("", "“No way,” said Hargan."), ("Gatto", "I fall.")]


def scene(*paragraphs: Paragraph) -> Scene:
    """A scene with a heading, as running text in the tense of its paragraphs."""
    present = tense(paragraphs) > 0
    return Scene("s1", "The quay", None, (Passage(None, paragraphs),), present=present).running()


def labels(shown: Scene) -> Sequence[tuple[str, str]]:
    return [(paragraph.label or "", paragraph.text) for paragraph in shown.paragraphs()]


# --- a name that is a word ---


@pytest.mark.parametrize(
    ("who", "text", "label"),
    [
        ("Rose", "Rose runs.", ""),
        ("Rose", "Rose never looked back.", ""),
        ("Rose", "Nobody stops Rose.", ""),
        ("Rose", "Rose petals fall.", ""),
        ("Captain Rusk", "Captain on deck.", "Captain Rusk"),
        ("Captain Rusk", "Captain Rusk, again.", ""),
        ("rat", "A rat runs.", "rat"),
    ],
)
def test_a_word_at_the_beginning_is_a_name_before_a_verb(who: str, text: str, label: str) -> None:
    assert shown(told(who, text)) == [(label, text)]


def test_the_name_returns_after_a_variation_under_a_joined_paragraph() -> None:
    joined = replace(told("Zel", "I run."), others=("e2",))
    run = sparingly_named([joined, told("Zel", "I fall.")], {"e2"})

    assert [paragraph.label for paragraph in run] == ["Zel", "Zel"]


# --- words that go on behind a name ---


@pytest.mark.parametrize("text", ["looks up", "grinned.", "has no idea", "tries the door", "nodded twice"])
def test_an_emote_begins_with_a_verb(text: str) -> None:
    assert is_emote(text)


@pytest.mark.parametrize(
    "text",
    ["cooks the crabs", "unties his boat", "curses him", "dresses the wound", "bailed it out", "hums a song"],
)
def test_I18_a_verb_that_no_list_has_is_one_before_its_object(text: str) -> None:
    assert is_emote(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "across the quay it rains",
            "upstairs the lamp is lit",
            "sometimes it rains",
            "petals fall",
            "yes the boat",
        ),
        *(
            "his hands shake",
            "need the rope",
            "outdoors the wind rises",
            "glass all over the floor",
            "cooks my crabs",
        ),
        *("rats in the wall", "indeed the lamp is lit", "chess the old way"),
    ],
)
def test_I18_no_other_word_before_an_article_is_a_verb(text: str) -> None:
    assert not is_emote(text)


@pytest.mark.parametrize("text", ["quietly closes the hatch", "slowly nods"])
def test_an_adverb_may_be_before_the_verb(text: str) -> None:
    assert is_emote(text)


@pytest.mark.parametrize("text", ["Looks up at the lamp.", "Slowly opens the lid."])
def test_an_act_has_an_object_or_a_direction(text: str) -> None:
    assert is_act(text)


@pytest.mark.parametrize("text", ["Looks like rain.", "Knocks in the night", "Lights on the water."])
def test_what_may_be_a_noun_is_no_act(text: str) -> None:
    assert not is_act(text)


@pytest.mark.parametrize(
    "text", ["From the pulpit, with both feet.", "without a word", "Over the wall. Down."]
)
def test_words_on_where_or_how_somebody_acts(text: str) -> None:
    assert is_manner(text)


@pytest.mark.parametrize(
    "text",
    ["Past them. Just past them.", "With that, she goes.", "From me?", "Over here!", "Down the stair."],
)
def test_other_words_need_a_label(text: str) -> None:
    assert not is_manner(text)


@pytest.mark.parametrize(
    "text", ["i looks up", "petals fall", "Looks up", "eyes narrow", "", "looks at my hand"]
)
def test_what_is_no_emote(text: str) -> None:
    assert not is_emote(text)


# --- several, and one alone ---


def test_the_only_one_who_says_i_is_named_once() -> None:
    run = scene(told("Zel", "I run."), told(None, "He waits."), told("Zel", "I fall."))

    assert [label for label, _ in labels(run)] == ["Zel", "", ""]


def test_speech_of_the_only_one_who_says_i_has_i_said_behind_it() -> None:
    run = scene(told("Zel", "I run."), said("Bo", "Wait."), said("Zel", "Never. Run."), said("Zel", "Why?"))

    assert labels(run) == [
        ("Zel", "I run."),
        ("", "“Wait,” says Bo."),
        ("", "“Never,” I say. “Run.”"),
        ("", "“Why?” I ask."),
    ]


def test_a_tag_has_an_article_if_every_text_puts_one_before_the_name() -> None:
    speech = replace(said("Captain", "Cast off."), article_if_told="the ")
    seen = told(None, "The Captain takes it. “Captain!”")

    assert labels(scene(seen, speech))[-1] == ("", "“Cast off,” says the Captain.")
    named = labels(scene(seen, told(None, "Captain Rusk is here."), speech))
    assert named[-1] == ("", "“Cast off,” says Captain.")


def test_a_wording_behind_a_name_has_the_article_of_the_tags() -> None:
    wording = replace(told("Warden", "Wants boats."), in_running=("", "Warden wants boats."))
    by_name, by_texts = replace(wording, article="the "), replace(wording, article_if_told="the ")

    assert labels(scene(wording)) == [("", "Warden wants boats.")]
    assert labels(scene(by_name)) == [("", "The Warden wants boats.")]
    assert labels(scene(told(None, "The Warden nods."), by_texts))[-1] == ("", "The Warden wants boats.")
    assert labels(scene(told(None, "Warden nods."), by_texts))[-1] == ("", "Warden wants boats.")


def test_T4_stakes_stand_before_what_happens() -> None:
    stakes = replace(
        told(None, "The box."), in_running=("", "It is about the box."), stakes=True, begins=True
    )
    behind = replace(told(None, "Three get up."), joins=True)

    assert labels(scene(told("Bo", "I run."), stakes, behind))[-1] == (
        "",
        "It is about the box. Three get up.",
    )


def test_a_short_result_is_joined_to_its_act() -> None:
    act, result = told("Bo", "I throw the lantern."), replace(told(None, "Oil and glass."), result=True)

    assert labels(scene(act, result)) == [("Bo", "I throw the lantern. Oil and glass.")]
    for alone in (replace(result, result=False), replace(result, text="I see it."), said("Zel", "Oil.")):
        assert len(labels(scene(act, alone))) == len((act, alone))
    assert len(labels(scene(act, replace(result, text="Oil. " * 40)))) == len((act, result))


def test_tags_are_in_the_tense_of_their_scene() -> None:
    past = scene(told("Zel", "I ran."), told(None, "It was dark."), said("Bo", "Is it?"))
    nothing = scene(said("Bo", "It is."), said("Zel", "It was."))

    assert labels(past)[-1] == ("", "“Is it?” asked Bo.")
    assert labels(nothing) == [("", "“It is,” said Bo."), ("", "“It was,” said Zel.")]


def test_a_text_for_some_readers_changes_no_tense() -> None:
    secret = replace(told(None, "It is dark, and has been, and it goes on."), eyes="for the GM")
    run = scene(told(None, "It was dark."), secret, said("Bo", "Who?"))

    assert labels(run)[-1] == ("", "“Who?” asked Bo.")


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ("I run.", True),
        ("It goes on, and they are here.", True),
        ("She takes it and says nothing.", True),
        ("I ran. It was dark.", False),
        ("We walked, and she took it.", False),
        ("It has come, and is lost.", True),
        ("Rose looks up. Rose is tired.", True),
        ("We need it.", True),
        ("She walks on. He opens it. It was locked.", True),
        ("She walked to the door. He opened it. It is locked.", False),
        ("“It is dark.”", False),
        ("Fog, and a bell.", False),
        ("Er ist da.", True),
        ("Er war da und nahm den Hut.", False),
        ("The ferry has gone, and has been gone for long.", False),
        ("", False),
    ],
)
def test_the_tense_of_a_scene_is_that_of_most_of_its_verbs(text: str, present: bool) -> None:
    assert (tense_of([text]) > 0) is present


NOW, THEN = "narrate gm: It is high. She knows it.", "narrate gm: It was high. She knew it."


@pytest.mark.parametrize(
    ("lines", "tag"),
    [
        ((), "said"),
        ((NOW, "scene The hall"), "says"),
        ((THEN, "scene The hall"), "said"),
        ((NOW, "scene The hall", "narrate gm: It was cold. He knew her."), "said"),
    ],
)
def test_a_scene_with_few_verbs_has_the_tense_of_those_around_it(lines: tuple[str, ...], tag: str) -> None:
    begun = "cast Zel by=Ana: A baker", "session One", "scene The roof"
    with night("\n".join((*begun, *lines, "say Zel: Now."))) as there:
        assert story(there)[-1] == f"“Now,” {tag} Zel."
    with night("\n".join((*begun, "say Zel: Now.", "scene The hall", *lines))) as there:
        assert (f"“Now,” {tag} Zel." in story(there)) is (len(lines) < 3)


def test_a_text_says_all_that_is_at_stake_if_it_has_its_words() -> None:
    assert says_all_of("The school has to be at its berth by noon.", "is the school at its berth by noon")
    assert not says_all_of("The school has to be at its berth.", "is the school at its berth by noon")
    assert not says_all_of("It is his.", "is it his")


@pytest.mark.parametrize(
    ("stakes", "key"),
    [
        ("the rope", "label.stakes-thing"),
        ("a letter in a glove", "label.stakes-thing"),
        ("the rope, before midnight", "label.stakes-in-time"),
        ("the bell, or the way out", "label.stakes-either"),
        ("who gets away", "label.stakes-asked"),
        ("whether it rings", "label.stakes-asked"),
        ("the lost crown", "label.stakes-thing"),
        ("the man who saw it", "label.stakes-thing"),
        ("getting to the slip", "label.stakes"),
        ("getting to the slip before they look round", "label.stakes"),
        ("the case before the judge", "label.stakes-thing"),
        ("king is what he would be", ""),
        ("the sea door, before they ring the bell", "label.stakes-in-time"),
        ("this is the end", "label.stakes-whether"),
        ("the gang gets away with it", "label.stakes-whether"),
        ("to get away", "label.stakes-to"),
        ("The rope", ""),
        ("Zel", ""),
        ("theirs", ""),
        ("die Glocke", ""),
        ("", ""),
    ],
)
def test_stakes_go_on_behind_a_verb_if_they_begin_as_a_noun_or_a_question(stakes: str, key: str) -> None:
    assert kind_of_stakes(stakes) == key


@pytest.mark.parametrize(
    ("wording", "goes_on"),
    [
        ("Would rather build boats", True),
        ("Has to win", True),
        ("cannot swim", True),
        ("Will of iron", False),
        ("Will to live", False),
        ("Might makes right", False),
        ("Will", False),
        ("Caught in the net", False),
        ("Knows that I lie", False),
    ],
)
def test_a_wording_that_begins_with_a_verb_goes_on_behind_a_name(wording: str, goes_on: bool) -> None:
    assert (kind_of_wording(wording) == "deed") is goes_on


def test_narration_for_a_gm_character_has_no_name() -> None:
    fog = replace(told("The fog", "There are two bells."), played_by_gm=True)
    run = scene(told("Zel", "I run. Fast."), told("Bo", "I stay. So."), fog, replace(fog, text="It lifts."))

    assert [label for label, _ in labels(run)] == ["Zel", "Bo", "", "The fog"]


@pytest.mark.parametrize("text", ["He waits.", "Whoever is near.", "Round by the sea!", "Teeth.", "I wait."])
def test_what_does_not_say_who(text: str) -> None:
    assert not says_who(text)


def test_a_secret_in_a_scene_keeps_the_names_of_those_who_read_it() -> None:
    secret = replace(told("Bo", "I know."), eyes="for Bo", label="Bo (for Bo)")
    open_ = told("Zel", "I run."), told("Zel", "I fall.")

    assert labels(scene(open_[0], secret, open_[1])) == [
        ("Zel", "I run."),
        ("Bo (for Bo)", "I know."),
        ("Zel", "I fall."),
    ]


ROUND = """\
session One
scene The basin: Lanterns.
conflict "The night" spacetime Zel vs Bo vs Ada vs Ned: whose night it is
outcome Zel: We win.
outcome Bo: We sleep.
outcome Ada: We sing.
declare Ned: We watch.
declare Zel: We run.
declare Bo: We stay. Bo snores.
declare Ada: We wait for a gap.
draw = T14 T4 T20 T5
narrate Ada: People look.
narrate Zel: We cross, all nine.
narrate Bo: We sleep through it.
""".splitlines()


def test_T8_a_plan_for_a_round_is_told_beside_what_came_of_it() -> None:
    with evening([*(f"cast {who}" for who in ("Zel", "Bo", "Ada", "Ned")), *ROUND]) as night:
        assert night.refused == {}
        page = export(
            "markdown", of_range(LineView(night.scribe.campaign, 1), voice="prose"), "none"
        ).decode()

    assert page[page.index("**Zel (hoping)") :].splitlines()[::2] == [
        *("**Zel (hoping):** We win.", "**Bo (hoping):** We sleep.", "**Ada (hoping):** We sing."),
        "**Ned:** We watch.",
        "**Ada:** We wait for a gap. People look.",
        "**Zel:** We run. We cross, all nine.",
        "**Bo:** We stay. Bo snores. We sleep through it.",
    ]


def test_T8_a_plan_before_a_narrators_text_stays_there() -> None:
    lines = [*ROUND[:-3], "narrate gm: A bell.", *ROUND[-3:]]
    with evening([*(f"cast {who}" for who in ("Zel", "Bo", "Ada", "Ned")), *lines]) as night:
        page = export(
            "markdown", of_range(LineView(night.scribe.campaign, 1), voice="prose"), "none"
        ).decode()

    assert page[page.index("**Ned:**") :].splitlines()[::2] == [
        *("**Ned:** We watch.", "**Zel:** We run.", "**Bo:** We stay. Bo snores."),
        "**Ada:** We wait for a gap. A bell.",
        *("People look.", "**Zel:** We cross, all nine.", "**Bo:** We sleep through it."),
    ]


def test_hopes_of_several_are_one_paragraph() -> None:
    lines = [
        line.replace("outcome Zel: We win.", "outcome Zel: The whole basin falls silent.") for line in ROUND
    ]
    lines = [line.replace("outcome Bo: We sleep.", "outcome Bo: One crossing, in silence.") for line in lines]
    with evening([*(f"cast {who}" for who in ("Zel", "Bo", "Ada", "Ned")), *lines]) as night:
        shown = of_range(LineView(night.scribe.campaign, 1), voice="prose").running()

    assert next(one.text for one in shown.paragraphs() if "want" in one.text) == (
        "Zel wants the whole basin to fall silent. Bo wants one crossing, in silence."
    )


# --- wordings ---


@pytest.mark.parametrize(
    ("later", "eyes", "ids"),
    [
        ("It rains.", None, ["e2"]),
        ("The canal is dark.", None, ["e1", "e2"]),
        ("The canal is dark.", "for Bo", ["e2"]),
        ("There are still others.", None, ["e2"]),
    ],
)
def test_a_wording_is_told_if_a_later_text_uses_its_words(
    later: str, eyes: str | None, ids: Sequence[str]
) -> None:
    passage = PassageBuilder(None)
    passage.write(told(None, "Still there, in the canal.")).if_used = True
    passage.write(replace(told(None, later), id="e2", eyes=eyes))

    scene = SceneBuilder(passages=[passage])
    scene.settle(ENGLISH)

    assert [draft.page.id for draft in scene.told()] == ids


@pytest.mark.parametrize(
    ("name", "more", "tag"),
    [
        ("Warden", "", "said the warden"),
        ("Watchmen", "", "said the watchmen"),
        ("Warden", 'cast Warden alias="the Warden"', "said the Warden"),
        ("Warden", "cast Warden by=Ana", "said Warden"),
        ("Warden", 'cast Warden alias="Joe Warden"', "said Warden"),
        ("Rose", "", "said Rose"),
        ("Captain-Rusk", "", "said Captain-Rusk"),
    ],
)
def test_T15_a_story_says_the_before_a_role(name: str, more: str, tag: str) -> None:
    with night(f"cast {name}\nsession One\n{more}\nsay {name}: Go.") as there:
        assert story(there) == [f"“Go,” {tag}."]


@pytest.mark.parametrize(("language", "tag"), [("de", "sagte der Wärter"), ("fr", "")])
def test_T15_a_role_has_the_article_of_its_language(language: str, tag: str) -> None:
    with night(f"cast Wärter\noption table.language={language}\nsession One\nsay Wärter: Los.") as there:
        assert any(tag in text for text in story(there, "de"))


THIRD = """\
cast Brida by=Tom pronouns=she
cast Osk by=Ute
option table.telling=third
session One
scene The gate: White steps.
narrate Osk: Osk counts the steps.
narrate Brida: She leans on the gate.
""".splitlines()


@pytest.mark.parametrize("voice", ["report", "script", "prose"])
@pytest.mark.parametrize("name", ["markdown", "text", "html", "fountain", "srt"])
def test_T7_T9_no_export_labels_a_text_that_begins_with_its_teller(voice: str, name: str) -> None:
    with evening(THIRD) as night:
        page = export(name, of_range(LineView(night.scribe.campaign, 1), voice=voice), "none").decode()

    assert "Osk counts" in page
    assert not re.search(r"(?i)osk:?(?:\*\*|</[^>]*>)*:? ?(?:<[^>]*>)*\(?osk counts", page)


def test_T7_prose_replaces_she_with_the_name() -> None:
    with evening(THIRD) as night:
        page = export("text", of_range(LineView(night.scribe.campaign, 1), voice="prose"), "none").decode()

    assert "\nBrida leans on the gate." in page


@pytest.mark.parametrize(
    ("wording", "kind"),
    [
        ("A winch chain along the north wall", "thing"),
        ("A man who is bored", "thing"),
        ("A car is on its way", ""),
        ("Lit up against the gate", "state"),
        ("Watching the wrong giant", "state"),
        ("Cornered", "state"),
        ("Sheep seed", ""),
        ("A sacred seed", "thing"),
        ("Seed", ""),
        ("Opens the lock", "deed"),
        ("Loops its own feed", "deed"),
        ("Opens the lock?", ""),
        ("Would rather build boats", "deed"),
        ("Will of iron", ""),
        ("Steps of wet stone", ""),
        ("Cracked visor", ""),
    ],
)
def test_a_wording_of_an_aspect_is_a_thing_a_state_or_a_deed(wording: str, kind: str) -> None:
    assert kind_of_wording(wording) == kind
