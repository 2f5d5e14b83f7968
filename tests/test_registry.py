"""A name that a user types is one factory's; what is wrong with it is said in one way; no argument is shown."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections import OrderedDict
from importlib.metadata import distribution

import pytest

import gec_fair
from gec_fair.errors import MissingResource, UsageError
from gec_fair.registry import Factory, Registry, check_name
from tests.test_floors import points_up

TOYS: Registry[object] = Registry(
    "toy",
    {
        "blank": Factory(OrderedDict),
        "lazy": Factory("collections:Counter", argument="LETTERS"),
        "either": Factory(
            lambda argument, *rest, size=0: (argument, rest, size), argument="N", optional=True, options=("size",)
        ),
        "absent": Factory("nowhere:Nothing", argument="MODEL", extra="train", needs=("no_such_module",)),
    },
    group="toys",
)
CHOICES = "choose from blank, lazy:LETTERS, either[:N], absent:MODEL"


@pytest.mark.parametrize(
    ("name", "built", "why"),
    [
        ("blank", {}, "a name that stands alone"),
        ("lazy:aab", {"a": 2, "b": 1}, "a factory that is imported when it is loaded"),
        ("lazy:a:b", {"a": 1, ":": 1, "b": 1}, "the argument begins after the first colon"),
        ("either:4", ("4", (), 0), "an optional argument"),
        ("either", ("", (), 0), "an optional argument that is left out"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_a_name_stands_for_what_its_factory_builds(name, built, why):
    assert TOYS.load(name) == built


def test_factories_take_the_arguments_of_the_room_and_the_options_that_they_know():
    assert TOYS.load("either:4", "labels", size=3, unknown_here=1) == ("4", ("labels",), 3)
    assert TOYS.load("lazy:a", size=3) == {"a": 1}


@pytest.mark.parametrize(
    ("name", "message", "why"),
    [
        ("lzay:K3", rf"unknown toy 'lzay:…'; did you mean lazy? {CHOICES}", "near a known name"),
        ("zzzzzzz", rf"unknown toy 'zzzzzzz'; {CHOICES}", "near none"),
        ("lzay -k K3", rf"unknown toy 'lzay…'; did you mean lazy? {CHOICES}", "a command line without its kind"),
        (":K3", rf"unknown toy ':…'; {CHOICES}", "an argument alone"),
        ("", rf"unknown toy ''; {CHOICES}", "nothing"),
        ("lazy", "toy 'lazy' needs an argument; write lazy:LETTERS", "no argument"),
        ("lazy:", "toy 'lazy' needs an argument; write lazy:LETTERS", "an empty argument"),
        ("blank:K3", "toy 'blank' takes no argument; write blank", "an argument too many"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.count(" ") < 6 else "",
)
def test_a_name_that_is_wrong_is_refused_without_its_argument(name, message, why):
    with pytest.raises(UsageError) as refusal:
        TOYS.load(name)
    assert str(refusal.value) == message
    assert "K3" not in str(refusal.value)


def test_a_missing_extra_is_named_before_anything_is_imported():
    with pytest.raises(MissingResource, match=r"toy absent needs no_such_module; pip install 'gec-fair\[train\]'"):
        TOYS.load("absent:m")


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """An installed package with two toys, one of which cannot be imported."""
    (tmp_path / "toy_package.py").write_text(
        "from functools import update_wrapper\n\n\n"
        "def top(*arguments):\n    return arguments\n\n\ndef alone(room):\n    return room\n\n\n"
        "def named(name, room):\n    return name, room\n\n\n"
        "decorated = update_wrapper(lambda name: named(name, 'added'), named)\n"
    )
    info = tmp_path / "toy_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[gec_fair.toys]\ntop = toy_package:top\nbroken = toy_package:gone\nblank = toy_package:top\n"
        "alone = toy_package:alone\nnamed = toy_package:named\ndecorated = toy_package:decorated\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert distribution("toy-package").version == "1.0"


@pytest.mark.usefixtures("plugins")
def test_an_installed_package_adds_names():
    assert TOYS.load("top", "labels") == ("labels",)
    assert TOYS.load("top:4", "labels", size=3) == ("4", "labels")
    assert "top:4" in TOYS
    assert TOYS.choices[-5:] == ("alone", "broken", "decorated", "named", "top")
    assert (TOYS.load("alone", "labels"), TOYS.load("named:4", "labels")) == ("labels", ("4", "labels"))
    assert TOYS.load("decorated:4") == ("4", "added"), "the signature that counts is the decorator's"


@pytest.mark.usefixtures("plugins")
def test_an_argument_too_many_or_too_few_for_a_package_is_refused():
    with pytest.raises(UsageError, match=r"^toy 'alone' takes no argument; write alone$"):
        TOYS.load("alone:K3", "labels")
    with pytest.raises(UsageError, match=r"^toy 'named' needs an argument; write named:ARGUMENT$"):
        TOYS.load("named", "labels")
    with pytest.raises(UsageError, match="toy 'named' has a plug-in that takes other arguments"):
        TOYS.load("named:4", "labels", "more", "than", "it takes")


@pytest.mark.usefixtures("plugins")
def test_a_package_cannot_replace_a_name_of_the_table():
    assert TOYS.load("blank") == {}


@pytest.mark.usefixtures("plugins")
def test_a_package_that_cannot_be_imported_is_named():
    with pytest.raises(MissingResource, match="toy 'broken': the plug-in of toy-package cannot be imported"):
        TOYS.load("broken")


def test_options_can_check_a_name_below_the_room_that_builds_it():
    assert check_name("toy", "lazy:a", TOYS.choices) == ("lazy", "a")
    with pytest.raises(UsageError, match="toy 'lazy' needs an argument; write lazy:LETTERS"):
        check_name("toy", "lazy", TOYS.choices)


def registries() -> dict[str, Registry]:
    """Every registry of the package, by `module:NAME`."""
    tables = {}
    for module in pkgutil.walk_packages(gec_fair.__path__, "gec_fair."):
        if module.name.endswith("_worker") or module.name == "gec_fair.cli.__main__":
            continue
        source = importlib.util.find_spec(module.name).loader.get_source(module.name)
        if ": Registry[" not in source or module.name == "gec_fair.registry":
            continue
        members = vars(importlib.import_module(module.name))
        tables |= {f"{module.name}:{name}": value for name, value in members.items() if type(value) is Registry}
    return tables


REGISTRIES = registries()
LAZY = [
    (table, name, factory.build)
    for table, registry in REGISTRIES.items()
    for name, factory in registry.factories.items()
    if isinstance(factory.build, str)
]


def test_every_kind_of_name_has_a_registry():
    nouns = {registry.noun for registry in REGISTRIES.values()}
    assert nouns >= {
        "classifier",
        "coreference backend",
        "perturber",
        "rewriter",
        "source",
        "suite",
        "system",
        "verifier",
    }


@pytest.mark.parametrize(("table", "name", "target"), LAZY, ids=[f"{noun}-{name}" for noun, name, _ in LAZY])
def test_a_factory_in_a_string_exists_and_lies_no_higher_than_its_table(table, name, target):
    importer, imported = (place.partition(":")[0].removeprefix("gec_fair.") for place in (table, target))
    assert target.startswith("gec_fair."), "written in full, so that the test of the floors reads it"
    assert not points_up(importer, imported)
    assert callable(REGISTRIES[table].factories[name].resolve())


def test_the_names_that_options_check_are_those_that_the_room_builds():
    from gec_fair.perturber.registry import PERTURBERS
    from gec_fair.perturber.rewriting.options import NAMES

    assert PERTURBERS.choices == NAMES
