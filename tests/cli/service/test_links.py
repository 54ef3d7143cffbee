"""A link is one person's, whatever they are called, whoever takes their name, and on whichever line."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread, current_thread

import pytest

import retold
from retold import Refused
from retold.cli.campaigns.links import WHOLE, Link, Links
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options
from retold.cli.service.endpoints import NO_LINK
from retold.cli.service.invitations import players_without_link, viewers
from retold.cli.service.running import invitations, links_held, revoke_links
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.scribe import Scribe
from tests.cli.service.phone import Phone, Serving, serving
from tests.cli.service.test_proposals import answered, hand_in

KITS = "note --to Kit: The numbat comes."
JONS = "note --to Jon: The quokka comes."


def eyes_of(phone: Phone) -> str:
    """Whose eyes a phone looks through, as it is told."""
    return str(phone.ask("here.json").body["viewer"])


def told(phone: Phone) -> str:
    """Everything that a phone is told of the line."""
    return str(phone.ask("happened?last=500").body)


def secrets_told(phone: Phone) -> list[str]:
    return [word for word in ("numbat", "quokka") if word in told(phone)]


@pytest.fixture(autouse=True)
def _(service: Serving) -> None:
    service.campaign.play(f"{KITS}\n{JONS}\n")


# --- whatever they are called -----------------------------------------------------------------------------


def test_a_renamed_person_keeps_their_view(service: Serving, jon: Phone) -> None:
    stream = jon.follow()
    stream.hear("board")
    service.campaign.say("cast Jon name=Jonathan")
    service.campaign.say("narrate Zel: Rain.")

    assert [one["told"] for one in stream.hear("happened").data["events"]][-1:] != []
    assert (eyes_of(jon), secrets_told(jon)) == ("Jonathan", ["quokka"])
    stream.leave()


def test_a_reused_name_brings_nothing_else(service: Serving, jon: Phone, kit: Phone) -> None:
    service.campaign.play("cast Jon name=Jonathan\ncast Kit name=Jon\n")

    assert (eyes_of(jon), secrets_told(jon)) == ("Jonathan", ["quokka"])
    assert (eyes_of(kit), secrets_told(kit)) == ("Jon", ["numbat"])
    assert jon.ask("check", {"line": "say Zel: Hm."}).status == 200
    assert jon.ask("check", {"line": "say Odo: Hm."}).status == 422


def test_two_may_change_names(service: Serving, jon: Phone, kit: Phone) -> None:
    streams = jon.follow(), kit.follow()
    for stream in streams:
        stream.hear("board")
    service.campaign.play("cast Jon name=Other\ncast Kit name=Jon\ncast Other name=Kit\n")
    service.campaign.play("note --to Kit: The wombat comes.\nnarrate Zel: All here.\n")

    for stream, knows in zip(streams, (True, False), strict=True):
        while b"All here." not in stream.raw:
            stream.hear("happened", "reset")
        assert (b"wombat" in stream.raw) is knows
        stream.leave()
    assert [eyes_of(jon), eyes_of(kit)] == ["Kit", "Jon"]


def test_a_proposal_belongs_to_its_author(service: Serving, gm: Phone, jon: Phone, kit: Phone) -> None:
    hand_in(jon)
    service.campaign.play("cast Jon name=Jonathan\ncast Kit name=Jon\n")

    assert kit.ask("proposals").body["proposals"] == []
    assert answered(kit, withdraw=True).status == 404
    assert [one["line"] for one in jon.ask("proposals").body["proposals"]] == ["say Zel: Hush."]
    assert hand_in(jon).body["state"] == "waiting"
    assert answered(gm, take=True).body["state"] == "taken"
    *_, entry = service.campaign.shared.store.record.rows(1)
    assert f'"by":{service.campaign.shared.store.table_at(1).called("Jonathan")}' in entry.body


def test_the_console_takes_it_in_their_name_too(service: Serving, jon: Phone, evening: Path) -> None:
    hand_in(jon)
    service.campaign.play("cast Jon name=Jonathan\ncast Kit name=Jon\n")
    served = service.shelf.served[service.slug]
    with Store.open(evening) as store:
        seat = ConsoleSession(Scribe(store, 1), Options())
        (waits,) = served.inbox.waiting()

        assert seat.take(served.inbox, waits) is LineResult.DONE


def test_merged_people_keep_both_links(service: Serving, jon: Phone) -> None:
    service.campaign.play("cast Bolt by=Pat\nnote --to Pat: The wombat comes.\n")
    pat = service.phone("Pat")
    stream = pat.follow()
    stream.hear("board")
    service.campaign.say("merge Pat into Jon")

    stream.hear("reset")
    for phone in (jon, pat):
        assert eyes_of(phone) == "Jon"
        assert secrets_told(phone) == ["quokka"]
        assert "wombat" in told(phone)
    stream.leave()


def test_a_retired_person_may_still_read(service: Serving, jon: Phone) -> None:
    service.campaign.play("retire Jon: Moved away.\n")

    assert (eyes_of(jon), secrets_told(jon)) == ("Jon", ["quokka"])
    assert "Jon" not in [one.viewer for one in invitations(service.shelf, service.place, None)]


def test_a_person_without_a_name_keeps_their_link(service: Serving, jon: Phone, tmp_path: Path) -> None:
    service.campaign.say("redact --person Jon")

    assert secrets_told(jon) == ["quokka"]
    assert eyes_of(jon) == f"somebody ({service.campaign.shared.store.table_at(1).people[2].player})"
    kept = [file for file in tmp_path.rglob("*.links.json") if "Jon" in file.read_text("utf-8")]
    assert kept == []


# --- on whichever line ------------------------------------------------------------------------------------


def test_the_same_number_on_another_branch_is_another_person(service: Serving, kit: Phone) -> None:
    service.campaign.play("cast Bolt by=Ann\nnote --to Ann: The wombat comes.\n")
    ann = service.phone("Ann")
    number = service.campaign.shared.store.table_at(1).called("Ann")
    service.campaign.play(
        "branch kinder @-4 --to table\ncast Dove by=Bo\n"
        "note --to Bo: The numbat is Bo's.\nnarrate Zel: Sun.\n"
    )
    there = service.campaign.scribe.line
    assert service.campaign.shared.store.table_at(there).name(number or 0) == "Bo"

    assert ann.ask("happened").status == 422
    assert ann.ask("board").status == 422
    assert "Sun." in told(kit)
    service.campaign.say("switch mainline")
    assert (eyes_of(ann), "wombat" in told(ann)) == ("Ann", True)


def test_people_introduced_after_a_retcon_are_found(service: Serving, kit: Phone, jon: Phone) -> None:
    begun = next(one for one in service.campaign.happened() if "Zel enters" in one.told)
    service.campaign.say(f'retcon {begun.position} --as "narrate gm: Nobody comes." --drop')
    service.campaign.say("branch show retcon")
    numbers = [service.campaign.shared.store.table_at(line).called("Kit") for line in (1, 2)]

    assert numbers[0] != numbers[1]
    assert (eyes_of(kit), secrets_told(kit)) == ("Kit", ["numbat"])
    assert jon.ask("happened").status == 422


def test_a_replacement_is_another_person(service: Serving, jon: Phone) -> None:
    begun = next(one for one in service.campaign.happened() if "Zel enters" in one.told)
    service.campaign.say(
        f'retcon {begun.position} --as "cast Zel bruise by=Tim clubs=4 melee=2: A smuggler" --drop'
    )
    service.campaign.say("branch show retcon")

    assert service.campaign.seen_by("Tim").plays == ("Zel", "Tim")
    assert jon.ask("happened").status == 422


# --- links from before ------------------------------------------------------------------------------------


def kept_by_name(service: Serving, home: Path) -> Path:
    """The links of a service that bound them to names."""
    (path,) = home.rglob("*.links.json")
    found = json.loads(path.read_text("utf-8"))
    for one in found["links"]:
        del one["arrival"]
    path.write_text(json.dumps(found), "utf-8")
    return path


def test_a_link_by_name_is_bound_when_it_is_served(
    service: Serving, jon: Phone, gm: Phone, evening: Path, tmp_path: Path
) -> None:
    kept_by_name(service, tmp_path / "home")
    with serving(evening, home=tmp_path / "home") as again:
        phones = [Phone(again.place, again.slug, one.secret) for one in (jon, gm)]
        again.campaign.play("cast Jon name=Jonathan\ncast Kit name=Jon\n")

        assert [eyes_of(one) for one in phones] == ["Jonathan", "gm"]
        assert phones[1].ask("here.json").body["director"]


def test_a_link_by_a_name_now_unused_shows_nothing(
    service: Serving, jon: Phone, evening: Path, tmp_path: Path
) -> None:
    path = kept_by_name(service, tmp_path / "home")
    path.write_text(path.read_text("utf-8").replace('"Jon"', '"Jo"'), "utf-8")
    with serving(evening, home=tmp_path / "home") as again:
        phone = Phone(again.place, again.slug, jon.secret)

        for path_ in ("here.json", "board", "happened", "feed", "proposals", "can"):
            assert phone.ask(path_).status == 422
        assert list(revoke_links(again.shelf, "Jo")) == ["salt-road: Jo: 1 link is worth nothing now."]
        again.shelf.read_links()
        assert phone.ask("here.json").status == 401


# --- by the command line ----------------------------------------------------------------------------------


def test_links_are_listed_and_revoked_by_the_current_name(service: Serving, jon: Phone) -> None:
    service.campaign.say("cast Jon name=Jonathan")
    (listed,) = links_held(service.shelf)

    assert [one["viewer"] for one in listed["links"]] == ["Jonathan"]
    assert list(revoke_links(service.shelf, "Jonathan")) == [
        "salt-road: Jonathan: 1 link is worth nothing now."
    ]
    service.shelf.read_links()
    assert jon.ask("here.json").status == 401


# --- a file that somebody has written into ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "spoilt"),
    [
        ("arrival", "Jon"),
        ("arrival", "1:x"),
        ("arrival", 7),
        ("sha256", "ü"),
        ("viewer", None),
        ("joined", 1),
    ],
)
def test_a_link_that_was_spoilt_by_hand_is_worth_nothing_and_no_other_is_touched(
    field: str, spoilt: object, service: Serving, jon: Phone, kit: Phone
) -> None:
    links = service.shelf.served[service.slug].links
    kept = json.loads(links.attachments.get(WHOLE) or b"")
    kept["links"][0][field] = spoilt
    links.attachments.keep(WHOLE, json.dumps(kept).encode())
    service.shelf.read_links()

    answer = jon.ask("here.json")
    assert (answer.status, answer.body) == (401, {"error": NO_LINK})
    assert eyes_of(kit) == "Kit"


@pytest.mark.parametrize("text", ["{", "[]", "null", '{"links": 7}', '{"links": [7]}', "[" * 100_000])
def test_a_file_of_links_that_is_none_has_none(text: str, service: Serving, jon: Phone) -> None:
    service.shelf.served[service.slug].links.attachments.keep(WHOLE, text.encode())
    service.shelf.read_links()

    assert jon.ask("here.json").status == 401


def test_a_thread_that_read_the_links_earlier_does_not_undo_what_a_later_one_read(
    service: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The earlier one has read the file, and has still to keep what it read, when a link is made."""
    served = service.shelf.served[service.slug]
    read, earlier = Links.every, current_thread()
    secrets: list[str] = []
    later = Thread(target=served.read_links)

    def every(links: Links) -> list[Link]:
        found = read(links)
        if current_thread() is earlier:
            monkeypatch.setattr(Links, "every", read)
            secrets.append(links.new("table", "table", "2026-03-14"))
            later.start()
            later.join(0.1)
        return found

    monkeypatch.setattr(Links, "every", every)
    served.read_links()
    later.join()

    assert served.link(secrets[0]) is not None


