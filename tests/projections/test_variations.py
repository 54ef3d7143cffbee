"""Other lines, told where they leave the one that is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.games.bruise import commands as b
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.store.writing.retcon import carry_out, plan_retcon
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM
from retold.projections.exports import EXPORTS, MECHANICS, export
from retold.projections.exports.blocks import in_order
from retold.projections.prose.telling import Tag
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer, lines, viewer_of
from retold.projections.story import transcript
from retold.projections.story.document import End, Head, Paragraph, Passage, Scene, Transcript, Variation
from retold.projections.story.variations import DEEPEST
from tests.projections.evening import Table, w
from tests.projections.reading import read, squeezed

KINDER = "What if she had gone back?"


def head(table: Table, line: int) -> int:
    return table.campaign.record.head(line).position


def fork(table: Table, parent: int, at: int, name: str, why: str | None = None) -> LineWriter:
    line = table.campaign.fork(parent, at, w(name), None if why is None else w(why))
    return table.campaign.writer(line)


def kinder(table: Table) -> LineWriter:
    """The second evening as it went on, and a branch from before that."""
    at = table.writer.head.position
    zel = table.who("Zel")
    branch = fork(table, 1, at, "kinder", KINDER)
    table.do(c.Narrate(who=zel, text=w("She walks away.")))
    branch.record(c.Narrate(who=zel, text=w("She goes back for him.")))
    branch.record(b.Tilt(who=zel, potential="destiny"))
    return branch


def show_every_line(table: Table) -> None:
    """Lets everybody know of every branch, that what they are told of it can be seen."""
    for line in table.campaign.lines():
        if table.campaign.branches.shown_to(line) is not None:
            table.campaign.show(line)


def told(
    table: Table,
    session: int | None = 2,
    *,
    line: int = 1,
    voice: str = "report",
    viewer: Viewer = GAME_MASTER,
    as_of: int | None = None,
) -> Transcript:
    if not viewer.gm:
        show_every_line(table)
    reading = LineView(table.campaign, line, as_of, viewer)
    if session is None:
        return transcript.of_range(reading, voice=voice, variations=True)
    return transcript.of_session(reading, session, voice=voice, variations=True)


def in_story(scenes: tuple[Scene, ...], depth: int = 0) -> list[str]:
    """What is told, in the order in which it stands, a stroke before it for each variation it is in."""
    found: list[str] = []
    for scene in scenes:
        for passage in scene.passages:
            for one in in_order(passage):
                if isinstance(one, Variation):
                    found.append(f"{'| ' * depth}{one.name}: {one.why}")
                    found += in_story(one.scenes, depth + 1)
                elif one.text:
                    found.append("| " * depth + one.text)
    return found


def variations(scenes: tuple[Scene, ...]) -> list[Variation]:
    return [
        one
        for scene in scenes
        for passage in scene.passages
        for each in passage.variations
        for one in (each, *variations(each.scenes))
    ]


def test_a_branch_is_told_under_the_event_where_it_leaves(table: Table) -> None:
    kinder(table)

    assert in_story(told(table).scenes)[-5:] == [
        "She takes wing.",
        "Nobody here has wings.",
        f"kinder: {KINDER}",
        "| She goes back for him.",
        "She walks away.",
    ]


def test_without_being_asked_for_no_other_line_is_told(table: Table) -> None:
    kinder(table)

    assert variations(transcript.of_session(LineView(table.campaign, 1), 2).scenes) == []


def test_seen_from_the_branch_the_mainline_is_the_variation(table: Table) -> None:
    branch = kinder(table)

    assert in_story(told(table, line=branch.line).scenes)[-3:] == [
        "mainline: None",
        "| She walks away.",
        "She goes back for him.",
    ]


def test_after_a_promotion_the_old_mainline_is_told_with_its_name(table: Table) -> None:
    branch = kinder(table)
    table.campaign.promote(branch.line)

    assert [one.name for one in variations(told(table, line=branch.line).scenes)] == ["first-line"]


def test_a_branch_of_a_branch_is_nested_in_it(table: Table) -> None:
    branch = kinder(table)
    at = branch.head.position - 1
    fork(table, branch.line, at, "kinder-still").record(c.Say(who=0, text=w("He is not there.")))

    assert in_story(told(table).scenes)[-5:] == [
        f"kinder: {KINDER}",
        "| She goes back for him.",
        "| kinder-still: None",
        "| | He is not there.",
        "She walks away.",
    ]


def test_two_that_leave_at_one_place_stand_there_in_the_order_they_were_made(table: Table) -> None:
    at = table.writer.head.position
    for name in ("one", "other"):
        fork(table, 1, at, name).record(c.Say(who=0, text=w(f"So went {name}.")))

    assert in_story(told(table).scenes)[-4:] == [
        "one: None",
        "| So went one.",
        "other: None",
        "| So went other.",
    ]


def test_within_too_many_variations_another_is_only_named(table: Table) -> None:
    line = 1
    for depth in range(DEEPEST + 2):
        branch = fork(table, line, head(table, line), f"deep-{depth}")
        branch.record(c.Say(who=0, text=w(f"Turn {depth}.")))
        line = branch.line
    found = variations(told(table).scenes)

    assert [one.name for one in found] == [f"deep-{depth}" for depth in range(DEEPEST + 1)]
    assert [bool(one.scenes) for one in found] == [True] * DEEPEST + [False]
    for name in ("markdown", "html", "text"):
        assert "It is told apart, as a line of its own." in export(name, told(table)).decode()


def test_a_variation_of_an_evening_ends_with_it(table: Table) -> None:
    branch = kinder(table)
    branch.record(c.End(what="session", text=w("They both got wet.")))
    branch.record(c.OpenSession(title=w("Another week")))
    branch.record(c.SetScene(title=w("The fish market")))
    branch.record(c.Say(who=0, text=w("Everybody is here.")))

    assert "| They both got wet." in in_story(told(table).scenes)
    assert "| Everybody is here." not in in_story(told(table).scenes)
    assert "| Everybody is here." in in_story(told(table, None).scenes)


def test_a_line_is_in_the_evening_it_is_another_of(table: Table) -> None:
    before = next(at for at in range(1, head(table, 1)) if table.campaign.table_at(1, at + 1).session == 2)
    branch = fork(table, 1, before, "elsewhere")
    branch.record(c.OpenSession(title=w("Elsewhere"), text=w("It rains there too.")))

    assert in_story(told(table, 2).scenes)[:2] == ["elsewhere: None", "| It rains there too."]
    assert variations(told(table, 1).scenes) == []


@pytest.mark.parametrize("noted", [False, True])
def test_what_leaves_between_two_evenings_is_told_in_the_later_whatever_is_recorded_there(
    table: Table, noted: bool
) -> None:
    table.do(c.End(what="session"))
    elsewhere = fork(table, 1, table.writer.head.position, "elsewhere")
    elsewhere.record(c.Narrate(text=w("Nobody comes back.")))
    if noted:
        table.do(c.Note(text=w("Who knows?")), see="gm")
    assert in_story(told(table, 2).scenes)[-2:] == ["elsewhere: None", "| Nobody comes back."]

    table.do(c.OpenSession(title=w("Spring tide"), text=w("The sluice is open.")))
    assert in_story(told(table, 3).scenes)[:3] == [
        "elsewhere: None",
        "| Nobody comes back.",
        "The sluice is open.",
    ]
    assert variations(told(table, 2).scenes) == []


@pytest.mark.parametrize("back", [0, 6, 14])
def test_every_line_is_in_exactly_one_place_of_the_whole(table: Table, back: int) -> None:
    for count in range(3):
        fork(table, 1, head(table, 1) - back, f"line-{count}").record(c.Say(who=0, text=w(f"No {count}.")))

    assert sorted(one.name for one in variations(told(table, None).scenes)) == ["line-0", "line-1", "line-2"]


def test_a_line_on_which_nothing_is_told_is_left_out(table: Table) -> None:
    fork(table, 1, table.writer.head.position, "empty")

    assert variations(told(table).scenes) == []


def test_what_was_quoted_in_a_variation_is_quoted(table: Table) -> None:
    kinder(table).record(c.Note(about=table.who("Jon"), quote=True, text=w("I like this one better.")))

    assert [one.text for one in told(table).end.quotes] == ["I like this one better."]


def test_the_mechanics_of_a_variation_are_its_own(table: Table) -> None:
    kinder(table)
    (variation,) = variations(told(table).scenes)
    last = variation.scenes[-1].passages[-1].paragraphs[-1]

    assert last.text == "She goes back for him."
    assert "Wheel" in last.mechanics[-1].text


# --- as of a moment, and for somebody ---------------------------------------------------------------------


def test_as_of_a_moment_only_what_was_recorded_by_then_is_told(tmp_path: Path) -> None:
    table = Table(tmp_path / "short.retold")
    for text in ("One.", "Two."):
        table.do(c.Say(who=0, text=w(text)))
    branch = fork(table, 1, table.writer.head.position - 1, "other")
    before = table.do(c.Say(who=0, text=w("Three."))).last
    branch.record(c.Say(who=0, text=w("Not two.")))
    after = table.do(c.Say(who=0, text=w("Four."))).last
    branch.record(c.Say(who=0, text=w("Not three either.")))
    table.do(c.Say(who=0, text=w("Five.")))

    assert in_story(told(table, None, as_of=before).scenes) == ["One.", "Two.", "Three."]
    assert in_story(told(table, None, as_of=after).scenes) == [
        *("One.", "other: None", "| Not two."),
        *("Two.", "Three.", "Four."),
    ]
    assert "| Not three either." in in_story(told(table, None).scenes)
    table.campaign.close()


def test_a_secret_of_a_branch_is_hidden_from_other_viewers(table: Table) -> None:
    branch = kinder(table)
    branch.record(c.Note(text=w("He sold her out")), Manner(visible_to="gm"))
    alone = fork(table, 1, table.writer.head.position, "hidden", "He lies")
    alone.record(c.Note(text=w("Nothing he says is so")), Manner(visible_to="gm"))

    assert {"| He sold her out", "hidden: He lies"} <= set(in_story(told(table).scenes))
    for name in EXPORTS:
        if not EXPORTS[name].is_text:
            continue
        shown = export(name, told(table, viewer=EVERYBODY)).decode()
        assert not re.search("He sold her out|He lies|hidden:|Nothing he says", shown), name


def otherwise(table: Table, at: int, text: str, name: str) -> LineWriter:
    """The line on which a note at a position says something else, and all that followed is said again."""
    planned = plan_retcon(table.writer, at, c.Note(text=w(text)))
    return table.campaign.writer(carry_out(planned, name))


def test_players_see_no_branch_differing_only_in_a_secret(table: Table) -> None:
    secret = table.do(c.Note(text=w("The butler did it")), see="gm").first
    table.do(c.Narrate(text=w("The rain stops.")))
    otherwise(table, secret, "The maid did it", "retcon")
    table.do(c.Narrate(text=w("The moon comes out.")))

    assert {"retcon: None", "| The maid did it"} <= set(in_story(told(table).scenes))
    for session in (2, None):
        assert variations(told(table, session, viewer=EVERYBODY).scenes) == []


def test_where_lines_part_only_later_for_a_player_they_part_there(table: Table) -> None:
    """On the branch the maid did it, which nobody knows; Zel stays in, which everybody knows."""
    secret = table.do(c.Note(text=w("The butler did it")), see="gm").first
    table.do(c.Narrate(text=w("The rain stops.")))
    branch = otherwise(table, secret, "The maid did it", "retcon")
    table.do(c.Narrate(text=w("Zel goes out.")))
    branch.record(c.Narrate(text=w("Zel stays in.")))
    deep = fork(table, branch.line, branch.head.position - 1, "deep")
    deep.record(c.Narrate(text=w("Zel sleeps.")))
    early = fork(table, branch.line, branch.head.position - 2, "early", "It rains on")
    early.record(c.Narrate(text=w("The rain does not stop.")))

    assert in_story(told(table, viewer=EVERYBODY).scenes)[-8:] == [
        "early: It rains on",
        "| The rain does not stop.",
        "The rain stops.",
        "retcon: None",
        "| deep: None",
        "| | Zel sleeps.",
        "| Zel stays in.",
        "Zel goes out.",
    ]


def test_a_line_that_leaves_one_with_nothing_else_to_tell_is_told_itself(table: Table) -> None:
    secret = table.do(c.Note(text=w("The butler did it")), see="gm").first
    table.do(c.Narrate(text=w("The rain stops.")))
    branch = otherwise(table, secret, "The maid did it", "retcon")
    fork(table, branch.line, branch.head.position, "deep").record(c.Narrate(text=w("Zel stays in.")))
    table.do(c.Narrate(text=w("Zel goes out.")))

    assert in_story(told(table, viewer=EVERYBODY).scenes)[-4:] == [
        "The rain stops.",
        "deep: None",
        "| Zel stays in.",
        "Zel goes out.",
    ]


def test_words_told_later_are_the_same_words_where_they_stand_at_another_position(table: Table) -> None:
    secret = table.do(c.Note(text=w("The butler did it")), see="gm").first
    rain = table.do(c.Narrate(text=w("The rain stops."))).first
    table.do(c.Narrate(at=rain, text=w("It was the last of it.")))
    otherwise(table, secret, "The maid did it", "retcon")

    assert variations(told(table, viewer=EVERYBODY).scenes) == []


def test_a_player_leading_another_branch_sees_no_secrets_of_it(table: Table) -> None:
    branch = kinder(table)
    jon = table.who("Jon")
    branch.record(c.Cast(who=GM, by=jon))
    branch.record(c.Note(text=w("He sold her out")), Manner(visible_to="gm"))

    seen = in_story(told(table, viewer=viewer_of(table.writer.table, jon)).scenes)
    assert "| She goes back for him." in seen
    assert "| He sold her out" not in seen


def test_a_reused_number_on_a_branch_reveals_no_secrets(table: Table) -> None:
    """Lou joins the mainline after the fork, and Ada the branch: both are person 7, and have secrets."""
    at = table.writer.head.position
    branch = fork(table, 1, at, "with-ada")
    table.do(c.Cast(who=w("Lou")))
    branch.record(c.Cast(who=w("Ada")))
    lou = table.who("Lou")
    assert branch.table.name(lou) == "Ada"
    branch.record(c.Say(who=0, text=w("For all.")))
    branch.record(c.Note(text=w("For Ada alone")), Manner(visible_to=(lou,)))

    seen = in_story(told(table, viewer=viewer_of(table.writer.table, lou)).scenes)

    assert "| For all." in seen
    assert "| For Ada alone" not in seen


def test_a_characters_player_is_judged_on_the_told_line(table: Table) -> None:
    """On the branch Zel is handed to Kit: what is for Zel there is no longer for Jon."""
    branch = kinder(table)
    zel, jon, kit = (table.who(name) for name in ("Zel", "Jon", "Kit"))
    branch.record(c.Cast(who=zel, by=kit))
    branch.record(c.Note(text=w("The knife is loose")), Manner(visible_to=(zel,)))

    for person, seen in ((jon, False), (kit, True)):
        story = in_story(told(table, viewer=viewer_of(table.writer.table, person)).scenes)
        assert ("| The knife is loose" in story) is seen


# --- on a page --------------------------------------------------------------------------------------------


def test_markdown_quotes_a_variation(table: Table) -> None:
    kinder(table)
    shown = export("markdown", told(table)).decode()

    assert shown[shown.index("> **Variation") : shown.index("## Open")] == (
        f"> **Variation kinder: {KINDER}**\n"
        ">\n"
        "> #### Zel vs Guards (continued)\n"
        ">\n"
        "> *Bruise: Zel against Guards.*\n"
        ">\n"
        "> **Zel:** She goes back for him.\n"
        ">\n"
        "> > *Mechanics (1)*\n"
        "> >\n"
        "> > - Zel: Wheel at Destiny 6, Fate 4; Karma 5 and 4\n"
        "\n"
        "**Zel:** She walks away.\n"
        "\n"
    )


def test_obsidian_has_a_variation_in_a_callout(table: Table) -> None:
    kinder(table)
    shown = export("obsidian", told(table)).decode()

    assert shown[shown.index("> [!branch]+") : shown.index("## Open")] == (
        f"> [!branch]+ Variation kinder: {KINDER}\n"
        ">\n"
        "> #### Zel vs Guards (continued)\n"
        ">\n"
        "> *Bruise: Zel against Guards.*\n"
        ">\n"
        "> **Zel:** She goes back for him. ^e2-55\n"
        ">\n"
        "> > [!dice]- Mechanics (1)\n"
        "> > - Zel: Wheel at Destiny 6, Fate 4; Karma 5 and 4\n"
        "\n"
        "**Zel:** She walks away. ^e54\n"
        "\n"
    )


def test_text_draws_a_stroke_beside_it(table: Table) -> None:
    kinder(table)
    shown = export("text", told(table), "none").decode()

    assert shown[shown.index("  | Var") : shown.index("Open\n")] == (
        f"  | Variation kinder: {KINDER}\n"
        "  | ............................................\n"
        "  |\n"
        "  | Zel vs Guards (continued)\n"
        "  | ~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        "  |\n"
        "  | Bruise: Zel against Guards.\n"
        "  |\n"
        "  | Zel: She goes back for him.\n"
        "\n"
        "Zel: She walks away.\n"
        "\n"
        "\n"
    )


def test_html_has_it_under_a_heading_of_its_own(table: Table) -> None:
    kinder(table)
    shown = export("html", told(table), "none").decode()
    start = shown.index('<div class="variation">')
    words = re.sub(r"<[^>]*>", "", shown[start : shown.index("</article>")])

    assert [line for line in words.split("\n") if line.strip()] == [
        f"Variation kinder: {KINDER}",
        "Zel vs Guards (continued)",
        "Bruise: Zel against Guards.",
        "Zel: She goes back for him.",
        "Zel: She walks away.",
    ]
    assert re.findall(r"<(h[1-6]) id=", shown[start:])[:2] == ["h4", "h5"]


@pytest.mark.parametrize("name", [name for name, form in EXPORTS.items() if not form.is_timed])
def test_every_format_but_subtitles_tells_it(table: Table, name: str) -> None:
    branch = kinder(table)
    fork(table, branch.line, branch.head.position, "kinder-still").record(c.Say(who=0, text=w("Gone.")))
    both = told(table)
    for place in MECHANICS if EXPORTS[name].is_text else ("folded", "footnotes"):  # a PDF is slow to read
        shown = squeezed(read(name, export(name, both, place)))

        for words in ("kinder", KINDER, "She goes back for him.", "kinder-still", "Gone.", "She walks away."):
            assert squeezed(words) in shown


@pytest.mark.parametrize("voice", ["report", "plain"])
def test_ids_are_unique_on_a_page(table: Table, voice: str) -> None:
    branch = kinder(table)
    branch.record(c.SetScene(title=w("The wall")))
    branch.record(c.End(what="conflict", how="ended"))
    fork(table, branch.line, branch.head.position, "kinder-still").record(c.SetScene(title=w("The moat")))
    branch.record(c.SetScene(title=w("The ditch")))
    table.do(c.SetScene(title=w("The gate")))
    table.campaign.promote(branch.line)

    for line in (1, branch.line):
        for place in MECHANICS:
            ids = re.findall(
                r' id="([^"]+)"', export("html", told(table, None, line=line, voice=voice), place).decode()
            )

            assert len(set(ids)) == len(ids) > 10


def test_without_mechanics_a_variation_is_story_too(table: Table) -> None:
    kinder(table)
    story = told(table).without_mechanics()
    (variation,) = variations(story.scenes)

    assert all(not one.mechanics for scene in variation.scenes for one in paragraphs(scene))
    assert in_story(story.scenes)[-3:] == in_story(told(table).scenes)[-3:]


def paragraphs(scene: Scene) -> list[Paragraph]:
    return [one for passage in scene.passages for one in passage.paragraphs]


def test_a_variation_under_mechanics_alone_moves_up_where_they_are_left_out() -> None:
    """Under the paragraph before them; above all where there is none."""
    words = Paragraph("e1", Tag.NARRATION, "Rain.")
    bare = Paragraph("e2m", Tag.MECHANICS, "")
    variation = Variation("e2-3v", "e2m", "kinder", None, ())
    for given, after in (((words, bare), "e1"), ((bare,), None)):
        passage = Passage(None, given, (variation,))
        story = Transcript("report", "gm", Head(None), (), (Scene(None, None, None, (passage,)),), End())

        (left,) = story.without_mechanics().scenes[0].passages
        assert left.variations == (replace(variation, after=after),)


# --- which leaves which -----------------------------------------------------------------------------------


def test_lines_are_grouped_by_where_they_leave(table: Table) -> None:
    """main ─┬─ 2 at 20 ── 3 leaves 2 at 21; 4 leaves main at 10, made last."""
    two = fork(table, 1, 20, "two")
    two.record(c.Say(who=0, text=w("Two.")))
    three = fork(table, two.line, 21, "three")
    four = fork(table, three.line, 10, "four")
    at_two, at_three, at_four = (LineView(table.campaign, one.line) for one in (two, three, four))

    assert lines.branches_leaving(LineView(table.campaign, 1), (two.line, three.line, four.line)) == (
        (four.line, 10, ()),
        (two.line, 20, (three.line,)),
    )
    assert lines.shared_length(at_three, at_four) == 10
    assert lines.shared_length(at_three, at_two) == 21
    assert lines.branch_reason(at_two, 20) is None
