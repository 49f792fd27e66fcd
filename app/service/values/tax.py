"""What words say about tax: its names, and whether an amount is before it or with it."""

import re
from functools import lru_cache
from typing import Literal

from app.service.values.folding import fold_text

Tax = Literal["before tax", "with tax"]

TAX_NAMES = (
    r"(?:v\.?a\.?t|(?:sales |value[- ]added )?tax(?:es)?|i?gst|hst|pst|qst|m\.?w\.?st|u\.?st"
    r"|mehrwertsteuer|umsatzsteuer|steuern?|t\.?v\.?a|taxes?|i\.?v\.?a|igic|impuestos?|imposte?|imposta"
    r"|impostos?|b\.?t\.?w|moms|mva|alv|dph|ptu|afa|p\.?d\.?v|ddv|pvm|ндс|пдв|ддс|nds|kdv|φπα|φ\.π\.α|fpa"
    r"|ppn|sst|igv|itbis|itbms|isv|icms|pvn|tvsh|consumption tax|消費税|(?:增值)?[税稅]|부가세|vsk)"
)
"""A regular expression for the names of taxes on what is sold, folded."""
TAX_WORD = rf"(?:(?<![a-z])(?:{TAX_NAMES}(?![a-z])|steuer|tax|levy|duty)|(?:steuern?|mwst)(?![a-z]))"
"""A regular expression for any word, folded, that is of a tax: `Steuerbetrag`, `Umsatzsteuer`."""
_WITHOUT = (
    r"not incl(?:uding|udes?|usive|\.)?(?: of)?|excl(?:uding|usive|uded|\.)?|exkl(?:usive|\.)?|ex|exc\.?"
    r"|before|without|w/o|s/|net of|ohne|vor|hors"
    r"|avant|sans|sin|antes|senza|al netto|sem|escl(?:us[oa]|\.)?|excluido|exento de|zonder|exclusief|bez"
    r"|ilman|utan|uden|uten|eks(?:k?l)?\.?|без|nelkul|fara|haric|χωρις|χωρισ|未|不含|tanpa|belum termasuk"
    r"|pa(?= tvsh)"
)
_PLUS = r"plus|\+|zzgl\.?|zuzuglich|mas|piu|mais"
"""Words that say in a heading that tax is not in it, and of a sum that it is the tax."""
_WITHIN = (
    r"(?<!not )incl(?:uding|udes?|usive|uded|uindo|us[oa]|\.)?|inc\.?|inkl(?:usive|\.)?|with|w/|c/|mit|toutes"
    r"|avec|y compris|con|compres[oa]|com|inclusief|met|vratane|vcetne|wlacznie z|med|sis\.?|sisaltaa|вкл\.?"
    r"|(?:se?|z|с|з)(?= (?:vat|dph|ptu|pdv|ddv|ндс|пдв|ддс))|включая|cu|me(?= tvsh)|dahil"
    r"|incluido|με|συμπ\.?|含|税込|포함|termasuk"
)
_AFTER_WITHOUT = (
    r"excl(?:uded|usive|\.)?|exc\.?|exkl\.?|extra|not included|no incluid[oa]s?|nao inclu[is]?d?[oa]s?"
    r"|escl(?:us[ao]|\.)?|excluid[oa]s?|exclus[oa]|exclue?s?|nicht enthalten|haric|not incl\.?|別途|別|抜"
)
_AFTER_WITHIN = (
    r"incl(?:uded|usive|\.)?|inc\.?|inkl\.?|incluid[oa]s?|inclus(?:[oa]|es?)?s?|compris(?:e?s)?|compres[oa]"
    r"|inbegriffen|enthalten|dahil|込み|込|ingar|inngar|er inkluderet"
)
_BETWEEN = (
    r"(?:the |der |die |la |le |de |d'|of |di |dell'|d[ao]s? |any |applicable |local |german |gesetzl\w*\.? "
    r"|\d+(?:[.,]\d+)? ?% ?){0,3}"
)
_RATE = r"(?:\W{0,2}\d+(?:[.,]\d+)? ?%)?"
TAX_CLAUSE = re.compile(
    rf"(?<![^\W\d_])(?:(?P<hors>h[. ]?t)|(?P<ttc>t\.?t\.?c)"
    rf"|(?:(?P<without>{_WITHOUT})|(?P<within>{_WITHIN}))\W*{_BETWEEN}{TAX_NAMES}"
    rf"|{TAX_NAMES}{_RATE}\W{{0,2}}(?:(?P<left_out>{_AFTER_WITHOUT})|(?P<put_in>{_AFTER_WITHIN})))(?![^\W\d_])"
    rf"|(?:(?P<apart>不含|未)|(?P<held>含)){_RATE}(?:增值)?[税稅](?!率)"
)
"""Words (folded) such as `incl. VAT`, `before tax`, `HT`, `IVA incluido`."""
_OF_LINES = "subtotal|sub.total|zwischensumme|sous.total"
_SUM_OF_LINES = re.compile(_OF_LINES)
_BEFORE_TAX = re.compile(
    rf"(?<!\w)(?:net(?:to|tto|ta|t[oy]|ative)?(?=\W|_|$|wert|betrag|preis|summe|total)|neto|netto\w*|neta"
    rf"|nettos?|nett"
    rf"|(?:{_WITHOUT}|{_PLUS})\W{{0,2}}{_BETWEEN}{TAX_NAMES}(?!\w)|h\.?t\.?(?!\w)|a\.?v\.?t\.?(?!\w)"
    rf"|{TAX_NAMES}{_RATE}\W{{0,2}}(?:{_AFTER_WITHOUT})(?!\w)|pre.?tax|untaxed|{_OF_LINES}"
    r"|税抜\w*|税別|外税|不含[税稅]|未[税稅]|[税稅]前|공급가액?|без ндс|steuerfrei|alv 0(?![\d.,]))"
)
_WITH_TAX = re.compile(
    rf"(?<!\w)(?:gross(?!\s*(?:weight|margin))|brutto\w*|bruto|bruta|brut(?!\w)|lordo|t\.?t\.?c\.?(?!\w)"
    rf"|p\.?v\.?p\.?(?!\w)"
    rf"|(?:{_WITHIN})\W{{0,2}}{_BETWEEN}{TAX_NAMES}(?!\w)"
    rf"|{TAX_NAMES}{_RATE}\W{{0,2}}(?:{_AFTER_WITHIN})(?!\w)|tax.?paid|after.tax|税込\w*|内税|含[税稅]"
    r"|부가세 포함|с ндс|დღგ-ს ჩათვლით)"
)
_NO_MONEY = re.compile(r"(?<!\w)(?:weight|gewicht|days?|tage|margin|poids|peso|terms)(?!\w)")


