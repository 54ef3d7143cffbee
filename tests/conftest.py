"""What holds for every test: none of them rests on luck, unless it is told to wander.

`run.py test` and CI look at the same cases each time. `run.py explore` runs properties, and tests marked
`explored`, with fresh ones: RETOLD_EXPLORE holds the number all of a round's luck follows from.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import CodeType

import jinja2
import pytest
from hypothesis import HealthCheck, settings

from retold.journal.decks.chance import SystemDealer
from retold.journal.store.postgres import erasing
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe
from tests import database_server
from tests.exploring import NUMBER
from tests.wire import Wire

settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],  # which is how busy the computer is
)
settings.register_profile("explore", deadline=None, max_examples=500, suppress_health_check=list(HealthCheck))
settings.load_profile("explore" if NUMBER else "repeatable")


# Without compiled files each of the hundreds of processes would compile Retold again, and pytest every test.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background of a script
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that what the tests start hears Ctrl-C


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "explored: plays a case of its own for each of its seeds; see exploring.py"
    )
    # Whoever writes to a campaign keeps a receipt in the user's folders: not in those of who runs the tests.
    home = tempfile.TemporaryDirectory(prefix="retold-tests-")
    config.add_cleanup(home.cleanup)
    os.environ["RETOLD_HOME"] = home.name
    patch = pytest.MonkeyPatch()
    patch.setattr(jinja2.Environment, "compile", _compiled_once)
    config.add_cleanup(patch.undo)
    gc.disable()  # while tests are collected, everything stays


_compile = jinja2.Environment.compile
_templates: dict[tuple[str, str, object], CodeType] = {}


def _compiled_once(
    environment: jinja2.Environment,
    source: str | jinja2.nodes.Template,
    name: str | None = None,
    filename: str | None = None,
) -> CodeType:
    """Compiles the template of a file once, though each site and page has an environment of its own."""
    if filename is None or not isinstance(source, str):
        return _compile(environment, source, name, filename)
    key = filename, source, environment.autoescape
    if key not in _templates:
        _templates[key] = _compile(environment, source, name, filename)
    return _templates[key]


def pytest_collection_finish() -> None:
    """Leaves what was collected, millions of objects, out of every later collection of garbage."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Leaves what the tests of a file keep, such as evenings played once, out of later collections too."""
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """While exploring, whatever would do the same as always is left out."""
    if not NUMBER:
        return
    wandering = [item for item in items if _wanders(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in wandering])
    items[:] = wandering


def _wanders(item: pytest.Item) -> bool:
    test = getattr(item, "obj", None)
    return getattr(test, "is_hypothesis_test", False) or item.get_closest_marker("explored") is not None


@pytest.fixture(autouse=True)
def _no_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is dealt without a seed is dealt alike each time this test runs."""
    luck = Random(f"{NUMBER} {request.node.nodeid}")

    def pick(_dealer: SystemDealer, _source: str, possible: Sequence[str]) -> str:
        return luck.choice(possible)

    monkeypatch.setattr(SystemDealer, "pick", pick)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[database_server.Cluster]:
    """The PostgreSQL server of this run; where there is none, the test is skipped, and fails in CI."""
    folder = tmp_path_factory.getbasetemp()
    run = folder if worker_id == "master" else folder.parent
    try:
        with database_server.shared(run) as cluster, pytest.MonkeyPatch.context() as patch:
            patch.setenv("PGSERVICEFILE", str(cluster.services))
            # The workers share one database: none of them rewrites its tables while the others play there.
            patch.setattr(erasing, "MOST_BYTES", 0)
            yield cluster
    except database_server.NoServer as reason:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{reason}.")


@pytest.fixture
def wire(cluster: database_server.Cluster) -> Iterator[Wire]:
    """A wire to that server, which can be cut."""
    with (
        tempfile.TemporaryDirectory(prefix="retold-wire-") as folder,
        Wire(Path(folder), cluster.folder) as made,
    ):
        yield made


# --- a table's evening, ready to be asked about and played on, each time in a folder of its own ---

EVENING = """\
campaign The Salt Road
session The Long Ebb
scene The porch: Rain since noon.
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast "Captain Thoss" alias=Cap
mark the-porch
conflict "Out by the stair" bruise Zel vs Guards: freedom
declare Zel: I run one of them through.
draw Zel clubs+melee = JH JD 10S 7C 4C 3D
quality Guards 9
colour Zel hearts
narrate Zel: One last cry, and the line breaks.
end conflict
end session
session High water
scene The yard
"""


@pytest.fixture(scope="session")
def played_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an evening that has been played; copied, never written to."""
    folder = tmp_path_factory.mktemp("played")
    path = folder / "evening.retold"
    with CampaignStore.create(path) as campaign:
        scribe = Scribe(campaign, 1)
        for line in EVENING.splitlines():
            scribe.say(line)
    return path


@pytest.fixture
def evening(played_evening: Path, tmp_path: Path) -> Path:
    """A copy of that evening, in a folder of its own."""
    return Path(shutil.copy(played_evening, tmp_path / "evening.retold"))


@pytest.fixture
def scribe(evening: Path) -> Iterator[Scribe]:
    """Somebody who writes to that evening, on its mainline."""
    with CampaignStore.open(evening) as campaign:
        yield Scribe(campaign, 1)
