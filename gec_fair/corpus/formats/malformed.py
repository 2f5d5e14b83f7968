"""What can be wrong with an input line: a closed list, and beside each reason what the user can do."""

from __future__ import annotations

from gec_fair.corpus.outcome import Malformed
from gec_fair.data import compression
from gec_fair.data.user_tables import LONE_CR
from gec_fair.errors import MalformedLine

REMEDIES = {
    **compression.REMEDIES,
    "bad_csv": "close the quotation mark; a quotation mark in a quoted cell is written twice",
    "bad_json": "write one JSON object a line",
    "bad_m2": "see the M2 format in docs/reference/runs.md",
    "bad_type": "write both texts as strings",
    "columns": "if the file has a header or ids, name the columns with --fields",
    "empty_line": "remove the line if it is not meant",
    "empty_source": "remove the pair, or fill in its source",
    "endless_line": "cut the text into chunks with --tokens 256",
    "invalid_utf8": "convert the file to UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8",
    "lone_cr": LONE_CR[1],
    "missing_field": "name the two fields with --fields",
    "nul": "remove the NUL bytes, for example with tr -d '\\000'",
    "surrogate": "replace it: half a surrogate pair is not a character",
    "tab_or_break": "replace the character by a space: pairs.tsv cannot hold it inside a text",
    "too_long": "split the text, or raise --max-words",
    "unpaired_line": "make both files the same length: if a line is missing earlier, every pair after it is wrong",
}


def make_malformed(reason: str, detail: str) -> Malformed:
    """A malformed line with the remedy that belongs to its reason."""
    return Malformed(reason, REMEDIES[reason], detail)


def complaint(file: str, line: int, fault: Malformed) -> MalformedLine:
    """The fault as the user reads it: `pairs.tsv:1041: expected 2 columns, found 3; if the file has …`."""
    return MalformedLine(f"{file}:{line}", fault.detail or fault.reason, fault.remedy)
