"""Who checks that a rewriting keeps its label, besides a chat model (`asking`): a classifier, an NLI model, nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gec_fair.classifiers.protocol import Classifier, predictions
from gec_fair.errors import InputError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.relations import ENTAILS, relation
from gec_fair.razor.rewriting.candidates import Verdict


class Trained:
    """A classifier of this very task, that reads evidence and text; the text alone where the data have no evidence."""

    def __init__(self, classifier: Classifier, *, evidence: bool) -> None:
        self.classifier, self.evidence = classifier, evidence

    @property
    def version(self) -> str:
        """The version of the classifier."""
        return self.classifier.version

    def verdicts(self, documents: Sequence[Document], texts: Sequence[str]) -> list[Verdict]:
        """The predicted label of each text."""
        prompts = [(document.evidence, text) for document, text in zip(documents, texts, strict=True)]
        read = prompts if self.evidence else [prompt[1:] for prompt in prompts]
        return [Verdict(label) for label in predictions(self.classifier, read)]


class Entailment:
    """An NLI model: a claim's relation to its evidence, in the data set's labels; without evidence, a rewriting keeps
    its label that the original text entails. InputError for labels that are no relations, where there is evidence."""

    def __init__(self, classifier: Classifier, labels: Sequence[str], *, evidence: bool) -> None:
        self.classifier = classifier
        self.names = _relations(labels) if evidence else {}

    @property
    def version(self) -> str:
        """`nli:` and the version of the classifier."""
        return f"nli:{self.classifier.version}"

    def verdicts(self, documents: Sequence[Document], texts: Sequence[str]) -> list[Verdict]:
        """The label of each text's relation to its evidence; without evidence the document's own label where the
        original entails the text, else None."""
        text_pairs = [
            (document.evidence or document.text, text) for document, text in zip(documents, texts, strict=True)
        ]
        relations = [relation(label) for label in predictions(self.classifier, text_pairs)]
        return [
            Verdict(self.names.get(verdict) if document.evidence else document.label if verdict == ENTAILS[0] else None)
            for document, verdict in zip(documents, relations, strict=True)
        ]


class Nobody:
    """Every rewriting keeps its label, says nobody."""

    version = "none"

    def verdicts(self, documents: Sequence[Document], texts: Sequence[str]) -> list[Verdict]:
        """The label of each document as it stands."""
        return [Verdict(document.label) for document in documents]


def _relations(labels: Sequence[str]) -> Mapping[str, str]:
    """The data set's label of each relation."""
    by_relation = {relation(label): label for label in labels}
    if "" in by_relation:
        raise InputError(
            f"{by_relation['']!r} is not a relation that an NLI model tells (such as SUPPORTS, contradiction, "
            "neutral); give another --verifier"
        )
    if alike := [label for label in labels if label not in by_relation.values()]:
        raise InputError(
            f"{alike[0]!r} and {by_relation[relation(alike[0])]!r} are one relation to an NLI model; give them one "
            "name, or another --verifier"
        )
    return by_relation
