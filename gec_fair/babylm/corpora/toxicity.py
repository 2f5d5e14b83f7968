"""Toxicity out of the corpus before pretraining (§5.2): toxic and hateful sentences dropped, as many clean ones dropped
(the ablation), or the toxic ones reworded by a chat model (appendix F)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from gec_fair.babylm.corpora.build import CORPUS, Workplace, lines
from gec_fair.classifiers.harm import KINDS, Harm, Judges, read_dropped, step_of
from gec_fair.config.corpora import Reading, Running
from gec_fair.config.options import check_range
from gec_fair.corpus.ledger import read_ledger
from gec_fair.corpus.run import run
from gec_fair.corpus.writers import TEXT
from gec_fair.english.running_text.sentence_pieces import pieces
from gec_fair.errors import UsageError
from gec_fair.llm.answer import Answer
from gec_fair.llm.ask import Asker, ChatModel
from gec_fair.llm.bill import Bill, read_bill
from gec_fair.llm.prompts import Data, read
from gec_fair.progress import bar
from gec_fair.runs.atomic import write_bytes
from gec_fair.runs.cache import Store

RUN = "dropped"
PROMPTS = Path(__file__).with_name("prompts")
PROMPT = "detoxify"
_LONGEST = 2048  # tokens of an answer
_FIRST = 512  # batches that are asked together: what a kill costs is on disk already


@dataclass(frozen=True, slots=True)
class DropToxic:
    """Every sentence goes that is toxic or hateful: 3.39 % of BabyLM's with the paper's classifiers."""

    name: ClassVar[str] = "no-toxic"
    needs: ClassVar[tuple[str, ...]] = ()

    judges: Judges = field(default_factory=Judges)

    def versions(self) -> Mapping[str, str]:
        """The versions of the classifiers, by name."""
        return Harm(self.judges).versions

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Drop the toxic and hateful sentences; returns the remaining text's path and the counts by kind."""
        done = run(
            [site.original],
            site.folder / RUN,
            partial(step_of, self.judges),
            self.judges,
            job="babylm drop",
            versions=self.versions(),
            reading=Reading(format="text"),
            running=Running(workers=site.workers),
        )
        counts = Counter(kind for numbers in _read_dropped(done.directory).values() for kind in numbers.values())
        sentences = sum(len(pieces(line.decode())) for line in lines(site.original))
        return done.directory / TEXT, _counts(sentences, counts)


@dataclass(frozen=True, slots=True)
class DropClean:
    """As many sentences go as `no-toxic` drops, any of those that it keeps: what less text alone does."""

    name: ClassVar[str] = "no-toxic-ablation"
    needs: ClassVar[tuple[str, ...]] = (DropToxic.name,)

    seed: int = 0
    """Which sentences."""

    def versions(self) -> Mapping[str, str]:
        """Empty: options and the counts of `no-toxic` decide everything."""
        return {}

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Drop as many clean sentences, drawn by the seed, as `no-toxic` dropped; returns the corpus' path and the
        counts."""
        toxic = site.needed[DropToxic.name]
        away = _read_dropped(toxic.folder / RUN)
        number = toxic.counts["dropped"]
        clean = toxic.counts["sentences"] - number
        chosen = np.zeros(clean, dtype=bool)
        chosen[np.random.Generator(np.random.PCG64(self.seed)).permutation(clean)[:number]] = True
        lot = iter(chosen.tolist())
        _rebuild(site, lambda line, n, piece: piece if n in away.get(line, ()) or not next(lot) else "")
        return site.folder / CORPUS, {"sentences": toxic.counts["sentences"], "dropped": int(chosen.sum())}


class Reworded(BaseModel):
    """A chat model's answer."""

    sentences: list[str]


