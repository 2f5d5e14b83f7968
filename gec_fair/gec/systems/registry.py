"""GEC systems behind one small interface: texts in, corrected texts out, one for one.

    identity          changes nothing: what a score of zero looks like
    symspell          spelling alone (symspellpy and its word list)
    harper            the Harper grammar checker, a rule-based system, under Node
    command:PROGRAM   any program that reads texts line by line and writes as many
    openai:MODEL      any server that speaks OpenAI's chat protocol
    gector:FOLDER     a GECToR that gec-fair trained or converted; so bart:FOLDER, editscorer:FOLDER

Texts are tokenised by spaces, and so are the answers. `correct` keeps what a system wrote in the cache directory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from gec_fair.data.programs import Program
from gec_fair.data.secrets import HIDDEN
from gec_fair.errors import GecFairError, MissingResource, UsageError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.scoring.texts import read_sources
from gec_fair.progress import Progress
from gec_fair.runs.atomic import write_text
from gec_fair.runs.cache import Store, cache_directory, key


class System(Protocol):
    """`version` names everything that decides the outputs; the call answers one text for each text, in order. A system
    with a longest text that it takes says with `passed` how many it has passed through so far."""

    @property
    def version(self) -> str: ...

    def __call__(self, texts: Sequence[str]) -> list[str]: ...


class SystemFault(GecFairError):
    """A system that failed or did not answer text for text."""


# name -> (module, class); a name with an argument is NAME:ARGUMENT
SYSTEMS = {
    "identity": ("gec_fair.gec.systems.registry", "Identity"),
    "symspell": ("gec_fair.gec.systems.symspell", "SymSpell"),
    "harper": ("gec_fair.gec.systems.harper", "Harper"),
}
WITH_ARGUMENT = {
    "bart": ("gec_fair.gec.bart.system", "Bart"),
    "command": ("gec_fair.gec.systems.command", "Command"),
    "editscorer": ("gec_fair.gec.editscorer.system", "EditScorer"),
    "gector": ("gec_fair.gec.gector.system", "GectorSystem"),
    "openai": ("gec_fair.gec.systems.openai_chat", "OpenAIChat"),
}
KNOWN = (*SYSTEMS, *(f"{name}:…" for name in WITH_ARGUMENT))
_BATCH = 64  # texts between two writes to the store, unless the system has an `at_once` of its own


@dataclass(frozen=True, slots=True)
class Identity:
    """Corrects nothing."""

    version: str = "identity"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        return list(texts)


def load(name: str, *, prompt: Path | None = None) -> System:
    """The system of that name. UsageError for an unknown one, MissingResource for what it needs and is not here."""
    kind, colon, argument = name.partition(":")
    if colon and kind in WITH_ARGUMENT:
        if not argument:
            raise UsageError(f"{name} names no {'program' if kind == 'command' else 'model'}; write {kind}:…")
        module, build = WITH_ARGUMENT[kind]
        extra = {"prompt": prompt} if kind == "openai" and prompt is not None else {}
        system: System = getattr(import_module(module), build)(argument, **extra)
        return system
    if name not in SYSTEMS:
        told = f"{kind}:{HIDDEN}" if colon else name  # what stands behind may be a program with a key
        raise UsageError(f"no system is called {told!r}; known: {', '.join(KNOWN)}")
    module, build = SYSTEMS[name]
    plain: System = getattr(import_module(module), build)()
    return plain


def passed(system: System) -> int:
    """Texts that a system has passed through since it was built, because they are longer than it takes or because it
    came to no answer; 0 for systems that take any."""
    found: int = getattr(system, "passed", 0)
    return found


def correct(
    system: System,
    texts: Sequence[str],
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Run a system over texts. What it has answered before is taken from `cache`, a SQLite file.

    Each distinct text is asked once; answers are stored every few texts, so a killed run goes on where it was. What may
    have been passed through is not stored, so that it is counted (`passed`) the next time too. `progress` hears how
    many distinct texts are done, of how many. SystemFault where answers are missing.
    """
    store = Store(cache, "outputs")
    keys = {text: key(system.version, text) for text in texts}
    known = store.get(list(keys.values()))
    found = {text: known[at] for text, at in keys.items() if at in known}
    waiting = [text for text in keys if text not in found]
    size = getattr(system, "at_once", _BATCH)
    for first in range(0, len(waiting), size):
        some = waiting[first : first + size]
        before = passed(system)
        answers = system(some)
        if len(answers) != len(some):
            raise SystemFault(f"{system.version}: answered {len(answers)} texts of {len(some)}; one line for each line")
        sure = passed(system) == before
        store.put({keys[text]: answer for text, answer in zip(some, answers, strict=True) if sure or answer != text})
        found.update(zip(some, answers, strict=True))
        if progress is not None:
            progress(len(found), len(keys))
    return [found[text] for text in texts]


def outputs_cache() -> Path:
    return cache_directory() / "outputs.sqlite"


def write_runs(
    names: Sequence[str],
    sets: Sequence[str],
    runs: Path,
    *,
    cache: Path | None,
    progress: Callable[[str], AbstractContextManager[Progress]],
) -> set[tuple[str, str]]:
    """Outputs of systems (none named: all that run here) for sets (none named: all that are here), as
    `RUNS/SYSTEM/0/SET/{orig,aug}.txt`; answers the (folder of the system, name of the set) of what was written.
    MissingResource where no set is here, UsageError for two systems that would share a folder."""
    found = [catalogue.find(name) for name in sets or catalogue.present()]
    if not found:
        raise MissingResource("no evaluation set is here; `gec-fair evalset list` names them, `fetch` gets them")
    chosen = list(dict.fromkeys(names or available()))
    folders = {folder_name(name): name for name in chosen}
    if len(folders) < len(chosen):
        raise UsageError(
            f"{', '.join(map(called, chosen))}: two of them would be called alike ({', '.join(folders)}); "
            "run them apart"
        )
    for name in chosen:
        system = load(name)
        for evalset in found:
            for side, texts in (("orig", evalset.orig.source), ("aug", evalset.aug.source)):
                with progress(f"{called(name)} {evalset.name} {side}") as tell:
                    answers = correct(system, read_sources(texts), cache=cache, progress=tell)
                path = runs / folder_name(name) / "0" / evalset.name / f"{side}.txt"
                write_text(path, "".join(answer + "\n" for answer in answers))
    return {(folder, evalset.name) for folder in folders for evalset in found}


def available() -> list[str]:
    """The systems that run here as it is."""
    found = []
    for name in SYSTEMS:
        try:
            load(name)
        except MissingResource:
            continue
        found.append(name)
    return found


def called(name: str) -> str:
    """A system's name for people: of a program what may be seen of it."""
    kind, _, argument = name.partition(":")
    return Program(argument, SystemFault).version if kind == "command" and argument else name


def folder_name(name: str) -> str:
    """A system's name as a folder: `openai:org/model` becomes `openai-org-model`."""
    return re.sub(r"[^\w.+-]+", "-", called(name)).strip("-")
