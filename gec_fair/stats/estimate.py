"""A figure with its interval, and the kind of interval that it is.

    [-10.37, -3.70]       `brackets`: the ends of any interval

Text that prints ± names the kind: `Kind.note` is the sentence for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

LEVEL = 0.95  # by convention
FEW = 10  # chosen by hand: docs/concepts/gaps-and-intervals.md
"""Texts or sets below which a figure is not put into a headline and has no bootstrap interval and no p-value."""
TOO_FEW = "too few sentences to say"
TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
_NORMAL = 1.96  # standard errors
_NO_WIDTH = 1e-9  # sums in another order differ by less


class Kind(Enum):
    """All kinds of intervals that the package prints. The value is the name in JSON."""

    BOOTSTRAP = "95 % bootstrap interval"
    CLOPPER_PEARSON = "95 % Clopper-Pearson interval"
    FISHER_Z = "95 % interval by Fisher's z"
    STUDENT = "95 % Student interval over seeds"
    TWO_SD = "± 2 standard deviations over seeds"
    ONE_SD = "± 1 standard deviation over seeds"
    NORMAL = "± 1.96 standard errors"
    STANDARD_ERROR = "± 1 standard error"

    @property
    def note(self) -> str:
        """What ± means, as a sentence for a table's note. Empty for kinds that are printed in brackets."""
        return f"± is {_NOTES[self]}." if self in _NOTES else ""


_NOTES = {
    Kind.STUDENT: "half of Student's 95 % interval over seeds",
    Kind.TWO_SD: "2 s.d. over seeds",
    Kind.ONE_SD: "1 s.d. over seeds",
    Kind.NORMAL: "1.96 standard errors",
    Kind.STANDARD_ERROR: "1 standard error",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its interval. `n`: how many sentences, sets or seeds it is made from. `value` is None
    where there is no data, `low` and `high` also where there is too little. `p`: two-sided, of the value being zero;
    None where that is not tested."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    kind: Kind
    p: float | None = None

    @property
    def half(self) -> float | None:
        """Half of the interval, which ± shows; None without an interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def without_vain_interval(self, least: int | None = None) -> Estimate:
        """Without interval and p-value for fewer than FEW items; without the interval if it has no width because all
        resamples are alike. `least`: how many items the smaller side has, for a figure of two sides."""
        if (self.n if least is None else least) < FEW:
            return replace(self, low=None, high=None, p=None)
        return replace(self, low=None, high=None) if (self.half or 0.0) < _NO_WIDTH else self

    def figures(self) -> dict[str, float | None]:
        """`value`, `low`, `high` and `n`."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n}

    def as_json(self) -> dict[str, float | str | None]:
        """The figures with the `kind`, and `p` where it was tested."""
        return {**self.figures(), "kind": self.kind.value, **({} if self.p is None else {"p": self.p})}

    def brackets(self, digits: int = 2, *, signed: bool = False) -> str:
        """`[low, high]`, or nothing where the interval is unknown."""
        if self.low is None or self.high is None:
            return ""
        return brackets(self.low, self.high, digits, signed=signed)


def around(value: float, half: float, n: int, kind: Kind) -> Estimate:
    """The estimate of a symmetric kind: `value` ± `half`."""
    return Estimate(value, value - half, value + half, n, kind)


def brackets(low: float, high: float, digits: int = 2, *, signed: bool = False) -> str:
    """`[low, high]`; `signed` writes the plus of positive ends too."""
    sign = "+" if signed else ""
    return f"[{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"


def describe_ends(ends: Sequence[float | None], p: float | None) -> str:
    """The interval of a difference between sentences, in brackets, or why it has none: no `p` says that there are too
    few sentences, no ends that the interval has no width."""
    low, high = ends
    if p is None:
        return TOO_FEW
    return "the same in all resamples" if low is None or high is None else brackets(low, high, signed=True)


def normal_half(standard_error: float) -> float:
    """Half of the 95 % interval of a normal distribution."""
    return _NORMAL * standard_error


def columns(name: str, value: float, half: float | None) -> dict[str, float]:
    """The two cells of a record: `name` holds the value, `name_pm` what stands behind ±, where there is any."""
    return {name: value, **({} if half is None else {f"{name}_pm": half})}


def explain(note: str, records: Iterable[Iterable[str]], kind: Kind) -> str:
    """The note of a table, which says what ± means where a record has cells of `columns` with ±."""
    has_spread = any(name.endswith("_pm") for record in records for name in record)
    return " ".join(filter(None, (note, kind.note))) if has_spread else note
