"""Estimate noise.toml from pairs of learners' sentences and their corrections: Write & Improve, train, in our case.

    python training/from-scratch/noise_rates.py A.train.tsv B.train.tsv C.train.tsv > training/from-scratch/noise.toml
    python training/from-scratch/noise_rates.py --readings clean.txt … > gec_fair/gec/noise/readings.tsv

ERRANT's edits are turned round, from correct to erroneous; each that a family of `gec_fair.gec.noise` could have made
is counted in the cell that makes it, over the places where it could have been made (`noise_cells.py`). A pair that
changes a pronoun or a gendered noun counts nowhere. Nothing of the sentences gets into the file but these figures.
Three minutes on one core for 34,304 pairs. Evaluation data (bea-dev, JFLEG) must not be given.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from noise_cells import EVERYWHERE, explain, lookalikes, places
from rapidfuzz.distance import Levenshtein

from gec_fair.edits import Edits, invert
from gec_fair.english import pipeline
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.gec.noise.compiled import KINDS, compile_rates
from gec_fair.gec.noise.draw import Writer
from gec_fair.gec.noise.forms import exchange_ending
from gec_fair.gec.noise.guarded import keeps_guarded_words
from gec_fair.gec.noise.inflections import readings as possible
from gec_fair.gec.noise.rates import FACTORS, TABLES, Kind, parse_rates
from gec_fair.gec.noise.spelling import SLIPS, openness, size
from gec_fair.gec.noise.words import CLOSED, text_of, word

LEAST = {"choice": 4, "ending": 5, "extra": 5, "order": 5}  # times that a cell was seen, or it is chance or a topic
LEAST_ELSE = 4
SIGNIFICANT = 6.63  # chi-square of one degree at 1 %: from here a context has its own figure
PRIOR = 20  # places' worth of the row's mean, added to each context
RARE = 0.001  # the mean that a row of few places is drawn to
MOST_WEIGHT = 2.0  # of a kind: words stay recognisable
SAMPLE = 8000  # sentences over which the rates are summed up
LONGEST_EXCHANGE = 5  # letters

Pair = tuple[tuple[str, ...], tuple[str, ...]]
Cells = dict[str, dict[str, dict[str, float]]]  # row → written → context → rate
Seen = Mapping[str, Counter[str]]  # row → context → places
Sums = list[dict[Kind, float]]  # per sentence, the rates of its slips by kind


@dataclass
class Counts:
    """`seen` places by table, row and context; `changes` slips by table, row, written word and context; `words` that
    could be misspelt; edits by ERRANT's type and whether a cell makes them; the mean number of errors of a sentence,
    and the part of sentences without any."""

    seen: dict[str, defaultdict[str, Counter[str]]] = field(default_factory=lambda: defaultdict(_counters))
    changes: dict[str, defaultdict[tuple[str, str], Counter[str]]] = field(
        default_factory=lambda: defaultdict(_counters)
    )
    words: Counter[str] = field(default_factory=Counter)
    explained: Counter[tuple[str, bool]] = field(default_factory=Counter)
    used: int = 0
    unlawful: int = 0
    mean: float = 0.0
    clean: float = 0.0


def _counters() -> defaultdict:
    return defaultdict(Counter)


def count(pairs: Sequence[Pair], edits_found: Iterable[Edits]) -> Counts:
    """Places and slips of all pairs."""
    counts = Counts()
    edits = clean = 0
    for (source, target), theirs in zip(pairs, edits_found, strict=True):
        edits, clean = edits + len(theirs), clean + (not theirs)
        if not keeps_guarded_words(source, target):
            counts.unlawful += 1
            continue
        counts.used += 1
        text = text_of(target)
        for table, old, context in places(text):
            counts.seen[table][old][context] += 1
        counts.words.update(e.lower for e in text.entries if e.known and not e.guarded and e.lower.isalpha())
        for edit in invert(theirs, source):
            cells = explain(text, edit)
            counts.explained[edit.kind, bool(cells)] += 1
            for table, old, new, context in cells:
                counts.changes[table][old, new][context] += 1
    counts.mean, counts.clean = edits / len(pairs), clean / len(pairs)
    return counts


def rates_of(counts: Counts) -> dict[str, Cells]:
    cells: dict[str, Cells] = {table: {} for table in TABLES}
    for table, rated in RATED.items():
        for (old, new), changed in counts.changes[table].items():
            if sum(changed.values()) >= LEAST.get(table, LEAST_ELSE):
                cells[table].setdefault(old, {})[new] = rated(counts.seen[table], old, new, changed)
    cells["ending"] = _endings(counts)
    for (old, new), table in lookalikes().items():
        cells[table].setdefault(old, {})[new] = {EVERYWHERE: _lookalike(counts, table, old, new)}
    cells["letters"], cells["slips"], cells["length"] = _letters(counts)
    return cells


def _by_context(seen: Seen, old: str, new: str, changed: Counter[str]) -> dict[str, float]:
    """The mean rate, and that of each context where it differs beyond chance."""
    contexts = seen[old]
    mean = sum(changed.values()) / sum(contexts.values())
    own_contexts = sorted(context for context in contexts if _differs(changed[context], contexts[context], mean))
    rest = tuple(sum(n for context, n in its.items() if context not in own_contexts) for its in (changed, contexts))
    rates = {EVERYWHERE: rest} | {context: (changed[context], contexts[context]) for context in own_contexts}
    return {context: (k + PRIOR * mean) / (n + PRIOR) if k else 0.0 for context, (k, n) in rates.items()}


def _differs(changed: int, seen: int, mean: float) -> bool:
    """A likelihood ratio of a context's own rate against the mean one."""
    rate = changed / max(1, seen)
    parts = ((changed, rate, mean), (seen - changed, 1 - rate, 1 - mean))
    return 2 * sum(k * math.log(a / b) for k, a, b in parts if k and b > 0) > SIGNIFICANT


