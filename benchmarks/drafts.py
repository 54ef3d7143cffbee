"""drafts: what drafts give away and lose, how edits are aligned, how long a long draft or book takes."""

from __future__ import annotations

import io
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from statistics import median

import typst
from msgspec.structs import replace
from pypdf import PdfReader
from rapidfuzz import fuzz, process

import retold
from benchmarks.measuring import Figure, Goal, Task, compare, counted, interleaved, show
from retold.__main__ import main as command
from retold.drafts.alignment import align
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.draft_joining import join
from retold.journal.store.writing.drafts import Draft, Scope
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block
from retold.projections.exports import export
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.journal.store.writing.test_draft_joining import random_revision, text, written
from tests.retold.drafts.alignment.edits import edits, long_text, score
from tests.retold.drafts.played import SECRETS, Table, played

EVENINGS, PAIRS, PARAGRAPHS, PAGES = (
    (80, 1_000, 3_000, 600) if "RETOLD_BENCH_DRAFTS" not in os.environ else (2, 20, 60, 3)
)
"""Evenings with planted secrets, pairs of writers, paragraphs of a long draft, and pages of a long book."""

ROUNDS = 7
REVISIONS = 100
"""Revisions of one block each, after the first, of the long draft."""
ALIGNED = 5
"""Seconds that aligning the long draft may take."""
VIEWERS = ("table", "Zel", "Ana")
PLANTED = {
    "paid by the captain": (),
    "Morvane": (),
    "drowned ledger": (),
    "third plank": (),
    "compass": ("Ana",),
}
"""Words of the secrets, each with the viewers who may read them."""
WORDS = (
    *("the", "tide", "had", "turned", "and", "nobody", "spoke", "for", "an", "hour"),
    *("while", "rain", "fell", "on", "every", "roof", "of", "that", "town"),
)
EXAMPLES = Path(__file__).parent.parent / "examples"
WAREHOUSE = EXAMPLES / "edgerunner" / "warehouse.session"


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        os.environ["RETOLD_HOME"] = str(here / "home")
        return [*_secrets(here), _pairs(), *_edits(), _aligned(), _read(here), *_printed(here), *_book(here)]


# --- secrets and words ---


def _secrets(folder: Path) -> Iterator[Figure]:
    """Evenings with secrets, each edited twice by chance, and read by everybody but the game master."""
    found: Counter[str] = Counter()
    for seed in range(EVENINGS):
        (folder / f"{seed}").mkdir()
        table = played(folder / f"{seed}", secrets=True)
        table.begin(reader="gm")
        luck = random.Random(seed)
        for _ in range(2):
            table.take(_edited_by_chance(table.sent(), luck))
        for whose in VIEWERS:
            found += _copy(table, whose)
        table.campaign.close()
    what = f"planted secrets in {found['copies']} copies of {EVENINGS} drafts, each edited twice by chance"
    refused = f"a count; {found['refused']} more were refused"
    yield _none("drafts", what, found["leaks"], found["copies"], refused)
    yield counted(
        "drafts",
        "the same drafts as the game master reads them, the control: copies with a planted secret",
        found["secret"],
        n=len(VIEWERS) * EVENINGS,
        goal="≥ 1",
        met=found["secret"] >= 1,
        how="a count",
    )


def _copy(table: Table, whose: str) -> Counter[str]:
    """Counts a viewer's copy, what it gives away, and whether the game master's would give something away."""
    secrets = [words for words, known in PLANTED.items() if whose not in known]
    found = Counter(secret=any(words in "\n".join(table.read_by("gm")) for words in secrets))
    try:
        copy = "\n".join(table.read_by(whose))
    except Refused:
        return found + Counter(refused=1)
    return found + Counter(copies=1, leaks=sum(words in copy for words in secrets))


