"""Harm and healing, and numbers of a sheet where no track is harmed."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import (
    CASTS_SPELL,
    DAMAGE,
    FIRST,
    HARMED,
    HITS,
    HOW_MUCH,
    OF_SORT,
    ONE_LINE,
    SOAKED,
    SOAKS,
    SORTS,
    SPELL,
    THE,
    TO_ATTACK,
    TOLD,
    TOLD_BY_GM,
    USES,
    Habit,
    N,
)

LOSES: Final = "(takes|take|took|suffers|suffer|loses|lose|lost)"
HARMS: Final = "(damage|dmg|hurt|harm|wound)"
OF_HARM: Final = "(damage|dmg|hp|harm|hits|stress|wounds|points)"
DOWN: Final = "(dead|defeated|destroyed|down|out|taken out|unconscious|dying)"
LESS: Final = "{hp} {who} {minus}{n}"
REGAINS: Final = "(heals|heal|healed|regains|regained|gains|gained|recovers|recovered|gets back|got back)"
BLOW: Final = "{hp} {who} {minus}{n}: {line}"
CURE: Final = "(cure [(light|serious)] wounds|healing (spirit|word)|(lay|lays) [on] hands)"
CURES: Final = "(heals|heal|healed|cures|cured)"
MORE: Final = "{hp} {who} {plus}{n}"
POTION: Final = "PEOPLE:who (uses|use|drinks|drink|takes|quaffs) [ANY:first [ANY:second]] potion"
HEALS: Final = "[of ANY:third] [(for|heals|healing|restores)]"
RULED: Final = "ruling {harmed}"
DEALS: Final = "(deals|does|deal|do|rolls)"
FALLS: Final = "(falls|fall|fell|slips|trips|tumbles|crashes)"
STRESSED: Final = "ruling {who}.{stress}+={n}"
COUNTED: Final = "ruling {counted}"
UNCOUNTED: Final = (STRESSED, "narrate: {uncounted}", "narrate gm: {uncounted}")
BY_HEALING: Final = "ruling {healed}"
RULED_OUT: Final = ("ruling {ruled}.hp=0: {line}", "ruling {ruled}.out=1: {line}")
OUT: Final = ("{hp} {who} {end}", "leave {who}", *RULED_OUT, "narrate: {line}", "narrate gm: {line}")
HARM_DONE: Final = (
    Habit(
        "PEOPLE:by (casts|cast) [ANY:kind] (cure|heal|healing) [ANY:first [ANY:second]] (on|to) PEOPLE:who",
        ("{hp} {who} {plus}{came}: {line}",),
    ),
    Habit(
        "PEOPLE:by"
        " (casts|cast) [ANY:kind] (cure|heal|healing) [ANY:first [ANY:second]]"
        f" (on|to) PEOPLE:who [for] {N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(
        f"[PEOPLE:by] [(casts|cast|uses)] [ANY:kind] {CURE} [(on|to)] PEOPLE:who [for] {N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(
        "PEOPLE:who [(uses|takes)] [(a|his|her|their)] second wind [(and|heals|for|regains)]"
        f" {N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(
        f"PEOPLE:who {SOAKS} [(with|by)] INT:n [stress] [(on|in|to|with)] [{THE}] ANY:box",
        ("resist {who} {box} {n}",),
    ),
    SOAKED,
    Habit(f"PEOPLE:who {LOSES} {N} [[ANY:sort [ANY:wording]] {OF_HARM}]", (LESS,)),
    Habit(f"{HARMS} PEOPLE:who [for] {N} [[ANY:sort] {DAMAGE}]", (LESS,)),
    Habit(f"{HARMS} {N} [to] PEOPLE:who", (LESS,)),
    Habit(f"[(deal|deals|do)] {N} [ANY:sort] (damage|dmg|harm) (to|on) PEOPLE:who", (LESS,)),
    Habit(f"(deal|deals|do) {N} (to|on) PEOPLE:who", (LESS,)),
    Habit("[deal] PEOPLE:who INT:n [ANY:sort] (damage|dmg|harm)", (LESS,)),
    Habit("PEOPLE:who (damage|dmg|harm) INT:n", (LESS,)),
    Habit(f"(heal|heals|cure) PEOPLE:who [(by|for)] {N} [(hp|points)]", (MORE,)),
    Habit(f"(heal|heals|cure) {N} [(hp|points)] [(to|for|on)] PEOPLE:who", (MORE,)),
    Habit(f"PEOPLE:who {REGAINS} [(by|for)] {N} [(hp|points|health)]", (MORE,)),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who for {N} [[ANY:sort] (damage|dmg|hp)]", (BLOW,)),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who {N} [ANY:sort] {DAMAGE}", (BLOW,)),
    Habit(
        f"PEOPLE:by {HITS} PEOPLE:who [(and|a)] (crit|crits|critical) for {N} [[ANY:sort] {DAMAGE}]",
        (BLOW,),
    ),
    Habit(f"PEOPLE:by {DEALS} {N} (to|on) PEOPLE:who", (BLOW,)),
    Habit(f"PEOPLE:by [{DEALS}] {N} [ANY:sort] {DAMAGE} (to|on) PEOPLE:who", (BLOW,)),
    Habit(f"PEOPLE:by {CASTS_SPELL} {SPELL} at PEOPLE:who for {N} [[ANY:sort] {DAMAGE}]", (BLOW,)),
    Habit(
        f"PEOPLE:by {CASTS_SPELL} {SPELL} (at|on) PEOPLE:who (INT:n [ANY:sort] {DAMAGE}|DICE:n {OF_SORT})",
        (BLOW,),
    ),
    Habit(f"PEOPLE:by {SPELL} (at|on) PEOPLE:who INT:n [ANY:sort] {DAMAGE}", (BLOW,)),
    Habit(
        f"PEOPLE:who (is|are|was|were|gets|get|got)"
        " (hit|struck|bitten|burned|burnt|cut|hurt|shot|stabbed|wounded)"
        f" for {N} [[ANY:sort] {DAMAGE}]",
        (BLOW,),
    ),
    Habit(
        f"PEOPLE:who {FALLS} [{SPELL}] [(for|takes|taking)]"
        f" (INT:n [ANY:sort] {DAMAGE}|DICE:n [[ANY:sort] {DAMAGE}])",
        (BLOW,),
    ),
    Habit(
        f"PEOPLE:by {CURES} PEOPLE:who {N} [(hp|points)] (with|by|using) ({CURE}|{SPELL})",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(
        f"PEOPLE:by {CURES} PEOPLE:who (with|by|using) ({CURE}|{SPELL})"
        f" [(for|heals|healing)] {N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(
        f"PEOPLE:by {CASTS_SPELL} {CURE} (on|to) PEOPLE:who [(and|for|heals|healing)]"
        f" ({N}|SIGNED:n) [(hp|points)]",
        ("{hp} {who} {plus}{regained}: {line}",),
    ),
    Habit(
        f"PEOPLE:by (feeds|gives|hands|passes|pours) PEOPLE:who [(a|an|his|her|their|the)] [healing] potion"
        f" [of healing] [(and|for|heals|healing)] ({N}|SIGNED:n) [(hp|points)]",
        ("{hp} {who} {plus}{regained}: {line}",),
    ),
    Habit(
        f"PEOPLE:who (is|gets|was) (cured|healed) [by PEOPLE:by] [(by|for|with)] {N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {line}",),
    ),
    Habit(f"PEOPLE:who {FALLS} SIGNED:n [(hp|points)]", ("{hp} {who} {sign}{n}: {line}",)),
    Habit(
        "PEOPLE:who SIGNED:n (critical|from|poison|sneak attack|smite|to) [PHRASE:more]",
        ("{hp} {who} {sign}{n}: {line}",),
    ),
    Habit(
        f"PEOPLE:by [{CASTS_SPELL}] {SPELL} (at|on|over) PEOPLE:who : text",
        ("roll {text}: damage", "{hp} {who} {minus}{total_in_text}: {act}"),
        ONE_LINE,
    ),
    Habit(f"[(a|an|the)] {SPELL} {HITS} PEOPLE:who for {N} [[ANY:sort] {DAMAGE}]", (BLOW,)),
    Habit(
        f"{HARMS} PEOPLE:by PEOPLE:who INT:n",
        ("{hp} {who} {minus}{n}: {line}", "{hp} {by}+{who} {minus}{n}"),
        HARMED,
    ),
    Habit(f"{FALLS} [for] {N} [[ANY:sort] {DAMAGE}]", ("{hp} {me} {minus}{n}: {line}",), "Whose it is"),
    Habit(
        f"{LOSES} {N} [[ANY:sort] {OF_HARM}]",
        ("{hp} {me} {minus}{n}",),
        "Whose it is",
    ),
    Habit("(hit|hits) PEOPLE:who [for] INT:n [[ANY:sort] (damage|dmg)]", (LESS, "{attack}"), HARMED),
    Habit(
        "(kill|kills|slay|dead|down|ko) PEOPLE:who",
        OUT,
        "Out of the fight",
    ),
    Habit(
        "PEOPLE:who (die|dies|died|(is|are) (dead|destroyed|killed)|is slain)",
        ("{hp} {who} {end}: {line}", "narrate: {line}{with_hp}"),
    ),
    Habit("PEOPLE:who (dead|killed|slain)", ("{hp} {who} {end}: {line}",)),
    Habit(
        f"PEOPLE:by ({CASTS_SPELL} {SPELL}|{HITS}) [(at|on)] PEOPLE:who [for] INT:n [[ANY:sort] {DAMAGE}]"
        " (each|apiece)",
        (BLOW,),
    ),
    Habit(
        "PEOPLE:by (kills|kill|slays|slay|finishes) [off] PEOPLE:who",
        ("{hp} {who} {end}: {line}", "narrate: {line}{with_hp}"),
    ),
    Habit("PEOPLE:by ANY:weapon (kills|slays|finishes) [off] PEOPLE:who", ("{hp} {who} {end}: {line}",)),
    Habit("PEOPLE:who (dies|died|falls|drops|goes down|went down)", OUT, "Out of the fight"),
    Habit("PEOPLE:who (drops|falls|goes) [down] to INT:n [hp]", ("{hp} {who} {n}",)),
    Habit("PEOPLE:who (surrenders|yields) : text", ("status {who} surrendered: {line}{speaks}",)),
    Habit("PEOPLE:who (surrenders|yields)", ("status {who} surrendered{with_hp}",)),
    Habit("PEOPLE:who (surrenders|yields) PHRASE:more", ("status {who} surrendered: {line}{with_hp}",)),
    Habit(
        "PEOPLE:who (flee|flees|escape|escapes|retreat|retreats) [PHRASE:more]",
        ("leave {who}: {line}{with_hp}",),
    ),
    Habit("PEOPLE:who (is|are|goes|falls|drops) ANY:condition", ("status {who} {condition}",)),
    Habit(f"PEOPLE:who (is|are) {DOWN}", ("narrate: {line}{fallen}",)),
    Habit(f"PEOPLE:who (is|are) {DOWN}", OUT, "Out of the fight"),
    Habit(
        f"PEOPLE:by (heals|heal|healed|cures|cured) PEOPLE:who [(by|for)] {N} [(hp|points)]",
        ("{hp} {who} {plus}{n}: {heals}",),
    ),
    Habit(
        "PEOPLE:by (heals|heal|healed|cures|cured) PEOPLE:who [(by|for)] INT:n [(hp|points)]",
        ("ruling {healed}: {line}",),
        "By ruling",
    ),
    Habit(
        "PEOPLE:by (heals|heal|healed|cures|cured) PEOPLE:who [(by|for)] INT:n [(hp|points)] : text",
        ("{hp} {who} {plus}{n}: {heals} {text}",),
    ),
    Habit(
        "PEOPLE:by (heals|heal|healed|cures|cured) PEOPLE:who [(by|for)] INT:n PHRASE:more",
        ("{hp} {who} {plus}{n}: {line}",),
        "If that heals",
    ),
    Habit(
        f"PEOPLE:by {CASTS_SPELL} {SPELL} (on|to) PEOPLE:who for {N} [(hp|points)]",
        ("{hp} {who} {minus}{n}: {line}", "{hp} {who} {plus}{n}: {line}"),
        "Less, or more",
    ),
    Habit(f"PEOPLE:by {CASTS_SPELL} {SPELL} (at|on) PEOPLE:who", ("{attack_thrown}",), TO_ATTACK),
    Habit(
        f"PEOPLE:by (casts|cast|uses) {SPELL} (on|at|to) PEOPLE:who",
        ("{hp} {who} {minus}{came}: {line}", "{hp} {who} {plus}{came}: {line}"),
        "Less, or more",
    ),
    Habit(
        f"{POTION} {HEALS} {N} [(hp|points)]",
        ("potions {drinker} -1: {line}", "{hp} {drinker} {plus}{n} {thrown?}"),
        ONE_LINE,
    ),
    Habit(
        f"{POTION} [PHRASE:more]",
        ("potions {drinker}{healed_by_dice} -1: {line}", "{hp} {drinker} {plus}{came}"),
        ONE_LINE,
    ),
    Habit(
        f"{POTION} [PHRASE:more]",
        (
            "pay potions 1 from {potion_of} to {dry}",
            "{hp} {dry} {plus}{came}: {line}",
            "narrate {dry}: {line}",
        ),
        "None is counted for them",
    ),
    Habit(f"{POTION} [PHRASE:more]", ("{hp} {who} {plus}{came}: {line}",)),
    Habit(f"{POTION} {HEALS} {N} [(hp|points)]", ("{hp} {who} {plus}{n}: {line}",)),
    Habit(f"PEOPLE:who {USES} [(a|an|one|the|his|her|their)] ANY:coin", ("{coin} {who} -1: {line}", TOLD)),
    Habit(
        f"PEOPLE:who {USES} [(a|an|one|his|her|their)] [{SPELL}] (slot|slots)",
        ("track {who} {slots} -1: {line}",),
    ),
    Habit(f"PEOPLE:who {USES} INT:n ANY:coin", ("{coin} {who} -{n}",)),
    Habit(f"{POTION} [PHRASE:more]", ("{hp} {who} {plus}1: {line}", TOLD, TOLD_BY_GM), HOW_MUCH),
    Habit("(heal|heals|cure) PEOPLE:who [(by|for)] DICE:dice", ("roll {dice}: {line}{without_hp}",), FIRST),
    Habit(
        f"PEOPLE:who {LOSES} DICE:dice [[ANY:sort] {OF_HARM}]", ("roll {dice}: {line}{without_hp}",), FIRST
    ),
    Habit("((heal|cure) PEOPLE:who|PEOPLE:who (heals|heal|recovers))", ("{hp} {who} {plus}1",), HOW_MUCH),
    Habit("PEOPLE:by (heals|heal|healed|cures|cured) PEOPLE:who", ("{hp} {who} {plus}1: {heals}",), HOW_MUCH),
    Habit(f"PEOPLE:who {DOWN}", OUT, "Out of the fight"),
    Habit(f"PEOPLE:who {LOSES} {N} ({SORTS})", (LESS,)),
    Habit(
        f"PEOPLE:who {LOSES} INT:n (ANY:box [stress]|[stress] (in|on|to) [{THE}] ANY:box)",
        ("resist {who} {box} {n}",),
    ),
    Habit(
        f"PEOPLE:who {LOSES} INT:n (ANY:box [stress]|[stress] (in|on|to) [{THE}] ANY:box)",
        ("ruling {who}.{box}-stress+={n}",),
        "By ruling",
    ),
    Habit(
        f"PEOPLE:who {LOSES} INT:n [ANY:sort] stress",
        ("{may_apply}", STRESSED, TOLD, TOLD_BY_GM),
        "By the act, or by ruling",
    ),
    Habit("stress PEOPLE:who ANY:box INT:n", ("ruling {who}.{box}-stress+={n}",), "By ruling"),
)
HALF_ON_SAVE: Final = (
    f"PEOPLE:who {LOSES} INT:n [([ANY:sort] {OF_HARM}|{SORTS})] [(and|or)] half [(damage|dmg)]"
    " (for|if|on|when|with) PHRASE:more"
)
RULED_NUMBERS: Final = (
    Habit("[set] ANY:count PEOPLE:who [to] INT:n", (COUNTED,)),
    Habit("[set] PEOPLE:who ANY:count [to] INT:n", (COUNTED,)),
    Habit("PEOPLE:who [has] INT:n ANY:count", (COUNTED,)),
    Habit("ANY:count INT:n PEOPLE:who", (COUNTED,)),
    Habit("ANY:count PEOPLE:who ANY:amount", (COUNTED, "cast {whose} {in_all}"), "Left, or in all"),
    Habit("PEOPLE:who ANY:count ANY:amount", (COUNTED, "cast {whose} {in_all}"), "Left, or in all"),
    Habit("(heal|heals|cure) PEOPLE:who [(by|for)] INT:n [(hp|points)]", (BY_HEALING,)),
    Habit("(heal|heals|cure) INT:n [(hp|points)] [(to|for|on)] PEOPLE:who", (BY_HEALING,)),
    Habit("PEOPLE:who (heals|heal|regains|recovers) [(by|for)] INT:n [(hp|points|health)]", (BY_HEALING,)),
    Habit(f"PEOPLE:who {LOSES} INT:n [[ANY:sort] {OF_HARM}]", (RULED,)),
    Habit(f"{HARMS} PEOPLE:who [for] INT:n [[ANY:sort] (damage|dmg)]", (RULED,)),
    Habit("[(deal|deals|do)] INT:n [ANY:sort] (damage|dmg|harm) (to|on) PEOPLE:who", (RULED,)),
    Habit("(heal|heals|cure) PEOPLE:who [(by|for)] INT:n [(hp|points)]", UNCOUNTED[1:], "Told"),
    Habit(f"PEOPLE:who {LOSES} INT:n [[ANY:sort] {OF_HARM}]", UNCOUNTED, "By ruling, or told"),
    Habit(f"{HARMS} PEOPLE:who [for] INT:n [[ANY:sort] (damage|dmg)]", UNCOUNTED, "By ruling, or told"),
    Habit(
        "ANY:track PEOPLE:who SIGNED:change (half|halved|double|doubled|twice|resistant) [PHRASE:more]",
        ("{track} {who} {change}", "{track} {who} {halved}"),
        "As it is, or half of it",
    ),
    Habit(f"PEOPLE:who {LOSES} half of INT:n [([ANY:sort] {OF_HARM}|{SORTS})]", ("{hp} {who} {halved}",)),
    Habit(HALF_ON_SAVE, ("{hp} {failed} {minus}{n}", "{hp} {passed} {halved}"), ONE_LINE),
    Habit(HALF_ON_SAVE, ("{hp} {all_failed} {minus}{n}", "{hp} {all_passed} {halved}")),
    Habit(
        f"PEOPLE:who {LOSES} INT:n [([ANY:sort] {OF_HARM}|{SORTS})]"
        " (half|halved|resist|resistant|resists) [PHRASE:more]",
        ("{hp} {who} {minus}{n}", "{hp} {who} {halved}"),
        "As it is, or half of it",
    ),
    Habit("ANY:track PEOPLE:who DICE:change PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit("ANY:track PEOPLE:who SIGNED:change PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit("PEOPLE:who ANY:track SIGNED:change PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit("PEOPLE:who SIGNED:change ANY:track PHRASE:why", ("{track} {who} {change}: {why}",)),
    Habit(
        f"PEOPLE:who {LOSES} {N} ([[ANY:sort] {OF_HARM}]|{SORTS}) (by|from|of) PHRASE:why",
        ("{hp} {who} {minus}{n}: {why}",),
    ),
    Habit("PEOPLE:who (fail|fails|failed) INT:n [ANY:sort] (damage|dmg)", (BLOW,)),
    Habit("PEOPLE:who SIGNED:n", ("{hp} {who} {sign}{n}",)),
    Habit("PEOPLE:who DICE:change", ("{hp} {who} {change}",), "A line begins with what is done"),
    Habit(
        "PEOPLE:who (is|are|comes|gets|up|wakes) [(back|now|up)] (at|to|with) INT:n hp", ("{hp} {who} {n}",)
    ),
    Habit("PEOPLE:who (is|are) [now] at INT:n", ("{hp} {who} {n}",), "If that is what is left"),
    Habit("ANY:track SIGNED:change PEOPLE:who", ("{track} {who} {change}",)),
    Habit("PEOPLE:who SIGNED:change ANY:track", ("{track} {who} {change}",)),
    Habit("PEOPLE:by ANY:harms PEOPLE:who for INT:n [[ANY:sort] (damage|dmg)]", (LESS,), HARMED),
)
