"""Habits of other tables and tools: shapes of lines, and the lines of this table that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class Habit(Struct, frozen=True):
    """Lines of one shape, and what they mean here.

    `form` is the shape of the whole line, in the notation of forms. `lines` are possible lines of this table:
    in braces stand slots of the form and facts of the table (`habit_facts`, which also tests some slots).
    """

    form: str
    lines: tuple[str, ...]
    says: str = ""
    """Words before the line in an answer; without them the first line is taken."""


SKILLS: Final[Mapping[str, str]] = {
    "athletics": "str",
    **dict.fromkeys(("acrobatics", "sleight", "sleight of hand", "stealth", "thieves tools"), "dex"),
    **dict.fromkeys(("arcana", "history", "investigation", "nature", "religion"), "int"),
    **dict.fromkeys(("animal handling", "insight", "medicine", "perception", "survival"), "wis"),
    "concentration": "con",
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "cha"),
}
"""Skills of games with six abilities, with the ability that each is rolled with."""

SKILL_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("convince", "persuade"), "persuasion"),
    **dict.fromkeys(("bluff", "deceive", "lie"), "deception"),
    **dict.fromkeys(("hide", "sneak"), "stealth"),
    **dict.fromkeys(("climb", "grapple", "jump", "shove", "swim"), "athletics"),
    **dict.fromkeys(("listen", "perceive", "search", "spot"), "perception"),
    **dict.fromkeys(("lockpick", "lockpicking", "lockpicks"), "thieves tools"),
    "handle animal": "animal handling",
    "intimidate": "intimidation",
    "investigate": "investigation",
    "perform": "performance",
}
"""Other words for a skill, as a roller may name it."""

ABILITIES: Final[Mapping[str, str]] = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
"""Abilities in full, with their names on sheets."""

OPPOSED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "insight"),
    **dict.fromkeys(("sleight", "sleight of hand", "stealth"), "perception"),
}
"""Skills that are answered with another one."""

SKILL_OF: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sneaks", "hides"), "stealth"),
    **dict.fromkeys(("climbs", "grapples", "jumps", "pushes", "shoves", "swims"), "athletics"),
    **dict.fromkeys(("checks", "listens", "looks", "searches", "spots"), "perception"),
    **dict.fromkeys(("disarms", "picks"), "sleight"),
    **dict.fromkeys(("examines", "investigates"), "investigation"),
    **dict.fromkeys(("lies", "bluffs", "cons", "deceives", "tricks"), "deception"),
    **dict.fromkeys(("threatens", "intimidates"), "intimidation"),
    **dict.fromkeys(("convinces", "persuades"), "persuasion"),
}
"""What people do, with the skill that it takes."""

ALIASES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("fight", "combat", "battle", "encounter", "duel", "skirmish", "brawl"), "conflict"),
    **dict.fromkeys(("ooc", "offtopic", "banter"), "aside"),
    **dict.fromkeys(("desc", "narration", "narrator", "narrative"), "narrate"),
    **dict.fromkeys(("npc", "pc", "actor", "monster", "creature", "enemy", "foe"), "cast"),
    **dict.fromkeys(("quest", "plot", "subplot", "arc", "mystery"), "thread"),
    **dict.fromkeys(("item", "object", "artefact", "artifact", "treasure"), "thing"),
    **dict.fromkeys(("location", "loc", "room"), "place"),
    **dict.fromkeys(("memo", "remark", "gmnote"), "note"),
    **dict.fromkeys(("throw", "toss", "dice", "rolls"), "roll"),
    **dict.fromkeys(("progress", "countdown"), "clock"),
    **dict.fromkeys(("bookmark", "checkpoint"), "mark"),
    **dict.fromkeys(("sitzung", "seance"), "session"),
    **dict.fromkeys(("szene", "scena", "escena"), "scene"),
    **dict.fromkeys(("kampf", "bataille"), "conflict"),
    **dict.fromkeys(("wurf", "wurfle", "jet", "lance"), "roll"),
    **dict.fromkeys(("notiz", "nota"), "note"),
    **dict.fromkeys(("ort", "lieu"), "place"),
    "rast": "rest",
    "condition": "status",
    "block": "see",
    "conceded": "concede",
    "zones": "map",
    "reverse": "see",
    "speak": "say",
    "tactic": "declare",
    "talk": "say",
    "checkout": "switch",
    "deal": "draw",
    "enter": "join",
    "flee": "leave",
    "counter": "track",
    "resource": "track",
}
"""Words of other tables for verbs of this one."""

_FIGHT: Final = "(combat|fight|battle|encounter|conflict|duel)"
_BEGIN: Final = "(start|begin|new|open|run|next)"
_END: Final = "(end|stop|finish|close|leave|quit)"
_SITTING: Final = "(session|game|evening|night)"
_OFFER: Final = "(compel|concession|deal|offer|point)"
_LOSES: Final = "(takes|take|took|suffers|suffer|loses|lose|lost)"
_SOAKS: Final = "(absorbs|absorb|marks|mark|resists|resist|soaks|soak|takes|take)"
_HARMS: Final = "(damage|dmg|hurt|harm|wound)"
_N: Final = "(INT:n|DICE:n)"
_DAMAGE: Final = "(damage|dmg)"
_HARM: Final = "(damage|dmg|hp|harm|hits|stress|wounds|points)"
SORTS: Final = (
    "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder"
)
"""Sorts of damage."""
_SAYS: Final = "(says|said|asks|asked|shouts|whispers)"
_TEST: Final = "(save|saves|check|checks|test|tests)"
_HITS: Final = (
    "(attack|attacks|bashes|bites|charges|chops|claws|crits|cuts|engage|engages|fights|fire|fires|gores|hacks"
    "|hit|hits|jump|jumps"
    "|kicks|lunges|mauls|pierces|punches|rakes|shoot|shoots|slams|slashes|slices|sneak attacks|smashes|smites"
    "|spears|stab|stabs|strike|strikes|swings|tackles) [(at|on)]"
)
BLOWS: Final = frozenset({*_HITS.partition(")")[0].strip("(").split("|"), "kill", "kills", "slays"})
"""Words of a blow at a person."""
_THROWS: Final = (
    "(aims|fires|flings|hurls|jabs|lobs|looses|lunges|shoots|slashes|stabs|swings|throw|throws|thrusts)"
)
_DOWN: Final = "(dead|defeated|down|out|taken out|unconscious|dying)"
_INIT: Final = "(initiative|init|i)"
_SHEET: Final = "(sheet|stats|skills|abilities|attributes|features|ac)"
_WHISPER: Final = "(whisper|w|pm|dm|msg|secret)"
_LESS: Final = "{hp} {who} {minus}{n}"
_BLOW: Final = "{hp} {who} {minus}{n}: {line}"
_MORE: Final = "{hp} {who} {plus}{n}"
_ROLL: Final = "{test}"
_RESULT: Final = (_ROLL, "{test_and_more}", "{rolled_face}", "{rolled_total}")
_OWN_ROLL: Final = "{own_test}"
_TOLD: Final = "narrate: {line}"
_TOLD_BY_GM: Final = "narrate gm: {line}"
_FIRST: Final = "Rolled first"
_HEALED: Final = "Say how much"
_USES: Final = (
    "(uses|use|spends|expends|drinks|quaffs|eats|lights|burns|breaks|shoots|fires|throws|loses|drops)"
)
_POTION: Final = "PEOPLE:who (uses|use|drinks|drink|takes|quaffs) [ANY:first [ANY:second]] potion"
_HEALS: Final = "[of ANY:third] [(for|heals|healing|restores)]"
_SPELL: Final = "ANY:spell [ANY:wording [ANY:ending]]"
_WITH: Final = "[(with|using)]"
_ASSESSES: Final = "(assess PEOPLE:who|PEOPLE:who (assesses|assess|studies|sizes up))"
_CREATES: Final = "PEOPLE:by (creates|makes|puts) [an] [(advantage|aspect)]"
_DEFENDS: Final = "(defends|defend|protects|protect|covers|guards|shields)"
_HEALS_ANOTHER: Final = "(heals|treats|patches|bandages|stitches|helps|calms|steadies|soothes|tends)"
CARES: Final = frozenset(_HEALS_ANOTHER.strip("()").split("|"))
"""Words of help to another person, which is no attack."""
_FEW_WORDS: Final = "ANY:first [ANY:second [ANY:third [ANY:fourth [ANY:spell [ANY:wording]]]]]"
_RULED: Final = "ruling {harmed}"
_CASTS_SPELL: Final = "(casts|cast|uses|fires|throws|hurls)"
_OF_SORT: Final = f"[([ANY:sort] {_DAMAGE}|{SORTS})]"
_DEALS: Final = "(deals|does|deal|do|rolls)"
_FALLS: Final = "(falls|fall|fell|slips|trips|tumbles|crashes)"
_STRESSED: Final = "ruling {who}.{stress}+={n}"
_COUNTED: Final = "ruling {counted}"
_UNCOUNTED: Final = (_STRESSED, "narrate: {uncounted}", "narrate gm: {uncounted}")
_BY_HEALING: Final = "ruling {healed}"
_ROLLED: Final = "(rolls|rolled|roll|got)"
_OUT: Final = (
    "{hp} {who} {end}",
    "leave {who}",
    "ruling {ruled}.hp=0: {line}",
    "ruling {ruled}.out=1: {line}",
    "narrate: {line}",
    "narrate gm: {line}",
)
_POINTS: Final = "(fate points|fate point|fate|fp|point)"
_MANEUVER: Final = ("{may_maneuver}", "aspect scene {quoted}")
_HARMED: Final = "If that is harm"
PERHAPS: Final = "Perhaps"
_PLAYS: Final = "Who plays whom"
_GAME_MASTER: Final = "[(game|dungeon)] (gm|dm|keeper|storyteller|narrator|mc|gamemaster|master)"
_REACHED: Final = "Which number that is"
_SUIT: Final = "(clubs|diamonds|hearts|spades):suit"
_CAME: Final = "On the die, or in all"
_OF_ATTACK: Final = (
    "{attack_faces}",
    "{attack_totals}",
    "{attack_total_and_face}",
    "{attack_face_and_total}",
)
_AT_FOE: Final = "{hp} {foe} {minus}{n}: {line}"
_SET: Final = "cast {whose} {stat}={n}"
_TO_ATTACK: Final = "To attack"
_TO_MOVE: Final = "To move"
_BY_SKILL: Final = "A roll, or told"
_TO_ASSESS: Final = "To assess"
_TO_DEFEND: Final = "To defend"
_TO_RESIST: Final = "To resist with it"
_RESISTED: Final = tuple(
    f"resist {{who}} {slot} as {{title_or_blank}}" for slot in ("mild", "moderate", "severe")
)
_DECLARED: Final = "An aspect, by a declaration"
_CHECKED: Final = "The check that comes next"
DRAWN: Final = "Cards are drawn"
SURE_WITH_RESULTS: Final = frozenset({PERHAPS, _TO_ATTACK, _TO_MOVE, _BY_SKILL, _DECLARED, _CHECKED, DRAWN})
"""Words before a line of dice that is certain once they have been thrown, if only one line may be meant."""
SURE_ALONE: Final = frozenset({_CAME})
"""Words before lines of which the only one that the rules accept is certain."""
GUESSES: Final = frozenset({PERHAPS, _REACHED})
"""Words before a line that rests on a guess."""
_PAYS: Final = "(adds|burns|pays|pay|spends|spend|uses|loses|lose)"
_HANDS: Final = "(gives|give|pays|pay|hands)"
_GETS: Final = "(gets|get|gains|gain|finds|find|earns|earn|receives|receive|steals|steal|picks up|buys)"
_AWARD: Final = "(give|gives|hand|hands|award|grant|add)"
_GAINS: Final = "(give|award|grant|add|loot|find)"
_FOUND: Final = "(loot|find|found)"
_ONE: Final = "(a|an|one|the|his|her|their)"
_PAID: Final = "pay {coin} {n} from {by} to {to}"
_LOOT: Final = ("{money} +{n}", "{money} {me} +{n}")
_NEW_COIN: Final = (
    "pay {coin} {n} from {purse} to {who}",
    "{coin} {who} +{n}",
    "pay {coin} {n} from {me} to {who}",
)
_CASTS: Final = "(cast|npc|pc|actor|monster|creature)"
EACH: Final = "A roll of each"
ONE_LINE: Final = "One line at a time"
_CONTEST: Final = f"[roll] PEOPLE:who ANY:stat [{_TEST}] vs PEOPLE:aim [ANY:skill] [{_TEST}]"
_BY_RULING: Final = "ruling {who}.{number}{sign}={n}"

DONE: Final = Habit("PEOPLE:who ANY:done [PHRASE:more]", ("{done} {who} {more?}",))
"""A line that begins with who does it, and then has a verb of the game in play."""
STRIKES: Final = Habit(
    f"PEOPLE:by {_HITS} PEOPLE:who [(again|back|hard|twice)] "
    "[ANY:box ANY:stat | [(in|on)] [ANY:box] (with|using) ANY:stat | (with|using) ANY:stat [on] ANY:box"
    " | ANY:box]",
    ("{strike} {by} {who} {box?} {armed?}",),
    _TO_ATTACK,
)
"""A line about an attack, in a game that has a verb for it."""
SOAKED: Final = Habit(f"PEOPLE:who {_SOAKS} INT:n [(shift|shifts|stress)]", ("resist {who} {struck} {n}",))
"""A line about stress that is taken, while a roll is against its person."""
ROUND: Final = Habit("[(start|begin|first|next|new)] [the] (round|exchange) [INT:n]", ("exchange",))
"""A line that begins a round, in a game that has a verb for it."""
ACTS: Final = Habit(
    "PEOPLE:who ANY:against [ANY:first [ANY:second [ANY:third]]] PEOPLE:aim [ANY:last] (with|using) ANY:stat",
    ("attack {who} {rival} with {stat}", "maneuver {who} {aim} as … with {stat}"),
    "An attack, or an aspect that is made",
)
"""A line about an act on a person by a skill."""

_HIDDEN: Final = "(secret|secretly|hidden|private|privately)"
_COME: Final = "(attack|attacks|ambush|ambushes|appear|arrive|come|charge)"
_SKILL: Final = f"ANY:stat [saving] [{_TEST}] [throw]"
_THE: Final = "(the|a|his|her|their)"
_GROUP: Final = "(group|party|all|everyone|everybody)"
_DEATH: Final = "death (save|saves|saving) [(throw|throws)]"
_MAKES: Final = "[(makes|rolls|rolled)] [(a|his|her|their)]"
_SPENT: Final = ("{coin} {who} -{n}: {line}",)
_PAYEE: Final = "[the] ANY:payee [ANY:second [ANY:third]]"
_LEVELS: Final = "((level|levelup) [up] PEOPLE:who|PEOPLE:who (levels|level) [up])"
_LEVEL: Final = ("level {who} {n}", "cast {whose} level={n}")

HABITS: Final = (
    # harm
    Habit(
        f"PEOPLE:who {_SOAKS} [(with|by)] INT:n [stress] [(on|in|to|with)] [{_THE}] ANY:box",
        ("resist {who} {box} {n}",),
    ),
    SOAKED,
    Habit(f"PEOPLE:who {_LOSES} {_N} [[ANY:sort] {_HARM}]", (_LESS,)),
    Habit(f"{_HARMS} PEOPLE:who [for] {_N} [[ANY:sort] {_DAMAGE}]", (_LESS,)),
    Habit(f"{_HARMS} {_N} [to] PEOPLE:who", (_LESS,)),
    Habit(f"[(deal|deals|do)] {_N} [ANY:sort] (damage|dmg|harm) (to|on) PEOPLE:who", (_LESS,)),
    Habit(f"(deal|deals|do) {_N} (to|on) PEOPLE:who", (_LESS,)),
    Habit("[deal] PEOPLE:who INT:n [ANY:sort] (damage|dmg|harm)", (_LESS,)),
    Habit("PEOPLE:who (damage|dmg|harm) INT:n", (_LESS,)),
    Habit(f"(heal|heals|cure) PEOPLE:who [(by|for)] {_N} [(hp|points)]", (_MORE,)),
    Habit(f"(heal|heals|cure) {_N} [(hp|points)] [(to|for|on)] PEOPLE:who", (_MORE,)),
    Habit(f"PEOPLE:who (heals|heal|regains|gains|recovers) [(by|for)] {_N} [(hp|points|health)]", (_MORE,)),
    Habit(f"PEOPLE:by {_HITS} PEOPLE:who for {_N} [[ANY:sort] (damage|dmg|hp)]", (_BLOW,)),
    Habit(f"PEOPLE:by {_HITS} PEOPLE:who {_N} [ANY:sort] {_DAMAGE}", (_BLOW,)),
    Habit(
        f"PEOPLE:by {_HITS} PEOPLE:who [(and|a)] (crit|crits|critical) for {_N} [[ANY:sort] {_DAMAGE}]",
        (_BLOW,),
    ),
    Habit(f"PEOPLE:by {_DEALS} {_N} (to|on) PEOPLE:who", (_BLOW,)),
    Habit(f"PEOPLE:by [{_DEALS}] {_N} [ANY:sort] {_DAMAGE} (to|on) PEOPLE:who", (_BLOW,)),
    Habit(f"PEOPLE:by {_CASTS_SPELL} {_SPELL} at PEOPLE:who for {_N} [[ANY:sort] {_DAMAGE}]", (_BLOW,)),
    Habit(
        f"PEOPLE:by {_CASTS_SPELL} {_SPELL} (at|on) PEOPLE:who"
        f" (INT:n [ANY:sort] {_DAMAGE}|DICE:n {_OF_SORT})",
        (_BLOW,),
    ),
    Habit(
        f"PEOPLE:who (is|are|was|were|gets|get|got)"
        " (hit|struck|bitten|burned|burnt|cut|hurt|shot|stabbed|wounded)"
        f" for {_N} [[ANY:sort] {_DAMAGE}]",
        (_BLOW,),
    ),
    Habit(
        f"PEOPLE:who {_FALLS} [{_SPELL}] [for] (INT:n [ANY:sort] {_DAMAGE}|DICE:n [[ANY:sort] {_DAMAGE}])",
        (_BLOW,),
    ),
    Habit(f"[(a|an|the)] {_SPELL} {_HITS} PEOPLE:who for {_N} [[ANY:sort] {_DAMAGE}]", (_BLOW,)),
    Habit(
        f"{_HARMS} PEOPLE:by PEOPLE:who INT:n",
        ("{hp} {who} {minus}{n}: {line}", "{hp} {by}+{who} {minus}{n}"),
        _HARMED,
    ),
    Habit(f"{_FALLS} [for] {_N} [[ANY:sort] {_DAMAGE}]", ("{hp} {me} {minus}{n}: {line}",), "Whose it is"),
    Habit(
        f"{_LOSES} {_N} [[ANY:sort] {_HARM}]",
        ("{hp} {me} {minus}{n}",),
        "Whose it is",
    ),
    Habit("(hit|hits) PEOPLE:who [for] INT:n [[ANY:sort] (damage|dmg)]", (_LESS, "{attack}"), _HARMED),
    Habit(
        "(kill|kills|slay|dead|down|ko) PEOPLE:who",
        _OUT,
        "Out of the fight",
    ),
    Habit(
        "PEOPLE:who (die|dies|died|is dead|is killed|is slain|are dead|are killed)",
        ("{hp} {who} {end}: {line}", "narrate: {line}{with_hp}"),
    ),
    Habit(
        "PEOPLE:by (kills|kill|slays|slay|finishes) [off] PEOPLE:who",
        ("{hp} {who} {end}: {line}", "narrate: {line}{with_hp}"),
    ),
    Habit("PEOPLE:who (dies|died|falls|drops|goes down|went down)", _OUT, "Out of the fight"),
    Habit("PEOPLE:who (drops|falls|goes) [down] to INT:n [hp]", ("{hp} {who} {n}",)),
    Habit("PEOPLE:who (surrenders|yields)", ("status {who} surrendered{with_hp}",)),
    Habit(
        "PEOPLE:who (flee|flees|escape|escapes|retreat|retreats) [PHRASE:more]",
        ("leave {who}: {line}{with_hp}",),
    ),
    Habit("PEOPLE:who (is|are|goes|falls|drops) ANY:condition", ("status {who} {condition}",)),
    Habit(f"PEOPLE:who (is|are) {_DOWN}", _OUT, "Out of the fight"),
    Habit(
        f"PEOPLE:by (heals|heal|cures) PEOPLE:who [(by|for)] {_N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {heals}",),
    ),
    Habit(
        "PEOPLE:by (heals|heal|cures) PEOPLE:who [(by|for)] INT:n [(hp|points)]",
        ("ruling {healed}: {line}",),
        "By ruling",
    ),
    Habit(
        "PEOPLE:by (heals|heal|cures) PEOPLE:who [(by|for)] INT:n [(hp|points)] : text",
        ("{hp} {who} {plus}{n}: {heals} {text}",),
    ),
    Habit(
        "PEOPLE:by (heals|heal|cures) PEOPLE:who [(by|for)] INT:n PHRASE:more",
        ("{hp} {who} {plus}{n}: {line}",),
        _HEALED,
    ),
    Habit(
        "PEOPLE:by (casts|cast) [ANY:kind] (cure|heal|healing) [ANY:first [ANY:second]] (on|to) PEOPLE:who",
        ("{hp} {who} {plus}{came}: {line}",),
    ),
    Habit(
        "PEOPLE:by"
        " ((casts|cast) [ANY:kind] (cure|heal|healing) [ANY:first [ANY:second]]|(lays|lay) [on] hands)"
        f" (on|to) PEOPLE:who [for] {_N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(
        f"PEOPLE:by {_CASTS_SPELL} {_SPELL} (on|to) PEOPLE:who for {_N} [(hp|points)]",
        ("{hp} {who} {minus}{n}: {line}", "{hp} {who} {plus}{n}: {line}"),
        "Less, or more",
    ),
    Habit(f"PEOPLE:by {_CASTS_SPELL} {_SPELL} (at|on) PEOPLE:who", ("{attack_thrown}",), _TO_ATTACK),
    Habit(
        f"PEOPLE:by (casts|cast|uses) {_SPELL} (on|at|to) PEOPLE:who",
        ("{hp} {who} {minus}{came}: {line}", "{hp} {who} {plus}{came}: {line}"),
        "Less, or more",
    ),
    Habit(
        f"{_POTION} {_HEALS} {_N} [(hp|points)]",
        ("potions {drinker} -1: {line}", "{hp} {drinker} {plus}{n} {thrown?}"),
        ONE_LINE,
    ),
    Habit(
        f"{_POTION} [PHRASE:more]",
        ("potions {drinker}{healed_by_dice} -1: {line}", "{hp} {drinker} {plus}{came}"),
        ONE_LINE,
    ),
    Habit(
        f"{_POTION} [PHRASE:more]",
        (
            "pay potions 1 from {potion_of} to {dry}",
            "{hp} {dry} {plus}{came}: {line}",
            "narrate {dry}: {line}",
        ),
        "None is counted for them",
    ),
    Habit(f"{_POTION} [PHRASE:more]", ("{hp} {who} {plus}{came}: {line}",)),
    Habit(f"{_POTION} {_HEALS} {_N} [(hp|points)]", ("{hp} {who} {plus}{n}: {line}",)),
    Habit(f"PEOPLE:who {_USES} [(a|an|one|the|his|her|their)] ANY:coin", ("{coin} {who} -1: {line}", _TOLD)),
    Habit(
        f"PEOPLE:who {_USES} [(a|an|one|his|her|their)] [{_SPELL}] (slot|slots)",
        ("track {who} {slots} -1: {line}", _TOLD),
    ),
    Habit(f"PEOPLE:who {_USES} INT:n ANY:coin", ("{coin} {who} -{n}",)),
    Habit(f"{_POTION} [PHRASE:more]", ("{hp} {who} {plus}1: {line}", _TOLD, _TOLD_BY_GM), _HEALED),
    Habit("(heal|heals|cure) PEOPLE:who [(by|for)] DICE:dice", ("roll {dice}: {line}{without_hp}",), _FIRST),
    Habit(
        f"PEOPLE:who {_LOSES} DICE:dice [[ANY:sort] {_HARM}]", ("roll {dice}: {line}{without_hp}",), _FIRST
    ),
    Habit("(heal|cure) PEOPLE:who", ("{hp} {who} {plus}1",), "Say how much"),
    Habit(f"PEOPLE:who {_DOWN}", _OUT, "Out of the fight"),
    Habit(f"PEOPLE:who {_LOSES} {_N} ({SORTS})", (_LESS,)),
    Habit(
        f"PEOPLE:who {_LOSES} INT:n (ANY:box [stress]|[stress] (in|on|to) [{_THE}] ANY:box)",
        ("resist {who} {box} {n}",),
    ),
    Habit(
        f"PEOPLE:who {_LOSES} INT:n (ANY:box [stress]|[stress] (in|on|to) [{_THE}] ANY:box)",
        ("ruling {who}.{box}-stress+={n}",),
        "By ruling",
    ),
    Habit(
        f"PEOPLE:who {_LOSES} INT:n [ANY:sort] stress",
        ("{may_apply}", _STRESSED, _TOLD, _TOLD_BY_GM),
        "By the act, or by ruling",
    ),
    Habit("stress PEOPLE:who ANY:box INT:n", ("ruling {who}.{box}-stress+={n}",), "By ruling"),
    # numbers on a sheet that play changes, where no track is harmed
    Habit("[set] ANY:count PEOPLE:who [to] INT:n", (_COUNTED,)),
    Habit("[set] PEOPLE:who ANY:count [to] INT:n", (_COUNTED,)),
    Habit("PEOPLE:who [has] INT:n ANY:count", (_COUNTED,)),
    Habit("ANY:count INT:n PEOPLE:who", (_COUNTED,)),
    Habit("ANY:count PEOPLE:who ANY:amount", (_COUNTED, "cast {whose} {in_all}"), "Left, or in all"),
    Habit("PEOPLE:who ANY:count ANY:amount", (_COUNTED, "cast {whose} {in_all}"), "Left, or in all"),
    Habit("(heal|heals|cure) PEOPLE:who [(by|for)] INT:n [(hp|points)]", (_BY_HEALING,)),
    Habit("(heal|heals|cure) INT:n [(hp|points)] [(to|for|on)] PEOPLE:who", (_BY_HEALING,)),
    Habit("PEOPLE:who (heals|heal|regains|recovers) [(by|for)] INT:n [(hp|points|health)]", (_BY_HEALING,)),
    Habit(f"PEOPLE:who {_LOSES} INT:n [[ANY:sort] {_HARM}]", (_RULED,)),
    Habit(f"{_HARMS} PEOPLE:who [for] INT:n [[ANY:sort] (damage|dmg)]", (_RULED,)),
    Habit("[(deal|deals|do)] INT:n [ANY:sort] (damage|dmg|harm) (to|on) PEOPLE:who", (_RULED,)),
    Habit("(heal|heals|cure) PEOPLE:who [(by|for)] INT:n [(hp|points)]", _UNCOUNTED[1:], "Told"),
    Habit(f"PEOPLE:who {_LOSES} INT:n [[ANY:sort] {_HARM}]", _UNCOUNTED, "By ruling, or told"),
    Habit(f"{_HARMS} PEOPLE:who [for] INT:n [[ANY:sort] (damage|dmg)]", _UNCOUNTED, "By ruling, or told"),
    Habit(
        "ANY:track PEOPLE:who SIGNED:change (half|halved|double|doubled|twice|resistant) [PHRASE:more]",
        ("{track} {who} {change}", "{track} {who} {halved}"),
        "As it is, or half of it",
    ),
    Habit(f"PEOPLE:who {_LOSES} half of INT:n [[ANY:sort] {_HARM}]", ("{hp} {who} {halved}",)),
    Habit(
        f"PEOPLE:who {_LOSES} INT:n [[ANY:sort] {_HARM}] (half|halved|resistant|resists) [PHRASE:more]",
        ("{hp} {who} {minus}{n}", "{hp} {who} {halved}"),
        "As it is, or half of it",
    ),
    Habit("ANY:track PEOPLE:who DICE:change PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit("ANY:track PEOPLE:who SIGNED:change PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit("PEOPLE:who ANY:track SIGNED:change PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit("PEOPLE:who SIGNED:change ANY:track PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit(
        f"PEOPLE:who {_LOSES} INT:n [[ANY:sort] {_HARM}] (by|from|of) PHRASE:why",
        ("{hp} {who} {minus}{n}: {why}",),
    ),
    Habit("PEOPLE:who (fail|fails|failed) INT:n [ANY:sort] (damage|dmg)", (_BLOW,)),
    Habit(
        "PEOPLE:who (SIGNED:change|DICE:change)", ("{hp} {who} {change}",), "A line begins with what is done"
    ),
    Habit("ANY:track SIGNED:change PEOPLE:who", ("{track} {who} {change}",)),
    Habit("PEOPLE:who SIGNED:change ANY:track", ("{track} {who} {change}",)),
    Habit("PEOPLE:by ANY:harms PEOPLE:who for INT:n [[ANY:sort] (damage|dmg)]", (_LESS,), _HARMED),
    # counters, levels, rolls of the whole party and for life
    Habit(
        "(PEOPLE:who ANY:coin SIGNED:n|PEOPLE:who SIGNED:n ANY:coin|ANY:coin PEOPLE:who SIGNED:n)",
        ("{coin} {who} {sign}{n}",),
    ),
    Habit("ANY:coin PEOPLE:who INT:n", ("{coin} {who} {n}",)),
    Habit("ANY:coin SIGNED:n", ("{coin} {keeper} {sign}{n}",)),
    Habit("ANY:coin SIGNED:n", ("{coin} {me} {sign}{n}", "{coin} all {sign}{n}"), "Say whose"),
    Habit("ANY:coin SIGNED:n", ("{coin} {me} {sign}{n}",), "Say whose"),
    Habit(f"{_USES} [(a|an|one)] ANY:coin", ("{coin} {keeper} -1", "{coin} {me} -1"), "Say whose"),
    Habit(f"{_USES} [(a|an|one)] ANY:coin", ("{coin} {me} -1",), "Say whose"),
    Habit("PEOPLE:who (is|are|reaches|reach|hits|makes|becomes) [now] [at] level INT:n [now]", _LEVEL),
    Habit("PEOPLE:who (levels|level) up to [level] INT:n", _LEVEL),
    Habit("[we (are|reach|hit)] [now] level INT:n [now]", ("level all {n}",), "Whose it is"),
    Habit(_LEVELS, ("level {who} +1{leveled}",)),
    Habit(_LEVELS, ("level {who} 2{unleveled}", "cast {whose} {raised}"), "A new number on the sheet"),
    Habit(
        "[we] (level|levelup) [up]",
        ("level all +1{leveled}", "level all 2{unleveled}", "cast {me} {raised}"),
        "Whose it is",
    ),
    Habit(
        f"({_DEATH} [for] PEOPLE:who|PEOPLE:who {_MAKES} {_DEATH})", ("roll {who} 1d20 vs 10: death save",)
    ),
    Habit(
        f"({_DEATH} [for] PEOPLE:who|PEOPLE:who {_MAKES} {_DEATH} [(is|of|with|for)] [a]) INT:n",
        ("roll {who} 1d20 vs 10 = {n}: death save",),
    ),
    Habit(_DEATH, ("roll {me} 1d20 vs 10: death save",), "Whose it is"),
    Habit(f"{_GROUP} [{_TEST}] [(roll|rolls)] {_SKILL} [[vs] INT:n]", ("{party_test}",)),
    Habit(
        f"{_SKILL} ([(for|by)] [the] {_GROUP} [[vs] INT:n]|[vs] INT:n [(for|by)] [the] {_GROUP})",
        ("{party_test}",),
    ),
    Habit(f"we [all] (roll|make) [a] {_SKILL} [[vs] INT:n]", ("{party_test}",)),
    # what the game in play calls it
    Habit(
        f"PEOPLE:by {_DEFENDS} PEOPLE:who ANY:box {_WITH} ANY:sheet",
        ("defend {by} {who} {box} with {sheet}",),
    ),
    Habit(
        f"PEOPLE:by {_DEFENDS} PEOPLE:who {_WITH} ANY:sheet",
        ("defend {by} {who} {recovered} with {sheet}",),
        _TO_DEFEND,
    ),
    Habit(
        f"PEOPLE:who (defends|defend|dodges|dodge|parries|parry|blocks|guards)"
        f" [(himself|herself|itself|themselves|themself)] {_WITH} ANY:sheet",
        ("defend {who} {recovered} with {sheet}",),
        _TO_DEFEND,
    ),
    Habit(
        f"PEOPLE:who (recovers|recover|clears) [INT:n] [(of|on)] [{_THE}] ANY:box {_WITH} ANY:stat",
        ("recover {who} {box} with {stat}",),
    ),
    Habit(
        "PEOPLE:who (keeps|keep) (at|attacking|firing|going|hitting|on|shooting) [PHRASE:more]",
        ("continue {who}",),
        "To go on as before",
    ),
    Habit(
        f"PEOPLE:by (gives|puts|pins) PEOPLE:who [{_THE}] [aspect] ANY:quote {_WITH} ANY:sheet",
        ('maneuver {by} {who} as "{quote}" with {sheet}',),
    ),
    Habit(
        "PEOPLE:who ANY:verb (across|over|past|through|via) ANY:wording (into|to) ANY:zone"
        f" {_WITH} ANY:sheet",
        ("move {who} to {wording} {zone} with {sheet}",),
    ),
    Habit("(first|new|next) exchange PHRASE:words", ("exchange {words}",)),
    Habit("PEOPLE:by (compels|compel) PEOPLE:who PHRASE:words", ("compel {who} {words} --by {by}",)),
    Habit(f"{_GAME_MASTER} (compels|compel) PEOPLE:who PHRASE:words", ("compel {who} {words}",)),
    *(
        Habit(
            f"PEOPLE:who ANY:verb (to|into|towards) ANY:zone {free}",
            ("move {who} to {zone} --free", "move {who} to {zone} with {sheet} {thrown}"),
            "A free move has no dice",
        )
        for free in (f"[for] free {_WITH} ANY:sheet", f"{_WITH} ANY:sheet [for] free")
    ),
    DONE,
    Habit(
        "(attack|at|defend|recover):verb PEOPLE:by [PEOPLE:who] ANY:box ANY:sheet",
        ("{verb} {by} {who?} {box} with {sheet}",),
    ),
    Habit(
        "(attack|at|defend|recover):verb PEOPLE:by [PEOPLE:who] [with] ANY:sheet [on] ANY:box",
        ("{verb} {by} {who?} {box} with {sheet}",),
    ),
    Habit(
        "maneuver PEOPLE:by PEOPLE:who (with|using) ANY:sheet [as] ANY:title",
        ("maneuver {by} {who} as {quoted} with {sheet}",),
    ),
    Habit(
        "maneuver PEOPLE:by PEOPLE:who [(with|using)] ANY:sheet : text",
        ("maneuver {by} {who} as {told} with {sheet}",),
    ),
    Habit(
        "maneuver PEOPLE:by PEOPLE:who (with|using) ANY:sheet",
        ("maneuver {by} {who} as … with {sheet}",),
        "An aspect that is made",
    ),
    *(
        Habit(
            "(maneuver PEOPLE:by|PEOPLE:by (maneuvers|maneuver)) [(on|at|against)] PEOPLE:who"
            f" [as] {_FEW_WORDS} {armed}",
            ("maneuver {by} {who} as {quoted} with {sheet}",),
        )
        for armed in ("(with|using) ANY:sheet", "ANY:sheet")
    ),
    Habit(
        "PEOPLE:by (creates|gives|makes|pins|places|puts) [the] ANY:quote (at|on|to) PEOPLE:who"
        f" {_WITH} ANY:sheet",
        ('maneuver {by} {who} as "{quote}" with {sheet}',),
    ),
    STRIKES,
    Habit(
        f"{_ASSESSES} PEOPLE:aim {_WITH} ANY:stat [vs INT:n]",
        ("assess {who} {aim} as {only_found} with {stat} {against}",),
    ),
    Habit(
        f"{_ASSESSES} PEOPLE:aim {_WITH} ANY:stat vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("assess {who} {aim} as {only_found} with {stat} vs {skill}",),
    ),
    Habit(
        f"{_ASSESSES} PEOPLE:aim {_WITH} ANY:stat [vs INT:n]",
        ("assess {who} {aim} as {found} with {stat} {against}",),
        _TO_ASSESS,
    ),
    Habit(
        f"{_ASSESSES} PEOPLE:aim {_WITH} ANY:stat vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("assess {who} {aim} as {found} with {stat} vs {skill}",),
        _TO_ASSESS,
    ),
    *(
        Habit(f"{_ASSESSES} PEOPLE:aim [as] {_FEW_WORDS} {armed} {goal}", (line,))
        for armed in ("(with|using) ANY:stat", "ANY:stat")
        for goal, line in (
            ("[vs INT:n]", "assess {who} {aim} as {quoted} with {stat} {against}"),
            (
                "vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
                "assess {who} {aim} as {quoted} with {stat} vs {skill}",
            ),
        )
    ),
    Habit(
        "PEOPLE:by ANY:does [at] PEOPLE:who ANY:box",
        ("{strike} {by} {who} {box} with {skill_of}",),
        _TO_ATTACK,
    ),
    Habit(
        "PEOPLE:by (engage|engages|attack|attacks|charge|charges|fight|fights|tackles|rush|rushes"
        "|go for|goes for|go after|goes after|take on|takes on|come at|comes at) PEOPLE:who [back]",
        ("declare {by} {engage} {who}",),
    ),
    Habit("PEOPLE:who (other|act|acts) : text", ("declare {who} other: {text}",)),
    Habit(
        "[approach] PEOPLE:who (opposed|unopposed):how (neutral|physical):way",
        ("approach {who} {how} {way}",),
    ),
    Habit(
        "[approach] PEOPLE:who (neutral|physical):way (opposed|unopposed):how",
        ("approach {who} {how} {way}",),
    ),
    Habit(
        "(approach|escalate):verb PEOPLE:who (opposed|unopposed):how",
        ("{verb} {who} {how} neutral", "{verb} {who} {how} physical"),
        "In words, or with more than words",
    ),
    Habit("PEOPLE:who (blocks|reverses|sees) [it] with ANY:pool", ("see {who} {pool}",)),
    Habit("PEOPLE:who takes [the] (blow|it) with ANY:pool", ("see {who} {pool}",)),
    Habit("PEOPLE:who resists with ANY:pool", ("resist {who} {pool}",)),
    Habit("PEOPLE:who takes [it] [(in|on)] ANY:box", ("fallout {who} {box}",)),
    Habit("PEOPLE:who (shows|show)", ("quality {who}",)),
    Habit(f"PEOPLE:who (chooses|choose|picks|names) {_SUIT}", ("colour {who} {suit}",)),
    Habit(_SUIT, ("colour {suit}",)),
    Habit("PEOPLE:who ANY:hand", ("draw {who} {hand}",), DRAWN),
    Habit("draw PEOPLE:who ANY:first [and] ANY:second", ("draw {who} {first}+{second}",)),
    Habit("[draw] PEOPLE:who [(draw|draws)] INT:n (card|cards)", ("draw {who} {n}",)),
    Habit("draw INT:n [(card|cards)] for PEOPLE:who", ("draw {who} {n}",)),
    Habit("PEOPLE:who (gets|earns) [a] legacy [point]", ("award {who}",)),
    Habit("legacy [point] [(for|to)] PEOPLE:who", ("award {who}",)),
    Habit("tilt PEOPLE:who (to|towards|toward) (destiny|fate):way [[by] INT:n]", ("tilt {who} {way} {n?}",)),
    Habit("PEOPLE:who (spends|uses|pays) [a] (karma|destiny|fate) [point]", ("{may_karma}",), "To spend it"),
    Habit("PEOPLE:who (wants|want) : text", ("outcome {who}: {text}",)),
    Habit(
        "PEOPLE:who (wants|want) PHRASE:words", ("outcome {who}: {words}", _TOLD, _TOLD_BY_GM), "An outcome"
    ),
    Habit("PEOPLE:who (tells|describes) : text", ("narrate {who}: {text}",)),
    Habit("PEOPLE:by (guard|guards) PEOPLE:who", ("declare {by} guard {who}",)),
    Habit("PEOPLE:who (guard|guards)", ("declare {who} guard",)),
    Habit("PEOPLE:who (advance|advances)", ("declare {who} advance",)),
    Habit("PEOPLE:who (stand|stands)", ("declare {who} stand",)),
    Habit(f"PEOPLE:who (hold|holds|stand|stands) {_THE} ground", ("declare {who} stand",)),
    Habit("declare PEOPLE:by (attack|attacks|engages) PEOPLE:who", ("declare {by} {engage} {who}",)),
    Habit("declare PEOPLE:by guards [PEOPLE:who]", ("declare {by} guard {who?}",)),
    Habit("PEOPLE:who (passes|pass|skips|skip) [[(a|the|her|his|their)] turn]", ("simple {who}",)),
    Habit(
        "PEOPLE:who (waits|wait|holds|hold|passes|pass)",
        ("declare {who} stand", "simple {who}", _TOLD, _TOLD_BY_GM),
        "To wait",
    ),
    Habit("(pass|skip)", ("simple {me}",), "To wait"),
    Habit("PEOPLE:who [(acts|goes|is|are)] (first|next|now|up)", ("next {who}",)),
    Habit("PEOPLE:who (bids|bid) INT:n", ("next {who} {n}",), "With the bids of others behind it"),
    Habit(
        "PEOPLE:who (bids|bid) INT:n [and] PEOPLE:to [(bids|bid)] INT:goal", ("next {who} {n} {to} {goal}",)
    ),
    Habit(
        f"PEOPLE:by {_DEFENDS} PEOPLE:who [PHRASE:more]",
        ("declare {by} guard {who}", "{may_defend}", _TOLD, _TOLD_BY_GM),
        _TO_DEFEND,
    ),
    Habit(
        "PEOPLE:who (defends|defend|dodges|dodge|parries|parry|blocks|guards) [PHRASE:more]",
        ("{may_resist}", "declare {who} guard", "{may_defend}", _TOLD, _TOLD_BY_GM),
        _TO_DEFEND,
    ),
    Habit(
        "(defend|protect|guard) PEOPLE:who [PHRASE:more]",
        ("{may_resist}", "declare {me} guard {who}", "{may_defend}"),
        _TO_DEFEND,
    ),
    Habit("full (defense|defence) [PEOPLE:who]", ("{may_defend}",), _TO_DEFEND),
    Habit("PEOPLE:who full (defense|defence)", ("{may_defend}",), _TO_DEFEND),
    Habit("move ANY:zone PEOPLE:who", ("move {who} to {zone}",)),
    Habit("move PEOPLE:who ANY:zone [PHRASE:more]", ("move {who} to {zone} {more?}",)),
    Habit(
        "PEOPLE:who ANY:verb [(back|down|out|over|up)] (to|into|towards) ANY:zone [PHRASE:more]",
        ("move {who} to {zone} {more?}", _TOLD, _TOLD_BY_GM),
        _TO_MOVE,
    ),
    Habit("PEOPLE:who ANY:zone", ("place {who} {zone}", "move {who} to {zone}"), "Placed, or a move"),
    Habit(
        "PEOPLE:who [(is|are|start|starts|begin|begins|stand|stands)] (in|at|on) ANY:zone",
        ("place {who} {zone}",),
    ),
    Habit("put PEOPLE:who (in|at|on) ANY:zone", ("place {who} {zone}",)),
    Habit("(zones|map) PHRASE:title", ("map {zones}",), "Between two zones comes what it takes to cross"),
    Habit("(create|creates|make) [an] advantage PEOPLE:who PHRASE:title", _MANEUVER, "An advantage"),
    Habit("(create|creates|make) [an] advantage PEOPLE:who : text", _MANEUVER, "An advantage"),
    Habit(
        f"{_CREATES} (at|on|for) PEOPLE:who ANY:quote {_WITH} ANY:sheet",
        ('maneuver {by} {who} as "{quote}" with {sheet}',),
    ),
    Habit(
        f"{_CREATES} (at|on|for) PEOPLE:who {_FEW_WORDS} ANY:sheet",
        ("maneuver {by} {who} as {quoted} with {sheet}",),
    ),
    Habit(
        "PEOPLE:who (creates|create|makes) [an] (advantage|aspect) : text",
        (*_MANEUVER, _TOLD, _TOLD_BY_GM),
        "An advantage",
    ),
    Habit(
        "PEOPLE:who (creates|create|makes) [an] (advantage|aspect) [PHRASE:more]",
        ("{may_maneuver}", _TOLD, _TOLD_BY_GM),
        "An advantage",
    ),
    Habit(
        "PEOPLE:by (maneuvers|maneuver) [(on|at|against)] PEOPLE:who ANY:title",
        ("maneuver {by} {who} as {quoted}",),
    ),
    Habit("declare PEOPLE:who : text", ("aspect scene {told} --by {who}",)),
    Habit("declare : text", ("aspect scene {told}",)),
    Habit("PEOPLE:who declares that PHRASE:title", ("aspect scene {quoted} --by {who}",), _DECLARED),
    Habit("PEOPLE:who declares PHRASE:title", ("aspect scene {quoted} --by {who}",), _DECLARED),
    Habit("aspect PHRASE:title", ("aspect scene {quoted}", "aspect {me} {quoted}"), "What has it"),
    Habit("boost ANY:aspect [(on|for|to|against)] PEOPLE:who", ("aspect {who} {aspect}",), "An aspect"),
    Habit("boost PEOPLE:by", ("{may_boost}", "{now}"), "A roll is boosted while it is open"),
    Habit("invoke PHRASE:words", ("invoke {invoker} {words}",)),
    Habit("invoke ANY:aspect PEOPLE:who", ("invoke {who} {aspect}",)),
    Habit("(use|tag) PHRASE:words", ("invoke {invoker} {words}",), "To invoke it"),
    Habit("PEOPLE:who (uses|use|tags|tag) PHRASE:words", ("invoke {who} {words}",), "To invoke it"),
    Habit(
        f"PEOPLE:who {_PAYS} [[(a|one)] {_POINTS}] to refuse",
        ("refuse {who}",),
    ),
    Habit(
        f"PEOPLE:who {_PAYS} [(a|an|one|the)] [free] invoke (of|on) PHRASE:words",
        ("invoke {who} {words} --free",),
        "To invoke it",
    ),
    Habit(
        f"PEOPLE:who {_PAYS} [(a|one)] {_POINTS} (for|on) PHRASE:words",
        ("invoke {who} {words}",),
        "To invoke it",
    ),
    Habit(f"PEOPLE:who {_PAYS} [(a|one)] {_POINTS} PHRASE:words", ("invoke {who} {words}",), "To invoke it"),
    Habit(f"PEOPLE:who {_PAYS} [(a|one)] {_POINTS} : text", ("invoke {who} {text}",), "To invoke it"),
    Habit("(remove|delete|end) aspect PHRASE:title", ("aspect scene {quoted} --gone",), "Away with it"),
    Habit(f"PEOPLE:who (accepts|accept|agrees|agree|yes) [(it|[the] {_OFFER})]", ("accept {who}",)),
    Habit(f"PEOPLE:who (takes|take) the {_OFFER}", ("accept {who}",)),
    Habit(
        "PEOPLE:who (refuses|refuse|rejects|reject|declines|says no|turns down|turns)"
        f" [(it down|it|[the] {_OFFER})]",
        ("refuse {who}",),
    ),
    Habit(
        "PEOPLE:who [(takes|take)] [a] (mild|moderate|severe):slot [consequence] : text",
        ("resist {who} {slot} as {told}",),
    ),
    Habit(
        "PEOPLE:who (takes|take|gets|has) [a] (mild|moderate|severe):slot consequence [PHRASE:title]",
        ("resist {who} {slot} as {title_or_blank}", _TOLD, _TOLD_BY_GM),
        _TO_RESIST,
    ),
    Habit(
        "PEOPLE:who (takes|take) [a] consequence : text",
        tuple(line.replace("title_or_blank", "told") for line in _RESISTED),
        _TO_RESIST,
    ),
    Habit("PEOPLE:who (takes|take) [a] consequence [PHRASE:title]", _RESISTED, _TO_RESIST),
    Habit(
        "PEOPLE:who (mild|moderate|severe):slot consequence [PHRASE:title]",
        ("resist {who} {slot} as {title_or_blank}",),
        _TO_RESIST,
    ),
    Habit(
        "(resist|boost|alter):verb PEOPLE:who [as] ANY:title (mild|moderate|severe):slot",
        ("{verb} {who} {slot} as {quoted}",),
    ),
    Habit(
        "(resist|boost|alter):verb PEOPLE:who (mild|moderate|severe):slot : text",
        ("{verb} {who} {slot} as {told}",),
    ),
    Habit(
        "resist PEOPLE:who ANY:box INT:n [a] (mild|moderate|severe):slot PHRASE:title",
        ("resist {who} {box} {n} {slot} as {quoted}",),
    ),
    Habit("resist PEOPLE:who (mild|moderate|severe):slot PHRASE:title", ("resist {who} {slot} as {quoted}",)),
    Habit(
        "PEOPLE:who (takes|take|took) [the]"
        " (it all|all of it|it|that|all|everything|rest|hit|blow|shot|stress)"
        " [[(on|to|in)] [(his|her|their|the)] ANY:box]",
        ("resist {who} {box?}",),
    ),
    Habit("clear stress", ("{clears}", "clear {me} {cleared}"), "Whose, and of which track"),
    Habit("clear (all|everybody|everyone|party)", ("{clears}",), "Whose, and of which track"),
    Habit(
        "clear PEOPLE:who",
        tuple(f"clear {{who}} {what}" for what in ("stress", "mild", "moderate", "severe")),
        "Say what",
    ),
    Habit("clear PEOPLE:who", ("clear {who} stress",)),
    Habit(
        "PEOPLE:who (recovers|heals)",
        ("recover {who} {cleared}", "clear {who} {cleared}", _TOLD),
        "Of which track",
    ),
    Habit(f"(give|award) PEOPLE:who [a] {_POINTS}", ("ruling {who}.points+=1",), "By ruling"),
    Habit(
        f"PEOPLE:who (gets|gains|takes|receives|earns) [(a|one)] {_POINTS}",
        ("ruling {who}.points+=1", _TOLD, _TOLD_BY_GM),
        "By ruling",
    ),
    Habit(
        f"PEOPLE:who (spends|pays|loses|uses) [(a|one)] {_POINTS}",
        ("ruling {who}.points-=1", _TOLD, _TOLD_BY_GM),
        "By ruling",
    ),
    Habit(f"{_POINTS} PEOPLE:who SIGNED:n", ("ruling {who}.points{sign}={n}",)),
    Habit(f"PEOPLE:who {_POINTS} SIGNED:n", ("ruling {who}.points{sign}={n}",)),
    Habit(f"{_POINTS} PEOPLE:who INT:n", ("ruling {who}.points={n}",)),
    Habit(
        f"(spend|use|pay) [(a|one)] {_POINTS}",
        ("{may_invoke}", "ruling {me}.points-=1"),
        "It is paid by an invoke, or by ruling",
    ),
    Habit("PEOPLE:who (spends|spend) INT:shifts [(shift|shifts)] [on] time", ("spend {who} time {shifts}",)),
    Habit("refresh", ("session", "{points_again}"), "Points come with a session, or by ruling"),
    Habit("(victory|winner) PEOPLE:who", ("end conflict victory {who}",), "To end it"),
    Habit(
        "PEOPLE:who (wins|win|won) [the] [(fight|combat|battle|conflict)]",
        ("end conflict victory {who}", _TOLD, _TOLD_BY_GM),
        "To end it",
    ),
    Habit("retreat PEOPLE:who", ("leave {who}",), "To go"),
    Habit(
        "PEOPLE:who (draws|draw) [PHRASE:more]",
        ("{may_check}", _TOLD, _TOLD_BY_GM),
        DRAWN,
    ),
    Habit("PEOPLE:who", ("{may_check}", "draw {who}"), DRAWN),
    Habit("(deal|draw) PEOPLE:who", ("{may_check}", "{now}"), DRAWN),
    Habit("(deal|draw) [a] (card|cards)", ("{may_check}", "{now}"), DRAWN),
    Habit("[PEOPLE:who] (see|sees|call|calls) [PHRASE:more]", ("{may_see}",), "To see"),
    Habit("PEOPLE:who (takes|take) [the] (blow|it|hit)", ("{may_see}",), "To see"),
    Habit("(fold|pass|quit|yield)", ("give {me}",), "To give in"),
    Habit("i ANY:done [PHRASE:more]", ("{done} {me} {more?}",), "Who does it"),
    Habit("check PEOPLE:by vs PEOPLE:who", ("check {by} {who}",)),
    Habit("PEOPLE:by [vs] PEOPLE:who", ("check {by} {who}", "declare {by} {engage} {who}"), _CHECKED),
    Habit(
        "check PEOPLE:who [ANY:word] INT:n vs [PEOPLE:aim] [ANY:word] INT:goal",
        ("check {who} {n} vs {goal}",),
        "By the numbers alone",
    ),
    Habit("(shuffle|reshuffle) [the] (deck|cards)", ("shuffle {me}",), "Whose deck"),
    Habit("(resolve|resolution)", ("clash", "{now}"), "What comes next"),
    # coins and other counters
    Habit(
        "PEOPLE:who (takes|take|keeps|pockets) INT:n ANY:coin",
        ("{coin} {who} +{n}", "pay {coin} {n} from party to {who}"),
        "New, or out of the purse",
    ),
    Habit(
        "PEOPLE:who (buys|buy) [ANY:first [ANY:second [ANY:third]]] for INT:n ANY:coin",
        ("{coin} {who} -{n}: {line}",),
        "Paid for",
    ),
    Habit(
        "(split|share|divide) [(all|up)] (INT:n ANY:coin|ANY:coin INT:n) [PHRASE:more]",
        ("pay {coin} {share} from {purse} to {party}", "{coin} +{n}", "{coin} all +{share}"),
        "Into the purse, or to each",
    ),
    Habit(f"(we|[the] (party|group)) {_PAYS} INT:n ANY:money [PHRASE:more]", ("{money} -{n}: {line}",)),
    Habit(
        f"((pay|spend) [{_SPELL}] INT:n ANY:money [PHRASE:more]|(buy|buys) {_SPELL} for INT:n ANY:money)",
        ("{money} -{n}: {line}", "{money} {me} -{n}: {line}"),
        "Out of the purse, or somebody's",
    ),
    Habit(f"PEOPLE:who (sells|sell|sold) {_SPELL} for INT:n ANY:coin", ("{coin} {who} +{n}: {line}",)),
    Habit("(language|lang) [is] ANY:tag", ("option table.language={tag}",)),
    Habit("(flip|toss) [a] coin", ("roll 1d2: coin",)),
    Habit("coin (flip|toss)", ("roll 1d2: coin",)),
    Habit(f"PEOPLE:who {_PAYS} INT:n ANY:coin", ("{coin} {who} -{n}",)),
    Habit(f"PEOPLE:by {_HANDS} PEOPLE:to INT:n ANY:coin", (_PAID,)),
    Habit(f"PEOPLE:by {_HANDS} INT:n ANY:coin to PEOPLE:to", (_PAID,)),
    Habit(
        f"PEOPLE:by {_HANDS} (PEOPLE:to {_ONE} ANY:coin|{_ONE} ANY:coin to PEOPLE:to)",
        ("pay {coin} 1 from {by} to {to}",),
    ),
    Habit(f"PEOPLE:who (pays|pay|tips|bribes) {_PAYEE} INT:n ANY:coin", _SPENT),
    Habit(
        f"PEOPLE:who {_PAYS} INT:n ANY:coin (to [the] ANY:payee [PHRASE:more]|(for|on) PHRASE:more)", _SPENT
    ),
    Habit(f"PEOPLE:who {_HANDS} {_PAYEE} INT:n ANY:coin", _SPENT, "Paid for"),
    Habit(f"[the] (party|group) {_GETS} INT:n ANY:money", ("{money} +{n}",)),
    Habit(f"{_AWARD} INT:n ANY:money to [the] (party|group)", ("{money} +{n}",)),
    Habit(f"PEOPLE:who {_GETS} INT:n ANY:coin each", ("{coin} {who} +{n}",)),
    Habit(f"[(they|you|we) {_GETS}] INT:n ANY:coin each", ("{coin} all +{n}",)),
    Habit(f"PEOPLE:who {_GETS} INT:n ANY:coin", ("{coin} {who} +{n}",)),
    Habit(f"{_AWARD} PEOPLE:who INT:n xp", ("xp {who} +{n}",)),
    Habit(f"{_AWARD} INT:n xp to PEOPLE:who", ("xp {who} +{n}",)),
    Habit(f"{_AWARD} PEOPLE:who INT:n ANY:coin", _NEW_COIN, "New, or handed over"),
    Habit(f"{_AWARD} INT:n ANY:coin to PEOPLE:who", _NEW_COIN, "New, or handed over"),
    Habit(f"{_AWARD} ANY:coin INT:n to PEOPLE:who", _NEW_COIN, "New, or handed over"),
    Habit("PEOPLE:who INT:n ANY:coin", ("{coin} {who} +{n}", "{coin} {who} {n}"), "More, or in all"),
    Habit(
        "(split|share|divide) [(all|up)] [the] ANY:money [PHRASE:more]",
        ("pay {money} {purse_share} from {purse} to {party}", "pay {money} 1 from {purse} to {party}"),
    ),
    Habit("ANY:money INT:n", ("{money} +{n}", "purse {money} {n}"), "More, or all that is in the purse"),
    Habit(f"{_FOUND} ANY:money INT:n", ("{money} +{n}",)),
    Habit(f"{_FOUND} INT:n ANY:money", ("{money} +{n}",)),
    Habit(f"{_GAINS} ANY:money INT:n", _LOOT, "Into the purse, or somebody's"),
    Habit(f"[{_GAINS}] INT:n ANY:money", _LOOT, "Into the purse, or somebody's"),
    Habit("ANY:coin INT:n", ("{coin} {keeper} {n}", "{coin} {keeper} +{n}"), "In all, or more"),
    Habit(f"[{_GAINS}] ANY:coin INT:n", ("{coin} all +{n}", "{coin} {me} +{n}"), "Say whose"),
    Habit(f"[{_GAINS}] INT:n ANY:coin", ("{coin} all +{n}", "{coin} {me} +{n}"), "Say whose"),
    Habit("ANY:track INT:n", ("{track} {me} -{n}", "{track} {me} {n}"), "Say whose"),
    Habit("clock ANY:first [ANY:second [ANY:third]] INT:n", ("clock {quoted} {n}",)),
    Habit("clock ANY:first ANY:second [ANY:third] ANY:amount", ("clock {quoted} {amount}",)),
    Habit("[the] ANY:clock ANY:amount", ("clock {whole_clock} {left}",)),
    Habit("ANY:own ANY:amount", ("clock {own} {amount}",), "A clock"),
    Habit("ANY:clock INT:n", ("{clock} +{n}",), "To add that"),
    Habit("(tick|advance|fill|bump) [up] [the] ANY:clock", ("clock {clock} +1",)),
    Habit("(tick|advance|fill|bump) [up] [the] ANY:clock [by] INT:n", ("clock {clock} +{n}",)),
    # what is kept
    Habit("PEOPLE:who has INT:n ANY:track [left]", ("{track} {who} {n}",)),
    Habit("PEOPLE:who (has|have) INT:n ANY:coin [left]", ("{coin} {who} {n}", "{coin} {who} +{n}")),
    Habit("set PEOPLE:who ANY:track [to] INT:n", ("{track} {who} {n}",)),
    Habit("(add|give) INT:n ANY:track to PEOPLE:who", ("{track} {who} +{n}",)),
    Habit("ANY:number PEOPLE:who SIGNED:n", (_BY_RULING,), "By ruling"),
    Habit("PEOPLE:who ANY:number SIGNED:n", (_BY_RULING,), "By ruling"),
    Habit("PEOPLE:who SIGNED:n ANY:number", (_BY_RULING,), "By ruling"),
    Habit(
        "(hp|health) PEOPLE:who SIGNED:n",
        ("ruling {who}.{stress}{other_sign}={n}: {line}", _TOLD, _TOLD_BY_GM),
        "By ruling, or told",
    ),
    Habit("(rename|name|call) PEOPLE:who PHRASE:title", ('cast {who} name="{title}"',), "A new name"),
    Habit("(max|maximum) ANY:track PEOPLE:who [to] INT:n", ("{track} {who} {n}/{n}",), "Both are set"),
    Habit("PEOPLE:who (max|maximum) ANY:track [to] INT:n", ("{track} {who} {n}/{n}",), "Both are set"),
    Habit(
        "((temp|temporary) [hp] PEOPLE:who INT:n|PEOPLE:who [(has|gets|gains)]"
        " ((temp|temporary) [hp] INT:n|INT:n (temp|temporary) [hp]))",
        ("track {who} temp {n}/{n}",),
        "A track of its own",
    ),
    Habit(
        "ANY:own ANY:second PEOPLE:who ANY:amount",
        ('track {who} "{own} {second}" {amount}',),
        "A track of its own",
    ),
    Habit(
        "ANY:own ANY:second PEOPLE:who INT:n",
        ('track {who} "{own} {second}" {n}/{n}',),
        "A track of its own",
    ),
    Habit("track PEOPLE:who ANY:first ANY:second ANY:amount", ('track {who} "{first} {second}" {amount}',)),
    # rests
    Habit("(lr|longrest)", ("rest long",)),
    Habit("(sr|shortrest)", ("rest short",)),
    Habit("[take] [a] ANY:rest rest", ("rest {rest}",)),
    Habit(
        f"PEOPLE:who {_USES} [(a|an|one|his|her|their|INT:n)] hit (die|dice)",
        ("rest {who} short",),
        "A short rest spends it",
    ),
    Habit("[take] [a] ANY:rest rest [for] NAMES:who", ("rest {who} {rest}",)),
    Habit("NAMES:who [(takes|take)] [a] ANY:rest rest", ("rest {who} {rest}",)),
    Habit(
        "PEOPLE:who (rests|rest|sleeps|sleep)",
        ("rest {who}", "rest {who} {restful}", "clear {who} stress", _TOLD, _TOLD_BY_GM),
        "A rest",
    ),
    Habit("[take] [a] (sleep|camp|rest|respite)", ("rest", "rest {restful}", _TOLD, _TOLD_BY_GM), "A rest"),
    # rolls
    Habit(f"PEOPLE:who {_ROLLED} [(a|an)] INT:n (for|on) [the] (initiative|init)", ("initiative {who} {n}",)),
    Habit(
        f"PEOPLE:who {_ROLLED} [(a|an)] INT:n [(on|for|in)] [(a|the|his|her|their)] ANY:stat [{_TEST}]",
        ("{rolled_face}", "{rolled_total}"),
        _CAME,
    ),
    Habit(
        f"[roll] PEOPLE:who ANY:stat [{_TEST}] INT:n vs INT:goal",
        ("{rolled_face}", "{rolled_total}"),
        _CAME,
    ),
    Habit(
        f"PEOPLE:who {_SPELL} ANY:stat [{_TEST}] INT:n vs INT:goal",
        ("{rolled_face}", "{rolled_total}"),
        _CAME,
    ),
    Habit("ANY:stat [vs] [INT:n]", ("{turn_test}", "{party_test}", "{own_test}"), "Whose it is"),
    Habit("(overcome|challenge|contest) PEOPLE:who ANY:stat [vs INT:n]", (_ROLL,)),
    Habit(
        "(contest|opposed) PEOPLE:who ANY:stat vs PEOPLE:aim [ANY:skill]",
        (_ROLL, "{test_of_aim}"),
        EACH,
    ),
    Habit(f"[roll] PEOPLE:who ANY:stat [{_TEST}] [vs] PEOPLE:aim [vs] INT:n", (_ROLL,)),
    Habit("[roll] PEOPLE:who ANY:stat vs PEOPLE:aim ANY:skill", ("roll {who} {stat} vs {aim} {skill}",)),
    Habit(_CONTEST, ("{contest}", "{answer}"), EACH),
    Habit(_CONTEST, ("{contest_alone}",)),
    Habit("PEOPLE:who (attempts|overcome|overcomes|tries|try) [with] ANY:stat [vs INT:n]", (_ROLL,)),
    Habit("PEOPLE:who ANY:stat DICE:die", (_ROLL, "roll {who} {die}: {stat}"), "A roll"),
    Habit("(save|check|test) [(throw|check)] PEOPLE:who ANY:stat [vs INT:n]", (_ROLL,)),
    Habit("saving throw PEOPLE:who ANY:stat [vs INT:n]", (_ROLL,)),
    Habit(f"PEOPLE:who [(makes|rolls)] [a] {_TEST} ANY:stat [vs INT:n]", (_ROLL,)),
    Habit(f"PEOPLE:who (makes|make|rolls|roll) [a] ANY:stat [saving] [{_TEST}] [throw] [vs INT:n]", (_ROLL,)),
    Habit(f"PEOPLE:who [a] ANY:stat [saving] {_TEST} [vs INT:n]", (_ROLL,)),
    Habit("PEOPLE:who ANY:stat saving throw [vs INT:n]", (_ROLL,)),
    Habit("PEOPLE:who ANY:stat [PHRASE:values]", (_ROLL,), PERHAPS),
    Habit("ANY:stat PEOPLE:who", (_ROLL,), PERHAPS),
    Habit("PEOPLE:who ANY:stat vs INT:n [PHRASE:values]", (_ROLL,)),
    Habit("ANY:stat PEOPLE:who vs INT:n", (_ROLL,)),
    Habit("[roll] PEOPLE:who [check] ANY:stat INT:n", (*_RESULT, _SET), _REACHED),
    Habit(f"[roll] PEOPLE:who ANY:stat [saving] {_TEST} INT:n", _RESULT, _REACHED),
    Habit("[roll] ANY:stat PEOPLE:who INT:n", (*_RESULT, _SET), _REACHED),
    Habit(f"ANY:stat [saving] {_TEST} [throw] [for] PEOPLE:who [vs INT:n]", (_ROLL,)),
    Habit("(save|check|test) PEOPLE:who ANY:stat INT:n", _RESULT, _REACHED),
    Habit("vs INT:n ANY:stat PEOPLE:who", (_ROLL,)),
    Habit("vs INT:n PEOPLE:who ANY:stat", (_ROLL,)),
    Habit("roll PEOPLE:who ANY:stat [(save|check|test)] [vs INT:n]", (_ROLL,)),
    Habit("roll PEOPLE:who (check|save|test) ANY:stat [vs INT:n]", (_ROLL,)),
    Habit("roll [a] ANY:stat [(save|check|test)] [vs INT:n]", (_OWN_ROLL,), "Whose it is"),
    Habit("[make] [a] (save|check|test) ANY:stat [vs INT:n]", (_OWN_ROLL,), "Whose it is"),
    Habit("[make] [a] ANY:stat [saving] (save|check|test|throw) [vs INT:n]", (_OWN_ROLL,), "Whose it is"),
    Habit("vs INT:n ANY:stat [(save|check|test)]", (_OWN_ROLL,), "Whose it is"),
    Habit("vs INT:n", ("{best} vs {n}", "roll {me} 1d20 vs {n}"), "A roll has a number to reach"),
    Habit("roll [a] ANY:stat [saving] [(save|check|test)] [for] [the] PEOPLE:who [vs INT:n]", (_ROLL,)),
    Habit("roll damage DICE:dice", ("roll {dice}: damage",)),
    Habit("[PEOPLE:who] (reroll|rerolls) [PHRASE:more]", ("{reroll}",), "By an aspect"),
    Habit("reroll [PHRASE:more]", ("undo",), "To take it back first"),
    Habit("[roll] [with] (adv|advantage)", ("{best} adv", "roll {me} 1d20 adv"), "On a roll"),
    Habit("[roll] [with] (dis|disadvantage)", ("{best} dis", "roll {me} 1d20 dis"), "On a roll"),
    Habit("(save|check|test|skill) PEOPLE:who [PHRASE:more]", ("{best_who}", "{now}"), "A roll"),
    Habit("PEOPLE:who (save|saves) (vs|against|on|with) ANY:stat [[vs] INT:n]", (_ROLL,)),
    Habit(
        f"PEOPLE:who ((fails|failed|passes|passed|succeeds|succeeded) [(on|at|in)]"
        f" [{_THE}] [death] ({_SKILL}|{_TEST})|makes {_THE} {_TEST})",
        (_TOLD, _TOLD_BY_GM),
    ),
    Habit("PEOPLE:who (save|saves) [PHRASE:more]", ("{best_who}",), "A roll"),
    Habit("(save|check|test|skill) PHRASE:more", ("{best}", "{now}"), "A roll"),
    Habit("attack PEOPLE:by PEOPLE:who", ("{attack}",), _TO_ATTACK),
    Habit("PEOPLE:by [ANY:word] attack (on|at|against) PEOPLE:who", ("{attack}",), _TO_ATTACK),
    Habit(f"PEOPLE:by {_HITS} PEOPLE:who PHRASE:more", _OF_ATTACK, _CAME),
    Habit(f"PEOPLE:by {_HITS} PEOPLE:who PHRASE:more", ("{hp} {who} {minus}{damage}: {line}",), _HARMED),
    Habit(f"PEOPLE:by {_HITS} PEOPLE:who : text", _OF_ATTACK, _CAME),
    Habit(f"PEOPLE:by {_THROWS} [{_SPELL}] (at|into) PEOPLE:who : text", _OF_ATTACK, _CAME),
    Habit(f"{_HITS} PEOPLE:who PHRASE:more", _OF_ATTACK, _CAME),
    Habit(f"PEOPLE:by {_CASTS_SPELL} {_SPELL} (at|on) PEOPLE:who PHRASE:more", _OF_ATTACK, _CAME),
    Habit(f"PEOPLE:by {_CASTS_SPELL} {_SPELL} (at|on) PEOPLE:who : text", _OF_ATTACK, _CAME),
    Habit(
        f"[PEOPLE:by] {_SPELL} [[at] PEOPLE:who] INT:hit [for] INT:hurt",
        tuple(line.replace("attack_", "aimed_") for line in _OF_ATTACK),
        _CAME,
    ),
    Habit(
        f"[PEOPLE:by] [{_HITS} PEOPLE:who] [(rolls|rolled|with)] [a] (nat|natural) INT:n",
        ("{attack_at_foe} = {n}",),
        "An attack",
    ),
    Habit(
        "[PEOPLE:by] (crit|crits|critical) [hit] [(at|on)] [PEOPLE:who]",
        ("{attack_at_foe} = 20",),
        "An attack",
    ),
    Habit(
        f"[PEOPLE:by] (hit|hits|strikes|deals|does|deal|do|crit|crits|critical|for) [for] {_N} {_OF_SORT}",
        (_AT_FOE,),
        _HARMED,
    ),
    Habit(f"[thats] INT:n [ANY:sort] {_DAMAGE}", (_AT_FOE,), _HARMED),
    Habit(f"[PEOPLE:by] [{_SPELL}] DICE:n {_OF_SORT}", (_AT_FOE,), _HARMED),
    Habit(
        f"PEOPLE:by {_HITS} PEOPLE:who DICE:n",
        ("{hp} {who} {minus}{n}: {line}",),
        _HARMED,
    ),
    Habit(
        f"[PEOPLE:by] ANY:harms [ANY:wording [ANY:ending]] [(at|on)] PEOPLE:who (for {_N}|DICE:n)",
        ("{hp} {who} {minus}{n}: {line}",),
        _HARMED,
    ),
    Habit("(miss|misses|missed|fumble|fumbles)", ("narrate {me}: {line}",), "To tell it"),
    Habit(
        f"PEOPLE:by {_SPELL} (and|then) {_HITS} PEOPLE:who [PHRASE:more]", ("{attack}: {line}",), _TO_ATTACK
    ),
    Habit(f"PEOPLE:by {_THROWS} [{_SPELL}] (at|into) PEOPLE:who PHRASE:more", _OF_ATTACK, _CAME),
    Habit(
        f"PEOPLE:by {_THROWS} [{_SPELL}] (at|into) PEOPLE:who [PHRASE:more]",
        ("{attack}", _TOLD, _TOLD_BY_GM),
        _TO_ATTACK,
    ),
    Habit(
        f"[(the|all)] PEOPLE:foes {_COME} [(us|[the] party)]",
        ("conflict {party} vs {foes}", _TOLD, _TOLD_BY_GM),
        "A fight first",
    ),
    Habit(
        f"[INT:n] ANY:newcomers {_COME} [(us|[the] party)]",
        ("cast {several}", _TOLD, _TOLD_BY_GM),
        "Somebody new, or told",
    ),
    Habit(
        f"PEOPLE:by {_HITS} PEOPLE:who [PHRASE:more]",
        ("{attack}", "declare {by} {engage} {who}", "{opening}", _TOLD, _TOLD_BY_GM),
        _TO_ATTACK,
    ),
    Habit(f"{_HITS} PEOPLE:who [PHRASE:more]", ("{attack}", _TOLD, _TOLD_BY_GM), _TO_ATTACK),
    Habit("attack ANY:weapon", ("{attack}",), _TO_ATTACK),
    Habit(f"[PEOPLE:by] {_HITS}", ("{attack}", _TOLD, _TOLD_BY_GM), _TO_ATTACK),
    Habit(
        "PEOPLE:who ANY:does PEOPLE:aim vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("roll {who} {skill_of} vs {aim} {skill}: {does} {aim}",),
    ),
    Habit("PEOPLE:who ANY:does PHRASE:more", ("{skilled_goal}",)),
    Habit("PEOPLE:who ANY:does PHRASE:more", ("{skilled_face}", "{skilled_total}"), _CAME),
    Habit(
        f"PEOPLE:by (helps|aids) PEOPLE:who [to] (recover|clear|heal) [{_THE}] ANY:box {_WITH} ANY:stat",
        ("recover {by} {who} {box} with {stat}",),
    ),
    Habit(
        "PEOPLE:by (helps|aids) PEOPLE:who [to] (recover|clear|heal) [(his|her|their)] [ANY:box]",
        ("recover {by} {who} {recovered}",),
        "To recover, and with SKILL behind it",
    ),
    Habit(
        f"PEOPLE:by {_HEALS_ANOTHER} [(up|to)] PEOPLE:who [ANY:box] {_WITH} ANY:stat",
        ("recover {by} {who} {recovered} with {stat}",),
        "To recover",
    ),
    ACTS,
    Habit(ACTS.form.replace(" (with|using)", ""), ACTS.lines, ACTS.says),
    Habit(
        "PEOPLE:who ANY:deed [ANY:first [ANY:second [ANY:third [ANY:fourth]]]]"
        " (with|using) ANY:stat [vs INT:n]",
        ("{test}: {doing}", _TOLD, _TOLD_BY_GM),
        _BY_SKILL,
    ),
    Habit(
        "PEOPLE:who ANY:deed [ANY:first [ANY:second [ANY:third]]] ANY:stat vs INT:n",
        ("{test}: {doing}", _TOLD, _TOLD_BY_GM),
        _BY_SKILL,
    ),
    Habit(
        "PEOPLE:who ANY:deed PEOPLE:aim ANY:stat vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("roll {who} {stat} vs {aim} {skill}: {deed} {aim}",),
    ),
    Habit(f"PEOPLE:who ANY:deed {_FEW_WORDS} ANY:stat", ("{thrown_test}: {doing}",)),
    Habit(
        "PEOPLE:who ANY:does [PHRASE:more]",
        ("{skilled}", "{moves}", "declare {who} other: {line}", _TOLD, _TOLD_BY_GM),
        _BY_SKILL,
    ),
    # turns and fights
    Habit("roll [for] (initiative|init)", ("initiative",)),
    Habit("PEOPLE:who (rolls|roll) [for] (initiative|init)", ("initiative {who}",)),
    Habit("roll PEOPLE:who (initiative|init)", ("initiative {who}",)),
    Habit("roll (initiative|init) [for] PEOPLE:who", ("initiative {who}",)),
    Habit("PEOPLE:who (initiative|init) INT:n", ("initiative {who} {n}",)),
    Habit("(next|end) [(the|my)] (turn|player|combatant)", ("turn",)),
    Habit("(next|n|t|endturn|nextturn)", ("turn",)),
    Habit(f"{_INIT} (next|n)", ("turn",)),
    ROUND,
    Habit("[(next|new|end)] [of] [the] (round|phase|exchange)", ("{now}",), "What comes next"),
    Habit("(round|phase|exchange) INT:n", ("{now}",), "What comes next"),
    Habit("end [of] PEOPLE:who turn", ("turn",)),
    Habit("(delay|ready) [PEOPLE:who]", ("turn",), "What comes next"),
    Habit(f"[{_BEGIN}] [the] [a] {_FIGHT}", ("{now}",), "A fight is open"),
    Habit("(initiative|init|apply)", ("{now}",), "What comes next"),
    Habit("(next|end) [the] (turn|player|combatant)", ("{now}",), "What comes next"),
    Habit("(done|pass|skip)", ("turn",), "What comes next"),
    Habit("(next|done|pass|skip|endturn|nextturn)", ("{now}",), "What comes next"),
    Habit("(done|pass|skip)", ("conflict {sides}",), "A fight first"),
    Habit(f"{_INIT} (end|stop)", ("end conflict",)),
    Habit(f"{_END} [of] [the] (combat|fight|battle|encounter|duel)", ("end conflict",)),
    Habit("[the] (combat|fight|battle) [is] over", ("end conflict",)),
    Habit("PEOPLE:who turn", ("next {who}",)),
    Habit("PEOPLE:who turn", ("turn {who}", "{now}"), "What comes next"),
    Habit(f"{_BEGIN} [a] {_FIGHT} PHRASE:more", ("conflict {more}",)),
    Habit(
        f"[{_BEGIN}] [a] {_FIGHT} [(with|against|vs)] [all] [the] [INT:n] PEOPLE:foes",
        ("conflict {party} vs {foes}",),
    ),
    Habit(f"[{_BEGIN}] [a] {_FIGHT} [PHRASE:more]", ("conflict {sides}",), "Who is against whom"),
    Habit("roll [for] (initiative|init)", ("conflict {sides}",), "A fight first"),
    Habit("[(next|end)] [the] (next|turn|player|combatant|round)", ("conflict {sides}",), "A fight first"),
    Habit(f"{_INIT} [(begin|start|b)]", ("conflict {sides}",), "A fight first"),
    Habit(
        "(add|invite) [a] NAMES:name [to] [the] [(combat|fight|initiative|encounter|battle)]",
        ("join {name}", "cast {name}"),
        "Somebody who comes in",
    ),
    Habit(f"{_INIT} add [INT:n] NAMES:name", ("join {name}", "cast {name}"), "Somebody who comes in"),
    Habit(
        "NAMES:name (joins|enters) [the] [(combat|fight|battle)]",
        ("join {name}", "cast {name}"),
        "Somebody who comes in",
    ),
    Habit("(spawn|create|summon|introduce|make) [a] NAMES:name", ("cast {name}",), "Somebody new"),
    Habit(f"{_BEGIN} [a] (character|npc|pc|monster|player) NAMES:name", ("cast {name}",)),
    Habit(f"[cast] NAMES:name (as|is) [(a|the|our)] {_GAME_MASTER}", ("cast gm by={name}",), _PLAYS),
    Habit(f"cast {_GAME_MASTER} [is] NAME:name", ("cast gm by={name}",), _PLAYS),
    Habit(f"cast NAME:name {_GAME_MASTER}", ("cast gm by={name}",), _PLAYS),
    Habit("[cast] NAME:name (plays|as) NAME:role", ("cast {role} by={name}",), _PLAYS),
    Habit("[cast] NAME:role by NAME:name", ("cast {role} by={name}", 'cast "{role} by {name}"'), _PLAYS),
    Habit("player NAME:name", ("cast {unplayed} by={name}",), _PLAYS),
    Habit(f"{_CASTS} NAME:name ANY:quote", ("cast {name}: {quote}",)),
    Habit(
        "(remove|delete|kick) PEOPLE:who [from] [the] [(combat|fight|initiative)]",
        ("leave {who}", "retire {who}"),
        "Somebody who goes",
    ),
    Habit(
        "PEOPLE:who (leaves|flee|flees|runs|escapes|retreats) [the] [(combat|fight|battle|scene)]",
        ("leave {who}", _TOLD, _TOLD_BY_GM),
        "Somebody who goes",
    ),
    Habit(
        "(surrender|yield) PEOPLE:who",
        ("concede {who}", "leave {who}", "status {who} surrendered", "concede {who}: {line}", _TOLD),
        "To give in",
    ),
    Habit(
        "PEOPLE:who (surrenders|surrender|yields|yield|concedes|concede|gives up|give up|gives in|folds)",
        (
            "give {who}",
            "concede {who}",
            "concede {conceder}: {line}",
            "leave {who}",
            "status {who} surrendered",
            "concede {who}: {line}",
            _TOLD,
            _TOLD_BY_GM,
        ),
        "To give in",
    ),
    Habit(
        "PEOPLE:who (surrenders|surrender|concedes|concede|gives up|give up|gives in) PHRASE:more",
        ("concede {conceder}: {line}",),
        "To give in",
    ),
    # conditions and sheets
    Habit(
        "PEOPLE:who [(is|are|was|gets|got)] (knocked|made|now|rendered|turned) ANY:condition",
        ("status {who} {condition}",),
    ),
    Habit(
        "PEOPLE:who (is|are|gets|becomes) ANY:condition (until|for|by|from|in|behind|under) PHRASE:more",
        ("status {who} {condition}: {line}",),
    ),
    Habit("(knock|make|render) PEOPLE:who ANY:condition", ("status {who} {condition}",)),
    Habit("PEOPLE:who (gets|becomes|gains|has|turns) [a] ANY:condition", ("status {who} {condition}",)),
    Habit("PEOPLE:who [(is|are|isnt)] (not|no) [longer] ANY:condition", ("status {who} {condition} off",)),
    Habit("PEOPLE:who isnt ANY:condition", ("status {who} {condition} off",)),
    Habit("(give|gives|award) PEOPLE:who [a] ANY:condition", ("status {who} {condition}",)),
    Habit("(add|apply|give) ANY:condition (to|on) PEOPLE:who", ("status {who} {condition}",)),
    Habit("clear ANY:condition PEOPLE:who", ("status {who} {condition} off",)),
    Habit("clear PEOPLE:who ANY:condition", ("status {who} {condition} off",)),
    Habit("(remove|end|cure) ANY:condition [(from|on|of)] PEOPLE:who", ("status {who} {condition} off",)),
    Habit(
        "PEOPLE:who (uses|spends|loses) [(a|his|her|their)] ANY:condition", ("status {who} {condition} off",)
    ),
    Habit("(use|spend|lose) ANY:condition PEOPLE:who", ("status {who} {condition} off",)),
    Habit("ANY:condition PEOPLE:who", ("status {who} {condition}",)),
    Habit("ANY:condition", ("status {me} {condition}",), "Say who is"),
    Habit("ANY:condition to PEOPLE:who", ("status {who} {condition}",)),
    Habit(
        "add ANY:first [ANY:second [ANY:third]] to PEOPLE:who",
        ("thing {quoted}: {who} has it.",),
        "A thing by its name",
    ),
    Habit(
        "PEOPLE:by (gives|hands|passes) PEOPLE:who (a|an|the|his|her|their) ANY:first [ANY:second]",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        "PEOPLE:by (gives|hands|passes) PEOPLE:who (a|an|the|his|her|their) ANY:first [ANY:second]",
        ("thing {quoted}: {who} has it.", _TOLD, _TOLD_BY_GM),
        "A thing by its name",
    ),
    Habit(
        "[PEOPLE:by] (give|gives|hand|hands) (a|an|the|his|her|their) ANY:first [ANY:second] to PEOPLE:who",
        ("thing {thing}: {who} has it.",),
    ),
    Habit("(give|gives|hand|hands) ANY:first [ANY:second] to PEOPLE:who", ("thing {thing}: {who} has it.",)),
    Habit(
        "PEOPLE:who (gets|has|keeps|pockets|takes) (a|an|the|my|his|her|their) ANY:first [ANY:second]",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        "(give|gives|hand|hands|pass) (a|an|the|my) ANY:first [ANY:second] to PEOPLE:who",
        ("thing {quoted}: {who} has it.",),
        "A thing by its name",
    ),
    Habit(
        "PEOPLE:who (is|are|isnt|arent) (not|no) [longer] ANY:track [anymore]", ("track {who} {track} off",)
    ),
    Habit(
        "PEOPLE:who (is|are|becomes) ANY:state [PHRASE:more]",
        ("track {who} {state} 1/1", _TOLD, _TOLD_BY_GM),
        "A state of your own, or told",
    ),
    Habit(
        "[(advance|set|raise)] PEOPLE:who ANY:sheet [to] INT:n", ("cast {whose} {sheet}={n}",), "On the sheet"
    ),
    Habit("PEOPLE:who PHRASE:values", ("cast {whose} {values}",), "On the sheet"),
    Habit(
        "(milestone|advancement|levelup|advance) [PEOPLE:who]",
        ("cast {who_or_me} {raised}", "note: {line}"),
        "A new number on the sheet, or a note",
    ),
    Habit("(milestone|advancement|levelup|advance) : text", ("note: {line}",), "A note"),
    Habit("ANY:track PEOPLE:who", ("{track} {who} {came}",)),
    Habit("PEOPLE:who ANY:track", ("{track} {who} {came}",)),
    Habit("ANY:track PEOPLE:who", ("{track} {who} -1", "{track} {who} +1"), "Say how much"),
    Habit("PEOPLE:who ANY:track", ("{track} {who} -1", "{track} {who} +1"), "Say how much"),
    # titles
    Habit("(thread|quest|plot|mystery) PHRASE:title : text", ("thread {thread} {closing}",)),
    Habit("(close|finish|solve) [the] (thread|quest|plot|mystery) PHRASE:title", ("thread {quoted} --done",)),
    Habit(
        f"(thread|quest|plot|mystery) [the] {_SPELL} [(is|was)] (done|closed|finished|resolved|solved)",
        ("thread {thread} --done",),
    ),
    Habit("(thread|quest|plot|mystery) (done|closed|solved) PHRASE:title", ("thread {quoted} --done",)),
    Habit("(place|thing|thread):verb PHRASE:named", ("{verb} {named}",)),
    Habit("(loot|treasure|reward) : text", ('thing "{loot}"', "{loot_coin} +{loot_number}"), ONE_LINE),
    Habit("(loot|treasure|reward) : text", ('thing "{text}"', "note: {text}"), "A thing, or a note"),
    Habit("note to NAMES:to : text", ("note --to {to}: {text}",)),
    Habit("(for (gm|dm)|(gm|dm) (note|notes|only|secret|eyes)) [only] : text", ("note: {text}",)),
    Habit("(gm|dm) (note|secret) PHRASE:words", ("note: {words}",)),
    Habit(f"{_HIDDEN} [(note|notes|info|fact)] : text", ("note: {text}",)),
    Habit(f"{_HIDDEN} [note] PHRASE:why", ("note: {why}",), "For the game master's eyes"),
    Habit(
        "(question|rule|rules) : text", ("ruling: {text}", "note: {text}"), "What the table rules, or a note"
    ),
    Habit(f"{_GAME_MASTER} [is] NAME:name", ("cast gm by={name}",), _PLAYS),
    Habit("(scene|szene|scena|escena) : text", ('scene "{text}"',)),
    Habit("(session|sitzung|seance) [ANY:number] : text", ('session "{text}"',)),
    Habit("(place|location|loc|room|ort|lieu) : text", ('place "{text}"',)),
    Habit("(thread|quest|plot|subplot|arc|mystery) : text", ('thread "{text}"',)),
    Habit("(thing|item|object|treasure) : text", ('thing "{text}"',)),
    Habit("(clock|progress|countdown) : text", ('clock "{text}" 6',), "A clock has segments"),
    Habit(f"{_CASTS} : text", ('cast "{text}"',)),
    Habit(
        f"{_CASTS} NAME:name the PHRASE:title",
        ("cast {name} {data?}: the {title}", 'cast "{name} the {title}" {data?}'),
        "Somebody new",
    ),
    Habit(
        "[the] next (day|morning|evening|night|week):when",
        ("scene The next {when}", "narrate: {line}"),
        "A scene, or told",
    ),
    Habit(
        "[(the|that|this|later|early|late)] (morning|noon|afternoon|evening|night|dawn|dusk|midnight):when",
        ("scene {begun}", _TOLD),
        "A scene, or told",
    ),
    Habit(
        "INT:n (minute|minutes|hour|hours|day|days|week|weeks|month|months|year|years):unit later",
        ('scene "{n} {unit} later"', _TOLD),
        "A scene, or told",
    ),
    Habit("(later|meanwhile|time passes)", ("scene Later", _TOLD), "A scene, or told"),
    Habit("(travel|journey|ride|sail) to PHRASE:title", ("scene {quoted}", _TOLD), "A scene, or told"),
    Habit("(pause|break|brb|afk) [PHRASE:more]", ("aside: {line}",), "Talk outside the story"),
    # the evening
    Habit(f"{_BEGIN} [(a|the|new)] {_SITTING} [ANY:number] : text", ('session "{text}"',)),
    Habit(f"{_BEGIN} [(a|the|new)] {_SITTING} [PHRASE:title]", ("session {title?}",)),
    Habit(f"{_BEGIN} [(a|the|new)] scene PHRASE:title", ("scene {title}",)),
    Habit(f"{_BEGIN} [(a|the|new)] scene", ("scene Later",), "A scene has a title"),
    Habit(_BEGIN, ("session", "conflict {sides}"), "To begin"),
    Habit(f"{_END} [of] [(the|this)] {_SITTING}", ("end session",)),
    Habit(f"{_END} [(the|this)] scene", ("end scene",)),
    Habit("(goodnight|good night|done for tonight|done for today)", ("end session",), "To end the session"),
    Habit("(ende|fin|fine) (der|de|della) [la] (sitzung|seance|partie|partita)", ("end session",)),
    Habit("(ende|fin|fine)", ("end session",), "To end the session"),
    Habit("undo [the] (last|that|this|it) [(action|act|line|turn|one|roll)]", ("undo",)),
    Habit("fix ANY:track PEOPLE:who SIGNED:change", ("undo", "{track} {who} {change}"), ONE_LINE),
    Habit("undo [the] last INT:n [(actions|acts|lines)]", ("undo {n}",)),
    Habit(
        "(oops|nevermind|revert|rollback|back|delete|erase|cancel|scratch)"
        " [(that|last|it) [was PHRASE:more]]",
        ("undo",),
        "To take back the last act",
    ),
    Habit("(close|finish|solve|resolve) PHRASE:title", ("thread {thread} --done",)),
    Habit(f"[the] {_SPELL} (is|was) (closed|resolved|solved)", ("thread {thread} --done",)),
    # words
    Habit(f"PEOPLE:who {_SAYS} ANY:quote", ("say {who}: {quote}",)),
    Habit(f"PEOPLE:who {_SAYS} : text", ("say {who}: {text}",)),
    Habit(
        "PEOPLE:who (asks|asked) (a|about|an|for|how|if|the|what|when|where|whether|who|why) PHRASE:more",
        (_TOLD, _TOLD_BY_GM),
    ),
    Habit("PEOPLE:by (asks|asked|tells|told) PEOPLE:who PHRASE:more", (_TOLD, _TOLD_BY_GM)),
    Habit(
        f"PEOPLE:who {_SAYS} PHRASE:words",
        ("say {who}: {words}", _TOLD, _TOLD_BY_GM),
        "In their words, or told",
    ),
    Habit(f"({_WHISPER[1:-1]}|tell) [to] NAMES:to : text", ("note --to {to}: {text}",)),
    Habit(f"{_WHISPER} PEOPLE:who PHRASE:words", ("note --to {who}: {words}",), "For their eyes alone"),
    Habit("(ooc|offtopic) PHRASE:words", ("aside: {words}",)),
    Habit("(dm|storyteller|gamemaster) : text", ("narrate: {text}",), "Told by the game master"),
    Habit(
        "(loot|take|takes|find) PEOPLE:who : text", ('thing "{text}": {who} has it.',), "A thing by its name"
    ),
    Habit(
        "(loot|give|gives) PEOPLE:who PHRASE:words",
        ('thing "{words}": {who} has it.',),
        "A thing by its name",
    ),
    Habit(
        "PEOPLE:who (loots|finds|pockets|picks) PHRASE:words",
        ('thing "{words}": {who} has it.', _TOLD, _TOLD_BY_GM),
        "A thing by its name",
    ),
    Habit(
        "describe PEOPLE:who : text",
        ("narrate {who}: {text}", "cast {whose} --describe: {text}"),
        "Told now, or on their sheet",
    ),
    Habit("describe : text", ("narrate: {text}",)),
    Habit("describe PHRASE:words : text", ('place "{words}": {text}',), "A place that is kept"),
    Habit(
        "(me|em|emote|act) PEOPLE:who PHRASE:words",
        ("narrate {who}: {who} {words}", "declare {who}: {words}"),
        "Who does it",
    ),
    Habit(
        "(me|em|emote|act) PHRASE:words",
        ("narrate {me}: {name_of_me} {words}", "declare {me}: {words}"),
        "Who does it",
    ),
    Habit("note to PEOPLE:who PHRASE:words", ("note --to {who}: {words}",), "For their eyes alone"),
    Habit("(narrate|describe|desc) PEOPLE:who PHRASE:words", ("narrate {who}: {words}",), "A colon first"),
    Habit(
        "(concede|give|outcome|simple):verb PEOPLE:who PHRASE:words",
        ("{verb} {who}: {words}",),
        "A colon first",
    ),
    Habit("stakes PHRASE:words", ("stakes: {words}",), "A colon first"),
    Habit("(describe|desc) PHRASE:words", ("narrate: {words}",), "A colon first"),
    Habit("(say|s|speak|talk) PEOPLE:who PHRASE:words", ("say {who}: {words}",), "A colon first"),
    Habit("(say|s|speak|talk) PHRASE:words", ("say {me}: {words}",), "Who says it"),
    Habit("(narrate|note|aside):verb PHRASE:words", ("{verb}: {words}",)),
    Habit(
        f"PEOPLE:by {_CASTS_SPELL} {_SPELL} [(at|on|to)] PEOPLE:who"
        " (ANY:stat [saving] (save|throw)|(save|throw) ANY:stat) [vs] INT:n",
        ("{test}: {line}",),
    ),
    Habit(
        f"PEOPLE:by {_SPELL} PEOPLE:who ANY:stat [saving] (save|throw) vs INT:n",
        ("{test}: {line}",),
        "A roll",
    ),
    Habit(f"PEOPLE:who (makes|make|rolls|roll) [a] {_SKILL} vs INT:n PHRASE:more", ("{test}: {more}",)),
    Habit(f"PEOPLE:who [a] ANY:stat [saving] {_TEST} {_FEW_WORDS} vs INT:n", ("{test}: {doing}",)),
    Habit(
        "PEOPLE:who (casts|cast) PHRASE:more",
        ("declare {who} other: {line}", "narrate {who}: casts {more}", _TOLD, _TOLD_BY_GM),
        "Declared, or told",
    ),
    Habit("PEOPLE:who ANY:word DICE:dice", ("roll {who} {dice}: {word}",), "Dice first"),
    Habit(f"[{_SPELL}] DICE:dice [PHRASE:more]", ("roll {dice}: {doing} {more?}",), "Dice first"),
    Habit("PEOPLE:who [(draw|draws)] ANY:first [and] ANY:second", ("draw {who} {first}+{second}",), DRAWN),
    Habit(
        "(PEOPLE:who SIGNED:n ANY:spell|PEOPLE:who ANY:spell SIGNED:n)", ("note: {line}",), "Kept as a note"
    ),
    Habit(
        "PEOPLE:who PHRASE:more",
        ("declare {undeclared} other: {more}", "narrate {undeclared}: {more}"),
        "Declared, or told",
    ),
    Habit(
        "cast PHRASE:title", ('cast "{title}" {data?}', _TOLD, _TOLD_BY_GM), "Somebody new in quotes, or told"
    ),
)
"""Shapes of lines, looked through in this order; the first whose line the table accepts counts."""

SIGNED: Final = (
    Habit(r"\[N:(?P<name>[^\]|]+)\|?(?P<text>.*)\]", ('cast "{name}": {text}', 'cast "{name}"'), "Somebody"),
    Habit(r"\[L:(?P<name>[^\]|]+)\|?(?P<text>.*)\]", ('place "{name}": {text}',), "A place"),
    Habit(r"\[Thread:(?P<name>[^\]|]+)\|?(?P<text>.*)\]", ('thread "{name}": {text}',), "A thread"),
    Habit(
        r"\[(?:E|Clock|Track|Timer):(?P<name>[^\]|]+?) (?:\d+/)?(?P<most>\d+)\]",
        ('clock "{name}" {most}',),
        "A clock",
    ),
    Habit(
        r"(?P<who>[^:()]+?) \((?P<manner>[^()]+)\): (?P<text>.+)",
        ("say {who}: {text}", "narrate {who}: {manner}"),
        "Said, or told",
    ),
    Habit(r"//+\s*(?P<text>.+)", ("aside: {text}",), "Talk outside the story"),
    Habit(r"\((?P<text>.+)\)", ("aside: {text}",), "Talk outside the story"),
    Habit(r"[*_](?P<who>\S+) (?P<text>[^*]+)[*_]", ("narrate {who}: {who} {text}",), "Who does it"),
    Habit(
        r"[*_]+(?P<text>[^*]+)[*_]+",
        ("narrate {me}: {name_of_me} {text}", "declare {me}: {text}"),
        "Who does it",
    ),
    Habit(
        r"@(?P<who>\S+?):?\s+(?P<text>.+)",
        ("say {who}: {text}", "note --to {who}: {text}"),
        "Said, or for their eyes",
    ),
    Habit(r"@\s+(?P<text>.+)", ("declare {me}: {text}", "narrate: {text}"), "What somebody does"),
    Habit(r"\?\s+(?P<text>.+)", ("aside: {text}", "note: {text}"), "A question"),
    Habit(r"\[(?P<text>[^\][]+)\]", ("roll {text}", "note: {text}"), "Without brackets"),
    Habit(r"[^\w\s\"“]+\s*(?P<text>.+)", ("narrate: {text}",), "To tell it"),
)
"""Lines that begin with a sign, as regular expressions of the whole line; the first that fits counts."""

READS: Final = (
    Habit("[the] [(initiative|turn)] order", ("show",)),
    Habit("(status|condition|conditions) [(of|for)] PEOPLE:who", ("who {who}",)),
    Habit("(status|conditions|clock|clocks)", ("show tracks",)),
    Habit("(whose|whos) (turn|next|up) [is] [(it|next|up)]", ("show",)),
    Habit("who is (next|up)", ("show",)),
    Habit("how (is|are) PEOPLE:who [doing]", ("who {who}",)),
    Habit("who is [taken] (dead|down|hurt|left|out)", ("show",)),
    Habit("(resume|continue)", ("recap",)),
    Habit("who (fights|attacks|engages) whom", ("show clashes",)),
    Habit("(clashes|intents)", ("show clashes",)),
    Habit(
        f"[how many] [PEOPLE:who] {_POINTS[:-1]}|points) [(does|has|do)] [PEOPLE:who] [(have|has)]",
        ("show points",),
    ),
    Habit("PEOPLE:who stress", ("show stress",)),
    Habit("[what is the] balance", ("show balance",)),
    Habit("(stress|aspects|consequences)", ("show stress",)),
    Habit("show (aspects|consequences)", ("show stress",)),
    Habit("(deck|decks|cards) [left]", ("show decks",)),
    Habit("(map|zones)", ("show map",)),
    Habit("(threads|quests|plots)", ("show threads",)),
    Habit("(secrets|places|things|tracks|health):view", ("show {view}",)),
    Habit("(character|char) sheet [(of|for)] NAME:name", ("who {name}",)),
    Habit(f"{_SHEET} [(of|for)] NAME:name", ("who {name}",)),
    Habit(f"PEOPLE:who {_SHEET}", ("who {who}",)),
)
"""Lines that only read, and what reads it here; what follows the words for it is a name."""

READ_AS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sheet", "character", "char", "inventory", "inv", "bio"), "who"),
    **dict.fromkeys(("party", "characters", "chars", "players", "npcs", "pcs", "team"), "show cast"),
    **dict.fromkeys(("transcript", "events"), "log"),
    **dict.fromkeys(("commands", "verbs", "manual", "?"), "help"),
    **dict.fromkeys(("where", "look", "l", "summary", "state"), "show"),
    **dict.fromkeys(("options", "actions", "moves"), "can"),
    **dict.fromkeys(("find", "grep"), "search"),
}
"""Words of other tables for verbs that read."""

LEAVING: Final = frozenset({"quit", "exit", "q", "save", "bye"})
"""Words for leaving or saving, which nothing here needs."""
