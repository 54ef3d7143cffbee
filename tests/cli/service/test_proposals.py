"""What players hand in: kept until the game master answers, recorded in their name, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.cli.campaigns.inbox import MOST_WAITING, Inbox
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.console.toolbar import told_of as told_at_the_console
from retold.cli.invocation import Options
from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.scribe import Scribe
from tests.cli.service.conftest import CONFLICT
from tests.cli.service.phone import Answer, Json, Phone, Serving

HUSH = "say Zel: Hush."


def hand_in(phone: Phone, line: str = HUSH, id_: str = "jon-number-1") -> Answer:
    return phone.ask("proposals", {"id": id_, "line": line})


def answered(phone: Phone, id_: str = "jon-number-1", **what: object) -> Answer:
    return phone.ask(f"proposals/{id_}", what)


def told(service: Serving) -> list[str]:
    return [one.told for one in service.campaign.happened()]


def test_a_handed_in_line_waits_unrecorded(service: Serving, gm: Phone, jon: Phone) -> None:
    before = service.campaign.position
    kept = hand_in(jon).body

    assert {name: kept[name] for name in ("who", "line", "state", "why", "said")} == {
        "who": "Jon",
        "line": HUSH,
        "state": "waiting",
        "why": "",
        "said": [],
    }
    assert gm.ask("proposals").body["proposals"] == [kept]
    assert service.campaign.position == before


def test_what_is_taken_is_recorded_in_their_name(service: Serving, gm: Phone, jon: Phone) -> None:
    hand_in(jon)
    taken = answered(gm, take=True).body

    assert (taken["state"], taken["said"]) == ("taken", ["Zel says: “Hush.”"])
    assert told(service)[-1] == "Zel says: “Hush.”"
    *_, entry = service.campaign.shared.store.record.rows(1)
    jons = service.campaign.shared.store.table_at(1).called("Jon")
    assert f'"by":{jons}' in entry.body
    assert gm.ask("proposals").body["proposals"] == []


def test_the_proposer_is_told_the_outcome(gm: Phone, jon: Phone, kit: Phone) -> None:
    stream, other = jon.follow(), kit.follow()
    stream.hear("board")
    other.hear("board")
    hand_in(jon)
    assert stream.hear("proposal").data["state"] == "waiting"
    answered(gm, refuse="Not while they listen.")

    settled = stream.hear("proposal").data
    assert (settled["state"], settled["why"]) == ("refused", "Not while they listen.")
    jon.ask("leave", {})
    gm.ask("say", {"line": "narrate Zel: Rain.", "id": "say-number-1"})
    assert other.hear("proposal", "happened").event == "happened"
    stream.leave()
    other.leave()


def test_the_same_twice_is_one(service: Serving, gm: Phone, jon: Phone) -> None:
    assert hand_in(jon).body == hand_in(jon).body
    answered(gm, take=True)
    before = service.campaign.position
    again = hand_in(jon)

    assert (again.body["state"], service.campaign.position) == ("taken", before)
    assert answered(gm, take=True).status == 422
    assert service.campaign.position == before


def test_taken_at_the_console_and_here_at_once_it_is_recorded_once(
    service: Serving, gm: Phone, jon: Phone
) -> None:
    hand_in(jon)
    (waiting,) = service.shelf.served[service.slug].inbox.waiting()
    service.campaign.say(waiting.line, by=waiting.who, act=waiting.act)  # as the console would
    answered(gm, take=True)

    assert told(service).count("Zel says: “Hush.”") == 1


def test_the_console_takes_it_and_phones_hear_of_it(service: Serving, jon: Phone, evening: Path) -> None:
    stream = jon.follow()
    stream.hear("board")
    hand_in(jon)
    assert stream.hear("proposal").data["state"] == "waiting"
    served = service.shelf.served[service.slug]
    with Store.open(evening) as store:
        seat = ConsoleSession(Scribe(store, 1), Options())
        inbox = Inbox.of(served.settings.state, store.id)
        (waits,) = inbox.waiting()
        assert seat.take(inbox, waits) is LineResult.DONE

    heard = [stream.hear("proposal", "happened") for _ in range(2)]
    told = {one.event: one.data for one in heard}
    assert [one["told"] for one in told["happened"]["events"]] == ["Zel says: “Hush.”"]
    assert told["proposal"]["state"] == "taken"
    stream.leave()


def test_old_answers_are_deleted_with_the_next_answer(service: Serving, gm: Phone, jon: Phone) -> None:
    for number in range(3):
        hand_in(jon, HUSH, f"jon-number-{number}")
    answered(gm, "jon-number-0", refuse="No.")
    inbox = service.shelf.served[service.slug].inbox
    for number in range(2):  # one is answered, one waits
        kept = inbox.attachments.get(f"jon-number-{number}") or b""
        inbox.attachments.keep(f"jon-number-{number}", kept.replace(b'"sent": "20', b'"sent": "19'))
    answered(gm, "jon-number-2", refuse="No.")

    assert {one.id for one in inbox.everything()} == {"jon-number-1", "jon-number-2"}


def test_another_program_sees_what_waits_and_its_answer_is_heard(service: Serving, jon: Phone) -> None:
    stream = jon.follow()
    stream.hear("board")
    hand_in(jon)
    stream.hear("proposal")
    served = service.shelf.served[service.slug]
    console = Inbox.of(served.settings.state, service.campaign.id)
    assert [one.line for one in console.waiting()] == [HUSH]
    console.settle("jon-number-1", "refused", "No.")

    assert stream.hear("proposal").data["why"] == "No."
    stream.leave()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("say Odo: Hush.", "Odo is not yours to speak for."),
        ("undo", "undo is not for you to say now; can lists what is."),
        ("scene The cellar", "scene is not for you to say now; can lists what is."),
        ("frobnicate", "There is no verb frobnicate."),
        ("", "There is no verb on this line."),
    ],
)
def test_lines_not_for_this_player_are_refused_at_once(gm: Phone, jon: Phone, line: str, why: str) -> None:
    answer = hand_in(jon, line)

    assert answer.status == 422
    assert answer.body["error"].startswith(why.split(".", maxsplit=1)[0][:20])
    assert gm.ask("proposals").body["proposals"] == []


def test_what_the_rules_no_longer_take_waits_with_their_sentence(
    service: Serving, gm: Phone, jon: Phone
) -> None:
    service.campaign.play(CONFLICT)
    hand_in(jon, "draw Zel clubs+melee = KS 10S 9S 8S 7S 6S")
    service.campaign.say("draw Zel clubs+melee = KS 10S 9S 8S 7S 6S")

    assert answered(gm, take=True).status == 422
    (waits,) = gm.ask("proposals").body["proposals"]
    assert (waits["state"], waits["why"]) == ("waiting", "Zel has drawn already this turn.")


def test_if_the_table_has_chosen_so_it_is_recorded_at_once(service: Serving, jon: Phone) -> None:
    service.campaign.say("option table.proposals=taken")

    assert hand_in(jon).body["state"] == "taken"
    assert told(service)[-1] == "Zel says: “Hush.”"


def test_a_player_may_withdraw_their_proposal(gm: Phone, jon: Phone, kit: Phone) -> None:
    hand_in(jon)

    assert answered(kit, withdraw=True).status == 404
    assert answered(jon, withdraw=True).body["state"] == "withdrawn"
    assert answered(gm, take=True).status == 422


def test_a_player_cannot_take_their_own_proposal(service: Serving, jon: Phone) -> None:
    hand_in(jon)
    before = service.campaign.position

    assert answered(jon, take=True).status == 403
    assert service.campaign.position == before


def test_one_can_only_hand_in_so_much(jon: Phone) -> None:
    states = [hand_in(jon, HUSH, f"jon-number-{number}").status for number in range(MOST_WAITING + 1)]

    assert states == [200] * MOST_WAITING + [422]


@pytest.mark.parametrize("id_", ["../../etc", "short", "a/b/c/d/e", "x" * 65, "jon number 1", "jon.number.1"])
def test_an_invalid_id_is_refused(jon: Phone, id_: str) -> None:
    assert hand_in(jon, HUSH, id_).status == 400


@pytest.mark.parametrize("eyes", ["table", "gm", "Mary"])
def test_a_screen_and_the_game_master_hand_nothing_in(service: Serving, eyes: str) -> None:
    assert hand_in(service.phone(eyes)).status == 422


def test_what_is_redacted_is_gone_from_what_was_handed_in(service: Serving, gm: Phone, jon: Phone) -> None:
    hand_in(jon, "say Zel: The wallaroo wept at the gate.")
    answered(gm, take=True)
    gm.ask("say", {"line": "redact @", "id": "say-number-1", "sure": True})

    assert jon.ask("proposals").body["proposals"] == []


# --- the game master's own line ---------------------------------------------------------------------------


def test_the_game_master_runs_the_evening_from_the_page(service: Serving, gm: Phone) -> None:
    answer = gm.ask("say", {"line": "scene The cellar: Cold.", "id": "say-number-1"})

    assert answer.body["said"] == ["scene 2 The cellar: “Cold.”"]
    assert told(service)[-1] == answer.body["said"][0]


def test_the_same_line_twice_is_one(service: Serving, gm: Phone) -> None:
    first = gm.ask("say", {"line": "undo", "id": "say-number-1"})
    before = service.campaign.position

    assert gm.ask("say", {"line": "undo", "id": "say-number-1"}).body == first.body
    assert service.campaign.position == before


@pytest.mark.parametrize("line", ["narrate gm: It rains.", "undo", "mark here", "reveal @"])
def test_R37_the_same_line_is_one_though_the_service_was_started_anew(
    service: Serving, gm: Phone, line: str
) -> None:
    service.campaign.play("narrate gm: It rains.\nnarrate gm --gm: It pours.")
    first = gm.ask("say", {"line": line, "id": "say-number-1"}).body
    before = service.campaign.position
    service.shelf.served[service.slug].said.clear()  # all that a new process does not have

    assert gm.ask("say", {"line": line, "id": "say-number-1"}).body["at"] == first["at"]
    assert service.campaign.position == before


def test_a_refusal_brings_the_lines_it_proposes(service: Serving, gm: Phone) -> None:
    service.campaign.play(CONFLICT)
    answer = gm.ask("say", {"line": "cast Guards", "id": "say-number-1"})

    assert (answer.status, set(answer.body)) == (422, {"error", "lines", "edit"})


def test_irreversible_acts_are_confirmed(service: Serving, gm: Phone) -> None:
    before = service.campaign.position
    asked = gm.ask("say", {"line": "redact @", "id": "say-number-1"})

    assert asked.status == 422
    assert asked.body["error"].endswith("Nothing is changed yet: say it again with sure.")
    assert service.campaign.position == before
    assert gm.ask("say", {"line": "redact @", "id": "say-number-2", "sure": True}).status == 200


@pytest.mark.parametrize("path", ["say", "complete"])
def test_a_player_does_not(jon: Phone, path: str) -> None:
    body = {"line": "undo", "id": "say-number-1"} if path == "say" else None

    assert jon.ask(path, body).status == 403


def test_completion_and_can_are_those_of_the_console(service: Serving, gm: Phone, jon: Phone) -> None:
    service.campaign.play(CONFLICT)
    offers = gm.ask("complete?line=draw%20Z").body

    assert (offers["replaces"], offers["offers"][0]["text"]) == ("Z", "Zel")
    assert [one["line"] for one in jon.ask("can").body["choices"]] == ["draw Zel clubs+melee"]
    assert jon.ask("check", {"line": "say Zel: Hush."}).body == {"would": ["Zel says: “Hush.”"]}
    assert jon.ask("check", {"line": "say Odo: Hush."}).status == 422


FORD = """\
cast Runa whiskey by=Jon combat=10 base=4 die=1 hp=12
cast Pike whiskey combat=10 base=4 die=1 hp=12
conflict "The ford" whiskey Runa vs Pike
"""
SHUT = "declare Runa engage Pike --sealed: under cover of the reeds"


def test_what_is_handed_in_face_down_is_shut_for_the_game_master_too(
    service: Serving, gm: Phone, jon: Phone
) -> None:
    service.campaign.play(FORD)
    stream = gm.follow()
    stream.hear("board")
    kept = hand_in(jon, SHUT).body
    (waits,) = gm.ask("proposals").body["proposals"]

    assert kept["line"] == SHUT
    assert waits == {**kept, "line": "Runa seals an intent"} == stream.hear("proposal").data
    (one,) = service.shelf.served[service.slug].inbox.waiting()
    assert told_at_the_console(one) == "Jon hands in: Runa seals an intent"

    taken = answered(gm, take=True).body
    assert taken["state"] == "taken"
    assert stream.hear("proposal").data["state"] == "taken"
    assert told(service)[-1] in taken["said"]
    assert b"reeds" not in gm.received + stream.raw


@pytest.mark.parametrize("said", [{"take": True}, {"refuse": "No."}, {}], ids=str)
def test_S12_a_person_who_may_not_answer_is_told_that_before_the_id_is_looked_at(
    said: Json, jon: Phone
) -> None:
    handed = jon.ask("proposals", {"id": "an-id-of-jons", "line": "say Zel: Tea?"}).body["id"]

    for id_ in (handed, "unknown-id", "!"):
        assert jon.ask(f"proposals/{id_}", said).status == 403
    assert jon.ask("proposals/!", {"withdraw": True}).status == 400
