"""Start of the bundle: home after a double click, the command line if words follow."""

from __future__ import annotations

import sys

from retold.__main__ import main

sys.exit(main(sys.argv[1:] or ["home"]))
