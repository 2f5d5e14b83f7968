"""Minimal pairs: whether a model finds the grammatical sentence likelier (BLiMP, Warstadt et al. 2020; BabyLM's
filtered version and supplement), or the sensible one (EWoK, Ivanova et al. 2024). A tie is half right: a model that
finds all sentences as likely knows nothing, and has 50.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from gec_fair.data.compression import COMPRESSIONS, LONGEST_LINE
from gec_fair.data.text_files import read_lines
from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import Scoring, likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.lmbias.suites.fields import check_row, describe_fault, read_text, refuse_equal
from gec_fair.lmbias.suites.figures import Figure, mean_of_strata
from gec_fair.progress import Progress
from gec_fair.runs.json_files import parse_json

_SENTENCES = ("sentence_good", "sentence_bad")
_EWOK = ("Context1", "Context2", "Target1", "Target2", "Domain")
_CONTRASTS = (_EWOK[:2], _EWOK[2:4])


@dataclass(frozen=True, slots=True)
class Minimal:
    """A pair of a `paradigm`. `given`: how many characters at the beginning of each are a context, which is
    not scored."""

    good: str
    bad: str
    paradigm: str
    given: tuple[int, int] = (0, 0)


def read(folder: Path, *, allow_equal: bool = False) -> list[Minimal]:
    """The pairs of every `PARADIGM.jsonl`, compressed or not, in a folder, or in the zip that lies there. InputError
    for a folder without any, for a line without its sentences, and for one whose sentences are the same. `allow_equal`
    keeps these: BLiMP has seven as its authors published it."""
    pairs = [pair for name, lines in read_files(folder) for pair in _pairs(name, lines, allow_equal)]
    if not pairs:
        raise InputError(
            f"{folder}: holds no paradigm (NAME.jsonl, lines with sentence_good and sentence_bad); give "
            "the folder of a suite of minimal pairs (gec-fair data fetch blimp)"
        )
    return pairs


def read_files(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each file's name with its lines, by name. InputError for one that is damaged or not UTF-8."""
    endings = (".jsonl", *(f".jsonl{ending}" for ending in COMPRESSIONS), ".zip")
    for path in sorted((path for ending in endings for path in folder.glob(f"*{ending}")), key=_kind_and_name):
        try:
            yield from _contents(path)
        except (OSError, EOFError, zlib.error, BadZipFile, UnicodeDecodeError, RuntimeError) as fault:
            raise InputError(f"{path}: is damaged or not UTF-8 ({fault}); get it anew") from fault


def _kind_and_name(path: Path) -> tuple[bool, Path]:
    return path.suffix == ".zip", path


def _contents(path: Path) -> Iterator[tuple[str, list[str]]]:
    if path.suffix != ".zip":
        yield str(path), read_lines(path)
        return
    with ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".jsonl") and "__MACOSX" not in name:
                if archive.getinfo(name).file_size > LONGEST_LINE:
                    raise InputError(f"{path}/{name}: more than {LONGEST_LINE >> 20} MiB; get it anew")
                yield f"{path}/{name}", archive.read(name).decode("utf-8-sig").split("\n")


def _pairs(name: str, lines: Iterable[str], allow_equal: bool) -> Iterator[Minimal]:
    paradigm = Path(name).name.split(".")[0]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
            is_ewok = "Context1" in check_row(row)
            texts = {name: read_text(row, name) for name in (_EWOK if is_ewok else _SENTENCES)}
            if not allow_equal:
                for one, second in _CONTRASTS if is_ewok else (_SENTENCES,):
                    refuse_equal({one: texts[one], second: texts[second]})
            yield from (
                _ewok(*texts.values()) if is_ewok else [Minimal(texts[_SENTENCES[0]], texts[_SENTENCES[1]], paradigm)]
            )
        except (ValueError, KeyError, TypeError) as fault:
            raise InputError(
                f"{name}:{number}: is not a minimal pair ({describe_fault(fault)}); write two sentences that "
                f"differ, as {' and '.join(_SENTENCES)}, or {', '.join(_EWOK)}"
            ) from fault


def _ewok(one: str, two: str, target: str, other_target: str, domain: str) -> list[Minimal]:
    """The authors' measure: how likely each target is after its own context against after the other one."""
    return [_after(one, two, target, domain), _after(two, one, other_target, domain)]


def _after(own_context: str, other_context: str, target: str, domain: str) -> Minimal:
    return Minimal(
        f"{own_context} {target}", f"{other_context} {target}", domain, (len(own_context), len(other_context))
    )


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
    suite: str, pairs: Sequence[Minimal], scores: Floats, *, sizes: Mapping[str, int] | None = None
) -> list[Figure]:
    """Accuracy in percent: the mean over paradigms, as BLiMP's authors average, and `over pairs`, as BabyLM 2024 did;
    each paradigm's is in `more`. `sizes`: how many pairs each paradigm has, if these are a sample."""
    hits = (np.sign(scores[:, 0] - scores[:, 1]) + 1) / 2
    ties = int((scores[:, 0] == scores[:, 1]).sum())
    return accuracies(suite, [pair.paradigm for pair in pairs], hits, sizes=sizes, unit="pairs", more={"ties": ties})


def accuracies(
    suite: str,
    paradigms: Sequence[str],
    hits: Floats,
    *,
    sizes: Mapping[str, int] | None,
    unit: str,
    more: Mapping[str, Any],
) -> list[Figure]:
    """The mean of `hits` over paradigms, and over all items (a `unit` each), in percent; each paradigm's stands in
    `more` of the first."""
    names = sorted(set(paradigms))
    by_paradigm = {name: hits[[paradigm == name for paradigm in paradigms]] for name in names}
    if not by_paradigm:
        return []
    totals = [(sizes or {}).get(name, len(by_paradigm[name])) for name in names]
    means = {name: round(100 * fmean(values), 4) for name, values in by_paradigm.items()}
    rows = []
    alike = [1 / len(names)] * len(names)
    for part, weights, details in (
        (f"mean of {len(names)} paradigms", alike, {"paradigms": means, **more}),
        (f"over {unit}", None, {}),
    ):
        value, se = mean_of_strata(list(by_paradigm.values()), totals, weights=weights)
        error = None if sizes is None or se is None else 100 * se
        rows.append(
            Figure(
                suite, part, "accuracy, %", 100 * value, len(hits), sampled=sizes is not None, se=error, more=details
            )
        )
    return rows
