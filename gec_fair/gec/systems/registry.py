"""GEC systems by name.

    identity          changes nothing: what a score of zero looks like
    symspell          spelling alone (symspellpy and its word list)
    harper            the Harper grammar checker, a rule-based system, under Node
    quire             the quire-grammar checker: rules and a small neural tagger
    command:PROGRAM   any program that reads texts line by line and writes as many
    command-prose:PROGRAM   the same, of a program that reads and writes prose
    openai:MODEL      any server that speaks OpenAI's chat protocol
    gector:FOLDER     a GECToR that gec-fair trained or converted; so bart:FOLDER, editscorer:FOLDER
    LABEL=NAME        any of them under a short name for tables: mine=command:PROGRAM

Texts are tokenised by spaces, and so are the answers. Other packages add systems as entry points of `gec_fair.systems`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.data.programs import Program
from gec_fair.errors import MissingResource, UsageError
from gec_fair.gec.systems.protocol import System, SystemFault
from gec_fair.registry import Factory, Registry, split_label


@dataclass(frozen=True, slots=True)
class Identity:
    """Corrects nothing."""

    version: str = "identity"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The same texts."""
        return list(texts)


SYSTEMS: Registry[System] = Registry(
    "system",
    {
        "identity": Factory(Identity),
        "symspell": Factory("gec_fair.gec.systems.symspell:SymSpell"),
        "harper": Factory("gec_fair.gec.systems.harper:Harper"),
        "quire": Factory("gec_fair.gec.systems.quire:Quire"),
        "bart": Factory("gec_fair.gec.systems.trained:Bart", argument="FOLDER"),
        "command": Factory("gec_fair.gec.systems.command:Command", argument="PROGRAM"),
        "command-prose": Factory("gec_fair.gec.systems.command:load_for_prose", argument="PROGRAM"),
        "editscorer": Factory("gec_fair.gec.systems.trained:EditScorer", argument="FOLDER"),
        "gector": Factory("gec_fair.gec.systems.trained:GectorSystem", argument="FOLDER"),
        "openai": Factory("gec_fair.gec.systems.openai_chat:OpenAIChat", argument="MODEL", options=("prompt",)),
    },
    group="systems",
)


def load(name: str, *, prompt: Path | None = None) -> System:
    """The system of that name, which may have a label before it (`mine=command:PROGRAM`). `prompt`: a file with other
    instructions for a chat model. Raises as `split_label` and `Registry.load` do, and UsageError for a prompt that
    nothing reads."""
    named = split_label(SYSTEMS.noun, name)[1]
    if prompt is not None and not named.startswith("openai:"):
        raise UsageError(f"--prompt is for openai:MODEL, and {visible_name(named)} reads none; leave it out")
    return SYSTEMS.load(named, **({} if prompt is None else {"prompt": prompt}))


def list_available() -> list[str]:
    """The built-in systems that need no argument and run here."""
    names = []
    for name, factory in SYSTEMS.factories.items():
        if factory.argument:
            continue
        try:
            load(name)
        except MissingResource:
            continue
        names.append(name)
    return names


def visible_name(name: str) -> str:
    """A system's name for messages, without the secrets of a command line."""
    kind, _, argument = name.partition(":")
    if kind not in ("command", "command-prose") or not argument:
        return name
    return kind + Program(argument, SystemFault).version.removeprefix("command")


def folder_name(name: str) -> str:
    """A system's name as a folder: `openai:org/model` becomes `openai-org-model`. UsageError if nothing is left."""
    folder = re.sub(r"[^\w.+-]+", "-", visible_name(name)).strip("-.")
    if not folder:
        raise UsageError(f"a system called {name!r} cannot have a folder; give it a name with letters or digits")
    return folder
