"""Questions for the table about sources, each with a proposal, and the edits that an answer makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

from retold.sources.answers import (
    NOBODY,
    ONLY_GM,
    UNKNOWN,
    UNNAMED,
    Answers,
    Comment,
    Person,
    Unmarked,
    Use,
    folded_label,
)
from retold.sources.dice import generic
from retold.sources.evenings import GAP, by_room, evenings, is_by_post, rule_of
from retold.sources.game_masters import says_game_master
from retold.sources.heads import form_of
from retold.sources.survey import FEW, Cast, Speaker, Survey
from retold.sources.table_talk import ACTS
from retold.sources.times import Order
from retold.sources.unit import Sort

SAMPLE: Final = 60
"""Characters of a sample in a question."""
GAP_RULE: Final = f"gap {GAP.seconds // 3600}h"
BY_POST_RULE: Final = "week"
MOST_ALONE: Final = 12
"""Number of speakers that are asked about one by one: those who speak most."""
MANY: Final = 100
"""Units of a log in which a label that is heard once is proposed as `nobody`."""
MOST_NAMED: Final = 8
"""Labels that a sentence names."""
OF_NO_DAY: Final = "On which day does the log begin? Its lines have hours and no day."
OF_NO_DAYS: Final = (
    "On which day do the {number} logs without days begin? One answer is for all of them. For evenings of"
    " several days, name each file by its day, such as 2026-03-01.log, or import them one by one."
)
OFFERED_RULES: Final = (GAP_RULE, "day", "week", "thread", "one")


class About(StrEnum):
    """Subject of a question."""

    PATTERN = "pattern"
    COLUMNS = "columns"
    DATES = "dates"
    BEGAN = "began"
    ZONE = "zone"
    LANGUAGE = "language"
    ACTS = "acts"
    SESSIONS = "sessions"
    GAME_MASTER = "game master"
    UNMARKED = "unmarked"
    AUDIENCE = "audience"
    CHANNELS = "channels"
    ACCOUNTS = "accounts"
    PERSON = "person"


FOR_PEOPLE: Final = (About.PATTERN, About.COLUMNS, About.CHANNELS, About.LANGUAGE, About.ACTS)
"""Questions that people alone are asked: a program reads a file as it wants, and has a channel that it does
not name for story, and words in the language of the campaign."""


class Role(StrEnum):
    """Role that an answer gives to a label, sometimes with a name."""

    BY = "by"
    """A character; the name is the player's."""
    PLAYS = "plays"
    """A player; the name is the character's."""
    IS = "is"
    """Person with another label; the name is theirs."""
    PLAYER = "player"
    """A player who speaks under their own name."""
    NPC = "npc"
    GM = "gm"
    BOT = "bot"
    NOBODY = "nobody"


class Said(NamedTuple):
    """Answer about a label, such as `by Jon`."""

    role: Role
    name: str = ""

    def __str__(self) -> str:
        return f"{self.role} {self.name}" if self.name else self.role.value


class Edit(NamedTuple):
    """Value for the answers' file, with its path."""

    path: tuple[str, ...]
    value: str | tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """Question for the table: a sentence, and the lines that answer it."""

    about: About
    text: str
    table: str
    """Table of the file that has the answer; empty for the top."""
    proposal: tuple[tuple[str, Any], ...]
    """Keys and values that are proposed; for `people` the value is a table."""
    is_needed: bool = True
    """False if the proposal holds unless said otherwise."""
    speaker: Speaker | None = None
    said: Said | None = None
    """Proposal about a speaker."""
    group: tuple[tuple[Speaker, Said], ...] = ()
    """Speakers who are asked about together, with proposals."""

    @property
    def comment(self) -> Comment:
        """The question as written in the answers' file."""
        return Comment(self.text, self.table, self.proposal)

    @property
    def speakers(self) -> tuple[Speaker, ...]:
        """Speakers that it asks about."""
        alone = () if self.speaker is None else (self.speaker,)
        return alone + tuple(speaker for speaker, _ in self.group)


