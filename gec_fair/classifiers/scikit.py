"""Pipelines of scikit-learn: one from a file that skops wrote, and TF-IDF with logistic regression trained here."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.data.compression import check_archive
from gec_fair.errors import InputError
from gec_fair.extras import require

BETWEEN = " || "
"""Between the fields of an example, for models that read one text."""


class Scikit:
    """A fitted pipeline over texts: a classifier's, with `classes_` that are the labels, or a regression's."""

    def __init__(self, path: str, labels: Sequence[str] = ()) -> None:
        require("scikit-learn pipelines", "fairscore", "sklearn", "skops")
        from skops.io import get_untrusted_types
        from skops.io import load as read

        if not Path(path).is_file():
            raise InputError(f"{path}: there is no such file; check the spelling and the folder")
        try:
            check_archive(Path(path))
            unknown = get_untrusted_types(file=path)
            if unknown:
                raise InputError(
                    f"{path}: holds {', '.join(unknown)}, which may run code; write the pipeline with "
                    "scikit-learn's own parts alone"
                )
            self.pipeline: Any = read(path)
            self.version = f"sklearn:{hashlib.sha256(Path(path).read_bytes()).hexdigest()[:20]}"
        except InputError:
            raise
        except Exception as fault:  # whatever a damaged file makes skops and scikit-learn raise
            raise InputError(
                f"{path}: is not a pipeline that skops wrote ({fault}); save it with skops.io.dump"
            ) from fault
        _check_fitted(self.pipeline, path)

    @property
    def labels(self) -> tuple[str, ...]:
        """The pipeline's classes as text."""
        return tuple(map(str, getattr(self.pipeline, "classes_", ())))

    def scores(self, texts: Sequence[Text]) -> Scores:
        """InputError where the pipeline wants something else than texts."""
        try:
            return self._scores([BETWEEN.join(fields) for fields in texts])
        except (ValueError, TypeError, AttributeError) as fault:
            reason = str(fault).partition("\n")[0]
            raise InputError(
                f"{self.version}: cannot read a list of texts ({reason}); save a pipeline "
                "that begins with a vectorizer of texts"
            ) from fault

    def _scores(self, texts: Sequence[str]) -> Scores:
        if not self.labels:
            return np.asarray(self.pipeline.predict(texts), dtype=np.float64).reshape(-1, 1)
        if hasattr(self.pipeline, "predict_proba"):
            return np.asarray(self.pipeline.predict_proba(texts))
        predicted = [str(label) for label in self.pipeline.predict(texts)]  # a margin's, such as LinearSVC's
        return np.array([[float(label == name) for name in self.labels] for label in predicted])


def _check_fitted(pipeline: Any, path: str) -> None:
    """InputError for what has learned nothing, or could not: without classes it would pass for a regression."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(pipeline)
    except NotFittedError as fault:
        raise InputError(f"{path}: the pipeline is not fitted; fit it, and save it again with skops.io.dump") from fault
    except TypeError as fault:
        raise InputError(
            f"{path}: holds a {type(pipeline).__name__}, no pipeline; save one with skops.io.dump"
        ) from fault


class Fitted(Scikit):
    """A pipeline that was fitted here."""

    def __init__(self, pipeline: Any, version: str) -> None:
        self.pipeline, self.version = pipeline, version


def tfidf(texts: Sequence[Text], answers: Sequence[str] | Sequence[float], *, seed: int = 0) -> Fitted:
    """Words and pairs of words by TF-IDF, logistic regression over them; ridge regression where the answers are
    numbers. InputError for data of one label alone."""
    require("TF-IDF", "fairscore", "sklearn")
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    if len(set(answers)) < 2:
        raise InputError(f"the training data have {len(set(answers))} label; give data with at least two")
    vectors = TfidfVectorizer(
        ngram_range=(1, 2), min_df=2 if len(texts) > 1000 else 1, sublinear_tf=True, token_pattern=r"(?u)\b\w+\b"
    )
    labels = isinstance(answers[0], str)
    head = LogisticRegression(C=10.0, max_iter=2000, random_state=seed) if labels else Ridge(random_state=seed)
    pipeline = make_pipeline(vectors, head)
    joined_texts = [BETWEEN.join(fields) for fields in texts]
    try:
        pipeline.fit(joined_texts, list(answers))
    except ValueError as fault:
        raise InputError(f"the training texts teach nothing ({fault}); give texts with words") from fault
    digest = hashlib.sha256("\n".join(f"{a}\t{b}" for a, b in zip(joined_texts, answers, strict=True)).encode())
    return Fitted(pipeline, f"tfidf:{digest.hexdigest()[:20]}")
