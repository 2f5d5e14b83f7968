"""Trees: read as drawn, trained to rank, stored and loaded; and the training data's readers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from gec_fair.errors import MissingResource
from gec_fair.people.links.embedded import COLUMNS, RANKER
from gec_fair.people.links.ranker import Ranker, Trees, softmax

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def boost() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coref_boost", ROOT / "training" / "coref" / "boost.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["coref_boost"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _slow(trees: Trees, row: list[float]) -> float:
    """One row, one tree after the other, as drawn in the docstring."""
    total = 0.0
    for feature, threshold, leaf in zip(trees.feature, trees.threshold, trees.leaf, strict=True):
        node = 0
        while node < len(feature):
            node = 2 * node + (2 if row[feature[node]] > threshold[node] else 1)
        total += leaf[node - len(feature)]
    return total


def test_scores_are_those_of_the_slow_way() -> None:
    rng = np.random.default_rng(0)
    trees = Trees(
        rng.integers(0, 6, (20, 7)).astype(np.int16),
        rng.normal(size=(20, 7)).astype(np.float32),
        rng.normal(size=(20, 8)).astype(np.float32),
    )
    rows = rng.normal(size=(50, 6)).astype(np.float32)
    assert trees.score(rows) == pytest.approx([_slow(trees, list(row)) for row in rows], abs=1e-4)


def test_softmax_is_a_distribution_even_of_large_scores() -> None:
    shares = softmax(np.array([1000.0, 1000.0, -1000.0], dtype=np.float32))
    assert shares.tolist() == [0.5, 0.5, 0.0]


def _groups(boost: ModuleType, seed: int) -> object:
    """Four rows a group; right is the one whose first column is highest, unless its second is 1: an interaction."""
    rng = np.random.default_rng(seed)
    rows = rng.random((400, 4, 3))
    rows[..., 1] = rng.random((400, 4)) < 0.3
    best = (rows[..., 0] - rows[..., 1]).argmax(axis=1)
    right = np.arange(4)[None, :] == best[:, None]
    start = np.arange(0, 1601, 4)
    return boost.Groups(rows.reshape(-1, 3).astype(np.float32), start, right.ravel(), np.ones(400))


def test_boosting_learns_to_rank_and_is_seeded(boost: ModuleType) -> None:
    recipe = boost.Recipe(trees=60, depth=3, shrink=0.2, features=1.0)
    trees, again = (boost.train(_groups(boost, 0), recipe, seed=1) for _ in range(2))
    assert np.array_equal(trees.leaf, again.leaf)
    held_out = _groups(boost, 1)
    chosen_ = trees.score(held_out.rows).reshape(-1, 4).argmax(axis=1)  # type: ignore[attr-defined]
    assert (chosen_ == held_out.right.reshape(-1, 4).argmax(axis=1)).mean() > 0.9  # type: ignore[attr-defined]


def test_several_right_rows_count_together(boost: ModuleType) -> None:
    data = boost.Groups(
        np.array([[0.0], [1.0], [2.0]] * 50, dtype=np.float32),
        np.arange(0, 151, 3),
        np.array([False, True, True] * 50),
        np.ones(50),
    )
    scores = boost.train(data, boost.Recipe(trees=20, depth=2, rows=1.0, features=1.0), 0).score(data.rows)
    assert scores[0] < min(scores[1], scores[2])


def test_a_ranker_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    shipped = Ranker.load(RANKER, COLUMNS)
    shipped.save(tmp_path / "again.npz")
    again = Ranker.load(tmp_path / "again.npz", COLUMNS)
    rows = np.random.default_rng(0).random((9, len(COLUMNS))).astype(np.float32)
    assert np.array_equal(shipped.second.score(rows), again.second.score(rows))
    assert again.about == shipped.about


def test_the_shipped_ranker_says_what_it_was_trained_on_and_is_small() -> None:
    about = Ranker.load(RANKER, COLUMNS).about
    assert all(name in about for name in ("GAP", "LitBank", "GUM", "CC BY 4.0", "Apache-2.0", '"version"'))
    assert RANKER.stat().st_size < 400_000


def test_a_ranker_for_other_columns_is_refused() -> None:
    with pytest.raises(MissingResource, match="trained for other features"):
        Ranker.load(RANKER, COLUMNS[1:])


@pytest.mark.parametrize("content", [b"", b"no zip file", b"PK\x03\x04" + bytes(40)])
def test_a_damaged_ranker_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ranker.npz").write_bytes(content)
    with pytest.raises(MissingResource, match="reinstall gec-fair"):
        Ranker.load(tmp_path / "ranker.npz", COLUMNS)


def test_a_missing_ranker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match="missing"):
        Ranker.load(tmp_path / "none.npz", COLUMNS)


def test_no_column_is_the_gender() -> None:
    assert not any(word in name for name in COLUMNS for word in ("feminine", "masculine", "he_", "she_"))
