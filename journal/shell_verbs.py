"""The verbs of the command line, such as `retold show`, with which no line of the table begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class ShellVerb(NamedTuple):
    """A verb of the command line: the first sentence of its help, and words that may follow it.

    What it does is the function `command` of a module in `cli`, or of a feature.
    """

    about: str
    words: tuple[str, ...] = ()


GROUPS: Final[Mapping[str, Mapping[str, ShellVerb]]] = {
    "At the table": {
        "play": ShellVerb("Write down the evening at a console, with completion and a status line."),
        "home": ShellVerb(
            "Open your campaigns in the browser, for this computer alone: begin one, play, bring one back."
        ),
        "serve": ShellVerb("Put a campaign on its players' phones, live, and take the lines they hand in."),
        "proposals": ShellVerb(
            "Show unanswered proposals that players sent by phone; accept or refuse them.",
            ("take", "refuse"),
        ),
        "run": ShellVerb("Play a session script; it stops at the first line that is refused."),
        "can": ShellVerb(
            "List the lines that may be typed now, each with its result in numbers; it recommends none."
        ),
    },
    "Looking back": {
        "recap": ShellVerb(
            "Say how the last session ended, what changed, what is open and who is who: a minute, read aloud."
        ),
        "show": ShellVerb("Show the state of the table: a summary, or one view, at any moment."),
        "who": ShellVerb(
            (
                "Show everything about a person, thread, place or thing: sessions, changes, state, "
                "quotes, players."
            ),
        ),
        "log": ShellVerb("Show what was recorded, event by event, in notation."),
        "search": ShellVerb(
            "Find what was said, by its words: narration, speech, notes, names, all that is free text."
        ),
        "stats": ShellVerb(
            (
                "Count what can be counted: luck against its exact odds, who told how much, time, "
                "compels, counts."
            ),
        ),
        "replay": ShellVerb("Go through the line again, moment by moment, with the state beside it."),
        "diff": ShellVerb("Compare two lines: what differs in state, then in story, from where they part."),
        "branches": ShellVerb(
            "List the lines of the campaign: name, where it leaves its parent, where it ends."
        ),
    },
    "Telling it": {
        "export": ShellVerb(
            (
                "Tell a session as prose, or a campaign as a book: Markdown, HTML, text, JSON, EPUB, "
                "DOCX, ODT or PDF."
            ),
        ),
        "draft": ShellVerb(
            (
                "Make a text of the record, have it edited elsewhere, take it back, and see what the "
                "record changed."
            ),
            (
                "at",
                "by",
                "check",
                "cut",
                "diff",
                "log",
                "new",
                "ok",
                "open",
                "publish",
                "redo",
                "send",
                "settle",
                "show",
                "take",
                "take-new",
                "undo",
                "withdraw",
            ),
        ),
        "mcp": ShellVerb(
            ("Let an assistant read a campaign as one viewer may know it, over the Model Context Protocol."),
        ),
        "voices": ShellVerb(
            "List who can tell a session, and in which languages: Retold's own voices, and yours."
        ),
    },
    "Campaigns and copies": {
        "new": ShellVerb("Begin a campaign: one file that holds everything."),
        "import": ShellVerb(
            (
                "Take in the log of another tool: Discord, a virtual tabletop, a text; again, and only "
                "what is new."
            ),
        ),
        "dump": ShellVerb(
            (
                "Write the whole record as text (JSON Lines), or with --script one line as a script that "
                "plays it again."
            ),
        ),
        "load": ShellVerb(
            "Make a campaign from a dump, identical to the last hash; if anything is wrong, nothing is made."
        ),
        "backup": ShellVerb("Copy the campaign whole, also in the middle of a session."),
        "copy": ShellVerb(
            "Copy a campaign into a new place, identical to the last hash; nothing is ever written over."
        ),
        "sync": ShellVerb(
            "Bring two copies of a campaign together: each gets what it lacks, or you hear where they part."
        ),
        "server": ShellVerb(
            "Keep campaigns on a PostgreSQL server: make its tables, list campaigns, let accounts write.",
            ("forbid", "let", "list", "prepare", "remove"),
        ),
    },
    "Safe": {
        "verify": ShellVerb(
            (
                "Check the record: file, hashes, texts; with --rules and --chance also every decision and"
                " every deal."
            ),
        ),
        "head": ShellVerb(
            "Print a receipt for each line: its last position, and the hash of everything before."
        ),
        "doctor": ShellVerb(
            "Report risks and damage of the campaign here, with remedies; the campaign is only read."
        ),
    },
    "Retold itself": {
        "systems": ShellVerb(
            "List the games that can be played, or one game with its verbs, options and sheet."
        ),
        "demo": ShellVerb("See it all in a minute: record, replay, branch, compare, tell."),
        "completion": ShellVerb("Print the completion script for your shell."),
        "new-game": ShellVerb("Begin a game of your own: a package with rules, voice, evening and tests."),
    },
}
"""Every one but `help`, by its group in help. A test compares each sentence with the verb's own help."""

SHELL_VERBS: Final[Mapping[str, ShellVerb]] = {
    verb: declared for verbs in GROUPS.values() for verb, declared in verbs.items()
}
