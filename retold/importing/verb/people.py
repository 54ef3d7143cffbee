"""Questions of an import about people: who is behind the labels of a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from retold.importing.verb.prompts import Prompts, cut, sample, size
from retold.journal.names import find
from retold.journal.refused import Refused
from retold.projections.texts import safe
from retold.sources.answers import EVERYBODY, ONLY_GM, begun, read_answers, with_answers
from retold.sources.questions import (
    About,
    Edit,
    Question,
    Role,
    Said,
    account_edits,
    edits,
    is_open,
    likely,
    names_known,
    questions,
    with_edits,
)
from retold.sources.survey import Speaker

OF_PEOPLE: Final = (About.PERSON, About.ACCOUNTS, About.AUDIENCE)
"""Questions that are asked once it is known who is the game master."""
SHOWN_TOGETHER: Final = 20
MOST_WORDS: Final = 3
"""Words of a name that is proposed."""


def _named(speaker: Speaker) -> str:
    """Label and size of a speaker."""
    return f"{safe.line(speaker.label)}, never speaks" if speaker.whispers else size(speaker)


OFFERED: Final = "plays … · by … · is … · player · npc · gm · bot · nobody · all npc · back · ?"
EXPLAINED: Final = """\
plays Zel   it is a player; Zel is the character they play
by Jon      it is a character; Jon is the player
is Zel      it is Zel, under another label
player      a player under their own name, who has no other
npc         a character without a player: the game master's
gm          the game master, under another label
bot         a program: its answers are throws, or nobody's words
nobody      leave its lines out; they are counted as skipped
all npc     this one and all that are left are npcs
back        the question before, once more"""


class PeopleAsking:
    """Questions about the people in a log."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def all(self) -> list[Callable[[], None]]:
        """Returns functions that each ask one question about speakers."""
        found = questions(self._prompts.answers, self._prompts.survey)
        return [self._asker_of(one) for one in found if one.about in (About.PERSON, About.ACCOUNTS)]

    def audiences(self) -> list[Callable[[], None]]:
        """Functions that ask for the audience of each channel without public units."""
        found = questions(self._prompts.answers, self._prompts.survey)
        return [partial(self._ask_audience, one) for one in found if one.about is About.AUDIENCE]

    def _ask_audience(self, question: Question) -> None:
        ((channel, proposed),) = question.proposal
        people = self._prompts.answers.people
        lines = [f"Everything in {channel} is hidden. Who sees it beside the game master?"]
        lines.append("  gm: nobody else · table: everybody · or names, with commas")
        about = f"People: {', '.join(people) or 'none'}. Written: [audience]."

        def understood(typed: str) -> Iterable[Edit]:
            if typed.casefold() in (ONLY_GM, EVERYBODY):
                return [Edit(("audience", channel), typed.casefold())]
            known = {name: (name, *one.labels, one.plays) for name, one in people.items()}
            names = [find(one.strip(), known) for one in typed.split(",") if one.strip()]
            return [Edit(("audience", channel), tuple(dict.fromkeys(names)))]

        self._prompts.ask(question, lines, proposed, about, understood)

    def _asker_of(self, question: Question) -> Callable[[], None]:
        if question.about is About.ACCOUNTS:
            return lambda: self._ask_accounts(question)
        if question.group:
            return lambda: self._ask_group(question)
        return lambda: self._ask_person(question)

    def _is_settled(self, speaker: Speaker) -> bool:
        known = self._prompts.answers.people.get(self._prompts.answers.person_of(speaker.label) or "")
        return not is_open(speaker, self._prompts.answers) and (
            known is None or bool(known.plays or known.role)
        )

    def _ask_person(self, question: Question) -> None:
        speaker = question.speaker
        if speaker is None or self._is_settled(speaker):
            return
        said = likely(speaker, self._prompts.answers, self._prompts.survey)
        lines = [f"Who is {safe.line(speaker.label)}? {size(speaker, named=False)}"]
        lines += [f"    {cut(sample)}" for sample in speaker.samples]
        lines += [f"  {OFFERED}"]

        def understood(typed: str) -> Iterable[Edit]:
            if " ".join(typed.casefold().split()) == "all npc":
                return self._all_npcs()
            return edits(self._said(typed, speaker), speaker, self._prompts.answers, self._prompts.survey)

        self._prompts.ask(question, lines, str(said), EXPLAINED, understood)

    def _all_npcs(self) -> list[Edit]:
        found = questions(self._prompts.answers, self._prompts.survey)
        asked = [one for one in found if one.about is About.PERSON]
        return self._edits_of([speaker for one in asked for speaker in one.speakers], all_npcs=True)

    def _edits_of(self, speakers: Iterable[Speaker], *, all_npcs: bool = False) -> list[Edit]:
        """Edits that take the proposal about each speaker, with `all_npcs` npc unless it is a known one."""
        made: list[Edit] = []
        answers = self._prompts.answers
        for speaker in speakers:
            said = likely(speaker, answers, self._prompts.survey)
            if all_npcs and said.role not in (Role.BOT, Role.IS):
                said = Said(Role.NPC)
            new = edits(said, speaker, answers, self._prompts.survey)
            made += new
            answers = with_edits(answers, new)
        return made

    def _ask_group(self, question: Question) -> None:
        """Asks about several speakers at once: one after the other may be named, Enter takes the rest."""
        while left := [one for one in question.speakers if not self._is_settled(one)]:
            proposed = [(one, likely(one, self._prompts.answers, self._prompts.survey)) for one in left]
            lines = [question.text]
            lines += [f"  {_named(one)}: {said}{sample(one)}" for one, said in proposed[:SHOWN_TOGETHER]]
            if len(left) > SHOWN_TOGETHER:
                counts = Counter(str(said.role) for _, said in proposed[SHOWN_TOGETHER:])
                more = ", ".join(f"{number:,} {role}" for role, number in counts.items())
                lines.append(f"  and {len(left) - SHOWN_TOGETHER:,} more ({more})")
            lines.append(
                "If that is wrong, name one with what it is, as: Zel by Jon. all npc: all of them are."
            )

            def understood(typed: str) -> Iterable[Edit]:
                if " ".join(typed.casefold().split()) in ("npc", "all npc"):
                    return self._all_npcs()
                role = typed.split(maxsplit=1)[0].casefold() if typed.split() else ""
                if len(left) == 1 and role in {role.value for role in Role}:
                    return edits(
                        self._said(typed, left[0]), left[0], self._prompts.answers, self._prompts.survey
                    )
                speaker, said = self._named_and_said(typed, question.speakers)
                return edits(said, speaker, self._prompts.answers, self._prompts.survey)

            as_is = "as proposed"
            if self._prompts.takes_all:
                as_is = ", ".join(f"{one.label}: {said}" for one, said in proposed)
            if not self._prompts.ask(question, lines, "", EXPLAINED, understood, as_is=as_is):
                self._prompts.set(self._edits_of(left), question)
                return
            self._prompts.number -= 1

    def _named_and_said(self, typed: str, speakers: Sequence[Speaker]) -> tuple[Speaker, Said]:
        """Speaker and answer in a typed line such as `Zel the Quick by Jon`; Refused for other lines."""
        words = typed.split()
        for place, word in enumerate(words[1:], start=1):
            if word.casefold() in {role.value for role in Role}:
                labels = {speaker.label: (speaker.label,) for speaker in speakers}
                label = find(" ".join(words[:place]), labels)
                speaker = next(one for one in speakers if one.label == label)
                return speaker, self._said(" ".join(words[place:]), speaker)
        raise Refused("Name one of them and what it is, as: Zel by Jon, or Pell is Zel.")

    def _ask_accounts(self, question: Question) -> None:
        speaker = question.speaker
        if speaker is None or not is_open(speaker, self._prompts.answers):
            return
        lines = [f"{safe.line(speaker.label)} is the name of {len(speaker.accounts)} accounts:"]
        accounts = list(speaker.accounts)
        lines += [
            f"  {number}. {speaker.accounts[account]:,}: {cut(speaker.sampled.get(account, ''))}"
            for number, account in enumerate(accounts, start=1)
        ]
        lines.append("Are they one person? Else give each a name, in this order, with commas.")

        def understood(typed: str) -> Iterable[Edit]:
            names = [one.strip() for one in typed.split(",") if one.strip()]
            if len(names) != len(accounts):
                raise Refused(f"Give {len(accounts)} names with commas, or Enter alone.")
            made: list[Edit] = []
            for called, account in zip(names, accounts, strict=True):
                answers = read_answers(with_answers(begun(self._prompts.file.text, ""), made), "")
                theirs = answers.people[called].labels if called in answers.people else ()
                if called != speaker.label:
                    made.append(Edit(("people", called, "labels"), (*theirs, speaker.label)))
                made.append(Edit(("people", called, "plays"), called))
                made += account_edits(called, [account], answers)
            return made

        about = "Two people may have one name. Written: [people], [accounts]."
        self._prompts.ask(question, lines, "", about, understood, as_is="one person")

    def _said(self, typed: str, speaker: Speaker) -> Said:
        word, _, name = typed.strip().partition(" ")
        role = next((one for one in Role if one.value == word.casefold()), None)
        name = name.strip()
        if role is None:
            if len(typed.split()) > MOST_WORDS:
                raise Refused(f"Begin with one of {', '.join(Role)}; ? explains them.")
            raise Refused(
                f"Did you mean plays {typed} (their character), by {typed} (their player) or is {typed} (one"
                " person)?"
            )
        if role not in (Role.BY, Role.PLAYS, Role.IS):
            if name:
                raise Refused(f"Type {role} alone.")
            return Said(role)
        if not name:
            raise Refused(f"Say a name behind it: {role} NAME.")
        known = names_known(self._prompts.answers, self._prompts.survey)
        if role is Role.IS:
            return Said(
                role, find(name, {key: labels for key, labels in known.items() if key != speaker.label})
            )
        if role is Role.PLAYS:
            exact = [key for key in known if key.casefold() == name.casefold()]
            return Said(role, exact[0] if exact else name)
        return Said(role, name)
