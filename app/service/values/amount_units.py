"""In what currency the amounts of a table are, and how many of it one is. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from app.service.values.currencies import agree, read_currency
from app.service.values.folding import fold_text
from app.service.values.tax import find_tax
from app.service.values.units import read_scale, read_scale_letter

_NAMES = {
    **{10**3: "thousands", 10**4: "万", 10**5: "lakhs", 10**6: "millions"},
    **{10**7: "crores", 10**8: "億", 10**9: "mrd"},
}
_SHORT = re.compile(
    r"(?:(?P<k>[TkK]|t\.?(?=kr|[A-Z]{3}))|[Mm](?=€|EUR|CHF|GBP|USD|NOK|SEK|DKK|PLN|CZK|kr))"
    r" ?(?P<of>[A-Z]{3}|[€£]|kr\.?)"
)
_BEHIND = re.compile(r"(?P<of>[A-Z]{3}|[€£$¥]) ?(?P<letter>[kK]|m|mm|MM|mn|bn)")
_ZEROS = re.compile(r"(?P<of>[A-Z]{3}|[€$£¥])? ?['’´`]?000(?:['’]?s)?")
_THOUSAND = re.compile(r"1[., ’']?000")
_EAST_ASIAN = re.compile(
    r"(?P<name>[^\W\d]*?)(?P<scale>百[万萬]|백만|ล้าน|พัน|[千仟천万萬만億亿억])(?P<of>[^\W\d]*)"
)
_EAST_ASIAN_SCALES = {
    **dict.fromkeys((*"千仟천", "พัน"), 10**3),
    **dict.fromkeys("万萬만", 10**4),
    **dict.fromkeys(("百万", "百萬", "백만", "ล้าน"), 10**6),
    **dict.fromkeys("億亿억", 10**8),
}
_YUAN = ("元", "圓")
"""Of several countries."""
_OF = frozenset({"of", "in", "de", "d", "di", "von", "des"})
_PREFIX = re.compile(r"(amounts|figures) in ", re.IGNORECASE)
_PARTS = re.compile(r"[()（）【】\[\];|\n]|,\s|(?<=\w{5})\.\s+(?=[A-ZÄÖÜ])|\s[-–—]\s")
_IN = re.compile(
    r"(?P<what>.*?)(?:(?:^|\s)(?:in|en|em|w|i|в)\s+|[:：]\s*)(?P<unit>[^:]{1,40}?)", re.IGNORECASE
)
_MONEY = re.compile(
    r"price|cost|value|amount|total|fees?\b|spend|betr[aä]g|preis|wert|kosten|prix\b|montant|valor|precio"
    r"|preco|import[eio]\b|prezz|cout|cena\b|kwot|wartosc|bedrag|prijs|belopp|belob|beløp|verdi|værdi|pris\b|netto|"
    r"volumen(?!strom)|umsatz|expenditure|aufwand|\b(?:gesamt|premium|pramie|miete|rent|acv|tcv|arr|mrr)\b|"
    + fold_text(
        "金額|金额|単価|单价|單價|価格|价格|價格|금액|단가|가격|가액|цена|цены|сумма|стоимость|ціна|сума|вартість"
    )
)
_NO_MONEY = re.compile(
    r"date|datum|fecha|\bdata\b|quantit|menge|qty|cantidad|number|nummer|period|\bid\b|cent(?:er|re|ro)|stelle"
    r"|basis|review|price (?:unit|per)$|einheit$|currency|total (?:units|seats|users|licen)"
)
NAMES_CURRENCY = re.compile(
    r"currency|wahrung|devise|moneda|moeda|valut|walut|monnaie|monedha|валют|通貨|幣別|幣種|币[种别]|货币|貨幣|통화"
)
_ALL = re.compile(
    r"\b(?:all|alle|toutes?|tous|tod[oa]s|tutt[ie]|figures?|angaben|zahlen|chiffres|cifras|cifre)\b"
    + fold_text("|単位|单位|單位|단위|единица")
)
_NOT = re.compile(
    r"\b(?:except|excluding|without|not|ohne|auss?er|sauf|excepto|exceto|rates?|kurs|budget|base)\b"
)
_LONGEST = 200


@dataclass(frozen=True)
class AmountUnit:
    """The currency that amounts are in, a code or the sign of several countries, None where it is not said;
    and how many of it one is: 1000 of thousands. `is_of_all` says that it may be of other figures too."""

    currency: str | None = None
    scale: int = 1
    is_of_all: bool = False

    def __str__(self) -> str:
        """Return it as brackets of a heading say it."""
        if self.scale == 1:
            return self.currency or ""
        what = "figures in" if self.is_of_all else "" if self.currency else "amounts in"
        return " ".join(one for one in (what, self.currency, _NAMES[self.scale]) if one)


def names_money(heading: str) -> bool:
    """Return whether a heading has a word for money, and none for something else."""
    folded = fold_text(heading.replace("_", " "))
    return bool(_MONEY.search(folded)) and not _NO_MONEY.search(folded)


@lru_cache(maxsize=1024)
def read_amount_unit(text: str) -> AmountUnit | None:
    """Return what `EUR`, `TEUR`, `Tsd. €`, `USD '000` or `amounts in thousands` says; None where a word of it
    is another, or nothing says that it is about amounts: `thousands` may be of pieces."""
    text = text.strip()
    prefix = _PREFIX.match(text)
    found = _read_unit(text[prefix.end() :] if prefix else text.removeprefix("in "))
    if found is None or prefix is None:
        is_money = found is not None and (found.currency or text.endswith(_YUAN))
        return found if found is not None and is_money and not found.is_of_all else None
    return replace(found, is_of_all=prefix[1].lower() == "figures")


def _read_unit(text: str) -> AmountUnit | None:
    if currency := read_currency(text):
        return AmountUnit(currency) if text not in _YUAN else None
    for pattern in (_SHORT, _ZEROS):
        found = pattern.fullmatch(text)
        currency = read_currency(found["of"]) if found and found["of"] else None
        if found and (currency or not found["of"]):
            return AmountUnit(currency, 10**6 if pattern is _SHORT and not found["k"] else 10**3)
    if (found := _BEHIND.fullmatch(text)) and (currency := read_currency(found["of"])):
        letter = found["letter"]
        return AmountUnit(currency, read_scale_letter(letter) or read_scale(letter) or 1)
    if found := _EAST_ASIAN.fullmatch(text):
        named = [one for one in (found["name"], found["of"]) if one and one not in _YUAN]
        currency = read_currency(named[0]) if named else None
        if (found["of"] or named) and bool(named) == (currency is not None) and len(named) < 2:
            return AmountUnit(currency, _EAST_ASIAN_SCALES[found["scale"]])
    scales, rest, is_mil = list[int](), list[str](), False
    for word in re.split(r"\s+|(?<=\bd)['’]", text):
        if word.lower() in _OF:
            continue
        # A `mil` is a thousand in some languages, a million in others.
        is_mil = is_mil or word.lower() == "mil"
        scale = 10**3 if _ZEROS.fullmatch(word) else read_scale(word)
        if scale is None:
            rest.append(word)
        else:
            scales.append(scale)
    currency = read_currency(" ".join(rest)) if rest else None
    if len(scales) != 1 or (rest and currency is None):
        return None
    return AmountUnit(currency, scales[0], is_mil)


def read_title(text: str) -> AmountUnit | None:
    """Return what a title above a table says of its amounts: `All amounts in EUR`, `Beträge in TEUR`,
    `Currency: CHF`. None where it says nothing of them."""
    found = [unit for part in _PARTS.split(text[:_LONGEST]) if (unit := _read_part(part.strip()))]
    return _join(found)


def _read_part(part: str) -> AmountUnit | None:
    told = _IN.fullmatch(part)
    if told is None or (unit := _read_unit(_cut_tax(told["unit"].strip()))) is None:
        return None
    what = fold_text(told["what"]).strip()
    if _NOT.search(what):
        return None
    of_money = (
        _MONEY.search(what) or NAMES_CURRENCY.search(what) or _EAST_ASIAN.fullmatch(told["unit"].strip())
    )
    if unit.scale == 1:
        return unit if of_money or _ALL.search(what) or not what else None
    return unit if unit.currency or of_money else replace(unit, is_of_all=True)


def _cut_tax(text: str) -> str:
    """Return a unit without the remark about tax behind it, and with a number of a thousand as its zeros."""
    words = text.split()
    ends = (end for end in range(len(words) - 1, 0, -1) if find_tax(" ".join(words[end:])))
    return " ".join("000" if _THOUSAND.fullmatch(word) else word for word in words[: next(ends, None)])


def read_titles(titles: Iterable[str]) -> AmountUnit | None:
    """Return what the titles above a table say together; what they contradict each other in is not said."""
    return _join([unit for title in titles if (unit := read_title(title))])


def _join(found: list[AmountUnit]) -> AmountUnit | None:
    if not found:
        return None
    scales = {one.scale for one in found if one.scale != 1}
    currency: str | None = None
    for one in found:
        if one.currency is not None:
            currency = one.currency if currency is None else agree(currency, one.currency)
            if currency is None:
                break
    # Of several scales nobody knows which: figures of which no heading is read.
    is_of_all = len(scales) > 1 or any(one.is_of_all for one in found)
    return AmountUnit(currency, min(scales, default=1), is_of_all)
