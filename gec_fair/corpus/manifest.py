"""What a run was: inputs, options, versions, counts, and a signature in the manner of sacreBLEU.

The *identity* is all that decides the bytes of the outputs. Two runs of one identity yield the same bytes, so worker
count, engine and chunk size are not in it, and neither is anything else in the manifest that differs between machines.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from gec_fair.corpus.inputs import InputFile
from gec_fair.corpus.readers import Reading

NAME = "manifest.json"
OUTCOMES = ("augmented", "unchanged", "discarded", "malformed")


@dataclass(frozen=True, slots=True)
class Identity:
    """All that decides the outputs; every value is plain JSON."""

    job: str
    inputs: tuple[Mapping[str, Any], ...]
    options: Mapping[str, Any]
    reading: Mapping[str, Any]
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """`counts` has `lines` and the four outcomes, which add up to it; `reasons` splits the discarded and malformed.

    `inputs` are the identity's, with the number of `lines` read from each; `warnings` say what was tolerated.
    """

    identity: Identity
    counts: Mapping[str, int]
    reasons: Mapping[str, Mapping[str, int]]
    inputs: tuple[Mapping[str, Any], ...]
    outputs: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        return signature(self.identity)

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
            "reading": dict(me.reading),
            "versions": dict(me.versions),
        }


@dataclass(slots=True)
class Tally:
    """Counts of the lines done so far; what a checkpoint remembers. `inputs` counts lines and what was noticed."""

    counts: Counter[str]
    inputs: list[Counter[str]]

    @property
    def lines(self) -> int:
        return self.counts.total()

    @property
    def rows(self) -> int:
        return sum(n for key, n in self.counts.items() if key.partition("/")[0] == "augmented")

    @property
    def malformed(self) -> int:
        return sum(n for key, n in self.counts.items() if key.startswith("malformed/"))

    def begin(self) -> tuple[int, int, int]:
        """Where reading goes on: (input number, lines of it done, lines done in all)."""
        at = max((n for n, each in enumerate(self.inputs) if each["lines"]), default=0)
        return at, self.inputs[at]["lines"], self.lines

    def as_json(self) -> dict[str, Any]:
        return {"counts": dict(self.counts), "inputs": [dict(each) for each in self.inputs]}


def as_tally(stored: Mapping[str, Any]) -> Tally:
    """The tally inside a checkpoint."""
    return Tally(Counter(stored["counts"]), [Counter(each) for each in stored["inputs"]])


def identify(
    job: str, files: Sequence[InputFile], options: object, reading: Reading, versions: Mapping[str, str]
) -> Identity:
    """`options` is a dataclass or a mapping."""
    inputs = ({"name": f.name, "format": f.format, "bytes": f.bytes, "sha256": f.sha256} for f in files)
    return Identity(job, tuple(inputs), _plain(options), _plain(reading), dict(versions))


def as_identity(stored: Mapping[str, Any]) -> Identity:
    """The identity inside a manifest or a checkpoint."""
    inputs = tuple({k: v for k, v in i.items() if k != "lines"} for i in stored["inputs"])
    return Identity(stored["job"], inputs, stored["options"], stored["reading"], stored["versions"])


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a finished run."""
    return as_manifest(json.loads((directory / NAME).read_text(encoding="utf-8")))


def as_manifest(stored: Mapping[str, Any]) -> Manifest:
    return Manifest(
        as_identity(stored),
        stored["counts"],
        stored["reasons"],
        tuple(stored["inputs"]),
        tuple(stored["outputs"]),
        tuple(stored["warnings"]),
    )


def conclude(identity: Identity, tally: Tally, files_of: Sequence[int], outputs: tuple[str, ...]) -> Manifest:
    """The manifest of a run that is through; `files_of` says to which input each of the files belongs."""
    reasons: dict[str, dict[str, int]] = {"discarded": {}, "malformed": {}}
    totals = Counter(dict.fromkeys(OUTCOMES, 0))
    for key, number in sorted(tally.counts.items()):
        kind, _, reason = key.partition("/")
        totals[kind] += number
        if reason:
            reasons.setdefault(kind, {})[reason] = number
    inputs = tuple(
        {**file, "lines": tally.inputs[of]["lines"]} for file, of in zip(identity.inputs, files_of, strict=True)
    )
    names = [identity.inputs[files_of.index(n)]["name"] for n in range(len(tally.inputs))]
    return Manifest(
        identity,
        {"lines": tally.lines, **totals},
        reasons,
        inputs,
        outputs,
        tuple(_warnings(tally, totals, names, kept=any(i["format"] == "text" for i in identity.inputs))),
    )


def signature(identity: Identity) -> str:
    """One line that names what decides the outputs: `fm|names:fixed|seed:0|in:3f2a91bc|gec-fair:0.1.0|id:77d0e1f2`.

    `in` and `id` are the first eight hexadecimal digits of SHA-256 over the inputs' digests and over the identity.
    """
    told = {**identity.options, **{k: v for k, v in identity.reading.items() if v is not None}}
    parts = [identity.job, *(f"{k}:{_short(v)}" for k, v in told.items())]
    parts.append(f"in:{_digest([i['sha256'] for i in identity.inputs])}")
    parts += (f"{k}:{v}" for k, v in identity.versions.items())
    parts.append(f"id:{_digest(dataclasses.asdict(identity))}")
    return "|".join(parts)


def differences(there: Identity, now: Identity) -> list[str]:
    """What a ResumeError tells: `names: 'fixed' there, 'draw' now`."""
    found = [f"job: {there.job} there, {now.job} now"] if there.job != now.job else []
    for section in ("options", "reading", "versions"):
        old, new = getattr(there, section), getattr(now, section)
        keys = [*old, *(k for k in new if k not in old)]
        found += [f"{k}: {old.get(k)!r} there, {new.get(k)!r} now" for k in keys if old.get(k) != new.get(k)]
    return found + _input_differences(there.inputs, now.inputs)


def _input_differences(there: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> list[str]:
    old, new = ([i["name"] for i in inputs] for inputs in (there, now))
    if old != new:
        return [f"inputs: {', '.join(old)} there, {', '.join(new)} now"]
    return [f"{a['name']} has changed since" for a, b in zip(there, now, strict=True) if a != b]


def _warnings(tally: Tally, totals: Mapping[str, int], names: Sequence[str], *, kept: bool) -> list[str]:
    """`kept`: malformed lines stand in the output as they were."""
    found: list[str] = []
    for name, seen in zip(names, tally.inputs, strict=True):
        if not seen["lines"]:
            found.append(f"{name}: no line was read from it")
        if seen["bom"]:
            found.append(f"{name}: a byte order mark was taken off")
        if seen["crlf"] and not kept:
            found.append(f"{name}: {seen['crlf']} lines end in CRLF; outputs end in LF")
    if totals["malformed"]:
        became = "were left as they are" if kept else "were left out"
        found.append(f"{totals['malformed']} of {tally.lines} lines are malformed and {became}; see ledger.jsonl")
    return found


def _plain(value: object) -> Any:
    """A dataclass or mapping as plain JSON."""
    whole = dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value
    return json.loads(json.dumps(whole, default=_plain_value))


def _plain_value(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "":
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return text.replace("|", "¦").replace("\n", " ")


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]
