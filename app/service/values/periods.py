"""Spans of time, and how often something comes: `36 months`, `P1Y`, `monthly`, `pro Monat`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal, cast

from app.service.values.cldr import load_cldr
from app.service.values.folding import fold_text

Period = Literal["hour", "day", "week", "month", "quarter", "half year", "year", "once", "term"]

_FREQUENCIES: Mapping[Period, str] = {
    "hour": "hourly stundlich",
    "day": "daily taglich quotidien diario",
    "week": "weekly wochentlich hebdomadaire semanal settimanale wekelijks",
    "month": "monthly monatlich mensuel mensuelle mensuellement mensual mensualmente mensal mensalmente"
    " mensile"
    " mensilmente maandelijks miesieczny miesiecznie mesicne mesacne havi manatlig manadsvis manedlig"
    " manedsvis"
    " kuukausittain aylik lunar ежемесячно щомісячно hang_thang 月次 毎月 每月 按月 매월 월간",
    "quarter": "quarterly vierteljahrlich quartalsweise trimestriel trimestrielle trimestral trimestrale"
    " per_kwartaal"
    " kwartalnie ctvrtletne kvartalsvis neljannesvuosittain",
    "half year": "half_yearly halfyearly semiannual semi_annual semi_annually semiannually biannual"
    " halbjahrlich"
    " semestriel semestral semestrale halfjaarlijks",
    "year": "annual annually yearly jahrlich annuel annuelle annuellement anual anualmente annuale"
    " annualmente"
    " jaarlijks roczny rocznie rocne evente arlig arsvis vuosittain yillik ежегодно щорічно 年次 毎年"
    " 每年 按年 연간"
    " p_a pa p_yr per_annum annum",
    "once": "once one_time onetime one_off oneoff einmalig einmal unique une_fois unico una_tantum"
    " uma_vez eenmalig"
    " jednorazowo jednorazove engangs kertaluonteinen non_recurring nonrecurring upfront",
    "term": "term contract contract_term laufzeit vertragslaufzeit duree plazo prazo durata looptijd"
    " total_term"
    " full_term whole_term",
}
_MORE_SPANS: Mapping[Period, str] = {
    "hour": "h hr",
    "day": "d calendar_day calendar_days kalendertag kalendertage",
    "week": "w",
    "month": "m mo mos monaten mens ヶ月 ヵ月 カ月 ケ月 か月 箇月 個月 个月 개월 kk",
    "quarter": "q",
    "half year": "half_year half_years halbjahr halbjahre semestre semester",
    "year": "y a jahren annee annees jaren",
}
"""What CLDR leaves out."""
_IN_TEXT: Mapping[Period, str] = {
    "day": r"days? dag dage? tage?n? dias? dni dny dnu jours? gg dag(?:ar|e|er)?s? dni(?:ach|owy\w*|owe\w*)",
    "week": r"weeks? weke uger?s? uker?s? veck(?:a|or)s? tygodniowy\w*",
    "month": r"mos? mths? mes mes[ei] mois mnd mdr mies mon(?=\.) man(?=[.,)]|$) monate?n? manad(?:er)?s?"
    r" maned(?:er)?s? miesiacach miesieczn(?:y|ego|ym|a|ej)",
    "year": r"years? yrs? ans? anos? ann[oi] jaar jahre?n? ars?(?=[\s.,;:)/-]|$) lata? roku? roky roka"
    r" roczn(?:y|ego|ym|a|ej) letni(?:a|ej|ego|m)?",
}
"""Short words and inflected ones that stand for a span behind a number in a sentence, as regular expressions.
Other words of CLDR count there from five letters on: `let`, `den` and `man` are no spans in English."""
_MONTHS: Mapping[str, int] = {"month": 1, "quarter": 3, "half year": 6, "year": 12}
_DAYS: Mapping[str, int] = {"day": 1, "week": 7}
PER_IN_TEXT = r"per|pro|je|par|por|pour|les|para|for|fur|bei|voor|al|alla|all['’]|a l['’]|ao|au|za|за"
"""Words before what a price is for, folded, that mean so in sentences too."""
PER = re.compile(rf"(?:/|(?:{PER_IN_TEXT}|a|each|every|cada|alle|elke|na|pr|om|kohti|på|i)\b(?!\.a)\.? ?)")
"""The words at the beginning of what a price is for."""
_SPAN = re.compile(r"(?P<count>[0-9]{1,4}(?:[.,][0-9]{1,2})?|½) ?-? ?(?P<unit>[^\W\d].*)")
_ISO = re.compile(
    r"p(?:(?P<years>[0-9]{1,3})y)?(?:(?P<months>[0-9]{1,4})m)?(?:(?P<weeks>[0-9]{1,4})w)?(?:(?P<days>[0-9]{1,5})d)?"
)
_END_OF_CALENDAR = re.compile(
    r"(?:quartals|halbjahres|kalender(?:monat|maand|viertel|quartal|kwartaal|halbjahr|jahr|jaar))\w*"
    r"|monats(?:ende|letzt)\w*|jahresende|(?:month|quarter|year)s?[- ]ends?\b"
    r"|(?:einde|slutet|utgangen|udgangen|koniec|konci)"
    r" (?:\w+ )?(?:maand|kwartaal|manad|maned|miesiaca|kwartalu|mesice)"
    r"|end of (?:the |a |any |each )?(?:calendar |fiscal )?(?:month|quarter|half|year)"
    r"|(?:fin|fine|final|fim) d\w+ (?:mois|mes|trimestr\w+|semestr\w+|annee|ano|anno)"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time in months or in days: a month has no number of days."""

    count: int
    unit: Literal["month", "day"]

    @property
    def months(self) -> int | None:
        """The length in months; None of days."""
        return self.count if self.unit == "month" else None


