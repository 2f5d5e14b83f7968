"""Examples of *her* and *his* whose form is known: other pronouns of novels, fairy tales, dialogues, child-directed
speech and Wikipedia turned into them, treebanks, and templates.

    I saw him yesterday .   →  I saw her yesterday .      accusative
    They lost their way .   →  They lost her way .        determiner
    Yours is bigger .       →  His is bigger .            independent

*He* and *she* of the sentence are exchanged too, where the pronoun was a form of *he*.
"""

from __future__ import annotations

import csv
import lzma
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random

from lemminflect import getInflection

sys.path.append(str(Path(__file__).parents[1] / "english"))
import convert

from gec_fair.english.letters import like
from gec_fair.english.lexicons.paradigms import Form
from gec_fair.english.lexicons.word_lists import ordered_words, word_list

DETERMINER, ACCUSATIVE, INDEPENDENT = Form.DETERMINER, Form.ACCUSATIVE, Form.INDEPENDENT
TURNED: dict[str, tuple[str, Form]] = {
    **dict.fromkeys(("him", "me", "us", "them"), ("her", ACCUSATIVE)),
    **dict.fromkeys(("my", "our", "their", "your"), ("her", DETERMINER)),
    **dict.fromkeys(("mine", "ours", "theirs", "yours", "hers"), ("his", INDEPENDENT)),
}
"""*His* is not among them: without a parse it is a determiner only before a noun. See `turned`."""
MASCULINE = {"he": "she", "him": "her", "his": "her", "himself": "herself"}
WANTED = re.compile(r"\b(?:" + "|".join((*TURNED, "his")) + r")\b", re.IGNORECASE)
AROUND = 9
"""Words of an example on either side."""
CHARACTERS = 110
SHARES = dict.fromkeys((*TURNED, "his"), 1.0) | {"me": 0.7, "them": 0.7, "my": 0.5, "your": 0.5, "their": 0.7}
"""How much of what a text offers is taken."""


@dataclass(frozen=True)
class Example:
    words: tuple[str, ...]
    at: int
    form: Form
    source: str


def data_folder() -> Path:
    return Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))


