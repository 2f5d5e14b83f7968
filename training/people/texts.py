"""Words of annotated texts and what they stand for, from GUM, LitBank and GAP.

GUM types every entity; the first and last word of a person's name are told apart by its syntax. LitBank's and GAP's
mentions show persons where *he* or *she* is among them. Words of which the annotation says nothing have no label.
"""

from __future__ import annotations

import csv
import lzma
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

from gec_fair.english import pipeline
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.reader import Kind

TITLES = word_list("masculine_titles") | word_list("feminine_titles") | word_list("titles_of_any_gender")
BEFORE_A_FAMILY_NAME = frozenset(
    "mr mr. mrs mrs. ms ms. miss dr dr. prof prof. professor president senator general".split()
)
BEFORE_A_GIVEN_NAME = frozenset("queen king princess prince aunt uncle saint st st. pope empress emperor".split())
IMPERSONAL = word_list("impersonal_name_words") | word_list("endings_of_a_place_name")
TYPES = {"person": Kind.PERSON, "organization": Kind.GROUP, "place": Kind.PLACE}
SPAN = re.compile(r"\((\d+)-([a-z]+)[^()]*(\)?)|(\d+)\)")
NAME_RELATIONS = ("flat", "compound", "nmod:desc", "appos")


@dataclass(frozen=True)
class Text:
    """A document: its words, what some of them stand for, and where its sentences begin. `unsure` are names of persons
    that may be given or family names."""

    name: str
    source: str
    words: list[str]
    spaces: list[bool]
    kinds: dict[int, Kind]
    unsure: frozenset[int]
    starts: list[int]
    runs: list[tuple[int, ...]] = field(default_factory=list)

    def piece(self, start: int, end: int) -> Text:
        inside = range(start, end)
        return replace(
            self,
            words=self.words[start:end],
            spaces=self.spaces[start:end],
            kinds={at - start: kind for at, kind in self.kinds.items() if at in inside},
            unsure=frozenset(at - start for at in self.unsure if at in inside),
            starts=[at - start for at in self.starts if at in inside],
        )


ENDINGS = (
    word_list("impersonal_name_words") | word_list("endings_of_a_place_name") | word_list("endings_of_a_thing_name")
)
"""Last words of names of places, groups and things that may hold a person's name."""
_PARTICLES = word_list("name_particles")
_BORDERS = frozenset(["", ".", "!", "?", ":", ";", '"', "“", "``"])
SIZES = (1, 1, 1, 2, 3, 5, 8)
"""Sentences of the texts that users have, as often."""


def pieces(text: Text, rng: Random) -> Iterator[Text]:
    at = 0
    borders = [*text.starts, len(text.words)]
    while at < len(text.starts):
        size = rng.choice(SIZES)
        end = min(at + size, len(text.starts))
        yield text.piece(borders[at], borders[end])
        at = end


def fold(name: str, folds: int = 5) -> int:
    """The fifth of the documents to which one belongs, by its name. The first is for the figures alone: it is neither
    trained on nor looked at."""
    return int(sha256(name.encode()).hexdigest(), 16) % folds


def data_folder() -> Path:
    return Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))


def read_texts(folder: Path, nlp) -> list[Text]:
    """All texts, in order; `nlp` cuts GAP's into words."""
    texts = [t for part in ("train", "dev", "test") for t in read_gum(folder / f"ud/en_gum-ud-{part}.nonNC.conllu")]
    texts += read_litbank(folder / "coref/litbank-conll.tar.gz")
    texts += read_gap(folder / "coref/gap-development.tsv", nlp)
    texts += [t for part in ("train", "dev") for t in read_ewt(folder / f"ud/en_ewt-ud-{part}.conllu")]
    return texts + list(read_wikipedia(folder / "babylm/mixed7m/train.wikipedia.txt.xz", nlp))


@dataclass
class Row:
    word: str
    tag: str
    head: int
    dep: str
    space: bool


def read_gum(path: Path) -> Iterator[Text]:
    name, rows, spans, starts, open_ = "", [], [], [], {}
    base = 0
    for line in [*path.read_text(encoding="utf-8").splitlines(), "# newdoc id = "]:
        if line.startswith("# newdoc id"):
            if rows:
                yield _labelled(name, rows, spans, starts)
            name, rows, spans, starts, open_ = line.partition("= ")[2], [], [], [], {}
        fields = line.split("\t")
        if len(fields) != 10 or not fields[0].isdigit():
            continue
        if fields[0] == "1":
            base = len(rows)
            starts.append(base)
        at, head = len(rows), int(fields[6])
        rows.append(
            Row(fields[1], fields[4], base + head - 1 if head else at, fields[7], "SpaceAfter=No" not in fields[9])
        )
        entity = next((part[7:] for part in fields[9].split("|") if part.startswith("Entity=")), "")
        for match in SPAN.finditer(entity):
            number = match[1] or match[4]
            if match[1]:
                open_.setdefault(number, []).append((at, match[2]))
            if (match[3] or match[4]) and open_.get(number):
                start, kind = open_[number].pop()
                spans.append((start, at + 1, kind))


