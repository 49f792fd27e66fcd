"""What rows of a file of agreements would add to those on record. It stores nothing.

An agreement is the same as another with its supplier and number there, else with its name and first day. Of
those that are called by their supplier alone, each row is one, also where several say the same: the second
such row is the second such agreement on record. What is on record is never changed by a file: a row that says
something else of it is refused.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import NewAgreement
from app.service.agreements.files.agreement_row import AgreementRow, find_difference
from app.service.agreements.identity import build_identity_key, is_unnamed
from app.service.agreements.stored_agreement import read_agreed
from app.service.catalog.names import company_key, name_key
from app.service.database.batches import batched
from app.service.database.tables.agreements import agreement
from app.service.database.tables.catalog import company, product
from app.service.database.visibility import owned_by, visible_to
from app.service.tables.table import RejectedRow

KEYS_AT_ONCE = 500


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
        """Return what these rows add."""
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
        for some in batched(sorted(set(keys)), KEYS_AT_ONCE):
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
        for some in batched(sorted(names), KEYS_AT_ONCE):
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
        for some in batched(sorted(names), KEYS_AT_ONCE):
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
