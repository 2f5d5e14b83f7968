"""Get evaluation sets into the user's cache: download a public one, or register one's own. Whole, or not there."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gec_fair.data.compression import plain_path
from gec_fair.data.download import HOST, PARTIAL, gather, move
from gec_fair.data.text_files import read_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.evalsets.catalogue import ENDINGS, KINDS, MANIFEST, EvalSet
from gec_fair.evaluate.scoring.texts import check_count, check_sources, read_reference, read_texts
from gec_fair.runs.atomic import write_text

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


def get(name: str, *, offline: bool = False, host: str | None = None) -> EvalSet:
    """Download a known public set unless it is here, and check sha256 and number of lines of each file.

    Files are gathered beside their place and moved there when all are right, so that a stopped download continues and
    half a set is never found. `host` (or `GEC_FAIR_MIRROR`) stands for raw.githubusercontent.com.
    """
    entry = catalogue.known().get(name)
    if entry is None:
        public = ", ".join(n for n, e in catalogue.known().items() if "repository" in e)
        raise UsageError(f"no evaluation set is called {name!r}; to be fetched: {public}")
    if name in catalogue.present():
        return catalogue.find(name)
    if "repository" not in entry:
        return catalogue.find(name)  # says how to get it
    base = "/".join(
        (host or os.environ.get("GEC_FAIR_MIRROR") or HOST, entry["repository"], entry["commit"], entry["folder"])
    )
    final = catalogue.own_folder() / name
    urls = {stem + ending: f"{base}/{stem}{ending}" for stem in (entry["orig"], entry["aug"]) for ending in ENDINGS}

    def checked(folder: Path) -> None:
        for stem in (entry["orig"], entry["aug"]):
            check(catalogue.side(folder, stem), entry["items"])

    gather(urls, entry["sha256"], final, forbidden=offline, check=checked)
    return catalogue.find(name)


def add(name: str, files: Sequence[Path], *, overwrite: bool = False) -> EvalSet:
    """Register a set: copies of `*_orig.*` and `*_{st,mf,neo}_aug.*` files (or of a folder of them) in the cache.

    Sources and targets that are not given come from the M2 files. UsageError for a name that is taken or no name,
    InputError for files that are no set.
    """
    _check_name(name, overwrite)
    paths = [path for file in files for path in (sorted(file.iterdir()) if file.is_dir() else [file])]
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no such file; check the path")
    final = catalogue.own_folder() / name
    waiting = final.with_name(name + PARTIAL)
    shutil.rmtree(waiting, ignore_errors=True)
    waiting.mkdir(parents=True)
    try:
        kind, copies = _gather(paths, waiting, name)
        stems = {"orig": f"{name}_orig", "aug": f"{name}_{kind}_aug"}
        with _named_as_given(copies):
            size = len(read_reference(waiting / f"{name}_orig.m2"))
            for stem in stems.values():
                check(catalogue.side(waiting, stem), size)
        _write_manifest(waiting, {"kind": kind, "items": size, "about": "added by the user", **stems})
        if overwrite:
            shutil.rmtree(final, ignore_errors=True)
        move(waiting, final)
    finally:
        shutil.rmtree(waiting, ignore_errors=True)
    return catalogue.find(name)


@contextmanager
def _named_as_given(copies: Mapping[Path, Path]) -> Iterator[None]:
    """Faults of the copies name the files that the user gave."""
    try:
        yield
    except InputError as fault:
        names = {copy.name: path.name for copy, path in copies.items()}
        names |= {str(copy): str(path) for copy, path in copies.items()}
        pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        raise InputError(re.sub(pattern, lambda match: names[match[0]], str(fault))) from fault


def check(side: catalogue.Side, items: int) -> None:
    """The three files belong together and have so many sentences; InputError says where they do not."""
    reference = read_reference(side.m2)
    if len(reference) != items:
        raise InputError(f"{side.m2}: {len(reference)} sentences, expected {items}; get the file again")
    check_sources(side.source, read_texts(side.source), reference)
    if side.target is not None:
        mine, theirs = read_texts(side.target), read_texts(side.m2)
        check_count(side.target, mine, reference)
        for line, (a, b) in enumerate(zip(mine, theirs, strict=True), start=1):
            if a != b:
                raise InputError(
                    f"{side.target}:{line}: is not what the edits of {side.m2.name} give\n  here   "
                    f"{' '.join(a)}\n  there  {' '.join(b)}"
                )


def _check_name(name: str, overwrite: bool) -> None:
    if not _NAME.fullmatch(name) or name.endswith(PARTIAL):
        raise UsageError(f"{name!r} is not a name for a set: letters, digits, dots, hyphens, underscores")
    entry = catalogue.known().get(name)
    if entry is not None and (entry.get("about") != "added by the user" or not overwrite):
        raise UsageError(
            f"{name} is there already; take another name"
            + (", or --overwrite" if entry.get("about") == "added by the user" else "")
        )


def _gather(paths: Sequence[Path], folder: Path, name: str) -> tuple[str, dict[Path, Path]]:
    """Copy the files under the set's own name. Returns the kind, and which given file each copy is made from."""
    matches: dict[tuple[str, str], Path] = {}
    for path in paths:
        plain = plain_path(path).name
        stem, ending = next(((plain.removesuffix(e), e) for e in ENDINGS if plain.endswith(e)), (None, ""))
        if stem is None:
            continue  # a README, a licence
        role = _role(stem)
        if role is None:
            raise InputError(
                f"{path}: the name says no side; expected *_orig{ending} or "
                f"{', '.join(f'*_{kind}_aug{ending}' for kind in KINDS)}"
            )
        if (role, ending) in matches:
            raise InputError(f"{path}: a second {role}{ending} beside {matches[role, ending]}; one set at a time")
        matches[role, ending] = path
    kinds = {role for role, ending in matches if ending == ".m2" and role != "orig"}
    if len(kinds) != 1 or ("orig", ".m2") not in matches:
        raise InputError(
            f"a set needs the two files *_orig.m2 and one of {', '.join(f'*_{kind}_aug.m2' for kind in KINDS)}"
        )
    kind = kinds.pop()
    copies: dict[Path, Path] = {}
    for role, label in (("orig", "orig"), (kind, f"{kind}_aug")):
        for ending in ENDINGS:
            target = folder / f"{name}_{label}{ending}"
            m2 = matches[role, ".m2"]
            copies[target] = matches.get((role, ending), m2)
            if (role, ending) in matches:
                write_text(target, "".join(f"{line}\n" for line in read_lines(matches[role, ending])))
            else:
                texts = read_reference(m2).sources if ending == ".src.txt" else read_texts(m2)
                write_text(target, "".join(" ".join(words) + "\n" for words in texts))
    return kind, copies


def _role(stem: str) -> str | None:
    if re.search(r"(^|_)orig(\W|$)", stem):
        return "orig"
    return next((kind for kind in KINDS if re.search(rf"(^|_){kind}_aug(\W|$)", stem)), None)


def _write_manifest(folder: Path, entry: Mapping[str, Any]) -> None:
    lines = [f"{key} = {value!r}" if isinstance(value, int) else f'{key} = "{value}"' for key, value in entry.items()]
    digests = [
        f'"{path.name}" = "{hashlib.sha256(path.read_bytes()).hexdigest()}"' for path in sorted(folder.iterdir())
    ]
    write_text(folder / MANIFEST, "\n".join([*lines, "[sha256]", *digests]) + "\n")
