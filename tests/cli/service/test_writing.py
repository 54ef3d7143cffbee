"""The game master's draft at its addresses: read, written block by block, joined, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

import retold
from retold.drafts.making import begin
from retold.journal.store.writing.drafts import Scope
from retold.projections.prose import voice_of
from tests.cli.service.phone import Answer, Json, Phone, Serving, serving
from tests.retold.drafts.played import EVENING

ROPE = "Ana: I cut the rope behind him, and the ferry swings out."
DRAFT = "draft?name=second"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service with an evening and a draft of it."""
    folder: Path = tmp_path_factory.mktemp("writing")
    with retold.new(folder / "ferry.retold") as campaign:
        campaign.play(EVENING)
        begin_draft(campaign, "second")
    with serving(folder / "ferry.retold", home=folder / "home") as found:
        yield found


def begin_draft(campaign: retold.Campaign, name: str) -> None:
    scope = Scope(1, 1, campaign.position, "prose", "gm")
    begin(campaign.shared.store, name, scope, voice_of("prose"))


@pytest.fixture
def gm(service: Serving) -> Phone:
    return service.phone("gm")


@pytest.fixture
def draft(service: Serving, request: pytest.FixtureRequest) -> str:
    """The address of a draft that was just begun; its name has signs that addresses have."""
    name = f"{request.node.name[:60]} <&>/?#.."
    begin_draft(service.campaign, name)
    return f"draft?{urlencode({'name': name})}"


def block(answer: Answer, text: str) -> Json:
    assert answer.status == 200, answer.raw
    (found,) = (one for one in answer.body["blocks"] if one["text"] == text)
    assert isinstance(found, dict)
    return found


def write(phone: Phone, draft: str, revision: int, one: Json, text: str) -> Answer:
    body = {"revision": str(revision), "block": one["id"], "text": text, "was": one["text"]}
    return phone.ask(draft, body)


@pytest.mark.parametrize("viewer", ["Jon", "table"])
def test_only_the_game_master_comes_to_a_draft(service: Serving, viewer: str) -> None:
    phone = service.phone(viewer)
    body = {"revision": "1", "restore": "undo"}
    begun = {"name": "theirs", "voice": "prose"}
    answers = [phone.ask("drafts"), phone.ask(DRAFT), phone.ask(DRAFT, body), phone.ask("draft?name=none")]
    answers += [
        phone.ask("drafts", begun),
        phone.ask("draft/log?name=second"),
        phone.ask("draft/doubts?name=second"),
    ]

    assert {(one.status, one.body["error"]) for one in answers} == {(403, "That is for the game master.")}
    assert phone.ask("draft.html", accept="text/html").status == 404
    assert service.phone(None).ask("draft.html", accept="text/html").status == 401
    assert "second" not in phone.received.decode()


def test_an_edited_block_is_kept_beside_the_record(gm: Phone, draft: str) -> None:
    before = gm.ask(draft)
    rope = block(before, ROPE)
    written = write(gm, draft, 1, rope, "  <b>Ana</b> cut\n\n\nthe  rope.\u200b ")

    assert (written.body["revision"], written.body["written"]) == (2, rope["id"])
    now = block(gm.ask(draft), "<b>Ana</b> cut\nthe rope.")
    assert (now["record"], now["edited"], now["changed"], now["others"]) == (ROPE, True, [], [])
    unchanged = gm.ask(f"{draft}&{urlencode({'unless': gm.ask(draft).body['tag']})}")
    assert (unchanged.status, unchanged.raw) == (304, b"")
    assert gm.ask(f"{draft}&{urlencode({'unless': before.body['tag']})}").status == 200
    again = write(gm, draft, 1, rope, "<b>Ana</b> cut\nthe rope.")
    assert again.body["revision"] == 2
    assert gm.ask(draft, {"revision": "2", "restore": "undo"}).body["revision"] == 3
    assert block(gm.ask(draft), ROPE)["edited"] is False