def _labelled(name: str, rows: list[Row], spans: list[tuple[int, int, str]], starts: list[int]) -> Text:
    kinds: dict[int, Kind] = {}
    singles: list[int] = []
    runs: list[tuple[int, ...]] = []
    over: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for span in sorted(spans, key=lambda s: s[1] - s[0]):
        for at in range(span[0], span[1]):
            over[at].append(span)
    for span in spans:
        if span[2] == "person":
            _person(rows, span, over, kinds, singles, runs)
    nouns = lexicon.load().nouns
    for at, row in enumerate(rows):
        if at in kinds or not (row.tag.startswith("NN") or nouns.may_start(row.word.lower())):
            continue
        if not over[at]:
            if not row.tag.startswith("NN"):
                kinds[at] = Kind.NOTHING
            continue
        span = over[at][0]
        if _head(rows, span) == at or span[2] != "person":
            kinds[at] = TYPES.get(span[2], Kind.OBJECT)
    _tell_apart(rows, kinds, singles, runs)
    unsure = frozenset(at for at in singles if kinds.get(at) is Kind.PERSON)
    return Text(name, "gum", [r.word for r in rows], [r.space for r in rows], kinds, unsure, starts, runs)


def _head(rows: Sequence[Row], span: tuple[int, int, str]) -> int:
    return next(
        (at for at in range(*span[:2]) if not span[0] <= rows[at].head < span[1] or rows[at].head == at), span[0]
    )


def _person(
    rows: Sequence[Row],
    span: tuple[int, int, str],
    over: dict[int, list[tuple[int, int, str]]],
    kinds: dict[int, Kind],
    singles: list[int],
    runs: list[tuple[int, ...]],
) -> None:
    head = _head(rows, span)
    named = _thing_named_after(rows, span, head, over)
    if not rows[head].tag.startswith("NNP"):
        if rows[head].tag.startswith("NN"):
            kinds[head] = named or Kind.PERSON
        return
    run = [
        at
        for at in range(*span[:2])
        if at == head
        or (rows[at].head == head and rows[at].dep.startswith(NAME_RELATIONS) and rows[at].tag[:2] == "NN")
    ]
    run = _contiguous(run, head)
    if named is not None:
        kinds.update(dict.fromkeys(run, named))
        return
    first = 0
    while first < len(run) - 1 and (rows[run[first]].word.lower() in TITLES or rows[run[first]].tag in ("NN", "NNS")):
        kinds[run[first]] = Kind.PERSON
        first += 1
    rest = [at for at in run[first:] if len(rows[at].word.rstrip(".")) > 1 and rows[at].tag.startswith("NNP")]
    if len(run) - first >= 2 and rest:
        if rest[0] == run[first]:
            kinds[rest[0]] = Kind.FIRST_NAME
            middle, last = rest[1:-1], rest[-1:] if len(rest) > 1 else []
        else:
            middle, last = rest[:-1], rest[-1:]  # J. Smith
        kinds.update(dict.fromkeys(last, Kind.SURNAME))
        names = lexicon.load().names
        for at in middle:
            kinds[at] = Kind.FIRST_NAME if names.is_name(rows[at].word, proper=True) else Kind.SURNAME
        runs.append(tuple(rest))
    elif rest:
        before = rows[run[first - 1]].word.lower() if first else ""
        if before in BEFORE_A_FAMILY_NAME:
            kinds[rest[0]] = Kind.SURNAME
        elif before in BEFORE_A_GIVEN_NAME:
            kinds[rest[0]] = Kind.FIRST_NAME
        else:
            kinds[rest[0]] = Kind.PERSON
            singles.append(rest[0])


def _contiguous(run: list[int], head: int) -> list[int]:
    """The part of the run around the head without gaps, apart from particles and hyphens."""
    near = [head]
    for at in run:
        if at != head and abs(at - head) <= 4:
            near.append(at)
    return sorted(near)


