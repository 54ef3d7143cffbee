"""Attacks that cards tell beside their dice: weapon, target, hit or miss, and damage."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import capwords
from typing import Final, NamedTuple

from retold.sources.dice import Throw


class Deed(NamedTuple):
    """Attack, spell, damage or result, as far as a card tells it."""

    kind: str
    """Name of its sentence in the table `deeds.toml`."""
    what: str = ""
    """Weapon or spell."""
    target: str = ""
    outcome: str = ""
    """`hit`, `miss`, `tried`, or `maybe` for damage of an attack whose outcome the card does not tell."""
    damage: int | None = None


_HOW: Final = r"(?:(?:melee|ranged|spell|unarmed) )?"
_OF_AVRAE: Final = (
    r"[^\n!]{1,80}? (?P<did>casts|uses|attacks(?: (?P<on>[^\n!]{1,60}?))? with)"
    r" (?P<what>[^\n!]{1,80}?)(?: at (?P<aim>[^\n!]{1,60}))?!(?: (?P<at>[^\n]{1,80}?))?"
    r" (?P<kind>to hit|damage)(?: \([^\n]{0,20}\))?"
)
"""`Kezia attacks with a Glaive! Wolf To Hit`."""
_OF_FANTASY_GROUNDS: Final = (
    r"\[(?P<kind>attack|damage)\b[^\[\]\n]{0,20}\] ?(?P<what>[^\[\]\n]{1,80}?)(?: ?\[.{0,400})?"
)
"""`[ATTACK (M)] Glaive [at Wolf] [HIT]`."""
_KIND_BEHIND: Final = (
    rf"(?P<what>[^\n]{{1,80}}?)(?: [-\u2013\u2014]|:) {_HOW}(?P<kind>attack|to[- ]hit|damage|dmg\d?)"
    r"(?: roll)?(?: \([^\n]{0,80}\))?"
)
"""`Glaive - Attack Roll`, `Glaive: Damage`."""
_KIND_BEFORE: Final = (
    rf"{_HOW}(?P<kind>strike|attack|damage)(?: roll)?: (?P<what>[^\n(]{{1,80}}?)\d?(?: \([^\n]{{0,80}}\))?"
    r"(?:\n.{0,999})?"
)
"""`Melee Strike: Rapier`, `Damage Roll: Rapier (Hit)`."""
_CARDS: Final = tuple(
    re.compile(shape, re.IGNORECASE | re.DOTALL)
    for shape in (_OF_AVRAE, _OF_FANTASY_GROUNDS, _KIND_BEHIND, _KIND_BEFORE)
)
_AT: Final = re.compile(r"\[(?:at|to) ([^\[\]\n]{1,60})\]|^Target: ([^\n(]{1,60}?) ?(?:\(|$)", re.MULTILINE)
_OUTCOME: Final = re.compile(
    r"[\[(:] ?(?:critical |automatic )?(?:(?P<miss>miss|fail)|hit|success|critical)", re.IGNORECASE
)
_RESULT: Final = re.compile(
    r"Attack \[\d{1,3}\] -> \[at (?P<target>[^\[\]\n]{1,60})\](?P<outcome> \[.{1,99}\])"
    r"|\[CAST\] (?P<what>[^\[\]\n]{1,80}?)(?: \[at (?P<at>[^\[\]\n]{1,60})\])?"
)
_ARMOUR: Final = re.compile(r"AC (\d{1,3})")
_LABEL: Final = re.compile(r" [-\u2013\u2014] |: ")
_NOBODY: Final = ("meta", "\u200b")
_BOLD: Final = re.compile(r"([*_]{1,3})(\S(?:.*?\S)?)\1")
"""Marks around the name of a weapon, which are no part of it."""
_OPTION: Final = re.compile(r"\[([^\[\]]*\{(\w+)\}[^\[\]]*)\]")


def deeds_in(throws: Iterable[Throw]) -> list[Deed]:
    """Attacks and damage that the throws of one card are for; damage belongs to the attack before it."""
    found: list[Deed] = []
    for deed in filter(None, map(_deed, throws)):
        before = found.pop() if found and found[-1][1:3] == deed[1:3] else deed
        outcome = before.outcome or ("" if before.damage else "hit" if before.target else "maybe")
        if deed.damage is None or deed is before:
            found += dict.fromkeys((before, deed))
        else:  # damage that was rolled beside a miss is none
            damage = None if outcome == "miss" else (before.damage or 0) + deed.damage
            found.append(before._replace(outcome=outcome, damage=damage))
    return found


def deed_in(text: str) -> Deed | None:
    """Result of the attack above, or a spell, in a line of Fantasy Grounds; None in any other.

    Such as `Attack [17] -> [at Wolf] [HIT]` and `[CAST] Light [at Wolf]`.
    """
    found = _RESULT.fullmatch(text)
    if found is None or found["what"]:
        return Deed("casts", found["what"], found["at"] or "") if found else None
    kind = {"hit": "hits", "miss": "misses"}.get(_outcome(found["outcome"]))
    return Deed(kind, target=found["target"]) if kind else None


def joined(before: Deed, after: Deed) -> Deed | None:
    """Deed that joins two of one person, such as an attack and its damage; None if they stay apart."""
    is_open = before.kind in _ATTEMPTS and before.damage is None and before.outcome != "miss"
    if is_open and after.kind in _RESULTS and before.target == after.target and before.outcome in ("", TRIED):
        return before._replace(outcome=_RESULTS[after.kind])
    if not (is_open and before.what) or before.what.casefold() != after.what.casefold():
        return None
    target = before.target or after.target
    if after.kind == "attacks" and before.kind != "attacks" and not before.outcome:
        return before._replace(target=target, outcome=after.outcome or TRIED, damage=after.damage)
    if after.kind != "damage" or target != (after.target or target):
        return None
    outcome = before.outcome or (TRIED if before.kind == "attacks" else "")
    return before._replace(target=target, outcome="hit" if outcome == TRIED else outcome, damage=after.damage)


def told_beside(deed: Deed, text: str) -> bool:
    """True if a line of the same person tells the same act: it names the spell, or tells of a blow."""
    if deed.kind == "attacks":
        return _BLOWS.search(text) is not None
    what = _GAME.sub("", deed.what)
    is_named = re.search(rf"(?<!\w){re.escape(what)}(?!\w)", text, re.IGNORECASE) is not None
    return deed.kind in _ATTEMPTS and bool(what) and is_named


def is_undecided(deeds: Sequence[Deed]) -> bool:
    """True for one attack or spell whose outcome is not known."""
    return (
        len(deeds) == 1 and deeds[0].kind in ("attacks", "casts") and deeds[0].outcome in ("", "maybe", TRIED)
    )


def result_of(deed: Deed) -> Deed | None:
    """Result of an attack or a spell whose act is told already; None if it is not known."""
    kind = next((name for name, outcome in _RESULTS.items() if outcome == deed.outcome), "")
    return Deed(kind, target=deed.target) if kind else None


def is_same_act(came: str, now: str) -> bool:
    """True if two sentences tell the same act, one in the words of an earlier release."""
    first, second = (sorted(_WORDS.findall(_FORMER.sub("", text.casefold()))) for text in (came, now))
    return first == second


_FORMER: Final = re.compile(
    r"\b(?:deals|hits|verursacht|trifft|inflige|touche|causa|acierta|infligge|colpisce|acerta|doet|raakt"
    r"|damage|an?|the|to|\u00e0|bei|aan)\b|[*_]"
)
"""Words in which the sentences of one release differ from those of another."""
_WORDS: Final = re.compile(r"\w+")


def joined_acts(first: str, second: str, language: str) -> str:
    """Two acts of one person in one sentence: `casts light and lifts the knife`."""
    joint = f" {_sentences().get(language.partition('-')[0] or 'en', {}).get('and', '')} "
    return f"{first}{', ' if joint in second else joint}{second}"


_BLOWS: Final = re.compile(
    r"\b(?:attack|swing|strike|struck|slash|stab|thrust|lunge|shoot|shot|fire|loose|hurl|throw|cut|hack|smash"
    r"|slam|slice|drive|punch|kick|bite|claw|cleave|whip|spear|impale|chop|club|jab|ram|brings? down"
    r"|schl\w+|sto\u00df\w*|stich\w*|frapp\w*|golpe\w*|ataca\w*|attacca\w*|colpisc\w*|sla(?:at|an))\w{0,3}\b",
    re.IGNORECASE,
)
"""Verbs of a blow or a shot."""
TRIED: Final = "tried"
"""Outcome of an attack that is not told yet; the damage behind it tells that it hit."""
_ATTEMPTS: Final = ("attacks", "casts", "uses")
_RESULTS: Final = {"hits": "hit", "misses": "miss"}


def sentence(deed: Deed, language: str) -> str:
    """Sentence without its subject: `attacks Wolf with Glaive and hits: 7 damage`; empty if none is known."""
    tag = language.partition("-")[0] or "en"
    forms = _sentences().get(tag, {})
    damage = "" if deed.outcome == "miss" or deed.damage is None else str(deed.damage)
    is_loud = deed.what.isupper() and not re.search(r"\d", deed.what)
    what = _GAME.sub("", _BEHIND.sub(r"\2 \1", capwords(deed.what) if is_loud else deed.what))
    target = deed.target
    if tag == "en":
        what = _in_english(deed.kind, what)
        target = _ARTICLE.sub(lambda found: found[0].lower(), target)
    else:
        what = what.lower() if tag != "de" and what[1:].islower() else what
    values = {
        "what": what,
        "target": target,
        "outcome": forms.get(deed.outcome, ""),
        "damage": "" if deed.outcome == "maybe" else damage,
        "maybe": damage if deed.outcome == "maybe" else "",
    }
    return _OPTION.sub(lambda part: part[1] if values[part[2]] else "", forms.get(deed.kind, "")).format(
        **values
    )


def _in_english(kind: str, what: str) -> str:
    """Name of a weapon or a spell as a plain word, with an article where English has one."""
    name = _TITLE.sub(lambda word: word[0].lower(), what)
    is_thing = kind in ("attacks", "damage") or _THING.search(name) is not None
    if not is_thing or _NO_ARTICLE.search(name):
        return name
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


_BEHIND: Final = re.compile(r"\A([^,()]+), ([^,()]+)")
"""`Crossbow, Light`, as the lists of a game have it."""
_GAME: Final = re.compile(r" ?\([^()]*\)| ?\+\d\b ?")
"""What is of the game alone in a name, such as `(Two-Handed)` and `+1`."""
_TITLE: Final = re.compile(
    r"(?<![\w'\u2019])[A-Z][a-z]*(?:[-'\u2019][A-Z]?[a-z]+)*(?![\w'\u2019])(?<!['\u2019]s)"
)
"""Word of a title, but no name such as `Bigby's`."""
_THING: Final = re.compile(
    r"\A(?:potion|scroll|wand|staff|rod|oil|torch|flask|vial|bomb|boathook|rope|lantern|elixir)\b"
    r"|\b(?:potion|scroll|wand|staff|rod|torch|flask|vial|bomb|kit|rope|lantern|elixir|hook)\Z"
)
_NO_ARTICLE: Final = re.compile(r"\A(?:an?|the|his|her|its|their|my|your) |['\u2019]s? |(?<!s)s\Z|^\Z")
_ARTICLE: Final = re.compile(r"\A(?:An?|The) ", re.IGNORECASE)


@cache
def _sentences() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((Path(__file__).parent / "deeds.toml").read_text("utf-8"))


def _deed(throw: Throw) -> Deed | None:
    text = throw.text.strip()
    card = next(filter(None, (shape.fullmatch(text) for shape in _CARDS)), None)
    if throw.total is None or (card is None and not throw.act):
        return None
    parts: Mapping[str, str | None] = card.groupdict() if card else {"what": _LABEL.split(text)[0]}
    what = _ARTICLE.sub("", _BOLD.sub(r"\2", parts["what"] or ""))
    is_damage = (throw.act or parts["kind"] or "").casefold().startswith(("damage", "dmg"))
    did = (parts.get("did") or ("damage" if is_damage else "attacks")).partition(" ")[0].casefold()
    aimed = _AT.search(text)
    names = (throw.target, *(aimed.groups() if aimed else ()), *map(parts.get, ("at", "on", "aim")))
    target = next((name for name in names if name and name.casefold() not in _NOBODY), "")
    if is_damage:
        return Deed(did, what, target, damage=throw.total)
    against = _ARMOUR.fullmatch(throw.against)
    beaten = ("miss", "hit")[throw.total >= int(against[1])] if against else ""
    return Deed(did, what, target, beaten or _outcome(f"[{throw.verdict}] {text}"))


def _outcome(text: str) -> str:
    found = _OUTCOME.search(text)
    return ("miss" if found["miss"] else "hit") if found else ""
