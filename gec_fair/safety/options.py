"""What `gec-fair safety audit` can be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from gec_fair.config.options import Option
from gec_fair.config.work import Reporting, Resampling
from gec_fair.data.columns import Missing


@dataclass(frozen=True, kw_only=True)
class SafetyAuditOptions(Reporting, Resampling):
    """What `gec-fair safety audit` does."""

    source: Annotated[Any, Option("NAME")] = None
    """Score the texts by this classifier: hf:MODEL, toxicity, detoxify:…, openai-moderation, …; in Python also a
    classifier, or a function from a list of texts to a score from 0 to 1 for each. By default the table has scores."""
    score: Annotated[str, Option("NAME")] = ""
    """The column with the scores, or an attribute of the source.  [default: score, or the only attribute]"""
    harm: Annotated[str, Option("NAME")] = ""
    """What is scored.  [default: the column harm, or the name of the score]"""
    label: Annotated[str, Option("COLUMN")] = ""
    """0 safe, 1 unsafe.  [default: label, or the harm's name]"""
    text: Annotated[str, Option("COLUMN")] = ""
    """The texts.  [default: text]"""
    counterfactuals: bool = False
    """Rewrite each text for the other subgroups of its category too, and score the rewritings: sets for the ACV."""
    against: Annotated[Any, Option("BASELINE")] = None
    """Another table of the same texts: what changed since it, in percent."""
    groups: Annotated[str | Path | None, Option("FILE")] = None
    """Your own identity categories: a table of category, subgroup, also.  [default: those of the paper's Table 2]"""
    terms: Annotated[str | Path | None, Option("FILE")] = None
    """How your own subgroups are said: a table of category, subgroup, slot (adjective, person, people, …), term."""
    threshold: float = 0.5
    """A score at or above it flags a text."""
    missing: Missing = "refuse"
    """Rows whose text is null or empty: refuse the table, or drop and count them."""
