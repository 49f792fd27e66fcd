"""The words of a language from which documents are put together."""

import random
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "words"
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


class Wording:
    """The lists of words of one language; a choice is made by the given random numbers.

    A label that was chosen once stays the same within a document.
    """

    def __init__(self, language: str, rng: random.Random) -> None:
        self.language = language
        self._words = load(language)
        self._rng = rng
        self._chosen: dict[tuple[str, str], str] = {}
        self.bilingual = language != "en" and rng.random() < 0.06
        self.american = False
        """Whether places and companies are of the United States, else of where the language is from."""

    def any(self, section: str, key: str) -> str:
        return str(self._rng.choice(self._words[section][key]))

    def place(self, key: str) -> str:
        """A street, a city, or what stands behind a company's name."""
        return self.any("places", f"american_{key}" if self.american else key)

    def same(self, section: str, key: str) -> str:
        """A choice that the document keeps."""
        place = (section, key)
        if place not in self._chosen:
            self._chosen[place] = self.any(section, key)
        return self._chosen[place]

    def label(self, key: str) -> str:
        return self.same("labels", key)

    def column(self, key: str) -> str:
        """A header; with the English one behind it in a document of two languages."""
        own = self.same("columns", key)
        if not self.bilingual:
            return own
        english = str(load("en")["columns"][key][0])
        return own if own == english else f"{own} / {english}"

    def unit(self, kind: str) -> tuple[str, str]:
        """Singular and plural."""
        one, many = self._rng.choice(self._words["units"][kind])
        return one, many

    def list(self, section: str, key: str) -> list[str]:
        return list(self._words[section][key])


@cache
def load(language: str) -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
