"""A sample of rewritings to read, verdicts that outlive the next version, and what they add up to.

    python benchmarks/reading.py draw --corpus wi --method fm -n 300 -o wi-fm.tsv          # what to read
    python benchmarks/reading.py draw --corpus news --method race -n 100 -o race.tsv       # of the perturber, by axis
    python benchmarks/reading.py draw --corpus snli --method razor -n 100 -o snli.tsv      # of `razor run`, by rules
    python benchmarks/reading.py draw --corpus wi --method fm -n 300 --new -o more.tsv     # only what nobody has read
    python benchmarks/reading.py draw --corpus wi --method st-none --outcome discarded -o lost.tsv   # what is withheld
    python benchmarks/reading.py record wi-fm.tsv --reader one                             # keep the verdicts
    python benchmarks/reading.py summary                                                   # shares and agreement
    python benchmarks/reading.py changed --corpus news -n 700                              # how many are perturbed
    python benchmarks/reading.py changed --corpus news --seen                              # of what a reader saw

`draw` puts the lines of a corpus in an order that depends on the seed alone and takes the first N that the method
rewrites. So two versions of the code read the same lines, and a rewriting that has not changed keeps its verdict. The
TSV has the original with its edits marked, `[He→She] told {her←his}` on two lines where the source differs, and signs
of what might be wrong: names swapped, pronouns left, a verb beside *they*. The reader fills in two columns:

    verdict    clean, weak (odd, but usable) or severe (a wrong sentence, or another person, or another correction)
    class      what is wrong, in a word: name, half, gate, contraction, her, noun, agreement, source, thing, pair, other

Of a text that is discarded or left, clean means that it is withheld rightly, and severe that it could have been
rewritten; `draw --outcome` prints how many lines end so, by reason.

`reading/axes.tsv` has the texts, of 400 of a corpus, in which a reader saw somebody's gender, race or age.

`record` keeps digest, corpus, line, verdict, class and reader in `benchmarks/reading/verdicts.tsv`; no sentence. A
corpus is a name below, or a file: a TSV of pairs, or plain text.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import combinations, pairwise
from pathlib import Path

import gec_fair as gf
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.corpus.outcome import Discarded, Left, name_of
from gec_fair.corpus.records import Pair
from gec_fair.english.inflect import is_closed_singular
from gec_fair.english.lexicons.paradigms import pronoun_tokens
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.documents import read as read_documents
from gec_fair.razor.options import RewriteOptions
from gec_fair.razor.rewriting.loop import RewritingLoop
from gec_fair.razor.rewriting.rules import Rules
from gec_fair.razor.rewriting.verifiers import Nobody

VERDICTS = Path(__file__).parent / "reading" / "verdicts.tsv"
AXES_SEEN = VERDICTS.with_name("axes.tsv")
COLUMNS = ("digest", "corpus", "method", "line", "verdict", "class", "reader")
KEY = ("corpus", "method", "line", "digest", "reader")
LEVELS = ("clean", "weak", "severe")
DRAWN = ("digest", "corpus", "method", "line", "verdict", "class", "signs", "text")
METHODS = {
    "fm": {"method": "fm"},
    "st": {"method": "st"},
    "st-none": {"method": "st", "gate": "none"},
}
AXES = ("gender", "race", "age")
"""Methods as well: one word of this axis is perturbed."""
RAZOR = "razor"
"""A method of snli, mnli and fever: what `razor run --rewriter rules --verifier none --top 1000` wrote."""
SENTENCES = 3
"""Of a snippet of running text."""
BATCH = 512
OUTCOMES = ("augmented", "left", "discarded")
WITH_A_WORD = 20_000


@dataclass(frozen=True)
class Line:
    """A numbered pair, or a text (`target` is then empty)."""

    number: str
    source: str
    target: str = ""


@dataclass(frozen=True)
class Drawn:
    """A rewriting as the reader sees it; `digest` names original and rewriting together."""

    number: str
    digest: str
    signs: str
    text: str


def data() -> Path:
    return Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))


def read_wi() -> Iterator[Line]:
    for level in "ABC":
        yield from read_pairs(data() / f"gec/wi_train/{level}.train.tsv", f"{level}:")


def read_pairs(path: Path, prefix: str = "") -> Iterator[Line]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        source, _, target = line.partition("\t")
        yield Line(f"{prefix}{number}", source, target)


def read_novels() -> Iterator[Line]:
    """Three sentences from every paragraph that has so many."""
    with lzma.open(data() / "babylm/gutenberg100.txt.xz", "rt", encoding="utf-8") as file:
        for number, paragraph in enumerate(file.read().split("\n\n"), 1):
            sentences = re.split(
                r'(?<=[.!?]["”])\s+(?=[A-Z"“])|(?<=[a-z][.!?])\s+(?=[A-Z"“])', " ".join(paragraph.split())
            )
            if len(sentences) >= SENTENCES:
                yield Line(str(number), " ".join(sentences[:SENTENCES]))


def read_gap() -> Iterator[Line]:
    """Encyclopedia paragraphs about people."""
    with (data() / "coref/gap-validation.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Line(row["ID"], row["Text"])


def read_wikipedia() -> Iterator[Line]:
    yield from _read_mixed("dev.wikipedia")


def read_encyclopedia() -> Iterator[Line]:
    """More of the same, none of it in `wikipedia`."""
    yield from _read_mixed("train.wikipedia")


def read_childes() -> Iterator[Line]:
    yield from _read_mixed("dev.childes")


def _read_mixed(part: str) -> Iterator[Line]:
    with lzma.open(data() / f"babylm/mixed7m/{part}.txt.xz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield Line(str(number), line.strip())


def read_gum() -> Iterator[Line]:
    yield from snippets("en_gum-ud-{}.nonNC.conllu", lambda name: True)


def read_forum() -> Iterator[Line]:
    yield from snippets("en_ewt-ud-{}.conllu", lambda name: name.startswith(("answers", "reviews", "newsgroup")))


def read_news() -> Iterator[Line]:
    """News, interviews, newsgroups and web logs."""
    yield from snippets("en_gum-ud-{}.nonNC.conllu", lambda name: name.startswith(("GUM_news", "GUM_interview")))
    yield from snippets("en_ewt-ud-{}.conllu", lambda name: name.startswith(("newsgroup", "weblog")))


def read_social() -> Iterator[Line]:
    """Answers, reviews and Reddit."""
    yield from snippets("en_ewt-ud-{}.conllu", lambda name: name.startswith(("answers", "reviews")))
    yield from snippets("en_gum-ud-{}.nonNC.conllu", lambda name: name.startswith("GUM_reddit"))


def read_mixed() -> Iterator[Line]:
    """Children's talk, Wikipedia, answers and reviews, news."""
    for name in ("childes", "wikipedia", "social", "news"):
        for line in CORPORA[name]():
            yield Line(f"{name}:{line.number}", line.source)


