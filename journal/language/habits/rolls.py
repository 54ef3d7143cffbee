"""Rolls and attacks."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import (
    ACTS,
    AN_ATTACK,
    BY_SKILL,
    CAME,
    CASTS_SPELL,
    DAMAGE,
    EACH,
    FEW_WORDS,
    FIRST,
    HARMED,
    HEALS_ANOTHER,
    HITS,
    NATURAL,
    OF_SORT,
    ONE_LINE,
    PERHAPS,
    REACHED,
    SKILL,
    SPELL,
    TEST,
    THE,
    TO_ATTACK,
    TOLD,
    TOLD_BY_GM,
    WITH,
    Habit,
    N,
)

THROWS: Final = (
    "(aims|fires|flings|hurls|jabs|lobs|looses|lunges|shoots|slashes|stabs|swings|throw|throws|thrusts)"
)
REACTION: Final = "(aoo|oa|(bonus|free|off hand|offhand|opportunity|reaction|readied) (attack|attacks))"
ARMS: Final = (
    "[ANY:spell] (axe|blast|bolt|bow|club|crossbow|dagger|greataxe|greatsword|hammer|knife|longbow|longsword"
    "|mace|ray|shortbow|shortsword|sling|smite|spear|staff|sword|warhammer) [(against|at|on|vs)]"
)
"""A weapon or a spell in place of what somebody does with it."""
ROLL: Final = "{test}"
RESULT: Final = ("{rolled_face}", "{rolled_total}", ROLL, "{test_and_more}")
OWN_ROLL: Final = "{own_test}"
ROLLED: Final = "(rolls|rolled|roll|got)"
OF_ATTACK: Final = (
    "{attack_faces}",
    "{attack_totals}",
    "{attack_total_and_face}",
    "{attack_face_and_total}",
)
COUNTED_AT_AIM: Final = (
    "{counted_face_and_total}",
    "{counted_face_and_harm}",
    "{counted_faces}",
    "{counted_totals}",
    "{counted_total_and_harm}",
)
AT_AIM: Final = tuple(line.replace("attack_", "aimed_") for line in OF_ATTACK)
AT_FOE: Final = "{hp} {foe} {minus}{n}: {line}"
SET: Final = "cast {whose} {number_called}={sign?}{n}"
CONTEST: Final = f"[roll] PEOPLE:who ANY:stat [{TEST}] vs PEOPLE:aim [ANY:skill] [{TEST}]"
COME: Final = "(attack|attacks|ambush|ambushes|appear|arrive|come|charge)"
SAVES: Final = "(ANY:stat [saving] (save|throw)|(save|throw) ANY:stat) vs INT:n"
AT_WHOM: Final = "[(at|on|to)] PEOPLE:who"
BY_SPELL: Final = (f"PEOPLE:by {CASTS_SPELL} {SPELL}", f"PEOPLE:by {SPELL}")
ROLLS: Final = (
    *(
        Habit(f"{words} (DICE:dice|[(for|or)] DICE:dice PHRASE:more)", lines, ONE_LINE)
        for words, lines in (
            (f"PEOPLE:who {SAVES}", ("{test}", "roll {dice}: damage")),
            *((f"{cast} {AT_WHOM} {SAVES}", ("{test}: {line}", "roll {dice}: damage")) for cast in BY_SPELL),
        )
    ),
    *(
        Habit(
            f"{cast} ({AT_WHOM} DICE:dice {OF_SORT}|DICE:dice {OF_SORT} {AT_WHOM}) {SAVES}",
            ("{test}: {line}", "roll {dice}: damage"),
            ONE_LINE,
        )
        for cast in BY_SPELL
    ),
    Habit(f"[roll] PEOPLE:who ANY:stat [{TEST}]", ("{answer_in_all}",)),
    Habit(f"[roll] PEOPLE:who ANY:stat [{TEST}] INT:n", ("{answer_face}", "{answer_total}"), CAME),
    Habit(
        f"[roll] PEOPLE:who ANY:stat [{TEST}] DICE:throw [vs INT:goal]",
        ("roll {who} {throw} {reached?}: {skill_typed}",),
    ),
    Habit(f"PEOPLE:who {ROLLED} [(a|an)] INT:n (for|on) [the] (initiative|init)", ("initiative {who} {n}",)),
    Habit(
        f"PEOPLE:who ({ROLLED} [(a|an)] INT:n [(on|for|in)]|INT:n (on|for|in)) [(a|the|his|her|their)]"
        f" ANY:stat [{TEST}] [vs INT:goal]",
        ("{rolled_face}", "{rolled_total}"),
        CAME,
    ),
    Habit(f"PEOPLE:who ANY:stat [{TEST}] (total|totals) INT:n [vs INT:goal]", ("{rolled_total}",)),
    Habit(
        f"[roll] PEOPLE:who ANY:stat [{TEST}] INT:n vs INT:goal",
        ("{rolled_face}", "{rolled_total}"),
        CAME,
    ),
    Habit(
        f"PEOPLE:who {SPELL} ANY:stat [{TEST}] INT:n vs INT:goal",
        ("{rolled_face}", "{rolled_total}"),
        CAME,
    ),
    Habit(f"[roll] PEOPLE:who ANY:stat [{TEST}] ANY:sum [vs INT:goal]", ("{test_sum}",)),
    Habit(
        f"[roll] PEOPLE:who ANY:stat [{TEST}] (about|against|at|on):why PEOPLE:aim ANY:sum [vs INT:goal]",
        ("{test_sum}: {why} {aim}",),
    ),
    Habit(f"PEOPLE:who ANY:stat [{TEST}] (nat|natural) INT:n [vs INT:goal]", ("{rolled_face}",), CAME),
    Habit(
        f"PEOPLE:who [(makes|rolls)] [a] ANY:stat [saving] [{TEST}] [throw] vs INT:n"
        " (about|against|at|because|for|from|on|or|over|to|versus):why PHRASE:more",
        ("{test}: {why} {more}",),
    ),
    Habit("ANY:stat [vs] [INT:n]", ("{turn_test}", "{party_test}", "{own_test}"), "Whose it is"),
    Habit("(overcome|challenge|contest) PEOPLE:who ANY:stat [vs INT:n]", (ROLL,)),
    Habit(
        "(contest|opposed) PEOPLE:who ANY:stat vs PEOPLE:aim [ANY:skill]",
        (ROLL, "{test_of_aim}"),
        EACH,
    ),
    Habit(f"[roll] PEOPLE:who ANY:stat [{TEST}] [vs] PEOPLE:aim [vs] INT:n", (ROLL,)),
    Habit("[roll] PEOPLE:who ANY:stat vs PEOPLE:aim ANY:skill", ("roll {who} {stat} vs {aim} {skill}",)),
    Habit(CONTEST, ("{contest}", "{answer}"), EACH),
    Habit(CONTEST, ("{contest_alone}",)),
    Habit(
        "PEOPLE:who INT:n [(vs|and)] PEOPLE:aim INT:hit",
        ("{best_who} vs {aim} = {n}", "{best_aim} vs {whose} = {hit}"),
        EACH,
    ),
    Habit("set PEOPLE:who ANY:stat [to] INT:n", (SET,)),
    Habit(
        f"(save|check|test) ANY:stat [{TEST}] [(for|by)] PEOPLE:who [vs INT:n]",
        (ROLL,),
    ),
    Habit("PEOPLE:who (attempts|overcome|overcomes|tries|try) [with] ANY:stat [vs INT:n]", (ROLL,)),
    Habit(f"[roll] PEOPLE:who [check] ANY:stat [{TEST}] ANY:bonus [vs INT:goal]", ("{test_with_bonus}",)),
    Habit(
        f"[roll] PEOPLE:who [check] ANY:stat [{TEST}] ANY:bonus [vs INT:goal]",
        ("roll {whose} 1d20+{number_rolled}{bonus} {reached?}: {line}",),
    ),
    Habit(
        "[roll] PEOPLE:by attack [ANY:stat] ANY:bonus [(against|at|on|vs)] PEOPLE:who",
        ("{attack_with_bonus}",),
    ),
    Habit("PEOPLE:who ANY:stat DICE:die", (ROLL, "roll {who} {die}: {stat}"), "A roll"),
    Habit("(save|check|test) [(throw|check)] PEOPLE:who ANY:stat [vs INT:n]", (ROLL,)),
    Habit("saving throw PEOPLE:who ANY:stat [vs INT:n]", (ROLL,)),
    Habit(f"PEOPLE:who [(makes|rolls)] [a] {TEST} ANY:stat [vs INT:n]", (ROLL,)),
    Habit(f"PEOPLE:who (makes|make|rolls|roll) [a] ANY:stat [saving] [{TEST}] [throw] [vs INT:n]", (ROLL,)),
    Habit(f"PEOPLE:who [a] ANY:stat [saving] {TEST} [vs INT:n]", (ROLL,)),
    Habit(f"PEOPLE:who {SPELL} ANY:stat (check|checks|test|tests) [vs INT:n]", ("{test}: {doing}",)),
    Habit("PEOPLE:who ANY:stat saving throw [vs INT:n]", (ROLL,)),
    Habit(
        f"PEOPLE:who (makes|rolls) [(a|an)] ANY:stat [{TEST}] (about|against|at|on) PEOPLE:aim [vs INT:n]",
        (ROLL,),
    ),
    Habit("PEOPLE:who (adv|advantage)", ("{best_who} adv",), "On a roll"),
    Habit("PEOPLE:who (dis|disadvantage)", ("{best_who} dis",), "On a roll"),
    Habit("PEOPLE:who (gets|has) (adv|advantage) [PHRASE:more]", ("{best_who} adv",), "On a roll"),
    Habit("PEOPLE:who (gets|has) (dis|disadvantage) [PHRASE:more]", ("{best_who} dis",), "On a roll"),
    Habit("PEOPLE:who ANY:stat [PHRASE:values]", (ROLL,), PERHAPS),
    Habit("ANY:stat PEOPLE:who", (ROLL,), PERHAPS),
    Habit("PEOPLE:who ANY:stat vs INT:n [PHRASE:values]", (ROLL,)),
    Habit("ANY:stat PEOPLE:who [(about|against|at|on) PEOPLE:aim] vs INT:n", (ROLL,)),
    Habit("[roll] PEOPLE:who [check] ANY:stat INT:n", (*RESULT, SET), REACHED),
    Habit(f"[roll] PEOPLE:who ANY:stat [saving] {TEST} INT:n", RESULT, REACHED),
    Habit("[roll] ANY:stat PEOPLE:who INT:n", (*RESULT, SET), REACHED),
    Habit(f"ANY:stat [saving] {TEST} [throw] [for] PEOPLE:who [vs INT:n]", (ROLL,)),
    Habit("(save|check|test) PEOPLE:who ANY:stat INT:n", RESULT, REACHED),
    Habit("vs INT:n ANY:stat PEOPLE:who", (ROLL,)),
    Habit("vs INT:n PEOPLE:who ANY:stat", (ROLL,)),
    Habit("roll PEOPLE:who ANY:stat [(save|check|test)] [vs INT:n]", (ROLL,)),
    Habit("roll PEOPLE:who (check|save|test) ANY:stat [vs INT:n]", (ROLL,)),
    Habit("roll [a] ANY:stat [(save|check|test)] [vs INT:n]", (OWN_ROLL,), "Whose it is"),
    Habit("[make] [a] (save|check|test) ANY:stat [vs INT:n]", (OWN_ROLL,), "Whose it is"),
    Habit("[make] [a] ANY:stat [saving] (save|check|test|throw) [vs INT:n]", (OWN_ROLL,), "Whose it is"),
    Habit("vs INT:n ANY:stat [(save|check|test)]", (OWN_ROLL,), "Whose it is"),
    Habit("vs INT:n", ("{best} vs {n}", "roll {me} 1d20 vs {n}"), "A roll has a number to reach"),
    Habit("roll [a] ANY:stat [saving] [(save|check|test)] [for] [the] PEOPLE:who [vs INT:n]", (ROLL,)),
    Habit("roll damage DICE:dice", ("roll {dice}: damage",)),
    Habit("[PEOPLE:who] (reroll|rerolls) [PHRASE:more]", ("{reroll}",), "By an aspect"),
    Habit("reroll [PHRASE:more]", ("undo",), "To take it back first"),
    Habit("[roll] [with] (adv|advantage)", ("{best} adv", "roll {me} 1d20 adv"), "On a roll"),
    Habit("[roll] [with] (dis|disadvantage)", ("{best} dis", "roll {me} 1d20 dis"), "On a roll"),
    Habit("(save|check|test|skill) PEOPLE:who [PHRASE:more]", ("{best_who}", "{now}"), "A roll"),
    Habit("PEOPLE:who (save|saves) (vs|against|on|with) ANY:stat [[vs] INT:n]", (ROLL,)),
    Habit(
        f"PEOPLE:who ((fails|failed|passes|passed|succeeds|succeeded) [(on|at|in)]"
        f" [{THE}] [death] ({SKILL}|{TEST})|makes {THE} {TEST})",
        (TOLD, TOLD_BY_GM),
    ),
    Habit(
        "PEOPLE:who (save|saves) [(against|again|for|from|on|to|versus|vs|with) [PHRASE:more]]",
        ("{best_who}",),
        "A roll",
    ),
    Habit("(save|check|test|skill) PHRASE:more", ("{best}", "{now}"), "A roll"),
    Habit("attack PEOPLE:by PEOPLE:who", ("{attack}",), TO_ATTACK),
    Habit(f"{REACTION} PEOPLE:by [(at|on|against|vs)] PEOPLE:who", ("{attack}",), TO_ATTACK),
    Habit(
        f"PEOPLE:by [(gets|makes|takes|uses)] [(an|{THE[1:]}] {REACTION} [(at|on|against|vs)] PEOPLE:who",
        ("{attack}",),
        TO_ATTACK,
    ),
    Habit(
        "PEOPLE:by [ANY:word] attack (on|at|against) PEOPLE:who : text",
        (*OF_ATTACK, "{attack_face_and_harm}", "{attack_total_and_harm}"),
        CAME,
    ),
    Habit("PEOPLE:by [ANY:word] attack (on|at|against) PEOPLE:who", ("{attack}",), TO_ATTACK),
    Habit(
        f"PEOPLE:by ({HITS}|{ARMS}|{CASTS_SPELL} {SPELL} (at|on)|sneak attack) PEOPLE:who [PHRASE:more]",
        ("{attack_for_face}", "{attack_for_total}"),
        CAME,
    ),
    Habit(
        f"PEOPLE:by ({HITS}|{ARMS}|{CASTS_SPELL} {SPELL} (at|on)|sneak attack) PEOPLE:who [PHRASE:more]",
        COUNTED_AT_AIM,
    ),
    Habit(f"PEOPLE:by ({HITS}|{ARMS}) PEOPLE:who PHRASE:more", OF_ATTACK, CAME),
    Habit(
        f"PEOPLE:by ({HITS}|{ARMS}) PEOPLE:who PHRASE:more",
        ("{attack_face_and_harm}", "{attack_total_and_harm}"),
        CAME,
    ),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who damage DICE:dice", ("{attack} damage {dice}",)),
    Habit(
        f"PEOPLE:by {HITS} PEOPLE:who [(with|using) {THE} ANY:weapon] ANY:bonus",
        ("{attack_and_dice}", "{attack_with_bonus}{or_harm}: {line}"),
        "With the damage, or to hit",
    ),
    Habit(
        "PEOPLE:by sneak (attack|attacks) [on] PEOPLE:who", ("{attack_and_sneak}",), "With the dice beside"
    ),
    Habit(f"PEOPLE:by {ARMS} PEOPLE:who [PHRASE:more]", ("{attack}",), TO_ATTACK),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who PHRASE:more", ("{hp} {who} {minus}{damage}: {line}",), HARMED),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who : text", OF_ATTACK, CAME),
    Habit(f"PEOPLE:by {THROWS} [{SPELL}] (at|into) PEOPLE:who : text", OF_ATTACK, CAME),
    Habit(f"{HITS} PEOPLE:who PHRASE:more", OF_ATTACK, CAME),
    Habit(f"PEOPLE:by {CASTS_SPELL} {SPELL} (at|on) PEOPLE:who PHRASE:more", OF_ATTACK, CAME),
    Habit(f"PEOPLE:by {CASTS_SPELL} {SPELL} (at|on) PEOPLE:who : text", OF_ATTACK, CAME),
    Habit(
        f"[PEOPLE:by] {SPELL} [[at] PEOPLE:who] INT:hit [for] INT:hurt",
        AT_AIM,
        CAME,
    ),
    Habit(
        f"PEOPLE:by ({HITS}|{ARMS}) PEOPLE:who [(a|nat|natural)] INT:n [(and|a)] (crit|crits|critical) [hit]",
        ("{attack_at_foe} = {n}",),
        AN_ATTACK,
    ),
    NATURAL,
    Habit(
        f"[PEOPLE:by] [{HITS} PEOPLE:who] [(rolls|rolled|with)] [a] (nat|natural) INT:n",
        ("{attack_at_foe} = {n}",),
        AN_ATTACK,
    ),
    Habit(
        f"PEOPLE:by INT:hit to hit [(on|at|against|vs)] [PEOPLE:who] [[for] INT:hurt {OF_SORT}]",
        ("{attack_at_foe} damage {hurt} = total {hit}: {line}", "{attack_at_foe} = total {hit}"),
    ),
    Habit(
        f"PEOPLE:by [{HITS}] (nat|natural) INT:n [(on|at|against|vs)] PEOPLE:who"
        " [(crit|crits|critical|for)] DICE:dice",
        ("{attack_at_foe} = {n} total {harm_thrown}: {line}",),
        AN_ATTACK,
    ),
    Habit(
        "[PEOPLE:by] (crit|crits|critical) [hit] [(at|on)] [PEOPLE:who]",
        ("{attack_at_foe} = 20",),
        AN_ATTACK,
    ),
    Habit(
        f"[PEOPLE:by] (hit|hits|strikes|deals|does|deal|do|crit|crits|critical|for) [for] {N} {OF_SORT}",
        (AT_FOE,),
        HARMED,
    ),
    Habit(f"[thats] INT:n [ANY:sort] {DAMAGE}", (AT_FOE,), HARMED),
    Habit(f"[PEOPLE:by] [{SPELL}] DICE:n {OF_SORT}", (AT_FOE,), HARMED),
    Habit(
        f"[PEOPLE:by] {SPELL} DICE:n [(extra|more)] {OF_SORT} (at|on|to) [the] PEOPLE:who",
        ("{hp} {who} {minus}{n}: {line}",),
        HARMED,
    ),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who ANY:bonus", ("{attack_with_bonus}: {line}",), TO_ATTACK),
    Habit(f"PEOPLE:by {HITS} PEOPLE:who ANY:bonus", ("roll {bonus_dice}: {line}",), FIRST),
    Habit(
        f"PEOPLE:by {HITS} PEOPLE:who DICE:n",
        ("{hp} {who} {minus}{n}: {line}",),
        HARMED,
    ),
    Habit(
        f"[PEOPLE:by] ANY:harms [ANY:wording [ANY:ending]] [(at|on)] PEOPLE:who (for {N}|DICE:n)",
        ("{hp} {who} {minus}{n}{of_foe}: {line}",),
    ),
    Habit(
        f"[PEOPLE:by] ANY:harms [ANY:wording [ANY:ending]] [(at|on)] PEOPLE:who (for {N}|DICE:n)",
        ("{hp} {who} {minus}{n}: {line}",),
        HARMED,
    ),
    Habit("(miss|misses|missed|fumble|fumbles)", ("narrate {me}: {line}",), "To tell it"),
    Habit(f"PEOPLE:by {SPELL} (and|then) {HITS} PEOPLE:who [PHRASE:more]", ("{attack}: {line}",), TO_ATTACK),
    Habit(f"PEOPLE:by {THROWS} [{SPELL}] (at|into) PEOPLE:who PHRASE:more", OF_ATTACK, CAME),
    Habit(
        f"PEOPLE:by {THROWS} [{SPELL}] (at|into) PEOPLE:who [PHRASE:more]",
        ("{attack}", TOLD, TOLD_BY_GM),
        TO_ATTACK,
    ),
    Habit(
        f"[(the|all)] PEOPLE:foes {COME} [(us|[the] party)]",
        ("conflict {party} vs {foes}", TOLD, TOLD_BY_GM),
        "A fight first",
    ),
    Habit(
        f"[INT:n] ANY:newcomers {COME} [(us|[the] party)]",
        ("cast {several}", TOLD, TOLD_BY_GM),
        "Somebody new, or told",
    ),
    Habit(
        f"PEOPLE:by {HITS} PEOPLE:who [PHRASE:more]",
        ("{attack}", "declare {by} {engage} {who}", "{opening}", TOLD, TOLD_BY_GM),
        TO_ATTACK,
    ),
    Habit(f"{HITS} PEOPLE:who [PHRASE:more]", ("{attack}", TOLD, TOLD_BY_GM), TO_ATTACK),
    Habit("attack ANY:weapon", ("{attack}",), TO_ATTACK),
    Habit(f"[PEOPLE:by] {HITS}", ("{attack}", TOLD, TOLD_BY_GM), TO_ATTACK),
    Habit(
        "PEOPLE:who ANY:does PEOPLE:aim vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("roll {who} {skill_of} vs {aim} {skill}: {does} {aim}",),
    ),
    Habit("PEOPLE:who ANY:does PHRASE:more", ("{skilled_goal}",)),
    Habit("PEOPLE:who ANY:does PHRASE:more", ("{skilled_face}", "{skilled_total}"), CAME),
    Habit(
        f"PEOPLE:by (helps|aids) PEOPLE:who [to] (recover|clear|heal) [{THE}] ANY:box {WITH} ANY:stat",
        ("recover {by} {who} {box} with {stat}",),
    ),
    Habit(
        "PEOPLE:by (helps|aids) PEOPLE:who [to] (recover|clear|heal) [(his|her|their)] [ANY:box]",
        ("recover {by} {who} {recovered}",),
        "To recover, and with SKILL behind it",
    ),
    Habit(
        f"PEOPLE:by {HEALS_ANOTHER} [(up|to)] PEOPLE:who [ANY:box] {WITH} ANY:stat",
        ("recover {by} {who} {recovered} with {stat}",),
        "To recover",
    ),
    ACTS,
    Habit(ACTS.form.replace(" (with|using)", ""), ACTS.lines, ACTS.says),
    Habit(
        "PEOPLE:who ANY:deed [ANY:first [ANY:second [ANY:third [ANY:fourth]]]]"
        " (with|using) ANY:stat [vs INT:n]",
        ("{test}: {doing}", TOLD, TOLD_BY_GM),
        BY_SKILL,
    ),
    Habit(
        "PEOPLE:who ANY:deed [ANY:first [ANY:second [ANY:third]]] ANY:stat vs INT:n",
        ("{test}: {doing}", TOLD, TOLD_BY_GM),
        BY_SKILL,
    ),
    Habit(
        "PEOPLE:who ANY:deed PEOPLE:aim ANY:stat vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("roll {who} {stat} vs {aim} {skill}: {deed} {aim}", "{contest_alone}: {deed} {aim}"),
    ),
    Habit(f"PEOPLE:who ANY:deed {FEW_WORDS} ANY:stat", ("{thrown_test}: {doing}",)),
    Habit(
        "PEOPLE:who ANY:does [PHRASE:more]",
        ("{skilled}", "{moves}", "declare {who} other: {line}", TOLD, TOLD_BY_GM),
        BY_SKILL,
    ),
)
