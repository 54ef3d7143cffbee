"""Blows of a story: who was hit, missed, hurt or put out, in sentences of Retold's where it is untold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.grouping import grouped
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.projections.prose import harm_of, is_check, narrates
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Harm, Sentence, Sentences, Tag, Telling, as_sentence, group
from retold.projections.story.passages import Blow, ParagraphBuilder

if TYPE_CHECKING:
    from retold.projections.prose.phrases.sandbox import Value

SHORTEST_NAME: Final = 4
"""Letters from which one word of a name is enough."""

VARIANTS: Final = 3
"""Wordings of a blow that take turns in a scene."""


class Written(Struct, eq=False):
    """A blow of an act, and Retold's sentence on it; `is_told` once it is narrated."""

    blow: Blow
    act: str
    draft: ParagraphBuilder
    before: tuple[int | None, int] | None = None
    """Pairs of attacker and person hurt before it."""
    is_told: bool = False

    def retract(self) -> None:
        """Drops the sentence, because the blow is narrated, or a later sentence says more."""
        self.is_told = True
        self.draft.dropped = True


class Blows(Struct):
    """Untold blows of a scene, in order."""

    open: list[Written] = field(default_factory=list)
    hit: Written | None = None
    """The latest hit, while its damage may follow."""
    narration: tuple[str, int, str] = ("", GM, "")
    """Act, teller and text of the latest narration."""
    worded: str = ""
    """The latest act with such words."""
    count: int = 0
    last: tuple[int | None, int] | None = None
    """Pairs of attacker and person hurt last."""
    rolled: set[int] = field(default_factory=set)
    """People who rolled in the current turn, beside blows."""
    struck: set[int] = field(default_factory=set)
    """People who struck at somebody in the current turn."""
    by: dict[int, int] = field(default_factory=dict)
    """Last attacker of each person hurt."""

    def hear(self, event: Event, act: str, before: str | None, first: frozenset[int]) -> None:
        """Retracts sentences on blows that the words of an event tell.

        A narration tells the blows of the act `before` it; any words tell those of people that they name, but
        those of a number that mends. Words whose `first` named people had no part in a blow do not tell it.
        Later words are about something else.
        """
        text = getattr(event, "text", None)
        is_narration = isinstance(event, e.Narrated) and event.about is None
        if text is None or not (is_narration or isinstance(event, e.ConflictEnded) or narrates(type(event))):
            return
        self.worded = act
        if isinstance(event, e.Narrated):
            self.narration = act, event.who, str(text)
        mends = harm_of(type(event)) is not None
        for written in self.open:
            tells = is_narration and written.act == before
            tells = tells or (not mends and _place(said := str(text), written.blow.name) < len(said))
            if tells and written.draft.concerns(first):
                written.retract()
        self.open.clear()

    def harm(self, telling: Telling, before: str | None, *, has_words: bool) -> Harm | None:
        """Returns the untold harm of an event; None if there is none.

        Damage that follows a hit was done by the attacker. An event that `has_words` tells it, and so does a
        narration in the act `before` it that is the person's, or names them and the attacker.
        """
        event = telling.moment.event
        says = harm_of(type(event))
        if says is None:
            return None
        hit, self.hit = self.hit, None
        harm = says(event, telling)
        if is_check(telling):
            self.rolled.add(getattr(event, "who", GM))
        if harm is None:
            return None
        if harm.by is None:
            harm = harm._replace(by=self._by(harm))
        else:
            self.struck.add(harm.by)
        if harm.said:
            by = None if self.last == (harm.by, harm.who) else harm.by
            told = [says(event, replace(one, by=by)) for one in (telling, telling.in_present)]
            past, present = [same.said for same in told if same is not None]
            harm = harm._replace(said=past, said_in_present=present)
        if harm.is_measured and hit is not None and hit.blow.harm.who == harm.who:
            if hit.is_told:
                return None
            hit.retract()
            self.count, self.last = self.count - 1, hit.before
            harm = harm._replace(
                by=harm.by or hit.blow.harm.by, how=hit.blow.harm.how or harm.how, means=hit.blow.harm.means
            )
        act, teller, text = self.narration
        people = [telling.who(one) for one in (harm.who, harm.by) if one is not None]
        is_told = act == before and (
            teller == harm.who or all(_place(text, name) < len(text) for name in people)
        )
        has_words = has_words or self.worded == telling.moment.envelope.act
        return None if is_told or (has_words and not harm.is_missed) else harm  # an attempt says no miss

    def _by(self, harm: Harm) -> int | None:
        """Returns who did harm without a recorded attacker; None if unknown.

        What is corrected to put the person out was done by the last attacker. In the turn of an opponent it
        was they, if the person rolled, or if they and nobody else struck at somebody.
        """
        if harm.is_corrected:
            return self.by.get(harm.who) if harm.is_out else None
        return harm.turn if harm.who in self.rolled or self.struck == {harm.turn} else None

    def keep(self, written: Written) -> None:
        """Adds a blow with its sentence."""
        harm = written.blow.harm
        if harm.by is not None and not harm.is_missed:
            self.by[harm.who] = harm.by
        if harm.is_out:
            self.count += 1
            return
        self.open.append(written)
        self.hit = None if harm.is_measured else written
        if harm.is_missed:
            return
        self.count += 1
        written.before, self.last = self.last, (harm.by, harm.who)

    def sentence(self, harm: Harm, telling: Telling) -> Sentences:
        """Returns Retold's sentence on one blow; none if a person is put out by no one in particular."""
        who, by = telling.who(harm.who), None if harm.by is None else telling.who(harm.by)
        body = harm.is_of_body
        if harm.said:
            return (Sentence(Tag.GENERATED, (telling.present and harm.said_in_present) or harm.said),)
        if harm.is_missed:
            return () if by is None else telling.ours("table.missed", who=who, by=by)
        if harm.is_out:
            return (
                telling.ours(
                    "table.put-out",
                    who=who,
                    by=by,
                    turn=(1 - self.count) % VARIANTS,
                    body=body,
                    means=harm.means,
                )
                if by
                else ()
            )
        how = harm.how or ("again" if self.last == (harm.by, harm.who) else "")
        if by is None or harm.what:
            key = "table.lost" if harm.what else "table.hurt"
            return telling.ours(key, **_values(harm, [who], how))
        return telling.ours(
            "table.hit", who=who, by=by, how=how, turn=self.count % VARIANTS, body=body, means=harm.means
        )


