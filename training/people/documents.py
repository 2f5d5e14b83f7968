"""Annotated documents for the reader of people: for some words, what they may stand for, which form a *her* or *his*
is, which gender the text gives a person, and which words before are the same person.

Labels are sets, because the sources know different things: a single name of a person in WNUT may be a given name or a
surname, and a capitalised word outside all entities may be anything but a person. Where a word has no label, nothing is
learned from it. Sources: GUM (entities, coreference, trees), LitBank (entities, coreference), GAP, EWT and UD Pronouns
(trees), WNUT 2017, the Broad Twitter Corpus, and sentences of Wikipedia that say themselves what a name is.
"""

from __future__ import annotations

import io
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

sys.path.append(str(Path(__file__).parents[1] / "english"))

import convert
import pronouns
import texts

from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Form, forms_of
from gec_fair.people.links import lexical
from gec_fair.people.reader import Kind

KINDS = tuple(kind.value for kind in Kind)
GENDERS = ("masculine", "feminine", "other")
SOMEBODY = frozenset({"first name", "surname", "person"})
NOBODY = frozenset(KINDS) - SOMEBODY
NO_NAME = NOBODY | {"person"}
OBJECT = frozenset({"object"})
GROUP_PLACE_OR_OBJECT = frozenset({"group", "place", "object"})
"""What ends in *Museum* or *School*; the sentences of Wikipedia do not tell these apart."""
NO_ANTECEDENT = -1
ENTITIES = {
    "per": "person",
    "person": "person",
    "loc": "place",
    "location": "place",
    "gpe": "place",
    "fac": "place",
    "org": "group",
    "corporation": "group",
    "group": "group",
    "product": "object",
    "creative-work": "object",
    "veh": "object",
    "misc": "",
}
"""Their kinds. *MISC* of Wikigold is anything but a person."""
AFTER_A_HEAD = frozenset("of in who that with , at from on whom whose which for to".split())
NO_NOUNS = frozenset(
    "i you he she we they me him her us them my his your our their it who myself himself herself one ones".split()
)
SHE, HE = frozenset("she her hers herself".split()), frozenset("he him his himself".split())


