"""Sentences of people's own words: their ends, a name in the first one, an English verb behind a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Final

from retold.projections.prose.telling import Telling, as_sentence, in_first_person, unquoted
from retold.projections.texts import emphasis

BETWEEN_PARAGRAPHS: Final = "\n\n"
"""Separator of the paragraphs within a text."""

_NOUN_FIRST: Final = re.compile(
    r"(?:the|an?|his|her|its|their|our|my|your|this|these|those|all|one|two|three|some|every|both)\s"
)
_ACTIVITY_FIRST: Final = re.compile(r"[a-z]{2,}ing\s")
_QUESTION_FIRST: Final = re.compile(r"(?:who|whom|whose|which|what|when|where|why|how|whether)\s")
_ALONE: Final = frozenset({"this", "these", "those", "all", "one", "two", "three", "some", "both"})
"""Words that a verb may follow at once, `this is the end`. Behind others it is none: `the lost crown`."""
_CLAUSE_FIRST: Final = re.compile(
    r"(?i)\b(?:who|whom|whose|which|that|where|when|before|until|if|i|you|he|she|it|we|they)\b"
)
"""Words behind which a verb is that of a clause about a thing: `the door that sticks`, `all they took`."""


def kind_of_stakes(text: str) -> str:
    """Returns the key of the phrase behind which stakes in English go on; empty for others.

    There is one for an activity (`getting away`), for a thing (`the rope`), for one with a time (`the rope,
    before midnight`), for a choice (`the bell, or the way out`), and for a question within a sentence (`who
    gets away`); for an aim (`to get away`), and for a clause (`the gang gets away`). All begin with a small
    letter.
    """
    if _QUESTION_FIRST.match(text):
        return "label.stakes-asked"
    if to_do(text):
        return "label.stakes-to"
    is_activity = _ACTIVITY_FIRST.match(text) is not None
    if not is_activity and _NOUN_FIRST.match(text) is None:
        return ""
    first, *behind = _CLAUSE_FIRST.split(text)[0].split()
    verbs = behind if is_activity or first in _ALONE else behind[1:]
    key = "label.stakes-in-time" if _IN_TIME.search(text) else "label.stakes-thing"
    if _CHOICE.search(text):
        key = "label.stakes-either"
    elif is_activity:
        key = "label.stakes"
    return "label.stakes-whether" if any(map(is_verb, verbs)) else key


_CHOICE: Final = re.compile(r"\bor\b")
_IN_TIME: Final = re.compile(
    r", before |\bbefore (?:i|we|he|she|it|they|any(?:body|one)|somebody|dark|dawn|dusk|mid(?:day|night)"
    r"|nightfall|noon|sun(?:rise|set)|morning)\b"
)
"""A time by which something has to be done; not a place, `the case before the judge`."""


_TO_DO: Final = re.compile(
    r"to (?!(?:the|an?|his|her|its|their|my|our|your|this|that|these|those)\b)[a-z]+\b"
)


def to_do(text: str) -> bool:
    """True for a purpose in English that begins with a verb: `to talk him round`, not `to the wheel`."""
    return _TO_DO.match(text) is not None


_CLAUSE: Final = re.compile(rf"{_NOUN_FIRST.pattern}|(?:some|any|no|every)(?:body|one|thing)\s")


def kind_of_wish(text: str) -> str:
    """Returns the key of the phrase for a wish in English: that the boats get home, or for one crossing.

    Empty for words in first person, several sentences, a beginning without an article or so, and in doubt.
    """
    small = f"{text[:1].lower()}{text[1:]}"
    if _CLAUSE.match(small) is None or in_first_person(text) or re.search(r"[.!?\u2026]\s", text):
        return ""
    words, base = _WORD.findall(small), _tenses()[2]
    if any(is_verb(word) or (word in base and before.endswith("s")) for before, word in pairwise(words)):
        return "label.hopes-that"
    may_have_a_verb = any(word in base or word.endswith(("s", "ed")) for word in words[1:])
    return "" if may_have_a_verb else "label.hopes-for"


def within_a_sentence(text: str) -> str:
    """Returns a text as it goes on behind a colon: `The bell rings.` → `the bell rings.`."""
    small = f"{text[:1].lower()}{text[1:]}"
    return small if _CLAUSE.match(small) else text


_SURRENDER: Final = re.compile(
    r"(?i)\b(?:surrender|yield)(?:s|ed)?\b|\bg[ia]ves? (?:up|in)\b|\bkn(?:eels|elt)\b"
    r"|\bon (?:its|his|her|their) knees\b"
    r"|\b(?:drops?|dropped|lays? down|throws? (?:down|away)|threw (?:down|away)|lets? go of)\b"
    r"|\bhands? (?:up|in the air|over)\b|\bbegs?\b|\bmercy\b"
    r"|\berg(?:ibt|ab|eben) (?:sich|mich)\b|\bstreckt(?:e|en)? die Waffen\b|\b(?:lässt|ließ)\b.*\bfallen\b"
    r"|\b(?:wirft|warf)\b.*\bweg\b|\bkniet\b|\bHände hoch\b"
    r"|\bse rend(?:it|ent)?\b|\bbaiss\w+ les armes\b"
    r"|\b(?:jette|jeta|lâche|lâcha) (?:son|sa|ses|les?|la)\b|\bà genoux\b"
)
"""Words of giving up in English, German and French, such as a knife that is dropped."""


_ABOUT_SOMEBODY: Final = re.compile(
    r"\W*(?:it|he|she|they|his|her|its|their|er|sie|es|il|elle|ils|elles)\b", re.IGNORECASE
)


def tells_of_surrender(text: str, who: str) -> bool:
    """True for words of giving up outside of speech, in a text with a name, or that begins with a pronoun."""
    told = unquoted(text)
    is_about = _ABOUT_SOMEBODY.match(told) is not None or who.casefold() in told.casefold()
    return is_about and _SURRENDER.search(told) is not None


_ABOUT_A_SUBJECT: Final = re.compile(r"(?:who|what|(?:which|whose) [a-z]+) ([a-z]+)\b")
_WITH_BE: Final = re.compile(
    r"((?:who|what|where)|(?:whose|which|what|how) [a-z]+) "
    r"((?:it|he|she|they|(?:the|an?|his|her) )\b.*) (is|are|was|were)"
)


def as_question(text: str, *, present: bool) -> str:
    """Returns stakes in English as a question of its own; empty if they make none for certain.

    `whose night it was` → `Whose night was it?`, `who gets away` → `Who gets away?`, and of a clause
    `the gang gets away` → `Will the gang get away?`, in the past `Would …`. In the present `was` is `is`.
    """
    if found := _WITH_BE.fullmatch(text):
        verb = found[3].replace("was", "is").replace("were", "are") if present else found[3]
        return as_sentence(f"{found[1]} {verb} {found[2]}?")
    found = _ABOUT_A_SUBJECT.match(text)
    if found is not None and is_verb(found[1]):
        return as_sentence(f"{text}?")
    subject, verb, base, rest = _parts_of_clause(text.removeprefix("whether "))
    if base == "be":
        return as_sentence(f"{verb} {subject} {rest}?")
    return f"{'Will' if present else 'Would'} {subject} {base} {rest}".rstrip() + "?" if base else ""


def _parts_of_clause(text: str) -> tuple[str, str, str, str]:
    """Returns subject, verb, its base form and the rest of a clause in English; the base is empty if unsure.

    `the gang gets away` → `the gang`, `gets`, `get` and `away`.
    """
    subject, _, rest = text.partition(" ")
    for word in () if _QUESTION_FIRST.match(text) else rest.split():
        rest = rest.removeprefix(word).strip()
        if word in ("is", "are", "was", "were"):
            return subject, word, "be", rest
        base = re.sub(r"(?:(?<=[cs]h)|(?<=ss)|(?<=[xzo]))es$|s$", "", re.sub(r"ies$", "y", word))
        is_noun = _NOUN_FIRST.fullmatch(f"{subject} ") is not None  # the guards
        are_several = subject.endswith("s") or subject in ("they", "we", "you")
        if base in _tenses()[2] and not is_noun and (word != base or are_several):
            return subject, word, base, rest
        subject = f"{subject} {word}"
        if _CLAUSE_FIRST.search(word):
            break
    return subject, "", "", rest


_SECOND_CLAUSE: Final = re.compile(r"\b(?:and|but|or|so|while)\b(?! [a-z]+ed\b)")


def as_infinitive(wish: str) -> str:
    """Returns a clause in English as it stands behind a verb of wanting; empty if unsure.

    `the bell rings at noon` → `the bell to ring at noon`.
    """
    subject, verb, base, rest = _parts_of_clause(wish)
    is_now = bool(base) and verb not in ("was", "were")
    own = _CLAUSE_FIRST.split(rest)[0]
    has_more = _SECOND_CLAUSE.search(rest) or (base != "be" and any(map(is_verb, own.split())))
    return f"{subject} to {base} {rest}".rstrip() if is_now and not has_more else ""


_ENDS: Final = re.compile(r"(?<=[a-z]{3}[.])\s+(?=[^\W\d_a-z])|(?<=[!?])\s+(?=[^\W\d_a-z])")
"""Blank between two sentences; not behind an abbreviation such as `Mr.`."""
_FIRST: Final = re.compile(r".*?[.!?\u2026](?=\s|$)|.*", re.DOTALL)
_SHORTEST_NAME: Final = 4
"""Letters from which one word of a name is enough."""

_REGULAR: Final = """
    add agree aim allow answer appear argue arrive ask attack beckon beg believe blink block blush
    bolt bow brush call carry charge check chuckle clap clear clench climb close collapse cough
    count cover crawl cross crouch cry curse dance dash deliver drag drift drop duck edge enter
    escape examine explain expect explode fail fetch fire follow force frown gasp gaze gesture
    giggle glance glare grab grimace grin groan grow grunt guard happen hate haul help hesitate hiss
    hop hug hum hurry ignore insist join jump kick kiss knock land laugh lean leap lift light limp
    listen loom look loop love lower lunge march move mumble murmur mutter need nod notice obey offer
    open order pace paint pass pause peer pick place play plunge point pour press promise pull punch
    push race raise reach realise realize refuse release remain remember remove repeat reply rest
    retreat return roar roll rub rush salute scan scowl scramble scratch scream search seem settle
    shiver shout shove shrug sigh signal sip slam slip smile smirk snap snarl sneer sniff snort sob
    spot squint stagger stammer stare start stay step stop stretch struggle stumble swallow tap
    threaten toss touch trail tremble trip try tumble turn twitch use wait walk wander want warn
    watch wave whisper whistle wince wink wipe wonder work yawn yell
