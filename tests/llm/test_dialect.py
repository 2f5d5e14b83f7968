"""What a model refuses of a request is left out or said otherwise, from the words of its refusal."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel

from gec_fair.llm.client import Client
from gec_fair.llm.dialect import CHANGES, Dialect, Refusal, read_refusal
from gec_fair.llm.request import Request
from gec_fair.llm.server import LLMFault
from gec_fair.runs.cache import Store
from tests.llm.stub import Said, serving


class Rewritten(BaseModel):
    text: str


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def request(**more):
    settings = {"temperature": 0.7, "top_p": 0.9, "max_tokens": 50, "seed": 3, **more}
    return Request("m", (("system", "Correct."), ("user", "He go .")), **settings)


def error(message, **more):
    return json.dumps({"error": {"message": message, **more}})


def detail(*place, message="Extra inputs are not permitted"):
    # FastAPI repeats the input, which holds the names of all parameters
    return json.dumps({"detail": [{"loc": ["body", *place], "msg": message, "input": request().body()}]})


REFUSALS = [
    (
        error(
            "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is "
            "supported.",
            param="temperature",
        ),
        "temperature",
        "gpt-5's temperature",
    ),
    (
        error("Unsupported parameter: 'top_p' is not supported with this model.", param="top_p"),
        "top_p",
        "gpt-5's top_p",
    ),
    (
        error(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
            "instead.",
            param="max_tokens",
        ),
        "max_tokens",
        "gpt-5's longest answer",
    ),
    (
        error(
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.", param="messages[0].role"
        ),
        "system",
        "o1's system role",
    ),
    (
        error("'system' is not allowed here. Use 'developer' instead.", param="messages[0].role"),
        "system",
        "a newer role, which the message names beside the place",
    ),
    (error("Invalid value: 'system'. Supported values are: 'developer' and 'user'."), "system", "a list of roles"),
    (error("Use the role developer, not system."), "system", "one that is wanted"),
    (
        detail("messages", 0, "role", message="Input should be 'developer' or 'user'"),
        "system",
        "a newer role, in a detail",
    ),
    (error("The role 'developer' is not supported"), "system", "one that is refused too"),
    (error("Conversation roles must alternate user/assistant; System role not supported"), "system", "Gemma in vLLM"),
    (error("Only user and assistant roles are supported!"), "system", "a chat template"),
    (error("Developer instruction is not enabled for models/gemma-3"), "system", "Gemma at Google's"),
    (error("System message must be at the beginning."), "system", "a chat template that wants it first"),
    (detail("messages", 0, "role", message="Input should be 'user' or 'assistant'"), "system", "a role in a detail"),
    (detail("seed"), "seed", "a place in a detail"),
    (detail("temperature"), "temperature", "another place"),
    (json.dumps({"message": "property 'seed' is unsupported"}), "seed", "a message without an error"),
    (json.dumps({"detail": "temperature is deprecated for this model"}), "temperature", "a detail that is a text"),
    (json.dumps({"error": "seed: unknown field"}), "seed", "an error that is a text"),
    (error("`temperature` and `top_p` cannot both be specified for this model."), "top_p", "one of two is enough"),
    (error("This response_format type is unavailable now"), "response_format", "no schemas"),
    (error("failed to parse grammar"), "response_format", "llama.cpp"),
    ("seed is not known here", "seed", "no JSON"),
    (error("Per-request seeds are not supported"), "seed", "a plural"),
    (detail("random_seed"), "seed", "a name of the server's own"),
    (error("topP is not supported"), "top_p", "another spelling"),
    (error("Invalid value: 'system'. Supported values are: 'user', 'assistant'."), "system", "a role without the word"),
    (error('messages: first message must use the "user" role'), "system", "the user begins"),
    (error("Only user and model turns are supported."), "system", "turns"),
    (detail("messages", 0, "ChatMessage", "role", message="Input should be 'user'"), "system", "a place in a union"),
    (error("JSON mode is not enabled for this model"), "response_format", "JSON mode"),
    (error("Unable to parse schema: additionalProperties"), "response_format", "a schema"),
    (error("Provider returned error", metadata={"raw": error("seed: unknown")}), "seed", "OpenRouter's other server"),
]


@pytest.mark.parametrize(("content", "change", "why"), REFUSALS, ids=[row[2] for row in REFUSALS])
def test_a_refusal_names_what_is_to_be_changed(content, change, why):
    learnt = Dialect().learn(read_refusal(400, content), request(schema=Rewritten))
    assert learnt == Dialect(frozenset([change]))


HOPELESS = [
    (error("This model's maximum context length is 512 tokens; max_tokens is too large", param="max_tokens"), "long"),
    (error("temperature: Input should be less than or equal to 2"), "a value out of range is the user's to change"),
    (error("messages: too long"), "nothing of it can be left out"),
    (error("Model not found"), "another fault"),
]


@pytest.mark.parametrize(("content", "why"), HOPELESS, ids=[row[1] for row in HOPELESS])
def test_other_refusals_teach_nothing(content, why):
    assert Dialect().learn(read_refusal(400, content), request()) is None


@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_a_server_that_is_busy_says_nothing_of_the_request(status):
    assert Dialect().learn(Refusal(status, "The system has too few messages left"), request()) is None


@pytest.mark.parametrize(("status", "requests"), [(400, 2), (422, 2), (404, 1)])
def test_after_a_refusal_in_unknown_words_the_model_is_asked_in_the_simplest_way(capsys, status, requests):
    def script(body, before):
        is_simple = set(body) == {"model", "messages", "max_tokens"} and len(body["messages"]) == 1
        return Said("He goes .") if is_simple else Said("Bad Request", status)

    with serving(script) as server:
        client = Client(base_url=server.url, at_once=1)
        if status == 404:
            with pytest.raises(LLMFault, match="Bad Request"):
                client.ask([request()])
        else:
            assert client.ask([request()])[0].text == "He goes ."
            assert "temperature is not sent" in capsys.readouterr().err
        assert len(server.bodies) == requests


def test_a_model_that_has_answered_is_asked_as_before(capsys):
    def script(body, before):
        return Said("Bad Request", 400) if "go" in body["messages"][-1]["content"] else Said("ok")

    with serving(script) as server:
        client = Client(base_url=server.url, at_once=1)
        good, bad = client.ask([Request("m", (("system", "s"), ("user", "fine"))), request()])
        assert (good.text, bad.reason, len(server.bodies)) == ("ok", "refused", 2)
    assert capsys.readouterr().err == ""


def test_a_temperature_of_0_is_ours_and_may_go():
    refusal = Refusal(422, "`temperature` must be greater than 0")
    assert Dialect().learn(refusal, request(temperature=0.0)) == Dialect(frozenset(["temperature"]))
    assert Dialect().learn(refusal, request()) is None


BODIES = [
    ((), {"temperature", "top_p", "max_tokens", "seed"}, ["system", "user"], "nothing is refused"),
    (("temperature", "seed"), {"top_p", "max_tokens"}, ["system", "user"], "two parameters are"),
    (("max_tokens",), {"temperature", "top_p", "max_completion_tokens", "seed"}, ["system", "user"], "another name"),
    (("max_tokens", "max_completion_tokens"), {"temperature", "top_p", "seed"}, ["system", "user"], "both names"),
    (("system",), {"temperature", "top_p", "max_tokens", "seed"}, ["user"], "the system message"),
]


@pytest.mark.parametrize(("changes", "parameters", "roles", "why"), BODIES, ids=[row[3] for row in BODIES])
def test_a_request_as_the_model_takes_it(changes, parameters, roles, why):
    body = Dialect(frozenset(changes)).body(request())
    assert body.keys() == {"model", "messages", *parameters}
    assert [message["role"] for message in body["messages"]] == roles


def test_a_system_message_is_the_beginning_of_the_users():
    body = Dialect(frozenset(["system"])).body(request())
    assert body["messages"] == [{"role": "user", "content": "Correct.\n\nHe go ."}]
    repeated = request(schema=Rewritten).with_messages(("assistant", "{}"), ("user", "Again."))
    roles = [
        message["role"] for message in Dialect(frozenset(["system", "response_format"])).body(repeated)["messages"]
    ]
    assert roles == ["user", "assistant", "user"]


def refusing(*names):
    """A model that refuses these, one after the other, as OpenAI's do."""

    def script(body, before):
        roles = {message["role"] for message in body["messages"]}
        for name in names:
            if name in body or name in roles:
                parameter = "messages[0].role" if name == "system" else name
                return Said(f"Unsupported value: '{parameter}' is not supported with this model.", 400)
        return Said("He goes .")

    return script


