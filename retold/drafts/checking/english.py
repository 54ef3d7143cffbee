"""The one table of English: words for deeds, small words, and words by which a sentence states nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from retold.drafts.alignment.words import Words, words_of
from retold.journal.names import normalise
from retold.projections.prose.sentences import is_verb


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


VERBS: Final[Mapping[str, str]] = {
    "hit": "hit strike/struck punch felled pierce kick shoot/shot stab slash cut wound hurt injure bite/bit slap smash maim"
    " scratch burn",
    "miss": "miss fail/failure",
    "pass": "succeed/success pass",
    "attack": "attack fight/fought assault engage charge",
    "out": "defeat finish faint overpower subdue vanquish",
    "fall": "fall/fell/fallen collapse",
    "die": "die kill slay/slew/slain murder drown perish strangle execute poison behead",
    "concede": "concede yield surrender capitulate resign",
    "win": "win/won triumph prevail beat/beaten overcome/overcame conquer victory",
    "lose": "lose/lost",
    "flee": "flee/fled escape",
    "give": "give/gave/given handed sell/sold lend/lent",
    "steal": "steal/stole/stolen rob pocket kidnap",
    "find": "find/found discover",
    "bind": "tie bind/bound chain arrest imprison handcuff",
    "love": "kiss marry embrace seduce hug",
    "betray": "betray blackmail",
    "save": "save rescue heal cure",
    "say": "say/said tell/told ask answer reply shout whisper call cry",
}
"""Verbs for each sort of deed, each with its forms that no rule makes."""

IN_TWO_WORDS: Final[Mapping[tuple[str, str], str]] = {
    ("out", "out"): "take takes took taken put puts knock knocks knocked is are was were be been stamp stamps"
    " stamped",
    ("out", "down"): "take takes took taken put puts bring brings brought strike strikes struck shoot shoots"
    " shot cut cuts",
    ("concede", "up"): "give gives gave given giving",
    ("concede", "in"): "give gives gave given giving",
    ("flee", "away"): "run runs ran get gets got",
}
"""Verbs that tell a sort of deed with a particle behind them."""

CERTAIN: Final = _set("hit miss out die concede win lose flee give steal bind love betray save")
"""Sorts of deeds that the record of an evening does not leave out."""

ON_PEOPLE: Final = _set("hit miss attack out die love betray save bind")
"""Sorts that somebody does to somebody."""

ON_THINGS: Final = (ON_PEOPLE | {"pass"}) - {"miss", "attack", "out", "die"}
"""Sorts that are another deed if they are done to a thing: `cut the rope`."""

ON_ONESELF: Final = frozenset({"out", "die", "fall"})
"""Sorts whose subject suffers them where there is no object."""

OF_OBJECTS: Final = frozenset({"give", "steal"})
"""Sorts that are the same deed only with the same thing."""

OF_LOSERS: Final = frozenset({"lose", "concede"})
"""Sorts that those who won a conflict did not do."""

ON_ONE_SIDE: Final = frozenset({"win", "concede"})
"""Sorts that only one side of a conflict does."""

CONTRARY: Final = {
    "hit": ("miss",),
    "miss": ("hit", "pass"),
    "pass": ("miss",),
    "win": ("lose",),
    "lose": ("win",),
    "concede": ("win",),
}
SAME: Final = {
    "hit": ("out",),
    "out": ("die",),
    "fall": ("out", "die"),
    "win": ("out",),
    "lose": ("concede",),
    "concede": ("lose",),
}
"""Sorts that are said by another one too."""

_PAST: Final = """
    ate/eat began/begin bit/bite broke/break brought/bring built/build bought/buy came/come
    caught/catch chose/choose clung/cling crept/creep dealt/deal did/do drank/drink drawn/draw
    drew/draw drove/drive dug/dig fallen/fall fed/feed fell/fall felt/feel fled/flee flew/fly
    flung/fling forgot/forget fought/fight found/find froze/freeze gave/give given/give gone/go
    got/get grew/grow heard/hear held/hold hid/hide hung/hang kept/keep knelt/kneel knew/know
    known/know laid/lay leapt/leap led/lead left/leave lent/lend lit/light lost/lose made/make
    meant/mean met/meet paid/pay ran/run rang/ring rode/ride rose/rise rung/ring said/say sang/sing
    sank/sink sat/sit saw/see seen/see sent/send shaken/shake shone/shine shook/shake shot/shoot
    slept/sleep slid/slide sold/sell sought/seek spent/spend spoke/speak spun/spin stole/steal
    stolen/steal stood/stand struck/strike stuck/stick swam/swim swept/sweep swore/swear swung/swing
    taken/take taught/teach thought/think threw/throw told/tell took/take tore/tear torn/tear
    read/read put/put set/set shut/shut spread/spread let/let
    went/go woke/wake won/win wore/wear worn/wear written/write wrote/write
