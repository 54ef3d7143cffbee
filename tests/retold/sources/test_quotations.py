"""Quotations in logs: the words of whoever wrote them first, and nobody else's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from retold.sources import Unit, read
from retold.sources.quotations import Quotations
from retold.sources.unit import Reason, Sort
from tests.retold.importing.given import unit

ABOVE = "The cart stops at the old mill."


def answered(text: str, above: str = ABOVE) -> Unit:
    """The unit of an answer below another message."""
    quotations = Quotations()
    quotations.of(unit("u1", "Lena", above))
    return quotations.of(unit("u2", "Ole", text))


@pytest.mark.parametrize(
    "quote",
    [
        "> The cart stops at the old mill.\n",
        "> The cart stops\n\n",
        "[quote=Lena]The cart stops[/quote] ",
        '[quote="Lena, post: 4, member: 5"]Any words.[/quote]\n',
        "Lena said:\n\nThe cart stops at the old mill.\n\nClick to expand...\n\n",
        "Lena wrote: ↑Tue Mar 07, 2023 8:02 pm\nAny words.\nAnd more.\n\n",
        "Lena wrote:\nThe cart stops at the old mill.\n\n",
        'Replying to "The cart stops at the o..."\n\n',
        "**[Lena](https://discord.com/channels/1/2/3)** <:reply:9> The cart stops\n",
        "> The cart stops - <@5001>\n",
    ],
)
def test_a_quotation_is_no_speech_of_the_one_who_answers(quote: str) -> None:
    found = answered(f"{quote}I look under it.")

    assert (found.text, found.passed) == ("I look under it.", (Reason.REPEAT,))
    assert found.whole == f"{quote}I look under it."


@pytest.mark.parametrize(
    "text",
    [
        "> A verse that nobody said.\nAnd so on.",
        "> The cart stops at the old mill.",
        "The cart stops at the old mill.\n\nAgain.",
        'Lena said:\n"Go."\n\nThen she left.',
        "[a map] of the mill\nand its yard",
        "**Lena** I was not there.\nWho was?",
        "I was not there.\n@Lena\nWho was?",
    ],
)
def test_words_of_ones_own_stay(text: str) -> None:
    assert answered(text).text == text


def test_what_is_behind_a_quotation_has_its_own_kind() -> None:
    assert answered("> The cart stops\n*kneels*").sort is Sort.TOLD


@pytest.mark.parametrize(
    "answer", [f"> {ABOVE}\nOh.", f"Oh.\n@Lena\n{ABOVE}", f"**Lena** {ABOVE}\nOh.", f"> {ABOVE} - @Lena\nOh."]
)
def test_what_is_hidden_is_quoted_by_nobody(answer: str) -> None:
    quotations = Quotations()
    quotations.of(replace(unit("u1", "Lena", ABOVE), hidden=True))

    assert quotations.of(unit("u2", "Ole", answer)).text == answer


@pytest.mark.parametrize(
    "reply",
    ["@Lena\n", "Ole replied to Lena\n", "Ole replied to Lena\nLena\n", "Ole replied to Lena\n@Lena\n"],
)
@pytest.mark.parametrize("above", ["I look under it.", "The cart"])
def test_the_line_above_a_copied_answer_is_no_speech_of_who_spoke_before(reply: str, above: str) -> None:
    assert answered(f"I look under it.\n{reply}{above}", "The cart stops.").text == "I look under it."


def test_long_runs_of_signs_are_read_in_a_moment() -> None:
    for sign in (">", "> a\n", "[quote]", "a said:\n", "a\n\n"):
        text = sign * (100_000 // len(sign))
        assert answered(text).text == text or len(answered(text).text) < len(text)


FORUM = """\
Ravenholt
Active Member
Mar 4, 2023
#41
Orla pushes the door open with her foot.

"Anyone home?"

Thistledown
Well-Known Member

    Mar 5, 2023

    Add bookmark
    #42

Ravenholt said:
"Anyone home?"
Click to expand...
Fen keeps behind her.
Reactions: Ravenholt
"""


TITLES = [
    "{0}\n\nMember\n",
    "{0}\n\nKeeper of bees\n\n",
    "{0}\n\nGame Master\n\nStaff member\n\n",
    "{0}\nMember\n",
]


@pytest.mark.parametrize("titles", TITLES)
def test_a_title_in_a_paragraph_of_its_own_is_no_writer_of_a_post(tmp_path: Path, titles: str) -> None:
    posts = [("Ravenholt", "A short line"), ("Thistledown", "Another one"), ("Ravenholt", "The last.")]
    (tmp_path / "thread.txt").write_text(
        "\n".join(
            f"{titles.format(who)}Mar 4, 2023\n\n#{number}\n{words}\n"
            for number, (who, words) in enumerate(posts, 1)
        ),
        "utf-8",
    )

    assert [(one.speaker, one.text) for one in read(tmp_path / "thread.txt")] == posts


def test_posts_of_a_forum_have_their_writers_and_days(tmp_path: Path) -> None:
    (tmp_path / "thread.txt").write_text(FORUM, "utf-8")

    first, second = read(tmp_path / "thread.txt")

    assert (first.speaker, first.text.partition("\n")[0]) == (
        "Ravenholt",
        "Orla pushes the door open with her foot.",
    )
    assert (second.speaker, second.text) == ("Thistledown", "Fen keeps behind her.")
    assert [one.when.time.isoformat()[:10] for one in (first, second) if one.when] == [
        "2023-03-04",
        "2023-03-05",
    ]
