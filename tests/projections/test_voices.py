"""What each voice makes of the same evening, and how a voice of one's own is read from its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.projections.exports import EXPORTS, MECHANICS, export
from retold.projections.exports.page_elements import label, marked_speech
from retold.projections.prose import BASES, PLACES, VOICES, Voice
from retold.projections.prose.phrases import table as phrases
from retold.projections.prose.telling import Tag
from retold.projections.prose.voicefile import LARGEST, copied, read
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Paragraph, Transcript
from tests.projections.evening import SECRET, Table, w
from tests.projections.test_decided import night

HAND = "Guards took the hand against Zel."


def told(table: Table, voice: Voice | str, session: int = 1) -> Transcript:
    return transcript.of_session(LineView(table.campaign, 1), session, voice=voice)


def paragraphs(shown: Transcript) -> list[Paragraph]:
    return [one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs]


def lines(shown: Transcript) -> list[str]:
    """Every paragraph as a reader meets it."""
    heads = ((label(one), marked_speech(one)) for one in paragraphs(shown) if one.text)
    return [f"{head}: {text}" if head else text for head, text in heads]


# --- script -----------------------------------------------------------------------------------------------


def test_a_script_has_names_in_capitals_and_the_rest_in_brackets(table: Table) -> None:
    assert lines(told(table, "script")) == [
        "(Rain, and the tide still out.)",
        "(Lamps below, and boots.)",
        f"Note (for the game master): {SECRET}",
        "Note (for Jon): Only Jon may know of the tunnel",
        "ZEL: I run one of them through and keep going.",
        "ZEL: One last cry, and the line breaks.",
        "A Legacy for Zel: for the cry",
        "ZEL: “Not today.”",
        f"[{HAND}]",
        "(Zel is out, and wet.)",
    ]


def test_in_a_script_the_game_master_speaks_too(table: Table) -> None:
    table.do(c.End(what="conflict", how="ended"))
    table.do(c.Narrate(who=0, text=w("The tide turns.")))
    table.do(c.Roll(who=0, dice="1d6", results=("4",), text=w("for the wind")))

    assert lines(told(table, "script", 2))[-2:] == ["GM: The tide turns.", "GM (rolls): for the wind"]
    assert lines(told(table, "report", 2))[-2:] == ["The tide turns.", "The game master rolls: for the wind"]


def test_a_stage_direction_is_in_italics_where_there_are_any(table: Table) -> None:
    table.do(c.SetScene(title=w("The mole"), text=w("Fog.\n\nThen none.")))
    script = told(table, "script", 2)

    assert "*(Fog.*\n\n*Then none.)*" in export("markdown", script).decode()
    assert '<em class="words" dir="auto">(Fog.' in export("html", script).decode()
    assert "(Fog.\n  Then none.)" in export("text", script).decode()


@pytest.mark.parametrize("name", [name for name, one in EXPORTS.items() if one.is_text])
def test_a_script_reads_without_mechanics(table: Table, name: str) -> None:
    story = export(name, told(table, "script"), "none").decode()

    assert not re.search(r"[♠♥♦♣]|Quality|draws|called\]|clubs", story)
    assert "One last cry, and the line breaks." in story


# --- prose ------------------------------------------------------------------------------------------------


def test_prose_is_what_people_told_and_nothing_else(table: Table) -> None:
    shown = told(table, "prose")

    assert lines(shown) == [
        "Rain, and the tide still out.",
        "Lamps below, and boots.",
        "Freedom.",
        "Zel: I run one of them through and keep going.",
        "Zel: One last cry, and the line breaks.",
        "Zel: “Not today.”",
        "[The guards took the hand against Zel.]",
        "[The guards got the better of Zel.]",
        "Zel is out, and wet.",
    ]
    assert [scene.title for scene in shown.scenes] == [None, "The harbour-master\u2019s stair"]
    assert {passage.conflict for scene in shown.scenes for passage in scene.passages} == {None}
    assert shown.end == type(shown.end)()


def test_prose_runs_on_from_one_scene_s_conflict_to_what_follows_it(table: Table) -> None:
    assert [len(scene.passages) for scene in told(table, "prose").scenes] == [1, 2]  # the last words apart
    kinds = {one.kind for one in paragraphs(told(table, "prose")) if one.text}
    assert kinds == {Tag.NARRATION, Tag.SPEECH, Tag.GENERATED}


def test_prose_tells_an_edit_but_not_the_reason_for_overruling(table: Table) -> None:
    assert lines(told(table, "prose", 2)) == [
        "[Zel was up against the guards.]",
        "Zel: Mud to the knee, and nobody follows.",
        "One of them does follow.",
        "[Zel took the hand against the guards.]",
    ]


def test_in_prose_what_a_roll_is_for_is_no_story(table: Table) -> None:
    table.do(c.Roll(who=table.who("Zel"), dice="1d6", results=("4",), text=w("to climb")))

    assert "Zel rolls: to climb" in lines(told(table, "report", 2))
    assert "to climb" not in lines(told(table, "prose", 2))


def test_prose_keeps_every_number_for_footnotes(table: Table) -> None:
    def mechanics(voice: str) -> list[str]:
        shown = told(table, voice)
        passages = [passage for scene in shown.scenes for passage in scene.passages]
        heads = [one for passage in passages if passage.conflict for one in passage.conflict.mechanics]
        below = [one for passage in passages for each in passage.paragraphs for one in each.mechanics]
        return sorted(one.text for one in (*heads, *below))

    assert mechanics("prose") == mechanics("report")
    assert "[^1]" in export("obsidian", told(table, "prose"), "footnotes").decode()


def test_a_secret_in_prose_names_its_audience(table: Table) -> None:
    table.do(c.End(what="conflict", how="ended"))
    table.do(c.Narrate(who=0, text=w("The captain weeps.")), see="gm")

    assert lines(told(table, "prose", 2))[-1] == "(for the game master): The captain weeps."


# --- a voice of one's own ---------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def written(file: Path, text: str) -> Voice:
    file.write_text(text, "utf-8")
    return read(file)


def test_one_phrase_of_one_s_own_changes_that_sentence_and_no_other(table: Table, file: Path) -> None:
    mine = written(file, '[phrases.bruise]\nhand-won = "{{ whom }} lost it to {{ who }}."\n')

    ours = lines(told(table, "report"))
    assert ours.count(f"[{HAND}]") == 1
    assert lines(told(table, mine)) == [one.replace(f"[{HAND}]", "[Zel lost it to Guards.]") for one in ours]


def test_without_a_word_for_the_game_master_no_name_is_changed(table: Table, file: Path) -> None:
    mine = written(file, '[phrases]\nnames.gm = ""\nbruise.hand-won = "e {{ who }}"\n')

    assert lines(told(table, mine)).count("[e Guards]") == 1


def test_the_last_of_several_names_is_joined_as_the_voice_has_it(file: Path) -> None:
    mine = written(file, "[phrases]\nnames.and = \"{{ '&' }}\"\n")

    told = mine.phrases.say("guenask.raised", who="Zel", whom=["Ada", "Bo", "Cy"])
    assert told == "Zel raised against Ada, Bo & Cy."


def test_an_empty_phrase_says_nothing(table: Table, file: Path) -> None:
    mine = written(file, '[phrases]\nbruise.hand-won = ""\n')

    assert lines(told(table, mine)) == [one for one in lines(told(table, "report")) if one != f"[{HAND}]"]


def test_labels_and_quotes_are_words_too(table: Table, file: Path) -> None:
    mine = written(
        file,
        """
        about = "wie Mirela erzählt"
        lang = "de"
        layout.quotes = ["„", "“"]
        [phrases]
        names.gm = "die Spielleiterin"
        label.note = "Notiz{% if who %} zu {{ who }}{% endif %}"
        label.for-gm = "für {{ 'die Spielleiterin' }}"
        label.for-some = "für {{ whom|listed }}"
        table.declares = "kündigt an"
        bruise.legacy = "Ein Vermächtnis für {{ who }}"
        bruise.hand-won = '''
            {{ who }} gewann
            gegen {{ whom }}.
        '''
        """,
    )
    shown = told(table, mine)

    assert (shown.voice, shown.lang, mine.about) == ("mine", "de", "wie Mirela erzählt")
    assert '<html lang="de">' in export("html", shown).decode()
    assert lines(shown)[2:9] == [
        f"Notiz (für die Spielleiterin): {SECRET}",
        "Notiz (für Jon): Only Jon may know of the tunnel",
        "Zel kündigt an: I run one of them through and keep going.",
        "Zel: One last cry, and the line breaks.",
        "Ein Vermächtnis für Zel: for the cry",
        "Zel: „Not today.“",
        "[Guards gewann gegen Zel.]",
    ]


@pytest.mark.parametrize("base", BASES)
def test_a_copy_of_a_voice_tells_the_same(table: Table, file: Path, base: str) -> None:
    copy = written(file, copied(VOICES[base], "a copy"))

    assert dict(copy.phrases.texts) == dict(VOICES[base].phrases.texts)
    same = replace(told(table, copy), voice=base)
    assert same.to_json() == told(table, base).to_json()
    assert copied(copy, "a copy") == copied(VOICES[base], "a copy")


def test_a_copy_has_every_phrase_and_every_comment(file: Path) -> None:
    text = copied(VOICES["script"], "a copy")

    assert len(re.findall(r"^(?:[\w-]+|\"[^\"]+\") = ", text, re.MULTILINE)) == len(phrases()) + 8
    assert text.count("# report: ") == len(phrases("script"))


def test_the_notation_has_no_phrases_to_copy() -> None:
    with pytest.raises(Refused, match="plain is the notation and has no phrases: copy report or script"):
        copied(VOICES["plain"], "a copy")


def test_mechanics_may_stand_wherever_the_exports_have_them() -> None:
    assert tuple(one.value for one in MECHANICS) == PLACES


HOSTILE = "<script>alert(1)</script> **x** \\u001b[31m \\u202e [[y]]"


@pytest.mark.parametrize("name", [name for name, one in EXPORTS.items() if one.is_text])
def test_what_a_voice_says_is_text_to_every_format(table: Table, file: Path, name: str) -> None:
    mine = written(
        file,
        f"""
        layout.quotes = ["<b>", "\\u001b[0m"]
        [phrases]
        bruise.hand-won = "{HOSTILE}"
        label.deed = "{HOSTILE}"
        label.note = "{HOSTILE}"
        """,
    )
    shown = export(name, told(table, mine), "none").decode()

    assert not re.search("[\x1b\u202e]", shown)
    if name in ("html", "markdown"):
        assert not re.search(r"<script>|<b>", shown)


# --- a broken one -----------------------------------------------------------------------------------------

BROKEN = [
    ("about = ", "line 1: invalid value."),
    ('about = "x"\n[phrases\n', "line 2: expected ']' at the end of a table declaration."),
    ("\n\n[phrases.bruise]\nhand-won = 'a'\nhand-won = 'b'\n", "line 5: cannot overwrite a value."),
    ('about = "never ends', "line 1: unterminated string."),
    ('base = "operatic"', "line 1: base: this has to be one of report, script, prose."),
    ('# plain\nbase = "plain"', "line 2: base: this has to be one of report, script, prose."),
    ("base = 3", "line 1: base: this has to be one of report, script, prose."),
    ('about = """a\nb"""', "line 1: about: this has to be a text on one line."),
    ('lang = "deutsch, bitte"', 'line 1: lang: this has to be a language as HTML names it, such as "de".'),
    ('abuot = "x"', "line 1: abuot: there is no such key, did you mean about?"),
    ("layout = 3", "line 1: layout: this has to be a table: [layout]."),
    (
        "[layout]\n\nfont = 3",
        "line 3: layout.font: there is no such key, there is mechanics, quotes, typographic, asides, comma",
    ),
    (
        '[layout]\nmechanics = "margin"',
        "line 2: layout.mechanics: this has to be one of inline, folded, footnotes, appendix, none.",
    ),
    ("[layout]\nmechanics = []", "line 2: layout.mechanics: this has to be one of inline, folded,"),
    ('[layout]\nquotes = "»"', 'line 2: layout.quotes: this has to be two short texts, such as ["“", "”"].'),
    ('[layout]\nquotes = ["a", "a\\nb"]', "line 2: layout.quotes: this has to be two short texts"),
    ('phrases = "x"', "line 1: phrases: this has to be a table: [phrases]."),
    (
        '[phrases.bruise]\n\nhand-one = ""',
        "line 3: bruise.hand-one: there is no such key, did you mean bruise.hand-won?",
    ),
    ('[phrases]\nbruise = "x"', "line 2: bruise: there is no such key,"),
    ("[phrases.bruise]\nhand-won = 3", "line 2: bruise.hand-won: this has to be a text in quotation marks."),
    (
        'about = """\nhand-won\n"""',
        "line 1: about: this has to be a text on one line.",
    ),
    (
        '[phrases.table]\nwon = """\n[phrases.bruise]\n"""\n\n[phrases.bruise]\n"hand-won" = "{{ winner }}"',
        "line 7: bruise.hand-won: there is no value winner here, there is who and whom.",
    ),
    (
        '[phrases]\nbruise.hand-won = "{{ who }} {{ whomm }}"',
        "line 2: bruise.hand-won: there is no value whomm here, did you mean whom?",
    ),
    (
        'about = "\u2028"\n[phrases]\n# hand-won\n"bruise.hand-won" = "{{ winner }}"',
        "line 4: bruise.hand-won: there is no value winner here, there is who and whom.",
    ),
    ('[phrases.names]\nand = "{{ who }}"', "line 2: names.and: there is no value who here, there is none."),
    (
        '[phrases.bruise]\nhand-won = "{{ who }"',
        "line 2: bruise.hand-won: it cannot be read: unexpected '}'.",
    ),
    (
        '[phrases.bruise]\nhand-won = "{% for i in range(10**9) %}x{% endfor %}"',
        "line 2: bruise.hand-won: it has a loop in it, and a phrase has only {{ values }} and {% if %}.",
    ),
    (
        '[phrases.bruise]\nhand-won = "{{ who.__class__ }}"',
        "line 2: bruise.hand-won: it has a dot after a value in it,",
    ),
    (
        '[phrases.page]\nrun-by = "{{ whom }}"',
        "line 2: page.run-by: there is no value whom here, did you mean who?",
    ),
    (
        '[phrases.changed]\nfree = "{{ number < 2 }}"',
        "line 2: changed.free: it compares with something other than == and !=.",
    ),
    (f"about = '{'x' * LARGEST}'", "is no voice: it has more than 200,000 bytes."),
    (f"about = {'[' * 5000}", "is no voice: it is nested too deeply."),
]


@pytest.mark.parametrize(("text", "sentence"), BROKEN, ids=[sentence[:50] for _, sentence in BROKEN])
def test_a_broken_file_is_one_sentence_with_line_and_key(file: Path, text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        written(file, text)

    shown = str(refused.value)
    assert shown.startswith(str(file))
    assert sentence in shown
    assert shown.endswith((".", "?"))
    assert "\n" not in shown


def test_every_mistake_of_a_file_is_told_from_its_top(file: Path) -> None:
    with pytest.raises(Refused) as refused:
        written(
            file,
            """
            lang = "deutsch, bitte"
            abuot = "x"
            [phrases.bruise]
            hand-won = "{{ winner }}"
            hand-one = "x"
            [layout]
            quotes = ["a", "a\\nb"]
            asides = 1
            """,
        )

    assert [one.removeprefix(f"{file}, ") for one in refused.value.sentences] == [
        'line 2: lang: this has to be a language as HTML names it, such as "de".',
        "line 3: abuot: there is no such key, did you mean about?",
        "line 5: bruise.hand-won: there is no value winner here, there is who and whom.",
        "line 6: bruise.hand-one: there is no such key, did you mean bruise.hand-won?",
        'line 8: layout.quotes: this has to be two short texts, such as ["“", "”"].',
        "line 9: layout.asides: this has to be true or false.",
    ]


def test_only_the_first_mistakes_are_listed(file: Path) -> None:
    with pytest.raises(Refused) as refused:
        written(file, "".join(f"wrong-{number} = 1\n" for number in range(23)))

    assert [one.partition(": ")[0] for one in refused.value.sentences[:-1]] == [
        f"{file}, line {line}" for line in range(1, 21)
    ]
    assert refused.value.sentences[-1] == "And 3 more."


def test_a_file_that_is_no_text_or_not_there_is_one_sentence_too(file: Path, tmp_path: Path) -> None:
    file.write_bytes(b'about = "x"\n# \xff\n')

    with pytest.raises(Refused, match=r"mine\.toml, line 2: that is not UTF-8\."):
        read(file)
    with pytest.raises(Refused, match=r"none\.toml cannot be read: no such file or directory\."):
        read(tmp_path / "none.toml")
    with pytest.raises(Refused, match="cannot be read: is a directory"):
        read(tmp_path)


def test_an_empty_file_is_the_report_under_another_name(table: Table, file: Path) -> None:
    mine = written(file, "")

    assert (mine.name, mine.base, mine.mechanics) == ("mine", "report", "folded")
    assert lines(told(table, mine)) == lines(told(table, "report"))


def test_the_paper_s_own_example_is_a_voice_and_its_refusal_is_what_is_said(file: Path) -> None:
    paper = (Path(__file__).resolve().parents[2] / "docs/voices.md").read_text("utf-8")
    example = re.findall(r"^```toml\n(.*?)^```$", paper, re.MULTILINE | re.DOTALL)[0]

    mine = written(file, example)
    assert (mine.about, mine.mechanics, mine.quotes) == ("as Mirela tells it", "footnotes", ("»", "«"))
    with pytest.raises(Refused) as refused:
        written(file, example.replace("{{ whom }}", "{{ whome }}"))
    assert str(refused.value).removeprefix(f"{file.parent}/") in paper


def test_a_voice_in_a_language_without_phrases_has_the_tags_that_it_words(table: Table, file: Path) -> None:
    said, asked = "powiada {{ who }}", "pyta {{ who }}"
    words = f'base = "prose"\nlang = "pl"\n[phrases.label]\nsaid = "{said}"\n'

    assert {page.tags for page in paragraphs(told(table, written(file, words)))} == {None}
    voice = written(file, f'{words}asked = "{asked}"\n')
    tags = [page.tags for page in paragraphs(told(table, voice)) if page.speaker == "Zel" and page.tags]
    assert tags[0].past == ("powiada Zel", "pyta Zel", "", "", "", "")


def test_a_voice_in_another_language_takes_its_phrases_and_marks(table: Table, file: Path) -> None:
    mine = written(file, 'lang = "de"')
    shown = export("markdown", told(table, mine)).decode()
    assert "## Noch nicht erzählt" in shown
    assert "geleitet von Rana" in shown
    assert "„I roll for dignity.“ (Jon)" in export("text", told(table, mine)).decode()


def test_the_headings_of_a_page_are_words_too(table: Table, file: Path) -> None:
    mine = written(file, '[phrases.page]\ncast = "Wer dabei war"\nsession = "Abend {{ number }}"')

    shown = told(table, mine)
    assert shown.title == "Abend 1: High Water"
    assert "## Wer dabei war\n" in export("markdown", shown).decode()
    assert told(table, "report").title == "Session 1: High Water"


@pytest.mark.parametrize(
    ("comma", "said"),
    [
        ("outside", ["«Es la hora», dijo Zel.", "«¿Vamos?» preguntó Zel."]),
        ("inside", ["«Es la hora,» dijo Zel.", "«¿Vamos?» preguntó Zel."]),
        ("always", ["«Es la hora», dijo Zel.", "«¿Vamos?», preguntó Zel."]),
    ],
)
def test_T17_a_voice_sets_the_position_of_a_tags_comma(file: Path, comma: str, said: list[str]) -> None:
    voice = written(
        file,
        f"""\
base = "prose"
lang = "es"
[layout]
quotes = ["«", "»"]
comma = "{comma}"
[phrases.label]
said = "dijo {{{{ who }}}}"
asked = "preguntó {{{{ who }}}}"
""",
    )
    lines = "session One", "scene Uno: Llueve.", "say Zel: Es la hora.", "narrate: Nada.", "say Zel: ¿Vamos?"
    with night("\n".join(("cast Zel by=Jon", *lines))) as there:
        shown = transcript.of_range(LineView(there.scribe.campaign, 1), voice=voice).running()

    assert [one.text for one in shown.paragraphs() if one.text.startswith("«")] == said
