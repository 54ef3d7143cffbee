"""Read side: views, prose and exports computed from a record, which they never change."""

from __future__ import annotations
