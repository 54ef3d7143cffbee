"""The command line of Retold: verbs, console and web service."""

from retold.journal import RELEASE as VERSION

__all__ = ["VERSION"]
