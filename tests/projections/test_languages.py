"""Languages beside English: a whole evening in each, what each sets otherwise, and what one lacks.

After a change that is meant, write the evenings anew with RETOLD_GOLDEN=write.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from retold.cli.completing import LANGUAGES
from retold.journal.grammar import Gender, PersonName
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import export
from retold.projections.prose import VOICES, in_language
from retold.projections.prose.phrases import Phrases, missing_in, new_sandbox, table, values, variant_in
from retold.projections.prose.phrases import languages as every
from retold.projections.prose.phrases.languages import ENGLISH, Language, codes, language, language_meant
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Tags, Transcript
from retold.projections.story.typography import typeset
from retold.startup import HOME
from tests.projections.played import played

EVENINGS = Path(__file__).parents[1] / "data" / "languages"
OTHERS = [code for code in codes() if code != "en"]


@pytest.fixture(scope="module", params=OTHERS)
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, CampaignStore]]:
    """Code of a language, and an evening that was played in it."""
    folder = tmp_path_factory.mktemp(request.param)
    with played(EVENINGS / f"{request.param}.session", folder) as campaign:
        yield request.param, campaign


def told(campaign: CampaignStore, code: str, voice: str) -> Transcript:
    """The evening, told by a voice in a language."""
    return transcript.of_session(LineView(campaign, 1), 1, voice=in_language(VOICES[voice], language(code)))


@pytest.mark.parametrize("voice", ["report", "prose", "script"])
def test_an_evening_in_its_own_language(evening: tuple[str, CampaignStore], voice: str) -> None:
    code, campaign = evening
    golden = EVENINGS / f"{code}.{voice}.md"
    shown = export("markdown", told(campaign, code, voice), "none")
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(shown)
    assert shown.decode() == golden.read_text("utf-8")


def test_every_page_says_its_language(evening: tuple[str, CampaignStore]) -> None:
    code, campaign = evening
    story = told(campaign, code, "report")
    assert f'<html lang="{code}"' in export("html", story).decode()
    assert json.loads(export("json", story))["lang"] == code
    assert export("pdf", story).startswith(b"%PDF")
    with ZipFile(BytesIO(export("epub", story))) as book:
        pages = [name for name in book.namelist() if name.endswith(".xhtml")]
        assert pages
        assert all(f'xml:lang="{code}"' in book.read(page).decode() for page in pages)
    with ZipFile(BytesIO(export("docx", story))) as document:
        assert f'w:lang w:val="{code}"' in document.read("word/styles.xml").decode()


def test_a_language_has_every_phrase_and_no_other() -> None:
    for code in OTHERS:
        spoken = language(code)
        assert list(missing_in(spoken)) == []
        assert spoken.texts.keys() <= table().keys()
        for variant, texts in spoken.variants.items():
            assert texts.keys() <= {**table(), **table(variant)}.keys()


def test_a_phrase_uses_the_values_of_the_english_one() -> None:
    for code in OTHERS:
        spoken = language(code)
        for texts in (spoken.texts, *spoken.variants.values()):
            for key, text in texts.items():
                new_sandbox("", spoken).template(text, values(key))


def test_completion_offers_every_language() -> None:
    assert codes() == LANGUAGES


def sparse(texts: Mapping[str, str]) -> Language:
    """A language with these phrases alone."""
    return Language("de", "Deutsch", texts=texts)


def test_a_phrase_that_is_missing_is_the_english_one_and_is_listed() -> None:
    spoken = sparse({"table.won": "{{ who }} gewann."})
    phrases = Phrases(language=spoken)

    assert phrases.say("table.won", who="Zel") == "Zel gewann."
    assert phrases.say("table.renamed", who="Zel", name="Mo") == "Zel was called Mo from then on."
    lacking = list(missing_in(spoken))
    assert "table.won" not in lacking
    assert {"table.renamed", "page.cast", "script.names.gm"} <= set(lacking)
    # Phrases without words, such as `“{{ wording }}”`, are complete in every language.
    assert "edgerunner.aspect" not in lacking
    assert "prose.label.deed" not in lacking


def test_a_variant_keeps_what_it_leaves_empty() -> None:
    script = Phrases(lambda: variant_in(language("de"), "script"), language("de"))
    assert script.say("table.declares") == ""
    assert script.say("names.gm") == "SL"
    assert script.say("table.won", who="Zel") == "Zel gewann."


def test_phrases_in_another_process_speak_the_same_language() -> None:
    voice = in_language(VOICES["report"], language("fr"))
    there = pickle.loads(pickle.dumps(voice.phrases))
    free = {"number": 0, "holder": None}
    assert there.say("changed.free", **free) == voice.phrases.say("changed.free", **free)
    assert there.language == language("fr")


@pytest.mark.parametrize(
    ("code", "number", "told"),
    [
        ("en", 1, "1 free invoke"),
        ("en", 0, "0 free invokes"),
        ("de", 1, "1 freier Einsatz"),
        ("de", 2, "2 freie Einsätze"),
        ("fr", 0, "0 invocation gratuite"),
        ("fr", 2, "2 invocations gratuites"),
    ],
)
def test_numbers_have_the_forms_of_their_language(code: str, number: int, told: str) -> None:
    phrases = in_language(VOICES["report"], language(code)).phrases
    assert phrases.say("changed.free", number=number, holder=None) == told


@pytest.mark.parametrize(
    ("code", "key", "who", "said"),
    [
        ("fr", "changed.out-several", ["f", "f"], "Zel et Rusk ont été mises hors de combat."),
        ("fr", "changed.out-several", ["f", "m"], "Zel et Rusk ont été mis hors de combat."),
        ("fr", "changed.out-several", ["f", ""], "Zel et Rusk : hors de combat."),
        ("fr", "end.joined", ["f"], "Zel est entrée dans la distribution."),
        ("fr", "end.joined", ["n"], "Zel : nouveau dans la distribution."),
    ],
)
def test_a_sentence_agrees_with_people_whose_gender_is_known(
    code: str, key: str, who: list[Gender], said: str
) -> None:
    named = [PersonName(name, gender) for name, gender in zip(("Zel", "Rusk"), who, strict=False)]
    phrases = in_language(VOICES["report"], language(code)).phrases

    assert phrases.say(key, who=named[0] if len(named) == 1 else named) == said


@pytest.mark.parametrize(
    ("code", "name", "inside"),
    [
        ("de", "Der Hund", "der Hund"),
        ("de", "Derek", "Derek"),
        ("fr", "L'Ogre", "l'Ogre"),
        ("fr", "La Mer", "la Mer"),
        ("en", "The Hound", "the Hound"),
    ],
)
def test_an_article_has_a_small_letter_inside_a_sentence(code: str, name: str, inside: str) -> None:
    spoken = language(code)

    assert spoken.inside(name) == inside
    assert spoken.capitalised(f"{inside} a") == f"{name} a"


def test_a_speaker_with_an_article_in_an_alias_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "hall.session").write_text(HALL, "utf-8")
    with played(tmp_path / "hall.session", tmp_path) as campaign:
        english = transcript.of_session(LineView(campaign, 1), 1, voice="prose")
        page = export("markdown", english, "none").decode()

    assert "said the Concierge" in page


@pytest.mark.parametrize(
    ("code", "day", "written"),
    [
        ("en", "2026-06-13", "2026-06-13"),
        ("de", "2026-06-13", "13. Juni 2026"),
        ("fr", "2026-06-13", "13 juin 2026"),
        ("fr", "2026-06-01", "1er juin 2026"),
        ("fr", "some day", "some day"),
    ],
)
def test_a_date_is_written_in_one_way(code: str, day: str, written: str) -> None:
    phrases = in_language(VOICES["report"], language(code)).phrases

    assert phrases.date(day) == written
    if code != "en":
        assert phrases.printed_day(day) == written


@pytest.mark.parametrize(
    ("code", "typed", "printed"),
    [
        ("de", "\"Er sagte 'Geh!'\"", "„Er sagte \u201aGeh!\u2018“"),
        ("de", "so--nein", "so \u2013 nein"),
        ("fr", "\"Il m'a dit: 'Va!'\"", "«\u202fIl m\u2019a dit\u00a0: “Va\u202f!”\u202f»"),
        ("fr", "Quoi?! Non; si.", "Quoi\u202f?! Non\u202f; si."),
        ("fr", "Quoi ?", "Quoi\u202f?"),
        ("fr", "[redacted]", "[caviardé]"),
        ("fr", "Tape `a: b ? c; d !`; vite!", "Tape `a: b ? c; d !`; vite\u202f!"),
        ("fr", "à 12:30 :) https://a.example/?b=c", "à 12:30 :) https://a.example/?b=c"),
    ],
)
def test_signs_are_set_as_in_their_language(code: str, typed: str, printed: str) -> None:
    spoken = language(code)
    assert typeset(typed, spoken.quotes, spoken) == printed


def test_setting_a_text_twice_changes_nothing_more() -> None:
    spoken = language("fr")
    once = typeset('"Quoi? Non: si!"', spoken.quotes, spoken)
    assert typeset(once, spoken.quotes, spoken) == once


def test_tags_have_the_comma_of_their_language(evening: tuple[str, CampaignStore]) -> None:
    code, campaign = evening
    tags = {
        paragraph.tags for scene in told(campaign, code, "prose").scenes for paragraph in scene.paragraphs()
    }
    commas = {"de": "always", "fr": "outside"}
    assert {tag.comma for tag in tags if isinstance(tag, Tags)} == {commas[code]}


def test_a_language_is_found_by_code_region_and_name() -> None:
    assert language("de-AT").code == "de"
    assert language("xx").code == "en"
    assert [language_meant(typed).code for typed in ("DE", "deutsch", "Francais", "fr-CA")] == [
        *("de", "de", "fr", "fr")
    ]
    with pytest.raises(Refused, match=r"no phrases in Klingon\. There are: en \(English\), de \(Deutsch\)"):
        language_meant("Klingon")


def test_another_language_says_that_it_needs_babel(monkeypatch: pytest.MonkeyPatch) -> None:
    every._locale.cache_clear()
    monkeypatch.setitem(sys.modules, "babel", None)
    monkeypatch.setattr(sys, "prefix", str(Path(HOME).parent / ".venv"))
    with pytest.raises(Refused, match=r"^Telling in Deutsch needs Babel, .*: python3 run\.py extras\.$"):
        language("de").category(2)
    assert ENGLISH.category(2) == "other"


def test_the_notation_stays_english(evening: tuple[str, CampaignStore]) -> None:
    code, _ = evening
    assert in_language(VOICES["plain"], language(code)) == VOICES["plain"]


HALL = """\
cast Concierge alias="the Concierge": A daemon
cast Ana by=Bo
session One
scene Hall
say Concierge: There is a parcel.
say Ana: Where?
"""
FIGHT = """\
cast Zel bruise by=Jon clubs=4 melee=2
session One
conflict "Out" bruise Zel vs Legionnaires
declare Zel: I run.
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
draw Legionnaires 4 = 9D 8S 5C 2H
"""


@pytest.mark.parametrize("voice", ["report", "script"])
def test_the_game_master_has_an_english_name_in_the_notation(voice: str, tmp_path: Path) -> None:
    (tmp_path / "fight.session").write_text(FIGHT, "utf-8")
    with played(tmp_path / "fight.session", tmp_path) as campaign:
        scenes = told(campaign, "de", voice).scenes
    told_by = [paragraph for scene in scenes for paragraph in scene.paragraphs()]
    mechanics = [mechanic.text for paragraph in told_by for mechanic in paragraph.mechanics]

    assert any("from the game master's deck" in text for text in mechanics)
