"""Optional packages: looked for before anything is computed, named with what installs them."""

from __future__ import annotations

from importlib.util import find_spec

from gec_fair.errors import MissingResource


def require(purpose: str, extra: str, *modules: str) -> None:
    """MissingResource where a module of the extra is not installed; imports nothing."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise MissingResource(f"{purpose} needs {', '.join(missing)}; pip install 'gec-fair[{extra}]'")