"""
"""Past forms of other letters, with their present forms."""

SMALL: Final = _set("""
    the a an and or but nor for with from into onto over under upon than that this these those of in
    on at to by as if so is are was were be been being am do does did has have had will would can
    could may might shall not no he she it they we i you him her them us me his its their our your
    my who whom whose which what when where why how all any both one there then out up down off away
    back again only just very too also yet still before after until while because about between
    behind beside through during against first last
    s t d ll re ve m
""")
"""Small words, which say nothing about what happened."""

GERMAN: Final = _set("der die das den dem des ein eine einen einem einer und mit ist sich nicht")
"""Small words of the language that writes every noun like a name."""

OTHERS: Final = _set("he she it they you somebody someone everybody everyone nobody")
"""Subjects that are nobody's name."""
OF_ANOTHER: Final = _set("he she they him her them his hers their theirs")
"""Words by which a teller tells of somebody else."""
OWN: Final = frozenset({"i", "we"})
"""Subjects that are the teller."""
OWN_OBJECTS: Final = frozenset({"me", "us"})
OBJECTS: Final = OWN_OBJECTS | {"him", "them"}
OWN_THINGS: Final = frozenset({"my", "our"})
OF_TELLER: Final = OWN | OWN_OBJECTS | OWN_THINGS
SUBJECTS: Final = OWN | frozenset({"he", "she", "they"})
"""Words that begin a clause even where no conjunction does."""
CONJUNCTIONS: Final = _set(
    "and but or then while when as before after until because who which that where so than if"
)
SUBORDINATING: Final = _set("while when as before after until because where than if")
"""Conjunctions of a clause behind which the sentence goes on with its own subject."""
BEING: Final = _set("am is are was were be been being got gets get")
HE_OR_SHE: Final = frozenset({"he", "she"})
LOSING: Final = _set("lose loses lost losing forfeit forfeits forfeited")
"""Verbs of those from whom a conflict takes what it was about."""
NEGATIONS: Final = _set("not never nobody no neither nor cannot without none")
DETERMINERS: Final = _set("the a an his her their its my your our this that these those another")
SOMEBODY: Final = _set(
    "himself herself themselves him her them somebody someone everybody everyone anybody anyone"
)
ROLES: Final = _set("""
    mayor countess duke duchess baron baroness governor doctor nurse policeman priest bishop
    monk nun merchant innkeeper sailor crowd villager villagers prince princess soldier soldiers
    guard guards watchman judge smith beggar bandit bandits pirate pirates wizard witch dragon
    ghost
""")
"""Words for people and beings that an evening has, or has not."""
PERSONS: Final = _set("""
    man men woman women boy girl child guard guards soldier soldiers watchman watchmen brother brothers
    sister sisters father mother king queen lord lady captain sergeant priest monk stranger strangers enemy
    enemies thief thieves sailor merchant innkeeper ferryman servant prisoner prisoners leader others
""")
"""Words for people without a name."""
OF_TRADES: Final = ("keeper", "man", "men", "woman", "women", "master", "mistress", "maker")
"""Endings of words for people without a name."""
BESIDE: Final = _set("""
    across past through over into with from near along behind before beside around towards for of under on
    after
""")
"""Words before a name to which a deed on people is not done: `cut across their bow`."""
NEXT_TO: Final = _set("across past over into along behind before beside around under through near")
"""Words before a name to which nothing is done."""
OF_VERBS: Final = _set("not didn't don't wasn't isn't couldn't can't cannot won't hadn't")
"""Negations in front of a verb; behind one, they belong to another."""
WHERE: Final = BESIDE | _set("in at to on")
"""Words behind a verb that has no object: `drowned in the bay`."""
CONTESTS: Final = _set("""
    fight battle duel stakes stake game conflict argument struggle clash round day bet race war match
    everything
""")
"""What is lost as a conflict is; other things are lost otherwise: `he lost his way`."""
IDLE: Final = _set("a an way up in off")
"""Words behind `gave` or `stole` that make it no gift and no theft: `gave way`, `stole a glance`."""

