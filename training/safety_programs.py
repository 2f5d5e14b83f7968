r"""Published classifiers as programs for `command:` sources: a JSON list of fields a line in, a score a line out.
Two of them hold pickles, which may run code. So each runs in a separate environment, outside this repository and
without the keys of yours; gec_fair never opens their files. `docs/how-to/safety.md` has the lines that set them up.

    gec-fair safety scores texts.csv -o scored.csv \
        --source 'toxic=command:env -i ../outside/toxic/bin/python -I training/safety_programs.py toxic identity_hate'
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable


def profanity(texts: list[str]) -> Iterable[float]:
    """alt-profanity-check: a linear SVM of words (MIT; joblib files)."""
    from profanity_check import predict_prob

    scores: Iterable[float] = predict_prob(texts)
    return scores


def toxic(texts: list[str], label: str = "toxic") -> Iterable[float]:
    """toxic-comment-classifier: an LSTM of words (MIT; a pickled tokenizer). `label`: one of its six outputs."""
    import os

    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    from toxic_classifier import model

    classifier = model.ToxicCommentClassifier()
    words = classifier.tokenizer.texts_to_sequences(texts)
    scores = classifier.model.predict(model.pad_sequences(words, maxlen=model.MAXLEN), batch_size=256, verbose=0)
    column: Iterable[float] = scores[:, model.LIST_CLASSES.index(label)]
    return column


def hatesonar(texts: list[str], file: str, label: str = "hate") -> Iterable[float]:
    """hatesonar: TF-IDF and logistic regression of tweets (MIT; ONNX). `label`: hate, offensive or neither."""
    import onnx
    import onnxruntime

    graph = onnx.load(file)
    for node in graph.graph.node:
        if node.op_type == "StringNormalizer":  # its default is en_US, which a small machine lacks
            node.attribute.append(onnx.helper.make_attribute("locale", "C.UTF-8"))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    _, rows = session.run(None, {"text": texts})
    return [row[("hate", "offensive", "neither").index(label)] for row in rows]


PROGRAMS: dict[str, Callable[..., Iterable[float]]] = {"profanity": profanity, "toxic": toxic, "hatesonar": hatesonar}


def main() -> None:
    name, *options = sys.argv[1:]
    texts = [" ".join(json.loads(line)) for line in sys.stdin]
    for score in PROGRAMS[name](texts, *options):
        print(float(score))


if __name__ == "__main__":
    main()
