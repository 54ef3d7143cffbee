"""Lines that only read."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import POINTS, Habit

SHEET: Final = "(sheet|stats|skills|abilities|attributes|features|ac)"
READS: Final = (
    Habit("[the] [(initiative|turn)] order", ("show",)),
    Habit("(status|condition|conditions) [(of|for)] PEOPLE:who", ("who {who}",)),
    Habit("(status|conditions|clock|clocks)", ("show tracks",)),
    Habit("(whose|whos) (turn|next|up) [is] [(it|next|up)]", ("show",)),
    Habit("what (do|does|did) PEOPLE:who (have|carry|own|hold|know)", ("who {who}",)),
    Habit("what (condition|conditions|items|things|equipment) (do|does) PEOPLE:who have", ("who {who}",)),
    Habit("(is|are) PEOPLE:who [still] ANY:condition", ("who {who}",)),
    Habit("PEOPLE:who (inventory|items|equipment|things|gear|conditions)", ("who {who}",)),
    Habit(
        "(where (were|are) we|last (time|session|week)|[the] story so far"
        "|what happened [(last time|so far)])",
        ("recap",),
    ),
    Habit("[(all|list|our|the|what are the)] open (threads|quests|plots)", ("show threads",)),
    Habit("reveal PHRASE:more", ("show secrets",)),
    Habit("show (all|everybody|everyone|party):view", ("show {view}",)),
    Habit("show PEOPLE:who", ("who {who}",)),
    Habit("[how much] (money|gold|coin) (do|have) we [have]", ("purse",)),
    Habit(
        "(who is (ahead|first|next|up|winning)|who (raises|goes|starts|begins|acts|draws) [(first|next|now)]"
        "|who (wins|won) [(it|that|this)])",
        ("show",),
    ),
    Habit("how (is|are) PEOPLE:who [doing]", ("who {who}",)),
    Habit("who is [taken] (dead|down|hurt|left|out)", ("show",)),
    Habit("(resume|continue)", ("recap",)),
    Habit("who (fights|attacks|engages) whom", ("show clashes",)),
    Habit("(clashes|intents)", ("show clashes",)),
    Habit(
        f"[how many] [PEOPLE:who] {POINTS[:-1]}|points) [(does|has|do)] [PEOPLE:who] [(have|has)]",
        ("show points",),
    ),
    Habit("PEOPLE:who stress", ("show stress",)),
    Habit("[what is the] balance", ("show balance",)),
    Habit("(stress|aspects|consequences)", ("show stress",)),
    Habit("game [ANY:track] PEOPLE:who", ("who {who}",)),
    Habit("show (characters|people)", ("show cast",)),
    Habit("show (aspects|consequences)", ("show stress",)),
    Habit("(deck|decks|cards) [left]", ("show decks",)),
    Habit("(map|zones)", ("show map",)),
    Habit("(threads|quests|plots)", ("show threads",)),
    Habit("(secrets|places|things|tracks|health):view", ("show {view}",)),
    Habit("(character|char) sheet [(of|for)] NAME:name", ("who {name}",)),
    Habit(f"{SHEET} [(of|for)] NAME:name", ("who {name}",)),
    Habit(f"PEOPLE:who {SHEET}", ("who {who}",)),
    Habit(
        "(who|where) (has|have|holds|keeps|carries|owns|got|is|are)"
        " ANY:first [ANY:second [ANY:third [ANY:fourth]]]",
        ("who {thing}",),
    ),
)
"""Lines that only read, and what reads it here; what follows the words for it is a name."""