def test_what_is_learnt_is_said_once_and_kept_for_the_model(capsys, tmp_path):
    names = ("temperature", "seed", "top_p", "max_tokens", "system")
    cache = Store(tmp_path / "chat.sqlite", "replies")
    with serving(refusing(*names)) as server:
        client = Client(base_url=server.url, at_once=1, cache=cache)
        outcomes = client.ask([request(draw=draw) for draw in range(3)])
        assert [outcome.text for outcome in outcomes] == ["He goes ."] * 3
        assert len(server.bodies) == 5 + 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("m: the server refuses or ignores a part of the request, so ")
    assert all(CHANGES[name] in line for name in names)
    again = Client(base_url=server.url, cache=cache)
    assert again.ask([request()])[0].cached
    assert again.bill.summary().endswith("top_p is not sent")  # the cache says how its answers were asked for
    assert again.bill.changes == set(names)


def test_a_change_that_does_not_help_is_not_kept(capsys):
    def script(body, before):
        return (
            Said("The seed is bad: this text is refused", 400)
            if "go" in body["messages"][-1]["content"]
            else Said("ok")
        )

    with serving(script) as server:
        client = Client(base_url=server.url, at_once=1)
        bad, good = client.ask([request(), Request("m", (("system", "s"), ("user", "fine")))])
    assert (bad.reason, good.text) == ("refused", "ok")
    assert server.bodies[-1]["seed"] == 0
    assert capsys.readouterr().err == ""


def test_another_model_behind_the_server_is_asked_as_it_is():
    def script(body, before):
        return refusing("seed")(body, before) if body["model"] == "m" else Said("ok")

    with serving(script) as server:
        client = Client(base_url=server.url, at_once=1)
        client.ask([request(), Request("other", (("user", "a"),))])
    assert "seed" in server.bodies[-1]


def test_the_message_of_a_refusal_is_a_line_that_can_be_printed():
    assert str(read_refusal(422, detail("seed"))) == "422: body.seed: Extra inputs are not permitted"
    assert str(read_refusal(500, "<h1>Bad\x1b[31m\ngateway</h1>")) == "500: Bad [31m gateway"
    assert str(read_refusal(500, "")) == "500"
    assert str(read_refusal(400, "[" * 100_000)).startswith("400: [")
