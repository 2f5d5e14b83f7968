"""fastcoref and Maverick: large neural resolvers as `Coref`s, imported and loaded only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from gec_fair.errors import MissingResource
from gec_fair.people.links.resolver import Cluster, Coref, Mention

if TYPE_CHECKING:
    from spacy.tokens import Doc

Spans = Iterable[tuple[int, int]]


class FastModel(Protocol):
    """The call shape of `fastcoref.FCoref` and `fastcoref.LingMessCoref`."""

    def predict(self, texts: list[str]) -> Sequence[Any]:
        """One prediction for each text, in order."""
        ...


class MaverickModel(Protocol):
    """The call shape of `maverick.Maverick`; `clusters_token_offsets` of the answer hold inclusive ends."""

    def predict(self, sample: list[list[str]], /) -> Mapping[str, Any]:
        """The prediction for one text."""
        ...


@dataclass(frozen=True, slots=True)
class Fastcoref:
    """Character spans over the doc's text, mapped back to its tokens."""

    model: FastModel

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        """The clusters of each parsed text, in order."""
        all_clusters: list[list[Cluster]] = [[] for _ in docs]
        full = [place for place, doc in enumerate(docs) if doc.text.strip()]  # it fails on empty texts
        if full:
            answers = self.model.predict(texts=[docs[place].text for place in full])
            for place, answer in zip(full, answers, strict=True):
                doc = docs[place]
                clusters = answer.get_clusters(as_strings=False)
                all_clusters[place] = _sort(from_characters(doc, cluster) for cluster in clusters)
        return all_clusters


@dataclass(frozen=True, slots=True)
class Maverick:
    """Word spans over the doc's own tokens, sentence by sentence as the doc is split."""

    model: MaverickModel

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        """The clusters of each parsed text, in order."""
        return [self._read_clusters(doc) for doc in docs]

    def _read_clusters(self, doc: Doc) -> list[Cluster]:
        words = [token.i for token in doc if not token.is_space]  # its tokenizer would drop white-space words
        if not words:
            return []
        answer = self.model.predict(_sentences(doc))
        return _sort(
            from_words(doc, ((words[start], words[last] + 1) for start, last in cluster))
            for cluster in answer["clusters_token_offsets"]
        )


def fastcoref() -> Coref:
    """`fastcoref.FCoref` on the CPU; its weights come from its publisher's hub at first use."""
    return Fastcoref(_build("fastcoref", "FCoref"))


def maverick() -> Coref:
    """`maverick.Maverick` (OntoNotes) on the CPU; weights as above, licensed for non-commercial use."""
    return Maverick(_build("maverick", "Maverick"))


def _build(module: str, name: str) -> Any:
    try:
        model: Callable[..., Any] = getattr(import_module(module), name)
    except ImportError as error:
        raise MissingResource(
            f"the coreference backend {module!r} is not installed ({error}); run pip install 'gec-fair[coref]'"
        ) from error
    try:
        return model(device="cpu")
    except OSError as error:
        raise MissingResource(
            f"the weights of {module!r} cannot be loaded ({error}); they are downloaded once from its publisher's hub: "
            "run it where the network is, or use --coref embedded"
        ) from error


def _sentences(doc: Doc) -> list[list[str]]:
    sents = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    split = [[token.text for token in sent if not token.is_space] for sent in sents]
    return [sent for sent in split if sent]


def from_characters(doc: Doc, spans: Spans) -> Cluster:
    """Every token that a character span touches belongs to the mention; spans that touch none are left out."""
    return from_words(doc, (_find_touched(doc, start, end) for start, end in spans))


def from_words(doc: Doc, spans: Spans) -> Cluster:
    """Mentions of half-open token spans; their heads are the roots of the spans in the doc's parse."""
    return tuple(sorted({Mention(start, end, doc[start:end].root.i) for start, end in spans if start < end}))


def _find_touched(doc: Doc, start: int, end: int) -> tuple[int, int]:
    span = doc.char_span(start, end, alignment_mode="expand") if start < end else None
    return (span.start, span.end) if span is not None else (0, 0)


def _sort(clusters: Iterable[Cluster]) -> list[Cluster]:
    return sorted(cluster for cluster in clusters if len(cluster) > 1)