def test_doubts_name_the_sentences_that_the_record_does_not_have(gm: Phone, draft: str) -> None:
    rope, rain = block(gm.ask(draft), ROPE), block(gm.ask(draft), "Rain since noon.")
    assert gm.ask(draft.replace("draft?", "draft/doubts?")).body["doubts"] == []
    write(gm, draft, 1, rope, "Ana cut the rope. Bob swam after them.")
    write(gm, draft, 2, rain, "It rained. Zel cut the rope behind him.")

    found = gm.ask(draft.replace("draft?", "draft/doubts?")).body["doubts"]

    assert [(one["text"], one["why"].partition(" (")[0]) for one in found] == [
        ("Zel cut the rope behind him.", "the record says otherwise"),
        ("Bob swam after them.", "the record does not have this"),
    ]
    assert [str(one["block"]) for one in found] == [rain["id"], rope["id"]]
    assert [one["sentence"] for one in found] == [2, 2]


def test_a_sentence_is_marked_hers_once_its_writer_vouches_for_it(gm: Phone, draft: str) -> None:
    rope = block(gm.ask(draft), ROPE)
    write(gm, draft, 1, rope, "Ana cut the rope. Bob swam after them.")

    assert gm.ask(draft, {"revision": "2", "block": rope["id"], "vouch": "2"}).body["revision"] == 3
    (found,) = gm.ask(draft.replace("draft?", "draft/doubts?")).body["doubts"]
    assert (found["text"], found["why"].partition(" (")[0], found["sentence"]) == (
        "Bob swam after them.",
        "hers",
        0,
    )
    assert gm.ask(draft, {"revision": "3", "block": rope["id"], "vouch": "3"}).status == 422
    gm.ask(draft, {"revision": "3", "restore": "undo"})
    (found,) = gm.ask(draft.replace("draft?", "draft/doubts?")).body["doubts"]
    assert found["sentence"] == 2


def test_two_writers_are_joined_and_of_one_block_both_wordings_are_kept(gm: Phone, draft: str) -> None:
    before = gm.ask(draft)
    rope, rain = block(before, ROPE), block(before, "Rain since noon.")
    write(gm, draft, 1, rope, "Ana cut the rope.")
    other = write(gm, draft, 1, rain, "It rained.")
    assert other.body["revision"] == 3  # nobody else wrote that block: one revision, and nothing to choose
    rival = write(gm, draft, 1, rope, "The rope was cut.")

    assert rival.body["revision"] == 5
    (wording,) = block(rival, "Ana cut the rope.")["others"]
    assert (wording["text"], wording["id"]) == ("The rope was cut.", rival.body["written"])
    more = write(gm, draft, 5, wording, "The rope is cut.")
    assert [one["text"] for one in block(more, "Ana cut the rope.")["others"]] == ["The rope is cut."]
    stale = {"revision": "1", "choose": "cut", "block": rope["id"]}
    assert "was changed meanwhile" in gm.ask(draft, stale).body["error"]
    chosen = gm.ask(draft, {"revision": "6", "choose": "ok", "block": wording["id"]})
    assert block(chosen, "The rope is cut.")["others"] == []


def test_a_paragraph_is_added_once_and_one_that_splits_off_tells_the_same(gm: Phone, draft: str) -> None:
    rope = block(gm.ask(draft), ROPE)
    body = {"revision": "1", "after": rope["id"], "text": "The river was wide."}
    first, second = gm.ask(draft, body), gm.ask(draft, body)

    assert (first.body["revision"], second.body["revision"]) == (2, 2)
    new = block(second, "The river was wide.")
    assert (new["id"], new["hidden"], new["record"]) == (second.body["written"], True, "")
    split = gm.ask(draft, {**body, "revision": "2", "text": "And they were off.", "split": True})
    part = block(split, "And they were off.")
    assert (part["hidden"], part["record"]) == (False, ROPE)
    ids = [one["id"] for one in split.body["blocks"]]
    assert ids.index(rope["id"]) + 1 == ids.index(part["id"]) == ids.index(new["id"]) - 1


