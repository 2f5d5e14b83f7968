"""The client beside a real server: transformers' own, with a small chat model that answers badly."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from gec_fair.gec.systems.protocol import count_passed
from gec_fair.gec.systems.registry import load
from gec_fair.llm.answer import Answer, NoAnswer
from gec_fair.llm.client import Client
from gec_fair.llm.request import Request
from gec_fair.razor.rewriting.chat_model import verdict_schema
from gec_fair.runs.cache import Store

pytestmark = pytest.mark.slow(60)


@pytest.fixture(scope="module")
def server(weights):
    """The model's name and the server's address."""
    model = str(weights("smollm2"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("transformers")
    command = [program, "serve", model, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _is_up(f"http://127.0.0.1:{port}/health"):
            assert process.poll() is None
            time.sleep(0.2)
        yield model, f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def _is_up(address):
    try:
        return urllib.request.urlopen(address, timeout=5).status == 200
    except (urllib.error.URLError, OSError):
        return False


def test_a_real_server_answers_refuses_and_is_not_asked_twice(server, tmp_path, monkeypatch):
    model, address = server
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    cache = Store(tmp_path / "kept.sqlite", "replies")
    schema = verdict_schema(["good", "bad"])
    requests = [
        Request(model, (("user", f"Is {word} good or bad? Answer with one word."),), max_tokens=64, schema=schema)
        for word in ("sun", "war")
    ]
    client = Client(cache=cache)
    outcomes = client.ask(requests)
    assert all(isinstance(outcome, Answer) or outcome.reason in ("unfit", "cut") for outcome in outcomes)
    assert client.bill.usable + client.bill.unusable.total() == 2
    assert client.bill.tokens.prompt > 20
    again = Client(cache=cache)
    assert [outcome.__class__ for outcome in again.ask(requests)] == [outcome.__class__ for outcome in outcomes]
    assert again.bill.requests == 0
    (refused,) = client.ask([Request("another", (("user", "Hello."),), max_tokens=4)])
    assert isinstance(refused, NoAnswer)
    assert (refused.reason, "pinned" in refused.detail) == ("refused", True)
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Repeat the word.")
    system = load(f"openai:{model}", prompt=prompt)
    (answer,) = system(["Yes"])
    assert answer == "Yes" or not count_passed(system)
