"""Cells that hold no value: blank ones, and those in which a spreadsheet shows an error."""

import re

_BLANK_WORDS = frozenset(
    {"", "-", "--", "---", "–", "—", "n/a", "n.a.", "na", "null", "none", "nan", "nil", "nul", "./.", "k.a."}
    | {
        "(blank)",
        "(empty)",
        "(null)",
        "(none)",
        "(leer)",
        "(vide)",
        "(vuoto)",
        "<null>",
        "[null]",
        "#n/a n/a",
    }
)
_LONGEST = max(map(len, _BLANK_WORDS))
# Excel, LibreOffice and Google Sheets end most in a mark, in every language: #REF!, #¿NOMBRE?, #DIV/0!.
_ERROR = re.compile(r"#[¡¿]?[^\W\d_]{2,14}[./ ]?(?:0|[^\W\d_]{1,8})?[!?]|(?:#|Err:)\d{3}|Err:\d{3}")
_ERRORS_WITHOUT_MARK = frozenset({
    "#n/a", "#nv", "#n/d", "#nb", "#n/b", "#n/v", "#i/t", "#yok", "#mv", "#hiányzik", "#н/д", "#calc",
    "#п/н", "#puuttuu!", "#ei/saat", "#getting_data", "#veri_alma",
})  # fmt: skip


def is_blank(text: str) -> bool:
    """Say whether a stripped text stands for nothing: it is empty, a dash, or a word such as `n/a`."""
    return not text or (len(text) <= _LONGEST and text.lower() in _BLANK_WORDS)


def is_error_value(text: str) -> bool:
    """Say whether a text is what a spreadsheet shows for a formula that fails: `#N/A`, `#WERT!`,
    `Err:502`."""
    if text[:1] not in ("#", "E"):
        return False
    return text.lower() in _ERRORS_WITHOUT_MARK or _ERROR.fullmatch(text) is not None