def questions(answers: Answers, survey: Survey) -> list[Question]:
    """Open questions about sources, in the order in which they are asked."""
    return [
        *_of_the_shape(answers, survey),
        *_of_time(answers, survey),
        *_of_the_language(answers, survey),
        *_of_acts(answers, survey),
        *_of_the_game_master(answers, survey),
        *_of_what_is_hidden(answers, survey),
        *_of_channels(answers, survey),
        *_of_people(answers, survey),
        *_of_hidden_channels(answers, survey),
    ]


def _of_the_shape(answers: Answers, survey: Survey) -> Iterator[Question]:
    shape = survey.report.tally.pattern.strip("`")
    form = form_of(shape)
    if form is not None and not form.is_sure and not answers.pattern:
        text = f"Is this the shape of the lines: {shape}? It fits most of them."
        yield Question(About.PATTERN, text, "", (("pattern", shape),))
    if survey.headings and not answers.columns:
        text = "What is in the columns: name, words, time, channel?"
        yield Question(About.COLUMNS, text, "columns", tuple(survey.headings.items()))


def _of_time(answers: Answers, survey: Survey) -> Iterator[Question]:
    report = survey.report
    if report.tally.dates_unclear and answers.dates is None:
        text = "Do the dates in the file begin with the day or with the month?"
        yield Question(About.DATES, text, "", (("dates", Order.MONTH_FIRST.value),))
    if (report.without_hour or report.without_day) and not answers.began:
        files = len(report.files_without_day)
        of_no_day = OF_NO_DAY if files < 2 else OF_NO_DAYS.format(number=files)
        text = "When did the recording begin? The date and the hour." if report.without_hour else of_no_day
        starts = rule_of(answers.sessions).starts if answers.sessions and not report.without_hour else ()
        day = starts[0].date().isoformat() if starts else UNKNOWN
        yield Question(About.BEGAN, text, "", (("began", day),))
    if report.needs_zone and not answers.zone:
        text = "Which time zone are the times of the file in? An IANA name."
        yield Question(About.ZONE, text, "", (("zone", "Europe/Lisbon"),))
    if not answers.sessions:
        by_post = is_by_post(survey.moments)
        has_rooms = len({moment.room for moment in survey.moments if moment.room}) > 1
        text = 'Where do sessions begin? "gap 4h", "day", "week", "thread", "one" or "at 2026-03-01T19:00".'
        rule = ("thread" if has_rooms else BY_POST_RULE) if by_post else GAP_RULE
        yield Question(About.SESSIONS, text, "", (("sessions", rule),), is_needed=by_post)


def _of_the_language(answers: Answers, survey: Survey) -> Iterator[Question]:
    """Asks about words that are clearly in another language than Retold takes them to be in."""
    language = survey.heard.language
    if language not in ("", USUAL_LANGUAGE) and not answers.language and not survey.cast.has_language:
        text = "In which language are the words? A tag, such as es, de or pt-BR."
        yield Question(About.LANGUAGE, text, "", (("language", language),))


def _of_acts(answers: Answers, survey: Survey) -> Iterator[Question]:
    """Asks about words in the first person that are acts at most tables, and speech at some."""
    if survey.acts and ACTS not in answers.kinds:
        text = f"Are lines such as \u201c{_plain(survey.acts[0])}\u201d acts (told) or speech (said)?"
        yield Question(About.ACTS, text, "kinds", ((ACTS, Sort.TOLD.value),))


USUAL_LANGUAGE: Final = "en"


def sessions_by(rule: str, survey: Survey) -> int:
    """Number of sessions that a rule makes of the sources."""
    wanted, moments = rule_of(rule), survey.moments
    if wanted.name == "thread":
        found = [moment.room for moment in moments]
        moments = [moments[place] for place in by_room(found, found)]
    return len(evenings(moments, wanted))


def _of_the_game_master(answers: Answers, survey: Survey) -> Iterator[Question]:
    if not answers.game_master and survey.speakers:
        proposed = likely_game_masters(answers, survey) or ([NOBODY] if survey.is_solo else [])
        text = 'Who is the game master, by the label in front of the words? "nobody" if the game has none.'
        if not proposed:
            labels = ", ".join(_plain(one.label) for one in survey.by_size[:MOST_NAMED])
            text = f"{text} The log does not say. Labels: {labels}."
        yield Question(About.GAME_MASTER, text, "", (("game_master", proposed),))