def _edited_by_chance(sent: str, luck: random.Random) -> str:
    """A draft with paragraphs cut, merged, split, moved, rewritten and added."""
    *paragraphs, mark = sent.strip().split("\n\n")
    for _ in range(luck.randint(3, 6)):
        at = luck.choice([n for n, one in enumerate(paragraphs) if not one.startswith("#")])
        words = paragraphs[at].split()
        match luck.randrange(6):
            case 0:
                del paragraphs[at]
            case 1 if at + 1 < len(paragraphs) and not paragraphs[at + 1].startswith("#"):
                paragraphs[at] += f" {paragraphs.pop(at + 1)}"
            case 2 if len(words) > 1:
                half = luck.randrange(1, len(words))
                paragraphs[at : at + 1] = [" ".join(words[:half]), " ".join(words[half:])]
            case 3:
                paragraphs.insert(luck.randrange(1, len(paragraphs)), paragraphs.pop(at))
            case 4:
                kept = [luck.choice((one, one, one, luck.choice(WORDS))) for one in words]
                paragraphs[at] = " ".join(kept)
            case _:
                said = luck.choice((*SECRETS.values(), *[""] * 8)).partition(": ")[2]
                paragraphs.insert(at, f"{' '.join(luck.choices(WORDS, k=9))}. {said}".strip())
    return "\n\n".join((*paragraphs, mark))


def _pairs() -> Figure:
    """Pairs of revisions of one draft, joined: wordings that either writer made and the result has not."""
    lost = 0
    for seed in range(PAIRS):
        luck = random.Random(seed)
        base = text(*range(1, luck.randrange(2, 9)))
        ours, theirs = random_revision(base, luck, "a"), random_revision(base, luck, "b")
        lost += len((written(ours) | written(theirs)) - written(base) - written(join(base, ours, theirs)))
    return _none(
        "drafts", f"wordings lost where {PAIRS:,} pairs of two writers were joined", lost, PAIRS, "a count"
    )


# --- alignment ---


def _edits() -> Iterator[Figure]:
    """Twenty edits by hand, aligned: paragraphs that are right, and links that are."""
    scores = [score(edit, align(edit.sent, edit.came)) for edit in edits()]
    for what, right, n, least in (
        (
            "paragraphs aligned exactly",
            sum(one.exact for one in scores),
            sum(one.units for one in scores),
            0.95,
        ),
        (
            "links that are right",
            sum(one.right_links for one in scores),
            sum(one.links for one in scores),
            0.99,
        ),
    ):
        share = round(right / n, 3)
        yield counted(
            "drafts",
            f"{len(scores)} edits by hand: share of {what}",
            share,
            n=n,
            goal=f"≥ {least:g}",
            met=share >= least,
            how=f"a count: {right} of {n}",
        )


def _aligned() -> Figure:
    """A long text whose paragraphs were edited or cut, against rapidfuzz: each block's likest paragraph."""
    sent, came = long_text(PARAGRAPHS)
    texts, back = [one.text for one in sent], [one.text for one in came]
    tasks: dict[str, Task] = {
        "ours": lambda: align(sent, came),
        "rapidfuzz": lambda: [process.extractOne(one, back, scorer=fuzz.ratio) for one in texts],
    }
    seconds = interleaved(tasks, ROUNDS)
    taken = _processor_time(tasks["ours"])
    what = f"{PARAGRAPHS:,} paragraphs aligned: {taken:.2g} s of one core, of {ALIGNED} s that it may take"
    return compare("drafts", what, seconds, "ours", "rapidfuzz", n=PARAGRAPHS, goal=Goal(1.0))


def _processor_time(task: Task) -> float:
    """Seconds of one core, which other processes lengthen less."""
    start = time.process_time()
    task()
    return time.process_time() - start


# --- a long draft ---


def _read(folder: Path) -> Figure:
    """Measures reading a further revision of a long draft, against reading its first revision."""
    with CampaignStore.create(folder / "long.retold") as campaign:
        table = Table(campaign)
        table.say("cast Zel", "session One")
        scope = Scope(1, 1, campaign.record.head(1).position, "prose", "gm")
        blocks = [Block(id=n, sort="text", text=Words(f"Paragraph {n}.")) for n in range(1, PARAGRAPHS + 1)]
        with campaign.record.writing():
            short, long = (campaign.drafts.begin(Words(name), scope, blocks, Manner()) for name in ("s", "l"))
            for n in range(REVISIONS):
                long = _revised(campaign, long, n % PARAGRAPHS)
        tasks: dict[str, Task] = {
            "long": lambda: campaign.drafts.read(long.number),
            "short": lambda: campaign.drafts.read(short.number),
        }
        seconds = interleaved(tasks, ROUNDS)
    added = [both - one for both, one in zip(seconds["long"], seconds["short"], strict=True)]
    each = 1000 * median(added) / REVISIONS
    what = f"a further revision of a draft of {PARAGRAPHS:,} blocks read: {each:.2g} ms"
    took = {"ours": added, "the first revision read": seconds["short"]}
    goal = Goal(0.05)
    return compare("drafts", what, took, "ours", "the first revision read", n=REVISIONS, peer_n=1, goal=goal)


