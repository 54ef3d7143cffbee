from __future__ import annotations

import pytest

from retold.journal.language.lexing import lex
from retold.journal.language.script_lines import ScriptLine, ScriptWarning, Unplayable, read_script


def read(script: str | bytes) -> list[ScriptLine]:
    data = script if isinstance(script, bytes) else script.encode()
    return list(read_script(data, "night.session"))


def refused(script: str | bytes) -> str:
    with pytest.raises(Unplayable) as caught:
        read(script)
    return str(caught.value)


def test_commands_with_their_numbers_blanks_and_comments_left_out() -> None:
    script = "# a night\n\nscene Porch\n  \nsay Zel: Hello,\n  you.\n#412\nend"

    assert read(script) == [
        ScriptLine(3, "scene Porch"),
        ScriptLine(5, "say Zel: Hello,", ("  you.",)),
        ScriptLine(8, "end"),
    ]


def test_the_source_is_what_lex_takes() -> None:
    (line,) = read("narrate Zel:\n  One.\n  .\n  Two.\n")

    assert lex(line.source).text == "One.\n\nTwo."


def test_line_ends_and_a_byte_order_mark() -> None:
    assert read(b"\xef\xbb\xbfend\r\nsay Zel: a\r\n  b\r\n") == [
        ScriptLine(1, "end"),
        ScriptLine(2, "say Zel: a", ("  b",)),
    ]
    assert read(b"") == []


def test_a_byte_that_is_not_utf_8() -> None:
    assert refused(b"end\nsay Zel: \xc3\xa9\xff\n") == (
        "night.session:2: Byte 0xFF in column 11 is not UTF-8: save the script as UTF-8."
    )


def test_a_control_character() -> None:
    assert refused("end\nsay Zel: a\x07") == (
        "night.session:2: A control character (U+0007) stands here: take it out."
    )
    assert refused("say Zel: a\rend").startswith("night.session:1: ")


@pytest.mark.parametrize(
    "script",
    [
        "draw Zel\n  end",
        "say Zel: a\n\n  b",
        "say Zel: a\n# note\n  b",
        "  end",
        'scene "a: b"\n  c',
        "scene Porch\n  # no comment",
    ],
)
def test_an_indented_line_where_no_text_goes_on(script: str) -> None:
    assert "begin at the margin" in refused(script)


def test_the_commands_before_a_fault_have_been_given() -> None:
    lines = read_script(b"scene Porch\nend\n\xff", "x")

    assert next(lines).line == "scene Porch"
    assert next(lines).line == "end"
    with pytest.raises(Unplayable):
        next(lines)


def test_a_line_that_cannot_be_read_keeps_what_is_below_so_that_its_own_fault_is_told() -> None:
    assert read('say "Zel: a\n  b') == [ScriptLine(1, 'say "Zel: a', ("  b",))]


def test_a_text_line_that_reads_as_a_command_is_warned_about() -> None:
    script = b"say Zel: a\n  draw Zel 4\n  drawn in\n  see how he runs\n"

    (line,) = read_script(script, "x", verbs={"draw", "say"})

    assert line.warnings == (
        ScriptWarning(2, "This line is text, because it is indented; if draw is meant, begin at the margin."),
    )


def test_a_line_that_is_likely_text_and_not_indented_is_refused_with_the_line_it_belongs_to() -> None:
    script = b"end\nnarrate Zel:\nShe says nothing.\n"
    commands: list[ScriptLine] = []

    with pytest.raises(Unplayable) as caught:
        commands.extend(read_script(script, "night.session", ("narrate", "end")))

    assert str(caught.value) == (
        "night.session:3: Indent this line if it is text of the line above: it begins with no verb."
    )
    assert [one.line for one in read_script(b"narrate Zel:\nend\n", "", ("narrate", "end"))] == [
        "narrate Zel:",
        "end",
    ]


def test_S17_a_long_text_is_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(
        number: int, line: str, texts: tuple[str, ...], warnings: tuple[ScriptWarning, ...]
    ) -> ScriptLine:
        made.append(len(texts))
        return ScriptLine(number, line, texts, warnings)

    monkeypatch.setattr("retold.journal.language.script_lines.ScriptLine", counted)
    script = "note: x\n" + "    more of it\n" * 100

    (whole,) = read_script(script.encode(), "long.session")

    assert made == [100, 100]  # for the line at the margin after it, and as what was read
    assert whole.text_lines == ("    more of it",) * 100
