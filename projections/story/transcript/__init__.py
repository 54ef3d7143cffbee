"""Building of transcripts: the story of a session, of a range of event positions, or of a whole branch."""

from retold.projections.story.transcript.build import not_over, of_range, of_session

__all__ = ["not_over", "of_range", "of_session"]
