"""Base of statistics' results, with a JSON form, tables and bar charts."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from retold.projections.views.sheet import Chart, Sheet, plain


class Statistic(Struct, frozen=True):
    """Result of one topic, such as luck; without tables if nothing was counted."""

    def to_json(self) -> dict[str, Any]:
        """Returns the result's fields as JSON values."""
        return {name: plain(getattr(self, name)) for name in self.__struct_fields__}

    def sheets(self) -> tuple[Sheet, ...]:
        """Returns the result as tables."""
        raise NotImplementedError

    def charts(self) -> tuple[Chart, ...]:
        """Returns the result as bar charts; empty if its counts have no common scale."""
        return ()
