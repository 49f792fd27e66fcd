"""Files of purchases: the same reading and writing as the command, for one organisation."""

from collections.abc import Iterator
from functools import partial

from app.contract.imports import ImportResult
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.tables import purchase
from app.service.imports.file_kind import (
    BATCH_ROWS,
    Advance,
    FileKind,
    Reading,
    RowCounts,
    Rows,
    count_added,
)
from app.service.imports.removal import take_back
from app.service.imports.store import Quota, StoredImport, count_owned
from app.service.purchase_records.records import Purchase
from app.service.purchases.columns import SYNONYMS, match_columns
from app.service.purchases.describing import describe_purchase, list_values
from app.service.purchases.importing import PurchaseWriter, build_key, find_purchases
from app.service.purchases.reading import number_purchases, prepare_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.tables.table import RejectedRow


def _number(reading: Reading, rows: Rows) -> Iterator[tuple[int, Purchase | RejectedRow]]:
    how = PurchaseOptions(reading.options, reading.settings.currency, questions=reading.questions)
    return number_purchases(rows, how)


def _read(reading: Reading, rows: Rows) -> Iterator[Purchase | RejectedRow]:
    return (row for _, row in _number(reading, rows))


def _count(context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance) -> RowCounts:
    counts = RowCounts()
    seen: set[str] = set()
    for some in batched(_read(reading, rows), BATCH_ROWS):
        keys: list[str] = []
        asked = reading.questions.asked if reading.questions else ()
        is_open = any(question.name == "currency" for question in asked)
        for row in some:
            if isinstance(row, RejectedRow):
                counts.refuse(row)
            else:
                keys.append(build_key(row, one.organisation_id))
                counts.say(partial(describe_purchase, row, "" if is_open else row.currency))
        with context.database.reading() as connection:
            known = find_purchases(connection, set(keys) - seen)
        new = set(keys) - seen - known
        seen |= new
        counts.new += len(new)
        counts.repeated += len(keys) - len(new)
        advance(counts.total)
    return counts


def _write(
    context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance
) -> ImportResult:
    writer = PurchaseWriter(context.database, one.organisation_id, context.clock(), import_id=one.id)
    accepted = refused = 0
    for some in batched(_read(reading, rows), BATCH_ROWS):
        purchases = [row for row in some if isinstance(row, Purchase)]
        accepted += len(purchases)
        refused += len(some) - len(purchases)
        with context.database.one_transaction():
            writer.write(purchases)
            advance(accepted + refused)
    advance(accepted + refused)
    writer.finish()
    added = count_added(context, one.id)
    return ImportResult(
        imported=added.get("purchase", 0),
        repeated=accepted - added.get("purchase", 0),
        refused=refused,
        companies=added.get("company", 0),
        products=added.get("product", 0),
        categories=added.get("category", 0),
    )


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
    count=_count,
    write=_write,
    take_back=take_back,
    quota=QUOTA,
)
