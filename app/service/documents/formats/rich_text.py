"""Texts of an XLSX workbook of which a part is struck out or raised."""

import io
import zipfile

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.documents.formats.struck_and_raised import STRUCK_OUT, raise_digits, read_cents
from app.service.tables.archives import ZIP_ARCHIVE

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_TEXTS = "xl/sharedStrings.xml"
_OFF = ("0", "false")


def flatten_rich_text(content: bytes) -> tuple[bytes, list[str]]:
    """The workbook with such texts as plain ones, without what is struck out and with raised digits as ¹²³,
    and sentences about them. A workbook without them, of another format or damaged stays."""
    if not content.startswith(ZIP_ARCHIVE):
        return content, []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            texts = archive.read(_TEXTS) if _TEXTS in archive.namelist() else b""
            if b"strike" not in texts and b"superscript" not in texts:
                return content, []
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            root = etree.fromstring(texts, parser)
            remarks = dict.fromkeys(remark for item in root.iter(f"{_MAIN}si") for remark in _flatten(item))
            return _replace_texts(archive, etree.tostring(root)), list(remarks)
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, ValueError, OSError, NotImplementedError):
        return content, []


def _flatten(item: _Element) -> list[str]:
    """Make a text a plain one, and return sentences about what was struck out or raised in it."""
    shown: list[str] = []
    remarks: list[str] = []
    for run in item.iterchildren(f"{_MAIN}r"):
        text = run.findtext(f"{_MAIN}t", "")
        if _find_format(run, "strike") not in (None, *_OFF):
            remarks += [STRUCK_OUT] if text.strip() else []
        else:
            shown.append(raise_digits(text) if _find_format(run, "vertAlign") == "superscript" else text)
    if not shown and not remarks:
        return []  # it is plain
    [[text]], cents = read_cents([["".join(shown)]])
    del item[:]
    plain = etree.SubElement(item, f"{_MAIN}t")
    plain.text = text
    plain.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return remarks + cents


def _find_format(run: _Element, name: str) -> str | None:
    found = run.find(f"{_MAIN}rPr/{_MAIN}{name}")
    return None if found is None else found.get("val", "")


def _replace_texts(archive: zipfile.ZipFile, texts: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as changed:
        for member in archive.infolist():
            changed.writestr(member, texts if member.filename == _TEXTS else archive.read(member))
    return target.getvalue()
