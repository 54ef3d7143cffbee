"""Retold's command line."""

from journal import RELEASE as VERSION

__all__ = ["VERSION"]
