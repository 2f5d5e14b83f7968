"""Runs a command as in an installation without extras: `python tests/cli/light.py WORD …`.

Every module that the package's own dependencies do not bring is refused, as if it were not installed.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions

FIRST = "gec-fair"


def closure(name: str) -> set[str]:
    """The distributions that `pip install NAME` brings, by their normalised names."""
    brought: set[str] = set()
    waiting = [name]
    while waiting:
        current = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if current in brought:
            continue
        try:
            needed = distribution(current).requires or []
        except PackageNotFoundError:
            continue  # for another platform
        brought.add(current)
        waiting += [re.match(r"[\w.-]+", line)[0] for line in needed if "extra ==" not in line]
    return brought


def modules(installed: Distribution) -> set[str]:
    """What a distribution lets one import; `packages_distributions` of Python 3.10 knows this of few."""
    named = (installed.read_text("top_level.txt") or "").split()
    files = (file for file in installed.files or () if file.suffix in (".py", ".so") or len(file.parts) > 1)
    return {*named} or {file.parts[0].partition(".")[0] for file in files if file.parts[0] != ".."} - {""}


def refuse_others() -> None:
    brought = closure(FIRST)
    ours: set[str] = set()
    others: set[str] = set()
    for installed in distributions():
        name = re.sub(r"[-_.]+", "-", installed.metadata["Name"]).lower()
        (ours if name in brought else others).update(modules(installed))
    refused = others - ours

    class Refusing:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name.partition(".")[0] in refused:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    find = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name.partition(".")[0] in refused else find(name, *rest)
    sys.meta_path.insert(0, Refusing)


if __name__ == "__main__":
    refuse_others()
    from gec_fair.cli import main

    sys.argv = [FIRST, *sys.argv[1:]]
    main()
