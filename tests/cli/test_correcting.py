"""Lines that correct an earlier act, as people type them first (findings G2)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.cli.console.script import carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options
from retold.journal.language.tokens import Unreadable
from retold.journal.refused import Refused, Unfinished
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from tests.cli.shell import Shell

PLAYED = """\
cast gm by=Mary
cast Oda
session S
roll Oda 1d20+4 = 3: She swings at the dark.
narrate Oda: It was the left hand.
"""


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in PLAYED.splitlines():
            scribe.say(line)
        yield scribe


def position(scribe: Scribe, kind: str) -> int:
    return next(row.position for row in scribe.campaign.record.rows(scribe.line) if row.kind == kind)


def rolled(scribe: Scribe) -> int:
    """Where Oda rolled."""
    return position(scribe, "table.dice-rolled")


def last_roll(scribe: Scribe) -> str:
    act = next(act for act in scribe.writer.last_acts() if act.events[0].event.kind == "table.dice-rolled")
    return scribe.line_said(act)


HIT = "roll Oda 1d20+4 = 17: She hits it."


@pytest.mark.parametrize(
    "line",
    [
        f"retcon AT --as {HIT}",
        f"retcon AT --as: {HIT}",
        f"retcon AT --as={HIT}",
        f'retcon AT --as "{HIT}"',
        f"retcon AT --as '{HIT}'",
        f"retcon AT --as “{HIT}”",
        f"rt AT --as {HIT}",
        f"retcon --as: {HIT}",
    ],
)
def test_G2_all_behind_as_is_the_new_line(scribe: Scribe, line: str) -> None:
    typed = line.replace("AT", str(rolled(scribe)))
    if line == f"retcon --as: {HIT}":
        with pytest.raises(Refused, match="missing: a moment"):
            scribe.say(typed)
        return
    scribe.say(typed)

    assert scribe.campaign.lines()[scribe.line] == "retcon"
    assert last_roll(scribe) == HIT


def test_G2_flags_colons_and_results_behind_as_belong_to_the_new_line(scribe: Scribe) -> None:
    said = scribe.say(f"retcon {rolled(scribe)} --as roll Oda 1d20+4 --to Oda = 17: Left: or right?").said

    assert last_roll(scribe) == "roll Oda 1d20+4 --to Oda = 17: Left: or right?"
    assert "It can be seen by Oda now." in said


def test_G2_a_quoted_line_is_followed_by_flags_of_the_retcon(scribe: Scribe) -> None:
    at = rolled(scribe)
    scribe.say(f'retcon {at} --as "roll Oda 1d20+4 = 17" --drop: I misread it')

    assert last_roll(scribe) == "roll Oda 1d20+4 = 17"


@pytest.mark.parametrize("flag", ["--drop", "--check", "--ruling no"])
def test_G2_the_flags_of_a_retcon_may_stand_behind_the_new_line(scribe: Scribe, flag: str) -> None:
    at, before = rolled(scribe), list(scribe.campaign.record.everything())
    line = f"retcon {at} --as roll Oda 1d20+4 {flag} = 17"
    if flag == "--ruling no":
        with pytest.raises(Refused, match="Nothing asks for the ruling “no”"):
            scribe.say(line)
        return

    assert scribe.say(line).checked is (flag == "--check")
    assert (list(scribe.campaign.record.everything()) == before) is (flag == "--check")


def test_G2_as_takes_a_text_of_several_lines(scribe: Scribe) -> None:
    at = position(scribe, "table.narrated")
    scribe.say(f"retcon {at} --as narrate Oda:\n    One.\n    Two.")

    told = [one.event for act in scribe.writer.last_acts() for one in act.events]
    assert "One.\nTwo." in [str(getattr(event, "text", "")) for event in told]


def test_G2_retcon_with_drop_alone_takes_the_act_out(scribe: Scribe) -> None:
    at = rolled(scribe)
    outcome = scribe.say(f"retcon {at} --drop")

    assert "Taken out:" in outcome.said[1]
    kinds = [row.kind for row in scribe.campaign.record.rows(scribe.line)]
    assert "table.dice-rolled" not in kinds
    assert kinds.count("table.narrated") == 1


def test_G2_a_retcon_that_says_nothing_new_shows_every_line_to_type(scribe: Scribe) -> None:
    at = rolled(scribe)
    for line in (f"retcon {at}", f"retcon {at}:", f"retcon {at} --as", f"retcon {at} --as:"):
        with pytest.raises(Unfinished) as refused:
            scribe.say(line)
        assert refused.value.sentences[1:] == (
            f'Another line: retcon {at} --as "roll Oda 1d20+4 = 3: She swings at the dark.".',
            f"Other words: retcon {at}: She swings at the dark.",
            f"Away with it: retcon {at} --drop.",
        )
        assert refused.value.edit == f"retcon {at} --as roll Oda 1d20+4 = 3: She swings at the dark."


def test_G2_a_fix_that_says_nothing_new_shows_the_recorded_results(scribe: Scribe) -> None:
    at = rolled(scribe)
    for line in ("fix", f"fix {at}"):
        with pytest.raises(Unfinished) as refused:
            scribe.say(line)
        assert refused.value.sentences[1:] == (f"With other results: fix {at} = 3.",)
        assert refused.value.edit == f"fix {at} = 3"


def test_G2_results_behind_a_colon_are_shown_behind_an_equals_sign(scribe: Scribe) -> None:
    at = rolled(scribe)

    with pytest.raises(Unreadable, match=rf"^What came up is typed behind =: fix {at} = 17\.$"):
        scribe.say(f"fix {at}: 17")


def test_G2_every_line_that_a_refusal_shows_is_taken(scribe: Scribe) -> None:
    at = rolled(scribe)
    for line in (f"retcon {at}", f"fix {at}"):
        with pytest.raises(Unfinished) as refused:
            scribe.say(line)
        for way in refused.value.ways:
            typed = " ".join(way.words) if way.words[2:3] != ("--as",) else way.typed.removesuffix(".")
            typed = typed.replace("= 3", "= 17")
            assert scribe.say(f"{typed.split(' ', 1)[0]} --check {typed.split(' ', 1)[1]}").checked, typed


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("retcon AT = 17", "Other results are a fix: fix AT = 17."),
        (
            "retcon AT roll Oda 1d20+4 = 17",
            'The new line follows --as: retcon AT --as "roll Oda 1d20+4 = 17".',
        ),
        ("retcon AT She hits it", "New words stand behind a colon: retcon AT: She hits it"),
        ("fix AT 17", "Results stand behind an =: fix AT = 17."),
        (
            "fix AT = JH",
            (
                "A d20 has no JH. This would mend AT\N{EN DASH}7"
                " (roll Oda 1d20+4 = 3: She swings at the dark.)."
                " As it is now: fix AT = 3."
            ),
        ),
        (
            "retcon AT --as rlol Oda 1d20",
            (
                "There is no verb rlol. Did you mean roll? As it is now: retcon AT --as"
                ' "roll Oda 1d20+4 = 3: She swings at the dark.".'
            ),
        ),
        (
            "retcon AT --as roll Oda 1d20+4 = 21",
            'A d20 has no 21. As it is now: retcon AT --as "roll Oda 1d20+4 = 3: She swings at the dark.".',
        ),
    ],
)
def test_G2_a_refused_correction_shows_the_line_to_type(scribe: Scribe, typed: str, shown: str) -> None:
    at, before = str(rolled(scribe)), list(scribe.campaign.record.everything())
    with pytest.raises(Refused) as refused:
        scribe.say(typed.replace("AT", at))

    assert refused.value.sentence == shown.replace("AT", at)
    assert list(scribe.campaign.record.everything()) == before


def test_G2_the_same_line_again_is_no_correction(scribe: Scribe) -> None:
    at = rolled(scribe)
    with pytest.raises(Refused, match="These are the results"):
        scribe.say(f"fix {at} = 3")
    with pytest.raises(Refused, match="This is recorded"):
        scribe.say(f"retcon {at} --as roll Oda 1d20+4 = 3: She swings at the dark.")


# --- at the console and in a shell ------------------------------------------------------------------------


@pytest.fixture
def seat(scribe: Scribe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConsoleSession:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    seat = ConsoleSession(scribe, Options())
    seat.keeps_lines = True
    return seat


CIRCLE = (
    ("retcon AT", "retcon AT --as roll Oda 1d20+4 = 3: She swings at the dark."),
    (f"retcon AT --as: {HIT}", None),
    (f"retcon AT --as {HIT}", None),
    (f"retcon AT --as '{HIT}'", None),
    (f'retcon AT --as "{HIT}"', None),
    ("retcon AT --drop", None),
    ("retcon AT --as", "retcon AT --as roll Oda 1d20+4 = 3: She swings at the dark."),
    ("fix AT", "fix AT = 3"),
)
"""What the game master typed when she wanted a hit, and what the next prompt begins with."""


@pytest.mark.parametrize(("typed", "offered"), CIRCLE)
def test_G2_none_of_the_eight_first_lines_is_refused_at_the_console(
    seat: ConsoleSession, typed: str, offered: str | None
) -> None:
    at = str(rolled(seat.scribe))
    left = carry_out(seat, typed.replace("AT", at))

    assert left == (LineResult.DONE, (offered or "").replace("AT", at))
    assert (seat.scribe.line == 1) is (offered is not None)
    if offered is not None:
        assert carry_out(seat, left.rest.replace("= 3", "= 17")) == (LineResult.DONE, "")
        assert "= 17" in last_roll(seat.scribe)


def test_G2_an_unfinished_correction_among_pasted_lines_stops_them(seat: ConsoleSession) -> None:
    pasted = f"retcon {rolled(seat.scribe)}\nnote: After."
    assert carry_out(seat, pasted) == (LineResult.REFUSED, pasted)


def test_G2_a_shell_shows_the_line_in_its_own_quotes_and_takes_it(shell: Shell) -> None:
    shell.play("roll 2d6 = 3 4: It isn't much.\n")
    at = shell.done("log", "-n", "1", "--json").split('"position": ')[1].split(",")[0]
    said = shell.say("retcon", at)

    assert said.code == 1
    assert f"""Another line: retold retcon {at} --as 'roll 2d6 = 3 4: It isn'"'"'t much.'""" in said.err
    shell.done("retcon", at, "--as", "roll", "2d6", "=", "6", "6:", "It", "isn't", "much.")
    assert "2d6 is 12" in shell.done("log", "-n", "1")


def test_G2_a_program_and_a_script_need_no_quotes_either(tmp_path: Path) -> None:
    with retold.new(tmp_path / "y.retold") as campaign:
        campaign.play(f"{PLAYED}retcon 6 --as {HIT}\n")
        campaign.say("retcon retcon@7 --as: roll Oda 1d20+4 = 18: She does.")
        with pytest.raises(Refused, match=r"^Recorded: 10 "):  # the last act
            campaign.say("retcon")
        with pytest.raises(Refused) as refused:
            campaign.say("retcon retcon-2@8")

    assert refused.value.edit == "retcon retcon-2@8 --as roll Oda 1d20+4 = 18: She does."
    assert refused.value.lines == ("retcon retcon-2@8: She does.", "retcon retcon-2@8 --drop")


def test_G2_redacted_words_are_not_offered(scribe: Scribe) -> None:
    at = position(scribe, "table.narrated")
    scribe.say(f"redact {at}")
    with pytest.raises(Refused) as refused:
        scribe.say(f"retcon {at}")

    assert "left hand" not in str(refused.value)
    assert f"Other words: retcon {at}: …" in str(refused.value)
    assert '--as "narrate' in str(refused.value)
    assert "redacted" not in str(refused.value).partition("Another line")[2]