def load(folder: str, name: str) -> ModuleType:
    """A module of another folder of `training/`; several have the same name."""
    known = f"{folder}_{name}"
    if known not in sys.modules:
        path = Path(__file__).parents[1] / folder / f"{name}.py"
        spec = spec_from_file_location(known, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[known] = module
        sys.path.insert(0, str(path.parent))
        sys.modules.pop("data", None)
        spec.loader.exec_module(module)
        sys.path.remove(str(path.parent))
        sys.modules.pop("data", None)
    return sys.modules[known]


coref = load("coref", "data")


@dataclass(frozen=True)
class Document:
    """Words with labels by place. `fold` is the fifth of the documents to which it belongs."""

    name: str
    source: str
    words: list[str]
    starts: list[int]
    kinds: Mapping[int, frozenset[str]] = field(default_factory=dict)
    forms: Mapping[int, Form] = field(default_factory=dict)
    genders: Mapping[int, str] = field(default_factory=dict)
    links: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Right antecedents, places before; `NO_ANTECEDENT` where there may be none."""

    @property
    def fold(self) -> int:
        return texts.fold(self.name)


def read_documents(data: Path, nlp) -> Iterator[Document]:
    """All documents for training, in order; the caller leaves held-out folds and sources out."""
    yield from with_coreference(data, nlp)
    for part in ("train", "dev"):
        for text in texts.read_ewt(data / f"ud/en_ewt-ud-{part}.conllu"):
            yield from_text(text)
    for text in texts.read_wikipedia(data / "babylm/mixed7m/train.wikipedia.txt.xz", nlp):
        document = from_text(text)
        yield replace(
            document,
            kinds={at: GROUP_PLACE_OR_OBJECT if kind == OBJECT else kind for at, kind in document.kinds.items()},
        )
    for corpus in ("wnut17", "btc"):
        yield from read_entities(data / f"ner/{corpus}.train.conll", f"{corpus}.train")
    for path in sorted((data / "ud").glob("en_*.conllu")):
        if "-test" not in path.name:
            yield from with_forms(path)


def from_text(text) -> Document:
    """A text of `texts`."""
    kinds = {at: SOMEBODY if at in text.unsure else frozenset({kind.value}) for at, kind in text.kinds.items()}
    return Document(text.name, text.source, text.words, text.starts, kinds)


# coreference


def with_coreference(data: Path, nlp) -> Iterator[Document]:
    """GUM, LitBank and GAP: kinds, genders and links."""
    for part in ("train", "dev", "test"):
        path = data / f"ud/en_gum-ud-{part}.nonNC.conllu"
        for text, labelled in zip(texts.read_gum(path), coref.read_gum(path), strict=True):
            yield linked(from_text(text), labelled)
    entities = list(litbank_entities(data / "ner/litbank_entities.tar.xz"))
    path = data / "coref/litbank-conll.tar.gz"
    for text, labelled, kinds in zip(texts.read_litbank(path), coref.read_litbank(path), entities, strict=True):
        document = linked(from_text(text), labelled)
        yield replace(document, kinds={**kinds, **document.kinds})
    for part in ("development", "validation"):
        path = data / f"coref/gap-{part}.tsv"
        for text, example in zip(texts.read_gap(path, nlp), coref.read_gap(path), strict=True):
            yield judged(from_text(text), example, nlp)


def linked(document: Document, labelled) -> Document:
    """The links between mentions: of a mention, its last word before *of*, *who* or a comma asks; all such words of
    mentions before it are right."""
    heads: dict[int, list[int]] = defaultdict(list)
    for start, end, who in labelled.mentions:
        heads[who].append(_head(document.words, start, end))
    links: dict[int, frozenset[int]] = {}
    genders: dict[int, str] = {}
    for places in heads.values():
        places = sorted(set(places))
        for number, at in enumerate(places):
            links[at] = frozenset(places[:number]) or frozenset({NO_ANTECEDENT})
        words = {document.words[at].lower() for at in places}
        if gender := _gender(words):
            genders |= {at: gender for at in places if not forms_of(document.words[at].lower())}
    return replace(document, links=links, genders=genders)


def _gender(words: Iterable[str]) -> str:
    words = set(words)
    if words & SHE and words & HE:
        return ""
    return "feminine" if words & SHE else "masculine" if words & HE else "other" if words & {"it", "its"} else ""


def _head(words: Sequence[str], start: int, end: int) -> int:
    return next((at for at in range(start + 1, end) if words[at].lower() in AFTER_A_HEAD), end) - 1


def judged(document: Document, example, nlp) -> Document:
    """GAP says of two names whether a pronoun is theirs; where it is neither's, all other words may be right."""
    doc = nlp.make_doc(example.text)
    at = next((token.i for token in doc if token.idx == example.pronoun_offset), None)
    if at is None:
        return document
    spans = [
        {token.i for token in doc if token.idx + len(token) > offset and token.idx < offset + len(name)}
        for offset, name in zip(example.offsets, example.names, strict=True)
    ]
    right = [span for span, is_right in zip(spans, example.coref, strict=True) if is_right]
    if right:
        gender = "feminine" if example.pronoun.lower() in SHE else "masculine"
        return replace(document, links={at: frozenset(right[0])}, genders=dict.fromkeys(right[0], gender))
    others = frozenset(range(len(doc))) - spans[0] - spans[1] - {at}
    return replace(document, links={at: others | {NO_ANTECEDENT}})


# entities


def spans_of(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of each entity of a sentence with BIO tags; `""` for one that is nobody."""
    start, kind = None, ""
    for at, tag in enumerate([*tags, "O"]):
        inside = tag[2:].lower()
        if start is not None and (tag[0] != "I" or inside != kind):
            yield start, at, ENTITIES[kind]
            start = None
        if tag != "O" and start is None:
            start, kind = at, inside


def kinds_by_entities(words: Sequence[str], entities: Iterable[tuple[int, int, str]]) -> dict[int, frozenset[str]]:
    """Of words that begin with a capital: nobody outside all entities, inside one its kind."""
    kinds = {at: NOBODY for at, word in enumerate(words) if word[:1].isupper() and word.isalpha()}
    for start, end, kind in entities:
        places = [at for at in range(start, end) if words[at][:1].isalpha()]
        if kind != "person":
            kinds.update(dict.fromkeys(places, frozenset({kind}) if kind else NOBODY))
        else:
            kinds.update(_parts(words, places))
    return kinds


def _parts(words: Sequence[str], places: Sequence[int]) -> dict[int, frozenset[str]]:
    """Titles, given names and surname of one person."""
    titles = [at for at in places if words[at].lower() in texts.TITLES]
    names = [at for at in places if at not in titles]
    kinds = dict.fromkeys(titles, frozenset({"person"}))
    if len(names) == 1:
        word = words[names[0]]
        known = lexicon.load().names
        is_given = known.is_name(word, proper=True) and not known.is_surname(word)
        return kinds | {names[0]: frozenset({"first name"}) if is_given else SOMEBODY}
    either = frozenset({"first name", "surname"})
    kinds |= dict.fromkeys(names[1:-1], either)
    if names:
        is_initial = len(words[names[0]].rstrip(".")) == 1
        kinds |= {names[0]: either if is_initial else frozenset({"first name"}), names[-1]: frozenset({"surname"})}
    return kinds


def is_person_noun(word: str) -> bool:
    """*Men, Teachers*: where names alone are annotated, these may be persons all the same."""
    known, lower = lexicon.load().nouns, word.lower()
    return (lower,) in known.terms or (lower,) in known.titles or lexical.load().person.get(lower, 0.0) > 0.2


def read_entities(path: Path, source: str) -> Iterator[Document]:
    """The sentences of a file of words and BIO tags (CoNLL or UNER)."""
    words: list[str] = []
    tags: list[str] = []
    number = 0
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line.startswith("# ") and path.suffix == ".iob2":
            continue
        if line.strip():
            fields = line.split("\t" if "\t" in line else " ")
            word, tag = fields[1:3] if path.suffix == ".iob2" else (fields[0], fields[-1])
            words.append(word)
            tags.append(tag.strip())
        elif words:
            kinds = {
                at: NO_NAME if label == NOBODY and is_person_noun(words[at]) else label
                for at, label in kinds_by_entities(words, spans_of(tags)).items()
            }
            yield Document(f"{source}-{number}", source, words, [0], kinds)
            number += 1
            words, tags = [], []


def litbank_entities(path: Path) -> Iterator[dict[int, frozenset[str]]]:
    """The kinds of nouns and names of each document, in the order of the coreference archive."""
    with tarfile.open(path) as archive:
        for member in sorted((one for one in archive if one.name.endswith(".tsv")), key=lambda one: one.name):
            content = archive.extractfile(member)
            assert content is not None
            rows = [line.split("\t") for line in io.TextIOWrapper(content, "utf-8").read().split("\n") if line.strip()]
            yield _nested(rows)


def _nested(rows: Sequence[Sequence[str]]) -> dict[int, frozenset[str]]:
    """Entities may stand within others: the innermost decides a word."""
    words = [row[0] for row in rows]
    spans = [
        span
        for column in range(1, 5)
        for span in spans_of([row[column].strip() if column < len(row) else "O" for row in rows])
    ]
    kinds = kinds_by_entities(words, ())
    for start, end, kind in sorted(spans, key=lambda span: span[0] - span[1]):
        capitals = [at for at in range(start, end) if words[at][:1].isupper() and words[at].lower() not in NO_NOUNS]
        capitals = [at for at in capitals if words[at].isalpha() and words[at] != "The"]
        head = _head(words, start, end)
        if capitals and kind == "person" and capitals[-1] - capitals[0] == len(capitals) - 1:
            kinds |= _parts(words, capitals)
        elif capitals:
            kinds |= dict.fromkeys(capitals, SOMEBODY if kind == "person" else frozenset({kind}))
        elif words[head].isalpha() and words[head].lower() not in NO_NOUNS:
            kinds[head] = frozenset({kind})
    return kinds


# *her* and *his*


def with_forms(path: Path) -> Iterator[Document]:
    """The sentences of a treebank that have a *her* or *his*."""
    examples = pronouns.treebank(convert.read_documents(path), path.stem)
    for number, example in enumerate(examples):
        yield of_form(example, number)


def of_form(example, number: int) -> Document:
    """An example of `pronouns`."""
    return Document(
        f"{example.source}-form-{number}", "forms", list(example.words), [0], forms={example.at: example.form}
    )
