"""Completions at the console: verbs, then the parts of the verb's form (its grammar), best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from retold.cli.campaigns.asking import DEALT, REAL, TABLE_WORD
from retold.cli.campaigns.settings import Settings
from retold.cli.completing import before_a_voice, stretches, voices, words_after
from retold.cli.console import nameable
from retold.cli.console.files import pictures
from retold.cli.console.nameable import Cursor, Offer, cursor_at, filled, wanted_at
from retold.cli.invocation import READING, reading_verbs
from retold.cli.verbs.can import verbs_due
from retold.journal.capabilities import Blank, Suggestion
from retold.journal.decks.chance import Provenance
from retold.journal.grammar import CASES, FORMS, NONE
from retold.journal.language.binding import bind, slots_of_people
from retold.journal.language.command_values import bind_of_type
from retold.journal.language.form_parts import Capture, Slot, Wanted, Word
from retold.journal.language.forms import COMMON_FLAGS, Form
from retold.journal.language.lexing import FLAGS, TEXT, Lexed, lex, line_as_typed, only_quoted_text
from retold.journal.language.meant import as_meant
from retold.journal.language.naming import GM_WORDS, answerable_questions, find_person
from retold.journal.language.proposed import actions_at
from retold.journal.language.shorthand import expand_shorthand, shorthands
from retold.journal.language.strange_words import played_at
from retold.journal.language.tokens import JOINED, JOINERS, Segment, Token
from retold.journal.language.verbs import EXPECT, VERBS, commands_said, form_of, verbs_of
from retold.journal.language.writing import quote_name, write_line, write_value
from retold.journal.names import normalise
from retold.journal.possessives import possessive
from retold.journal.refused import Refused, none_if_refused
from retold.journal.shell_verbs import SHELL_VERBS
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Bind, Command
from retold.projections.reading import known_by
from retold.scribe import Scribe

AS = "as"
"""The word that says whose the next lines are; no verb, so that no record holds it."""

EDIT = "edit"
"""Word that offers the last text to be changed; `e` is `end`."""


class Speaker(Struct):
    """The person set by `as NAME` at the console, whose name is added to lines without a name."""

    name: str | None = None

    def turn_to(self, line: str, table: Table) -> str:
        """Carries out an `as NAME` line: sets the speaker, or clears it for `as` alone; returns a sentence.

        Raises Refused for an unknown name.
        """
        words = lex(line)
        if words.text is not None or words.flags or words.results or words.tokens[1:]:
            raise Refused("Say whose the next lines are, and nothing more: as NAME. To end it: as")
        typed = words.tokens[0].text if words.tokens else GM_WORDS[0]
        who = find_person(table, typed)
        self.name = None if who == GM else table.name(who)
        if self.name is None:
            return "Each line says again whose it is."
        return f"The next lines are {possessive(self.name)}, where they name nobody; as, alone, ends it."

    def follow(self, table: Table) -> None:
        """Updates the speaker's name after a rename; clears it if the person no longer exists."""
        if self.name is not None:
            known = table.called(self.name)
            who = table.once_called(self.name) if known is None else known
            self.name = None if who is None else table.name(who)

    def meant(self, line: str, scribe: Scribe) -> Lexed:
        """Returns the typed line lexed, with the speaker's name inserted if it needs a person's.

        A text in quotes alone and `: text` become the speaker's words; without a speaker, the game master
        narrates what is in quotes, and `: text` is refused.
        """
        typed = line.strip()
        if (told := only_quoted_text(typed)) is not None:
            verb = c.Narrate.verb if self.name is None else c.Say.verb
            return lex(write_line(verb, [quote_name(self.name or GM_WORDS[0])], text=told))
        if TEXT.match(typed):
            if self.name is None:
                raise Refused("Who says it? NAME: text, or first whose the next lines are: as NAME.")
            return lex(f"{c.Say.verb} {quote_name(self.name)}{typed}")
        lexed = lex(line)
        if self.name is not None and lexed.verb.text in ACTING and lexed.tokens and lexed.text is None:
            return lex(
                write_line(c.Narrate.verb, [quote_name(self.name)], text=f"{self.name} {_told(lexed)}")
            )
        return (
            lexed if self.name is None else self._with_name(as_meant(lexed, scribe.scope), scribe, self.name)
        )

    def _with_name(self, lexed: Lexed, scribe: Scribe, name: str) -> Lexed:
        token = Token((Segment(name, True),), lexed.verb.column)
        named = replace(lexed, tokens=(token, *lexed.tokens))
        whole = command_of(lexed, scribe)
        subject = replace(lexed, verb=token, tokens=(lexed.verb, *lexed.tokens))
        if whole is None and expand_shorthand(subject, scribe.table) is not subject:
            return subject
        if whole is None:
            meant = command_of(named, scribe)
            return lexed if meant is None or _who(meant) is None else named
        return named if _is_anonymous(whole) and command_of(named, scribe) is not None else lexed


