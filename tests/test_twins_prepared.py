"""Two campaigns that differ only in what is prepared in secret give everybody else the same bytes.

People, sheets, clocks, tracks, notes with a name, rolls behind the screen, and ambushers in a conflict, in
every game: `tests/prepared.py` has the evenings. What `tests/test_twins.py` hides are words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import retold
from retold.journal.refused import Refused
from retold.journal.visibility import TABLE
from retold.projections.dossiers import Dossiers
from retold.projections.exports import EXPORTS
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.vault import VaultPage, pages_of
from retold.projections.postcards import postcard, rendered
from retold.projections.prose import VOICES, voice_of
from retold.projections.reading import LineView
from retold.projections.reading.sight import VisibleTables
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_session
from tests.exploring import tries
from tests.prepared import AUDIENCES, EVENINGS, PLACES, SECRETS, SEED, Hidden, numbered, play, shown
from tests.projections.site.whole import site_of
from tests.projections.unpacked import unpacked
from tests.test_twins import legible

VIEWERS: Final = ("table", "Jon", "Kit")
FOR_THE_GAME_MASTER: Final = 0
"""The audience, of those in `AUDIENCES`, in which there is nobody else."""


Played = Callable[[str, bytes | None], retold.Campaign]
"""A game's evening with nothing secret in it, dealt from a seed or without one."""
Full = Callable[[str], retold.Campaign]
"""A game's evening with everything secret in it."""
Asked = Callable[[str, bytes | None, str], dict[str, str]]
"""What a viewer is shown of an evening with nothing secret in it."""


@pytest.fixture(scope="module")
def plain(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Played]:
    """Each game's evening with nothing secret in it, played once."""
    folder, played = tmp_path_factory.mktemp("plain"), dict[tuple[str, bytes | None], retold.Campaign]()

    def found(game: str, seed: bytes | None = SEED) -> retold.Campaign:
        if (game, seed) not in played:
            played[game, seed] = play(folder / f"{game}-{len(played)}.retold", game, seed=seed)
        return played[game, seed]

    yield found
    for campaign in played.values():
        campaign.close()


@pytest.fixture(scope="module")
def known(
    plain: Played,
) -> Asked:
    """What each viewer is shown of it."""
    found: dict[tuple[str, bytes | None, str], dict[str, str]] = {}

    def asked(game: str, seed: bytes | None, eyes: str) -> dict[str, str]:
        if (game, seed, eyes) not in found:
            found[game, seed, eyes] = shown(plain(game, seed), eyes)
        return found[game, seed, eyes]

    return asked


def kept_from(hidden: list[Hidden], audience: int = FOR_THE_GAME_MASTER) -> tuple[str, ...]:
    """Who may not know of any of it."""
    to_kit = any("Kit" in line for one in hidden for line in SECRETS[one.which])
    for_all = to_kit or any(one.audience for one in hidden) or audience
    return VIEWERS[:2] if for_all else VIEWERS


def differences(mine: dict[str, str], theirs: dict[str, str]) -> list[str]:
    """What is not the same in both, by how it is asked for."""
    return [what for what in {**theirs, **mine} if mine.get(what) != theirs.get(what)]


SECRET = st.builds(
    Hidden,
    before=st.integers(0, max(map(len, EVENINGS.values()))),
    which=st.integers(0, len(SECRETS) - 1),
    audience=st.sampled_from((0, 0, 1, 2)),
)


class Evening(NamedTuple):
    """What is secret, where in its conflicts somebody secret stands and for whom, its seed, and who asks."""

    hidden: list[Hidden]
    where: str
    audience: int
    seed: bytes | None
    asks: int


EVENING = st.builds(
    Evening,
    hidden=st.lists(SECRET, min_size=1, max_size=6),
    where=st.sampled_from(PLACES),
    audience=st.sampled_from((0, 1)),
    seed=st.sampled_from((SEED, None)),
    asks=st.integers(0, len(VIEWERS) - 1),
)


@pytest.mark.parametrize("game", EVENINGS)
@settings(max_examples=tries(2), deadline=None)
@given(evening=EVENING)
def test_what_is_prepared_in_secret_leaves_no_trace(
    tmp_path_factory: pytest.TempPathFactory,
    known: Asked,
    game: str,
    evening: Evening,
) -> None:
    hidden, where, audience, seed, asks = evening
    path = tmp_path_factory.mktemp("twins") / "with.retold"
    with play(path, game, hidden, where, AUDIENCES[audience], seed=seed) as campaign:
        unaware = kept_from(hidden, audience if where else FOR_THE_GAME_MASTER)
        eyes = unaware[asks % len(unaware)]
        assert differences(shown(campaign, eyes), known(game, seed, eyes)) == [], eyes


# --- everything that can be hidden, at once ---------------------------------------------------------------