"""
_IRREGULAR: Final = """
    is are was were has had does did goes went comes came takes took gives gave gets got makes made
    says said sees saw knows knew thinks thought finds found feels felt falls fell keeps kept leaves
    left loses lost lets puts runs ran sits sat stands stood tells told throws threw wins won begins
    began breaks broke brings brought catches caught chooses chose draws drew drinks drank drives
    drove eats ate fights fought flees fled flies flew forgets forgot freezes froze hangs hung hears
    heard hides hid hits holds held hurts leads led lies lay lays laid meets met pays paid reads
    rides rode rises rose seeks sought sells sold sends sent sets shakes shook shines shone shoots
    shot shuts sings sang sinks sank sleeps slept slides slid speaks spoke spends spent spins spun
    spits spat steals stole sticks stuck strikes struck swears swore sweeps swept swims swam swings
    swung tears tore understands understood wakes woke wears wore writes wrote can cannot could will
    would may might must should shall
"""


_SAME_IN_BOTH: Final = frozenset({"hit", "hurt", "lay", "let", "put", "read", "set", "shut", "spat"})
"""Past forms of the list that are present forms too."""
_PRESENT_ELSEWHERE: Final = """
    ist sind geht gehen kommt steht liegt sitzt sieht nimmt gibt macht sagt hält läuft zieht fällt schlägt
    greift öffnet va vont vient viennent voit prend prennent fait font tient tiennent ouvre
