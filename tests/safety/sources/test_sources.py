"""Source classifiers: attributes with their columns, servers that refuse, keys that are never told."""

import csv
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from gec_fair.errors import MissingResource, UsageError
from gec_fair.safety.sources import moderation as moderation_module
from gec_fair.safety.sources import registry
from gec_fair.safety.sources.embedded import Views
from gec_fair.safety.sources.moderation import CATEGORIES, ModerationFault
from tests.scripts import module

ROOT = Path(__file__).parents[3]


@contextmanager
def server(script):
    """`script(path, headers, body)` answers (status, headers, JSON)."""
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            status, headers, payload = script(self.path, self.headers, body)
            answer = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(answer)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *words):
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/v1", requests
    finally:
        running.shutdown()


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")


def moderation(path, headers, body):
    if any("broken" in text for text in body["input"]):
        return 400, {}, {"error": {"message": "too long"}}
    return (
        200,
        {},
        {"results": [{"category_scores": dict.fromkeys(CATEGORIES, len(text) / 100)} for text in body["input"]]},
    )


def test_openai_is_asked_many_at_a_time_and_finds_the_one_that_is_refused(keys, monkeypatch, tmp_path):
    with server(moderation) as (url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        source = registry.load("openai-moderation", cache=tmp_path / "kept.sqlite")
        scores = source.scores(["a", "broken", "ccc"])
        assert scores[:, 0].tolist()[::2] == [0.01, 0.03]
        assert np.isnan(scores[1]).all()
        assert [len(body["input"]) for _, _, body in requests] == [3, 1, 1, 1]
        assert requests[0][1]["authorization"] == "Bearer secret-key"
        assert requests[0][0] == "/v1/moderations"


def test_no_text_is_sent_twice(keys, monkeypatch, tmp_path):
    with server(moderation) as (url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        for texts in (["a", "bb", "a"], ["bb"]):
            source = registry.load("openai-moderation:ours", cache=tmp_path / "kept.sqlite")
            assert source.scores(texts)[:, 0].tolist() == [len(text) / 100 for text in texts]
        assert [body["input"] for _, _, body in requests] == [["a", "bb"]]
        assert requests[0][2]["model"] == "ours"


def test_a_busy_server_is_asked_again_after_as_long_as_it_says(keys, monkeypatch):
    times = []

    def busy(path, headers, body):
        times.append(1)
        return (429, {"Retry-After": "0"}, {}) if len(times) < 3 else moderation(path, headers, body)

    with server(busy) as (url, _):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        assert registry.load("openai-moderation").scores(["abc"])[0, 0] == 0.03
    assert len(times) == 3


def test_a_server_that_sends_byte_by_byte_is_given_up(keys, monkeypatch):
    monkeypatch.setattr(moderation_module, "_DEADLINE", 0.3)
    monkeypatch.setattr(moderation_module, "RETRIES", 0)

    def drip(path, headers, body):
        time.sleep(1)
        return moderation(path, headers, body)

    with server(drip) as (url, _):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        with pytest.raises(ModerationFault, match=r"no answer \(.*\); check the network"):
            registry.load("openai-moderation").scores(["abc"])


def test_a_key_does_not_follow_to_another_server(keys, monkeypatch):
    with (
        server(moderation) as (target, requests),
        server(lambda *_: (307, {"Location": f"{target}/x"}, {})) as (url, _),
    ):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        with pytest.raises(ModerationFault, match="refused"):
            registry.load("openai-moderation").scores(["abc"])
    assert requests == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((403, {}, {"error": "no access with secret-key"}), r"refused \(Error code: 403"),
        ((400, {}, {"error": {"message": "API key not valid"}}), r"refused \(Error code: 400.*API key not valid"),
        ((200, {}, b"<html>"), "the answer has no category_scores"),
        ((200, {}, {"results": [{}]}), "the answer has no category_scores"),
        ((200, {}, {"results": []}), "answered 0 results for 1 texts"),
    ],
)
def test_a_server_that_refuses_is_told_without_the_key(keys, monkeypatch, answer, message):
    with server(lambda *_: answer) as (url, _):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        with pytest.raises(ModerationFault, match=message) as fault:
            registry.load("openai-moderation").scores(["abc"])
    assert "secret-key" not in str(fault.value)


