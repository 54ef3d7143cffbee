"""Redacted words do not come back through a draft: not by a file, by the writer's page, or by a copy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.drafts.choosing import Choice
from retold.drafts.writing import Writing
from retold.journal.refused import Refused
from retold.journal.store.copies.dump import dump, load_into
from retold.journal.store.copies.sync import bring_together, compare, copy_into
from retold.journal.store.copies.sync_apart import move_acts
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.record import Record
from retold.journal.store.writing import redacted_words
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.redacted_words import RedactedWords, key_path
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Remark
from retold.projections.prose import voice_of
from tests.journal.store.memory import InMemory, Memory
from tests.retold.drafts.played import Table, edited, played

NAME = "Zel told them the real name of Jon\u2019s sister, Mirabel."
BELL = "The harbour bell rang twice."
TOLD = f"""\
campaign The Salt Road
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
session The ferry --date 2026-03-14
narrate gm: {BELL}
narrate Zel: Zel told them the real name of Jon's sister, Mirabel.
narrate gm: Rain came over the quay, and nobody spoke for a while."""
GONE = ("real name of", "Mirabel", "told them the")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = played(tmp_path, told=TOLD)
    table.begin()
    yield table
    table.campaign.close()


def redact(table: Table, begins: str = "Mirabel") -> None:
    table.say(f"redact {table.position(begins)}")


def read(table: Table) -> str:
    return " ".join(" ".join(table.read_by(whose)) for whose in ("table", "Zel"))


JOINED = "The harbour bell rang twice, and Zel told them the real name of Jon's sister, Mirabel."
EDITS: dict[str, tuple[tuple[str, str], ...]] = {
    "joined": ((f"{BELL}\n\n{NAME}", JOINED),),
    "in a cut block's place": ((f"{BELL}\n\n", ""),),
    "edited": ((NAME, "Zel told them the real name of the sister of Jon."),),
    "edited, its name alone kept": ((NAME, "They heard of Mirabel then."),),
    "moved": ((f"{BELL}\n\n{NAME}", f"{NAME}\n\n{BELL}"),),
    "split": ((NAME, "Zel told them the real name.\n\nOf Jon's sister, Mirabel."),),
    "in capitals": ((NAME, NAME.upper()),),
    "with soft hyphens": ((NAME, NAME.replace("Mira", "Mi\u00adra").replace("name", "na\u200bme")),),
    "in another block": ((NAME, ""), ("for a while.", "for a while: the real name of Jon's sister was out.")),
    "as a heading": ((NAME, "## The real name of Jon's sister"),),
    "as a note": ((NAME, "[Image: the real name of Jon's sister, Mirabel]"),),
}


@pytest.mark.parametrize("how", EDITS)
@pytest.mark.parametrize("marked", [True, False])
def test_T1_redacted_words_are_refused_in_a_file_that_was_sent_before(
    table: Table, how: str, marked: bool
) -> None:
    text = edited(table.sent(), *EDITS[how])
    if not marked:
        text = text.rpartition("<!--")[0]
    redact(table)

    before = table.draft().events
    with pytest.raises(Refused, match=r"has words that were redacted, so nothing is recorded") as refused:
        table.take(text)
    assert not [words for words in GONE if words in str(refused.value)]
    assert table.draft().events == before
    taking = table.back(text)
    assert [each.words for each in taking.returning()] != []

    with table.campaign.record.writing():
        table.campaign.drafts.take(taking.draft, taking.base.number, taking.blocks(), Manner(), again=True)
    assert not [words for words in GONE if words.casefold() in read(table).casefold()]


def test_T1_what_changed_in_a_file_from_before_a_redaction_is_the_game_masters(table: Table) -> None:
    text = table.sent()
    redact(table)
    text = edited(text, (f"{NAME}\n\n", ""), ("and nobody spoke", "and for once nobody there spoke"))

    table.take(text)
    assert "for once nobody there" in " ".join(table.read_by("gm"))
    assert "for once" not in read(table)
    assert "and nobody spoke for a while" in read(table)


def test_T1_a_file_sent_after_the_redaction_is_taken_as_ever(table: Table) -> None:
    table.sent()
    redact(table)
    table.take(edited(table.sent(), (BELL, "The harbour bell rang three times.")))

    assert "rang three times" in read(table)


def test_T1_a_word_that_the_record_still_has_is_none_of_those_redacted(table: Table) -> None:
    table.say("narrate gm: The real name of the ferry was painted over.")
    text = table.sent()
    redact(table)
    table.take(
        edited(text, (f"{NAME}\n\n", ""), (BELL, "The harbour bell rang; the real name of it is lost."))
    )

    assert "the real name of it" in " ".join(table.read_by("gm"))


def test_T1_a_file_taken_before_and_again_after_a_redaction_doubles_nothing(table: Table) -> None:
    new = "The river keeps its own counsel in the dark months."
    text = edited(table.sent(), (BELL, f"{BELL}\n\n{new}"))
    draft = table.take(text)
    added = next(block.id for block in draft.latest.blocks if block.text.text == new)
    opened = Choice(table.standing()).opens([str(added)], "table")
    with table.campaign.record.writing():
        table.campaign.drafts.revise(draft, opened, Manner())
    redact(table)

    table.take(edited(text, (f"{NAME}\n\n", "")))
    assert table.read_by("gm").count(new) == 1
    assert read(table).count(new) == 2  # once for each reader


def write(table: Table, change: Callable[[Writing], object]) -> None:
    draft = table.draft()
    with table.campaign.record.writing():
        change(Writing(table.campaign, draft, draft.latest.number, voice_of("prose")))


@pytest.mark.parametrize("words", ["the real name of Jon's sister", "Mirabel.", "It was MIRABEL's boat"])
def test_T1_the_writers_page_records_no_redacted_words(table: Table, words: str) -> None:
    redact(table)
    bell = next(block for block in table.draft().latest.shown if block.text.text == BELL)
    for change in (
        lambda writing: writing.write(str(bell.id), f"{BELL} {words}", BELL),
        lambda writing: writing.add(str(bell.id), words),
        lambda writing: writing.add(str(bell.id), words, splits=True),
    ):
        with pytest.raises(Refused, match="has words that were redacted") as refused:
            write(table, change)
        assert words not in str(refused.value)


def test_T1_a_remark_a_writer_and_the_name_of_a_draft_have_no_redacted_words(table: Table) -> None:
    redact(table)
    blocks = table.draft().latest.blocks
    for changed in remarked(blocks):
        with table.campaign.record.writing(), pytest.raises(Refused, match="were redacted"):
            table.campaign.drafts.revise(table.draft(), changed, Manner())
    with pytest.raises(Refused, match="choose another name"):
        table.begin("Mirabel")
    with table.campaign.record.writing(), pytest.raises(Refused, match="name of the writer was redacted"):
        table.campaign.drafts.revise(table.draft(), blocks[::-1], Manner(), "Mirabel")


def remarked(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    remarks = Remark(author=Words("Kim"), text=Words("Say the real name of Jon's sister here?"))
    yield (*blocks[:-1], replace(blocks[-1], remarks=(remarks,)))
    yield (*blocks[:-1], replace(blocks[-1], remarks=(Remark(author=Words("Mirabel"), text=Words("Good.")),)))
    yield (*blocks[:-1], replace(blocks[-1], edited=True, text=Words("Rain."), writer=Words("Mirabel")))


def test_T1_the_name_of_a_redacted_person_comes_back_in_no_block(table: Table) -> None:
    table.say('cast "Ada Quill" bruise clubs=3: A pilot', 'redact --person "Ada Quill"')
    with pytest.raises(Refused, match="has words that were redacted"):
        table.take(edited(table.sent(), (BELL, f"{BELL} Quill's lamp went out.")))


def test_T1_undo_and_an_older_revision_bring_nothing_back(table: Table) -> None:
    table.take(edited(table.sent(), (NAME, f"{NAME} So they knew.")))
    redact(table)
    draft = table.draft()
    with table.campaign.record.writing():
        table.campaign.drafts.restore(draft, 1, Manner())

    assert not [words for words in GONE if words in read(table) + " ".join(table.read_by("gm"))]


def test_T1_a_loaded_dump_knows_the_redacted_words(table: Table) -> None:
    text = edited(table.sent(), *EDITS["joined"])
    redact(table)
    lines = [*dump(table.campaign.record)]
    assert not [line for line in lines if "Mirabel" in line or "real name" in line]
    there = InMemory(Memory())
    load_into(there, lines)
    with pytest.raises(Refused, match="has words that were redacted"):
        Table(CampaignStore(Record(there))).take(text)


def copied(table: Table) -> Table:
    there = Record(InMemory(Memory()))
    copy_into(there.store, table.campaign.record)
    return Table(CampaignStore(there))


def test_T1_a_draft_of_another_copy_shows_no_words_that_were_redacted_here(table: Table) -> None:
    other = copied(table)
    other.begin("theirs")
    other.take(edited(other.sent("theirs"), *EDITS["joined"]), "theirs")
    redact(table)
    bring_together(table.campaign.record, other.campaign.record)

    for one in (table, other):
        for whose in ("table", "Zel"):
            shown = " ".join(one.read_by(whose, "theirs"))
            assert not [words for words in GONE if words in shown]


@pytest.mark.parametrize("how", ["joined", "in another block", "edited"])
def test_T1_a_draft_that_both_copies_revised_shows_no_redacted_words(table: Table, how: str) -> None:
    text = table.sent()
    other = copied(table)
    other.take(edited(text, *EDITS[how]))
    redact(table)
    compared = compare(other.campaign.record, table.campaign.record)
    move_acts(other.campaign, table.campaign, compared, None, "theirs")

    assert not [words for words in GONE if words in read(table)]


def test_T1_without_the_key_all_that_is_new_in_an_older_file_may_be_those_words(table: Table) -> None:
    text = edited(table.sent(), *EDITS["joined"])
    redact(table)
    key_path(table.campaign.record).unlink()

    assert not RedactedWords(table.campaign.record).are_known
    taking = table.back(text)
    assert [each.words for each in taking.returning()] == [None]
    table.take(text)
    assert not [words for words in GONE if words in read(table)]


def _anyhow(text: str, chance: random.Random) -> str:
    """The text as an editor who does anything may bring it back."""
    head, *paragraphs = text.split("\n\n")
    mark = paragraphs.pop()
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(paragraphs))
        words = paragraphs[at].split()
        match chance.choice(["join", "cut", "swap", "move", "edit", "split", "copy"]):
            case "join" if at + 1 < len(paragraphs):
                paragraphs[at : at + 2] = [f"{paragraphs[at].rstrip('.')}, and {paragraphs[at + 1]}"]
            case "cut" if len(paragraphs) > 2:
                del paragraphs[at]
            case "swap":
                other = chance.randrange(len(paragraphs))
                paragraphs[at], paragraphs[other] = paragraphs[other], paragraphs[at]
            case "move":
                paragraphs.insert(chance.randrange(len(paragraphs)), paragraphs.pop(at))
            case "split" if len(words) > 3:
                middle = chance.randrange(1, len(words))
                paragraphs[at : at + 1] = [" ".join(words[:middle]), " ".join(words[middle:])]
            case "copy":
                other = chance.randrange(len(paragraphs))
                paragraphs[other] += f" {' '.join(words[: chance.randrange(1, len(words) + 1)])}"
            case _:
                words[chance.randrange(len(words))] = chance.choice(["somewhere", "at last", "they"])
                paragraphs[at] = " ".join(words)
    return "\n\n".join([head, *paragraphs, mark])


SECRETS = (
    ("gm", "Under the third plank lies the ledger of Oskar Vane."),
    ("Zel", "I never told anybody that Tamsin drowned the lamp keeper."),
    ("gm", "The password of the quiet house is seven white geese."),
)


@pytest.mark.parametrize("seed", range(12))
def test_T1_no_random_edit_of_a_sent_draft_shows_the_redacted_words(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    who, secret = SECRETS[seed % len(SECRETS)]
    lines = TOLD.splitlines()
    lines.insert(chance.randrange(4, len(lines) + 1), f"narrate {who}: {secret}")
    table = played(tmp_path, told="\n".join(lines))
    table.begin()
    text = _anyhow(table.sent(), chance)
    if chance.random() < 0.3:
        text = text.rpartition("<!--")[0]
    redact(table, secret)
    taking = table.back(text)
    with table.campaign.record.writing():
        table.campaign.drafts.take(taking.draft, taking.base.number, taking.blocks(), Manner(), again=True)

    shown = read(table)
    words = secret.rstrip(".").split()
    runs = [" ".join(words[at : at + 3]) for at in range(len(words) - 2)]
    assert not [run for run in runs if run in shown]
    table.campaign.close()


def test_a_key_that_could_not_be_stored_whole_is_made_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "state" / "x.redacted"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(redacted_words, "publish", full)
        assert redacted_words._new_key(key) is None
    assert list(key.parent.iterdir()) == []

    made = redacted_words._new_key(key)
    assert made is not None
    assert redacted_words._new_key(key) == made == key.read_bytes()


def test_a_sentence_vouched_for_is_redacted_with_what_its_block_tells(table: Table) -> None:
    table.take(edited(table.sent(), (NAME, "Zel told them of Mirabel. It was late.")))
    (block,) = [one.block for one in table.standing().blocks if "Mirabel" in one.text]
    with table.campaign.record.writing():
        blocks = Choice(table.standing()).vouches([str(block.id)])
        table.campaign.drafts.revise(table.draft(), blocks, Manner())
    (vouched,) = [one.hers for one in table.draft().latest.blocks if one.hers]
    assert [words.text for words in vouched] == ["Zel told them of Mirabel.", "It was late."]

    redact(table)

    (vouched,) = [one.hers for one in table.draft().latest.blocks if one.hers]
    assert [words.text for words in vouched] == [None, None]
