"""Guard around every call of a guest's code: an error names the package, file and line, and ends there.

A guest is a game of another distribution. Our own games are not guarded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, wraps
from types import MappingProxyType
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from retold.journal import games
from retold.journal.capabilities import HasRows, Row
from retold.journal.games import BUILT_IN, Guest
from retold.journal.packages import NOTED, note, place_in, problem
from retold.journal.refused import NotHere, Refused
from retold.journal.system import Credit, Decision, Fact, Situation, System, Upcast
from retold.journal.table import Handler, Table, no_change
from retold.journal.vocabulary.base import Event, InvalidShape

T = TypeVar("T")
D = TypeVar("D")

UNBROKEN: Final = "Nothing is wrong with the record."
UNRECORDED: Final = "Nothing was recorded."


class GuestError(Refused):
    """Raised for an exception in a guest's code; the sentence names its package, file and line."""

    def __init__(self, game: str, fault: str, outcome: str = UNBROKEN) -> None:
        """Takes the game's name, the sentence about the exception, and one about its consequence."""
        super().__init__(f"{fault} {outcome}")
        self.game, self.fault = game, fault
        self.for_players = f"The game {game} failed here: the game master can see how. {outcome}"


def _error(guest: Guest, what: str, error: BaseException, called: object, outcome: str) -> GuestError:
    fault = f"{guest.name} ({guest.distribution}) could not {what}: {problem(error, guest.package, called)}."
    return GuestError(guest.name, fault, outcome)


def fault_of(error: BaseException, outcome: str = UNRECORDED) -> GuestError | None:
    """Returns an error about the guest in whose code `error` was raised; None if it was in no guest's."""
    if isinstance(error, GuestError):
        return error
    for guest in games.guests().values():
        if guest.package in sys.modules and place_in(error, guest.package) and not isinstance(error, Refused):
            return _error(guest, "go on", error, None, outcome)
    return None


# --- calls ------------------------------------------------------------------------------------------------


def answer_of(
    game: str,
    ask: Callable[..., T],
    otherwise: D,
    *arguments: object,
    what: str = "",
    each: type | None = None,
) -> T | D:
    """Calls a function or method of a game and returns its result; `otherwise` if a guest's code fails.

    An iterator is read to its end, into a tuple. `each` is the class of every item. `what` is the name of
    the function for the sentence, which `note` keeps. Exceptions of our own games are raised as they are.
    """
    if game in BUILT_IN or (guest := games.guest(game)) is None:
        return ask(*arguments)
    try:
        found: T = _checked(ask(*arguments), each)
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- any error of a guest costs its own part alone
        known = error if isinstance(error, GuestError) else None
        called = f"answer {what or getattr(ask, '__name__', 'a question')}"
        note(known or _error(guest, called, error, ask, UNBROKEN))
        return otherwise
    return found


def rows_at(table: Table) -> Iterator[Row]:
    """Yields the rows of all games played at a table: tracks, money, clocks. A guest that fails has none."""
    for name, shelf in table.shelves.items():
        if isinstance(shelf, HasRows):
            yield from answer_of(name, shelf.rows, (), each=Row)


def _checked(found: Any, each: type | None, kind: type = object) -> Any:  # noqa: ANN401 -- whatever a guest answers
    """Returns the result, an iterator as a tuple; TypeError if it is no `kind`, or an item no `each`."""
    found = of_kind(found, kind)
    if isinstance(found, Iterator) or (each is not None and isinstance(found, Iterable)):
        found = tuple(found)
    if each is not None:
        for item in found:
            of_kind(item, each)
    return found


def of_kind(found: object, kind: type[T]) -> T:
    """Returns what a guest answered; raises TypeError if it is not of the type `kind`."""
    if not isinstance(found, kind):
        raise TypeError(f"{found!r} is not of the type {kind.__name__}")
    return found


def _table_of(arguments: tuple[object, ...]) -> Table | None:
    """Returns the table in the arguments of a guest's function, alone or in a situation."""
    for argument in arguments:
        if isinstance(argument, Table):
            return argument
        if isinstance(argument, Situation):
            return argument.table
    return None


def _fault_at(game: str, arguments: tuple[object, ...]) -> str | None:
    table = _table_of(arguments)
    return None if table is None else table.faults.get(game)


def _refusing(
    guest: Guest, what: str, call: Callable[..., Any], each: type | None = Event
) -> Callable[..., Any]:
    """Returns a decision of a guest that refuses with the sentence about its error.

    `each` is the class of all that it returns; None if it returns anything else than a list.
    """

    @wraps(call)
    def decide(*arguments: object) -> Any:  # noqa: ANN401 -- whatever the decision returns
        if (fault := _fault_at(guest.name, arguments)) is not None:
            raise NotHere(fault)
        try:
            return _checked(call(*arguments), each)
        except Refused:
            raise
        except InvalidShape as error:
            if error.too_large:
                raise
            raise _error(guest, what, error, call, UNRECORDED) from error
        except (Exception, SystemExit) as error:
            raise _error(guest, what, error, call, UNRECORDED) from error

    return decide


def _answering(
    guest: Guest, what: str, call: Callable[..., Any], otherwise: Callable[..., Any]
) -> Callable[..., Any]:
    """Returns a function of a guest that answers as the game without it would, where its code fails."""
    kind = _KINDS.get(what, object)

    @wraps(call)
    def answer(*arguments: object) -> Any:  # noqa: ANN401 -- whatever the function returns
        if _fault_at(guest.name, arguments) is not None:
            return otherwise(*arguments)
        try:
            return _checked(call(*arguments), Event if what == "session" else None, kind)
        except GuestError as error:
            note(error)
        except Refused:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- any error costs this answer alone
            note(_error(guest, f"answer {what}", error, call, UNBROKEN))
        return otherwise(*arguments)

    return answer


