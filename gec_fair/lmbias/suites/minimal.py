"""Minimal pairs: whether a model finds the grammatical sentence likelier (BLiMP, Warstadt et al. 2020; BabyLM's
filtered version and supplement), or the sensible one (EWoK, Ivanova et al. 2024). A tie is half right: a model that
finds all sentences as likely knows nothing, and has 50.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import Scoring, likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.lmbias.suites.figures import Figure, mean_of_strata
from gec_fair.progress import Progress

_EWOK = ("Context1", "Context2", "Target1", "Target2", "Domain")


@dataclass(frozen=True, slots=True)
class Minimal:
    """A pair of a `paradigm`. `given`: how many characters at the beginning of each are a context, which is not
    scored."""

    good: str
    bad: str
    paradigm: str
    given: tuple[int, int] = (0, 0)


def read(folder: Path) -> list[Minimal]:
    """The pairs of every `PARADIGM.jsonl` (or `.jsonl.gz`) in a folder, or in the zip that lies there. InputError for a
    folder without any, or a line without its sentences."""
    found = [pair for name, lines in _files(folder) for pair in _pairs(name, lines)]
    if not found:
        raise InputError(
            f"{folder}: holds no paradigm (NAME.jsonl, lines with sentence_good and sentence_bad); give "
            "the folder of a suite of minimal pairs (gec-fair data fetch blimp)"
        )
    return found


def _files(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each file's name with its lines, by name. InputError for one that is damaged or not UTF-8."""
    for path in sorted(
        [*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz"), *folder.glob("*.zip")], key=_kind_and_name
    ):
        try:
            yield from ((name, data.decode("utf-8").split("\n")) for name, data in _contents(path))
        except (OSError, EOFError, zlib.error, BadZipFile, UnicodeDecodeError) as fault:
            raise InputError(f"{path}: is damaged or not UTF-8 ({fault}); get it anew") from fault


def _kind_and_name(path: Path) -> tuple[bool, Path]:
    return path.suffix == ".zip", path


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.suffix != ".zip":
        data = path.read_bytes()
        yield str(path), gzip.decompress(data) if path.suffix == ".gz" else data
        return
    with ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".jsonl") and "__MACOSX" not in name:
                yield f"{path}/{name}", archive.read(name)


def _pairs(name: str, lines: Iterable[str]) -> Iterator[Minimal]:
    paradigm = Path(name).name.split(".")[0]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "Context1" in row:
                yield from _ewok(row)
            else:
                yield Minimal(_text(row, "sentence_good"), _text(row, "sentence_bad"), paradigm)
        except (ValueError, KeyError, TypeError) as fault:
            raise InputError(
                f"{name}:{number}: is no minimal pair ({type(fault).__name__}: {fault}); it wants "
                f"sentence_good and sentence_bad, or {', '.join(_EWOK)}"
            ) from fault


def _ewok(row: Mapping[str, Any]) -> list[Minimal]:
    """The authors' measure: how likely each target is after its own context against after the other one."""
    one, two, target, other, domain = (_text(row, name) for name in _EWOK)
    return [_after(one, two, target, domain), _after(two, one, other, domain)]


def _text(row: Mapping[str, Any], name: str) -> str:
    if not isinstance(row[name], str):
        raise TypeError(f"{name} is no text")
    return str(row[name])


def _after(own: str, other: str, target: str, domain: str) -> Minimal:
    return Minimal(f"{own} {target}", f"{other} {target}", domain, (len(own), len(other)))


def score(
    model: Masked | Causal,
    pairs: Sequence[Minimal],
    *,
    scoring: Scoring = "original",
    progress: Progress | None = None,
) -> Floats:
    """(pairs, 2): log likelihoods of the good and the bad sentence."""
    texts = [text for pair in pairs for text in (pair.good, pair.bad)]
    after = [length for pair in pairs for length in pair.given]
    return likelihoods(model, texts, after=after, scoring=scoring, progress=progress).reshape(-1, 2)


def figures(
    suite: str, pairs: Sequence[Minimal], scores: Floats, *, whole: Mapping[str, int] | None = None
) -> list[Figure]:
    """Accuracy in percent: the mean over paradigms, as BLiMP's authors average, and `over pairs`, as BabyLM 2024 did;
    each paradigm's is in `more`. `whole`: how many pairs of each there are, where these are a sample."""
    hits = (np.sign(scores[:, 0] - scores[:, 1]) + 1) / 2
    names = sorted({pair.paradigm for pair in pairs})
    each = {name: hits[[pair.paradigm == name for pair in pairs]] for name in names}
    if not each:
        return []
    sizes = [(whole or {}).get(name, len(each[name])) for name in names]
    told = {name: round(100 * fmean(values), 4) for name, values in each.items()}
    ties = int((scores[:, 0] == scores[:, 1]).sum())
    made = []
    alike = [1 / len(names)] * len(names)
    for part, weights, more in (
        (f"mean of {len(names)} paradigms", alike, {"paradigms": told, "ties": ties}),
        ("over pairs", None, {}),
    ):
        value, se = mean_of_strata(list(each.values()), sizes, weights=weights)
        made.append(
            Figure(
                suite,
                part,
                "accuracy, %",
                100 * value,
                len(pairs),
                sampled=whole is not None,
                se=None if whole is None or se is None else 100 * se,
                more=more,
            )
        )
    return made