def likely_game_masters(answers: Answers, survey: Survey) -> list[str]:
    """Labels of the game master, as the source, a label or the campaign says; empty if none of them does.

    The amount of speech tells nothing: it may be a player.
    """
    told = {folded_label(name): name for name in sorted(survey.report.tally.game_masters)}
    heard = [one for one in survey.by_size if is_open(one, answers)]
    of_source = [one.label for one in heard if folded_label(one.label) in told]
    by_label = [one.label for one in heard if says_game_master(one.label)]
    chair = folded_label(survey.cast.game_master)
    seated = [one.label for one in heard if chair and folded_label(one.label) == chair]
    return of_source or by_label or seated or list(told.values())


def _of_what_is_hidden(answers: Answers, survey: Survey) -> Iterator[Question]:
    if not survey.can_mark and answers.unmarked is Unmarked.ASK and answers.game_master != (NOBODY,):
        text = 'The file does not mark all that was hidden. Who may see what is not marked: "table" or "gm"?'
        yield Question(About.UNMARKED, text, "", (("unmarked", Unmarked.GM.value),))


def _of_hidden_channels(answers: Answers, survey: Survey) -> Iterator[Question]:
    for channel in survey.report.hidden_channels if survey.has_channels else ():
        if channel not in answers.audience and answers.channels.get(channel) is not Use.SKIP:
            text = 'This channel is hidden. Who sees it beside the game master: people, "table" or "gm"?'
            yield Question(About.AUDIENCE, text, "audience", ((channel, ONLY_GM),))


def _of_channels(answers: Answers, survey: Survey) -> Iterator[Question]:
    named = [channel for channel in survey.report.channels if channel]
    unknown = [channel for channel in named if channel not in answers.channels and survey.has_channels]
    proposed = tuple((channel, likely_use(channel).value) for channel in unknown)
    if proposed:
        text = "What is in a channel: story, aside, dice, notes (the game master's) or skip?"
        plain = len(named) == 1 and likely_use(named[0]) is Use.STORY
        yield Question(About.CHANNELS, text, "channels", proposed, is_needed=not plain)


_USES: Final = (
    (Use.ASIDE, re.compile(r"(?i)\booc\b|off.?topic|out.?of|plauder|general|chat|lounge|other|雑談")),
    (Use.DICE, re.compile(r"(?i)\b(?:dice|rolls?|würfel|wuerfel|dés)\b")),
    (Use.NOTES, re.compile(r"(?i)\b(?:gm|dm|gms|notes?|secrets?)\b")),
)


def likely_use(channel: str) -> Use:
    """Use of a channel, guessed from its name."""
    words = channel.replace("_", " ").replace("-", " ")
    return next((use for use, shape in _USES if shape.search(words)), Use.STORY)


def _of_people(answers: Answers, survey: Survey) -> Iterator[Question]:
    """Questions about speakers: what the source tells in one, then one by one, then the rest together."""
    proposed = [] if answers.game_master else likely_game_masters(answers, survey)
    told: list[tuple[Speaker, Said]] = []
    few: list[tuple[Speaker, Said]] = []
    once: list[tuple[Speaker, Said]] = []
    alone: list[tuple[Speaker, Said]] = []
    for speaker in survey.by_size:
        if not is_open(speaker, answers) or speaker.label in proposed:
            continue
        if _are_perhaps_several(speaker, survey) and answers.person_of(speaker.label) is None:
            text = f"{speaker.label} is {len(speaker.accounts):,} accounts. One person, or several?"
            yield Question(About.ACCOUNTS, text, "people", (), is_needed=False, speaker=speaker)
        said = likely(speaker, answers, survey)
        if _is_told(speaker, said, survey):
            told.append((speaker, said))
        elif said.role is Role.NOBODY:
            once.append((speaker, said))
        else:
            is_one_of_few = (speaker.units <= FEW and said.role is Role.NPC) or len(alone) >= MOST_ALONE
            (few if is_one_of_few else alone).append((speaker, said))
    yield from _together(told, "The log tells who these are. Right?")
    yield from (_of_one(speaker, said) for speaker, said in alone)
    is_rare = all(speaker.units <= FEW for speaker, _ in few)
    which = "those that speak three times or less" if is_rare else "those that speak less than the others"
    yield from _together(few, f"Who are {which}?")
    yield from _together(once, "These are heard once. Are they nobody, whose lines are left out?")
    known = {folded_label(one.plays) for one in answers.people.values()}
    whispered: list[tuple[Speaker, Said]] = []
    for label, times in survey.addressed.items():
        speaker = Speaker(label, whispers=times)
        speaks = folded_label(label) in survey.speakers or folded_label(label) in known
        if not speaks and is_open(speaker, answers) and label not in proposed:
            whispered.append((speaker, likely(speaker, answers, survey)))
    if len(whispered) > FEW:
        yield from _together(whispered, "These never speak, and something hidden was for them. Who are they?")
    else:
        yield from (_of_one(speaker, said) for speaker, said in whispered)