def command_of(lexed: Lexed, scribe: Scribe) -> Command | None:
    """Returns the command that a lexed line gives at this point of the branch; None if it is refused."""
    return none_if_refused(lambda: bind(lexed, scribe.scope).command)


def _is_anonymous(command: Command) -> bool:
    """True for a narration, speech, declaration or roll without a person: the game master's by default.

    Other lines without a name belong to the person whose turn it is.
    """
    rolled = isinstance(command, c.Roll) and command.dice is not None
    told = isinstance(command, c.Narrate | c.Say | c.Declare)
    return (rolled or told) and _who(command) is None


def _who(command: Command) -> object:
    """Returns the acting person that a line names; None without one, or without a field for them."""
    known = "who" in command.__struct_fields__ and bind_of_type(type(command), "who") is Bind.PERSON
    return getattr(command, "who", None) if known else None


def _told(lexed: Lexed) -> str:
    """Returns the words behind the first word of a line."""
    first, *rest = lexed.tokens
    return line_as_typed(replace(lexed, verb=first, tokens=tuple(rest)))


ACTING = ("me", "em", "emote")
"""Words of chats before an act: `/me bows`."""

LEAVING = ("quit", "exit", "q")
HELPING = ("help", "?")


class Known(Struct, frozen=True):
    """Data for completion at the console: table state, branch names, settings, other viewers' knowledge."""

    table: Table
    branches: tuple[str, ...] = ("mainline",)
    settings: Settings | None = None
    """Where the user's own voices are kept, for a console that knows its user."""
    known_to: Callable[[str], KnownTo] | None = None
    """A viewer's knowledge of it, by name, `table` or `gm`; Refused for an unknown name."""


class KnownTo(Struct, frozen=True):
    """Table state and branch names as one viewer knows them, for a line with `--for NAME`."""

    table: Table
    branches: tuple[str, ...]
    counts: bool = True
    """True where positions may be told."""


def offers(known: Known, typed: str) -> tuple[str, list[Offer]]:
    """Returns the end of `typed` to replace, and the completions for it, best first."""
    cursor = cursor_at(typed)
    if cursor is None:
        return "", []
    replaced, found = _Offering(known, cursor).offered()
    return replaced, fitting(replaced, found)


def known_to(scribe: Scribe, viewer: str) -> KnownTo:
    """Returns table state and branch names as `viewer` knows them on the scribe's branch.

    Raises Refused for an unknown viewer.
    """
    reading = scribe.seen_by(viewer)
    branches = tuple(known_by(scribe.campaign, scribe.line, viewer).values())
    return KnownTo(reading.table, branches, reading.viewer.gm)


def fitting(typed: str, found: Iterable[Offer]) -> list[Offer]:
    """Returns the completions that match `typed`, best first.

    Order: an alternative name equal to it, a name beginning with it, a later word beginning with it, words
    beginning with each typed word in order.
    """
    folded = normalise(typed.lstrip('"“'))
    ranked = [(rank, offer) for offer in dict.fromkeys(found) if (rank := _rank(folded, offer)) is not None]
    return [offer for _, offer in sorted(ranked, key=lambda ranking: ranking[0])]


def _rank(typed: str, offer: Offer) -> int | None:
    names = [normalise(name.strip('"')) for name in (offer.text, *offer.names)]
    if typed in names[1:]:
        return 0
    if any(name.startswith(typed) for name in names):
        return 1
    words = _split(names[0])
    if typed and any(word.startswith(typed) for word in words):
        return 2
    left = iter(words)
    return 3 if typed and all(any(word.startswith(one) for word in left) for one in _split(typed)) else None


def _split(name: str) -> list[str]:
    return name.replace(":", " ").split()


