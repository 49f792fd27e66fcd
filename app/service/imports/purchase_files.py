"""Files of purchases: the same reading and writing as the command, for one organisation."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from app.contract.dates import format_day
from app.contract.money import format_count, format_exact_money, format_exact_quantity
from app.service.charges.charge import MONTHS_PER
from app.service.context import Context
from app.service.database.tables import purchase
from app.service.imports.file_kind import Compare, FileKind, Reading, RowCounts
from app.service.imports.removal import take_back
from app.service.imports.store import Quota, StoredImport, count_owned
from app.service.purchase_records import Purchase
from app.service.purchases.columns import match_columns
from app.service.purchases.importing import PurchaseWriter, build_key, find_purchases
from app.service.purchases.reading import number_purchases, prepare_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow
from app.settings import Settings


def list_values(purchase: Purchase) -> dict[str, Any]:
    """Return the values as JSON. `unitPrice` is for `per`, `amount` is the total over `months`, and all of it
    is before tax."""
    values: dict[str, Any] = {
        "date": purchase.purchase_date.isoformat(),
        "supplier": purchase.supplier,
        "product": purchase.product,
        "productKey": purchase.product_key,
        "orderId": purchase.order_id,
        "quantity": float(purchase.quantity),
        "unit": purchase.unit,
        "unitPrice": float(purchase.unit_price),
        "per": purchase.price_period,
        "months": purchase.term_months,
        "amount": float(purchase.total_price),
        "currency": purchase.currency,
        "tax": "before tax",
    }
    return {name: value for name, value in values.items() if value is not None}


def describe_purchase(purchase: Purchase, currency: str) -> str:
    """Return it as a sentence without its end, such as `400 users × EUR 56.77 a month × 12 months = EUR
    272,496 from Nordlicht, 3 March 2026`; `currency` is empty while nobody has said which it is."""
    unit = f" {purchase.unit}" if purchase.unit else ""
    per, months = purchase.price_period, purchase.term_months
    factors = [
        f"{format_exact_quantity(purchase.quantity.normalize())}{unit}",
        _format(purchase.unit_price, currency) + (f" a {per}" if per in MONTHS_PER else ""),
    ]
    if months is not None:
        term = format_count(months, "month")
        factors.append(term if per in MONTHS_PER else f"for {term}")
    total = _format(purchase.total_price, currency)
    calculation = " × ".join(factors).replace(" × for ", " for ")
    day = format_day(purchase.purchase_date)
    return f"{purchase.product}: {calculation} = {total} from {purchase.supplier}, {day}"


def _format(amount: Decimal, currency: str) -> str:
    return format_exact_money(round(amount, 6), currency).strip()


def _compare(context: Context, one: StoredImport, reading: Reading, counts: RowCounts) -> Compare:
    seen: set[str] = set()

    def compare(purchases: Sequence[Purchase]) -> Sequence[RejectedRow]:
        asked = reading.questions.asked if reading.questions else ()
        is_open = any(question.name == "currency" for question in asked)
        for row in purchases:
            counts.say(partial(describe_purchase, row, "" if is_open else row.currency))
        keys = [build_key(row, one.organisation_id) for row in purchases]
        with context.database.reading() as connection:
            known = find_purchases(connection, set(keys) - seen)
        new = set(keys) - seen - known
        seen.update(new)
        counts.new += len(new)
        counts.repeated += len(keys) - len(new)
        return ()

    return compare


def _describe_assumptions(questions: Questions, settings: Settings) -> Iterator[str]:
    usual = settings.currency
    for asked in questions.asked:
        options = ", ".join(option.value for option in asked.options)
        taken: Mapping[str, str] = {
            "currency": f"Prices without a currency were taken for {usual}; --currency says another.",
            "price_per": "Prices with a term were taken for the whole term; --price-per says another.",
            "blank_cells": f"{asked.question} Such rows were refused; --blank-cells above takes them so.",
            "states": f"Orders in a state that is not known were taken for purchases: {options}.",
        }
        if asked.name in taken:  # rows of others are refused, and each says so
            yield taken[asked.name]


QUOTA = Quota(
    "purchases", "PARLEY_MAX_PURCHASES", lambda settings: settings.max_purchases, count_owned(purchase)
)


PURCHASES = FileKind(
    name="purchases",
    prepare=prepare_purchases,
    match=match_columns,
    read=lambda how, rows: number_purchases(
        rows, PurchaseOptions(how.options, how.settings.currency, questions=how.questions)
    ),
    describe=list_values,
    compare=_compare,
    open_writer=lambda context, owner, import_id: PurchaseWriter(
        context.database, owner, context.clock(), import_id=import_id
    ),
    take_back=take_back,
    quota=QUOTA,
    added={"imported": "purchase", "companies": "company", "products": "product", "categories": "category"},
    describe_assumptions=_describe_assumptions,
)
