"""What words alone say about a referent: its gender, and how likely it is a person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_fair.english import lexicon
from gec_fair.english.paradigms import Form, Gender
from gec_fair.english.tables import read_table

PERSON_NOUNS = Path(__file__).with_name("person_nouns.tsv")
FREQUENT = 0.01  # of a hundred people; what rarer names say about gender depends too much on the country
FEMININE, MASCULINE = "f", "m"
_GENDER = {Gender.FEMININE: FEMININE, Gender.MASCULINE: MASCULINE}

# lower-cased word -> (gender, form)
PRONOUNS = {
    "he": (MASCULINE, Form.NOMINATIVE),
    "him": (MASCULINE, Form.ACCUSATIVE),
    "his": (MASCULINE, Form.DETERMINER),
    "himself": (MASCULINE, Form.REFLEXIVE),
    "hisself": (MASCULINE, Form.REFLEXIVE),
    "she": (FEMININE, Form.NOMINATIVE),
    "her": (FEMININE, Form.ACCUSATIVE),  # a determiner where the parse says so
    "hers": (FEMININE, Form.INDEPENDENT),
    "herself": (FEMININE, Form.REFLEXIVE),
}
# Pronouns that stand for one person of any gender, as *somebody* in *somebody left his bag*.
INDEFINITE = frozenset(
    "someone somebody everyone everybody anyone anybody noone nobody whoever one each another other".split()
)
TITLES = {
    "mr": MASCULINE,
    "mr.": MASCULINE,
    "mister": MASCULINE,
    "sir": MASCULINE,
    "lord": MASCULINE,
    "king": MASCULINE,
    "prince": MASCULINE,
    "duke": MASCULINE,
    "count": MASCULINE,
    "baron": MASCULINE,
    "father": MASCULINE,
    "brother": MASCULINE,
    "uncle": MASCULINE,
    "pope": MASCULINE,
    "emperor": MASCULINE,
    "monsieur": MASCULINE,
    "mrs": FEMININE,
    "mrs.": FEMININE,
    "ms": FEMININE,
    "ms.": FEMININE,
    "miss": FEMININE,
    "madam": FEMININE,
    "madame": FEMININE,
    "lady": FEMININE,
    "queen": FEMININE,
    "princess": FEMININE,
    "duchess": FEMININE,
    "countess": FEMININE,
    "baroness": FEMININE,
    "dame": FEMININE,
    "sister": FEMININE,
    "mother": FEMININE,
    "aunt": FEMININE,
    "empress": FEMININE,
    "mademoiselle": FEMININE,
    **dict.fromkeys(
        "dr dr. doctor prof prof. professor president senator governor judge justice minister general colonel "
        "captain major lieutenant sergeant admiral commander officer inspector detective chief rev. reverend bishop "
        "archbishop cardinal saint st. rabbi agent secretary chancellor mayor congressman ambassador coach "
        "marshal corporal private master gen gen. lt lt. capt capt. col col. sgt sgt. gov gov. sen sen. rep rep. "
        "maj".split()
    ),
}
# Names that are no person's: a head word of these, or these alone.
NO_PERSON = frozenset(
    "january february march april june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday university college school institute academy museum church hospital company "
    "inc inc. corp corp. ltd ltd. records entertainment studios pictures press magazine times post river lake mount "
    "street avenue road county city state states kingdom republic island islands park bridge airport station house "
    "party committee council association society league club team united fc band festival award awards prize cup "
    "championship championships games olympics war battle christmas easter bible congress parliament senate "
    "north south east west america europe asia africa australia england britain france germany italy spain russia "
    "china japan india canada london paris york washington california texas english french german american british "
    "internet facebook youtube google bbc tv uk us usa eu".split()
)
PARTICLES = frozenset("von van de del della der den di da du la le el al bin ibn ben ter dos des y".split())
COMMUNICATION = frozenset(
    "say tell ask reply answer state claim announce explain add argue believe think write report admit suggest "
    "declare insist note describe call recall shout cry whisper inform promise warn confess know feel want "
    "decide".split()
)
NAMING = frozenset({"name", "call", "nickname", "dub"})
PLACING = frozenset({"in", "at", "near", "into", "through", "across", "within", "inside", "outside", "around"})
AGENTIVE = ("ist", "ian", "man", "woman", "boy", "girl", "person", "mate", "eer", "phile", "crat", "ologist")


@dataclass(frozen=True, slots=True)
class Lexical:
    """Lower-cased tables. `names` and `nouns` give genders; those of the names in `settled` can be relied on, the
    others are first names that are rare, or surnames too. `person` and `animal` are shares of a noun's readings."""

    names: dict[str, str]
    settled: frozenset[str]
    nouns: dict[str, str]
    person: dict[str, float]
    animal: dict[str, float]


@cache
def load() -> Lexical:
    """The package's lexicons as this room needs them; about 20 ms, once."""
    shipped = lexicon.load()
    entries = shipped.names.entries
    names = {word: _GENDER[name.gender] for word, name in entries.items()}
    settled = frozenset(word for word, name in entries.items() if (name.share or 0.0) >= FREQUENT and not name.surname)
    nouns = {words[0]: _GENDER[term.gender] for words, term in shipped.nouns.terms.items() if len(words) == 1}
    rows = read_table(PERSON_NOUNS, ("noun", "person", "animal"))
    person = {row.cells[0]: float(row.cells[1]) for row in rows}
    animal = {row.cells[0]: float(row.cells[2]) for row in rows if row.cells[2] != "0.00"}
    return Lexical(names, settled, nouns, person, animal)


def noun_gender(lexical: Lexical, lemma: str) -> str | None:
    """The gender that a noun has by definition: *queen*, *salesman*, *step-sister*."""
    found = lexical.nouns.get(lemma)
    if (found is None and lemma.endswith(("man", "woman"))) or "-" in lemma:
        term = lexicon.load().nouns.compound(lemma)
        found = _GENDER[term.gender] if term else None
    return found


def personhood(lexical: Lexical, lemma: str) -> float:
    """0 to 1: how likely a common noun names a person, by WordNet, else by its ending."""
    known = lexical.person.get(lemma)
    if known is not None:
        return known
    last = lemma.rpartition("-")[2]
    if last != lemma and last in lexical.person:
        return lexical.person[last]
    if noun_gender(lexical, lemma):
        return 1.0
    return 0.6 if lemma.endswith(AGENTIVE) and len(lemma) > 5 else 0.0