def test_a_draft_is_begun_for_a_reader_and_says_who_wrote_what(gm: Phone) -> None:
    offered = gm.ask("drafts").body
    assert (offered["sessions"], offered["people"], offered["writer"]) == (
        [{"number": 1, "title": "The ferry"}],
        ["Jon", "Kim"],
        "Mary",
    )
    body = {"name": "Winter", "voice": "prose", "for": "Jon", "lang": "de", "by": "Mona"}
    assert gm.ask("drafts", {**body, "first": "1", "last": "1"}).body["begun"] == "Winter"
    assert gm.ask("drafts", {**body, "name": "Whole", "for": ""}).body["begun"] == "Whole"

    draft = "draft?name=winter"
    rain = block(gm.ask(draft), "Rain since noon.")
    written = gm.ask(
        draft, {"revision": "1", "block": rain["id"], "text": "It rained.", "was": rain["text"], "by": "Kim"}
    )
    assert (block(written, "It rained.")["writer"], written.body["reader"]) == ("Kim", "Jon")
    log = gm.ask("draft/log?name=winter").body["revisions"]
    assert [(one["writer"], one["what"]) for one in log] == [
        ("Mona", "begun with 11 blocks"),
        ("Kim", "1 edited"),
    ]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"name": "second"}, 422, "There is a draft second already"),
        ({"name": "\u202e"}, 422, "visible characters"),
        ({"name": "x", "by": "a\nb"}, 422, "A writer has a name"),
        ({"name": "x", "voice": "/etc/passwd.toml"}, 422, "There is no such voice"),
        ({"name": "x", "lang": "xx"}, 422, "xx"),
        ({"name": "x", "for": "Nobody"}, 422, "There is no “Nobody” here."),
        ({"name": "x", "first": "9", "last": "9"}, 422, "There is no session 9"),
        ({"name": "x", "first": "1"}, 400, "both or none"),
        ({"name": "x", "for": True}, 400, "for is a text"),
        ({"name": "x", "first": "s1", "last": "1"}, 400, "both or none"),
    ],
)
def test_what_no_draft_can_be_made_of_begins_none(gm: Phone, body: Json, status: int, says: str) -> None:
    before = gm.ask("drafts").body["drafts"]
    refused = gm.ask("drafts", {"voice": "prose", **body})

    assert (refused.status, says in refused.body["error"]) == (status, True), refused.raw
    assert gm.ask("drafts").body["drafts"] == before


def test_a_block_is_moved_and_opened_and_the_draft_is_published(gm: Phone, draft: str) -> None:
    before = gm.ask(draft)
    rope, rain = block(before, ROPE), block(before, "Rain since noon.")
    river = gm.ask(draft, {"revision": "1", "after": rope["id"], "text": "The river was wide."})
    new = block(river, "The river was wide.")
    moved = gm.ask(draft, {"revision": "2", "block": new["id"], "after": rain["id"]})
    ids = [one["id"] for one in moved.body["blocks"]]
    assert ids.index(new["id"]) == ids.index(rain["id"]) + 1
    first = gm.ask(draft, {"revision": "3", "block": new["id"], "after": ""})
    assert first.body["blocks"][0]["id"] == new["id"]
    assert gm.ask(draft, {"revision": "4", "block": new["id"], "after": new["id"]}).body["revision"] == 4

    opened = gm.ask(draft, {"revision": "4", "block": new["id"], "open": "Kim"})
    assert (block(opened, "The river was wide.")["see"], opened.body["revision"]) == (["Kim"], 5)
    for change in ({"open": "Nobody"}, {"settle": "0"}, {"after": "99"}, {"block": "", "after": rain["id"]}):
        refused = gm.ask(draft, {"revision": "5", "block": new["id"], **change})
        assert refused.status == 422, refused.raw
    assert gm.ask(draft, {"revision": "5", "publish": True}).body["published"] is True
    withdrawn = gm.ask(draft, {"revision": "5", "publish": False})
    assert (withdrawn.body["published"], withdrawn.body["revision"]) == (False, 5)


def test_what_the_record_says_otherwise_is_shown_and_chosen(service: Serving, gm: Phone, draft: str) -> None:
    one = block(gm.ask(draft), "Zel: “Push off, before they count us!”")
    said = next(event for event in service.campaign.happened() if "Push off" in event.told)
    write(gm, draft, 1, one, "“Push off!” said Zel.")
    service.campaign.say(f"retcon {said.position}: Push off, before they see us!")
    late = gm.ask(draft)

    (change,) = block(late, "“Push off!” said Zel.")["changed"]
    assert (change["gone"], [pair for pair in change["words"] if pair[0] != pair[1]]) == (
        False,
        [[" count", " see"]],
    )
    kept = gm.ask(draft, {"revision": "2", "choose": "ok", "block": one["id"]})
    assert block(kept, "“Push off!” said Zel.")["changed"] == []
    cut = gm.ask(draft, {"revision": "3", "choose": "cut", "block": one["id"]})
    assert block(cut, "“Push off!” said Zel.")["state"] == "cut"
    back = gm.ask(draft, {"revision": "4", "choose": "take-new", "block": one["id"]})
    assert block(back, "Zel: “Push off, before they see us!”")["state"] == "shown"


