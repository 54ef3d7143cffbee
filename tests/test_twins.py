"""Two campaigns that differ only in what a player may not know of look the same to that player.

Ids are keyed digests of line and position: whoever has not the key cannot tell whether two of them are
neighbours. So they are numbered here in the order in which they are met; everything else is compared as it
is, down to the last byte.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retold.games.bruise import commands as b
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.store.caches.index import Index
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.store.writing.reveal import reveal
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Command, Words
from retold.projections.comparison.diff import compare
from retold.projections.exports import EXPORTS, MECHANICS, export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.pdf import page_data
from retold.projections.plain.lives import notation, plain
from retold.projections.prose import VOICES
from retold.projections.reading import EVERYBODY, LineView, Viewer, viewer_called
from retold.projections.replay.steps import Following
from retold.projections.statistics import count as statistics
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from retold.projections.views import VIEWS
from retold.projections.views.search import Wanted, search
from tests.exploring import tries
from tests.prepared import TableClock
from tests.projections.replay.stepping import whole
from tests.projections.site.whole import site_of
from tests.projections.unpacked import unpacked

ZEL, JON, GUARDS, ODO, KIT = 1, 2, 3, 4, 5
SEED = b"the same for both of them"


def w(text: str) -> Words:
    return Words(text)


Said = Command | Callable[[Sequence[int]], Command]
"""A command, or one that speaks of where earlier ones stand."""

EVENING: tuple[Said, ...] = (
    c.OpenSession(title=w("The Long Ebb"), date="2026-03-14", text=w("Rain.")),
    c.SetScene(title=w("The stair"), text=w("Lamps below.")),
    c.Cast(who=w("Zel"), system="bruise", by=w("Jon"), values={"clubs": 4, "melee": 2}, text=w("A smuggler")),
    c.OpenConflict(title=w("Out"), system="bruise", sides=((ZEL,), (w("Guards"),)), text=w("freedom")),
    c.Cast(who=w("Odo"), by=w("Kit")),
    # A mark is as hidden as what it is put on (C15), so it says what that is.
    lambda firsts: c.Mark(name=w("the-stair"), at=firsts[-1]),
    c.Declare(who=ZEL, text=w("I run one through.")),
    c.Draw(who=ZEL, traits=("clubs", "melee"), results=("JH", "JD", "10S", "7C", "4C", "3D")),
    b.Quality(who=GUARDS, rank="9"),
    b.ChooseColour(suit="hearts"),
    c.Narrate(who=ZEL, text=w("One last cry, and the line breaks.")),
    c.Say(who=ZEL, text=w("Not today.")),
    lambda firsts: c.Narrate(who=ODO, at=firsts[1], text=w("Nobody hears the tide.")),
    c.Draw(who=GUARDS, count=4),
    c.Note(about=JON, quote=True, text=w("I roll for dignity.")),
    lambda firsts: c.Mark(name=w("the-quay"), at=firsts[-1], text=w("Where it ends")),
    c.End(what="conflict"),
    c.Overrule(by=GM, whose=ZEL, veto=True, text=w("No line breaks here.")),
    c.End(what="session", text=w("Out, and wet.")),
    c.OpenSession(title=w("Low Water"), date="2026-03-21", absent=(KIT,)),
    lambda firsts: c.Note(at=firsts[19], text=w("The second evening, in short.")),
)


WAYS = 15
"""How many ways there are to hide something."""


class Hidden(NamedTuple):
    """Something that Jon and the table may not know of, said before a line of the evening."""

    before: int
    how: int
    eyes: int


def hide(writer: LineWriter, one: Hidden, number: int) -> None:
    """Says it, in one of many ways; what is not possible there is not said."""
    see: str | tuple[int, ...] = ("gm", (KIT,), (ODO, KIT), "gm")[one.eyes]
    manner, secret, here = Manner(visible_to=see), w(f"Secret {number}."), writer.head.position
    ways: tuple[Callable[[], object], ...] = (
        lambda: writer.record(c.Note(text=secret), manner),
        lambda: writer.record(c.Note(text=secret, quote=True, about=_somebody(writer)), manner),
        lambda: writer.record(c.Note(text=secret, at=here), manner),
        lambda: writer.record(c.Mark(name=w(f"secret {number}"), text=secret), manner),
        lambda: writer.record(c.Say(text=secret, who=_somebody(writer)), manner),
        lambda: writer.record(c.Narrate(text=secret, at=here, clock=60_000), manner),
        lambda: writer.record(c.Narrate(text=secret), manner),
        lambda: writer.record(c.Declare(text=secret), manner),
        lambda: _then(writer, manner, secret, lambda _: undo(writer)),
        lambda: _then(writer, manner, secret, lambda at: reword(writer, at, w("Secretly otherwise."))),
        lambda: _then(writer, manner, secret, lambda at: reveal(writer, at, (KIT,), w("Kit knows."))),
        lambda: _then(
            writer, manner, secret, lambda at: redact(writer, plan_redaction(writer, c.Redact(at=at)))
        ),
        lambda: _strike(writer, manner, secret),
        lambda: _then(writer, manner, secret, lambda at: _tell_otherwise(writer, at, f"other-{number}")),
        lambda: _go_astray(writer, here, secret, f"astray-{number}"),
    )
    assert len(ways) == WAYS
    try:
        ways[one.how % len(ways)]()
    except Refused:
        return


def _somebody(writer: LineWriter) -> int:
    return ODO if ODO in writer.table.people else GM


def _strike(writer: LineWriter, manner: Manner, secret: Words) -> None:
    """A narration that is hidden, and a veto that is not: nobody who may not know of it is told which."""
    who = _somebody(writer)
    writer.record(c.Narrate(who=who, text=secret), manner)
    writer.record(c.Overrule(by=GM, whose=who, veto=True, text=w("Secretly not.")))


def _tell_otherwise(writer: LineWriter, at: int, name: str) -> None:
    """A secret that is another one on a line shown to all, where all else is word for word the same."""
    writer.campaign.show(carry_out(plan_retcon(writer, at, c.Note(text=w("Secretly another."))), name))


def _go_astray(writer: LineWriter, at: int, secret: Words, name: str) -> None:
    """What is told openly on a branch that nobody else is shown."""
    campaign = writer.campaign
    line = campaign.fork(writer.line, at, w(name), secret)
    campaign.writer(line).record(c.Narrate(text=secret))


def _then(writer: LineWriter, manner: Manner, secret: Words, after: Callable[[int], object]) -> None:
    after(writer.record(c.Note(text=secret), manner).first)


def play(path: Path, hidden: Sequence[Hidden]) -> CampaignStore:
    """The evening with what is hidden in it; the clock goes on with what all may know alone."""
    clock = TableClock()
    campaign = CampaignStore.create(path, title="The Salt Road", seed=SEED, clock=clock)
    campaign.seed = SEED
    writer = campaign.writer(1)
    firsts: list[int] = []
    for number, said in enumerate(EVENING):
        for nth, one in enumerate(hidden):
            if one.before == number:
                hide(writer, one, nth)
        clock.minute[0] += 1
        firsts.append(writer.record(said if isinstance(said, Command) else said(firsts)).first)
    for nth, one in enumerate(hidden):
        if one.before == len(EVENING):
            hide(writer, one, nth)
    return campaign


# --- what a player is shown -------------------------------------------------------------------------------

IDS = re.compile(r"\be[0-9a-f]{12}")


def numbered(text: str) -> str:
    """The text with its ids numbered in the order in which they are met."""
    known: dict[str, str] = {}
    return IDS.sub(lambda found: known.setdefault(found[0], f"e{len(known)}"), text)


def transcripts(campaign: CampaignStore, viewer: Viewer) -> Iterator[tuple[str, Transcript]]:
    """Everything that can be told, in every voice."""
    for voice in VOICES:
        yield (
            f"{voice}, a book",
            of_line(LineView(campaign, 1, viewer=viewer), voice=voice, variations=True, ribbon=True),
        )
        yield f"{voice}, an evening", of_session(LineView(campaign, 1, viewer=viewer), 1, voice=voice)


def shown(campaign: CampaignStore, viewer: Viewer, eyes: str) -> dict[str, str]:
    """What this viewer is shown of the campaign beside its exports, by how it is asked for."""
    asked = LineView(campaign, 1, viewer=viewer)
    found = {f"show {name}": canonical(view.see(asked).to_json()) for name, view in VIEWS.items()}
    found |= {f"stats {name}": canonical(one.to_json()) for name, one in statistics(asked).items()}
    found["replay"] = "\n".join(replayed(campaign, viewer))
    found["export -f replay"] = canonical(whole(asked).to_json())
    conflict = next(asked.recorded(kinds=("table.conflict-opened",))).position
    found["export A..B -f replay"] = canonical(whole(asked, after=conflict).to_json())
    found["the board"] = canonical(Following.beginning(asked, asked.position).board)
    early = LineView(campaign, 1, second_evening(campaign), viewer)
    found["diff"] = canonical(compare(early, asked).to_json())
    index = Index()
    index.catch_up(campaign.record, campaign.id)
    places = [(1, campaign.record.head(1).position)]
    for word in ("secret", "the", "kit", "zel"):
        for undone in (False, True):
            matches = search(
                index,
                [LineView(campaign, *place) for place in places],
                Wanted((word,), viewer=eyes, undone=undone),
                None,
            )
            found[f"search {word} {undone}"] = canonical(matches.to_json())
    return found


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def second_evening(campaign: CampaignStore) -> int:
    rows = campaign.record.rows(1, 0, None, ("table.session-opened",))
    return [row.position for row in rows][-1]


def replayed(campaign: CampaignStore, viewer: Viewer) -> Iterator[str]:
    ids = LineView(campaign, 1, viewer=viewer).ids
    for moment in LineView(campaign, 1, viewer=viewer).moments():
        live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
        (told,) = notation(moment.table, (live,), place=ids.place)
        payload = ids.shown(moment.event, plain(moment.event))
        yield canonical([ids.at(moment.position), moment.event.kind, moment.envelope.at, payload, told])


VIEWERS = ("table", "Jon")


def viewer(campaign: CampaignStore, eyes: str) -> Viewer:
    return EVERYBODY if eyes == "table" else viewer_called(campaign.table_at(1), eyes)


HIDDEN = st.builds(
    Hidden, before=st.integers(0, len(EVENING)), how=st.integers(0, WAYS - 1), eyes=st.integers(0, 3)
)


@pytest.fixture(scope="module")
def plain_evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampaignStore]:
    """The evening with nothing hidden in it."""
    with play(tmp_path_factory.mktemp("plain") / "without.retold", []) as campaign:
        yield campaign


@pytest.fixture(scope="module")
def known(plain_evening: CampaignStore) -> dict[str, dict[str, str]]:
    """All that each viewer is shown of it."""
    return {eyes: everything(plain_evening, eyes) for eyes in VIEWERS}


def everything(campaign: CampaignStore, eyes: str) -> dict[str, str]:
    """What a viewer is shown and told, with numbers for ids."""
    looking = viewer(campaign, eyes)
    told = {what: canonical(one.to_json()) for what, one in transcripts(campaign, looking)}
    return {what: numbered(one) for what, one in (shown(campaign, looking, eyes) | told).items()}


@settings(max_examples=tries(6))
@given(hidden=st.lists(HIDDEN, min_size=1, max_size=8))
def test_hidden_events_leave_no_trace(
    tmp_path_factory: pytest.TempPathFactory, known: dict[str, dict[str, str]], hidden: list[Hidden]
) -> None:
    with play(tmp_path_factory.mktemp("twins") / "with.retold", hidden) as campaign:
        for eyes in VIEWERS:
            for what, one in everything(campaign, eyes).items():
                assert one == known[eyes][what], f"{what} --for {eyes}"


EVERYWHERE = [Hidden(before, how, how % 4) for before in range(len(EVENING) + 1) for how in range(WAYS)]


@pytest.fixture(scope="module")
def full_evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampaignStore]:
    """The evening with something hidden in every way before every line of it."""
    with play(tmp_path_factory.mktemp("full") / "with.retold", EVERYWHERE) as campaign:
        yield campaign


def test_the_game_master_sees_every_bit_of_it(full_evening: CampaignStore) -> None:
    """Else the twins would be alike because nothing was hidden in either."""
    told = canonical(of_line(LineView(full_evening, 1), voice="plain").to_json())

    assert len(set(re.findall(r"Secret \d+\.|Secretly otherwise|Kit knows", told))) > 100
    assert full_evening.record.head(1).position > 250


Told = Callable[[str], list[tuple[str, Transcript, Transcript]]]
"""Each telling for a viewer: which it is, and how it is of the plain evening and of the full one."""


@pytest.fixture(scope="module")
def told(plain_evening: CampaignStore, full_evening: CampaignStore) -> Told:
    @cache
    def found(eyes: str) -> list[tuple[str, Transcript, Transcript]]:
        both = (transcripts(one, viewer(one, eyes)) for one in (plain_evening, full_evening))
        return [(what, theirs, mine) for (what, theirs), (_, mine) in zip(*both, strict=True)]

    return found


@pytest.mark.parametrize("eyes", VIEWERS)
@pytest.mark.parametrize("name", EXPORTS)
def test_every_export_is_the_same_to_the_last_byte(told: Told, name: str, eyes: str) -> None:
    places = MECHANICS if EXPORTS[name].is_text else (MechanicsPlace.FOLDED, MechanicsPlace.FOOTNOTES)
    turn = VIEWERS.index(eyes)
    for number, (what, theirs, mine) in enumerate(told(eyes)):  # by turns, so that each place has both
        place = places[(turn + number + number // 2) % len(places)]
        one, other = (numbered(legible(name, transcript, place)) for transcript in (theirs, mine))
        assert one == other, f"{what} --for {eyes} --mechanics {place}"


@pytest.mark.parametrize("eyes", VIEWERS)
def test_every_file_of_a_site_is_the_same_to_the_last_byte(
    plain_evening: CampaignStore, full_evening: CampaignStore, eyes: str
) -> None:
    mine, theirs = (site_of(one, viewer(one, eyes)) for one in (plain_evening, full_evening))

    assert [*mine] == [*theirs]
    for name in mine:
        one, other = (numbered(unpacked(files[name].decode(errors="replace"))) for files in (mine, theirs))
        assert one == other, name


@pytest.mark.parametrize("eyes", VIEWERS)
def test_every_step_is_the_same_to_the_last_byte(
    plain_evening: CampaignStore, full_evening: CampaignStore, eyes: str
) -> None:
    theirs, mine = (
        numbered(canonical(whole(LineView(one, 1, viewer=viewer(one, eyes))).to_json()))
        for one in (plain_evening, full_evening)
    )

    assert theirs == mine
    assert len(json.loads(canonical(whole(LineView(full_evening, 1)).to_json()))["lines"]) > 1


def legible(name: str, transcript: Transcript, place: MechanicsPlace) -> str:
    """An export as text, an archive file by file; of a PDF, what it is set from: its bytes are compressed."""
    if name == "pdf":
        return canonical(page_data(transcript, place))
    return text_of(export(name, transcript, place))


def text_of(made: bytes) -> str:
    """A file as text, an archive file by file."""
    if not zipfile.is_zipfile(io.BytesIO(made)):
        return made.decode("latin-1")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        return "\n".join(f"{one}\n{archive.read(one).decode('latin-1')}" for one in archive.namelist())
