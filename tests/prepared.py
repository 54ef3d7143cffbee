"""Evenings of every game, and what a game master prepares and does behind the screen while they are played.

An evening is lines that everybody sees, and lines after a `?` about somebody secret. A *secret* is a line
that only its audience may know of, said before one of them. One that would hide nothing is not said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import retold
from retold.cli import completing
from retold.cli.verbs.show import summary
from retold.journal.decks.chance import FirstDealer
from retold.journal.language.lexing import lex
from retold.journal.refused import Refused
from retold.journal.store.events.acts import RecordedAct
from retold.journal.store.events.clock import Clock
from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.projections.comparison.diff import compare
from retold.projections.dossiers import Dossiers, find_one
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.statistics import count as statistics
from retold.projections.views import VIEWS

SEED: Final = b"the same for both of them"


@dataclass(frozen=True)
class TableClock(Clock):
    """Stands still until it is set, whatever is recorded meanwhile."""

    minute: list[int] = field(default_factory=lambda: [0])
    numbers: Iterator[int] = field(default_factory=count)

    def now(self) -> tuple[str, int]:
        return f"2026-03-14T{19 + self.minute[0] // 60:02}:{self.minute[0] % 60:02}:00.000000Z", 60

    def act(self) -> str:
        return f"act-{next(self.numbers)}"

    def salt(self) -> bytes:
        return next(self.numbers).to_bytes(16)

    def campaign(self) -> str:
        return "7" * 32


BEGINNING: Final = (
    "campaign The Salt Road",
    "option table.screen=silent",
    "cast gm by=Mary",
)

EVENINGS: Final[dict[str, tuple[str, ...]]] = {
    "bruise": (
        "cast Zel bruise by=Jon clubs=4 melee=2 hearts=3: A smuggler",
        "cast Odo bruise by=Kit clubs=3 melee=1",
        "session The Long Ebb --date 2026-03-14: Rain.",
        "scene The stair: Lamps below.",
        'thread "Who paid the ferryman": Two coins.',
        "mark the-stair --at {at}",
        'conflict "Out" bruise Zel+Odo vs Guards: freedom',
        "declare Zel: I run one through.",
        "draw Zel clubs+melee = JH JD 10S 7C 4C 3D",
        "draw Odo clubs+melee = 8H 7D 6S 5C",
        "draw Guards 4 = 9H 5S 4D 2C",
        "colour Zel hearts",
        "narrate Zel: One last cry, and the line breaks.",
        "narrate gm: They run.",
        "mark running",
        "end conflict victory Zel",
        "award Zel: For the cry",
        "cast Hob: A baker",
        "clock Tide 4",
        "clock Tide +1",
        "tilt Zel destiny",
        "end session: Out, and wet.",
        "session Low Water --date 2026-03-21 --absent Kit",
        "note --to table --at the-stair: The second evening, in short.",
        'conflict "Again" bruise {first}Zel vs {first}Hob{last}{alone}: bread',
    ),
    "d20": (
        "game d20",
        "cast Zel str=3 dex=1 wis=2 health=12 ac=15 by=Jon: A bell-founder",
        "cast Odo dex=4 cha=2 health=9 ac=13 by=Kit: Locks",
        "cast Wolf str=2 dex=0 health=8 ac=12",
        "session The tower --date 2026-11-20: The bell rings at midnight.",
        "scene The foot of the tower: A door with three locks.",
        "roll Odo check dex vs 15: I go at the locks with a hairpin.",
        "narrate Odo: The third one opens.",
        "mark opened",
        'conflict "On the stair" {first}Zel+Odo vs {first}Wolf{last}{alone}: the rope',
        "clock Midnight 4",
        "initiative Zel 15",
        "initiative {beside}Odo+Wolf",
        "? initiative Assassin 14",
        "turn Zel",
        "roll Zel attack str vs 12: Shoulder first.",
        "roll Zel 1d8+str",
        "hp Wolf -3: Off its feet.",
        "? turn Assassin",
        "? hp Assassin -2",
        "? status Assassin poisoned",
        "status {beside}Wolf restrained: In the rope.",
        "mark roped: Where it hangs.",
        "turn Odo",
        "roll Odo attack dex vs Wolf",
        "roll Odo attack dex vs Wolf damage 1d4+1",
        "? rest long Assassin",
        "turn Wolf",
        "roll Wolf attack str vs 13",
        "hp Odo -2",
        "clock Midnight +1",
        "hp {beside}Zel -1: A splinter.",
        "roll Wolf check wis vs Zel",
        "roll Zel check cha vs Wolf",
        "turn Zel",
        "cast Hob health=3 by=Ada",
        "join Hob Zel: Over the rail.",
        "leave Odo: Out by the window.",
        "end conflict victory Zel",
        "clock Midnight done: Nothing rings.",
        "track Zel luck 1/3",
        "inspiration Zel on: For the rope.",
        "rest short: An hour on the stair.",
        "end session: The bell hangs still.",
        "session Low Water --date 2026-11-27 --absent Kit",
        'conflict "Again" {first}Zel vs {first}Hob{last}{alone}: bread',
    ),
    "edgerunner": (
        "cast Zel edgerunner by=Jon brawling=4 athletics=3 firearms=3 resolve=2 skill.cool=1 aspect.a=Loud",
        "cast Odo edgerunner by=Kit deception=4 netrunning=3 stealth=3 medicine=2",
        "cast Wolf edgerunner firearms=4 intimidation=3 stealth=2 skill.cool=3 aspect.b=Cruel",
        "session The night shift --date 2026-06-13",
        "scene The warehouse: Papier-mâché from wall to wall.",
        'conflict "Past the giants" edgerunner {first}Zel+Odo vs {first}Wolf{last}{alone}: the names',
        "map Gate 3 Giants 3 Office",
        "place Zel+Odo Gate",
        "place Wolf Office",
        "? place Assassin Office",
        "exchange a few moments",
        "next Zel 1 Wolf 0",
        "move Zel to Giants with athletics = +0--: I run.",
        "apply: A gangway.",
        "mark aimed",
        "attack Wolf Zel cool with intimidation = +00+: I can see your shoes.",
        'resist Zel mild as "Seeing shoes"',
        "apply",
        "attack Odo Wolf cool with deception",
        "invoke Odo Cruel",
        "apply",
        "exchange",
        "simple Zel: I wait.",
        "simple Odo",
        "simple Wolf",
        "end conflict",
        "roll Odo medicine vs 2",
        "clear Zel stress: Soup.",
        "end session: A hole in a duchess.",
        "session Again --date 2026-06-20",
        'conflict "Again" edgerunner {first}Zel vs {first}Wolf{last}{alone}',
    ),
    "whiskey": (
        "cast Zel whiskey by=Jon combat=10 base=1 die=1 hp=14 balance=4: A courier",
        "cast Odo whiskey by=Kit combat=18 base=1 die=1 hp=16",
        "cast Wolf whiskey combat=20 base=1 die=1 hp=9",
        "cast Hook whiskey combat=20 base=1 die=1 hp=3",
        "session The Causeway --date 2026-04-11",
        "option whiskey.checker=attacker",
        "scene The causeway: Wet stone.",
        "check Zel balance vs 2 = 3H 1",
        'conflict "The toll" whiskey {first}Zel+Odo vs {first}Wolf+Hook{last}{alone}: the box',
        "declare Zel engage Wolf: I go in.",
        "declare Odo engage Hook",
        "declare Wolf engage Zel",
        "declare Hook stand",
        "clash",
        "check Zel Wolf",
        "check Odo Hook = 7H 2",
        "narrate gm: Irena is quick.",
        "mark quick",
        "declare Zel guard Odo",
        "declare Odo advance",
        "declare Wolf engage Odo",
        "clash: Odo walks.",
        "check Zel Wolf = KH 6",
        "ruling Wolf.hp-=1: It slipped.",
        "end conflict retreat: They let go.",
        "end session: The box is across.",
        "session Again --date 2026-04-18",
        'conflict "Again" whiskey {first}Zel vs {first}Odo{last}{alone}',
    ),
    "guenask": (
        "option guenask.boxes_per_row=2",
        'cast Zel guenask by=Jon mind=3 soft=2 hard=2 body=3 "reads backwards"=2d6: A clerk',
        "cast Odo guenask by=Kit mind=2 soft=3 hard=2 body=2",
        "cast Wolf guenask mind=3 hard=2 body=2 soft=2 stages=2",
        "session Moorings --date 2026-06-06",
        "scene The Board room",
        'conflict "The hearing" guenask Zel+Odo vs Wolf first=Wolf: the berth',
        "approach Zel opposed neutral = 2 3 5 1 4: I have the lease.",
        "approach Odo unopposed neutral = 1 4 3 3 6",
        "approach Wolf opposed neutral = 6 5 4 3 2",
        "raise 6+3 Zel+Odo: The lease lapsed.",
        "see Zel 5+4: By whose clock?",
        "see Odo 4+3+3 social: A barnacle.",
        "mark barnacle",
        "raise 6+1: Sold.",
        "give Zel",
        "give Odo",
        "clear Odo social: Soup.",
        "end session",
        "session Again --date 2026-06-13",
        'conflict "Again" guenask {first}Zel vs {first}Odo{last}{alone} first=Zel: tea',
    ),
    "spacetime": (
        "cast Zel by=Jon",
        "cast Odo by=Kit",
        "cast Wolf",
        "session Lanterns --date 2026-05-02",
        "scene The basin",
        'conflict "The night" spacetime {first}Zel vs {first}Odo vs Wolf{last}: whose night it was',
        "outcome Zel: The ferries win.",
        "outcome Odo: Every hull is counted.",
        "outcome Wolf: Silence.",
        "declare Zel: We cross.",
        "declare Odo: Both cutters across.",
        "declare Wolf: We drift.",
        "draw = T14 T4 serpent:soldier",
        "narrate Zel: Every boat has an opinion.",
        "mark opinion",
        "narrate Odo: A complaint.",
        "narrate Wolf: A brass band.",
        "overrule Kit Zel: She lost it.",
        "narrate Zel: Otherwise.",
        "declare Zel: Again.",
        "declare Odo: Ledger.",
        "declare Wolf: One lantern.",
        "draw",
        "end conflict victory Zel",
        "end session",
        "session Again --date 2026-05-09",
        'conflict "Again" spacetime {first}Zel vs {first}Odo{last}{alone}',
    ),
}
"""The lines that everybody sees, by the game; braces are where somebody secret may stand."""

SHEETS: Final = {
    "bruise": "bruise clubs=2",
    "d20": "dex=2 health=22",
    "edgerunner": "edgerunner firearms=4 stealth=2 aspect.c=Sly",
    "whiskey": "whiskey combat=9 base=2 die=1 hp=4",
    "guenask": "guenask body=3 mind=2 soft=2 hard=3 stages=2",
    "spacetime": "",
}
"""What stands on a sheet in each game."""

DOT: Final = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAA"
    "CklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)
"""The smallest picture: one grey pixel."""

SECRETS: Final[tuple[tuple[str, ...], ...]] = (
    ("cast Assassin {sheet} {to}: Waits in the cellar",),
    ("cast Assassin {sheet} {to} by=Jon",),
    ("cast Assassin {to} by=Vera", "cast Vera {to}: A player nobody expects"),
    ("cast Assassin {to} alias=Whisper",),
    ("cast Assassin {to}", "cast Assassin {to} name=Widow", "cast Widow {to} name=Assassin"),
    ("cast Assassin {to}", "cast Assassin: A phrase of hers"),
    ("cast Assassin {to}", "retire Assassin: Gone."),
    ("cast Assassin {to}", "cast Zora {to}", "merge Zora into Assassin: One and the same."),
    ("cast Zora {to} {sheet}",),
    ("cast Assassin+Zora {to} {sheet} pronouns=she: Both wait",),
    ('cast Assassin {to} {sheet} opens="A shape": Her secret trade',),
    ("cast Zora+Assassin {to} {sheet}: Both", "reveal Zora --to Kit"),
    ("cast Zora+Assassin {to} {sheet}: Both", "reveal Assassin --sheet --to Kit"),
    ("roll Assassin+Zora d20 {to}", "reveal @ --to Kit"),
    ("initiative Assassin+Zora",),
    ("initiative",),
    ("status Zel+Odo stunned {to}", "status Zel+Odo stunned off"),
    ("track Zel+Odo doom2 1/6 {to}",),
    ("cast Guards {sheet} {to}",),
    ("cast Hob {sheet} {to}",),
    ("cast Wolf {sheet} {to}",),
    ('clock "The Baron" 6 {to}',),
    ('clock "The Baron" 6 {to}', 'clock "The Baron" +2'),
    ('clock "The Baron" 6 {to}', 'clock "The Baron" done: Late.'),
    ("track Zel corruption 1/6 {to}", "track Zel corruption +2"),
    ("track Odo doom 3 {to}",),
    ('thread "The letter" {to}: In her glove.', 'thread "The letter": And a second.'),
    ('place "The cellar" {to}: Damp.', 'place "The cellar" --done {to}'),
    ('thing "The glove" {to}', 'thing "The gauntlet" {to}', 'thing "The glove" into "The gauntlet" {to}'),
    ("mark behind {to}: The screen.",),
    ("note {to}: A secret.",),
    ("note Zel --quote {to}: A secret quote.",),
    ("say gm {to}: A secret word.",),
    ("narrate gm {to}: A secret tale.",),
    ("aside gm {to}: A secret joke.",),
    ("roll gm d20 {to}",),
    ("roll gm 3d6 {to}: A secret reason",),
    ("draw gm 2 {to}",),
    ("cast Assassin {to}", "roll Assassin d20+2 vs 12 {to}"),
    ("cast Assassin {to} {sheet}", "roll Assassin check dex vs 12 {to}"),
    ("cast Assassin {to} {sheet}", "roll Assassin check dex vs Zel {to}"),
    ("roll gm d20 vs Zel {to}",),
    ("join Assassin {to}",),
    ("join Assassin Zel {to}",),
    ("join Zora Wolf {to}",),
    ("leave Assassin",),
    ("leave Zora",),
    ("hp Assassin -3",),
    ("hp Assassin 9/12",),
    ("ruling Assassin.hp-=1: Rain.",),
    ("initiative Assassin 14",),
    ("initiative Assassin",),
    ("turn Assassin",),
    ("place Assassin Office",),
    ("aspect Assassin Unseen {to}",),
    ("declare Assassin {to}: From behind.",),
    ("note {to}: To take back.", "undo"),
    ("cast Zora {to}", "undo"),
    ('clock "The Count" 4 {to}', "undo"),
    ("roll gm d20 {to}", "undo"),
    ("roll gm d20 {to}", "undo", "redo"),
    ("hp Assassin -1", "undo"),
    ("turn Assassin", "undo"),
    ("reveal Assassin --to Kit",),
    ("reveal Assassin --sheet --to Kit",),
    ('reveal "The Baron" --to Kit',),
    ('reveal "The letter" --to Kit: Kit knows.',),
    ("note {to}: Told to Kit.", "reveal @ --to Kit"),
    ("roll gm d20 {to}", "reveal @ --to Kit"),
    ("note {to}: To be changed.", "retcon @: Otherwise."),
    ("note {to}: To be gone.", "redact @"),
    ("compel Assassin Sly: A secret compel.",),
    ("clear Assassin stress",),
    ("track Assassin poison 2/4",),
    ("track Assassin poison -1",),
    (f'image trap "{DOT}" alt="A secret trapdoor" credit="Mo" {{to}}: It gapes.',),
    (f'handout letter "{DOT}" alt="A secret letter" {{to}}', "redact @"),
    (f'cover "{DOT}" alt="A secret cover" {{to}}', "undo"),
    (f'portrait Zel "{DOT}" alt="A secret face" {{to}}', "tint Zel #123456 {to}"),
    ("cast Assassin {to}", f'portrait Assassin "{DOT}" alt="A secret face"', "tint Assassin #123456"),
)
"""Lines that are said together, in secret; `{to}` stands for an audience, `{sheet}` for a sheet."""

SECRET_PEOPLE: Final = ("Assassin", "Zora", "Vera", "Widow")
"""Whoever and whatever is secret: a line without an audience is said where it names one of them that is."""

AUDIENCES: Final = ("--gm", "--to Kit", "--to Odo")
PLACES: Final = ("", "first", "last", "alone", "second")
"""Where in the evening's first conflict somebody secret stands."""