def _everywhere(seen: Seen, old: str, new: str, changed: Counter[str]) -> dict[str, float]:
    return {EVERYWHERE: (sum(changed.values()) + PRIOR * RARE) / (sum(seen[old].values()) + PRIOR)}


def _beside_the_written(seen: Seen, old: str, new: str, changed: Counter[str]) -> dict[str, float]:
    """Where the context of a place is what could be written there."""
    return {EVERYWHERE: (sum(changed.values()) + PRIOR * RARE) / (seen[old][new] + PRIOR)}


RATED = {
    "confuse": _by_context,
    "comma": _by_context,
    "stop": _by_context,
    "extra": _by_context,
    "form": _by_context,
    "choice": _everywhere,
    "phrase": _everywhere,
    "case": _beside_the_written,
    "order": _beside_the_written,
}


def _lookalike(counts: Counts, table: str, old: str, new: str) -> float:
    """Few of these are seen often: each rate is drawn towards the mean of its table."""
    seen = {right: sum(counts.seen["phrase"][right].values()) for right, _ in lookalikes()}
    changed = {pair: sum(n.values()) for pair, n in counts.changes[table].items()}
    mean = sum(changed.values()) / max(1, sum(seen[right] for (right, _), its in lookalikes().items() if its == table))
    return (changed.get((old, new), 0) + PRIOR * mean) / (seen[old] + PRIOR)


def _endings(counts: Counts) -> Cells:
    """Over the words whose kin with the other ending is a word; three words at least (the context is the word)."""
    cells: Cells = {}
    for (old, new), changed in counts.changes["ending"].items():
        if sum(changed.values()) >= LEAST["ending"] and len(changed) > 2:
            words = sum(
                n for word_, n in counts.words.items() if word_.endswith(old) and exchange_ending(word_, old, new)
            )
            rate = (sum(changed.values()) + PRIOR * RARE) / (words + PRIOR)
            cells.setdefault(old, {})[new] = {EVERYWHERE: rate}
    return cells


Event = tuple[tuple[str, str], ...]  # one exchange of letters as cells, from the one with most letters around to none


