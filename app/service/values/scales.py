"""Words behind a figure that multiply it: thousand, million, lakh, 万."""

import re
from collections.abc import Mapping
from functools import lru_cache

SCALES: Mapping[int, str] = {
    10**3: r"thousands? | tausend | tsd | milliers? | duizend(?:en)? | mil | miles | mila | migliaia"
    r" | milhares"
    r" | тыс | тысяч[аи]? | тис | tys | tis | tusen | tusind",
    10**4: r"万 | 萬 | 만",
    10**5: r"la(?:kh|c)s?",
    10**6: r"millions? | million(?:en|er)? | ml?n | mio | mill\wn(?:es)? | milion[eiyů]? | miljoen(?:en)?"
    r" | milh\wo | milh\wes | miljon(?:er)? | miljoonaa? | млн | миллион(?:а|ов)? | milyon",
    10**7: r"crores?",
    10**8: r"億 | 亿 | 억",
    10**9: r"bn | mrd | mld | milliarden? | milliards? | miliard(?:[iy]|ów)? | miljarder? | miljard(?:en)?"
    r" | mil millones | mil milh\wes | млрд | miliard[ia]",
}
"""Phrases parted by ` | ` by the factor. A `billion` is none: it is a thousand times more in most
languages."""
_PATTERNS = [
    (factor, re.compile(rf"(?:{'|'.join(words.split(' | '))})\.?", re.IGNORECASE))
    for factor, words in SCALES.items()
]
_LETTERS = {"k": 10**3, "m": 10**6, "mm": 10**6}


@lru_cache(maxsize=1024)
def read_scale(text: str) -> int | None:
    """Return the factor of a scale word; None where the text is none."""
    return next((factor for factor, pattern in _PATTERNS if pattern.fullmatch(text.strip())), None)


def read_scale_letter(text: str) -> int | None:
    """Return the factor of the letter at a figure of money: `150k`, `2.5M`. Without a currency it may be a
    unit."""
    return _LETTERS.get(text.strip().lower())