AWAITED: Final = ("bruise", "guenask", "spacetime")
"""The games that wait for everybody in a conflict: nobody comes, or declares, in secret there."""


class Hidden(NamedTuple):
    """Something secret, said before a line of the evening."""

    before: int
    which: int
    audience: int


def in_conflict(line: str, where: str) -> str:
    """A conflict's line with the assassin where they stand in it, if anywhere."""
    if not line.startswith("conflict"):
        return line
    rest = line.replace("{first}", "Assassin+" if where == "first" else "", 1)
    rest = rest.replace("{first}", "Assassin+" if where == "second" else "")
    rest = rest.replace("{last}", "+Assassin" if where == "last" else "")
    return rest.replace("{alone}", " vs Assassin" if where == "alone" else "")


def say_beside(campaign: retold.Campaign, line: str, where: str) -> RecordedAct | None:
    """Says a line, in which somebody secret stands beside the others if that can be said there."""
    if where and "{beside}" in line:
        try:
            return campaign.scribe.say(line.replace("{beside}", "Assassin+")).done
        except Refused:
            pass
    return campaign.scribe.say(line.replace("{beside}", "")).done


def play(
    path: Path,
    game: str,
    hidden: Sequence[Hidden] = (),
    where: str = "",
    audience: str = "--gm",
    *,
    seed: bytes | None = SEED,
) -> retold.Campaign:
    """The evening with what is secret in it; the clock goes on with what all may know alone."""
    clock = TableClock()
    store = Store.create(path, seed=seed, clock=clock)
    store.seed = seed
    store.dealer = FirstDealer() if seed is None else None
    campaign = retold.Campaign.of(store)
    for line in BEGINNING:
        campaign.scribe.say(line)
    at = 0
    for number, line in enumerate((*EVENINGS[game], "")):
        for one in hidden:
            if min(one.before, len(EVENINGS[game])) == number:
                hide(campaign, SECRETS[one.which], AUDIENCES[one.audience], game)
        if line.startswith("? ") and where:
            hide(campaign, (line.removeprefix("? "),), audience, game)
        elif line and not line.startswith("? "):
            if where and line.startswith("conflict") and campaign.scribe.table.called("Assassin") is None:
                campaign.scribe.say(f"cast Assassin {SHEETS[game]} {audience}")
            clock.minute[0] += 1
            done = say_beside(campaign, in_conflict(line, where).replace("{at}", str(at)), where)
            at = at if done is None else done.first
    return campaign


