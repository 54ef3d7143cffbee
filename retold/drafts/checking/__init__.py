"""A text held against the record: each sentence told, known, not in it, against it, secret, or undecided."""

from retold.drafts.checking.judging import Checked, Checker, Verdict

__all__ = ["Checked", "Checker", "Verdict"]
