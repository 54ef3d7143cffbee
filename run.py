#!/usr/bin/env python3
"""Starts what `python3 run.py WORD` asks for, on Python 3.11 or newer; the words themselves are in tasks.py.

Every Python back to 2.7 can read this file, so that an old one says what it needs and shows no traceback.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("Retold needs Python 3.11 or newer; this is %d.%d.%d." % sys.version_info[:3])

if __name__ == "__main__":
    import tasks

    tasks.main()