class _Offering(Struct, frozen=True):
    known: Known
    cursor: Cursor

    @property
    def table(self) -> Table:
        return self.known.table

    def offered(self) -> tuple[str, Iterable[Offer]]:
        """Returns the end of the line to replace, and every offer for that place, matching or not."""
        cursor = self.cursor
        kept = shorthands(self.table, self.table.in_play()).get(normalise(cursor.verb))
        if kept is not None:
            head = cursor.head()
            return ("", ()) if head is None else self._on_line(kept, expand_shorthand(head, self.table))
        if cursor.verb in VERBS:
            head = cursor.head()
            return ("", ()) if head is None else self._on_line(self._said(cursor.verb), head)
        head = cursor.head() if cursor.words[1:] else None
        whole = head and expand_shorthand(head, self.table)
        if whole is not None and whole is not head:
            return self._on_line(self._said(whole.verb.text), whole)
        return cursor.fragment, self._beside_the_table() if cursor.verb else self._verbs()

    def _said(self, verb: str) -> type[Command]:
        """Returns the command class of a verb, in the variant of the game in conflict if that has one."""
        return commands_said(verb, self.table, self.table.in_play())[0]

    def _on_line(self, command: type[Command], head: Lexed) -> tuple[str, Iterable[Offer]]:
        cursor = self.cursor
        if cursor.flag is not None:
            return cursor.fragment, self._flag_values(cursor.flag, command, head)
        if cursor.results is not None:
            return cursor.fragment, self._results(command, head, cursor.results)
        if cursor.fragment.startswith("--"):
            flags = sorted(COMMON_FLAGS | form_of(command).flags)
            return cursor.fragment, [Offer(f"--{flag}", FLAGS[flag].about) for flag in flags]
        return self._in_form(command, head)

    # --- verbs --------------------------------------------------------------------------------------------

    def _verbs(self) -> Iterator[Offer]:
        """Yields completions: verbs the game waits for, its others, those of this table, reading verbs."""
        here = self.table.in_play()
        first = (*self._due(), *(SYSTEMS[here.system].verbs if here else ()))
        verbs = (*(command.verb for command in first), *verbs_of(self.table))
        for command in map(self._said, dict.fromkeys(verbs)):
            yield Offer(command.verb, (command.__doc__ or "").partition("\n")[0], command.short)
        for word, command in shorthands(self.table, here).items():
            yield Offer(word, f"{command.verb} NAME {word} …")
        yield Offer(EXPECT[0], "Check something and record nothing.", EXPECT[1:])
        yield Offer("help", "")
        for verb in ("log", *sorted({*reading_verbs()} - {"play"})):
            yield Offer(verb, SHELL_VERBS[verb].about)
        yield Offer(AS, "Say whose the next lines are: as NAME; as alone ends it.")
        yield Offer(EDIT, "Edit the last text at the prompt. F7 does the same.")
        yield Offer(TABLE_WORD, "Say whether the table has real cards and dice, or Retold deals.")
        yield Offer(LEAVING[0], "Leave the console; everything is recorded.", LEAVING[1:])

    def _due(self) -> list[type[Command]]:
        """Returns commands of the verbs that the game waits for; empty once anything is typed.

        Only then, because finding them tries every possible line.
        """
        if self.cursor.typed.strip():
            return []
        return [self._said(verb) for verb in verbs_due(actions_at(self.table))]

    def _beside_the_table(self) -> Iterable[Offer]:
        verb, *before = self.cursor.words
        begun = before_a_voice(self.cursor.words, self.cursor.fragment)
        if begun is not None and self.known.settings is not None:
            return [Offer(f"{begun}{name}") for name in voices(self.known.settings)]
        if verb in EXPECT:
            return nameable.people(self.table) if before else map(Offer, self._subjects())
        named = self._after_option(before[-1]) if before and (verb in READING or verb == "log") else None
        if named is not None:
            return named
        known = self._known_to_viewer()
        if verb == "diff":
            return map(Offer, known.branches)
        if verb == "who" and "--for" in before:
            return (*nameable.people(known.table), *nameable.matters(known.table))
        return () if before else self._first_of(verb)

    def _known_to_viewer(self) -> KnownTo:
        """Returns table state and branch names as the viewer after `--for` knows them; without it, all."""
        named = [value for option, value in pairwise(self.cursor.words) if option == "--for"]
        if named and self.known.known_to is not None:
            with suppress(Refused):
                return self.known.known_to(named[-1])
        return KnownTo(self.table, self.known.branches)

    def _first_of(self, verb: str) -> Iterable[Offer]:
        """Returns completions for the first word after a reading verb, `help`, `as` or `table`."""
        match verb:
            case "who":
                return (*nameable.people(self.table), *nameable.matters(self.table))
            case "recap":
                return map(Offer, stretches(range(1, self.table.sessions + 1), self.cursor.fragment))
            case _ if verb in HELPING:
                return self._verbs()
            case _ if verb == AS:
                return nameable.people(self.table)
            case _:
                return map(Offer, (REAL, DEALT) if verb == TABLE_WORD else words_after(verb))

    def _after_option(self, option: str) -> Iterable[Offer] | None:
        """Returns completions for the value after `--for`, `--at`, `--who`, `--branch`; else None."""
        match option:
            case "--for":
                return (Offer("table", "what all may know"), *nameable.people(self.table))
            case "--at" | "--moment":
                known = self._known_to_viewer()
                return nameable.moments(known.table, counted=known.counts)
            case "--who":
                return nameable.people(self._known_to_viewer().table)
            case "--branch":
                return map(Offer, self._known_to_viewer().branches)
            case _:
                return None

    def _subjects(self) -> list[str]:
        here = self.table.in_play()
        systems = [SYSTEMS[here.system]] if here else list(SYSTEMS.values())
        return [*(fact for system in systems for fact in system.facts), "pending", "session", "refused"]

    # --- the form -----------------------------------------------------------------------------------------

    def _in_form(self, command: type[Command], head: Lexed) -> tuple[str, Iterable[Offer]]:
        form, fragment = form_of(command), self.cursor.fragment
        key, equals, value = fragment.partition("=")
        if form.takes_data and equals:
            return value, self._values(command, key.rstrip("+-"), head)
        phrase, found_whole = self._phrase(command, form, head)
        if found_whole:
            return phrase, found_whole
        ways = [way for way in wanted_at(form, head) if way.begun is None]
        joins = any(isinstance(way.part, Slot) and way.part.kind in JOINED for way in ways)
        before, last = _joined(fragment) if joins else ((), fragment)
        found = [offer for way in ways for offer in self._part(command, form, way)]
        if before:
            return last, [offer for offer in found if offer.text not in before]
        keys = self._keys(command, head) if form.takes_data else ()
        return last, [*found, *keys]

    def _phrase(self, command: type[Command], form: Form, head: Lexed) -> tuple[str, list[Offer]]:
        """Returns a half-typed phrase of several words, and its completions; empty if there is none."""
        begun = [way for way in wanted_at(form, head) if way.begun is not None]
        if not begun or len(head.tokens) != len(self.cursor.words) - 1:
            return "", []
        phrase = " ".join((*self.cursor.words[1 + (begun[0].begun or 0) :], self.cursor.fragment))
        if not self.cursor.typed.endswith(phrase):
            return "", []
        return phrase, fitting(phrase, (offer for way in begun for offer in self._part(command, form, way)))

    def _part(self, command: type[Command], form: Form, way: Wanted) -> Iterable[Offer]:
        """Returns completions for one part of the form: the game's suggestions, then names; none twice."""
        if isinstance(way.part, Word):
            return (Offer(way.part.text),)
        found = {offer.text: offer for offer in self._suggested(command, form, way.part, way.filled)}
        for offer in self._anywhere(command, form, way):
            known = found.get(offer.text)
            found[offer.text] = offer if known is None else offer._replace(about=known.about)
        party = nameable.party(self.table) if way.part.name in slots_of_people(command) else ()
        return (*found.values(), *party)

    def _suggested(
        self, command: type[Command], form: Form, slot: Slot, captures: Iterable[Capture]
    ) -> Iterator[Offer]:
        blank = Blank(command, slot.name, self._filled(command, captures))
        for suggestion in nameable.suggested(self.table, blank):
            with suppress(Refused):  # a name that cannot be written on a line
                yield Offer(nameable.written(slot.kind, suggestion.text, form.words), suggestion.about)

    def _filled(
        self, command: type[Command], captures: Iterable[Capture]
    ) -> dict[str, tuple[int | str, ...]]:
        filled: dict[str, tuple[int | str, ...]] = {}
        for slot, tokens in captures:
            said = (nameable.meant(self.table, command, slot, token.text) for token in tokens)
            filled[slot] = (*filled.get(slot, ()), *said)
        return filled

    def _anywhere(self, command: type[Command], form: Form, way: Wanted) -> Iterable[Offer]:
        assert isinstance(way.part, Slot)  # noqa: S101 -- a word has been offered by now
        if command in BY_VERB:
            return BY_VERB[command](self, way)
        if issubclass(command, c.KeepNote):
            return self._kept(command, form, way)
        if way.part.name in BY_SLOT:
            return BY_SLOT[way.part.name](self, way)
        bind = bind_of_type(command, way.part.name) if way.part.name in command.__struct_fields__ else None
        return BY_BIND[bind](self.table, form) if bind in BY_BIND else ()

    def _kept(self, command: type[c.KeepNote], form: Form, way: Wanted) -> Iterable[Offer]:
        """Returns completions: threads, places or things, by the verb; leaves out the one already named."""
        return nameable.matters(self.table, form.words, command.sort, but=way.one("what"))

    def two(self, way: Wanted) -> Iterable[Offer]:
        """Returns completions for the second person of `merge`: all but the first and the game master."""
        first = nameable.who(self.table, way.one("person"))
        return nameable.people(self.table, but={GM} if first is None else {GM, first})

    def files(self, _way: Wanted) -> Iterable[Offer]:
        """Returns completions for a picture's file, at a console that reads the user's own files."""
        return () if self.known.settings is None else pictures(self.cursor.fragment)

    def retired(self) -> Iterator[int]:
        """Yields the ids of retired people."""
        return (person.id for person in self.table.everybody() if person.retired)

    def branch(self, way: Wanted) -> Iterable[Offer]:
        """Returns completions after `branch`: `promote`, `show`; then branch names, or moments.

        Branch names follow these two words; moments follow the name of a new branch.
        """
        if way.one("name") in ("promote", "show"):
            return map(Offer, self.known.branches)
        if way.filled:
            return nameable.moments(self.table)
        return (
            Offer("promote", "the table plays this branch from now on"),
            Offer("show", "others may know of this branch from now on"),
        )

    def _results(self, command: type[Command], head: Lexed, typed: Sequence[str]) -> Iterable[Offer]:
        way = filled(form_of(command), head)
        if not form_of(command).takes_results or way.one("dice"):
            return ()
        return nameable.cards_left(self.table, self.who(way), typed)

    def who(self, way: Wanted) -> int | None:
        """Returns the id of the acting person named so far on the line; None if there is none."""
        return nameable.who(self.table, way.one("who"))

    # --- flags and data -----------------------------------------------------------------------------------

    def _flag_values(self, flag: str, command: type[Command], head: Lexed) -> Iterable[Offer]:
        match flag:
            case "for" | "against" | "upgrade" if flag in form_of(command).flags:
                return self._of_the_game(flag, command, head)
            case "by" | "to" | "absent" | "person":
                return nameable.people(self.table)
            case "at":
                return nameable.moments(self.table)
            case "in":
                return nameable.conflicts(self.table)
            case "provenance":
                return map(Offer, Provenance)
            case _:
                return ()

    def _of_the_game(self, flag: str, command: type[Command], head: Lexed) -> Iterable[Offer]:
        form = form_of(command)
        if flag == "for":
            return nameable.people(self.table)
        ways = wanted_at(form, head) or [filled(form, head)]
        return self._suggested(command, form, Slot("ANY", flag), ways[0].filled)

    def _keys(self, command: type[Command], head: Lexed) -> Iterable[Offer]:
        if command is c.SetOption:
            return nameable.option_keys(self.table)
        if command is c.Rule:
            return [
                Offer(f"{question.name}=", question.asked) for question in answerable_questions(self.table)
            ]
        if command is c.WriteReflection:
            return [Offer("by=", "who looks back")]
        if issubclass(command, c.PictureCommand):
            return [Offer("alt=", "what it shows"), Offer("credit=", "who made it")]
        systems = self._systems(head)
        if command is not c.OpenConflict:
            is_cast = command is c.Cast
            about = {
                **dict.fromkeys(("by", "alias", "name", "opens", "pronouns") if is_cast else (), ""),
                **{offer.text: offer.about for offer in self._of_data(command, "keys", systems)},
                **{
                    key.key: f"{key.about}: {key.takes}"
                    for system in systems
                    for key in SYSTEMS[system].sheet
                    if is_cast and key.key.islower()
                },
            }
            return [
                *(Offer(f"{key}=", words) for key, words in about.items()),
                *(Offer(f"{FORMS}{case}=", f"the name in the {CASES[case]}") for case in CASES if is_cast),
            ]
        forms = [item for system in systems for item in SYSTEMS[system].setup_keys.items()]
        return [Offer(f"{key}=", form) for key, form in (*forms, ("length", "how long it takes"))]

    def _systems(self, head: Lexed) -> list[str]:
        """Returns games whose KEY=VALUE may complete: the one on the line, in conflict, those played, all."""
        named = [token.text for token in head.tokens if token.text in SYSTEMS]
        here = self.table.in_play()
        return (
            named
            or ([here.system] if here else [game.name for game in played_at(self.table)])
            or list(SYSTEMS)
        )

    def _values(self, command: type[Command], key: str, head: Lexed) -> Iterable[Offer]:
        if command is c.SetOption:
            return nameable.option_values(key)
        if command is c.Rule:
            return nameable.answers(self.table, key)
        if command is c.Cast and key == "pronouns":
            return map(Offer, ("she/her", "he/him", "they/them", "it/its", NONE))
        systems = [SYSTEMS[name] for name in self._systems(head)]
        if key == "by" or any(key in system.person_keys for system in systems):
            return nameable.people(self.table)
        forms = [system.setup_keys.get(key, "") for system in systems]
        known = self._of_data(command, f"{key}=", self._systems(head))
        return [
            *(Offer(write_value(offer.text), offer.about) for offer in known),
            *(Offer(word) for form in forms for word in form.split("|") if word.islower()),
        ]

    def _of_data(self, command: type[Command], slot: str, systems: Iterable[str]) -> Iterator[Suggestion]:
        """Yields the games' suggestions: keys of a verb (`slot` is `keys`), or values of one key."""
        here = self.table.in_play()
        for name in systems:
            inside = here if here is not None and here.system == name else None
            yield from SYSTEMS[name].suggest(self.table, inside, Blank(command, slot, {}))
            if command is c.Cast and slot == "keys":
                yield from map(Suggestion, sorted(SYSTEMS[name].person_keys))


