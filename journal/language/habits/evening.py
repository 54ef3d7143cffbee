"""The evening, what is taken back, and words that are said or told."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import (
    AT_FIRST,
    BEGIN,
    CASTS_SPELL,
    DAMAGE,
    DRAWN,
    END,
    FEW_WORDS,
    IN_PLAY_OR_TOLD,
    ONE_LINE,
    SKILL,
    SPELL,
    SPOKEN,
    TEST,
    THING,
    TOLD,
    TOLD_BY_GM,
    Habit,
)

SITTING: Final = "(session|game|evening|night)"
SAYS: Final = "(says|said|asks|asked|shouts|whispers|answers|calls|cries|growls|mutters|replies|yells)"
SPEAKS: Final = frozenset({*SAYS.strip("()").split("|"), "tells", "told", "to", "warns"})
"""Words of speech, and of speech to somebody."""
TITLE: Final = "(captain|dr|frau|herr|lady|lord|madam|madame|master|miss|mlle|mme|mr|mrs|ms|sir)"
"""Words before the name of who speaks."""
TELLS: Final = (
    "(carves|decides|dreams|explains|gestures|hopes|notices|plans|prays|prepares|promises|reads|readies|realises"
    "|realizes|recites|remembers|scrawls|scribbles|signals|signs|sings|swears|texts|thinks|wishes|wonders|writes|wrote)"
)
TAKEN_BACK: Final = "To take back the last act"
WHISPER: Final = "(whisper|w|pm|dm|msg|secret)"
EVENING: Final = (
    Habit(f"{BEGIN} [(a|the|new)] {SITTING} [ANY:number] : text", ('session "{text}"',)),
    Habit(f"{BEGIN} [(a|the|new)] {SITTING} [PHRASE:title]", ("session {title?}",)),
    Habit(f"{BEGIN} [(a|the|new)] scene PHRASE:title", ("scene {title}",)),
    Habit(f"{BEGIN} [(a|the|new)] scene", ("scene Later",), "A scene has a title"),
    Habit(BEGIN, ("session", "conflict {sides}"), "To begin"),
    Habit(
        "([(no|oops|sorry)] [wait] [(i|that|it)] (is|was|meant|make|rolled|change) [(a|it|that)]"
        " INT:n not [a] INT:hit|no [wait] INT:n|(no|oops|sorry) [wait] INT:n)",
        ("fix = {n}",),
        "For the last roll",
    ),
    Habit("[(no|oops|sorry|wait)] [(no|wait)] (it|that) was [a] INT:n", ("fix = {n}",), "For the last roll"),
    Habit(
        "(PEOPLE:who (was|rolled) INT:hit (should|must) be INT:n|fix PEOPLE:who [(is|to|was)] INT:n)",
        ("fix = {n}",),
        "For the last roll",
    ),
    Habit(
        f"[{AT_FIRST}] [(that|it)] [(is|was|should be)] INT:n [{DAMAGE}] not INT:hit (for|on|to) PEOPLE:who",
        ("{hp} {who} {corrected}: {line}", "undo"),
        "To set it right",
    ),
    Habit(f"[{AT_FIRST}] [(that|it)] should be PHRASE:more", ("undo", TOLD), TAKEN_BACK),
    Habit("(correction|fix) : text", ("undo", "note: {text}"), TAKEN_BACK),
    Habit("(i|we) (meant|mean) ANY:first [ANY:second] not PHRASE:more", ("undo", TOLD), TAKEN_BACK),
    Habit(
        f"{END} [the] (battle|combat|conflict|duel|encounter|fight) PEOPLE:who (win|wins|won)",
        ("end conflict victory {who}", "end conflict: {winners}"),
    ),
    Habit(f"{END} [of] [(the|this)] (act|chapter|part)", ("end scene", "end session"), "What ends"),
    Habit(f"{END} [of] [(the|this)] {SITTING}", ("end session",)),
    Habit(f"{END} [of] [(the|this)] {SITTING} PHRASE:more", ("end session: {more}",)),
    Habit(f"{END} [(the|this)] scene", ("end scene",)),
    Habit(
        "(goodnight|good night|the end|done for tonight|done for today)",
        ("end session",),
        "To end the session",
    ),
    Habit("(ende|fin|fine) (der|de|della) [la] (sitzung|seance|partie|partita)", ("end session",)),
    Habit("(ende|fin|fine)", ("end session",), "To end the session"),
    Habit(
        "undo [(the|that)] (last|that|this|it) [(action|act|line|turn|one|roll)] [(please|again)]", ("undo",)
    ),
    Habit("(oops|never mind|nevermind|take (it|that) back|(scratch|strike|revert|cancel) that)", ("undo",)),
    Habit("fix (it|last|that|the) [(last|roll|die|one)] [(to|as|was)] INT:n", ("fix = {n}",)),
    Habit("fix ANY:track PEOPLE:who SIGNED:change", ("undo", "{track} {who} {change}"), ONE_LINE),
    Habit("undo [the] last INT:n [(actions|acts|lines)]", ("undo {n}",)),
    Habit("oops PHRASE:more", ("undo", "narrate: {line}"), TAKEN_BACK),
    Habit(
        "(oops|nevermind|revert|rollback|back|delete|erase|cancel|scratch)"
        " [(that|last|it) [was PHRASE:more]]",
        ("undo",),
        TAKEN_BACK,
    ),
    Habit("(close|finish|solve|resolve) PHRASE:title", ("thread {thread} --done",)),
    Habit(f"[the] {SPELL} (is|was) (closed|resolved|solved)", ("thread {thread} --done",)),
)
WORDS: Final = (
    Habit(f"PEOPLE:who {SAYS} ANY:quote", ("say {who}: {quote}",)),
    Habit(f"PEOPLE:who {SAYS} : text", ("say {who}: {text}",)),
    Habit(
        "PEOPLE:who (whisper|whispers|whispered) [to] NAMES:to : text",
        ("note --to {whisperers}: {line}", TOLD, TOLD_BY_GM),
        "For their eyes alone, or told to all",
    ),
    Habit(f"{TITLE} PEOPLE:who : text", ("say {whose}: {text}",)),
    Habit(
        "PEOPLE:who (asks|asked) (a|about|an|for|how|if|the|what|when|where|whether|who|why) PHRASE:more",
        (TOLD, TOLD_BY_GM),
    ),
    Habit("PEOPLE:by (asks|asked|tells|told) PEOPLE:who PHRASE:more", (TOLD, TOLD_BY_GM)),
    Habit(
        f"PEOPLE:who {SAYS} PHRASE:words",
        ("say {who}: {words}", TOLD, TOLD_BY_GM),
        SPOKEN,
    ),
    Habit(f"({WHISPER[1:-1]}|tell) [to] NAMES:to : text", ("note --to {to}: {text}",)),
    Habit(f"{WHISPER} PEOPLE:who PHRASE:words", ("note --to {who}: {words}",), "For their eyes alone"),
    Habit("(ooc|offtopic) PHRASE:words", ("aside: {words}",)),
    Habit("PEOPLE:who PHRASE:words : text", ("narrate: {line}{speaks}",)),
    Habit(
        f"PEOPLE:who {TELLS} [PHRASE:words] : text",
        ("narrate: {line}{undiced}", "narrate gm: {line}{undiced}"),
    ),
    Habit("(dm|storyteller|gamemaster) : text", ("narrate: {text}",), "Told by the game master"),
    Habit("(loot|take|takes|find) PEOPLE:who : text", ('thing "{text}": {who} has it.',), THING),
    Habit(
        "(loot|give|gives) PEOPLE:who PHRASE:words",
        ('thing "{words}": {who} has it.',),
        THING,
    ),
    Habit(
        "PEOPLE:who (loots|finds|pockets|picks) PHRASE:words",
        ('thing "{words}": {who} has it.', TOLD, TOLD_BY_GM),
        THING,
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
        f"PEOPLE:by {CASTS_SPELL} {SPELL} [(at|on|to)] PEOPLE:who"
        " (ANY:stat [saving] (save|throw)|(save|throw) ANY:stat) [vs] INT:n",
        ("{test}: {line}",),
    ),
    Habit(
        f"PEOPLE:by {SPELL} PEOPLE:who ANY:stat [saving] (save|throw) vs INT:n",
        ("{test}: {line}",),
        "A roll",
    ),
    Habit(f"PEOPLE:who (makes|make|rolls|roll) [a] {SKILL} vs INT:n PHRASE:more", ("{test}: {more}",)),
    Habit(f"PEOPLE:who [a] ANY:stat [saving] {TEST} {FEW_WORDS} vs INT:n", ("{test}: {doing}",)),
    Habit(
        "PEOPLE:who (casts|cast) PHRASE:more",
        ("declare {who} other: {line}", "narrate {who}: casts {more}", TOLD, TOLD_BY_GM),
        IN_PLAY_OR_TOLD,
    ),
    Habit("PEOPLE:who ANY:word DICE:dice", ("roll {who} {dice}: {word}",), "Dice first"),
    Habit(f"[{SPELL}] DICE:dice [PHRASE:more]", ("roll {dice}: {doing} {more?}",), "Dice first"),
    Habit("PEOPLE:who [(draw|draws)] ANY:first [and] ANY:second", ("draw {who} {first}+{second}",), DRAWN),
    Habit(
        "(PEOPLE:who SIGNED:n ANY:number|PEOPLE:who ANY:number SIGNED:n)", ("note: {line}",), "Kept as a note"
    ),
    Habit(
        "PEOPLE:who PHRASE:more",
        ("declare {undeclared} other: {more}", "narrate {undeclared}: {more}"),
        IN_PLAY_OR_TOLD,
    ),
    Habit("PEOPLE:who : text", ("narrate {who}: casts {text}",)),
    Habit(
        "cast PHRASE:title", ('cast "{title}" {data?}', TOLD, TOLD_BY_GM), "Somebody new in quotes, or told"
    ),
)
