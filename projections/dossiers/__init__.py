"""Everything about one: somebody, a thread, a place or a thing, as one viewer may know it."""

from projections.dossiers.finding import find_one
from projections.dossiers.gathering import Dossiers, standing
from projections.dossiers.known import MatterKnown, PersonKnown
from projections.dossiers.telling import MENTIONED, Line, Section, heading, sections

__all__ = [
    "MENTIONED",
    "Dossiers",
    "Line",
    "MatterKnown",
    "PersonKnown",
    "Section",
    "find_one",
    "heading",
    "sections",
    "standing",
]
