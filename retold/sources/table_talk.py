"""Talk at the table, told from speech in character by words that no character says."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 200
"""Characters up to which a message may be talk; a longer one is a text of its own."""
QUOTES: Final = '"\u275d\u275e\u201c\u201d\u201e\u00ab\u00bb\u300c\u300e'
"""Quotation marks; what has some is speech or narration."""
_SLANG: Final = """
    lol lmao lmfao rofl xd omg brb afk gtg g2g bbl bbs btw imo imho tbh idk irl jk pls plz thx ooc hdgdl ptdr
"""
_SKILLS: Final = """
    acrobatics arcana athletics deception insight intimidation medicine perception performance persuasion
    stealth survival initiative concentration investigation thievery
"""
_DAMAGE: Final = """
    bludgeoning piercing slashing fire cold acid poison psychic necrotic radiant force thunder lightning
    damage
"""


def _one_of(words: str) -> str:
    return "|".join(words.split())


_WHOLE: Final = re.compile(
    r"(?:\S+ ){0,3}<?https?://\S+\Z"
    rf"|\d{{1,3}} (?:{_one_of(_DAMAGE)})(?: damage)?[.!?]*\Z"
    rf"|(?:{_one_of(_SKILLS)})(?: (?:or|and) (?:{_one_of(_SKILLS)}))*(?: check)?(?: please)?[?!.]*\Z"
    r"|(?:nice|yay|oof|woo+|gg|np|ty|wb|bravo)[!.? ]*\Z"
    r"|how do you want to do this\b",
    re.IGNORECASE,
)
"""Talk by the whole of a text, or by its beginning."""
_SIGNS: Final = re.compile(
    r"[@:;=<^](?:(?<=@)(?<![\w@]@)[^\W_]"
    r"|(?<=[:;=])(?<![\w:;=)\]][:;=])['\u2019]?-?[)(DPp](?!\w)"
    r"|(?:(?<=<)(?<!\w<)3|(?<=\^)(?<!\w\^)\^|(?<=:)(?<!\w:)'\()(?!\w))"
)
"""Names and faces of a chat."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_FIRST_WORDS: Final = frozenset(
    f"""
    {_SLANG} g dc ac cr nat natural d hp dmg xp mp saving spell bonus sg dd cd tp lep pv pdv
    w\u00fcrfel w\u00fcrfelt w\u00fcrfeln w\u00fcrfele probe wurf jet tirada tira roll rolling can could do
    did may should wrong double next same see does how session initiative
    """.split()
)
"""Letters with which talk begins: to look for one of these is quicker than for the talk itself."""
_WORDS: Final = re.compile(
    rf"\b(?:(?<!['\u2019])(?:{_one_of(_SLANG)})(?![\w'\u2019])"
    r"|(?:dc|ac|cr) ?\d{1,2}\b|nat(?:ural)? ?(?:1|20)\b|\d{0,2}d(?:4|6|8|10|12|20|100)(?:\b|[+-])"
    r"|\d{1,4}(?: ?/ ?\d{1,4})? ?(?:hp|dmg|xp|mp)\b"
    r"|(?:hp|xp|dmg|saving throw|spell slots?|bonus action)\b"
    r"|(?:sg|dd|cd) ?\d{1,2}\b|\d{1,4} ?(?:tp|lep|pv|pdv)\b"
    r"|w\u00fcrfel(?:t|n|e)? (?:mal|bitte|auf|initiative)\b"
    r"|(?:probe|wurf) auf\b|jet de (?:perception|sauvegarde|discr\u00e9tion|initiative)\b"
    r"|(?:tirada de|tira (?:percepci\u00f3n|iniciativa|sigilo))\b"
    rf"|roll(?:ing)? (?:(?:for|me|an?|your) )*(?:{_one_of(_SKILLS)}|something)\b"
    r"|(?-i:(?:can|could|do|did) i (?:tell|see|know|hear|notice|find|recogni[sz]e|remember)\b)"
    r"|(?:can|could|may|should|do) (?:i|we) (?:roll|make|use|get|take|add|reroll)\b"
    r"|(?:wrong channel|double click|next session|same time next week|next week same time)\b"
    r"|see you next week\b|does (?:an? )?\d{1,2} (?:hit|pass|succeed|do it)\b|how much damage\b"
    r"|session zero\b|initiative order\b)",
    re.IGNORECASE,
)
"""Words of the table and the chat. One `\\b` for all: most places in a text begin no word."""
_SHORT: Final = 40
"""Characters up to which a message with a picture among its words is talk."""
_PICTURE: Final = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
_TEMPLATE: Final = "&{template:"
"""Beginning of a card of Roll20 that was never made."""
_INLINE: Final = re.compile(r"\[\[[^\[\]]{0,200}\]\]")
"""Roll among words."""
_SPOKEN: Final = re.compile(r"[\w.\u2026!?]")


def is_table_talk(text: str) -> bool:
    """True for one short line with words of the table or the chat: `brb`, `dc 15`, a link, or no words."""
    if text.startswith(_TEMPLATE):
        return True
    if not 0 < len(text) <= _LONGEST or "\n" in text or any(sign in text for sign in QUOTES):
        return False
    text = _INLINE.sub("", text) if "[[" in text else text
    if len(text) <= _SHORT and _PICTURE.search(text):
        return True
    may_have_words = not _FIRST_WORDS.isdisjoint(_LETTERS.findall(text.lower()))
    is_talk = _WHOLE.match(text) or _SIGNS.search(text) or (_WORDS.search(text) if may_have_words else None)
    return is_talk is not None or _SPOKEN.search(text) is None


