"""E-documents in XML, told apart by their root element."""

from app.service.documents.einvoice.cii import is_cii, read_cii
from app.service.documents.einvoice.ubl import is_ubl, read_ubl
from app.service.documents.einvoice.xml_tree import parse_xml
from app.service.documents.extraction import Extraction
from app.service.documents.faults import UnsupportedDocument


def read_xml(content: bytes, filename: str) -> Extraction:
    """Return what an e-document states.

    Raises UnreadableDocument for broken XML, UnsupportedDocument for other kinds.
    """
    root = parse_xml(content)
    if is_ubl(root):
        return read_ubl(root, filename)
    if is_cii(root):
        return read_cii(root, filename)
    raise UnsupportedDocument(
        "This XML file is no e-document that is read (UBL, Factur-X, ZUGFeRD, Order-X)."
    )
