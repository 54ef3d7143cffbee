"""Names that are common nouns, such as Warden, which have an article in a story (`said the warden`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from retold.journal.names import normalise
from retold.journal.options import LANGUAGE, of_the_table
from retold.journal.table import Somebody, Table
from retold.projections.prose.phrases.agreement import are_several, plural

_ROLES: Final = {
    "en": """
        abbess abbot admiral apothecary assassin bandit baron baroness bishop blacksmith boatman
        bosun captain chairman chancellor clerk coachman collector commander constable coroner count
        countess courier custodian detective director doctor driver duchess duke elder emperor
        empress envoy executioner farmer ferryman fisherman foreman gaoler gardener gatekeeper
        general ghost goblin governor guard guide harbourmaster headman healer herald hermit
        housekeeper innkeeper inspector interpreter jailer jester judge king landlady landlord
        lieutenant magistrate maid major mayor merchant messenger midwife miller minister
        monk nurse officer oracle overseer peddler physician pilot pirate policeman
        porter preacher priest priestess princess prioress prisoner professor queen raider reporter sailor
        secretary sergeant servant sheriff shopkeeper skipper smuggler soldier sorcerer spy
        stationmaster steward stranger surgeon surveyor teacher thief troll troubadour undertaker
        vampire vicar waiter waitress warden warder watchman widow widower witch wizard woodcutter
        wrecker
    """,
    "de": """
        der:Abt der:Admiral der:Arzt der:Bauer der:Bischof der:Bürgermeister der:Diener der:Doktor
        der:Fährmann der:Fischer der:Förster der:Fremde der:General der:Graf der:Händler
        der:Hauptmann der:Henker der:Kapitän der:Kellner der:König der:Kommissar der:Matrose
        der:Mönch der:Müller der:Offizier der:Pfarrer der:Pilot der:Polizist der:Priester
        der:Richter der:Schmied der:Soldat der:Steuermann der:Wächter der:Wärter der:Wirt
        der:Zauberer die:Äbtissin die:Ärztin die:Fremde die:Gräfin die:Händlerin die:Heilerin
        die:Hexe die:Königin die:Nonne die:Priesterin die:Richterin die:Wache die:Wärterin
        die:Wirtin die:Witwe
    """,
    "fr": """
        le:Barman le:Batelier le:Bourgmestre le:Bourreau le:Brigand le:Capitaine le:Chevalier
        le:Commissaire le:Comte le:Curé le:Docteur le:Duc le:Forgeron le:Garde le:Gardien le:Juge
        le:Maire le:Marchand le:Médecin le:Messager le:Moine le:Passeur le:Pilote le:Prêtre
        le:Prisonnier le:Roi le:Sorcier le:Soldat le:Voleur la:Comtesse la:Duchesse la:Gardienne
        la:Marchande la:Prêtresse la:Reine la:Sorcière la:Tavernière la:Veuve
    """,
}
"""Roles that are often used as a name, by language; those of English take “the”."""


def article_of(somebody: Somebody, table: Table) -> str:
    """Returns the article of a person without a player whose only name is a role in the table's language.

    Empty for anybody else.
    """
    language = of_the_table(table, LANGUAGE)
    code = "en" if language == LANGUAGE.default else language.partition("-")[0]
    is_bare = somebody.player is None and not somebody.aliases
    return _articles(code).get(normalise(somebody.called), "") if is_bare else ""


_BEFORE_A_ROLE: Final = re.compile(
    r"(?i)\b(?:the|an?|this|that|every|each|no|some|another|his|her|their|its|my|our|your|der|die|das|de[mn]|eine?[mnrs]?"
    r"|les?|la|une?|du|d[e\u2019]|l\u2019)(?: [^\W\d_]+)? $"
)
"""Article or so at the end of a text, perhaps with an adjective behind it."""


def no_name(_role: str) -> bool:
    """Returns False: where no words of the table are known, a role is not a name."""
    return False


def is_proper(name: str, text: str) -> bool:
    """True if a text has a role with a capital letter and without an article: `says Miller`.

    False for a title (`Captain Pym`), for several (`Guards`), and for a deed in a chat, without its subject.
    """
    if are_several(name) or text[:1].islower():
        return False
    found = re.finditer(rf"\b{re.escape(name)}\b(?! [^\W\d_a-z])", text)
    return any(_BEFORE_A_ROLE.search(text[: each.start()]) is None for each in found)


@cache
def _articles(code: str) -> Mapping[str, str]:
    """Returns the articles of roles in a language, in English with those of several."""
    roles = (entry.rpartition(":") for entry in _ROLES.get(code, "").split())
    found = {normalise(role): article or "the" for article, _, role in roles}
    return found | ({plural(role): "the" for role in found} if code == "en" else {})