def test_what_the_draft_does_not_tell_is_told_or_left_out(service: Serving, gm: Phone, draft: str) -> None:
    rope = next(event for event in service.campaign.happened() if "cut the rope" in event.told)
    service.campaign.say(f"narrate Ana --at {rope.position}: My hands bleed.")
    (untold,) = (one for one in gm.ask(draft).body["blocks"] if one["state"] == "untold")
    assert untold["record"] == "Ana: My hands bleed."
    told = gm.ask(draft, {"revision": "1", "choose": "take-new", "block": untold["id"]})

    assert block(told, "Ana: My hands bleed.")["state"] == "shown"
    service.campaign.say("undo")
    assert "My hands" not in gm.ask(draft).raw.decode()


def test_what_is_written_in_a_draft_changes_no_byte_of_a_players(
    service: Serving, gm: Phone, draft: str
) -> None:
    paths = ("here.json", "happened", "board", "replay", "can", "proposals")
    before = [service.phone("Jon").ask(path).raw for path in paths]
    written = write(gm, draft, 1, block(gm.ask(draft), ROPE), "Ana cut the rope.")

    assert written.body["revision"] == 2
    assert [service.phone("Jon").ask(path).raw for path in paths] == before


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"block": "3", "text": "New.", "was": ""}, 400, "revision"),
        ({"revision": "0", "block": "3", "text": "New.", "was": ""}, 400, "revision is a number"),
        ({"revision": "7", "block": "3", "text": "New.", "was": ""}, 422, "has the revisions 1 to 1, not 7"),
        ({"revision": "1", "block": "99", "text": "New.", "was": ""}, 422, "There is no block 99"),
        ({"revision": "1", "block": "3", "text": " \n\t ", "was": ""}, 422, "cut it to leave it out"),
        ({"revision": "1", "block": "3"}, 400, "Say block, text and was"),
        ({"revision": "1", "choose": "cut", "block": "e99"}, 422, "There is no block e99"),
        ({"revision": "1", "restore": "redo"}, 422, "There is nothing to redo"),
        ({"revision": "1", "block": "3", "text": "x" * 70_000, "was": ""}, 413, "65,536 bytes"),
    ],
)
def test_invalid_edits_record_nothing(gm: Phone, body: Json, status: int, says: str) -> None:
    refused = gm.ask(DRAFT, body)

    assert (refused.status, says in refused.body["error"]) == (status, True), refused.raw
    assert gm.ask(DRAFT).body["revision"] == 1
    assert gm.ask("draft?name=nobody").status == 422


def test_T1_redacted_words_are_saved_only_if_they_are_said_again(
    service: Serving, gm: Phone, draft: str
) -> None:
    told = "They sang of Yolanda Kerbrat until the tide came in."
    service.campaign.say(f"narrate gm: {told}")
    service.campaign.say(f"redact {service.campaign.position}")
    one = block(gm.ask(draft), ROPE)

    words = f"{ROPE} They sang of Yolanda Kerbrat."
    refused = write(gm, draft, 1, one, words)
    assert refused.status == 422
    assert "has words that were redacted, so nothing is recorded" in refused.body["error"]
    assert "Yolanda" not in refused.raw.decode()
    added = gm.ask(draft, {"revision": "1", "after": one["id"], "text": "Yolanda."})
    assert added.status == 422

    body = {"revision": "1", "block": one["id"], "text": words, "was": ROPE, "again": True}
    again = block(gm.ask(draft, body), words)
    assert again["hidden"]


def test_T2_every_new_paragraph_is_opened_at_once(gm: Phone, draft: str) -> None:
    one = block(gm.ask(draft), ROPE)
    for revision, text in enumerate(("Nobody waved.", "Nobody called."), 1):
        gm.ask(draft, {"revision": str(revision), "after": one["id"], "text": text})
    opened = gm.ask(draft, {"revision": "3", "block": "new", "open": "table"})
    assert [block(opened, text)["hidden"] for text in ("Nobody waved.", "Nobody called.")] == [False, False]
