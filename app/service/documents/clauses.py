# ruff: noqa: E501
"""Clauses in running text: term, renewal, uplift, notice, payment terms, billing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.documents.dates import plain

_WORDS = {
    word: number
    for number, words in {
        1: "one ein eine einem einer einen un une een uno una",
        2: "two zwei deux twee dos",
        3: "three drei trois drie tres",
        4: "four vier quatre cuatro",
        5: "five funf cinq vijf cinco",
        6: "six sechs zes seis",
        7: "seven",
        10: "ten zehn dix tien diez",
        12: "twelve zwolf douze twaalf doce",
        14: "fourteen",
        15: "fifteen",
        18: "eighteen",
        24: "twenty-four vierundzwanzig",
        30: "thirty dreissig trente dertig treinta",
        36: "thirty-six sechsunddreissig",
        45: "forty-five",
        60: "sixty sechzig soixante zestig sesenta",
        90: "ninety neunzig negentig noventa",
        120: "one-hundred-twenty",
    }.items()
    for word in words.split()
}
_COUNT = rf"(?P<count>\d+(?:[.,]\d+)?|{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?:\s?\(\s?(?P<digits>\d+)\s?\))?"
_PERIOD = r"(?:calendar |business |full )?(?P<unit>months?|monate?n?|mois|maand(?:en)?|mes(?:es)?|mths?|mos?\b|years?|yrs?|jahre?n?|ans?|annees?|jaar|jaren|anos?|days?|tage?n?|jours?|dag(?:en)?|dias?|weeks?|wochen?|semaines?|we[ek]+en|semanas?)"
_SPAN = rf"{_COUNT}[\s-]*{_PERIOD}\b"
_PERCENT = r"(?P<percent>\d+(?:[.,]\d+)?)\s?(?:%|percent|prozent|pour cent|procent|por ciento)"


@dataclass(frozen=True)
class Clauses:
    """What the text agrees on. Percentages are plain numbers, 5 for 5 %."""

    term_months: int | None = None
    payment_terms_days: int | None = None
    auto_renew: bool | None = None
    renewal_uplift_percent: Decimal | None = None
    notice_days: int | None = None
    billing: str | None = None


def read_clauses(text: str) -> Clauses:
    """All clauses of a text; lines are joined, since sentences run over them."""
    flat = re.sub(r"\s+", " ", plain(text).replace("ß", "ss"))
    sentences = re.split(r"(?<=[a-z0-9)%])[.;]\s+(?=\S)", flat)
    return Clauses(
        _term(flat, sentences),
        _payment(flat),
        _renews(sentences),
        _uplift(sentences),
        _notice(sentences),
        _billing(flat),
    )


def span_months(found: re.Match[str]) -> int | None:
    """A matched span in months; None for days and weeks that make no whole months."""
    count = _count(found)
    unit = found["unit"]
    if count is None:
        return None
    if re.match(r"y|ja|an", unit):
        return int(count * 12)
    return int(count) if unit.startswith("m") else None


def _count(found: re.Match[str]) -> Decimal | None:
    text = found["digits"] or found["count"]
    return Decimal(_WORDS[text]) if text in _WORDS else Decimal(text.replace(",", "."))


def _days(found: re.Match[str]) -> int | None:
    count, unit = _count(found), found["unit"]
    if count is None:
        return None
    if unit[0] == "d" or unit.startswith(("tag", "jour")):
        return int(count)
    if unit.startswith(("w", "semain", "seman")):
        return int(count * 7)
    if unit.startswith("m"):
        return int(count * 30)
    return None


_TERM_WORD = (
    r"(initial term|subscription term|order term|contract term|licen[cs]e term|service term|term length|term|duration|laufzeit|vertragslaufzeit|mindestlaufzeit|"
    r"duree|looptijd|duracion|plazo|contract length|commitment|runs for|period of|periode|period|contract duur|vertragsdauer|engagement)"
)


def _term(flat: str, sentences: Sequence[str]) -> int | None:
    forms = (
        rf"\b{_TERM_WORD}\b[^.;%]{{0,40}}?\b{_SPAN}",
        rf"\b{_SPAN}\s?(?:initial |subscription |contract |fixed |licen[cs]e |minimum )?(?:term|subscription|agreement|contract|commitment|laufzeit|d'engagement|period)\b",
        rf"\b(?:for|over|fur|pour|pendant|voor|por|durante|next term of) (?:a |an |the |une |eine |een |un |periode? |period |term |duree |of |de |von |van |initial )*{_SPAN}",
    )
    for form in forms:
        for sentence in sentences:
            if re.search(
                r"renew|verlanger|reconduc|reconduit|verleng|renova|renuev|prorrog|successive|erneuer",
                sentence,
            ) and not re.search(r"initial|next term|term of|laufzeit:|term:", sentence):
                continue
            if re.search(
                r"liabil|haftung|expire after|retention|preceding|credits?\b.*fee|anniversary", sentence
            ):
                continue
            for found in re.finditer(form, sentence):
                months = span_months(found)
                if months and 1 <= months <= 120:
                    return months
    return None


def _payment(flat: str) -> int | None:
    forms = (
        r"\bnet(?:to)?[ -]?(?P<days>\d{1,3})\b(?! ?%)",
        r"\b(?:due|payable|payment|pay|invoices?|terms)\b[^.%]{0,50}?\b(?P<days>\d{1,3})\)? (?:calendar )?days",
        r"\b(?P<days>\d{1,3}) (?:days?|tagen?|jours?|dagen|dias) (?:net(?:to)?|from|after|of|nach|ab|date|fin de mois|na|a partir)",
        r"(?:zahlbar|zahlungsziel|zahlung|zahlungsbedingung\w*)[^.%]{0,40}?(?P<days>\d{1,3}) tage",
        r"(?:paiement|payable|reglement|solde)[^.%]{0,40}?(?P<days>\d{1,3}) ?j(?:ours?)?\b",
        r"(?:betaling|betaal|te betalen|betalingstermijn)[^.%]{0,40}?(?P<days>\d{1,3}) dagen",
        r"(?:pago|pagadero|vencimiento)[^.%]{0,40}?(?P<days>\d{1,3}) dias",
    )
    for form in forms:
        found = re.search(form, flat)
        if found and 0 < int(found["days"]) <= 180:
            return int(found["days"])
    return 0 if re.search(r"\bdue (?:up)?on receipt\b", flat) else None


_RENEWAL = r"renew|verlanger|reconduc|reconduit|verleng|renova|renuev|prorrog|erneuer"
_NO_RENEWAL = (
    r"not (?:be )?(?:auto\w*[- ])?renew|auto\w*[- ]renew\w*:? ?no\b|does not renew|no auto|without auto|nicht automatisch|keine automatische|unless the parties sign|"
    r"non[- ]renewing|pas (?:renouvele|reconduit|tacite)|sans (?:tacite )?reconduction|(?:n'est|ne (?:se|sera|fait)) pas|niet automatisch|wordt niet|no se (?:renueva|renovara|prorroga)|end(?:s)? on the end date|"
    r"endet automatisch|endet (?:zum|mit|am)|ends automatically|automatische verlangerung:? nein|stilzwijgend\w* verleng\w*:? nee|eindigt"
)
_YES_RENEWAL = (
    r"auto\w*(?:ally)?[- ](?:\w+ )?renew|renew\w* auto|auto\w*[- ]renew\w*:? ?yes|automatisch (?:um|verlanger)|verlangert sich|tacite|tacitement|automatiquement|wordt (?:automatisch|stilzwijgend)|stilzwijgend|automatisch verlengd|"
    r"renueva (?:automaticamente|tacitamente)|renovara automaticamente|prorroga\w* (?:auto|tacit)|automaticamente|shall renew|will renew|renews for|automatische verlangerung:? ja"
)


def _renews(sentences: Sequence[str]) -> bool | None:
    for sentence in sentences:
        if re.search(_NO_RENEWAL, sentence) and re.search(rf"{_RENEWAL}|renewal|end", sentence):
            return False
    return True if any(re.search(_YES_RENEWAL, sentence) for sentence in sentences) else None


_RISE = r"increas|uplift|rise|raise|erhoh|steig|augment|hausse|major|verhog|stijg|increment|subir|aument|indexation|indexer|escalat|exceed|cap(?:ped)?\b|adjust"


def _uplift(sentences: Sequence[str]) -> Decimal | None:
    for sentence in sentences:
        if not re.search(_RISE, sentence) or re.search(r"liabil|interest|verzug", sentence):
            continue
        for found in re.finditer(_PERCENT, sentence):
            return Decimal(found["percent"].replace(",", "."))
    return None


_NOTICE = r"notice|notif|kundig|gekundigt|preavis|denonc|opzeg|preaviso|antelacion|frist|resili|opgezegd|non-renewal|unless .{0,60}writing|terminate"


def _notice(sentences: Sequence[str]) -> int | None:
    for sentence in sentences:
        if not re.search(_NOTICE, sentence):
            continue
        for found in re.finditer(_SPAN, sentence):
            after = sentence[found.end() : found.end() + 60]
            before = sentence[max(0, found.start() - 60) : found.start()]
            near = before + " | " + after
            if not re.search(
                r"notice|prior|before|advance|least|frist|zum |vor |preavis|avant|opzeg|voor |antelacion|preaviso|antes|later than",
                near,
            ):
                continue
            days = _days(found)
            if (days and found["unit"][0] in "dtjws") or (
                days and re.search(r"notice|frist|preavis|opzeg|preaviso|antelacion|least", near)
            ):
                return days
    return None


_BILLING = (
    ("upfront", r"(?:paid|prepaid|payable|due|invoiced|100 ?%|full term).{0,25}(?:up ?front|in full)|up-?front|prepaid in full|vorauszahlung der gesamten|gesamte laufzeit im voraus|en una sola vez|pago unico|paiement integral|en totalite|vooruit voor de (?:hele|gehele|volledige)|volledig vooruit|einmalig im voraus"),
    ("quarterly", r"\bquarter(?:ly)?\b|vierteljahrlich|quartalsweise|trimestriel\w*|per kwartaal|trimestral\w*|kwartaal"),
    ("monthly", r"\b(?:billed|billing|invoic\w*|payment|paid|charged|frequency)\b[^.]{0,25}monthly|monthly in (?:advance|arrears)|billing:? monthly|monatlich|mensuel\w*|maandelijks|mensual\w*"),
    ("annual", r"\bannual(?:ly)?\b|\byearly\b|jahrlich|annuel\w*|jaarlijks|anual\w*"),
)  # fmt: skip


def _billing(flat: str) -> str | None:
    label = r"(?:billing|billed|invoic\w+|payment|abrechnung|facturation|facturacion|facturatie|facturering|rechnungsstellung|zahlungsweise|zahlung|pago)"
    for found in re.finditer(label, flat):
        near = flat[max(0, found.start() - 20) : found.end() + 50]
        for billing, pattern in _BILLING:
            if re.search(pattern, near):
                return billing
    for billing, pattern in _BILLING[:1]:
        if re.search(pattern, flat):
            return billing
    return None