def _of_one(speaker: Speaker, said: Said) -> Question:
    text = f"{_heard(speaker)} Who plays this character? Or: role = {_ROLES}."
    if said.role is Role.IS:
        text = f"{_heard(speaker)} If it is {_plain(said.name)}, write it into the labels there."
    if speaker.whispers:
        many = "once" if speaker.whispers == 1 else f"{speaker.whispers:,} times"
        text = f"It never speaks, and something hidden was for it, {many}. Who is it?"
    table = ((speaker.label, _proposed_table(said, speaker)),)
    return Question(About.PERSON, text, "people", table, speaker=speaker, said=said)


def _together(group: Sequence[tuple[Speaker, Said]], text: str) -> Iterator[Question]:
    """Yields one question about several speakers, or about the only one; none without any."""
    if len(group) == 1:
        yield _of_one(*group[0])
    elif group:
        tables = tuple((speaker.label, _proposed_table(said, speaker)) for speaker, said in group)
        yield Question(About.PERSON, text, "people", tables, group=tuple(group))


def _are_perhaps_several(speaker: Speaker, survey: Survey) -> bool:
    """True if a label has several accounts that the source does not name, and none has most of its units."""
    if len(speaker.accounts) < SEVERAL or speaker.account in survey.report.tally.users:
        return False
    return speaker.accounts[speaker.account] * 3 < speaker.accounts.total() * 2


SEVERAL: Final = 2


def _is_told(speaker: Speaker, said: Said, survey: Survey) -> bool:
    """True if the source itself tells who a speaker is: by its users, or as a program."""
    tally = survey.report.tally
    is_told = said.role is Role.BOT or _player_of(speaker, survey) or speaker.account in tally.users
    return bool(is_told) and said.role is not Role.IS


_NUMBERED: Final = re.compile(r"#\d{4}$")
_ROLES: Final = '"bot", "npc" or "nobody"'


def _heard(speaker: Speaker) -> str:
    """Number of a speaker's units, with a sample."""
    number = f"{speaker.units:,} {'unit' if speaker.units == 1 else 'units'}"
    return f"{number}: \u201c{_plain(speaker.samples[0])}\u201d." if speaker.samples else f"{number}."


def _plain(text: str) -> str:
    """Beginning of a text on one line, without signs that no comment may hold."""
    line = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    return line if len(line) <= SAMPLE else f"{line[: SAMPLE - 1]}\u2026"


def is_open(speaker: Speaker, answers: Answers) -> bool:
    """True if no answer says who a speaker is, for at least one of their accounts."""
    if speaker.label == UNNAMED or folded_label(speaker.label) in map(folded_label, answers.game_master):
        return False
    accounts = list(speaker.accounts) or [""]
    return any(answers.person_of(speaker.label, account) is None for account in accounts)


def likely(speaker: Speaker, answers: Answers, survey: Survey) -> Said:
    """Proposal about a speaker: what the source tells, else what invents no person."""
    if speaker.is_bot or speaker.label in survey.report.tally.bots or _throws_for_others(speaker):
        return Said(Role.BOT)
    told = (
        _in_the_cast(speaker, survey.cast)
        or _by_its_source(speaker, answers, survey)
        or _same(speaker, answers, survey)
        or _by_account(speaker, answers, survey)
    )
    if told is not None:
        return told
    if speaker.whispers or (speaker.units == 1 and survey.report.read.total() >= MANY):
        return Said(Role.NOBODY)
    return Said(Role.NPC) if speaker.units <= FEW else Said(Role.PLAYER)


