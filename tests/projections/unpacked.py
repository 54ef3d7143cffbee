"""What is packed in the page of a replay, to be read and searched as what it says."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any, Final

PACKED: Final = re.compile(r'<script type="text/plain" id="replay">([^<]*)</script>')


def value_in(page: str) -> dict[str, Any]:
    """The value of a page that has one."""
    (data,) = PACKED.findall(page)
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(data, validate=True)))
    return found


def unpacked(page: str) -> str:
    """A page, or any other text, with what is packed in it in the open."""
    if not PACKED.search(page):
        return page
    return f"{PACKED.sub('', page)}\n{json.dumps(value_in(page), ensure_ascii=False)}"