"""
_PAST_ELSEWHERE: Final = """
    waren hatte hatten ging gingen kam kamen saß sah nahm machte sagte hielt lief schlug fiel griff öffnete
    était étaient avait avaient fut furent alla vint prit tint ouvrit
"""
"""Verbs of German and French that are no words in English."""
_MODAL: Final = frozenset(
    {"can", "cannot", "could", "will", "would", "may", "might", "must", "should", "shall"}
)
_AUXILIARY: Final = """
    am is are was were be been being has have had having do does did not never already just
"""
"""Words before a participle, which tells no tense."""


@cache
def _tenses() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Returns verbs of the present in third person, verbs of the past, and verbs behind I in the present."""
    words = frozenset(_IRREGULAR.split()) - _MODAL - _SAME_IN_BOTH
    present = frozenset(word for word in words if word.endswith("s") and word != "was") | {"are"}
    third = present - {"is", "are", "has", "flies"}
    behind_i = {word.removesuffix("es" if word.endswith(("ches", "oes")) else "s") for word in third}
    elsewhere = frozenset(_PRESENT_ELSEWHERE.split()), frozenset(_PAST_ELSEWHERE.split())
    present, words = present | elsewhere[0], words | elsewhere[1]
    return present, words - present, frozenset({"am", "have", "fly"} | behind_i | {*_REGULAR.split()})


