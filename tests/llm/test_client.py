"""The client against a server that misbehaves: nothing is lost, nothing is asked twice, and no key is shown."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from pydantic import BaseModel, Field

from gec_fair.errors import MissingResource, UsageError
from gec_fair.llm import server as servers
from gec_fair.llm.answer import Answer, NoAnswer, Tokens
from gec_fair.llm.bill import Bill, OverBudget, Prices, estimate
from gec_fair.llm.client import Client
from gec_fair.llm.request import Request
from gec_fair.llm.server import LLMFault
from gec_fair.runs.cache import Store
from tests.llm.stub import Said, serving


class Verdict(BaseModel):
    label: str
    sure: float = Field(ge=0, le=1)


ZSTD = zstandard.compress(b'{"choices": [{"message": {"content": "ok"}}]}')
FITS = '{"label": "REFUTES", "sure": 0.5}'


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def request(text, **more):
    return Request("m", (("system", "Echo."), ("user", text)), **more)


def content(body):
    return body["messages"][-1]["content"]


def ask(script, requests, **settings):
    with serving(script) as server:
        return Client(base_url=server.url, **settings).ask(requests), server


def at_first(said):
    """Misbehaves when a body comes for the first time."""
    return lambda body, before: said if before == 0 else Said(content(body).upper())


TRANSIENT = [
    pytest.param(Said("slow down", 429, {"retry-after-ms": "5"}), id="429 with Retry-After in milliseconds"),
    pytest.param(Said("slow down", 429, {"retry-after": "0.01"}), id="429 with Retry-After"),
    pytest.param(Said("oh", 500, {"retry-after-ms": "1"}), id="500"),
    pytest.param(Said("busy", 503, {"retry-after-ms": "1"}), id="503"),
    pytest.param(Said("half an answer", cut=True), id="a connection that is cut in the middle of an answer"),
    pytest.param(Said(raw=b'{"id": "1", "cho'), id="a body that is not valid JSON"),
    pytest.param(Said(raw=b"{}"), id="JSON that is not a chat completion"),
    pytest.param(Said(raw=b'{"choices": []}'), id="a completion without choices"),
]


@pytest.mark.parametrize("said", TRANSIENT)
def test_what_goes_wrong_once_is_asked_again(said):
    outcomes, server = ask(at_first(said), [request(text) for text in ("a", "b")])
    assert [outcome.text for outcome in outcomes] == ["A", "B"]
    assert sorted(server.times.values()) == [2, 2]


def test_an_answer_that_is_slow_is_asked_for_again():
    outcomes, server = ask(at_first(Said("late", seconds=3.0)), [request("a")], timeout=1.0)
    assert outcomes[0].text == "A"
    assert list(server.times.values()) == [2]


@pytest.mark.parametrize("said", [Said(drip="headers"), Said(drip="body"), Said(status=400, drip="body")], ids=repr)
def test_a_server_that_sends_byte_by_byte_is_given_up(said):
    script = lambda body, before: said if content(body) == "a" else Said("B")  # noqa: E731
    outcomes, server = ask(script, [request("a"), request("b")], timeout=0.2)
    assert outcomes[0] == NoAnswer("failed", "no answer in 0.2 seconds")
    assert list(server.times.values()) == [1, 1]


def test_the_server_says_how_long_to_wait():
    import time

    start = time.monotonic()
    outcomes, _ = ask(at_first(Said("wait", 429, {"retry-after": "1.2"})), [request("a")])
    assert outcomes[0].text == "A"
    assert time.monotonic() - start >= 1.2


ALWAYS = [
    pytest.param(
        Said("no such key sk-secret", 401), "the server refused .*no such key ….*check OPENAI_API_KEY", id="401"
    ),
    pytest.param(Said("no model m", 404), "the server refused .*no model m", id="404"),
    pytest.param(Said("busy", 503, {"retry-after-ms": "1"}), "the server refused .*busy", id="503 for good"),
    pytest.param(
        Said(raw=b"<html>"), r"not a chat completion; check OPENAI_BASE_URL \(it ends in /v1", id="a web page"
    ),
    pytest.param(Said(raw=b'{"error": {"message": "no access", "code": 401}}'), "401: no access", id="401 inside 200"),
    pytest.param(Said(raw=b'{"error": {"message": "busy", "code": 429}}'), "429: busy", id="429 inside 200"),
    pytest.param(
        Said("", 307, {"Location": "file:///etc/passwd"}), "it redirects to file:///etc/passwd and", id="a redirect"
    ),
    pytest.param(
        Said("", 302, {"Location": "http://x/\x1b[2J\x9bm"}),
        r"redirects to http://x/\[2J|Invalid URL in location",
        id="signs for a terminal",
    ),
    pytest.param(Said(raw=ZSTD, headers={"Content-Encoding": "zstd"}), "not a chat completion", id="zstd that swells"),
    pytest.param(
        Said(raw=gzip.compress(gzip.compress(b"{}")), headers={"Content-Encoding": "gzip, gzip"}),
        "not a chat completion",
        id="packed twice",
    ),
    pytest.param(Said("slow", 429, {"Retry-After": "100000"}), "it asks to wait 100000 seconds", id="a day's wait"),
    pytest.param(Said("slow", 429, {"Retry-After": "soon"}), "429: slow", id="a wait that is not a number"),
    pytest.param(
        Said(raw=b'{"error": "' + b"x" * 9_000 + b' sk-secret"}', status=403), "403: x{400,500}…", id="a long message"
    ),
    pytest.param(Said(raw=b"x" * (servers._LARGEST + 1)), "more than 16 MB", id="an answer without an end"),
]


@pytest.mark.parametrize(("said", "message"), ALWAYS)
def test_what_concerns_every_request_is_an_error_without_keys(said, message, monkeypatch):
    monkeypatch.setattr(servers, "RETRIES", 2)
    with pytest.raises(LLMFault, match=message) as fault:
        ask(lambda body, before: said, [request("a")])
    assert "sk-secret" not in str(fault.value)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", str(fault.value))


def test_an_answer_in_gzip_is_read():
    packed = gzip.compress(b'{"choices": [{"message": {"content": "ok"}}]}')
    outcomes, _ = ask(lambda body, before: Said(raw=packed, headers={"Content-Encoding": "gzip"}), [request("a")])
    assert outcomes[0].text == "ok"


def test_an_account_without_money_is_not_asked_again():
    error = {"message": "You exceeded your current quota", "code": "insufficient_quota"}
    with serving(lambda body, before: Said(raw=json.dumps({"error": error}).encode(), status=429)) as server:
        with pytest.raises(LLMFault, match="429: You exceeded your current quota"):
            Client(base_url=server.url).ask([request("a")])
        assert len(server.bodies) == 1


def test_a_text_with_half_a_surrogate_pair_can_be_asked_about():
    outcomes, server = ask(lambda body, before: Said("ok"), [request("a\ud800b")])
    assert outcomes[0].text == "ok"
    assert content(server.bodies[0]) == "a?b"


def test_a_request_that_fails_for_good_is_told_and_the_others_go_on(monkeypatch):
    monkeypatch.setattr(servers, "RETRIES", 1)
    bad = {"3": Said("oh", 500, {"retry-after-ms": "1"}), "5": Said(raw=b'{"choices": []}'), "7": Said("x", seconds=3)}
    outcomes, _ = ask(
        lambda body, before: bad.get(content(body), Said("ok")), [request(str(n)) for n in range(9)], timeout=1.0
    )
    assert [n for n, outcome in enumerate(outcomes) if isinstance(outcome, NoAnswer)] == [3, 5, 7]
    assert {outcomes[n].reason for n in (3, 5, 7)} == {"failed"}
    assert [outcomes[n].detail.split(" (")[0] for n in (3, 7)] == ["the server refused", "no answer in 1 seconds"]


def test_a_server_that_fails_again_and_again_is_down(monkeypatch):
    monkeypatch.setattr(servers, "RETRIES", 0)

    def down(body, before):
        return Said("oh", 500) if int(content(body)) >= 20 else Said("ok")

    with serving(down) as server:
        with pytest.raises(LLMFault, match=r"refused .* and so 16 times in a row; .*the same command resumes"):
            Client(base_url=server.url, at_once=1).ask([request(str(n)) for n in range(99)])
        assert len(server.bodies) == 36


def test_a_key_that_the_server_answers_with_is_kept_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    cache = Store(tmp_path / "kept.sqlite", "replies")
    outcomes, _ = ask(lambda body, before: Said("key sk-0123456789abcdef !"), [request("a")], cache=cache)
    assert outcomes[0].text == "key … !"
    assert b"0123456789abcdef" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    monkeypatch.setenv("OPENAI_API_KEY", "none")  # as a server of one's own takes it
    outcomes, _ = ask(lambda body, before: Said("none of them"), [request("a")])
    assert outcomes[0].text == "none of them"


def test_what_was_cut_is_not_paid_for_again(tmp_path):
    cache = Store(tmp_path / "kept.sqlite", "replies")
    with serving(lambda body, before: Said("so far", finish="length")) as server:
        for schema, times in ((Verdict, 1), (None, 2)):  # without a schema it is an error, and asked anew
            server.times.clear()
            asks = [request("a", schema=schema)] * 2
            for _ in range(2):
                outcomes = Client(base_url=server.url, cache=cache).ask(asks)
                assert [outcome.reason for outcome in outcomes] == ["cut", "cut"]
                assert [outcome.tokens != Tokens() for outcome in outcomes] == [True, False]  # the first one pays
            assert sum(server.times.values()) == times


def test_an_address_that_is_none():
    with pytest.raises(UsageError, match="--base-url nonsense: is not an address"):
        Client(base_url="nonsense")


def test_a_server_that_is_not_there(monkeypatch):
    monkeypatch.setattr(servers, "RETRIES", 0)
    with pytest.raises(LLMFault, match=r"no answer from http://127\.0\.0\.1:1/v1/ \(.*whether the server runs"):
        Client(base_url="http://user:pass@127.0.0.1:1/v1").ask([request("a")])
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(MissingResource, match="set OPENAI_API_KEY"):
        Client(base_url="http://127.0.0.1:1/v1").ask([request("a")])


ONE = [
    pytest.param(Said("context length exceeded", 400), "refused", id="a request that is too long"),
    pytest.param(Said("too large", 413), "refused", id="413"),
    pytest.param(Said("no", 422), "refused", id="422"),
    pytest.param(Said(""), "empty", id="an empty answer"),
    pytest.param(Said("so far so", finish="length"), "cut", id="an answer that was cut"),
    pytest.param(Said("", finish="content_filter"), "filtered", id="an answer that a filter kept back"),
]


@pytest.mark.parametrize(("said", "reason"), ONE)
def test_what_concerns_one_request_is_its_outcome_and_the_others_go_on(said, reason):
    outcomes, _ = ask(
        lambda body, before: said if content(body).endswith("b") else Said(content(body)),
        [request(text) for text in "abc"],
    )
    assert [outcome.text for outcome in outcomes[::2]] == ["a", "c"]
    assert isinstance(outcomes[1], NoAnswer)
    assert outcomes[1].reason == reason


SCHEMA = [
    pytest.param(FITS, id="JSON"),
    pytest.param(f"```json\n{FITS}\n```", id="with a fence"),
    pytest.param(f"Here you are: {FITS} Anything else?", id="with words around"),
]


@pytest.mark.parametrize("text", SCHEMA)
def test_an_answer_of_a_form_is_read(text):
    (outcome,), server = ask(lambda body, before: Said(text), [request("a", schema=Verdict)])
    assert outcome.value == Verdict(label="REFUTES", sure=0.5)
    form = server.bodies[0]["response_format"]["json_schema"]
    assert form["strict"]
    assert form["schema"]["additionalProperties"] is False


UNFIT = [
    pytest.param("REFUTES", "the answer: Invalid JSON", id="broken JSON"),
    pytest.param('{"label": "REFUTES"}', "sure: Field required", id="a field is missing"),
    pytest.param('{"label": "REFUTES", "sure": 7}', "sure: Input should be less than or equal to 1", id="out of range"),
]


@pytest.mark.parametrize(("text", "complaint"), UNFIT)
def test_an_answer_that_does_not_fit_is_asked_for_once_more_and_only_once(text, complaint, tmp_path):
    first_then_fits = lambda body, before: Said(text if len(body["messages"]) == 2 else FITS)  # noqa: E731
    (outcome,), server = ask(first_then_fits, [request("a", schema=Verdict)])
    assert outcome.value == Verdict(label="REFUTES", sure=0.5)
    assert outcome.tokens == Tokens(200, 20)
    assert complaint in server.bodies[1]["messages"][-1]["content"]
    cache = Store(tmp_path / "kept.sqlite", "replies")
    (outcome,), server = ask(lambda body, before: Said(text), [request("a", schema=Verdict)], cache=cache)
    assert isinstance(outcome, NoAnswer)
    assert outcome.reason == "unfit"
    assert outcome.detail.startswith(complaint)
    assert len(server.bodies) == 2


def test_the_bill_has_the_share_of_usable_answers():
    said = {"a": Said(FITS), "b": Said("so"), "c": Said("{", finish="length"), "d": Said("too long", 400)}
    script = lambda body, before: said[body["messages"][1]["content"]]  # noqa: E731
    with serving(script) as server:
        client = Client(base_url=server.url)
        client.ask([request(text, schema=Verdict) for text in said])
    assert client.bill.summary().endswith("; 1 of 4 answers usable (1 cut, 1 refused, 1 unfit)")


def test_a_server_that_knows_no_schemas_is_told_in_words():
    def script(body, before):
        if "response_format" in body:
            return Said("Unknown field: response_format", 400)
        return Said(FITS)

    requests = [request(str(n), schema=Verdict) for n in range(20)]
    outcomes, server = ask(script, requests, at_once=1)
    assert all(outcome.value == Verdict(label="REFUTES", sure=0.5) for outcome in outcomes)
    assert len(server.bodies) == 21  # it is learnt once
    together, _ = ask(lambda body, before: replace(script(body, before), seconds=0.05), requests)
    assert [outcome.value for outcome in together] == [outcome.value for outcome in outcomes]  # those on their way too
    form = '{"label": "…", "sure": <number from 0 to 1>}'
    assert server.bodies[1]["messages"][-1]["content"].endswith(f"of this form and nothing else: {form}")


def test_a_server_that_ignores_schemas_is_told_in_words_from_the_second_request_on(tmp_path):
    def script(body, before):
        return Said(FITS if "of this form" in body["messages"][-1]["content"] else "It is refuted.", seconds=0.01)

    cache = Store(tmp_path / "kept.sqlite", "replies")
    requests = [request(str(n), schema=Verdict) for n in range(20)]
    with serving(script) as server:
        outcomes = Client(base_url=server.url, cache=cache).ask(requests)
        assert all(outcome.value == Verdict(label="REFUTES", sure=0.5) for outcome in outcomes)
        assert [outcome.tokens == outcomes[-1].tokens for outcome in outcomes] == [False] + [True] * 19
        assert len(server.bodies) == 21
        Client(base_url=server.url, cache=cache).ask([requests[0], request("new", schema=Verdict)])
        assert ["response_format" in body for body in server.bodies[21:]] == [False]  # a run that resumes knows it too


def test_a_server_that_calls_the_largest_length_otherwise():
    def script(body, before):
        return Said("use max_completion_tokens instead", 400) if "max_tokens" in body else Said("fine")

    outcomes, server = ask(script, [request("a", max_tokens=7)])
    assert outcomes[0].text == "fine"
    assert server.bodies[1]["max_completion_tokens"] == 7


def test_what_was_answered_is_never_asked_again(tmp_path):
    def script(body, before):
        return Said(f"{content(body)} {body['seed']}")

    cache = Store(tmp_path / "kept.sqlite", "replies")
    requests = [request(text, draw=draw, temperature=0.7) for text in "ab" for draw in (0, 1)]
    with serving(script) as server:
        first = Client(base_url=server.url, cache=cache).ask([*requests, *requests])
        assert [outcome.text for outcome in first] == ["a 0", "a 1", "b 0", "b 1"] * 2
        assert len(server.bodies) == 4
        client = Client(base_url=server.url, cache=cache)
        assert client.waiting([*requests, request("c")]) == [request("c")]
        again = client.ask(requests)
        assert [outcome.text for outcome in again] == [outcome.text for outcome in first[:4]]
        assert all(outcome.cached for outcome in again)
        assert len(server.bodies) == 4
        assert client.bill.summary() == "0 requests, 4 answers from the cache; 0 tokens read, 0 written"
    assert all(b"sk-secret" not in file.read_bytes() for file in tmp_path.iterdir())
    assert server.keys == {"Bearer sk-secret"}


DIFFERENT = [
    {"temperature": 0.1},
    {"top_p": 0.9},
    {"max_tokens": 5},
    {"seed": 1},
    {"draw": 1},
    {"schema": Verdict},
]


@pytest.mark.parametrize("more", DIFFERENT, ids=[next(iter(options)) for options in DIFFERENT])
def test_the_whole_request_is_the_key(more):
    assert request("a", **more).key("") != request("a").key("")
    assert request("a").key(":server:x") != request("a").key("")
    assert request("a", seed=1).key("") != request("a", draw=1).key("")


def test_after_a_fault_the_same_call_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(servers, "RETRIES", 0)
    cache = Store(tmp_path / "kept.sqlite", "replies")
    requests = [request(str(n)) for n in range(40)]
    down = {"now": True}

    def script(body, before):
        return Said("gone", 401) if down["now"] and int(content(body)) == 17 else Said("ok")

    with serving(script) as server:
        client = Client(base_url=server.url, cache=cache, at_once=4)
        with pytest.raises(LLMFault):
            client.ask(requests)
        before = len(server.bodies)
        assert 17 < before < 40
        down["now"] = False
        assert all(isinstance(outcome, Answer) for outcome in client.ask(requests))
        assert len(server.bodies) == 41  # the one that was refused is asked twice


def test_no_more_are_on_their_way_than_asked_for():
    _, server = ask(lambda body, before: Said("ok", seconds=0.02), [request(str(n)) for n in range(30)], at_once=3)
    assert server.most == 3


def test_a_budget_is_not_overspent_and_the_same_call_goes_on(tmp_path):
    cache = Store(tmp_path / "kept.sqlite", "replies")
    requests = [request(f"{n:400}", max_tokens=10) for n in range(50)]
    prices = Prices(1000, 1000)  # an answer costs (100 + 10) / 1000
    with serving(lambda body, before: Said("ok")) as server:
        client = Client(base_url=server.url, cache=cache, at_once=4, bill=Bill(prices, budget=2.0))
        with pytest.raises(OverBudget, match=r"of the budget of 2 are spent.*raise --budget"):
            client.ask(requests)
        assert client.bill.cost <= 2.0
        assert client.bill.requests == len(server.bodies) == round(client.bill.cost / 0.11)
        assert client.bill.requests >= 15
        more = Client(base_url=server.url, cache=cache, bill=Bill(prices, budget=100))
        more.ask(requests)
        assert len(server.bodies) == 50
        assert client.bill.cost + more.bill.cost == pytest.approx(50 * 0.11)


def test_prices():
    assert Prices.read("0.15, 0.60").cost(Tokens(1_000_000, 500_000)) == pytest.approx(0.45)
    for wrong in ("1", "a,b", "1,2,3", "-1,2", "nan,1"):
        with pytest.raises(UsageError, match="--price"):
            Prices.read(wrong)
    with pytest.raises(UsageError, match="--price IN,OUT"):
        Bill(budget=1.0)
    with pytest.raises(UsageError, match="a budget is a number"):
        Bill(Prices(1, 1), budget=float("nan"))
    with pytest.raises(UsageError, match="the server's address is none"):
        Client(base_url="http://[bad/v1")
    assert estimate(request("x" * 400, max_tokens=5)) == Tokens(405 // 4 + 16, 5)
    assert estimate(request("界" * 400, max_tokens=5)) == Tokens(1205 // 4 + 16, 5)
    assert estimate(request("x", schema=Verdict)).prompt > estimate(request("x")).prompt + 30


def test_what_a_server_does_not_count_is_estimated():
    (outcome,), _ = ask(lambda body, before: Said("abcdefgh", usage=False), [request("x" * 400)])
    assert outcome.tokens == Tokens(405 // 4 + 16, 3)


def test_a_notebook_with_a_loop_of_its_own_may_ask():
    async def cell():
        return ask(lambda body, before: Said("ok"), [request("a")])[0][0].text

    with ThreadPoolExecutor(1) as pool:  # a browser's test may have left a loop in this thread
        assert pool.submit(asyncio.run, cell()).result() == "ok"


def test_progress_is_told():
    heard = []
    with serving(lambda body, before: Said("ok")) as server:
        Client(base_url=server.url).ask(
            [request(str(n)) for n in range(5)], progress=lambda *progress_: heard.append(progress_)
        )
    assert heard[-1] == (5, 5)


def megabytes():
    """Of this process, in memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_a_thousand_requests_through_a_bad_server_lose_nothing_and_ask_nothing_twice(tmp_path):
    """One in ten is refused at first; what a request needs is given back when it is done."""

    def script(body, before):
        number = int(content(body))
        if number % 10 == 0 and before == 0:
            return (Said("slow", 429, {"retry-after-ms": "1"}), Said("oh", 500, {"retry-after-ms": "1"}))[
                number % 20 // 10
            ]
        return Said(json.dumps({"label": content(body), "sure": 1}))

    cache = Store(tmp_path / "kept.sqlite", "replies")
    used = []
    with serving(script) as server:
        client = Client(base_url=server.url, cache=cache, at_once=16)
        for first in range(0, 1_000, 250):
            outcomes = client.ask([request(str(n), schema=Verdict) for n in range(first, first + 250)])
            assert [outcome.value.label for outcome in outcomes] == [str(n) for n in range(first, first + 250)]
            server.bodies.clear()
            used.append(megabytes())
        assert len(server.times) == 1_000
        assert sum(server.times.values()) == 1_100
        assert client.bill.requests == 1_000
    assert used[-1] - used[0] < 8  # of which the server's own count of what it was asked is a third
