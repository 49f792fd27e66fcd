"""Writes `examples.json` and `description.json` of `app/service/http`:

    uv run --group dev python -m tests.service.examples

A new operation is called in `walk.py`.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from app.service.http.openapi import DESCRIPTION_FILE, EXAMPLES_FILE
from tests.service.examples.description import build_openapi
from tests.service.examples.recording import record_examples


def main() -> None:
    with TemporaryDirectory() as folder:
        examples = record_examples(Path(folder))
    _write(EXAMPLES_FILE, examples)
    _write(DESCRIPTION_FILE, build_openapi(with_inbox=True))


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
