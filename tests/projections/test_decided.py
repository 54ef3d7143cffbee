"""A story tells what decided: who won, who is out, what harm was taken, where nobody has told it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations

import pytest

from retold.games.bruise import events as b
from retold.games.edgerunner import events as ed
from retold.games.guenask import events as g
from retold.games.homebrew import events as h
from retold.games.homebrew.state import shelf
from retold.games.whiskey import events as wh
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.projections.prose import VOICES, harm_of, in_language
from retold.projections.prose.phrases.languages import language
from retold.projections.prose.telling import Called, Telling
from retold.projections.reading import GAME_MASTER, LineView, Viewer
from retold.projections.story import transcript
from retold.projections.views import ask
from tests.exploring import seeds
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, Typing
from tests.wandering.wander import begun

CRATE = """\
cast A edgerunner skill.cool=2 firearms=2 by=Ana
cast B edgerunner skill.cool=2 firearms=2 by=Bo
session One
scene The yard: Rain.
conflict Crate edgerunner A vs B: the crate
exchange
attack A B cool with firearms = 0000
{resist}apply
attack B A cool with firearms = 0000
apply
exchange
continue A
apply
continue B
apply
exchange
concede A: I go.
accept B: Fine.
"""

STAIR = """\
game d20
cast gm by=Lene
cast Brida str=1 health=12 ac=12 by=Tom: A rower
cast Wolf str=3 dex=2 health=14 ac=13
session One
scene The stair: White steps.
conflict "The landing" Brida vs Wolf: the oar on the wall
roll Wolf attack str vs Brida damage 1d12 = 15 12
{end}
"""


@contextmanager
def night(script: str) -> Iterator[Evening]:
    with evening([line for line in script.splitlines() if line]) as begun_:
        assert not begun_.refused, begun_.told()
        yield begun_


def story(there: Evening, code: str = "en", viewer: Viewer = GAME_MASTER) -> list[str]:
    """The paragraphs of the story in running text; Retold's own sentences in brackets."""
    voice = VOICES["prose"] if code == "en" else in_language(VOICES["prose"], language(code))
    shown = transcript.of_range(LineView(there.scribe.campaign, 1, viewer=viewer), voice=voice).running()
    return [
        f"[{one.text}]" if one.generated else one.text
        for one in shown.without_mechanics().paragraphs()
        if one.text
    ]


def untold(there: Evening) -> list[str]:
    view = ask("untold", LineView(there.scribe.campaign, 1)).to_json()
    return [spot["what"] for spot in view["spots"]]


@pytest.mark.parametrize(
    ("resist", "ends"),
    [("", []), ('resist B mild as "Hurt"\n', ["[B comes away with “Hurt”.]"])],
)
def test_R2_untold_attacks_are_one_sentence_with_their_harm(resist: str, ends: list[str]) -> None:
    with night(CRATE.format(resist=resist)) as there:
        assert story(there) == [
            "Rain. What becomes of the crate?",
            "[It goes back and forth between A and B, and B and A are badly shaken.]",
            "I go.",
            "Fine.",
            *ends,
        ]


def test_R2_two_allies_are_no_pair() -> None:
    lines = """\
cast Gatto edgerunner skill.cool=2 brawling=3 by=Teo
cast Jade edgerunner skill.cool=2 stealth=3 by=Mirja
cast Hargan edgerunner skill.cool=3 firearms=3
session One
scene The hall
conflict Hall edgerunner Gatto+Jade vs Hargan
exchange
attack Gatto Hargan cool with brawling = 0000
apply
attack Jade Hargan cool with stealth = 0000
apply
attack Hargan Gatto cool with firearms = 0000
apply
exchange
continue Gatto
apply
"""
    with night(lines) as there:
        (ours,) = story(there)

    blows = "Gatto and Jade shook Hargan badly, Hargan shook Gatto badly, and Gatto shook Hargan badly"
    assert ours == f"[Hargan stood in the way. {blows}.]"


MISSED = """\
roll Brida attack str vs Wolf = 3: I swing the hook.
{words}
roll Wolf attack str vs Brida = 15
"""


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("", False),
        ("narrate Brida: I swing again, at a shadow.", True),
        ("narrate gm: The hook rings on stone.", True),
        ("turn", False),
    ],
)
def test_T3_a_blow_that_missed_is_not_silent(words: str, *, is_told: bool) -> None:
    """The words of the attempt tell no miss; those of a narration right behind it do."""
    conflict = STAIR.partition("roll Wolf")[0]
    with night(f"{conflict}{MISSED.format(words=words)}") as there:
        assert any("[Brida misses Wolf" in text for text in story(there)) is not is_told


