"""A corpus measured in one pass: profiles of its chunks, and samples of its sentences for classifiers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TypeVar

from threadpoolctl import threadpool_limits

from gec_fair.classifiers import load
from gec_fair.classifiers.harm import Harm, Judges
from gec_fair.corpus_report import coherence, emotions
from gec_fair.corpus_report.chunks import Chunk, chunks
from gec_fair.corpus_report.classified import SENTIMENTS, Classified, Flagged, Rate
from gec_fair.corpus_report.options import Measures
from gec_fair.corpus_report.pos import tags
from gec_fair.corpus_report.profile import MEANS, Profile, Profiler
from gec_fair.data.stream_sample import Sample, keys
from gec_fair.english.lexicons import topics
from gec_fair.english.lexicons.emotions import EKMAN, load_emotions
from gec_fair.errors import InputError
from gec_fair.progress import Progress
from gec_fair.runs.digests import file_digest
from gec_fair.runs.processes import context

Name = TypeVar("Name")
_IN_FLIGHT = 4  # chunks a worker


@dataclass(frozen=True, kw_only=True)
class _Judging:
    judges: Judges = field(default_factory=Judges)


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions(Measures, _Judging):
    """Every choice that decides a figure."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A corpus. Shares are of all tokens, in percent; `means` over its `chunks`."""

    name: str
    files: tuple[Mapping[str, str], ...]
    tokens: int
    words: int
    sentences: int
    chunks: int
    topics: Mapping[tuple[str, str], float]
    emotions: Mapping[str, float]
    expressed: Mapping[str, float]
    """The same as shares of the tokens that the lexicon knows."""
    means: Mapping[str, float]
    harm: Mapping[str, Rate]
    sentiment: Mapping[str, Rate]
    stances: Mapping[tuple[str, str], Rate]
    """Share positive − share negative of the sentences that hold a topic's word."""
    pos: Mapping[str, float]
    flagged: tuple[Flagged, ...]
    versions: Mapping[str, str]


def analyse(
    name: str,
    paths: Sequence[Path],
    options: AnalysisOptions,
    *,
    workers: int = 1,
    progress: Progress = lambda done, total: None,
) -> Analysis:
    """InputError for a text that cannot be read, or is empty; MissingResource for a classifier or a pipeline that is
    not here, before anything is read. `progress` hears how many bytes of text are done."""
    if missing := [path for path in paths if not path.is_file()]:
        raise InputError(f"{missing[0]}: no such file; give text files")
    queue = _SentenceQueue(options)
    profiler = partial(_profiler, options.emotions, options.vectors)
    corpus_profile = Profile()
    number = done = 0
    looked: Sample[Chunk] = Sample(options.pos)
    size = sum(path.stat().st_size for path in paths)
    cut = chunks(paths, options.tokens, wrapped=options.wrapped)
    for chunk, profile in _profiles(cut, profiler, workers):
        queue.add(chunk, profile)
        if looked.size:
            looked.offer(keys(number, 1, options.seed), [chunk])
        if not chunk.is_complete and number:  # a shorter chunk would lift the mean type-token ratio
            profile.means = {}
        corpus_profile.add(profile)
        number += 1
        done += sum(len(sentence) + 1 for sentence in chunk.sentences)
        progress(done, max(done, size))
    if not corpus_profile.words:
        raise InputError(f"{', '.join(map(str, paths))}: no word is in it; give text")
    judged = queue.finish()
    tagged = tags([sentence for chunk in looked.items() for sentence in chunk.sentences]) if options.pos else {}
    return Analysis(
        name,
        tuple(map(file_digest, paths)),
        corpus_profile.tokens,
        corpus_profile.words,
        corpus_profile.sentences,
        number,
        _percent(corpus_profile.topics, topics.read_shipped().names, corpus_profile.tokens),
        _percent(corpus_profile.emotions, EKMAN, corpus_profile.tokens),
        _percent(corpus_profile.emotions, EKMAN, corpus_profile.expressive),
        {key: fmean(corpus_profile.means[key]) for key in MEANS if corpus_profile.means.get(key)},
        judged.harm_rates(corpus_profile.sentences),
        judged.sentiment_rates(corpus_profile.sentences),
        queue.stances(),
        tagged,
        tuple(judged.flagged.items()),
        queue.versions,
    )


class _SentenceQueue:
    """Sentences on their way to the classifiers. Where all are judged they go at once, and nothing is kept; else they
    are drawn, and go at the end."""

    def __init__(self, options: AnalysisOptions) -> None:
        self._options = options
        harm = Harm(options.judges)
        feeling = load(options.sentiment, SENTIMENTS) if options.sentiment else None
        lexicon = options.emotions or "the package's lexicon"
        self.versions = {**harm.versions, "emotions": lexicon, "vectors": options.vectors}
        if feeling is not None:
            self.versions["sentiment"] = feeling.version
        self._judged = Classified(harm, feeling, options.seed)
        self._drawn: Sample[str] = Sample(options.sentences)
        self._about: dict[topics.Topic, Sample[str]] = {}

    def add(self, chunk: Chunk, profile: Profile) -> None:
        """The sentences of a chunk, and those that hold a topic's word."""
        sample_keys = keys(chunk.first, len(chunk.sentences), self._options.seed)
        if self._options.sentences:
            self._drawn.offer(sample_keys, chunk.sentences)
        else:
            self._judged.add(chunk.sentences, chunk.first)
        for topic, places in profile.topical.items():
            sentences = [chunk.sentences[n] for n in places]
            if self._options.topical:
                self._about.setdefault(topic, Sample(self._options.topical)).offer(sample_keys[places], sentences)
            else:
                self._judged.about(topic, sentences)

    def finish(self) -> Classified:
        """What the classifiers say, of those that were drawn too."""
        if self._options.sentences:
            self._judged.add(self._drawn.items(), 0)
        for topic, sample in self._about.items():
            self._judged.about(topic, sample.items())
        return self._judged

    def stances(self) -> dict[topics.Topic, Rate]:
        """By topic, in the shipped table's order."""
        sizes = {topic: sample.offered for topic, sample in self._about.items()}
        known = [topic for topic in topics.read_shipped().names if topic in self._judged.stances]
        return {topic: self._judged.stance(topic, sizes.get(topic)) for topic in known}


def _percent(counts: Mapping[Name, int], names: Iterable[Name], total: int) -> dict[Name, float]:
    return {name: 100 * counts.get(name, 0) / max(1, total) for name in names}


def _profiler(lexicon: str, vectors: str) -> Profiler:
    known = emotions.read(Path(lexicon)) if lexicon else load_emotions()
    return Profiler(topics.read_shipped(), known, coherence.measure(vectors))


def _profiles(chunks: Iterator[Chunk], profiler: partial[Profiler], workers: int) -> Iterator[tuple[Chunk, Profile]]:
    """In order, in this process or in several."""
    chunk_profiler = profiler()  # reports a missing package before anything is read
    if workers == 1:
        for chunk in chunks:
            yield chunk, chunk_profiler(chunk.sentences)
        return
    with ProcessPoolExecutor(workers, context(), _begin, (profiler,)) as pool:
        waiting: deque[tuple[Chunk, Future[Profile]]] = deque()
        for chunk in chunks:
            waiting.append((chunk, pool.submit(_measure, chunk.sentences)))
            if len(waiting) >= workers * _IN_FLIGHT:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()


_PROFILER: list[Profiler] = []


def _begin(profiler: partial[Profiler]) -> None:
    threadpool_limits(1)
    _PROFILER.append(profiler())


def _measure(sentences: Sequence[str]) -> Profile:
    return _PROFILER[0](sentences)
