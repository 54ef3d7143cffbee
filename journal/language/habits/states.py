"""Conditions, sheets, and people who come and go."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import (
    HOW_MUCH,
    SEIZED,
    SPELL,
    STATE,
    THING,
    TOLD,
    TOLD_BY_GM,
    Habit,
)

HANDS_OVER: Final = "(give|gives|hand|hands|pass|passes|throws|tosses)"
ANY_ARTICLE: Final = "[(a|an|the|my|his|her|their)]"

STATES: Final = (
    Habit(
        "PEOPLE:who [(is|are|was|gets|got)] (knocked|made|now|rendered|turned) ANY:condition",
        ("status {who} {condition}",),
    ),
    Habit(
        "PEOPLE:who (is|are|gets|becomes) ANY:condition (until|for|by|from|in|behind|under) PHRASE:more",
        ("status {who} {condition}: {line}",),
    ),
    Habit(
        "PEOPLE:by (catches|clutches|grabs|holds|pins|seizes) PEOPLE:who [PHRASE:more]",
        ("status {who} grappled", TOLD),
        SEIZED,
    ),
    Habit(
        "PEOPLE:who ((runs|run|gets|slips|swims|rides) (away|off)|(runs|makes) for it|takes [to] flight)"
        " [(down|from|into|out|over|through) PHRASE:more]",
        ("leave {who}: {line}{with_hp}",),
    ),
    Habit(
        "PEOPLE:who ([(is|keeps|starts)] concentrating|concentrates) [(on PHRASE:more)]",
        ("track {who} concentrating 1/1: {line}", TOLD, TOLD_BY_GM),
        STATE,
    ),
    Habit(
        "PEOPLE:who (breaks|drops|ends|loses) [(his|her|its|their)] concentration [PHRASE:more]",
        ("track {who} concentrating off: {line}", TOLD, TOLD_BY_GM),
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
    Habit("ANY:condition to PEOPLE:who for PHRASE:why", ("status {who} {condition}: {why}",)),
    Habit(
        "add ANY:first [ANY:second [ANY:third]] to PEOPLE:who",
        ("thing {quoted}: {who} has it.",),
        THING,
    ),
    Habit(
        "PEOPLE:by (gives|hands|passes) PEOPLE:who (a|an|the|his|her|their) ANY:first [ANY:second]",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        "PEOPLE:by (gives|hands|passes) PEOPLE:who (a|an|the|his|her|their) ANY:first [ANY:second]",
        ("thing {quoted}: {who} has it.", TOLD, TOLD_BY_GM),
        THING,
    ),
    Habit(
        f"{HANDS_OVER} {ANY_ARTICLE} ANY:first [ANY:second]"
        " (to PEOPLE:who from PEOPLE:by|from PEOPLE:by to PEOPLE:who)",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        f"[PEOPLE:by] {HANDS_OVER} {ANY_ARTICLE} ANY:first [ANY:second [ANY:third]] to PEOPLE:who",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        f"[PEOPLE:by] {HANDS_OVER} PEOPLE:who {ANY_ARTICLE} ANY:first [ANY:second [ANY:third]]",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(f"{HANDS_OVER} {ANY_ARTICLE} ANY:first [ANY:second] PEOPLE:who", ("thing {thing}: {who} has it.",)),
    Habit(
        "(give|gives|hand|hands|pass) (a|an|the|my) ANY:first [ANY:second] to PEOPLE:who",
        ("thing {quoted}: {who} has it.",),
        THING,
    ),
    Habit(
        "(give|gives|hand|hands|pass) ANY:first [ANY:second] to PEOPLE:who",
        ("thing {quoted}: {who} has it.",),
        THING,
    ),
    Habit(
        "PEOPLE:who (is|are|isnt|arent) (not|no) [longer] ANY:track [anymore]", ("track {who} {track} off",)
    ),
    Habit(
        "PEOPLE:who (gets|suffers|takes|take) (a|an) (bruise|injury|scar|wound):state [PHRASE:more]",
        ("track {who} {state} 1", TOLD, TOLD_BY_GM),
        STATE,
    ),
    Habit(
        "PEOPLE:who (is|are|becomes) ANY:state",
        ("track {who} {state} 1/1", TOLD, TOLD_BY_GM),
        STATE,
    ),
    Habit(
        "[(advance|set|raise)] PEOPLE:who ANY:sheet [to] INT:n", ("cast {whose} {sheet}={n}",), "On the sheet"
    ),
    Habit("PEOPLE:who PHRASE:values", ("cast {whose} {values}",), "On the sheet"),
    Habit(
        f"PEOPLE:who [(casts|cast|dons|puts on|wears) {SPELL}] vs INT:n",
        ("cast {whose} ac={n}{armoured}",),
        "On the sheet",
    ),
    Habit(
        "(milestone|advancement|levelup|advance) [PEOPLE:who]",
        ("cast {who_or_me} {raised}", "note: {line}"),
        "A new number on the sheet, or a note",
    ),
    Habit("(milestone|advancement|levelup|advance) : text", ("note: {line}",), "A note"),
    Habit("ANY:track PEOPLE:who", ("{track} {who} {came}",)),
    Habit("PEOPLE:who ANY:track", ("{track} {who} {came}",)),
    Habit("ANY:track PEOPLE:who", ("{track} {who} -1", "{track} {who} +1"), HOW_MUCH),
    Habit("PEOPLE:who ANY:track", ("{track} {who} -1", "{track} {who} +1"), HOW_MUCH),
)
