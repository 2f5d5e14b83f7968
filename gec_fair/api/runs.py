"""The folder of a run, an evaluation set or a table, as the changes that were made there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from gec_fair.changes.change import Rewritten


def read_run(name: str) -> Rewritten:
    """What RUN names. UsageError with the kinds there are for anything else."""
    from gec_fair.changes.comparison import compare_sides
    from gec_fair.data.user_tables import FILES
    from gec_fair.evaluate.evalsets import catalogue

    path = Path(name)
    if path.is_dir():
        return _find_in(path)
    if name in catalogue.read_known():
        return compare_sides(catalogue.find(name))
    if path.is_file() and any(suffix in FILES for suffix in path.suffixes):
        from gec_fair.safety.counterfactuals.changes import read_table

        return read_table(path)
    raise UsageError(
        f"{name}: is not a folder, an evaluation set or a table of counterfactuals; give the folder of a run"
    )


def _find_in(folder: Path) -> Rewritten:
    from gec_fair.changes import corpus_run
    from gec_fair.changes.comparison import compare_sides
    from gec_fair.corpus.partial_run import PARTIAL
    from gec_fair.evaluate.evalsets import catalogue
    from gec_fair.razor.rewriting import changes as razor
    from gec_fair.runs.record import MANIFEST, START_FILE, read_record

    if (folder / MANIFEST).is_file():
        manifest = read_record(folder / MANIFEST)
        job = str(manifest.get("job", ""))
        if job == "razor":
            return razor.read_run(folder)
        if "reading" in manifest:
            return corpus_run.read_run(folder, partial(_axis_by_reason, options=manifest.get("options", {})))
    if any(folder.glob("*_aug*.m2*")):
        return compare_sides(catalogue.in_folder(folder))
    if (folder / PARTIAL).exists() or (folder / START_FILE).exists():
        raise UsageError(f"{folder}: the run is not finished; the same command resumes it")
    raise UsageError(
        f"{folder}: holds no rewriting; give the folder of gec-fair augment, perturb or razor run, or of an "
        "evaluation set"
    )


def _axis_by_reason(reason: str, options: Mapping[str, object] = MappingProxyType({})) -> str:
    """Rewritings without a reason are of gender; the perturber's have the exchanged attributes as theirs. `options`: of
    the run, which name the axes of a user's tables."""
    from gec_fair.perturber.run import axes_of, axis_of

    return axis_of(reason, axes_of(options)) if reason else "gender"