@pytest.mark.parametrize("end", ["", "end conflict", "end conflict\nnarrate gm: They carried it home."])
def test_T3_a_person_who_is_out_is_never_silent(end: str) -> None:
    with night(STAIR.format(end=end)) as there:
        told = story(there)

        assert "[Wolf dropped Brida.]" in told
        assert any("Brida went down." in what for what in untold(there))


def test_T3_words_on_the_end_of_a_fight_tell_what_came_out_in_it() -> None:
    with night(STAIR.format(end="end conflict: She lies where she fell.")) as there:
        assert untold(there) == []


def test_T3_a_full_clock_is_never_silent() -> None:
    lines = ("game d20", "session One", "scene The quay: Fog.", 'clock "The tide" 2', 'clock "The tide" +2')
    with night("\n".join(lines)) as there:
        assert story(there) == ["Fog.", "[The clock “The tide” is full.]"]
        assert untold(there) == ["The clock “The tide” is full."]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("narrate: A wolf on them.\n{roll}", "White steps. A wolf on them. {stakes}"),
        ("narrate Brida: A wolf on us.\n{roll}", "White steps. {stakes}"),
        ("{roll}\nnarrate: A wolf on them.", "White steps. {stakes} A wolf on them."),
    ],
)
def test_T4_stakes_stand_before_the_fight_and_behind_words_that_open_it(lines: str, told: str) -> None:
    roll = "roll Wolf attack str vs Brida damage 1d12 = 15 6"
    stair = STAIR.partition("roll Wolf")[0] + lines.format(roll=roll)
    with night(stair) as there:
        assert story(there)[0] == told.format(stakes="What became of the oar on the wall?")


def test_numbers_stay_in_order_where_stakes_stand_behind_a_text() -> None:
    stair = STAIR.replace("roll Wolf", "narrate: A wolf on them.\nroll Wolf").format(end="")
    with night(stair) as there:
        told = transcript.of_range(LineView(there.scribe.campaign, 1), voice="prose")

    numbers = [int(mechanic.id[1:]) for one in told.paragraphs() for mechanic in one.mechanics]
    assert sorted(numbers) == numbers != []


def test_T4_stakes_stand_before_the_end() -> None:
    with night(STAIR.format(end="end conflict won Wolf\nnarrate: They ran home.")) as there:
        told = story(there)

    assert told == [
        "White steps. Wolf stood in the way. What became of the oar on the wall?",
        "[Wolf dropped Brida and won.]",
        "They ran home.",
    ]


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("narrate Wolf: Wolf has the oar from the wall now.", True),
        ("narrate: The oar stays on the wall. Wolf sees to that.", True),
        ("narrate: The oar stays on the wall.", False),
        ("narrate: Wolf walks along the wall.", False),
        ("narrate Brida: Wolf is over me.", False),
    ],
)
@pytest.mark.parametrize("end", ["{}\nend conflict won Wolf", "end conflict won Wolf\n{}"])
def test_R3_who_won_is_not_said_twice(words: str, end: str, *, is_told: bool) -> None:
    """A text beside the end that has the winner and what was at stake has told it."""
    stair = STAIR.replace("the oar on the wall", "the oar on the harbour wall").format(end=end.format(words))
    with night(
        stair.replace("from the wall", "from the harbour wall").replace(
            "on the wall.", "on the harbour wall."
        )
    ) as there:
        ends = (
            "Wolf got the better of",
            "Wolf gets the better of",
            "dropped Brida and won.",
            "drops Brida and wins.",
        )
        assert any(end in text for text in story(there) for end in ends) is not is_told


def test_T4_the_same_stakes_are_told_once_and_later_ones_say_so() -> None:
    """In a scene; a conflict of the session before them makes it “What was to become of …”."""
    opened = "conflict {} Brida vs Wolf: {}\nend conflict\n"
    again = opened.format("Two", "the oar on the wall") + opened.format("Three", "the boat")
    with night(STAIR.format(end=f"end conflict\n{again}")) as there:
        told = " ".join(story(there))

    assert told.count("became of the oar on the wall?") == told.count("Wolf stood in the way.") == 1
    assert "What was to become of the boat?" in told


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("de", "[Wolf setzte Brida außer Gefecht und gewann.]"),
        ("fr", "[Wolf mit Brida hors de combat et l\u2019emporta.]"),
    ],
)
def test_R3_the_end_is_told_in_other_languages(code: str, end: str) -> None:
    with night(STAIR.format(end="end conflict won Wolf")) as there:
        assert story(there, code)[-1] == end


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("She puts up her hands.", []),
        ("I go.", []),
        ("A walks out.", []),
        ("The gate falls shut.", ["[A gives up.]"]),
    ],
)
def test_whose_surrender_it_was_is_told_unless_its_words_say_so(words: str, ours: list[str]) -> None:
    with night(CRATE.format(resist="").replace("I go.", words)) as there:
        assert story(there)[3:] == ["Fine.", *ours]


