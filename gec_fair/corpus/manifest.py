"""The manifest of a run over a corpus: its identity (`runs.identity`), its counts, and what was noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gec_fair.config.corpora import Reading
from gec_fair.corpus.formats.inputs import InputFile
from gec_fair.data.compression import COMPRESSIONS
from gec_fair.runs.identity import Identity, as_plain
from gec_fair.runs.json_files import read_object, refuse_other_content
from gec_fair.runs.record import MANIFEST

_MARK = "{}: a byte order mark was taken off"
_COUNTED = ("lines", "plain_bytes")
"""What a manifest says of an input that was counted while it was read."""
OUTCOMES = ("augmented", "left", "unchanged", "discarded", "malformed")


@dataclass(frozen=True, slots=True)
class Manifest:
    """`counts` has `lines` and the five outcomes, which add up to it; `reasons` splits the left, discarded and
    malformed.

    `inputs` are the identity's, with the number of `lines` read from each, and of compressed plain text the bytes that
    it holds (`plain_bytes`); `warnings` say what was tolerated.
    """

    identity: Identity
    counts: Mapping[str, int]
    reasons: Mapping[str, Mapping[str, int]]
    inputs: tuple[Mapping[str, Any], ...]
    outputs: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The run in one line; see `Identity.signature`."""
        return self.identity.signature()

    def as_json(self) -> dict[str, Any]:
        """The manifest as it stands in `manifest.json`."""
        me = self.identity
        return {
            "job": me.job,
            "signature": self.signature,
            "counts": dict(self.counts),
            "reasons": {k: dict(v) for k, v in self.reasons.items()},
            "warnings": list(self.warnings),
            "inputs": [dict(i) for i in self.inputs],
            "outputs": list(self.outputs),
            "seed": me.options.get("seed"),
            "options": dict(me.options),
            "reading": dict(me.sections["reading"]),
            "versions": dict(me.versions),
        }


@dataclass(slots=True)
class Tally:
    """Counts of the lines done so far; what a checkpoint remembers. `inputs` counts lines and what was noticed."""

    counts: Counter[str]
    inputs: list[Counter[str]]

    @property
    def lines(self) -> int:
        """How many lines were read."""
        return self.counts.total()

    @property
    def rows(self) -> int:
        """How many augmented rows were written."""
        return sum(n for key, n in self.counts.items() if key.partition("/")[0] == "augmented")

    @property
    def malformed(self) -> int:
        """How many lines could not be read as a pair."""
        return sum(n for key, n in self.counts.items() if key.startswith("malformed/"))

    def begin(self) -> tuple[int, int, int]:
        """Where reading continues: (input number, lines of it done, lines done in all)."""
        at = max((n for n, file in enumerate(self.inputs) if file["lines"]), default=0)
        return at, self.inputs[at]["lines"], self.lines

    def as_json(self) -> dict[str, Any]:
        """The counts and the input files, as a manifest has them."""
        return {"counts": dict(self.counts), "inputs": [dict(file) for file in self.inputs]}


def as_tally(stored: Mapping[str, Any]) -> Tally:
    """The tally inside a checkpoint."""
    return Tally(Counter(stored["counts"]), [Counter(file) for file in stored["inputs"]])


def identify(
    job: str, files: Sequence[InputFile], options: object, reading: Reading, versions: Mapping[str, str]
) -> Identity:
    """The identity of a run over these files. `options` is a dataclass or a mapping; the signature lists all of them,
    and of `reading` whatever is set."""
    inputs = [{"name": f.name, "format": f.format, "bytes": f.bytes, "sha256": f.sha256} for f in files]
    chosen, read = as_plain(options), as_plain(reading)
    signed = (*chosen, *(name for name, value in read.items() if value is not None))
    return Identity(job, chosen, inputs, dict(versions), {"reading": read}, signed)