def everywhere(game: str) -> list[Hidden]:
    """Every secret of all there are, for one audience after the other, spread over the evening."""
    rest = len(EVENINGS[game]) - MET
    return [
        Hidden(MET + which * (rest + 1) // len(SECRETS), which, which % 3) for which in range(len(SECRETS))
    ]


MET: Final = 4
"""After so many lines everybody is in the cast."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    """Each game's evening with all of it, and somebody secret in its conflicts."""
    folder, played = tmp_path_factory.mktemp("full"), dict[str, retold.Campaign]()

    def found(game: str) -> retold.Campaign:
        if game not in played:
            played[game] = play(folder / f"{game}.retold", game, everywhere(game), "first")
        return played[game]

    yield found
    for campaign in played.values():
        campaign.close()


@pytest.mark.parametrize("eyes", VIEWERS[:2])
@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_full_of_secrets_leaves_no_trace(
    full: Full,
    known: Asked,
    game: str,
    eyes: str,
) -> None:
    assert differences(shown(full(game), eyes), known(game, SEED, eyes)) == []


@pytest.mark.parametrize("game", EVENINGS)
def test_the_game_master_has_all_of_it(full: Full, plain: Played, game: str) -> None:
    """Else the twins would be alike because nothing was secret in either."""
    here, there = full(game), plain(game, SEED)

    assert here.position - there.position > 50
    assert {"Assassin", "Vera"} <= {one.called for one in here.scribe.table.everybody()}
    assert len(here.scribe.table.secrets) > 5


GAMES_TOLD: Final = ("d20", "edgerunner")
"""The games whose evenings are put into every format."""


Told = Callable[[str, str, str], tuple[Transcript, Transcript]]
"""The book of the evenings of a game with all secrets and with none, for a viewer, in a voice."""


@pytest.fixture(scope="module")
def told(full: Full, plain: Played) -> Told:
    @cache
    def found(game: str, eyes: str, voice: str) -> tuple[Transcript, Transcript]:
        mine, theirs = (
            one.seen_by(eyes).transcript("book", voice, variations=True)
            for one in (full(game), plain(game, SEED))
        )
        return mine, theirs

    return found


@pytest.mark.parametrize("game", GAMES_TOLD)
@pytest.mark.parametrize("name", EXPORTS)
def test_every_export_is_the_same(told: Told, name: str, game: str) -> None:
    is_slow = not EXPORTS[name].is_text
    for eyes in VIEWERS[1:2] if is_slow else VIEWERS[:2]:
        for voice in ("report",) if is_slow else VOICES:
            mine, theirs = (
                numbered(legible(name, one, MechanicsPlace.FOLDED)) for one in told(game, eyes, voice)
            )
            assert mine == theirs, f"{voice} --for {eyes}"


@pytest.mark.parametrize("game", GAMES_TOLD)
def test_every_page_of_a_site_and_a_vault_is_the_same(full: Full, plain: Played, game: str) -> None:
    mine, theirs = (dict(_pages(one)) for one in (full(game), plain(game, SEED)))

    assert differences(mine, theirs) == []


def _pages(campaign: retold.Campaign, eyes: str = "Jon") -> Iterator[tuple[str, str]]:
    store = campaign.scribe.campaign
    reading = LineView(store, 1).called(eyes)
    for name, page in site_of(store, reading.viewer).items():
        yield name, numbered(unpacked(page.decode(errors="replace")))
    told = [of_session(reading, one, voice=voice_of("report")) for one in reading.sessions.opened]
    for one in pages_of(Dossiers(reading), told, "folded", "The Salt Road"):
        yield one.path, numbered(one.text) if isinstance(one, VaultPage) else one.data.hex()


@pytest.mark.parametrize("game", GAMES_TOLD)
def test_every_card_of_a_moment_is_the_same(full: Full, plain: Played, game: str) -> None:
    mine, theirs = (list(_cards(one)) for one in (full(game), plain(game, SEED)))

    assert len(mine) > 10
    assert mine == theirs


def _cards(campaign: retold.Campaign, eyes: str = "table") -> Iterator[str]:
    reading = LineView(campaign.scribe.campaign, 1).called(eyes)
    for position in [moment.position for moment in reading.moments()][::3]:
        try:
            card = postcard(reading, position, voice_of("report"))
        except Refused as refusal:
            yield str(refusal)
            continue
        yield numbered(rendered(card, "svg").decode())


# --- negative controls ------------------------------------------------------------------------------------


def _everything_is_seen(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("retold.projections.reading.sight.may_see", lambda _event, _viewer: True)


def _the_table_is_the_game_masters(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(VisibleTables, "first_hidden", None)


def _numbers_are_counted_together(patch: pytest.MonkeyPatch) -> None:
    def next_number(taken: object, _visible_to: object = TABLE, *_more: object) -> int:
        return max(taken, default=-1) + 1  # type: ignore[call-overload,no-any-return]

    patch.setattr("retold.journal.table.next_number", next_number)


@pytest.mark.parametrize(
    "broken", [_everything_is_seen, _the_table_is_the_game_masters, _numbers_are_counted_together]
)
def test_it_is_noticed_where_one_rule_is_broken(
    tmp_path: Path,
    known: Asked,
    monkeypatch: pytest.MonkeyPatch,
    broken: Callable[[pytest.MonkeyPatch], None],
) -> None:
    theirs = known("d20", SEED, "table")
    broken(monkeypatch)
    hidden = [Hidden(4, SECRETS.index(("cast Zora {to} {sheet}",)), FOR_THE_GAME_MASTER)]
    with play(tmp_path / "with.retold", "d20", hidden) as campaign:
        assert differences(shown(campaign, "table"), theirs) != []
