"""Words planted where a source hides them: no byte of a player's copy depends on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retold.sources import Hints, Order, read
from retold.sources.answers import Answers, Person, Unmarked
from tests.retold.importing.given import begun

PLAYED = "played"
"""Word that every planted source tells openly."""
ANSWERS = Answers(
    zone="Europe/Lisbon",
    game_master=("Mary", "GM"),
    people={"Zel": Person(plays="Jon"), "Pell": Person(plays="Ana")},
    unmarked=Unmarked.TABLE,
    began="2026-03-01T19:30",
    audience={"HO1": ("gm",)},
)
PAGE = f"""\
# Session 3
It is {PLAYED}. %%The inline SECRET%% Then it stops.

%%
A SECRET of several

paragraphs
%%
## The quay %%a SECRET in a heading%%
- one <!-- a SECRET in a list --> two

> [!secret]- The SECRET's title
> A SECRET in a callout.

> [!note] A fold
> %%a quoted SECRET%%
> Open words.

**Zel:** "I go." %%a SECRET behind a speech%%
**Zel:** "I am there." <!-- SECRET
SECRET --> Late.

```mermaid
%% graph
```
It ends %%with a SECRET%% here. %%A SECRET without end
"""
SPOKEN = f"""\
**Mary:** The door. %%A SECRET%%
**Zel:** I go. <!-- the SECRET -->
%%
Mary: the warder is a SECRET
%%
**Mary:** It is {PLAYED}.
**Zel:** On.
**Mary:** Yes.
**Zel:** And in.
"""
NOTATION = f"""\
## Session 1
```
@(Zel) Pick the lock %%the SECRET alarm%%
d: 2d6=8 vs TN 7 -> Success <!-- a SECRET -->
=> It is {PLAYED}. %%[N:Warder|SECRET]%%
```
Prose %%with a SECRET
in it%% goes on.
"""
MEETING = f"""\
19:42:10 From Mary to Everyone: It is {PLAYED}.
19:43:10 From Zel to Everyone: Who is there?
19:44:10 From Mary to Zel (Direct Message): A SECRET
19:45:10 From Zel to Mary (Privately): The SECRET?
19:46:10 From Zel to Everyone: So.
"""
BEYOND = f"""\
Zel
{PLAYED}: check
14+3
1d20+3
17
8:01 PM
Mary
To: DM
SECRET: check
15
1d20
15
8:02 PM
Zel
To: Self
SECRET: roll
5+1
1d6+1
6
8:03 PM
"""
MAPTOOL = f"""\
<html><head><style><!-- .emit --></style></head><body id="body">
<div class="say"><table class="ava-msg"><tr valign="top"><td class="message">
<span class="prefix">Zel:</span> <span>It is {PLAYED}. <!-- a SECRET --></span></td></tr></table></div>
<div class="whisper">Zel whispers: A SECRET?</div>
<div class="whisper">You whisper to Zel: The SECRET.</div>
<div class="to-gm"><span class="prefix">Zel says to the GMs:</span> my SECRET</div>
<div class="self">a SECRET of mine</div>
<div>* Zel rolls to you: 1d20 =&gt; 12 SECRET</div>
<div>* Zel w&#252;rfelt f&#252;r dich: 1d20 =&gt; 12 SECRET</div>
<div>You roll secretly: 1d20 =&gt; 12 SECRET</div>
<div>a SECRET by a macro</div>
</body></html>
"""
COLOURED = f"""\
<b>Session started at 2026-03-01 / 19:40</b><br />
<font color="#000066">Zel: It is {PLAYED}.</font><br />
<font color="#000066">Mary -&#62; Zel: The SECRET.</font><br />
<font color="#000066"> -&#62; Zel: Another SECRET.</font><br />
<font color="#660066">Zel: [TOWER] [CHECK] SECRET</font> [d20+1 = 9]<br />
<font color="#660066">Zel: [GM] SECRET</font> [1d20 = 9]<br />
"""


def _room(*messages: tuple[str, str, str]) -> str:
    rows = "".join(
        f'<p style="color:#888888;">\n <span> [{tab}]</span>\n <span>{name}</span> :\n'
        f" <span>\n  {words}\n </span>\n</p>\n"
        for tab, name, words in messages
    )
    return (
        f'<!DOCTYPE html><html lang="ja"><head><title>ccfolia - logs</title></head><body>{rows}</body></html>'
    )


def _world(*messages: dict[str, object]) -> str:
    """Archive of a module of Foundry."""
    return json.dumps(
        [
            {
                "_id": f"m{number:015}",
                "type": "base",
                "style": 2,
                "author": "u1",
                "timestamp": 1_772_394_130_123 + number * 1000,
                "speaker": {"alias": "Zel"},
                "whisper": [],
                "blind": False,
                "flags": {},
                "rolls": [],
                **one,
            }
            for number, one in enumerate(messages)
        ]
    )


PLANTED = {
    "iron-vault": ("note.md", PAGE),
    "plain": ("evening.md", SPOKEN),
    "lonelog": ("log.md", NOTATION),
    "meeting": ("chat.txt", MEETING),
    "beyond": ("log.txt", BEYOND),
    "maptool": ("chatlog-2026-03-01-19-42.html", MAPTOOL),
    "fantasy-grounds": ("chatlog.html", COLOURED),
    "cocofolia": (
        "room.html",
        _room(("main", "Zel", f"It is {PLAYED}."), ("HO1", "Mary", "A SECRET."), ("HO1", "Zel", "SECRET?")),
    ),
    "foundry-json": (
        "chat.json",
        _world(
            {"content": f"It is {PLAYED}."},
            {"content": "A SECRET.", "whisper": ["gm1"]},
            {"content": '<p>Open.</p><section class="secret">The SECRET.</section>'},
            {"content": "A blind SECRET.", "blind": True, "whisper": ["gm1"]},
        ),
    ),
}
"""File by reader or shape, with SECRET at every place that the players do not see."""


@pytest.mark.parametrize("name", PLANTED)
def test_no_byte_for_players_depends_on_what_a_source_hides(tmp_path: Path, name: str) -> None:
    file, text = PLANTED[name]
    copies, known = [], []
    for place, word in enumerate(("Murderer", "Sisters of the tide")):
        path = tmp_path / str(place) / file
        path.parent.mkdir()
        path.write_text(text.replace("SECRET", word), "utf-8")
        reader = name if name in ("iron-vault", "plain", "lonelog", "maptool") else ""
        with begun(path.parent / "x.retold") as campaign:
            campaign.take_in([read(path, format=reader, hints=Hints(dates=Order.MONTH_FIRST))], ANSWERS)
            reading = campaign.seen_by("table")
            known.append("\n".join(event.told for event in campaign.happened()))
            parts = [event.told for event in reading.happened()]
            copies.append(
                [*parts, *(reading.export(form, "book", mechanics="inline").decode() for form in SEEN)]
            )
        assert known[-1].count(word) == text.count("SECRET") - LOST.get(name, 0)
        assert not [part for part in copies[-1] if word in part]
        assert any(PLAYED in part for part in parts)
    assert copies[0] == copies[1]


SEEN = ("markdown", "text", "fountain")
"""Formats without the ids of events, which differ from campaign to campaign."""
LOST = {"maptool": 1}
"""Number of planted words that are in no event, such as those of a page's own comments."""
