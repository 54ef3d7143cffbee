"""Words in, words out: the command line of Retold."""

from journal import RELEASE as VERSION

__all__ = ["VERSION"]
