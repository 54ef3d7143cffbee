import os
from pathlib import Path

import pytest

import retold
from retold.journal.store.contract.address import Address


@pytest.mark.parametrize(
    ("typed", "stem"),
    [
        ("club:salt-road", "salt-road"),
        ("my.club-2:x", "x"),
        ("club:", ""),
        ("postgresql://mary@db.example.org:5433/games/salt-road", "salt-road"),
        ("postgres://db.example.org/games/salt-road", "salt-road"),
    ],
)
def test_a_server_is_named_before_a_colon_or_by_a_url(typed: str, stem: str) -> None:
    address = Address.read(typed)

    assert (address.file, str(address), address.name, address.stem) == (None, typed, typed, stem)


@pytest.mark.parametrize(
    "typed",
    ["salt-road.retold", "./club:x", "club:a/b", "C:salt-road", r"C:\games\x", "a:b", "x/club:y", ":x"],
)
def test_everything_else_is_a_file(typed: str) -> None:
    assert Address.read(typed).file == Path(typed)


@pytest.mark.parametrize("typed", ["./club:x", "salt-road.retold", "games/salt-road.retold", "a:b"])
def test_an_address_read_again_is_the_same_place(typed: str) -> None:
    address = Address.read(typed)

    assert Address.read(str(address)) == address


def test_a_path_is_a_file_whatever_its_name() -> None:
    address = Address.of(Path("club:x"))

    assert (str(address), address.file) == ("./club:x", Path("club:x"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file names")
def test_a_campaign_whose_name_looks_like_a_servers_is_made_and_opened_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    retold.new("./club:x").close()

    with retold.open("./club:x") as campaign:
        assert (str(campaign.place), campaign.place.name) == ("./club:x", "club:x")
