"""fastcoref and Maverick, with stand-ins of the same call shape: spans come back as tokens, failures say what to do."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from gec_fair.errors import MissingResource, UsageError
from gec_fair.people import links
from gec_fair.people.links import Mention
from gec_fair.people.links.others.neural import Fastcoref, Maverick
from tests.english.docs import doc

TABLE = """
If IN mark 3
my PRP$ nmod:poss 2
mom NN nsubj 3
cooks VBZ advcl 6
, , punct 3
I PRP nsubj 6
help VBP ROOT 6
her PRP obj 6
"""
EXPECTED = [[(Mention(1, 3, 2), Mention(7, 8, 7))]]


class FakeFast:
    def predict(self, texts: list[str]) -> list[SimpleNamespace]:
        chains = [[(t.index("my"), t.index(" cooks")), (t.index("her"), len(t.rstrip()))] for t in texts]
        return [SimpleNamespace(get_clusters=lambda as_strings, chain=chain: [chain, [(0, 2)]]) for chain in chains]


class FakeMaverick:
    def predict(self, sample: list[list[str]], /) -> dict[str, object]:
        words = [word for sentence in sample for word in sentence]
        return {"tokens": words, "clusters_token_offsets": [[(1, 2), (words.index("her"),) * 2]]}


def test_fastcoref_characters_become_tokens() -> None:
    assert Fastcoref(FakeFast()).clusters([doc(TABLE)]) == EXPECTED


def test_fastcoref_is_not_asked_about_empty_texts() -> None:
    import spacy

    empty = spacy.blank("en").make_doc("")
    assert Fastcoref(FakeFast()).clusters([empty, doc(TABLE)]) == [[], *EXPECTED]


def test_maverick_inclusive_ends_become_half_open() -> None:
    assert Maverick(FakeMaverick()).clusters([doc(TABLE)]) == EXPECTED


@pytest.mark.parametrize(("name", "attribute"), [("fastcoref", "FCoref"), ("maverick", "Maverick")])
def test_backends_are_built_from_their_packages(name: str, attribute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType(name)
    fake = FakeFast if name == "fastcoref" else FakeMaverick
    setattr(module, attribute, lambda device: fake())
    monkeypatch.setitem(sys.modules, name, module)
    assert links.load(name).clusters([doc(TABLE)]) == EXPECTED


@pytest.mark.parametrize("name", ["fastcoref", "maverick"])
def test_what_is_not_installed_says_how_to_install_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingResource, match=r"pip install 'gec-fair\[coref\]'"):
        links.load(name)


def test_weights_that_cannot_be_had_are_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("fastcoref")

    def offline(device: str) -> None:
        raise OSError("no connection")

    module.FCoref = offline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastcoref", module)
    with pytest.raises(MissingResource, match="weights"):
        links.load("fastcoref")


def test_an_unknown_backend_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="embedded, fastcoref, maverick, neuralcoref"):
        links.load("stanford")
