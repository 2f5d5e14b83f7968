"""The identity of a run: all that decides its outputs, and nothing else.

Two runs of one identity write the same bytes. The number of workers, the engine, the device's name and the time are
therefore not in it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from gec_fair.runs.digests import short_digest

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Identity:
    """`inputs` maps the role of an input to its digests (`runs.digests`): one, a list, or None.

    `versions` are those that decide bytes; leave them empty if a finished run may be used by later versions. `sections`
    holds further parts of the record by name, such as `seed`. `signed` names the options that the signature lists;
    the others are in its `id`.
    """

    job: str
    options: Mapping[str, Any]
    inputs: Mapping[str, Any] | Sequence[JSON]
    versions: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, Any] = field(default_factory=dict)
    signed: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The identity as a record holds it."""
        versions = {"versions": self.versions} if self.versions else {}
        content = {"job": self.job, "options": self.options, **self.sections, "inputs": self.inputs, **versions}
        return as_plain(content)  # type: ignore[no-any-return]

    def signature(self) -> str:
        """One line in the manner of sacreBLEU: `fm|names:fixed|seed:0|in:3f2a91bc|gec-fair:0.1.0|id:77d0e1f2`.

        It has the job, the seed, the signed options, the first eight digits of the digest of each input, the versions,
        and an `id` over everything.
        """
        return sign(self.as_json(), self.signed)

    def differences(self, recorded: JSON) -> list[str]:
        """What a record says that is not so in this identity; see `differences`."""
        return differences(recorded, self.as_json())


def sign(record: JSON, signed: Sequence[str] = ()) -> str:
    """The signature of a run's record; see `Identity.signature`."""
    inputs = record["inputs"]
    if isinstance(inputs, Mapping):
        inputs = {role: contents for role, digests in inputs.items() if (contents := _contents(digests))}
        read = inputs
    else:
        read = {"in": [file["sha256"] for file in inputs]}
    options = {**record["options"], **record.get("reading", {})}
    seed = record.get("seed", options.get("seed"))
    parts = [record["job"], *([] if seed is None or "seed" in signed else [f"seed:{seed}"])]
    parts += [f"{name}:{_short(options[name])}" for name in signed]
    parts += [f"{role}:{short_digest(contents)}" for role, contents in read.items()]
    parts += [f"{name}:{version}" for name, version in record.get("versions", {}).items()]
    return "|".join([*parts, f"id:{short_digest({**record, 'inputs': inputs})}"])


def differences(recorded: JSON, current: JSON) -> list[str]:
    """What a record says that is not so now, as `option (recorded → current)`; of files and models, that their content
    differs. What only the record has, such as a result, is not a difference."""
    rows: list[str] = []
    for section, value in current.items():
        before = recorded.get(section)
        if section == "inputs" and before and isinstance(before, Mapping) != isinstance(value, Mapping):
            rows.append("inputs (those of another kind of run)")
        elif section == "inputs" and isinstance(value, Mapping):
            roles = [role for role, now in value.items() if _contents((before or {}).get(role)) != _contents(now)]
            rows += [f"{role} (content differs)" for role in roles]
        elif section == "inputs":
            rows += _file_differences(before or (), value)
        elif section == "commits":  # offline, a commit is unknown
            known = before or {}
            rows += [f"{model} (another commit)" for model, now in value.items() if known.get(model, now) != now]
        else:
            rows += _find_changes("" if section in ("options", "reading") else section, before, value)
    return rows


def as_plain(value: Any) -> Any:
    """A dataclass or mapping as plain JSON values: enumerations by value, sets sorted, everything else as text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    return json.loads(json.dumps(value, default=_plain_value))


def _plain_value(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    return sorted(value) if isinstance(value, set | frozenset) else str(value)


def _file_differences(recorded: Sequence[JSON], current: Sequence[JSON]) -> list[str]:
    """How files in an order, such as a corpus, differ: their names, or those whose content differs. A record has counts
    of each file too."""
    before, now = ([file["name"] for file in files] for files in (recorded, current))
    if before != now:
        return [f"inputs ({', '.join(before)} → {', '.join(now)})"]
    pairs = zip(recorded, current, strict=True)
    return [f"{file['name']} (content differs)" for earlier, file in pairs if file.items() - earlier.items()]


def _find_changes(path: str, before: Any, now: Any) -> list[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        keys = {**before, **now}
        return [row for key in keys for row in _find_changes(f"{path}.{key}".strip("."), before.get(key), now.get(key))]
    return [] if before == now else [f"{path} ({before} → {now})"]


def _contents(digests: Any) -> list[str]:
    """Digests of one input: a file, several, or a model of the hub by its name."""
    files = digests if isinstance(digests, list) else [digests] if digests else []
    return [file.get("sha256") or file["hub"] for file in files]


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "":
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return text.replace("|", "¦").replace("\n", " ")