OPENERS: Final = _set("""
    rain snow smoke fog mist night dawn darkness silence water blood fire light lights nothing something
    everything people men women soldiers guards once later meanwhile afterwards finally suddenly everybody
    somewhere outside inside today next time death thunder lightning dust sand steel laughter panic wind waves
    torches footsteps voices hands eyes shadows heads doors bells horses arrows sparks flames tears applause
    magic luck fate hope fear ice mud stone others another neither both half part most many some few everyone
    someone anyone
""")
"""First words of a sentence that are no names."""

TITLES: Final = _set("""
    mr mrs ms dr sir lord lady captain lieutenant sergeant father mother brother sister god monday tuesday
    wednesday thursday friday saturday sunday january february march april june july august september october
    november december english french german latin spanish italian greek christmas easter ca wo let
""")
"""Words with a capital letter that are no names of the story."""

STATES_NOTHING: Final[Mapping[str, re.Pattern[str]]] = {
    "a question": re.compile(r"\?[\u201d\"')]*\s*$"),
    "a condition": re.compile(r"(?i)\b(?:if|unless)\b|\b(?:would|could|might|should) have\b"),
    "a guess": re.compile(r"(?i)\b(?:may|might|perhaps|maybe|probably|possibly)\b"),
    "a dream": re.compile(r"(?i)\b(?:dream\w*|nightmares?|imagin\w+|pretend\w*|vision of)\b"),
    "a plan": re.compile(
        r"(?i)\b(?:want(?:s|ed)?|plan(?:s|ned)?|means?|meant|hop(?:es|ed?)|intend(?:s|ed)?|threaten(?:s|ed)?"
        r"|promis(?:es|ed?)|going|about|swore|wish(?:es|ed)?|tried|tries|try|vow(?:s|ed)?) to\b"
        r"|\b(?:will|would|shall|tomorrow|next time|next week|one day)\b"
    ),
    "hearsay": re.compile(
        r"(?i)\b(?:sa(?:y|ys|id)|claim(?:s|ed)?|believ(?:es|ed?)|thought|thinks?|swore|heard|suspect(?:s|ed)?"
        r"|assum(?:es|ed)|insist(?:s|ed)?|argu(?:es|ed)|told \w+|tells \w+) that\b|\b(?:rumou?rs?|allegedly"
        r"|supposedly|according to|they say|accus\w+|claim(?:s|ed) to|(?:is|was|are|were) said to)\b"
    ),
}
"""Ways in which a sentence tells of what need not have happened."""

ORDER: Final = re.compile(
    r"(?i)(?:,?\s+before|,?\s+(?P<turned>after)|[,;]?\s+(?:and\s+)?(?:only\s+)?(?:then|afterwards|later|finally|at last))\s+"
)
"""Words between two things that happened; the later one comes second, except behind `after`."""

BEGINS_WITH_ORDER: Final = re.compile(
    r"(?i)(?:after|(?P<turned>before)|once|as soon as)\s+(?P<first>[^,]+),\s+"
)
"""What one thing begins with that happened before or after the other."""

