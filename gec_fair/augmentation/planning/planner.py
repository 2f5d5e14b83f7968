"""Plan rewritings for many texts at once: candidates by their words, then a batched parse, then fm, st or neo.

Most lines of a corpus have no gendered word; they stop at a set test and cost a microsecond each. Only what the
method needs is computed: fm tags its texts, for no word of it is read off a parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning import fm, st
from gec_fair.augmentation.planning.name_swaps import Namer
from gec_fair.augmentation.planning.swap import Plan, SureSwaps, Swaps
from gec_fair.corpus.outcome import Discarded, Left
from gec_fair.english import inflect
from gec_fair.english.foreign import foreign_words
from gec_fair.english.lexicons import lexicon as lexicons
from gec_fair.english.lexicons.paradigms import paradigm, pronoun_tokens, unmistakable_neopronouns
from gec_fair.people.people import NonPersons, people_in

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from gec_fair.people.links import Cluster, Coref

_THEY = frozenset(word for word, _ in paradigm("they").readings()) | {"themselves"}
_BYSTANDERS = _THEY | unmistakable_neopronouns()
_VOCABULARY = 200_000  # words, some 60 MB, after which the pipeline is loaded anew
_COMPOUND = re.compile(r"[^ ]*(?:m[ae]n(?= |$)|\w-\w[^ ]*)")  # what `Nouns.compound` may know


@dataclass(frozen=True)
class Planner:
    """Turns tokenised texts into swaps. The models are loaded when the first candidate comes."""

    options: Options

    @cached_property
    def lexicon(self) -> lexicons.Lexicon:
        """The lexicon of the options, or the shipped one."""
        return lexicons.load(self.options.lexicon or None)

    @cached_property
    def nlp(self) -> Language:
        """The parser, shared within the process."""
        from gec_fair.english import pipeline

        return pipeline.load_shared(self.options.english)

    @cached_property
    def _unused(self) -> tuple[str, ...]:
        """Components of the pipeline that the method does not look at; only the coreference reads lemmas."""
        lemmas = () if self._resolves else ("trainable_lemmatizer", "lemmatizer")
        return ("morphologizer", "ner", "senter", *lemmas)

    @property
    def _resolves(self) -> bool:
        return self.options.method != "fm" and self.options.gate == "coref"

    @cached_property
    def resolver(self) -> Coref:
        """The coreference resolver."""
        from gec_fair.people import links

        return links.load(self.options.coref)

    def load(self) -> None:
        """Load all models now, not with the first candidate, so that forked workers share them."""
        _ = self.lexicon, self.nlp, self.resolver if self._resolves else None
        if self.options.method != "fm":
            inflect.load()

    @cached_property
    def _namer(self) -> Namer:
        return Namer(self.lexicon, self.options.names, self.options.seed)

    @cached_property
    def _lower(self) -> frozenset[str]:
        """Lower-cased words that may be swapped however they are written."""
        if self.options.method != "fm":
            return pronoun_tokens()
        names = [] if self.options.names == "keep" else [n for n in self.lexicon.names.tokens if self._is_name(n)]
        return (self.lexicon.gendered_tokens - self._starters).union(names)

    @cached_property
    def _starters(self) -> frozenset[str]:
        """Words that only begin a multi-word term (*first lady*): common, so the whole term is looked for."""
        nouns = self.lexicon.nouns
        single = {term[0] for term in (*nouns.terms, *nouns.titles) if len(term) == 1}
        return nouns.noun_tokens - single - pronoun_tokens()

    @cached_property
    def _capitalised(self) -> frozenset[str]:
        """Names that are also words: they count with a capital only."""
        if self.options.method != "fm" or self.options.names == "keep":
            return frozenset()
        return frozenset(
            form for n in self.lexicon.names.tokens if not self._is_name(n) for form in (n.capitalize(), n.upper())
        )

    def _is_name(self, lower: str) -> bool:
        return self.lexicon.names.is_name(lower, proper=True)

    def is_candidate(self, words: Sequence[str]) -> bool:
        """Whether the text holds a word of the method: one that may be swapped. For st and neo these are the forms of
        he and she; for fm also the gendered nouns and the first names of the lexicon, however the text uses them. A
        text without one is never rewritten."""
        text = " ".join(words).lower()
        lower = text.split(" ")
        if not self._lower.isdisjoint(lower) or not self._capitalised.isdisjoint(words):
            return True
        if self.options.method != "fm":
            return False
        nouns = self.lexicon.nouns
        if not self._starters.isdisjoint(lower):
            starts = (i for i, word in enumerate(lower) if word in self._starters)
            if any(nouns.swap_noun(lower, i) is not None for i in starts):
                return True
        if "man" not in text and "men" not in text and "-" not in text:
            return False
        return any(nouns.compound(word) is not None for word in _COMPOUND.findall(text))

    def first_candidate(self, words: Sequence[str]) -> str:
        """The word for which a text is a candidate; empty for another text."""
        return words[self._candidates(words)[0]] if self.is_candidate(words) else ""

    def left_without(self, words: Sequence[str]) -> Left | None:
        """Why st and neo leave a text alone that has *they* or a neopronoun already; None for other texts."""
        if self.options.method == "fm" or _BYSTANDERS.isdisjoint(map(str.lower, words)):
            return None
        for reason, forms in (("neo", unmistakable_neopronouns()), ("they", _THEY)):
            if word := next((word for word in words if word.lower() in forms), None):
                return Left(reason, word)
        return None

    def _candidates(self, words: Sequence[str]) -> list[int]:
        """The places of the words for which the text is a candidate."""
        nouns = self.lexicon.nouns
        lower = [word.lower() for word in words]
        places = {
            at
            for at, word in enumerate(words)
            if lower[at] in self._lower
            or word in self._capitalised
            or (lower[at] in self._starters and nouns.swap_noun(lower, at) is not None)
        }
        if places:
            return sorted(places)
        starts = list(accumulate((len(word) + 1 for word in lower), initial=0))
        compounds = (hit for hit in _COMPOUND.finditer(" ".join(lower)) if nouns.compound(hit.group()) is not None)
        return [starts.index(compound.start()) for compound in compounds]

    def plans(self, texts: Sequence[Sequence[str]], ids: Sequence[str]) -> list[Plan]:
        """The swaps of each text, sorted; or why it is not rewritten. `ids` seed what is drawn."""
        foreign = [foreign_words(words) for words in texts]
        english = [n for n, words in enumerate(foreign) if not words]
        plans: list[Plan] = [Left("language", ", ".join(words)) for words in foreign]
        if not english:
            return plans  # no candidate yet: no model is loaded
        docs = self.parse([texts[n] for n in english])
        method = "fm" if self.options.method == "fm" else "st"
        for n, doc, swaps in zip(english, docs, self._swaps(docs, [ids[n] for n in english]), strict=True):
            plan = SureSwaps.from_swaps(doc, swaps, self.lexicon, method) if isinstance(swaps, list) else swaps
            sure = plan.sure if isinstance(plan, SureSwaps) else None
            is_unsure = sure is not None and sure.probability < self.options.min_sure
            plans[n] = Discarded("unsure_who", f"{sure.probability:.3f}, {sure.doubt}") if is_unsure and sure else plan
        return plans

    def _swaps(self, docs: Sequence[Doc], ids: Sequence[str]) -> list[Swaps]:
        """Plan the swaps of texts that are English."""
        non_persons = [
            NonPersons() if self.options.animals else people_in(doc).non_persons(self.lexicon) for doc in docs
        ]
        if self.options.method == "fm":
            plan = partial(
                fm.plan,
                lexicon=self.lexicon,
                namer=self._namer,
                direction=self.options.gender,
                find_candidates=self._candidates,
            )
            texts = zip(docs, ids, non_persons, strict=True)
            return [plan(doc, text_id=name, non_persons=others) for doc, name, others in texts]
        to, gate = self.options.target_paradigm(), self.options.gate == "coref"
        gated = zip(docs, self.clusters(docs), non_persons, strict=True)
        return [st.plan(doc, clusters, to, gate=gate, non_persons=others) for doc, clusters, others in gated]

    def parse(self, texts: Sequence[Sequence[str]]) -> list[Doc]:
        """The texts as parsed (or, for fm, tagged) documents, in order."""
        from gec_fair.english import pipeline

        if len(self.nlp.vocab) > _VOCABULARY:  # spaCy keeps every word it has seen; memory must stay flat
            self.__dict__.pop("nlp")
            pipeline.forget_shared()
        if self.options.method == "fm":
            return list(pipeline.tag(self.nlp, texts))
        return list(pipeline.parse(self.nlp, texts, without=self._unused))

    def clusters(self, docs: Sequence[Doc]) -> Sequence[Sequence[Cluster]]:
        """Coreference clusters, asked for only where the gate needs them."""
        all_clusters: list[Sequence[Cluster]] = [()] * len(docs)
        if self._resolves:
            ambiguous = [n for n, doc in enumerate(docs) if st.needs_clusters(doc)]
            for n, clusters in zip(ambiguous, self.resolver.clusters([docs[n] for n in ambiguous]), strict=True):
                all_clusters[n] = clusters
        return all_clusters
