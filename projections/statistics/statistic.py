"""Base of the results of statistics: a value with a JSON form, tables and bar charts."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from projections.views.sheet import Chart, Sheet, plain


class Statistic(Struct, frozen=True):
    """Result of one topic; without sheets if there was nothing to count."""

    def to_json(self) -> dict[str, Any]:
        """JSON form: the fields of the result."""
        return {name: plain(getattr(self, name)) for name in self.__struct_fields__}

    def sheets(self) -> tuple[Sheet, ...]:
        """Result as tables."""
        raise NotImplementedError

    def charts(self) -> tuple[Chart, ...]:
        """Result as bar charts; none where counts have no common scale."""
        return ()
