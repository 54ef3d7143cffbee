"""What somebody types who is in a hurry: one sentence that says what was wrong and what there is."""

import pytest

from tests.cli.shell import Shell


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("shwo",), "There is no verb shwo. Did you mean show?"),
        (("narate:", "Hello."), "There is no verb narate. Did you mean narrate"),
        (("xyzzy",), "There is no verb xyzzy. To tell it: narrate NAME: what happens. All verbs: help."),
        (("help", "drw"), "There is no help on drw. Did you mean draw?"),
        (("-c",), "-c wants a value: -c FILE."),
        (("--branch",), "--branch wants a value: --branch NAME."),
        (
            ("--bogus", "show"),
            (
                "There is no option --bogus before a verb."
                " There are: -c, --campaign, --branch, --json, --debug, --yes, --no-color."
            ),
        ),
        (("show", "--bogus"), "No such option: --bogus. What there is: retold show --help."),
        (("show", "--at"), "Option '--at' requires an argument. What there is: retold show --help."),
        (("run",), "Missing argument 'FILE'. What there is: retold run --help."),
        (("log", "--bogus"), "log has no --bogus; retold log --help says what there is."),
        (("log", "-n", "many"), "-n wants a number, not many."),
        (("log", "-n"), "-n wants a value."),
        (("log", "s1", "s2"), "log takes one range, such as s3..@."),
        (("log", "s1..", "--at", "12"), "log takes a range or --at: as it was at 12 is ..12."),
        (("undo", "--bogus"), "There is no flag --bogus."),
        (("undo", "now"), "“now” does not fit here; wanted: a whole number (ACTS) or nothing more."),
        (
            ("narrate", "Zel"),
            "narrate wants a text after a colon. The form is: narrate [WHO] ",
        ),
        (("note", "a\nb:", "x"), "Only a text may hold several lines."),
        (("cast", "Zel\x1b[31m"), "A control character (U+001B) stands here: take it out."),
        (("cast", "Zel\udcff"), "A control character (U+DCFF) stands here: take it out."),
    ],
)
def test_a_command_line_that_is_not_right(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    assert shell.misused(*words).startswith(sentence)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("narrate", "Zell:", "Hello."), "There is no “Zell” here. Did you mean Zel?"),
        (("say", "Nobody:", "Hello."), "There is no “Nobody” here."),
        (("roll", "Zel", "2d6", "=", "9", "9"), "A d6 has no 9."),
        (("roll", "Zel", "2d6", "=", "3"), "2 dice are rolled here and 1 was given."),
        (("scene",), "After “scene” is missing"),
        (("session",), "Session 2 is still open: end it first (end session)."),
        (("campaign", "Another"), "This campaign is named already: The Salt Road."),
        (("draw", "Zel", "3"), "No conflict is open, and draw belongs to one"),
        (("ruling", "Zel:", "why"), "Nothing is pending, so there is nothing to answer"),
        (("mark", "the-porch"), "There is a mark the-porch already, at 10."),
        (("mark", "s3"), "s3 reads as a moment already: choose another name."),
        (("switch", "kinder"), "There is no branch kinder. There are: mainline."),
        (("--branch", "kinder", "note:", "x"), "There is no branch kinder. There are: mainline."),
        (("show", "--branch", "kinder"), "There is no branch kinder. There are: mainline."),
        (("show", "--at", "27"), "Moment 27 has not come yet: the line ends at 26."),
        (("log", "--at", "@-99"), "The line has only 16 acts, so there is no moment 99 acts back."),
        (("replay", "9..4"), "9..4 runs backwards: 4 comes before 9."),
        (("show", "decs"), "There is no view “decs”. Did you mean decks?"),
        (("show", "aspects"), "There is no view “aspects”: aspects are at the end of show stress."),
        (("show", "cast", "Zel"), "Nothing follows show cast; all about a person: who NAME."),
        (("stats", "lck"), "There is nothing to count called “lck”. Did you mean luck?"),
        (("stats", "xyzzy"), "There is nothing to count called “xyzzy”. There are: luck, telling, time"),
        (("show", "--for", "Nobody"), "There is no “Nobody” here."),
        (("systems", "bruize"), "There is no “bruize” here. Did you mean bruise?"),
        (("option", "foo=1"), "There is no option foo. Known here: "),
        (("cast", "Zel", "bruise", "foo=x"), "foo is rated 0 to 52, not x."),
        (("undo", "9" * 30), f"undo takes no such number: {'9' * 30}. Write it like: undo"),
        (("narrate", "--at", "99", "Zel:", "x"), "Moment 99 has not come yet: the line ends at 26."),
        (("note:",), "This wants a text after the colon, or - to read it from standard input."),
        (("new", "."), "“.” is no name for a campaign: choose one such as salt-road."),
    ],
)
def test_a_wish_that_cannot_be_granted(shell: Shell, words: tuple[str, ...], sentence: str) -> None:
    before = shell.bytes()
    said = shell.say(*words)

    assert said.code == 1 or (said.code, words) == (2, ("scene",))
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert "should not have" not in said.err
    assert shell.bytes() == before