_WORD: Final = re.compile(r"[^\W\d_]+")


_ENOUGH_VERBS: Final = 2
"""Verbs more of one tense than of the other from which a scene has a tense of its own."""


def tense_of(texts: Iterable[str]) -> int:
    """Returns how many more verbs of the present than of the past are in English texts.

    Neither speech nor a word with a capital counts: Rose may be a name. A regular verb counts only behind a
    pronoun, where it is neither noun nor participle. 0 in most other languages.
    """
    balance = 0
    for text in texts:
        last = ""
        for word in _WORD.findall(unquoted(text)):
            balance += _tense(word, last)
            last = word.casefold()
    return balance


def is_certain(tense: int) -> bool:
    """True if texts of this `tense` (`tense_of`) have enough verbs to tell past from present."""
    return abs(tense) >= _ENOUGH_VERBS


def _tense(word: str, before: str) -> int:
    """Returns 1 for a present verb, -1 for a past verb, else 0; `before` is the word in front."""
    now, then, behind_i = _tenses()
    is_person, is_third = before in _PERSONS, before in _THIRD_PERSONS
    if word in now or (is_person and word in behind_i):
        return 1
    if before == "has" and (word in then or word.endswith(("ed", "en", "ne", "wn"))):
        return -1  # has won, has been: neither tense
    if word in then or ((is_person or is_third) and word.endswith("ed")):
        return -(before not in _AUXILIARY.split())
    return int(is_third and word.endswith("s") and is_verb(word))


_PERSONS: Final = frozenset({"i", "we", "they"})
_THIRD_PERSONS: Final = frozenset({"he", "she", "it"})


@cache
def _verbs() -> frozenset[str]:
    """Verbs as they stand behind a name: third person, past tense, auxiliaries."""
    forms, doubled = {*_IRREGULAR.split()}, {*_DOUBLED.split()}
    for stem in _REGULAR.split():
        if stem.endswith("y") and stem[-2] not in "aeou":
            forms |= {f"{stem[:-1]}ies", f"{stem[:-1]}ied"}
        elif stem.endswith("e"):
            forms |= {f"{stem}s", f"{stem}d"}
        else:
            double = stem[-1] if stem in doubled else ""
            forms |= {f"{stem}es" if stem.endswith(_HISSING) else f"{stem}s", f"{stem}{double}ed"}
    return frozenset(forms)


_HISSING: Final = ("s", "sh", "ch", "x", "z", "o")
_DOUBLED: Final = """
    beg clap drag drop grab grin hop hug hum nod pat rub scan slam slip snap sob spot step stop tap
    trip wrap
"""
"""Regular verbs that double their last letter."""


