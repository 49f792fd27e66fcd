"""Writes `app/service/http/examples.json`: `uv run --group dev python -m tests.service.examples`.

A new operation is called in `walk.py`. The example of the calibration stays as it is, unless `--calibration`
has it learnt anew, which takes minutes.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from app.service.http.examples import EXAMPLES_FILE
from tests.service.examples.recording import CALIBRATION, record_examples


def main() -> None:
    with_calibration = "--calibration" in sys.argv
    with TemporaryDirectory() as folder:
        examples = record_examples(Path(folder), with_calibration=with_calibration)
    if not with_calibration:
        shipped = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
        examples["operations"][CALIBRATION] = shipped["operations"][CALIBRATION]
    EXAMPLES_FILE.write_text(json.dumps(examples, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
