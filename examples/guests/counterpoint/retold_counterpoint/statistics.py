"""What is counted of Counterpoint: its verses."""

from retold.game import Counted, Rounds
from retold_counterpoint.events import ChoiceSealed, Chosen, VerseWon

COUNTED = Counted(Rounds("verse", frozenset({VerseWon}), begun_by=frozenset({ChoiceSealed, Chosen})))