def hide(campaign: retold.Campaign, lines: Sequence[str], audience: str, game: str) -> int:
    """Says them, as far as they can be said there; how many were recorded."""
    said = 0
    for line in lines:
        line = line.format(to=audience, sheet=SHEETS[game])  # noqa: PLW2901 -- the same, in full
        if (not said and line in ("undo", "redo")) or (
            line.startswith(("retcon", "redact", "reveal @")) and not said
        ):
            continue
        if (line.startswith(("join", "declare")) and game in AWAITED) or not may_be_said(campaign, line):
            continue
        try:
            campaign.scribe.say(line)
        except Refused:
            continue
        said += 1
    return said


def may_be_said(campaign: retold.Campaign, line: str) -> bool:
    """True for a line that hides what it does, because it says so or because of whom it names."""
    verb, name = line.split()[:2] if " " in line else (line, "")
    if verb == "cast" and name not in SECRET_PEOPLE and campaign.scribe.table.called(name) is None:
        return False
    if "by=Jon" in line and campaign.scribe.table.called("Jon") is None:
        return False
    if "--gm" in line or "--to" in line or line.split(maxsplit=1)[0] in ("undo", "redo", "retcon", "redact"):
        return True
    scribe = campaign.scribe
    try:
        outcome = scribe.check(lex(line))
    except Refused:
        return False
    shows = any(isinstance(event, e.Shown) for event in outcome.would)
    return not shows and bool(outcome.visible_to) and TABLE not in outcome.visible_to