def _revised(campaign: CampaignStore, draft: Draft, at: int) -> Draft:
    blocks = list(draft.latest.blocks)
    blocks[at] = replace(blocks[at], text=Words(f"{blocks[at].text.text} Again."))
    return campaign.drafts.revise(draft, blocks, Manner())


# --- a book ---


def _printed(folder: Path) -> Iterator[Figure]:
    """Counts words per page of the warehouse evening as PDF: a book, and a report."""
    place = folder / "warehouse.retold"
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        if command(["run", "--new", "-q", "-c", str(place), str(WAREHOUSE)]):
            sys.exit(f"{WAREHOUSE} does not play.")
    with CampaignStore.open(place, read_only=True) as store:
        for how, voice, mechanics in (
            ("a book", "prose", "appendix"),
            ("a report", "report", VOICES["report"].mechanics),
        ):
            told = of_session(LineView(store, 1), 1, voice=VOICES[voice])
            pages = _words(export("pdf", told, mechanics))
            story = sum(_words(export("pdf", told, "none")))
            yield counted(
                "drafts",
                f"words on a page, the warehouse printed as {how}",
                round(sum(pages) / len(pages)),
                n=len(pages),
                goal="-",
                met=None,
                how=f"a count: {sum(pages):,} words, {story:,} of them without numbers",
            )


def _words(pdf: bytes) -> list[int]:
    """The number of words on each page."""
    return [len(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def _book(folder: Path) -> Iterator[Figure]:
    """Times a tenth of a long book against Typst alone, and the whole book once."""
    few, all_ = max(1, PAGES // 10), PAGES
    with retold.new(folder / "book.retold") as campaign:
        campaign.play("\n".join(_story(all_)))
        reading = LineView(campaign.scribe.campaign, 1)
        part = of_session(reading, 1, voice=VOICES["prose"])
        whole = of_line(reading, voice=VOICES["prose"])
    ours = export("pdf", part, "appendix")
    pages = len(_words(ours))
    plain = "\n\n".join(line.partition(": ")[2] for line in _story(few) if line.startswith("narrate"))
    tasks: dict[str, Task] = {
        "ours": lambda: export("pdf", part, "appendix"),
        "Typst alone": lambda: typst.compile(plain.encode()),
    }
    seconds = interleaved(tasks, ROUNDS)
    what = f"a PDF of {pages} pages: {median(seconds['ours']):.2g} s"
    yield compare("drafts", what, seconds, "ours", "Typst alone", n=pages, goal=Goal(5.0))
    short = _processor_time(tasks["ours"])
    whole_book: list[bytes] = []
    long = _processor_time(lambda: whole_book.append(export("pdf", whole, "appendix")))
    many = len(_words(whole_book[0]))
    yield counted(
        "drafts",
        f"a page of a PDF of {many} pages, in times one of {pages}",
        float(f"{(long / many) / (short / pages):.3g}"),
        n=many,
        goal="-",
        met=None,
        how=f"the shorter PDF, in processor time; ours {long:.3g} s",
    )


def _story(pages: int) -> Iterator[str]:
    """The lines of a campaign whose book has about so many pages, a tenth of them in its first session."""
    luck = random.Random(1)
    yield from ("cast Zel", "cast Ana")
    first = max(1, PAGES // 10)
    for page in range(pages):
        if page % first == 0:
            yield from ("end session",) if page else ()
            yield f"session Evening {page // first + 1}"
        if page % 5 == 0:
            yield f"scene Place {page}: {_sentence(luck)}"
        for _ in range(8):
            yield f"narrate {luck.choice(('Zel', 'Ana'))}: {' '.join(_sentence(luck) for _ in range(4))}"


def _sentence(luck: random.Random) -> str:
    return f"{' '.join(luck.choices(WORDS, k=14)).capitalize()}."


def _none(id_: str, what: str, number: int, n: int, how: str) -> Figure:
    return counted(id_, what, number, n=n, goal="= 0", met=number == 0, how=how)


if __name__ == "__main__":
    show(run())
