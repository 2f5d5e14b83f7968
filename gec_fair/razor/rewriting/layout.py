"""The files of a run's folder, and the field that a rewritten row keeps its old text in."""

LEDGER, OUTPUT, PASSES = "ledger.jsonl", "rewritten.jsonl", "passes"
ORIGINAL = "original"
