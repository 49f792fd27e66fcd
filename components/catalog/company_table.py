"""A table of companies."""

from collections.abc import Sequence

from app.contract.catalog import CompanyInList
from components.elements.record_table import LEFT, Badges, RecordColumn, RecordRow, draw_record_table
from components.elements.sample_badge import is_sample
from components.formatting import datetimes
from components.formatting.counts import format_count


def draw_company_table(companies: Sequence[CompanyInList]) -> None:
    """Draw the companies. Purchases and labels are left out where no company has any."""
    zone = datetimes.get_reader_zone()
    rows = [
        RecordRow(
            "company",
            {"id": company.id},
            {
                "Company": company.name,
                "Domain": company.domain,
                "Category": company.category.name if company.category else None,
                "Purchases": company.real_purchase_count,
                "Labels": _make_labels(company),
                "Updated": datetimes.format_local_time(company.last_updated_at, zone)
                if company.last_updated_at
                else None,
            },
        )
        for company in companies
    ]
    draw_record_table(
        rows,
        alt=f"{format_count(len(rows), 'company', 'companies')} with domain and category",
        columns={
            "Company": LEFT,
            "Domain": LEFT,
            "Category": LEFT,
            "Purchases": RecordColumn("right", "On record, in the past two years."),
            "Labels": LEFT,
            "Updated": RecordColumn("right", "In your time zone."),
        },
        optional=("Purchases", "Labels"),
    )


def _make_labels(company: CompanyInList) -> Badges | None:
    labels = ["sample"] if is_sample(company.domain, company.description) else []
    if company.discontinued:
        labels.append("discontinued")
    return Badges(labels) if labels else None
