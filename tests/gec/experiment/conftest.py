"""One toy experiment, run once and looked at by all."""

from __future__ import annotations

import pytest

from tests.cli.invoke import run
from tests.gec.experiment import toy


@pytest.fixture(scope="package", autouse=True)
def one_thread():
    """Sums of another number of threads differ in their last digit, and Ray gives its tasks one."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="package")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiment")
    toy.make(folder)
    return folder


@pytest.fixture(scope="package")
def whole(place, tmp_path_factory):
    """An experiment that nobody disturbed: its folder, and what was said."""
    out = tmp_path_factory.mktemp("whole")
    done = run(*toy.words(place, "run", out))
    assert done.code == 0, done.stderr
    return out, done.stdout