def is_verb(word: str) -> bool:
    """True for a common English verb in third person or past tense; False for any other word."""
    return word in _verbs()


def is_named(text: str, speaker: str) -> bool:
    """True if the first sentence has the speaker's name, or a longer word of it, outside of quotations.

    A single word at the beginning of the sentence counts only before an English verb, since anything has a
    capital letter there: `Rose petals fall` names no one.
    """
    if text.startswith(speaker) and is_possessive(text[len(speaker) :]):
        return True
    found = _FIRST.match(unquoted(text).lstrip())
    if found is None:
        return False
    words = (word for word in speaker.split() if len(word) >= _SHORTEST_NAME)
    return any(_has_name(found[0], name) for name in (speaker, *words) if name[:1].upper() == name[:1])


def begins_with_name(text: str, name: str) -> bool:
    """True if a text begins with this name, perhaps a possessive, and a blank, in any language."""
    rest = text[len(name) :]
    return bool(name) and text.startswith(name) and (rest[:1].isspace() or is_possessive(rest))


def _has_name(sentence: str, name: str) -> bool:
    for found in re.finditer(rf"\b{re.escape(name)}\b", sentence):
        if re.search(r"\w", sentence[: found.start()]) or " " in name:
            return True
        after = re.match(r"\s+(?:(?:never|only|just|also|still|then)\s+)?([a-z]+)", sentence[found.end() :])
        if after is not None and is_verb(after[1]):
            return True
    return False


_FIRST_WORD: Final = re.compile(r"(?:[a-z]+ly )?([a-z]+)\b")


_VERB_OF_AN_OBJECT: Final = re.compile(
    r"(?!across|perhaps|unless|versus|plus|[a-z]*(?:wards|stairs|doors|times|ways|days)\b|[a-z]*eed\b)"
    r"[a-z]{2,}(?:[a-rt-z]s|sses|ed)\s+(?:the|an?|his|her|their|its|him|them|it|this|that|these|those|some|up"
    r"|down|out|away|off|back|himself|herself|themselves|itself)\b"
)
"""A word with the ending of a verb before an object or a particle: `cooks the crabs`."""


def is_emote(text: str) -> bool:
    """True for words that go on behind their teller's name: `looks up`; never for a text that says I.

    They begin with a common verb, or with any before its object: `cooks the crabs`.
    """
    found = _FIRST_WORD.match(text)
    if found is None or in_first_person(text) or _SMALL_I.search(text):
        return False
    is_behind_a_name = _VERB_OF_AN_OBJECT.match(text) and _NO_EMOTE.match(text) is None
    return is_verb(found[1]) or bool(is_behind_a_name)


_NO_EMOTE: Final = re.compile(
    r"(?:i|you|he|she|it|we|they|his|her|its|my|your|our|their|the|an?|this|that|these|those|there|here|and|but"
    r"|or|so|if|when|while|as|no|yes|what|who|why|how|where|(?:every|some|any|no)(?:one|body|thing)|every|some"
    r"|any|all|both|each|several|many|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|maybe"
    r"|perhaps|let['\u2019]s|let us"
    r"|ich|du|er|sie|es|wir|man|der|die|das|(?:k?ein|[mds]ein|ihr|unser|euer)(?:e[mnrs]?)?|diese[rs]?|jede[rs]?"
    r"|alles?|jemand|niemand|etwas|nichts|einige|viele|zwei|drei|vier|und|aber|oder|wenn|ja|nein|vielleicht"
    r"|je|tu|ils?|elles?|nous|vous|l[ea]s?|une?|des|[mts](?:on|a|es)|[nv]o(?:tre|s)|leurs?|ce|cet|cette|ces|\u00e7a"
    r"|tout|toute|tous|toutes|chacune?|personne|rien|quelqu['\u2019]un|deux|trois|et|mais|ou|quand|oui|non|peut-\u00eatre"
    r")(?![\w-])|[cjl]['\u2019]\w"
)
"""First words of a text with a subject of its own, or of one that a name cannot stand before.

They are English, German and French. `le` and `la` are objects too, but a name before an article is worse.
"""


