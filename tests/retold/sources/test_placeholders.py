"""What chats write themselves in place of words: placeholders, sentences, edited marks and polls."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.sources import Hints, Unit, read
from retold.sources.discord.messages import attachment
from retold.sources.encodings import unknown_user
from retold.sources.placeholders import OWN, without_placeholders
from retold.sources.unit import Place, Reason, Sort


def phone(tmp_path: Path, *lines: str) -> list[Unit]:
    """Units of a phone's chat with these lines."""
    rows = [f"[01/03/2026, 19:{40 + number}:10] {line}" for number, line in enumerate(lines)]
    (tmp_path / "chat.txt").write_text("\n".join(rows), "utf-8")
    return list(read(tmp_path / "chat.txt"))


def said(text: str) -> Unit:
    return without_placeholders(Unit(Place(1, 1), "1", Sort.SAID, text, speaker="Ada"))


def test_B5_a_phones_own_sentences_are_no_speech(tmp_path: Path) -> None:
    found = phone(
        tmp_path,
        "Mary: The letter says:\nDear Jon,\ncome alone.\nZ.",
        "Jon: <Media omitted>",
        f"Jon: {OWN}image omitted",
        "Jon: This message was deleted",
        "Ada: You deleted this message.",
        "Ada: https://example.org/x",
        "Ada: POLL:\nDo we go in?\nOPTION: Yes (2 votes)\nOPTION: No (1 vote)",
        "Ada: Missed voice call",
        f"Ada: {OWN}Ada added +44 7000 000000",
        f"Ada: Again? {OWN}<This message was edited>",
    )

    assert [(unit.left_out, unit.sort, unit.text) for unit in found if unit.is_read] == [
        (None, Sort.SAID, "The letter says:\nDear Jon,\ncome alone.\nZ."),
        (None, Sort.ASIDE, "https://example.org/x"),
        (None, Sort.ASIDE, "Do we go in?\n- Yes (2 votes)\n- No (1 vote)"),
        (None, Sort.SAID, "Again?"),
    ]
    assert [unit.left_out for unit in found if not unit.is_read] == [
        *[Reason.MEDIA] * 2,
        *[Reason.NOTICE] * 4,
    ]
    assert found[-1].edited


@pytest.mark.parametrize(
    "words",
    [
        "<Medien ausgeschlossen>",
        "<Multimedia omitido>",
        "‎imagen omitida",
        "<Médias omis>",
        "<Media omessi>",
        "<Mídia oculta>",
        "<Без медиафайлов>",
        "<メディアは含まれていません>",
        "[Photo]",
        "[ Voice message ]",
        "[スタンプ]",
        "[图片]",
        "Sprachnachricht weggelassen",
    ],
)
def test_B5_a_thing_that_the_export_leaves_out_is_counted_as_media(words: str) -> None:
    assert said(words).left_out is Reason.MEDIA


@pytest.mark.parametrize(
    "words",
    [
        "Diese Nachricht wurde gelöscht.",
        "Se eliminó este mensaje",
        "Ce message a été supprimé",
        "Пропущенный аудиозвонок",
        "Verpasster Sprachanruf",
        "Ada joined using this group\u2019s invite link",
        "Ada added +49 170 0000000",
        "Ada hat die Gruppe erstellt.",
        "Roll to see more.",  # T14
        f"{OWN}Whatever it says in a language of no table",
        f"{OWN}Voice call, {OWN}12 min",
    ],
)
def test_B5_sentences_of_the_chat_are_notices_in_every_language(words: str) -> None:
    assert said(words).left_out is Reason.NOTICE


@pytest.mark.parametrize(
    ("words", "text", "attached"),
    [
        (f"{OWN}<attached: 00000012-MAP.jpg>", "", ("[picture: 00000012-MAP.jpg]",)),
        (f"{OWN}<Anhang: 00000013-AUDIO.opus>", "", ("[voice: 00000013-AUDIO.opus]",)),
        ("map.pdf (file attached)\nThe harbour.", "The harbour.", ("[file: map.pdf]",)),
        (f"The harbour. {OWN}<attached: map.png>", "The harbour.", ("[picture: map.png]",)),
        (f"{OWN}<attached: map.png>\nThe harbour.", "The harbour.", ("[picture: map.png]",)),
    ],
)
def test_B5_a_file_beside_the_words_is_named(words: str, text: str, attached: tuple[str, ...]) -> None:
    found = said(words)

    assert (found.is_read, found.text, found.attached) == (True, text, attached)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((f"a.{ending}", "picture") for ending in ("png", "JPG", "heic", "bmp", "svg", "avif")),
        *((f"a.{ending}", "voice") for ending in ("opus", "m4a")),
        *((f"a.{ending}", "file") for ending in ("pdf", "mp3", "zip")),
    ],
)
def test_every_chat_has_the_same_kinds_of_files(name: str, kind: str) -> None:
    assert said(f"{name} (file attached)").attached == (f"[{kind}: {name}]",)
    assert attachment(f"chat_Files/{name}?ex=1") == f"[{kind}: {name}]"


@pytest.mark.parametrize(
    "words",
    [
        "Again? <This message was edited>",
        f"Encore ? {OWN}<Message inconnu>",
        "Da. <Mensagem editada>",
        "Ещё? <Сообщение изменено>",
    ],
)
def test_B5_an_edited_mark_is_no_part_of_the_words(words: str) -> None:
    found = said(words)

    assert (found.text, found.edited) == (words.replace(OWN, "").partition("<")[0].strip(), True)


