"""Yes and no, as people write them."""

_YES = frozenset(
    {"yes", "y", "true", "1", "x", "✓", "✔", "ja", "j", "oui", "o", "si", "s", "sim", "tak", "ano", "kylla"}
    | {"evet", "да", "так", "igen", "da", "是", "はい", "예", "有", "有り", "あり", "כן"}
)
_NO = frozenset(
    {"no", "n", "false", "0", "nein", "non", "nao", "nie", "ne", "nej", "nei", "nee", "ei", "hayir", "нет"}
    | {"ні", "nem", "nu", "否", "いいえ", "아니오", "無", "无", "なし", "לא"}
)


def read_flag(text: str) -> bool | None:
    """Return whether a text, folded, says yes; None where it says neither yes nor no."""
    return True if text in _YES else False if text in _NO else None
