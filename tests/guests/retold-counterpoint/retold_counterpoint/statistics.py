"""What is counted of Counterpoint."""

from projections.statistics.counted import Counted, Rounds
from retold_counterpoint.events import VerseWon

COUNTED = Counted(Rounds("verse", frozenset({VerseWon})))
