"""What labels of fact checking and NLI say of a claim and its evidence, whatever they are called."""

from __future__ import annotations

from collections.abc import Collection

ENTAILS = ("entailment", "entails", "supports", "supported", "true")
CONTRADICTS = ("contradiction", "contradicts", "refutes", "refuted", "false")
NEITHER = ("neutral", "not enough info", "nei")
"""In lower case; a relation is called by the first."""


def relation(label: str) -> str:
    """entailment, contradiction or neutral; "" for another."""
    plain = label.strip().casefold()
    return next((names[0] for names in (ENTAILS, CONTRADICTS, NEITHER) if plain in names), "")


def match_label(wanted: str, labels: Collection[str]) -> str | None:
    """What a data set calls this relation; None where it has none."""
    return next((label for label in sorted(labels) if relation(label) == wanted), None)