def snippets(pattern: str, wanted: Callable[[str], bool]) -> Iterator[Line]:
    """Runs of three sentences of a document, from the treebanks' texts."""
    for part in ("train", "dev", "test"):
        path = data() / "ud" / pattern.format(part)
        run: list[str] = []
        first = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(" = ")
            if key == "# newdoc id":
                run = []
            elif key == "# sent_id":
                first = first if run else value
            elif key == "# text" and wanted(first):
                run.append(value)
            if len(run) == SENTENCES:
                yield Line(first, " ".join(run))
                run = []


def read_claims(corpus: str) -> Iterator[Line]:
    """Half of the documents, drawn by their text."""
    for document in documents(corpus):
        if int(sha256(f"C{document.text.strip()}".encode()).hexdigest(), 16) % 2:
            yield Line(document.id, document.text)


@cache
def documents(corpus: str) -> list[Document]:
    """Hypotheses of SNLI and MNLI, or FEVER's claims that are supported or refuted."""
    if corpus != "fever":
        return read_documents(data() / "nli" / corpus / "dev.csv")[0]
    rows = json.loads((data() / "fever/claims_dev/shared_task_dev_claims.json").read_text(encoding="utf-8"))
    return [
        Document(str(row["id"]), row["label"], row["claim"]) for row in rows if row["label"] in ("SUPPORTS", "REFUTES")
    ]


@cache
def razor(corpus: str) -> dict[str, str]:
    """The new texts of a whole corpus, by document."""
    loop = RewritingLoop(documents(corpus), RewriteOptions(top=1000), Rules(), Nobody())
    loop.make(lambda one_pass: None)
    return dict(zip([document.id for document in loop.documents], loop.texts, strict=True))


CORPORA: dict[str, Callable[[], Iterator[Line]]] = {
    "wi": read_wi,
    "novels": read_novels,
    "gum": read_gum,
    "gap": read_gap,
    "wikipedia": read_wikipedia,
    "encyclopedia": read_encyclopedia,
    "childes": read_childes,
    "forum": read_forum,
    "news": read_news,
    "social": read_social,
    "mixed": read_mixed,
    **{name: partial(read_claims, name) for name in ("snli", "mnli", "fever")},
}


