"""Spans of time, percentages, dates and sums as each language prints them."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

_UNITS: Mapping[str, Mapping[str, str]] = {
    "en": {"d": "day|days", "w": "week|weeks", "m": "month|months", "y": "year|years"},
    "de": {"d": "Tag|Tage|Tagen", "w": "Woche|Wochen", "m": "Monat|Monate|Monaten", "y": "Jahr|Jahre|Jahren"},
    "fr": {"d": "jour|jours", "w": "semaine|semaines", "m": "mois|mois", "y": "an|ans"},
    "es": {"d": "día|días", "w": "semana|semanas", "m": "mes|meses", "y": "año|años"},
    "nl": {"d": "dag|dagen", "w": "weken|weken", "m": "maand|maanden", "y": "jaar|jaar"},
    "it": {"d": "giorno|giorni", "w": "settimana|settimane", "m": "mese|mesi", "y": "anno|anni"},
    "pt": {"d": "dia|dias", "w": "semana|semanas", "m": "mês|meses", "y": "ano|anos"},
    "pl": {"d": "dzień|dni", "w": "tydzień|tygodni|tygodnie", "m": "miesiąc|miesięcy|miesiące",
           "y": "rok|lata|lat"},
    "sv": {"d": "dag|dagar|dagars", "w": "vecka|veckor", "m": "månad|månader|månaders", "y": "år|år|års"},
    "da": {"d": "dag|dage|dages", "w": "uge|uger", "m": "måned|måneder|måneders", "y": "år|år|års"},
}  # fmt: skip
"""The singular and the plurals of each unit."""
_WORDS: Mapping[str, Mapping[int, str]] = {
    "en": {1: "one", 2: "two", 3: "three", 5: "five", 6: "six", 10: "ten", 12: "twelve", 14: "fourteen",
           24: "twenty-four", 30: "thirty", 36: "thirty-six", 60: "sixty", 90: "ninety"},
    "de": {1: "einem", 2: "zwei", 3: "drei", 5: "fünf", 6: "sechs", 10: "zehn", 12: "zwölf", 14: "vierzehn",
           24: "vierundzwanzig", 30: "dreissig", 36: "sechsunddreissig", 60: "sechzig", 90: "neunzig"},
    "fr": {1: "un", 2: "deux", 3: "trois", 5: "cinq", 6: "six", 10: "dix", 12: "douze", 30: "trente",
           60: "soixante", 90: "quatre-vingt-dix"},
    "es": {1: "un", 2: "dos", 3: "tres", 5: "cinco", 6: "seis", 10: "diez", 12: "doce", 30: "treinta",
           60: "sesenta", 90: "noventa"},
    "nl": {1: "een", 2: "twee", 3: "drie", 5: "vijf", 6: "zes", 10: "tien", 12: "twaalf", 30: "dertig",
           60: "zestig", 90: "negentig"},
    "it": {1: "un", 2: "due", 3: "tre", 5: "cinque", 6: "sei", 10: "dieci", 12: "dodici", 30: "trenta",
           60: "sessanta", 90: "novanta"},
    "pt": {1: "um", 2: "dois", 3: "três", 5: "cinco", 6: "seis", 10: "dez", 12: "doze", 30: "trinta",
           60: "sessenta", 90: "noventa"},
    "pl": {2: "dwa", 3: "trzy", 6: "sześć", 10: "dziesięć", 12: "dwanaście", 30: "trzydzieści",
           60: "sześćdziesiąt", 90: "dziewięćdziesiąt"},
    "sv": {1: "ett", 3: "tre", 6: "sex", 10: "tio", 12: "tolv", 14: "fjorton", 30: "trettio",
           60: "sextio", 90: "nittio"},
    "da": {3: "tre", 6: "seks", 10: "ti", 12: "tolv", 14: "fjorten", 30: "tredive", 90: "halvfems"},
}  # fmt: skip
_MONTHS: Mapping[str, str] = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada"
    " grudnia",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
}
_NUMBERS: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "validity": {"d": (7, 10, 14, 15, 20, 21, 28, 30, 45, 60, 90, 120), "w": (1, 2, 3, 4, 6, 8),
                 "m": (1, 2, 3, 6)},
    "term": {"m": (1, 3, 6, 12, 18, 24, 36, 48, 60), "y": (1, 2, 3, 4, 5)},
    "renewal": {"m": (1, 3, 6, 12, 24), "y": (1, 2, 3, 5)},
    "notice": {"d": (7, 14, 15, 30, 45, 60, 90, 120, 180), "m": (1, 2, 3, 6), "w": (2, 4, 6, 8)},
    "payment": {"d": (5, 7, 8, 10, 14, 15, 20, 21, 30, 45, 60, 90)},
    "span": {"d": (1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 365), "w": (1, 2, 4, 6, 8, 12),
             "m": (1, 3, 6, 12, 24, 36), "y": (1, 2, 3, 5, 10)},
}  # fmt: skip
_USUAL = {
    "validity": "dddwm",
    "term": "mmmy",
    "renewal": "my",
    "notice": "dddmmw",
    "payment": "d",
    "span": "ddwmy",
}
_PERCENT = {"en": "percent", "de": "Prozent", "fr": "pour cent", "es": "por ciento", "nl": "procent",
            "it": "per cento", "pt": "por cento",
            "pl": "procent", "sv": "procent", "da": "procent"}  # fmt: skip
_NAMES = (
    "Nordlicht",
    "Velora Suite",
    "Atlas Pro",
    "Cobalt",
    "Ostrava Data",
    "Brightline",
    "Quanto",
    "Meridian",
)


@dataclass(frozen=True)
class FigurePrinter:
    """Prints figures in one language with the numbers of one generator of chance."""

    language: str
    chance: random.Random

    def print_figure(self, name: str, units: str) -> str:
        """The text of a figure named by a grammar."""
        if name in _NUMBERS:
            return self._print_span(name, units)
        if name in ("cap", "rise", "percent"):
            return self._print_percent()
        if name in ("until", "start", "end", "date"):
            return self._print_date()
        if name == "money":
            amount = f"{self.chance.randint(1, 90)},{self.chance.randint(100, 999)}.00"
            return self.chance.choice((f"$ {amount}", f"EUR {amount}", f"{amount} €", f"£{amount}"))
        return str(self.chance.randint(2, 300)) if name == "number" else self.chance.choice(_NAMES)

    def _print_span(self, name: str, units: str) -> str:
        bare = "#" in units
        unit = self.chance.choice(units.replace("#", "") or _USUAL[name])
        count = self.chance.choice(_NUMBERS[name].get(unit) or _NUMBERS["span"][unit])
        if bare:
            return str(count)
        words = _UNITS[self.language][unit].split("|")
        noun = words[0] if count == 1 else self.chance.choice(words[1:])
        word = _WORDS[self.language].get(count)
        form = self.chance.random()
        if word and form < 0.15:
            return f"{word} {noun}"
        if word and form < 0.25:
            return f"{word} ({count}) {noun}"
        return f"{count}-{noun}" if form > 0.97 else f"{count} {noun}"

    def _print_percent(self) -> str:
        number = self.chance.choice(("2", "3", "4", "5", "7", "8", "10", "2.5", "3,5", "6.0", "12"))
        sign = self.chance.choice(("%", "%", "%", " %", f" {_PERCENT[self.language]}"))
        return number + sign

    def _print_date(self) -> str:
        day = date(2024, 1, 1) + timedelta(self.chance.randrange(1500))
        month = _MONTHS[self.language].split()[day.month - 1]
        if self.language == "en":
            named = self.chance.choice((f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}",
                                        f"{day.day} {month[:3]} {day.year}"))  # fmt: skip
        elif self.language in ("de", "da"):
            named = f"{day.day}. {month} {day.year}"
        else:
            links = {"es": " de ", "pt": " de "}.get(self.language, " ")
            named = links.join((str(day.day), month, str(day.year)))
        numeric = day.strftime(self.chance.choice(("%d/%m/%Y", "%d.%m.%Y", "%Y-%m-%d", "%d-%m-%Y")))
        return named if self.chance.random() < 0.5 else numeric
