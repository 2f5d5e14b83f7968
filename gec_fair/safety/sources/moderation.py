"""Moderation over HTTP: Google's Perspective and OpenAI's. Answers are kept, so that no text is sent twice; keys come
from the environment, and stand in no message and no address."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias

import numpy as np

from gec_fair.data.secrets import hidden
from gec_fair.errors import GecFairError, MissingResource, UsageError
from gec_fair.extras import require
from gec_fair.runs.cache import Store, key
from gec_fair.safety.data.scores import Floats, number

_TIMEOUT = 60.0  # seconds of silence
_DEADLINE = 600.0  # seconds for a request, with all that is sent again and whatever comes byte by byte
_RETRIES = 6
_AT_ONCE = 32  # texts of a request to OpenAI
_BUSY = (429, 500, 502, 503, 504)
_OF_ONE = (400, 413, 422)
_ITS_FAULT = (
    "language_not_supported",
    "comment_too_long",
    "comment_empty",
    "context_length",
    "too long",
    "too large",
    "maximum context",
    "language not supported",
    "invalid_unicode",
)
"""By which a server says that a text is at fault, and not the key, the model or an attribute."""
PERSPECTIVE = "https://commentanalyzer.googleapis.com/v1alpha1"
OPENAI = "https://api.openai.com/v1"
ATTRIBUTES = ("TOXICITY", "SEVERE_TOXICITY", "IDENTITY_ATTACK", "INSULT", "PROFANITY", "THREAT")
CATEGORIES = (
    "harassment",
    "harassment/threatening",
    "hate",
    "hate/threatening",
    "self-harm",
    "self-harm/instructions",
    "self-harm/intent",
    "sexual",
    "sexual/minors",
    "violence",
    "violence/graphic",
)
MODEL = "omni-moderation-latest"


class ModerationFault(GecFairError):
    """A server that cannot be reached, refuses everything, or answers what is not an answer."""


Row: TypeAlias = list[float | None]


class _Server:
    """Where requests go, no more often than every `pause` seconds; `version` names it in messages."""

    def __init__(self, version: str, variable: str, base: str, pause: float = 0.0) -> None:
        require("moderation over HTTP", "safety", "requests")
        self.key = os.environ.get(variable, "")
        if not self.key:
            raise MissingResource(f"{version}: no access; set {variable}")
        self.version, self.base, self.pause = version, base.rstrip("/"), pause
        self._last = 0.0

    def post(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Any | None:
        """The answer; None where these texts alone are refused. Sent again, after as long as the server says, while it
        is busy."""
        import requests
        from requests.adapters import HTTPAdapter
        from urllib3.util import Retry

        time.sleep(max(0.0, self._last + self.pause - time.monotonic()))
        retry = Retry(_RETRIES, status_forcelist=_BUSY, allowed_methods=None, backoff_factor=0.5, raise_on_status=False)
        with requests.Session() as session:
            session.mount(self.base, HTTPAdapter(max_retries=retry))
            post = partial(session.post, timeout=_TIMEOUT, allow_redirects=False)  # the key is for this server
            try:
                answer = _call_within(_DEADLINE, partial(post, f"{self.base}/{path}", headers=headers, json=body))
            except (requests.RequestException, FutureTimeout) as wrong:
                reason = self._message(wrong) or f"in {_DEADLINE:g} seconds"
                raise ModerationFault(
                    f"{self.version}: no answer ({reason}); check the network, then the same command resumes"
                ) from wrong
        self._last = time.monotonic()
        if answer.status_code in _OF_ONE and any(sign in answer.text.casefold() for sign in _ITS_FAULT):
            return None
        if answer.status_code >= 300:
            raise ModerationFault(
                f"{self.version}: refused ({answer.status_code}: {self._message(_reason(answer))}); "
                "check the key and its quota, then the same command resumes"
            )
        try:
            return answer.json()
        except ValueError as wrong:
            raise ModerationFault(
                f"{self.version}: the answer is not valid JSON; check the server's address"
            ) from wrong

    def _message(self, message: object) -> str:
        return hidden(str(message), [self.key])


def _call_within(seconds: float, call: Callable[[], Any]) -> Any:
    """What a call returns. FutureTimeout if it takes longer; its thread is left behind."""
    result: Future[Any] = Future()

    def run() -> None:
        try:
            result.set_result(call())
        except Exception as fault:
            result.set_exception(fault)

    Thread(target=run, daemon=True).start()
    return result.result(seconds)


def _reason(answer: Any) -> str:
    """What a server says is wrong; never the whole answer, which may repeat a text."""
    try:
        error = answer.json()["error"]
        return str(error["message"] if isinstance(error, dict) else error)[:200]
    except (ValueError, KeyError, TypeError):
        return str(answer.reason)


class Moderation:
    """A `sources.Source` over HTTP: `ask` tells some new texts' scores, `at_once` of them at a time; what was answered
    is on disk before the next request."""

    def __init__(
        self,
        server: _Server,
        attributes: tuple[str, ...],
        ask: Callable[[Sequence[str]], list[Row]],
        cache: Path | None,
        *,
        at_once: int = 1,
    ) -> None:
        self.attributes, self.version = attributes, server.version
        self._base, self._ask, self._at_once = server.base, ask, at_once
        self._kept = Store(cache, "moderation")

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes); NaN for a text that the server refuses (too long, or of another language)."""
        keys = [key(self.version, self._base, *self.attributes, text) for text in texts]
        cached = {key: json.loads(value) for key, value in self._kept.get(keys).items()}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in cached}
        waiting = list(new.items())
        for first in range(0, len(waiting), self._at_once):
            batch = waiting[first : first + self._at_once]
            answers = self._ask([text for _, text in batch])
            fresh = {key: row for (key, _), row in zip(batch, answers, strict=True)}
            self._kept.put({key: json.dumps(row) for key, row in fresh.items()})
            cached.update(fresh)
        rows = [[np.nan if value is None else value for value in cached[key]] for key in keys]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(self.attributes))


