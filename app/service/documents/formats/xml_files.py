"""XML files, which are read when they are e-documents."""

from app.service.documents.extraction import Extraction
from app.service.documents.formats.format import DataFormat
from app.service.documents.formats.signatures import is_markup, is_web_page


def _is_xml(content: bytes, filename: str) -> bool:
    return is_markup(content) and not is_web_page(content)


def _read_values(content: bytes, filename: str) -> Extraction:
    from app.service.documents.einvoice.xml_documents import read_xml

    return read_xml(content, filename)


XML = DataFormat("XML", "application/xml", ("xml",), _is_xml, read_values=_read_values)
