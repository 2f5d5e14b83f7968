"""The answer in a chat completion: without reasoning, in parts or not, or an error that comes with status 200."""

from __future__ import annotations

import json

import pytest

from gec_fair.llm.answer import Reply, Tokens
from gec_fair.llm.client import _check_reply
from gec_fair.llm.completion import plain, read_completion, without_marks, without_reasoning
from gec_fair.llm.dialect import Refusal

REASONING = [
    ("<think>He {may} want it.</think>\n\nHello.", "Hello.", "a block before the answer"),
    ("He may want it.</think>\n\nHello.", "Hello.", "the prompt began the block"),
    ("<think>He may", "", "the block was cut"),
    ("<think></think>Hello.", "Hello.", "no thought"),
    ("<THINK>a</THINK> Hello.", "Hello.", "capitals"),
    ("<thinking>a</thinking>Hello.", "Hello.", "another name"),
    ("<thought>a</thought>Hello.", "Hello.", "a third name"),
    ("<reasoning>a</reasoning>Hello.", "Hello.", "a fourth name"),
    ('<think type="short">a</think>Hello.', "Hello.", "an attribute"),
    ("<think>a</think><think>b</think>Hello.", "Hello.", "two blocks"),
    ("<think>a <think> b</think> c</think>Hello.", "Hello.", "a block in a block"),
    ("<think>a <think> b</think>Hello.", "Hello.", "the reasoning names its own mark"),
    ("Sure. <think>a</think>Hello.", "Sure. Hello.", "a word before the block"),
    ("[THINK]a[/THINK]Hello.", "Hello.", "Magistral"),
    ("◁think▷a◁/think▷Hello.", "Hello.", "Kimi"),
    ("<analysis>a</analysis>Hello.", "Hello.", "a fifth name"),
    ("<inner_thoughts>a</inner_thoughts>Hello.", "Hello.", "a sixth name"),
    ("<seed:think>a</seed:think>Hello.", "Hello.", "Seed-OSS"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Hello.", "Hello.", "gpt-oss"),
    ("<|channel|>final<|message|>Hello.<|return|>", "Hello.", "gpt-oss without reasoning"),
    ("<|channel|>analysis<|message|>He may", "", "gpt-oss that was cut"),
    ("I think <b>so</b>.", "I think <b>so</b>.", "no reasoning"),
    ("a < b and c > d", "a < b and c > d", "signs"),
]


@pytest.mark.parametrize(("text", "answer", "why"), REASONING, ids=[row[2] for row in REASONING])
def test_reasoning_is_dropped(text, answer, why):
    assert without_reasoning(text).strip() == answer


def test_a_mark_that_is_in_the_question_belongs_to_the_text():
    assert without_reasoning("The tag <think> goes here.", "The tag <think> go here.") == "The tag <think> goes here."


def test_many_marks_are_read_in_linear_time():
    assert without_reasoning("</think>" + "<think>" * 200_000) == ""


AROUND = [
    ("```\nHe goes home .\n```", "He goes home .", "a fence"),
    ("```text\nHe goes home .\n```\n", "He goes home .", "a fence with a name"),
    ("```He goes home .```", "He goes home .", "a fence in a line"),
    ("<|begin_of_box|>He goes home .<|end_of_box|>", "He goes home .", "a box"),
    ("<answer> He goes home . </answer>", "He goes home .", "an answer that is called so"),
    ("He goes home .<|im_end|>", "He goes home .", "a token that ends a turn"),
    ("```\nHe goes home .\n```\n</s> </s>", "He goes home .", "two of them behind a fence"),
    ("The token </s> ends it .", "The token </s> ends it .", "such a token in the answer"),
    ("Use ```a``` and ```b``` .", "Use ```a``` and ```b``` .", "fences in the answer"),
    ("```a``` and ```b```", "```a``` and ```b```", "two fences"),
    ("```\nHe goes home .", "```\nHe goes home .", "a fence that is not closed"),
]


@pytest.mark.parametrize(("text", "answer", "why"), AROUND, ids=[row[2] for row in AROUND])
def test_marks_around_the_whole_answer_are_dropped(text, answer, why):
    assert without_marks(text).strip() == answer


def test_a_fence_that_is_in_the_question_belongs_to_the_text():
    assert without_marks("```a```", "Correct ```a``` .") == "```a```"
    assert without_marks("It ends with </s>", "It end with </s>") == "It ends with </s>"


def completion(**changes):
    message = {"role": "assistant", "content": "Hello."}
    payload = {"choices": [{"finish_reason": "stop", "message": {**message, **changes.pop("message", {})}}]}
    return json.dumps({**payload, "usage": {"prompt_tokens": 3, "completion_tokens": 2}, **changes}).encode()


def read(content):
    return read_completion(content, question="Correct.", guess=Tokens(9, 99))


PARTS = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "Hello."}]
READ = [
    (completion(), "Hello.", "stop", "a completion"),
    (completion(message={"content": PARTS}), "Hello.", "stop", "parts, of which one is reasoning"),
    (completion(message={"content": {"type": "text", "text": "Hello."}}), "Hello.", "stop", "one part"),
    (completion(message={"content": ["Hel", "lo."]}), "Hello.", "stop", "parts that are texts"),
    (completion(message={"content": [{"type": "reasoning", "text": "Hm."}]}), "", "stop", "reasoning alone"),
    (completion(message={"content": None, "reasoning_content": "Hm."}), "", "stop", "reasoning in another field"),
    (completion(message={"content": None, "refusal": "No."}), "No.", "content_filter", "a refusal"),
    (completion(message={"content": "a\ud800b\0c"}), "a?bc", "stop", "half a surrogate pair, and NUL"),
    (completion(error=None), "Hello.", "stop", "an error that is null"),
]


