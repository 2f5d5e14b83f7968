"""Make treebank sentences look like the texts of learners, and keep what the annotators said about them.

A noise is a function (Sentence, Random) -> Sentence. It changes words, or drops leaves and re-indexes the heads; where
the old annotation of a word no longer holds, that column becomes "" (unknown), so nothing false is taught.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from convert import Document, Sentence

Noise = Callable[[Sentence, random.Random], Sentence]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FINAL = {".", "!", "?"}
CURLY = {"'": "’", '"': "”", "``": "“", "''": "”"}
IRREGULAR = {"have": "has", "do": "does", "be": "is", "go": "goes"}

# reading -> word: (nominative, accusative, before a noun, alone, reflexive)
HE = ("he", "him", "his", "his", "himself")
SHE = ("she", "her", "her", "hers", "herself")
NEO = (
    ("xe", "xem", "xyr", "xyrs", "xemself"),
    ("ze", "hir", "hir", "hirs", "hirself"),
    ("ze", "zir", "zir", "zirs", "zirself"),
    ("ey", "em", "eir", "eirs", "eirself"),
    ("fae", "faer", "faer", "faers", "faerself"),
    ("ve", "ver", "vis", "vis", "verself"),
    ("ae", "aer", "aer", "aers", "aerself"),
    ("e", "em", "eir", "eirs", "emself"),
    ("ne", "nem", "nir", "nirs", "nemself"),
    ("sie", "hir", "hir", "hirs", "hirself"),
    ("thon", "thon", "thons", "thons", "thonself"),
    ("co", "co", "cos", "cos", "coself"),
)


def alter(sentence: Sentence, i: int, word: str, **columns: str) -> Sentence:
    """Word `i` becomes `word`; `columns` gives its new lemma, pos, tag or morph."""
    changes = {"words": word, **columns}
    return replace(sentence, **{name: _set(getattr(sentence, name), i, value) for name, value in changes.items()})


def _set(column: tuple, i: int, value: object) -> tuple:
    return (*column[:i], value, *column[i + 1 :])


def drop(sentence: Sentence, gone: set[int]) -> Sentence:
    """The sentence without the leaves `gone`; a word that stood glued to a dropped one gets the dropped one's space."""
    places = [i for i in range(len(sentence)) if i not in gone]
    new = {old: i for i, old in enumerate(places)}
    spaces = list(sentence.spaces)
    for i in sorted(gone):
        if i and sentence.spaces[i]:
            spaces[i - 1] = True
    columns = {
        name: tuple(getattr(sentence, name)[i] for i in places)
        for name in ("words", "lemmas", "pos", "tags", "morphs", "deps")
    }
    return Sentence(
        spaces=tuple(spaces[i] for i in places), heads=tuple(new[sentence.heads[i]] for i in places), **columns
    )


def leaves(sentence: Sentence) -> set[int]:
    return set(range(len(sentence))) - set(sentence.heads)


# --- case, typing, spacing ---------------------------------------------------------------------------------------


def lower_start(sentence: Sentence, rng: random.Random) -> Sentence:
    word = sentence.words[0]
    return sentence if word == "I" else alter(sentence, 0, word.lower())


def all_lower(sentence: Sentence, rng: random.Random) -> Sentence:
    return replace(sentence, words=tuple(word.lower() for word in sentence.words))


def all_upper(sentence: Sentence, rng: random.Random) -> Sentence:
    """Lemmas become unknown: every shouted word would need its own edit tree."""
    words = tuple(word.upper() for word in sentence.words)
    rows = zip(words, sentence.words, sentence.lemmas, strict=True)
    lemmas = tuple(lemma if word == old else "" for word, old, lemma in rows)
    return replace(sentence, words=words, lemmas=lemmas)


def misspell(sentence: Sentence, rng: random.Random, *, rate: float = 0.12) -> Sentence:
    for i, word in enumerate(sentence.words):
        if len(word) >= 4 and word.isalpha() and rng.random() < rate:
            sentence = alter(sentence, i, one_edit(word, rng), lemmas="")
    return sentence


