"""The e-document inside a hybrid PDF, which goes before the page and is checked against it."""

from collections.abc import Iterable
from dataclasses import replace

from app.service.documents.einvoice.xml_documents import read_xml
from app.service.documents.extraction import Extraction, Provenance
from app.service.documents.faults import DocumentFault

_LARGEST = 20 * 1024 * 1024
_CHECKED = ("total", "net_total", "document_date", "document_number", "currency")


def find_embedded(attachments: Iterable[bytes], filename: str) -> Extraction | None:
    """The values of the first e-document among the attachments; None when there is none."""
    for data in attachments:
        if len(data) > _LARGEST or b"<" not in data[:200]:
            continue
        try:
            return read_xml(data, filename)
        except DocumentFault:
            continue
    return None


def check_with_page(embedded: Extraction, page: Extraction) -> Extraction:
    """The values of an e-document with the places of the page that shows them.

    A value that the page contradicts is kept as the e-document states it and reported.
    """
    warnings = list(embedded.warnings)
    provenance: dict[str, Provenance] = {}
    for name, place in embedded.provenance.items():
        on_page = page.provenance.get(name)
        same = getattr(page, name, None) == getattr(embedded, name, None)
        provenance[name] = replace(place, page=on_page.page, box=on_page.box) if on_page and same else place
    for name in _CHECKED:
        stated, shown = getattr(embedded, name), getattr(page, name)
        verified_on_page = name in page.provenance and page.provenance[name].verified
        if stated is not None and shown is not None and stated != shown and verified_on_page:
            warnings.append(
                f"The e-document states {name.replace('_', ' ')} {stated}, the page shows {shown}."
            )
    return replace(
        embedded,
        language=page.language,
        payment_terms_days=page.payment_terms_days,
        warnings=tuple(warnings),
        provenance=provenance,
        pages=page.pages,
    )
