"""The command line of Retold: verbs, console and web service."""

from journal import RELEASE as VERSION

__all__ = ["VERSION"]
