"""A made-up evening that was recorded: as subtitles, as transcripts, and as one file for each speaker."""

from __future__ import annotations

import json

VTT = """WEBVTT - The Ferry, third evening
Kind: captions

NOTE
Made by hand, from the recording.

STYLE
::cue { color: white }

1
00:00:01.000 --> 00:00:03.200 align:start
<v Mary>The fog does not lift, it <i>leans</i>.

2
00:00:04.000 --> 00:00:05.000
<v.loud Mary>A bell &amp; nobody near it.

00:07.500 --> 00:09.000
<v Zel>I pick the lock.</v>
<v Pell>Of course you do.

00:00:09.500 --> 00:00:09.900
<v Pell>… and I hold the lamp.

00:00:20.000 --> 00:00:21.000
A door.

00:00:21.500 --> 00:00:22.000

00:00:99.000 --> 00:xx
<v Zel>A time that is none.
"""

SRT = """1
00:00:01,000 --> 00:00:03,200
Mary: The fog does not lift,
it leans.

2
00:00:04,000 --> 00:00:05,000
Mary: …like a guest.

3
00:00:05,500 --> 00:00:07,000
Zel: I pick the lock.
Pell: Of course you do.

4
00:00:07,200 --> 00:00:08,000
Zel (quietly): {\\an8}<b>Done.</b>

5
00:00:10,500 --> 00:00:11,000
Pell: Good.

6
00:00:30,000 --> 00:00:31,000
[SPEAKER_01]: Is anybody writing this down?

7
00:00:32,000 --> 00:00:33,000
(speaker 2) Always.

8
00:01:00,000 --> 00:01:02,000
Thanks for watching!
"""

WHISPER = (
    json.dumps(
        {
            "text": " The fog does not lift. A bell. A bell. A bell. Who pays?",
            "segments": [
                {
                    "id": 0,
                    "seek": 0,
                    "start": 0.0,
                    "end": 2.48,
                    "text": " The fog does not lift.",
                    "speaker": "SPEAKER_00",
                },
                *(
                    {
                        "id": n,
                        "seek": 0,
                        "start": 3.0 + 3 * n,
                        "end": 4.0 + 3 * n,
                        "text": " A bell.",
                        "speaker": "SPEAKER_00",
                    }
                    for n in (1, 2, 3)
                ),
                {"id": 4, "seek": 0, "start": 20.5, "end": 21.25, "text": " Who pays?", "language": "en"},
                {"id": 5, "seek": 0, "text": " Nobody says when."},
            ],
            "language": "en",
        },
        ensure_ascii=False,
        indent=1,
    )
    + "\n"
)

TSV = (
    "start\tend\ttext\n0\t2480\tThe fog does not lift.\n3000\t4000\tA bell.\nlate\t5000\tNobody says when.\n"
)

CRAIG = {
    "info.txt": (
        "Recording abcDEF\n\nGuild:\t\tSalt (1)\nChannel:\tthe-table (7)\nRequester:\tmary\n"
        "Start time:\t2026-03-01T19:30:05.250Z\n\nTracks:\n\tmary (44)\n\tzel (45)\n"
    ),
    "1-mary_0.srt": (
        "1\n00:00:01,000 --> 00:00:03,000\nThe fog does not lift.\n\n"
        "2\n00:00:03,500 --> 00:00:04,500\nIt leans.\n\n"
        "3\n00:00:08,000 --> 00:00:09,000\nAnd the door?\n"
    ),
    "2-zel.json": json.dumps(
        {
            "text": " I pick the lock. Done.",
            "segments": [
                {"start": 5.0, "end": 6.0, "text": " I pick the lock."},
                {"start": 9.5, "end": 10.0, "text": " Done."},
            ],
        }
    ),
    "2-zel.srt": (
        "1\n00:00:05,000 --> 00:00:06,000\nI pick the lock.\n\n2\n00:00:09,500 --> 00:00:10,000\nDone.\n"
    ),
}
"""Folder of a recording by Craig; a transcriber wrote the second track twice."""

FILES = {
    "evening.vtt": VTT,
    "evening.srt": SRT,
    "whisper.json": WHISPER,
    "whisper.tsv": TSV,
    **{f"craig/{name}": text for name, text in CRAIG.items()},
}
"""Text of each example."""
SOURCES = ("evening.vtt", "evening.srt", "whisper.json", "whisper.tsv", "craig")
"""Names of the sources; the last is a folder."""
