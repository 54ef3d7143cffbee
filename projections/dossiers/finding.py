"""Who or what somebody means by a name: people before threads, places and things, and nothing hidden."""

from __future__ import annotations

from collections.abc import Sequence

from journal.language.naming import named_whole
from journal.names import find
from projections.dossiers.gathering import Dossiers
from projections.dossiers.known import Key, MatterKnown, PersonKnown
from projections.reading import Reading, known_table


def find_one(reading: Reading, dossiers: Dossiers, typed: str) -> PersonKnown | MatterKnown:
    """The one meant; Refused where nobody and nothing this reader knows is called so, or several are."""
    table = known_table(reading)
    known = named_whole(table, typed)
    if known is not None:
        return dossiers.person(known)
    called: dict[Key, Sequence[str]] = {("person", one): names for one, names in table.names().items()}
    called |= {("matter", at): dossiers.names(at) for at in dossiers.matters}
    sort, number = find(typed, called)
    return dossiers.person(number) if sort == "person" else dossiers.matter(number)
