"""The user's folders for settings, state and caches; the variable RETOLD_HOME moves them all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final


def moved_to() -> Path | None:
    """Returns the folder named by RETOLD_HOME; None if the variable is unset."""
    home = os.environ.get("RETOLD_HOME")
    return Path(home) if home else None


def own_folder(kind: str, home: Path | None) -> Path:
    """Returns the user's folder for choices (`state`), own files (`config`) or deletable files (`cache`).

    It lies in `home` if given, else where the operating system keeps such files.
    """
    if home is not None:
        return home / kind
    is_usual = {f"XDG_{kind.upper()}_HOME", "ANDROID_DATA"}.isdisjoint(os.environ)
    if sys.platform == "linux" and os.environ.get("HOME") and is_usual:
        return Path(os.environ["HOME"], _ON_LINUX[kind], "retold")
    from platformdirs import (  # noqa: PLC0415 -- most who start need none, and must start at once
        user_cache_path,
        user_config_path,
        user_state_path,
    )

    return {"cache": user_cache_path, "config": user_config_path, "state": user_state_path}[kind]("retold")


_ON_LINUX: Final = {"cache": ".cache", "config": ".config", "state": ".local/state"}
"""Where platformdirs has them too, which takes half as long to load as a log to print."""