def _word(text: str) -> str:
    return re.sub(r"[\s_\-.]+", "_", fold_text(text)).strip("_")


@cache
def _periods_by_word() -> dict[str, Period]:
    found: dict[str, Period] = {
        _word(word): cast(Period, spans[0]) for word, spans in load_cldr()["spans"].items() if len(spans) == 1
    }
    for period, words in (*_MORE_SPANS.items(), *_FREQUENCIES.items()):
        found |= dict.fromkeys(map(_word, words.split()), period)
    return found


@cache
def match_span_in_text(period: Period) -> str:
    """Return a regular expression for the words, folded, by which a sentence counts such spans."""
    known = [word for word, spans in load_cldr()["spans"].items() if spans == [period] and word.isalpha()]
    long = [word for word in known if (len(word) > 1 and not word.isascii()) or len(word) > 4]
    words = _IN_TEXT.get(period) or _MORE_SPANS[period].replace("_", r"[\s_.-]?")
    return f"(?:{'|'.join([*words.split(), *sorted(long, key=len, reverse=True)])})"


@cache
def match_frequency_in_text(period: Period) -> str:
    """Return a regular expression for the words, folded, by which a text says how often something comes:
    `quarterly`."""
    words = (word.replace("_", "[ _.-]?") for word in _FREQUENCIES[period].split())
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


_PERIODS_BY_SPAN: Mapping[Span, Period] = {
    Span(1, "day"): "day",
    Span(7, "day"): "week",
    Span(1, "month"): "month",
    Span(3, "month"): "quarter",
    Span(6, "month"): "half year",
    Span(12, "month"): "year",
}


@lru_cache(maxsize=1024)
def read_period(text: str) -> Period | None:
    """Return the period that a text names and nothing else: `month` of `monthly`, `per month`, `/mo`, `1
    Monat`, `pro Monat`; `once` and `term` too."""
    word = fold_text(text).strip(" .()")
    if not 0 < len(word) <= 60:
        return None
    if period := _periods_by_word().get(_word(word)):
        return period
    if (span := read_span(word)) is not None:
        return _PERIODS_BY_SPAN.get(span)
    bare = PER.sub("", word, count=1) if PER.match(word) else ""
    return read_period(bare) if bare and bare != word else None


@lru_cache(maxsize=1024)
def read_span(text: str) -> Span | None:
    """Return the length of `36 months`, `3 yrs`, `P1Y6M`, `1,5 Jahre`, `90 Tage`; None where the text is
    none, or is no whole number of months or days."""
    word = fold_text(text).strip(" .")
    iso = _ISO.fullmatch(word)
    if iso is not None and any(iso.groups()):
        years, months, weeks, days = (int(iso[name] or 0) for name in ("years", "months", "weeks", "days"))
        if (years or months) and (weeks or days):
            return None
        return Span(weeks * 7 + days, "day") if weeks or days else Span(years * 12 + months, "month")
    found = _SPAN.fullmatch(word)
    if found is None:
        return None
    period = _periods_by_word().get(_word(found["unit"]))
    if period is None or _word(found["unit"]) in _frequency_words():
        return None
    count = Decimal("0.5") if found["count"] == "½" else Decimal(found["count"].replace(",", "."))
    times = _MONTHS.get(period) or _DAYS.get(period)
    if times is None or (count * times) % 1:
        return None
    return Span(int(count * times), "month" if period in _MONTHS else "day")


def names_calendar_end(text: str) -> bool:
    """Whether words name the end of a month, a quarter or a year: `6 Wochen zum Quartalsende`."""
    return _END_OF_CALENDAR.search(fold_text(text)) is not None


def read_frequency(text: str) -> Period | None:
    """Return the period of words that say how often: `monthly`, `p.a.`, not `month`."""
    return read_period(text) if _word(text.strip(" .()")) in _frequency_words() else None


@cache
def _frequency_words() -> frozenset[str]:
    return frozenset(_word(word) for words in _FREQUENCIES.values() for word in words.split())
