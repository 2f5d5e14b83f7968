"""Examine one document of a data set: the classifier, the attribution and the document are named by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gec_fair.classifiers.labels import Relabelled
from gec_fair.classifiers.protocol import Classifier
from gec_fair.classifiers.registry import load
from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.evaluation.explain import Attribution, Examined, examine, occlusion


def examine_document(
    documents: Sequence[Document],
    name: str,
    model: str,
    part: Sequence[str],
    attribution: str | None,
    renamed: Mapping[str, str],
) -> Examined:
    """Examine the document with this id; `renamed`: labels as the model calls them. UsageError for an unknown id, or an
    attribution that the model does not offer."""
    document = next((document for document in documents if document.id == name), None)
    if document is None:
        near = closest(name, [document.id for document in documents])
        raise UsageError(f"no document has the id {name!r}{near}; --id names the field that holds it")
    labels = sorted({renamed.get(document.label, document.label) for document in documents})
    classifier = load(model, labels, ordered=False)
    relabelled = replace(document, label=renamed.get(document.label, document.label))
    return examine(classifier, relabelled, choose_attribution(attribution, classifier), part)


def choose_attribution(name: str | None, classifier: Classifier) -> Attribution:
    """`attention` for models of Hugging Face, `occlusion` for any classifier; None for the first that the classifier
    offers."""
    inner = classifier.classifier if isinstance(classifier, Relabelled) else classifier
    has_states = inner.version.startswith("hf:")
    if name == "occlusion" or (name is None and not has_states):
        return occlusion(classifier)
    if not has_states:
        raise UsageError(f"--attribution {name} is for hf: models; choose occlusion")
    from gec_fair.classifiers.hugging_face import HuggingFace
    from gec_fair.razor.evaluation.attribution import attention

    assert isinstance(inner, HuggingFace)
    return attention(inner)
