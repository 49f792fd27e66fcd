"""Agreements as rows of a file state them: one row, or one for each line of what is bought; and what they
would add to those on record. It stores nothing.

An agreement is the same as another with its supplier and number there, else with its name and first day. Of
those that are called by their supplier alone, each row is one, also where several say the same: the second
such row is the second such agreement on record. What is on record is never changed by a file: a row that says
something else of it is refused.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import MAX_LINES, AgreementLine, NewAgreement
from app.service.agreements.stored_agreement import build_identity_key, is_unnamed, read_agreed
from app.service.catalog.names import company_key, name_key
from app.service.database.rows import batched
from app.service.database.tables import agreement, company, product
from app.service.database.visibility import owned_by, visible_to
from app.service.tables.table import RejectedRow
from app.service.values.folding import fold_text

_OF_CATALOG = frozenset({"companyId", "supplierName"})
"""What the catalog may say in other words than the file."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value that was left out or read in one of several ways. `column` is the heading of the field's
    column; empty where none has it."""

    line: int
    field: str
    reason: str
    column: str = ""


@dataclass(frozen=True, slots=True)
class LineNumber:
    """Which of the agreement's lines a row holds, and of how many, where the file says so."""

    number: int
    total: int | None = None


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """An agreement of a file, with what is doubtful of it. `line` is where its row stands, `further_lines`
    where those stand that hold the rest of its lines; `may_sum` says that a value which no row states may be
    the sum of these, `is_named` that the row has a name of its own, not that of what is bought."""

    line: int
    agreed: NewAgreement
    doubts: Sequence[Doubt] = ()
    number: LineNumber | None = None
    further_lines: Sequence[int] = ()
    may_sum: bool = False
    is_named: bool = True

    def reject(self, reason: str) -> list[RejectedRow]:
        """Return its rows as refused."""
        return [RejectedRow(line, reason) for line in (self.line, *self.further_lines)]


def join_rows(rows: Iterable[AgreementRow]) -> Iterator[AgreementRow | RejectedRow]:
    """Yield the agreements of the rows of a file: those of one contract that hold several lines are one
    agreement. A row that says something else of the agreement than the first stays alone."""
    groups: dict[Hashable, list[AgreementRow]] = {}
    begun: Counter[Hashable] = Counter()
    for row in rows:
        key: Hashable = build_identity_key(row.agreed)
        if row.number is not None and is_unnamed(row.agreed):
            # Its further rows say less than the first, and the next one with this number is of another.
            key = row.agreed.supplier_name, row.agreed.term_start
            begun[key] += row.number.number == 1
            key = key, begun[key]
        groups.setdefault(key, []).append(row)
    for group in groups.values():
        yield from _join_group(group)


def _join_group(group: Sequence[AgreementRow]) -> Iterator[AgreementRow | RejectedRow]:
    base = max(group, key=_count_values)  # the first of those that state most
    joined: list[AgreementRow] = [base]
    alone: list[AgreementRow] = []
    for row in group:
        if row is not base:
            (joined if _continues(row, joined) else alone).append(row)
    whole = _join_lines(base, sorted(joined, key=_get_number)) if len(joined) > 1 else base
    problem = _find_gap(joined) or _find_excess(whole)
    if problem:
        yield from whole.reject(problem)
    else:
        yield _sum_lines(whole)
    yield from map(_sum_lines, alone)


def _sum_lines(row: AgreementRow) -> AgreementRow:
    """Return an agreement with the sum of what its lines cost as its value, where the file states none."""
    amounts = [line.amount for line in row.agreed.lines or ()]
    known = [amount for amount in amounts if amount is not None]
    if not row.may_sum or row.agreed.total_value is not None or not known or len(known) < len(amounts):
        return row
    total = sum(known)
    reason = f"The file states no value: the lines cost {total} for the term."
    return replace(
        row,
        agreed=row.agreed.model_copy(update={"total_value": total}),
        doubts=[*row.doubts, Doubt(row.line, "total_value", reason)],
    )


def _count_values(row: AgreementRow) -> int:
    return len(row.agreed.model_fields_set)


