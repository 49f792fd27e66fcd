"""Every language fills its lexicon, and rules hold no words."""

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path

import pytest

from app.service.documents.lexicon.languages import LANGUAGES, WORDS
from app.service.documents.lexicon.lexicon import Lexicon
from app.service.documents.lexicon.phrases import either, phrase

DOCUMENTS = Path(__file__).parents[4] / "app" / "service" / "documents"
SCOPES = DOCUMENTS.parent / "scopes"
IDS = [one.code for one in LANGUAGES]
NUMBERS_IN_OFFERS = {1, 2, 3, 5, 10, 12, 20, 30, 60, 90}
# Names of sites, registers, places and codes, and stems, which are the same in every language.
NAMES = {
    "html", "http", "https", "siret", "siren", "iban", "swift", "ifsc", "GSTIN", "CGST", "SGST", "moms",
    "London", "Manchester", "Leeds", "Bristol", "Edinburgh", "tokyo", "selangor", "johor", "kuala", "lumpur",
    "sverige", "danmark", "norge", "polska", "ringgit",
    "alternat", "variant", "wariant", "recurr", "recorr", "ricorr",
}  # fmt: skip


def texts_of(section: object, path: str = "") -> Iterator[tuple[str, str]]:
    """All strings of a lexicon with the names of their fields."""
    if isinstance(section, str):
        yield path, section
    elif isinstance(section, Mapping):
        for key, value in section.items():
            yield from texts_of(value, f"{path}[{key}]")
    elif isinstance(section, tuple):
        for value in section:
            yield from texts_of(value, path)
    elif is_dataclass(section):
        for one in fields(section):
            yield from texts_of(getattr(section, one.name), f"{path}.{one.name}")


def gaps_of(section: object, path: str = "") -> Iterator[str]:
    for one in fields(section) if is_dataclass(section) else ():
        value = getattr(section, one.name)
        if is_dataclass(value):
            yield from gaps_of(value, f"{path}.{one.name}")
        elif one.default is MISSING and not value:
            yield f"{path}.{one.name}"


@pytest.mark.parametrize("lexicon", LANGUAGES, ids=IDS)
def test_a_language_leaves_no_gap(lexicon: Lexicon) -> None:
    assert list(gaps_of(lexicon)) == []
    assert set(lexicon.durations.numbers) >= NUMBERS_IN_OFFERS
    assert "EUR" in lexicon.currencies


@pytest.mark.parametrize("lexicon", LANGUAGES, ids=IDS)
def test_every_phrase_is_a_pattern_that_can_match(lexicon: Lexicon) -> None:
    for path, text in texts_of(lexicon):
        re.compile(either(text))
        assert not re.search(r"\|\s*\||^\s*\||\|\s*$", text), f"{path} has an empty phrase"
        if not path.startswith((".names", ".entries")) and path != ".common_words":
            marks = [letter for letter in unicodedata.normalize("NFD", text) if unicodedata.combining(letter)]
            assert not marks, f"{path} is matched against text without accents"


def test_the_words_of_all_languages_are_found_together() -> None:
    found = phrase(WORDS.documents.quote)
    assert all(found.search(word) for word in ("quote", "angebot", "devis", "offerte", "presupuesto"))
    assert not found.search("quoted")


def words_in_patterns(path: Path) -> Iterator[str]:
    """Words of four letters or more in what a module hands to `re`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                text = re.sub(r"\\[A-Za-z]|\?P[<=]\w+[>)]?|\(\?\(\w+\)|\[[^\]]*\]|\(\?i:", " ", part.value)
                yield from re.findall(r"[^\W\d_]{4,}", text)


def test_rules_hold_no_words() -> None:
    languages = {f"{code}.py" for code in IDS}
    modules = [path for path in sorted(DOCUMENTS.rglob("*.py")) if path.name not in languages]
    modules += [SCOPES / "units.py", SCOPES / "line_roles.py", SCOPES / "extraction_to_scope.py"]
    found = {
        f"{path.relative_to(DOCUMENTS.parent)}: {word}"
        for path in modules
        for word in words_in_patterns(path)
        if word not in NAMES
    }
    assert sorted(found) == [], "the words of a language belong into its file in lexicon/"
