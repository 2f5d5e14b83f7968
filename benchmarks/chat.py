"""Every command that asks a chat model, against a real server: the share of usable answers, and a run that is killed.

    transformers serve FOLDER --host 127.0.0.1 --port 8000 --device cpu          # in another terminal
    OPENAI_API_KEY=any OPENAI_BASE_URL=http://127.0.0.1:8000/v1 \\
        python benchmarks/chat.py FOLDER --server "transformers serve" [-o benchmarks/results/chat.json]

Each command runs on a few short texts in an empty cache. It is killed (SIGKILL) as soon as an answer is cached, and
runs once more; then it runs once more from the cache into another folder, as a run that nobody killed. A small model
answers badly: the figures say whether protocol, caches and resuming hold, not what a model is worth.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from report import record

ROOT = Path(__file__).parent.parent
LEARNERS = ROOT / "samples/learner-pairs.tsv"
CLAIMS = [
    ("The bridge is open to cars .", "SUPPORTS"),
    ("The bridge is not open to lorries .", "REFUTES"),
    ("The museum was built in 1990 .", "SUPPORTS"),
    ("The museum was not built in stone .", "REFUTES"),
]
NAMED = {"id": "1", "text": "She told her brother that the waiter was rude .", "slices": "Gender Identity: Female"}
RUDE = [
    "You stupid boy, come here.",
    "What a stupid question that was!",
    "The stupid driver shouted at us.",
    "Only stupid people believe that.",
]
JUDGE = """\
import json, sys
for line in sys.stdin:
    print(json.dumps({"bad": 0.9 if "stupid" in json.loads(line)[0] else 0.1}), flush=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="as the server names it")
    parser.add_argument("--server", required=True, metavar="TEXT", help="what serves it, for the record")
    parser.add_argument("--only", action="append", default=[], metavar="COMMAND", help="the others' rows stay")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    before = json.loads(arguments.output.read_text("utf-8"))["rows"] if arguments.output.is_file() else []
    rows = {row["command"]: row for row in before}
    print("| command | answers | usable | cached when killed | resumed to the same bytes | seconds |")
    print("| --- |" + " ---: |" * 5)
    with tempfile.TemporaryDirectory() as place:
        for name, words in commands(Path(place), arguments.model).items():
            if arguments.only and name not in arguments.only:
                continue
            row = {"command": name, **measure(Path(place, name.replace(" ", "-")), words)}
            print("| " + " | ".join(str(value) for value in row.values() if not isinstance(value, list)) + " |")
            rows[name] = row
            content = {"model": Path(arguments.model).name, "server": arguments.server, "rows": [*rows.values()]}
            record(arguments.output, "chat", content, ("openai",))  # after each, for a server may be slow


def commands(place: Path, model: str) -> dict[str, list[str]]:
    """The words of each command, without its output; its input is written into `place`."""
    learners = [line.split("\t")[0] for line in LEARNERS.read_text("utf-8").splitlines()[:18]]
    (place / "learners.txt").write_text("".join(f"{line}\n" for line in learners))
    claims = [{"id": str(n), "claim": text, "label": label} for n, (text, label) in enumerate(CLAIMS)]
    (place / "claims.jsonl").write_text("".join(json.dumps(row) + "\n" for row in claims))
    (place / "named.jsonl").write_text(json.dumps(NAMED) + "\n")
    (place / "rude.txt").write_text("".join(f"{line}\n" for line in RUDE))
    (place / "judge.py").write_text(JUDGE)
    judge = f"command:{sys.executable} {place / 'judge.py'}=bad"
    changed = {
        "texts": f"[{place / 'rude.txt'}]",
        "corpora": "[original, detoxified]",
        "no_toxic.judges.toxic": judge,
        "no_toxic.judges.hate": judge,
        "detoxified.model": model,
        "detoxified.batch": "2",
    }
    settings = [word for key, value in changed.items() for word in ("--set", f"{key}={value}")]
    counterfactuals = ["safety", "counterfactuals", str(place / "named.jsonl"), "--model", model]
    turn = ["--candidates", "1", "--tries", "1", "--turns", "1", "--top", "2"]
    return {
        "safety counterfactuals": counterfactuals,
        "safety counterfactuals --budget": [*counterfactuals, "--price", "1,1", "--budget", "0.002"],  # 2,000 tokens
        "babylm corpora": ["babylm", "corpora", str(ROOT / "training/babylm-detoxified.yaml"), *settings],
        "safety generate": ["safety", "generate", "harmless", "--number", "6", "--model", model],
        "razor run": ["razor", "run", str(place / "claims.jsonl"), "--llm", model, *turn],
        "correct": ["correct", str(place / "learners.txt"), "--system", f"openai:{model}"],
    }


