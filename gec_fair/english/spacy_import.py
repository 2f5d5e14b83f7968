"""Import spaCy without torch. Its thinc imports torch wherever that is installed, which takes seconds and 180 MB, and
needs it for transformer pipelines alone. Once something else imports torch, thinc gets it too.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from threading import get_ident
from types import ModuleType
from typing import Any

_TORCH = "torch"


def import_spacy() -> None:
    """Import spaCy, the first time without torch."""
    if "thinc" not in sys.modules and _TORCH not in sys.modules:
        with _without_torch():
            importlib.import_module("spacy")


@contextmanager
def _without_torch() -> Iterator[None]:
    """Torch is missing for this thread; afterwards it is there as before, and whoever imports it brings it to thinc."""
    late = _LateTorch(get_ident())
    sys.meta_path.insert(0, late)
    try:
        yield
    finally:
        late.barred = None


class _LateTorch:
    """A finder (PEP 451) of torch alone. `barred` is the thread that does not get it."""

    def __init__(self, barred: int | None) -> None:
        self.barred = barred

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Nothing for any other module. ModuleNotFoundError for torch in the barred thread."""
        if name != _TORCH:
            return None
        if self.barred == get_ident():
            raise ModuleNotFoundError("torch is not imported together with spaCy", name=_TORCH)
        spec = PathFinder.find_spec(name, path, target)
        return spec and _watch(spec)


def _watch(spec: ModuleSpec) -> ModuleSpec:
    """The spec, whose module thinc gets when it is executed."""
    loader: Any = spec.loader
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        _bring_to_thinc()

    loader.exec_module = exec_module
    return spec


def _bring_to_thinc() -> None:
    """What thinc would have if it had found torch when it was imported."""
    compat = sys.modules.get("thinc.compat")
    if compat is None or getattr(compat, _TORCH, None) is not None:
        return
    importlib.reload(compat)
    names = [name for name in vars(compat) if _TORCH in name]
    for module in [module for name, module in sys.modules.items() if name.startswith("thinc.")]:
        for name in names:
            if name in vars(module):
                setattr(module, name, getattr(compat, name))