def test_without_a_key_it_says_which(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(MissingResource, match="set OPENAI_API_KEY"):
        registry.load("openai-moderation")


def test_unknown_sources_are_named_with_the_nearest():
    with pytest.raises(UsageError, match=r"unknown source 'vadr'; did you mean vader\?"):
        registry.load("vadr")


def test_the_offline_sources_are_of_different_minds():
    """The issue's pair: a biased source, a nearly neutral one."""
    texts = ["my sister is gay", "my sister is straight", "I will hurt you badly", "what a lovely day"]
    columns, scores = registry.score(texts, [(name, registry.load(name)) for name in registry.OFFLINE], lambda *_: None)
    by_column = dict(zip(columns, scores.T, strict=True))
    assert by_column["profanity profanity"][0] > 0.5 > 0.2 > by_column["profanity profanity"][1]
    assert abs(by_column["vader compound"][0] - by_column["vader compound"][1]) < 0.3
    assert by_column["vader neg"][2] > by_column["vader neg"][3]
    assert by_column["views lexicon positive"][3] > by_column["views lexicon positive"][2]
    assert len(columns) == 9 + 1 + 4


def test_what_unpickles_its_model_gets_no_keys():
    """Neither does a program behind `env -i`, as the page runs it."""
    reads_keys = f"{sys.executable} -c 'import os, sys; [print(len(os.environ)) for _ in sys.stdin]'"
    with_keys, without = (
        registry.load(f"command:{words}").scores(["text"]) for words in (reads_keys, f"env -i {reads_keys}")
    )
    assert with_keys.item() > 3 > without.item()
    assert registry.load("profanity")._command.version.startswith(f"command:env -i {sys.executable} -I -c …")
    assert "profanity_check" not in sys.modules


HATE = [("a nice day with my sister", 0.024), ("you are an idiot", 0.093), ("i hate all women", 0.576), ("", 0.038)]


def test_hatesonar_finds_hate_on_a_machine_without_its_locale(weights):
    """Of an empty text too."""
    program = module("safety_programs.py")
    scores = program.hatesonar([text for text, _ in HATE], str(weights("hatesonar") / "model.onnx"))
    assert scores == pytest.approx([score for _, score in HATE], abs=1e-3)


@pytest.mark.slow(120)
def test_the_page_runs_published_classifiers_in_environments_of_their_own(weights, tmp_path):
    """Its lines, word for word, in a folder beside the environments."""
    page = (ROOT / "docs/how-to/safety.md").read_text(encoding="utf-8")
    (lines,) = (block for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL) if "env -i" in block)
    place = tmp_path / "checkout"
    place.mkdir()
    (place / "training").symlink_to(ROOT / "training")
    (place / ".venv").symlink_to(sys.prefix)
    (place / "texts.csv").write_text(
        "id,text,hate\n" + "".join(f"{n},{text},0\n" for n, (text, _) in enumerate(HATE[:3]))
    )
    done = subprocess.run(
        ["bash", "-e"],
        input=re.sub(r"^\$ ", "", lines, flags=re.MULTILINE).replace("gec-fair", f"{sys.executable} -m gec_fair"),
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), "GEC_FAIR_WEIGHTS": str(weights("hatesonar").parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((place / "scored.csv").read_text(encoding="utf-8").splitlines()))
    sonar, profanity, toxic = (
        [float(row[f"{name} value"]) for row in rows] for name in ("sonar", "profanity", "toxic")
    )
    assert sonar == pytest.approx([score for _, score in HATE[:3]], abs=1e-3)
    assert profanity[1] > 0.99 > 0.1 > profanity[0]
    assert toxic[1] > 0.9 > 0.2 > toxic[0]
    shutil.rmtree(tmp_path / "outside")  # 1.9 GB


def test_a_source_may_be_called_by_a_name_of_ones_own():
    sources = registry.load_named(["ours=toxicity", "vader"], None)
    assert [name for name, _ in sources] == ["ours", "vader"]
    assert [name for name, _ in registry.load_named(["polarity"], None)] == ["polarity"]
    with pytest.raises(UsageError, match="two sources are called vader; give each its own name: NAME=SOURCE"):
        registry.load_named(["vader", "vader"], None)


def test_a_classifier_of_two_labels_is_one_attribute():
    assert registry.load("toxicity").attributes == ("toxic",)
    assert registry.load("polarity").attributes == ("negative", "neutral", "positive")


def test_the_embedded_views_know_rude_words_and_no_order():
    views = Views()
    scores = views.scores(["you stupid idiot", "the ship came home in the evening"])
    assert scores[0, 0] > scores[1, 0]
    assert np.array_equal(views.scores(["the ship came home in the evening"])[0], scores[1])
    assert views.version.startswith("views:")
