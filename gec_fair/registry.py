"""Things that a user names in one word, `NAME` or `NAME:ARGUMENT`, and the factories that build them.

    SYSTEMS: Registry[System] = Registry(
        "system",
        {
            "identity": Factory(Identity),
            "harper": Factory("gec_fair.gec.systems.harper:Harper"),           # imported when it is first loaded
            "gector": Factory("gec_fair.gec.systems.trained:GectorSystem", argument="FOLDER"),
            "openai": Factory("gec_fair.gec.systems.openai_chat:OpenAIChat", argument="MODEL", options=("prompt",)),
        },
        group="systems",
    )
    SYSTEMS.load("gector:out/model")      # GectorSystem("out/model")
    SYSTEMS.load("gectr:out/model")       # UsageError: unknown system 'gectr:…'; did you mean gector? choose from …

A name that is not in the table is looked for among the entry points of the group, so that an installed package can add
its own. What follows a colon may be a command line with a key: no message shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any, Generic, TypeVar

from gec_fair.config.suggest import closest
from gec_fair.errors import MissingResource, UsageError
from gec_fair.extras import require

Built = TypeVar("Built")
HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class Factory:
    """How one name is built.

    A module's name is written in full, so that the test of the floors reads it as the import that it is.
    """

    build: Callable[..., Any] | str
    """A callable, or `package.module:attribute`."""
    argument: str = ""
    """What follows the colon, as help writes it: FOLDER, MODEL; "" for a name that is alone."""
    optional: bool = False
    """Whether the name may also stand without its argument, which is then ""."""
    options: tuple[str, ...] = ()
    """The keyword arguments of `Registry.load` that this factory takes."""
    extra: str = ""
    """The extra of the package that `needs` belong to."""
    needs: tuple[str, ...] = ()
    """Modules that must be installed; they are looked for before anything is imported."""
    check: Callable[[str], None] | None = None
    """Checks the argument before `build` is imported."""

    def resolve(self) -> Callable[..., Any]:
        """The callable, imported if it is a string."""
        if not isinstance(self.build, str):
            return self.build
        module, _, attribute = self.build.partition(":")
        factory: Callable[..., Any] = getattr(import_module(module), attribute)
        return factory


@dataclass(frozen=True, slots=True)
class Registry(Generic[Built]):
    """Factories by name. `noun` says in messages what they build."""

    noun: str
    factories: Mapping[str, Factory]
    group: str = ""
    """`systems` where other packages add theirs as entry points of `gec_fair.systems`; "" for a closed table."""

    def __contains__(self, name: str) -> bool:
        """Whether the name, or the part before its colon, is in the table or in the group."""
        kind = name.partition(":")[0]
        return kind in self.factories or self._plugin(kind) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.factories)

    def spell(self, kind: str) -> str:
        """The name as a user writes it: `harper`, `gector:FOLDER`, `openai-moderation[:MODEL]`."""
        factory = self.factories[kind]
        argument = f":{factory.argument}" if factory.argument else ""
        return f"{kind}[{argument}]" if argument and factory.optional else f"{kind}{argument}"

    @property
    def choices(self) -> tuple[str, ...]:
        """Every name as a user writes it, in the order of the table; then those of installed plug-ins."""
        plugins = (point.name for point in entry_points(group=_group(self.group))) if self.group else ()
        return (*map(self.spell, self.factories), *sorted({*plugins} - {*self.factories}))

    def split(self, name: str) -> tuple[str, str]:
        """The name's kind and argument, checked. UsageError for an unknown name, a missing argument or one too many."""
        kind, colon, argument = name.partition(":")
        factory = self.factories.get(kind)
        if factory is None:
            if self._plugin(kind) is None:
                raise self.refusal(name)
            return kind, argument
        if factory.argument and not factory.optional and not argument:
            raise UsageError(f"{self.noun} {kind!r} needs an argument; write {self.spell(kind)}")
        if colon and not factory.argument:
            raise UsageError(f"{self.noun} {kind!r} takes no argument; write {kind}")
        return kind, argument

    def load(self, name: str, *arguments: Any, **options: Any) -> Built:
        """What the name stands for: its factory is called with its argument, if it has one, with `arguments`, and with
        those `options` that it takes. A plug-in is called with its argument, if one is given, and with `arguments`.

        UsageError as `split` raises it, for plug-ins too; MissingResource for an extra that is not installed, or a
        plug-in that cannot be imported; else what the factory raises.
        """
        kind, argument = self.split(name)
        factory = self.factories.get(kind) or Factory(self._load_plugin(kind), argument=argument)
        if factory.needs:
            require(f"{self.noun} {kind}", factory.extra, *factory.needs)
        if factory.check is not None:
            factory.check(argument)
        first = (argument,) if factory.argument else ()
        chosen = {option: value for option, value in options.items() if option in factory.options}
        build = factory.resolve()
        if kind not in self.factories and not _takes(build, *first, *arguments):
            fault = f"takes no argument; write {kind}" if first else f"needs an argument; write {kind}:ARGUMENT"
            if not _takes(build, *(() if first else ("",)), *arguments):
                fault = "has a plug-in that takes other arguments; update it or remove it"
            raise UsageError(f"{self.noun} {kind!r} {fault}")
        built: Built = build(*first, *arguments, **chosen)
        return built

    def resolve(self, kind: str) -> Any:
        """The factory itself, for a registry of classes or functions that the caller calls. Raises as `split` does."""
        return self.factories[self.split(kind)[0]].resolve()

    def refusal(self, name: str, *, also: tuple[str, ...] = ()) -> UsageError:
        """The refusal of a name; `also`: choices that the table does not hold."""
        kind, rest = re.fullmatch(r"([^:\s]*)(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
        near = closest(kind, self.factories) if kind else ""
        shown_name = kind + (":" if rest.startswith(":") else "") + HIDDEN if rest else kind
        return UsageError(
            f"unknown {self.noun} {shown_name!r}{near or ';'} choose from {', '.join((*self.choices, *also))}"
        )

    def _plugin(self, kind: str) -> EntryPoint | None:
        points = entry_points(group=_group(self.group), name=kind) if self.group and kind else ()
        return next(iter(points), None)

    def _load_plugin(self, kind: str) -> Callable[..., Any]:
        point = self._plugin(kind)
        assert point is not None  # `split` has looked
        try:
            factory: Callable[..., Any] = point.load()
        except (ImportError, AttributeError) as fault:
            package = point.dist.name if point.dist else point.value
            raise MissingResource(
                f"{self.noun} {kind!r}: the plug-in of {package} cannot be imported ({fault}); update it or remove it"
            ) from fault
        return factory


def _takes(build: Callable[..., Any], *arguments: Any) -> bool:
    """Whether it can be called so, as far as its signature tells."""
    try:
        signature(build, follow_wrapped=False).bind(*arguments)
    except (TypeError, ValueError) as fault:  # what is written in C may have no signature
        return isinstance(fault, ValueError)
    return True


def _group(group: str) -> str:
    return f"{__name__.partition('.')[0]}.{group}"


def split_label(noun: str, text: str) -> tuple[str, str]:
    """`LABEL=NAME` as the label, which tables show, and the name. Without a `=` before its first colon, a text is both.
    UsageError for an empty half."""
    label, equals, name = text.partition("=")
    if not equals or ":" in label:
        return text, text
    if not label.strip():
        raise UsageError(f"a {noun} has an empty name before its =; write NAME={noun.upper()}, or the {noun} alone")
    if not name.strip():
        raise UsageError(f"{text} names no {noun} after its =; write NAME={noun.upper()}")
    return label.strip(), name


def read_labels(noun: str, texts: Sequence[str]) -> dict[str, str]:
    """The name of each text by its label. UsageError for a label that is given twice."""
    names: dict[str, str] = {}
    for label, name in (split_label(noun, text) for text in texts):
        if label in names:
            kind, colon, _ = label.partition(":")
            visible = kind + (colon and colon + HIDDEN)
            raise UsageError(f"two {noun}s are called {visible}; give each its own name: NAME={noun.upper()}")
        names[label] = name
    return names


def check_name(noun: str, name: str, choices: Sequence[str]) -> tuple[str, str]:
    """The kind and argument of a name whose factories stand in a higher module; `choices` as `Registry.choices` has
    them. Raises as `Registry.split` does."""
    arguments = (choice.partition(":")[::2] for choice in choices)
    registry: Registry[Any] = Registry(noun, {kind: Factory("", argument) for kind, argument in arguments})
    return registry.split(name)
