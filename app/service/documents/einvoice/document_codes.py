"""What the type codes of electronic documents say (UNTDID 1001, as EN 16931 uses them)."""

from app.service.documents.extraction import Kind

_CREDIT_NOTES = frozenset(
    {"81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "502", "503", "532"}
)
_CORRECTED = frozenset({"384", "471", "472", "473"})
_CORRECTS = "It is a corrected invoice (type {code}): its amounts may be only what changed."


def find_kind_of_code(code: str | None, kind: Kind) -> Kind:
    """Return the kind of a document with a type code; `kind` where the code says nothing else."""
    if code == "310":
        return "quote"
    return "credit_note" if code in _CREDIT_NOTES else kind


def list_warnings_of_code(code: str | None) -> tuple[str, ...]:
    """Return what a type code leaves open, as sentences."""
    return (_CORRECTS.format(code=code),) if code in _CORRECTED else ()