def hurt(blows: Sequence[Blow], phrases: Phrases, *, present: bool) -> Iterator[tuple[str, str]]:
    """Yields subject and sentence on who was hurt in several blows, badly or not; without people put out."""
    there = tuple(blow for blow in blows if not (blow.harm.is_missed or blow.harm.said))
    out = {blow.harm.who for blow in there if blow.harm.is_out}
    worst: dict[tuple[int, str], Blow] = {}
    for blow in there:
        key = blow.harm.who, blow.harm.what
        if blow.harm.who not in out and (key not in worst or blow.harm.how == "hard"):
            worst[key] = blow
    groups = grouped(
        ((blow.harm.how == "hard", blow.harm.what, blow.harm.is_of_body), blow) for blow in worst.values()
    )
    for (is_hard, what, body), found in sorted(groups.items()):
        worse = [] if is_hard or what else groups.get((True, what, body), [])
        if is_hard and not what and (False, what, body) in groups:
            continue
        who, how = [blow.name for blow in found], "hard" if is_hard else ""
        values = _values(found[0].harm, who, how, [blow.name for blow in worse])
        yield (
            ", ".join(who),
            phrases.say("table.lost" if what else "table.hurt", present=present, **values),
        )
    yield from (
        (blow.name, (present and blow.harm.said_in_present) or blow.harm.said)
        for blow in blows
        if blow.harm.said
    )


def together(blows: Sequence[Blow], phrases: Phrases, *, present: bool) -> str:
    """Returns a sentence on blows of several people to one."""
    first, by = blows[0], [blow.by for blow in blows]
    several = group(first.kind, len(by), phrases) if {blow.kind for blow in blows} == {first.kind} else ""
    by, who, body = [several] if several else by, first.name, first.harm.is_of_body
    how = "hard" if any(blow.harm.how == "hard" for blow in blows) else ""
    said = phrases.say("table.hit", by=by, who=who, how=how, turn=0, body=body, means="", present=present)
    return as_sentence(phrases.language.capitalised(said))


def _values(harm: Harm, who: list[str], how: str, worse: Sequence[str] = ()) -> dict[str, Value]:
    rest: dict[str, Value] = {"what": harm.what, "grows": harm.grows}
    return {
        "who": who,
        "how": how,
        **(rest if harm.what else {"body": harm.is_of_body, "worse": list(worse), "means": harm.means}),
    }


def first_named(telling: Telling) -> frozenset[int]:
    """Returns the people whom the game master's text names first; empty if there are none."""
    event, people = telling.moment.event, telling.moment.table.names()
    text = str(getattr(event, "text", None) or "") if getattr(event, "who", GM) == GM else ""
    text = f"{text[:1].upper()}{text[1:]}"
    found = {
        who: min(_place(text, name) for name in (*names, telling.who(who)))
        for who, names in people.items()
        if text and who != GM
    }
    first = min(found.values(), default=0)
    return frozenset(who for who, place in found.items() if place == first < len(text))


def told_in(text: str, telling: Telling) -> frozenset[int]:
    """Returns the people whom a text names, one of several also without a number: `the second hook`."""
    names = {
        who: (*names, *(name.rstrip("0123456789- ").casefold() for name in names if name[-1:].isdigit()))
        for who, names in telling.moment.table.names().items()
    }
    return frozenset(
        who for who, called in names.items() if any(_place(text, name) < len(text) for name in called if name)
    )


def _place(text: str, name: str) -> int:
    """Returns where a text has a name, or a long word of one without a number; its end if nowhere."""
    words = () if any(map(str.isdigit, name)) else name.split()
    long = (word for word in words if len(word) >= SHORTEST_NAME and word[:1].isupper())
    flags = re.IGNORECASE if name.islower() else 0  # the second goblin
    forms = "|".join(re.escape(word).replace(r"\-", "[- ]") for word in (name, *long))
    found = re.search(rf"\b(?:{forms})\b", text, flags)
    return len(text) if found is None else found.start()
