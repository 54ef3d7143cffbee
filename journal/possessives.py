"""Possessive forms of names: `Zel's`, `Voss's`, `Thugs'`."""

from __future__ import annotations

import re


def possessive(name: str) -> str:
    """Returns a name's possessive form: `Zel's`, `Voss's`, `Marcus's`; of a plural `Guards'`, `Wolves'`.

    A name in -s counts as a plural after a consonant other than s, and after e: no table says of a name
    whether it is one.
    """
    is_plural = re.search(r"[^aious\W\d_]s\Z", name, re.IGNORECASE) is not None
    return f"{name}'" if is_plural else f"{name}'s"
