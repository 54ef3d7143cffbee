"""Fast repeated copies of one unchanging state, for trying out many commands on it."""

from __future__ import annotations

from io import BytesIO
from pickle import PickleError, Pickler, Unpickler
from typing import Any, Generic, TypeVar

from retold.journal.copying import NEVER_CHANGE, copied

T = TypeVar("T")


class StateCopies:
    """Cache of serialised game states of one table, for making copies; valid until the table changes."""

    def __init__(self) -> None:
        self._made: dict[str, StateTemplate[Any]] = {}

    def copy(self, what: str, value: T) -> T:
        """Returns a deep copy of `value`, serialising it at the first call under the key `what`.

        Later calls with the same key must pass the same value.
        """
        if what not in self._made:
            self._made[what] = StateTemplate(value)
        own: T = self._made[what].copy()
        return own


class StateTemplate(Generic[T]):
    """Serialised form of one object, from which copies are made in a third of the time of `copied`."""

    def __init__(self, value: T) -> None:
        """Serialises `value`, which must not change while copies are made.

        Takes the time of two copies.
        """
        self._value = value
        self._shared: list[object] = []
        self._pressed = b""
        file = BytesIO()
        try:
            _TemplatePickler(file, self._shared).dump(value)
        except (PickleError, TypeError, AttributeError):
            return  # a guest's state may hold objects that cannot be pickled
        self._pressed = file.getvalue()

    def copy(self) -> T:
        """Returns a new deep copy of the serialised object."""
        if not self._pressed:
            return copied(self._value)
        pourer = _TemplateUnpickler(BytesIO(self._pressed))
        pourer.persistent_load = self._shared.__getitem__  # type: ignore[method-assign]  # asks no Python code
        own: T = pourer.load()
        return own


class _TemplatePickler(Pickler):
    """Pickler that leaves immutable objects out of the stream, so that every copy shares them."""

    def __init__(self, file: BytesIO, shared: list[object]) -> None:
        super().__init__(file, protocol=5)
        self._kept = shared

    def persistent_id(self, obj: object) -> int | None:
        """Appends an immutable `obj` to the shared objects and returns its index there.

        None for any other object, which is then pickled as usual.
        """
        if type(obj) in _AS_THEY_ARE or not isinstance(obj, NEVER_CHANGE):
            return None
        self._kept.append(obj)
        return len(self._kept) - 1


class _TemplateUnpickler(Unpickler):
    """Unpickler with a settable `persistent_load`: since Python 3.13 the base class forbids that."""


_AS_THEY_ARE = frozenset({str, bytes, int, float, bool, type(None)})