def _in_the_cast(speaker: Speaker, cast: Cast) -> Said | None:
    """Proposal from the campaign's cast: character or player with this label; None unless one matches."""
    folded = folded_label(speaker.label)
    for one in cast.people:
        if folded == folded_label(one.name):
            return Said(Role.BY, one.player) if one.player else Said(Role.NPC)
    named = [one.name for one in cast.people if folded in map(folded_label, one.aliases)]
    played = [one.name for one in cast.people if folded == folded_label(one.player)]
    if len(named) == 1:
        return Said(Role.IS, named[0])
    return Said(Role.PLAYS, played[0]) if len(played) == 1 else None


def _throws_for_others(speaker: Speaker) -> bool:
    """True for a name with `#` and a number, as bots and old accounts of Discord have, that only throws."""
    throws = speaker.samples and all(generic.throws(one) for one in speaker.samples)
    return _NUMBERED.search(speaker.label) is not None and bool(throws)


def _player_of(speaker: Speaker, survey: Survey) -> str:
    """Player of a speaker's character, as the source tells; empty if it does not."""
    folded = folded_label(speaker.label)
    players = survey.report.tally.characters.items()
    return next((player for label, player in players if folded_label(label) == folded), "")


def _by_its_source(speaker: Speaker, answers: Answers, survey: Survey) -> Said | None:
    """Proposal from what the source says itself: a character's player, or the user with most of the units."""
    if says_game_master(speaker.label):
        return Said(Role.GM) if answers.game_master != (NOBODY,) else None
    users, folded = survey.report.tally.users, folded_label(speaker.label)
    player = _player_of(speaker, survey)
    if player:
        return Said(Role.BY, player)
    user = users.get(speaker.account, "")
    if not user:
        return None
    masters = {*map(folded_label, answers.game_master), *map(folded_label, survey.report.tally.game_masters)}
    if folded_label(user) in masters:
        return Said(Role.GM if folded_label(user) == folded else Role.NPC)
    if folded_label(user) != folded:
        return Said(Role.BY, user)
    theirs = [one for one in survey.by_size if one is not speaker and _is_users(one, user, survey)]
    return Said(Role.PLAYS, theirs[0].label) if theirs else Said(Role.PLAYER)


def _is_users(speaker: Speaker, user: str, survey: Survey) -> bool:
    """True if the source says that a user plays a speaker, or if most of its units are that user's."""
    player = _player_of(speaker, survey) or survey.report.tally.users.get(speaker.account, "")
    return folded_label(player) == folded_label(user)


def _same(speaker: Speaker, answers: Answers, survey: Survey) -> Said | None:
    """Proposal for a label that begins like a known person's label; None unless one matches."""
    folded = folded_label(speaker.label)
    names = [*answers.game_master, *answers.people]
    names += [one.label for one in survey.by_size if one.units > speaker.units]
    alike = {name for name in names if _begins(folded_label(name), folded)}
    if len(alike) != 1:
        return None
    (other,) = alike
    return Said(Role.GM) if other in answers.game_master else Said(Role.IS, other)


def _by_account(speaker: Speaker, answers: Answers, survey: Survey) -> Said | None:
    """Proposal from an account that spoke under another label; None if no single person is known by it.

    If it still speaks there, this is another character of the same player, else a new label of the same one.
    """
    if not speaker.account:
        return None
    labels = [one.label for one in survey.speakers.values() if one.account == speaker.account]
    masters = set(map(folded_label, answers.game_master))
    if any(folded_label(label) in masters for label in labels):
        return Said(Role.NPC)
    own = {number: name for name, number in answers.accounts.items()}.get(speaker.account)
    known = [name for name, one in answers.people.items() if own is not None and own in one.accounts]
    if len(known) != 1:
        return None
    person = answers.people[known[0]]
    if any(answers.person_of(label) == known[0] for label in labels):
        return Said(Role.BY, person.plays) if person.plays else Said(Role.NPC)
    return Said(Role.IS, known[0])


def _begins(one: str, other: str) -> bool:
    """True if one label begins with the other and goes on with a new word."""
    short, long = sorted((one, other), key=len)
    if one == other or len(short) < SEVERAL or not long.startswith(short):
        return False
    behind = long[len(short) :]
    return not behind[0].isalnum() and not re.match(r"['\u2019]s\b", behind)


