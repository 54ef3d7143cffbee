"""The `server` verb: makes the tables of Retold on a server, and says who may write campaigns there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from retold.cli.invocation import DONE, UsageError
from retold.cli.output.printing import columns, write_fitted
from retold.journal.counting import counted
from retold.journal.refused import Refused
from retold.journal.store.postgres.library import check_psycopg
from retold.projections.texts import safe

if TYPE_CHECKING:
    from retold.journal.store.postgres.roles import Removed
    from retold.journal.store.postgres.server_address import ServerAddress

WAYS = (
    "server prepare SERVER: makes the tables; server prepare SERVER --sql: what a superuser says first;"
    " server list SERVER: campaigns; server let ACCOUNT CAMPAIGN or server forbid ACCOUNT CAMPAIGN: who may"
    " write; server remove CAMPAIGN; server vacuum SERVER: takes redacted words out of its files. A server is"
    " club:, a campaign club:salt-road."
)


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="prepare|list|let|forbid|remove|vacuum …",
            help=(
                "What to do: prepare SERVER, list SERVER, let ACCOUNT CAMPAIGN, forbid ACCOUNT CAMPAIGN,"
                " remove CAMPAIGN, vacuum SERVER."
            ),
            show_default=False,
        ),
    ] = None,
    *,
    read: Annotated[bool, typer.Option("--read", help="With let: to read, and not to write.")] = False,
    as_sql: Annotated[
        bool, typer.Option("--sql", help="With prepare: print what a superuser says to psql, once.")
    ] = False,
) -> int:
    """Keep campaigns on a PostgreSQL server: make its tables, list campaigns, let accounts write.

    A server is called by its name in PostgreSQL's service file (club:), or postgresql://HOST/DATABASE. Its
    owner says prepare once, and again after an update.

    Examples: retold server prepare club: · retold server let mary club:salt-road · retold server list club:
    """
    what, *rest = words or ("",)
    flags = [flag for flag, is_said in (("--read", read), ("--sql", as_sql)) if is_said]
    if what not in _ACTS or len(rest) != _WORDS[what] or not _FLAGS.get(what, set()).issuperset(flags):
        raise UsageError(WAYS)
    check_psycopg()
    address = _address(rest[-1], is_campaign=what in {"let", "forbid", "remove"})
    return _ACTS[what](address, (*rest[:-1], *flags))


def _address(typed: str, *, is_campaign: bool) -> ServerAddress:
    from retold.journal.store.postgres.server_address import parse

    found = parse(typed)
    if found is None:
        raise UsageError(f"{typed} is not a server. {WAYS}")
    if bool(found.campaign) != is_campaign:
        example = "club:salt-road" if is_campaign else "club:"
        raise UsageError(
            f"{typed} is no {'campaign on a server' if is_campaign else 'server'}: say {example}."
        )
    return found


def _prepare(address: ServerAddress, words: Sequence[str]) -> int:
    from retold.journal.store.postgres import sentences
    from retold.journal.store.postgres.roles import prepare, roles_script

    if words:
        script = roles_script(address)
        sys.stdout.write(script)
        if not script:
            _note(f"A superuser of {address.server} has nothing to give: say it without --sql.")
        return DONE
    done = prepare(address)
    how = "made now" if done.before is None else "as before"
    if done.before not in (None, done.version):
        how = f"before: version {done.before}"
    _say(f"{address.server} has the tables of Retold, version {done.version} ({how}).")
    if done.logged:
        _note(
            f"Its log keeps every statement (log_statement = {done.logged}), and so what is said at the"
            " table: its owner turns that off, or guards the log as the campaigns."
        )
    if done.risky:
        _note(sentences.makes_roles(done.risky, address))
    return DONE


def _list(address: ServerAddress, _: Sequence[str]) -> int:
    from retold.journal.store.postgres.roles import listed

    found = listed(address)
    rows = []
    for campaign in found:
        at = "" if campaign.recorded is None else f", last {campaign.recorded[:16].replace('T', ' ')}"
        writers = f"; {', '.join(campaign.writers)} may write" if campaign.writers else ""
        readers = f"; {', '.join(campaign.readers)} may read" if campaign.readers else ""
        events = counted(campaign.events, "event")
        rows.append((safe.line(campaign.name), safe.line(f"{events}{at}{writers}{readers}")))
    width = max((len(name) for name, _ in rows), default=0) + 2
    sys.stdout.writelines(f"{line}\n" for line in columns(rows, min(width, 30)))
    if not found:
        _say(f"No campaign on {address.server} that you may see.")
    return DONE


def _let(address: ServerAddress, words: Sequence[str]) -> int:
    from retold.journal.store.postgres.roles import let

    account, *read = words
    let(address, account, writes=not read)
    _say(f"{account} may {'read' if read else 'write'} {address}.")
    return DONE


def _forbid(address: ServerAddress, words: Sequence[str]) -> int:
    from retold.journal.store.postgres.roles import forbid

    (account,) = words
    if not forbid(address, account):
        raise Refused(f"{account} was not let into {address}: retold server list says who was.")
    _say(f"{account} may no longer see {address}.")
    return DONE


def _vacuum(address: ServerAddress, _: Sequence[str]) -> int:
    from retold.journal.store.postgres import sentences
    from retold.journal.store.postgres.erasing import vacuum

    vacuum(address)
    _say(f"No redacted word remains in the tables of {address.server}. {sentences.REMAINS}")
    return DONE


def _remove(address: ServerAddress, _: Sequence[str]) -> int:
    from retold.journal.store.postgres.roles import ends, remove

    _note(f"{address} has {_counted(ends(address))}")
    sys.stderr.write("It is gone then; backups keep it. Its name again, to remove it: ")
    sys.stderr.flush()
    typed = sys.stdin.readline()
    if not typed:  # the prompt's line was not ended
        sys.stderr.write("\n")
    if typed.strip() != address.campaign:
        raise Refused(f"Nothing was removed: that is not {address.campaign}.")
    removed = remove(address)
    _say(f"{address} is removed. It had {_counted(removed)}")
    return DONE


def _counted(removed: Removed) -> str:
    events = counted(removed.events, "event")
    receipts = ", ".join(f"{line}:{position}:{hash_[:16]}" for line, position, hash_ in removed.heads)
    return f"{events}. A copy elsewhere must have the receipt {receipts or 'of nothing'}."


_ACTS: Final[Mapping[str, Callable[[ServerAddress, Sequence[str]], int]]] = {
    "prepare": _prepare,
    "list": _list,
    "let": _let,
    "forbid": _forbid,
    "remove": _remove,
    "vacuum": _vacuum,
}
_WORDS: Final = {"prepare": 1, "list": 1, "let": 2, "forbid": 2, "remove": 1, "vacuum": 1}
"""How many words stand behind each."""

_FLAGS: Final = {"let": {"--read"}, "prepare": {"--sql"}}
"""The flags of each."""


def _say(sentence: str) -> None:
    write_fitted([sentence], sys.stdout)


def _note(sentence: str) -> None:
    write_fitted([sentence], sys.stderr)
