"""Fair Data Reweighting (Awasthi et al. 2020; appendix A.3): more weight for the slices that a model treats worst.

L(s)  = SA(s | safe) for safe texts, 1 − SA(s | unsafe) for unsafe ones
p(s)  = exp(β · L(s)) / Σ exp(β · L)      over the slices that have texts of this truth
then  N texts by p, drawn from the slices' texts of this truth with replacement, each of weight λ
or    the same in expectation: every text of s gains λ · N · p(s) / n(s)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from gec_fair.config.options import check_range
from gec_fair.errors import UsageError
from gec_fair.safety.data.groups import Slice
from gec_fair.safety.data.scores import Flags, Floats, Integers

BETAS = (1.0, 2.0, 5.0)
"""That are tried if none is given (docs/what-did-not-work.md)."""


@dataclass(frozen=True, slots=True)
class Reweighting:
    """One harm. The paper's values are not told; λ is what did best on HateCheck (docs/what-did-not-work.md)."""

    beta_safe: float | None = None
    """How much the worst slices of safe texts stand out; 0 treats all alike, over 50 one slice gets nearly all and the
    bias may turn round. None: of BETAS the one that does best on validation texts."""
    beta_unsafe: float | None = None
    """The same of unsafe texts."""
    lambda_safe: float = 0.25
    """What a drawn safe text weighs, where a text itself weighs 1."""
    lambda_unsafe: float | None = None
    """None keeps the share of unsafe weight as it is: lambda_safe · unsafe / safe."""

    def __post_init__(self) -> None:
        check_range(self, "beta_safe", "beta_unsafe", "lambda_safe", "lambda_unsafe", least=0)

    def candidates(self) -> list[Reweighting]:
        """Itself, or where a β is to be chosen one for each of BETAS."""
        free = [name for name in ("beta_safe", "beta_unsafe") if getattr(self, name) is None]
        return [replace(self, **dict.fromkeys(free, beta)) for beta in (BETAS if free else BETAS[:1])]


ALONE = Reweighting(0.0, 0.0, 0.0, 0.0)
"""Nothing is gained: balance alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Gained:
    """`weights`: (texts,) on top of what they had; `shares`: p of every slice with texts, by truth; `left_out`: slices
    without a text, or without a loss, by truth."""

    weights: Floats
    shares: Mapping[str, Mapping[Slice, float]]
    left_out: Mapping[str, tuple[Slice, ...]] = field(default_factory=dict)


def softmax(losses: Floats, beta: float) -> Floats:
    """exp(β · L) / Σ, with the largest taken off first: β = 500 does not overflow."""
    exponents = beta * (losses - losses.max())
    shares: Floats = np.exp(exponents) / np.exp(exponents).sum()
    return shares


def reweigh(
    losses: Mapping[str, Mapping[Slice, float | None]],
    slices: Mapping[Slice, Integers],
    unsafe: Flags,
    weights: Floats,
    options: Reweighting,
    *,
    sample: np.random.Generator | None = None,
    number: int = 0,
) -> Gained:
    """`losses`: L by slice, for "safe" and "unsafe"; None where validation has no such text. `weights`: what the texts
    weigh before; those of weight 0 are in no pool. `number`: N; 0 is the sum of the weights. `sample` draws; None gives
    what draws amount to on average, without their noise."""
    if options.beta_safe is None or options.beta_unsafe is None:
        raise UsageError("beta_safe or beta_unsafe is to be chosen; take one of the candidates")
    number = number or round(weights.sum())
    gained = np.zeros(len(weights))
    pools: dict[str, dict[Slice, Integers]] = {}
    for truth, rows in (("safe", ~unsafe), ("unsafe", unsafe)):
        pools[truth] = {
            name: weighted
            for name, members in slices.items()
            if losses[truth].get(name) is not None and len(weighted := members[rows[members] & (weights[members] > 0)])
        }
    left_out = {truth: tuple(name for name in slices if name not in known) for truth, known in pools.items()}
    shares: dict[str, dict[Slice, float]] = {truth: {} for truth in pools}
    if options.lambda_unsafe is None and not all(pools.values()):
        return Gained(gained, shares, left_out)  # weight for one truth alone would change the share of unsafe weight
    for truth, beta, pool_weight in (
        ("safe", options.beta_safe, options.lambda_safe),
        ("unsafe", options.beta_unsafe, strength(options, weights, unsafe)),
    ):
        known = pools[truth]
        if not known:
            continue
        p = softmax(np.array([losses[truth][name] for name in known], dtype=np.float64), beta)
        shares[truth] = dict(zip(known, p.tolist(), strict=True))
        drawn = number * p if sample is None else sample.multinomial(number, p).astype(np.float64)
        for pool, times in zip(known.values(), drawn.tolist(), strict=True):
            base = weights[pool] / weights[pool].sum()
            gained[pool] += pool_weight * (times * base if sample is None else sample.multinomial(int(times), base))
    return Gained(gained, shares, left_out)


def strength(options: Reweighting, weights: Floats, unsafe: Flags) -> float:
    """λ of unsafe texts: where it is not given, in proportion to their share of the weight."""
    if options.lambda_unsafe is not None:
        return options.lambda_unsafe
    safe = float(weights[~unsafe].sum())
    return options.lambda_safe * float(weights[unsafe].sum()) / safe if safe else options.lambda_safe
