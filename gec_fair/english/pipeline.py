"""The English pipeline: the package's own, or any other spaCy pipeline, run over words that are already words.

GEC text comes tokenised, so no tokenizer is asked: a sentence is a sequence of words, and comes back as a `Doc` with
exactly these. spaCy is imported when a pipeline is loaded, not with this module: `--help` must not wait for it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.text_files import refuse_endless
from gec_fair.english.letters import plain_with_places
from gec_fair.errors import MissingResource

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

EMBEDDED = "embedded"
MODEL = Path(__file__).parent / "model"
BATCH_SIZE = 128  # sentences; what other sizes cost: docs/concepts/english-pipeline.md
WIDTH = 96
"""The width of the word vectors of the package's pipeline."""
_VECTORS = "gec_fair_vectors"
_PART = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"
_CHANGED = "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"  # colour of skin, way of drawing, regions
_EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3|"
    f"{_PART}{_CHANGED}*(?:\u200d{_PART}{_CHANGED}*)+|{_PART}{_CHANGED}+"
)
"""Emoji of several signs: flags, keycaps, and those that are joined or changed."""
TAG_PIPES = ("tok2vec", "transformer", "tagger", "attribute_ruler")


def load(name: str = EMBEDDED, *, disable: Sequence[str] = ()) -> Language:
    """The pipeline `name`: `embedded` (this package's), an installed package (`en_core_web_sm`) or a path.

    Raises `MissingResource` where there is none.
    """
    from gec_fair.english.spacy_import import import_spacy

    import_spacy()
    import spacy

    source = str(MODEL) if name == EMBEDDED else name
    try:
        nlp = spacy.load(source, disable=list(disable))
    except OSError as error:
        raise MissingResource(_how_to_install(name)) from error
    if source == str(MODEL):
        tagger: Any = nlp.get_pipe("tagger")
        layer = tagger.model.get_ref("softmax")
        nlp.vocab.lookups.add_table(_VECTORS, {"tagger": (tagger.labels, layer.get_param("W"), layer.get_param("b"))})
    keep_emoji(nlp.tokenizer)
    return nlp


def keep_emoji(tokenizer: Any) -> None:
    """Let a tokenizer leave flags, keycaps and emoji of several signs whole, as one token."""
    if not hasattr(tokenizer, "infix_finditer"):  # of another language
        return
    prefix, suffix, infix = (
        getattr(tokenizer, name).__self__.pattern for name in ("prefix_search", "suffix_search", "infix_finditer")
    )
    rules, tokenizer.rules = tokenizer.rules, {}  # each pattern that is set would read all of them again
    tokenizer.prefix_search = re.compile(f"^(?:{_EMOJI})|{prefix}").search
    tokenizer.suffix_search = re.compile(f"(?:{_EMOJI})$|{suffix}").search
    tokenizer.infix_finditer = re.compile(f"{_EMOJI}|{infix}").finditer
    tokenizer.rules = rules


_load_once = lru_cache(maxsize=1)(load)


def load_shared(name: str = EMBEDDED) -> Language:
    """The pipeline `name`, loaded once in a process and inherited by those forked from it. Its vocabulary grows with
    every new word; `forget_shared` begins anew."""
    return _load_once(name)  # always by position: a cache takes f() and f(EMBEDDED) for two questions


def forget_shared() -> None:
    """Let the next `load_shared` load its pipeline anew."""
    _load_once.cache_clear()


def has_our_vectors(doc: Doc) -> bool:
    """Whether the doc has word vectors of the package's own pipeline, which the reader of people reads. Another
    pipeline's may have the same width and mean something else."""
    return bool(doc.vocab.lookups.has_table(_VECTORS)) and doc.tensor.shape == (len(doc), WIDTH)


def likelihood(token: Token, tag: str) -> float | None:
    """How sure the tagger is of a tag; None where the doc has no vectors of the package's own pipeline."""
    import numpy as np

    if not has_our_vectors(token.doc):
        return None
    tags, weights, bias = token.vocab.lookups.get_table(_VECTORS)["tagger"]
    scores = weights @ token.doc.tensor[token.i] + bias
    scores = np.exp(scores - scores.max())
    return float(scores[tags.index(tag)] / scores.sum())


