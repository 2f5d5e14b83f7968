"""One toy experiment, run once and looked at by all."""

from __future__ import annotations

import shutil

import pytest

from gec_fair.gec.experiment import running
from tests.cli.invoke import run
from tests.gec.experiment import toy
from tests.shared import once


@pytest.fixture(scope="package", autouse=True)
def one_thread():
    """Sums of another number of threads differ in their last digit, and Ray gives its tasks one. Trainings are in this
    process, which has imported what they need."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        patch.setattr(running, "run_isolated", lambda training: training())
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="package")
def place(tmp_path_factory):
    return once(tmp_path_factory, "experiment", toy.make)


@pytest.fixture(scope="package")
def reference_run(place, tmp_path_factory):
    """An experiment run without interruption: its folder, and its output."""

    def make(folder):
        done = run(*toy.words(place, "run", folder / "out"))
        assert done.code == 0, done.stderr
        (folder / "said").write_text(done.stdout)

    shared_run = once(tmp_path_factory, "whole", make)
    out = tmp_path_factory.mktemp("whole") / "out"
    shutil.copytree(shared_run / "out", out)
    return out, (shared_run / "said").read_text()