def read(corpus: str) -> list[Line]:
    if corpus in CORPORA:
        return list(CORPORA[corpus]())
    path = Path(corpus)
    if path.suffix == ".tsv":
        return list(read_pairs(path))
    return [Line(str(number), line) for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]


def ordered(lines: Sequence[Line], seed: int) -> list[Line]:
    return sorted(lines, key=lambda line: sha256(f"{seed}:{line.number}".encode()).digest())


def draw(corpus: str, method: str, n: int, seed: int, skip: frozenset[str] = frozenset()) -> list[Drawn]:
    """The first `n` lines that are rewritten and whose digest is not among `skip`."""
    lines = ordered(read(corpus), seed)
    drawn: list[Drawn] = []
    for at in range(0, len(lines), BATCH):
        drawn += [one for one in rewrite(lines[at : at + BATCH], method, corpus) if one.digest not in skip]
        if len(drawn) >= n:
            break
    return drawn[:n]


def rewrite(lines: Sequence[Line], method: str, corpus: str = "") -> Iterator[Drawn]:
    """Those of the lines that the method rewrites."""
    if method == RAZOR:
        yield from _by_rules(lines, corpus)
        return
    if method in AXES:
        yield from _perturbed(lines, method)
        return
    options = dict(METHODS[method])
    name = options.pop("method")
    pairs = [line for line in lines if line.target]
    for line, item in zip(pairs, gf.augment([(p.source, p.target) for p in pairs], name, **options), strict=True):
        if item.outcome == "augmented":
            yield _pair(line, item)
    texts = [line for line in lines if not line.target]
    for line, new in zip(texts, gf.rewrite([text.source for text in texts], name, **options), strict=True):
        if new != line.source:
            old, rewritten = _words(line.source), _words(new)
            yield Drawn(
                line.number, digest_of(line.source, "", new, ""), _signs(old, rewritten), _marked(old, rewritten)
            )


def draw_withheld(corpus: str, method: str, n: int, seed: int, outcome: str) -> tuple[list[Drawn], Counter[str]]:
    """Among the first 20,000 lines with a word of the method, how many end how; and the first `n` with that outcome."""
    options = Options(**METHODS[method])
    rewriter = Rewriter(options)
    augmenter = Augmenter(options)
    counts: Counter[str] = Counter()
    drawn: list[Drawn] = []
    lines = ordered(read(corpus), seed)
    for at in range(0, len(lines), BATCH):
        batch = lines[at : at + BATCH]
        step = augmenter if batch[0].target else rewriter.step
        pairs = [Pair(corpus, at + n, line.source, line.target) for n, line in enumerate(batch)]
        for line, ended in zip(batch, step(pairs), strict=True):
            name = name_of(ended)
            counts[name] += 1
            if isinstance(ended, Discarded | Left):
                counts[f"{name}: {ended.reason}"] += 1
                if name == outcome:
                    text = f"{line.source} ⇒ {line.target}" if line.target else line.source
                    digest = digest_of(line.source, line.target, f"{name}: {ended.reason}")
                    drawn.append(Drawn(line.number, digest, f"{ended.reason}: {ended.detail}", text))
        if sum(counts[name] for name in OUTCOMES) >= WITH_A_WORD:
            break
    return drawn[:n], counts


def _by_rules(lines: Sequence[Line], corpus: str) -> Iterator[Drawn]:
    new = razor(corpus)
    for line in lines:
        if new[line.number] != line.source:
            text = _marked(_words(line.source), _words(new[line.number]))
            yield Drawn(line.number, digest_of(line.source, "", new[line.number], ""), "", text)


def _perturbed(lines: Sequence[Line], axis: str) -> Iterator[Drawn]:
    for line, item in zip(lines, gf.perturb([line.source for line in lines], axes=(axis,)), strict=True):
        if item.changed:
            text = _marked(_words(line.source), _words(item.text))
            digest = digest_of(line.source, "", item.text, "")
            yield Drawn(line.number, digest, f"{item.word}: {item.old} → {item.new}", text)


