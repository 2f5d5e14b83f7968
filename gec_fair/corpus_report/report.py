"""Corpora side by side: the paper's tables and figures in form, theirs beside ours, one page, and an audit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gec_fair import __version__
from gec_fair.corpus_report.classified import SENTIMENTS, Rate
from gec_fair.corpus_report.measure import Analysis, AnalysisOptions
from gec_fair.corpus_report.pos import ratio
from gec_fair.corpus_report.profile import MEANS
from gec_fair.data.stream_sample import Sample, keys
from gec_fair.evaluate.evalsets.review.items import SENTENCES
from gec_fair.report import page
from gec_fair.report.charts import themed
from gec_fair.report.papers import printed
from gec_fair.report.table import Record, Table
from gec_fair.runs.atomic import write_text
from gec_fair.stats import estimate

PAPER = "BabyLM bias dynamics"
AUDIT, RESULTS = "audit", "report.json"
_THEIRS = {"BabyLM": "babylm", "BERT": "bert"}
_DIGITS = 3
_SPREAD = "± half of the 95 % interval that drawing them costs"


def write(found: Sequence[Analysis], options: AnalysisOptions, out: Path, *, audit: int = 0) -> list[Path]:
    """report.html, report.json, tables/ and figures/ in `out`; with `audit`, so many flagged sentences of each corpus
    for `gec-fair review OUT/audit/NAME`. MissingResource without the charting libraries."""
    charts = {name: chart.to_dict() for name, chart in _charts(found).items()}
    foot = [
        *(
            f"{each.name}: " + ", ".join(f"{file['name']} sha256 {file['sha256'][:16]}" for file in each.files)
            for each in found
        ),
        *_versions(found),
        f"gec_fair {__version__}",
    ]
    names = " and ".join(each.name for each in found)
    written = page.write_page(out, f"What is in {names}", every(found), charts, _CAPTIONS, lead=_lead(found), foot=foot)
    for each in found if audit else ():
        written.append(out / AUDIT / each.name / SENTENCES)
        write_text(written[-1], "".join(_audited(each, audit, options.seed)))
    written.append(out / RESULTS)
    write_text(written[-1], json.dumps(as_json(found, options), ensure_ascii=False, indent=1) + "\n")
    return written


def every(found: Sequence[Analysis]) -> list[Table]:
    """Those that there is something for."""
    made = [
        _size(found),
        _topics(found),
        _harm(found),
        _readability(found),
        _pos(found),
        _emotions(found),
        _sentiment(found),
        _stances(found),
        _described(found),
    ]
    return [table for table in made if table.records]


def as_json(found: Sequence[Analysis], options: AnalysisOptions) -> dict[str, Any]:
    """All of it but the flagged sentences, of which there may be many."""
    told = []
    for each in found:
        one = {name: value for name, value in asdict(each).items() if name != "flagged"}
        for name in ("topics", "stances"):
            one[name] = {
                "/".join(topic): asdict(value) if isinstance(value, Rate) else value
                for topic, value in getattr(each, name).items()
            }
        told.append({**one, "flagged": len(each.flagged)})
    return {"gec-fair": __version__, "options": asdict(options), "corpora": told}


def _size(found: Sequence[Analysis]) -> Table:
    records = (
        {
            "corpus": each.name,
            "words": each.words,
            "tokens": each.tokens,
            "sentences": each.sentences,
            "chunks": each.chunks,
        }
        for each in found
    )
    return Table("size", "Size", tuple(records), "Tokens are spaCy's; words are those that are no punctuation.")


def _topics(found: Sequence[Analysis]) -> Table:
    rows: dict[str, Mapping[str, Any]] = {}
    for number in (3, 4):
        for row in printed("babylm").get(f"table_{number}", {}).get("row", ()):
            rows[row["subcategory"]] = row
    records: list[Record] = []
    for topic in dict.fromkeys(topic for each in found for topic in each.topics):
        record: Record = {"category": topic[0], "subcategory": topic[1]}
        record |= {each.name: round(each.topics.get(topic, 0.0), _DIGITS) for each in found}
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


def _harm(found: Sequence[Analysis]) -> Table:
    records: list[Record] = []
    for each in found:
        record: Record = {"corpus": each.name}
        for kind, rate in each.harm.items():
            record |= _columns(kind, rate, _DIGITS)
        record["sentences"] = max((rate.n for rate in each.harm.values()), default=0)
        records.append(record)
    for row in printed("babylm").get("table_5", {}).get("row", ()) if records else ():
        told = {"toxic": row["toxic"], "hate": row["hate_speech"]}
        here = {kind: value for kind, value in told.items() if kind in records[0]}
        records.append({"corpus": f"{row['corpus']}, {PAPER}", **here})
    who = dict.fromkeys(
        f"{kind} by {each.versions[kind].split(':')[0]}"
        for each in found
        for kind in each.versions
        if kind in ("toxic", "hate")
    )
    weak = " The embedded classifier is weaker than the paper's." if "toxic by toxicity" in who else ""
    return Table(
        "harm",
        "Toxic and hateful sentences",
        tuple(records),
        f"Percent of the judged sentences {_SPREAD}; {', '.join(who)}.{weak}",
        digits=_DIGITS,
    )


def _readability(found: Sequence[Analysis]) -> Table:
    records: list[Record] = [
        {"corpus": each.name, **{name: round(each.means[name], _DIGITS) for name in MEANS if name in each.means}}
        for each in found
    ]
    papers = printed("babylm")
    rows = {row["corpus"]: row for row in papers.get("table_9", {}).get("row", ())}
    for name, key in _THEIRS.items():
        row = rows.get(name)
        if row:
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
    vectors = ", ".join(dict.fromkeys(each.versions["vectors"] for each in found))
    return Table(
        "readability",
        "Readability, variety, coherence",
        tuple(records),
        "Means over chunks of whole "
        f"sentences, of full length. Coherence by {vectors}; the paper's is by en_core_web_lg's vectors, and "
        "those of any two sentences are much alike.",
        digits=_DIGITS,
    )


def _pos(found: Sequence[Analysis]) -> Table:
    records: list[Record] = [
        {
            "corpus": each.name,
            **{name: round(value, 2) for name, value in each.pos.items()},
            "PRON/NOUN": _rounded(ratio(dict(each.pos))),
        }
        for each in found
        if each.pos
    ]
    return Table("pos", "Parts of speech", tuple(records), "Percent of the tokens of the tagged chunks.")


def _emotions(found: Sequence[Analysis]) -> Table:
    records: list[Record] = [
        {"corpus": each.name, "of": of, **{name: round(value, _DIGITS) for name, value in shares.items()}}
        for each in found
        for of, shares in (("all tokens", each.emotions), ("the lexicon's words", each.expressed))
    ]
    who = ", ".join(dict.fromkeys(each.versions["emotions"] for each in found))
    return Table("emotions", "Emotions", tuple(records), f"Percent, by {who}.", digits=_DIGITS)


def _sentiment(found: Sequence[Analysis]) -> Table:
    records: list[Record] = []
    for each in found:
        record: Record = {"corpus": each.name}
        for label, rate in each.sentiment.items():
            record |= _columns(label, rate, 2)
        if each.sentiment:
            records.append({**record, "sentences": max(rate.n for rate in each.sentiment.values())})
    return Table(
        "sentiment", "Sentiment", tuple(records), f"Percent of the judged sentences {_SPREAD}, {_feeling(found)}."
    )


def _stances(found: Sequence[Analysis]) -> Table:
    records: list[Record] = []
    for topic in dict.fromkeys(topic for each in found for topic in each.topics):
        record: Record = {"category": topic[0], "subcategory": topic[1]}
        for each in found:
            if rate := each.stances.get(topic):
                record |= {**_columns(each.name, rate, 1), f"{each.name}, sentences": rate.n}
        if len(record) > 2:
            records.append(record)
    return Table(
        "stances",
        "Sentiment towards topics",
        tuple(records),
        "Share of positive minus share of negative "
        f"sentences among those with a topic's word, points {_SPREAD}, {_feeling(found)}.",
    )


def _described(found: Sequence[Analysis]) -> Table:
    names = dict.fromkeys(name for each in found for name in each.described)
    records: list[Record] = [
        {"figure": name, **{each.name: round(each.described[name], 4) for each in found if name in each.described}}
        for name in names
    ]
    return Table(
        "textdescriptives",
        "TextDescriptives",
        tuple(records),
        "Means over the drawn chunks, by its names.",
        digits=_DIGITS,
    )


def _columns(name: str, rate: Rate, digits: int) -> Record:
    return {**estimate.columns(name, rate.value, estimate.normal_half(rate.se), digits)}


def _feeling(found: Sequence[Analysis]) -> str:
    who = dict.fromkeys(each.versions["sentiment"].split(":")[0] for each in found if "sentiment" in each.versions)
    weak = ", a small lexicon, far weaker than the paper's classifier" if "polarity" in who else ""
    return f"by {', '.join(who)}{weak}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _lead(found: Sequence[Analysis]) -> list[str]:
    told = (f"{each.name}: {each.words:,} words in {each.sentences:,} sentences" for each in found)
    return ["; ".join(told) + "."]


def _versions(found: Sequence[Analysis]) -> list[str]:
    counts = Counter((kind, version) for each in found for kind, version in each.versions.items())
    return [f"{kind}: {version}" for kind, version in counts]


def _audited(each: Analysis, number: int, seed: int) -> Iterable[str]:
    """Lines for the review page: flagged sentences drawn by seed, with what was said of them."""
    drawn: Sample[int] = Sample(number)
    drawn.offer(keys(0, len(each.flagged), seed), range(len(each.flagged)))
    for n in drawn.items():
        one = each.flagged[n]
        facts = ", ".join(f"{kind} {score:.2f}" for kind, score in one.scores.items())
        told = {"text": one.text, "group": "+".join(one.kinds), "facts": f"{each.name}: {facts}; accept what is so"}
        yield json.dumps(told, ensure_ascii=False) + "\n"


_CAPTIONS = {
    "topics": "Topics: percent of all tokens.",
    "pos": "Parts of speech: percent of the tagged tokens (figures 10 and 11 in form).",
    "emotions": "Emotions: percent of all tokens (figure 12 in form).",
    "sentiment": "Sentiment: percent of the judged sentences (figure 13 in form).",
    "stances": "Sentiment towards topics: share positive minus share negative, points (figure 14 in form).",
}


def _charts(found: Sequence[Analysis]) -> dict[str, Any]:
    rows = {
        "topics": [(each.name, "/".join(topic), value) for each in found for topic, value in each.topics.items()],
        "pos": [(each.name, name, value) for each in found for name, value in each.pos.items()],
        "emotions": [(each.name, name, value) for each in found for name, value in each.emotions.items()],
        "sentiment": [
            (each.name, label, each.sentiment[label].value)
            for each in found
            for label in SENTIMENTS
            if label in each.sentiment
        ],
        "stances": [(each.name, "/".join(topic), rate.value) for each in found for topic, rate in each.stances.items()],
    }
    return {name: _bars(some, "points" if name == "stances" else "%") for name, some in rows.items() if some}


def _bars(rows: Sequence[tuple[str, str, float]], unit: str) -> Any:
    import altair as alt

    values = [{"corpus": corpus, "name": name, "value": value} for corpus, name, value in rows]
    corpora = list(dict.fromkeys(corpus for corpus, *_ in rows))
    return themed(
        alt.Chart(alt.Data(values=values))
        .mark_bar()
        .encode(
            y=alt.Y("name:N", sort=None, title=None),
            x=alt.X("value:Q", title=unit),
            yOffset=alt.YOffset("corpus:N", sort=corpora),
            color=alt.Color("corpus:N", sort=corpora),
            tooltip=["corpus:N", "name:N", "value:Q"],
        )
        .properties(width=420)
    )
