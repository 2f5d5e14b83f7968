"""The ground floor: edits over tokens, seven verbs and their laws. Pure functions; no spaCy, no torch."""

from gec_fair.edits.algebra import apply, compose, invert, kept, made, rewritten
from gec_fair.edits.carry import Conflict, Meet, Meeting, Square, carry
from gec_fair.edits.diff import diff
from gec_fair.edits.edit import Edit, Edits, edits
from gec_fair.edits.tokens import Tokens, joined, segmented, spaced
from gec_fair.edits.touch import touch

__all__ = [
    "Conflict",
    "Edit",
    "Edits",
    "Meet",
    "Meeting",
    "Square",
    "Tokens",
    "apply",
    "carry",
    "compose",
    "diff",
    "edits",
    "invert",
    "joined",
    "kept",
    "made",
    "rewritten",
    "segmented",
    "spaced",
    "touch",
]