def goes_on_behind_a_name(text: str) -> bool:
    """True for words of a chat that begin with a small letter and have no other subject: `ties the boat`.

    Their verb need not be known, nor come first: `quietly closes the hatch`.
    """
    return text[:1].islower() and _NO_EMOTE.match(text) is None


def is_possessive(text: str) -> bool:
    """True for words that go on right behind their teller's name: `'s lips split`."""
    return text[:1] in ("'", "\u2019") and text[1:3] == "s "


def tells_of_itself(text: str) -> bool:
    """True for a text that tells in first person and does not begin as an emote: `nods, as I do` is one."""
    found = _FIRST_WORD.match(text)
    return in_first_person(text) and not (found is not None and is_verb(found[1]))


def has_always_an_article(name: str, text: str) -> bool:
    """True if a text names a person, and every time behind “the”; speech does not count."""
    told = unquoted(text)
    named = re.findall(rf"\b{re.escape(name)}\b", told)
    return bool(named) and len(named) == len(re.findall(rf"\b[Tt]he {re.escape(name)}\b", told))


_PREDICATES: Final = """
    is has had does did cannot can could will would may might must should knows thinks believes wants
    hates loves needs owes keeps says seems remembers
"""
"""Verbs that are no nouns, and no participles such as `caught`."""


_PARTICIPLES: Final = """
    bound broken burnt caught cut drawn driven forgotten hidden held hit hurt known laid left lit lost pinned
    put run seen set shot shut stuck stolen struck swept thrown torn worn
"""


_OF_THE_MIND: Final = "seeing hearing fearing doubting dreading losing remembering"
"""Participles with an object: `Seeing shoes`; behind others a noun is a thing, `Bleeding nose`."""


_BEHIND_A_PARTICIPLE: Final = """
    a an the his her its their him them it this that to at by in into on onto of off up down out over under
    with from for against between behind beside near around through across along about and alone
"""
"""Words by which a participle is told from an adjective: `Cracked visor` is a thing."""


_ACT: Final = re.compile(
    r"(?:[a-z]+ly )?([a-z]+(?:s|ed))\s+(?:the|an?|his|her|their|its|him|them|it|this|that|(?:it|him|her)self"
    r"|themselves|up|down|out|away|off|back|into|onto|through|past|towards?)\b"
)


def is_act(text: str) -> bool:
    """True for words typed as a sentence that go on behind their teller's name, such as `Opens the lock`."""
    found = None if text.endswith("?") or in_first_person(text) else _ACT.match(text[:1].lower() + text[1:])
    return found is not None and is_verb(found[1])


_TO_OTHERS: Final = re.compile(
    r"(?:let(?: (?:me|us|him|her|it|them)|['\u2019]s)|do(?:n['\u2019]t| not)|you|your)\b"
)
"""First words of what is said to others: `Let them come.`."""


def may_be_shouted(text: str) -> bool:
    """True for words of an act that are speech: they end in “!” and tell no deed, or are for others to do."""
    small = f"{text[:1].lower()}{text[1:]}"
    is_told = in_first_person(text) or is_emote(small) or says_who(text.replace("!", ".")) or '"' in text
    is_thing = _NOUN_FIRST.match(small) is not None
    return _TO_OTHERS.match(small) is not None or (text.endswith("!") and not (is_told or is_thing))


_MANNER: Final = re.compile(
    r"(?i)(?:from|with|without|behind|through|over|under|across|into|onto|past|between|along|against)\s"
    r"(?!\s*(?:them|him|it|us|me|you)\b)"
)


def is_manner(text: str) -> bool:
    """True for words on how or where somebody acts, without a verb of their own: `From the pulpit`."""
    first = first_end(text)[0]
    is_told = not (in_first_person(text) or first.endswith(("?", "!")))
    return is_told and _MANNER.match(first) is not None and not any(map(is_verb, _WORD.findall(first)))