def _letters(counts: Counts) -> tuple[Cells, Cells, Cells]:
    """Exchanges of letters seen often enough, with the letters beside them where those still are; slips of the
    finger, which take the rest; parts by length. Rates are those of the length whose part is 1."""
    parts = _lengths(counts)
    words = {word_: n * parts.get((openness(word(word_)), size(word_)), 0.0) for word_, n in counts.words.items()}
    events = [
        event
        for (old, new), changed in counts.changes["letters"].items()
        for event in _exchanges(old, new) * sum(changed.values())
    ]
    often = Counter(cell for event in events for cell in event)
    of_event = [next((cell for cell in event if often[cell] >= LEAST_ELSE), None) for event in events]
    changed = Counter(cell for cell in of_event if cell is not None)
    slips = Counter(_slip_of(event) for event, cell in zip(events, of_event, strict=True) if cell is None)
    seen = _substrings(words, {old for old, _ in changed})
    letters: Cells = {}
    for (old, new), n in changed.items():
        letters.setdefault(old, {})[new] = {EVERYWHERE: n / seen[old]}
    fingers: Cells = {}
    for name, slip in SLIPS.items():
        ways = sum(n * len(list(slip(word_, at))) for word_, n in words.items() for at in range(1, len(word_)))
        fingers[name] = {"anywhere": {EVERYWHERE: slips[name] / max(1, ways)}}
    lengths: Cells = {}
    for (row, length), part in parts.items():
        lengths.setdefault(row, {})[length] = {EVERYWHERE: part}
    return letters, fingers, lengths


def _lengths(counts: Counts) -> dict[tuple[str, str], float]:
    """How often a letter goes wrong, by the word's length and openness, as parts of the most."""
    letters: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    for word_, n in counts.words.items():
        letters[openness(word(word_)), size(word_)] += n * len(word_)
    for (old, _), changed in counts.changes["letters"].items():
        wrong[openness(word(old)), size(old)] += sum(changed.values())
    rates = {key: wrong[key] / n for key, n in letters.items() if wrong[key] > LEAST_ELSE}
    return {key: rate / max(rates.values()) for key, rate in rates.items()}


def _exchanges(old: str, new: str) -> list[Event]:
    """*recieve* for *receive*: cei → cie, ce → ci, … ; exchanges one letter apart are one (*ie* for *ei*)."""
    a, b = f"^{old}$", f"^{new}$"
    blocks: list[list[int]] = []
    for tag, i, j, k, m in Levenshtein.opcodes(a, b):
        if tag != "equal" and blocks and i - blocks[-1][1] < 2:
            blocks[-1][1], blocks[-1][3] = j, m
        elif tag != "equal":
            blocks.append([i, j, k, m])
    counts_ = []
    for i, j, k, m in blocks:
        around = ((i - 1, j + 1, k - 1, m + 1), (i - 1, j, k - 1, m), (i, j + 1, k, m + 1), (i, j, k, m))
        counts_.append(tuple((a[max(0, p) : q], b[max(0, r) : t]) for p, q, r, t in around if a[max(0, p) : q]))
    return counts_


def _slip_of(event: Event) -> str:
    """Which slip of the finger an exchange is; "" if none."""
    old, new = (f"__{letter}__" for letter in event[-1])
    return next((name for name, slip in SLIPS.items() for at in range(1, len(old) - 1) if new in slip(old, at)), "")


