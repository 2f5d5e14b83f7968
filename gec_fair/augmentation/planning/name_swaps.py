"""How first names are swapped: each one alike throughout a text.

Ann met Bob . Ann laughed .     Arthur met Bianca . Arthur laughed .
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.swap import NameChange, Swap
from gec_fair.english.letters import like_name
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Gender

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(frozen=True, slots=True)
class Namer:
    """How first names are swapped: `fixed` by the lexicon, or `draw` anew for each text; `keep` if they are not."""

    lexicon: Lexicon
    mode: str = "fixed"
    seed: int = 0

    def mapping(self, names: Mapping[str, Gender | None], text_id: str) -> dict[str, str]:
        """Counterparts of the names of one text, in their own case; one name maps alike throughout the text. A name
        that the lexicon does not list needs its gender, and gets one of its initial that the text does not have."""
        table = self.lexicon.names
        listed = [name for name in names if name.lower() in table.entries]
        if self.mode == "fixed":
            mapping = {name: new for name in listed if (new := table.counterpart(name, proper=True)) is not None}
        else:
            mapping = self._draw_names(listed, f"{self.seed}:{text_id}")
        used = {name.lower() for name in (*names, *mapping.values())}
        for name, gender in names.items():
            if gender is None or name in mapping or name in listed:
                continue
            chance = Random(name.lower() if self.mode == "fixed" else f"{self.seed}:{text_id}:{name.lower()}")
            new = table.draw(name, chance, gender=gender, used=used)
            if new is not None:
                mapping[name] = new
                used.add(new.lower())
        return mapping

    def _draw_names(self, names: Sequence[str], seed: str) -> dict[str, str]:
        chance = Random(seed)
        used = {name.lower() for name in names}
        new_names: dict[str, str] = {}
        for name in dict.fromkeys(name.lower() for name in names):
            new = self.lexicon.names.draw(name.title(), chance, proper=True, used=used)
            if new is not None:
                new_names[name] = new
                used.add(new.lower())
        return {name: like_name(name, new_names[name.lower()]) for name in names if name.lower() in new_names}


def name_swaps(names: Mapping[Token, Gender | None], namer: Namer, text_id: str) -> Iterator[Swap]:
    """The swaps of the names, each with its gender."""
    mapping = namer.mapping({token.text: gender for token, gender in names.items()}, text_id)
    for token, gender in names.items():
        if token.text in mapping:
            yield Swap(token.i, token.i + 1, (mapping[token.text],), NameChange(token.text, mapping, gender))
