"""Asks a service everything its description allows, and what it does not, through every pair of eyes.

    python -m pip install schemathesis
    python -m tests.cli.service.fuzz [MINUTES]

By hand, for it takes ten minutes; what it finds is mended, and kept as a case (test_openapi, test_doors).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import retold
from retold.cli.service.network import Pace
from retold.cli.service.openapi import DESCRIPTION
from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.cli.service.phone import serving

EYES = ("gm", "Jon", "table")
NOT_OURS = (
    "ignored_auth",  # the cookie and the header are two ways to say who asks
)
CONFIG = """
[checks.positive_data_acceptance]
expected-statuses = [200, 401, 403, 404, 422, 429]
"""
"""422 is what the language or the rules do not take: no schema knows them."""


def description(slug: str) -> dict[str, Any]:
    """The description, with this campaign in every address, and without the feed, which never ends."""
    told: dict[str, Any] = json.loads(json.dumps(DESCRIPTION))
    for path in ("/c/{campaign}/feed", "/c/{campaign}/stage/feed"):
        del told["paths"][path]
    for ways in told["paths"].values():
        for one in ways.get("parameters", []):
            if one["name"] == "campaign":
                one["schema"] = {"const": slug}
    return told


def fuzz(minutes: float) -> int:
    """Asks for so many minutes; 1 if anything was found."""
    command = shutil.which("schemathesis")
    if command is None:
        sys.exit("schemathesis is not installed here: python -m pip install schemathesis")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with retold.new(folder / "salt-road.retold") as campaign:
            campaign.play(SCRIPT + CONFLICT)
        unpaced = patch.object(Pace, "allows", lambda *_: True)  # how often it asks is not the question
        with unpaced, serving(folder / "salt-road.retold", home=folder / "home") as service:
            told, config = folder / "openapi.json", folder / "schemathesis.toml"
            told.write_text(json.dumps(description(service.slug)), "utf-8")
            config.write_text(CONFIG, "utf-8")
            seconds = str(max(1, int(60 * minutes / len(EYES))))
            asked = [command, "--config-file", str(config), "run", str(told), "-u", service.place.url]
            asked += ["-c", "all", "--exclude-checks", ",".join(NOT_OURS), "--max-time", seconds]
            asked += ["--continue-on-failure", "--suppress-health-check", "all"]
            codes = []
            for eyes in EYES:
                sys.stderr.write(f"As {eyes} ...\n")
                link = ["-H", f"Authorization: Bearer {service.phone(eyes).secret}"]
                codes.append(subprocess.run([*asked, *link], cwd=folder, check=False).returncode)
    return max(codes)


if __name__ == "__main__":
    sys.exit(fuzz(float(sys.argv[1]) if sys.argv[1:] else 10))
