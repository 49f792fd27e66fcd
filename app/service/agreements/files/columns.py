"""Find out by its name what each column of a file of agreements holds. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.service.table_files.columns import (
    find_left_out,
    find_positions,
    match_fields,
)
from app.service.table_files.exports import Export, recognise_export
from app.service.tables.headings import fold_column_name
from app.service.values.currencies import list_codes

SYNONYMS: dict[str, tuple[str, ...]] = {
    "reference": (
        *(
            "contract_number",
            "contract_no",
            "contract_id",
            "agreement_number",
            "agreement_id",
            "contract_ref",
        ),
        *("vertragsnummer", "numero_de_contrat"),
    ),
    "name": (
        *(
            "agreement",
            "agreement_name",
            "contract",
            "contract_name",
            "contract_title",
            "title",
            "subscription",
        ),
        *("vertrag", "contrat"),
    ),
    "supplier": (
        *("supplier_name", "suppliername", "vendor", "vendor_name", "provider", "company", "counterparty"),
        *("contractor", "lieferant", "anbieter", "fournisseur"),
    ),
    "term_start": (
        *("termstart", "start_date", "start", "begin_date", "begin", "contract_start", "effective_date"),
        *("valid_from", "first_day", "contract_begin", "beginn", "laufzeit_von", "date_de_debut"),
    ),
    "term_end": (
        *(
            "termend",
            "end_date",
            "end",
            "expiry_date",
            "expiration_date",
            "expiry",
            "expires",
            "contract_end",
        ),
        *("valid_until", "valid_to", "last_day", "ende", "laufzeit_bis", "date_de_fin"),
    ),
    "day_after_end": ("end_exclusive", "next_term_start"),
    "renewal_date": ("renews_on", "next_renewal", "next_renewal_date"),
    "term_months": ("contract_months", "duration_months", "term_in_months", "laufzeit_monate"),
    "term": ("term_length", "contract_term", "contract_length", "duration", "laufzeit"),
    "renewal_type": ("renewaltype", "renewal", "renewal_terms"),
    "auto_renewal": ("auto_renew", "autorenew", "auto_renews", "automatic_renewal", "renews_automatically"),
    "auto_renewal_term_months": ("autorenewaltermmonths", "renewal_months", "renewal_term_months"),
    "renewal_term": ("renewal_length", "renewal_period"),
    "max_renewals": ("maxrenewals",),
    "max_extent_date": ("maxextentdate", "latest_end"),
    "notice_period": ("noticeperiod", "notice", "notice_term", "cancellation_notice", "kuendigungsfrist"),
    "notice_days": ("notice_period_days", "notice_period_in_days", "cancellation_notice_days"),
    "notice_months": ("notice_period_months", "notice_period_in_months", "kuendigungsfrist_monate"),
    "notice_to": ("noticeto",),
    "delivery_buffer_days": ("deliverybufferdays",),
    "notice_given_on": ("noticegivenon", "notice_given", "cancelled_on", "gekuendigt_am"),
    "currency": ("currency_code", "ccy", "waehrung"),
    "total_value": (
        *("totalvalue", "contract_value", "total_contract_value", "tcv", "total", "amount", "value"),
        *("total_amount", "vertragswert"),
    ),
    "annual_value": (
        *(
            "annual_cost",
            "annual_contract_value",
            "annual_spend",
            "annual_amount",
            "annual_price",
            "annual_fee",
        ),
        *("acv", "yearly_value", "yearly_cost", "yearly_price", "cost_per_year", "price_per_year"),
        *("jahreswert", "jahreskosten", "jahresbetrag", "valeur_annuelle", "cout_annuel", "valor_anual"),
        *("coste_anual", "custo_anual", "valore_annuo", "costo_annuo"),
    ),
    "one_time_value": ("onetimevalue", "one_time_fee", "one_time_cost", "setup_fee"),
    "committed_spend": ("committedspend", "commitment", "minimum_commitment"),
    "payment_terms_days": ("paymenttermsdays", "payment_terms", "payment_days"),
    "billing_frequency": ("billingfrequency", "billing", "billing_period"),
    "owner": ("owner_name", "contract_owner", "responsible", "owners"),
    "owner_email": ("contract_owner_email", "responsible_email"),
    "cost_center": ("costcenter", "cost_centre", "kostenstelle"),
    "tags": ("labels",),
    "product": ("product_name", "item", "software", "service", "application"),
    "quantity": (
        *(
            "qty",
            "seats",
            "licences",
            "licenses",
            "users",
            "seats_purchased",
            "purchased_seats",
            "total_seats",
        ),
        *("number_of_seats", "no_of_seats", "seat_count", "licences_purchased", "licenses_purchased"),
        *("number_of_licences", "number_of_licenses", "licence_count", "license_count", "number_of_users"),
        *("user_count", "lizenzen", "anzahl_lizenzen", "menge", "anzahl"),
    ),
    "unit": ("uom", "unit_of_measure"),
    "unit_price": (
        *("unitprice", "price_per_unit", "unit_cost", "cost_per_unit", "price_per_seat", "cost_per_seat"),
        *("seat_price", "price_per_user", "cost_per_user", "price_per_licence", "price_per_license"),
        *("cost_per_licence", "cost_per_license", "einzelpreis", "stueckpreis", "prix_unitaire"),
        *("precio_unitario", "preco_unitario", "prezzo_unitario"),
    ),
    "line_number": ("line", "line_no"),
    "line_amount": ("line_total", "line_value", "item_total"),
    "recurring": ("is_recurring",),
    "uplift_kind": ("upliftkind",),
    "uplift_percent": ("upliftpercent",),
    "uplift_index": ("upliftindex",),
    "uplift_basis": ("upliftbasis",),
    "uplift_compounding": ("upliftcompounding",),
}
"""Our name of each field, and the other names that lists of contracts have for the same."""

NAMES = ("name", "product", "reference", "supplier")
"""One of these columns is needed: an agreement is called by the first that its row has."""
MARKS = frozenset(
    {
        *("term_end", "day_after_end", "renewal_date", "renewal_type", "auto_renewal"),
        *("auto_renewal_term_months", "renewal_term", "notice_period", "notice_days", "notice_months"),
        *("billing_frequency", "annual_value"),
    }
)
"""What only an agreement has: a list of purchases or of suppliers has none of these columns."""
_OF_ANYTHING = frozenset(
    {"supplier", "product", "owner", "owner_email", "currency", "cost_center", "tags", "unit", "line_number"}
)
"""What a list of suppliers or of products has too, under the same names."""
_NAMES_OF_ANYTHING = frozenset({"name", "title"})
_AMOUNTS = ("total_value", "annual_value", "one_time_value", "committed_spend", "unit_price", "line_amount")


@dataclass(frozen=True, slots=True)
class AgreementColumns:
    """The position of each field in a row, and the export that the file is. `currency` is that which the
    headings of amounts name."""

    fields: Mapping[str, int]
    export: Export | None
    header: Sequence[str] = ()
    currency: str | None = None

    @property
    def missing(self) -> list[str]:
        """The needed fields that have no column."""
        return [] if any(name in self.fields for name in NAMES) else ["name"]

    @property
    def are_of_contracts(self) -> bool:
        """Whether a column says something that is said of contracts, not of any supplier or product."""
        said = self.fields.keys() - _OF_ANYTHING
        if "name" in said and fold_column_name(self.header[self.fields["name"]]) in _NAMES_OF_ANYTHING:
            said -= {"name"}
        return bool(said)

    @property
    def is_marked(self) -> bool:
        """Whether the file has a column that only agreements have."""
        return not MARKS.isdisjoint(self.fields)


def match_agreement_columns(
    header: Sequence[str], mapping: Mapping[str, str] | None = None, ignore: Collection[str] = ()
) -> AgreementColumns:
    """Find what each column holds. `mapping` is our field -> the file's column, or "" for none; `ignore`
    names columns to leave out. Raises UnreadableTable for what does not fit the header."""
    positions = find_positions(header)
    left_out = find_left_out(positions, ignore)
    fields = match_fields(positions, SYNONYMS, mapping or {}, left_out, of="an agreement")
    currencies: set[str] = set()
    if "currency" not in fields:
        currencies = _match_amounts_with_currency(fields, positions, mapping or {}, left_out)
    export = recognise_export(header)
    return AgreementColumns(
        fields,
        export if export and export.kind == "agreements" else None,
        header,
        currencies.pop() if len(currencies) == 1 else None,
    )


def _match_amounts_with_currency(
    fields: dict[str, int],
    positions: Mapping[str, int],
    mapping: Mapping[str, str],
    left_out: Collection[int],
) -> set[str]:
    """Add the columns of amounts whose headings end in a currency, such as `unit_cost_usd`, and return the
    currencies. Amounts in several currencies are no amounts of one contract: none of them is added."""
    taken = {*fields.values(), *left_out}
    found: dict[str, int] = {}
    currencies: set[str] = set()
    for column, at in positions.items():
        base, _, code = column.rpartition("_")
        for name in _AMOUNTS:
            if (
                code.upper() in list_codes()
                and base in (name, *SYNONYMS[name])
                and at not in taken
                and name not in {*fields, *found, *mapping}
            ):
                found[name] = at
                currencies.add(code.upper())
    if len(currencies) == 1:
        fields |= found
    return currencies