# --- what is shown ----------------------------------------------------------------------------------------

IDS: Final = re.compile(r"\be[0-9a-f]{12}")


def numbered(text: str) -> str:
    """The text with its ids numbered in the order in which they are met."""
    known: dict[str, str] = {}
    return IDS.sub(lambda found: known.setdefault(found[0], f"e{len(known)}"), text)


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def shown(campaign: retold.Campaign, eyes: str) -> dict[str, str]:
    """Everything that is cheap to ask of a campaign, as a viewer may know it, by how it is asked for."""
    return {what: numbered(one) for what, one in _shown(campaign, eyes)}


def _shown(campaign: retold.Campaign, eyes: str) -> Iterator[tuple[str, str]]:
    seen = campaign.seen_by(eyes)
    read = LineView(campaign.scribe.campaign, 1).called(eyes)
    yield (
        "happened",
        "\n".join(
            f"{one.id} {one.at} {one.kind} {one.event!r} {one.told} {one[6:]}" for one in seen.happened()
        ),
    )
    yield "summary", "\n".join(summary(read.table, "mainline"))
    for name in VIEWS:
        view = seen.view(name)
        yield f"show {name}", canonical(view.to_json()) + repr(view.sheet())
    for name, counts in statistics(read).items():
        yield f"stats {name}", canonical(counts.to_json())
    yield "can", "\n".join(map(repr, seen.can()))
    yield "rolls", "\n".join(map(repr, seen.rolls()))
    for name in COMPLETED:
        yield f"completion {name}", repr(sorted(filter(None, COMPLETED[name](read))))
    yield "board", canonical(seen.board())
    for session in seen.sessions:
        yield f"recap s{session}", canonical(seen.recap(session).to_json())
    yield "replay of the last session", canonical(seen.replay(session).to_json())
    yield "replay of all", canonical(seen.replay("book").to_json())
    for voice in VOICES:
        yield (
            f"book {voice}",
            canonical(seen.transcript("book", voice, variations=True, ribbon=True).to_json()),
        )
    dossiers = Dossiers(read)
    people = (person.called for person in read.table.everybody())
    for name in (*people, *(matter.called for matter in read.table.every_matter())):
        yield f"who {name}", canonical(find_one(read, dossiers, name).to_json())
    early = LineView(campaign.scribe.campaign, 1, second_evening(campaign)).called(eyes)
    yield "diff", canonical(compare(early, read).to_json())
    for word in SEARCHED:
        yield f"search {word}", repr(seen.search(word))
    yield "people", canonical(dict(read.table.names()))
    yield "the table", repr(_open(read.table))


def second_evening(campaign: retold.Campaign) -> int:
    rows = campaign.scribe.campaign.record.rows(1, 0, None, ("table.session-opened",))
    return [row.position for row in rows][-1]


def _open(table: Table) -> dict[str, object]:
    """The table without what no viewer is shown of it: positions, and which sources a seed has dealt from."""
    kept = (
        "title",
        "people",
        "options",
        "sessions",
        "session",
        "absent",
        "scenes",
        "scene",
        "scene_title",
        "conflicts_ever",
    )
    return {name: getattr(table, name) for name in kept}


SEARCHED: Final = ("secret", "the", "kit", "zel", "assassin", "baron")
COMPLETED: Final = {
    "--at": completing._moments_known,
    "--who": completing._people_known,
    "who": completing._anything_known,
    "--branch": completing._lines_known,
}