def _substrings(words: Mapping[str, float], wanted: set[str]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for word_, n in words.items():
        padded = f"^{word_}$"
        for start in range(len(padded)):
            for end in range(start + 1, min(len(padded), start + LONGEST_EXCHANGE) + 1):
                if padded[start:end] in wanted:
                    totals[padded[start:end]] += n
    return totals


def sums_of(words: Iterable[Sequence[str]], tables: Mapping[str, Cells]) -> Sums:
    """How many errors of each kind the tables make of each correct sentence in the mean, at level 1 and weights 1."""
    writer = Writer(compile_rates(parse_rates({"errors": {}, **tables})))
    rates = []
    for word_ in words:
        text = text_of(word_)
        sums: dict[Kind, float] = defaultdict(float)
        for slip in (slip for at in range(len(word_)) for slip in writer.slips(text, at)):
            if keeps_guarded_words(word_[slip.start : slip.end], slip.words):
                sums[slip.kind] += slip.rate
        rates.append(sums)
    return rates


def weights_of(counts: Counts, sums: Sums) -> dict[Kind, float]:
    """What brings a kind to the learners' number: many slips are too rare for their own row."""
    changed: Counter[Kind] = Counter()
    for table, cells in counts.changes.items():
        for (old, new), by in cells.items():
            changed[KINDS[table](old, new)] += sum(by.values())
    expected = {kind: counts.used * sum(sum_.get(kind, 0.0) for sum_ in sums) / len(sums) for kind in Kind}
    return {kind: min(MOST_WEIGHT, changed[kind] / expected[kind]) if expected[kind] else 1.0 for kind in Kind}


def errors_of(counts: Counts, sums: Sums, weights: Mapping[Kind, float]) -> dict[str, float]:
    """`level` and `spread` at which sentences have the learners' mean number of errors, and as many have none."""
    rates = [sum(rate * weights[kind] for kind, rate in sum_.items()) for sum_ in sums]
    level = counts.mean * len(rates) / sum(rates)
    low, high = 0.05, 20.0
    for _ in range(40):  # bisection: the more even the writers, the fewer clean sentences
        spread = math.sqrt(low * high)
        share = sum((1 + level * rate / spread) ** -spread for rate in rates) / len(rates)
        low, high = (spread, high) if share > counts.clean else (low, spread)
    return {"level": level, "spread": spread}


ABOUT = {
    "confuse": """\
A little word, or a mark, is written for another, or left out (""). By the group of the next word; *be, have, do* and
modals by that of the word before.""",
    "comma": "A comma is left out or exchanged: the group before it, what is written, by the group after it.",
    "stop": "The full stop between two sentences of a line is left out or exchanged; the capital after it goes too.",
    "extra": "A little word put in: the group before which, the word, by the group of the word on its left.",
    "phrase": "Two or three little words for others, or left out.",
    "real_word": """\
One word for another that sounds or looks alike: the pairs of lookalikes.tsv, common knowledge, their
figures drawn to the mean of all.""",
    "choice": "Another word altogether, in the same form: V verb, N noun, J adjective.",
    "form": """\
Another form of verb, noun or adjective: its readings, as far as the left neighbour tells, after *to*, prepositions,
*more*, or a group (be, have, modal); `noun` behind it: a noun follows. By the group on the left.""",
    "ending": "Another word of the same stem.",
    "letters": "Letters exchanged in a misspelling; ^ and $ are the word's borders.",
    "slips": "Slips of the finger, for each letter and way, where no row of letters accounts for them.",
    "length": """\
What part of the rates of letters and slips a word has, by its length (12 stands for more), little words and others.""",
    "case": "Small for capital letters and the reverse: the first word, *I*, or the word's group.",
    "order": "A word of this group behind a word of that.",
    "compound": "Words joined, parted, or without their apostrophe: the pairs of lookalikes.tsv, as above.",
}
HEAD = """\
Rates of learners' errors, for gec_fair.gec.noise: the chance of a slip at one place where it could be made.
Printed by training/from-scratch/noise_rates.py from Write & Improve v2.1, train (Bryant et al. 2019), statistics only:
{used:,} pairs, without {unlawful:,} that change a pronoun or a gendered noun. ERRANT's edits turned round; the
families below could make {known:.0%} of them. `old.new = rate`, or rates by the group of a neighbour
(gec_fair/gec/noise/words.py), "*" being the others. Behind #: how often it was seen."""
ERRORS = """\
How many: `level` multiplies every rate, so that a sentence has a learner's number of errors ({mean:.2f}; not all of
theirs can be made). `spread` is the shape of the gamma distribution of writers: {clean:.0%} of sentences have none."""
WEIGHTS = "Weights of kinds; 0 is never. Above 1 they make up for slips too rare to have a row below."


def toml(
    tables: Mapping[str, Cells], errors: Mapping[str, float], weights: Mapping[Kind, float], counts: Counts
) -> Iterator[str]:
    """The lines of the file."""
    known = sum(n for (_, is_known), n in counts.explained.items() if is_known) / sum(counts.explained.values())
    yield _comment(HEAD.format(used=counts.used, unlawful=counts.unlawful, known=known))
    yield "\n" + _comment(ERRORS.format(mean=counts.mean, clean=counts.clean)) + "\n[errors]"
    yield from (f"{key} = {value:.2f}" for key, value in errors.items())
    yield "\n" + _comment(WEIGHTS) + "\n[kinds]"
    yield from (f"{kind.value} = {weights[kind]:.2f}" for kind in Kind)
    for table in TABLES:
        yield "\n" + _comment(ABOUT[table]) + f"\n[{table}]"
        for old, row in sorted(tables[table].items()):
            for new, by in sorted(row.items()):
                times = sum(counts.changes[table][old, new].values()) if table not in FACTORS else 0
                yield f"{_key(old)}.{_key(new)} = {_cell(by)}" + (f"  # {times}" if times else "")


def _comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())


