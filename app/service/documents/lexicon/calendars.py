"""Languages whose labels no rule reads: their commonest words, months and spans of time.

Dates and spans of these languages are read, the model of sentences reads their clauses, and sums and lines
are found by geometry and arithmetic. Written as in `Lexicon`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """How a language names months and spans of time. `common_words` are those that it is told by."""

    code: str
    common_words: str
    numbers: Mapping[int, str]
    """Number words by their value, but those that mean something else in another language: `en`, `to`, `tres`
    are words of many sentences."""
    days: str
    weeks: str
    span_months: str
    """Months as a unit of time."""
    years: str


_PL = Calendar(
    code="pl",
    common_words=(
        "i w z na do nie się od oraz jest za dla po lub cena ilość kwota faktura oferta data termin płatności"
        " dni miesięcy rok umowa netto brutto razem wartość klient nazwa vat suma zapłaty sprzedawca nabywca"
    ),
    numbers={
        1: "jednego | jednym",
        2: "dwa | dwoch",
        3: "trzy | trzech",
        4: "cztery",
        5: "piec | pieciu",
        6: "szesc | szesciu",
        7: "siedem | siedmiu",
        10: "dziesiec | dziesieciu",
        12: "dwanascie | dwunastu",
        14: "czternascie | czternastu",
        20: "dwadziescia",
        24: "dwadziescia cztery",
        30: "trzydziesci | trzydziestu",
        36: "trzydziesci szesc",
        60: "szescdziesiat | szescdziesieciu",
        90: "dziewiecdziesiat | dziewiecdziesieciu",
    },
    days=r"dni(?:ach|owy\w*|owe\w*)? | dzien | dnia",
    weeks=r"tydzien | tygodni(?:e|a|owy\w*)?",
    span_months=r"miesiac(?:a|e)? | miesiecy | miesiacach | miesieczn(?:y|ego|ym|a|ej) | mies",
    years=r"rok(?:u)? | lata | lat | roczn(?:y|ego|ym|a|ej) | letni(?:a|ej|ego|m)?",
)

_SV = Calendar(
    code="sv",
    common_words=(
        "och att det som en är för med den av till på inte från om vi pris antal summa belopp faktura offert"
        " datum betalning moms dagar månader år kund avtalet ska exkl enligt gäller totalt benämning"
    ),
    numbers={
        1: "ett",
        2: "tva",
        3: "tre",
        4: "fyra",
        5: "fem",
        6: "sex",
        7: "sju",
        8: "atta",
        9: "nio",
        10: "tio",
        12: "tolv",
        14: "fjorton",
        20: "tjugo",
        24: "tjugofyra",
        30: "trettio",
        36: "trettiosex",
        60: "sextio",
        90: "nittio",
    },
    days=r"dag(?:ar)?s?",
    weeks=r"veck(?:a|or)s?",
    span_months=r"manad(?:er)?s? | man(?=[.,)]|$)",
    years=r"ars?(?=[\s.,;:)/-]|$)",
)

_DA = Calendar(
    code="da",
    common_words=(
        "og at det er en af for med til den på ikke fra vi pris antal beløb faktura tilbud dato betaling moms"
        " dage måneder år kunde aftalen skal ekskl efter gælder alt uden beskrivelse momsnr"
    ),
    numbers={
        3: "tre",
        4: "fire",
        5: "fem",
        6: "seks",
        7: "syv",
        8: "otte",
        9: "ni",
        10: "ti",
        12: "tolv",
        14: "fjorten",
        20: "tyve",
        24: "fireogtyve",
        30: "tredive",
        36: "seksogtredive",
        90: "halvfems",
    },
    days=r"dag(?:e|es|s)?",
    weeks=r"uger?s?",
    span_months=r"maned(?:er)?s? | mdr",
    years=r"ars?(?=[\s.,;:)/-]|$)",
)

_NB = Calendar(
    code="nb",
    common_words=(
        "og å det er en av for med til den på ikke fra vi pris antall beløp faktura tilbud dato betaling mva"
        " dager måneder år kunde avtalen skal eks etter gjelder sum uten beskrivelse"
    ),
    numbers={
        3: "tre",
        4: "fire",
        5: "fem",
        6: "seks",
        7: "sju",
        8: "atte",
        9: "ni",
        10: "ti",
        12: "tolv",
        14: "fjorten",
        20: "tjue",
        24: "tjuefire",
        30: "tretti",
        36: "trettiseks",
        60: "seksti",
        90: "nitti",
    },
    days=r"dag(?:er)?s?",
    weeks=r"uker?s?",
    span_months=r"maned(?:er)?s? | mnd",
    years=r"ars?(?=[\s.,;:)/-]|$)",
)

_JA = Calendar(
    code="ja",
    common_words=(
        "合計 小計 数量 単価 金額 品名 消費税 御見積書 見積書 請求書 注文書 発行日 有効期限 見積番号 請求番号"
        " 御中 税込 税抜 納期 備考 株式会社"
    ),
    numbers={},
    days="",
    weeks="",
    span_months="",
    years="",
)
"""Its dates are numbers; its spans of time are not read."""

CALENDARS = (_PL, _SV, _DA, _NB, _JA)
