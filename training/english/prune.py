"""Take out of a trained pipeline what its output does not need: strings of the training text, and unused edit trees.

    python training/english/prune.py TRAINED PRUNED

A trained spaCy pipeline carries every string that it has met, addresses and names included, and every edit tree that
it has tried. Labels, morphological features and the trees of the
lemmatizer's labels stay; `same_output` proves the rest idle.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import spacy
import srsly
from convert import ADDRESS
from spacy.language import Language
from spacy.tokens import Doc

NO_TREE = 2**32 - 1
NO_WORD = "\u241f"
COLUMNS = ("tag_", "pos_", "morph", "lemma_", "dep_", "i", "sent_start")


def prune(trained: Path, pruned: Path) -> None:
    nlp = spacy.load(trained)
    keep_label_trees(component(nlp, "trainable_lemmatizer"))
    strings = sorted(needed_strings(nlp))
    refuse_addresses(strings)
    shutil.rmtree(pruned, ignore_errors=True)
    nlp.to_disk(pruned)
    srsly.write_json(pruned / "vocab" / "strings.json", strings)


def keep_label_trees(lemmatizer) -> None:
    """Renumber the trees that a label reaches, in the order of their first use, and drop the others."""
    old = [lemmatizer.trees[i] for i in range(len(lemmatizer.trees))]
    new: dict[int, int] = {}
    for label in lemmatizer.cfg["labels"]:
        _number(label, old, new)
    trees = [_anonymous(_renumbered(old[i], new), lemmatizer.vocab.strings) for i in new]
    lemmatizer.cfg["labels"] = [new[label] for label in lemmatizer.cfg["labels"]]
    lemmatizer.tree2label = {tree: i for i, tree in enumerate(lemmatizer.cfg["labels"])}
    lemmatizer.trees.from_json(trees)


def _number(tree: int, trees: Sequence[dict], new: dict[int, int]) -> None:
    if tree == NO_TREE or tree in new:
        return
    new[tree] = len(new)
    for side in ("prefix_tree", "suffix_tree"):
        _number(trees[tree].get(side, NO_TREE), trees, new)


def _renumbered(tree: dict, new: dict[int, int]) -> dict:
    return {key: new.get(value, NO_TREE) if key.endswith("_tree") else value for key, value in tree.items()}


def _anonymous(tree: dict, strings) -> dict:
    """The tree without an address: one that rewrites a sign that no word is, so that it never applies."""
    held = [key for key in ("orig", "subst") if key in tree and ADDRESS.search(strings[tree[key]])]
    return {**tree, **dict.fromkeys(held, strings.add(NO_WORD))}


def component(nlp: Language, name: str) -> Any:
    """A component, which spaCy types as any function of a Doc."""
    return nlp.get_pipe(name)


def needed_strings(nlp: Language) -> set[str]:
    strings = {label for name in ("tagger", "morphologizer", "parser") for label in nlp.pipe_labels[name]}
    strings |= set(component(nlp, "morphologizer").cfg["labels_morph"].values())
    strings |= {part for text in strings for feature in text.split("|") for part in (feature, *feature.split("="))}
    lemmatizer = component(nlp, "trainable_lemmatizer")
    for i in range(len(lemmatizer.trees)):
        tree = lemmatizer.trees[i]
        strings |= {nlp.vocab.strings[tree[key]] for key in ("orig", "subst") if key in tree}
    return strings - {""}


def refuse_addresses(strings: Iterable[str]) -> None:
    addresses = [text for text in strings if ADDRESS.search(text)]
    if addresses:
        raise SystemExit(f"the pruned strings would hold {len(addresses)} addresses; see convert.ADDRESS")


def parsed(nlp: Language, texts: Iterable[Sequence[str]]) -> Iterator[Doc]:
    return nlp.pipe((Doc(nlp.vocab, words=list(words)) for words in texts), batch_size=64)


def rows(doc: Doc) -> list[tuple]:
    return [(*(str(getattr(token, name)) for name in COLUMNS), token.head.i) for token in doc]


def same_output(first: Path, second: Path, texts: list[Sequence[str]]) -> int:
    """The number of tokens compared; the first text that differs is an error. Texts with an address are left out:
    what the trained pipeline knows about it must not be in the pruned one."""
    texts = [words for words in texts if not any(ADDRESS.search(word) for word in words)]
    compared = 0
    for one, two in zip_longest(parsed(spacy.load(first), texts), parsed(spacy.load(second), texts)):
        if rows(one) != rows(two):
            raise SystemExit(f"pruning changed the output on a text of {len(one)} tokens")
        compared += len(one)
    return compared


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("pruned", type=Path)
    arguments = parser.parse_args()
    prune(arguments.trained, arguments.pruned)
