from app.contract.access import StoredBytes
from components.deployment import MEBIBYTE, draw_stored_bytes


def example() -> None:
    draw_stored_bytes(
        [
            StoredBytes(kind="files", stored=734 * MEBIBYTE, most=10_240 * MEBIBYTE),
            StoredBytes(kind="calls", stored=2_040 * MEBIBYTE, most=2_048 * MEBIBYTE),
        ]
    )
