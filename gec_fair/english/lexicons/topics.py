"""Topics by words (§4.1, Tables 2 to 4): gender from the pronouns and nouns of the package, ethnicity, religion and
LGBTQ+ from `lexicons/topics.tsv`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from gec_fair.english.lexicons import lexicon as lexicons
from gec_fair.english.lexicons.paradigms import Gender, paradigm
from gec_fair.english.lexicons.tables import read_table, shipped_directory, term_tokens

Topic = tuple[str, str]
"""Category and subcategory."""
_COLUMNS = ("category", "subcategory", "term", "note")
_GENDERS = {Gender.MASCULINE: ("gender", "male"), Gender.FEMININE: ("gender", "female")}


@dataclass(frozen=True)
class Topics:
    """`single`: topic by word; `longer`: by first word, terms of several with their topic, the longest first."""

    single: Mapping[str, Topic]
    longer: Mapping[str, Sequence[tuple[tuple[str, ...], Topic]]]

    @cached_property
    def first(self) -> frozenset[str]:
        """Words that a term may begin with."""
        return frozenset([*self.single, *self.longer])

    @property
    def names(self) -> list[Topic]:
        """In the order of the table, gender first."""
        return list(
            dict.fromkeys([*self.single.values(), *(topic for entries in self.longer.values() for _, topic in entries)])
        )

    def count(self, types: Mapping[str, int], sentences: Iterable[Sequence[str]]) -> Counter[Topic]:
        """Tokens of each topic: `types` are lower-cased tokens with how often they stand in `sentences` (lower-cased
        tokens each), which are only looked through for terms of several words."""
        counts: Counter[Topic] = Counter()
        for word in types.keys() & self.single.keys():
            counts[self.single[word]] += types[word]
        if not self.longer.keys().isdisjoint(types):
            for words in sentences:
                counts.update(self._longer(words))
        return counts

    def find(self, words: Sequence[str]) -> set[Topic]:
        """The topics of a sentence of lower-cased tokens."""
        counts = Counter(self.single[word] for word in words if word in self.single)
        counts.update(self._longer(words))
        return {topic for topic, number in counts.items() if number > 0}

    def _longer(self, words: Sequence[str]) -> Counter[Topic]:
        counts: Counter[Topic] = Counter()
        for at, word in enumerate(words):
            for term, topic in self.longer.get(word, ()):
                if tuple(words[at : at + len(term)]) == term:
                    counts[topic] += sum(word != "-" for word in term)
                    counts.subtract(self.single[word] for word in term if word in self.single)  # counted already
                    break
        return counts


@cache
def read_shipped() -> Topics:
    """Gender, and the package's table. The first topic of a word counts."""
    single: dict[str, Topic] = {}
    longer: dict[str, list[tuple[tuple[str, ...], Topic]]] = {}
    for words, topic in (*_read_gendered(), *_others()):
        if len(words) == 1:
            single.setdefault(words[0], topic)
        else:
            longer.setdefault(words[0], []).append((words, topic))
    return Topics(single, {first: sorted(terms, key=lambda term: -len(term[0])) for first, terms in longer.items()})


def _others() -> Iterator[tuple[tuple[str, ...], Topic]]:
    for row in read_table(shipped_directory() / "topics.tsv", _COLUMNS):
        category, subcategory, term, _ = row.cells
        yield from ((tokens, (category, subcategory)) for tokens in term_tokens(term))


def _read_gendered() -> Iterator[tuple[tuple[str, ...], Topic]]:
    for gender, topic in _GENDERS.items():
        yield from (((word,), topic) for word, _ in paradigm(gender.value).readings())
    nouns = lexicons.load(None).nouns
    for term in (*nouns.terms.values(), *nouns.titles.values()):
        if term.gender in _GENDERS:
            yield term.words, _GENDERS[term.gender]
