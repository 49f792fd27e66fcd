"""Where a document comes from, as far as that decides how its dates and signs are read."""

import re
from collections import Counter

from app.service.documents.values.dates import plain

_HOMES = (
    ("USD",
        r"\bunited states\b|\bu\.?s\.?a\.?\b|, [A-Z]{2},? {1,2}\d{5}(?:-\d{4})?\b"
        r"|\b[A-Z][a-z]+,? (?:A[LKZR]|C[AOT]|DE|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]"
        r"|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]) {1,2}\d{5}\b"),
    ("GBP",
        r"\bunited kingdom\b|\bu\.k\.|\bengland\b|\bscotland\b|\b(?:London|Manchester|Leeds|Bristol"
        r"|Edinburgh) [A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\bVAT\b.{0,12}GB\d"),
    ("AUD", r"\baustralia\b|\b(?:NSW|VIC|QLD|TAS|ACT) {1,2}\d{4}\b|\bABN\b|\bPty\b"),
    ("CAD", r"\bcanada\b|\b(?:ON|QC|BC|AB|MB|NS) {1,2}[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\bULC\b"
        r"|\bRT ?00\d\d\b"),
    ("NZD", r"\bnew zealand\b"),
    ("EUR",
        r"\bireland\b|\bdeutschland\b|\bgermany\b|\bfrance\b|\bnederland\b|\bnetherlands\b|\bespana\b"
        r"|\bspain\b|\bosterreich\b|\baustria\b|\bbelgi\w+|\bitaly\b|\bportugal\b|\bfinland\b|\bGmbH\b"
        r"|\bUSt-?Id|\bB\.V\.|\bS\.L\.|\bSARL\b"),
    ("CHF", r"\bschweiz\b|\bswitzerland\b|\bsuisse\b|\bCHE-\d"),
    ("JPY", r"\bjapan\b|\bK\.K\.|\btokyo\b"),
    ("INR", r"\bindia\b|\bGSTIN\b|\bCGST\b|\bSGST\b|\blakh\b"),
    ("MYR", r"\bmalaysia\b|\bSDN\.? ?BHD\b|\bselangor\b|\bjohor\b|\bkuala lumpur\b"),
    ("SGD", r"\bsingapore\b"),
    ("SEK", r"\bsweden\b|\bsverige\b|\bmoms\b"),
    ("DKK", r"\bdenmark\b|\bdanmark\b|\bCVR\b"),
    ("NOK", r"\bnorway\b|\bnorge\b"),
    ("ZAR", r"\bsouth africa\b"),
    ("AED", r"\bunited arab emirates\b|\bdubai\b"),
    ("PLN", r"\bpoland\b|\bpolska\b"),
)  # fmt: skip
# Legal forms and tax names, whatever their case.
_BY_FORM = {
    "MYR": r"\bsdn\.? ?bhd\b|\bringgit\b|\bsst\b",
    "INR": r"\bpvt\.? ltd\b",
    "SGD": r"\bpte\.? ltd\b",
    "AUD": r"\bpty\.? ltd\b",
}


def find_home_currency(text: str) -> str | None:
    """The currency of the country that addresses, tax numbers and legal forms point to most often."""
    votes: Counter[str] = Counter()
    lowered = plain(text)
    for currency, pattern in _HOMES:
        votes[currency] += len(re.findall(pattern, text)) + len(re.findall(pattern, lowered))
        votes[currency] += currency in _BY_FORM and len(re.findall(_BY_FORM[currency], lowered))
    best, count = votes.most_common(1)[0]
    return best if count else None


def writes_month_first(home_currency: str | None, currency: str | None, language: str | None) -> bool:
    """Only the United States write the month first in numeric dates."""
    if language not in (None, "en"):
        return False
    return home_currency == "USD" or (home_currency is None and currency in ("USD", None))