@pytest.fixture
def fight(shell: Shell) -> Shell:
    """The evening at the moment when one hand has been drawn."""
    shell.done("branch", "fight", "16")
    return shell


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("draw", "Guards", "3", "=", "19H", "2C", "3C"), "There is no 19 of hearts."),
        (("draw", "Guards", "3", "=", "2C"), "3 cards are drawn here and 1 was given."),
        (("draw", "Guards", "3", "=", "2C", "2C", "3C"), "2C is given twice."),
        (("colour", "Zel", "hearts"), "The colour is the winner's to choose (nobody yet)."),
        (("draw", "Zel", "clubs+melee"), "Zel has drawn already"),
        (("narrate", "Guards:", "Hello."), "Nothing has come out yet, so there is nothing to narrate"),
    ],
)
def test_what_the_cards_on_the_table_rule_out(fight: Shell, words: tuple[str, ...], sentence: str) -> None:
    before = fight.bytes()

    assert fight.refused(*words).startswith(sentence)
    assert fight.bytes() == before


def test_after_the_colon_everything_is_text(shell: Shell) -> None:
    assert shell.done("say", "Zel:", "x", "--at", "3") == "Zel says: “x --at 3”\n"


def test_a_verb_whose_name_ends_in_the_colon_has_its_text(shell: Shell) -> None:
    assert shell.done("ruling:", "The lamp counts as cover.") == "ruling: “The lamp counts as cover.”\n"


def test_every_act_says_where_it_was_written_and_how_to_take_it_back(shell: Shell) -> None:
    assert shell.say("note:", "Hello.").err == (
        "Recorded 27 on mainline of evening.retold. To take it back: retold undo\n"
    )
    assert shell.say("undo").err == (
        "Recorded 28 on mainline of evening.retold. To bring it back: retold redo\n"
    )
    assert shell.say("-c", "evening", "--branch", "mainline", "cast", "Ada", "by=Eve").err == (
        "Recorded 29\N{EN DASH}31 on mainline of evening.retold."
        " To take it back: retold -c evening --branch mainline undo\n"
    )


def test_a_question_is_asked_only_at_a_terminal(shell: Shell) -> None:
    before = shell.bytes()
    said = shell.say("fix", "16", "=", "JH", "JD", "10S", "7C", "4C", "2D")

    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "15\N{EN DASH}16\n"
        "  - Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 3♦\n"
        "  + Zel draws 6 from Jon's deck: J♥ J♦ 10♠ 7♣ 4♣ 2♦\n"
        "Play on with this? Nothing is changed yet: add --yes to go on.\n"
    )
    assert shell.bytes() == before
    shell.done("--yes", "fix", "16", "=", "JH", "JD", "10S", "7C", "4C", "2D")


def test_a_mistake_of_our_own_is_a_sentence_and_with_debug_a_traceback(shell: Shell) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("\x1b[31mred")

    shell.monkeypatch.setattr("retold.cli.verbs.log.log", broken)
    said = shell.say("log")

    assert said.code == 1
    assert said.err.startswith("Something went wrong that should not have (ZeroDivisionError: ␛[31mred).")
    with pytest.raises(ZeroDivisionError):
        shell.say("--debug", "log")