def read_lines(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def is_held_out(book: str, folds: int = 12) -> bool:
    """Whether a novel is for the figures alone."""
    return int(sha256(book.encode()).hexdigest(), 16) % folds == 0


def corpora(folder: Path, *, held_out: bool) -> Iterator[tuple[str, str]]:
    """(source, text)."""
    part = "dev" if held_out else "train"
    for name in ("wikipedia", "dialogue", "fairytales", "childes"):
        yield from ((name, line) for line in read_lines(folder / f"babylm/mixed7m/{part}.{name}.txt.xz"))
    chosen = False
    paragraph: list[str] = []
    for line in read_lines(folder / "babylm/gutenberg100.txt.xz"):
        if line.startswith("### "):
            chosen = is_held_out(line) is held_out
        elif chosen and line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            yield "novels", " ".join(paragraph)
            paragraph = []


def turned(nlp, texts: Iterable[tuple[str, str]], rng: Random, shares: dict[str, float] = SHARES) -> Iterator[Example]:
    """Examples from raw text."""
    for source, text in texts:
        for match in WANTED.finditer(text):
            old = match[0].lower()
            if rng.random() >= shares.get(old, 0.0):
                continue
            start = max(0, match.start() - CHARACTERS)
            piece = text[start : match.end() + CHARACTERS]
            piece = piece if start == 0 else piece.partition(" ")[2]
            piece = piece if match.end() + CHARACTERS >= len(text) else piece.rpartition(" ")[0]
            doc = nlp.make_doc(" ".join(piece.split()))
            offset = len(" ".join(text[start : match.start()].split())) if start == 0 else None
            places = [t.i for t in doc if t.lower_ == old and (offset is None or abs(t.idx - offset) <= 2)]
            if places:
                yield from example([t.text for t in doc], places[len(places) // 2], source)


def example(words: Sequence[str], at: int, source: str) -> Iterator[Example]:
    """The example of a pronoun, a few words on either side."""
    words = list(words[max(0, at - AROUND) : at + AROUND + 1])
    at = min(at, AROUND)
    old = words[at].lower()
    following = words[at + 1].lower() if at + 1 < len(words) else ""
    if old == "his":
        if not following[:1].isalpha() or following in word_list("never_after_a_possessive"):
            return  # it may be independent
        new, form = "her", DETERMINER
    elif old in TURNED:
        new, form = TURNED[old]
    else:
        return
    if old == "them" and form is ACCUSATIVE and source == "novels" and following.endswith("s"):
        return  # *them words*, in dialect
    for i, word in enumerate(words):
        if old in MASCULINE and i != at and word.lower() in MASCULINE:
            words[i] = like(word, MASCULINE[word.lower()])
    words[at] = "Her" if new == "her" and words[at][:1].isupper() else like(words[at], new)
    yield Example(tuple(words), at, form, source)
    if old in ("my", "our", "their"):
        words[at] = like(words[at], "his")
        yield Example(tuple(words), at, form, source)


def treebank(documents: Iterable[Iterable], source: str) -> Iterator[Example]:
    """*Her* and *his* of gold trees; `documents` as `training/english/convert.py` reads them."""
    for document in documents:
        for sentence in document:
            for at, word in enumerate(sentence.words):
                if word.lower() == "her":
                    form = DETERMINER if sentence.tags[at] == "PRP$" else ACCUSATIVE
                elif word.lower() == "his":
                    form = DETERMINER if sentence.deps[at].startswith("nmod:poss") else INDEPENDENT
                else:
                    continue
                yield Example(tuple(sentence.words), at, form, source)


# --- templates ---------------------------------------------------------------------------------------------------

FRAMES = {
    "give": "verbs_of_giving",
    "state": "verbs_of_state",
    "see": "verbs_of_perception",
    "let": "verbs_with_a_bare_infinitive",
    "name": "verbs_of_naming",
}
SUBJECTS = [*"he they we you I it she Tom Anna everybody nobody someone people who".split(), "the man", "my friend"]
SUBJECTS += ["his wife", "the police", "our teacher", "the children", "this", "her brother", "Dr. Brown"]
COMMON = {
    "GAVE": "give lend send teach offer tell show pay owe cost wish buy bring promise grant serve".split(),
    "MADE": "let make help".split(),
    "ELECTED": "elect appoint crown make vote choose".split(),
}
ROLES = "queen president captain leader manager secretary chief head chair ambassador director mayor".split()
MASS = "money water advice help food permission information music time courage pleasure access credit love luck".split()
MASS += "hope strength comfort tea coffee bread milk cash attention respect work support trouble peace homework".split()
MASS += "nothing justice fun freedom proof interest French English Spanish history happiness breakfast dinner".split()
PRESENTS = "flowers presents letters chocolates stories questions lies lessons instructions directions tickets".split()
PRESENTS += "sweets gifts messages postcards roses problems examples euros dollars pounds facts jokes things".split()
PERSONS = "mother father sister brother friend boss teacher neighbour son daughter husband cousin uncle aunt".split()
PERSONS += (
    "colleague lawyer doctor parents children president queen captain leader manager secretary grandmother".split()
)
NOUN_VERBS = (
    "dance walk smile laugh sleep work talk cry run swim play look call visit help kiss cook drive drink".split()
)
NOUN_VERBS += (
    "fall fight jump ride rest read sing start stop study travel try use wash watch wait answer promise".split()
)
NOUN_VERBS += "hope love plan question reply show sound stand support taste touch turn voice whisper wish cough".split()
LIKES = "liked loved missed remembered enjoyed hated admired heard recalled mentioned ignored returned praised".split()
BODY = "arm hand leg foot eye ear knee shoulder wrist ankle thumb elbow cheek".split()
TIMES = "day week month year night summer evening morning Sunday Monday winter time spring".split()
ENDS = [
    ".",
    ".",
    ".",
    ".",
    "!",
    "?",
    "",
    "again .",
    "today .",
    "in the evening .",
    ", and then left .",
    "and went home .",
]
ENDS += [
    "for a long time .",
    ", but nobody noticed .",
    "because it was late .",
    "when we met .",
    "at school .",
    "too .",
]
ENDS += [
    "on Friday .",
    "with a smile .",
    "last year .",
    "as well .",
    "before he left .",
    "without a word .",
    "- again .",
]


class Words:
    """Words by tag, as often as the treebanks have them; and verbs by frame."""

    def __init__(self, documents: Iterable[Iterable]) -> None:
        self.by_tag: dict[str, list[str]] = defaultdict(list)
        for document in documents:
            for sentence in document:
                for word, tag in zip(sentence.words, sentence.tags, strict=True):
                    if word.isalpha() and (tag.startswith("NNP") or word.islower()) and len(word) > 1:
                        self.by_tag[tag].append(word)
        for tag, words in self.by_tag.items():
            self.by_tag[tag] = [*words, *sorted(set(words))]  # half by frequency
        being = word_list("copula_forms") | word_list("have_forms_of_twins") | {"do", "does", "did"}
        for tag in ("VBD", "VBZ", "VBP", "VB", "VBG", "VBN"):
            self.by_tag[tag] = [word for word in self.by_tag[tag] if word not in being]
        self.by_tag["IN"] = "in on at by with from through near behind across over under for into".split()

    def fill(self, slot: str, rng: Random) -> str:
        name, _, tag = slot.partition(".")
        if name in FRAMES:
            verb = rng.choice(ordered_words(FRAMES[name]))
            return (getInflection(verb, tag or "VBD") or (verb,))[0]
        if name in COMMON:
            return (getInflection(rng.choice(COMMON[name]), tag or "VBD") or ("",))[0]
        lists = {
            "ROLE": ROLES,
            "MASS": MASS,
            "PRESENTS": PRESENTS,
            "S": SUBJECTS,
            "PERSON": PERSONS,
            "NOUNVERB": NOUN_VERBS,
            "LIKE": LIKES,
            "BODY": BODY,
            "TIME": TIMES,
            "END": ENDS,
        }
        if name in lists:
            return rng.choice(lists[name])
        if name == "N":
            return rng.choice(
                "two three four five six ten twelve 2 3 5 7 10 15 20 25 50 100 300 1,000 9.50 many".split()
            )
        if name == "YEAR":
            return str(rng.randrange(1850, 2026))
        return rng.choice(self.by_tag[name])


def read_templates(path: Path) -> list[tuple[Form, str]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(Form(form), text) for form, _, text in (line.partition("\t") for line in lines[1:])]


def filled(templates: Sequence[tuple[Form, str]], words: Words, rng: Random) -> Iterator[Example]:
    """Every template once, with words drawn anew; one that stands for *her* before something owned for *his* too."""
    for form, text in templates:
        new = re.sub(r"\{([\w.]+)\}", lambda match: words.fill(match[1], rng), text).split()
        at = next(i for i, word in enumerate(new) if word.startswith("<"))
        new[at] = new[at].strip("<>")
        if at == 0 or (new[0].islower() and rng.random() < 0.7):
            new[0] = new[0].capitalize()
        yield Example(tuple(new), at, form, "templates")
        if form is DETERMINER and new[at].lower() == "her":
            new[at] = like(new[at], "his")
            yield Example(tuple(new), at, form, "templates")


def noised(example: Example, rng: Random) -> Example:
    """As learners and forums write, now and then."""
    if rng.random() < 0.4:
        example = sentence_alone(example)
    words = list(example.words)
    if rng.random() < 0.06:
        words = [word.lower() for word in words]
    if rng.random() < 0.08:  # cut behind the pronoun's phrase, or before it
        end = example.at + rng.randrange(2, 6)
        words = words[:end]
    start = rng.randrange(example.at + 1) if rng.random() < 0.08 else 0
    return replace(example, words=tuple(words[start:]), at=example.at - start)


# --- held out -------------------------------------------------------------------------------------------------------


def sentence_alone(example: Example) -> Example:
    """The words from the sentence's beginning to its end, as lines of learner corpora are."""
    ends = [at for at, word in enumerate(example.words) if word in (".", "!", "?")]
    start = max((at + 1 for at in ends if at < example.at), default=0)
    end = min((at + 1 for at in ends if at > example.at), default=len(example.words))
    return replace(example, words=example.words[start:end], at=example.at - start)


SIMPLE_VERBS = "saw met heard called left found helped kept loved told asked watched took sent made thanked".split()
SIMPLE_NOUNS = "husband mother friend brother car bag phone house teacher sister dog room letter key boss son".split()


def simple() -> Iterator[Example]:
    """*Anna saw her friend .*: what nobody may get wrong."""
    for subject in ("She", "Anna", "They", "My teacher"):
        for verb in SIMPLE_VERBS:
            for noun in SIMPLE_NOUNS:
                words = (*subject.split(), verb, "her", noun, ".")
                yield Example(words, len(words) - 3, Form.DETERMINER, "simple")


def hard(path: Path) -> Iterator[Example]:
    """The constructed cases of the tests: never trained on."""
    forms = {"him": Form.ACCUSATIVE, "his": Form.DETERMINER, "her": Form.DETERMINER, "hers": Form.INDEPENDENT}
    with path.open(encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        words = row["text"].split()
        places = [at for at, word in enumerate(words) if word.lower() in ("her", "his")]
        for at, becomes in zip(places, row["becomes"].split(), strict=True):
            yield Example(tuple(words), at, forms[becomes], "constructed")


def learners(nlp, folder: Path) -> Iterator[tuple[str, str]]:
    for level in "ABC":
        for line in (folder / f"gec/wi_train/{level}.train.tsv").read_text(encoding="utf-8").splitlines():
            yield "learners (W&I)", line.partition("\t")[2]


def tests(nlp, folder: Path) -> dict[str, list[Example]]:
    """Held-out examples by kind of text."""
    rng = Random(5)
    shares = dict.fromkeys(("him", "his"), 0.5)
    tests: dict[str, list[Example]] = {}
    for source, text in corpora(folder, held_out=True):
        tests.setdefault(source, []).extend(turned(nlp, [(source, text)], rng, shares))
    for source, text in learners(nlp, folder):
        tests.setdefault(source, []).extend(turned(nlp, [(source, text)], rng, {"him": 1.0, "his": 1.0}))
    mine = {"mine": 1.0, "hers": 1.0, "yours": 1.0, "theirs": 1.0, "ours": 1.0}
    for source, text in corpora(folder, held_out=True):
        tests.setdefault("his for mine, hers, …", []).extend(turned(nlp, [(source, text)], rng, mine))
    her = {name: [e for e in examples if e.words[e.at].lower() == "her"] for name, examples in tests.items()}
    his = tests["his for mine, hers, …"]
    tests = {name: examples[:4000] for name, examples in her.items() if examples} | {"his for mine, hers, …": his}
    unseen = [
        d
        for files in (convert.DEV, convert.TEST)
        for name in files.values()
        for d in convert.read_documents(folder / "ud" / name)
    ]
    tests["treebanks, unseen"] = list(treebank(unseen, "treebanks"))
    short = [sentence_alone(e) for name in ("novels", "learners (W&I)") for e in her[name]]
    tests["sentences of up to 8 words"] = [e for e in short if len(e.words) <= 8]
    tests["simple"] = list(simple())
    tests["constructed"] = list(hard(Path(__file__).parents[2] / "tests/augmentation/precision/her.tsv"))
    return tests
