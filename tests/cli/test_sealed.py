"""What is sealed or for some eyes only stays so in everything that is shown, until it is revealed."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.events.kinds import EVENTS
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.projections import plain
from retold.projections.exports import EXPORTS
from retold.projections.plain.ink import RULED_FOR, RULED_PEOPLE
from retold.projections.prose import VOICES
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from tests.cli.shell import Shell
from tests.cli.test_dump_script import assert_says_the_same_again, told

TEXTS = tuple(name for name, form in EXPORTS.items() if form.is_text)
"""The formats that can be read as they are; the others are read by `tests/test_leaks.py`."""

PIKE = 8
"""Whoever comes after Zel, Jon, Captain Thoss, the guards, Mary, Runa and Ana."""
THOUGHT = "under cover of the reeds"
SECRET = "The miller is her father."

FORD = f"""\
cast gm by=Mary
cast Runa whiskey by=Ana combat=10 base=4 die=1 hp=12
cast Pike whiskey by=Ben combat=10 base=4 die=1 hp=12
conflict "The ford" whiskey Runa vs Pike
declare Runa engage Pike --sealed: {THOUGHT}
declare Pike guard --sealed
"""


@pytest.fixture
def ford(shell: Shell) -> Shell:
    """An evening in which two have sealed what they will try."""
    shell.play(FORD)
    return shell


def everything_shown(shell: Shell) -> Iterator[tuple[str, str]]:
    """All that this command line shows of a campaign to anybody, but for the record itself."""
    asked = ["log -n 0", "log -n 0 --json", "log -n 0 --all", "show", "show --json"]
    asked += ["diff 1 @", "undo 2 --check"]
    viewers = ("gm", "table", "Ana", "Ben")
    for eyes in viewers:
        asked += [f"replay {how} --for {eyes}" for how in ("", "--json", "--state")]
        asked += [f"show {view} --json --for {eyes}" for view in VIEWS]
    for number, voice in enumerate(VOICES):  # any two of voice, format and viewer meet
        for place, form in enumerate(TEXTS):
            eyes = viewers[(number + place) % len(viewers)]
            asked.append(f"export --voice {voice} -f {form} --for {eyes}")
    for words in asked:
        yield words, shell.done(*words.split())


def test_before_the_reveal_nothing_that_is_shown_says_what_is_sealed(ford: Shell) -> None:
    shown = dict(everything_shown(ford))

    assert len(shown) > 60
    for what, said in shown.items():
        assert "reeds" not in said, what
        assert "engages Pike" not in said, what
        assert "guards" not in said, what
    assert "Runa seals an intent" in shown["log -n 0"]
    assert "\tRuna\tsealed\t" in ford.done("show", "clashes")
    assert "phase 1 · reveal" in shown["show"]


def test_after_the_reveal_every_viewer_sees_the_intent(ford: Shell) -> None:
    ford.done("reveal")

    for eyes in ("gm", "table", "Ana", "Ben"):
        assert f"**Runa engages Pike:** {THOUGHT}" in ford.done("export", "--for", eyes)
    assert f"Runa engages Pike: “{THOUGHT}”" in ford.done("log")
    assert "Pike guards the ground" in ford.done("log")


def test_G16_the_log_as_json_shows_the_commitment_and_the_dump_what_opens_it(ford: Shell) -> None:
    rows = [json.loads(line) for line in ford.bytes().splitlines()]
    (row, *_) = [one for one in rows if one.get("kind") == "whiskey.intent-sealed"]
    ((salt, text),) = row["words"]

    commitment = hashlib.sha256(b"retold/words/1" + base64.urlsafe_b64decode(salt + "==") + text.encode())
    encoded = base64.urlsafe_b64encode(commitment.digest()).decode().rstrip("=")
    assert text == f"engage {PIKE}: {THOUGHT}"
    assert f"Runa seals an intent (conflict 2) [{encoded}]" in ford.done("log", "--json")
    assert "Runa seals an intent (conflict 2)\n" in ford.done("log")


def test_the_record_has_it_and_a_script_says_it_again(ford: Shell) -> None:
    ford.play("declare Pike stand --sealed: I wait\nreveal: They look up.\nclash\n")

    script = ford.done("dump", "--script")
    assert f"declare Runa engage Pike --sealed: {THOUGHT}\n" in script
    assert (
        "declare Pike guard --sealed\ndeclare Pike stand --sealed: I wait\nreveal: They look up.\n" in script
    )
    with CampaignStore.open(ford.folder / "evening.retold") as campaign:
        assert_says_the_same_again(campaign)


def test_a_script_with_what_is_still_sealed_seals_it_again(ford: Shell) -> None:
    with CampaignStore.open(ford.folder / "evening.retold") as campaign:
        assert_says_the_same_again(campaign)
        assert told(campaign)[-1].payload == {"conflict": 2, "who": PIKE}


def test_what_is_taken_back_stays_sealed(ford: Shell) -> None:
    said = ford.say("undo", "2")

    assert "(declare Runa --sealed); " in said.out
    assert "reeds" not in said.out + said.err
    assert "reeds" not in ford.done("log", "--all", "-n", "0")


def test_as_json_an_act_says_its_public_face(ford: Shell) -> None:
    said = json.loads(ford.done("--json", "declare", "Pike", "stand", "--sealed"))

    assert said["events"] == [{"kind": "whiskey.intent-sealed", "conflict": 2, "who": PIKE}]


def test_a_table_that_always_seals_need_not_say_so(shell: Shell) -> None:
    lines = FORD.replace(" --sealed", "").splitlines()
    shell.play("\n".join([*lines[:3], "option whiskey.declaration=sealed", *lines[3:]]) + "\n")

    assert all("reeds" not in said for _, said in everything_shown(shell))
    assert f"declare Runa engage Pike --sealed: {THOUGHT}\n" in shell.done("dump", "--script")


def test_an_intent_is_not_sealed_for_some_eyes_only(ford: Shell) -> None:
    for line in ("declare Pike stand --sealed --gm", "reveal --to Ana"):
        verb = line.split()[0]
        assert ford.refused(*line.split()) == (
            f"{verb} changes what all can see, so it cannot be for some eyes only."
        )


# --- for some eyes only -----------------------------------------------------------------------------------


@pytest.fixture
def mill(shell: Shell) -> Shell:
    """An evening with a note for the game master only, which has a mark."""
    shell.play(f"cast Ana\ncast Ben\nnote --gm: {SECRET}\nmark the-letter --at @\n")
    return shell


def told_to(shell: Shell) -> dict[str, bool]:
    return {eyes: SECRET in shell.done("export", "--for", eyes) for eyes in ("gm", "table", "Ana", "Ben")}


def test_a_reveal_names_its_moment_and_those_it_is_for(mill: Shell) -> None:
    assert told_to(mill) == {"gm": True, "table": False, "Ana": False, "Ben": False}

    mill.done("reveal", "the-letter", "--to", "Ana:", "She finds it under the clock.")
    assert told_to(mill) == {"gm": True, "table": False, "Ana": True, "Ben": False}
    assert "under the clock" not in mill.done("export", "--for", "Ben")
    assert f"**Note:** {SECRET}" in mill.done("export", "--for", "Ana")

    mill.done("reveal", "the-letter")
    assert told_to(mill) == {"gm": True, "table": True, "Ana": True, "Ben": True}
    assert f"**Note (known to some before):** {SECRET}" in mill.done("export", "--for", "Ben")


def test_a_player_is_not_told_of_a_reveal_to_another(mill: Shell) -> None:
    before = mill.done("replay", "--for", "Ben")
    mill.done("reveal", "the-letter", "--to", "Ana")

    assert mill.done("replay", "--for", "Ben") == before
    assert "Ana knows now: note: “The miller is her father.”" in mill.done("replay", "--for", "Ana")


def test_as_it_was_known_before_the_reveal_it_is_hidden(mill: Shell) -> None:
    mill.done("mark", "so-far")
    mill.done("reveal", "the-letter")

    assert SECRET in mill.done("export", "--for", "Ana")
    assert SECRET not in mill.done("export", "--for", "Ana", "--as-of", "so-far")


def test_a_reveal_cannot_be_undone_and_no_undo_is_suggested(mill: Shell) -> None:
    assert mill.say("reveal", "the-letter").err.endswith("This cannot be undone.\n")
    assert mill.refused("undo") == (
        "A reveal cannot be taken back: it has been seen. What came before is for retcon."
    )


def test_checked_it_records_nothing(mill: Shell) -> None:
    before = mill.bytes()

    assert "#" in mill.done("reveal", "the-letter", "--to", "Ana", "--check")
    assert mill.bytes() == before


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "reveal",
            "Nothing is sealed here. To show something hidden, name its moment: reveal MOMENT.",
        ),
        ("reveal the-letter --gm", "The game master knows it: reveal it to all, or --to NAMES."),
        ("reveal 2", "Nothing is hidden at 2: all may see it."),
        ("reveal 999", "Moment 999 has not come yet: the line ends at 30."),
    ],
)
def test_unrevealable_moments_are_refused(mill: Shell, line: str, sentence: str) -> None:
    assert mill.refused(*line.split()) == sentence


def test_a_script_reveals_it_again(mill: Shell) -> None:
    mill.play("reveal the-letter --to Ana: She finds it.\nrv the-letter\n")

    script = mill.done("dump", "--script")
    assert "\nreveal 29 --to Ana: She finds it.\nreveal 29" in script
    with CampaignStore.open(mill.folder / "evening.retold") as campaign:
        assert_says_the_same_again(campaign)


# --- what the notation keeps to itself --------------------------------------------------------------------


def test_the_notation_knows_sealed_kinds_and_rulings_that_name_people() -> None:
    assert {kind for kind, event in EVENTS.items() if event.public} == set(filter(plain.sealed, EVENTS))
    assert frozenset(what for system in SYSTEMS.values() for what in system.ruled_people) == RULED_PEOPLE
    setup = (pair for system in SYSTEMS.values() for pair in system.setup_keys.items())
    assert frozenset(key for key, form in setup if ":NAME" in form) == RULED_FOR


def test_a_guard_ruling_stores_its_target_by_id(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "guard.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in (
            'conflict whiskey "Captain Thoss"+Dov vs Bar',
            "declare Bar guard",
            "ruling Bar.ENGAGE=thoss: The stairs are wide.",
            "cast Captain-Thoss name=Ines",
        ):
            scribe.say(line)
        with pytest.raises(Refused, match="There is no “Somebody” here"):
            scribe.say("ruling Bar.engage=Somebody: Why.")
        (row,) = campaign.record.rows(1, 0, None, ("table.ruling-made",))
        assert "Thoss" not in row.body + str(row.words)
        assert '{"op":"=","person":3,"value":1,"what":"engage"}' in row.body
        assert_says_the_same_again(campaign)


def test_the_log_names_the_target_of_a_guard_ruling(shell: Shell) -> None:
    shell.play("conflict whiskey Captain-Thoss+Dov vs Bar\ndeclare Bar guard\nruling Bar.engage=Thoss: So.\n")

    assert "ruling Bar.engage = Captain Thoss: “So.”" in shell.done("log")
    assert 'ruling Bar.engage="Captain Thoss": So.' in shell.done("dump", "--script")


def test_a_balance_ruling_names_the_favoured_fighter_after_a_retcon(shell: Shell) -> None:
    shell.play(
        'cast "Old Hob"\n'
        "conflict spacetime Reeve vs Ada\n"
        "ruling balance=overwhelming:Ada: She holds the bridge.\n"
    )
    ruled = "ruling balance = overwhelming:Ada: “She holds the bridge.”"
    assert ruled in shell.done("log")

    hob = next(line for line in shell.done("log").splitlines() if "Old Hob" in line).split()[0]
    shell.done("retcon", hob, "--as", "scene The bridge: One less, so Ada has another number.")

    told = shell.done("log")
    assert "Old Hob" not in told
    assert ruled in told
    assert shell.done("expect", "balance", "overwhelming", "Ada")
