"""The names of countries, as the last line of an address has them. From CLDR."""

from collections.abc import Mapping
from functools import cache
from typing import cast

from babel import Locale
from babel.core import get_global

from app.service.values.folding import fold

_LANGUAGES = ("en", "de", "fr", "nl", "es", "it", "pt", "sv", "da", "nb", "fi", "pl", "cs", "ja", "zh")
_LETTERS_OF_CODE = 3


def is_country(text: str) -> bool:
    """Whether a text is but the name of a country or its code of three letters: `Belgium`, `DNK`."""
    bare = fold(text).strip(" .,;-()")
    return bare in _list_names() or (len(bare) == _LETTERS_OF_CODE and bare.upper() in _list_codes())


@cache
def _list_names() -> frozenset[str]:
    territories = (cast(Mapping[str, str], Locale.parse(one).territories) for one in _LANGUAGES)
    return frozenset(fold(name) for names in territories for name in names.values())


@cache
def _list_codes() -> frozenset[str]:
    return frozenset(code for code in get_global("territory_aliases") if len(code) == _LETTERS_OF_CODE)
