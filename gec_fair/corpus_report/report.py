"""Corpora side by side: the paper's tables and figures in form, theirs beside ours, one page, and an audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gec_fair.corpus_report.charts import CAPTIONS, draw_charts
from gec_fair.corpus_report.classified import Rate
from gec_fair.corpus_report.measure import Analysis, AnalysisOptions
from gec_fair.corpus_report.pos import ratio
from gec_fair.corpus_report.profile import MEANS
from gec_fair.data.stream_sample import Sample, keys
from gec_fair.evaluate.evalsets.review.items import SENTENCES
from gec_fair.report import page
from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Record, Table
from gec_fair.runs.atomic import write_json, write_text
from gec_fair.runs.json_files import json_line
from gec_fair.stats import estimate
from gec_fair.version import __version__

PAPER = "BabyLM bias dynamics"
AUDIT, RESULTS = "audit", "report.json"
_THEIRS = {"BabyLM": "babylm", "BERT": "bert"}
_DIGITS = 3
LABELS = ("category", "subcategory")
"""The columns of a table of topics that have no corpus."""


def write(analyses: Sequence[Analysis], options: AnalysisOptions, out: Path, *, audit: int = 0) -> list[Path]:
    """report.html, report.json, tables/ and figures/ in `out`; with `audit`, so many flagged sentences of each corpus
    for `gec-fair review OUT/audit/NAME`. MissingResource without the charting libraries."""
    charts, empty = draw_charts(analyses)
    foot = [
        *(
            f"{analysis.name}: " + ", ".join(f"{file['name']} sha256 {file['sha256'][:16]}" for file in analysis.files)
            for analysis in analyses
        ),
        *_versions(analyses),
        f"gec_fair {__version__}",
    ]
    names = " and ".join(analysis.name for analysis in analyses)
    written = page.write_page(
        out,
        f"What is in {names}",
        every(analyses),
        charts,
        CAPTIONS,
        finding=_finding(analyses),
        lead=_lead(analyses),
        foot=foot,
        sentences=empty,
    )
    for analysis in analyses if audit else ():
        written.append(out / AUDIT / analysis.name / SENTENCES)
        write_text(written[-1], "".join(_draw_audit(analysis, audit, options.seed)))
    written.append(out / RESULTS)
    write_json(written[-1], as_json(analyses, options))
    return written


def every(analyses: Sequence[Analysis]) -> list[Table]:
    """Those that there is something for."""
    tables = [
        _size(analyses),
        _topics(analyses),
        _harm(analyses),
        _readability(analyses),
        _pos(analyses),
        _emotions(analyses),
        _sentiment(analyses),
        _stances(analyses),
    ]
    return [table for table in tables if table.records]


def as_json(analyses: Sequence[Analysis], options: AnalysisOptions) -> dict[str, Any]:
    """All of it but the flagged sentences, of which there may be many."""
    analysis_rows = []
    for analysis in analyses:
        row = {name: value for name, value in asdict(analysis).items() if name != "flagged"}
        for name in ("topics", "stances"):
            row[name] = {
                "/".join(topic): asdict(value) if isinstance(value, Rate) else value
                for topic, value in getattr(analysis, name).items()
            }
        analysis_rows.append({**row, "flagged": len(analysis.flagged)})
    return {"gec-fair": __version__, "options": asdict(options), "corpora": analysis_rows}


def _size(analyses: Sequence[Analysis]) -> Table:
    records = (
        {
            "corpus": analysis.name,
            **{name: getattr(analysis, name) for name in ("words", "tokens", "sentences", "chunks")},
        }
        for analysis in analyses
    )
    return Table("size", "Size", tuple(records), "Tokens are spaCy's; words are those that are no punctuation.")


def _topics(analyses: Sequence[Analysis]) -> Table:
    rows: dict[str, Mapping[str, Any]] = {}
    for number in (3, 4):
        for row in read_rows("babylm", f"table_{number}"):
            rows[row["subcategory"]] = row
    records: list[Record] = []
    for topic in dict.fromkeys(topic for analysis in analyses for topic in analysis.topics):
        record: Record = dict(zip(LABELS, topic, strict=True))
        record |= {analysis.name: analysis.topics.get(topic, 0.0) for analysis in analyses}
        paper = rows.get(topic[1])
        record |= {f"{name}, {PAPER}": paper[key] if paper else None for name, key in _THEIRS.items()}
        records.append(record)
    return Table(
        "topics",
        "Topics",
        tuple(records),
        "Percent of all tokens, by the words of lexicons/topics.tsv and, "
        "for gender, of pronouns.tsv and nouns.tsv. The paper's lists are not printed, so its figures are of "
        "other words.",
        digits=_DIGITS,
    )


def _harm(analyses: Sequence[Analysis]) -> Table:
    records = [_rates(analysis.name, analysis.harm) for analysis in analyses]
    for row in read_rows("babylm", "table_5") if records else ():
        shares = {"toxic": row["toxic"], "hate": row["hate_speech"]}
        measured = {kind: value for kind, value in shares.items() if kind in records[0]}
        records.append({"corpus": f"{row['corpus']}, {PAPER}", **measured})
    who = dict.fromkeys(
        f"{kind} by {analysis.versions[kind].split(':')[0]}"
        for analysis in analyses
        for kind in analysis.versions
        if kind in ("toxic", "hate")
    )
    weak = " The embedded classifier is weaker than the paper's." if "toxic by toxicity" in who else ""
    return Table(
        "harm",
        "Toxic and hateful sentences",
        tuple(records),
        f"Percent of the judged sentences{_spread(records)}; {', '.join(who)}.{weak}",
        digits=_DIGITS,
    )


def _readability(analyses: Sequence[Analysis]) -> Table:
    records: list[Record] = [
        {"corpus": analysis.name, **{name: analysis.means[name] for name in MEANS if name in analysis.means}}
        for analysis in analyses
    ]
    papers = read_printed("babylm")
    rows = {row["corpus"]: row for row in read_rows("babylm", "table_9")}
    for name, key in _THEIRS.items():
        if row := rows.get(name):
            records.append(
                {
                    "corpus": f"{name}, {PAPER}",
                    "syllables per word": row["syllables_per_word"],
                    "word length": row["word_length"],
                    "sentence length": row["sentence_length"],
                    "FKGL": row["fkgl"],
                    "type-token ratio": papers["table_10"][key],
                    "coherence": papers["table_11"][key],
                }
            )
    vectors = ", ".join(dict.fromkeys(analysis.versions["vectors"] for analysis in analyses))
    return Table(
        "readability",
        "Readability, variety, coherence",
        tuple(records),
        "Means over chunks of whole "
        f"sentences, of full length. Coherence by {vectors}; the paper's is by en_core_web_lg's vectors, and "
        "those of any two sentences are much alike.",
        digits=_DIGITS,
    )


def _pos(analyses: Sequence[Analysis]) -> Table:
    records: list[Record] = [
        {"corpus": analysis.name, **analysis.pos, "PRON/NOUN": ratio(dict(analysis.pos))}
        for analysis in analyses
        if analysis.pos
    ]
    return Table("pos", "Parts of speech", tuple(records), "Percent of the tokens of the tagged chunks.")


def _emotions(analyses: Sequence[Analysis]) -> Table:
    records: list[Record] = [
        {"corpus": analysis.name, "of": base, **shares}
        for analysis in analyses
        for base, shares in (("all tokens", analysis.emotions), ("the lexicon's words", analysis.expressed))
    ]
    who = ", ".join(dict.fromkeys(analysis.versions["emotions"] for analysis in analyses))
    return Table("emotions", "Emotions", tuple(records), f"Percent, by {who}.", digits=_DIGITS)


def _sentiment(analyses: Sequence[Analysis]) -> Table:
    records = [_rates(analysis.name, analysis.sentiment) for analysis in analyses if analysis.sentiment]
    return Table(
        "sentiment",
        "Sentiment",
        tuple(records),
        f"Percent of the judged sentences{_spread(records)}, {_feeling(analyses)}.",
    )


def _stances(analyses: Sequence[Analysis]) -> Table:
    records: list[Record] = []
    for topic in dict.fromkeys(topic for analysis in analyses for topic in analysis.topics):
        record: Record = dict(zip(LABELS, topic, strict=True))
        for analysis in analyses:
            if rate := analysis.stances.get(topic):
                record |= {**_columns(analysis.name, rate), f"{analysis.name}, sentences": rate.n}
        if len(record) > 2:
            records.append(record)
    return Table(
        "stances",
        "Sentiment towards topics",
        tuple(records),
        "Share of positive minus share of negative "
        f"sentences among those with a topic's word, points{_spread(records)}, {_feeling(analyses)}.",
    )


def _rates(corpus: str, rates: Mapping[str, Rate]) -> Record:
    record: Record = {"corpus": corpus}
    for name, rate in rates.items():
        record |= _columns(name, rate)
    return {**record, "sentences": max((rate.n for rate in rates.values()), default=0)}


def _columns(name: str, rate: Rate) -> Record:
    return estimate.columns(name, rate.value, estimate.normal_half(rate.se) if rate.se else None)


def _spread(records: Iterable[Record]) -> str:
    """What ± is, where a sample of the sentences was judged."""
    has_spread = any(name.endswith("_pm") for record in records for name in record)
    return " ± half of the 95 % interval that drawing them costs" if has_spread else ""


def _feeling(analyses: Sequence[Analysis]) -> str:
    who = dict.fromkeys(
        analysis.versions["sentiment"].split(":")[0] for analysis in analyses if "sentiment" in analysis.versions
    )
    weak = ", a small lexicon, far weaker than the paper's classifier" if "polarity" in who else ""
    return f"by {', '.join(who)}{weak}"


def _lead(analyses: Sequence[Analysis]) -> list[str]:
    sizes = (f"{analysis.name}: {analysis.words:,} words in {analysis.sentences:,} sentences" for analysis in analyses)
    return ["; ".join(sizes) + "."]


def _versions(analyses: Sequence[Analysis]) -> list[str]:
    counts = Counter((kind, version) for analysis in analyses for kind, version in analysis.versions.items())
    return [f"{kind}: {version}" for kind, version in counts]


def _draw_audit(analysis: Analysis, number: int, seed: int) -> Iterable[str]:
    """Lines for the review page: flagged sentences drawn by seed, with what was said of them."""
    drawn: Sample[int] = Sample(number)
    drawn.offer(keys(0, len(analysis.flagged), seed), range(len(analysis.flagged)))
    for n in drawn.items():
        flagged = analysis.flagged[n]
        facts = ", ".join(f"{kind} {score:.2f}" for kind, score in flagged.scores.items())
        row = {
            "text": flagged.text,
            "group": "+".join(flagged.kinds),
            "facts": f"{analysis.name}: {facts}; accept what is so",
        }
        yield json_line(row)


def _finding(analyses: Sequence[Analysis]) -> str:
    """The shares of female and male words; of several corpora the topic in which they differ most. Nothing is said of
    fewer than FEW sentences."""
    first = analyses[0]
    if few := [analysis for analysis in analyses if analysis.sentences < estimate.FEW]:
        counts = ", ".join(f"{analysis.name} has {analysis.sentences}" for analysis in few)
        return f"Too few texts to say what is in them: {counts} sentence{'s' * (few[-1].sentences != 1)}"
    if len(analyses) == 1:
        female, male = (first.topics.get(("gender", name), 0.0) for name in ("female", "male"))
        return f"{first.name}: {female:.2f} % of all tokens are words for women, {male:.2f} % words for men"
    differences = [
        (max(shares) - min(shares), topic, shares)
        for topic in first.topics
        for shares in [[analysis.topics.get(topic, 0.0) for analysis in analyses]]
    ]
    difference, topic, shares = max(differences, default=(0.0, ("", ""), []))
    if difference == 0:
        return "The corpora have the same share of every topic"
    parts = ", ".join(f"{share:.2f} % in {analysis.name}" for share, analysis in zip(shares, analyses, strict=True))
    return f"The corpora differ most in words of {'/'.join(topic)}: {parts}"