_ENDS: Final = re.compile(r"end of (?:part|session|chapter|episode) \w{1,12}|to be continued", re.IGNORECASE)
_RULINGS: Final = re.compile(
    r"(?:an? )?\d{1,3}(?: (?:hits|misses|passes|fails|succeeds|does it|(?:is|was) (?:just |more than |not )?"
    r"(?:plenty|enough|fine|good|great|a hit|a miss|a crit|a success|a fail(?:ure)?)))?"
    r"|(?:(?:yes|yeah|yep|ok|no),? )?that(?:'?s| is| was) (?:not )?an? (?:critical |crit )?"
    r"(?:hit|miss|crit|success|fail)|that (?:hits|misses)|hits?|miss(?:es)?"
    r"|you can(?:'?t|not) (?:really )?tell",
    re.IGNORECASE,
)
"""What a game master says about a roll."""
_QUESTIONS: Final = re.compile(
    r"(?:\w{1,8}[.!,]* )?\d{1,3} ?\?+|(?:is it )?my turn(?: now)?\?+|whose turn(?: is it)?\?*", re.IGNORECASE
)
"""What a player asks after a roll."""
_FIRST: Final = re.compile(r"([^.!?\n]{1,40}[.!?\u2026]*)\s+(.+)", re.DOTALL)


def parted_talk(text: str, *, by_game_master: bool, after_roll: bool) -> tuple[str, str]:
    """Talk at the beginning of a text, and the rest: `17 is plenty. The yard is empty.` has both.

    The end of a part is talk; numbers and turns are only after a roll.
    """
    begins = _FIRST.fullmatch(text)
    for talk, rest in ((text, ""), begins.groups() if begins else ("", text)):
        words = talk.strip(" .!*_#\u2026").replace("\u2019", "'")
        about = _RULINGS if by_game_master else _QUESTIONS
        if _ENDS.fullmatch(words) or (after_roll and about.fullmatch(words)):
            return talk, rest
    return "", text


def ruled(text: str) -> str:
    """What a game master says of an attack at the beginning of a text: `hit`, `miss`, or nothing."""
    ruling = parted_talk(text, by_game_master=True, after_roll=True)[0].casefold()
    if re.search(r"\b(?:miss\w*|fails?|not)\b", ruling):
        return "miss"
    return "hit" if re.search(r"\b(?:hits?|crit|plenty|enough|success)\b", ruling) else ""


ACTS: Final = "acts"
"""Name of announced acts among the kinds of the answers."""
_ACTS: Final = _one_of(
    """
    go walk run step climb jump crawl sneak creep move turn look peek glance listen search check examine
    inspect open close shut kick push pull draw grab drop throw toss attack swing strike stab slash shoot fire
    cast charge duck dodge hide kneel lean nod shrug smile grin wave point bow follow head rush dash hurry tie
    untie raise lower lift reach use ready activate approach enter leave try start sit light put pick
    set pour drag lock unlock reload knock press crouch dive leap
    grapple tackle shove punch block sheathe unsheathe aim heal drink
    """
)
_ANNOUNCED: Final = re.compile(
    r"(?:(?:ok(?:ay)?|alright|all right|so|well|right|um+|uh+|and|now|then|yeah|yes|yep|fine)[,.\u2026 ]+)*"
    r"i (?P<how>(?:just|then|also|quickly|quietly|slowly|carefully|silently|immediately) )?"
    rf"(?P<act>{_ACTS})\b(?P<rest>.*)",
    re.IGNORECASE,
)
_NO_ACT: Final = re.compile(rf"\b(?:you|your|yours|u|i|i['\u2019]\w+)\b|\?|[{QUOTES}]|:", re.IGNORECASE)
"""Signs of speech behind what may be an act."""
_OWN: Final = re.compile(r"\b(?:my|me|mine|myself|we|us|our)\b", re.IGNORECASE)
_ACTS_BEHIND: Final = """
    hold take keep wait give call shout yell stand ask stop let make get bring find see say tell stay carry
    cover ring whistle
"""
_SMALL: Final = re.compile(r"(?<=[.!] )[a-z]")
_GOES_ON: Final = re.compile(
    rf"(?P<before>(?:\band|,|\bthen) )(?P<act>{_ACTS}|{_one_of(_ACTS_BEHIND)})(?= |[.,!]|\Z)"
)
_UNKNOWN: Final = re.compile(
    rf"\b(?:and|then) (?!(?:{_ACTS}|{_one_of(_ACTS_BEHIND)}|the|an?|then|his|her|its|their|to|all)\b)"
)
"""Word that may be a verb of the first person."""


def announced(text: str) -> str:
    """Act that a player announces, behind a name: `ok i go in. axe out` is `goes in. Axe out`.

    In the first person if more of its words are or may be (`I draw my axe`); empty for speech.
    """
    found = _ANNOUNCED.fullmatch(text.strip())
    if found is None or _NO_ACT.search(found["rest"]):
        return ""
    how, act, rest = (found["how"] or "").lower(), found["act"].lower(), found["rest"]
    rest = _SMALL.sub(lambda letter: letter[0].upper(), rest)
    if _OWN.search(rest) or _UNKNOWN.search(rest):
        return f"I {how}{act}{rest}"
    rest = _GOES_ON.sub(lambda one: one["before"] + _in_third_person(one["act"]), rest)
    return f"{how}{_in_third_person(act)}{rest}"


def _in_third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
