"""Write the description of this version as that of a release, which later ones are compared with.

    uv run --group dev python -m tests.release

To release: raise `VERSION` in `app/contract/version.py` and the versions in `deploy/chart/Chart.yaml`, give
`Unreleased` in CHANGELOG.md that version and its day, leave an empty `Unreleased` above it, and run this.
"""

import json
from pathlib import Path

from app.contract.version import VERSION
from app.service.http.openapi import load_description

DOCS = Path(__file__).parents[1] / "docs"


def write_release() -> Path:
    path = DOCS / f"openapi-{VERSION.rpartition('.')[0]}.json"
    description = load_description(with_inbox=True)
    path.write_text(json.dumps(description, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    print(f"wrote {write_release()}")  # noqa: T201