def perspective(argument: str, cache: Path | None) -> Moderation:
    """`perspective`, or `perspective:TOXICITY,THREAT`. A new project may ask once a second; `PERSPECTIVE_QPS` tells
    another quota. Key: `PERSPECTIVE_API_KEY`; `PERSPECTIVE_BASE_URL`: another server."""
    attributes = tuple(argument.split(",")) if argument else ATTRIBUTES
    server = _Server(
        "perspective",
        "PERSPECTIVE_API_KEY",
        os.environ.get("PERSPECTIVE_BASE_URL", PERSPECTIVE),
        1 / _quota(os.environ.get("PERSPECTIVE_QPS", "1")),
    )

    def ask(texts: Sequence[str]) -> list[Row]:
        (text,) = texts
        body = {
            "comment": {"text": text},
            "languages": ["en"],
            "doNotStore": True,
            "requestedAttributes": {name: {} for name in attributes},
        }
        answer = server.post("comments:analyze", {"x-goog-api-key": server.key}, body)
        if answer is None:
            return [[None] * len(attributes)]
        try:
            scores = answer["attributeScores"]
            return [[float(scores[name]["summaryScore"]["value"]) for name in attributes]]
        except (KeyError, TypeError, ValueError) as wrong:
            raise ModerationFault(
                f"{server.version}: the answer has no attributeScores of {wrong}; check the server's "
                "address and the attributes' names"
            ) from wrong

    return Moderation(server, attributes, ask, cache)


def _quota(header: str) -> float:
    """UsageError for what is not a number of requests a second."""
    seconds = number(header)
    if seconds is None or not 0 < seconds < float("inf"):
        raise UsageError(f"PERSPECTIVE_QPS is {header!r}; requests a second are meant, for example 10")
    return seconds


def openai_moderation(argument: str, cache: Path | None) -> Moderation:
    """`openai-moderation`, or `openai-moderation:MODEL`. Key: `OPENAI_API_KEY`; `OPENAI_BASE_URL`: another server."""
    model = argument or MODEL
    server = _Server(f"openai-moderation:{model}", "OPENAI_API_KEY", os.environ.get("OPENAI_BASE_URL", OPENAI))

    def ask(texts: Sequence[str]) -> list[Row]:
        answer = server.post(
            "moderations", {"Authorization": f"Bearer {server.key}"}, {"model": model, "input": list(texts)}
        )
        if answer is None and len(texts) > 1:  # one of them is at fault
            return [ask([text])[0] for text in texts]
        if answer is None:
            return [[None] * len(CATEGORIES)]
        try:
            results = [result["category_scores"] for result in answer["results"]]
            rows: list[Row] = [
                [None if row.get(name) is None else float(row[name]) for name in CATEGORIES] for row in results
            ]
        except (KeyError, TypeError, ValueError) as wrong:
            raise ModerationFault(
                f"{server.version}: the answer has no category_scores ({wrong}); check the server's address"
            ) from wrong
        if len(rows) != len(texts):
            raise ModerationFault(
                f"{server.version}: answered {len(rows)} results for {len(texts)} texts; check the server"
            )
        return rows

    return Moderation(server, CATEGORIES, ask, cache, at_once=_AT_ONCE)
