"""The ground floor: edits over tokens, what is done with them, and its laws. Pure functions; no spaCy, no torch."""

from gec_fair.edits.algebra import apply, compose, edit_words, invert, move, unchanged_positions, written_positions
from gec_fair.edits.carry import Conflict, ConflictRule, Meeting, Square, carry
from gec_fair.edits.diff import diff
from gec_fair.edits.edit import Edit, Edits, edited_places, edits, with_alternatives
from gec_fair.edits.rewriting import Rewriting, Undo, pieces_of, restore
from gec_fair.edits.tokens import Tokens, join_words, split_spaces, words_of

__all__ = [
    "Conflict",
    "ConflictRule",
    "Edit",
    "Edits",
    "Meeting",
    "Rewriting",
    "Square",
    "Tokens",
    "Undo",
    "apply",
    "carry",
    "compose",
    "diff",
    "edit_words",
    "edited_places",
    "edits",
    "invert",
    "join_words",
    "move",
    "pieces_of",
    "restore",
    "split_spaces",
    "unchanged_positions",
    "with_alternatives",
    "words_of",
    "written_positions",
]
