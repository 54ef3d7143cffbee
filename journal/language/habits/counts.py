"""Counters, coins, levels, what is kept, and rests."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.harm import REGAINS
from retold.journal.language.habits.shapes import (
    AT_FIRST,
    CAME,
    ONE_LINE,
    PAYS,
    SKILL,
    SLOTS,
    SPELL,
    TEST,
    THE,
    THING,
    TICKED,
    TOLD,
    TOLD_BY_GM,
    USES,
    Habit,
)

HANDS: Final = (
    "(gives|give|gave|pays|pay|paid|hands|handed|lends|lent|slips|slipped|tosses|tossed|throws|threw)"
)
GETS: Final = (
    "(gets|get|got|gains|gain|gained|finds|find|found|earns|earn|earned|receives|receive|received|steals|steal|stole"
    "|picks up|picked up|buys)"
)
AWARD: Final = "(give|gives|hand|hands|award|grant|add)"
GAINS: Final = "(give|award|grant|add|loot|find)"
FOUND: Final = "(loot|find|found)"
TOGETHER: Final = "([the] (party|group)|they|we)"
ONE: Final = "(a|an|one|the|his|her|their)"
PAID: Final = "pay {coin} {n} from {by} to {to}"
LOOTED: Final = ("{money} +{n}", "{money} {me} +{n}")
NEW_COIN: Final = (
    "{coin} {who} +{n}",
    "pay {coin} {n} from {me} to {who}",
)
FROM_PURSE: Final = "pay {coin} {n} from {purse} to {who}"
NEW: Final = "The purse has less; new, or handed over"
BY_RULING: Final = "ruling {who}.{number}{sign}={n}"
GROUP: Final = "(group|party|all|everyone|everybody)"
SKILLED: Final = f"[roll] (PEOPLE:who [(check|rolls)] ANY:stat|ANY:stat PEOPLE:who) [{TEST}] SIGNED:n"
DEATH: Final = "death (save|saves|saving) [(throw|throws)]"
MAKES: Final = "[(makes|rolls|rolled)] [(a|his|her|their)]"
SPENT: Final = ("{coin} {who} -{n}: {line}",)
PAYEE: Final = "[the] ANY:payee [ANY:second [ANY:third]]"
HIT_DICE: Final = "(hit (die|dice)|hd)"
SPENDS: Final = "(rolls|rolled|spends|uses) [(a|an|one|his|her|their)]"
ONE_DIE: Final = "A short rest spends one"
LEVELS: Final = "((level|levelup) [up] PEOPLE:who|PEOPLE:who (levels|level) [up])"
LEVEL: Final = ("level {who} {n}", "cast {whose} level={n}")
CLOCK: Final = "(clock|countdown)"
MAKES_NEW: Final = "(add|begin|create|make|new|open|start)"
EXHAUSTION: Final = "([(level|levels) of] (exhaustion|exhausted) [level])"
STILL: Final = "(actually|just|only|really|still)"
COUNTERS: Final = (
    Habit(
        "(PEOPLE:who ANY:coin SIGNED:n|PEOPLE:who SIGNED:n ANY:coin|ANY:coin PEOPLE:who SIGNED:n)",
        ("{coin} {who} {sign}{n}",),
    ),
    Habit("ANY:coin PEOPLE:who INT:n", ("{coin} {who} {n}",)),
    Habit("ANY:coin SIGNED:n", ("{coin} {keeper} {sign}{n}",)),
    Habit("ANY:coin SIGNED:n", ("{coin} {me} {sign}{n}", "{coin} all {sign}{n}"), "Say whose"),
    Habit("ANY:coin SIGNED:n", ("{coin} {me} {sign}{n}",), "Say whose"),
    Habit(f"{USES} [(a|an|one)] ANY:coin", ("{coin} {keeper} -1", "{coin} {me} -1"), "Say whose"),
    Habit(f"{USES} [(a|an|one)] ANY:coin", ("{coin} {me} -1",), "Say whose"),
    Habit("PEOPLE:who (is|are|reaches|reach|hits|makes|becomes) [now] [at] level INT:n [now]", LEVEL),
    Habit("PEOPLE:who (levels|level) up to [level] INT:n", LEVEL),
    Habit("(level|levelup) [up] PEOPLE:who to [level] INT:n", LEVEL),
    Habit(
        "PEOPLE:who (levels|level) up to [level] INT:n [(and|with|now|has)] ANY:track [to] INT:hurt",
        ("level {who} {n}", "{track} {who} {hurt}/{hurt}"),
        ONE_LINE,
    ),
    Habit("[we (are|reach|hit)] [now] level INT:n [now]", ("level all {n}",), "Whose it is"),
    Habit(f"{LEVELS} [(and|with|to|now|has)] ANY:track [to] INT:n", ("{track} {who} {n}/{n}: {line}",)),
    Habit(LEVELS, ("level {who} +1{leveled}",)),
    Habit(LEVELS, ("level {who} 2{unleveled}", "cast {whose} {raised}"), "A new number on the sheet"),
    Habit(
        "[we] (level|levelup) [up]",
        ("level all +1{leveled}", "level all 2{unleveled}", "cast {me} {raised}"),
        "Whose it is",
    ),
    Habit(f"PEOPLE:who {MAKES} {DEATH} (fail|fails|failed|failure|success|succeeds) [PHRASE:more]", (TOLD,)),
    Habit(f"PEOPLE:who {MAKES} {DEATH} : text", ("narrate: {line}{verdict}",)),
    Habit(f"({DEATH} [for] PEOPLE:who|PEOPLE:who {MAKES} {DEATH})", ("roll {who} 1d20 vs 10: death save",)),
    Habit(
        f"({DEATH} [for] PEOPLE:who|PEOPLE:who {MAKES} {DEATH} [(is|of|with|for)] [a] [(nat|natural)]) INT:n",
        ("roll {who} 1d20 vs 10 = {n}: death save",),
    ),
    Habit(DEATH, ("roll {me} 1d20 vs 10: death save",), "Whose it is"),
    Habit(f"{GROUP} [{TEST}] [(roll|rolls)] {SKILL} [[vs] INT:n]", ("{party_test}",)),
    Habit(
        f"{SKILL} ([(for|by)] [the] {GROUP} [[vs] INT:n]|[vs] INT:n [(for|by)] [the] {GROUP})",
        ("{party_test}",),
    ),
    Habit(f"we [all] (roll|make) [a] {SKILL} [[vs] INT:n]", ("{party_test}",)),
)
COINS: Final = (
    Habit(
        "PEOPLE:who (takes|take|keeps|pockets) INT:n ANY:coin",
        ("{coin} {who} +{n}", "pay {coin} {n} from party to {who}"),
        "New, or out of the purse",
    ),
    Habit(
        "PEOPLE:who (buys|buy|bought) [ANY:first [ANY:second [ANY:third]]] for INT:n ANY:coin",
        ("{coin} {who} -{n}: {line}",),
    ),
    Habit("PEOPLE:who (split|share|divide) INT:n ANY:coin", ("{coin} {who} +{each}",)),
    Habit(
        "(split|share|divide) [(all|up)] [the] ANY:money INT:n ways",
        ("pay {money} {purse_share} from {purse} to {party}{for_each}",),
    ),
    Habit(
        "(split|share|divide) [(all|up)] (INT:n ANY:coin|ANY:coin INT:n) [PHRASE:more]",
        ("pay {coin} {share} from {purse} to {party}", "{coin} +{n}", "{coin} all +{share}"),
        "Into the purse, or to each",
    ),
    Habit(f"(we|[the] (party|group)) {PAYS} INT:n ANY:money [PHRASE:more]", ("{money} -{n}: {line}",)),
    Habit(
        f"((pay|spend) [{SPELL}] INT:n ANY:money [PHRASE:more]|(buy|buys) {SPELL} [for] INT:n ANY:money)",
        ("{money} -{n}: {line}", "{money} {me} -{n}: {line}"),
        "Out of the purse, or somebody's",
    ),
    Habit(f"{TOGETHER} (buy|buys|bought) {SPELL} [for] INT:n ANY:money", ("{money} -{n}: {line}",)),
    Habit(f"PEOPLE:who (sells|sell|sold) {SPELL} for INT:n ANY:coin", ("{coin} {who} +{n}: {line}",)),
    Habit("(language|lang) [is] ANY:tag", ("option table.language={tag}",)),
    Habit("(flip|toss) [a] coin", ("roll 1d2: coin",)),
    Habit("coin (flip|toss)", ("roll 1d2: coin",)),
    Habit(f"PEOPLE:who {PAYS} INT:n ANY:coin", ("{coin} {who} -{n}",)),
    Habit(f"PEOPLE:by {HANDS} [the] (party|group) INT:n ANY:money", ("{money} +{n}: {line}{uncounted_by}",)),
    Habit(f"PEOPLE:by {HANDS} PEOPLE:to INT:n ANY:coin", ("{coin} {to} +{n}: {line}{uncounted_by}",)),
    Habit(f"PEOPLE:by {HANDS} PEOPLE:to INT:n ANY:coin", (PAID,)),
    Habit(
        f"PEOPLE:by {HANDS} PEOPLE:to INT:n ANY:coin PHRASE:more",
        ("{coin} {to} +{n}: {line}{uncounted_by}", f"{PAID}: {{line}}"),
    ),
    Habit(f"PEOPLE:by {HANDS} INT:n ANY:coin to PEOPLE:to", (PAID,)),
    Habit(
        f"PEOPLE:by {HANDS} (PEOPLE:to {ONE} ANY:coin|{ONE} ANY:coin to PEOPLE:to)",
        ("pay {coin} 1 from {by} to {to}",),
    ),
    Habit(
        "(PEOPLE:to (filches|steals|stole|takes|took|gets) INT:n ANY:coin [(out of|from)] PEOPLE:by"
        "|PEOPLE:to (robs|robbed) PEOPLE:by of INT:n ANY:coin)",
        ("{coin} {to} +{n}: {line}{uncounted_by}", f"{PAID}: {{line}}"),
    ),
    Habit(f"PEOPLE:who (pays|pay|paid|tips|tipped|bribes|bribed) {PAYEE} INT:n ANY:coin", SPENT),
    Habit(f"PEOPLE:who {PAYS} INT:n ANY:coin (to [the] ANY:payee [PHRASE:more]|(for|on) PHRASE:more)", SPENT),
    Habit(f"PEOPLE:who {HANDS} {PAYEE} INT:n ANY:coin", SPENT, "Paid for"),
    Habit(f"{TOGETHER} {GETS} INT:n ANY:money", ("{money} +{n}",)),
    Habit(f"{TOGETHER} {GETS} INT:n ANY:money PHRASE:more", ("{money} +{n}: {line}",)),
    Habit(f"[{AWARD}] INT:n ANY:money (for|into|to) [the] (party|group|purse)", ("{money} +{n}",)),
    Habit("purse SIGNED:n ANY:money", ("{money} {sign}{n}",)),
    Habit("ANY:money SIGNED:n [(for|to)] [the] (party|group|purse)", ("{money} {sign}{n}",)),
    Habit("purse SIGNED:n", ("gold {sign}{n}",), "Say of what"),
    Habit(f"each [of (us|them)] {GETS} INT:n ANY:coin", ("{coin} all +{n}",)),
    Habit(f"PEOPLE:who {GETS} INT:n ANY:coin each", ("{coin} {who} +{n}",)),
    Habit(f"[(they|you|we) {GETS}] (INT:n ANY:coin|ANY:coin INT:n) (each|apiece)", ("{coin} all +{n}",)),
    Habit(f"PEOPLE:who {GETS} INT:n ANY:coin", ("{coin} {who} +{n}",)),
    Habit(f"PEOPLE:who {GETS} INT:n ANY:sort ANY:coin", ("{coin} {who} +{n}: {line}",)),
    Habit(f"{AWARD} INT:n ANY:money (for|in|into|to) PEOPLE:who", ("{money} +{n}{into_purse}",)),
    Habit(
        f"{AWARD} (INT:n ANY:money|ANY:money INT:n) [(from|out of) [the] (party|purse)]"
        f" to (each|{GROUP[1:]} [of (them|us)]",
        ("pay {money} {n} from {purse} to {party}", "{money} all +{n}"),
    ),
    Habit(f"{AWARD} PEOPLE:who INT:n xp", ("xp {who} +{n}",)),
    Habit(f"{AWARD} INT:n xp to PEOPLE:who", ("xp {who} +{n}",)),
    Habit(
        f"{AWARD} (PEOPLE:who INT:n ANY:coin|(INT:n ANY:coin|ANY:coin INT:n) to PEOPLE:who)", (FROM_PURSE,)
    ),
    Habit(f"{AWARD} PEOPLE:who INT:n ANY:coin", NEW_COIN, NEW),
    Habit(f"{AWARD} INT:n ANY:coin to PEOPLE:who", NEW_COIN, NEW),
    Habit(f"{AWARD} ANY:coin INT:n to PEOPLE:who", NEW_COIN, NEW),
    Habit("PEOPLE:who INT:n ANY:coin", ("{coin} {who} +{n}", "{coin} {who} {n}"), "More, or in all"),
    Habit(
        "(split|share|divide) [(all|up)] [the] ANY:money [PHRASE:more]",
        ("pay {money} {purse_share} from {purse} to {party}", "pay {money} 1 from {purse} to {party}"),
    ),
    Habit("ANY:money INT:n", ("{money} +{n}", "purse {money} {n}"), "More, or all that is in the purse"),
    Habit(f"{FOUND} ANY:money INT:n", ("{money} +{n}",)),
    Habit(f"{FOUND} INT:n ANY:money", ("{money} +{n}",)),
    Habit(f"{GAINS} ANY:money INT:n", LOOTED, "Into the purse, or somebody's"),
    Habit(f"[{GAINS}] INT:n ANY:money", LOOTED, "Into the purse, or somebody's"),
    Habit("ANY:coin INT:n", ("{coin} {keeper} {fewer}",)),
    Habit("ANY:coin INT:n", ("{coin} {keeper} {n}", "{coin} {keeper} +{n}"), "In all, or more"),
    Habit(f"[{GAINS}] ANY:coin INT:n", ("{coin} all +{n}", "{coin} {me} +{n}"), "Say whose"),
    Habit(f"[{GAINS}] INT:n ANY:coin", ("{coin} all +{n}", "{coin} {me} +{n}"), "Say whose"),
    Habit("ANY:track INT:n", ("{track} {me} -{n}", "{track} {me} {n}"), "Say whose"),
    Habit(
        f"[{MAKES_NEW}] [a] {CLOCK} [called] ANY:first [ANY:second [ANY:third]] INT:n",
        ("clock {quoted} {n}",),
    ),
    Habit(
        f"[{MAKES_NEW}] [a] INT:n [segment] {CLOCK} [called] ANY:first [ANY:second [ANY:third]]",
        ("clock {quoted} {n}",),
    ),
    Habit("clock ANY:first ANY:second [ANY:third] ANY:amount", ("clock {quoted} {amount}",)),
    Habit("[the] ANY:clock ANY:amount", ("clock {whole_clock} {left}",)),
    Habit("ANY:own ANY:amount", ("clock {own} {amount}",), "A clock"),
    Habit("ANY:clock INT:n", ("{clock} +{n}",), "To add that"),
    Habit("[the] ANY:clock clock SIGNED:n", ("{clock} {sign}{n}",)),
    Habit(
        "[the] ANY:clock [clock] (advances|advance|tick|ticks) [by] [INT:n]",
        ("clock {whole_clock} +{steps}",),
    ),
    Habit(
        "[the] ANY:clock [clock] (goes|moves|rises) [up] [by] [INT:n]",
        ("clock {whole_clock} +{steps}", TOLD),
        TICKED,
    ),
    Habit("(reset|clear|empty) [the] ANY:clock [clock]", ("clock {clock} 0",)),
    Habit("(tick|advance|fill|bump) [up] [the] ANY:clock", ("clock {clock} +1",)),
    Habit("(tick|advance|fill|bump) [up] [the] ANY:clock [by] INT:n", ("clock {clock} +{n}",)),
)
KEPT: Final = (
    Habit(
        "PEOPLE:who (gets|grabs|has|inherits|keeps|obtains|picks up|pockets|receives|snatches|steals|takes)"
        f" [(an|my|{THE[1:]}] ANY:first [ANY:second [ANY:third]]",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        f"PEOPLE:who (drops|hides|leaves|loses|sells|throws away) [(an|my|{THE[1:]}]"
        " ANY:first [ANY:second [ANY:third]]",
        ("thing {thing}: {line}",),
    ),
    Habit(
        f"PEOPLE:who (gets|grabs|steals|takes) [(an|my|{THE[1:]}] ANY:first [ANY:second [ANY:third]]"
        " from PEOPLE:by",
        ("thing {thing}: {who} has it.",),
    ),
    Habit(
        "PEOPLE:who (acquires|gets|inherits|obtains|receives|steals) (a|an|the)"
        " ANY:first [ANY:second [ANY:third]]",
        ("thing {quoted}: {who} has it.", TOLD, TOLD_BY_GM),
        THING,
    ),
    Habit(
        f"[{AT_FIRST}] PEOPLE:who [{STILL}] (has|have|had|should have|is at|was at) [only]"
        " INT:n ANY:track [left]",
        ("{track} {who} {n}",),
    ),
    Habit(
        "PEOPLE:who (marks|spends|uses|loses one|loses a) [(a|one)] [point of] ANY:track",
        ("{track} {who} -1",),
    ),
    Habit("PEOPLE:who (gains|gets|regains) (a|one) [point of] ANY:track", ("{track} {who} +1",)),
    Habit("PEOPLE:who (has|have) INT:n ANY:coin [left]", ("{coin} {who} {n}", "{coin} {who} +{n}")),
    Habit(
        f"({HIT_DICE} PEOPLE:who|PEOPLE:who {HIT_DICE}) INT:n",
        ("rest {who} short = {n}", "rest {who} short = total {n}"),
        CAME,
    ),
    Habit("set PEOPLE:who ANY:track [to] INT:n", ("{track} {who} {n}",)),
    Habit("(add|give) INT:n ANY:track to PEOPLE:who", ("{track} {who} +{n}",)),
    Habit(SKILLED, ("{answer_in_all}",)),
    Habit(f"{SKILLED} vs INT:goal", ("roll {whose} 1d20{sign}{n} vs {goal}: {bare_skill}",)),
    Habit(
        SKILLED,
        ("cast {whose} {skill_key}={sign}{n}", "roll {whose} 1d20{sign}{n}: {bare_skill}"),
        "On the sheet, or a roll with that alone",
    ),
    Habit("ANY:number PEOPLE:who SIGNED:n", (BY_RULING,), "By ruling"),
    Habit("PEOPLE:who ANY:number SIGNED:n", (BY_RULING,), "By ruling"),
    Habit("PEOPLE:who SIGNED:n ANY:number", (BY_RULING,), "By ruling"),
    Habit(
        "(hp|health) PEOPLE:who SIGNED:n",
        ("ruling {who}.{stress}{other_sign}={n}: {line}", TOLD, TOLD_BY_GM),
        "By ruling, or told",
    ),
    Habit("rename PEOPLE:who (as|into|to) PHRASE:title", ('cast {whose} name="{title}"',)),
    Habit("(rename|name|call) PEOPLE:who PHRASE:title", ('cast {whose} name="{title}"',), "A new name"),
    Habit("(max|maximum) ANY:track PEOPLE:who [to] INT:n", ("{track} {who} {n}/{n}",), "Both are set"),
    Habit("PEOPLE:who (max|maximum) ANY:track [to] INT:n", ("{track} {who} {n}/{n}",), "Both are set"),
    Habit(
        "((temp|temporary) [hp] PEOPLE:who INT:n"
        "|PEOPLE:who [(has|gets|gains)] ((temp|temporary) [hp] INT:n|INT:n (temp|temporary) [hp]))",
        ("track {who} temp {n}/{n}",),
    ),
    Habit("(ANY:own PEOPLE:who|PEOPLE:who ANY:own) ANY:amount", ("track {who} {own} {amount}",)),
    Habit(
        f"({EXHAUSTION} INT:n [(for|on|to)] PEOPLE:who|INT:n {EXHAUSTION} (for|on|to) PEOPLE:who"
        f"|PEOPLE:who [(gains|gets|has|is|takes)] [at] ({EXHAUSTION} INT:n|INT:n {EXHAUSTION}))",
        ("track {who} exhaustion {n}/6",),
    ),
    Habit(
        f"PEOPLE:who (gains|gets|takes|suffers) [(a|one|another)] {EXHAUSTION}",
        ("exhaustion {who} +1", "track {who} exhaustion 1/6"),
    ),
    Habit(
        "(ANY:own ANY:second PEOPLE:who|PEOPLE:who ANY:own ANY:second) ANY:amount",
        ('track {who} "{own} {second}" {amount}',),
    ),
    Habit(
        "ANY:own ANY:second PEOPLE:who INT:n",
        ('track {who} "{own} {second}" {n}/{n}',),
        "A track of its own",
    ),
    Habit(
        "PEOPLE:who ANY:first ANY:second ANY:third ANY:amount",
        ('track {who} "{first} {second} {third}" {amount}',),
        "A track of its own",
    ),
    Habit(
        "PEOPLE:who (SIGNED:n [ANY:spell] (slot|slots)|[ANY:spell] (slot|slots) SIGNED:n)",
        ("track {who} {slots} {sign}{n}",),
    ),
    Habit(
        "PEOPLE:who (recovers|regains|gets back) INT:n [ANY:spell] (slot|slots) [back]",
        ("track {who} {slots} +{n}",),
    ),
    Habit(
        f"PEOPLE:who (recovers|regains|gets back) [(a|an)] [{SPELL}] (slot|slots) [back]",
        ("track {who} {slots} +1",),
    ),
    Habit(
        f"(use|spend|expend) [(a|one)] [{SPELL}] (slot|slots) [(of|for)] PEOPLE:who",
        ("track {who} {slots} -1",),
    ),
    Habit(
        f"PEOPLE:who {USES} [({ONE[1:]}] [{SPELL}] (slot|slots)",
        ("track {who} slots 2/2", TOLD, TOLD_BY_GM),
        SLOTS,
    ),
    Habit("PEOPLE:who SIGNED:n (temp|temporary) [hp]", ("track {who} temp {regained}/{regained}",)),
    Habit(
        "(PEOPLE:who (max|maximum) ANY:track|(max|maximum) ANY:track PEOPLE:who) SIGNED:n",
        ("{track} {who} {with_more}",),
    ),
    Habit("track PEOPLE:who ANY:first ANY:second ANY:amount", ('track {who} "{first} {second}" {amount}',)),
)
RESTS: Final = (
    Habit(f"PEOPLE:who {SPENDS} hit (die|dice) [DICE:dice]", ("rest {who} short{healed_by_dice}",)),
    Habit(
        f"(PEOPLE:who {SPENDS} hit (die|dice) [for] (INT:n|SIGNED:n)"
        "|short rest PEOPLE:who [(heals|regains)] SIGNED:n|PEOPLE:who short rest SIGNED:n)",
        ("rest {who} short = {regained}", "rest {who} short = total {regained}"),
        CAME,
    ),
    Habit("short rest PEOPLE:who INT:n [(hit (die|dice)|die|dice)]", ("rest {who} short",), ONE_DIE),
    Habit("hit (die|dice) PEOPLE:who", ("rest {who} short{healed_by_dice}",)),
    Habit(
        f"PEOPLE:who (rolls|spends|uses) INT:n {HIT_DICE} [(and heals|for|heals)] DICE:dice",
        ("{hp} {who} {plus}{dice}: {line}",),
    ),
    Habit(
        f"PEOPLE:who (rolls|spends|uses) [({ONE}|INT:hit)] hit (die|dice)"
        " [and] (heals|regains|gains) [for] INT:n [(hp|points)]",
        ("rest {who} short = total {n}",),
    ),
    Habit(
        f"PEOPLE:who {REGAINS} [(by|for)] INT:n [(hp|points)]"
        f" (after|at|by|during|from|in|on|with) [{THE}] ANY:rest rest",
        ("rest {who} {rest} = total {n}",),
    ),
    Habit(
        f"PEOPLE:who ({HIT_DICE} SIGNED:n|SIGNED:n {HIT_DICE})",
        ("rest {who} short = {regained}", "rest {who} short = total {regained}"),
        CAME,
    ),
    Habit(
        f"PEOPLE:who {HIT_DICE} : text",
        ("rest {whose} short = {text}", "rest {whose} short = total {text}"),
        CAME,
    ),
    Habit(f"PEOPLE:who {HIT_DICE} ANY:sum", ("rest {who} short = total {summed}",)),
    Habit(
        "[(take|takes)] [a] ANY:rest rest (at|by|in|on|outside|under):where PHRASE:why",
        ("rest {rest}: {where} {why}",),
    ),
    Habit("(lr|longrest)", ("rest long",)),
    Habit(
        f"([(let us|lets|we|they|{GROUP[1:]}] [(take|takes)] [a] short rest|sr|shortrest)",
        ("rest {hurt} short", "narrate: {line}{with_hurt}"),
        "Who spends a hit die",
    ),
    Habit(f"(sr|shortrest|{GROUP} (takes|take) [a] short rest)", ("rest short",)),
    Habit("[(let us|lets|we|they)] [take] [a] ANY:rest rest", ("rest {rest}",)),
    Habit(
        f"PEOPLE:who {USES} [(a|an|one|his|her|their|INT:n)] hit (die|dice) [DICE:dice]",
        ("rest {who} short",),
        ONE_DIE,
    ),
    Habit("[take] [a] ANY:rest rest [for] NAMES:who", ("rest {who} {rest}",)),
    Habit("NAMES:who [(takes|take)] [a] ANY:rest (rest|rests)", ("rest {who} {rest}",)),
    Habit(
        "PEOPLE:who (rests|rest|sleeps|sleep)",
        ("rest {who}", "rest {who} {restful}", "clear {who} stress", TOLD, TOLD_BY_GM),
        "A rest",
    ),
    Habit("[take] [a] (sleep|camp|rest|respite)", ("rest", "rest {restful}", TOLD, TOLD_BY_GM), "A rest"),
)
