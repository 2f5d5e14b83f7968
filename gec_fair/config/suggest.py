"""Names that are not known: the known one that is nearest, for the message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gec_fair.errors import UsageError

_LEAST = 60  # of 100, by rapidfuzz's weighted ratio; chosen by hand: *mnli* for *qnli* (75), not *age* for *race* (57)


def refuse_unknown(names: Iterable[str], known: Sequence[str]) -> None:
    """UsageError for the first name that is not known, with the nearest one."""
    for name in names:
        if name not in known:
            raise UsageError(f"unknown option {name!r}{closest(name, known)}; there are {', '.join(known)}")


def closest(name: str, known: Iterable[str]) -> str:
    """`; did you mean NAME?`, or nothing if no name is near."""
    from rapidfuzz import process  # only when a name is wrong

    match = process.extractOne(name, list(known), score_cutoff=_LEAST)
    return f"; did you mean {match[0]}?" if match else ""
