"""Several nodes serve the campaigns of one server: each is a process with folders of its own."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from threading import RLock, Thread
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import pytest
from starlette.requests import Request

import retold
from retold.__main__ import main
from retold.cli.campaigns.server_campaigns import RedactionsHeard, ServerCampaigns
from retold.cli.campaigns.settings import Settings
from retold.cli.service import endpoints
from retold.cli.service.endpoints import AuthorizedRequest, RequestKeeper
from retold.cli.service.network import NetworkAddress
from retold.cli.service.served_campaigns import ServedCampaign, ServedCampaigns, open_campaigns
from retold.journal.store.contract.address import Address
from retold.journal.store.postgres.store import ServerCampaign
from tests.cli.service.conftest import SCRIPT
from tests.cli.service.phone import Answer, Phone, Stream
from tests.cli.shell import Shell
from tests.database_server import Cluster, furnish, make, new_name
from tests.patience import PATIENCE

RETOLD = [sys.executable, "-P", "-m", "retold"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="PostgreSQL is not started there")


class Node(NamedTuple):
    """A process that serves every campaign of the server."""

    process: subprocess.Popen[str]
    place: NetworkAddress
    home: Path

    def phone(self, slug: str, secret: str) -> Phone:
        return Phone(self.place, slug, secret)


class Club:
    """A server with one campaign, the links of its people, and computers that serve it."""

    def __init__(
        self, folder: Path, environment: dict[str, str], server: str = "club:", ending: str = ""
    ) -> None:
        self.folder, self.environment, self.server = folder, environment, server
        self.name = f"{new_name()}{ending}"
        self.address = f"{server}{self.name}"
        with retold.new(self.address, title="The Salt Road", seed="for tests alone") as campaign:
            campaign.play(SCRIPT)
        said = self.retold("serve", self.address, "--links", "--invite", "--json")
        (found,) = json.loads(said)["campaigns"]
        self.secrets = {one["viewer"]: one["link"].partition("#")[2] for one in found["links"]}

    def retold(self, *words: str, home: str = "laptop") -> str:
        """What a command that succeeds prints; it is carried out in this process."""
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name, value in self.environment.items():
                patch.setenv(name, value)
            patch.setenv("RETOLD_HOME", str(self.folder / home))
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
            code = main(words)
        assert code == 0, err.getvalue()
        return out.getvalue()

    def say(self, line: str) -> None:
        """Records a line from a computer that serves nothing."""
        with retold.open(self.address) as campaign:
            campaign.say(line)

    def told(self) -> list[str]:
        with retold.open(self.address, read_only=True) as campaign:
            return [one.told for one in campaign.happened()]

    @contextmanager
    def node(self, home: str, *words: str, **environment: str) -> Iterator[Node]:
        """A node, whose folders are its own."""
        process = subprocess.Popen(
            [*RETOLD, "serve", *(words or (self.server,)), "--json", "--port", "0"],
            env={**self.environment, "RETOLD_HOME": str(self.folder / home), **environment},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            assert said, process.communicate()[1]
            place = NetworkAddress("127.0.0.1", urlsplit(json.loads(said)["at"]).port or 0)
            yield Node(process, place, self.folder / home)
        finally:
            process.kill()
            process.communicate()

    def at(self, node: Node, viewer: str) -> Phone:
        return node.phone(self.name, self.secrets[viewer])


@pytest.fixture
def environment(cluster: Cluster) -> dict[str, str]:
    return {**os.environ, "PGSERVICEFILE": str(cluster.services), "PYTHONPATH": str(Path.cwd())}


@pytest.fixture
def club(environment: dict[str, str], tmp_path: Path) -> Club:
    return Club(tmp_path, environment)


def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds, which nobody tells of; fails if it never does."""
    limit = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < limit, "it never came to hold"
        time.sleep(0.05)


def followed(phone: Phone, cursor: str | None = None) -> Stream:
    """A stream whose board has come."""
    stream = phone.follow(cursor)
    assert stream.status == 200
    stream.hear("board")
    return stream


