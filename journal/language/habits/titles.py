"""Titles of scenes, things and threads, and notes."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.shapes import (
    CASTS,
    FEW_WORDS,
    GAME_MASTER,
    ONE_LINE,
    PLAYS,
    SPELL,
    TOLD,
    Habit,
)

HIDDEN: Final = "(secret|secretly|hidden|private|privately)"
LOOT: Final = "(loot|treasure|reward|(they|we|[the] party) (find|found|loot|search|searched) [PHRASE:more])"
SPAN: Final = "(minute|minutes|hour|hours|day|days|week|weeks|month|months|year|years)"
TITLES: Final = (
    Habit("(thread|quest|plot|mystery) PHRASE:title : text", ("thread {thread} {closing}",)),
    Habit(
        "(close|finish|solve) [the] (thread|quest|plot|mystery) PHRASE:title",
        ("thread {thread} --done", "thread {quoted} --done"),
    ),
    Habit(
        f"(thread|quest|plot|mystery) [the] {SPELL} [(is|was)] (done|closed|finished|resolved|solved)",
        ("thread {thread} --done",),
    ),
    Habit("(thread|quest|plot|mystery) (done|closed|solved) PHRASE:title", ("thread {quoted} --done",)),
    Habit("(thread|quest|plot|mystery) (done|closed|solved) : text", ("thread {thread_told} --done",)),
    Habit(
        "[(a|the)] (thread|quest|plot|mystery) [is] (done|closed|solved)",
        ("thread {only_thread} --done",),
    ),
    Habit("(place|thing|thread):verb PHRASE:named", ("{verb} {named}",)),
    Habit(
        f"{LOOT} : text",
        ('thing "{loot}"', 'thing "{loot_beside}"', "{loot_coin} +{loot_number}"),
        ONE_LINE,
    ),
    Habit(
        "(loot|treasure|(they|we|[the] party) (find|finds|found|get|gets|got|loot|looted)) PHRASE:more",
        ('thing "{loot}"', 'thing "{loot_beside}"', "{loot_coin} +{loot_number}"),
        ONE_LINE,
    ),
    Habit(
        "PEOPLE:who (finds|gets|loots|pockets|takes) PHRASE:more",
        ('thing "{loot}": {loot_told}', "{loot_coin} {who} +{loot_number}"),
        ONE_LINE,
    ),
    Habit(f"{LOOT} : text", ('thing "{plain_text}"',)),
    Habit(f"{LOOT} : text", ('thing "{text}"', "note: {text}"), "A thing, or a note"),
    Habit("note to NAMES:to : text", ("note --to {to}: {text}",)),
    Habit("(for (gm|dm)|(gm|dm) (note|notes|only|secret|eyes)) [only] : text", ("note: {text}",)),
    Habit("(gm|dm) (note|secret) PHRASE:words", ("note: {words}",)),
    Habit(f"{HIDDEN} [(note|notes|info|fact)] : text", ("note: {text}",)),
    Habit(f"{HIDDEN} [note] PHRASE:why", ("note: {why}",)),
    Habit(
        "(ask|question|rule|rules) : text",
        ("ruling: {text}", "note: {text}"),
        "What the table rules, or a note",
    ),
    Habit(f"{GAME_MASTER} [is] NAME:name", ("cast gm by={name}",), PLAYS),
    Habit("(scene|szene|scena|escena) : text", ('scene "{text}"',)),
    Habit("(session|sitzung|seance) [ANY:number] : text", ('session "{text}"',)),
    Habit("session ANY:number [PHRASE:title]", ("session {title?}",)),
    Habit("(add to notes|reminder|remind me|todo|to do|remember) : text", ("note: {text}",)),
    Habit("[new] (goal|lead|mission|objective|rumor|rumour|task) : text", ('thread "{text}"',)),
    Habit(
        "(q|oracle|question|answer) : text",
        ("ruling: {text}", "note: {text}"),
        "What the table rules, or a note",
    ),
    Habit(
        "(chapter|part|act|flashback|interlude|epilogue|prologue|intermezzo) [ANY:number] : text",
        ('scene "{begun}"',),
    ),
    Habit("(chapter|part|act) ANY:number", ("scene {begun}", TOLD), "A scene, or told"),
    Habit("(date|time) : text", ('scene "{text}"', "narrate: {text}"), "A scene, or told"),
    Habit("(place|location|loc|room|ort|lieu) : text", ('place "{text}"',)),
    Habit("(thread|quest|plot|subplot|arc|mystery) : text", ('thread "{text}"',)),
    Habit("(thing|item|object|treasure) : text", ('thing "{text}"',)),
    Habit("(clock|progress|countdown) : text", ('clock "{text}" 6',), "A clock has segments"),
    Habit(f"{CASTS} : text", ('cast "{before_dash}": {after_dash}',)),
    Habit(f"{CASTS} : text", ('cast "{text}"',)),
    Habit(
        f"cast NAME:name {FEW_WORDS} NAME:role (plays|playing) (her|him|it|them) PHRASE:title",
        ("cast {name} by={role} {data}: {doing}",),
    ),
    Habit(f"cast NAME:name {FEW_WORDS} played PHRASE:title", ("cast {name} {data}: {doing}",)),
    Habit(
        f"{CASTS} NAME:name the PHRASE:title",
        ("cast {name} {data?}: the {title}", 'cast "{name} the {title}" {data?}'),
        "Somebody new",
    ),
    Habit("cast NAME:name PHRASE:title", ("cast {name} {data}: {title}{with_data}",)),
    Habit(
        "[the] next (day|morning|evening|night|week):when",
        ("scene The next {when}", "narrate: {line}"),
        "A scene, or told",
    ),
    Habit(
        "[(the|that|this|later|early|late)] (morning|noon|afternoon|evening|night|dawn|dusk|midnight):when",
        ("scene {begun}", TOLD),
        "A scene, or told",
    ),
    Habit(
        f"INT:n {SPAN}:unit later",
        ('scene "{n} {unit} later"',),
    ),
    Habit(
        f"(a|an|one|two|three|four|five|six|seven|several|some) {SPAN} later",
        ('scene "{begun}"',),
    ),
    Habit(
        f"(a|an|another|one|two|three|four|five|six|several|some|INT:n) {SPAN}"
        " (pass|passes|passed|go by|goes by)",
        (TOLD,),
    ),
    Habit(
        "later (that|the same) (day|evening|morning|night|week|year)",
        ("scene {begun}", TOLD),
        "A scene, or told",
    ),
    Habit("(day|night) INT:n", ("scene {begun}", TOLD), "A scene, or told"),
    Habit(
        "(cut|jump|skip) [ahead] to PHRASE:title",
        ("scene {quoted}", TOLD),
        "A scene, or told",
    ),
    Habit(
        "meanwhile (at|in|on|under) ANY:first [ANY:second [ANY:third]]",
        ('scene "{begun}"', TOLD),
        "A scene, or told",
    ),
    Habit("(later|meanwhile|time passes)", ("scene Later", TOLD), "A scene, or told"),
    Habit("(travel|journey|ride|sail) to PHRASE:title", ("scene {quoted}", TOLD), "A scene, or told"),
    Habit("(pause|break|brb|afk) [PHRASE:more]", ("aside: {line}",), "Talk outside the story"),
)
