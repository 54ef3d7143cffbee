"""Many copies of one state that stays as it is: for whoever tries one thing after another on it."""

from __future__ import annotations

from io import BytesIO
from pickle import PickleError, Pickler, Unpickler
from typing import Any, Generic, TypeVar

from journal.copying import NEVER_CHANGE, copied

T = TypeVar("T")


class StateCopies:
    """Where copies come from of what a table holds, while it stays as it is."""

    def __init__(self) -> None:
        self._made: dict[str, StateTemplate[Any]] = {}

    def copy(self, what: str, value: T) -> T:
        """A copy of that value, which is the same each time it is asked for as `what`."""
        if what not in self._made:
            self._made[what] = StateTemplate(value)
        own: T = self._made[what].copy()
        return own


class StateTemplate(Generic[T]):
    """What `copied` gives of one value, again and again: it takes a third of the time."""

    def __init__(self, value: T) -> None:
        """Takes the time of two copies; `value` may not change while there are copies to be taken."""
        self._value = value
        self._shared: list[object] = []
        self._pressed = b""
        file = BytesIO()
        try:
            _TemplatePickler(file, self._shared).dump(value)
        except (PickleError, TypeError, AttributeError):
            return  # a guest's state may hold what cannot be pressed
        self._pressed = file.getvalue()

    def copy(self) -> T:
        """A copy of its own, as the value was when the mould was made."""
        if not self._pressed:
            return copied(self._value)
        pourer = _TemplateUnpickler(BytesIO(self._pressed))
        pourer.persistent_load = self._shared.__getitem__  # type: ignore[method-assign]  # asks no Python code
        own: T = pourer.load()
        return own


class _TemplatePickler(Pickler):
    """Keeps what never changes out of what is pressed, so that every copy shares it."""

    def __init__(self, file: BytesIO, shared: list[object]) -> None:
        super().__init__(file, protocol=5)
        self._kept = shared

    def persistent_id(self, obj: object) -> int | None:
        """Where `obj` stands among what is shared; None for what is copied, and for what is its own name."""
        if type(obj) in _AS_THEY_ARE or not isinstance(obj, NEVER_CHANGE):
            return None
        self._kept.append(obj)
        return len(self._kept) - 1


class _TemplateUnpickler(Unpickler):
    """One that can be told what is shared: from Python 3.13 on an `Unpickler` itself takes no attributes."""


_AS_THEY_ARE = frozenset({str, bytes, int, float, bool, type(None)})