def test_R3_a_conflict_without_a_winner_says_what_the_balance_came_to() -> None:
    lines = """\
cast Zel by=Jon
cast Ned by=Omar
session One
scene The basin
conflict Night spacetime Zel vs Ned balance=unbalanced:Zel
end conflict
"""
    with night(lines) as there:
        assert story(there) == ["[Zel had the advantage.]"]


def test_R3_a_person_who_wins_gets_what_they_wished() -> None:
    lines = """\
cast Zel by=Jon
cast Ned by=Omar
session One
scene The basin
conflict Night spacetime Zel vs Ned: whose night it is
outcome Zel: The ferries may cross
end conflict victory Zel
"""
    with night(lines) as there:
        assert story(there)[-1] == "[Zel got the better of Ned: the ferries may cross.]"


@pytest.mark.parametrize(
    "wishes",
    ["outcome Reeve: OLD\noutcome Pal: NEW", "outcome Pal: OLD\nreformulate Mill\noutcome Reeve: NEW"],
)
def test_R3_the_last_wish_of_a_party_holds(wishes: str) -> None:
    lines = f"""\
cast Reeve by=Jon
cast Pal by=Ada
cast Mill by=Omar
session One
scene The basin
conflict Night spacetime Reeve and Pal vs Mill: whose night it is
{wishes}
end conflict victory Reeve
"""
    with night(lines) as there:
        assert story(there)[-1] == "[Reeve and Pal got the better of Mill: NEW.]"


def test_R3_a_victory_is_told_once_though_a_scene_begins_before_the_end() -> None:
    lines = """\
cast Zel by=Jon
cast Ned by=Omar
session One
scene The basin
conflict Night spacetime Zel vs Ned balance=overwhelming:Zel
declare Zel: I dive
declare Ned: I wait
draw = T20 T21 T3 T4
ruling balance=unbalanced:Zel: not yet
declare Zel: I go on
scene The lane: Night falls.
end conflict victory Zel
"""
    with night(lines) as there:
        assert story(there) == [
            "I dive.",
            "I wait.",
            "I go on.",
            "Night falls.",
            "[Zel gets the better of Ned.]",
        ]


def test_R16_a_wish_and_what_is_done_for_it_are_two_paragraphs_with_a_name_each() -> None:
    lines = """\
cast Zel by=Jon
cast Ned by=Omar
session One
scene The basin
conflict Night spacetime Zel vs Ned balance=overwhelming:Zel
outcome Zel: The bell
declare Zel: dive
declare Ned: I wait
"""
    with night(lines) as there:
        shown = transcript.of_range(LineView(there.scribe.campaign, 1), voice="prose").running()

    assert [(one.label, one.text) for one in shown.paragraphs() if one.text] == [
        ("", "Zel wanted the bell."),
        ("Zel", "Dive."),
        ("Ned", "I wait."),
    ]


def test_a_consequence_is_told_behind_the_attack_that_it_came_of() -> None:
    lines = CRATE.format(resist='resist B mild as "Hurt"\n').partition("apply\nattack B")[0]
    with night(f"{lines}apply: A brick, thrown well.\n") as there:
        assert story(there)[1:] == ["A brick, thrown well.", "[B came away with “Hurt”.]"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("She puts up her hands.", ["A offered to give up. B did not let A give up.]"]),
        ('"Enough," says A.', ["“Enough,” says A.", "[B does not let A give up.]"]),
    ],
)
def test_a_refused_surrender_is_no_fact(words: str, told: list[str]) -> None:
    with night(
        CRATE.format(resist="").replace("I go.", words).replace("accept B: Fine.", "refuse B")
    ) as there:
        shown = story(there)[-len(told) :]

    assert [text.endswith(end) for text, end in zip(shown, told, strict=True)] == [True] * len(told)