def kind_of_wording(text: str) -> str:
    """Returns how an English wording becomes a sentence: as `thing`, `state`, `habit` or `deed`; else empty.

    There is a thing (`A rope along the wall`); a person is in a state (`Lit up against the gate`), keeps a
    habit (`Seeing ghosts`), or does the deed (`Loops its own feed`).
    """
    word, *behind = text.lower().split() or [""]
    following = behind[0] if behind else ""
    if word in ("a", "an"):
        return "" if any(map(is_verb, _CLAUSE_FIRST.split(" ".join(behind))[0].split()[1:])) else "thing"
    if in_first_person(text):
        return ""
    is_noun = word in _MODAL and (following in {"", "of", "to"} or is_verb(following))
    if is_act(text) or (word in _PREDICATES.split() and not is_noun):
        return "deed"
    if word in _OF_THE_MIND.split():
        return "habit"
    is_bare = re.fullmatch(r"[a-z]{2,}[^e]ed", text.lower()) is not None
    if is_bare or (word == "not" and following in ("to", "sure")):
        return "state"
    is_participle = word in _PARTICIPLES.split() or re.fullmatch(r"[a-z]{3,}(?:ing|ed)", word)
    return "state" if is_participle and following in _BEHIND_A_PARTICIPLE.split() else ""


_INJURY: Final = re.compile(
    r"(?:[a-z-]+ ){0,2}?(?:(?P<one>ankle|arm|back|belly|bone|brow|cheek|chin|collarbone|ear|elbow|eye|finger"
    r"|foot|hand|head|heel|hip|jaw|knee|leg|lip|neck|nose|palm|rib|shin|shoulder|skull|thigh|throat|thumb|toe"
    r"|tooth|tongue|wing|wrist|bite|blister|bruise|burn|concussion|cough|cramp|cut|fever|gash|graze|headache"
    r"|limp|lump|nosebleed|scar|scratch|sprain|welt|wound)(?P<several>s?)|blood|feet|teeth)"
    r"(?: (?:[a-z]+ed|(?:that|in|on|behind|from|with|under|above|across|full|of)\b.*))?"
)


def injury_in(text: str, telling: Telling) -> str:
    """Returns an English wording about a part of the body as an object: `a grazed shoulder`; else empty."""
    found = _INJURY.fullmatch(text.casefold())
    return "" if found is None else _object(text, telling, is_one=bool(found["one"]) and not found["several"])


def _object(noun: str, telling: Telling, *, is_one: bool) -> str:
    """Returns a noun as the object of a sentence, in English behind an article."""
    is_bare = is_one and _NOUN_FIRST.match(noun.casefold()) is None
    return telling.say("names.object", noun=noun, bare=is_bare, vowel=noun[:1].casefold() in "aeiou")


_SMALL_I: Final = re.compile(r"\bi(?:'|\u2019|\b)")


_PRONOUN: Final = re.compile(
    r"(?i)(?:he|she|it|they|you|his|her|its|their|your|who|whoever|what|whatever|one|this|that|then)\b"
)


_OPENING: Final = ('"', "\u201c")


def says_who(text: str) -> bool:
    """True if the first sentence names who does what: it has a verb, and begins with no pronoun.

    Of speech, the text after it counts: `“Go,” says the chairman`. Never true for a text that says I.
    """
    bare = unquoted(text).strip()
    first = first_end(bare)[0]
    words = re.findall(r"[^\W\d_]+", first)
    if not words or in_first_person(text) or _PRONOUN.match(first) or first.endswith("!"):
        return False
    if text.strip()[:1] in _OPENING and not (
        is_verb(words[0]) and words[1:] and not _PRONOUN.match(words[1])
    ):
        return False
    return any(map(is_verb, words))


_LONGEST_MEANS: Final = 4
_MORE: Final = re.compile(r",|(?:^|\s)\d")
"""Begins what is no name of a weapon: `Magic missile, mostly missed`, `smite 2d8`."""


def means_in(text: str, telling: Telling) -> str:
    """Returns what somebody strikes with, if that is all a text says: `a firebolt`; empty for others."""
    named, known = _MORE.split(text)[0].strip(" .!"), telling.say("names.weapons")
    small = named.casefold()
    words = small.split()
    if len(words) > _LONGEST_MEANS or any(map(is_verb, words)):
        return ""
    if not known or not small.removesuffix("s").endswith(tuple(known.split(", "))):
        return ""
    return _object(named, telling, is_one=not small.endswith("s"))