def _thing_named_after(rows: Sequence[Row], span: tuple[int, int, str], head: int, over) -> Kind | None:
    """The kind of the entity whose name holds a person's: *the [Lucas] Theorem*, *[Eva Perón] Hospital*."""
    above = rows[head].head
    if (
        rows[head].dep not in ("compound", "flat", "nmod:poss")
        or not rows[above].tag.startswith("NNP")
        or above == head
    ):
        return None
    for start, end, kind in over[head]:
        if (start, end) != span[:2] and start <= above < end and not span[0] <= above < span[1] and kind != "person":
            if rows[head].dep == "nmod:poss" and rows[start].tag != "NNP":
                return None
            return TYPES.get(kind, Kind.OBJECT)
    return None


def _tell_apart(rows, kinds: dict[int, Kind], singles: list[int], runs: list[tuple[int, ...]]) -> None:
    """Read a single name as a first name or a surname, as the full names of the text have it."""
    as_given = Counter(rows[at].word for at, kind in kinds.items() if kind is Kind.FIRST_NAME)
    as_family = Counter(rows[at].word for at, kind in kinds.items() if kind is Kind.SURNAME)
    names = lexicon.load().names
    for at in singles:
        word = rows[at].word
        if as_family[word] and not as_given[word]:
            kinds[at] = Kind.SURNAME
        elif (as_given[word] and not as_family[word]) or (
            names.is_name(word, proper=True) and not names.is_surname(word)
        ):
            kinds[at] = Kind.FIRST_NAME


def read_litbank(path: Path) -> Iterator[Text]:
    """Names that have *he* or *she* among the mentions of their person."""
    for number, document in enumerate(load_litbank(path)):
        yield _litbank(f"litbank-{number}", document)


def load_litbank(path: Path) -> list:
    """The documents as `training/coref/data.py` reads them."""
    spec = spec_from_file_location("coref_data", Path(__file__).parents[1] / "coref" / "data.py")
    module = module_from_spec(spec)
    sys.modules["coref_data"] = module
    spec.loader.exec_module(module)
    return module.read_litbank(path)


def _litbank(name: str, document) -> Text:
    words = document.words
    clusters: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for start, end, who in document.mentions:
        clusters[who].append((start, end))
    kinds: dict[int, Kind] = {}
    singles: list[int] = []
    runs: list[tuple[int, ...]] = []
    for mentions in clusters.values():
        singular = sum(e - s == 1 and bool(forms_of(words[s].lower())) for s, e in mentions)
        neuter = sum(e - s == 1 and words[s].lower() in ("it", "its") for s, e in mentions)
        if singular < 1 or neuter:
            continue
        for start, end in mentions:
            run = list(range(start, end))
            if end - start > 4 or not all(words[at][:1].isupper() for at in run) or forms_of(words[start].lower()):
                continue
            if any(words[at].lower() in ("i", "the", "my", "you", "a") for at in run):
                continue
            first = 0
            while first < len(run) - 1 and words[run[first]].lower() in TITLES:
                kinds[run[first]] = Kind.PERSON
                first += 1
            rest = [at for at in run[first:] if len(words[at].rstrip(".")) > 1]
            if len(rest) >= 2:
                kinds[rest[0]], kinds[rest[-1]] = Kind.FIRST_NAME, Kind.SURNAME
                runs.append(tuple(rest))
            elif rest and words[rest[0]].lower() not in TITLES:
                before = words[run[first - 1]].lower() if first else ""
                if before in BEFORE_A_FAMILY_NAME:
                    kinds[rest[0]] = Kind.SURNAME
                elif before in BEFORE_A_GIVEN_NAME:
                    kinds[rest[0]] = Kind.FIRST_NAME
                else:
                    kinds[rest[0]] = Kind.PERSON
                    singles.append(rest[0])
            elif rest:
                kinds[rest[0]] = Kind.PERSON
    rows = [Row(word, "", 0, "", True) for word in words]
    _tell_apart(rows, kinds, singles, runs)
    unsure = frozenset(at for at in singles if kinds[at] is Kind.PERSON)
    return Text(name, "litbank", words, [True] * len(words), kinds, unsure, document.starts, runs)


