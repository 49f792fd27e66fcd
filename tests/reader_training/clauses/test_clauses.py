"""The grammars of clauses, and the model that is trained with them."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service.documents.fields.clause_figures import clause_text, find_figures
from app.service.documents.fields.clause_model import CLASSES, MODEL, read_sentence
from tests.reader_training.clauses.grammar import (
    LANGUAGES,
    Line,
    Pattern,
    Slot,
    count_sentences,
    read_grammar,
    write_sentences,
)
from tests.reader_training.clauses.sentences import digest, list_examples, write_all
from tests.reader_training.clauses.train import train_all, write_arrays

_PARAPHRASES = 100
_LARGEST = 1_000_000


def _list_slots(pattern: Pattern) -> Iterator[str]:
    for part in pattern:
        if isinstance(part, Slot):
            yield part.name
        elif not isinstance(part, str):
            for one in part:
                yield from _list_slots(one)


def _list_clauses(line: Line) -> set[str]:
    stated = {said for said in line.says.values() if said != "none"}
    return stated | {name for name in _list_slots(line.pattern) if name in CLASSES["figure"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_clause_has_at_least_a_hundred_paraphrases(language: str) -> None:
    paraphrases: Counter[str] = Counter()
    for line in read_grammar(language):
        for clause in _list_clauses(line):
            paraphrases[clause] += count_sentences(line.pattern)
    clauses = {name for classes in CLASSES.values() for name in classes} - {"none", "other"}
    assert {clause for clause in clauses if paraphrases[clause] < _PARAPHRASES} == set()


@pytest.mark.campaign
def test_the_model_was_trained_with_the_grammars_as_they_are() -> None:
    described = json.loads(MODEL.with_suffix(".json").read_text())
    assert described["digest"] == digest(), "train again: python -m tests.reader_training.clauses.train"
    assert described["classes"] == {name: list(classes) for name, classes in CLASSES.items()}
    assert MODEL.stat().st_size < _LARGEST


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_the_command_makes_the_model_that_is_shipped(tmp_path: Path) -> None:
    """Byte for byte, in two minutes of a quiet machine."""
    made = tmp_path / MODEL.name
    write_arrays(train_all(list(list_examples(write_all(LANGUAGES)))), made)
    assert made.read_bytes() == MODEL.read_bytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_fragments_that_were_held_out_of_training_are_read(language: str) -> None:
    """The scores beside the model, taken of sentences with fragments that its training did not see."""
    scores = json.loads(MODEL.with_suffix(".json").read_text())["scores on fragments held out of training"]
    of_language = {name: row for name, row in scores[language].items() if name.startswith("figure: ")}
    certain = sum(row["examples"] * row["certain"] for row in of_language.values())
    wrong = sum(row["examples"] * row["certain"] * row["wrong among certain"] for row in of_language.values())
    assert wrong / certain < 0.02
    found = sum(row["examples"] * row["found"] for row in of_language.values())
    assert found / sum(row["examples"] for row in of_language.values()) > 0.88


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_model_reads_the_sentences_of_its_grammar(language: str) -> None:
    chance = random.Random(3)
    right: Counter[bool] = Counter()
    for line in read_grammar(language):
        for sentence in write_sentences(line, 1, chance):
            text = clause_text(sentence.text)
            for one in read_sentence(text, find_figures(text)).figures:
                begins = [begin for begin in sentence.roles if one.figure.start <= begin < one.figure.end]
                role = sentence.roles[begins[0]] if begins else "other"
                right[max(one.probabilities, key=one.probabilities.__getitem__) == role] += 1
    assert right[True] / right.total() > 0.97
