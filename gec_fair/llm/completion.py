"""A chat completion as servers send it: the answer alone, without the model's reasoning, and what it cost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gec_fair.llm.answer import Reply, Tokens
from gec_fair.llm.dialect import Refusal, read_refusal

_TAGS = r"think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|(?:inner|internal)_\w+|seed:think"
_MARKS: Sequence[tuple[str, str]] = (
    (rf"<(?:{_TAGS})\b[^<>]*>", rf"</(?:{_TAGS})>"),  # DeepSeek, Qwen and most others
    (r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    (r"◁think▷", r"◁/think▷"),  # Kimi
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),  # Sky-T1
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Command A
    (r"<\|channel>thought\b", r"<channel\|>"),  # Gemma
)
"""Marks around reasoning: where it begins and where it ends."""
_CHANNEL, _MESSAGE = "<|channel|>", "<|message|>"
"""gpt-oss: `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`."""
_AROUND: Mapping[str, re.Pattern[str]] = {
    "```": re.compile(r"\s*```(?:[\w-]*[ \t]*\n)?(?P<answer>.*?)```\s*", re.DOTALL),
    "<|begin_of_box|>": re.compile(r"\s*<\|begin_of_box\|>(?P<answer>.*?)<\|end_of_box\|>\s*", re.DOTALL),  # GLM
    "<answer>": re.compile(r"\s*<answer>(?P<answer>.*?)</answer>\s*", re.DOTALL),  # DeepSeek-R1's prompt
}
"""Marks around the whole answer."""
_ENDS = (
    *("</s>", "<eos>", "<end_of_turn>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<|end|>"),
    *("<|return|>", "<|EOT|>", "<|END_OF_TURN_TOKEN|>", "<｜end▁of▁sentence｜>"),
)
"""Tokens that end an answer, which servers without the model's template leave in the text."""
_END = re.compile(r"<\|(?:end|return|start)\|>")
_TEXTS = ("text", "output_text")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
_MOST_TOKENS = 1 << 40
_BROKEN = frozenset(("abort", "cancelled", "error", "insufficient_system_resource"))
"""Why an answer ends early: vLLM's, SGLang's, OpenRouter's and DeepSeek's words for a server that gave up."""


def read_completion(content: bytes, *, question: str, guess: Tokens) -> Reply | Refusal:
    """The reply, or the error that a server sends with status 200. `question`: what was asked; a mark of reasoning that
    is in it is text. `guess`: tokens of the prompt where the server does not count them. ValueError for what is not a
    chat completion."""
    payload = _parse(content)
    choices = payload.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    error = payload.get("error") or (choice.get("error") if isinstance(choice, dict) else None)
    if error:
        return _read_error(error)
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise ValueError("no choice with a message")
    message, finish = choice["message"], choice.get("finish_reason")
    if str(finish).casefold() in _BROKEN:
        return Refusal(502, f"the answer breaks off, finish_reason {finish}")
    text, refusal = _join(message.get("content")), message.get("refusal")
    if not text and isinstance(refusal, str) and refusal:
        text, finish = refusal, "content_filter"
    counts = payload.get("usage")
    usage = counts if isinstance(counts, dict) else {}
    return Reply(
        plain(without_marks(without_reasoning(text, question), question)).strip(),
        finish if isinstance(finish, str) and finish else "stop",
        _count(usage.get("prompt_tokens"), guess.prompt),
        _count(usage.get("completion_tokens"), len(text) // 4 + 1),
    )


def plain(text: str) -> str:
    """The text without what no file of text can hold: halves of surrogate pairs, NUL and other control characters."""
    return _CONTROL.sub("", text.encode("utf-8", "replace").decode())


def without_reasoning(text: str, question: str = "") -> str:
    """The answer without the reasoning before it, which servers without a parser for it leave in the text. Reasoning
    that is not closed, or only closed, is dropped as well. A mark that is in the question belongs to the text."""
    if _CHANNEL in text and _CHANNEL not in question:
        before, _, last = text.rpartition(_CHANNEL)
        is_final = last.lstrip().startswith("final")
        text = _END.split(last.partition(_MESSAGE)[2])[0] if is_final else before.partition(_CHANNEL)[0]
    for start, end in _MARKS:
        if not re.search(f"{start}|{end}", question, re.IGNORECASE):
            text = _outside(text, re.compile(f"(?P<start>{start})|{end}", re.IGNORECASE))
    return text


def without_marks(text: str, question: str = "") -> str:
    """The answer without tokens that end it, and without a fence or a box around all of it, unless the question has
    them too."""
    text = _without_ends(text, [end for end in _ENDS if end not in question])
    for mark, around in _AROUND.items():
        if mark not in question and (match := around.fullmatch(text)) and mark not in match["answer"]:
            text = match["answer"]
    return text


def _without_ends(text: str, ends: Sequence[str]) -> str:
    """Linear: what is cut off is counted, and cut once."""
    stop = len(text.rstrip())
    while end := next((end for end in ends if text.endswith(end, 0, stop)), ""):
        stop -= len(end)
        while stop and text[stop - 1].isspace():
            stop -= 1
    return text[:stop]


def _outside(text: str, marks: re.Pattern[str]) -> str:
    """What is outside of the marks; an end without a start belongs to the beginning of the text. Linear."""
    parts: list[str] = []
    at, is_outside = 0, True
    for mark in marks.finditer(text):
        if is_outside:
            parts.append(text[at : mark.start()])
        if not mark["start"] and is_outside:
            parts.clear()
        at, is_outside = mark.end(), not mark["start"]
    return "".join([*parts, text[at:]] if is_outside else parts)


def _parse(content: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(content)
    except RecursionError as fault:
        raise ValueError("too many brackets") from fault
    if not isinstance(payload, dict):
        raise ValueError("no object")
    return payload


def _read_error(error: Any) -> Refusal:
    """With the status in its `code`; 502 without one, as nothing says what is wrong with the request."""
    code = error.get("code") if isinstance(error, dict) else None
    status = int(str(code)) if re.fullmatch("[45][0-9][0-9]", str(code), re.ASCII) else 502
    return read_refusal(status, json.dumps({"error": error}))


def _join(content: Any) -> str:
    """The text of a message, which may come in parts; parts that are not text, such as reasoning, are dropped."""
    if content is None or isinstance(content, str):
        return content or ""
    content = [content] if isinstance(content, dict) else content
    if not isinstance(content, list):
        raise ValueError("a content that is not text")
    texts = [
        part.get("text") if isinstance(part, dict) and part.get("type", "text") in _TEXTS else part for part in content
    ]
    return "".join(text for text in texts if isinstance(text, str))


def _count(value: Any, guess: int) -> int:
    return value if type(value) is int and 0 <= value < _MOST_TOKENS else guess