def read_gap(path: Path, nlp) -> Iterator[Text]:
    """The two names that every text judges, wherever they stand, and the subject of the page."""
    with path.open(encoding="utf-8", newline="") as lines:
        examples = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    for example in examples:
        doc = nlp.make_doc(example["Text"])
        words = [token.text for token in doc]
        title = example["URL"].rpartition("/")[2].partition("(")[0].replace("_", " ").split()
        kinds: dict[int, Kind] = {}
        singles: list[int] = []
        runs: list[tuple[int, ...]] = []
        for letter in "AB":
            start = int(example[f"{letter}-offset"])
            inside = [t.i for t in doc if t.idx + len(t) > start and t.idx < start + len(example[letter])]
            first = 0
            while first < len(inside) - 1 and words[inside[first]].lower() in TITLES:
                kinds[inside[first]] = Kind.PERSON
                first += 1
            rest = [at for at in inside[first:] if len(words[at].rstrip(".")) > 1 and words[at][:1].isupper()]
            if len(inside) - first >= 2 and rest:
                if rest[0] == inside[first]:
                    kinds[rest[0]] = Kind.FIRST_NAME
                if len(rest) > 1 or rest[0] != inside[first]:
                    kinds[rest[-1]] = Kind.SURNAME
                runs.append(tuple(rest))
            elif rest:
                word = words[rest[0]]
                if len(title) >= 2 and title[-1] == word and title[0] != word:
                    kinds[rest[0]] = Kind.SURNAME
                elif len(title) >= 2 and title[0] == word:
                    kinds[rest[0]] = Kind.FIRST_NAME
                else:
                    kinds[rest[0]] = Kind.PERSON
                    singles.append(rest[0])
        rows = [Row(word, "", 0, "", True) for word in words]
        _tell_apart(rows, kinds, singles, runs)
        unsure = frozenset(at for at in singles if kinds.get(at) is Kind.PERSON)
        spaces = [bool(t.whitespace_) for t in doc]
        yield Text(example["ID"], "gap", words, spaces, kinds, unsure, [0], runs)


def runs(words: Sequence[str], tags: Sequence[str]) -> dict[int, tuple[int, int]]:
    """The half-open run of capitalised words around each word that is in one; particles and initials are inside."""
    runs: dict[int, tuple[int, int]] = {}
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (_in_run(words, tags, end) or (end > at and _links(words, tags, end))):
            end += 1
        for i in range(at, end):
            runs[i] = (at, end)
        at = max(end, at + 1)
    return runs


