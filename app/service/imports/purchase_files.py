"""Files of purchases: the same reading and writing as the command, for one organisation."""

from collections.abc import Iterator, Sequence
from functools import partial

from app.service.context import Context
from app.service.database.tables import purchase
from app.service.imports.file_kind import Compare, FileKind, Reading, RowCounts, Rows
from app.service.imports.removal import take_back
from app.service.imports.store import Quota, StoredImport, count_owned
from app.service.purchase_records import Purchase
from app.service.purchases.columns import SYNONYMS, match_columns
from app.service.purchases.describing import describe_purchase, list_values
from app.service.purchases.importing import PurchaseWriter, build_key, find_purchases
from app.service.purchases.reading import number_purchases, prepare_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow
from app.settings import Settings


def _number(reading: Reading, rows: Rows) -> Iterator[tuple[int, Purchase | RejectedRow]]:
    how = PurchaseOptions(reading.options, reading.settings.currency, questions=reading.questions)
    return number_purchases(rows, how)


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


def _open_writer(context: Context, organisation_id: str | None, import_id: str | None) -> PurchaseWriter:
    return PurchaseWriter(context.database, organisation_id, context.clock(), import_id=import_id)


def _describe_assumptions(questions: Questions, settings: Settings) -> Iterator[str]:
    for asked in questions.asked:
        match asked.name:
            case "currency":
                usual = settings.currency
                yield f"Prices without a currency were taken for {usual}; --currency says another."
            case "price_per":
                yield "Prices with a term were taken for the whole term; --price-per says another."
            case "blank_cells":
                yield f"{asked.question} Such rows were refused; --blank-cells above takes them so."
            case "states":
                states = ", ".join(option.value for option in asked.options)
                yield f"Orders in a state that is not known were taken for purchases: {states}."
            case _:
                pass  # such rows are refused, and each says so


QUOTA = Quota(
    "purchases", "PARLEY_MAX_PURCHASES", lambda settings: settings.max_purchases, count_owned(purchase)
)


PURCHASES = FileKind(
    name="purchases",
    fields=SYNONYMS,
    prepare=prepare_purchases,
    match=match_columns,
    read=_number,
    describe=list_values,
    compare=_compare,
    open_writer=_open_writer,
    take_back=take_back,
    quota=QUOTA,
    added={"imported": "purchase", "companies": "company", "products": "product", "categories": "category"},
    describe_assumptions=_describe_assumptions,
)