def _key(text: str) -> str:
    bare = text.isascii() and text.replace("_", "a").isalnum()
    return text if bare else json.dumps(text, ensure_ascii=False)


def _cell(by: Mapping[str, float]) -> str:
    if len(by) == 1:
        return _figure(by[EVERYWHERE])
    return "{" + ", ".join(f"{_key(group)} = {_figure(rate)}" for group, rate in by.items()) + "}"


def _figure(rate: float) -> str:
    """Two digits that count."""
    return f"{float(f'{min(rate, 1):.2g}'):f}".rstrip("0").rstrip(".")


FUSED = {"NNP": "NN", "NNPS": "NNS", "VBP": "VB", "RBR": "JJR", "RBS": "JJS"}
HARDLY = 0.05  # of a word's uses
OFTEN = 15  # times seen


READINGS = """\
# What:     words for which lemminflect knows readings that running text hardly has, and the tags that it has (each for
#           {part:.0%} of the uses or more; Penn tags, proper and common nouns as one, present forms VB and VBZ).
# Source:   counted by training/from-scratch/noise_rates.py --readings, the package's own tagger, over {sentences:,}
#           sentences: the corrected side of W&I train (statistics only), public-domain novels; {often} uses or more.
# Licence:  Apache-2.0
# Columns:  word, tags (separated by spaces)
word\ttags"""


def readings(paths: Sequence[Path]) -> Iterator[str]:
    """Words of which some readings hardly occur, with those that do, over clean sentences tagged by our pipeline."""
    sentences = [tuple(line.split()) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    tagged: dict[str, Counter[str]] = defaultdict(Counter)
    for doc in pipeline.parse(
        pipeline.load(disable=["parser", "morphologizer"]), [sentence for sentence in sentences if sentence]
    ):
        for token in doc:
            tagged[token.lower_][FUSED.get(token.tag_, token.tag_)] += 1
    yield READINGS.format(part=HARDLY, sentences=len(sentences), often=OFTEN)
    for lower, tags in sorted(tagged.items()):
        allowed = {tag: n for tag, n in tags.items() if tag in possible(lower)}
        total = sum(allowed.values())
        chosen_tags = sorted(tag for tag, n in allowed.items() if n >= HARDLY * total)
        little = word(lower).group in CLOSED and word(lower).group not in ("have", "do")
        if lower.isalpha() and not little and total >= OFTEN and set(chosen_tags) != possible(lower):
            yield f"{lower}\t{' '.join(chosen_tags)}"


def read(paths: Iterable[Path]) -> list[Pair]:
    """source<TAB>target lines with something in the target."""
    lines = (line.split("\t") for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    return [(tuple(source.split()), tuple(target.split())) for source, target in lines if target.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="source<TAB>target lines; with --readings correct lines")
    parser.add_argument("--readings", action="store_true", help="print the table of readings instead")
    options = parser.parse_args()
    if options.readings:
        print(*readings(options.files), sep="\n")
        return
    pairs = read(options.files)
    print(f"{len(pairs):,} pairs; ERRANT goes first", file=sys.stderr)
    counts = count(pairs, Annotator()(pairs))
    tables = rates_of(counts)
    sums = sums_of((target for _, target in pairs[:: max(1, len(pairs) // SAMPLE)]), tables)
    weights = weights_of(counts, sums)
    print(*toml(tables, errors_of(counts, sums, weights), weights, counts), sep="\n")


if __name__ == "__main__":
    main()
