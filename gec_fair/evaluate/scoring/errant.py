"""ERRANT's edits between source and hypothesis, fast: every sentence is parsed once and every pair annotated once.

    pairs ─ known edits? ─ known parses? ─ parse in batches ─ align, merge, classify (ERRANT, in processes) ─ Edits

Ten seeds of one system differ in a few sentences each; only those cost anything after the first. Bryant et al. 2017.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from threadpoolctl import threadpool_limits

from gec_fair.edits import Edit, Edits, edits, split_spaces
from gec_fair.evaluate.options import Annotating
from gec_fair.evaluate.scoring.labels import relabel
from gec_fair.extras import require
from gec_fair.progress import Progress, unheard
from gec_fair.runs.cache import Store, cache_directory, key
from gec_fair.runs.processes import context

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

Words: TypeAlias = tuple[str, ...]
WordPair: TypeAlias = tuple[Words, Words]
_CHUNK = 48  # source sentences a task
_COLUMNS = ("tags", "pos", "lemmas", "deps", "heads")


@dataclass(frozen=True)
class Annotator:
    """`english`: the pipeline that parses; `cache`: a SQLite file, None for none; `workers`: processes.

    Results depend on the pipeline and on ERRANT's version alone, which `versions` names.
    """

    english: str = "embedded"
    cache: Path | None = None
    workers: int = 1
    progress: Callable[[str], AbstractContextManager[Progress]] = unheard
    """For a title a context with a function that hears how many texts are annotated, of how many."""

    def __call__(self, pairs: Sequence[WordPair]) -> list[Edits]:
        """Edits over each source, in order. Texts that are the same have none."""
        changed = {pair for pair in pairs if pair[0] != pair[1]}
        edits = self._read_cached(changed)
        new = self._annotate(sorted(changed - edits.keys()))
        self._edits.put({self._edit_key(pair): _dump(their) for pair, their in new.items()})
        edits.update(new)
        return [edits[pair] if pair in edits else Edits((), len(pair[0])) for pair in pairs]

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """The versions that decide the annotation: ERRANT and the parser."""
        from gec_fair.english import pipeline

        _require()
        return {"errant": version("errant"), "english": pipeline.version_of(self.english)}

    @cached_property
    def _models(self) -> tuple[str, ...]:
        return tuple(f"{name}:{number}" for name, number in self.versions.items())

    @cached_property
    def _edits(self) -> Store:
        return Store(self.cache, "edits")

    @cached_property
    def _parses(self) -> Store:
        return Store(self.cache, "parses")

    def _edit_key(self, pair: WordPair) -> bytes:
        return key(*self._models, " ".join(pair[0]), " ".join(pair[1]))

    def _parse_key(self, words: Words) -> bytes:
        return key(self._models[1], " ".join(words))

    def _read_cached(self, pairs: Iterable[WordPair]) -> dict[WordPair, Edits]:
        keys = {self._edit_key(pair): pair for pair in pairs}
        stored = self._edits.get(list(keys))
        return {keys[at]: _load(value, len(keys[at][0])) for at, value in stored.items()}

    def _annotate(self, pairs: Sequence[WordPair]) -> dict[WordPair, Edits]:
        """Pairs of one source stay in one task, so that its parse is shared."""
        by_source: dict[Words, list[Words]] = {}
        for source, target in pairs:
            by_source.setdefault(source, []).append(target)
        groups = list(by_source.items())
        tasks = [groups[n : n + _CHUNK] for n in range(0, len(groups), _CHUNK)]
        edits: dict[WordPair, Edits] = {}
        with self.progress("ERRANT") as update:
            for their, parses in self._work(tasks):
                edits.update(their)
                self._parses.put({self._parse_key(words): parse for words, parse in parses.items()})
                update(len(edits), len(pairs))
        return edits

    def _work(self, tasks: Sequence[Task]) -> Iterator[Done]:
        jobs = [(self.english, task, self._read_parses(task)) for task in tasks]
        if self.workers == 1 or len(jobs) < 2:
            yield from map(_task, jobs)
            return
        start = context()
        if start.get_start_method() == "fork":
            _engine(self.english)  # the workers share it
        with ProcessPoolExecutor(self.workers, start, threadpool_limits, (1,)) as pool:
            yield from pool.map(_task, jobs)

    def _read_parses(self, task: Task) -> dict[Words, str]:
        texts = {self._parse_key(words): words for source, targets in task for words in (source, *targets)}
        return {texts[at]: value for at, value in self._parses.get(list(texts)).items()}


Task: TypeAlias = Sequence[tuple[Words, Sequence[Words]]]
Done: TypeAlias = tuple[dict[WordPair, Edits], dict[Words, str]]
_engines: dict[str, tuple[Language, Any, frozenset[str]]] = {}  # of this process


def _engine(english: str) -> tuple[Language, Any, frozenset[str]]:
    """The pipeline, ERRANT around it, and the tags that ERRANT knows."""
    if english not in _engines:
        _require()
        import errant
        from errant.en.classifier import pos_map

        from gec_fair.english import pipeline

        nlp = pipeline.load_shared(english)
        _engines[english] = (nlp, errant.load("en", nlp), frozenset(pos_map))
    return _engines[english]


def _require() -> None:
    require("scoring", "evaluate", "errant")  # not imported: where all is known already, spaCy need not be loaded


def _task(job: tuple[str, Task, dict[Words, str]]) -> Done:
    english, task, known = job
    nlp, annotator, tags = _engine(english)
    texts = list(dict.fromkeys(words for source, targets in task for words in (source, *targets)))
    docs, fresh = _docs(nlp, texts, known)
    for doc in docs.values():
        relabel(doc, tags)
    edits_of_pair: dict[WordPair, Edits] = {}
    for source, targets in task:
        for target in targets:
            theirs = _annotate(annotator, docs[source], docs[target])
            mine = (Edit(e.o_start, e.o_end, split_spaces(e.c_str).words, e.type) for e in theirs)
            edits_of_pair[source, target] = edits(mine, len(source))
    return edits_of_pair, fresh


class _Word(NamedTuple):
    """What ERRANT's alignment looks at in a token, thousands of times a sentence: cheaper to ask than spaCy's."""

    text: str
    orth: int
    lower: int
    lemma: int
    pos: int


def _annotate(annotator: Any, source: Doc, target: Doc) -> list[Any]:
    """`annotator.annotate`, aligning plain words instead of tokens: the same edits."""
    alignment = annotator.align(_words(source), _words(target))
    alignment.orig, alignment.cor = source, target  # merging and typing need the parse
    return [annotator.classify(edit) for edit in annotator.merge(alignment)]


def make_annotator(options: Annotating) -> Annotator:
    """ERRANT on the pipeline that the options name, with a cache of what it has annotated."""
    store = None if options.no_cache else cache_directory() / "errant.sqlite"
    return Annotator(options.english, store, options.workers, options.progress)


def _words(doc: Doc) -> list[_Word]:
    from spacy.attrs import LEMMA, LOWER, ORTH, POS

    strings = doc.vocab.strings
    rows = doc.to_array([ORTH, LOWER, LEMMA, POS]).tolist()  # one call, where tokens would be asked one by one
    return [_Word(strings[orth], orth, lower, lemma, pos) for orth, lower, lemma, pos in rows]


def _docs(
    nlp: Language, texts: Sequence[Words], known: Mapping[Words, str]
) -> tuple[dict[Words, Doc], dict[Words, str]]:
    """All texts parsed, from their stored parses where there are any, and the parses that are new."""
    from spacy.tokens import Doc

    from gec_fair.english import pipeline

    docs = {words: Doc(nlp.vocab, words=list(words), **json.loads(known[words])) for words in texts if words in known}
    missing = [words for words in texts if words not in known]
    docs.update(zip(missing, pipeline.parse(nlp, missing), strict=True))
    fresh = {words: _parse(docs[words]) for words in missing}
    return docs, fresh


def _parse(doc: Doc) -> str:
    from spacy.attrs import DEP, HEAD, LEMMA, POS, TAG

    strings = doc.vocab.strings
    *columns, heads = doc.to_array([TAG, POS, LEMMA, DEP, HEAD]).T
    names = [[strings[value] for value in column.tolist()] for column in columns]
    places = [at + offset for at, offset in enumerate(heads.astype("int64").tolist())]
    return json.dumps(dict(zip(_COLUMNS, (*names, places), strict=True)), ensure_ascii=False)


def _dump(their: Edits) -> str:
    return json.dumps([(e.start, e.end, list(e.replacement), e.kind) for e in their], ensure_ascii=False)


def _load(value: str, length: int) -> Edits:
    return Edits(tuple(Edit(start, end, tuple(new), kind) for start, end, new, kind in json.loads(value)), length)
