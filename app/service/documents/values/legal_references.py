"""References to statutes, as `§ 4 Nr. 11 UStG`: fonts and recognition often turn `§` into `$` or `£`."""

import re

_SIGNS = r"(?:[§$£]\s?){1,2}"
_NUMBER = r"\d{1,4}(?![\d.,]*\d)\s?[a-z]{0,2}\b\.?"
_PART = r"(?:,?\s?(?:[A-Z][a-z]{1,4}|[a-z]{2,4})\.?\s?(?:\d{1,3}[a-z]?|[a-z])\b)"
# Laws in short end in Gesetz, Gesetzbuch, Verordnung or Ordnung: UStG, HGB, UStDV.
_STATUTE = r"\s?(?:(?=\w*[a-z])(?:[A-Z][a-z]{0,4}){1,4}(?:G|GB|DV|VO|V|O)|[A-Z]{1,3}GB)\b"
_REFERENCE = re.compile(
    rf"§\s?§?\s?{_NUMBER}{_PART}*|{_SIGNS}{_NUMBER}{_PART}*{_STATUTE}"
    rf"|\b[Aa]rt\.?\s?\d{{1,4}}[a-z]?,?\s?{_SIGNS}{_NUMBER}{_PART}*"
)
_SIGN = re.compile(r"[§$£]")


def blank_legal_references(text: str) -> str:
    """The text with marks instead of its references to statutes, as long as it was."""
    if not _SIGN.search(text):
        return text
    return _REFERENCE.sub(lambda found: "§" * len(found.group()), text)
