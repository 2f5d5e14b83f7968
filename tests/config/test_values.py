"""Settings that are not to be trusted: bombs, and files that are nested too deeply."""

from __future__ import annotations

import pytest

from gec_fair.config.values import read_toml, read_yaml
from gec_fair.errors import InputError
from gec_fair.gec.noise.rates import read_rates
from gec_fair.safety.counterfactuals.generation import policies

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
YAML = {
    "a billion laughs": (LAUGHS, "stand for more than 100,000 values"),
    "many aliases": ("a: &a 1\n" + "".join(f"k{n}: *a\n" for n in range(101)), "more than 100 aliases"),
    "an anchor inside itself": ("a: &a [*a]", "stand for more than"),
    "too deep": ("a: " + "[" * 2000, "nested too deeply"),
    "too large": ("# " + "x" * (1 << 20), "more than 1 MiB"),
    "no such day": ("a: 2020-13-45", "put it in quotes"),
    "a number of 5,000 digits": ("a: " + "9" * 5000, "put it in quotes"),
    "no such truth": ("a: !!bool maybe", "put it in quotes"),
    "code": ("a: !!python/object/apply:os.system [ls]", "could not determine a constructor"),
}


@pytest.mark.parametrize(("text", "message"), YAML.values(), ids=YAML)
def test_settings_that_would_fill_the_memory_are_refused(tmp_path, text, message):
    path = tmp_path / "settings.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_yaml(path)


TOML = {
    "a key of many parts": ("a." * 20_000 + "b = 1", "nested too deeply"),
    "a key of many quoted parts": ('"a" . ' * 20_000 + "b = 1", "nested too deeply"),
    "lists in lists": ("a = " + "[" * 20_000, "nested too deeply"),
    "a number of 5,000 digits": ("a = " + "9" * 5000, "is not a TOML file"),
    "too large": ("#" * (1 << 20) + "\n", "more than 1 MiB"),
    "no UTF-8": ("a = '\udcff'", "is not a TOML file"),
    "a folder": (None, "cannot be read"),
}


@pytest.mark.parametrize(("text", "message"), TOML.values(), ids=TOML)
def test_a_toml_file_that_would_take_minutes_is_refused_with_its_remedy(tmp_path, text, message):
    path = tmp_path / "rates.toml"
    path.mkdir() if text is None else path.write_bytes(text.encode("utf-8", "surrogateescape"))
    for read in (lambda: read_toml(path, "mend it"), lambda: read_rates(path), lambda: policies(path)):
        with pytest.raises(InputError, match=message):
            read()


def test_toml_that_people_write_is_read(tmp_path):
    path = tmp_path / "rates.toml"
    text = "about = '" + "He goes. " * 90 + "'\n# " + "." * 500 + "\na.b.c = 1.5\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_toml(path, "mend it") == {"about": "He goes. " * 90, "a": {"b": {"c": 1.5}}}


def test_aliases_that_people_write_are_read(tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text("a: &a {b: 1}\nc: *a\nd: {<<: *a, e: 2}\n")
    assert read_yaml(path).file == {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}