# --- who has a link ---------------------------------------------------------------------------------------


def test_W19_a_character_of_the_game_master_removes_no_viewer(tmp_path: Path) -> None:
    with retold.new(tmp_path / "one.retold") as campaign:
        campaign.play("cast Zel by=gm\ncast Odo by=Kit\n")
        assert viewers(campaign) == ["gm", "table", "Kit"]
        campaign.play("cast gm by=Mary\n")
        assert viewers(campaign) == ["gm", "table", "Kit"]


def test_W19_no_character_is_played_by_the_table(tmp_path: Path) -> None:
    with retold.new(tmp_path / "one.retold") as campaign:
        before = campaign.position
        with pytest.raises(Refused) as refused:
            campaign.say("cast Zel by=table")

        assert refused.value.sentence.startswith("“table” means the whole table")
        assert campaign.position == before


def test_W19_a_player_who_is_called_table_all_the_same_has_no_link_of_the_tables(tmp_path: Path) -> None:
    """As records of before 0.4 may call somebody."""
    with retold.new(tmp_path / "one.retold") as campaign:
        campaign.play("cast Zel by=Jon\n")
        Scribe(campaign.shared.store, 1).writer.record(c.Cast(who=2, name=Words("Table")), Manner())

        assert (viewers(campaign), list(players_without_link(campaign))) == (["gm", "table"], ["Table"])


def test_W3_a_link_is_used_once_a_program_has_come_by_it(service: Serving) -> None:
    served = service.shelf.served[service.slug]
    secret = served.links.new(served.campaign.lasting("Jon"), "Jon", "2026-03-14")
    service.shelf.read_links()
    before = [one.joined for one in served.links.every()]
    phone = Phone(service.place, service.slug, secret)

    assert phone.ask("board").status == 200
    assert (before, [one.joined for one in served.links.every()]) == ([False], [True])