def test_join_at_one_node_and_follow_at_another(club: Club) -> None:
    with club.node("first") as first, club.node("second", TZ="Asia/Tokyo") as second:
        joined = Phone(first.place, club.name).ask("/join", {"link": club.secrets["Jon"]})
        stream = followed(club.at(second, "Jon"))
        said = club.at(first, "gm").ask("say", {"line": "narrate Zel: A dog barks.", "id": "gm-line-1"})
        heard = stream.hear("happened")
        cursor = club.at(first, "Jon").ask("happened").body["cursor"]

    assert (joined.status, joined.body["campaign"]) == (200, club.name)
    assert said.status == 200
    assert [one["told"] for one in heard.data["events"]] == ["Zel narrates: “A dog barks.”"]
    assert heard.id == cursor


def test_what_is_handed_in_at_one_node_and_taken_at_two_is_recorded_once(club: Club) -> None:
    with club.node("first") as first, club.node("second") as second:
        gms = [club.at(node, "gm") for node in (first, second)]
        streams = [followed(gm) for gm in gms]
        body = {"id": "jon-number-1", "line": "say Zel: Hush!"}
        assert club.at(first, "Jon").ask("proposals", body).status == 200
        for stream in streams:
            assert stream.hear("proposal").data["line"] == "say Zel: Hush!"
        answers: list[Answer] = []
        threads = [
            Thread(target=lambda gm=gm: answers.append(gm.ask("proposals/jon-number-1", {"take": True})))
            for gm in gms
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for stream in streams:
            assert stream.hear("proposal").data["state"] == "taken"

    assert sorted(one.status for one in answers) == [200, 422]
    assert len([one for one in club.told() if "Hush!" in one]) == 1


def test_the_same_line_said_at_two_nodes_under_one_id_is_one(club: Club) -> None:
    with club.node("first") as first, club.node("second") as second:
        answers: list[Answer] = []
        body = {"line": "narrate Zel: A dog barks.", "id": "gm-line-1"}
        gms = [club.at(node, "gm") for node in (first, second)]
        threads = [Thread(target=lambda gm=gm: answers.append(gm.ask("say", body))) for gm in gms]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert [one.status for one in answers] == [200, 200]
    assert answers[0].body["at"] == answers[1].body["at"]
    assert len([one for one in club.told() if "A dog barks" in one]) == 1


@pytest.fixture
def served(club: Club, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedCampaign]:
    """The campaign, as a node in this process serves it."""
    monkeypatch.setenv("RETOLD_HOME", str(club.folder / "node"))
    monkeypatch.setenv("PGSERVICEFILE", club.environment["PGSERVICEFILE"])
    campaigns = open_campaigns([Address.read(club.address)], Settings(club.folder / "node", {}))
    yield campaigns.served[club.name]
    campaigns.end()


def test_a_node_reads_the_record_in_one_thread_at_a_time(
    club: Club, served: ServedCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that is said at the same time waits; else it got no answer where both used one connection."""
    shared = served.campaign.shared
    asked: list[bool] = []
    ask = ServerCampaign._ask

    def watched(store: ServerCampaign, *given: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 -- the store's
        if store is shared.store.record.store:
            asked.append(is_taken(shared.lock))
        return ask(store, *given)

    monkeypatch.setattr(ServerCampaign, "_ask", watched)
    served.follow("gm")
    with closing(asyncio.new_event_loop()) as loop:
        served.look(loop)
        club.say("narrate Zel: A dog barks.")
        served.look(loop)
    keeper = RequestKeeper(ServedCampaigns({served.slug: served}))
    link = served.link(club.secrets["gm"])
    assert link is not None
    served.campaign.scribe.begin_again()  # so that what is completed has to be read
    request = Request({"type": "http", "query_string": b"line=narrate+Z", "headers": []})
    asyncio.run(endpoints.complete(AuthorizedRequest(request, keeper, served, link)))

    assert len(asked) > 5
    assert all(asked)


def test_a_node_notes_an_end_before_it_tells_it(
    club: Club, served: ServedCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may lose the end as soon as it is told, and the node has to miss it then."""
    noted: list[tuple[str, int]] = []

    def told(node: ServedCampaign, _loop: asyncio.AbstractEventLoop) -> None:
        noted.append((node.campaign.shared.store.last_seen.path.read_text(), node.campaign.position))

    monkeypatch.setattr(ServedCampaign, "_tell", told)
    with closing(asyncio.new_event_loop()) as loop:
        served.look(loop)
        club.say("narrate Zel: A dog barks.")
        served.look(loop)

    assert len({position for _, position in noted}) == 2
    assert all(f":{position}:" in note for note, position in noted)


def test_answers_of_a_node_do_not_outlast_the_acts_they_told_of(
    cluster: Cluster, club: Club, served: ServedCampaign
) -> None:
    served.follow("gm")
    with closing(asyncio.new_event_loop()) as loop:
        served.look(loop)
        club.say("narrate Zel: A dog barks.")
        served.look(loop)
        served.said["gm-line-1"] = {"at": "16"}
        served.keep_replay("all of it", 1, b"A dog barks.")
        lose(cluster, club, 1)
        served.look(loop)

    assert served.gap is not None
    assert (served.said, served.replays) == ({}, {})


def test_a_node_whose_cache_takes_no_note_goes_on(club: Club) -> None:
    folder = club.folder / "full"
    folder.write_text("no folder")
    with retold.open(club.address, read_only=True) as campaign:
        heard = RedactionsHeard(campaign, Settings(folder, {}))
        found = [heard.heard()]
        redact_last(club)
        found.append(heard.heard())

    assert found == [False, True]


def redact_last(club: Club) -> None:
    with retold.open(club.address) as campaign:
        campaign.say("narrate Zel: A cat.")
        campaign.say("redact @")


def test_a_node_asks_on_though_its_service_file_cannot_be_read_for_a_while(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ServerCampaigns.of([Address.read(club.address)])
    assert found is not None
    with closing(found):
        with monkeypatch.context() as patch:
            patch.setenv("PGSERVICEFILE", str(club.folder / "nowhere"))
            away = found.is_answering()
        monkeypatch.setenv("PGSERVICEFILE", club.environment["PGSERVICEFILE"])
        again = found.is_answering()

    assert (away, again) == (False, True)


def is_taken(lock: RLock) -> bool:
    """True if a thread holds the lock, so that another one would have to wait."""
    found: list[bool] = []

    def try_it() -> None:
        if taken := lock.acquire(blocking=False):
            lock.release()
        found.append(not taken)

    thread = Thread(target=try_it)
    thread.start()
    thread.join()
    return found[0]


def test_a_link_that_is_revoked_ends_at_every_node(club: Club) -> None:
    with club.node("first") as first, club.node("second") as second:
        streams = [followed(club.at(node, "Jon")) for node in (first, second)]
        kit = followed(club.at(second, "Kit"))
        club.retold("serve", club.address, "--links", "--revoke", "Jon")
        for stream in streams:
            assert stream.hear("gone").event == "gone"
        statuses = [club.at(node, "Jon").ask("board").status for node in (first, second)]
        club.say("narrate Zel: A dog barks.")

        assert kit.hear("happened").data["events"][0]["told"] == "Zel narrates: “A dog barks.”"

    assert statuses == [401, 401]


def test_a_stream_goes_on_at_another_node_when_its_own_is_killed(club: Club) -> None:
    with club.node("first") as first, club.node("second") as second:
        stream = followed(club.at(first, "Jon"))
        club.say("narrate Zel: A dog barks.")
        cursor = stream.hear("happened").id
        first.process.send_signal(signal.SIGKILL)
        club.say("narrate Zel: Then nothing.")
        again = club.at(second, "Jon").follow(cursor)
        heard = again.hear("happened", "reset")

    assert [one["told"] for one in heard.data["events"]] == ["Zel narrates: “Then nothing.”"]


def test_ctrl_c_ends_a_node_quietly_and_its_streams_may_go_on_elsewhere(club: Club) -> None:
    with club.node("first") as first:
        stream = followed(club.at(first, "Jon"))
        first.process.send_signal(signal.SIGINT)
        _, log = first.process.communicate(timeout=PATIENCE)

    assert (first.process.returncode, "Traceback" in log) == (0, False)
    assert "gone" not in [one.event for one in stream.rest()]
    assert [secret for secret in club.secrets.values() if secret in log] == []


def test_a_stream_tells_browsers_to_come_back_at_once(club: Club) -> None:
    with club.node("first") as first:
        stream = followed(club.at(first, "Jon"))

    assert stream.raw.startswith(b"retry: 300\r\n")


def kept_by(node: Node) -> bytes:
    """Everything in a node's folders."""
    return b"".join(path.read_bytes() for path in node.home.rglob("*") if path.is_file())


NUMBER = "555-0199"


def prepare_cache(club: Club) -> None:
    """Plays so much that a node stores the table, with a number in it that somebody wants back."""
    with retold.open(club.address) as campaign:
        campaign.say(f"cast Neighbour: My number is {NUMBER}.")
        campaign.play("\n".join(f"narrate Zel: Wave number {number}." for number in range(1200)))


def redact(club: Club) -> None:
    with retold.open(club.address) as campaign:
        noted = next(one.position for one in campaign.happened() if NUMBER in one.told)
        campaign.say(f"redact {noted}")


def test_a_redaction_elsewhere_takes_the_words_from_every_node(club: Club) -> None:
    prepare_cache(club)
    with club.node("first") as first:
        stream = followed(club.at(first, "Jon"))
        before = kept_by(first)
        redact(club)
        stream.hear("reset")
        board = stream.hear("board").data
        until(lambda: NUMBER.encode() not in kept_by(first))

    assert NUMBER.encode() in before
    assert NUMBER not in json.dumps(board)


def test_a_redaction_takes_what_was_handed_in_from_the_database(cluster: Cluster, club: Club) -> None:
    club.say(f"cast Neighbour: My number is {NUMBER}.")
    with club.node("first") as first:
        body = {"id": "jon-number-1", "line": f"say Zel: My number is {NUMBER}."}
        handed = club.at(first, "Jon").ask("proposals", body)
        before = beside(cluster, club)
        with retold.open(club.address) as campaign:
            cast = next(one.position for one in campaign.happened() if NUMBER in one.told)
        said = {"line": f"redact {cast}", "id": "gm-line-1", "sure": True}
        redacted = club.at(first, "gm").ask("say", said)

    assert (handed.status, redacted.status) == (200, 200)
    assert NUMBER in before
    assert NUMBER not in beside(cluster, club)


def beside(cluster: Cluster, club: Club) -> str:
    """Every attachment of the campaign."""
    with cluster.as_superuser() as connection:
        rows = connection.execute(
            "SELECT value FROM retold.beside JOIN retold.campaign ON id = campaign WHERE name = %s",
            (club.name,),
        ).fetchall()
    return "\n".join(str(value) for (value,) in rows)


def test_the_database_has_no_secret_of_a_link(cluster: Cluster, club: Club) -> None:
    kept = beside(cluster, club)

    assert "sha256" in kept
    assert [one for one in club.secrets.values() if one.partition(".")[0] in kept] == []


def test_text_redacted_while_a_node_is_down_leaves_its_cache(club: Club) -> None:
    prepare_cache(club)
    with club.node("first") as first:
        assert club.at(first, "Jon").ask("board").status == 200
        before = kept_by(first)
    redact(club)
    with club.node("first") as first:
        assert club.at(first, "Jon").ask("board").status == 200
        after = kept_by(first)

    assert NUMBER.encode() in before
    assert NUMBER.encode() not in after


def test_the_line_a_game_master_switches_to_is_served_by_every_node(club: Club) -> None:
    club.say("branch kinder")
    with club.node("first") as first, club.node("second") as second:
        stream = followed(club.at(second, "gm"))
        said = club.at(first, "gm").ask("say", {"line": "switch kinder", "id": "gm-line-1"})
        stream.hear("reset")
        line = club.at(second, "gm").ask("here.json").body["line"]
    with club.node("third") as third:
        later = club.at(third, "gm").ask("here.json").body["line"]

    assert said.status == 200
    assert (line, later) == ("kinder", "kinder")


def test_only_campaigns_with_a_good_link_are_opened(club: Club) -> None:
    with club.node("first") as first:
        stranger = Phone(first.place, club.name)
        unknown = Phone(first.place, "no-such-campaign", "a-secret.no-such-campaign")
        wrong = Phone(first.place, club.name, f"{club.secrets['Jon']}0")
        answers = [one.ask("board") for one in (stranger, unknown, wrong)]
        joined = stranger.ask("/join", {"link": "x.no-such-campaign"})

    assert [one.status for one in answers] == [401, 401, 401]
    assert len({one.raw for one in answers}) == 1
    assert joined.status == 401


def test_a_link_says_the_name_of_its_campaign_and_not_its_number(
    cluster: Cluster, environment: dict[str, str], tmp_path: Path
) -> None:
    club = Club(tmp_path, environment, ending=".Salzstraße.json")
    with cluster.as_superuser() as connection:
        ((number,),) = connection.execute(
            "SELECT id FROM retold.campaign WHERE name = %s", (club.name,)
        ).fetchall()
    with club.node("first") as first:
        joined = Phone(first.place, club.name).ask("/join", {"link": club.secrets["Jon"]})
        board = Phone(first.place, quote(club.name), club.secrets["Jon"]).ask("board")

    assert (joined.status, joined.body["campaign"], board.status) == (200, club.name, 200)
    assert [one for one in club.secrets.values() if one.endswith(f".{number}")] == []


def test_a_campaign_is_served_by_an_address_that_is_written_otherwise(
    cluster: Cluster, environment: dict[str, str], tmp_path: Path
) -> None:
    """A URL may have percent signs: c%61mpaign is campaign."""
    club = Club(tmp_path, environment, str(cluster.address("")))
    with club.node("first") as first:
        statuses = [club.at(first, "Jon").ask("board").status]
    with club.node("second", club.address.replace("/campaign", "/c%61mpaign")) as second:
        statuses.append(club.at(second, "Jon").ask("board").status)

    assert statuses == [200, 200]


def test_one_campaign_can_be_served_alone(club: Club) -> None:
    with club.node("first", club.address) as first:
        status = club.at(first, "Jon").ask("board").status

    assert status == 200


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("club:", "salt-road"), "One service serves files, or campaigns of one server"),
        (("club:", "club:x"), "club: is every campaign there: name it alone."),
        (("club:", "--for", "gm"), "Links are of one campaign: name it, serve club:NAME --links."),
        (("club:", "--links"), "Links are of one campaign: name it, serve club:NAME --links."),
        (("club:no-such-campaign",), "There is no campaign no-such-campaign on club"),
        (("nowhere:",), "There is no server called nowhere"),
    ],
)
def test_a_slip_is_a_sentence(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert shell.refused("serve", *words, "--port", "0").startswith(sentence)


def lose(cluster: Cluster, club: Club, events: int) -> None:
    """Takes the last events from the record, as where a standby took over without them."""
    with cluster.as_superuser() as connection:
        connection.execute("SET session_replication_role = replica")
        given = {"name": club.name, "many": events}
        connection.execute(
            "DELETE FROM retold.event USING retold.campaign WHERE name = %(name)s AND campaign = id"
            " AND seq > size - %(many)s",
            given,
        )
        connection.execute(
            "UPDATE retold.campaign SET size = size - %(many)s, stamp = stamp + 1 WHERE name = %(name)s",
            given,
        )


def test_a_missing_end_is_told_and_no_line_is_taken_until_the_game_master_says_so(
    cluster: Cluster, club: Club
) -> None:
    with club.node("first") as first, club.node("second") as second:
        stream = followed(club.at(first, "gm"))
        later = followed(club.at(second, "Jon"))
        club.say("narrate Zel: A dog barks.")
        for one in (stream, later):
            one.hear("happened")
        lose(cluster, club, 1)
        for one in (stream, later):
            one.hear("reset")
        told = club.at(first, "gm").ask("happened").raw
        said = {"line": "narrate Zel: Then nothing.", "id": "gm-line-1"}
        refused = [club.at(node, "gm").ask("say", said) for node in (first, second)]
        handed = club.at(second, "Jon").ask("proposals", {"id": "jon-number-1", "line": "say Zel: Hush!"})
        with pytest.raises(AssertionError, match="lacks what was recorded last, up to"):
            club.retold("play", club.address, home="elsewhere")
        club.retold("play", club.address, "--over-the-gap", home="elsewhere")
        until(lambda: club.at(first, "gm").ask("say", said).status == 200)
        until(lambda: club.at(second, "gm").ask("say", said).status == 200)

    assert b"A dog barks" not in told
    assert [one.status for one in refused] == [503, 503]
    assert "A server that took over from another may lack its last acts." in refused[0].body["error"]
    assert (handed.status, handed.body["error"]) == (503, "No line is taken just now: ask your game master.")
    assert [one for one in club.told() if "Then nothing" in one] == ["Zel narrates: “Then nothing.”"]
    with retold.open(club.address, read_only=True) as campaign:
        report = campaign.verify()
    assert report.good == report.events


def test_a_person_who_has_read_an_end_that_is_missing_now_records_nothing_after_it(
    cluster: Cluster, club: Club
) -> None:
    with retold.open(club.address) as campaign:
        campaign.say("narrate Zel: A dog barks.")
        lose(cluster, club, 1)
        with pytest.raises(retold.StoreError, match="lacks what was read from it, up to"):
            campaign.say("narrate Zel: Then nothing.")


# --- a server that goes away ------------------------------------------------------------------------------


class OwnServer:
    """A server that can be stopped and started."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def stop(self) -> None:
        self.cluster.stop(signal.SIGQUIT)

    def start(self) -> None:
        self.cluster = self.cluster.start()


@pytest.fixture
def own_server(cluster: Cluster) -> Iterator[OwnServer]:
    """A server that no other test uses."""
    del cluster  # where there is none, this one cannot be started either
    folder = Path(tempfile.mkdtemp(prefix="retold-pg-"))
    own = OwnServer(make(folder))
    try:
        furnish(own.cluster)
        yield own
    finally:
        own.cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def health(node: Node) -> Answer:
    return Phone(node.place, "").ask("/health", Host="10.1.2.3")


def test_while_the_server_is_gone_nodes_say_so_and_go_on_afterwards(
    own_server: OwnServer, tmp_path: Path
) -> None:
    own = own_server
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    club = Club(tmp_path, environment, str(own.cluster.address("")))  # this process has connections to club:
    with club.node("first") as first:
        assert (health(first).status, health(first).raw) == (200, b"")
        stream = followed(club.at(first, "Jon"))
        own.stop()
        until(lambda: health(first).status == 503)
        away = club.at(first, "Jon").ask("board")
        own.start()
        until(lambda: health(first).status == 200)
        club.say("narrate Zel: A dog barks.")
        heard = stream.hear("happened", "reset", "gone")

    assert away.status == 503
    assert away.body == {"error": "The campaigns cannot be reached just now: try again in a moment."}
    assert [one["told"] for one in heard.data["events"]] == ["Zel narrates: “A dog barks.”"]
