"""NRC's emotion lexicon (Mohammad & Turney 2010), which the user brings instead of the package's small open one."""

from __future__ import annotations

from pathlib import Path

from gec_fair.data.text_files import read_lines
from gec_fair.english.lexicons.emotions import EKMAN, POLARITY, Emotions
from gec_fair.errors import InputError

_KNOWN = frozenset([*EKMAN, *POLARITY])


def read(path: Path) -> Emotions:
    """NRC's word-level file: `word<TAB>emotion<TAB>0 or 1` a line; emotions beyond Ekman's and the polarity are passed
    over. InputError with the line for another file."""
    emotions: dict[str, set[str]] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        word, *rest = line.split("\t")
        if len(rest) != 2 or rest[1].strip() not in ("0", "1"):
            raise InputError(
                f"{path}:{number}: expected word, emotion and 0 or 1, apart by tabs; give NRC's "
                "word-level file, or one of its form"
            )
        word_emotions = emotions.setdefault(word.lower(), set())
        if rest[1].strip() == "1" and rest[0] in _KNOWN:
            word_emotions.add(rest[0])
    if not any(emotions.values()):
        raise InputError(f"{path}: no word in it expresses {', '.join(EKMAN)}; give NRC's word-level file")
    return {word: frozenset(emotions) for word, emotions in emotions.items()}
