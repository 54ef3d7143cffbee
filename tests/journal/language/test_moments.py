import pytest

from retold.journal.language.moments import LinePosition, find_place, find_range, reads_as_moment
from retold.journal.refused import Refused
from retold.scribe import Scribe

HEAD = 26


@pytest.mark.parametrize(
    ("typed", "position"),
    [
        ("1", 1),
        ("12", 12),
        ("#12", 12),
        ("26", HEAD),
        ("@", HEAD),
        ("@-0", HEAD),
        ("~0", HEAD),
        ("@-1", 25),
        ("~1", 25),
        ("@-3", 23),
        ("~5", 20),  # the end of the conflict brought two events
        ("e12", 12),
        ("e1-12", 12),
        ("mainline@e12", 12),
        ("s1", 3),
        ("s1:1", 3),
        ("s1:22", 24),
        ("s2", 25),
        ("s2:2", HEAD),
        ("the-porch", 10),
        ("The Porch", 10),
        ("mainline@12", 12),
        ("mainline@", HEAD),
        ("mainline@-3", 23),
        ("mainline@s2", 25),
        ("mainline@the-porch", 10),
    ],
)
def test_a_moment_is_one_position(scribe: Scribe, typed: str, position: int) -> None:
    assert find_place(scribe.campaign, 1, typed) == LinePosition(1, position)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("0", "Moments count from 1."),
        ("27", "Moment 27 has not come yet: the line ends at 26."),
        ("#999999999999999", "Moment 999999999999999 has not come yet: the line ends at 26."),
        ("@-17", "The line has only 16 acts, so there is no moment 17 acts back."),
        ("s3", "There is no session 3. The last is s2."),
        ("s0", "There is no session 0. The last is s2."),
        ("s1:0", "Session 1 has 22 events: 0 is not among them."),
        ("s1:23", "Session 1 has 22 events: 23 is not among them."),
        ("s2:3", "Session 2 has 2 events: 3 is not among them."),
        ("the-prch", "There is no moment “the-prch”. Did you mean the-porch?"),
        ("", "There is no moment “”. Write 412, s3, s3:42, @, @-3, e412 or a mark's name."),
        (
            "-3",
            "There is no moment “-3”. Write 412, s3, s3:42, @, @-3, e412 or a mark's name.",
        ),
        ("e27", "Moment 27 has not come yet: the line ends at 26."),
        ("e3-5", "There is no line 3, so there is no e3-5."),
        ("kinder@3", "There is no branch kinder. There are: mainline."),
    ],
)
def test_a_moment_that_is_not_there_is_refused_with_what_is(
    scribe: Scribe, typed: str, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        find_place(scribe.campaign, 1, typed)

    assert refused.value.sentence == sentence


def test_a_campaign_without_a_session_says_so(scribe: Scribe) -> None:
    scribe.say("branch early 2")

    with pytest.raises(Refused, match=r"There is no session 1\. There is none yet\."):
        find_place(scribe.campaign, scribe.line, "s1")


def test_acts_are_counted_without_those_taken_back(scribe: Scribe) -> None:
    scribe.say("undo")  # the scene at 26; the undo itself stands at 27

    assert find_place(scribe.campaign, 1, "@-1") == LinePosition(1, 24)


def test_a_session_taken_back_is_none(scribe: Scribe) -> None:
    scribe.say("undo 2")

    with pytest.raises(Refused, match=r"The last is s1\."):
        find_place(scribe.campaign, 1, "s2")


def test_a_branch_names_a_moment_of_its_own(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")
    scribe.say("scene The cellar")
    kinder = scribe.line

    assert find_place(scribe.campaign, 1, "kinder@12") == LinePosition(kinder, 12)
    assert find_place(scribe.campaign, 1, "kinder@-1") == LinePosition(kinder, 11)
    assert find_place(scribe.campaign, 1, "Kinder@~1") == LinePosition(kinder, 11)
    assert find_place(scribe.campaign, 1, "kinder@") == LinePosition(kinder, 12)
    assert find_place(scribe.campaign, kinder, "s1") == LinePosition(kinder, 3)


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("4..9", 4, 9),
        ("..9", 1, 9),
        ("s2..", 25, HEAD),
        ("..", 1, HEAD),
        ("the-porch..s2", 10, 25),
        ("12", 12, 12),
        ("@-1..@", 25, HEAD),
        ("mainline@3..5", 3, 5),
    ],
)
def test_a_range_has_two_ends_and_an_end_left_out_is_the_lines_own(
    scribe: Scribe, typed: str, first: int, last: int
) -> None:
    assert find_range(scribe.campaign, 1, typed) == (LinePosition(1, first), LinePosition(1, last))


def test_a_range_does_not_run_backwards(scribe: Scribe) -> None:
    with pytest.raises(Refused, match=r"^9\.\.4 runs backwards: 4 comes before 9\.$"):
        find_range(scribe.campaign, 1, "9..4")


def test_a_range_lies_on_one_line(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")

    with pytest.raises(Refused, match=r"goes from one line to another: a range lies on one\.$"):
        find_range(scribe.campaign, 1, "kinder@3..mainline@9")


@pytest.mark.parametrize("name", ["s3", "s3:42", "412", "@", "@-3", "~3", "#4", "a@b", "a..b"])
def test_what_reads_as_a_moment_is_no_name_for_a_branch(name: str) -> None:
    assert reads_as_moment(name)


@pytest.mark.parametrize("name", ["kinder", "s", "session3", "the-3rd", "a.b", "3rd"])
def test_other_names_read_as_no_moment(name: str) -> None:
    assert not reads_as_moment(name)


def test_a_moment_of_a_branch_is_written_as_it_is_printed(scribe: Scribe) -> None:
    scribe.say("branch kinder 10")
    scribe.say("note: Only here.")

    assert find_place(scribe.campaign, 2, "e2-12") == LinePosition(2, 12)
    assert find_place(scribe.campaign, 2, "e9") == LinePosition(2, 9)  # shared with the line it left
    assert find_place(scribe.campaign, 2, "e12") == LinePosition(1, 12)
    assert find_place(scribe.campaign, 1, "e2-12") == LinePosition(2, 12)


def test_a_mark_that_looks_like_something_printed_is_the_mark(scribe: Scribe) -> None:
    scribe.say("mark e5")

    assert find_place(scribe.campaign, 1, "e5") == LinePosition(1, HEAD)
