"""How a record is seen and told: it asks the journal, and decides nothing."""

from __future__ import annotations