@dataclass(frozen=True, slots=True)
class Detoxify:
    """Toxic sentences are reworded by a chat model; those that it cannot reword, or that are toxic still, go (the
    paper's Llama-3.3-70B: 0.42 % of them). Answers are kept: a run that was stopped asks only for the others."""

    name: ClassVar[str] = "detoxified"
    needs: ClassVar[tuple[str, ...]] = (DropToxic.name,)
    idle: ClassVar[tuple[str, ...]] = ("price", "budget")

    model: str = ""
    """Behind a server that speaks OpenAI's chat protocol; the paper's is Llama-3.3-70B-Instruct."""
    base_url: str | None = None
    """The server; null is OPENAI_BASE_URL's, else OpenAI's."""
    batch: int = 8
    """Sentences a request; the authors' code has 8."""
    price: str = ""
    """IN,OUT: money for a million tokens that are read and written."""
    budget: float | None = None
    """The most that may be spent; needs price."""

    def __post_init__(self) -> None:
        check_range(self, "batch", least=1)
        _ = self._bill

    @property
    def _bill(self) -> Bill:
        return read_bill(self.price, self.budget)

    def versions(self) -> Mapping[str, str]:
        """The digest of the prompt. UsageError for no model."""
        if not self.model:
            raise UsageError("detoxified.model names no chat model; set it, with base_url where it is not OpenAI's")
        return {"prompt": read(PROMPTS / f"{PROMPT}.txt").digest}

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Reword the toxic sentences and drop those that stay toxic; returns the corpus' path and the counts by
        outcome."""
        toxic = site.needed[DropToxic.name]
        harm = Harm(Judges(**toxic.options["judges"]))
        places = _read_dropped(toxic.folder / RUN)
        sentences = list(dict.fromkeys(_at(site.original, places)))
        cache = Store(site.folder / "answers.sqlite", "replies")
        model = Asker(self.base_url, bill=self._bill, cache=cache).model(self.model, prompts=PROMPTS)
        new = self._reword(model, sentences)
        kinds = harm.kinds(list(new.values()))
        clean = {
            old: text for (old, text), toxic_still in zip(new.items(), kinds, strict=True) if text and not toxic_still
        }
        counts: Counter[str] = Counter()

        def instead(line: int, number: int, piece: str) -> str:
            if number not in places.get(line, ()):
                return piece
            old = piece.strip()
            counts["reworded" if old in clean else "still toxic" if new.get(old) else "without an answer"] += 1
            return clean[old] + piece[len(piece.rstrip()) :] if old in clean else ""

        _rebuild(site, instead)
        discarded = counts.total() - counts["reworded"]
        share = round(100 * discarded / max(1, counts.total()), 2)
        return site.folder / CORPUS, {
            "sentences": toxic.counts["sentences"],
            "toxic": counts.total(),
            **counts,
            "discarded": discarded,
            "discarded, %": share,
        }

    def _reword(self, model: ChatModel, sentences: Sequence[str]) -> dict[str, str]:
        """The new sentence for each sentence; "" where the model gave none. If an answer has another number of
        sentences than its batch, each sentence is sent by itself."""
        versions: dict[str, str] = {}
        batches = [sentences[first : first + self.batch] for first in range(0, len(sentences), self.batch)]
        with bar("sentences reworded") as progress:
            for first in range(0, len(batches), _FIRST):
                alone: list[Sequence[str]] = []
                block = batches[first : first + _FIRST]
                for batch, answer in zip(block, _ask(model, block), strict=True):
                    if answer is not None and len(answer) == len(batch):
                        versions.update(zip(batch, answer, strict=True))
                    elif len(batch) > 1:
                        alone += [[sentence] for sentence in batch]
                for (sentence,), answer in zip(alone, _ask(model, alone), strict=True):
                    versions[sentence] = answer[0] if answer is not None and len(answer) == 1 else ""
                progress(min(len(sentences), (first + _FIRST) * self.batch), len(sentences))
        return {sentence: " ".join(versions.get(sentence, "").split()) for sentence in sentences}


def _ask(model: ChatModel, batches: Sequence[Sequence[str]]) -> list[list[str] | None]:
    """The reworded sentences of each batch; None where the model gave none."""
    prompt = model.prompt(PROMPT)
    requests = []
    for batch in batches:
        numbered = "\n".join(f"{n}. {sentence}" for n, sentence in enumerate(batch, 1))
        fields = {"number": str(len(batch)), "sentences": Data(numbered)}
        requests.append(model.request(prompt, fields, max_tokens=_LONGEST, schema=Reworded))
    return [
        outcome.value.sentences if isinstance(outcome, Answer) and isinstance(outcome.value, Reworded) else None
        for outcome in model.ask_all(requests)
    ]


def _read_dropped(folder: Path) -> dict[int, dict[int, str]]:
    """By line, from 1: the numbers of the dropped sentences, and what they were."""
    return {
        int(record["line"]): read_dropped(str(record["detail"]))
        for record in read_ledger(folder)
        if record["outcome"] == "augmented"
    }


def _counts(sentences: int, counts: Mapping[str, int]) -> Mapping[str, Any]:
    by = {kind: sum(number for name, number in counts.items() if kind in name.split("+")) for kind in KINDS}
    totals = {**by, "dropped": sum(counts.values())}
    rates = {f"{name}, %": round(100 * number / max(1, sentences), 3) for name, number in totals.items()}
    return {"sentences": sentences, **totals, **rates}


def _at(corpus: Path, places: Mapping[int, Mapping[int, str]]) -> Iterator[str]:
    """The sentences at these places."""
    for number, line in enumerate(lines(corpus), 1):
        if number in places:
            parts = pieces(line.decode("utf-8"))
            yield from (parts[n].strip() for n in places[number])


def _rebuild(site: Workplace, instead: Callable[[int, int, str], str]) -> None:
    """The corpus with another text for each sentence: `instead` gets its line (from 1), its number and itself; "" drops
    it. Lines that lose all of theirs are empty."""

    def rebuilt() -> Iterator[bytes]:
        for number, line in enumerate(lines(site.original), 1):
            text = line.decode("utf-8")
            new = "".join(instead(number, n, piece) for n, piece in enumerate(pieces(text)))
            yield (new.rstrip() + text[len(text.rstrip()) :]).encode("utf-8")

    write_bytes(site.folder / CORPUS, rebuilt())