def test_B5_a_poll_of_a_phone_with_its_own_sign_is_one_unit() -> None:
    found = said(f"{OWN}ENCUESTA:\n¿Entramos?\n{OWN}OPCIÓN: Sí (2 votos)\n{OWN}OPCIÓN: No (1 voto)")

    assert (found.sort, found.text) == (Sort.ASIDE, "¿Entramos?\n- Sí (2 votos)\n- No (1 voto)")


@pytest.mark.parametrize(
    "words",
    [
        "The image omitted the keeper.",
        "This message was deleted by the Warden, I think.",
        "Ada left the room.",
        "<smiles>",
        "[looks up]",
        f"שלום {OWN}Zel{OWN} said so",
        "I missed your voice, call me.",
        "Poll the crew!",
        "Missed voice call\nthat is all I saw on it",
    ],
)
def test_B5_words_like_them_are_somebodys(words: str) -> None:
    found = said(words)

    assert found == Unit(Place(1, 1), "1", Sort.SAID, words, speaker="Ada")


@pytest.mark.parametrize(
    "words", ["Null.", "Voice call", "Video call.", "사진", "location", "Photo", "Ada added 12345678 coins"]
)
def test_bare_words_are_somebodys(words: str) -> None:
    assert said(words).left_out is None


@pytest.mark.parametrize("words", ["사진", "이모티콘", f"{OWN}사진", "[사진]", "[ Photo ]"])
def test_a_word_for_a_picture_in_a_chat_that_writes_it_bare_is_media(tmp_path: Path, words: str) -> None:
    file = tmp_path / "chat.txt"
    file.write_text(f"[Ada] [오후 7:42] {words}\n[Bo] [오후 7:43] A photo, then.\n", "utf-8")

    assert [unit.left_out for unit in read(file)] == [Reason.MEDIA, None]


@pytest.mark.parametrize(
    "words", ["Null.", "[voice]", "[location]", "<Media omitted>", "This message was deleted", "[Photo]"]
)
@pytest.mark.parametrize("line", ["[19:42] <Ada> {}", "Ada: {}"])
def test_words_in_logs_of_no_phone_are_somebodys(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "chat.txt").write_text("\n".join(map(line.format, [words, "Aye.", "Aye."])), "utf-8")

    found, *_ = read(tmp_path / "chat.txt", format="plain")

    assert (found.speaker, found.text, found.left_out) == ("Ada", words, None)


def test_words_in_a_table_are_somebodys(tmp_path: Path) -> None:
    (tmp_path / "chat.csv").write_text("name,words\nAda,Null.\nAda,[voice]\n", "utf-8")

    assert [unit.text for unit in read(tmp_path / "chat.csv", format="table")] == ["Null.", "[voice]"]


def test_a_message_of_many_placeholders_is_read_to_its_end() -> None:
    found = said(f"{OWN}image omitted\n" * 20_000 + "The harbour.")

    assert (found.text, found.passed) == ("The harbour.", (Reason.MEDIA,) * 20_000)


OWN_LINES = {
    f"{OWN}image omitted": Unit(Place(1, 1), "1", Sort.SAID, passed=(Reason.MEDIA,)),
    "<Media omitted>": Unit(Place(1, 1), "1", Sort.SAID, passed=(Reason.MEDIA,)),
    f"{OWN}Whatever it says": Unit(Place(1, 1), "1", Sort.SAID, passed=(Reason.NOTICE,)),
    f"{OWN}<attached: map.png>": Unit(Place(1, 1), "1", Sort.SAID, attached=("[picture: map.png]",)),
    "a.jpg (file attached)": Unit(Place(1, 1), "1", Sort.SAID, attached=("[picture: a.jpg]",)),
    "<This message was edited>": Unit(Place(1, 1), "1", Sort.SAID, edited=True),
}


@given(
    st.lists(st.sampled_from(list(OWN_LINES))),
    st.lists(st.sampled_from(["Aye.", "<smiles>", "[looks up]", "null"]), min_size=1).map("\n".join),
)
def test_what_is_taken_out_is_named_and_all_else_is_kept(own: list[str], words: str) -> None:
    found = said("\n".join([*own, words]))

    named = [OWN_LINES[line] for line in own]
    assert found == Unit(
        Place(1, 1),
        "1",
        Sort.SAID,
        words,
        speaker="Ada",
        attached=tuple(file for one in named for file in one.attached),
        passed=tuple(reason for one in named for reason in one.passed),
        edited=any(one.edited for one in named),
    )


SIGNS = st.lists(
    st.sampled_from([OWN, "<", ">", "[", "]", "\n", "(file attached)", "a.jpg", "Ada added", "x"])
)


@given(SIGNS.map(" ".join))
def test_without_a_reason_every_word_is_there(words: str) -> None:
    found = said(words)

    kept = Counter(re.findall(r"[\w.]+", " ".join((found.text, *found.attached))))
    missing = Counter(re.findall(r"[\w.]+", words)) - kept
    is_named = bool(found.passed or found.left_out or found.edited)
    assert is_named or missing == Counter(["file", "attached"] * len(found.attached))


def test_a_telephone_number_is_no_name_unless_the_answers_have_it(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text(
        "[01/03/2026, 19:42:10] \u202a+44\u00a07700\u00a0900000\u202c: Who goes?\n"
        "[01/03/2026, 19:43:10] Mary: I do.\n[13/03/2026, 19:44:10] Mary: Again.\n",
        "utf-8",
    )
    number = "+44\u00a07700\u00a0900000"

    first, *_ = read(tmp_path / "chat.txt")
    named, *_ = read(tmp_path / "chat.txt", hints=Hints(names=frozenset({number})))

    assert (first.speaker, named.speaker) == (unknown_user(number), number)
