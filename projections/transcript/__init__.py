"""Building of transcripts from a session, a range of positions or a whole line."""

from projections.transcript.build import not_over, of_range, of_session

__all__ = ["not_over", "of_range", "of_session"]
