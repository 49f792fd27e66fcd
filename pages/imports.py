"""Files of purchases, suppliers, exchange rates and agreements to bring in, and the imports so far."""

from functools import partial

import streamlit as st

from app.dashboard.api import queries
from app.dashboard.import_actions import draw_file_upload
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_heading, draw_page_header
from components.imports.import_preview import draw_import_table

deployment = identity.require_deployment()


def draw_list() -> None:
    draw_heading("Imports")
    FilteredList(
        key="imports-page",
        noun="import",
        load=partial(queries.load_imports, deployment),
        draw=lambda page: draw_import_table(page.data),
        empty=Empty(
            "No imports yet",
            "Start with a file of past purchases: estimates are made from what you paid before."
            if queries.has_operation(deployment, "POST /v1/imports")
            else "Files that your organisation imports appear here.",
            "upload_file",
        ),
    ).show()


draw_page_header(
    "Import",
    caption="Bring in purchases, suppliers, exchange rates and contracts. Only your organisation sees them.",
)
if queries.has_operation(deployment, "POST /v1/imports"):
    with st.expander("Which columns a file needs", icon=":material/help:"):
        st.markdown(
            "- **Purchases**: a date, a supplier, a product and a price. Quantity, unit, currency, term and "
            "others are recognised too. Every further column becomes a price factor, such as the "
            "edition.\n"
            "- **Suppliers and products**: the name of the supplier. Domain, category, description, products "
            "(separated by |) and others are recognised too.\n"
            "- **Exchange rates**: a date, a currency and a rate, or a date and a column for each currency, "
            "as the European Central Bank publishes them.\n"
            "- **Contracts**: a name, or a supplier; first and last day, renewal, notice period, value and "
            "others are recognised. What is not known stays open and can be filled in later.\n\n"
            "Exports of Coupa (order lines), Xero (bills), Microsoft 365 (licences) and FOCUS (contract "
            "commitments) are taken as they are."
        )
    draw_file_upload(deployment)
if queries.has_operation(deployment, "GET /v1/imports"):
    draw_list()
else:
    draw_empty_state(
        "This workspace does not accept imports here", "Ask its operator to import your files.", "cloud_off"
    )
