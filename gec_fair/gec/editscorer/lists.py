"""Candidates from files: what other systems or annotators did to the same sentences."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from gec_fair.edits import diff
from gec_fair.errors import InputError
from gec_fair.evaluate.scoring.texts import check_lines, is_m2, read_reference, read_texts
from gec_fair.gec.editscorer.candidates import Candidate, Words, tidy


class Listed:
    """A generator that has read files: M2 (every annotator's edits of the sentences in it) or hypotheses, line by line
    with `sources`, diffed against them. It gives no ratios.

    InputError for a file that cannot be read, and for hypotheses of another number of lines.
    """

    def __init__(self, paths: Sequence[Path], sources: Sequence[Words], *, name: str) -> None:
        """`name` is where the sources come from, for messages."""
        candidates_of: dict[Words, list[Candidate]] = {}
        digest = sha256()
        for path in paths:
            for source, candidate in _read(path, sources, name):
                known = candidates_of.setdefault(source, [])
                if candidate is not None:
                    known.append(candidate)
            digest.update(path.read_bytes())
        self._found = {source: tidy(source, candidates) for source, candidates in candidates_of.items()}
        self.version = f"lists:{digest.hexdigest()[:20]}"

    def __call__(self, texts: Sequence[Words]) -> list[tuple[Candidate, ...] | None]:
        """InputError for a text that is in none of the files."""
        missing = next((text for text in texts if text and text not in self._found), None)
        if missing is not None:
            raise InputError(f"no candidate list has the sentence {' '.join(missing)[:80]!r}; give one that does")
        return [self._found.get(text, ()) for text in texts]


def _read(path: Path, sources: Sequence[Words], name: str) -> list[tuple[Words, Candidate | None]]:
    """Each sentence with one of its candidates, and with None so that a sentence without any is known."""
    rows: list[tuple[Words, Candidate | None]] = []
    if is_m2(path):
        read = read_reference(path)
        for source, annotators in zip(read.sources, read.annotators, strict=True):
            rows.append((source, None))
            rows += [
                (source, Candidate(variant)) for their in annotators for edit in their for variant in edit.variants()
            ]
        return rows
    texts = read_texts(path)
    check_lines(path, len(texts), len(sources), name)
    for source, text in zip(sources, texts, strict=True):
        rows.append((source, None))
        rows += [(source, Candidate(edit)) for edit in diff(source, text)]
    return rows
