"""Tools that measure: `uv run --group dev python -m tests.benchmarks`. Tests may import of them what
`tests/test_quality.py` names; in the suite only the frame and the form of each benchmark are tested."""
