"""Names that are common nouns, such as Warden, and may need an article in speech tags (`said the Warden`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from retold.journal.names import EVERY_ARTICLE, normalise, without_article
from retold.journal.options import LANGUAGE, of_the_table
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event

_ROLES: Final = {
    "en": """
        abbess abbot admiral apothecary assassin bandit baron baroness bishop blacksmith boatman
        bosun captain chairman chancellor clerk coachman collector commander constable coroner count
        countess courier custodian detective director doctor driver duchess duke elder emperor
        empress envoy executioner farmer ferryman fisherman foreman gaoler gardener gatekeeper
        general ghost goblin governor guard guide harbourmaster headman healer herald hermit
        housekeeper innkeeper inspector interpreter jailer jester judge king landlady landlord
        lieutenant magistrate maid major mayor merchant messenger midwife minister
        monk nurse officer oracle overseer peddler physician pilot pirate policeman
        porter preacher priest priestess princess prioress prisoner professor queen reporter sailor
        secretary sergeant servant sheriff shopkeeper skipper smuggler soldier sorcerer spy
        stationmaster steward stranger surgeon surveyor teacher thief troll troubadour undertaker
        vampire vicar waiter waitress warden warder watchman widow widower witch wizard woodcutter
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


def with_article(name: str, table: Table) -> str:
    """Returns a role in the table's language as written in a sentence (`the Warden`); empty if none."""
    language = of_the_table(table, LANGUAGE)
    for entry in _ROLES.get("en" if language == LANGUAGE.default else language.partition("-")[0], "").split():
        article, _, role = entry.rpartition(":")
        if normalise(role) == normalise(name):
            return f"{article or 'the'} {name}"
    return ""


def has_no_article(table: Table, person: int, texts: Iterable[str] = ()) -> bool:
    """True if a person's name is a common noun, and no other name of theirs has an article.

    It is one if it is a role, or if one of `texts` has it in small letters behind an article: `a warden`.
    """
    somebody = table.people.get(person)
    name = None if somebody is None else somebody.name.text
    if somebody is None or name is None or not name[:1].isupper() or " " in name:
        return False
    others = (alias.text for alias in somebody.aliases if alias.text is not None)
    if any(
        normalise(other) != normalise(name) and without_article(other) == normalise(name) for other in others
    ):
        return False
    if with_article(name, table):
        return True
    found = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(EVERY_ARTICLE))}) {re.escape(name.lower())}(?!\w)")
    return any(found.search(text) for text in texts)


def article_hints(table: Table, events: Iterable[Event]) -> Iterator[str]:
    """Yields a hint for each new person whose name is a role: how their name gets an article in a story."""
    for event in events:
        if isinstance(event, e.CastIntroduced) and has_no_article(table, event.person):
            name = str(event.name)
            alias = with_article(name, table)
            yield f'a story calls them {name}; for “{alias}” type: cast {name} alias="{alias}"'
