"""Tools that make what the reader of documents has learnt: generated documents with their truth, training,
calibration and scores (`docs/reading-documents.md`). Tests may import of them what `tests/test_quality.py`
names."""