def _proposed_table(said: Said, speaker: Speaker) -> dict[str, str]:
    if said.role in (Role.BOT, Role.NPC, Role.NOBODY):
        return {"role": said.role.value}
    if said.role is Role.BY:
        return {"plays": said.name}
    return {"plays": speaker.label if said.role in (Role.PLAYER, Role.PLAYS) else ""}


# --- What an answer writes ---


def edits(said: Said, speaker: Speaker, answers: Answers, survey: Survey) -> list[Edit]:
    """Edits that write an answer about a speaker into the answers' file.

    They keep the speaker's account, if no other speaks with it.
    """
    label = speaker.label
    match said.role:
        case Role.GM:
            masters = tuple(one for one in answers.game_master if one != NOBODY)
            return [Edit(("game_master",), (*masters, label))]
        case Role.NPC | Role.BOT | Role.NOBODY:
            made = [Edit(("people", label, "role"), said.role.value)]
            return made + _accounts(label, speaker, answers, survey)
        case Role.IS | Role.PLAYS:
            if said.name in answers.game_master:
                return [Edit(("game_master",), (*answers.game_master, label))]
            name = answers.person_of(said.name) or said.name
            known = answers.people.get(name)
            made = []
            if label != name:
                made = [Edit(("people", name, "labels"), (*(known.labels if known else ()), label))]
            if said.role is Role.PLAYS:
                made.append(Edit(("people", name, "plays"), label))
                if known is not None and known.role:
                    made.append(Edit(("people", name, "role"), "player"))
            return made + _accounts(name, speaker, answers, survey)
        case _:
            plays = label if said.role is Role.PLAYER else said.name
            return [Edit(("people", label, "plays"), plays), *_accounts(label, speaker, answers, survey)]


def with_edits(answers: Answers, made: Iterable[Edit]) -> Answers:
    """Answers after edits of people, accounts and the game master, as `edits` makes them."""
    people, accounts = dict(answers.people), dict(answers.accounts)
    for path, value in made:
        match path:
            case ("people", name, key):
                given: dict[str, Any] = {key: value}
                people[name] = replace(people.get(name, Person()), **given)
            case ("accounts", name) if isinstance(value, str):
                accounts[name] = value
            case ("game_master",) if not isinstance(value, str):
                answers = replace(answers, game_master=tuple(value))
    return replace(answers, people=people, accounts=accounts)


def _accounts(name: str, speaker: Speaker, answers: Answers, survey: Survey) -> list[Edit]:
    """Edits that keep the accounts used by this speaker alone, under short names."""
    own = [one for one in speaker.accounts if one and len(survey.labels_of(one)) == 1]
    return account_edits(name, own, answers)


def account_edits(name: str, accounts: Iterable[str], answers: Answers) -> list[Edit]:
    """Edits that give accounts to a person, each under a short name such as `@1`."""
    short = {number: called for called, number in answers.accounts.items()}
    made: list[Edit] = []
    for account in accounts:
        if account not in short:
            short[account] = _free(set(short.values()))
            made.append(Edit(("accounts", short[account]), account))
    known = answers.people[name].accounts if name in answers.people else ()
    theirs = tuple(dict.fromkeys((*known, *(short[account] for account in accounts))))
    return [*made, Edit(("people", name, "accounts"), theirs)] if theirs != known else made


def _free(taken: set[str]) -> str:
    number = 1
    while f"@{number}" in taken:
        number += 1
    return f"@{number}"


def single(question: Question) -> list[Edit]:
    """Edits that accept the proposal of a question about no speaker."""
    places = (question.table,) if question.table else ()
    return [
        Edit((*places, key), tuple(value) if isinstance(value, list) else value)
        for key, value in question.proposal
    ]


def names_known(answers: Answers, survey: Survey) -> Mapping[str, Sequence[str]]:
    """Names usable in answers, each with its other labels."""
    known: dict[str, Sequence[str]] = {one.name: (one.name, *one.aliases) for one in survey.cast.people}
    known |= {name: (name, *one.labels) for name, one in answers.people.items()}
    taken = {folded_label(label) for labels in known.values() for label in labels}
    for label in (*answers.game_master, *(one.label for one in survey.by_size)):
        if folded_label(label) not in taken and label != NOBODY:
            known[label] = (label,)
    return known