def _how_to_install(name: str) -> str:
    if name == EMBEDDED:
        return f"the package's English pipeline is not at {MODEL}; reinstall gec-fair, or run training/english/train.py"
    return (
        f"no English pipeline {name!r}: neither an installed package nor a folder that spaCy wrote; install it with "
        f"`python -m spacy download {name}` (never from PyPI by that name), give a path, or use the package's own "
        f"(--english {EMBEDDED})"
    )


def parse(
    nlp: Language,
    sentences: Iterable[Sequence[str]],
    spaces: Iterable[Sequence[bool]] | None = None,
    *,
    batch_size: int = BATCH_SIZE,
    without: Collection[str] = (),
) -> Iterator[Doc]:
    """A `Doc` for each sentence, in order, with tags, lemmas and parse. `spaces[i][j]`: does a space follow word j of
    sentence i; without it every word is followed by one. `without`: components that are not needed. Lazy: reads
    `batch_size` sentences ahead."""
    yield from nlp.pipe(docs(nlp, sentences, spaces), batch_size=batch_size, disable=list(without))


def tag(
    nlp: Language,
    sentences: Iterable[Sequence[str]],
    spaces: Iterable[Sequence[bool]] | None = None,
    *,
    batch_size: int = BATCH_SIZE,
) -> Iterator[Doc]:
    """As `parse`, but `tag_` alone: about three times as fast."""
    others = [name for name in nlp.pipe_names if name not in TAG_PIPES]
    yield from nlp.pipe(docs(nlp, sentences, spaces), batch_size=batch_size, disable=others)


def parse_texts(nlp: Language, texts: Iterable[str]) -> Iterator[Doc]:
    """A `Doc` for each text, in order, with the pipeline's own words. Lazy. InputError for a text that is too long."""

    def check_texts() -> Iterator[str]:
        for text in texts:
            refuse_endless(text)
            yield text

    yield from nlp.pipe(check_texts())


_DASH = re.compile(r"""((?<=[.,;:!?"')])(?:[—–]+|-+)(?=[\w"'(])|(?<=\w)(?:[—–]+|--+)(?=["'(]))""")
"""A dash beside another sign, which spaCy leaves glued to both words: *him,—and*, *words--"He*."""


def tokenize(nlp: Language, text: str) -> list[str]:
    """The words of a text as it writes them, without white space; cut as its plain letters are (*he`s* is two words).
    InputError for a text that is too long to be parsed."""
    refuse_endless(text)
    read, places = plain_with_places(text)
    cuts: list[tuple[int, int]] = []
    at = 0
    for part in _DASH.split(read):
        cuts += [(at + token.idx, at + token.idx + len(token)) for token in nlp.make_doc(part) if not token.is_space]
        at += len(part)
    words = (text[places[start] : places[end]] for start, end in cuts)
    return [word for word in words if word]


def docs(
    nlp: Language, sentences: Iterable[Sequence[str]], spaces: Iterable[Sequence[bool]] | None = None
) -> Iterator[Doc]:
    """Unparsed `Doc`s of given words."""
    from spacy.tokens import Doc

    for words, after in zip(sentences, spaces if spaces is not None else repeat(None), strict=spaces is not None):
        yield Doc(nlp.vocab, words=list(words), spaces=None if after is None else list(after))


def version_of(name: str = EMBEDDED) -> str:
    """`version` of the pipeline `name`, from its files where they can be found without loading it."""
    folder = MODEL if name == EMBEDDED else Path(name)
    if not (folder / "meta.json").is_file():
        return version(load_shared(name))
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return _version(str(meta["lang"]), meta, _folder_digest(folder))


def version(nlp: Language) -> str:
    """`name-version+sha256:…` for manifests: the first 16 digits of the weights' digest."""
    return _version(str(nlp.lang), nlp.meta, weights_digest(nlp))


def _version(lang: str, meta: Mapping[str, Any], digest: str) -> str:
    return f"{lang}_{meta.get('name', 'pipeline')}-{meta.get('version', '0')}+sha256:{digest[:16]}"


def weights_digest(nlp: Language) -> str:
    """sha256 over the files that decide the output, by relative path; `meta.json` and prose do not count."""
    return hashlib.sha256(nlp.to_bytes()).hexdigest() if nlp.path is None else _folder_digest(Path(nlp.path))


def _folder_digest(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.name != "meta.json" and p.suffix != ".md"):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()