def _continues(row: AgreementRow, joined: Sequence[AgreementRow]) -> bool:
    """Say whether a row holds another line of the agreement and says nothing else of it. One that is there
    already is a repetition, unless it has a number of its own."""
    base = joined[0].agreed
    if not row.agreed.lines or not base.lines:
        return False
    name = row.agreed.name if row.is_named or not base.reference else base.name
    if find_difference(row.agreed.model_copy(update={"lines": None, "name": name}), base) is not None:
        return False
    return all(row.number != other.number or row.agreed.lines != other.agreed.lines for other in joined)


def _join_lines(base: AgreementRow, rows: Sequence[AgreementRow]) -> AgreementRow:
    lines = [line for row in rows for line in row.agreed.lines or ()]
    first, *further = sorted(row.line for row in rows)
    names = {row.agreed.name for row in rows}
    name = base.agreed.name if base.is_named or len(names) == 1 else base.agreed.reference or base.agreed.name
    return replace(
        base,
        line=first,
        agreed=base.agreed.model_copy(update={"lines": lines, "name": name}),
        doubts=[doubt for row in rows for doubt in row.doubts],
        further_lines=further,
    )


def _get_number(row: AgreementRow) -> int:
    return row.number.number if row.number else 0


def _find_gap(rows: Sequence[AgreementRow]) -> str | None:
    """Say which line is not there, where the file says how many there are."""
    totals = {row.number.total for row in rows if row.number and row.number.total is not None}
    if not totals:
        return None
    found = {row.number.number for row in rows if row.number}
    lost = sorted(set(range(1, min(max(totals), MAX_LINES) + 1)) - found)
    if not lost:
        return None
    return (
        f"Line {lost[0]} of the {max(totals)} lines of this agreement is missing, refused or contradicts it."
    )


def _find_excess(row: AgreementRow) -> str | None:
    many = len(row.agreed.lines or ())
    return f"This agreement has {many:,} lines, more than {MAX_LINES:,}." if many > MAX_LINES else None


def find_difference(row: NewAgreement, other: NewAgreement) -> str | None:
    """Return the first field of a row that the other does not say too, in any spelling. Of lines, those of
    the row must all be among the other's."""
    stated, known = _fold_values(row), _fold_values(other)
    for name, value in stated.items():
        if known.get(name) != value:
            return name
    known_lines = _fold_lines(other.lines)
    for line in _fold_lines(row.lines):
        if line not in known_lines:
            return "lines"
        known_lines.remove(line)
    return None


def _fold_values(agreed: NewAgreement) -> dict[str, Any]:
    values = agreed.wire()
    return {name: _fold(value) for name, value in values.items() if name not in {*_OF_CATALOG, "lines"}}


def _fold_lines(lines: Sequence[AgreementLine] | None) -> list[dict[str, Any]]:
    return [
        {name: _fold(value) for name, value in line.wire().items() if name != "productId"}
        for line in lines or ()
    ]


def _fold(value: Any) -> Any:
    return fold_text(value) if isinstance(value, str) else value


_KEYS_AT_ONCE = 500


@dataclass
class AgreementPlan:
    """The agreements that are new, the ids of those on record that the rows name again, how many rows are
    there already, and the rows that are refused."""

    new: list[NewAgreement] = field(default_factory=list[NewAgreement])
    known: list[str] = field(default_factory=list[str])
    repeated: int = 0
    refused: list[RejectedRow] = field(default_factory=list[RejectedRow])


