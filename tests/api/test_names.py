"""The public names: light to import, and never hidden by a folder of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gec_fair as gf

PACKAGE = Path(gf.__file__).parent
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())
SIBLINGS = {"fairscore", "lmbias", "razor", "safety"}


def test_the_import_is_light():
    code = "import gec_fair, sys; print(sorted({'spacy', 'numpy', 'torch', 'pandas', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_public_function_has_the_name_of_a_folder():
    assert set(gf.__all__) & set(ROOMS) == SIBLINGS


def test_every_name_is_itself_before_and_after_the_rooms_are_imported():
    code = f"""
import importlib
import gec_fair as gf
before = {{name: getattr(gf, name) for name in gf.__all__}}
for room in {ROOMS}:
    importlib.import_module("gec_fair." + room)
    for path in {sorted(f"gec_fair.{p.stem}" for p in PACKAGE.glob("*.py") if not p.stem.startswith("_"))}:
        importlib.import_module(path)
assert all(getattr(gf, name) is value for name, value in before.items())
call = [("He go .", "He goes .")]
first = gf.augment(call, "fm")
importlib.import_module("gec_fair.augmentation.run")
importlib.import_module("gec_fair.api.augmenting")
assert gf.augment(call, "fm") == first
assert gf.rewrite(["He goes ."], "fm") == ["She goes ."]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(gf, "augmnt")
    assert set(gf.__all__) <= set(dir(gf))
