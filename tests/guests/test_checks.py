"""A guest is checked where it is loaded and told; a mistake is one sentence, and the table plays on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guests.evenings import FIRST
from tests.guests.installed import COUNTERPOINT, ROOT, all_said, changed, recorded, said

COMMANDS = "retold_counterpoint/commands.py"
EVENTS = "retold_counterpoint/events.py"
NOTATION = "retold_counterpoint/notation.py"
PHRASES = "retold_counterpoint/phrases.toml"

NOT_PLAYED = "retold-counterpoint 1.0 {}: its game counterpoint is not played."
FACE = "    public: ClassVar[frozenset[str]] = frozenset({})\n    choice: Words"
MISTAKES = {
    "a kind without a handler": (
        [(EVENTS, "    Invoked: no_change,\n", "")],
        "has no handler for counterpoint.invoked (evolve)",
    ),
    "a field that is none": (
        [(EVENTS, "    choice: Words", FACE.format('{"whom"}'))],
        "shows a field whom of counterpoint.choice-sealed (public), which is not a field of it",
    ),
    "sealed choices that would be shown": (
        [(EVENTS, "    choice: Words", FACE.format(""))],
        "seals choices (--sealed), and none of its kinds says what may be shown of them (public)",
    ),
    "a verb that nothing decides": (
        [(COMMANDS, "    Sing: sing,\n", "")],
        "has a verb sing, which it does not decide",
    ),
    "a decision of no verb": (
        [(COMMANDS, "COMMANDS = (Declare, Sing, Invoke, Encore)", "COMMANDS = (Declare, Sing, Invoke)")],
        "decides Encore, which is not among its commands",
    ),
}


@pytest.mark.parametrize(("changes", "why"), MISTAKES.values(), ids=MISTAKES)
def test_G12_a_guest_that_misfits_is_not_played_and_says_why(
    changes: list[tuple[str, str, str]], why: str, counterpoint: Path, tmp_path: Path
) -> None:
    site = changed(counterpoint, tmp_path / "site", changes)

    (listed,) = all_said(tmp_path, site, [("systems",)])

    assert " ".join(listed.err.split()) == NOT_PLAYED.format(why)


OPENED = "    events.ConflictOpened: _opened,\n"


def test_G11_a_handler_that_is_never_called_is_a_sentence(counterpoint: Path, tmp_path: Path) -> None:
    ended = [(EVENTS, OPENED, f"{OPENED}    events.ConflictEnded: no_change,\n")]

    (listed,) = all_said(tmp_path, changed(counterpoint, tmp_path / "site", ended), [("systems",)])

    assert " ".join(listed.err.split()) == NOT_PLAYED.format(
        "handles ConflictEnded (evolve), which never reaches it, since the state of an ended conflict"
        " is gone; return events from close instead"
    )


def test_G11_nor_is_one_of_an_event_that_no_game_hears(counterpoint: Path, tmp_path: Path) -> None:
    marked = [(EVENTS, OPENED, f"{OPENED}    events.Marked: no_change,\n")]

    (listed,) = all_said(tmp_path, changed(counterpoint, tmp_path / "site", marked), [("systems",)])

    assert "handles table.marked (evolve), which no game hears" in " ".join(listed.err.split())


MISFITS = [
    (NOTATION, "{successes} successes", "{hits} successes"),
    (NOTATION, "{who} invokes", "{who?: {who}} invokes"),
    (PHRASES, "{{ who }} won verse", "{{ whom }} won verse"),
]


def test_G12_what_misfits_in_the_telling_is_said_and_breaks_no_page(
    counterpoint: Path, tmp_path: Path
) -> None:
    site = changed(counterpoint, tmp_path / "site", MISFITS)
    recorded(tmp_path, counterpoint, FIRST)

    listed, log, told = all_said(tmp_path, site, [("systems",), ("log", "-n", "0"), ("export", "-o", "-")])

    assert [one.code for one in (listed, log, told)] == [0, 0, 0], (log.err, told.err)
    mistakes = " ".join(listed.err.split())
    fields = "conflict, successes, text, who"
    for mistake in (
        f"the notation of counterpoint.sung names {{hits}}, which is not a field of it (there is {fields})",
        "the notation of counterpoint.invoked is shown by its fields: the braces of",
        "the phrase counterpoint.won wants whom, and voice.py gives it verse, who.",
    ):
        assert f"In retold-counterpoint 1.0, {mistake}" in mistakes
    assert "counterpoint.sung" in log.out
    assert "successes=2" in log.out
    assert "won verse" not in told.out


WRITTEN = """
from retold.game import Ink
from retold_counterpoint.events import Sung, VerseWon


def _won(event: VerseWon, ink: Ink) -> str:
    return f"{ink.who(event.who)} wins verse {event.verse} of {event.stanza}"


def _sung(event: Sung, ink: Ink) -> str:
    return f"{ink.who(event.who)} sings: {_how(ink, event)}"


def _how(ink: Ink, event: Sung) -> str:
    return f"{event.successes} successes" if event.anything() else f"{event.kind}: nothing"


