"""Ray Data runs the same step to the same bytes."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from corpus_steps import make_crashing, make_they
from test_run import content, crash_at, mixed, start

from gec_fair.corpus import StepError
from gec_fair.errors import MissingResource

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'gec-fair[ray]'"
)


@pytest.fixture(scope="module")
def two_nodes():
    """A Ray cluster of two nodes with a CPU each, whose workers find the package and the tests' steps."""
    import ray
    from ray.cluster_utils import Cluster

    root = Path(__file__).parents[2]
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(root), str(Path(__file__).parent), *sys.path])
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()
    cluster.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@needs_ray
@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.usefixtures("two_nodes")
def test_ray_decides_no_byte(tmp_path, workers):
    path = mixed(tmp_path, 2000)
    start(path, tmp_path / "local")
    start(path, tmp_path / "ray", engine="ray", workers=workers, chunk=64)
    assert content(tmp_path / "local") == content(tmp_path / "ray")


@needs_ray
@pytest.mark.slow
@pytest.mark.usefixtures("two_nodes")
def test_a_run_that_failed_on_ray_goes_on_locally(tmp_path):
    path = crash_at(tmp_path, 33)
    with pytest.raises(StepError, match=r"^c\.tsv:33: KeyError: 'VBD_RB'$"):
        start(path, tmp_path / "out", make_crashing, engine="ray", workers=2, chunk=10)
    assert start(path, tmp_path / "out", make_they).before == "unfinished"
    start(path, tmp_path / "plain")
    assert content(tmp_path / "out") == content(tmp_path / "plain")


def test_without_ray_the_user_is_told_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "gec_fair.corpus.ray_engine", raising=False)
    with pytest.raises(MissingResource, match=r"pip install 'gec-fair\[ray\]'"):
        start(mixed(tmp_path), tmp_path / "out", engine="ray")
