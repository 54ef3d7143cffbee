import hashlib
import hmac
import pickle
from collections import Counter
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks import dice, french, spacetime
from retold.journal.decks.chance import (
    Luck,
    NotPossible,
    Provenance,
    SeededDealer,
    StackedDealer,
    SystemDealer,
    UsedResult,
    number_below,
    seed_commitment,
)
from retold.journal.refused import Refused

D6 = dice.faces(6)
NOBODY = StackedDealer([])


def test_a_seed_is_committed_to_by_its_sha_256() -> None:
    # FIPS 180-2, appendix B.1
    assert seed_commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_the_bytes_behind_a_seeded_result_are_as_promised() -> None:
    message = b"\0\0\0\x013" + b"\0\0\0\x06deck:7" + b"\0\0\0\x0212" + b"\0"
    x = int.from_bytes(hmac.new(b"seed", message, hashlib.sha256).digest(), "big")

    dealt = SeededDealer(b"seed", 3, {"deck:7": 12}).pick("deck:7", french.DECK)

    assert dealt == french.DECK[x % 52]


def test_a_block_in_the_last_incomplete_run_is_passed_over() -> None:
    # 2**256 = 1 (mod 3): only the highest number is left over from whole runs of 3.
    highest = b"\xff" * 32

    assert number_below(3, [highest, (7).to_bytes(32)]) == 7 % 3
    assert number_below(3, [(2**256 - 2).to_bytes(32)]) == (2**256 - 2) % 3
    assert number_below(4, [highest]) == (2**256 - 1) % 4


seeds = st.binary(max_size=40)
sources = st.text(max_size=8)


@given(seeds, st.integers(0, 9), sources, st.integers(1, 60), st.integers(0, 5))
def test_a_seed_deals_the_same_again_from_any_point(
    seed: bytes, line: int, source: str, size: int, after: int
) -> None:
    faces = tuple(str(face) for face in range(size))
    dealer = SeededDealer(seed, line, {})
    all_at_once = [dealer.pick(source, faces) for _ in range(after + 3)]

    later = SeededDealer(seed, line, {source: after})

    assert [later.pick(source, faces) for _ in range(3)] == all_at_once[after:]


def test_sources_lines_and_seeds_deal_apart() -> None:
    def sequence(seed: bytes, line: int, source: str) -> tuple[str, ...]:
        dealer = SeededDealer(seed, line, {})
        return tuple(dealer.pick(source, french.DECK) for _ in range(20))

    sequences = {
        sequence(seed, line, source)
        for seed in (b"a", b"b")
        for line in (1, 2, 11)
        for source in ("d6", "1d6", "d8")
    }

    assert len(sequences) == 2 * 3 * 3


def test_drawing_from_one_source_leaves_another_as_it_was() -> None:
    alone, between = SeededDealer(b"s", 1, {}), SeededDealer(b"s", 1, {})
    first = [alone.pick("d6", D6) for _ in range(10)]
    mixed = []
    for _ in range(10):
        mixed.append(between.pick("d6", D6))
        between.pick("d8", dice.faces(8))

    assert mixed == first


@pytest.mark.parametrize("dealer", [SystemDealer(), SeededDealer(b"fair", 1, {})])
def test_every_face_comes_up_about_as_often(dealer: SystemDealer | SeededDealer) -> None:
    rolls = 6000
    seen = Counter(dealer.pick("d6", D6) for _ in range(rolls))

    # Eight standard deviations of a binomial with p = 1/6: once in more than 10**14 runs.
    assert set(seen) == set(D6)
    assert all(abs(number - rolls / 6) < 8 * (rolls * 5 / 36) ** 0.5 for number in seen.values())


@given(st.integers(1, 1000), st.lists(st.binary(min_size=32, max_size=32), min_size=1))
def test_a_seeded_number_is_within_its_range(size: int, blocks: list[bytes]) -> None:
    zero = bytes(32)

    assert 0 <= number_below(size, [*blocks, zero]) < size


def test_a_stacked_dealer_deals_what_it_was_given_and_nothing_else() -> None:
    dealer = StackedDealer(["JH", "2S"])

    assert dealer.pick("deck", french.DECK) == "JH"
    with pytest.raises(NotPossible, match="2S cannot come up from deck now"):
        dealer.pick("deck", ("3S",))
    assert dealer.left == ("2S",)
    assert dealer.pick("deck", french.DECK) == "2S"
    with pytest.raises(Refused, match="Nothing more was dealt from deck"):
        dealer.pick("deck", french.DECK)


@given(seeds, st.integers(0, 54))
def test_dealt_cards_are_different_cards_of_the_deck(seed: bytes, n: int) -> None:
    deck = french.deck(2)
    luck = Luck(SeededDealer(seed, 1, {}))

    drawn = luck.draw("Zel", deck, n)

    assert len(drawn) == n
    assert not Counter(drawn) - Counter(deck)
    assert luck.taken == [UsedResult("Zel", card, Provenance.DEALT) for card in drawn]
    assert not luck.called


@given(seeds)
def test_a_space_time_card_comes_up_one_way_only(seed: bytes) -> None:
    luck = Luck(SeededDealer(seed, 1, {}))

    drawn = luck.draw("deck", spacetime.both_ways(spacetime.DECK), 67, identity=spacetime.upright)

    assert sorted(map(spacetime.upright, drawn)) == sorted(spacetime.DECK)


