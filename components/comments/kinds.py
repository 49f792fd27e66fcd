"""What the kinds of records that have comments and a history are called on pages."""

_NAMES = {"scope": "quote", "agreement": "contract", "requirement": "comparison"}


def name_kind(kind: str) -> str:
    """Return `contract` for `agreement`; other kinds are called as the interface calls them."""
    return _NAMES.get(kind, kind)
