"""What a project needs besides code: workflows, hooks, an image, metadata that lead to the repository."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gec_fair.version import __version__
from tests.docs.blocks import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BIN = Path(sys.executable).parent
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_workflows_are_valid():
    files = sorted((ROOT / ".github/workflows").glob("*.yml"))
    command = [BIN / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (bool(files), done.returncode) == (True, 0), done.stdout


def test_the_workflows_run_targets_that_the_repository_has():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    targets = {word for step in steps for word in re.findall(r"make ([a-z-]+)", step)}
    assert targets == {"lint", "harper", "test-all", "test-light", "docs"} <= TARGETS
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert {"lint", "harper", "docs", "test-light"} <= {
        word for line in re.findall(r"\bmake (.*)", ci) for word in line.split()
    }


def test_the_hooks_are_local_and_use_the_tools_of_lint():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert {hook["repo"] for hook in hooks} == {"local"}
    tools = {hook["entry"].split()[0].removeprefix(".venv/bin/") for repo in hooks for hook in repo["hooks"]}
    lint = re.search(r"^lint:.*?\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert tools <= set(re.findall(r"\$\(BIN\)/([\w-]+)", lint))


def test_the_version_is_written_in_one_place_and_cited():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert ("version" in project["project"], project["tool"]["hatch"]["version"]) == (
        False,
        {"path": "gec_fair/version.py"},
    )
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == __version__


@pytest.mark.parametrize("path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem)
def test_the_templates_are_forms(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert path.stem == "config" or {"name", "description", "body"} <= set(form)


@pytest.fixture
def hook():
    specification = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


LINKS = [
    ("[a](docs/a.md#b)", "[a](https://x.org/r/blob/main/docs/a.md#b)", "a page"),
    ("![a](docs/a.svg)", "![a](https://x.org/r/raw/main/docs/a.svg)", "a picture"),
    ("[a](https://y.org/b)", "[a](https://y.org/b)", "another place"),
    ("[a](#below)", "[a](#below)", "the same page"),
]


@pytest.mark.parametrize(("text", "expected", "why"), LINKS, ids=[why for *_, why in LINKS])
def test_links_of_the_readme_lead_to_the_repository_once_it_has_an_address(hook, text, expected, why):
    assert hook.make_absolute(text, "https://x.org/r") == expected
    assert hook.make_absolute(text, "") == text


def test_the_urls_are_made_from_the_address(hook):
    assert hook.make_urls("") == {}
    assert hook.make_urls("https://x.org/r")["Issues"] == "https://x.org/r/issues"


@pytest.mark.slow(70)
def test_the_steps_of_the_image_build_a_package_that_runs_its_main_job(tmp_path):
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    assert [name for name, _ in steps] == ["FROM", "WORKDIR", "COPY", "RUN", "WORKDIR", "ENTRYPOINT", "CMD"]
    source = tmp_path / "opt"
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*(name.removeprefix("**/") for name in ignored)))
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "image"], check=True)
    env = {**os.environ, "PATH": f"{tmp_path}/image/bin:{os.environ['PATH']}"}
    env.pop("PYTHONPATH", None)
    (run,) = [words for name, words in steps if name == "RUN"]
    done = subprocess.run(["sh", "-ec", run], cwd=source, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    place = tmp_path / "data"
    place.mkdir()
    (place / "pairs.tsv").write_text("He say hi .\tHe says hi .\n")
    job = ["gec-fair", "augment", "fm", "pairs.tsv", "-o", "out"]
    done = subprocess.run(job, cwd=place, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (place / "out/pairs.tsv").read_text() == "She say hi .\tShe says hi .\n"


@pytest.mark.parametrize(
    ("missing", "remedy"),
    [
        ("TRAIN=nothing", "TRAIN=nothing has no system1/train.tsv; make mix writes it"),
        ("START=nothing", "START=nothing is not a folder; name the GECToR to fine-tune with START=dir"),
        ("FULL=nothing", "FULL=nothing is not a file; name the M2 of BEA-dev"),
    ],
)
def test_finetune_gector_names_the_variable_whose_file_is_missing(missing, remedy, tmp_path):
    mix = tmp_path / "system1/train.tsv"
    mix.parent.mkdir()
    mix.touch()
    command = ["make", "-C", ROOT, "gector-inputs", f"TRAIN={tmp_path}", f"START={tmp_path}", missing]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, remedy in done.stdout) == (2, True), done.stdout


def test_mix_takes_what_augment_clang8_has_written():
    command = ["make", "-C", ROOT, "-n", "mix", "CLANG8=c.tsv", "OUT=runs", "MIX=mixes", "VENV=none"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "gec-fair mix c.tsv --st runs/st --mf runs/fm  -o mixes" in done.stdout


def test_augment_clang8_augments_both_ways(tmp_path):
    (tmp_path / "pairs.tsv").write_text("Anna lose her keys .\tAnna loses her keys .\n" * 2)
    command = [sys.executable, ROOT / "training/augment_clang8.py", tmp_path / "pairs.tsv", "-o", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, "| augmented | 2 (100.0 %) | 2 (100.0 %) |" in done.stdout) == (0, True), done.stderr