NOTATIONS = {
    "counterpoint.verse-won": _won,
    "counterpoint.sung": _sung,
    "counterpoint.invoked": lambda event, ink: f"{ink.who(event.who)} invokes",
    "counterpoint.encore-sung": lambda event, ink: f"{ink.who(event.singer)} sings again",
"""
_SUNG_SO = "    successes: Whole\n    text: Words | None = None\n"
METHODS = [
    (EVENTS, _SUNG_SO, f"{_SUNG_SO}\n    def anything(self) -> bool:\n        return self.successes > 0\n"),
    (NOTATION, "\nNOTATIONS = {", WRITTEN),
    (NOTATION, '    "counterpoint.sung": "{who} sings: {successes} successes",\n', ""),
    (NOTATION, '    "counterpoint.verse-won": "{who} wins verse {verse}",\n', ""),
    (NOTATION, '    "counterpoint.invoked": "{who} invokes",\n', ""),
    (NOTATION, '    "counterpoint.encore-sung": "{who} sings again",\n', ""),
]


def test_a_notation_that_uses_a_method_of_its_event_class_is_said(counterpoint: Path, tmp_path: Path) -> None:
    """Directly, by a function it calls, and in a lambda; and so is a field that there is not."""
    site = changed(counterpoint, tmp_path / "site", METHODS)

    (listed,) = all_said(tmp_path, site, [("systems", "counterpoint")])

    its = "which its class has and the stored event has not"
    given = "a function of notation.py is given the stored fields (there is"
    won = "conflict, verse, who"
    assert [line for line in " ".join(listed.err.split()).split("In retold-counterpoint 1.0, ") if line] == [
        f"the notation of counterpoint.verse-won reads stanza, no field of it: {given} {won}). ",
        f"the notation of counterpoint.sung reads anything, {its}: {given} conflict, successes, text, who). ",
        f"the notation of counterpoint.sung reads kind, {its}: {given} conflict, successes, text, who). ",
        f"the notation of counterpoint.encore-sung reads singer, no field of it: {given} conflict, who).",
    ]


def test_the_example_of_sealed_choices_is_a_distribution_whose_own_tests_are_green(
    counterpoint: Path,
) -> None:
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(COUNTERPOINT / "tests")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(counterpoint), str(ROOT)])},
        cwd=counterpoint,
        check=True,
    )


def test_G12_the_example_guest_fits(counterpoint: Path, tmp_path: Path) -> None:
    (listed,) = all_said(tmp_path, counterpoint, [("systems", "counterpoint")])

    assert (listed.code, listed.err) == (0, "")


def test_G13_a_tour_may_cast_a_name_like_its_game_master(counterpoint: Path, tmp_path: Path) -> None:
    told = said(tmp_path, counterpoint, "play", "--tour", "counterpoint")

    assert told.returncode == 0, told.stderr
    assert "> cast gm by=Jonathan\n" in told.stdout
    assert "> cast Mara by=Ada\n" in told.stdout
    assert "That was an evening." in told.stdout


WON = """    verse = play(situation.here).verse
    return [e.VerseWon(conflict=situation.here.id, who=command.who, verse=verse)]"""
ANSWERED = [
    (COMMANDS, "here.people, conflict.id),)", '(), conflict.id, line="encore NAME"),)'),
    (
        COMMANDS,
        "    return [e.EncoreSung(conflict=situation.here.id, who=command.who)]",
        WON,
    ),
]
NEXT_VERSE = "declare Mara low\ndeclare Teo high\n"


def test_G10_a_fix_takes_the_line_of_another_verb_that_answers_what_it_asks(
    counterpoint: Path, tmp_path: Path
) -> None:
    site = changed(counterpoint, tmp_path / "site", ANSWERED)
    recorded(tmp_path, site, FIRST + NEXT_VERSE)

    asked, mended, log = all_said(
        tmp_path,
        site,
        [
            ("fix", "22", "=", "5", "6"),
            ("--yes", "fix", "22", "--ruling", "encore Teo", "=", "5", "6"),
            ("log", "-n", "0"),
        ],
        first=1000,
    )

    assert (asked.code, '--ruling "encore NAME"' in " ".join(asked.err.split())) == (1, True), asked
    assert mended.code == 0, mended.err
    assert "Teo wins verse 1" in log.out
    assert "Mara sings low" in log.out


STATE = "    sung: dict[int, int] = field(default_factory=dict)\n"
MELEE = "\n    def melee(self) -> Melee:\n        return Melee(self.verse, (), ())\n"


def test_G14_the_clashes_of_a_guest_are_of_what_it_counts(counterpoint: Path, tmp_path: Path) -> None:
    melee = [(EVENTS, STATE, STATE + MELEE), (EVENTS, "    InConflict,\n", "    InConflict,\n    Melee,\n")]
    site = changed(counterpoint, tmp_path / "site", melee)
    recorded(tmp_path, site, FIRST)

    (shown,) = all_said(tmp_path, site, [("show", "clashes")])

    assert "1: The contest, verse 2" in shown.out + shown.err


def test_G14_what_no_longer_holds_is_said_without_the_name_of_the_game(
    counterpoint: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, counterpoint, FIRST + NEXT_VERSE + "end conflict\n")

    (told,) = all_said(tmp_path, counterpoint, [("fix", "22", "--check", "=", "5", "6")])

    assert "declare Mara low" in told.out
    assert "counterpoint.declare" not in told.out


def test_G14_pydoc_shows_the_modules_of_a_game() -> None:
    for module in ("retold.game", "retold.journal.system"):
        told = subprocess.run(
            [sys.executable, "-m", "pydoc", module], capture_output=True, text=True, check=True
        )
        assert "class System" in told.stdout