HARM: Final = frozenset("hp hit poin harm dama woun heal stre".split())
"""Stems of what a blow costs."""
GAINING: Final = re.compile(
    r"(?i)\b(?:gain|secur|obtain|captur|claim)\w*\b|\b(?:kept?|gets?|got|wins?|won|takes?|took)\b|\b(?:away|off|home|out) with\b"
    r"|\b(?:left|leaves?|sail(?:s|ed)|escap(?:es?|ed)|fled|flees?)\b.*\bwith\b"
)
"""Words by which somebody has what a conflict was about."""

TIMES: Final = _set("""
    dawn dusk dark night morning evening noon midnight hour day end other side time way first
    second back front middle same last next beginning air ground floor bottom top edge corner centre circle
    row line hurry silence whisper rush turn moment dream distance
""")
"""Words behind `in the` and `at a` that name no place of the story."""

PLACE: Final = re.compile(
    r"(?i)\b(?:in|at|inside|on|aboard|under|through)\s+(?:the|a|an|his|her)\s+((?:\w+[\s-]?){1,3})"
)
WAY: Final = re.compile(PLACE.pattern.replace("(?:in|", "(?:to|into|from|down|up|in|", 1))
"""The same with places where somebody goes."""
_SHORT: Final = 6
"""Letters of a word up to which its first four are not all of its stem."""
_ENDING: Final = re.compile(r"(\w*[aeiouy]\w*?)(?:(?<!e)ed|ing|(?<![su])s|es|e)$")
_WITH_E: Final = re.compile(r"(?<=\w\w)e$")
_DOUBLED: Final = re.compile(r"([bdfglmnprstz])\1$")
_WORD: Final = re.compile(r"[^\W_]+")


def folded_words(text: str) -> list[str]:
    """Returns the words of a text in small letters, without accents; an apostrophe parts two words."""
    return [word for found in _WORD.findall(text) for word in normalise(found).split()]


def meaning(text: str, leaving_out: frozenset[str] = frozenset()) -> Words:
    """Returns the stems of the words of a text that say something, of verbs in the present."""
    others = SMALL | leaving_out
    words = (_present().get(word, word) for word in folded_words(text) if word not in others)
    return words_of(" ".join(map(_without_ending, words)))


def _without_ending(word: str) -> str:
    """Returns a short word without the ending of a verb or a plural: `hummed`, `hums` and `hum` are one."""
    if len(word) > _SHORT:
        return word
    found = _ENDING.match(word)
    return _DOUBLED.sub(r"\1", word if found is None else _WITH_E.sub("", found[1]))


def sort_told_by(verb: str) -> str | None:
    """Returns the sort of deed that a verb of the table tells; None for another word."""
    return _sorts().get(verb)


def is_past(word: str) -> bool:
    """True for a past form that no rule makes: `taught`."""
    return word in _present()


def is_base(word: str) -> bool:
    """True for a verb in the table of past forms as it is behind several subjects: `hear`."""
    return word in _present().values()


def may_be_verb(word: str) -> bool:
    """True for a word that is a verb, or looks like one in the past."""
    pairs = _present()
    return word in _sorts() or word in pairs or word in pairs.values() or word.endswith("ed") or is_verb(word)


@cache
def _present() -> Mapping[str, str]:
    return dict(pair.split("/") for pair in _PAST.split())


@cache
def _sorts() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for sort, verbs in VERBS.items():
        for verb in verbs.split():
            base, *others = verb.split("/")
            for form in (*_forms_of(base), *others):
                found.setdefault(form, sort)
    return found


def _forms_of(base: str) -> Iterator[str]:
    stem = base.removesuffix("e")
    yield from (base, f"{base}s", f"{base}es", f"{stem}ed", f"{stem}ing")
    yield from (f"{base}{base[-1]}ed", f"{base}{base[-1]}ing")
    if base.endswith("y"):
        yield from (f"{base[:-1]}ies", f"{base[:-1]}ied")
