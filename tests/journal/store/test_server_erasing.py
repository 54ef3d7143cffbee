"""Redacted words leave the files of a server's tables, and not only their rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from random import Random

import pytest

from retold.journal.store import places
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.postgres import erasing, roles, sentences, soundness
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.redact import Redaction, plan_redaction, redact
from retold.journal.vocabulary import commands as c
from tests.database_server import Cluster, new_name
from tests.journal.store.played import notes, played

SECRET = "Quellwasser"
LETTERS = Random(2).choices("abcdefghijklmnopqrstuvwxyz ", k=3000)
TEXTS = {
    "a word": SECRET,
    "most of a page": f"{''.join(LETTERS[:1200])} {SECRET}",
    "rows of another table": f"{SECRET} {''.join(LETTERS)} {SECRET}",
}
"""Texts that PostgreSQL keeps in different ways: in a row, or cut into rows of another table."""


@pytest.fixture(scope="module")
def database(cluster: Cluster) -> Iterator[str]:
    """A database whose tables may be rewritten: no other test is there."""
    name = f"erased_{new_name()[9:]}"
    cluster.database(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(erasing, "MOST_BYTES", 2**28)
        yield name


@pytest.fixture
def address(cluster: Cluster, database: str) -> ServerAddress:
    return cluster.address(new_name(), database=database)


@pytest.fixture
def camp(address: ServerAddress) -> Iterator[CampaignStore]:
    with played(str(address)) as made:
        yield made


def redacted(camp: CampaignStore, text: str = SECRET) -> Redaction:
    """Records a text, and redacts it once others are recorded."""
    writer = camp.writer(1)
    notes(writer, text)
    at = writer.head.position
    notes(writer, "".join(LETTERS[:2500]), "".join(LETTERS[500:]))
    return redact(writer, plan_redaction(writer, c.Redact(at=at)))


def files_with(cluster: Cluster, word: str) -> set[str]:
    """The folders of the server's data that hold a word, once all of it is on the disk."""
    with cluster.as_superuser() as connection:
        connection.execute("CHECKPOINT")
    data, found = cluster.folder / "data", set()
    for path in data.rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):  # the server works on
            if word.encode() in path.read_bytes():
                found.add(path.relative_to(data).parts[0])
    return found


def told(camp: CampaignStore) -> list[str]:
    """What `doctor` tells of words that were redacted."""
    return [sentence for sentence in places.footing(camp.place) if "redaction" in sentence]


@pytest.mark.parametrize("text", TEXTS)
def test_S2_redacted_words_are_in_no_file_of_the_server_but_its_log(
    text: str, camp: CampaignStore, cluster: Cluster
) -> None:
    word = SECRET[::-1] + new_name()  # which no other test has said
    done = redacted(camp, TEXTS[text].replace(SECRET, word))

    assert done.remains == (sentences.REMAINS,)
    assert files_with(cluster, word) <= {"pg_wal"}
    assert told(camp) == []


def test_S2_no_samples_are_kept_of_what_is_said(camp: CampaignStore, cluster: Cluster, database: str) -> None:
    for number in range(20):
        notes(camp.writer(1), f"{SECRET} {number}")
    with closing(cluster.as_superuser(database)) as connection:
        connection.execute("ANALYZE retold.event")
        sampled = connection.execute(
            "SELECT attname FROM pg_stats WHERE schemaname = 'retold' AND attname IN ('words', 'value')"
        ).fetchall()
        assert sampled == []
        connection.execute("ALTER TABLE retold.event ALTER COLUMN words SET STATISTICS 100")
        connection.execute("ANALYZE retold.event")
        assert "PostgreSQL keeps samples of retold.event.words, also of what was redacted." in list(
            soundness.schema_faults(connection)
        )
    roles.prepare(cluster.address("", database=database))
    with closing(cluster.as_superuser(database)) as connection:
        left = connection.execute("SELECT FROM pg_stats WHERE schemaname = 'retold' AND attname = 'words'")
        assert left.fetchall() == []
        assert list(soundness.schema_faults(connection)) == []


def test_S2_where_the_words_may_remain_is_said_with_the_command_and_the_doctor_knows(
    camp: CampaignStore, cluster: Cluster, address: ServerAddress
) -> None:
    server = address._replace(campaign="")
    with closing(cluster.as_superuser(address.parameters["dbname"])) as reading:
        reading.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        reading.execute("SELECT count(*) FROM retold.event")  # it may still read what is redacted now

        done = redacted(camp)

        assert done.remains == (sentences.in_tables(address), sentences.REMAINS)
        assert (
            f"the table retold.event on {address.server}, until its keeper says retold server vacuum "
            in (done.remains[0])
        )
        assert told(camp) == [sentences.unerased(address, 1)]
        with pytest.raises(CannotWrite, match="a transaction has been reading there"):
            erasing.vacuum(server)
        reading.execute("COMMIT")
    erasing.vacuum(server)
    assert told(camp) == []


def test_S2_a_person_who_is_not_the_keeper_is_told_who_may(
    camp: CampaignStore, cluster: Cluster, address: ServerAddress
) -> None:
    cluster.account("quentin")
    roles.let(address, "quentin", writes=True)
    theirs = cluster.address(address.campaign, "quentin", address.parameters["dbname"])

    with CampaignStore.open(str(theirs)) as their_camp:
        done = redacted(their_camp)
        assert done.remains == (sentences.in_tables(theirs), sentences.REMAINS)
        assert told(their_camp) == [sentences.unerased(theirs, 1)]
    with pytest.raises(CannotWrite, match="only who prepared"):
        erasing.vacuum(theirs._replace(campaign=""))


def test_S2_words_that_were_redacted_elsewhere_were_never_here(
    camp: CampaignStore, address: ServerAddress
) -> None:
    redacted(camp)
    copy = address._replace(campaign=new_name())
    load(dump(camp.record), str(copy))

    with CampaignStore.open(str(copy)) as other:
        assert told(other) == []
