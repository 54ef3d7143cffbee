"""Attacks that cards tell beside their dice: weapon, target, hit or miss, and damage."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
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
    """`hit`, `miss`, or `maybe` for damage of an attack whose outcome the card does not tell."""
    damage: int | None = None


_HOW: Final = r"(?:(?:melee|ranged|spell|unarmed) )?"
_CARDS: Final = tuple(
    re.compile(shape, re.IGNORECASE | re.DOTALL)
    for shape in (
        # Avrae: `Kezia attacks with a Glaive! Wolf To Hit`
        r"[^\n!]{1,80}? (?P<did>casts|uses|attacks(?: (?P<on>[^\n!]{1,60}?))? with) (?P<what>[^\n!]{1,80}?)"
        r"(?: at (?P<aim>[^\n!]{1,60}))?!(?: (?P<at>[^\n]{1,80}?))? (?P<kind>to hit|damage)(?: \([^\n]{0,20}\))?",
        # Fantasy Grounds: `[ATTACK (M)] Glaive [at Wolf] [HIT]`
        r"\[(?P<kind>attack|damage)\b[^\[\]\n]{0,20}\] ?(?P<what>[^\[\]\n]{1,80}?)(?: ?\[.{0,400})?",
        # Foundry and Roll20: `Glaive - Attack Roll`, `Glaive: Damage`
        rf"(?P<what>[^\n]{{1,80}}?)(?: [-\u2013\u2014]|:) {_HOW}(?P<kind>attack|to[- ]hit|damage|dmg\d?)"
        r"(?: roll)?(?: \([^\n]{0,80}\))?",
        # Foundry: `Melee Strike: Rapier`, `Damage Roll: Rapier (Hit)`
        rf"{_HOW}(?P<kind>strike|attack|damage)(?: roll)?: (?P<what>[^\n(]{{1,80}}?)\d?(?: \([^\n]{{0,80}}\))?(?:\n.{{0,999}})?",
    )
)
_AT: Final = re.compile(r"\[(?:at|to) ([^\[\]\n]{1,60})\]|^Target: ([^\n(]{1,60}?) ?(?:\(|$)", re.MULTILINE)
_OUTCOME: Final = re.compile(
    r"[\[(:] ?(?:critical |automatic )?(?:(?P<miss>miss|fail)|hit|success|critical)", re.IGNORECASE
)
_RESULT: Final = re.compile(
    r"Attack \[\d{1,3}\] -> \[at (?P<target>[^\[\]\n]{1,60})\](?P<outcome> \[.{1,99}\])"
)
_ARMOUR: Final = re.compile(r"AC (\d{1,3})")
_LABEL: Final = re.compile(r" [-\u2013\u2014] |: ")
_NOBODY: Final = ("meta", "\u200b")
_OPTION: Final = re.compile(r"\[([^\[\]]*\{(\w+)\}[^\[\]]*)\]")


def deeds_in(throws: Iterable[Throw]) -> list[Deed]:
    """Attacks and damage that the throws of one card are for; damage belongs to the attack before it."""
    found: list[Deed] = []
    for deed in filter(None, map(_deed, throws)):
        before = found.pop() if found and found[-1][1:3] == deed[1:3] else deed
        if before.outcome == "miss" or (deed.damage is None and deed is not before):
            found += dict.fromkeys((before, deed))
        elif deed is before or deed.damage is None:
            found.append(deed)
        else:
            outcome = before.outcome or ("" if before.damage else "hit" if before.target else "maybe")
            found.append(before._replace(outcome=outcome, damage=(before.damage or 0) + deed.damage))
    return found


def result_in(text: str) -> Deed | None:
    """Hit or miss of the attack above, of a line such as `Attack [17] -> [at Wolf] [HIT]`; else None."""
    found = _RESULT.fullmatch(text)
    outcome = _outcome(found["outcome"]) if found else ""
    return (
        Deed({"hit": "hits", "miss": "misses"}[outcome], target=found["target"])
        if found and outcome
        else None
    )


def sentence(deed: Deed, language: str) -> str:
    """Sentence without its subject: `attacks Wolf with Glaive and hits: 7 damage`; empty if none is known."""
    forms = _sentences().get(language.partition("-")[0] or "en", {})
    is_maybe = deed.outcome == "maybe"
    damage = "" if deed.outcome == "miss" or deed.damage is None else str(deed.damage)
    values = {
        "what": deed.what if forms is _sentences()["en"] else re.sub(r"\A(?:an?|the) ", "", deed.what),
        "target": deed.target,
        "outcome": forms.get(deed.outcome, ""),
        "damage": "" if is_maybe else damage,
        "maybe": damage if is_maybe else "",
    }
    form = _OPTION.sub(lambda part: part[1] if values[part[2]] else "", forms.get(deed.kind, ""))
    return form.format(**values)


@cache
def _sentences() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((Path(__file__).parent / "deeds.toml").read_text("utf-8"))


def _deed(throw: Throw) -> Deed | None:
    text = throw.text.strip()
    card = next(filter(None, (shape.fullmatch(text) for shape in _CARDS)), None)
    if throw.total is None or (card is None and not throw.act):
        return None
    parts: Mapping[str, str | None] = card.groupdict() if card else {"what": _LABEL.split(text)[0]}
    is_damage = (throw.act or parts["kind"] or "").casefold().startswith(("damage", "dmg"))
    did = (parts.get("did") or ("damage" if is_damage else "attacks")).partition(" ")[0].casefold()
    aimed = _AT.search(text)
    names = (
        throw.target,
        *(aimed.groups() if aimed else ()),
        *(parts.get(key) for key in ("at", "on", "aim")),
    )
    target = next((name for name in names if name and name.casefold() not in _NOBODY), "")
    against = None if is_damage else _ARMOUR.fullmatch(throw.against)
    beaten = ("miss", "hit")[throw.total >= int(against[1])] if against else ""
    damage = throw.total if is_damage else None
    return Deed(
        did,
        parts["what"] or "",
        target,
        "" if is_damage else beaten or _outcome(f"[{throw.verdict}] {text}"),
        damage,
    )


def _outcome(text: str) -> str:
    found = _OUTCOME.search(text)
    return ("miss" if found["miss"] else "hit") if found else ""