_NUMBER_ALONE = re.compile(r"\d(?![\d.,]* ?%)(?![.,\d])")


@lru_cache(maxsize=1024)
def find_tax(text: str) -> Tax | None:
    """Return whether a heading or a remark says that an amount is before tax or with it; None where it says
    neither, or both."""
    folded = fold_text(text.replace("_", " "))
    if _NO_MONEY.search(folded):
        return None
    before, within = _BEFORE_TAX.search(folded), _WITH_TAX.search(folded)
    if before and within and _SUM_OF_LINES.fullmatch(before.group()):
        before = None  # `Subtotal incl. VAT`
    if bool(before) == bool(within):
        return None
    return "before tax" if before else "with tax"


def find_tax_in_cell(text: str) -> Tax | None:
    """Return what a cell says of nothing but whether tax is in an amount: `Inclusive`, `incl. 19 % VAT`. `Net
    30` is when to pay."""
    return None if _NUMBER_ALONE.search(text) else find_tax(text) or find_tax(f"{text} tax")


def excludes_tax(text: str) -> bool:
    """Return whether words (folded) say that tax comes on top: `before VAT`, `excl. taxes`."""
    clause = TAX_CLAUSE.search(text)
    return clause is not None and bool(
        clause["without"] or clause["left_out"] or clause["hors"] or clause["apart"]
    )


def includes_tax(text: str) -> bool:
    """Return whether words (folded) say that tax is in an amount: `incl. VAT`, `TTC`."""
    clause = TAX_CLAUSE.search(text)
    return clause is not None and bool(
        clause["within"] or clause["put_in"] or clause["ttc"] or clause["held"]
    )
