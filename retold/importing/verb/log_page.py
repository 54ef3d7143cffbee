"""The page of a log that is brought in, as HTML."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Template

from retold.importing.verb.on_page import LogOnPage
from retold.projections.texts.templates import environment, filled


def page(log: LogOnPage) -> bytes:
    """Returns the page: the question that waits, the report, or how far it is."""
    return filled(_template(), log=log)


@cache
def _template() -> Template:
    return environment(Path(__file__).parent).get_template("log.html.j2")