def test_words_of_whoever_gives_up_tell_the_end() -> None:
    lines = """\
cast Hana guenask body=3 mind=3 soft=2 hard=2 by=Jo
cast Thoss guenask body=3 mind=3 soft=2 hard=2
session One
scene The yard
conflict Gate guenask Hana vs Thoss first=Hana: the gate
approach Hana unopposed neutral = 6 6 6 6 6
approach Thoss unopposed neutral = 1 1 1 1 1
raise 6+6: I ask him nicely.
give Thoss{words}
"""
    with night(lines.format(words=": He opens it, and sighs.")) as there:
        assert story(there)[-1] == "Thoss opens it, and sighs."
    with night(lines.format(words="")) as there:
        assert any("Thoss" in text for text in story(there) if text.startswith("["))


# --- any conflict -----------------------------------------------------------------------------------------

_TELLING = ("narrate", "overrule", "undo", "redo", "cast", "branch", "switch", "reveal", "merge", "option")
_SPEAKING = ("conflict", "scene", "session", "ruling", "outcome", "clock", "thread", "note", "condition")


def silent(line: str) -> str:
    """A line without the words of whoever acts, where it may have some."""
    verb = line.split(maxsplit=1)[0]
    return line if verb in _SPEAKING else line.partition(": ")[0]


def decided(there: Evening) -> Iterator[str]:  # noqa: C901, PLR0912 -- one case for each kind
    """What the log has decided without a word, each as it is to be found in the story."""
    for moment in LineView(there.scribe.campaign, 1).moments():
        event, table = moment.event, moment.table

        def name(who: int, table: Table = table) -> str:
            return table.shown(who, "the game master")

        match event:
            case e.ConflictEnded(text=None):
                won = table.ended[event.conflict]
                sides = [side for side in won.sides if not set(side).isdisjoint(won.winners)]
                if len(sides) == 1 and (event.how != "conceded" or len(won.sides) > 2):
                    yield from map(name, sides[0])
                    yield " won"
            case ed.TakenOut(on=int(who)):
                yield name(who)
                yield " out."
            case ed.ConsequenceTaken():
                yield event.wording
            case g.ConditionNamed():
                yield str(event.text)
            case g.FalloutTaken(text=None) if event.bare:
                yield f"{name(event.who)} took {event.track}"
            case g.Gave(text=None):
                yield f"{name(event.who)} gave up."
            case g.CharacterDied() | ed.CharacterKilled():
                yield f"{name(event.who)} died."
            case wh.Incapacitated():
                yield f"{name(event.who)} was out of the fight"
            case b.HandWon():
                yield name(event.winner)
            case h.TrackChanged(text=None) if event.was != event.now:
                if shelf(table).is_out_by(event.who, event.track):
                    yield name(event.who)
                    yield "is out"
            case h.ClockTicked(text=None) if event.now == event.segments:
                yield f"{event.name}” is full."


def hurt(there: Evening) -> Iterator[str]:
    """Everybody whom a hit of the log hurt."""
    reading = LineView(there.scribe.campaign, 1)
    for moment in reading.moments():
        says = harm_of(type(moment.event))
        if says is None:
            continue
        found = says(moment.event, Telling(moment, Called(moment.table), reading.ids))
        if found is not None and not found.is_missed:
            yield moment.table.shown(found.who, "the game master")
    for moment in reading.moments():
        if isinstance(moment.event, wh.DamageDealt):
            yield moment.table.shown(moment.event.loser, "the game master")


_WON = re.compile(r"\b(?:got the better of|was too much for|were too much for)\b")
_OUT = re.compile(r"\b(?:down|dropped|felled|could not go on|out of)\b")
_HURT = re.compile(r"\b(?:hit|hurt|struck|blow|shook|shaken|lost|took|out|down|dropped|felled|go on)\b")


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("game", list(CAST))
def test_what_any_conflict_decided_is_found_in_its_story(game: str, seed: int) -> None:
    luck = random.Random(f"{game} {seed}")
    with evening(tuple(begun(game, CAST[game], luck))) as there:
        for _ in range(40):
            line = silent(Typing(there.table, luck.choice).line())
            if line.split()[0] not in _TELLING:
                there.type(line)
        paragraphs = story(there)
        told = _OUT.sub("is out", _WON.sub("won", " ".join(paragraphs))).casefold()
        ours = re.split(r"(?<=[.])\s", " ".join(text for text in paragraphs if text.startswith("[")))
        harmed = [sentence for sentence in ours if _HURT.search(sentence)]

        assert [who for who in hurt(there) if not any(who in sentence for sentence in harmed)] == []
        assert [what for what in decided(there) if what.casefold() not in told] == [], there.told()


# --- a phase of several clashes, and one narration --------------------------------------------------------

