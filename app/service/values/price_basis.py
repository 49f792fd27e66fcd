"""What a price is for: `per user and month`, `je 100 Stück`, `Price per 1,000`, `12.50/M`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from math import prod

from app.service.values.folding import fold, fold_text
from app.service.values.periods import PER, PER_IN_TEXT, Period, read_frequency, read_period
from app.service.values.units import count_ones, measures_time, read_scale, read_unit

_AND = re.compile(
    r" ?(?:/|,(?= ?[^\W\d])|\bper\b|\bpro\b|\bje\b|\bpar\b|\bpor\b|\band\b|\bund\b|\bet\b|\by\b|\be\b"
    r"|\ben\b|\boch\b) ?"
)
_BASES: Mapping[str, str] = {
    "user": "user users seat seats license licenses licence licences subscriber subscribers named_user nutzer"
    " benutzer anwender lizenz lizenzen arbeitsplatz utilisateur utilisateurs licence poste usuario usuarios"
    " licencia licencias utente utenti licenza licenze gebruiker gebruikers licentie utilizador"
    " utilizadores licenca"
    " uzytkownik uzivatel anvandare bruger bruker kayttaja kullanici пользователь ユーザー 用户 사용자",
    "employee": "employee employees mitarbeiter employe salarie empleado dipendente medewerker",
    "device": "device devices endpoint endpoints gerat gerate appareil dispositivo apparaat",
    "host": "host hosts server servers serveur servidor",
    "site": "site sites standort sede vestiging",
    "account": "account accounts konto compte cuenta conta",
    "agent": "agent agents agente",
    "member": "member members mitglied membre miembro membro",
}
"""What software is paid for besides units of measure, by its English name."""
_EACH = frozenset({"each", "per each", "apiece", "je", "chacun", "cadauno"})
_COUNTED = re.compile(r"(?P<number>[0-9]{1,3}(?:[.,' ][0-9]{3})+|[0-9]{1,7})(?: ?(?P<unit>[^\W\d].*))?")
# The Roman numerals, as distributors use them; written small, `m` is a metre or a month.
_NUMERALS = {"C": Decimal(100), "M": Decimal(1000), "CPM": Decimal(1000), "TKP": Decimal(1000)}
_HAN = {"百": Decimal(100), "千": Decimal(1000), "万": Decimal(10_000), "萬": Decimal(10_000)}
_PER = rf"(?:(?<![^\W\d_])(?i:{PER_IN_TEXT})(?![^\W\d_])|/) ?"
# `CPM`, the cost per mille of what is seen of an advertisement.
_NUMERAL = re.compile(
    rf"(?:{_PER}(?=[CM](?!P))|(?<![^\W_])(?=CPM|TKP))(?P<numeral>C(?:PM)?|M|TKP)(?![^\W\d_])"
)
_OF_MANY = re.compile(
    rf"{_PER}(?:(?P<number>[0-9]{{1,3}}(?:[,. '’]000)+|[0-9]{{2,7}})(?![\d.,]*\d)(?! ?%)"
    r"|(?=(?P<word>[^\W\d_]+)))"
)
_UNIT = re.compile(r"[- ]?([^\W\d_]{1,12})(?![^\W\d_])\.?")
_AT_END = re.compile(rf"(?<=[^\W\d])(?: +(?:{PER_IN_TEXT}|a) +| +(?:all['’]|a l['’])| */ *)(?=\S)")
_BEHIND = re.compile(rf" +(?:{PER_IN_TEXT}) +(?=\S)| */ *(?=\S)|(?P<bare> +)(?=[^\W\d])")
_USUAL_COUNTS = frozenset({10, 12, 100, 1_000, 10_000, 100_000, 1_000_000})
MANY = frozenset({100, 1_000, 10_000})
"""For how many units together a price may be stated that a single figure tells."""
_PERCENT = frozenset({"cent", "ciento", "cento"})
"""Hundred, and behind `per` the sign `%`."""
_MONTH_OR_METRE = frozenset({"m", "m."})
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class PriceBasis:
    """What a price is for: a period of time, how many of which unit. `unit` is a code of UN/ECE
    Recommendation 20 or an English word for who uses software, such as `user`. What is not said is None."""

    period: Period | None = None
    count: Decimal | None = None
    unit: str | None = None

    def __or__(self, other: "PriceBasis") -> "PriceBasis":
        """Return it with what the other says besides."""
        return PriceBasis(self.period or other.period, self.count or other.count, self.unit or other.unit)


NOTHING_ASIDE = PriceBasis()


@dataclass(frozen=True, slots=True)
class FoundCount:
    """For how many units together a price is, where a text says it, up to the unit and behind it."""

    count: Decimal
    start: int
    end: int
    end_of_unit: int


@lru_cache(maxsize=1024)
def read_price_basis(text: str) -> PriceBasis | None:
    """Return what `per user and month`, `pro Nutzer/Monat`, `per 1,000`, `per M`, `je 100 Stück`, `/kg` say a
    price is for; None where a word of it is not known, and for `per m`, a month or a metre."""
    word = fold_text(text).strip(" .()")
    if not word or len(word) > 80:
        return None
    if word in _EACH:
        return PriceBasis(unit="C62")
    if numeral := _NUMERAL.fullmatch(text.strip(" .()")):
        return PriceBasis(count=_NUMERALS[numeral["numeral"]])
    per = PER.match(word)
    bare = word[per.end() :] if per else word
    if bare in _MONTH_OR_METRE:
        return None
    period, count, unit = None, None, None
    for part in _AND.split(bare):
        part = part.strip(" .")
        if not part:
            continue
        if period is None and (found := read_period(part)):
            period = found
        elif unit is None and (counted := _read_counted(part, bare=per is not None)):
            count, unit = counted
        else:
            return None
    return PriceBasis(period, count, unit) if period or count or unit else None


_CAPITAL, _ONE_OR_TEN = re.compile(r"(?<=[a-z])(?=[A-Z])"), {"one": 1, "ten": 10}


def read_count_word(word: str) -> Decimal | None:
    """Return how many a price is for that is `per C`, `OneHundred`, `each` or a `dozen`, or `E` beside C and
    M; None where the word says something else, or something besides, or is a number, whose marks a file
    tells."""
    if word == "E":
        return Decimal(1)
    if any(map(str.isdigit, word)):
        return None
    parts = _CAPITAL.sub(" ", word).lower().split()
    counts = [_ONE_OR_TEN.get(part) or count_ones(part) for part in parts]
    if None not in counts and (len(parts) > 1 or parts[:1] in (["one"], ["ten"])):
        return Decimal(prod(filter(None, counts)))
    basis = read_price_basis(f"per {word}") or read_price_basis(f"per {word.removesuffix('s')}")
    if basis is None or basis.period is not None or basis.unit not in (None, "C62"):
        return None
    return basis.count or Decimal(1)


def cut_price_basis(heading: str) -> tuple[str, PriceBasis | None]:
    """Return a heading without what it says at its end that its price is for, and that: `Price per user and
    month`. In capitals alone, `PRICE/M` may be for a month, a metre or a thousand, and says nothing."""
    for found in _AT_END.finditer(fold(heading)):
        end = heading[found.end() :]
        if end in _NUMERALS and heading.isupper():
            continue
        basis = read_price_basis(f"per {end}")
        if basis is not None and basis.period not in ("term", "once"):
            return heading[: found.start()], basis
    return heading, None


def cut_price_end(price: str) -> tuple[str, PriceBasis | None]:
    """Return a price without what it says behind its number and currency that it is for, and that: `8,50
    €/kg`, `EUR 12/user/month`, `4.50 per 100`."""
    for found in _BEHIND.finditer(fold(price)):
        before, rest = price[: found.start()], price[found.end() :]
        basis = read_price_basis(f"per {rest}") if not found["bare"] or read_frequency(rest) else None
        if basis is None or basis.period in ("term", "once") or not any(map(str.isdigit, before)):
            continue
        if basis.unit or basis.period or basis.count in _USUAL_COUNTS:
            return before, basis
    return price, None


@lru_cache(maxsize=1 << 16)
def find_price_count(text: str) -> FoundCount | None:
    """Return for how many units together a text says somewhere that a price is; None where it says none, or
    one."""
    if (numeral := _NUMERAL.search(text)) is not None:
        return FoundCount(_NUMERALS[numeral["numeral"]], *numeral.span(), numeral.end())
    folded = fold(text)
    for found in _OF_MANY.finditer(folded):
        end = max(found.end("number"), found.end("word"))
        unit = _UNIT.match(folded, end)
        if found["word"]:
            count = None if found["word"] in _PERCENT else _count_word(found["word"])
        elif (unit and measures_time(unit[1])) or _YEAR.fullmatch(found["number"]):
            continue
        else:
            count = _read_count(found["number"])
        if count is not None and count > 1:
            return FoundCount(count, found.start(), end, unit.end() if unit else end)
    return None


def cut_price_count(text: str) -> str:
    """Return a text without the words for how many units of what a price is."""
    found = find_price_count(text)
    return text if found is None else f"{text[: found.start]} {text[found.end_of_unit :]}"


@cache
def _bases_by_word() -> dict[str, str]:
    return {_underscore(word): base for base, words in _BASES.items() for word in words.split()}


def _underscore(text: str) -> str:
    return re.sub(r"[\s_\-.]+", "_", text).strip("_")


def _count_word(word: str) -> Decimal | None:
    """How many `thousand`, `Hundert`, `dozen`, `千字` are."""
    if (han := _HAN.get(word[0])) is not None:
        return han
    return count_ones(word) or (Decimal(1000) if read_scale(word) == 1000 else None)


def _read_count(number: str) -> Decimal:
    return Decimal(re.sub(r"[^0-9]", "", number))


def _read_counted(part: str, *, bare: bool) -> tuple[Decimal | None, str | None] | None:
    """The count and the unit of `100 stuck`, `user` and, behind `per`, of `1,000` and `thousand`."""
    if bare and (part in _PERCENT or _YEAR.fullmatch(part)):
        return None
    if bare and (count := _count_word(part)):
        return count, None
    if unit := _read_counted_unit(part):
        return None, unit
    found = _COUNTED.fullmatch(part)
    if found is None or not (bare or found["unit"]):
        return None
    count, unit = _read_count(found["number"]), _read_counted_unit(found["unit"]) if found["unit"] else None
    if found["unit"] and unit is None:
        # `per 1000 sheets`: a price for so many, whatever sheets are.
        is_of_many = bare and count in MANY and found["unit"].isalpha() and not measures_time(found["unit"])
        return (count, None) if is_of_many else None
    return count, unit


def _read_counted_unit(word: str) -> str | None:
    return _bases_by_word().get(_underscore(word)) or read_unit(word)