def test_called_cards_are_taken_in_order_and_recorded_as_called() -> None:
    luck = Luck(NOBODY, ["JH", "JD", "10S"])

    assert luck.called
    assert luck.draw("Zel", french.DECK, 2) == ("JH", "JD")
    assert luck.rest() == 1
    assert luck.draw("Zel", french.DECK, 1) == ("10S",)
    assert luck.taken == [UsedResult("Zel", card, Provenance.CALLED) for card in ("JH", "JD", "10S")]
    luck.finish()


def test_called_results_keep_the_provenance_they_come_with() -> None:
    luck = Luck(NOBODY, ["JH"], Provenance.LATER)
    luck.draw("Zel", french.DECK, 1)

    assert [taken.provenance.value for taken in luck.taken] == ["reconstructed"]


def test_a_called_orientation_belongs_to_the_card() -> None:
    luck = Luck(NOBODY, ["T14:r", "T14"])
    both = spacetime.both_ways(spacetime.DECK)

    with pytest.raises(NotPossible) as refused:
        luck.draw("deck", both, 2, identity=spacetime.upright)

    assert refused.value.result == "T14"


@pytest.mark.parametrize(
    ("called", "n", "sentence"),
    [
        (["JH", "JD", "10S", "7C"], 6, "6 cards are drawn here and 4 were given."),
        ([], 1, "1 card is drawn here and 0 were given."),
        (["JH"], 2, "2 cards are drawn here and 1 was given."),
        (["JH", "JH"], 2, "JH is given twice."),
        (["joker"], 1, "joker cannot be drawn here now."),
        (["_"], 1, "This card has to be named: _ will not do."),
        (None, 53, "53 cards are drawn here and the deck has 52."),
    ],
)
def test_cards_that_cannot_be_drawn_are_refused(called: list[str] | None, n: int, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        Luck(SystemDealer(), called).draw("Zel", french.DECK, n)

    assert str(refused.value) == sentence


def test_unnamed_cards_are_drawn_where_allowed() -> None:
    luck = Luck(NOBODY, ["9S", "_", "_"])

    assert luck.draw("Guards", french.DECK, 3, unseen=True) == ("9S", "_", "_")


def test_a_short_call_is_never_filled_up_by_the_dealer() -> None:
    luck = Luck(SystemDealer(), ["3"])

    with pytest.raises(Refused, match="2 dice are rolled here and 1 was given"):
        luck.faces((6, 6))


def test_results_left_over_are_refused() -> None:
    luck = Luck(NOBODY, ["3", "7C", "4C"])
    luck.faces((6,))

    with pytest.raises(Refused, match="2 results too many: 7C 4C"):
        luck.finish()


def test_nothing_is_left_over_where_all_is_dealt() -> None:
    luck = Luck(StackedDealer(["3"]))
    luck.faces((6,))

    luck.finish()
    assert luck.rest() == 0


def test_called_faces_are_fitted_to_their_dice() -> None:
    luck = Luck(NOBODY, ["8", "5", "3"])

    assert luck.faces((6, 6, 8)) == (5, 3, 8)
    assert [(taken.source, taken.result) for taken in luck.taken] == [("d6", "5"), ("d6", "3"), ("d8", "8")]


def test_a_die_without_that_face_is_refused() -> None:
    with pytest.raises(Refused, match="A d6 has no 7"):
        Luck(NOBODY, ["7"]).faces((6,))


def test_fudge_dice_show_minus_one_to_plus_one() -> None:
    assert Luck(NOBODY, ["+", "0", "-", "-"]).faces((0,) * 4) == (1, 0, -1, -1)


@given(seeds, st.lists(st.sampled_from([0, 4, 6, 20]), max_size=8))
def test_dealt_faces_are_faces_of_their_dice(seed: bytes, sizes: list[int]) -> None:
    luck = Luck(SeededDealer(seed, 1, {}))

    shown = luck.faces(sizes)

    assert all(
        face in {dice.face_value(each) for each in dice.faces(size)}
        for face, size in zip(shown, sizes, strict=True)
    )
    assert Counter(taken.source for taken in luck.taken) == Counter(map(dice.die_name, sizes))


def test_what_was_dealt_can_be_dealt_again() -> None:
    first = Luck(SeededDealer(b"seed", 1, {}))
    dealt = (first.faces((6, 8, 0)), first.draw("deck", french.DECK, 5))

    again = Luck(StackedDealer(taken.result for taken in first.taken))

    assert (again.faces((6, 8, 0)), again.draw("deck", french.DECK, 5)) == dealt
    assert again.taken == first.taken


def test_a_refusal_survives_pickling() -> None:
    refused = pickle.loads(pickle.dumps(NotPossible("JH", "JH is given twice.")))

    assert (refused.result, refused.sentence) == ("JH", "JH is given twice.")


def test_blocks_are_taken_one_after_another() -> None:
    taken = count()
    blocks = (b"\xff" * 32 if next(taken) < 5 else bytes(32) for _ in count())

    assert number_below(3, blocks) == 0
    assert next(taken) == 6