class AgreementPlanner:
    """Plans the rows of a file for an organisation, in batches."""

    def __init__(self, organisation_id: str) -> None:
        self._organisation_id = organisation_id
        self._seen: dict[str, AgreementRow] = {}
        self._unnamed: Counter[str] = Counter()

    def plan(self, connection: Connection, rows: Sequence[AgreementRow]) -> AgreementPlan:
        plan = AgreementPlan()
        keys = {row.line: build_identity_key(row.agreed) for row in rows}
        on_record = self._load_on_record(connection, keys.values())
        companies = self._find_companies(connection, rows)
        products = self._find_products(connection, rows, [company_id for company_id, _ in companies.values()])
        for row in rows:
            key = keys[row.line]
            known, earlier = on_record.get(key, []), self._seen.get(key)
            if is_unnamed(row.agreed):
                nth = self._unnamed[key]
                self._unnamed[key] += 1
                same = known[nth] if nth < len(known) else None
                earlier = None
            else:
                same = known[0] if known else None
            if earlier is not None:
                self._take_again(plan, row, earlier)
            elif same is not None:
                _take_known(plan, row, *same)
            else:
                plan.new.append(_name_entries(row.agreed, companies, products))
            self._seen.setdefault(key, row)
        return plan

    def _take_again(self, plan: AgreementPlan, row: AgreementRow, earlier: AgreementRow) -> None:
        other = find_difference(row.agreed, earlier.agreed)
        if other is None:
            plan.repeated += 1
        else:
            same = f"line {earlier.line} is the same agreement ({_describe_identity(row.agreed)})"
            plan.refused += row.reject(f"{same} with another {other}")

    def _load_on_record(
        self, connection: Connection, keys: Collection[str]
    ) -> dict[str, list[tuple[str, NewAgreement]]]:
        """Return the agreements with these keys, each with its id, the oldest first."""
        found: dict[str, list[tuple[str, NewAgreement]]] = {}
        for some in batched(sorted(set(keys)), _KEYS_AT_ONCE):
            query = sa.select(agreement).where(
                owned_by(agreement.c, self._organisation_id),
                agreement.c.identity_key.in_(some),
                agreement.c.sample.is_(sa.false()),
            )
            for row in connection.execute(query.order_by(agreement.c.id)).mappings():
                found.setdefault(row["identity_key"], []).append((row["id"], read_agreed(row)))
        return found

    def _find_companies(
        self, connection: Connection, rows: Sequence[AgreementRow]
    ) -> dict[str, tuple[str, str]]:
        """Return id and name of the only real company of the catalog that has each supplier's name, by its
        key."""
        names = {company_key(row.agreed.supplier_name) for row in rows if row.agreed.supplier_name}
        found: dict[str, list[tuple[str, str]]] = {}
        for some in batched(sorted(names), _KEYS_AT_ONCE):
            query = sa.select(company.c.name_key, company.c.id, company.c.name).where(
                company.c.name_key.in_(some),
                visible_to(company.c, self._organisation_id),
                company.c.sample.is_(sa.false()),
            )
            for key, company_id, name in connection.execute(query):
                found.setdefault(key, []).append((company_id, name))
        return {key: several[0] for key, several in found.items() if len(several) == 1}

    def _find_products(
        self, connection: Connection, rows: Sequence[AgreementRow], company_ids: Collection[str]
    ) -> dict[tuple[str, str], str]:
        """Return the only product of each company that has the name of a line, by the company and the name's
        key."""
        names = {name_key(line.description) for row in rows for line in row.agreed.lines or ()}
        found: dict[tuple[str, str], list[str]] = {}
        for some in batched(sorted(names), _KEYS_AT_ONCE):
            query = sa.select(product.c.company_id, product.c.name_key, product.c.id).where(
                product.c.name_key.in_(some), visible_to(product.c, self._organisation_id)
            )
            for company_id, key, product_id in connection.execute(query):
                found.setdefault((company_id, key), []).append(product_id)
        known = frozenset(company_ids)
        return {
            place: several[0] for place, several in found.items() if len(several) == 1 and place[0] in known
        }


def _take_known(plan: AgreementPlan, row: AgreementRow, agreement_id: str, known: NewAgreement) -> None:
    other = find_difference(row.agreed, known)
    if other is None:
        plan.repeated += 1
        plan.known.append(agreement_id)
    else:
        same = f"the agreement ({_describe_identity(row.agreed)}) is on record"
        plan.refused += row.reject(f"{same} with another {other}: change it on its page")


def _describe_identity(agreed: NewAgreement) -> str:
    supplier = f" of {agreed.supplier_name}" if agreed.supplier_name else ""
    return f"{agreed.reference or agreed.name}{supplier}"[:200]


def _name_entries(
    agreed: NewAgreement,
    companies: Mapping[str, tuple[str, str]],
    products: Mapping[tuple[str, str], str],
) -> NewAgreement:
    """Return the agreement with the entries of the catalog that its supplier and its lines name."""
    known = companies.get(company_key(agreed.supplier_name)) if agreed.supplier_name else None
    if known is None:
        return agreed
    company_id, name = known
    lines = [
        line.model_copy(update={"product_id": products.get((company_id, name_key(line.description)))})
        for line in agreed.lines or ()
    ]
    return agreed.model_copy(
        update={"company_id": company_id, "supplier_name": name, "lines": lines or agreed.lines}
    )