@pytest.mark.parametrize(("content", "text", "finish", "why"), READ, ids=[row[3] for row in READ])
def test_the_text_of_a_completion(content, text, finish, why):
    assert read(content) == Reply(text, finish, 3, 2)


USAGES = [
    None,
    {},
    "many",
    {"prompt_tokens": "many", "completion_tokens": None},
    {"prompt_tokens": -1},
    {"prompt_tokens": True},
    {"prompt_tokens": 10**4000},
]


@pytest.mark.parametrize("usage", USAGES, ids=str)
def test_tokens_that_a_server_does_not_count_are_estimated(usage):
    assert read(completion(usage=usage)).tokens == Tokens(9, 2)


@pytest.mark.parametrize(
    ("finish", "reason"), [("MAX_TOKENS", "cut"), ("length", "cut"), ("SAFETY", "filtered"), ("refusal", "filtered")]
)
def test_an_answer_that_is_not_complete_is_none_in_any_servers_words(finish, reason):
    assert _check_reply(Reply("He goes", finish, 1, 1)).reason == reason


NONE = [
    (b"<html>login</html>", "a web page"),
    (b"[]", "a list"),
    (b'{"choices": null}', "no choices"),
    (b'{"choices": []}', "an empty list"),
    (b'{"choices": [null]}', "a choice that is null"),
    (b'{"choices": [{"message": "Hello."}]}', "a message that is a text"),
    (b'{"choices": [{"message": {"content": 7}}]}', "a number"),
    (completion().replace(b"Hello", b"H\xff\xfe"), "no UTF-8"),
    (b"[" * 100_000, "brackets"),
]


@pytest.mark.parametrize(("content", "why"), NONE, ids=[row[1] for row in NONE])
def test_what_is_not_a_completion_is_refused(content, why):
    with pytest.raises(ValueError):  # noqa: PT011
        read(content)


ERRORS = [
    (b'{"error": {"message": "slow", "code": 429}}', Refusal(429, "slow"), "a status as its code"),
    (b'{"error": {"message": "slow", "code": "503"}}', Refusal(503, "slow"), "a status in words"),
    (b'{"error": "no model"}', Refusal(502, "no model"), "a text"),
    (b'{"choices": [{"error": {"message": "gone", "code": 502}}]}', Refusal(502, "gone"), "an error in a choice"),
    (
        b'{"error": {"message": "pay", "code": "insufficient_quota"}}',
        Refusal(502, "pay", is_quota=True),
        "no money left",
    ),
]


@pytest.mark.parametrize(("content", "refusal", "why"), ERRORS, ids=[row[2] for row in ERRORS])
def test_an_error_with_status_200_is_an_error(content, refusal, why):
    assert read(content) == refusal


@pytest.mark.parametrize("finish", ["error", "abort", "insufficient_system_resource", "CANCELLED"])
def test_an_answer_that_the_server_broke_off_is_an_error(finish):
    reply = read(completion().replace(b'"stop"', f'"{finish}"'.encode()))
    assert reply == Refusal(502, f"the answer breaks off, finish_reason {finish}")


def test_line_breaks_and_tabs_stay():
    assert plain("a\tb\nc\r\nd\x1b[0m\x9b2J\x85") == "a\tb\nc\r\nd[0m2J\x85"
