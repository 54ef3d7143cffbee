"""A text held against the record: each sentence told, known, not in it, against it, secret, or undecided."""

from retold.drafts.checking.judging import Checker, sentences_of, vouched
from retold.drafts.checking.sentence import Checked, Verdict

__all__ = ["Checked", "Checker", "Verdict", "sentences_of", "vouched"]
