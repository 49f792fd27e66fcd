"""Amounts of money, counts and lists of words in sentences, on pages and in letters: `USD 118,260`, one form
everywhere."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
_NO_CENTS_FROM = 10_000
_SMALL_DIGITS = 3
_MOST_QUOTED_DECIMALS = 6


def round_to_cents(amount: Decimal) -> Decimal:
    """Return the amount rounded half up, as people round money."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def format_money(amount: Decimal | float, currency: str) -> str:
    """Return `USD 118,260`, `USD 12.50` or `USD 0.00025`, negative as `−USD 300`; rounded as
    `format_quantity` says. Without a currency only the number."""
    return _join_with_currency(format_quantity(abs(amount)), amount < 0, currency)


def format_exact_money(amount: Decimal, currency: str) -> str:
    """Return the same form with every digit that the amount has, for what is offered, agreed or written in a
    letter: `USD 118,260.45`."""
    return _join_with_currency(format_exact_quantity(abs(amount)), amount < 0, currency)


def format_signed_money(amount: Decimal, currency: str) -> str:
    """Return the amount with its sign: `+USD 1,200`, `−USD 300`, `USD 0`."""
    return f"{'+' if amount > 0 else ''}{format_money(amount, currency)}"


def format_unit_price(price: Decimal, currency: str) -> str:
    """Return a price of a unit, as `format_quoted` does: `USD 0.125`."""
    return f"{currency} {format_quoted(price)}"


def format_quoted(number: Decimal) -> str:
    """Return a quantity or a price of a unit with every digit that was quoted; one that was computed, as
    `format_quantity` rounds it."""
    decimals = -int(number.normalize().as_tuple().exponent)
    return format_quantity(number) if decimals > _MOST_QUOTED_DECIMALS else format_exact_quantity(number)


def format_quantity(number: Decimal | float) -> str:
    """Return a number with separators of thousands: whole from 10,000 on, with two decimals below it where it
    is not whole, and with three significant digits below 1, so that a small unit price does not become 0."""
    exact = number if isinstance(number, Decimal) else Decimal(str(number))
    unit = Decimal(1) if abs(exact) >= _NO_CENTS_FROM else CENT
    if exact and abs(exact) < 1:
        unit = Decimal(1).scaleb(min(-2, exact.adjusted() + 1 - _SMALL_DIGITS))
    return format_exact_quantity(exact.quantize(unit, ROUND_HALF_UP))


def count_decimals(amount: Decimal | float) -> int:
    """Return how many decimals `format_quantity` gives a number."""
    return len(format_quantity(amount).partition(".")[2])


def format_exact_quantity(number: Decimal) -> str:
    """Return every digit of a number, with separators of thousands and without needless zeros: 12,500, 99.50,
    0.125."""
    whole, _, decimals = f"{number:,f}".partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals:0<2}" if decimals else whole


def _join_with_currency(digits: str, negative: bool, currency: str) -> str:
    return ("−" if negative else "") + f"{currency} {digits}".strip()


def format_count(count: int, one: str, many: str | None = None) -> str:
    """Return `1 product` or `1,234 products`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def lower_first(text: str) -> str:
    """Return a name or a sentence as it stands within another: `Payment terms` as `payment terms`, `SLA` as
    it is."""
    return text if text.isupper() else text[:1].lower() + text[1:]


def on_one_line(text: str) -> str:
    """Return what somebody wrote without its line breaks and repeated spaces."""
    return " ".join(text.split())


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return `price`, `price and term`, or `price, term and unit`."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