def first_end(text: str) -> tuple[str, str]:
    """Returns the first sentence of a text, and the rest."""
    words = emphasis.words(text)
    end = _ENDS.search(words)
    return (text, "") if end is None else emphasis.cut(text, *end.span())


def ends_open(text: str) -> bool:
    """True if the text ends in a letter or digit of a script that uses full stops."""
    last = emphasis.words(text[-3:])[-1:]
    return last.islower() or last.isupper() or last.isdecimal()


_QUESTION: Final = re.compile(
    r"(?i)(?:.*[.!?\u2026]\s+|\W*)(?:(?:and|but|so|well|then|ok),?\s+)?(?:"
    r"(?:who|what|where|when|why|how)(?:['\u2019]s)?\s(?:is|are|was|were|do|does|did|has|have|can|could|will|would)"
    r"|(?:what|who|why|where|how)(?:\s(?:now|then|else|not|about .+))?$|\w+ (?:what|who)$"
    r"|(?:is|are|was|were|do|does|did|have|can|could|will|would)\s(?:i|you|he|she|it|we|they|there|that|this)\s\w)"
)


def asks(text: str) -> bool:
    """True for an English question without its question mark: `who has the key`."""
    return ends_open(text) and _QUESTION.match(text) is not None


_VERB_FIRST: Final = re.compile(
    r"(?:do|does|did|is|are|was|were|can|could|will|would|should|has|have) (?!of )[^.?!]*", re.IGNORECASE
)


def with_question_mark(stakes: str) -> str:
    """Returns stakes with a question mark if they are an English question that begins with its verb."""
    return f"{stakes}?" if _VERB_FIRST.fullmatch(stakes) else stakes


def stopped(text: str, closing: str, *, inside: bool) -> str:
    """Returns typed words, where a line ends without a sign, with the full stop of a story.

    It comes before the `closing` quotation mark if that is `inside`. An address at the end takes none, nor do
    verse, a list or a heading.
    """
    last = text.rpartition(BETWEEN_PARAGRAPHS)[2]
    if "\n" in last or (
        last.startswith(emphasis.SIGNS.strong) and last.endswith(emphasis.SIGNS.end_of_strong)
    ):
        return text
    bare, ends = emphasis.without_ends(text)
    said = bare.removesuffix(closing)
    if not ends_open(said) or "://" in said.rpartition(" ")[2]:
        return text
    if asks(said):
        return f"{said}?{bare[len(said) :]}{ends}"
    return f"{said}.{closing}{ends}" if inside and said != bare else f"{text}."


_CONTENT_WORD: Final = re.compile(r"\w{5,}")
"""Word long enough to be recognised in another text."""

_COMMON: Final = """
    about after again before being cannot could every never other should still their there these
    first second thing things third those twice until where which while whether without would
"""
"""Words that say nothing about what a text refers to."""


def content_words(text: str) -> frozenset[str]:
    """Returns the longer words of a text, without common ones and without regard to case."""
    return frozenset(_CONTENT_WORD.findall(text.casefold())) - _common()


_SHORT_WORD: Final = re.compile(r"\w{3,}")

_FUNCTION_WORDS: Final = """
    the and but for nor with from into onto over under upon than that this these those does did has have had
    was were will would can could may might shall are not she her him his its they them their our you your
    who whom whose which what when where why how all any both one two three some every everybody anybody
    nobody everything
"""
"""Words that say nothing about what is at stake, beside the common ones."""


def says_all_of(text: str, stakes: str) -> bool:
    """True if a text in English has every word of the stakes, without regard to case and to small words."""
    words = {*_SHORT_WORD.findall(stakes.casefold())} - {*_FUNCTION_WORDS.split()} - _common()
    return bool(words) and words <= {*_SHORT_WORD.findall(text.casefold())}


@cache
def _common() -> frozenset[str]:
    return frozenset(_COMMON.split())
