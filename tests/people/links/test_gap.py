"""The GAP benchmark: what counts as finding a name, how decisions are summed, and the bar on a part of the data."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "benchmarks" / "gap_coreference.py"
HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"

sys.path.insert(0, str(ROOT / "benchmarks"))
import gap_coreference as gap  # noqa: E402
from data import GapExample  # noqa: E402  (the benchmark puts training/coref on the path)

from gec_fair.english import pipeline  # noqa: E402
from gec_fair.people.links import Cluster, Mention  # noqa: E402

NAMES = [
    (Mention(3, 5, 4), {3, 4}, True, "the name itself"),
    (Mention(4, 5, 4), {3, 4}, True, "a part of it"),
    (Mention(2, 5, 4), {3, 4}, True, "with a title before it, headed in the name"),
    (Mention(3, 7, 6), {3, 4}, False, "Ada's friend is not Ada"),
    (Mention(4, 6, 5), {3, 4}, False, "two names that share a word"),
    (Mention(8, 9, 8), {3, 4}, False, "elsewhere"),
]


@pytest.mark.parametrize(("mention", "name", "expected"), [row[:3] for row in NAMES], ids=[row[3] for row in NAMES])
def test_a_mention_is_one_of_the_name(mention: Mention, name: set[int], expected: bool) -> None:
    assert gap.names(mention, frozenset(name)) is expected


def _example(pronoun: str, a: bool, b: bool) -> GapExample:
    return GapExample("x", "", pronoun, 0, ("A", "B"), (0, 0), (a, b))


def test_counts_are_over_both_decisions_of_each_example() -> None:
    examples = [_example("her", True, False), _example("She", False, True), _example("his", False, False)]
    counts = gap.count(examples, [(True, False), (True, False), (False, True)], gap.FEMININE)
    assert counts == gap.Counts(true_positive=1, false_positive=1, false_negative=1, true_negative=1)
    assert counts.f1 == 50.0
    assert gap.Counts().f1 == 0.0


class _Elsewhere:
    """A resolver that works in another process, which loads for longer than it resolves."""

    def __init__(self) -> None:
        self.passes = 0

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        self.passes += 1
        return [[] for _ in docs]

    def close(self) -> None:
        work = "import time\nwhile time.process_time() < float({}): pass"
        if self.passes:
            subprocess.run([sys.executable, "-c", work.format(0.3 + 0.1 * self.passes)], check=True)
        self.passes = 0


def test_the_speed_of_a_resolver_in_another_process_is_of_its_own_time_without_loading() -> None:
    docs = [Doc(Vocab(), words=["a"] * 60)]
    assert gap.words_per_second(_Elsewhere(), docs) == pytest.approx(600, rel=0.25)  # 0.1 s a pass


def _run(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.slow
def test_a_file_is_scored_and_the_decisions_written(tmp_path: Path) -> None:
    text = "Ann met Mary . Ann said that she was late ."
    row = ["t-1", text, "she", str(text.index("she")), "Ann", "15", "TRUE", "Mary", "8", "FALSE", "url"]
    (tmp_path / "gap.tsv").write_text(HEADER + "\t".join(row) + "\n", encoding="utf-8")
    out = _run(tmp_path / "gap.tsv", "--decisions", tmp_path / "system.tsv", "-o", tmp_path / "r.json")
    assert "f1 100.0" in out
    assert "ratio" in out
    assert "trained on" not in out, "these examples are nobody's training data"
    assert (tmp_path / "system.tsv").read_text(encoding="utf-8") == "t-1\tTRUE\tFALSE\n"
    assert '"f1": 100.0' in (tmp_path / "r.json").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_training_file_is_called_one(data: Path) -> None:
    out = _run(data / "coref" / "gap-validation.tsv", "--limit", "20")
    assert "was trained on 20 of these 20 examples" in out


@pytest.mark.slow(150)
def test_the_bar_holds_on_a_part_that_the_ranker_has_not_seen(data: Path) -> None:
    """Two folds of the validation file, trained on the other half, LitBank and GUM: far less than the shipped ranker
    sees, so the bar is lower than the 68 of all data (see docs/concepts/coreference.md for that figure)."""
    examples = gap.read_gap(data / "coref" / "gap-validation.tsv")
    nlp = pipeline.load()
    docs = list(nlp.pipe(example.text for example in examples))
    clusters = gap.cross_validate(nlp, docs, examples, data, folds=2)
    decisions = [gap.decide(*three) for three in zip(docs, examples, clusters, strict=True)]
    assert gap.figures(examples, decisions)["f1"] >= 65.0