def _joined(fragment: str) -> tuple[tuple[str, ...], str]:
    """Returns the names already joined by + or a comma, and the unfinished one: `a+b+c` → `(a, b)`, `c`."""
    ends = [place for place, sign in enumerate(fragment) if sign in JOINERS]
    if not ends or '"' in fragment:
        return (), fragment
    return tuple(fragment[: ends[-1]].replace(",", "+").split("+")), fragment[ends[-1] + 1 :]


Choosing = Callable[[_Offering, Wanted], Iterable[Offer]]

BY_VERB: Mapping[type[Command], Choosing] = {
    c.Branch: _Offering.branch,
    c.Switch: lambda offering, _: map(Offer, offering.known.branches),
    c.Merge: _Offering.two,
    c.Retire: lambda offering, _: nameable.people(offering.table, but={GM, *offering.retired()}),
}
"""The verbs whose slots hold the names of lines, or of some people and not of others."""

BY_SLOT: Mapping[str, Choosing] = {
    "cards": lambda offering, way: nameable.hand(offering.table, offering.who(way), way.all("cards")),
    "dice": lambda *_: map(Offer, ("1d6", "2d6", "1d8", "1d10", "1d20")),
    "file": _Offering.files,
}
"""The slots whose words are the game's own, by the name every form gives them."""

BY_BIND: Mapping[Bind | None, Callable[[Table, Form], Iterable[Offer]]] = {
    Bind.PERSON: lambda table, form: nameable.people(table, form.words),
    Bind.NEWCOMER: lambda table, form: nameable.people(table, form.words),
    Bind.SYSTEM: lambda *_: [Offer(system.name, system.about) for system in SYSTEMS.values()],
    Bind.ANSWER: lambda table, _: nameable.answers(table),
    Bind.MOMENT: lambda table, _: nameable.moments(table),
    Bind.THING: lambda table, form: (*nameable.people(table, form.words), *nameable.things(table)),
    Bind.KNOWN_THING: lambda table, form: (*nameable.people(table, form.words), *nameable.things(table)),
}
"""The slots that hold what every table has, by what their names stand for."""
