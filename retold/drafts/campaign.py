"""Methods of `Campaign` that begin, read and write drafts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from retold.projections.reading import Arrival, LineView
from retold.reading import Reading, under_lock

if TYPE_CHECKING:
    from retold.drafts.checking import Checker
    from retold.drafts.overview import BlockToLookAt, Overview, RevisionMade
    from retold.drafts.writing import WritersDraft, Writing
    from retold.journal.store.writing.drafts import Scope
    from retold.projections.prose import Voice

T = TypeVar("T")


def voice_of_draft(scope: Scope) -> Voice:
    """Returns the voice of a draft among Retold's own, in the draft's language; Refused for another name."""
    from msgspec import structs  # noqa: PLC0415 -- few programs write drafts

    from retold.projections.prose import in_language, voice_of  # noqa: PLC0415 -- few programs write drafts
    from retold.projections.prose.phrases.languages import language_meant  # noqa: PLC0415 -- as above

    voice = structs.replace(voice_of(scope.voice), is_chosen=True)
    return voice if scope.lang is None else in_language(voice, language_meant(scope.lang))


class DraftsOfCampaign(Reading):
    """Methods of `Campaign` for drafts."""

    @under_lock
    def drafts(self) -> tuple[str, ...]:
        """Returns the names of the campaign's drafts, in the order begun."""
        return tuple(self.shared.store.drafts.names().values())

    @under_lock
    def draft(self, name: str, voice_of: Callable[[Scope], Voice] = voice_of_draft) -> WritersDraft:
        """Returns a draft as the game master writes on it: its blocks, and the record's words beside each.

        `voice_of` returns the voice of a draft; by default it is one of Retold's own. Raises Refused if there
        is not a draft of that name.
        """
        from retold.drafts.standing import latest  # noqa: PLC0415 -- few programs write drafts
        from retold.drafts.writing import writers_draft  # noqa: PLC0415 -- as above

        store = self.shared.store
        draft = store.drafts.read(store.drafts.called(name))
        return writers_draft(latest(store, draft, voice_of(draft.scope)))

    @under_lock
    def write_draft(
        self,
        name: str,
        seen: int,
        change: Callable[[Writing], T],
        *,
        voice_of: Callable[[Scope], Voice] = voice_of_draft,
        writer: str | None = None,
    ) -> T:
        """Calls `change` to write on a draft, for a reader of its revision `seen`; returns its result.

        `writer` is their name, None if not given. Raises Refused, with nothing recorded, for a draft or
        revision that does not exist, for a name that cannot be shown on a line, and as `change` does.
        """
        from retold.drafts.naming import writer_named  # noqa: PLC0415 -- few programs write drafts
        from retold.drafts.writing import Writing  # noqa: PLC0415 -- as above

        store = self.shared.store
        with store.record.writing():
            draft = store.drafts.read(store.drafts.called(name))
            draft.revision(seen)  # refuses one that does not exist
            return change(Writing(store, draft, seen, voice_of(draft.scope), writer_named(writer)))

    @under_lock
    def drafts_overview(self) -> Overview:
        """Returns what a writer of drafts may choose from: drafts, sessions, and people as readers."""
        from retold.drafts.overview import overview  # noqa: PLC0415 -- as above

        return overview(self.shared.store, self._line_read())

    @under_lock
    def begin_draft(
        self,
        name: str,
        *,
        part: str | None = None,
        viewer: str = "table",
        voice: str = "prose",
        lang: str | None = None,
        voice_of: Callable[[Scope], Voice] = voice_of_draft,
        writer: str | None = None,
    ) -> str:
        """Begins a draft for a viewer (`table`, `gm` or a name); returns its name.

        `part` is a session or a range as `draft new` takes it (`s1`, `s1..s3`), None for the whole branch.
        `lang` is the code of a language, None for the voice's own. Raises Refused as
        `retold.drafts.making.begin` does, and for an unknown part or viewer.
        """
        from retold.drafts.making import begin, part_of  # noqa: PLC0415 -- as above
        from retold.drafts.naming import writer_named  # noqa: PLC0415 -- as above
        from retold.drafts.standing import reader_for  # noqa: PLC0415 -- as above
        from retold.journal.store.writing.drafts import Scope  # noqa: PLC0415 -- as above

        store, line = self.shared.store, self._line_read()
        reading = LineView(store, line)
        first, last = (1, reading.position) if part is None else part_of(reading, part)
        reader = reader_for(reading.called(viewer).viewer)
        scope = Scope(line, first, last, voice, reader, lang)
        return begin(store, name, scope, voice_of(scope), writer_named(writer)).name

    @under_lock
    def draft_revisions(self, name: str) -> tuple[RevisionMade, ...]:
        """Returns the last 200 revisions of a draft. Raises Refused if there is no such draft."""
        from retold.drafts.overview import revisions  # noqa: PLC0415 -- as above

        drafts = self.shared.store.drafts
        return revisions(drafts.read(drafts.called(name)))

    @under_lock
    def draft_doubts(
        self, name: str, voice_of: Callable[[Scope], Voice] = voice_of_draft
    ) -> tuple[BlockToLookAt, ...]:
        """Returns the blocks of a draft that its writer should look at. Raises Refused as `draft` does."""
        from retold.drafts.overview import to_look_at  # noqa: PLC0415 -- as above
        from retold.drafts.standing import latest  # noqa: PLC0415 -- as above

        store = self.shared.store
        draft = store.drafts.read(store.drafts.called(name))
        return to_look_at(latest(store, draft, voice_of(draft.scope)))

    @under_lock
    def checker(self, reader: str | Arrival, *, secrets: bool) -> Checker:
        """Returns what holds texts against the record as a reader may know it; it reads the branch once.

        With `secrets` the game master asks: sentences that are not for the reader are called so, and ids are
        the game master's. Raises Refused for an unknown reader.
        """
        from retold.drafts.checking import Checker  # noqa: PLC0415 -- as above

        return Checker(self._unfiltered(self._line_for(reader)).called(reader), secrets=secrets)

    @under_lock
    def revise_draft(
        self, name: str, text: str, writer: str, *, voice_of: Callable[[Scope], Voice] = voice_of_draft
    ) -> str:
        """Records a text in Markdown as the next revision of a draft, by a writer; returns a sentence.

        New paragraphs are for the game master alone until they are opened. Raises Refused for a text that may
        be another one or may say what was redacted, and if nothing is new.
        """
        from retold.drafts.returning import revise  # noqa: PLC0415 -- as above

        return revise(self.shared.store, name, text, writer, voice_of)