def measure(place: Path, words: Sequence[str]) -> dict[str, Any]:
    """Kill, resume, and run once more from the cache."""
    place.mkdir()
    environment = {**os.environ, "GEC_FAIR_CACHE": str(place / "cache")}
    command = [sys.executable, "-m", "gec_fair", *words]
    suffix = ".txt" if words[0] == "correct" else ".jsonl"
    first, second = (["-o", str(place / name / f"out{suffix}")] for name in ("first", "second"))
    for name in ("first", "second"):
        (place / name).mkdir()
    start = time.monotonic()
    killed = subprocess.Popen([*command, *first], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while killed.poll() is None and not count_cached(place):
        time.sleep(0.1)
    killed.kill()
    killed.wait()
    cached = count_cached(place)
    resumed = subprocess.run([*command, *first], env=environment, capture_output=True, text=True, check=False)
    seconds = round(time.monotonic() - start, 1)
    again = subprocess.run([*command, *second], env=environment, capture_output=True, text=True, check=False)
    usable, answers = count_usable(resumed.stdout + resumed.stderr, place / "first")
    outputs = [read_outputs(place / name) for name in ("first", "second")]
    return {
        "answers": answers,
        "usable": usable,
        "cached_when_killed": cached,
        "same_bytes": outputs[0] == outputs[1] and resumed.returncode == again.returncode,
        "seconds": seconds,
        "said": [line for line in resumed.stderr.splitlines() if line.strip()],
        "exits": [resumed.returncode, again.returncode],
    }


def count_cached(place: Path) -> int:
    """Answers in the stores below a folder."""
    number = 0
    for path in place.rglob("*.sqlite"):
        with closing(sqlite3.connect(path)) as base:
            for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                number += base.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return number


def count_usable(printed: str, output: Path) -> tuple[int, int]:
    """Usable answers, and all; of corrections the texts, of a detoxified corpus the sentences."""
    if bill := re.search(r"([\d,]+) of ([\d,]+) answers usable", printed):
        return int(bill[1]), int(bill[2])
    if bill := re.search(r"([\d,]+) requests, ([\d,]+) answers from the cache", printed):
        return int(bill[1]) + int(bill[2]), int(bill[1]) + int(bill[2])
    if note := re.search(r"passed ([\d,]+) of ([\d,]+) texts", printed):
        return int(note[2]) - int(note[1]), int(note[2])
    for path in output.rglob("*.json"):
        counts = json.loads(path.read_text("utf-8")).get("counts", {})
        if "toxic" in counts and "discarded" in counts:
            return counts["toxic"] - counts.get("without an answer", 0), counts["toxic"]
    texts = sum(bool(line) for path in output.glob("*.txt") for line in path.read_text("utf-8").splitlines())
    return texts, texts


def read_outputs(folder: Path) -> dict[str, bytes]:
    """The files that a command wrote, without stores and what says when and where it ran."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".sqlite" not in path.name and path.name not in ("manifest.json", "settings.yaml")
    }


if __name__ == "__main__":
    main()
