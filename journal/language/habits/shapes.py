"""What habits are made of: their shape, words in several of them, and what is said before a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class Habit(Struct, frozen=True):
    """Lines of one shape, and what they mean here.

    `form` is the shape of the whole line, in the notation of forms. `lines` are possible lines of this table:
    in braces stand slots of the form, and facts of the table and the line (`habit_facts`, `roll_facts`).
    """

    form: str
    lines: tuple[str, ...]
    says: str = ""
    """Words before the line in an answer; without them the first line is taken."""


AT_FIRST: Final = "(actually|but|correction|no|oops|sorry|wait)"
"""Words before a correction."""
BEGIN: Final = "(start|begin|new|open|run|next)"
END: Final = "(end|stop|finish|close|leave|quit)"
N: Final = "(INT:n|DICE:n)"
DAMAGE: Final = "(damage|dmg)"
SORTS: Final = (
    "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing"
    "|sneak attack|thunder"
)
"""Sorts of damage."""
TEST: Final = "(save|saves|check|checks|test|tests)"
HITS: Final = (
    "(attack|attacks|bashes|bites|charges|chops|claws|crits|cuts|engage|engages|fights|fire|fires|gores|hacks"
    "|hit|hits|jump|jumps"
    "|kicks|lunges|mauls|pierces|punches|rakes|shoot|shoots|slams|slashes|slices|sneak attacks|smashes|smites"
    "|spears|stab|stabs|strike|strikes|swings|tackles)"
    " [(back|out)] [(at|on)]"
)
BLOWS: Final = frozenset({*HITS.partition(")")[0].strip("(").split("|"), "kill", "kills", "slays"})
"""Words of a blow at a person."""
TOLD: Final = "narrate: {line}"
TOLD_BY_GM: Final = "narrate gm: {line}"
USES: Final = (
    "(uses|use|spends|expends|drinks|quaffs|eats|lights|burns|breaks|shoots|fires|throws|loses|drops)"
)
SPELL: Final = "ANY:spell [ANY:wording [ANY:ending]]"
WITH: Final = "[(with|using)]"
FEW_WORDS: Final = "ANY:first [ANY:second [ANY:third [ANY:fourth [ANY:spell [ANY:wording]]]]]"
SOAKS: Final = "(absorbs|absorb|marks|mark|resists|resist|soaks|soak|takes|take)"
HEALS_ANOTHER: Final = "(heals|treats|patches|bandages|stitches|helps|calms|steadies|soothes|tends)"
CARES: Final = frozenset(HEALS_ANOTHER.strip("()").split("|"))
"""Words of help to another person, which is not an attack."""
CASTS_SPELL: Final = "(casts|cast|uses|fires|throws|hurls)"
OF_SORT: Final = f"[([ANY:sort] {DAMAGE}|{SORTS})]"
POINTS: Final = "(fate points|fate point|fate|fp|point)"
HARMED: Final = "If that is harm"
FIRST: Final = "Rolled first"
HOW_MUCH: Final = "Say how much"
PLAYS: Final = "Who plays whom"
GAME_MASTER: Final = "[(game|dungeon)] (gm|dm|keeper|storyteller|narrator|mc|gamemaster|master)"
TO_ATTACK: Final = "To attack"
DRAWN: Final = "Cards are drawn"
TO_MOVE: Final = "To move"
DECLARED: Final = "An aspect, by a declaration"
CHECKED: Final = "The check that comes next"
PERHAPS: Final = "Perhaps"
REACHED: Final = "Which number that is"
CAME: Final = "On the die, or in all"
AN_ATTACK: Final = "An attack"
BY_SKILL: Final = "A roll, or told"
SURE_WITH_RESULTS: Final = frozenset({PERHAPS, TO_ATTACK, TO_MOVE, BY_SKILL, DECLARED, CHECKED, DRAWN})
"""Words before a line of dice that is certain once they have been thrown, if only one line may be meant."""
SURE_ALONE: Final = frozenset({CAME})
"""Words before lines of which the only one that the rules accept is certain."""
IN_PLAY_OR_TOLD: Final = "Declared, or told"
STATE: Final = "A state of your own, or told"
SEIZED: Final = "A condition, or told"
THING: Final = "A thing by its name"
TICKED: Final = "The clock, or told"
SLOTS: Final = "Slots that are counted, or told"
SPOKEN: Final = "In their words, or told"
OR_TOLD: Final[Mapping[str, str]] = {
    BY_SKILL: "For the roll:",
    SPOKEN: "For speech: undo, and",
    STATE: "To keep it:",
    THING: "To keep it:",
    TICKED: "To tick it:",
    SLOTS: "To count them:",
    SEIZED: "For the condition:",
}
"""Words before lines instead of which a sentence of the story is told; and before the line beside it."""
GUESSES: Final = frozenset({PERHAPS, REACHED})
"""Words before a line that rests on a guess."""
PAYS: Final = "(adds|burns|pays|pay|paid|spends|spend|spent|uses|used|loses|lose|lost)"
CASTS: Final = "(cast|npc|pc|actor|monster|creature)"
EACH: Final = "A roll of each"
ONE_LINE: Final = "One line at a time"
DONE: Final = Habit("PEOPLE:who ANY:done [PHRASE:more]", ("{done} {who} {more?}",))
"""A line that begins with who does it, and then has a verb of the game in play."""
STRIKES: Final = Habit(
    f"PEOPLE:by {HITS} PEOPLE:who [(again|back|hard|twice)] "
    "[ANY:box ANY:stat | [(in|on)] [ANY:box] (with|using) ANY:stat | (with|using) ANY:stat [on] ANY:box"
    " | ANY:box]",
    ("{strike} {by} {who} {box?} {armed?}",),
    TO_ATTACK,
)
"""A line about an attack, in a game that has a verb for it."""
SOAKED: Final = Habit(
    f"PEOPLE:who {SOAKS} INT:n [(shift|shifts|stress)] [(on|to) [(his|her|their|the)] ANY:box]",
    ("resist {who} {struck} {n}",),
)
"""A line about stress that is taken, while a roll is against its person."""
ROUND: Final = Habit("[(start|begin|first|next|new)] [the] (round|exchange) [INT:n]", ("exchange",))
"""A line that begins a round, in a game that has a verb for it."""
ACTS: Final = Habit(
    "PEOPLE:who ANY:against [ANY:first [ANY:second [ANY:third]]] PEOPLE:aim [ANY:last] (with|using) ANY:stat",
    ("attack {who} {rival} with {stat}", "maneuver {who} {aim} as … with {stat}"),
    "An attack, or an aspect that is made",
)
"""A line about an act on a person by a skill."""
NATURAL: Final = Habit(
    f"PEOPLE:by ({HITS} PEOPLE:who [(rolls|rolled|with)] [a] (nat|natural) INT:n"
    "|(nat|natural) INT:n (on|at|against|vs) PEOPLE:who)",
    ("{attack_at_foe} = {n}",),
)
"""A line about an attack with the number on its die, which the rules say the rest of."""
SKILL: Final = f"ANY:stat [saving] [{TEST}] [throw]"
THE: Final = "(the|a|his|her|their)"