def changed(lines: Sequence[Line], axis: str) -> tuple[int, int]:
    """How many texts the perturber changes, of how many that have a word of the axis."""
    perturbing = Perturbing(PerturbOptions(axes=(axis,)))
    texts = [(line.source,) for line in lines]
    named = [read.at for read in perturbing.read(texts) if any(word.axis == axis for word in read.words)]
    outcomes = perturbing([texts[at] for at in named], [str(at) for at in named])
    return sum(outcome.rewriting is not None for outcome in outcomes), len(named)


def changed_of_seen(corpus: str, axis: str) -> tuple[int, int]:
    """How many texts the perturber changes, of those in which a reader saw the axis."""
    seen = {row["line"] for row in read_verdicts(AXES_SEEN) if row["corpus"] == corpus and axis in row["axes"].split()}
    lines = [line for line in read(corpus) if line.number in seen]
    return len(list(_perturbed(lines, axis))), len(lines)


def _pair(line: Line, item: gf.Augmentation) -> Drawn:
    source, target = (old.split(" ") for old in (line.source, line.target))
    new_source, new_target = item.source.split(" "), item.target.split(" ")
    text = _marked(target, new_target)
    if line.source != line.target:
        text = f"{_marked(source, new_source)} ⇒ {text}"
    digest = digest_of(line.source, line.target, item.source, item.target)
    return Drawn(line.number, digest, _signs(target, new_target), text)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]|\s+", text)


