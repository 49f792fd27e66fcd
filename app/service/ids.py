"""Ids that we make: UUIDs of version 7, which sort by time, and for purchases of version 8, made of what they
say.

A purchase that is imported again has the same id again. Its row keeps the 12 bytes that tell it from others
as 16 characters, its key.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

import uuid_utils

_VERSION_AND_VARIANT = "-8000-8000-"


def new_id() -> str:
    """A new id as lower-case text."""
    return str(uuid_utils.uuid7())


def build_purchase_key(*parts: object) -> str:
    """The key of the purchase that these texts tell from every other."""
    said = "\x1f".join(map(str, parts)).encode("utf-8", "replace")
    return urlsafe_b64encode(blake2b(said, digest_size=12).digest()).decode()


def build_purchase_id(*parts: object) -> str:
    """The id of the purchase that these texts tell from every other."""
    return to_purchase_id(build_purchase_key(*parts))


def to_purchase_id(key: str) -> str:
    """The id of the purchase with this key."""
    digits = urlsafe_b64decode(key).hex()
    return f"{digits[:8]}-{digits[8:12]}{_VERSION_AND_VARIANT}{digits[12:]}"


def to_purchase_key(purchase_id: str) -> str:
    """The key of the purchase with this id; an id that no purchase can have stays as it is."""
    if purchase_id[13:24] != _VERSION_AND_VARIANT:
        return purchase_id
    digits = purchase_id.replace(_VERSION_AND_VARIANT, "").replace("-", "")
    return urlsafe_b64encode(bytes.fromhex(digits)).decode()
