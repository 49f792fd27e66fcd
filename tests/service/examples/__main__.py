"""Writes `app/service/http/examples.json`: `uv run --group dev python -m tests.service.examples`.

A new operation is called in `walk.py`.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from app.service.http.openapi import EXAMPLES_FILE
from tests.service.examples.recording import record_examples


def main() -> None:
    with TemporaryDirectory() as folder:
        examples = record_examples(Path(folder))
    EXAMPLES_FILE.write_text(json.dumps(examples, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
