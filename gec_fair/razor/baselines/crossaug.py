"""CrossAug: a supported claim turned around, and the evidence with it (Lee et al. 2021).

What differs between a claim c and its negative c′ (common beginning and end stripped), one to three words on both
sides, is exchanged in the evidence e too, where it stands there exactly once. Beside (c, e), supported, stand then
(c′, e), refuted; (c, e′), refuted; and (c′, e′), supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from gec_fair.razor.documents.documents import Document

Negater: TypeAlias = Callable[[Sequence[str]], "list[str | None]"]
"""The negative of each claim; None where it has none. The authors' is a seq2seq model (`seq2seq`)."""
MOST = 3
"""Words that may differ on a side."""


def augment(documents: Sequence[Document], negater: Negater, *, supports: str, refutes: str) -> list[Document]:
    """The documents, and behind them what comes of the supported ones."""
    supported = [document for document in documents if document.label == supports and document.evidence]
    augmented: list[Document] = []
    for document, negated in zip(supported, negater([claim.text for claim in supported]), strict=True):
        if negated is None or negated == document.text:
            continue
        turned = replace(document, id=f"{document.id}+claim", text=negated, label=refutes)
        augmented.append(turned)
        if (evidence := _evidence(document.text, negated, document.evidence)) is not None:
            augmented.append(replace(document, id=f"{document.id}+evidence", evidence=evidence, label=refutes))
            augmented.append(replace(turned, id=f"{document.id}+both", evidence=evidence, label=supports))
    return [*documents, *augmented]


def numbers(seed: int = 0) -> Negater:
    """An offline stand-in for the seq2seq: a number of the claim becomes another of about its size, in its form."""
    return lambda claims: [_negate(claim, Random(f"{seed} {claim}")) for claim in claims]


_NUMBER = re.compile(
    r"(?<![\w.,:/–-])(?<![A-Za-z] -)(?<!\b[Aa] )(?<!\b[Aa]n )"
    r"(?P<integer>[1-9]\d{0,2}(?:,\d{3})+|0(?=\.)|[1-9]\d*)(?P<decimals>\.\d+)?(?P<ordinal>st|nd|rd|th)?"
    r"(?![:/–-]\d|[.,]\d|\w)"
)
"""No times, scores, ranges, versions, decades, units without a space, or numbers behind an article."""
_ENDS = (28, 29, 30, 31, 100)
"""What may be the last day of a month, or all of a hundred: nothing is added across it."""


def _negate(claim: str, chance: Random) -> str | None:
    """None without a number. *1* stays, because its noun is in the singular."""
    matches = [match for match in _NUMBER.finditer(claim) if match[0] != "1"]
    if not matches:
        return None
    match = chance.choice(matches)
    return claim[: match.start()] + _draw_number(match, chance) + claim[match.end() :]


def _draw_number(match: re.Match[str], chance: Random) -> str:
    """A tenth away or three of the last digit at most, of a year ten years; zeros at the end stay."""
    decimals, ordinal = len(match["decimals"] or ".") - 1, match["ordinal"]
    value, unit = int(re.sub("[.,]", "", match["integer"] + (match["decimals"] or ""))), 1
    is_year = match[0].isdigit() and 1000 <= value <= 2100
    while value % (10 * unit) == 0 and value >= 300 * unit and not is_year:
        unit *= 10
    step = unit * chance.randint(1, 10 if is_year else max(value // unit // 10, 3))
    is_low = value - step < (1 if decimals or ordinal else 2)
    is_high = any(value <= end * 10**decimals < value + step for end in _ENDS)
    value += step if is_low or (not is_high and chance.random() < 0.5) else -step
    integer, part = divmod(value, 10**decimals)
    text = f"{integer:,}" if "," in match["integer"] else str(integer)
    ending = "th" if 10 < value % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return text + (f".{part:0{decimals}}" if decimals else "") + (ending if ordinal else "")


def difference(a: Sequence[str], b: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is left of both without their common beginning and end."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[len(a) - 1 - end] == b[len(b) - 1 - end]:
        end += 1
    return list(a[start : len(a) - end]), list(b[start : len(b) - end])


def _evidence(claim: str, negated: str, evidence: str) -> str | None:
    """The evidence with what differs exchanged; None where it cannot be."""
    old, new = difference(claim.split(), negated.split())
    if not (1 <= len(old) <= MOST and 1 <= len(new) <= MOST):
        return None
    words = evidence.split()
    places = [i for i in range(len(words) - len(old) + 1) if words[i : i + len(old)] == old]
    return " ".join([*words[: places[0]], *new, *words[places[0] + len(old) :]]) if len(places) == 1 else None
