"""Texts become buckets of words, part numbers and letter groups."""

from app.service.pricing.estimator.text_similarity import (
    find_part_numbers,
    group_buckets,
    long_group_buckets,
    split_words,
    word_bucket,
    word_buckets,
)


def test_a_number_is_a_word_apart_from_its_letters() -> None:
    assert split_words("Paper A4 80g, 2.5 mm") == ["paper", "a", "4", "80", "g", "2.5", "mm"]


def test_letters_and_digits_in_one_piece_are_a_part_number() -> None:
    assert find_part_numbers("Toner HP CF-410X black 2024") == ["cf410x"]


def test_the_order_and_case_of_words_do_not_matter() -> None:
    assert word_buckets("Blue pen").tolist() == word_buckets("PEN blue").tolist()
    assert word_bucket("pen") in word_buckets("Blue pen")
    assert word_bucket("pencil") not in word_buckets("Blue pen")


def test_another_wording_shares_letter_groups_and_no_word() -> None:
    assert not set(word_buckets("licence")) & set(word_buckets("licences"))
    assert len(set(group_buckets("licence")) & set(group_buckets("licences"))) >= 5
    assert set(group_buckets("licence")) < set(long_group_buckets("licence"))