def as_identity(stored: Mapping[str, Any]) -> Identity:
    """The identity inside a manifest or a checkpoint."""
    inputs = [{name: value for name, value in file.items() if name not in _COUNTED} for file in stored["inputs"]]
    reading = stored["reading"]
    signed = (*stored["options"], *(name for name, value in reading.items() if value is not None))
    return Identity(stored["job"], stored["options"], inputs, stored.get("versions", {}), {"reading": reading}, signed)


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a finished run. InputError for another file."""
    stored = read_object(directory / MANIFEST)
    with refuse_other_content(directory / MANIFEST):
        return as_manifest(stored)


def as_manifest(stored: Mapping[str, Any]) -> Manifest:
    """The manifest that a JSON object holds. KeyError for another object."""
    return Manifest(
        as_identity(stored),
        stored["counts"],
        stored["reasons"],
        tuple(stored["inputs"]),
        tuple(stored["outputs"]),
        tuple(stored["warnings"]),
    )


def had_byte_order_mark(manifest: Manifest, name: str) -> bool:
    """Whether an input of a run began with a byte order mark, which its outputs do not have."""
    return _MARK.format(name) in manifest.warnings


def conclude(identity: Identity, tally: Tally, files_of: Sequence[int], outputs: tuple[str, ...]) -> Manifest:
    """The manifest of a run that is through; `files_of` says to which input each of the files belongs."""
    reasons: dict[str, dict[str, int]] = {"left": {}, "discarded": {}, "malformed": {}}
    totals = Counter(dict.fromkeys(OUTCOMES, 0))
    for key, number in sorted(tally.counts.items()):
        kind, _, reason = key.partition("/")
        totals[kind] += number
        if reason:
            reasons.setdefault(kind, {})[reason] = number
    files: Any = identity.inputs
    seen = [tally.inputs[index] for index in files_of]
    inputs = tuple({**file, **_count_read(file, counts)} for file, counts in zip(files, seen, strict=True))
    return Manifest(
        identity,
        {"lines": tally.lines, **totals},
        reasons,
        inputs,
        outputs,
        tuple(_warnings(tally, totals, files, files_of)),
    )


def _count_read(file: Mapping[str, Any], counts: Mapping[str, int]) -> dict[str, int]:
    is_packed_text = file["format"] == "text" and Path(file["name"]).suffix in COMPRESSIONS
    is_measured = counts["measured"] == counts["lines"]  # not where an earlier version began the run
    return {"lines": counts["lines"], **({"plain_bytes": counts["bytes"]} if is_packed_text and is_measured else {})}


def language_warning(foreign: int, candidates: int) -> str:
    """What to say of texts that look like another language, among those with a word to rewrite; empty if none does."""
    if not foreign:
        return ""
    share = f"{100 * foreign / candidates:.1f} %"
    return f"{foreign:,} of {candidates:,} texts with a word to rewrite ({share}) look like another language and stay"


def _warnings(
    tally: Tally, totals: Mapping[str, int], files: Sequence[Mapping[str, Any]], files_of: Sequence[int]
) -> list[str]:
    is_kept = any(file["format"] == "text" for file in files)  # malformed lines stand in the output as they were
    warnings: list[str] = []
    for number, (file, index) in enumerate(zip(files, files_of, strict=True)):
        name, seen = file["name"], tally.inputs[index]
        side = "target " if index in files_of[:number] else ""
        if not seen["lines"] and not side:
            warnings.append(f"{name}: no line was read from it")
        if seen[f"{side}bom"]:
            warnings.append(_MARK.format(name))
        if (crlf := seen[f"{side}crlf"]) and not is_kept:
            warnings.append(f"{name}: {crlf} lines end in CRLF; outputs end in LF")
    if totals["malformed"]:
        became = "were left as they are" if is_kept else "were left out"
        warnings.append(f"{totals['malformed']} of {tally.lines} lines are malformed and {became}; see ledger.jsonl")
    candidates = tally.lines - totals["unchanged"] - totals["malformed"]
    warnings += filter(None, [language_warning(tally.counts["left/language"], candidates)])
    return warnings
