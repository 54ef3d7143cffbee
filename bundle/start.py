"""What the bundle starts: home if it is double-clicked, else the command line."""

from __future__ import annotations

import sys

from retold.__main__ import main

sys.exit(main(sys.argv[1:] or ["home"]))