def one_edit(word: str, rng: random.Random) -> str:
    """Delete, double, swap or replace one letter after the first."""
    i = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:i] + word[i + 1 :]
    if kind == 1:
        return word[:i] + word[i] + word[i:]
    if kind == 2:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    return word[:i] + rng.choice(LETTERS) + word[i + 1 :]


def curly(sentence: Sentence, rng: random.Random) -> Sentence:
    return replace(sentence, words=tuple(CURLY.get(w, w.replace("'", "’")) for w in sentence.words))


# --- learners' errors --------------------------------------------------------------------------------------------


def drop_articles(sentence: Sentence, rng: random.Random) -> Sentence:
    free = leaves(sentence)
    gone = {
        i
        for i, word in enumerate(sentence.words)
        if i in free and word.lower() in ("a", "an", "the") and rng.random() < 0.6
    }
    return drop(sentence, gone) if len(gone) < len(sentence) else sentence


def drop_leaf(sentence: Sentence, rng: random.Random) -> Sentence:
    """One function word that nothing depends on is left out (a preposition, a particle, *to*, an auxiliary)."""
    free = [i for i in leaves(sentence) if sentence.deps[i] in ("case", "mark", "aux", "cop", "punct", "cc")]
    return drop(sentence, {rng.choice(sorted(free))}) if free and len(sentence) > 3 else sentence


def unfinished(sentence: Sentence, rng: random.Random) -> Sentence:
    """No final punctuation: followed by a sentence it makes a run-on."""
    last = len(sentence) - 1
    if last < 2 or sentence.words[last] not in FINAL or last not in leaves(sentence):
        return sentence
    return drop(sentence, {last})


def disagree(sentence: Sentence, rng: random.Random) -> Sentence:
    """Third-person verbs lose their -s and others get one; the tag is that of the form that stands there."""
    for i, (tag, pos) in enumerate(zip(sentence.tags, sentence.pos, strict=True)):
        word, lemma = sentence.words[i].lower(), sentence.lemmas[i]
        if pos not in ("VERB", "AUX") or rng.random() < 0.4:
            continue
        if tag == "VBZ" and word == third(lemma) and lemma != "be":
            sentence = alter(sentence, i, lemma, tags="VBP", pos="", morphs="")
        elif tag in ("VBP", "VB") and word == lemma and lemma != "be" and lemma.isalpha():
            sentence = alter(sentence, i, third(lemma), tags="VBZ", pos="", morphs="")
        elif word in ("was", "were"):
            sentence = alter(sentence, i, "were" if word == "was" else "was", pos="", morphs="")
        elif word in ("is", "are") and tag in ("VBZ", "VBP"):
            new, new_tag = ("are", "VBP") if word == "is" else ("is", "VBZ")
            sentence = alter(sentence, i, new, tags=new_tag, pos="", morphs="")
    return sentence


def third(lemma: str) -> str:
    if lemma in IRREGULAR:
        return IRREGULAR[lemma]
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"


# --- pronouns ----------------------------------------------------------------------------------------------------


def reading(sentence: Sentence, i: int) -> int | None:
    """Which of the five forms a he/she pronoun is, by its annotation; None for other words."""
    word, tag, morph = sentence.words[i].lower(), sentence.tags[i], sentence.morphs[i]
    if word in ("himself", "herself"):
        return 4
    if word in ("he", "she"):
        return 0
    if word in ("his", "her", "hers") and (tag == "PRP$" or "Poss=Yes" in morph):
        return 2 if sentence.deps[i] == "nmod:poss" else 3
    return 1 if word in ("him", "her") else None


def put_pronouns(sentence: Sentence, forms: Sequence[str], gender: str) -> Sentence:
    """Every he/she pronoun in the forms of another paradigm, case kept; lemmas of the new words are left unknown."""
    for i, word in enumerate(sentence.words):
        reading_ = reading(sentence, i)
        if reading_ is not None:
            new = forms[reading_]
            new = new.upper() if word.isupper() and len(word) > 1 else new.capitalize() if word[0].isupper() else new
            morph = "|".join(filter(None, (_gender(f, gender) for f in sentence.morphs[i].split("|"))))
            sentence = alter(sentence, i, new, morphs=morph, lemmas="")
    return sentence


def _gender(feature: str, gender: str) -> str:
    return feature if not feature.startswith("Gender=") else gender and f"Gender={gender}"


