"""SymSpell: the nearest word of a frequency list, for each word that is not in it. It knows no grammar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

from gec_fair.english.letters import like
from gec_fair.extras import require

if TYPE_CHECKING:
    from symspellpy import SymSpell as Speller

DISTANCE = 2  # symspellpy's default
_WORDS = "frequency_dictionary_en_82_765.txt"


class SymSpell:
    """symspellpy with its own English list, edit distance 2, the most frequent of the nearest words."""

    def __init__(self) -> None:
        require("symspell", "evaluate", "symspellpy")

    @property
    def version(self) -> str:
        """SymSpell's version and its edit distance."""
        return f"symspell:{version('symspellpy')}:distance{DISTANCE}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order: each word by itself."""
        return [" ".join(self._word(word) for word in text.split(" ")) for text in texts]

    def _word(self, word: str) -> str:
        """Words of letters alone; numbers, signs and clitics stay."""
        from symspellpy import Verbosity

        if not word.isalpha():
            return word
        suggestions = _load_speller().lookup(word.lower(), Verbosity.TOP, max_edit_distance=DISTANCE)
        return like(word, suggestions[0].term) if suggestions and suggestions[0].term != word.lower() else word


@cache
def _load_speller() -> Speller:
    """The speller with its list, which takes seconds to load."""
    from symspellpy import SymSpell

    speller = SymSpell(max_dictionary_edit_distance=DISTANCE)
    speller.load_dictionary(str(files("symspellpy") / _WORDS), term_index=0, count_index=1)
    return speller
