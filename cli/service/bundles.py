"""Files that pages load: one script and one style for each page, at addresses that name their content."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response

from retold.journal.features import added
from retold.projections.exports.replay.bundling import bundled, squeezed
from retold.projections.texts import safe, templates

if TYPE_CHECKING:
    from jinja2 import Environment

PAGES: Final = Path(__file__).with_name("pages")
MODULES: Final = Path(__file__).resolve().parents[2] / "projections" / "exports" / "replay"
KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
LOADED: Final = (".js", ".css", ".svg", ".png")

AGAIN: Final = "no-cache"
"""Browsers ask every time, and are answered with status 304 if nothing has changed."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""Browsers keep what has its content in its address."""

_STYLES: Final = re.compile(r'(?:<link rel="stylesheet" href="[^"]+">\n)+')
_HREF: Final = re.compile(r'href="([^"]+)"')
_SCRIPT: Final = re.compile(r'(?<=<script type="module" src=")[^"]+')


@cache
def loaded_files() -> Mapping[str, Path]:
    """Returns the files that pages load, by their addresses."""
    own = (("pages", module.FILES) for module in added("addresses"))
    folders = (("pages", PAGES), *own, ("modules", MODULES))
    found = ((folder, file) for folder, where in folders for file in sorted(where.glob("*")))
    return {f"/{folder}/{file.name}": file for folder, file in found if file.suffix in LOADED}


def assembled(page: str) -> str:
    """Returns a page that loads one style and one script in place of all that it names and they import."""
    return _SCRIPT.sub(lambda found: _address(found[0]), _STYLES.sub(_one_style, page))


def page_file(path: Path, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Returns a page that is the same for everybody, with one style and one script."""
    return Response(assembled(path.read_text("utf-8")), status, headers, KINDS[".html"])


def _one_style(links: re.Match[str]) -> str:
    address = _address("+".join(_HREF.findall(links[0])))
    return f'<link rel="stylesheet" href="{address}">\n' if address.startswith("/made/") else links[0]


def _address(names: str) -> str:
    """Returns the address of a bundle of these files; of one that is not known here, its own."""
    if not loaded_files().keys() >= {*names.split("+")}:
        return names
    return f"/made/{_digest(_made(names).encode())}{names}"


@lru_cache(maxsize=64)  # addresses are free to name files in any order
def _made(names: str) -> str:
    """Returns a script with its imports, or styles whose addresses are joined by `+`."""
    if names.endswith(".js"):
        return bundled(names, lambda name: loaded_files()[name].read_text("utf-8"))
    return "".join(squeezed(loaded_files()[name].read_text("utf-8")) for name in names.split("+"))


async def bundle(request: Request) -> Response:
    """Sends a script or a style, to be kept for ever if its content is what the address names."""
    digest, names = request.path_params["digest"], f"/{request.path_params['names']}"
    if not loaded_files().keys() >= {*names.split("+")} or (names.endswith(".js") and "+" in names):
        return Response(status_code=404)
    content = _made(names).encode()
    return sent(request, content, Path(names).suffix, FOR_EVER if digest == _digest(content) else AGAIN)


def sent(request: Request, content: bytes, suffix: str, kept: str = AGAIN) -> Response:
    """Returns a file of this kind, or status 304 to a browser that has it."""
    tag = f'W/"{_digest(content)}"'
    headers = {"cache-control": kept, "etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=KINDS[suffix])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


LAST_WORDS: Final = 12
"""So many of the last events stand in a page before its script runs."""


def begun_page(name: str, begun: Mapping[str, Any] | None) -> str:
    """Returns a page that begins with what its viewer may know now; `begun` is None if that is unknown.

    Its words stand in it for browsers without scripts, and until a script runs.
    """
    words = [event for event in begun["events"] if event["heading"] or event["words"]] if begun else []
    told = safe.in_json(json.dumps(begun, ensure_ascii=False, separators=(",", ":"))).replace("<", "\\u003c")
    here = begun["here"] if begun else {}
    place = begun["board"].get("at", {}) if begun else {}
    return assembled(
        _templates().get_template(name).render(here=here, place=place, words=words[-LAST_WORDS:], begun=told)
    )


@cache
def _templates() -> Environment:
    return templates.environment(PAGES)