def neopronouns(sentence: Sentence, rng: random.Random) -> Sentence:
    return put_pronouns(sentence, rng.choice(NEO), "")


def other_gender(sentence: Sentence, rng: random.Random) -> Sentence:
    """he and she exchanged throughout, by the forms of the first one found."""
    words = {word.lower() for word in sentence.words}
    to_she = bool(words & {"he", "him", "his", "himself"})
    return put_pronouns(sentence, SHE, "Fem") if to_she else put_pronouns(sentence, HE, "Masc")


# --- the mixture -------------------------------------------------------------------------------------------------

# (noise, how often in a noised sentence); they add up freely
CASE: tuple[tuple[Noise, float], ...] = ((lower_start, 0.25), (all_lower, 0.15), (all_upper, 0.06))
TYPING: tuple[tuple[Noise, float], ...] = ((misspell, 0.3), (curly, 0.1))
LEARNER: tuple[tuple[Noise, float], ...] = (
    (drop_articles, 0.2),
    (drop_leaf, 0.12),
    (unfinished, 0.25),
    (disagree, 0.25),
)
NEO_SHARE, GENDER_SHARE = 0.12, 0.12  # of the sentences with a he/she pronoun, whether noised or not
WHITE_SPACE = (" ", "  ", "\n", "\n\n", "\t")


def pronoun_noise(sentence: Sentence, rng: random.Random) -> Sentence:
    draw = rng.random()
    if draw >= NEO_SHARE + GENDER_SHARE or not any(reading(sentence, i) is not None for i in range(len(sentence))):
        return sentence
    return neopronouns(sentence, rng) if draw < NEO_SHARE else other_gender(sentence, rng)


def noised(sentence: Sentence, rng: random.Random, *, clean: float) -> Sentence:
    """The sentence as it is with probability `clean`, otherwise one of case, and any of typing and learners' errors."""
    sentence = pronoun_noise(sentence, rng)
    if rng.random() < clean:
        return sentence
    for noise, share in (*LEARNER, *TYPING):
        if rng.random() < share:
            sentence = noise(sentence, rng)
    draw = rng.random()
    for noise, share in CASE:
        draw -= share
        if draw < 0:
            return noise(sentence, rng)
    return sentence


def white_space(sentence: Sentence, rng: random.Random) -> Sentence:
    """A white-space token after a random word, hung on it as spaCy does: `_SP`, never a head."""
    at = rng.randrange(len(sentence)) + 1
    text = rng.choice(WHITE_SPACE)
    row = {"words": text, "spaces": False, "lemmas": text, "pos": "SPACE", "tags": "_SP", "morphs": "", "deps": "dep"}
    heads = [head + (head >= at) for head in sentence.heads]
    columns = {name: _insert(getattr(sentence, name), at, value) for name, value in row.items()}
    return Sentence(heads=_insert(tuple(heads), at, at - 1), **columns)


def _insert(column: tuple, at: int, value: object) -> tuple:
    return (*column[:at], value, *column[at:])


def detached(sentence: Sentence) -> Sentence:
    return replace(sentence, spaces=(True,) * len(sentence))


def chunks(documents: Sequence[Document], seed: int, epoch: int, *, clean: float) -> list[Document]:
    """One epoch: documents cut into 1-12 sentences (a third single), noised, shuffled; one seed, one order."""
    cut = []
    for number, document in enumerate(documents):
        rng = random.Random(f"{seed}/{epoch}/{number}")
        start = 0
        while start < len(document):
            size = 1 if rng.random() < 0.35 else rng.randint(2, 12)
            cut.append(_chunk(document[start : start + size], rng, clean=clean))
            start += size
    random.Random(f"{seed}/{epoch}").shuffle(cut)
    return cut


def _chunk(sentences: Document, rng: random.Random, *, clean: float) -> Document:
    spaced = rng.random() < 0.3
    out = [noised(sentence, rng, clean=clean) for sentence in sentences]
    if spaced:
        out = [detached(sentence) for sentence in out]
    if rng.random() < 0.05:
        i = rng.randrange(len(out))
        out[i] = white_space(out[i], rng)
    return out
