"""Scripts of `training/` as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

TRAINING = Path(__file__).parents[1] / "training"


def module(path: str) -> ModuleType:
    """The script at a path below `training/`."""
    spec = importlib.util.spec_from_file_location(f"training_{Path(path).stem}", TRAINING / path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
