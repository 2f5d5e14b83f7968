"""Runs a command as in an installation without extras: `python tests/cli/light.py WORD …`.

Every module that the package's own dependencies do not bring is refused, as if it were not installed.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions

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


def refuse_others() -> None:
    brought = closure(FIRST)
    refused = {
        module
        for module, names in packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", name).lower() for name in names} & brought
    }

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
