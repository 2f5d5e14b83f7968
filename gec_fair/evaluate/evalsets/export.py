"""The texts of a set in two files, for systems that run elsewhere: in a browser, at a vendor's, on another machine."""

from __future__ import annotations

from pathlib import Path

from gec_fair.english.running_text.prose import write
from gec_fair.errors import UsageError
from gec_fair.evaluate.evalsets.catalogue import EvalSet
from gec_fair.evaluate.scoring.texts import read_sources
from gec_fair.runs.atomic import leave_nothing, write_text

FILES = ("orig.txt", "aug.txt")


def export(evalset: EvalSet, folder: Path, *, prose: bool = False, overwrite: bool = False) -> list[Path]:
    """Write the sources of both sides, a text a line, as tokens or as `prose`. UsageError where files are there."""
    paths = [folder / name for name in FILES]
    if not overwrite and (older := [path for path in paths if path.exists()]):
        raise UsageError(f"{older[0]}: is there already; take another folder, or --overwrite")
    with leave_nothing(folder):
        for path, side in zip(paths, (evalset.orig, evalset.aug), strict=True):
            texts = read_sources(side.source)
            write_text(path, "".join((write(text.split(" ")) if prose else text) + "\n" for text in texts))
    return paths
