"""People behind the labels of a source, as the answers name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.naming import GM_WORDS
from retold.journal.language.tokens import CONTROL
from retold.journal.language.writing import in_quotes
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.sources.answers import BOT, UNNAMED, Answers, folded_label
from retold.sources.game_masters import without_mark


class Part(StrEnum):
    """Role of a speaker in a log."""

    PERSON = "person"
    GAME_MASTER = "game master"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Participant:
    """Speaker, thrower or recipient in a log, as the answers identify them."""

    part: Part
    label: str = ""
    """Label of the source."""
    name: str = ""
    """Name in the campaign."""
    player: str = ""
    """Player of the character; empty where the game master plays them."""
    is_bot: bool = False
    is_skipped: bool = False
    """True if the answers leave out what they say."""
    character: str = ""
    """For a player: a character of theirs, who comes into the cast with them."""

    @property
    def is_person(self) -> bool:
        """True for a member of the cast other than the game master."""
        return self.part is Part.PERSON


GAME_MASTER = Participant(Part.GAME_MASTER)
NOBODY = Participant(Part.NOBODY)


class People:
    """Finds the people behind labels."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        names = {label: on_one_line(_NO_NAME.sub(" ", without_mark(label))) for label in answers.game_master}
        self._game_masters = {
            folded_label(label): name[:_LONGEST_NAME].strip(" .'-") for label, name in names.items()
        }
        """Name of each game master by label: without `(GM)`, and without signs that part names."""
        self._known: dict[tuple[str, str], Participant] = {}
        self._played = {
            folded_label(one.plays): name for name, one in reversed(list(answers.people.items())) if one.plays
        }
        """First character of each player."""

    def speaker(self, label: str, account: str = "") -> Participant:
        """Participant behind a label and account; NOBODY without a label."""
        found = self._known.get((label, account))
        if found is None:
            found = self._known[label, account] = self._speaker(label, account)
        return found

    def _speaker(self, label: str, account: str) -> Participant:
        if label == UNNAMED:
            return NOBODY
        name = self._answers.person_of(label, account) if label else None
        if label and any(map(self.is_game_master, (label, name or ""))):
            master = self._game_masters.get(folded_label(label)) or self._game_masters.get(
                folded_label(name or "")
            )
            return Participant(Part.GAME_MASTER, label, master or "")
        if name is None:
            return Participant(Part.NOBODY, label)
        person, plain = self._answers.people[name], on_one_line(name)
        if person.role in (BOT, "nobody") or not is_name(plain):
            is_bot, is_skipped = person.role == BOT, person.role == "nobody"
            return Participant(Part.NOBODY, label, is_bot=is_bot, is_skipped=is_skipped)
        player = on_one_line(person.plays)
        if person.role == "npc" or normalise(player) == normalise(plain) or self.is_game_master(player):
            player = ""
        player = player if is_name(player) else ""
        character = self._played.get(folded_label(name), "")
        if folded_label(character) == folded_label(name) or player:
            character = ""
        return Participant(Part.PERSON, label, plain, player, character=character)

    def named(self, name: str) -> Participant:
        """Person named by a source; the answers need not know them."""
        found = self.speaker(name)
        plain = on_one_line(name)
        if found.part is not Part.NOBODY or not is_name(plain):
            return found
        return Participant(Part.PERSON, name, plain)

    def viewer(self, label: str) -> Participant:
        """Viewer of a hidden unit; for a player's own name a character of theirs."""
        found = self.speaker(label)
        character = self._played.get(folded_label(label))
        return self.speaker(character) if found.part is Part.NOBODY and character else found

    @property
    def language(self) -> str:
        """Tag of the language of the words, as the answers say; empty if they do not."""
        return self._answers.language

    @property
    def game_masters(self) -> tuple[str, ...]:
        """Names of the game masters, in the order of the answers."""
        return tuple(self._game_masters.values())

    def is_game_master(self, label: str) -> bool:
        """True for a label of the game master, and for common words such as `gm`."""
        return folded_label(label) in self._game_masters or normalise(label) in GM_WORDS


_NO_NAME: Final = re.compile(r"[^\w .'\u2019-]+")
_LONGEST_NAME: Final = 60


def is_name(name: str) -> bool:
    """True if the language accepts this as a person's name."""
    if normalise(name) in ("", TABLE):
        return False
    try:
        command = bind(lex(f"cast {in_quotes(name)}"), Scope(Table())).command
    except Refused:
        return False
    return isinstance(command, c.Cast) and command.who == Words(name)


def on_one_line(name: str) -> str:
    """Name without line breaks and runs of blanks; no typed line holds a control character."""
    return " ".join(CONTROL.sub("\ufffd", " ".join(name.split())).split())
