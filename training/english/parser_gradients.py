"""Make spaCy's parser train faster: one large matrix product a batch instead of two small ones a transition step.

spaCy 3.8 sends each step's gradient through the precomputed affine layer by itself, copying its 295,000 weights twice a
step. The gradient is a sum over steps, so the steps can be stacked first: same gradient up to rounding.
"""

from __future__ import annotations

import numpy as np
from spacy.ml import _precomputable_affine as affine
from spacy.ml.parser_model import ParserStepModel

one_step_forward = affine.forward


def forward(model, X, is_train):  # noqa: N803  (thinc's name)
    """spaCy's forward; its backward only hands on what it was given, and the function that would use it."""
    hidden, backward = one_step_forward(model, X, is_train)
    return hidden, lambda step: (*step, backward)


def finish_steps(self, golds):
    """Gradient of the token vectors, `(words + 1, width)`; the last row collects what fell on missing tokens."""
    gradient = self.ops.alloc((self.tokvecs.shape[0] + 1, self.tokvecs.shape[1]))
    steps = [back((d_vector, ids)) for ids, d_vector, back in self.backprops]
    if steps:
        ids = np.concatenate([step[1] for step in steps])
        features = steps[0][2]((np.concatenate([step[0] for step in steps]), ids))
        self.ops.scatter_add(gradient, ids.flatten(), features.reshape((ids.size, features.shape[2])))
    self.bp_tokvecs(gradient[:-1])
    return gradient


def stack_steps() -> None:
    """Before the pipeline is built."""
    affine.forward = forward
    ParserStepModel.finish_steps = finish_steps