# --- events -----------------------------------------------------------------------------------------------


def _handling(guest: Guest, kind: type[Event], call: Handler) -> Handler:
    """Returns a handler that raises GuestError, and does nothing at a table where the guest has failed."""
    own = kind.kind.partition(".")[0] == guest.name
    what = "take its own event" if own else f"take {kind.kind}"

    @wraps(call)
    def handle(table: Table, event: Event) -> None:
        if guest.name in table.faults:
            return
        try:
            call(table, event)
        except (Exception, SystemExit) as error:
            raise _error(guest, f"{what} at {table.position}", error, call, UNBROKEN) from error

    return handle


def stop_understanding(table: Table, game: str, why: str) -> None:
    """Changes a table so that a game is not understood from here on, as if it were missing.

    Its state is dropped, and the sentence `why` noted.
    """
    table.faults.setdefault(game, why)
    table.shelves[game] = None
    for conflict in table.conflicts.values():
        if conflict.system == game:
            conflict.state = None
    NOTED.setdefault(table.faults[game], game)


def _upcasting(guest: Guest, stored: str, change: Upcast) -> Upcast:
    """Returns an upcast that raises GuestError, also for a result that is not a payload."""
    name, call = change

    @wraps(call)
    def convert(payload: dict[str, Any]) -> dict[str, Any]:
        try:
            changed = call(dict(payload))
            if not isinstance(changed, dict):
                raise TypeError(f"{changed!r} is not a dict")  # noqa: TRY301 -- the guest's error, as any other
        except (Exception, SystemExit) as error:
            raise _error(guest, f"read its own {stored}", error, call, UNBROKEN) from error
        return changed

    return name, convert


def unread(game: str, what: str) -> GuestError:
    """Returns an error about a recorded event that an installed guest cannot read; `what` says which."""
    guest = games.guests()[game]
    return GuestError(game, f"{guest.name} ({guest.distribution}) {what}.", UNBROKEN)


# --- a game -----------------------------------------------------------------------------------------------

_REFUSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "open": "open a conflict",
        "close": "end a conflict",
        "join": "let anyone in",
        "leave": "let anyone out",
        "chosen": "take an option",
        "answer": "take a ruling",
        "set_number": "take a ruling",
        "fits": "check a sheet",
        "read_sheet": "read a sheet",
    }
)
"""Fields of a system that decide something, each with the words for it."""

_NO_EVENTS: Final = frozenset({"fits", "read_sheet"})
"""Of these, the fields that return no events."""

_ANSWERS: Final = (
    *("knows", "number", "turn", "count", "order", "seals", "plays", "session", "pending", "waiting"),
    *("reminds", "titled", "named", "credited", "page", "things", "shorthands", "moves", "outlook", "rolls"),
    *("suggest", "pack", "doubts"),
)
"""Fields of a system that answer a question, for which a game may also have no answer."""


_KINDS: Final[Mapping[str, type]] = MappingProxyType(
    {
        **dict.fromkeys(("things", "shorthands"), Mapping),
        **dict.fromkeys(
            ("doubts", "moves", "order", "pack", "pending", "reminds", "rolls", "suggest"), Iterable
        ),
        **dict.fromkeys(("session", "waiting"), Iterable),
        **dict.fromkeys(("titled", "turn"), str),
    }
)
"""Fields that answer a question, each with the class of every answer; of the others it may be None."""


def guarded(guest: Guest, system: System) -> System:
    """Returns the guest's system with the guard around each of its functions."""
    bare = System(name="", title="", about="", commands=(), events=(), decide={}, evolve={}, shelf=object)
    instead: dict[str, Callable[..., Any]] = {
        "titled": lambda _table: system.title,
        "named": lambda _table: system.name,
        "credited": lambda _table: Credit(system.title, system.author, system.licence),
        "turn": lambda _table, _conflict: "not understood",
    }
    changes: dict[str, Any] = {}
    for name, what in _REFUSES.items():
        if (call := getattr(system, name)) is not getattr(bare, name):
            changes[name] = _refusing(guest, what, call, None if name in _NO_EVENTS else Event)
    for name in _ANSWERS:
        if (call := getattr(system, name)) is not getattr(bare, name):
            changes[name] = _answering(guest, name, call, instead.get(name, getattr(bare, name)))
    return replace(
        system,
        decide=_decisions(guest, system.decide),
        anytime=_decisions(guest, system.anytime),
        evolve={
            kind: call if call is no_change else _handling(guest, kind, call)
            for kind, call in system.evolve.items()
        },
        facts={called: _fact(guest, called, fact) for called, fact in system.facts.items()},
        upcasts={stored: _upcasting(guest, stored, change) for stored, change in system.upcasts.items()},
        **changes,
    )


def _decisions(guest: Guest, decide: Mapping[Any, Decision]) -> dict[Any, Decision]:
    return {command: _refusing(guest, f"decide {command.verb}", call) for command, call in decide.items()}


def _fact(guest: Guest, called: str, fact: Fact) -> Fact:
    refusing = partial(_refusing, guest, f"say what {called} is", each=None)
    keys = None if fact.keys is None else refusing(fact.keys)
    return replace(fact, read=refusing(fact.read), keys=keys)