def _in_run(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    if not _is_capitalised(words[at]):
        return False
    if len(words[at]) == 2 and words[at][1] == "." and words[at] != "I.":
        return True  # an initial, which taggers take for a number of a list
    is_first = at == 0 or words[at - 1] in _BORDERS
    return tags[at] in PROPER_NOUNS or (not is_first and tags[at] in ("NN", "NNS", "JJ") and words[at] != "I")


def _links(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """A particle or hyphen between two words of a run: *Ludwig van Beethoven, Jean - Paul*."""
    is_link = words[at].lower() in _PARTICLES or words[at] in ("-", "‐")
    return is_link and at + 1 < len(words) and _in_run(words, tags, at + 1)


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper()


SLOTS = {
    "g": Kind.FIRST_NAME,
    "x": Kind.FIRST_NAME,
    "h": Kind.FIRST_NAME,
    "f": Kind.SURNAME,
    "p": Kind.PLACE,
    "t": Kind.OBJECT,
    "o": Kind.GROUP,
}
MARKS = {"t": Kind.OBJECT, "p": Kind.PLACE, "o": Kind.GROUP, "n": Kind.PERSON, "v": Kind.NOTHING}


def read_templates(path: Path) -> list[list[tuple[str, Kind | None]]]:
    """The texts of `kinds.tsv`: words, and what a slot (`{g}`) or marked word stands for. `{h}` and `{x}` stay."""
    templates = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or line == "text":
            continue
        words: list[tuple[str, Kind | None]] = []
        for word in line.split():
            if word.startswith("{"):
                words.append((word if word in ("{h}", "{x}") else "", SLOTS[word[1]]))
            else:
                text, _, mark = word.partition("|")
                words.append((text, MARKS.get(mark)))
        templates.append(words)
    return templates


_A_PERSON = frozenset("a an the".split())


def read_wikipedia(path: Path, nlp, *, most: int = 9000) -> Iterator[Text]:
    """Sentences of Wikipedia that say themselves what a name stands for: *Ada Lovelace was a …* is a person, and what
    ends in *School*, *Museum* or *Award* is none. Nothing else has a label."""
    names, endings = lexicon.load().names, ENDINGS
    number = 0
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            doc = nlp.make_doc(line.strip())
            words = [token.text for token in doc]
            if not 6 <= len(words) <= 60:
                continue
            [tagged] = pipeline.tag(nlp, [words])
            kinds = _titled(words, [token.tag_ for token in tagged], endings, names) | _introduced(words, names)
            if kinds:
                number += 1
                spaces = [bool(token.whitespace_) for token in doc]
                yield Text(f"wikipedia-{number}", "wikipedia", words, spaces, kinds, frozenset(), [0])
            if number == most:
                return


def _titled(words: Sequence[str], tags: Sequence[str], endings, names) -> dict[int, Kind]:
    """Names inside a run of capitals that ends in a thing."""
    kinds: dict[int, Kind] = {}
    for start, end in set(runs(words, tags).values()):
        last = words[end - 1]
        if (
            end - start < 2
            or tags[end - 1].startswith("JJ")
            or last.lower() not in endings
            or names.is_surname(last)
            or names.is_name(last, proper=True)
        ):
            continue
        kinds.update({at: Kind.OBJECT for at in range(start, end) if words[at][:1].isupper() and len(words[at]) > 2})
    return kinds


def _introduced(words: Sequence[str], names) -> dict[int, Kind]:
    """The name that begins the sentence, where *is a*, *was an* or *( born* follows."""
    end = next((at for at, word in enumerate(words) if not (word[:1].isupper() or word == ".")), len(words))
    known = [word for word in words[:end] if names.is_name(word, proper=True)]
    follows = words[end : end + 2]
    if not 2 <= end <= 4 or len(follows) < 2 or not known or words[0].lower() in TITLES | _A_PERSON:
        return {}
    is_person = (follows[0] in ("is", "was") and follows[1] in _A_PERSON) or follows == ["(", "born"]
    if not is_person or any(word.lower() in ENDINGS for word in words[:end]):
        return {}
    if not any(word in _OF_PERSONS or word.endswith(("ist", "er", "or")) for word in words[end:]):
        return {}
    kinds = {0: Kind.FIRST_NAME, end - 1: Kind.SURNAME}
    kinds.update({at: Kind.FIRST_NAME for at in range(1, end - 1) if names.is_name(words[at], proper=True)})
    again = {words[end - 1]: Kind.SURNAME, words[0]: Kind.FIRST_NAME}
    return kinds | {at: again[word] for at, word in enumerate(words) if at >= end and word in again}


_OF_PERSONS = frozenset("actress politician musician comedian man woman coach historian businessman poet model".split())


def read_ewt(path: Path) -> Iterator[Text]:
    """E-mails and weblogs: names of two words that the treebank calls flat are a person's, whom somebody speaks to is
    one, and a name inside a capitalised compound is none. Nothing else has a label."""
    name, rows, starts = "", [], []
    base = 0
    for line in [*path.read_text(encoding="utf-8").splitlines(), "# newdoc id = "]:
        if line.startswith("# newdoc id"):
            if rows and name.startswith(("email", "weblog")):
                yield _syntactic(name, rows, starts)
            name, rows, starts = line.partition("= ")[2], [], []
        fields = line.split("\t")
        if len(fields) != 10 or not fields[0].isdigit():
            continue
        if fields[0] == "1":
            base = len(rows)
            starts.append(base)
        at, head = len(rows), int(fields[6])
        rows.append(
            Row(fields[1], fields[4], base + head - 1 if head else at, fields[7], "SpaceAfter=No" not in fields[9])
        )


def _syntactic(name: str, rows: list[Row], starts: list[int]) -> Text:
    kinds: dict[int, Kind] = {}
    runs: list[tuple[int, ...]] = []
    names = lexicon.load().names
    ends = [*starts[1:], len(rows)]
    for at, row in enumerate(rows):
        if row.tag != "NNP" or not row.word.istitle() or len(row.word) < 3:
            continue
        flat = [i for i in range(at + 1, min(at + 4, len(rows))) if rows[i].head == at and rows[i].dep == "flat"]
        known = names.is_name(row.word, proper=True)
        if known and len(flat) == 1 and flat[0] == at + 1 and rows[flat[0]].word.istitle() and row.dep != "flat":
            if rows[flat[0]].word.lower() not in IMPERSONAL:
                kinds[at], kinds[flat[0]] = Kind.FIRST_NAME, Kind.SURNAME
                runs.append((at, flat[0]))
        elif known and not flat and row.dep == "vocative":
            kinds[at] = Kind.FIRST_NAME
        elif known and row.dep == "compound" and row.head == at + 1 and rows[row.head].word.lower() in IMPERSONAL:
            kinds[at] = Kind.OBJECT
    for start, end in zip(starts, ends, strict=True):
        words = [at for at in range(start, end) if rows[at].word[:1].isalnum()]
        if len(words) == 1 and names.reading(rows[words[0]].word) == "any" and rows[words[0]].word.istitle():
            kinds[words[0]] = Kind.FIRST_NAME
    return Text(name, "ewt", [r.word for r in rows], [r.space for r in rows], kinds, frozenset(), starts, runs)
