"""The ground floor: edits over tokens, seven verbs and their laws. Pure functions; no spaCy, no torch."""

from gec_fair.edits.algebra import apply, compose, invert, rewritten, unchanged_positions, written_positions
from gec_fair.edits.carry import Conflict, ConflictRule, Meeting, Square, carry
from gec_fair.edits.diff import diff
from gec_fair.edits.edit import Edit, Edits, edits
from gec_fair.edits.tokens import Tokens, join_words, segmented, spaced
from gec_fair.edits.touch import touch

__all__ = [
    "Conflict",
    "ConflictRule",
    "Edit",
    "Edits",
    "Meeting",
    "Square",
    "Tokens",
    "apply",
    "carry",
    "compose",
    "diff",
    "edits",
    "invert",
    "join_words",
    "rewritten",
    "segmented",
    "spaced",
    "touch",
    "unchanged_positions",
    "written_positions",
]