def digest_of(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


def _marked(old: Sequence[str], new: Sequence[str]) -> str:
    """`[He→She] told [his→her] friend`, from the words of both sides."""
    from difflib import SequenceMatcher

    space = "" if any(not word.strip() for word in old) else " "
    parts = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = space.join(old[a:b]), space.join(new[c:d])
        parts.append(before if tag == "equal" else f"[{before}→{after}]")
    return space.join(parts)


def _signs(old: Sequence[str], new: Sequence[str]) -> str:
    """What might be wrong: changed names, he/she words that are still there, a singular verb behind *they*."""
    signs = []
    changed = [word for word in new if word[:1].isupper() and word not in old and word.lower() not in pronoun_tokens()]
    if changed:
        signs.append("names " + " ".join(dict.fromkeys(changed)))
    left = Counter(word.lower() for word in new if word.lower() in pronoun_tokens())
    left &= Counter(word.lower() for word in old)
    if left:
        signs.append("left " + " ".join(sorted(left)))
    words = [word for word in new if word.strip()]
    for subject, verb in pairwise(words):
        if subject.lower() == "they" and is_closed_singular(verb):
            signs.append(f"they {verb}")
    return "; ".join(signs)


def read_verdicts(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def record(path: Path, reader: str) -> None:
    """Add the verdicts of a TSV that `draw` wrote; a reader's newer verdict replaces the older one."""
    by_reader = {tuple(row[name] for name in KEY): row for row in read_verdicts(VERDICTS)}
    for number, row in enumerate(read_verdicts(path), 2):
        verdict = row["verdict"].strip()
        if not verdict:
            continue
        if verdict not in LEVELS:
            sys.exit(f"{path}:{number}: verdict is {', '.join(LEVELS)}, not {verdict!r}")
        if verdict != "clean" and not row["class"].strip():
            sys.exit(f"{path}:{number}: {verdict} needs a class")
        read = {**{name: row[name].strip() for name in COLUMNS[:-1]}, "reader": reader}
        by_reader[tuple(read[name] for name in KEY)] = read
    rows = sorted(
        by_reader.values(), key=lambda row: (row["corpus"], row["method"], row["line"], row["digest"], row["reader"])
    )
    write(VERDICTS, COLUMNS, rows)
    print(f"{len(rows)} verdicts in {VERDICTS}")


def write(path: Path, columns: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        writer.writeheader()
        writer.writerows({name: row[name] for name in columns} for row in rows)


def summarise(rows: Sequence[dict[str, str]]) -> list[tuple[str, ...]]:
    """For each corpus, method and reader: how many were read, and the shares of clean and not severe."""
    groups: dict[tuple[str, str, str], list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        groups[row["corpus"], row["method"], row["reader"]].append(row)
    lines = []
    for name, group in sorted(groups.items()):
        levels = Counter(row["verdict"] for row in group)
        n = len(group)
        faults = Counter(row["class"] for row in group if row["verdict"] == "severe")
        lines.append(
            (
                *name,
                str(n),
                f"{100 * levels['clean'] / n:.1f}",
                f"{100 * (n - levels['severe']) / n:.1f}",
                ", ".join(f"{fault} {count}" for fault, count in faults.most_common()),
            )
        )
    return lines


def kappa(rows: Sequence[dict[str, str]]) -> list[str]:
    """Cohen's κ of every two readers over the rewritings that both have read: clean or not, and severe or not."""
    by_reader: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        by_reader[row["reader"]][f"{row['method']}:{row['line']}:{row['digest']}"] = row["verdict"]
    lines = []
    for one, two in combinations(sorted(by_reader), 2):
        shared = sorted(by_reader[one].keys() & by_reader[two].keys())
        for question, level in (("clean", "clean"), ("severe", "severe")):
            answers = [(by_reader[one][d] == level, by_reader[two][d] == level) for d in shared]
            if answers:
                lines.append(f"{one}, {two}: {question} or not, n {len(answers)}, κ {cohen(answers):.2f}")
    return lines


def cohen(answers: Sequence[tuple[bool, bool]]) -> float:
    n = len(answers)
    agreed = sum(a == b for a, b in answers) / n
    p, q = (sum(answer[k] for answer in answers) / n for k in (0, 1))
    chance = p * q + (1 - p) * (1 - q)
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw", help="rewrite, and write what is to be read")
    drawing.add_argument("--corpus", required=True, help=f"{', '.join(CORPORA)}, a TSV of pairs or a text file")
    drawing.add_argument("--method", choices=(*METHODS, *AXES, RAZOR), required=True)
    drawing.add_argument("-n", type=int, default=300, help="(%(default)s)")
    drawing.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    drawing.add_argument("--new", action="store_true", help="leave out what has a verdict")
    drawing.add_argument("--outcome", choices=OUTCOMES, default="augmented", help="of fm and st (%(default)s)")
    drawing.add_argument("-o", "--output", type=Path, required=True)
    recording = commands.add_parser("record", help="keep the verdicts of a file that `draw` wrote")
    recording.add_argument("file", type=Path)
    recording.add_argument("--reader", required=True)
    commands.add_parser("summary", help="shares by corpus, method and reader, and agreement")
    changing = commands.add_parser("changed", help="of the texts with a word of each axis, the share that is perturbed")
    changing.add_argument("--corpus", required=True, help=f"{', '.join(CORPORA)}, a TSV of pairs or a text file")
    changing.add_argument("-n", type=int, default=700, help="texts (%(default)s)")
    changing.add_argument("--seed", type=int, default=77, help="(%(default)s)")
    changing.add_argument("--seen", action="store_true", help="of news and encyclopedia: where a reader saw the axis")
    arguments = parser.parse_args()
    if arguments.command == "changed":
        lines = ordered(read(arguments.corpus), arguments.seed)[: arguments.n]
        for axis in AXES:
            rewritten, named = changed_of_seen(arguments.corpus, axis) if arguments.seen else changed(lines, axis)
            print(f"{axis}\t{rewritten} of {named}\t{100 * rewritten / max(1, named):.1f} %")
        return
    if arguments.command == "record":
        record(arguments.file, arguments.reader)
        return
    rows = read_verdicts(VERDICTS)
    if arguments.command == "summary":
        print("\t".join(("corpus", "method", "reader", "n", "clean %", "not severe %", "severe by class")))
        for line in summarise(rows):
            print("\t".join(line))
        print(*kappa(rows), sep="\n")
        return
    known = {row["digest"]: row for row in rows}
    skip = frozenset(known) if arguments.new else frozenset()
    labels = {"corpus": arguments.corpus, "method": arguments.method}
    if arguments.outcome == "augmented":
        drawn = draw(arguments.corpus, arguments.method, arguments.n, arguments.seed, skip)
    else:
        labels["method"] += f":{arguments.outcome}"
        drawn, counts = draw_withheld(*(vars(arguments)[name] for name in ("corpus", "method", "n", "seed", "outcome")))
        total = sum(counts[name] for name in OUTCOMES)
        for name, count in sorted(counts.items()):
            print(f"{name}\t{count}" + (f"\t{100 * count / total:.2f} %" if name != "unchanged" else ""))
    table = []
    for one in drawn:
        old = known.get(one.digest, {"verdict": "", "class": ""})
        table.append(
            {
                **labels,
                "digest": one.digest,
                "line": one.number,
                "verdict": old["verdict"],
                "class": old["class"],
                "signs": one.signs,
                "text": one.text,
            }
        )
    write(arguments.output, DRAWN, table)
    print(f"{len(table)} texts in {arguments.output}, {sum(not row['verdict'] for row in table)} without a verdict")


if __name__ == "__main__":
    main()