PHASE = """\
game whiskey
cast gm by=Nora
cast Runa by=Ida combat=12 base=4 die=1 hp=24
cast Teo by=Max combat=8 base=2 die=1 hp=18
cast Pip by=Lou combat=10 base=3 die=2 hp=15
cast Brask combat=11 base=4 die=1 hp=16
cast Sly+Rook combat=8 base=2 die=1 hp=8
option whiskey.deck=whole
session One
conflict "The rope" Runa+Teo+Pip vs Brask+Sly+Rook
declare Runa engage Rook
declare Teo engage Brask
declare Pip engage Sly
declare Brask+Sly+Rook stand
clash
check Runa Rook = 7H 4
check Pip Sly = JC 5
check Teo Brask = 5S 2
{words}
"""
REST = "Brask hits Teo; Sly hits Pip; Rook is out of the fight."
RUNA_NARRATES = "narrate Runa: She goes through him like a gate."


def hits_of(words: str, voice: str = "prose") -> str:
    """What Retold tells of the phase, in one text."""
    with night(PHASE.format(words=words)) as there:
        shown = transcript.of_range(LineView(there.scribe.campaign, 1), voice=VOICES[voice])
        told = shown.running() if VOICES[voice].story else shown
        ours = [one.text for one in told.without_mechanics().paragraphs() if one.generated]
    return " ".join(ours)


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        (RUNA_NARRATES, REST),
        ("narrate Runa: Rook falls, and Pip howls.", "Brask hits Teo."),
        ("narrate Pip: He bit me!", "Runa hit Rook; Brask hit Teo; Rook was out of the fight."),
        ("narrate: The rain goes on.", f"Runa hits Rook; {REST}"),
        ("narrate: Rook lies in the mud. Pip and Teo bleed.", ""),
        (f"{RUNA_NARRATES}\nnarrate Teo: My knee!", "Sly hits Pip, and Rook is out of the fight."),
        ("narrate Runa --at @: She goes through him.", REST),
    ],
)  # fmt: skip
def test_one_narration_of_a_phase_leaves_the_other_hits_to_retold(words: str, ours: str) -> None:
    assert hits_of(words).partition(". ")[2] == ours


def test_a_phase_of_two_thugs_is_told_by_their_word() -> None:
    with night(
        PHASE.replace("Sly", "Thug-1").replace("Rook", "Thug-2").format(words="narrate: One thug falls.")
    ) as there:
        assert "thug is out" not in " ".join(story(there))


@pytest.mark.parametrize("voice", ["report", "script", "prose"])
def test_every_voice_tells_the_hits_that_a_narration_leaves_out(voice: str) -> None:
    assert all(name in hits_of(RUNA_NARRATES, voice) for name in ("Pip", "Teo", "Rook"))


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(2))
def test_every_hit_of_random_phases_with_one_narration_each_is_found_in_the_story(seed: int) -> None:
    """In its own phase: in a sentence of Retold's, or in words that name who was hit or are theirs."""
    luck, sides = random.Random(f"phases {seed}"), (("Runa", "Teo", "Pip"), ("Brask", "Sly", "Rook"))
    people, words = [name for side in sides for name in side], []
    with night(PHASE.partition("declare")[0]) as there:
        for phase in range(3):
            for name in people:
                there.type(f"declare {name} engage {luck.choice(sides[name in sides[0]])}")
            there.type("clash")
            for pair in permutations(people, 2):
                there.type("check {} {}".format(*pair))
            words.append(
                (luck.choice(["gm", *people]), f"It is {luck.choice(['night', *people])} again {phase}.")
            )
            there.type("narrate {}: {}".format(*words[-1]))
        told = " ".join(story(there))
        hits = [
            (moment.table.name(moment.event.winner), moment.table.name(moment.event.loser))
            if isinstance(moment.event, wh.DamageDealt)
            else None
            for moment in LineView(there.scribe.campaign, 1).moments()
            if isinstance(moment.event, wh.DamageDealt | wh.PhaseEnded)
        ]

    for number, (teller, text) in enumerate(words):
        ours, _, told = told.partition(str(text))
        phase_over = hits.index(None) if None in hits else 0
        landed, hits = [hit for hit in hits[:phase_over] if hit is not None], hits[phase_over + 1 :]
        found = {who for who in people if re.search(rf"(?:hits?|hurts?|and) (?:[^.;]* )?{who}\b", ours)}
        missing = [hit for hit in landed if teller not in hit and hit[1] not in {*found, *text.split()}]
        assert len(landed) == 1 or missing == [], (number, ours)
