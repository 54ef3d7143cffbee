"""What makes a transcript: of a session, of a stretch of a line; a whole line is a `book`."""

from projections.transcript.build import not_over, of_range, of_session

__all__ = ["not_over", "of_range", "of_session"]
