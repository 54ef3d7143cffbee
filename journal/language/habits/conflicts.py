"""Acts of the game in play, turns and fights."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import (
    BEGIN,
    CASTS,
    CHECKED,
    DECLARED,
    DONE,
    DRAWN,
    END,
    FEW_WORDS,
    GAME_MASTER,
    HITS,
    INTENDED,
    PAYS,
    PLAYS,
    POINTS,
    ROUND,
    STRIKES,
    THE,
    TO_ATTACK,
    TO_MOVE,
    TOLD,
    TOLD_BY_GM,
    WITH,
    Habit,
)

ASSESSES: Final = "(assess PEOPLE:who|PEOPLE:who (assesses|assess|studies|sizes up))"
CREATES: Final = "PEOPLE:by (creates|makes|puts) [an] [(advantage|aspect)]"
DEFENDS: Final = "(defends|defend|protects|protect|covers|guards|shields)"
TO_ASSESS: Final = "To assess"
TO_DEFEND: Final = "To defend"
EVERYBODY: Final = "(all|everyone|everybody)"
FIGHT: Final = "(combat|fight|battle|encounter|conflict|duel)"
GETS: Final = "(gets|get|gains|gain|takes|take|receives|receive|earns|earn)"
OFFER: Final = "(compel|concession|deal|offer|point)"
INIT: Final = "(initiative|init|i)"
GO_ON: Final = (
    "(next|done|pass|skip|endturn|nextturn|resolve|resolution|(next|end) [the] (turn|player|combatant))"
)
NEXT_ROUND: Final = "(initiative|init|apply|[(next|new|end)] [of] [the] (exchange|hand|phase|round) [INT:n])"
MANEUVER: Final = ("{may_maneuver}", "aspect scene {quoted}")
SUIT: Final = "(clubs|diamonds|hearts|spades):suit"
TO_RESIST: Final = "To resist with it"
RESISTED: Final = tuple(
    f"resist {{who}} {slot} as {{title_or_blank}}" for slot in ("mild", "moderate", "severe")
)
RESISTED_WITH_TEXT: Final = tuple(line.replace("title_or_blank", "told") for line in RESISTED)
SEES: Final = (
    "(answers|block|blocks|match|matches|reverse|reverses|see|sees|take|takes) [[the] (blow|it|raise)]"
)
ACTS_OF_GAMES: Final = (
    Habit(f"{SEES} {WITH} [a] ANY:pool [ANY:box]", ("see {pool} {box?}",)),
    Habit(
        f"PEOPLE:by {DEFENDS} PEOPLE:who ANY:box {WITH} ANY:sheet",
        ("defend {by} {who} {box} with {sheet}",),
    ),
    Habit(
        f"PEOPLE:who (defends|defend|dodges|dodge|parries|parry|blocks|guards)"
        f" [(himself|herself|itself|themselves|themself)] {WITH} ANY:sheet",
        ("defend {who} {recovered} with {sheet}",),
        TO_DEFEND,
    ),
    Habit(
        f"PEOPLE:who (recovers|recover|clears) [INT:n] [(of|on)] [{THE}] ANY:box {WITH} ANY:stat",
        ("recover {who} {box} with {stat}",),
    ),
    Habit(
        "PEOPLE:who (keeps|keep) (at|attacking|firing|going|hitting|on|shooting) [PHRASE:more]",
        ("continue {who}",),
        "To go on as before",
    ),
    Habit(
        f"PEOPLE:by (gives|puts|pins) PEOPLE:who [{THE}] [aspect] ANY:quote {WITH} ANY:sheet",
        ('maneuver {by} {who} as "{quote}" with {sheet}',),
    ),
    Habit(
        f"PEOPLE:who ANY:verb (across|over|past|through|via) ANY:wording (into|to) ANY:zone {WITH} ANY:sheet",
        ("move {who} to {wording} {zone} with {sheet}",),
    ),
    Habit("(first|new|next) exchange PHRASE:words", ("exchange {words}",)),
    Habit("PEOPLE:by (compels|compel) PEOPLE:who PHRASE:words", ("compel {who} {words} --by {by}",)),
    Habit(f"{GAME_MASTER} (compels|compel) PEOPLE:who PHRASE:words", ("compel {who} {words}",)),
    Habit(
        f"[{GAME_MASTER}] (compels|compel) PEOPLE:who PHRASE:words",
        ("compel {who} {words}: …",),
        "Say what it brings",
    ),
    *(
        Habit(
            form,
            ("compel {who} {of_their_own}: {text}", "compel {who} {of_their_own}: …"),
            "By an aspect of theirs",
        )
        for form in (
            f"[{GAME_MASTER}] (compels|compel) PEOPLE:who : text",
            f"[{GAME_MASTER}] (compels|compel) PEOPLE:who",
            "PEOPLE:who (compel|is compelled) : text",
            "PEOPLE:who is compelled",
        )
    ),
    *(
        Habit(
            f"PEOPLE:who ANY:verb (to|into|towards) ANY:zone {free}",
            ("move {who} to {zone} --free", "move {who} to {zone} with {sheet} {thrown}"),
            "A free move has no dice",
        )
        for free in (f"[for] free {WITH} ANY:sheet", f"{WITH} ANY:sheet [for] free")
    ),
    Habit(f"({EVERYBODY}|both) (draws|draw)|(deal|draw) ({EVERYBODY}|card|cards)", ("draw",)),
    Habit("PEOPLE:who (has|have) (a|an) ANY:rank", ("quality {who} {rank}",)),
    Habit("PEOPLE:who [(has|have)] [a] quality (is|of) ANY:rank", ("quality {who} {rank}",)),
    Habit("PEOPLE:who have quality ANY:rank", ("quality {who} {rank}",)),
    Habit("PEOPLE:who quality : text", ("quality {who} {text}",)),
    Habit("PEOPLE:who (puts forward|bids) ANY:pool", ("raise {who} {pool}",)),
    Habit("PEOPLE:who (cannot|cant) (raise|see):verb", ("{verb} {who} none",)),
    Habit("PEOPLE:who ((acts|goes|is) first|begins|starts)", ("ruling first={who}",)),
    Habit("PEOPLE:by (vs|against) PEOPLE:who : text", ("conflict {by} vs {who}: {text}",)),
    Habit(
        "PEOPLE:by (argues|disputes|quarrels) with PEOPLE:who : text",
        ("conflict {by} vs {who}: {text}", TOLD),
        "A conflict, or told",
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
    STRIKES,
    Habit(
        f"PEOPLE:by {HITS} PEOPLE:who [ANY:box] {WITH} ANY:stat [(and|plus|upgrade)] ANY:wording",
        ("{strike} {by} {who} {box?} with {stat} --upgrade {wording}",),
    ),
    Habit(
        f"attack PEOPLE:by PEOPLE:who [ANY:box] {WITH} ANY:stat [(and|plus|upgrade)] ANY:wording",
        ("{strike} {by} {who} {box?} with {stat} --upgrade {wording}",),
    ),
    Habit(
        f"PEOPLE:by {HITS} PEOPLE:who [ANY:box] {WITH} ANY:stat (vs|against)",
        ("{strike} {by} {who} {box?} with {stat}",),
    ),
    Habit("(interrupt PEOPLE:by|PEOPLE:by interrupts)", ("{strike} {by} {foe} --interrupt", TOLD), TO_ATTACK),
    Habit(
        f"PEOPLE:by (interrupts|interrupt) [(and|to) {HITS}] PEOPLE:who [ANY:box] [(with|using) ANY:stat]",
        ("{strike} {by} {who} {box?} {armed?} --interrupt", TOLD),
        TO_ATTACK,
    ),
    Habit(
        f"{ASSESSES} PEOPLE:aim {WITH} ANY:stat [vs INT:n]",
        ("assess {who} {aim} as {only_found} with {stat} {against}",),
    ),
    Habit(
        f"{ASSESSES} PEOPLE:aim {WITH} ANY:stat vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("assess {who} {aim} as {only_found} with {stat} vs {skill}",),
    ),
    Habit(
        f"{ASSESSES} PEOPLE:aim {WITH} ANY:stat [vs INT:n]",
        ("assess {who} {aim} as {found} with {stat} {against}",),
        TO_ASSESS,
    ),
    Habit(
        f"{ASSESSES} PEOPLE:aim {WITH} ANY:stat vs [(his|her|their|its)] [PEOPLE:to] ANY:skill",
        ("assess {who} {aim} as {found} with {stat} vs {skill}",),
        TO_ASSESS,
    ),
    *(
        Habit(f"{ASSESSES} PEOPLE:aim [as] {FEW_WORDS} {armed} {goal}", (line,))
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
        TO_ATTACK,
    ),
    Habit(
        "PEOPLE:by (engage|engages|attack|attacks|charge|charges|fight|fights|tackles|rush|rushes"
        "|go for|goes for|go after|goes after|take on|takes on|come at|comes at"
        "|run at|runs at|rush at|rushes at|clash with|clashes with)"
        " PEOPLE:who [back]",
        ("declare {by} {engage} {who}",),
    ),
    Habit("PEOPLE:who (other|act|acts) : text", ("declare {who} other: {text}",)),
    Habit(
        f"PEOPLE:who {SEES} {WITH} [a] ANY:pool [ANY:box]",
        ("see {who} {pool} {box?}",),
    ),
    Habit("PEOPLE:who (folds|fold)", ("give {who}",)),
    Habit(
        "PEOPLE:who (adds|brings|bring|draws|pulls|takes|uses|use) [in] [(a|an|his|her|their|the)]"
        " [relationship] ANY:weapon DICE:dice",
        ("bring {who} {weapon}={dice}",),
    ),
    Habit("PEOPLE:who (plan|tactic) : text", ("declare {who}: {text}",)),
    Habit("PEOPLE:who (plan|tactic) is PHRASE:words", ("declare {who}: {words}",)),
    Habit(
        "PEOPLE:who (attempts|intends|means|plans|tries) to PHRASE:more",
        ("declare {who}: {line}", TOLD, TOLD_BY_GM),
        INTENDED,
    ),
    Habit("[bids] PEOPLE:who INT:n PEOPLE:to INT:goal", ("next {who} {n} {to} {goal}",)),
    Habit("PEOPLE:who (shows|show)", ("quality {who}",)),
    Habit(SUIT, ("colour {suit}",)),
    Habit("PEOPLE:who ANY:hand", ("draw {who} {hand}",), DRAWN),
    Habit("draw PEOPLE:who ANY:first [and] ANY:second", ("draw {who} {first}+{second}",)),
    Habit("[draw] PEOPLE:who [(draw|draws)] INT:n (card|cards)", ("draw {who} {n}",)),
    Habit("PEOPLE:who (draws|draw) a card", ("draw {who}",)),
    Habit("draw INT:n [(card|cards)] for PEOPLE:who", ("draw {who} {n}",)),
    *(
        Habit(f"{form}{why}", (line,))
        for why, line in (("", "award {who}"), (" for PHRASE:words", "award {who}: {words}"))
        for form in (
            "[a] legacy [point] [(for|to)] PEOPLE:who",
            "[(award|give)] PEOPLE:who [(gets|earns)] [(a|an)] (award|legacy) [point]",
        )
    ),
    Habit("award PEOPLE:who for PHRASE:words", ("award {who}: {words}",)),
    Habit("tilt PEOPLE:who (to|towards|toward) (destiny|fate):way [[by] INT:n]", ("tilt {who} {way} {n?}",)),
    Habit("PEOPLE:who (spends|uses|pays) [a] (karma|destiny|fate) [point]", ("{may_karma}",), "To spend it"),
    Habit("PEOPLE:who (desires|goal|outcome|wants|want) : text", ("outcome {who}: {text}",)),
    Habit("PEOPLE:who (goal|outcome) is PHRASE:words", ("outcome {who}: {words}",)),
    Habit("desired outcome PEOPLE:who : text", ("outcome {who}: {text}",)),
    Habit("PEOPLE:who (wants|want) PHRASE:words", ("outcome {who}: {words}", TOLD, TOLD_BY_GM), "An outcome"),
    Habit("PEOPLE:who (tells|describes) : text", ("narrate {who}: {text}",)),
    Habit("PEOPLE:by (guard|guards) PEOPLE:who", ("declare {by} guard {who}",)),
    Habit("PEOPLE:who (guard|guards)", ("declare {who} guard",)),
    Habit("PEOPLE:who (advance|advances) [(forward|forwards)]", ("declare {who} advance",)),
    Habit("PEOPLE:who (stand|stands|step|steps) [(aside|back|by|down)]", ("declare {who} stand",)),
    Habit(f"PEOPLE:who (hold|holds|stand|stands) [{THE}] ground", ("declare {who} stand",)),
    Habit("declare PEOPLE:by (attack|attacks|engages) PEOPLE:who", ("declare {by} {engage} {who}",)),
    Habit("declare PEOPLE:by guards [PEOPLE:who]", ("declare {by} guard {who?}",)),
    Habit("PEOPLE:who (passes|pass|skips|skip) [[(a|the|her|his|their)] turn]", ("simple {who}",)),
    Habit(
        "PEOPLE:who (waits|wait|holds|hold|passes|pass)",
        ("declare {who} stand", "simple {who}", TOLD, TOLD_BY_GM),
        "To wait",
    ),
    Habit("(pass|skip)", ("simple {me}",), "To wait"),
    Habit("PEOPLE:who [(acts|goes|is|are)] (first|next|now|up)", ("next {who}",)),
    Habit("PEOPLE:who (bids|bid) INT:n", ("next {who} {n}",), "With the bids of others behind it"),
    Habit(
        "PEOPLE:who (bids|bid) INT:n [to (act|be|go) first] [and] PEOPLE:to [(bids|bid)] INT:goal",
        ("next {who} {n} {to} {goal}",),
    ),
    Habit("PEOPLE:who (spends|spend|uses|use) (a|her|his|its|one|the|their) spin", ("spin {who}",)),
    Habit(
        "PEOPLE:by (block|blocks|stop|stops|intercepts|bars) PEOPLE:who",
        ("ruling {by}.engage={who}", "declare {by} {engage} {who}", "{may_defend}", TOLD, TOLD_BY_GM),
        "To stop somebody",
    ),
    Habit(
        f"PEOPLE:by {DEFENDS} PEOPLE:who [PHRASE:more]",
        ("declare {by} guard {who}", "{may_defend}", TOLD, TOLD_BY_GM),
        TO_DEFEND,
    ),
    Habit(
        "PEOPLE:who (defends|defend|dodges|dodge|parries|parry|blocks|guards) [PHRASE:more]",
        ("{may_resist}", "declare {who} guard", "{may_defend}", TOLD, TOLD_BY_GM),
        TO_DEFEND,
    ),
    Habit(
        "(defend|protect|guard) PEOPLE:who [PHRASE:more]",
        ("{may_resist}", "declare {me} guard {who}", "{may_defend}"),
        TO_DEFEND,
    ),
    Habit("full (defense|defence) [PEOPLE:who]", ("{may_defend}",), TO_DEFEND),
    Habit("PEOPLE:by full (defense|defence)", ("{may_defend}",), TO_DEFEND),
    Habit("move ANY:zone PEOPLE:who", ("move {who} to {zone}",)),
    Habit("move PEOPLE:who ANY:zone [PHRASE:more]", ("move {who} to {zone} {more?}",)),
    Habit(
        "PEOPLE:who ANY:verb [(back|down|out|over|up)] (to|into|towards) ANY:zone [PHRASE:more]",
        ("move {who} to {zone} {more?}", TOLD, TOLD_BY_GM),
        TO_MOVE,
    ),
    Habit("PEOPLE:who ANY:zone", ("place {who} {zone}", "move {who} to {zone}"), "Placed, or a move"),
    Habit(
        "PEOPLE:who [(is|are|start|starts|begin|begins|stand|stands)] (in|at|on) ANY:zone",
        ("place {who} {zone}",),
    ),
    Habit("put PEOPLE:who (in|at|on) ANY:zone", ("place {who} {zone}",)),
    Habit("zone PHRASE:title", ("map {quoted}",)),
    Habit("(zone|zones|map) PHRASE:title", ("map {listed_zones}",)),
    Habit("(zones|map) : text", ("map {listed_zones}",)),
    Habit("border [between] ANY:first [(and|to)] ANY:second INT:n", ("map {first} {n} {second}",)),
    Habit("(zones|map) PHRASE:title", ("map {zones}",), "Between two zones comes what it takes to cross"),
    Habit("(create|creates|make) [an] advantage PEOPLE:who PHRASE:title", MANEUVER, "An advantage"),
    Habit("(create|creates|make) [an] advantage PEOPLE:who : text", MANEUVER, "An advantage"),
    Habit(
        f"{CREATES} (at|on|for) PEOPLE:who {FEW_WORDS} ANY:sheet",
        ("maneuver {by} {who} as {quoted} with {sheet}",),
    ),
    Habit(
        "PEOPLE:who (creates|create|makes) [an] (advantage|aspect) : text",
        (*MANEUVER, TOLD, TOLD_BY_GM),
        "An advantage",
    ),
    Habit(
        "PEOPLE:who (creates|create|makes) [an] (advantage|aspect) [PHRASE:more]",
        ("{may_maneuver}", TOLD, TOLD_BY_GM),
        "An advantage",
    ),
    Habit("declare PEOPLE:who : text", ("aspect scene {told} --by {who}",)),
    Habit("declare : text", ("aspect scene {told}",)),
    Habit("PEOPLE:who declares that PHRASE:title", ("aspect scene {quoted} --by {who}",), DECLARED),
    Habit("PEOPLE:who declares PHRASE:title", ("aspect scene {quoted} --by {who}",), DECLARED),
    Habit("[new] aspect [(on|for|to|of)] PEOPLE:who : text", ("aspect {who} {told}",)),
    Habit("[new] aspect ANY:quote (on|for|to|of) ANY:zone", ('aspect {zone} "{quote}"',)),
    Habit("[new] aspect ANY:quote (on|for|to|of) PEOPLE:who", ('aspect {who} "{quote}"',)),
    *(
        Habit(f"PEOPLE:who (gains|gets|has|receives|takes) [(a|an|the)] [new] aspect {words}", (line,))
        for words, line in (("PHRASE:title", "aspect {who} {quoted}"), (": text", "aspect {who} {told}"))
    ),
    Habit("aspect : text", ("aspect scene {told}", "aspect {me} {told}"), "What has it"),
    Habit("aspect PHRASE:title", ("aspect scene {quoted}", "aspect {me} {quoted}"), "What has it"),
    Habit("boost ANY:aspect [(on|for|to|against)] PEOPLE:who", ("aspect {who} {aspect}",), "An aspect"),
    Habit("boost PEOPLE:by", ("{may_boost}", "{now}"), "A roll is boosted while it is open"),
    Habit("invoke PHRASE:words", ("invoke {invoker} {words}",)),
    Habit("invoke ANY:aspect PEOPLE:who", ("invoke {who} {aspect}",)),
    Habit("(use|tag) PHRASE:words", ("invoke {invoker} {words}",), "To invoke it"),
    Habit("PEOPLE:who (uses|use|tags|tag|invokes|invoke) PEOPLE:aim PHRASE:words", ("invoke {who} {words}",)),
    Habit("PEOPLE:who (uses|use|tags|tag) PHRASE:words", ("invoke {who} {words}",), "To invoke it"),
    Habit(f"PEOPLE:who {PAYS} [[(a|one)] {POINTS}] to refuse", ("refuse {who}",)),
    Habit("PEOPLE:who (pays|pay) [up]", ("refuse {who}",)),
    Habit(
        f"PEOPLE:who {PAYS} [(a|an|one|the)] [free] invoke (of|on) PHRASE:words",
        ("invoke {who} {words} --free",),
        "To invoke it",
    ),
    Habit(
        f"PEOPLE:who {PAYS} [(a|one)] {POINTS} [(for|on)] [(a|the)] (SIGNED:n|bonus|reroll)",
        ("{may_invoke}",),
        "By an aspect",
    ),
    Habit(
        f"PEOPLE:who {PAYS} [(a|one)] {POINTS} (for|on) PHRASE:words",
        ("invoke {who} {words}",),
        "To invoke it",
    ),
    Habit(f"PEOPLE:who {PAYS} [(a|one)] {POINTS} : text", ("invoke {who} {text}",), "To invoke it"),
    Habit("(remove|delete|end) aspect PHRASE:title", ("aspect scene {quoted} --gone",), "Away with it"),
    Habit(f"PEOPLE:who (accepts|accept|agrees|agree|yes) [(it|[the] {OFFER})]", ("accept {who}",)),
    Habit(f"PEOPLE:who (takes|take) the {OFFER}", ("accept {who}",)),
    Habit(
        "PEOPLE:who (refuses|refuse|rejects|reject|declines|says no|turns down|turns)"
        f" [(it down|it|[the] {OFFER})]",
        ("refuse {who}",),
    ),
    Habit(
        "PEOPLE:who [(takes|take)] [a] (mild|moderate|severe):slot [consequence] : text",
        ("resist {who} {slot} as {told}",),
    ),
    Habit(
        "PEOPLE:who (takes|take|gets|has) [a] (mild|moderate|severe):slot consequence [PHRASE:title]",
        ("resist {who} {slot} as {title_or_blank}", TOLD, TOLD_BY_GM),
        TO_RESIST,
    ),
    Habit(
        "PEOPLE:who (takes|take) [a] consequence : text",
        tuple(line.replace("title_or_blank", "told") for line in RESISTED),
        TO_RESIST,
    ),
    Habit("PEOPLE:who (takes|take) [a] consequence [PHRASE:title]", RESISTED, TO_RESIST),
    Habit(
        "PEOPLE:who (mild|moderate|severe):slot consequence [PHRASE:title]",
        ("resist {who} {slot} as {title_or_blank}",),
        TO_RESIST,
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
        ("recover {who} {cleared}", "clear {who} {cleared}", TOLD),
        "Of which track",
    ),
    *(
        Habit(form, (f"ruling {{who}}.points{sign}={n}",))
        for verbs, sign in ((GETS, "+"), ("(buys|buy)", "+"), (PAYS, "-"))
        for form, n in (
            (f"PEOPLE:who {verbs} [(a|one)] {POINTS}", "1"),
            (f"PEOPLE:who {verbs} INT:n {POINTS}", "{n}"),
        )
    ),
    Habit(f"(give|award) PEOPLE:who [a] {POINTS}", ("ruling {who}.points+=1",)),
    Habit(f"PEOPLE:who (has|have) INT:n {POINTS}", ("ruling {who}.points={n}",)),
    Habit(f"PEOPLE:who {POINTS} INT:n", ("ruling {who}.points={n}",)),
    Habit(f"{POINTS} PEOPLE:who SIGNED:n", ("ruling {who}.points{sign}={n}",)),
    Habit(f"PEOPLE:who {POINTS} SIGNED:n", ("ruling {who}.points{sign}={n}",)),
    Habit(f"{POINTS} PEOPLE:who INT:n", ("ruling {who}.points={n}",)),
    Habit(
        f"(spend|use|pay) [(a|one)] {POINTS}",
        ("{may_invoke}", "ruling {me}.points-=1"),
        "It is paid by an invoke, or by ruling",
    ),
    Habit("PEOPLE:who (spends|spend) INT:shifts [(shift|shifts)] [on] time", ("spend {who} time {shifts}",)),
    Habit("refresh", ("session", "{points_again}"), "Points come with a session, or by ruling"),
    Habit("(victory|winner) PEOPLE:who", ("end conflict victory {who}",), "To end it"),
    Habit(
        "PEOPLE:who (wins|win|won) [the] [(fight|combat|battle|conflict)]",
        ("end conflict victory {who}", TOLD, TOLD_BY_GM),
        "To end it",
    ),
    Habit("retreat PEOPLE:who", ("leave {who}",), "To go"),
    Habit(
        "PEOPLE:who (draws|draw) [PHRASE:more]",
        ("{may_check}", TOLD, TOLD_BY_GM),
        DRAWN,
    ),
    Habit("PEOPLE:who", ("{may_check}", "draw {who}"), DRAWN),
    Habit("(deal|draw) PEOPLE:who", ("{may_check}", "{now}"), DRAWN),
    Habit("(deal|draw) [a] (card|cards)", ("{may_check}", "{now}"), DRAWN),
    Habit("[PEOPLE:who] (see|sees|call|calls) [PHRASE:more]", ("{may_see}",), "To see"),
    Habit("PEOPLE:who (takes|take) [the] (blow|it|hit)", ("{may_see}",), "To see"),
    Habit("[(i|we)] (fold|pass|quit|yield)", ("give {me}",), "To give in"),
    Habit("i ANY:done [PHRASE:more]", ("{done} {me} {more?}",), "Who does it"),
    Habit("check PEOPLE:by vs PEOPLE:who", ("check {by} {who}",)),
    Habit("PEOPLE:by [vs] PEOPLE:who", ("check {by} {who}", "declare {by} {engage} {who}"), CHECKED),
    Habit(
        "check PEOPLE:who [ANY:word] INT:n vs [PEOPLE:aim] [ANY:word] INT:goal",
        ("check {who} {n} vs {goal}",),
        "By the numbers alone",
    ),
    Habit("(shuffle|reshuffle) [the] (deck|cards)", ("shuffle {me}",), "Whose deck"),
)
FIGHTS: Final = (
    Habit(
        f"(roll [for] (initiative|init) [[for] {EVERYBODY}]"
        f"|{EVERYBODY} (rolls|roll) [for] (initiative|init))",
        ("initiative",),
    ),
    Habit("PEOPLE:who (rolls|roll) [for] (initiative|init)", ("initiative {who}",)),
    Habit("roll PEOPLE:who (initiative|init)", ("initiative {who}",)),
    Habit("roll (initiative|init) [for] PEOPLE:who", ("initiative {who}",)),
    Habit("PEOPLE:who (initiative|init|inits) INT:n", ("initiative {who} {n}",)),
    Habit(f"{INIT} join", ("initiative {me}",), "Whose it is"),
    Habit("(next|end) [(the|my)] (turn|player|combatant)", ("turn",)),
    Habit("(next|n|t|endturn|nextturn)", ("turn",)),
    Habit(f"{INIT} (next|n)", ("turn",)),
    ROUND,
    Habit(f"{INIT} (begin|start|b)", ("initiative", "turn"), "What comes next"),
    Habit(GO_ON, ("turn", "{goes_on}")),
    *(Habit(form, ("{now}", "{then}"), "What comes next") for form in (GO_ON, NEXT_ROUND)),
    Habit("end [of] PEOPLE:who turn", ("turn",)),
    Habit("(delay|ready) [PEOPLE:who]", ("turn",), "What comes next"),
    Habit(f"[{BEGIN}] [the] [a] {FIGHT}", ("{now}",), "A fight is open"),
    Habit("(done|pass|skip)", ("conflict {sides}",), "A fight first"),
    Habit(f"{INIT} (end|stop)", ("end conflict",)),
    Habit(f"{END} [of] [the] (combat|fight|battle|encounter|duel)", ("end conflict",)),
    Habit("[the] (combat|fight|battle) [is] over", ("end conflict",)),
    Habit("PEOPLE:who turn", ("next {who}",)),
    Habit("([next] up [is] PEOPLE:who|[its] PEOPLE:who (turn|[is] up))", ("turn {who}",)),
    Habit(f"{BEGIN} [a] {FIGHT} PHRASE:more", ("conflict {more}",)),
    Habit(
        f"[{BEGIN}] [a] {FIGHT} [(with|against|vs)] [all] [the] [INT:n] PEOPLE:foes",
        ("conflict {party} vs {foes}",),
    ),
    Habit(f"[{BEGIN}] [a] {FIGHT} [PHRASE:more]", ("conflict {sides}",), "Who is against whom"),
    Habit("roll [for] (initiative|init)", ("conflict {sides}",), "A fight first"),
    Habit("[(next|end)] [the] (next|turn|player|combatant|round)", ("conflict {sides}",), "A fight first"),
    Habit(f"{INIT} [(begin|start|b)]", ("conflict {sides}",), "A fight first"),
    Habit(
        "(add|invite) [a] NAMES:name [to] [the] [(combat|fight|initiative|encounter|battle)]",
        ("join {name}", "cast {name}"),
        "Somebody who comes in",
    ),
    Habit(f"{INIT} add [INT:n] NAMES:name", ("join {name}", "cast {name}"), "Somebody who comes in"),
    Habit(
        "NAMES:name (joins|enters) [the] [(combat|fight|battle)]",
        ("join {name}", "cast {name}"),
        "Somebody who comes in",
    ),
    Habit("(spawn|create|summon|introduce|make) [a] NAMES:name", ("cast {name}",), "Somebody new"),
    Habit(f"{BEGIN} [a] (character|npc|pc|monster|player) NAMES:name", ("cast {name}",)),
    Habit(f"[cast] NAMES:name (as|is) [(a|the|our)] {GAME_MASTER}", ("cast gm by={name}",), PLAYS),
    Habit(f"cast {GAME_MASTER} [is] NAME:name", ("cast gm by={name}",), PLAYS),
    Habit(f"cast NAME:name {GAME_MASTER}", ("cast gm by={name}",), PLAYS),
    Habit("[cast] NAME:name (plays|as) NAME:role", ("cast {role} by={name}",), PLAYS),
    Habit("[cast] NAME:role by NAME:name", ("cast {role} by={name}", 'cast "{role} by {name}"'), PLAYS),
    Habit("player NAME:name", ("cast {unplayed} by={name}",), PLAYS),
    Habit(f"{CASTS} NAME:name ANY:quote", ("cast {name}: {quote}",)),
    Habit(
        "(remove|delete|kick) PEOPLE:who [from] [the] [(combat|fight|initiative)]",
        ("leave {who}", "retire {who}"),
        "Somebody who goes",
    ),
    Habit(
        "PEOPLE:who (leaves|flee|flees|runs|escapes|retreats) [the] [(combat|fight|battle|scene)]",
        ("leave {who}", "declare {who} other: flees", TOLD, TOLD_BY_GM),
        "Somebody who goes",
    ),
    Habit(
        "(concede PEOPLE:who|PEOPLE:who [side] (concede|concedes)) : text", ("concede {conceder}: {text}",)
    ),
    Habit(
        "(concede|surrender|yield) PEOPLE:who",
        ("concede {who}", "leave {who}", "status {who} surrendered", "concede {conceder}: {line}", TOLD),
        "To give in",
    ),
    Habit(
        "PEOPLE:who [side]"
        " (surrenders|surrender|yields|yield|concedes|concede|gives up|give up|gives in|folds)",
        (
            "give {who}",
            "concede {who}",
            "concede {conceder}: {line}",
            "leave {who}",
            "status {who} surrendered",
            "concede {who}: {line}",
            TOLD,
            TOLD_BY_GM,
        ),
        "To give in",
    ),
    Habit(
        "PEOPLE:who (surrenders|surrender|concedes|concede|gives up|give up|gives in) PHRASE:more",
        ("concede {conceder}: {line}",),
        "To give in",
    ),
)
